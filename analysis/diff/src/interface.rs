//! What the versions offer to others besides functions: variables and second names (`alias`, `ifunc`). A variable that
//! begins with something else, or a name that stands for something else, changes what users of the program see, though
//! no function's code says so.
//!
//! This compares declarations and initialisers as they are written; nothing is run, and nothing is shown equal here.

use crate::compare::Place;
use crate::layouts::strip;
use crate::pairs::{Pairs, TOO_LARGE};
use crate::product::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verify_ir::{CType, FuncId, GlobalId, Linkage, Module, SpanId, SymbolRef, TypeId};

/// An externally visible name that both versions have and that is not the same in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What is different.
    pub difference: String,
    /// It is seen to be different; else it could not be compared.
    pub seen: bool,
    /// Where it is defined in the old version.
    pub old_place: Option<Place>,
    /// Where it is defined in the new version.
    pub new_place: Option<Place>,
}

/// An externally visible name that only one version has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Offer {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Place>,
}

/// Variables and second names of two programs.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub differing: Vec<Symbol>,
    pub removed: Vec<Offer>,
    pub added: Vec<Offer>,
}

/// What a name stands for, and where it is defined.
type Offered = BTreeMap<String, (Meaning, Option<Place>)>;

/// What a name stands for.
#[derive(PartialEq, Eq)]
enum Meaning {
    /// A variable: its declaration and what it begins with, whether a record of another layout is in it, and what kind
    /// of value it holds.
    Variable(String, bool, Option<String>),
    /// Another name for this.
    Alias(String),
}

impl Symbols {
    pub fn new(pairs: &Pairs<'_>) -> Symbols {
        let (a, b) = (offered(pairs, Version::Old), offered(pairs, Version::New));
        let mut out = Symbols::default();
        for (name, (x, old_place)) in &a {
            let Some((y, new_place)) = b.get(name) else {
                out.removed.push(Offer { name: name.clone(), place: old_place.clone() });
                continue;
            };
            if let Some(difference) = difference(x, y) {
                out.differing.push(Symbol {
                    name: name.clone(),
                    difference: difference.into(),
                    seen: difference != NOT_COMPARED,
                    old_place: old_place.clone(),
                    new_place: new_place.clone(),
                });
            }
        }
        let new = b.into_iter().filter(|(n, _)| !a.contains_key(n));
        out.added = new.map(|(name, (_, place))| Offer { name, place }).collect();
        out
    }
}

/// Said of a variable that begins with more than is looked at.
const NOT_COMPARED: &str = "what it begins with is too large to be compared";

fn difference(x: &Meaning, y: &Meaning) -> Option<&'static str> {
    match (x, y) {
        (Meaning::Variable(a, changed, x), Meaning::Variable(b, _, y)) => {
            if a.contains(TOO_LARGE) || b.contains(TOO_LARGE) {
                Some(NOT_COMPARED)
            } else if a != b || x.is_some() && y.is_some() && x != y {
                Some("it is declared in another way, or begins with something else")
            } else {
                changed.then_some("it has a type whose layout changed")
            }
        }
        (x, y) => (x != y).then_some("it stands for something else"),
    }
}

fn offered(pairs: &Pairs<'_>, v: Version) -> Offered {
    let m = pairs.module(v);
    let mut out = BTreeMap::new();
    for (i, g) in m.globals.iter().enumerate() {
        let model = m.units.get(g.unit.index()).is_some_and(|u| u.model);
        if g.linkage != Linkage::Internal && g.init.is_some() && !g.compiler_made && !model {
            let section = g.section.as_ref().map_or_else(String::new, |s| format!(" in {s}"));
            let name = pairs.global_name(v, GlobalId::new(i)) + &section;
            let kind = g.ctype.and_then(|t| kind_of_value(m, t));
            let meaning = Meaning::Variable(name, pairs.layout_differs(v, g.ctype), kind);
            out.insert(g.name.clone(), (meaning, position(m, g.span, "")));
        }
    }
    for a in m.aliases.iter().filter(|a| a.linkage != Linkage::Internal) {
        let (target, offset) = m.resolve(a.target);
        let target = match target {
            SymbolRef::Func(f) => match pairs.class(v, f) {
                Some(c) => format!("pair {c}"),
                None => format!("function {}", m.func(f).name),
            },
            SymbolRef::Global(g) => pairs.global_name(v, g),
            SymbolRef::Alias(b) => format!("name {}", m.alias(b).name),
        };
        let how = if a.ifunc { "chosen by" } else { "" };
        let at = match m.resolve(a.target).0 {
            SymbolRef::Func(f) => place_of(m, f),
            SymbolRef::Global(g) => position(m, m.global(g).span, ""),
            SymbolRef::Alias(_) => None,
        };
        out.insert(a.name.clone(), (Meaning::Alias(format!("{how} {target}+{offset}+{}", a.offset)), at));
    }
    out
}

/// How the bytes of a variable are read, as far as that is not told by its size and layout.
fn kind_of_value(m: &Module, mut t: TypeId) -> Option<String> {
    let mut of = String::new();
    loop {
        t = strip(m, t);
        match m.ctype(t) {
            CType::Base { encoding, bits, .. } => return Some(format!("{of}{encoding:?} {bits}")),
            CType::Enum { underlying, .. } => t = *underlying,
            CType::Array { elem, count } => {
                of += &format!("{count:?} of ");
                t = *elem;
            }
            CType::Pointer(_) => return Some(format!("{of}pointer")),
            CType::Record(_) => return Some(format!("{of}record")),
            CType::Void | CType::Typedef { .. } | CType::Qualified { .. } | CType::Function { .. } => return None,
        }
    }
}

/// A place in the source as people are told of it.
pub(crate) fn position(m: &Module, s: SpanId, function: &str) -> Option<Place> {
    let s = m.span(s);
    let file = m.files.get(s.file.index())?;
    Some(Place {
        file: file.path.clone(),
        directory: file.directory.clone(),
        line: s.line,
        column: s.column,
        function: function.to_string(),
    })
}

/// Where a function is defined.
pub(crate) fn place_of(m: &Module, f: FuncId) -> Option<Place> {
    position(m, m.func(f).span, &m.func(f).name)
}
