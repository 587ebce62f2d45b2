//! Copies what is live into one module, with new ids. Spans, files, units and types of models come over on demand.

use super::symbols::{Linker, Rank, Sym, is_appending, linkage, rank};
use super::types::{Classes, map_components};
use super::{Diagnostic, DiagnosticKind};
use crate::constant::SymbolRef;
use crate::entity::{AliasId, FileId, FuncId, GlobalId, SpanId, TypeId, UnitId};
use crate::module::{Global, INLINE, Init, Linkage, Module, Structor, Visibility};
use crate::remap::{self, Remap};
use crate::types::Target;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) fn emit(linker: &Linker, diagnostics: &mut Vec<Diagnostic>) -> Module {
    let target = linker.modules.first().map_or_else(Target::default, |m| m.target.clone());
    let mut e = Emitter {
        linker,
        out: Module::new(target),
        own: BTreeMap::new(),
        named: BTreeMap::new(),
        tables: Tables::new(linker),
    };
    let order = e.assign();
    e.program_tables();
    for s in order {
        e.copy(s);
    }
    e.structors(diagnostics);
    super::fields::complete(&mut e.out);
    e.out
}

/// Where in which text a function is defined.
fn position(m: &Module, f: FuncId) -> (Option<([u8; 32], &str)>, u32, u32) {
    let span = m.span(m.func(f).span);
    let file = m.files.get(span.file.index());
    // Units may be compiled in several folders: the text says more than its path.
    let text = file.map(|f| (f.hash, if f.hash == [0; 32] { f.path.as_str() } else { "" }));
    (text, span.line, span.column)
}

/// New numbers of what the modules' tables hold, by module.
struct Tables {
    spans: Vec<HashMap<SpanId, SpanId>>,
    units: Vec<HashMap<UnitId, UnitId>>,
    files: HashMap<(String, String, [u8; 32]), FileId>,
    classes: Classes,
    /// New type of each class.
    types: Vec<Option<TypeId>>,
}

impl Tables {
    fn new(linker: &Linker) -> Tables {
        let classes = Classes::new(&linker.modules);
        let n = linker.modules.len();
        Tables {
            spans: vec![HashMap::new(); n],
            units: vec![HashMap::new(); n],
            files: HashMap::new(),
            types: vec![None; classes.len()],
            classes,
        }
    }
}

struct Emitter<'l, 'a> {
    linker: &'l Linker<'a>,
    out: Module,
    /// New symbol of each live symbol that has a place of its own.
    own: BTreeMap<Sym, SymbolRef>,
    /// New symbol of each linker-visible name.
    named: BTreeMap<&'a str, SymbolRef>,
    tables: Tables,
}

impl<'a> Emitter<'_, 'a> {
    /// Gives new ids, in link order, and says what to copy.
    fn assign(&mut self) -> Vec<Sym> {
        let mut order = Vec::new();
        let (mut globals, mut functions, mut aliases) = (0, 0, 0);
        for &s in &self.linker.live {
            let name = self.linker.visible_name(s);
            let definition = name.and_then(|n| self.linker.definition(n));
            let m = self.linker.modules[s.module];
            let takes_name = match (name, definition) {
                (None, _) => false,
                (Some(_), Some((d, _))) => d == s,
                // The best declaration stands for all: a prototype, a known size.
                (Some(n), None) => self.best_declaration(n) == Some(s),
            };
            let loser = name.is_some() && !takes_name;
            if loser && (rank(m, s.symbol) <= Rank::Declaration || is_appending(m, s.symbol)) {
                continue;
            }
            let new = match s.symbol {
                SymbolRef::Global(_) => SymbolRef::Global(GlobalId::new(post_increment(&mut globals))),
                SymbolRef::Func(_) => SymbolRef::Func(FuncId::new(post_increment(&mut functions))),
                SymbolRef::Alias(_) => SymbolRef::Alias(AliasId::new(post_increment(&mut aliases))),
            };
            self.own.insert(s, new);
            if let Some(n) = name.filter(|_| takes_name) {
                self.named.insert(n, new);
            }
            order.push(s);
        }
        order
    }

    fn candidates(&self, name: &str) -> impl Iterator<Item = (Sym, Rank)> + '_ {
        let program = self.linker.program.get(name).into_iter().flatten();
        program.chain(self.linker.models.get(name).into_iter().flatten()).copied()
    }

    fn best_declaration(&self, name: &str) -> Option<Sym> {
        let goodness = |s: &Sym| {
            let m = self.linker.modules[s.module];
            match s.symbol {
                SymbolRef::Func(f) => u64::from(!m.func(f).attrs.no_prototype),
                SymbolRef::Global(g) => u64::from(m.global(g).size != 0),
                SymbolRef::Alias(_) => 0,
            }
        };
        let live: Vec<Sym> = self.candidates(name).map(|c| c.0).filter(|s| self.linker.live.contains(s)).collect();
        live.into_iter().rev().max_by_key(goodness)
    }

    /// The program's own tables come over whole, in order; the models' only as far as they are used.
    fn program_tables(&mut self) {
        for module in 0..self.linker.first_model {
            let m = self.linker.modules[module];
            for u in 0..m.units.len() {
                self.unit(module, UnitId::new(u));
            }
            for f in 0..m.files.len() {
                self.file(module, FileId::new(f));
            }
            for t in 0..m.ctypes.len() {
                self.ctype(module, TypeId::new(t));
            }
        }
        let mut seen = HashSet::new();
        for module in 0..self.linker.first_model {
            for d in &self.linker.modules[module].macros {
                let mut d = d.clone();
                d.file = d.file.map(|f| self.file(module, f));
                // A header's macros are in every unit that includes it.
                if seen.insert((d.name.clone(), d.body.clone(), d.file, d.line, d.undef)) {
                    self.out.macros.push(d);
                }
            }
            self.out.unmodelled.extend(self.linker.modules[module].unmodelled.iter().cloned());
            self.other_inlines(module);
        }
    }

    /// Functions of a module that are `inline` there and defined elsewhere in another place of the source: one text that
    /// is compiled twice means the same.
    fn other_inlines(&mut self, module: usize) {
        let m = self.linker.modules[module];
        for f in (0..m.functions.len()).map(FuncId::new) {
            let s = Sym { module, symbol: SymbolRef::Func(f) };
            if rank(m, s.symbol) != Rank::AvailableExternally {
                continue;
            }
            let Some(name) = self.linker.visible_name(s) else { continue };
            let Some((d, r)) = self.linker.definition(name) else { continue };
            if d == s || d.module >= self.linker.first_model || !r.defines() {
                continue;
            }
            let theirs = self.linker.modules[d.module];
            let same = matches!(d.symbol, SymbolRef::Func(g) if position(m, f) == position(theirs, g));
            if !same {
                let note = format!("{INLINE} `{name}`: calls are of it or of the external one");
                if !self.out.unmodelled.contains(&note) {
                    self.out.unmodelled.push(note);
                }
            }
        }
    }

    fn unit(&mut self, module: usize, u: UnitId) -> UnitId {
        if let Some(&new) = self.tables.units[module].get(&u) {
            return new;
        }
        self.out.units.push(self.linker.modules[module].units[u.index()].clone());
        let new = UnitId::new(self.out.units.len() - 1);
        self.tables.units[module].insert(u, new);
        new
    }

    fn file(&mut self, module: usize, f: FileId) -> FileId {
        let file = &self.linker.modules[module].files[f.index()];
        let key = (file.path.clone(), file.directory.clone(), file.hash);
        if self.tables.files.is_empty() {
            let unknown = &self.out.files[0];
            let key = (unknown.path.clone(), unknown.directory.clone(), unknown.hash);
            self.tables.files.insert(key, FileId(0));
        }
        if let Some(&new) = self.tables.files.get(&key) {
            let kept = &mut self.out.files[new.index()];
            if kept.text.is_none() {
                kept.text.clone_from(&file.text);
            }
            return new;
        }
        self.out.files.push(file.clone());
        let new = FileId::new(self.out.files.len() - 1);
        self.tables.files.insert(key, new);
        new
    }

    fn span(&mut self, module: usize, s: SpanId) -> SpanId {
        let m = self.linker.modules[module];
        // Outermost first, so that every entry knows the number of the place it is inlined at.
        let mut chain = Vec::new();
        let mut at = Some(s);
        while let Some(s) = at.filter(|s| s.0 != 0 && !self.tables.spans[module].contains_key(s)) {
            chain.push(s);
            at = m.span(s).inlined_at;
        }
        for s in chain.into_iter().rev() {
            let mut span = m.span(s);
            span.file = self.file(module, span.file);
            span.inlined_at = span.inlined_at.map(|a| self.tables.spans[module].get(&a).copied().unwrap_or(SpanId(0)));
            self.out.spans.push(span);
            self.tables.spans[module].insert(s, SpanId::new(self.out.spans.len() - 1));
        }
        self.tables.spans[module].get(&s).copied().unwrap_or(SpanId(0))
    }

    fn ctype(&mut self, module: usize, t: TypeId) -> TypeId {
        let wanted = self.tables.classes.of(module, t);
        if let Some(new) = self.tables.types[wanted as usize] {
            return new;
        }
        // First numbers for everything that it reaches, then the entries.
        let mut work = vec![wanted];
        let mut fresh = Vec::new();
        while let Some(class) = work.pop() {
            if self.tables.types[class as usize].is_some() {
                continue;
            }
            let (m, t) = self.tables.classes.representative(class);
            let mut ctype = self.linker.modules[m].ctype(t).clone();
            if ctype == crate::types::CType::Void {
                self.tables.types[class as usize] = Some(TypeId(0));
                continue;
            }
            let new = TypeId::new(self.out.ctypes.len());
            self.tables.types[class as usize] = Some(new);
            map_components(&mut ctype, |c| {
                work.push(self.tables.classes.of(m, c));
                c
            });
            self.out.ctypes.push(ctype);
            fresh.push((new, m));
        }
        for (new, m) in fresh {
            let (types, classes) = (&self.tables.types, &self.tables.classes);
            let map = |c| types[classes.of(m, c) as usize].unwrap_or(TypeId(0));
            map_components(&mut self.out.ctypes[new.index()], map);
        }
        self.tables.types[wanted as usize].unwrap_or(TypeId(0))
    }

    /// What a use by name refers to in the result.
    fn resolved(&self, s: Sym) -> SymbolRef {
        let named = self.linker.visible_name(s).and_then(|n| self.named.get(n));
        *named.or_else(|| self.own.get(&s)).expect("what is used is live")
    }

    fn copy(&mut self, s: Sym) {
        let m = self.linker.modules[s.module];
        let name = self.linker.visible_name(s);
        let wins = name.is_some_and(|n| self.named.get(n) == self.own.get(&s));
        // A definition that lost its name but is still needed.
        let demoted = name.is_some() && !wins;
        let mut mapper = Mapper { e: self, module: s.module };
        match s.symbol {
            SymbolRef::Func(f) => {
                let mut f = m.func(f).clone();
                remap::function(&mut f, &mut mapper);
                self.head(name, demoted, &mut f.linkage, &mut f.visibility);
                self.out.functions.push(f);
            }
            SymbolRef::Global(g) => {
                let mut g = m.global(g).clone();
                remap::global(&mut g, &mut mapper);
                self.head(name, demoted, &mut g.linkage, &mut g.visibility);
                if let Some(n) = name.filter(|_| wins) {
                    self.merge_data(n, s, &mut g);
                }
                self.out.globals.push(g);
            }
            SymbolRef::Alias(a) => {
                let mut a = m.alias(a).clone();
                remap::alias(&mut a, &mut mapper);
                self.head(name, demoted, &mut a.linkage, &mut a.visibility);
                self.out.aliases.push(a);
            }
        }
    }

    /// Linkage and visibility of the symbol that stands for all of its name.
    fn head(&self, name: Option<&str>, demoted: bool, l: &mut Linkage, v: &mut Visibility) {
        if demoted {
            (*l, *v) = (Linkage::Internal, Visibility::Default);
            return;
        }
        let Some(name) = name else { return };
        let order = |v: Visibility| match v {
            Visibility::Default => 0,
            Visibility::Protected => 1,
            Visibility::Hidden => 2,
        };
        let declared = self.linker.definition(name).is_none();
        let mut strong = false;
        for (s, _) in self.candidates(name) {
            if s.module >= self.linker.first_model && !self.linker.live.contains(&s) {
                continue;
            }
            let m = self.linker.modules[s.module];
            let other = match s.symbol {
                SymbolRef::Func(f) => m.func(f).visibility,
                SymbolRef::Global(g) => m.global(g).visibility,
                SymbolRef::Alias(a) => m.alias(a).visibility,
            };
            if order(other) > order(*v) {
                *v = other;
            }
            strong |= linkage(m, s.symbol) != Linkage::Weak;
        }
        if declared {
            *l = if strong { Linkage::External } else { Linkage::Weak };
        }
    }

    /// Commons grow to the largest; appending arrays are concatenated.
    fn merge_data(&mut self, name: &str, winner: Sym, g: &mut Global) {
        if !matches!(g.linkage, Linkage::Common | Linkage::Appending) {
            return;
        }
        for (s, r) in self.candidates(name).collect::<Vec<_>>() {
            let SymbolRef::Global(id) = s.symbol else { continue };
            let other = self.linker.modules[s.module].global(id);
            if s == winner || s.module >= self.linker.first_model {
                continue;
            }
            if g.linkage == Linkage::Common && r == Rank::Common {
                if other.size > g.size {
                    g.ctype = other.ctype.map(|t| self.ctype(s.module, t));
                }
                g.size = g.size.max(other.size);
                g.align = g.align.max(other.align);
            } else if g.linkage == Linkage::Appending && other.init.is_some() {
                let mut other = other.clone();
                remap::global(&mut other, &mut Mapper { e: self, module: s.module });
                let base = g.size;
                g.size += other.size;
                let pieces = other.init.into_iter().flat_map(|i| i.pieces).map(|mut p| {
                    p.offset += base;
                    p
                });
                g.init.get_or_insert_with(Init::default).pieces.extend(pieces);
            }
        }
    }

    fn structors(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut lists = [Vec::new(), Vec::new()];
        for (module, m) in self.linker.modules.iter().enumerate() {
            for (list, from) in lists.iter_mut().zip([&m.constructors, &m.destructors]) {
                for c in from {
                    let s = Sym { module, symbol: SymbolRef::Func(c.func) };
                    if module >= self.linker.first_model && !self.linker.live.contains(&s) {
                        continue;
                    }
                    if self.discarded(s) {
                        continue;
                    }
                    match self.resolved(s) {
                        SymbolRef::Func(func) => list.push(Structor { priority: c.priority, func }),
                        SymbolRef::Global(_) | SymbolRef::Alias(_) => {
                            let symbol = m.func(c.func).name.clone();
                            let winner = self.linker.definition(&symbol).map_or(s, |d| d.0);
                            let (first, second) = (self.linker.place(winner), self.linker.place(s));
                            let kind = DiagnosticKind::LostStructor;
                            diagnostics.push(Diagnostic { kind, symbol, first, second, detail: String::new() });
                        }
                    }
                }
            }
        }
        let [mut constructors, mut destructors] = lists;
        constructors.sort_by_key(|c: &Structor| c.priority);
        destructors.sort_by_key(|c: &Structor| c.priority);
        self.out.constructors = constructors;
        self.out.destructors = destructors;
    }

    /// In a COMDAT group that another unit keeps: its constructor entry goes with the group.
    fn discarded(&self, s: Sym) -> bool {
        let m = self.linker.modules[s.module];
        let Some(name) = self.linker.visible_name(s) else { return false };
        rank(m, s.symbol) > Rank::Declaration && self.candidates(name).any(|(c, r)| c == s && r <= Rank::Declaration)
    }
}

fn post_increment(n: &mut usize) -> usize {
    *n += 1;
    *n - 1
}

struct Mapper<'e, 'l, 'a> {
    e: &'e mut Emitter<'l, 'a>,
    module: usize,
}

impl Mapper<'_, '_, '_> {
    fn sym(&self, symbol: SymbolRef) -> Sym {
        Sym { module: self.module, symbol }
    }
}

impl Remap for Mapper<'_, '_, '_> {
    fn span(&mut self, s: SpanId) -> SpanId {
        self.e.span(self.module, s)
    }
    fn ctype(&mut self, t: TypeId) -> TypeId {
        self.e.ctype(self.module, t)
    }
    fn unit(&mut self, u: UnitId) -> UnitId {
        self.e.unit(self.module, u)
    }
    fn symbol(&mut self, s: SymbolRef) -> SymbolRef {
        self.e.resolved(self.sym(s))
    }
    fn alias_target(&mut self, s: SymbolRef) -> SymbolRef {
        let s = self.sym(s);
        self.e.own.get(&s).copied().unwrap_or_else(|| self.e.resolved(s))
    }
    fn block_owner(&mut self, f: FuncId) -> FuncId {
        match self.alias_target(SymbolRef::Func(f)) {
            SymbolRef::Func(f) => f,
            other => unreachable!("a function with blocks became {other:?}"),
        }
    }
}
