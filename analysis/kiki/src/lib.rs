//! The engine that proves: bounded model checking and k-induction over one incremental solver, with growing context
//! (brain-2015 §2-3.1; malik-2023 §2.1-2.2). Invariants by templates are to come; what is here are the first two ways
//! to close an obligation.
//!
//! ```text
//! prove    one root: deeper and deeper formulas, all open checks asked at once
//! cover    which checks a formula says nothing about: calls cut, constructs not encoded
//! choices  a model of the formula as choices for the interpreter
//! context  which roots a check is asked under: its function, the callers, the program
//! by_facts what holds without a solver, as an engine
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
mod library;
pub mod prove;
pub mod recheck;

pub use by_facts::{ByFacts, in_library};
pub use engine::Kiki;
pub use library::Library;
pub use prove::{Limits, Prover, Report, Spent};
