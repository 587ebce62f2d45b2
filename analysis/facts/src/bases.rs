//! Which objects a pointer inside one function is an address of, as far as that function alone shows it: through
//! address computations, choices, block parameters and promoted variables; not through memory or calls. A flow-
//! insensitive fixpoint over the values of a body (Andersen's rules without the ones for memory).

use std::collections::BTreeSet;
use verify_ir::inst::{CastOp, InstKind, Terminator};
use verify_ir::{Body, Const, FuncId, GlobalId, Module, Operand, SymbolRef, Ty, Value};

/// What a pointer may be an address of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// The result of this `alloca`.
    Stack(Value),
    /// Something the function does not show: from memory, a parameter, a call, an integer, an ifunc.
    Unknown,
}

/// Possible bases of every value of a body. The empty set is null, undefined or not a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bases {
    sets: Vec<BTreeSet<Base>>,
}

impl Bases {
    /// Of one body.
    pub fn new(module: &Module, body: &Body) -> Bases {
        let mut b = Bases { sets: vec![BTreeSet::new(); body.values.len()] };
        // flows[v]: where the bases of v go.
        let mut flows: Vec<Vec<Value>> = vec![Vec::new(); body.values.len()];
        let mut flow = |b: &mut Bases, from: &Operand, to: Value| match from {
            Operand::Value(v) => flows[v.index()].push(to),
            Operand::Const(_) => b.sets[to.index()].extend(constant(module, from)),
        };
        if let Some(entry) = body.blocks.first() {
            for p in entry.params.iter().filter(|p| body.ty(**p) == Ty::Ptr) {
                b.sets[p.index()].insert(Base::Unknown);
            }
        }
        for block in &body.blocks {
            for inst in &block.insts {
                match &inst.kind {
                    InstKind::Addr { base, .. } => flow(&mut b, base, inst.results[0]),
                    InstKind::Freeze { arg } | InstKind::Cast { op: CastOp::Bitcast, arg } => {
                        flow(&mut b, arg, inst.results[0]);
                    }
                    InstKind::Select { then, other, .. } => {
                        flow(&mut b, then, inst.results[0]);
                        flow(&mut b, other, inst.results[0]);
                    }
                    InstKind::Alloca { .. } => {
                        b.sets[inst.results[0].index()].insert(Base::Stack(inst.results[0]));
                    }
                    // An undefined pointer is the address of nothing: using it fails a check.
                    InstKind::Uninit => {}
                    _ => {
                        for r in inst.results.iter().filter(|r| body.ty(**r) == Ty::Ptr) {
                            b.sets[r.index()].insert(Base::Unknown);
                        }
                    }
                }
            }
            for (i, e) in block.term.targets().into_iter().enumerate() {
                let params = &body.block(e.block).params;
                let results = match &block.term {
                    Terminator::Invoke { .. } if i == 0 => params.len() - e.args.len(),
                    _ => 0,
                };
                for p in params[..results].iter().filter(|p| body.ty(**p) == Ty::Ptr) {
                    b.sets[p.index()].insert(Base::Unknown);
                }
                for (arg, p) in e.args.iter().zip(&params[results..]) {
                    flow(&mut b, arg, *p);
                }
            }
        }
        b.close(&flows);
        b
    }

    fn close(&mut self, flows: &[Vec<Value>]) {
        let mut work: Vec<Value> = (0..flows.len()).rev().map(Value::new).collect();
        let mut queued = vec![true; flows.len()];
        while let Some(v) = work.pop() {
            queued[v.index()] = false;
            if self.sets[v.index()].is_empty() || flows[v.index()].is_empty() {
                continue;
            }
            let from = self.sets[v.index()].clone();
            for &to in &flows[v.index()] {
                let set = &mut self.sets[to.index()];
                let before = set.len();
                set.extend(&from);
                if set.len() != before && !std::mem::replace(&mut queued[to.index()], true) {
                    work.push(to);
                }
            }
        }
    }

    /// The possible bases of an operand, in order.
    pub fn of(&self, module: &Module, o: &Operand) -> Vec<Base> {
        match o {
            Operand::Value(v) => self.sets[v.index()].iter().copied().collect(),
            Operand::Const(_) => constant(module, o),
        }
    }
}

fn constant(module: &Module, o: &Operand) -> Vec<Base> {
    let Operand::Const(Const::Symbol(s)) = o else { return Vec::new() };
    let here = match module.resolve(*s).0 {
        SymbolRef::Global(g) => Base::Global(g),
        SymbolRef::Func(f) => Base::Func(f),
        // An ifunc: whatever its resolver returns.
        SymbolRef::Alias(_) => Base::Unknown,
    };
    // Of a weak alias, the linker may make something else.
    let elsewhere = module.weak_alias(*s).map(|_| Base::Unknown);
    std::iter::once(here).chain(elsewhere).collect()
}

/// Of every function, by id; empty for declarations.
pub fn all(module: &Module) -> Vec<Bases> {
    module.functions.iter().map(|f| f.body.as_ref().map_or_else(Bases::default, |b| Bases::new(module, b))).collect()
}
