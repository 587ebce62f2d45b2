//! Output that the program does not hear of: it prints, and nothing that it does afterwards depends on whether the system
//! took what was printed. (A failing write shows in the result of the call, in `errno` and in what the functions of
//! streams say later, and nowhere else.)
//!
//! The library functions that may be called beside are listed by the file of their model: the others may say something.

use std::collections::BTreeSet;
use verify_checks::calls::{constant_string, direct_callee, is_model, is_users_model};
use verify_engine::Subject;
use verify_ir::remap::{Use, uses_of_global};
use verify_ir::{
    Block, Body, Const, FuncId, Function, Global, Inst, InstKind, Module, Operand, SymbolRef, Terminator, UnitId, Value,
};

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
    // A variable that points to one of the library's leads to what a stream holds.
    let points = |g: &Global| {
        let mut found = false;
        uses_of_global(g, |u| {
            if let Use::Symbol(s) = u {
                found |= is_the_librarys(module, s);
            }
        });
        found
    };
    if module.globals.iter().any(|g| !is_of_model(module, g.unit) && points(g)) {
        return false;
    }
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
            _ => true,
        }) && are_only_printed_to(module, body)
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

fn is_of_model(module: &Module, unit: UnitId) -> bool {
    module.units.get(unit.index()).is_some_and(|u| u.model)
}

/// A variable of the library.
fn is_the_librarys(module: &Module, s: SymbolRef) -> bool {
    matches!(module.resolve(s).0, SymbolRef::Global(g) if is_of_model(module, module.global(g).unit))
}

/// The library's variables are read to get a stream, and streams are handed to functions that print; nobody looks into
/// one, where a failure is noted.
fn are_only_printed_to(module: &Module, body: &Body) -> bool {
    let is_symbol = |o: &Operand| matches!(o, Operand::Const(Const::Symbol(s)) if is_the_librarys(module, *s));
    let insts = || body.blocks.iter().flat_map(|b| &b.insts);
    let loads = insts().filter(|i| matches!(&i.kind, InstKind::Load { ptr, .. } if is_symbol(ptr)));
    let streams: BTreeSet<Value> = loads.flat_map(|i| i.results.iter().copied()).collect();
    let leads_there = |o: &Operand| is_symbol(o) || matches!(o, Operand::Value(v) if streams.contains(v));
    let stays_away = |k: &InstKind| {
        let mut away = true;
        k.for_each_operand(|o| away &= !leads_there(o));
        away
    };
    let in_place = |i: &Inst| match &i.kind {
        InstKind::DebugValue { .. } => true,
        InstKind::Load { ptr, .. } if is_symbol(ptr) => true,
        InstKind::Call(c)
            if direct_callee(module, c).is_some_and(|g| {
                let g = module.func(g);
                is_model(module, g) && OUTPUT.contains(&g.name.as_str())
            }) =>
        {
            !c.args.iter().any(is_symbol)
        }
        k => stays_away(k),
    };
    let ends = body.blocks.iter().all(|b| {
        let mut away = true;
        b.term.for_each_operand(|o| away &= !leads_there(o));
        away
    });
    ends && insts().all(in_place)
}

/// What anything in the function reads.
pub(crate) fn uses(body: &Body) -> BTreeSet<Value> {
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
