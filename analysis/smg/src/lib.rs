//! Symbolic memory graphs: a program is walked from its entry, calls in place, with sets of states in which lists are
//! folded into segments ([`segment`]) and states that say the same are kept once ([`join`]). What fails in none of
//! them fails in no execution. The theory: knaut-2018 §2.2, after Dudka, Peringer and Vojnar (SAS 2013).
//!
//! It proves, and refutes nothing: a state stands for more than one execution. It is all or nothing: where something is
//! not followed (recursion, an address of which nothing is known, a system call), the walk is given up, and nothing of
//! it counts, because what comes behind was not seen.
//!
//! Invariants:
//! - Every execution in which no check failed so far is in some state at each place it passes, until the walk ends
//!   there for a reason: a check that fails for sure, an exit, or a state seen before that covers this one.
//! - A check is [`Outcome::open`] from the first state on in which the walk cannot rule its failure out.
//! - The walk is a function of the program and the limits; the stop flag only gives it up.
#![forbid(unsafe_code)]

pub mod cases;
pub mod engine;
pub mod heap;
pub mod join;
pub mod segment;
pub mod shape;
pub mod value;
pub mod walk;

mod call;
mod inst;
mod memory;

pub use engine::Smg;
pub use walk::{Limits, Outcome, walk};
