//! Functions by which what happens outside decides whether a program ends: clocks, signals, other processes and
//! threads, positions and sizes of files, callbacks that are called by code which is not there. Their models give any
//! answer every time, which is enough for safety, but says nothing of runs that go on for ever.

use std::collections::BTreeSet;
use verify_checks::calls::{direct_callee, is_model};
use verify_ir::{Const, FuncId, InstKind, Module, Operand, SymbolRef};

const NAMES: &[&str] = &[
    // Time.
    "timespec_get",
    "getrusage",
    "sysinfo",
    "getitimer",
    "timerfd_create",
    "timerfd_settime",
    "timerfd_gettime",
    "adjtimex",
    "clock_getres",
    "ntp_gettime",
    "time",
    "clock",
    "gettimeofday",
    "clock_gettime",
    "times",
    "ftime",
    "sleep",
    "usleep",
    "nanosleep",
    "clock_nanosleep",
    // Signals.
    "signal",
    "bsd_signal",
    "sigaction",
    "sigset",
    "sigignore",
    "kill",
    "killpg",
    "tgkill",
    "sigqueue",
    "alarm",
    "ualarm",
    "setitimer",
    "timer_create",
    "timer_settime",
    "pause",
    "sigsuspend",
    "sigwait",
    "sigwaitinfo",
    "sigtimedwait",
    // Waiting for others.
    "eventfd",
    "eventfd_read",
    "eventfd_write",
    "signalfd",
    "inotify_init",
    "inotify_init1",
    "epoll_create",
    "epoll_create1",
    "socket",
    "socketpair",
    "listen",
    "send",
    "sendto",
    "sendmsg",
    "fcntl",
    "fcntl64",
    "ioctl",
    "msgsnd",
    "semtimedop",
    "mkfifo",
    "mkfifoat",
    "mknod",
    "mknodat",
    "tcdrain",
    "tcsetattr",
    "tcflow",
    "futex",
    "select",
    "pselect",
    "poll",
    "ppoll",
    "epoll_wait",
    "epoll_pwait",
    "accept",
    "accept4",
    "connect",
    "recv",
    "recvfrom",
    "recvmsg",
    "flock",
    "lockf",
    "msgrcv",
    "semop",
    // Processes.
    "setrlimit",
    "setrlimit64",
    "prlimit",
    "prlimit64",
    "nice",
    "setpriority",
    "getpriority",
    "close_range",
    "closefrom",
    "fork",
    "vfork",
    "clone",
    "wait",
    "wait3",
    "wait4",
    "waitpid",
    "waitid",
    "execl",
    "execlp",
    "execle",
    "execv",
    "execvp",
    "execve",
    "execvpe",
    "fexecve",
    "posix_spawn",
    "posix_spawnp",
    "system",
    "popen",
    "pclose",
    "syscall",
    "dup",
    "dup2",
    "dup3",
    "pipe",
    "pipe2",
    "ptrace",
    "reboot",
    // Files that are read or measured again.
    "ftello64",
    "fgetpos",
    "fgetpos64",
    "statx",
    "fstatat",
    "fstatat64",
    "statfs",
    "fstatfs",
    "statvfs",
    "fstatvfs",
    "readdir",
    "readdir64",
    "rewinddir",
    "telldir",
    "seekdir",
    "access",
    "faccessat",
    "lseek",
    "lseek64",
    "fseek",
    "fseeko",
    "fseeko64",
    "rewind",
    "fsetpos",
    "ftell",
    "ftello",
    "stat",
    "stat64",
    "lstat",
    "lstat64",
    "fstat",
    "fstat64",
    "ftruncate",
    "truncate",
    "fopencookie",
    "funopen",
    // Callbacks of code that is not there.
    "tsearch",
    "tfind",
    "tdelete",
    "twalk",
    "tdestroy",
    "ftw",
    "ftw64",
    "nftw",
    "nftw64",
    "scandir",
    "glob",
    "call_once",
    "makecontext",
    "swapcontext",
    "setcontext",
    "lfind",
    "lsearch",
    "dl_iterate_phdr",
    // Numbers of a generator that is another one in each library.
    "rand",
    "rand_r",
    "random",
    "random_r",
    "drand48",
    "erand48",
    "lrand48",
    "nrand48",
    "mrand48",
    "jrand48",
];
const PREFIXES: &[&str] = &["pthread_", "thrd_", "tss_", "mtx_", "cnd_", "sem_", "aio_", "mq_"];

/// The first such function, by name, that the program's own code names.
pub fn named(module: &Module) -> Option<String> {
    let mut found: BTreeSet<FuncId> = BTreeSet::new();
    for f in module.functions.iter().filter(|f| !is_model(module, f)) {
        let blocks = f.body.iter().flat_map(|b| &b.blocks);
        for block in blocks {
            let mut name = |o: &Operand| {
                if let Operand::Const(Const::Symbol(s)) = o
                    && let (SymbolRef::Func(g), _) = module.resolve(*s)
                {
                    found.insert(g);
                }
            };
            for i in &block.insts {
                i.kind.for_each_operand(&mut name);
            }
            block.term.for_each_operand(&mut name);
            for i in &block.insts {
                if let InstKind::Call(c) = &i.kind
                    && let Some(g) = direct_callee(module, c)
                {
                    found.insert(g);
                }
            }
        }
    }
    let outside = |n: &str| NAMES.contains(&n) || PREFIXES.iter().any(|p| n.starts_with(p));
    // The program's own function of that name is as good as any.
    let own = |g: FuncId| module.func(g).body.is_some() && !is_model(module, module.func(g));
    let names = found.into_iter().filter(|g| !own(*g)).map(|g| module.func(g).name.as_str());
    let called = names.filter(|n| outside(n)).min().map(String::from);
    // Functions that are called by where their address lies.
    let array = |s: &str| [".init_array", ".preinit_array", ".fini_array"].iter().any(|a| s.starts_with(a));
    let listed = module.globals.iter().find(|g| g.section.as_deref().is_some_and(array));
    called.or_else(|| listed.map(|g| g.name.clone()))
}
