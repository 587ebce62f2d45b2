//! The engine that proves: bounded model checking, k-induction and invariants by templates over one incremental solver
//! (kIkI: brain-2015), with growing context (malik-2023 §2.1-2.2).
//!
//! ```text
//! prove    one root: deeper and deeper formulas, all open checks asked at once
//! infer    the parameters of templates: invariants of loops
//! cover    which checks a formula says nothing about: calls cut, constructs not encoded
//! choices  a model of the formula as choices for the interpreter
//! suggest  rows of templates that runs of the program suggest
//! loops    invariants of all loops for their own sake
//! vacuity  proofs behind assumptions that no execution passes
//! context  which roots a check is asked under: its function, the callers, the program
//! input    text that `scanf` reads as a model says
//! by_facts what holds without a solver, as an engine
//! only     programs that have one execution, as an engine
//! engine   the above as an [`Engine`](verify_engine::Engine)
//! ```
//!
//! Invariants of this crate:
//! - A check is proved under a root only by an unsatisfiable query about a formula that covers it ([`cover`]).
//! - A model is no verdict: [`verify_engine::replay::confirm`] decides.
//! - Results are functions of the program and the limits; limits are counters.
#![forbid(unsafe_code)]

mod by_facts;
pub mod choices;
pub mod context;
pub mod cover;
mod engine;
pub mod infer;
mod input;
mod library;
pub mod loops;
pub mod only;
mod parts;
pub mod pdr;
pub mod prove;
pub mod recheck;
mod suggest;
mod unheard;
pub mod vacuity;

pub use by_facts::{ByFacts, in_library, through_pointer};
pub use engine::Kiki;
pub use library::Library;
pub use library::is_harmless_output;
pub use only::OnlyExecution;
pub use prove::{Limits, Prover, Report, Spent, Ways};
pub use suggest::Guesses;
