//! Queries as SMT-LIB 2 text (QF_ABV), for a second solver and for bug reports. Shared terms become `define-fun`s in
//! index order, so the text is as large as the term graph, not as its unfolding.

use crate::term::{Node, Op, Pool, Sort, Term};
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
        Op::ConstArray => format!("((as const {}) {})", sort_text(pool.sort(t)), a[0]),
    }
}

/// The query "are all of these truth values together satisfiable?", ending with `(check-sat)`.
pub fn query(pool: &Pool, truths: &[Term]) -> String {
    let mut out = String::from("(set-logic QF_ABV)\n");
    for t in pool.cone(truths) {
        let sort = sort_text(pool.sort(t));
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
