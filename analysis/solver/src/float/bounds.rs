//! What follows from an operator's meaning at little cost: signs, when the result is a NaN, and order, which rounding
//! keeps. True in every rounding mode, since rounding is monotonic and leaves the numbers of the format alone. Many
//! proofs need no more than that, and no circuit of a multiplier.

use super::{FloatOp, Format, classify as c};
use crate::term::{Pool, Term};

struct Facts<'a> {
    p: &'a mut Pool,
    f: Format,
    /// When the result is a NaN.
    nan: Term,
    all: Vec<Term>,
}

impl Facts<'_> {
    /// Of a result that is a number.
    fn number(&mut self, t: Term) {
        let t = self.p.or(self.nan, t);
        self.all.push(t);
    }
    /// Of a result that is a number: `a` implies `b`.
    fn then(&mut self, a: Term, b: Term) {
        let t = self.p.implies(a, b);
        self.number(t);
    }
    fn magnitude(&mut self, a: Term) -> Term {
        c::magnitude(self.p, self.f, a)
    }
    fn sign_is(&mut self, r: Term, s: Term) {
        let sr = c::sign(self.p, self.f, r);
        let t = self.p.eq(sr, s);
        self.number(t);
    }
}

/// Consequences of `r` being the result; `None`: there are none here.
pub fn of(p: &mut Pool, op: FloatOp, f: Format, args: &[Term], r: Term) -> Option<Term> {
    let n = if op.rounds() { &args[1..] } else { args };
    let (a, b) = match (op, n) {
        (FloatOp::Add | FloatOp::Mul | FloatOp::Div | FloatOp::Rem | FloatOp::Remainder, &[a, b, _]) => (a, b),
        (FloatOp::Sqrt, &[a, _]) => (a, a),
        _ => return None,
    };
    let (na, nb) = (c::is_nan(p, f, a), c::is_nan(p, f, b));
    let (ia, ib) = (c::is_infinite(p, f, a), c::is_infinite(p, f, b));
    let (za, zb) = (c::is_zero(p, f, a), c::is_zero(p, f, b));
    let (sa, sb) = (c::sign(p, f, a), c::sign(p, f, b));
    let differ = p.xor(sa, sb);
    let invalid = match op {
        FloatOp::Add => p.and_all([ia, ib, differ]),
        FloatOp::Mul => {
            let (x, y) = (p.and(ia, zb), p.and(za, ib));
            p.or(x, y)
        }
        FloatOp::Div => {
            let (x, y) = (p.and(ia, ib), p.and(za, zb));
            p.or(x, y)
        }
        FloatOp::Sqrt => {
            let some = p.not(za);
            p.and(sa, some)
        }
        _ => p.or(ia, zb),
    };
    let nan = p.or_all([na, nb, invalid]);
    let nr = c::is_nan(p, f, r);
    let says = p.eq(nr, nan);
    // Which one it is, is given.
    let given = c::quiet(p, f, *args.last()?);
    let given = p.eq(r, given);
    let given = p.implies(nan, given);
    let one = p.constant(super::rewrite::one(f));
    let mut k = Facts { p, f, nan, all: vec![says, given] };
    let (ma, mb, mr, unit) = (k.magnitude(a), k.magnitude(b), k.magnitude(r), k.magnitude(one));
    let a_large = k.p.ule(unit, ma);
    let a_small = k.p.ule(ma, unit);
    match op {
        FloatOp::Add => {
            // The sign of a sum is that of the comparison with the negated operand.
            let minus = c::negate(k.p, f, b);
            let zero = k.p.constant(crate::Bv::zero(f.width()));
            let (o, s) = (c::order(k.p, f, a, minus), c::order(k.p, f, r, zero));
            for (x, y) in [(o.less, s.less), (o.equal, s.equal), (o.greater, s.greater)] {
                let t = k.p.eq(x, y);
                k.number(t);
            }
            // Adding what is not negative makes nothing smaller.
            for (x, y) in [(a, b), (b, a)] {
                let (o, s) = (c::order(k.p, f, x, zero), c::order(k.p, f, r, y));
                let (up, down) = (k.p.or(o.greater, o.equal), k.p.or(o.less, o.equal));
                let (above, below) = (k.p.or(s.greater, s.equal), k.p.or(s.less, s.equal));
                k.then(up, above);
                k.then(down, below);
            }
        }
        FloatOp::Mul => {
            k.sign_is(r, differ);
            let zr = c::is_zero(k.p, f, r);
            let none = k.p.or(za, zb);
            k.then(none, zr);
            for (x, y) in [(ma, mb), (mb, ma)] {
                let (large, small) = (k.p.ule(unit, x), k.p.ule(x, unit));
                let (above, below) = (k.p.ule(y, mr), k.p.ule(mr, y));
                k.then(large, above);
                k.then(small, below);
            }
        }
        FloatOp::Div => {
            k.sign_is(r, differ);
            let (large, small) = (k.p.ule(unit, mb), k.p.ule(mb, unit));
            let (above, below) = (k.p.ule(ma, mr), k.p.ule(mr, ma));
            k.then(large, below);
            k.then(small, above);
            let (up, down) = (k.p.ule(mb, ma), k.p.ule(ma, mb));
            let (above, below) = (k.p.ule(unit, mr), k.p.ule(mr, unit));
            k.then(up, above);
            k.then(down, below);
        }
        FloatOp::Sqrt => {
            k.sign_is(r, sa);
            let (from, to) = (k.p.ule(unit, mr), k.p.ule(mr, ma));
            let both = k.p.and(from, to);
            k.then(a_large, both);
            let (from, to) = (k.p.ule(ma, mr), k.p.ule(mr, unit));
            let both = k.p.and(from, to);
            k.then(a_small, both);
        }
        FloatOp::Rem => {
            k.sign_is(r, sa);
            let (less, smaller) = (k.p.ule(mr, ma), k.p.ult(mr, mb));
            k.number(less);
            k.number(smaller);
            let (near, same) = (k.p.ult(ma, mb), k.p.eq(r, a));
            k.then(near, same);
        }
        _ => {
            let (less, smaller) = (k.p.ule(mr, ma), k.p.ule(mr, mb));
            k.number(less);
            k.number(smaller);
        }
    }
    let all = k.all;
    Some(p.and_all(all))
}
