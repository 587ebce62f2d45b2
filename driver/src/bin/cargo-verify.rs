//! `cargo verify`: cargo calls this; it hands over to `verify cargo`, which lies beside it.
#![forbid(unsafe_code)]

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let mut args: Vec<_> = std::env::args_os().skip(1).collect();
    // `cargo verify …` runs `cargo-verify verify …`.
    if args.first().is_some_and(|a| a == "verify") {
        args.remove(0);
    }
    let beside = std::env::current_exe().and_then(|p| p.canonicalize()).map(|p| p.with_file_name("verify"));
    let verify = beside.ok().filter(|p| p.is_file()).unwrap_or_else(|| "verify".into());
    let error = Command::new(&verify).arg("cargo").args(args).exec();
    eprintln!("cargo-verify: {}: {error}", verify.display());
    ExitCode::from(4)
}
