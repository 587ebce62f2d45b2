//! Libraries that use one another without a link that says so. A static archive names nothing that it needs, and a
//! shared object may leave it to the program that loads it; the build has often made what is meant beside it. Unknown
//! code in its place is no error, but little can be proved or found then.
//!
//! A name is bound where all of the build that defines it, programs included, has it from one source that was compiled to the
//! same code, and only for libraries that no program of the build is made of: with the others a program shows what they
//! are linked with. What was bound is said with the results, as it is an assumption.

use crate::foreign::is_of_library;
use crate::targets::{defined, same_code, source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use verify_compile_db::project::{Project, UnitUse};
use verify_compile_db::record::LinkKind;
use verify_ir::link::Archive;
use verify_ir::{Module, Visibility};

/// How many names are said.
const NAMES: usize = 5;

/// What the libraries of a build define.
pub(crate) struct Neighbours<'a> {
    /// Indices of targets and their units.
    libraries: Vec<(usize, Vec<&'a Module>)>,
    /// Who defines a name: the unit, and whether others do, too.
    owners: BTreeMap<&'a str, (&'a Module, bool)>,
    /// Targets with units that went into a program.
    in_programs: BTreeSet<usize>,
}

impl<'a> Neighbours<'a> {
    /// `unit` gives what was captured of a source.
    pub(crate) fn of(p: &Project, unit: impl Fn(&UnitUse) -> Option<&'a Module>) -> Neighbours<'a> {
        let hashes = |i: usize| p.targets[i].units.iter().map(|u| *u.unit.as_bytes());
        let mut of_programs = BTreeSet::new();
        for (i, t) in p.targets.iter().enumerate().filter(|(_, t)| t.kind == LinkKind::Executable) {
            of_programs.extend(hashes(i));
            t.shared.iter().filter_map(|s| s.target).for_each(|s| of_programs.extend(hashes(s)));
        }
        let of_library = |i: &usize| matches!(p.targets[*i].kind, LinkKind::Archive | LinkKind::Shared);
        let all: Vec<usize> = (0..p.targets.len()).filter(of_library).collect();
        let in_programs: BTreeSet<usize> =
            all.iter().copied().filter(|i| hashes(*i).any(|h| of_programs.contains(&h))).collect();
        let mut owners: BTreeMap<&str, (&Module, bool)> = BTreeMap::new();
        // One library has nobody to ask, and those of programs do not.
        if all.len() < 2 || in_programs.len() == all.len() {
            return Neighbours { libraries: Vec::new(), owners, in_programs };
        }
        let mut seen = BTreeSet::new();
        for u in p.targets.iter().flat_map(|t| &t.units).chain(&p.loose) {
            let Some(m) = unit(u).filter(|_| seen.insert(*u.unit.as_bytes())) else { continue };
            // What is hidden is for one library only, nobody knows which others went into it.
            let hidden = hidden(m);
            // Whether a program takes these from there or from the C library is its own matter.
            for name in defined(m, true).filter(|n| !is_of_library(n)) {
                let (first, several) = owners.entry(name).or_insert((m, false));
                *several |= hidden.contains(name) || source(first) != source(m) || !same_code(first, m);
            }
        }
        let modules = |i: usize| p.targets[i].units.iter().filter_map(&unit).collect();
        Neighbours { libraries: all.iter().map(|i| (*i, modules(*i))).collect(), owners, in_programs }
    }

    /// What a library that was linked with `archives` uses of others, and the sentence that says so.
    pub(crate) fn archives(
        &self,
        p: &Project,
        library: usize,
        modules: &[Module],
        archives: &[Archive],
    ) -> (Vec<Archive>, Option<String>) {
        if self.in_programs.contains(&library) || !self.libraries.iter().any(|(i, _)| *i == library) {
            return (Vec::new(), None);
        }
        let own = || modules.iter().chain(archives.iter().flat_map(|a| &a.members));
        let have: BTreeSet<&str> = own().flat_map(|m| defined(m, true)).collect();
        let certain = |name: &str| self.owners.get(name).is_some_and(|(_, several)| !several);
        let wanted: BTreeSet<&str> = own().flat_map(used).filter(|n| !have.contains(n) && certain(n)).collect();
        if wanted.is_empty() {
            return (Vec::new(), None);
        }
        let mut sources: BTreeSet<PathBuf> = own().map(source).collect();
        let mut out = Vec::new();
        let (mut from, mut bound) = (Vec::new(), BTreeSet::new());
        let kind = p.targets[library].kind;
        let (same, other): (Vec<_>, Vec<_>) =
            self.libraries.iter().filter(|(i, _)| *i != library).partition(|(i, _)| p.targets[*i].kind == kind);
        for (i, units) in same.into_iter().chain(other) {
            // A unit that defines what is here already, or what others define, too, is not taken.
            let fits = |m: &&Module| {
                defined(m, false).all(|n| !have.contains(n) && certain(n)) && !sources.contains(&source(m))
            };
            let members: Vec<Module> = units.iter().copied().filter(fits).cloned().collect();
            let before = bound.len();
            bound.extend(members.iter().flat_map(|m| defined(m, true)).filter_map(|n| wanted.get(n).copied()));
            if bound.len() > before {
                from.push(p.targets[*i].name.clone());
            }
            sources.extend(members.iter().map(source));
            out.push(Archive { name: p.targets[*i].name.clone(), members });
        }
        if bound.is_empty() {
            return (Vec::new(), None);
        }
        let some: Vec<String> = bound.iter().take(NAMES).map(|n| format!("`{n}`")).collect();
        let more = if bound.len() > NAMES { ", ..." } else { "" };
        let said = format!(
            "no link of the build says where {}{more} come from: taken from {}, made beside it",
            some.join(", "),
            from.join(", ")
        );
        (out, Some(said))
    }
}

/// Names that cannot be used from outside of what the unit is linked into.
fn hidden(m: &Module) -> BTreeSet<&str> {
    let functions = m.functions.iter().filter(|f| f.visibility == Visibility::Hidden).map(|f| f.name.as_str());
    let variables = m.globals.iter().filter(|g| g.visibility == Visibility::Hidden).map(|g| g.name.as_str());
    let aliases = m.aliases.iter().filter(|a| a.visibility == Visibility::Hidden).map(|a| a.name.as_str());
    functions.chain(variables).chain(aliases).collect()
}

/// Names that a unit leaves to others.
fn used(m: &Module) -> impl Iterator<Item = &str> {
    let functions = m.functions.iter().filter(|f| f.body.is_none()).map(|f| f.name.as_str());
    functions.chain(m.globals.iter().filter(|g| g.init.is_none()).map(|g| g.name.as_str()))
}
