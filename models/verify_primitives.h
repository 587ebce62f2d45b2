/* The primitives under the C library models: what C cannot say, the interpreter does natively.
 *
 * Contract with the interpreter (and, later, with the encoding):
 *  - a primitive never calls back into C, except `__verify_run_destructors`;
 *  - every pointer handed to a primitive is checked like any access (bounds, liveness, initialisation, read-only);
 *    a failing check is reported at the innermost call site outside models/;
 *  - "scripted" means: the value is a free choice, drawn from the run's script, recorded, replayable;
 *  - system calls are performed for real by `verify run` and are scripted choices in an analysis;
 *  - setjmp/longjmp and their relatives are native and have no model.
 *
 * Names that the models reserve in the program under analysis: everything that begins with `__verify_`.
 * Globals whose name begins with `__verify_weak_` are library bookkeeping: pointers in them do not keep a heap object
 * from being lost (leak checks must not take them as roots).
 */
#ifndef VERIFY_PRIMITIVES_H
#define VERIFY_PRIMITIVES_H

/* ---- Heap ------------------------------------------------------------------------------------------------------- */

/* Deallocator families: an object must be released by the family that made it. */
enum {
    VERIFY_FAMILY_MALLOC = 1, /* malloc, calloc, realloc, aligned_alloc, strdup, ...: free */
    VERIFY_FAMILY_NEW = 2,    /* operator new: operator delete */
    VERIFY_FAMILY_NEW_ARRAY = 3,
    VERIFY_FAMILY_FILE = 4,   /* fopen and relatives: fclose */
    VERIFY_FAMILY_DIR = 5,    /* opendir: closedir */
    VERIFY_FAMILY_MMAP = 6,   /* mmap: munmap */
};

/* A new heap object of `size` bytes (0 is allowed: no byte of it may be accessed), uninitialised, its address a
 * multiple of `align` (a power of two). Never NULL. */
void *__verify_alloc(unsigned long size, unsigned long align, unsigned family);

/* Ends the life of the heap object that `p` points to the start of. Checks double-free and invalid-free (NULL, not the
 * start, not on the heap, made by another family). */
void __verify_free(void *p, unsigned family);

/* Size in bytes of the live heap object that `p` points to the start of; 0 for NULL. Any other pointer fails the
 * check that `__verify_free` would fail (use-after-free if the object was freed, else invalid-free). */
unsigned long __verify_object_size(const void *p);

/* ---- Choices ---------------------------------------------------------------------------------------------------- */

/* Scripted: non-zero if this call fails. `what` names the operation ("malloc", "fopen") for traces. */
int __verify_choose_failure(const char *what);

/* Scripted: an arbitrary 64-bit value coming from outside. */
unsigned long __verify_nondet_u64(const char *what);

/* Scripted: external input arrives in [p, p+n): every byte becomes initialised and arbitrary. */
void __verify_nondet_bytes(void *p, unsigned long n, const char *what);

/* The execution is of no interest where `cond` is 0: it ends without a verdict. */
void __verify_assume(int cond);

/* ---- Checks and ends -------------------------------------------------------------------------------------------- */

/* A failing check of the given kind (a name of ir's CheckKind: "assertion", "error-call", "invalid-argument",
 * "null-deref", "out-of-bounds-read", "out-of-bounds-write", ...). The execution ends here. */
void __verify_fail(const char *kind, const char *message) __attribute__((noreturn));

/* Check (uninit-read): each bit of [p, p+n) is initialised; the bytes reach the output named `what`. */
void __verify_check_defined(const void *p, unsigned long n, const char *what);

/* The execution is not continued: the run is `unknown` for this reason. */
void __verify_unmodelled(const char *reason) __attribute__((noreturn));

/* The same where the function may write through `p`, and through what `p` leads to: what is known of that memory ends. Nothing
 * is run from here on; it comes back so that a model can go on to the arguments that it does not read otherwise, which need
 * not be there. A __verify_unmodelled stands behind it. */
void __verify_unmodelled_use(const char *reason, const void *p);

/* The system's answers that follow are made up. Where a real one is asked (`verify run`), the execution is not continued:
 * the run is `unknown` because of `what`. In an analysis nothing happens. */
void __verify_analysis_only(const char *what);

/* The process ends now: no handlers, no flushing. */
void __verify_exit(int status) __attribute__((noreturn));
void __verify_abort(void) __attribute__((noreturn));

/* Runs the program's destructor functions (llvm.global_dtors, in order). Called once, by exit(), after the atexit
 * handlers and before the streams are flushed. When main returns, the interpreter calls exit() with its value. */
void __verify_run_destructors(void);

/* ---- System ------------------------------------------------------------------------------------------------------ */

/* Each returns a value >= 0, or -errno (host errno numbers). Paths are NUL-terminated strings. */
long __verify_sys_read(int fd, void *buf, unsigned long n);
long __verify_sys_write(int fd, const void *buf, unsigned long n);
int __verify_sys_open(const char *path, int flags, int mode);
int __verify_sys_close(int fd);
long __verify_sys_lseek(int fd, long off, int whence);
int __verify_sys_unlink(const char *path);
int __verify_sys_rename(const char *from, const char *to);
/* path == NULL: of `fd`. out[0] = st_mode, out[1] = st_size, out[2] = st_mtime in seconds. Follows symbolic links. */
int __verify_sys_stat(const char *path, int fd, unsigned long out[3]);

/* Nanoseconds: clock 0 = since 1970 (realtime), 1 = monotonic, 2 = processor time of this process. */
long __verify_sys_time(int clock);

/* NULL, or the value as a read-only NUL-terminated object that lives for ever. */
const char *__verify_sys_getenv(const char *name);

/* ---- Floating point ---------------------------------------------------------------------------------------------- */

/* Functions of one double; the result is that of the host's libm. No errno. */
enum {
    VERIFY_MATH_SIN, VERIFY_MATH_COS, VERIFY_MATH_TAN, VERIFY_MATH_ASIN, VERIFY_MATH_ACOS, VERIFY_MATH_ATAN,
    VERIFY_MATH_SINH, VERIFY_MATH_COSH, VERIFY_MATH_TANH, VERIFY_MATH_ASINH, VERIFY_MATH_ACOSH, VERIFY_MATH_ATANH,
    VERIFY_MATH_EXP, VERIFY_MATH_EXP2, VERIFY_MATH_EXPM1, VERIFY_MATH_LOG, VERIFY_MATH_LOG2, VERIFY_MATH_LOG10,
    VERIFY_MATH_LOG1P, VERIFY_MATH_CBRT, VERIFY_MATH_TGAMMA, VERIFY_MATH_LGAMMA, VERIFY_MATH_ERF, VERIFY_MATH_ERFC,
};
double __verify_math1(int op, double x);

/* Functions of two doubles. */
enum {
    VERIFY_MATH_POW, VERIFY_MATH_ATAN2, VERIFY_MATH_FMOD, VERIFY_MATH_HYPOT, VERIFY_MATH_REMAINDER,
};
double __verify_math2(int op, double x, double y);

/* Decimal or hexadecimal text of a finite x >= +0, as printf's conversion `conv` (one of e f g a E F G A) with
 * precision `prec` (-1: the default, i.e. 6, or exact for `a`) and no width. `flags`: bit 0 is printf's `#`; no other
 * bit is used by the models and `width` is 0 (sign, padding, infinity and NaN are done in C).
 * Returns the length L of the text. If L <= cap the text is in buf[0..L), without a NUL; else buf is unchanged. */
#define VERIFY_FORMAT_ALTERNATE 1
unsigned __verify_float_format(char *buf, unsigned cap, double x, int conv, int flags, int width, int prec);
unsigned __verify_float_format_l(char *buf, unsigned cap, long double x, int conv, int flags, int width, int prec);

/* Correctly rounded value of the n characters at s, which are digits with at most one '.', at least one digit, and an
 * optional exponent `e[+-]digits`: no sign, no space, no NUL, not hexadecimal, not inf/nan. Infinity when too large. */
float __verify_strtof(const char *s, unsigned long n);
double __verify_strtod(const char *s, unsigned long n);
long double __verify_strtold(const char *s, unsigned long n);

#endif
