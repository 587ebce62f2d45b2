//! Functions that code outside of the program may have the address of: those that it can name, and those whose address
//! gets further than to calls of them. A `static` function that is chosen, handed on and called by the program alone is
//! nothing that a caller of the program can pass to it.
//!
//! The address is followed through choices, parameters of blocks and calls of functions with a body; what is stored,
//! returned, cast or handed to unknown code is taken to get everywhere.

use std::collections::{BTreeSet, HashMap};
use verify_ir::{Body, Const, Edge, FuncId, InstKind, Linkage, Module, Operand, SymbolRef, Terminator, Value};

/// Steps for one function; beyond, its address is taken to get out.
const MAX_STEPS: usize = 2000;

/// Where an operand is used, as far as that matters.
#[derive(Clone, Copy)]
enum Use {
    /// It becomes this value of the same body.
    Becomes(Value),
    /// It becomes a parameter of that function.
    Parameter(FuncId, usize),
    /// It may get anywhere.
    Anywhere,
}

/// Of the functions, in order, those that get out.
pub(crate) fn among(m: &Module, functions: &[FuncId]) -> Vec<FuncId> {
    let inner: BTreeSet<FuncId> =
        functions.iter().copied().filter(|f| m.func(*f).linkage == Linkage::Internal).collect();
    if inner.is_empty() {
        return functions.to_vec();
    }
    let mut uses = Uses { module: m, of_values: HashMap::new(), of_functions: HashMap::new(), out: BTreeSet::new() };
    uses.of_symbols(&inner);
    functions.iter().copied().filter(|f| !inner.contains(f) || uses.gets_out(*f)).collect()
}

struct Uses<'a> {
    module: &'a Module,
    /// Per body, made when it is asked for.
    of_values: HashMap<FuncId, HashMap<Value, Vec<Use>>>,
    of_functions: HashMap<FuncId, Vec<(FuncId, Use)>>,
    /// In initialisers of variables.
    out: BTreeSet<FuncId>,
}

impl Uses<'_> {
    fn function(&self, o: &Operand) -> Option<FuncId> {
        let Operand::Const(Const::Symbol(s)) = o else { return None };
        match self.module.resolve(*s) {
            (SymbolRef::Func(f), _) => Some(f),
            _ => None,
        }
    }

    fn of_symbols(&mut self, inner: &BTreeSet<FuncId>) {
        let m = self.module;
        for g in &m.globals {
            for p in g.init.iter().flat_map(|i| &i.pieces) {
                crate::program::symbols(&p.data, &mut |s| {
                    if let (SymbolRef::Func(f), _) = m.resolve(s) {
                        self.out.insert(f);
                    }
                });
            }
        }
        for (i, f) in m.functions.iter().enumerate() {
            let Some(body) = &f.body else { continue };
            let mut found = Vec::new();
            visit(m, body, &mut |o, u| {
                if let Some(f) = self.function(o).filter(|f| inner.contains(f)) {
                    found.push((f, u));
                }
            });
            for (f, u) in found {
                self.of_functions.entry(f).or_default().push((FuncId::new(i), u));
            }
        }
    }

    fn of_value(&mut self, f: FuncId, v: Value) -> Vec<Use> {
        let m = self.module;
        let all = self.of_values.entry(f).or_insert_with(|| {
            let mut all: HashMap<Value, Vec<Use>> = HashMap::new();
            if let Some(body) = &m.func(f).body {
                visit(m, body, &mut |o, u| {
                    if let Operand::Value(v) = o {
                        all.entry(*v).or_default().push(u);
                    }
                });
            }
            all
        });
        all.get(&v).cloned().unwrap_or_default()
    }

    fn gets_out(&mut self, f: FuncId) -> bool {
        if self.out.contains(&f) {
            return true;
        }
        let mut todo = self.of_functions.get(&f).cloned().unwrap_or_default();
        let mut seen = BTreeSet::new();
        while let Some((within, u)) = todo.pop() {
            let (at, v) = match u {
                Use::Anywhere => return true,
                Use::Becomes(v) => (within, v),
                Use::Parameter(g, k) => {
                    let params = self.module.func(g).body.as_ref().and_then(|b| b.blocks.first()).map(|b| &b.params);
                    match params.and_then(|p| p.get(k)) {
                        Some(v) => (g, *v),
                        None => return true,
                    }
                }
            };
            if seen.len() > MAX_STEPS {
                return true;
            }
            if seen.insert((at, v)) {
                todo.extend(self.of_value(at, v).into_iter().map(|u| (at, u)));
            }
        }
        false
    }
}

/// All uses of operands in a body that carry a pointer further.
fn visit(m: &Module, body: &Body, see: &mut dyn FnMut(&Operand, Use)) {
    let call = |c: &verify_ir::inst::Call, see: &mut dyn FnMut(&Operand, Use)| {
        let callee = match &c.callee {
            Operand::Const(Const::Symbol(s)) => match m.resolve(*s) {
                (SymbolRef::Func(f), 0) => Some(f).filter(|f| m.func(*f).body.is_some()),
                _ => None,
            },
            _ => None,
        };
        for (k, a) in c.args.iter().enumerate() {
            see(a, callee.map_or(Use::Anywhere, |f| Use::Parameter(f, k)));
        }
    };
    let edge = |e: &Edge, see: &mut dyn FnMut(&Operand, Use)| {
        for (k, a) in e.args.iter().enumerate() {
            let to = body.blocks.get(e.block.index()).and_then(|b| b.params.get(k));
            see(a, to.map_or(Use::Anywhere, |v| Use::Becomes(*v)));
        }
    };
    for b in &body.blocks {
        for i in &b.insts {
            match &i.kind {
                InstKind::Icmp { .. } | InstKind::DebugValue { .. } => {}
                InstKind::Select { then, other, .. } => {
                    for o in [then, other] {
                        see(o, i.results.first().map_or(Use::Anywhere, |r| Use::Becomes(*r)));
                    }
                }
                InstKind::Call(c) => call(c, see),
                // What is read or written through it is another thing.
                InstKind::Load { .. } => {}
                InstKind::Store { value, .. } => see(value, Use::Anywhere),
                k => k.for_each_operand(|o| see(o, Use::Anywhere)),
            }
        }
        match &b.term {
            Terminator::Jump(e) => edge(e, see),
            Terminator::Branch { then, other, .. } => [then, other].into_iter().for_each(|e| edge(e, see)),
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|c| &c.1).chain([default]).for_each(|e| edge(e, see));
            }
            Terminator::Invoke { call: c, .. } => {
                call(c, see);
                b.term.targets().iter().flat_map(|t| &t.args).for_each(|o| see(o, Use::Anywhere));
            }
            t => t.for_each_operand(|o| see(o, Use::Anywhere)),
        }
    }
}
