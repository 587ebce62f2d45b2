/* <ctype.h> in the C locale. The functions index the same tables as glibc's macros, so an argument outside
 * -128..255 is an out-of-bounds read in both (C: the value must be an unsigned char or EOF). */
#include "internal.h"
#include <ctype.h>
#include <locale.h>
#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper
#undef isascii
#undef toascii
#undef isalnum_l
#undef isalpha_l
#undef isblank_l
#undef iscntrl_l
#undef isdigit_l
#undef isgraph_l
#undef islower_l
#undef isprint_l
#undef ispunct_l
#undef isspace_l
#undef isupper_l
#undef isxdigit_l
#undef tolower_l
#undef toupper_l
#undef _tolower
#undef _toupper

#define CNTRL (_IScntrl)
#define SPACE (_ISspace)
#define BLANK (_ISblank)
#define PUNCT (_ISpunct | _ISprint | _ISgraph)
#define DIGIT (_ISdigit | _ISxdigit | _ISalnum | _ISprint | _ISgraph)
#define UPPER (_ISupper | _ISalpha | _ISalnum | _ISprint | _ISgraph)
#define LOWER (_ISlower | _ISalpha | _ISalnum | _ISprint | _ISgraph)
#define HEX (_ISxdigit)

#define TIMES4(x) x, x, x, x
#define TIMES5(x) x, x, x, x, x
#define TIMES6(x) x, x, x, x, x, x
#define TIMES10(x) TIMES5(x), TIMES5(x)
#define TIMES20(x) TIMES10(x), TIMES10(x)

/* Entry 128 + c; the characters above 127 belong to no class. */
static const unsigned short class_table[384] = {
    [128] = TIMES5(CNTRL), TIMES4(CNTRL),                                   /* 0..8 */
    CNTRL | SPACE | BLANK,                                                  /* tab */
    TIMES4(CNTRL | SPACE),                                                  /* newline, \v, \f, \r */
    TIMES10(CNTRL), TIMES4(CNTRL), TIMES4(CNTRL),                           /* 14..31 */
    SPACE | BLANK | _ISprint,                                               /* space */
    TIMES10(PUNCT), TIMES5(PUNCT),                                          /* ! .. / */
    TIMES10(DIGIT),                                                         /* 0..9 */
    TIMES5(PUNCT), PUNCT, PUNCT,                                            /* : .. @ */
    TIMES6(UPPER | HEX), TIMES20(UPPER),                                    /* A..Z */
    TIMES6(PUNCT),                                                          /* [ .. ` */
    TIMES6(LOWER | HEX), TIMES20(LOWER),                                    /* a..z */
    TIMES4(PUNCT),                                                          /* { .. ~ */
    CNTRL,                                                                  /* 127 */
};

#define ROW4(n) n, n + 1, n + 2, n + 3
#define ROW16(n) ROW4(n), ROW4(n + 4), ROW4(n + 8), ROW4(n + 12)
#define ROW64(n) ROW16(n), ROW16(n + 16), ROW16(n + 32), ROW16(n + 48)
#define LETTERS(n) ROW16(n), ROW4(n + 16), ROW4(n + 20), n + 24, n + 25
/* -128 .. -2 as unsigned characters, and EOF. */
#define BELOW_ZERO ROW64(128), ROW16(192), ROW16(208), ROW16(224), ROW4(240), ROW4(244), ROW4(248), 252, 253, 254, -1

/* Case tables: entry 128 + c is c itself outside A..Z / a..z; below zero the value is that of the unsigned char, except
 * for EOF. */
static const int lower_table[384] = {
    BELOW_ZERO, ROW64(0), 64, LETTERS('a'), ROW4(91), 95, 96, LETTERS('a'), ROW4(123), 127, ROW64(128), ROW64(192),
};
static const int upper_table[384] = {
    BELOW_ZERO, ROW64(0), 64, LETTERS('A'), ROW4(91), 95, 96, LETTERS('A'), ROW4(123), 127, ROW64(128), ROW64(192),
};
static const unsigned short *class_pointer = class_table + 128;
static const int *lower_pointer = lower_table + 128, *upper_pointer = upper_table + 128;

const unsigned short **__ctype_b_loc(void)
{
    return &class_pointer;
}

const int **__ctype_tolower_loc(void)
{
    return &lower_pointer;
}

const int **__ctype_toupper_loc(void)
{
    return &upper_pointer;
}

#define CLASS(name, mask)                                                                                             \
    int name(int c)                                                                                                   \
    {                                                                                                                 \
        return class_table[128 + c] & (unsigned short)(mask);                                                         \
    }                                                                                                                 \
    int name##_l(int c, locale_t l)                                                                                   \
    {                                                                                                                 \
        return class_table[128 + c] & (unsigned short)(mask);                                                         \
    }

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

/* glibc's functions, unlike the macros, give an argument outside the table back unchanged. */
int tolower(int c)
{
    return c >= -128 && c < 256 ? (*__ctype_tolower_loc())[c] : c;
}

int toupper(int c)
{
    return c >= -128 && c < 256 ? (*__ctype_toupper_loc())[c] : c;
}

int tolower_l(int c, locale_t l)
{
    return c >= -128 && c < 256 ? (*__ctype_tolower_loc())[c] : c;
}

int toupper_l(int c, locale_t l)
{
    return c >= -128 && c < 256 ? (*__ctype_toupper_loc())[c] : c;
}

int _tolower(int c)
{
    return (*__ctype_tolower_loc())[c];
}

int _toupper(int c)
{
    return (*__ctype_toupper_loc())[c];
}

int isascii(int c)
{
    return (c & ~0x7f) == 0;
}

int toascii(int c)
{
    return c & 0x7f;
}

size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}
