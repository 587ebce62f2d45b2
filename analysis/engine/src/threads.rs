//! Which functions threads may disturb. An execution is not followed past the start of a thread, so what memory holds
//! while others run is not known. Not an analysis of races.
//!
//! The units of a program fall into parts that name nothing of each other, neither a function nor a variable: a
//! program that runs is one part, a folder of loose objects often many. A thread that a function of one part starts
//! runs functions of this part, and what it writes is this part's variables or what callers handed in; callers do not
//! let others change meanwhile what they hand in.

use crate::replay::THREAD_STARTERS;
use std::collections::BTreeSet;
use verify_checks::calls::is_model;
use verify_ir::remap::{Use, uses_of_function, uses_of_global};
use verify_ir::{FuncId, Module, SymbolRef};

/// The functions that run where a thread may have been started; none when `externals`, the names of unknown functions
/// that something reaches, has no function that starts one.
pub(crate) fn disturbed(module: &Module, externals: &BTreeSet<String>) -> Vec<bool> {
    let mut starts: Vec<bool> = module
        .functions
        .iter()
        .map(|f| f.body.is_none() && externals.contains(&f.name) && THREAD_STARTERS.contains(&f.name.as_str()))
        .collect();
    if !starts.contains(&true) {
        return starts;
    }
    let named: Vec<Vec<SymbolRef>> = module.functions.iter().map(|f| symbols(|see| uses_of_function(f, see))).collect();
    // A model starts what the functions that it calls start.
    let starter = |starts: &[bool], s: &SymbolRef| func(module, *s).is_some_and(|f| starts[f.index()]);
    loop {
        let more: Vec<usize> = (0..starts.len())
            .filter(|&i| !starts[i] && is_model(module, &module.functions[i]))
            .filter(|&i| named[i].iter().any(|s| starter(&starts, s)))
            .collect();
        if more.is_empty() {
            break;
        }
        more.into_iter().for_each(|i| starts[i] = true);
    }
    let units = module.functions.iter().map(|f| f.unit).chain(module.globals.iter().map(|g| g.unit));
    let mut parts = Parts((0..units.map(|u| u.index() + 1).max().unwrap_or(0)).collect());
    let mut starting = Vec::new();
    for (f, all) in module.functions.iter().zip(&named).filter(|(f, _)| !is_model(module, f)) {
        for s in all {
            if starter(&starts, s) {
                starting.push(f.unit.index());
            }
            if let Some(unit) = defined_in(module, *s) {
                parts.join(f.unit.index(), unit);
            }
        }
    }
    for g in module.globals.iter().filter(|g| !module.units.get(g.unit.index()).is_some_and(|u| u.model)) {
        for s in symbols(|see| uses_of_global(g, see)) {
            if starter(&starts, &s) {
                starting.push(g.unit.index());
            }
            if let Some(unit) = defined_in(module, s) {
                parts.join(g.unit.index(), unit);
            }
        }
    }
    let starting: BTreeSet<usize> = starting.into_iter().map(|u| parts.find(u)).collect();
    module.functions.iter().map(|f| is_model(module, f) || starting.contains(&parts.find(f.unit.index()))).collect()
}

fn symbols(all: impl FnOnce(&mut dyn FnMut(Use))) -> Vec<SymbolRef> {
    let mut out = Vec::new();
    all(&mut |u| {
        if let Use::Symbol(s) = u {
            out.push(s);
        }
    });
    out
}

/// What an alias stands for in the end.
fn target(module: &Module, mut s: SymbolRef) -> SymbolRef {
    for _ in 0..module.aliases.len() {
        match s {
            SymbolRef::Alias(a) => s = module.alias(a).target,
            _ => break,
        }
    }
    s
}

fn func(module: &Module, s: SymbolRef) -> Option<FuncId> {
    match target(module, s) {
        SymbolRef::Func(f) => Some(f),
        _ => None,
    }
}

/// The unit that defines it, unless it is a model.
fn defined_in(module: &Module, s: SymbolRef) -> Option<usize> {
    let unit = match target(module, s) {
        SymbolRef::Func(f) if module.func(f).body.is_some() => module.func(f).unit,
        SymbolRef::Global(g) => module.global(g).unit,
        _ => return None,
    };
    (!module.units.get(unit.index())?.model).then(|| unit.index())
}

/// A partition of the units.
struct Parts(Vec<usize>);

impl Parts {
    fn find(&mut self, mut u: usize) -> usize {
        while self.0[u] != u {
            self.0[u] = self.0[self.0[u]];
            u = self.0[u];
        }
        u
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}
