//! `verify diff`: two versions of a program, which functions changed their meaning.

use crate::cli::{CompilerArgs, DiffArgs, DiffOptions, Format, MAX_JOBS};
use crate::exit::{self, usage};
use crate::output::{self, Out};
use crate::tools::Env;
use crate::{compile, diff_cache, models, patterns, progress, same_build, shapes, tail_calls, targets};
use anyhow::Context;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use verify_diff::{GlobalResult, Options, Pattern, Place, Verdict};
use verify_ir::{Linkage, Module};
use verify_report::diff::{
    self as report, DiffEvidence, DiffFunction, DiffGlobal, DiffOffer, DiffOrigin, DiffPlace, DiffReport, DiffSymbol,
};

/// One version: its programs, and what could not be read.
struct Version {
    programs: Vec<(String, Arc<Module>)>,
    root: PathBuf,
    /// The folder that was built, if it is one.
    build: Option<PathBuf>,
    notes: Vec<String>,
}

/// Runs the command: 0 nothing changed, 1 something did or may have, 2 part of a version could not be read.
///
/// # Errors
/// Usage, a version that cannot be read at all, or a fault of the machine.
pub fn diff(args: &DiffArgs) -> anyhow::Result<u8> {
    let o = DiffOptions::parse(&args.rest)?;
    for path in o.output.iter().chain(&o.html) {
        output::may_be_written(path)?;
    }
    rayon::ThreadPoolBuilder::new().num_threads(o.jobs.min(MAX_JOBS)).build_global().context("cannot start threads")?;
    let env = Env::open()?;
    let trees;
    let (old, new, names) = match &o.git {
        Some(range) => {
            trees = Worktrees::build(range, &o.command)?;
            let (a, b) = (trees.path("old"), trees.path("new"));
            let names = (trees.old.clone(), trees.new.clone());
            (read(&env, &a, &names.0, &o.compiler)?, read(&env, &b, &names.1, &o.compiler)?, names)
        }
        None => {
            let [a, b] = o.compiler.sources.as_slice() else {
                return Err(usage("two versions are needed: verify diff [OPTIONS] OLD NEW"));
            };
            let names = (a.display().to_string(), b.display().to_string());
            (read(&env, a, &names.0, &o.compiler)?, read(&env, b, &names.1, &o.compiler)?, names)
        }
    };
    if !o.other_options
        && let (Some(a), Some(b)) = (&old.build, &new.build)
        && let Some(why) = same_build::difference(&env.store, a, b)?
    {
        return Err(usage(why));
    }
    let mut r = DiffReport {
        version: env!("CARGO_PKG_VERSION").into(),
        old: names.0,
        new: names.1,
        // Of revisions, the folders are gone afterwards: their paths are those of the repository.
        roots: match o.git {
            Some(_) => Default::default(),
            None => (old.root.display().to_string(), new.root.display().to_string()),
        },
        notes: notes(&old, &new),
        ..DiffReport::default()
    };
    let pairs = pair(&old, &new, &mut r.notes)?;
    let wanted = wanted(&o, &pairs)?;
    let assume = assumed(&o, &pairs)?;
    let options =
        Options { functions: wanted.clone(), assume, queries: o.queries, attack: o.attack, ..Options::default() };
    let patterns = match (&o.patterns, pairs.first()) {
        (Some(dir), Some((m, _))) => patterns::load(&env, dir, &o.compiler, m)?,
        _ => Vec::new(),
    };
    let bar = progress::bar(0, o.quiet);
    let tell = |name: &str| bar.set_message(name.to_string());
    let memo = Memo { env: &env, options: &options, patterns: &patterns };
    if o.globals.is_empty() {
        let results: Vec<_> = pairs.par_iter().map(|(x, y)| memo.programs(x, y, &tell)).collect();
        bar.finish_and_clear();
        r.reused = results.iter().filter(|(_, known)| *known).count();
        functions(results.into_iter().map(|(c, _)| c).collect(), &old, &new, &wanted, &mut r)?;
    } else {
        let results = globals(&o.globals, &pairs, &memo, &tell)?;
        bar.finish_and_clear();
        by_variable(results, &old, &new, &mut r);
    }
    finish(&r, &o)
}

/// What could not be read of the versions, each thing once.
fn notes(old: &Version, new: &Version) -> Vec<String> {
    let mut seen = BTreeSet::new();
    old.notes.iter().chain(&new.notes).filter(|n| seen.insert(*n)).cloned().collect()
}

/// Writes what is asked for, and says how it ends.
fn finish(r: &DiffReport, o: &DiffOptions) -> anyhow::Result<u8> {
    if let Some(f) = &o.output {
        output::replace(f, |w| Ok(report::sarif(r, w)?))?;
    }
    if let Some(f) = &o.html {
        output::replace(f, |w| Ok(report::html(r, w)?))?;
    }
    let mut w = BufWriter::new(Out::lock());
    match o.format {
        Format::Json => report::json(r, &mut w)?,
        Format::Terminal => report::terminal(r, o.all, &mut w)?,
    }
    w.flush()?;
    Ok(if r.differs() {
        exit::VIOLATED
    } else if r.notes.is_empty() {
        exit::CLEAN
    } else {
        exit::INCOMPLETE
    })
}

/// Comparisons, those made before from the cache.
struct Memo<'a> {
    env: &'a Env,
    options: &'a Options,
    patterns: &'a [Pattern],
}

impl Memo<'_> {
    fn how(&self, more: &str) -> Vec<String> {
        let mut how = vec![format!("{:?}", self.options), more.to_string()];
        how.extend(self.patterns.iter().map(Pattern::fingerprint));
        how
    }

    fn programs(&self, x: &Arc<Module>, y: &Arc<Module>, tell: &dyn Fn(&str)) -> (verify_diff::Comparison, bool) {
        // Whoever asks for an attack wants it run.
        let key = if self.options.attack > 0 { None } else { diff_cache::key(x, y, &self.how("")) };
        diff_cache::cached(self.env, key, || verify_diff::compare_with(x, y, self.patterns, self.options, tell))
    }

    fn variable(&self, x: &Arc<Module>, y: &Arc<Module>, name: &str, tell: &dyn Fn(&str)) -> GlobalResult {
        let key = diff_cache::key(x, y, &self.how(name));
        diff_cache::cached(self.env, key, || verify_diff::compare_global(x, y, name, self.options, tell)).0
    }
}

/// What every variable influences, program by program.
fn globals(
    names: &[String],
    pairs: &[Both],
    memo: &Memo<'_>,
    tell: &(dyn Fn(&str) + Sync),
) -> anyhow::Result<Vec<GlobalResult>> {
    for n in names {
        if !pairs.iter().any(|(x, y)| verify_diff::has_global(x, y, n)) {
            return Err(usage(format!("neither version has a global variable `{n}`")));
        }
    }
    let work: Vec<(&String, &Both)> = names.iter().flat_map(|n| pairs.iter().map(move |p| (n, p))).collect();
    Ok(work.par_iter().map(|(n, (x, y))| memo.variable(x, y, n, tell)).collect())
}

/// One verdict for each function: the worst of those by variable.
fn by_variable(results: Vec<GlobalResult>, old: &Version, new: &Version, r: &mut DiffReport) {
    let rank = |v: &str| ["equal", "unknown", "changed"].iter().position(|x| *x == v).unwrap_or(1);
    let mut text = Texts::default();
    let mut worst: BTreeMap<String, DiffFunction> = BTreeMap::new();
    let mut variables: BTreeMap<String, DiffGlobal> = BTreeMap::new();
    for g in results {
        let mut all: Vec<DiffFunction> =
            g.functions.iter().map(|f| shown(f, &old.root, &new.root, &mut text)).collect();
        for (names, which) in [(&g.removed, "old"), (&g.added, "new")] {
            all.extend(names.iter().map(|n| DiffFunction {
                name: n.clone(),
                verdict: Verdict::Unknown.name().into(),
                how: format!("it uses `{}`, and only the {which} version has it", g.name),
                code_differs: true,
                root: true,
                ..DiffFunction::default()
            }));
        }
        let v = variables.entry(g.name.clone()).or_insert_with(|| DiffGlobal {
            name: g.name.clone(),
            verdict: Verdict::Equal.name().into(),
            functions: Vec::new(),
        });
        if rank(g.verdict.name()) > rank(&v.verdict) {
            v.verdict = g.verdict.name().into();
        }
        for f in all {
            v.functions.push(f.name.clone());
            match worst.get(&f.name) {
                Some(w) if rank(&w.verdict) >= rank(&f.verdict) => {}
                _ => drop(worst.insert(f.name.clone(), f)),
            }
        }
        v.functions.sort();
        v.functions.dedup();
    }
    r.functions = worst.into_values().collect();
    r.globals = variables.into_values().collect();
}

/// Verdicts of all functions asked about.
fn functions(
    results: Vec<verify_diff::Comparison>,
    old: &Version,
    new: &Version,
    wanted: &Option<BTreeSet<String>>,
    r: &mut DiffReport,
) -> anyhow::Result<()> {
    let mut text = Texts::default();
    // One function may be in several programs, and several programs have functions of one name: what is not equal in one
    // of them must not hide behind what is equal in another.
    let mut found: BTreeMap<String, Vec<verify_diff::FunctionResult>> = BTreeMap::new();
    for c in results {
        if let Some((name, e)) = c.refuted.first() {
            anyhow::bail!(
                "`{name}` was shown equal, and yet with {:?}: {}: please report this",
                e.inputs,
                e.difference
            );
        }
        for f in c.functions {
            found.entry(f.name.clone()).or_default().push(f);
        }
        r.symbols.extend(c.symbols.into_iter().map(|s| DiffSymbol {
            old: text.place(&s.old_place, &old.root),
            new: text.place(&s.new_place, &new.root),
            name: s.name,
            difference: s.difference,
            seen: s.seen,
        }));
        for (list, root, offers) in [(&mut r.removed, &old.root, c.removed), (&mut r.added, &new.root, c.added)] {
            list.extend(offers.into_iter().map(|o| DiffOffer { place: text.place(&o.place, root), name: o.name }));
        }
    }
    let seen: BTreeSet<String> = found.keys().cloned().collect();
    for all in found.into_values() {
        r.functions.extend(told(all).iter().map(|f| shown(f, &old.root, &new.root, &mut text)));
    }
    r.symbols.sort_by(|a, b| a.name.cmp(&b.name));
    r.symbols.dedup();
    r.symbols.retain(|s| wanted.as_ref().is_none_or(|w| w.contains(&s.name)));
    for list in [&mut r.removed, &mut r.added] {
        list.sort_by(|a, b| a.name.cmp(&b.name));
        list.dedup_by(|a, b| a.name == b.name);
        list.retain(|o| !seen.contains(&o.name) && wanted.as_ref().is_none_or(|w| w.contains(&o.name)));
    }
    Ok(())
}

/// Of what was said of functions of one name in all programs: all that are not equal, of one file the worst; else one.
fn told(mut all: Vec<verify_diff::FunctionResult>) -> Vec<verify_diff::FunctionResult> {
    let rank = |f: &verify_diff::FunctionResult| match f.verdict {
        Verdict::Changed => 0,
        Verdict::Unknown => 1,
        Verdict::Equal => 2,
    };
    all.sort_by_key(rank);
    let mut files = BTreeSet::new();
    let mut out: Vec<verify_diff::FunctionResult> = Vec::new();
    for f in all {
        let file = f.new_place.as_ref().map(|p| (p.directory.clone(), p.file.clone()));
        if (out.is_empty() || f.verdict != Verdict::Equal) && files.insert(file) {
            out.push(f);
        }
    }
    out
}

/// A C file, or a folder with a captured build, that goes by a name.
fn read(env: &Env, path: &Path, name: &str, compiler: &CompilerArgs) -> anyhow::Result<Version> {
    let root = path.canonicalize().map_err(|e| usage(format!("{}: {e}", path.display())))?;
    if root.is_dir() {
        let project = targets::project(env, &root)?;
        let p = targets::of_folder(env, &project, &[], targets::Bind::AsLinked)?;
        if p.inputs.is_empty() {
            let why = p.notes.first().map_or_else(String::new, |n| format!(": {n}"));
            return Err(usage(format!("no captured build under {name}: build it with `make CC=verify-cc`{why}")));
        }
        let notes = p.notes;
        let mut programs: Vec<(String, Arc<Module>)> = p.inputs.into_iter().map(|i| (i.name, i.module)).collect();
        programs.iter_mut().for_each(|(_, m)| tail_calls::as_loops_in(m));
        return Ok(Version { programs, build: Some(root.clone()), root, notes });
    }
    let one = CompilerArgs { sources: vec![path.to_path_buf()], ..compiler.clone() };
    let units = compile::compile_sources(env, &one)?;
    let models = match units.first() {
        Some(u) => models::load(env, &u.target)?,
        None => Vec::new(),
    };
    let roots = models::roots_of_program();
    let link = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    let mut linked = verify_ir::link::link(units, &link).map_err(|e| usage(e.to_string()))?;
    verify_facts::split::all(&mut linked.module);
    let root = root.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let notes = linked.module.unmodelled.clone();
    let mut module = Arc::new(linked.module);
    tail_calls::as_loops_in(&mut module);
    Ok(Version { programs: vec![("program".into(), module)], root, build: None, notes })
}

type Both = (Arc<Module>, Arc<Module>);

/// Programs of one name belong together; a single one on each side in any case.
fn pair(old: &Version, new: &Version, notes: &mut Vec<String>) -> anyhow::Result<Vec<Both>> {
    let mut out = Vec::new();
    if let ([(_, a)], [(_, b)]) = (old.programs.as_slice(), new.programs.as_slice()) {
        out.push((a.clone(), b.clone()));
    } else {
        let theirs: BTreeMap<&str, &Arc<Module>> = new.programs.iter().map(|(n, m)| (n.as_str(), m)).collect();
        for (n, a) in &old.programs {
            match theirs.get(n.as_str()) {
                Some(b) => out.push((a.clone(), (*b).clone())),
                None => notes.push(format!("{n}: only the old version has this program")),
            }
        }
        if out.is_empty() {
            return Err(usage("the versions have no program in common"));
        }
    }
    for (a, b) in &out {
        if let Some(why) = verify_diff::machine_difference(a, b) {
            return Err(usage(why));
        }
    }
    for (a, b) in &mut out {
        let (old, new) = (a.clone(), b.clone());
        shapes::into_callers(a, &new);
        shapes::into_callers(b, &old);
        shapes::unswitched(a, b);
    }
    Ok(out)
}

/// Names of functions that a version has code of.
fn defined(pairs: &[Both]) -> BTreeSet<&str> {
    let both = pairs.iter().flat_map(|(a, b)| a.functions.iter().chain(&b.functions));
    let own = both.filter(|f| f.body.is_some() && f.linkage != Linkage::AvailableExternally);
    own.map(|f| f.name.as_str()).collect()
}

/// The functions that are taken to be equal.
fn assumed(o: &DiffOptions, pairs: &[Both]) -> anyhow::Result<BTreeSet<String>> {
    let defined = defined(pairs);
    if let Some(n) = o.assume.iter().find(|n| !defined.contains(n.as_str())) {
        return Err(usage(format!("`--assume`: neither version has a function `{n}`")));
    }
    Ok(o.assume.iter().cloned().collect())
}

/// The names asked for.
fn wanted(o: &DiffOptions, pairs: &[Both]) -> anyhow::Result<Option<BTreeSet<String>>> {
    let Some(what) = &o.functions else { return Ok(None) };
    let defined = defined(pairs);
    if Path::new(what).is_file() {
        let text = std::fs::read_to_string(what).map_err(|e| usage(format!("cannot read {what}: {e}")))?;
        let names: BTreeSet<String> = text
            .lines()
            .map(|l| l.split('#').next().unwrap_or("").trim())
            .filter(|l| !l.is_empty())
            .map(String::from)
            .collect();
        if names.is_empty() {
            return Err(usage(format!("{what}: there are no names in it")));
        }
        if let Some(n) = names.iter().find(|n| !defined.contains(n.as_str())) {
            return Err(usage(format!("{what}: neither version has a function `{n}`")));
        }
        return Ok(Some(names));
    }
    let re =
        regex::Regex::new(&format!("^(?:{what})$")).map_err(|_| usage(format!("`{what}` is no regular expression")))?;
    let names: BTreeSet<String> = defined.into_iter().filter(|n| re.is_match(n)).map(String::from).collect();
    if names.is_empty() {
        return Err(usage(format!("no function matches `{what}`")));
    }
    Ok(Some(names))
}

#[derive(Default)]
struct Texts(BTreeMap<PathBuf, Vec<String>>);

impl Texts {
    fn around(&mut self, path: &Path, line: u32) -> Vec<(u32, bool, String)> {
        let text = self.0.entry(path.to_path_buf()).or_insert_with(|| {
            std::fs::read(path)
                .map_or_else(|_| Vec::new(), |b| String::from_utf8_lossy(&b).lines().map(String::from).collect())
        });
        let from = line.saturating_sub(2).max(1);
        (from..=line.saturating_add(2))
            .filter_map(|n| text.get(n as usize - 1).map(|t| (n, n == line, t.clone())))
            .collect()
    }

    /// A place for people: its path from the version's folder, and the lines around it.
    fn place(&mut self, p: &Option<Place>, root: &Path) -> Option<DiffPlace> {
        let p = p.as_ref()?;
        let full = Path::new(&p.directory).join(&p.file);
        let file = full.strip_prefix(root).unwrap_or(&full).display().to_string();
        let lines = self.around(&full, p.line);
        Some(DiffPlace { file, line: p.line, column: p.column, function: p.function.clone(), lines })
    }
}

fn shown(f: &verify_diff::FunctionResult, old: &Path, new: &Path, text: &mut Texts) -> DiffFunction {
    DiffFunction {
        name: f.name.clone(),
        old_name: f.old_name.clone(),
        verdict: f.verdict.name().into(),
        how: f.how.clone(),
        difference: f.difference.clone(),
        old: text.place(&f.old_place, old),
        new: text.place(&f.new_place, new),
        origin: f.origin.as_ref().map(|o| DiffOrigin {
            kind: o.kind.name().into(),
            name: o.name.clone(),
            function: o.function.clone(),
            stack: o.stack.iter().map(|p| call(p, new)).collect(),
        }),
        evidence: f.evidence.as_ref().filter(|_| f.verdict == Verdict::Changed).map(|e| DiffEvidence {
            inputs: e.inputs.clone(),
            old: e.old.clone(),
            new: e.new.clone(),
            difference: e.difference.clone(),
        }),
        equal_if: f.equal_if.clone(),
        callers: f.callers.clone(),
        code_differs: f.code_differs,
        root: f.root,
    }
}

/// A call, for people.
fn call(p: &Place, root: &Path) -> String {
    let full = Path::new(&p.directory).join(&p.file);
    format!("{}:{} in `{}`", full.strip_prefix(root).unwrap_or(&full).display(), p.line, p.function)
}

/// Two revisions, checked out and built beside the repository.
struct Worktrees {
    dir: tempfile::TempDir,
    old: String,
    new: String,
}

impl Worktrees {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn build(range: &str, command: &[String]) -> anyhow::Result<Worktrees> {
        let (old, new) = range
            .split_once("..")
            .filter(|(a, b)| !a.is_empty() && !b.is_empty())
            .ok_or_else(|| usage(format!("`--git` needs REV1..REV2, not `{range}`")))?;
        let [program, rest @ ..] = command else {
            return Err(usage(
                "`--git` needs the command that builds: verify diff --git REV1..REV2 -- make CC=verify-cc",
            ));
        };
        let dir = tempfile::tempdir().context("a folder for the revisions")?;
        let trees = Worktrees { dir, old: old.into(), new: new.into() };
        for (name, rev) in [("old", old), ("new", new)] {
            let to = trees.path(name);
            let out = Command::new("git")
                .args(["worktree", "add", "--detach", "--force"])
                .arg(&to)
                .arg(rev)
                .stdin(Stdio::null())
                .output()
                .context("git")?;
            if !out.status.success() {
                let said = String::from_utf8_lossy(&out.stderr);
                return Err(usage(format!("git: {}", said.lines().last().unwrap_or("worktree add failed"))));
            }
            let built = Command::new(program)
                .args(rest)
                .current_dir(&to)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .status()
                .map_err(|e| usage(format!("{program}: {e}")))?;
            if !built.success() {
                return Err(usage(format!("the build of {rev} fails ({built})")));
            }
        }
        Ok(trees)
    }
}

impl Drop for Worktrees {
    fn drop(&mut self) {
        for name in ["old", "new"] {
            let _ = Command::new("git").args(["worktree", "remove", "--force"]).arg(self.path(name)).output();
        }
    }
}
