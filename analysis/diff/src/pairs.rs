//! Which function of the new version is which of the old one: by name, static ones by name and file, moved ones by
//! name alone, renamed ones by their code. And what names of variables mean in both.

use crate::layouts::{Changed, Layouts};
use crate::looks::lookers;
use crate::plain::assembly_computes;
use crate::product::Version;
use crate::promises;
use crate::reach::Reach;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Step;
use verify_ir::{Call, Const, FuncId, GlobalId, InitData, InstKind, Linkage, Module, Operand, SymbolRef, TypeId};

/// A function of the old version and one of the new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub old: FuncId,
    pub new: FuncId,
}

/// Two programs and how they correspond.
pub struct Pairs<'a> {
    pub(crate) old: &'a Module,
    pub(crate) new: &'a Module,
    pub(crate) layouts: Layouts,
    pub(crate) pairs: Vec<Pair>,
    class_old: BTreeMap<FuncId, u32>,
    class_new: BTreeMap<FuncId, u32>,
    pure_old: BTreeSet<FuncId>,
    pure_new: BTreeSet<FuncId>,
    looks_old: BTreeMap<FuncId, BTreeSet<u32>>,
    looks_new: BTreeMap<FuncId, BTreeSet<u32>>,
    names_old: Vec<String>,
    names_new: Vec<String>,
    units_old: Vec<String>,
    units_new: Vec<String>,
    /// Functions that have to do with a record whose layout differs.
    touching: BTreeSet<(Version, FuncId)>,
    /// Functions of the new version that promise more than those of the old one, or use such functions from outside.
    promising: BTreeSet<FuncId>,
    /// Functions with an inline definition beside the one that is known.
    twofold: BTreeSet<(Version, FuncId)>,
}

fn is_library(m: &Module, f: FuncId) -> bool {
    m.units.get(m.func(f).unit.index()).is_some_and(|u| u.model)
}

fn source(m: &Module, f: FuncId) -> &str {
    m.units.get(m.func(f).unit.index()).map_or("", |u| u.source.rsplit('/').next().unwrap_or(""))
}

fn defined(m: &Module) -> Vec<FuncId> {
    (0..m.functions.len()).map(FuncId::new).filter(|f| m.func(*f).body.is_some() && !is_library(m, *f)).collect()
}

impl<'a> Pairs<'a> {
    /// Matches the functions of two programs.
    pub fn new(old: &'a Module, new: &'a Module) -> Pairs<'a> {
        let repeated = repeated([old, new]);
        let (units_old, mut units_new) = (unit_names(old), unit_names(new));
        align_units((old, &units_old), (new, &mut units_new));
        let names = |m: &Module, units: &[String], renamed: &BTreeMap<GlobalId, String>| -> Vec<String> {
            let mut written = 0;
            let all = (0..m.globals.len()).map(GlobalId::new);
            let known = Known { repeated: &repeated, units, renamed };
            all.map(|g| global_name(m, g, known, &mut written)).collect()
        };
        let own = BTreeMap::new();
        let (names_old, mut names_new) = (names(old, &units_old, &own), names(new, &units_new, &own));
        let renamed = renamed((old, &names_old, &units_old), (new, &names_new, &units_new));
        if !renamed.is_empty() {
            let so_called = names(new, &units_new, &renamed);
            // Each is another variable still.
            let mut count: BTreeMap<&str, u32> = BTreeMap::new();
            so_called.iter().for_each(|n| *count.entry(n).or_default() += 1);
            if renamed.keys().all(|g| count.get(so_called[g.index()].as_str()) == Some(&1)) {
                names_new = so_called;
            }
        }
        let mut p = Pairs {
            old,
            new,
            layouts: Layouts::new(old, new),
            pairs: Vec::new(),
            class_old: BTreeMap::new(),
            class_new: BTreeMap::new(),
            pure_old: writes_nothing(old),
            pure_new: writes_nothing(new),
            looks_old: lookers(old),
            looks_new: lookers(new),
            names_old,
            names_new,
            units_old,
            units_new,
            touching: BTreeSet::new(),
            promising: BTreeSet::new(),
            twofold: BTreeSet::new(),
        };
        for (v, m) in [(Version::Old, old), (Version::New, new)] {
            let all = (0..m.functions.len()).map(FuncId::new).filter(|f| m.has_other_inline(*f));
            p.twofold.extend(all.map(|f| (v, f)));
        }
        let (mut a, mut b) = (defined(old), defined(new));
        let all = a.iter().map(|f| (Version::Old, *f)).chain(b.iter().map(|f| (Version::New, *f)));
        p.touching = all.filter(|(v, f)| p.touches_changed(*v, *f)).collect();
        let outside = |m: &Module, f: FuncId| m.func(f).linkage != Linkage::Internal;
        // In order of how sure the match is.
        let unit = |m: &Module, names: &[String], f: FuncId| names.get(m.func(f).unit.index()).cloned();
        let (theirs_old, theirs_new) = (p.units_old.clone(), p.units_new.clone());
        let rules: [&dyn Fn(FuncId, FuncId) -> bool; 4] = [
            &|x, y| old.func(x).name == new.func(y).name && outside(old, x) && outside(new, y),
            &|x, y| old.func(x).name == new.func(y).name && unit(old, &theirs_old, x) == unit(new, &theirs_new, y),
            &|x, y| old.func(x).name == new.func(y).name && source(old, x) == source(new, y),
            &|x, y| old.func(x).name == new.func(y).name,
        ];
        for rule in rules {
            let mut by_name: BTreeMap<&str, Vec<FuncId>> = BTreeMap::new();
            for y in &b {
                by_name.entry(new.func(*y).name.as_str()).or_default().push(*y);
            }
            let mut rest = Vec::new();
            for x in std::mem::take(&mut a) {
                let found = by_name.get_mut(old.func(x).name.as_str());
                let fit = found.and_then(|l| l.iter().position(|y| rule(x, *y)).map(|i| l.remove(i)));
                match fit {
                    Some(y) => p.add(x, y),
                    None => rest.push(x),
                }
            }
            a = rest;
            b.retain(|y| !p.class_new.contains_key(y));
        }
        // Renamed: the same code, and only one function that has it.
        let mut code: BTreeMap<String, (Vec<FuncId>, Vec<FuncId>)> = BTreeMap::new();
        for x in &a {
            code.entry(p.code(Version::Old, *x)).or_default().0.push(*x);
        }
        for y in &b {
            code.entry(p.code(Version::New, *y)).or_default().1.push(*y);
        }
        for (x, y) in code.into_values() {
            if let ([x], [y]) = (x.as_slice(), y.as_slice())
                && old.func(*x).linkage == Linkage::Internal
                && new.func(*y).linkage == Linkage::Internal
            {
                p.add(*x, *y);
            }
        }
        let outsiders = promises::outsiders(old, new);
        let more = |c: &&Pair| promises::more((old, c.old), (new, c.new));
        p.promising = p.pairs.iter().filter(more).map(|c| c.new).collect();
        p.promising.extend(defined(new).into_iter().filter(|f| promises::names(new, *f, &outsiders)));
        p
    }

    fn add(&mut self, old: FuncId, new: FuncId) {
        let n = self.pairs.len() as u32;
        self.pairs.push(Pair { old, new });
        self.class_old.insert(old, n);
        self.class_new.insert(new, n);
    }

    pub(crate) fn module(&self, v: Version) -> &'a Module {
        match v {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }

    /// The number of the pair that a function is in.
    pub(crate) fn class(&self, v: Version, f: FuncId) -> Option<u32> {
        match v {
            Version::Old => self.class_old.get(&f).copied(),
            Version::New => self.class_new.get(&f).copied(),
        }
    }

    /// Calls of it may be of another definition.
    pub(crate) fn is_twofold(&self, v: Version, f: FuncId) -> bool {
        self.twofold.contains(&(v, f))
    }

    fn units_of(&self, v: Version) -> &[String] {
        match v {
            Version::Old => &self.units_old,
            Version::New => &self.units_new,
        }
    }

    pub(crate) fn is_library(&self, v: Version, f: FuncId) -> bool {
        is_library(self.module(v), f)
    }

    pub(crate) fn writes_nothing(&self, v: Version, f: FuncId) -> bool {
        match v {
            Version::Old => self.pure_old.contains(&f),
            Version::New => self.pure_new.contains(&f),
        }
    }

    /// Of a library function that only looks, the parameters that it reads through.
    pub(crate) fn looks(&self, v: Version, f: FuncId) -> Option<&BTreeSet<u32>> {
        match v {
            Version::Old => self.looks_old.get(&f),
            Version::New => self.looks_new.get(&f),
        }
    }

    pub(crate) fn global_name(&self, v: Version, g: GlobalId) -> String {
        match v {
            Version::Old => self.names_old[g.index()].clone(),
            Version::New => self.names_new[g.index()].clone(),
        }
    }

    /// Why two functions cannot be called equal, whatever their instructions are.
    pub(crate) fn trouble(&self, old: FuncId, new: FuncId) -> Option<&'static str> {
        self.trouble_of(Version::Old, old).or_else(|| self.trouble_of(Version::New, new))
    }

    /// The same of one function, which may also be one whose body is looked into.
    pub(crate) fn trouble_of(&self, v: Version, f: FuncId) -> Option<&'static str> {
        let promising = v == Version::New && self.promising.contains(&f);
        promising.then_some(promises::MORE).or_else(|| crate::trouble::trouble(self.module(v), &self.layouts, f))
    }

    /// Two functions cannot be called equal even if their code is the same.
    pub(crate) fn code_is_not_all(&self, old: FuncId, new: FuncId) -> bool {
        let of = |m: &Module, f: FuncId| crate::trouble::layout(m, &self.layouts, f).is_some();
        self.promising.contains(&new) || of(self.old, old) || of(self.new, new)
    }

    fn touches_changed(&self, v: Version, f: FuncId) -> bool {
        let m = self.module(v);
        let lone = m.func(f).body.as_ref().is_some_and(|b| self.layouts.uses_lone(m, b));
        lone || !self.layouts.is_empty() && crate::trouble::touches(m, &self.layouts, f)
            || m.func(f).ctype.is_some_and(|t| self.layouts.reaches(m, t))
    }

    /// The functions that have to do with a record whose layout differs, or get to one that has.
    pub(crate) fn reaching_changed(&self, reach: &Reach) -> BTreeSet<(Version, FuncId)> {
        if self.touching.is_empty() { BTreeSet::new() } else { reach.getting_to(self, &self.touching) }
    }

    /// Does the variable hold a record whose layout differs?
    pub(crate) fn layout_differs(&self, v: Version, t: Option<TypeId>) -> bool {
        t.is_some_and(|t| self.layouts.touches(self.module(v), t))
    }

    /// The code of a function without names of values and places in the source; names of functions and variables are
    /// those that both versions share.
    pub(crate) fn code(&self, v: Version, f: FuncId) -> String {
        use std::fmt::Write;
        let m = self.module(v);
        let info = m.func(f);
        // How a function was declared matters to its callers' code, which has been made by now.
        let attrs = verify_ir::FnAttrs { no_prototype: false, ..info.attrs.clone() };
        let mut out = format!("{:?} {attrs:?}\n", info.sig);
        let Some(body) = &info.body else { return out };
        for (i, b) in body.blocks.iter().enumerate() {
            let types: Vec<_> = b.params.iter().map(|p| (p.0, body.ty(*p))).collect();
            let _ = writeln!(out, "b{i}{types:?}");
            for inst in &b.insts {
                let mut kind = inst.kind.clone();
                match &mut kind {
                    InstKind::DebugValue { .. } => continue,
                    InstKind::Check { detail, .. } => *detail = Default::default(),
                    InstKind::Alloca { ctype, .. } => *ctype = None,
                    InstKind::Addr { steps, .. } => {
                        for s in steps.iter_mut() {
                            match s {
                                Step::Field { record, index, offset } => {
                                    match record.map(|r| self.layouts.changed_field(m, r, *index)) {
                                        Some(Changed::Field(n)) => {
                                            let _ = write!(out, ".{n}");
                                            *offset = 0;
                                        }
                                        // Which one it is, its name does not say.
                                        Some(Changed::Nameless) => _ = write!(out, ".{v:?}"),
                                        Some(Changed::No) | None => {}
                                    }
                                    *record = None;
                                    *index = 0;
                                }
                                Step::Index { elem, count, .. } => {
                                    *elem = None;
                                    *count = None;
                                }
                            }
                        }
                    }
                    _ => {}
                }
                if let InstKind::Call(c) = &inst.kind
                    && self.fails_assertion(v, c)
                {
                    out.push_str(" assertion fails\n");
                    continue;
                }
                kind.for_each_operand(|o| self.symbol_text(v, f, o, &mut out));
                kind.for_each_operand_mut(blank);
                let types: Vec<_> = inst.results.iter().map(|r| (r.0, body.ty(*r))).collect();
                let _ = writeln!(out, " {types:?} {kind:?}");
            }
            let mut term = b.term.clone();
            term.for_each_operand(|o| self.symbol_text(v, f, o, &mut out));
            term.for_each_operand_mut(blank);
            let _ = writeln!(out, " {term:?}");
        }
        out
    }

    pub(crate) fn symbol_text(&self, v: Version, itself: FuncId, o: &Operand, out: &mut String) {
        // Every operand leaves a mark: which one is a symbol belongs to the code.
        let m = self.module(v);
        let s = match o {
            Operand::Const(Const::Symbol(s)) => s,
            Operand::Const(Const::BlockAddr(f, b)) => {
                let owner = if *f == itself { "itself".into() } else { function_name(m, *f, self.units_of(v)) };
                return out.push_str(&format!("<block {} of {owner}>", b.0));
            }
            _ => return out.push('_'),
        };
        if let Some(n) = weak_name(m, *s) {
            out.push_str(&format!("<weak {n}>"));
        }
        let (s, off) = m.resolve(*s);
        let name = match s {
            SymbolRef::Func(f) if f == itself => "itself".into(),
            SymbolRef::Func(f) => self.function_text(v, f),
            SymbolRef::Global(g) => {
                let layout = if self.layout_differs(v, m.global(g).ctype) { format!("{v:?} ") } else { String::new() };
                layout + &self.global_name(v, g)
            }
            // Which function it is, its resolver says, which nobody looks into.
            SymbolRef::Alias(a) => format!("{v:?} {}", m.alias(a).name),
        };
        out.push_str(&format!("<{name}+{off}>"));
    }

    /// What a function is known by in both versions.
    pub(crate) fn function_text(&self, v: Version, f: FuncId) -> String {
        let m = self.module(v);
        match self.class(v, f) {
            _ if self.is_twofold(v, f) => format!("{v:?} {} or another one", m.func(f).name),
            Some(c) => format!("pair {c}"),
            None if m.func(f).body.is_some() && !is_library(m, f) => format!("{v:?} {}", m.func(f).name),
            None => m.func(f).name.clone(),
        }
    }

    /// The call that a failed `assert` ends in. Such a run has an error, so that what it says of it is of no matter.
    pub(crate) fn fails_assertion(&self, v: Version, c: &Call) -> bool {
        let Operand::Const(Const::Symbol(s)) = &c.callee else { return false };
        let m = self.module(v);
        let SymbolRef::Func(f) = m.resolve(*s).0 else { return false };
        let known = matches!(m.func(f).name.as_str(), "__assert_fail" | "__assert" | "__assert_perror_fail");
        known && (m.func(f).body.is_none() || self.is_library(v, f))
    }

    /// The pairs that the initialiser of a variable leads to.
    pub(crate) fn behind(&self, v: Version, g: GlobalId) -> BTreeSet<u32> {
        behind(self.module(v), g).into_iter().filter_map(|f| self.class(v, f)).collect()
    }

    /// Pairs that run before or after `main`.
    pub(crate) fn structors(&self, v: Version) -> BTreeSet<u32> {
        let m = self.module(v);
        let listed = m.constructors.iter().chain(&m.destructors).filter_map(|s| self.class(v, s.func));
        let table = |g: &GlobalId| m.global(*g).section.as_ref().is_some_and(|s| crate::around::is_table(s));
        let tables = (0..m.globals.len()).map(GlobalId::new).filter(table);
        listed.chain(tables.flat_map(|g| self.behind(v, g))).collect()
    }

    /// Pairs that run, or can be called, without any function's code that says so: constructors, destructors, and what
    /// initialisers of variables name.
    pub(crate) fn rooted(&self) -> BTreeSet<u32> {
        let mut out = BTreeSet::new();
        for v in [Version::Old, Version::New] {
            let m = self.module(v);
            out.extend(self.structors(v));
            let user = |g: &GlobalId| !m.units.get(m.global(*g).unit.index()).is_some_and(|u| u.model);
            for g in (0..m.globals.len()).map(GlobalId::new).filter(user) {
                out.extend(self.behind(v, g));
            }
        }
        out
    }
}

/// The weak second name on the way to what a symbol stands for.
pub(crate) fn weak_name(m: &Module, s: SymbolRef) -> Option<&str> {
    m.weak_alias(s).map(|a| a.name.as_str())
}

/// The linker may take another definition than this one.
pub(crate) fn may_be_replaced(l: Linkage) -> bool {
    matches!(l, Linkage::Weak | Linkage::Common | Linkage::AvailableExternally)
}

fn blank(o: &mut Operand) {
    if let Operand::Const(Const::Symbol(_) | Const::BlockAddr(..)) = o {
        *o = Operand::Const(Const::Null);
    }
}

/// What a function is known by in what is compared as text: static ones are those of their file.
fn function_name(m: &Module, f: FuncId, units: &[String]) -> String {
    let info = m.func(f);
    match units.get(info.unit.index()) {
        Some(u) if info.linkage == Linkage::Internal => format!("{}@{u}", info.name),
        _ => info.name.clone(),
    }
}

/// Names that are longer go by a digest.
const MAX_NAME: usize = 1000;
/// No more text than this goes into a digest; what would need more is no name that the other version has.
const MAX_TEXT: usize = 4 << 20;
/// Nor do all names of a program together; then this is the most that goes into one.
const MAX_TEXTS: usize = 256 << 20;
const MAX_TEXT_THEN: usize = 50_000;
/// Such a name says so.
pub(crate) const TOO_LARGE: &str = "is too large to be compared";

/// Names of static variables that more than one unit has, in either version.
fn repeated(modules: [&Module; 2]) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    for m in modules {
        let mut seen = BTreeSet::new();
        for g in m.globals.iter().filter(|g| !g.compiler_made) {
            if !seen.insert(g.name.as_str()) {
                out.insert(g.name.as_str());
            }
        }
    }
    out
}

/// What units are known by, each by another name: the last part of the source's path, more of it where others end so,
/// and a number where one source was compiled more than once.
fn unit_names(m: &Module) -> Vec<String> {
    let parts: Vec<Vec<&str>> = m.units.iter().map(|u| u.source.split('/').rev().collect()).collect();
    let distinct: BTreeSet<&Vec<&str>> = parts.iter().collect();
    let mut seen: BTreeMap<&Vec<&str>, u32> = BTreeMap::new();
    let mut out = Vec::new();
    for p in &parts {
        let shared = |n: usize| distinct.iter().any(|q| *q != p && q.len() >= n && q[..n] == p[..n]);
        let n = (1..p.len()).find(|n| !shared(*n)).unwrap_or(p.len());
        let mut name: Vec<&str> = p[..n].to_vec();
        name.reverse();
        let count = seen.entry(p).or_insert(0);
        *count += 1;
        let mut name = name.join("/");
        if *count > 1 {
            name.push_str(&format!("#{count}"));
        }
        out.push(name);
    }
    out
}

/// One file of each version that the other one does not have, and everything else is there: it goes by another name now.
fn align_units((old, theirs): (&Module, &[String]), (new, ours): (&Module, &mut [String])) {
    let own = |m: &Module, names: &[String]| -> BTreeSet<String> {
        m.units.iter().zip(names).filter(|(u, _)| !u.model).map(|(_, n)| n.clone()).collect()
    };
    let (a, b) = (own(old, theirs), own(new, ours));
    let (gone, come): (Vec<&String>, Vec<&String>) = (a.difference(&b).collect(), b.difference(&a).collect());
    if let ([x], [y]) = (gone.as_slice(), come.as_slice()) {
        ours.iter_mut().filter(|n| n == y).for_each(|n| n.clone_from(x));
    }
}

/// Static variables of the new version that go by another name, and the name that they had: of those in a file that the
/// other version does not have, the only ones of their size that begin with the same.
fn renamed(
    (old, theirs, units_old): (&Module, &[String], &[String]),
    (new, ours, units_new): (&Module, &[String], &[String]),
) -> BTreeMap<GlobalId, String> {
    let alone = |m: &Module, names: &[String], others: &[String], units: &[String]| {
        let others: BTreeSet<&str> = others.iter().map(String::as_str).collect();
        let mut out: BTreeMap<(String, u64, u64, String), Vec<GlobalId>> = BTreeMap::new();
        for (g, n) in (0..m.globals.len()).map(GlobalId::new).zip(names) {
            let info = m.global(g);
            let own = info.linkage == Linkage::Internal && !info.compiler_made && info.section.is_none();
            let Some(what) = n.strip_prefix(info.name.as_str()).filter(|_| own && info.init.is_some()) else {
                continue;
            };
            let user = m.units.get(info.unit.index()).filter(|u| !u.model);
            // A digest is of the name, too.
            let text = !n.contains("bytes with digest") && !n.ends_with(TOO_LARGE);
            if let Some(unit) = user.and_then(|_| units.get(info.unit.index()))
                && text
                && !others.contains(n.as_str())
            {
                out.entry((unit.clone(), info.size, info.align, what.to_string())).or_default().push(g);
            }
        }
        out
    };
    let (gone, come) = (alone(old, theirs, ours, units_old), alone(new, ours, theirs, units_new));
    let mut out = BTreeMap::new();
    for (what, y) in come {
        if let (Some([x]), [y]) = (gone.get(&what).map(Vec::as_slice), y.as_slice()) {
            out.insert(*y, old.global(*x).name.clone());
        }
    }
    out
}

/// What names are made of.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// Names that more than one variable has.
    repeated: &'a BTreeSet<&'a str>,
    units: &'a [String],
    /// Variables that are known by a name that is not theirs.
    renamed: &'a BTreeMap<GlobalId, String>,
}

/// What a variable is known by: its name, where it is declared if others are called the same, and what it starts with
/// when that is known, so that one that starts with something else is another variable. Literals are their contents.
fn global_name(m: &Module, g: GlobalId, known: Known<'_>, written: &mut usize) -> String {
    let mut out = String::new();
    let most = if *written > MAX_TEXTS { MAX_TEXT_THEN } else { MAX_TEXT };
    named(m, g, known, (most, &mut BTreeSet::new()), &mut out);
    *written += out.len();
    if out.len() > most {
        // Another one in each module: the address tells them apart.
        return format!("{:p} {} {TOO_LARGE}", std::ptr::from_ref(m), m.global(g).name);
    }
    if out.len() > MAX_NAME {
        return format!("{} {} bytes with digest {}", m.global(g).name, out.len(), blake3::hash(out.as_bytes()));
    }
    out
}

fn named(m: &Module, g: GlobalId, known: Known<'_>, (most, seen): (usize, &mut BTreeSet<GlobalId>), out: &mut String) {
    use std::fmt::Write;
    let info = m.global(g);
    let name = known.renamed.get(&g).map_or(info.name.as_str(), String::as_str);
    if info.compiler_made {
        out.push_str("literal");
    } else {
        out.push_str(name);
    }
    if known.repeated.contains(name) && info.linkage == Linkage::Internal {
        let _ = write!(out, "@{}", known.units.get(info.unit.index()).map_or("", String::as_str));
    }
    if info.constant {
        out.push_str(" const");
    }
    if info.thread_local {
        out.push_str(" thread-local");
    }
    if !seen.insert(g) || out.len() > most {
        return;
    }
    if m.made_by_linker(SymbolRef::Global(g)).is_some() {
        // What is found there are variables that have names of their own.
        for h in gathered(m, g) {
            out.push_str(" then ");
            named(m, h, known, (most, seen), out);
        }
        out.push_str(" end");
    }
    let Some(init) = &info.init else { return };
    let _ = write!(out, " = {} bytes at {} ", info.size, info.align);
    if m.unmodelled.iter().any(|u| u.starts_with(&format!("initialiser of `{}`:", info.name))) {
        // What is not known of it, the other version need not have.
        let _ = write!(out, "of {:p} ", std::ptr::from_ref(m));
    }
    for p in &init.pieces {
        let _ = write!(out, "{}:", p.offset);
        piece(m, &p.data, known, (most, seen), out);
        out.push(' ');
    }
    let _ = write!(out, "end");
}

/// A piece of what a variable starts with. Numbers of functions, blocks and variables are those of one version: names stand
/// for them.
fn piece(
    m: &Module,
    data: &InitData,
    known: Known<'_>,
    (most, seen): (usize, &mut BTreeSet<GlobalId>),
    out: &mut String,
) {
    use std::fmt::Write;
    match data {
        InitData::Address { symbol, addend, size } => {
            let (s, off) = m.resolve(*symbol);
            out.push('&');
            match s {
                SymbolRef::Global(g) => named(m, g, known, (most, seen), out),
                SymbolRef::Func(f) => out.push_str(&function_name(m, f, known.units)),
                s => out.push_str(m.symbol_name(s)),
            }
            let _ = write!(out, "+{off}+{addend}/{size}");
        }
        InitData::BlockAddr { func, block, size } => {
            let _ = write!(out, "block {} of {}/{size}", block.0, function_name(m, *func, known.units));
        }
        InitData::Difference { left, right, addend, size } => {
            piece(m, left, known, (most, seen), out);
            out.push('-');
            piece(m, right, known, (most, seen), out);
            let _ = write!(out, "+{addend}/{size}");
        }
        InitData::Bytes(b) if b.len() > 256 => {
            let _ = write!(out, "{} bytes with digest {}", b.len(), blake3::hash(b));
        }
        other @ (InitData::Bytes(_) | InitData::Undef(_)) => {
            let _ = write!(out, "{other:?}");
        }
    }
}

/// The variables of the section that a symbol of the linker's (`__start_SECTION`) marks, in order.
fn gathered(m: &Module, g: GlobalId) -> Vec<GlobalId> {
    let section = m.made_by_linker(SymbolRef::Global(g)).filter(|s| !s.is_empty());
    let inside = |h: &GlobalId| section.is_some() && m.global(*h).section.as_deref() == section;
    (0..m.globals.len()).map(GlobalId::new).filter(inside).collect()
}

/// Functions that the initialisers of a variable name, and those of what they point to.
pub(crate) fn behind(m: &Module, g: GlobalId) -> BTreeSet<FuncId> {
    let (mut out, mut seen, mut todo) = (BTreeSet::new(), BTreeSet::new(), vec![g]);
    while let Some(g) = todo.pop() {
        if !seen.insert(g) {
            continue;
        }
        todo.extend(gathered(m, g));
        for p in m.global(g).init.iter().flat_map(|i| &i.pieces) {
            if let InitData::Address { symbol, .. } = &p.data {
                match m.resolve(*symbol).0 {
                    SymbolRef::Global(h) => todo.push(h),
                    SymbolRef::Func(f) => _ = out.insert(f),
                    SymbolRef::Alias(_) => {}
                }
            }
        }
    }
    out
}

/// Functions that write no memory but their own variables, and call only such functions.
fn writes_nothing(m: &Module) -> BTreeSet<FuncId> {
    // What may be replaced does what nobody knows.
    let known = |f: &FuncId| !may_be_replaced(m.func(*f).linkage) && !m.has_other_inline(*f);
    let this_one = |f: &FuncId| m.func(*f).body.is_some() && known(f);
    let mut good: BTreeSet<FuncId> = (0..m.functions.len()).map(FuncId::new).filter(this_one).collect();
    loop {
        let bad: Vec<FuncId> = good.iter().copied().filter(|f| !only_reads(m, *f, &good)).collect();
        if bad.is_empty() {
            return good;
        }
        for f in bad {
            good.remove(&f);
        }
    }
}

fn only_reads(m: &Module, f: FuncId, good: &BTreeSet<FuncId>) -> bool {
    let Some(body) = &m.func(f).body else { return false };
    let own = |o: &Operand| -> bool {
        let mut at = o.as_value();
        for _ in 0..64 {
            let Some(v) = at else { return false };
            let def = body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(&v));
            match def.map(|i| &i.kind) {
                Some(InstKind::Alloca { .. }) => return true,
                Some(InstKind::Addr { base, .. }) => at = base.as_value(),
                _ => return false,
            }
        }
        false
    };
    body.blocks.iter().all(|b| {
        b.insts.iter().all(|i| match &i.kind {
            InstKind::Store { ptr, volatile, atomic, .. } => !volatile && !atomic && own(ptr),
            InstKind::Load { volatile, atomic, .. } => !volatile && !atomic,
            InstKind::MemCopy { dst, volatile, .. } | InstKind::MemSet { dst, volatile, .. } => !volatile && own(dst),
            InstKind::Call(c) => match &c.callee {
                Operand::Const(Const::Symbol(s)) => match m.resolve(*s) {
                    (SymbolRef::Func(g), 0) => {
                        // An attribute is believed of code that is not there.
                        let info = m.func(g);
                        let told = info.body.is_none() && (info.attrs.no_memory || info.attrs.read_only);
                        told || good.contains(&g) && weak_name(m, *s).is_none()
                    }
                    _ => false,
                },
                _ => false,
            },
            InstKind::InlineAsm(a) => assembly_computes(body, a),
            InstKind::AtomicRmw { .. }
            | InstKind::CmpXchg { .. }
            | InstKind::VaStart { .. }
            | InstKind::VaCopy { .. }
            | InstKind::Unmodelled { .. } => false,
            _ => true,
        })
    })
}

impl Pairs<'_> {
    /// The instructions of a function as text, with positions, to find the first that differ.
    pub(crate) fn lines(&self, v: Version, f: FuncId) -> Vec<(String, verify_ir::SpanId)> {
        let m = self.module(v);
        let Some(body) = &m.func(f).body else { return Vec::new() };
        let mut out = Vec::new();
        for b in &body.blocks {
            for i in &b.insts {
                let mut kind = i.kind.clone();
                match &mut kind {
                    InstKind::DebugValue { .. } => continue,
                    InstKind::Check { detail, .. } => *detail = Default::default(),
                    InstKind::Addr { .. } | InstKind::Alloca { .. } => {}
                    _ => {}
                }
                if let InstKind::Call(c) = &kind
                    && self.fails_assertion(v, c)
                {
                    out.push(("assertion fails".into(), i.span));
                    continue;
                }
                let mut text = String::new();
                kind.for_each_operand(|o| self.symbol_text(v, f, o, &mut text));
                kind.for_each_operand_mut(|o| {
                    if let Operand::Value(_) | Operand::Const(Const::Symbol(_) | Const::BlockAddr(..)) = o {
                        *o = Operand::Const(Const::Null);
                    }
                });
                if let InstKind::Addr { steps, .. } = &mut kind {
                    for s in steps {
                        match s {
                            Step::Field { record, .. } => *record = None,
                            Step::Index { elem, .. } => *elem = None,
                        }
                    }
                }
                if let InstKind::Alloca { ctype, .. } = &mut kind {
                    *ctype = None;
                }
                out.push((format!("{text}{kind:?}"), i.span));
            }
            let kind = std::mem::discriminant(&b.term);
            out.push((format!("{kind:?}"), b.term_span));
        }
        out
    }
}
