//! Measurements of whole runs: warm-up first, then the median of several runs, and where one thing is compared with
//! another both are run in turn, so that the ratio is of the same minutes. The table goes to the book.

use crate::debsrc;
use crate::projects::prepare;
use crate::row;
use crate::setup::{self, Need};
use crate::sh::{self, Tools};
use crate::tally::table;
use crate::verdicts;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const LIMIT: u64 = 600;

/// The value in the middle.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Medians of the seconds of several alternatives, run in turn `rounds` times after one warm-up each.
fn race(rounds: usize, alternatives: &mut [&mut dyn FnMut() -> Result<f64>]) -> Result<Vec<f64>> {
    let mut times = vec![Vec::new(); alternatives.len()];
    for round in 0..=rounds {
        for (i, run) in alternatives.iter_mut().enumerate() {
            let t = run()?;
            if round > 0 {
                times[i].push(t);
            }
        }
    }
    Ok(times.into_iter().map(median).collect())
}

fn timed(cmd: &mut Command, codes: &[i32]) -> Result<f64> {
    let shown = sh::show(cmd);
    let done = sh::capture(cmd, LIMIT)?;
    ensure!(codes.contains(&done.code), "`{shown}` ended with {}:\n{}", done.code, done.tail());
    Ok(done.seconds)
}

/// A loop of integer and memory work, the same for every way of running it. Prints its iterations.
const KERNEL: &str = r#"#include <stdio.h>
#include <stdlib.h>
static unsigned table[256];
int main(int argc, char **argv) {
    unsigned n = (unsigned)atoi(argv[1]), h = 2166136261u;
    for (unsigned i = 0; i < 256; i++) table[i] = i * 2654435761u;
    for (unsigned i = 0; i < n; i++) {
        h ^= table[(h + i) & 255];
        h = (h << 5) | (h >> 27);
        table[h & 255] += i;
    }
    printf("%u\n", h);
    return 0;
}
"#;

/// All measurements.
pub fn run(quick: bool) -> Result<()> {
    setup::ensure(&Need::ALL)?;
    let tools = Tools::build()?;
    let dir = sh::scratch("bench")?;
    let rounds = if quick { 3 } else { 7 };
    let mut text = String::from(
        "<!-- Written by `cargo xtask bench`. -->\n\nMedians, measured with `cargo xtask bench`; what is compared was run in turn.\n\n",
    );
    let mut section = |title: &str, rows: &[Vec<String>]| {
        let part = format!("### {title}\n\n{}\n", table(rows));
        println!("\n{part}");
        text.push_str(&part);
    };
    section("The wrapper", &wrapper(&tools, &dir, rounds)?);
    section("Capturing a build, `make -j2`", &builds(&tools, &dir, BUILDS, rounds.min(5))?);
    section("Lowering", &lowering(&tools, &dir, rounds)?);
    section("The interpreter", &interpreter(&tools, &dir, rounds)?);
    section("Deciding programs: `verify check --timeout 15`, shares of the time", &deciding(&tools, quick)?);
    section("Scanning", &scanning(&tools, &dir, if quick { &["cjson"] } else { &["cjson", "bzip2", "lz4"] })?);
    let page = sh::root().join("book/src/numbers-bench.md");
    std::fs::write(&page, text).with_context(|| format!("cannot write {}", page.display()))?;
    println!("written to {}", page.display());
    Ok(())
}

/// Projects whose builds are measured.
const BUILDS: &[&str] = &["bzip2", "lua5.4", "zlib"];

/// What the wrapper costs, and captures of the named projects beside other tools, without the rest; of the usual ones where
/// none is named.
pub fn only_builds(names: &[String]) -> Result<()> {
    let tools = Tools::build()?;
    let dir = sh::scratch("bench")?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let names = if names.is_empty() { BUILDS } else { &names };
    println!("{}", table(&wrapper(&tools, &dir, 7)?));
    println!("{}", table(&builds(&tools, &dir, names, 3)?));
    Ok(())
}

fn wrapper(tools: &Tools, dir: &Path, rounds: usize) -> Result<Vec<Vec<String>>> {
    let mut rows = vec![row!["what", "gcc", "verify-cc", "overhead", "ratio"]];
    std::fs::write(dir.join("empty.c"), "int main(void) { return 0; }\n")?;
    let tools = tools.with_cache("bench-wrapper")?;
    let compile = |program: &Path, args: &[&str]| {
        let mut c = Command::new(program);
        c.args(args).current_dir(dir).env("VERIFY_CACHE", &tools.cache);
        timed(&mut c, &[0])
    };
    let gcc = PathBuf::from("gcc");
    let cc = tools.program("verify-cc");
    let cases: [(&str, &[&str]); 3] = [
        ("pass-through (`--version`)", &["--version"]),
        ("preprocess only (`-E`)", &["-E", "empty.c"]),
        ("compile one small file (`-c`)", &["-c", "empty.c", "-o", "empty.o"]),
    ];
    for (name, args) in cases {
        let t = race(rounds * 3, &mut [&mut || compile(&gcc, args), &mut || compile(&cc, args)])?;
        rows.push(pair(name, t[0], t[1]));
    }
    Ok(rows)
}

/// Compiles with gcc and then with clang to bitcode, as tools do that keep the bitcode beside the objects.
const BOTH: &str = "#!/bin/sh\ngcc \"$@\" || exit\nfor word; do [ \"$word\" = -c ] && exec clang-19 -w -emit-llvm \"$@\" -o \"$BITCODE/$$.bc\"; done\nexit 0\n";

/// Ways to build a project and learn something about it: wall-clock and processor seconds, each against plain gcc.
fn builds(tools: &Tools, dir: &Path, names: &[&str], rounds: usize) -> Result<Vec<Vec<String>>> {
    let tools = tools.with_cache("bench-builds")?;
    let both = dir.join("both.sh");
    std::fs::write(&both, BOTH)?;
    std::fs::set_permissions(&both, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let bitcode = sh::scratch("bench-bitcode")?;
    let mut rows = vec![row!["project", "build", "seconds", "ratio", "CPU seconds", "ratio"]];
    for &name in names {
        let p = debsrc::project(name)?;
        let tree = dir.join(format!("build-{name}"));
        let build = |front: &[&str], cc: &str, cold: bool| -> Result<(f64, f64)> {
            prepare(p, &tree)?;
            if cold {
                std::fs::remove_dir_all(&tools.cache)?;
                std::fs::create_dir_all(&tools.cache)?;
            }
            // Configuring is not what is measured.
            if let Some((program, args)) = p.configure.split_first() {
                sh::quiet(Command::new(program).args(args).current_dir(&tree).env("CC", "gcc"), LIMIT)?;
            }
            let words: Vec<&str> = front.iter().copied().chain(["make", "-j2"]).collect();
            let mut make = Command::new(words[0]);
            make.args(&words[1..]).args(p.make).arg(format!("CC={cc}")).current_dir(&tree);
            make.env("VERIFY_CACHE", &tools.cache).env("BITCODE", &bitcode).env_remove("MAKEFLAGS");
            let done = sh::capture_watching(&mut make, LIMIT, true)?;
            ensure!(done.code == 0, "the build of {name} with {cc} ended with {}:\n{}", done.code, done.tail());
            Ok((done.seconds, done.cpu_seconds))
        };
        let cc = tools.program("verify-cc").display().to_string();
        let both = both.display().to_string();
        let database = dir.join("bear.json").display().to_string();
        let bear = ["bear", "--output", &database, "--"];
        let mut ways: Vec<(&str, &[&str], &str, bool)> = vec![("gcc", &[], "gcc", false)];
        if sh::on_path("bear") {
            ways.push(("Bear (commands only)", &bear, "gcc", false));
        }
        ways.push(("gcc, then `clang -emit-llvm`", &[], &both, false));
        ways.push(("verify-cc, empty cache", &[], &cc, true));
        ways.push(("verify-cc, nothing changed", &[], &cc, false));
        let mut times = vec![(Vec::new(), Vec::new()); ways.len()];
        for round in 0..=rounds {
            for ((_, front, cc, cold), (wall, cpu)) in ways.iter().zip(&mut times) {
                let (seconds, cpu_seconds) = build(front, cc, *cold)?;
                // The first round warms up.
                if round > 0 {
                    wall.push(seconds);
                    cpu.push(cpu_seconds);
                }
            }
        }
        let medians: Vec<(f64, f64)> = times.into_iter().map(|(wall, cpu)| (median(wall), median(cpu))).collect();
        for ((what, ..), (wall, cpu)) in ways.iter().zip(&medians) {
            let ratio = |x: f64, of: f64| format!("{:.2}", x / of.max(0.001));
            let (plain, plain_cpu) = medians[0];
            rows.push(row![
                name,
                what,
                format!("{wall:.2}"),
                ratio(*wall, plain),
                format!("{cpu:.2}"),
                ratio(*cpu, plain_cpu)
            ]);
        }
    }
    Ok(rows)
}

fn pair(name: &str, a: f64, b: f64) -> Vec<String> {
    row![name, ms(a), ms(b), ms(b - a), format!("{:.2}", b / a)]
}

fn ms(seconds: f64) -> String {
    if seconds.abs() >= 1.0 { format!("{seconds:.2} s") } else { format!("{:.1} ms", seconds * 1000.0) }
}

fn lowering(tools: &Tools, dir: &Path, rounds: usize) -> Result<Vec<Vec<String>>> {
    let p = debsrc::project("lua5.4")?;
    let tree = dir.join("lua5.4");
    prepare(p, &tree)?;
    let src = tree.join("src");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&src)?.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    let lines: usize = files.iter().map(|f| std::fs::read_to_string(f).map_or(0, |t| t.lines().count())).sum();
    let tools = tools.with_cache("bench-lowering")?;
    // `show ir` compiles and lowers, and keeps the unit: the cache is emptied first. Without lowering it is clang alone.
    let mut ours = || -> Result<f64> {
        std::fs::remove_dir_all(&tools.cache)?;
        std::fs::create_dir_all(&tools.cache)?;
        let mut sum = 0.0;
        for f in &files {
            sum += timed(tools.verify(&src, ["show", "ir"]).arg(f), &[0])?;
        }
        Ok(sum)
    };
    let mut clang = || -> Result<f64> {
        let mut sum = 0.0;
        for f in &files {
            let mut c = Command::new("clang-19");
            c.args(["-g", "-fdebug-macro", "-w", "-c", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o"]);
            c.arg(dir.join("unit.bc")).arg(f).current_dir(&src);
            sum += timed(&mut c, &[0])?;
        }
        Ok(sum)
    };
    let t = race(rounds.min(3), &mut [&mut clang, &mut ours])?;
    let n = files.len() as f64;
    Ok(vec![
        row!["lua5.4", "units/s", "kLOC/s", "seconds"],
        row!["clang alone", rate(n / t[0]), rate(lines as f64 / 1000.0 / t[0]), format!("{:.2}", t[0])],
        row!["clang, lowering, printing", rate(n / t[1]), rate(lines as f64 / 1000.0 / t[1]), format!("{:.2}", t[1])],
    ])
}

fn rate(x: f64) -> String {
    if x >= 100.0 { format!("{x:.0}") } else { format!("{x:.1}") }
}

fn interpreter(tools: &Tools, dir: &Path, rounds: usize) -> Result<Vec<Vec<String>>> {
    std::fs::write(dir.join("kernel.c"), KERNEL)?;
    sh::quiet(Command::new("gcc").args(["-O0", "-w", "kernel.c", "-o", "kernel"]).current_dir(dir), LIMIT)?;
    let tools = tools.with_cache("bench-interpreter")?;
    let exe = dir.join("kernel");
    // Each at a size where the loop dominates; an empty run is subtracted.
    let native = |n: &str| timed(Command::new(&exe).arg(n), &[0]);
    let ours = |n: &str| timed(tools.verify(dir, ["run", "--steps", "100000", "kernel.c", "--"]).arg(n), &[0]);
    let valgrind = |n: &str| timed(Command::new("valgrind").arg("-q").arg(&exe).arg(n), &[0]);
    let has_valgrind = sh::on_path("valgrind");
    let (big, small, middle) = ("100000000", "1000000", "10000000");
    let t = race(
        rounds,
        &mut [
            &mut || native(big),
            &mut || native("1"),
            &mut || ours(small),
            &mut || ours("1"),
            &mut || if has_valgrind { valgrind(middle) } else { Ok(0.0) },
            &mut || if has_valgrind { valgrind("1") } else { Ok(0.0) },
        ],
    )?;
    let per = |whole: f64, empty: f64, n: &str| (whole - empty).max(1e-9) / n.parse::<f64>().unwrap_or(1.0);
    let (a, b, c) = (per(t[0], t[1], big), per(t[2], t[3], small), per(t[4], t[5], middle));
    let line =
        |name: &str, x: f64, start: f64| row![name, format!("{:.2}", 1e-6 / x), format!("{:.1}", x / a), ms(start)];
    let mut rows =
        vec![row!["loop of hashing and table access", "million rounds/s", "times slower than gcc -O0", "start-up"]];
    rows.push(line("gcc -O0", a, t[1]));
    if has_valgrind {
        rows.push(line("valgrind (memcheck)", c, t[5]));
    }
    rows.push(line("verify run", b, t[3]));
    Ok(rows)
}

fn scanning(tools: &Tools, dir: &Path, names: &[&str]) -> Result<Vec<Vec<String>>> {
    let mut rows = vec![row!["project", "kLOC", "seconds", "kLOC/s", "peak MiB"]];
    for name in names {
        let p = debsrc::project(name)?;
        let tree = dir.join(format!("scan-{name}"));
        prepare(p, &tree)?;
        let tools = tools.with_cache("bench-scan")?;
        let cc = tools.program("verify-cc").display().to_string();
        let cache = tools.cache.to_string_lossy();
        debsrc::build(p, &tree, &cc, 2, &[("VERIFY_CACHE", &cache)])?;
        let done =
            sh::capture_watching(&mut tools.verify(&tree, ["scan", "--quiet", "--fresh", "-j", "2"]), 900, true)?;
        ensure!(matches!(done.code, 0..=2), "the scan of {name} ended with {}:\n{}", done.code, done.tail());
        let lines: usize = walkdir::WalkDir::new(&tree)
            .into_iter()
            .filter_map(Result::ok)
            .filter(|e| e.path().extension().is_some_and(|x| x == "c" || x == "h"))
            .map(|e| std::fs::read(e.path()).map_or(0, |b| b.iter().filter(|c| **c == b'\n').count()))
            .sum();
        let kloc = lines as f64 / 1000.0;
        rows.push(row![
            name,
            format!("{kloc:.1}"),
            format!("{:.1}", done.seconds),
            format!("{:.2}", kloc / done.seconds),
            done.peak_kib / 1024,
        ]);
    }
    Ok(rows)
}

/// What deciding programs costs, without the rest.
pub fn only_deciding() -> Result<()> {
    println!("{}", table(&deciding(&Tools::build()?, false)?));
    Ok(())
}

/// `verify check` on the programs under `tests/verdicts` (a tenth of them where it has to be quick), and on the tasks in
/// the folders that VERIFY_TASKS names.
fn deciding(tools: &Tools, quick: bool) -> Result<Vec<Vec<String>>> {
    let mut groups: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    let folder = sh::root().join("tests/verdicts");
    let mut own = Vec::new();
    for p in crate::e2e::c_files(&folder).into_iter().step_by(if quick { 10 } else { 1 }) {
        let text = std::fs::read_to_string(&p).with_context(|| format!("cannot read {}", p.display()))?;
        let options = text.lines().find_map(|l| l.strip_prefix("// check: ")).unwrap_or("");
        let mut args: Vec<String> = options.split_whitespace().map(String::from).collect();
        args.push(p.display().to_string());
        own.push(args);
    }
    groups.push(("tests/verdicts".into(), own));
    let include = sh::scratch("bench-tasks")?;
    verdicts::smack::write_header(&include)?;
    let named = std::env::var_os("VERIFY_TASKS").unwrap_or_default();
    for folder in std::env::split_paths(&named).filter(|p| !p.as_os_str().is_empty()) {
        let name = |p: &Path| p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let tasks = verdicts::tasks_of(&folder, &include)?;
        let run = tasks.into_iter().filter(|t| t.skip.is_none()).map(|t| t.arguments).collect();
        groups.push((format!("{}/{}", folder.parent().map(name).unwrap_or_default(), name(&folder)), run));
    }
    let mut rows = vec![row![
        "tasks of",
        "tasks",
        "median CPU s",
        "queries",
        "conflicts",
        "clang, lowering, linking",
        "encoding",
        "SAT",
        "replay",
        "re-check",
        "the rest",
        "ended by time",
    ]];
    for (name, tasks) in &groups {
        rows.push(deciding_group(tools, name, tasks)?);
    }
    Ok(rows)
}

fn deciding_group(tools: &Tools, name: &str, tasks: &[Vec<String>]) -> Result<Vec<String>> {
    let tools = tools.with_cache("bench-check")?;
    let dir = sh::root();
    let run = |args: &[String]| {
        let mut cmd = tools.verify(&dir, ["check", "--stats", "--jobs", "1", "--timeout", "15"]);
        sh::capture_watching(cmd.args(args), LIMIT, true)
    };
    // The library models are made once; that is not a matter of any one task.
    if let Some(first) = tasks.first() {
        run(first)?;
    }
    const PHASES: [&str; 5] = ["compile", "encode", "solve", "replay", "recheck"];
    let (mut cpu, mut all, mut phases) = (Vec::new(), 0.0, [0.0; PHASES.len()]);
    let (mut queries, mut conflicts, mut ended) = (0, 0, 0);
    for t in tasks {
        let done = run(t)?;
        cpu.push(done.cpu_seconds);
        let out = done.out();
        let stats = out.lines().rev().find(|l| l.starts_with('{'));
        let Some(stats) = stats.and_then(|l| serde_json::from_str::<serde_json::Value>(l).ok()) else {
            ended += 1;
            continue;
        };
        let number = |k: &str| stats.get(k).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let seconds = |k: &str| stats.pointer(&format!("/seconds/{k}")).and_then(|v| v.as_f64()).unwrap_or(0.0);
        queries += number("queries");
        conflicts += number("conflicts");
        all += seconds("all");
        for (sum, k) in phases.iter_mut().zip(PHASES) {
            *sum += seconds(k);
        }
    }
    ensure!(!cpu.is_empty() && all > 0.0, "{name}: `verify check --stats` printed no numbers");
    let share = |s: f64| format!("{:.1} %", 100.0 * s / all);
    let rest = all - phases.iter().sum::<f64>();
    let mut row = row![name, tasks.len(), format!("{:.2}", median(cpu)), queries, conflicts];
    row.extend(phases.iter().copied().chain([rest]).map(share));
    row.push(ended.to_string());
    Ok(row)
}
