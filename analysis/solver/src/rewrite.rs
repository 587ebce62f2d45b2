//! Building terms: one constructor per operator, each of which returns the simplest equal term that local rules find.
//! Rules look at most two levels down and never grow a term (but for [`crate::remainder`]), so construction is linear. Each preserves the meaning that
//! [`crate::eval`] gives; the tests compare both on random terms.

use crate::eval;
use crate::term::{Node, Op, Pool, Sort, Term};
use crate::value::Bv;

impl Pool {
    /// `v` modulo `2^width`.
    pub fn num(&mut self, width: u32, v: u128) -> Term {
        self.constant(Bv::new(width, v))
    }
    /// The truth value 1.
    pub fn tt(&mut self) -> Term {
        self.num(1, 1)
    }
    /// The truth value 0.
    pub fn ff(&mut self) -> Term {
        self.num(1, 0)
    }
    /// Both are constants: the constant result.
    fn fold(&mut self, op: Op, args: &[Term], width: u32) -> Option<Term> {
        let values: Option<Vec<&Bv>> = args.iter().map(|a| self.as_const(*a)).collect();
        let v = eval::apply(op, &values?, width)?;
        Some(self.constant(v))
    }
    fn is(&self, t: Term, f: impl Fn(&Bv) -> bool) -> bool {
        self.as_const(t).is_some_and(f)
    }
    /// `a` is the complement of `b`.
    fn complements(&self, a: Term, b: Term) -> bool {
        self.as_app(a, Op::Not) == Some(&[b]) || self.as_app(b, Op::Not) == Some(&[a])
    }
    /// Operands of a commutative operator: a constant last, else by index.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        match (self.as_const(a).is_some(), self.as_const(b).is_some()) {
            (true, false) => (b, a),
            (false, true) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }

    /// Complement.
    pub fn not(&mut self, a: Term) -> Term {
        let w = self.width(a);
        if let Some(t) = self.fold(Op::Not, &[a], w) {
            return t;
        }
        if let Some(&[x]) = self.as_app(a, Op::Not) {
            return x;
        }
        self.app_raw(Op::Not, &[a], Sort::Bv(w))
    }

    /// Bitwise and; conjunction of truth values.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(t) = self.fold(Op::And, &[a, b], w) {
            return t;
        }
        if a == b || self.is(b, Bv::is_ones) {
            return a;
        }
        if self.is(b, Bv::is_zero) {
            return b;
        }
        if self.complements(a, b) {
            return self.constant(Bv::zero(w));
        }
        for (x, y) in [(a, b), (b, a)] {
            // x & (x & z) = x & z;  x & (!x & z) = 0
            if let Some(&[p, q]) = self.as_app(y, Op::And) {
                if p == x || q == x {
                    return y;
                }
                if self.complements(p, x) || self.complements(q, x) {
                    return self.constant(Bv::zero(w));
                }
            }
        }
        // (x & c) & d = x & (c & d)
        if let Some(&[x, c]) = self.as_app(a, Op::And)
            && let (Some(c), Some(d)) = (self.as_const(c), self.as_const(b))
        {
            let c = c.and(d);
            let c = self.constant(c);
            return self.and(x, c);
        }
        self.app_raw(Op::And, &[a, b], Sort::Bv(w))
    }

    /// Bitwise or, by De Morgan: only `and` and `not` remain, which shares more.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (na, nb) = (self.not(a), self.not(b));
        let n = self.and(na, nb);
        self.not(n)
    }

    /// Implication of truth values.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let nb = self.not(b);
        let n = self.and(a, nb);
        self.not(n)
    }

    /// Conjunction of truth values.
    pub fn and_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.tt();
        for t in terms {
            all = self.and(all, t);
        }
        all
    }

    /// Disjunction of truth values.
    pub fn or_all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut any = self.ff();
        for t in terms {
            any = self.or(any, t);
        }
        any
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(t) = self.fold(Op::Xor, &[a, b], w) {
            return t;
        }
        if a == b {
            return self.constant(Bv::zero(w));
        }
        if self.complements(a, b) {
            return self.constant(Bv::ones(w));
        }
        if self.is(b, Bv::is_zero) {
            return a;
        }
        if self.is(b, Bv::is_ones) {
            return self.not(a);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(&[n]) = self.as_app(x, Op::Not) {
                let t = self.xor(n, y);
                return self.not(t);
            }
        }
        self.app_raw(Op::Xor, &[a, b], Sort::Bv(w))
    }

    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let w = self.width(a);
        if let Some(t) = self.fold(Op::Neg, &[a], w) {
            return t;
        }
        if let Some(&[x]) = self.as_app(a, Op::Neg) {
            return x;
        }
        if w == 1 {
            return a;
        }
        self.app_raw(Op::Neg, &[a], Sort::Bv(w))
    }

    /// Sum modulo `2^width`.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(t) = self.fold(Op::Add, &[a, b], w) {
            return t;
        }
        if self.is(b, Bv::is_zero) {
            return a;
        }
        if w == 1 {
            return self.xor(a, b);
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.as_app(x, Op::Neg) == Some(&[y]) {
                return self.constant(Bv::zero(w));
            }
            // (x + -y) + y = x
            if let Some(&[p, q]) = self.as_app(x, Op::Add) {
                if self.as_app(q, Op::Neg) == Some(&[y]) || self.as_app(y, Op::Neg) == Some(&[q]) {
                    return p;
                }
                if self.as_app(p, Op::Neg) == Some(&[y]) || self.as_app(y, Op::Neg) == Some(&[p]) {
                    return q;
                }
            }
        }
        // (x + c) + d = x + (c + d);  (x + c) + y = (x + y) + c: constants float to the outside
        if let Some(&[x, c]) = self.as_app(a, Op::Add)
            && let Some(cv) = self.as_const(c)
        {
            if let Some(d) = self.as_const(b) {
                let s = cv.add(d);
                let s = self.constant(s);
                return self.add(x, s);
            }
            let xy = self.add(x, b);
            return self.add(xy, c);
        }
        if let Some(&[y, c]) = self.as_app(b, Op::Add)
            && self.as_const(c).is_some()
        {
            let xy = self.add(a, y);
            return self.add(xy, c);
        }
        self.app_raw(Op::Add, &[a, b], Sort::Bv(w))
    }

    /// Difference modulo `2^width`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let n = self.neg(b);
        self.add(a, n)
    }

    /// Product modulo `2^width`.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(t) = self.fold(Op::Mul, &[a, b], w) {
            return t;
        }
        if let Some(c) = self.as_const(b).cloned() {
            if c.is_zero() {
                return b;
            }
            if c.is_one() {
                return a;
            }
            if c.is_ones() {
                return self.neg(a);
            }
            if let Some(k) = c.log2() {
                let k = self.num(w, u128::from(k));
                return self.shl(a, k);
            }
        }
        if w == 1 {
            return self.and(a, b);
        }
        self.app_raw(Op::Mul, &[a, b], Sort::Bv(w))
    }

    fn division(&mut self, op: Op, a: Term, b: Term) -> Term {
        let w = self.width(a);
        if let Some(t) = self.fold(op, &[a, b], w) {
            return t;
        }
        self.app_raw(op, &[a, b], Sort::Bv(w))
    }

    /// Unsigned quotient.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_const(b).and_then(Bv::log2) {
            let w = self.width(a);
            let k = self.num(w, u128::from(k));
            return self.lshr(a, k);
        }
        self.division(Op::UDiv, a, b)
    }

    /// Unsigned remainder.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        if let Some(k) = self.as_const(b).and_then(Bv::log2) {
            let w = self.width(a);
            if k == 0 {
                return self.constant(Bv::zero(w));
            }
            let low = self.extract(a, k - 1, 0);
            return self.zext(low, w);
        }
        self.division(Op::URem, a, b)
    }

    /// Signed quotient.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if self.width(a) > 1 && self.is(b, Bv::is_one) { a } else { self.division(Op::SDiv, a, b) }
    }

    /// Signed remainder.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        self.division(Op::SRem, a, b)
    }

    fn shift(&mut self, op: Op, a: Term, b: Term) -> Term {
        let w = self.width(a);
        if let Some(t) = self.fold(op, &[a, b], w) {
            return t;
        }
        if self.is(b, Bv::is_zero) || self.is(a, Bv::is_zero) {
            return a;
        }
        if let Some(c) = self.as_const(b).cloned() {
            let k = c.to_u64().unwrap_or(u64::MAX).min(u64::from(w)) as u32;
            match op {
                Op::Shl | Op::LShr if k >= w => return self.constant(Bv::zero(w)),
                Op::Shl => {
                    let low = self.extract(a, w - 1 - k, 0);
                    let zero = self.constant(Bv::zero(k));
                    return self.concat(low, zero);
                }
                Op::LShr => {
                    let high = self.extract(a, w - 1, k);
                    return self.zext(high, w);
                }
                _ => {
                    let high = self.extract(a, w - 1, k.min(w - 1));
                    return self.sext(high, w);
                }
            }
        }
        self.app_raw(op, &[a, b], Sort::Bv(w))
    }

    /// Shift left.
    pub fn shl(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::Shl, a, b)
    }
    /// Logical shift right.
    pub fn lshr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::LShr, a, b)
    }
    /// Arithmetic shift right.
    pub fn ashr(&mut self, a: Term, b: Term) -> Term {
        self.shift(Op::AShr, a, b)
    }

    /// `a` above `b`.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let (wa, wb) = (self.width(a), self.width(b));
        if let Some(t) = self.fold(Op::Concat, &[a, b], wa + wb) {
            return t;
        }
        // Adjacent slices of one term are one slice: what reading a value back byte by byte gives.
        if let (&Node::App(Op::Extract { hi, lo }, ref p), &Node::App(Op::Extract { hi: h2, lo: l2 }, ref q)) =
            (self.node(a), self.node(b))
            && p[0] == q[0]
            && lo == h2 + 1
        {
            let x = p[0];
            return self.extract(x, hi, l2);
        }
        if self.is(a, Bv::is_zero) {
            return self.zext(b, wa + wb);
        }
        // (x . y) . z with y, z slices that join: x . (y . z)
        if let Some(&[x, y]) = self.as_app(a, Op::Concat) {
            let yz = self.concat(y, b);
            if self.as_app(yz, Op::Concat) != Some(&[y, b]) {
                return self.concat(x, yz);
            }
        }
        self.app_raw(Op::Concat, &[a, b], Sort::Bv(wa + wb))
    }

    /// Bits `lo..=hi` of `a`.
    ///
    /// # Panics
    /// If the range is empty or beyond the width.
    pub fn extract(&mut self, a: Term, hi: u32, lo: u32) -> Term {
        let w = self.width(a);
        assert!(lo <= hi && hi < w, "bits {lo}..={hi} of {w}");
        if lo == 0 && hi + 1 == w {
            return a;
        }
        let width = hi - lo + 1;
        let op = Op::Extract { hi, lo };
        if let Some(t) = self.fold(op, &[a], width) {
            return t;
        }
        match self.node(a).clone() {
            Node::App(Op::Extract { lo: l2, .. }, p) => return self.extract(p[0], hi + l2, lo + l2),
            Node::App(Op::Concat, p) => {
                let wb = self.width(p[1]);
                if hi < wb {
                    return self.extract(p[1], hi, lo);
                }
                if lo >= wb {
                    return self.extract(p[0], hi - wb, lo - wb);
                }
                let (h, l) = (self.extract(p[0], hi - wb, 0), self.extract(p[1], wb - 1, lo));
                return self.concat(h, l);
            }
            Node::App(Op::ZExt, p) => {
                let wp = self.width(p[0]);
                if hi < wp {
                    return self.extract(p[0], hi, lo);
                }
                if lo >= wp {
                    return self.constant(Bv::zero(width));
                }
                let low = self.extract(p[0], wp - 1, lo);
                return self.zext(low, width);
            }
            Node::App(Op::SExt, p) => {
                let wp = self.width(p[0]);
                if hi < wp {
                    return self.extract(p[0], hi, lo);
                }
                if lo < wp {
                    let low = self.extract(p[0], wp - 1, lo);
                    return self.sext(low, width);
                }
                let sign = self.extract(p[0], wp - 1, wp - 1);
                return self.sext(sign, width);
            }
            Node::App(Op::Not, p) => {
                let x = self.extract(p[0], hi, lo);
                return self.not(x);
            }
            Node::App(op @ (Op::And | Op::Xor), p) => {
                let (x, y) = (self.extract(p[0], hi, lo), self.extract(p[1], hi, lo));
                return if op == Op::And { self.and(x, y) } else { self.xor(x, y) };
            }
            Node::App(Op::Ite, p) if self.as_const(p[1]).is_some() || self.as_const(p[2]).is_some() => {
                let (x, y) = (self.extract(p[1], hi, lo), self.extract(p[2], hi, lo));
                return self.ite(p[0], x, y);
            }
            _ => {}
        }
        self.app_raw(op, &[a], Sort::Bv(width))
    }

    /// Zero extension to `width`.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        let w = self.width(a);
        if width == w {
            return a;
        }
        if let Some(t) = self.fold(Op::ZExt, &[a], width) {
            return t;
        }
        if let Some(&[x]) = self.as_app(a, Op::ZExt) {
            return self.zext(x, width);
        }
        self.app_raw(Op::ZExt, &[a], Sort::Bv(width))
    }

    /// Sign extension to `width`.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        let w = self.width(a);
        if width == w {
            return a;
        }
        if let Some(t) = self.fold(Op::SExt, &[a], width) {
            return t;
        }
        if let Some(&[x]) = self.as_app(a, Op::SExt) {
            return self.sext(x, width);
        }
        if let Some(&[x]) = self.as_app(a, Op::ZExt) {
            return self.zext(x, width);
        }
        self.app_raw(Op::SExt, &[a], Sort::Bv(width))
    }

    /// Zero-extends or truncates.
    pub fn resize_unsigned(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.zext(a, width) }
    }

    /// Sign-extends or truncates.
    pub fn resize_signed(&mut self, a: Term, width: u32) -> Term {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.sext(a, width) }
    }

    /// Equality of bit-vectors.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let w = self.width(a);
        debug_assert_eq!(w, self.width(b));
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.tt();
        }
        if let Some(t) = self.fold(Op::Eq, &[a, b], 1) {
            return t;
        }
        if self.complements(a, b) {
            return self.ff();
        }
        if w == 1 {
            let x = self.xor(a, b);
            return self.not(x);
        }
        if let Some(c) = self.as_const(b).cloned() {
            match self.node(a).clone() {
                Node::App(Op::Not, p) => {
                    let c = self.constant(c.not());
                    return self.eq(p[0], c);
                }
                Node::App(Op::Neg, p) => {
                    let c = self.constant(c.neg());
                    return self.eq(p[0], c);
                }
                Node::App(Op::Add, p) => {
                    if let Some(d) = self.as_const(p[1]) {
                        let e = c.sub(d);
                        let e = self.constant(e);
                        return self.eq(p[0], e);
                    }
                }
                Node::App(Op::Concat, p) => {
                    let wb = self.width(p[1]);
                    let (h, l) = (self.constant(c.extract(w - 1, wb)), self.constant(c.extract(wb - 1, 0)));
                    let (eh, el) = (self.eq(p[0], h), self.eq(p[1], l));
                    return self.and(eh, el);
                }
                Node::App(ext @ (Op::ZExt | Op::SExt), p) => {
                    let wp = self.width(p[0]);
                    let low = c.extract(wp - 1, 0);
                    let back = if ext == Op::ZExt { low.zext(w) } else { low.sext(w) };
                    if back != c {
                        return self.ff();
                    }
                    let low = self.constant(low);
                    return self.eq(p[0], low);
                }
                Node::App(op @ (Op::URem | Op::SRem), p) => {
                    if let Some(d) = self.as_const(p[1]).cloned()
                        && let Some(t) = self.remainder_is(op == Op::SRem, p[0], &d, &c)
                    {
                        return t;
                    }
                }
                // ite(g, c1, y) = c
                Node::App(Op::Ite, p) if self.as_const(p[1]).is_some() || self.as_const(p[2]).is_some() => {
                    let (x, y) = (self.eq(p[1], b), self.eq(p[2], b));
                    return self.ite(p[0], x, y);
                }
                _ => {}
            }
        }
        // x + c = y + c, x + y = x + z
        if let (Some(&[p, q]), Some(&[r, s])) = (self.as_app(a, Op::Add), self.as_app(b, Op::Add)) {
            for (x, y, u, v) in [(p, q, r, s), (q, p, r, s), (p, q, s, r), (q, p, s, r)] {
                if x == u {
                    return self.eq(y, v);
                }
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            // x + y = x iff y = 0
            if let Some(&[p, q]) = self.as_app(x, Op::Add)
                && (p == y || q == y)
            {
                let other = if p == y { q } else { p };
                let z = self.constant(Bv::zero(w));
                return self.eq(other, z);
            }
            // ite(c, y, q) = y iff c or q = y
            if let Some(&[c, p, q]) = self.as_app(x, Op::Ite)
                && (p == y || q == y)
            {
                let (c, other) = if p == y { (c, q) } else { (self.not(c), p) };
                let same = self.eq(other, y);
                return self.or(c, same);
            }
        }
        if let Some((x, y)) = self.without_common_summands(a, b) {
            return self.eq(x, y);
        }
        self.app_raw(Op::Eq, &[a, b], Sort::Bv(1))
    }

    /// Inequality.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let e = self.eq(a, b);
        self.not(e)
    }

    /// Unsigned `a < b`.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.ff();
        }
        if let Some(t) = self.fold(Op::Ult, &[a, b], 1) {
            return t;
        }
        let w = self.width(a);
        if self.is(b, Bv::is_zero) || self.is(a, Bv::is_ones) {
            return self.ff();
        }
        if self.is(b, Bv::is_one) {
            let z = self.constant(Bv::zero(w));
            return self.eq(a, z);
        }
        if self.is(a, Bv::is_zero) {
            return self.ne(b, a);
        }
        if self.is(b, Bv::is_ones) {
            return self.ne(a, b);
        }
        // Comparisons of zero-extended values happen in the narrow width.
        if let (Some(&[x]), Some(c)) = (self.as_app(a, Op::ZExt), self.as_const(b).cloned()) {
            let wx = self.width(x);
            if c.lshr(&Bv::new(w, u128::from(wx))).is_zero() {
                let c = self.constant(c.extract(wx - 1, 0));
                return self.ult(x, c);
            }
            return self.tt();
        }
        if let (Some(c), Some(&[x])) = (self.as_const(a).cloned(), self.as_app(b, Op::ZExt)) {
            let wx = self.width(x);
            if c.lshr(&Bv::new(w, u128::from(wx))).is_zero() {
                let c = self.constant(c.extract(wx - 1, 0));
                return self.ult(c, x);
            }
            return self.ff();
        }
        if let (Some(&[x]), Some(&[y])) = (self.as_app(a, Op::ZExt), self.as_app(b, Op::ZExt))
            && self.width(x) == self.width(y)
        {
            return self.ult(x, y);
        }
        // Below the next number: it, or below it.
        if let Some(x) = self.before(b) {
            let last = self.constant(Bv::ones(w));
            let (some, above) = (self.ne(x, last), self.ult(x, a));
            let up = self.not(above);
            return self.and(some, up);
        }
        self.app_raw(Op::Ult, &[a, b], Sort::Bv(1))
    }

    /// What a term is one more than.
    fn before(&self, t: Term) -> Option<Term> {
        match self.as_app(t, Op::Add) {
            Some(&[x, one]) if self.is(one, Bv::is_one) => Some(x),
            Some(&[one, x]) if self.is(one, Bv::is_one) => Some(x),
            _ => None,
        }
    }

    /// Unsigned `a <= b`.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let g = self.ult(b, a);
        self.not(g)
    }

    /// Signed `a < b`.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.ff();
        }
        if let Some(t) = self.fold(Op::Slt, &[a, b], 1) {
            return t;
        }
        let w = self.width(a);
        if self.is(b, |v| *v == Bv::min_signed(w)) || self.is(a, |v| *v == Bv::min_signed(w).not()) {
            return self.ff();
        }
        if self.is(b, Bv::is_zero) {
            return self.extract(a, w - 1, w - 1);
        }
        if w == 1 {
            // -1 < 0
            let nb = self.not(b);
            return self.and(a, nb);
        }
        if let (Some(&[x]), Some(&[y])) = (self.as_app(a, Op::SExt), self.as_app(b, Op::SExt))
            && self.width(x) == self.width(y)
        {
            return self.slt(x, y);
        }
        if let Some(x) = self.before(b) {
            let last = self.constant(Bv::min_signed(w).not());
            let (some, above) = (self.ne(x, last), self.slt(x, a));
            let up = self.not(above);
            return self.and(some, up);
        }
        self.app_raw(Op::Slt, &[a, b], Sort::Bv(1))
    }

    /// Signed `a <= b`.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let g = self.slt(b, a);
        self.not(g)
    }

    /// `c ? a : b` for bit-vectors and arrays.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if a == b {
            return a;
        }
        if let Some(v) = self.as_const(c) {
            return if v.is_zero() { b } else { a };
        }
        if let Some(&[n]) = self.as_app(c, Op::Not) {
            return self.ite(n, b, a);
        }
        // The same condition below decides the same way.
        if let Some(&[d, x, _]) = self.as_app(a, Op::Ite)
            && d == c
        {
            return self.ite(c, x, b);
        }
        if let Some(&[d, _, y]) = self.as_app(b, Op::Ite)
            && d == c
        {
            return self.ite(c, a, y);
        }
        let sort = self.sort(a);
        if sort == Sort::Bv(1) {
            // The condition itself in a branch is known there.
            if a == c {
                return self.or(c, b);
            }
            if b == c {
                return self.and(c, a);
            }
            if self.complements(a, c) {
                return self.and(a, b);
            }
            if self.complements(b, c) {
                return self.or(b, a);
            }
            match (self.as_const(a).map(Bv::is_one), self.as_const(b).map(Bv::is_one)) {
                (Some(true), Some(false)) => return c,
                (Some(false), Some(true)) => return self.not(c),
                (Some(true), None) => return self.or(c, b),
                (Some(false), None) => {
                    let n = self.not(c);
                    return self.and(n, b);
                }
                (None, Some(true)) => {
                    let n = self.not(c);
                    return self.or(n, a);
                }
                (None, Some(false)) => return self.and(c, a),
                _ => {}
            }
        }
        self.app_raw(Op::Ite, &[c, a, b], sort)
    }

    /// Array read. Skips writes whose index is known to differ.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let Sort::Array { elem, .. } = self.sort(array) else { panic!("select of a bit-vector") };
        let mut array = array;
        loop {
            if let Some(&[v]) = self.as_app(array, Op::ConstArray) {
                return v;
            }
            let Some(&[below, i, v]) = self.as_app(array, Op::Store) else { break };
            if i == index {
                return v;
            }
            let same = self.eq(i, index);
            if !self.is(same, Bv::is_zero) {
                break;
            }
            array = below;
        }
        self.app_raw(Op::Select, &[array, index], Sort::Bv(elem))
    }

    /// Array write.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort(array);
        // Writing back what was read, and overwriting the last write.
        if self.as_app(value, Op::Select) == Some(&[array, index]) {
            return array;
        }
        if let Some(&[below, i, _]) = self.as_app(array, Op::Store)
            && i == index
        {
            return self.store(below, index, value);
        }
        self.app_raw(Op::Store, &[array, index, value], sort)
    }

    /// The array whose elements are all `value`.
    pub fn const_array(&mut self, index: u32, value: Term) -> Term {
        let elem = self.width(value);
        self.app_raw(Op::ConstArray, &[value], Sort::Array { index, elem })
    }

    /// Builds `op` over `args` with simplification; `width` is the result's for extensions. For readers and generators.
    ///
    /// # Panics
    /// On a wrong number of operands.
    pub fn app(&mut self, op: Op, args: &[Term], width: u32) -> Term {
        match (op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::Neg, &[a]) => self.neg(a),
            (Op::And, &[a, b]) => self.and(a, b),
            (Op::Or, &[a, b]) => self.or(a, b),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Add, &[a, b]) => self.add(a, b),
            (Op::Mul, &[a, b]) => self.mul(a, b),
            (Op::UDiv, &[a, b]) => self.udiv(a, b),
            (Op::URem, &[a, b]) => self.urem(a, b),
            (Op::SDiv, &[a, b]) => self.sdiv(a, b),
            (Op::SRem, &[a, b]) => self.srem(a, b),
            (Op::Shl, &[a, b]) => self.shl(a, b),
            (Op::LShr, &[a, b]) => self.lshr(a, b),
            (Op::AShr, &[a, b]) => self.ashr(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract { hi, lo }, &[a]) => self.extract(a, hi, lo),
            (Op::ZExt, &[a]) => self.zext(a, width),
            (Op::SExt, &[a]) => self.sext(a, width),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ult, &[a, b]) => self.ult(a, b),
            (Op::Slt, &[a, b]) => self.slt(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::ConstArray, &[v]) => self.const_array(width, v),
            (Op::Float(op, f), n) => self.float(op, f, n, width),
            _ => panic!("operator {op:?} on {} operands", args.len()),
        }
    }
}
