//! Building applications of the operators: constants are folded through [`super::exact`], operands of commutative
//! operators are ordered, and the few identities are used that floating point has.

use super::{FloatOp, Format, Rounding, classify, exact};
use crate::term::{Op, Pool, Sort, Term};
use crate::value::Bv;

/// The number 1.
pub fn one(f: Format) -> Bv {
    exact::encode(f, Rounding::Zero, false, &dashu::integer::UBig::ONE, 0)
}

impl Pool {
    /// An operator on floating-point numbers, with operands as [`FloatOp`] says; `width` is that of an integer result.
    pub fn float(&mut self, op: FloatOp, f: Format, args: &[Term], width: u32) -> Term {
        let width = if op.makes_float() { f.width() } else { width };
        if let Some(t) = self.fold_float(op, f, args, width) {
            return t;
        }
        let mut args = args.to_vec();
        if matches!(op, FloatOp::Add | FloatOp::Mul | FloatOp::Fma) && args[2] < args[1] {
            args.swap(1, 2);
        }
        if let Some(t) = self.float_identity(op, f, &args) {
            return t;
        }
        self.app_raw(Op::Float(op, f), &args, Sort::Bv(width))
    }

    /// All operands that count are constants.
    fn fold_float(&mut self, op: FloatOp, f: Format, args: &[Term], width: u32) -> Option<Term> {
        let open = usize::from(!matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned));
        let (known, other) = args.split_at(args.len() - open);
        let mut values: Vec<&Bv> = known.iter().map(|a| self.as_const(*a)).collect::<Option<_>>()?;
        if !op.makes_float() {
            let mode = Rounding::of(values[0].to_u64()?);
            let v = exact::to_int(f, mode, values[1], width, op == FloatOp::ToSigned);
            return Some(v.map_or(other[0], |v| self.constant(v)));
        }
        let nothing = Bv::zero(width);
        if open == 1 {
            values.push(&nothing);
        }
        let v = exact::apply(op, f, &values, width)?;
        if exact::decode(f, &v) == exact::Number::Nan {
            return Some(classify::quiet(self, f, other[0]));
        }
        Some(self.constant(v))
    }

    /// `x * 1`, `x / 1`, `x * -1`, `x + 0`: the number itself or its negation, unless it is a NaN.
    fn float_identity(&mut self, op: FloatOp, f: Format, args: &[Term]) -> Option<Term> {
        let (unit, zero) = (one(f), Bv::zero(f.width()));
        let flip = |v: &Bv| v.xor(&Bv::min_signed(f.width()));
        let (minus_unit, minus_zero) = (flip(&unit), flip(&zero));
        let pairs: &[(usize, usize)] = match op {
            FloatOp::Mul | FloatOp::Add => &[(1, 2), (2, 1)],
            FloatOp::Div => &[(1, 2)],
            _ => return None,
        };
        for &(x, c) in pairs {
            let Some(v) = self.as_const(args[c]).cloned() else { continue };
            let x = args[x];
            let number = if op == FloatOp::Add {
                let down = Rounding::of(self.as_const(args[0])?.to_u64()?) == Rounding::Down;
                let neutral = if down { &zero } else { &minus_zero };
                let other = if down { &minus_zero } else { &zero };
                if v == *neutral {
                    x
                } else if v == *other {
                    // The one zero becomes the other.
                    let z = self.constant(v);
                    let is = classify::is_zero(self, f, x);
                    self.ite(is, z, x)
                } else {
                    continue;
                }
            } else if v == unit {
                x
            } else if v == minus_unit {
                classify::negate(self, f, x)
            } else {
                continue;
            };
            let nan = classify::is_nan(self, f, x);
            let quiet = classify::quiet(self, f, *args.last()?);
            return Some(self.ite(nan, quiet, number));
        }
        None
    }
}
