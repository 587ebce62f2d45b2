//! Which pairs the code of which pair mentions, and what can be got to from there: worked out once, as everything asks.

use crate::pairs::Pairs;
use crate::product::Version;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::{Const, FuncId, GlobalId, InstKind, Module, Operand, SymbolRef};

/// The symbols that the code of one version's functions mentions.
struct Named {
    /// Pairs, by function; those behind the initialisers of variables included.
    pairs: Vec<BTreeSet<u32>>,
    /// Functions that are called directly, by function.
    called: Vec<BTreeSet<FuncId>>,
}

/// What both versions mention.
pub(crate) struct Reach {
    old: Named,
    new: Named,
    /// Both versions of a pair together.
    uses: Vec<Vec<u32>>,
}

impl Named {
    fn new(pairs: &Pairs<'_>, v: Version) -> Named {
        let m = pairs.module(v);
        let mut behind: BTreeMap<GlobalId, BTreeSet<u32>> = BTreeMap::new();
        let mut out = Named { pairs: Vec::new(), called: Vec::new() };
        for f in &m.functions {
            let (mut mentioned, mut called) = (BTreeSet::new(), BTreeSet::new());
            let mut see = |o: &Operand| {
                if let Operand::Const(Const::Symbol(s)) = o {
                    match m.resolve(*s).0 {
                        SymbolRef::Func(g) => mentioned.extend(pairs.class(v, g)),
                        SymbolRef::Global(g) => {
                            mentioned.extend(behind.entry(g).or_insert_with(|| pairs.behind(v, g)).iter());
                        }
                        SymbolRef::Alias(_) => {}
                    }
                }
            };
            for b in f.body.iter().flat_map(|b| &b.blocks) {
                b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut see));
                b.term.for_each_operand(&mut see);
                called.extend(b.insts.iter().filter_map(|i| direct(m, &i.kind)));
            }
            out.pairs.push(mentioned);
            out.called.push(called);
        }
        out
    }
}

/// The function that an instruction calls by its name.
fn direct(m: &Module, k: &InstKind) -> Option<FuncId> {
    let InstKind::Call(c) = k else { return None };
    let Operand::Const(Const::Symbol(s)) = &c.callee else { return None };
    match m.resolve(*s) {
        (SymbolRef::Func(g), 0) => Some(g),
        _ => None,
    }
}

impl Reach {
    pub(crate) fn new(pairs: &Pairs<'_>) -> Reach {
        let (old, new) = (Named::new(pairs, Version::Old), Named::new(pairs, Version::New));
        let both = |p: &crate::pairs::Pair| {
            let (a, b) = (&old.pairs[p.old.index()], &new.pairs[p.new.index()]);
            a.union(b).copied().collect()
        };
        let uses = pairs.pairs.iter().map(both).collect();
        Reach { old, new, uses }
    }

    fn of(&self, v: Version) -> &Named {
        match v {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    /// The pairs that the code of a function mentions.
    pub(crate) fn mentioned(&self, v: Version, f: FuncId) -> &BTreeSet<u32> {
        &self.of(v).pairs[f.index()]
    }

    /// Functions that are called directly.
    pub(crate) fn called(&self, v: Version, f: FuncId) -> &BTreeSet<FuncId> {
        &self.of(v).called[f.index()]
    }

    /// The pairs that either version of a pair mentions, in order.
    pub(crate) fn uses(&self, c: u32) -> &[u32] {
        &self.uses[c as usize]
    }

    /// Everything that a pair uses, directly or not, itself included, in order.
    pub(crate) fn below(&self, c: u32) -> Vec<u32> {
        let mut seen = vec![false; self.uses.len()];
        let mut todo = vec![c];
        seen[c as usize] = true;
        while let Some(c) = todo.pop() {
            for d in self.uses(c) {
                if !std::mem::replace(&mut seen[*d as usize], true) {
                    todo.push(*d);
                }
            }
        }
        (0..).zip(seen).filter(|(_, s)| *s).map(|(d, _)| d).collect()
    }

    /// Functions that are in `set`, and those that get to one of them by calls or names.
    pub(crate) fn getting_to(
        &self,
        pairs: &Pairs<'_>,
        set: &BTreeSet<(Version, FuncId)>,
    ) -> BTreeSet<(Version, FuncId)> {
        let mut back: BTreeMap<(Version, FuncId), Vec<(Version, FuncId)>> = BTreeMap::new();
        for v in [Version::Old, Version::New] {
            for f in (0..pairs.module(v).functions.len()).map(FuncId::new) {
                for g in self.called(v, f) {
                    back.entry((v, *g)).or_default().push((v, f));
                }
                for c in self.mentioned(v, f) {
                    let p = pairs.pairs[*c as usize];
                    back.entry((Version::Old, p.old)).or_default().push((v, f));
                    back.entry((Version::New, p.new)).or_default().push((v, f));
                }
            }
        }
        let mut out = set.clone();
        let mut todo: Vec<(Version, FuncId)> = set.iter().copied().collect();
        while let Some(f) = todo.pop() {
            for g in back.get(&f).into_iter().flatten() {
                if out.insert(*g) {
                    todo.push(*g);
                }
            }
        }
        out
    }
}
