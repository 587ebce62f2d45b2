//! Heap objects that are filled before anyone else sees them: `p = malloc(n); if (p) memset(p, 0, n);`, also where the
//! allocation is inside a wrapper that only hands it on. Their memory is never undefined. Shown on the code alone: no way
//! leads from the allocation to another use of the new pointer past the fill, except where the pointer is null.

use crate::points_to::{AbstractObject, External, ObjectKind, external};
use std::collections::BTreeSet;
use verify_ir::inst::{IntPred, Terminator};
use verify_ir::{Body, Const, FuncId, InstKind, Loc, Module, Operand, SymbolRef, Value};

/// Every object that this stands for is filled as a whole before its address gets anywhere.
pub fn filled_at_birth(m: &Module, o: &AbstractObject) -> bool {
    let ObjectKind::Heap { func, loc, calls } = &o.kind else { return false };
    // From the allocation outwards.
    for (f, loc) in std::iter::once((*func, *loc)).chain(calls.iter().rev().copied()) {
        let function = m.func(f);
        let Some(body) = &function.body else { return false };
        let inst = body.blocks.get(loc.block.index()).and_then(|b| b.insts.get(loc.inst as usize));
        let Some((InstKind::Call(c), [v])) = inst.map(|i| (&i.kind, i.results.as_slice())) else { return false };
        let model = |f: FuncId| m.units.get(m.func(f).unit.index()).is_some_and(|u| u.model);
        // The model of `calloc` fills as many bytes as it asks for.
        let calloc = function.name == "zeroed" && model(f);
        let asked = match c.callee {
            Operand::Const(Const::Symbol(SymbolRef::Func(g)))
                if external(m.func(g)) == External::Alloc || m.func(g).name == "malloc" && model(g) =>
            {
                c.args.first()
            }
            _ => None,
        };
        if filled(body, *v, loc, o.size, asked, calloc) {
            return true;
        }
        if !only_returned(body, *v, false) {
            return false;
        }
    }
    false
}

/// On every way from where the pointer is made to a use of it, all its bytes are filled, or it turned out to be null.
///
/// `asked`: as many bytes as this the object has, and this value is made before the pointer: where the two meet again,
/// they are of one time, as each way back to where it is made leads through where the pointer is made.
fn filled(body: &Body, v: Value, made: Loc, size: Option<u64>, asked: Option<&Operand>, calloc: bool) -> bool {
    let is = |o: &Operand| o.as_value() == Some(v);
    let whole = |len: &Operand| match (len, size) {
        (Operand::Const(Const::Int { value, .. }), Some(size)) => *value >= u128::from(size),
        _ => (calloc || asked == Some(len)) && !is(len),
    };
    let mut fills = false;
    let mut seen = BTreeSet::new();
    let mut todo = vec![(made.block, made.inst as usize + 1)];
    'paths: while let Some((b, from)) = todo.pop() {
        let data = body.block(b);
        for (i, inst) in data.insts.iter().enumerate().skip(from) {
            if b == made.block && i == made.inst as usize {
                // Made anew: the old one was never used.
                continue 'paths;
            }
            match &inst.kind {
                InstKind::DebugValue { .. } => {}
                InstKind::Icmp { lhs, rhs, .. } if null(lhs) || null(rhs) => {}
                InstKind::MemSet { dst, byte: Operand::Const(Const::Int { .. }), len, .. } if is(dst) && whole(len) => {
                    fills = true;
                    continue 'paths;
                }
                kind => {
                    let mut used = false;
                    kind.for_each_operand(|o| used |= is(o));
                    if used {
                        return false;
                    }
                }
            }
        }
        match &data.term {
            Terminator::Jump(_) | Terminator::Branch { .. } => {}
            t => {
                let mut used = false;
                t.for_each_operand(|o| used |= is(o));
                if used {
                    return false;
                }
            }
        }
        let skip = null_edge(body, &data.term, v);
        for (k, e) in data.term.targets().into_iter().enumerate() {
            if Some(k) == skip {
                continue;
            }
            if e.args.iter().any(is) {
                return false;
            }
            if seen.insert(e.block) {
                todo.push((e.block, 0));
            }
        }
    }
    fills
}

/// The edge that is taken when the value is null.
pub fn null_edge(body: &Body, t: &Terminator, v: Value) -> Option<usize> {
    let Terminator::Branch { cond: Operand::Value(c), .. } = t else { return None };
    let inst = body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(c))?;
    let InstKind::Icmp { pred, lhs, rhs } = &inst.kind else { return None };
    let about = |a: &Operand, b: &Operand| a.as_value() == Some(v) && null(b);
    match pred {
        _ if !about(lhs, rhs) && !about(rhs, lhs) => None,
        IntPred::Eq => Some(0),
        IntPred::Ne => Some(1),
        _ => None,
    }
}

/// The value, and block parameters that it is handed to, are tested against null and returned, and go nowhere else;
/// if `alone`, nothing else but null is returned.
pub fn only_returned(body: &Body, v: Value, alone: bool) -> bool {
    let mut names = BTreeSet::from([v]);
    let mut todo = vec![v];
    while let Some(n) = todo.pop() {
        let is = |o: &Operand| o.as_value() == Some(n);
        for data in &body.blocks {
            for inst in &data.insts {
                let mut used = false;
                match &inst.kind {
                    InstKind::DebugValue { .. } => {}
                    InstKind::Icmp { lhs, rhs, .. } if null(lhs) || null(rhs) => {}
                    kind => kind.for_each_operand(|o| used |= is(o)),
                }
                if used {
                    return false;
                }
            }
            let mut used = false;
            data.term.for_each_operand(|o| used |= is(o));
            match &data.term {
                _ if !used => {}
                Terminator::Return(values) if values.len() == 1 => {}
                Terminator::Jump(_) | Terminator::Branch { .. } => {
                    for e in data.term.targets() {
                        for (a, p) in e.args.iter().zip(&body.block(e.block).params) {
                            if is(a) && names.insert(*p) {
                                todo.push(*p);
                            }
                        }
                    }
                }
                _ => return false,
            }
        }
    }
    // A parameter of a block may be handed other pointers, too.
    let known = |o: &Operand| null(o) || o.as_value().is_some_and(|w| names.contains(&w));
    !alone
        || body.blocks.iter().all(|b| match &b.term {
            Terminator::Return(values) => values.iter().all(known),
            t => t.targets().into_iter().all(|e| {
                let params = &body.block(e.block).params;
                e.args.iter().zip(params).all(|(a, p)| !names.contains(p) || known(a))
            }),
        })
}

fn null(o: &Operand) -> bool {
    matches!(o, Operand::Const(Const::Null))
}
