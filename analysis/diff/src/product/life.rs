//! Objects that are dead: behind the end of their block, or of the function that made them. Dead is what *may* be dead,
//! whatever the path: the old version is taken to touch no dead object, the new one must be shown not to.

use super::exec::Path;
use super::{Product, Res, Version};
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_ir::{Block, Body, Const, FuncId, InstKind, Operand, Value};
use verify_solver::Term;

impl Product<'_> {
    /// The object's life begins or ends.
    pub(super) fn lives(&mut self, path: &mut Path, object: Term, alive: bool) {
        let mut dead = (*path.dead).clone();
        let changed = if alive { dead.remove(&object) } else { dead.insert(object) };
        if changed {
            path.dead = Rc::new(dead);
        }
    }

    /// An access must not be to a dead object.
    pub(super) fn not_dead(&mut self, version: Version, path: &Path, at: Term, bytes: u64) {
        const WHAT: &str = "access to an object after the end of its life";
        if path.dead.is_empty() {
            return;
        }
        if let Some(r) = self.mems.root(&self.t, at) {
            if path.dead.contains(&r) {
                let ff = self.ff;
                self.check(version, path.guard, ff, WHAT);
            }
            return;
        }
        let dead: Vec<(Term, u64)> = path
            .dead
            .iter()
            .filter_map(|d| self.mems.places.get(d))
            .filter(|p| !p.private)
            .map(|p| (p.base, p.size.unwrap_or(1)))
            .collect();
        for object in dead {
            let apart = super::mem::disjoint(&mut self.t, (at, bytes.max(1)), object);
            self.check(version, path.guard, apart, WHAT);
        }
    }

    /// Objects of a function that may be dead when control gets to the start of a block.
    pub(super) fn dead_at(&mut self, v: Version, f: FuncId, body: &Body, at: Block) -> Res<BTreeSet<Term>> {
        let mut out = BTreeSet::new();
        for (a, size, align) in dead_on_entry(body, at) {
            out.insert(self.local_at(v, f, body, a, size, align)?);
        }
        Ok(out)
    }
}

/// Local objects, with size and alignment, whose life may have ended and not begun again.
fn dead_on_entry(body: &Body, at: Block) -> Vec<(Value, u64, u64)> {
    let mut entry: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); body.blocks.len()];
    loop {
        let mut grown = false;
        for b in body.block_ids() {
            let mut dead = entry[b.index()].clone();
            for i in &body.block(b).insts {
                match &i.kind {
                    InstKind::LifetimeStart { object: Operand::Value(v) } => _ = dead.remove(v),
                    InstKind::LifetimeEnd { object: Operand::Value(v) } => _ = dead.insert(*v),
                    _ => {}
                }
            }
            for e in body.block(b).term.targets() {
                let to = &mut entry[e.block.index()];
                let before = to.len();
                to.extend(&dead);
                grown |= to.len() != before;
            }
        }
        if !grown {
            break;
        }
    }
    let mut out = Vec::new();
    for i in body.blocks.iter().flat_map(|b| &b.insts) {
        if let InstKind::Alloca { elem_size, count: Operand::Const(Const::Int { value, .. }), align, .. } = &i.kind
            && entry[at.index()].contains(&i.results[0])
        {
            out.push((i.results[0], elem_size.saturating_mul(*value as u64), *align));
        }
    }
    out
}
