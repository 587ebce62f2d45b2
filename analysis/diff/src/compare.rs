//! The comparison of two programs: for every function asked about, identity of code, then a quick search for evidence,
//! then the proof, then a longer search with what the proof's model proposes. Proofs rely on callees being equal; what
//! relies on a pair that is not shown equal is proved again with the callee's body, or falls too: what stays is the
//! greatest set of pairs that support each other (coinduction; lock-step calls give mutual termination).

use crate::around;
use crate::inputs::Dictionary;
use crate::interface::{Offer, Symbol, Symbols, place_of, position};
use crate::leans::ASSUMED;
use crate::normal::normal;
use crate::observe::Silence;
use crate::origin::Origin;
use crate::pairs::{Pair, Pairs};
use crate::product::{At, Candidate, Cuts, Outcome, Product, ProofBudget, SPENT, Version, prove, same_machine};
use crate::reach::Reach;
use crate::search::{Evidence, SearchBudget, replay, search};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_interp::Program;
use verify_ir::{FnAttrs, FuncId, Function, Linkage, Module};

/// What is said about a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// Shown to mean the same.
    Equal,
    /// An input shows that it does not.
    Changed,
    /// Neither.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::Changed => "changed",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A place in the source of one version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// File, as the compiler saw it.
    pub file: String,
    /// Its folder.
    pub directory: String,
    /// Line from 1.
    pub line: u32,
    /// Column from 1, 0 when not known.
    pub column: u32,
    /// Function.
    pub function: String,
}

/// The answer for one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionResult {
    /// Its name (in the new version, when it was renamed).
    pub name: String,
    /// Its name in the old version, when it was renamed.
    pub old_name: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// `identity`, `structure`, `solver`, `induction` for equal ones; `replay` for changed ones; the reason for unknown ones.
    pub how: String,
    /// What is different, as far as it was located.
    pub difference: Option<String>,
    /// Where, in the old version.
    pub old_place: Option<Place>,
    /// Where, in the new version.
    pub new_place: Option<Place>,
    /// The input that shows it.
    pub evidence: Option<Evidence>,
    /// Functions asked about that call it, directly or not.
    pub callers: Vec<String>,
    /// Where the difference comes from, of functions that are not equal.
    pub origin: Option<Origin>,
    /// Of an unknown function whose own code is the same: if these are equal, it is, too.
    pub equal_if: Vec<String>,
    /// The code differs: the verdict was not for free.
    pub code_differs: bool,
    /// No function asked about calls it: an interface of its own.
    pub root: bool,
}

/// Everything about two programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// By name.
    pub functions: Vec<FunctionResult>,
    /// Variables and second names that both versions offer, and that are not the same.
    pub symbols: Vec<Symbol>,
    /// Functions and variables that only the old version has.
    pub removed: Vec<Offer>,
    /// Functions and variables that only the new version has.
    pub added: Vec<Offer>,
    /// Solver queries that were needed.
    pub queries: u64,
    /// Functions said to be equal on which a run shows a difference: errors of this crate.
    pub refuted: Vec<(String, Evidence)>,
}

/// What to compare, and within what limits.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names; all externally visible functions when `None`.
    pub functions: Option<BTreeSet<String>>,
    /// Functions that are taken to be equal.
    pub assume: BTreeSet<String>,
    /// Limits of proofs.
    pub proof: ProofBudget,
    /// Limits of searches.
    pub search: SearchBudget,
    /// Solver queries of all proofs together.
    pub queries: Option<u64>,
    /// Work of all functions together; in proportion to how many functions differ when `None`. The unit is about a
    /// thousand memory accesses of the solver, or a hundred steps of the interpreter: ten microseconds or so.
    pub work: Option<u64>,
    /// Inputs on which both versions of every function that is shown equal and whose code differs are run all the same:
    /// a difference is an error of this crate.
    pub attack: u64,
}

/// Why two programs cannot be compared at all.
pub fn machine_difference(old: &Module, new: &Module) -> Option<String> {
    if same_machine(old, new) {
        return None;
    }
    let say = |m: &Module| {
        format!(
            "{} ({}-bit pointers, {}-endian)",
            m.target.triple,
            m.target.pointer_bits,
            if m.target.big_endian { "big" } else { "little" }
        )
    };
    Some(format!("the versions are for different machines: {} and {}", say(old), say(new)))
}

#[derive(Clone, Debug)]
pub(crate) enum State {
    Equal { how: &'static str, deps: BTreeSet<u32> },
    Not { why: String, old_at: Option<At>, new_at: Option<At>, candidate: Option<Candidate> },
}

pub(crate) struct Work<'a> {
    pub(crate) pairs: &'a Pairs<'a>,
    pub(crate) reach: Reach,
    /// Functions of which runs say nothing.
    reaching_changed: BTreeSet<(Version, FuncId)>,
    silence: Silence,
    programs: (Program, Program),
    pub(crate) options: &'a Options,
    pub(crate) state: BTreeMap<u32, State>,
    evidence: BTreeMap<u32, Evidence>,
    searched: BTreeSet<u32>,
    identical: BTreeMap<u32, bool>,
    dict: BTreeMap<u32, Dictionary>,
    queries: u64,
    /// What every pair has cost, and what is left for all of them.
    spent: BTreeMap<u32, u64>,
    left: u64,
    /// The part of it that is for functions whose own code is the same.
    left_same: u64,
    /// What differs in the tables of functions that run before and after `main`.
    around: Vec<Symbol>,
}

/// What is said of a function when nothing is left for it.
const ALL_SPENT: &str = "budget: the work that the comparison may take is used up";
/// What is said of `main` where other things run before or after it.
const AROUND: &str = "what runs before or after it by itself (constructors, destructors) is not shown to be equal";
/// Steps of the interpreter that count as one unit of work.
const STEPS: u64 = 100;
/// A pair of functions may take the work of so many attempts at a proof.
const ATTEMPTS: u64 = 3;
/// Functions whose own code is the same differ where something that they use does, nearly always: so much less work is
/// spent on the few that do not.
const SAME_CODE: u64 = 20;
/// Nor do they all together take more than this part of the whole.
const SAME_CODE_TOGETHER: u64 = 4;

/// Compares two programs. `progress` is told the functions as they are taken up.
pub fn compare(old: &Arc<Module>, new: &Arc<Module>, options: &Options, progress: &dyn Fn(&str)) -> Comparison {
    let pairs = Pairs::new(old, new);
    let reach = Reach::new(&pairs);
    let mut w = Work {
        pairs: &pairs,
        reaching_changed: pairs.reaching_changed(&reach),
        reach,
        silence: Silence::new(old, new),
        programs: (Program::new(old.clone()), Program::new(new.clone())),
        options,
        state: BTreeMap::new(),
        evidence: BTreeMap::new(),
        searched: BTreeSet::new(),
        identical: BTreeMap::new(),
        dict: BTreeMap::new(),
        queries: 0,
        spent: BTreeMap::new(),
        left: 0,
        left_same: 0,
        around: around::differences(&pairs),
    };
    let rooted = if options.functions.is_some() { BTreeSet::new() } else { pairs.rooted() };
    let wanted = |c: &u32| asked_for(&pairs, options, *c) || rooted.contains(c);
    let asked: Vec<u32> = (0..pairs.pairs.len() as u32).filter(wanted).collect();
    let below: BTreeSet<u32> = asked.iter().flat_map(|c| w.reach.below(*c)).collect();
    let differing = below.iter().filter(|c| !w.is_identical(**c)).count() as u64;
    w.left = options.work.unwrap_or(options.proof.work.saturating_mul(differing / 8 + 4));
    w.left_same = w.left / SAME_CODE_TOGETHER;
    // What is cheap comes first: it must not wait for what may take all the work there is.
    let mut order: Vec<(usize, u32)> = asked.iter().map(|c| (w.size_below(*c), *c)).collect();
    order.sort_unstable();
    for (k, (_, c)) in order.iter().enumerate() {
        progress(&format!("{}/{} {}", k + 1, order.len(), new.func(pairs.pairs[*c as usize].new).name));
        w.settle(*c);
    }
    w.finish(&asked)
}

fn asked_for(pairs: &Pairs<'_>, options: &Options, c: u32) -> bool {
    let Pair { old, new } = pairs.pairs[c as usize];
    let (f, g) = (pairs.old.func(old), pairs.new.func(new));
    match &options.functions {
        Some(names) => names.contains(&f.name) || names.contains(&g.name),
        None => f.linkage != Linkage::Internal || g.linkage != Linkage::Internal,
    }
}

impl Work<'_> {
    pub(crate) fn pair(&self, c: u32) -> Pair {
        self.pairs.pairs[c as usize]
    }

    /// Not shown to be equal.
    pub(crate) fn is_open(&self, c: u32) -> bool {
        self.evidence.contains_key(&c) || matches!(self.state.get(&c), Some(State::Not { .. }))
    }

    pub(crate) fn is_identical(&mut self, c: u32) -> bool {
        if let Some(i) = self.identical.get(&c) {
            return *i;
        }
        let Pair { old, new } = self.pair(c);
        let (m, n) = (self.pairs.old.func(old), self.pairs.new.func(new));
        let same = m.sig == n.sig
            && !self.pairs.code_is_not_all(old, new)
            && self.pairs.code(Version::Old, old) == self.pairs.code(Version::New, new);
        self.identical.insert(c, same);
        same
    }

    /// The code differs in order and writing only.
    fn has_one_normal_form(&self, c: u32) -> bool {
        let Pair { old, new } = self.pair(c);
        let (m, n) = (self.pairs.old.func(old), self.pairs.new.func(new));
        let attributes = |f: &Function| FnAttrs { no_prototype: false, ..f.attrs.clone() };
        m.sig == n.sig
            && attributes(m) == attributes(n)
            && !self.pairs.code_is_not_all(old, new)
            && normal(self.pairs, Version::Old, old)
                .is_some_and(|a| normal(self.pairs, Version::New, new).is_some_and(|b| a == b))
    }

    fn dictionary(&mut self, c: u32) -> Dictionary {
        if let Some(d) = self.dict.get(&c) {
            return d.clone();
        }
        let below = self.reach.below(c);
        let (mut olds, mut news) = (BTreeSet::new(), BTreeSet::new());
        for b in below.iter().take(60) {
            olds.insert(self.pair(*b).old);
            news.insert(self.pair(*b).new);
        }
        let d = Dictionary::new(self.pairs.old, &olds).merge(Dictionary::new(self.pairs.new, &news));
        self.dict.insert(c, d.clone());
        d
    }

    /// A field is its name, and inputs and outcomes of runs are bytes: they say nothing where layouts differ.
    fn can_run(&self, c: u32) -> bool {
        let Pair { old, new } = self.pair(c);
        let reaches = |v, f| self.reaching_changed.contains(&(v, f));
        !reaches(Version::Old, old) && !reaches(Version::New, new)
    }

    fn look(&mut self, c: u32, first: u64, budget: SearchBudget) -> bool {
        if self.evidence.contains_key(&c) {
            return true;
        }
        let Pair { old, new } = self.pair(c);
        let types = |m: &Module, f: FuncId| -> Vec<_> { m.func(f).sig.params.iter().map(|p| p.ty).collect() };
        if types(self.pairs.old, old) != types(self.pairs.new, new) || !self.can_run(c) {
            return false;
        }
        let allowance = self.allowance(c).saturating_mul(STEPS);
        if allowance == 0 {
            return false;
        }
        let dict = self.dictionary(c);
        let budget = SearchBudget { total: budget.total.min(allowance), ..budget };
        let found =
            search((&self.programs.0, old), (&self.programs.1, new), &self.silence.of(old, new), &dict, first, budget);
        self.pay(c, found.steps / STEPS);
        if let Some(e) = found.evidence {
            self.evidence.insert(c, e);
            return true;
        }
        false
    }

    /// The work that may still be done for a pair.
    fn allowance(&self, c: u32) -> u64 {
        let all = self.options.proof.work.saturating_mul(ATTEMPTS);
        all.saturating_sub(self.spent_on(c)).min(self.left)
    }

    fn spent_on(&self, c: u32) -> u64 {
        self.spent.get(&c).copied().unwrap_or(0)
    }

    fn pay(&mut self, c: u32, work: u64) {
        *self.spent.entry(c).or_default() += work;
        self.left = self.left.saturating_sub(work);
    }

    /// Instructions of both versions that a proof may have to look at.
    fn size_below(&self, c: u32) -> usize {
        let size = |m: &Module, f: FuncId| {
            m.func(f).body.as_ref().map_or(0, |b| b.blocks.iter().map(|b| b.insts.len()).sum::<usize>())
        };
        let both = |d: u32| size(self.pairs.old, self.pair(d).old) + size(self.pairs.new, self.pair(d).new);
        self.reach.below(c).into_iter().map(both).sum()
    }

    /// Decides a pair and everything that its proof leans on.
    fn settle(&mut self, c: u32) {
        let mut todo = vec![c];
        // First guesses, callees by assumption.
        while let Some(c) = todo.pop() {
            if self.state.contains_key(&c) {
                continue;
            }
            let s = self.first(c);
            if let State::Equal { deps, .. } = &s {
                todo.extend(deps.iter().copied());
            }
            self.state.insert(c, s);
        }
        // What leans on a pair that is not equal is tried again with its body.
        loop {
            let broken: Vec<u32> = self
                .state
                .iter()
                .filter(|(_, s)| match s {
                    State::Equal { deps, .. } => {
                        deps.iter().any(|d| matches!(self.state.get(d), Some(State::Not { .. })))
                    }
                    State::Not { .. } => false,
                })
                .map(|(c, _)| *c)
                .collect();
            if broken.is_empty() {
                return;
            }
            for c in broken {
                let s = self.again(c);
                if let State::Equal { deps, .. } = &s {
                    let mut todo: Vec<u32> = deps.iter().copied().collect();
                    while let Some(d) = todo.pop() {
                        if self.state.contains_key(&d) || d == c {
                            continue;
                        }
                        let s = self.first(d);
                        if let State::Equal { deps, .. } = &s {
                            todo.extend(deps.iter().copied());
                        }
                        self.state.insert(d, s);
                    }
                }
                self.state.insert(c, s);
            }
        }
    }

    fn first(&mut self, c: u32) -> State {
        let structors = self.around_it(c);
        if self.is_main(c) && !self.around.is_empty() {
            return not(AROUND);
        }
        match self.by_itself(c) {
            State::Equal { how, mut deps } => {
                deps.extend(structors);
                State::Equal { how, deps }
            }
            s => s,
        }
    }

    fn is_main(&self, c: u32) -> bool {
        let f = self.pairs.old.func(self.pair(c).old);
        f.name == "main" && f.linkage != Linkage::Internal
    }

    /// The pairs that run before and after a function by themselves, if it is `main`.
    fn around_it(&self, c: u32) -> BTreeSet<u32> {
        if !self.is_main(c) {
            return BTreeSet::new();
        }
        self.pairs.structors(Version::Old).union(&self.pairs.structors(Version::New)).copied().collect()
    }

    fn by_itself(&mut self, c: u32) -> State {
        if self.is_assumed(c) && !self.is_identical(c) {
            return State::Equal { how: ASSUMED, deps: BTreeSet::new() };
        }
        if self.is_identical(c) {
            let deps = self.reach.uses(c).iter().copied().filter(|d| *d != c).collect();
            return State::Equal { how: "identity", deps };
        }
        if self.has_one_normal_form(c) {
            let deps = self.reach.uses(c).iter().copied().filter(|d| *d != c).collect();
            return State::Equal { how: "structure", deps };
        }
        let quick = SearchBudget {
            runs: self.options.search.runs / 4,
            total: self.options.search.total / 4,
            ..self.options.search
        };
        if self.look(c, 0, quick) {
            return not("changed");
        }
        self.proof(c, BTreeSet::new())
    }

    /// The proof of a pair whose callees are not all equal: their bodies are looked into. What comes of that says less to
    /// people than what the pair was found to lean on.
    fn again(&mut self, c: u32) -> State {
        let leant_on = match self.state.get(&c) {
            Some(State::Equal { deps, .. }) => self.first_open(deps),
            _ => None,
        };
        if self.first_open(&self.around_it(c)).is_some() {
            return not(AROUND);
        }
        match (self.looked_into(c), leant_on) {
            (State::Not { old_at, new_at, candidate, .. }, Some(name)) => {
                let why = if self.is_identical(c) {
                    format!("its code is the same, but it uses `{name}`, which is not shown to be equal")
                } else {
                    format!("equal, if `{name}` is, which it uses and which is not shown to be equal")
                };
                State::Not { why, old_at, new_at, candidate }
            }
            (s, _) => s,
        }
    }

    /// The name of the first of these pairs that is not shown to be equal.
    fn first_open(&self, deps: &BTreeSet<u32>) -> Option<String> {
        let open = |d: &&u32| matches!(self.state.get(d), Some(State::Not { .. }));
        deps.iter().filter(open).map(|d| self.pairs.new.func(self.pair(*d).new).name.clone()).min()
    }

    fn looked_into(&mut self, c: u32) -> State {
        let mut inline = BTreeSet::new();
        for _ in 0..3 {
            let before = inline.len();
            for d in self.reach.below(c) {
                if d != c && matches!(self.state.get(&d), Some(State::Not { .. })) {
                    inline.insert((Version::Old, self.pair(d).old));
                    inline.insert((Version::New, self.pair(d).new));
                }
            }
            if inline.len() == before {
                break;
            }
            let s = self.proof(c, inline.clone());
            match &s {
                State::Equal { deps, .. } => {
                    if !deps.iter().any(|d| matches!(self.state.get(d), Some(State::Not { .. }))) {
                        return s;
                    }
                }
                State::Not { .. } => {
                    return s;
                }
            }
        }
        not("it calls a function that is not shown to be equal")
    }

    /// Product with ever more bodies looked into.
    fn proof(&mut self, c: u32, mut inline: BTreeSet<(Version, FuncId)>) -> State {
        let Pair { old, new } = self.pair(c);
        if let Some(why) = self.pairs.trouble(old, new) {
            return not(why);
        }
        let most = self.options.proof.work / if self.is_identical(c) { SAME_CODE } else { 1 };
        let end = self.spent_on(c).saturating_add(most.saturating_mul(ATTEMPTS));
        let looked = !inline.is_empty();
        let mut last = not("not compared");
        let (mut attempted, mut located) = (false, false);
        let mut tried = None;
        for round in 0..4 {
            inline.extend(self.one_sided(&inline, old, new));
            // The same question again has the same answer.
            if tried.as_ref() == Some(&inline) {
                break;
            }
            tried = Some(inline.clone());
            // Loops in lock-step; else, where the code allows, followed to their end.
            let mut other_cuts = true;
            for cut in [Cuts::Bodies, Cuts::Further, Cuts::Headers, Cuts::Nowhere] {
                if cut == Cuts::Headers && !other_cuts {
                    continue;
                }
                if self.options.queries.is_some_and(|q| self.queries > q) {
                    return not("budget: solver queries");
                }
                let work = self.allowance(c).min(most).min(end.saturating_sub(self.spent_on(c)));
                let work = if self.is_identical(c) { work.min(self.left_same) } else { work };
                if work == 0 {
                    let whole = if self.left == 0 { ALL_SPENT } else { SPENT };
                    return if attempted { last } else { not(whole) };
                }
                attempted = true;
                let mut p = Product::new(self.pairs, old, new, ProofBudget { work, ..self.options.proof });
                p.inline.clone_from(&inline);
                let r = prove(&mut p, cut);
                self.queries += p.real_queries;
                let work = p.work();
                other_cuts = p.other_cuts;
                self.pay(c, work);
                if self.is_identical(c) {
                    self.left_same = self.left_same.saturating_sub(work);
                }
                match r {
                    Ok(Outcome::Equal { solver }) => {
                        let mut deps = p.deps.clone();
                        deps.remove(&c);
                        let how = match (solver, p.paired) {
                            (false, _) => "structure",
                            (true, false) => "solver",
                            (true, true) => "solver (induction)",
                        };
                        return State::Equal { how, deps };
                    }
                    Ok(Outcome::Differs { what, at, old_at, input }) => {
                        last = State::Not { why: what, old_at, new_at: at, candidate: input };
                        located = true;
                    }
                    Err(stop) => {
                        // Where versions differ says more than why there was no comparison.
                        if !located && cut != Cuts::Further {
                            last = State::Not { why: stop.0, old_at: None, new_at: None, candidate: None };
                        }
                    }
                }
                // Nothing was paired: it was followed to its end already.
                if !p.paired {
                    break;
                }
            }
            // Perhaps a small function was moved in or out: look into static ones, too.
            if round == 0 && !looked {
                let small = self.small_callees(old, new);
                if small.is_subset(&inline) {
                    break;
                }
                inline.extend(small);
            } else if round > 0 {
                break;
            }
        }
        last
    }

    /// Functions that only one version has, as far as they are called.
    fn one_sided(&self, inline: &BTreeSet<(Version, FuncId)>, old: FuncId, new: FuncId) -> BTreeSet<(Version, FuncId)> {
        let mut out = BTreeSet::new();
        for (v, root) in [(Version::Old, old), (Version::New, new)] {
            let mut todo = vec![root];
            let mut seen = BTreeSet::new();
            while let Some(f) = todo.pop() {
                if !seen.insert(f) {
                    continue;
                }
                for g in self.reach.called(v, f).iter().copied() {
                    let single = self.pairs.class(v, g).is_none()
                        && self.pairs.module(v).func(g).body.is_some()
                        && !self.pairs.is_library(v, g);
                    if single || inline.contains(&(v, g)) {
                        if single {
                            out.insert((v, g));
                        }
                        todo.push(g);
                    }
                }
            }
        }
        out
    }

    /// Callees that are called in one version only, and small.
    fn small_callees(&self, old: FuncId, new: FuncId) -> BTreeSet<(Version, FuncId)> {
        let classes = |v: Version, f: FuncId| -> BTreeMap<u32, FuncId> {
            self.reach.called(v, f).iter().filter_map(|g| self.pairs.class(v, *g).map(|c| (c, *g))).collect()
        };
        let (a, b) = (classes(Version::Old, old), classes(Version::New, new));
        let mut out = BTreeSet::new();
        for c in a.keys().chain(b.keys()).copied().collect::<BTreeSet<u32>>() {
            let p = self.pair(c);
            if p.old == old {
                continue;
            }
            let size = |m: &Module, f: FuncId| {
                m.func(f).body.as_ref().map_or(0, |b| b.blocks.iter().map(|b| b.insts.len()).sum::<usize>())
            };
            if size(self.pairs.old, p.old).max(size(self.pairs.new, p.new)) < 400 {
                out.insert((Version::Old, p.old));
                out.insert((Version::New, p.new));
            }
        }
        out
    }

    fn finish(mut self, asked: &[u32]) -> Comparison {
        // Evidence for what is not equal, with what the proofs propose.
        let open: Vec<u32> = self
            .state
            .iter()
            .filter(|(c, s)| matches!(s, State::Not { .. }) && !self.evidence.contains_key(c))
            .map(|(c, _)| *c)
            .collect();
        for c in open {
            let Pair { old, new } = self.pair(c);
            if let Some(State::Not { candidate: Some(k), .. }) = self.state.get(&c).cloned()
                && self.can_run(c)
            {
                let dict = self.dictionary(c);
                let silent = self.silence.of(old, new);
                let (a, b) = ((&self.programs.0, old), (&self.programs.1, new));
                let found = replay(a, b, &silent, &dict, &k, self.options.search);
                if let Some(e) = found.evidence {
                    self.evidence.insert(c, e);
                    continue;
                }
            }
            if asked.contains(&c) && self.searched.insert(c) {
                self.look(c, 1000, self.options.search);
            }
        }
        let mut out = Comparison { queries: self.queries, ..Comparison::default() };
        if self.options.attack > 0 {
            for c in asked.iter().copied() {
                if !matches!(self.state.get(&c), Some(State::Equal { .. })) || !self.assumed_below(c).is_empty() {
                    continue;
                }
                let budget = SearchBudget { runs: self.options.attack, ..self.options.search };
                if self.look(c, 100_000, budget)
                    && let Some(e) = self.evidence.get(&c)
                {
                    out.refuted.push((self.pairs.new.func(self.pair(c).new).name.clone(), e.clone()));
                }
            }
        }
        let below: BTreeMap<u32, Vec<u32>> = asked.iter().map(|c| (*c, self.reach.below(*c))).collect();
        let mut listed: BTreeSet<u32> = asked.iter().copied().collect();
        if self.options.functions.is_none() {
            // Differences in static functions are shown where they are.
            listed.extend(self.state.iter().filter(|(_, s)| matches!(s, State::Not { .. })).map(|(c, _)| *c));
        }
        for c in listed {
            let s = self.state.get(&c).cloned();
            let calls = |(d, b): &(&u32, &Vec<u32>)| **d != c && b.binary_search(&c).is_ok();
            let callers: Vec<u32> = below.iter().filter(calls).map(|(d, _)| *d).collect();
            out.functions.push(self.result(c, s, &callers));
        }
        out.functions.sort_by(|a, b| a.name.cmp(&b.name));
        let missing = |v: Version, m: &Module| -> Vec<Offer> {
            let mut names: Vec<Offer> = (0..m.functions.len())
                .map(FuncId::new)
                .filter(|f| {
                    let i = m.func(*f);
                    i.body.is_some()
                        && i.linkage != Linkage::Internal
                        && !self.pairs.is_library(v, *f)
                        && self.pairs.class(v, *f).is_none()
                })
                .map(|f| Offer { name: m.func(f).name.clone(), place: place_of(m, f) })
                .collect();
            names.sort();
            names
        };
        let symbols = Symbols::new(self.pairs);
        out.removed = missing(Version::Old, self.pairs.old);
        out.removed.extend(symbols.removed);
        out.added = missing(Version::New, self.pairs.new);
        out.added.extend(symbols.added);
        out.symbols = symbols.differing;
        out.symbols.extend(std::mem::take(&mut self.around));
        out
    }

    fn result(&mut self, c: u32, s: Option<State>, callers: &[u32]) -> FunctionResult {
        let Pair { old, new } = self.pair(c);
        let (f, g) = (self.pairs.old.func(old), self.pairs.new.func(new));
        let evidence = self.evidence.get(&c).cloned();
        let (mut old_place, mut new_place, mut difference, mut origin) = (None, None, None, None);
        let (verdict, how) = match (&evidence, s) {
            (Some(e), s) => {
                difference = Some(e.difference.clone());
                if let Some(State::Not { old_at, new_at, .. }) = s {
                    old_place = old_at.and_then(|a| self.place(a));
                    new_place = new_at.and_then(|a| self.place(a));
                }
                (Verdict::Changed, "replay".to_string())
            }
            (None, Some(State::Equal { how, .. })) => {
                let assumed = self.assumed_below(c);
                let leans = !assumed.is_empty() && how != ASSUMED;
                (Verdict::Equal, if leans { format!("{how}, if {} is", quoted(&assumed)) } else { how.to_string() })
            }
            (None, Some(State::Not { why, old_at, new_at, .. })) => {
                old_place = old_at.and_then(|a| self.place(a));
                new_place = new_at.and_then(|a| self.place(a));
                difference = Some(why.clone());
                (Verdict::Unknown, why)
            }
            (None, None) => (Verdict::Unknown, "not compared".to_string()),
        };
        if verdict != Verdict::Equal {
            // At least the first instructions that are not the same.
            let at = self.root(c).and_then(|w| w.last().copied()).unwrap_or(c);
            let (a, b) = self.first_difference(at);
            if at == c {
                old_place = old_place.or(a);
                new_place = new_place.or(b);
            } else {
                (old_place, new_place) = (a, b);
            }
            origin = self.origin(c);
        }
        let identical = self.is_identical(c);
        let equal_if = if verdict == Verdict::Unknown && identical { self.equal_if(c) } else { Vec::new() };
        FunctionResult {
            name: g.name.clone(),
            old_name: (f.name != g.name).then(|| f.name.clone()),
            verdict,
            how,
            difference,
            old_place,
            new_place,
            evidence,
            callers: callers.iter().map(|d| self.pairs.new.func(self.pair(*d).new).name.clone()).collect(),
            origin,
            equal_if,
            code_differs: !identical,
            root: callers.is_empty(),
        }
    }

    fn place(&self, (v, f, b, i): At) -> Option<Place> {
        let m = self.pairs.module(v);
        let body = m.func(f).body.as_ref()?;
        let d = body.blocks.get(b.index())?;
        // The first position that is known from here on.
        let known = d.insts.iter().skip(i as usize).map(|i| i.span).chain([d.term_span]).find(|s| m.span(*s).line != 0);
        self.position(v, f, known.unwrap_or(m.func(f).span))
    }

    pub(crate) fn position(&self, v: Version, f: FuncId, s: verify_ir::SpanId) -> Option<Place> {
        let m = self.pairs.module(v);
        position(m, s, &m.func(f).name)
    }

    /// The first instructions in order of the code that are not the same; none where it is an end of a block.
    pub(crate) fn first_instructions(&self, c: u32) -> (Option<&verify_ir::Inst>, Option<&verify_ir::Inst>) {
        let Pair { old, new } = self.pair(c);
        let (a, b) = (self.pairs.lines(Version::Old, old), self.pairs.lines(Version::New, new));
        let at = a.iter().zip(&b).position(|(x, y)| x.0 != y.0).unwrap_or(a.len().min(b.len()));
        fn nth(m: &Module, f: FuncId, at: usize) -> Option<&verify_ir::Inst> {
            let body = m.func(f).body.as_ref()?;
            let (block, k) = crate::textual::spots(Some(body)).get(at).copied()?;
            body.blocks[block as usize].insts.get(k as usize)
        }
        (nth(self.pairs.old, old, at), nth(self.pairs.new, new, at))
    }

    /// The first instructions in order of the code that are not the same.
    fn first_difference(&mut self, c: u32) -> (Option<Place>, Option<Place>) {
        let Pair { old, new } = self.pair(c);
        let (a, b) = (self.pairs.lines(Version::Old, old), self.pairs.lines(Version::New, new));
        let at = a.iter().zip(&b).position(|(x, y)| x.0 != y.0).unwrap_or(a.len().min(b.len()));
        let place = |v, f, l: &[(String, verify_ir::SpanId)]| {
            let m = self.pairs.module(v);
            let s = l.iter().skip(at).map(|x| x.1).find(|s| m.span(*s).line != 0).unwrap_or(m.func(f).span);
            self.position(v, f, s)
        };
        (place(Version::Old, old, &a), place(Version::New, new, &b))
    }
}

/// Names in a sentence, where there are too many of them the first ones.
fn quoted(names: &[String]) -> String {
    let mut shown: Vec<String> = names.iter().take(3).map(|n| format!("`{n}`")).collect();
    if names.len() > shown.len() {
        shown.push(format!("{} more", names.len() - shown.len()));
    }
    shown.join(" and ")
}

fn not(why: &str) -> State {
    State::Not { why: why.to_string(), old_at: None, new_at: None, candidate: None }
}
