//! Proofs that hold because nothing is left to fail: the program makes an assumption that no execution passes, and
//! every way to the check leads through it. (A check behind code that cannot be reached for other reasons is proved for
//! what it is.)

use crate::loops::Look;
use std::collections::{BTreeMap, BTreeSet};
use verify_checks::CheckId;
use verify_encode::{Domain, Encoder, Mode, Plan, Root, Suggested};
use verify_facts::call_graph::Callee;
use verify_ir::{Block, FuncId, InstKind, Loc, Terminator};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Outcome, Solver, Term};

/// Conflicts of one query.
const CONFLICTS: u64 = 5_000;

/// A place of the user's: a function and where in it.
type Place = (FuncId, Loc);

/// Checks to which every way from `main` leads through an assumption that no execution passes, with the first such.
pub fn vacuous(look: &Look<'_>, main: FuncId, stop: &dyn Fn() -> bool) -> BTreeMap<CheckId, Place> {
    let contradictions = contradictory(look, main, stop);
    let mut out = BTreeMap::new();
    let Some(first) = contradictions.iter().next().copied() else { return out };
    let nowhere = BTreeSet::new();
    let (open, all) = (reachable(look, main, &contradictions), reachable(look, main, &nowhere));
    for (i, c) in look.checks.all.iter().enumerate() {
        // At the assumption itself: the call is made.
        let here = (c.func, c.loc.block);
        let before = |at: &BTreeMap<(FuncId, Block), u32>| at.get(&here).is_some_and(|n| c.loc.inst <= *n);
        if before(&all) && !before(&open) {
            let same = contradictions.iter().find(|p| p.0 == c.func).copied();
            out.insert(CheckId(i as u32), same.unwrap_or(first));
        }
    }
    out
}

/// Assumptions that executions get to and none passes.
fn contradictory(look: &Look<'_>, main: FuncId, stop: &dyn Fn() -> bool) -> BTreeSet<Place> {
    let limits = crate::Limits::default();
    let plan = Plan {
        root: Root::Program(main),
        mode: Mode::Induction,
        unwind: 1,
        innermost: false,
        domain: Domain::Nothing,
        suggested: Suggested::Nothing,
        library: false,
        depth: limits.depth,
        recursion: limits.recursion,
        deterministic: 1100,
        max_instructions: limits.instructions,
        max_terms: limits.terms,
    };
    let mut out = BTreeSet::new();
    let mut encoder = Encoder::new(look.module, look.checks, look.rules).with(look.facts);
    let Ok(formula) = encoder.encode(&plan, stop) else { return out };
    if formula.assumed.is_empty() {
        return out;
    }
    let mut solver: Solver<Cadical> = Solver::default();
    for a in encoder.terms.axioms.clone() {
        solver.assert(&encoder.terms.pool, a);
    }
    let mut any = |terms: Vec<Term>| {
        let pool = &mut encoder.terms.pool;
        let q = pool.or_all(terms);
        match pool.as_const(q) {
            Some(v) if v.is_zero() => Outcome::Unsat(Vec::new()),
            _ => solver.check(pool, &[q], Some(CONFLICTS)),
        }
    };
    // What comes after something that is not encoded has not been looked at.
    if !matches!(any(formula.blockers.iter().map(|b| b.reached).collect()), Outcome::Unsat(_)) {
        return out;
    }
    let hidden = look.hidden(&formula);
    let mut sites: BTreeMap<Place, (Vec<Term>, Vec<Term>)> = BTreeMap::new();
    for a in &formula.assumed {
        let s = sites.entry(a.place).or_default();
        s.0.push(a.before);
        s.1.push(a.after);
    }
    for (place, (before, after)) in sites {
        if !hidden.contains(&place.0) && matches!(any(after), Outcome::Unsat(_)) && matches!(any(before), Outcome::Sat)
        {
            out.insert(place);
        }
    }
    out
}

/// How far control gets in each block, by the calls and branches of the program alone, when it ends at some places: the
/// number of instructions in front of the last that is reached.
fn reachable(look: &Look<'_>, main: FuncId, ends: &BTreeSet<Place>) -> BTreeMap<(FuncId, Block), u32> {
    // Whether a function returns depends on what it calls: until nothing changes.
    let mut returns: BTreeSet<FuncId> = BTreeSet::new();
    loop {
        let (reached, now) = walk(look, main, ends, &returns);
        if now == returns {
            return reached;
        }
        returns.extend(now);
    }
}

fn walk(
    look: &Look<'_>,
    main: FuncId,
    ends: &BTreeSet<Place>,
    returns: &BTreeSet<FuncId>,
) -> (BTreeMap<(FuncId, Block), u32>, BTreeSet<FuncId>) {
    let (mut reached, mut now) = (BTreeMap::new(), returns.clone());
    let mut todo = vec![(main, Block(0))];
    todo.extend(verify_facts::reach::implicit_roots(look.module).into_iter().map(|f| (f, Block(0))));
    let has_body = |f: &FuncId| look.module.func(*f).body.is_some();
    while let Some((f, b)) = todo.pop() {
        let Some(body) = &look.module.func(f).body else { continue };
        if reached.contains_key(&(f, b)) {
            continue;
        }
        let data = body.block(b);
        let mut stopped = None;
        for (i, inst) in data.insts.iter().enumerate() {
            let loc = Loc { block: b, inst: i as u32 };
            if ends.contains(&(f, loc)) {
                stopped = Some(i as u32);
                break;
            }
            if !matches!(inst.kind, InstKind::Call(_)) {
                continue;
            }
            let may: Option<Vec<FuncId>> = look.calls.site_at(f, loc).map(|s| match &s.callee {
                Callee::Direct(g) | Callee::External(g) => vec![*g],
                Callee::Indirect { may, .. } => may.clone(),
            });
            let Some(may) = may else { continue };
            todo.extend(may.iter().filter(|g| has_body(g)).map(|g| (*g, Block(0))));
            // Only a call of the user's that surely does not come back ends the way.
            if !may.is_empty() && may.iter().all(|g| has_body(g) && !returns.contains(g)) {
                stopped = Some(i as u32);
                break;
            }
        }
        reached.insert((f, b), stopped.unwrap_or(u32::MAX));
        if stopped.is_none() {
            if matches!(data.term, Terminator::Return(_)) {
                now.insert(f);
            }
            todo.extend(data.term.targets().into_iter().map(|e| (f, e.block)));
        }
    }
    (reached, now)
}
