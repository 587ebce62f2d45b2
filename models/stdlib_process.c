/* The end of the process and its environment. */
#include "internal.h"
#include <stdlib.h>
#include <signal.h>
#include <unistd.h>
#undef atexit

/* Handlers in the order of registration. C asks for 32 at least; after them there may be no memory for more. */
#define HANDLERS 1024
#define PROMISED 32
static struct handler {
    void (*plain)(void);
    void (*with_status)(int, void *);
    void (*with_argument)(void *);
    void *argument;
} handlers[HANDLERS], quick_handlers[HANDLERS];
static unsigned handler_count, quick_handler_count;

static int add_handler(struct handler *table, unsigned *count, struct handler h)
{
    if (*count == HANDLERS || (*count >= PROMISED && __verify_choose_failure("atexit")))
        return -1;
    table[*count] = h;
    *count += 1;
    return 0;
}

int atexit(void (*f)(void))
{
    struct handler h = {f, NULL, NULL, NULL};
    return add_handler(handlers, &handler_count, h);
}

int on_exit(void (*f)(int, void *), void *argument)
{
    struct handler h = {NULL, f, NULL, argument};
    return add_handler(handlers, &handler_count, h);
}

int __cxa_atexit(void (*f)(void *), void *argument, void *dso)
{
    struct handler h = {NULL, NULL, f, argument};
    return add_handler(handlers, &handler_count, h);
}

int at_quick_exit(void (*f)(void))
{
    struct handler h = {f, NULL, NULL, NULL};
    return add_handler(quick_handlers, &quick_handler_count, h);
}

/* Last registered, first called; a handler may register more, and may call exit again, which goes on with the rest. */
static void run_handlers(struct handler *table, unsigned *count, int status)
{
    while (*count > 0) {
        *count -= 1;
        struct handler h = table[*count];
        if (h.plain != NULL)
            h.plain();
        else if (h.with_status != NULL)
            h.with_status(status, h.argument);
        else
            h.with_argument(h.argument);
    }
}

void __verify_lib_flush_all(void);

void exit(int status)
{
    static int destructors_done;
    run_handlers(handlers, &handler_count, status);
    if (!destructors_done) {
        destructors_done = 1;
        __verify_run_destructors();
    }
    __verify_lib_flush_all();
    __verify_exit(status & 0xff);
}

void quick_exit(int status)
{
    run_handlers(quick_handlers, &quick_handler_count, status);
    __verify_exit(status & 0xff);
}

void _Exit(int status)
{
    __verify_exit(status & 0xff);
}

void _exit(int status)
{
    __verify_exit(status & 0xff);
}

void __verify_lib_raise_abort(void);

/* A SIGABRT handler runs first; streams are not flushed (glibc since 2.27). */
void abort(void)
{
    __verify_lib_raise_abort();
    __verify_abort();
}

/* ---- Environment: what the program set itself, then what it was started with. `environ` itself is not modelled. */

static struct variable {
    char *text; /* "NAME=value", or "NAME" for a variable that was removed */
    struct variable *next;
    int own; /* setenv made the text */
} *changes, *replaced;
static int cleared;

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (text[n] != 0 && text[n] != '=')
        n++;
    return n;
}

static struct variable *find(const char *name, size_t n)
{
    for (struct variable *v = changes; v != NULL; v = v->next) {
        if (name_length(v->text) == n && vm_strncmp(v->text, name, n) == 0)
            return v;
    }
    return NULL;
}

const char *__verify_lib_getenv(const char *name)
{
    size_t n = vm_strlen(name);
    struct variable *v = find(name, n);
    if (v == NULL)
        return cleared ? NULL : __verify_sys_getenv(name);
    return v->text[n] == '=' ? v->text + n + 1 : NULL;
}

char *getenv(const char *name)
{
    return (char *)__verify_lib_getenv(name);
}

char *secure_getenv(const char *name)
{
    return (char *)__verify_lib_getenv(name);
}

/* An old text stays: the program may hold what getenv gave it. One that setenv made is the library's, and not lost. */
static int change(char *text, int own)
{
    size_t n = name_length(text);
    struct variable *v = find(text, n);
    if (v == NULL) {
        v = __verify_alloc(sizeof *v, sizeof(void *), VERIFY_FAMILY_MALLOC);
        v->next = changes;
        changes = v;
    } else if (v->own) {
        struct variable *old = __verify_alloc(sizeof *old, sizeof(void *), VERIFY_FAMILY_MALLOC);
        *old = *v;
        old->next = replaced;
        replaced = old;
    }
    v->text = text;
    v->own = own;
    return 0;
}

static int is_bad_name(const char *name)
{
    return name[0] == 0 || name[name_length(name)] == '=';
}

int setenv(const char *name, const char *value, int overwrite)
{
    if (name == NULL || is_bad_name(name)) {
        errno = EINVAL;
        return -1;
    }
    if (!overwrite && __verify_lib_getenv(name) != NULL)
        return 0;
    if (__verify_choose_failure("setenv")) {
        errno = ENOMEM;
        return -1;
    }
    size_t n = vm_strlen(name), m = vm_strlen(value);
    char *text = __verify_alloc(n + m + 2, 1, VERIFY_FAMILY_MALLOC);
    __builtin_memcpy(text, name, n);
    text[n] = '=';
    __builtin_memcpy(text + n + 1, value, m + 1);
    return change(text, 1);
}

/* Nothing is left: not what it was started with either. */
int clearenv(void)
{
    while (changes != NULL) {
        struct variable *v = changes;
        changes = v->next;
        v->next = replaced;
        replaced = v;
    }
    cleared = 1;
    return 0;
}

int unsetenv(const char *name)
{
    if (name == NULL || is_bad_name(name)) {
        errno = EINVAL;
        return -1;
    }
    size_t n = vm_strlen(name);
    char *text = __verify_alloc(n + 1, 1, VERIFY_FAMILY_MALLOC);
    __builtin_memcpy(text, name, n + 1);
    return change(text, 1);
}

/* The string itself becomes part of the environment. */
int putenv(char *text)
{
    if (text[name_length(text)] == 0)
        return unsetenv(text); /* glibc */
    if (__verify_choose_failure("putenv")) {
        errno = ENOMEM;
        return -1;
    }
    return change(text, 0);
}

/* The command is read; its effects on files and how it ends come from outside. There may be no shell. */
int system(const char *command)
{
    if (command == NULL)
        return (int)(__verify_nondet_u64("system") & 1);
    static vm_reasons why = {EAGAIN, ENOMEM, ECHILD, EINTR, EAGAIN, ENOMEM, ECHILD, EAGAIN};
    (void)vm_strlen(command);
    if (vm_fails("system", why))
        return -1;
    unsigned long v = __verify_nondet_u64("system");
    return v & 1 ? 1 + (int)(v >> 1 & 63) + (v & 0x80 ? 0x80 : 0) : (int)(v & 0xff00);
}

/* Up to three numbers, or that they are not known. */
int getloadavg(double average[], int n)
{
    int got = (int)(__verify_nondet_u64("getloadavg") & 3);
    if (got > n)
        got = n < 0 ? 0 : n;
    if (__verify_choose_failure("getloadavg"))
        return -1;
    for (int i = 0; i < got; i++)
        average[i] = (double)(__verify_nondet_u64("getloadavg") & INT_MAX) / 2048;
    return got;
}

int getsubopt(char **option, char *const *tokens, char **value)
{
    char *start = *option;
    if (*start == 0)
        return -1;
    size_t n = 0, end = 0;
    while (start[end] != 0 && start[end] != ',')
        end++;
    while (n < end && start[n] != '=')
        n++;
    *value = n < end ? start + n + 1 : NULL;
    *option = start[end] != 0 ? start + end + 1 : start + end;
    start[end] = 0;
    for (int i = 0; tokens[i] != NULL; i++) {
        if (vm_strncmp(tokens[i], start, n) == 0 && tokens[i][n] == 0)
            return i;
    }
    *value = start;
    return -1;
}
