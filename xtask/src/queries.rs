//! Queries that `verify check` asked its solver for the programs in `tests/verdicts`, and for random programs of loops
//! over arrays: z3 answers them again. A different answer is a wrong proof or a false alarm in the making, wherever in
//! rewriting, bit-blasting, lemmas or cores it comes from.

use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds for the programs, and for z3 on one query.
const PROGRAM: &str = "5";
const QUERY: &str = "-T:5";
/// Larger queries (bytes of text) are left to our solver.
const LARGEST: u64 = 1_000_000;

/// How a sample of one program's queries came out.
#[derive(Default)]
struct Compared {
    same: usize,
    /// z3 does not know, in time.
    open: usize,
    different: Vec<String>,
}

/// About `n` queries in all, as many of each program.
///
/// # Errors
/// No place for the queries.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("{n} queries of programs with a verdict, seed {seed}"));
    let mut tally = Tally::default();
    if !sh::on_path("z3") {
        tally.skip("queries", "there is no z3");
        return Ok(tally);
    }
    let dir = sh::scratch("queries")?;
    let mut programs: Vec<PathBuf> = std::fs::read_dir(sh::root().join("tests/verdicts"))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    programs.sort();
    let mut rng = Rng(seed);
    for i in 0..programs.len() / 4 {
        let file = dir.join(format!("arrays-{seed}-{i}.c"));
        std::fs::write(&file, crate::random::arrays::for_verify(seed, i as u64))?;
        programs.push(file);
    }
    // A part of them when fewer queries are wanted than there are programs.
    while programs.len() > (n as usize).max(1) {
        programs.swap_remove(rng.below(programs.len()));
    }
    let each = (n as usize).div_ceil(programs.len().max(1));
    let tasks: Vec<(PathBuf, u64)> = programs.into_iter().map(|p| (p, rng.next())).collect();
    let (mut same, mut open) = (0, 0);
    for (task, result) in tasks.iter().zip(sh::in_parallel(&tasks, |(p, seed)| one(tools, &dir, p, *seed, each))) {
        let name = format!("queries of {}", task.0.file_name().unwrap_or_default().to_string_lossy());
        match result {
            Ok(c) => {
                same += c.same;
                open += c.open;
                match c.different.first() {
                    None => tally.pass(),
                    Some(first) => tally.fail(name, format!("{} differ; {first}", c.different.len())),
                }
            }
            Err(e) => tally.fail(name, format!("{e:#}")),
        }
    }
    println!("{same} answers alike, {open} that z3 does not know");
    Ok(tally)
}

/// `each` queries of one program; files of those that differ are kept.
fn one(tools: &Tools, dir: &Path, program: &Path, seed: u64, each: usize) -> Result<Compared> {
    let log = dir.join(program.file_stem().unwrap_or_default());
    let text = std::fs::read_to_string(program)?;
    let options = text.lines().find_map(|l| l.strip_prefix("// check: ")).unwrap_or_default();
    let folder = program.parent().context("a file has a folder")?;
    let mut cmd = tools.verify(folder, ["check", "--timeout", PROGRAM, "--jobs", "1", "--query-log"]);
    sh::capture(cmd.arg(&log).args(options.split_whitespace()).arg(program), 120)?;
    let mut queries: Vec<PathBuf> = std::fs::read_dir(&log)
        .with_context(|| format!("{} was not made", log.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "smt2"))
        .filter(|p| p.metadata().is_ok_and(|m| m.len() <= LARGEST))
        .collect();
    queries.sort();
    let (mut rng, mut compared) = (Rng(seed), Compared::default());
    let mut kept = Vec::new();
    for _ in 0..each.min(queries.len()) {
        let query = queries.swap_remove(rng.below(queries.len()));
        let said = sh::capture(Command::new("z3").arg(QUERY).arg(&query), 60)?;
        let (said, name) = (said.out(), query.to_string_lossy().into_owned());
        match said.lines().next().unwrap_or_default() {
            "sat" if name.ends_with(".sat.smt2") => compared.same += 1,
            "unsat" if name.ends_with(".unsat.smt2") => compared.same += 1,
            "timeout" | "unknown" => compared.open += 1,
            other => {
                compared.different.push(format!("z3 says `{other}` of {name}"));
                kept.push(query);
            }
        }
    }
    for p in std::fs::read_dir(&log)?.filter_map(|e| Some(e.ok()?.path())).filter(|p| !kept.contains(p)) {
        let _ = std::fs::remove_file(p);
    }
    Ok(compared)
}
