//! What an instruction reads and writes, as far as one function shows it: coarse classes of memory, as the slicer wants
//! them (malik-2023 §9.2 takes LLVM's basic alias analysis: cheap and simple).

use super::Uses;
use crate::product::is_private;
use std::collections::BTreeSet;
use verify_facts::{Base, Bases};
use verify_ir::{Body, Const, FuncId, GlobalId, InstKind, Linkage, Module, Operand, SymbolRef, Value};

/// A set of places in memory.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    globals: BTreeSet<GlobalId>,
    stack: BTreeSet<Value>,
    /// Whatever a pointer of unknown origin can point to.
    unknown: bool,
    /// Variables that code outside the program has the name of.
    visible: bool,
}

impl Places {
    fn add(&mut self, bases: Vec<Base>) {
        for b in bases {
            match b {
                Base::Global(g) => _ = self.globals.insert(g),
                Base::Stack(v) => _ = self.stack.insert(v),
                Base::Unknown => self.unknown = true,
                Base::Func(_) => {}
            }
        }
    }

    pub fn add_other(&mut self, o: &Places) {
        self.globals.extend(&o.globals);
        self.stack.extend(&o.stack);
        self.unknown |= o.unknown;
        self.visible |= o.visible;
    }

    pub fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.stack.is_empty() && !self.unknown && !self.visible
    }
}

/// What an instruction does to memory.
#[derive(Clone, Default, Debug)]
pub(crate) struct Effect {
    pub reads: Places,
    pub writes: Places,
}

/// Of what functions do, as callers see it.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    pub reads: BTreeSet<GlobalId>,
    pub writes: BTreeSet<GlobalId>,
    pub reads_unknown: bool,
    pub writes_unknown: bool,
}

/// One function's view of memory.
pub(super) struct View<'a> {
    pub m: &'a Module,
    pub uses: &'a Uses,
    pub bases: &'a Bases,
    private: BTreeSet<Value>,
}

impl<'a> View<'a> {
    pub fn new(m: &'a Module, uses: &'a Uses, bases: &'a Bases, body: &Body) -> View<'a> {
        let private = body
            .blocks
            .iter()
            .flat_map(|b| &b.insts)
            .filter(|i| matches!(i.kind, InstKind::Alloca { .. }))
            .map(|i| i.results[0])
            .filter(|v| is_private(body, *v))
            .collect();
        View { m, uses, bases, private }
    }

    /// May the two sets have a byte in common?
    pub fn meet(&self, a: &Places, b: &Places) -> bool {
        let shared = |p: &Places| {
            !p.globals.is_empty() || p.unknown || p.visible || p.stack.iter().any(|v| !self.private.contains(v))
        };
        let named = |p: &Places| p.globals.iter().any(|g| self.m.global(*g).linkage != Linkage::Internal);
        a.globals.intersection(&b.globals).next().is_some()
            || a.stack.intersection(&b.stack).next().is_some()
            || a.unknown && shared(b)
            || b.unknown && shared(a)
            || a.visible && (b.visible || named(b))
            || b.visible && named(a)
    }

    fn places(&self, o: &Operand) -> Places {
        let mut p = Places::default();
        p.add(self.bases.of(self.m, o));
        p
    }

    /// Is what the address points to an object of this function that nothing else points to?
    pub fn own(&self, o: &Operand) -> bool {
        self.bases.of(self.m, o).iter().all(|b| matches!(b, Base::Stack(v) if self.private.contains(v)))
    }

    /// Who is called, when the code says so.
    pub fn callee(&self, o: &Operand) -> Option<FuncId> {
        match o {
            Operand::Const(Const::Symbol(s)) => match self.m.resolve(*s) {
                (SymbolRef::Func(f), 0) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn effect(&self, kind: &InstKind) -> Effect {
        let mut e = Effect::default();
        match kind {
            InstKind::Load { ptr, .. } => e.reads = self.places(ptr),
            InstKind::Store { ptr, .. } => e.writes = self.places(ptr),
            InstKind::MemCopy { dst, src, .. } | InstKind::VaCopy { dst, src } => {
                e.reads = self.places(src);
                e.writes = self.places(dst);
            }
            InstKind::MemSet { dst, .. } => e.writes = self.places(dst),
            InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                e.reads = self.places(ptr);
                e.writes = self.places(ptr);
            }
            InstKind::VaStart { list } | InstKind::VaEnd { list } => e.writes = self.places(list),
            InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } => e.writes = self.places(object),
            InstKind::Call(c) => return self.call(c),
            InstKind::InlineAsm(a) => {
                for o in &a.inputs {
                    e.reads.add_other(&self.places(o));
                }
                for (o, _) in &a.written {
                    e.reads.add_other(&self.places(o));
                    e.writes.add_other(&self.places(o));
                }
                if a.clobbers_memory {
                    e.reads.unknown = true;
                    e.writes.unknown = true;
                }
            }
            InstKind::Unmodelled { .. } => {
                e.reads.unknown = true;
                e.writes.unknown = true;
            }
            _ => {}
        }
        e
    }

    /// Code outside the program reaches what its arguments point to; it may write variables that it has the name of.
    fn call(&self, c: &verify_ir::Call) -> Effect {
        let mut e = Effect::default();
        let mut given = Places::default();
        for a in &c.args {
            given.add_other(&self.places(a));
        }
        let Some(f) = self.callee(&c.callee) else {
            e.reads.unknown = true;
            e.writes.unknown = true;
            return e;
        };
        let info = self.m.func(f);
        if info.body.is_none() {
            if !info.attrs.no_memory {
                e.reads = given.clone();
                if !info.attrs.read_only {
                    given.visible = true;
                    e.writes = given;
                }
            }
            return e;
        }
        let s = self.uses.summary(f);
        e.reads.globals = s.reads.clone();
        e.writes.globals = s.writes.clone();
        if s.reads_unknown {
            e.reads.unknown = true;
            e.reads.add_other(&given);
        }
        if s.writes_unknown {
            e.writes.unknown = true;
            e.writes.add_other(&given);
        }
        e
    }
}
