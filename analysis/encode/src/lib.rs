//! Programs as solver terms, shared by every engine that asks the solver about a program: the guarded acyclic SSA
//! formula of a function with the calls spliced into it (malik-2023 §2.1), loops unwound or entered in the middle
//! (brain-2015 §2-3.1, appendix A), and memory as objects cut into cells by the accesses made to them.
//!
//! ```text
//! plan     what to encode: root, unwinding, splicing
//! build    the walk: guards, joins, loops, splicing;  iterate: an arbitrary iteration;  template: what is looked for
//!          at its start;  suggested: rows that others guess;  turn: an iteration from head to head, for termination;
//!          lap: a state that repeats;  recursion: any activation of a recursive function;  part: a function from the middle on
//! inst, pointer, arith, float, call, primitive, stack, access: what each construct means
//! arguments what the system hands to `main`;  wild  unknown pointers;  hint: what the facts say of values
//! sym      values and the terms they are made of;  low: bits that are the same in every model;  object, memory: what they
//!          point to
//! formula  the result: claims that can fail, calls cut, constructs not encoded, choices for replay
//! ```
//!
//! Invariants of this crate:
//! - Every execution of the program from the root, up to its first failing check, is a model of the formula, unless
//!   it reaches a [`Cut`](formula::Cut), a [`Blocker`](formula::Blocker) or, in bounded mode, goes on past
//!   [`Formula::unwound`]. What an execution fails is then a [`Claim`](formula::Claim) that holds in the model.
//! - Nothing is asked of a solver here; the result depends on the plan and the program only.
//! - What is not encoded is named: free values over-approximate, cuts and blockers say what was left out.
//!
//! Deviation from the intended design: instead of enable literals, formulas of growing depth share their terms through
//! structural keys (see [`sym`]), and pointers are not restricted by a separate points-to analysis: the candidates are
//! read off the terms.
#![forbid(unsafe_code)]

pub mod access;
pub mod arguments;
pub mod arith;
pub mod build;
mod call;
pub mod cfg;
mod elements;
pub mod float;
pub mod formula;
mod head;
mod hint;
mod input;
mod inst;
mod iterate;
mod lap;
mod linear;
mod low;
pub mod memory;
pub mod object;
mod output;
pub mod part;
pub mod plan;
mod pointer;
mod primitive;
mod recursion;
pub mod scan;
mod stack;
mod streams;
mod suggested;
pub mod summary;
pub mod sym;
mod template;
mod turn;
mod variadic;
pub mod wild;

pub use build::{Encoder, TooBig};
pub use formula::{
    Assumed, Blocker, Claim, Cut, Event, EventKind, Formula, Observation, Scanned, Seen, call_stack_number,
};
pub use head::{HeadState, Number};
pub use output::{Library, is_output};
pub use plan::{Domain, Mode, Plan, Root, Rules, Suggested};
pub use streams::opens_streams;
pub use suggested::{Condition, Side, Source, Suggestion, Suggestions, Summand};
pub use sym::{Terms, Unwritten};
pub use template::{Named, Relation, Row, Visit, constants, used_as};
pub use turn::{Pair, Quantity, Turn};
