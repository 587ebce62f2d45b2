// verdict: TRUE
// check: --property unreach-call --timeout 60
// Two phases and a loop that takes back what they did: no template says that, the one execution shows it.
extern void reach_error(void);
int main(void)
{
    int x = 0, y = 50000, z = 0;
    while (x < 3000000) {
        if (x < 50000) {
            x++;
        } else {
            x++;
            y++;
        }
    }
    while (y > z) {
        y--;
        x--;
    }
    if (x != z)
        reach_error();
    return 0;
}
