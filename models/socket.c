/* <sys/socket.h>, <netinet/in.h>, <arpa/inet.h>, <netdb.h>, <poll.h>, <sys/select.h>: the network as a file that a stranger
 * writes. A socket is a descriptor of the null device, so that a program that runs here meets a peer who says nothing; in
 * an analysis what is read from it is anything, like the content of any file. Names are not resolved: a lookup fails, or
 * gives an arbitrary address. What was left out: socket options have no effect, control messages are never there. */
#include "internal.h"
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>

static int succeed_or(const char *what, int e)
{
    if (__verify_choose_failure(what)) {
        errno = e;
        return -1;
    }
    return 0;
}

static int descriptor(void)
{
    return (int)vm_result(__verify_sys_open("/dev/null", O_RDWR, 0));
}

int socket(int domain, int type, int protocol)
{
    VM_DEFINED(domain, "socket");
    VM_DEFINED(type, "socket");
    return descriptor();
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    int a = descriptor();
    if (a < 0)
        return -1;
    int b = descriptor();
    if (b < 0) {
        __verify_sys_close(a);
        return -1;
    }
    pair[0] = a;
    pair[1] = b;
    return 0;
}

int bind(int fd, const struct sockaddr *a, socklen_t n)
{
    __verify_check_defined(a, n < sizeof a->sa_family ? n : sizeof a->sa_family, "bind");
    vm_touch(a, n);
    return succeed_or("bind", EADDRINUSE);
}

int connect(int fd, const struct sockaddr *a, socklen_t n)
{
    __verify_check_defined(a, n < sizeof a->sa_family ? n : sizeof a->sa_family, "connect");
    vm_touch(a, n);
    return succeed_or("connect", ECONNREFUSED);
}

int listen(int fd, int backlog) { return succeed_or("listen", EADDRINUSE); }
int shutdown(int fd, int how) { return succeed_or("shutdown", ENOTCONN); }

/* An address from outside: as many bytes as fit, and how long it is. */
static void address(struct sockaddr *a, socklen_t *n, const char *what)
{
    if (a == NULL || n == NULL)
        return;
    socklen_t room = *n;
    __verify_nondet_bytes(a, room < sizeof(struct sockaddr_in) ? room : sizeof(struct sockaddr_in), what);
    if (room >= sizeof a->sa_family)
        a->sa_family = AF_INET;
    *n = sizeof(struct sockaddr_in);
}

static int take(struct sockaddr *a, socklen_t *n)
{
    int r = descriptor();
    if (r >= 0)
        address(a, n, "accept");
    return r;
}
int accept(int fd, struct sockaddr *a, socklen_t *n) { return take(a, n); }
int accept4(int fd, struct sockaddr *a, socklen_t *n, int flags) { return take(a, n); }

int getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
    address(a, n, "getsockname");
    return succeed_or("getsockname", ENOTSOCK);
}
int getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
    address(a, n, "getpeername");
    return succeed_or("getpeername", ENOTCONN);
}

ssize_t recv(int fd, void *p, size_t n, int flags) { return vm_result(__verify_sys_read(fd, p, n)); }

ssize_t __recv_chk(int fd, void *p, size_t n, size_t have, int flags)
{
    vm_chk(n, have, "recv is given a size past the end of the buffer");
    return vm_result(__verify_sys_read(fd, p, n));
}

static ssize_t receive(int fd, void *p, size_t n, struct sockaddr *a, socklen_t *length)
{
    long r = __verify_sys_read(fd, p, n);
    if (r >= 0)
        address(a, length, "recvfrom");
    return vm_result(r);
}

ssize_t recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *a, socklen_t *length)
{
    return receive(fd, p, n, a, length);
}

ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t have, int flags, struct sockaddr *a, socklen_t *length)
{
    vm_chk(n, have, "recvfrom is given a size past the end of the buffer");
    return receive(fd, p, n, a, length);
}

ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    long done = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        long r = __verify_sys_read(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0)
            return done > 0 ? done : vm_result(r);
        done += r;
        if ((size_t)r < m->msg_iov[i].iov_len)
            break;
    }
    m->msg_controllen = 0;
    m->msg_flags = 0;
    return done;
}

ssize_t send(int fd, const void *p, size_t n, int flags)
{
    __verify_check_defined(p, n, "send");
    return vm_result(__verify_sys_write(fd, p, n));
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t length)
{
    __verify_check_defined(p, n, "sendto");
    if (a != NULL)
        vm_touch(a, length);
    return vm_result(__verify_sys_write(fd, p, n));
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    long done = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        __verify_check_defined(m->msg_iov[i].iov_base, m->msg_iov[i].iov_len, "sendmsg");
        long r = __verify_sys_write(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0)
            return done > 0 ? done : vm_result(r);
        done += r;
        if ((size_t)r < m->msg_iov[i].iov_len)
            break;
    }
    return done;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t n)
{
    vm_touch(value, n);
    return succeed_or("setsockopt", ENOPROTOOPT);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *n)
{
    if (succeed_or("getsockopt", ENOPROTOOPT) < 0)
        return -1;
    socklen_t have = *n < sizeof(int) ? *n : sizeof(int);
    __verify_nondet_bytes(value, have, "getsockopt");
    *n = have;
    return 0;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    int ready = 0;
    for (nfds_t i = 0; i < n; i++) {
        short r = (short)__verify_nondet_u64("poll");
        fds[i].revents = fds[i].fd < 0 ? 0 : r & (fds[i].events | POLLERR | POLLHUP | POLLNVAL);
        ready += fds[i].revents != 0;
    }
    return ready == 0 && timeout != 0 && __verify_choose_failure("poll") ? (errno = EINTR, -1) : ready;
}

static int select_set(int n, fd_set *s)
{
    int ready = 0;
    for (int i = 0; s != NULL && i < n && i < FD_SETSIZE; i++) {
        if (FD_ISSET(i, s) && (__verify_nondet_u64("select") & 1))
            FD_CLR(i, s);
        ready += FD_ISSET(i, s) != 0;
    }
    return ready;
}

int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    if (n < 0) {
        errno = EINVAL;
        return -1;
    }
    if (succeed_or("select", EINTR) < 0)
        return -1;
    return select_set(n, in) + select_set(n, out) + select_set(n, other);
}

#define SWAP32(x) ((x) << 24 | ((x) & 0xff00) << 8 | ((x) >> 8 & 0xff00) | (x) >> 24)

/* ---- Addresses as text. */

/* Four decimal numbers; the end of the text, or NULL. With `short_forms` as inet_aton takes them: one to four parts in any
 * base, the last of which fills the rest. */
static const char *dotted(const char *s, uint32_t *out, int short_forms)
{
    unsigned long parts[4];
    int n = 0;
    for (;;) {
        if (!vm_isdigit((unsigned char)*s))
            return NULL;
        if (short_forms) {
            const char *end;
            parts[n] = __verify_lib_strtoull(s, &end, 0, 0, 64, 0);
            s = end;
        } else {
            int digits = 0;
            parts[n] = 0;
            while (vm_isdigit((unsigned char)*s) && digits < 4) {
                if (digits > 0 && parts[n] == 0)
                    return NULL;
                parts[n] = parts[n] * 10 + (unsigned long)(*s++ - '0');
                digits++;
            }
            if (parts[n] > 255)
                return NULL;
        }
        n++;
        if (*s != '.' || n == 4)
            break;
        s++;
    }
    if (!short_forms && n != 4)
        return NULL;
    uint32_t value = 0;
    for (int i = 0; i + 1 < n; i++) {
        if (parts[i] > 255)
            return NULL;
        value |= (uint32_t)parts[i] << (24 - 8 * i);
    }
    if (parts[n - 1] > 0xffffffffu >> (8 * (n - 1)))
        return NULL;
    *out = SWAP32(value | (uint32_t)parts[n - 1]);
    return s;
}

static int whole(const char *s, uint32_t *out)
{
    const char *end = dotted(s, out, 1);
    return end != NULL && (*end == 0 || vm_isspace((unsigned char)*end));
}

int inet_aton(const char *s, struct in_addr *a)
{
    uint32_t v;
    if (!whole(s, &v))
        return 0;
    if (a != NULL)
        a->s_addr = v;
    return 1;
}

in_addr_t inet_addr(const char *s)
{
    uint32_t v;
    return whole(s, &v) ? v : INADDR_NONE;
}

static size_t decimal(char *out, unsigned v)
{
    size_t n = 0;
    if (v >= 100)
        out[n++] = (char)('0' + v / 100);
    if (v >= 10)
        out[n++] = (char)('0' + v / 10 % 10);
    out[n++] = (char)('0' + v % 10);
    return n;
}

static void print_address(char *out, uint32_t a)
{
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        n += decimal(out + n, a >> (8 * i) & 255);
        out[n++] = i < 3 ? '.' : 0;
    }
}

char *inet_ntoa(struct in_addr a)
{
    static char text[16];
    print_address(text, a.s_addr);
    return text;
}

int inet_pton(int family, const char *s, void *out)
{
    if (family == AF_INET) {
        uint32_t v;
        const char *end = dotted(s, &v, 0);
        if (end == NULL || *end != 0)
            return 0;
        __builtin_memcpy(out, &v, sizeof v);
        return 1;
    }
    if (family == AF_INET6)
        __verify_unmodelled("inet_pton of an IPv6 address");
    errno = EAFNOSUPPORT;
    return -1;
}

const char *inet_ntop(int family, const void *in, char *out, socklen_t n)
{
    if (family == AF_INET) {
        uint32_t v;
        char text[16];
        __builtin_memcpy(&v, in, sizeof v);
        print_address(text, v);
        size_t need = vm_strlen(text) + 1;
        if (need > n) {
            errno = ENOSPC;
            return NULL;
        }
        __builtin_memcpy(out, text, need);
        return out;
    }
    if (family == AF_INET6)
        __verify_unmodelled("inet_ntop of an IPv6 address");
    errno = EAFNOSUPPORT;
    return NULL;
}

/* ---- Names. */

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    if (node != NULL)
        (void)vm_strlen(node);
    if (service != NULL)
        (void)vm_strlen(service);
    if (__verify_choose_failure("getaddrinfo"))
        return EAI_NONAME;
    struct both {
        struct addrinfo info;
        struct sockaddr_in address;
    } *b = __verify_alloc(sizeof *b, _Alignof(struct both), VERIFY_FAMILY_MALLOC);
    __builtin_memset(b, 0, sizeof *b);
    __verify_nondet_bytes(&b->address, sizeof b->address, "getaddrinfo");
    b->address.sin_family = AF_INET;
    b->info.ai_family = AF_INET;
    b->info.ai_socktype = hints != NULL && hints->ai_socktype != 0 ? hints->ai_socktype : SOCK_STREAM;
    b->info.ai_addrlen = sizeof b->address;
    b->info.ai_addr = (struct sockaddr *)&b->address;
    *out = &b->info;
    return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
    while (a != NULL) {
        struct addrinfo *next = a->ai_next;
        __verify_free(a, VERIFY_FAMILY_MALLOC);
        a = next;
    }
}

const char *gai_strerror(int e)
{
    return e == EAI_NONAME ? "Name or service not known" : "Temporary failure in name resolution";
}

/* In static storage, as the real one. */
struct hostent *gethostbyname(const char *name)
{
    static char *no_aliases[1];
    static char address[4];
    static char *addresses[2] = {address, NULL};
    static char text[256];
    static struct hostent found;
    size_t n = vm_strlen(name);
    if (n >= sizeof text || __verify_choose_failure("gethostbyname"))
        return NULL;
    __builtin_memcpy(text, name, n + 1);
    __verify_nondet_bytes(address, sizeof address, "gethostbyname");
    found.h_name = text;
    found.h_aliases = no_aliases;
    found.h_addrtype = AF_INET;
    found.h_length = 4;
    found.h_addr_list = addresses;
    return &found;
}
