//! Real projects from Debian's source packages. Each is built twice with gcc, plainly and through `verify-cc`: every
//! object and program must be the same byte for byte. Then what was captured is counted against what the plain build
//! compiled, the units' forms are tested, and the whole is scanned: twice, with one worker and with two.

use crate::debsrc::{self, PROJECTS, Project};
use crate::row;
use crate::sarif;
use crate::sh::{self, Tools};
use crate::tally::{Tally, table};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds that a scan may take on two cores.
const SCAN_LIMIT: u64 = 900;

/// Memory that a scan may take.
const SCAN_MEMORY_KIB: u64 = 4 << 20;

/// The named projects, or all.
pub fn run(tools: &Tools, names: &[String]) -> Result<Tally> {
    let chosen: Vec<&Project> = if names.is_empty() {
        PROJECTS.iter().collect()
    } else {
        names.iter().map(|n| debsrc::project(n)).collect::<Result<_>>()?
    };
    let units_tool = Tools::example("units")?;
    let mut tally = Tally::default();
    let mut rows = vec![row![
        "project",
        "units",
        "captured",
        "kLOC in targets",
        "checks",
        "violated",
        "latent",
        "proved %",
        "by the solver, of the rest %",
        "unknown",
        "functions reached",
        "seconds",
        "kLOC/s",
        "peak MiB",
    ]];
    for p in chosen {
        sh::step(p.name);
        match one(tools, &units_tool, p, &mut tally) {
            Ok(row) => rows.push(row),
            Err(e) => tally.fail(p.name, format!("{e:#}")),
        }
    }
    println!("\n{}", table(&rows));
    let fragment = sh::scratch("projects-table")?.join("table.md");
    std::fs::write(&fragment, table(&rows))?;
    println!("also in {}", fragment.display());
    Ok(tally)
}

/// Where a project is unpacked and built: the same path for both builds, because paths get into debug information.
pub fn prepare(p: &Project, dir: &Path) -> Result<()> {
    if dir.exists() {
        std::fs::remove_dir_all(dir)?;
    }
    debsrc::unpack(p, dir)
}

/// Content of every object, library and program below a folder, by relative path.
pub fn products(dir: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut all = BTreeMap::new();
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name() {
        let entry = entry?;
        if !entry.file_type().is_file() {
            continue;
        }
        let bytes = std::fs::read(entry.path())?;
        if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"!<arch>\n") {
            all.insert(entry.path().strip_prefix(dir)?.to_path_buf(), bytes);
        }
    }
    Ok(all)
}

/// Builds with gcc and a fixed time, so that archives and `__DATE__` are the same.
fn build(p: &Project, dir: &Path, cc: &str, jobs: u32, cache: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let cache = cache.to_string_lossy();
    debsrc::build(
        p,
        dir,
        cc,
        jobs,
        &[("SOURCE_DATE_EPOCH", "1700000000"), ("ARFLAGS", "crD"), ("VERIFY_CACHE", &cache)],
    )?;
    products(dir)
}

/// Objects whose bytes hold times (archives' members made without `D`) are compared without them.
fn same(a: &[u8], b: &[u8]) -> bool {
    a == b || (a.starts_with(b"!<arch>\n") && without_times(a) == without_times(b))
}

fn without_times(archive: &[u8]) -> Vec<u8> {
    let mut out = archive.to_vec();
    let mut at = 8;
    while at + 60 <= out.len() {
        let size: usize = String::from_utf8_lossy(&out[at + 48..at + 58]).trim().parse().unwrap_or(usize::MAX / 2);
        out[at + 16..at + 28].fill(b' ');
        at = at.saturating_add(60).saturating_add(size).saturating_add(size & 1);
    }
    out
}

/// What differs between two builds, one line each.
pub fn compare(plain: &BTreeMap<PathBuf, Vec<u8>>, captured: &BTreeMap<PathBuf, Vec<u8>>) -> Result<(), String> {
    let names: BTreeSet<&PathBuf> = plain.keys().chain(captured.keys()).collect();
    let mut diff = String::new();
    for n in names {
        match (plain.get(n), captured.get(n)) {
            (Some(a), Some(b)) if same(a, b) => {}
            (Some(_), Some(_)) => diff.push_str(&format!("{} differs\n", n.display())),
            (Some(_), None) => diff.push_str(&format!("{} is missing\n", n.display())),
            (None, _) => diff.push_str(&format!("{} is too much\n", n.display())),
        }
    }
    if diff.is_empty() { Ok(()) } else { Err(diff) }
}

/// Every unit in the cache, and their linked program, is well formed and the same after a trip through the text form and
/// through the binary form.
fn forms(cache: &Path, captured: usize, units_tool: &Path) -> Result<Result<(), String>> {
    let is_unit = |p: &Path| p.components().any(|c| c.as_os_str() == "unit");
    let entries = walkdir::WalkDir::new(cache).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files: Vec<PathBuf> = entries.filter(|e| e.file_type().is_file()).map(|e| e.into_path()).collect();
    let files: Vec<PathBuf> = files.into_iter().filter(|p| is_unit(p)).collect();
    let done = sh::capture(Command::new(units_tool).args(&files), 600)?;
    if done.code != 0 {
        let faults: Vec<String> = done.out().lines().filter(|l| !l.starts_with("  ")).map(String::from).collect();
        return Ok(Err(faults.join("\n")));
    }
    // Units with the same content are one file.
    if files.is_empty() || files.len() > captured {
        return Ok(Err(format!("{captured} units were captured, {} are in the cache", files.len())));
    }
    println!("{} units: forms", files.len());
    Ok(Ok(()))
}

fn one(tools: &Tools, units_tool: &Path, p: &Project, tally: &mut Tally) -> Result<Vec<String>> {
    let dir = sh::scratch(&format!("projects/{}", p.name))?;
    let tools = tools.with_cache(&format!("projects-cache-{}", p.name))?;
    std::fs::remove_dir_all(&tools.cache)?;
    std::fs::create_dir_all(&tools.cache)?;

    prepare(p, &dir)?;
    let plain = build(p, &dir, "gcc", 1, &tools.cache)?;
    if let Some(gone) = p.makes.iter().find(|m| !plain.keys().any(|k| k.ends_with(m))) {
        bail!("the plain build of {} left no {gone}", p.name);
    }
    let cc = tools.program("verify-cc");
    let cc = cc.to_str().context("the path of verify-cc is not UTF-8")?;
    prepare(p, &dir)?;
    let eight = build(p, &dir, cc, 8, &tools.cache)?;
    tally.add(&format!("{}: objects and programs of make -j8 are identical", p.name), compare(&plain, &eight));
    prepare(p, &dir)?;
    let captured = build(p, &dir, cc, 1, &tools.cache)?;
    tally.add(&format!("{}: objects and programs are identical", p.name), compare(&plain, &captured));

    let objects = plain.keys().filter(|k| k.extension().is_some_and(|e| e == "o" || e == "lo")).count();
    let units = sh::quiet(&mut tools.verify(&dir, ["show", "units", "."]), 300)?.out();
    let summary = units.lines().next().unwrap_or_default();
    println!("{summary}");
    let n = counts(summary);
    let complete = n.len() >= 4 && n[0] >= objects && n[0] == n[1] && n[1] == n[2] && n[3] == 0;
    tally.add(
        &format!("{}: every compiled unit is captured and in a target", p.name),
        if complete { Ok(()) } else { Err(format!("{objects} objects in the plain build; {summary}")) },
    );
    let captured = n.get(1).copied().unwrap_or(0);

    tally.add(&format!("{}: forms of the units", p.name), forms(&tools.cache, captured, units_tool)?);

    let done =
        sh::capture_watching(&mut tools.verify(&dir, ["scan", "-j", "2", "--quiet", "--fresh"]), SCAN_LIMIT, true)?;
    let said = done.out() + &done.err();
    let log = dir.join("verify.sarif");
    let name = format!("{}: scan", p.name);
    let inconsistent: Vec<&str> = said.lines().filter(|l| l.contains("internal inconsistency")).collect();
    if !inconsistent.is_empty() {
        tally.fail(format!("{}: consistency", p.name), inconsistent.join("\n"));
    }
    if done.timed_out {
        tally.fail(name, format!("longer than {SCAN_LIMIT} s"));
        bail!("the scan of {} did not end", p.name);
    }
    if !matches!(done.code, 0..=2) || !log.is_file() {
        tally.fail(name, format!("exit code {}\n{}", done.code, done.tail()));
        bail!("the scan of {} failed", p.name);
    }
    tally.add(&name, sarif::validate(&log).map_err(|e| format!("{e:#}")));
    let first = std::fs::read(&log)?;
    let again = sh::capture(&mut tools.verify(&dir, ["scan", "-j", "1", "--quiet", "--fresh"]), 2 * SCAN_LIMIT)?;
    let same = !again.timed_out && std::fs::read(&log)? == first;
    let differs = "the scan with -j1 wrote another log than the one with -j2".to_string();
    tally.add(&format!("{}: the same at -j1 and -j2", p.name), if same { Ok(()) } else { Err(differs) });
    let fits = done.peak_kib <= SCAN_MEMORY_KIB;
    let told = || format!("{} MiB", done.peak_kib / 1024);
    tally.add(&format!("{}: memory of the scan", p.name), if fits { Ok(()) } else { Err(told()) });
    let found = sarif::findings(&log)?;
    let count = |v: &str| found.iter().filter(|f| f.verdict == v).count();
    for f in found.iter().filter(|f| f.verdict == "violated") {
        println!("  violated {}:{} {}: {}", f.file, f.line, f.kind, f.message);
    }
    let numbers = sarif::properties(&log)?;
    let (proved, simple) = (checks(&numbers, Some("proved")), by_facts(&dir.join("verify.checks.json"))?);
    let all = checks(&numbers, None) - checks(&numbers, Some("unreachable"));
    let lines = total(&numbers, "lines") as f64 / 1000.0;
    Ok(row![
        p.name,
        n.first().copied().unwrap_or(0),
        captured,
        format!("{lines:.1}"),
        checks(&numbers, None),
        count("violated"),
        count("latent"),
        percent(proved, all),
        percent(proved - simple, all - simple),
        checks(&numbers, Some("unknown")),
        format!("{}/{}", total(&numbers, "functionsReached"), total(&numbers, "functions")),
        format!("{:.1}", done.seconds),
        format!("{:.2}", lines / done.seconds.max(0.001)),
        done.peak_kib / 1024,
    ])
}

fn percent(part: u64, of: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / of.max(1) as f64)
}

/// Checks that were proved without a solver.
fn by_facts(checks: &Path) -> Result<u64> {
    let text = std::fs::read_to_string(checks).with_context(|| format!("cannot read {}", checks.display()))?;
    let all: serde_json::Value = serde_json::from_str(&text)?;
    let simple =
        |f: &&serde_json::Value| f["verdict"] == "proved" && f["why"].as_str().is_some_and(|w| w.starts_with("facts"));
    Ok(all["findings"].as_array().into_iter().flatten().filter(simple).count() as u64)
}

/// The numbers of a line, in order: `4 sources compiled, 4 captured, 4 of them in a target; 0 failed, ...`.
fn counts(line: &str) -> Vec<usize> {
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|w| w.parse().ok()).collect()
}

/// Sum over the programs of a scan; a file that is part of several programs is scanned, and counted, in each.
fn total(properties: &serde_json::Value, key: &str) -> u64 {
    let programs = properties["programs"].as_array().into_iter().flatten();
    programs.filter_map(|p| p[key].as_u64()).sum()
}

/// Distinct checks with this verdict, or all of them.
fn checks(properties: &serde_json::Value, verdict: Option<&str>) -> u64 {
    let counts = properties["counts"].as_object().into_iter().flatten();
    counts.filter(|(k, _)| verdict.is_none_or(|v| v == *k)).filter_map(|(_, n)| n.as_u64()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_compared_without_their_times() {
        let member =
            |time: &str| format!("!<arch>\n{:16}{:12}{:6}{:6}{:8}{:10}`\nAB", "a.o/", time, "0", "0", "644", "2");
        assert!(same(member("1").as_bytes(), member("22").as_bytes()));
        let other = member("1").replace("AB", "AC");
        assert!(!same(member("1").as_bytes(), other.as_bytes()));
    }
}
