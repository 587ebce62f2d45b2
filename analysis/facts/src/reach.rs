//! Functions that may run when given ones are entered: along calls, and, once unknown code runs, everything that
//! unknown code may call.

use crate::call_graph::CallGraph;
use verify_ir::{FuncId, Module};

/// What is reachable from a set of roots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reachable {
    reached: Vec<bool>,
}

impl Reachable {
    /// From these functions.
    pub fn new(calls: &CallGraph, roots: &[FuncId], functions: usize) -> Reachable {
        let mut reached = vec![false; functions];
        let mut work: Vec<FuncId> = roots.to_vec();
        let mut outside = false;
        while let Some(f) = work.pop() {
            if std::mem::replace(&mut reached[f.index()], true) {
                continue;
            }
            work.extend(calls.callees(f));
            if calls.leaves_module(f) && !std::mem::replace(&mut outside, true) {
                // Unknown code runs from here on.
                work.extend((0..functions).map(FuncId::new).filter(|f| calls.called_from_outside(*f)));
            }
        }
        Reachable { reached }
    }

    /// The function may run.
    pub fn contains(&self, f: FuncId) -> bool {
        self.reached[f.index()]
    }

    /// All of them, by id.
    pub fn iter(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.reached.iter().enumerate().filter(|(_, r)| **r).map(|(i, _)| FuncId::new(i))
    }
}

/// What the system runs around `main`: constructors, destructors, resolvers of ifuncs, and `exit` when `main` returns,
/// which runs what `atexit` was given.
pub fn implicit_roots(module: &Module) -> Vec<FuncId> {
    let structors = module.constructors.iter().chain(&module.destructors).map(|s| s.func);
    let resolvers = module.aliases.iter().filter(|a| a.ifunc).filter_map(|a| match module.resolve(a.target).0 {
        verify_ir::SymbolRef::Func(f) => Some(f),
        _ => None,
    });
    let with_body = |name| module.function_named(name).filter(|f| module.func(*f).body.is_some());
    let exit = with_body("main").and_then(|_| with_body("exit"));
    let mut all: Vec<FuncId> = structors.chain(resolvers).chain(exit).collect();
    all.sort_unstable();
    all.dedup();
    all
}
