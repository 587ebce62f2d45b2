// verdict: TRUE
// A field of two characters has no three digits; what has no place in the text is not written.
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 0;
    char word[5] = "";
    int n = scanf("%2d%4[a-z]", &a, word);
    assert(-9 <= a && a <= 99);
    if (n == 2) {
        assert('a' <= word[0] && word[0] <= 'z');
        assert(word[1] == 0 || ('a' <= word[1] && word[1] <= 'z'));
    }
    assert(word[4] == 0);
    return 0;
}
