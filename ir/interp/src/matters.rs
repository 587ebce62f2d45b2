//! What of a loop's registers decides how it goes on. Two states that agree on these, and on memory, take the same way
//! round the loop under the same choices, for ever; a counter that nothing looks at may differ.
//!
//! A value *is needed* in a part of the control-flow graph that control does not leave, if an instruction there that does
//! more than to compute another value reads it, or one that computes a needed value. Operations that may fail need their
//! operands. Of the needed values, those that are *live* where the states are compared matter.

use verify_ir::graph::Graph;
use verify_ir::inst::{BinOp, CastOp};
use verify_ir::{Block, Body, Inst, InstKind, Operand, Value};

/// By value: it matters at the start of block `at`, its parameters given, as long as control stays in blocks from which
/// it can come back there. `everywhere`: control may go anywhere else, too, so what is live matters.
pub(crate) fn matters(body: &Body, at: Block, everywhere: bool) -> Vec<bool> {
    let live = live_at(body, at);
    if everywhere {
        return live;
    }
    let needed = needed(body, &round(body, at));
    live.into_iter().zip(needed).map(|(l, n)| l && n).collect()
}

/// Blocks that `at` leads to and that lead to it.
fn round(body: &Body, at: Block) -> Vec<bool> {
    let graph = Graph::of_body(body);
    let reach = |g: &Graph| {
        let mut seen = vec![false; body.blocks.len()];
        let mut work = vec![at.0];
        while let Some(b) = work.pop() {
            if !std::mem::replace(&mut seen[b as usize], true) {
                work.extend(g.succs(b));
            }
        }
        seen
    };
    let (to, from) = (reach(&graph), reach(&graph.reversed()));
    to.into_iter().zip(from).map(|(a, b)| a && b).collect()
}

/// It computes its result and does nothing else, whatever the operands are.
fn only_computes(i: &Inst) -> bool {
    match &i.kind {
        InstKind::Binary { op, flags, .. } => {
            let total = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor);
            total && !(flags.nsw || flags.nuw || flags.exact)
        }
        InstKind::Cast { op, .. } => matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt),
        InstKind::Overflow { .. } | InstKind::DebugValue { .. } => true,
        _ => false,
    }
}

fn needed(body: &Body, within: &[bool]) -> Vec<bool> {
    let mut needed = vec![false; body.values.len()];
    let mut grown = true;
    while grown {
        grown = false;
        let mut need = |needed: &mut Vec<bool>, o: &Operand| {
            if let Operand::Value(v) = o {
                grown |= !std::mem::replace(&mut needed[v.index()], true);
            }
        };
        for b in body.blocks.iter().zip(within).filter_map(|(b, inside)| inside.then_some(b)) {
            for i in &b.insts {
                if !only_computes(i) || i.results.iter().any(|r| needed[r.index()]) {
                    i.kind.for_each_operand(|o| need(&mut needed, o));
                }
            }
            // What decides where control goes, and what an edge hands to a parameter that is needed.
            let mut handed: Vec<&Operand> = Vec::new();
            for e in b.term.targets() {
                for (p, a) in body.block(e.block).params.iter().rev().zip(e.args.iter().rev()) {
                    handed.push(a);
                    if needed[p.index()] {
                        need(&mut needed, a);
                    }
                }
            }
            b.term.for_each_operand(|o| {
                if !handed.iter().any(|h| std::ptr::eq(*h, o)) {
                    need(&mut needed, o);
                }
            });
        }
    }
    needed
}

/// Live at the start of a block, with its parameters given.
fn live_at(body: &Body, at: Block) -> Vec<bool> {
    let n = body.values.len();
    let mut entry: Vec<Vec<bool>> = vec![vec![false; n]; body.blocks.len()];
    let mut grown = true;
    while grown {
        grown = false;
        for (k, b) in body.blocks.iter().enumerate().rev() {
            let mut live = vec![false; n];
            for e in b.term.targets() {
                let to = body.block(e.block);
                for (v, l) in entry[e.block.index()].iter().enumerate() {
                    live[v] |= *l && !to.params.contains(&Value::new(v));
                }
            }
            let read = |live: &mut Vec<bool>, o: &Operand| {
                if let Operand::Value(v) = o {
                    live[v.index()] = true;
                }
            };
            b.term.for_each_operand(|o| read(&mut live, o));
            for i in b.insts.iter().rev() {
                i.results.iter().for_each(|r| live[r.index()] = false);
                if !matches!(i.kind, InstKind::DebugValue { .. }) {
                    i.kind.for_each_operand(|o| read(&mut live, o));
                }
            }
            grown |= live != entry[k];
            entry[k] = live;
        }
    }
    entry.swap_remove(at.index())
}
