//! Answers SMT-LIB 2 scripts: `cargo run --release -p verify-solver --example smt -- [--conflicts N] FILE.smt2...`.
//! Several files are answered in turn, with their names in front. Exits with 3 when a file cannot be read.

use std::process::ExitCode;
use verify_solver::script;

/// Terms are read recursively, and benchmarks nest `let` by the thousand.
const STACK: usize = 2 << 30;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(work);
    match worker.map(|w| w.join()) {
        Ok(Ok(code)) => code,
        _ => ExitCode::from(4),
    }
}

fn work() -> ExitCode {
    let mut conflicts = None;
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        if a == "--conflicts" {
            conflicts = args.next().and_then(|n| n.parse().ok());
            if conflicts.is_none() {
                eprintln!("--conflicts takes a number");
                return ExitCode::from(3);
            }
        } else {
            files.push(a);
        }
    }
    if files.is_empty() {
        eprintln!("usage: smt [--conflicts N] FILE.smt2...");
        return ExitCode::from(3);
    }
    let mut code = ExitCode::SUCCESS;
    for f in &files {
        let text = match std::fs::read(f) {
            Ok(t) => String::from_utf8_lossy(&t).into_owned(),
            Err(e) => {
                eprintln!("{f}: {e}");
                code = ExitCode::from(3);
                continue;
            }
        };
        let many = files.len() > 1;
        let done = script::run(&text, conflicts, |line| {
            if many {
                println!("{f}: {line}");
            } else {
                println!("{line}");
            }
        });
        if let Err(e) = done {
            eprintln!("{f}: {e}");
            code = ExitCode::from(3);
        }
    }
    code
}
