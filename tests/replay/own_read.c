// The program has functions of the names of library functions.
// replay: confirmed by execution: division by zero at own_read.c:9
int socket(int a) { return a + 1; }
int remove(const char *s) { return s[0] - s[0]; }
int main(int argc, char **argv) {
    int s = socket(3);
    int d = remove("precious.txt");
    if (s == 4)
        return 10 / d;
    return 0;
}
