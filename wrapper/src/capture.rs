//! One source to one unit: clang writes bitcode, `verify-lower` turns it into a unit, the cache keeps it.
//!
//! Also the way in for everything that has a source and a command line but no build around it: programs given by
//! hand, compilation databases, the C library models. All paths of tools are given; nothing is looked up here.
//!
//! A unit is reused when everything it depends on is the same. What the command read last time is written down
//! ([`crate::manifest`]) and looked at first: when tools, command, environment, the content of every file and the
//! absence of every header that was looked for are the same, nothing runs. Otherwise clang does, once, and says which
//! files it read. Where those do not tell the text (computed includes, the time), the preprocessor runs as well, and its
//! text with the content of every file named in it decides.
//!
//! A source that clang does not take is tried again as the real compiler preprocesses it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blake3::{Hash, Hasher};
use verify_cache::{Kind, Store};
use verify_compile_db::{Change, Entry, Outcome};

use crate::argv::{Driver, Invocation, Mode};
use crate::ask;
use crate::direct;
use crate::fallback;
use crate::manifest::{self, Manifest};
use crate::markers;
use crate::options::Family;
use crate::tool;
use crate::translate::{common_options, emit_options};

/// The programs that make a unit.
#[derive(Clone, Debug)]
pub struct Tools {
    /// clang, version 19.
    pub clang: PathBuf,
    /// `verify-lower`.
    pub lower: PathBuf,
    /// Longest time either may take for one source.
    pub timeout: Duration,
}

/// One source to capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Working directory of the command, absolute.
    pub cwd: PathBuf,
    /// The source, absolute or relative to `cwd`, as on the command line.
    pub source: PathBuf,
    /// Language as `-x` names it.
    pub language: String,
    /// Arguments for clang (see [`Invocation::clang`]).
    pub args: Vec<OsString>,
    /// What clang is told differently or not at all.
    pub changes: Vec<Change>,
    /// A source of the C library models, which may call the analysis' primitives.
    pub model: bool,
    /// What the build made of it, as on the command line; tells two compiles of one source apart.
    pub object: Option<PathBuf>,
    /// The text, when the source is `-`.
    pub stdin: Option<Vec<u8>>,
    /// The real compiler with options that make it preprocess the source as it did; empty when there is none.
    pub real: Vec<OsString>,
}

/// A captured unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Its name in the cache, under [`Kind::UNIT`].
    pub unit: Hash,
    /// It was there before.
    pub cached: bool,
    /// Why the unit of an earlier build could not be used, in words.
    pub rebuilt: Vec<String>,
    /// How it was made, when not in the usual way.
    pub note: Option<String>,
}

/// Why a source has no unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// clang does not take the source, or cannot be run.
    #[error("clang: {0}")]
    Clang(String),
    /// The lowering does not take the bitcode, or cannot be run.
    #[error("verify-lower: {0}")]
    Lower(String),
    /// The cache cannot be written.
    #[error("{0}")]
    Cache(String),
    /// The source is of a kind that is not captured.
    #[error("unsupported: {0}")]
    Unsupported(String),
}

impl CaptureError {
    /// The form the ledger keeps.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let failed = |stage: &str, message: &String| Outcome::Failed { stage: stage.into(), message: message.clone() };
        match self {
            CaptureError::Clang(message) => failed("clang", message),
            CaptureError::Lower(message) => failed("verify-lower", message),
            CaptureError::Cache(message) => failed("cache", message),
            CaptureError::Unsupported(why) => Outcome::Unsupported(why.clone()),
        }
    }
}

/// The sources of a command line (program name left out) as jobs, whatever the command would do with them.
///
/// # Errors
/// [`CaptureError::Unsupported`] when its response files do not end or it is of a kind that cannot be captured.
pub fn translate(driver: Driver, args: &[OsString], cwd: &Path) -> Result<Vec<Job>, CaptureError> {
    let unsupported = |why: String| CaptureError::Unsupported(why);
    let invocation = Invocation::parse(driver, Family::Gcc, args, cwd).map_err(|e| unsupported(e.to_string()))?;
    if let Mode::Unsupported(why) = &invocation.mode {
        return Err(unsupported(why.clone()));
    }
    Ok(jobs(&invocation, cwd))
}

/// The jobs of a parsed command line, in the order of its sources.
#[must_use]
pub fn jobs(invocation: &Invocation, cwd: &Path) -> Vec<Job> {
    let linked = invocation.mode == Mode::Link;
    invocation
        .sources()
        .map(|(_, path, language)| Job {
            cwd: cwd.to_path_buf(),
            source: path.to_path_buf(),
            language: language.to_string(),
            args: invocation.clang.clone(),
            changes: invocation.changes.clone(),
            model: false,
            object: if linked { None } else { invocation.output.clone() },
            stdin: None,
            real: Vec::new(),
        })
        .collect()
}

/// The command of an entry of a compilation database, understood as the wrapper would have.
///
/// # Errors
/// [`CaptureError::Unsupported`] when its response files do not end.
pub fn entry_invocation(entry: &Entry) -> Result<(crate::real::Real, Driver, Invocation), CaptureError> {
    // `ccache gcc -c x.c`: everything up to the first option or source is the compiler.
    let launchers = entry.arguments.iter().skip(1).take_while(|a| crate::real::is_compiler_name(a)).count();
    let words = entry.arguments[..=launchers.min(entry.arguments.len() - 1)].to_vec();
    let real = crate::real::Real { program: PathBuf::from(&words[0]), programs: words.len(), words };
    let microsoft = ["cl", "cl.exe", "clang-cl", "clang-cl.exe"].iter().any(|name| real.compiler_name() == *name);
    if microsoft {
        return Err(CaptureError::Unsupported("a command line in Microsoft's manner".into()));
    }
    let driver = crate::real::driver_of_name(real.compiler_name());
    let args = &entry.arguments[real.programs..];
    let mut invocation = Invocation::parse(driver, real.family(), args, &entry.directory)
        .map_err(|e| CaptureError::Unsupported(e.to_string()))?;
    invocation.clang.splice(0..0, real.implied_options());
    Ok((real, driver, invocation))
}

/// The job of one entry of a compilation database.
///
/// # Errors
/// [`CaptureError::Unsupported`] when the command cannot be captured or does not compile the entry's file.
pub fn entry_job(entry: &Entry) -> Result<Job, CaptureError> {
    let (real, _, invocation) = entry_invocation(entry)?;
    if let Mode::Unsupported(why) = &invocation.mode {
        return Err(CaptureError::Unsupported(why.clone()));
    }
    let wanted = verify_compile_db::paths::absolute(&entry.directory, &entry.file);
    let same = |job: &Job| verify_compile_db::paths::absolute(&job.cwd, &job.source) == wanted;
    let mut job = jobs(&invocation, &entry.directory)
        .into_iter()
        .find(same)
        .ok_or_else(|| CaptureError::Unsupported(format!("the command does not compile {}", entry.file.display())))?;
    job.object = entry.output.clone().or(job.object);
    job.real = real.words.iter().chain(&invocation.preprocess).cloned().collect();
    Ok(job)
}

/// The job of a recorded compile, as the wrapper had it.
#[must_use]
pub fn of_record(record: &verify_compile_db::Record, index: usize) -> Option<Job> {
    let arguments = record.real.iter().chain(&record.argv).cloned().collect();
    let entry = Entry { index: 0, directory: record.cwd.clone(), file: PathBuf::new(), arguments, output: None };
    let (real, _, invocation) = entry_invocation(&entry).ok()?;
    let mut job = jobs(&invocation, &record.cwd).into_iter().nth(index)?;
    job.real = real.words.iter().chain(&invocation.preprocess).cloned().collect();
    Some(job)
}

/// The same to be compiled outside of its build: folders for headers that the build's environment named are options.
#[must_use]
pub fn again(record: &verify_compile_db::Record, index: usize) -> Option<Job> {
    let mut job = of_record(record, index)?;
    let recorded = &record.compiles.get(index)?.clang;
    // A record of an earlier version has what the command alone says.
    if recorded.starts_with(&job.args) {
        job.args.clone_from(recorded);
    }
    Some(job)
}

/// The folders for headers that this environment names, as options; they come behind those of the command.
pub(crate) fn searched_by_environment(language: &str) -> Vec<OsString> {
    let own = if language.contains("++") { "CPLUS_INCLUDE_PATH" } else { "C_INCLUDE_PATH" };
    let folders = |name: &str, option: &'static str| {
        let list = std::env::var_os(name).unwrap_or_default();
        let folders: Vec<PathBuf> = if list.is_empty() { Vec::new() } else { std::env::split_paths(&list).collect() };
        folders.into_iter().flat_map(move |f| {
            // An empty name is the folder that the compiler runs in.
            [option.into(), if f.as_os_str().is_empty() { ".".into() } else { f.into_os_string() }]
        })
    };
    folders("CPATH", "-I").chain(folders(own, "-isystem")).collect()
}

/// Whether a recorded compile would have read another text at a later time: its source, or a header, had changed.
#[must_use]
pub fn text_changed(store: &Store, record: &verify_compile_db::Record, index: usize, by: SystemTime) -> bool {
    let last = of_record(record, index).and_then(|job| Manifest::last(store, &job));
    let compile = &record.compiles[index];
    match last.filter(|last| last.unit == compile.unit) {
        Some(last) => last.changed_by(&record.cwd, by),
        None => {
            fs::metadata(&compile.source).and_then(|m| m.modified()).is_ok_and(|time| time <= by)
                && compile.source_hash.is_some()
                && verify_compile_db::paths::hash_file(&compile.source) != compile.source_hash
        }
    }
}

/// What stands against using the unit of an earlier build now; empty when nothing does, none when there was none.
#[must_use]
pub fn differences(tools: &Tools, store: &Store, job: &Job) -> Option<Vec<String>> {
    let last = Manifest::last(store, job)?;
    let (job, _) = ask::complete(tools, store, job);
    let mut out = last.changes(tools, &job);
    if last.unit.is_none_or(|unit| !store.contains(Kind::UNIT, &unit)) {
        out.push("the unit is no longer in the cache".into());
    }
    Some(out)
}

/// Makes the unit of `job`, or finds it in the cache.
///
/// # Errors
/// [`CaptureError`] with what the failing tool said.
pub fn compile_unit(tools: &Tools, store: &Store, job: &Job) -> Result<Captured, CaptureError> {
    supported(job)?;
    let plain = job;
    let (job, differs) = &ask::complete(tools, store, plain);
    let command = manifest::command_key(tools, job);
    let history = Manifest::history(store, &command);
    let usable = |m: &&Manifest| m.holds(&job.cwd) && m.unit.is_some_and(|unit| store.contains(Kind::UNIT, &unit));
    if let Some((unit, note)) = history.iter().find(usable).and_then(|m| Some((m.unit?, m.note.clone()))) {
        store.touch(Kind::UNIT, &unit, SystemTime::now());
        return Ok(Captured { unit, cached: true, rebuilt: Vec::new(), note });
    }
    let rebuilt = differences(tools, store, plain);
    let start = SystemTime::now();
    let scratch = store.scratch().map_err(|e| CaptureError::Cache(e.to_string()))?;
    let blind = history.first().is_some_and(|m| m.blind.is_some());
    let direct = !blind && direct::possible(job);
    let made = match direct.then(|| direct::compile(tools, store, job, scratch.path())) {
        Some(Ok(Some(done))) => Ok(done),
        Some(Err(e)) => Err(e),
        Some(Ok(None)) | None => as_written(tools, store, job, scratch.path(), start),
    };
    let (captured, manifest) = match made {
        // One that takes too long will not take less for the same text.
        Err(CaptureError::Clang(said)) if tried_again(job, &said) => {
            let tried = fallback::compile(tools, store, job, scratch.path(), &said);
            let done = tried.ok_or(CaptureError::Clang(said))?;
            let manifest = manifest_of(tools, job, &done.text, start).map(|mut manifest| {
                manifest.blind = manifest.blind.or_else(|| done.blind.map(String::from));
                manifest
            });
            (done.captured, manifest)
        }
        other => other?,
    };
    let captured = Captured { note: captured.note.or_else(|| differs.clone()), ..captured };
    if let Some(mut manifest) = manifest {
        manifest.unit = Some(captured.unit);
        manifest.note.clone_from(&captured.note);
        manifest.save(store, &command, job, &history);
    }
    let mut rebuilt = rebuilt.unwrap_or_default();
    if captured.cached {
        rebuilt.clear();
    } else if rebuilt.is_empty() {
        rebuilt.extend(history.first().and_then(|m| m.blind.clone()));
    }
    Ok(Captured { rebuilt, ..captured })
}

/// What a text was made from; none when a file was edited meanwhile, which would put the new unit under the old text.
fn manifest_of(tools: &Tools, job: &Job, text: &Text, since: SystemTime) -> Option<Manifest> {
    let manifest = Manifest::new(tools, job, &text.files, &text.dirs, since);
    (files_hash(&job.cwd, &text.files) == text.files_hash).then_some(manifest)
}

/// Whether there may be another way to the unit than the one that failed.
fn tried_again(job: &Job, said: &str) -> bool {
    matches!(job.language.as_str(), "c" | "cpp-output")
        && !said.contains(": stopped after ")
        && !said.contains(" died by signal ")
}

/// What a preprocessor made of a source.
pub(crate) struct Text {
    pub key: Hash,
    pub files: BTreeSet<PathBuf>,
    pub files_hash: Hash,
    /// The search path for headers.
    pub dirs: Vec<PathBuf>,
}

/// The unit as clang makes it from the source itself, by way of the text.
fn as_written(
    tools: &Tools,
    store: &Store,
    job: &Job,
    scratch: &Path,
    since: SystemTime,
) -> Result<(Captured, Option<Manifest>), CaptureError> {
    let text = preprocess(tools, job, scratch)?;
    if let Some(captured) = known(store, &text) {
        return Ok((captured, manifest_of(tools, job, &text, since)));
    }
    let (unit, _) = emit(tools, store, job, scratch, &[])?;
    let manifest = manifest_of(tools, job, &text, since);
    // A header may have come between the two runs of clang.
    let same = match &manifest {
        Some(manifest) if manifest.unsure => preprocess(tools, job, scratch).is_ok_and(|again| again.key == text.key),
        Some(_) => true,
        None => false,
    };
    if same {
        remember(store, &text.key, &unit)?;
    }
    Ok((Captured { unit, cached: false, rebuilt: Vec::new(), note: None }, manifest))
}

/// The text as clang preprocesses it.
pub(crate) fn preprocess(tools: &Tools, job: &Job, scratch: &Path) -> Result<Text, CaptureError> {
    let preprocessed = scratch.join("unit.i");
    let (bytes, dirs) = if job.language == "cpp-output" {
        let bytes = match &job.stdin {
            Some(text) => text.clone(),
            None => fs::read(job.cwd.join(&job.source)).map_err(|e| CaptureError::Clang(e.to_string()))?,
        };
        // Preprocessed text looks for nothing; the folder stands for the empty search path.
        (bytes, vec![job.cwd.clone()])
    } else {
        let said = tool::clang(tools, job, scratch, &["-E".into(), "-dD".into(), "-v".into()], &preprocessed)?;
        let bytes = fs::read(&preprocessed).map_err(|e| CaptureError::Clang(format!("wrote no output: {e}")))?;
        (bytes, tool::looked_in(&said))
    };
    Ok(content_key(tools, job, &bytes, dirs))
}

/// The plain text of a C source as clang preprocesses it, and where it looked for headers.
pub(crate) fn preprocessed(tools: &Tools, job: &Job, scratch: &Path) -> Option<(Vec<u8>, Vec<PathBuf>)> {
    let out = scratch.join("plain.i");
    let said = tool::clang(tools, job, scratch, &["-E".into(), "-v".into()], &out).ok()?;
    Some((fs::read(&out).ok()?, tool::looked_in(&said)))
}

/// The unit of a job whose text is the source itself: from the cache, or made.
pub(crate) fn make(
    tools: &Tools,
    store: &Store,
    job: &Job,
    scratch: &Path,
    text: &Text,
) -> Result<Captured, CaptureError> {
    if let Some(captured) = known(store, text) {
        return Ok(captured);
    }
    let (unit, _) = emit(tools, store, job, scratch, &[])?;
    // A file edited meanwhile would put the new unit under the old key.
    if files_hash(&job.cwd, &text.files) == text.files_hash {
        remember(store, &text.key, &unit)?;
    }
    Ok(Captured { unit, cached: false, rebuilt: Vec::new(), note: None })
}

/// The unit that is in the cache for a text.
fn known(store: &Store, text: &Text) -> Option<Captured> {
    let unit = lookup(store, &text.key)?;
    store.touch(Kind::UNIT, &unit, SystemTime::now());
    Some(Captured { unit, cached: true, rebuilt: Vec::new(), note: None })
}

/// Keeps which unit a text makes.
pub(crate) fn remember(store: &Store, key: &Hash, unit: &Hash) -> Result<(), CaptureError> {
    let hex = unit.to_hex();
    store.put_keyed(Kind::UNIT, key, hex.as_bytes()).map_err(|e| CaptureError::Cache(e.to_string()))
}

/// Runs clang, with `extra` options, and the lowering, as one where that can be: the unit, and what they said.
pub(crate) fn emit(
    tools: &Tools,
    store: &Store,
    job: &Job,
    scratch: &Path,
    extra: &[OsString],
) -> Result<(Hash, String), CaptureError> {
    let output = scratch.join("unit.bin");
    let mut said = run(tools, job, scratch, extra, &output)?;
    let own: Vec<OsString> = tool::own_library_functions(&said).map(no_builtin).collect();
    let none = |option: &OsString| option == "-fno-builtin" || option == "-ffreestanding";
    let any = job.args.iter().any(|option| option == "-fbuiltin") || !job.args.iter().any(none);
    if any && !own.iter().all(|option| job.args.contains(option)) {
        said = run(tools, job, scratch, &[extra, &own].concat(), &output)?;
    }
    let bytes = fs::read(&output).map_err(|e| CaptureError::Lower(format!("wrote no unit: {e}")))?;
    if bytes.is_empty() {
        return Err(CaptureError::Lower("wrote an empty unit".into()));
    }
    let unit = store.put(Kind::UNIT, &bytes).map_err(|e| CaptureError::Cache(e.to_string()))?;
    // Looking at the whole store costs time, so only one unit in many has it done.
    if unit.as_bytes()[0] == 0
        && let Ok(limit) = crate::config::size_limit()
        && let Some(hour_ago) = SystemTime::now().checked_sub(Duration::from_secs(3600))
    {
        store.collect(limit, hour_ago, true);
    }
    Ok((unit, said))
}

/// The option by which a library function is one like any other.
pub fn no_builtin(name: &str) -> OsString {
    format!("-fno-builtin-{name}").into()
}

fn run(tools: &Tools, job: &Job, scratch: &Path, extra: &[OsString], output: &Path) -> Result<String, CaptureError> {
    let extra = &[&emit_options(), extra].concat();
    if let Some(said) = tool::at_once(tools, job, scratch, extra, output)? {
        return Ok(said);
    }
    let bitcode = scratch.join("unit.bc");
    let said = tool::clang(tools, job, scratch, extra, &bitcode)?;
    Ok(said + &tool::lower(tools, job, scratch, &bitcode, output)?)
}

fn supported(job: &Job) -> Result<(), CaptureError> {
    let unsupported = |why: &str| Err(CaptureError::Unsupported(why.into()));
    match job.language.as_str() {
        "c" | "cpp-output" => {}
        "assembler" | "assembler-with-cpp" => return unsupported("assembler source"),
        "c++" | "c++-cpp-output" => return unsupported("C++"),
        "c-header" | "c++-header" => return unsupported("precompiled header"),
        other => return unsupported(&format!("language {other}")),
    }
    if let Some(name) = names_included(&job.args).find(|name| read_once(&job.cwd, Path::new(name))) {
        return unsupported(&format!("{} can be read once only", name.display()));
    }
    let path = job.cwd.join(&job.source);
    if job.stdin.is_some() {
        return Ok(());
    }
    if is_standard_input(&job.source) {
        return unsupported("source on standard input");
    }
    if of_this_process(&path) {
        return unsupported("source is not a regular file");
    }
    match fs::metadata(&path) {
        Ok(data) if data.is_file() => Ok(()),
        Ok(_) => unsupported("source is not a regular file"),
        Err(e) => Err(CaptureError::Clang(format!("{}: {e}", path.display()))),
    }
}

/// Whether a source is read from standard input, by whatever name.
pub(crate) fn is_standard_input(source: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| source == Path::new(name))
}

/// Names of open files, which are others in each process.
fn of_this_process(path: &Path) -> bool {
    ["/dev/fd", "/proc/self/fd"].iter().any(|dir| path.starts_with(dir)) || path == Path::new("/dev/stdin")
}

/// Whether nothing is left to read when the compiler has read it.
fn read_once(cwd: &Path, name: &Path) -> bool {
    let path = cwd.join(name);
    let pipe = || {
        fs::metadata(&path).is_ok_and(|data| {
            let kind = data.file_type();
            kind.is_fifo() || kind.is_socket() || kind.is_char_device() && name != Path::new("/dev/null")
        })
    };
    of_this_process(&path) || pipe()
}

/// What a command includes before its source.
fn names_included(args: &[OsString]) -> impl Iterator<Item = &OsString> {
    args.windows(2).filter(|pair| pair[0] == "-include" || pair[0] == "-imacros").map(|pair| &pair[1])
}

fn lookup(store: &Store, key: &Hash) -> Option<Hash> {
    let hex = store.get_keyed(Kind::UNIT, key)?;
    let unit = Hash::from_hex(&hex).ok()?;
    store.contains(Kind::UNIT, &unit).then_some(unit)
}

/// Hashes everything the unit depends on.
pub(crate) fn content_key(tools: &Tools, job: &Job, text: &[u8], dirs: Vec<PathBuf>) -> Text {
    let mut files = markers::files_named(text);
    if job.stdin.is_none() {
        files.insert(job.source.clone());
    } else {
        // Under its name there is nothing left to read.
        files.remove(&job.source);
    }
    let files_hash = files_hash(&job.cwd, &files);
    let mut hasher = Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(manifest::KEY_VERSION.as_bytes());
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(manifest::tool_identity(&tools.clang).as_bytes());
    part(manifest::tool_identity(&tools.lower).as_bytes());
    part(job.cwd.as_os_str().as_bytes());
    part(job.source.as_os_str().as_bytes());
    part(job.language.as_bytes());
    for word in job.args.iter().chain(&common_options()).chain(&emit_options()) {
        part(word.as_bytes());
    }
    part(&[u8::from(job.model)]);
    part(text);
    part(files_hash.as_bytes());
    Text { key: hasher.finalize(), files, files_hash, dirs }
}

/// Names and contents of files, as the unit will hold them.
pub(crate) fn files_hash(cwd: &Path, files: &BTreeSet<PathBuf>) -> Hash {
    let mut hasher = Hasher::new();
    for file in files {
        let name = file.as_os_str().as_bytes();
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name);
        match verify_compile_db::paths::hash_file(&cwd.join(file)) {
            Some(hash) => hasher.update(hash.as_bytes()),
            None => hasher.update(b"not a file"),
        };
    }
    hasher.finalize()
}
