//! Which rows a loop gets: from how it uses arrays. An address is followed back to its object and to the parameter of
//! the head that is the index, a store's value to what it is computed from, a comparison to the element in it. What is
//! not followed gives no row; nothing here has to be right, since a row is shown before anyone relies on it.

use crate::build::{Arrival, Build};
use crate::cfg::Cfg;
use crate::memory::{self, Array};
use crate::sym::{NULL, Sym};
use crate::template::made_in;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_facts::LoopId;
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp};
use verify_ir::{Block, Body, Const, InstKind, Operand, Step, Value};
use verify_solver::Term;

/// Operations in one stored value.
const MAX_DEPTH: u32 = 12;
/// Operations in one index.
const MAX_SUM: u32 = 8;
/// Parameters that are taken for flags.
const MAX_FLAGS: usize = 2;
/// Comparisons in other loops.
const MAX_GOALS: usize = 4;

/// An address in a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Use {
    /// [`None`]: the index is a pointer of its own.
    pub(super) object: Option<u32>,
    /// Number of the parameter of the head.
    pub(super) index: usize,
    /// Bytes by which the address grows with the index, or shrinks.
    pub(super) stride: u64,
    /// It shrinks: `a[n - i]`.
    pub(super) against: bool,
    /// What is added from before the loop, in units of so many bytes, as wide as an address: `n` there.
    pub(super) base: Option<(Term, u64)>,
    /// Bytes behind the element that the index names.
    pub(super) ahead: i64,
    /// Some number of a loop within is added, too.
    pub(super) within: bool,
}

/// An index: a parameter of the head times a number, and more.
#[derive(Clone, Copy, Default)]
struct Affine {
    param: Option<(usize, i64)>,
    /// From before the loop.
    base: Option<Term>,
    by: i64,
    within: bool,
}

/// A number that an element is compared with.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Number {
    /// What a parameter of the head is.
    Param(usize),
    /// Something from before the loop: how it is found again, and its bits.
    Fixed([u32; 3], Term),
    /// A function of the index of the loop; or, in a loop elsewhere, of the number of the element less this many.
    At([u32; 3], Rc<Expr>, Option<i64>),
}

/// How an element becomes as wide as what it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Widened {
    Signed,
    Unsigned,
}

/// A comparison of an element.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Compared {
    /// With a number, for whether they are the same.
    Equal(Use, Number, Widened),
    /// With a number, for which is greater.
    Ordered(Use, Number, Widened),
    /// With the element of another array under the same index.
    Elements(Use, Use),
    /// Not an element, but what may become one, with a number from before the loop, for which is greater.
    Other(Number, Widened),
    /// The same, for whether they are the same.
    OtherEqual(Number, Widened),
}

/// What a loop elsewhere compares the elements of an array with: what this one may have to bring about.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Goal {
    pub(super) object: u32,
    /// Bytes from one element to the next.
    pub(super) stride: u64,
    pub(super) number: Number,
    pub(super) widened: Widened,
    /// For whether they are the same; otherwise for which is greater.
    pub(super) equal: bool,
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
    /// What other loops ask of elements.
    pub(super) goals: Vec<Goal>,
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
    /// It is another loop than that of `entry` and `start`, whose head this is.
    elsewhere: Option<Block>,
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
        let look = Look { body, header: info.header, made: &made, params, entry, start, elsewhere: None };
        let mut out = Uses::default();
        for &b in &info.blocks {
            for (n, inst) in body.block(b).insts.iter().enumerate() {
                match &inst.kind {
                    InstKind::Load { ptr, .. } => {
                        let Some(v) = inst.results.first() else { continue };
                        let size = body.ty(*v).store_bytes(&self.module().target);
                        out.all.extend(self.used(&look, ptr, size));
                    }
                    InstKind::Store { ptr, value, .. } => {
                        let size = body.operand_ty(value).store_bytes(&self.module().target);
                        let Some(u) = self.used(&look, ptr, size) else { continue };
                        out.all.insert(u);
                        if size == 0 || u.stride == 0 || !u.stride.is_multiple_of(size) || u.within {
                            continue;
                        }
                        let stored = match self.recurrence(&look, u, size, value) {
                            None => self.stored(&look, u.index, value, MAX_DEPTH),
                            e => e,
                        };
                        out.stores.extend(stored.map(|e| (u, e, [b.0, n as u32])));
                    }
                    InstKind::Icmp { pred, lhs, rhs } => out.compared.extend(self.compares(&look, *pred, lhs, rhs)),
                    _ => {}
                }
            }
        }
        let taken = |i: &usize| {
            let number = |c: &Compared| match c {
                Compared::Equal(_, n, _) | Compared::Ordered(_, n, _) => *n == Number::Param(*i),
                Compared::Elements(..) | Compared::Other(..) | Compared::OtherEqual(..) => false,
            };
            out.all.iter().any(|u| u.index == *i) || out.compared.iter().any(number)
        };
        let changed = |i: &usize| entry.args.get(*i) != start.args.get(*i);
        let number = |i: &usize| matches!(body.ty(body.block(info.header).params[*i]), verify_ir::Ty::Int(_));
        let flags = (0..start.args.len()).filter(|i| !taken(i) && changed(i) && number(i)).take(MAX_FLAGS).collect();
        out.flags = flags;
        let head = info.header;
        for other in (0..cfg.loops.loops.len() as u32).map(LoopId).filter(|o| *o != l) {
            let info = cfg.loops.get(other);
            let made = made_in(body, other, &cfg.loops);
            let params = info.blocks.iter().flat_map(|b| body.block(*b).params.iter().copied()).collect();
            let look = Look { body, header: info.header, made: &made, params, entry, start, elsewhere: Some(head) };
            for inst in info.blocks.iter().flat_map(|b| &body.block(*b).insts) {
                let InstKind::Icmp { pred, lhs, rhs } = &inst.kind else { continue };
                if out.goals.len() == MAX_GOALS {
                    return out;
                }
                let goal = match self.compares(&look, *pred, lhs, rhs) {
                    Some(Compared::Equal(u, number, widened)) => (u, number, widened, true),
                    Some(Compared::Ordered(u, number, widened)) => (u, number, widened, false),
                    _ => continue,
                };
                let (Use { object: Some(object), stride, against, base, .. }, number, widened, equal) = goal else {
                    continue;
                };
                // What is said of the index there says nothing of the number of the element.
                if matches!(number, Number::At(..)) && (against || base.is_some()) {
                    continue;
                }
                let goal = Goal { object, stride, number, widened, equal };
                if !out.goals.contains(&goal) {
                    out.goals.push(goal);
                }
            }
        }
        out
    }

    /// What is stored is the element before plus the same number each time: the sum of so many of them.
    fn recurrence(&mut self, look: &Look<'_, 'a>, u: Use, size: u64, value: &Operand) -> Option<Expr> {
        let (add, lhs, rhs) = match look.made.get(&value.as_value()?).copied()? {
            InstKind::Binary { op: op @ (BinOp::Add | BinOp::Sub), lhs, rhs, .. } => (*op == BinOp::Add, lhs, rhs),
            InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::UAdd, lhs, rhs } => (true, lhs, rhs),
            InstKind::Overflow { op: OverflowOp::SSub | OverflowOp::USub, lhs, rhs } => (false, lhs, rhs),
            _ => return None,
        };
        if u.base.is_some() || u.against || u.within {
            return None;
        }
        let before = Use { ahead: u.ahead.checked_sub(i64::try_from(u.stride).ok()?)?, ..u };
        let is_before = |b: &mut Self, o: &Operand| {
            let made = o.as_value().and_then(|v| look.made.get(&v).copied());
            matches!(made, Some(InstKind::Load { ptr, .. }) if b.used(look, ptr, size) == Some(before))
        };
        let by = if is_before(self, lhs) {
            rhs
        } else if add && is_before(self, rhs) {
            lhs
        } else {
            return None;
        };
        let by = self.known_before(look, by).filter(|s| self.e.terms.is_plain(*s))?.bits;
        let from = look.entry.args.get(u.index).filter(|s| self.e.terms.is_plain(**s))?.bits;
        let (object, w) = (u.object?, self.e.terms.ptr_bits);
        let a = self.array_at(look.entry, object, size)?;
        let pool = &mut self.e.terms.pool;
        // The number of the element before the first, and how many were added since.
        let wide = pool.resize_signed(from, w);
        let stride = pool.num(w, u128::from(u.stride / size));
        let (at, ahead) = (pool.mul(wide, stride), before.ahead.checked_div(i64::try_from(size).ok()?)?);
        let ahead = pool.num(w, ahead as u128 & (u128::MAX >> (128 - w)));
        let at = pool.add(at, ahead);
        let (width, one) = (pool.width(by), pool.num(pool.width(from), 1));
        let before_first = pool.sub(from, one);
        let before_first = pool.resize_signed(before_first, width);
        let op = |op, a, b| Expr::Op(op, Box::new((a, b)));
        let times = op(BinOp::Sub, Expr::Index(width), Expr::Is(before_first));
        let sum = op(BinOp::Mul, Expr::Is(by), times);
        let first = Expr::Element(object, a, Box::new(Expr::Is(at)));
        Some(op(if add { BinOp::Add } else { BinOp::Sub }, first, sum))
    }

    /// A value from before the loop.
    fn known_before(&mut self, look: &Look<'_, 'a>, o: &Operand) -> Option<Sym> {
        match o {
            Operand::Const(c) => Some(self.constant(&look.start.path, c)),
            Operand::Value(v) => {
                // Made before the head, or it might be another one in each iteration.
                if let Some(head) = look.elsewhere {
                    let cfg = self.frame().cfg.clone();
                    let order = |b: Option<Block>| b.and_then(|b| cfg.order[b.0 as usize]);
                    if look.param(*v).is_some() || order(cfg.home(*v)) >= order(Some(head)) {
                        return None;
                    }
                }
                if let Some(i) = look.param(*v) {
                    let (before, now) = (*look.entry.args.get(i)?, *look.start.args.get(i)?);
                    return (before == now).then_some(now);
                }
                if let Some(InstKind::Load { ptr, .. }) = look.made.get(v).copied() {
                    return self.kept(look, *v, ptr);
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

    /// What is loaded from a place that the loop does not write to.
    fn kept(&mut self, look: &Look<'_, 'a>, v: Value, ptr: &Operand) -> Option<Sym> {
        if look.elsewhere.is_some() || !matches!(look.body.ty(v), verify_ir::Ty::Int(_)) {
            return None;
        }
        let address = match ptr {
            Operand::Value(v) if look.made.contains_key(v) => return None,
            ptr => self.known_before(look, ptr)?,
        };
        let number = |b: &Self, t: Term| b.e.terms.pool.as_const(t).and_then(|v| v.to_u64());
        let (object, at) = (number(self, address.prov)? as u32, number(self, address.bits)?);
        let size = look.body.ty(v).store_bytes(&self.module().target);
        let module = self.e.module;
        let known = self.e.terms.objects.get(object as usize)?.size;
        let inside = number(self, known).is_some_and(|n| at <= n && size <= n - at);
        if object == NULL || !inside {
            return None;
        }
        let mut read = |path: &crate::build::Path| {
            let s = path.memory.get(&mut self.e.terms, module, object);
            s.array.is_none().then(|| memory::read(&mut self.e.terms, module, object, &s, at, size))
        };
        let (before, now) = (read(&look.entry.path)?, read(&look.start.path)?);
        (before == now && self.e.terms.is_plain(now)).then_some(now)
    }

    /// The element that an address of so many bytes names.
    fn used(&mut self, look: &Look<'_, 'a>, ptr: &Operand, size: u64) -> Option<Use> {
        let (mut at, mut sum) = (ptr.clone(), Affine::default());
        let w = self.e.terms.ptr_bits;
        let mut indexed = false;
        for _ in 0..8 {
            let made = at.as_value().and_then(|v| look.made.get(&v).copied());
            let Some(InstKind::Addr { base, steps, .. }) = made else { break };
            for s in steps {
                match s {
                    Step::Field { offset, .. } => sum.by = sum.by.checked_add(i64::try_from(*offset).ok()?)?,
                    Step::Index { index: i, stride, .. } => {
                        let a = self.affine(look, i, MAX_SUM)?;
                        indexed |= a.param.is_some();
                        if a.base.is_some() && (size == 0 || !stride.is_multiple_of(size)) {
                            return None;
                        }
                        let (bytes, units) = (i64::try_from(*stride).ok()?, *stride / size.max(1));
                        let units = self.e.terms.pool.num(w, u128::from(units));
                        let base = a.base.map(|b| self.e.terms.pool.mul(b, units));
                        let param = match a.param {
                            Some((p, n)) => Some((p, n.checked_mul(bytes)?)),
                            None => None,
                        };
                        let a = Affine { param, base, by: a.by.checked_mul(bytes)?, ..a };
                        sum = self.both(sum, a)?;
                    }
                }
            }
            at = base.clone();
        }
        let of_pointer = at.as_value().and_then(|v| look.param(v));
        if let (Some(index), false, None, false) = (of_pointer, indexed, sum.base, sum.within) {
            let (object, base) = (None, None);
            return Some(Use { object, index, stride: 1, against: false, base, ahead: sum.by, within: false });
        }
        let (index, by) = sum.param.filter(|p| p.1 != 0)?;
        let known = self.known_before(look, &at)?;
        let object = self.e.terms.pool.as_const(known.prov)?.to_u64()? as u32;
        let offset = self.e.terms.pool.as_const(known.bits)?.to_u64()? as i64;
        let ahead = sum.by.checked_add(offset)?;
        let (stride, against) = (by.unsigned_abs(), by < 0);
        let base = sum.base.map(|b| (b, size));
        let found = Use { object: Some(object), index, stride, against, base, ahead, within: sum.within };
        (object != NULL).then_some(found)
    }

    /// An index as a sum.
    fn affine(&mut self, look: &Look<'_, 'a>, o: &Operand, depth: u32) -> Option<Affine> {
        let depth = depth.checked_sub(1)?;
        if let Operand::Const(c) = o {
            return Some(Affine { by: constant(c)?, ..Affine::default() });
        }
        let w = self.e.terms.ptr_bits;
        if let Some(s) = self.known_before(look, o) {
            let number = self.e.terms.is_plain(s).then_some(s.bits)?;
            let narrow = self.e.terms.pool.width(number) <= 64;
            let by = self.e.terms.pool.as_const(number).filter(|_| narrow).and_then(|v| v.sext(64).to_u64());
            return Some(match by.map(|v| v as i64) {
                Some(by) => Affine { by, ..Affine::default() },
                None => Affine { base: Some(self.e.terms.pool.resize_signed(number, w)), ..Affine::default() },
            });
        }
        let v = o.as_value()?;
        if let Some(p) = look.param(v) {
            return Some(Affine { param: Some((p, 1)), ..Affine::default() });
        }
        let Some(made) = look.made.get(&v).copied() else {
            return look.params.contains(&v).then_some(Affine { within: true, ..Affine::default() });
        };
        use {BinOp as B, OverflowOp as O};
        let (op, lhs, rhs) = match made {
            InstKind::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg } | InstKind::Freeze { arg } => {
                return self.affine(look, arg, depth);
            }
            InstKind::Binary { op: op @ (B::Add | B::Sub | B::Mul), lhs, rhs, .. } => (*op, lhs, rhs),
            InstKind::Overflow { op: O::SAdd | O::UAdd, lhs, rhs } => (B::Add, lhs, rhs),
            InstKind::Overflow { op: O::SSub | O::USub, lhs, rhs } => (B::Sub, lhs, rhs),
            InstKind::Overflow { op: O::SMul | O::UMul, lhs, rhs } => (B::Mul, lhs, rhs),
            _ => return None,
        };
        let (a, b) = (self.affine(look, lhs, depth)?, self.affine(look, rhs, depth)?);
        let number = |a: &Affine| (a.param.is_none() && a.base.is_none() && !a.within).then_some(a.by);
        match (op, number(&a), number(&b)) {
            (BinOp::Add, ..) => self.both(a, b),
            (BinOp::Sub, ..) => {
                let b = self.times(b, -1)?;
                self.both(a, b)
            }
            (_, Some(n), _) => self.times(b, n),
            (_, _, Some(n)) => self.times(a, n),
            _ => None,
        }
    }

    fn both(&mut self, a: Affine, b: Affine) -> Option<Affine> {
        let param = match (a.param, b.param) {
            (Some((p, m)), Some((q, n))) if p == q => Some((p, m.checked_add(n)?)),
            (Some(_), Some(_)) => return None,
            (p, q) => p.or(q),
        };
        let base = match (a.base, b.base) {
            (Some(x), Some(y)) => Some(self.e.terms.pool.add(x, y)),
            (x, y) => x.or(y),
        };
        Some(Affine { param, base, by: a.by.checked_add(b.by)?, within: a.within || b.within })
    }

    fn times(&mut self, a: Affine, n: i64) -> Option<Affine> {
        let w = self.e.terms.ptr_bits;
        let factor = self.e.terms.pool.num(w, n as u128 & (u128::MAX >> (128 - w)));
        let param = match a.param {
            Some((p, m)) => Some((p, m.checked_mul(n)?)),
            None => None,
        };
        let base = a.base.map(|b| self.e.terms.pool.mul(b, factor));
        Some(Affine { param, base, by: a.by.checked_mul(n)?, within: a.within })
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
                if look.elsewhere.is_some() || size == 0 || !width.is_multiple_of(8) {
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
                let same = Use { object: None, ..a.0 } == Use { object: None, ..b.0 };
                return (equal && same).then_some(Compared::Elements(a.0, b.0));
            }
            (Some(a), None) => (a, rhs),
            (None, Some(b)) => (b, lhs),
            (None, None) => return self.bounded(look, pred, lhs, rhs),
        };
        let number = match other.as_value().and_then(|v| look.param(v)) {
            Some(i) if look.elsewhere.is_none() && look.entry.args.get(i) != look.start.args.get(i) => Number::Param(i),
            _ => match self.known_before(look, other) {
                Some(s) => {
                    let key = number_key(other)?;
                    self.e.terms.is_plain(s).then_some(Number::Fixed(key, s.bits))?
                }
                None => {
                    let v = other.as_value()?;
                    let e = self.stored(look, element.0.index, other, MAX_DEPTH)?;
                    let ahead = element.0.ahead.checked_div(i64::try_from(element.0.stride).ok()?)?;
                    Number::At([3, v.0, ahead as u32], Rc::new(e), look.elsewhere.map(|_| ahead))
                }
            },
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
        let s = self.known_before(look, number)?;
        let fixed = Number::Fixed(number_key(number)?, s.bits);
        let constant = self.e.terms.pool.as_const(s.bits).is_some();
        Some(match pred {
            _ if !self.e.terms.is_plain(s) => return None,
            IntPred::Eq | IntPred::Ne => Compared::OtherEqual(fixed, read_as(pred)),
            // Bounds are rows of their own.
            _ if constant => return None,
            _ => Compared::Other(fixed, read_as(pred)),
        })
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
                InstKind::Load { ptr, .. } => {
                    let size = look.body.ty(v).store_bytes(&self.module().target);
                    return Some((self.used(look, ptr, size).filter(|u| !u.within)?, widened));
                }
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

/// By what something from before the loop is found again.
fn number_key(o: &Operand) -> Option<[u32; 3]> {
    match o {
        Operand::Value(v) => Some([1, v.0, 0]),
        Operand::Const(Const::Int { value, .. }) => Some([2, *value as u32, (*value >> 32) as u32]),
        Operand::Const(_) => None,
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

/// By how much a parameter of the head moves on in each iteration, if always by the same.
pub(super) fn step(body: &Body, l: LoopId, cfg: &Cfg, index: usize) -> Option<i64> {
    let info = cfg.loops.get(l);
    let made = made_in(body, l, &cfg.loops);
    let param = *body.block(info.header).params.get(index)?;
    let mut out = None;
    for b in &info.latches {
        for t in body.block(*b).term.targets().into_iter().filter(|t| t.block == info.header) {
            let (from, times, by) = moved(&made, t.args.get(index)?)?;
            if (from, times) != (Some(param), 1) || out.replace(by).is_some_and(|o| o != by) {
                return None;
            }
        }
    }
    out
}

/// A value of the loop's, what it is multiplied by, and the constant that is added then; no value: a constant.
fn moved(made: &BTreeMap<Value, &InstKind>, o: &Operand) -> Option<(Option<Value>, u64, i64)> {
    let (mut at, mut times, mut by) = (o.clone(), 1i64, 0i64);
    for _ in 0..8 {
        let v = match &at {
            Operand::Const(c) => return Some((None, 1, by.checked_add(constant(c)?.checked_mul(times)?)?)),
            Operand::Value(v) => *v,
        };
        let (from, factor, plus) = match made.get(&v) {
            Some(
                InstKind::Cast { op: CastOp::ZExt | CastOp::SExt | CastOp::Trunc, arg } | InstKind::Freeze { arg },
            ) => (arg, 1, 0),
            Some(
                InstKind::Binary { op: BinOp::Add, lhs, rhs: Operand::Const(c), .. }
                | InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::UAdd, lhs, rhs: Operand::Const(c) },
            ) => (lhs, 1, constant(c)?),
            Some(
                InstKind::Binary { op: BinOp::Sub, lhs, rhs: Operand::Const(c), .. }
                | InstKind::Overflow { op: OverflowOp::SSub | OverflowOp::USub, lhs, rhs: Operand::Const(c) },
            ) => (lhs, 1, constant(c)?.checked_neg()?),
            Some(
                InstKind::Binary { op: BinOp::Mul, lhs, rhs: Operand::Const(c), .. }
                | InstKind::Binary { op: BinOp::Mul, lhs: Operand::Const(c), rhs: lhs, .. }
                | InstKind::Overflow { op: OverflowOp::SMul | OverflowOp::UMul, lhs, rhs: Operand::Const(c) }
                | InstKind::Overflow { op: OverflowOp::SMul | OverflowOp::UMul, lhs: Operand::Const(c), rhs: lhs },
            ) => (lhs, constant(c)?, 0),
            _ => return Some((Some(v), u64::try_from(times).ok().filter(|t| *t > 0)?, by)),
        };
        by = by.checked_add(plus.checked_mul(times)?)?;
        times = times.checked_mul(factor)?;
        at = from.clone();
    }
    None
}

fn constant(c: &Const) -> Option<i64> {
    let Const::Int { width, value } = c else { return None };
    i64::try_from((*value << (128 - width)) as i128 >> (128 - width)).ok()
}
