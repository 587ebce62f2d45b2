//! Circuits of conversions: between formats, to and from integers, to integral numbers.

use super::Format;
use super::circuit::Circuit;
use crate::term::Term;
use crate::value::Bv;

impl Circuit<'_> {
    pub fn converted(&mut self, from: Format, a: Term, nan: Term) -> Term {
        let f = self.f;
        let x = self.normal_parts(from, a);
        let exact = f.significand >= from.significand && f.least() <= from.least() - i64::from(from.significand);
        let rounded = if exact && f.bias() >= from.bias() {
            // Every number is a normal one here.
            let ew = Circuit::exp_width(from).max(f.exponent) + 1;
            let exp = self.p.sext(x.exp, ew);
            let bias = self.signed(ew, f.bias());
            let field = self.p.add(exp, bias);
            let field = self.p.extract(field, f.exponent - 1, 0);
            let fraction = self.p.extract(x.sig, from.significand - 2, 0);
            let fraction = self.pad(fraction, f.significand - from.significand);
            let high = self.p.concat(x.sign, field);
            self.p.concat(high, fraction)
        } else {
            self.round(x.sign, x.exp, x.sig)
        };
        let (quiet, infinity, zero) = (self.quiet(nan), self.infinity(x.sign), self.zero(x.sign));
        self.first(&[(x.nan, quiet), (x.inf, infinity), (x.zero, zero)], rounded)
    }

    pub fn number_of(&mut self, i: Term, signed: bool) -> Term {
        let w = self.p.width(i);
        let sign = if signed { self.p.extract(i, w - 1, w - 1) } else { self.p.ff() };
        let minus = self.p.neg(i);
        let magnitude = self.p.ite(sign, minus, i);
        let some = self.nonzero(magnitude);
        // Room for the exponent of the top bit.
        let ew = 34 - w.leading_zeros();
        let exp = self.signed(ew, i64::from(w) - 1);
        let (sig, exp) = self.normalize(magnitude, exp);
        let rounded = self.round(sign, exp, sig);
        let zero = self.p.constant(Bv::zero(self.f.width()));
        self.p.ite(some, rounded, zero)
    }

    pub fn integer_of(&mut self, a: Term, other: Term, w: u32, signed: bool) -> Term {
        let f = self.f;
        let s = f.significand;
        let x = self.parts(f, a);
        let ew = Circuit::exp_width(f).max(34 - w.leading_zeros()) + 1;
        let exp = self.p.sext(x.exp, ew);
        // The top bit is worth 2^w; what is larger does not fit.
        let top = self.signed(ew, i64::from(w));
        let large = self.p.slt(top, exp);
        let amount = self.p.sub(top, exp);
        let t = s.max(w + 3);
        let sig = self.pad(x.sig, t - s);
        let fixed = self.shift_sticky(sig, amount);
        let p = &mut *self.p;
        let whole = p.extract(fixed, t - 1, t - w - 1);
        let odd = p.extract(whole, 0, 0);
        let guard = p.extract(fixed, t - w - 2, t - w - 2);
        let rest = p.extract(fixed, t - w - 3, 0);
        let sticky = self.nonzero(rest);
        let up = self.rounds_up(x.sign, odd, guard, sticky);
        let n = w + 2;
        let whole = self.p.zext(whole, n);
        let whole = self.increment(whole, up);
        let bits = w - u32::from(signed);
        let limit = self.p.constant(Bv::one(n).shl(&Bv::new(n, u128::from(bits))));
        let below = self.p.ult(whole, limit);
        let negative = if signed {
            self.p.ule(whole, limit)
        } else {
            let some = self.nonzero(whole);
            self.p.not(some)
        };
        let p = &mut *self.p;
        let fits = p.ite(x.sign, negative, below);
        let bad = p.or_all([x.nan, x.inf, large]);
        let good = p.not(bad);
        let fits = p.and(fits, good);
        let magnitude = p.extract(whole, w - 1, 0);
        let minus = p.neg(magnitude);
        let value = p.ite(x.sign, minus, magnitude);
        p.ite(fits, value, other)
    }

    pub fn integral(&mut self, a: Term, nan: Term) -> Term {
        let f = self.f;
        let s = f.significand;
        let x = self.parts(f, a);
        let ew = self.p.width(x.exp).max(34 - s.leading_zeros()) + 1;
        let exp = self.p.sext(x.exp, ew);
        let last = self.signed(ew, i64::from(s) - 1);
        let minus = self.signed(ew, -1);
        let most = self.p.add(last, minus);
        // No fraction from here on.
        let whole_already = self.p.slt(most, exp);
        let amount = self.p.sub(last, exp);
        let sig = self.pad(x.sig, 2);
        let fixed = self.shift_sticky(sig, amount);
        let p = &mut *self.p;
        let whole = p.extract(fixed, s + 1, 2);
        let odd = p.extract(whole, 0, 0);
        let guard = p.extract(fixed, 1, 1);
        let sticky = p.extract(fixed, 0, 0);
        let up = self.rounds_up(x.sign, odd, guard, sticky);
        let whole = self.increment(whole, up);
        let some = self.nonzero(whole);
        let none = self.p.not(some);
        let (sig, exp) = self.normalize(whole, last);
        let packed = self.round(x.sign, exp, sig);
        let (quiet, zero) = (self.quiet(nan), self.zero(x.sign));
        let same = self.p.or(whole_already, x.inf);
        self.first(&[(x.nan, quiet), (same, a), (none, zero)], packed)
    }
}
