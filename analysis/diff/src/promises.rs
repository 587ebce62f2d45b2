//! What a declaration promises beside the code: `restrict`, `nonnull`, `returns_nonnull`, `malloc`, `pure`, `const`. To
//! break such a promise has no meaning in C, and compilers build on it, but runs here do not see it. So a new version that
//! promises more than the old one is not equal to it, whatever its code; one that promises less may be.

use std::collections::{BTreeMap, BTreeSet};
use verify_ir::types::Qualifier;
use verify_ir::{CType, Const, FuncId, Function, Module, Operand, SymbolRef, TypeId};

/// What is said of such functions.
pub(crate) const MORE: &str = "the new version promises more (`restrict`, `nonnull`, `pure` or the like), and whether that is kept is not checked";

/// Does the new function promise something that the old one does not?
pub(crate) fn more((old, x): (&Module, FuncId), (new, y): (&Module, FuncId)) -> bool {
    let (f, g) = (old.func(x), new.func(y));
    outside(f, g) || restricted(new, g).iter().any(|(k, n)| restricted(old, f).get(k).is_none_or(|m| m < n))
}

/// The same of what is seen of a function without its body.
fn outside(f: &Function, g: &Function) -> bool {
    let (a, b) = (&f.attrs, &g.attrs);
    let memory = b.no_memory && !a.no_memory || b.read_only && !(a.read_only || a.no_memory);
    let result = b.malloc && !a.malloc || b.returns_nonnull && !a.returns_nonnull;
    let size = b.alloc_size.is_some() && a.alloc_size != b.alloc_size;
    let nonnull = |f: &Function, k: usize| f.sig.params.get(k).is_some_and(|p| p.attrs.nonnull);
    memory || result || size || (0..g.sig.params.len()).any(|k| nonnull(g, k) && !nonnull(f, k))
}

/// How many variables are declared `restrict`: by number of the parameter, local ones together.
fn restricted(m: &Module, f: &Function) -> BTreeMap<u32, u32> {
    let mut out = BTreeMap::new();
    for v in f.body.iter().flat_map(|b| &b.vars) {
        if v.ctype.is_some_and(|t| is_restricted(m, t)) {
            *out.entry(v.param).or_default() += 1;
        }
    }
    out
}

/// A pointer that is declared `restrict`.
fn is_restricted(m: &Module, mut t: TypeId) -> bool {
    loop {
        match m.ctype(t) {
            CType::Qualified { qualifier: Qualifier::Restrict, .. } => return true,
            CType::Qualified { ty, .. } | CType::Typedef { ty, .. } => t = *ty,
            _ => return false,
        }
    }
}

/// Functions outside of the new program that it declares with more promises than the old one does.
pub(crate) fn outsiders(old: &Module, new: &Module) -> BTreeSet<FuncId> {
    let bodiless = |m: &Module| -> Vec<FuncId> {
        (0..m.functions.len()).map(FuncId::new).filter(|f| m.func(*f).body.is_none()).collect()
    };
    let theirs: BTreeMap<&str, FuncId> = bodiless(old).into_iter().map(|f| (old.func(f).name.as_str(), f)).collect();
    let more = |g: &FuncId| theirs.get(new.func(*g).name.as_str()).is_some_and(|f| outside(old.func(*f), new.func(*g)));
    bodiless(new).into_iter().filter(more).collect()
}

/// Does the code name one of these functions?
pub(crate) fn names(m: &Module, f: FuncId, all: &BTreeSet<FuncId>) -> bool {
    let Some(body) = m.func(f).body.as_ref().filter(|_| !all.is_empty()) else { return false };
    let mut found = false;
    let mut look = |o: &Operand| {
        if let Operand::Const(Const::Symbol(s)) = o
            && let SymbolRef::Func(g) = m.resolve(*s).0
        {
            found |= all.contains(&g);
        }
    };
    for b in &body.blocks {
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut look));
        b.term.for_each_operand(&mut look);
    }
    found
}
