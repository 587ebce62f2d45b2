//! What a program uses that this tool knows by name only: functions without a body that a verifier, a compiler or the C
//! library gives a meaning, and variables of the library whose contents are another matter in every run. `verify check`
//! gives no verdict about such a program.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use verify_checks::calls::is_model;
use verify_engine::Subject;
use verify_engine::result::ProgramResult;
use verify_ir::{Const, FuncId, InitData, InitPiece, Module, Operand, SymbolRef, Ty};

/// Beginnings of names that mean something of their own: no function of the program, whose body is just missing.
const FOREIGN: &[&str] = &["__CPROVER_", "__builtin_", "__atomic_", "__sync_", "__c11_"];

/// Functions (and names that should be macros) of the C library, `libm` included: where a program calls one that has no
/// model, nobody here knows what it does. By `nm -D` of glibc 2.36, without names that begin with an underscore.
const LIBRARY: &str = include_str!("library_functions.txt");

/// The C library has a function of this name.
pub(crate) fn is_of_library(name: &str) -> bool {
    static NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| LIBRARY.split_ascii_whitespace().collect());
    NAMES.contains(name)
}

/// Variables of the C library that say how the program was called: its models have one name for all programs.
const CALLED_AS: [&str; 3] = ["program_invocation_name", "program_invocation_short_name", "__progname"];

/// A variable of the library that the program looks at, and whose contents are not what any run finds.
fn called_as(m: &Module) -> Option<String> {
    let of_library = |s: SymbolRef| match m.resolve(s).0 {
        SymbolRef::Global(g) => CALLED_AS.iter().find(|n| **n == m.global(g).name).map(|n| (*n).to_string()),
        _ => None,
    };
    let mut found = None;
    for f in m.functions.iter().filter(|f| !is_model(m, f)) {
        let mut look = |o: &Operand| {
            if let Operand::Const(Const::Symbol(s)) = o {
                found = found.take().or_else(|| of_library(*s));
            }
        };
        for block in f.body.iter().flat_map(|b| &b.blocks) {
            block.insts.iter().for_each(|i| i.kind.for_each_operand(&mut look));
            block.term.for_each_operand(&mut look);
        }
    }
    let own = m.globals.iter().filter(|g| !m.units.get(g.unit.index()).is_some_and(|u| u.model));
    let pieces = own.flat_map(|g| g.init.iter().flat_map(|i| &i.pieces));
    let named = |p: &InitPiece| match p.data {
        InitData::Address { symbol, .. } => of_library(symbol),
        _ => None,
    };
    found.or_else(|| pieces.into_iter().find_map(named))
}

/// A function without a body whose name says that a verifier, a compiler or the C library knows what it does, and this
/// tool does not.
pub fn foreign(p: &ProgramResult) -> Option<String> {
    p.externals.iter().find(|e| known_elsewhere(e)).cloned().or_else(|| called_as(&p.module))
}

/// The same of a program that was not scanned.
pub fn foreign_in(s: &Subject) -> Option<String> {
    let module = s.module();
    let reached = s.draft.reach.may_run(&s.draft.roots.entries);
    let missing = module.functions.iter().enumerate().filter(|(i, f)| {
        reached[*i] && f.body.is_none() && !s.program.is_native(FuncId::new(*i)) && !f.name.starts_with("llvm.")
    });
    missing.map(|(_, f)| &f.name).filter(|n| known_elsewhere(n)).min().cloned().or_else(|| called_as(module))
}

/// Functions whose calls `unreach-call` is about.
pub const ERRORS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// One of them that the program defines and whose code has a second name, or is one itself: which of its executions are
/// calls of it, its code does not say.
pub fn error_by_two_names(m: &Module) -> Option<String> {
    let defined = m.functions.iter().filter(|f| f.body.is_some() && !is_model(m, f)).map(|f| &f.name);
    let mut names = defined.chain(m.aliases.iter().map(|a| &a.name));
    names.find(|n| ERRORS.contains(&n.as_str())).cloned()
}

/// Inputs of the competition that are narrower than an `int`, by the ends of their names, with their widths in bits.
const NARROW: &[(&str, u32)] =
    &[("bool", 8), ("char", 8), ("uchar", 8), ("u8", 8), ("short", 16), ("ushort", 16), ("u16", 16)];

/// An input that is an `int` by its declaration and less by its name, as `__VERIFIER_nondet_short` is where it is used without a
/// declaration. What holds of all numbers holds; but an execution may have one that the input never has.
pub fn wider_input(m: &Module) -> Option<String> {
    let wider = |f: &verify_ir::Function| {
        let end = f.name.strip_prefix("__VERIFIER_nondet_")?;
        let (_, width) = NARROW.iter().find(|(n, _)| *n == end)?;
        let declared = f.sig.results.iter().any(|t| matches!(t, Ty::Int(w) if w > width));
        (f.body.is_none() && declared).then(|| f.name.clone())
    };
    m.functions.iter().find_map(wider)
}

/// A function of the compiler's runtime: `__muldc3` (what clang makes of `*` of complex numbers), `__udivti3`, `__powidf2`.
/// By their naming: an operation, one or two machine modes, and how many operands.
fn of_compiler(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("__").and_then(|r| r.strip_suffix(['2', '3', '4'])) else { return false };
    let Some(rest) = rest.strip_suffix(['c', 'f', 'i']) else { return false };
    let Some(operation) = rest.strip_suffix(['h', 's', 'd', 'x', 't', 'k']) else { return false };
    !operation.is_empty() && operation.chars().all(|c| c.is_ascii_lowercase())
}

fn known_elsewhere(name: &str) -> bool {
    of_compiler(name) || FOREIGN.iter().any(|f| name.starts_with(f)) || is_of_library(name)
}
