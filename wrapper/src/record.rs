//! From a finished invocation to its ledger record, capturing on the way.

use std::ffi::OsString;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use verify_cache::Store;
use verify_compile_db::archive;
use verify_compile_db::paths::absolute;
use verify_compile_db::record::VERSION;
use verify_compile_db::{Class, Compile, Outcome, Record, Status};

use crate::argv::{Driver, Invocation, Item, Mode};
use crate::capture::{self, CaptureError, Job};
use crate::config::Config;
use crate::link;
use crate::pch;
use crate::pending;
use crate::probe;
use crate::real::Real;
use crate::replay;

/// The variable by which `verify capture` knows the records of its own build.
pub const SESSION: &str = "VERIFY_CC_SESSION";

/// A finished invocation.
pub struct Finished<'a> {
    /// Which driver it is.
    pub driver: Driver,
    /// Working directory.
    pub cwd: &'a Path,
    /// The real compiler.
    pub real: &'a Real,
    /// Arguments after the program.
    pub argv: &'a [OsString],
    /// How it ended.
    pub status: Status,
    /// What the real compiler was given on standard input, where a source is read from there.
    pub stdin: Option<Vec<u8>>,
    /// Said of the record as a whole.
    pub note: Option<String>,
    /// The compiler's process, where it is not a child of this one: whose ancestors tell what it is part of.
    pub process: Option<u32>,
}

/// Captures what the invocation compiled and describes it. Never fails: what goes wrong is in the record.
#[must_use]
pub fn make(finished: &Finished, config: &Config) -> Record {
    described(finished, config, None)
}

/// The same for a command that a database describes and that was not run: its links are left out, and `output` is
/// where its object is when the command does not say so.
#[must_use]
pub fn described(finished: &Finished, config: &Config, output: Option<&Path>) -> Record {
    let mut record = Record {
        version: VERSION,
        time: 0,
        cwd: finished.cwd.to_path_buf(),
        real: finished.real.words.clone(),
        argv: finished.argv.to_vec(),
        status: finished.status.clone(),
        class: Class::Unsupported,
        note: finished.note.clone(),
        compiles: Vec::new(),
        link: None,
        session: std::env::var(SESSION).unwrap_or_default(),
    };
    let mut args = finished.real.fixed_options().to_vec();
    args.extend(finished.argv.iter().cloned());
    match Invocation::parse(finished.driver, finished.real.family(), &args, finished.cwd) {
        Ok(mut invocation) => {
            invocation.clang.splice(0..0, finished.real.implied_options());
            if invocation.output.is_none() {
                invocation.output = output.map(Path::to_path_buf);
            }
            fill(&mut record, &invocation, finished, config);
        }
        Err(e) => record.note = Some(e.to_string()),
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    record.time = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
    record
}

fn item_file(item: &Item) -> Option<&Path> {
    match item {
        Item::File { path, .. } => Some(path.as_path()),
        _ => None,
    }
}

/// The lines of a text; what follows the last line end is one, if it is anything.
fn lines_in(text: &[u8]) -> u64 {
    let ends = memchr::memchr_iter(b'\n', text).count() as u64;
    ends + u64::from(text.last().is_some_and(|last| *last != b'\n'))
}

fn fill(record: &mut Record, invocation: &Invocation, finished: &Finished, config: &Config) {
    let cwd = finished.cwd;
    record.class = class(invocation);
    if let Mode::Unsupported(why) = &invocation.mode {
        record.note = Some(why.clone());
    }
    if record.class == Class::Query {
        return;
    }
    let files: Vec<&Path> = invocation.items.iter().filter_map(item_file).collect();
    // Beside a real input an empty one is a way to switch something off.
    let real = |path: &&Path| files.len() == 1 || *path != Path::new("/dev/null");
    let named = files.iter().copied().filter(real).chain(invocation.output.as_deref());
    let probe = probe::detect(cwd, finished.process, named);
    let mut jobs = capture::jobs(invocation, cwd);
    for job in &mut jobs {
        let real = std::iter::once(finished.real.program.as_os_str());
        let real = real.chain(finished.real.words[1..finished.real.programs].iter().map(OsString::as_os_str));
        job.real = real.map(OsString::from).chain(invocation.preprocess.iter().cloned()).collect();
        if capture::is_standard_input(&job.source) {
            job.stdin.clone_from(&finished.stdin);
        }
    }
    record.compiles = jobs.iter().map(|job| compile(job, invocation)).collect();
    let skip = if let Some(why) = probe {
        record.class = Class::Probe;
        record.note = Some(why);
        Some("a probe".to_string())
    } else if finished.status.success() {
        match record.class {
            Class::Preprocess => Some("preprocessing only".to_string()),
            Class::SyntaxOnly => Some("checking only".to_string()),
            Class::Unsupported if jobs.iter().any(|j| j.language.ends_with("-header")) => {
                Some("a precompiled header; it is captured with the sources that include it".to_string())
            }
            Class::Unsupported => Some("the command is of a kind that is not captured".to_string()),
            _ => None,
        }
    } else {
        Some("the real compiler failed".to_string())
    };
    if let Some(why) = skip {
        for compile in &mut record.compiles {
            compile.outcome = Outcome::Skipped(why.clone());
        }
    } else {
        capture_all(record, &jobs, config);
    }
    if record.class == Class::Unsupported && finished.status.success() {
        remember_headers(&jobs, invocation, config);
    }
    if invocation.mode == Mode::Link {
        // What this link takes may have been compiled by wrappers that were killed.
        pending::recover(config);
    }
    if invocation.mode == Mode::Link && finished.status.success() && record.class != Class::Unsupported {
        record.link = Some(match record.class {
            // A probe's product is only remembered, so that a scan can leave it out.
            Class::Probe => link::describe(&Invocation { items: Vec::new(), ..invocation.clone() }, cwd),
            _ => link::describe(invocation, cwd),
        });
    }
}

/// What was precompiled is found again by the sources that include it.
fn remember_headers(jobs: &[Job], invocation: &Invocation, config: &Config) {
    let headers: Vec<&Job> = jobs.iter().filter(|job| job.language == "c-header").collect();
    let Some(store) = (!headers.is_empty()).then(|| Store::open(&config.cache).ok()).flatten() else { return };
    for job in headers {
        let header = absolute(&job.cwd, &job.source);
        let mut beside = header.clone().into_os_string();
        beside.push(".gch");
        let file = invocation.output.as_ref().map_or(beside.into(), |output| absolute(&job.cwd, output));
        pch::remember(&store, &file, &header);
    }
}

fn class(invocation: &Invocation) -> Class {
    let languages: Vec<&str> = invocation.sources().map(|(_, _, language)| language).collect();
    let header = languages.iter().any(|l| l.ends_with("-header"));
    let assembler = |l: &&str| l.starts_with("assembler");
    match &invocation.mode {
        Mode::Query => Class::Query,
        Mode::Unsupported(_) => Class::Unsupported,
        Mode::Preprocess => Class::Preprocess,
        Mode::SyntaxOnly => Class::SyntaxOnly,
        _ if header => Class::Unsupported,
        Mode::Assembly => Class::ToAssembly,
        Mode::Compile if !languages.is_empty() && languages.iter().all(assembler) => Class::Assemble,
        Mode::Compile => Class::Compile,
        Mode::Link if languages.is_empty() => Class::Link,
        Mode::Link => Class::CompileAndLink,
    }
}

fn compile(job: &Job, invocation: &Invocation) -> Compile {
    let stdin = job.source == Path::new("-");
    let source = if stdin { job.source.clone() } else { absolute(&job.cwd, &job.source) };
    let text = match &job.stdin {
        Some(text) => Some(text.clone()),
        None => read_regular(&source),
    };
    let object = object_of(job, invocation);
    let bytes = object.as_deref().and_then(read_regular);
    let marks = bytes.as_deref().and_then(archive::marks);
    Compile {
        source_hash: text.as_deref().map(blake3::hash),
        lines: text.as_deref().map(lines_in),
        source,
        language: job.language.clone(),
        object_hash: bytes.as_deref().map(blake3::hash),
        symbols: marks.as_ref().and_then(|m| m.defined),
        body: marks.as_ref().and_then(|m| m.body),
        bindings: marks.as_ref().and_then(|m| m.bindings),
        names: marks.map(|m| m.names).unwrap_or_default(),
        object,
        unit: None,
        outcome: Outcome::Skipped("not reached".into()),
        clang: [job.args.clone(), capture::searched_by_environment(&job.language)].concat(),
        changes: job.changes.clone(),
        replay: None,
        rebuilt: Vec::new(),
        note: None,
    }
}

fn read_regular(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    fs::read(path).ok()
}

/// Where the driver put the object or assembler text of a source.
fn object_of(job: &Job, invocation: &Invocation) -> Option<PathBuf> {
    let suffix = match invocation.mode {
        Mode::Compile => "o",
        Mode::Assembly => "s",
        _ => return None,
    };
    match &invocation.output {
        Some(output) => Some(absolute(&job.cwd, output)),
        None => {
            let name = job.source.file_name()?;
            Some(absolute(&job.cwd, &Path::new(name).with_extension(suffix)))
        }
    }
}

fn capture_all(record: &mut Record, jobs: &[Job], config: &Config) {
    let tools = config.tools();
    let store = Store::open(&config.cache);
    for (compile, job) in record.compiles.iter_mut().zip(jobs) {
        let result = match (&tools, &store) {
            (Ok(tools), Ok(store)) => {
                let run = AssertUnwindSafe(|| capture::compile_unit(tools, store, job));
                panic::catch_unwind(run)
                    .unwrap_or_else(|_| Err(CaptureError::Lower("verify-cc panicked; please report it".into())))
            }
            (Err(problem), _) => Err(CaptureError::Clang(problem.clone())),
            (_, Err(problem)) => Err(CaptureError::Cache(problem.to_string())),
        };
        match result {
            Ok(captured) => {
                compile.unit = Some(captured.unit);
                compile.outcome = Outcome::Captured { cached: captured.cached };
                compile.rebuilt = captured.rebuilt;
                compile.note = captured.note;
            }
            Err(e) => {
                if config.verbose {
                    eprintln!("verify-cc: {}: {e}", job.source.display());
                }
                compile.outcome = e.outcome();
                if let (Ok(tools), Ok(store)) = (&tools, &store) {
                    compile.replay = replay::write(tools, store, job, &e);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lines_in;

    #[test]
    fn a_last_line_without_an_end_counts() {
        assert_eq!(["", "a", "a\n", "a\nb", "\n\n"].map(|t| lines_in(t.as_bytes())), [0, 1, 1, 2, 2]);
    }
}
