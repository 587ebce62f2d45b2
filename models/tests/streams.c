/* Streams: the same random operations on a file through the host's stdio and through the models. */
#include "native.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#undef getc_unlocked
#undef putc_unlocked

MODEL(fopen); MODEL(fclose); MODEL(fread); MODEL(fwrite); MODEL(fgets); MODEL(fputs); MODEL(fputc); MODEL(fgetc); MODEL(ungetc);
MODEL(fseek); MODEL(ftell); MODEL(rewind); MODEL(fflush); MODEL(feof); MODEL(ferror); MODEL(clearerr); MODEL(setvbuf); MODEL(fprintf);
MODEL(getline); MODEL(getdelim); MODEL(freopen); MODEL(fmemopen); MODEL(open_memstream); MODEL(fdopen); MODEL(fileno); MODEL(free);
MODEL(__overflow); MODEL(__uflow); MODEL(puts); MODEL(printf); MODEL(putchar); MODEL(perror); MODEL(exit); MODEL(atexit); MODEL(tmpfile);
MODEL(fgetpos); MODEL(fsetpos); MODEL(scanf); MODEL(mkstemp); MODEL(dprintf);
extern FILE *vm_stdin, *vm_stdout, *vm_stderr;

static void fill(const char *name, unsigned size)
{
    FILE *f = fopen(name, "w");
    for (unsigned i = 0; i < size; i++)
        fputc("abcdefg\nhij 0123\n"[below(17)], f);
    fclose(f);
}

static int same_content(const char *x, const char *y)
{
    FILE *f = fopen(x, "r"), *g = fopen(y, "r");
    int c, d;
    do {
        c = fgetc(f);
        d = fgetc(g);
    } while (c == d && c != EOF);
    fclose(f);
    fclose(g);
    return c == d;
}

static void file_operations(int round)
{
    static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+"};
    const char *mode = modes[below(6)];
    unsigned size = below(3) ? below(60) : 3000 + below(8000);
    fill("x", size);
    remove("y");
    int ignored = system("cp x y");
    (void)ignored;
    FILE *f = fopen("x", mode), *g = vm_fopen("y", mode);
    char trace[4000] = "";
    size_t at = 0;
    if (below(3) == 0) {
        int how = (int)below(3);
        setvbuf(f, NULL, how, 0);
        vm_setvbuf(g, NULL, how, 0);
        at += (size_t)sprintf(trace + at, "setvbuf %d; ", how);
    }
    char *line_f = NULL, *line_g = NULL;
    size_t cap_f = 0, cap_g = 0;
    int last_written = -1; /* C wants a positioning between reading and writing */
    for (int i = 0; i < 40; i++) {
        char b1[6000], b2[6000];
        int op = (int)below(16), ok = 1;
        int reads = op == 0 || op == 1 || op == 2 || op == 8 || op == 9, writes = op == 3 || op == 4 || op == 5 || op == 10;
        if ((reads && last_written == 1) || (writes && last_written == 0)) {
            long off = (long)below(size + 10);
            ok = fseek(f, off, SEEK_SET) == vm_fseek(g, off, SEEK_SET);
            at += (size_t)sprintf(trace + at, "(seek %ld) ", off);
        }
        if (reads)
            last_written = 0;
        if (writes)
            last_written = 1;
        memset(b1, 1, sizeof b1);
        memset(b2, 1, sizeof b2);
        unsigned n = below(5) ? below(30) : below(5000);
        at += (size_t)sprintf(trace + at, "%d/%u ", op, n);
        long r = 0, s = 0;
        switch (op) {
        case 0: r = fgetc(f); s = vm_fgetc(g); break;
        case 1: r = (long)fread(b1, 1, n, f); s = (long)vm_fread(b2, 1, n, g); break;
        case 2: {
            char *p = fgets(b1, (int)n, f), *q = vm_fgets(b2, (int)n, g);
            r = p != NULL; s = q != NULL;
            if (r == 0)
                memcpy(b1, b2, sizeof b1);
            break;
        }
        case 3: r = fputc('A' + (int)(n % 26), f); s = vm_fputc('A' + (int)(n % 26), g); break;
        case 4:
            memset(b1, 'w', n); memset(b2, 'w', n);
            if (n > 3) b1[n / 2] = b2[n / 2] = '\n';
            r = (long)fwrite(b1, 1, n, f); s = (long)vm_fwrite(b2, 1, n, g);
            break;
        case 5: r = fputs("text\nmore", f) >= 0; s = vm_fputs("text\nmore", g) >= 0; break;
        case 6: {
            int whence = (int)below(3);
            long off = whence == SEEK_SET ? (long)n : (long)n - 2500;
            r = fseek(f, off, whence); s = vm_fseek(g, off, whence);
            if (r == 0)
                last_written = -1;
            break;
        }
        case 7: r = ftell(f); s = vm_ftell(g); break;
        case 8:
            if (last_written != 1) {
                int c = fgetc(f), d = vm_fgetc(g);
                r = c; s = d;
                if (c != EOF && d != EOF) {
                    int push = n % 2 ? c : 'U';
                    r = ungetc(push, f); s = vm_ungetc(push, g);
                    if (n % 3 == 0) {
                        r = fgetc(f); s = vm_fgetc(g);
                    } else if (n % 3 == 1 && push == c) {
                        r = ftell(f); s = vm_ftell(g);
                    }
                }
            }
            break;
        case 9: r = getline(&line_f, &cap_f, f); s = vm_getline(&line_g, &cap_g, g);
            ok &= r != s || r < 0 || (memcmp(line_f, line_g, (size_t)r + 1) == 0 && (size > 60 || cap_f == cap_g || ftell(f) > 4000 || (size_t)r + 1 > 240));
            break;
        case 10: r = fprintf(f, "%d-%s;", (int)n, "p"); s = vm_fprintf(g, "%d-%s;", (int)n, "p"); break;
        case 11: if (last_written == 1) { r = fflush(f); s = vm_fflush(g); last_written = -1; } break;
        case 12: r = feof(f); s = vm_feof(g); break;
        case 13: r = ferror(f) != 0; s = vm_ferror(g); break;
        case 14: clearerr(f); vm_clearerr(g); break;
        case 15: rewind(f); vm_rewind(g); last_written = -1; break;
        }
        CHECK(r == s && ok && memcmp(b1, b2, sizeof b1) == 0, "round %d mode %s size %u: op %d: %ld, model %ld after %s", round, mode,
              size, op, r, s, trace);
        if (r != s)
            break;
    }
    CHECK(fclose(f) == vm_fclose(g), "fclose");
    CHECK(same_content("x", "y"), "round %d mode %s size %u: contents differ after %s", round, mode, size, trace);
    free(line_f);
    vm_free(line_g);
}

/* stdout and stderr into one file: the bytes arrive in the order in which glibc writes them. */
static void hosts_order(void)
{
    for (int i = 0; i < 700; i++) {
        printf("line %d %s\n", i, i % 7 ? "" : "with some more text");
        if (i % 50 == 0)
            fprintf(stderr, "error %d\n", i);
        if (i % 31 == 0)
            fwrite("0123456789012345678901234567890123456789\n", 1, 41, stdout);
        if (i % 90 == 0)
            puts("puts");
        if (i % 111 == 0)
            fflush(stdout);
        if (i % 13 == 0)
            putchar('.');
    }
    errno = ENOENT;
    perror("prefix");
    exit(3);
}

static void at_end(void)
{
    vm_printf("at exit\n");
}

static void models_order(void)
{
    for (int i = 0; i < 700; i++) {
        vm_printf("line %d %s\n", i, i % 7 ? "" : "with some more text");
        if (i % 50 == 0)
            vm_fprintf(vm_stderr, "error %d\n", i);
        if (i % 31 == 0)
            vm_fwrite("0123456789012345678901234567890123456789\n", 1, 41, vm_stdout);
        if (i % 90 == 0)
            vm_puts("puts");
        if (i % 111 == 0)
            vm_fflush(vm_stdout);
        if (i % 13 == 0)
            vm_putchar('.');
    }
    vm_errno = ENOENT;
    vm_perror("prefix");
    vm_exit(3);
}

static int in_child(void (*f)(void), const char *output)
{
    fflush(NULL);
    int pid = fork(), status = 0;
    if (pid == 0) {
        int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(fd, 1);
        dup2(fd, 2);
        f();
        _exit(9);
    }
    extern int waitpid(int, int *, int);
    waitpid(pid, &status, 0);
    return status;
}

static void exit_host(void)
{
    printf("buffered");
    exit(0);
}

static void exit_models(void)
{
    vm_atexit(at_end);
    vm_printf("buffered");
    vm_exit(256);
}

void test_streams(void)
{
    for (int i = 0; i < 250; i++)
        file_operations(i);
    int s = in_child(hosts_order, "x"), t = in_child(models_order, "y");
    CHECK(s == t, "exit status %d, model %d", s, t);
    CHECK(same_content("x", "y"), "stdout and stderr arrive in another order");
    t = in_child(exit_models, "y");
    fill("x", 0);
    FILE *f = fopen("x", "w");
    fputs("bufferedat exit\n", f);
    fclose(f);
    CHECK(t == 0 && same_content("x", "y"), "exit flushes after the handlers");

    FILE *g = vm_fopen("no/such/file", "r");
    CHECK(g == NULL && vm_errno == ENOENT, "fopen of nothing");
    CHECK(vm_fopen("x", "q") == NULL && vm_errno == EINVAL, "fopen with a bad mode");
    char memory[32] = "memory text", line[32];
    g = vm_fmemopen(memory, strlen(memory), "r");
    CHECK(vm_fgets(line, 32, g) == line && strcmp(line, "memory text") == 0 && vm_fgetc(g) == EOF, "fmemopen read");
    vm_fclose(g);
    g = vm_fmemopen(memory, sizeof memory, "w");
    vm_fprintf(g, "%d+%d", 1, 2);
    vm_fclose(g);
    CHECK(strcmp(memory, "1+2") == 0, "fmemopen write: %s", memory);
    char *out;
    size_t n;
    g = vm_open_memstream(&out, &n);
    vm_fprintf(g, "%s", "growing ");
    vm_fflush(g);
    CHECK(n == 8 && strcmp(out, "growing ") == 0, "open_memstream");
    for (int i = 0; i < 3000; i++)
        vm_fputc('x', g);
    vm_fclose(g);
    CHECK(n == 3008 && strlen(out) == n, "open_memstream grown: %zu", n);
    vm_free(out);
    /* glibc's inline macros on a model stream. */
    fill("y", 9000);
    f = fopen("y", "r");
    g = vm_fopen("y", "r");
    int c, d, i = 0;
    do {
        c = fgetc(f);
        d = g->_IO_read_ptr >= g->_IO_read_end ? vm___uflow(g) : *(unsigned char *)g->_IO_read_ptr++;
        CHECK(c == d, "getc_unlocked at %d", i++);
    } while (c == d && c != EOF);
    fclose(f);
    vm_fclose(g);
    g = vm_fopen("x", "w");
    for (i = 0; i < 9000; i++) {
        char byte = (char)('a' + i % 26);
        if (g->_IO_write_ptr >= g->_IO_write_end)
            vm___overflow(g, (unsigned char)byte);
        else
            *g->_IO_write_ptr++ = byte;
    }
    vm_fclose(g);
    struct stat st;
    stat("x", &st);
    CHECK(st.st_size == 9000, "putc_unlocked");
    g = vm_tmpfile();
    CHECK(g != NULL && vm_fputs("tmp", g) >= 0 && vm_fseek(g, 0, SEEK_SET) == 0 && vm_fgetc(g) == 't', "tmpfile");
    vm_fclose(g);
    unlink("x");
    unlink("y");
}
