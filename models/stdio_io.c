/* Characters, lines and blocks. Every function has its unlocked form; without threads the two are the same. */
#include "stdio_internal.h"
#undef getc
#undef getchar
#undef putc
#undef putchar
#undef getc_unlocked
#undef getchar_unlocked
#undef putc_unlocked
#undef putchar_unlocked
#undef fgetc_unlocked
#undef fputc_unlocked
#undef fread_unlocked
#undef fwrite_unlocked

static int put_char(int c, FILE *f)
{
    unsigned char byte = (unsigned char)c;
    VM_DEFINED(byte, "character output");
    struct stream *s = stream_of(f);
    (void)stream_is_bytes(s);
    return stream_putc(s, byte);
}

static int get_char(FILE *f)
{
    return stream_get_byte(stream_of(f));
}

int fputc(int c, FILE *f) { return put_char(c, f); }
int putc(int c, FILE *f) { return put_char(c, f); }
int putchar(int c) { return put_char(c, stdout); }
int fputc_unlocked(int c, FILE *f) { return put_char(c, f); }
int putc_unlocked(int c, FILE *f) { return put_char(c, f); }
int putchar_unlocked(int c) { return put_char(c, stdout); }
int _IO_putc(int c, FILE *f) { return put_char(c, f); }

int fgetc(FILE *f) { return get_char(f); }
int getc(FILE *f) { return get_char(f); }
int getchar(void) { return get_char(stdin); }
int fgetc_unlocked(FILE *f) { return get_char(f); }
int getc_unlocked(FILE *f) { return get_char(f); }
int getchar_unlocked(void) { return get_char(stdin); }
int _IO_getc(FILE *f) { return get_char(f); }

int ungetc(int c, FILE *f)
{
    return __verify_lib_unget(stream_of(f), c);
}

static int put_string(const char *text, FILE *f)
{
    size_t n = vm_strlen(text);
    struct stream *s = stream_of(f);
    return stream_is_bytes(s) && __verify_lib_put(s, text, n) == n ? 1 : EOF;
}

int fputs(const char *text, FILE *f) { return put_string(text, f); }
int fputs_unlocked(const char *text, FILE *f) { return put_string(text, f); }

/* glibc returns the length with the newline. */
int puts(const char *text)
{
    size_t n = vm_strlen(text);
    struct stream *s = stream_of(stdout);
    if (!stream_is_bytes(s) || __verify_lib_put(s, text, n) != n || stream_putc(s, '\n') == EOF)
        return EOF;
    return n + 1 < INT_MAX ? (int)(n + 1) : INT_MAX;
}

int putw(int w, FILE *f)
{
    VM_DEFINED(w, "putw");
    return __verify_lib_put(stream_of(f), (const char *)&w, sizeof w) == sizeof w ? 0 : EOF;
}

int getw(FILE *f)
{
    int w;
    return __verify_lib_get(stream_of(f), (char *)&w, sizeof w) == sizeof w ? w : EOF;
}

/* The line with its newline, at most size-1 characters; NULL when there is none or on an error. */
static char *get_line(char *out, int size, FILE *f)
{
    struct stream *s = stream_of(f);
    if (size <= 0)
        return NULL;
    if (size == 1) {
        out[0] = 0;
        return out;
    }
    if (!stream_gives_bytes(s))
        return NULL;
    /* An error seen before does not spoil this line; one that comes up while reading it does. */
    int error_before = s->f._flags & STREAM_ERROR;
    s->f._flags &= ~STREAM_ERROR;
    size_t n = 0, room = (size_t)size - 1;
    while (n < room) {
        int c = stream_getc(s);
        if (c == EOF)
            break;
        out[n++] = (char)c;
        if (c == '\n')
            break;
    }
    int failed = n == 0 || (s->f._flags & STREAM_ERROR && errno != EAGAIN);
    s->f._flags |= error_before;
    if (failed)
        return NULL;
    out[n] = 0;
    return out;
}

char *fgets(char *out, int size, FILE *f) { return get_line(out, size, f); }
char *fgets_unlocked(char *out, int size, FILE *f) { return get_line(out, size, f); }

static char *checked_get_line(char *out, size_t have, int size, FILE *f)
{
    if (size > 0)
        vm_chk((size_t)size, have, "fgets is given a size past the end of the buffer");
    return get_line(out, size, f);
}

char *__fgets_chk(char *out, size_t have, int size, FILE *f) { return checked_get_line(out, have, size, f); }
char *__fgets_unlocked_chk(char *out, size_t have, int size, FILE *f) { return checked_get_line(out, have, size, f); }

static char *get_unbounded(char *out, size_t have)
{
    struct stream *s = stream_of(stdin);
    size_t n = 0;
    if (!stream_gives_bytes(s))
        return NULL;
    for (;;) {
        int c = stream_getc(s);
        if (c == EOF) {
            if (n == 0 || s->f._flags & STREAM_ERROR)
                return NULL;
            break;
        }
        if (c == '\n')
            break;
        vm_chk(n + 2, have, "gets writes past the end of the buffer");
        out[n++] = (char)c;
    }
    out[n] = 0;
    return out;
}

char *gets(char *out) { return get_unbounded(out, SIZE_MAX); }
char *__gets_chk(char *out, size_t have) { return get_unbounded(out, have); }

static size_t read_block(void *out, size_t size, size_t count, FILE *f)
{
    size_t bytes = size * count;
    if (bytes == 0)
        return 0;
    size_t n = __verify_lib_get(stream_of(f), out, bytes);
    return n == bytes ? count : n / size;
}

static size_t write_block(const void *p, size_t size, size_t count, FILE *f)
{
    size_t bytes = size * count;
    if (bytes == 0)
        return 0;
    __verify_check_defined(p, bytes, "fwrite");
    if (!stream_is_bytes(stream_of(f)))
        return 0;
    size_t n = __verify_lib_put(stream_of(f), p, bytes);
    return n == bytes ? count : n / size;
}

size_t fread(void *out, size_t size, size_t count, FILE *f) { return read_block(out, size, count, f); }
size_t fread_unlocked(void *out, size_t size, size_t count, FILE *f) { return read_block(out, size, count, f); }
size_t fwrite(const void *p, size_t size, size_t count, FILE *f) { return write_block(p, size, count, f); }
size_t fwrite_unlocked(const void *p, size_t size, size_t count, FILE *f) { return write_block(p, size, count, f); }

static size_t checked_read_block(void *out, size_t have, size_t size, size_t count, FILE *f)
{
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes))
        bytes = SIZE_MAX;
    if (have != SIZE_MAX)
        vm_chk(bytes, have, "fread is given a size past the end of the buffer");
    return read_block(out, size, count, f);
}

size_t __fread_chk(void *out, size_t have, size_t size, size_t count, FILE *f)
{
    return checked_read_block(out, have, size, count, f);
}

size_t __fread_unlocked_chk(void *out, size_t have, size_t size, size_t count, FILE *f)
{
    return checked_read_block(out, have, size, count, f);
}

/* The line with its delimiter in malloc memory that grows as in glibc: 120 bytes first, then what is needed, at least
 * doubled. Nothing is read from a stream with an error. */
ssize_t __verify_lib_getdelim(char **line, size_t *size, int delimiter, struct stream *s)
{
    extern void *realloc(void *, size_t);
    if (line == NULL || size == NULL) {
        errno = EINVAL;
        return -1;
    }
    if (s->f._flags & STREAM_ERROR)
        return -1;
    if (*line == NULL || *size == 0) {
        char *p = realloc(*line, 120);
        if (p == NULL)
            return -1;
        *line = p;
        *size = 120;
    }
    size_t n = 0;
    int found = 0;
    while (!found && stream_peek(s) != EOF) {
        const char *chunk = s->f._IO_read_ptr;
        size_t have = (size_t)(s->f._IO_read_end - chunk), part = 0;
        while (part < have && !found)
            found = (unsigned char)chunk[part++] == (unsigned char)delimiter;
        size_t need = n + part + 1;
        if (need > *size) {
            size_t grown = *size * 2 > need ? *size * 2 : need;
            char *p = realloc(*line, grown);
            if (p == NULL)
                return -1;
            *line = p;
            *size = grown;
        }
        __builtin_memcpy(*line + n, chunk, part);
        n += part;
        s->f._IO_read_ptr += part;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (ssize_t)n;
}

ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *f)
{
    return __verify_lib_getdelim(line, size, delimiter, stream_of(f));
}

ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *f)
{
    return __verify_lib_getdelim(line, size, delimiter, stream_of(f));
}

ssize_t getline(char **line, size_t *size, FILE *f)
{
    return __verify_lib_getdelim(line, size, '\n', stream_of(f));
}

/* "prefix: text of errno". */
void perror(const char *prefix)
{
    int e = errno;
    const char *text = __verify_lib_strerror(e);
    struct stream *s = stream_of(stderr);
    if (prefix != NULL && prefix[0] != 0) {
        put_string(prefix, stderr);
        put_string(": ", stderr);
    }
    if (text != NULL) {
        put_string(text, stderr);
    } else {
        put_string("Unknown error ", stderr);
        char digits[12];
        int k = 0;
        unsigned u = e < 0 ? 0u - (unsigned)e : (unsigned)e;
        if (e < 0)
            stream_putc(s, '-');
        do {
            digits[k++] = (char)('0' + u % 10);
            u /= 10;
        } while (u != 0);
        while (k > 0)
            stream_putc(s, digits[--k]);
    }
    stream_putc(s, '\n');
}

void herror(const char *prefix)
{
    extern int *__h_errno_location(void);
    extern const char *hstrerror(int);
    if (prefix != NULL && prefix[0] != 0) {
        put_string(prefix, stderr);
        put_string(": ", stderr);
    }
    put_string(hstrerror(*__h_errno_location()), stderr);
    stream_putc(stream_of(stderr), '\n');
}

void psignal(int number, const char *prefix)
{
    if (prefix != NULL && prefix[0] != 0) {
        put_string(prefix, stderr);
        put_string(": ", stderr);
    }
    put_string(__verify_lib_strsignal(number), stderr);
    stream_putc(stream_of(stderr), '\n');
}
