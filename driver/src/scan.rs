//! `verify scan`: link, run the engines, report.

use crate::below;
use crate::cli::{Color, Effort, Format, MAX_JOBS, ScanArgs};
use crate::config::Config;
use crate::exit::{self, usage};
use crate::explain;
use crate::optin;
use crate::output::{self, Out};
use crate::progress;
use crate::reports::Reports;
use crate::targets::{self, Programs};
use crate::tools::Env;
use anyhow::Context;
use indicatif::ProgressBar;
use std::collections::BTreeSet;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify_engine::result::{ProgramResult, ScanResult, UnknownReason, Verdict};
use verify_engine::{Budget, Progress, Rules, ScanOptions, StopFlag};
use verify_ir::module::{ASSEMBLY, INLINE};
use verify_report::baseline::{Baseline, Comparison};

/// Runs the command; the exit code as documented.
///
/// # Errors
/// Usage, or a fault of the tool or the machine.
pub fn scan(args: &ScanArgs) -> anyhow::Result<u8> {
    let dir = args.dir.canonicalize().map_err(|e| usage(format!("cannot scan {}: {e}", args.dir.display())))?;
    if !dir.is_dir() {
        return Err(usage(format!("cannot scan {}: it is no folder", args.dir.display())));
    }
    let config = Config::load(&dir)?;
    output::may_be_written(&output_path(args, &config))?;
    let suppressions = config.suppressions(&dir, args.suppressions.as_deref())?;
    let baseline = args.baseline.as_deref().map(baseline).transpose()?;
    let mut env = Env::open()?;
    env.user_models = config.user_models(&dir, &args.models)?;
    env.annotations = config.annotations()?;
    env.race_free = args.assume_race_free || config.assume_race_free;
    let bar = progress::bar(0, args.quiet);
    let jobs = args.jobs.unwrap_or(0).min(MAX_JOBS);
    // One pool for reading, linking and the engines: `-j` bounds them all.
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().context("cannot start threads")?;
    let mut programs = read(args, &config, &env, &dir, &bar)?;
    choose_targets(args, &config, &mut programs)?;
    let entries: Vec<String> = config.entries.iter().chain(&args.entry).cloned().collect();
    entries_exist(&entries, &programs)?;
    warn_of_edits(&programs, &dir);

    let effort = args.budget.or(config.budget.effort).unwrap_or(Effort::Standard);
    let reports = Reports::open(&env, args.fresh);
    let options = ScanOptions {
        effort: match effort {
            Effort::Quick => (1, 8),
            Effort::Standard => (1, 1),
            Effort::Nightly => (8, 1),
        },
        entries,
        budget: args
            .steps
            .or(config.budget.steps)
            .map(|millions| Budget { steps: millions.saturating_mul(1_000_000), runs: u64::MAX }),
        jobs,
        rules: Rules {
            allocation_succeeds: args.allocation_succeeds || config.allocation_succeeds,
            race_free: env.race_free,
            ..Rules::default()
        },
        memory: reports.clone().map(|r| r as Arc<dyn verify_engine::Memory>),
        ..ScanOptions::default()
    };
    let stop = Arc::new(StopFlag::new());
    if let Some(seconds) = args.timeout.or(config.budget.timeout) {
        let stop = stop.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(seconds));
            stop.set();
        });
    }
    let Programs { inputs, notes, incomplete } = programs;
    let kiki = proving(effort);
    let mut engines: Vec<&dyn verify_engine::Engine> = vec![&verify_probe::Probe, &verify_kiki::ByFacts];
    if effort != Effort::Quick {
        engines.push(&kiki);
    }
    let mut result = verify_engine::scan(inputs, &engines, &options, &Bar(bar.clone()), &stop);
    bar.finish_and_clear();
    if let Some((recalled @ 1.., all)) = reports.filter(|_| !args.quiet).map(|r| r.counts()) {
        eprintln!("verify: {recalled} of {all} pieces of work were known from an earlier scan (`--fresh`: none)");
    }
    result.notes = notes;
    result.suppressions = suppressions;
    result.assumptions.extend(of_users(&result, &env));
    for p in &mut result.programs {
        crate::vacuity::mark(p, true)?;
        open_where_unknown(p);
    }

    let incomplete = incomplete || result.programs.iter().any(|p| p.incomplete);
    let sarif = output_path(args, &config);
    // Once, for the file, the numbers and the exit code alike.
    if let (Some(path), Some(baseline)) = (&args.baseline, &baseline) {
        warn_of_another_folder(path, baseline, &result, &dir);
    }
    let baseline = baseline.map(|b| b.compare(&result, &dir));
    write_sarif(args, &config, &dir, &result, &sarif, baseline.as_ref())?;
    print(args, &dir, &result, &sarif, baseline.as_ref())?;
    let violated = verify_report::baseline::violated(&result, &dir, baseline.as_ref());
    Ok(if violated {
        exit::VIOLATED
    } else if incomplete {
        exit::INCOMPLETE
    } else {
        exit::CLEAN
    })
}

/// A scan is of what was built; whoever has gone on since should not take it for more.
fn warn_of_edits(programs: &Programs, dir: &Path) {
    let edited = below::edited(programs.inputs.iter().map(|p| &*p.module));
    if let Some(first) = edited.first() {
        let first = Path::new(first).strip_prefix(dir).unwrap_or(Path::new(first)).display();
        let more = match edited.len() - 1 {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        eprintln!("warning: edited since the build: {first}{more}; this scan is of what was built, build again");
    }
}

/// Assembly outside functions may do anything, and calls of a function with an inline definition of its own may be of
/// another one: what is shown without that is not shown.
fn open_where_unknown(p: &mut ProgramResult) {
    let anywhere = |u: &&String| u.starts_with(ASSEMBLY) || u.starts_with(INLINE);
    let Some(what) = p.module.unmodelled.iter().find(anywhere) else { return };
    for v in p.verdicts.iter_mut().filter(|v| matches!(v, Verdict::Proved(_) | Verdict::Unreachable)) {
        *v = Verdict::Unknown(UnknownReason::Unmodelled(what.clone()));
    }
}

/// What the verdicts lean on because the user says so.
fn of_users(result: &ScanResult, env: &Env) -> Vec<String> {
    let (mut described, mut modelled) = (BTreeSet::new(), BTreeSet::new());
    for m in result.programs.iter().map(|p| &*p.module) {
        for f in m.functions.iter().filter(|f| f.body.is_some() && f.linkage != verify_ir::Linkage::Internal) {
            if verify_checks::calls::is_users_model(m, f) {
                let annotated = env.annotations.iter().any(|a| a.name == f.name);
                if annotated {
                    described.insert(&f.name)
                } else {
                    modelled.insert(&f.name)
                };
            }
        }
    }
    let sentence = |what: &str, names: BTreeSet<&String>| {
        let list = names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        (!list.is_empty()).then(|| format!("{what}: {list}."))
    };
    let described = sentence("These functions do what verify.toml says of them", described);
    described.into_iter().chain(sentence("These functions do what the project's own models say", modelled)).collect()
}

/// The engine that proves, with the limits of an effort.
fn proving(effort: Effort) -> verify_kiki::Kiki {
    let mut kiki = verify_kiki::Kiki::scanning();
    if effort == Effort::Nightly {
        kiki.parts = true;
        for limits in std::iter::once(&mut kiki.program).chain(kiki.function.as_mut()) {
            limits.query_conflicts *= 8;
            limits.conflicts *= 8;
            limits.idle *= 8;
            limits.instructions *= 4;
            limits.total_instructions *= 4;
            limits.terms *= 4;
            limits.inference *= 4;
        }
    }
    kiki
}

fn baseline(path: &Path) -> anyhow::Result<Baseline> {
    let bytes = std::fs::read(path).map_err(|e| usage(format!("cannot read {}: {e}", path.display())))?;
    Baseline::read(&bytes).map_err(|e| usage(format!("{} {e}", path.display())))
}

/// Says when no file of the baseline is here, in its folder or in another one.
fn warn_of_another_folder(path: &Path, baseline: &Baseline, result: &ScanResult, dir: &Path) {
    let files = baseline.files();
    let name_of = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
    let here: BTreeSet<_> =
        result.programs.iter().flat_map(|p| &p.module.files).filter_map(|f| name_of(&f.path)).collect();
    let is_here = |f: &&str| dir.join(f).exists() || name_of(f).is_some_and(|name| here.contains(&name));
    if !files.is_empty() && !files.iter().any(is_here) {
        let (path, dir) = (path.display(), dir.display());
        eprintln!("warning: {path} is of another folder: none of its files is in {dir}");
    }
}

fn read(args: &ScanArgs, config: &Config, env: &Env, dir: &Path, bar: &ProgressBar) -> anyhow::Result<Programs> {
    let checks = optin::sanitizers(&config.checks.iter().chain(&args.checks).collect::<Vec<_>>())?;
    let programs = match &args.compile_db {
        Some(file) => {
            bar.set_message("compiling");
            targets::of_database(env, dir, file, &checks, &|name| {
                bar.inc(1);
                bar.set_message(name.to_string());
            })?
        }
        None => {
            bar.set_message("reading the captured build");
            let project = targets::project(env, dir)?;
            if project.totals.captured == 0 {
                return Err(usage(nothing_captured(dir, &project)));
            }
            targets::of_folder(env, &project, &checks, targets::Bind::Neighbours)?
        }
    };
    if programs.inputs.is_empty() {
        let why = programs.notes.first().map_or_else(String::new, |n| format!(": {n}"));
        return Err(usage(format!("nothing to scan in {}{why}", dir.display())));
    }
    Ok(programs)
}

/// Says why a folder has no captured unit, and what to do.
fn nothing_captured(dir: &Path, p: &verify_compile_db::project::Project) -> String {
    let t = &p.totals;
    let dir = dir.display();
    if t.invocations == 0 {
        return format!(
            "no captured build under {dir}: run `make clean && make CC=verify-cc` there (the compiler may be \
             hard-coded in the Makefile: then give it as the Makefile names it), or use --compile-db FILE"
        );
    }
    if t.compiled == 0 && !p.vanished.is_empty() {
        return format!("what was compiled under {dir} is gone, sources and objects: build again");
    }
    if t.compiled == 0 {
        return format!(
            "verify-cc ran {} times under {dir} but compiled no C source ({} configure probes): build with \
             `make CC=verify-cc` after configuring",
            t.invocations, t.probes
        );
    }
    let gone = verify_compile_db::project::reason(&verify_compile_db::Outcome::Gone);
    if p.uncaptured.iter().all(|m| m.reason == gone) {
        return format!(
            "the cache has none left of the {} units captured under {dir}: see `verify ledger`",
            t.compiled
        );
    }
    let first = p.uncaptured.first().map_or_else(String::new, |m| format!(": {}: {}", m.input, m.reason));
    format!("{} sources were compiled under {dir} and none could be captured{first}", t.compiled)
}

fn choose_targets(args: &ScanArgs, config: &Config, programs: &mut Programs) -> anyhow::Result<()> {
    let wanted: Vec<&String> =
        if args.target.is_empty() { config.targets.iter() } else { args.target.iter() }.collect();
    let names: Vec<String> = programs.inputs.iter().map(|p| p.name.clone()).collect();
    for w in wanted.iter().copied().chain(&config.exclude_targets) {
        if !names.contains(w) {
            return Err(usage(format!("there is no target `{w}`; there are {}", names.join(", "))));
        }
    }
    programs
        .inputs
        .retain(|p| (wanted.is_empty() || wanted.contains(&&p.name)) && !config.exclude_targets.contains(&p.name));
    if programs.inputs.is_empty() {
        return Err(usage("every target is excluded by verify.toml"));
    }
    Ok(())
}

/// An entry that is mistyped must not go unnoticed: what it stands for would not be looked at.
fn entries_exist(entries: &[String], programs: &Programs) -> anyhow::Result<()> {
    let defined = |name: &str| {
        programs.inputs.iter().map(|p| &*p.module).any(|m| {
            let own = |f| m.func(f).body.is_some() && !verify_checks::calls::is_model(m, m.func(f));
            m.function_named(name).is_some_and(own)
        })
    };
    match entries.iter().find(|e| !defined(e)) {
        Some(e) => Err(usage(format!("entry `{e}`: no program that is scanned has this function"))),
        None => Ok(()),
    }
}

struct Bar(ProgressBar);

impl Progress for Bar {
    fn planned(&self, tasks: usize) {
        self.0.set_position(0);
        self.0.set_length(tasks as u64);
    }
    fn started(&self, program: &str, what: &str) {
        self.0.set_message(format!("{program}: {what}"));
    }
    fn finished(&self, _: &str, _: &str, _: usize) {
        self.0.inc(1);
    }
}

fn output_path(args: &ScanArgs, config: &Config) -> PathBuf {
    args.output.clone().or_else(|| config.output.as_ref().map(PathBuf::from)).unwrap_or_else(|| "verify.sarif".into())
}

fn write_sarif(
    args: &ScanArgs,
    config: &Config,
    dir: &Path,
    result: &ScanResult,
    path: &Path,
    baseline: Option<&Comparison>,
) -> anyhow::Result<()> {
    let mut options = verify_report::sarif::Options::new(dir);
    options.all = args.sarif_all;
    options.baseline = baseline.cloned();
    options.tool_version = env!("CARGO_PKG_VERSION").into();
    if let Some(c) = &config.category {
        options.automation_id = c.clone();
    }
    output::replace(path, |out| verify_report::sarif::write(result, &options, out))?;
    if !output::is_replaced(path) {
        return Ok(());
    }
    let record = verify_report::record::Record::of(result, dir, env!("CARGO_PKG_VERSION"));
    output::replace(&explain::record_path(path), |out| record.write(out))
}

fn print(
    args: &ScanArgs,
    dir: &Path,
    result: &ScanResult,
    sarif: &Path,
    baseline: Option<&Comparison>,
) -> anyhow::Result<()> {
    let mut w = BufWriter::new(Out::lock());
    if args.format == Format::Json {
        verify_report::json::write(result, dir, args.sarif_all, baseline, &mut w)?;
        w.flush()?;
        return Ok(());
    }
    let mut options = verify_report::terminal::Options::new(dir);
    options.colour = match args.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    options.max_findings = args.max_shown;
    verify_report::terminal::write(result, &options, &mut w)?;
    if let Some(c) = baseline.map(|b| b.changes) {
        write!(w, "\nSince the baseline: {} new, {} unchanged, {} fixed", c.new, c.unchanged, c.fixed)?;
        if c.updated > 0 {
            write!(w, ", {} not as before (changed or worse)", c.updated)?;
        }
        if c.not_found > 0 {
            write!(w, ", {} not found again (unknown, or not scanned)", c.not_found)?;
        }
        writeln!(w)?;
    }
    writeln!(w, "\nSARIF: {}", sarif.display())?;
    w.flush()?;
    Ok(())
}
