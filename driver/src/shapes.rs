//! Loops of two versions in the same shape, so that they can be compared with each other: their pairs are what the product
//! of two functions is made of.
//!
//! - A function with loops that only one version has is put into those that call it: "extract function" and "inline function"
//!   (malik-2023 §6.5, §7.1). What has no loop is followed where it is called anyway.
//! - Where a function has other loops in one version than in the other, branches that no iteration changes are decided before the
//!   loop ([`verify_facts::unswitch`]) if both have the same loops then.
//!
//! Only where no execution can tell one from the other: a function that is put into others has no objects of its own,
//! promises nothing about what it is called with or returns, and never calls itself; fences, which are known by where they stand
//! among the instructions, keep all as it is.

use crate::tail_calls::{append, called, is_plain, last_calls};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_facts::unswitch::unswitch;
use verify_facts::{Graph, LoopForest, Sccs};
use verify_ir::{
    Block, BlockData, Body, Edge, FuncId, Function, InstKind, Linkage, Module, Operand, Signature, Terminator,
};

/// Blocks of a function that others are put into.
const MAX_BLOCKS: usize = 400;
/// Instructions of a function that is put into others, and how often.
const MAX_INSTRUCTIONS: usize = 300;
const MAX_COPIES: usize = 16;

/// Puts the functions with loops that only this version has into those that call them.
pub fn into_callers(module: &mut Arc<Module>, other: &Module) {
    let theirs: BTreeSet<&str> = other.functions.iter().filter(|f| f.body.is_some()).map(|f| f.name.as_str()).collect();
    // Callees first, so that what is put somewhere is whole.
    let all = module.functions.len();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for f in (0..all).map(FuncId::new) {
        edges.extend(calls(module.func(f)).into_iter().map(|g| (f.0, g.0)));
    }
    let found = Sccs::new(&Graph::from_edges(all, &edges));
    let order: Vec<FuncId> =
        found.bottom_up().filter(|(_, s)| s.len() == 1).flat_map(|(_, s)| s.iter().map(|f| FuncId(*f))).collect();
    for g in order {
        let callee = module.func(g);
        let own = !theirs.contains(callee.name.as_str()) && !edges.contains(&(g.0, g.0));
        if !own || !may_move(module, g) {
            continue;
        }
        let callers: Vec<FuncId> = edges.iter().filter(|(_, to)| *to == g.0).map(|(f, _)| FuncId(*f)).collect();
        for f in callers.into_iter().collect::<BTreeSet<_>>() {
            if let Some(body) = with_callee(module, f, g) {
                Arc::make_mut(module).functions[f.index()].body = Some(body);
            }
        }
    }
}

/// Decides branches before loops where the versions of a function have the same loops after that.
pub fn unswitched(old: &mut Arc<Module>, new: &mut Arc<Module>) {
    let theirs: BTreeMap<String, FuncId> =
        (0..new.functions.len()).map(|f| (new.functions[f].name.clone(), FuncId::new(f))).collect();
    for f in 0..old.functions.len() {
        let Some(g) = theirs.get(&old.functions[f].name).map(|g| g.index()) else { continue };
        let (Some(a), Some(b)) = (&old.functions[f].body, &new.functions[g].body) else { continue };
        if !may_change(&old.functions[f]) || !may_change(&new.functions[g]) || loops(a) == loops(b) {
            continue;
        }
        let (x, y) = (unswitch(a), unswitch(b));
        if loops(x.as_ref().unwrap_or(a)) != loops(y.as_ref().unwrap_or(b)) {
            continue;
        }
        for (module, f, body) in [(&mut *old, f, x), (&mut *new, g, y)] {
            if body.is_some() {
                Arc::make_mut(module).functions[f].body = body;
            }
        }
    }
}

/// How deep each loop is within others.
fn loops(body: &Body) -> Vec<u32> {
    let mut all: Vec<u32> = LoopForest::new(body).loops.iter().map(|l| l.depth).collect();
    all.sort_unstable();
    all
}

/// Functions that are called by name.
fn calls(f: &Function) -> BTreeSet<FuncId> {
    let insts = f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
    let named = insts.filter_map(|i| match &i.kind {
        InstKind::Call(c) => called(&c.callee),
        _ => None,
    });
    named.collect()
}

/// Nothing is said of the function by where it stands among the instructions, as of fences: that would not move along.
fn may_change(f: &Function) -> bool {
    f.attrs.memory_orders.is_empty() && f.attrs.beside.is_empty()
}

fn may_move(module: &Module, g: FuncId) -> bool {
    let f = module.func(g);
    let Some(body) = &f.body else { return false };
    let certain = matches!(f.linkage, Linkage::External | Linkage::Internal)
        && !module.has_other_inline(g)
        && !verify_checks::calls::is_model(module, f);
    let returns = body.blocks.iter().any(|b| matches!(b.term, Terminator::Return(_)));
    let size: usize = body.blocks.iter().map(|b| b.insts.len()).sum();
    certain
        && may_change(f)
        && returns
        && size <= MAX_INSTRUCTIONS
        && !LoopForest::new(body).loops.is_empty()
        && last_calls(f, &BTreeMap::new()).is_some()
}

/// The body of a function with the callee in place of calls of it; [`None`]: one is not to be replaced.
fn with_callee(module: &Module, f: FuncId, g: FuncId) -> Option<Body> {
    let callee = module.func(g);
    let other = callee.body.as_ref()?;
    let mut body = module.func(f).body.clone()?;
    if !may_change(module.func(f)) || !body.blocks.iter().all(|b| may_hold(&b.term)) {
        return None;
    }
    for _ in 0..MAX_COPIES {
        let Some(at) = next_call(&body, g) else { return Some(body) };
        let InstKind::Call(c) = &body.block(at.0).insts[at.1].kind else { return None };
        let fits = fits(&body, &c.args, &callee.sig) && c.params.iter().all(is_plain) && c.fixed.is_none();
        if !fits || c.noreturn || body.blocks.len() + other.blocks.len() > MAX_BLOCKS {
            return None;
        }
        splice(&mut body, at, other);
    }
    None
}

fn may_hold(t: &Terminator) -> bool {
    !matches!(t, Terminator::Invoke { .. } | Terminator::Resume(_))
}

fn fits(body: &Body, args: &[Operand], sig: &Signature) -> bool {
    args.iter().map(|o| body.operand_ty(o)).eq(sig.params.iter().map(|p| p.ty))
}

fn next_call(body: &Body, g: FuncId) -> Option<(Block, usize)> {
    body.block_ids().find_map(|b| {
        let is = |k: &InstKind| matches!(k, InstKind::Call(c) if called(&c.callee) == Some(g));
        let at = body.block(b).insts.iter().position(|i| is(&i.kind))?;
        Some((b, at))
    })
}

/// A copy of the other body in place of a call: it returns to a block with what came behind.
fn splice(body: &mut Body, (b, at): (Block, usize), other: &Body) {
    let first = append(body, other);
    let behind = Block::new(body.blocks.len());
    for copy in &mut body.blocks[first.index()..] {
        if let Terminator::Return(values) = &mut copy.term {
            copy.term = Terminator::Jump(Edge { block: behind, args: std::mem::take(values) });
        }
    }
    let block = &mut body.blocks[b.index()];
    let rest = block.insts.split_off(at + 1);
    let Some(call) = block.insts.pop() else { return };
    let InstKind::Call(c) = call.kind else { return };
    let jump = Terminator::Jump(Edge { block: first, args: c.args });
    let term = std::mem::replace(&mut block.term, jump);
    let term_span = std::mem::replace(&mut block.term_span, call.span);
    body.blocks.push(BlockData { params: call.results, insts: rest, term, term_span });
}
