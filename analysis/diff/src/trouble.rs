//! What in a function's code keeps it from being called equal, whatever its instructions are: records whose layout
//! changed, used in other ways than by their fields; atomic accesses, whose memory orders the IR does not have.
//!
//! Fields go by name (see [`crate::layouts`]), so an address inside a changed record may only be read or written, handed
//! on, or go on to a field; its distance from other addresses, its bytes, and copies of it are other in each version.

use crate::layouts::Layouts;
use std::collections::BTreeSet;
use verify_ir::inst::{IntPred, Step};
use verify_ir::{CType, Const, FuncId, InstKind, Module, Operand, SymbolRef, Ty, TypeId, Value};

/// The reason, if there is one.
pub(crate) fn trouble(m: &Module, l: &Layouts, f: FuncId) -> Option<&'static str> {
    let body = m.func(f).body.as_ref()?;
    let insts = || body.blocks.iter().flat_map(|b| &b.insts);
    let atomic = insts().any(|i| match &i.kind {
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => *atomic,
        InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => true,
        _ => false,
    });
    if atomic {
        return Some("atomic accesses: their memory order is not compared");
    }
    if l.changed.is_empty() || !touches(m, l, f) {
        return None;
    }
    let inside = derived(m, l, f);
    let fine = insts().all(|i| instruction(m, l, f, &inside, &i.kind));
    let by_value = params(m, f).iter().any(|t| l.touches(m, *t));
    (!fine || by_value).then_some("a record whose layout changed is used other than by its fields")
}

/// The name of a record of changed layout that an instruction has to do with.
pub(crate) fn record_of(m: &Module, l: &Layouts, f: FuncId, kind: &InstKind) -> Option<String> {
    let of = |t: TypeId| -> Option<String> {
        let name = match m.ctype(strip(m, t)) {
            CType::Record(r) => r.name.clone(),
            _ => String::new(),
        };
        l.touches(m, t).then_some(name)
    };
    let found = match kind {
        InstKind::Addr { steps, .. } => steps.iter().find_map(|s| match s {
            Step::Field { record, .. } => record.and_then(of),
            Step::Index { elem, .. } => elem.and_then(of),
        }),
        InstKind::Alloca { ctype, .. } => ctype.and_then(of),
        _ => None,
    };
    // A constant that a size went into says no more than that the function has to do with such a record.
    let sized = || {
        let steps = params(m, f).into_iter();
        let mut steps = steps.filter_map(|t| of(t).or_else(|| pointee(m, t).and_then(of)));
        let mut some = false;
        kind.for_each_operand(|o| some |= matches!(o, Operand::Const(Const::Int { .. })));
        if some { steps.next_back() } else { None }
    };
    found.or_else(sized).filter(|n| !n.is_empty())
}

fn params(m: &Module, f: FuncId) -> Vec<TypeId> {
    let Some(t) = m.func(f).ctype else { return Vec::new() };
    match m.ctype(strip(m, t)) {
        CType::Function { ret, params, .. } => params.iter().chain([ret]).copied().collect(),
        _ => Vec::new(),
    }
}

fn strip(m: &Module, mut t: TypeId) -> TypeId {
    for _ in 0..64 {
        t = match m.ctype(t) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => *ty,
            _ => return t,
        };
    }
    t
}

fn pointee(m: &Module, t: TypeId) -> Option<TypeId> {
    match m.ctype(strip(m, t)) {
        CType::Pointer(t) => Some(strip(m, *t)),
        _ => None,
    }
}

fn step_touches(m: &Module, l: &Layouts, s: &Step) -> bool {
    match s {
        Step::Field { record, .. } => record.is_some_and(|t| l.touches(m, t)),
        Step::Index { elem, .. } => elem.is_some_and(|t| l.touches(m, t)),
    }
}

/// The function has to do with a changed record, as far as its types tell.
pub(crate) fn touches(m: &Module, l: &Layouts, f: FuncId) -> bool {
    let Some(body) = &m.func(f).body else { return false };
    let global = |o: &Operand| match o {
        Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
            // Literals have no type: they may be one of the record.
            SymbolRef::Global(g) => m.global(g).ctype.is_some_and(|t| l.touches(m, t)),
            _ => false,
        },
        _ => false,
    };
    let types = params(m, f).iter().any(|t| l.touches(m, *t) || pointee(m, *t).is_some_and(|t| l.touches(m, t)));
    types
        || body.blocks.iter().flat_map(|b| &b.insts).any(|i| {
            let mut found = match &i.kind {
                InstKind::Addr { steps, .. } => steps.iter().any(|s| step_touches(m, l, s)),
                InstKind::Alloca { ctype, .. } => ctype.is_some_and(|t| l.touches(m, t)),
                _ => false,
            };
            i.kind.for_each_operand(|o| found |= global(o));
            found
        })
}

/// Addresses computed by way of a changed record.
fn derived(m: &Module, l: &Layouts, f: FuncId) -> BTreeSet<Value> {
    let mut out = BTreeSet::new();
    let Some(body) = &m.func(f).body else { return out };
    let mut grown = true;
    while grown {
        grown = false;
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Addr { base, steps, .. } = &i.kind
                && (steps.iter().any(|s| step_touches(m, l, s)) || base.as_value().is_some_and(|v| out.contains(&v)))
            {
                grown |= out.insert(i.results[0]);
            }
        }
    }
    out
}

fn instruction(m: &Module, l: &Layouts, f: FuncId, inside: &BTreeSet<Value>, kind: &InstKind) -> bool {
    let is = |o: &Operand| o.as_value().is_some_and(|v| inside.contains(&v));
    match kind {
        InstKind::Load { ptr, .. } => typed(m, l, f, inside, ptr),
        InstKind::Store { ptr, .. } => typed(m, l, f, inside, ptr),
        InstKind::Addr { base, steps, .. } => {
            // From a field on, only further in.
            let further = |s: &Step| !matches!(s, Step::Index { count: None, .. });
            (!is(base) || steps.iter().all(further)) && (is(base) || typed_base(m, l, f, base, steps))
        }
        InstKind::Icmp { pred: IntPred::Eq | IntPred::Ne, .. } | InstKind::DebugValue { .. } => true,
        InstKind::Alloca { .. } | InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } => true,
        InstKind::Call(c) => {
            let by_address = c.params.iter().any(|p| p.attrs.byval.is_some() || p.attrs.sret.is_some());
            // Code of other origin sees the bytes.
            let outside = match &c.callee {
                Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
                    SymbolRef::Func(g) => {
                        let info = m.func(g);
                        let library = m.units.get(info.unit.index()).is_some_and(|u| u.model);
                        (info.body.is_none() || library) && info.name != "free"
                    }
                    _ => true,
                },
                _ => false,
            };
            let pointer = |o: &Operand| m.func(f).body.as_ref().is_some_and(|b| b.operand_ty(o) == Ty::Ptr);
            let seen = |o: &Operand| pointer(o) && (is(o) || !typed(m, l, f, inside, o));
            !(by_address || outside && c.args.iter().any(seen))
        }
        // Copies, sizes and addresses as numbers.
        InstKind::MemCopy { .. } | InstKind::MemSet { .. } | InstKind::ObjectSize { .. } | InstKind::InlineAsm(_) => {
            false
        }
        InstKind::Cast { op: verify_ir::inst::CastOp::PtrToInt, .. } => false,
        other => {
            let mut none = true;
            other.for_each_operand(|o| none &= !is(o));
            none
        }
    }
}

/// What is read or written is a field, or nothing of a changed record.
fn typed(m: &Module, l: &Layouts, f: FuncId, inside: &BTreeSet<Value>, ptr: &Operand) -> bool {
    ptr.as_value().is_some_and(|v| inside.contains(&v)) || begins_typed(m, l, f, ptr)
}

/// By its definition, a pointer is to a field, or to nothing of a changed record.
fn begins_typed(m: &Module, l: &Layouts, f: FuncId, ptr: &Operand) -> bool {
    let Some(body) = &m.func(f).body else { return false };
    let Some(v) = ptr.as_value() else { return plain(m, l, ptr) };
    let def = body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(&v));
    match def.map(|i| &i.kind) {
        Some(InstKind::Addr { .. }) => true,
        Some(InstKind::Alloca { ctype, .. }) => ctype.is_some_and(|t| !l.touches(m, t)),
        Some(_) => false,
        None => param(m, l, f, v),
    }
}

/// An address that is computed without way of a changed record begins in something else.
fn typed_base(m: &Module, l: &Layouts, f: FuncId, base: &Operand, steps: &[Step]) -> bool {
    if steps.iter().any(|s| step_touches(m, l, s)) {
        return true;
    }
    // A field of another record, by its type.
    if matches!(steps.first(), Some(Step::Field { record: Some(_), .. })) {
        return true;
    }
    begins_typed(m, l, f, base)
}

fn plain(m: &Module, l: &Layouts, o: &Operand) -> bool {
    match o {
        Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
            SymbolRef::Global(g) => m.global(g).ctype.is_some_and(|t| !l.touches(m, t)),
            _ => true,
        },
        _ => true,
    }
}

/// A parameter of the function that points to something else.
fn param(m: &Module, l: &Layouts, f: FuncId, v: Value) -> bool {
    let Some(body) = &m.func(f).body else { return false };
    let Some(t) = m.func(f).ctype else { return false };
    let CType::Function { params, .. } = m.ctype(strip(m, t)) else { return false };
    let at = body.blocks[0].params.iter().position(|p| *p == v);
    let to = at.and_then(|i| params.get(i)).and_then(|t| pointee(m, *t));
    to.is_some_and(|t| !l.touches(m, t) && !matches!(m.ctype(t), CType::Void))
}
