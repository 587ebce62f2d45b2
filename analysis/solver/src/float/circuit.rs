//! Circuits: taking patterns apart, normalising, rounding, packing, over bit-vector terms. Operators are in
//! [`super::arith`] and [`super::convert`].
//!
//! Inside, a number is a sign, a significand of some width and a signed exponent, which is that of the significand's
//! top bit. Significands carry guard bits below; the lowest one is sticky: it says that something was cut off.

use super::{FloatOp, Format, MODE_BITS, Rounding};
use crate::term::{Pool, Term};

/// Larger long divisions are not made circuits of: cells of the divider.
const LARGEST: u64 = 40_000;

/// A rough number of cells that the circuit of an operator has; `None`: there is none.
pub fn cost(op: FloatOp, f: Format, int: u32) -> Option<u64> {
    let s = u64::from(f.significand);
    match op {
        FloatOp::Add => Some(12 * s),
        FloatOp::Mul => Some(s * s + 10 * s),
        FloatOp::Div | FloatOp::Sqrt => Some(2 * s * s + 10 * s),
        FloatOp::Fma => Some(s * s + 30 * s),
        FloatOp::Integral | FloatOp::Convert { .. } => Some(10 * s),
        FloatOp::FromSigned | FloatOp::FromUnsigned | FloatOp::ToSigned | FloatOp::ToUnsigned => {
            Some(10 * (s + u64::from(int)))
        }
        FloatOp::Rem | FloatOp::Remainder => {
            let steps = 1u64.checked_shl(f.exponent)?.checked_add(s)?;
            Some(steps.checked_mul(s)?).filter(|c| *c <= LARGEST)
        }
    }
}

/// The operator as a term without [`crate::Op::Float`]; `width` is the result's. `None`: the circuit is too large.
///
/// # Panics
/// On a wrong number of operands.
pub fn build(p: &mut Pool, op: FloatOp, f: Format, args: &[Term], width: u32) -> Option<Term> {
    cost(op, f, 0)?;
    let (mode, n) = if op.rounds() { (args[0], &args[1..]) } else { (Rounding::Zero.term(p), args) };
    let mut c = Circuit { f, mode, p };
    Some(match (op, n) {
        (FloatOp::Add, &[a, b, nan]) => c.add(a, b, nan),
        (FloatOp::Mul, &[a, b, nan]) => c.multiply(a, b, nan),
        (FloatOp::Div, &[a, b, nan]) => c.divide(a, b, nan),
        (FloatOp::Fma, &[x, y, z, nan]) => c.fused(x, y, z, nan),
        (FloatOp::Sqrt, &[a, nan]) => c.root(a, nan),
        (FloatOp::Integral, &[a, nan]) => c.integral(a, nan),
        (FloatOp::Rem | FloatOp::Remainder, &[a, b, nan]) => c.remainder(a, b, nan, op == FloatOp::Remainder),
        (FloatOp::Convert { from }, &[a, nan]) => c.converted(from, a, nan),
        (FloatOp::FromSigned | FloatOp::FromUnsigned, &[i]) => c.number_of(i, op == FloatOp::FromSigned),
        (FloatOp::ToSigned | FloatOp::ToUnsigned, &[a, other]) => {
            c.integer_of(a, other, width, op == FloatOp::ToSigned)
        }
        _ => panic!("{op:?} on {} operands", args.len()),
    })
}

/// Builds terms for one operator.
pub(super) struct Circuit<'a> {
    pub p: &'a mut Pool,
    /// The result's format.
    pub f: Format,
    /// Rounding mode.
    pub mode: Term,
}

/// A pattern taken apart.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub sign: Term,
    pub nan: Term,
    pub inf: Term,
    pub zero: Term,
    /// Signed; of the top bit of the significand.
    pub exp: Term,
    /// As many bits as the format has.
    pub sig: Term,
}

impl Circuit<'_> {
    /// Width of exponents: enough for those of products and quotients of two numbers of any magnitude.
    pub fn exp_width(f: Format) -> u32 {
        let most = 4 * f.bias() as u64 + 4 * u64::from(f.significand) + 16;
        65 - most.leading_zeros()
    }

    pub fn signed(&mut self, width: u32, v: i64) -> Term {
        let c = crate::Bv::new(64, u128::from(v as u64)).sext(width.max(64)).extract(width - 1, 0);
        self.p.constant(c)
    }

    /// `a` followed by `n` zeros.
    pub fn pad(&mut self, a: Term, n: u32) -> Term {
        if n == 0 {
            return a;
        }
        let z = self.p.constant(crate::Bv::zero(n));
        self.p.concat(a, z)
    }

    pub fn nonzero(&mut self, a: Term) -> Term {
        let z = self.p.constant(crate::Bv::zero(self.p.width(a)));
        self.p.ne(a, z)
    }

    pub fn increment(&mut self, a: Term, bit: Term) -> Term {
        let w = self.p.width(a);
        let b = self.p.zext(bit, w);
        self.p.add(a, b)
    }

    /// Takes a pattern apart; significands of subnormal numbers have leading zeros.
    pub fn parts(&mut self, f: Format, a: Term) -> Parts {
        let (w, stored, ew) = (f.width(), f.significand - 1, Self::exp_width(f));
        let p = &mut *self.p;
        let sign = p.extract(a, w - 1, w - 1);
        let field = p.extract(a, w - 2, stored);
        let fraction = p.extract(a, stored - 1, 0);
        let ones = p.constant(crate::Bv::ones(f.exponent));
        let special = p.eq(field, ones);
        let has_field = self.nonzero(field);
        let has_fraction = self.nonzero(fraction);
        let p = &mut *self.p;
        let none = p.not(has_fraction);
        let sig = p.concat(has_field, fraction);
        let no_field = p.not(has_field);
        let wide = p.zext(field, ew);
        let wide = self.increment(wide, no_field);
        let bias = self.signed(ew, -f.bias());
        let p = &mut *self.p;
        Parts {
            sign,
            nan: p.and(special, has_fraction),
            inf: p.and(special, none),
            zero: p.and(no_field, none),
            exp: p.add(wide, bias),
            sig,
        }
    }

    /// Takes a pattern apart; the top bit of the significand of every number but zero is set.
    pub fn normal_parts(&mut self, f: Format, a: Term) -> Parts {
        let n = self.parts(f, a);
        let (sig, exp) = self.normalize(n.sig, n.exp);
        Parts { sig, exp, ..n }
    }

    /// Shifts left until the top bit is set (zero stays), lowering the exponent alike.
    pub fn normalize(&mut self, sig: Term, exp: Term) -> (Term, Term) {
        let w = self.p.width(sig);
        let ew = self.p.width(exp);
        let (mut sig, mut exp) = (sig, exp);
        let mut step = w.next_power_of_two() / 2;
        while step > 0 {
            if step < w {
                let top = self.p.extract(sig, w - 1, w - step);
                let some = self.nonzero(top);
                let low = self.p.extract(sig, w - step - 1, 0);
                let shifted = self.pad(low, step);
                sig = self.p.ite(some, sig, shifted);
                let less = self.signed(ew, -i64::from(step));
                let lower = self.p.add(exp, less);
                exp = self.p.ite(some, exp, lower);
            }
            step /= 2;
        }
        (sig, exp)
    }

    /// Shifts right by an unsigned amount of any size; the lowest bit becomes sticky.
    pub fn shift_sticky(&mut self, sig: Term, amount: Term) -> Term {
        let (w, aw) = (self.p.width(sig), self.p.width(amount));
        let mut cur = sig;
        let mut lost = self.p.ff();
        for k in 0..aw {
            let bit = self.p.extract(amount, k, k);
            let step = if k < 31 { 1u32 << k } else { u32::MAX };
            let (shifted, cut) = if step < w {
                let high = self.p.extract(cur, w - 1, step);
                (self.p.zext(high, w), self.p.extract(cur, step - 1, 0))
            } else {
                (self.p.constant(crate::Bv::zero(w)), cur)
            };
            let some = self.nonzero(cut);
            let some = self.p.and(bit, some);
            lost = self.p.or(lost, some);
            cur = self.p.ite(bit, shifted, cur);
        }
        let lost = self.p.zext(lost, w);
        self.p.or(cur, lost)
    }

    pub fn mode_is(&mut self, m: Rounding) -> Term {
        if m == Rounding::Zero {
            let last = self.p.num(MODE_BITS, Rounding::Zero as u128);
            return self.p.ule(last, self.mode);
        }
        let c = m.term(self.p);
        self.p.eq(self.mode, c)
    }

    /// Is the magnitude rounded up? By the lowest bit that is kept, the next one, and whether anything is below.
    pub fn rounds_up(&mut self, sign: Term, odd: Term, guard: Term, sticky: Term) -> Term {
        let [even, nearest, up, down] =
            [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down].map(|m| self.mode_is(m));
        let p = &mut *self.p;
        let inexact = p.or(guard, sticky);
        let tie = p.or(odd, sticky);
        let to_even = p.and(guard, tie);
        let positive = p.not(sign);
        let (up_more, down_more) = (p.and(positive, inexact), p.and(sign, inexact));
        let cases = [(even, to_even), (nearest, guard), (up, up_more), (down, down_more)];
        let hits: Vec<Term> = cases.into_iter().map(|(m, r)| p.and(m, r)).collect();
        p.or_all(hits)
    }

    /// Rounds a number whose significand has its top bit set and packs it. What the top bit of a zero says is for the
    /// caller to replace.
    pub fn round(&mut self, sign: Term, exp: Term, sig: Term) -> Term {
        let f = self.f;
        let s = f.significand;
        let sig = self.pad(sig, (s + 2).saturating_sub(self.p.width(sig)));
        let w = self.p.width(sig);
        let ew = self.p.width(exp).max(Self::exp_width(f)) + 1;
        let exp = self.p.sext(exp, ew);
        // Below the normal range the significand moves right, at the least exponent.
        let least = self.signed(ew, f.least());
        let tiny = self.p.slt(exp, least);
        let below = self.p.sub(least, exp);
        let none = self.p.constant(crate::Bv::zero(ew));
        let amount = self.p.ite(tiny, below, none);
        let sig = self.shift_sticky(sig, amount);
        // The field without the one that the top bit of the significand brings.
        let field = self.p.sub(exp, least);
        let field = self.p.ite(tiny, none, field);
        let p = &mut *self.p;
        let kept = p.extract(sig, w - 1, w - s);
        let odd = p.extract(kept, 0, 0);
        let guard = p.extract(sig, w - s - 1, w - s - 1);
        let rest = p.extract(sig, w - s - 2, 0);
        let sticky = self.nonzero(rest);
        let up = self.rounds_up(sign, odd, guard, sticky);
        let base = self.pad(field, s - 1);
        let kept = self.p.zext(kept, ew + s - 1);
        let kept = self.increment(kept, up);
        let magnitude = self.p.add(base, kept);
        let inf = self.infinity_magnitude(ew + s - 1);
        let fits = self.p.ult(magnitude, inf);
        let most = self.most(sign);
        let packed = self.p.extract(magnitude, f.width() - 2, 0);
        let magnitude = self.p.ite(fits, packed, most);
        self.p.concat(sign, magnitude)
    }

    fn infinity_magnitude(&mut self, width: u32) -> Term {
        let f = self.f;
        let v = crate::Bv::ones(f.exponent).zext(width).shl(&crate::Bv::new(width, u128::from(f.significand - 1)));
        self.p.constant(v)
    }

    /// The magnitude of a number that is too large.
    fn most(&mut self, sign: Term) -> Term {
        let w = self.f.width() - 1;
        let inf = self.infinity_magnitude(w);
        let max = self.signed(w, -1);
        let max = self.p.add(inf, max);
        let [even, nearest, up, down] =
            [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down].map(|m| self.mode_is(m));
        let p = &mut *self.p;
        let positive = p.not(sign);
        let (u, d) = (p.and(up, positive), p.and(down, sign));
        let all = p.or_all([even, nearest, u, d]);
        p.ite(all, inf, max)
    }

    pub fn infinity(&mut self, sign: Term) -> Term {
        let m = self.infinity_magnitude(self.f.width() - 1);
        self.p.concat(sign, m)
    }

    pub fn zero(&mut self, sign: Term) -> Term {
        self.pad(sign, self.f.width() - 1)
    }

    /// The quiet NaN with the sign and payload of a pattern.
    pub fn quiet(&mut self, nan: Term) -> Term {
        super::classify::quiet(self.p, self.f, nan)
    }

    /// The first case that holds.
    pub fn first(&mut self, cases: &[(Term, Term)], otherwise: Term) -> Term {
        cases.iter().rev().fold(otherwise, |rest, &(c, t)| self.p.ite(c, t, rest))
    }
}
