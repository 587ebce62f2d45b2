//! Ways out of scopes, one at a time. clang sends every way out of a scope (`return`, `break`, `continue`, `goto`, the
//! end) through one block that ends the lives of the scope's variables; which way is taken on stands in a variable of
//! its own, a constant on each way in, by which that block switches. What is known on one way would be lost where all
//! of them meet, and they meet in nearly every function. So each way in that brings a constant has the few
//! instructions of the block itself, and jumps on to where it leads: jump threading, before variables become values,
//! so that no value has to be repaired.
//!
//! It decides no branch of the program: a variable that the program has is never looked at, nor is one that is not
//! known to hold a constant. Blocks that do anything but end lives (calls of `__attribute__((cleanup))`) stay.

use crate::promote::calls_returns_twice;
use std::collections::{HashMap, HashSet};
use verify_ir::{BlockData, Body, Const, Edge, Inst, InstKind, Operand, Terminator, Value};

/// Instructions of a block that are repeated on each way in.
const MAX_INSTRUCTIONS: usize = 32;
/// Blocks that are looked at behind one another for the constant.
const MAX_BACK: usize = 8;

/// Threads every way through a block of such a form that brings a constant.
pub fn thread(body: &mut Body) {
    if body.blocks.is_empty() || calls_returns_twice(body) {
        return;
    }
    let slots = selectors(body);
    if slots.is_empty() {
        return;
    }
    let preds = predecessors(body);
    let mut uses: HashMap<Value, u32> = HashMap::new();
    for b in &body.blocks {
        let mut see = |o: &Operand| o.as_value().into_iter().for_each(|v| *uses.entry(v).or_default() += 1);
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut see));
        b.term.for_each_operand(&mut see);
    }
    let switches: Vec<_> = body.blocks.iter().map(|b| switch_of(b, &slots, &uses)).collect();
    for p in 0..body.blocks.len() {
        // Each step leads one scope out; a circle of such blocks does nothing, and stays as it is.
        for _ in 0..body.blocks.len() {
            let Terminator::Jump(Edge { block, args }) = &body.blocks[p].term else { break };
            let (block, args) = (*block, args.is_empty());
            let Some((load, slot)) = switches[block.index()].filter(|_| args) else { break };
            let Some(k) = constant_at_end(body, &preds, p, slot) else { break };
            let Some(to) = successor(&body.blocks[block.index()], &k) else { break };
            if block.index() == p || to.args.iter().any(|a| a.as_value() == Some(load)) {
                break;
            }
            let again: Vec<Inst> =
                body.blocks[block.index()].insts.iter().filter(|i| i.results.is_empty()).cloned().collect();
            let b = &mut body.blocks[p];
            b.insts.extend(again);
            b.term = Terminator::Jump(to);
        }
    }
}

/// Variables that the program does not have, and whose address nothing but plain loads and stores has.
fn selectors(body: &Body) -> HashSet<Value> {
    let mut slots = HashSet::new();
    for i in &body.blocks[0].insts {
        if let (InstKind::Alloca { .. }, [v]) = (&i.kind, &i.results[..])
            && body.values[v.index()].var.is_none()
        {
            slots.insert(*v);
        }
    }
    let mut drop = |o: &Operand| {
        if let Some(v) = o.as_value() {
            slots.remove(&v);
        }
    };
    for b in &body.blocks {
        for i in &b.insts {
            match &i.kind {
                InstKind::Load { volatile: false, atomic: false, .. } => {}
                InstKind::Store { value, volatile: false, atomic: false, .. } => drop(value),
                k => k.for_each_operand(&mut drop),
            }
        }
        b.term.for_each_operand(&mut drop);
    }
    slots
}

fn predecessors(body: &Body) -> Vec<Vec<usize>> {
    let mut preds = vec![Vec::new(); body.blocks.len()];
    for (n, b) in body.blocks.iter().enumerate() {
        for e in b.term.targets() {
            preds[e.block.index()].push(n);
        }
    }
    preds
}

/// The block ends lives, reads one of the variables, and switches by it: the value read, which nothing else uses, and
/// the variable.
fn switch_of(b: &BlockData, slots: &HashSet<Value>, uses: &HashMap<Value, u32>) -> Option<(Value, Value)> {
    let Terminator::Switch { value: Operand::Value(read), .. } = &b.term else { return None };
    if !b.params.is_empty() || b.insts.len() > MAX_INSTRUCTIONS {
        return None;
    }
    let mut slot = None;
    for i in &b.insts {
        match &i.kind {
            InstKind::LifetimeEnd { .. } | InstKind::StackRestore { .. } => {}
            InstKind::Load { ptr: Operand::Value(p), .. }
                if i.results[..] == [*read] && slots.contains(p) && slot.is_none() =>
            {
                slot = Some(*p);
            }
            _ => return None,
        }
    }
    Some((*read, slot.filter(|_| uses.get(read) == Some(&1))?))
}

/// What the variable holds where block `p` ends. Walks back along blocks that had one predecessor before any way was
/// threaded: one that has more by now has them from blocks that end lives, and the walk ends there, as these write
/// nothing, or goes on to the one way in that was threaded.
fn constant_at_end(body: &Body, preds: &[Vec<usize>], p: usize, slot: Value) -> Option<Const> {
    let mut p = p;
    for _ in 0..MAX_BACK {
        for i in body.blocks[p].insts.iter().rev() {
            if let InstKind::Store { ptr, value, .. } = &i.kind
                && ptr.as_value() == Some(slot)
            {
                return match value {
                    Operand::Const(k @ Const::Int { .. }) => Some(k.clone()),
                    _ => None,
                };
            }
        }
        let [only] = preds[p][..] else { return None };
        p = only;
    }
    None
}

fn successor(b: &BlockData, k: &Const) -> Option<Edge> {
    let Terminator::Switch { cases, default, .. } = &b.term else { return None };
    Some(cases.iter().find(|(c, _)| c == k).map_or(default, |(_, e)| e).clone())
}
