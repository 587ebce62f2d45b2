//! Reachability and code size, from the call graph of `facts`. Two views of a library: with its unknown callers and
//! callees (may it run at all?), and by itself (which code does this call mainly exercise?).

use crate::result::TargetKind;
use verify_facts::address_taken::AddressTaken;
use verify_facts::reach::implicit_roots;
use verify_facts::{CallGraph, Reachable, World, bases};
use verify_ir::{FuncId, Module};

/// Who may run when what is called.
pub struct Reach {
    /// The program as it will be used.
    used: CallGraph,
    /// The program by itself; `None` when that is the same.
    alone: Option<CallGraph>,
    /// What runs around everything else: constructors, resolvers.
    implicit: Vec<FuncId>,
    /// Instructions per function.
    size: Vec<u64>,
}

impl Reach {
    /// The call graph of the program as it will be used: with unknown callers, if it is a library.
    pub fn calls(&self) -> &CallGraph {
        &self.used
    }
    /// Reads the program.
    pub fn new(module: &Module, kind: TargetKind) -> Reach {
        let bases = bases::all(module);
        let taken = AddressTaken::new(module, &bases);
        let closed = CallGraph::new(module, World::Closed, &bases, &taken);
        let (used, alone) = if kind == TargetKind::Executable {
            (closed, None)
        } else {
            (CallGraph::new(module, World::Open, &bases, &taken), Some(closed))
        };
        let size = module
            .functions
            .iter()
            .map(|f| f.body.iter().flat_map(|b| &b.blocks).map(|b| b.insts.len() as u64 + 1).sum())
            .collect();
        Reach { used, alone, implicit: implicit_roots(module), size }
    }

    /// Every function that may run when these are called, in any use of the program; indexed by function.
    pub fn may_run(&self, roots: &[FuncId]) -> Vec<bool> {
        if roots.is_empty() {
            return vec![false; self.size.len()];
        }
        let roots: Vec<FuncId> = roots.iter().chain(&self.implicit).copied().collect();
        set(&self.used, &roots, self.size.len())
    }

    /// Every function that a call of these exercises, without what unknown code may do; indexed by function.
    pub fn from(&self, roots: &[FuncId]) -> Vec<bool> {
        set(self.alone.as_ref().unwrap_or(&self.used), roots, self.size.len())
    }

    /// Instructions in the functions of a set.
    pub fn size_of(&self, set: &[bool]) -> u64 {
        set.iter().zip(&self.size).filter(|(s, _)| **s).map(|(_, n)| n).sum()
    }
}

fn set(calls: &CallGraph, roots: &[FuncId], functions: usize) -> Vec<bool> {
    let r = Reachable::new(calls, roots, functions);
    (0..functions).map(|i| r.contains(FuncId::new(i))).collect()
}
