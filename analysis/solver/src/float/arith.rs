//! Circuits of arithmetic: sums with a far and a near operand, digit recurrences for quotients, roots and remainders
//! (Ercegovac and Lang, "Digital Arithmetic", 2004, chapters 5, 6 and 8).

use super::Rounding;
use super::circuit::Circuit;
use crate::term::Term;
use crate::value::Bv;

/// A finite number inside a sum: its place in the order of magnitudes is `key`.
struct Addend {
    sign: Term,
    exp: Term,
    sig: Term,
    key: Term,
}

impl Circuit<'_> {
    pub fn add(&mut self, a: Term, b: Term, nan: Term) -> Term {
        let f = self.f;
        let (x, y) = (self.parts(f, a), self.parts(f, b));
        let w = f.width();
        let (ka, kb) = (self.p.extract(a, w - 2, 0), self.p.extract(b, w - 2, 0));
        let sum = self.sum(
            Addend { sign: x.sign, exp: x.exp, sig: x.sig, key: ka },
            Addend { sign: y.sign, exp: y.exp, sig: y.sig, key: kb },
        );
        let p = &mut *self.p;
        let differ = p.xor(x.sign, y.sign);
        let both = p.and(x.inf, y.inf);
        let clash = p.and(both, differ);
        let bad = p.or_all([x.nan, y.nan, clash]);
        let quiet = self.quiet(nan);
        let (ix, iy) = (self.infinity(x.sign), self.infinity(y.sign));
        self.first(&[(bad, quiet), (x.inf, ix), (y.inf, iy)], sum)
    }

    /// The rounded sum of finite numbers.
    fn sum(&mut self, a: Addend, b: Addend) -> Term {
        let swap = self.p.ult(a.key, b.key);
        let pick = |c: &mut Self, x: Term, y: Term| (c.p.ite(swap, y, x), c.p.ite(swap, x, y));
        let (sign, small_sign) = pick(self, a.sign, b.sign);
        let (exp, small_exp) = pick(self, a.exp, b.exp);
        let (sig, small) = pick(self, a.sig, b.sig);
        let w = self.p.width(sig) + 4;
        let distance = self.p.sub(exp, small_exp);
        // Three bits below are enough: when more is cut off, the difference loses at most one leading bit.
        let (sig, small) = (self.pad(sig, 3), self.pad(small, 3));
        let small = self.shift_sticky(small, distance);
        let (sig, small) = (self.p.zext(sig, w), self.p.zext(small, w));
        let differ = self.p.xor(sign, small_sign);
        let (plus, minus) = (self.p.add(sig, small), self.p.sub(sig, small));
        let total = self.p.ite(differ, minus, plus);
        let some = self.nonzero(total);
        let none = self.p.not(some);
        let ew = self.p.width(exp) + 1;
        let exp = self.p.sext(exp, ew);
        let one = self.signed(ew, 1);
        let exp = self.p.add(exp, one);
        let (total, exp) = self.normalize(total, exp);
        let rounded = self.round(sign, exp, total);
        // Nothing is left: the sign is that of both, or of the rounding mode.
        let down = self.mode_is(Rounding::Down);
        let sign = self.p.ite(differ, down, sign);
        let zero = self.zero(sign);
        self.p.ite(none, zero, rounded)
    }

    /// The exact product of significands with its top bit set, and its exponent.
    fn product(&mut self, x: (Term, Term), y: (Term, Term)) -> (Term, Term) {
        let w = 2 * self.f.significand;
        let (a, b) = (self.p.zext(x.0, w), self.p.zext(y.0, w));
        let all = self.p.mul(a, b);
        let top = self.p.extract(all, w - 1, w - 1);
        let low = self.p.extract(all, w - 2, 0);
        let moved = self.pad(low, 1);
        let sig = self.p.ite(top, all, moved);
        let exp = self.p.add(x.1, y.1);
        (sig, self.increment(exp, top))
    }

    pub fn multiply(&mut self, a: Term, b: Term, nan: Term) -> Term {
        let f = self.f;
        let (x, y) = (self.normal_parts(f, a), self.normal_parts(f, b));
        let sign = self.p.xor(x.sign, y.sign);
        let (sig, exp) = self.product((x.sig, x.exp), (y.sig, y.exp));
        let rounded = self.round(sign, exp, sig);
        let p = &mut *self.p;
        let (c, d) = (p.and(x.inf, y.zero), p.and(x.zero, y.inf));
        let bad = p.or_all([x.nan, y.nan, c, d]);
        let (inf, none) = (p.or(x.inf, y.inf), p.or(x.zero, y.zero));
        let (quiet, infinity, zero) = (self.quiet(nan), self.infinity(sign), self.zero(sign));
        self.first(&[(bad, quiet), (inf, infinity), (none, zero)], rounded)
    }

    pub fn divide(&mut self, a: Term, b: Term, nan: Term) -> Term {
        let f = self.f;
        let s = f.significand;
        let (x, y) = (self.normal_parts(f, a), self.normal_parts(f, b));
        let sign = self.p.xor(x.sign, y.sign);
        // Both in [1, 2): one bit before the point, which may be 0, and guards behind.
        let w = s + 2;
        let (mut rem, by) = (self.p.zext(x.sig, w), self.p.zext(y.sig, w));
        let mut bits = Vec::new();
        for _ in 0..w {
            let (q, r) = self.reduce(rem, by);
            bits.push(q);
            let low = self.p.extract(r, w - 2, 0);
            rem = self.pad(low, 1);
        }
        let sticky = self.nonzero(rem);
        bits.push(sticky);
        let quotient = self.joined(&bits);
        let n = bits.len() as u32;
        let top = self.p.extract(quotient, n - 1, n - 1);
        let low = self.p.extract(quotient, n - 2, 0);
        let moved = self.pad(low, 1);
        let sig = self.p.ite(top, quotient, moved);
        let exp = self.p.sub(x.exp, y.exp);
        let less = self.signed(self.p.width(exp), -1);
        let lower = self.p.add(exp, less);
        let exp = self.p.ite(top, exp, lower);
        let rounded = self.round(sign, exp, sig);
        let p = &mut *self.p;
        let (c, d) = (p.and(x.inf, y.inf), p.and(x.zero, y.zero));
        let bad = p.or_all([x.nan, y.nan, c, d]);
        let (inf, none) = (p.or(x.inf, y.zero), p.or(x.zero, y.inf));
        let (quiet, infinity, zero) = (self.quiet(nan), self.infinity(sign), self.zero(sign));
        self.first(&[(bad, quiet), (inf, infinity), (none, zero)], rounded)
    }

    /// Is `by` in `rem`, and what is left of it then or otherwise? The top bits of both are 0.
    fn reduce(&mut self, rem: Term, by: Term) -> (Term, Term) {
        let w = self.p.width(rem);
        let diff = self.p.sub(rem, by);
        let less = self.p.extract(diff, w - 1, w - 1);
        (self.p.not(less), self.p.ite(less, rem, diff))
    }

    /// Bits as one term, the first one on top.
    fn joined(&mut self, bits: &[Term]) -> Term {
        let mut all = bits[0];
        for b in &bits[1..] {
            all = self.p.concat(all, *b);
        }
        all
    }

    pub fn root(&mut self, a: Term, nan: Term) -> Term {
        let f = self.f;
        let s = f.significand;
        let x = self.normal_parts(f, a);
        // In [1, 4), of an even exponent.
        let odd = self.p.extract(x.exp, 0, 0);
        let (wide, twice) = (self.p.zext(x.sig, s + 1), self.pad(x.sig, 1));
        let radicand = self.p.ite(odd, twice, wide);
        let n = s + 2;
        let radicand = self.pad(radicand, 2 * n - (s + 1));
        let w = n + 3;
        let mut rem = self.p.constant(Bv::zero(w));
        let mut bits: Vec<Term> = Vec::new();
        for i in 0..n {
            let next = self.p.extract(radicand, 2 * (n - i) - 1, 2 * (n - i) - 2);
            let low = self.p.extract(rem, w - 3, 0);
            rem = self.p.concat(low, next);
            // Twice the root so far and a half, in units of this digit: root, 0, 1.
            let (zero, one) = (self.p.ff(), self.p.tt());
            let trial: Vec<Term> = bits.iter().copied().chain([zero, one]).collect();
            let trial = self.joined(&trial);
            let trial = self.p.zext(trial, w);
            let (bit, r) = self.reduce(rem, trial);
            bits.push(bit);
            rem = r;
        }
        let sticky = self.nonzero(rem);
        bits.push(sticky);
        let sig = self.joined(&bits);
        let ew = self.p.width(x.exp);
        let half = self.p.extract(x.exp, ew - 1, 1);
        let positive = self.p.ff();
        let rounded = self.round(positive, half, sig);
        let p = &mut *self.p;
        let some = p.not(x.zero);
        let negative = p.and(x.sign, some);
        let bad = p.or(x.nan, negative);
        let same = p.or(x.zero, x.inf);
        let quiet = self.quiet(nan);
        self.first(&[(bad, quiet), (same, a)], rounded)
    }

    pub fn fused(&mut self, a: Term, b: Term, c: Term, nan: Term) -> Term {
        let f = self.f;
        let (x, y, z) = (self.normal_parts(f, a), self.normal_parts(f, b), self.normal_parts(f, c));
        let sign = self.p.xor(x.sign, y.sign);
        let none = self.p.or(x.zero, y.zero);
        let (sig, exp) = self.product((x.sig, x.exp), (y.sig, y.exp));
        let product = self.addend(none, sign, exp, sig);
        let addend = self.pad(z.sig, f.significand);
        let addend = self.addend(z.zero, z.sign, z.exp, addend);
        let sum = self.sum(product, addend);
        let p = &mut *self.p;
        let inf = p.or(x.inf, y.inf);
        let (u, v) = (p.and(x.inf, y.zero), p.and(x.zero, y.inf));
        let differ = p.xor(sign, z.sign);
        let clash = p.and_all([inf, z.inf, differ]);
        let bad = p.or_all([x.nan, y.nan, z.nan, u, v, clash]);
        let (quiet, infinity, other) = (self.quiet(nan), self.infinity(sign), self.infinity(z.sign));
        self.first(&[(bad, quiet), (inf, infinity), (z.inf, other)], sum)
    }

    /// A number with its top bit set, or zero, which is below all of them.
    fn addend(&mut self, zero: Term, sign: Term, exp: Term, sig: Term) -> Addend {
        let ew = self.p.width(exp);
        let lowest = self.p.constant(Bv::min_signed(ew).ashr(&Bv::one(ew)));
        let none = self.p.constant(Bv::zero(self.p.width(sig)));
        let exp = self.p.ite(zero, lowest, exp);
        let sig = self.p.ite(zero, none, sig);
        // Exponents in unsigned order.
        let flip = self.p.constant(Bv::min_signed(ew));
        let order = self.p.xor(exp, flip);
        let key = self.p.concat(order, sig);
        Addend { sign, exp, sig, key }
    }

    /// Long division that keeps the remainder; `nearest`: of the quotient rounded to nearest, ties to even.
    pub fn remainder(&mut self, a: Term, b: Term, nan: Term, nearest: bool) -> Term {
        let f = self.f;
        let s = f.significand;
        let (x, y) = (self.normal_parts(f, a), self.normal_parts(f, b));
        let distance = self.p.sub(x.exp, y.exp);
        let ew = self.p.width(distance);
        let steps = 2 * f.bias() + i64::from(s) - 1;
        let w = s + 2;
        let (mut rem, by) = (self.p.zext(x.sig, w), self.p.zext(y.sig, w));
        let mut odd = self.p.ff();
        for i in 0..=steps {
            let at = self.signed(ew, i);
            let active = self.p.sle(at, distance);
            let more = self.p.slt(at, distance);
            let (q, r) = self.reduce(rem, by);
            odd = self.p.ite(active, q, odd);
            rem = self.p.ite(active, r, rem);
            let low = self.p.extract(rem, w - 2, 0);
            let twice = self.pad(low, 1);
            rem = self.p.ite(more, twice, rem);
        }
        // In halves of the divisor's unit.
        let zero = self.signed(ew, 0);
        let minus_one = self.signed(ew, -1);
        let before = self.p.slt(distance, zero);
        let far = self.p.slt(distance, minus_one);
        let rem_twice = self.pad(rem, 1);
        let first = self.p.zext(x.sig, w + 1);
        let halves = self.p.ite(before, first, rem_twice);
        let unit = self.p.zext(y.sig, w + 1);
        let (sign, halves) = if nearest {
            let above = self.p.ult(unit, halves);
            let tie = self.p.eq(unit, halves);
            let no = self.p.ff();
            let odd = self.p.ite(before, no, odd);
            let tie = self.p.and(tie, odd);
            let up = self.p.or(above, tie);
            let by_twice = self.pad(by, 1);
            let rest = self.p.sub(by_twice, halves);
            (self.p.xor(x.sign, up), self.p.ite(up, rest, halves))
        } else {
            (x.sign, halves)
        };
        let some = self.nonzero(halves);
        let none = self.p.not(some);
        // The top bit of s + 3 bits, the lowest one of which is half of the divisor's last.
        let up = self.signed(ew, 2);
        let exp = self.p.add(y.exp, up);
        let (sig, exp) = self.normalize(halves, exp);
        let packed = self.round(sign, exp, sig);
        let zero = self.zero(x.sign);
        let packed = self.p.ite(none, zero, packed);
        let p = &mut *self.p;
        let bad = p.or_all([x.nan, y.nan, x.inf, y.zero]);
        let near = if nearest { far } else { before };
        let same = p.or_all([y.inf, x.zero, near]);
        let quiet = self.quiet(nan);
        self.first(&[(bad, quiet), (same, a)], packed)
    }
}
