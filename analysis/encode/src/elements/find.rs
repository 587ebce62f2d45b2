//! Which rows a loop gets: from how it uses arrays. An address is followed back to its object and to the parameter of
//! the head that is the index, a store's value to what it is computed from, a comparison to the element in it. What is
//! not followed gives no row; nothing here has to be right, since a row is shown before anyone relies on it.

use crate::build::{Arrival, Build};
use crate::cfg::Cfg;
use crate::memory::Array;
use crate::sym::NULL;
use crate::template::made_in;
use std::collections::{BTreeMap, BTreeSet};
use verify_facts::LoopId;
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp};
use verify_ir::{Block, Body, Const, InstKind, Operand, Step, Value};
use verify_solver::Term;

/// Operations in one stored value.
const MAX_DEPTH: u32 = 12;
/// Parameters that are taken for flags.
const MAX_FLAGS: usize = 2;

/// An address in a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Use {
    /// [`None`]: the index is a pointer of its own.
    pub(super) object: Option<u32>,
    /// Number of the parameter of the head.
    pub(super) index: usize,
    /// Bytes by which the address grows with the index.
    pub(super) stride: u64,
    /// Bytes behind the element that the index names.
    pub(super) ahead: i64,
}

/// A number that an element is compared with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    /// What a parameter of the head is.
    Param(usize),
    /// Something from before the loop: how it is found again, and its bits.
    Fixed([u32; 3], Term),
}

/// How an element becomes as wide as what it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Widened {
    Signed,
    Unsigned,
}

/// A comparison of an element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Compared {
    /// With a number, for whether they are the same.
    Equal(Use, Number, Widened),
    /// With a number, for which is greater.
    Ordered(Use, Number, Widened),
    /// With the element of another array under the same index.
    Elements(Use, Use),
    /// Not an element, but what may become one, with a number from before the loop, for which is greater.
    Other(Number, Widened),
}

/// The value of an element as a function of its index.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expr {
    /// The number, which does not depend on the index.
    Is(Term),
    /// The index, in so many bits.
    Index(u32),
    /// What this array held, at this index in elements.
    Element(u32, Array, Box<Expr>),
    /// An operation.
    Op(BinOp, Box<(Expr, Expr)>),
    /// A conversion to so many bits.
    Cast(CastOp, u32, Box<Expr>),
}

/// What the loop does with arrays.
#[derive(Default)]
pub(super) struct Uses {
    /// Addresses.
    pub(super) all: BTreeSet<Use>,
    /// Elements that are stored to, what is stored, and where.
    pub(super) stores: Vec<(Use, Expr, [u32; 2])>,
    pub(super) compared: Vec<Compared>,
    /// Parameters that are neither indices nor compared.
    pub(super) flags: Vec<usize>,
}

/// A loop, as it is looked at.
struct Look<'l, 'a> {
    body: &'a Body,
    header: Block,
    made: &'l BTreeMap<Value, &'a InstKind>,
    /// Parameters of its blocks.
    params: BTreeSet<Value>,
    entry: &'l Arrival,
    start: &'l Arrival,
}

impl Look<'_, '_> {
    fn param(&self, v: Value) -> Option<usize> {
        self.body.block(self.header).params.iter().position(|p| *p == v)
    }
}

impl<'a> Build<'_, 'a> {
    /// How the loop uses arrays.
    pub(super) fn array_uses(&mut self, body: &'a Body, l: LoopId, entry: &Arrival, start: &Arrival) -> Uses {
        let cfg: std::rc::Rc<Cfg> = self.frame().cfg.clone();
        let info = cfg.loops.get(l);
        let made = made_in(body, l, &cfg.loops);
        let params = info.blocks.iter().flat_map(|b| body.block(*b).params.iter().copied()).collect();
        let look = Look { body, header: info.header, made: &made, params, entry, start };
        let mut out = Uses::default();
        for &b in &info.blocks {
            for (n, inst) in body.block(b).insts.iter().enumerate() {
                match &inst.kind {
                    InstKind::Load { ptr, .. } => out.all.extend(self.used(&look, ptr)),
                    InstKind::Store { ptr, value, .. } => {
                        let Some(u) = self.used(&look, ptr) else { continue };
                        out.all.insert(u);
                        let size = body.operand_ty(value).store_bytes(&self.module().target);
                        if let (true, Some(e)) = (u.stride == size, self.stored(&look, u.index, value, MAX_DEPTH)) {
                            out.stores.push((u, e, [b.0, n as u32]));
                        }
                    }
                    InstKind::Icmp { pred, lhs, rhs } => out.compared.extend(self.compares(&look, *pred, lhs, rhs)),
                    _ => {}
                }
            }
        }
        let taken = |i: &usize| {
            let number = |c: &Compared| match c {
                Compared::Equal(_, n, _) | Compared::Ordered(_, n, _) => *n == Number::Param(*i),
                Compared::Elements(..) | Compared::Other(..) => false,
            };
            out.all.iter().any(|u| u.index == *i) || out.compared.iter().any(number)
        };
        let changed = |i: &usize| entry.args.get(*i) != start.args.get(*i);
        let number = |i: &usize| matches!(body.ty(body.block(info.header).params[*i]), verify_ir::Ty::Int(_));
        let flags = (0..start.args.len()).filter(|i| !taken(i) && changed(i) && number(i)).take(MAX_FLAGS).collect();
        out.flags = flags;
        out
    }

    /// A value from before the loop.
    fn known_before(&mut self, look: &Look<'_, 'a>, o: &Operand) -> Option<crate::sym::Sym> {
        match o {
            Operand::Const(c) => Some(self.constant(&look.start.path, c)),
            Operand::Value(v) => {
                if let Some(i) = look.param(*v) {
                    let (before, now) = (*look.entry.args.get(i)?, *look.start.args.get(i)?);
                    return (before == now).then_some(now);
                }
                if look.made.contains_key(v) || look.params.contains(v) {
                    return None;
                }
                match look.start.path.outs.get(v) {
                    Some(s) => Some(*s),
                    None => self.frame().env[v.index()],
                }
            }
        }
    }

    /// The element that an address names.
    fn used(&mut self, look: &Look<'_, 'a>, ptr: &Operand) -> Option<Use> {
        let (mut at, mut ahead) = (ptr.clone(), 0i64);
        let mut index: Option<(usize, u64)> = None;
        for _ in 0..8 {
            let made = at.as_value().and_then(|v| look.made.get(&v).copied());
            let Some(InstKind::Addr { base, steps, .. }) = made else { break };
            for s in steps {
                match s {
                    Step::Field { offset, .. } => ahead = ahead.checked_add(i64::try_from(*offset).ok()?)?,
                    Step::Index { index: i, stride, .. } => {
                        let stride_by = i64::try_from(*stride).ok()?;
                        let (v, by) = moved(look.made, i)?;
                        ahead = ahead.checked_add(by.checked_mul(stride_by)?)?;
                        let Some(v) = v else { continue };
                        if index.replace((look.param(v)?, *stride)).is_some() {
                            return None;
                        }
                    }
                }
            }
            at = base.clone();
        }
        match (at.as_value().and_then(|v| look.param(v)), index) {
            (Some(p), None) => Some(Use { object: None, index: p, stride: 1, ahead }),
            (None | Some(_), Some((index, stride))) => {
                let base = self.known_before(look, &at)?;
                let object = self.e.terms.pool.as_const(base.prov)?.to_u64()? as u32;
                let offset = self.e.terms.pool.as_const(base.bits)?.to_u64()? as i64;
                let ahead = ahead.checked_add(offset)?;
                (object != NULL).then_some(Use { object: Some(object), index, stride, ahead })
            }
            (None, None) => None,
        }
    }

    /// What is stored, as a function of the index.
    fn stored(&mut self, look: &Look<'_, 'a>, index: usize, o: &Operand, depth: u32) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        if let Some(s) = self.known_before(look, o) {
            return self.e.terms.is_plain(s).then_some(Expr::Is(s.bits));
        }
        let v = o.as_value()?;
        let verify_ir::Ty::Int(width) = look.body.ty(v) else { return None };
        if let Some(i) = look.param(v) {
            return (i == index).then_some(Expr::Index(width));
        }
        match look.made.get(&v).copied()? {
            InstKind::Binary { op, lhs, rhs, .. } if operation(*op) => {
                let (a, b) = (self.stored(look, index, lhs, depth)?, self.stored(look, index, rhs, depth)?);
                Some(Expr::Op(*op, Box::new((a, b))))
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let op = match op {
                    OverflowOp::SAdd | OverflowOp::UAdd => BinOp::Add,
                    OverflowOp::SSub | OverflowOp::USub => BinOp::Sub,
                    OverflowOp::SMul | OverflowOp::UMul => BinOp::Mul,
                };
                let (a, b) = (self.stored(look, index, lhs, depth)?, self.stored(look, index, rhs, depth)?);
                Some(Expr::Op(op, Box::new((a, b))))
            }
            InstKind::Cast { op: op @ (CastOp::ZExt | CastOp::SExt | CastOp::Trunc), arg } => {
                let a = self.stored(look, index, arg, depth)?;
                Some(Expr::Cast(*op, width, Box::new(a)))
            }
            InstKind::Freeze { arg } => self.stored(look, index, arg, depth),
            InstKind::Load { ptr, .. } => {
                let size = u64::from(width) / 8;
                if size == 0 || !width.is_multiple_of(8) {
                    return None;
                }
                let (object, at) = self.element_of(look, index, ptr, size, depth)?;
                let a = self.array_at(look.entry, object, size)?;
                Some(Expr::Element(object, a, Box::new(at)))
            }
            _ => None,
        }
    }

    /// The object and the number of the element of `size` bytes that an address names, as a function of the index.
    fn element_of(
        &mut self,
        look: &Look<'_, 'a>,
        index: usize,
        ptr: &Operand,
        size: u64,
        depth: u32,
    ) -> Option<(u32, Expr)> {
        let depth = depth.checked_sub(1)?;
        let w = self.e.terms.ptr_bits;
        if let Some(s) = self.known_before(look, ptr) {
            let object = self.e.terms.pool.as_const(s.prov)?.to_u64()? as u32;
            let offset = self.e.terms.pool.as_const(s.bits)?.to_u64()?;
            let at = self.e.terms.pool.num(w, u128::from(offset / size));
            return (object != NULL && offset.is_multiple_of(size)).then_some((object, Expr::Is(at)));
        }
        let InstKind::Addr { base, steps, .. } = look.made.get(&ptr.as_value()?).copied()? else { return None };
        let (object, mut at) = self.element_of(look, index, base, size, depth)?;
        for s in steps {
            let by = match s {
                Step::Field { offset, .. } if offset.is_multiple_of(size) => {
                    Expr::Is(self.e.terms.pool.num(w, u128::from(offset / size)))
                }
                Step::Index { index: i, stride, .. } if stride.is_multiple_of(size) => {
                    let i = self.stored(look, index, i, depth)?;
                    let wide = Expr::Cast(CastOp::SExt, w, Box::new(i));
                    let k = self.e.terms.pool.num(w, u128::from(stride / size));
                    if *stride == size { wide } else { Expr::Op(BinOp::Mul, Box::new((wide, Expr::Is(k)))) }
                }
                _ => return None,
            };
            at = Expr::Op(BinOp::Add, Box::new((at, by)));
        }
        Some((object, at))
    }

    fn compares(&mut self, look: &Look<'_, 'a>, pred: IntPred, lhs: &Operand, rhs: &Operand) -> Option<Compared> {
        let (a, b) = (self.loaded(look, lhs), self.loaded(look, rhs));
        let equal = matches!(pred, IntPred::Eq | IntPred::Ne);
        let (element, other) = match (a, b) {
            (Some(a), Some(b)) => {
                let same = (a.0.index, a.0.stride, a.0.ahead) == (b.0.index, b.0.stride, b.0.ahead);
                return (equal && same).then_some(Compared::Elements(a.0, b.0));
            }
            (Some(a), None) => (a, rhs),
            (None, Some(b)) => (b, lhs),
            (None, None) => return self.bounded(look, pred, lhs, rhs),
        };
        let number = match other.as_value().and_then(|v| look.param(v)) {
            Some(i) if look.entry.args.get(i) != look.start.args.get(i) => Number::Param(i),
            _ => {
                let s = self.known_before(look, other)?;
                let key = match other {
                    Operand::Value(v) => [1, v.0, 0],
                    Operand::Const(Const::Int { value, .. }) => [2, *value as u32, (*value >> 32) as u32],
                    Operand::Const(_) => return None,
                };
                self.e.terms.is_plain(s).then_some(Number::Fixed(key, s.bits))?
            }
        };
        let widened = element.1.unwrap_or(read_as(pred));
        Some(match equal {
            true => Compared::Equal(element.0, number, widened),
            false => Compared::Ordered(element.0, number, widened),
        })
    }

    fn bounded(&mut self, look: &Look<'_, 'a>, pred: IntPred, lhs: &Operand, rhs: &Operand) -> Option<Compared> {
        let new = |o: &Operand| o.as_value().is_some_and(|v| look.made.contains_key(&v) || look.param(v).is_none());
        let number = match (self.known_before(look, lhs), self.known_before(look, rhs)) {
            (Some(_), None) if new(rhs) => lhs,
            (None, Some(_)) if new(lhs) => rhs,
            _ => return None,
        };
        let v = number.as_value()?;
        let s = self.known_before(look, number)?;
        let equal = matches!(pred, IntPred::Eq | IntPred::Ne);
        let fits = !equal && self.e.terms.is_plain(s) && self.e.terms.pool.as_const(s.bits).is_none();
        fits.then(|| Compared::Other(Number::Fixed([1, v.0, 0], s.bits), read_as(pred)))
    }

    /// An element of an array that was just loaded, and how it was converted.
    fn loaded(&mut self, look: &Look<'_, 'a>, o: &Operand) -> Option<(Use, Option<Widened>)> {
        let (mut v, mut widened) = (o.as_value()?, None);
        for _ in 0..4 {
            let from = match look.made.get(&v).copied()? {
                InstKind::Cast { op: CastOp::SExt, arg } => {
                    widened = Some(Widened::Signed);
                    arg
                }
                InstKind::Cast { op: CastOp::ZExt, arg } => {
                    widened = Some(Widened::Unsigned);
                    arg
                }
                InstKind::Freeze { arg } => arg,
                InstKind::Load { ptr, .. } => return Some((self.used(look, ptr)?, widened)),
                _ => return None,
            };
            v = from.as_value()?;
        }
        None
    }

    /// The expression at an index.
    pub(super) fn expr_at(&mut self, e: &Expr, c: Term) -> Term {
        match e {
            Expr::Is(t) => *t,
            Expr::Index(w) => self.e.terms.pool.resize_signed(c, *w),
            Expr::Element(_, a, at) => {
                let i = self.expr_at(at, c);
                self.e.terms.pool.select(a.bits, i)
            }
            Expr::Op(op, args) => {
                let (a, b) = (self.expr_at(&args.0, c), self.expr_at(&args.1, c));
                let pool = &mut self.e.terms.pool;
                match op {
                    BinOp::Add => pool.add(a, b),
                    BinOp::Sub => pool.sub(a, b),
                    BinOp::Mul => pool.mul(a, b),
                    BinOp::And => pool.and(a, b),
                    BinOp::Or => pool.or(a, b),
                    BinOp::Xor => pool.xor(a, b),
                    BinOp::Shl => pool.shl(a, b),
                    BinOp::LShr => pool.lshr(a, b),
                    BinOp::AShr => pool.ashr(a, b),
                    // `operation` lets no other through.
                    _ => a,
                }
            }
            Expr::Cast(op, w, arg) => {
                let a = self.expr_at(arg, c);
                let pool = &mut self.e.terms.pool;
                match op {
                    CastOp::SExt => pool.resize_signed(a, *w),
                    _ => pool.resize_unsigned(a, *w),
                }
            }
        }
    }

    /// Elements that the expression reads at an index.
    pub(super) fn read_by(&mut self, e: &Expr, c: Term, out: &mut Vec<(u32, u64, Term)>) {
        match e {
            Expr::Is(_) | Expr::Index(_) => {}
            Expr::Element(o, a, at) => {
                let i = self.expr_at(at, c);
                out.push((*o, a.elem, i));
                self.read_by(at, c, out);
            }
            Expr::Op(_, args) => {
                self.read_by(&args.0, c, out);
                self.read_by(&args.1, c, out);
            }
            Expr::Cast(_, _, arg) => self.read_by(arg, c, out),
        }
    }
}

fn read_as(pred: IntPred) -> Widened {
    match pred {
        IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => Widened::Unsigned,
        _ => Widened::Signed,
    }
}

fn operation(op: BinOp) -> bool {
    use BinOp::{AShr, Add, And, LShr, Mul, Or, Shl, Sub, Xor};
    matches!(op, Add | Sub | Mul | And | Or | Xor | Shl | LShr | AShr)
}

/// A value of the loop's and the constant that is added to it; no value: a constant.
fn moved(made: &BTreeMap<Value, &InstKind>, o: &Operand) -> Option<(Option<Value>, i64)> {
    let (mut at, mut by) = (o.clone(), 0i64);
    for _ in 0..8 {
        let v = match &at {
            Operand::Const(c) => return Some((None, by.checked_add(constant(c)?)?)),
            Operand::Value(v) => *v,
        };
        let (from, plus) = match made.get(&v) {
            Some(
                InstKind::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg } | InstKind::Freeze { arg },
            ) => (arg, 0),
            Some(
                InstKind::Binary { op: BinOp::Add, lhs, rhs: Operand::Const(c), .. }
                | InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::UAdd, lhs, rhs: Operand::Const(c) },
            ) => (lhs, constant(c)?),
            Some(
                InstKind::Binary { op: BinOp::Sub, lhs, rhs: Operand::Const(c), .. }
                | InstKind::Overflow { op: OverflowOp::SSub | OverflowOp::USub, lhs, rhs: Operand::Const(c) },
            ) => (lhs, constant(c)?.checked_neg()?),
            _ => return Some((Some(v), by)),
        };
        by = by.checked_add(plus)?;
        at = from.clone();
    }
    None
}

fn constant(c: &Const) -> Option<i64> {
    let Const::Int { width, value } = c else { return None };
    i64::try_from((*value << (128 - width)) as i128 >> (128 - width)).ok()
}
