// Character constants and strings: wide, UTF-8/16/32, escapes, multi-character, concatenation, signedness.
#include "check.h"
#include <stddef.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
int main(void) {
    CHECK('\x41' == 65 && '\101' == 'A' && '\n' == 10 && '\e' == 27 && '\0' == 0);
    CHECK((char)0xff == -1 && '\xff' == -1 && (unsigned char)'\xff' == 255);
    CHECK('ab' == 'a' * 256 + 'b');
    const wchar_t *w = L"h\u00e9\U0001F600";
    CHECK(w[1] == 0xe9 && w[2] == 0x1f600 && w[3] == 0 && sizeof(wchar_t) == 4);
    const char16_t *s = u"\U0001F600x";
    CHECK(s[0] == 0xd83d && s[1] == 0xde00 && s[2] == 'x');
    const char32_t *t = U"\u20ac";
    CHECK(t[0] == 0x20ac);
    CHECK(!strcmp(u8"\u20ac", "\xe2\x82\xac"));
    CHECK(!strcmp("a" "b\x63" "d", "abcd") && sizeof "a\0b" == 4);
    CHECK(L'\u20ac' == 0x20ac);
    wchar_t buf[4] = L"abc";
    buf[1]++;
    CHECK(buf[1] == L'c' && sizeof buf == 16);
    CHECK("hello"[1] == 'e' && 2["abc"] == 'c');
    return DONE;
}
