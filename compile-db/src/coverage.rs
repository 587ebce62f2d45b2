//! How much of a build was captured: every recorded invocation classed, every source counted, every miss explained.
//!
//! A *unit* is a source that the real compiler turned into code successfully, outside of configuration tests;
//! assembler is none, as there is nothing in it to capture. A source compiled again to the same object counts
//! once, as the latest. An object that lies under the folder, or went into one of its programs, and that no
//! recorded command made, is a unit that was missed: the compiler was called past the wrapper.
//!
//! What it is not: it does not know why a whole build went past the wrapper; that is read off the project's files by
//! the driver.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::ledger::Contents;
use crate::project::{self, At, Project};
use crate::record::{Class, Compile, Outcome, Record, Status};

/// What became of an invocation, or of one source of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Its units were made.
    Captured,
    /// Its units were in the cache.
    Cached,
    /// It only linked.
    Link,
    /// It only preprocessed or listed dependencies.
    PreprocessOnly,
    /// It only checked.
    SyntaxOnly,
    /// It only assembled.
    Assembler,
    /// It is a configuration test.
    Probe,
    /// The compiler spoke of itself.
    Query,
    /// Of a kind that is not captured.
    Unsupported,
    /// It was captured, and the unit is no longer in the cache.
    Gone,
    /// It was captured, and its object has been made again since from another text, past the wrapper.
    Outdated,
    /// The capture failed, or the real compiler did.
    Failed,
}

impl Fate {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fate::Captured => "captured",
            Fate::Cached => "cached",
            Fate::Link => "link",
            Fate::PreprocessOnly => "preprocess-only",
            Fate::SyntaxOnly => "syntax-only",
            Fate::Assembler => "assembler",
            Fate::Probe => "probe",
            Fate::Query => "query",
            Fate::Unsupported => "unsupported",
            Fate::Gone => "gone",
            Fate::Outdated => "outdated",
            Fate::Failed => "failed",
        }
    }
}

/// One source of an invocation.
#[derive(Clone, Debug)]
pub struct SourceRow<'a> {
    /// What the ledger has.
    pub compile: &'a Compile,
    /// What became of it.
    pub fate: Fate,
    /// It is one of the units that the totals count: compiled, and not compiled again since.
    pub counted: bool,
    /// Why it has this fate, where that is a question.
    pub reason: Option<String>,
    /// What to do about it.
    pub advice: Option<String>,
}

/// One invocation.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// What the ledger has.
    pub record: &'a Record,
    /// What became of it: the worst of its sources.
    pub fate: Fate,
    /// Why it has this fate, where that is a question.
    pub reason: Option<String>,
    /// What to do about it.
    pub advice: Option<String>,
    /// Its sources in order.
    pub sources: Vec<SourceRow<'a>>,
}

/// A unit that no recorded invocation made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stranger {
    /// The object, or `archive(member)`.
    pub object: String,
    /// The program that it went into, if one is known.
    pub target: Option<PathBuf>,
}

/// Sums over the folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Recorded invocations.
    pub invocations: usize,
    /// Sources turned into code, strangers included.
    pub units: usize,
    /// Of these, with a unit in the cache.
    pub captured: usize,
    /// Of these, without: `units - captured`.
    pub missed: usize,
    /// Invocations that are configuration tests.
    pub probes: usize,
    /// Of `captured`, taken from the cache by the latest build.
    pub cached: usize,
    /// Of `missed`, because the capture failed.
    pub failed: usize,
    /// Of `missed`, because they are of a kind that is not captured.
    pub unsupported: usize,
    /// Of `missed`, because the cache has lost them since.
    pub gone: usize,
    /// Of `missed`, because the object was made again past the wrapper.
    pub outdated: usize,
    /// Of `missed`, because the compiler was called past the wrapper.
    pub strangers: usize,
    /// Invocations that linked.
    pub links: usize,
    /// Assembler sources.
    pub assembler: usize,
    /// Lines of the units' source files.
    pub lines: u64,
    /// Of these, in captured units.
    pub captured_lines: u64,
    /// Ledger records that could not be read.
    pub damaged: usize,
}

/// The ledger of a folder, classed.
#[derive(Clone, Debug, Default)]
pub struct Coverage<'a> {
    /// Sums.
    pub totals: Totals,
    /// Every invocation, oldest first.
    pub rows: Vec<Row<'a>>,
    /// Units made past the wrapper.
    pub strangers: Vec<Stranger>,
}

impl Totals {
    /// Captured units in percent; none when there are no units.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        (self.units > 0).then(|| 100.0 * self.captured as f64 / self.units as f64)
    }
}

/// Classes everything that was recorded under `project`'s folder.
#[must_use]
pub fn of<'a>(contents: &'a Contents, project: &Project) -> Coverage<'a> {
    let mut out = classed(contents, &project.root, &project.vanished);
    out.strangers = strangers(contents, project);
    out.totals = totals(&out, contents.damaged);
    out
}

/// Classes everything that was recorded under `root`. Looks at no file: what was made past the wrapper does not show.
#[must_use]
pub fn of_records<'a>(contents: &'a Contents, root: &Path) -> Coverage<'a> {
    classed(contents, root, &BTreeSet::new())
}

/// Compiles of which nothing is left count no more.
fn classed<'a>(contents: &'a Contents, root: &Path, vanished: &BTreeSet<At>) -> Coverage<'a> {
    let all = contents.records.iter().enumerate();
    let records: Vec<(usize, &Record)> = all.filter(|(_, record)| record.touches(root)).collect();
    let mut latest: BTreeMap<(PathBuf, PathBuf), At> = BTreeMap::new();
    for &(r, record) in records.iter().filter(|(_, record)| record.compiled()) {
        for c in 0..record.compiles.len() {
            latest.insert(record.place(c), (r, c));
        }
    }
    let counted: BTreeSet<At> = latest.into_values().filter(|at| !vanished.contains(at)).collect();
    let mut out = Coverage::default();
    for (r, record) in records {
        out.rows.push(row(record, |c| counted.contains(&(r, c))));
    }
    out.totals = totals(&out, contents.damaged);
    out
}

fn totals(coverage: &Coverage, damaged: usize) -> Totals {
    let strangers = coverage.strangers.len();
    let mut t = Totals {
        invocations: coverage.rows.len(),
        units: strangers,
        missed: strangers,
        strangers,
        damaged,
        ..Totals::default()
    };
    for row in &coverage.rows {
        t.probes += usize::from(row.fate == Fate::Probe);
        t.links += usize::from(row.record.link.is_some() && row.fate != Fate::Probe);
        for source in row.sources.iter().filter(|s| s.counted) {
            if source.fate == Fate::Assembler {
                t.assembler += 1;
                continue;
            }
            let lines = source.compile.lines.unwrap_or(0);
            t.units += 1;
            t.lines += lines;
            match source.fate {
                Fate::Captured | Fate::Cached => {
                    t.captured += 1;
                    t.captured_lines += lines;
                    t.cached += usize::from(source.fate == Fate::Cached);
                }
                fate => {
                    t.missed += 1;
                    t.failed += usize::from(fate == Fate::Failed);
                    t.gone += usize::from(fate == Fate::Gone);
                    t.outdated += usize::from(fate == Fate::Outdated);
                    t.unsupported += usize::from(fate == Fate::Unsupported);
                }
            }
        }
    }
    t
}

/// Objects of the project that came from nowhere: link inputs first, as they say where they went.
fn strangers(contents: &Contents, project: &Project) -> Vec<Stranger> {
    let mut out: BTreeMap<String, Stranger> = BTreeMap::new();
    for target in &project.targets {
        for missing in target.missing.iter().filter(|m| m.reason == project::UNKNOWN) {
            // What lies elsewhere is the system's or another project's.
            if Path::new(&missing.input).starts_with(&project.root) {
                let stranger = Stranger { object: missing.input.clone(), target: Some(target.path.clone()) };
                out.entry(missing.input.clone()).or_insert(stranger);
            }
        }
    }
    // A member of an archive and the object it was made of are one unit.
    let members: BTreeSet<String> =
        out.keys().filter_map(|k| Some(k.rsplit_once('(')?.1.trim_end_matches(')').into())).collect();
    for object in project::strangers(contents, project) {
        let name = object.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !members.contains(&name) {
            let object = object.display().to_string();
            out.entry(object.clone()).or_insert(Stranger { object, target: None });
        }
    }
    out.into_values().collect()
}

fn row<'a>(record: &'a Record, counted: impl Fn(usize) -> bool) -> Row<'a> {
    let sources: Vec<SourceRow> =
        record.compiles.iter().enumerate().map(|(c, compile)| source(record, compile, counted(c))).collect();
    let own = match record.class {
        Class::Probe => Some(Fate::Probe),
        Class::Query => Some(Fate::Query),
        _ if !record.status.success() => Some(Fate::Failed),
        Class::Preprocess => Some(Fate::PreprocessOnly),
        Class::SyntaxOnly => Some(Fate::SyntaxOnly),
        Class::Unsupported => Some(Fate::Unsupported),
        Class::Link => Some(Fate::Link),
        Class::Assemble => Some(Fate::Assembler),
        Class::Compile | Class::CompileAndLink | Class::ToAssembly => None,
    };
    let worst = |s: &&SourceRow| match s.fate {
        Fate::Failed => 5,
        Fate::Gone | Fate::Outdated => 4,
        Fate::Unsupported => 3,
        Fate::Captured => 2,
        Fate::Cached => 1,
        _ => 0,
    };
    let of_sources = sources.iter().max_by_key(worst);
    let fate = own.or(of_sources.map(|s| s.fate)).unwrap_or(Fate::Link);
    let (reason, advice) = match own {
        Some(Fate::Failed) => (Some(real_failed(&record.status)), None),
        Some(_) => (record.note.clone(), record.note.as_deref().and_then(advice_on_unsupported)),
        None => {
            let reason = of_sources.and_then(|s| s.reason.clone()).or_else(|| record.note.clone());
            (reason, of_sources.and_then(|s| s.advice.clone()))
        }
    };
    Row { record, fate, reason, advice, sources }
}

fn real_failed(status: &Status) -> String {
    match status {
        Status::Code(code) => format!("the real compiler failed with exit status {code}"),
        Status::Signal(signal) => format!("the real compiler was killed by signal {signal}"),
        Status::NotRun(why) => format!("the real compiler could not be started: {why}"),
    }
}

fn source<'a>(record: &Record, compile: &'a Compile, latest: bool) -> SourceRow<'a> {
    let fate = match &compile.outcome {
        Outcome::Captured { cached: false } => Fate::Captured,
        Outcome::Captured { cached: true } => Fate::Cached,
        _ if compile.is_assembler() => Fate::Assembler,
        Outcome::Failed { .. } => Fate::Failed,
        Outcome::Gone => Fate::Gone,
        Outcome::Outdated => Fate::Outdated,
        Outcome::Unsupported(_) => Fate::Unsupported,
        Outcome::Skipped(_) => match record.class {
            Class::Probe => Fate::Probe,
            Class::Preprocess => Fate::PreprocessOnly,
            Class::SyntaxOnly => Fate::SyntaxOnly,
            Class::Unsupported => Fate::Unsupported,
            _ => Fate::Failed,
        },
    };
    let (reason, advice) = match &compile.outcome {
        Outcome::Captured { .. } => (compile.note.clone(), None),
        Outcome::Unsupported(why) => (Some(why.clone()), advice(&compile.outcome, compile)),
        outcome => (Some(project::reason(outcome)), advice(outcome, compile)),
    };
    SourceRow { compile, fate, counted: latest && record.compiled(), reason, advice }
}

/// What makes units again without a build.
const AGAIN: &str = "run `verify capture --compile-db compile_commands.json`";

/// What to do about a source that has no unit.
fn advice(outcome: &Outcome, compile: &Compile) -> Option<String> {
    match outcome {
        Outcome::Captured { .. } | Outcome::Skipped(_) => None,
        Outcome::Gone | Outcome::Outdated => Some(match &compile.object {
            Some(object) => format!("remove {} and build again, or {AGAIN}", object.display()),
            None => format!("build again, or {AGAIN}"),
        }),
        Outcome::Unsupported(why) => advice_on_unsupported(why),
        Outcome::Failed { stage, message } => Some(match stage.as_str() {
            "cache" => "make room for the cache or set VERIFY_CACHE to a writable folder, and build again".into(),
            _ if message.contains("not installed") || message.contains("is no program") => {
                "install what is missing, and build again".into()
            }
            _ if message.contains("VERIFY_TIMEOUT=") => "set VERIFY_TIMEOUT to seconds, and build again".into(),
            _ if message.contains("VERIFY_LOWER") => "install verify-lower beside verify-cc, and build again".into(),
            _ if message.contains(": stopped after") => "raise VERIFY_TIMEOUT (seconds), and build again".into(),
            "interrupted" => "run the command again".into(),
            _ => match &compile.replay {
                Some(folder) => format!("see it again with: sh {}/replay.sh", folder.display()),
                None => "build this file again with VERIFY_VERBOSE=1".into(),
            },
        }),
    }
}

fn advice_on_unsupported(why: &str) -> Option<String> {
    let advice = if why.contains("C++") {
        "C++ is not analysed; the C sources of the project are"
    } else if why.contains("standard input") {
        "compile from a file, or through a pipe or a file as standard input, not from a terminal"
    } else if why.contains("not a regular file") {
        "compile from a file"
    } else if why.contains("includes itself") {
        "mend the response file"
    } else if why.contains("precompiled header") {
        "nothing: sources that use it are captured from its text"
    } else {
        return None;
    };
    Some(advice.into())
}
