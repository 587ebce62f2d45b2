//! Where objects without a name die that clang gives no end: compound literals and other temporaries live until their
//! block is left (C11 6.5.2.5p5, 6.2.4p6-8), but clang writes lifetime markers for variables only. Their block is the
//! innermost one, by debug information, that has all uses of the address that the code shows; what was stored
//! elsewhere must not be used once control has left it.
//!
//! Only objects whose address goes somewhere (into memory, into a call) need an end. One whose uses are not all
//! attributed to a block, or to the function as a whole, lives as long as the function: that is long enough.

use crate::blocks::Cfg;
use crate::ffi::{DiKind, Md, Opcode, Val, ValueKind};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Markers to put before instructions: objects by allocas.
#[derive(Default)]
pub struct Markers<'m> {
    /// Comes alive before this instruction.
    pub starts: HashMap<Val<'m>, Vec<Val<'m>>>,
    /// Dies before this instruction.
    pub ends: HashMap<Val<'m>, Vec<Val<'m>>>,
}

/// A block of the source, or the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Scope<'m> {
    Block(Md<'m>),
    Function,
}

/// An object without a name.
#[derive(Default)]
struct Temporary<'m> {
    scopes: Vec<Scope<'m>>,
    first: Option<Val<'m>>,
    escapes: bool,
    /// Some use says nothing of its place, or something else ends its life.
    unknown: bool,
}

/// The markers of a function.
pub fn markers<'m>(cfg: &Cfg<'m>, named: &dyn Fn(Val<'m>) -> bool) -> Markers<'m> {
    let reachable = &cfg.insts[..cfg.reachable];
    let mut found: BTreeMap<usize, Temporary<'m>> = BTreeMap::new();
    let mut objects: Vec<Val<'m>> = Vec::new();
    let mut derived: HashMap<Val<'m>, usize> = HashMap::new();
    for v in reachable.iter().flatten() {
        // The program's own `alloca` has a position.
        let i = v.inst();
        if i.op == Some(Opcode::LLVMAlloca) && i.loc.is_none() && !named(*v) {
            derived.insert(*v, objects.len());
            found.insert(objects.len(), Temporary::default());
            objects.push(*v);
        }
    }
    if objects.is_empty() {
        return Markers::default();
    }
    let mut parents = HashMap::new();
    for v in reachable.iter().flatten() {
        let i = v.inst();
        let operands: Vec<Val<'m>> = match i.op {
            Some(Opcode::LLVMPHI) => v.incoming().iter().map(|x| x.0).collect(),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke) => v.call_args(),
            _ => (0..i.n_ops).filter_map(|k| v.operand(k)).collect(),
        };
        for (k, o) in operands.iter().enumerate() {
            let Some(&n) = derived.get(o) else { continue };
            let Some(t) = found.get_mut(&n) else { continue };
            match i.op {
                Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => _ = derived.insert(*v, n),
                Some(Opcode::LLVMLoad) => {}
                Some(Opcode::LLVMStore) => t.escapes |= k == 0,
                Some(Opcode::LLVMCall) => match v.callee().filter(|c| c.kind() == ValueKind::LLVMFunctionValueKind) {
                    Some(f) if f.global().name.starts_with("llvm.lifetime") => t.unknown = true,
                    Some(f) if f.global().name.starts_with("llvm.mem") => {}
                    _ => t.escapes = true,
                },
                Some(Opcode::LLVMInvoke) => t.escapes = true,
                // Chosen, compared, cast: what becomes of it is not followed.
                _ => t.unknown = true,
            }
            match scope(i.loc) {
                Some(s) => t.scopes.push(s),
                None => t.unknown = true,
            }
            t.first.get_or_insert(*v);
        }
    }
    let mut out = Markers::default();
    for (n, t) in found {
        let Some(first) = t.first.filter(|_| t.escapes && !t.unknown) else { continue };
        let Some(Scope::Block(block)) = t.scopes.iter().copied().reduce(|a, b| common(a, b, &mut parents)) else {
            continue;
        };
        out.starts.entry(first).or_default().push(objects[n]);
        for v in exits(cfg, block, &mut parents) {
            out.ends.entry(v).or_default().push(objects[n]);
        }
    }
    out
}

/// The block that a position is in; `None` without a position, and in code of another function.
fn scope<'m>(loc: Option<Md<'m>>) -> Option<Scope<'m>> {
    let d = loc?.di();
    (d.kind == DiKind::Location && d.other.is_none()).then_some(())?;
    Some(of(d.scope?))
}

fn of(md: Md<'_>) -> Scope<'_> {
    match md.di().kind {
        DiKind::Scope => Scope::Block(md),
        _ => Scope::Function,
    }
}

type Parents<'m> = HashMap<Md<'m>, Scope<'m>>;

fn parent<'m>(md: Md<'m>, parents: &mut Parents<'m>) -> Scope<'m> {
    *parents.entry(md).or_insert_with(|| md.di().scope.map_or(Scope::Function, of))
}

/// The block and those around it, innermost first.
fn around<'m>(s: Scope<'m>, parents: &mut Parents<'m>) -> Vec<Md<'m>> {
    let mut out = Vec::new();
    let mut at = s;
    while let Scope::Block(md) = at {
        // Malformed debug information may go in circles.
        if out.contains(&md) {
            break;
        }
        out.push(md);
        at = parent(md, parents);
    }
    out
}

fn common<'m>(a: Scope<'m>, b: Scope<'m>, parents: &mut Parents<'m>) -> Scope<'m> {
    let outer: HashSet<Md<'m>> = around(b, parents).into_iter().collect();
    around(a, parents).into_iter().find(|m| outer.contains(m)).map_or(Scope::Function, Scope::Block)
}

/// The first instructions outside the block on every way out of it.
fn exits<'m>(cfg: &Cfg<'m>, block: Md<'m>, parents: &mut Parents<'m>) -> Vec<Val<'m>> {
    // What has no position belongs to what is before it.
    let mut inside = |v: &Val<'m>| {
        let s = scope(v.inst().loc)?;
        Some(around(s, parents).contains(&block))
    };
    let reachable = &cfg.insts[..cfg.reachable];
    let places: Vec<Vec<(Val<'m>, bool)>> = reachable
        .iter()
        .map(|b| {
            let plain = b.iter().filter(|v| v.inst().op != Some(Opcode::LLVMPHI));
            plain.filter_map(|v| Some((*v, inside(v)?))).collect()
        })
        .collect();
    // Whether control may come from inside, by block; blocks without positions pass it on.
    let mut from_inside = vec![false; places.len()];
    loop {
        let mut changed = false;
        for (i, b) in places.iter().enumerate() {
            let at_end = b.last().map_or(from_inside[i], |(_, inside)| *inside);
            let Some(t) = reachable[i].last().filter(|_| at_end) else { continue };
            for s in t.successors() {
                if let Some(n) = cfg.number.get(&s).map(|n| n.index()).filter(|n| *n < places.len()) {
                    changed |= !from_inside[n];
                    from_inside[n] = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut out = Vec::new();
    for (b, entered) in places.iter().zip(from_inside) {
        let mut before = entered;
        for (v, inside) in b {
            if before && !inside {
                out.push(*v);
            }
            before = *inside;
        }
    }
    out
}
