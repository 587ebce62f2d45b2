//! Running a program to its end: with a time limit, or as the real compiler with our signals passed on.
//!
//! The wait is by `waitid` without reaping, so that a process id is never signalled after the kernel may have
//! given it to another process.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Exit status.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Killed by us for taking too long.
    TimedOut,
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Ended {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::Code(-1),
        }
    }
}

/// Waits until the child has ended, leaving it unreaped.
fn wait_unreaped(pid: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
}

/// Runs `command` in a process group of its own, for at most `timeout`; on time-out the whole group is killed.
///
/// # Errors
/// When the program cannot be started.
pub fn run(command: &mut Command, timeout: Duration) -> io::Result<Ended> {
    command.process_group(0);
    let mut child = command.spawn()?;
    let group = CURRENT_GROUP.enter(&child);
    let Some(pid) = Pid::from_raw(child.id().cast_signed()) else {
        return child.wait().map(Ended::from);
    };
    let (done, ended) = mpsc::channel();
    let waiter = std::thread::spawn(move || {
        wait_unreaped(pid);
        let _ = done.send(());
    });
    let timed_out = ended.recv_timeout(timeout).is_err();
    if timed_out {
        // Unreaped, so the id is still the child's.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = waiter.join();
    drop(group);
    let status = child.wait()?;
    Ok(if timed_out { Ended::TimedOut } else { status.into() })
}

/// The process group of the tool that runs now, for the signal handler.
static CURRENT_GROUP: Group = Group(Mutex::new(None));

struct Group(Mutex<Option<Pid>>);

struct Entered;

impl Group {
    fn enter(&'static self, child: &Child) -> Entered {
        *lock(&self.0) = Pid::from_raw(child.id().cast_signed());
        Entered
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        *lock(&CURRENT_GROUP.0) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What to do with a signal that reaches the wrapper.
enum Phase {
    /// The real compiler runs: hand it on.
    Real(Pid),
    /// The real compiler has ended; a capture may be running: stop it and die as the compiler would have.
    Capture,
}

/// Passes signals on to the real compiler while it runs, and afterwards ends captures cleanly.
pub struct Signals {
    phase: Arc<Mutex<Phase>>,
}

impl Signals {
    /// Runs the real compiler to its end with our standard streams.
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn run_real(command: &mut Command) -> io::Result<(ExitStatus, Signals)> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let ignored = ignored_at_start();
        let caught: Vec<i32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
            .into_iter()
            // One that is ignored (`nohup`) must stay ignored, for us and for the compiler.
            .filter(|s| ignored & (1 << (s - 1)) == 0)
            .collect();
        if ignored & (1 << (signal_hook::consts::SIGCHLD - 1)) != 0 {
            // With SIGCHLD ignored the kernel would reap the compiler and its exit status be lost.
            signal_hook::flag::register(signal_hook::consts::SIGCHLD, Arc::default())?;
        }
        let mut pending = signal_hook::iterator::Signals::new(caught)?;
        let mut child = command.spawn()?;
        let Some(pid) = Pid::from_raw(child.id().cast_signed()) else {
            let status = child.wait()?;
            return Ok((status, Signals { phase: Arc::new(Mutex::new(Phase::Capture)) }));
        };
        let phase = Arc::new(Mutex::new(Phase::Real(pid)));
        let seen = Arc::clone(&phase);
        std::thread::spawn(move || {
            for signal in pending.forever() {
                match &*lock(&seen) {
                    Phase::Real(pid) => {
                        if let Some(signal) = Signal::from_named_raw(signal) {
                            let _ = kill_process(*pid, signal);
                        }
                    }
                    Phase::Capture => {
                        if let Some(group) = *lock(&CURRENT_GROUP.0) {
                            let _ = kill_process_group(group, Signal::KILL);
                        }
                        die_by(signal);
                    }
                }
            }
        });
        wait_unreaped(pid);
        *lock(&phase) = Phase::Capture;
        let status = child.wait()?;
        Ok((status, Signals { phase }))
    }

    /// Keeps the handler's state alive for the rest of the process.
    pub fn keep(self) {
        std::mem::forget(self.phase);
    }
}

/// Where files may not grow (`ulimit -f`), our own writes fail from now on instead of ending us beside the compiler. By a
/// handler: unlike a signal that is ignored, it is not handed down.
pub fn outlive_file_limits() {
    let signal = signal_hook::consts::SIGXFSZ;
    if ignored_at_start() & (1 << (signal - 1)) == 0 {
        let _ = signal_hook::flag::register(signal, Arc::default());
    }
}

/// Ends this process the way the signal would, without a core dump of our own.
pub fn die_by(signal: i32) -> ! {
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none);
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    // The signal's default was to do nothing, or it is blocked: the shell's convention.
    std::process::exit(128 + signal)
}

/// Mask of the signals that are ignored, bit n-1 for signal n; zero where it cannot be read.
fn ignored_at_start() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
