//! The product of two versions of a function (malik-2023 §6.2, Algorithms 1 and 2, with the solver in the place of
//! instruction-wise comparison): both bodies are cut at the entry and at the headers of their loops, cut points of one
//! are paired with cut points of the other (synchronisation points), and for every pair a relation between the values
//! that are live there (variable mapping) is kept that every way from pair to pair re-establishes.
//!
//! What is shown, by induction over the cut points that an execution of the old version without an error passes: the
//! new version passes the paired cut points in the same order, fails no check, calls the same unknown code with the
//! same arguments and memory, writes the same memory, and returns the same values. Loops in lock-step terminate
//! together. Nothing is concluded from what is not modelled: that is a [`Stop`] with its reason.

mod exec;
mod glimpse;
mod life;
mod look;
mod mem;
mod relate;
mod side;

pub(crate) use exec::{Version, is_private, same_machine};
pub use relate::Candidate;
pub(crate) use relate::{Cuts, Outcome, prove};

use crate::pairs::Pairs;
use exec::{Path, Shape};
use mem::{Memories, Place};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use verify_encode::Terms;
use verify_ir::{Block, FuncId};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Solver, Term};

/// Why there is no comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stop(pub String);

impl Stop {
    pub fn new(s: impl Into<String>) -> Stop {
        Stop(s.into())
    }
}

/// Work of an attempt when nothing else is said.
const WORK: u64 = 400_000;
/// Gates of an attempt when nothing else is said: some 150 MB.
const GATES: usize = 400_000;
/// Work that a conflict of the solver's budget may come to.
const PER_CONFLICT: u64 = 20;
/// Loops that come to an end when they are followed do so soon: so much less work is spent on it.
const FOLLOWED: u64 = 2;
/// What an attempt is stopped with when its work is done.
pub(crate) const SPENT: &str = "budget: the work that the function may take is used up";

/// Queries about one question, between which it is said that reads of one memory agree about each byte; and how much is
/// said each time.
const MAX_READ_ROUNDS: u32 = 12;
const MAX_READ_LEMMAS: usize = 40;
/// Reads of one memory that are looked at for that.
const MAX_READS: usize = 2000;

/// Blocks with code of their own that are looked at.
const MAX_MARKED: usize = 24;

pub(crate) type Res<T> = Result<T, Stop>;

/// What a comparison may use up; counters, never the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofBudget {
    /// Instructions walked, both versions and all attempts together.
    pub instructions: u64,
    /// Terms.
    pub terms: usize,
    /// Gates of the solver's formula, all queries of an attempt together: what bounds its memory.
    pub gates: usize,
    /// Solver conflicts per query.
    pub conflicts: u64,
    /// Queries.
    pub queries: u64,
    /// Work of an attempt, solver and all, in the unit of [`crate::compare::Options::work`].
    pub work: u64,
}

impl Default for ProofBudget {
    fn default() -> Self {
        ProofBudget { instructions: 400_000, terms: 600_000, gates: GATES, conflicts: 20_000, queries: 400, work: WORK }
    }
}

/// A place of the walk: version, function, block, instruction.
pub(crate) type At = (Version, FuncId, Block, u32);

/// Where control leaves a region.
pub(crate) struct Exit {
    /// The cut point; `None`: the function returns or the program ends.
    pub to: Option<Block>,
    pub path: Path,
    /// Arguments of the cut point, or results.
    pub values: Vec<Term>,
    /// Values known there.
    pub env: Vec<Option<Term>>,
    pub returns: bool,
}

/// Something that the new version must keep.
pub(crate) struct Checked {
    pub cond: Term,
    pub what: String,
    pub at: At,
}

/// An access of the new version through a pointer to something unknown.
pub(crate) struct Access {
    pub guard: Term,
    pub at: Term,
    pub bytes: u64,
    pub write: bool,
    pub world: Term,
    pub place: At,
}

/// A call of something opaque.
pub(crate) struct Event {
    guard: Term,
    what: String,
    args: Vec<Term>,
    world: Term,
    mem: mem::Mem,
    key: u32,
    at: At,
}

/// A free symbol that stands for what is read.
#[derive(Clone, Copy)]
struct Read {
    at: Term,
    value: Term,
    bytes: u64,
}

/// Who gets to a block with code that only one version has.
#[derive(Clone, Copy, Default, Debug)]
struct Mark {
    /// An execution of the old version without an error, or it is not known.
    good: bool,
    /// One whose only error is that arithmetic overflowed, or shifted by too much.
    overflown: bool,
}

/// Two functions in the comparison, and everything that is shared between attempts.
pub(crate) struct Product<'a> {
    pub(crate) pairs: &'a Pairs<'a>,
    pub(crate) old: FuncId,
    pub(crate) new: FuncId,
    pub(crate) budget: ProofBudget,
    pub(crate) t: Terms,
    pub(crate) mems: Memories,
    solver: Solver<Cadical>,
    asserted: usize,
    shapes: HashMap<(Version, FuncId), Rc<Shape>>,
    troubles: BTreeMap<(Version, FuncId), Option<&'static str>>,
    words: BTreeMap<String, u32>,
    /// Variables by the symbol of their address.
    constants: BTreeMap<(Version, Term), verify_ir::GlobalId>,
    event_keys: HashMap<(u32, Vec<Term>, Term, mem::Mem), u32>,
    next_event: u32,
    next_start: u32,
    /// Events of the region under comparison.
    events: Vec<Event>,
    new_events: Vec<(Term, String, At)>,
    /// Calls of the old version that only look.
    looks: Vec<look::Look>,
    occurrences: BTreeMap<(Version, Term, u32), u32>,
    inline_count: u32,
    /// Objects that the functions being looked into have made.
    made: Vec<Vec<Term>>,
    /// What the old version guarantees by having no error.
    assumed: Vec<Term>,
    /// Of these, all but that its arithmetic does not overflow and no shift is by too much.
    assumed_of_memory: Vec<Term>,
    /// Blocks with code that the other version does not have, and how they were reached in this region.
    marked: BTreeMap<(Version, Block), Mark>,
    reached: Vec<((Version, Block), Term)>,
    obliged: Vec<Checked>,
    accesses: Vec<(Term, Term, u64, bool, Term)>,
    claims: Vec<Access>,
    /// Pointers that the old version is known to access something by, and when.
    not_null: BTreeSet<(Term, Term)>,
    /// What addresses of the old version were reached from, by pointer arithmetic.
    steps_from: BTreeMap<Term, Term>,
    /// What the region starts with.
    hypotheses: Vec<Term>,
    /// Pairs of functions whose equality is relied on.
    pub(crate) deps: BTreeSet<u32>,
    /// Functions whose bodies are looked into.
    pub(crate) inline: BTreeSet<(Version, FuncId)>,
    pub(crate) queries: u64,
    /// Queries that were not decided by rewriting.
    pub(crate) real_queries: u64,
    /// Of these, those that ask about a difference.
    pub(crate) deciding_queries: u64,
    steps: u64,
    /// The solver's part of the work so far.
    solved: u64,
    place: At,
    /// A variable with a record of another layout is used: offsets in it may be folded into its address.
    pub(crate) layout_trouble: bool,
    tt: Term,
    ff: Term,
    /// Loops of both versions were paired in this attempt.
    pub(crate) paired: bool,
    /// There is another way to pair them.
    pub(crate) other_cuts: bool,
    /// Loops without a partner are unwound with the help of the solver.
    unwinding: u64,
}

impl<'a> Product<'a> {
    pub fn new(pairs: &'a Pairs<'a>, old: FuncId, new: FuncId, budget: ProofBudget) -> Product<'a> {
        let mut t = Terms::new(pairs.old.target.pointer_bits);
        t.turned_sums = true;
        let (tt, ff) = (t.pool.tt(), t.pool.ff());
        Product {
            pairs,
            old,
            new,
            budget,
            t,
            mems: Memories::default(),
            solver: Solver::with(Cadical::for_many_queries()).with_gates(budget.gates),
            asserted: 0,
            shapes: HashMap::new(),
            troubles: BTreeMap::new(),
            words: BTreeMap::new(),
            constants: BTreeMap::new(),
            event_keys: HashMap::new(),
            next_event: 0,
            next_start: 0,
            events: Vec::new(),
            new_events: Vec::new(),
            looks: Vec::new(),
            occurrences: BTreeMap::new(),
            inline_count: 0,
            made: Vec::new(),
            assumed: Vec::new(),
            assumed_of_memory: Vec::new(),
            marked: BTreeMap::new(),
            reached: Vec::new(),
            obliged: Vec::new(),
            accesses: Vec::new(),
            claims: Vec::new(),
            not_null: BTreeSet::new(),
            steps_from: BTreeMap::new(),
            hypotheses: Vec::new(),
            deps: BTreeSet::new(),
            inline: BTreeSet::new(),
            queries: 0,
            real_queries: 0,
            deciding_queries: 0,
            steps: 0,
            solved: 0,
            place: (Version::Old, old, Block(0), 0),
            layout_trouble: false,
            tt,
            ff,
            paired: false,
            other_cuts: false,
            unwinding: 0,
        }
    }

    /// Begins a region: nothing was executed yet.
    fn clear(&mut self) {
        self.events.clear();
        self.new_events.clear();
        self.looks.clear();
        self.occurrences.clear();
        self.assumed.clear();
        self.assumed_of_memory.clear();
        self.reached.clear();
        self.obliged.clear();
        self.accesses.clear();
        self.claims.clear();
        self.not_null.clear();
        self.steps_from.clear();
        self.hypotheses.clear();
    }

    fn word(&mut self, s: &str) -> u32 {
        let n = self.words.len() as u32;
        *self.words.entry(s.to_string()).or_insert(n)
    }

    /// Marks the blocks with code that the other version does not have.
    fn mark(&mut self) {
        let (x, y) = ((Version::Old, self.old), (Version::New, self.new));
        for (a, b) in [(x, y), (y, x)] {
            for (block, _) in crate::textual::differing(self.pairs, a, b) {
                self.marked.insert((b.0, Block(block)), Mark::default());
            }
        }
        if self.marked.len() > MAX_MARKED {
            self.marked.clear();
        }
    }

    /// Looks who gets to the marked blocks of a region.
    fn look_at_marks(&mut self) {
        if self.assumed.len() == self.assumed_of_memory.len() {
            // Arithmetic is not in question.
            for (b, _) in &self.reached {
                if let Some(m) = self.marked.get_mut(b) {
                    m.good = true;
                }
            }
            return;
        }
        for (b, guard) in self.reached.clone() {
            let Some(mut m) = self.marked.get(&b).copied().filter(|m| !m.good) else { continue };
            m.good = self.satisfiable(&[guard]) != Some(false);
            if !m.good && !m.overflown {
                let whole = std::mem::take(&mut self.assumed);
                self.assumed = self.assumed_of_memory.clone();
                m.overflown = self.satisfiable(&[guard]) != Some(false);
                self.assumed = whole;
            }
            self.marked.insert(b, m);
        }
    }

    /// What only one version has runs only after an overflow of the old one, or a shift by too much: that says nothing
    /// about machines, where both have a result.
    fn only_overflown(&self) -> bool {
        self.marked.values().any(|m| m.overflown && !m.good)
    }

    /// Is there a model of the hypotheses, the old version's guarantees and `c`? `None`: not decided.
    fn satisfiable(&mut self, c: &[Term]) -> Option<bool> {
        let mut all: Vec<Term> = Vec::new();
        for t in self.hypotheses.iter().chain(&self.assumed).chain(c) {
            if *t == self.ff {
                return Some(false);
            }
            if *t != self.tt {
                all.push(*t);
            }
        }
        // Contradictions that rewriting sees.
        let one = self.t.pool.and_all(c.iter().copied());
        if one == self.ff {
            return Some(false);
        }
        self.real_queries += 1;
        self.deciding_queries += u64::from(!c.is_empty());
        let mut read = None;
        for _ in 0..MAX_READ_ROUNDS {
            let answer = self.ask(&all);
            if answer != Some(true) {
                return answer;
            }
            let read = read.get_or_insert_with(|| self.reads_of(&all));
            let lemmas = self.reads_apart(read);
            if lemmas.is_empty() {
                return answer;
            }
            self.t.axioms.extend(lemmas);
        }
        self.ask(&all)
    }

    /// The free symbols of reads that a query is made of, those of one memory together.
    fn reads_of(&self, query: &[Term]) -> Vec<Vec<Read>> {
        let mut seen: HashSet<Term> = HashSet::new();
        let mut todo = query.to_vec();
        while let Some(t) = todo.pop() {
            if seen.insert(t) {
                todo.extend(self.t.pool.args(t));
            }
        }
        let mut all: BTreeMap<(u32, u32), Vec<Read>> = BTreeMap::new();
        for ((kind, n, bytes), list) in &self.mems.free {
            let used = list.iter().filter(|(_, v)| seen.contains(v));
            let used = used.map(|(at, value)| Read { at: *at, value: *value, bytes: *bytes });
            all.entry((*kind, *n)).or_default().extend(used);
        }
        all.into_values().filter(|l| l.len() > 1).collect()
    }

    /// Reads of one memory that give other values for a byte, in the model of the last query: what must hold of them.
    fn reads_apart(&mut self, read: &[Vec<Read>]) -> Vec<Term> {
        let mut out = Vec::new();
        for list in read {
            let mut met: Vec<(u64, Read, verify_solver::Bv)> = Vec::new();
            for r in list.iter().take(MAX_READS) {
                let at = self.solver.value(&self.t.pool, r.at).to_u64();
                let x = self.solver.value(&self.t.pool, r.value);
                let Some(at) = at else { continue };
                for (a, q, y) in &met {
                    // The one that begins first, or where the other one does; addresses may wrap in a model.
                    let ((first, u), (second, v), by) = if at.wrapping_sub(*a) < q.bytes {
                        ((q, y), (r, &x), at.wrapping_sub(*a))
                    } else if a.wrapping_sub(at) < r.bytes {
                        ((r, &x), (q, y), a.wrapping_sub(at))
                    } else {
                        continue;
                    };
                    let shared = second.bytes.min(first.bytes - by);
                    let (low, high) = ((8 * by) as u32, (8 * (by + shared)) as u32 - 1);
                    let last = (8 * shared) as u32 - 1;
                    if u.extract(high, low) == v.extract(last, 0) {
                        continue;
                    }
                    let step = self.t.pool.num(self.t.ptr_bits, u128::from(by));
                    let there = self.t.pool.add(first.at, step);
                    let here = self.t.pool.eq(second.at, there);
                    let v = self.t.pool.extract(first.value, high, low);
                    let w = self.t.pool.extract(second.value, last, 0);
                    let same = self.t.pool.eq(v, w);
                    out.push(self.t.pool.implies(here, same));
                    if out.len() >= MAX_READ_LEMMAS {
                        return out;
                    }
                }
                met.push((at, *r, x));
            }
        }
        out
    }

    fn ask(&mut self, all: &[Term]) -> Option<bool> {
        self.queries += 1;
        if self.queries > self.budget.queries || self.spent() {
            return None;
        }
        while self.asserted < self.t.axioms.len() {
            let a = self.t.axioms[self.asserted];
            self.solver.assert(&self.t.pool, a);
            self.asserted += 1;
        }
        // No query may take much more than what is left.
        let left = (self.budget.work - self.work().min(self.budget.work)) / PER_CONFLICT;
        let conflicts = self.budget.conflicts.min(left.max(1));
        let answer = match self.solver.check(&mut self.t.pool, all, Some(conflicts)) {
            verify_solver::Outcome::Sat => Some(true),
            verify_solver::Outcome::Unsat(_) => Some(false),
            verify_solver::Outcome::Unknown => None,
        };
        let done = self.solver.statistics();
        self.solved = done.ticks / 1000 + done.clauses / 50 + done.conflicts / 5;
        answer
    }

    /// What this attempt has cost so far.
    pub(crate) fn work(&self) -> u64 {
        self.solved + (self.steps + self.t.pool.len() as u64) / 50
    }

    /// No more work may be done.
    fn spent(&self) -> bool {
        self.work() > self.budget.work
    }

    /// May an execution get here? Asked for loops that are unwound.
    fn possible(&mut self, guard: Term) -> Res<bool> {
        if guard == self.ff {
            return Ok(false);
        }
        if guard == self.tt {
            return Ok(true);
        }
        if self.spent() {
            return Err(Stop::new(SPENT));
        }
        self.unwinding += 1;
        Ok(self.satisfiable(&[guard]) != Some(false))
    }

    fn spent_unwinding(&self) -> bool {
        self.unwinding > 64
    }

    /// A call of something opaque: equal histories give equal results.
    fn event(
        &mut self,
        version: Version,
        path: &mut Path,
        what: &str,
        args: &[Term],
        widths: &[u32],
        writes: bool,
    ) -> Res<Vec<Term>> {
        let word = self.word(what);
        let id = (word, args.to_vec(), path.world, path.mem);
        let known = self.event_keys.get(&id).copied();
        if known.is_none()
            && version == Version::New
            && let Some(parts) = self.pieces(path, what, args)?
        {
            return Ok(self.several(path, what, &parts, widths, writes));
        }
        let key = match known {
            Some(k) => k,
            None => {
                self.next_event += 1;
                self.event_keys.insert(id, self.next_event);
                self.next_event
            }
        };
        let at = self.place;
        if version == Version::Old {
            let (guard, world, mem) = (path.guard, path.world, path.mem);
            self.events.push(Event { guard, what: what.into(), args: args.to_vec(), world, mem, key, at });
        } else {
            self.new_events.push((path.guard, what.to_string(), at));
        }
        path.world = self.t.symbol(&[720, key], verify_solver::Sort::Bv(64));
        if writes {
            path.mem = self.mems.node(mem::Node::Havoc { prev: path.mem, key });
        }
        Ok(widths
            .iter()
            .enumerate()
            .map(|(i, w)| self.t.symbol(&[721, key, i as u32, *w], verify_solver::Sort::Bv(*w)))
            .collect())
    }

    /// Events of the old version that are shown to be what this one of the new version is: one of them, or, where the
    /// old version calls on several paths, each on its own.
    fn pieces(&mut self, path: &Path, what: &str, args: &[Term]) -> Res<Option<Vec<(Term, u32)>>> {
        let candidates: Vec<usize> = (0..self.events.len())
            .filter(|i| self.events[*i].what == what && self.events[*i].args.len() == args.len())
            .collect();
        let (mut parts, mut covered) = (Vec::new(), self.ff);
        for i in candidates.into_iter().take(8) {
            let (guard, world, mem) = (self.events[i].guard, self.events[i].world, self.events[i].mem);
            let theirs = self.events[i].args.clone();
            let mut same = self.t.pool.eq(path.world, world);
            if args.iter().zip(&theirs).any(|(a, b)| self.t.pool.width(*a) != self.t.pool.width(*b)) {
                continue;
            }
            for (a, b) in args.iter().zip(&theirs) {
                let e = self.t.pool.eq(*a, *b);
                same = self.t.pool.and(same, e);
            }
            // What unknown code cannot see need not agree.
            let m = self.mems.equal(&mut self.t, path.mem, mem, &|p: &Place| p.private);
            same = self.t.pool.and(same, m);
            let differs = self.t.pool.not(same);
            let both = self.t.pool.and(path.guard, guard);
            let c = self.t.pool.and(both, differs);
            if both == self.ff || !(c == self.ff || self.satisfiable(&[c]) == Some(false)) {
                continue;
            }
            parts.push((guard, self.events[i].key));
            covered = self.t.pool.or(covered, guard);
            let uncovered = self.t.pool.not(covered);
            let rest = self.t.pool.and(path.guard, uncovered);
            if rest == self.ff || self.satisfiable(&[rest]) == Some(false) {
                return Ok(Some(parts));
            }
        }
        Ok(None)
    }

    /// The call that is, depending on the path, one of several of the old version.
    fn several(
        &mut self,
        path: &mut Path,
        what: &str,
        parts: &[(Term, u32)],
        widths: &[u32],
        writes: bool,
    ) -> Vec<Term> {
        let at = self.place;
        self.new_events.push((path.guard, what.to_string(), at));
        let prev = path.mem;
        let bv = verify_solver::Sort::Bv;
        let mut out: Option<(Term, mem::Mem, Vec<Term>)> = None;
        for (guard, key) in parts {
            let world = self.t.symbol(&[720, *key], bv(64));
            let mem = if writes { self.mems.node(mem::Node::Havoc { prev, key: *key }) } else { prev };
            let values: Vec<Term> =
                widths.iter().enumerate().map(|(i, w)| self.t.symbol(&[721, *key, i as u32, *w], bv(*w))).collect();
            out = Some(match out {
                None => (world, mem, values),
                Some((w, m, v)) => (
                    self.t.pool.ite(*guard, world, w),
                    self.mems.ite(*guard, mem, m),
                    values.iter().zip(&v).map(|(x, y)| self.t.pool.ite(*guard, *x, *y)).collect(),
                ),
            });
        }
        let Some((world, mem, values)) = out else { return Vec::new() };
        path.world = world;
        path.mem = mem;
        values
    }

    fn occurrence(&mut self, version: Version, at: Term, purpose: u32) -> u32 {
        let n = self.occurrences.entry((version, at, purpose)).or_insert(0);
        *n += 1;
        *n
    }
}

impl Product<'_> {
    /// Either function has a loop.
    fn has_loops(&mut self) -> bool {
        let (old, new) = (self.old, self.new);
        [(Version::Old, old), (Version::New, new)].iter().any(|(v, f)| !self.shape(*v, *f).loops.loops.is_empty())
    }
}
