//! Floating point, by the solver's operators on bit patterns. Written from the semantics of the instructions; what a
//! processor chooses is a free function of the operands, and that it was chosen is recorded: a model that turns on it
//! shows no failure.

use crate::exec::Exec;
use crate::state::State;
use verify_ir::inst::{CastOp, FBinOp, FUnOp, FloatPred};
use verify_ir::{FloatKind, Ty};
use verify_solver::float::{FloatOp, Format, Rounding, x87};
use verify_solver::{Bv, Pool, Term};

const ARITHMETIC: &str = "floating-point arithmetic";
const CONVERSION: &str = "a floating-point conversion";

fn format(k: FloatKind) -> Format {
    let (exponent, significand) = match k {
        FloatKind::Half => (5, 11),
        FloatKind::BFloat => (8, 8),
        FloatKind::Single => (8, 24),
        FloatKind::Double => (11, 53),
        FloatKind::X87 => (15, 64),
        FloatKind::Quad => (15, 113),
    };
    Format { exponent, significand }
}

/// Exponent all ones, fraction not zero.
fn nan(p: &mut Pool, f: Format, a: Term) -> Term {
    let field = p.extract(a, f.width() - 2, f.significand - 1);
    let fraction = p.extract(a, f.significand - 2, 0);
    let ones = p.constant(Bv::ones(f.exponent));
    let none = p.constant(Bv::zero(f.significand - 1));
    let (special, some) = (p.eq(field, ones), p.ne(fraction, none));
    p.and(special, some)
}

impl Exec<'_> {
    fn pattern(&mut self, k: FloatKind, a: Term) -> Term {
        if k == FloatKind::X87 { x87::from_bits(&mut self.pool, a) } else { a }
    }

    /// An operator with numbers for operands, on patterns of the formats that it wants.
    fn float_op(&mut self, s: &State, name: &str, op: FloatOp, k: FloatKind, mode: Rounding, args: Vec<Term>) -> Term {
        let f = format(k);
        let free = self.open_function(format!("a NaN of {name} {op:?} {f:?}"), args.clone(), f.width());
        let mut all = args;
        if op.rounds() {
            all.insert(0, mode.term(&mut self.pool));
        }
        all.push(free);
        let r = self.pool.float(op, f, &all, f.width());
        let open = nan(&mut self.pool, f, r);
        let open = self.pool.and(s.guard, open);
        self.approximated(open, "an operation that makes a NaN");
        if k == FloatKind::X87 { x87::to_bits(&mut self.pool, r) } else { r }
    }

    fn open_float(&mut self, s: &State, name: String, args: Vec<Term>, w: u32) -> Term {
        self.approximated(s.guard, ARITHMETIC);
        self.open_function(name, args, w)
    }

    pub(crate) fn float_binary(&mut self, s: &State, op: FBinOp, ty: Ty, a: Term, b: Term, w: u32) -> Term {
        let Ty::Float(k) = ty else { return self.open_float(s, format!("{op}{w}"), vec![a, b], w) };
        let what = match op {
            FBinOp::Add | FBinOp::Sub => FloatOp::Add,
            FBinOp::Mul => FloatOp::Mul,
            FBinOp::Div => FloatOp::Div,
            FBinOp::Rem => FloatOp::Rem,
            _ => return self.open_float(s, format!("{op}{w}"), vec![a, b], w),
        };
        let (x, mut y) = (self.pattern(k, a), self.pattern(k, b));
        if op == FBinOp::Sub {
            let sign = self.pool.constant(Bv::min_signed(format(k).width()));
            y = self.pool.xor(y, sign);
        }
        self.float_op(s, op.name(), what, k, Rounding::NearestEven, vec![x, y])
    }

    pub(crate) fn float_fused(&mut self, s: &State, ty: Ty, args: [Term; 3], w: u32) -> Term {
        let Ty::Float(k) = ty else { return self.open_float(s, format!("fma{w}"), args.to_vec(), w) };
        let args = args.map(|a| self.pattern(k, a));
        self.float_op(s, "fma", FloatOp::Fma, k, Rounding::NearestEven, args.to_vec())
    }

    pub(crate) fn float_unary(&mut self, s: &State, op: FUnOp, ty: Ty, a: Term, w: u32) -> Term {
        let Ty::Float(k) = ty else { return self.open_float(s, format!("{op}{w}"), vec![a], w) };
        let sign = self.pool.constant(Bv::min_signed(w));
        let (what, mode) = match op {
            FUnOp::Neg => return self.pool.xor(a, sign),
            FUnOp::Abs => {
                let n = self.pool.not(sign);
                return self.pool.and(a, n);
            }
            FUnOp::Sqrt => (FloatOp::Sqrt, Rounding::NearestEven),
            FUnOp::Floor => (FloatOp::Integral, Rounding::Down),
            FUnOp::Ceil => (FloatOp::Integral, Rounding::Up),
            FUnOp::Trunc => (FloatOp::Integral, Rounding::Zero),
            FUnOp::Round => (FloatOp::Integral, Rounding::NearestAway),
            FUnOp::Rint | FUnOp::NearbyInt | FUnOp::RoundEven => (FloatOp::Integral, Rounding::NearestEven),
            _ => return self.open_float(s, format!("{op}{w}"), vec![a], w),
        };
        let x = self.pattern(k, a);
        self.float_op(s, op.name(), what, k, mode, vec![x])
    }

    /// The integer, and that it cannot hold the number.
    pub(crate) fn float_to_int(&mut self, s: &State, op: CastOp, from: Ty, a: Term, w: u32) -> (Term, Term) {
        let free = self.open_function(format!("{op}{from:?} {w}"), vec![a], w);
        let Ty::Float(k) = from else {
            self.approximated(s.guard, CONVERSION);
            return (free, self.pool.tt());
        };
        let x = self.pattern(k, a);
        let what = if op == CastOp::FpToSi { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
        let mode = Rounding::Zero.term(&mut self.pool);
        let to = |e: &mut Self, other: Term| e.pool.float(what, format(k), &[mode, x, other], w);
        // What depends on the stand-in is what does not fit.
        let (zero, ones) = (self.pool.constant(Bv::zero(w)), self.pool.constant(Bv::ones(w)));
        let (low, high) = (to(self, zero), to(self, ones));
        let bad = self.pool.ne(low, high);
        (to(self, free), bad)
    }

    pub(crate) fn float_cast(&mut self, s: &State, op: CastOp, (from, to): (Ty, Ty), a: Term, w: u32) -> Term {
        match (op, from, to) {
            (CastOp::FpExt | CastOp::FpTrunc, Ty::Float(j), Ty::Float(k)) => {
                let x = self.pattern(j, a);
                self.float_op(s, op.name(), FloatOp::Convert { from: format(j) }, k, Rounding::NearestEven, vec![x])
            }
            (CastOp::SiToFp | CastOp::UiToFp, _, Ty::Float(k)) => {
                let what = if op == CastOp::SiToFp { FloatOp::FromSigned } else { FloatOp::FromUnsigned };
                let f = format(k);
                let mode = Rounding::NearestEven.term(&mut self.pool);
                let r = self.pool.float(what, f, &[mode, a], f.width());
                if k == FloatKind::X87 { x87::to_bits(&mut self.pool, r) } else { r }
            }
            _ => {
                self.approximated(s.guard, CONVERSION);
                self.open_function(format!("{op}{from:?}{to:?}"), vec![a], w)
            }
        }
    }

    /// A comparison: by the order of signed magnitudes.
    pub(crate) fn float_predicate(&mut self, s: &State, pred: FloatPred, ty: Ty, a: Term, b: Term) -> Term {
        let Ty::Float(k) = ty else {
            self.approximated(s.guard, "floating-point comparison");
            return self.open_function(format!("{pred:?}"), vec![a, b], 1);
        };
        let f = format(k);
        let (a, b) = (self.pattern(k, a), self.pattern(k, b));
        let p = &mut self.pool;
        let (na, nb) = (nan(p, f, a), nan(p, f, b));
        let unordered = p.or(na, nb);
        let ordered = p.not(unordered);
        // A number's place among the integers: its magnitude, negated when the sign is set; zeros meet.
        let w = f.width() + 1;
        let place = |p: &mut Pool, x: Term| {
            let m = p.extract(x, f.width() - 2, 0);
            let m = p.zext(m, w);
            let n = p.neg(m);
            let sign = p.extract(x, f.width() - 1, f.width() - 1);
            p.ite(sign, n, m)
        };
        let (x, y) = (place(p, a), place(p, b));
        let r = match pred {
            FloatPred::False => p.ff(),
            FloatPred::True => p.tt(),
            FloatPred::Ord | FloatPred::Uno => p.tt(),
            FloatPred::Oeq | FloatPred::Ueq => p.eq(x, y),
            FloatPred::One | FloatPred::Une => p.ne(x, y),
            FloatPred::Olt | FloatPred::Ult => p.slt(x, y),
            FloatPred::Ogt | FloatPred::Ugt => p.slt(y, x),
            FloatPred::Ole | FloatPred::Ule => p.sle(x, y),
            FloatPred::Oge | FloatPred::Uge => p.sle(y, x),
        };
        match pred {
            FloatPred::False | FloatPred::True => r,
            FloatPred::Uno => unordered,
            FloatPred::Ord
            | FloatPred::Oeq
            | FloatPred::One
            | FloatPred::Olt
            | FloatPred::Ogt
            | FloatPred::Ole
            | FloatPred::Oge => p.and(r, ordered),
            _ => p.or(r, unordered),
        }
    }
}
