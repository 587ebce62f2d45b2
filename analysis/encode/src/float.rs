//! Floating-point values as bit patterns. Signs, comparisons, classification and range checks are exact; arithmetic is
//! a function of which only functionality is known: equal operands give equal results. Every execution is kept; what
//! needs more is not proved (real arithmetic belongs in the solver).

use crate::sym::Terms;
use verify_ir::inst::{FBinOp, FUnOp, FloatPred};
use verify_ir::{FloatKind, Ty};
use verify_solver::{Bv, Sort, Term};

/// An unknown function of its operands.
pub fn opaque(t: &mut Terms, op: &[u32], args: &[Term], width: u32) -> Term {
    let mut key = vec![60];
    key.extend_from_slice(op);
    key.push(u32::MAX);
    key.extend(args.iter().map(|a| a.0));
    t.symbol(&key, Sort::Bv(width))
}

/// Bits of significand without the explicit integer bit, where the format is one of IEEE 754's interchange formats.
fn fraction(kind: FloatKind) -> Option<u32> {
    Some(match kind {
        FloatKind::Half => 10,
        FloatKind::BFloat => 7,
        FloatKind::Single => 23,
        FloatKind::Double => 52,
        FloatKind::Quad => 112,
        FloatKind::X87 => return None,
    })
}

/// Two operands.
pub fn binary(t: &mut Terms, op: FBinOp, a: Term, b: Term, w: u32) -> Term {
    if op == FBinOp::CopySign {
        let magnitude = t.pool.extract(a, w - 2, 0);
        let sign = t.pool.extract(b, w - 1, w - 1);
        return t.pool.concat(sign, magnitude);
    }
    opaque(t, &[op as u32, w], &[a, b], w)
}

/// One operand.
pub fn unary(t: &mut Terms, op: FUnOp, a: Term, ty: Ty) -> Term {
    let w = t.pool.width(a);
    let magnitude = t.pool.extract(a, w - 2, 0);
    match op {
        FUnOp::Neg => {
            let sign = t.pool.extract(a, w - 1, w - 1);
            let sign = t.pool.not(sign);
            t.pool.concat(sign, magnitude)
        }
        FUnOp::Abs => {
            let zero = t.pool.num(1, 0);
            t.pool.concat(zero, magnitude)
        }
        _ => {
            let _ = ty;
            opaque(t, &[500 + op as u32, w], &[a], w)
        }
    }
}

/// Comparison, exactly by IEEE 754 for the interchange formats.
pub fn compare(t: &mut Terms, kind: FloatKind, pred: FloatPred, a: Term, b: Term) -> Term {
    let (tt, ff) = (t.pool.tt(), t.pool.ff());
    match pred {
        FloatPred::False => return ff,
        FloatPred::True => return tt,
        _ => {}
    }
    let Some(f) = fraction(kind) else {
        return opaque(t, &[700 + pred as u32], &[a, b], 1);
    };
    let w = kind.bits();
    let nan = |t: &mut Terms, x: Term| {
        // Exponent all ones and fraction not zero: magnitude above infinity's.
        let m = t.pool.extract(x, w - 2, 0);
        let inf = Bv::ones(w - 1 - f).zext(w - 1).shl(&Bv::new(w - 1, u128::from(f)));
        let inf = t.pool.constant(inf);
        t.pool.ult(inf, m)
    };
    let (na, nb) = (nan(t, a), nan(t, b));
    let unordered = t.pool.or(na, nb);
    let (ma, mb) = (t.pool.extract(a, w - 2, 0), t.pool.extract(b, w - 2, 0));
    let (sa, sb) = (t.pool.extract(a, w - 1, w - 1), t.pool.extract(b, w - 1, w - 1));
    let zero = t.pool.num(w - 1, 0);
    let (za, zb) = (t.pool.eq(ma, zero), t.pool.eq(mb, zero));
    let zeros = t.pool.and(za, zb);
    let same = t.pool.eq(a, b);
    let eq = t.pool.or(zeros, same);
    let less = |t: &mut Terms, (ma, sa): (Term, Term), (mb, sb): (Term, Term)| {
        // Signs differ: the negative one. Both positive: by magnitude; both negative: the other way round.
        let up = t.pool.ult(ma, mb);
        let down = t.pool.ult(mb, ma);
        let by = t.pool.ite(sa, down, up);
        let differ = t.pool.xor(sa, sb);
        let lt = t.pool.ite(differ, sa, by);
        let not_zeros = t.pool.not(zeros);
        t.pool.and(lt, not_zeros)
    };
    let lt = less(t, (ma, sa), (mb, sb));
    let gt = less(t, (mb, sb), (ma, sa));
    let ordered = t.pool.not(unordered);
    use FloatPred as P;
    let base = match pred {
        P::Oeq | P::Ueq => eq,
        P::Ogt | P::Ugt => gt,
        P::Oge | P::Uge => t.pool.or(gt, eq),
        P::Olt | P::Ult => lt,
        P::Ole | P::Ule => t.pool.or(lt, eq),
        P::One | P::Une => t.pool.not(eq),
        P::Ord => return ordered,
        P::Uno => return unordered,
        P::False | P::True => tt,
    };
    match pred {
        P::Ueq | P::Ugt | P::Uge | P::Ult | P::Ule | P::Une => t.pool.or(unordered, base),
        _ => t.pool.and(ordered, base),
    }
}

/// Does the number, cut off towards zero, fit an integer of `to` bits? And is the answer exact.
pub fn fits(t: &mut Terms, from: Ty, a: Term, to: u32, signed: bool) -> (Term, bool) {
    let Ty::Float(kind) = from else { return (t.pool.ff(), false) };
    let Some(f) = fraction(kind) else { return (t.pool.ff(), false) };
    let w = kind.bits();
    let bias = (1u32 << (w - 2 - f)) - 1;
    let power = |t: &mut Terms, e: u32| {
        let e = (bias + e).min((1 << (w - 1 - f)) - 1);
        let v = Bv::new(w - 1, u128::from(e)).shl(&Bv::new(w - 1, u128::from(f)));
        t.pool.constant(v)
    };
    let magnitude = t.pool.extract(a, w - 2, 0);
    let sign = t.pool.extract(a, w - 1, w - 1);
    // Magnitudes are ordered like their bit patterns.
    let top = power(t, if signed { to - 1 } else { to });
    let positive = t.pool.ult(magnitude, top);
    if signed {
        // Down to -2^(to-1): strictly below is proved exactly, the bound itself fits too.
        let negative = t.pool.ule(magnitude, top);
        // Between -2^(n-1) - 1 and -2^(n-1) numbers fit as well, when the format has any: take them for failures.
        (t.pool.ite(sign, negative, positive), f < to)
    } else {
        let one = power(t, 0);
        let negative = t.pool.ult(magnitude, one);
        (t.pool.ite(sign, negative, positive), true)
    }
}
