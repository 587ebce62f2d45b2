//! What is known about a program without asking a solver: who calls whom, what is reachable, what dominates what, which
//! loops there are, whose address is taken, which globals a function touches by name.
//!
//! Invariants of this crate:
//! - Every fact is an over-approximation of the executions in which no check failed before: what an execution does
//!   after its first failing check is nobody's concern. A call through a pointer of the wrong type is such a check.
//! - Facts are functions of the module alone; every list has a fixed order (by id, or as documented).
//! - Modules are well formed ([`verify_ir::check`]). Nothing recurses over the program: depth costs no stack.
//!
//! [`bases`] sees through address computations inside one function only; [`points_to`] is the whole-program analysis.
#![forbid(unsafe_code)]

pub mod address_taken;
pub mod bases;
pub mod call_graph;
pub mod describe;
pub mod dominators;
pub mod effects;
pub mod fresh;
pub mod invariant;
pub mod liveness;
pub mod loops;
pub mod mod_ref;
pub mod ownership;
pub mod points_to;
pub mod reach;
pub mod scc;
pub mod split;
pub mod unswitch;
pub mod values;

pub use address_taken::AddressTaken;
pub use bases::{Base, Bases};
pub use call_graph::{CallGraph, CallSite, Callee, World};
pub use dominators::{Dominators, PostDominators};
pub use effects::{Access, Effects, MemoryEffects};
pub use liveness::Liveness;
pub use loops::{Loop, LoopForest, LoopId};
pub use mod_ref::{ModRef, ModRefs};
pub use ownership::Ownership;
pub use points_to::PointsTo;
pub use reach::Reachable;
pub use scc::{SccId, Sccs};
pub use verify_ir::graph::{DomTree, Graph};

use verify_ir::Module;

/// The facts about a whole module that need no choice of roots. Per-function facts ([`Dominators`], [`LoopForest`]) are
/// made where they are needed.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Whose address is taken.
    pub address_taken: AddressTaken,
    /// Who calls whom.
    pub calls: CallGraph,
    /// Strongly connected components of the call graph, callees first.
    pub sccs: Sccs,
    /// Globals touched by name, per function.
    pub mod_ref: ModRefs,
}

impl Facts {
    /// Computes them.
    pub fn new(module: &Module, world: World) -> Facts {
        let bases = bases::all(module);
        let address_taken = AddressTaken::new(module, &bases);
        let calls = CallGraph::new(module, world, &bases, &address_taken);
        let sccs = Sccs::new(&calls.graph());
        let mod_ref = ModRefs::new(module, &bases);
        Facts { address_taken, calls, sccs, mod_ref }
    }
}
