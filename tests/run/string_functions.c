// <string.h>, <ctype.h> and number conversions of <stdlib.h>.
#include "check.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
int main(void) {
    char b[32] = "abc";
    CHECK(strlen(b) == 3 && !strcmp(strcat(b, "def"), "abcdef") && !strncmp(b, "abx", 2));
    CHECK(strchr(b, 'd') == b + 3 && strrchr("abcabc", 'b')[1] == 'c' && !strchr(b, 'z') && *strchr(b, 0) == 0);
    CHECK(strstr(b, "cde") == b + 2 && !strstr(b, "x") && strstr(b, "") == b);
    CHECK(strspn("aabbc", "ab") == 4 && strcspn("hello, x", ", ") == 5 && *strpbrk("key=value", "=:") == '=');
    CHECK(strcmp("a", "b") < 0 && strcmp("b", "a") > 0 && strcmp("\xff", "a") > 0 && memcmp("a\0b", "a\0c", 3) < 0);
    memset(b, 'x', 5);
    CHECK(!strcmp(strncpy(b, "ab", 5), "ab") && b[4] == 0);
    memmove(b + 1, "12345", 6);
    memmove(b, b + 1, 6);
    CHECK(!strcmp(b, "12345") && memchr(b, '4', 5) == b + 3);
    char line[] = "one two,,three";
    char *save, *t = strtok_r(line, " ,", &save);
    CHECK(!strcmp(t, "one") && !strcmp(strtok_r(0, " ,", &save), "two") && !strcmp(strtok_r(0, " ,", &save), "three"));
    CHECK(!strtok_r(0, " ,", &save));
    CHECK(!strcasecmp("HeLLo", "hEllO") && strncasecmp("abX", "ABy", 2) == 0);
    CHECK(isdigit('5') && !isdigit('a') && isspace('\t') && toupper('q') == 'Q' && tolower('Q') == 'q' && isxdigit('F'));
    CHECK(isalpha('z') && !isalpha('1') && isalnum('1') && ispunct('!') && isupper('A') && !islower('A') && iscntrl(7));
    CHECK(atoi(" -42x") == -42 && strtol("0x1fz", 0, 16) == 31 && strtol("077", 0, 0) == 63 && strtoul("ff", 0, 16) == 255);
    char *end;
    CHECK(strtol("12abc", &end, 10) == 12 && *end == 'a');
    errno = 0;
    CHECK(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    CHECK(strtod("1.5e2x", &end) == 150 && *end == 'x' && strtod("-0x1p4", 0) == -16 && atof("inf") > 1e308);
    CHECK(abs(-4) == 4 && labs(-4l) == 4 && div(7, 2).quot == 3 && div(-7, 2).rem == -1);
    int n, m;
    char word[8];
    CHECK(sscanf("12 ab 0x1f", "%d %7s %x", &n, word, (unsigned *)&m) == 3 && n == 12 && m == 31 && !strcmp(word, "ab"));
    return DONE;
}
