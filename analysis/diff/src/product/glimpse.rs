//! Arguments of which a callee sees little: a pointer to a constant, of which it reads the first bytes and compares it with
//! null, and nothing else. A version string, whose first character a library checks, may be another text then: the call is
//! the same for the callee. What the old version's callee does with its argument decides, as the pair of callees is equal on
//! equal arguments.

use super::{Product, Version};
use crate::pairs::{may_be_replaced, weak_name};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::{IntPred, Step};
use verify_ir::{Const, FuncId, InstKind, Module, Operand, SymbolRef, Value};
use verify_solver::{Sort, Term};

/// No more bytes than these are taken to be seen.
const MAX_SEEN: u64 = 16;
/// Functions that hand the argument on, one calling the other.
const MAX_CHAIN: u32 = 4;

impl Product<'_> {
    /// The arguments of a call of a pair's function; constants in the place of which others could stand by what is seen of
    /// them.
    pub(super) fn seen_by(&mut self, v: Version, callee: FuncId, given: &[Operand], args: &mut [Term]) {
        let Some(c) = self.pairs.class(v, callee) else { return };
        let old = self.pairs.pairs[c as usize].old;
        for (k, (o, t)) in given.iter().zip(args).enumerate() {
            let Operand::Const(Const::Symbol(s)) = o else { continue };
            let (SymbolRef::Global(g), 0) = self.module(v).resolve(*s) else { continue };
            if !self.module(v).global(g).constant {
                continue;
            }
            let Some(seen) = seen(self.pairs.old, old, k, MAX_CHAIN) else { continue };
            let info = self.module(v).global(g);
            if seen.bytes > info.size || seen.align > info.align.max(1) {
                continue;
            }
            let mut text = String::from("what begins with");
            let known = (0..seen.bytes).all(|i| {
                let b = self.constant_at(v, g, i, 1).and_then(|b| self.t.pool.as_const(b).and_then(|b| b.to_u64()));
                b.is_some_and(|b| {
                    text.push_str(&format!(" {b:02x}"));
                    true
                })
            });
            if known {
                let word = self.word(&text);
                *t = self.t.symbol(&[725, word], Sort::Bv(self.t.ptr_bits));
            }
        }
    }
}

/// What is read through a pointer that nothing else is done with.
#[derive(Clone, Copy, Default)]
struct Seen {
    bytes: u64,
    align: u64,
}

/// What a function sees of what a parameter points to; `None`: it does more with it.
fn seen(m: &Module, f: FuncId, param: usize, chain: u32) -> Option<Seen> {
    let info = m.func(f);
    let this_one = !may_be_replaced(info.linkage) && !info.sig.variadic;
    let body = info.body.as_ref().filter(|_| this_one && chain > 0)?;
    let mut at: BTreeMap<Value, u64> = BTreeMap::from([(*body.blocks[0].params.get(param)?, 0)]);
    // Blocks are in no particular order: addresses inside first.
    loop {
        let before = at.len();
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Addr { base, steps, .. } = &i.kind
                && let Some(from) = base.as_value().and_then(|b| at.get(&b).copied())
            {
                at.insert(i.results[0], from.checked_add(distance(steps)?)?);
            }
        }
        if at.len() == before {
            break;
        }
    }
    let is = |o: &Operand| o.as_value().is_some_and(|v| at.contains_key(&v));
    let mut out = Seen::default();
    for b in &body.blocks {
        let mut used = false;
        b.term.for_each_operand(|o| used |= is(o));
        if used {
            return None;
        }
        for i in &b.insts {
            let mut used = BTreeSet::new();
            i.kind.for_each_operand(|o| used.extend(o.as_value().filter(|v| at.contains_key(v))));
            if used.is_empty() {
                continue;
            }
            match &i.kind {
                InstKind::DebugValue { .. } | InstKind::Addr { .. } => {}
                InstKind::Icmp { pred: IntPred::Eq | IntPred::Ne, lhs, rhs }
                    if matches!((lhs, rhs), (_, Operand::Const(Const::Null)) | (Operand::Const(Const::Null), _)) => {}
                InstKind::Load { ptr, align, volatile: false, atomic: false } => {
                    let bytes = body.ty(i.results[0]).store_bytes(&m.target);
                    out.bytes = out.bytes.max(at.get(&ptr.as_value()?)?.checked_add(bytes)?);
                    out.align = out.align.max(*align);
                }
                InstKind::Call(c) => {
                    let Operand::Const(Const::Symbol(s)) = &c.callee else { return None };
                    let (SymbolRef::Func(g), 0) = m.resolve(*s) else { return None };
                    if weak_name(m, *s).is_some() {
                        return None;
                    }
                    for (k, a) in c.args.iter().enumerate().filter(|(_, a)| is(a)) {
                        let param = c.params.get(k).is_none_or(|p| p.attrs.byval.is_none() && p.attrs.sret.is_none());
                        // What is further inside would need its own distance.
                        if !param || at.get(&a.as_value()?) != Some(&0) {
                            return None;
                        }
                        let inner = seen(m, g, k, chain - 1)?;
                        out.bytes = out.bytes.max(inner.bytes);
                        out.align = out.align.max(inner.align);
                    }
                }
                _ => return None,
            }
        }
    }
    (out.bytes <= MAX_SEEN).then_some(out)
}

/// How far an address lies from its base, where that is known.
fn distance(steps: &[Step]) -> Option<u64> {
    steps.iter().try_fold(0u64, |sum, s| {
        let by = match s {
            Step::Field { offset, .. } => *offset,
            Step::Index { index: Operand::Const(Const::Int { value, .. }), stride, .. } => {
                u64::try_from(*value).ok()?.checked_mul(*stride)?
            }
            Step::Index { .. } => return None,
        };
        sum.checked_add(by)
    })
}
