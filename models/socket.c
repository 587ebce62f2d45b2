/* <sys/socket.h>, <netinet/in.h>, <arpa/inet.h>, <netdb.h>, <poll.h>, <sys/select.h>: the network as a file that a stranger
 * writes. A socket is a descriptor of the null device, so that a program that runs here meets a peer who says nothing; in
 * an analysis what is read from it is anything, like the content of any file. What a socket was made for is remembered: it
 * says of which family and length the addresses are that come from it. Of a descriptor from elsewhere they are anything.
 * Names are not resolved: a lookup fails, or gives arbitrary names and addresses, any number of them, of the families asked
 * for (at most 1024 where the answer is in static storage); what is an address or a number already stays that. What was left
 * out: socket options have no effect, and when control messages arrive the run ends as unknown. */
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

void __verify_lib_made(int fd, int kind); /* system.c */
int __verify_lib_kind(int fd);
extern int __verify_lib_process, __verify_lib_limits; /* unistd.c */
int __verify_lib_close(int fd);

/* Family and type of the sockets that the program made; zero is unknown. The port is that of a bind, as it is sent. */
#define DESCRIPTORS 1024
enum { NO_PORT, A_PORT, SOME_PORT /* that is not 0 */ };
static struct made {
    unsigned short family, type, port, bound;
    int born; /* in which process: one that divided since may share it */
} made[DESCRIPTORS];

static struct made *place(int fd) { return &made[(unsigned)fd % DESCRIPTORS]; }

/* A socket that is certainly open. */
static int is_open(int fd)
{
    return __verify_lib_kind(fd) == VM_SOCKET;
}

static struct made kind_of(int fd)
{
    struct made unknown = {AF_UNSPEC, 0, 0, NO_PORT, 0};
    return is_open(fd) ? *place(fd) : unknown;
}

static int descriptor(const char *what, struct made kind, vm_reasons why)
{
    int fd = vm_descriptor(what, why);
    kind.port = 0;
    kind.bound = NO_PORT;
    kind.born = __verify_lib_process;
    if (fd >= 0)
        *place(fd) = kind;
    __verify_lib_made(fd, VM_SOCKET);
    return fd;
}

static struct made wanted(int domain, int type)
{
    struct made k = {(unsigned short)domain, (unsigned short)(type & 15), 0, NO_PORT, 0};
    return k;
}

/* As vm_fails, but what is known to be an open socket is not said to be none: `why` begins with another reason. */
static int refused(int fd, const char *what, vm_reasons why)
{
    if (vm_no_descriptor(fd))
        return 1;
    if (!vm_fails(what, why))
        return 0;
    if ((errno == EBADF || errno == ENOTSOCK) && is_open(fd))
        errno = why[0];
    return 1;
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
        __verify_lib_close(a);
        return -1;
    }
    pair[0] = a;
    pair[1] = b;
    return 0;
}

/* The program has asked for ports to be chosen later than by bind, or for looks into what came that move on. */
static int late_ports, moving_peeks;

int bind(int fd, const struct sockaddr *a, socklen_t n)
{
    __verify_check_defined(a, n < sizeof a->sa_family ? n : sizeof a->sa_family, "bind");
    vm_touch(a, n);
    static vm_reasons why = {EADDRINUSE, EACCES, EADDRNOTAVAIL, EINVAL, EBADF, ENOTSOCK, ENOENT, ENOMEM};
    if (refused(fd, "bind", why))
        return -1;
    struct made kind = kind_of(fd);
    if ((kind.family == AF_INET && n >= sizeof(struct sockaddr_in)) || (kind.family == AF_INET6 && n >= 24)) {
        place(fd)->port = ((const struct sockaddr_in *)a)->sin_port;
        place(fd)->bound = place(fd)->port != 0 ? A_PORT
                         : !late_ports && (kind.type == SOCK_STREAM || kind.type == SOCK_DGRAM) ? SOME_PORT : NO_PORT;
    }
    return 0;
}

/* The system may take a port back that it chose itself. */
static void unbound(int fd)
{
    if (is_open(fd) && place(fd)->bound == SOME_PORT)
        place(fd)->bound = NO_PORT;
}

int connect(int fd, const struct sockaddr *a, socklen_t n)
{
    __verify_check_defined(a, n < sizeof a->sa_family ? n : sizeof a->sa_family, "connect");
    vm_touch(a, n);
    static vm_reasons why = {ECONNREFUSED, EINPROGRESS, ETIMEDOUT, EINTR, EAGAIN, ENETUNREACH, EISCONN, EADDRNOTAVAIL};
    unbound(fd);
    return refused(fd, "connect", why) ? -1 : 0;
}

int listen(int fd, int backlog)
{
    static vm_reasons why = {EADDRINUSE, EBADF, ENOTSOCK, EOPNOTSUPP, EINVAL, EADDRINUSE, EADDRINUSE, EADDRINUSE};
    struct made kind = kind_of(fd);
    if (!refused(fd, "listen", why))
        return 0;
    if (errno == EOPNOTSUPP && kind.type == SOCK_STREAM &&
        (kind.family == AF_INET || kind.family == AF_INET6 || kind.family == AF_UNIX))
        errno = EADDRINUSE;
    return -1;
}

int shutdown(int fd, int how)
{
    static vm_reasons why = {ENOTCONN, EBADF, EINVAL, ENOTSOCK, ENOTCONN, ENOTCONN, ENOTCONN, ENOTCONN};
    unbound(fd);
    return refused(fd, "shutdown", why) ? -1 : 0;
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
    static vm_reasons no_stream = {EOPNOTSUPP, EMFILE, ENFILE, ENOMEM, EOPNOTSUPP, EOPNOTSUPP, EOPNOTSUPP, EOPNOTSUPP};
    struct made kind = kind_of(fd);
    if (kind.type == SOCK_DGRAM) {
        errno = no_stream[__verify_nondet_u64("accept") & 7];
        return -1;
    }
    int sure = is_open(fd);
    int r = vm_no_descriptor(fd) ? -1 : descriptor("accept", kind, why);
    if (r < 0 && sure && (errno == EBADF || errno == ENOTSOCK))
        errno = EAGAIN;
    if (r >= 0)
        address(kind, a, n, 0, "accept");
    return r;
}
int accept(int fd, struct sockaddr *a, socklen_t *n) { return take(fd, a, n); }
int accept4(int fd, struct sockaddr *a, socklen_t *n, int flags) { return take(fd, a, n); }

int getsockname(int fd, struct sockaddr *a, socklen_t *n)
{
    static vm_reasons why = {ENOBUFS, EBADF, EINVAL, ENOTSOCK, ENOTSOCK, ENOTSOCK, ENOTSOCK, ENOTSOCK};
    if (refused(fd, "getsockname", why))
        return -1;
    struct made kind = kind_of(fd);
    int whole = a != NULL && n != NULL && *n >= sizeof(struct sockaddr_in);
    address(kind, a, n, 0, "getsockname");
    unsigned short *port = &((struct sockaddr_in *)a)->sin_port;
    if (whole && (kind.bound == A_PORT || (kind.bound == SOME_PORT && *port == 0)))
        *port = kind.bound == A_PORT ? kind.port : 1;
    return 0;
}
int getpeername(int fd, struct sockaddr *a, socklen_t *n)
{
    static vm_reasons why = {ENOTCONN, ENOTSOCK, EBADF, EINVAL, ENOBUFS, ENOTCONN, ENOTCONN, ENOTCONN};
    if (refused(fd, "getpeername", why))
        return -1;
    address(kind_of(fd), a, n, 0, "getpeername");
    return 0;
}

/* What was looked at with MSG_PEEK and is still to be read, of one descriptor (-1: none): how much, and its first bytes. That of
 * recvmsg is not remembered: what it saw and what comes after it may be anything. */
int __verify_lib_peeked_of = -1;
static unsigned char peeked[64];
static size_t peeked_length;

static int may_be_shared(int fd)
{
    return !is_open(fd) || place(fd)->born != __verify_lib_process;
}

/* r bytes have come from the descriptor (less than 1: none), by a look at them or for good. Any other descriptor may be a
 * copy, where it is not a socket of its own. */
static void came(int fd, void *p, long r, int look)
{
    if (fd < 0 || r <= 0 || (!look && __verify_lib_peeked_of < 0))
        return;
    if (may_be_shared(__verify_lib_peeked_of))
        __verify_lib_peeked_of = -1;
    int same = fd == __verify_lib_peeked_of;
    size_t n = (size_t)r, both = !same ? 0 : n < peeked_length ? n : peeked_length;
    if (!same && !look) {
        if (!is_open(fd))
            __verify_lib_peeked_of = -1;
        return;
    }
    /* Any bytes have come already. */
    if (both > sizeof peeked)
        __verify_unmodelled("what MSG_PEEK has shown of more than 64 bytes");
    __builtin_memcpy(p, peeked, both);
    if (look) {
        if (may_be_shared(fd) || moving_peeks) {
            __verify_lib_peeked_of = -1;
        } else if (n > both) {
            __builtin_memcpy(peeked, p, n < sizeof peeked ? n : sizeof peeked);
            peeked_length = n;
            __verify_lib_peeked_of = fd;
        }
    } else if (n >= peeked_length || peeked_length > sizeof peeked || place(fd)->type != SOCK_STREAM) {
        __verify_lib_peeked_of = -1;
    } else {
        peeked_length -= n;
        __builtin_memmove(peeked, peeked + n, peeked_length);
    }
}

/* What read(2) got. */
void __verify_lib_received(int fd, void *p, long r) { came(fd, p, r, 0); }

/* With MSG_TRUNC a datagram that does not fit says how long it is, and a stream throws away what it would have given. */
static long take_in(int fd, void *p, size_t n, int flags, const char *what)
{
    if (fd < 0)
        return -EBADF;
    int type = flags & MSG_TRUNC ? kind_of(fd).type : SOCK_STREAM;
    if (flags & MSG_TRUNC && (type == SOCK_STREAM || (type == 0 && __verify_nondet_u64(what) & 1))) {
        unsigned long thrown = __verify_nondet_u64(what);
        if (!(flags & MSG_PEEK))
            __verify_lib_peeked_of = -1;
        return (long)(thrown > n ? n : thrown);
    }
    long r = __verify_sys_read(fd, p, n);
    if (flags & (MSG_OOB | MSG_ERRQUEUE))
        return r;
    came(fd, p, r, (flags & MSG_PEEK) != 0);
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

/* Datagrams, which go as a whole or not at all. */
static int whole_messages(struct made kind)
{
    return kind.type == SOCK_DGRAM && (kind.family == AF_INET || kind.family == AF_INET6 || kind.family == AF_UNIX);
}

ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    long done = 0;
    int full = 1;
    if (vm_no_descriptor(fd))
        return -1;
    if (!(flags & MSG_PEEK))
        __verify_lib_peeked_of = -1;
    for (size_t i = 0; i < m->msg_iovlen && full; i++) {
        long r = __verify_sys_read(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0 && done == 0)
            return vm_result(r);
        full = r >= 0 && (size_t)r >= m->msg_iov[i].iov_len;
        done += r < 0 ? 0 : r;
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
    /* Only what was full has lost anything; no datagram of these families ends a record. */
    m->msg_flags = kind.type == SOCK_STREAM ? 0 : (int)__verify_nondet_u64("recvmsg") & (MSG_TRUNC | MSG_EOR);
    if (!full)
        m->msg_flags &= ~MSG_TRUNC;
    if (whole_messages(kind))
        m->msg_flags &= ~MSG_EOR;
    if (m->msg_flags & flags & MSG_TRUNC)
        done += (long)(__verify_nondet_u64("recvmsg") & 0xffff);
    return done;
}

static long give(int fd, const void *p, size_t n)
{
    long r = vm_write(fd, p, n);
    return r >= 0 && whole_messages(kind_of(fd)) ? (long)n : r;
}

ssize_t send(int fd, const void *p, size_t n, int flags)
{
    __verify_check_defined(p, n, "send");
    return vm_result(give(fd, p, n));
}

ssize_t sendto(int fd, const void *p, size_t n, int flags, const struct sockaddr *a, socklen_t length)
{
    __verify_check_defined(p, n, "sendto");
    if (a != NULL)
        vm_touch(a, length);
    return vm_result(give(fd, p, n));
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    long done = 0;
    for (size_t i = 0; i < m->msg_iovlen; i++) {
        __verify_check_defined(m->msg_iov[i].iov_base, m->msg_iov[i].iov_len, "sendmsg");
        long r = give(fd, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
        if (r < 0)
            return done > 0 && !whole_messages(kind_of(fd)) ? done : vm_result(r);
        done += r;
        if ((size_t)r < m->msg_iov[i].iov_len)
            break;
    }
    return done;
}

static vm_reasons no_option = {ENOPROTOOPT, EINVAL, EBADF, ENOTSOCK, EDOM, EPERM, ENOMEM, EOPNOTSUPP};
static int negative_linger;

int setsockopt(int fd, int level, int name, const void *value, socklen_t n)
{
    vm_touch(value, n);
    if (level == SOL_SOCKET && name == SO_PEEK_OFF)
        moving_peeks = 1;
    if (level == IPPROTO_IP && name == IP_BIND_ADDRESS_NO_PORT)
        late_ports = 1;
    if (level == SOL_SOCKET && name == SO_LINGER && n >= sizeof(struct linger))
        negative_linger |= ((const struct linger *)value)->l_linger < 0;
    if (!refused(fd, "setsockopt", no_option))
        return 0;
    /* Only a time may be out of its domain. */
    if (errno == EDOM && level == SOL_SOCKET && name != SO_RCVTIMEO && name != SO_SNDTIMEO)
        errno = EINVAL;
    return -1;
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

/* Options that are a bit. */
static int is_bit(int level, int name)
{
    if (level == IPPROTO_TCP)
        return name == TCP_NODELAY || name == TCP_CORK;
    if (level == IPPROTO_IPV6)
        return name == IPV6_V6ONLY;
    return level == SOL_SOCKET && (name == SO_ACCEPTCONN || name == SO_REUSEADDR || name == SO_REUSEPORT ||
                                   name == SO_KEEPALIVE || name == SO_BROADCAST || name == SO_OOBINLINE || name == SO_DONTROUTE);
}

/* What an option that is a number may be, of any number v. */
static int option_number(struct made kind, int level, int name, int v)
{
    if (is_bit(level, name))
        return v & 1;
    if (level == SOL_SOCKET) {
        switch (name) {
        case SO_TYPE: return kind.type != 0 ? kind.type : (v & 15) == 0 ? SOCK_STREAM : v & 15;
        case SO_DOMAIN: return kind.family != AF_UNSPEC ? kind.family : v & 255;
        case SO_ERROR: return v & 4095;
        case SO_RCVBUF: case SO_SNDBUF: return (v & INT_MAX) == 0 ? 1 : v & INT_MAX;
        }
    }
    if (level == IPPROTO_IP && name == IP_TTL)
        return (v & 255) == 0 ? 1 : v & 255;
    if (level == IPPROTO_TCP && name == TCP_MAXSEG)
        return v & INT_MAX;
    /* No packet is longer than the length in its header can say, and none so short that it is no packet. */
    if (level == IPPROTO_IP ? name == IP_MTU : level == IPPROTO_IPV6 && name == IPV6_MTU)
        return 68 + (int)((unsigned)v % (65535 + 40 - 68 + 1));
    return v;
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *n)
{
    if (refused(fd, "getsockopt", no_option))
        return -1;
    if (*n > INT_MAX) {
        errno = EINVAL;
        return -1;
    }
    /* The name of a device with its end, or nothing. */
    if (level == SOL_SOCKET && name == SO_BINDTODEVICE) {
        char own[16];
        vm_text(own, sizeof own - 1, "getsockopt");
        size_t whole = own[0] == 0 ? 0 : vm_strlen(own) + 1;
        if (whole != 0 && *n < sizeof own) {
            errno = EINVAL;
            return -1;
        }
        __builtin_memcpy(value, own, whole);
        *n = (socklen_t)whole;
        return 0;
    }
    socklen_t have = option_size(level, name, *n);
    /* Those of TCP are numbers, but for three. */
    if (have == 0 && level == IPPROTO_TCP && name != TCP_INFO && name != TCP_CONGESTION && name != TCP_ULP)
        have = sizeof(int);
    /* A name of up to 15 bytes, filled up with zeros; where there is less room its end may be missing. */
    if (level == IPPROTO_TCP && name == TCP_CONGESTION)
        have = 16;
    if (have == 0)
        have = (socklen_t)__verify_nondet_u64("getsockopt");
    if (have > *n)
        have = *n;
    __verify_nondet_bytes(value, have, "getsockopt");
    *n = have;
    if (level == IPPROTO_TCP && name == TCP_CONGESTION) {
        if (have == 16)
            ((char *)value)[15] = 0;
    } else if (have == sizeof(int)) {
        int v;
        __builtin_memcpy(&v, value, sizeof v);
        v = option_number(kind_of(fd), level, name, v);
        __builtin_memcpy(value, &v, sizeof v);
    } else if (level == SOL_SOCKET && name == SO_LINGER && have == sizeof(struct linger)) {
        struct linger l;
        __builtin_memcpy(&l, value, sizeof l);
        l.l_onoff &= 1;
        l.l_linger &= negative_linger ? -1 : INT_MAX;
        __builtin_memcpy(value, &l, sizeof l);
    } else if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO) && have == sizeof(struct timeval)) {
        struct timeval t;
        __builtin_memcpy(&t, value, sizeof t);
        t.tv_sec &= LONG_MAX;
        t.tv_usec &= 0xfffff;
        if (t.tv_usec > 999999)
            t.tv_usec = 0;
        __builtin_memcpy(value, &t, sizeof t);
    }
    return 0;
}

/* No program starts with a limit of fewer descriptors than it takes to start it; it may lower that itself. */
enum { FEW = 4 };

void __verify_lib_slept(long long seconds, long nanoseconds); /* time.c */

/* Nothing is ready only when the time is up: with a negative one it is waited for ever. */
static int wait_for(struct pollfd *fds, nfds_t n, int timeout)
{
    static vm_reasons why = {EINTR, EINVAL, ENOMEM, EINTR, EINTR, EINTR, EINTR, EINTR};
    if (vm_fails("poll", why)) {
        if (errno == EINVAL && n <= FEW && __verify_lib_limits == 1)
            errno = EINTR;
        return -1;
    }
    int ready = 0;
    for (nfds_t i = 0; i < n; i++) {
        short r = (short)__verify_nondet_u64("poll");
        short got = (short)((~r & fds[i].events) | (r & (POLLERR | POLLHUP | POLLNVAL)));
        if (__verify_lib_kind(fds[i].fd) != 0)
            got &= ~POLLNVAL;
        fds[i].revents = fds[i].fd < 0 ? 0 : got;
        ready += fds[i].revents != 0;
    }
    if (timeout < 0)
        __verify_assume(ready > 0);
    if (timeout > 0 && ready == 0)
        __verify_lib_slept(timeout / 1000, timeout % 1000 * 1000000L);
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
    int ready = wait_for(fds, n, timeout == NULL ? -1 : 0);
    if (timeout != NULL && ready == 0)
        __verify_lib_slept(timeout->tv_sec, timeout->tv_nsec);
    return ready;
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

/* One that is asked for is not known to be open. */
static int one_unknown(int n, const fd_set *s)
{
    for (int i = 0; s != NULL && i < n && i < FD_SETSIZE; i++) {
        if (FD_ISSET(i, s) && __verify_lib_kind(i) == 0)
            return 1;
    }
    return 0;
}

/* As poll. Linux leaves the time that was not waited in `timeout`. */
static int wait_for_sets(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    static vm_reasons why = {EINTR, EBADF, ENOMEM, EINTR, EINTR, EINTR, EINTR, EINTR};
    if (n < 0 || (timeout != NULL && (timeout->tv_sec < 0 || timeout->tv_usec < 0))) {
        errno = EINVAL;
        return -1;
    }
    if (vm_fails("select", why)) {
        if (errno == EBADF && n <= FD_SETSIZE && !one_unknown(n, in) && !one_unknown(n, out) && !one_unknown(n, other))
            errno = EINTR;
        return -1;
    }
    int ready = select_set(n, in) + select_set(n, out) + select_set(n, other);
    if (timeout == NULL) {
        __verify_assume(ready > 0);
        return ready;
    }
    if (ready == 0 && timeout->tv_usec < 1000000)
        __verify_lib_slept(timeout->tv_sec, timeout->tv_usec * 1000);
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

/* What is known of an answer beforehand: the address, of each family that has one (none: any address of any), and the port as
 * it is sent (-1: any). */
struct before {
    int has_v4, has_v6, port;
    uint32_t v4;
    unsigned char v6[16];
};

/* A number that is the port itself. */
static int port_of(const char *s)
{
    int v = 0, n = 0;
    while (n < 5 && vm_isdigit((unsigned char)s[n]))
        v = v * 10 + (s[n++] - '0');
    return s[n] != 0 || v > 65535 ? -1 : v >> 8 | (v & 255) << 8;
}

/* 0: the address is one of a family that was not asked for. */
static int told(struct before *b, const char *node, const char *service, int family, int flags)
{
    b->port = service == NULL ? 0 : port_of(service);
    b->has_v4 = b->has_v6 = 0;
    __builtin_memset(b->v6, 0, sizeof b->v6);
    if (node == NULL) {
        int own = (flags & AI_PASSIVE) == 0;
        b->has_v4 = b->has_v6 = 1;
        b->v4 = own ? SWAP32(INADDR_LOOPBACK) : 0;
        b->v6[15] = (unsigned char)own;
        return 1;
    }
    const char *end = dotted(node, &b->v4, 0);
    b->has_v4 = end != NULL && *end == 0;
    b->has_v6 = !b->has_v4 && parse_ipv6(node, b->v6);
    if (b->has_v4 && family == AF_INET6) {
        b->has_v6 = 1;
        b->v6[10] = b->v6[11] = 255;
        __builtin_memcpy(b->v6 + 12, &b->v4, sizeof b->v4);
        return (flags & AI_V4MAPPED) != 0;
    }
    /* One that is IPv4 in the form of IPv6 may count as either. */
    if (b->has_v6 && family == AF_INET) {
        b->has_v4 = 1;
        __builtin_memcpy(&b->v4, b->v6 + 12, sizeof b->v4);
        for (int i = 0; i < 10; i++)
            b->has_v4 &= b->v6[i] == 0;
        return b->has_v4 && b->v6[10] == 255 && b->v6[11] == 255;
    }
    return 1;
}

/* One entry of an answer, in one piece with its address. */
static struct addrinfo *entry(int family, const struct addrinfo *hints, int named, const struct before *b)
{
    struct whole {
        struct addrinfo info;
        struct sockaddr_in6 address; /* or a sockaddr_in */
    } *w = __verify_alloc(sizeof *w, _Alignof(struct whole), VERIFY_FAMILY_MALLOC);
    static const int types[4] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM};
    __builtin_memset(w, 0, sizeof *w);
    if (family == AF_UNSPEC && b->has_v4 != b->has_v6)
        family = b->has_v6 ? AF_INET6 : AF_INET;
    if (family == AF_UNSPEC)
        family = __verify_nondet_u64("getaddrinfo") & 1 ? AF_INET6 : AF_INET;
    w->info.ai_family = family;
    w->info.ai_addrlen = family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    if (family == AF_INET && b->has_v4)
        ((struct sockaddr_in *)&w->address)->sin_addr.s_addr = b->v4;
    else if (family == AF_INET6 && b->has_v6)
        __builtin_memcpy(&w->address.sin6_addr, b->v6, sizeof b->v6);
    else
        __verify_nondet_bytes(&w->address, w->info.ai_addrlen, "getaddrinfo");
    w->address.sin6_port = (in_port_t)(b->port >= 0 ? b->port : __verify_nondet_u64("getaddrinfo"));
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
    struct before b;
    if (!told(&b, node, service, family, hints != NULL ? hints->ai_flags : 0))
        return __verify_nondet_u64("getaddrinfo") & 1 ? EAI_ADDRFAMILY : EAI_NONAME;
    struct addrinfo *first = entry(family, hints, named, &b);
    for (struct addrinfo *last = first; __verify_nondet_u64("getaddrinfo") & 1; last = last->ai_next)
        last->ai_next = entry(family, hints, 0, &b);
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
    some_name(out, 15, "if_indextoname");
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
    /* What is an address already is the only one. */
    uint32_t number;
    const char *end = asked != NULL && family == AF_INET ? dotted(asked, &number, 0) : NULL;
    if (end != NULL && *end == 0) {
        __builtin_memcpy(v4, &number, sizeof number);
        n = 1;
    }
    if (asked != NULL && family == AF_INET6 && parse_ipv6(asked, (unsigned char *)v6))
        n = 1;
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

/* A port that is not negative is what was asked for. */
static struct servent *service(const char *what, int port, const char *protocol)
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
    found.s_port = port >= 0 ? port : (int)(__verify_nondet_u64(what) & 0xffff);
    found.s_proto = own;
    return &found;
}

struct servent *getservbyname(const char *name, const char *protocol)
{
    (void)vm_strlen(name);
    return service("getservbyname", -1, protocol);
}
struct servent *getservbyport(int port, const char *protocol)
{
    VM_DEFINED(port, "getservbyport");
    return port < 0 ? NULL : service("getservbyport", port, protocol);
}

/* So is a number; no protocol has a negative one. */
static struct protoent *protocol(const char *what, int number)
{
    static char text[NAME + 1];
    static struct protoent found;
    if (__verify_choose_failure(what))
        return NULL;
    some_name(text, NAME, what);
    found.p_name = text;
    found.p_aliases = aliases(what);
    found.p_proto = number >= 0 ? number : (int)(__verify_nondet_u64(what) & 0x7fffffff);
    return &found;
}

struct protoent *getprotobyname(const char *name)
{
    (void)vm_strlen(name);
    return protocol("getprotobyname", -1);
}
struct protoent *getprotobynumber(int number)
{
    VM_DEFINED(number, "getprotobynumber");
    return number < 0 ? NULL : protocol("getprotobynumber", number);
}

static size_t print_port(char *out, unsigned v)
{
    size_t n = 0;
    for (unsigned part = 10000; part > 0; part /= 10) {
        if (v >= part || part == 1)
            out[n++] = (char)('0' + v / part % 10);
    }
    out[n++] = 0;
    return n;
}

/* One text of getnameinfo: the number (need: its length with the end, 0 where it may be any text) or a name; 0, or why not. */
static int name_or_number(char *out, size_t room, const char *number, size_t need)
{
    if (need > room)
        return EAI_OVERFLOW;
    if (need == 0 && room == 1)
        return EAI_OVERFLOW;
    if (need == 0)
        some_name(out, room - 1, "getnameinfo");
    else
        __builtin_memcpy(out, number, need);
    return 0;
}

/* Where there is no room for a text, or no wish, it is not asked for. Numbers that are asked for can only be too long; an
 * address with a scope may have its name behind it. */
int getnameinfo(const struct sockaddr *a, socklen_t n, char *name, socklen_t name_room, char *port, socklen_t port_room,
                int flags)
{
    static const int why[8] = {EAI_AGAIN, EAI_BADFLAGS, EAI_FAIL, EAI_FAMILY, EAI_MEMORY, EAI_NONAME, EAI_OVERFLOW, EAI_SYSTEM};
    char host_number[INET6_ADDRSTRLEN], port_number[8];
    size_t host_need = 0, port_need = 0;
    VM_DEFINED(flags, "getnameinfo");
    if (n < sizeof a->sa_family)
        return EAI_FAMILY;
    vm_touch(a, n);
    int with_name = name != NULL && name_room > 0, with_port = port != NULL && port_room > 0;
    if (!with_name && !with_port && __verify_nondet_u64("getnameinfo") & 1)
        return EAI_NONAME;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)a;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)a;
    int is_v4 = a->sa_family == AF_INET && n >= sizeof *v4, is_v6 = a->sa_family == AF_INET6 && n >= sizeof *v6;
    if (flags & NI_NUMERICSERV && (is_v4 || is_v6))
        port_need = print_port(port_number, (unsigned)(v4->sin_port >> 8 | (v4->sin_port & 255) << 8));
    if (flags & NI_NUMERICHOST && is_v4) {
        print_address(host_number, v4->sin_addr.s_addr);
        host_need = vm_strlen(host_number) + 1;
    } else if (flags & NI_NUMERICHOST && is_v6 && v6->sin6_scope_id == 0) {
        host_need = print_ipv6(host_number, v6->sin6_addr.s6_addr);
    }
    int numbers = (flags & ~(NI_NUMERICHOST | NI_NUMERICSERV | NI_DGRAM | NI_NOFQDN)) == 0 && (!with_name || host_need > 0) &&
                  (!with_port || port_need > 0) && (with_name || with_port);
    if (!numbers && __verify_choose_failure("getnameinfo")) {
        int e = why[__verify_nondet_u64("getnameinfo") & 7];
        if (e == EAI_SYSTEM)
            errno = EIO;
        return e;
    }
    int e = with_name ? name_or_number(name, name_room, host_number, host_need) : 0;
    return e == 0 && with_port ? name_or_number(port, port_room, port_number, port_need) : e;
}
