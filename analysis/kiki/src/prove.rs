//! One root: formulas with more and more unwinding, all open checks asked at once.
//!
//! For k = 1, 2, 4, ...: first the bounded formula. Its models are offered for replay; when nothing is left to find and
//! no loop goes on past the bound, everything it covers is proved. Then the formula for k-induction, in which loops may
//! be entered in the middle: checks that no model fails are proved, base case and step in one (brain-2015 §3.1 with the
//! loop-select variables free).

use crate::by_facts;
use crate::choices::{self, Choices};
use crate::cover;
use crate::infer::{self, Ask, Pass};
use crate::pdr::{self, Sought};
use crate::suggest::Guesses;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use verify_checks::{CheckId, Checks, KindSet};
use verify_encode::{
    Domain, Encoder, Formula, Library, Mode, Plan, Relation, Root, Rules, Suggested, Suggestion, TooBig,
};
use verify_engine::meter;
use verify_facts::CallGraph;
use verify_facts::invariant::LoopInvariant;
use verify_facts::values::Settled;
use verify_ir::{Block, FuncId, Module};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Pool, Solver, Term, product};

/// Ways to close an obligation: the columns of table 1 in brain-2015.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ways {
    /// Bounded model checking.
    Bmc,
    /// That and k-induction.
    KInduction,
    /// Invariants only: abstract interpretation.
    Ai,
    /// All of them, and what is known without a solver.
    #[default]
    Kiki,
}

/// Counters that bound the work on one root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Largest unwinding.
    pub unwind: u32,
    /// Conflicts of one query.
    pub query_conflicts: u64,
    /// Conflicts of all queries.
    pub conflicts: u64,
    /// Conflicts of all queries about the program's executions when one formula has them all, and nothing else is left to
    /// try; no more than `conflicts`: nothing more is tried.
    pub last_conflicts: u64,
    /// Conflicts after which work ends if nothing was decided meanwhile: where a shallow formula is hard already, a deeper
    /// one is more of the same.
    pub idle: u64,
    /// Instructions in one formula.
    pub instructions: u64,
    /// Instructions in all formulas.
    pub total_instructions: u64,
    /// Terms in the pool.
    pub terms: usize,
    /// Depth of spliced calls.
    pub depth: u32,
    /// Depth of spliced recursion.
    pub recursion: u32,
    /// Models of one formula that may be offered for replay.
    pub replays: u32,
    /// Which ways are gone.
    pub ways: Ways,
    /// Templates of loop invariants.
    pub domain: Domain,
    /// Queries to find the parameters of one formula's templates.
    pub inference: u32,
    /// A solver of its own looks for the parameters of each formula. What others have learnt of arrays it learns anew.
    pub apart: bool,
    /// Work ends when the checks of these kinds are decided. Empty: when all are.
    pub wanted: KindSet,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            unwind: 128,
            query_conflicts: 20_000,
            conflicts: 200_000,
            last_conflicts: 4_000_000,
            idle: u64::MAX,
            instructions: 200_000,
            total_instructions: 2_000_000,
            terms: 4_000_000,
            depth: 64,
            recursion: 4,
            replays: 8,
            ways: Ways::Kiki,
            domain: Domain::Zones,
            inference: 4_000,
            apart: false,
            wanted: KindSet::EMPTY,
        }
    }
}

/// Work done.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Spent {
    /// Queries.
    pub queries: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Instructions encoded.
    pub instructions: u64,
    /// Models offered for replay.
    pub replays: u64,
}

/// How a check was proved: with this plan's formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// The formula.
    pub plan: Plan,
    /// What was assumed at heads of loops, and shown there.
    pub invariants: Rc<[LoopInvariant]>,
}

impl Proof {
    /// In words.
    pub fn describe(&self, root: &str) -> String {
        let k = self.plan.unwind;
        let invariants = self.plan.domain != Domain::Nothing;
        match (self.plan.mode, self.plan.root) {
            (Mode::Induction, Root::Program(_)) if invariants => {
                format!("invariants of loops over the program, k = {k}")
            }
            (Mode::Induction, Root::Call(_)) if invariants => format!("invariants of loops in `{root}`, k = {k}"),
            (Mode::Induction, Root::Part(..)) if invariants => {
                format!("invariants of loops in a part of `{root}`, k = {k}")
            }
            (Mode::Bounded, Root::Part(..)) => {
                format!("no execution of a part of `{root}` that the facts allow fails it")
            }
            (Mode::Induction, Root::Part(..)) => format!("k-induction in a part of `{root}`, k = {k}"),
            (Mode::Bounded, Root::Program(_)) => format!("all executions of the program are within {k} iterations"),
            (Mode::Bounded, Root::Call(_)) => format!("no call of `{root}` that the facts allow fails it"),
            (Mode::Induction, Root::Program(_)) => format!("k-induction over the program, k = {k}"),
            (Mode::Induction, Root::Call(_)) => format!("k-induction in `{root}`, k = {k}"),
        }
    }
}

/// What came out for one root.
#[derive(Clone, Default, Debug)]
pub struct Report {
    /// Proved checks.
    pub proved: BTreeMap<CheckId, Proof>,
    /// Checks that replay confirmed to fail.
    pub refuted: BTreeSet<CheckId>,
    /// For what is left: why, as far as known.
    pub reasons: BTreeMap<CheckId, String>,
    /// Functions without body that are called.
    pub externals: BTreeSet<String>,
    /// A reason that concerns every check that is left.
    pub stuck: Option<String>,
    /// What was tried on each check, in order.
    pub rounds: BTreeMap<CheckId, Vec<String>>,
    /// Counters.
    pub spent: Spent,
}

/// Proves and refutes checks of a program.
pub struct Prover<'a> {
    /// Program.
    pub module: &'a Module,
    /// Its checks.
    pub checks: &'a Checks,
    /// Who calls whom.
    pub calls: &'a CallGraph,
    /// Functions whose address is taken.
    pub address_taken: &'a [FuncId],
    /// What the program has to do with the library.
    pub library: Arc<Library>,
    /// Environment.
    pub rules: Rules,
    /// What is known of the program's values; proofs lean on it.
    pub facts: Option<&'a Settled>,
    /// Signed arithmetic wraps around; the facts must not say otherwise.
    pub wraps: bool,
    /// Where rows of templates come from that nothing in the program's text suggests; [`None`]: nowhere.
    pub suggest: Option<&'a Guesses<'a>>,
}

/// Offers choices for replay; the check that they fail, if any.
pub type Offer<'o> = dyn FnMut(&Choices) -> Option<CheckId> + 'o;

struct Session<'p, 'a> {
    p: &'p Prover<'a>,
    root: Root,
    chain: &'p BTreeSet<FuncId>,
    limits: Limits,
    encoder: Encoder<'a>,
    solver: Solver<Cadical>,
    asserted: usize,
    report: Report,
    /// Checks that a deeper formula will not decide: cuts hide them whatever the unwinding.
    shut: BTreeSet<CheckId>,
    /// Hold in all that is asked: the invariant that was found for the formula at hand.
    assumed: Vec<Term>,
    /// The same in terms of the program.
    invariants: Rc<[LoopInvariant]>,
    /// Conflicts spent on finding invariants: a budget of the same size, but of their own.
    inferring: u64,
    /// What [`Session::conflicts`] was when something was decided last.
    decided: u64,
    /// Conflicts of one query now.
    patience: u64,
    /// Conflicts spent on checks that nobody asked about.
    aside: u64,
    /// What is asked about an invariant now is probably so.
    insist: bool,
    /// The invariant that was found last with all rows: parameters by their terms.
    base: BTreeMap<Term, i128>,
    /// What was assumed for it, and the same in terms of the program.
    based: (Vec<Term>, Rc<[LoopInvariant]>),
    /// Conflicts and queries of other solvers.
    elsewhere: (u64, u64),
    /// While invariants are looked for: the solver of the formulas without, and the axioms that it knows.
    parked: Option<(Solver<Cadical>, usize)>,
    /// Conflicts and queries of solvers that looked for invariants.
    retired: (u64, u64),
    /// Loops whose every branch is decided by constants are followed so far.
    follow: u32,
    stop: &'p dyn Fn() -> bool,
}

/// A check with more ways to fail than this is not asked by itself when the question about all was too hard.
const MAX_SINGLE: usize = 64;

/// Conflicts of one query about an invariant: a row that is hard to show is given up sooner than a check.
const INFERENCE_CONFLICTS: u64 = 2_000;
/// The same of one that there is reason to believe in.
const INSISTING_CONFLICTS: u64 = 20_000;

/// Conflicts of one query before invariants were looked for.
const FIRST_CONFLICTS: u64 = 2_000;
/// Conflicts of one query about checks that nobody asked about, as executions end there; of all of them, and of each when
/// these are used up.
const CONFLICTS_ASIDE: u64 = 500;
const MOST_CONFLICTS_ASIDE: u64 = 2_500;
const LEAST_CONFLICTS_ASIDE: u64 = 50;

/// Loops are followed so far where constants decide every branch; and so far where invariants are asked instead of what
/// many iterations do one after the other.
const FOLLOWED: u32 = 1100;
const FEW_FOLLOWED: u32 = 8;
/// A loop that was followed further is long.
const LONG: u32 = 64;
/// Conflicts of the search for invariants of loops that could be followed to their end.
const MOST_CONFLICTS_ABSTRACTED: u64 = 30_000;

/// Iterations that are looked at before invariants are, where the instructions of all together, and those of the formula,
/// are at most so many; and how deep recursion is followed there. One that is less deep than the one before it stands in
/// for that where it does not fit. The deep ones only while the queries are no work.
const AHEAD: [(u32, u32, u64); 6] =
    [(4, 4, 12_000), (1, 1, 12_000), (12, 12, 12_000), (8, 8, 12_000), (40, 12, DEEP_AHEAD), (128, 12, DEEP_AHEAD)];
const DEEP_AHEAD: u64 = 60_000;
/// Conflicts for that, and until the deep ones are left out.
const MOST_CONFLICTS_AHEAD: u64 = 8_000;
const FEW_CONFLICTS_AHEAD: u64 = 500;
const DEEP_CONFLICTS: u64 = 100;

/// An iteration that is assumed to pass its checks, and the next.
const ONE_STEP: u32 = 2;

/// Guessed rows are tried with formulas of so many iterations.
const GUESSED: u32 = 2;

/// Combinations of numbers are looked at once this unwinding has not done.
const DIRECTED: u32 = 1;

/// What a formula said about the open checks.
enum Answer {
    /// These may fail, or the budget did not suffice to see that they do not.
    Open(BTreeSet<CheckId>),
}

impl<'a> Prover<'a> {
    /// Works on the open checks under a root. Under `Root::Call`, what is proved holds when the root, in any state, calls
    /// along the chain: for checks of the root itself the chain is empty; for checks of `f` in a root that calls `g` that
    /// calls `f` it is `g` and `f`.
    pub fn run(
        &self,
        root: Root,
        chain: &BTreeSet<FuncId>,
        open: &BTreeSet<CheckId>,
        limits: Limits,
        offer: &mut Offer<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Report {
        let mut s = Session::new(self, root, chain, limits, stop);
        s.work(open.clone(), offer);
        s.finish()
    }

    /// Works on checks in the blocks `targets` of a function, from a block that every way to them leads through.
    pub fn run_part(
        &self,
        f: FuncId,
        start: Block,
        targets: &BTreeSet<Block>,
        open: &BTreeSet<CheckId>,
        limits: Limits,
        stop: &dyn Fn() -> bool,
    ) -> Report {
        let chain = BTreeSet::new();
        let mut s = Session::new(self, Root::Part(f, start), &chain, limits, stop);
        s.encoder.targets = targets.clone();
        s.work(open.clone(), &mut |_| None);
        s.finish()
    }
}

impl<'a> Prover<'a> {
    fn encoder(&self, root: Root) -> Encoder<'a> {
        let mut e = Encoder::new(self.module, self.checks, self.rules).with(self.facts);
        e.recursive = self.recursive(root);
        e.wraps = self.wraps;
        e.library = Some(self.library.clone());
        e
    }

    /// Functions of the program that may call themselves. A function by itself is any call of it already.
    fn recursive(&self, root: Root) -> BTreeMap<FuncId, BTreeSet<FuncId>> {
        if matches!(root, Root::Call(_) | Root::Part(..)) {
            return BTreeMap::new();
        }
        self.calls.recursion(&|f| !verify_checks::calls::is_model(self.module, self.module.func(f)))
    }
}

impl<'p, 'a> Session<'p, 'a> {
    /// One that knows nothing yet.
    fn new(
        p: &'p Prover<'a>,
        root: Root,
        chain: &'p BTreeSet<FuncId>,
        limits: Limits,
        stop: &'p dyn Fn() -> bool,
    ) -> Self {
        Session {
            p,
            root,
            chain,
            limits,
            encoder: p.encoder(root),
            solver: Solver::default(),
            asserted: 0,
            shut: BTreeSet::new(),
            assumed: Vec::new(),
            invariants: Rc::default(),
            inferring: 0,
            decided: 0,
            patience: limits.query_conflicts,
            aside: 0,
            insist: false,
            base: BTreeMap::new(),
            based: Default::default(),
            elsewhere: (0, 0),
            parked: None,
            retired: (0, 0),
            follow: FOLLOWED,
            report: Report::default(),
            stop,
        }
    }
}

impl Ask for Session<'_, '_> {
    fn any(&mut self, conditions: &[Term], assumptions: &[Term]) -> Outcome {
        // What is spent here since the search began, and before.
        if self.limits.ways == Ways::Ai && self.spent().0 > self.limits.conflicts {
            return Outcome::Unknown;
        }
        let most = if self.insist { INSISTING_CONFLICTS } else { INFERENCE_CONFLICTS };
        self.under(conditions, assumptions, self.limits.query_conflicts.min(most))
    }
    fn insist(&mut self, yes: bool) {
        self.insist = yes;
    }
    fn value(&mut self, t: Term) -> Bv {
        self.solver.value(&self.encoder.terms.pool, t)
    }
    fn pool(&mut self) -> &mut Pool {
        &mut self.encoder.terms.pool
    }
}

impl Session<'_, '_> {
    fn plan(&self, mode: Mode, unwind: u32) -> Plan {
        Plan {
            root: self.root,
            mode,
            unwind,
            innermost: false,
            domain: Domain::Nothing,
            suggested: Suggested::Nothing,
            library: false,
            depth: self.limits.depth,
            // As deep as loops are unwound: bounded formulas find failures there, the shallow ones first.
            recursion: match (mode, self.root) {
                (Mode::Bounded, Root::Program(_)) => unwind,
                _ => self.limits.recursion,
            },
            deterministic: self.follow,
            max_instructions: self.limits.instructions,
            max_terms: self.limits.terms,
        }
    }

    fn work(&mut self, mut open: BTreeSet<CheckId>, offer: &mut Offer<'_>) {
        let mut k = 1;
        let mut last = BTreeMap::new();
        while k <= self.limits.unwind && self.wants(&open) {
            let mut loops = false;
            let steps = [
                (Mode::Bounded, Domain::Nothing, Suggested::Nothing),
                (Mode::Induction, Domain::Nothing, Suggested::Nothing),
                (Mode::Induction, self.limits.domain, Suggested::Nothing),
                // Guesses are made once the domain has not done.
                (Mode::Induction, self.limits.domain, Suggested::Always),
                (Mode::Induction, self.limits.domain, Suggested::ByCases),
            ];
            let mut first = 0;
            for (i, (mode, domain, suggested)) in steps.into_iter().enumerate() {
                if i == 2 && k == 1 && loops {
                    // The states of a program, if it has any, are soon told.
                    self.directed(Sought::States, &mut open, offer, &mut last);
                    if self.ahead(first, &mut open, offer, &mut last) {
                        return;
                    }
                }
                // Invariants are looked for where k-induction without them does not do.
                let spent = self.inferring > self.limits.conflicts;
                let ways = self.limits.ways;
                let tried = match i {
                    0 => ways != Ways::Ai,
                    1 => !matches!(ways, Ways::Ai | Ways::Bmc),
                    _ if ways == Ways::Ai => k == 1 && suggested == Suggested::Nothing,
                    _ => {
                        let wanted = ways == Ways::Kiki && domain != Domain::Nothing;
                        let guess = suggested == Suggested::Nothing
                            || k <= GUESSED && self.wants(&open) && self.guess(suggested);
                        wanted && loops && !spent && self.report.stuck.is_none() && guess
                    }
                };
                if !tried {
                    continue;
                }
                if !self.wants(&open) {
                    break;
                }
                if self.out_of_budget() {
                    self.report.stuck.get_or_insert_with(|| "budget".into());
                    break;
                }
                self.apart(self.limits.apart && domain != Domain::Nothing);
                let library = domain != Domain::Nothing && self.only_library(&open);
                let mut plan = Plan { domain, library, suggested, ..self.plan(mode, k) };
                let running = meter::start(meter::Phase::Encode);
                let mut encoded = self.encoder.encode(&plan, self.stop);
                if matches!(encoded, Err(TooBig::Instructions | TooBig::Terms)) && self.follow > FEW_FOLLOWED {
                    // Loops in loops that were followed to their ends.
                    self.follow = FEW_FOLLOWED;
                    plan.deterministic = self.follow;
                    encoded = self.encoder.encode(&plan, self.stop);
                }
                drop(running);
                let formula = match encoded {
                    Ok(f) => f,
                    Err(e) => {
                        let why = match e {
                            TooBig::Instructions => "budget: instructions in the formula",
                            TooBig::Terms => "budget: terms",
                            TooBig::Objects => "budget: objects",
                            TooBig::Stopped => "time",
                        };
                        self.report.stuck = Some(why.into());
                        continue;
                    }
                };
                self.report.spent.instructions += formula.instructions;
                self.report.externals.extend(formula.externals.iter().cloned());
                self.report.stuck = None;
                loops = !formula.selects.is_empty();
                if i == 0 {
                    first = formula.instructions;
                }
                // Those before the last are soon found, and often do.
                let rooms = formula.rows.iter().any(|r| r.relation == Relation::Room).then_some(Pass::Rooms);
                let equal = formula.rows.iter().any(|r| r.relation == Relation::Equal).then_some(Pass::Equalities);
                let soon = [rooms, equal].into_iter().flatten().filter(|_| i == 2);
                // What is suggested is first added to what was found without.
                let more = (suggested != Suggested::Nothing).then_some(None);
                // And all of it once more where nothing else is left to be added.
                let all = suggested != Suggested::Always || !self.guess(Suggested::ByCases);
                let all = all.then_some(Some(Pass::All));
                let passes: Vec<Option<Pass>> = more.into_iter().chain(soon.map(Some)).chain(all).collect();
                // Where invariants will be looked for next, they may do what is hard without.
                let more = i < 2 && k == 1 && (loops || !formula.unwound.is_empty());
                let long = k == 1 && self.follow == FOLLOWED && formula.followed > LONG;
                let hurry = (more || long) && ways == Ways::Kiki && self.limits.domain != Domain::Nothing;
                self.patience = self.limits.query_conflicts.min(if hurry { FIRST_CONFLICTS } else { u64::MAX });
                for pass in &passes {
                    let asked = i < 2 || ways == Ways::Ai && *pass == Some(Pass::All);
                    if !self.wants(&open) {
                        continue;
                    }
                    if i >= 2 && !self.invariant(&formula, *pass) && !asked {
                        if pass.is_none() {
                            // None of them holds.
                            break;
                        }
                        continue;
                    }
                    let before = open.clone();
                    last = self.settle(&plan, &formula, &mut open, offer);
                    self.note(&plan, &before, &open, &last);
                    self.assumed.clear();
                    self.invariants = Rc::default();
                }
                if long && matches!((i, ways), (0, Ways::Kiki) | (2, Ways::Ai)) && self.wants(&open) {
                    self.abstracted(&mut open, offer);
                    // What was asked in a hurry.
                    if mode == Mode::Bounded && formula.unwound.is_empty() && self.wants(&open) {
                        self.patience = self.limits.query_conflicts;
                        let before = open.clone();
                        last = self.settle(&plan, &formula, &mut open, offer);
                        self.note(&plan, &before, &open, &last);
                    }
                }
                // Without loops that go on, a deeper formula is the same one.
                if mode == Mode::Bounded && formula.unwound.is_empty() {
                    if self.wants(&open) && self.limits.last_conflicts > self.limits.conflicts {
                        self.limits.conflicts = self.limits.last_conflicts;
                        self.patience = self.limits.last_conflicts;
                        let before = open.clone();
                        last = self.settle(&plan, &formula, &mut open, offer);
                        self.note(&plan, &before, &open, &last);
                    }
                    self.report.reasons = last;
                    return;
                }
            }
            if k == DIRECTED && loops && self.report.stuck.is_none() {
                self.directed(Sought::Any, &mut open, offer, &mut last);
            }
            let done = self.limits.ways == Ways::Ai;
            if done || self.report.stuck.is_some() || open.iter().all(|c| self.shut.contains(c)) {
                break;
            }
            k *= 2;
        }
        self.report.reasons = last;
        self.report.reasons.retain(|c, _| open.contains(c));
        if k > self.limits.unwind {
            self.report.stuck.get_or_insert_with(|| "budget: unwinding".into());
        }
    }

    /// A quick look for failures a few iterations ahead, where the formulas are small: invariants cannot be found for what
    /// does not hold, and looking for them takes long. True: that was all there is.
    fn ahead(
        &mut self,
        instructions: u64,
        open: &mut BTreeSet<CheckId>,
        offer: &mut Offer<'_>,
        last: &mut BTreeMap<CheckId, String>,
    ) -> bool {
        if self.limits.ways != Ways::Kiki || !matches!(self.root, Root::Program(_)) {
            return false;
        }
        // In a session of its own: what it learns of many iterations would burden every later query.
        let limits = Limits {
            conflicts: MOST_CONFLICTS_AHEAD,
            query_conflicts: self.limits.query_conflicts.min(FIRST_CONFLICTS),
            ..self.limits
        };
        let mut s = Session::new(self.p, self.root, self.chain, limits, self.stop);
        let mut whole = false;
        // The deepest that fit, and the last that did not.
        let (mut fits, mut large) = (0, u32::MAX);
        for (k, recursion, most) in AHEAD {
            // Deeper where it fits, and shallow where it does not.
            if k <= fits || k >= large && most < DEEP_AHEAD {
                continue;
            }
            let deep = most == DEEP_AHEAD;
            // What only calls of the library may fail, invariants show sooner.
            let hard = deep && s.conflicts() > FEW_CONFLICTS_AHEAD || k > AHEAD[0].0 && s.only_library(open);
            if instructions > most || hard || !s.wants(open) || s.out_of_budget() {
                break;
            }
            // Deep ones find what is plain to see or nothing.
            s.limits.query_conflicts = limits.query_conflicts.min(if deep { DEEP_CONFLICTS } else { u64::MAX });
            s.patience = s.limits.query_conflicts;
            // What is there already does not grow with the depth. Recursion may grow with the power of it.
            let max_instructions = (most + instructions).min(s.limits.instructions);
            let plan = Plan { max_instructions, recursion, ..s.plan(Mode::Bounded, k) };
            let running = meter::start(meter::Phase::Encode);
            let encoded = s.encoder.encode(&plan, s.stop);
            drop(running);
            let Ok(formula) = encoded else {
                large = k;
                continue;
            };
            fits = k;
            s.report.spent.instructions += formula.instructions;
            s.report.externals.extend(formula.externals.iter().cloned());
            let before = open.clone();
            *last = s.settle(&plan, &formula, open, offer);
            s.note(&plan, &before, open, last);
            whole = formula.unwound.is_empty();
            if whole {
                break;
            }
        }
        if !whole && fits > 0 && s.wants(open) && !s.out_of_budget() {
            s.one_step(open, offer);
        }
        self.add(s.report);
        if whole {
            self.report.reasons = std::mem::take(last);
        }
        whole
    }

    /// What is checked in each iteration of a loop may be an invariant as it stands: one step of induction. With products
    /// only, as no template has them.
    fn one_step(&mut self, open: &mut BTreeSet<CheckId>, offer: &mut Offer<'_>) {
        self.limits.query_conflicts = self.limits.query_conflicts.max(FIRST_CONFLICTS);
        self.patience = FIRST_CONFLICTS;
        let plan = Plan { max_instructions: DEEP_AHEAD, ..self.plan(Mode::Induction, ONE_STEP) };
        let running = meter::start(meter::Phase::Encode);
        let encoded = self.encoder.encode(&plan, self.stop);
        drop(running);
        let Ok(formula) = encoded else { return };
        self.report.spent.instructions += formula.instructions;
        if !self.has_products() {
            return;
        }
        let before = open.clone();
        let why = self.settle(&plan, &formula, open, offer);
        self.note(&plan, &before, open, &why);
    }

    /// Looks for invariants of loops that could be followed to their end, but with formulas that are hard for it: where
    /// each iteration has a hand in what is left, one step from an invariant says it better than a thousand in a row.
    fn abstracted(&mut self, open: &mut BTreeSet<CheckId>, offer: &mut Offer<'_>) {
        if self.limits.domain == Domain::Nothing || self.out_of_budget() {
            return;
        }
        let conflicts = self.limits.conflicts.saturating_sub(self.conflicts()).min(MOST_CONFLICTS_ABSTRACTED);
        let limits = Limits { ways: Ways::Ai, conflicts, ..self.limits };
        let mut s = Session::new(self.p, self.root, self.chain, limits, self.stop);
        s.encoder.targets = self.encoder.targets.clone();
        s.follow = FEW_FOLLOWED;
        s.work(open.clone(), offer);
        open.retain(|c| !s.report.proved.contains_key(c) && !s.report.refuted.contains(c));
        self.add(s.report);
    }

    /// What another session found.
    fn add(&mut self, r: Report) {
        self.report.spent.instructions += r.spent.instructions;
        self.report.spent.replays += r.spent.replays;
        self.report.externals.extend(r.externals);
        self.report.proved.extend(r.proved);
        self.report.refuted.extend(r.refuted);
        for (c, lines) in r.rounds {
            self.report.rounds.entry(c).or_default().extend(lines);
        }
    }

    /// Invariants that say which combinations of numbers do not occur, on top of those that templates have.
    fn directed(
        &mut self,
        sought: Sought,
        open: &mut BTreeSet<CheckId>,
        offer: &mut Offer<'_>,
        last: &mut BTreeMap<CheckId, String>,
    ) {
        let asked = self.limits.wanted != KindSet::EMPTY && matches!(self.root, Root::Program(_));
        let domain = self.limits.domain;
        if self.limits.ways != Ways::Kiki
            || domain == Domain::Nothing
            || !asked
            || !self.wants(open)
            || self.out_of_budget()
        {
            return;
        }
        let library = self.only_library(open);
        let plan = Plan { domain, library, ..self.plan(Mode::Induction, 1) };
        let running = meter::start(meter::Phase::Encode);
        self.encoder.heads = true;
        let encoded = self.encoder.encode(&plan, self.stop);
        self.encoder.heads = false;
        drop(running);
        let Ok(mut formula) = encoded else { return };
        self.report.spent.instructions += formula.instructions;
        let checks = open.iter().copied().filter(|c| self.is_wanted(*c)).collect();
        let (base, known) = self.based.clone();
        // Many small questions about one lap: a solver that knows of nothing else answers them soonest.
        let solver = std::mem::take(&mut self.solver);
        let (asserted, inferring) = (std::mem::take(&mut self.asserted), std::mem::take(&mut self.inferring));
        let (parked, retired) = (self.parked.take(), std::mem::take(&mut self.retired));
        let found = pdr::search(self, &mut formula, &base, &checks, sought);
        let spent = std::mem::replace(&mut self.solver, solver).statistics();
        self.elsewhere = (self.elsewhere.0 + spent.conflicts, self.elsewhere.1 + spent.queries);
        (self.asserted, self.inferring) = (asserted, inferring);
        (self.parked, self.retired) = (parked, retired);
        let Some(found) = found else { return };
        self.assumed = base.into_iter().chain(found.assumptions).collect();
        let mut named = known.to_vec();
        for i in found.named {
            match named.iter_mut().find(|k| (&k.calls, k.func, k.header) == (&i.calls, i.func, i.header)) {
                Some(k) => k.rows.extend(i.rows),
                None => named.push(i),
            }
        }
        self.invariants = named.into();
        let before = open.clone();
        *last = self.settle(&plan, &formula, open, offer);
        self.note(&plan, &before, open, last);
        self.assumed.clear();
        self.invariants = Rc::default();
    }

    /// Gets rows from runs of the program; false: there are none of these.
    fn guess(&mut self, wanted: Suggested) -> bool {
        let (Some(g), Root::Program(_)) = (self.p.suggest, self.root) else { return false };
        self.encoder.suggestions = g.all();
        let cases = |s: &Suggestion| wanted != Suggested::ByCases || matches!(s, Suggestion::Given(..));
        self.encoder.suggestions.values().flatten().any(cases)
    }

    /// There is a check left that matters.
    fn wants(&self, open: &BTreeSet<CheckId>) -> bool {
        open.iter().any(|c| self.is_wanted(*c))
    }

    fn is_wanted(&self, c: CheckId) -> bool {
        let wanted = self.limits.wanted;
        wanted == KindSet::EMPTY || wanted.contains(self.p.checks.get(c).kind)
    }

    /// All that is left of what matters is what calls of the library may fail.
    fn only_library(&self, open: &BTreeSet<CheckId>) -> bool {
        let wanted = self.limits.wanted;
        open.iter().all(|c| {
            let c = self.p.checks.get(*c);
            wanted != KindSet::EMPTY && !wanted.contains(c.kind) || by_facts::at_library_call(self.p.module, c)
        })
    }

    /// Writes down what a formula said of each check.
    fn note(
        &mut self,
        plan: &Plan,
        before: &BTreeSet<CheckId>,
        open: &BTreeSet<CheckId>,
        why: &BTreeMap<CheckId, String>,
    ) {
        let rows: usize = self.invariants.iter().map(|i| i.rows.len()).sum();
        let way = match (plan.mode, plan.domain) {
            (Mode::Bounded, _) => "bounded".to_string(),
            (Mode::Induction, Domain::Nothing) => "k-induction".to_string(),
            (Mode::Induction, _) => format!("k-induction with {rows} rows of invariants"),
        };
        for c in before {
            let said = match why.get(c) {
                _ if self.report.refuted.contains(c) => "an execution fails it, and was replayed",
                _ if !open.contains(c) => "proved",
                Some(why) => why,
                None => "not decided",
            };
            let line = format!("k = {}, {way}: {said}", plan.unwind);
            self.report.rounds.entry(*c).or_default().push(line);
        }
    }

    /// Conflicts that count for the budget of proofs.
    fn conflicts(&self) -> u64 {
        self.spent().0 - self.inferring
    }

    /// Conflicts and queries of this session's solvers.
    fn spent(&self) -> (u64, u64) {
        let parked = self.parked.iter().map(|p| p.0.statistics());
        let all = parked.chain([self.solver.statistics()]);
        all.fold(self.retired, |(c, q), s| (c + s.conflicts, q + s.queries))
    }

    /// Invariants are looked for with many small questions about one formula: a solver that knows of nothing else answers
    /// them soonest, as a model is one of all that a solver knows. `true`: from now on, a new one; `false`: no longer.
    fn apart(&mut self, yes: bool) {
        match self.parked.take() {
            None if yes => {
                self.parked = Some((std::mem::take(&mut self.solver), std::mem::take(&mut self.asserted)));
            }
            None => {}
            Some(main) => {
                let spent = self.solver.statistics();
                self.retired = (self.retired.0 + spent.conflicts, self.retired.1 + spent.queries);
                if yes {
                    (self.solver, self.asserted) = Default::default();
                    self.parked = Some(main);
                } else {
                    (self.solver, self.asserted) = main;
                }
            }
        }
    }

    /// What came out, with its counters.
    fn finish(mut self) -> Report {
        let (conflicts, queries) = self.spent();
        self.report.spent.conflicts = conflicts + self.elsewhere.0;
        self.report.spent.queries = queries + self.elsewhere.1;
        self.report
    }

    fn out_of_budget(&self) -> bool {
        (self.stop)()
            || self.conflicts() > self.limits.conflicts
            || self.conflicts().saturating_sub(self.decided) > self.limits.idle
            || self.report.spent.instructions > self.limits.total_instructions
    }

    /// Finds the parameters of a formula's templates; false: there are none.
    fn invariant(&mut self, formula: &Formula, pass: Option<Pass>) -> bool {
        let queries = self.limits.inference;
        let before = self.conflicts();
        let found = match pass {
            Some(pass) => infer::infer(self, formula, pass, queries),
            None => {
                let base = self.base.clone();
                infer::extend(self, formula, &base, queries)
            }
        };
        self.inferring += self.conflicts() - before;
        let found = found.filter(|i| !i.bounds.is_empty());
        if pass == Some(Pass::All) || pass.is_none() && found.is_some() {
            let bounds = found.iter().flat_map(|i| &i.bounds);
            self.base = bounds.map(|b| (formula.rows[b.row].bound, b.at_most)).collect();
        }
        self.invariants = found.as_ref().map(|i| infer::named(formula, &i.bounds).into()).unwrap_or_default();
        self.assumed = found.map(|i| i.assumptions).unwrap_or_default();
        if pass == Some(Pass::All) {
            self.based = (self.assumed.clone(), self.invariants.clone());
        }
        !self.assumed.is_empty()
    }

    /// Is there a model of one of the conditions?
    fn ask(&mut self, any: &[Term]) -> Outcome {
        let assumed = self.assumed.clone();
        self.under(any, &assumed, self.patience)
    }

    fn under(&mut self, any: &[Term], assumed: &[Term], conflicts: u64) -> Outcome {
        let left = self.limits.conflicts.saturating_sub(self.conflicts());
        let t = &mut self.encoder.terms;
        // What a query may be about is known by now: all axioms.
        while self.asserted < t.axioms.len() {
            let a = t.axioms[self.asserted];
            self.asserted += 1;
            self.solver.assert(&t.pool, a);
        }
        let q = t.pool.or_all(any.iter().copied());
        if t.pool.as_const(q).is_some_and(|v| v.is_zero()) {
            return Outcome::Unsat(Vec::new());
        }
        if (self.stop)() {
            return Outcome::Unknown;
        }
        let _running = meter::start(meter::Phase::Solve);
        let all: Vec<Term> = assumed.iter().copied().chain([q]).collect();
        self.solver.check(&mut t.pool, &all, Some(conflicts.min(left).max(1)))
    }

    fn holds_in_model(&mut self, t: Term) -> bool {
        self.solver.value(&self.encoder.terms.pool, t).is_one()
    }

    /// Asks all open checks of one formula; removes what is decided from `open`.
    fn settle(
        &mut self,
        plan: &Plan,
        formula: &Formula,
        open: &mut BTreeSet<CheckId>,
        offer: &mut Offer<'_>,
    ) -> BTreeMap<CheckId, String> {
        let mut reasons = BTreeMap::new();
        let mut by_check: BTreeMap<CheckId, Vec<Term>> = BTreeMap::new();
        for c in formula.claims.iter().filter(|c| open.contains(&c.check)) {
            by_check.entry(c.check).or_default().push(c.fails);
        }
        let bounded = plan.mode == Mode::Bounded;
        let Answer::Open(mut failing) = match self.limits.wanted != KindSet::EMPTY && self.has_products() {
            true => self.search_in_order(formula, by_check, open, bounded, offer, &mut reasons),
            false => self.search(formula, &by_check, open, bounded, offer, &mut reasons),
        };
        failing.retain(|c| open.contains(c));
        let candidates: BTreeSet<CheckId> = open.difference(&failing).copied().collect();
        if candidates.is_empty() {
            return reasons;
        }
        // Is the formula the whole of what can happen?
        if bounded && !matches!(self.ask(&formula.unwound), Outcome::Unsat(_)) {
            reasons.extend(candidates.iter().map(|c| (*c, format!("loops beyond {} iterations", plan.unwind))));
            return reasons;
        }
        let reached: Vec<Term> = formula.blockers.iter().map(|b| b.reached).collect();
        if !matches!(self.ask(&reached), Outcome::Unsat(_)) {
            let why = formula.blockers.iter().find(|b| self.possible(b.reached)).or(formula.blockers.first());
            let why = why.map_or_else(String::new, |b| b.told(self.p.module));
            reasons.extend(candidates.iter().map(|c| (*c, why.clone())));
            self.shut.extend(candidates);
            return reasons;
        }
        let mut hidden = BTreeMap::new();
        for (h, (conditions, what)) in cover::groups(formula, self.root, self.p.calls, self.p.address_taken) {
            let concerned: Vec<CheckId> =
                candidates.iter().copied().filter(|c| h.hides(self.p.checks, *c, self.root, self.chain)).collect();
            if concerned.is_empty() || concerned.iter().all(|c| hidden.contains_key(c)) {
                continue;
            }
            if !matches!(self.ask(&conditions), Outcome::Unsat(_)) {
                for c in concerned {
                    hidden.entry(c).or_insert_with(|| what.clone());
                }
            }
        }
        let conflicts = self.conflicts();
        for c in candidates {
            match hidden.remove(&c) {
                Some(why) => {
                    self.shut.insert(c);
                    reasons.insert(c, why);
                }
                None => {
                    open.remove(&c);
                    reasons.remove(&c);
                    self.decided = conflicts;
                    let plan = Plan { recursion: plan.recursion.max(formula.recursion), ..plan.clone() };
                    self.report.proved.insert(c, Proof { plan, invariants: self.invariants.clone() });
                }
            }
        }
        reasons
    }

    /// Products that may get circuits, which make every later query slow.
    fn has_products(&self) -> bool {
        let pool = &self.encoder.terms.pool;
        (0..pool.len()).any(|i| product::is_abstract(pool, Term(i as u32)))
    }

    /// [`Session::search`], for what matters first: how executions may end before can be harder to say, and is worth little
    /// before that is known.
    fn search_in_order(
        &mut self,
        formula: &Formula,
        by_check: BTreeMap<CheckId, Vec<Term>>,
        open: &mut BTreeSet<CheckId>,
        replay: bool,
        offer: &mut Offer<'_>,
        reasons: &mut BTreeMap<CheckId, String>,
    ) -> Answer {
        let (asked, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            by_check.into_iter().partition(|(c, _)| self.is_wanted(*c));
        let Answer::Open(mut failing) = self.search(formula, &asked, open, replay, offer, reasons);
        let settled = !failing.iter().any(|c| open.contains(c));
        let (patience, before) = (self.patience, self.conflicts());
        self.patience = if settled {
            patience.min(FIRST_CONFLICTS)
        } else {
            let left = MOST_CONFLICTS_ASIDE.saturating_sub(self.aside);
            patience.min(CONFLICTS_ASIDE).min(left.max(LEAST_CONFLICTS_ASIDE))
        };
        self.solver.spare(true);
        let Answer::Open(more) = self.search(formula, &others, open, replay, offer, reasons);
        self.solver.spare(false);
        if !settled {
            self.aside += self.conflicts() - before;
        }
        self.patience = patience;
        failing.extend(more);
        Answer::Open(failing)
    }

    fn possible(&mut self, t: Term) -> bool {
        !matches!(self.ask(&[t]), Outcome::Unsat(_))
    }

    /// Takes out of the open checks, one model after the other, those that may fail, until the rest cannot.
    fn search(
        &mut self,
        formula: &Formula,
        by_check: &BTreeMap<CheckId, Vec<Term>>,
        open: &mut BTreeSet<CheckId>,
        replay: bool,
        offer: &mut Offer<'_>,
        reasons: &mut BTreeMap<CheckId, String>,
    ) -> Answer {
        let mut failing: BTreeSet<CheckId> = BTreeSet::new();
        let mut offers = 0;
        loop {
            let left: Vec<(CheckId, &Vec<Term>)> = by_check
                .iter()
                .filter(|(c, _)| open.contains(c) && !failing.contains(c))
                .map(|(c, v)| (*c, v))
                .collect();
            if left.is_empty() {
                break;
            }
            let all: Vec<Term> = left.iter().flat_map(|(_, v)| v.iter().copied()).collect();
            match self.ask(&all) {
                Outcome::Unsat(_) => break,
                Outcome::Unknown => {
                    // One by one: some may be easy.
                    let one = replay && left.len() == 1;
                    for (c, v) in left {
                        if one
                            || self.out_of_budget()
                            || v.len() > MAX_SINGLE
                            || !matches!(self.ask(v), Outcome::Unsat(_))
                        {
                            failing.insert(c);
                            reasons.insert(c, "budget: conflicts".into());
                        }
                    }
                    break;
                }
                Outcome::Sat => {
                    let mut hit = Vec::new();
                    for (c, v) in &left {
                        if v.iter().any(|t| self.holds_in_model(*t)) {
                            hit.push(*c);
                        }
                    }
                    if hit.is_empty() {
                        // The model does not satisfy what was asked: a defect; nothing is proved by it.
                        for (c, _) in left {
                            failing.insert(c);
                            reasons.insert(c, "internal inconsistency: a model that fails nothing".into());
                        }
                        break;
                    }
                    let program = matches!(self.root, Root::Program(_));
                    if replay && program && offers < self.limits.replays {
                        offers += 1;
                        self.report.spent.replays += 1;
                        let pool = &self.encoder.terms.pool;
                        let solver = &mut self.solver;
                        let contents = choices::Contents {
                            symbols: self.encoder.terms.uninitialised(),
                            elements: solver.elements(pool),
                        };
                        let choices = choices::of_model(&formula.events, &contents, |t| solver.value(pool, t));
                        if let Some(c) = offer(&choices) {
                            open.remove(&c);
                            self.report.refuted.insert(c);
                            self.decided = self.conflicts();
                        }
                    }
                    for c in hit {
                        failing.insert(c);
                        reasons.insert(c, "may fail for all that is known".into());
                    }
                }
            }
        }
        Answer::Open(failing)
    }
}
