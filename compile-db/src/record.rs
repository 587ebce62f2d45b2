//! The vocabulary of the ledger: one [`Record`] per invocation of a compiler wrapper.
//!
//! All paths are absolute (see [`crate::paths::absolute`]); all hashes are of the content the file had when the
//! real compiler had just finished.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use blake3::Hash;
use serde::{Deserialize, Serialize};

use crate::text;

/// Version of the record format; a reader leaves other versions alone and counts them.
pub const VERSION: u32 = 1;

/// One invocation: what was asked, what the real compiler answered, and what was captured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Format version, [`VERSION`].
    pub version: u32,
    /// When the invocation ended, nanoseconds since 1970-01-01 UTC.
    pub time: u64,
    /// Working directory of the invocation.
    #[serde(with = "text::path")]
    pub cwd: PathBuf,
    /// The real compiler with its launchers and fixed options (`ccache gcc -std=c11` is three words).
    #[serde(with = "text::args")]
    pub real: Vec<OsString>,
    /// The arguments as given, response files not expanded, without the program name.
    #[serde(with = "text::args")]
    pub argv: Vec<OsString>,
    /// How the real compiler ended.
    pub status: Status,
    /// What kind of invocation it was.
    pub class: Class,
    /// Why it has this class, or what could not be recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// One entry per source file, in command-line order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compiles: Vec<Compile>,
    /// The link, when there was one and it succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The `verify capture` that the invocation belongs to; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
}

/// How the real compiler ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Exit status.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// The program could not be started.
    NotRun(String),
}

impl Status {
    /// Exit status zero.
    #[must_use]
    pub fn success(&self) -> bool {
        *self == Status::Code(0)
    }
}

/// What kind of invocation it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Sources to objects (`-c`).
    Compile,
    /// Objects, archives and libraries to an output.
    Link,
    /// Sources to an output in one command; their objects are never seen.
    CompileAndLink,
    /// Preprocessing or dependency output only (`-E`, `-M`, `-MM`).
    Preprocess,
    /// Checking only (`-fsyntax-only`).
    SyntaxOnly,
    /// Sources to assembler text (`-S`).
    ToAssembly,
    /// Assembler text to objects; nothing in it can be analysed.
    Assemble,
    /// A test program of a configuration step; no part of the program.
    Probe,
    /// The compiler was asked about itself (`--version`, `-print-…`), or had nothing to do.
    Query,
    /// Cannot be captured; the note says why.
    Unsupported,
}

/// One source file of an invocation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compile {
    /// The source file.
    #[serde(with = "text::path")]
    pub source: PathBuf,
    /// Hash of the source file.
    #[serde(with = "text::opt_hash", default)]
    pub source_hash: Option<Hash>,
    /// Language as clang's `-x` names it (`c`, `cpp-output`, `c++`, `assembler-with-cpp`, …).
    pub language: String,
    /// The object (or assembler text) made; none when it went straight into the link.
    #[serde(with = "text::opt_path", default)]
    pub object: Option<PathBuf>,
    /// Hash of the object.
    #[serde(with = "text::opt_hash", default)]
    pub object_hash: Option<Hash>,
    /// The captured unit, by its name in the cache.
    #[serde(with = "text::opt_hash", default)]
    pub unit: Option<Hash>,
    /// What became of the capture.
    pub outcome: Outcome,
    /// Arguments given to clang, without input, output and fixed options.
    #[serde(with = "text::args", default)]
    pub clang: Vec<OsString>,
    /// Options that clang was not given as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Lines of the source file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Hash of the names that the object defines for others; survives what `strip` and `objcopy` leave alone.
    #[serde(with = "text::opt_hash", default, skip_serializing_if = "Option::is_none")]
    pub symbols: Option<Hash>,
    /// The same names, each as a number; what `ld -r` puts together still has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<u64>,
    /// Hash of the object's code and data; survives when symbols are renamed.
    #[serde(with = "text::opt_hash", default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Hash>,
    /// Hash of the object's names, of others too, with how they are bound; see [`Marks::bindings`].
    #[serde(with = "text::opt_hash", default, skip_serializing_if = "Option::is_none")]
    pub bindings: Option<Hash>,
    /// Folder with everything to see a failure again; `sh replay.sh` in it does.
    #[serde(with = "text::opt_path", default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<PathBuf>,
    /// Why the unit of an earlier build could not be used, in words; empty the first time and when it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rebuilt: Vec<String>,
    /// What else must be said, for example that the source was read as the real compiler preprocessed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Record {
    /// Whether the invocation ran in, read from or wrote to the folder.
    #[must_use]
    pub fn touches(&self, root: &Path) -> bool {
        self.cwd.starts_with(root)
            || self.link.as_ref().is_some_and(|l| l.output.starts_with(root))
            || self
                .compiles
                .iter()
                .any(|c| c.source.starts_with(root) || c.object.as_ref().is_some_and(|o| o.starts_with(root)))
    }

    /// Whether it made code out of sources: these are what a capture must not miss.
    #[must_use]
    pub fn compiled(&self) -> bool {
        matches!(self.class, Class::Compile | Class::CompileAndLink | Class::Assemble | Class::ToAssembly)
            && self.status.success()
    }

    /// What makes a later compile of this record's `index`th source the successor of this one: its object and
    /// source; where no object is left, what it was linked into.
    #[must_use]
    pub fn place(&self, index: usize) -> (PathBuf, PathBuf) {
        let compile = &self.compiles[index];
        let output = compile.object.clone().or_else(|| self.link.as_ref().map(|l| l.output.clone()));
        (output.unwrap_or_default(), compile.source.clone())
    }
}

impl Compile {
    /// Assembler text, in which there is nothing to analyse.
    #[must_use]
    pub fn is_assembler(&self) -> bool {
        self.language.starts_with("assembler")
    }
}

/// What became of one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A unit is in the cache.
    Captured {
        /// It was there before; nothing was compiled or lowered.
        cached: bool,
    },
    /// clang, the lowering or the cache failed.
    Failed {
        /// `clang`, `lower`, `cache` or `scratch`.
        stage: String,
        /// What it said.
        message: String,
    },
    /// Not in a language or form that can be captured.
    Unsupported(String),
    /// It was captured, and the cache has lost the unit since. In no record: what a reader of the ledger finds out.
    #[serde(skip)]
    Gone,
    /// It was captured, and its object has been made again since, from another text and past the wrapper. In no record.
    #[serde(skip)]
    Outdated,
    /// The invocation is of a class that is not captured (probe, preprocessing), or the real compiler failed.
    Skipped(String),
}

/// An option that was dropped or translated for clang.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The option as given (with its argument).
    #[serde(with = "text::os")]
    pub option: OsString,
    /// Whether the meaning of the program can differ.
    pub effect: Effect,
    /// What was done and why that is harmless, or what is lost.
    pub why: String,
}

/// Whether a dropped or translated option can change what the program means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It concerns code generation, diagnostics or files beside the object.
    Harmless,
    /// The captured unit may mean something else than the object.
    Semantic,
}

/// One link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Link {
    /// The file made.
    #[serde(with = "text::path")]
    pub output: PathBuf,
    /// Hash of it.
    #[serde(with = "text::opt_hash", default)]
    pub output_hash: Option<Hash>,
    /// For a relocatable object: what tells it by when its content is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// GNU build id of it, in hex; it survives `strip` and `objcopy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// What was made.
    pub kind: LinkKind,
    /// Everything that went in, in command-line order.
    pub inputs: Vec<Input>,
    /// `-l` libraries that are neither under a `-L` directory nor a file: the system's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<String>,
    /// What could not be followed (linker scripts, unreadable inputs, link-time optimisation).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a link makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// A program.
    Executable,
    /// A shared object.
    Shared,
    /// An object made of objects (`-r`).
    Relocatable,
    /// A static archive; never the output of a recorded link, found on disk.
    Archive,
}

/// One input of a link.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Input {
    /// The file; for a source compiled in the same command, the source.
    #[serde(with = "text::path")]
    pub path: PathBuf,
    /// Hash of the file.
    #[serde(with = "text::opt_hash", default)]
    pub hash: Option<Hash>,
    /// What it is.
    pub kind: InputKind,
    /// The `-l` name it was found under.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Under `--whole-archive`: every member goes in.
    #[serde(default)]
    pub whole: bool,
    /// Number of the `--start-group` it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// For an object: what tells it by when its content is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
}

/// What an object can be known by after `strip` or `objcopy`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Hash of the names that it defines for others.
    #[serde(with = "text::opt_hash", default)]
    pub defined: Option<Hash>,
    /// The sources it says it was made of (file symbols); several after `ld -r`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// Hash of its code and data with the places where other symbols go, whatever these are called.
    #[serde(with = "text::opt_hash", default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Hash>,
    /// Of these there are so few that they tell no source: short functions are alike.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub small: bool,
    /// Numbers for the names that it defines for others, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<u64>,
    /// Hash of the names that it defines and of those that it needs, with which of them are weak: what decides, with its code,
    /// what a linker makes of it.
    #[serde(with = "text::opt_hash", default, skip_serializing_if = "Option::is_none")]
    pub bindings: Option<Hash>,
}

impl Marks {
    /// The same without the names, where its one source is known: they are many, and only needed where it is not.
    #[must_use]
    pub fn short(mut self) -> Marks {
        if self.sources.len() == 1 {
            self.names.clear();
        }
        self
    }
}

/// What an input of a link is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A source compiled in the same command: index into [`Record::compiles`].
    Source(usize),
    /// An object file.
    Object,
    /// A static archive.
    Archive {
        /// The members that the link takes, in archive order.
        members: Vec<Member>,
    },
    /// A shared object.
    Shared,
    /// Anything else (linker script, not readable, unknown format).
    Other(String),
}

/// One member of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name in the archive (for a thin archive, the file's path as stored).
    pub name: String,
    /// Hash of its content; none when the file of a thin archive is not there.
    #[serde(with = "text::opt_hash", default)]
    pub hash: Option<Hash>,
    /// The linker takes it (always so when the archive itself is the target).
    pub pulled: bool,
    /// What tells it by when its content is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
}
