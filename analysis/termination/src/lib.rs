//! Does every run of a program end? Ranking functions say yes, lassos say no.
//!
//! ```text
//! session    formulas of one program and their solver
//! rank       lexicographic ranking functions of one loop, by counterexamples
//! prove      all loops of a program
//! lasso      executions that come back to a state
//! recurrent  executions that get into a set of states which none leaves
//! ```
//!
//! Invariants of this crate:
//! - "Ends" holds for every execution, whether undefined behaviour ends it or goes on as machines do; but for accesses
//!   outside of objects, which end it. Where it is shown first that nothing undefined happens, that is made use of.
//! - "Does not end" is shown by an execution without undefined behaviour, from the program's start, that the
//!   interpreter runs: until it is in a state for the second time, or for many steps, where a formula shows that it
//!   never leaves a set of states that it is in.
//! - Everything else is open, with a reason. Limits are counters.
#![forbid(unsafe_code)]

mod direction;
pub mod lasso;
mod outside;
pub mod prove;
pub mod rank;
pub mod recurrent;
pub mod session;

use prove::{Limits, Proof};
use recurrent::Queries;
use verify_encode::{Encoder, Root, Rules};
use verify_engine::Subject;
use verify_ir::FuncId;

pub use lasso::Lasso;
pub use recurrent::Recurrent;

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every run ends, by these arguments.
    Ends(Vec<prove::Ends>),
    /// This one does not.
    Endless(Lasso),
    /// Nor does this one, which comes back to no state as far as it was followed.
    Recurrent(Recurrent),
    /// Why neither is known.
    Open(String),
}

/// Decides whether all runs of a program from `entry` end. `defined` is asked, late, whether it is shown that no execution
/// does anything undefined.
pub fn decide_program(subject: &Subject, entry: FuncId, defined: &dyn Fn() -> bool, stop: &dyn Fn() -> bool) -> Answer {
    let limits = Limits::default();
    let rules = Rules {
        allocation_succeeds: subject.draft.rules.allocation_succeeds,
        externals_pure: subject.draft.rules.externals_pure,
        whole_objects: subject.draft.rules.whole_objects,
        uninit_is_arbitrary: subject.draft.rules.uninit_is_arbitrary,
        leaks: false,
        open: false,
    };
    let module = subject.module();
    let encoder = || Encoder::new(module, &subject.checks, rules);
    let program = module.func(entry).name == "main";
    if let Some(name) = outside::named(module) {
        return Answer::Open(format!("`{name}`: what happens outside may decide whether the program ends"));
    }
    if let Some(l) = lasso::by_running(subject, entry, stop) {
        return Answer::Endless(l);
    }
    if program && verify_kiki::only::ends(subject) {
        return Answer::Ends(Vec::new());
    }
    let recursive = subject.draft.reach.calls().recursion(&|f| subject.is_user(f));
    // What a recursion writes.
    let facts = (!recursive.is_empty()).then(|| subject.settled(stop));
    let turns = || {
        let mut turns = encoder().with(facts);
        turns.endless = true;
        turns.recursive.clone_from(&recursive);
        turns
    };
    // Before much is spent on ranking functions that there may be none of.
    let heads = || {
        let mut heads = encoder();
        (heads.heads, heads.arrivals) = (true, true);
        heads
    };
    let recurrent = |queries| recurrent::search(subject, &heads, entry, &limits, queries, stop).map(Answer::Recurrent);
    let mut endless = None;
    let mut refuted = || {
        let run = lasso::by_running_on(subject, entry, stop).map(Answer::Endless);
        endless = run.or_else(|| recurrent(Queries::FEW));
        endless.is_some()
    };
    let proof = prove::prove(&turns, stop, module, Root::Program(entry), &limits, &mut refuted);
    if let Some(answer) = endless {
        return answer;
    }
    let why = match proof {
        Proof::Ends(loops) => return Answer::Ends(loops),
        // Every loop ends; a run that never does would be one of recursion, which comes back to no state.
        Proof::Open(why, open) if why.starts_with(prove::RECURSION) && open.is_empty() => return Answer::Open(why),
        Proof::Open(why, _) => why,
    };
    let mut laps = encoder();
    laps.laps = true;
    if let Some(l) = lasso::by_models(subject, laps, entry, &limits, stop) {
        return Answer::Endless(l);
    }
    if let Some(answer) = recurrent(Queries::MANY) {
        return answer;
    }
    if stop() {
        return Answer::Open("time".into());
    }
    let defined = defined();
    // Accesses stay inside of their objects, sums do not wrap around.
    let facts = subject.settled(stop);
    let turns = || {
        let mut turns = encoder().with(Some(facts));
        turns.endless = true;
        turns.defined = true;
        turns.recursive.clone_from(&recursive);
        turns
    };
    match prove::prove(&turns, stop, module, Root::Program(entry), &limits, &mut || false) {
        Proof::Ends(loops) if defined => return Answer::Ends(loops),
        // What machines do then may well go on.
        Proof::Ends(_) => {
            return Answer::Open(
                "every run ends, or does what C leaves undefined (an overflow, an invalid access)".into(),
            );
        }
        Proof::Open(..) => {}
    }
    Answer::Open(if stop() { "time".into() } else { why })
}
