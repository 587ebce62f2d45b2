//! Recursion for k-induction. A function that may call itself is looked at in *any* of its activations: the first one, with
//! the arguments and the memory of the call that enters the recursion, or, by a select variable as loops have it
//! (brain-2015 §2), one further down, of which nothing is known but what the rows say. A call of it from there is a
//! placeholder (malik-2018 §2.2) whose results keep to the rows.
//!
//! Two sets of rows `e(x) <= d`, with parameters that are found together with those of loops:
//! - *contexts*: about the arguments. Shown of the first call and of every call from an activation; assumed of any activation.
//! - *summaries*: about arguments and result, each under a condition on arguments that the function itself evaluates, or
//!   under none. Shown where an activation returns; assumed where a call of it has returned.
//!
//! That is induction over the order in which activations begin and end: contexts hold by those of the caller and by the
//! summaries of calls that have returned before, summaries by the context and by those of the calls inside.
//! What the recursion does to memory is not followed: whatever the function may write by the facts, an activation
//! further down, or a call that has returned, may have written.

use crate::arith;
use crate::build::{Arrival, Build, Path, Res};
use crate::plan::Domain;
use crate::sym::Sym;
use crate::template::{Relation, Row, Visit};
use crate::turn::{Pair, Turn};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;
use verify_ir::inst::IntPred;
use verify_ir::{Block, CType, Const, FuncId, InstKind, Operand, Ty, Value};
use verify_solver::{Bv, Sort, Term};

/// Parameters that rows speak of.
const MAX_NUMBERS: usize = 4;
/// Conditions on arguments.
const MAX_CONDITIONS: usize = 4;
/// Rows of a formula, those of loops included.
const MAX_ROWS: usize = 400;
/// Constants that are tried as bounds.
const MAX_LIKELY: usize = 8;

/// What a row speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    Param(usize),
    Result,
}

/// A number with its sign in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    number: Number,
    minus: bool,
    signed: bool,
}

/// One side of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Side {
    Param(usize),
    Const(Bv),
}

/// A comparison of arguments that the function makes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Condition {
    pred: IntPred,
    lhs: Side,
    rhs: Side,
}

/// A row, and where it counts.
#[derive(Clone, Debug)]
struct Expression {
    row: usize,
    parts: Vec<Part>,
    /// Number of a condition, and whether it holds.
    only: Option<(usize, bool)>,
}

/// A recursive function in progress.
#[derive(Debug)]
pub(crate) struct Recursive {
    conditions: Vec<Condition>,
    contexts: Vec<Expression>,
    summaries: Vec<Expression>,
    /// What the activation was called with.
    any: Vec<Sym>,
    /// Which recursion, in which calls: the same in all copies of loops around it.
    place: Vec<u32>,
}

impl<'a> Build<'_, 'a> {
    /// Calls a recursive function: any activation of it. Where it returns, it is the first.
    pub(crate) fn enter_recursion(
        &mut self,
        f: FuncId,
        args: Vec<Sym>,
        mut path: Path,
        results: &[Ty],
    ) -> Res<Option<Arrival>> {
        let entered = path.guard;
        let k = self.key(60);
        let ls = self.t().symbol(&k, Sort::Bv(1));
        if self.dry == 0 {
            self.out.selects.push(ls);
        }
        let first = self.e.terms.pool.not(ls);
        let mut known = self.rows_of(f, &args);
        self.visit_rows(&known, &known.contexts, entered, first, &args, None);
        // Pointers are handed on.
        for a in &args {
            self.expose(*a);
        }
        let before = path.memory.clone();
        self.ran(f, &mut path);
        let module = self.module();
        path.memory = crate::memory::Memory::merge(&mut self.e.terms, module, ls, &path.memory, &before);
        let types: Vec<Ty> = module.func(f).sig.params.iter().map(|p| p.ty).collect();
        let mut any = Vec::with_capacity(args.len());
        for (a, ty) in args.iter().zip(&types) {
            let free = self.handed_over(61, *ty);
            any.push(self.choose(ls, free, *a));
        }
        let filter = self.filter();
        self.assume_rows(&known, &known.contexts, entered, filter, &any, None);
        let allocations = self.allocated.len();
        known.any.clone_from(&any);
        known.place = self.place();
        known.place.extend([u32::MAX - 6, f.0]);
        let known = Rc::new(known);
        self.starting = Some(known.clone());
        // Any activation has any further arguments.
        self.further = None;
        let end = self.call_body(f, any.clone(), path, results)?;
        // Objects of other activations may still be there when the program ends.
        let made: Vec<_> = self.allocated.split_off(allocations).into_iter().map(|(c, _)| (c, entered)).collect();
        self.allocated.extend(made);
        let Some(mut end) = end else { return Ok(None) };
        let result = self.result(f, results, &end.args);
        let tt = self.tt;
        self.visit_rows(&known, &known.summaries, end.path.guard, tt, &any, result);
        end.path.guard = self.e.terms.pool.and(end.path.guard, first);
        Ok(Some(end))
    }

    /// A call of a function that is in progress as any activation of it.
    pub(crate) fn recur(
        &mut self,
        known: &Rc<Recursive>,
        f: FuncId,
        args: &[Sym],
        mut path: Path,
        results: &[Ty],
    ) -> Option<Arrival> {
        let (guard, tt) = (path.guard, self.tt);
        if self.e.endless {
            self.recursive_turn(known, f, args, guard);
        }
        self.visit_rows(known, &known.contexts, guard, tt, args, None);
        for a in args {
            self.expose(*a);
        }
        self.ran(f, &mut path);
        if self.module().func(f).attrs.noreturn {
            return None;
        }
        let values: Vec<Sym> = results.iter().map(|t| self.handed_over(62, *t)).collect();
        let result = self.result(f, results, &values);
        let filter = self.filter();
        self.assume_rows(known, &known.summaries, guard, filter, args, result);
        Some(Arrival { path, args: values })
    }

    /// Records the turn that begins with any activation and ends with a call of the function from it.
    fn recursive_turn(&mut self, known: &Recursive, func: FuncId, args: &[Sym], guard: Term) {
        let module = self.module();
        let Some(body) = module.func(func).body.as_ref().filter(|_| self.dry == 0) else { return };
        let round = self.reached(guard);
        if self.never(round) {
            return;
        }
        let params = &body.block(Block(0)).params;
        let name = |v: Value| match body.values[v.index()].var.and_then(|x| body.vars.get(x.index())) {
            Some(x) => x.name.clone(),
            None => v.to_string(),
        };
        let mut quantities = Vec::new();
        for ((v, a), b) in params.iter().zip(&known.any).zip(args) {
            let float = matches!(body.ty(*v), Ty::Float(_));
            self.quantity(&mut quantities, *a, *b, float, name(*v));
        }
        let mut pairs = Vec::new();
        for c in conditions(body, params) {
            let of = |b: &mut Self, s: &Side, all: &[Sym]| match s {
                Side::Param(i) => all.get(*i).filter(|s| b.e.terms.is_plain(**s)).map(|s| s.bits),
                Side::Const(c) => Some(b.e.terms.pool.constant(c.clone())),
            };
            let text = |s: &Side| match s {
                Side::Param(i) => name(params[*i]),
                Side::Const(c) => {
                    let unused = 128 - c.width().clamp(1, 128);
                    ((c.to_u128().unwrap_or(0) << unused) as i128 >> unused).to_string()
                }
            };
            let (Some(a), Some(b)) = (of(self, &c.lhs, &known.any), of(self, &c.lhs, args)) else { continue };
            let (Some(x), Some(y)) = (of(self, &c.rhs, &known.any), of(self, &c.rhs, args)) else { continue };
            let pool = &mut self.e.terms.pool;
            let same = pool.width(a) == pool.width(b) && pool.width(x) == pool.width(y);
            if !same || pool.width(a) != pool.width(x) || !(2..=64).contains(&pool.width(a)) {
                continue;
            }
            let what = format!("{} - {}", text(&c.lhs), text(&c.rhs));
            pairs.push(Pair { first: (a, b), second: Some((x, y)), what });
            let (before, after) = (arith::compare(pool, c.pred, a, x), arith::compare(pool, c.pred, b, y));
            let what = format!("{} {} {}", text(&c.lhs), c.pred.symbol(), text(&c.rhs));
            pairs.push(Pair { first: (before, after), second: None, what });
        }
        let span = body.block(Block(0)).insts.first().map_or(body.block(Block(0)).term_span, |i| i.span);
        let place = known.place.clone();
        self.out.turns.push(Turn {
            func,
            header: Block(0),
            span,
            place,
            iterations: 1,
            round,
            quantities,
            pairs,
            calls: true,
        });
    }

    /// The result as the function's own type has it.
    fn result(&self, f: FuncId, results: &[Ty], values: &[Sym]) -> Option<Sym> {
        let own = self.module().func(f).sig.results.first();
        (own == results.first()).then(|| values.first().copied()).flatten()
    }

    /// The rows of a function that is called here.
    fn rows_of(&mut self, f: FuncId, args: &[Sym]) -> Recursive {
        let mut out = Recursive {
            conditions: Vec::new(),
            contexts: Vec::new(),
            summaries: Vec::new(),
            any: Vec::new(),
            place: Vec::new(),
        };
        let module = self.module();
        let func = module.func(f);
        let Some(body) = func.body.as_ref().filter(|_| self.plan.domain != Domain::Nothing && self.dry == 0) else {
            return out;
        };
        let params = &body.block(Block(0)).params;
        let number = |t: Ty| matches!(t, Ty::Int(2..=64));
        let (result_type, types) = match func.ctype.map(|t| module.ctype(t)) {
            Some(CType::Function { ret, params, .. }) => (Some(*ret), params.clone()),
            _ => (None, Vec::new()),
        };
        let mut numbers: Vec<(usize, bool)> = Vec::new();
        for (i, v) in params.iter().enumerate().take(args.len()) {
            if number(body.ty(*v)) && numbers.len() < MAX_NUMBERS {
                numbers.push((i, crate::summary::is_signed(module, types.get(i).copied())));
            }
        }
        let pairs = self.plan.domain != Domain::Intervals;
        let of = |(i, signed): (usize, bool), minus| Part { number: Number::Param(i), minus, signed };
        let mut contexts: Vec<Vec<Part>> = Vec::new();
        for (k, p) in numbers.iter().enumerate() {
            contexts.extend([vec![of(*p, false)], vec![of(*p, true)]]);
            for q in numbers[..k].iter().filter(|_| pairs) {
                contexts.extend([vec![of(*p, false), of(*q, true)], vec![of(*p, true), of(*q, false)]]);
            }
        }
        let mut summaries: Vec<(Vec<Part>, Relation)> = Vec::new();
        if pairs && func.sig.results.first().is_some_and(|t| number(*t)) {
            let signed = crate::summary::is_signed(module, result_type);
            let r = |minus| Part { number: Number::Result, minus, signed };
            summaries.push((vec![r(false)], Relation::Equal));
            for (k, p) in numbers.iter().enumerate() {
                for m in [true, false] {
                    summaries.push((vec![r(false), of(*p, m)], Relation::Equal));
                    for q in &numbers[..k] {
                        summaries
                            .extend([true, false].map(|n| (vec![r(false), of(*p, m), of(*q, n)], Relation::Equal)));
                    }
                }
            }
            for minus in [false, true] {
                summaries.push((vec![r(minus)], Relation::AtMost));
                for p in &numbers {
                    summaries.push((vec![r(minus), of(*p, !minus)], Relation::AtMostSoon));
                }
            }
        }
        let likely = constants(body);
        out.conditions = conditions(body, params);
        let width_of = |n: Number| match n {
            Number::Param(i) => body.ty(params[i]).bits(&module.target),
            Number::Result => func.sig.results[0].bits(&module.target),
        };
        let mut place = self.place();
        place.push(f.0);
        let row = |b: &mut Self, group: u32, parts: Vec<Part>, relation, only: Option<(usize, bool)>| {
            let equal = relation == Relation::Equal;
            let mut key =
                vec![43, group + 2 * u32::from(equal), only.map_or(0, |(c, is)| 1 + 2 * c as u32 + u32::from(is))];
            for p in &parts {
                let n = match p.number {
                    Number::Param(i) => i as u32 + 1,
                    Number::Result => 0,
                };
                key.extend([n, u32::from(p.minus)]);
            }
            key.push(u32::MAX - 5);
            key.extend(&place);
            let widest = parts.iter().map(|p| width_of(p.number)).max().unwrap_or(1);
            if equal && parts.iter().any(|p| width_of(p.number) != widest) {
                return None;
            }
            let width = widest + if equal { 2 } else { 1 + parts.len() as u32 };
            let most = match relation {
                Relation::Equal => i128::MAX,
                _ => parts.iter().map(|p| extreme(width_of(p.number), p.signed, p.minus)).sum(),
            };
            let bound = b.t().symbol(&key, Sort::Bv(width));
            let row = b.out.rows.iter().position(|r| r.bound == bound).or_else(|| {
                let what = describe(&parts, only, f);
                let likely = likely.clone();
                let fits = b.out.rows.len() < MAX_ROWS;
                fits.then(|| {
                    b.out.rows.push(Row {
                        bound,
                        width,
                        most,
                        likely,
                        relation,
                        suggested: false,
                        by_case: false,
                        elements: false,
                        what,
                        named: None,
                    })
                });
                fits.then(|| b.out.rows.len() - 1)
            })?;
            Some(Expression { row, parts, only })
        };
        for parts in contexts {
            let relation = if parts.len() == 1 { Relation::AtMost } else { Relation::AtMostSoon };
            out.contexts.extend(row(self, 0, parts, relation, None));
        }
        for (parts, relation) in &summaries {
            out.summaries.extend(row(self, 1, parts.clone(), *relation, None));
        }
        for c in 0..out.conditions.len() {
            for is in [true, false] {
                for (parts, relation) in summaries.iter().filter(|s| s.0.len() < 3) {
                    let soon = if *relation == Relation::AtMost { Relation::AtMostSoon } else { *relation };
                    out.summaries.extend(row(self, 1, parts.clone(), soon, Some((c, is))));
                }
            }
        }
        out
    }

    /// Rows are to be shown here, where `shown` holds as well.
    fn visit_rows(
        &mut self,
        known: &Recursive,
        rows: &[Expression],
        guard: Term,
        shown: Term,
        args: &[Sym],
        result: Option<Sym>,
    ) {
        if self.dry > 0 || rows.is_empty() {
            return;
        }
        let guard = self.e.terms.pool.and(guard, shown);
        let reached = self.reached(guard);
        // What an activation begins with is not looked into.
        let atoms = args.iter().map(|a| a.bits).collect();
        for e in rows {
            let Some(applies) = self.applies(known, e, args) else {
                // Nobody can say when it counts.
                self.out.visits.push(Visit { row: e.row, reached, value: None });
                continue;
            };
            let reached = self.e.terms.pool.and(reached, applies);
            let summands = self.summands_of(e, args, result);
            if let (Relation::Equal, Some(s)) = (self.out.rows[e.row].relation, &summands) {
                let visits = self.equal_to(e.row, reached, s, &atoms);
                self.out.visits.extend(visits);
                continue;
            }
            let value = summands.map(|s| self.at_most(e, &s));
            self.out.visits.push(Visit { row: e.row, reached, value });
        }
    }

    fn assume_rows(
        &mut self,
        known: &Recursive,
        rows: &[Expression],
        guard: Term,
        assumed: Term,
        args: &[Sym],
        result: Option<Sym>,
    ) {
        if self.dry > 0 {
            return;
        }
        let guard = self.e.terms.pool.and(guard, assumed);
        for e in rows {
            let (Some(applies), Some(s)) = (self.applies(known, e, args), self.summands_of(e, args, result)) else {
                continue;
            };
            let holds = match self.out.rows[e.row].relation {
                Relation::Equal => self.out.rows[e.row].equal(&mut self.e.terms.pool, &s),
                Relation::AtMost
                | Relation::AtMostSoon
                | Relation::AtMostFrom(_)
                | Relation::Room
                | Relation::Rest(..) => self.at_most(e, &s).1,
            };
            let guard = self.e.terms.pool.and(guard, applies);
            self.assume(guard, holds);
        }
    }

    /// The condition of a row on these arguments.
    fn applies(&mut self, known: &Recursive, e: &Expression, args: &[Sym]) -> Option<Term> {
        let Some((c, is)) = e.only else { return Some(self.tt) };
        let c = &known.conditions[c];
        let mut side = |s: &Side| match s {
            Side::Param(i) => {
                let s = *args.get(*i)?;
                self.e.terms.is_plain(s).then_some(s.bits)
            }
            Side::Const(c) => Some(self.e.terms.pool.constant(c.clone())),
        };
        let (a, b) = (side(&c.lhs)?, side(&c.rhs)?);
        let holds = arith::compare(&mut self.e.terms.pool, c.pred, a, b);
        Some(if is { holds } else { self.e.terms.pool.not(holds) })
    }

    /// What a row adds up, if the numbers are as wide as they were when the row was made.
    fn summands_of(&self, e: &Expression, args: &[Sym], result: Option<Sym>) -> Option<Vec<(Term, bool)>> {
        let row = &self.out.rows[e.row];
        let values = e.parts.iter().map(|p| {
            let s = match p.number {
                Number::Param(i) => *args.get(i)?,
                Number::Result => result?,
            };
            let w = self.e.terms.pool.width(s.bits) + 2;
            let fits = if row.relation == Relation::Equal { w == row.width } else { w <= row.width };
            (self.e.terms.is_plain(s) && fits).then_some((s.bits, p.minus))
        });
        values.collect()
    }

    /// The expression of a row, and that it is at most the parameter.
    fn at_most(&mut self, e: &Expression, summands: &[(Term, bool)]) -> (Term, Term) {
        let row = &self.out.rows[e.row];
        let pool = &mut self.e.terms.pool;
        let mut sum = pool.num(row.width, 0);
        for ((t, minus), p) in summands.iter().zip(&e.parts) {
            let v = if p.signed { pool.sext(*t, row.width) } else { pool.zext(*t, row.width) };
            sum = if *minus { pool.sub(sum, v) } else { pool.add(sum, v) };
        }
        (sum, row.at_most(pool, sum))
    }
}

/// The greatest that a number, or its negation, can be.
fn extreme(width: u32, signed: bool, minus: bool) -> i128 {
    match (signed, minus) {
        (true, false) => (1 << (width - 1)) - 1,
        (true, true) => 1 << (width - 1),
        (false, false) => (1 << width) - 1,
        (false, true) => 0,
    }
}

/// Comparisons of parameters with each other or with constants.
fn conditions(body: &verify_ir::Body, params: &[Value]) -> Vec<Condition> {
    let mut out: Vec<Condition> = Vec::new();
    let side = |o: &Operand| match o {
        Operand::Value(v) => params.iter().position(|p| p == v).map(Side::Param),
        Operand::Const(Const::Int { width, value }) => Some(Side::Const(Bv::new(*width, *value))),
        Operand::Const(_) => None,
    };
    for i in body.blocks.iter().flat_map(|b| &b.insts) {
        let InstKind::Icmp { pred, lhs, rhs } = &i.kind else { continue };
        let (Some(lhs), Some(rhs)) = (side(lhs), side(rhs)) else { continue };
        let about_params = matches!(lhs, Side::Param(_)) || matches!(rhs, Side::Param(_));
        let c = Condition { pred: *pred, lhs, rhs };
        if about_params && !out.contains(&c) && out.len() < MAX_CONDITIONS {
            out.push(c);
        }
    }
    out
}

/// Numbers that the function computes with, and their negations: likely bounds, in order.
fn constants(body: &verify_ir::Body) -> Vec<i128> {
    let mut out = BTreeSet::from([-1, 0, 1]);
    for i in body.blocks.iter().flat_map(|b| &b.insts) {
        let (InstKind::Icmp { lhs, rhs, .. } | InstKind::Binary { lhs, rhs, .. }) = &i.kind else { continue };
        for o in [lhs, rhs] {
            if let Operand::Const(Const::Int { width, value }) = o
                && (2..=64).contains(width)
            {
                let v = ((*value << (128 - width)) as i128) >> (128 - width);
                out.extend([v, -v]);
            }
        }
    }
    let mut out: Vec<i128> = out.into_iter().collect();
    out.sort_by_key(|v| v.abs());
    out.truncate(MAX_LIKELY);
    out.sort_unstable();
    out
}

fn describe(parts: &[Part], only: Option<(usize, bool)>, f: FuncId) -> String {
    let mut text = String::new();
    for p in parts {
        text.push_str(if p.minus { " -" } else { " +" });
        match p.number {
            Number::Param(i) => _ = write!(text, " parameter {i}"),
            Number::Result => text.push_str(" result"),
        }
    }
    let when = only.map_or(String::new(), |(c, is)| format!(", condition {c} {is}"));
    format!("function {}:{text}{when}", f.0)
}
