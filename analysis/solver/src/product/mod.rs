//! Products of two unknown numbers by refinement: such a product is a vector of free bits until a model leans on a value
//! that it cannot have. Then what follows from its meaning at little cost is asserted: what rings say of equations
//! ([`ring`]), small facts about bits and magnitudes ([`facts`]), single values, and at last the circuit. So a product that
//! a query does not depend on costs nothing, and an equation of polynomials no search (Niemetz, Preiner and Zohar,
//! "Scalable Bit-Blasting with Abstractions", CAV 2024; their lemmas 1 to 3 and the ranges are the facts here, equations
//! are ours).
//!
//! What this is not: a procedure for inequalities between polynomials; those are left to the circuits.

pub mod facts;
pub mod polynomial;
pub mod ring;

use crate::term::{Node, Op, Pool, Term};

/// Products are free bits first if both factors have at least so many bits that are not known.
const LEAST: u32 = 12;

/// The term is a product that starts as free bits.
pub fn is_abstract(pool: &Pool, t: Term) -> bool {
    match pool.node(t) {
        Node::App(Op::Mul, args) => args.iter().all(|a| unknown_bits(pool, *a) >= LEAST),
        _ => false,
    }
}

/// An upper bound of the bits that are no constants and no copies of others.
fn unknown_bits(pool: &Pool, t: Term) -> u32 {
    match pool.node(t) {
        Node::Const(_) => 0,
        Node::App(Op::ZExt | Op::SExt, args) => unknown_bits(pool, args[0]),
        Node::App(Op::Concat, args) => unknown_bits(pool, args[0]) + unknown_bits(pool, args[1]),
        _ => pool.width(t),
    }
}

/// The product `t` equals a sum of shifted rows.
pub fn is_its_circuit(pool: &mut Pool, t: Term) -> Term {
    let (mut a, mut b) = (pool.args(t)[0], pool.args(t)[1]);
    if unknown_bits(pool, a) < unknown_bits(pool, b) {
        std::mem::swap(&mut a, &mut b);
    }
    let w = pool.width(t);
    let zero = pool.num(w, 0);
    let mut sum = zero;
    for i in 0..w {
        let bit = pool.extract(b, i, i);
        let by = pool.num(w, u128::from(i));
        let row = pool.shl(a, by);
        let row = pool.ite(bit, row, zero);
        sum = pool.add(sum, row);
    }
    pool.eq(t, sum)
}
