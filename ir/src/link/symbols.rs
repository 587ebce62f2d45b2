//! Which modules take part, what each name means, and what is live.

use super::{LinkError, LinkOptions};
use crate::constant::SymbolRef;
use crate::entity::{AliasId, FuncId, GlobalId};
use crate::module::{Linkage, Module};
use crate::remap::{self, Use};
use std::collections::{BTreeMap, BTreeSet};

/// A symbol of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Sym {
    pub module: usize,
    pub symbol: SymbolRef,
}

/// How much a symbol is a definition; larger wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    WeakDeclaration,
    Declaration,
    AvailableExternally,
    Weak,
    Common,
    Strong,
}

impl Rank {
    /// What an ELF linker sees as a definition.
    pub fn defines(self) -> bool {
        self >= Rank::Weak
    }
}

pub(super) struct Linker<'a> {
    pub modules: Vec<&'a Module>,
    /// Modules from this one on are models.
    pub first_model: usize,
    /// Linker-visible symbols of the program by name, in link order.
    pub program: Names<'a>,
    /// The same for the models.
    pub models: Names<'a>,
    /// What each linker-visible name stands for.
    definitions: BTreeMap<&'a str, (Sym, Rank)>,
    /// Live symbols: they get a place in the result unless they stand for the definition of their name.
    pub live: BTreeSet<Sym>,
    options: &'a LinkOptions,
}

impl<'a> Linker<'a> {
    pub fn new(objects: &'a [Module], options: &'a LinkOptions) -> Result<Linker<'a>, LinkError> {
        let mut modules: Vec<&Module> = objects.iter().collect();
        pull_members(&mut modules, options);
        let first_model = modules.len();
        modules.extend(&options.models);
        same_target(&modules)?;
        let (program, models) = modules.split_at(first_model);
        let (program, models) = (table(program, 0), table(models, first_model));
        let mut definitions = BTreeMap::new();
        for name in program.keys().chain(models.keys()) {
            if let Some(d) = definition(&program, &models, name) {
                definitions.insert(*name, d);
            }
        }
        Ok(Linker { modules, first_model, program, models, definitions, live: BTreeSet::new(), options })
    }

    /// The definition that a linker-visible name stands for.
    pub fn definition(&self, name: &str) -> Option<(Sym, Rank)> {
        self.definitions.get(name).copied()
    }

    /// The linker-visible name of a symbol; `None` when it is internal.
    pub fn visible_name(&self, s: Sym) -> Option<&'a str> {
        let m = self.modules[s.module];
        (linkage(m, s.symbol) != Linkage::Internal).then(|| m.symbol_name(s.symbol))
    }

    /// Computes what is live. Everything of the program that is a definition and the one of its name; from there,
    /// whatever is used.
    pub fn resolve(&mut self) {
        let mut work = Vec::new();
        for module in 0..self.first_model {
            for symbol in symbols(self.modules[module]) {
                let s = Sym { module, symbol };
                let keep = match self.visible_name(s) {
                    None => true,
                    Some(name) => match rank(self.modules[module], symbol) {
                        Rank::Declaration | Rank::WeakDeclaration => {
                            !self.options.strip_unreferenced_declarations && self.definition(name).is_none()
                        }
                        // Only if it is used.
                        Rank::AvailableExternally => false,
                        // Appending ones are concatenated: all of them stay.
                        _ => {
                            self.definition(name).is_some_and(|(d, _)| d == s)
                                || is_appending(self.modules[module], symbol)
                        }
                    },
                };
                if keep {
                    work.push(s);
                }
            }
            let m = self.modules[module];
            for c in m.constructors.iter().chain(&m.destructors) {
                self.reference(Sym { module, symbol: SymbolRef::Func(c.func) }, &mut work);
            }
        }
        for root in &self.options.roots {
            if let Some((s, _)) = self.definition(root) {
                work.push(s);
            }
        }
        let mut structors_of = BTreeSet::new();
        while let Some(s) = work.pop() {
            if !self.live.insert(s) {
                continue;
            }
            let m = self.modules[s.module];
            // A model's constructors set up what its functions use.
            let defined = rank(m, s.symbol) > Rank::Declaration;
            if s.module >= self.first_model && defined && structors_of.insert(s.module) {
                for c in m.constructors.iter().chain(&m.destructors) {
                    work.push(Sym { module: s.module, symbol: SymbolRef::Func(c.func) });
                }
            }
            let mut uses = Vec::new();
            match s.symbol {
                SymbolRef::Func(f) => remap::uses_of_function(m.func(f), |u| uses.push(u)),
                SymbolRef::Global(g) => remap::uses_of_global(m.global(g), |u| uses.push(u)),
                SymbolRef::Alias(a) => uses.push(Use::Own(m.alias(a).target)),
            }
            for u in uses {
                match u {
                    Use::Own(symbol) if rank(m, symbol) > Rank::Declaration => {
                        work.push(Sym { module: s.module, symbol });
                    }
                    Use::Own(symbol) | Use::Symbol(symbol) => {
                        self.reference(Sym { module: s.module, symbol }, &mut work)
                    }
                }
            }
        }
    }

    /// A use by name makes the definition live, or the declaration when there is none.
    fn reference(&self, s: Sym, work: &mut Vec<Sym>) {
        let definition = self.visible_name(s).and_then(|n| self.definition(n));
        work.push(definition.map_or(s, |(d, _)| d));
    }
}

type Names<'a> = BTreeMap<&'a str, Vec<(Sym, Rank)>>;

/// The program's definition, else the models', else an `available_externally` body.
fn definition(program: &Names, models: &Names, name: &str) -> Option<(Sym, Rank)> {
    let own = program.get(name).and_then(|all| best(all));
    if own.is_some_and(|(_, r)| r.defines()) {
        return own;
    }
    let model = models.get(name).and_then(|all| best(all)).filter(|(_, r)| r.defines());
    model.or(own.filter(|(_, r)| *r == Rank::AvailableExternally))
}

fn best(all: &[(Sym, Rank)]) -> Option<(Sym, Rank)> {
    // `max_by_key` gives the last of equals.
    all.iter().rev().max_by_key(|(_, r)| *r).copied()
}

/// Every symbol of a module.
pub(super) fn symbols(m: &Module) -> impl Iterator<Item = SymbolRef> + use<> {
    let globals = (0..m.globals.len()).map(|i| SymbolRef::Global(GlobalId::new(i)));
    let functions = (0..m.functions.len()).map(|i| SymbolRef::Func(FuncId::new(i)));
    globals.chain(functions).chain((0..m.aliases.len()).map(|i| SymbolRef::Alias(AliasId::new(i))))
}

pub(super) fn linkage(m: &Module, s: SymbolRef) -> Linkage {
    match s {
        SymbolRef::Global(g) => m.global(g).linkage,
        SymbolRef::Func(f) => m.func(f).linkage,
        SymbolRef::Alias(a) => m.alias(a).linkage,
    }
}

pub(super) fn is_appending(m: &Module, s: SymbolRef) -> bool {
    linkage(m, s) == Linkage::Appending
}

fn comdat(m: &Module, s: SymbolRef) -> Option<&str> {
    match s {
        SymbolRef::Global(g) => m.global(g).comdat.as_deref(),
        SymbolRef::Func(f) => m.func(f).comdat.as_deref(),
        SymbolRef::Alias(_) => None,
    }
}

/// The rank of a symbol on its own, COMDAT not considered.
pub(super) fn rank(m: &Module, s: SymbolRef) -> Rank {
    let defined = match s {
        SymbolRef::Global(g) => m.global(g).init.is_some(),
        SymbolRef::Func(f) => m.func(f).body.is_some(),
        SymbolRef::Alias(_) => true,
    };
    match (defined, linkage(m, s)) {
        (false, Linkage::Weak) => Rank::WeakDeclaration,
        (false, _) => Rank::Declaration,
        (true, Linkage::AvailableExternally) => Rank::AvailableExternally,
        (true, Linkage::Weak) => Rank::Weak,
        (true, Linkage::Common) => Rank::Common,
        (true, Linkage::External | Linkage::Internal | Linkage::Appending) => Rank::Strong,
    }
}

fn table<'a>(modules: &[&'a Module], first: usize) -> Names<'a> {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    let mut names = Names::new();
    for (i, m) in modules.iter().enumerate() {
        for symbol in symbols(m) {
            if linkage(m, symbol) == Linkage::Internal {
                continue;
            }
            let mut r = rank(m, symbol);
            if let Some(c) = comdat(m, symbol)
                && r > Rank::Declaration
                && *groups.entry(c).or_insert(i) != i
            {
                r = Rank::Declaration;
            }
            names.entry(m.symbol_name(symbol)).or_default().push((Sym { module: first + i, symbol }, r));
        }
    }
    names
}

/// What the modules so far say about a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Used, not weakly, and not defined.
    Undefined,
    Common,
    Defined,
}

/// Adds the needed archive members to the modules.
fn pull_members<'a>(modules: &mut Vec<&'a Module>, options: &'a LinkOptions) {
    // Per archive: the first member with a definition (or a common) of each name, and the first with a definition.
    let index: Vec<[BTreeMap<&str, usize>; 2]> = (options.archives.iter())
        .map(|a| {
            let mut maps = [BTreeMap::new(), BTreeMap::new()];
            for (i, m) in a.members.iter().enumerate() {
                for s in symbols(m).filter(|s| linkage(m, *s) != Linkage::Internal) {
                    let r = rank(m, s);
                    if r.defines() {
                        maps[0].entry(m.symbol_name(s)).or_insert(i);
                        if r != Rank::Common {
                            maps[1].entry(m.symbol_name(s)).or_insert(i);
                        }
                    }
                }
            }
            maps
        })
        .collect();
    let mut states: BTreeMap<&str, State> = BTreeMap::new();
    for r in &options.roots {
        states.insert(r, State::Undefined);
    }
    for m in modules.iter() {
        note_states(m, &mut states);
    }
    let mut pulled: BTreeSet<(usize, usize)> = BTreeSet::new();
    loop {
        // All that are needed now, in archive order.
        let wanted = states.iter().filter_map(|(name, state)| {
            let which = match state {
                State::Undefined => 0,
                State::Common => 1,
                State::Defined => return None,
            };
            let hits = index.iter().enumerate().filter_map(|(a, maps)| maps[which].get(name).map(|m| (a, *m)));
            hits.min().filter(|hit| !pulled.contains(hit))
        });
        let round: BTreeSet<(usize, usize)> = wanted.collect();
        if round.is_empty() {
            return;
        }
        for (a, i) in round {
            let m = &options.archives[a].members[i];
            // A member pulled earlier in this round may have defined what this one was wanted for.
            let still = symbols(m).filter(|s| linkage(m, *s) != Linkage::Internal).any(|s| {
                match (rank(m, s), states.get(m.symbol_name(s))) {
                    (r, Some(State::Undefined)) => r.defines(),
                    (r, Some(State::Common)) => r.defines() && r != Rank::Common,
                    _ => false,
                }
            });
            if still {
                pulled.insert((a, i));
                modules.push(m);
                note_states(m, &mut states);
            }
        }
    }
}

fn note_states<'a>(m: &'a Module, states: &mut BTreeMap<&'a str, State>) {
    let mut used = BTreeSet::new();
    let mut note = |u: Use| {
        let (Use::Symbol(s) | Use::Own(s)) = u;
        used.insert(s);
    };
    m.functions.iter().for_each(|f| remap::uses_of_function(f, &mut note));
    m.globals.iter().for_each(|g| remap::uses_of_global(g, &mut note));
    m.aliases.iter().for_each(|a| note(Use::Own(a.target)));
    for s in symbols(m) {
        if linkage(m, s) == Linkage::Internal {
            continue;
        }
        let new = match rank(m, s) {
            Rank::WeakDeclaration => continue,
            Rank::Declaration | Rank::AvailableExternally if !used.contains(&s) => continue,
            Rank::Declaration | Rank::AvailableExternally => State::Undefined,
            Rank::Common => State::Common,
            Rank::Weak | Rank::Strong => State::Defined,
        };
        let old = states.entry(m.symbol_name(s)).or_insert(new);
        let order = |s: State| match s {
            State::Undefined => 0,
            State::Common => 1,
            State::Defined => 2,
        };
        if order(new) > order(*old) {
            *old = new;
        }
    }
}

fn same_target(modules: &[&Module]) -> Result<(), LinkError> {
    let name = |m: &Module| m.units.first().map_or_else(|| "a unit".to_string(), |u| u.source.clone());
    let describe = |m: &Module| {
        let order = if m.target.big_endian { "big" } else { "little" };
        format!("{} ({}-bit, {order}-endian)", m.target.triple, m.target.pointer_bits)
    };
    let Some((first, rest)) = modules.split_first() else { return Ok(()) };
    let machine = |m: &Module| (m.target.pointer_bits, m.target.big_endian);
    match rest.iter().find(|m| machine(m) != machine(first)) {
        None => Ok(()),
        Some(second) => Err(LinkError::Target {
            first: name(first),
            first_target: describe(first),
            second: name(second),
            second_target: describe(second),
        }),
    }
}
