//! `trace [--sv] [--inputs N] [--seed N] [--mode MODE]... [--model] UNIT...`: the oracle of the encoding. Links each
//! unit after the last `--program` with the units after `--model`, runs `main` (or every `t0`, `t1`, ...) in the
//! interpreter with random choices, and asks the formula of the program whether it has that execution: with the same
//! choices, every value that the interpreter computed must be possible, all at once, and where the interpreter failed
//! a check, the claim of that check must hold. `MODE` is `bounded:K` or `induction:K`. A tool for testing; it prints a
//! line for every disagreement and counts at the end.

mod expect;
mod follow;

use follow::{Oracle, Verdict};
use std::collections::BTreeMap;
use std::sync::Arc;
use verify_encode::{Mode, Root, Rules};
use verify_engine::Start;
use verify_interp::{Config, Interp, Program};
use verify_ir::{FuncId, Module};

/// Steps and observations of a run that is of use.
const STEPS: u64 = 300_000;
const OBSERVED: usize = 20_000;

struct Args {
    sv: bool,
    inputs: u64,
    seed: u64,
    modes: Vec<(Mode, u32)>,
    models: Vec<Module>,
    programs: Vec<String>,
    only: Option<String>,
    verbose: bool,
}

fn read(path: &str) -> Module {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn arguments() -> Args {
    let mut a = Args {
        sv: false,
        inputs: 2,
        seed: 1,
        modes: Vec::new(),
        models: Vec::new(),
        programs: Vec::new(),
        only: None,
        verbose: false,
    };
    let mut model = false;
    let mut it = std::env::args().skip(1);
    let number = |s: Option<String>| s.and_then(|s| s.parse().ok()).expect("a number");
    while let Some(word) = it.next() {
        match word.as_str() {
            "--sv" => a.sv = true,
            "--verbose" => a.verbose = true,
            "--inputs" => a.inputs = number(it.next()),
            "--seed" => a.seed = number(it.next()),
            "--only" => a.only = it.next(),
            "--mode" => {
                let m = it.next().expect("a mode");
                let (mode, k) = m.split_once(':').expect("MODE:K");
                let mode = if mode == "bounded" { Mode::Bounded } else { Mode::Induction };
                a.modes.push((mode, k.parse().expect("a number")));
            }
            "--model" => model = true,
            "--program" => model = false,
            p if model => a.models.push(read(p)),
            p => a.programs.push(p.to_string()),
        }
    }
    if a.modes.is_empty() {
        a.modes = vec![(Mode::Bounded, 6), (Mode::Induction, 1), (Mode::Induction, 2)];
    }
    a
}

/// What is counted over all programs.
#[derive(Default)]
struct Counts {
    functions: u64,
    runs: u64,
    asked: u64,
    values: u64,
    failed: u64,
    truncated: u64,
    budget: u64,
    forced: u64,
    weighed: u64,
    wrong: u64,
    ends: BTreeMap<String, u64>,
}

fn main() {
    let args = arguments();
    let mut counts = Counts::default();
    for p in &args.programs {
        let roots: Vec<String> = ["main", "exit", "environ"].map(String::from).to_vec();
        let unit = read(p);
        let mut entries: Vec<String> = unit.functions.iter().map(|f| f.name.clone()).filter(|n| is_test(n)).collect();
        if entries.is_empty() {
            entries.push("main".into());
        }
        let roots = [roots, entries.clone()].concat();
        let options = verify_ir::link::LinkOptions { models: args.models.clone(), roots, ..Default::default() };
        let module = match verify_ir::link::link(vec![unit], &options) {
            Ok(l) => l.module,
            Err(e) => {
                println!("skipped {p}: {e}");
                continue;
            }
        };
        for name in entries {
            if args.only.as_ref().is_some_and(|o| *o != name) {
                continue;
            }
            let Some(f) = module.function_named(&name) else { continue };
            let mut own = module.clone();
            own.functions[f.index()].name = "main".into();
            own.functions.iter_mut().filter(|g| is_test(&g.name)).for_each(|g| g.body = None);
            one(&args, &format!("{p} {name}"), Arc::new(own), f, &mut counts);
        }
    }
    println!(
        "{} functions, {} runs ({} failed a check), {} questions, {} values: {} disagreements, {} beyond the formula, {} over \
         budget; {} of {} values forced",
        counts.functions,
        counts.runs,
        counts.failed,
        counts.asked,
        counts.values,
        counts.wrong,
        counts.truncated,
        counts.budget,
        counts.forced,
        counts.weighed
    );
    if args.verbose {
        println!("{:?}", counts.ends);
    }
    if counts.wrong > 0 {
        std::process::exit(1);
    }
}

/// `t0`, `t1`, ...
fn is_test(name: &str) -> bool {
    name.strip_prefix('t').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Arguments of `main` that depend on the program and the seed only.
fn arguments_of(seed: u64, name: &str) -> Vec<Vec<u8>> {
    let mut state =
        name.bytes().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    let mut next = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut out = vec![b"program".to_vec()];
    for _ in 0..next(6) {
        let length = next(6);
        out.push((0..length).map(|_| 1 + next(255) as u8).collect());
    }
    out
}

fn one(args: &Args, name: &str, module: Arc<Module>, main: FuncId, counts: &mut Counts) {
    let rules = if args.sv {
        Rules {
            allocation_succeeds: true,
            externals_pure: true,
            whole_objects: true,
            uninit_is_arbitrary: true,
            leaks: true,
            open: false,
        }
    } else {
        Rules { leaks: true, ..Rules::default() }
    };
    let ruled = if args.sv { verify_engine::Rules::SV_COMP } else { verify_engine::Rules::default() };
    counts.functions += 1;
    let checks = verify_checks::enumerate(&module);
    let program = Program::new(module.clone());
    let given = arguments_of(args.seed, name);
    let mut runs = Vec::new();
    for input in 0..args.inputs {
        let mut script = expect::Script::new(args.seed.wrapping_mul(1000).wrapping_add(input), ruled);
        let start = Start::Main(given.clone());
        let mut config = Config { max_steps: STEPS, observe: OBSERVED, ..verify_engine::replay::config(&start) };
        ruled.configure(&mut config);
        let outcome = Interp::new(&program, &config).run_main(&given, &[], &mut script, None);
        counts.runs += 1;
        if args.verbose {
            let end = format!("{:?}", outcome.end);
            *counts.ends.entry(end.chars().take(40).collect()).or_default() += 1;
        }
        runs.push((input, expect::Run::new(&module, &checks, outcome, script)));
    }
    for &(mode, k) in &args.modes {
        let began = std::time::Instant::now();
        let mut oracle = match Oracle::new(&module, &checks, rules, Root::Program(main), mode, k, &given) {
            Ok(o) => o,
            Err(_) => {
                counts.budget += runs.len() as u64;
                continue;
            }
        };
        let made = began.elapsed();
        for (input, run) in &runs {
            let Some(run) = run else { continue };
            let items =
                oracle.known(if mode == Mode::Induction { run.reduced(&module, k) } else { run.items(&module) });
            counts.asked += 1;
            counts.failed += u64::from(run.failed.is_some());
            let verdict = oracle.follow(&items, run.failed, run.ended);
            counts.values += oracle.matched;
            match verdict {
                Verdict::Embedded => {
                    if *input == 0 && mode == Mode::Bounded {
                        let (forced, of) = oracle.forced(&items);
                        counts.forced += forced;
                        counts.weighed += of;
                    }
                }
                Verdict::Beyond => counts.truncated += 1,
                Verdict::Budget => counts.budget += 1,
                Verdict::Lost(what) => {
                    counts.wrong += 1;
                    println!("DISAGREES {name} input {input} {mode:?} {k} sv {}: {what}", args.sv);
                }
            }
        }
        if args.verbose {
            println!("{name} {mode:?} {k}: formula {made:?}, all {:?}", began.elapsed());
        }
    }
}
