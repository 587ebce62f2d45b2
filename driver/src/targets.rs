//! From a captured folder or a compilation database to linked programs, ready for the engines.

use crate::neighbours::Neighbours;
use crate::tools::Env;
use crate::{below, compile, models};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify_compile_db::CompileDb;
use verify_compile_db::project::{self, Project, UnitUse};
use verify_compile_db::record::LinkKind;
use verify_engine::ProgramInput;
use verify_engine::result::TargetKind;
use verify_ir::link::{Archive, LinkOptions, link};
use verify_ir::{Linkage, Module, Visibility};

/// Programs and what could not be read of them.
#[derive(Default)]
pub struct Programs {
    /// Linked programs.
    pub inputs: Vec<ProgramInput>,
    /// Sentences about the folder as a whole.
    pub notes: Vec<String>,
    /// Something could not be read.
    pub incomplete: bool,
}

/// What the ledger knows about a folder.
///
/// # Errors
/// The ledger cannot be listed.
pub fn project(env: &Env, dir: &Path) -> anyhow::Result<Project> {
    verify_wrapper::pending::recover_from_env();
    let contents = env.ledger()?;
    Ok(project::load(&contents, dir))
}

/// Units read so far, by name in the cache.
struct Units<'a> {
    env: &'a Env,
    root: &'a Path,
    /// Where units are made anew because more checks are asked for.
    recompile: Option<crate::optin::Recompile>,
    read: BTreeMap<String, Result<Module, String>>,
}

impl Units<'_> {
    fn read_all(&mut self, uses: &[&UnitUse]) {
        let mut open: Vec<&UnitUse> =
            uses.iter().copied().filter(|u| !self.read.contains_key(u.unit.to_hex().as_str())).collect();
        open.sort_by_key(|u| *u.unit.as_bytes());
        open.dedup_by_key(|u| *u.unit.as_bytes());
        let new: Vec<_> = open
            .par_iter()
            .map(|u| {
                let module = match &self.recompile {
                    Some(r) => r.unit(self.env, u),
                    None => compile::load_unit(&self.env.store, &u.unit),
                };
                let module = module.map(|mut module| {
                    below::name(self.root, &mut module);
                    module
                });
                (u.unit.to_hex().to_string(), module)
            })
            .collect();
        self.read.extend(new);
    }

    /// Without a copy of it.
    fn look(&self, u: &UnitUse) -> Option<&Module> {
        self.read.get(u.unit.to_hex().as_str())?.as_ref().ok()
    }

    fn get(&self, u: &UnitUse) -> Result<Module, String> {
        self.read.get(u.unit.to_hex().as_str()).cloned().unwrap_or_else(|| Err("not read".into()))
    }
}

/// What a library of a build is given of the names that its link leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// Nothing.
    AsLinked,
    /// What another library of the build defines, where that is certain.
    Neighbours,
}

/// Links every target of a captured folder. With `sanitizers` its units are compiled anew, with the checks they stand for.
///
/// # Errors
/// The library models cannot be made.
pub fn of_folder(env: &Env, p: &Project, sanitizers: &[&'static str], bind: Bind) -> anyhow::Result<Programs> {
    let mut out = Programs::default();
    let recompile = if sanitizers.is_empty() {
        None
    } else {
        env.tools()?;
        Some(crate::optin::Recompile::new(env, &p.root, sanitizers)?)
    };
    let mut units = Units { env, root: &p.root, recompile, read: BTreeMap::new() };
    let all: Vec<&UnitUse> = p.targets.iter().flat_map(|t| &t.units).chain(&p.loose).collect();
    units.read_all(&all);
    let root = p.root.as_path();
    let mut linker = Linker::new(env, root);
    for m in &p.uncaptured {
        out.incomplete = true;
        out.notes.push(format!("{}: not captured: {}", m.input, m.reason));
    }
    let mut loose: Vec<&UnitUse> = p.loose.iter().collect();
    let neighbours = (bind == Bind::Neighbours).then(|| Neighbours::of(p, |u| units.look(u)));
    for (number, t) in p.targets.iter().enumerate() {
        if t.units.is_empty() {
            continue;
        }
        let (as_compiled, altered): (Vec<&UnitUse>, Vec<&UnitUse>) = t.units.iter().partition(|u| !u.altered);
        let (mut modules, mut diagnostics) = collect(&units, &as_compiled);
        // What the C library brings along (crt1.o, libc.a) is not among the missing: it is not the project's and has its models.
        let open = !diagnostics.is_empty() || !altered.is_empty() || !t.missing.is_empty();
        let mut incomplete = open;
        let mut kind = match t.kind {
            LinkKind::Executable => TargetKind::Executable,
            LinkKind::Shared => TargetKind::SharedObject,
            LinkKind::Archive => TargetKind::Archive,
            LinkKind::Relocatable => TargetKind::Loose,
        };
        for u in altered {
            let what = "which of its symbols are still those of its source is not known; it counts as unknown code";
            diagnostics.push(format!("{}: {what}", u.from));
            loose.push(u);
        }
        diagnostics.extend(t.missing.iter().map(|m| format!("{}: {}", m.input, m.reason)));
        if open {
            // What is not here may call and change whatever is.
            modules.iter_mut().for_each(show_hidden);
            if kind == TargetKind::Executable {
                kind = TargetKind::SharedObject;
                add_to_last(&mut diagnostics);
            }
        }
        diagnostics.extend(t.notes.iter().cloned());
        let mut archives = Vec::new();
        for s in &t.shared {
            if let Some(other) = s.target.and_then(|i| p.targets.get(i)) {
                let as_compiled: Vec<&UnitUse> = other.units.iter().filter(|u| !u.altered).collect();
                let (members, more) = collect(&units, &as_compiled);
                if !(more.is_empty() && as_compiled.len() == other.units.len() && other.missing.is_empty()) {
                    incomplete = true;
                    if kind == TargetKind::Executable {
                        kind = TargetKind::SharedObject;
                        diagnostics.push(format!("{}: parts are missing; {MAY_CALL}", other.name));
                    }
                }
                diagnostics.extend(more);
                let before = modules.iter().chain(archives.iter().flat_map(|a: &Archive| &a.members));
                if let Some(name) = defined_twice(before, &members) {
                    // Visibility, `-Bsymbolic` and version scripts decide which of the two the library's own code gets.
                    // It may call whatever is defined here as well.
                    let said = format!(
                        "`{name}` is defined here and in {}, and which of the two that calls is not known",
                        other.name
                    );
                    diagnostics.push(format!("{said}: it counts as unknown code, and this as a library"));
                    kind = TargetKind::SharedObject;
                    continue;
                }
                archives.push(Archive { name: other.name.clone(), members });
            }
        }
        if let Some(n) = &neighbours {
            let (more, said) = n.archives(p, number, &modules, &archives);
            archives.extend(more);
            diagnostics.extend(said);
        }
        let name = t.path.strip_prefix(&p.root).unwrap_or(&t.path).display().to_string();
        linker.add(&mut out, Draft { name, kind, modules, archives, diagnostics, incomplete })?;
    }
    let linked: BTreeSet<_> =
        p.targets.iter().flat_map(|t| &t.units).filter(|u| !u.altered).map(|u| *u.unit.as_bytes()).collect();
    loose.retain(|u| !u.altered || !linked.contains(u.unit.as_bytes()));
    let mut seen = BTreeSet::new();
    loose.retain(|u| !u.altered || seen.insert(*u.unit.as_bytes()));
    let (modules, diagnostics) = collect(&units, &loose);
    let incomplete = !diagnostics.is_empty();
    linker.add_loose(&mut out, modules, diagnostics, incomplete)?;
    linker.finish(&mut out)?;
    if p.damaged > 0 {
        out.notes.push(format!("{} records of the capture ledger are damaged and were left out", p.damaged));
    }
    Ok(out)
}

/// Compiles the entries of a compilation database and links them: a program per `main`, with the other units linked
/// as they are needed, and a library of what several programs need, or none.
///
/// # Errors
/// The database cannot be read; clang is missing; the library models cannot be made.
pub fn of_database(
    env: &Env,
    root: &Path,
    file: &Path,
    sanitizers: &[&'static str],
    progress: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<Programs> {
    let db = CompileDb::read(file).map_err(|e| crate::exit::usage(e.to_string()))?;
    if db.entries.is_empty() {
        return Err(crate::exit::usage(format!("{}: has no entries", file.display())));
    }
    env.tools()?;
    let mut out = Programs::default();
    let results: Vec<Result<Module, String>> = db
        .entries
        .par_iter()
        .map(|e| {
            let r = verify_wrapper::capture::entry_job(e).map_err(|x| x.to_string()).and_then(|mut job| {
                job.args.extend(crate::optin::options(sanitizers));
                compile::compile_job(env, &job).map_err(|x| format!("{x:#}"))
            });
            progress(&e.file.display().to_string());
            r.map_err(|why| format!("{}: {}", e.file.display(), why.lines().next().unwrap_or("failed")))
        })
        .collect();
    let mut modules = Vec::new();
    for r in results {
        match r {
            Ok(mut m) => {
                below::name(root, &mut m);
                modules.push(m);
            }
            Err(why) => {
                out.incomplete = true;
                out.notes.push(why);
            }
        }
    }
    if modules.is_empty() {
        let first = out.notes.first().cloned().unwrap_or_default();
        return Err(crate::exit::usage(format!("{}: no entry could be compiled: {first}", file.display())));
    }
    let mut linker = Linker::new(env, root);
    linker.add_loose(&mut out, modules, Vec::new(), false)?;
    linker.finish(&mut out)?;
    Ok(out)
}

/// Why a program without some of its parts is looked at as a library.
const MAY_CALL: &str = "what is missing may call what is defined here: this counts as a library";

fn add_to_last(said: &mut [String]) {
    if let Some(last) = said.last_mut() {
        last.push_str("; ");
        last.push_str(MAY_CALL);
    }
}

/// Names that only the same program sees: to a part of it that is missing they are names like others.
fn show_hidden(m: &mut Module) {
    let functions = m.functions.iter_mut().map(|f| &mut f.visibility);
    let variables = m.globals.iter_mut().map(|g| &mut g.visibility);
    let aliases = m.aliases.iter_mut().map(|a| &mut a.visibility);
    functions.chain(variables).chain(aliases).for_each(|v| *v = Visibility::Default);
}

/// A name that other units get their definition from: of code or a variable, and no copy that is the same everywhere.
fn definitions(m: &Module) -> impl Iterator<Item = &str> {
    let seen = |l: Linkage| matches!(l, Linkage::External | Linkage::Weak | Linkage::Common);
    let functions = m.functions.iter().filter(move |f| f.body.is_some() && f.comdat.is_none() && seen(f.linkage));
    let globals = m.globals.iter().filter(move |g| g.init.is_some() && g.comdat.is_none() && seen(g.linkage));
    let aliases = m.aliases.iter().filter(move |a| seen(a.linkage));
    functions.map(|f| &*f.name).chain(globals.map(|g| &*g.name)).chain(aliases.map(|a| &*a.name))
}

/// A name that both define, in different units.
fn defined_twice<'m>(before: impl Iterator<Item = &'m Module>, members: &'m [Module]) -> Option<&'m str> {
    let before: Vec<&Module> = before.collect();
    let mut of: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, m) in before.iter().enumerate() {
        definitions(m).for_each(|name| _ = of.entry(name).or_insert(i));
    }
    for m in members {
        // Units are compared once, however many names they share.
        let shared: BTreeMap<usize, &str> = definitions(m).filter_map(|n| of.get(n).map(|i| (*i, n))).collect();
        if let Some((_, name)) = shared.into_iter().find(|(i, _)| before[*i] != m) {
            return Some(name);
        }
    }
    None
}

fn collect(units: &Units<'_>, uses: &[&UnitUse]) -> (Vec<Module>, Vec<String>) {
    let (mut modules, mut problems) = (Vec::new(), Vec::new());
    for u in uses {
        match units.get(u) {
            Ok(m) => modules.push(m),
            Err(why) => problems.push(format!("{}: {why}", u.source.display())),
        }
    }
    (modules, problems)
}

struct Draft {
    name: String,
    kind: TargetKind,
    modules: Vec<Module>,
    archives: Vec<Archive>,
    diagnostics: Vec<String>,
    incomplete: bool,
}

/// The text of the unit or of a header has the name.
fn mentions(m: &Module, name: &str) -> bool {
    m.files
        .iter()
        .filter_map(|f| f.text.as_deref())
        .any(|t| t.contains(name) && t.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|w| w == name))
}

/// A model that the user gave.
fn is_users(m: &Module) -> bool {
    m.units.iter().any(|u| u.flags == verify_checks::calls::USERS_MODEL)
}

struct Linker<'a> {
    env: &'a Env,
    /// The scanned folder, which names are relative to.
    root: &'a Path,
    models: BTreeMap<String, Vec<Module>>,
    /// Annotations that were compiled.
    described: BTreeMap<String, Module>,
    /// Of the annotations: some program declares the function; some source has its name.
    declared: BTreeSet<usize>,
    mentioned: BTreeSet<usize>,
}

/// A variable of which each thread has one.
fn of_each_thread(d: &Draft) -> Option<String> {
    let units = d.modules.iter().chain(d.archives.iter().flat_map(|a| &a.members));
    units.flat_map(|m| &m.globals).find(|g| g.thread_local).map(|g| g.name.clone())
}

impl<'a> Linker<'a> {
    fn new(env: &'a Env, root: &'a Path) -> Linker<'a> {
        Linker {
            env,
            root,
            models: BTreeMap::new(),
            described: BTreeMap::new(),
            declared: BTreeSet::new(),
            mentioned: BTreeSet::new(),
        }
    }

    /// What verify.toml says of functions that these units declare, as models; what of it has no effect becomes a remark.
    fn annotated(&mut self, d: &mut Draft) -> anyhow::Result<Option<Module>> {
        let units: Vec<&Module> = d.modules.iter().chain(d.archives.iter().flat_map(|a| &a.members)).collect();
        let library = &self.models[&units[0].target.triple];
        let (mut used, mut remarks) = (Vec::new(), Vec::new());
        for (i, e) in self.env.annotations.iter().enumerate() {
            let visible = |m: &Module| m.function_named(&e.name).filter(|f| m.func(*f).linkage != Linkage::Internal);
            let defines = |m: &Module| visible(m).is_some_and(|f| m.func(f).body.is_some());
            if !units.iter().any(|m| visible(m).is_some()) {
                if !self.declared.contains(&i) && units.iter().any(|m| mentions(m, &e.name)) {
                    self.mentioned.insert(i);
                }
                continue;
            }
            self.declared.insert(i);
            let at = format!("verify.toml:{}: `{}`", e.line, e.name);
            if units.iter().any(|m| defines(m)) {
                remarks.push(format!("{at} has a body in the program: what is said of it there is not used"));
                continue;
            }
            if library.iter().any(|m| is_users(m) && defines(m)) {
                return Err(e.wrong("it has a model in C, too: one of the two has to go"));
            }
            if library.iter().any(defines) {
                remarks.push(format!("{at} takes the place of the model of the C library"));
            }
            used.push(e);
        }
        let module = models::annotated(self.env, &used, &units, &units[0].target, &mut self.described)?;
        d.diagnostics.extend(remarks);
        Ok(module)
    }

    /// All programs were seen.
    fn finish(self, out: &mut Programs) -> anyhow::Result<()> {
        for (i, e) in self.env.annotations.iter().enumerate().filter(|(i, _)| !self.declared.contains(i)) {
            if !self.mentioned.contains(&i) {
                return Err(e.wrong("no source has a function of this name"));
            }
            let remark = format!("verify.toml:{}: nothing uses the function `{}`", e.line, e.name);
            out.inputs.iter_mut().take(1).for_each(|p| p.diagnostics.push(remark.clone()));
        }
        Ok(())
    }

    fn add(&mut self, out: &mut Programs, mut d: Draft) -> anyhow::Result<()> {
        let Some(first) = d.modules.first() else {
            // Why there is nothing of it is the first thing to say.
            out.notes.splice(0..0, d.diagnostics.first().map(|why| format!("{}: {why}", d.name)));
            return Ok(());
        };
        let target = first.target.clone();
        if !self.models.contains_key(&target.triple) {
            self.models.insert(target.triple.clone(), models::load(self.env, &target)?);
        }
        let annotated = self.annotated(&mut d)?;
        // A thread that runs inside of another one would see the other's variables for its own.
        let own = if self.env.race_free { of_each_thread(&d) } else { None };
        let follows = |m: &&Module| own.is_none() || !models::starts_threads(m);
        let library = self.models[&target.triple].iter().filter(follows).cloned();
        if let Some(name) = &own {
            d.diagnostics.push(format!("threads are not followed: each has a variable `{name}` of its own"));
        }
        let options = LinkOptions {
            archives: d.archives,
            models: annotated.into_iter().chain(library).collect(),
            roots: models::ROOTS.map(String::from).to_vec(),
            strip_unreferenced_declarations: true,
        };
        match link(d.modules, &options) {
            Ok(mut linked) => {
                verify_facts::split::all(&mut linked.module);
                d.diagnostics.extend(linked.diagnostics.iter().map(ToString::to_string));
                d.diagnostics.extend(linked.module.unmodelled.iter().cloned());
                out.inputs.push(ProgramInput {
                    name: d.name,
                    kind: d.kind,
                    module: Arc::new(linked.module),
                    diagnostics: d.diagnostics,
                    incomplete: d.incomplete,
                });
            }
            Err(e) => {
                out.incomplete = true;
                out.notes.push(format!("{}: not linked: {e}", d.name));
            }
        }
        Ok(())
    }

    /// Units without a link: a program for every one that defines `main`, and a library of the units that several of
    /// these programs need, or none: nobody knows here what else calls them.
    ///
    /// Where several units define a name, nobody knows whose it is: none of them is taken into a program, which is
    /// incomplete then, and each is a library of its own.
    fn add_loose(
        &mut self,
        out: &mut Programs,
        modules: Vec<Module>,
        diagnostics: Vec<String>,
        incomplete: bool,
    ) -> anyhow::Result<()> {
        let defines_main = |m: &Module| m.function_named("main").is_some_and(|f| m.func(f).body.is_some());
        let (mains, others): (Vec<Module>, Vec<Module>) =
            without_repetitions(modules).into_iter().partition(defines_main);
        let mut owners: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, m) in others.iter().enumerate() {
            defined(m, true).for_each(|name| owners.entry(name).or_default().push(i));
        }
        let doubtful: BTreeSet<usize> = owners.values().filter(|all| all.len() > 1).flatten().copied().collect();
        let certain = |besides: &dyn Fn(&Module) -> bool| -> Vec<Archive> {
            let members = others.iter().enumerate().filter(|(i, m)| !doubtful.contains(i) && !besides(m));
            vec![Archive { name: "units".into(), members: members.map(|(_, m)| m.clone()).collect() }]
        };
        let mut users: BTreeMap<PathBuf, usize> = BTreeMap::new();
        let of_all = |name: String, kind, modules, archives| Draft {
            name,
            kind,
            modules,
            archives,
            diagnostics: diagnostics.clone(),
            incomplete,
        };
        for mut m in mains {
            let name = self.shown(&source(&m));
            give_way(&mut m, |name| owners.contains_key(name));
            let own: BTreeSet<String> = defined(&m, true).map(String::from).collect();
            let archives = certain(&|other| defined(other, false).any(|name| own.contains(name)));
            let before = out.inputs.len();
            self.add(out, of_all(name, TargetKind::Executable, vec![m], archives))?;
            for p in &mut out.inputs[before..] {
                if incomplete && p.module.functions.iter().any(|f| f.body.is_none()) {
                    p.kind = TargetKind::SharedObject;
                    add_to_last(&mut p.diagnostics);
                }
                self.say_what_is_open(p, &others, &owners, 1);
                for u in &p.module.units {
                    *users.entry(Path::new(&u.directory).join(&u.source)).or_default() += 1;
                }
            }
        }
        let before = out.inputs.len();
        for i in &doubtful {
            let mut unit = others[*i].clone();
            give_way(&mut unit, |name| owners.get(name).is_some_and(|all| all.len() > 1));
            let own: BTreeSet<String> = defined(&unit, true).map(String::from).collect();
            let archives = certain(&|other| defined(other, false).any(|name| own.contains(name)));
            self.add(out, of_all(self.shown(&source(&unit)), TargetKind::Loose, vec![unit], archives))?;
        }
        out.inputs[before..].iter_mut().for_each(|p| self.say_what_is_open(p, &others, &owners, 1));
        let before = out.inputs.len();
        let rest =
            others.iter().enumerate().filter(|(i, m)| !doubtful.contains(i) && users.get(&source(m)) != Some(&1));
        let rest: Vec<Module> = rest.map(|(_, m)| m.clone()).collect();
        self.add(out, of_all("(library units)".into(), TargetKind::Loose, rest, vec![]))?;
        // Others that this one does not have are parts of programs.
        out.inputs[before..].iter_mut().for_each(|p| self.say_what_is_open(p, &others, &owners, 2));
        Ok(())
    }

    /// A path from the scanned folder.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(self.root).unwrap_or(path).display().to_string()
    }

    /// Names that a program uses and that were left out of it, as it is not known whose definition is meant.
    /// Said of those that so many units define, or more.
    fn say_what_is_open(
        &self,
        p: &mut ProgramInput,
        others: &[Module],
        owners: &BTreeMap<&str, Vec<usize>>,
        least: usize,
    ) {
        let functions = p.module.functions.iter().filter(|f| f.body.is_none()).map(|f| &f.name);
        let variables = p.module.globals.iter().filter(|g| g.init.is_none()).map(|g| &g.name);
        let mut said = Vec::new();
        for name in functions.chain(variables) {
            let Some(all) = owners.get(name.as_str()).filter(|all| all.len() >= least) else { continue };
            let files: Vec<String> = all.iter().take(3).map(|i| self.shown(&source(&others[*i]))).collect();
            let and_more = if all.len() > files.len() { ", ..." } else { "" };
            let files = files.join(", ");
            said.push(format!(
                "`{name}` is taken as unknown code: whether it is that of {files}{and_more} is not known without the links of the build"
            ));
        }
        if !said.is_empty() {
            p.incomplete = true;
            if p.kind == TargetKind::Executable {
                // They may call what is defined here.
                p.kind = TargetKind::SharedObject;
                add_to_last(&mut said);
            }
        }
        p.diagnostics.extend(said);
    }
}

/// The source of a unit.
pub(crate) fn source(m: &Module) -> PathBuf {
    m.units.first().map_or_else(PathBuf::new, |u| Path::new(&u.directory).join(&u.source))
}

/// Names that a unit defines, of which a program has one definition only. Those that are not `weak` cannot give way to
/// another one.
pub(crate) fn defined(m: &Module, weak: bool) -> impl Iterator<Item = &str> {
    let strong = move |l: Linkage| l == Linkage::External || weak && l == Linkage::Weak;
    let functions = m.functions.iter().filter(move |f| f.body.is_some() && strong(f.linkage) && f.comdat.is_none());
    let variables = m.globals.iter().filter(move |g| g.init.is_some() && strong(g.linkage));
    let aliases = m.aliases.iter().filter(move |a| strong(a.linkage)).map(|a| a.name.as_str());
    functions.map(|f| f.name.as_str()).chain(variables.map(|g| g.name.as_str())).chain(aliases)
}

/// Weak definitions that another unit's may take the place of are none.
fn give_way(m: &mut Module, elsewhere: impl Fn(&str) -> bool) {
    for f in m.functions.iter_mut().filter(|f| f.linkage == Linkage::Weak && elsewhere(&f.name)) {
        (f.body, f.comdat, f.linkage) = (None, None, Linkage::External);
    }
    for g in m.globals.iter_mut().filter(|g| g.linkage == Linkage::Weak && elsewhere(&g.name)) {
        (g.init, g.linkage) = (None, Linkage::External);
    }
}

/// Whatever macros it was compiled with.
pub(crate) fn same_code(a: &Module, b: &Module) -> bool {
    let code = |m: &Module| Module { macros: Default::default(), ..m.clone() };
    code(a) == code(b)
}

/// A source that was compiled twice to the same, as libtool does it for shared objects and archives (with `-DPIC`), counts
/// once.
fn without_repetitions(units: Vec<Module>) -> Vec<Module> {
    let mut known: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    let mut out: Vec<Module> = Vec::new();
    for m in units {
        let same = known.entry(source(&m)).or_default();
        if same.is_empty() || !same.iter().any(|i| same_code(&out[*i], &m)) {
            same.push(out.len());
            out.push(m);
        }
    }
    out
}
