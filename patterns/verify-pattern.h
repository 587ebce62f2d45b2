/* Custom change patterns for `verify diff --patterns DIR`: pairs of functions, the old and the new version of a change
 * whose author claims that it is of no matter. See the book, "Comparing two versions".
 *
 *     #include "verify-pattern.h"
 *     VERIFY_TYPE(T);
 *     VERIFY_OLD(read_once, T *p) { T v = *p; VERIFY_OUTPUT(v); }
 *     VERIFY_NEW(read_once, T *p) { T v = *(volatile T *)p; VERIFY_OUTPUT(v); }
 */
#ifndef VERIFY_PATTERN_H
#define VERIFY_PATTERN_H

/* The two versions; parameters are inputs, by their order. */
#define VERIFY_OLD(name, ...) void verify_old_##name(__VA_ARGS__)
#define VERIFY_NEW(name, ...) void verify_new_##name(__VA_ARGS__)

/* Values of this type stand for values of one other scalar type, whatever it is. A unit has one such type, and a second
 * one whose values are only moved. A record is a parameter when its tag begins with `verify_type_`: its fields go by
 * name. */
#define VERIFY_TYPE(T) typedef unsigned __int128 T
#define VERIFY_TYPE_2(T) typedef __float128 T

/* One more input, of a type that cannot be a parameter of a function as it is. The same order in both versions. */
#define VERIFY_INPUT(T) ({ T verify_x; __asm__ volatile("verify.input" : "=r"(verify_x)); verify_x; })

/* A value that the code behind the pattern uses. The same order in both versions; at the end. */
#define VERIFY_OUTPUT(x) __asm__ volatile("verify.output" ::"X"(x))

/* The name stands for all names that fit the text, which has one `*`: the same text for `*` in all names of a pattern. */
#define VERIFY_RENAME(name, text) VERIFY_RENAME_2(name, text, __COUNTER__)
#define VERIFY_RENAME_2(name, text, n) VERIFY_RENAME_3(name, text, n)
#define VERIFY_RENAME_3(name, text, n) static const char verify_rename_##n[] __attribute__((used)) = name "=" text

#endif
