//! Floating point: instructions as the solver's operators on bit patterns, exactly by IEEE 754. What a processor or a
//! library may choose is a free symbol of the operands: sign and payload of NaNs, the lesser of two zeros, integers
//! that conversions cannot represent. Functions that are not exact by definition (sine, power) are symbols altogether.
//!
//! The rounding mode is to nearest, ties to even: a program that sets another one has left what is modelled.

use crate::sym::Terms;
use verify_ir::inst::{CastOp, FBinOp, FUnOp, FloatPred};
use verify_ir::{FloatKind, Ty};
use verify_solver::float::{FloatOp, Format, Rounding, classify, x87};
use verify_solver::{Bv, Sort, Term};

/// An unknown function of its operands.
pub fn opaque(t: &mut Terms, op: &[u32], args: &[Term], width: u32) -> Term {
    let mut key = vec![60];
    key.extend_from_slice(op);
    key.push(u32::MAX);
    key.extend(args.iter().map(|a| a.0));
    t.symbol(&key, Sort::Bv(width))
}

fn format(kind: FloatKind) -> Format {
    match kind {
        FloatKind::Half => Format::HALF,
        FloatKind::BFloat => Format::BFLOAT,
        FloatKind::Single => Format::SINGLE,
        FloatKind::Double => Format::DOUBLE,
        FloatKind::X87 => Format::EXTENDED,
        FloatKind::Quad => Format::QUAD,
    }
}

/// The interchange pattern of a value.
fn number(t: &mut Terms, kind: FloatKind, a: Term) -> Term {
    if kind == FloatKind::X87 { x87::from_bits(&mut t.pool, a) } else { a }
}

/// The value of an interchange pattern.
fn stored(t: &mut Terms, kind: FloatKind, x: Term) -> Term {
    if kind == FloatKind::X87 { x87::to_bits(&mut t.pool, x) } else { x }
}

/// Applies an operator to numbers; the mode goes in front, a free NaN behind: a function of instruction (`tag`) and
/// operands, so that a sum and the difference from the negated operand may give different ones.
fn apply(t: &mut Terms, tag: &[u32], op: FloatOp, kind: FloatKind, mode: Rounding, args: &[Term]) -> Term {
    let f = format(kind);
    let mut key = vec![2000, f.exponent, f.significand];
    key.extend_from_slice(tag);
    let nan = opaque(t, &key, args, f.width());
    let mut all = Vec::new();
    if op.rounds() {
        all.push(mode.term(&mut t.pool));
    }
    all.extend_from_slice(args);
    all.push(nan);
    let r = t.pool.float(op, f, &all, 0);
    stored(t, kind, r)
}

/// Two operands.
pub fn binary(t: &mut Terms, op: FBinOp, kind: FloatKind, a: Term, b: Term) -> Term {
    let w = kind.bits();
    let exact = match op {
        FBinOp::Add | FBinOp::Sub => FloatOp::Add,
        FBinOp::Mul => FloatOp::Mul,
        FBinOp::Div => FloatOp::Div,
        FBinOp::Rem => FloatOp::Rem,
        FBinOp::CopySign => {
            let magnitude = t.pool.extract(a, w - 2, 0);
            let sign = t.pool.extract(b, w - 1, w - 1);
            return t.pool.concat(sign, magnitude);
        }
        FBinOp::MinNum | FBinOp::MaxNum | FBinOp::Minimum | FBinOp::Maximum => return extreme(t, op, kind, a, b),
        FBinOp::Pow | FBinOp::Ldexp => return opaque(t, &[op as u32, w], &[a, b], w),
    };
    let (x, y) = (number(t, kind, a), number(t, kind, b));
    let y = if op == FBinOp::Sub { classify::negate(&mut t.pool, format(kind), y) } else { y };
    let turns = t.turned_sums && matches!(op, FBinOp::Add | FBinOp::Mul) && y.0 < x.0;
    let args = if turns { [y, x] } else { [x, y] };
    apply(t, &[0, op as u32], exact, kind, Rounding::NearestEven, &args)
}

/// `a * b + c`, rounded once.
pub fn fused(t: &mut Terms, kind: FloatKind, a: Term, b: Term, c: Term) -> Term {
    let args = [a, b, c].map(|x| number(t, kind, x));
    apply(t, &[1], FloatOp::Fma, kind, Rounding::NearestEven, &args)
}

/// C's `fmod`, or `remainder`, of doubles.
pub fn remainder(t: &mut Terms, nearest: bool, a: Term, b: Term) -> Term {
    let kind = FloatKind::Double;
    let op = if nearest { FloatOp::Remainder } else { FloatOp::Rem };
    let r = apply(t, &[2, u32::from(nearest)], op, kind, Rounding::Zero, &[a, b]);
    // C libraries differ in the sign of a zero that `remainder` gives.
    let f = format(kind);
    let sign = opaque(t, &[2001, u32::from(nearest)], &[a, b], 1);
    let zero = zero(t, f, sign);
    let is = classify::is_zero(&mut t.pool, f, r);
    if nearest { t.pool.ite(is, zero, r) } else { r }
}

fn zero(t: &mut Terms, f: Format, sign: Term) -> Term {
    let none = t.pool.num(f.width() - 1, 0);
    t.pool.concat(sign, none)
}

/// The lesser or greater of two. `fmin` and `fmax` take the other operand for a quiet NaN, and may do so or not for a
/// signalling one; which of two zeros they give is open. `minimum` and `maximum` know no such freedom.
fn extreme(t: &mut Terms, op: FBinOp, kind: FloatKind, a: Term, b: Term) -> Term {
    let f = format(kind);
    let (x, y) = (number(t, kind, a), number(t, kind, b));
    let least = matches!(op, FBinOp::MinNum | FBinOp::Minimum);
    let strict = matches!(op, FBinOp::Minimum | FBinOp::Maximum);
    let key = [2002, op as u32, f.exponent, f.significand];
    let (nan, free) = (opaque(t, &key, &[x, y], f.width()), opaque(t, &key, &[x, y], 2));
    let p = &mut t.pool;
    let o = classify::order(p, f, x, y);
    let first = if least { o.less } else { o.greater };
    let chosen = p.ite(first, x, y);
    // Equal: the same number, or zeros.
    let (sx, sy) = (classify::sign(p, f, x), classify::sign(p, f, y));
    let either = p.extract(free, 0, 0);
    let sign = if strict {
        if least { p.or(sx, sy) } else { p.and(sx, sy) }
    } else {
        let differ = p.xor(sx, sy);
        p.ite(differ, either, sx)
    };
    let magnitude = classify::magnitude(p, f, x);
    let equal = p.concat(sign, magnitude);
    let chosen = p.ite(o.equal, equal, chosen);
    let quiet = classify::quiet(p, f, nan);
    let (nx, ny) = (classify::is_nan(p, f, x), classify::is_nan(p, f, y));
    let other = if strict {
        quiet
    } else {
        let (lx, ly) = (classify::is_signalling(p, f, x), classify::is_signalling(p, f, y));
        let loud = p.or(lx, ly);
        let given_up = p.extract(free, 1, 1);
        let given_up = p.and(loud, given_up);
        let both = p.and(nx, ny);
        let bad = p.or(both, given_up);
        let rest = p.ite(nx, y, x);
        p.ite(bad, quiet, rest)
    };
    let any = p.or(nx, ny);
    let r = p.ite(any, other, chosen);
    stored(t, kind, r)
}

/// One operand.
pub fn unary(t: &mut Terms, op: FUnOp, a: Term, ty: Ty) -> Term {
    let w = t.pool.width(a);
    let magnitude = t.pool.extract(a, w - 2, 0);
    let Ty::Float(kind) = ty else { return opaque(t, &[500 + op as u32, w], &[a], w) };
    let (exact, mode) = match op {
        FUnOp::Neg => {
            let sign = t.pool.extract(a, w - 1, w - 1);
            let sign = t.pool.not(sign);
            return t.pool.concat(sign, magnitude);
        }
        FUnOp::Abs => {
            let zero = t.pool.num(1, 0);
            return t.pool.concat(zero, magnitude);
        }
        FUnOp::Sqrt => (FloatOp::Sqrt, Rounding::NearestEven),
        FUnOp::Floor => (FloatOp::Integral, Rounding::Down),
        FUnOp::Ceil => (FloatOp::Integral, Rounding::Up),
        FUnOp::Trunc => (FloatOp::Integral, Rounding::Zero),
        FUnOp::Rint | FUnOp::NearbyInt | FUnOp::RoundEven => (FloatOp::Integral, Rounding::NearestEven),
        FUnOp::Round => (FloatOp::Integral, Rounding::NearestAway),
        _ => return opaque(t, &[500 + op as u32, w], &[a], w),
    };
    let x = number(t, kind, a);
    apply(t, &[3, op as u32], exact, kind, mode, &[x])
}

/// Comparison.
pub fn compare(t: &mut Terms, kind: FloatKind, pred: FloatPred, a: Term, b: Term) -> Term {
    use FloatPred as P;
    let (x, y) = (number(t, kind, a), number(t, kind, b));
    let p = &mut t.pool;
    let o = classify::order(p, format(kind), x, y);
    match pred {
        P::False => p.ff(),
        P::True => p.tt(),
        P::Ord => p.not(o.unordered),
        P::Uno => o.unordered,
        P::Oeq => o.equal,
        P::Ogt => o.greater,
        P::Oge => p.or(o.greater, o.equal),
        P::Olt => o.less,
        P::Ole => p.or(o.less, o.equal),
        P::One => p.or(o.less, o.greater),
        P::Ueq => p.or(o.unordered, o.equal),
        P::Ugt => p.or(o.unordered, o.greater),
        P::Uge => p.not(o.less),
        P::Ult => p.or(o.unordered, o.less),
        P::Ule => p.not(o.greater),
        P::Une => p.not(o.equal),
    }
}

/// Does the number, rounded towards zero, fit an integer of `to` bits?
pub fn fits(t: &mut Terms, from: Ty, a: Term, to: u32, signed: bool) -> Term {
    let Ty::Float(kind) = from else { return t.pool.ff() };
    let f = format(kind);
    let x = number(t, kind, a);
    // The magnitude of `2^e` or `2^e + 1`, infinite where the format ends before.
    let power = |t: &mut Terms, e: u32, more: u128| {
        let one = t.pool.num(e + 1, 1);
        let by = t.pool.num(e + 1, u128::from(e));
        let power = t.pool.shl(one, by);
        let more = t.pool.num(e + 1, more);
        let n = t.pool.add(power, more);
        let mode = Rounding::Up.term(&mut t.pool);
        let n = t.pool.float(FloatOp::FromUnsigned, f, &[mode, n], 0);
        classify::magnitude(&mut t.pool, f, n)
    };
    let (magnitude, sign) = (classify::magnitude(&mut t.pool, f, x), classify::sign(&mut t.pool, f, x));
    if !signed {
        let (top, one) = (power(t, to, 0), power(t, 0, 0));
        let (positive, negative) = (t.pool.ult(magnitude, top), t.pool.ult(magnitude, one));
        return t.pool.ite(sign, negative, positive);
    }
    let top = power(t, to - 1, 0);
    let positive = t.pool.ult(magnitude, top);
    // All above -2^(to-1) - 1, which is the next number where the format has no fractions any more.
    let negative = if to > 1 && f.significand >= to {
        let next = power(t, to - 1, 1);
        t.pool.ult(magnitude, next)
    } else {
        let (inf, nan) = (classify::is_infinite(&mut t.pool, f, x), classify::is_nan(&mut t.pool, f, x));
        let special = t.pool.or(inf, nan);
        let number = t.pool.not(special);
        let near = if to == 1 {
            let two = power(t, 1, 0);
            t.pool.ult(magnitude, two)
        } else {
            t.pool.ule(magnitude, top)
        };
        t.pool.and(near, number)
    };
    t.pool.ite(sign, negative, positive)
}

/// Conversions from and to numbers; `None`: it is another one.
pub fn cast(t: &mut Terms, op: CastOp, from: Ty, to: Ty, a: Term, to_bits: u32) -> Option<Term> {
    Some(match (op, from, to) {
        (CastOp::FpExt | CastOp::FpTrunc, Ty::Float(j), Ty::Float(k)) => {
            let x = number(t, j, a);
            let from = format(j);
            let tag = [4, from.exponent, from.significand];
            apply(t, &tag, FloatOp::Convert { from }, k, Rounding::NearestEven, &[x])
        }
        (CastOp::SiToFp | CastOp::UiToFp, _, Ty::Float(k)) => {
            let op = if op == CastOp::SiToFp { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
            let mode = Rounding::NearestEven.term(&mut t.pool);
            let r = t.pool.float(op, format(k), &[mode, a], 0);
            stored(t, k, r)
        }
        (
            CastOp::FpToSi | CastOp::FpToUi | CastOp::FpToSiSat | CastOp::FpToUiSat | CastOp::LRint | CastOp::LRound,
            Ty::Float(k),
            _,
        ) => {
            let f = format(k);
            let x = number(t, k, a);
            let signed = !matches!(op, CastOp::FpToUi | CastOp::FpToUiSat);
            let other = match op {
                CastOp::FpToSiSat | CastOp::FpToUiSat => saturated(t, f, x, to_bits, signed),
                _ => opaque(t, &[op as u32, f.exponent, f.significand, to_bits], &[x], to_bits),
            };
            let mode = match op {
                CastOp::LRint => Rounding::NearestEven,
                CastOp::LRound => Rounding::NearestAway,
                _ => Rounding::Zero,
            };
            let mode = mode.term(&mut t.pool);
            let op = if signed { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
            t.pool.float(op, f, &[mode, x, other], to_bits)
        }
        _ => return None,
    })
}

/// The integer nearest to a number that no integer of the width is near to; 0 for a NaN.
fn saturated(t: &mut Terms, f: Format, x: Term, w: u32, signed: bool) -> Term {
    let p = &mut t.pool;
    let least = if signed { Bv::min_signed(w) } else { Bv::zero(w) };
    let most = if signed { least.not() } else { Bv::ones(w) };
    let (least, most, none) = (p.constant(least), p.constant(most), p.num(w, 0));
    let (sign, nan) = (classify::sign(p, f, x), classify::is_nan(p, f, x));
    let end = p.ite(sign, least, most);
    p.ite(nan, none, end)
}
