//! Floating-point values as bit patterns. Signs, comparisons, classification and range checks are exact; arithmetic is
//! a function of which only functionality is known: equal operands give equal results. Every execution is kept; what
//! needs more is not proved (real arithmetic belongs in the solver).

use crate::sym::Terms;
use verify_ir::inst::{CastOp, FBinOp, FUnOp, FloatPred};
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
pub fn binary(t: &mut Terms, op: FBinOp, kind: FloatKind, a: Term, b: Term) -> Term {
    let w = kind.bits();
    if op == FBinOp::CopySign {
        let magnitude = t.pool.extract(a, w - 2, 0);
        let sign = t.pool.extract(b, w - 1, w - 1);
        return t.pool.concat(sign, magnitude);
    }
    if let Some(v) = fold(t, op, kind, a, b) {
        return t.pool.num(w, v);
    }
    opaque(t, &[op as u32, w], &[a, b], w)
}

/// Arithmetic on constants, in the default rounding mode; a NaN is left alone, its payload being the machine's affair.
fn fold(t: &Terms, op: FBinOp, kind: FloatKind, a: Term, b: Term) -> Option<u128> {
    let (x, y) = (t.pool.as_const(a)?.to_u64()?, t.pool.as_const(b)?.to_u64()?);
    match kind {
        FloatKind::Single => {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            let r = match op {
                FBinOp::Add => x + y,
                FBinOp::Sub => x - y,
                FBinOp::Mul => x * y,
                FBinOp::Div => x / y,
                _ => return None,
            };
            (!r.is_nan()).then(|| u128::from(r.to_bits()))
        }
        FloatKind::Double => {
            let (x, y) = (f64::from_bits(x), f64::from_bits(y));
            let r = match op {
                FBinOp::Add => x + y,
                FBinOp::Sub => x - y,
                FBinOp::Mul => x * y,
                FBinOp::Div => x / y,
                _ => return None,
            };
            (!r.is_nan()).then(|| u128::from(r.to_bits()))
        }
        _ => None,
    }
}

/// Conversions of constants between numbers of at most 64 bits, rounded to nearest; `None`: not folded.
pub fn fold_cast(t: &Terms, op: CastOp, from: Ty, to: Ty, a: Term) -> Option<u128> {
    use FloatKind::{Double, Single};
    let v = t.pool.as_const(a)?;
    let w = v.width();
    let x = v.to_u64()?;
    let signed = (x as i64) << (64 - w) >> (64 - w);
    let float = |f: f64| (!f.is_nan()).then_some(f);
    Some(match (op, from, to) {
        (CastOp::FpExt, Ty::Float(Single), Ty::Float(Double)) => {
            u128::from(float(f64::from(f32::from_bits(x as u32)))?.to_bits())
        }
        (CastOp::FpTrunc, Ty::Float(Double), Ty::Float(Single)) => {
            u128::from((float(f64::from_bits(x))? as f32).to_bits())
        }
        (CastOp::SiToFp, Ty::Int(_), Ty::Float(Double)) => u128::from((signed as f64).to_bits()),
        (CastOp::SiToFp, Ty::Int(_), Ty::Float(Single)) => u128::from((signed as f32).to_bits()),
        (CastOp::UiToFp, Ty::Int(_), Ty::Float(Double)) => u128::from((x as f64).to_bits()),
        (CastOp::UiToFp, Ty::Int(_), Ty::Float(Single)) => u128::from((x as f32).to_bits()),
        (CastOp::FpToSi | CastOp::FpToUi, Ty::Float(k @ (Single | Double)), Ty::Int(n)) if n <= 64 => {
            let f = if k == Single { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x) }.trunc();
            let (low, high) = if op == CastOp::FpToSi {
                (-(2f64.powi(n as i32 - 1)), 2f64.powi(n as i32 - 1))
            } else {
                (0.0, 2f64.powi(n as i32))
            };
            // Out of range the cast has failed its check.
            if !(f >= low && f < high) {
                return None;
            }
            let bits = if op == CastOp::FpToSi { f as i64 as u64 } else { f as u64 };
            u128::from(if n == 64 { bits } else { bits & ((1 << n) - 1) })
        }
        _ => return None,
    })
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
