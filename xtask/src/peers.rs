//! `cargo xtask peers`: clean real code, scanned by `verify` and by other analysers. Each project is captured from its
//! own build and scanned; the same units are given to `clang --analyze`, `gcc -fanalyzer` and `cppcheck` out of the
//! `compile_commands.json` that the capture wrote. The table holds how much each reports; a seeded sample of what each
//! reports is left in a file, to be read beside the code. Nothing here judges an alarm.

use crate::capture::{self, Recipe};
use crate::row;
use crate::sarif;
use crate::sh::{self, Rng, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds for one scan.
const SCAN_LIMIT: u64 = 3600;

/// Seconds for one unit in one of the other tools.
const UNIT_LIMIT: u64 = 300;

/// Alarms of each tool in the sample.
const SAMPLE: usize = 20;

/// Alarms of one tool.
type Alarms = BTreeSet<String>;

/// The projects of the table, smallest first, with what a scan of them needs to be told.
const CLEAN: &[(&str, &[&str])] = &[
    ("libyaml", &[]),
    ("bzip2", &[]),
    ("lz4", &[]),
    ("expat", &[]),
    ("zlib", &[]),
    ("cjson", &[]),
    ("jq", &[]),
    ("lua5.4", &[]),
    ("redis", &["--assume-race-free"]),
    ("sqlite3", &["--assume-race-free"]),
    ("coreutils", &[]),
];

/// The other tools, in the order of the table.
const TOOLS: [&str; 3] = ["clang --analyze", "gcc -fanalyzer", "cppcheck"];

/// Scans the named projects, or all.
pub fn run(tools: &Tools, names: &[String], seed: u64) -> Result<Tally> {
    for program in ["clang-19", "gcc", "cppcheck"] {
        if !sh::on_path(program) {
            bail!("no `{program}` on the path: apt-get install {program}");
        }
    }
    let known = |name: &String| CLEAN.iter().any(|(n, _)| n == name);
    if let Some(unknown) = names.iter().find(|n| !known(n)) {
        let all: Vec<&str> = CLEAN.iter().map(|(n, _)| *n).collect();
        bail!("no project `{unknown}` here; there are {}", all.join(", "));
    }
    let mut tally = Tally::default();
    let mut rows = vec![row![
        "project", "units", "kLOC", "checks", "proved %", "violated", "latent", "unknown", "seconds", "peak MiB",
        TOOLS[0], TOOLS[1], TOOLS[2]
    ]];
    // Not cleared: the sample is of all projects, and they may be scanned one by one.
    let said = sh::scratch("peers-table")?.with_file_name("peers-alarms");
    std::fs::create_dir_all(&said).with_context(|| format!("cannot make {}", said.display()))?;
    for (name, options) in CLEAN.iter().filter(|(n, _)| names.is_empty() || names.iter().any(|x| x == n)) {
        sh::step(name);
        match one(tools, capture::find(name)?, options, &said, &mut tally) {
            Ok(row) => {
                println!("{}", row.join(" | "));
                rows.push(row);
            }
            Err(e) => tally.fail(*name, format!("{e:#}")),
        }
    }
    let out = sh::scratch("peers-table")?;
    for tool in TOOLS {
        let file = out.join(format!("sample-{}.txt", short(tool)));
        std::fs::write(&file, sample(alarms_of(&said, tool)?, seed))?;
        println!("a sample of {tool}: {}", file.display());
    }
    println!("\n{}", table(&rows));
    std::fs::write(out.join("table.md"), table(&rows))?;
    Ok(tally)
}

fn one(tools: &Tools, recipe: &Recipe, options: &[&str], alarms: &Path, tally: &mut Tally) -> Result<Vec<String>> {
    let name = recipe.package;
    let dir = sh::scratch(&format!("peers/{name}"))?;
    let tools = tools.with_cache(&format!("peers-cache-{name}"))?;
    std::fs::remove_dir_all(&tools.cache)?;
    std::fs::create_dir_all(&tools.cache)?;
    capture::unpack(recipe, &dir)?;
    let database = dir.join("compile_commands.json");
    let mut command = tools.verify(&dir, ["capture", "--output"]);
    command.arg(&database).arg("--");
    capture::shell(&mut command, recipe, &dir)?;

    let mut scan = tools.verify(&dir, ["scan", "-j", "2", "--quiet", "--fresh"]);
    scan.args(options);
    let done = sh::capture_watching(&mut scan, SCAN_LIMIT, true)?;
    let log = dir.join("verify.sarif");
    if done.timed_out || !matches!(done.code, 0..=2) || !log.is_file() {
        bail!("the scan of {name} failed (exit code {}, {:.0} s)\n{}", done.code, done.seconds, done.tail());
    }
    tally.add(&format!("{name}: the log"), sarif::validate(&log).map_err(|e| format!("{e:#}")));
    let found = sarif::findings(&log)?;
    for f in found.iter().filter(|f| f.verdict == "violated") {
        println!("  violated {}:{} {}: {}", f.file, f.line, f.kind, f.message);
    }
    let count = |v: &str| found.iter().filter(|f| f.verdict == v).count();
    let numbers = sarif::properties(&log)?;
    let checks = |v: &str| numbers["counts"][v].as_u64().unwrap_or(0);
    let all: u64 = numbers["counts"].as_object().into_iter().flatten().filter_map(|(_, n)| n.as_u64()).sum();
    let reached = all - checks("unreachable");

    let entries = entries(&database)?;
    let lines: usize = entries.iter().map(|e| e.file.as_path()).collect::<BTreeSet<_>>().into_iter().map(lines).sum();
    let said = [clang(&entries), gcc(&entries), cppcheck(&dir, &database)?];
    let mut cells = Vec::new();
    for (tool, (all, missed)) in TOOLS.iter().zip(said) {
        let late = if missed > 0 { format!(" ({missed} units not in time)") } else { String::new() };
        cells.push(format!("{}{late}", all.len()));
        let text: String = all.iter().map(|a| format!("{name}: {a}\n")).collect();
        std::fs::write(alarms.join(format!("{name}-{}.txt", short(tool))), text)?;
    }
    let percent = format!("{:.1}", 100.0 * checks("proved") as f64 / reached.max(1) as f64);
    let mut row = row![
        name,
        entries.len(),
        format!("{:.1}", lines as f64 / 1000.0),
        all,
        percent,
        count("violated"),
        count("latent"),
        checks("unknown"),
        format!("{:.0}", done.cpu_seconds),
        done.peak_kib / 1024
    ];
    row.extend(cells);
    Ok(row)
}

/// One unit of a build.
struct Entry {
    dir: PathBuf,
    file: PathBuf,
    /// The compiler's arguments but for `-c` and `-o FILE`.
    arguments: Vec<String>,
}

fn entries(database: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(database).with_context(|| format!("cannot read {}", database.display()))?;
    let all: Value = serde_json::from_str(&text).context("compile_commands.json")?;
    let mut out: Vec<Entry> = Vec::new();
    for e in all.as_array().into_iter().flatten() {
        let dir = PathBuf::from(e["directory"].as_str().unwrap_or_default());
        let file = dir.join(e["file"].as_str().unwrap_or_default());
        // Objects with and without -fPIC are one unit here.
        if out.iter().any(|o| o.file == file) {
            continue;
        }
        let mut words = e["arguments"].as_array().into_iter().flatten().filter_map(|a| a.as_str()).skip(1);
        let mut arguments = Vec::new();
        while let Some(w) = words.next() {
            match w {
                "-c" => {}
                "-o" | "-MF" | "-MT" | "-MQ" => _ = words.next(),
                "-MD" | "-MMD" | "-MP" => {}
                _ => arguments.push(w.to_string()),
            }
        }
        out.push(Entry { dir, file, arguments });
    }
    Ok(out)
}

fn lines(file: &Path) -> usize {
    std::fs::read(file).map_or(0, |text| text.iter().filter(|b| **b == b'\n').count())
}

/// Warnings of this tool for every unit, and how many units took too long.
fn by_unit(entries: &[Entry], tool: &[&str], ours: fn(&str) -> bool) -> (Alarms, usize) {
    let each = sh::in_parallel(entries, |e| {
        let (program, options) = tool.split_first().expect("a tool has a name");
        let mut command = Command::new(program);
        command.args(options).args(&e.arguments).current_dir(&e.dir);
        let Ok(done) = sh::capture(&mut command, UNIT_LIMIT) else { return (Alarms::new(), 1) };
        let text = done.err();
        let all = text.lines().filter(|l| ours(l)).filter_map(|l| place_and_text(&e.dir, l)).collect();
        (all, usize::from(done.timed_out))
    });
    let missed = each.iter().map(|(_, late)| late).sum();
    (each.into_iter().flat_map(|(all, _)| all).collect(), missed)
}

/// `FILE:LINE: text` of a line that a compiler prints, with the path made absolute and without the column.
fn place_and_text(dir: &Path, line: &str) -> Option<String> {
    let (place, text) = line.split_once(" warning: ")?;
    let mut parts = place.trim_end_matches(':').splitn(3, ':');
    let (file, number) = (parts.next()?, parts.next()?);
    Some(format!("{}:{number}: {text}", dir.join(file).display()))
}

fn clang(entries: &[Entry]) -> (Alarms, usize) {
    let of_analyzer = |l: &str| l.contains(" warning: ") && l.ends_with(']') && !l.contains("[-W");
    by_unit(entries, &["clang-19", "--analyze", "--analyzer-output", "text", "-o", "/dev/null", "-w"], of_analyzer)
}

fn gcc(entries: &[Entry]) -> (Alarms, usize) {
    by_unit(entries, &["gcc", "-c", "-o", "/dev/null", "-fanalyzer", "-fdiagnostics-plain-output"], |l| {
        l.contains("[-Wanalyzer-") || l.contains(" [CWE-")
    })
}

fn cppcheck(dir: &Path, database: &Path) -> Result<(Alarms, usize)> {
    let mut command = Command::new("cppcheck");
    command.arg(format!("--project={}", database.display())).current_dir(dir);
    command.args(["--enable=warning", "-q", "-j", "2", "--template={file}:{line}: {severity}: {message} [{id}]"]);
    let done = sh::capture(&mut command, 4 * UNIT_LIMIT)?;
    let text = done.err() + &done.out();
    let of_code = |l: &&str| l.contains(": error: ") || l.contains(": warning: ");
    let all = text.lines().filter(of_code).map(String::from).collect();
    Ok((all, usize::from(done.timed_out)))
}

/// The name of a tool in file names.
fn short(tool: &str) -> &str {
    tool.rsplit([' ', '-']).next().unwrap_or(tool)
}

/// What this tool said of all projects scanned so far.
fn alarms_of(said: &Path, tool: &str) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(said)?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.to_string_lossy().ends_with(&format!("-{}.txt", short(tool))));
    files.sort();
    let mut all = Vec::new();
    for f in files {
        all.extend(std::fs::read_to_string(&f)?.lines().map(String::from));
    }
    Ok(all)
}

/// A seeded choice, one alarm per line.
fn sample(mut all: Vec<String>, seed: u64) -> String {
    let mut rng = Rng(seed);
    let mut out = String::new();
    for _ in 0..SAMPLE.min(all.len()) {
        let at = rng.below(all.len());
        out += &all.swap_remove(at);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_its_place_and_its_text() {
        let line = "src/a.c:12:5: warning: leak of 'p' [CWE-401] [-Wanalyzer-malloc-leak]";
        let said = place_and_text(Path::new("/w"), line);
        assert_eq!(said.as_deref(), Some("/w/src/a.c:12: leak of 'p' [CWE-401] [-Wanalyzer-malloc-leak]"));
        assert_eq!(place_and_text(Path::new("/w"), "src/a.c: In function 'f':"), None);
    }

    #[test]
    fn a_sample_is_the_same_for_a_seed_and_no_alarm_is_in_it_twice() {
        let all: Vec<String> = (0..100).map(|n| format!("{n}")).collect();
        let once = sample(all.clone(), 7);
        assert_eq!(once, sample(all, 7));
        assert_eq!(once.lines().collect::<BTreeSet<_>>().len(), SAMPLE);
    }
}
