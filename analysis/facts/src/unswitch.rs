//! Loop unswitching (Allen and Cocke, "A catalogue of optimizing transformations", 1971): a branch within a loop whose
//! condition no iteration changes is decided once before it, and the loop becomes two. Two versions of a function that
//! differ in whether that was done have loops of the same shape then.
//!
//! What fails in an execution fails as before: the branches stay, each with one way twice, so that a condition that
//! was never written is read where it was; the copy of the condition before the loop is any number there.

use crate::loops::{Loop, LoopForest};
use crate::points_to::SparseSet;
use crate::split::Split;
use std::collections::BTreeMap;
use verify_ir::compact::compact_values;
use verify_ir::inst::{BinOp, Terminator};
use verify_ir::{Block, BlockData, Body, Edge, Inst, InstKind, Operand, Value};

/// Instructions of a loop that is made two, and branches that are decided in one body.
const MAX_INSTRUCTIONS: usize = 300;
const MAX_BRANCHES: usize = 4;
/// Instructions that make a condition.
const MAX_DEPTH: u32 = 4;

/// The body with such branches decided; [`None`]: there are none, or too many.
pub fn unswitch(body: &Body) -> Option<Body> {
    let mut now = body.clone();
    for round in 0.. {
        let Some(found) = candidate(&now) else { return (round > 0).then_some(now) };
        if round == MAX_BRANCHES {
            return None;
        }
        now = twice(now, &found)?;
        compact_values(&mut now);
    }
    None
}

/// A branch to be decided.
struct Found {
    at: Block,
    header: Block,
    blocks: Vec<Block>,
    /// What makes the condition, in order; the last is it.
    made: Vec<Inst>,
    cond: Operand,
}

fn candidate(body: &Body) -> Option<Found> {
    let forest = LoopForest::new(body);
    for l in forest.loops.iter().filter(|l| !l.irreducible && may_be_copied(body, l)) {
        let mut inside: BTreeMap<Value, Option<&Inst>> = BTreeMap::new();
        for b in &l.blocks {
            let data = body.block(*b);
            inside.extend(data.params.iter().map(|v| (*v, None)));
            inside.extend(data.insts.iter().flat_map(|i| i.results.iter().map(move |v| (*v, Some(i)))));
        }
        for b in &l.blocks {
            let Terminator::Branch { cond, then, other } = &body.block(*b).term else { continue };
            if then == other || !matches!(cond, Operand::Value(_)) {
                continue;
            }
            let mut made = Vec::new();
            if before(&inside, cond, MAX_DEPTH, &mut made) {
                return Some(Found { at: *b, header: l.header, blocks: l.blocks.clone(), made, cond: cond.clone() });
            }
        }
    }
    None
}

fn may_be_copied(body: &Body, l: &Loop) -> bool {
    let blocks = || l.blocks.iter().map(|b| body.block(*b));
    let size: usize = blocks().map(|b| b.insts.len()).sum();
    let plain = |t: &Terminator| {
        matches!(
            t,
            Terminator::Jump(_)
                | Terminator::Branch { .. }
                | Terminator::Switch { .. }
                | Terminator::Return(_)
                | Terminator::Unreachable
        )
    };
    // What has a place of its own, or is a place, has no copies.
    let one = |i: &Inst| {
        matches!(
            i.kind,
            InstKind::Alloca { .. } | InstKind::StackSave | InstKind::Opaque { .. } | InstKind::InlineAsm(_)
        ) || matches!(&i.kind, InstKind::Call(c) if c.returns_twice)
    };
    size <= MAX_INSTRUCTIONS
        && l.header.index() != 0
        && blocks().all(|b| plain(&b.term) && !b.insts.iter().any(one))
        && body.blocks.iter().all(|b| !matches!(b.term, Terminator::IndirectJump { .. }))
}

/// Can the value be computed before the loop? Collects what does it.
fn before(inside: &BTreeMap<Value, Option<&Inst>>, o: &Operand, depth: u32, made: &mut Vec<Inst>) -> bool {
    let Operand::Value(v) = o else { return true };
    let inst = match inside.get(v) {
        None => return true,
        Some(None) => return false,
        Some(Some(i)) => *i,
    };
    let pure = match &inst.kind {
        InstKind::Icmp { .. } | InstKind::Cast { .. } | InstKind::Freeze { .. } => true,
        InstKind::Binary { op, .. } => matches!(op, BinOp::And | BinOp::Or | BinOp::Xor),
        _ => false,
    };
    if !pure || depth == 0 {
        return false;
    }
    if made.iter().any(|i| i.results == inst.results) {
        return true;
    }
    let mut all = true;
    inst.kind.for_each_operand(|o| all = all && before(inside, o, depth - 1, made));
    made.push(inst.clone());
    all
}

/// The loop twice, with the branch decided one way and the other.
fn twice(mut body: Body, found: &Found) -> Option<Body> {
    let span = body.block(found.header).term_span;
    let first = body.blocks.len();
    let [decide, yes, no] = [first, first + 1, first + 2].map(Block::new);
    let params = |body: &mut Body| -> Vec<Value> {
        let own: Vec<Value> = body.block(found.header).params.clone();
        own.iter()
            .map(|v| {
                let data = body.values[v.index()];
                body.new_value(data.ty, data.var)
            })
            .collect()
    };
    let (p, y, n) = (params(&mut body), params(&mut body), params(&mut body));
    let mut renamed: BTreeMap<Value, Value> = BTreeMap::new();
    let mut insts = Vec::new();
    for i in &found.made {
        let mut copy = i.clone();
        copy.kind.for_each_operand_mut(|o| rename(&renamed, o));
        for r in &mut copy.results {
            let data = body.values[r.index()];
            let new = body.new_value(data.ty, None);
            renamed.insert(*r, new);
            *r = new;
        }
        insts.push(copy);
    }
    let mut cond = found.cond.clone();
    rename(&renamed, &mut cond);
    let ty = body.operand_ty(&cond);
    let frozen = body.new_value(ty, None);
    insts.push(Inst { results: vec![frozen], kind: InstKind::Freeze { arg: cond }, span });
    let values = |v: &[Value]| v.iter().map(|v| Operand::Value(*v)).collect::<Vec<_>>();
    let block = |params, insts, term| BlockData { params, insts, term, term_span: span };
    let to = |b: Block, v: &[Value]| Edge { block: b, args: values(v) };
    // Who came to the loop comes to the decision.
    let mut inside = SparseSet::new();
    found.blocks.iter().for_each(|b| _ = inside.insert(b.0));
    for (i, b) in body.blocks.iter_mut().enumerate().filter(|(i, _)| !inside.contains(*i as u32)) {
        debug_assert!(i < first);
        for e in b.term.targets_mut().into_iter().filter(|e| e.block == found.header) {
            e.block = decide;
        }
    }
    let term = Terminator::Branch { cond: Operand::Value(frozen), then: to(yes, &p), other: to(no, &p) };
    body.blocks.push(block(p, insts, term));
    for own in [y, n] {
        let jump = Terminator::Jump(to(found.header, &own));
        body.blocks.push(block(own, Vec::new(), jump));
    }
    let region = inside;
    let mut keeps = SparseSet::new();
    (0..body.blocks.len() as u32).filter(|b| *b != no.0).for_each(|b| _ = keeps.insert(b));
    let mut s = Split {
        block_of: body.block_ids().collect(),
        value_of: (0..body.values.len()).map(Value::new).collect(),
        body,
    };
    s.copy(&region, &keeps);
    let copy = (first..s.block_of.len()).find(|i| *i > no.index() && s.block_of[*i] == found.at)?;
    for (b, yes) in [(found.at.index(), true), (copy, false)] {
        if let Terminator::Branch { then, other, .. } = &mut s.body.blocks[b].term {
            if yes {
                other.clone_from(then);
            } else {
                then.clone_from(other);
            }
        }
    }
    Some(reachable(s.body))
}

fn rename(renamed: &BTreeMap<Value, Value>, o: &mut Operand) {
    if let Operand::Value(v) = o
        && let Some(new) = renamed.get(v)
    {
        *v = *new;
    }
}

/// The body without blocks that no way leads to.
fn reachable(mut body: Body) -> Body {
    let mut seen = vec![false; body.blocks.len()];
    let mut work = vec![Block::new(0)];
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut seen[b.index()], true) {
            work.extend(body.block(b).term.targets().into_iter().map(|e| e.block));
        }
    }
    let mut number = Vec::with_capacity(seen.len());
    let mut next = 0;
    for s in &seen {
        number.push(Block::new(next));
        next += usize::from(*s);
    }
    let mut i = 0;
    body.blocks.retain(|_| {
        i += 1;
        seen[i - 1]
    });
    for b in &mut body.blocks {
        for e in b.term.targets_mut() {
            e.block = number[e.block.index()];
        }
    }
    body
}
