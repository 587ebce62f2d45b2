//! Phase 1 (malik-2023 §9.2): which instructions depend on the variable. Data dependence goes by values and memory,
//! control dependence by post-dominators; both together, to the fixpoint.

use super::effects::{Effect, View};
use std::collections::BTreeSet;
use verify_facts::PostDominators;
use verify_ir::graph::Graph;
use verify_ir::{Block, Body, InstKind, Terminator, Value};

pub(super) use crate::textual::Spot;

/// What a slice is made of.
#[derive(Clone, Default, Debug)]
pub(super) struct Kept {
    pub spots: BTreeSet<Spot>,
    pub params: BTreeSet<Value>,
}

/// Control flow of a body.
pub(super) struct Flow {
    pub post: PostDominators,
    /// Blocks from which each block is reached, by at least one edge.
    reached: Vec<BTreeSet<u32>>,
    /// Blocks whose branches decide whether this one runs.
    pub deciders: Vec<BTreeSet<u32>>,
    pub preds: Vec<Vec<u32>>,
    pub live: BTreeSet<u32>,
}

impl Flow {
    pub fn new(body: &Body) -> Result<Flow, String> {
        let graph = Graph::of_body(body);
        let post = PostDominators::new(body);
        let live: BTreeSet<u32> = graph.preorder(&[0]).into_iter().collect();
        let n = body.blocks.len();
        for b in &live {
            if !post.reaches_exit(Block(*b)) {
                return Err("a loop without an end is not sliced".into());
            }
            if matches!(
                body.blocks[*b as usize].term,
                Terminator::IndirectJump { .. } | Terminator::Invoke { .. } | Terminator::Resume(_)
            ) {
                return Err("a computed goto or an exception is not sliced".into());
            }
        }
        let (mut reached, mut preds) = (vec![BTreeSet::new(); n], vec![Vec::new(); n]);
        for b in &live {
            let succs: Vec<u32> = graph.succs(*b).to_vec();
            for s in &succs {
                if !preds[*s as usize].contains(b) {
                    preds[*s as usize].push(*b);
                }
            }
            for t in graph.preorder(&succs) {
                reached[t as usize].insert(*b);
            }
        }
        // Ferrante, Ottenstein, Warren: up the tree from each successor to what is behind the branch in any case.
        let mut deciders = vec![BTreeSet::new(); n];
        for b in &live {
            let succs: BTreeSet<u32> = graph.succs(*b).iter().copied().collect();
            if succs.len() < 2 {
                continue;
            }
            let stop = post.immediate(Block(*b));
            for s in succs {
                let mut at = Some(Block(s));
                while let Some(x) = at {
                    if Some(x) == stop {
                        break;
                    }
                    deciders[x.index()].insert(*b);
                    at = post.immediate(x);
                }
            }
        }
        Ok(Flow { post, reached, deciders, preds, live })
    }

    /// May an execution get from the first place to the second?
    pub fn before(&self, a: Spot, b: Spot) -> bool {
        a.0 == b.0 && a.1 < b.1 || self.reached[b.0 as usize].contains(&a.0)
    }
}

/// Effects of all instructions that touch memory, by place.
pub(super) fn memory(view: &View<'_>, body: &Body, flow: &Flow) -> Vec<(Spot, Effect)> {
    let mut out = Vec::new();
    for b in &flow.live {
        for (k, i) in body.blocks[*b as usize].insts.iter().enumerate() {
            let e = view.effect(&i.kind);
            if !(e.reads.is_empty() && e.writes.is_empty()) {
                out.push(((*b, k as u32), e));
            }
        }
    }
    out
}

/// Everything that depends on the variable; with writes that may be to it, by a pointer of unknown origin, if `all`.
pub(super) fn forward(view: &View<'_>, body: &Body, flow: &Flow, all: bool) -> Kept {
    let memory = memory(view, body, flow);
    let mut kept = Kept::default();
    let mut values: BTreeSet<Value> = BTreeSet::new();
    loop {
        let before = (kept.spots.len(), kept.params.len());
        for b in &flow.live {
            let d = &body.blocks[*b as usize];
            let decided = flow.deciders[*b as usize]
                .iter()
                .any(|t| kept.spots.contains(&(*t, body.blocks[*t as usize].insts.len() as u32)));
            for (k, i) in d.insts.iter().enumerate() {
                let spot = (*b, k as u32);
                if kept.spots.contains(&spot) || matches!(i.kind, InstKind::DebugValue { .. }) {
                    continue;
                }
                let mut on = decided
                    || view.uses.seed(view.m, view.bases, &i.kind)
                    || all && view.uses.may_write(view.m, view.bases, &i.kind);
                i.kind.for_each_operand(|o| on |= o.as_value().is_some_and(|v| values.contains(&v)));
                if on {
                    kept.spots.insert(spot);
                    values.extend(&i.results);
                }
            }
            let end = (*b, d.insts.len() as u32);
            let own = match &d.term {
                Terminator::Branch { cond, .. } => Some(cond),
                Terminator::Switch { value, .. } => Some(value),
                _ => None,
            };
            let mut on = decided || own.is_some_and(|o| o.as_value().is_some_and(|v| values.contains(&v)));
            if let Terminator::Return(vs) = &d.term {
                on |=
                    vs.iter().any(|o| o.as_value().is_some_and(|v| values.contains(&v)) || view.uses.names(view.m, o));
            }
            if on && !matches!(d.term, Terminator::Jump(_)) {
                kept.spots.insert(end);
            }
            // Which value a parameter gets depends on the edge that is taken, too.
            let edge = decided || kept.spots.contains(&end) && d.term.targets().len() > 1;
            for e in d.term.targets() {
                for (p, a) in body.block(e.block).params.iter().zip(&e.args) {
                    let data = a.as_value().is_some_and(|v| values.contains(&v)) || view.uses.names(view.m, a);
                    if (edge || data) && kept.params.insert(*p) {
                        values.insert(*p);
                    }
                }
            }
        }
        // Through memory.
        for (spot, e) in &memory {
            if kept.spots.contains(spot) || e.reads.is_empty() {
                continue;
            }
            let hit = memory
                .iter()
                .any(|(w, f)| kept.spots.contains(w) && flow.before(*w, *spot) && view.meet(&f.writes, &e.reads));
            if hit {
                kept.spots.insert(*spot);
                values.extend(&body.blocks[spot.0 as usize].insts[spot.1 as usize].results);
            }
        }
        if (kept.spots.len(), kept.params.len()) == before {
            return kept;
        }
    }
}
