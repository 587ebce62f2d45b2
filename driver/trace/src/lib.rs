//! Watches a command and everything it starts: which programs are executed, and how they end.
//!
//! By `ptrace(2)`, of which it uses the events for fork, exec and exit only; nothing of a watched process is changed,
//! and signals are handed on as they come. A process that the watcher wants to hear of is held at its end, with its
//! parents and its folder still there, until a command of the watcher's is done.
//!
//! What it is not: a debugger, or a sandbox. A watched process cannot be watched by another (debuggers, leak
//! sanitizers), and a program with set-user-id runs without its privileges; so watching is for those who ask for it.
//!
//! This crate binds C: the only `unsafe` code is the calls of `ptrace`, `waitpid` and `pre_exec`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

/// A program that was just executed and has not run yet.
#[derive(Clone, Debug)]
pub struct Started {
    /// Process.
    pub pid: u32,
    /// File of the program, links followed.
    pub program: PathBuf,
    /// Working directory.
    pub cwd: PathBuf,
    /// Its arguments, its own name first.
    pub argv: Vec<OsString>,
    /// Its environment, as `NAME=VALUE`.
    pub env: Vec<OsString>,
}

/// What is done about the programs that are executed.
pub trait Watcher {
    /// A program was executed. Whether its end is of interest.
    fn started(&mut self, program: Started) -> bool;

    /// A program of interest is about to end. A command that comes back is run first; its own processes are not watched.
    fn ending(&mut self, pid: u32, status: ExitStatus) -> Option<Command>;
}

/// Runs `command` to its end. What it leaves running in the background is let go.
///
/// # Errors
/// It cannot be started, or the system does not allow to watch it.
pub fn run(command: &mut Command, watcher: &mut dyn Watcher) -> io::Result<ExitStatus> {
    // SAFETY: the closure calls `ptrace` alone, which may be called between fork and exec.
    unsafe {
        command.pre_exec(|| request(libc::PTRACE_TRACEME, 0, 0));
    }
    let child = command.spawn()?;
    let first = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;
    let mut run =
        Run { first, known: BTreeSet::new(), wanted: BTreeSet::new(), held: BTreeMap::new(), end: None, watcher };
    while run.end.is_none() || !run.held.is_empty() {
        let (pid, status) = match wait() {
            Ok(event) => event,
            Err(e) if e.raw_os_error() == Some(libc::ECHILD) => break,
            Err(e) => return Err(e),
        };
        run.event(pid, status);
    }
    run.end.ok_or_else(|| io::Error::other("the command was lost"))
}

struct Run<'a> {
    first: libc::pid_t,
    /// Processes and threads that have been seen.
    known: BTreeSet<libc::pid_t>,
    /// Those whose end is of interest.
    wanted: BTreeSet<libc::pid_t>,
    /// The watcher's commands, and who waits for them.
    held: BTreeMap<libc::pid_t, libc::pid_t>,
    end: Option<ExitStatus>,
    watcher: &'a mut dyn Watcher,
}

const EVENTS: libc::c_int = libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT;

impl Run<'_> {
    fn event(&mut self, pid: libc::pid_t, status: libc::c_int) {
        if !libc::WIFSTOPPED(status) {
            self.known.remove(&pid);
            self.wanted.remove(&pid);
            if pid == self.first {
                self.end = Some(ExitStatus::from_raw(status));
            }
            if let Some(waiting) = self.held.remove(&pid) {
                go_on(waiting, 0);
            }
            return;
        }
        let signal = libc::WSTOPSIG(status);
        match status >> 16 {
            libc::PTRACE_EVENT_EXEC => self.executed(pid),
            libc::PTRACE_EVENT_EXIT => {
                let command = self.wanted.remove(&pid).then(|| self.ending(pid)).flatten();
                match command.and_then(|mut command| command.spawn().ok()) {
                    Some(helper) => {
                        // A process id fits.
                        self.held.insert(helper.id().cast_signed(), pid);
                    }
                    None => go_on(pid, 0),
                }
            }
            0 if !self.known.contains(&pid) => {
                self.known.insert(pid);
                if pid == self.first {
                    // The first exec, which is told as a trap; what it starts inherits the options.
                    let _ = request(libc::PTRACE_SETOPTIONS, pid, EVENTS as usize);
                    self.executed(pid);
                } else {
                    // A new process or thread stops once.
                    go_on(pid, if signal == libc::SIGSTOP { 0 } else { signal });
                }
            }
            // A process that stops as a whole cannot stay so here; it goes on.
            0 if is_group_stop(pid, signal) => go_on(pid, 0),
            0 => go_on(pid, signal),
            _ => go_on(pid, 0),
        }
    }

    fn executed(&mut self, pid: libc::pid_t) {
        let interesting = started(pid).is_some_and(|program| self.watcher.started(program));
        if interesting {
            self.wanted.insert(pid);
        } else {
            self.wanted.remove(&pid);
        }
        go_on(pid, 0);
    }

    fn ending(&mut self, pid: libc::pid_t) -> Option<Command> {
        let mut status: libc::c_ulong = 0;
        let place: *mut libc::c_ulong = &raw mut status;
        request(libc::PTRACE_GETEVENTMSG, pid, place as usize).ok()?;
        let status = ExitStatus::from_raw(libc::c_int::try_from(status).ok()?);
        self.watcher.ending(pid.cast_unsigned(), status)
    }
}

/// Lets a process go on, with a signal that it is to get; one that was killed meanwhile is gone.
fn go_on(pid: libc::pid_t, signal: libc::c_int) {
    let _ = request(libc::PTRACE_CONT, pid, signal.cast_unsigned() as usize);
}

fn is_group_stop(pid: libc::pid_t, signal: libc::c_int) -> bool {
    if ![libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU].contains(&signal) {
        return false;
    }
    let mut info = std::mem::MaybeUninit::<libc::siginfo_t>::uninit();
    request(libc::PTRACE_GETSIGINFO, pid, info.as_mut_ptr() as usize).is_err()
}

fn request(what: libc::c_uint, pid: libc::pid_t, data: usize) -> io::Result<()> {
    // SAFETY: `data` is a number, or the address of a place that lives through the call and is as large as the
    // request writes.
    let done = unsafe { libc::ptrace(what, pid, std::ptr::null_mut::<libc::c_void>(), data as *mut libc::c_void) };
    if done == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn wait() -> io::Result<(libc::pid_t, libc::c_int)> {
    loop {
        let mut status = 0;
        // SAFETY: `status` is a place for the status.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL) };
        if pid > 0 {
            return Ok((pid, status));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// What `/proc` says of a process that has just been executed.
fn started(pid: libc::pid_t) -> Option<Started> {
    let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).ok();
    let words = |bytes: Vec<u8>| -> Vec<OsString> {
        let text = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
        if text.is_empty() {
            Vec::new()
        } else {
            text.split(|b| *b == 0).map(|w| OsString::from_vec(w.to_vec())).collect()
        }
    };
    Some(Started {
        pid: pid.cast_unsigned(),
        program: fs::read_link(format!("/proc/{pid}/exe")).ok()?,
        cwd: fs::read_link(format!("/proc/{pid}/cwd")).ok()?,
        argv: words(read("cmdline")?),
        env: words(read("environ")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Names {
        seen: Vec<String>,
        ended: Vec<i32>,
    }

    impl Watcher for Names {
        fn started(&mut self, program: Started) -> bool {
            let name = program.argv[0].to_string_lossy().into_owned();
            let wanted = name == "false";
            self.seen.push(name);
            wanted
        }

        fn ending(&mut self, _pid: u32, status: ExitStatus) -> Option<Command> {
            self.ended.push(status.code().unwrap_or(-1));
            Some(Command::new("true"))
        }
    }

    fn check(script: &str, code: Option<i32>, seen: &[&str], ended: &[i32]) {
        let mut names = Names::default();
        let status = run(Command::new("sh").args(["-c", script]), &mut names).unwrap();
        assert_eq!(status.code(), code, "{script}");
        names.seen.sort();
        assert_eq!(names.seen, seen, "{script}");
        assert_eq!(names.ended, ended, "{script}");
    }

    // One test: all children of this process are the watcher's.
    #[test]
    fn programs_are_seen_and_end_as_ever() {
        check("env true; exit 3", Some(3), &["env", "sh", "true"], &[]);
        check("env false; env true", Some(0), &["env", "env", "false", "sh", "true"], &[1]);
        check("sh -c 'kill -TERM $$'; exit $((1 + $?))", Some(144), &["sh", "sh"], &[]);
        check("kill -KILL $$", None, &["sh"], &[]);
        // Signals that C has no name for, and one that stops.
        check("trap 'echo' USR1; kill -USR1 $$; sh -c 'kill -35 $$'; exit $?", Some(163), &["sh", "sh"], &[]);
        check(
            "(sleep 0.1; kill -CONT $$) & kill -STOP $$; wait; env false; exit 4",
            Some(4),
            &["env", "false", "sh", "sleep"],
            &[1],
        );
        check(
            "for i in 1 2 3 4 5 6 7 8; do (env true) & done; wait",
            Some(0),
            &[&["env"; 8][..], &["sh"], &["true"; 8]].concat(),
            &[],
        );
        assert!(run(&mut Command::new("/no/such/program"), &mut Names::default()).is_err());
    }
}
