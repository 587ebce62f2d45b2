//! Large functions, part by part: the open checks are divided among parts of bounded size ([`verify_encode::part`]), and
//! each part is a root of its own. Around a check, a part reaches back as far as its size allows, to a block that every
//! way to the check leads through; parts may overlap.

use crate::context::Answer;
use crate::prove::{Limits, Prover};
use std::collections::{BTreeMap, BTreeSet};
use verify_checks::CheckId;
use verify_encode::part;
use verify_facts::{Dominators, Graph};
use verify_ir::{Block, Body, FuncId};

/// Instructions of a part that is made for one check.
const ONE: u64 = 150;
/// Instructions of a part to which others were added.
const SEVERAL: u64 = 300;
/// Dominators of a check that are tried as starts.
const MAX_BACK: usize = 100;

/// A part, and what is asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    /// Where it starts.
    pub(crate) start: Block,
    /// Blocks of the checks.
    pub(crate) targets: BTreeSet<Block>,
}

/// Divides blocks among parts.
pub(crate) fn divide(body: &Body, wanted: &BTreeSet<Block>) -> Vec<Part> {
    let (graph, dominators) = (Graph::of_body(body), Dominators::new(body));
    let size = |blocks: &BTreeSet<Block>| blocks.iter().map(|b| body.block(*b).insts.len() as u64 + 1).sum::<u64>();
    let mut out: Vec<Part> = Vec::new();
    for t in graph.reverse_postorder(0).into_iter().map(Block).filter(|b| wanted.contains(b)) {
        if let Some(last) = out.last_mut() {
            let mut targets = last.targets.clone();
            targets.insert(t);
            let blocks = part::blocks(&graph, &dominators, last.start, &targets);
            if blocks.is_some_and(|b| size(&b) <= SEVERAL) {
                last.targets = targets;
                continue;
            }
        }
        let targets = BTreeSet::from([t]);
        let mut start = t;
        for _ in 0..MAX_BACK {
            let Some(before) = dominators.immediate(start) else { break };
            let blocks = part::blocks(&graph, &dominators, before, &targets);
            if blocks.is_none_or(|b| size(&b) > ONE) {
                break;
            }
            start = before;
        }
        out.push(Part { start, targets });
    }
    out
}

/// Asks the open checks of `f`, which is too large to be asked whole.
pub(crate) fn ask(
    p: &Prover<'_>,
    f: FuncId,
    open: &BTreeSet<CheckId>,
    limits: Limits,
    stop: &dyn Fn() -> bool,
) -> Answer {
    let mut answer = Answer::default();
    let Some(body) = p.module.func(f).body.as_ref() else { return answer };
    let mut by_block: BTreeMap<Block, BTreeSet<CheckId>> = BTreeMap::new();
    for c in open {
        by_block.entry(p.checks.get(*c).loc.block).or_default().insert(*c);
    }
    for part in divide(body, &by_block.keys().copied().collect()) {
        let mut left: BTreeSet<CheckId> =
            part.targets.iter().filter_map(|b| by_block.get(b)).flatten().copied().collect();
        let r = p.run_part(f, part.start, &part.targets, &left, Limits { depth: 1, ..limits }, stop);
        answer.count(p, f, &r);
        answer.take(p, f, &r, &mut left);
        answer.explain(&r, &left);
    }
    answer
}
