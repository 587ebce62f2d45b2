//! Turns: one iteration of a loop (or as many as the plan unwinds) from its head back to its head, begun in any state
//! that the loop may be in. If some quantity of finite range goes down with every turn, the loop ends: what is looked
//! for elsewhere. Here stands what such a quantity can be made of. Calls of a recursive function from any of its
//! activations are turns as well ([`crate::recursion`]).
//!
//! The turns of a formula cover every way in which an execution can come round a loop, by the same argument as for
//! k-induction: any two visits of the head that are a turn apart, with what comes before them, are a model. A claim about
//! all models of [`Turn::round`] is therefore one about all turns of all executions.
//!
//! With [`crate::Encoder::endless`], executions do not end where C leaves their behaviour undefined: arithmetic wraps
//! around, what has no machine meaning gives any result, and accesses outside of objects are not assumed away. What ends
//! under this reading ends under the one where such executions do not count.

use crate::build::{Arrival, Build};
use crate::iterate::Place;
use crate::memory::{self, symbol_object};
use crate::object::Kind;
use crate::sym::{NULL, Sym};
use std::collections::BTreeMap;
use verify_facts::LoopId;
use verify_ir::inst::{CastOp, Step};
use verify_ir::{Block, Body, CheckKind, Const, FuncId, InstKind, Operand, SpanId, Terminator, Ty, Value};
use verify_solver::Term;

/// Quantities of one turn.
const MAX_QUANTITIES: usize = 24;
/// Conditions and differences of one turn.
const MAX_PAIRS: usize = 24;
/// Instructions between the head and a condition that is read as one about the head.
const MAX_DEPTH: u32 = 8;

/// A number at the beginning and at the end of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantity {
    /// At the head before.
    pub before: Term,
    /// At the head after.
    pub after: Term,
    /// It is the bits of a floating-point number.
    pub float: bool,
    /// The loop does not change it.
    pub fixed: bool,
    /// For people.
    pub what: String,
}

/// Two numbers that the loop compares, or a condition and nothing, as they were if computed at the head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The first, before and after.
    pub first: (Term, Term),
    /// The second; [`None`]: the first is a condition.
    pub second: Option<(Term, Term)>,
    /// For people.
    pub what: String,
}

/// A turn of one loop in one dynamic context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Function.
    pub func: FuncId,
    /// Head of the loop.
    pub header: Block,
    /// Its place in the source.
    pub span: SpanId,
    /// Which loop, in which calls: the same in all copies of loops around it.
    pub place: Vec<u32>,
    /// Iterations that it has.
    pub iterations: u32,
    /// An execution that counts comes round.
    pub round: Term,
    /// What changes.
    pub quantities: Vec<Quantity>,
    /// What is compared.
    pub pairs: Vec<Pair>,
    /// It begins with an activation of a recursive function and ends with a call of it from there: what is said of loops
    /// holds of the chain of calls. Of one place there is a turn for each such call.
    pub calls: bool,
}

impl<'a> Build<'_, 'a> {
    /// A failing check of this kind ends no execution.
    pub(crate) fn goes_on(&self, kind: CheckKind) -> bool {
        // What C defines ends nothing, however unwanted.
        kind.is_defined_by_c()
            || self.e.wraps && kind == CheckKind::SignedOverflow
            || self.e.endless && !self.e.defined && !matches!(kind, CheckKind::Assertion | CheckKind::ErrorCall)
    }

    /// The bits, or anything where `c` holds.
    pub(crate) fn any_where(&mut self, c: Term, bits: Term) -> Term {
        if self.never(c) {
            return bits;
        }
        let w = self.e.terms.pool.width(bits);
        let free = self.fresh(140, w);
        self.e.terms.pool.ite(c, free, bits)
    }

    /// Records the turns of a loop that begin with `start` and end with `next`, so many iterations later.
    pub(crate) fn turn(
        &mut self,
        body: &'a Body,
        l: LoopId,
        (start, next): (&Arrival, &Arrival),
        iterations: u32,
        cells: &[Place],
    ) {
        if self.dry > 0 {
            return;
        }
        let round = self.reached(next.path.guard);
        if self.never(round) {
            return;
        }
        let cfg = self.frame().cfg.clone();
        let header = cfg.loops.get(l).header;
        let (func, _) = self.here();
        let data = body.block(header);
        let mut quantities = Vec::new();
        for (i, v) in data.params.iter().enumerate() {
            let (Some(a), Some(b)) = (start.args.get(i).copied(), next.args.get(i).copied()) else { continue };
            let float = matches!(body.ty(*v), Ty::Float(_));
            let what = body.values[v.index()].var.and_then(|x| body.vars.get(x.index()));
            let what = what.map_or_else(|| v.to_string(), |x| x.name.clone());
            self.quantity(&mut quantities, a, b, float, what);
        }
        for &(o, at, size) in cells.iter().filter(|c| matches!(c.2, 1 | 2 | 4 | 8)) {
            let module = self.e.module;
            let mut value = |path: &crate::build::Path| {
                let state = path.memory.get(&mut self.e.terms, module, o);
                memory::read(&mut self.e.terms, module, o, &state, at, size)
            };
            let (a, b) = (value(&start.path), value(&next.path));
            let name = &self.e.terms.objects[o as usize].name;
            let what = if at == 0 { name.clone() } else { format!("{name}[{at}]") };
            self.quantity(&mut quantities, a, b, false, what);
        }
        quantities.truncate(MAX_QUANTITIES);
        let pairs = self.pairs(body, l, start, next);
        // Where the loop stands: its head may have nothing but a jump.
        let span = match data.insts.first() {
            Some(i) => i.span,
            None => data.term_span,
        };
        let mut place = self.place();
        place.push(header.0);
        self.out.turns.push(Turn { func, header, span, place, iterations, round, quantities, pairs, calls: false });
    }

    pub(crate) fn quantity(&mut self, out: &mut Vec<Quantity>, a: Sym, b: Sym, float: bool, what: String) {
        let p = &self.e.terms.pool;
        let w = p.width(a.bits);
        let (one, same) = (p.as_const(a.prov).and_then(|v| v.to_u64()), a.prov == b.prov);
        let known = one.is_some_and(|o| {
            !matches!(self.e.terms.objects[o as usize].kind, Kind::Wild | Kind::Summary) && w == p.width(b.bits)
        });
        if !known || !same || w > 64 {
            return;
        }
        out.push(Quantity { before: a.bits, after: b.bits, float, fixed: a.bits == b.bits, what });
    }

    /// What the loop decides by, as far as it is a matter of the state at its head.
    fn pairs(&mut self, body: &'a Body, l: LoopId, start: &Arrival, next: &Arrival) -> Vec<Pair> {
        let cfg = self.frame().cfg.clone();
        let info = cfg.loops.get(l);
        let header = info.header;
        let mut made: BTreeMap<Value, &'a InstKind> = BTreeMap::new();
        let mut conditions: Vec<&Operand> = Vec::new();
        for b in info.blocks.iter().copied() {
            let data = body.block(b);
            for i in &data.insts {
                // Of an operation that may overflow, the value; whether it does is not of use here.
                if let [r] | [r, _] = i.results[..] {
                    made.insert(r, &i.kind);
                }
            }
            match &data.term {
                Terminator::Branch { cond, .. } => conditions.push(cond),
                Terminator::Switch { value, .. } => conditions.push(value),
                _ => {}
            }
        }
        for kind in made.values() {
            if let InstKind::Select { cond, .. } = kind {
                conditions.push(cond);
            }
        }
        let mut out: Vec<Pair> = Vec::new();
        let h = |b: &mut Self, o: &Operand, at: &Arrival| {
            let other = if std::ptr::eq(at, start) { next } else { start };
            b.at_head(body, (l, header), &made, (at, other), o, MAX_DEPTH)
        };
        let compared: Vec<(&Operand, &Operand)> = made
            .values()
            .filter_map(|k| match k {
                InstKind::Icmp { lhs, rhs, .. } => Some((lhs, rhs)),
                _ => None,
            })
            .collect();
        for c in conditions {
            let (Some(a), Some(b)) = (h(self, c, start), h(self, c, next)) else { continue };
            if self.e.terms.pool.as_const(a).is_some() || self.e.terms.pool.width(a) != 1 {
                continue;
            }
            let pair = Pair { first: (a, b), second: None, what: text(body, c) };
            if !out.contains(&pair) {
                out.push(pair);
            }
        }
        // The sign of what is added in each round decides where the loop goes.
        let zero = |o: &Operand| match o {
            Operand::Value(v) if !made.contains_key(v) && !body.block(header).params.contains(v) => match body.ty(*v) {
                Ty::Int(w) if w > 1 => Some(Operand::Const(Const::Int { width: w, value: 0 })),
                _ => None,
            },
            _ => None,
        };
        let steps: Vec<(&Operand, Operand)> = made
            .values()
            .filter_map(|k| match k {
                InstKind::Binary { lhs, rhs, .. } | InstKind::Overflow { lhs, rhs, .. } => Some([lhs, rhs]),
                _ => None,
            })
            .flatten()
            .filter_map(|o| Some((o, zero(o)?)))
            .collect();
        let compared = compared.into_iter().chain(steps.iter().map(|(x, z)| (*x, z)));
        for (x, y) in compared {
            let (Some(a), Some(b)) = (h(self, x, start), h(self, x, next)) else { continue };
            let (Some(c), Some(d)) = (h(self, y, start), h(self, y, next)) else { continue };
            let w = self.e.terms.pool.width(a);
            if !(2..=64).contains(&w) || self.e.terms.pool.width(c) != w {
                continue;
            }
            let pair =
                Pair { first: (a, b), second: Some((c, d)), what: format!("{} - {}", text(body, x), text(body, y)) };
            if !out.contains(&pair) {
                out.push(pair);
            }
        }
        out.truncate(MAX_PAIRS);
        out
    }

    /// A value of the loop as it would be if computed from the state at its head.
    fn at_head(
        &mut self,
        body: &'a Body,
        (l, header): (LoopId, Block),
        made: &BTreeMap<Value, &'a InstKind>,
        (at, other): (&Arrival, &Arrival),
        o: &Operand,
        depth: u32,
    ) -> Option<Term> {
        let v = match o {
            Operand::Const(Const::Int { width, value }) => return Some(self.e.terms.pool.num(*width, *value)),
            Operand::Const(Const::Float { kind, bits }) => return Some(self.e.terms.pool.num(kind.bits(), *bits)),
            Operand::Const(Const::Null) => {
                let w = self.e.terms.ptr_bits;
                return Some(self.e.terms.pool.num(w, 0));
            }
            Operand::Const(_) => return None,
            Operand::Value(v) => *v,
        };
        if let Some(i) = body.block(header).params.iter().position(|p| *p == v) {
            return self.of_one_kind(*at.args.get(i)?, *other.args.get(i)?);
        }
        let Some(kind) = made.get(&v) else {
            let cfg = self.frame().cfg.clone();
            // A value that the loop makes some other way differs by the iteration.
            let inside = cfg.loops.get(l).blocks.iter().any(|b| {
                let data = body.block(*b);
                data.params.contains(&v) || data.insts.iter().any(|i| i.results.contains(&v))
            });
            if inside {
                return None;
            }
            // From before the loop.
            return match at.path.outs.get(&v) {
                Some(s) => Some(s.bits),
                None => self.frame().env[v.index()].map(|s| s.bits),
            };
        };
        let depth = depth.checked_sub(1)?;
        let arg = |b: &mut Self, o: &Operand| b.at_head(body, (l, header), made, (at, other), o, depth);
        let w = self.bits(body.ty(v));
        match kind {
            InstKind::Icmp { pred, lhs, rhs } => {
                let (x, y) = (arg(self, lhs)?, arg(self, rhs)?);
                let p = &mut self.e.terms.pool;
                (p.width(x) == p.width(y)).then(|| crate::arith::compare(p, *pred, x, y))
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let Ty::Float(k) = body.operand_ty(lhs) else { return None };
                let (x, y) = (arg(self, lhs)?, arg(self, rhs)?);
                Some(crate::float::compare(&mut self.e.terms, k, *pred, x, y))
            }
            InstKind::Binary { op, lhs, rhs, .. } => {
                let (x, y) = (arg(self, lhs)?, arg(self, rhs)?);
                let p = &mut self.e.terms.pool;
                (p.width(x) == w && p.width(y) == w).then(|| crate::arith::binary(p, *op, x, y))
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (x, y) = (arg(self, lhs)?, arg(self, rhs)?);
                let p = &mut self.e.terms.pool;
                (p.width(x) == w && p.width(y) == w).then(|| crate::arith::overflow(p, *op, x, y).0)
            }
            InstKind::Cast { op, arg: a } => {
                let x = arg(self, a)?;
                let p = &mut self.e.terms.pool;
                match op {
                    CastOp::SExt => Some(p.resize_signed(x, w)),
                    CastOp::ZExt | CastOp::Trunc => Some(p.resize_unsigned(x, w)),
                    _ => None,
                }
            }
            InstKind::Freeze { arg: a } => arg(self, a),
            InstKind::Load { ptr: Operand::Const(Const::Symbol(s)), .. } => {
                let module = self.e.module;
                if module.weak_alias(*s).is_some() {
                    return None;
                }
                let (s, off) = module.resolve(*s);
                let o = symbol_object(&mut self.e.terms, module, s)?;
                let state = at.path.memory.get(&mut self.e.terms, module, o);
                let size = u64::from(w) / 8;
                if state.array.is_some() || !matches!(size, 1 | 2 | 4 | 8) || !w.is_multiple_of(8) {
                    return None;
                }
                let later = other.path.memory.get(&mut self.e.terms, module, o);
                let value = memory::read(&mut self.e.terms, module, o, &state, off, size);
                let later = memory::read(&mut self.e.terms, module, o, &later, off, size);
                self.of_one_kind(value, later)
            }
            InstKind::Load { ptr, .. } => {
                let o = self.object_at_head(body, header, made, (at, other), ptr, depth)?;
                let (before, after) =
                    (arg(self, ptr)?, self.at_head(body, (l, header), made, (other, at), ptr, depth)?);
                let (module, size) = (self.e.module, u64::from(w) / 8);
                let mut value = |at: &Arrival, offset: Term| {
                    let state = at.path.memory.get(&mut self.e.terms, module, o);
                    memory::element(&mut self.e.terms, &state, offset, size).filter(|_| w.is_multiple_of(8))
                };
                let (value, later) = (value(at, before)?, value(other, after)?);
                self.of_one_kind(value, later)
            }
            InstKind::Addr { base, steps, .. } => {
                let mut out = arg(self, base)?;
                for s in steps {
                    let d = match s {
                        Step::Field { offset, .. } => self.e.terms.pool.num(w, u128::from(*offset)),
                        Step::Index { index, stride, .. } => {
                            let i = arg(self, index)?;
                            let p = &mut self.e.terms.pool;
                            let (i, k) = (p.resize_signed(i, w), p.num(w, u128::from(*stride)));
                            p.mul(i, k)
                        }
                    };
                    out = self.e.terms.pool.add(out, d);
                }
                Some(out)
            }
            _ => None,
        }
    }

    /// The one object that an address of the loop leads into, computed from the state at either head.
    fn object_at_head(
        &mut self,
        body: &Body,
        header: Block,
        made: &BTreeMap<Value, &'a InstKind>,
        (at, other): (&Arrival, &Arrival),
        o: &Operand,
        depth: u32,
    ) -> Option<u32> {
        let Operand::Value(v) = o else { return None };
        let prov = match body.block(header).params.iter().position(|p| p == v) {
            Some(i) => {
                let (a, b) = (at.args.get(i)?.prov, other.args.get(i)?.prov);
                (a == b).then_some(a)?
            }
            None => match made.get(v) {
                Some(InstKind::Addr { base, .. }) => {
                    return self.object_at_head(body, header, made, (at, other), base, depth.checked_sub(1)?);
                }
                Some(_) => return None,
                None => at.path.outs.get(v).copied().or(self.frame().env[v.index()])?.prov,
            },
        };
        let one = self.e.terms.pool.as_const(prov).and_then(|v| v.to_u64())? as u32;
        let kind = self.e.terms.objects[one as usize].kind;
        (one != NULL && !matches!(kind, Kind::Wild | Kind::Summary)).then_some(one)
    }

    /// The bits of a value at one head of a loop, where those at the other head mean the same: offsets in one object, or
    /// numbers.
    fn of_one_kind(&self, a: Sym, b: Sym) -> Option<Term> {
        let one = self.e.terms.pool.as_const(a.prov).and_then(|v| v.to_u64())?;
        let kind = self.e.terms.objects[one as usize].kind;
        (a.prov == b.prov && !matches!(kind, Kind::Wild | Kind::Summary)).then_some(a.bits)
    }
}

/// For people: a variable's name, a number.
fn text(body: &Body, o: &Operand) -> String {
    match o {
        Operand::Const(Const::Int { width, value }) => {
            let unused = 128 - (*width).clamp(1, 128);
            ((*value << unused) as i128 >> unused).to_string()
        }
        Operand::Const(_) => "constant".into(),
        Operand::Value(v) => {
            let var = body.values[v.index()].var.and_then(|x| body.vars.get(x.index()));
            var.map_or_else(|| v.to_string(), |x| x.name.clone())
        }
    }
}
