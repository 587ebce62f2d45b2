//! Where a difference comes from (malik-2023 §6.5): the function nearest to the one asked about whose own code differs,
//! the calls that lead there, and what it is that differs: the function's code, a type, a variable's initial value or
//! inline assembly, or a macro where the line of source is the same.
//!
//! This is for people. No verdict depends on it.

use crate::compare::{Place, Work};
use crate::pairs::Pair;
use crate::product::Version;
use crate::trouble::record_of;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use verify_ir::{Const, FuncId, Inst, InstKind, Module, Operand, SymbolRef};

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// The code of a function.
    Function,
    /// A type: the layout of a record.
    Type,
    /// A variable: what it starts with, or how it is declared.
    Variable,
    /// Inline assembly.
    Assembly,
    /// A macro: the line says the same, and the macro in it something else.
    Macro,
}

impl Kind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Function => "function",
            Kind::Type => "type",
            Kind::Variable => "variable",
            Kind::Assembly => "inline assembly",
            Kind::Macro => "macro",
        }
    }
}

/// Where a difference comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What differs.
    pub kind: Kind,
    /// Its name: of the function, the type or the variable; of inline assembly, the function that has it.
    pub name: String,
    /// The function whose own code differs, in the new version.
    pub function: String,
    /// Calls in the new version that lead there from the function asked about, the outermost first. Empty when that
    /// function differs itself.
    pub stack: Vec<Place>,
}

impl Work<'_> {
    /// The nearest pair whose own code differs, itself included, and the pairs on the way.
    pub(crate) fn root(&mut self, c: u32) -> Option<Vec<u32>> {
        let mut from: BTreeMap<u32, u32> = BTreeMap::from([(c, c)]);
        let mut todo = VecDeque::from([c]);
        while let Some(d) = todo.pop_front() {
            if !self.is_identical(d) {
                let mut way = vec![d];
                while let Some(&last) = way.last()
                    && from[&last] != last
                {
                    way.push(from[&last]);
                }
                way.reverse();
                return Some(way);
            }
            for e in self.reach.uses(d).iter().copied() {
                if self.is_open(e) && !from.contains_key(&e) {
                    from.insert(e, d);
                    todo.push_back(e);
                }
            }
        }
        None
    }

    /// Where the difference of a pair comes from.
    pub(crate) fn origin(&mut self, c: u32) -> Option<Origin> {
        let way = self.root(c)?;
        let root = *way.last()?;
        let mut stack = Vec::new();
        for step in way.windows(2) {
            let (caller, callee) = (self.pair(step[0]).new, self.pair(step[1]).new);
            stack.extend(self.call_site(caller, callee));
        }
        let new = self.pair(root).new;
        let function = self.pairs.new.func(new).name.clone();
        let (kind, name) = self.differing(root).unwrap_or((Kind::Function, function.clone()));
        Some(Origin { kind, name, function, stack })
    }

    fn call_site(&self, caller: FuncId, callee: FuncId) -> Option<Place> {
        let m = self.pairs.new;
        let body = m.func(caller).body.as_ref()?;
        let mut named = None;
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            let mut found = false;
            i.kind.for_each_operand(|o| {
                if let Operand::Const(Const::Symbol(s)) = o {
                    found |= m.resolve(*s).0 == SymbolRef::Func(callee);
                }
            });
            if found {
                named = Some(i.span);
                break;
            }
        }
        self.position(Version::New, caller, named.unwrap_or(m.func(caller).span))
    }

    /// A macro with another definition, in a line that is the same in both versions.
    fn macro_of(&self, (f, x): (FuncId, Option<&Inst>), (g, y): (FuncId, Option<&Inst>)) -> Option<String> {
        let line = |v: Version, f: FuncId, i: Option<&Inst>| -> Option<String> {
            let m = self.pairs.module(v);
            let s = m.span(i.map_or(m.func(f).span, |i| i.span));
            let text = m.files.get(s.file.index())?.text.as_ref()?;
            text.lines().nth((s.line as usize).checked_sub(1)?).map(|l| l.trim().to_string())
        };
        let (a, b) = (line(Version::Old, f, x)?, line(Version::New, g, y)?);
        if a != b {
            return None;
        }
        let changed = changed_macros(self.pairs.old, self.pairs.new);
        words(&a).find(|w| changed.contains(*w)).map(String::from)
    }

    /// What the first instructions that are not the same have to do with.
    fn differing(&self, c: u32) -> Option<(Kind, String)> {
        let Pair { old, new } = self.pair(c);
        let (x, y) = self.first_instructions(c);
        let both = [(Version::Old, old, x), (Version::New, new, y)];
        for (v, f, i) in &both {
            if matches!(i.map(|i| &i.kind), Some(InstKind::InlineAsm(_))) {
                return Some((Kind::Assembly, self.pairs.module(*v).func(*f).name.clone()));
            }
        }
        let names = |v: Version, i: Option<&Inst>| -> BTreeMap<String, String> {
            let m = self.pairs.module(v);
            let mut out = BTreeMap::new();
            if let Some(i) = i {
                i.kind.for_each_operand(|o| {
                    if let Operand::Const(Const::Symbol(s)) = o
                        && let SymbolRef::Global(g) = m.resolve(*s).0
                        && !m.global(g).compiler_made
                    {
                        out.insert(m.global(g).name.clone(), self.pairs.global_name(v, g));
                    }
                });
            }
            out
        };
        if let Some(n) = self.macro_of((old, x), (new, y)) {
            return Some((Kind::Macro, n));
        }
        let (a, b) = (names(Version::Old, x), names(Version::New, y));
        if let Some((n, _)) = a.iter().find(|(n, what)| b.get(*n).is_some_and(|other| other != *what)) {
            return Some((Kind::Variable, n.clone()));
        }
        both.iter().find_map(|(v, f, i)| {
            let m = self.pairs.module(*v);
            record_of(m, &self.pairs.layouts, *f, &i.as_ref()?.kind).map(|n| (Kind::Type, n))
        })
    }
}

/// Names of macros that are not defined in the same way in both versions, and of those that stand for one of them.
fn changed_macros(old: &Module, new: &Module) -> BTreeSet<String> {
    let all = |m: &Module| -> BTreeMap<String, BTreeSet<String>> {
        let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for d in m.macros.iter().filter(|d| !d.undef) {
            let name = d.name.split('(').next().unwrap_or("").to_string();
            out.entry(name).or_default().insert(format!("{} {}", d.name, d.body));
        }
        out
    };
    let (a, b) = (all(old), all(new));
    let mut changed: BTreeSet<&str> =
        a.iter().filter(|(n, d)| b.get(*n).is_some_and(|e| e != *d)).map(|(n, _)| n.as_str()).collect();
    loop {
        let stands = |d: &BTreeSet<String>| d.iter().any(|d| words(d).skip(1).any(|w| changed.contains(w)));
        let more: Vec<&str> =
            b.iter().filter(|(n, d)| !changed.contains(n.as_str()) && stands(d)).map(|(n, _)| n.as_str()).collect();
        if more.is_empty() {
            return changed.into_iter().map(String::from).collect();
        }
        changed.extend(more);
    }
}

/// The identifiers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}
