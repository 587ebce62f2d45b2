//! Which globals a function itself reads and writes by name, and whether it also accesses memory that it does not
//! show (through pointers from elsewhere). Direct effects only: not those of the functions it calls.

use crate::bases::{Base, Bases};
use std::collections::BTreeSet;
use verify_ir::inst::InstKind;
use verify_ir::{GlobalId, Module, Operand};

/// Direct effects of one function on memory outside its own stack objects.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModRef {
    /// Globals it may read.
    pub reads: BTreeSet<GlobalId>,
    /// Globals it may write.
    pub writes: BTreeSet<GlobalId>,
    /// Reads through a pointer of unknown origin.
    pub reads_unknown: bool,
    /// Writes through a pointer of unknown origin, or has inline assembly that may.
    pub writes_unknown: bool,
}

/// Of every function, by id. Declarations are empty here: what unknown code does is for the caller to decide.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModRefs {
    of: Vec<ModRef>,
}

impl ModRefs {
    /// Of a module; `bases` has one entry per function.
    pub fn new(module: &Module, bases: &[Bases]) -> ModRefs {
        let mut of = Vec::with_capacity(module.functions.len());
        for (f, bases) in module.functions.iter().zip(bases) {
            let mut m = ModRef::default();
            for inst in f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts) {
                m.add(module, bases, &inst.kind);
            }
            of.push(m);
        }
        ModRefs { of }
    }

    /// Of a function.
    pub fn of(&self, f: verify_ir::FuncId) -> &ModRef {
        &self.of[f.index()]
    }
}

impl ModRef {
    fn add(&mut self, module: &Module, bases: &Bases, kind: &InstKind) {
        use InstKind::*;
        match kind {
            Load { ptr, .. } => self.access(module, bases, ptr, true, false),
            Store { ptr, .. } => self.access(module, bases, ptr, false, true),
            AtomicRmw { ptr, .. } | CmpXchg { ptr, .. } => self.access(module, bases, ptr, true, true),
            MemCopy { dst, src, .. } => {
                self.access(module, bases, src, true, false);
                self.access(module, bases, dst, false, true);
            }
            MemSet { dst, .. } => self.access(module, bases, dst, false, true),
            VaStart { list } => self.access(module, bases, list, false, true),
            VaEnd { list } => self.access(module, bases, list, true, true),
            VaCopy { dst, src } => {
                self.access(module, bases, src, true, false);
                self.access(module, bases, dst, false, true);
            }
            InlineAsm(a) if a.is_barrier() => {}
            InlineAsm(a) => {
                for o in a.inputs.iter().chain(a.written.iter().map(|(o, _)| o)) {
                    self.access(module, bases, o, true, false);
                }
                for (o, _) in &a.written {
                    self.access(module, bases, o, false, true);
                }
                self.reads_unknown |= a.clobbers_memory;
                self.writes_unknown |= a.clobbers_memory;
            }
            Unmodelled { .. } => {
                self.reads_unknown = true;
                self.writes_unknown = true;
            }
            Binary { .. }
            | Icmp { .. }
            | FBinary { .. }
            | Fcmp { .. }
            | Unary { .. }
            | FUnary { .. }
            | Fma { .. }
            | Cast { .. }
            | Select { .. }
            | Overflow { .. }
            | Funnel { .. }
            | Freeze { .. }
            | Uninit
            | Addr { .. }
            | Alloca { .. }
            | LifetimeStart { .. }
            | LifetimeEnd { .. }
            | StackSave
            | StackRestore { .. }
            | Call(_)
            | Check { .. }
            | Assume { .. }
            | DebugValue { .. }
            | ObjectSize { .. }
            | Opaque { .. } => {}
        }
    }

    fn access(&mut self, module: &Module, bases: &Bases, ptr: &Operand, read: bool, write: bool) {
        for b in bases.of(module, ptr) {
            match b {
                Base::Global(g) => {
                    if read {
                        self.reads.insert(g);
                    }
                    if write {
                        self.writes.insert(g);
                    }
                }
                // Its own stack; functions are no memory (the access fails a check).
                Base::Stack(_) | Base::Func(_) => {}
                Base::Unknown => {
                    self.reads_unknown |= read;
                    self.writes_unknown |= write;
                }
            }
        }
    }
}
