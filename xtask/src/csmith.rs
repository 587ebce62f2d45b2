//! Random programs by csmith: the interpreter must print the checksum that gcc -O0 and clang -O2 print. Where the two
//! compilers disagree, or the program does not end, it says nothing about us and the next seed is taken.

use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// Options of csmith, taken in turn.
const VARIANTS: &[&[&str]] = &[
    &[],
    &["--bitfields", "--packed-struct", "--unions", "--volatiles", "--volatile-pointers"],
    &["--bitfields", "--unions", "--max-struct-fields", "16", "--max-union-fields", "8", "--max-pointer-depth", "3"],
    &["--float", "--builtins", "--inline-function"],
    &["--no-packed-struct", "--max-funcs", "16", "--max-array-dim", "2", "--jumps", "--no-volatiles"],
];

/// Millions of interpreter steps after which a program counts as over budget.
const STEPS: &str = "60";

/// Share of programs that may be over budget, in per cent.
const OVER_BUDGET: usize = 5;

enum Outcome {
    Same,
    Different(String),
    OverBudget,
    /// The compilers do not agree, or there is no end.
    Useless,
    /// The program is undefined, at the place that was reported: clang's sanitizer says so too.
    Wrong,
}

/// `n` programs from this seed on.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    if !sh::on_path("csmith") {
        bail!("csmith is not installed; run `cargo xtask setup`");
    }
    sh::step(&format!("{n} csmith programs, seed {seed}"));
    let dir = sh::scratch("csmith")?;
    let tools = tools.with_cache("csmith-cache")?;
    let mut rng = Rng(seed);
    let seeds: Vec<(u64, usize)> = (0..n).map(|i| (rng.next() % 1_000_000_000, i as usize % VARIANTS.len())).collect();
    let outcomes = sh::in_parallel(&seeds, |&(seed, variant)| {
        // A useless program is replaced by a neighbour, at most a few times.
        for extra in 0..8 {
            match one(&tools, &dir, seed + extra, variant) {
                Ok(Outcome::Useless | Outcome::Wrong) => {}
                other => return (seed + extra, variant, other),
            }
        }
        (seed, variant, Ok(Outcome::Useless))
    });
    let mut tally = Tally::default();
    let mut over = 0;
    for (seed, variant, outcome) in outcomes {
        let name = format!("csmith --seed {seed} {}", VARIANTS[variant].join(" "));
        match outcome? {
            Outcome::Same => tally.pass(),
            Outcome::Different(why) => tally.fail(name, why),
            Outcome::OverBudget => {
                over += 1;
                tally.skip(name, "over budget");
            }
            Outcome::Useless | Outcome::Wrong => {
                tally.skip(name, "the compilers do not agree, no end, or undefined behaviour that clang sees too");
            }
        }
    }
    println!("{over} of {n} over budget ({STEPS} million steps)");
    if over * 100 > n as usize * OVER_BUDGET && over > 1 {
        tally.fail("budget", format!("more than {OVER_BUDGET} % of the programs are over budget"));
    }
    Ok(tally)
}

fn native(dir: &Path, cc: &str, level: &str, seed: u64) -> Result<Option<String>> {
    let exe = dir.join(format!("{seed}-{cc}"));
    let mut c = Command::new(cc);
    c.args(["-w", level, "-I/usr/include/csmith", "-o"]).arg(&exe).arg(format!("{seed}.c")).arg("-lm").current_dir(dir);
    let built = sh::capture(&mut c, 120)?;
    if built.code != 0 {
        return Ok(None);
    }
    let done = sh::capture(&mut Command::new(&exe), 5)?;
    let _ = std::fs::remove_file(&exe);
    Ok((done.code == 0 && !done.timed_out).then(|| done.out()))
}

/// Does clang's sanitizer for undefined behaviour report the place of our error? Functions with `--builtins` count the
/// zeros of 0 now and then, and `--float` converts numbers that do not fit; unsanitized compilers happen to agree.
fn wrong(dir: &Path, seed: u64, stderr: &str) -> Result<bool> {
    let Some((_, file, line)) = crate::e2e::first_error(stderr) else { return Ok(false) };
    let exe = dir.join(format!("{seed}-sanitized"));
    let mut c = Command::new("clang-19");
    c.args(["-w", "-O0", "-fsanitize=undefined,float-cast-overflow", "-fno-sanitize=alignment"]);
    c.args(["-fno-sanitize-recover=all", "-I/usr/include/csmith", "-lm", "-o"]).arg(&exe).arg(format!("{seed}.c"));
    if sh::capture(c.current_dir(dir), 120)?.code != 0 {
        return Ok(false);
    }
    let done = sh::capture(&mut Command::new(&exe), 60)?;
    let _ = std::fs::remove_file(&exe);
    Ok(done.err().contains(&format!("{file}:{line}:")) && done.err().contains("runtime error"))
}

fn one(tools: &Tools, dir: &Path, seed: u64, variant: usize) -> Result<Outcome> {
    let source = dir.join(format!("{seed}.c"));
    let mut c = Command::new("csmith");
    c.args(VARIANTS[variant]).args(["--seed", &seed.to_string(), "--output"]).arg(&source).current_dir(dir);
    let made = sh::capture(&mut c, 30)?;
    if made.code != 0 {
        return Ok(Outcome::Useless);
    }
    let (Some(gcc), Some(clang)) = (native(dir, "gcc", "-O0", seed)?, native(dir, "clang-19", "-O2", seed)?) else {
        return Ok(Outcome::Useless);
    };
    if gcc != clang {
        return Ok(Outcome::Useless);
    }
    let mut run = tools.verify(dir, ["run", "--steps", STEPS, "-w", "-I/usr/include/csmith"]);
    run.arg(&source).arg("--");
    let done = sh::capture(&mut run, 300)?;
    if done.timed_out || done.code == 124 {
        return Ok(Outcome::OverBudget);
    }
    if done.code == 125 && wrong(dir, seed, &done.err())? {
        return Ok(Outcome::Wrong);
    }
    if done.code != 0 {
        return Ok(Outcome::Different(format!("exit {}\n{}", done.code, done.tail())));
    }
    if done.out() != gcc {
        return Ok(Outcome::Different(format!("gcc and clang: {gcc}verify run:    {}", done.out())));
    }
    let _ = std::fs::remove_file(&source);
    Ok(Outcome::Same)
}
