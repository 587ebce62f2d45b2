//! `cargo xtask <command>`: set-up, demonstration, tests, measurements and the rules of the house. It drives the built
//! programs from outside, as a user would; it links none of the project's crates, so that `setup` also works on a
//! machine where they cannot be built yet.
#![forbid(unsafe_code)]

mod again;
mod bench;
mod book;
mod capture;
mod commands;
mod csmith;
mod ctestsuite;
mod debsrc;
mod demo;
mod diff;
mod e2e;
mod faulty;
mod features;
mod fixes;
mod flaws;
mod invariants;
mod peers;
mod planted;
mod projects;
mod queries;
mod random;
mod replays;
mod sarif;
mod setup;
mod sh;
mod soak;
mod suite;
mod tally;
mod tidy;
mod traces;
mod verdicts;
mod ways_in;
mod witness;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask <command>

  setup [--check]       install what building and testing need (--check: only say what is missing)
  demo [PACKAGE]        build, then capture and scan a real C program (default: bzip2)
  test [--full]         everything CI runs; --full adds the long suites below
  tidy                  the rules of the house
  bench [--quick]       measurements; writes book/src/numbers-bench.md
  bench --builds [NAME...]  captures beside Bear and plain clang only (of bzip2, lua5.4, zlib), printed

  e2e [FILTER]          annotated C programs under tests/
  e2e --native          is what tests/run expects what gcc and clang make of it?
  csmith [N] [SEED]     N random programs: verify run against gcc -O0 and clang -O2
  c-testsuite DIR       the programs of a checkout of c-testsuite
  projects [NAME...]    the Debian projects: identity of the build, completeness of the capture, scan
  replays [FILTER]      verify replay on the programs under tests/replay
  ways-in [FILTER]      verify capture, ledger, programs, cache, cargo verify, baselines and annotations on small builds
  capture [--quick] [NAME...]
                        Debian projects under verify capture: the same bytes, what is captured, what it costs
  soak [N] [SEED]       builds that are killed with kill -9 at random moments, N times
  scan-again [N] [SEED] N random edits of a small project: scans that know the earlier ones give the same bytes
  peers [NAME...]       clean real code under verify scan, clang --analyze, gcc -fanalyzer and cppcheck: what each reports,
                        and a sample of it to be read
  planted [N] [SEED]    bugs planted in real projects
  traces [N] [SEED]     N random functions: executions of the interpreter against the formulas of the proofs
  faulty [N] [SEED]     generated faulty programs: verify run against gcc's sanitizers
  fixes SUITE.json CLONES
                        old bugs: is the commit before the fix reported, and the fix not? [--only NAME] [--timeout S]
  flaws SUITE.json      scan programs of which it is known whether they have a flaw [--per-group N] [--seed S]
                        [--timeout S] [--each]
  verdicts DIR...       verify check on folders of 2LS, CBMC, SMACK or SV-COMP tasks [--mode M] [--timeout S]
                        [--jobs N] [--each]
  diff                  the pairs of versions under tests/diff
  diff-mutants [N] [SEED] [DIR]
                        N edited programs (of the suite, or C files of a folder): nothing that verify diff calls equal
                        may differ when run
  diff-edits [N] [SEED] [DIR]
                        N edits that preserve the meaning: how many verify diff calls equal
  diff-bench DIR        verify diff on a folder of pairs with a recorded truth (EqBench)
  random-verdicts [N] [SEED]
                        N random programs whose behaviour is known: no verdict of verify check may be wrong
  random-loops [N] [SEED]
                        N random programs of loops: no proof of a bound may be wrong
  random-endless [N] [SEED]
                        N random programs of loops: what is said of whether they end may not be wrong
  random-explored [N] [SEED]
                        N small programs whose executions are all followed: no verdict of verify check may be wrong
  random-lists [N] [SEED]
                        N random programs with lists, many of them spoilt: no proof that memory is used safely may be wrong
  random-arrays [N] [SEED]
                        N random programs of loops over arrays: no proof of what is asserted of all elements may be wrong
  queries [N] [SEED]    about N queries that the solver answered for the programs with a verdict, asked of z3 again
  random-undefined [N] [SEED]
                        N random programs with memory written in part: no proof that a value is defined may be wrong
  random-objects [N] [SEED]
                        N random programs that hand objects around: nothing that fails in a run may be proved
";

fn main() {
    match run() {
        Ok(()) => {}
        Err(e) => {
            eprintln!("xtask: {e:#}");
            std::process::exit(1);
        }
    }
}

fn number(args: &[String], at: usize, default: u64) -> Result<u64> {
    match args.get(at) {
        None => Ok(default),
        Some(s) => s.parse().map_err(|_| anyhow::anyhow!("`{s}` is not a number")),
    }
}

fn run() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    match args.first().map(String::as_str) {
        Some("setup") => match rest {
            [] => setup::ensure(&setup::Need::ALL),
            [a] if a == "--check" => setup::check(&setup::Need::ALL),
            _ => bail!("usage: cargo xtask setup [--check]"),
        },
        Some("demo") => demo::run(rest.first().map(String::as_str)),
        Some("test") => match rest {
            [] => suite::run(false),
            [a] if a == "--full" => suite::run(true),
            _ => bail!("usage: cargo xtask test [--full]"),
        },
        Some("tidy") => tidy::run()?.into_result("tidy"),
        Some("bench") => match rest {
            [] => bench::run(false),
            [a] if a == "--quick" => bench::run(true),
            [a, names @ ..] if a == "--builds" => bench::only_builds(names),
            [a] if a == "--deciding" => bench::only_deciding(),
            _ => bail!("usage: cargo xtask bench [--quick | --builds [NAME...] | --deciding]"),
        },
        Some("e2e") if rest == ["--native"] => e2e::native()?.into_result("e2e --native"),
        Some("e2e") => {
            let tools = sh::Tools::build()?;
            e2e::run(&tools, rest.first().map(String::as_str), false)?.into_result("e2e")
        }
        Some("csmith") => {
            let tools = sh::Tools::build()?;
            csmith::run(&tools, number(rest, 0, 20)?, number(rest, 1, 1)?)?.into_result("csmith")
        }
        Some("c-testsuite") => {
            let dir = rest.first().cloned().or_else(|| std::env::var("VERIFY_CTESTSUITE").ok());
            let Some(dir) = dir else { bail!("usage: cargo xtask c-testsuite DIR (or VERIFY_CTESTSUITE=DIR)") };
            let tools = sh::Tools::build()?;
            ctestsuite::run(&tools, dir.as_ref())?.into_result("c-testsuite")
        }
        Some("projects") => {
            let tools = sh::Tools::build()?;
            projects::run(&tools, rest)?.into_result("projects")
        }
        Some("ways-in") => ways_in::run(&sh::Tools::build()?, rest.first().map(String::as_str))?.into_result("ways-in"),
        Some("replays") => replays::run(&sh::Tools::build()?, rest.first().map(String::as_str))?.into_result("replays"),
        Some("capture") => {
            let tools = sh::Tools::build()?;
            let quick = rest.iter().any(|a| a == "--quick");
            let names: Vec<String> = rest.iter().filter(|a| *a != "--quick").cloned().collect();
            capture::run(&tools, &names, quick)?.into_result("capture")
        }
        Some("scan-again") => {
            let tools = sh::Tools::build()?;
            again::run(&tools, number(rest, 0, 5)?, number(rest, 1, 1)?)?.into_result("scan-again")
        }
        Some("soak") => {
            let tools = sh::Tools::build()?;
            soak::run(&tools, number(rest, 0, 10)?, number(rest, 1, 1)?)?.into_result("soak")
        }
        Some("peers") => {
            let tools = sh::Tools::build()?;
            peers::run(&tools, rest, 1)?.into_result("peers")
        }
        Some("planted") => {
            let tools = sh::Tools::build()?;
            planted::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("planted")
        }
        Some("traces") => {
            let tools = sh::Tools::build()?;
            traces::run(&tools, number(rest, 0, 200)?, number(rest, 1, 1)?)?.into_result("traces")
        }
        Some("faulty") => {
            let tools = sh::Tools::build()?;
            faulty::run(&tools, number(rest, 0, 30)?, number(rest, 1, 1)?)?.into_result("faulty")
        }
        Some("fixes") => {
            let options = fixes::Options::parse(rest)?;
            fixes::run(&sh::Tools::build()?, &options)?.into_result("fixes")
        }
        Some("flaws") => {
            let options = flaws::Options::parse(rest)?;
            flaws::run(&sh::Tools::build()?, &options)?.into_result("flaws")
        }
        Some("verdicts") => {
            let options = verdicts::Options::parse(rest)?;
            verdicts::run(&sh::Tools::build()?, &options)
        }
        Some("diff") => diff::pairs(&sh::Tools::build()?, false)?.into_result("diff"),
        Some(name @ ("diff-mutants" | "diff-edits")) => {
            let tools = sh::Tools::build()?;
            let folder = rest.get(2).map(std::path::PathBuf::from);
            let e = diff::Edits { n: number(rest, 0, 20)?, seed: number(rest, 1, 1)?, folder };
            if name == "diff-mutants" { e.mutants(&tools) } else { e.preserved(&tools) }?.into_result(name)
        }
        Some("diff-bench") => match rest {
            [dir] => diff::bench(&sh::Tools::build()?, dir.as_ref()),
            _ => bail!("usage: cargo xtask diff-bench DIR"),
        },
        Some("random-verdicts") => {
            let tools = sh::Tools::build()?;
            random::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-verdicts")
        }
        Some("random-loops") => {
            let tools = sh::Tools::build()?;
            random::loops::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-loops")
        }
        Some("random-endless") => {
            let tools = sh::Tools::build()?;
            random::endless::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-endless")
        }
        Some("random-explored") => {
            let tools = sh::Tools::build()?;
            random::explored::run(&tools, number(rest, 0, 50)?, number(rest, 1, 1)?)?.into_result("random-explored")
        }
        Some("random-lists") => {
            let tools = sh::Tools::build()?;
            random::lists::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-lists")
        }
        Some("queries") => {
            queries::run(&sh::Tools::build()?, number(rest, 0, 300)?, number(rest, 1, 1)?)?.into_result("queries")
        }
        Some("random-arrays") => {
            let tools = sh::Tools::build()?;
            random::arrays::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-arrays")
        }
        Some("random-undefined") => {
            let tools = sh::Tools::build()?;
            random::undefined::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-undefined")
        }
        Some("random-objects") => {
            let tools = sh::Tools::build()?;
            random::objects::run(&tools, number(rest, 0, 25)?, number(rest, 1, 1)?)?.into_result("random-objects")
        }
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => bail!("no command `{other}`\n\n{HELP}"),
        None => bail!("a command is needed\n\n{HELP}"),
    }
}
