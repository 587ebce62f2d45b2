/* <sys/socket.h>, <netinet/in.h>, <arpa/inet.h>, <netdb.h>, <poll.h>, <sys/select.h>: the network as a file that a stranger
 * writes. A socket is a descriptor of the null device, so that a program that runs here meets a peer who says nothing; in
 * an analysis what is read from it is anything, like the content of any file. What a socket was made for is remembered: it
 * says of which family and length the addresses are that come from it. Of a descriptor from elsewhere they are anything.
 * Names are not resolved: a lookup fails, or gives arbitrary names and addresses, any number of them, of the families asked
 * for (at most 1024 where the answer is in static storage). What was left out: socket options have no effect, and when control messages arrive the run ends as unknown. */
#include "internal.h"
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>

/* Family and type of the sockets that the program made, of those with a number of the same rest of the last; zero is
 * unknown. */
#define DESCRIPTORS 1024
static struct made {
    unsigned short family, type;
    int fd;
} made[DESCRIPTORS];

static struct made kind_of(int fd)
{
    struct made unknown = {AF_UNSPEC, 0, fd}, last = made[(unsigned)fd % DESCRIPTORS];
    return last.fd == fd ? last : unknown;
}

static int descriptor(const char *what, struct made kind, vm_reasons why)
{
    int fd = vm_descriptor(what, why);
    kind.fd = fd;
    if (fd >= 0)
        made[(unsigned)fd % DESCRIPTORS] = kind;
    return fd;
}

static struct made wanted(int domain, int type)
{
    struct made k = {(unsigned short)domain, (unsigned short)(type & 15), -1};
    return k;
}

static vm_reasons no_socket = {EAFNOSUPPORT, EMFILE, EACCES, ENFILE, ENOBUFS, ENOMEM, EPROTONOSUPPORT, EINVAL};

int socket(int domain, int type, int protocol)
{
    VM_DEFINED(domain, "socket");
    VM_DEFINED(type, "socket");
    return descriptor("socket", wanted(domain, type), no_socket);
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    int a = descriptor("socketpair", wanted(domain, type), no_socket);
    if (a < 0)
        return -1;
    int b = descriptor("socketpair", wanted(domain, type), no_socket);
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
    if (vm_no_descriptor(fd))
        return -1;
    VM_SUCCEED_OR("bind", EADDRINUSE, EACCES, EADDRNOTAVAIL, EINVAL, EBADF, ENOTSOCK, ENOENT, ENOMEM);
}

int connect(int fd, const struct sockaddr *a, socklen_t n)
{
    __verify_check_defined(a, n < sizeof a->sa_family ? n : sizeof a->sa_family, "connect");
    vm_touch(a, n);
    if (vm_no_descriptor(fd))
        return -1;
    VM_SUCCEED_OR("connect", ECONNREFUSED, EINPROGRESS, ETIMEDOUT, EINTR, EAGAIN, ENETUNREACH, EISCONN, EADDRNOTAVAIL);
}

int listen(int fd, int backlog)
{
    if (vm_no_descriptor(fd))
        return -1;
    VM_SUCCEED_OR("listen", EADDRINUSE, EBADF, ENOTSOCK, EOPNOTSUPP, EADDRINUSE, EADDRINUSE, EADDRINUSE, EADDRINUSE);
}

int shutdown(int fd, int how)
{
    if (vm_no_descriptor(fd))
        return -1;
    VM_SUCCEED_OR("shutdown", ENOTCONN, EBADF, EINVAL, ENOTSOCK, ENOTCONN, ENOTCONN, ENOTCONN, ENOTCONN);
}

/* An address from outside: as many bytes as fit, and how long it is. `nameless`: a peer without a name has no address at
 * all, not even a family. */
static void address(struct made kind, struct sockaddr *a, socklen_t *n, int nameless, const char *what)
{
    if (a == NULL || n == NULL)
        return;
    socklen_t room = *n, length;
    switch (kind.family) {
    case AF_INET: length = sizeof(struct sockaddr_in); break;
    case AF_INET6: length = sizeof(struct sockaddr_in6); break;
    case AF_NETLINK: length = 12; break; /* struct sockaddr_nl */
    case AF_VSOCK: length = 16; break;   /* struct sockaddr_vm */
    case AF_UNIX:
        length = (socklen_t)(__verify_nondet_u64(what) & 127);
        if (length > sizeof(struct sockaddr_un))
            length = sizeof(struct sockaddr_un);
        if (!nameless && length < sizeof a->sa_family)
            length = sizeof a->sa_family;
        break;
    default:
        length = (socklen_t)(__verify_nondet_u64(what) & 255);
        if (length > sizeof(struct sockaddr_storage))
            length = sizeof(struct sockaddr_storage);
    }
    if (nameless && kind.type == SOCK_STREAM)
        length = 0;
    socklen_t filled = room < length ? room : length;
    __verify_nondet_bytes(a, filled, what);
    if (kind.family != AF_UNSPEC && filled >= sizeof a->sa_family)
        a->sa_family = kind.family;
    *n = length;
}

static int take(int fd, struct sockaddr *a, socklen_t *n)
{
    static vm_reasons why = {EAGAIN, EINTR, ECONNABORTED, EMFILE, ENFILE, EINVAL, EBADF, ENOTSOCK};
    struct made kind = kind_of(fd);
    int r = vm_no_descriptor(fd) ? -1 : descriptor("accept", kind, why);
    if (r >= 0)
        address(kind, a, n, 0, "accept");
    return r;
}
int accept(int fd, struct sockaddr *a, socklen_t *n) { return take(fd, a, n); }
int accept4(int fd, struct sockaddr *a, socklen_t *n, int flags) { return take(fd, a, n); }

int getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
    static vm_reasons why = {ENOTSOCK, EBADF, EINVAL, ENOBUFS, ENOTSOCK, ENOTSOCK, ENOTSOCK, ENOTSOCK};
    if (vm_no_descriptor(fd) || vm_fails("getsockname", why))
        return -1;
    address(kind_of(fd), a, n, 0, "getsockname");
    return 0;
}
int getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
    static vm_reasons why = {ENOTCONN, ENOTSOCK, EBADF, EINVAL, ENOBUFS, ENOTCONN, ENOTCONN, ENOTCONN};
    if (vm_no_descriptor(fd) || vm_fails("getpeername", why))
        return -1;
    address(kind_of(fd), a, n, 0, "getpeername");
    return 0;
}

/* With MSG_TRUNC a datagram that does not fit says how long it is, and a stream throws away what it would have given. */
static long take_in(int fd, void *p, size_t n, int flags, const char *what)
{
    if (fd < 0)
        return -EBADF;
    int type = flags & MSG_TRUNC ? kind_of(fd).type : SOCK_STREAM;
    if (flags & MSG_TRUNC && (type == SOCK_STREAM || (type == 0 && __verify_nondet_u64(what) & 1))) {
        unsigned long thrown = __verify_nondet_u64(what);
        return (long)(thrown > n ? n : thrown);
    }
    long r = vm_read(fd, p, n);
    if (flags & MSG_TRUNC && r >= 0 && (size_t)r == n)
        r += (long)(__verify_nondet_u64(what) & 0xffff);
    return r;
}

ssize_t recv(int fd, void *p, size_t n, int flags) { return vm_result(take_in(fd, p, n, flags, "recv")); }

ssize_t __recv_chk(int fd, void *p, size_t n, size_t have, int flags)
{
    vm_chk(n, have, "recv is given a size past the end of the buffer");
    return vm_result(take_in(fd, p, n, flags, "recv"));
}

static ssize_t receive(int fd, void *p, size_t n, int flags, struct sockaddr *a, socklen_t *length)
{
    long r = take_in(fd, p, n, flags, "recvfrom");
    if (r >= 0)
        address(kind_of(fd), a, length, 1, "recvfrom");
    return vm_result(r);
}

ssize_t recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *a, socklen_t *length)
{
    return receive(fd, p, n, flags, a, length);
}

ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t have, int flags, struct sockaddr *a, socklen_t *length)
{
    vm_chk(n, have, "recvfrom is given a size past the end of the buffer");
    return receive(fd, p, n, flags, a, length);
}

ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    long done = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        long r = vm_read(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0 && done > 0)
            break;
        if (r < 0)
            return vm_result(r);
        done += r;
        if ((size_t)r < m->msg_iov[i].iov_len)
            break;
    }
    struct made kind = kind_of(fd);
    address(kind, m->msg_name, &m->msg_namelen, 1, "recvmsg");
    if (m->msg_control != NULL && m->msg_controllen > 0 && __verify_nondet_u64("recvmsg") & 1) {
        __verify_nondet_bytes(m->msg_control, m->msg_controllen, "recvmsg");
        __verify_unmodelled_use("recvmsg that receives control messages", NULL);
        m->msg_controllen = __verify_nondet_u64("recvmsg") % (m->msg_controllen + 1);
        m->msg_flags = (int)__verify_nondet_u64("recvmsg");
        __verify_unmodelled("recvmsg that receives control messages");
    }
    m->msg_controllen = 0;
    m->msg_flags = kind.type == SOCK_STREAM ? 0 : (int)__verify_nondet_u64("recvmsg") & (MSG_TRUNC | MSG_EOR);
    if (m->msg_flags & flags & MSG_TRUNC)
        done += (long)(__verify_nondet_u64("recvmsg") & 0xffff);
    return done;
}

ssize_t send(int fd, const void *p, size_t n, int flags)
{
    __verify_check_defined(p, n, "send");
    return vm_result(vm_write(fd, p, n));
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t length)
{
    __verify_check_defined(p, n, "sendto");
    if (a != NULL)
        vm_touch(a, length);
    return vm_result(vm_write(fd, p, n));
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    long done = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        __verify_check_defined(m->msg_iov[i].iov_base, m->msg_iov[i].iov_len, "sendmsg");
        long r = vm_write(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0)
            return done > 0 ? done : vm_result(r);
        done += r;
        if ((size_t)r < m->msg_iov[i].iov_len)
            break;
    }
    return done;
}

static vm_reasons no_option = {ENOPROTOOPT, EINVAL, EBADF, ENOTSOCK, EDOM, EPERM, ENOMEM, EOPNOTSUPP};

int setsockopt(int fd, int level, int name, const void *value, socklen_t n)
{
    vm_touch(value, n);
    return vm_no_descriptor(fd) || vm_fails("setsockopt", no_option) ? -1 : 0;
}

/* How long the value of an option is that the kernel has one length for; 0: any length. */
static socklen_t option_size(int level, int name, socklen_t room)
{
    /* Less room than for a number gets one byte of a small one. */
    if (level == IPPROTO_IP && room >= sizeof(int)) {
        switch (name) {
        case IP_TOS: case IP_TTL: case IP_HDRINCL: case IP_RECVOPTS: case IP_RETOPTS: case IP_PKTINFO:
        case IP_MTU_DISCOVER: case IP_RECVERR: case IP_RECVTTL: case IP_RECVTOS: case IP_MTU: case IP_FREEBIND:
        case IP_TRANSPARENT: case IP_MULTICAST_TTL: case IP_MULTICAST_LOOP: return sizeof(int);
        default: return 0;
        }
    }
    if (level == IPPROTO_IPV6) {
        switch (name) {
        case IPV6_V6ONLY: case IPV6_MTU: case IPV6_MTU_DISCOVER: case IPV6_RECVERR: case IPV6_UNICAST_HOPS:
        case IPV6_MULTICAST_HOPS: case IPV6_MULTICAST_LOOP: case IPV6_MULTICAST_IF: case IPV6_RECVPKTINFO:
        case IPV6_RECVHOPLIMIT: case IPV6_RECVTCLASS: case IPV6_TCLASS: return sizeof(int);
        default: return 0;
        }
    }
    if (level != SOL_SOCKET)
        return 0;
    switch (name) {
    case SO_LINGER: return sizeof(struct linger);
    case SO_RCVTIMEO: case SO_SNDTIMEO: return sizeof(struct timeval);
    case SO_ERROR: case SO_TYPE: case SO_DOMAIN: case SO_PROTOCOL: case SO_ACCEPTCONN: case SO_REUSEADDR:
    case SO_REUSEPORT: case SO_KEEPALIVE: case SO_BROADCAST: case SO_OOBINLINE: case SO_DEBUG: case SO_DONTROUTE:
    case SO_SNDBUF: case SO_RCVBUF: case SO_SNDLOWAT: case SO_RCVLOWAT: case SO_PRIORITY: return sizeof(int);
    default: return 0;
    }
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *n)
{
    if (vm_no_descriptor(fd) || vm_fails("getsockopt", no_option))
        return -1;
    if (*n > INT_MAX) {
        errno = EINVAL;
        return -1;
    }
    socklen_t have = option_size(level, name, *n);
    /* Those of TCP are numbers, but for three. */
    if (have == 0 && level == IPPROTO_TCP && name != TCP_INFO && name != TCP_CONGESTION && name != TCP_ULP)
        have = sizeof(int);
    if (have == 0)
        have = (socklen_t)__verify_nondet_u64("getsockopt");
    if (have > *n)
        have = *n;
    __verify_nondet_bytes(value, have, "getsockopt");
    /* No packet is longer than the length in its header can say, and none so short that it is no packet. */
    if (have == sizeof(int) && (level == IPPROTO_IP ? name == IP_MTU : level == IPPROTO_IPV6 && name == IPV6_MTU)) {
        int bytes = 68 + (int)(__verify_nondet_u64("getsockopt") % (65535 + 40 - 68 + 1));
        __builtin_memcpy(value, &bytes, sizeof bytes);
    }
    *n = have;
    return 0;
}

/* Nothing is ready only when the time is up: with a negative one it is waited for ever. */
static int wait_for(struct pollfd *fds, nfds_t n, int timeout)
{
    static vm_reasons why = {EINTR, EINVAL, ENOMEM, EINTR, EINTR, EINTR, EINTR, EINTR};
    if (vm_fails("poll", why))
        return -1;
    int ready = 0;
    for (nfds_t i = 0; i < n; i++) {
        short r = (short)__verify_nondet_u64("poll");
        short got = (short)((~r & fds[i].events) | (r & (POLLERR | POLLHUP | POLLNVAL)));
        fds[i].revents = fds[i].fd < 0 ? 0 : got;
        ready += fds[i].revents != 0;
    }
    if (timeout < 0)
        __verify_assume(ready > 0);
    return ready;
}

int poll(struct pollfd *fds, nfds_t n, int timeout) { return wait_for(fds, n, timeout); }

/* As the forms with `timeval`; the mask of signals matters to nobody, since none arrives. */
int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    if (timeout != NULL && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999)) {
        errno = EINVAL;
        return -1;
    }
    return wait_for(fds, n, timeout == NULL ? -1 : 0);
}

int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t have)
{
    vm_chk(n * sizeof *fds, have, "ppoll is given a count past the end of the array");
    return ppoll(fds, n, timeout, mask);
}

int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t have)
{
    vm_chk(n * sizeof *fds, have, "poll is given a count past the end of the array");
    return wait_for(fds, n, timeout);
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

/* As poll. Linux leaves the time that was not waited in `timeout`. */
static int wait_for_sets(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    static vm_reasons why = {EINTR, EBADF, ENOMEM, EINTR, EINTR, EINTR, EINTR, EINTR};
    if (n < 0 || (timeout != NULL && (timeout->tv_sec < 0 || timeout->tv_usec < 0))) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("select", why))
        return -1;
    int ready = select_set(n, in) + select_set(n, out) + select_set(n, other);
    if (timeout == NULL) {
        __verify_assume(ready > 0);
        return ready;
    }
    unsigned long left = ready > 0 ? __verify_nondet_u64("select") : 0;
    unsigned long part = ready > 0 ? __verify_nondet_u64("select") & 0xfffff : 0;
    if (left > (unsigned long)timeout->tv_sec || part >= 1000000)
        left = part = 0;
    if (left == (unsigned long)timeout->tv_sec && part > (unsigned long)timeout->tv_usec)
        part = 0;
    timeout->tv_sec = (long)left;
    timeout->tv_usec = (long)part;
    return ready;
}

int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    return wait_for_sets(n, in, out, other, timeout);
}

int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout, const sigset_t *mask)
{
    struct timeval t;
    if (timeout != NULL) {
        if (timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999) {
            errno = EINVAL;
            return -1;
        }
        t.tv_sec = timeout->tv_sec;
        t.tv_usec = timeout->tv_nsec / 1000;
    }
    return wait_for_sets(n, in, out, other, timeout == NULL ? NULL : &t);
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

/* Eight groups of up to four hexadecimal digits, of which a row of zeros may be left out once; the last two may be an IPv4
 * address. What is given is only written when the whole is an address. */
static int parse_ipv6(const char *s, unsigned char *out)
{
    unsigned char bytes[16];
    int n = 0, gap = -1;
    __builtin_memset(bytes, 0, sizeof bytes);
    if (s[0] == ':') {
        if (s[1] != ':')
            return 0;
        s++;
    }
    while (*s != 0) {
        if (*s == ':') {
            /* The second of two. */
            if (gap >= 0)
                return 0;
            gap = n;
            s++;
            continue;
        }
        const char *start = s;
        unsigned v = 0;
        while (vm_isxdigit((unsigned char)*s) && s - start < 4) {
            int c = vm_tolower((unsigned char)*s++);
            v = v << 4 | (unsigned)(vm_isdigit(c) ? c - '0' : c - 'a' + 10);
        }
        if (s == start)
            return 0;
        if (*s == '.') {
            uint32_t v4;
            const char *end = n <= 12 ? dotted(start, &v4, 0) : NULL;
            if (end == NULL || *end != 0)
                return 0;
            __builtin_memcpy(bytes + n, &v4, sizeof v4);
            n += 4;
            s = end;
            break;
        }
        if (n > 14 || (*s != 0 && *s != ':') || (*s == ':' && s[1] == 0))
            return 0;
        bytes[n++] = (unsigned char)(v >> 8);
        bytes[n++] = (unsigned char)v;
        s += *s == ':';
    }
    if (gap < 0 ? n != 16 : n == 16)
        return 0;
    for (int i = 0; gap >= 0 && i < n - gap; i++) {
        bytes[15 - i] = bytes[n - 1 - i];
        if (15 - i != n - 1 - i)
            bytes[n - 1 - i] = 0;
    }
    __builtin_memcpy(out, bytes, sizeof bytes);
    return 1;
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
        return parse_ipv6(s, out);
    errno = EAFNOSUPPORT;
    return -1;
}

/* The longest row of zeros, if it has two groups, is left out. How many bytes that is, with the end. */
static size_t print_ipv6(char *out, const unsigned char *in)
{
    unsigned groups[8];
    int best = -1, longest = 1;
    size_t n = 0;
    for (int i = 0; i < 8; i++)
        groups[i] = (unsigned)in[2 * i] << 8 | in[2 * i + 1];
    for (int i = 0; i < 8; i++) {
        int k = 0;
        while (i + k < 8 && groups[i + k] == 0)
            k++;
        if (k > longest) {
            longest = k;
            best = i;
        }
    }
    for (int i = 0; i < 8; i++) {
        if (best >= 0 && i >= best && i < best + longest) {
            if (i == best)
                out[n++] = ':';
            continue;
        }
        if (i != 0)
            out[n++] = ':';
        if (i == 6 && best == 0 && (longest == 6 || (longest == 5 && groups[5] == 0xffff))) {
            uint32_t v4;
            __builtin_memcpy(&v4, in + 12, sizeof v4);
            print_address(out + n, v4);
            return n + vm_strlen(out + n) + 1;
        }
        for (int shift = 12, begun = 0; shift >= 0; shift -= 4) {
            unsigned digit = groups[i] >> shift & 15;
            begun |= digit != 0 || shift == 0;
            if (begun)
                out[n++] = "0123456789abcdef"[digit];
        }
    }
    if (best >= 0 && best + longest == 8)
        out[n++] = ':';
    out[n++] = 0;
    return n;
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
    if (family == AF_INET6) {
        char text[INET6_ADDRSTRLEN];
        size_t need = print_ipv6(text, in);
        if (need > n) {
            errno = ENOSPC;
            return NULL;
        }
        __builtin_memcpy(out, text, need);
        return out;
    }
    errno = EAFNOSUPPORT;
    return NULL;
}

/* ---- Names. */

enum { NAME = 1024, /* NI_MAXHOST without its end */ ANSWERS = 1024, TEXTS = 4 };

/* A name from outside: it has a character. */
static void some_name(char *out, size_t most, const char *what)
{
    vm_text(out, most, what);
    if (out[0] == 0) {
        out[0] = '.';
        out[1] = 0;
    }
}

/* One entry of an answer, in one piece with its address. */
static struct addrinfo *entry(int family, const struct addrinfo *hints, int named)
{
    struct whole {
        struct addrinfo info;
        struct sockaddr_in6 address; /* or a sockaddr_in */
    } *w = __verify_alloc(sizeof *w, _Alignof(struct whole), VERIFY_FAMILY_MALLOC);
    static const int types[4] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM};
    __builtin_memset(w, 0, sizeof *w);
    if (family == AF_UNSPEC)
        family = __verify_nondet_u64("getaddrinfo") & 1 ? AF_INET6 : AF_INET;
    w->info.ai_family = family;
    w->info.ai_addrlen = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    __verify_nondet_bytes(&w->address, w->info.ai_addrlen, "getaddrinfo");
    w->address.sin6_family = (sa_family_t)family;
    w->info.ai_addr = (struct sockaddr *)&w->address;
    w->info.ai_socktype = hints != NULL ? hints->ai_socktype : 0;
    if (w->info.ai_socktype == 0)
        w->info.ai_socktype = types[__verify_nondet_u64("getaddrinfo") & 3];
    w->info.ai_protocol = hints != NULL ? hints->ai_protocol : 0;
    if (w->info.ai_protocol == 0 && w->info.ai_socktype != SOCK_RAW)
        w->info.ai_protocol = w->info.ai_socktype == SOCK_DGRAM ? IPPROTO_UDP : IPPROTO_TCP;
    w->info.ai_flags = hints != NULL ? hints->ai_flags : AI_V4MAPPED | AI_ADDRCONFIG;
    if (named) {
        size_t n = 1 + __verify_nondet_u64("getaddrinfo") % NAME;
        w->info.ai_canonname = __verify_alloc(n + 1, 1, VERIFY_FAMILY_MALLOC);
        some_name(w->info.ai_canonname, n, "getaddrinfo");
    }
    return &w->info;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    static const int why[8] = {EAI_NONAME, EAI_AGAIN, EAI_FAIL, EAI_MEMORY, EAI_SYSTEM, EAI_SERVICE, EAI_SOCKTYPE, EAI_NODATA};
    if (node != NULL)
        (void)vm_strlen(node);
    if (service != NULL)
        (void)vm_strlen(service);
    if (node == NULL && service == NULL)
        return EAI_NONAME;
    int family = hints != NULL ? hints->ai_family : AF_UNSPEC;
    if (family != AF_UNSPEC && family != AF_INET && family != AF_INET6)
        return EAI_FAMILY;
    int named = hints != NULL && (hints->ai_flags & AI_CANONNAME) != 0;
    if (named && node == NULL)
        return EAI_BADFLAGS;
    if (__verify_choose_failure("getaddrinfo")) {
        int e = why[__verify_nondet_u64("getaddrinfo") & 7];
        if (e == EAI_SYSTEM)
            errno = EIO;
        return e;
    }
    struct addrinfo *first = entry(family, hints, named);
    for (struct addrinfo *last = first; __verify_nondet_u64("getaddrinfo") & 1; last = last->ai_next)
        last->ai_next = entry(family, hints, 0);
    *out = first;
    return 0;
}

void freeaddrinfo(struct addrinfo *a)
{
    while (a != NULL) {
        struct addrinfo *next = a->ai_next;
        if (a->ai_canonname != NULL)
            __verify_free(a->ai_canonname, VERIFY_FAMILY_MALLOC);
        __verify_free(a, VERIFY_FAMILY_MALLOC);
        a = next;
    }
}

/* ---- Interfaces. */

unsigned if_nametoindex(const char *name)
{
    static vm_reasons why = {ENODEV, ENODEV, ENODEV, ENODEV, ENODEV, EMFILE, ENFILE, ENODEV};
    (void)vm_strlen(name);
    return vm_fails("if_nametoindex", why) ? 0 : 1 + (unsigned)(__verify_nondet_u64("if_nametoindex") & 0xfffffff);
}

char *if_indextoname(unsigned index, char *out)
{
    static vm_reasons why = {ENXIO, ENXIO, ENXIO, ENXIO, ENXIO, EMFILE, ENFILE, ENXIO};
    VM_DEFINED(index, "if_indextoname");
    if (vm_fails("if_indextoname", why))
        return NULL;
    vm_text(out, 15, "if_indextoname");
    return out;
}

const char *gai_strerror(int e)
{
    switch (e) {
    case EAI_NONAME: return "Name or service not known";
    case EAI_AGAIN: return "Temporary failure in name resolution";
    case EAI_FAIL: return "Non-recoverable failure in name resolution";
    case EAI_MEMORY: return "Memory allocation failure";
    case EAI_SYSTEM: return "System error";
    case EAI_SERVICE: return "Servname not supported for ai_socktype";
    case EAI_SOCKTYPE: return "ai_socktype not supported";
    case EAI_FAMILY: return "ai_family not supported";
    case EAI_BADFLAGS: return "Bad value for ai_flags";
    case EAI_NODATA: return "No address associated with hostname";
    default: return "Unknown error";
    }
}

int *__h_errno_location(void)
{
    static int e;
    return &e;
}

/* The lookups of the old kind answer in static storage, as the real ones do. Who is asked for a name may know it by
 * another one, which is then the official one, and by any of them; so no length of what was asked bounds an answer. */
static char *other_names[ANSWERS + 1];
static char other_text[TEXTS][NAME + 1];

static char **aliases(const char *what)
{
    for (size_t i = 0; i < TEXTS; i++)
        some_name(other_text[i], NAME, what);
    size_t n = __verify_nondet_u64(what) % (ANSWERS + 1);
    for (size_t i = 0; i < n; i++)
        other_names[i] = other_text[i % TEXTS];
    other_names[n] = NULL;
    return other_names;
}

/* `asked` (NULL: nothing) may be the official name itself. */
static struct hostent *host(const char *what, const char *asked, int family)
{
    static const int why[4] = {HOST_NOT_FOUND, TRY_AGAIN, NO_RECOVERY, NO_DATA};
    static char v4[4], v6[16], more[TEXTS][16], text[NAME + 1];
    static char *addresses[ANSWERS + 1];
    static struct hostent found;
    size_t length = asked != NULL ? vm_strlen(asked) : 0;
    if (__verify_choose_failure(what)) {
        h_errno = why[__verify_nondet_u64(what) & 3];
        return NULL;
    }
    if (length == 0 || length > NAME || __verify_nondet_u64(what) & 1)
        some_name(text, NAME, what);
    else
        __builtin_memcpy(text, asked, length + 1);
    addresses[0] = family == AF_INET ? v4 : v6;
    __verify_nondet_bytes(addresses[0], family == AF_INET ? sizeof v4 : sizeof v6, what);
    __verify_nondet_bytes(more, sizeof more, what);
    size_t n = 1 + __verify_nondet_u64(what) % ANSWERS;
    for (size_t i = 1; i < n; i++)
        addresses[i] = more[i % TEXTS];
    addresses[n] = NULL;
    found.h_name = text;
    found.h_aliases = aliases(what);
    found.h_addrtype = family;
    found.h_length = family == AF_INET ? 4 : 16;
    found.h_addr_list = addresses;
    return &found;
}

struct hostent *gethostbyname(const char *name)
{
    return host("gethostbyname", name, AF_INET);
}

struct hostent *gethostbyname2(const char *name, int family)
{
    if (family != AF_INET && family != AF_INET6) {
        h_errno = NETDB_INTERNAL;
        errno = EAFNOSUPPORT;
        return NULL;
    }
    return host("gethostbyname2", name, family);
}

struct hostent *gethostbyaddr(const void *address, socklen_t n, int family)
{
    if ((family != AF_INET || n != 4) && (family != AF_INET6 || n != 16)) {
        h_errno = NETDB_INTERNAL;
        errno = EAFNOSUPPORT;
        return NULL;
    }
    vm_touch(address, n);
    return host("gethostbyaddr", NULL, family);
}

const char *hstrerror(int e)
{
    switch (e) {
    case 0: return "Resolver Error 0 (no error)";
    case HOST_NOT_FOUND: return "Unknown host";
    case TRY_AGAIN: return "Host name lookup failure";
    case NO_RECOVERY: return "Unknown server error";
    case NO_DATA: return "No address associated with name";
    default: return e < 0 ? "Resolver internal error" : "Unknown resolver error";
    }
}

static struct servent *service(const char *what, const char *protocol)
{
    static char text[NAME + 1], own[NAME + 1];
    static struct servent found;
    size_t n = protocol != NULL ? vm_strlen(protocol) : 0;
    if (n > NAME || __verify_choose_failure(what))
        return NULL;
    some_name(text, NAME, what);
    if (protocol != NULL)
        __builtin_memcpy(own, protocol, n + 1);
    else
        some_name(own, NAME, what);
    found.s_name = text;
    found.s_aliases = aliases(what);
    found.s_port = (int)(__verify_nondet_u64(what) & 0xffff);
    found.s_proto = own;
    return &found;
}

struct servent *getservbyname(const char *name, const char *protocol)
{
    (void)vm_strlen(name);
    return service("getservbyname", protocol);
}
struct servent *getservbyport(int port, const char *protocol)
{
    VM_DEFINED(port, "getservbyport");
    return service("getservbyport", protocol);
}

static struct protoent *protocol(const char *what)
{
    static char text[NAME + 1];
    static struct protoent found;
    if (__verify_choose_failure(what))
        return NULL;
    some_name(text, NAME, what);
    found.p_name = text;
    found.p_aliases = aliases(what);
    found.p_proto = (int)(__verify_nondet_u64(what) & 0x7fffffff);
    return &found;
}

struct protoent *getprotobyname(const char *name)
{
    (void)vm_strlen(name);
    return protocol("getprotobyname");
}
struct protoent *getprotobynumber(int number)
{
    VM_DEFINED(number, "getprotobynumber");
    return protocol("getprotobynumber");
}

/* Where there is no room for a text, or no wish, it is not asked for. */
int getnameinfo(const struct sockaddr *a, socklen_t n, char *name, socklen_t name_room, char *port, socklen_t port_room,
                int flags)
{
    static const int why[8] = {EAI_AGAIN, EAI_BADFLAGS, EAI_FAIL, EAI_FAMILY, EAI_MEMORY, EAI_NONAME, EAI_OVERFLOW, EAI_SYSTEM};
    VM_DEFINED(flags, "getnameinfo");
    if (n < sizeof a->sa_family)
        return EAI_FAMILY;
    vm_touch(a, n);
    int with_name = name != NULL && name_room > 0, with_port = port != NULL && port_room > 0;
    if (!with_name && !with_port)
        return EAI_NONAME;
    if (__verify_choose_failure("getnameinfo")) {
        int e = why[__verify_nondet_u64("getnameinfo") & 7];
        if (e == EAI_SYSTEM)
            errno = EIO;
        return e;
    }
    if (with_name)
        vm_text(name, name_room - 1, "getnameinfo");
    if (with_port)
        vm_text(port, port_room - 1, "getnameinfo");
    return 0;
}
