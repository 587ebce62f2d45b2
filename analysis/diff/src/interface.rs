//! What the versions offer to others besides functions: variables and second names (`alias`, `ifunc`). A variable that
//! begins with something else, or a name that stands for something else, changes what users of the program see, though
//! no function's code says so.
//!
//! This compares declarations and initialisers as they are written; nothing is run, and nothing is shown equal here.

use crate::pairs::{Pairs, TOO_LARGE};
use crate::product::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verify_ir::{GlobalId, Linkage, SymbolRef};

/// An externally visible name that both versions have and that is not the same in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What is different.
    pub difference: String,
}

/// Variables and second names of two programs.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub differing: Vec<Symbol>,
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

/// What a name stands for.
#[derive(PartialEq, Eq)]
enum Meaning {
    /// A variable: its declaration and what it begins with, and whether a record of another layout is in it.
    Variable(String, bool),
    /// Another name for this.
    Alias(String),
}

impl Symbols {
    pub fn new(pairs: &Pairs<'_>) -> Symbols {
        let (a, b) = (offered(pairs, Version::Old), offered(pairs, Version::New));
        let mut out = Symbols::default();
        for (name, x) in &a {
            let Some(y) = b.get(name) else {
                out.removed.push(name.clone());
                continue;
            };
            if let Some(difference) = difference(x, y) {
                out.differing.push(Symbol { name: name.clone(), difference: difference.into() });
            }
        }
        out.added = b.into_keys().filter(|n| !a.contains_key(n)).collect();
        out
    }
}

fn difference(x: &Meaning, y: &Meaning) -> Option<&'static str> {
    match (x, y) {
        (Meaning::Variable(a, changed), Meaning::Variable(b, _)) => {
            if a.contains(TOO_LARGE) || b.contains(TOO_LARGE) {
                Some("what it begins with is too large to be compared")
            } else if a != b {
                Some("it is declared in another way, or begins with something else")
            } else {
                changed.then_some("it has a type whose layout changed")
            }
        }
        (x, y) => (x != y).then_some("it stands for something else"),
    }
}

fn offered(pairs: &Pairs<'_>, v: Version) -> BTreeMap<String, Meaning> {
    let m = pairs.module(v);
    let mut out = BTreeMap::new();
    for (i, g) in m.globals.iter().enumerate() {
        let model = m.units.get(g.unit.index()).is_some_and(|u| u.model);
        if g.linkage != Linkage::Internal && g.init.is_some() && !g.compiler_made && !model {
            let meaning = Meaning::Variable(pairs.global_name(v, GlobalId::new(i)), pairs.layout_differs(v, g.ctype));
            out.insert(g.name.clone(), meaning);
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
        out.insert(a.name.clone(), Meaning::Alias(format!("{how} {target}+{offset}+{}", a.offset)));
    }
    out
}
