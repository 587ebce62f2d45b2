//! Every run of the program ends: every loop that an execution can come round has a ranking function over the turns that
//! the invariants allow, every call is followed or known to come back, and there is no recursion that goes on.
//!
//! Why that suffices: an execution that never ends has either ever more calls in progress, or the same ones from some moment
//! on. In the first case some function is entered again and again from an activation of itself that does not end; each part
//! from one to the next is a [`Turn`] of that recursion, and a ranking function goes down with each (recursion that is not
//! looked at in this way is followed to its end, or the formula says that it is not). In the second case there is, among the
//! loops in progress, an innermost one that it never leaves and whose head it sees for ever; each part from head to head
//! is a turn of that loop. Reducible control flow is a condition; a loop with several entries blocks the formula.

use crate::rank::{self, Failure, Ranking};
use crate::session::Session;
use std::collections::BTreeMap;
use verify_encode::{Domain, Encoder, Formula, Mode, Plan, Root, Suggested, Turn, is_output};
use verify_ir::{FuncId, Module};
use verify_kiki::infer::{self, Ask};
use verify_solver::{Sort, Term};

/// Work that may be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions in one formula.
    pub instructions: u64,
    /// Terms.
    pub terms: usize,
    /// Conflicts in all.
    pub conflicts: u64,
    /// Conflicts of one query that decides something.
    pub query: u64,
    /// Queries for the invariants of one formula.
    pub inference: u32,
    /// For each loop.
    pub rank: rank::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            instructions: 60_000,
            terms: 3_000_000,
            conflicts: 400_000,
            query: 20_000,
            inference: 4_000,
            rank: rank::Limits { queries: 600, conflicts: 8_000 },
        }
    }
}

/// First part of the names of symbols that are made here; those of formulas are small.
const KEY: u32 = u32::MAX - 40;

/// How reasons begin that are about recursion, which no lasso is looked for in.
pub(crate) const RECURSION: &str = "recursion";

/// How a loop or a recursion was shown to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Function.
    pub func: FuncId,
    /// Line of the loop, or where the recursive function begins.
    pub line: u32,
    /// It is a recursion.
    pub calls: bool,
    /// The ranking function; a turn is this many iterations.
    pub ranking: Ranking,
    /// Iterations in a turn.
    pub iterations: u32,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every run ends.
    Ends(Vec<Ends>),
    /// Not shown: why, and the loops that are left, by function and line.
    Open(String, Vec<(FuncId, u32)>),
}

/// The rounds: iterations in a turn, and templates of invariants; of loops with others inside, one iteration where it says so.
const ROUNDS: [(u32, bool, Domain); 7] = [
    (1, false, Domain::Nothing),
    (1, false, Domain::Intervals),
    (1, false, Domain::Zones),
    (2, true, Domain::Zones),
    (1, false, Domain::Octagons),
    (2, false, Domain::Zones),
    (3, false, Domain::Zones),
];

/// So many of them come before anything else is tried.
const CHEAP: usize = 2;

/// The plan of a formula.
pub fn plan(root: Root, mode: Mode, unwind: u32, domain: Domain, limits: &Limits) -> Plan {
    Plan {
        root,
        mode,
        unwind,
        innermost: false,
        domain,
        suggested: Suggested::Nothing,
        library: false,
        depth: 64,
        recursion: 4,
        deterministic: 1100,
        max_instructions: limits.instructions,
        max_terms: limits.terms,
    }
}

/// Tries to show that every execution from the root ends. When the cheap rounds did not do, `refuted` is asked whether to stop.
/// Each round has a solver of its own: a model is one of all that a solver knows.
pub fn prove<'e>(
    encoder: &dyn Fn() -> Encoder<'e>,
    stop: &'e dyn Fn() -> bool,
    module: &Module,
    root: Root,
    limits: &Limits,
    refuted: &mut dyn FnMut() -> bool,
) -> Proof {
    // By place: the proof, as soon as there is one.
    let mut done: BTreeMap<Vec<u32>, Ends> = BTreeMap::new();
    let mut open = Vec::new();
    let mut why = String::new();
    let mut conflicts = limits.conflicts;
    for (round, (k, innermost, domain)) in ROUNDS.into_iter().enumerate() {
        if round == CHEAP && refuted() {
            return Proof::Open(why, open);
        }
        let mut session = Session::new(encoder(), conflicts, stop);
        let s = &mut session;
        let f = match s.encode(&Plan { innermost, ..plan(root, Mode::Induction, k, domain, limits) }) {
            Ok(f) => f,
            Err(e) => {
                return Proof::Open(if why.is_empty() { e.into() } else { why }, open);
            }
        };
        let mut assumptions = Vec::new();
        if domain != Domain::Nothing && !f.rows.is_empty() {
            match infer::infer(s, &f, infer::Pass::All, limits.inference) {
                Some(i) => assumptions = i.assumptions,
                None => {
                    if why.is_empty() {
                        why = "budget: invariants".into();
                    }
                    conflicts = conflicts.saturating_sub(s.spent().1);
                    continue;
                }
            }
        }
        let mut places: BTreeMap<&[u32], Vec<Turn>> = BTreeMap::new();
        for (i, t) in f.turns.iter().enumerate() {
            let turns = places.entry(&t.place).or_default();
            match turns.first_mut().filter(|_| t.calls) {
                // Calls of a function follow each other in any order: one ranking function is for all of them.
                Some(first) => join(s, first, t, i),
                None => turns.push(t.clone()),
            }
        }
        open.clear();
        let mut stuck = false;
        for (place, turns) in places {
            if done.contains_key(place) {
                continue;
            }
            let (func, calls, iterations) = (turns[0].func, turns[0].calls, turns[0].iterations);
            let line = module.span(turns[0].span).line;
            let mut components: Vec<String> = Vec::new();
            let mut failure = None;
            for t in &turns {
                match rank::search(s, t, &assumptions, limits.rank) {
                    Ok(r) => components.extend(r.components),
                    Err(e) => {
                        failure = Some(e);
                        break;
                    }
                }
            }
            match failure {
                None => {
                    let ranking = Ranking { components };
                    done.insert(place.to_vec(), Ends { func, line, calls, ranking, iterations });
                }
                Some(e) => {
                    let name = &module.func(func).name;
                    why = match (e, calls) {
                        (Failure::Candidates, false) => {
                            format!("no ranking function found for the loop in `{name}`, line {line}")
                        }
                        (Failure::Budget, false) => {
                            format!("budget: ranking function of the loop in `{name}`, line {line}")
                        }
                        (Failure::Candidates, true) => format!("{RECURSION} of `{name}`: no ranking function found"),
                        (Failure::Budget, true) => format!("{RECURSION} of `{name}`: budget for ranking functions"),
                    };
                    stuck = true;
                    if !calls {
                        open.push((func, line));
                    }
                }
            }
        }
        conflicts = conflicts.saturating_sub(s.spent().1);
        if s.exhausted() {
            return Proof::Open(if why.is_empty() { "budget: conflicts".into() } else { why }, open);
        }
        if !stuck {
            return match left_out(s, module, &f, &assumptions, limits.query) {
                None => Proof::Ends(done.into_values().collect()),
                Some(w) if domain == Domain::Nothing && !f.selects.is_empty() => {
                    why = w;
                    continue;
                }
                Some(w) => Proof::Open(w, Vec::new()),
            };
        }
    }
    Proof::Open(why, open)
}

/// One turn for two calls of the same activation, one after the other or one instead of the other: it is either.
fn join(s: &mut Session<'_>, first: &mut Turn, other: &Turn, number: usize) {
    let key = [&[KEY, number as u32], first.place.as_slice()].concat();
    let either = s.encoder.terms.symbol(&key, Sort::Bv(1));
    let p = s.pool();
    let mut both = |a: Term, b: Term| p.ite(either, b, a);
    first.quantities.retain_mut(|q| {
        let same = other.quantities.iter().find(|o| o.before == q.before && o.what == q.what);
        if let Some(o) = same {
            q.after = both(q.after, o.after);
            q.fixed &= o.fixed;
        }
        same.is_some()
    });
    first.pairs.retain_mut(|q| {
        let same = other
            .pairs
            .iter()
            .find(|o| o.what == q.what && o.first.0 == q.first.0 && o.second.map(|s| s.0) == q.second.map(|s| s.0));
        if let Some(o) = same {
            q.first.1 = both(q.first.1, o.first.1);
            q.second = q.second.zip(o.second).map(|(a, b)| (a.0, both(a.1, b.1)));
        }
        same.is_some()
    });
    first.round = both(first.round, other.round);
}

/// What an execution may do that the formula says nothing about; [`None`]: nothing.
fn left_out(s: &mut Session<'_>, module: &Module, f: &Formula, assumptions: &[Term], conflicts: u64) -> Option<String> {
    let mut possible = |t: Term| {
        let mut all = assumptions.to_vec();
        all.push(t);
        !s.never(&all, conflicts)
    };
    for b in &f.blockers {
        if possible(b.reached) {
            return Some(b.told(module));
        }
    }
    if f.unwound.iter().any(|t| possible(*t)) {
        return Some(RECURSION.into());
    }
    for c in &f.cuts {
        // Output comes back.
        let output = !c.any && c.callees.iter().all(|f| is_output(&module.func(*f).name));
        if !output && possible(c.reached) {
            return Some(c.what.clone());
        }
    }
    None
}
