//! The life of one wrapper process.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::{Command, exit};

use verify_compile_db::{Ledger, Status};

use crate::argv::Driver;
use crate::config::Config;
use crate::process::{Ended, Signals, die_by};
use crate::real::{self, NESTED, Real};
use crate::record::{self, Finished};

/// Runs as a compiler wrapper: never returns. The driver is the one that the name it was called by stands for.
pub fn main() -> ! {
    let mut args = env::args_os();
    let called = args.next().unwrap_or_default();
    let driver = real::driver_of_name(&called);
    let argv: Vec<OsString> = args.collect();
    let nested = env::var_os(NESTED).is_some();
    let configured = match driver {
        Driver::C => env::var_os("VERIFY_REAL_CC"),
        Driver::Cxx => env::var_os("VERIFY_REAL_CXX"),
    };
    let real = match real::find(driver, configured.as_deref(), &called, nested) {
        Ok(real) => real,
        Err(problem) => {
            eprintln!("{}: {problem}", name(driver));
            exit(127);
        }
    };
    let mut command = Command::new(&real.program);
    command.arg0(real.called()).args(&real.words[1..]).args(&argv);
    if nested {
        // A launcher of the outer wrapper found us in the compiler's place: be the compiler.
        let error = command.exec();
        eprintln!("{}: {}: {error}", name(driver), real.program.display());
        exit(126);
    }
    command.env(NESTED, "1");
    let cwd = env::current_dir();
    let (ended, signals) = match Signals::run_real(&mut command) {
        Ok((status, signals)) => (Ended::from(status), signals),
        Err(error) => {
            eprintln!("{}: {}: {error}", name(driver), real.program.display());
            exit(126);
        }
    };
    if let Ok(cwd) = cwd {
        write_down(driver, &cwd, &real, &argv, ended);
    }
    signals.keep();
    match ended {
        Ended::Code(code) => exit(code),
        Ended::Signal(signal) => die_by(signal),
        Ended::TimedOut => unreachable!("the real compiler has no time limit"),
    }
}

/// Captures and records; whatever happens stays inside.
fn write_down(driver: Driver, cwd: &Path, real: &Real, argv: &[OsString], ended: Ended) {
    let config = match Config::from_env() {
        Ok(config) => config,
        Err(problem) => return say(driver, env::var_os("VERIFY_VERBOSE").is_some(), &problem),
    };
    if !config.verbose {
        panic::set_hook(Box::new(|_| {}));
    }
    let status = match ended {
        Ended::Code(code) => Status::Code(code),
        Ended::Signal(signal) => Status::Signal(signal),
        Ended::TimedOut => return,
    };
    let finished = Finished { driver, cwd, real, argv, status };
    let written = panic::catch_unwind(AssertUnwindSafe(|| {
        let record = record::make(&finished, &config);
        Ledger::open(&config.cache).append(&record)
    }));
    match written {
        Ok(Ok(_)) => {}
        Ok(Err(problem)) => say(driver, config.verbose, &problem.to_string()),
        Err(_) => say(driver, config.verbose, "panicked while capturing; please report it"),
    }
}

fn say(driver: Driver, verbose: bool, text: &str) {
    if verbose {
        eprintln!("{}: {text}", name(driver));
    }
}

fn name(driver: Driver) -> &'static str {
    match driver {
        Driver::C => "verify-cc",
        Driver::Cxx => "verify-c++",
    }
}
