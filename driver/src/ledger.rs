//! `verify ledger`: what was captured of a build, what was not, why, and what to do about it.

mod likely;

use crate::cli::{Format, LedgerArgs};
use crate::exit::{self, usage};
use crate::output::Out;
use crate::tools::Env;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use verify_cache::Kind;
use verify_compile_db::coverage::{self, Coverage, Fate, Row, SourceRow, Totals};
use verify_compile_db::project::{self, Project};
use verify_compile_db::{Effect, Status, quote};

pub use likely::{full_path, likely_causes};

/// Runs the command: 0, or 1 when the coverage is below `--min-coverage`.
///
/// # Errors
/// Usage; nothing was captured.
pub fn ledger(args: &LedgerArgs) -> anyhow::Result<u8> {
    let dir = args.dir.canonicalize().map_err(|e| usage(format!("{}: {e}", args.dir.display())))?;
    if !dir.is_dir() {
        return Err(usage(format!("{}: not a folder", dir.display())));
    }
    if let Some(wanted) = args.min_coverage
        && !(0.0..=100.0).contains(&wanted)
    {
        return Err(usage(format!("--min-coverage is a percentage from 0 to 100, not {wanted}")));
    }
    let env = Env::open()?;
    verify_wrapper::pending::recover_from_env();
    let mut contents = env.ledger()?;
    // Of what is looked at, a unit that is damaged is as good as none.
    let looked_at = contents.records.iter().filter(|r| r.touches(&dir)).flat_map(|r| &r.compiles);
    let units: BTreeSet<[u8; 32]> = looked_at.filter_map(|c| Some(*c.unit?.as_bytes())).collect();
    contents.forget(|unit| !units.contains(unit.as_bytes()) || env.store.contains(Kind::UNIT, unit));
    let project = project::load(&contents, &dir);
    let found = coverage::of(&contents, &project);
    let text = match args.format {
        Format::Json => format!("{:#}\n", as_json(&found, &project)),
        Format::Terminal => as_text(&found, &project, args.all),
    };
    Out::lock().write_all(text.as_bytes())?;
    if found.totals.units == 0 && !project.vanished.is_empty() {
        return Err(usage(format!(
            "{}: what was compiled there is gone, sources and objects: build again",
            dir.display()
        )));
    }
    if found.totals.captured == 0 {
        return Err(usage(nothing_captured(&found.totals, &dir, &[])));
    }
    let percent = found.totals.percent().unwrap_or(0.0);
    if let Some(wanted) = args.min_coverage
        && percent < wanted
    {
        eprintln!("verify: {percent:.1} % of the units are captured, less than {wanted} %");
        return Ok(exit::VIOLATED);
    }
    Ok(exit::CLEAN)
}

/// Why nothing was captured under a folder, and what to do, in one line; `build` is the command, where it is known.
pub fn nothing_captured(t: &Totals, dir: &Path, build: &[OsString]) -> String {
    if t.gone > 0 && t.gone == t.missed {
        let n = t.gone;
        return format!(
            "of the {n} units captured under {} the cache has none left: see `verify ledger`",
            dir.display()
        );
    }
    if t.units > 0 && t.failed + t.unsupported == t.missed {
        let how = match (t.failed, t.unsupported) {
            (_, 0) => "their capture failed".to_string(),
            (0, _) => "they are of a kind that is not captured, such as C++".to_string(),
            (failed, rest) => format!("the capture of {failed} failed, {rest} are of a kind that is not captured"),
        };
        let n = t.units;
        return format!(
            "no unit was captured under {}: all {n} were missed, as {how}: see `verify ledger`",
            dir.display()
        );
    }
    let causes = likely_causes(dir, t, build);
    let what = match (t.invocations, t.units) {
        (0, _) => format!("no unit was captured under {}: verify-cc was never called there", dir.display()),
        (n, 0) => format!(
            "no unit was captured under {}: verify-cc ran {n} times there and compiled nothing ({} probes)",
            dir.display(),
            t.probes
        ),
        (_, n) => format!("no unit was captured under {}: all {n} were missed, see `verify ledger`", dir.display()),
    };
    format!("{what}; likely cause: {}", causes.join("; or "))
}

fn command(row: &Row) -> Vec<OsString> {
    row.record.real.iter().chain(&row.record.argv).cloned().collect()
}

fn status(status: &Status) -> Value {
    match status {
        Status::Code(code) => json!(code),
        Status::Signal(signal) => json!(format!("signal {signal}")),
        Status::NotRun(why) => json!(why),
    }
}

fn totals_json(t: &Totals) -> serde_json::Map<String, Value> {
    let rows: [(&str, Value); 17] = [
        ("invocations", json!(t.invocations)),
        ("units", json!(t.units)),
        ("captured", json!(t.captured)),
        ("missed", json!(t.missed)),
        ("probes", json!(t.probes)),
        ("cached", json!(t.cached)),
        ("failed", json!(t.failed)),
        ("unsupported", json!(t.unsupported)),
        ("gone", json!(t.gone)),
        ("outdated", json!(t.outdated)),
        ("bypassed", json!(t.strangers)),
        ("links", json!(t.links)),
        ("assembler", json!(t.assembler)),
        ("lines", json!(t.lines)),
        ("captured_lines", json!(t.captured_lines)),
        ("damaged", json!(t.damaged)),
        ("coverage", t.percent().map_or(Value::Null, |p| json!((p * 100.0).round() / 100.0))),
    ];
    rows.into_iter().map(|(k, v)| (k.to_string(), v)).collect()
}

fn source_json(s: &SourceRow) -> Value {
    let c = s.compile;
    let path = |p: &Path| p.to_string_lossy().into_owned();
    let semantic: Vec<Value> = c
        .changes
        .iter()
        .map(|x| {
            let effect = if x.effect == Effect::Semantic { "semantic" } else { "harmless" };
            json!({"option": x.option.to_string_lossy(), "effect": effect, "why": x.why})
        })
        .collect();
    let message = match &c.outcome {
        verify_compile_db::Outcome::Failed { message, .. } => Some(message.clone()),
        _ => None,
    };
    json!({
        "file": path(&c.source),
        "language": c.language,
        "class": s.fate.name(),
        "counted": s.counted,
        "reason": s.reason,
        "advice": s.advice,
        "message": message,
        "replay": c.replay.as_deref().map(|r| format!("sh {}", quote::join_posix(&[r.join("replay.sh").into_os_string()]).to_string_lossy())),
        "object": c.object.as_deref().map(path),
        "unit": c.unit.map(|u| u.to_hex().to_string()),
        "lines": c.lines,
        "rebuilt": c.rebuilt,
        "options": semantic,
    })
}

fn row_json(row: &Row) -> Value {
    let words: Vec<String> = command(row).iter().map(|w| w.to_string_lossy().into_owned()).collect();
    json!({
        "class": row.fate.name(),
        "reason": row.reason,
        "advice": row.advice,
        "directory": row.record.cwd.to_string_lossy(),
        "command": words,
        "status": status(&row.record.status),
        "time": row.record.time,
        "sources": row.sources.iter().map(source_json).collect::<Vec<_>>(),
        "output": row.record.link.as_ref().map(|l| l.output.to_string_lossy().into_owned()),
    })
}

fn as_json(c: &Coverage, project: &Project) -> Value {
    let totals = totals_json(&c.totals);
    // The totals stand at the top as well, where `jq .units` finds them.
    let mut all = totals.clone();
    all.insert("folder".into(), json!(project.root.to_string_lossy()));
    all.insert("totals".into(), Value::Object(totals));
    all.insert("rows".into(), c.rows.iter().map(row_json).collect());
    let (why, advice) = bypassed(c, project);
    let bypassed = c.strangers.iter().map(|s| {
        json!({
            "object": s.object,
            "target": s.target.as_deref().map(|t| t.to_string_lossy()),
            "reason": why,
            "advice": advice,
        })
    });
    all.insert("bypassed_objects".into(), bypassed.collect());
    Value::Object(all)
}

/// Why objects were made past the wrapper, and what to do.
fn bypassed(c: &Coverage, project: &Project) -> (String, &'static str) {
    let why = "was not compiled through verify-cc";
    if c.strangers.is_empty() {
        return (why.into(), "");
    }
    match full_path(&project.root) {
        Some(place) => (
            format!("{why}: a compiler is called by its full path ({place})"),
            "build it again under `verify capture --trace -- …`, which also catches compilers called by their full path",
        ),
        None => (
            why.into(),
            "build it again under `verify capture -- …`, which also catches compilers called by name; with --trace, those called by their full path as well",
        ),
    }
}

fn as_text(c: &Coverage, project: &Project, all: bool) -> String {
    let mut out = String::new();
    let t = &c.totals;
    let percent = |part: u64, of: u64| if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 };
    let _ = writeln!(
        out,
        "{} units, {} captured ({:.1} %), {} missed; {} of {} lines ({:.1} %)",
        t.units,
        t.captured,
        percent(t.captured as u64, t.units as u64),
        t.missed,
        t.captured_lines,
        t.lines,
        percent(t.captured_lines, t.lines)
    );
    let classes: Vec<String> = classes(c).iter().map(|(name, n)| format!("{n} {name}")).collect();
    let colon = if classes.is_empty() { "" } else { ": " };
    let _ = writeln!(out, "{} invocations{colon}{}", t.invocations, classes.join(", "));
    if t.damaged > 0 {
        let _ = writeln!(out, "{} records of the ledger cannot be read (damaged, or of another version)", t.damaged);
    }
    let short = |p: &Path| p.strip_prefix(&project.root).unwrap_or(p).display().to_string();
    let mut said = |name: String, class: &str, reason: Option<&str>, advice: Option<&str>| {
        let _ = writeln!(out, "{name}: {class}{}", reason.map_or(String::new(), |r| format!(": {}", first_line(r))));
        if let Some(advice) = advice {
            let _ = writeln!(out, "    {advice}");
        }
    };
    for row in &c.rows {
        for s in &row.sources {
            let missed = s.counted && matches!(s.fate, Fate::Failed | Fate::Unsupported | Fate::Gone | Fate::Outdated);
            if missed || all {
                said(short(&s.compile.source), s.fate.name(), s.reason.as_deref(), s.advice.as_deref());
            }
        }
        if all && row.sources.is_empty() {
            let what = quote::join_posix(command(row)).to_string_lossy().into_owned();
            said(what, row.fate.name(), row.reason.as_deref(), row.advice.as_deref());
        }
    }
    let (why, advice) = bypassed(c, project);
    for s in &c.strangers {
        said(short(Path::new(&s.object)), "missed", Some(&why), Some(advice));
    }
    out
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// How many invocations there are of each class.
fn classes(c: &Coverage) -> Vec<(&'static str, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for row in &c.rows {
        *counts.entry(row.fate).or_insert(0) += 1;
    }
    counts.into_iter().map(|(fate, n): (Fate, usize)| (fate.name(), n)).collect()
}
