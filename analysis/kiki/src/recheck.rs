//! Proofs are shown a second time: the checks that one formula proved become one certificate, which `verify-certify`
//! establishes with an encoding of its own.

use crate::prove::{Proof, Prover};
use std::collections::{BTreeMap, BTreeSet};
use verify_certify::{Accepted, Certificate, Limits, Mode, Refused, Root, Rules};
use verify_checks::CheckId;
use verify_encode::{Domain, Plan, Root as PlanRoot};
use verify_ir::FuncId;

/// What a formula's plan says, without how the formula is made.
fn certificate(p: &Prover<'_>, plan: &Plan, chain: &BTreeSet<FuncId>, proved: BTreeSet<CheckId>) -> Certificate {
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
            PlanRoot::Call(f) => Root::Call(f),
        },
        mode: match plan.mode {
            verify_encode::Mode::Bounded => Mode::Bounded(plan.unwind),
            verify_encode::Mode::Induction => Mode::Induction(plan.unwind),
        },
        depth: plan.depth,
        recursion: plan.recursion,
        chain: chain.clone(),
        rules,
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

/// One certificate for each formula that proved something, and whether it holds.
pub fn all(
    p: &Prover<'_>,
    proved: &BTreeMap<CheckId, Proof>,
    chain: &BTreeSet<FuncId>,
    limits: Limits,
) -> Vec<(Certificate, Result<Accepted, Refused>)> {
    let mut by_plan: Vec<(&Plan, BTreeSet<CheckId>)> = Vec::new();
    for (c, proof) in proved {
        match by_plan.iter_mut().find(|(plan, _)| **plan == proof.plan) {
            Some((_, set)) => _ = set.insert(*c),
            None => by_plan.push((&proof.plan, BTreeSet::from([*c]))),
        }
    }
    by_plan
        .into_iter()
        .map(|(plan, set)| {
            let c = certificate(p, plan, chain, set);
            let r = verify_certify::check(p.module, p.checks, p.calls, p.address_taken, &c, limits);
            (c, r)
        })
        .collect()
}

/// What became of each proof under a root; checks that are refused do not take the others of their formula with them.
pub fn each(
    p: &Prover<'_>,
    proved: &BTreeMap<CheckId, Proof>,
    chain: &BTreeSet<FuncId>,
    limits: Limits,
) -> BTreeMap<CheckId, Recheck> {
    let mut out = BTreeMap::new();
    // The second encoding looks for no invariants, and is told none yet.
    let (plain, with): (BTreeMap<_, _>, BTreeMap<_, _>) =
        proved.iter().map(|(c, p)| (*c, p.clone())).partition(|(_, p)| p.plan.domain == Domain::Nothing);
    out.extend(with.into_keys().map(|c| (c, Recheck::NotShown("invariants".into()))));
    for (mut c, mut r) in all(p, &plain, chain, limits) {
        for _ in 0..TRIES {
            let Err(Refused::Fails(id)) = r else { break };
            out.insert(id, Recheck::Wrong);
            c.proved.remove(&id);
            r = verify_certify::check(p.module, p.checks, p.calls, p.address_taken, &c, limits);
        }
        let rest = match r {
            Ok(_) => Recheck::Accepted,
            Err(Refused::Budget) => Recheck::NotShown("budget".into()),
            Err(Refused::NotCovered(why)) => Recheck::NotShown(why),
            Err(Refused::Fails(_)) => Recheck::Wrong,
        };
        for id in c.proved {
            out.insert(id, rest.clone());
        }
    }
    out
}
