//! What functions of the C library ask of their arguments, as a table: a row a function, a word an argument (ISO C
//! 7.21-7.29, POSIX). What a row leaves out is assumed of the model, as the module above says. Functions whose demands
//! are not of this form (`strtok`, `scanf`, `qsort`, `realloc`) have no row; those that look into the
//! environment have one that holds as long as the program does not change it.

use Arg::*;
use verify_ir::CheckKind as K;

/// How an argument is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A number, or a pointer that is only compared.
    Value,
    /// Characters up to a NUL are read.
    Text,
    /// The same, or it is null.
    TextOrNull,
    /// A string literal: what is in it decides what the function does.
    Literal,
    /// Flags of `open`: a constant; when a file may be made there is one more argument, an `int`.
    Flags,
    /// The null pointer.
    Null,
    /// Memory that is released: null, or what was allocated.
    Released,
    /// A stream.
    Stream,
    /// A stream or null.
    StreamOrNull,
    /// So many bytes are written at most.
    Fills(u64),
    /// The same, or it is null.
    FillsOrNull(u64),
    /// A text is written whose length is that of the text in this argument.
    Copies(usize),
    /// A text is written behind the one that is there.
    Appends,
    /// As many bytes are read as the product of these arguments says (a number may be given twice for one).
    Reads(usize, Option<usize>),
    /// So many bytes are read.
    Gives(u64),
    /// As many bytes are written.
    Writes(usize, Option<usize>),
}

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// By argument.
    pub args: &'static [Arg],
    /// Kinds that a call may fail whatever its arguments are known to be.
    pub open: &'static [K],
}

const fn row(args: &'static [Arg], open: &'static [K]) -> Option<Contract> {
    Some(Contract { args, open })
}

/// Functions that look into the environment.
pub const ENVIRONMENT: &[&str] = &["getenv", "secure_getenv"];

/// Bytes of `struct stat`.
const STAT: u64 = 144;

/// The row of a function.
pub fn contract(name: &str) -> Option<Contract> {
    match name {
        "clock" | "getpid" | "getppid" | "getuid" | "geteuid" | "getgid" | "getegid" | "rand" | "random" => {
            row(&[], &[])
        }
        "free" => row(&[Released], &[]),
        "malloc" => row(&[Value], &[K::Leak]),
        "calloc" => row(&[Value, Value], &[K::Leak]),
        "isatty" | "close" | "fsync" | "sleep" | "usleep" | "umask" | "srand" | "srandom" | "strerror" => {
            row(&[Value], &[])
        }
        "lseek" | "lseek64" | "ftruncate" | "ftruncate64" => row(&[Value, Value, Value], &[]),
        "getenv" | "secure_getenv" => row(&[Text], &[]),
        "dup" => row(&[Value], &[]),
        "dup2" | "fchmod" => row(&[Value, Value], &[]),
        "localtime" | "gmtime" => row(&[Gives(8)], &[]),
        "pipe" => row(&[Fills(8)], &[]),
        "readlink" => row(&[Text, Writes(2, None), Value], &[]),
        "time" => row(&[FillsOrNull(8)], &[]),
        "strlen" => row(&[Text], &[]),
        "strcmp" | "strcasecmp" | "strcoll" | "strstr" | "strspn" | "strcspn" | "strpbrk" => row(&[Text, Text], &[]),
        // No more is read than of texts that end; the bound only shortens it.
        "strncmp" | "strncasecmp" => row(&[Text, Text, Value], &[]),
        "strchr" | "strrchr" | "strchrnul" | "index" | "rindex" => row(&[Text, Value], &[]),
        "memcmp" | "bcmp" => row(&[Reads(2, None), Reads(2, None), Value], &[]),
        "memchr" | "memrchr" => row(&[Reads(2, None), Value, Value], &[]),
        // That source and destination do not overlap is not looked into.
        "strcpy" | "stpcpy" => row(&[Copies(1), Text], &[K::InvalidArgument]),
        "strcat" => row(&[Appends, Text], &[K::InvalidArgument]),
        "strncpy" | "stpncpy" => row(&[Writes(2, None), Text, Value], &[K::InvalidArgument]),
        "strncat" => row(&[Appends, Text, Value], &[K::InvalidArgument]),
        "strdup" => row(&[Text], &[K::Leak]),
        "strndup" => row(&[Text, Value], &[K::Leak]),
        "atoi" | "atol" | "atoll" | "atof" => row(&[Text], &[]),
        "strtol" | "strtoul" | "strtoll" | "strtoull" => row(&[Text, FillsOrNull(8), Value], &[]),
        "strtod" | "strtof" => row(&[Text, FillsOrNull(8)], &[]),
        "remove" | "unlink" | "rmdir" | "chdir" => row(&[Text], &[]),
        "rename" | "link" | "symlink" => row(&[Text, Text], &[]),
        "access" | "mkdir" | "chmod" => row(&[Text, Value], &[]),
        "chown" | "lchown" => row(&[Text, Value, Value], &[]),
        "open" | "open64" => row(&[Text, Flags], &[]),
        "creat" => row(&[Text, Value], &[]),
        // Writes to `stderr`, see the module above.
        "perror" => row(&[TextOrNull], &[]),
        "read" => row(&[Value, Writes(2, None), Value], &[]),
        "write" => row(&[Value, Reads(2, None), Value], &[]),
        "stat" | "lstat" | "stat64" | "lstat64" => row(&[Text, Fills(STAT)], &[]),
        "fstat" | "fstat64" => row(&[Value, Fills(STAT)], &[]),
        "fopen" | "fopen64" => row(&[Text, Literal], &[K::Leak]),
        "fdopen" => row(&[Value, Literal], &[K::Leak]),
        "fclose" | "fgetc" | "getc" | "rewind" | "ftell" | "ftello" | "ftello64" => row(&[Stream], &[]),
        "ferror" | "feof" | "fileno" | "clearerr" => row(&[Stream], &[]),
        "setvbuf" => row(&[Stream, Null, Value, Value], &[]),
        "setbuf" => row(&[Stream, Null], &[]),
        "setlinebuf" => row(&[Stream], &[]),
        "fflush" => row(&[StreamOrNull], &[]),
        "ungetc" => row(&[Value, Stream], &[]),
        "fseek" | "fseeko" | "fseeko64" => row(&[Stream, Value, Value], &[]),
        "fread" => row(&[Writes(1, Some(2)), Value, Value, Stream], &[]),
        "fwrite" => row(&[Reads(1, Some(2)), Value, Value, Stream], &[]),
        "fgets" => row(&[Writes(1, None), Value, Stream], &[]),
        _ => None,
    }
}
