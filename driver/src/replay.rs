//! `verify replay ID`: a finding of the last scan, run for real. The program is compiled with the address and undefined
//! behaviour sanitizers (or the memory sanitizer) around the inputs that the scan found, and run; if it fails in the way
//! and at the place that was reported, the finding is confirmed by execution, which the record and the SARIF then say.
//! What cannot be told to a compiled program is not tried, with the reason.

mod harness;
mod native;

use crate::cli::ReplayArgs;
use crate::config::Config;
use crate::exit::{self, usage};
use crate::explain;
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
use verify_report::record::{Entry, Execution, Record};
use verify_wrapper::capture::Job;

/// Runs the command.
///
/// # Errors
/// Usage: no scan, no such finding; or a fault of the machine.
pub fn replay(args: &ReplayArgs) -> anyhow::Result<u8> {
    let sarif = match &args.results {
        Some(p) => p.clone(),
        None => Config::load(Path::new("."))?.output.map_or_else(|| "verify.sarif".into(), PathBuf::from),
    };
    let path = explain::record_path(&sarif);
    let bytes = std::fs::read(&path).map_err(|e| {
        usage(format!("cannot read {}: {e}; run `verify scan` first, or name its SARIF with --results", path.display()))
    })?;
    let mut record = Record::read(&bytes).map_err(|e| usage(format!("{} {e}", path.display())))?;
    let chosen = chosen(&record, args)?;
    let dir = args.dir.canonicalize().map_err(|e| usage(format!("cannot read {}: {e}", args.dir.display())))?;
    let env = Env::open()?;
    let programs = Programs::read(&env, &dir, args.compile_db.as_deref())?;
    let mut out = std::io::stdout().lock();
    let (mut confirmed, mut refuted) = (0, 0);
    let many = chosen.len() > 1;
    for i in chosen {
        let entry = &record.findings[i];
        let execution = one(&env, &programs, &record, entry, args)?;
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
    let text = std::fs::read(&sarif).ok();
    if let Some(text) = text {
        let marked = verify_report::sarif::mark::executions(&text, &record)
            .map_err(|e| usage(format!("{}: {e}", sarif.display())))?;
        crate::scan::replace(&sarif, |w| Ok(w.write_all(&marked)?))?;
    }
    crate::scan::replace(&path, |w| record.write(w))?;
    if many {
        writeln!(out, "{confirmed} confirmed by execution, {refuted} not")?;
    }
    Ok(if refuted == 0 { exit::CLEAN } else { exit::INCOMPLETE })
}

fn chosen(record: &Record, args: &ReplayArgs) -> anyhow::Result<Vec<usize>> {
    let fails = |i: &usize| record.findings[*i].failure.is_some();
    let Some(id) = &args.check else {
        let all: Vec<usize> =
            (0..record.findings.len()).filter(|i| record.findings[*i].verdict == "violated").filter(fails).collect();
        return if args.all { Ok(all) } else { Err(usage("name a finding, or give --all for every violated one")) };
    };
    let found = find(record, &Named::parse(id).map_err(usage)?).map_err(usage)?;
    let failing: Vec<usize> = found.iter().copied().filter(fails).collect();
    if failing.is_empty() {
        let verdict = found.first().map_or("", |i| record.findings[*i].verdict.as_str());
        return Err(usage(format!("{id} is {verdict}: there is no failing execution to replay")));
    }
    Ok(failing)
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
                if let (Some(unit), Some(job)) = (compile.unit, verify_wrapper::capture::of_record(record, index)) {
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

    /// Jobs, system libraries, and whether only one of the jobs may keep its `main`.
    fn of(&self, name: &str) -> (Vec<Job>, Vec<String>, bool) {
        match self.jobs.get(name) {
            Some(jobs) => (jobs.clone(), self.libraries.get(name).cloned().unwrap_or_default(), false),
            None => (self.loose.clone(), Vec::new(), true),
        }
    }
}

fn absolute(job: &Job) -> PathBuf {
    let p = job.cwd.join(&job.source);
    p.canonicalize().unwrap_or(p)
}

fn one(env: &Env, programs: &Programs, record: &Record, entry: &Entry, args: &ReplayArgs) -> anyhow::Result<Execution> {
    let not = |seen: String| Ok(Execution { confirmed: false, seen });
    let Some(inputs) = entry.failure.as_ref().and_then(|f| f.inputs.as_ref()) else {
        return not("the scan did not keep the inputs".into());
    };
    if let Some(why) = harness::obstacle(inputs) {
        return not(why);
    }
    let Some(kind) = CheckKind::from_name(&entry.kind) else { return not(format!("unknown kind `{}`", entry.kind)) };
    let program = record.programs.get(entry.program as usize).map_or("", |p| p.name.as_str());
    let (jobs, libraries, loose) = programs.of(program);
    if jobs.is_empty() {
        return not(format!("the commands that compiled `{program}` are not recorded here"));
    }
    let scratch = env.store.scratch()?;
    let dir = match &args.keep {
        Some(d) => {
            std::fs::create_dir_all(d).with_context(|| d.display().to_string())?;
            d.canonicalize()?
        }
        None => scratch.path().to_path_buf(),
    };
    let clang = native::clang(env)?;
    let build = native::Build { clang: &clang, dir: &dir, kind };
    let done = match run(&build, programs, program, inputs, &jobs, &libraries, loose) {
        Ok(done) => done,
        Err(why) => return not(format!("the program could not be built: {why}")),
    };
    if args.keep.is_some() {
        std::fs::write(dir.join("output.txt"), &done.output)?;
    }
    let (confirmed, seen) = native::judge(&done, kind, &entry.file, entry.line, &entry.function);
    Ok(Execution { confirmed, seen })
}

fn run(
    build: &native::Build<'_>,
    programs: &Programs,
    program: &str,
    inputs: &Inputs,
    jobs: &[Job],
    libraries: &[String],
    loose: bool,
) -> Result<native::Done, String> {
    let mut objects = vec![
        build.own("shim.c", harness::SHIM)?,
        build.own("tables.c", &harness::tables(inputs))?,
        build.own("definitions.c", &harness::definitions(inputs))?,
    ];
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
        let own_main = !loose || absolute(job) == programs.root.join(program);
        let rename = instead.is_none() && (harness.is_some() || !own_main);
        objects.push(build.unit(job, n, instead, rename)?);
    }
    if loose {
        // Several units may define the same function, each for its own program: the first one stands.
        objects.push(PathBuf::from("-Wl,--allow-multiple-definition"));
    }
    let program = build.link(&objects, libraries, harness::WRAPPED)?;
    native::execute(&program, &args, build.kind)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(hex.get(i..i + 2)?, 16).ok()).collect()
}
