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
/// So many times its share is kept of each program's queries until it is known how many the others have.
const SPARE: usize = 6;

/// How a sample of one program's queries came out.
#[derive(Default)]
struct Compared {
    same: usize,
    /// z3 does not know, in time.
    open: usize,
    different: Vec<String>,
}

/// `n` queries in all if there are as many, spread evenly over the programs.
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
    let logged = sh::in_parallel(&tasks, |(p, seed)| logged(tools, &dir, p, *seed, each * SPARE));
    let counts: Vec<usize> = logged.iter().map(|l| l.as_ref().map_or(0, Vec::len)).collect();
    let shares = shares(&counts, n as usize);
    let samples: Vec<(PathBuf, Result<Vec<PathBuf>>)> = std::iter::zip(tasks, std::iter::zip(logged, shares))
        .map(|((p, _), (queries, share))| (p, queries.map(|q| q.into_iter().take(share).collect())))
        .collect();
    let (mut same, mut open) = (0, 0);
    let compared = sh::in_parallel(&samples, |(_, queries)| match queries {
        Ok(q) => compare(q),
        Err(e) => anyhow::bail!("{e:#}"),
    });
    for ((program, _), result) in std::iter::zip(samples, compared) {
        let name = format!("queries of {}", program.file_name().unwrap_or_default().to_string_lossy());
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

/// How many of each program's queries are taken, `n` in all if there are as many: the same number of each, and what a
/// program lacks of it is taken from the others.
fn shares(counts: &[usize], n: usize) -> Vec<usize> {
    let mut shares = vec![0; counts.len()];
    let mut left = n;
    while left > 0 {
        let open: Vec<usize> = (0..counts.len()).filter(|&i| shares[i] < counts[i]).collect();
        if open.is_empty() {
            break;
        }
        let each = left.div_ceil(open.len());
        for i in open {
            let more = each.min(counts[i] - shares[i]).min(left);
            shares[i] += more;
            left -= more;
        }
    }
    shares
}

/// Asks for one program's verdict, and keeps at most `most` of the queries, drawn by the seed.
fn logged(tools: &Tools, dir: &Path, program: &Path, seed: u64, most: usize) -> Result<Vec<PathBuf>> {
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
    let mut rng = Rng(seed);
    let drawn: Vec<PathBuf> =
        (0..most.min(queries.len())).map(|_| queries.swap_remove(rng.below(queries.len()))).collect();
    for p in std::fs::read_dir(&log)?.filter_map(|e| Some(e.ok()?.path())).filter(|p| !drawn.contains(p)) {
        let _ = std::fs::remove_file(p);
    }
    Ok(drawn)
}

/// z3 answers these queries again; files of those that differ are kept.
fn compare(queries: &[PathBuf]) -> Result<Compared> {
    let mut compared = Compared::default();
    for query in queries {
        let said = sh::capture(Command::new("z3").arg(QUERY).arg(query), 60)?;
        let (said, name) = (said.out(), query.to_string_lossy().into_owned());
        let alike = match said.lines().next().unwrap_or_default() {
            "sat" => name.ends_with(".sat.smt2"),
            "unsat" => name.ends_with(".unsat.smt2"),
            "timeout" | "unknown" => {
                compared.open += 1;
                let _ = std::fs::remove_file(query);
                continue;
            }
            _ => false,
        };
        if alike {
            compared.same += 1;
            let _ = std::fs::remove_file(query);
        } else {
            compared.different.push(format!("z3 says `{}` of {name}", said.lines().next().unwrap_or_default()));
        }
    }
    Ok(compared)
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn what_one_program_lacks_the_others_give() {
        assert_eq!(shares(&[1, 9, 9], 9), [1, 4, 4]);
        assert_eq!(shares(&[2, 3], 10), [2, 3]);
        assert_eq!(shares(&[5, 5, 5], 4), [2, 2, 0]);
        assert_eq!(shares(&[], 4), Vec::<usize>::new());
    }
}
