//! Visits every id of a function, global or alias that points outside it, to be replaced in place. The linker
//! renumbers with it; any other pass that moves things between modules can.

use crate::constant::{Const, Operand, SymbolRef};
use crate::entity::{FuncId, SpanId, TypeId, UnitId};
use crate::function::{Body, Function};
use crate::inst::{InstKind, Step, Terminator};
use crate::module::{Alias, Global, InitData};

/// New ids for old ones. `self` is mutable so that an implementation can make entries on demand.
pub trait Remap {
    /// A source position.
    fn span(&mut self, s: SpanId) -> SpanId;
    /// A C type.
    fn ctype(&mut self, t: TypeId) -> TypeId;
    /// A unit.
    fn unit(&mut self, u: UnitId) -> UnitId;
    /// What a use of a symbol's address refers to.
    fn symbol(&mut self, s: SymbolRef) -> SymbolRef;
    /// What an alias refers to: the definition beside it, whatever its name resolves to elsewhere.
    fn alias_target(&mut self, s: SymbolRef) -> SymbolRef;
    /// The function that owns a block whose address is taken.
    fn block_owner(&mut self, f: FuncId) -> FuncId;
}

/// Replaces the ids in a function.
pub fn function(f: &mut Function, r: &mut impl Remap) {
    f.unit = r.unit(f.unit);
    f.span = r.span(f.span);
    f.ctype = f.ctype.map(|t| r.ctype(t));
    if let Some(b) = &mut f.body {
        body(b, r);
    }
}

fn body(b: &mut Body, r: &mut impl Remap) {
    for v in &mut b.vars {
        v.ctype = v.ctype.map(|t| r.ctype(t));
        v.span = r.span(v.span);
    }
    for block in &mut b.blocks {
        for inst in &mut block.insts {
            inst.span = r.span(inst.span);
            match &mut inst.kind {
                InstKind::Addr { steps, .. } => {
                    for s in steps {
                        let (Step::Field { record: t, .. } | Step::Index { elem: t, .. }) = s;
                        *t = t.map(|t| r.ctype(t));
                    }
                }
                InstKind::Alloca { ctype, .. } => *ctype = ctype.map(|t| r.ctype(t)),
                _ => {}
            }
            inst.kind.for_each_operand_mut(|o| operand(o, r));
        }
        block.term_span = r.span(block.term_span);
        block.term.for_each_operand_mut(|o| operand(o, r));
        if let Terminator::Switch { cases, .. } = &mut block.term {
            cases.iter_mut().for_each(|(c, _)| constant(c, r));
        }
    }
}

fn operand(o: &mut Operand, r: &mut impl Remap) {
    if let Operand::Const(c) = o {
        constant(c, r);
    }
}

fn constant(c: &mut Const, r: &mut impl Remap) {
    match c {
        Const::Symbol(s) => *s = r.symbol(*s),
        Const::BlockAddr(f, _) => *f = r.block_owner(*f),
        _ => {}
    }
}

/// Replaces the ids in a global.
pub fn global(g: &mut Global, r: &mut impl Remap) {
    g.unit = r.unit(g.unit);
    g.span = r.span(g.span);
    g.ctype = g.ctype.map(|t| r.ctype(t));
    for p in g.init.iter_mut().flat_map(|i| &mut i.pieces) {
        init_data(&mut p.data, r);
    }
}

fn init_data(d: &mut InitData, r: &mut impl Remap) {
    match d {
        InitData::Bytes(_) | InitData::Undef(_) => {}
        InitData::Address { symbol, .. } => *symbol = r.symbol(*symbol),
        InitData::BlockAddr { func, .. } => *func = r.block_owner(*func),
        InitData::Difference { left, right, .. } => {
            init_data(left, r);
            init_data(right, r);
        }
    }
}

/// Replaces the ids in an alias.
pub fn alias(a: &mut Alias, r: &mut impl Remap) {
    a.unit = r.unit(a.unit);
    a.target = r.alias_target(a.target);
}

/// A use of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Its address, by name.
    Symbol(SymbolRef),
    /// The definition in this module, whatever the name resolves to: alias targets, owners of blocks.
    Own(SymbolRef),
}

/// Calls `f` for every use of a symbol in a function's body.
pub fn uses_of_function(f: &Function, mut visit: impl FnMut(Use)) {
    let mut op = |o: &Operand| match o {
        Operand::Const(Const::Symbol(s)) => visit(Use::Symbol(*s)),
        Operand::Const(Const::BlockAddr(f, _)) => visit(Use::Own(SymbolRef::Func(*f))),
        _ => {}
    };
    for b in f.body.iter().flat_map(|b| &b.blocks) {
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut op));
        b.term.for_each_operand(&mut op);
    }
}

/// Calls `f` for every use of a symbol in a global's initialiser.
pub fn uses_of_global(g: &Global, mut visit: impl FnMut(Use)) {
    fn data(d: &InitData, visit: &mut impl FnMut(Use)) {
        match d {
            InitData::Bytes(_) | InitData::Undef(_) => {}
            InitData::Address { symbol, .. } => visit(Use::Symbol(*symbol)),
            InitData::BlockAddr { func, .. } => visit(Use::Own(SymbolRef::Func(*func))),
            InitData::Difference { left, right, .. } => {
                data(left, visit);
                data(right, visit);
            }
        }
    }
    for p in g.init.iter().flat_map(|i| &i.pieces) {
        data(&p.data, &mut visit);
    }
}
