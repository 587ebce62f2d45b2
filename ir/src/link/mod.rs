//! Makes a program of units, as a static ELF linker would see them.
//!
//! # Rules
//! - **Names.** Internal symbols keep their names and never clash. All linker-visible symbols of one name become one.
//!   Its definition is the best of: strong, common, weak, `available_externally`; among equals the first in link order.
//!   A second strong definition is reported ([`DiagnosticKind::MultipleDefinition`]) and the first kept. Commons become
//!   one with the largest size and alignment.
//! - **COMDAT.** The first unit that defines a group keeps it; the members in later units count as declarations.
//! - **Declarations** become the definition; without one, they become one declaration: weak only if all are weak.
//!   Visibility is the most constraining of all.
//! - A declaration that disagrees with the definition (parameters, results, size, C type, function against variable) is
//!   reported; its uses refer to the definition all the same. What then happens is for the interpreter to say.
//! - **Aliases** name the definition beside them even when its name resolves elsewhere (a weak function with an alias,
//!   overridden by another unit). Such a definition stays, as an internal symbol of the same name; so do functions
//!   whose block addresses are in a table.
//! - **Archives.** A member is linked when it defines a symbol that is needed: undefined, not weakly, so far; or common
//!   so far and defined by the member (as GNU ld does). Archives are searched to a fixpoint, so their order only decides
//!   between several members that define the same symbol: the first does.
//! - **Models** come last, one symbol at a time: a model's definition is used for a symbol that the program uses and
//!   leaves undefined (weakly too; `available_externally` counts as undefined), and for what such a definition uses.
//!   The program's own definitions always win, also inside models (a program's `malloc` serves the models' `calloc`).
//!   A model's constructors come with the first symbol taken from its unit.
//! - **Constructors** are sorted by priority, equal ones in link order; destructors the same: they run backwards.
//! - C types are merged when they are structurally equal, source files when path, directory and hash are.
//!
//! The modules must be well formed ([`crate::check`]); then the result is. What it is not: a linker script, symbol
//! versioning, `--wrap`, or anything dynamic.

mod emit;
mod fields;
mod mismatch;
mod symbols;
mod types;

use crate::module::Module;

/// Members are linked when they are needed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Archive {
    /// For messages, e.g. `libz.a`.
    pub name: String,
    /// In archive order.
    pub members: Vec<Module>,
}

/// What is linked beside the units that always are.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LinkOptions {
    /// `.a` files, in the order of the command line.
    pub archives: Vec<Archive>,
    /// The C library models.
    pub models: Vec<Module>,
    /// Symbols that count as used and undefined, like `ld -u` (the entry point, `exit` for the interpreter).
    pub roots: Vec<String>,
    /// Leave out declarations that nothing uses.
    pub strip_unreferenced_declarations: bool,
}

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct Linked {
    /// The program.
    pub module: Module,
    /// What the linker or a careful reader would complain about, in order of symbol names.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// Units for different machines.
    #[error("{first} is for {first_target} and {second} for {second_target}: they cannot be one program")]
    Target {
        /// Unit.
        first: String,
        /// Its target.
        first_target: String,
        /// Unit.
        second: String,
        /// Its target.
        second_target: String,
    },
}

/// What kind of disagreement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DiagnosticKind {
    /// Two strong definitions: a link error with an ordinary linker.
    MultipleDefinition,
    /// A function in one unit, a variable in the other.
    KindMismatch,
    /// Parameters or results differ.
    SignatureMismatch,
    /// Sizes of a variable differ.
    SizeMismatch,
    /// C types of a variable are not compatible.
    TypeMismatch,
    /// Thread-local in one unit only.
    ThreadLocalMismatch,
    /// A constructor or destructor whose name resolves to something that is not a function.
    LostStructor,
}

/// A disagreement between units about a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Kind.
    pub kind: DiagnosticKind,
    /// Linker name.
    pub symbol: String,
    /// Where the one that is used is from.
    pub first: Place,
    /// Where the other is from.
    pub second: Place,
    /// What differs, for people; may be empty.
    pub detail: String,
}

/// A unit, and the position in it where known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Main source file of the unit.
    pub unit: String,
    /// File and line.
    pub position: Option<(String, u32)>,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.position {
            Some((file, line)) if *file == self.unit => write!(f, "{file}:{line}"),
            Some((file, line)) => write!(f, "{file}:{line} (in {})", self.unit),
            None => f.write_str(&self.unit),
        }
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Diagnostic { symbol, first, second, detail, .. } = self;
        match self.kind {
            DiagnosticKind::MultipleDefinition => {
                write!(f, "multiple definition of `{symbol}`: {first} and {second}; the first is used")
            }
            DiagnosticKind::KindMismatch => write!(f, "`{symbol}` is {detail}: {first} and {second}"),
            DiagnosticKind::SignatureMismatch => {
                write!(f, "function `{symbol}` is {first} with {detail}: {second}")
            }
            DiagnosticKind::SizeMismatch => write!(f, "sizes of `{symbol}` differ, {detail}: {first} and {second}"),
            DiagnosticKind::TypeMismatch => write!(f, "types of `{symbol}` differ, {detail}: {first} and {second}"),
            DiagnosticKind::ThreadLocalMismatch => {
                write!(f, "`{symbol}` is thread-local in one of {first} and {second} only")
            }
            DiagnosticKind::LostStructor => {
                write!(f, "constructor or destructor `{symbol}` of {second} is no function in {first}; it does not run")
            }
        }
    }
}

/// Links units to a program.
pub fn link(modules: Vec<Module>, options: &LinkOptions) -> Result<Linked, LinkError> {
    let mut linker = symbols::Linker::new(&modules, options)?;
    linker.resolve();
    let mut diagnostics = linker.mismatches();
    let module = emit::emit(&linker, &mut diagnostics);
    diagnostics.sort_by(|a, b| (&a.symbol, a.kind).cmp(&(&b.symbol, b.kind)));
    Ok(Linked { module, diagnostics })
}
