//! Globals and functions whose address is more than a place to access or call: it is stored, passed, returned,
//! compared, converted, or written in an initialiser. What is not here can only be touched by name.

use crate::bases::{Base, Bases};
use std::collections::BTreeSet;
use verify_ir::inst::InstKind;
use verify_ir::remap::{self, Use};
use verify_ir::{Call, FuncId, GlobalId, Module, Operand, SymbolRef, Terminator};

/// Whose address is taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AddressTaken {
    /// Functions, aliases resolved. Structors are not here: the system calls them, but by name.
    pub functions: BTreeSet<FuncId>,
    /// Variables, aliases resolved.
    pub globals: BTreeSet<GlobalId>,
}

impl AddressTaken {
    /// Looks at every initialiser and instruction.
    pub fn new(module: &Module, bases: &[Bases]) -> AddressTaken {
        let mut taken = AddressTaken::default();
        for g in &module.globals {
            remap::uses_of_global(g, |u| {
                if let Use::Symbol(s) = u {
                    taken.symbol(module, s);
                }
            });
        }
        for (f, bases) in module.functions.iter().zip(bases) {
            for b in f.body.iter().flat_map(|b| &b.blocks) {
                for inst in &b.insts {
                    for o in escaping(&inst.kind) {
                        taken.operand(module, bases, o);
                    }
                }
                match &b.term {
                    Terminator::Return(vs) | Terminator::Resume(vs) => {
                        vs.iter().for_each(|o| taken.operand(module, bases, o));
                    }
                    Terminator::Invoke { call, .. } => {
                        call.args.iter().for_each(|o| taken.operand(module, bases, o));
                    }
                    // Arguments of edges are followed by `bases`.
                    Terminator::Jump(_)
                    | Terminator::Branch { .. }
                    | Terminator::Switch { .. }
                    | Terminator::IndirectJump { .. }
                    | Terminator::Unreachable => {}
                }
            }
        }
        taken
    }

    fn operand(&mut self, module: &Module, bases: &Bases, o: &Operand) {
        for b in bases.of(module, o) {
            match b {
                Base::Global(g) => _ = self.globals.insert(g),
                Base::Func(f) => _ = self.functions.insert(f),
                Base::Stack(_) | Base::Unknown => {}
            }
        }
    }

    fn symbol(&mut self, module: &Module, s: SymbolRef) {
        match module.resolve(s).0 {
            SymbolRef::Global(g) => _ = self.globals.insert(g),
            SymbolRef::Func(f) => _ = self.functions.insert(f),
            SymbolRef::Alias(_) => {}
        }
    }
}

/// Operands whose value leaves the function's view: everything but addresses of accesses, callees, and what `bases`
/// follows.
fn escaping(kind: &InstKind) -> Vec<&Operand> {
    use InstKind::*;
    match kind {
        Addr { .. } | Freeze { .. } | Select { .. } => vec![],
        Cast { op: verify_ir::inst::CastOp::Bitcast, .. } => vec![],
        Load { .. } | MemCopy { .. } | MemSet { .. } | LifetimeStart { .. } | LifetimeEnd { .. } => vec![],
        Alloca { .. } | StackSave | StackRestore { .. } | ObjectSize { .. } | DebugValue { .. } | Check { .. } => {
            vec![]
        }
        VaStart { .. } | VaEnd { .. } | VaCopy { .. } | Assume { .. } => vec![],
        Store { value, .. } | AtomicRmw { value, .. } => vec![value],
        CmpXchg { expected, new, .. } => vec![expected, new],
        Call(c) => arguments(c),
        InlineAsm(a) => a.inputs.iter().chain(a.written.iter().map(|(o, _)| o)).collect(),
        // Comparisons and conversions make the address observable.
        Binary { .. }
        | Icmp { .. }
        | FBinary { .. }
        | Fcmp { .. }
        | Unary { .. }
        | FUnary { .. }
        | Fma { .. }
        | Cast { .. }
        | Overflow { .. }
        | Funnel { .. }
        | Uninit
        | Opaque { .. }
        | Unmodelled { .. } => {
            let mut all = Vec::new();
            kind.for_each_operand(|o| all.push(o));
            all
        }
    }
}

fn arguments(c: &Call) -> Vec<&Operand> {
    c.args.iter().collect()
}
