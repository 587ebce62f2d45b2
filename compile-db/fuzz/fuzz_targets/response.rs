//! Arbitrary text as a response file: splitting never panics, and quoting its words gives them back.
//! Run: `cargo +nightly fuzz run response` in `compile-db/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use verify_compile_db::quote::{join_gcc, split_gcc, split_posix};

fuzz_target!(|data: &[u8]| {
    let _ = split_posix(data);
    let words = split_gcc(data);
    let joined = join_gcc(&words);
    assert_eq!(split_gcc(OsStr::new(&joined).as_bytes()), words);
});
