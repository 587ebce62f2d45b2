//! Which functions hand out fresh heap objects, and which values of a function may be one. A function does when it
//! returns, or stores through a parameter itself (`*out = p`), what may come straight from the allocation primitive or
//! from another such function. What goes through memory is not followed: this is for precision and for reports, nothing
//! that is proved rests on it.

use crate::scc::Sccs;
use crate::{CallGraph, Callee};
use verify_ir::inst::{CastOp, InstKind, Terminator};
use verify_ir::{Block, Body, FuncId, Loc, Module, Operand, Value};

/// The primitive that makes a heap object.
pub const ALLOC: &str = "__verify_alloc";

/// Functions that hand out fresh heap objects.
#[derive(Clone, Debug, Default)]
pub struct Fresh {
    functions: Vec<bool>,
}

impl Fresh {
    /// The least fixpoint over the call graph.
    pub fn new(module: &Module, calls: &CallGraph, sccs: &Sccs) -> Fresh {
        let mut fresh = Fresh { functions: module.functions.iter().map(|f| f.name == ALLOC).collect() };
        // Callees come first, so that one pass is nearly enough.
        let order: Vec<u32> = sccs.bottom_up().flat_map(|(_, members)| members.to_vec()).collect();
        let flows: Vec<Option<Flows>> = module.functions.iter().map(|f| f.body.as_ref().map(Flows::new)).collect();
        loop {
            let mut changed = false;
            for &f in &order {
                let Some(flows) = flows[f as usize].as_ref().filter(|_| !fresh.functions[f as usize]) else { continue };
                if flows.reach(&flows.out).iter().any(|v| fresh.made_by(calls, FuncId(f), flows, *v)) {
                    fresh.functions[f as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return fresh;
            }
        }
    }

    /// The function may return a fresh heap object, or store one through a parameter.
    pub fn hands_out(&self, f: FuncId) -> bool {
        self.functions[f.index()]
    }

    /// `value` of `f` may be the address of a fresh heap object, as far as `f` alone and its callees' results show.
    pub fn may_be(&self, calls: &CallGraph, f: FuncId, flows: &Flows, value: &Operand) -> bool {
        let Some(v) = value.as_value() else { return false };
        flows.reach(&[v]).iter().any(|v| self.made_by(calls, f, flows, *v))
    }

    /// `v` is the result of a call that hands out a fresh object.
    fn made_by(&self, calls: &CallGraph, f: FuncId, flows: &Flows, v: Value) -> bool {
        let Some(site) = flows.call_of(v).and_then(|loc| calls.site_at(f, loc)) else { return false };
        match &site.callee {
            Callee::Direct(g) | Callee::External(g) => self.functions[g.index()],
            Callee::Indirect { may, .. } => may.iter().any(|g| self.functions[g.index()]),
        }
    }
}

/// Where the values of one body come from, without memory.
#[derive(Clone, Debug, Default)]
pub struct Flows {
    from: Vec<Vec<Value>>,
    /// Values that are returned or stored through a parameter.
    out: Vec<Value>,
    /// The values that are returned.
    pub returned: Vec<Value>,
    /// The call that a value is a result of.
    calls: Vec<Option<Loc>>,
}

impl Flows {
    /// Of one body.
    pub fn new(body: &Body) -> Flows {
        let n = body.values.len();
        let mut o = Flows { from: vec![Vec::new(); n], calls: vec![None; n], ..Flows::default() };
        let params = body.blocks.first().map_or(&[][..], |b| &b.params);
        for (bi, b) in body.blocks.iter().enumerate() {
            for (at, inst) in b.insts.iter().enumerate() {
                match &inst.kind {
                    InstKind::Addr { base: x, .. }
                    | InstKind::Freeze { arg: x }
                    | InstKind::Cast { op: CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr, arg: x } => {
                        o.add(inst.results[0], x);
                    }
                    InstKind::Select { then, other, .. } => {
                        o.add(inst.results[0], then);
                        o.add(inst.results[0], other);
                    }
                    InstKind::Store { ptr, value, .. } if ptr.as_value().is_some_and(|p| params.contains(&p)) => {
                        o.out.extend(value.as_value());
                    }
                    InstKind::Call(_) => {
                        let loc = Loc { block: Block::new(bi), inst: at as u32 };
                        for r in &inst.results {
                            o.calls[r.index()] = Some(loc);
                        }
                    }
                    _ => {}
                }
            }
            if let Terminator::Return(vs) = &b.term {
                o.returned.extend(vs.iter().filter_map(Operand::as_value));
            }
            for e in b.term.targets() {
                let params = &body.block(e.block).params;
                let skip = params.len().saturating_sub(e.args.len());
                for (p, a) in params[skip..].iter().zip(&e.args) {
                    o.add(*p, a);
                }
            }
        }
        o.out.extend(&o.returned);
        o
    }

    fn add(&mut self, to: Value, x: &Operand) {
        self.from[to.index()].extend(x.as_value());
    }

    fn call_of(&self, v: Value) -> Option<Loc> {
        self.calls[v.index()]
    }

    /// The values that these may be copies of, or addresses inside the same object.
    pub fn reach(&self, start: &[Value]) -> Vec<Value> {
        let mut work = start.to_vec();
        let mut seen = vec![false; self.from.len()];
        let mut out = Vec::new();
        while let Some(v) = work.pop() {
            if !std::mem::replace(&mut seen[v.index()], true) {
                out.push(v);
                work.extend(&self.from[v.index()]);
            }
        }
        out
    }
}
