//! Sorts and terms: the core theory, bit-vectors, arrays.

use super::syntax::{Error, Expr, error};
use super::{Meaning, Script};
use crate::float::{Format, MODE_BITS};
use crate::term::{self, Term};
use crate::value::Bv;
use dashu::integer::UBig;

/// A sort of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Bool,
    Bv(u32),
    Float(Format),
    Mode,
    Array(Box<Sort>, Box<Sort>),
}

impl Sort {
    fn width(&self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(w) => *w,
            Sort::Float(f) => f.width(),
            Sort::Mode => MODE_BITS,
            Sort::Array(..) => 0,
        }
    }
    /// The solver's sort that holds its values.
    pub fn carrier(&self) -> term::Sort {
        match self {
            Sort::Array(i, e) => term::Sort::Array { index: i.width(), elem: e.width() },
            s => term::Sort::Bv(s.width()),
        }
    }
}

/// A term with its sort.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub term: Term,
    pub sort: Sort,
}

impl Typed {
    pub fn bool(term: Term) -> Typed {
        Typed { term, sort: Sort::Bool }
    }
}

impl Script {
    pub(super) fn sort(&mut self, e: &Expr) -> Result<Sort, Error> {
        let float = |exponent, significand| Sort::Float(Format { exponent, significand });
        if let Expr::Atom(a) = e {
            if let Some(s) = self.sorts.get(a).cloned() {
                return self.sort(&s);
            }
            return Ok(match a.as_str() {
                "Bool" => Sort::Bool,
                "RoundingMode" => Sort::Mode,
                "Float16" => float(5, 11),
                "Float32" => float(8, 24),
                "Float64" => float(11, 53),
                "Float128" => float(15, 113),
                _ => return error(&format!("the sort `{a}` is not supported")),
            });
        }
        match e.list()? {
            [Expr::Atom(u), Expr::Atom(b), w] if u == "_" && b == "BitVec" => match w.number()? {
                0 => error("a bit-vector has at least one bit"),
                w => Ok(Sort::Bv(w)),
            },
            [Expr::Atom(u), Expr::Atom(b), x, y] if u == "_" && b == "FloatingPoint" => Ok(Sort::Float(format(x, y)?)),
            [Expr::Atom(a), i, x] if a == "Array" => match (self.sort(i)?, self.sort(x)?) {
                (Sort::Array(..), _) | (_, Sort::Array(..)) => error("arrays of arrays are not supported"),
                (i, x) => Ok(Sort::Array(Box::new(i), Box::new(x))),
            },
            _ => error(&format!("the sort `{e}` is not supported")),
        }
    }

    pub(super) fn truth(&mut self, e: &Expr) -> Result<Term, Error> {
        let t = self.term(e)?;
        if t.sort == Sort::Bool { Ok(t.term) } else { error(&format!("`{e}` is no truth value")) }
    }

    pub(super) fn term(&mut self, e: &Expr) -> Result<Typed, Error> {
        match e {
            Expr::Atom(a) => self.atom(a),
            Expr::List(l) => match l.as_slice() {
                [Expr::Atom(f), Expr::List(binds), body] if f == "let" => self.with(binds, body),
                [Expr::Atom(f), body, ..] if f == "!" => self.term(body),
                [Expr::Atom(f), Expr::Atom(what), rest @ ..] if f == "_" => self.indexed(what, rest),
                [Expr::Atom(f), args @ ..] => {
                    if let Some(Meaning::Macro(p, body)) = self.names.get(f).and_then(|l| l.last()).cloned() {
                        return self.expand(&p, &body, args);
                    }
                    self.apply(f, &[], args)
                }
                [Expr::List(head), args @ ..] => match head.as_slice() {
                    [Expr::Atom(u), Expr::Atom(f), index @ ..] if u == "_" => self.apply(f, index, args),
                    [Expr::Atom(a), Expr::Atom(c), s] if a == "as" && c == "const" && args.len() == 1 => {
                        let Sort::Array(i, x) = self.sort(s)? else { return error("a constant that is no array") };
                        let v = self.term(&args[0])?;
                        if v.sort != *x {
                            return error("the element of a constant array is of another sort");
                        }
                        let term = self.pool.const_array(i.width(), v.term);
                        Ok(Typed { term, sort: Sort::Array(i, x) })
                    }
                    _ => error(&format!("`{e}` is not supported")),
                },
                [] => error("an empty list is no term"),
            },
        }
    }

    fn atom(&mut self, a: &str) -> Result<Typed, Error> {
        if let Some(Meaning::Term(t)) = self.names.get(a).and_then(|l| l.last()) {
            return Ok(t.clone());
        }
        if let Some(m) = super::floats::MODES.iter().position(|(s, l)| a == *s || a == *l) {
            return Ok(Typed { term: self.pool.num(MODE_BITS, m as u128), sort: Sort::Mode });
        }
        let literal = match (a.strip_prefix("#b"), a.strip_prefix("#x")) {
            (Some(d), _) => Some((d, 2, 1)),
            (_, Some(d)) => Some((d, 16, 4)),
            _ => None,
        };
        if let Some((digits, radix, each)) = literal {
            let Ok(v) = UBig::from_str_radix(digits, radix) else { return error(&format!("`{a}` is no number")) };
            let w = digits.len() as u32 * each;
            let term = self.pool.constant(Bv::from_limbs(w, v.as_words()));
            return Ok(Typed { term, sort: Sort::Bv(w) });
        }
        match a {
            "true" => Ok(Typed::bool(self.pool.tt())),
            "false" => Ok(Typed::bool(self.pool.ff())),
            _ => error(&format!("`{a}` is unknown")),
        }
    }

    /// Bindings take effect together.
    fn with(&mut self, binds: &[Expr], body: &Expr) -> Result<Typed, Error> {
        let mut values = Vec::new();
        for b in binds {
            match b.list()? {
                [Expr::Atom(n), t] => values.push((n.clone(), self.term(t)?)),
                _ => return error("a binding is a name and a term"),
            }
        }
        for (n, t) in &values {
            self.bind(n, Meaning::Term(t.clone()));
        }
        let r = self.term(body);
        for (n, _) in &values {
            self.unbind(n);
        }
        r
    }

    fn expand(&mut self, p: &[(String, Sort)], body: &Expr, args: &[Expr]) -> Result<Typed, Error> {
        if p.len() != args.len() {
            return error("a wrong number of arguments");
        }
        let values = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
        for ((n, s), v) in p.iter().zip(values) {
            if *s != v.sort {
                return error(&format!("the argument `{n}` is of another sort"));
            }
            self.bind(n, Meaning::Term(v));
        }
        let r = self.term(body);
        for (n, _) in p {
            self.unbind(n);
        }
        r
    }

    /// `(_ what index...)` as a term.
    fn indexed(&mut self, what: &str, index: &[Expr]) -> Result<Typed, Error> {
        if let Some(digits) = what.strip_prefix("bv")
            && let Ok(v) = UBig::from_str_radix(digits, 10)
            && let [w] = index
        {
            let w = w.number()?.max(1);
            let term = self.pool.constant(Bv::from_limbs(w, v.as_words()));
            return Ok(Typed { term, sort: Sort::Bv(w) });
        }
        self.float_constant(what, index)
    }

    fn apply(&mut self, f: &str, index: &[Expr], args: &[Expr]) -> Result<Typed, Error> {
        if f.starts_with("fp") || f.starts_with("to_fp") {
            return self.float_apply(f, index, args);
        }
        let index = index.iter().map(Expr::number).collect::<Result<Vec<u32>, _>>()?;
        let values = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
        let sorts: Vec<Sort> = values.iter().map(|v| v.sort.clone()).collect();
        let t: Vec<Term> = values.iter().map(|v| v.term).collect();
        let alike = sorts.windows(2).all(|w| w[0] == w[1]);
        let wrong = || error(&format!("`{f}` on operands of these sorts or of this number is not supported"));
        let p = &mut self.pool;
        match (f, sorts.as_slice(), t.as_slice()) {
            ("ite", [Sort::Bool, x, y], &[c, a, b]) if x == y => {
                return Ok(Typed { term: p.ite(c, a, b), sort: x.clone() });
            }
            ("=" | "distinct", [first, ..], _) if alike && !matches!(first, Sort::Array(..)) => {
                let mut all = p.tt();
                for (i, a) in t.iter().enumerate() {
                    let others = if f == "=" { t.get(i + 1..(i + 2).min(t.len())) } else { t.get(i + 1..) };
                    for b in others.unwrap_or_default() {
                        let e = if f == "=" { p.eq(*a, *b) } else { p.ne(*a, *b) };
                        all = p.and(all, e);
                    }
                }
                return Ok(Typed::bool(all));
            }
            ("select", [Sort::Array(i, x), j], &[a, k]) if **i == *j => {
                let term = p.select(a, k);
                let sort = (**x).clone();
                let term = self.canonical(&sort, term);
                return Ok(Typed { term, sort });
            }
            ("store", [s @ Sort::Array(i, x), j, y], &[a, k, v]) if **i == *j && **x == *y => {
                return Ok(Typed { term: p.store(a, k, v), sort: s.clone() });
            }
            _ => {}
        }
        match sorts.first() {
            Some(Sort::Bool) if alike => {
                let term = match (f, t.as_slice()) {
                    ("not", &[a]) => p.not(a),
                    ("and", _) => p.and_all(t),
                    ("or", _) => p.or_all(t),
                    ("xor", [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.xor(x, *y)),
                    ("=>", [rest @ .., last]) => rest.iter().rfold(*last, |b, a| p.implies(*a, b)),
                    _ => return wrong(),
                };
                Ok(Typed::bool(term))
            }
            Some(Sort::Bv(_)) => {
                if let (Some(term), true) = (self.bit_vector(f, &index, &t), alike || f == "concat") {
                    let sort = Sort::Bv(self.pool.width(term));
                    return Ok(Typed { term, sort });
                }
                if let (Some(term), true) = (self.comparison(f, &t), alike) {
                    return Ok(Typed::bool(term));
                }
                wrong()
            }
            _ => wrong(),
        }
    }

    fn comparison(&mut self, f: &str, t: &[Term]) -> Option<Term> {
        let p = &mut self.pool;
        let &[a, b] = t else { return None };
        Some(match f {
            "bvult" => p.ult(a, b),
            "bvule" => p.ule(a, b),
            "bvugt" => p.ult(b, a),
            "bvuge" => p.ule(b, a),
            "bvslt" => p.slt(a, b),
            "bvsle" => p.sle(a, b),
            "bvsgt" => p.slt(b, a),
            "bvsge" => p.sle(b, a),
            _ => return None,
        })
    }

    fn bit_vector(&mut self, f: &str, index: &[u32], t: &[Term]) -> Option<Term> {
        let p = &mut self.pool;
        let w = p.width(*t.first()?);
        Some(match (f, index, t) {
            ("bvnot", [], &[a]) => p.not(a),
            ("bvneg", [], &[a]) => p.neg(a),
            ("extract", &[hi, lo], &[a]) if lo <= hi && hi < w => p.extract(a, hi, lo),
            ("zero_extend", &[n], &[a]) => p.zext(a, w + n),
            ("sign_extend", &[n], &[a]) => p.sext(a, w + n),
            ("repeat", &[n], &[a]) if n > 0 => (1..n).fold(a, |all, _| p.concat(all, a)),
            ("rotate_left" | "rotate_right", &[n], &[a]) => {
                let n = if f == "rotate_left" { n % w } else { (w - n % w) % w };
                if n == 0 {
                    return Some(a);
                }
                let (high, low) = (p.extract(a, w - n - 1, 0), p.extract(a, w - 1, w - n));
                p.concat(high, low)
            }
            ("concat", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.concat(x, *y)),
            ("bvand", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.and(x, *y)),
            ("bvor", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.or(x, *y)),
            ("bvxor", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.xor(x, *y)),
            ("bvadd", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.add(x, *y)),
            ("bvmul", [], [first, rest @ ..]) => rest.iter().fold(*first, |x, y| p.mul(x, *y)),
            (_, [], &[a, b]) if p.width(b) == w => match f {
                "bvsub" => p.sub(a, b),
                "bvudiv" => p.udiv(a, b),
                "bvurem" => p.urem(a, b),
                "bvsdiv" => p.sdiv(a, b),
                "bvsrem" => p.srem(a, b),
                "bvshl" => p.shl(a, b),
                "bvlshr" => p.lshr(a, b),
                "bvashr" => p.ashr(a, b),
                "bvcomp" => p.eq(a, b),
                "bvnand" | "bvnor" | "bvxnor" => {
                    let t = match f {
                        "bvnand" => p.and(a, b),
                        "bvnor" => p.or(a, b),
                        _ => p.xor(a, b),
                    };
                    p.not(t)
                }
                "bvsmod" => {
                    // The remainder, moved to the sign of the divisor.
                    let r = p.srem(a, b);
                    let zero = p.constant(Bv::zero(w));
                    let some = p.ne(r, zero);
                    let (sr, sb) = (p.extract(r, w - 1, w - 1), p.extract(b, w - 1, w - 1));
                    let differ = p.xor(sr, sb);
                    let moved = p.and(some, differ);
                    let sum = p.add(r, b);
                    p.ite(moved, sum, r)
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

pub(super) fn format(exponent: &Expr, significand: &Expr) -> Result<Format, Error> {
    let f = Format { exponent: exponent.number()?, significand: significand.number()? };
    if (2..=20).contains(&f.exponent) && (2..=1024).contains(&f.significand) {
        Ok(f)
    } else {
        error(&format!("numbers with {} and {} bits are not supported", f.exponent, f.significand))
    }
}
