//! `verify run`: a program, or one function of it, in the checked interpreter.

use crate::cli::{RunArgs, RunOptions};
use crate::exit;
use crate::host::{Kept, RealHost};
use crate::output::Out;
use crate::tools::Env;
use crate::{compile, models};
use std::io::Write;
use std::os::unix::ffi::OsStringExt;
use verify_interp::{Config, End, Host, Interp, Outcome, Program, Question, Script, Seeded, TraceEvent};
use verify_ir::{FuncId, Linkage, Module, SpanId};

/// Runs the command.
///
/// # Errors
/// Usage, or a tool that fails. What the program does is in the exit code.
pub fn run(args: &RunArgs) -> anyhow::Result<u8> {
    let options = RunOptions::parse(&args.rest)?;
    let env = Env::open()?;
    let module = build(&env, &options)?;
    let program = Program::new(module);
    let mut config = Config::default();
    config.max_steps = options.steps.unwrap_or(config.max_steps);
    config.max_memory = options.memory.unwrap_or(config.max_memory);
    match &options.function {
        None => run_main(&program, config, &options),
        Some(name) => run_function(&program, config, name, &options),
    }
}

/// Compiles and links what the command line names.
///
/// # Errors
/// A source that does not compile; units for different machines.
pub fn build(env: &Env, options: &RunOptions) -> anyhow::Result<std::sync::Arc<Module>> {
    let units = compile::compile_sources(env, &options.compiler)?;
    let models = match units.first() {
        Some(u) if !options.no_models => models::load(env, &u.target)?,
        _ => Vec::new(),
    };
    let roots = models::roots_of_program();
    let link = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    Ok(std::sync::Arc::new(compile::link(units, &link)?))
}

fn run_main(program: &Program, config: Config, options: &RunOptions) -> anyhow::Result<u8> {
    let module = program.module();
    if module.function_named("main").is_none_or(|f| module.func(f).body.is_none()) {
        return Err(exit::usage("the program has no `main`: name a function with --function"));
    }
    let mut args = vec![options.compiler.sources[0].with_extension("").into_os_string().into_vec()];
    args.extend(options.args.iter().map(|a| a.clone().into_bytes()));
    let env: Vec<Vec<u8>> = std::env::vars_os().map(|(k, v)| [k.into_vec(), v.into_vec()].join(&b'=')).collect();
    let mut host = Kept::new(RealHost::new());
    let outcome = once(program, &config, (&args, &env), options.seed, &mut host);
    Ok(match &outcome.end {
        End::Exited(status) => *status as u8,
        End::Aborted => exit::RUN_ABORTED,
        _ => {
            let mut again = |config: &Config| {
                let mut answers = host.answers()?;
                Some(once(program, config, (&args, &env), options.seed, &mut answers))
            };
            report(program, &config, &outcome, &mut again)
        }
    })
}

/// One run of `main` on arguments and environment.
fn once(
    program: &Program,
    config: &Config,
    (args, env): (&[Vec<u8>], &[Vec<u8>]),
    seed: u64,
    host: &mut dyn Host,
) -> Outcome {
    let mut script = Seeded::new(seed);
    // A run is what the machine would do: nothing that could fail does so by choice.
    let mut natural = |q: &Question<'_>| match q {
        Question::Nondet { .. } | Question::Uninit { .. } => script.choose(q),
        q => Ok(q.natural()),
    };
    Interp::new(program, config).run_main(args, env, &mut natural, Some(host))
}

fn run_function(program: &Program, config: Config, name: &str, options: &RunOptions) -> anyhow::Result<u8> {
    let module = program.module();
    let func = find_function(module, name)?;
    let mut worst = exit::CLEAN;
    let mut out = Out::lock();
    for seed in options.seed..options.seed.saturating_add(options.runs) {
        let run = |config: &Config| Interp::new(program, config).run_function(func, &mut Seeded::new(seed), None);
        let outcome = run(&config);
        let code = match &outcome.end {
            End::Returned(values) => {
                let values = values.join(", ");
                writeln!(out, "seed {seed}: {name} returns {values}")?;
                exit::CLEAN
            }
            End::Exited(status) => {
                writeln!(out, "seed {seed}: the program exits with {status}")?;
                exit::CLEAN
            }
            End::Aborted => {
                writeln!(out, "seed {seed}: the program aborts")?;
                exit::CLEAN
            }
            _ => {
                writeln!(out, "seed {seed}: {name} fails or stops")?;
                report(program, &config, &outcome, &mut |config| Some(run(config)))
            }
        };
        worst = worst.max(code);
    }
    Ok(worst)
}

/// The function with a body that a user means by `name`; `static` ones included.
///
/// # Errors
/// None, or several static ones, with a list.
pub fn find_function(module: &Module, name: &str) -> anyhow::Result<FuncId> {
    let found: Vec<FuncId> = module
        .functions
        .iter()
        .enumerate()
        .filter(|(_, f)| f.name == name && f.body.is_some())
        .map(|(i, _)| FuncId::new(i))
        .collect();
    if let Some(f) = found.iter().find(|f| module.func(**f).linkage != Linkage::Internal) {
        return Ok(*f);
    }
    match found.as_slice() {
        [f] => Ok(*f),
        [] => {
            let close: Vec<&str> = module
                .functions
                .iter()
                .filter(|f| f.body.is_some() && !module.units[f.unit.index()].model && f.name.contains(name))
                .map(|f| f.name.as_str())
                .take(5)
                .collect();
            let hint = if close.is_empty() { String::new() } else { format!("; there are {}", close.join(", ")) };
            Err(exit::usage(format!("there is no function `{name}` with a body{hint}")))
        }
        several => Err(exit::usage(format!("{} static functions are named `{name}`", several.len()))),
    }
}

/// `file:line:col` of a position, as the compiler saw the file.
pub fn position(module: &Module, span: SpanId) -> String {
    let s = module.span(span);
    if s.line == 0 {
        return "<unknown>".into();
    }
    format!("{}:{}:{}", module.files[s.file.index()].path, s.line, s.column)
}

/// Steps at the end of a failing execution whose events may be told, and the events that are kept of them.
const LAST_STEPS: u64 = 1 << 20;
const EVENTS: usize = 4096;
/// Events that are told.
const TOLD: usize = 20;

/// Prints why a run ended early to standard error; the exit code for it. `again` runs the same execution once more, if
/// it can: only then its last steps are put into words, which costs several times the run itself.
fn report(
    program: &Program,
    config: &Config,
    outcome: &Outcome,
    again: &mut dyn FnMut(&Config) -> Option<Outcome>,
) -> u8 {
    let module = program.module();
    match &outcome.end {
        End::Failed(f) => {
            let user = f.user_frame();
            eprintln!("ERROR: {} {}", f.kind, position(module, user.span));
            eprintln!("  {}", f.message);
            for frame in &f.stack {
                eprintln!("  in {} at {}", module.func(frame.func).name, position(module, frame.span));
            }
            for note in &f.notes {
                eprintln!("  {}: {}", position(module, note.span), note.text);
            }
            for v in &f.values {
                eprintln!("  {}: {} = {}", module.func(v.func).name, v.name, v.value);
            }
            let trace_from = outcome.steps.saturating_sub(LAST_STEPS);
            let told = again(&Config { trace: EVENTS, trace_from, ..config.clone() });
            if let Some(told) = told.filter(|t| t.end == outcome.end) {
                last_steps(program, &told);
            }
            exit::RUN_ERROR
        }
        End::Stopped(stop) => {
            let at = match stop {
                verify_interp::Stop::Unmodelled { span, .. } | verify_interp::Stop::External { span, .. } => {
                    format!(" at {}", position(module, *span))
                }
                _ => String::new(),
            };
            eprintln!("UNKNOWN: {stop}{at}");
            exit::RUN_UNKNOWN
        }
        End::Exited(_) | End::Aborted | End::Returned(_) => exit::CLEAN,
    }
}

/// What user code did last.
fn last_steps(program: &Program, outcome: &Outcome) {
    let module = program.module();
    let of_user = |e: &&TraceEvent| !program.is_model(e.func) && module.span(e.span).line != 0;
    let steps: Vec<&TraceEvent> = outcome.trace.iter().filter(of_user).collect();
    if !steps.is_empty() {
        eprintln!("  the last steps:");
    }
    for e in &steps[steps.len().saturating_sub(TOLD)..] {
        eprintln!("    {}: {}", position(module, e.span), e.describe(module));
    }
}
