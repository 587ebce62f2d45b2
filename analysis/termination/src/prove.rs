//! Every run of the program ends: every loop that an execution can come round has a ranking function over the turns that
//! the invariants allow, every call is followed or known to come back, and there is no recursion that goes on.
//!
//! Why that suffices: an execution that never ends has finitely many calls in progress from some moment on (recursion is
//! followed to its end or the formula says that it is not), so among the loops in progress there is an innermost one that
//! it never leaves and whose head it sees for ever; each part from head to head is a [`Turn`], and the ranking function
//! goes down with each. Reducible control flow is a condition; a loop with several entries blocks the formula.

use crate::rank::{self, Failure, Ranking};
use crate::session::Session;
use std::collections::BTreeMap;
use verify_encode::{Domain, Formula, Mode, Plan, Root, is_output};
use verify_ir::{FuncId, Module};
use verify_kiki::infer;
use verify_solver::Term;

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

/// How a loop was shown to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ends {
    /// Function.
    pub func: FuncId,
    /// Line of the loop.
    pub line: u32,
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

/// The rounds: iterations in a turn, and templates of invariants.
const ROUNDS: [(u32, Domain); 5] =
    [(1, Domain::Nothing), (1, Domain::Zones), (1, Domain::Octagons), (2, Domain::Zones), (3, Domain::Zones)];

/// The plan of a formula.
pub fn plan(root: Root, mode: Mode, unwind: u32, domain: Domain, limits: &Limits) -> Plan {
    Plan {
        root,
        mode,
        unwind,
        domain,
        depth: 64,
        recursion: 4,
        deterministic: 1100,
        max_instructions: limits.instructions,
        max_terms: limits.terms,
    }
}

/// Tries to show that every execution from the root ends.
pub fn prove(s: &mut Session<'_>, module: &Module, root: Root, limits: &Limits) -> Proof {
    // By place: the proof, as soon as there is one.
    let mut done: BTreeMap<Vec<u32>, Ends> = BTreeMap::new();
    let mut open = Vec::new();
    let mut why = String::new();
    for (k, domain) in ROUNDS {
        let f = match s.encode(&plan(root, Mode::Induction, k, domain, limits)) {
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
                    continue;
                }
            }
        }
        let mut places: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for (i, t) in f.turns.iter().enumerate() {
            places.entry(&t.place).or_default().push(i);
        }
        open.clear();
        for (place, turns) in places {
            if done.contains_key(place) {
                continue;
            }
            let t = &f.turns[turns[0]];
            let line = module.span(t.span).line;
            let mut components: Vec<String> = Vec::new();
            let mut failure = None;
            for i in turns {
                match rank::search(s, &f.turns[i], &assumptions, limits.rank) {
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
                    done.insert(place.to_vec(), Ends { func: t.func, line, ranking, iterations: k });
                }
                Some(e) => {
                    let name = &module.func(t.func).name;
                    let what = match e {
                        Failure::Candidates => "no ranking function found for the loop",
                        Failure::Budget => "budget: ranking function of the loop",
                    };
                    why = format!("{what} in `{name}`, line {line}");
                    open.push((t.func, line));
                }
            }
        }
        if s.exhausted() {
            return Proof::Open(if why.is_empty() { "budget: conflicts".into() } else { why }, open);
        }
        if open.is_empty() {
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

/// What an execution may do that the formula says nothing about; [`None`]: nothing.
fn left_out(s: &mut Session<'_>, module: &Module, f: &Formula, assumptions: &[Term], conflicts: u64) -> Option<String> {
    let mut possible = |t: Term| {
        let mut all = assumptions.to_vec();
        all.push(t);
        !s.never(&all, conflicts)
    };
    for b in &f.blockers {
        if possible(b.reached) {
            return Some(b.why.clone());
        }
    }
    if f.unwound.iter().any(|t| possible(*t)) {
        return Some("recursion".into());
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
