//! `verify replay ID`: a finding of the last scan, run for real. The program is compiled with the address and undefined
//! behaviour sanitizers (or the memory sanitizer) around the inputs that the scan found, and run; if it fails in the way
//! and at the place that was reported, the finding is confirmed by execution, which the record and the SARIF then say.
//! What cannot be told to a compiled program is not tried, with the reason.

mod harness;
mod judge;
mod native;
mod world;

use crate::cli::ReplayArgs;
use crate::config::Config;
use crate::exit::{self, usage};
use crate::explain;
use crate::output::Out;
use crate::targets;
use crate::tools::Env;
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use verify_compile_db::{CompileDb, Ledger};
use verify_ir::CheckKind;
use verify_report::explain::{Named, find, name};
use verify_report::inputs::{Inputs, Start};
use verify_report::record::{Entry, Execution, Program, Record};
use verify_wrapper::capture::Job;
use world::World;

/// Runs the command.
///
/// # Errors
/// Usage: no scan, no such finding; or a fault of the machine.
pub fn replay(args: &ReplayArgs) -> anyhow::Result<u8> {
    let results = match &args.results {
        Some(p) => p.clone(),
        None => Config::load(Path::new("."))?.output.map_or_else(|| "verify.sarif".into(), PathBuf::from),
    };
    let (sarif, path) = explain::files(&results);
    let bytes = std::fs::read(&path).map_err(|e| {
        usage(format!("cannot read {}: {e}; run `verify scan` first, or name its SARIF with --results", path.display()))
    })?;
    let mut record = Record::read(&bytes).map_err(|e| usage(format!("{} {e}", path.display())))?;
    // What cannot be written in the end is said before anything runs.
    let text = std::fs::read(&sarif).ok();
    let unreadable = |e: String| usage(format!("{} is no SARIF: {e}", sarif.display()));
    if let Some(text) = &text {
        verify_report::sarif::mark::executions(text, &record).map_err(unreadable)?;
    }
    let (chosen, accepted) = chosen(&record, args)?;
    let mut out = Out::lock();
    if accepted > 0 {
        writeln!(out, "{accepted} suppressed, not replayed")?;
    }
    if chosen.is_empty() {
        writeln!(
            out,
            "nothing to replay: no finding is violated{}",
            if accepted > 0 { " and not suppressed" } else { "" }
        )?;
        return Ok(exit::CLEAN);
    }
    let dir = args.dir.canonicalize().map_err(|e| usage(format!("cannot read {}: {e}", args.dir.display())))?;
    let env = Env::open()?;
    let programs = Programs::read(&env, &dir, args.compile_db.as_deref())?;
    let mut worlds = Worlds { dir: env.store.scratch()?, made: BTreeMap::new() };
    let (mut confirmed, mut refuted) = (0, 0);
    let many = chosen.len() > 1;
    for i in chosen {
        let entry = &record.findings[i];
        // Each in a folder of its own.
        let id = entry.id.get(..12).unwrap_or(&entry.id);
        let keep = args.keep.as_ref().map(|dir| if many { dir.join(id) } else { dir.clone() });
        let execution = one(&env, &programs, &mut worlds, &record, entry, keep.as_deref())?;
        let said = match (&execution, execution.confirmed) {
            (x, true) => format!("confirmed by execution: {}", x.seen),
            (x, false) => format!("not confirmed: {}", x.seen),
        };
        if many {
            writeln!(out, "{}  {}: {said}", entry.id.get(..12).unwrap_or(&entry.id), name(entry))?;
        } else {
            writeln!(out, "{}\n{said}", name(entry))?;
        }
        if execution.confirmed {
            confirmed += 1;
        } else {
            refuted += 1;
        }
        if let Some(f) = &mut record.findings[i].failure {
            f.execution = Some(execution);
        }
    }
    if let Some(text) = text {
        let marked = verify_report::sarif::mark::executions(&text, &record).map_err(unreadable)?;
        crate::output::replace(&sarif, |w| Ok(w.write_all(&marked)?))?;
    }
    crate::output::replace(&path, |w| record.write(w))?;
    if many {
        writeln!(out, "{confirmed} confirmed by execution, {refuted} not")?;
    }
    Ok(if refuted == 0 { exit::CLEAN } else { exit::INCOMPLETE })
}

/// Indices of the findings, and how many more are left out because they are suppressed.
fn chosen(record: &Record, args: &ReplayArgs) -> anyhow::Result<(Vec<usize>, usize)> {
    let fails = |i: &usize| record.findings[*i].failure.is_some();
    let Some(id) = &args.check else {
        if !args.all {
            return Err(usage("name a finding, or give --all for every violated one"));
        }
        let violated = (0..record.findings.len()).filter(|i| record.findings[*i].verdict == "violated").filter(fails);
        let (accepted, all): (Vec<usize>, Vec<usize>) =
            violated.partition(|i| record.findings[*i].suppressed.is_some());
        return Ok((all, accepted.len()));
    };
    let found = find(record, &Named::parse(id).map_err(usage)?).map_err(usage)?;
    let failing: Vec<usize> = found.iter().copied().filter(fails).collect();
    if failing.is_empty() {
        let verdict = found.first().map_or("", |i| record.findings[*i].verdict.as_str());
        return Err(usage(format!("{id} is {verdict}: there is no failing execution to replay")));
    }
    Ok((failing, 0))
}

/// Worlds that were made, by the sanitizer.
struct Worlds {
    dir: tempfile::TempDir,
    made: BTreeMap<&'static str, World>,
}

impl Worlds {
    fn of(&mut self, env: &Env, build: &native::Build<'_>) -> Result<&World, String> {
        let sanitizer = build.sanitizer_of_the_world();
        if !self.made.contains_key(sanitizer) {
            let dir = self.dir.path().join(format!("world-{}", self.made.len()));
            self.made.insert(sanitizer, World::make(env, build, &dir)?);
        }
        self.made.get(sanitizer).ok_or_else(|| "the world is missing".into())
    }
}

/// The first source file of a program that is not what was compiled for the scan.
fn changed<'a>(root: &Path, program: &'a Program) -> Option<&'a str> {
    let same = |path: &str, hash: &str| {
        std::fs::read(root.join(path)).is_ok_and(|bytes| blake3::hash(&bytes).to_hex().as_str() == hash)
    };
    program.sources.iter().find(|(path, hash)| !same(path, hash)).map(|(path, _)| path.as_str())
}

/// The compile jobs of every scanned program, by its name in the record.
struct Programs {
    jobs: BTreeMap<String, Vec<Job>>,
    libraries: BTreeMap<String, Vec<String>>,
    /// For programs that are made of loose units: all of them.
    loose: Vec<Job>,
    root: PathBuf,
}

impl Programs {
    fn read(env: &Env, dir: &Path, database: Option<&Path>) -> anyhow::Result<Programs> {
        let mut p =
            Programs { jobs: BTreeMap::new(), libraries: BTreeMap::new(), loose: Vec::new(), root: dir.to_path_buf() };
        if let Some(file) = database {
            let db = CompileDb::read(file).map_err(|e| usage(e.to_string()))?;
            p.loose = db.entries.iter().filter_map(|e| verify_wrapper::capture::entry_job(e).ok()).collect();
            return Ok(p);
        }
        let project = targets::project(env, dir)?;
        let contents = Ledger::open(env.store.root()).read().context("the capture ledger")?;
        let mut by_unit: BTreeMap<String, Job> = BTreeMap::new();
        for record in contents.records.iter().filter(|r| r.touches(&project.root)) {
            for (index, compile) in record.compiles.iter().enumerate() {
                if let (Some(unit), Some(job)) = (compile.unit, verify_wrapper::capture::again(record, index)) {
                    by_unit.insert(unit.to_hex().to_string(), job);
                }
            }
        }
        let job = |u: &verify_compile_db::project::UnitUse| by_unit.get(u.unit.to_hex().as_str()).cloned();
        for t in &project.targets {
            let name = t.path.strip_prefix(&project.root).unwrap_or(&t.path).display().to_string();
            let mut jobs: Vec<Job> = t.units.iter().filter_map(job).collect();
            for s in &t.shared {
                if let Some(other) = s.target.and_then(|i| project.targets.get(i)) {
                    jobs.extend(other.units.iter().filter_map(job));
                }
            }
            p.jobs.insert(name.clone(), jobs);
            p.libraries.insert(name, t.system.clone());
        }
        p.loose = project.loose.iter().filter_map(job).collect();
        Ok(p)
    }

    fn of<'a>(&'a self, name: &'a str) -> Parts<'a> {
        let root = self.root.as_path();
        match self.jobs.get(name) {
            Some(jobs) => {
                let libraries = self.libraries.get(name).map_or(&[][..], Vec::as_slice);
                Parts { name, jobs, libraries, loose: false, root }
            }
            None => Parts { name, jobs: &self.loose, libraries: &[], loose: true, root },
        }
    }
}

/// What a program is built from.
struct Parts<'a> {
    name: &'a str,
    jobs: &'a [Job],
    /// Of the system.
    libraries: &'a [String],
    /// Only one of the jobs may keep its `main`.
    loose: bool,
    root: &'a Path,
}

fn absolute(job: &Job) -> PathBuf {
    let p = job.cwd.join(&job.source);
    p.canonicalize().unwrap_or(p)
}

/// The output of a replayed program, by which a folder that an earlier replay has filled is known.
const OUTPUT: &str = "output.txt";

/// The folder that everything is kept in. What lies in one that is no replay's must not be written over.
fn kept(dir: &Path) -> anyhow::Result<PathBuf> {
    let wrong = |why: String| usage(format!("--keep {}: {why}", dir.display()));
    std::fs::create_dir_all(dir).map_err(|e| wrong(e.to_string()))?;
    let mut files = std::fs::read_dir(dir).map_err(|e| wrong(e.to_string()))?;
    if files.next().is_some() && !dir.join(OUTPUT).exists() {
        return Err(wrong("the folder is not empty".into()));
    }
    std::fs::write(dir.join(OUTPUT), "").map_err(|e| wrong(e.to_string()))?;
    Ok(dir.canonicalize()?)
}

fn one(
    env: &Env,
    programs: &Programs,
    worlds: &mut Worlds,
    record: &Record,
    entry: &Entry,
    keep: Option<&Path>,
) -> anyhow::Result<Execution> {
    let not = |seen: String| Ok(Execution { confirmed: false, seen });
    let Some(inputs) = entry.failure.as_ref().and_then(|f| f.inputs.as_ref()) else {
        return not("the scan did not keep the inputs".into());
    };
    if let Some(why) = harness::obstacle(inputs) {
        return not(why);
    }
    let Some(kind) = CheckKind::from_name(&entry.kind) else { return not(format!("unknown kind `{}`", entry.kind)) };
    let nothing = Program::default();
    let scanned = record.programs.get(entry.program as usize).unwrap_or(&nothing);
    if let Some(file) = changed(&programs.root, scanned) {
        return not(format!("the sources changed since the scan (`{file}`): scan again"));
    }
    let parts = programs.of(&scanned.name);
    if parts.jobs.is_empty() {
        return not(format!("the commands that compiled `{}` are not recorded here", parts.name));
    }
    let scratch = env.store.scratch()?;
    let dir = match keep {
        Some(d) => kept(d)?,
        None => scratch.path().to_path_buf(),
    };
    let clang = native::clang(env)?;
    let build = native::Build { clang: &clang, dir: &dir, kind, optimised: false };
    let world = match worlds.of(env, &build) {
        Ok(world) => world,
        Err(why) => return not(format!("the library that feeds the program could not be built: {why}")),
    };
    // Some programs can be linked only where the compiler removes calls, or inlines them.
    let optimised = native::Build { optimised: true, ..build };
    let done = match run(&build, world, &parts, inputs).or_else(|_| run(&optimised, world, &parts, inputs)) {
        Ok(done) => done,
        Err(why) => return not(format!("the program could not be built: {why}")),
    };
    if keep.is_some() {
        std::fs::write(dir.join(OUTPUT), &done.output)?;
    }
    let sources: Vec<&str> = scanned.sources.keys().map(String::as_str).collect();
    let (file, root) = (entry.file.as_str(), programs.root.as_path());
    let wanted = judge::Wanted { kind, file, line: entry.line, column: entry.column, root, sources: &sources };
    let (confirmed, seen) = judge::judge(&done, &wanted);
    Ok(Execution { confirmed, seen })
}

fn run(build: &native::Build<'_>, world: &World, parts: &Parts<'_>, inputs: &Inputs) -> Result<native::Done, String> {
    let jobs = parts.jobs;
    let mut objects: Vec<PathBuf> = Vec::new();
    let mut args: Vec<Vec<u8>> = Vec::new();
    let mut harness: Option<(usize, PathBuf)> = None;
    match &inputs.start {
        Start::Main(list) => args = list.iter().filter_map(|a| bytes(a)).collect(),
        Start::Calls(calls) => {
            let Some(last) = calls.last() else { return Err("nothing is called".into()) };
            let wanted = Path::new(&last.file);
            let at = jobs.iter().position(|j| {
                let source = absolute(j);
                source == wanted || source == j.cwd.join(wanted) || j.source == wanted || source.ends_with(wanted)
            });
            let Some(at) = at else { return Err(format!("`{}` is not in a source file of its own", last.function)) };
            let text = harness::calls(inputs, calls, &absolute(&jobs[at]));
            let path = build.dir.join("harness.c");
            std::fs::write(&path, text).map_err(|e| e.to_string())?;
            harness = Some((at, path));
        }
    }
    for (n, job) in jobs.iter().enumerate() {
        let instead = harness.as_ref().filter(|(at, _)| *at == n).map(|(_, p)| p.as_path());
        let own_main = !parts.loose || absolute(job) == parts.root.join(parts.name);
        let rename = instead.is_none() && (harness.is_some() || !own_main);
        let object = build.unit(job, n, instead, rename)?;
        // Where several units define a name, the first one stands.
        let first = if parts.loose && (instead.is_some() || own_main) { 0 } else { objects.len() };
        objects.insert(first, object);
    }
    let stubs = world.bind(build, &objects)?;
    objects.push(build.text("stubs.c", &stubs)?);
    objects.push(build.text("tables.c", &harness::tables(inputs))?);
    objects.push(world.object.clone());
    // Several loose units may define the same function, each for its own program: the first one stands.
    let options: &[&str] = if parts.loose { &["-Wl,--allow-multiple-definition"] } else { &[] };
    let program = build.link(&objects, parts.libraries, options)?;
    native::execute(&program, &args, build.kind)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(hex.get(i..i + 2)?, 16).ok()).collect()
}
