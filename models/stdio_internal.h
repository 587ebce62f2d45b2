/* Streams. FILE is glibc's struct _IO_FILE, whose read and write pointers are used as glibc's inline getc_unlocked and
 * putc_unlocked expect: [read_ptr, read_end) is unread input, [write_base, write_ptr) is unwritten output, and characters
 * may be put up to write_end (which equals write_base for line-buffered and unbuffered streams). What the host's struct has
 * no field for stands behind it. */
#ifndef VERIFY_MODELS_STDIO_INTERNAL_H
#define VERIFY_MODELS_STDIO_INTERNAL_H

#include "internal.h"
#include <stdio.h>
#include <sys/types.h>

/* Bits of _flags that glibc's headers or programs know. */
enum {
    STREAM_MAGIC = (int)0xfbad0000,
    STREAM_UNBUFFERED = 0x2,
    STREAM_NO_READS = 0x4,
    STREAM_NO_WRITES = 0x8,
    STREAM_EOF = 0x10,
    STREAM_ERROR = 0x20,
    STREAM_LINE_BUFFERED = 0x200,
    STREAM_WRITING = 0x800,
    STREAM_APPEND = 0x1000,
};

enum stream_kind {
    STREAM_CLOSED,
    STREAM_DESCRIPTOR, /* f._fileno */
    STREAM_MEMORY,     /* fmemopen: memory[0..size), `used` bytes of content */
    STREAM_GROWING,    /* open_memstream: a malloc object handed to the program */
};

#define STREAM_BUFFER_SIZE 4096

struct stream {
    FILE f;
    enum stream_kind kind;
    int allocated;        /* the struct itself is to be freed by fclose */
    int own_buffer;       /* the buffer is to be freed by fclose */
    int decided;          /* the kind of buffering is decided */
    int in_pushback;      /* the read pointers are in `pushback`; the real ones are saved in the _IO_save fields */
    unsigned char pushback[16];
    char *memory;
    size_t size, used, position;
    int sought;           /* a file stands at `position`, where a seek has put it: nothing was read or written since */
    int own_memory;
    char *spare;          /* memory for the buffer, which an open stream has from the beginning; null: none yet */
    char **out_memory;
    size_t *out_size;
};

static inline struct stream *stream_of(FILE *f)
{
    return (struct stream *)f;
}

/* stdio_stream.c. Results: EOF with the error flag and errno on failure. */
void __verify_lib_given_away(int fd); /* system.c */
int __verify_lib_flush(struct stream *s);
int __verify_lib_overflow(struct stream *s, int c);
int __verify_lib_underflow(struct stream *s);
size_t __verify_lib_put(struct stream *s, const char *p, size_t n);
size_t __verify_lib_get(struct stream *s, char *p, size_t n);
int __verify_lib_unget(struct stream *s, int c);
int __verify_lib_seek(struct stream *s, long off, int whence);
long __verify_lib_tell(struct stream *s);
void __verify_lib_unread(struct stream *s);
struct stream *__verify_lib_stream_new(void);
FILE *__verify_lib_open_stream(const char *path, const char *mode);
int __verify_lib_stream_close(struct stream *s);
void __verify_lib_drop_buffer(struct stream *s);
void __verify_lib_flush_all(void);

/* The use of bytes orients a fresh stream; a wide one refuses it. */
static inline int stream_is_bytes(struct stream *s)
{
    if (s->f._mode == 0)
        s->f._mode = -1;
    return s->f._mode < 0;
}

static inline int stream_putc(struct stream *s, int c)
{
    if (s->f._IO_write_ptr < s->f._IO_write_end)
        return (unsigned char)(*s->f._IO_write_ptr++ = (char)c);
    return __verify_lib_overflow(s, (unsigned char)c);
}

static inline int stream_getc(struct stream *s)
{
    if (s->f._IO_read_ptr >= s->f._IO_read_end && __verify_lib_underflow(s) == EOF)
        return EOF;
    return (unsigned char)*s->f._IO_read_ptr++;
}

/* The same for input of bytes: what is there is given out, and where more is needed the stream becomes one of bytes. */
static inline int stream_gives_bytes(struct stream *s)
{
    return s->f._IO_read_ptr < s->f._IO_read_end || stream_is_bytes(s);
}

static inline int stream_get_byte(struct stream *s)
{
    return stream_gives_bytes(s) ? stream_getc(s) : EOF;
}

static inline int stream_peek(struct stream *s)
{
    if (s->f._IO_read_ptr < s->f._IO_read_end)
        return (unsigned char)*s->f._IO_read_ptr;
    return stream_is_bytes(s) ? __verify_lib_underflow(s) : EOF;
}

int __verify_lib_vfprintf(FILE *f, const char *format, va_list ap);
int __verify_lib_vsnprintf(char *out, size_t size, const char *format, va_list ap);
/* As sprintf, where the destination is known to have `have` bytes. */
int __verify_lib_vsprintf_bounded(char *out, size_t have, const char *format, va_list ap, const char *what);
/* In malloc memory; -1 with errno on failure. */
int __verify_lib_vasprintf(char **out, const char *format, va_list ap);

/* `legacy`: %as, %aS and %a[ allocate (before C99). */
int __verify_lib_vfscanf(FILE *f, const char *format, va_list ap, int legacy);
int __verify_lib_vsscanf(const char *text, const char *format, va_list ap, int legacy);

/* stdio_line.c */
ssize_t __verify_lib_getdelim(char **line, size_t *size, int delimiter, struct stream *s);

#endif
