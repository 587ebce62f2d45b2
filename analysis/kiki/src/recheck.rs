//! Proofs are shown a second time: the checks that one formula proved become one certificate, which `verify-certify`
//! establishes with an encoding of its own.

use crate::prove::{Proof, Prover};
use std::collections::{BTreeMap, BTreeSet};
use verify_certify::{Accepted, Certificate, Limits, Mode, Refused, Root, Rules};
use verify_checks::CheckId;
use verify_encode::{Plan, Root as PlanRoot};
use verify_facts::LoopForest;
use verify_facts::invariant::{LoopInvariant, Part, Row, Variable};
use verify_facts::values::{Interval, Settled};
use verify_ir::{FuncId, Ty};

/// What a formula's plan says, without how the formula is made.
fn certificate(p: &Prover<'_>, proof: &Proof, chain: &BTreeSet<FuncId>, proved: BTreeSet<CheckId>) -> Certificate {
    let plan: &Plan = &proof.plan;
    let rules = Rules {
        allocation_succeeds: p.rules.allocation_succeeds,
        externals_pure: p.rules.externals_pure,
        whole_objects: p.rules.whole_objects,
        uninit_is_arbitrary: p.rules.uninit_is_arbitrary,
        leaks: p.rules.leaks,
    };
    Certificate {
        root: match plan.root {
            PlanRoot::Program(f) => Root::Program(f),
            // Neither is covered there.
            PlanRoot::Call(f) | PlanRoot::Part(f, _) => Root::Call(f),
        },
        mode: match plan.mode {
            verify_encode::Mode::Bounded => Mode::Bounded(plan.unwind),
            verify_encode::Mode::Induction => Mode::Induction(plan.unwind),
        },
        followed: plan.deterministic,
        depth: plan.depth,
        recursion: plan.recursion,
        chain: chain.clone(),
        rules,
        invariants: proof.invariants.to_vec(),
        proved,
    }
}

/// What became of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// Shown again.
    Accepted,
    /// An execution fails the check: the proof, or the check of it, is wrong.
    Wrong,
    /// Not shown again, for this reason.
    NotShown(String),
}

/// Certificates of one formula are tried again without the checks that were refused, this often.
const TRIES: u32 = 3;
/// And without the rows of invariants that only one of the two encodings can show, this often, where the work on one
/// program may be large.
const FEWER_ROWS: u32 = 12;

/// The time is over.
pub type Stop<'s> = &'s (dyn Fn() -> bool + Sync);

/// How hard proofs are shown again.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Of one certificate.
    pub limits: Limits,
    /// Certificates are tried again with other invariants: without rows, or with what the facts know of loops.
    pub again: bool,
}

/// One certificate for each formula that proved something, and whether it holds.
pub fn all(
    p: &Prover<'_>,
    proved: &BTreeMap<CheckId, Proof>,
    chain: &BTreeSet<FuncId>,
    limits: Limits,
    stop: Stop<'_>,
) -> Vec<(Certificate, Result<Accepted, Refused>)> {
    by_formula(proved)
        .into_iter()
        .map(|(proof, set)| {
            let c = certificate(p, proof, chain, set);
            let r = check(p, &c, limits, stop);
            (c, r)
        })
        .collect()
}

/// Proofs that one formula gave.
fn by_formula(proved: &BTreeMap<CheckId, Proof>) -> Vec<(&Proof, BTreeSet<CheckId>)> {
    let mut all: Vec<(&Proof, BTreeSet<CheckId>)> = Vec::new();
    for (c, proof) in proved {
        match all.iter_mut().find(|(p, _)| **p == *proof) {
            Some((_, set)) => _ = set.insert(*c),
            None => all.push((proof, BTreeSet::from([*c]))),
        }
    }
    all
}

fn check(p: &Prover<'_>, c: &Certificate, limits: Limits, stop: Stop<'_>) -> Result<Accepted, Refused> {
    if stop() {
        return Err(Refused::Budget);
    }
    verify_certify::check(p.module, p.checks, p.calls, p.address_taken, c, limits, stop)
}

/// Some proofs of one formula, and what became of them.
#[derive(Clone, Debug)]
pub struct Rechecked {
    /// What they claim, without the rows that were not shown.
    pub certificate: Certificate,
    /// The rows that the proof was found with.
    pub found: Vec<LoopInvariant>,
    /// By check.
    pub each: BTreeMap<CheckId, Recheck>,
}

/// What became of each proof under a root; checks that are refused do not take the others of their formula with them.
pub fn each(
    p: &Prover<'_>,
    proved: &BTreeMap<CheckId, Proof>,
    chain: &BTreeSet<FuncId>,
    effort: Effort,
    stop: Stop<'_>,
) -> Vec<Rechecked> {
    let limits = effort.limits;
    let most_fewer = if effort.again { FEWER_ROWS } else { 1 };
    let mut out = Vec::new();
    for (proof, set) in by_formula(proved) {
        let mut c = certificate(p, proof, chain, set);
        let mut each = BTreeMap::new();
        let induction = proof.plan.mode == verify_encode::Mode::Induction;
        let mut known = p.facts.filter(|_| induction && effort.again);
        let (mut wrong, mut fewer) = (0, 0);
        let end = loop {
            match check(p, &c, limits, stop) {
                Err(Refused::Fails(id)) if wrong < TRIES => {
                    wrong += 1;
                    each.insert(id, Recheck::Wrong);
                    c.proved.remove(&id);
                }
                Err(Refused::Invariant(rows)) if fewer < most_fewer && !rows.is_empty() => {
                    fewer += 1;
                    without(&mut c.invariants, &rows);
                }
                Err(Refused::NotCovered(_)) if known.is_some() => {
                    // The proof leans on what is known of values; where loops begin, that can be shown too.
                    let more = known.take().map(|k| from_facts(p, k)).unwrap_or_default();
                    if more.is_empty() {
                        break check(p, &c, limits, stop);
                    }
                    c.invariants.extend(more);
                }
                r => break r,
            }
        };
        let rest = match end {
            Ok(_) => Recheck::Accepted,
            Err(Refused::Budget) => Recheck::NotShown("budget".into()),
            Err(Refused::Invariant(_)) => Recheck::NotShown("invariants".into()),
            Err(Refused::NotCovered(why)) => Recheck::NotShown(why),
            Err(Refused::Fails(_)) => Recheck::Wrong,
        };
        each.extend(c.proved.iter().map(|id| (*id, rest.clone())));
        out.push(Rechecked { certificate: c, found: proof.invariants.to_vec(), each });
    }
    out
}

/// What is known of the numbers at heads of loops without a solver, as rows.
fn from_facts(p: &Prover<'_>, known: &Settled) -> Vec<LoopInvariant> {
    let mut out = Vec::new();
    for func in (0..p.module.functions.len()).map(FuncId::new).filter(|f| known.runs(*f)) {
        let Some(body) = &p.module.func(func).body else { continue };
        for l in &LoopForest::new(body).loops {
            let mut rows = Vec::new();
            for v in &body.block(l.header).params {
                let (Ty::Int(w), Some(hint)) = (body.ty(*v), known.hint(func, *v)) else { continue };
                let (Some(r), Some(full)) = (hint.known.range, Interval::full(w).filter(|_| w > 1)) else { continue };
                let row = |minus, at_most| Row {
                    parts: vec![Part { variable: Variable::Value(*v), minus, signed: true, times: 1 }],
                    at_most,
                    or: Vec::new(),
                };
                rows.extend((r.hi < full.hi).then(|| row(false, r.hi)));
                rows.extend((r.lo > full.lo).then(|| row(true, -r.lo)));
            }
            if !rows.is_empty() {
                out.push(LoopInvariant { calls: None, func, header: l.header, rows });
            }
        }
    }
    out
}

/// Takes rows away.
fn without(invariants: &mut [LoopInvariant], rows: &[(usize, usize)]) {
    for (n, i) in invariants.iter_mut().enumerate() {
        let mut k = 0;
        i.rows.retain(|_| {
            k += 1;
            !rows.contains(&(n, k - 1))
        });
    }
}
