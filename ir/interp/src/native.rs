//! The functions that the interpreter itself provides, by name: the models' primitives and non-local jumps.

macro_rules! natives {
    ($($variant:ident = $($name:literal)|+,)*) => {
        /// A built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Native { $($variant,)* }
        impl Native {
            /// By linker name.
            pub fn from_name(name: &str) -> Option<Native> {
                match name { $($($name)|+ => Some(Native::$variant),)* _ => None }
            }
        }
    };
}

natives! {
    SetJmp = "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "llvm.eh.sjlj.setjmp" | "__builtin_setjmp",
    LongJmp = "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "llvm.eh.sjlj.longjmp",
    Alloc = "__verify_alloc",
    Free = "__verify_free",
    ObjectSize = "__verify_object_size",
    ChooseFailure = "__verify_choose_failure",
    NondetU64 = "__verify_nondet_u64",
    NondetBytes = "__verify_nondet_bytes",
    Assume = "__verify_assume",
    Fail = "__verify_fail",
    CheckDefined = "__verify_check_defined",
    Unmodelled = "__verify_unmodelled",
    UnmodelledUse = "__verify_unmodelled_use",
    AnalysisOnly = "__verify_analysis_only",
    Exit = "__verify_exit",
    Abort = "__verify_abort",
    RunDestructors = "__verify_run_destructors",
    SysRead = "__verify_sys_read",
    SysWrite = "__verify_sys_write",
    SysOpen = "__verify_sys_open",
    SysClose = "__verify_sys_close",
    SysLseek = "__verify_sys_lseek",
    SysUnlink = "__verify_sys_unlink",
    SysRename = "__verify_sys_rename",
    SysStat = "__verify_sys_stat",
    SysTime = "__verify_sys_time",
    SysGetenv = "__verify_sys_getenv",
    Math1 = "__verify_math1",
    Math2 = "__verify_math2",
    FloatFormat = "__verify_float_format",
    FloatFormatLong = "__verify_float_format_l",
    StrToF = "__verify_strtof",
    StrToD = "__verify_strtod",
    StrToLd = "__verify_strtold",
}
