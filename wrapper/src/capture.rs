//! One source to one unit: clang writes bitcode, `verify-lower` turns it into a unit, the cache keeps it.
//!
//! Also the way in for everything that has a source and a command line but no build around it: programs given by
//! hand, compilation databases, the C library models. All paths of tools are given; nothing is looked up here.
//!
//! A unit is reused when everything it depends on is the same: both tools, the translated command line, the
//! working directory, the *preprocessed* text with its macro definitions, and the content of every file named in
//! it. The preprocessor runs anew each time, so a header that appears earlier on the include path, a changed
//! environment variable or a new `__has_include` result can never be missed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use blake3::{Hash, Hasher};
use verify_cache::{Kind, Store};
use verify_compile_db::quote::join_gcc;
use verify_compile_db::{Change, Entry, Outcome};

use crate::argv::{Driver, Invocation, Mode};
use crate::process::{self, Ended};
use crate::translate::{common_options, emit_options};

/// Changes when what a unit is made of changes in a way that the tools' identity does not show.
const KEY_VERSION: &str = "unit-key-1";

/// Above this many bytes of arguments clang gets them through a response file.
const ARGUMENT_LIMIT: usize = 60_000;

/// What clang would write beside its output, or read instead of what the real compiler read.
const HIDDEN_ENV: &[&str] = &[
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
    "CCC_OVERRIDE_OPTIONS",
    "CCC_PRINT_OPTIONS",
    "CCC_PRINT_PHASES",
    "CC_PRINT_OPTIONS",
    "CC_PRINT_HEADERS",
    "CC_LOG_DIAGNOSTICS",
    "CC_PRINT_PROC_STAT",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
];

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
}

/// A captured unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Its name in the cache, under [`Kind::UNIT`].
    pub unit: Hash,
    /// It was there before.
    pub cached: bool,
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
    let invocation = Invocation::parse(driver, args, cwd).map_err(|e| unsupported(e.to_string()))?;
    if let Mode::Unsupported(why) = &invocation.mode {
        return Err(unsupported(why.clone()));
    }
    Ok(jobs(&invocation, cwd))
}

/// The jobs of a parsed command line, in the order of its sources.
#[must_use]
pub fn jobs(invocation: &Invocation, cwd: &Path) -> Vec<Job> {
    invocation
        .sources()
        .map(|(_, path, language)| Job {
            cwd: cwd.to_path_buf(),
            source: path.to_path_buf(),
            language: language.to_string(),
            args: invocation.clang.clone(),
            changes: invocation.changes.clone(),
            model: false,
        })
        .collect()
}

/// The job of one entry of a compilation database.
///
/// # Errors
/// [`CaptureError::Unsupported`] when the command cannot be captured or does not compile the entry's file.
pub fn entry_job(entry: &Entry) -> Result<Job, CaptureError> {
    let program = entry.arguments.first().map(OsString::as_os_str).unwrap_or_default();
    // `ccache gcc -c x.c`: everything up to the first option or source is the compiler.
    let launchers = entry.arguments.iter().skip(1).take_while(|a| crate::real::is_compiler_name(a)).count();
    let compiler = entry.arguments.get(launchers).map_or(program, OsString::as_os_str);
    let driver = crate::real::driver_of_name(compiler);
    let args = &entry.arguments[1 + launchers..];
    let jobs = translate(driver, args, &entry.directory)?;
    let wanted = verify_compile_db::paths::absolute(&entry.directory, &entry.file);
    let same = |job: &Job| verify_compile_db::paths::absolute(&job.cwd, &job.source) == wanted;
    jobs.into_iter()
        .find(same)
        .ok_or_else(|| CaptureError::Unsupported(format!("the command does not compile {}", entry.file.display())))
}

/// Makes the unit of `job`, or finds it in the cache.
///
/// # Errors
/// [`CaptureError`] with what the failing tool said.
pub fn compile_unit(tools: &Tools, store: &Store, job: &Job) -> Result<Captured, CaptureError> {
    supported(job)?;
    let scratch = store.scratch().map_err(|e| CaptureError::Cache(e.to_string()))?;
    let key = content_key(tools, job, scratch.path())?;
    if let Some(unit) = lookup(store, &key.hash) {
        return Ok(Captured { unit, cached: true });
    }
    let bitcode = scratch.path().join("unit.bc");
    clang(tools, job, scratch.path(), &emit_options(), &bitcode)?;
    let output = scratch.path().join("unit.bin");
    lower(tools, job, scratch.path(), &bitcode, &output)?;
    let bytes = fs::read(&output).map_err(|e| CaptureError::Lower(format!("wrote no unit: {e}")))?;
    if bytes.is_empty() {
        return Err(CaptureError::Lower("wrote an empty unit".into()));
    }
    let unit = store.put(Kind::UNIT, &bytes).map_err(|e| CaptureError::Cache(e.to_string()))?;
    // A file edited meanwhile would put the new unit under the old key.
    if files_hash(&job.cwd, &key.files) == key.files_hash {
        store
            .put_keyed(Kind::UNIT, &key.hash, unit.to_hex().as_bytes())
            .map_err(|e| CaptureError::Cache(e.to_string()))?;
    }
    Ok(Captured { unit, cached: false })
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
    let path = job.cwd.join(&job.source);
    if job.source == Path::new("-") {
        return unsupported("source on standard input");
    }
    match fs::metadata(&path) {
        Ok(data) if data.is_file() => Ok(()),
        Ok(_) => unsupported("source is not a regular file"),
        Err(e) => Err(CaptureError::Clang(format!("{}: {e}", path.display()))),
    }
}

fn lookup(store: &Store, key: &Hash) -> Option<Hash> {
    let hex = store.get_keyed(Kind::UNIT, key)?;
    let unit = Hash::from_hex(&hex).ok()?;
    store.contains(Kind::UNIT, &unit).then_some(unit)
}

struct Key {
    hash: Hash,
    files: BTreeSet<PathBuf>,
    files_hash: Hash,
}

/// Preprocesses, and hashes everything the unit depends on.
fn content_key(tools: &Tools, job: &Job, scratch: &Path) -> Result<Key, CaptureError> {
    let preprocessed = scratch.join("unit.i");
    let text = if job.language == "cpp-output" {
        fs::read(job.cwd.join(&job.source)).map_err(|e| CaptureError::Clang(e.to_string()))?
    } else {
        clang(tools, job, scratch, &["-E".into(), "-dD".into()], &preprocessed)?;
        fs::read(&preprocessed).map_err(|e| CaptureError::Clang(format!("wrote no output: {e}")))?
    };
    let mut files = files_named(&text);
    files.insert(job.source.clone());
    let files_hash = files_hash(&job.cwd, &files);
    let mut hasher = Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(KEY_VERSION.as_bytes());
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(&tool_identity(&tools.clang));
    part(&tool_identity(&tools.lower));
    part(job.cwd.as_os_str().as_bytes());
    part(job.source.as_os_str().as_bytes());
    part(job.language.as_bytes());
    for word in job.args.iter().chain(&common_options()).chain(&emit_options()) {
        part(word.as_bytes());
    }
    part(&[u8::from(job.model)]);
    part(&text);
    part(files_hash.as_bytes());
    Ok(Key { hash: hasher.finalize(), files, files_hash })
}

/// A tool by where it is, how long, and how old: a new build of it never uses the units of the old one.
fn tool_identity(path: &Path) -> Vec<u8> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut out = path.as_os_str().as_bytes().to_vec();
    if let Ok(data) = fs::metadata(&path) {
        out.extend(data.len().to_le_bytes());
        let modified = data.modified().ok().and_then(|t| t.duration_since(SystemTime::UNIX_EPOCH).ok());
        out.extend(modified.unwrap_or_default().as_nanos().to_le_bytes());
    }
    out
}

/// Names and contents of files, as the unit will hold them.
fn files_hash(cwd: &Path, files: &BTreeSet<PathBuf>) -> Hash {
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

/// The files that line markers name: `# 12 "path" 1`, `#line 12 "path"`.
fn files_named(text: &[u8]) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    for line in text.split(|b| *b == b'\n') {
        let Some(rest) = line.strip_prefix(b"#") else { continue };
        let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
        if !rest.first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let rest = rest.trim_ascii_start();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let Some(quoted) = rest[digits..].trim_ascii_start().strip_prefix(b"\"") else { continue };
        if let Some(name) = unescape(quoted) {
            out.insert(PathBuf::from(OsString::from_vec(name)));
        }
    }
    out
}

/// A C string up to its closing quote.
fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return Some(out),
            b'\\' => match bytes.next()? {
                digit @ b'0'..=b'7' => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        let Some(next @ b'0'..=b'7') = bytes.peek().copied() else { break };
                        value = value * 8 + u32::from(next - b'0');
                        bytes.next();
                    }
                    out.push(value as u8);
                }
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                other => out.push(other),
            },
            _ => out.push(byte),
        }
    }
    None
}

/// Runs clang on the job's source with `extra` options.
fn clang(tools: &Tools, job: &Job, scratch: &Path, extra: &[OsString], output: &Path) -> Result<(), CaptureError> {
    let mut args = common_options();
    args.extend(job.args.iter().cloned());
    args.extend(extra.iter().cloned());
    args.extend(["-o".into(), output.into(), "-x".into(), job.language.clone().into()]);
    // A name that starts with a dash or an at sign must not be taken for an option or a response file.
    let name = job.source.as_os_str().as_bytes();
    args.push(match name.first() {
        Some(b'-' | b'@') => Path::new(".").join(&job.source).into(),
        _ => job.source.clone().into(),
    });
    let total: usize = args.iter().map(|a| a.len() + 9).sum();
    let mut command = Command::new(&tools.clang);
    if total > ARGUMENT_LIMIT {
        let file = scratch.join("clang.args");
        fs::write(&file, join_gcc(&args).as_bytes())
            .map_err(|e| CaptureError::Cache(format!("{}: {e}", file.display())))?;
        command.arg([OsStr::new("@"), file.as_os_str()].join_os());
    } else {
        command.args(&args);
    }
    command.current_dir(&job.cwd).env("LC_ALL", "C");
    for name in HIDDEN_ENV {
        command.env_remove(name);
    }
    let log = scratch.join("clang.log");
    finish(command, tools.timeout, &log, output).map_err(CaptureError::Clang)
}

fn lower(tools: &Tools, job: &Job, scratch: &Path, bitcode: &Path, output: &Path) -> Result<(), CaptureError> {
    let mut command = Command::new(&tools.lower);
    command.arg(bitcode).arg("-o").arg(output);
    if job.model {
        command.arg("--model");
    }
    command.current_dir(&job.cwd);
    finish(command, tools.timeout, &scratch.join("lower.log"), output).map_err(CaptureError::Lower)
}

/// Runs a tool to its end; an error is what it said, or how it died.
fn finish(mut command: Command, timeout: Duration, log: &Path, output: &Path) -> Result<(), String> {
    let sink = fs::File::create(log).map_err(|e| format!("{}: {e}", log.display()))?;
    let copy = sink.try_clone().map_err(|e| e.to_string())?;
    command.stdin(Stdio::null()).stdout(copy).stderr(sink);
    let program = command.get_program().to_string_lossy().into_owned();
    let ended = process::run(&mut command, timeout).map_err(|e| format!("{program}: {e}"))?;
    let said = || {
        let text = fs::read(log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        // Enough to see what is wrong; a crash dump has thousands of lines.
        let mut kept: String = text.chars().take(4000).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        kept.trim_end().to_string()
    };
    match ended {
        Ended::Code(0) if output.exists() => Ok(()),
        Ended::Code(0) => Err(format!("{program} wrote no output. {}", said()).trim_end().to_string()),
        Ended::Code(code) => match said() {
            text if text.is_empty() => Err(format!("{program}: exit status {code}")),
            text => Err(text),
        },
        Ended::Signal(signal) => Err(format!("{program} died by signal {signal}. {}", said()).trim_end().to_string()),
        Ended::TimedOut => Err(format!("{program}: stopped after {} s", timeout.as_secs())),
    }
}

trait JoinOs {
    fn join_os(&self) -> OsString;
}

impl JoinOs for [&OsStr] {
    fn join_os(&self) -> OsString {
        let mut out = OsString::new();
        self.iter().for_each(|part| out.push(part));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_name_files() {
        let text = b"# 1 \"a.c\"\n# 1 \"<built-in>\" 1\nint x; # 2 \"no\"\n#define Y \"z\"\n#line 7 \"gr\\\"am\\\\.y\"\n# 3 \"sp ace\\303\\251.h\" 2 3\n#  4  unquoted\n# 5 \"open";
        let names: Vec<_> = files_named(text).into_iter().collect();
        let wanted = ["<built-in>", "a.c", "gr\"am\\.y", "sp aceé.h"].map(PathBuf::from);
        assert_eq!(names, wanted);
    }
}
