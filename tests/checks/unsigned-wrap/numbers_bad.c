// Numbers in messages are those of the C type.
// scan: --check unsigned-wrap --check integer-truncation
// run: no
// says: '4000000000 * 2' (type unsigned int)
// says: 'u + 4294967290' (type uint32_t)
// says: conversion of '250'
// says: conversion of '-6'
// says: 'unsigned char to signed char' (250, -6)
// says: 'int to unsigned int' (-6, 4294967290)
#include <stdint.h>
int main(int argc, char **argv) {
    uint32_t u = 4000000000u | (uint32_t)argc;
    switch (argc) {
    case 1: return (u = 4000000000u * 2u) > 3; //~ violated[unsigned-wrap]
    case 2: return (u + (uint32_t)4294967290u) > 3; //~ violated[unsigned-wrap]
    case 3: {
        signed char s = (unsigned char)250; //~ violated[integer-truncation]
        return s;
    }
    case 4: {
        unsigned w = -6; //~ violated[integer-truncation]
        return w > 3;
    }
    }
    return 0;
}
