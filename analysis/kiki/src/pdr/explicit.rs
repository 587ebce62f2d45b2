//! Explicit-value reachability over the heads of loops (Beyer and Löwe, FASE 2013), a step being a whole lap (large-block
//! encoding: Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, FMCAD 2009): which combinations of values do the few
//! numbers have that are states, flags and phases of a program?
//!
//! The set of combinations of each head is the least that contains those of the entry and is closed under laps:
//! models of "a lap begins in the sets, and ends outside" are added until there is none. A number that turns out to have
//! other values than the constants that the program gives it is anything in such a combination; one with too many
//! constants is not looked at from then on, and where there are too many combinations, neither is the one that depends least on
//! the others. What is found holds by the last query, which is unsatisfiable for every head; property-directed
//! search goes on from there.

use super::{Cube, End, Key, Literal, MAX_LEMMAS, Search, number};
use std::collections::{BTreeMap, BTreeSet};
use verify_solver::term::Node;
use verify_solver::{Op, Outcome, Pool, Term};

/// Combinations of one head.
const MAX_TUPLES: usize = 250;
/// Values of a number.
const MAX_VALUES: usize = 64;
/// Values of a number that the program does not give it; a difference is given none.
const MAX_OTHERS: usize = 4;
const MAX_DIFFERENT: usize = 24;

/// Constants that make a number a state.
const STATES: usize = 4;
/// Numbers with two constants that are as good as that.
const FLAGS: usize = 3;

/// Values of the numbers; [`None`]: any.
type Tuple = Vec<Option<i128>>;

/// The combinations of one head.
#[derive(Clone, Default)]
struct Tuples {
    keys: Vec<Key>,
    seen: BTreeSet<Tuple>,
    /// By number, those that it has.
    values: BTreeMap<Key, BTreeSet<i128>>,
    /// By number, those that the program gives it.
    given: BTreeMap<Key, BTreeSet<i128>>,
    /// Numbers that are anything where they are not what the program gives them.
    loose: BTreeSet<Key>,
}

/// Every combination of the second is one of the first.
fn covers(wide: &Tuple, narrow: &Tuple) -> bool {
    wide.iter().zip(narrow).all(|(w, n)| w.is_none() || w == n)
}

impl Tuples {
    /// Nothing is known.
    fn is_top(&self) -> bool {
        self.keys.is_empty()
    }

    fn without(&self, i: usize) -> Tuples {
        let mut new = Tuples { seen: BTreeSet::new(), ..self.clone() };
        new.keys.remove(i);
        for t in &self.seen {
            let mut t = t.clone();
            t.remove(i);
            new.insert(t);
        }
        new
    }

    fn insert(&mut self, t: Tuple) {
        if !self.seen.iter().any(|s| covers(s, &t)) {
            self.seen.retain(|s| !covers(&t, s));
            self.seen.insert(t);
        }
    }

    /// One more; what has too many values goes.
    fn add(&mut self, values: &[i128]) {
        let mut looser = false;
        for (k, v) in self.keys.iter().zip(values) {
            let all = self.values.entry(*k).or_default();
            all.insert(*v);
            let most = if matches!(k, Key::Number(_)) { MAX_OTHERS } else { MAX_DIFFERENT };
            if all.difference(&self.given[k]).count() > most {
                looser |= self.loose.insert(*k);
            }
        }
        let seen = values.iter().map(|v| Some(*v)).collect();
        self.insert(self.loosened(seen));
        if looser {
            for t in std::mem::take(&mut self.seen) {
                self.insert(self.loosened(t));
            }
        }
        for i in (0..self.keys.len()).rev() {
            if self.values[&self.keys[i]].len() > MAX_VALUES && !self.loose.contains(&self.keys[i]) {
                *self = self.without(i);
            }
        }
        while self.seen.len() > MAX_TUPLES {
            let freest = (0..self.keys.len()).max_by(|a, b| self.freedom(*a).total_cmp(&self.freedom(*b)));
            let Some(i) = freest else { break };
            *self = self.without(i);
        }
    }

    fn loosened(&self, t: Tuple) -> Tuple {
        let one = |(k, v): (&Key, Option<i128>)| v.filter(|v| !self.loose.contains(k) || self.given[k].contains(v));
        self.keys.iter().zip(t).map(one).collect()
    }

    /// How many of its values each combination of the others has, on a scale of logarithms from 0 to 1.
    fn freedom(&self, i: usize) -> f64 {
        let values = self.seen.iter().map(|t| t[i]).collect::<BTreeSet<_>>().len();
        let ratio = self.seen.len() as f64 / self.without(i).seen.len().max(1) as f64;
        if values < 2 { 0.0 } else { ratio.ln() / (values as f64).ln() }
    }

    /// Cubes that together have all other combinations; [`None`]: there are more than so many.
    fn complement(&self, widths: &BTreeMap<Key, u32>, most: usize) -> Option<Vec<Cube>> {
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_by_key(|i| self.seen.iter().filter(|t| t[*i].is_none()).count());
        let mut out = Vec::new();
        let all: Vec<&Tuple> = self.seen.iter().collect();
        self.gaps(&all, &order, &Cube::new(), widths, most, &mut out).then_some(out)
    }

    /// The same among those in a cube, where these are all that there are, by the values of the numbers that are left.
    fn gaps(
        &self,
        all: &[&Tuple],
        order: &[usize],
        cube: &Cube,
        widths: &BTreeMap<Key, u32>,
        most: usize,
        out: &mut Vec<Cube>,
    ) -> bool {
        // A head that is never reached is said to be so by bounds of a number.
        if all.is_empty() && !cube.is_empty() {
            out.push(cube.clone());
            return out.len() <= most;
        }
        let Some((&i, rest)) = order.split_first() else { return true };
        let key = self.keys[i];
        let (first, last) = match widths.get(&key) {
            Some(1) => (0, 1),
            Some(w) => (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1),
            None => return false,
        };
        let mut within = |lo: i128, hi: i128, these: &[&Tuple]| {
            let mut cube = cube.clone();
            if lo > first || self.seen.is_empty() {
                cube.insert(Literal { number: key, least: true, bound: lo });
            }
            if hi < last {
                cube.insert(Literal { number: key, least: false, bound: hi });
            }
            lo > hi || self.gaps(these, rest, &cube, widths, most, out)
        };
        let any: Vec<&Tuple> = all.iter().copied().filter(|t| t[i].is_none()).collect();
        let values: BTreeSet<i128> = all.iter().filter_map(|t| t[i]).collect();
        let mut next = first;
        for v in values {
            let here: Vec<&Tuple> = all.iter().copied().filter(|t| t[i].is_none_or(|x| x == v)).collect();
            if !within(next, v - 1, &any) || !within(v, v, &here) {
                return false;
            }
            next = v + 1;
        }
        within(next, last, &any)
    }
}

/// Constants that a number gets, and what it gets them from, at an end of a choice.
fn given(pool: &Pool, value: Term, constants: &mut BTreeSet<i128>, from: &mut BTreeSet<Term>) {
    let (mut open, mut been) = (vec![value], BTreeSet::new());
    while let Some(t) = open.pop() {
        if !been.insert(t) {
            continue;
        }
        match pool.node(t) {
            Node::Const(v) => {
                constants.insert(number(v));
            }
            Node::App(Op::Ite, a) => open.extend([a[1], a[2]]),
            // A condition as a number.
            Node::App(_, a) if pool.width(t) == 1 || matches!(a[..], [b] if pool.width(b) == 1) => {
                constants.extend([0, 1]);
            }
            _ => {
                from.insert(t);
            }
        }
    }
}

impl Search<'_> {
    /// Has some number what a program would call its state, or phase: is it given several constants? Or are there
    /// several flags?
    pub(super) fn has_states(&mut self) -> Option<States> {
        let states = self.states();
        let given = || states.iter().flat_map(|t| &t.given).filter(|(k, _)| matches!(k, Key::Number(_)));
        let many = |least: usize| given().filter(|(_, c)| c.len() >= least).count();
        match (many(STATES), many(2) >= FLAGS) {
            (0, false) => None,
            (0, true) => Some(States::Flags),
            _ => Some(States::Many),
        }
    }

    /// Looks for the combinations; what was found, if none of `bad` is reached with it, in as few numbers as do.
    /// [`None`]: nothing was learnt.
    pub(super) fn explicit(&mut self, bad: &[Term]) -> Result<Option<Explicit>, End> {
        let mut tables = self.states();
        if self.has_states().is_none() {
            tables.iter_mut().for_each(|t| t.keys.retain(|k| matches!(k, Key::Number(_))));
        }
        loop {
            let mut news = false;
            for h in 0..tables.len() {
                while !tables[h].is_top() {
                    match self.leaves(&tables, h)? {
                        None => break,
                        Some(values) => tables[h].add(&values),
                    }
                    news = true;
                }
            }
            if !news {
                break;
            }
        }
        if tables.iter().all(Tuples::is_top) {
            return Ok(None);
        }
        let safe = self.keeps_out(&tables, bad)?;
        if safe {
            // Numbers that it does not need: those without words first.
            for h in 0..tables.len() {
                let mut keys = tables[h].keys.clone();
                keys.sort_by_key(|k| self.heads[h].named.contains_key(k));
                for k in keys {
                    let Some(i) = tables[h].keys.iter().position(|x| *x == k) else { continue };
                    let mut less = tables.clone();
                    less[h] = less[h].without(i);
                    // Without an answer, all that are left stay.
                    if self.keeps_out(&less, bad).unwrap_or(false) && self.is_closed(&less).unwrap_or(false) {
                        tables = less;
                    }
                }
            }
        }
        let mut assumed = Vec::new();
        let mut cubes = Vec::new();
        for (h, t) in tables.iter().enumerate().filter(|(_, t)| !t.is_top()) {
            assumed.extend(self.begins_within(h, t));
            let widths = self.heads[h].numbers.iter().map(|(k, n)| (*k, self.ask.pool().width(*n))).collect();
            let Some(all) = t.complement(&widths, MAX_LEMMAS) else { return Ok(None) };
            cubes.extend(all.into_iter().map(|c| (h, c)));
        }
        if cubes.len() > MAX_LEMMAS {
            return Ok(None);
        }
        Ok(Some(Explicit { assumed, cubes, safe }))
    }

    /// For each head, the numbers that are given constants, also by way of each other.
    fn states(&mut self) -> Vec<Tuples> {
        let pool = self.ask.pool();
        let mut begins: BTreeMap<Term, BTreeSet<(usize, Key)>> = BTreeMap::new();
        let mut all: BTreeMap<(usize, Key), (BTreeSet<i128>, BTreeSet<Term>)> = BTreeMap::new();
        for (h, head) in self.heads.iter().enumerate() {
            for (k, value) in &head.numbers {
                for (_, numbers) in &head.begins {
                    begins.entry(numbers[k]).or_default().insert((h, *k));
                }
                let (constants, from) = all.entry((h, *k)).or_default();
                given(pool, *value, constants, from);
            }
        }
        loop {
            let mut news = Vec::new();
            for (to, (constants, from)) in &all {
                let sources = from.iter().filter_map(|t| begins.get(t)).flatten();
                let values: BTreeSet<i128> =
                    sources.flat_map(|s| &all[s].0).filter(|v| !constants.contains(v)).copied().collect();
                if !values.is_empty() {
                    news.push((*to, values));
                }
            }
            if news.is_empty() {
                break;
            }
            for (to, values) in news {
                all.get_mut(&to).into_iter().for_each(|a| a.0.extend(&values));
            }
        }
        let mut tables = vec![Tuples::default(); self.heads.len()];
        for ((h, k), (constants, _)) in all {
            if !constants.is_empty() || matches!(k, Key::Difference(..)) {
                tables[h].keys.push(k);
                tables[h].given.insert(k, constants);
            }
        }
        tables
    }

    fn is_closed(&mut self, tables: &[Tuples]) -> Result<bool, End> {
        for h in 0..tables.len() {
            if !tables[h].is_top() && self.leaves(tables, h)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// No failure is reached from the combinations.
    fn keeps_out(&mut self, tables: &[Tuples], bad: &[Term]) -> Result<bool, End> {
        let within: Vec<Term> = (0..tables.len()).flat_map(|h| self.begins_within(h, &tables[h])).collect();
        Ok(matches!(self.query(bad, &within)?, Outcome::Unsat(_)))
    }

    /// A combination at the head that is none of the table's, after a lap that began with one of each.
    fn leaves(&mut self, tables: &[Tuples], h: usize) -> Result<Option<Vec<i128>>, End> {
        let mut assumptions: Vec<Term> = (0..tables.len()).flat_map(|g| self.begins_within(g, &tables[g])).collect();
        let numbers = self.heads[h].numbers.clone();
        let within = self.within(&tables[h], &numbers);
        assumptions.push(self.ask.pool().not(within));
        let arrives = self.heads[h].arrives;
        if matches!(self.query(&[arrives], &assumptions)?, Outcome::Unsat(_)) {
            return Ok(None);
        }
        Ok(Some(tables[h].keys.iter().map(|k| number(&self.ask.value(numbers[k]))).collect()))
    }

    /// An iteration begins with one of the combinations, if it begins there.
    fn begins_within(&mut self, h: usize, table: &Tuples) -> Vec<Term> {
        if table.is_top() {
            return Vec::new();
        }
        let begins = self.heads[h].begins.clone();
        let inside = |(here, numbers): (Term, BTreeMap<Key, Term>)| {
            let within = self.within(table, &numbers);
            let pool = self.ask.pool();
            let not = pool.not(here);
            pool.or(not, within)
        };
        begins.into_iter().map(inside).collect()
    }

    fn within(&mut self, table: &Tuples, numbers: &BTreeMap<Key, Term>) -> Term {
        let pool = self.ask.pool();
        let mut any = pool.ff();
        for t in &table.seen {
            let mut all = pool.tt();
            for (k, v) in table.keys.iter().zip(t) {
                let (n, Some(v)) = (numbers[k], v) else { continue };
                let w = pool.width(n);
                let value = pool.num(w, *v as u128 & (u128::MAX >> (128 - w)));
                let same = pool.eq(n, value);
                all = pool.and(all, same);
            }
            any = pool.or(any, all);
        }
        any
    }
}

/// What a program has for states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum States {
    /// Numbers with two or three values.
    Flags,
    /// A number with more.
    Many,
}

/// What was found.
pub struct Explicit {
    /// To be assumed: iterations begin with the combinations.
    pub assumed: Vec<Term>,
    /// The same as cubes in which no iteration begins, by head.
    pub cubes: Vec<(usize, Cube)>,
    /// None of the failures is reached.
    pub safe: bool,
}
