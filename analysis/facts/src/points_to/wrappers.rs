//! Which functions are cloned for each call: those that hand out fresh heap objects (allocation wrappers; without
//! clones all objects of `malloc` would be one), and small functions of the C library models (`strchr`: without clones
//! every result may be every argument).
//!
//! A wrapper returns, or stores through a parameter itself (`*out = p`), what may come straight from the allocation
//! primitive or another wrapper. Only precision depends on what is found here.

use crate::fresh::Fresh;
use crate::scc::Sccs;
use crate::{AddressTaken, CallGraph, Graph, World, bases};
use verify_ir::{FuncId, Module};

/// Instructions of a function of the program that is still cloned.
const MAX_USER: usize = 250;
/// The same for a model.
const MAX_MODEL: usize = 400;
/// Models that allocate nothing.
const MAX_PLAIN_MODEL: usize = 120;

/// Facts about functions that decide on cloning.
#[derive(Clone, Debug, Default)]
pub struct Wrappers {
    clone: Vec<bool>,
    model: Vec<bool>,
}

impl Wrappers {
    /// Looks at every function.
    pub fn new(module: &Module) -> Wrappers {
        let bases = bases::all(module);
        let taken = AddressTaken::new(module, &bases);
        let calls = CallGraph::new(module, World::Closed, &bases, &taken);
        let sccs = Sccs::new(&calls.graph());
        let fresh = Fresh::new(module, &calls, &sccs);
        let mut w = Wrappers::default();
        for (i, f) in module.functions.iter().enumerate() {
            let id = FuncId::new(i);
            let model = module.units.get(f.unit.index()).is_some_and(|u| u.model);
            let size = f.body.as_ref().map_or(usize::MAX, |b| b.blocks.iter().map(|b| b.insts.len() + 1).sum());
            let limit = match (fresh.hands_out(id), model) {
                (true, true) => MAX_MODEL,
                (true, false) => MAX_USER,
                (false, true) if !f.sig.variadic => MAX_PLAIN_MODEL,
                (false, _) => 0,
            };
            w.model.push(model);
            w.clone.push(size <= limit);
        }
        // A chain of clones never comes back to a function. Where a wrapper calls itself only by ways that leave the
        // wrappers (`xmalloc`, `fatal`, a handler of the program, `xmalloc`), the chain ends there.
        let both = |f: usize, g: usize| w.clone[f] && w.clone[g];
        let callees = |f: usize| calls.callees(FuncId::new(f)).iter().map(|g| g.index());
        let edges: Vec<(u32, u32)> = (0..w.clone.len())
            .flat_map(|f| callees(f).filter(move |g| both(f, *g)).map(move |g| (f as u32, g as u32)))
            .collect();
        let among = Sccs::new(&Graph::from_edges(w.clone.len(), &edges));
        let itself = |f: usize| callees(f).any(|g| g == f) || among.members(among.of(f as u32)).len() > 1;
        let clone = (0..w.clone.len()).map(|f| w.clone[f] && !itself(f)).collect();
        w.clone = clone;
        w
    }

    /// Calls of it get a clone of their own.
    pub fn cloned(&self, f: FuncId) -> bool {
        self.clone[f.index()]
    }

    /// Part of the C library models.
    pub fn model(&self, f: FuncId) -> bool {
        self.model[f.index()]
    }
}
