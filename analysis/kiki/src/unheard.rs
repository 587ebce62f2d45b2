//! Output that the program does not hear of: it prints, and nothing that it does afterwards depends on whether the system
//! took what was printed. (A failing write shows in the result of the call, in `errno` and in what the functions of
//! streams say later, and nowhere else.)
//!
//! The library functions that may be called beside are listed by the file of their model: the others may say something.

use std::collections::BTreeSet;
use verify_checks::calls::{constant_string, direct_callee, is_model, is_users_model};
use verify_engine::Subject;
use verify_ir::inst::Step;
use verify_ir::{Block, Body, CType, FuncId, Function, InstKind, Module, Operand, Terminator, Value};

/// Functions that print.
const OUTPUT: &[&str] = &[
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "puts",
    "putchar",
    "putc",
    "fputc",
    "fputs",
    "fwrite",
    "fflush",
    "perror",
    "putchar_unlocked",
    "putc_unlocked",
    "fputc_unlocked",
    "fputs_unlocked",
    "fwrite_unlocked",
    "_IO_putc",
    "__printf_chk",
    "__vprintf_chk",
    "__fprintf_chk",
    "__vfprintf_chk",
];

/// Functions that neither print nor say whether something was printed, of models with others that do.
const SILENT: &[&str] = &[
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "__sprintf_chk",
    "__snprintf_chk",
    "__vsprintf_chk",
    "__vsnprintf_chk",
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "atexit",
];

/// Models without any that does.
const SILENT_MODELS: &[&str] = &[
    "assert.c",
    "ctype.c",
    "math.c",
    "math_exact.c",
    "search.c",
    "stdlib_alloc.c",
    "stdlib_float.c",
    "stdlib_number.c",
    "stdlib_random.c",
    "stdlib_sort.c",
    "string.c",
    "string_chk.c",
    "strings.c",
    "sv_comp.c",
];

/// Nothing in these blocks, of all functions that ran, depends on whether the system writes.
pub(crate) fn is_all_output(subject: &Subject, ran: &[(FuncId, BTreeSet<Block>)]) -> bool {
    let module = subject.module();
    let by_address = subject.address_taken();
    let users = ran.iter().filter(|(f, _)| !is_model(module, module.func(*f)));
    users.into_iter().all(|(f, blocks)| {
        let Some(body) = &module.func(*f).body else { return false };
        let mut used = None;
        let ran = blocks.iter().filter_map(|b| body.blocks.get(b.index()));
        if ran.clone().any(|b| matches!(b.term, Terminator::Invoke { .. })) {
            return false;
        }
        ran.flat_map(|b| &b.insts).all(|i| match &i.kind {
            InstKind::Call(c) => match direct_callee(module, c).map(|g| module.func(g)) {
                // `f(...)` through a pointer prints if anything whose address is taken does.
                None => {
                    !by_address.iter().any(|g| is_model(module, module.func(*g)) && !is_silent(module, module.func(*g)))
                }
                Some(g) if g.body.is_some() && !is_model(module, g) => true,
                Some(g) if OUTPUT.contains(&g.name.as_str()) && !is_users_model(module, g) => {
                    let used = used.get_or_insert_with(|| uses(body));
                    i.results.iter().all(|r| !used.contains(r)) && !counts(module, &g.name, &c.args)
                }
                Some(g) => g.body.is_none() && g.name.starts_with("__verify") || is_silent(module, g),
            },
            InstKind::Addr { steps, .. } => !steps.iter().any(|s| is_of_stream(module, s)),
            _ => true,
        })
    })
}

/// A format that stores how much was printed (`%n`), which is not done any more when printing has failed; or one that is not known.
fn counts(module: &Module, name: &str, args: &[Operand]) -> bool {
    if !name.contains("printf") {
        return false;
    }
    let at = usize::from(name.contains("fprintf")) + usize::from(name.ends_with("_chk"));
    let Some(format) = args.get(at).and_then(|o| constant_string(module, o)) else { return true };
    format.split('%').skip(1).any(|rest| {
        rest.trim_start_matches(|c: char| !c.is_ascii_alphabetic() || "hljztL".contains(c)).starts_with('n')
    })
}

fn is_silent(module: &Module, f: &Function) -> bool {
    if is_users_model(module, f) {
        return false;
    }
    let of = module.units.get(f.unit.index()).and_then(|u| u.source.rsplit('/').next()).unwrap_or_default();
    is_model(module, f) && (SILENT.contains(&f.name.as_str()) || SILENT_MODELS.contains(&of))
}

/// A field of a stream's own.
fn is_of_stream(module: &Module, step: &Step) -> bool {
    let Step::Field { record: Some(r), .. } = step else { return false };
    matches!(module.ctypes.get(r.index()), Some(CType::Record(r)) if r.name == "_IO_FILE")
}

/// What anything in the function reads.
fn uses(body: &Body) -> BTreeSet<Value> {
    let mut out = BTreeSet::new();
    let mut note = |o: &Operand| {
        if let Operand::Value(v) = o {
            out.insert(*v);
        }
    };
    for b in &body.blocks {
        for i in &b.insts {
            if !matches!(i.kind, InstKind::DebugValue { .. }) {
                i.kind.for_each_operand(&mut note);
            }
        }
        b.term.for_each_operand(&mut note);
    }
    out
}
