//! The oracle of the encoding on random functions: `analysis/kiki/examples/trace` asks the formula of each function for
//! the executions that the interpreter makes of it. Here the functions are made and compiled.

mod generate;

use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions in one file of our own generator.
const PER_FILE: usize = 10;
/// Files that one process is given.
const PER_PROCESS: usize = 2;
/// Processes between two lines of progress.
const PROGRESS: usize = 50;
/// Seconds that a process may take.
const LIMIT: u64 = 120;

/// What a capture adds to the compiler's options.
const EMIT: &[&str] = &[
    "-w",
    "-g",
    "-fdebug-macro",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-fno-elide-constructors",
    "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,unreachable,array-bounds,vla-bound,bool,\
builtin,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-c",
    "-emit-llvm",
];

/// Small programs by csmith.
const CSMITH: &[&[&str]] = &[
    &["--max-funcs", "2", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "4"],
    &[
        "--max-funcs",
        "3",
        "--max-block-depth",
        "2",
        "--bitfields",
        "--unions",
        "--max-pointer-depth",
        "2",
        "--max-array-dim",
        "1",
    ],
];

/// Lowers one source to a unit.
fn unit(tools: &Tools, source: &Path, out: &Path, extra: &[String], model: bool) -> Result<()> {
    let bitcode = out.with_extension("bc");
    let mut c = Command::new("clang-19");
    c.args(extra).args(EMIT).arg("-o").arg(&bitcode).arg(source);
    sh::quiet(&mut c, 120)?;
    let mut l = Command::new(tools.program("verify-lower"));
    l.arg(&bitcode).arg("-o").arg(out).args(model.then_some("--model"));
    sh::quiet(&mut l, 120)?;
    std::fs::remove_file(&bitcode)?;
    Ok(())
}

/// The library models as units.
fn models(tools: &Tools, dir: &Path) -> Result<Vec<PathBuf>> {
    let from = sh::root().join("models");
    let flags = std::fs::read_to_string(from.join("flags"))?;
    let mut extra: Vec<String> =
        flags.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).map(|l| l.trim().to_string()).collect();
    extra.push(format!("-I{}", from.display()));
    let mut sources = Vec::new();
    for e in std::fs::read_dir(&from)? {
        let p = e?.path();
        if p.extension().is_some_and(|x| x == "c") {
            sources.push(p);
        }
    }
    sources.sort();
    let done = sh::in_parallel(&sources, |p| {
        let out = dir.join(p.file_stem().context("a file name")?).with_extension("unit");
        unit(tools, p, &out, &extra, true).map(|()| out)
    });
    done.into_iter().collect()
}

/// The C programs of our own tests that stand alone.
fn our_tests() -> Vec<PathBuf> {
    let tests = sh::root().join("tests");
    let mut out = Vec::new();
    let mut folders = vec![tests.join("run"), tests.join("verdicts")];
    if let Ok(kinds) = std::fs::read_dir(tests.join("checks")) {
        folders.extend(kinds.flatten().map(|e| e.path()));
    }
    for f in folders {
        let Ok(entries) = std::fs::read_dir(&f) else { continue };
        out.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "c")));
    }
    out.sort();
    out
}

/// `n` functions from this seed on: mostly of our own generator, a tenth by csmith, and with `n` large our tests.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("traces of {n} functions, seed {seed}"));
    let example = Tools::example("trace")?;
    let dir = sh::scratch("traces")?;
    let model_dir = dir.join("models");
    std::fs::create_dir_all(&model_dir)?;
    let models = models(tools, &model_dir)?;
    let mut rng = Rng(seed);
    let mut sources: Vec<PathBuf> = Vec::new();
    for i in 0..(n * 9 / 10).div_ceil(PER_FILE as u64) {
        let path = dir.join(format!("own{i}.c"));
        std::fs::write(&path, generate::file(&mut rng, PER_FILE))?;
        sources.push(path);
    }
    if sh::on_path("csmith") {
        for i in 0..n / 10 {
            let path = dir.join(format!("csmith{i}.c"));
            let mut c = Command::new("csmith");
            c.args(CSMITH[i as usize % CSMITH.len()]).args(["--no-packed-struct", "--no-checksum", "--seed"]);
            c.arg((rng.next() % 1_000_000_000).to_string()).arg("--output").arg(&path).current_dir(&dir);
            if sh::capture(&mut c, 30)?.code == 0 {
                sources.push(path);
            }
        }
    }
    if n >= 1000 {
        sources.extend(our_tests());
    }
    let mut tally = Tally::default();
    let include = ["-I/usr/include/csmith".to_string()];
    let numbered: Vec<(usize, PathBuf)> = sources.into_iter().enumerate().collect();
    let units = sh::in_parallel(&numbered, |(i, p)| {
        let out = dir.join(format!("{i}.unit"));
        (p.clone(), unit(tools, p, &out, &include, false).map(|()| out))
    });
    let mut ready = Vec::new();
    for (p, r) in units {
        match r {
            Ok(u) => ready.push((p, u)),
            Err(e) => tally.skip(p.display().to_string(), format!("{e:#}").lines().next().unwrap_or("").to_string()),
        }
    }
    if ready.is_empty() {
        bail!("nothing was compiled");
    }
    let chunks: Vec<&[(PathBuf, PathBuf)]> = ready.chunks(PER_PROCESS).collect();
    let mut jobs = Vec::new();
    for (i, c) in chunks.iter().enumerate() {
        jobs.push((*c, i % 2 == 1));
    }
    let done = std::sync::atomic::AtomicUsize::new(0);
    let results = sh::in_parallel(&jobs, |(chunk, sv)| {
        let mut c = Command::new(&example);
        c.args(sv.then_some("--sv")).args(["--seed", &seed.to_string(), "--program"]);
        c.args(chunk.iter().map(|(_, u)| u)).arg("--model").args(&models);
        let result = sh::capture(&mut c, LIMIT);
        let done = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if done.is_multiple_of(PROGRESS) {
            eprintln!("    {done} of {} processes", jobs.len());
        }
        result
    });
    let mut sums: Vec<u64> = Vec::new();
    let mut words = String::new();
    for ((chunk, _), done) in jobs.iter().zip(results) {
        let done = done?;
        let name = chunk
            .iter()
            .map(|(p, _)| p.file_name().unwrap_or_default().to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ");
        let out = done.out();
        let counts = out.lines().find(|l| l.contains(" functions, "));
        let bad: Vec<&str> = out.lines().filter(|l| l.starts_with("DISAGREES")).collect();
        match counts {
            _ if !bad.is_empty() => tally.fail(name, bad.join("\n")),
            Some(_) => tally.pass(),
            None if done.timed_out => tally.skip(name, "time"),
            None => tally.fail(name, done.tail()),
        }
        let Some(line) = counts else { continue };
        let numbers: Vec<u64> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|w| w.parse().ok()).collect();
        sums.resize(numbers.len().max(sums.len()), 0);
        sums.iter_mut().zip(numbers).for_each(|(s, n)| *s += n);
        words = line.to_string();
    }
    println!("{}", with_numbers(&words, &sums));
    Ok(tally)
}

/// A line with its numbers replaced.
fn with_numbers(line: &str, numbers: &[u64]) -> String {
    let mut numbers = numbers.iter();
    let mut out = String::new();
    let mut rest = line;
    while let Some(i) = rest.find(|c: char| c.is_ascii_digit()) {
        out.push_str(&rest[..i]);
        let end = rest[i..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |j| i + j);
        out.push_str(&numbers.next().map_or_else(|| rest[i..end].to_string(), u64::to_string));
        rest = &rest[end..];
    }
    out + rest
}
