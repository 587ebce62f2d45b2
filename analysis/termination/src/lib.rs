//! Does every run of a program end? Ranking functions say yes, lassos say no.
//!
//! ```text
//! session  formulas of one program and their solver
//! rank     lexicographic ranking functions of one loop, by counterexamples
//! prove    all loops of a program
//! ```
//!
//! Invariants of this crate:
//! - "Ends" holds for every execution, whether undefined behaviour ends it or goes on as machines do.
//! - "Does not end" is shown by an execution without undefined behaviour, from the program's start, that the
//!   interpreter runs.
//! - Everything else is open, with a reason. Limits are counters.
#![forbid(unsafe_code)]

pub mod prove;
pub mod rank;
pub mod session;

use prove::{Limits, Proof};
use session::Session;
use verify_encode::{Encoder, Root, Rules};
use verify_engine::Subject;
use verify_ir::FuncId;

/// An execution that never ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// For people.
    pub story: Vec<String>,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every run ends, by these arguments.
    Ends(Vec<prove::Ends>),
    /// This one does not.
    Endless(Lasso),
    /// Why neither is known.
    Open(String),
}

/// Decides whether all runs of a program from `entry` end.
pub fn decide_program(subject: &Subject, entry: FuncId, stop: &dyn Fn() -> bool) -> Answer {
    let limits = Limits::default();
    let rules = Rules {
        allocation_succeeds: subject.draft.rules.allocation_succeeds,
        externals_pure: subject.draft.rules.externals_pure,
        whole_objects: subject.draft.rules.whole_objects,
        uninit_is_arbitrary: subject.draft.rules.uninit_is_arbitrary,
        leaks: false,
    };
    let module = subject.module();
    let mut encoder = Encoder::new(module, &subject.checks, rules);
    encoder.endless = true;
    let mut s = Session::new(encoder, limits.conflicts, stop);
    match prove::prove(&mut s, module, Root::Program(entry), &limits) {
        Proof::Ends(loops) => Answer::Ends(loops),
        Proof::Open(why, _) => Answer::Open(why),
    }
}
