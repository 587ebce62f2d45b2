//! Growing context: a check is asked in its function alone, called with anything in any state; where that fails, in
//! each caller with the function spliced in, and so on upwards. It holds when it holds under every caller; who cannot
//! name all callers (the boundary, entries, functions whose address is taken) cannot climb.

use crate::prove::{Limits, Prover, Report, Spent};
use std::collections::{BTreeMap, BTreeSet};
use verify_checks::CheckId;
use verify_encode::Root;
use verify_engine::engine::Argument;
use verify_ir::FuncId;

/// Levels of callers that are asked.
const LEVELS: u32 = 2;
/// More callers than this are not asked.
const MAX_CALLERS: usize = 8;

/// What came out for the checks of a function.
#[derive(Default, Debug)]
pub struct Answer {
    /// Proved, with the argument in words.
    pub proved: BTreeMap<CheckId, String>,
    /// Why the others are not.
    pub open: BTreeMap<CheckId, String>,
    /// The functions that were asked, in order, without repetition.
    pub roots: Vec<FuncId>,
    /// Work done.
    pub spent: Spent,
    /// What proofs lean on.
    pub arguments: Vec<Argument>,
    /// What was tried on each check, in order.
    pub rounds: BTreeMap<CheckId, Vec<String>>,
}

impl Answer {
    pub(crate) fn count(&mut self, p: &Prover<'_>, root: FuncId, r: &Report) {
        let spent = r.spent;
        let name = &p.module.func(root).name;
        for (c, lines) in &r.rounds {
            let lines = lines.iter().map(|l| format!("in `{name}`, {l}"));
            self.rounds.entry(*c).or_default().extend(lines);
        }
        for (c, proof) in r.proved.iter().filter(|(_, p)| !p.invariants.is_empty()) {
            let invariants = proof.invariants.to_vec();
            self.arguments.push(Argument { checks: BTreeSet::from([*c]), invariants, shown_again: false });
        }
        if !self.roots.contains(&root) {
            self.roots.push(root);
        }
        self.spent.queries += spent.queries;
        self.spent.conflicts += spent.conflicts;
        self.spent.instructions += spent.instructions;
        self.spent.replays += spent.replays;
    }

    /// What was proved is no longer left.
    pub(crate) fn take(&mut self, p: &Prover<'_>, f: FuncId, r: &Report, left: &mut BTreeSet<CheckId>) {
        for (c, proof) in &r.proved {
            left.remove(c);
            self.proved.insert(*c, proof.describe(&p.module.func(f).name));
        }
    }

    /// Why the rest is left.
    pub(crate) fn explain(&mut self, r: &Report, left: &BTreeSet<CheckId>) {
        for c in left {
            let why = r.reasons.get(c).cloned().or_else(|| r.stuck.clone());
            self.open.insert(*c, why.unwrap_or_else(|| "may fail for all that is known".into()));
        }
    }
}

/// Asks the open checks of `f`.
pub fn ask(
    p: &Prover<'_>,
    f: FuncId,
    open: &BTreeSet<CheckId>,
    may_climb: &dyn Fn(FuncId) -> bool,
    limits: Limits,
    stop: &dyn Fn() -> bool,
) -> Answer {
    let mut answer = Answer::default();
    let mut left = open.clone();
    let alone = Limits { depth: 1, ..limits };
    let r = run(p, f, &BTreeSet::new(), &left, alone, stop);
    answer.count(p, f, &r);
    answer.take(p, f, &r, &mut left);
    answer.explain(&r, &left);
    if !left.is_empty() && may_climb(f) {
        let chain = BTreeSet::from([f]);
        let done = climb(p, f, &chain, &left, may_climb, limits, 1, stop, &mut answer);
        for (c, how) in done {
            answer.open.remove(&c);
            answer.proved.insert(c, how);
        }
    }
    answer
}

fn run(
    p: &Prover<'_>,
    root: FuncId,
    chain: &BTreeSet<FuncId>,
    open: &BTreeSet<CheckId>,
    limits: Limits,
    stop: &dyn Fn() -> bool,
) -> Report {
    p.run(Root::Call(root), chain, open, limits, &mut |_| None, stop)
}

/// The checks that hold under every caller of `f`; `chain` leads from there to the checks' function.
#[allow(clippy::too_many_arguments)]
fn climb(
    p: &Prover<'_>,
    f: FuncId,
    chain: &BTreeSet<FuncId>,
    open: &BTreeSet<CheckId>,
    may_climb: &dyn Fn(FuncId) -> bool,
    limits: Limits,
    level: u32,
    stop: &dyn Fn() -> bool,
    answer: &mut Answer,
) -> BTreeMap<CheckId, String> {
    let callers = p.calls.callers(f);
    if callers.len() > MAX_CALLERS || callers.contains(&f) || callers.iter().any(|g| chain.contains(g)) {
        return BTreeMap::new();
    }
    let mut left = open.clone();
    let mut names = Vec::new();
    for &g in callers {
        if left.is_empty() || stop() {
            return BTreeMap::new();
        }
        let here = Limits { depth: level + 1, ..limits };
        let r = run(p, g, chain, &left, here, stop);
        answer.count(p, g, &r);
        let mut failing: BTreeSet<CheckId> = left.iter().copied().filter(|c| !r.proved.contains_key(c)).collect();
        if !failing.is_empty() && level < LEVELS && may_climb(g) {
            let mut longer = chain.clone();
            longer.insert(g);
            let above = climb(p, g, &longer, &failing, may_climb, limits, level + 1, stop, answer);
            failing.retain(|c| !above.contains_key(c));
        }
        left.retain(|c| !failing.contains(c));
        names.push(p.module.func(g).name.clone());
    }
    let how = if names.is_empty() {
        "nothing calls the function".to_string()
    } else {
        format!("in every caller: {}", names.join(", "))
    };
    left.into_iter().map(|c| (c, how.clone())).collect()
}
