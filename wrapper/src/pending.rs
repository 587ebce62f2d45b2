//! What has begun and not ended: a note on disk for every invocation that is under way.
//!
//! A build tool goes by the object: when a wrapper is killed between the real compiler's end and the capture's, no
//! later `make` runs the command again. The note is written before the real compiler starts, is locked as long as
//! the wrapper or the compiler lives, and is struck out when the record is written. One that is left without its wrapper is
//! made good by [`recover`]: by the next link, and before anything reads the ledger.
//!
//! Notes stand in files that are used again and again, as many as there are wrappers at the same time: making and removing
//! a file for each would cost more than all else that a wrapper does when nothing has changed. The first byte is written
//! last, and it alone says whether the rest is a note.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use verify_compile_db::{Status, text};

use crate::argv::{Driver, Invocation, Mode};
use crate::config::Config;
use crate::real::Real;
use crate::record::Finished;
use crate::wrap;

/// An invocation under way: its note, locked until this process ends.
#[derive(Debug)]
pub struct Pending(File);

/// More wrappers than that at once go without a note.
const PLACES: usize = 4096;

/// The first byte of a file without a note.
const FREE: &[u8] = b"-";

#[derive(Serialize, Deserialize)]
struct Note {
    start: u64,
    cxx: bool,
    #[serde(with = "text::path")]
    cwd: PathBuf,
    #[serde(with = "text::args")]
    real: Vec<OsString>,
    #[serde(with = "text::path")]
    program: PathBuf,
    programs: usize,
    #[serde(with = "text::args")]
    argv: Vec<OsString>,
}

fn folder(cache: &Path) -> PathBuf {
    cache.join("ledger").join("pending")
}

fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

impl Pending {
    /// Notes that the command is about to run; none when the cache cannot be written.
    pub(crate) fn begin(cache: &Path, driver: Driver, cwd: &Path, real: &Real, argv: &[OsString]) -> Option<Pending> {
        let start = nanos(SystemTime::now());
        let note = Note {
            start,
            cxx: driver == Driver::Cxx,
            cwd: cwd.to_path_buf(),
            real: real.words.clone(),
            program: real.program.clone(),
            programs: real.programs,
            argv: argv.to_vec(),
        };
        let text = serde_json::to_vec(&note).ok()?;
        let (first, rest) = text.split_at(1);
        let dir = folder(cache);
        let open = |path: &Path| File::options().read(true).write(true).create(true).truncate(false).open(path);
        for place in 0..PLACES {
            let path = dir.join(place.to_string());
            let file = match open(&path).or_else(|_| fs::create_dir_all(&dir).and_then(|()| open(&path))) {
                Ok(file) => file,
                // Another user's.
                Err(_) if path.exists() => continue,
                Err(_) => return None,
            };
            if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() || is_note(&file) {
                continue;
            }
            // The compiler inherits the lock: as long as it lives its wrapper's death changes nothing.
            let _ = rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty());
            file.write_all_at(&[rest, b"\n"].concat(), 1).and_then(|()| file.write_all_at(first, 0)).ok()?;
            return Some(Pending(file));
        }
        None
    }

    /// The record is written.
    pub fn end(self) {
        let _ = self.0.write_all_at(FREE, 0);
    }
}

fn is_note(file: &File) -> bool {
    let mut first = [0];
    file.read_exact_at(&mut first, 0).is_ok() && first == *b"{"
}

/// Captures what killed wrappers left undone, and records it. Returns how many invocations that were.
pub fn recover(config: &Config) -> usize {
    // To make good a link is to record one, which asks for recovery.
    static BUSY: AtomicBool = AtomicBool::new(false);
    if BUSY.swap(true, Ordering::Relaxed) {
        return 0;
    }
    let done = recover_all(config);
    BUSY.store(false, Ordering::Relaxed);
    done
}

fn recover_all(config: &Config) -> usize {
    let mut done = 0;
    let entries = fs::read_dir(folder(&config.cache)).into_iter().flatten().flatten();
    for path in entries.map(|e| e.path()) {
        // Ours to make good only when its wrapper is gone and no one else is at it.
        let Ok(file) = File::options().read(true).write(true).open(&path) else { continue };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() || !is_note(&file) {
            continue;
        }
        // The lock is kept until the note is struck out.
        if let Some(note) = read(&file) {
            if !finish(&note, config) {
                // There is no room for the others either.
                break;
            }
            done += 1;
        }
        let _ = file.write_all_at(FREE, 0);
        // Earlier versions had a file for each note.
        if path.extension().is_some() {
            let _ = fs::remove_file(&path);
        }
    }
    done
}

/// The note in a file: its first line, as a longer one may have stood there before.
fn read(file: &File) -> Option<Note> {
    let mut line = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

fn finish(note: &Note, config: &Config) -> bool {
    let driver = if note.cxx { Driver::Cxx } else { Driver::C };
    let real = Real { words: note.real.clone(), program: note.program.clone(), programs: note.programs };
    let mut args = real.fixed_options().to_vec();
    args.extend(note.argv.iter().cloned());
    let made = Invocation::parse(driver, real.family(), &args, &note.cwd).is_ok_and(|i| outputs_made(&i, note));
    let (status, why) = if made {
        (Status::Code(0), "its wrapper was killed or could not write; captured afterwards")
    } else {
        (
            Status::NotRun("killed together with its wrapper".into()),
            "its wrapper was killed, or could not write, before it was done",
        )
    };
    let finished = Finished {
        driver,
        cwd: &note.cwd,
        real: &real,
        argv: &note.argv,
        status,
        stdin: None,
        note: Some(why.into()),
        process: None,
    };
    wrap::write_down(&finished, config)
}

/// Whether everything that the command makes was written after it began.
fn outputs_made(invocation: &Invocation, note: &Note) -> bool {
    let suffix = match invocation.mode {
        Mode::Compile => "o",
        Mode::Assembly => "s",
        Mode::Link => "out",
        _ => return false,
    };
    let outputs: Vec<PathBuf> = match (&invocation.output, &invocation.mode) {
        (Some(output), _) => vec![output.clone()],
        (None, Mode::Link) => vec!["a.out".into()],
        (None, _) => {
            let names = invocation.sources().filter_map(|(_, path, _)| path.file_name());
            names.map(|name| Path::new(name).with_extension(suffix)).collect()
        }
    };
    // File systems keep times in steps of up to two seconds.
    let since = note.start.saturating_sub(2_000_000_000);
    let new = |path: &PathBuf| {
        let changed = fs::metadata(note.cwd.join(path)).and_then(|m| m.modified());
        changed.is_ok_and(|t| nanos(t) >= since)
    };
    !outputs.is_empty() && outputs.iter().all(new)
}

/// Whether there is anything to [`recover`], or under way.
#[must_use]
pub fn any(cache: &Path) -> bool {
    let mut entries = fs::read_dir(folder(cache)).into_iter().flatten().flatten();
    entries.any(|entry| File::open(entry.path()).is_ok_and(|file| is_note(&file)))
}

/// Recovers with the environment's configuration, for programs that are about to read the ledger.
pub fn recover_from_env() {
    if let Ok(config) = Config::from_env()
        && any(&config.cache)
    {
        recover(&config);
    }
}
