//! Semantic difference of two versions of a program (malik-2023 ch. 6-10, DiffKemp): which functions mean the same, which
//! do not, and which of that could not be said. Both versions are linked modules of the IR.
//!
//! ```text
//! pairs    which function is which; identity of code
//! reach    who uses whom
//! layouts  records whose layout differs;  views, trouble: code that is not compared
//! looks    library functions that only read;  promises: what declarations promise
//! normal   one form of code for whatever differs in order and writing only
//! product  the proof: synchronisation points, variable mapping, the solver
//! inputs, observe, console, search   the evidence: both versions run on the same inputs in the interpreter
//! compare  both together, over the call graph;  leans: what its answers lean on;  interface: variables and second names
//! slice, globals   the same for what a global variable influences
//! pattern  custom change patterns
//! ```
//!
//! Invariants of this crate:
//! - *Equal* means: on every input on which the old version's run has no error, the new version's run has none, returns
//!   the same, leaves the same memory (modulo the mapping of fields), calls unknown code in the same way, and ends if
//!   the other does. It is never guessed: [`Verdict::Equal`] comes from identity of code or from a proof only.
//! - *Changed* comes with an input on which both versions were run and did not do the same.
//! - Everything else is *unknown*, with the reason and the place of the first difference.
//! - What rests on a custom pattern, a claim by its author, says so.
//! - Budgets are counters; nothing depends on the clock or on the order of a hash map.
#![forbid(unsafe_code)]

mod around;
mod buffers;
pub mod compare;
mod console;
pub mod globals;
pub mod inputs;
pub mod interface;
mod layouts;
mod leans;
mod looks;
mod normal;
mod observe;
mod origin;
mod pairs;
pub mod pattern;
mod plain;
mod product;
mod promises;
mod reach;
pub mod search;
mod slice;
mod textual;
mod trouble;
mod views;

pub use compare::{Comparison, FunctionResult, Options, Place, Verdict, compare, machine_difference};
pub use globals::{GlobalResult, compare_global, has_global};
pub use interface::{Offer, Symbol};
pub use origin::{Kind, Origin};
pub use pairs::Pairs;
pub use pattern::{Pattern, compare_with};
pub use product::ProofBudget;
