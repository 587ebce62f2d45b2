//! The theory of floating point.

use super::Script;
use super::syntax::{Error, Expr, error};
use super::terms::{Sort, Typed, format};
use crate::float::{FloatOp, Format, Rounding, classify, exact};
use crate::term::{self, Term};
use crate::value::Bv;
use dashu::base::Sign;
use dashu::integer::{IBig, UBig};

/// Short and long names of rounding modes, by number.
pub(super) const MODES: [(&str, &str); 5] = [
    ("RNE", "roundNearestTiesToEven"),
    ("RNA", "roundNearestTiesToAway"),
    ("RTP", "roundTowardPositive"),
    ("RTN", "roundTowardNegative"),
    ("RTZ", "roundTowardZero"),
];

/// A decimal, an integer or a quotient: numerator and denominator.
fn rational(e: &Expr) -> Option<(IBig, UBig)> {
    match e {
        Expr::Atom(a) => {
            let (whole, part) = a.split_once('.').unwrap_or((a, ""));
            if whole.is_empty() || !whole.bytes().chain(part.bytes()).all(|c| c.is_ascii_digit()) {
                return None;
            }
            let n = UBig::from_str_radix(&format!("{whole}{part}"), 10).ok()?;
            Some((n.into(), UBig::from(10u8).pow(part.len())))
        }
        Expr::List(l) => match l.as_slice() {
            [Expr::Atom(m), x] if m == "-" => rational(x).map(|(n, d)| (-n, d)),
            [Expr::Atom(m), x, y] if m == "/" => {
                let ((a, b), (c, d)) = (rational(x)?, rational(y)?);
                let (sign, c) = c.into_parts();
                if c == UBig::ZERO {
                    return None;
                }
                let n = a * IBig::from(d);
                Some((if sign == Sign::Negative { -n } else { n }, b * c))
            }
            _ => None,
        },
    }
}

impl Script {
    /// Values of numbers have one NaN, modes five patterns.
    pub(super) fn canonical(&mut self, sort: &Sort, t: Term) -> Term {
        match sort {
            Sort::Float(f) => {
                let zero = self.pool.constant(Bv::zero(f.width()));
                let nan = classify::is_nan(&mut self.pool, *f, t);
                let one = classify::quiet(&mut self.pool, *f, zero);
                self.pool.ite(nan, one, t)
            }
            Sort::Mode => {
                let last = Rounding::Zero.term(&mut self.pool);
                let fits = self.pool.ule(t, last);
                self.pool.ite(fits, t, last)
            }
            _ => t,
        }
    }

    /// What the standard leaves open: a function of these operands.
    fn open(&mut self, what: &str, sort: Format, args: &[Term], width: u32) -> Term {
        let key = (what.to_string(), sort, width);
        let known = self.open.get(&key).cloned().unwrap_or_default();
        if let Some((_, t)) = known.iter().find(|(a, _)| a == args) {
            return *t;
        }
        let t = self.pool.fresh("open", term::Sort::Bv(width));
        // Equal operands, equal results.
        for (others, o) in known {
            let mut same = self.pool.tt();
            for (x, y) in args.iter().zip(&others) {
                let e = self.pool.eq(*x, *y);
                same = self.pool.and(same, e);
            }
            let equal = self.pool.eq(t, o);
            let axiom = self.pool.implies(same, equal);
            self.solver.assert(&self.pool, axiom);
        }
        self.open.entry(key).or_default().push((args.to_vec(), t));
        t
    }

    pub(super) fn float_constant(&mut self, what: &str, index: &[Expr]) -> Result<Typed, Error> {
        let [e, s] = index else { return error(&format!("`{what}` is unknown")) };
        let f = format(e, s)?;
        let w = f.width();
        let minus = Bv::min_signed(w);
        let v = match what {
            "+oo" => exact::infinity(f, false),
            "-oo" => exact::infinity(f, true),
            "+zero" => Bv::zero(w),
            "-zero" => minus,
            "NaN" => exact::quiet(f, &Bv::zero(w)),
            _ => return error(&format!("`{what}` is unknown")),
        };
        Ok(Typed { term: self.pool.constant(v), sort: Sort::Float(f) })
    }

    pub(super) fn float_apply(&mut self, name: &str, index: &[Expr], args: &[Expr]) -> Result<Typed, Error> {
        let wrong = || error(&format!("`{name}` on operands of these sorts or of this number is not supported"));
        // A number written out is no term.
        if let ("to_fp", [e, s], [mode, number]) = (name, index, args)
            && let Some((n, d)) = rational(number)
        {
            let mode = self.term(mode)?;
            let Some(m) = self.pool.as_const(mode.term).and_then(|v| v.to_u64()) else { return wrong() };
            let f = format(e, s)?;
            let (sign, n) = n.into_parts();
            let v = exact::ratio(f, Rounding::of(m), sign == Sign::Negative, n, d);
            return Ok(Typed { term: self.pool.constant(v), sort: Sort::Float(f) });
        }
        let values = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
        let t: Vec<Term> = values.iter().map(|v| v.term).collect();
        let sorts: Vec<&Sort> = values.iter().map(|v| &v.sort).collect();
        match (name, index, sorts.as_slice(), t.as_slice()) {
            ("fp", [], &[Sort::Bv(1), Sort::Bv(e), Sort::Bv(s)], &[a, b, c]) => {
                let f = Format { exponent: *e, significand: s + 1 };
                let high = self.pool.concat(a, b);
                let all = self.pool.concat(high, c);
                let sort = Sort::Float(f);
                Ok(Typed { term: self.canonical(&sort, all), sort })
            }
            ("to_fp" | "to_fp_unsigned", [e, s], _, _) => {
                let f = format(e, s)?;
                self.conversion(name, f, &sorts, &t)
            }
            ("fp.to_ubv" | "fp.to_sbv", [w], &[Sort::Mode, Sort::Float(f)], &[mode, x]) => {
                let w = w.number()?.max(1);
                let op = if name == "fp.to_sbv" { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
                let other = self.open(name, *f, &[mode, x], w);
                let term = self.pool.float(op, *f, &[mode, x, other], w);
                Ok(Typed { term, sort: Sort::Bv(w) })
            }
            (_, [], &[Sort::Mode, Sort::Float(f), ..], &[mode, ref n @ ..])
                if sorts[1..].iter().all(|s| *s == sorts[1]) =>
            {
                let f = *f;
                let (op, n) = match (name, n) {
                    ("fp.add", &[_, _]) => (FloatOp::Add, n.to_vec()),
                    ("fp.sub", &[a, b]) => (FloatOp::Add, vec![a, classify::negate(&mut self.pool, f, b)]),
                    ("fp.mul", &[_, _]) => (FloatOp::Mul, n.to_vec()),
                    ("fp.div", &[_, _]) => (FloatOp::Div, n.to_vec()),
                    ("fp.fma", &[_, _, _]) => (FloatOp::Fma, n.to_vec()),
                    ("fp.sqrt", &[_]) => (FloatOp::Sqrt, n.to_vec()),
                    ("fp.roundToIntegral", &[_]) => (FloatOp::Integral, n.to_vec()),
                    _ => return wrong(),
                };
                let nan = self.pool.constant(Bv::zero(f.width()));
                let all: Vec<Term> = std::iter::once(mode).chain(n).chain([nan]).collect();
                let term = self.pool.float(op, f, &all, 0);
                Ok(Typed { term, sort: Sort::Float(f) })
            }
            (_, [], [Sort::Float(f), ..], _) if sorts.iter().all(|s| *s == sorts[0]) => {
                let f = *f;
                match self.plain(name, f, &t) {
                    Some(r) => Ok(r),
                    None => wrong(),
                }
            }
            _ => wrong(),
        }
    }

    fn conversion(&mut self, name: &str, f: Format, sorts: &[&Sort], t: &[Term]) -> Result<Typed, Error> {
        let nan = self.pool.constant(Bv::zero(f.width()));
        let sort = Sort::Float(f);
        let term = match (name, sorts, t) {
            ("to_fp", [Sort::Bv(w)], &[x]) if *w == f.width() => self.canonical(&sort, x),
            ("to_fp", [Sort::Mode, Sort::Float(from)], &[m, x]) => {
                self.pool.float(FloatOp::Convert { from: *from }, f, &[m, x, nan], 0)
            }
            ("to_fp", [Sort::Mode, Sort::Bv(_)], &[m, x]) => self.pool.float(FloatOp::FromSigned, f, &[m, x], 0),
            ("to_fp_unsigned", [Sort::Mode, Sort::Bv(_)], &[m, x]) => {
                self.pool.float(FloatOp::FromUnsigned, f, &[m, x], 0)
            }
            _ => return error(&format!("`{name}` on operands of these sorts is not supported")),
        };
        Ok(Typed { term, sort })
    }

    /// Operators without a rounding mode.
    fn plain(&mut self, name: &str, f: Format, t: &[Term]) -> Option<Typed> {
        let number = |term| Typed { term, sort: Sort::Float(f) };
        if let ("fp.leq" | "fp.lt" | "fp.geq" | "fp.gt" | "fp.eq", true) = (name, t.len() >= 2) {
            let mut all = self.pool.tt();
            for w in t.windows(2) {
                let p = &mut self.pool;
                let o = classify::order(p, f, w[0], w[1]);
                let holds = match name {
                    "fp.leq" => p.or(o.less, o.equal),
                    "fp.lt" => o.less,
                    "fp.geq" => p.or(o.greater, o.equal),
                    "fp.gt" => o.greater,
                    _ => o.equal,
                };
                all = p.and(all, holds);
            }
            return Some(Typed::bool(all));
        }
        let p = &mut self.pool;
        Some(match (name, t) {
            ("fp.abs", &[a]) => {
                let t = classify::absolute(p, f, a);
                number(self.canonical(&Sort::Float(f), t))
            }
            ("fp.neg", &[a]) => {
                let t = classify::negate(p, f, a);
                number(self.canonical(&Sort::Float(f), t))
            }
            ("fp.isNaN", &[a]) => Typed::bool(classify::is_nan(p, f, a)),
            ("fp.isInfinite", &[a]) => Typed::bool(classify::is_infinite(p, f, a)),
            ("fp.isZero", &[a]) => Typed::bool(classify::is_zero(p, f, a)),
            ("fp.isNormal", &[a]) => Typed::bool(classify::is_normal(p, f, a)),
            ("fp.isSubnormal", &[a]) => Typed::bool(classify::is_subnormal(p, f, a)),
            ("fp.isNegative" | "fp.isPositive", &[a]) => {
                let (nan, sign) = (classify::is_nan(p, f, a), classify::sign(p, f, a));
                let sign = if name == "fp.isNegative" { sign } else { p.not(sign) };
                let some = p.not(nan);
                Typed::bool(p.and(some, sign))
            }
            ("fp.rem", &[a, b]) => {
                let nan = p.constant(Bv::zero(f.width()));
                number(p.float(FloatOp::Remainder, f, &[a, b, nan], 0))
            }
            ("fp.min" | "fp.max", &[a, b]) => {
                let o = classify::order(p, f, a, b);
                let first = if name == "fp.min" { o.less } else { o.greater };
                let chosen = p.ite(first, a, b);
                // Of two zeros either one.
                let (za, zb) = (classify::is_zero(p, f, a), classify::is_zero(p, f, b));
                let zeros = p.and(za, zb);
                let (na, nb) = (classify::is_nan(p, f, a), classify::is_nan(p, f, b));
                let either = self.open(name, f, &[a, b], 1);
                let p = &mut self.pool;
                let zero = p.ite(either, a, b);
                let chosen = p.ite(zeros, zero, chosen);
                let chosen = p.ite(nb, a, chosen);
                number(p.ite(na, b, chosen))
            }
            _ => return None,
        })
    }
}
