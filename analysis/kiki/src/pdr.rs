//! Property-directed reachability over the heads of loops (Bradley, VMCAI 2011; over several heads: Hoder and Bjørner, SAT 2012):
//! invariants that say which combinations of numbers do not occur, as state machines need them. Templates are
//! conjunctions and cannot.
//!
//! A state is what the numbers of one loop are at its head. A cube is a conjunction of bounds of numbers; a lemma says that
//! no state of its loop is in a cube. Lemmas have levels: those of level `i` and above, the frame `i`, hold of all states
//! that are reached through at most `i` other states. A step is one lap of the formula for induction with one copy of each
//! loop: from the entry, or from states at the heads of loops whose loop-select variables are set, to a head or a
//! failure.
//!
//! - While a failure is reached from frame `N`, a state that the model begins with is a proof obligation of level `N`: it is
//!   blocked, or a state before it is an obligation of the level below.
//! - A state is blocked by a lemma, the state without what its refutation does not need.
//! - When no failure is reached any more, lemmas move up to the levels at which they hold too. A level without a lemma
//!   of its own ends the search: its frame is inductive.
//!
//! A lap may begin with states of several heads; the last before its end is taken, and another where that one is
//! reached. So what counts as reached may not be, and the search gives up: the result is inductive by the queries that were
//! answered, however they came about.

mod differences;
mod explicit;
mod words;

use crate::infer::Ask;
use explicit::States;
use std::collections::{BTreeMap, BTreeSet};
use verify_checks::CheckId;
use verify_encode::{Formula, Named};
use verify_facts::invariant::LoopInvariant;
use verify_solver::{Bv, Outcome, Pool, Sort, Term, term::Node};

/// Queries about combinations of values, and about lemmas.
const QUERIES: (u32, u32) = (700, 1_000);
/// The same before templates are tried, for programs that have a state, and for those that have flags.
const FIRST_QUERIES: (u32, u32) = (350, 400);
const FLAG_QUERIES: (u32, u32) = (120, 0);
/// Levels.
const MAX_LEVEL: usize = 60;
/// Lemmas.
const MAX_LEMMAS: usize = 600;
/// States that seem to be reached; with one head they are.
const MAX_REACHED: usize = 40;
/// Numbers that a cube needs, before no others are left out of it.
const FAILED_DROPS: u32 = 3;

/// What names a number in all copies of a loop.
type Name = [u32; 9];

/// What is looked at, in all copies of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    /// A number of the program.
    Number(Name),
    /// The first less the second, modulo their width ([`differences`]).
    Difference(Name, Name),
}

/// A bound of a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Literal {
    number: Key,
    /// It is at least the bound; otherwise at most.
    least: bool,
    bound: i128,
}

impl Literal {
    fn holds(self, v: i128) -> bool {
        if self.least { v >= self.bound } else { v <= self.bound }
    }
}

/// A conjunction.
type Cube = BTreeSet<Literal>;
/// The numbers of a state.
type State = BTreeMap<Key, i128>;

struct Lemma {
    head: usize,
    cube: Cube,
    level: usize,
    /// To be assumed: no iteration begins in the cube.
    assumed: Vec<Term>,
}

/// The head of a loop.
struct Head {
    /// Where iterations begin: when, and with what.
    begins: Vec<(Term, BTreeMap<Key, Term>)>,
    /// Control gets there, by one of these ways, and the last is the one back.
    ways: Vec<Term>,
    /// One of them is taken.
    arrives: Term,
    /// What the numbers are then.
    numbers: BTreeMap<Key, Term>,
    named: BTreeMap<Key, Named>,
    /// What is compared with.
    constants: BTreeSet<i128>,
}

/// What was found.
pub struct Found {
    /// To be assumed where the formula is asked.
    pub assumptions: Vec<Term>,
    /// The same in terms of the program, where it has words.
    pub named: Vec<LoopInvariant>,
}

enum End {
    /// Out of budget, or something is reached for all that can be said.
    GivenUp,
}

struct Search<'s> {
    ask: &'s mut dyn Ask,
    /// Holds in all that is asked.
    base: &'s [Term],
    heads: Vec<Head>,
    /// No iteration begins in the middle.
    from_entry: Vec<Term>,
    /// Holds of all states that are reached: combinations of values.
    known: Vec<Term>,
    lemmas: Vec<Lemma>,
    /// States that are reached, or seem to be.
    reached: BTreeSet<(usize, State)>,
    queries: u32,
}

/// For which programs lemmas are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sought {
    /// Those that have a number which is their state ([`explicit`]).
    States,
    /// All.
    Any,
}

/// Looks for lemmas with which no claim about the checks fails, given `base`. The formula may get other variables:
/// it is the same where what was found is assumed.
pub fn search(
    ask: &mut dyn Ask,
    formula: &mut Formula,
    base: &[Term],
    checks: &BTreeSet<CheckId>,
    sought: Sought,
) -> Option<Found> {
    let (mut heads, mut from_entry) = heads(ask.pool(), formula);
    let change = differences::add(ask.pool(), &mut heads);
    if !change.with.is_empty() {
        let claims = formula.claims.iter_mut().map(|c| &mut c.fails);
        let blockers = formula.blockers.iter_mut().map(|b| &mut b.reached);
        change.apply(ask.pool(), claims.chain(blockers).chain(&mut from_entry));
    }
    let base = &[base, &change.defined].concat();
    let bad: &Vec<Term> = &formula.claims.iter().filter(|c| checks.contains(&c.check)).map(|c| c.fails).collect();
    relevant(ask.pool(), &mut heads, bad);
    if heads.is_empty() {
        return None;
    }
    let (known, lemmas, reached) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut s = Search { ask, base, heads, from_entry, known, lemmas, reached, queries: 0 };
    let (values, most) = match (sought, s.has_states()) {
        (Sought::States, None) => return None,
        (Sought::States, Some(States::Flags)) => FLAG_QUERIES,
        (Sought::States, Some(States::Many)) => FIRST_QUERIES,
        (Sought::Any, _) => QUERIES,
    };
    s.queries = values;
    let explicit = s.explicit(bad).unwrap_or(None);
    let (mut cubes, mut safe) = (Vec::new(), false);
    if let Some(e) = explicit {
        (s.known, cubes, safe) = (e.assumed, e.cubes, e.safe);
    }
    s.queries = most;
    let level = if safe { 0 } else { s.frames(bad).ok()? };
    let kept = || s.lemmas.iter().filter(|l| l.level >= level);
    let known = change.defined.iter().chain(&s.known).copied();
    let assumptions = known.chain(kept().flat_map(|l| l.assumed.iter().copied())).collect();
    let all = cubes.iter().map(|(h, c)| (*h, c)).chain(kept().map(|l| (l.head, &l.cube)));
    let all: Vec<(usize, Cube)> = all.map(|(h, c)| (h, c.clone())).collect();
    let named = all.iter().flat_map(|(h, c)| words::rows(s.ask.pool(), &s.heads[*h], c));
    Some(Found { assumptions, named: words::by_loop(named.collect()) })
}

/// Leaves out numbers on which neither the failures depend nor whether control gets to a head, nor any number that those
/// depend on.
fn relevant(pool: &mut Pool, heads: &mut [Head], bad: &[Term]) {
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    let mut open: Vec<Term> = bad.to_vec();
    open.extend(heads.iter().map(|h| h.arrives));
    // What is free where an iteration begins with each number.
    let mut free: BTreeMap<(usize, Key), BTreeSet<Term>> = BTreeMap::new();
    for (h, head) in heads.iter().enumerate() {
        for (_, numbers) in &head.begins {
            for k in head.numbers.keys() {
                let mut below = BTreeSet::new();
                cone(pool, &mut vec![numbers[k]], &mut below);
                below.retain(|t| matches!(pool.node(*t), Node::Var(_)));
                free.entry((h, *k)).or_default().extend(below);
            }
        }
    }
    let mut kept: BTreeSet<(usize, Key)> = BTreeSet::new();
    loop {
        cone(pool, &mut open, &mut seen);
        for ((h, k), vars) in &free {
            if !kept.contains(&(*h, *k)) && vars.iter().any(|v| seen.contains(v)) {
                kept.insert((*h, *k));
                open.push(heads[*h].numbers[k]);
            }
        }
        if open.is_empty() {
            break;
        }
    }
    for (h, head) in heads.iter_mut().enumerate() {
        head.numbers.retain(|k, _| kept.contains(&(h, *k)));
    }
}

/// Adds the terms, and all that they are made of.
fn cone(pool: &Pool, open: &mut Vec<Term>, seen: &mut BTreeSet<Term>) {
    while let Some(t) = open.pop() {
        if seen.insert(t) {
            open.extend_from_slice(pool.args(t));
        }
    }
}

fn heads(pool: &mut Pool, formula: &Formula) -> (Vec<Head>, Vec<Term>) {
    let mut order: Vec<&[u32]> = Vec::new();
    for h in &formula.heads {
        if !order.contains(&h.head.as_slice()) {
            order.push(&h.head);
        }
    }
    let mut from_entry = Vec::new();
    let mut all = Vec::new();
    for key in order {
        let mine = || formula.heads.iter().filter(|h| h.head == key);
        let mut begins = Vec::new();
        let (mut named, mut constants) = (BTreeMap::new(), BTreeSet::new());
        for h in mine() {
            constants.extend(&h.constants);
            let Some(select) = h.begins else { continue };
            let here = pool.and(h.reached, select);
            begins.push((here, h.numbers.iter().map(|n| (Key::Number(n.key), n.value)).collect::<BTreeMap<_, _>>()));
            from_entry.push(pool.not(select));
            named.extend(h.numbers.iter().filter_map(|n| Some((Key::Number(n.key), n.named.clone()?))));
        }
        // A number that some copy does not have is not looked at.
        let numbers: BTreeMap<Key, u32> = match begins.first() {
            Some((_, first)) => first.iter().map(|(k, t)| (*k, pool.width(*t))).collect(),
            None => continue,
        };
        let has = |numbers: &BTreeMap<Key, Term>, pool: &Pool, k: &Key, w: u32| {
            numbers.get(k).is_some_and(|t| pool.width(*t) == w)
        };
        let numbers: BTreeMap<Key, u32> =
            numbers.into_iter().filter(|(k, w)| begins.iter().all(|(_, n)| has(n, pool, k, *w))).collect();
        let (mut ways, mut arrives) = (Vec::new(), pool.ff());
        let mut values: BTreeMap<Key, Term> = BTreeMap::new();
        for h in mine().filter(|h| h.begins.is_none()) {
            let way = pool.fresh("the way to a head", Sort::Bv(1));
            let taken = pool.and(way, h.reached);
            let here: BTreeMap<Key, Term> = h.numbers.iter().map(|n| (Key::Number(n.key), n.value)).collect();
            for (k, w) in &numbers {
                // What is not known there may be anything.
                let value = if has(&here, pool, k, *w) { here[k] } else { pool.fresh("a number", Sort::Bv(*w)) };
                let merged = values.get(k).map_or(value, |old| pool.ite(taken, value, *old));
                values.insert(*k, merged);
            }
            arrives = pool.or(arrives, taken);
            ways.push(taken);
        }
        all.push(Head { begins, ways, arrives, numbers: values, named, constants });
    }
    (all, from_entry)
}

/// A number of this width is read as a signed one; a bit is 0 or 1.
fn number(v: &Bv) -> i128 {
    let (u, w) = (v.to_u128().unwrap_or(0), v.width());
    if w == 1 { u as i128 } else { ((u << (128 - w)) as i128) >> (128 - w) }
}

fn literal(pool: &mut Pool, value: Term, l: Literal) -> Term {
    let w = pool.width(value);
    let bound = pool.num(w, l.bound as u128 & (u128::MAX >> (128 - w)));
    match (l.least, w) {
        (true, 1) => pool.ule(bound, value),
        (false, 1) => pool.ule(value, bound),
        (true, _) => pool.sle(bound, value),
        (false, _) => pool.sle(value, bound),
    }
}

impl Search<'_> {
    fn query(&mut self, conditions: &[Term], assumptions: &[Term]) -> Result<Outcome, End> {
        self.queries = self.queries.checked_sub(1).ok_or(End::GivenUp)?;
        let all: Vec<Term> = self.base.iter().chain(&self.known).chain(assumptions).copied().collect();
        match self.ask.any(conditions, &all) {
            Outcome::Unknown => Err(End::GivenUp),
            said => Ok(said),
        }
    }

    /// The frame below a level: what a lap that ends there may begin with.
    fn below(&self, level: usize) -> Vec<Term> {
        match level.checked_sub(1) {
            None => self.from_entry.clone(),
            Some(i) => self.frame(i),
        }
    }

    fn frame(&self, level: usize) -> Vec<Term> {
        self.lemmas.iter().filter(|l| l.level >= level).flat_map(|l| l.assumed.iter().copied()).collect()
    }

    /// No iteration begins in the cube.
    fn outside(&mut self, head: usize, cube: &Cube) -> Vec<Term> {
        let pool = self.ask.pool();
        let mut out = Vec::new();
        for (here, numbers) in &self.heads[head].begins {
            let mut inside = *here;
            for l in cube {
                let holds = literal(pool, numbers[&l.number], *l);
                inside = pool.and(inside, holds);
            }
            out.push(pool.not(inside));
        }
        out
    }

    /// Does control get to the head within the cube, in a lap that begins with the frame below the level, but not in
    /// the cube? If not, the literals that suffice for that.
    fn arrives(&mut self, head: usize, cube: &Cube, level: usize) -> Result<Option<Cube>, End> {
        let mut assumptions = self.below(level);
        assumptions.extend(self.outside(head, cube));
        let pool = self.ask.pool();
        let literals: Vec<(Term, Literal)> =
            cube.iter().map(|l| (literal(pool, self.heads[head].numbers[&l.number], *l), *l)).collect();
        assumptions.extend(literals.iter().map(|(t, _)| *t));
        let arrives = self.heads[head].arrives;
        match self.query(&[arrives], &assumptions)? {
            Outcome::Unsat(core) => {
                Ok(Some(literals.into_iter().filter(|(t, _)| core.contains(t)).map(|(_, l)| l).collect()))
            }
            _ => Ok(None),
        }
    }

    /// A state that the model's lap begins with, the last before its end, that is not known to be reached; `end`: the
    /// head where it ends.
    fn premise(&mut self, end: Option<usize>) -> Option<(usize, State)> {
        let mut most = self.heads.len();
        if let Some(h) = end {
            // Not the way back: nothing that comes later.
            let back = *self.heads[h].ways.last()?;
            if self.ask.value(back).is_zero() {
                most = h;
            }
        }
        for h in (0..most).rev() {
            for i in 0..self.heads[h].begins.len() {
                let here = self.heads[h].begins[i].0;
                if !self.ask.value(here).is_one() {
                    continue;
                }
                let keys: Vec<Key> = self.heads[h].numbers.keys().copied().collect();
                let state: State = keys
                    .into_iter()
                    .map(|k| {
                        let t = self.heads[h].begins[i].1[&k];
                        (k, number(&self.ask.value(t)))
                    })
                    .collect();
                if !self.reached.contains(&(h, state.clone())) {
                    return Some((h, state));
                }
            }
        }
        None
    }

    /// Numbers that lie between the same constants as those of the state, or are the same constant.
    fn alike(&self, head: usize, state: &State) -> Cube {
        let constants = &self.heads[head].constants;
        let mut cube = Cube::new();
        for (&number, &v) in state {
            let least = constants.range(..=v).next_back().map(|c| if *c == v { v } else { c + 1 });
            let most = constants.range(v..).next().map(|c| if *c == v { v } else { c - 1 });
            cube.extend(least.map(|bound| Literal { number, least: true, bound }));
            cube.extend(most.map(|bound| Literal { number, least: false, bound }));
        }
        cube
    }

    /// Blocks the state at the level, and what leads to it below.
    fn block(&mut self, head: usize, state: State, level: usize) -> Result<(), End> {
        let mut open = vec![(level, head, state)];
        while let Some((i, h, state)) = open.last().cloned() {
            let known = |l: &&Lemma| l.head == h && l.level >= i && l.cube.iter().all(|l| l.holds(state[&l.number]));
            if self.lemmas.iter().any(|l| known(&l)) {
                open.pop();
                continue;
            }
            // First all that compares alike, then the state itself.
            let mut blocked = false;
            for cube in [self.alike(h, &state), exactly(&state)] {
                if let Some(core) = self.arrives(h, &cube, i)? {
                    self.learn(h, &cube, core, i, level)?;
                    blocked = true;
                    break;
                }
            }
            if blocked {
                open.pop();
                continue;
            }
            match self.premise(Some(h)).filter(|_| i > 0) {
                Some((before, s)) => open.push((i - 1, before, s)),
                None => {
                    self.reached.insert((h, state));
                    open.pop();
                    if self.heads.len() == 1 || self.reached.len() > MAX_REACHED {
                        return Err(End::GivenUp);
                    }
                    if open.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// A lemma of as few literals as a few attempts leave, at the highest level that it holds at.
    fn learn(&mut self, h: usize, cube: &Cube, core: Cube, level: usize, most: usize) -> Result<(), End> {
        if self.lemmas.len() >= MAX_LEMMAS {
            return Err(End::GivenUp);
        }
        let mut kept = core;
        if kept.is_empty() {
            // That control never gets there is said of one number.
            kept.extend(cube.first());
        }
        let mut failed = 0;
        for k in kept.iter().map(|l| l.number).collect::<BTreeSet<Key>>() {
            let less: Cube = kept.iter().filter(|l| l.number != k).copied().collect();
            if less.is_empty() || less.len() == kept.len() || failed == FAILED_DROPS {
                continue;
            }
            match self.arrives(h, &less, level)? {
                Some(core) if core.is_empty() => kept = less,
                Some(core) => kept = core,
                None => failed += 1,
            }
        }
        let mut level = level;
        while level < most && self.arrives(h, &kept, level + 1)?.is_some() {
            level += 1;
        }
        let assumed = self.outside(h, &kept);
        self.lemmas.retain(|l| !(l.head == h && l.level <= level && implied(&kept, &l.cube)));
        self.lemmas.push(Lemma { head: h, cube: kept, level, assumed });
        Ok(())
    }

    /// The level whose frame is inductive and reaches none of `bad`.
    fn frames(&mut self, bad: &[Term]) -> Result<usize, End> {
        for top in 0..MAX_LEVEL {
            loop {
                let frame = self.frame(top);
                if matches!(self.query(bad, &frame)?, Outcome::Unsat(_)) {
                    break;
                }
                let Some((h, s)) = self.premise(None) else { return Err(End::GivenUp) };
                self.block(h, s, top)?;
            }
            for i in 0..self.lemmas.len() {
                let l = &self.lemmas[i];
                let (head, cube, level) = (l.head, l.cube.clone(), l.level);
                if level <= top && self.arrives(head, &cube, level + 1)?.is_some() {
                    self.lemmas[i].level = level + 1;
                }
            }
            if let Some(level) = (0..=top).find(|i| !self.lemmas.iter().any(|l| l.level == *i)) {
                return Ok(level);
            }
        }
        Err(End::GivenUp)
    }
}

fn exactly(state: &State) -> Cube {
    let both = |(k, v): (&Key, &i128)| [true, false].map(|least| Literal { number: *k, least, bound: *v });
    state.iter().flat_map(both).collect()
}

/// Every state of the second cube is one of the first.
fn implied(wide: &Cube, narrow: &Cube) -> bool {
    wide.iter().all(|w| {
        narrow.iter().any(|n| {
            n.number == w.number && n.least == w.least && if w.least { n.bound >= w.bound } else { n.bound <= w.bound }
        })
    })
}
