/* Texts and names of error numbers and signals as glibc 2.36 on Linux has them. Made from the C library itself. */
#include "internal.h"
#include <string.h>
#include <signal.h>

#define ERRORS 134
#define SIGNALS 32

static const char *const error_texts[ERRORS] = {
    [0] = "Success", /* 0 */
    [1] = "Operation not permitted", /* EPERM */
    [2] = "No such file or directory", /* ENOENT */
    [3] = "No such process", /* ESRCH */
    [4] = "Interrupted system call", /* EINTR */
    [5] = "Input/output error", /* EIO */
    [6] = "No such device or address", /* ENXIO */
    [7] = "Argument list too long", /* E2BIG */
    [8] = "Exec format error", /* ENOEXEC */
    [9] = "Bad file descriptor", /* EBADF */
    [10] = "No child processes", /* ECHILD */
    [11] = "Resource temporarily unavailable", /* EAGAIN */
    [12] = "Cannot allocate memory", /* ENOMEM */
    [13] = "Permission denied", /* EACCES */
    [14] = "Bad address", /* EFAULT */
    [15] = "Block device required", /* ENOTBLK */
    [16] = "Device or resource busy", /* EBUSY */
    [17] = "File exists", /* EEXIST */
    [18] = "Invalid cross-device link", /* EXDEV */
    [19] = "No such device", /* ENODEV */
    [20] = "Not a directory", /* ENOTDIR */
    [21] = "Is a directory", /* EISDIR */
    [22] = "Invalid argument", /* EINVAL */
    [23] = "Too many open files in system", /* ENFILE */
    [24] = "Too many open files", /* EMFILE */
    [25] = "Inappropriate ioctl for device", /* ENOTTY */
    [26] = "Text file busy", /* ETXTBSY */
    [27] = "File too large", /* EFBIG */
    [28] = "No space left on device", /* ENOSPC */
    [29] = "Illegal seek", /* ESPIPE */
    [30] = "Read-only file system", /* EROFS */
    [31] = "Too many links", /* EMLINK */
    [32] = "Broken pipe", /* EPIPE */
    [33] = "Numerical argument out of domain", /* EDOM */
    [34] = "Numerical result out of range", /* ERANGE */
    [35] = "Resource deadlock avoided", /* EDEADLK */
    [36] = "File name too long", /* ENAMETOOLONG */
    [37] = "No locks available", /* ENOLCK */
    [38] = "Function not implemented", /* ENOSYS */
    [39] = "Directory not empty", /* ENOTEMPTY */
    [40] = "Too many levels of symbolic links", /* ELOOP */
    [41] = NULL,
    [42] = "No message of desired type", /* ENOMSG */
    [43] = "Identifier removed", /* EIDRM */
    [44] = "Channel number out of range", /* ECHRNG */
    [45] = "Level 2 not synchronized", /* EL2NSYNC */
    [46] = "Level 3 halted", /* EL3HLT */
    [47] = "Level 3 reset", /* EL3RST */
    [48] = "Link number out of range", /* ELNRNG */
    [49] = "Protocol driver not attached", /* EUNATCH */
    [50] = "No CSI structure available", /* ENOCSI */
    [51] = "Level 2 halted", /* EL2HLT */
    [52] = "Invalid exchange", /* EBADE */
    [53] = "Invalid request descriptor", /* EBADR */
    [54] = "Exchange full", /* EXFULL */
    [55] = "No anode", /* ENOANO */
    [56] = "Invalid request code", /* EBADRQC */
    [57] = "Invalid slot", /* EBADSLT */
    [58] = NULL,
    [59] = "Bad font file format", /* EBFONT */
    [60] = "Device not a stream", /* ENOSTR */
    [61] = "No data available", /* ENODATA */
    [62] = "Timer expired", /* ETIME */
    [63] = "Out of streams resources", /* ENOSR */
    [64] = "Machine is not on the network", /* ENONET */
    [65] = "Package not installed", /* ENOPKG */
    [66] = "Object is remote", /* EREMOTE */
    [67] = "Link has been severed", /* ENOLINK */
    [68] = "Advertise error", /* EADV */
    [69] = "Srmount error", /* ESRMNT */
    [70] = "Communication error on send", /* ECOMM */
    [71] = "Protocol error", /* EPROTO */
    [72] = "Multihop attempted", /* EMULTIHOP */
    [73] = "RFS specific error", /* EDOTDOT */
    [74] = "Bad message", /* EBADMSG */
    [75] = "Value too large for defined data type", /* EOVERFLOW */
    [76] = "Name not unique on network", /* ENOTUNIQ */
    [77] = "File descriptor in bad state", /* EBADFD */
    [78] = "Remote address changed", /* EREMCHG */
    [79] = "Can not access a needed shared library", /* ELIBACC */
    [80] = "Accessing a corrupted shared library", /* ELIBBAD */
    [81] = ".lib section in a.out corrupted", /* ELIBSCN */
    [82] = "Attempting to link in too many shared libraries", /* ELIBMAX */
    [83] = "Cannot exec a shared library directly", /* ELIBEXEC */
    [84] = "Invalid or incomplete multibyte or wide character", /* EILSEQ */
    [85] = "Interrupted system call should be restarted", /* ERESTART */
    [86] = "Streams pipe error", /* ESTRPIPE */
    [87] = "Too many users", /* EUSERS */
    [88] = "Socket operation on non-socket", /* ENOTSOCK */
    [89] = "Destination address required", /* EDESTADDRREQ */
    [90] = "Message too long", /* EMSGSIZE */
    [91] = "Protocol wrong type for socket", /* EPROTOTYPE */
    [92] = "Protocol not available", /* ENOPROTOOPT */
    [93] = "Protocol not supported", /* EPROTONOSUPPORT */
    [94] = "Socket type not supported", /* ESOCKTNOSUPPORT */
    [95] = "Operation not supported", /* EOPNOTSUPP */
    [96] = "Protocol family not supported", /* EPFNOSUPPORT */
    [97] = "Address family not supported by protocol", /* EAFNOSUPPORT */
    [98] = "Address already in use", /* EADDRINUSE */
    [99] = "Cannot assign requested address", /* EADDRNOTAVAIL */
    [100] = "Network is down", /* ENETDOWN */
    [101] = "Network is unreachable", /* ENETUNREACH */
    [102] = "Network dropped connection on reset", /* ENETRESET */
    [103] = "Software caused connection abort", /* ECONNABORTED */
    [104] = "Connection reset by peer", /* ECONNRESET */
    [105] = "No buffer space available", /* ENOBUFS */
    [106] = "Transport endpoint is already connected", /* EISCONN */
    [107] = "Transport endpoint is not connected", /* ENOTCONN */
    [108] = "Cannot send after transport endpoint shutdown", /* ESHUTDOWN */
    [109] = "Too many references: cannot splice", /* ETOOMANYREFS */
    [110] = "Connection timed out", /* ETIMEDOUT */
    [111] = "Connection refused", /* ECONNREFUSED */
    [112] = "Host is down", /* EHOSTDOWN */
    [113] = "No route to host", /* EHOSTUNREACH */
    [114] = "Operation already in progress", /* EALREADY */
    [115] = "Operation now in progress", /* EINPROGRESS */
    [116] = "Stale file handle", /* ESTALE */
    [117] = "Structure needs cleaning", /* EUCLEAN */
    [118] = "Not a XENIX named type file", /* ENOTNAM */
    [119] = "No XENIX semaphores available", /* ENAVAIL */
    [120] = "Is a named type file", /* EISNAM */
    [121] = "Remote I/O error", /* EREMOTEIO */
    [122] = "Disk quota exceeded", /* EDQUOT */
    [123] = "No medium found", /* ENOMEDIUM */
    [124] = "Wrong medium type", /* EMEDIUMTYPE */
    [125] = "Operation canceled", /* ECANCELED */
    [126] = "Required key not available", /* ENOKEY */
    [127] = "Key has expired", /* EKEYEXPIRED */
    [128] = "Key has been revoked", /* EKEYREVOKED */
    [129] = "Key was rejected by service", /* EKEYREJECTED */
    [130] = "Owner died", /* EOWNERDEAD */
    [131] = "State not recoverable", /* ENOTRECOVERABLE */
    [132] = "Operation not possible due to RF-kill", /* ERFKILL */
    [133] = "Memory page has hardware error", /* EHWPOISON */
};

static const char *const error_names[ERRORS] = {
    [0] = "0",
    [1] = "EPERM",
    [2] = "ENOENT",
    [3] = "ESRCH",
    [4] = "EINTR",
    [5] = "EIO",
    [6] = "ENXIO",
    [7] = "E2BIG",
    [8] = "ENOEXEC",
    [9] = "EBADF",
    [10] = "ECHILD",
    [11] = "EAGAIN",
    [12] = "ENOMEM",
    [13] = "EACCES",
    [14] = "EFAULT",
    [15] = "ENOTBLK",
    [16] = "EBUSY",
    [17] = "EEXIST",
    [18] = "EXDEV",
    [19] = "ENODEV",
    [20] = "ENOTDIR",
    [21] = "EISDIR",
    [22] = "EINVAL",
    [23] = "ENFILE",
    [24] = "EMFILE",
    [25] = "ENOTTY",
    [26] = "ETXTBSY",
    [27] = "EFBIG",
    [28] = "ENOSPC",
    [29] = "ESPIPE",
    [30] = "EROFS",
    [31] = "EMLINK",
    [32] = "EPIPE",
    [33] = "EDOM",
    [34] = "ERANGE",
    [35] = "EDEADLK",
    [36] = "ENAMETOOLONG",
    [37] = "ENOLCK",
    [38] = "ENOSYS",
    [39] = "ENOTEMPTY",
    [40] = "ELOOP",
    [42] = "ENOMSG",
    [43] = "EIDRM",
    [44] = "ECHRNG",
    [45] = "EL2NSYNC",
    [46] = "EL3HLT",
    [47] = "EL3RST",
    [48] = "ELNRNG",
    [49] = "EUNATCH",
    [50] = "ENOCSI",
    [51] = "EL2HLT",
    [52] = "EBADE",
    [53] = "EBADR",
    [54] = "EXFULL",
    [55] = "ENOANO",
    [56] = "EBADRQC",
    [57] = "EBADSLT",
    [59] = "EBFONT",
    [60] = "ENOSTR",
    [61] = "ENODATA",
    [62] = "ETIME",
    [63] = "ENOSR",
    [64] = "ENONET",
    [65] = "ENOPKG",
    [66] = "EREMOTE",
    [67] = "ENOLINK",
    [68] = "EADV",
    [69] = "ESRMNT",
    [70] = "ECOMM",
    [71] = "EPROTO",
    [72] = "EMULTIHOP",
    [73] = "EDOTDOT",
    [74] = "EBADMSG",
    [75] = "EOVERFLOW",
    [76] = "ENOTUNIQ",
    [77] = "EBADFD",
    [78] = "EREMCHG",
    [79] = "ELIBACC",
    [80] = "ELIBBAD",
    [81] = "ELIBSCN",
    [82] = "ELIBMAX",
    [83] = "ELIBEXEC",
    [84] = "EILSEQ",
    [85] = "ERESTART",
    [86] = "ESTRPIPE",
    [87] = "EUSERS",
    [88] = "ENOTSOCK",
    [89] = "EDESTADDRREQ",
    [90] = "EMSGSIZE",
    [91] = "EPROTOTYPE",
    [92] = "ENOPROTOOPT",
    [93] = "EPROTONOSUPPORT",
    [94] = "ESOCKTNOSUPPORT",
    [95] = "EOPNOTSUPP",
    [96] = "EPFNOSUPPORT",
    [97] = "EAFNOSUPPORT",
    [98] = "EADDRINUSE",
    [99] = "EADDRNOTAVAIL",
    [100] = "ENETDOWN",
    [101] = "ENETUNREACH",
    [102] = "ENETRESET",
    [103] = "ECONNABORTED",
    [104] = "ECONNRESET",
    [105] = "ENOBUFS",
    [106] = "EISCONN",
    [107] = "ENOTCONN",
    [108] = "ESHUTDOWN",
    [109] = "ETOOMANYREFS",
    [110] = "ETIMEDOUT",
    [111] = "ECONNREFUSED",
    [112] = "EHOSTDOWN",
    [113] = "EHOSTUNREACH",
    [114] = "EALREADY",
    [115] = "EINPROGRESS",
    [116] = "ESTALE",
    [117] = "EUCLEAN",
    [118] = "ENOTNAM",
    [119] = "ENAVAIL",
    [120] = "EISNAM",
    [121] = "EREMOTEIO",
    [122] = "EDQUOT",
    [123] = "ENOMEDIUM",
    [124] = "EMEDIUMTYPE",
    [125] = "ECANCELED",
    [126] = "ENOKEY",
    [127] = "EKEYEXPIRED",
    [128] = "EKEYREVOKED",
    [129] = "EKEYREJECTED",
    [130] = "EOWNERDEAD",
    [131] = "ENOTRECOVERABLE",
    [132] = "ERFKILL",
    [133] = "EHWPOISON",
};

static const char *const signal_texts[SIGNALS] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

static const char *const signal_names[SIGNALS] = {
    [1] = "HUP",
    [2] = "INT",
    [3] = "QUIT",
    [4] = "ILL",
    [5] = "TRAP",
    [6] = "ABRT",
    [7] = "BUS",
    [8] = "FPE",
    [9] = "KILL",
    [10] = "USR1",
    [11] = "SEGV",
    [12] = "USR2",
    [13] = "PIPE",
    [14] = "ALRM",
    [15] = "TERM",
    [16] = "STKFLT",
    [17] = "CHLD",
    [18] = "CONT",
    [19] = "STOP",
    [20] = "TSTP",
    [21] = "TTIN",
    [22] = "TTOU",
    [23] = "URG",
    [24] = "XCPU",
    [25] = "XFSZ",
    [26] = "VTALRM",
    [27] = "PROF",
    [28] = "WINCH",
    [29] = "POLL",
    [30] = "PWR",
    [31] = "SYS",
};


static int error_number;

int *__errno_location(void)
{
    return &error_number;
}

const char *__verify_lib_strerror(int e)
{
    return e >= 0 && e < ERRORS ? error_texts[e] : NULL;
}

/* "<prefix><n>" for a number without a text. */
static char *numbered(char *out, const char *prefix, int n)
{
    char digits[12] = {0};
    int k = 0;
    size_t at = vm_strlen(prefix);
    unsigned u = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    __builtin_memcpy(out, prefix, at);
    if (n < 0)
        out[at++] = '-';
    do {
        digits[k++] = (char)('0' + u % 10);
        u /= 10;
    } while (u != 0);
    while (k > 0)
        out[at++] = digits[--k];
    out[at] = 0;
    return out;
}

static const char *error_text(int e, char *buffer)
{
    const char *t = __verify_lib_strerror(e);
    return t != NULL ? t : numbered(buffer, "Unknown error ", e);
}

static char shared_buffer[40];

char *strerror(int e)
{
    return (char *)error_text(e, shared_buffer);
}

char *strerror_l(int e, locale_t locale)
{
    return (char *)error_text(e, shared_buffer);
}

/* The GNU strerror_r: the buffer is used only where there is no fixed text. */
char *__verify_gnu_strerror_r(int e, char *buffer, size_t size) __asm__("strerror_r");
char *__verify_gnu_strerror_r(int e, char *buffer, size_t size)
{
    char local[40];
    const char *t = __verify_lib_strerror(e);
    if (t != NULL)
        return (char *)t;
    numbered(local, "Unknown error ", e);
    size_t n = vm_strlen(local);
    if (size > 0) {
        size_t copied = n < size - 1 ? n : size - 1;
        __builtin_memcpy(buffer, local, copied);
        buffer[copied] = 0;
    }
    return buffer;
}

int __xpg_strerror_r(int e, char *buffer, size_t size)
{
    char local[40];
    const char *t = error_text(e, local);
    size_t n = vm_strlen(t);
    if (size > 0) {
        size_t copied = n < size - 1 ? n : size - 1;
        __builtin_memcpy(buffer, t, copied);
        buffer[copied] = 0;
    }
    return t == local ? EINVAL : n >= size ? ERANGE : 0;
}

const char *strerrordesc_np(int e)
{
    return __verify_lib_strerror(e);
}

const char *__verify_lib_error_name(int e)
{
    return e >= 0 && e < ERRORS ? error_names[e] : NULL;
}

const char *strerrorname_np(int e)
{
    return __verify_lib_error_name(e);
}

/* Signals 32 and 33 belong to the C library; real-time signals are counted from 34. */
const char *__verify_lib_strsignal(int s)
{
    if (s > 0 && s < SIGNALS && signal_texts[s] != NULL)
        return signal_texts[s];
    if (s >= 34 && s <= 64)
        return numbered(shared_buffer, "Real-time signal ", s - 34);
    return numbered(shared_buffer, "Unknown signal ", s);
}

char *strsignal(int s)
{
    return (char *)__verify_lib_strsignal(s);
}

const char *sigdescr_np(int s)
{
    return s > 0 && s < SIGNALS ? signal_texts[s] : NULL;
}

const char *sigabbrev_np(int s)
{
    return s > 0 && s < SIGNALS ? signal_names[s] : NULL;
}
