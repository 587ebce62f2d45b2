//! What instructions do to a state. An instruction that is not listed gives the walk up.

use crate::cases::Data;
use crate::heap::{Kind, Obj, Object, State};
use crate::memory::{Target, Touch};
use crate::shape::Shape;
use crate::value::{self, End, Ptr, Range, Val, mask};
use crate::walk::{GivenUp, Res, Step, Walker};
use verify_checks::KindSet;
use verify_ir::inst::{ArithFlags, BinOp, CastOp, IntPred, OverflowOp, UnOp};
use verify_ir::{Body, CheckKind as K, FuncId, Inst, InstKind, Operand, Step as AddrStep, Ty, Value};

/// How deep a condition is looked into for what it says of its operands.
const DEPTH: u32 = 8;

/// Of two addresses or numbers.
enum Compared {
    Known(bool),
    Open,
    Apart(Vec<State>),
}

impl<'a> Walker<'a> {
    /// The states after an instruction; `all` is what can fail at it.
    pub(crate) fn inst(
        &mut self,
        shape: &Shape,
        body: &'a Body,
        func: FuncId,
        mut s: State,
        inst: &'a Inst,
        all: KindSet,
    ) -> Res<Step> {
        let width = |v: Option<&Value>| v.and_then(|v| self.width(body.ty(*v)));
        let result_width = width(inst.results.first());
        let give_up = |what: &str| Err(GivenUp(format!("{what} in `{}`", self.module.func(func).name)));
        let set = |s: &mut State, v: Val| {
            if let Some(r) = inst.results.first() {
                s.top().env.insert(*r, v);
            }
        };
        match &inst.kind {
            InstKind::DebugValue { .. } => {}
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (self.operand(&mut s, lhs), self.operand(&mut s, rhs));
                let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
                let shifts = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat);
                if (divides || shifts) && !self.must_be_set(&s, &b) {
                    return Ok(Step::Next(Vec::new()));
                }
                let v = self.binary(&mut s, *op, *flags, &a, &b, result_width);
                set(&mut s, v);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (a, b) = (self.operand(&mut s, lhs), self.operand(&mut s, rhs));
                let (v, over) = self.overflow(&mut s, *op, &a, &b, result_width);
                set(&mut s, v);
                if let Some(r) = inst.results.get(1) {
                    s.top().env.insert(*r, over);
                }
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(&mut s, lhs), self.operand(&mut s, rhs));
                let v = match self.compare(&s, *pred, &a, &b) {
                    Compared::Known(t) => Val::int(1, t.into()),
                    Compared::Apart(states) => return Ok(Step::Again(states)),
                    Compared::Open => self.like(&mut s, &[a, b], Some(1)),
                };
                set(&mut s, v);
            }
            InstKind::Unary { op, arg } => {
                let a = self.operand(&mut s, arg);
                let v = match (op, s.range(&a).and_then(|r| r.single().map(|v| (r.width, v)))) {
                    (UnOp::CtPop, Some((w, v))) => Val::int(w, v.count_ones().into()),
                    _ => self.like(&mut s, &[a], result_width),
                };
                set(&mut s, v);
            }
            InstKind::FBinary { lhs, rhs, .. } => {
                let all = [self.operand(&mut s, lhs), self.operand(&mut s, rhs)];
                set(&mut s, Val::Any { defined: all.iter().all(Val::defined) });
            }
            InstKind::Fcmp { lhs, rhs, .. } => {
                let all = [self.operand(&mut s, lhs), self.operand(&mut s, rhs)];
                let v = self.like(&mut s, &all, Some(1));
                set(&mut s, v);
            }
            InstKind::FUnary { arg, .. } => {
                let a = self.operand(&mut s, arg);
                set(&mut s, Val::Any { defined: a.defined() });
            }
            InstKind::Freeze { arg } => {
                let a = self.operand(&mut s, arg);
                let v = if a.defined() { a } else { self.anything(&mut s, result_width) };
                set(&mut s, v);
            }
            InstKind::Uninit => {
                let v = match self.rules.uninit_is_arbitrary {
                    true => self.anything(&mut s, result_width),
                    false => Val::Undef,
                };
                set(&mut s, v);
            }
            InstKind::Cast { op, arg } => {
                let a = self.operand(&mut s, arg);
                if matches!(op, CastOp::FpToSi | CastOp::FpToUi | CastOp::LRint | CastOp::LRound) {
                    self.may_fail(&s, K::FloatCast);
                    if !self.must_be_set(&s, &a) {
                        return Ok(Step::Next(Vec::new()));
                    }
                }
                let v = self.cast(&mut s, *op, &a, result_width);
                set(&mut s, v);
            }
            InstKind::Select { cond, then, other } => {
                let c = self.operand(&mut s, cond);
                if !self.must_be_set(&s, &c) {
                    return Ok(Step::Next(Vec::new()));
                }
                let mut out = Vec::new();
                for (o, truth) in [(then, true), (other, false)] {
                    let mut s = s.clone();
                    if self.suppose(shape, body, &mut s, cond, truth) {
                        let v = self.operand(&mut s, o);
                        set(&mut s, v);
                        out.push(s);
                    }
                }
                return Ok(Step::Next(out));
            }
            InstKind::Addr { base, steps, .. } => {
                let mut at = self.operand(&mut s, base);
                for step in steps {
                    at = self.address(&mut s, at, step);
                }
                set(&mut s, at);
            }
            InstKind::Alloca { elem_size, count, .. } => {
                let n = self.operand(&mut s, count);
                let Some(r) = s.range(&n) else { return give_up("a variable of unknown size") };
                if r.single().is_none() {
                    all.iter().for_each(|k| self.may_fail(&s, k));
                }
                let (lo, hi) = r.unsigned();
                let bytes = |n: u128| u64::try_from(n.saturating_mul((*elem_size).into())).unwrap_or(u64::MAX);
                let o = s.add(Object::new(Kind::Stack, bytes(lo), bytes(hi), self.fresh()));
                if inst.results.first().is_some_and(|v| shape.scoped.contains(v)) {
                    self.dies(&mut s, o);
                }
                s.top().allocas.push(o);
                set(&mut s, Val::Ptr(Ptr::to(o)));
            }
            InstKind::LifetimeStart { object } => {
                let Val::Ptr(p) = self.operand(&mut s, object) else { return give_up("a variable without a place") };
                let Some(old) = s.get(p.obj).cloned() else { return give_up("a variable without a place") };
                // A new object: addresses of the one before lead nowhere.
                let new = s.add(Object::new(Kind::Stack, old.size, old.most, self.fresh()));
                self.dies(&mut s, p.obj);
                let top = s.top();
                top.allocas.iter_mut().filter(|o| **o == p.obj).for_each(|o| *o = new);
                if let Operand::Value(v) = object {
                    top.env.insert(*v, Val::Ptr(Ptr::to(new)));
                }
            }
            InstKind::LifetimeEnd { object } => {
                let Val::Ptr(p) = self.operand(&mut s, object) else { return give_up("a variable without a place") };
                self.dies(&mut s, p.obj);
            }
            InstKind::StackSave => {
                let n = s.top().allocas.len() as u64;
                set(&mut s, Val::int(self.module.target.pointer_bits, n));
            }
            InstKind::StackRestore { token } => {
                let Val::Int { value, .. } = self.operand(&mut s, token) else { return give_up("an unknown scope") };
                let keep = usize::try_from(value).unwrap_or(usize::MAX).min(s.top().allocas.len());
                let gone = s.top().allocas.split_off(keep);
                gone.into_iter().for_each(|o| self.dies(&mut s, o));
            }
            InstKind::Load { ptr, .. } => {
                let Some(r) = inst.results.first() else { return Ok(Step::Next(vec![s])) };
                let n = body.ty(*r).store_bytes(&self.module.target);
                let p = self.operand(&mut s, ptr);
                match self.target(&s, &p, n, Touch::Read)? {
                    Target::Apart(states) => return Ok(Step::Again(states)),
                    Target::Nowhere => return Ok(Step::Next(Vec::new())),
                    Target::In(o, lo, hi) => {
                        let v = self.load(&mut s, o, lo, hi, n);
                        let v = self.loaded(&mut s, v, body.ty(*r));
                        set(&mut s, v);
                    }
                }
            }
            InstKind::Store { ptr, value, .. } => {
                let n = body.operand_ty(value).store_bytes(&self.module.target);
                let p = self.operand(&mut s, ptr);
                let v = self.operand(&mut s, value);
                match self.target(&s, &p, n, Touch::Write)? {
                    Target::Apart(states) => return Ok(Step::Again(states)),
                    Target::Nowhere => return Ok(Step::Next(Vec::new())),
                    Target::In(o, lo, hi) => self.store(&mut s, o, lo, hi, n, v),
                }
            }
            InstKind::MemSet { dst, byte, len, .. } => return self.mem_set(s, dst, byte, len),
            InstKind::MemCopy { dst, src, len, overlap_ok, .. } => return self.mem_copy(s, dst, src, len, *overlap_ok),
            InstKind::Call(c) => {
                let states = self.call_inst(shape, body, s, c, inst)?;
                return Ok(states);
            }
            InstKind::Check { kind, ok, .. } => {
                let c = self.operand(&mut s, ok);
                if !self.must_be_set(&s, &c) {
                    return Ok(Step::Next(Vec::new()));
                }
                let indexes = *kind == K::ArrayIndex && self.rules.whole_objects;
                if kind.is_defined_by_c() || indexes || *kind == K::SignedOverflow && self.limits.wraps {
                    // The execution goes on either way.
                    if c != Val::int(1, 1) {
                        self.may_fail(&s, *kind);
                    }
                    return Ok(Step::Next(vec![s]));
                }
                if self.suppose(shape, body, &mut s.clone(), ok, false) {
                    self.may_fail(&s, *kind);
                }
                if !self.suppose(shape, body, &mut s, ok, true) {
                    return Ok(Step::Next(Vec::new()));
                }
            }
            InstKind::Assume { cond } => {
                let c = self.operand(&mut s, cond);
                if !self.must_be_set(&s, &c) {
                    return Ok(Step::Next(Vec::new()));
                }
                if self.suppose(shape, body, &mut s.clone(), cond, false) {
                    self.may_fail(&s, K::Unreachable);
                }
                if !self.suppose(shape, body, &mut s, cond, true) {
                    return Ok(Step::Next(Vec::new()));
                }
            }
            InstKind::ObjectSize { .. } => {
                let v = self.anything(&mut s, result_width);
                set(&mut s, v);
            }
            InstKind::Unmodelled { reason, .. } => return give_up(reason),
            other => {
                let name = format!("{other:?}");
                let name = name.split([' ', '(', '{']).next().unwrap_or_default();
                return give_up(&format!("`{name}`"));
            }
        }
        Ok(Step::Next(vec![s]))
    }

    /// Bits of a value that is an integer or an address of at most 64.
    pub(crate) fn width(&self, ty: Ty) -> Option<u32> {
        match ty {
            Ty::Int(w) => (w <= 64).then_some(w),
            Ty::Ptr => Some(self.module.target.pointer_bits),
            Ty::Float(_) => None,
        }
    }

    /// Any value of so many bits.
    pub(crate) fn anything(&self, s: &mut State, width: Option<u32>) -> Val {
        width.map_or(Val::SOME, |w| s.unknown(Range::full(w)))
    }

    /// Any value that is set if all of these are.
    fn like(&self, s: &mut State, from: &[Val], width: Option<u32>) -> Val {
        if from.contains(&Val::Undef) {
            Val::Undef
        } else if from.iter().all(Val::defined) {
            self.anything(s, width)
        } else {
            Val::MAYBE
        }
    }

    /// A value as it comes from memory.
    fn loaded(&self, s: &mut State, v: Val, ty: Ty) -> Val {
        let width = self.width(ty);
        let v = s.typed(v, width);
        match (v, ty) {
            (Val::Undef | Val::Any { .. }, _) if !v.defined() && !self.rules.uninit_is_arbitrary => v,
            (Val::Undef | Val::Any { .. }, Ty::Int(_)) => self.anything(s, width),
            (Val::Undef | Val::Any { .. }, _) => Val::SOME,
            _ => v,
        }
    }

    fn binary(&mut self, s: &mut State, op: BinOp, flags: ArithFlags, a: &Val, b: &Val, width: Option<u32>) -> Val {
        if matches!((a, b), (Val::Ptr(_), _) | (_, Val::Ptr(_))) && (flags.nsw || flags.nuw || flags.exact) {
            self.may_fail(s, K::SignedOverflow);
        }
        // An address and a distance.
        if let (Val::Ptr(p), Some(r), BinOp::Add) | (Val::Ptr(p), Some(r), BinOp::Sub) = (a, s.range(b), op) {
            let (lo, hi) = (i128::from(r.lo), i128::from(r.hi));
            return Val::Ptr(if op == BinOp::Add { p.moved(lo, hi) } else { p.moved(-hi, -lo) });
        }
        if let (Some(r), Val::Ptr(p), BinOp::Add) = (s.range(a), b, op) {
            return Val::Ptr(p.moved(r.lo.into(), r.hi.into()));
        }
        if let (Val::Ptr(p), Val::Ptr(q), BinOp::Sub) = (a, b, op)
            && p.obj == q.obj
            && p.end == q.end
            && let (Some(x), Some(y), Some(w)) = (p.exact(), q.exact(), width)
        {
            return Val::int(w, x.wrapping_sub(y) as u64);
        }
        let (Some(x), Some(y)) = (s.range(a), s.range(b)) else {
            if flags.nsw || flags.nuw || flags.exact {
                self.may_fail(s, K::SignedOverflow);
            }
            let divides = matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem);
            if divides && s.range(b).is_none_or(|y| y.lo <= 0 && y.hi >= 0) {
                self.may_fail(s, K::DivByZero);
            }
            if divides {
                self.may_fail(s, K::SignedOverflow);
            }
            if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat) {
                self.may_fail(s, K::ShiftRange);
            }
            return self.like(s, &[*a, *b], width);
        };
        let w = x.width;
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => {
                if y.lo <= 0 && y.hi >= 0 {
                    self.may_fail(s, K::DivByZero);
                }
                if matches!(op, BinOp::SDiv | BinOp::SRem) && x.lo == Range::full(w).lo && y.lo <= -1 && y.hi >= -1 {
                    self.may_fail(s, K::SignedOverflow);
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat
                if y.unsigned().1 >= u128::from(w) =>
            {
                self.may_fail(s, K::ShiftRange);
            }
            _ => {}
        }
        let full = Range::full(w);
        let mut out = value::binary(op, &x, &y);
        if flags.nsw || flags.nuw || flags.exact {
            let inside = |signed: bool, lo: i128, hi: i128| {
                value::bounds(op, &x, &y, signed).is_some_and(|(l, h)| l >= lo && h <= hi)
            };
            let fits = (!flags.nsw || inside(true, full.lo.into(), full.hi.into()))
                && (!flags.nuw || inside(false, 0, mask(w).into()))
                && (!flags.exact || y.single() == Some(1));
            if !fits {
                self.may_fail(s, K::SignedOverflow);
            }
            // What overflows fails; the others stay where they belong.
            if flags.nsw
                && !self.limits.wraps
                && let Some((lo, hi)) = value::bounds(op, &x, &y, true)
                && let Some(r) = full.meet(&Range {
                    width: w,
                    lo: lo.clamp(full.lo.into(), full.hi.into()) as i64,
                    hi: hi.clamp(full.lo.into(), full.hi.into()) as i64,
                })
            {
                out = r;
            }
        }
        s.unknown(out)
    }

    /// An operation and whether it overflows.
    fn overflow(&mut self, s: &mut State, op: OverflowOp, a: &Val, b: &Val, width: Option<u32>) -> (Val, Val) {
        let (plain, signed) = match op {
            OverflowOp::SAdd => (BinOp::Add, true),
            OverflowOp::UAdd => (BinOp::Add, false),
            OverflowOp::SSub => (BinOp::Sub, true),
            OverflowOp::USub => (BinOp::Sub, false),
            OverflowOp::SMul => (BinOp::Mul, true),
            OverflowOp::UMul => (BinOp::Mul, false),
        };
        let (Some(x), Some(y)) = (s.range(a), s.range(b)) else {
            return (self.like(s, &[*a, *b], width), self.like(s, &[*a, *b], Some(1)));
        };
        let w = x.width;
        let full = Range::full(w);
        let (least, most) = if signed { (full.lo.into(), full.hi.into()) } else { (0, i128::from(mask(w))) };
        let over = value::bounds(plain, &x, &y, signed).and_then(|(lo, hi)| {
            if lo >= least && hi <= most {
                Some(false)
            } else if lo > most || hi < least {
                Some(true)
            } else {
                None
            }
        });
        let v = s.unknown(value::binary(plain, &x, &y));
        let over = over.map_or_else(|| s.unknown(Range::full(1)), |o| Val::int(1, o.into()));
        (v, over)
    }

    fn cast(&self, s: &mut State, op: CastOp, a: &Val, width: Option<u32>) -> Val {
        match op {
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => match (a, width) {
                (Val::Ptr(_) | Val::Func(_), Some(w)) if w == self.module.target.pointer_bits => *a,
                (Val::Int { value, .. }, Some(w)) => Val::int(w, *value),
                (Val::Sym(_), Some(w)) if s.range(a).is_some_and(|r| r.width == w) => *a,
                _ => self.like(s, &[*a], width),
            },
            CastOp::SExt | CastOp::ZExt | CastOp::Trunc => match (s.range(a), width) {
                (Some(r), Some(w)) => match value::cast(op, &r, w) {
                    Some(r) => s.unknown(r),
                    None => self.like(s, &[*a], width),
                },
                _ => self.like(s, &[*a], width),
            },
            _ => self.like(s, &[*a], width),
        }
    }

    fn address(&self, s: &mut State, at: Val, step: &AddrStep) -> Val {
        let (lo, hi) = match step {
            AddrStep::Field { offset, .. } => (i128::from(*offset), i128::from(*offset)),
            AddrStep::Index { index, stride, .. } => {
                let i = self.operand(s, index);
                match s.range(&i) {
                    Some(r) => (i128::from(r.lo) * i128::from(*stride), i128::from(r.hi) * i128::from(*stride)),
                    None => {
                        let far = 1i128 << 60;
                        match (at, i.defined()) {
                            (Val::Ptr(_), true) => (-far, far),
                            (at, true) => return Val::Any { defined: at.defined() },
                            (_, false) => return if i == Val::Undef { Val::Undef } else { Val::MAYBE },
                        }
                    }
                }
            }
        };
        match at {
            Val::Ptr(p) => Val::Ptr(p.moved(lo, hi)),
            Val::Int { width, value } if lo == hi => Val::int(width, value.wrapping_add(lo as u64)),
            Val::Undef => Val::Undef,
            v if (lo, hi) == (0, 0) => v,
            v => Val::Any { defined: v.defined() },
        }
    }

    fn compare(&self, s: &State, pred: IntPred, a: &Val, b: &Val) -> Compared {
        if let (Some(x), Some(y)) = (s.range(a), s.range(b))
            && x.width == y.width
        {
            if a == b && matches!(a, Val::Sym(_)) {
                let same = matches!(pred, IntPred::Eq | IntPred::Ule | IntPred::Uge | IntPred::Sle | IntPred::Sge);
                return Compared::Known(same);
            }
            return value::compare(pred, &x, &y).map_or(Compared::Open, Compared::Known);
        }
        let equality = matches!(pred, IntPred::Eq | IntPred::Ne);
        let apart = |eq: bool| if equality { Compared::Known(eq == (pred == IntPred::Eq)) } else { Compared::Open };
        match (a, b) {
            (Val::Ptr(p), Val::Ptr(q)) if p.obj == q.obj => self.in_one(s, pred, p, q),
            // Literals may lie in one another.
            (Val::Ptr(p), Val::Ptr(q)) if self.is_constant(s, p) && self.is_constant(s, q) => Compared::Open,
            (Val::Ptr(p), Val::Ptr(q)) if self.inside(s, p) && self.inside(s, q) => apart(false),
            (Val::Ptr(p), Val::Int { value: 0, .. }) | (Val::Int { value: 0, .. }, Val::Ptr(p))
                if self.at_or_in(s, p) =>
            {
                apart(false)
            }
            (Val::Func(f), Val::Func(g)) if self.function(a).is_some() => {
                if f == g {
                    apart(true)
                } else {
                    Compared::Open
                }
            }
            (Val::Func(_), Val::Int { value: 0, .. }) | (Val::Int { value: 0, .. }, Val::Func(_)) => apart(false),
            _ => Compared::Open,
        }
    }

    /// Two addresses of one object, or of nodes of one segment.
    fn in_one(&self, s: &State, pred: IntPred, p: &Ptr, q: &Ptr) -> Compared {
        if p.end != q.end {
            let Some(o) = s.get(p.obj) else { return Compared::Open };
            return match o.segment {
                Some(g) if g.min >= 2 && self.inside(s, p) && self.inside(s, q) => match pred {
                    IntPred::Eq => Compared::Known(false),
                    IntPred::Ne => Compared::Known(true),
                    _ => Compared::Open,
                },
                Some(_) => Compared::Apart(s.unfold(p.obj, End::First)),
                None => Compared::Open,
            };
        }
        let x = Range { width: 64, lo: p.lo, hi: p.hi };
        let y = Range { width: 64, lo: q.lo, hi: q.hi };
        let signed = match pred {
            // Objects do not wrap around the end of memory; outside of them anything goes.
            IntPred::Ult | IntPred::Slt => IntPred::Slt,
            IntPred::Ule | IntPred::Sle => IntPred::Sle,
            IntPred::Ugt | IntPred::Sgt => IntPred::Sgt,
            IntPred::Uge | IntPred::Sge => IntPred::Sge,
            equality => equality,
        };
        let order = !matches!(pred, IntPred::Eq | IntPred::Ne);
        let by_sign = matches!(pred, IntPred::Slt | IntPred::Sle | IntPred::Sgt | IntPred::Sge);
        if order && (by_sign || !(self.at_or_in(s, p) && self.at_or_in(s, q))) {
            return Compared::Open;
        }
        value::compare(signed, &x, &y).map_or(Compared::Open, Compared::Known)
    }

    /// Of a global that is not written.
    fn is_constant(&self, s: &State, p: &Ptr) -> bool {
        let Some(Kind::Global(g)) = s.get(p.obj).map(|o| &o.kind) else { return false };
        self.module.global(*g).constant
    }

    /// Of a live object's bytes.
    fn inside(&self, s: &State, p: &Ptr) -> bool {
        s.get(p.obj).is_some_and(|o| o.live && p.lo >= 0 && u64::try_from(p.hi).is_ok_and(|h| h < o.size))
    }

    /// Of an object's bytes, or right behind; the object may be gone.
    fn at_or_in(&self, s: &State, p: &Ptr) -> bool {
        s.get(p.obj).is_some_and(|o| p.lo >= 0 && u64::try_from(p.hi).is_ok_and(|h| h <= o.size))
    }

    /// Keeps the executions in which the condition is so; `false`: there are none.
    pub(crate) fn suppose(&self, shape: &Shape, body: &'a Body, s: &mut State, cond: &Operand, truth: bool) -> bool {
        let c = self.operand(s, cond);
        if let Some(r) = s.range(&c)
            && let Some(v) = r.single()
        {
            return (v & 1 == 1) == truth;
        }
        if !self.learn(shape, body, s, cond, truth, DEPTH) {
            return false;
        }
        self.equal(s, &c, &Val::int(1, truth.into()), true)
    }

    /// Where what nodes hold is kept apart, the states in which a number is below, is, and is above the constant that it
    /// is compared with: a range cannot say that it is another one.
    pub(crate) fn split(&self, shape: &Shape, body: &'a Body, mut s: State, cond: &Operand) -> Vec<State> {
        if self.limits.data == Data::Hull {
            return vec![s];
        }
        let mut cond = cond;
        for _ in 0..DEPTH {
            let Some(inst) = shape.made_by(body, cond) else { break };
            match &inst.kind {
                InstKind::Icmp { pred: IntPred::Eq | IntPred::Ne, lhs, rhs } => {
                    let (a, b) = (self.operand(&mut s, lhs), self.operand(&mut s, rhs));
                    let (Val::Sym(k), Some(x), Some(y)) = (a, s.range(&a), s.range(&b)) else { break };
                    if x.width == y.width && y.lo == y.hi && x.lo < y.lo && y.lo < x.hi {
                        let parts = [(x.lo, y.lo - 1), (y.lo, y.lo), (y.lo + 1, x.hi)];
                        return parts
                            .into_iter()
                            .map(|(lo, hi)| {
                                let mut s = s.clone();
                                s.ranges.insert(k, Range { lo, hi, ..x });
                                s
                            })
                            .collect();
                    }
                    let inner = extended(shape, body, lhs);
                    if std::ptr::eq(inner, lhs) {
                        break;
                    }
                    cond = inner;
                }
                InstKind::Binary { op: BinOp::Xor, lhs, .. } => cond = lhs,
                InstKind::Freeze { arg } => cond = arg,
                _ => break,
            }
        }
        vec![s]
    }

    /// What a condition says of its operands.
    fn learn(&self, shape: &Shape, body: &'a Body, s: &mut State, cond: &Operand, truth: bool, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        let Some(inst) = shape.made_by(body, cond) else { return true };
        match &inst.kind {
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(s, lhs), self.operand(s, rhs));
                if self.width(body.operand_ty(lhs)) == Some(1) || is_extended(shape, body, lhs) {
                    // `(c != 0)` and `(c == 0)` of a condition.
                    if let (Val::Int { value: 0, .. }, IntPred::Eq | IntPred::Ne) = (&b, pred) {
                        let inner = (*pred == IntPred::Ne) == truth;
                        let from = extended(shape, body, lhs);
                        if !self.learn(shape, body, s, from, inner, depth - 1) {
                            return false;
                        }
                    }
                }
                let pred = if truth { *pred } else { pred.negated() };
                match self.compare(s, pred, &a, &b) {
                    Compared::Known(t) => return t,
                    Compared::Apart(_) => return true,
                    Compared::Open => {}
                }
                let (Some(x), Some(y)) = (s.range(&a), s.range(&b)) else { return true };
                if x.width != y.width {
                    return true;
                }
                let (Some(x), Some(y)) = (value::refine(pred, &x, &y), value::refine(pred.swapped(), &y, &x)) else {
                    return false;
                };
                for (v, r) in [(a, x), (b, y)] {
                    if let Val::Sym(k) = v {
                        s.ranges.insert(k, r);
                    }
                }
                true
            }
            InstKind::Binary { op: BinOp::Xor, lhs, rhs, .. } if self.operand(s, rhs) == Val::int(1, 1) => {
                self.learn(shape, body, s, lhs, !truth, depth - 1)
            }
            // What was never set is something else for each use.
            InstKind::Freeze { arg } if self.operand(s, arg).defined() => {
                self.learn(shape, body, s, arg, truth, depth - 1)
            }
            _ => true,
        }
    }

    /// Keeps the executions in which two values are equal, or not; `false`: there are none.
    pub(crate) fn equal(&self, s: &mut State, a: &Val, b: &Val, want: bool) -> bool {
        let (Some(x), Some(y)) = (s.range(a), s.range(b)) else { return true };
        if x.width != y.width {
            return true;
        }
        let pred = if want { IntPred::Eq } else { IntPred::Ne };
        let Some(r) = value::refine(pred, &x, &y) else { return false };
        if value::compare(pred, &x, &y) == Some(false) {
            return false;
        }
        if let Val::Sym(k) = a {
            s.ranges.insert(*k, r);
        }
        true
    }

    fn mem_set(&mut self, mut s: State, dst: &Operand, byte: &Operand, len: &Operand) -> Res<Step> {
        let (p, v, n) = (self.operand(&mut s, dst), self.operand(&mut s, byte), self.operand(&mut s, len));
        if !self.must_be_set(&s, &n) {
            return Ok(Step::Next(Vec::new()));
        }
        let Some(r) = s.range(&n) else { return Err(GivenUp("a length of which nothing is known".into())) };
        let (least, most) = r.unsigned();
        if most == 0 {
            return Ok(Step::Next(vec![s]));
        }
        let Ok(most) = u64::try_from(most) else { return Err(GivenUp("a length of which nothing is known".into())) };
        if u128::from(most) != least && least == 0 && matches!(p, Val::Int { .. }) {
            return Err(GivenUp("a length of which nothing is known".into()));
        }
        match self.target(&s, &p, most, Touch::Write)? {
            Target::Apart(states) => return Ok(Step::Again(states)),
            Target::Nowhere if u128::from(most) == least => return Ok(Step::Next(Vec::new())),
            Target::Nowhere => return Err(GivenUp("a length that may be too much".into())),
            Target::In(o, lo, hi) => {
                let exact = lo == hi && u128::from(most) == least;
                if let Some(object) = s.get_mut(o) {
                    match v {
                        Val::Int { value: 0, .. } if exact => object.set(lo, most, Val::Zeros),
                        v if exact => object.set(lo, most, Val::Any { defined: v.defined() }),
                        v => object.smear(lo, hi, most, Val::Any { defined: v.defined() }),
                    }
                }
            }
        }
        Ok(Step::Next(vec![s]))
    }

    fn mem_copy(&mut self, mut s: State, dst: &Operand, src: &Operand, len: &Operand, overlap_ok: bool) -> Res<Step> {
        let (to, from, n) = (self.operand(&mut s, dst), self.operand(&mut s, src), self.operand(&mut s, len));
        if !self.must_be_set(&s, &n) {
            return Ok(Step::Next(Vec::new()));
        }
        let Some(n) = s.range(&n).and_then(|r| r.single()) else {
            return Err(GivenUp("a copy of a length that is not known".into()));
        };
        if n == 0 {
            return Ok(Step::Next(vec![s]));
        }
        let (a, x, y) = match self.target(&s, &from, n, Touch::Read)? {
            Target::Apart(states) => return Ok(Step::Again(states)),
            Target::Nowhere => return Ok(Step::Next(Vec::new())),
            Target::In(o, lo, hi) => (o, lo, hi),
        };
        let (b, l, h) = match self.target(&s, &to, n, Touch::Write)? {
            Target::Apart(states) => return Ok(Step::Again(states)),
            Target::Nowhere => return Ok(Step::Next(Vec::new())),
            Target::In(o, lo, hi) => (o, lo, hi),
        };
        if a == b && !overlap_ok {
            let end = |at: i64| at.saturating_add_unsigned(n);
            let same = x == y && l == h && x == l;
            if !(same || end(y) <= l || end(h) <= x) {
                self.may_fail(&s, K::InvalidArgument);
            }
        }
        if x != y || l != h {
            let v = s.read_somewhere(a, x, y, n);
            if let Some(o) = s.get_mut(b) {
                o.smear(l, h, n, v);
            }
            return Ok(Step::Next(vec![s]));
        }
        let pieces = self.pieces(&mut s, a, x, n);
        if let Some(o) = s.get_mut(b) {
            o.set(l, n, Val::SOME);
            for (off, bytes, v) in pieces {
                o.set(l + (off - x), bytes, v);
            }
        }
        Ok(Step::Next(vec![s]))
    }

    /// The contents of `[off, off + n)`, cut where the fields are.
    fn pieces(&self, s: &mut State, obj: Obj, off: i64, n: u64) -> Vec<(i64, u64, Val)> {
        let Some(o) = s.get(obj) else { return Vec::new() };
        let end = off.saturating_add_unsigned(n);
        let cuts: Vec<(i64, i64)> = o
            .overlapping(off, n)
            .into_iter()
            .filter_map(|k| o.fields.get(&k).map(|(b, _)| (k.max(off), k.saturating_add_unsigned(*b).min(end))))
            .collect();
        let mut ranges = Vec::new();
        let mut at = off;
        for (from, to) in cuts {
            if at < from {
                ranges.push((at, from));
            }
            ranges.push((from, to));
            at = to;
        }
        if at < end {
            ranges.push((at, end));
        }
        // What a global starts with is looked at by words: addresses are among it.
        let word = self.module.target.pointer_bytes() as i64;
        let initial = matches!(o.fill, crate::heap::Fill::Initial(_));
        let mut out = Vec::new();
        for (from, to) in ranges {
            let step = if initial { word } else { to - from };
            let mut at = from;
            while at < to {
                let upto = (at + step).min(to);
                let v = self.load(s, obj, at, at, at.abs_diff(upto));
                out.push((at, at.abs_diff(upto), v));
                at = upto;
            }
        }
        out
    }
}

/// The condition behind a conversion to a wider integer.
fn extended<'b>(shape: &Shape, body: &'b Body, o: &'b Operand) -> &'b Operand {
    match shape.made_by(body, o).map(|i| &i.kind) {
        Some(InstKind::Cast { op: CastOp::ZExt, arg }) if body.operand_ty(arg) == Ty::BOOL => arg,
        _ => o,
    }
}

fn is_extended(shape: &Shape, body: &Body, o: &Operand) -> bool {
    !std::ptr::eq(extended(shape, body, o), o)
}
