/* Streams: buffers, and the bytes behind them. What is buffered when is as in glibc, so that the order in which bytes reach
 * different descriptors is the native one. */
#include "stdio_internal.h"
#include <fcntl.h>
#include <sys/stat.h>
#undef stdin
#undef stdout
#undef stderr

#define STANDARD(flags, fd, memory)                                                                                   \
    {                                                                                                                 \
        .f = {._flags = STREAM_MAGIC | (flags), ._fileno = (fd)}, .kind = STREAM_DESCRIPTOR, .spare = (memory)         \
    }

/* What a stream loses when it is lost, was allocated where it was opened. */
static char buffers[3][STREAM_BUFFER_SIZE];
static struct stream standard_input = STANDARD(STREAM_NO_WRITES, 0, buffers[0]);
static struct stream standard_output = STANDARD(STREAM_NO_READS, 1, buffers[1]);
static struct stream standard_error = STANDARD(STREAM_NO_READS | STREAM_UNBUFFERED, 2, buffers[2]);

FILE *stdin = &standard_input.f;
FILE *stdout = &standard_output.f;
FILE *stderr = &standard_error.f;

/* Every open stream that fopen and its relatives made, so that exit and fflush(NULL) find it. At most this many: then
 * opening fails with EMFILE. */
#define OPEN_STREAMS 1024
static struct stream *__verify_weak_open_streams[OPEN_STREAMS];
static unsigned open_streams; /* entries from here on are null */

/* What a stream is when it was opened. In an analysis also what a pointer to a FILE points to of which nothing is known. */
struct stream __verify_lib_opened_stream = {
    .f = {._flags = STREAM_MAGIC, ._fileno = 3},
    .kind = STREAM_DESCRIPTOR,
    .allocated = 1,
};

struct stream *__verify_lib_stream_new(void)
{
    for (unsigned i = 0; i < OPEN_STREAMS; i++) {
        if (__verify_weak_open_streams[i] == NULL) {
            struct stream *s = __verify_alloc(sizeof *s, 16, VERIFY_FAMILY_FILE);
            *s = __verify_lib_opened_stream;
            char *spare = __verify_alloc(STREAM_BUFFER_SIZE, 16, VERIFY_FAMILY_FILE);
            __builtin_memset(spare, 0, STREAM_BUFFER_SIZE);
            s->spare = spare;
            s->kind = STREAM_CLOSED;
            s->f._fileno = -1;
            __verify_weak_open_streams[i] = s;
            if (open_streams <= i)
                open_streams = i + 1;
            return s;
        }
    }
    errno = EMFILE;
    return NULL;
}

/* ---- The bytes behind the buffer: each returns a value >= 0, or -errno. */

static long memory_write(struct stream *s, const char *p, size_t n)
{
    if (s->f._flags & STREAM_APPEND)
        s->position = s->used;
    /* fmemopen: a NUL follows the content where there is room for it. */
    int add_nul = n == 0 || p[n - 1] != 0;
    if (s->position + n > s->size) {
        if (s->position + (size_t)add_nul >= s->size)
            return -ENOSPC;
        n = s->size - s->position;
    }
    __builtin_memcpy(s->memory + s->position, p, n);
    s->position += n;
    if (s->position > s->used) {
        s->used = s->position;
        if (s->used < s->size && add_nul)
            s->memory[s->used] = 0;
        else if (!(s->f._flags & STREAM_APPEND) && add_nul)
            s->memory[s->size - 1] = 0;
    }
    return (long)n;
}

static long growing_write(struct stream *s, const char *p, size_t n)
{
    size_t need = s->position + n + 1;
    if (need > s->size) {
        size_t size = s->size * 2 > need ? s->size * 2 : need;
        if (__verify_choose_failure("open_memstream"))
            return -ENOMEM;
        char *grown = __verify_alloc(size, 16, VERIFY_FAMILY_MALLOC);
        __builtin_memset(grown, 0, size);
        if (s->memory != NULL) {
            __builtin_memcpy(grown, s->memory, s->used);
            __verify_free(s->memory, VERIFY_FAMILY_MALLOC);
        }
        s->memory = grown;
        s->size = size;
    }
    __builtin_memcpy(s->memory + s->position, p, n);
    s->position += n;
    if (s->position > s->used) {
        s->used = s->position;
        s->memory[s->used] = 0;
    }
    return (long)n;
}

static long raw_write(struct stream *s, const char *p, size_t n)
{
    switch (s->kind) {
    case STREAM_DESCRIPTOR:
        __verify_check_defined(p, n, "output to a stream");
        s->sought = 0;
        return __verify_sys_write(s->f._fileno, p, n);
    case STREAM_MEMORY:
        return memory_write(s, p, n);
    case STREAM_GROWING:
        return growing_write(s, p, n);
    default:
        return -EBADF;
    }
}

static long raw_read(struct stream *s, char *p, size_t n)
{
    switch (s->kind) {
    case STREAM_DESCRIPTOR:
        s->sought = 0;
        return __verify_sys_read(s->f._fileno, p, n);
    case STREAM_MEMORY:
        if (s->position >= s->used)
            return 0;
        if (n > s->used - s->position)
            n = s->used - s->position;
        __builtin_memcpy(p, s->memory + s->position, n);
        s->position += n;
        return (long)n;
    default:
        return -EBADF;
    }
}

static long raw_seek(struct stream *s, long off, int whence)
{
    switch (s->kind) {
    case STREAM_DESCRIPTOR:
        return __verify_sys_lseek(s->f._fileno, off, whence);
    case STREAM_MEMORY:
    case STREAM_GROWING: {
        long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)s->position : (long)s->used;
        long at;
        if (__builtin_add_overflow(base, off, &at) || at < 0)
            return -EINVAL;
        if (s->kind == STREAM_MEMORY && (size_t)at > s->size)
            return -EINVAL;
        s->position = (size_t)at;
        return at;
    }
    default:
        return -EBADF;
    }
}

/* ---- The buffer. */

static int fail(struct stream *s, long e)
{
    errno = (int)-e;
    s->f._flags |= STREAM_ERROR;
    return EOF;
}

/* First use: a terminal is line-buffered, everything else fully. Any character device counts as a terminal. */
static void decide_buffering(struct stream *s)
{
    if (s->decided)
        return;
    s->decided = 1;
    if (s->kind == STREAM_DESCRIPTOR && !(s->f._flags & (STREAM_UNBUFFERED | STREAM_LINE_BUFFERED))) {
        unsigned long st[3] = {0};
        if (s->f._fileno <= 2 && __verify_sys_stat(NULL, s->f._fileno, st) >= 0 && S_ISCHR((mode_t)st[0]))
            s->f._flags |= STREAM_LINE_BUFFERED;
    }
}

static void need_buffer(struct stream *s)
{
    FILE *f = &s->f;
    if (f->_IO_buf_base != NULL)
        return;
    decide_buffering(s);
    /* One byte for unbuffered ones, too: in memory of its own, so that no byte of a text is ever written to a stream. */
    if (s->spare != NULL) {
        f->_IO_buf_base = s->spare;
    } else {
        char *buffer = __verify_alloc(STREAM_BUFFER_SIZE, 16, VERIFY_FAMILY_FILE);
        __builtin_memset(buffer, 0, STREAM_BUFFER_SIZE);
        f->_IO_buf_base = buffer;
        s->own_buffer = 1;
    }
    f->_IO_buf_end = f->_IO_buf_base + (f->_flags & STREAM_UNBUFFERED ? 1 : STREAM_BUFFER_SIZE);
}

void __verify_lib_drop_buffer(struct stream *s)
{
    FILE *f = &s->f;
    if (s->own_buffer)
        __verify_free(f->_IO_buf_base, VERIFY_FAMILY_FILE);
    s->own_buffer = 0;
    s->in_pushback = 0;
    f->_IO_buf_base = f->_IO_buf_end = NULL;
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = NULL;
    f->_IO_write_base = f->_IO_write_ptr = f->_IO_write_end = NULL;
    f->_flags &= ~STREAM_WRITING;
}

static void leave_pushback(struct stream *s)
{
    if (s->in_pushback) {
        s->in_pushback = 0;
        s->f._IO_read_base = s->f._IO_save_base;
        s->f._IO_read_ptr = s->f._IO_backup_base;
        s->f._IO_read_end = s->f._IO_save_end;
    }
}

/* Input that was read ahead is given back to the file, where it can seek; pushed back characters are forgotten. */
void __verify_lib_unread(struct stream *s)
{
    FILE *f = &s->f;
    leave_pushback(s);
    long ahead = f->_IO_read_end - f->_IO_read_ptr;
    if (ahead != 0) {
        s->sought = 0;
        raw_seek(s, -ahead, SEEK_CUR);
    }
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
}

static int start_writing(struct stream *s)
{
    FILE *f = &s->f;
    if (f->_flags & STREAM_NO_WRITES)
        return fail(s, -EBADF);
    if (f->_flags & STREAM_WRITING)
        return 0;
    __verify_lib_unread(s);
    need_buffer(s);
    f->_flags = (f->_flags | STREAM_WRITING) & ~STREAM_EOF;
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    f->_IO_write_base = f->_IO_write_ptr = f->_IO_buf_base;
    f->_IO_write_end = f->_flags & (STREAM_UNBUFFERED | STREAM_LINE_BUFFERED) ? f->_IO_buf_base : f->_IO_buf_end;
    return 0;
}

static size_t write_through(struct stream *s, const char *p, size_t n)
{
    size_t done = 0;
    while (done < n) {
        long r = raw_write(s, p + done, n - done);
        if (r < 0) {
            fail(s, r);
            return done;
        }
        done += (size_t)r;
    }
    return done;
}

/* What is pending reaches the file. On an error the rest is lost, as in glibc for a full buffer. */
int __verify_lib_flush(struct stream *s)
{
    FILE *f = &s->f;
    int result = 0;
    size_t pending = (size_t)(f->_IO_write_ptr - f->_IO_write_base);
    if (pending != 0) {
        const char *p = f->_IO_write_base;
        f->_IO_write_ptr = f->_IO_write_base;
        if (write_through(s, p, pending) != pending)
            result = EOF;
    }
    if (s->kind == STREAM_GROWING) {
        if (s->memory == NULL) {
            long r = growing_write(s, "", 0);
            if (r < 0)
                return fail(s, r);
        }
        *s->out_memory = s->memory;
        *s->out_size = s->position < s->used ? s->position : s->used;
    }
    return result;
}

/* One character where the buffer's fast path has no room; EOF as the character only flushes. */
int __verify_lib_overflow(struct stream *s, int c)
{
    FILE *f = &s->f;
    if (start_writing(s) == EOF)
        return EOF;
    if (c == EOF)
        return __verify_lib_flush(s);
    if (f->_IO_write_ptr == f->_IO_buf_end && __verify_lib_flush(s) == EOF)
        return EOF;
    *f->_IO_write_ptr++ = (char)c;
    if (f->_flags & STREAM_UNBUFFERED || (f->_flags & STREAM_LINE_BUFFERED && c == '\n')) {
        if (__verify_lib_flush(s) == EOF)
            return EOF;
    }
    return (unsigned char)c;
}

/* n bytes of output; the number that were accepted. Whole blocks go around the buffer, as in glibc. */
size_t __verify_lib_put(struct stream *s, const char *p, size_t n)
{
    FILE *f = &s->f;
    if (n == 0)
        return 0;
    if (start_writing(s) == EOF)
        return 0;
    size_t room = (size_t)(f->_IO_write_end - f->_IO_write_ptr);
    int flush = 0;
    if (f->_flags & STREAM_UNBUFFERED) {
        room = 0;
    } else if (f->_flags & STREAM_LINE_BUFFERED) {
        room = (size_t)(f->_IO_buf_end - f->_IO_write_ptr);
        if (room >= n) {
            for (size_t i = n; i > 0; i--) {
                if (p[i - 1] == '\n') {
                    room = i;
                    flush = 1;
                    break;
                }
            }
        }
    }
    size_t done = n < room ? n : room;
    __builtin_memcpy(f->_IO_write_ptr, p, done);
    f->_IO_write_ptr += done;
    if (done == n && !flush)
        return n;
    if (__verify_lib_flush(s) == EOF)
        return done == n ? 0 : done;
    size_t block = (size_t)(f->_IO_buf_end - f->_IO_buf_base);
    size_t rest = n - done, direct = rest - (block >= 128 ? rest % block : 0);
    if (direct != 0) {
        size_t written = write_through(s, p + done, direct);
        done += written;
        if (written != direct)
            return done;
    }
    __builtin_memcpy(f->_IO_write_ptr, p + done, n - done);
    f->_IO_write_ptr += n - done;
    return n;
}

/* The next character without taking it; EOF at the end or on an error. */
int __verify_lib_underflow(struct stream *s)
{
    FILE *f = &s->f;
    if (f->_flags & STREAM_NO_READS)
        return fail(s, -EBADF);
    if (f->_flags & STREAM_WRITING) {
        if (__verify_lib_flush(s) == EOF)
            return EOF;
        f->_flags &= ~STREAM_WRITING;
        f->_IO_write_base = f->_IO_write_ptr = f->_IO_write_end = f->_IO_buf_base;
        f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    }
    leave_pushback(s);
    if (f->_IO_read_ptr < f->_IO_read_end)
        return (unsigned char)*f->_IO_read_ptr;
    /* End of file is sticky (C11, glibc since 2.28). */
    if (f->_flags & STREAM_EOF)
        return EOF;
    need_buffer(s);
    if (f->_flags & (STREAM_UNBUFFERED | STREAM_LINE_BUFFERED)) {
        /* Input from a terminal: what stdout has to say must be seen first. */
        if (standard_output.f._flags & (STREAM_UNBUFFERED | STREAM_LINE_BUFFERED))
            __verify_lib_flush(&standard_output);
    }
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    long r = raw_read(s, f->_IO_buf_base, (size_t)(f->_IO_buf_end - f->_IO_buf_base));
    if (r < 0)
        return fail(s, r);
    if (r == 0) {
        f->_flags |= STREAM_EOF;
        return EOF;
    }
    f->_IO_read_end = f->_IO_buf_base + r;
    return (unsigned char)*f->_IO_read_ptr;
}

/* Up to n bytes of input; fewer only at the end of the file or on an error. */
size_t __verify_lib_get(struct stream *s, char *p, size_t n)
{
    FILE *f = &s->f;
    size_t done = 0;
    while (done < n) {
        size_t have = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
        if (have == 0) {
            if (!stream_is_bytes(s) || __verify_lib_underflow(s) == EOF)
                break;
            have = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
        }
        size_t part = have < n - done ? have : n - done;
        __builtin_memcpy(p + done, f->_IO_read_ptr, part);
        f->_IO_read_ptr += part;
        done += part;
    }
    return done;
}

int __verify_lib_unget(struct stream *s, int c)
{
    FILE *f = &s->f;
    if (c == EOF || f->_flags & STREAM_NO_READS)
        return EOF;
    if (f->_flags & STREAM_WRITING) {
        if (__verify_lib_flush(s) == EOF)
            return EOF;
        f->_flags &= ~STREAM_WRITING;
        f->_IO_write_base = f->_IO_write_ptr = f->_IO_write_end = f->_IO_buf_base;
        f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    }
    if (!s->in_pushback && f->_IO_read_ptr > f->_IO_read_base && f->_IO_read_ptr[-1] == (char)c) {
        f->_IO_read_ptr--;
    } else {
        if (!s->in_pushback) {
            s->in_pushback = 1;
            f->_IO_save_base = f->_IO_read_base;
            f->_IO_backup_base = f->_IO_read_ptr;
            f->_IO_save_end = f->_IO_read_end;
            f->_IO_read_base = (char *)s->pushback;
            f->_IO_read_end = f->_IO_read_ptr = (char *)s->pushback + sizeof s->pushback;
        }
        if (f->_IO_read_ptr == f->_IO_read_base)
            return EOF;
        *--f->_IO_read_ptr = (char)c;
    }
    f->_flags &= ~STREAM_EOF;
    return (unsigned char)c;
}

int __verify_lib_seek(struct stream *s, long off, int whence)
{
    FILE *f = &s->f;
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) {
        errno = EINVAL;
        return -1;
    }
    if (__verify_lib_flush(s) == EOF)
        return -1;
    if (whence == SEEK_CUR && !(f->_flags & STREAM_WRITING)) {
        /* Relative to what the program has read, not to what was read ahead. */
        if (s->in_pushback)
            off -= f->_IO_read_end - f->_IO_read_ptr;
        leave_pushback(s);
        off -= f->_IO_read_end - f->_IO_read_ptr;
    }
    leave_pushback(s); /* forgotten also when the seek fails, as in glibc */
    long r = raw_seek(s, off, whence);
    if (r < 0) {
        errno = (int)-r;
        return -1;
    }
    if (s->kind == STREAM_DESCRIPTOR) {
        s->sought = 1;
        s->position = (size_t)r;
    }
    s->in_pushback = 0;
    f->_flags &= ~(STREAM_EOF | STREAM_WRITING);
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    f->_IO_write_base = f->_IO_write_ptr = f->_IO_write_end = f->_IO_buf_base;
    return 0;
}

long __verify_lib_tell(struct stream *s)
{
    FILE *f = &s->f;
    long pending = f->_IO_write_ptr - f->_IO_write_base;
    int at_end = pending != 0 && f->_flags & STREAM_APPEND;
    /* As in glibc, where a seek has led is known: the file is not asked again, which might fail. */
    long at = s->sought && !at_end ? (long)s->position : raw_seek(s, 0, at_end ? SEEK_END : SEEK_CUR);
    if (at < 0) {
        errno = (int)-at;
        return -1;
    }
    if (pending != 0)
        return at + pending;
    long ahead = f->_IO_read_end - f->_IO_read_ptr;
    /* What is in the buffer lies before the place where the file stands. */
    __verify_assume(s->in_pushback || at >= f->_IO_read_end - f->_IO_read_base);
    if (s->in_pushback)
        ahead += f->_IO_save_end - f->_IO_backup_base;
    return at - ahead;
}

/* Flush, close, release. The descriptor is closed also when the flush fails. */
int __verify_lib_stream_close(struct stream *s)
{
    int result = 0;
    if (s->kind == STREAM_CLOSED)
        return EOF;
    if (s->f._flags & STREAM_WRITING || s->kind == STREAM_GROWING)
        result = __verify_lib_flush(s);
    else
        __verify_lib_unread(s);
    if (s->kind == STREAM_DESCRIPTOR) {
        /* Of other streams' files nothing more is known anyway (fdopen). */
        if (s->f._fileno <= 2)
            __verify_lib_given_away(s->f._fileno);
        long r = __verify_sys_close(s->f._fileno);
        if (r < 0) {
            errno = (int)-r;
            result = EOF;
        }
    }
    __verify_lib_drop_buffer(s);
    if (s->own_memory)
        __verify_free(s->memory, VERIFY_FAMILY_MALLOC);
    s->kind = STREAM_CLOSED;
    s->sought = 0;
    s->f._fileno = -1;
    return result;
}

static void forget(struct stream *s)
{
    for (unsigned i = 0; i < open_streams; i++) {
        if (__verify_weak_open_streams[i] == s)
            __verify_weak_open_streams[i] = NULL;
    }
    while (open_streams > 0 && __verify_weak_open_streams[open_streams - 1] == NULL)
        open_streams--;
}

int fclose(FILE *f)
{
    struct stream *s = stream_of(f);
    int result = __verify_lib_stream_close(s);
    if (s->allocated) {
        forget(s);
        if (s->spare != NULL)
            __verify_free(s->spare, VERIFY_FAMILY_FILE);
        __verify_free(s, VERIFY_FAMILY_FILE);
    }
    return result;
}

/* fflush of one stream: output reaches the file, input that was read ahead is given back. */
static int flush_one(struct stream *s)
{
    if (s->f._flags & STREAM_WRITING || s->kind == STREAM_GROWING)
        return __verify_lib_flush(s);
    if (s->f._IO_read_ptr < s->f._IO_read_end)
        __verify_lib_unread(s);
    return 0;
}

static int flush_every(void)
{
    int result = 0;
    if (standard_output.f._flags & STREAM_WRITING && __verify_lib_flush(&standard_output) == EOF)
        result = EOF;
    if (standard_error.f._flags & STREAM_WRITING && __verify_lib_flush(&standard_error) == EOF)
        result = EOF;
    for (unsigned i = 0; i < open_streams; i++) {
        struct stream *s = __verify_weak_open_streams[i];
        if (s != NULL && s->f._flags & STREAM_WRITING && __verify_lib_flush(s) == EOF)
            result = EOF;
    }
    return result;
}

void __verify_lib_flush_all(void)
{
    flush_every();
}

int fflush(FILE *f)
{
    return f == NULL ? flush_every() : flush_one(stream_of(f));
}

int fflush_unlocked(FILE *f)
{
    return f == NULL ? flush_every() : flush_one(stream_of(f));
}

int fcloseall(void)
{
    return flush_every();
}

void _flushlbf(void)
{
    if (standard_output.f._flags & STREAM_LINE_BUFFERED)
        __verify_lib_flush(&standard_output);
}

int __overflow(FILE *f, int c)
{
    (void)stream_is_bytes(stream_of(f));
    return __verify_lib_overflow(stream_of(f), c);
}

int __underflow(FILE *f)
{
    struct stream *s = stream_of(f);
    return stream_is_bytes(s) ? __verify_lib_underflow(s) : EOF;
}

int __uflow(FILE *f)
{
    return stream_get_byte(stream_of(f));
}
