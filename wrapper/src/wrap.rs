//! The life of one wrapper process.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, Write};
use std::os::unix::process::CommandExt;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::{Command, exit};

use verify_compile_db::{Ledger, Status};

use crate::argv::{Driver, Invocation, Mode};
use crate::capture::is_standard_input;
use crate::config::Config;
use crate::pending::Pending;
use crate::process::{Ended, Signals, die_by, outlive_file_limits};
use crate::real::{self, NESTED, NO_RUST_LINKS, Real};
use crate::record::{self, Finished};

/// Runs as a compiler wrapper: never returns. The driver is the one that the name it was called by stands for.
pub fn main() -> ! {
    let mut args = env::args_os();
    let called = args.next().unwrap_or_default();
    let mut argv: Vec<OsString> = args.collect();
    let nested = env::var_os(NESTED).is_some();
    let launcher = real::is_launcher(&called);
    // `ccache gcc -c x.c`, called under the launcher's name: the compiler is the word after it.
    let compiler = argv.first().filter(|w| launcher && real::is_compiler_name(w)).cloned();
    let driver = real::driver_of_name(compiler.as_deref().unwrap_or(&called));
    let configured = match driver {
        _ if launcher => None,
        Driver::C => env::var_os("VERIFY_REAL_CC"),
        Driver::Cxx => env::var_os("VERIFY_REAL_CXX"),
    };
    let found = real::find(driver, configured.as_deref(), &called, nested);
    let mut real = match found {
        Ok(real) => real,
        Err(problem) => {
            eprintln!("{}: {problem}", name(driver));
            exit(127);
        }
    };
    if let Some(compiler) = compiler.clone() {
        argv.remove(0);
        real.words.push(compiler);
        real.programs += 1;
    }
    let path = real::path_without_wrappers(&called);
    let mut command = Command::new(&real.program);
    command.arg0(real.called(path.as_deref())).args(&real.words[1..]).args(&argv);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let links_rust = env::var_os(NO_RUST_LINKS).is_some() && {
        let parent = std::os::unix::process::parent_id();
        std::fs::read(format!("/proc/{parent}/comm")).is_ok_and(|name| name.trim_ascii() == b"rustc")
    };
    if nested || links_rust || launcher && compiler.is_none() {
        // A launcher of the outer wrapper found us in the compiler's place, or a launcher was asked about itself.
        let error = command.exec();
        eprintln!("{}: {}: {error}", name(driver), real.program.display());
        exit(126);
    }
    command.env(NESTED, "1");
    outlive_file_limits();
    let cwd = env::current_dir();
    let config = Config::from_env();
    let stdin = argv
        .iter()
        .any(|w| is_standard_input(Path::new(w)))
        .then(|| input(driver, &real, &argv, &mut command))
        .flatten();
    let pending = match (&config, &cwd) {
        (Ok(config), Ok(cwd)) => Pending::begin(&config.cache, driver, cwd, &real, &argv),
        _ => None,
    };
    let finished = |status: Status, stdin: Option<Vec<u8>>| {
        let (Ok(config), Ok(cwd)) = (&config, &cwd) else { return true };
        let finished = Finished { driver, cwd, real: &real, argv: &argv, status, stdin, note: None, process: None };
        write_down(&finished, config)
    };
    let (ended, signals) = match Signals::run_real(&mut command) {
        Ok((status, signals)) => (Ended::from(status), signals),
        Err(error) => {
            eprintln!("{}: {}: {error}", name(driver), real.program.display());
            if finished(Status::NotRun(error.to_string()), None)
                && let Some(pending) = pending
            {
                pending.end();
            }
            exit(126);
        }
    };
    if let Err(problem) = &config {
        say(driver, env::var_os("VERIFY_VERBOSE").is_some(), problem);
    }
    let status = match ended {
        Ended::Code(code) => Status::Code(code),
        Ended::Signal(signal) => Status::Signal(signal),
        Ended::TimedOut => unreachable!("the real compiler has no time limit"),
    };
    let written = finished(status, stdin);
    // What could not be written down now is made good when there is room.
    if written && let Some(pending) = pending {
        pending.end();
    }
    signals.keep();
    match ended {
        Ended::Code(code) => exit(code),
        Ended::Signal(signal) => die_by(signal),
        Ended::TimedOut => unreachable!("the real compiler has no time limit"),
    }
}

/// A source on standard input is read here and handed on, because it can be read once only. A terminal, and a
/// command that makes no code, keep what they have.
fn input(driver: Driver, real: &Real, argv: &[OsString], command: &mut Command) -> Option<Vec<u8>> {
    let cwd = env::current_dir().ok()?;
    let invocation = Invocation::parse(driver, real.family(), argv, &cwd).ok()?;
    let makes_code = matches!(invocation.mode, Mode::Compile | Mode::Assembly | Mode::Link);
    let mut stdin = std::io::stdin();
    if !makes_code || stdin.is_terminal() || !invocation.sources().any(|(_, path, _)| is_standard_input(path)) {
        return None;
    }
    // In memory: a full disk must not take the build's input away.
    let memory = rustix::fs::memfd_create("stdin", rustix::fs::MemfdFlags::CLOEXEC).ok()?;
    let mut copy = File::from(memory);
    let mut text = Vec::new();
    let read = stdin.read_to_end(&mut text);
    let written = copy.write_all(&text).and_then(|()| copy.rewind());
    command.stdin(copy);
    (read.is_ok() && written.is_ok()).then_some(text)
}

/// Captures and records; whatever happens stays inside. False when there is no record of it and there may be one later.
pub fn write_down(finished: &Finished, config: &Config) -> bool {
    if !config.verbose {
        panic::set_hook(Box::new(|_| {}));
    }
    let written = panic::catch_unwind(AssertUnwindSafe(|| {
        let record = record::make(finished, config);
        Ledger::open(&config.cache).append(&record)
    }));
    match &written {
        Ok(Ok(_)) => {}
        Ok(Err(problem)) => say(finished.driver, config.verbose, &problem.to_string()),
        Err(_) => say(finished.driver, config.verbose, "panicked while capturing; please report it"),
    }
    !matches!(written, Ok(Err(_)))
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
