//! `verify capture`: a build under the wrapper, however it names its compiler; or the entries of a compilation
//! database, compiled now. Both leave units in the cache, records in the ledger, and a compile_commands.json.

mod masquerade;
mod trace;

use crate::cli::CaptureArgs;
use crate::exit::{self, usage};
use crate::ledger;
use crate::tools::Env;
use anyhow::Context;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{SystemTime, UNIX_EPOCH};
use verify_compile_db::coverage::{self, Coverage, Fate};
use verify_compile_db::ledger::Contents;
use verify_compile_db::{CompileDb, Entry, Ledger, Status, project};
use verify_wrapper::capture::entry_invocation;
use verify_wrapper::record::{self, Finished};

pub use masquerade::Masquerade;

/// Runs the command. With a build the exit code is the build's, as a shell tells it, when it fails.
///
/// # Errors
/// Usage; the build succeeded and nothing was captured.
pub fn capture(args: &CaptureArgs) -> anyhow::Result<u8> {
    if let Some(after) = &args.after {
        return trace::after(after, &args.command);
    }
    let env = match Env::open() {
        Ok(env) => env,
        Err(why) if !args.command.is_empty() => return uncaptured(&args.command, why),
        Err(why) => return Err(why),
    };
    if args.print_path {
        writeln!(std::io::stdout().lock(), "{}", Masquerade::make(env.store.root())?.dir.display())?;
        return Ok(exit::CLEAN);
    }
    match (&args.compile_db, args.command.split_first()) {
        (Some(_), Some(_)) => Err(usage("give either --compile-db FILE or a command, not both")),
        (None, None) => {
            Err(usage("what to capture? `verify capture -- make -j8`, or `verify capture --compile-db FILE`"))
        }
        (Some(file), None) => of_database(args, &env, file),
        (None, Some((program, words))) => of_build(args, &env, program, words),
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn of_build(args: &CaptureArgs, env: &Env, program: &OsString, words: &[OsString]) -> anyhow::Result<u8> {
    env.tools()?;
    args.output.as_deref().map_or(Ok(()), crate::output::may_be_written)?;
    let cwd = std::env::current_dir().context("current folder")?;
    let masquerade = match Masquerade::make(env.store.root()) {
        Ok(masquerade) => masquerade,
        Err(why) => return uncaptured(&args.command, why),
    };
    let session = format!("{:x}-{:x}", now(), std::process::id());
    let mut command = Command::new(program);
    command.args(words).env("VERIFY_CACHE", env.store.root()).env(record::SESSION, &session);
    masquerade.set_up(&mut command)?;
    let status = match args.trace {
        true => trace::run(&mut command, env.store.root())?,
        false => run(&mut command)?,
    };
    let code = code_of(status);
    verify_wrapper::pending::recover_from_env();
    let contents = env.ledger()?;
    // Not by the time: others may build at the same time, and clocks are set back.
    let own = contents.records.iter().filter(|r| r.session == session);
    let new = Contents { records: own.cloned().collect(), damaged: 0 };
    // The build may work elsewhere (`make -C`, `ninja -C`): what it touched counts, and what lies here.
    let root = root_of(&new, &cwd);
    let project = project::load(&contents, &root);
    let all = coverage::of(&contents, &project);
    if all.totals.captured == 0 && code == 0 {
        return Err(usage(ledger::nothing_captured(&all.totals, &cwd, &args.command)));
    }
    write_database(args, env, &all, &cwd)?;
    say(args, &all, new.records.len());
    Ok(code)
}

/// A cache that cannot be written, as it is on a full or read-only disk, must not keep anyone from building.
fn uncaptured(words: &[OsString], why: anyhow::Error) -> anyhow::Result<u8> {
    let Some((program, rest)) = words.split_first().filter(|_| !why.is::<exit::Usage>()) else { return Err(why) };
    eprintln!("verify: {why:#}: the build runs uncaptured");
    let code = code_of(run(Command::new(program).args(rest))?);
    if code == 0 { Err(usage(format!("nothing was captured: {why:#}"))) } else { Ok(code) }
}

/// Runs a build to its end; whoever ends the capture means the build.
fn run(command: &mut Command) -> anyhow::Result<ExitStatus> {
    let program = command.get_program().to_string_lossy().into_owned();
    let (status, signals) =
        verify_wrapper::process::Signals::run_real(command).map_err(|e| usage(format!("cannot run {program}: {e}")))?;
    signals.keep();
    Ok(status)
}

/// The exit code as a shell tells it.
fn code_of(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code & 0xff).unwrap_or(1),
        (None, signal) => u8::try_from(128 + signal.unwrap_or(0)).unwrap_or(1),
    }
}

/// The folder that holds the current one and everything that the build compiled for.
fn root_of(new: &Contents, cwd: &Path) -> PathBuf {
    let mut root = cwd.to_path_buf();
    let compiled = new.records.iter().filter(|r| r.compiled());
    for dir in compiled.map(|r| &r.cwd) {
        let common: PathBuf =
            root.components().zip(dir.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
        // A build that works in /tmp must not make the whole machine its project.
        if common.components().count() >= 3 {
            root = common;
        }
    }
    root
}

fn of_database(args: &CaptureArgs, env: &Env, file: &Path) -> anyhow::Result<u8> {
    env.tools()?;
    let db = CompileDb::read(file).map_err(|e| usage(e.to_string()))?;
    if db.entries.is_empty() {
        return Err(usage(format!("{}: has no entries", file.display())));
    }
    let config = verify_wrapper::Config::from_env().map_err(usage)?;
    // In an order of their own, and each once: the database's order must not show in what comes out.
    let mut entries: BTreeMap<(PathBuf, PathBuf, Vec<OsString>), &Entry> = BTreeMap::new();
    for entry in &db.entries {
        let directory = entry.directory.canonicalize().unwrap_or_else(|_| entry.directory.clone());
        entries.entry((entry.source_path(), directory, entry.arguments.clone())).or_insert(entry);
    }
    let entries: Vec<&Entry> = entries.into_values().collect();
    let start = now();
    let records: Vec<_> = entries
        .par_iter()
        .map(|entry| {
            record_of(entry, &config).map_err(|why| format!("entry {}: {}: {why}", entry.index, entry.file.display()))
        })
        .collect();
    let ledger = Ledger::open(env.store.root());
    let (mut refused, mut new) = (Vec::new(), Contents::default());
    for (i, record) in records.into_iter().enumerate() {
        match record {
            Ok(mut record) => {
                // As if they had run one after the other.
                record.time = start + i as u64;
                ledger.append(&record).context("the capture ledger")?;
                new.records.push(record);
            }
            Err(why) => refused.push(why),
        }
    }
    let cwd = std::env::current_dir().context("current folder")?;
    // Of what the database says, wherever it lies.
    let found = coverage::of_records(&new, Path::new("/"));
    for why in &refused {
        eprintln!("verify: {}: {why}", file.display());
    }
    let missed = found.rows.iter().flat_map(|r| &r.sources).filter(|s| s.counted);
    for s in missed.filter(|s| matches!(s.fate, Fate::Failed | Fate::Unsupported)) {
        let reason = s.reason.as_deref().unwrap_or("not captured");
        eprintln!("verify: {}: {}", s.compile.source.display(), reason.lines().next().unwrap_or_default());
    }
    if found.totals.captured == 0 {
        let first = refused.first().cloned().or_else(|| {
            found
                .rows
                .iter()
                .flat_map(|r| &r.sources)
                .find_map(|s| Some(format!("{}: {}", s.compile.source.display(), s.reason.as_deref()?)))
        });
        let first = first.map_or(String::new(), |f| format!(": {}", f.lines().next().unwrap_or_default()));
        return Err(usage(format!("{}: no entry could be captured{first}", file.display())));
    }
    write_database(args, env, &found, &cwd)?;
    say(args, &found, entries.len());
    let whole = refused.is_empty() && found.totals.missed == 0;
    Ok(if whole { exit::CLEAN } else { exit::INCOMPLETE })
}

/// What the wrapper would have written down for the entry, had it run the command now.
fn record_of(entry: &Entry, config: &verify_wrapper::Config) -> Result<verify_compile_db::Record, String> {
    let directory = entry.directory.canonicalize().map_err(|e| format!("{}: {e}", entry.directory.display()))?;
    let source = directory.join(&entry.file);
    if !source.is_file() {
        return Err("there is no such file".into());
    }
    let (real, driver, invocation) = entry_invocation(entry).map_err(|e| e.to_string())?;
    let wanted = verify_compile_db::paths::absolute(&directory, &entry.file);
    let same = |p: &Path| verify_compile_db::paths::absolute(&directory, p) == wanted;
    if !invocation.sources().any(|(_, path, _)| same(path)) {
        return Err(format!("the command does not compile {}", entry.file.display()));
    }
    // A program by a relative name is seen from the entry's folder.
    let program = directory.join(&real.program);
    let real = match real.program.components().count() > 1 && program.is_file() {
        true => verify_wrapper::real::Real { program, ..real },
        false => real,
    };
    let argv = &entry.arguments[real.programs..];
    let finished = Finished {
        driver,
        cwd: &directory,
        real: &real,
        argv,
        status: Status::Code(0),
        stdin: None,
        note: None,
        process: None,
    };
    Ok(record::described(&finished, config, entry.output.as_deref()))
}

/// The captured compiles as a database: `-o`, or compile_commands.json here when no one else's lies there.
fn write_database(args: &CaptureArgs, env: &Env, found: &Coverage, cwd: &Path) -> anyhow::Result<()> {
    let mut db = CompileDb::default();
    let mut seen = BTreeSet::new();
    for row in &found.rows {
        let counted = row.sources.iter().filter(|s| s.counted && s.fate != Fate::Assembler);
        for s in counted {
            let arguments: Vec<OsString> = row.record.real.iter().chain(&row.record.argv).cloned().collect();
            if seen.insert((s.compile.source.clone(), s.compile.object.clone(), arguments.clone())) {
                db.entries.push(Entry {
                    index: 0,
                    directory: row.record.cwd.clone(),
                    file: s.compile.source.clone(),
                    arguments,
                    output: s.compile.object.clone(),
                });
            }
        }
    }
    db.entries.sort_by(|a, b| (&a.file, &a.directory, &a.arguments).cmp(&(&b.file, &b.directory, &b.arguments)));
    let text = db.to_json();
    let mine = env.store.root().join("databases");
    let path = match &args.output {
        Some(path) => path.clone(),
        None => {
            let path = cwd.join("compile_commands.json");
            let ours = std::fs::read(&path).map(|old| mine.join(blake3::hash(&old).to_hex().as_str()).exists());
            if ours.unwrap_or(!path.exists()) { path } else { cwd.join("compile_commands.verify.json") }
        }
    };
    if let Err(why) = crate::output::replace(&path, |w| Ok(w.write_all(text.as_bytes())?)) {
        if args.output.is_some() {
            return Err(why);
        }
        // Nobody has asked for it, and what was captured is in the cache.
        eprintln!("verify: {why:#}: there is no database of what was captured");
        return Ok(());
    }
    // Known again next time, so that it can be replaced.
    let _ = std::fs::create_dir_all(&mine)
        .and_then(|()| std::fs::write(mine.join(blake3::hash(text.as_bytes()).to_hex().as_str()), ""));
    if !args.quiet {
        eprintln!("verify: wrote {}", path.display());
    }
    Ok(())
}

fn say(args: &CaptureArgs, found: &Coverage, invocations: usize) {
    if args.quiet {
        return;
    }
    let t = &found.totals;
    eprintln!(
        "verify: {invocations} invocations; {} units, {} captured ({} of them from the cache), {} missed{}",
        t.units,
        t.captured,
        t.cached,
        t.missed,
        if t.missed > 0 { ": see `verify ledger`" } else { "" }
    );
    if t.strangers > 0 && !args.trace {
        let n = t.strangers;
        eprintln!(
            "verify: {n} objects were made past the wrapper: capture with --trace, if compilers are called by their full path"
        );
    }
}
