//! Circuits and bounds against the reference: all operands of small formats, random ones of the large. Circuits are
//! built of constants, so that they fold; what folding means is tested elsewhere against bits and z3.

use crate::{Rng, count};
use verify_solver::float::exact::{self, Number};
use verify_solver::float::{FloatOp, Format, Rounding, bounds, circuit};
use verify_solver::{Bv, Pool, Sort};

const SMALL: Format = Format { exponent: 3, significand: 4 };
const TINY: Format = Format { exponent: 2, significand: 3 };
/// More digits than exponents: quotients of subnormal numbers leave the range on both sides.
const ODD: Format = Format { exponent: 2, significand: 5 };

fn same(f: Option<Format>, x: &Bv, y: &Bv) -> bool {
    x == y || f.is_some_and(|f| exact::decode(f, x) == Number::Nan && exact::decode(f, y) == Number::Nan)
}

/// One operation: circuit and bounds.
fn one(p: &mut Pool, op: FloatOp, f: Format, args: &[Bv], width: u32) {
    let want = exact::apply(op, f, &args.iter().collect::<Vec<_>>(), width).unwrap();
    let terms: Vec<_> = args.iter().map(|a| p.constant(a.clone())).collect();
    if let Some(got) = circuit::build(p, op, f, &terms, width) {
        let got = p.as_const(got).expect("constants fold").clone();
        assert_eq!(got, want, "{op:?} {f:?} {args:?}: the circuit");
    }
    let r = p.constant(want);
    if let Some(b) = bounds::of(p, op, f, &terms, r) {
        assert!(p.as_const(b).expect("constants fold").is_one(), "{op:?} {f:?} {args:?}: the bounds of {r:?}");
    }
    let folded = p.float(op, f, &terms, width);
    let folded = p.as_const(folded).expect("constants fold").clone();
    assert!(same(op.makes_float().then_some(f), &folded, p.as_const(r).unwrap()), "{op:?} {f:?} {args:?}: folding");
}

fn every(f: Format) -> Vec<Bv> {
    (0..1u128 << f.width()).map(|v| Bv::new(f.width(), v)).collect()
}

const BINARY: [FloatOp; 5] = [FloatOp::Add, FloatOp::Mul, FloatOp::Div, FloatOp::Rem, FloatOp::Remainder];

fn exhaustive(f: Format, step: usize) {
    let mut p = Pool::new();
    let nan = Bv::new(f.width(), 5);
    let all = every(f);
    for m in Rounding::ALL {
        let mode = Bv::new(3, m as u128);
        for (i, a) in all.iter().enumerate() {
            for op in [FloatOp::Sqrt, FloatOp::Integral] {
                one(&mut p, op, f, &[mode.clone(), a.clone(), nan.clone()], f.width());
            }
            for w in [1, 3, 5, 9] {
                for op in [FloatOp::ToSigned, FloatOp::ToUnsigned] {
                    one(&mut p, op, f, &[mode.clone(), a.clone(), Bv::new(w, 1)], w);
                }
            }
            for to in [SMALL, TINY, ODD, Format { exponent: 4, significand: 7 }, Format { exponent: 5, significand: 2 }]
            {
                let nan = Bv::new(to.width(), 0);
                one(&mut p, FloatOp::Convert { from: f }, to, &[mode.clone(), a.clone(), nan], to.width());
            }
            for b in all.iter().skip((i + m as usize) % step).step_by(step) {
                for op in BINARY {
                    let mut args = vec![a.clone(), b.clone(), nan.clone()];
                    if op.rounds() {
                        args.insert(0, mode.clone());
                    } else if m != Rounding::Zero {
                        continue;
                    }
                    one(&mut p, op, f, &args, f.width());
                }
            }
        }
        for w in [1, 2, 4, 8] {
            for v in 0..1u128 << w {
                for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
                    one(&mut p, op, f, &[mode.clone(), Bv::new(w, v)], f.width());
                }
            }
        }
    }
}

#[test]
fn small_formats() {
    exhaustive(SMALL, if count(0) > 10_000 { 1 } else { 7 });
    exhaustive(TINY, 1);
    exhaustive(ODD, if count(0) > 10_000 { 1 } else { 7 });
}

#[test]
fn small_fused() {
    let mut p = Pool::new();
    let all = every(TINY);
    let step = if count(0) > 10_000 { 1 } else { 5 };
    let mut i = 0;
    for m in Rounding::ALL {
        for a in &all {
            for b in &all {
                i += 1;
                for c in all.iter().skip(i % step).step_by(step) {
                    let args = [Bv::new(3, m as u128), a.clone(), b.clone(), c.clone(), Bv::new(5, 0)];
                    one(&mut p, FloatOp::Fma, TINY, &args, 5);
                }
            }
        }
    }
}

/// Formats of C.
#[test]
fn large_formats() {
    let mut rng = Rng(7);
    let formats = [Format::HALF, Format::BFLOAT, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD];
    // Circuits of constants are slow to build.
    let n = (count(3000) / 100).clamp(20, 2000);
    for f in formats {
        for i in 0..n {
            let mut p = Pool::new();
            let mode = Bv::new(3, u128::from(rng.below(5)));
            let a = rng.number(f, None);
            let b = rng.number(f, Some(&a));
            let c = rng.number(f, Some(&b));
            let nan = Bv::zero(f.width());
            for op in BINARY {
                // Long divisions take a step for each exponent.
                if !op.rounds() && i % 10 > 0 {
                    continue;
                }
                let mut args = vec![a.clone(), b.clone(), nan.clone()];
                if op.rounds() {
                    args.insert(0, mode.clone());
                }
                one(&mut p, op, f, &args, f.width());
            }
            one(&mut p, FloatOp::Fma, f, &[mode.clone(), a.clone(), b.clone(), c, nan.clone()], f.width());
            one(&mut p, FloatOp::Sqrt, f, &[mode.clone(), a.clone(), nan.clone()], f.width());
            one(&mut p, FloatOp::Integral, f, &[mode.clone(), a.clone(), nan.clone()], f.width());
            for to in formats {
                let args = [mode.clone(), a.clone(), Bv::zero(to.width())];
                one(&mut p, FloatOp::Convert { from: f }, to, &args, to.width());
            }
            for w in [8, 32, 64, 128] {
                for op in [FloatOp::ToSigned, FloatOp::ToUnsigned] {
                    one(&mut p, op, f, &[mode.clone(), a.clone(), Bv::zero(w)], w);
                }
                let i = Bv::new(w, u128::from(rng.next()) << 64 >> rng.below(64) | u128::from(rng.next()));
                for op in [FloatOp::FromSigned, FloatOp::FromUnsigned] {
                    one(&mut p, op, f, &[mode.clone(), i.clone()], f.width());
                }
            }
        }
    }
}

/// Identities that building uses hold for every number.
#[test]
fn identities() {
    let f = SMALL;
    let w = f.width();
    for m in Rounding::ALL {
        for op in [FloatOp::Add, FloatOp::Mul, FloatOp::Div] {
            for c in every(f) {
                for left in [false, true] {
                    let mut p = Pool::new();
                    let x = p.fresh("x", Sort::Bv(w));
                    let (mode, k, nan) = (m.term(&mut p), p.constant(c.clone()), p.num(w, 0));
                    let args = if left { [mode, k, x, nan] } else { [mode, x, k, nan] };
                    let t = p.float(op, f, &args, w);
                    if matches!(p.node(t), verify_solver::term::Node::App(verify_solver::Op::Float(..), _)) {
                        continue;
                    }
                    for v in every(f) {
                        let got = verify_solver::eval::eval(&p, &[t], |_| verify_solver::eval::Value::Bv(v.clone()));
                        let (mode, nan) = (Bv::new(3, m as u128), Bv::zero(w));
                        let args = if left { [&mode, &c, &v, &nan] } else { [&mode, &v, &c, &nan] };
                        let want = exact::apply(op, f, &args, w).unwrap();
                        assert!(same(Some(f), got[0].bv(), &want), "{op:?} {m:?} {v:?} with {c:?}, left: {left}");
                    }
                }
            }
        }
    }
}
