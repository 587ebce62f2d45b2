//! The meaning of the operators on constants: numbers are `mantissa * 2^exponent` with big-integer mantissas, combined
//! exactly and rounded once. This is the reference that the circuits and the bounds are tested against, and it is
//! tested against the machine's arithmetic. It shares nothing with either.

use super::{FloatOp, Format, Rounding};
use crate::value::Bv;
use dashu::base::{BitTest, DivRem, SquareRoot};
use dashu::integer::UBig;

/// A pattern taken apart.
#[derive(Clone, PartialEq, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinity with its sign.
    Inf(bool),
    /// Sign, mantissa, exponent of the mantissa's lowest bit.
    Fin(bool, UBig, i64),
}

fn ones(n: u32) -> UBig {
    (UBig::ONE << n as usize) - UBig::ONE
}

fn big(v: &Bv) -> UBig {
    UBig::from_words(v.limbs())
}

fn bv(width: u32, v: &UBig) -> Bv {
    Bv::from_limbs(width, v.as_words())
}

/// Takes a pattern apart.
pub fn decode(f: Format, v: &Bv) -> Number {
    let stored = f.significand - 1;
    let all = big(v);
    let sign = v.bit(f.width() - 1);
    let fraction = &all & ones(stored);
    let field = i64::try_from((all >> stored as usize) & ones(f.exponent)).unwrap_or(0);
    let lowest = f.least() - i64::from(stored);
    if field == (1 << f.exponent) - 1 {
        return if fraction == UBig::ZERO { Number::Inf(sign) } else { Number::Nan };
    }
    match field {
        0 => Number::Fin(sign, fraction, lowest),
        e => Number::Fin(sign, fraction | (UBig::ONE << stored as usize), lowest + e - 1),
    }
}

/// Infinity.
pub fn infinity(f: Format, sign: bool) -> Bv {
    let field = ones(f.exponent) << (f.significand - 1) as usize;
    bv(f.width(), &(field | (UBig::from(u8::from(sign)) << (f.width() - 1) as usize)))
}

/// The quiet NaN with sign and payload of the pattern.
pub fn quiet(f: Format, payload: &Bv) -> Bv {
    let mask = ones(f.exponent + 1) << (f.significand - 2) as usize;
    bv(f.width(), &(big(payload) | mask))
}

fn zero(f: Format, sign: bool) -> Bv {
    encode(f, Rounding::Zero, sign, &UBig::ZERO, 0)
}

/// Is an integer rounded up in magnitude, when `rest` in units of `2^-k` was cut off?
fn away(mode: Rounding, sign: bool, odd: bool, rest: &UBig, k: usize) -> bool {
    if *rest == UBig::ZERO {
        return false;
    }
    let half = UBig::ONE << (k - 1);
    match mode {
        Rounding::NearestEven => *rest > half || (*rest == half && odd),
        Rounding::NearestAway => *rest >= half,
        Rounding::Up => !sign,
        Rounding::Down => sign,
        Rounding::Zero => false,
    }
}

/// `(-1)^sign * mantissa * 2^exp`, rounded. Who cut bits off sets the lowest bit of a mantissa that has at least two
/// bits more than the format.
pub fn encode(f: Format, mode: Rounding, sign: bool, mantissa: &UBig, exp: i64) -> Bv {
    let s = UBig::from(u8::from(sign)) << (f.width() - 1) as usize;
    if *mantissa == UBig::ZERO {
        return bv(f.width(), &s);
    }
    let p = i64::from(f.significand);
    let top = exp + mantissa.bit_len() as i64 - 1;
    let lsb = top.max(f.least()) - (p - 1);
    let shift = lsb - exp;
    let m = if shift <= 0 {
        mantissa << (-shift) as usize
    } else {
        let k = shift as usize;
        let whole = mantissa >> k;
        let odd = whole.bit(0);
        let up = away(mode, sign, odd, &(mantissa & ones(shift as u32)), k);
        whole + UBig::from(u8::from(up))
    };
    // The leading bit of a normal number counts as one in the exponent field; a carry goes there too.
    let field = lsb + p - 1 - f.least();
    let magnitude = m + (UBig::from(field as u64) << (p - 1) as usize);
    let inf = ones(f.exponent) << (p - 1) as usize;
    if magnitude < inf {
        return bv(f.width(), &(s | magnitude));
    }
    let to_infinity = match mode {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Up => !sign,
        Rounding::Down => sign,
        Rounding::Zero => false,
    };
    bv(f.width(), &(s | if to_infinity { inf } else { inf - UBig::ONE }))
}

/// Sum of numbers that are exact.
fn sum(f: Format, mode: Rounding, (sx, mx, ex): (bool, UBig, i64), (sy, my, ey): (bool, UBig, i64)) -> Bv {
    let (zx, zy) = (mx == UBig::ZERO, my == UBig::ZERO);
    if zx && zy {
        return zero(f, if sx == sy { sx } else { mode == Rounding::Down });
    }
    if zx {
        return encode(f, mode, sy, &my, ey);
    }
    if zy {
        return encode(f, mode, sx, &mx, ex);
    }
    let e = ex.min(ey);
    let (x, y) = (mx << (ex - e) as usize, my << (ey - e) as usize);
    if sx == sy {
        return encode(f, mode, sx, &(x + y), e);
    }
    match x.cmp(&y) {
        std::cmp::Ordering::Equal => zero(f, mode == Rounding::Down),
        std::cmp::Ordering::Greater => encode(f, mode, sx, &(x - y), e),
        std::cmp::Ordering::Less => encode(f, mode, sy, &(y - x), e),
    }
}

/// Numerator and denominator: the quotient, rounded.
fn quotient(f: Format, mode: Rounding, sign: bool, (m, e): (UBig, i64), (n, d): (UBig, i64)) -> Bv {
    let want = i64::from(f.significand) + 3 + n.bit_len() as i64 - m.bit_len() as i64;
    let k = want.max(0);
    let (q, r) = (m << k as usize).div_rem(n);
    let q = (q << 1usize) | UBig::from(u8::from(r != UBig::ZERO));
    encode(f, mode, sign, &q, e - d - k - 1)
}

/// The number nearest to a fraction.
pub fn ratio(f: Format, mode: Rounding, sign: bool, numerator: UBig, denominator: UBig) -> Bv {
    quotient(f, mode, sign, (numerator, 0), (denominator, 0))
}

/// The integer that a number is rounded to, without its sign.
fn integer(mode: Rounding, sign: bool, m: &UBig, e: i64) -> UBig {
    if e >= 0 {
        return m << e as usize;
    }
    // Further down nothing changes any more.
    let k = ((-e) as usize).min(m.bit_len() + 2);
    let whole = m >> k;
    let up = away(mode, sign, whole.bit(0), &(m & ones(k as u32)), k);
    whole + UBig::from(u8::from(up))
}

/// Applies an operator; `width` is the result's.
pub fn apply(op: FloatOp, f: Format, args: &[&Bv], width: u32) -> Option<Bv> {
    let mode = if op.rounds() { Rounding::of(args.first()?.to_u64()?) } else { Rounding::Zero };
    let n = &args[usize::from(op.rounds())..];
    Some(match (op, n) {
        (FloatOp::FromSigned | FloatOp::FromUnsigned, [i]) => {
            let negative = op == FloatOp::FromSigned && i.sign();
            let magnitude = if negative { i.neg() } else { (*i).clone() };
            encode(f, mode, negative, &big(&magnitude), 0)
        }
        (FloatOp::ToSigned | FloatOp::ToUnsigned, [a, other]) => {
            to_int(f, mode, a, width, op == FloatOp::ToSigned).unwrap_or_else(|| (*other).clone())
        }
        (FloatOp::Convert { from }, [a, nan]) => match decode(from, a) {
            Number::Nan => quiet(f, nan),
            Number::Inf(s) => infinity(f, s),
            Number::Fin(s, m, e) => encode(f, mode, s, &m, e),
        },
        (FloatOp::Sqrt | FloatOp::Integral, [a, nan]) => unary(op, f, mode, a).unwrap_or_else(|| quiet(f, nan)),
        (_, [a, b, nan]) => binary(op, f, mode, a, b).unwrap_or_else(|| quiet(f, nan)),
        (FloatOp::Fma, [a, b, c, nan]) => fma(f, mode, a, b, c).unwrap_or_else(|| quiet(f, nan)),
        _ => return None,
    })
}

/// The integer, when it fits.
pub fn to_int(f: Format, mode: Rounding, a: &Bv, width: u32, signed: bool) -> Option<Bv> {
    let Number::Fin(s, m, e) = decode(f, a) else { return None };
    // Out of range before anything large is made of it.
    if m != UBig::ZERO && e + m.bit_len() as i64 > i64::from(width) + 1 {
        return None;
    }
    let i = integer(mode, s, &m, e);
    let limit = UBig::ONE << (width - u32::from(signed)) as usize;
    let fits = match (signed, s) {
        (false, true) => i == UBig::ZERO,
        (true, true) => i <= limit,
        (_, false) => i < limit,
    };
    let v = bv(width, &i);
    fits.then(|| if s { v.neg() } else { v })
}

fn unary(op: FloatOp, f: Format, mode: Rounding, a: &Bv) -> Option<Bv> {
    match decode(f, a) {
        Number::Nan => None,
        Number::Inf(s) => (op == FloatOp::Integral || !s).then(|| a.clone()),
        Number::Fin(s, m, e) if op == FloatOp::Integral => Some(encode(f, mode, s, &integer(mode, s, &m, e), 0)),
        Number::Fin(_, m, _) if m == UBig::ZERO => Some(a.clone()),
        Number::Fin(true, ..) => None,
        Number::Fin(false, m, e) => {
            let want = 2 * (i64::from(f.significand) + 3) - m.bit_len() as i64;
            let mut k = want.max(0);
            k += (e - k).rem_euclid(2);
            let n = m << k as usize;
            let r = n.sqrt();
            let inexact = &r * &r != n;
            Some(encode(f, mode, false, &((r << 1usize) | UBig::from(u8::from(inexact))), (e - k) / 2 - 1))
        }
    }
}

/// `None`: a NaN.
fn binary(op: FloatOp, f: Format, mode: Rounding, a: &Bv, b: &Bv) -> Option<Bv> {
    use Number::{Fin, Inf, Nan};
    let none = |m: &UBig| *m == UBig::ZERO;
    match (op, decode(f, a), decode(f, b)) {
        (_, Nan, _) | (_, _, Nan) => None,
        (FloatOp::Add, Inf(s), Inf(t)) => (s == t).then(|| infinity(f, s)),
        (FloatOp::Add, Inf(s), _) | (FloatOp::Add, _, Inf(s)) => Some(infinity(f, s)),
        (FloatOp::Add, Fin(s, m, e), Fin(t, n, d)) => Some(sum(f, mode, (s, m, e), (t, n, d))),
        (FloatOp::Mul, Inf(s), Inf(t)) => Some(infinity(f, s ^ t)),
        (FloatOp::Mul, Inf(s), Fin(t, m, _)) | (FloatOp::Mul, Fin(t, m, _), Inf(s)) => {
            (!none(&m)).then(|| infinity(f, s ^ t))
        }
        (FloatOp::Mul, Fin(s, m, e), Fin(t, n, d)) => Some(encode(f, mode, s ^ t, &(m * n), e + d)),
        (FloatOp::Div, Inf(_), Inf(_)) => None,
        (FloatOp::Div, Inf(s), Fin(t, ..)) => Some(infinity(f, s ^ t)),
        (FloatOp::Div, Fin(s, ..), Inf(t)) => Some(zero(f, s ^ t)),
        (FloatOp::Div, Fin(s, m, e), Fin(t, n, d)) => match (none(&m), none(&n)) {
            (true, true) => None,
            (false, true) => Some(infinity(f, s ^ t)),
            _ => Some(quotient(f, mode, s ^ t, (m, e), (n, d))),
        },
        (FloatOp::Rem | FloatOp::Remainder, Fin(..), Inf(_)) => Some(a.clone()),
        (FloatOp::Rem | FloatOp::Remainder, Fin(s, m, e), Fin(_, n, d)) if !none(&n) => {
            let low = e.min(d);
            let (m, n) = (m << (e - low) as usize, n << (d - low) as usize);
            let (q, r) = m.div_rem(&n);
            let twice = &r << 1usize;
            if op == FloatOp::Remainder && (twice > n || (twice == n && q.bit(0))) {
                return Some(encode(f, mode, !s, &(n - r), low));
            }
            Some(encode(f, mode, s, &r, low))
        }
        _ => None,
    }
}

fn fma(f: Format, mode: Rounding, a: &Bv, b: &Bv, c: &Bv) -> Option<Bv> {
    use Number::{Fin, Inf, Nan};
    let (x, y, z) = (decode(f, a), decode(f, b), decode(f, c));
    let product = match (x, y) {
        (Nan, _) | (_, Nan) => return None,
        (Inf(s), Inf(t)) => Inf(s ^ t),
        (Inf(s), Fin(t, m, _)) | (Fin(t, m, _), Inf(s)) => {
            if m == UBig::ZERO {
                return None;
            }
            Inf(s ^ t)
        }
        (Fin(s, m, e), Fin(t, n, d)) => Fin(s ^ t, m * n, e + d),
    };
    match (product, z) {
        (_, Nan) | (Nan, _) => None,
        (Inf(s), Inf(t)) => (s == t).then(|| infinity(f, s)),
        (Inf(s), _) | (_, Inf(s)) => Some(infinity(f, s)),
        (Fin(s, m, e), Fin(t, n, d)) => Some(sum(f, mode, (s, m, e), (t, n, d))),
    }
}
