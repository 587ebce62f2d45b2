//! SMT-LIB scripts: what they answer, and what is wrong with bad ones.

use verify_solver::script::run;

fn check(text: &str, expect: &[&str]) {
    let mut said = Vec::new();
    let end = run(text, None, |l| said.push(l.to_string()));
    if let Err(e) = end {
        said.push(e.to_string());
    }
    assert_eq!(said, expect, "{text}");
}

#[test]
fn commands() {
    check(
        "(set-logic QF_ABV) (declare-fun x () (_ BitVec 8)) (declare-const b Bool)\n\
         (define-fun twice ((v (_ BitVec 8))) (_ BitVec 8) (bvadd v v))\n\
         (assert (= (twice x) #x10)) (push 1) (assert (bvult x (_ bv8 8))) (check-sat) (pop 1)\n\
         (assert (! (bvugt x #x08) :named a)) (check-sat) (get-value (x (twice x)))\n\
         (check-sat-assuming ((= x #x88) b)) (echo \"done\") (exit) (check-sat)",
        &["unsat", "sat", "((x #b10001000) ((twice x) #b00010000))", "sat", "done"],
    );
    check(
        "(declare-fun a () (Array (_ BitVec 4) (_ BitVec 8))) (declare-fun i () (_ BitVec 4))\n\
         (assert (let ((a (store a i #x01)) (j (bvnot i))) (and (= (select a i) #x02) (distinct i j)))) (check-sat)",
        &["unsat"],
    );
}

#[test]
fn numbers() {
    check(
        "(declare-fun x () Float32) (declare-fun r () RoundingMode)\n\
         (assert (fp.eq (fp.add r x ((_ to_fp 8 24) RNE 0.5)) ((_ to_fp 8 24) RNE (/ 3 2)))) (check-sat)\n\
         (assert (not (fp.eq x (fp #b0 #x7f #b00000000000000000000000)))) (check-sat)\n\
         (assert (= r RNE)) (check-sat) (get-value (r (fp.isNaN x)))",
        &["sat", "sat", "sat", "((r RNE) ((fp.isNaN x) false))"],
    );
    // One NaN; zeros are equal numbers but not equal.
    check(
        "(declare-fun a () (_ BitVec 16)) (declare-fun b () (_ BitVec 16))\n\
         (assert (and (fp.isNaN ((_ to_fp 5 11) a)) (fp.isNaN ((_ to_fp 5 11) b))))\n\
         (push) (assert (distinct ((_ to_fp 5 11) a) ((_ to_fp 5 11) b))) (check-sat) (pop)\n\
         (assert (not (fp.eq (_ +zero 5 11) (_ -zero 5 11)))) (check-sat)",
        &["unsat", "unsat"],
    );
    // Numbers that do not fit are the same wherever the number is.
    check(
        "(declare-fun x () Float16) (declare-fun y () Float16) (define-fun i ((v Float16)) (_ BitVec 4) ((_ fp.to_sbv 4) RTZ v))\n\
         (assert (= x y)) (assert (distinct (i x) (i y))) (check-sat)",
        &["unsat"],
    );
    check(
        "(declare-fun x () Float64) (declare-fun y () Float64) (assert (fp.lt x y))\n\
         (assert (fp.leq (fp.sub RNE y x) (_ +zero 11 53))) (check-sat)",
        &["unsat"],
    );
}

#[test]
fn bad_scripts() {
    check("(assert", &["line 1: a list without end"]);
    check("\n)", &["line 2: `)` without `(`"]);
    check("(assert true)\n(assert (bvadd x x))", &["line 2: `x` is unknown"]);
    check("(declare-fun f (Bool) Bool)", &["line 1: functions with arguments are not supported"]);
    check("(pop 1)", &["line 1: pop without push"]);
    check("(declare-fun x () (_ BitVec 0))", &["line 1: a bit-vector has at least one bit"]);
    check(
        "(declare-fun x () (_ BitVec 4)) (assert (bvult x #b1))",
        &["line 1: `bvult` on operands of these sorts or of this number is not supported"],
    );
    check("(assert |x)", &["line 1: a quoted symbol without end"]);
    check("(check-sat true)", &["line 1: the command `check-sat` is not supported in this form"]);
}
