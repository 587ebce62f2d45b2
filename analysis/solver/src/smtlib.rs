//! Queries as SMT-LIB 2 text (QF_ABV, QF_ABVFP with floating point, ALL with constant arrays), for a second solver and
//! for bug reports. Shared terms become `define-fun`s in index order, so the text is as large as the term graph, not as
//! its unfolding.

use crate::float::{FloatOp, Format, Rounding};
use crate::term::{Node, Op, Pool, Sort, Term};
use dashu::integer::UBig;
use std::fmt::Write;

fn sort_text(s: Sort) -> String {
    match s {
        Sort::Bv(w) => format!("(_ BitVec {w})"),
        Sort::Array { index, elem } => format!("(Array (_ BitVec {index}) (_ BitVec {elem}))"),
    }
}

fn op_text(pool: &Pool, op: Op, t: Term, args: &[Term]) -> String {
    let bool_to_bv = |s: String| format!("(ite {s} #b1 #b0)");
    let a: Vec<String> = args.iter().map(|x| format!("t{}", x.0)).collect();
    let plain = |name: &str| format!("({name} {})", a.join(" "));
    let extend = |name: &str| format!("((_ {name} {}) {})", pool.width(t) - pool.width(args[0]), a[0]);
    match op {
        Op::Not => plain("bvnot"),
        Op::And => plain("bvand"),
        Op::Or => plain("bvor"),
        Op::Xor => plain("bvxor"),
        Op::Neg => plain("bvneg"),
        Op::Add => plain("bvadd"),
        Op::Mul => plain("bvmul"),
        Op::UDiv => plain("bvudiv"),
        Op::URem => plain("bvurem"),
        Op::SDiv => plain("bvsdiv"),
        Op::SRem => plain("bvsrem"),
        Op::Shl => plain("bvshl"),
        Op::LShr => plain("bvlshr"),
        Op::AShr => plain("bvashr"),
        Op::Concat => plain("concat"),
        Op::Extract { hi, lo } => format!("((_ extract {hi} {lo}) {})", a[0]),
        Op::ZExt => extend("zero_extend"),
        Op::SExt => extend("sign_extend"),
        Op::Eq => bool_to_bv(plain("=")),
        Op::Ult => bool_to_bv(plain("bvult")),
        Op::Slt => bool_to_bv(plain("bvslt")),
        Op::Ite => format!("(ite (= {} #b1) {} {})", a[0], a[1], a[2]),
        Op::Select => plain("select"),
        Op::Store => plain("store"),
        Op::Float(op, f) => float_text(pool, op, f, t, args),
        Op::ConstArray => format!("((as const {}) {})", sort_text(pool.sort(t)), a[0]),
    }
}

fn sort_of(f: Format) -> String {
    format!("(_ to_fp {} {})", f.exponent, f.significand)
}

/// The text for the rounding mode that a term is; case by case, of any sort, when it is no constant.
fn by_mode(pool: &Pool, op: FloatOp, args: &[Term], text: impl Fn(&str) -> String) -> String {
    if !op.rounds() {
        return text("");
    }
    let name = |n: u64| ["RNE", "RNA", "RTP", "RTN", "RTZ"][Rounding::of(n) as usize];
    match pool.as_const(args[0]).and_then(|v| v.to_u64()) {
        Some(n) => text(name(n)),
        None => {
            (0..4).fold(text("RTZ"), |rest, n| format!("(ite (= t{} #b{n:03b}) {} {rest})", args[0].0, text(name(n))))
        }
    }
}

/// That the number `r` is the result of an application that makes one. NaNs are alike, zeros are told apart.
fn float_relation(pool: &Pool, op: FloatOp, f: Format, args: &[Term], r: &str) -> String {
    let fp = |f: Format, t: Term| format!("({} t{})", sort_of(f), t.0);
    let n = if op.rounds() { &args[1..] } else { args };
    let same = |number: String| {
        format!(
            "(let ((y {number})) (or (and (fp.isNaN {r}) (fp.isNaN y)) \
             (and (fp.eq {r} y) (= (fp.isNegative {r}) (fp.isNegative y)))))"
        )
    };
    if matches!(op, FloatOp::Rem | FloatOp::Remainder) {
        let (x, y) = (fp(f, n[0]), fp(f, n[1]));
        // Of exact remainders the magnitude is compared; the sign of a zero is that of the dividend.
        let zero = format!("(=> (fp.isZero {r}) (= (fp.isNegative {r}) (fp.isNegative {x})))");
        if op == FloatOp::Remainder {
            return format!(
                "(let ((y (fp.rem {x} {y}))) (and {zero} (or (and (fp.isNaN {r}) (fp.isNaN y)) (fp.eq {r} y))))"
            );
        }
        // What division rounded to nearest has taken too much is given back, exactly.
        let size = format!("(fp.abs {r})");
        return format!(
            "(let ((y (fp.rem (fp.abs {x}) (fp.abs {y})))) (ite (fp.isNaN y) (fp.isNaN {r}) \
             (and (= (fp.isNegative {r}) (fp.isNegative {x})) \
             (ite (and (fp.isNegative y) (not (fp.isZero y))) (fp.eq {size} (fp.add RNE y (fp.abs {y}))) (fp.eq {size} y)))))"
        );
    }
    by_mode(pool, op, args, |mode| {
        let plain = |name: &str, count: usize| {
            let numbers: Vec<String> = n[..count].iter().map(|t| fp(f, *t)).collect();
            format!("({name} {mode} {})", numbers.join(" "))
        };
        same(match op {
            FloatOp::Add => plain("fp.add", 2),
            FloatOp::Mul => plain("fp.mul", 2),
            FloatOp::Div => plain("fp.div", 2),
            FloatOp::Fma => plain("fp.fma", 3),
            FloatOp::Sqrt => plain("fp.sqrt", 1),
            FloatOp::Integral => plain("fp.roundToIntegral", 1),
            FloatOp::Convert { from } => format!("({} {mode} {})", sort_of(f), fp(from, n[0])),
            FloatOp::FromUnsigned => {
                format!("((_ to_fp_unsigned {} {}) {mode} t{})", f.exponent, f.significand, n[0].0)
            }
            _ => format!("({} {mode} t{})", sort_of(f), n[0].0),
        })
    })
}

/// An application; of those that make numbers the pattern `fN` has been declared.
fn float_text(pool: &Pool, op: FloatOp, f: Format, t: Term, args: &[Term]) -> String {
    match op {
        FloatOp::FromSigned | FloatOp::FromUnsigned => format!("f{}", t.0),
        FloatOp::ToSigned | FloatOp::ToUnsigned => {
            by_mode(pool, op, args, |mode| integer_text(f, op == FloatOp::ToSigned, pool.width(t), mode, args))
        }
        _ => {
            let nan = args[args.len() - 1].0;
            let (ones, zeros) = ("1".repeat(f.exponent as usize + 1), "0".repeat(f.significand as usize - 2));
            format!("(ite (fp.isNaN ({} f{})) (bvor t{nan} #b0{ones}{zeros}) f{})", sort_of(f), t.0, t.0)
        }
    }
}

fn integer_text(f: Format, signed: bool, w: u32, mode: &str, args: &[Term]) -> String {
    let sort = sort_of(f);
    let x = format!("({sort} t{})", args[1].0);
    let limit = (UBig::ONE << (w - u32::from(signed)) as usize).to_string();
    // Beyond the format's range the limits are infinite, which numbers are not.
    let high = format!("({sort} RTP {limit}.0)");
    let low = if signed { format!("({sort} RTN (- {limit}.0))") } else { format!("({sort} RTN 0.0)") };
    let i = format!("(fp.roundToIntegral {mode} {x})");
    let name = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    let bad = format!("(or (fp.isNaN {x}) (fp.isInfinite {x}) (fp.lt {i} {low}) (fp.geq {i} {high}))");
    format!("(ite {bad} t{} ((_ {name} {w}) {mode} {x}))", args[2].0)
}

/// The query "are all of these truth values together satisfiable?", ending with `(check-sat)`.
pub fn query(pool: &Pool, truths: &[Term]) -> String {
    let cone = pool.cone(truths);
    let floats = cone.iter().any(|t| matches!(pool.node(*t), Node::App(Op::Float(..), _)));
    let arrays = cone.iter().any(|t| matches!(pool.sort(*t), Sort::Array { .. }));
    let constants = cone.iter().any(|t| matches!(pool.node(*t), Node::App(Op::ConstArray, _)));
    let logic = match (constants, arrays, floats) {
        // No logic of the standard with arrays has arrays of one value everywhere.
        (true, ..) => "ALL",
        (false, _, false) => "QF_ABV",
        (false, false, true) => "QF_BVFP",
        (false, true, true) => "QF_ABVFP",
    };
    let mut out = format!("(set-logic {logic})\n");
    for t in cone {
        let sort = sort_text(pool.sort(t));
        if let Node::App(Op::Float(op, f), args) = pool.node(t)
            && op.makes_float()
        {
            // A pattern of the number: all of them but NaNs have one only.
            let is = float_relation(pool, *op, *f, args, "x");
            let _ = writeln!(out, "(declare-fun f{} () {sort})", t.0);
            let _ = writeln!(out, "(assert (let ((x ({} f{}))) {is}))", sort_of(*f), t.0);
        }
        // Writing to a string cannot fail.
        let _ = match pool.node(t) {
            Node::Const(v) => {
                let bits: String = (0..v.width()).rev().map(|i| if v.bit(i) { '1' } else { '0' }).collect();
                writeln!(out, "(define-fun t{} () {sort} #b{bits})", t.0)
            }
            Node::Var(_) => writeln!(out, "(declare-fun t{} () {sort})", t.0),
            Node::App(op, args) => writeln!(out, "(define-fun t{} () {sort} {})", t.0, op_text(pool, *op, t, args)),
        };
    }
    for t in truths {
        let _ = writeln!(out, "(assert (= t{} #b1))", t.0);
    }
    out.push_str("(check-sat)\n");
    out
}
