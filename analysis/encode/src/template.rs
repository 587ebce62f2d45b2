//! Guarded templates at the heads of loops (brain-2015 §3.3). A row is `e(x) <= d`: an expression over the values that
//! a loop changes, and a parameter that is looked for elsewhere. Rows: each variable and its negation, signed and
//! unsigned; of two variables that the loop compares, or of all in small loops, sums and differences; the distance of
//! a variable from what it began with. Expressions are wide enough never to wrap. Besides, equalities modulo the width:
//! of sums of a few variables, and of what two of them have grown by, each by constants of its own.
//!
//! The row is assumed wherever control is at the head, and shown where it gets there: on entry, and where the last
//! copy of an iteration that began anywhere comes round. With every parameter at [`Row::top`], nothing is assumed; at
//! [`Row::bottom`], no iteration has begun yet.
//!
//! All copies of a loop within the copies of outer loops share the parameters of their rows. They need not have the same
//! rows (what is constant in one copy is not in another), so a row is assumed only in copies in which it is shown: not in
//! early copies of an outer loop that was entered in the middle.

use crate::arith;
use crate::build::{Arrival, Build};
use crate::elements::ElementRow;
use crate::iterate::Place;
use crate::linear;
use crate::memory;
use crate::object::Kind;
use crate::plan::{Domain, Suggested};
use crate::sym::{NULL, Sym};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_facts::{LoopForest, LoopId, invariant};
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, Step};
use verify_ir::{Block, Body, Const, FuncId, InstKind, Loc, Operand, Ty, Value};
use verify_solver::{Pool, Sort, Term};

/// Variables of one loop.
const MAX_VARIABLES: usize = 16;
/// Pairs of variables of one loop.
const MAX_PAIRS: usize = 24;
/// In loops with at most as many variables, all pairs are looked at.
const SMALL: usize = 4;
/// Constants that are tried as bounds of one variable.
const MAX_LIKELY: usize = 8;
/// Variables of one loop of which sums are looked at.
const MAX_RELATED: usize = 5;
/// Constants that a loop adds to one variable.
const MAX_STEPS: usize = 2;
/// Sum of the two numbers of a ratio of such constants.
const MOST_STEPS: i64 = 12;
/// Rows of a formula.
const MAX_ROWS: usize = 400;
/// Bits of a parameter.
const MOST_BITS: u32 = 100;
/// Of a sum modulo the width, values that count more often than this are multiplied.
const MOST_TIMES: u64 = 16;

/// What a row says of its expression and its parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is at most the parameter, signed. A parameter that models do not show soon is searched for.
    AtMost,
    /// The same, without the search: what does not settle soon is dropped.
    AtMostSoon,
    /// The same, and this parameter is tried before all others: somebody has reason to believe in it.
    AtMostFrom(i128),
    /// The same of -1 where an offset is inside its object, 0 at the end of it, and 1 beyond: to compare is much less work
    /// for a solver than to subtract.
    Room,
    /// 0 where the sum, modulo the width, leaves this rest when it is divided by this number, 1 where not; the number and the rest.
    Rest(u64, u64),
    /// Its bits, with zeros above, are those of the parameter: an equality modulo a power of two, which wraps as the
    /// program does.
    Equal,
}

/// A row of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The parameter, a free symbol, signed.
    pub bound: Term,
    /// Its width in bits.
    pub width: u32,
    /// No value of the expression's type is above this.
    pub most: i128,
    /// Values that the program compares with, in order: likely parameters.
    pub likely: Vec<i128>,
    /// How the expression and the parameter are related.
    pub relation: Relation,
    /// It comes from outside ([`crate::Encoder::suggestions`]).
    pub suggested: bool,
    /// It counts under a condition only.
    pub by_case: bool,
    /// It is about the elements of an array.
    pub elements: bool,
    /// For people: the expression.
    pub what: String,
    /// The same in terms of the program; [`None`]: it speaks of something that the program has no name for.
    pub named: Option<Named>,
}

/// A row without its parameter, and the loop that it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Calls in progress, outermost first.
    pub calls: Vec<(FuncId, Loc)>,
    /// The function of the loop.
    pub func: FuncId,
    /// Its head.
    pub header: Block,
    /// The expression.
    pub parts: Vec<invariant::Part>,
}

impl Row {
    /// The parameter with which nothing is said.
    pub fn top(&self) -> i128 {
        (1 << (self.width - 1)) - 1
    }

    /// The parameter that no value keeps to.
    pub fn bottom(&self) -> i128 {
        -(1 << (self.width - 1))
    }

    /// An inequality as a truth value, of an expression that is as wide as the parameter.
    pub(crate) fn at_most(&self, pool: &mut Pool, value: Term) -> Term {
        pool.sle(value, self.bound)
    }

    /// An equality as a truth value, of summands two bits less wide than the parameter.
    pub(crate) fn equal(&self, pool: &mut Pool, summands: &[(Term, bool)]) -> Term {
        let w = self.width - 2;
        let top = pool.num(self.width, self.top() as u128);
        let silent = pool.eq(self.bound, top);
        let high = pool.extract(self.bound, w + 1, w);
        let none = pool.num(2, 0);
        let number = pool.eq(high, none);
        let low = pool.extract(self.bound, w - 1, 0);
        let same = linear::equation(pool, summands, low, w);
        let said = pool.and(number, same);
        pool.or(silent, said)
    }
}

/// Control gets to the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// Index in [`crate::Formula::rows`].
    pub row: usize,
    /// An execution that counts gets there.
    pub reached: Term,
    /// The expression of the row there, and whether the row is kept to; [`None`]: there is none, and only the top parameter
    /// holds.
    pub value: Option<(Term, Term)>,
}

/// Something that has a value at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Variable {
    /// A parameter of the head.
    Param(usize),
    /// Memory.
    Cell(Place),
    /// Memory that is a number, also where its bytes might be those of a pointer: then that pointer's address.
    Number(Place),
    /// A value from before the loop.
    Fixed(Value),
    /// What a parameter was on entry.
    Start(usize),
    /// The size of the one object that a parameter or a value from before the loop points into, where it is not constant.
    Size(Value),
}

/// One variable of a row, with its sign and its factor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Part {
    pub(crate) variable: Variable,
    pub(crate) minus: bool,
    pub(crate) signed: bool,
    pub(crate) times: u64,
}

/// Visits at which a row counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum When {
    Always,
    /// Not where the loop is entered.
    Later,
    /// Where this holds.
    Given(IntPred, Variable, Against),
}

/// What a variable is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Against {
    Constant(u64),
    Variable(Variable),
}

/// The rows of one loop.
pub(crate) struct Template {
    /// The last says at which visits the row counts.
    rows: Vec<(usize, Vec<Part>, Relation, When)>,
    /// A parameter that counts, and what it is on entry.
    counter: Option<(usize, Term)>,
    /// Values where an iteration begins.
    atoms: BTreeSet<Term>,
    /// Values from before the loop, and on entry.
    pub(crate) fixed: BTreeMap<Variable, Sym>,
    /// About elements of arrays.
    elements: Rc<Vec<ElementRow>>,
    /// What the loop changes, for [`crate::head`].
    pub(crate) numbers: Vec<Variable>,
}

impl<'a> Build<'_, 'a> {
    /// The rows of a loop that is entered with `entry` and whose iterations begin with `start`.
    pub(crate) fn template(
        &mut self,
        body: &'a Body,
        l: LoopId,
        entry: &Arrival,
        start: &Arrival,
        cells: &[Place],
    ) -> Template {
        let mut t = Template {
            rows: Vec::new(),
            counter: None,
            atoms: BTreeSet::new(),
            fixed: BTreeMap::new(),
            elements: Rc::default(),
            numbers: Vec::new(),
        };
        // The library's own loops (how streams are flushed in the end, say) come second: few properties hang on them.
        let (f, _) = self.here();
        let library = verify_checks::calls::is_model(self.module(), self.module().func(f));
        if self.e.arrivals {
            t.numbers = self.numbers(body, l, entry, start, cells, &mut t.fixed);
        }
        if self.plan.domain == Domain::Nothing || library && self.plan.unwind == 1 && !self.plan.library {
            return t;
        }
        let cfg = self.frame().cfg.clone();
        let header = cfg.loops.get(l).header;
        let params = &body.block(header).params;
        let mut variables: Vec<Variable> = Vec::new();
        for (i, v) in params.iter().enumerate() {
            let fits = match body.ty(*v) {
                Ty::Int(w) => (2..=64).contains(&w),
                Ty::Ptr => true,
                _ => false,
            };
            if fits && start.args.get(i) != entry.args.get(i) {
                variables.push(Variable::Param(i));
            }
        }
        variables.extend(cells.iter().filter(|c| matches!(c.2, 1 | 2 | 4 | 8)).map(|c| Variable::Cell(*c)));
        variables.truncate(MAX_VARIABLES);
        let mut pairs: Vec<(Variable, Variable, bool)> = Vec::new();
        let mut rooms: Vec<(Variable, Variable)> = Vec::new();
        if self.plan.domain >= Domain::Zones {
            for (i, v) in params.iter().enumerate() {
                let (Some(s), true) = (entry.args.get(i), variables.contains(&Variable::Param(i))) else { continue };
                if self.e.terms.pool.as_const(s.bits).is_none() {
                    t.fixed.insert(Variable::Start(i), *s);
                    pairs.push((Variable::Param(i), Variable::Start(i), body.ty(*v) != Ty::Ptr));
                }
            }
            for (i, at) in self.rooms(body, l) {
                let object = match params.iter().position(|p| *p == at) {
                    Some(k) => start.args.get(k).and_then(|s| self.one_object(*s)),
                    None => self.earlier(start, at).and_then(|s| self.one_object(s)),
                };
                let (Some(o), true) = (object, variables.contains(&Variable::Param(i))) else { continue };
                let object = &self.e.terms.objects[o as usize];
                let sized = matches!(object.kind, Kind::Stack | Kind::Heap(_));
                let size = object.size;
                if sized && self.e.terms.pool.as_const(size).is_none() {
                    t.fixed.insert(Variable::Size(at), self.e.terms.int(size));
                    rooms.push((Variable::Param(i), Variable::Size(at)));
                }
            }
            for (a, b, signed) in self.compared(body, l, start, &mut t.fixed) {
                if a != b && !pairs.contains(&(a, b, signed)) {
                    pairs.push((a, b, signed));
                }
            }
            if variables.len() <= SMALL {
                for (i, a) in variables.iter().enumerate() {
                    for b in &variables[..i] {
                        if !pairs.iter().any(|(x, y, _)| (x, y) == (a, b) || (x, y) == (b, a)) {
                            pairs.push((*b, *a, true));
                        }
                    }
                }
            }
            pairs.truncate(MAX_PAIRS);
        }
        let part = |variable, minus, signed| Part { variable, minus, signed, times: 1 };
        let mut rows: Vec<(Vec<Part>, Relation)> = Vec::new();
        let (as_signed, as_unsigned) = used_as(body, l, &cfg.loops);
        for &v in &variables {
            let (s, u) = match v {
                Variable::Param(i) => (as_signed.contains(&params[i]), as_unsigned.contains(&params[i])),
                _ => (true, false),
            };
            let kinds = [(s || !u).then_some(true), u.then_some(false)];
            for signed in kinds.into_iter().flatten() {
                rows.extend([false, true].map(|minus| (vec![part(v, minus, signed)], Relation::AtMost)));
            }
        }
        for &(a, b, signed) in &pairs {
            let signs = [(false, true), (true, false), (false, false), (true, true)];
            let n = if self.plan.domain >= Domain::Octagons { 4 } else { 2 };
            for (m, n) in &signs[..n] {
                rows.push((vec![part(a, *m, signed), part(b, *n, signed)], Relation::AtMost));
            }
        }
        let room = |(a, b)| (vec![part(a, false, false), part(b, true, false)], Relation::Room);
        rows.extend(rooms.into_iter().map(room));
        for v in &variables {
            let value = self.value_of(&t, start, *v);
            t.atoms.extend(value);
        }
        if self.plan.domain >= Domain::Zones {
            let related: Vec<Variable> = variables.iter().copied().take(MAX_RELATED).collect();
            rows.extend(sums(&related).into_iter().map(|parts| (parts, Relation::Equal)));
            let steps = steps(body, l, &cfg.loops);
            rows.extend(growths(&related, &t.fixed, &steps).into_iter().map(|parts| (parts, Relation::Equal)));
        }
        let own = rows.len();
        let mut rows: Vec<(Vec<Part>, Relation, When)> = rows.into_iter().map(|(p, r)| (p, r, When::Always)).collect();
        if self.plan.suggested != Suggested::Nothing {
            rows.extend(self.suggested(header, params, start, &mut t.fixed));
            let counts = |s: &BTreeSet<i64>| s.iter().all(|n| *n > 0) || s.iter().all(|n| *n < 0);
            let steps = steps(body, l, &cfg.loops);
            let counter = steps.iter().find(|(i, s)| counts(s) && start.args.get(**i) != entry.args.get(**i));
            t.counter = counter.and_then(|(i, _)| Some((*i, entry.args.get(*i)?.bits)));
        }
        let constants = constants(body, l, &cfg.loops);
        for (i, (parts, relation, when)) in rows.into_iter().enumerate() {
            if self.out.rows.len() >= MAX_ROWS {
                break;
            }
            // Objects that a pointer may change between have no common offset.
            let Some((width, most)) = self.range_of(&t, start, &parts, relation) else { continue };
            let tag = match relation {
                Relation::Equal => 44,
                Relation::AtMostFrom(_) => 45,
                Relation::Rest(..) => 46,
                _ => 40,
            };
            let mut key = vec![tag, header.0];
            key.extend(self.place());
            parts.iter().for_each(|p| key.extend(p.key()));
            key.extend(when.key());
            if let Relation::Rest(m, is) = relation {
                key.extend([m, is].into_iter().flat_map(|x| [x as u32, (x >> 32) as u32]));
            }
            let bound = self.t().symbol(&key, Sort::Bv(width));
            let known = self.out.rows.iter().position(|r| r.bound == bound);
            let index = known.unwrap_or_else(|| {
                let mut what = parts.iter().map(|p| p.text(body, header)).collect::<Vec<_>>().join(" ");
                if let Relation::Rest(m, is) = relation {
                    what += &format!(" mod {m} = {is}");
                }
                what += &when.text(body, header);
                let likely = likely(&parts, &constants);
                // The program has no words for the others.
                let unnamed =
                    when != When::Always || matches!(relation, Relation::Equal | Relation::Room | Relation::Rest(..));
                let named = if unnamed { None } else { self.named(body, header, start, &parts) };
                let suggested = i >= own;
                let (elements, by_case) = (false, matches!(when, When::Given(..)));
                self.out.rows.push(Row {
                    bound,
                    width,
                    most,
                    likely,
                    relation,
                    suggested,
                    by_case,
                    elements,
                    what,
                    named,
                });
                self.out.rows.len() - 1
            });
            t.rows.push((index, parts, relation, when));
        }
        if self.plan.domain >= Domain::Zones {
            let room = MAX_ROWS.saturating_sub(self.out.rows.len());
            t.elements = Rc::new(self.element_rows(body, l, entry, start, room));
        }
        if self.e.heads && !self.e.arrivals && self.plan.unwind == 1 {
            t.numbers = self.numbers(body, l, entry, start, cells, &mut t.fixed);
        }
        t
    }

    /// Control is at the head: the rows are to be shown where `shown` holds, and then assumed where `assumed` does. Where they are
    /// shown, the state is also that of `as_is`.
    pub(crate) fn visit(&mut self, t: &Template, at: &Arrival, as_is: &Arrival, shown: Term, assumed: Term) {
        if self.dry > 0 || t.rows.is_empty() && t.elements.is_empty() {
            return;
        }
        let guard = self.e.terms.pool.and(at.path.guard, shown);
        let reached = self.reached(guard);
        let (mut hold, mut known) = (Vec::new(), Vec::new());
        let counts = t.counter.and_then(|(i, first)| {
            let is = at.args.get(i)?.bits;
            (self.e.terms.pool.width(is) == self.e.terms.pool.width(first)).then(|| {
                let same = self.e.terms.pool.eq(is, first);
                self.e.terms.pool.not(same)
            })
        });
        let all = reached;
        for (row, parts, relation, when) in &t.rows {
            let row = *row;
            let applies = match when {
                When::Always => Some(self.tt),
                When::Later => counts,
                When::Given(pred, left, right) => self.condition(t, at, *pred, *left, *right),
            };
            // Nobody can say where it counts.
            let Some(applies) = applies else {
                self.out.visits.push(Visit { row, reached: all, value: None });
                continue;
            };
            let reached = self.e.terms.pool.and(all, applies);
            let visits = self.show(t, as_is, row, parts, *relation, reached);
            let visits = visits.or_else(|| self.show(t, at, row, parts, *relation, reached));
            self.out.visits.extend(visits.unwrap_or_else(|| vec![Visit { row, reached, value: None }]));
            let width = self.out.rows[row].width;
            if *relation == Relation::Equal {
                if let Some(s) = self.summands(t, at, parts, width - 2) {
                    let holds = self.out.rows[row].equal(&mut self.e.terms.pool, &s);
                    hold.push(self.e.terms.pool.implies(applies, holds));
                }
            } else if let Some(v) = self.evaluate(t, at, parts, *relation, width) {
                let holds = self.out.rows[row].at_most(&mut self.e.terms.pool, v);
                hold.push(self.e.terms.pool.implies(applies, holds));
                if parts.len() > 2
                    && let Some(summands) = self.wide_summands(t, at, parts)
                {
                    let (sum, wraps) = linear::wide_sum(&mut self.e.terms.pool, &summands);
                    known.extend(Some((sum, v)).filter(|_| wraps.is_empty()));
                }
            }
        }
        hold.extend(self.visit_elements(&t.elements, at, reached));
        let guard = self.e.terms.pool.and(at.path.guard, assumed);
        for h in hold {
            self.assume(guard, h);
        }
        for k in known {
            if !self.sums.contains(&k) {
                self.sums.push(k);
            }
        }
        self.rely_on_elements(&t.elements, at, guard);
    }

    /// Visits of a row with this state; [`None`]: the state has no value of it.
    fn show(
        &mut self,
        t: &Template,
        at: &Arrival,
        row: usize,
        parts: &[Part],
        relation: Relation,
        reached: Term,
    ) -> Option<Vec<Visit>> {
        let width = self.out.rows[row].width;
        if relation == Relation::Equal {
            let summands = self.summands(t, at, parts, width - 2)?;
            return Some(self.equal_to(row, reached, &summands, &t.atoms));
        }
        let flag = matches!(relation, Relation::Room | Relation::Rest(..));
        let v = self.evaluate(t, at, parts, relation, width)?;
        let kept = self.out.rows[row].at_most(&mut self.e.terms.pool, v);
        Some(match self.wide_summands(t, at, parts).filter(|s| s.len() > 1 && !flag) {
            Some(summands) => self.at_most_by_cases(row, reached, (v, kept), &summands, &t.atoms),
            None => vec![Visit { row, reached, value: Some((v, kept)) }],
        })
    }

    /// The row in terms of the program.
    pub(crate) fn named(&mut self, body: &Body, header: Block, start: &Arrival, parts: &[Part]) -> Option<Named> {
        let params = &body.block(header).params;
        let part = |b: &mut Self, p: &Part| {
            let variable = match p.variable {
                Variable::Param(i) => invariant::Variable::Value(params[i]),
                Variable::Fixed(v) => invariant::Variable::Value(v),
                Variable::Start(i) => invariant::Variable::Start(params[i]),
                // The program has no name for it.
                Variable::Size(_) => return None,
                Variable::Cell((o, offset, size)) | Variable::Number((o, offset, size)) => {
                    invariant::Variable::Cell { object: b.object_by_name(start, o)?, offset, size }
                }
            };
            let times = u32::try_from(p.times).ok()?;
            Some(invariant::Part { variable, minus: p.minus, signed: p.signed, times })
        };
        let parts = parts.iter().map(|p| part(self, p)).collect::<Option<Vec<_>>>()?;
        let mut calls: Vec<(FuncId, Loc)> = self.stack.iter().map(|f| (f.func, f.loc)).collect();
        let (func, _) = calls.pop()?;
        Some(Named { calls, func, header, parts })
    }

    /// What the program calls an object: a global, or what a value of a call in progress points to.
    fn object_by_name(&mut self, start: &Arrival, o: u32) -> Option<invariant::Object> {
        if let Kind::Global(g) = self.e.terms.objects[o as usize].kind {
            return Some(invariant::Object::Global(g));
        }
        let is = |s: &Sym, pool: &verify_solver::Pool| {
            let number = |t| pool.as_const(t).and_then(|v| v.to_u64());
            number(s.prov) == Some(o.into()) && number(s.bits) == Some(0)
        };
        let pool = &self.e.terms.pool;
        let outs = start.path.outs.iter().filter(|(_, s)| is(s, pool)).map(|(v, _)| *v);
        if let Some(value) = outs.min() {
            return Some(invariant::Object::Behind { frame: 0, value });
        }
        for (frame, f) in (0..).zip(self.stack.iter().rev()) {
            let made = f.env.iter().enumerate().filter(|(_, s)| s.as_ref().is_some_and(|s| is(s, pool)));
            let mut made = made.map(|(i, _)| Value::new(i)).filter(|v| f.cfg.current(*v, f.loc.block));
            if let Some(value) = made.next() {
                return Some(invariant::Object::Behind { frame, value });
            }
        }
        None
    }

    /// The dynamic context without the numbers of loop copies.
    pub(crate) fn place(&self) -> Vec<u32> {
        let mut p = self.path.clone();
        for i in 0..p.len() {
            if p[i] == u32::MAX - 1 && i + 2 < p.len() {
                p[i + 2] = 0;
            }
        }
        p
    }

    /// Bits that hold the expression, and its greatest value.
    fn range_of(&mut self, t: &Template, at: &Arrival, parts: &[Part], relation: Relation) -> Option<(u32, i128)> {
        let (mut width, mut most) = (0, 0);
        if relation == Relation::Equal {
            let widths = parts.iter().map(|p| self.value_of(t, at, p.variable).map(|v| self.e.terms.pool.width(v)));
            let widths = widths.collect::<Option<BTreeSet<u32>>>()?;
            let w = *widths.first().filter(|_| widths.len() == 1)?;
            return Some((w + 2, i128::MAX));
        }
        if matches!(relation, Relation::Room | Relation::Rest(..)) {
            return Some((4, 1));
        }
        for p in parts {
            let s = self.value_of(t, at, p.variable)?;
            let w = self.e.terms.pool.width(s);
            width = width.max(w);
            most += i128::from(p.times) * greatest(w, p.signed, p.minus);
        }
        let times: u64 = parts.iter().map(|p| p.times).fold(0, u64::saturating_add);
        let width = width + 2 + times.max(1).ilog2() + u32::from(!times.is_power_of_two());
        (width <= MOST_BITS).then_some((width, most))
    }

    /// A number, or the offset in the one object that a pointer points into.
    pub(crate) fn value_of(&mut self, t: &Template, at: &Arrival, v: Variable) -> Option<Term> {
        let s = match v {
            Variable::Param(i) => *at.args.get(i)?,
            Variable::Cell((o, offset, size)) => {
                let module = self.module();
                let state = at.path.memory.get(&mut self.e.terms, module, o);
                memory::read(&mut self.e.terms, module, o, &state, offset, size)
            }
            Variable::Number((o, offset, size)) => {
                let module = self.module();
                let state = at.path.memory.get(&mut self.e.terms, module, o);
                let s = memory::read(&mut self.e.terms, module, o, &state, offset, size);
                return Some(self.number(s));
            }
            Variable::Fixed(_) | Variable::Start(_) | Variable::Size(_) => *t.fixed.get(&v)?,
        };
        let known = match self.e.terms.pool.as_const(s.prov).and_then(|v| v.to_u64()) {
            Some(one) => !matches!(self.e.terms.objects[one as usize].kind, Kind::Wild | Kind::Summary),
            None => self.one_object(s).is_some(),
        };
        (known && self.e.terms.pool.width(s.bits) <= 64).then_some(s.bits)
    }

    /// Parameters of the head that may not grow beyond an object: pointers, and indices of bytes behind a pointer from before
    /// the loop; each with the pointer.
    fn rooms(&mut self, body: &Body, l: LoopId) -> BTreeSet<(usize, Value)> {
        let cfg = self.frame().cfg.clone();
        let params = &body.block(cfg.loops.get(l).header).params;
        let blocks = &cfg.loops.get(l).blocks;
        let pointers = params.iter().enumerate().filter(|(_, v)| body.ty(**v) == Ty::Ptr);
        let mut out: BTreeSet<(usize, Value)> = pointers.map(|(i, v)| (i, *v)).collect();
        let made = made_in(body, l, &cfg.loops);
        for kind in made.values() {
            let InstKind::Addr { base, steps, .. } = kind else { continue };
            let inside = |v: &Value| made.contains_key(v) || blocks.iter().any(|b| body.block(*b).params.contains(v));
            let Some(base) = base.as_value().filter(|v| !inside(v)) else { continue };
            for s in steps {
                let Step::Index { index, stride: 1, .. } = s else { continue };
                let index = root(&made, index).and_then(|v| params.iter().position(|p| *p == v));
                out.extend(index.map(|i| (i, base)));
            }
        }
        out
    }

    /// The value from before a loop, where it is one.
    pub(crate) fn earlier(&mut self, start: &Arrival, v: Value) -> Option<Sym> {
        match start.path.outs.get(&v) {
            Some(s) => Some(*s),
            None => self.frame().env.get(v.index()).copied()?,
        }
    }

    /// The object that a pointer points into where it is not null, where that is only one, and known.
    fn one_object(&mut self, s: Sym) -> Option<u32> {
        let leaves = self.e.terms.leaves(s.prov);
        let mut some = leaves.iter().copied().filter(|o| *o != NULL);
        let one = some.next().filter(|_| some.next().is_none())?;
        (!matches!(self.e.terms.objects[one as usize].kind, Kind::Wild | Kind::Summary)).then_some(one)
    }

    /// What a row adds up, if all of it is of this width.
    fn summands(&mut self, t: &Template, at: &Arrival, parts: &[Part], width: u32) -> Option<Vec<(Term, bool)>> {
        let mut out = Vec::new();
        for p in parts {
            let v = self.value_of(t, at, p.variable).filter(|v| self.e.terms.pool.width(*v) == width)?;
            if p.times <= MOST_TIMES {
                out.extend((0..p.times).map(|_| (v, p.minus)));
            } else {
                let pool = &mut self.e.terms.pool;
                let times = pool.num(width, u128::from(p.times) & (u128::MAX >> (128 - width)));
                out.push((pool.mul(v, times), p.minus));
            }
        }
        Some(out)
    }

    /// A visit of a row that is an equality, by cases.
    pub(crate) fn equal_to(
        &mut self,
        row: usize,
        reached: Term,
        summands: &[(Term, bool)],
        atoms: &BTreeSet<Term>,
    ) -> Vec<Visit> {
        let mut out = Vec::new();
        let pool = &mut self.e.terms.pool;
        let r = &self.out.rows[row];
        for (condition, parts) in linear::cases(pool, summands, atoms) {
            let kept = r.equal(pool, &parts);
            let sum = linear::sum(pool, &parts, r.width - 2);
            let value = Some((pool.zext(sum, r.width), kept));
            out.push(Visit { row, reached: pool.and(reached, condition), value });
        }
        out
    }

    fn wide_summands(&mut self, t: &Template, at: &Arrival, parts: &[Part]) -> Option<Vec<linear::Summand>> {
        let summand = |p: &Part| {
            let times = i64::try_from(p.times).ok()?;
            Some((self.value_of(t, at, p.variable)?, if p.minus { -times } else { times }, p.signed))
        };
        parts.iter().map(summand).collect()
    }

    /// A visit of a row that is an inequality, whose value is `whole`, by cases: where nothing in a case wraps around, what an
    /// iteration adds here and there is seen to cancel out.
    fn at_most_by_cases(
        &mut self,
        row: usize,
        reached: Term,
        whole: (Term, Term),
        summands: &[linear::Summand],
        atoms: &BTreeSet<Term>,
    ) -> Vec<Visit> {
        let mut out = Vec::new();
        let width = self.out.rows[row].width;
        let values: Vec<(Term, bool)> = summands.iter().map(|s| (s.0, false)).collect();
        for (condition, values) in linear::cases(&mut self.e.terms.pool, &values, atoms) {
            let parts: Vec<linear::Summand> =
                values.iter().zip(summands).map(|((v, _), (_, k, signed))| (*v, *k, *signed)).collect();
            let pool = &mut self.e.terms.pool;
            let (sum, wraps) = linear::wide_sum(pool, &parts);
            let sum = sum.term(pool, width, &self.sums);
            let mut here = pool.and(reached, condition);
            if !wraps.is_empty() {
                let wrapped = wraps.into_iter().fold(pool.ff(), |all, w| pool.or(all, w));
                let other = pool.and(here, wrapped);
                out.push(Visit { row, reached: other, value: Some(whole) });
                let not = pool.not(wrapped);
                here = pool.and(here, not);
            }
            let kept = self.out.rows[row].at_most(&mut self.e.terms.pool, sum);
            out.push(Visit { row, reached: here, value: Some((sum, kept)) });
        }
        out
    }

    fn rest(&mut self, t: &Template, at: &Arrival, parts: &[Part], m: u64, is: u64) -> Option<Term> {
        let first = parts.first()?;
        let first_value = self.value_of(t, at, first.variable)?;
        let w = self.e.terms.pool.width(first_value);
        let summands = self.summands(t, at, parts, w)?;
        let pool = &mut self.e.terms.pool;
        let sum = linear::sum(pool, &summands, w);
        let (m, is) = (pool.num(w, m.into()), pool.num(w, is.into()));
        let rest = if first.signed { pool.srem(sum, m) } else { pool.urem(sum, m) };
        let same = pool.eq(rest, is);
        let [yes, no] = [0, 1].map(|n| pool.num(4, n));
        Some(pool.ite(same, yes, no))
    }

    /// The comparison of two integers as a truth value; [`None`]: they are not there, or of different widths.
    fn condition(&mut self, t: &Template, at: &Arrival, pred: IntPred, left: Variable, right: Against) -> Option<Term> {
        let a = self.value_of(t, at, left)?;
        let width = self.e.terms.pool.width(a);
        let b = match right {
            Against::Constant(bits) => self.e.terms.pool.num(width, u128::from(bits) & (u128::MAX >> (128 - width))),
            Against::Variable(v) => self.value_of(t, at, v).filter(|b| self.e.terms.pool.width(*b) == width)?,
        };
        Some(arith::compare(&mut self.e.terms.pool, pred, a, b))
    }

    fn evaluate(&mut self, t: &Template, at: &Arrival, parts: &[Part], relation: Relation, width: u32) -> Option<Term> {
        if let (Relation::Room, [offset, size]) = (relation, parts) {
            let (a, b) = (self.value_of(t, at, offset.variable)?, self.value_of(t, at, size.variable)?);
            let pool = &mut self.e.terms.pool;
            let a = if pool.width(a) < pool.width(b) { pool.zext(a, pool.width(b)) } else { a };
            if pool.width(a) != pool.width(b) {
                return None;
            }
            let end = pool.eq(a, b);
            let inside = self.e.terms.is_inside(a, b);
            let pool = &mut self.e.terms.pool;
            let [below, same, above] = [15, 0, 1].map(|n| pool.num(width, n));
            let beyond = pool.ite(end, same, above);
            return Some(pool.ite(inside, below, beyond));
        }
        if let Relation::Rest(m, is) = relation {
            return self.rest(t, at, parts, m, is);
        }
        let mut sum = self.e.terms.pool.num(width, 0);
        for p in parts {
            let v = self.value_of(t, at, p.variable)?;
            let pool = &mut self.e.terms.pool;
            if pool.width(v) + 2 > width {
                return None;
            }
            let v = if p.signed { pool.sext(v, width) } else { pool.zext(v, width) };
            let v = match p.times {
                1 => v,
                n => {
                    let n = pool.num(width, n.into());
                    pool.mul(v, n)
                }
            };
            sum = if p.minus { pool.sub(sum, v) } else { pool.add(sum, v) };
        }
        Some(sum)
    }

    /// Pairs of variables that the loop compares, seen through conversions and constant steps.
    fn compared(
        &mut self,
        body: &'a Body,
        l: LoopId,
        start: &Arrival,
        fixed: &mut BTreeMap<Variable, Sym>,
    ) -> BTreeSet<(Variable, Variable, bool)> {
        let cfg = self.frame().cfg.clone();
        let info = cfg.loops.get(l);
        let params = &body.block(info.header).params;
        let made = made_in(body, l, &cfg.loops);
        let mut out = BTreeSet::new();
        for kind in made.values() {
            let InstKind::Icmp { pred, lhs, rhs } = kind else { continue };
            let signed = !matches!(pred, IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge);
            let mut side = |o: &Operand| -> Option<Variable> {
                let v = root(&made, o)?;
                if let Some(i) = params.iter().position(|p| *p == v) {
                    return Some(Variable::Param(i));
                }
                if made.contains_key(&v) || info.blocks.iter().any(|b| body.block(*b).params.contains(&v)) {
                    return None;
                }
                let s = match start.path.outs.get(&v) {
                    Some(s) => *s,
                    None => self.frame().env[v.index()]?,
                };
                self.e.terms.pool.as_const(s.bits).is_none().then(|| {
                    fixed.insert(Variable::Fixed(v), s);
                    Variable::Fixed(v)
                })
            };
            if let (Some(a), Some(b)) = (side(lhs), side(rhs))
                && (matches!(a, Variable::Param(_)) || matches!(b, Variable::Param(_)))
            {
                out.insert((a, b, signed));
            }
        }
        out
    }
}

/// The greatest value of a number of `w` bits, or of its negation.
pub(crate) fn greatest(w: u32, signed: bool, minus: bool) -> i128 {
    match (signed, minus) {
        (true, false) => (1 << (w - 1)) - 1,
        (true, true) => 1 << (w - 1),
        (false, false) => (1 << w) - 1,
        (false, true) => 0,
    }
}

/// Values that a loop uses as signed numbers, and as unsigned ones, seen through conversions and constant steps.
pub fn used_as(body: &Body, l: LoopId, loops: &LoopForest) -> (BTreeSet<Value>, BTreeSet<Value>) {
    let (mut signed, mut unsigned) = (BTreeSet::new(), BTreeSet::new());
    let made = made_in(body, l, loops);
    for kind in made.values() {
        match kind {
            InstKind::Icmp { pred, lhs, rhs } => {
                let set = match pred {
                    IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => &mut unsigned,
                    IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge => &mut signed,
                    IntPred::Eq | IntPred::Ne => continue,
                };
                set.extend([lhs, rhs].into_iter().filter_map(|o| root(&made, o)));
            }
            InstKind::Binary { op: BinOp::UDiv | BinOp::URem | BinOp::LShr, lhs, .. } => {
                unsigned.extend(root(&made, lhs));
            }
            InstKind::Cast { op: CastOp::ZExt, arg } => unsigned.extend(root(&made, arg)),
            InstKind::Cast { op: CastOp::SExt, arg } => signed.extend(root(&made, arg)),
            _ => {}
        }
    }
    (signed, unsigned)
}

/// Constants that a loop compares with, signed and unsigned.
pub fn constants(body: &Body, l: LoopId, loops: &LoopForest) -> BTreeSet<i128> {
    let mut out = BTreeSet::from([0]);
    for kind in made_in(body, l, loops).values() {
        let InstKind::Icmp { lhs, rhs, .. } = kind else { continue };
        for o in [lhs, rhs] {
            if let Operand::Const(Const::Int { width, value }) = o
                && (2..=64).contains(width)
            {
                let signed = (*value << (128 - width)) as i128 >> (128 - width);
                out.extend([*value as i128, signed]);
            }
        }
    }
    out
}

/// Parameters to try first: constants and their neighbours; of differences, that they are about equal.
fn likely(parts: &[Part], constants: &BTreeSet<i128>) -> Vec<i128> {
    let around = |c: i128| [c - 1, c, c + 1];
    let all: BTreeSet<i128> = match parts {
        [one] => constants.iter().take(MAX_LIKELY).flat_map(|c| around(if one.minus { -c } else { *c })).collect(),
        _ => around(0).into(),
    };
    all.into_iter().collect()
}

/// Sums and differences of two and of three variables.
fn sums(variables: &[Variable]) -> Vec<Vec<Part>> {
    let part = |variable, minus| Part { variable, minus, signed: true, times: 1 };
    let mut out = Vec::new();
    for (i, a) in variables.iter().enumerate() {
        for (j, b) in variables.iter().enumerate().skip(i + 1) {
            for minus in [false, true] {
                out.push(vec![part(*a, false), part(*b, minus)]);
                for c in &variables[j + 1..] {
                    out.extend([false, true].map(|m| vec![part(*a, false), part(*b, minus), part(*c, m)]));
                }
            }
        }
    }
    out
}

/// How two variables have grown since the loop was entered, where that is not what [`sums`] says: what they began with is no
/// constant, or they grow by different constants.
fn growths(
    variables: &[Variable],
    starts: &BTreeMap<Variable, Sym>,
    steps: &BTreeMap<usize, BTreeSet<i64>>,
) -> Vec<Vec<Part>> {
    let start = |v: &Variable| match v {
        Variable::Param(i) => Some(Variable::Start(*i)).filter(|s| starts.contains_key(s)),
        _ => None,
    };
    let steps = |v: &Variable| match v {
        Variable::Param(i) => steps.get(i).into_iter().flatten().copied().collect(),
        _ => Vec::new(),
    };
    let part = |variable, minus| Part { variable, minus, signed: true, times: 1 };
    let mut out: Vec<Vec<Part>> = Vec::new();
    for (i, a) in variables.iter().enumerate() {
        for b in &variables[i + 1..] {
            let (mut ratios, anywhere) = (BTreeSet::new(), start(a).is_some() || start(b).is_some());
            if anywhere {
                ratios.extend([(1, 1), (1, -1)]);
            }
            for (m, n) in steps(a).into_iter().flat_map(|m| steps(b).into_iter().map(move |n| (m, n))) {
                let (m, n) = lowest(m, n);
                if (m, n.abs()) != (1, 1) && m + n.abs() <= MOST_STEPS {
                    ratios.insert((m, n));
                }
            }
            // A grows by `m` while b grows by `n`.
            for (m, n) in ratios {
                let mut parts = Vec::new();
                for (v, times, minus) in [(a, n.abs(), n < 0), (b, m, true)] {
                    for _ in 0..times {
                        parts.push(part(*v, minus));
                        parts.extend(start(v).map(|s| part(s, !minus)));
                    }
                }
                out.push(parts);
            }
        }
    }
    out
}

/// A ratio in lowest terms, the first number positive.
fn lowest(m: i64, n: i64) -> (i64, i64) {
    let (mut x, mut y) = (m.abs(), n.abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let d = x.max(1) * m.signum();
    (m / d, n / d)
}

/// Constants that a loop adds to its variables, by the number of the parameter; none of them 0.
pub(crate) fn steps(body: &Body, l: LoopId, loops: &LoopForest) -> BTreeMap<usize, BTreeSet<i64>> {
    let params = &body.block(loops.get(l).header).params;
    let mut out: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
    for kind in made_in(body, l, loops).values() {
        let Some((lhs, Operand::Const(Const::Int { width, value }), minus)) = stepped(kind) else { continue };
        let Some(i) = lhs.as_value().and_then(|v| params.iter().position(|p| *p == v)) else { continue };
        let step = match (*value << (128 - width)) as i128 >> (128 - width) {
            n if n == 0 || n.abs() >= MOST_STEPS.into() => continue,
            n if minus => -n as i64,
            n => n as i64,
        };
        let known = out.entry(i).or_default();
        if known.len() < MAX_STEPS {
            known.insert(step);
        }
    }
    out
}

/// The instructions of a loop by their only result; sums that say whether they overflow by the first.
pub(crate) fn made_in<'b>(body: &'b Body, l: LoopId, loops: &LoopForest) -> BTreeMap<Value, &'b InstKind> {
    let blocks = loops.get(l).blocks.iter();
    let insts = blocks.flat_map(|b| &body.block(*b).insts);
    let known = insts.filter(|i| i.results.len() == 1 || matches!(i.kind, InstKind::Overflow { .. }));
    known.filter_map(|i| Some((*i.results.first()?, &i.kind))).collect()
}

/// What a constant is added to, the constant as an operand, and whether it is subtracted.
fn stepped(kind: &InstKind) -> Option<(&Operand, &Operand, bool)> {
    use OverflowOp::{SAdd, SSub, UAdd, USub};
    match kind {
        InstKind::Binary { op: BinOp::Add, lhs, rhs: rhs @ Operand::Const(_), .. } => Some((lhs, rhs, false)),
        InstKind::Binary { op: BinOp::Sub, lhs, rhs: rhs @ Operand::Const(_), .. } => Some((lhs, rhs, true)),
        InstKind::Overflow { op: SAdd | UAdd, lhs, rhs: rhs @ Operand::Const(_) } => Some((lhs, rhs, false)),
        InstKind::Overflow { op: SSub | USub, lhs, rhs: rhs @ Operand::Const(_) } => Some((lhs, rhs, true)),
        _ => None,
    }
}

/// What a value is computed from by conversions and constant steps.
pub(crate) fn root(made: &BTreeMap<Value, &InstKind>, o: &Operand) -> Option<Value> {
    let mut v = o.as_value()?;
    for _ in 0..8 {
        let from = match made.get(&v) {
            Some(InstKind::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg }) => arg,
            Some(InstKind::Addr { base, .. }) => base,
            Some(InstKind::Freeze { arg }) => arg,
            Some(kind) => match stepped(kind) {
                Some((lhs, ..)) => lhs,
                None => break,
            },
            None => break,
        };
        v = from.as_value()?;
    }
    Some(v)
}

impl When {
    fn key(self) -> Vec<u32> {
        let of = |variable| Part { variable, minus: false, signed: false, times: 1 }.key();
        match self {
            When::Always => Vec::new(),
            When::Later => vec![u32::MAX - 9],
            When::Given(pred, left, right) => {
                let mut key = vec![u32::MAX - 10, pred as u32];
                key.extend(of(left));
                match right {
                    Against::Constant(bits) => key.extend([0, bits as u32, (bits >> 32) as u32]),
                    Against::Variable(v) => key.extend([1].into_iter().chain(of(v))),
                }
                key
            }
        }
    }

    fn text(self, body: &Body, header: verify_ir::Block) -> String {
        let of = |variable| Part { variable, minus: false, signed: true, times: 1 }.text(body, header);
        match self {
            When::Always => String::new(),
            When::Later => " later".into(),
            When::Given(pred, left, Against::Constant(bits)) => format!(" where {} {pred:?} {bits}", of(left)),
            When::Given(pred, left, Against::Variable(v)) => format!(" where {} {pred:?} {}", of(left), of(v)),
        }
    }
}

impl Part {
    pub(crate) fn key(self) -> [u32; 9] {
        let flags = u32::from(self.minus) + 2 * u32::from(self.signed);
        let wide = |x: u64| [x as u32, (x >> 32) as u32];
        let [n, high] = wide(self.times);
        match self.variable {
            Variable::Param(i) => [flags, n, high, 0, i as u32, 0, 0, 0, 0],
            Variable::Cell((o, at, size)) => [flags, n, high, 1, o, wide(at)[0], wide(at)[1], size as u32, 0],
            Variable::Number((o, at, size)) => [flags, n, high, 5, o, wide(at)[0], wide(at)[1], size as u32, 0],
            Variable::Fixed(v) => [flags, n, high, 2, v.0, 0, 0, 0, 0],
            Variable::Start(i) => [flags, n, high, 3, i as u32, 0, 0, 0, 0],
            Variable::Size(v) => [flags, n, high, 4, v.0, 0, 0, 0, 0],
        }
    }

    fn text(self, body: &Body, header: verify_ir::Block) -> String {
        let times = if self.times == 1 { String::new() } else { format!("{}*", self.times) };
        let sign = format!("{}{times}", if self.minus { "-" } else { "+" });
        let u = if self.signed { "" } else { "u" };
        match self.variable {
            Variable::Param(i) => format!("{sign}{u}{}", body.block(header).params[i]),
            Variable::Cell((o, at, n)) | Variable::Number((o, at, n)) => format!("{sign}{u}m{o}[{at}:{n}]"),
            Variable::Fixed(v) => format!("{sign}{u}{v}"),
            Variable::Size(v) => format!("{sign}{u}size({v})"),
            Variable::Start(i) => format!("{sign}{u}{}'", body.block(header).params[i]),
        }
    }
}
