//! `verify-cc` and `verify-c++`: the real compiler runs, then the same sources are captured.
//!
//! Invariants: the build is sacred. The real compiler gets the identical arguments and standard streams, its exit
//! status or signal becomes ours, and nothing is written beside its outputs; capture starts when it has succeeded,
//! and no failure of capture reaches the build's status or its standard error (`VERIFY_VERBOSE` shows it; the
//! ledger always has it). Every option is known by a row of data ([`options::TABLE`]); one that clang does not get
//! as written is recorded as harmless or semantic.
//!
//! What it is not: `ar`, `ranlib`, `ld` and `strip` are not wrapped; the link model reads what they leave.
#![forbid(unsafe_code)]

/// The macro of the standard library ends the program when standard error cannot be written (`make 2>&1 | head`), and the
/// build would see another exit status than the compiler's.
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod absence;
pub mod argv;
mod ask;
pub mod capture;
pub mod config;
mod direct;
mod fallback;
mod link;
mod linker;
mod manifest;
mod markers;
mod names;
pub mod options;
mod pch;
pub mod pending;
mod probe;
pub mod process;
pub mod real;
pub mod record;
mod replay;
mod stamp;
mod tool;
mod translate;
mod wrap;

pub use argv::Driver;
pub use config::Config;
pub use probe::parent_of;
pub use translate::{LENIENT, common_options, emit_options};
pub use wrap::{main, write_down};
