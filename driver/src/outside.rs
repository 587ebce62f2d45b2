//! What of a program is not known however it runs: assembly outside functions, and what is not modelled in a function that
//! an execution may get to. Such a thing may itself do what is asked about.

use std::collections::BTreeSet;
use verify_ir::{Const, FuncId, InstKind, Module, Operand, SpanId, SymbolRef};

/// The first such thing, as a sentence.
pub fn unknown(m: &Module, entry: &str) -> Option<String> {
    if let Some(what) = m.unknown_outside() {
        return Some(what.to_string());
    }
    for f in reached(m, entry) {
        let user = m.units.get(m.func(f).unit.index()).is_some_and(|u| !u.model);
        let insts = m.func(f).body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
        for i in insts.filter(|_| user) {
            if let InstKind::Unmodelled { reason, .. } = &i.kind {
                return Some(format!("{reason} at {}", place(m, i.span)));
            }
        }
    }
    None
}

fn place(m: &Module, span: SpanId) -> String {
    let s = m.span(span);
    format!("{}:{}", m.files[s.file.index()].path, s.line)
}

/// Functions whose names an execution may come upon.
fn reached(m: &Module, entry: &str) -> BTreeSet<FuncId> {
    let around = m.constructors.iter().chain(&m.destructors).map(|s| s.func);
    let first = m.function_named(entry).into_iter().chain(around).map(SymbolRef::Func);
    let mut todo: Vec<SymbolRef> = first.collect();
    let (mut seen, mut out) = (BTreeSet::new(), BTreeSet::new());
    while let Some(s) = todo.pop() {
        if !seen.insert(s) {
            continue;
        }
        match s {
            SymbolRef::Alias(a) => todo.push(m.alias(a).target),
            SymbolRef::Global(g) => {
                for p in m.global(g).init.iter().flat_map(|i| &i.pieces) {
                    p.data.for_each_symbol(&mut |s| todo.push(s));
                }
            }
            SymbolRef::Func(f) => {
                out.insert(f);
                let mut note = |o: &Operand| match o {
                    Operand::Const(Const::Symbol(s)) => todo.push(*s),
                    Operand::Const(Const::BlockAddr(g, _)) => todo.push(SymbolRef::Func(*g)),
                    _ => {}
                };
                for b in m.func(f).body.iter().flat_map(|b| &b.blocks) {
                    b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut note));
                    b.term.for_each_operand(&mut note);
                }
            }
        }
    }
    out
}
