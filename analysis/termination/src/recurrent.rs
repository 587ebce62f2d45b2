//! Recurrent sets: states at the head of a loop from which every execution comes round to the head again, in a state of the
//! set, and does nothing undefined meanwhile (Gupta et al., POPL 2008, there of linear programs). An execution that gets
//! into the set never ends, though it may be in no state twice before 2^32 turns are over, which is what [`crate::lasso`]
//! needs.
//!
//! The formula for induction with one copy of each loop begins in any state at the head, so it has every iteration
//! of every execution. For a set `R` it is asked
//!
//! ```text
//! consecution   R(before), the loop comes round, not R(after)          has no model
//! closure       R(before), the loop does not come round                has no model
//! entry         the head is reached from the start, R there            has one, which the interpreter runs: R holds
//!                                                                    at the head where it is seen last
//! ```
//!
//! What does not come round may have left the loop, have failed a check, or be in something that the formula leaves out. It
//! may also be within a loop inside: each iteration of that is a model of its own, and one that goes on with the
//! inner loop says nothing; the last one is another model, and where there is no last one the execution does not end
//! either.
//!
//! Candidates are conjunctions of comparisons of two numbers of the loop, or of one with what the program compares
//! with, and of low bits of numbers and differences. Of those that hold where a model gets to the head, the
//! largest set that is kept up is what is left when all that some iteration breaks are gone (Flanagan and Leino, FME
//! 2001). Choices of the environment are free; where that does not do, its inputs are one constant for ever.

use crate::lasso::{Forward, begin, is_input};
use crate::prove::{Limits, plan};
use crate::session::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_encode::{Cut, Domain, Encoder, Event, EventKind, Formula, HeadState, Mode, Named, Root};
use verify_engine::{Start, Subject, replay};
use verify_facts::invariant::{Object, Variable};
use verify_interp::{Config, End, Origin, Question, Recorder, Recording, Script, ScriptStop, Source, Stop};
use verify_ir::{Const, FuncId, InstKind, Module, Operand, SymbolRef};
use verify_kiki::choices::{self, Choices, FromModel};
use verify_kiki::infer::Ask;
use verify_solver::{Outcome, Pool, Term, term::Node};

/// Steps that the execution is followed.
const STEPS: u64 = 3_000_000;
/// Ways to get to one head that are looked at.
const STARTS: usize = 10;
/// Numbers of one loop that sets speak of.
const MAX_NUMBERS: usize = 12;
/// Constants that they are compared with.
const MAX_CONSTANTS: usize = 12;
/// Conflicts of one query.
const CONFLICTS: u64 = 3_000;
/// What the environment may give for ever, besides anything.
const INPUTS: [Option<u64>; 4] = [None, Some(0), Some(1), Some(u64::MAX)];

/// Queries of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queries {
    /// About one loop.
    pub each: u32,
    /// About all loops.
    pub all: u32,
    /// Unwindings in which the head may be reached, with the longest first.
    pub unwindings: &'static [u32],
}

impl Queries {
    /// What most sets that there are take, and no more: many a loop has none.
    pub const FEW: Queries = Queries { each: 90, all: 180, unwindings: &[3, 1] };
    /// Where nothing else did.
    pub const MANY: Queries = Queries { each: 500, all: 1_500, unwindings: &[8, 3, 1] };
}

/// An execution that never ends, as it gets into a recurrent set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrent {
    /// What the execution begins with.
    pub start: Start,
    /// Its choices, as far as it was followed.
    pub recording: Recording,
    /// Line of the loop.
    pub line: u32,
    /// What holds at its head for ever, for people; nothing: the loop has no way out.
    pub set: Vec<String>,
    /// Steps that it was followed.
    pub steps: u64,
}

type Key = [u32; 9];
type Numbers = BTreeMap<Key, Term>;

/// What a comparison compares a number with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum With {
    Number(Key),
    /// Modulo the width.
    Constant(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Relation {
    Equal,
    /// Signed.
    Less,
    /// Unsigned.
    Below,
    /// The difference is a multiple of this power of two.
    Congruent(u32),
}

/// One condition of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Atom {
    number: Key,
    relation: Relation,
    with: With,
    /// Or else it does not hold.
    holds: bool,
}

/// A loop as the formula for induction has it.
struct Candidate<'f> {
    begins: &'f HeadState,
    next: &'f HeadState,
    /// The execution begins an iteration here, after any number of others.
    at: Term,
    /// It comes round.
    round: Term,
    /// It goes on within a loop inside.
    inside: Vec<Term>,
    before: Numbers,
    after: Numbers,
    widths: BTreeMap<Key, u32>,
}

/// A formula in which heads are reached from the start, with a solver of its own.
struct Way<'e> {
    formula: Formula,
    s: Session<'e>,
}

/// A model at the head.
struct Arrival {
    choices: Choices,
    values: BTreeMap<Key, u64>,
    /// Rules the state out, as far as it is told by low bits and signs.
    other: Term,
}

/// Looks for one.
pub fn search<'e>(
    subject: &Subject,
    encoder: &dyn Fn() -> Encoder<'e>,
    entry: FuncId,
    limits: &Limits,
    budget: Queries,
    stop: &'e dyn Fn() -> bool,
) -> Option<Recurrent> {
    let session = || Session::new(encoder(), limits.conflicts / 8, stop);
    let mut s = session();
    let of = |k: u32| plan(Root::Program(entry), Mode::Induction, k, Domain::Nothing, limits);
    let formula = s.encode(&of(1)).ok()?;
    let loops = loops(s.pool(), &formula);
    if loops.is_empty() {
        return None;
    }
    // How control gets to the head is asked of other solvers than what an iteration does: a model is one of all that a
    // solver knows, and unwound loops are a lot.
    let mut ways: Vec<Way<'e>> = Vec::new();
    for k in budget.unwindings {
        let mut s = session();
        // All number objects in the order in which they come up.
        s.encode(&of(1)).ok()?;
        if let Ok(formula) = s.encode(&of(*k)) {
            ways.push(Way { formula, s });
        }
    }
    let mut seen = BTreeSet::new();
    let mut left = budget.all;
    for l in &loops {
        // Copies of one loop within copies of others are alike. Of a function that is called at several places a run does not
        // tell for which of them its loop is seen.
        let elsewhere = formula.heads.iter().any(|h| h.at == l.begins.at && h.head != l.begins.head);
        if elsewhere || !seen.insert(&l.begins.head) {
            continue;
        }
        let queries = budget.each.min(left);
        let mut search = Search { s: &mut s, subject, entry, formula: &formula, l, queries };
        if let Some(r) = search.run(&mut ways) {
            return Some(r);
        }
        left -= queries - search.queries;
        if s.exhausted() || left == 0 {
            break;
        }
    }
    None
}

/// The loops that come round: in [`Formula::heads`], where iterations begin is followed by how control gets there first, and
/// then, behind the loops inside, by how it gets there again.
fn loops<'f>(pool: &mut Pool, formula: &'f Formula) -> Vec<Candidate<'f>> {
    let heads = &formula.heads;
    let mut out = Vec::new();
    for (i, begins) in heads.iter().enumerate() {
        let Some(select) = begins.begins else { continue };
        let same = |h: &HeadState| h.head == begins.head;
        let Some(first) = heads.get(i + 1).filter(|h| same(h) && h.begins.is_none()) else { continue };
        let Some(n) = (i + 2..heads.len()).find(|j| same(&heads[*j])) else { continue };
        let next = &heads[n];
        if next.begins.is_some() {
            continue;
        }
        let mut inside = Vec::new();
        let mut j = i + 2;
        while j < n {
            // The entry of a loop is no going on with it.
            if heads[j].begins.is_some() {
                j += 2;
            } else {
                inside.push(heads[j].reached);
                j += 1;
            }
        }
        let at = pool.and(begins.reached, select);
        let numbers = |h: &HeadState| h.numbers.iter().map(|n| (n.key, n.value)).collect::<Numbers>();
        let (before, entered, after) = (numbers(begins), numbers(first), numbers(next));
        let mut widths: BTreeMap<Key, u32> = before.iter().map(|(k, t)| (*k, pool.width(*t))).collect();
        widths.retain(|k, w| {
            *w <= 64 && [&entered, &after].iter().all(|m| m.get(k).is_some_and(|t| pool.width(*t) == *w))
        });
        let mut c = Candidate { begins, next, at, round: next.reached, inside, before, after, widths };
        relevant(pool, &mut c);
        out.push(c);
    }
    out
}

/// Keeps the numbers on which it depends whether the loop comes round, and what they depend on; those that change first.
fn relevant(pool: &Pool, c: &mut Candidate<'_>) {
    let mut free: BTreeMap<Key, BTreeSet<Term>> = BTreeMap::new();
    for k in c.widths.keys() {
        let cone = pool.cone(&[c.before[k]]);
        free.insert(*k, cone.into_iter().filter(|t| matches!(pool.node(*t), Node::Var(_))).collect());
    }
    let mut roots = vec![c.round];
    let mut kept: BTreeSet<Key> = BTreeSet::new();
    loop {
        let seen: BTreeSet<Term> = pool.cone(&roots).into_iter().collect();
        let new: Vec<Key> = free
            .iter()
            .filter(|(k, vars)| !kept.contains(*k) && vars.iter().any(|v| seen.contains(v)))
            .map(|(k, _)| *k)
            .collect();
        if new.is_empty() {
            break;
        }
        roots.extend(new.iter().map(|k| c.after[k]));
        kept.extend(new);
    }
    let (changing, fixed): (Vec<Key>, Vec<Key>) = kept.into_iter().partition(|k| c.before[k] != c.after[k]);
    let chosen: BTreeSet<Key> = changing.into_iter().chain(fixed).take(MAX_NUMBERS).collect();
    c.widths.retain(|k, _| chosen.contains(k));
}

impl Atom {
    fn of(self, pool: &mut Pool, numbers: &Numbers) -> Option<Term> {
        let a = *numbers.get(&self.number)?;
        let w = pool.width(a);
        let b = match self.with {
            With::Number(k) => *numbers.get(&k)?,
            With::Constant(v) => pool.num(w, u128::from(v)),
        };
        let t = match self.relation {
            Relation::Equal => pool.eq(a, b),
            Relation::Less => pool.slt(a, b),
            Relation::Below => pool.ult(a, b),
            Relation::Congruent(bits) => {
                let (a, b) = (pool.extract(a, bits - 1, 0), pool.extract(b, bits - 1, 0));
                pool.eq(a, b)
            }
        };
        Some(if self.holds { t } else { pool.not(t) })
    }

    /// Whether it holds of these values of the width.
    fn holds(self, values: &BTreeMap<Key, u64>, w: u32) -> bool {
        let a = values[&self.number];
        let b = match self.with {
            With::Number(k) => values[&k],
            With::Constant(v) => v,
        };
        let signed = |v: u64| (v << (64 - w)) as i64;
        let t = match self.relation {
            Relation::Equal => a == b,
            Relation::Less => signed(a) < signed(b),
            Relation::Below => a < b,
            Relation::Congruent(bits) => a.wrapping_sub(b).trailing_zeros() >= bits,
        };
        t == self.holds
    }

    /// It tells states apart, of which others are then looked at.
    fn is_coarse(&self) -> bool {
        match (self.relation, self.with) {
            (Relation::Congruent(1), _) | (_, With::Number(_)) => true,
            (Relation::Less | Relation::Equal, With::Constant(v)) => v == 0,
            _ => false,
        }
    }
}

struct Search<'x, 'e, 'f> {
    s: &'x mut Session<'e>,
    subject: &'x Subject,
    entry: FuncId,
    formula: &'f Formula,
    l: &'x Candidate<'f>,
    queries: u32,
}

impl Search<'_, '_, '_> {
    fn query(&mut self, conditions: &[Term]) -> Outcome {
        if self.spend() { self.s.all(conditions, CONFLICTS) } else { Outcome::Unknown }
    }

    fn query_entry(&mut self, entries: &mut Session<'_>, conditions: &[Term]) -> Outcome {
        if self.spend() { entries.all(conditions, CONFLICTS) } else { Outcome::Unknown }
    }

    fn spend(&mut self) -> bool {
        let left = self.queries.checked_sub(1);
        self.queries = left.unwrap_or(0);
        left.is_some()
    }

    fn run(&mut self, ways: &mut [Way<'_>]) -> Option<Recurrent> {
        for input in INPUTS {
            let given = self.given(input);
            if input.is_some() && given.is_empty() {
                break;
            }
            // A loop that always goes on has a set; that one may be left need not be asked again and again.
            for way in &mut *ways {
                if let Some(r) = self.sets(way, input, &given) {
                    return Some(r);
                }
                if self.queries == 0 {
                    return None;
                }
            }
        }
        None
    }

    /// That the inputs within the loop are this.
    fn given(&mut self, input: Option<u64>) -> Vec<Term> {
        let Some(input) = input else { return Vec::new() };
        constants(self.s.pool(), &self.formula.events[self.l.begins.events..self.l.next.events], input)
    }

    /// Sets that hold where control gets to the head in this formula. Of the copies within those of loops around it, the first and
    /// the last are looked at.
    fn sets(
        &mut self,
        Way { formula: way, s: entries }: &mut Way<'_>,
        input: Option<u64>,
        given: &[Term],
    ) -> Option<Recurrent> {
        let head = &self.l.begins.head;
        let mut copies: Vec<Vec<&HeadState>> = Vec::new();
        for h in way.heads.iter().filter(|h| h.head == *head) {
            match (h.begins, copies.last_mut()) {
                (Some(_), _) => copies.push(Vec::new()),
                (None, Some(copy)) => copy.push(h),
                (None, None) => {}
            }
        }
        copies.retain(|c| !c.is_empty());
        if copies.len() > 2 {
            copies.drain(1..copies.len() - 1);
        }
        copies.iter().find_map(|visits| self.sets_of_copy((way, entries), visits, input, given))
    }

    /// The same of one copy, in which control gets to the head so often.
    fn sets_of_copy(
        &mut self,
        (way, entries): (&Formula, &mut Session<'_>),
        visits: &[&HeadState],
        input: Option<u64>,
        given: &[Term],
    ) -> Option<Recurrent> {
        let (first, last) = (visits.first()?, visits.last()?);
        let mut base: Vec<Term> = way.selects.iter().map(|t| entries.pool().not(*t)).collect();
        // It goes on as long as the formula does.
        base.push(last.reached);
        if let Some(v) = input {
            base.extend(constants(entries.pool(), &way.events[first.events..last.events], v));
        }
        for from in [first, last] {
            let numbers: Numbers = from.numbers.iter().map(|n| (n.key, n.value)).collect();
            if self.l.widths.iter().any(|(k, w)| numbers.get(k).is_none_or(|t| entries.pool().width(*t) != *w)) {
                return None;
            }
            let mut conditions = base.clone();
            conditions.push(from.reached);
            for _ in 0..STARTS {
                let Outcome::Sat = self.query_entry(entries, &conditions) else { break };
                let arrival = self.arrival(entries, &way.events, &numbers);
                if let Some(set) = self.kept(&arrival.values, given)
                    && let Some(r) = self.confirm(&arrival.choices, &set, input)
                {
                    return Some(r);
                }
                conditions.push(arrival.other);
            }
        }
        None
    }

    fn arrival(&mut self, entries: &mut Session<'_>, events: &[Event], numbers: &Numbers) -> Arrival {
        let choices = choices::of_model(events, &Default::default(), |t| entries.value(t));
        let keys: Vec<Key> = self.l.widths.keys().copied().collect();
        let values: BTreeMap<Key, u64> =
            keys.into_iter().map(|k| (k, entries.value(numbers[&k]).to_u64().unwrap_or(0))).collect();
        let coarse: Vec<Atom> = self.atoms(&values).into_iter().filter(Atom::is_coarse).collect();
        let p = entries.pool();
        let same: Vec<Term> = coarse.iter().filter_map(|a| a.of(p, numbers)).collect();
        let same = p.and_all(same);
        let other = p.not(same);
        Arrival { choices, values, other }
    }

    /// The conditions that hold of these values.
    fn atoms(&self, values: &BTreeMap<Key, u64>) -> Vec<Atom> {
        let mut out = Vec::new();
        let mut add = |number: Key, relation: Relation, with: With, w: u32| {
            let yes = Atom { number, relation, with, holds: true };
            out.push(Atom { holds: yes.holds(values, w), ..yes });
        };
        let keys: Vec<(Key, u32)> = self.l.widths.iter().map(|(k, w)| (*k, *w)).collect();
        for (i, (k, w)) in keys.iter().copied().enumerate() {
            let mask = u64::MAX >> (64 - w);
            let mut constants: BTreeSet<u64> = BTreeSet::new();
            for c in self.l.begins.constants.iter().take(MAX_CONSTANTS) {
                constants.extend([c - 1, *c, c + 1].map(|c| c as u64 & mask));
            }
            for c in &constants {
                add(k, Relation::Equal, With::Constant(*c), w);
                if w > 1 {
                    add(k, Relation::Less, With::Constant(*c), w);
                    add(k, Relation::Below, With::Constant(*c), w);
                }
            }
            if !constants.contains(&values[&k]) {
                add(k, Relation::Equal, With::Constant(values[&k]), w);
            }
            if w == 1 {
                continue;
            }
            for bits in 1..=2 {
                add(k, Relation::Congruent(bits), With::Constant(values[&k] & ((1 << bits) - 1)), w);
            }
            for (other, _) in keys[i + 1..].iter().filter(|o| o.1 == w) {
                for relation in [Relation::Equal, Relation::Less, Relation::Below, Relation::Congruent(1)] {
                    add(k, relation, With::Number(*other), w);
                }
                for relation in [Relation::Less, Relation::Below] {
                    add(*other, relation, With::Number(k), w);
                }
            }
        }
        out
    }

    /// The largest set of those conditions that the loop keeps up, if nothing leaves it.
    fn kept(&mut self, values: &BTreeMap<Key, u64>, given: &[Term]) -> Option<Vec<Atom>> {
        let mut set = self.atoms(values);
        let l = self.l;
        let p = self.s.pool();
        set.retain(|a| a.of(p, &l.before).is_some() && a.of(p, &l.after).is_some());
        loop {
            let p = self.s.pool();
            let mut conditions = vec![l.at, l.round];
            conditions.extend(given);
            let before: Vec<Term> = set.iter().filter_map(|a| a.of(p, &l.before)).collect();
            let after: Vec<Term> = set.iter().filter_map(|a| a.of(p, &l.after)).collect();
            let kept = p.and_all(after);
            conditions.extend(before);
            conditions.push(p.not(kept));
            match self.query(&conditions) {
                Outcome::Unknown => return None,
                Outcome::Unsat(_) => break,
                Outcome::Sat => {
                    let now: BTreeMap<Key, u64> =
                        l.widths.keys().map(|k| (*k, self.s.value(l.after[k]).to_u64().unwrap_or(0))).collect();
                    let many = set.len();
                    set.retain(|a| a.holds(&now, l.widths[&a.number]));
                    if set.len() == many {
                        return None;
                    }
                }
            }
        }
        let p = self.s.pool();
        let mut base = vec![l.at];
        base.extend(given);
        base.extend(set.iter().filter_map(|a| a.of(p, &l.before)));
        let mut leaves = base.clone();
        leaves.push(p.not(l.round));
        leaves.extend(l.inside.iter().map(|t| p.not(*t)));
        if !matches!(self.query(&leaves), Outcome::Unsat(_)) {
            return None;
        }
        // What is called and not looked into may end the program, or do something undefined.
        let module = self.subject.module();
        for c in &self.formula.cuts[l.begins.cuts..l.next.cuts] {
            if !c.any && is_harmless(module, c) {
                continue;
            }
            let mut all = base.clone();
            all.push(c.reached);
            if !matches!(self.query(&all), Outcome::Unsat(_)) {
                return None;
            }
        }
        Some(self.needed(set, given))
    }

    /// Leaves out conditions without which it is a set all the same, as far as is seen cheaply: those that others imply.
    fn needed(&mut self, set: Vec<Atom>, given: &[Term]) -> Vec<Atom> {
        let l = self.l;
        let mut kept = set;
        let mut i = 0;
        while i < kept.len() {
            let gone = kept.remove(i);
            let p = self.s.pool();
            let before: Vec<Term> = kept.iter().filter_map(|a| a.of(p, &l.before)).collect();
            let after: Vec<Term> = kept.iter().filter_map(|a| a.of(p, &l.after)).collect();
            let all = p.and_all(after);
            let (broken, stays) = (p.not(all), l.inside.iter().map(|t| p.not(*t)).collect::<Vec<_>>());
            let breaks = p.and(l.round, broken);
            let left = stays.into_iter().fold(p.not(l.round), |x, y| p.and(x, y));
            let either = p.or(breaks, left);
            let mut conditions = vec![l.at, either];
            conditions.extend(given);
            conditions.extend(before);
            if !matches!(self.query(&conditions), Outcome::Unsat(_)) {
                kept.insert(i, gone);
                i += 1;
            }
        }
        kept
    }

    /// Runs the execution, which must not end, and must be in the set where it is seen last.
    fn confirm(&mut self, choices: &Choices, set: &[Atom], input: Option<u64>) -> Option<Recurrent> {
        let (module, l) = (self.subject.module(), self.l);
        let named = |k: &Key| l.begins.numbers.iter().find(|n| n.key == *k).and_then(|n| n.named.as_ref());
        let mut keys: BTreeSet<Key> = BTreeSet::new();
        for a in set {
            keys.insert(a.number);
            keys.extend(match a.with {
                With::Number(k) => Some(k),
                With::Constant(_) => None,
            });
        }
        let sources: Option<Vec<Source>> = keys.iter().map(|k| source(named(k)?)).collect();
        let start = begin(self.subject, self.entry, choices.arguments.clone());
        let watch = Arc::new(BTreeMap::from([(l.begins.at, sources?)]));
        let config = Config { max_steps: STEPS, watch, ..replay::config(&start) };
        let mut script = Constant { model: FromModel::new(choices), input, other: false };
        let mut recorder = Recorder::new(Forward(&mut script));
        let outcome = replay::run(self.subject, &start, &mut recorder, &config);
        let recording = recorder.into_recording();
        if !matches!(outcome.end, End::Stopped(Stop::Steps)) || script.other {
            return None;
        }
        let last = outcome.watched.last()?;
        let values: BTreeMap<Key, u64> =
            keys.iter().zip(&last.values).map(|(k, v)| Some((*k, (*v)?))).collect::<Option<_>>()?;
        if !set.iter().all(|a| a.holds(&values, l.widths[&a.number])) {
            return None;
        }
        let set = set.iter().map(|a| text(module, a, &named, l.widths[&a.number])).collect();
        let line = module.span(l.begins.span).line;
        Some(Recurrent { start, recording, line, set, steps: outcome.steps })
    }
}

/// The place is a call that writes, and comes back whatever it is handed.
fn is_harmless(module: &Module, c: &Cut) -> bool {
    let Some((f, loc)) = c.place else { return false };
    let Some(body) = &module.func(f).body else { return false };
    let inst = body.blocks.get(loc.block.index()).and_then(|b| b.insts.get(loc.inst as usize));
    match inst.map(|i| &i.kind) {
        Some(InstKind::Call(call)) => {
            let names =
                |f: &FuncId| matches!(&call.callee, Operand::Const(Const::Symbol(SymbolRef::Func(g))) if g == f);
            c.callees.iter().all(names) && verify_kiki::is_harmless_output(module, body, call)
        }
        _ => false,
    }
}

/// Where the interpreter has a number; [`None`]: it is not known.
fn source(n: &Named) -> Option<Source> {
    match n.parts.first()?.variable {
        Variable::Value(v) => Some(Source::Value(v)),
        Variable::Cell { object, offset, size } => {
            let base = match object {
                Object::Global(g) => Operand::Const(Const::Symbol(SymbolRef::Global(g))),
                Object::Behind { frame: 0, value } => Operand::Value(value),
                Object::Behind { .. } => return None,
            };
            Some(Source::Memory { base, offset: offset as i64, size })
        }
        _ => None,
    }
}

/// A model, and then one input for ever.
struct Constant<'a> {
    model: FromModel<'a>,
    input: Option<u64>,
    /// It was asked for something that is no input of the program, and may not come again.
    other: bool,
}

impl Script for Constant<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        let input = match q {
            Question::Nondet { what } => {
                let input = is_input(what);
                self.other |= self.input.is_some() && !input;
                input
            }
            Question::Scalar { origin: Origin::External(_), .. } => true,
            _ => false,
        };
        match self.input {
            Some(v) if input && self.model.is_over() => Ok(v),
            _ => self.model.choose(q),
        }
    }
}

/// An input that may be the same for ever.
fn constant_in(e: &Event) -> Option<Term> {
    match e.kind {
        EventKind::Nondet(t) | EventKind::External(t, _) => Some(t),
        _ => None,
    }
}

/// That all inputs among these are this.
fn constants(p: &mut Pool, events: &[Event], input: u64) -> Vec<Term> {
    let is = |t: Term| {
        let w = p.width(t);
        let v = p.num(w.min(64), u128::from(input) & (u128::MAX >> (128 - w.min(64))));
        let v = p.resize_unsigned(v, w);
        p.eq(t, v)
    };
    events.iter().filter_map(constant_in).map(is).collect()
}

/// A condition for people.
fn text<'n>(module: &Module, a: &Atom, named: &impl Fn(&Key) -> Option<&'n Named>, w: u32) -> String {
    let name = |k: &Key| named(k).map_or_else(|| "...".to_string(), |n| name(module, n));
    let x = name(&a.number);
    let y = match a.with {
        With::Number(k) => name(&k),
        With::Constant(v) if a.relation == Relation::Below => v.to_string(),
        With::Constant(v) => (((v << (64 - w)) as i64) >> (64 - w)).to_string(),
    };
    let sign = match (a.relation, a.holds) {
        (Relation::Equal, true) => "==",
        (Relation::Equal, false) => "!=",
        (Relation::Less | Relation::Below, true) => "<",
        (Relation::Less | Relation::Below, false) => ">=",
        (Relation::Congruent(bits), holds) => {
            let m = 1u32 << bits;
            let sign = if holds { "==" } else { "!=" };
            return match a.with {
                With::Number(_) => format!("{x} % {m} {sign} {y} % {m}"),
                With::Constant(v) => format!("{x} % {m} {sign} {v}"),
            };
        }
    };
    let of = if a.relation == Relation::Below { "(unsigned) " } else { "" };
    format!("{of}{x} {sign} {y}")
}

fn name(module: &Module, n: &Named) -> String {
    let Some(body) = module.func(n.func).body.as_ref() else { return "...".into() };
    let of = |v: verify_ir::Value| {
        let var = body.values[v.index()].var.and_then(|x| body.vars.get(x.index()));
        var.map_or_else(|| v.to_string(), |x| x.name.clone())
    };
    match n.parts.first().map(|p| p.variable) {
        Some(Variable::Value(v)) => of(v),
        Some(Variable::Start(v)) => format!("{} on entry", of(v)),
        Some(Variable::Cell { object: Object::Global(g), .. }) => module.global(g).name.clone(),
        _ => "...".into(),
    }
}
