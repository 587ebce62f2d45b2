//! Library functions that only look: they read memory, compute, and return or fail (`strlen`, `strcmp`, `isdigit`). What
//! comes out depends on the arguments and on memory alone, so that it is of no matter how often and when they are called.
//!
//! Decided by the code of their models, not by their names: nothing but arithmetic, reads, writes to own variables and
//! calls of the like; every block gets to a `return`. That their loops end, or fail, is a property of the models: they
//! walk over objects, which are finite.

use crate::plain::is_pure;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::{Block, Body, Const, FuncId, InstKind, Module, Operand, SymbolRef, Terminator, Value};

/// All of them, with the parameters that they read through whatever else they do: a null pointer fails there.
pub(crate) fn lookers(m: &Module) -> BTreeMap<FuncId, BTreeSet<u32>> {
    let all = names(m);
    let mut out: BTreeMap<FuncId, BTreeSet<u32>> = all.iter().map(|f| (*f, BTreeSet::new())).collect();
    // Calls of each other.
    for _ in 0..4 {
        for f in &all {
            let found = m.func(*f).body.as_ref().map_or_else(BTreeSet::new, |b| read_through(m, b, &out));
            out.insert(*f, found);
        }
    }
    out
}

/// Parameters through which a body reads before control can part.
fn read_through(m: &Module, body: &Body, known: &BTreeMap<FuncId, BTreeSet<u32>>) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    // The parameter of the function that a pointer is built on.
    let mut from: BTreeMap<Value, u32> = (0..).zip(&body.blocks[0].params).map(|(k, v)| (*v, k)).collect();
    let (mut at, mut seen) = (Block(0), BTreeSet::new());
    while seen.insert(at) {
        let b = &body.blocks[at.index()];
        for i in &b.insts {
            match &i.kind {
                InstKind::Addr { base, .. } => {
                    if let (Some(k), [r]) = (base.as_value().and_then(|v| from.get(&v).copied()), i.results.as_slice())
                    {
                        from.insert(*r, k);
                    }
                }
                InstKind::Load { ptr, .. } => out.extend(ptr.as_value().and_then(|v| from.get(&v))),
                InstKind::Call(c) => {
                    let Operand::Const(Const::Symbol(s)) = &c.callee else { continue };
                    let (SymbolRef::Func(g), 0) = m.resolve(*s) else { continue };
                    for k in known.get(&g).into_iter().flatten() {
                        let arg = c.args.get(*k as usize).and_then(Operand::as_value);
                        out.extend(arg.and_then(|v| from.get(&v)));
                    }
                }
                _ => {}
            }
        }
        let Terminator::Jump(e) = &b.term else { break };
        let passed: Vec<_> = e.args.iter().map(|a| a.as_value().and_then(|v| from.get(&v).copied())).collect();
        for (p, k) in body.block(e.block).params.iter().zip(passed) {
            match k {
                Some(k) => _ = from.insert(*p, k),
                None => _ = from.remove(p),
            }
        }
        at = e.block;
    }
    out
}

fn names(m: &Module) -> BTreeSet<FuncId> {
    let library = |f: &FuncId| m.units.get(m.func(*f).unit.index()).is_some_and(|u| u.model);
    let returns = |f: &FuncId| m.func(*f).body.as_ref().is_some_and(always_gets_to_return);
    let mut good: BTreeSet<FuncId> = (0..m.functions.len()).map(FuncId::new).filter(library).filter(returns).collect();
    loop {
        let bad: Vec<FuncId> = good.iter().copied().filter(|f| !looks(m, *f, &good)).collect();
        if bad.is_empty() {
            return good;
        }
        for f in bad {
            good.remove(&f);
        }
    }
}

/// From every block there is a way to a `return`.
fn always_gets_to_return(body: &Body) -> bool {
    let mut gets = vec![false; body.blocks.len()];
    loop {
        let mut grown = false;
        for (i, b) in body.blocks.iter().enumerate() {
            let now = matches!(b.term, Terminator::Return(_)) || b.term.targets().iter().any(|e| gets[e.block.index()]);
            grown |= now && !gets[i];
            gets[i] |= now;
        }
        if !grown {
            return gets.iter().all(|g| *g);
        }
    }
}

fn looks(m: &Module, f: FuncId, good: &BTreeSet<FuncId>) -> bool {
    let info = m.func(f);
    let Some(body) = &info.body else { return false };
    if info.attrs.noreturn || info.sig.variadic {
        return false;
    }
    let own = |o: &Operand| {
        let made = |v| body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(&v));
        o.as_value().and_then(made).is_some_and(|i| matches!(i.kind, InstKind::Alloca { .. }))
    };
    let plain = |t: &Terminator| {
        matches!(t, Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::Return(_))
    };
    let instruction = |k: &InstKind| match k {
        // Its result may be another one each time.
        InstKind::Freeze { .. } => false,
        k if is_pure(k) => true,
        InstKind::Alloca { count: Operand::Const(_), .. }
        | InstKind::LifetimeStart { .. }
        | InstKind::LifetimeEnd { .. }
        | InstKind::Check { .. } => true,
        InstKind::Load { volatile, atomic, .. } => !volatile && !atomic,
        InstKind::Store { ptr, volatile, atomic, .. } => !volatile && !atomic && own(ptr),
        InstKind::Call(c) => match &c.callee {
            Operand::Const(Const::Symbol(s)) if !c.noreturn && !c.returns_twice => {
                matches!(m.resolve(*s), (SymbolRef::Func(g), 0) if good.contains(&g))
            }
            _ => false,
        },
        _ => false,
    };
    body.blocks.iter().all(|b| plain(&b.term) && b.insts.iter().all(|i| instruction(&i.kind)))
}
