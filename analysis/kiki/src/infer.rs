//! Parameters of the templates at the heads of loops such that the rows are k-inductive (brain-2015 §3.2-3.4).
//!
//! Upwards from the bottom: is the candidate inductive (equation 13)? If not, the rows that the model breaks are
//! raised to what they are in the model; a row that was raised a few times this way is raised at once to the least likely
//! parameter that it keeps to by itself, or else as far as it can go by its own strength: the greatest parameter such that an iteration that keeps to it attains it, found by binary
//! search with the other rows fixed (equation 14, one row at a time instead of the sum over all). Rows that still do
//! not settle, or whose search is over budget, get the top parameter: they say nothing. The result is inductive by the
//! last query, however it was found.

use std::collections::BTreeMap;
use verify_encode::{Formula, Relation};
use verify_facts::invariant::{LoopInvariant, Part, Row};
use verify_ir::{Block, FuncId, Loc};
use verify_solver::{Bv, Outcome, Pool, Term};

/// Times that a row is raised to a model's value.
const MODELS: u32 = 3;
/// Times that a row is raised at all.
const RAISES: u32 = 6;

/// What inference asks; the last answer's model gives values of terms.
pub trait Ask {
    /// Is there a model of one of the conditions in which all assumptions hold?
    fn any(&mut self, conditions: &[Term], assumptions: &[Term]) -> Outcome;
    /// From now on, questions are worth more work than others, or not: what they are about is probably so.
    fn insist(&mut self, _yes: bool) {}
    /// The value of a term in the model.
    fn value(&mut self, t: Term) -> Bv;
    /// Terms.
    fn pool(&mut self) -> &mut Pool;
}

/// A row that says something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// Index in [`Formula::rows`].
    pub row: usize,
    /// Its parameter.
    pub at_most: i128,
}

/// What was found.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// Rows.
    pub bounds: Vec<Bound>,
    /// Every parameter fixed to its value: to be assumed where the formula is asked.
    pub assumptions: Vec<Term>,
}

/// Which rows are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// Pointers and the sizes of their objects only.
    Rooms,
    /// Equalities only.
    Equalities,
    /// All.
    All,
}

/// Infers; `queries` bounds their number. [`None`]: out of budget.
pub fn infer(ask: &mut dyn Ask, formula: &Formula, pass: Pass, queries: u32) -> Option<Invariant> {
    let mut w = Work::new(ask, formula, queries);
    for (at, row) in w.at.iter_mut().zip(&formula.rows) {
        let asked = match pass {
            Pass::Rooms => row.relation == Relation::Room,
            Pass::Equalities => row.relation == Relation::Equal,
            Pass::All => true,
        };
        if !asked {
            *at = row.top();
        } else if let Relation::AtMostFrom(d) = row.relation {
            *at = d.clamp(row.bottom(), row.most);
        }
    }
    w.rise()?;
    // Rows about elements break first while the bounds of the index are still on their way up.
    let elements: Vec<usize> = (0..w.at.len()).filter(|r| formula.rows[*r].elements).collect();
    if pass == Pass::All && elements.iter().all(|r| w.at[*r] == formula.rows[*r].top()) {
        for &r in &elements {
            (w.at[r], w.raised[r]) = (formula.rows[r].bottom(), 0);
        }
        if !elements.is_empty() {
            w.rise()?;
        }
    }
    Some(w.found())
}

/// Adds suggested rows to an invariant: parameters by their terms. What is there already stays; what is suggested and not
/// inductive goes.
pub fn extend(ask: &mut dyn Ask, formula: &Formula, known: &BTreeMap<Term, i128>, queries: u32) -> Option<Invariant> {
    let mut w = Work::new(ask, formula, queries);
    for (at, row) in w.at.iter_mut().zip(&formula.rows) {
        *at = match (known.get(&row.bound), row.relation) {
            (Some(d), _) => *d,
            (None, Relation::AtMostFrom(d)) => d.clamp(row.bottom(), row.most),
            (None, Relation::Equal) if row.suggested => row.bottom(),
            (None, Relation::Rest(..)) => 0,
            _ => row.top(),
        };
    }
    w.rise()?;
    let more = formula.rows.iter().zip(&w.at).any(|(r, at)| r.suggested && *at != r.top());
    more.then(|| w.found())
}

/// Passes of [`tighten`].
const PASSES: u32 = 3;

/// Lowers the parameters to what an iteration that keeps to all rows attains, a few times: what is inductive stays so on
/// the way down (decreasing iterations: Cousot and Cousot, POPL 1977). Whatever is over budget stays as it was.
pub fn tighten(ask: &mut dyn Ask, formula: &Formula, found: Invariant, queries: u32) -> Invariant {
    let mut best = found;
    let mut w = Work::new(ask, formula, queries);
    for _ in 0..PASSES {
        for (i, row) in formula.rows.iter().enumerate() {
            w.at[i] = best.bounds.iter().find(|b| b.row == i).map_or(row.top(), |b| b.at_most);
        }
        let Some(lower) = w.attained_all() else { break };
        let changed = lower != w.at;
        w.at = lower;
        // The last word is the question whether it is inductive.
        if !changed || !w.broken().is_some_and(|b| b.is_empty()) {
            break;
        }
        let assumptions = w.fixed(None);
        for b in &mut best.bounds {
            b.at_most = w.at[b.row];
        }
        best.assumptions = assumptions;
    }
    best
}

/// A loop: how its function is called, the function, its head.
type Head = (Vec<(FuncId, Loc)>, FuncId, Block);

/// Bounds in terms of the program, by loop and how its function was called. Copies of a loop share what is said of it:
/// of rows of one expression the weakest parameter counts, and none when it was not found for some copy.
pub fn named(formula: &Formula, bounds: &[Bound]) -> Vec<LoopInvariant> {
    let found: BTreeMap<usize, i128> = bounds.iter().map(|b| (b.row, b.at_most)).collect();
    let mut all: BTreeMap<Head, BTreeMap<Vec<Part>, Option<i128>>> = BTreeMap::new();
    for (i, row) in formula.rows.iter().enumerate() {
        let Some(n) = &row.named else { continue };
        let here = all.entry((n.calls.clone(), n.func, n.header)).or_default();
        let at_most = found.get(&i).copied();
        let old = here.entry(n.parts.clone()).or_insert(at_most);
        *old = old.zip(at_most).map(|(a, b)| a.max(b));
    }
    let row = |(parts, at_most): (Vec<Part>, Option<i128>)| Some(Row { parts, at_most: at_most?, or: Vec::new() });
    all.into_iter()
        .map(|((calls, func, header), rows)| LoopInvariant {
            calls: Some(calls),
            func,
            header,
            rows: rows.into_iter().filter_map(row).collect(),
        })
        .filter(|i| !i.rows.is_empty())
        .collect()
}

struct Work<'w> {
    ask: &'w mut dyn Ask,
    formula: &'w Formula,
    /// Parameters.
    at: Vec<i128>,
    raised: Vec<u32>,
    /// By row: where it is not kept to, for the parameter as a symbol, and its value.
    breaks: Vec<Vec<(Term, Option<Term>)>>,
    /// By row: where it is attained.
    attained: Vec<Vec<Term>>,
    queries: u32,
}

impl<'w> Work<'w> {
    fn new(ask: &'w mut dyn Ask, formula: &'w Formula, queries: u32) -> Work<'w> {
        let n = formula.rows.len();
        let mut w = Work {
            ask,
            formula,
            at: formula.rows.iter().map(verify_encode::Row::bottom).collect(),
            raised: vec![0; n],
            breaks: vec![Vec::new(); n],
            attained: vec![Vec::new(); n],
            queries,
        };
        for v in &formula.visits {
            let row = &formula.rows[v.row];
            let pool = w.ask.pool();
            match v.value {
                Some((e, kept)) => {
                    let broken = pool.not(kept);
                    let bad = pool.and(v.reached, broken);
                    w.breaks[v.row].push((bad, Some(e)));
                    let enough = pool.sle(row.bound, e);
                    let attained = pool.and(v.reached, enough);
                    w.attained[v.row].push(attained);
                }
                None => {
                    let top = number(pool, row.width, row.top());
                    let is = pool.eq(row.bound, top);
                    let not = pool.not(is);
                    let bad = pool.and(v.reached, not);
                    w.breaks[v.row].push((bad, None));
                }
            }
        }
        w
    }

    /// Raises the parameters until all rows are kept to.
    fn rise(&mut self) -> Option<()> {
        loop {
            let broken = self.broken()?;
            if broken.is_empty() {
                break;
            }
            let fast: Vec<usize> = broken
                .into_iter()
                .filter(|(r, v)| {
                    self.raised[*r] += 1;
                    let top = self.formula.rows[*r].top();
                    let most = self.formula.rows[*r].most;
                    let raises = match self.formula.rows[*r].relation {
                        // There are many of these, and it is one guess in many that lasts.
                        Relation::AtMostFrom(_) if self.formula.rows[*r].by_case => 0,
                        Relation::AtMost => RAISES,
                        Relation::AtMostSoon | Relation::AtMostFrom(_) | Relation::Room => MODELS,
                        Relation::Rest(..) => 0,
                        // Another value than the first.
                        Relation::Equal => 1,
                    };
                    self.at[*r] = if self.raised[*r] > raises || *v >= most { top } else { self.at[*r].max(*v) };
                    self.raised[*r] > MODELS && self.at[*r] != top
                })
                .map(|(r, _)| r)
                .collect();
            for r in fast {
                self.accelerate(r)?;
            }
        }
        Some(())
    }

    /// What the parameters say now.
    fn found(mut self) -> Invariant {
        let assumptions = self.fixed(None);
        let rows = self.formula.rows.iter().enumerate();
        let bounds = rows.filter(|(i, r)| self.at[*i] != r.top());
        Invariant { bounds: bounds.map(|(row, _)| Bound { row, at_most: self.at[row] }).collect(), assumptions }
    }

    /// The parameters as they are, but for one row.
    fn fixed(&mut self, but: Option<usize>) -> Vec<Term> {
        let mut out = Vec::with_capacity(self.at.len());
        for (i, row) in self.formula.rows.iter().enumerate().filter(|(i, _)| Some(*i) != but) {
            let pool = self.ask.pool();
            let c = number(pool, row.width, self.at[i]);
            out.push(pool.eq(row.bound, c));
        }
        out
    }

    fn query(&mut self, conditions: &[Term], assumptions: &[Term]) -> Option<Outcome> {
        self.queries = self.queries.checked_sub(1)?;
        Some(self.ask.any(conditions, assumptions))
    }

    /// Rows that some execution does not keep to, with a value that they have to allow.
    fn broken(&mut self) -> Option<BTreeMap<usize, i128>> {
        let open: Vec<usize> = (0..self.at.len()).filter(|r| self.at[*r] != self.formula.rows[*r].top()).collect();
        let all: Vec<Term> = open.iter().flat_map(|r| self.breaks[*r].iter().map(|b| b.0)).collect();
        let assumptions = self.fixed(None);
        match self.query(&all, &assumptions)? {
            Outcome::Unsat(_) => return Some(BTreeMap::new()),
            Outcome::Sat => return self.in_model(&open),
            Outcome::Unknown => {}
        }
        // Together they are too much: one by one, and what is too hard is dropped.
        let mut out = BTreeMap::new();
        for r in open {
            let breaks: Vec<Term> = self.breaks[r].iter().map(|b| b.0).collect();
            let believed = matches!(self.formula.rows[r].relation, Relation::AtMostFrom(_));
            self.ask.insist(believed);
            let said = self.query(&breaks, &assumptions);
            self.ask.insist(false);
            match said? {
                Outcome::Unsat(_) => {}
                Outcome::Sat => {
                    for (row, v) in self.in_model(&[r])? {
                        out.insert(row, v);
                    }
                }
                Outcome::Unknown => {
                    out.insert(r, self.formula.rows[r].top());
                }
            }
        }
        // Each row by itself is kept to, though nobody could say so of all: good enough.
        Some(out)
    }

    /// Rows that the model breaks, with their values.
    fn in_model(&mut self, rows: &[usize]) -> Option<BTreeMap<usize, i128>> {
        let mut out = BTreeMap::new();
        for &r in rows {
            let top = self.formula.rows[r].top();
            for (bad, value) in self.breaks[r].clone() {
                if self.ask.value(bad).is_one() {
                    let v = value.map_or(top, |e| signed(&self.ask.value(e)));
                    let old = out.entry(r).or_insert(v);
                    *old = v.max(*old);
                }
            }
        }
        // A model that breaks nothing is a defect of the solver; nothing is inferred from it.
        if out.is_empty() { None } else { Some(out) }
    }

    /// The greatest parameter that the row attains by itself.
    fn accelerate(&mut self, r: usize) -> Option<()> {
        let row = &self.formula.rows[r];
        let others = self.fixed(Some(r));
        // What the program compares with is often inductive, and not the greatest that the search below would find.
        let now = self.at[r];
        for c in row.likely.iter().copied().filter(|c| *c > now && *c < row.most) {
            let pool = self.ask.pool();
            let value = number(pool, row.width, c);
            let is = pool.eq(row.bound, value);
            let assumptions: Vec<Term> = others.iter().copied().chain([is]).collect();
            let breaks: Vec<Term> = self.breaks[r].iter().map(|b| b.0).collect();
            if matches!(self.query(&breaks, &assumptions)?, Outcome::Unsat(_)) {
                self.at[r] = c;
                return Some(());
            }
        }
        // Most rows that grow go all the way.
        if let Some(v) = self.attains(r, row.most, &others)? {
            self.at[r] = if v >= row.most { row.top() } else { v };
            return Some(());
        }
        let (mut low, mut high) = (self.at[r], row.most - 1);
        let mut step = 1;
        while low < high {
            // In growing steps to where it ends, then in halves.
            let half = low + (high - low + 1) / 2;
            let middle = half.min(low.saturating_add(step));
            match self.attains(r, middle, &others)? {
                Some(v) => {
                    low = v.max(middle);
                    step = step.saturating_mul(4);
                }
                None => {
                    high = middle - 1;
                    step = i128::MAX / 8;
                }
            }
        }
        self.at[r] = low;
        Some(())
    }

    /// Of every row that says something: the greatest value that a visit has, all rows as they are.
    fn attained_all(&mut self) -> Option<Vec<i128>> {
        let assumptions = self.fixed(None);
        let mut out = self.at.clone();
        for (r, row) in self.formula.rows.iter().enumerate() {
            let (mut high, mut low) = (self.at[r], row.bottom());
            if high == row.top() || row.relation == Relation::Equal {
                continue;
            }
            let visits: Vec<(Term, Term)> = {
                let mine = self.formula.visits.iter().filter(|v| v.row == r);
                mine.filter_map(|v| Some((v.reached, v.value?.0))).collect()
            };
            // Most bounds are attained; then in halves, from what a model has.
            let mut middle = high;
            while low < high {
                let pool = self.ask.pool();
                let m = number(pool, row.width, middle);
                let mut conditions = Vec::new();
                for (reached, e) in &visits {
                    let enough = pool.sle(m, *e);
                    conditions.push(pool.and(*reached, enough));
                }
                match self.query(&conditions, &assumptions)? {
                    Outcome::Unsat(_) => high = middle - 1,
                    Outcome::Unknown => break,
                    Outcome::Sat => {
                        let hit = conditions.iter().zip(&visits).filter(|(c, _)| self.ask.value(**c).is_one());
                        let values: Vec<Term> = hit.map(|(_, (_, e))| *e).collect();
                        let most = values.into_iter().map(|e| signed(&self.ask.value(e))).max();
                        low = most.unwrap_or(middle).max(middle);
                    }
                }
                middle = low + (high - low + 1) / 2;
            }
            out[r] = high;
        }
        Some(out)
    }

    /// The row attains a parameter of at least this, the others as given: which.
    fn attains(&mut self, r: usize, least: i128, others: &[Term]) -> Option<Option<i128>> {
        let row = &self.formula.rows[r];
        let pool = self.ask.pool();
        let m = number(pool, row.width, least);
        let enough = pool.sle(m, row.bound);
        let mut assumptions = others.to_vec();
        assumptions.push(enough);
        let conditions = self.attained[r].clone();
        Some(match self.query(&conditions, &assumptions)? {
            Outcome::Sat => Some(signed(&self.ask.value(row.bound)).max(least)),
            Outcome::Unsat(_) => None,
            Outcome::Unknown => Some(row.most),
        })
    }
}

fn number(pool: &mut Pool, width: u32, v: i128) -> Term {
    pool.num(width, v as u128 & (u128::MAX >> (128 - width)))
}

fn signed(v: &Bv) -> i128 {
    let u = v.to_u128().unwrap_or(0);
    let w = v.width();
    ((u << (128 - w)) as i128) >> (128 - w)
}
