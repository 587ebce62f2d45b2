//! `verify`: the command line. It reads the environment, the clock and the file system, prints, and decides the exit
//! code; everything between is done by the libraries.
#![forbid(unsafe_code)]

/// The macro of the standard library ends the program, with an exit code that means nothing, when standard error cannot be
/// written (`2>&1 | head -1`, `2>/dev/full`).
macro_rules! eprintln {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod annotations;
mod asserts;
mod below;
mod cache;
mod capture;
mod cargo;
mod check;
mod cli;
mod compile;
mod conditions;
mod config;
mod diff;
mod diff_cache;
mod exit;
mod explain;
mod foreign;
mod host;
mod ledger;
mod models;
mod names;
mod neighbours;
mod optin;
mod output;
mod outside;
mod patterns;
mod programs;
mod progress;
mod property;
mod query_log;
mod replay;
mod reports;
mod run;
mod same_build;
mod scan;
mod shapes;
mod show;
mod tail_calls;
mod targets;
mod termination;
mod tools;
mod vacuity;
mod witness;

/// Formulas are many small objects that live and die together; with the system's allocator they take a tenth of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("VERIFY_LOG").unwrap_or_else(|_| "warn".into());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .log_internal_errors(false)
        .init();
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            let _ = e.print();
            return ExitCode::from(if e.use_stderr() { exit::USAGE } else { exit::CLEAN });
        }
    };
    let result = match &cli.command {
        cli::Command::Cache(args) => cache::cache(args),
        cli::Command::Capture(args) => capture::capture(args),
        cli::Command::Cargo(args) => cargo::cargo(args),
        cli::Command::Ledger(args) => ledger::ledger(args),
        cli::Command::Programs(args) => programs::programs(args),
        cli::Command::Scan(args) => scan::scan(args),
        cli::Command::Check(args) => check::check(args),
        cli::Command::Diff(args) => diff::diff(args),
        cli::Command::Explain(args) => explain::explain(args),
        cli::Command::Replay(args) => replay::replay(args),
        cli::Command::Run(args) => run::run(args),
        cli::Command::Show(args) => show::show(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(e) if is_closed_pipe(&e) => ExitCode::from(exit::CLEAN),
        Err(e) => {
            eprintln!("verify: {}", format!("{e:#}").replace('\n', " "));
            let usage = e.chain().any(|c| c.is::<exit::Usage>());
            ExitCode::from(if usage { exit::USAGE } else { exit::INTERNAL })
        }
    }
}

/// `verify show ... | head` is not an error.
fn is_closed_pipe(e: &anyhow::Error) -> bool {
    e.chain().any(|c| c.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe))
}
