//! What in a function's code keeps it from being called equal, whatever its instructions are: records whose layout
//! changed, used in other ways than by their fields; atomic accesses and fences, which proofs know nothing of (code that is
//! the same has them in the same places, with the same memory orders).
//!
//! Fields go by name (see [`crate::layouts`]), so an address inside a changed record may only be read or written, handed
//! on, or go on to a field; its distance from other addresses, its bytes, and copies of it are other in each version.
//! Nor may a pointer to such a record become one to something else, `void` included: behind it nobody knows any more
//! that its fields go by name (see [`crate::views`]).

use crate::layouts::{Layouts, strip};
use crate::views::{Seen, Views};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::function::BlockData;
use verify_ir::inst::{IntPred, Step};
use verify_ir::{Body, CType, Const, FuncId, Function, Inst, InstKind, Module, Operand, SymbolRef};
use verify_ir::{Terminator, Ty, TypeId};

/// The reason for code that is not the same; of code that is, [`layout`] alone counts.
pub(crate) fn trouble(m: &Module, l: &Layouts, f: FuncId) -> Option<&'static str> {
    let body = m.func(f).body.as_ref()?;
    let insts = || body.blocks.iter().flat_map(|b| &b.insts);
    let atomic = insts().any(|i| match &i.kind {
        InstKind::Load { atomic, .. } | InstKind::Store { atomic, .. } => *atomic,
        InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } => true,
        _ => false,
    });
    if atomic || !m.func(f).attrs.memory_orders.is_empty() {
        return Some("atomic accesses or fences: compared only where all of the code is the same");
    }
    if !m.func(f).attrs.beside.is_empty() {
        return Some(
            "a call by another convention, or an alignment taken for granted: compared only where all is the same",
        );
    }
    layout(m, l, f)
}

/// A record whose layout changed, used in another way than by its fields.
pub(crate) fn layout(m: &Module, l: &Layouts, f: FuncId) -> Option<&'static str> {
    let body = m.func(f).body.as_ref()?;
    let insts = || body.blocks.iter().flat_map(|b| &b.insts);
    if l.is_empty() || !(touches(m, l, f) || hands_over(m, l, body) || copies_pointers(m, l, f, body)) {
        return None;
    }
    if l.unclear.as_ref().is_some_and(|l| touches(m, l, f)) {
        return Some("a record whose layout changed has a name that does not say which one it is");
    }
    let v = Views::new(m, l, f);
    let ret = m.func(f).ctype.and_then(|t| match m.ctype(strip(m, t)) {
        CType::Function { ret, .. } => Some(*ret),
        _ => None,
    });
    let returned = |b: &BlockData| match &b.term {
        Terminator::Return(values) => values.iter().all(|o| v.stays(o, ret)),
        _ => true,
    };
    let fine = insts().all(|i| instruction(&v, body, m, i)) && body.blocks.iter().all(returned);
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

fn pointee(m: &Module, t: TypeId) -> Option<TypeId> {
    match m.ctype(strip(m, t)) {
        CType::Pointer(t) => Some(strip(m, *t)),
        _ => None,
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
    let v = Views::new(m, l, f);
    types
        || v.any_touched(body)
        || body.blocks.iter().flat_map(|b| &b.insts).any(|i| {
            let mut found = match &i.kind {
                InstKind::Addr { steps, .. } => steps.iter().any(|s| v.step_touches(s)),
                InstKind::Alloca { ctype, .. } => ctype.is_some_and(|t| l.touches(m, t)),
                _ => false,
            };
            i.kind.for_each_operand(|o| found |= global(o));
            found
        })
}

/// It copies pointers to changed records as bytes, and not to where such are.
fn copies_pointers(m: &Module, l: &Layouts, f: FuncId, body: &Body) -> bool {
    let copies = || {
        body.blocks.iter().flat_map(|b| &b.insts).filter_map(|i| match &i.kind {
            InstKind::MemCopy { dst, src, .. } => Some((dst, src)),
            _ => None,
        })
    };
    if copies().next().is_none() {
        return false;
    }
    let v = Views::new(m, l, f);
    copies().any(|(dst, src)| !v.copies(dst, src))
}

/// It calls a function that takes a pointer to something unknown for one to a changed record.
fn hands_over(m: &Module, l: &Layouts, body: &Body) -> bool {
    body.blocks.iter().flat_map(|b| &b.insts).any(|i| match &i.kind {
        InstKind::Call(c) => match &c.callee {
            Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
                SymbolRef::Func(g) => !become_records(m, l, g, &mut Becoming::new()).is_empty(),
                _ => false,
            },
            _ => false,
        },
        _ => false,
    })
}

/// By function, the parameters that come as pointers to something unknown and are used as changed records.
type Becoming = BTreeMap<FuncId, BTreeSet<usize>>;

/// Of a function, and of those that it hands its parameters on to.
fn become_records(m: &Module, l: &Layouts, f: FuncId, known: &mut Becoming) -> BTreeSet<usize> {
    if let Some(all) = known.get(&f) {
        return all.clone();
    }
    known.insert(f, BTreeSet::new());
    let address = |t: &TypeId| pointee(m, *t).is_some_and(|t| *m.ctype(t) == CType::Void);
    let all = match &m.func(f).body {
        Some(body) if params(m, f).iter().any(address) => {
            Views::new(m, l, f).become_records(body, &mut |g| become_records(m, l, g, known))
        }
        _ => BTreeSet::new(),
    };
    known.insert(f, all.clone());
    all
}

fn instruction(v: &Views<'_>, body: &Body, m: &Module, i: &Inst) -> bool {
    let within = |t: TypeId, bytes: Option<u64>| bytes.is_some_and(|n| n <= v.size(t));
    // What is read or written is a field, or nothing of a changed record.
    let accessed = |ptr: &Operand, bytes: Option<u64>| match v.of(ptr) {
        Seen::Type(t) => !v.touched(ptr) && (!v.is_inside(ptr) || within(t, bytes)),
        Seen::Other => !v.is_inside(ptr),
        Seen::Nothing => true,
        Seen::Unknown | Seen::Mixed => false,
    };
    // What it points to is known, and nothing of a changed record.
    let unconcerned = |o: &Operand| body.operand_ty(o) != Ty::Ptr || accessed(o, None);
    let bytes = |ty: Ty| Some(ty.store_bytes(&m.target));
    match &i.kind {
        InstKind::Load { ptr, .. } => accessed(ptr, i.results.first().and_then(|r| bytes(body.ty(*r)))),
        InstKind::Store { ptr, value, .. } => {
            let slot = match v.of(ptr) {
                Seen::Type(t) => Some(t),
                _ => None,
            };
            accessed(ptr, bytes(body.operand_ty(value))) && v.stays(value, slot)
        }
        InstKind::Addr { base, steps, .. } => {
            // From a field on, only further in.
            let further = |s: &Step| !matches!(s, Step::Index { count: None, .. });
            if v.is_inside(base) && !steps.iter().all(further) {
                return false;
            }
            let Some(first) = steps.first() else { return true };
            // How much room there is, or what is there, is not told where it comes from a call, on one way at least.
            if v.is_called(base) && v.step_touches(first) {
                return false;
            }
            match v.of(base) {
                Seen::Type(t) => !(v.touched(base) || v.step_touches(first)) || v.leads_on(t, first),
                // A record of its own, whatever it was handed over as.
                Seen::Unknown => matches!(first, Step::Field { record: Some(_), .. }) || v.step_touches(first),
                Seen::Other => !v.step_touches(first),
                Seen::Nothing => true,
                Seen::Mixed => false,
            }
        }
        InstKind::Icmp { pred: IntPred::Eq | IntPred::Ne, .. } | InstKind::DebugValue { .. } => true,
        InstKind::Alloca { .. } | InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } => true,
        InstKind::Call(c) => {
            let by_address = c.params.iter().any(|p| p.attrs.byval.is_some() || p.attrs.sret.is_some());
            if by_address {
                return false;
            }
            let called = match &c.callee {
                Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
                    SymbolRef::Func(g) => Some(g),
                    _ => None,
                },
                _ => None,
            };
            let direct = called.map(|g| m.func(g));
            // Code of other origin sees the bytes.
            let library = |f: &Function| m.units.get(f.unit.index()).is_some_and(|u| u.model);
            if let Some(f) = direct
                && (f.body.is_none() || library(f))
            {
                let pointer = |o: &Operand| body.operand_ty(o) == Ty::Ptr;
                return f.name == "free"
                    || !c.args.iter().any(|a| pointer(a) && (v.is_inside(a) || !accessed(a, None)));
            }
            let params = v.callee(&c.callee).map_or(&[][..], |(params, _)| params);
            let known = params.len() == c.args.len();
            if let Some(g) = called
                && become_records(m, v.layouts(), g, &mut Becoming::new()).into_iter().any(|k| {
                    c.args.get(k).is_some_and(|a| !matches!(v.of(a), Seen::Nothing | Seen::Unknown) || v.is_called(a))
                })
            {
                return false;
            }
            c.args.iter().enumerate().all(|(k, a)| v.stays(a, params.get(k).copied().filter(|_| known)))
        }
        // Copies and addresses as numbers of what has nothing to do with it.
        InstKind::MemCopy { .. }
        | InstKind::MemSet { .. }
        | InstKind::InlineAsm(_)
        | InstKind::Cast { op: verify_ir::inst::CastOp::PtrToInt, .. } => {
            let mut fine = true;
            i.kind.for_each_operand(|o| fine &= unconcerned(o));
            if let InstKind::MemCopy { dst, src, .. } = &i.kind {
                fine &= v.copies(dst, src);
            }
            fine
        }
        InstKind::ObjectSize { .. } => false,
        other => {
            let mut none = true;
            other.for_each_operand(|o| none &= !v.is_inside(o));
            none
        }
    }
}
