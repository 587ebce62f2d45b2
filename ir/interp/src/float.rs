//! Floating point of every C format, exact and correctly rounded (to nearest, ties to even): numbers are decoded to
//! `mantissa * 2^exponent` with a big-integer mantissa, combined exactly, and encoded with one rounding. `float` and
//! `double` arithmetic of the host is used where it is the same (IEEE 754 requires it to be).
//!
//! Not here: other rounding modes, exception flags, signalling NaNs (they are quietened like the machine does).

use crate::big::{bit_len, from_words, low_u128, ones, trailing_zeros, wrap};
use dashu::base::{Abs, BitTest, DivRem, Sign, SquareRoot};
use dashu::integer::{IBig, UBig};
use verify_ir::FloatKind;
use verify_ir::inst::{FBinOp, FUnOp, FloatPred};

/// What of floating point depends on the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FloatEnv {
    /// The sign bit of the NaN that an invalid operation makes (x86: set).
    pub nan_sign: bool,
}

struct Format {
    /// Significant bits, the leading one included.
    precision: u32,
    exponent_bits: u32,
    explicit_one: bool,
}

impl Format {
    fn bias(&self) -> i64 {
        (1 << (self.exponent_bits - 1)) - 1
    }
    fn stored(&self) -> u32 {
        if self.explicit_one { self.precision } else { self.precision - 1 }
    }
}

fn format(kind: FloatKind) -> Format {
    let f = |precision, exponent_bits| Format { precision, exponent_bits, explicit_one: false };
    match kind {
        FloatKind::Half => f(11, 5),
        FloatKind::BFloat => f(8, 8),
        FloatKind::Single => f(24, 8),
        FloatKind::Double => f(53, 11),
        FloatKind::X87 => Format { explicit_one: true, ..f(64, 15) },
        FloatKind::Quad => f(113, 15),
    }
}

/// Significant bits of a format.
pub(crate) fn precision(kind: FloatKind) -> u32 {
    format(kind).precision
}

/// A decoded number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Num {
    Nan,
    Inf(bool),
    /// Sign, mantissa, exponent of its lowest bit. The mantissa is 0 for zeros.
    Fin(bool, UBig, i64),
}

fn big(x: u128) -> UBig {
    from_words(&[x as u64, (x >> 64) as u64])
}

/// Takes a bit pattern apart.
pub(crate) fn decode(kind: FloatKind, bits: u128) -> Num {
    let f = format(kind);
    let sign = bits >> (kind.bits() - 1) & 1 != 0;
    let frac = bits & ((1u128 << f.stored()) - 1);
    let e = (bits >> f.stored()) as i64 & ((1 << f.exponent_bits) - 1);
    let lowest = -f.bias() - i64::from(f.precision) + 1;
    if f.explicit_one && e != 0 && frac >> 63 == 0 {
        return Num::Nan; // an unnormal or a pseudo-infinity: an invalid operand on every x87 since the 80387
    }
    if e == (1 << f.exponent_bits) - 1 {
        let rest = frac & ((1u128 << (f.precision - 1)) - 1);
        return if rest == 0 { Num::Inf(sign) } else { Num::Nan };
    }
    if f.explicit_one {
        return Num::Fin(sign, big(frac), e.max(1) + lowest);
    }
    if e == 0 {
        Num::Fin(sign, big(frac), 1 + lowest)
    } else {
        Num::Fin(sign, big(frac | 1u128 << (f.precision - 1)), e + lowest)
    }
}

/// The pattern of an x87 number contradicts itself: its integer bit is clear although the exponent is not 0, or set
/// although it is. No operation makes one.
pub(crate) fn is_no_number(bits: &UBig) -> bool {
    let exponent = (bits >> 64usize) & UBig::from(0x7fffu32);
    (exponent == UBig::ZERO) == bits.bit(63)
}

/// Infinity.
pub(crate) fn infinity(kind: FloatKind, sign: bool) -> u128 {
    let f = format(kind);
    let mut bits = ((1u128 << f.exponent_bits) - 1) << f.stored();
    if f.explicit_one {
        bits |= 1 << 63;
    }
    bits | u128::from(sign) << (kind.bits() - 1)
}

fn nan(kind: FloatKind, env: FloatEnv) -> u128 {
    infinity(kind, env.nan_sign) | 1u128 << (format(kind).precision - 2)
}

/// The number nearest to `(-1)^sign * mantissa * 2^exp`. A caller that cut bits off sets the lowest bit of a mantissa
/// with at least two bits more than the precision.
pub(crate) fn encode(kind: FloatKind, sign: bool, mantissa: &UBig, exp: i64) -> u128 {
    let f = format(kind);
    let s = u128::from(sign) << (kind.bits() - 1);
    if *mantissa == UBig::ZERO {
        return s;
    }
    let p = i64::from(f.precision);
    let top = exp + i64::from(bit_len(mantissa)) - 1;
    if top > f.bias() {
        return infinity(kind, sign);
    }
    if top < -f.bias() - p - 2 {
        return s;
    }
    let mut lsb = top.max(1 - f.bias()) - (p - 1);
    let shift = lsb - exp;
    let mut m =
        if shift <= 0 { low_u128(&(mantissa << (-shift) as usize)) } else { low_u128(&(mantissa >> shift as usize)) };
    if shift > 0 {
        let rest = mantissa & ones(shift as u32);
        let half = UBig::ONE << (shift - 1) as usize;
        if rest > half || (rest == half && m & 1 == 1) {
            m += 1;
        }
    }
    if m >> p != 0 {
        m >>= 1;
        lsb += 1;
    }
    if lsb + p - 1 > f.bias() {
        return infinity(kind, sign);
    }
    let normal = m >> (p - 1) != 0;
    let e = if normal { (lsb + p - 1 + f.bias()) as u128 } else { 0 };
    let frac = if f.explicit_one { m } else { m & ((1u128 << (p - 1)) - 1) };
    s | e << f.stored() | frac
}

fn quiet(kind: FloatKind, bits: u128) -> u128 {
    bits | 1u128 << (format(kind).precision - 2)
}

/// Is it a NaN?
pub(crate) fn is_nan(kind: FloatKind, bits: u128) -> bool {
    matches!(decode(kind, bits), Num::Nan)
}

fn propagate(kind: FloatKind, a: u128, b: u128) -> u128 {
    if is_nan(kind, a) { quiet(kind, a) } else { quiet(kind, b) }
}

/// `x + y` for exact numbers; the sign of an exact zero is positive unless both are negative.
fn sum(kind: FloatKind, (sx, mx, ex): (bool, UBig, i64), (sy, my, ey): (bool, UBig, i64)) -> u128 {
    if mx == UBig::ZERO && my == UBig::ZERO {
        return encode(kind, sx && sy, &UBig::ZERO, 0);
    }
    // A mantissa that is zero must not force a huge alignment shift.
    let e = if mx == UBig::ZERO {
        ey
    } else if my == UBig::ZERO {
        ex
    } else {
        ex.min(ey)
    };
    let term = |s: bool, m: UBig, x: i64| {
        if m == UBig::ZERO {
            return IBig::ZERO;
        }
        IBig::from_parts(if s { Sign::Negative } else { Sign::Positive }, m << (x - e) as usize)
    };
    let r = term(sx, mx, ex) + term(sy, my, ey);
    if r == IBig::ZERO {
        return encode(kind, false, &UBig::ZERO, 0);
    }
    let negative = r < IBig::ZERO;
    let magnitude: UBig = r.abs().try_into().unwrap_or_default();
    encode(kind, negative, &magnitude, e)
}

fn magnitude_cmp(a: &(UBig, i64), b: &(UBig, i64)) -> std::cmp::Ordering {
    let e = a.1.min(b.1);
    (&a.0 << (a.1 - e) as usize).cmp(&(&b.0 << (b.1 - e) as usize))
}

/// Comparison: `None` when unordered.
pub(crate) fn order(kind: FloatKind, a: u128, b: u128) -> Option<std::cmp::Ordering> {
    use std::cmp::Ordering;
    if kind == FloatKind::Double {
        return f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64));
    }
    if kind == FloatKind::Single {
        return f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32));
    }
    let rank = |n: &Num| match n {
        Num::Inf(true) => -2,
        Num::Inf(false) => 2,
        Num::Fin(_, m, _) if *m == UBig::ZERO => 0,
        Num::Fin(s, ..) => {
            if *s {
                -1
            } else {
                1
            }
        }
        Num::Nan => 9,
    };
    let (x, y) = (decode(kind, a), decode(kind, b));
    match (rank(&x), rank(&y)) {
        (9, _) | (_, 9) => None,
        (r, q) if r != q => Some(r.cmp(&q)),
        (1 | -1, _) => {
            let (Num::Fin(s, mx, ex), Num::Fin(_, my, ey)) = (x, y) else { return Some(Ordering::Equal) };
            let o = magnitude_cmp(&(mx, ex), &(my, ey));
            Some(if s { o.reverse() } else { o })
        }
        _ => Some(Ordering::Equal),
    }
}

/// Comparison by predicate.
pub(crate) fn compare(kind: FloatKind, pred: FloatPred, a: u128, b: u128) -> bool {
    use std::cmp::Ordering::*;
    let o = order(kind, a, b);
    match pred {
        FloatPred::False => false,
        FloatPred::True => true,
        FloatPred::Ord => o.is_some(),
        FloatPred::Uno => o.is_none(),
        FloatPred::Oeq => o == Some(Equal),
        FloatPred::Ogt => o == Some(Greater),
        FloatPred::Oge => matches!(o, Some(Greater | Equal)),
        FloatPred::Olt => o == Some(Less),
        FloatPred::Ole => matches!(o, Some(Less | Equal)),
        FloatPred::One => matches!(o, Some(Less | Greater)),
        FloatPred::Ueq => matches!(o, None | Some(Equal)),
        FloatPred::Ugt => matches!(o, None | Some(Greater)),
        FloatPred::Uge => matches!(o, None | Some(Greater | Equal)),
        FloatPred::Ult => matches!(o, None | Some(Less)),
        FloatPred::Ule => matches!(o, None | Some(Less | Equal)),
        FloatPred::Une => o != Some(Equal),
    }
}

fn sign_of(kind: FloatKind, bits: u128) -> bool {
    bits >> (kind.bits() - 1) & 1 != 0
}

fn with_sign(kind: FloatKind, bits: u128, sign: bool) -> u128 {
    let s = 1u128 << (kind.bits() - 1);
    if sign { bits | s } else { bits & !s }
}

/// Quotient of exact numbers, rounded once.
fn quotient(kind: FloatKind, sign: bool, m: &UBig, e: i64, by: &UBig, by_e: i64) -> u128 {
    let want = i64::from(precision(kind)) + 3 + i64::from(bit_len(by)) - i64::from(bit_len(m));
    let k = want.max(0);
    let (q, r) = (m << k as usize).div_rem(by);
    let q = (q << 1usize) | UBig::from(u8::from(r != UBig::ZERO));
    encode(kind, sign, &q, e - by_e - k - 1)
}

/// Arithmetic. `Err` says that there is no exact algorithm for the operation at this format.
pub(crate) fn binary(kind: FloatKind, op: FBinOp, a: u128, b: u128, env: FloatEnv) -> Result<u128, ()> {
    let (x, y) = (decode(kind, a), decode(kind, b));
    match op {
        FBinOp::CopySign => return Ok(with_sign(kind, a, sign_of(kind, b))),
        FBinOp::Pow => return pow(kind, a, b),
        FBinOp::MinNum | FBinOp::MaxNum if x == Num::Nan && y != Num::Nan => return Ok(b),
        FBinOp::MinNum | FBinOp::MaxNum if y == Num::Nan && x != Num::Nan => return Ok(a),
        FBinOp::Ldexp => return Err(()),
        _ => {}
    }
    if x == Num::Nan || y == Num::Nan {
        return Ok(propagate(kind, a, b));
    }
    Ok(match op {
        FBinOp::Add | FBinOp::Sub => {
            let flip = op == FBinOp::Sub;
            match (x, y) {
                (Num::Inf(s), Num::Inf(t)) if s != (t ^ flip) => nan(kind, env),
                (Num::Inf(s), _) => infinity(kind, s),
                (_, Num::Inf(t)) => infinity(kind, t ^ flip),
                (Num::Fin(s, m, e), Num::Fin(t, n, d)) => sum(kind, (s, m, e), (t ^ flip, n, d)),
                _ => nan(kind, env),
            }
        }
        FBinOp::Mul => match (x, y) {
            (Num::Inf(s), Num::Inf(t)) => infinity(kind, s ^ t),
            (Num::Inf(s), Num::Fin(t, m, _)) | (Num::Fin(t, m, _), Num::Inf(s)) => {
                if m == UBig::ZERO {
                    nan(kind, env)
                } else {
                    infinity(kind, s ^ t)
                }
            }
            (Num::Fin(s, m, e), Num::Fin(t, n, d)) => encode(kind, s ^ t, &(m * n), e + d),
            _ => nan(kind, env),
        },
        FBinOp::Div => match (x, y) {
            (Num::Inf(_), Num::Inf(_)) => nan(kind, env),
            (Num::Inf(s), Num::Fin(t, ..)) => infinity(kind, s ^ t),
            (Num::Fin(s, ..), Num::Inf(t)) => encode(kind, s ^ t, &UBig::ZERO, 0),
            (Num::Fin(s, m, e), Num::Fin(t, n, d)) => match (m == UBig::ZERO, n == UBig::ZERO) {
                (true, true) => nan(kind, env),
                (_, true) => infinity(kind, s ^ t),
                _ => quotient(kind, s ^ t, &m, e, &n, d),
            },
            _ => nan(kind, env),
        },
        FBinOp::Rem => match (x, y) {
            (Num::Fin(s, m, e), Num::Fin(_, n, d)) if n != UBig::ZERO => {
                let lo = e.min(d);
                let r = (m << (e - lo) as usize) % (n << (d - lo) as usize);
                encode(kind, s, &r, lo)
            }
            (Num::Fin(..), Num::Inf(_)) => a,
            _ => nan(kind, env),
        },
        FBinOp::MinNum | FBinOp::Minimum | FBinOp::MaxNum | FBinOp::Maximum => {
            let min = matches!(op, FBinOp::MinNum | FBinOp::Minimum);
            match order(kind, a, b) {
                Some(std::cmp::Ordering::Less) => {
                    if min {
                        a
                    } else {
                        b
                    }
                }
                Some(std::cmp::Ordering::Greater) => {
                    if min {
                        b
                    } else {
                        a
                    }
                }
                _ => {
                    if sign_of(kind, a) == min {
                        a
                    } else {
                        b
                    }
                }
            }
        }
        FBinOp::CopySign | FBinOp::Pow | FBinOp::Ldexp => return Err(()),
    })
}

/// IEEE remainder (`remainder`): `a - n*b`, n the integer nearest to `a/b`.
pub(crate) fn remainder(kind: FloatKind, a: u128, b: u128, env: FloatEnv) -> u128 {
    let (x, y) = (decode(kind, a), decode(kind, b));
    match (x, y) {
        (Num::Nan, _) | (_, Num::Nan) => propagate(kind, a, b),
        (Num::Fin(s, m, e), Num::Fin(_, n, d)) if n != UBig::ZERO => {
            let lo = e.min(d);
            let (m, n) = (m << (e - lo) as usize, n << (d - lo) as usize);
            let (q, r) = m.div_rem(&n);
            let twice = &r << 1usize;
            let odd = trailing_zeros(&q, 1) == 0;
            if twice > n || (twice == n && odd) { encode(kind, !s, &(n - r), lo) } else { encode(kind, s, &r, lo) }
        }
        (Num::Fin(..), Num::Inf(_)) => a,
        _ => nan(kind, env),
    }
}

/// `a * 2^n`.
pub(crate) fn ldexp(kind: FloatKind, a: u128, n: i64) -> u128 {
    match decode(kind, a) {
        Num::Fin(s, m, e) => encode(kind, s, &m, e.saturating_add(n.clamp(-100_000, 100_000))),
        Num::Nan => quiet(kind, a),
        Num::Inf(_) => a,
    }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma(kind: FloatKind, a: u128, b: u128, c: u128, env: FloatEnv) -> u128 {
    let (x, y, z) = (decode(kind, a), decode(kind, b), decode(kind, c));
    if x == Num::Nan || y == Num::Nan {
        return propagate(kind, a, b);
    }
    if z == Num::Nan {
        return quiet(kind, c);
    }
    match (x, y, z) {
        (Num::Fin(s, m, e), Num::Fin(t, n, d), Num::Fin(u, o, f)) => sum(kind, (s ^ t, m * n, e + d), (u, o, f)),
        (Num::Fin(..), Num::Fin(..), Num::Inf(u)) => infinity(kind, u),
        (_, _, z) => {
            let Ok(p) = binary(kind, FBinOp::Mul, a, b, env) else { return nan(kind, env) };
            match (decode(kind, p), z) {
                (Num::Nan, _) => p,
                (Num::Inf(s), Num::Inf(u)) if s != u => nan(kind, env),
                _ => p,
            }
        }
    }
}

fn pow(kind: FloatKind, a: u128, b: u128) -> Result<u128, ()> {
    match kind {
        FloatKind::Double => Ok(u128::from(f64::from_bits(a as u64).powf(f64::from_bits(b as u64)).to_bits())),
        FloatKind::Single => Ok(u128::from(f32::from_bits(a as u32).powf(f32::from_bits(b as u32)).to_bits())),
        _ => Err(()),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Round {
    Down,
    Up,
    Zero,
    Even,
    Away,
}

/// Rounds to an integer: (negative, magnitude).
fn to_integer(s: bool, m: &UBig, e: i64, how: Round) -> UBig {
    if e >= 0 {
        return m << e as usize;
    }
    let k = (-e) as usize;
    let k = k.min(bit_len(m) as usize + 2);
    let whole = m >> k;
    let rest = m & ones(k as u32);
    let half = UBig::ONE << (k - 1);
    let odd = trailing_zeros(&whole, 1) == 0;
    let up = match how {
        Round::Zero => false,
        Round::Down => s && rest != UBig::ZERO,
        Round::Up => !s && rest != UBig::ZERO,
        Round::Even => rest > half || (rest == half && odd),
        Round::Away => rest >= half,
    };
    if up { whole + UBig::ONE } else { whole }
}

/// Functions of one number. `Err`: no algorithm for this format.
pub(crate) fn unary(kind: FloatKind, op: FUnOp, a: u128, env: FloatEnv) -> Result<u128, ()> {
    let how = match op {
        FUnOp::Neg => return Ok(a ^ 1u128 << (kind.bits() - 1)),
        FUnOp::Abs => return Ok(with_sign(kind, a, false)),
        FUnOp::Floor => Round::Down,
        FUnOp::Ceil => Round::Up,
        FUnOp::Trunc => Round::Zero,
        FUnOp::Rint | FUnOp::NearbyInt | FUnOp::RoundEven => Round::Even,
        FUnOp::Round => Round::Away,
        FUnOp::Sqrt => {
            return Ok(match decode(kind, a) {
                Num::Nan => quiet(kind, a),
                Num::Inf(false) => a,
                Num::Fin(_, m, _) if m == UBig::ZERO => a,
                Num::Fin(false, m, e) => {
                    let want = 2 * (i64::from(precision(kind)) + 3) - i64::from(bit_len(&m));
                    let mut k = want.max(0);
                    if (e - k) % 2 != 0 {
                        k += 1;
                    }
                    let n = m << k as usize;
                    let r = n.sqrt();
                    let inexact = &r * &r != n;
                    encode(kind, false, &((r << 1usize) | UBig::from(u8::from(inexact))), (e - k) / 2 - 1)
                }
                _ => nan(kind, env),
            });
        }
        _ => return transcendental(kind, op, a),
    };
    Ok(match decode(kind, a) {
        Num::Fin(s, m, e) => encode(kind, s, &to_integer(s, &m, e, how), 0),
        Num::Inf(_) => a,
        Num::Nan => quiet(kind, a),
    })
}

fn transcendental(kind: FloatKind, op: FUnOp, a: u128) -> Result<u128, ()> {
    macro_rules! by {
        ($x:expr) => {
            match op {
                FUnOp::Sin => $x.sin(),
                FUnOp::Cos => $x.cos(),
                FUnOp::Tan => $x.tan(),
                FUnOp::Exp => $x.exp(),
                FUnOp::Exp2 => $x.exp2(),
                FUnOp::Log => $x.ln(),
                FUnOp::Log2 => $x.log2(),
                FUnOp::Log10 => $x.log10(),
                _ => return Err(()),
            }
        };
    }
    match kind {
        FloatKind::Double => {
            let x = f64::from_bits(a as u64);
            let r = if op == FUnOp::Exp10 { libm::exp10(x) } else { by!(x) };
            Ok(u128::from(r.to_bits()))
        }
        FloatKind::Single => {
            let x = f32::from_bits(a as u32);
            let r = if op == FUnOp::Exp10 { libm::exp10f(x) } else { by!(x) };
            Ok(u128::from(r.to_bits()))
        }
        _ => Err(()),
    }
}

/// Conversion between formats.
pub(crate) fn convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    match decode(from, a) {
        Num::Fin(s, m, e) => encode(to, s, &m, e),
        Num::Inf(s) => infinity(to, s),
        Num::Nan => {
            // The payload keeps its leading bits.
            let (f, t) = (format(from), format(to));
            let payload = a & ((1u128 << (f.precision - 1)) - 1);
            let (fp, tp) = (f.precision - 1, t.precision - 1);
            let payload = if tp >= fp { payload << (tp - fp) } else { payload >> (fp - tp) };
            quiet(to, infinity(to, sign_of(from, a)) | payload)
        }
    }
}

/// How a number becomes an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ToInt {
    /// Towards zero, as a C cast.
    Cast,
    /// To nearest, ties to even.
    Even,
    /// To nearest, ties away from zero.
    Away,
}

/// The integer of `w` bits, or `Err` with the nearest value of the type (0 for NaN) when it does not fit.
pub(crate) fn to_int(kind: FloatKind, a: u128, w: u32, signed: bool, how: ToInt) -> Result<UBig, UBig> {
    let (lo, hi) = if signed {
        let half = IBig::from(UBig::ONE << (w - 1) as usize);
        (-half.clone(), half - IBig::ONE)
    } else {
        (IBig::ZERO, IBig::from(ones(w)))
    };
    let (s, m, e) = match decode(kind, a) {
        Num::Nan => return Err(UBig::ZERO),
        Num::Inf(s) => return Err(wrap(if s { &lo } else { &hi }, w)),
        Num::Fin(s, m, e) => (s, m, e),
    };
    let how = match how {
        ToInt::Cast => Round::Zero,
        ToInt::Even => Round::Even,
        ToInt::Away => Round::Away,
    };
    let i = IBig::from_parts(if s { Sign::Negative } else { Sign::Positive }, to_integer(s, &m, e, how));
    if i < lo {
        Err(wrap(&lo, w))
    } else if i > hi {
        Err(wrap(&hi, w))
    } else {
        Ok(wrap(&i, w))
    }
}

/// The number nearest to an integer of `w` bits.
pub(crate) fn from_int(kind: FloatKind, v: &UBig, w: u32, signed: bool) -> u128 {
    if signed {
        let i = crate::big::signed(v, w);
        let negative = i < IBig::ZERO;
        let magnitude: UBig = i.abs().try_into().unwrap_or_default();
        encode(kind, negative, &magnitude, 0)
    } else {
        encode(kind, false, v, 0)
    }
}

/// Correctly rounded value of decimal digits with at most one `.` and an optional exponent. `None`: not that.
pub(crate) fn parse(kind: FloatKind, text: &[u8]) -> Option<u128> {
    let mut digits: Vec<u8> = Vec::new();
    let (mut point, mut scale, mut i, mut seen) = (false, 0i64, 0, false);
    while i < text.len() {
        match text[i] {
            b'.' if !point => point = true,
            d @ b'0'..=b'9' => {
                seen = true;
                digits.push(d);
                scale -= i64::from(point);
            }
            _ => break,
        }
        i += 1;
    }
    if !seen {
        return None;
    }
    if i < text.len() {
        if !matches!(text[i], b'e' | b'E') {
            return None;
        }
        i += 1;
        let negative = match text.get(i) {
            Some(b'-') => true,
            Some(b'+') => false,
            _ => {
                i -= 1;
                false
            }
        };
        i += 1;
        let mut e = 0i64;
        if i >= text.len() {
            return None;
        }
        for d in &text[i..] {
            if !d.is_ascii_digit() {
                return None;
            }
            e = (e * 10 + i64::from(d - b'0')).min(1 << 40);
        }
        scale += if negative { -e } else { e };
    }
    let lead = digits.iter().position(|&d| d != b'0').unwrap_or(digits.len());
    let digits = &digits[lead..];
    let Ok(s) = std::str::from_utf8(digits) else { return None };
    if s.is_empty() {
        return Some(0);
    }
    let m = UBig::from_str_radix(s, 10).ok()?;
    let size = digits.len() as i64 + scale;
    if size > 6000 {
        return Some(infinity(kind, false));
    }
    if size < -6000 {
        return Some(0);
    }
    let ten = UBig::from(10u8);
    Some(if scale >= 0 {
        encode(kind, false, &(m * ten.pow(scale as usize)), 0)
    } else {
        quotient(kind, false, &m, 0, &ten.pow((-scale) as usize), 0)
    })
}
