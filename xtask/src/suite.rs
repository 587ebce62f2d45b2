//! `cargo xtask test`: every step runs even if an earlier one failed, so that one run tells everything; the last lines
//! say what failed. The quick form is what CI runs; `--full` adds the long suites. Suites that mostly wait for one process
//! run beside those that keep all cores busy.

use crate::setup::{self, Need};
use crate::sh::{self, Tools};
use crate::tally::Tally;
use crate::{
    again, capture, csmith, ctestsuite, diff, e2e, faulty, planted, projects, queries, random, replays, soak, tidy,
    traces, ways_in,
};
use anyhow::Result;
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

/// Sizes of the samples.
struct Sizes {
    csmith: u64,
    faulty: u64,
    random: u64,
    loops: u64,
    endless: u64,
    explored: u64,
    lists: u64,
    arrays: u64,
    undefined: u64,
    objects: u64,
    traces: u64,
    mutants: u64,
    soak: u64,
    queries: u64,
    again: u64,
}

#[derive(Default)]
struct Steps {
    results: Mutex<Vec<(&'static str, f64, Result<()>)>>,
}

impl Steps {
    fn step(&self, name: &'static str, f: impl FnOnce() -> Result<()>) {
        sh::step(name);
        let start = Instant::now();
        let result = f();
        if let Err(e) = &result {
            println!("{name}: {e:#}");
        }
        let mut all = self.results.lock().expect("no panics while held");
        all.push((name, start.elapsed().as_secs_f64(), result));
    }
}

/// Runs the suite.
pub fn run(full: bool) -> Result<()> {
    sh::step("set-up");
    setup::ensure(&[Need::Build, Need::Demo, Need::Test])?;
    let sizes = if full {
        Sizes {
            csmith: 500,
            faulty: 300,
            random: 1000,
            loops: 2000,
            endless: 2000,
            explored: 2000,
            lists: 2000,
            arrays: 1000,
            undefined: 1000,
            objects: 1000,
            traces: 5000,
            mutants: 500,
            soak: 40,
            queries: 4000,
            again: 200,
        }
    } else {
        Sizes {
            csmith: 10,
            faulty: 30,
            random: 12,
            loops: 20,
            endless: 20,
            explored: 16,
            lists: 14,
            arrays: 6,
            undefined: 12,
            objects: 8,
            traces: 20,
            mutants: 15,
            soak: 2,
            queries: 20,
            again: 4,
        }
    };
    let s = Steps::default();
    s.step("rustfmt", || sh::must(&mut sh::cargo(["fmt", "--all", "--check"])));
    s.step("tidy", || tidy::run()?.into_result("tidy"));
    // The programs first: tests of other crates run verify-lower.
    let tools = Tools::build()?;
    std::thread::scope(|scope| {
        let builds = scope.spawn(|| beside(&s, &tools, &sizes, full));
        // What the long form measures is measured with nothing else running.
        if full {
            let _ = builds.join();
        }
        rest(&s, &tools, &sizes, full);
    });
    close(&s.results.into_inner().expect("no panics while held"))
}

/// Suites of builds, and those of many small programs.
fn beside(s: &Steps, tools: &Tools, sizes: &Sizes, full: bool) {
    suite(s, "ways in to a capture", || ways_in::run(tools, None));
    suite(s, "scans that know earlier ones", || again::run(tools, sizes.again, 1));
    suite(s, "replays", || replays::run(tools, None));
    suite(s, "builds that are killed", || soak::run(tools, sizes.soak, 1));
    suite(s, "captured builds", || capture::run(tools, &[], !full));
    suite(s, "faulty programs", || faulty::run(tools, sizes.faulty, 1));
    suite(s, "pairs of versions", || diff::pairs(tools, !full));
    suite(s, "mutants", || diff::Edits { n: sizes.mutants, seed: 1, folder: None }.mutants(tools));
    suite(s, "edits that preserve the meaning", || {
        diff::Edits { n: sizes.mutants, seed: 1, folder: None }.preserved(tools)
    });
    suite(s, "random verdicts", || random::run(tools, sizes.random, 1));
    suite(s, "random loops", || random::loops::run(tools, sizes.loops, 1));
    suite(s, "random loops that end or do not", || random::endless::run(tools, sizes.endless, 1));
    suite(s, "small programs, all executions known", || random::explored::run(tools, sizes.explored, 1));
    suite(s, "random arrays", || random::arrays::run(tools, sizes.arrays, 1));
    suite(s, "random lists", || random::lists::run(tools, sizes.lists, 1));
    suite(s, "random undefined values", || random::undefined::run(tools, sizes.undefined, 1));
    suite(s, "random objects", || random::objects::run(tools, sizes.objects, 1));
    s.step("models compile", || sh::must(&mut model_test("compile.sh")));
    s.step("models", || {
        sh::must(model_test("run.sh").env("VERIFY", tools.program("verify")).env("VERIFY_CACHE", &tools.cache))
    });
    suite(s, "tests/run against gcc and clang", e2e::native);
    // In the profile of the programs, whose libraries in C need not be compiled again then. What only tests need is looked
    // at in the long form.
    let what: &[&str] = if full { &["--all-targets"] } else { &["--lib", "--bins"] };
    s.step("clippy", || {
        sh::must(
            sh::cargo(["clippy", "--release", "--workspace", "--locked", "--quiet"])
                .args(what)
                .args(["--", "-D", "warnings"]),
        )
    });
}

/// What keeps all cores busy; and so much of the other suites that both lanes take about as long.
fn rest(s: &Steps, tools: &Tools, sizes: &Sizes, full: bool) {
    s.step("unit and integration tests", || {
        sh::must(
            // There are no examples in the documentation.
            sh::cargo(["test", "--release", "--workspace", "--lib", "--bins", "--tests", "--locked", "--no-fail-fast"])
                .env("VERIFY_CACHE", &tools.with_cache("test-cache")?.cache),
        )
    });
    suite(s, "annotated programs", || e2e::run(tools, None, !full));
    suite(s, "queries by z3", || queries::run(tools, sizes.queries, 1));
    suite(s, "csmith", || csmith::run(tools, sizes.csmith, 1));
    suite(s, "traces", || traces::run(tools, sizes.traces, 1));
    if full {
        s.step("floating point against the machine", || {
            sh::must(
                sh::cargo(["test", "--release", "-p", "verify-solver", "--test", "float", "--locked"])
                    .env("VERIFY_FLOATS", "1000000"),
            )
        });
        s.step("arithmetic of formulas, all widths", || {
            sh::must(
                sh::cargo(["test", "--release", "-p", "verify-encode", "--test", "arithmetic", "--locked"])
                    .env("VERIFY_ARITHMETIC", "1"),
            )
        });
        match std::env::var_os("VERIFY_CTESTSUITE") {
            Some(dir) => suite(s, "c-testsuite", || ctestsuite::run(tools, dir.as_ref())),
            None => println!("c-testsuite: skipped, VERIFY_CTESTSUITE names no checkout of it"),
        }
        suite(s, "projects", || projects::run(tools, &[]));
        suite(s, "planted bugs", || planted::run(tools, 25, 1));
    }
}

fn model_test(script: &str) -> Command {
    let mut c = Command::new("bash");
    c.arg(sh::root().join("models/tests").join(script)).current_dir(sh::root());
    c
}

fn suite(s: &Steps, name: &'static str, f: impl FnOnce() -> Result<Tally>) {
    s.step(name, || f()?.into_result(name));
}

fn close(results: &[(&'static str, f64, Result<()>)]) -> Result<()> {
    println!();
    for (name, seconds, r) in results {
        println!("{:4} {name} ({seconds:.0} s)", if r.is_ok() { "ok" } else { "FAIL" });
    }
    let failed = results.iter().filter(|(_, _, r)| r.is_err()).count();
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed > 0 {
        anyhow::bail!("{failed} of {} steps failed", results.len());
    }
    Ok(())
}
