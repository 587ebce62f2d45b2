//! A satisfiability solver for fixed-width bit-vectors, arrays of them and IEEE 754 numbers as bit patterns: hash-consed
//! terms ([`term`]), word-level rewriting at construction ([`rewrite`]), bit-blasting through an and-inverter graph
//! ([`bitblast`], [`aig`]), incremental SAT with assumptions and cores ([`sat`]), arrays by axioms instantiated when a
//! model violates them ([`arrays`]), products and floating point by circuits built when a model leans on them
//! ([`product`], [`float`], [`refine`]), models as values of terms ([`solver`]), and queries as SMT-LIB 2 text, out
//! ([`smtlib`], [`log`]) and in ([`script`]).
//!
//! Invariants of this crate:
//! - It knows nothing of programs; it does no I/O; its results depend on its inputs only. Budgets are conflicts.
//! - It is the only crate that links a SAT solver.
//! - [`eval`] gives the meaning of every term; rewriting and bit-blasting are tested against it, and it against z3.
//! - Truth values are bit-vectors of width 1.
#![forbid(unsafe_code)]

pub mod aig;
pub mod arrays;
pub mod bitblast;
pub mod eval;
pub mod float;
mod linear;
pub mod log;
pub mod product;
pub mod refine;
mod remainder;
pub mod rewrite;
pub mod sat;
pub mod script;
pub mod smtlib;
pub mod solver;
mod substitute;
pub mod term;
pub mod value;

pub use solver::{Outcome, Solver};
pub use term::{Op, Pool, Sort, Term};
pub use value::Bv;
