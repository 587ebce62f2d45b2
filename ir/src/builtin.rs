//! Names of library functions that clang knows: it computes their calls itself, or takes them for what the standard says of
//! them, before a body is looked at. Where a program defines one, its definition is what is meant: the unit is compiled
//! again with `-fno-builtin-NAME`. (Such names are reserved, C17 §7.1.3; programs have them all the same.)

use crate::{Linkage, Module};

/// Base names; those of floating-point functions with `f` and `l` behind them as well.
const FLOATING: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "roundeven",
    "scalbln",
    "scalbn",
    "signbit",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];

const OTHERS: &[&str] = &[
    "_Exit",
    "_exit",
    "_longjmp",
    "_setjmp",
    "abort",
    "abs",
    "alloca",
    "bcmp",
    "bcopy",
    "bzero",
    "calloc",
    "exit",
    "ffs",
    "ffsl",
    "ffsll",
    "fprintf",
    "fputc",
    "fputs",
    "free",
    "fwrite",
    "index",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "labs",
    "llabs",
    "longjmp",
    "malloc",
    "memccpy",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "mempcpy",
    "memset",
    "printf",
    "putchar",
    "puts",
    "realloc",
    "rindex",
    "scanf",
    "setjmp",
    "siglongjmp",
    "sigsetjmp",
    "snprintf",
    "sprintf",
    "sscanf",
    "stpcpy",
    "stpncpy",
    "strcasecmp",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strcspn",
    "strdup",
    "strerror",
    "strlcat",
    "strlcpy",
    "strlen",
    "strncasecmp",
    "strncat",
    "strncmp",
    "strncpy",
    "strndup",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strtok",
    "strxfrm",
    "toascii",
    "tolower",
    "toupper",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
    "wcschr",
    "wcscmp",
    "wcslen",
    "wcsncmp",
    "wmemchr",
    "wmemcmp",
    "wmemcpy",
    "wmemmove",
];

/// How the lowering begins the line in which it names what [`defined`] gives; the wrapper reads it.
pub const MARK: &str = "verify-lower: own library functions:";

/// The functions of a module that clang would not call by their name; sorted.
pub fn defined(module: &Module) -> Vec<&str> {
    let external = |l: Linkage| !matches!(l, Linkage::Internal | Linkage::AvailableExternally);
    let mut out: Vec<&str> = module
        .functions
        .iter()
        .filter(|f| f.body.is_some() && external(f.linkage) && is_known(&f.name))
        .map(|f| f.name.as_str())
        .collect();
    out.sort_unstable();
    out
}

fn is_known(name: &str) -> bool {
    let floating = |n: &str| FLOATING.binary_search(&n).is_ok();
    OTHERS.binary_search(&name).is_ok() || floating(name) || name.strip_suffix(['f', 'l']).is_some_and(floating)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(FLOATING.is_sorted() && OTHERS.is_sorted());
        assert!(["abs", "fabs", "fabsl", "ceilf", "memset"].into_iter().all(is_known));
        assert!(!["absf", "main", "f", "l", "fabsll"].into_iter().any(is_known));
    }
}
