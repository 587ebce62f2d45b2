//! What the solvers of this process answer, as SMT-LIB 2 text for whoever listens: another solver is to answer the same.
//! Without a listener it costs one look at a flag for each query.

use crate::smtlib;
use crate::solver::Outcome;
use crate::term::{Pool, Term};
use std::sync::OnceLock;

/// Gets whether a query has a model, and its text (see [`smtlib::query`]). It may be called from several threads.
pub type Listener = Box<dyn Fn(bool, &str) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Tells this listener of every query from now on that is answered; the first listener stays.
pub fn listen(listener: Listener) {
    let _ = LISTENER.set(listener);
}

/// Of a query without a model only what its core says is told: less is asked of the other solver, and cores are compared
/// too.
pub(crate) fn answered(pool: &Pool, asserted: &[Term], assumptions: &[Term], outcome: &Outcome) {
    let Some(listener) = LISTENER.get() else { return };
    let (sat, assumed) = match outcome {
        Outcome::Sat => (true, assumptions),
        Outcome::Unsat(core) => (false, core.as_slice()),
        Outcome::Unknown => return,
    };
    let truths: Vec<Term> = asserted.iter().chain(assumed).copied().collect();
    listener(sat, &smtlib::query(pool, &truths));
}
