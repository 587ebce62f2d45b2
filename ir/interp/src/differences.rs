//! Differences of pointers in the IR: two addresses become numbers, one is taken from the other. What else is done with
//! the number of an address may depend on where the object lies.

use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::{BinOp, CastOp};
use verify_ir::{Body, Inst, InstKind, Operand, Ty, Value};

/// The values of a body that are addresses as numbers.
fn casts(body: &Body) -> impl Iterator<Item = Value> {
    let insts = body.blocks.iter().flat_map(|b| &b.insts);
    let casts = insts.filter(|i| matches!(i.kind, InstKind::Cast { op: CastOp::PtrToInt, .. }));
    casts.flat_map(|i| i.results.iter().copied())
}

/// Those with all bits of the address.
#[must_use]
pub fn numbers_of_addresses(body: &Body, ptr_bits: u32) -> BTreeSet<Value> {
    casts(body).filter(|v| body.ty(*v) == Ty::Int(ptr_bits)).collect()
}

/// The operands, if the instruction takes one address from another.
#[must_use]
pub fn of_addresses<'a>(inst: &'a Inst, numbers: &BTreeSet<Value>) -> Option<(&'a Operand, &'a Operand)> {
    let InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } = &inst.kind else { return None };
    let is = |o: &Operand| matches!(o, Operand::Value(v) if numbers.contains(v));
    (is(lhs) && is(rhs)).then_some((lhs, rhs))
}

/// Addresses as numbers that something else is done with than to take one from another.
#[must_use]
pub fn numbers_seen(body: &Body, ptr_bits: u32) -> BTreeSet<Value> {
    let all: BTreeSet<Value> = casts(body).collect();
    if all.is_empty() {
        return all;
    }
    let numbers = numbers_of_addresses(body, ptr_bits);
    let mut uses: BTreeMap<Value, usize> = BTreeMap::new();
    let mut note = |o: &Operand| {
        if let Operand::Value(v) = o {
            *uses.entry(*v).or_default() += 1;
        }
    };
    for b in &body.blocks {
        for i in b.insts.iter().filter(|i| !matches!(i.kind, InstKind::DebugValue { .. })) {
            i.kind.for_each_operand(&mut note);
        }
        b.term.for_each_operand(&mut note);
    }
    for i in body.blocks.iter().flat_map(|b| &b.insts) {
        if let Some((Operand::Value(a), Operand::Value(b))) = of_addresses(i, &numbers) {
            for v in [a, b] {
                uses.entry(*v).and_modify(|n| *n = n.saturating_sub(1));
            }
        }
    }
    all.into_iter().filter(|v| uses.get(v).is_some_and(|n| *n > 0)).collect()
}
