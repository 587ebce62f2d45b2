//! clang linked into this program: from a command line to a module in one process. It stands in for one very file, the
//! clang that was there when this program was built; for any other clang, and for what is no plain compile, the answer
//! is [`Answer::NotHere`], and that clang has to be run. Nothing else in the project depends on whether it is there.
#![allow(unsafe_code)]

#[cfg(linked_clang)]
#[path = "../identity.rs"]
mod identity;

#[cfg(linked_clang)]
use identity::identity;
use std::ffi::OsString;
use std::path::Path;
use verify_lower::ffi::Module;

/// What became of a command.
pub enum Answer {
    /// It compiled.
    Module(Module),
    /// clang does not take the source, and has said why on standard error.
    Rejected,
    /// It has to be run by the clang itself.
    NotHere,
}

/// Compiles as the clang at `clang` would with these arguments.
#[cfg(linked_clang)]
pub fn compile(clang: &Path, args: &[OsString]) -> Answer {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    unsafe extern "C" {
        fn vs_compile(
            clang: *const std::ffi::c_char,
            args: *const *const std::ffi::c_char,
            count: usize,
            context: *mut llvm_sys::prelude::LLVMContextRef,
            module: *mut llvm_sys::prelude::LLVMModuleRef,
        ) -> std::ffi::c_int;
    }
    // By other names it is another driver.
    let usual = clang.file_name().is_some_and(|n| n == "clang" || n == "clang-19");
    let Some(clang) = clang.canonicalize().ok().filter(|_| usual) else { return Answer::NotHere };
    if identity(&clang).as_deref() != Some(env!("LINKED_CLANG")) {
        return Answer::NotHere;
    }
    let words: Result<Vec<CString>, _> = args.iter().map(|a| CString::new(a.as_bytes())).collect();
    let (Ok(words), Ok(clang)) = (words, CString::new(clang.as_os_str().as_bytes())) else { return Answer::NotHere };
    let pointers: Vec<_> = words.iter().map(|w| w.as_ptr()).collect();
    let (mut context, mut module) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: all strings end in NUL and outlive the call; the out-pointers are valid.
    let answer = unsafe { vs_compile(clang.as_ptr(), pointers.as_ptr(), pointers.len(), &mut context, &mut module) };
    match answer {
        // SAFETY: both were just made, and nothing else has them.
        0 => Answer::Module(unsafe { Module::from_raw(context, module) }),
        1 => Answer::Rejected,
        _ => Answer::NotHere,
    }
}

/// There is none.
#[cfg(not(linked_clang))]
pub fn compile(_: &Path, _: &[OsString]) -> Answer {
    Answer::NotHere
}
