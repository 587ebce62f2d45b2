//! Which functions are cloned for each call: those that hand out fresh heap objects (allocation wrappers; without
//! clones all objects of `malloc` would be one), and small functions of the C library models (`strchr`: without clones
//! every result may be every argument).
//!
//! A wrapper returns, or stores through a parameter itself (`*out = p`), what may come straight from the allocation
//! primitive or another wrapper. Only precision depends on what is found here.

use crate::scc::Sccs;
use crate::{AddressTaken, CallGraph, Callee, World, bases};
use verify_ir::inst::{CastOp, InstKind, Terminator};
use verify_ir::{Body, FuncId, Module, Operand, Value};

/// The primitive that makes a heap object.
pub const ALLOC: &str = "__verify_alloc";
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
        let mut fresh: Vec<bool> = module.functions.iter().map(|f| f.name == ALLOC).collect();
        // Callees come first, so that one pass is nearly enough.
        let order: Vec<u32> = sccs.bottom_up().flat_map(|(_, members)| members.to_vec()).collect();
        let origins: Vec<Origins> =
            module.functions.iter().map(|f| f.body.as_ref().map(Origins::new).unwrap_or_default()).collect();
        loop {
            let mut changed = false;
            for &f in &order {
                let id = FuncId(f);
                if fresh[f as usize] || module.func(id).body.is_none() {
                    continue;
                }
                let from = |v: &Value| {
                    calls.sites_in(id).iter().any(|s| {
                        let defines = origins[f as usize].calls.iter().any(|(at, r)| *at == s.loc && r.contains(v));
                        defines
                            && match &s.callee {
                                Callee::Direct(g) | Callee::External(g) => fresh[g.index()],
                                Callee::Indirect { may, .. } => may.iter().any(|g| fresh[g.index()]),
                            }
                    })
                };
                if origins[f as usize].out.iter().any(from) {
                    fresh[f as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut w = Wrappers::default();
        for (i, f) in module.functions.iter().enumerate() {
            let id = FuncId::new(i);
            let model = module.units.get(f.unit.index()).is_some_and(|u| u.model);
            let size = f.body.as_ref().map_or(usize::MAX, |b| b.blocks.iter().map(|b| b.insts.len() + 1).sum());
            let limit = match (fresh[i], model) {
                (true, true) => MAX_MODEL,
                (true, false) => MAX_USER,
                (false, true) if !f.sig.variadic => MAX_PLAIN_MODEL,
                (false, _) => 0,
            };
            w.model.push(model);
            w.clone.push(size <= limit && !calls.recursive(&sccs, id));
        }
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

/// Where what a function hands out comes from, inside it.
#[derive(Default)]
struct Origins {
    /// Values that may be what is returned or stored through a parameter.
    out: Vec<Value>,
    /// Calls with their results.
    calls: Vec<(verify_ir::Loc, Vec<Value>)>,
}

impl Origins {
    fn new(body: &Body) -> Origins {
        let mut from: Vec<Vec<Value>> = vec![Vec::new(); body.values.len()];
        let mut start: Vec<Value> = Vec::new();
        let mut o = Origins::default();
        let mut add = |to: Value, x: &Operand| from[to.index()].extend(x.as_value());
        let params = body.blocks.first().map_or(&[][..], |b| &b.params);
        for (bi, b) in body.blocks.iter().enumerate() {
            for (at, inst) in b.insts.iter().enumerate() {
                match &inst.kind {
                    InstKind::Addr { base: x, .. }
                    | InstKind::Freeze { arg: x }
                    | InstKind::Cast { op: CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr, arg: x } => {
                        add(inst.results[0], x);
                    }
                    InstKind::Select { then, other, .. } => {
                        add(inst.results[0], then);
                        add(inst.results[0], other);
                    }
                    InstKind::Store { ptr, value, .. } if ptr.as_value().is_some_and(|p| params.contains(&p)) => {
                        start.extend(value.as_value());
                    }
                    InstKind::Call(_) => {
                        let loc = verify_ir::Loc { block: verify_ir::Block::new(bi), inst: at as u32 };
                        o.calls.push((loc, inst.results.clone()));
                    }
                    _ => {}
                }
            }
            if let Terminator::Return(vs) = &b.term {
                start.extend(vs.iter().filter_map(Operand::as_value));
            }
            for e in b.term.targets() {
                let params = &body.block(e.block).params;
                let skip = params.len().saturating_sub(e.args.len());
                for (p, a) in params[skip..].iter().zip(&e.args) {
                    add(*p, a);
                }
            }
        }
        let mut seen = vec![false; body.values.len()];
        while let Some(v) = start.pop() {
            if !std::mem::replace(&mut seen[v.index()], true) {
                o.out.push(v);
                start.extend(&from[v.index()]);
            }
        }
        o
    }
}
