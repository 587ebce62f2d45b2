//! The option model: every driver option of gcc and clang as one row of data.
//!
//! A row says how an option takes its argument ([`Shape`]) and what it means for the capture ([`Effect`]). Each family of
//! compilers has its table, made of what both know and its own rows; this file is only the look-up. A row for `-fname` also answers for `-fno-name`, and
//! `-mname` for `-mno-name`, unless the negative form has a row of its own. The longest spelling wins.
//!
//! What it is not: it does not parse a command line (`argv.rs`), and it never touches what the real compiler is
//! given.

mod table;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::LazyLock;

pub use table::{CLANG, GCC, SHARED};

/// Compilers with the same options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Family {
    /// gcc, and whatever is not known to be another.
    #[default]
    Gcc,
    /// clang.
    Clang,
}

impl Family {
    /// The rows that only this family has; [`SHARED`] are the others.
    #[must_use]
    pub const fn own(self) -> &'static [Row] {
        match self {
            Family::Gcc => GCC,
            Family::Clang => CLANG,
        }
    }
}

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
    /// In the same word and in the next: `-Xarch_arm64 -O2`.
    Then,
    /// In the next two words: `-segaddr NAME ADDRESS`.
    Two,
    /// In the next three words: `-sectcreate SEGMENT SECTION FILE`.
    Three,
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
    /// `-D…`, `-U…`: kept, `_FORTIFY_SOURCE` left out.
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
    /// `-fpreprocessed`: to gcc, sources are preprocessed text whatever their names; clang ignores it.
    Preprocessed,
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
    /// Words of the command line it takes, at least one.
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

type Rows = HashMap<&'static [u8], &'static Row>;

fn rows(family: Family) -> Rows {
    SHARED.iter().chain(family.own()).map(|row| (row.name.as_bytes(), row)).collect()
}

static OF_GCC: LazyLock<Rows> = LazyLock::new(|| rows(Family::Gcc));
static OF_CLANG: LazyLock<Rows> = LazyLock::new(|| rows(Family::Clang));

/// Longest spelling of any row.
const LONGEST: usize = 64;

/// Looks up the option `word`; `next` are the words after it. `None` when no table has a row for it: an option that only
/// the other family has is taken as there, as a script called `cc` may be any compiler.
#[must_use]
pub fn find(family: Family, word: &OsStr, next: &[OsString]) -> Option<Found> {
    let (own, other) = match family {
        Family::Gcc => (&*OF_GCC, &*OF_CLANG),
        Family::Clang => (&*OF_CLANG, &*OF_GCC),
    };
    let bytes = word.as_bytes();
    find_in(own, bytes, next).or_else(|| find_in(other, bytes, next))
}

/// The long option that the word is the beginning of: gcc takes `--def` for `--define-macro`. None for a word that is an
/// option as it is. Where there are several gcc refuses, so any will do.
#[must_use]
pub fn in_full(family: Family, word: &OsStr) -> Option<&'static str> {
    let bytes = word.as_bytes();
    let long = bytes.starts_with(b"--") && bytes.len() > 2 && family == Family::Gcc;
    if !long || find(family, word, &[]).is_some() {
        return None;
    }
    let fits = |row: &&Row| row.shape != Shape::Joined && row.name.as_bytes().starts_with(bytes);
    SHARED.iter().chain(GCC).find(fits).map(|row| row.name)
}

fn find_in(rows: &Rows, bytes: &[u8], next: &[OsString]) -> Option<Found> {
    if let Some(found) = find_spelled(rows, bytes, next) {
        return Some(found);
    }
    for (no, yes) in [(&b"-fno-"[..], &b"-f"[..]), (b"-mno-", b"-m"), (b"-Wno-", b"-W")] {
        if let Some(rest) = bytes.strip_prefix(no) {
            let positive = [yes, rest].concat();
            // A negative form takes no argument.
            return find_spelled(rows, &positive, &[]).filter(|found| found.words == 1);
        }
    }
    None
}

fn find_spelled(rows: &Rows, bytes: &[u8], next: &[OsString]) -> Option<Found> {
    for end in (1..=bytes.len().min(LONGEST)).rev() {
        let Some(row) = rows.get(&bytes[..end]) else { continue };
        let whole = end == bytes.len();
        let rest = || Some(OsString::from_vec(bytes[end..].to_vec()));
        // An option at the end whose argument is missing is an error of the compiler's, not ours.
        let following = |n: usize| 1 + n.min(next.len());
        let (value, words) = match row.shape {
            Shape::Flag if whole => (None, 1),
            Shape::Joined => (rest(), 1),
            Shape::Either if !whole => (rest(), 1),
            Shape::Then => (rest(), following(1)),
            Shape::Separate | Shape::Either if whole => (next.first().cloned(), following(1)),
            Shape::Two if whole => (next.first().cloned(), following(2)),
            Shape::Three if whole => (next.first().cloned(), following(3)),
            _ => continue,
        };
        return Some(Found { effect: row.effect, value, words });
    }
    None
}
