/* What the differential tests share. `MODEL(f)` declares vm_f, the model, beside f, the host's function. */
#ifndef NATIVE_H
#define NATIVE_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL(f) extern __typeof__(f) vm_##f

extern jmp_buf *native_on_end;
extern char native_end[256];
extern int native_failures;
extern int *vm___errno_location(void);
#define vm_errno (*vm___errno_location())

extern int checks, failures;
void report(const char *file, int line, const char *what);
#define CHECK(cond, ...)                                                                                              \
    do {                                                                                                              \
        checks++;                                                                                                     \
        if (!(cond)) {                                                                                                \
            char text_[1024];                                                                                         \
            snprintf(text_, sizeof text_, __VA_ARGS__);                                                               \
            report(__FILE__, __LINE__, text_);                                                                        \
        }                                                                                                             \
    } while (0)

/* Runs the statement, which must end in a failing check (or exit) whose text begins with `prefix`. */
#define ENDS(prefix, statement)                                                                                       \
    do {                                                                                                              \
        jmp_buf jump_;                                                                                                \
        native_end[0] = 0;                                                                                            \
        native_on_end = &jump_;                                                                                       \
        if (setjmp(jump_) == 0) {                                                                                     \
            statement;                                                                                                \
        }                                                                                                             \
        native_on_end = NULL;                                                                                         \
        CHECK(strncmp(native_end, prefix, strlen(prefix)) == 0, "expected %s, got %s", prefix, native_end);           \
    } while (0)

/* xorshift: the same sequence on every machine. */
uint64_t rnd(void);
static inline unsigned below(unsigned n) { return (unsigned)(rnd() % n); }
static inline int sign(int x) { return (x > 0) - (x < 0); }

void test_strings(void);
void test_numbers(void);
void test_printf(void);
void test_scanf(void);
void test_streams(void);
void test_misc(void);
#endif
