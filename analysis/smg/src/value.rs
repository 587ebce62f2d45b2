//! Values: constants, integers of which a range is known, and addresses. Not here: what memory holds ([`crate::heap`]).
//!
//! A value stands for a set of values of the program. Integers of at most 64 bits have a range in the signed reading;
//! a [`Sym`] is one unknown integer, the same wherever it occurs in a state, and a [`Val::Range`] is any integer of the
//! range, anew for each node of a list segment.

use crate::heap::Obj;
use verify_ir::FuncId;
use verify_ir::inst::{BinOp, CastOp, IntPred};

/// An unknown integer of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sym(pub u32);

/// Which node of its target an address is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum End {
    /// The target is one object.
    Whole,
    /// The first node of a list segment.
    First,
    /// The last node of a list segment that is linked both ways.
    Last,
    /// The node that holds the address; in the fields of list segments only.
    Each,
}

/// An address: an object and the bytes from its start, between `lo` and `hi`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ptr {
    /// Target.
    pub obj: Obj,
    /// Node of the target.
    pub end: End,
    /// Least offset in bytes.
    pub lo: i64,
    /// Greatest offset in bytes.
    pub hi: i64,
}

impl Ptr {
    /// The start of an object.
    pub fn to(obj: Obj) -> Ptr {
        Ptr { obj, end: End::Whole, lo: 0, hi: 0 }
    }
    /// The offset is known.
    pub fn exact(&self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }
    /// Moved by some number of bytes of a range. What may go too far may be anywhere: addresses wrap around.
    pub fn moved(self, lo: i128, hi: i128) -> Ptr {
        let (lo, hi) = (i128::from(self.lo).saturating_add(lo), i128::from(self.hi).saturating_add(hi));
        let (lo, hi) = if lo < -FAR || hi > FAR { (-FAR, FAR) } else { (lo, hi) };
        Ptr { lo: lo as i64, hi: hi as i64, ..self }
    }
}

/// Offsets from `-FAR` to `FAR` are any; others are exact, for addresses of 32 bits, too.
const FAR: i128 = 1 << 29;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Val {
    /// Never set.
    Undef,
    /// Anything; not even an address that is followed.
    Any {
        /// It is certainly set.
        defined: bool,
    },
    /// A constant of at most 64 bits; the null pointer is 0.
    Int {
        /// Bits.
        width: u32,
        /// Zero-extended.
        value: u64,
    },
    /// Bytes that are all zero, of any number; in memory only.
    Zeros,
    /// Any integer of the range; in list segments only.
    Range(Range),
    /// An unknown integer.
    Sym(Sym),
    /// An address.
    Ptr(Ptr),
    /// The address of a function.
    Func(FuncId),
}

impl Val {
    /// A constant, cut to its width.
    pub fn int(width: u32, value: u64) -> Val {
        Val::Int { width, value: value & mask(width) }
    }
    /// It is certainly set.
    pub fn defined(&self) -> bool {
        !matches!(self, Val::Undef | Val::Any { defined: false })
    }
    /// Something, set or not.
    pub const MAYBE: Val = Val::Any { defined: false };
    /// Something that is set.
    pub const SOME: Val = Val::Any { defined: true };
}

/// The low `width` bits.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Signed reading of a constant.
pub fn signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

/// Integers of a width between two bounds, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// Bits, at most 64.
    pub width: u32,
    /// Least.
    pub lo: i64,
    /// Greatest.
    pub hi: i64,
}

impl Range {
    /// All integers of a width.
    pub fn full(width: u32) -> Range {
        let w = width.clamp(1, 64);
        Range { width, lo: signed(w, 1 << (w - 1)), hi: (mask(w) >> 1) as i64 }
    }
    /// One integer.
    pub fn one(width: u32, value: u64) -> Range {
        let v = signed(width, value);
        Range { width, lo: v, hi: v }
    }
    /// Between two bounds, all of the width where they do not fit.
    pub fn between(width: u32, lo: i128, hi: i128) -> Range {
        let full = Range::full(width);
        if lo >= i128::from(full.lo) && hi <= i128::from(full.hi) {
            Range { width, lo: lo as i64, hi: hi as i64 }
        } else {
            full
        }
    }
    /// The only one, zero-extended.
    pub fn single(&self) -> Option<u64> {
        (self.lo == self.hi).then_some(self.lo as u64 & mask(self.width))
    }
    /// All of the other are in it.
    pub fn covers(&self, o: &Range) -> bool {
        self.lo <= o.lo && o.hi <= self.hi
    }
    /// The least range with both.
    pub fn hull(&self, o: &Range) -> Range {
        Range { width: self.width, lo: self.lo.min(o.lo), hi: self.hi.max(o.hi) }
    }
    /// What is in both; `None`: nothing.
    pub fn meet(&self, o: &Range) -> Option<Range> {
        let r = Range { width: self.width, lo: self.lo.max(o.lo), hi: self.hi.min(o.hi) };
        (r.lo <= r.hi).then_some(r)
    }
    /// Like [`Range::hull`], each bound that moves goes to the next of `steps` (ascending) or to the end.
    pub fn widen(&self, o: &Range, steps: &[i64]) -> Range {
        let full = Range::full(self.width);
        let lo = match o.lo < self.lo {
            true => steps.iter().rev().copied().find(|s| *s <= o.lo).map_or(full.lo, |s| s.max(full.lo)),
            false => self.lo,
        };
        let hi = match o.hi > self.hi {
            true => steps.iter().copied().find(|s| *s >= o.hi).map_or(full.hi, |s| s.min(full.hi)),
            false => self.hi,
        };
        Range { width: self.width, lo, hi }
    }
    /// Bounds in the unsigned reading.
    pub fn unsigned(&self) -> (u128, u128) {
        let (lo, hi) = (self.lo as u64 & mask(self.width), self.hi as u64 & mask(self.width));
        if (self.lo < 0) == (self.hi < 0) { (lo.into(), hi.into()) } else { (0, mask(self.width).into()) }
    }
    fn exact_bounds(&self) -> (i128, i128) {
        (self.lo.into(), self.hi.into())
    }
}

/// The mathematical bounds of a sum, difference or product, before it is cut to its width; in the signed reading or the
/// unsigned one.
pub fn bounds(op: BinOp, a: &Range, b: &Range, signed: bool) -> Option<(i128, i128)> {
    let read = |r: &Range| match signed {
        true => Some(r.exact_bounds()),
        false => Some((i128::try_from(r.unsigned().0).ok()?, i128::try_from(r.unsigned().1).ok()?)),
    };
    let ((al, ah), (bl, bh)) = (read(a)?, read(b)?);
    match op {
        BinOp::Add => Some((al + bl, ah + bh)),
        BinOp::Sub => Some((al - bh, ah - bl)),
        BinOp::Mul => {
            let mut all = [al.checked_mul(bl)?, al.checked_mul(bh)?, ah.checked_mul(bl)?, ah.checked_mul(bh)?];
            all.sort_unstable();
            Some((all[0], all[3]))
        }
        _ => None,
    }
}

/// The result of an operation on integers of one width; shifts by too much and divisions by 0 may give anything.
pub fn binary(op: BinOp, a: &Range, b: &Range) -> Range {
    let w = a.width;
    if let (Some(x), Some(y)) = (a.single(), b.single())
        && let Some(v) = constant(op, w, x, y)
    {
        return Range::one(w, v & mask(w));
    }
    let nonneg = a.lo >= 0 && b.lo >= 0;
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => {
            bounds(op, a, b, true).map_or(Range::full(w), |(lo, hi)| Range::between(w, lo, hi))
        }
        BinOp::And if a.lo >= 0 => Range { width: w, lo: 0, hi: if b.lo >= 0 { a.hi.min(b.hi) } else { a.hi } },
        BinOp::And if b.lo >= 0 => Range { width: w, lo: 0, hi: b.hi },
        BinOp::Or | BinOp::Xor if nonneg => {
            let top = 64 - (a.hi | b.hi).leading_zeros();
            Range { width: w, lo: 0, hi: mask(top) as i64 }
        }
        BinOp::URem | BinOp::SRem if nonneg && b.lo > 0 => Range { width: w, lo: 0, hi: a.hi.min(b.hi - 1) },
        BinOp::SRem if b.lo > 0 => Range::between(w, -i128::from(b.hi - 1), i128::from(b.hi - 1)),
        BinOp::UDiv | BinOp::SDiv if nonneg && b.lo > 0 => Range { width: w, lo: a.lo / b.hi, hi: a.hi / b.lo },
        BinOp::LShr | BinOp::AShr if nonneg && b.hi < i64::from(w) => {
            Range { width: w, lo: a.lo >> b.hi, hi: a.hi >> b.lo }
        }
        BinOp::SMin => Range { width: w, lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        BinOp::SMax => Range { width: w, lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        BinOp::UMin if nonneg => Range { width: w, lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        BinOp::UMax if nonneg => Range { width: w, lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        _ => Range::full(w),
    }
}

fn constant(op: BinOp, w: u32, x: u64, y: u64) -> Option<u64> {
    let (sx, sy) = (signed(w, x), signed(w, y));
    Some(match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::UDiv => x.checked_div(y)?,
        BinOp::URem => x.checked_rem(y)?,
        BinOp::SDiv => sx.checked_div(sy)? as u64,
        BinOp::SRem => sx.checked_rem(sy)? as u64,
        BinOp::Shl if y < u64::from(w) => x << y,
        BinOp::LShr if y < u64::from(w) => x >> y,
        BinOp::AShr if y < u64::from(w) => (sx >> y) as u64,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        _ => return None,
    })
}

/// The result of a conversion between integers; `None`: none of these.
pub fn cast(op: CastOp, a: &Range, width: u32) -> Option<Range> {
    Some(match op {
        CastOp::SExt => Range { width, ..*a },
        CastOp::ZExt => {
            let (lo, hi) = a.unsigned();
            Range::between(width, lo as i128, hi as i128)
        }
        CastOp::Trunc => match a.single() {
            Some(v) => Range::one(width, v & mask(width)),
            None => Range::between(width, a.lo.into(), a.hi.into()),
        },
        _ => return None,
    })
}

/// Whether a comparison holds for all, for none, or for some (`None`).
pub fn compare(pred: IntPred, a: &Range, b: &Range) -> Option<bool> {
    use IntPred::*;
    let ((al, ah), (bl, bh)) = (a.unsigned(), b.unsigned());
    let lt = |l: bool, g: bool| {
        if l {
            Some(true)
        } else if g {
            Some(false)
        } else {
            None
        }
    };
    match pred {
        Eq | Ne => {
            let same = a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
            let apart = a.hi < b.lo || b.hi < a.lo;
            lt(same, apart).map(|eq| eq == (pred == Eq))
        }
        Slt => lt(a.hi < b.lo, a.lo >= b.hi),
        Sle => lt(a.hi <= b.lo, a.lo > b.hi),
        Sgt => lt(a.lo > b.hi, a.hi <= b.lo),
        Sge => lt(a.lo >= b.hi, a.hi < b.lo),
        Ult => lt(ah < bl, al >= bh),
        Ule => lt(ah <= bl, al > bh),
        Ugt => lt(al > bh, ah <= bl),
        Uge => lt(al >= bh, ah < bl),
    }
}

/// The part of `a` for which the comparison with some of `b` can hold; `None`: no part.
pub fn refine(pred: IntPred, a: &Range, b: &Range) -> Option<Range> {
    use IntPred::*;
    let w = a.width;
    let full = Range::full(w);
    let nonneg = a.lo >= 0 && b.lo >= 0;
    let bound = match pred {
        Eq => *b,
        Ne => {
            let mut r = *a;
            if b.lo == b.hi {
                if r.lo == b.lo && r.hi == b.lo {
                    return None;
                }
                if r.lo == b.lo {
                    r.lo += 1;
                }
                if r.hi == b.lo {
                    r.hi -= 1;
                }
            }
            return Some(r);
        }
        Slt => Range { width: w, lo: full.lo, hi: b.hi.checked_sub(1)? },
        Sle => Range { width: w, lo: full.lo, hi: b.hi },
        Sgt => Range { width: w, lo: b.lo.checked_add(1)?, hi: full.hi },
        Sge => Range { width: w, lo: b.lo, hi: full.hi },
        // Below a bound that is not negative, all are not negative in the signed reading as well.
        Ult if b.lo >= 0 => Range { width: w, lo: 0, hi: b.hi.checked_sub(1)? },
        Ule if b.lo >= 0 => Range { width: w, lo: 0, hi: b.hi },
        Ugt if nonneg => Range { width: w, lo: b.lo.checked_add(1)?, hi: full.hi },
        Uge if nonneg => Range { width: w, lo: b.lo, hi: full.hi },
        _ => full,
    };
    if bound.lo > bound.hi { None } else { a.meet(&bound) }
}
