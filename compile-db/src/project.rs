//! Which programs, libraries and archives lie under a folder, and which captured units make each of them.
//!
//! Targets are found by content: every program, shared object and archive under the folder is hashed and looked
//! up among the outputs of recorded links; one that was stripped or edited since is found by its GNU build id,
//! then by its path. Archives need no record: their members are looked up among the recorded objects. Units are
//! found by the hash of the object, then by its file symbol and the names it defines, then by its code and data where symbols
//! were renamed, then by its path; where a hash has several units, the one whose object path is the path in the
//! link decides, then the latest. Whatever is matched by less than content carries a note.
//!
//! What it is not: it does not link. Duplicate symbols and type clashes are for the linker of `ir` to find.

mod cover;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use blake3::Hash;

use crate::archive;
use crate::ledger::Contents;
use crate::record::{Change, Class, Input, InputKind, Link, LinkKind, Marks, Member, Outcome, Record};

/// A compiled source as part of a target, or on its own.
#[derive(Clone, Debug)]
pub struct UnitUse {
    /// Name of the unit in the cache.
    pub unit: Hash,
    /// Its main source file.
    pub source: PathBuf,
    /// Where it came into the link: object path, `archive.a(member.o)`, or the source itself.
    pub from: String,
    /// Options that clang was not given as written when the unit was made.
    pub changes: Vec<Change>,
    /// Said when the unit was found by less than the content of its object, or had rivals.
    pub note: Option<String>,
    /// The object's symbols are not those that it was compiled with: what it is bound to is not known.
    pub altered: bool,
}

/// Something that went into a target, or was compiled, and has no unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The object, archive member or source.
    pub input: String,
    /// Why there is no unit.
    pub reason: String,
}

/// How a file on disk was tied to a recorded link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// Its content is what the link wrote (for an archive: it was read itself).
    Content,
    /// It carries the build id of the link's output: stripped or edited since.
    BuildId,
    /// It lies where the link wrote, with other content: stripped, edited or replaced since.
    Path,
}

/// A shared object that a target was linked with.
#[derive(Clone, Debug)]
pub struct SharedUse {
    /// The file the linker read.
    pub path: PathBuf,
    /// Index into [`Project::targets`] when it is one of them.
    pub target: Option<usize>,
}

/// A program, library, relocatable object or archive.
#[derive(Clone, Debug)]
pub struct Target {
    /// File name.
    pub name: String,
    /// What it is.
    pub kind: LinkKind,
    /// Where it lies.
    pub path: PathBuf,
    /// Other files under the folder that are the same target.
    pub copies: Vec<PathBuf>,
    /// How it was tied to its link.
    pub matched: Match,
    /// Its units in link order.
    pub units: Vec<UnitUse>,
    /// What went in without a unit.
    pub missing: Vec<Missing>,
    /// Shared objects it was linked with.
    pub shared: Vec<SharedUse>,
    /// `-l` libraries of the system.
    pub system: Vec<String>,
    /// What else must be said: weaker matches, inputs not followed.
    pub notes: Vec<String>,
}

/// Counts over the folder. A source compiled to the same object again counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Sources compiled under the folder, probes left out.
    pub compiled: usize,
    /// Of these, with a unit.
    pub captured: usize,
    /// Of these, in at least one target.
    pub linked: usize,
    /// Of `compiled`, capture failed.
    pub failed: usize,
    /// Of `compiled`, in a language or form that is not captured.
    pub unsupported: usize,
    /// Probe invocations under the folder.
    pub probes: usize,
    /// Compiles that are in no target and whose object was overwritten since by something else, or is gone together with
    /// the source; not in `compiled`.
    pub stale: usize,
    /// All recorded invocations under the folder.
    pub invocations: usize,
}

/// Everything the ledger knows about a folder.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The folder, absolute.
    pub root: PathBuf,
    /// Targets by path.
    pub targets: Vec<Target>,
    /// Captured units under the folder that are in no target.
    pub loose: Vec<UnitUse>,
    /// Sources compiled under the folder that have no unit.
    pub uncaptured: Vec<Missing>,
    /// Programs, libraries and archives under the folder that nothing recorded has made.
    pub foreign: Vec<PathBuf>,
    /// Counts.
    pub totals: Totals,
    /// Ledger records that could not be read.
    pub damaged: usize,
    /// Compiles of which nothing is left, neither a source nor what was made of it.
    pub vanished: BTreeSet<At>,
}

/// Position of a compile: record, entry in it.
pub type At = (usize, usize);

/// Reads the folder `root` against the records of a ledger.
#[must_use]
pub fn load(contents: &Contents, root: &Path) -> Project {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let index = Index::new(&contents.records);
    let mut project = Project { root: root.clone(), damaged: contents.damaged, ..Project::default() };
    let mut loader = Loader { index: &index, root: &root, used: BTreeSet::new(), merged: BTreeSet::new() };
    let mut of_record: BTreeMap<usize, usize> = BTreeMap::new();
    for found in loader.files() {
        match loader.target(&found) {
            Verdict::Target(record, target) => {
                if let Some(record) = record {
                    of_record.insert(record, project.targets.len());
                }
                project.targets.push(*target);
            }
            Verdict::Foreign => project.foreign.extend(found.paths),
            Verdict::Ignored => {}
        }
    }
    let relocatable: Vec<usize> = (0..contents.records.len()).filter(|&r| loader.is_live_relocatable(r)).collect();
    for record in relocatable {
        if !loader.merged.contains(&record) {
            project.targets.push(loader.linked(record, Match::Content, &[]));
        }
    }
    link_shared(&mut project, &index, &of_record);
    project.targets.sort_by(|a, b| a.path.cmp(&b.path));
    renumber_shared(&mut project);
    let used = std::mem::take(&mut loader.used);
    account(&mut project, &index, &used);
    project
}

/// Fills in which target a shared object is, by the record that made it. Targets are not yet sorted, so the
/// number is turned into a path by [`renumber_shared`].
fn link_shared(project: &mut Project, index: &Index, of_record: &BTreeMap<usize, usize>) {
    let by_path: BTreeMap<PathBuf, usize> = project
        .targets
        .iter()
        .enumerate()
        .flat_map(|(i, t)| std::iter::once(&t.path).chain(&t.copies).map(move |p| (p.clone(), i)))
        .collect();
    let paths: Vec<PathBuf> = project.targets.iter().map(|t| t.path.clone()).collect();
    for target in &mut project.targets {
        for shared in &mut target.shared {
            let real = shared.path.canonicalize().unwrap_or_else(|_| shared.path.clone());
            shared.target = by_path.get(&real).copied().or_else(|| {
                let made = index.by_output_path.get(&real)?;
                made.iter().rev().find_map(|r| of_record.get(r).copied())
            });
            if let Some(i) = shared.target {
                shared.path.clone_from(&paths[i]);
            }
        }
    }
}

fn renumber_shared(project: &mut Project) {
    let number: BTreeMap<PathBuf, usize> =
        project.targets.iter().enumerate().map(|(i, t)| (t.path.clone(), i)).collect();
    for target in &mut project.targets {
        for shared in &mut target.shared {
            shared.target = shared.target.and_then(|_| number.get(&shared.path).copied());
        }
    }
}

/// Counts, and lists what is in no target.
fn account(project: &mut Project, index: &Index, used: &BTreeSet<At>) {
    let root = project.root.clone();
    // The latest compile of each object is what counts; an older one only when a target still holds it.
    let mut latest: BTreeMap<(PathBuf, PathBuf), At> = BTreeMap::new();
    for (r, record) in index.records.iter().enumerate() {
        if !record.touches(&root) {
            continue;
        }
        project.totals.invocations += 1;
        if record.class == Class::Probe {
            project.totals.probes += 1;
            continue;
        }
        if !record.compiled() || record.class == Class::ToAssembly {
            continue;
        }
        for c in 0..record.compiles.len() {
            latest.insert(record.place(c), (r, c));
        }
    }
    let mut counted: BTreeSet<At> = latest.values().copied().collect();
    counted.extend(used.iter().filter(|(r, _)| {
        let record = &index.records[*r];
        record.cwd.starts_with(&root) || record.compiles.iter().any(|c| c.source.starts_with(&root))
    }));
    let linked: BTreeSet<(&Path, [u8; 32])> = used
        .iter()
        .filter_map(|at| {
            let compile = index.compile(*at);
            Some((compile.source.as_path(), *compile.object_hash?.as_bytes()))
        })
        .collect();
    let mut live: Option<BTreeSet<[u8; 32]>> = None;
    for at in counted {
        let compile = index.compile(at);
        // One of two compiles of a source to the very same object stands for both.
        let twin = || compile.object_hash.map(|h| (compile.source.as_path(), *h.as_bytes()));
        let in_target = used.contains(&at) || twin().is_some_and(|t| linked.contains(&t));
        // What was linked at once has left no object, only what it was linked into.
        let link = index.records[at.0].link.as_ref();
        let (made, hash) = match &compile.object {
            Some(object) => (Some(object), compile.object_hash),
            None => (link.map(|l| &l.output), link.and_then(|l| l.output_hash)),
        };
        let now = made.and_then(|made| crate::paths::hash_file(made));
        let overwritten = matches!((now, hash), (Some(now), Some(hash)) if now != hash);
        // An object may have been moved; where it lies nowhere and the source is gone, the project no longer has this file.
        let moved = |live: &mut Option<BTreeSet<[u8; 32]>>| {
            hash.is_some_and(|h| live.get_or_insert_with(|| objects(&root)).contains(h.as_bytes()))
        };
        let gone = now.is_none() || overwritten;
        let vanished = !in_target && gone && !compile.source.exists() && !moved(&mut live);
        if vanished {
            project.vanished.insert(at);
        }
        if !in_target && overwritten || vanished {
            project.totals.stale += 1;
            continue;
        }
        project.totals.compiled += 1;
        match &compile.outcome {
            Outcome::Captured { .. } => {
                project.totals.captured += 1;
                if in_target {
                    project.totals.linked += 1;
                } else if let Ok(unit) = unit_use(compile, display(&compile.source), None, false) {
                    project.loose.push(unit);
                }
            }
            outcome => {
                match outcome {
                    Outcome::Unsupported(_) => project.totals.unsupported += 1,
                    _ => project.totals.failed += 1,
                }
                project.uncaptured.push(Missing { input: display(&compile.source), reason: reason(outcome) });
            }
        }
    }
    project.loose.sort_by(|a, b| (&a.source, &a.from).cmp(&(&b.source, &b.from)));
    project.uncaptured.sort();
    project.uncaptured.dedup();
}

/// The records by everything they are looked up by. Lists are in order of time.
struct Index<'a> {
    records: &'a [Record],
    by_object: BTreeMap<[u8; 32], Vec<At>>,
    by_object_path: BTreeMap<PathBuf, Vec<At>>,
    by_symbols: BTreeMap<[u8; 32], Vec<At>>,
    by_body: BTreeMap<[u8; 32], Vec<At>>,
    by_name: BTreeMap<u64, Vec<At>>,
    /// Relocatable links by the names that their output defines.
    by_merged_symbols: BTreeMap<[u8; 32], Vec<usize>>,
    by_output: BTreeMap<[u8; 32], Vec<usize>>,
    by_output_path: BTreeMap<PathBuf, Vec<usize>>,
    by_build_id: BTreeMap<String, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn new(records: &'a [Record]) -> Index<'a> {
        let mut index = Index {
            records,
            by_object: BTreeMap::new(),
            by_object_path: BTreeMap::new(),
            by_symbols: BTreeMap::new(),
            by_body: BTreeMap::new(),
            by_name: BTreeMap::new(),
            by_merged_symbols: BTreeMap::new(),
            by_output: BTreeMap::new(),
            by_output_path: BTreeMap::new(),
            by_build_id: BTreeMap::new(),
        };
        for (r, record) in records.iter().enumerate() {
            if let Some(link) = &record.link {
                if let Some(hash) = link.output_hash {
                    index.by_output.entry(*hash.as_bytes()).or_default().push(r);
                }
                index.by_output_path.entry(link.output.clone()).or_default().push(r);
                if let Some(id) = &link.build_id {
                    index.by_build_id.entry(id.clone()).or_default().push(r);
                }
            }
            if record.class == Class::Probe {
                continue;
            }
            if let Some(defined) = record.link.as_ref().and_then(|l| l.marks.as_ref()?.defined) {
                index.by_merged_symbols.entry(*defined.as_bytes()).or_default().push(r);
            }
            for (c, compile) in record.compiles.iter().enumerate() {
                if let Some(hash) = compile.object_hash {
                    index.by_object.entry(*hash.as_bytes()).or_default().push((r, c));
                }
                if let Some(symbols) = compile.symbols {
                    index.by_symbols.entry(*symbols.as_bytes()).or_default().push((r, c));
                }
                if let Some(body) = compile.body {
                    index.by_body.entry(*body.as_bytes()).or_default().push((r, c));
                }
                for name in &compile.names {
                    index.by_name.entry(*name).or_default().push((r, c));
                }
                if let Some(object) = &compile.object {
                    index.by_object_path.entry(object.clone()).or_default().push((r, c));
                }
            }
        }
        index
    }

    fn compile(&self, at: At) -> &'a crate::record::Compile {
        &self.records[at.0].compiles[at.1]
    }

    /// The compile of an object with this content: same path first, then captured, then the one made nearest to it (two
    /// versions of a project are built in two folders), then latest. The flag says that another source was as good.
    fn object(&self, hash: &Hash, path: Option<&Path>) -> Option<(At, bool)> {
        let candidates = self.by_object.get(hash.as_bytes())?;
        let rank = |at: &At| {
            let compile = self.compile(*at);
            let same_path = path.is_some() && compile.object.as_deref() == path;
            (same_path, compile.unit.is_some(), nearness(compile.object.as_deref(), path))
        };
        let best = *candidates.iter().max_by_key(|at| (rank(at), **at))?;
        let source = &self.compile(best).source;
        // The same source compiled twice to the same bytes means the same, whichever unit is taken.
        let rival = |at: &At| rank(at) == rank(&best) && self.compile(*at).source != *source;
        Some((best, !rank(&best).0 && candidates.iter().any(rival)))
    }
}

/// How many folders two paths have in common, from the root on.
fn nearness(a: Option<&Path>, b: Option<&Path>) -> usize {
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    a.components().zip(b.components()).take_while(|(x, y)| x == y).count()
}

impl Index<'_> {
    /// The compile of an object that was stripped or edited since: the same source by its file symbol, which
    /// `strip` may take away, and the same names defined. With other code than was captured it must at least lie where that
    /// was made: elsewhere it is the same source compiled with other options. The flag says that another source was as good.
    fn marked(&self, marks: &Marks, path: Option<&Path>) -> Option<(At, bool)> {
        let source_is = |at: &At, name: &str| {
            let source = &self.compile(*at).source;
            source.file_name() == Path::new(name).file_name()
        };
        let rank = |at: &At| {
            let compile = self.compile(*at);
            let same_path = path.is_some() && compile.object.as_deref() == path;
            let same_body = marks.body.is_some() && compile.body == marks.body;
            (same_body, same_path, compile.unit.is_some(), nearness(compile.object.as_deref(), path))
        };
        let by_names = marks.defined.and_then(|d| self.by_symbols.get(d.as_bytes())).into_iter().flatten();
        let named = |at: &&At| match marks.sources.as_slice() {
            [name] => source_is(at, name),
            _ => true,
        };
        let fits = |at: &&At| !self.is_of_other_code(marks, **at);
        let candidates: Vec<&At> = by_names.filter(named).filter(fits).collect();
        let best = **candidates.iter().max_by_key(|at| (rank(at), ***at))?;
        let rival = |at: &&&At| rank(at) == rank(&best) && self.compile(***at).source != self.compile(best).source;
        Some((best, !rank(&best).1 && candidates.iter().any(|at| rival(&at))))
    }

    /// Whether an object cannot be what a compile made, however it was stripped or its symbols and sections renamed.
    fn is_of_other_code(&self, marks: &Marks, at: At) -> bool {
        matches!((marks.body, self.compile(at).body), (Some(a), Some(b)) if a != b)
    }

    /// Whether an object that no command has made is an edited one that is known.
    fn has(&self, marks: &Marks, path: &Path) -> bool {
        let merged = || marks.defined.is_some_and(|d| self.by_merged_symbols.contains_key(d.as_bytes()));
        let put_together = || {
            let cover = cover::of(&marks.names, self, Some(path));
            marks.sources.is_empty() && !cover.found.is_empty() && cover.unknown == 0
        };
        self.marked(marks, Some(path)).is_some() || !self.renamed(marks).is_empty() || merged() || put_together()
    }

    /// The compiles of objects whose symbols were renamed since: the same code and data, as many names, and no other source
    /// named. One for each source; the caller must not choose among several.
    fn renamed(&self, marks: &Marks) -> Vec<At> {
        let telling = |_: &Hash| !marks.small || !marks.sources.is_empty();
        let Some(body) = marks.body.filter(telling) else { return Vec::new() };
        let mut found: BTreeMap<&Path, At> = BTreeMap::new();
        for at in self.by_body.get(body.as_bytes()).into_iter().flatten() {
            let compile = self.compile(*at);
            let name = compile.source.file_name().unwrap_or_default().to_string_lossy();
            // A prefix for all symbols is one for the file's name as well.
            let named = marks.sources.iter().all(|s| s.ends_with(&*name));
            if named && marks.sources.len() <= 1 && (marks.names.is_empty() || marks.names.len() == compile.names.len())
            {
                found.insert(&compile.source, *at);
            }
        }
        found.into_values().collect()
    }

    /// The compile of a source that an object names, when all that is left is the name: the one whose object is
    /// nearest to `place`. The flag says that another was as near.
    fn named(&self, name: &str, place: Option<&Path>) -> Option<(At, bool)> {
        let name = Path::new(name).file_name()?;
        let mut best: Option<(usize, At)> = None;
        let mut rival = false;
        for (path, made) in &self.by_object_path {
            let Some(&at) = made.iter().rev().find(|at| self.compile(**at).source.file_name() == Some(name)) else {
                continue;
            };
            let rank = nearness(Some(path), place);
            match best {
                Some((r, _)) if r > rank => {}
                Some((r, other)) if r == rank => rival |= self.compile(other).source != self.compile(at).source,
                _ => (best, rival) = (Some((rank, at)), false),
            }
        }
        best.map(|(_, at)| (at, rival))
    }
}

/// A file under the root with all names it has.
struct Found {
    paths: Vec<PathBuf>,
    hash: Hash,
    bytes: Vec<u8>,
}

enum Verdict {
    Target(Option<usize>, Box<Target>),
    Foreign,
    Ignored,
}

struct Loader<'a> {
    index: &'a Index<'a>,
    root: &'a Path,
    used: BTreeSet<At>,
    /// Relocatable links that went into something else.
    merged: BTreeSet<usize>,
}

/// What is known of an object in a link or an archive.
#[derive(Clone, Copy)]
struct Object<'a> {
    hash: Option<&'a Hash>,
    path: Option<&'a Path>,
    /// The archive and the member's name.
    member: Option<(&'a Path, &'a str)>,
    marks: Option<&'a Marks>,
}

/// What a target is made of, while it is put together.
#[derive(Default)]
struct Parts {
    units: Vec<UnitUse>,
    missing: Vec<Missing>,
    notes: Vec<String>,
}

impl Loader<'_> {
    /// Programs, shared objects and archives under the root, same content taken together, by first path.
    fn files(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut known: BTreeMap<[u8; 32], usize> = BTreeMap::new();
        for entry in walk(self.root).filter(|e| e.file_type().is_file()) {
            let path = entry.path();
            let Some(bytes) = linked_bytes(path) else { continue };
            let hash = blake3::hash(&bytes);
            match known.get(hash.as_bytes()) {
                Some(&i) => found[i].paths.push(path.to_path_buf()),
                None => {
                    known.insert(*hash.as_bytes(), found.len());
                    found.push(Found { paths: vec![path.to_path_buf()], hash, bytes });
                }
            }
        }
        found
    }

    fn target(&mut self, found: &Found) -> Verdict {
        let records = self.index.records;
        let probe = |r: &usize| records[*r].class == Class::Probe;
        if let Some(made) = self.index.by_output.get(found.hash.as_bytes()) {
            let here = |r: &usize| records[*r].link.as_ref().is_some_and(|l| found.paths.contains(&l.output));
            if made.iter().all(probe) {
                return Verdict::Ignored;
            }
            if let Some(&best) = made.iter().filter(|r| !probe(r)).max_by_key(|r| (here(r), **r)) {
                let target = self.linked(best, Match::Content, &found.paths);
                return Verdict::Target(Some(best), Box::new(target));
            }
        }
        if archive::sort_of(&found.bytes) == archive::Sort::Archive {
            return self.archive(found);
        }
        let by_id =
            archive::build_id(&found.bytes).and_then(|id| self.index.by_build_id.get(&id)).and_then(|made| made.last());
        let by_path =
            || found.paths.iter().filter_map(|p| self.index.by_output_path.get(p).and_then(|made| made.last())).max();
        let (record, matched) = match (by_id, by_path()) {
            (Some(&record), _) => (record, Match::BuildId),
            (None, Some(&record)) => (record, Match::Path),
            (None, None) => return Verdict::Foreign,
        };
        if probe(&record) {
            return Verdict::Ignored;
        }
        let target = self.linked(record, matched, &found.paths);
        Verdict::Target(Some(record), Box::new(target))
    }

    /// A target from its link record.
    fn linked(&mut self, record: usize, matched: Match, paths: &[PathBuf]) -> Target {
        let Some(link) = &self.index.records[record].link else {
            unreachable!("only records with a link are looked up");
        };
        let mut parts = Parts { notes: link.notes.clone(), ..Parts::default() };
        match matched {
            Match::Content => {}
            Match::BuildId => {
                parts.notes.push("changed since it was linked (stripped or edited); found by its build id".into())
            }
            Match::Path => {
                parts.notes.push("changed since it was linked (stripped, edited or replaced); found by its path".into())
            }
        }
        let mut shared = Vec::new();
        // It may have been linked again without a record: what it is made of by now says more than what it was.
        match matched {
            Match::Content | Match::BuildId => self.inputs(record, link, &mut parts, &mut shared, 0),
            Match::Path => self.inputs(record, &as_it_is(link), &mut parts, &mut shared, 0),
        }
        let path = match paths.contains(&link.output) {
            true => link.output.clone(),
            false => paths.first().unwrap_or(&link.output).clone(),
        };
        let copies = paths.iter().filter(|p| **p != path).cloned().collect();
        finish(path, copies, link.kind, matched, parts, shared, link.system.clone())
    }

    fn inputs(&mut self, record: usize, link: &Link, parts: &mut Parts, shared: &mut Vec<SharedUse>, depth: usize) {
        for input in &link.inputs {
            match &input.kind {
                InputKind::Source(compile) => {
                    let at = (record, *compile);
                    if *compile < self.index.records[record].compiles.len() {
                        self.push(at, display(&input.path), None, parts);
                    }
                }
                InputKind::Object => {
                    let from = display(&input.path);
                    let object = Object {
                        hash: input.hash.as_ref(),
                        path: Some(&input.path),
                        member: None,
                        marks: input.marks.as_ref(),
                    };
                    self.object(&object, from, parts, depth);
                }
                InputKind::Archive { members } => self.members(input, members, parts, depth),
                InputKind::Shared => {
                    shared.push(SharedUse { path: input.path.clone(), target: None });
                }
                InputKind::Other(what) => {
                    parts.notes.push(format!("{}: not followed: {what}", input.path.display()));
                }
            }
        }
    }

    fn members(&mut self, input: &Input, members: &[Member], parts: &mut Parts, depth: usize) {
        for member in members.iter().filter(|m| m.pulled) {
            let from = format!("{}({})", input.path.display(), member.name);
            let object = Object {
                hash: member.hash.as_ref(),
                path: None,
                member: Some((input.path.as_path(), member.name.as_str())),
                marks: member.marks.as_ref(),
            };
            self.object(&object, from, parts, depth);
        }
    }

    /// An archive on disk: every member is in it.
    fn archive(&mut self, found: &Found) -> Verdict {
        let path = found.paths[0].clone();
        let copies = found.paths[1..].to_vec();
        let mut parts = Parts::default();
        let members = match archive::members(&path, &found.bytes) {
            Ok(members) => members,
            Err(problem) => {
                parts.missing.push(Missing { input: display(&path), reason: problem });
                let target = finish(path, copies, LinkKind::Archive, Match::Content, parts, vec![], vec![]);
                return Verdict::Target(None, Box::new(target));
            }
        };
        for member in members {
            let from = format!("{}({})", path.display(), member.name);
            let hash = member.bytes.as_deref().map(blake3::hash);
            let marks = member.bytes.as_deref().and_then(archive::marks);
            let object = Object {
                hash: hash.as_ref(),
                path: None,
                member: Some((path.as_path(), member.name.as_str())),
                marks: marks.as_ref(),
            };
            self.object(&object, from, &mut parts, 0);
        }
        if parts.units.is_empty() && parts.missing.iter().all(|m| m.reason == UNKNOWN || m.reason == NOT_C) {
            return Verdict::Foreign;
        }
        let target = finish(path, copies, LinkKind::Archive, Match::Content, parts, vec![], vec![]);
        Verdict::Target(None, Box::new(target))
    }

    /// Finds what an object is made of and adds it.
    fn object(&mut self, object: &Object<'_>, from: String, parts: &mut Parts, depth: usize) {
        let Object { hash, path, member: in_archive, marks } = *object;
        // `ar` keeps no folders: the likeliest object is the one beside the archive.
        let beside = in_archive.and_then(|(file, name)| Some(file.parent()?.join(name)));
        let place = path.or(beside.as_deref());
        if let Some((at, rivals)) = hash.and_then(|h| self.index.object(h, place)) {
            let note = rivals.then(|| {
                "several sources gave this very object and its path does not tell them apart; the latest was taken"
                    .to_string()
            });
            return self.push(at, from, note, parts);
        }
        let relocatable = |made: &Vec<usize>| {
            made.iter()
                .rev()
                .copied()
                .find(|r| self.index.records[*r].link.as_ref().is_some_and(|l| l.kind == LinkKind::Relocatable))
        };
        let merged = hash.and_then(|h| self.index.by_output.get(h.as_bytes()).and_then(relocatable));
        let merged_by_path = || path.and_then(|p| self.index.by_output_path.get(p).and_then(relocatable));
        let by_names = || {
            let defined = marks?.defined?;
            self.index.by_merged_symbols.get(defined.as_bytes()).and_then(relocatable)
        };
        if let Some(record) = merged.or_else(merged_by_path).or_else(by_names).filter(|_| depth < 16)
            && let Some(link) = &self.index.records[record].link
        {
            if merged.is_none() {
                parts
                    .notes
                    .push(format!("{from}: changed since it was made; found by its path or the names it defines"));
            }
            self.merged.insert(record);
            return self.inputs(record, link, parts, &mut Vec::new(), depth + 1);
        }
        let index = self.index;
        let rebound = |at: &At| matches!((marks.and_then(|m| m.bindings), index.compile(*at).bindings), (Some(a), Some(b)) if a != b);
        if let Some((at, rivals)) = marks.and_then(|m| self.index.marked(m, place)) {
            let also = if rivals { "; other sources define the same names" } else { "" };
            let note = format!("object changed since it was compiled; found by the names it defines{also}");
            return self.push_altered(at, from, Some(note), rebound(&at), parts);
        }
        let renamed = marks.map(|m| self.index.renamed(m)).unwrap_or_default();
        if let [at] = renamed[..] {
            let note = "symbols renamed since it was compiled; found by its code and data".to_string();
            return self.push_altered(at, from, Some(note), true, parts);
        }
        let other_code = |at: &At| marks.is_some_and(|marks| self.index.is_of_other_code(marks, *at));
        if let Some(&at) =
            path.and_then(|p| self.index.by_object_path.get(p)).and_then(|l| l.last()).filter(|at| !other_code(at))
        {
            let note = "object changed since it was compiled; found by its path".to_string();
            return self.push_altered(at, from, Some(note), rebound(&at), parts);
        }
        let merged = marks.filter(|m| m.sources.is_empty()).map(|m| cover::of(&m.names, self.index, place));
        if let Some(cover) = merged.filter(|c| !c.found.is_empty()) {
            let first = parts.units.len();
            self.by_names(&cover, &from, parts);
            let found = cover.found.iter().map(|(at, _)| *at);
            return self.compare_names(marks, found, &mut parts.units[first..]);
        }
        if let Some(at) = in_archive.and_then(|(_, name)| self.by_member_name(name)).filter(|at| !other_code(at)) {
            let note = "archive member changed since it was compiled; found by its name".to_string();
            return self.push_altered(at, from, Some(note), rebound(&at), parts);
        }
        if let Some(marks) = marks
            && let [source] = marks.sources.as_slice()
            && let Some((at, _)) = self.index.named(source, place).filter(|(at, _)| other_code(at))
        {
            let source = display(&self.index.compile(at).source);
            let reason = format!("of {source}, with other code than was captured: compiled past verify-cc, or edited");
            parts.missing.push(Missing { input: from, reason });
            return;
        }
        if let Some(marks) = marks
            && marks.sources.iter().any(|name| self.index.named(name, place).is_some())
        {
            let first = parts.units.len();
            self.by_sources(marks, place, &from, parts);
            let found = marks.sources.iter().filter_map(|name| Some(self.index.named(name, place)?.0));
            return self.compare_names(Some(marks), found, &mut parts.units[first..]);
        }
        let reason = match hash {
            Some(_) if !renamed.is_empty() => {
                let names = renamed.iter().map(|at| display(&self.index.compile(*at).source));
                let names: Vec<String> = names.collect();
                format!("its symbols were renamed, and several sources have its code: {}", names.join(", "))
            }
            Some(_) if marks.is_some_and(is_of_another_language) => NOT_C.to_string(),
            Some(_) => UNKNOWN.to_string(),
            None => "cannot be read".to_string(),
        };
        parts.missing.push(Missing { input: from, reason });
    }

    /// Of units that were merged by the linker itself the object defines all names; else some of their symbols were changed.
    fn compare_names(&self, marks: Option<&Marks>, found: impl Iterator<Item = At>, units: &mut [UnitUse]) {
        let Some(has) = marks.map(|m| &m.names).filter(|names| !names.is_empty()) else { return };
        let mut defined = found.flat_map(|at| &self.index.compile(at).names);
        if defined.any(|name| has.binary_search(name).is_err()) {
            units.iter_mut().for_each(|u| u.altered = true);
        }
    }

    /// An object that was merged by the linker itself and stripped: by the names it defines.
    fn by_names(&mut self, cover: &cover::Cover, from: &str, parts: &mut Parts) {
        for (at, rivals) in &cover.found {
            let also = if *rivals { "; other sources define the same names" } else { "" };
            let note = format!("object made of others and stripped; found by the names it defines{also}");
            self.push(*at, from.to_string(), Some(note), parts);
        }
        if cover.unknown > 0 {
            let input = format!("{from} ({} of its names)", cover.unknown);
            parts.missing.push(Missing { input, reason: UNKNOWN.into() });
        }
    }

    /// An object that was merged by the linker itself, or whose symbols were renamed: by the sources it names.
    fn by_sources(&mut self, marks: &Marks, place: Option<&Path>, from: &str, parts: &mut Parts) {
        for name in &marks.sources {
            match self.index.named(name, place) {
                Some((at, rivals)) => {
                    let also = if rivals { "; other sources have this name" } else { "" };
                    let note =
                        format!("object made of others, or its symbols renamed; found by the source it names{also}");
                    self.push(at, from.to_string(), Some(note), parts);
                }
                None if is_c(name) => {
                    parts.missing.push(Missing { input: format!("{from} ({name})"), reason: UNKNOWN.into() });
                }
                None => {}
            }
        }
    }

    /// The one compile under the root whose object has this file name, if it is the only one.
    fn by_member_name(&self, name: &str) -> Option<At> {
        let name = Path::new(name).file_name()?;
        let mut found = self
            .index
            .by_object_path
            .iter()
            .filter(|(path, _)| path.file_name() == Some(name) && path.starts_with(self.root));
        match (found.next(), found.next()) {
            (Some((_, at)), None) => at.last().copied(),
            _ => None,
        }
    }

    fn push(&mut self, at: At, from: String, note: Option<String>, parts: &mut Parts) {
        self.push_altered(at, from, note, false, parts);
    }

    fn push_altered(&mut self, at: At, from: String, note: Option<String>, altered: bool, parts: &mut Parts) {
        let mut at = at;
        let mut compile = self.index.compile(at);
        // Assembler text that the compiler itself wrote (`-S`) leads on to the C source.
        if compile.unit.is_none()
            && let Some((earlier, _)) = compile.source_hash.and_then(|h| self.index.object(&h, None))
            && self.index.compile(earlier).unit.is_some()
        {
            self.used.insert(at);
            at = earlier;
            compile = self.index.compile(at);
        }
        self.used.insert(at);
        match unit_use(compile, from, note, altered) {
            Ok(unit) => parts.units.push(unit),
            Err(missing) => parts.missing.push(missing),
        }
    }

    fn is_live_relocatable(&self, record: usize) -> bool {
        let record = &self.index.records[record];
        record.class != Class::Probe
            && record.link.as_ref().is_some_and(|link| {
                link.kind == LinkKind::Relocatable
                    && link.output.starts_with(self.root)
                    && link.output_hash.is_some()
                    && crate::paths::hash_file(&link.output) == link.output_hash
            })
    }
}

/// The link with its objects and archives as they lie there by now, as far as they do.
fn as_it_is(link: &Link) -> Link {
    let mut link = link.clone();
    for input in &mut link.inputs {
        if !matches!(input.kind, InputKind::Object | InputKind::Archive { .. }) {
            continue;
        }
        let Ok(bytes) = fs::read(&input.path) else { continue };
        let hash = Some(blake3::hash(&bytes));
        // A thin archive is the same when its members are others.
        if hash == input.hash && !bytes.starts_with(b"!<thin>") {
            continue;
        }
        match &mut input.kind {
            InputKind::Archive { members } => {
                let now = archive::members(&input.path, &bytes).unwrap_or_default();
                for member in members {
                    if let Some(bytes) = now.iter().find(|m| m.name == member.name).and_then(|m| m.bytes.as_deref()) {
                        member.hash = Some(blake3::hash(bytes));
                        member.marks = archive::marks(bytes);
                    }
                }
            }
            _ => input.marks = archive::marks(&bytes),
        }
        input.hash = hash;
    }
    link
}

/// Why an object has no unit when nothing is known of it.
pub const UNKNOWN: &str = "was not compiled through verify-cc";

/// Of an object that is no unit of C.
pub const NOT_C: &str = "was not compiled from C";

/// Hashes of all object files under a folder.
fn objects(root: &Path) -> BTreeSet<[u8; 32]> {
    let files = walk(root).filter(|e| e.file_type().is_file() && is_relocatable(e.path()));
    files.filter_map(|e| Some(*crate::paths::hash_file(e.path())?.as_bytes())).collect()
}

fn is_relocatable(path: &Path) -> bool {
    let mut head = [0u8; 18];
    File::open(path).and_then(|mut f| f.read_exact(&mut head)).is_ok()
        && head.starts_with(b"\x7fELF")
        // The type of the file, in either byte order.
        && (head[16..18] == [1, 0] || head[16..18] == [0, 1])
}

/// Object files under the project's folder that no recorded command has made, as far as content, names, path, and what
/// its targets were linked from tell.
#[must_use]
pub fn strangers(contents: &Contents, project: &Project) -> Vec<PathBuf> {
    let root = project.root.clone();
    let linked: BTreeSet<&str> = project.targets.iter().flat_map(|t| &t.units).map(|u| u.from.as_str()).collect();
    let index = Index::new(&contents.records);
    let probes: BTreeSet<&Path> = contents
        .records
        .iter()
        .filter(|r| r.class == Class::Probe)
        .flat_map(|r| r.compiles.iter().filter_map(|c| c.object.as_deref()))
        .collect();
    // Links of sources that keep their objects, by the names of the sources.
    let kept: Vec<(&Record, BTreeSet<&OsStr>)> = contents
        .records
        .iter()
        .filter(|r| r.class == Class::CompileAndLink && r.argv.iter().any(|w| saves_temps(w)))
        .map(|r| (r, r.compiles.iter().filter_map(|c| c.source.file_name()).collect()))
        .collect();
    let is_kept = |path: &Path, marks: &Marks| {
        let [source] = marks.sources.as_slice() else { return false };
        kept.iter().any(|(r, names)| names.contains(OsStr::new(source)) && is_older(path, r.time))
    };
    // Sources come with objects as well, to test tools that read them.
    let began = contents.records.iter().filter(|r| r.touches(&root)).map(|r| r.time).min();
    let mut out = Vec::new();
    for entry in walk(&root).filter(|e| e.file_type().is_file()) {
        let path = entry.path();
        let known = probes.contains(path) || index.by_object_path.contains_key(path);
        if !is_relocatable(path) || known || linked.contains(display(path).as_str()) {
            continue;
        }
        if !is_object_name(path) && began.is_none_or(|began| is_older(path, began)) {
            continue;
        }
        let Ok(bytes) = fs::read(path) else { continue };
        let hash = blake3::hash(&bytes);
        let made = index.by_object.contains_key(hash.as_bytes())
            || index.by_output.contains_key(hash.as_bytes())
            || index.by_output_path.contains_key(path)
            || archive::marks(&bytes).is_some_and(|m| index.has(&m, path) || !is_of_c(&m) || is_kept(path, &m));
        if !made {
            out.push(path.to_path_buf());
        }
    }
    out
}

/// Whether the file is named as build systems name objects: `.o`, `.lo`, `.po`, `.os`, `.obj`.
fn is_object_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    extension.ends_with('o') || extension == "os" || extension == "obj"
}

/// `-save-temps`, `--save-temps=obj`, `-save-temps=cwd`.
fn saves_temps(word: &OsStr) -> bool {
    let word = word.as_encoded_bytes();
    word.starts_with(b"-save-temps") || word.starts_with(b"--save-temps")
}

/// Whether the file's content is from before a time in nanoseconds since 1970.
fn is_older(path: &Path, time: u64) -> bool {
    let modified = fs::metadata(path).and_then(|m| m.modified()).ok();
    let since = modified.and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.is_some_and(|since| since.as_nanos() < u128::from(time))
}

/// Whether the object says that it was made of one C source: not of several, of assembler, or of another language.
fn is_of_c(marks: &Marks) -> bool {
    matches!(marks.sources.as_slice(), [source] if is_c(source))
}

/// Whether an object names sources, and none of C, or has nothing in it (Rust's `lib.rmeta`).
fn is_of_another_language(marks: &Marks) -> bool {
    match marks.sources.as_slice() {
        [] => marks.body.is_none() && marks.defined.is_none(),
        sources => !sources.iter().any(|source| is_c(source)),
    }
}

fn is_c(source: &str) -> bool {
    let extension = Path::new(source).extension().unwrap_or_default();
    ["c", "i", "cc", "cpp", "cxx", "C"].iter().any(|known| extension == *known)
}

fn walk(root: &Path) -> impl Iterator<Item = walkdir::DirEntry> + use<> {
    let skip = [".git", ".hg", ".svn"];
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(move |e| !skip.iter().any(|s| e.file_name() == *s))
        .flatten()
}

fn unit_use(
    compile: &crate::record::Compile,
    from: String,
    note: Option<String>,
    altered: bool,
) -> Result<UnitUse, Missing> {
    match compile.unit {
        Some(unit) => {
            Ok(UnitUse { unit, source: compile.source.clone(), from, changes: compile.changes.clone(), note, altered })
        }
        None => {
            Err(Missing { input: from, reason: format!("{}: {}", compile.source.display(), reason(&compile.outcome)) })
        }
    }
}

/// One line on why there is no unit.
#[must_use]
pub fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Captured { .. } => "captured".into(),
        Outcome::Failed { stage, message } => {
            let first = message.lines().find(|l| l.contains("error")).or(message.lines().next());
            format!("{stage} failed: {}", first.unwrap_or("no message"))
        }
        Outcome::Unsupported(why) => format!("unsupported: {why}"),
        Outcome::Skipped(why) => format!("not captured: {why}"),
        Outcome::Gone => "its unit is no longer in the cache".into(),
        Outcome::Outdated => {
            "it was compiled again since, past verify-cc or without a record, and its text is another one".into()
        }
    }
}

fn finish(
    path: PathBuf,
    copies: Vec<PathBuf>,
    kind: LinkKind,
    matched: Match,
    parts: Parts,
    shared: Vec<SharedUse>,
    system: Vec<String>,
) -> Target {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let Parts { units, missing, notes } = parts;
    Target { name, kind, path, copies, matched, units, missing, shared, system, notes }
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

/// The content of a file that can be a target: program, shared object or archive.
fn linked_bytes(path: &Path) -> Option<Vec<u8>> {
    let mut file = File::open(path).ok()?;
    let mut head = [0u8; 64];
    let mut len = 0;
    while len < head.len() {
        match file.read(&mut head[len..]).ok()? {
            0 => break,
            n => len += n,
        }
    }
    let head = &head[..len];
    let archive = head.starts_with(b"!<arch>\n") || head.starts_with(b"!<thin>\n");
    if !archive && !archive::may_be_linked(head) {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    use archive::Sort;
    matches!(archive::sort_of(&bytes), Sort::Archive | Sort::Dynamic).then_some(bytes)
}
