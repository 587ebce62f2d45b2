/* Opening streams, their buffers and positions. */
#include "stdio_internal.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Flags of open(2) and of the stream for a mode string; 0 when the string is no mode. */
static int parse_mode(const char *mode, int *open_flags, int *stream_flags)
{
    int access, extra = 0;
    switch (mode[0]) {
    case 'r':
        access = O_RDONLY;
        *stream_flags = STREAM_NO_WRITES;
        break;
    case 'w':
        access = O_WRONLY;
        extra = O_CREAT | O_TRUNC;
        *stream_flags = STREAM_NO_READS;
        break;
    case 'a':
        access = O_WRONLY;
        extra = O_CREAT | O_APPEND;
        *stream_flags = STREAM_NO_READS | STREAM_APPEND;
        break;
    default:
        errno = EINVAL;
        return 0;
    }
    for (int i = 1; i < 7 && mode[i] != 0 && mode[i] != ','; i++) {
        if (mode[i] == '+') {
            access = O_RDWR;
            *stream_flags &= STREAM_APPEND;
        } else if (mode[i] == 'x') {
            extra |= O_EXCL;
        } else if (mode[i] == 'e') {
            extra |= O_CLOEXEC;
        }
    }
    *open_flags = access | extra;
    return 1;
}

/* A stream on a descriptor that is closed where there is no memory for one. */
static FILE *stream_on(int fd, int flags)
{
    struct stream *s = __verify_lib_stream_new();
    if (s == NULL) {
        __verify_sys_close(fd);
        return NULL;
    }
    s->kind = STREAM_DESCRIPTOR;
    s->f._flags |= flags;
    s->f._fileno = fd;
    return &s->f;
}

FILE *__verify_lib_open_stream(const char *path, const char *mode)
{
    int open_flags = 0, stream_flags = 0;
    if (!parse_mode(mode, &open_flags, &stream_flags))
        return NULL;
    int fd = vm_open(path, open_flags, 0666);
    if (fd < 0) {
        errno = -fd;
        return NULL;
    }
    FILE *f = stream_on(fd, stream_flags);
    if (f != NULL && (stream_flags & (STREAM_APPEND | STREAM_NO_READS)) == (STREAM_APPEND | STREAM_NO_READS))
        __verify_sys_lseek(fd, 0, SEEK_END);
    return f;
}

FILE *fopen(const char *path, const char *mode)
{
    return __verify_lib_open_stream(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return __verify_lib_open_stream(path, mode);
}

FILE *fdopen(int fd, const char *mode)
{
    int open_flags = 0, stream_flags = 0;
    if (!parse_mode(mode, &open_flags, &stream_flags))
        return NULL;
    static vm_reasons why = {EBADF, EINVAL, ENOMEM, EBADF, EINVAL, ENOMEM, EBADF, EBADF};
    if (vm_no_descriptor(fd) || vm_fails("fdopen", why))
        return NULL;
    struct stream *s = __verify_lib_stream_new();
    if (s == NULL)
        return NULL;
    s->kind = STREAM_DESCRIPTOR;
    s->f._flags |= stream_flags;
    s->f._fileno = fd;
    __verify_lib_given_away(fd);
    return &s->f;
}

/* Streams that a failing freopen has closed. The C library keeps their memory and the program has no way to give it
 * back: it is not lost. */
static FILE *closed_by_freopen;

static FILE *not_reopened(FILE *f)
{
    f->_chain = closed_by_freopen;
    closed_by_freopen = f;
    return NULL;
}

/* The stream is closed in any case. Without a path, the mode of the open file would change: not modelled. */
static FILE *reopen(const char *path, const char *mode, FILE *f)
{
    struct stream *s = stream_of(f);
    if (path == NULL)
        __verify_unmodelled("freopen without a path");
    int fd_before = s->f._fileno;
    __verify_lib_stream_close(s);
    int open_flags = 0, stream_flags = 0;
    if (!parse_mode(mode, &open_flags, &stream_flags))
        return not_reopened(f);
    /* The lowest free descriptor is the one just closed, except where a lower one is free too. */
    int fd = vm_open(path, open_flags, 0666);
    if (fd < 0) {
        errno = -fd;
        return not_reopened(f);
    }
    s->kind = STREAM_DESCRIPTOR;
    s->f._flags = STREAM_MAGIC | stream_flags;
    if (fd_before == 2)
        s->f._flags |= STREAM_UNBUFFERED;
    s->f._fileno = fd;
    s->decided = 0;
    return f;
}

FILE *freopen(const char *path, const char *mode, FILE *f)
{
    return reopen(path, mode, f);
}

FILE *freopen64(const char *path, const char *mode, FILE *f)
{
    return reopen(path, mode, f);
}

FILE *fmemopen(void *buffer, size_t size, const char *mode)
{
    int open_flags = 0, stream_flags = 0;
    if (!parse_mode(mode, &open_flags, &stream_flags))
        return NULL;
    if (__verify_choose_failure("fmemopen")) {
        errno = ENOMEM;
        return NULL;
    }
    struct stream *s = __verify_lib_stream_new();
    if (s == NULL)
        return NULL;
    s->kind = STREAM_MEMORY;
    s->f._flags |= stream_flags;
    s->size = size;
    if (buffer == NULL) {
        s->memory = __verify_alloc(size, 16, VERIFY_FAMILY_MALLOC);
        s->own_memory = 1;
        __builtin_memset(s->memory, 0, size);
    } else {
        s->memory = buffer;
        if (mode[0] == 'w') {
            if (size > 0 && !(stream_flags & STREAM_NO_READS))
                s->memory[0] = 0;
        } else {
            s->used = mode[0] == 'r' ? size : vm_strnlen(buffer, size);
        }
    }
    if (stream_flags & STREAM_APPEND)
        s->position = s->used;
    return &s->f;
}

FILE *open_memstream(char **memory, size_t *size)
{
    struct stream *s = __verify_lib_stream_new();
    if (s == NULL)
        return NULL;
    s->kind = STREAM_GROWING;
    s->f._flags |= STREAM_NO_READS;
    s->out_memory = memory;
    s->out_size = size;
    if (__verify_lib_flush(s) == EOF) {
        extern int fclose(FILE *);
        s->kind = STREAM_DESCRIPTOR; /* nothing to hand out */
        s->f._fileno = -1;
        fclose(&s->f);
        errno = ENOMEM;
        return NULL;
    }
    return &s->f;
}

/* A name of six characters from outside that no file has. */
static int make_temporary(char *name, size_t suffix, int flags)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t n = vm_strlen(name);
    if (n < suffix + 6 || vm_strncmp(name + n - suffix - 6, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return -1;
    }
    char *x = name + n - suffix - 6;
    for (int attempt = 0; attempt < 100; attempt++) {
        unsigned long v = __verify_nondet_u64("temporary file name");
        for (int i = 0; i < 6; i++, v /= 62)
            x[i] = letters[v % 62];
        int fd = __verify_sys_open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (fd >= 0)
            return fd;
        if (fd != -EEXIST) {
            errno = -fd;
            return -1;
        }
        if (attempt < 62)
            x[5] = letters[attempt];
    }
    errno = EEXIST;
    return -1;
}

#define MKSTEMP(name, parameters, suffix, flags)                                                                      \
    int name parameters                                                                                               \
    {                                                                                                                 \
        return make_temporary(text, (size_t)(suffix), (flags));                                                       \
    }

MKSTEMP(mkstemp, (char *text), 0, 0)
MKSTEMP(mkstemp64, (char *text), 0, 0)
MKSTEMP(mkostemp, (char *text, int flags), 0, flags)
MKSTEMP(mkostemp64, (char *text, int flags), 0, flags)
MKSTEMP(mkstemps, (char *text, int suffix), suffix, 0)
MKSTEMP(mkstemps64, (char *text, int suffix), suffix, 0)
MKSTEMP(mkostemps, (char *text, int suffix, int flags), suffix, flags)

static FILE *temporary_stream(void)
{
    char name[] = "/tmp/tmpfXXXXXX";
    int fd = make_temporary(name, 0, 0);
    if (fd < 0)
        return NULL;
    __verify_sys_unlink(name);
    return stream_on(fd, 0);
}

FILE *tmpfile(void)
{
    return temporary_stream();
}

FILE *tmpfile64(void)
{
    return temporary_stream();
}

/* ---- Buffers */

static int set_buffer(FILE *f, char *buffer, int mode, size_t size)
{
    struct stream *s = stream_of(f);
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
        return EOF;
    if (__verify_lib_flush(s) == EOF)
        return EOF;
    if (s->f._IO_read_ptr < s->f._IO_read_end)
        __verify_lib_unread(s);
    if (mode == _IONBF || (buffer != NULL && size > 0)) {
        __verify_lib_drop_buffer(s);
    } else {
        /* The old buffer stays; only the write limit changes. */
        s->f._flags &= ~STREAM_WRITING;
        s->f._IO_read_base = s->f._IO_read_ptr = s->f._IO_read_end = s->f._IO_buf_base;
        s->f._IO_write_base = s->f._IO_write_ptr = s->f._IO_write_end = s->f._IO_buf_base;
        if (s->f._flags & STREAM_UNBUFFERED)
            s->f._IO_buf_base = s->f._IO_buf_end = NULL;
    }
    s->f._flags &= ~(STREAM_UNBUFFERED | STREAM_LINE_BUFFERED);
    if (mode == _IOLBF)
        s->f._flags |= STREAM_LINE_BUFFERED;
    if (mode == _IONBF) {
        s->f._flags |= STREAM_UNBUFFERED;
    } else if (buffer != NULL && size > 0) {
        s->f._IO_buf_base = buffer;
        s->f._IO_buf_end = buffer + size;
    }
    s->decided = 1;
    return 0;
}

int setvbuf(FILE *f, char *buffer, int mode, size_t size)
{
    return set_buffer(f, buffer, mode, size);
}

void setbuf(FILE *f, char *buffer)
{
    set_buffer(f, buffer, buffer != NULL ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *f, char *buffer, size_t size)
{
    set_buffer(f, buffer, buffer != NULL ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *f)
{
    set_buffer(f, NULL, _IOLBF, 0);
}

size_t __fbufsize(FILE *f)
{
    return (size_t)(f->_IO_buf_end - f->_IO_buf_base);
}

size_t __fpending(FILE *f)
{
    return (size_t)(f->_IO_write_ptr - f->_IO_write_base);
}

void __fpurge(FILE *f)
{
    stream_of(f)->in_pushback = 0;
    f->_IO_read_base = f->_IO_read_ptr = f->_IO_read_end = f->_IO_buf_base;
    f->_IO_write_ptr = f->_IO_write_base;
}

int __freading(FILE *f)
{
    return f->_flags & STREAM_NO_WRITES || (!(f->_flags & STREAM_WRITING) && f->_IO_read_base != NULL);
}

int __fwriting(FILE *f)
{
    return (f->_flags & (STREAM_NO_READS | STREAM_WRITING)) != 0;
}

int __freadable(FILE *f)
{
    return !(f->_flags & STREAM_NO_READS);
}

int __fwritable(FILE *f)
{
    return !(f->_flags & STREAM_NO_WRITES);
}

int __flbf(FILE *f)
{
    return (f->_flags & STREAM_LINE_BUFFERED) != 0;
}

/* ---- Positions and state */

int fseek(FILE *f, long off, int whence)
{
    return __verify_lib_seek(stream_of(f), off, whence);
}

int fseeko(FILE *f, off_t off, int whence)
{
    return __verify_lib_seek(stream_of(f), off, whence);
}

int fseeko64(FILE *f, off64_t off, int whence)
{
    return __verify_lib_seek(stream_of(f), (long)off, whence);
}

long ftell(FILE *f)
{
    return __verify_lib_tell(stream_of(f));
}

off_t ftello(FILE *f)
{
    return __verify_lib_tell(stream_of(f));
}

off64_t ftello64(FILE *f)
{
    return __verify_lib_tell(stream_of(f));
}

void rewind(FILE *f)
{
    __verify_lib_seek(stream_of(f), 0, SEEK_SET);
    f->_flags &= ~(STREAM_EOF | STREAM_ERROR);
}

static int get_position(FILE *f, fpos_t *out)
{
    long at = __verify_lib_tell(stream_of(f));
    if (at < 0)
        return -1;
    __builtin_memset(out, 0, sizeof *out);
    out->__pos = at;
    return 0;
}

int fgetpos(FILE *f, fpos_t *out)
{
    return get_position(f, out);
}

int fgetpos64(FILE *f, fpos64_t *out)
{
    long at = __verify_lib_tell(stream_of(f));
    if (at < 0)
        return -1;
    __builtin_memset(out, 0, sizeof *out);
    out->__pos = at;
    return 0;
}

int fsetpos(FILE *f, const fpos_t *at)
{
    return __verify_lib_seek(stream_of(f), at->__pos, SEEK_SET);
}

int fsetpos64(FILE *f, const fpos64_t *at)
{
    return __verify_lib_seek(stream_of(f), (long)at->__pos, SEEK_SET);
}

#undef feof
#undef ferror
#undef feof_unlocked
#undef ferror_unlocked
#undef clearerr_unlocked
#undef fileno_unlocked

static int state(FILE *f, int bit)
{
    return (f->_flags & bit) != 0;
}

int feof(FILE *f)
{
    return state(f, STREAM_EOF);
}

int feof_unlocked(FILE *f)
{
    return state(f, STREAM_EOF);
}

int ferror(FILE *f)
{
    return state(f, STREAM_ERROR);
}

int ferror_unlocked(FILE *f)
{
    return state(f, STREAM_ERROR);
}

void clearerr(FILE *f)
{
    f->_flags &= ~(STREAM_EOF | STREAM_ERROR);
}

void clearerr_unlocked(FILE *f)
{
    f->_flags &= ~(STREAM_EOF | STREAM_ERROR);
}

static int descriptor(FILE *f)
{
    struct stream *s = stream_of(f);
    if (s->kind != STREAM_DESCRIPTOR) {
        errno = EBADF;
        return -1;
    }
    return f->_fileno;
}

int fileno(FILE *f)
{
    return descriptor(f);
}

int fileno_unlocked(FILE *f)
{
    return descriptor(f);
}

void flockfile(FILE *f)
{
    (void)*(volatile int *)&f->_flags;
}

int ftrylockfile(FILE *f)
{
    (void)*(volatile int *)&f->_flags;
    return 0;
}

void funlockfile(FILE *f)
{
    (void)*(volatile int *)&f->_flags;
}

int __fsetlocking(FILE *f, int type)
{
    return 1; /* FSETLOCKING_INTERNAL */
}

/* ---- Names of files */

int remove(const char *path)
{
    return (int)vm_result(path[0] == 0 ? -ENOENT : __verify_sys_unlink(path));
}

int rename(const char *from, const char *to)
{
    return (int)vm_result(from[0] == 0 || to[0] == 0 ? -ENOENT : __verify_sys_rename(from, to));
}

/* ---- Streams of other processes: what comes from them is anything. */

FILE *popen(const char *command, const char *mode)
{
    __verify_analysis_only("popen");
    static vm_reasons why = {EMFILE, ENFILE, EAGAIN, ENOMEM, EMFILE, ENFILE, EAGAIN, ENOMEM};
    vm_path(command);
    if (mode[0] != 'r' && mode[0] != 'w') {
        errno = EINVAL;
        return NULL;
    }
    int fd = vm_descriptor("popen", why);
    return fd < 0 ? NULL : stream_on(fd, mode[0] == 'r' ? STREAM_NO_WRITES : STREAM_NO_READS);
}

int pclose(FILE *f)
{
    extern int fclose(FILE *);
    int closed = fclose(f);
    static vm_reasons why = {ECHILD, EINTR, ECHILD, EINTR, ECHILD, EINTR, ECHILD, EINTR};
    if (vm_fails("pclose", why))
        return -1;
    unsigned long v = __verify_nondet_u64("pclose");
    return closed != 0 || v & 1 ? 1 + (int)(v >> 1 & 63) + (v & 0x80 ? 0x80 : 0) : (int)(v & 0xff00);
}
