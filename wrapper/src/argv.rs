//! One compiler command line, understood: what the driver will do, which files go in, what clang must be told.
//!
//! The parse follows the option table; it never fails on an unknown option (that is dropped with a note) but says
//! so when the command is of a kind that cannot be captured. What the real compiler gets is not made here: it
//! gets its arguments as they came.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use verify_compile_db::response::{self, ResponseError};
use verify_compile_db::{Change, Effect as Weight};

use crate::linker;
use crate::options::{self, Effect, Family, LinkOption, ModeOption};
use crate::translate;

/// Which driver is imitated: they differ in the language of `.c` and `.h` files and in the standard libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// `gcc`, `clang`.
    C,
    /// `g++`, `clang++`.
    Cxx,
}

/// What the driver will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Link, compiling sources first.
    Link,
    /// `-c`.
    Compile,
    /// `-S`.
    Assembly,
    /// `-E`, `-M`, `-MM`.
    Preprocess,
    /// `-fsyntax-only`.
    SyntaxOnly,
    /// Nothing but talk about itself.
    Query,
    /// Something that cannot be captured, with the reason.
    Unsupported(String),
}

/// Something on the command line whose order matters to the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An input file as written; the language when it is a source, by `-x` or by its name.
    File {
        /// As written.
        path: PathBuf,
        /// `-x` name; none for what only the linker reads.
        language: Option<String>,
    },
    /// `-lNAME`.
    Library(OsString),
    /// `--whole-archive` on or off.
    Whole(bool),
    /// `-Bstatic` on or off.
    Static(bool),
    /// `--start-group`.
    GroupStart,
    /// `--end-group`.
    GroupEnd,
    /// `--push-state`: the switches as they are now are remembered.
    Push,
    /// `--pop-state`: and are so again.
    Pop,
}

/// What is made by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A program.
    Executable,
    /// `-shared`.
    Shared,
    /// `-r`.
    Relocatable,
}

/// A command line understood.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Whose options they are.
    pub family: Family,
    /// What the driver will do.
    pub mode: Mode,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// Inputs and link switches in order.
    pub items: Vec<Item>,
    /// `-L` directories in order.
    pub library_dirs: Vec<PathBuf>,
    /// What the link makes.
    pub product: Product,
    /// `-static`.
    pub static_link: bool,
    /// No start files: nothing outside needs `main`.
    pub no_start: bool,
    /// `-u` and `-e` symbols.
    pub roots: Vec<OsString>,
    /// What clang is told, without inputs, output and the capture's own options.
    pub clang: Vec<OsString>,
    /// What clang is told differently or not at all.
    pub changes: Vec<Change>,
    /// Options with which the real compiler preprocesses the same text and writes nothing else.
    pub preprocess: Vec<OsString>,
}

impl Invocation {
    /// Understands `args` (program name left out), response files expanded as seen from `cwd`.
    ///
    /// # Errors
    /// [`ResponseError`] when response files do not end.
    pub fn parse(driver: Driver, family: Family, args: &[OsString], cwd: &Path) -> Result<Invocation, ResponseError> {
        let args = response::expand(args, cwd)?;
        Ok(parse_in(driver, family, &args, Some(cwd)))
    }

    /// The sources, in order: their position in [`Invocation::items`], path and language.
    pub fn sources(&self) -> impl Iterator<Item = (usize, &Path, &str)> {
        self.items.iter().enumerate().filter_map(|(i, item)| match item {
            Item::File { path, language: Some(language) } => Some((i, path.as_path(), language.as_str())),
            _ => None,
        })
    }

    /// Records that clang is not given an option as written.
    pub(crate) fn change(&mut self, option: OsString, effect: Weight, why: impl Into<String>) {
        let change = Change { option, effect, why: why.into() };
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }
}

/// What is said of a word that no table has.
pub const NO_OPTION: &str = "not in the option table; clang is not given it";

/// Understands a command line whose response files are expanded.
#[must_use]
pub fn parse(driver: Driver, family: Family, args: &[OsString]) -> Invocation {
    parse_in(driver, family, args, None)
}

/// The same; the linker's own response files are looked for in `cwd`.
fn parse_in(driver: Driver, family: Family, args: &[OsString], cwd: Option<&Path>) -> Invocation {
    let mut out = Invocation {
        family,
        mode: Mode::Link,
        output: None,
        items: Vec::new(),
        library_dirs: Vec::new(),
        product: Product::Executable,
        static_link: false,
        no_start: false,
        roots: Vec::new(),
        clang: Vec::new(),
        changes: Vec::new(),
        preprocess: Vec::new(),
    };
    let mut language: Option<String> = None;
    let mut linker_words: Vec<OsString> = Vec::new();
    let mut only_files = false;
    let mut preprocessed = false;
    let mut i = 0;
    while i < args.len() {
        let word = &args[i];
        let bytes = word.as_bytes();
        if only_files || bytes == b"-" || !bytes.starts_with(b"-") {
            linker::words(&mut out, &std::mem::take(&mut linker_words), cwd);
            let language = language.clone().or_else(|| language_of(driver, bytes));
            out.items.push(Item::File { path: word.into(), language });
            i += 1;
            continue;
        }
        if bytes == b"--" {
            only_files = true;
            i += 1;
            continue;
        }
        let full = options::in_full(family, word).map(OsString::from);
        let word = full.as_ref().unwrap_or(word);
        let Some(found) = options::find(family, word, &args[i + 1..]) else {
            out.change(word.clone(), Weight::Semantic, NO_OPTION);
            out.preprocess.push(word.clone());
            i += 1;
            continue;
        };
        let mut words = args[i..i + found.words].to_vec();
        words[0].clone_from(word);
        i += found.words;
        let value = found.value.clone();
        if options::preprocesses(found.effect, value.as_deref()) {
            out.preprocess.extend_from_slice(&words);
        }
        match found.effect {
            Effect::Mode(ModeOption::Output) => out.output = value.map(PathBuf::from),
            Effect::Mode(ModeOption::Language) => {
                let name = value.unwrap_or_default().to_string_lossy().into_owned();
                language = (name != "none").then_some(name);
            }
            Effect::Mode(ModeOption::Preprocessed) => preprocessed = family == Family::Gcc,
            Effect::Mode(mode) => set_mode(&mut out.mode, mode),
            // What `-Wl,` and `-Xlinker` say is one list for the linker, cut only where an input stands.
            Effect::Link(LinkOption::Linker) => linker_words.extend(value),
            Effect::Link(LinkOption::LinkerList) => {
                let list = value.unwrap_or_default();
                linker_words.extend(list.as_bytes().split(|b| *b == b',').map(os));
            }
            Effect::Link(LinkOption::Library) => {
                linker::words(&mut out, &std::mem::take(&mut linker_words), cwd);
                out.items.extend(value.map(Item::Library));
            }
            Effect::Link(option) => link_option(&mut out, option, value),
            effect => translate::option(&mut out, effect, &words, value),
        }
    }
    linker::words(&mut out, &linker_words, cwd);
    if preprocessed {
        for item in &mut out.items {
            if let Item::File { language: Some(language), .. } = item
                && matches!(language.as_str(), "c" | "c++")
            {
                *language = if language == "c" { "cpp-output" } else { "c++-cpp-output" }.into();
            }
        }
    }
    if out.mode == Mode::Link && !out.items.iter().any(|i| matches!(i, Item::File { .. } | Item::Library(_))) {
        out.mode = Mode::Query;
    }
    out
}

/// Of several mode options GCC takes the one that stops earliest.
fn set_mode(mode: &mut Mode, option: ModeOption) {
    let rank = |m: &Mode| match m {
        Mode::Link => 0,
        Mode::Compile => 1,
        Mode::Assembly => 2,
        // What makes no code in the end is nothing that could have been captured.
        Mode::Unsupported(_) => 3,
        Mode::SyntaxOnly => 4,
        Mode::Preprocess => 5,
        Mode::Query => 6,
    };
    let new = match option {
        ModeOption::Compile => Mode::Compile,
        ModeOption::Assembly => Mode::Assembly,
        ModeOption::Preprocess | ModeOption::Dependencies => Mode::Preprocess,
        ModeOption::SyntaxOnly => Mode::SyntaxOnly,
        ModeOption::Query => Mode::Query,
        ModeOption::Unsupported(why) => Mode::Unsupported(why.into()),
        ModeOption::Output | ModeOption::Language | ModeOption::Preprocessed => return,
    };
    if rank(&new) > rank(mode) {
        *mode = new;
    }
}

fn link_option(out: &mut Invocation, option: LinkOption, value: Option<OsString>) {
    match option {
        LinkOption::Ignored
        // In order with the inputs: the parser's.
        | LinkOption::Library
        | LinkOption::Linker
        | LinkOption::LinkerList => {}
        LinkOption::LibraryDir => out.library_dirs.extend(value.map(PathBuf::from)),
        LinkOption::Shared => out.product = Product::Shared,
        LinkOption::Relocatable => out.product = Product::Relocatable,
        LinkOption::Static => out.static_link = true,
        LinkOption::NoStart => out.no_start = true,
        LinkOption::Undefined => out.roots.extend(value),
        LinkOption::Entry => {
            out.roots.extend(value);
            out.no_start = true;
        }
    }
}

/// The language of a file by its name, as gcc's and clang's drivers see it; none for the linker's.
#[must_use]
pub fn language_of(driver: Driver, name: &[u8]) -> Option<String> {
    if name == b"-" {
        // Without `-x` the compiler refuses it; with `-E` it is C.
        return Some("c".into());
    }
    let path = Path::new(OsStr::from_bytes(name));
    let extension = path.extension()?.to_str()?;
    let language = match extension {
        "c" if driver == Driver::Cxx => "c++",
        "i" if driver == Driver::Cxx => "c++-cpp-output",
        "h" if driver == Driver::Cxx => "c++-header",
        "c" => "c",
        "i" => "cpp-output",
        "h" => "c-header",
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ixx" | "cppm" => "c++",
        "ii" => "c++-cpp-output",
        "hh" | "H" | "hp" | "hxx" | "hpp" | "HPP" | "h++" | "tcc" => "c++-header",
        "m" => "objective-c",
        "mi" => "objective-c-cpp-output",
        "mm" | "M" => "objective-c++",
        "mii" => "objective-c++-cpp-output",
        "s" => "assembler",
        "S" | "sx" => "assembler-with-cpp",
        "f" | "for" | "ftn" | "F" | "FOR" | "f90" | "f95" | "f03" | "f08" | "F90" | "F95" | "F03" | "F08" => "f95",
        "go" => "go",
        "d" | "di" => "d",
        "ads" | "adb" => "ada",
        "ll" => "ir",
        "cu" => "cuda",
        _ => return None,
    };
    Some(language.into())
}

pub(crate) fn os(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}
