//! Integer operations as terms. Pure functions of their operands; checks are made by the callers.

use verify_ir::inst::{BinOp, IntPred, OverflowOp, UnOp};
use verify_solver::{Bv, Pool, Term};

/// A binary operation whose checks have passed.
pub fn binary(p: &mut Pool, op: BinOp, a: Term, b: Term) -> Term {
    let w = p.width(a);
    match op {
        BinOp::Add => p.add(a, b),
        BinOp::Sub => p.sub(a, b),
        BinOp::Mul => p.mul(a, b),
        BinOp::UDiv => p.udiv(a, b),
        BinOp::SDiv => p.sdiv(a, b),
        BinOp::URem => p.urem(a, b),
        BinOp::SRem => p.srem(a, b),
        BinOp::Shl => p.shl(a, b),
        BinOp::LShr => p.lshr(a, b),
        BinOp::AShr => p.ashr(a, b),
        BinOp::And => p.and(a, b),
        BinOp::Or => p.or(a, b),
        BinOp::Xor => p.xor(a, b),
        BinOp::SMin => {
            let c = p.slt(a, b);
            p.ite(c, a, b)
        }
        BinOp::SMax => {
            let c = p.slt(a, b);
            p.ite(c, b, a)
        }
        BinOp::UMin => {
            let c = p.ult(a, b);
            p.ite(c, a, b)
        }
        BinOp::UMax => {
            let c = p.ult(a, b);
            p.ite(c, b, a)
        }
        BinOp::UAddSat => {
            let (v, o) = overflow(p, OverflowOp::UAdd, a, b);
            let max = p.constant(Bv::ones(w));
            p.ite(o, max, v)
        }
        BinOp::USubSat => {
            let (v, o) = overflow(p, OverflowOp::USub, a, b);
            let zero = p.num(w, 0);
            p.ite(o, zero, v)
        }
        BinOp::SAddSat | BinOp::SSubSat => {
            let (v, o) = overflow(p, if op == BinOp::SAddSat { OverflowOp::SAdd } else { OverflowOp::SSub }, a, b);
            let limit = saturated(p, a);
            p.ite(o, limit, v)
        }
        BinOp::SShlSat => {
            let v = p.shl(a, b);
            let back = p.ashr(v, b);
            let lost = p.ne(back, a);
            let limit = saturated(p, a);
            p.ite(lost, limit, v)
        }
        BinOp::UShlSat => {
            let v = p.shl(a, b);
            let back = p.lshr(v, b);
            let lost = p.ne(back, a);
            let max = p.constant(Bv::ones(w));
            p.ite(lost, max, v)
        }
    }
}

/// The limit on the side of `a`'s sign.
fn saturated(p: &mut Pool, a: Term) -> Term {
    let w = p.width(a);
    let min = p.constant(Bv::min_signed(w));
    let max = p.not(min);
    let sign = p.extract(a, w - 1, w - 1);
    p.ite(sign, min, max)
}

/// Value and overflow bit.
pub fn overflow(p: &mut Pool, op: OverflowOp, a: Term, b: Term) -> (Term, Term) {
    let w = p.width(a);
    let (signed, wide) = match op {
        OverflowOp::SAdd | OverflowOp::SSub => (true, w + 1),
        OverflowOp::UAdd | OverflowOp::USub => (false, w + 1),
        OverflowOp::SMul => (true, 2 * w),
        OverflowOp::UMul => (false, 2 * w),
    };
    let (x, y) = if signed { (p.sext(a, wide), p.sext(b, wide)) } else { (p.zext(a, wide), p.zext(b, wide)) };
    let exact = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => p.add(x, y),
        OverflowOp::SSub | OverflowOp::USub => p.sub(x, y),
        OverflowOp::SMul | OverflowOp::UMul => p.mul(x, y),
    };
    let v = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => p.add(a, b),
        OverflowOp::SSub | OverflowOp::USub => p.sub(a, b),
        OverflowOp::SMul | OverflowOp::UMul => p.mul(a, b),
    };
    let again = if signed { p.sext(v, wide) } else { p.zext(v, wide) };
    let o = p.ne(exact, again);
    (v, o)
}

/// A comparison of numbers.
pub fn compare(p: &mut Pool, pred: IntPred, a: Term, b: Term) -> Term {
    match pred {
        IntPred::Eq => p.eq(a, b),
        IntPred::Ne => p.ne(a, b),
        IntPred::Ult => p.ult(a, b),
        IntPred::Ule => p.ule(a, b),
        IntPred::Ugt => p.ult(b, a),
        IntPred::Uge => p.ule(b, a),
        IntPred::Slt => p.slt(a, b),
        IntPred::Sle => p.sle(a, b),
        IntPred::Sgt => p.slt(b, a),
        IntPred::Sge => p.sle(b, a),
    }
}

/// One operand.
pub fn unary(p: &mut Pool, op: UnOp, a: Term) -> Term {
    let w = p.width(a);
    match op {
        UnOp::CtPop => {
            let mut n = p.num(w, 0);
            for i in 0..w {
                let b = p.extract(a, i, i);
                let b = p.zext(b, w);
                n = p.add(n, b);
            }
            n
        }
        UnOp::CtLz | UnOp::CtTz => {
            // The first set bit from the top (or bottom) decides; the last `ite` made is asked first.
            let mut n = p.num(w, u128::from(w));
            for i in 0..w {
                let at = if op == UnOp::CtLz { i } else { w - 1 - i };
                let b = p.extract(a, at, at);
                let k = p.num(w, u128::from(w - 1 - i));
                n = p.ite(b, k, n);
            }
            n
        }
        UnOp::BSwap => {
            let mut out = p.extract(a, 7, 0);
            for i in 1..w / 8 {
                let b = p.extract(a, 8 * i + 7, 8 * i);
                out = p.concat(out, b);
            }
            out
        }
        UnOp::BitReverse => {
            let mut out = p.extract(a, 0, 0);
            for i in 1..w {
                let b = p.extract(a, i, i);
                out = p.concat(out, b);
            }
            out
        }
        UnOp::Abs => {
            let n = p.neg(a);
            let s = p.extract(a, w - 1, w - 1);
            p.ite(s, n, a)
        }
    }
}

/// Funnel shift.
pub fn funnel(p: &mut Pool, left: bool, hi: Term, lo: Term, amount: Term) -> Term {
    let w = p.width(hi);
    let width = p.num(w, u128::from(w));
    let n = p.urem(amount, width);
    let both = p.concat(hi, lo);
    let n = p.zext(n, 2 * w);
    if left {
        let s = p.shl(both, n);
        p.extract(s, 2 * w - 1, w)
    } else {
        let s = p.lshr(both, n);
        p.extract(s, w - 1, 0)
    }
}

/// Does the flagged operation go wrong: (signed overflow, unsigned overflow, inexact)?
pub fn flagged(p: &mut Pool, op: BinOp, a: Term, b: Term) -> (Term, Term, Term) {
    let ff = p.ff();
    match op {
        BinOp::Add => (overflow(p, OverflowOp::SAdd, a, b).1, overflow(p, OverflowOp::UAdd, a, b).1, ff),
        BinOp::Sub => (overflow(p, OverflowOp::SSub, a, b).1, overflow(p, OverflowOp::USub, a, b).1, ff),
        BinOp::Mul => (overflow(p, OverflowOp::SMul, a, b).1, overflow(p, OverflowOp::UMul, a, b).1, ff),
        BinOp::Shl => {
            let v = p.shl(a, b);
            let (s, u) = (p.ashr(v, b), p.lshr(v, b));
            (p.ne(s, a), p.ne(u, a), ff)
        }
        BinOp::UDiv | BinOp::SDiv => {
            let r = if op == BinOp::UDiv { p.urem(a, b) } else { p.srem(a, b) };
            let w = p.width(a);
            let z = p.num(w, 0);
            (ff, ff, p.ne(r, z))
        }
        BinOp::LShr | BinOp::AShr => {
            let v = p.lshr(a, b);
            let back = p.shl(v, b);
            (ff, ff, p.ne(back, a))
        }
        _ => (ff, ff, ff),
    }
}
