//! `cargo xtask soak [ROUNDS] [SEED]`: builds under `make -j64` whose processes are killed by `kill -9` at random moments,
//! all of them at once or wrappers one by one. A last `make` completes the build; it must be what it is without the
//! wrapper, byte for byte, every unit must be in the ledger, and the cache must be whole.

use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const UNITS: usize = 48;

/// Seconds for a build that is left alone.
const LIMIT: u64 = 600;

/// Kills in a row before a build is completed and looked at.
const KILLS: u64 = 5;

/// Runs `rounds` times: several builds that are killed, one that is completed.
pub fn run(tools: &Tools, rounds: u64, seed: u64) -> Result<Tally> {
    let mut tally = Tally::default();
    let dir = sh::scratch("soak")?;
    let tools = tools.with_cache("soak-cache")?;
    std::fs::remove_dir_all(&tools.cache)?;
    std::fs::create_dir_all(&tools.cache)?;
    write_project(&dir)?;
    make(&tools, &dir, "gcc")?;
    let plain = products(&dir)?;
    let mut random = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = move |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for round in 0..rounds {
        let done = clean(&dir).and_then(|()| {
            // Every other round finds nothing in the cache.
            if round % 2 == 0 {
                std::fs::remove_dir_all(&tools.cache)?;
                std::fs::create_dir_all(&tools.cache)?;
            }
            for _ in 0..KILLS {
                killed(&tools, &dir, &mut next)?;
            }
            make(&tools, &dir, &tools.program("verify-cc").display().to_string())?;
            look(&tools, &dir, &plain)
        });
        tally.add(&format!("round {round} of seed {seed}"), done.map_err(|e| format!("{e:#}")));
    }
    Ok(tally)
}

fn write_project(dir: &Path) -> Result<()> {
    // Objects are moved into place, as a compiler that is killed leaves half of one behind, wrapper or not.
    let mut makefile = String::from(
        "all: prog libpart.a\n%.o: %.c part.h\n\t$(CC) -O1 -c $< -o $@.new\n\tmv $@.new $@\n\
         prog: $(OBJECTS) main.o libpart.a\n\t$(CC) -o $@.new main.o $(OBJECTS) -L. -lpart\n\tmv $@.new $@\n\
         libpart.a: $(PARTS)\n\trm -f $@ $@.new\n\tar rcD $@.new $(PARTS)\n\tmv $@.new $@\nOBJECTS =",
    );
    let mut parts = String::from("\nPARTS =");
    let mut calls = String::new();
    for i in 0..UNITS - 1 {
        let text = format!(
            "#include <stdio.h>\n#include \"part.h\"\nint f{i}(int n) {{ for (int j = 0; j < n; j++) printf(\"%d\", j + {i}); return PART; }}\n"
        );
        std::fs::write(dir.join(format!("f{i}.c")), text)?;
        let list = if i % 3 == 0 { &mut parts } else { &mut makefile };
        write!(list, " f{i}.o")?;
        writeln!(calls, "int f{i}(int); int (*p{i})(int) = f{i};")?;
    }
    // The lists stand before the rules that use them.
    let (rules, objects) = makefile.split_once("OBJECTS =").context("the list of objects")?;
    std::fs::write(dir.join("Makefile"), format!("OBJECTS ={objects}{parts}\n{rules}"))?;
    std::fs::write(dir.join("part.h"), "#define PART 1\n")?;
    std::fs::write(dir.join("main.c"), format!("{calls}int main(void) {{ return 0; }}\n"))?;
    Ok(())
}

fn make_command(tools: &Tools, dir: &Path, jobs: &str, cc: &str) -> Command {
    let mut make = Command::new("make");
    make.args(["-s", jobs]).arg(format!("CC={cc}")).current_dir(dir);
    make.env("VERIFY_CACHE", &tools.cache).env_remove("MAKEFLAGS").env_remove("MFLAGS");
    make
}

fn make(tools: &Tools, dir: &Path, cc: &str) -> Result<()> {
    let done = sh::capture(&mut make_command(tools, dir, "-j4", cc), LIMIT)?;
    ensure!(done.code == 0, "make ended with {}:\n{}", done.code, done.tail());
    Ok(())
}

fn clean(dir: &Path) -> Result<()> {
    for path in files(dir)? {
        let made = |e: &std::ffi::OsStr| e == "o" || e == "new" || e == "a";
        if path.extension().is_some_and(made) || path.ends_with("prog") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// A build of which everything is killed at some moment; or a few of its wrappers and tools, and the rest some time later.
fn killed(tools: &Tools, dir: &Path, next: &mut impl FnMut(u64) -> u64) -> Result<()> {
    let mut make = make_command(tools, dir, "-j64", &tools.program("verify-cc").display().to_string());
    let mut child =
        make.arg("-k").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0).spawn()?;
    let group = child.id();
    std::thread::sleep(Duration::from_millis(next(2500)));
    if next(2) == 0 {
        for _ in 0..6 {
            let mut victims = members(group);
            victims.retain(|pid| *pid != group);
            if !victims.is_empty() {
                let victim = victims[next(victims.len() as u64) as usize];
                kill(&victim.to_string());
            }
            std::thread::sleep(Duration::from_millis(next(60)));
        }
    }
    kill(&format!("-{group}"));
    child.wait()?;
    Ok(())
}

fn kill(target: &str) {
    let _ = Command::new("kill").args(["-KILL", "--", target]).stderr(Stdio::null()).status();
}

/// The processes of a process group.
fn members(group: u32) -> Vec<u32> {
    let mut out: Vec<u32> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| e.file_name().to_string_lossy().parse().ok())
        .filter(|pid: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let fields = stat.rsplit_once(") ").map(|(_, rest)| rest.split(' ').nth(2).and_then(|g| g.parse().ok()));
            fields.flatten() == Some(group)
        })
        .collect();
    out.sort_unstable();
    out
}

fn files(dir: &Path) -> Result<Vec<PathBuf>> {
    Ok(std::fs::read_dir(dir)?.filter_map(|e| Some(e.ok()?.path())).collect())
}

fn products(dir: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let made = |p: &PathBuf| p.extension().is_some_and(|e| e == "o" || e == "a") || p.ends_with("prog");
    files(dir)?.into_iter().filter(made).map(|p| Ok((p.clone(), std::fs::read(&p)?))).collect()
}

fn look(tools: &Tools, dir: &Path, plain: &BTreeMap<PathBuf, Vec<u8>>) -> Result<()> {
    ensure!(products(dir)? == *plain, "what was built is not what is built without the wrapper");
    let json = |args: &[&str]| -> Result<Value> {
        let done = sh::quiet(&mut tools.verify(dir, args), LIMIT)?;
        serde_json::from_slice(&done.stdout).with_context(|| args.join(" "))
    };
    let ledger = json(&["ledger", "--format", "json"])?;
    let n = |key: &str| ledger["totals"][key].as_u64().unwrap_or(u64::MAX);
    let totals = ["units", "captured", "missed", "damaged"].map(n);
    ensure!(
        totals == [UNITS as u64, UNITS as u64, 0, 0],
        "units, captured, missed, damaged: {totals:?}\n{}",
        sh::capture(&mut tools.verify(dir, ["ledger"]), LIMIT)?.out()
    );
    let programs = json(&["programs", "--format", "json"])?;
    let prog = programs["programs"].as_array().into_iter().flatten().find(|p| p["name"].as_str() == Some("prog"));
    let sources = prog.and_then(|p| p["sources"].as_array()).map_or(0, Vec::len);
    // Of the archive the linker takes all: main names every function.
    ensure!(sources == UNITS, "{sources} sources in prog, not {UNITS}");
    let notes = std::fs::read_dir(tools.cache.join("ledger/pending"))?;
    let note = |e: &std::fs::DirEntry| std::fs::read(e.path()).is_ok_and(|text| text.starts_with(b"{"));
    let left = notes.flatten().filter(note).count();
    ensure!(left == 0, "{left} notes of killed wrappers are left");
    let done = sh::quiet(&mut tools.verify(dir, ["cache", "gc"]), LIMIT)?;
    ensure!(!done.out().is_empty(), "verify cache gc says nothing");
    Ok(())
}
