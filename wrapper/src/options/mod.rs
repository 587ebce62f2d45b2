//! The option model: every driver option of gcc and clang as one row of data.
//!
//! A row says how an option takes its argument ([`Shape`]) and what it means for the capture ([`Effect`]). The
//! rows are in `table.rs`; this file is only the look-up. A row for `-fname` also answers for `-fno-name`, and
//! `-mname` for `-mno-name`, unless the negative form has a row of its own. The longest spelling wins.
//!
//! What it is not: it does not parse a command line (`argv.rs`), and it never touches what the real compiler is
//! given.

mod table;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::LazyLock;

pub use table::TABLE;

/// How an option takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No argument: `-c`.
    Flag,
    /// In the same word: `-std=c11`. Also stands for families of flags (`-ftree-…`).
    Joined,
    /// In the next word: `-include FILE`.
    Separate,
    /// Either: `-IDIR`, `-I DIR`.
    Either,
}

/// What an option means for the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// clang gets it as written.
    Keep,
    /// clang does not get it; the meaning of the program stays. With the reason.
    Harmless(&'static str),
    /// clang does not get it and the unit may mean something else. With what is lost.
    Semantic(&'static str),
    /// clang gets something else.
    Rewrite(Rewrite),
    /// For the linker.
    Link(LinkOption),
    /// Decides what the driver does.
    Mode(ModeOption),
}

/// Options that clang gets in another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// `-ffile-prefix-map=a=b`: only its effect on `__FILE__` is kept, so that findings name files that exist.
    FilePrefixMap,
    /// `-Wp,…`: split at commas, each looked up.
    PreprocessorList,
    /// `-Xpreprocessor X`: looked up as a driver option.
    Preprocessor,
    /// `-Xclang X`: kept where it is an `-f` option, else lost.
    Frontend,
    /// `-D…`: kept, `_FORTIFY_SOURCE` left out.
    Define,
    /// `-fexec-charset=`, `-finput-charset=`: UTF-8 is what clang does.
    Charset,
    /// `-mfpmath=`: `sse` is kept.
    FpMath,
    /// `-mabi=`: kept except where it is x86's name for the Microsoft convention.
    Abi,
}

/// Options of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOption {
    /// Changes nothing about which inputs are taken.
    Ignored,
    /// `-l`.
    Library,
    /// `-L`.
    LibraryDir,
    /// `-Wl,`.
    LinkerList,
    /// `-Xlinker`.
    Linker,
    /// `-shared`.
    Shared,
    /// `-r`.
    Relocatable,
    /// `-static`, `-static-pie`.
    Static,
    /// `-nostdlib`, `-nostartfiles`: no `main` is needed from outside.
    NoStart,
    /// `-u SYMBOL`.
    Undefined,
    /// `-e SYMBOL`.
    Entry,
}

/// Options that decide what the driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeOption {
    /// `-c`.
    Compile,
    /// `-S`.
    Assembly,
    /// `-E`.
    Preprocess,
    /// `-M`, `-MM`.
    Dependencies,
    /// `-fsyntax-only`.
    SyntaxOnly,
    /// `--version`, `-print-…`: the compiler speaks of itself.
    Query,
    /// `-o`.
    Output,
    /// `-x`.
    Language,
    /// The command is one whose product cannot be captured, with the reason.
    Unsupported(&'static str),
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The spelling, for [`Shape::Joined`] up to where the argument starts.
    pub name: &'static str,
    /// How it takes its argument.
    pub shape: Shape,
    /// What it means.
    pub effect: Effect,
}

/// An option found in a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its meaning.
    pub effect: Effect,
    /// Its argument, if it has one.
    pub value: Option<OsString>,
    /// Words of the command line it takes: one, or two.
    pub words: usize,
}

/// Whether the real compiler needs the option to preprocess the same text; options that write further files, or
/// decide what is done, are left out.
#[must_use]
pub fn preprocesses(effect: Effect, value: Option<&OsStr>) -> bool {
    let value = value.map(OsStr::as_bytes).unwrap_or_default();
    match effect {
        Effect::Mode(_) | Effect::Link(_) => false,
        _ if effect == table::DEPS || effect == table::DUMP => false,
        // `-Wp,-MD,file` and its like.
        Effect::Rewrite(Rewrite::PreprocessorList) => !value.split(|b| *b == b',').any(|w| w.starts_with(b"-M")),
        Effect::Rewrite(Rewrite::Preprocessor) => !value.starts_with(b"-M"),
        _ => true,
    }
}

static BY_NAME: LazyLock<HashMap<&'static [u8], &'static Row>> =
    LazyLock::new(|| TABLE.iter().map(|row| (row.name.as_bytes(), row)).collect());

static LONGEST: LazyLock<usize> = LazyLock::new(|| TABLE.iter().map(|row| row.name.len()).max().unwrap_or(0));

/// Looks up the option `word`; `next` is the word after it. `None` when the table has no row for it.
#[must_use]
pub fn find(word: &OsStr, next: Option<&OsStr>) -> Option<Found> {
    let bytes = word.as_bytes();
    if let Some(found) = find_spelled(bytes, next) {
        return Some(found);
    }
    for (no, yes) in [(&b"-fno-"[..], &b"-f"[..]), (b"-mno-", b"-m"), (b"-Wno-", b"-W")] {
        if let Some(rest) = bytes.strip_prefix(no) {
            let positive = [yes, rest].concat();
            // A negative form takes no argument.
            return find_spelled(&positive, None).filter(|found| found.words == 1);
        }
    }
    None
}

fn find_spelled(bytes: &[u8], next: Option<&OsStr>) -> Option<Found> {
    for end in (1..=bytes.len().min(*LONGEST)).rev() {
        let Some(row) = BY_NAME.get(&bytes[..end]) else { continue };
        let whole = end == bytes.len();
        let rest = || Some(OsString::from_vec(bytes[end..].to_vec()));
        let (value, words) = match row.shape {
            Shape::Flag if whole => (None, 1),
            Shape::Joined => (rest(), 1),
            Shape::Either if !whole => (rest(), 1),
            // An option at the end whose argument is missing is an error of the compiler's, not ours.
            Shape::Separate | Shape::Either if whole => (next.map(OsStr::to_owned), 1 + usize::from(next.is_some())),
            _ => continue,
        };
        return Some(Found { effect: row.effect, value, words });
    }
    None
}
