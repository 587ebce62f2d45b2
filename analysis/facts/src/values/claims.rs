//! What a function says of several numbers at once to its callers and callees: sums that are not above 0, and how many
//! bytes lie behind a pointer, in terms of its parameters and results.
//!
//! A claim that a call made is put in terms of the values of the caller's place, and back; what all calls (all returns) show is
//! kept. What is claimed first is guessed from what one of them knows, the others have to show it.

use super::function::Function;
use super::interval::Interval;
use super::linear::Linear;
use super::state::{Base, Extent, Spans, State};
use std::collections::BTreeSet;
use verify_ir::inst::{BinOp, OverflowOp};
use verify_ir::{Block, Call, Const, FuncId, InstKind, Operand, Ty, Value};

/// A number that both sides of a call know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// The argument with this number.
    Param(u32),
    /// The result with this number.
    Result(u32),
}

/// What holds at each call, or return.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Claim {
    /// The sum is not above 0.
    Sum(Linear<Term>),
    /// The pointer is null, or at least so many bytes from it on are inside its object.
    Span(Term, Linear<Term>),
    /// The same of the result with this number, for a product of two parameters that does not wrap.
    Product(u32, u32, u32),
}

/// Claims that are kept of one function.
const MAX_CLAIMS: usize = 12;
/// Parameters that are looked at.
const MAX_PARAMS: usize = 8;

impl Function<'_, '_> {
    /// What holds of the parameters, and of nothing else, where the function begins.
    pub(super) fn begins_with(&mut self, s: &mut State, claims: &[Claim]) {
        if self.first_is_head() {
            return;
        }
        let params = self.body.block(Block::new(0)).params.clone();
        let of = |t: Term| match t {
            Term::Param(i) => params.get(i as usize).map(|v| Operand::Value(*v)),
            Term::Result(_) => None,
        };
        self.hold(s, claims, &of);
    }

    /// The claims hold from here on. False: they cannot.
    fn hold(&mut self, s: &mut State, claims: &[Claim], of: &dyn Fn(Term) -> Option<Operand>) -> bool {
        for c in claims {
            match c {
                Claim::Sum(l) => {
                    let l = l.replaced(|t| self.linear(s, &of(t)?));
                    if l.is_some_and(|l| !self.learn_sum(s, l)) {
                        return false;
                    }
                }
                Claim::Span(t, l) => {
                    let size = l.replaced(|t| self.linear(s, &of(t)?));
                    self.has_span(s, of(*t), size);
                }
                Claim::Product(r, a, b) => {
                    let of_param = |i: &u32| of(Term::Param(*i)).and_then(|o| Some((self.range(s, &o)?, o)));
                    let (Some((x, a)), Some((y, b))) = (of_param(a), of_param(b)) else { continue };
                    let size = match (x.exact(), y.exact()) {
                        _ if x.lo < 0 || y.lo < 0 => None,
                        (_, Some(k)) => self.linear(s, &a).and_then(|l| l.times(k)),
                        (Some(k), _) => self.linear(s, &b).and_then(|l| l.times(k)),
                        _ => None,
                    };
                    self.has_span(s, of(Term::Result(*r)), size);
                }
            }
        }
        true
    }

    fn has_span(&mut self, s: &mut State, ptr: Option<Operand>, size: Option<Linear<Value>>) {
        let (Some(p), Some(l)) = (ptr, size) else { return };
        if l.terms().is_empty() {
            return;
        }
        if let Some(n) = self.name(&p).filter(|n| n.offset == 0) {
            s.add_span(n.base, l);
        }
    }

    /// The claim holds here.
    fn bears_out(&mut self, s: &State, claim: &Claim, of: &dyn Fn(Term) -> Option<Operand>) -> bool {
        match claim {
            Claim::Sum(l) => {
                let l = l.replaced(|t| self.linear(s, &of(t)?));
                l.is_some_and(|l| self.proves(s, &l))
            }
            Claim::Span(t, l) => {
                let Some(p) = of(*t) else { return false };
                let size = l.replaced(|t| self.linear(s, &of(t)?));
                self.is_null(s, &p) || size.is_some_and(|l| self.inside(s, &p, &l))
            }
            Claim::Product(r, a, b) => {
                let Some(p) = of(Term::Result(*r)) else { return false };
                let size = self.product_behind(s, &p);
                let own = |i: &u32, o: Operand| of(Term::Param(*i)) == Some(o);
                self.is_null(s, &p) || size.is_some_and(|(x, y)| own(a, x) && own(b, y))
            }
        }
    }

    fn is_null(&mut self, s: &State, p: &Operand) -> bool {
        if matches!(p, Operand::Const(Const::Null)) {
            return true;
        }
        let Some(n) = self.name(p).filter(|n| n.offset == 0) else { return false };
        s.spans(n.base) == Some(&Spans::Null) || self.extent(s, n.base) == Some(Extent::ALL)
    }

    /// The factors of the number of bytes behind a pointer, which do not wrap.
    fn product_behind(&mut self, s: &State, p: &Operand) -> Option<(Operand, Operand)> {
        let n = self.name(p).filter(|n| n.offset == 0)?;
        let Some(Spans::Bytes(all)) = s.spans(n.base) else { return None };
        let sizes: Vec<Value> = all.iter().filter_map(Linear::one_atom).filter(|a| a.1 == 0).map(|a| a.0).collect();
        sizes.into_iter().find_map(|v| {
            let (b, i) = self.place_of(v)?;
            let inst = &self.body.block(b).insts[i as usize];
            match &inst.kind {
                InstKind::Overflow { op: OverflowOp::UMul, lhs, rhs } if inst.results.first() == Some(&v) => {
                    let fits = s.range(*inst.results.get(1)?).and_then(Interval::exact) == Some(0);
                    fits.then(|| (lhs.clone(), rhs.clone()))
                }
                InstKind::Binary { op: BinOp::Mul, flags, lhs, rhs } if flags.nuw => Some((lhs.clone(), rhs.clone())),
                _ => None,
            }
        })
    }

    /// What all returns, at these states and with these values, show of parameters and results.
    pub(super) fn claimed(&mut self, returns: &[(State, Vec<Operand>)]) -> Vec<Claim> {
        if self.first_is_head() {
            return Vec::new();
        }
        let attrs = &self.given.module.func(self.id).sig.params;
        let own = |i: usize| attrs.get(i).is_some_and(|p| p.attrs.byval.is_none());
        let params: Vec<Value> = self.body.block(Block::new(0)).params.clone();
        let mut all: BTreeSet<Claim> = BTreeSet::new();
        for (s, values) in returns {
            self.guesses(s, &params, values, &mut all);
        }
        let mut out = Vec::new();
        for c in all {
            let holds = returns.iter().all(|(s, values)| {
                let of = |t: Term| match t {
                    Term::Param(i) if own(i as usize) => params.get(i as usize).map(|v| Operand::Value(*v)),
                    Term::Param(_) => None,
                    Term::Result(j) => values.get(j as usize).cloned(),
                };
                self.bears_out(s, &c, &of)
            });
            if holds && out.len() < MAX_CLAIMS {
                out.push(c);
            }
        }
        out
    }

    /// What one return knows of parameters and results.
    fn guesses(&mut self, s: &State, params: &[Value], values: &[Operand], all: &mut BTreeSet<Claim>) {
        let position = |v: Value| params.iter().position(|p| *p == v).map(|i| Term::Param(i as u32));
        let results: Vec<Option<Linear<Value>>> = values.iter().map(|o| self.linear(s, o)).collect();
        let result = |v: Value| {
            let at = |(j, l): (usize, &Option<Linear<Value>>)| {
                let (a, c) = l.as_ref()?.one_atom()?;
                if a == v { Linear::atom(Term::Result(j as u32)).plus(-c) } else { None }
            };
            results.iter().enumerate().find_map(at)
        };
        let term = |v: Value| position(v).map(Linear::atom).or_else(|| result(v));
        for (terms, c) in s.facts() {
            let l = Linear::with(terms.to_vec(), c);
            all.extend(l.replaced(term).filter(|l| l.terms().len() > 1).map(Claim::Sum));
        }
        for (j, l) in results.iter().enumerate() {
            let Some(l) = l.as_ref().filter(|l| !l.terms().is_empty()) else { continue };
            let Some(l) = l.replaced(|v| position(v).map(Linear::atom)) else { continue };
            let d = l.minus(&Linear::atom(Term::Result(j as u32)));
            let e = d.as_ref().and_then(|d| d.times(-1));
            all.extend(d.into_iter().chain(e).filter(|l| l.terms().len() > 1).map(Claim::Sum));
        }
        let spans: Vec<(Base, Vec<Linear<Value>>)> = s
            .all_spans()
            .filter_map(|(b, s)| if let Spans::Bytes(all) = s { Some((b, all.clone())) } else { None })
            .collect();
        for (b, bytes) in spans {
            let mut names: Vec<Term> = match b {
                Base::Value(v) => position(v).into_iter().collect(),
                Base::Symbol(_) => Vec::new(),
            };
            for (j, o) in values.iter().enumerate() {
                if self.name(o).is_some_and(|n| n.base == b && n.offset == 0) {
                    names.push(Term::Result(j as u32));
                    if let Some((x, y)) = self.product_behind(s, o)
                        && let (Some(x), Some(y)) = (x.as_value(), y.as_value())
                        && let (Some(Term::Param(x)), Some(Term::Param(y))) = (position(x), position(y))
                    {
                        all.insert(Claim::Product(j as u32, x, y));
                    }
                }
            }
            for t in names {
                let sizes = bytes.iter().filter_map(|l| l.replaced(term)).filter(|l| !l.terms().is_empty());
                all.extend(sizes.map(|l| Claim::Span(t, l)));
            }
        }
    }

    /// A callee with these claims came back with these results. False: it cannot have.
    pub(super) fn told_by(
        &mut self,
        s: &mut State,
        c: &Call,
        callee: FuncId,
        results: &[Value],
        all: &[Claim],
    ) -> bool {
        let sig = &self.given.module.func(callee).sig;
        let same = |i: usize| sig.params.get(i).is_some_and(|p| p.ty == self.body.operand_ty(&c.args[i]));
        let copied = |i: usize| c.params.get(i).is_some_and(|p| p.attrs.byval.is_some());
        let ok: Vec<bool> = (0..c.args.len()).map(|i| same(i) && !copied(i)).collect();
        let of = |t: Term| match t {
            Term::Param(i) if ok.get(i as usize) == Some(&true) => Some(c.args[i as usize].clone()),
            Term::Param(_) => None,
            Term::Result(j) => results.get(j as usize).map(|v| Operand::Value(*v)),
        };
        self.hold(s, all, &of)
    }

    /// What a call shows of its arguments: of what was claimed before, or else what it knows.
    pub(super) fn passes(&mut self, s: &State, c: &Call, callee: FuncId, before: Option<&[Claim]>) -> Vec<Claim> {
        let sig = &self.given.module.func(callee).sig;
        let same = |i: usize| sig.params.get(i).is_some_and(|p| p.ty == self.body.operand_ty(&c.args[i]));
        let copied = |i: usize| c.params.get(i).is_some_and(|p| p.attrs.byval.is_some());
        let n = c.args.len().min(MAX_PARAMS);
        let ok: Vec<bool> = (0..n).map(|i| same(i) && !copied(i)).collect();
        let of = |t: Term| match t {
            Term::Param(i) if ok.get(i as usize) == Some(&true) => Some(c.args[i as usize].clone()),
            _ => None,
        };
        let all: Vec<Claim> = match before {
            Some(b) => b.to_vec(),
            None => self.guessed_of_arguments(s, c, &ok).into_iter().collect(),
        };
        let mut out = Vec::new();
        for claim in all {
            if out.len() < MAX_CLAIMS && self.bears_out(s, &claim, &of) {
                out.push(claim);
            }
        }
        out
    }

    fn guessed_of_arguments(&mut self, s: &State, c: &Call, ok: &[bool]) -> BTreeSet<Claim> {
        let mut all = BTreeSet::new();
        let ints: Vec<(u32, Linear<Value>)> = (0..ok.len())
            .filter(|i| ok[*i] && matches!(self.body.operand_ty(&c.args[*i]), Ty::Int(8..=64)))
            .filter_map(|i| Some((i as u32, self.linear(s, &c.args[i])?)))
            .collect();
        if ints.is_empty() {
            return all;
        }
        let param = |i: u32| Linear::atom(Term::Param(i));
        for (i, a) in &ints {
            for (j, b) in ints.iter().filter(|b| b.0 != *i) {
                let Some(d) = a.minus(b) else { continue };
                let most = self.most(s, &d, i128::MIN);
                if most <= 0 {
                    let by = i128::from(most < 0);
                    all.extend(param(*i).minus(&param(*j)).and_then(|l| l.plus(by)).map(Claim::Sum));
                }
            }
        }
        for p in (0..ok.len()).filter(|i| ok[*i] && self.body.operand_ty(&c.args[*i]) == Ty::Ptr) {
            for (_, behind) in self.around(s, &c.args[p]) {
                for (j, n) in &ints {
                    // As many elements of some size as the number says, and perhaps a few bytes more.
                    let factors: Vec<i128> = match (behind.terms(), n.terms()) {
                        ([], []) if n.constant() > 0 => vec![1, behind.constant() / n.constant()],
                        ([(a, k), ..], [(b, m), ..]) if a == b && k % m == 0 => vec![k / m],
                        _ => vec![1],
                    };
                    for k in factors.into_iter().filter(|k| *k > 0) {
                        let Some(rest) = behind.plus_times(-k, n) else { continue };
                        let more = if rest.terms().is_empty() && !n.terms().is_empty() { rest.constant() } else { 0 };
                        let size = param(*j).times(k).and_then(|l| l.plus(more));
                        all.extend(size.map(|l| Claim::Span(Term::Param(p as u32), l)));
                    }
                }
            }
        }
        all
    }
}
