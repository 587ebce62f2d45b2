//! Which checks a formula speaks about. A call that was cut hides the checks of whatever it may run; a construct that
//! is not encoded hides everything that may come after it.

use std::collections::{BTreeMap, BTreeSet};
use verify_checks::{CheckId, Checks, KindSet};
use verify_encode::{Cut, Formula, Root};
use verify_facts::CallGraph;
use verify_ir::{FuncId, Loc, noted};
use verify_solver::Term;

/// Functions that may run when one of `from` is called.
pub fn closure(calls: &CallGraph, from: impl IntoIterator<Item = FuncId>) -> BTreeSet<FuncId> {
    let mut seen = BTreeSet::new();
    let mut todo: Vec<FuncId> = from.into_iter().collect();
    while let Some(f) = todo.pop() {
        if seen.insert(f) {
            todo.extend(calls.callees(f));
        }
    }
    seen
}

/// What a group of cuts hides.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hidden {
    /// Checks of these functions.
    pub functions: BTreeSet<FuncId>,
    /// Checks of this place.
    pub place: Option<(FuncId, Loc)>,
    /// Of the place, these are not hidden.
    pub claimed: KindSet,
}

/// The cuts of a formula by what they hide, each with the conditions under which an execution gets there and the first
/// one's description.
pub fn groups(
    formula: &Formula,
    root: Root,
    calls: &CallGraph,
    address_taken: &[FuncId],
) -> BTreeMap<Hidden, (Vec<Term>, String)> {
    let mut out: BTreeMap<Hidden, (Vec<Term>, String)> = BTreeMap::new();
    for c in &formula.cuts {
        let h =
            Hidden { functions: hidden_functions(c, root, calls, address_taken), place: c.place, claimed: c.claimed };
        let e = out.entry(h).or_insert_with(|| (Vec::new(), c.what.clone()));
        e.0.push(c.reached);
    }
    out
}

fn hidden_functions(c: &Cut, root: Root, calls: &CallGraph, address_taken: &[FuncId]) -> BTreeSet<FuncId> {
    if c.any {
        noted::question("taken", "");
    }
    let from = c.callees.iter().copied().chain(if c.any { address_taken } else { &[] }.iter().copied());
    match root {
        // Everything that runs, runs under this root.
        Root::Program(_) => closure(calls, from),
        // Only the chain of calls from the root is spoken of; what others call is asked under them.
        Root::Call(_) | Root::Part(..) => from.collect(),
    }
}

impl Hidden {
    /// The check is among what is hidden. Under a call, `chain` are the functions whose calls are spoken of.
    pub fn hides(&self, checks: &Checks, id: CheckId, root: Root, chain: &BTreeSet<FuncId>) -> bool {
        let c = checks.get(id);
        let calls = match root {
            Root::Program(_) => self.functions.contains(&c.func),
            Root::Call(_) | Root::Part(..) => !self.functions.is_disjoint(chain),
        };
        calls || self.place == Some((c.func, c.loc)) && !self.claimed.contains(c.kind)
    }
}
