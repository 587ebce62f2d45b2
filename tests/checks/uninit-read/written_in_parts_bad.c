// A number of which some bytes were written is neither defined nor undefined as a whole: a comparison that came out
// either way says nothing of the rest.
int main(void)
{
    unsigned x;
    unsigned char *p = (unsigned char *)&x;
    p[1] = 1;
    p[2] = 1;
    p[3] = 1;
    if (x > 5)
        if (x & 1) //~ violated[uninit-read]
            return 1;
    return 0;
}
