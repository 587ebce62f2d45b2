//! Libraries that use one another without a link that says so. A static archive names nothing that it needs, and a
//! shared object may leave it to the program that loads it; the build has often made what is meant beside it. Unknown
//! code in its place is no error, but little can be proved or found then.
//!
//! A name is bound where every library of the build that defines it has it from the same source, and only for
//! libraries that no program of the build is made of: with the others a program shows what they are linked with. What was
//! bound is said with the results, as it is an assumption.

use crate::foreign::is_of_library;
use crate::targets::{defined, source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use verify_compile_db::project::Project;
use verify_compile_db::record::LinkKind;
use verify_ir::Module;
use verify_ir::link::Archive;

/// How many names are said.
const NAMES: usize = 5;

/// What the libraries of a build define.
pub(crate) struct Neighbours {
    /// Indices of targets and their units.
    libraries: Vec<(usize, Vec<Module>)>,
    /// The sources that define a name.
    owners: BTreeMap<String, BTreeSet<PathBuf>>,
    /// Targets with units that went into a program.
    in_programs: BTreeSet<usize>,
}

impl Neighbours {
    /// `units` gives what was captured of a target.
    pub(crate) fn of(p: &Project, units: impl Fn(usize) -> Vec<Module>) -> Neighbours {
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
        let mut owners: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut libraries = Vec::new();
        // One library has nobody to ask, and those of programs do not.
        let asked = all.len() > 1 && in_programs.len() < all.len();
        for i in all.iter().copied().filter(|_| asked) {
            let modules = units(i);
            for m in &modules {
                // Whether a program takes these from there or from the C library is its own matter.
                for name in defined(m, true).filter(|n| !is_of_library(n)) {
                    owners.entry(name.to_string()).or_default().insert(source(m));
                }
            }
            libraries.push((i, modules));
        }
        Neighbours { libraries, owners, in_programs }
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
        let certain = |name: &str| self.owners.get(name).is_some_and(|o| o.len() == 1);
        let wanted: BTreeSet<&str> = own().flat_map(used).filter(|n| !have.contains(n) && certain(n)).collect();
        if wanted.is_empty() {
            return (Vec::new(), None);
        }
        let mut sources: BTreeSet<PathBuf> = own().map(source).collect();
        let mut out = Vec::new();
        let mut names = Vec::new();
        let kind = p.targets[library].kind;
        let (same, other): (Vec<_>, Vec<_>) =
            self.libraries.iter().filter(|(i, _)| *i != library).partition(|(i, _)| p.targets[*i].kind == kind);
        for (i, units) in same.into_iter().chain(other) {
            // A unit that defines what is here already, or what others define, too, is not taken.
            let fits = |m: &&Module| {
                defined(m, false).all(|n| !have.contains(n) && certain(n)) && !sources.contains(&source(m))
            };
            let members: Vec<Module> = units.iter().filter(fits).cloned().collect();
            let defines = |m: &Module| defined(m, true).any(|n| wanted.contains(n));
            if members.iter().any(defines) {
                names.push(p.targets[*i].name.clone());
            }
            sources.extend(members.iter().map(source));
            out.push(Archive { name: p.targets[*i].name.clone(), members });
        }
        if names.is_empty() {
            return (Vec::new(), None);
        }
        let some: Vec<String> = wanted.iter().take(NAMES).map(|n| format!("`{n}`")).collect();
        let more = if wanted.len() > NAMES { ", ..." } else { "" };
        let said = format!(
            "no link of the build says where {}{more} come from: taken from {}, made beside it",
            some.join(", "),
            names.join(", ")
        );
        (out, Some(said))
    }
}

/// Names that a unit leaves to others.
fn used(m: &Module) -> impl Iterator<Item = &str> {
    let functions = m.functions.iter().filter(|f| f.body.is_none()).map(|f| f.name.as_str());
    functions.chain(m.globals.iter().filter(|g| g.init.is_none()).map(|g| g.name.as_str()))
}
