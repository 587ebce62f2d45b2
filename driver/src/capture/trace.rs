//! `verify capture --trace`: compilers that a build calls by their full path, past every name on `PATH`.
//!
//! The build is watched ([`verify_trace`]), and where a compiler ends that no wrapper started, this program is run once
//! more, in the compiler's folder and environment, to capture what it compiled. The compiler itself is not touched.

use crate::exit::{self, usage};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use verify_compile_db::Status;
use verify_trace::{Started, Watcher};
use verify_wrapper::real::{self, Real};
use verify_wrapper::record::Finished;

/// The hidden option under which this program captures what a compiler has compiled.
const AFTER: &str = "--after";

/// Runs a build, watching it.
///
/// # Errors
/// It cannot be started or watched.
pub fn run(command: &mut Command, cache: &Path) -> anyhow::Result<ExitStatus> {
    let own = std::env::current_exe()?;
    let mut watcher = Compilers { own, cache: cache.to_path_buf(), running: BTreeSet::new(), seen: Vec::new() };
    let name = command.get_program().to_string_lossy().into_owned();
    verify_trace::run(command, &mut watcher)
        .map_err(|e| usage(format!("cannot run {name} with --trace: {e}; without --trace the build is not watched")))
}

struct Compilers {
    own: PathBuf,
    cache: PathBuf,
    running: BTreeSet<u32>,
    seen: Vec<Started>,
}

impl Watcher for Compilers {
    fn started(&mut self, program: Started) -> bool {
        self.running.remove(&program.pid);
        self.seen.retain(|s| s.pid != program.pid);
        let wanted = is_compiler(&program) && !self.under_another(program.pid);
        if wanted {
            self.running.insert(program.pid);
            self.seen.push(program);
        }
        wanted
    }

    fn ending(&mut self, pid: u32, status: ExitStatus) -> Option<Command> {
        self.running.remove(&pid);
        let at = self.seen.iter().position(|s| s.pid == pid)?;
        let program = self.seen.swap_remove(at);
        let mut command = Command::new(&self.own);
        command.args(["capture", AFTER]).arg(format!("{}:{pid}", status.into_raw())).arg("--").arg(&program.program);
        command.args(&program.argv).current_dir(&program.cwd).env_clear();
        for line in &program.env {
            let bytes = line.as_bytes();
            if let Some(at) = bytes.iter().skip(1).position(|b| *b == b'=') {
                command.env(OsStr::from_bytes(&bytes[..=at]), OsStr::from_bytes(&bytes[at + 2..]));
            }
        }
        command.env("VERIFY_CACHE", &self.cache);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Some(command)
    }
}

impl Compilers {
    /// Whether another compiler's driver started it: link-time optimisation calls the compiler again.
    fn under_another(&self, pid: u32) -> bool {
        let mut pid = pid;
        for _ in 0..32 {
            let Some(parent) = verify_wrapper::parent_of(pid).filter(|p| *p > 1) else { return false };
            if self.running.contains(&parent) {
                return true;
            }
            pid = parent;
        }
        false
    }
}

fn is_compiler(program: &Started) -> bool {
    let Some(name) = program.argv.first() else { return false };
    // A launcher that has the answer already calls no compiler.
    let launches = || program.argv.get(1).is_some_and(|word| real::is_compiler_name(word));
    let nested = |line: &OsString| line.as_bytes().starts_with(format!("{}=", real::NESTED).as_bytes());
    real::is_compiler_name(name)
        && (!real::is_launcher(name) || launches())
        && !real::is_wrapper(&program.program)
        // clang's own second stage.
        && program.argv.get(1).is_none_or(|a| a != "-cc1" && a != "-cc1as")
        && !program.env.iter().any(nested)
}

/// Captures what a compiler has compiled: `after` is its status and its process.
///
/// # Errors
/// Usage.
pub fn after(after: &str, words: &[OsString]) -> anyhow::Result<u8> {
    let bad = || usage("--after is for verify itself");
    let (status, pid) = after.split_once(':').ok_or_else(bad)?;
    let status = ExitStatus::from_raw(status.parse().map_err(|_| bad())?);
    let [program, name, argv @ ..] = words else { return Err(bad()) };
    let cwd = std::env::current_dir()?;
    // By the name it was called by, where that is a path: drivers go by their name.
    let named = Path::new(name).components().count() > 1 || name.as_bytes().starts_with(b"/");
    let (word, program) = match named {
        true => (name.clone(), cwd.join(name)),
        false => (program.clone(), PathBuf::from(program)),
    };
    let launched = match real::is_launcher(name) {
        true => argv.iter().take_while(|word| real::is_compiler_name(word)).count(),
        false => 0,
    };
    let (compilers, argv) = argv.split_at(launched);
    let words: Vec<OsString> = std::iter::once(&word).chain(compilers).cloned().collect();
    let driver = real::driver_of_name(words.last().unwrap_or(name));
    let real = Real { programs: words.len(), words, program };
    let status = match (status.code(), status.signal()) {
        (Some(code), _) => Status::Code(code),
        (None, signal) => Status::Signal(signal.unwrap_or(0)),
    };
    let note = Some("called past the wrapper; seen by --trace".to_string());
    let finished =
        Finished { driver, cwd: &cwd, real: &real, argv, status, stdin: None, note, process: pid.parse().ok() };
    let config = verify_wrapper::Config::from_env().map_err(usage)?;
    verify_wrapper::write_down(&finished, &config);
    Ok(exit::CLEAN)
}
