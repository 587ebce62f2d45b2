//! Asks a formula for an execution. The execution's steps are laid beside what happens in a model, in order; at the
//! first that differs, the next model must have it. What no model has is lost.

use crate::expect::{Item, Kind};
use verify_checks::{CheckId, Checks};
use verify_encode::object::Kind as ObjectKind;
use verify_encode::sym::Sym;
use verify_encode::{Encoder, EventKind, Formula, Mode, Plan, Root, Rules, Seen, Suggested, TooBig};
use verify_ir::{FuncId, Loc, Module};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Solver, Term};

/// Conflicts of one query.
const CONFLICTS: u64 = 1_500;
/// Models that are looked at for one execution.
const MODELS: u32 = 60;
/// Choices that are taken for later ones of the same call, at most.
const TURNS: u32 = 12;

/// What the formula says of an execution.
pub enum Verdict {
    /// It has it.
    Embedded,
    /// It has it until something that is not encoded.
    Beyond,
    Budget,
    /// It does not have it.
    Lost(String),
}

/// Something that may happen in a model.
enum What {
    Value { func: FuncId, loc: Loc, calls: u64, result: u32, value: Sym, bits: Term },
    Choice(Kind, Vec<Term>, u64),
    Returned(Term),
    Hidden,
}

/// A formula with its solver.
pub struct Oracle<'a> {
    module: &'a Module,
    checks: &'a Checks,
    /// The failing check, for people.
    wanted: String,
    encoder: Encoder<'a>,
    formula: Formula,
    places: Vec<(Term, What)>,
    /// True of all executions that are asked about.
    always: Term,
    /// True of those that end: others, whether they fail a check or are cut short, go on in the formula.
    ends: Term,
    solver: Solver<Cadical>,
    asserted: usize,
    /// Values of the last execution that the formula has.
    pub matched: u64,
    /// Where the last execution's steps are in `places`.
    aligned: Vec<usize>,
}

impl<'a> Oracle<'a> {
    pub fn new(
        module: &'a Module,
        checks: &'a Checks,
        rules: Rules,
        root: Root,
        mode: Mode,
        k: u32,
        arguments: &[Vec<u8>],
    ) -> Result<Oracle<'a>, TooBig> {
        let plan = Plan {
            root,
            mode,
            unwind: k,
            innermost: false,
            domain: verify_encode::Domain::Nothing,
            depth: 64,
            recursion: 4,
            // In the middle of a loop that constants decide, as in any other.
            deterministic: if mode == Mode::Induction { 0 } else { 70 },
            max_instructions: 12_000,
            suggested: Suggested::Nothing,
            library: false,
            max_terms: 250_000,
        };
        let mut encoder = Encoder::new(module, checks, rules);
        encoder.observe = true;
        let formula = encoder.encode(&plan, &|| false)?;
        let t = &mut encoder.terms;
        let mut places = Vec::new();
        let (mut always, mut ends) = (t.pool.tt(), t.pool.tt());
        let mut events = 0;
        let end = formula.events.len();
        let seen = formula.observations.iter().map(|o| (o.events, Some(o))).chain([(end, None)]);
        let mut place = 0;
        for (n, (before, o)) in seen.enumerate() {
            for e in &formula.events[events..before] {
                let (kind, terms) = match &e.kind {
                    EventKind::Arguments { count, texts } => {
                        let mut given = vec![(*count, arguments.len() as u128)];
                        for (text, arg) in texts.iter().zip(arguments) {
                            given.push((text.length, arg.len() as u128));
                            for (i, byte) in arg.iter().enumerate() {
                                let i = t.pool.num(t.pool.width(text.length), i as u128);
                                given.push((t.pool.select(text.bytes, i), u128::from(*byte)));
                            }
                        }
                        for (term, value) in given {
                            let value = t.pool.num(t.pool.width(term), value);
                            let same = t.pool.eq(term, value);
                            always = t.pool.and(always, same);
                        }
                        continue;
                    }
                    EventKind::Fail(x) => (Kind::Fail, vec![*x]),
                    EventKind::Nondet(x) => (Kind::Nondet, vec![*x]),
                    EventKind::Bytes(x) => (Kind::Bytes, x.clone()),
                    // Output that is not encoded is buffered and written later: free in every model.
                    EventKind::Syscall(_) | EventKind::Contents { .. } | EventKind::Parameter(..) => continue,
                    EventKind::Scanned { .. } => continue,
                    EventKind::Uninit(x) => (Kind::Uninit, vec![*x]),
                    EventKind::External(x, _) => (Kind::External, vec![*x]),
                };
                places.push((e.happens, What::Choice(kind, terms, place)));
            }
            events = before;
            let Some(o) = o else { break };
            let what = match o.seen {
                Seen::Hidden => What::Hidden,
                Seen::Choice(number) => {
                    place = number;
                    continue;
                }
                Seen::Over => {
                    let not = t.pool.not(o.reached);
                    ends = t.pool.and(ends, not);
                    continue;
                }
                Seen::Returned(v) => What::Returned(t.address(v, &[9999, n as u32])),
                Seen::Value(result, v) => {
                    let bits = t.address(v, &[9999, n as u32]);
                    What::Value { func: o.func, loc: o.loc, calls: o.calls, result, value: v, bits }
                }
            };
            places.push((o.reached, what));
        }
        // All queries are about all of this: what they do not mention, a model need not get right.
        let mut solver = Solver::default();
        for (happens, what) in &places {
            let terms = match what {
                What::Value { value, bits, .. } => vec![value.undef, value.prov, value.bits, *bits],
                What::Returned(v) => vec![*v],
                What::Choice(..) | What::Hidden => vec![],
            };
            for term in terms.into_iter().chain([*happens]) {
                if t.pool.as_const(term).is_none() {
                    let name = t.pool.fresh("observed", verify_solver::Sort::Bv(t.pool.width(term)));
                    let same = t.pool.eq(name, term);
                    solver.assert(&t.pool, same);
                }
            }
        }
        Ok(Oracle {
            module,
            checks,
            wanted: String::new(),
            encoder,
            formula,
            places,
            always,
            ends,
            solver,
            asserted: 0,
            matched: 0,
            aligned: Vec::new(),
        })
    }

    fn ask(&mut self, assume: &[Term]) -> Outcome {
        let t = &mut self.encoder.terms;
        while self.asserted < t.axioms.len() {
            let a = t.axioms[self.asserted];
            self.asserted += 1;
            self.solver.assert(&t.pool, a);
        }
        let all = t.pool.and_all(assume.iter().copied());
        if t.pool.as_const(all).is_some_and(|v| v.is_zero()) {
            return Outcome::Unsat(Vec::new());
        }
        self.solver.check(&mut t.pool, &[all], Some(CONFLICTS))
    }

    fn holds(&mut self, t: Term) -> bool {
        self.solver.value(&self.encoder.terms.pool, t).is_one()
    }

    fn equals(&mut self, t: Term, limbs: &[u64]) -> Term {
        let p = &mut self.encoder.terms.pool;
        let w = p.width(t);
        let c = p.constant(Bv::from_limbs(w, limbs));
        p.eq(t, c)
    }

    /// What happens at a place is the step: under this condition. `None`: it is another kind of thing.
    fn is_step(&mut self, at: usize, item: &Item) -> Option<Term> {
        match (&self.places[at].1, item) {
            (
                What::Value { func, loc, calls, result, value, bits },
                Item::Value { func: f, loc: l, calls: c, result: r, limbs, defined, in_stack },
            ) => {
                if (func, loc, calls, result) != (f, l, c, r) {
                    return None;
                }
                let (value, bits) = (*value, *bits);
                if !*defined {
                    return Some(value.undef);
                }
                let same = self.equals(bits, limbs);
                let Some(offset) = in_stack else { return Some(same) };
                let inside = self.equals(value.bits, &[*offset]);
                let leaves = self.encoder.terms.leaves(value.prov);
                let mut any = same;
                for &o in leaves.iter() {
                    if self.encoder.terms.objects[o as usize].kind == ObjectKind::Stack {
                        let o = self.encoder.terms.prov(o);
                        let is = self.encoder.terms.pool.eq(value.prov, o);
                        any = self.encoder.terms.pool.ite(is, inside, any);
                    }
                }
                Some(any)
            }
            (What::Choice(k, terms, p), Item::Choice(l, values, q)) if k == l && p == q => {
                let terms = terms.clone();
                if *k != Kind::Bytes {
                    return Some(self.equals(terms[0], values));
                }
                if terms.len() != values.len() {
                    return None;
                }
                let mut all = self.encoder.terms.pool.tt();
                for (t, v) in terms.into_iter().zip(values) {
                    let same = self.equals(t, &[*v]);
                    all = self.encoder.terms.pool.and(all, same);
                }
                Some(all)
            }
            (What::Returned(t), Item::Returned(v)) => {
                let t = *t;
                Some(self.equals(t, v))
            }
            _ => None,
        }
    }

    fn and(&mut self, a: Term, b: Term) -> Term {
        self.encoder.terms.pool.and(a, b)
    }

    fn not(&mut self, a: Term) -> Term {
        self.encoder.terms.pool.not(a)
    }

    /// The next thing that happens from place `from` on is this step.
    fn next_is(&mut self, from: usize, item: &Item) -> Term {
        let (tt, ff) = (self.encoder.terms.pool.tt(), self.encoder.terms.pool.ff());
        let (mut quiet, mut any) = (tt, ff);
        for i in from..self.places.len() {
            let here = self.places[i].0;
            if here == ff {
                continue;
            }
            if let Some(is) = self.is_step(i, item) {
                let x = self.and(here, is);
                let x = self.and(quiet, x);
                any = self.encoder.terms.pool.or(any, x);
            }
            let not = self.not(here);
            quiet = self.and(quiet, not);
            if quiet == ff {
                break;
            }
        }
        any
    }

    /// The steps that formulas are asked about: input of a length that is not constant is no event of theirs, what it
    /// leaves in memory is anything.
    pub fn known(&self, items: Vec<Item>) -> Vec<Item> {
        let arrives = |calls: u64, n: usize| {
            let here = |what: &What| matches!(what, What::Choice(Kind::Bytes, b, p) if *p == calls && b.len() == n);
            self.places.iter().any(|(_, what)| here(what))
        };
        let known = |i: &Item| !matches!(i, Item::Choice(Kind::Bytes, b, calls) if !arrives(*calls, b.len()));
        items.into_iter().filter(known).collect()
    }

    /// The next thing that happens from place `from` on is not encoded.
    fn next_is_hidden(&mut self, from: usize) -> Term {
        let (tt, ff) = (self.encoder.terms.pool.tt(), self.encoder.terms.pool.ff());
        let (mut quiet, mut any) = (tt, ff);
        for i in from..self.places.len() {
            let here = self.places[i].0;
            if matches!(self.places[i].1, What::Hidden) {
                let x = self.and(quiet, here);
                any = self.encoder.terms.pool.or(any, x);
            }
            let not = self.not(here);
            quiet = self.and(quiet, not);
        }
        any
    }

    fn show(&self, item: Option<&Item>) -> String {
        match item {
            Some(Item::Value { func, loc, limbs, defined, .. }) => {
                let f = self.module.func(*func);
                let span = f.body.as_ref().map(|b| self.module.span(b.span_at(*loc)).line);
                let inst = f.body.as_ref().and_then(|b| b.block(loc.block).insts.get(loc.inst as usize));
                let kind = inst.map_or_else(String::new, |i| format!("{:?}", i.kind).chars().take(60).collect());
                let defined = if *defined { "" } else { " undefined" };
                format!("{}:{} {loc:?} {limbs:x?}{defined} {kind}", f.name, span.unwrap_or(0))
            }
            other => format!("{other:?}"),
        }
    }

    /// Has the formula this execution, failing this check in the end?
    pub fn follow(&mut self, items: &[Item], failed: Option<CheckId>, ended: bool) -> Verdict {
        if let Some(c) = failed {
            self.wanted = format!("{:?}", (self.checks.get(c).kind, self.module.span(self.checks.get(c).span).line));
        }
        let ff = self.encoder.terms.pool.ff();
        self.matched = 0;
        self.aligned.clear();
        // What all models have from now on: the steps before `done` at the places in `aligned`.
        let mut fixed = vec![self.always];
        if ended {
            fixed.push(self.ends);
        }
        let mut more: Vec<Term> = Vec::new();
        let mut guess: Option<Vec<Term>> = None;
        // Choices that were taken for the wrong ones: of several in one call of the library, the first that fits is tried.
        let general = fixed.len();
        let mut not_there: Vec<(usize, Term)> = Vec::new();
        let mut lost: Option<String> = None;
        let mut turns = TURNS;
        for _ in 0..MODELS {
            let attempt = guess.take();
            let others = not_there.iter().map(|(_, t)| t);
            let assume: Vec<Term> =
                fixed.iter().chain(others).chain(attempt.as_ref().unwrap_or(&more)).copied().collect();
            match self.ask(&assume) {
                Outcome::Unknown => return Verdict::Budget,
                Outcome::Unsat(_) if attempt.is_some() => continue,
                Outcome::Unsat(_) => {
                    let from = self.aligned.last().map_or(0, |i| i + 1);
                    let why = match self.beyond(&fixed, from, items) {
                        Verdict::Lost(why) => lost.get_or_insert(why).clone(),
                        other => return other,
                    };
                    let tried = |n: usize| not_there.iter().any(|(step, _)| *step <= n);
                    let choice = |n: &usize| matches!(items[*n], Item::Choice(..)) && !tried(*n);
                    let Some(n) = (0..self.aligned.len()).rev().find(choice).filter(|_| turns > 0) else {
                        return Verdict::Lost(why);
                    };
                    turns -= 1;
                    let here = self.places[self.aligned[n]].0;
                    self.aligned.truncate(n);
                    fixed.truncate(general + n);
                    not_there.retain(|(step, _)| *step < n);
                    let elsewhere = self.not(here);
                    not_there.push((n, elsewhere));
                    let from = self.aligned.last().map_or(0, |i| i + 1);
                    more = vec![self.next_is(from, &items[n])];
                    continue;
                }
                Outcome::Sat => {}
            }
            more.clear();
            let begin = self.aligned.last().map_or(0, |i| i + 1);
            let mut at = begin;
            let mut stuck = None;
            // Values that differ though control went the same way.
            let mut differing = Vec::new();
            let mut steps = self.aligned.len();
            while steps < items.len() {
                let Some(i) = (at..self.places.len()).find(|i| {
                    let c = self.places[*i].0;
                    c != ff && self.solver.value(&self.encoder.terms.pool, c).is_one()
                }) else {
                    stuck = stuck.or(Some(steps));
                    break;
                };
                let Some(is) = self.is_step(i, &items[steps]) else {
                    stuck = stuck.or(Some(steps));
                    break;
                };
                let here = self.places[i].0;
                let happens = self.and(here, is);
                if stuck.is_none() && !self.holds(is) {
                    stuck = Some(steps);
                }
                if stuck.is_some() {
                    differing.push(happens);
                    if !matches!(items[steps], Item::Value { .. }) {
                        break;
                    }
                } else {
                    fixed.push(happens);
                    self.matched += u64::from(matches!(items[steps], Item::Value { .. }));
                    self.aligned.push(i);
                }
                at = i + 1;
                steps += 1;
            }
            let Some(s) = stuck else { return self.end(&fixed, failed, items) };
            let from = self.aligned.last().map_or(0, |i| i + 1);
            more = vec![self.next_is(from, &items[s])];
            if differing.len() > 1 {
                guess = Some(differing);
            }
        }
        Verdict::Budget
    }

    /// The step after those that are fixed is in no model: is that because something is not encoded?
    fn beyond(&mut self, fixed: &[Term], from: usize, items: &[Item]) -> Verdict {
        let hidden = self.next_is_hidden(from);
        let assume: Vec<Term> = fixed.iter().copied().chain([hidden]).collect();
        match self.ask(&assume) {
            Outcome::Sat => Verdict::Beyond,
            Outcome::Unknown => Verdict::Budget,
            Outcome::Unsat(_) => {
                let n = self.aligned.len();
                Verdict::Lost(format!(
                    "step {n} of {} is impossible: {} (after {})",
                    items.len(),
                    self.show(items.get(n)),
                    self.show(n.checked_sub(1).and_then(|i| items.get(i)))
                ))
            }
        }
    }

    fn end(&mut self, fixed: &[Term], failed: Option<CheckId>, items: &[Item]) -> Verdict {
        let claims: Vec<Term> =
            self.formula.claims.iter().filter(|c| Some(c.check) == failed).map(|c| c.fails).collect();
        let any = match failed {
            Some(_) => self.encoder.terms.pool.or_all(claims),
            None => self.encoder.terms.pool.tt(),
        };
        let assume: Vec<Term> = fixed.iter().copied().chain([any]).collect();
        match self.ask(&assume) {
            Outcome::Sat => Verdict::Embedded,
            Outcome::Unknown => Verdict::Budget,
            Outcome::Unsat(_) => {
                let from = self.aligned.last().map_or(0, |i| i + 1);
                // The check may be one of a library function that is not followed.
                let place = failed.map(|c| (self.checks.get(c).func, self.checks.get(c).loc));
                if place.is_some() && self.formula.cuts.iter().any(|c| c.place == place) {
                    return Verdict::Beyond;
                }
                match self.beyond(fixed, from, items) {
                    Verdict::Lost(_) => Verdict::Lost(format!(
                        "the claim that it ends so is impossible ({}) after {}",
                        self.wanted,
                        self.show(items.last())
                    )),
                    other => other,
                }
            }
        }
    }

    /// Of the values of the execution just followed, how many the choices alone leave no choice; and how many there are.
    pub fn forced(&mut self, items: &[Item]) -> (u64, u64) {
        let mut choices = vec![self.always];
        let mut others = Vec::new();
        for (item, i) in items.iter().zip(self.aligned.clone()) {
            let Some(is) = self.is_step(i, item) else { continue };
            let here = self.places[i].0;
            let happens = self.and(here, is);
            match item {
                Item::Choice(..) => choices.push(happens),
                Item::Value { defined: true, .. } => {
                    let not = self.not(happens);
                    others.push(not);
                }
                _ => {}
            }
        }
        let n = others.len() as u64;
        for _ in 0..20 {
            let any = self.encoder.terms.pool.or_all(others.iter().copied());
            let assume: Vec<Term> = choices.iter().copied().chain([any]).collect();
            match self.ask(&assume) {
                Outcome::Unsat(_) => return (others.len() as u64, n),
                Outcome::Unknown => return (0, 0),
                Outcome::Sat => {
                    let left: Vec<Term> = others.iter().copied().filter(|t| !self.holds(*t)).collect();
                    others = left;
                }
            }
        }
        (0, 0)
    }
}
