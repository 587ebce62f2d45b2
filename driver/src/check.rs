//! `verify check`: one program, one verdict, by the rules of the competition on software verification.

use crate::cli::{CheckArgs, CheckOptions};
use crate::exit::{self, usage};
use crate::foreign::{ERRORS, error_by_two_names, foreign, wider_input};
use crate::output::{self, Out};
use crate::property::{self, Asked, Property};
use crate::run::position;
use crate::tools::Env;
use crate::{asserts, compile, conditions, models, outside, query_log, tail_calls, vacuity, witness};
use std::io::Write;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use verify_checks::KindSet;
use verify_engine::result::{Evidence, ProgramResult, TargetKind, UnknownReason, Verdict};
use verify_engine::subject::ProgramInput;
use verify_engine::{Budget, Rules, ScanOptions, Silent, StopFlag, meter};
use verify_ir::{CheckKind, FuncId, Function, Init, InitData, InitPiece, Linkage, Module, SymbolRef};
use verify_kiki::Ways;

/// Interpreter steps of the search for failing executions, when proofs do not settle everything.
const STEPS: u64 = 60_000_000;
/// Steps of the search by states before anything is proved, and where proofs do not settle everything.
const FEW_STATES: u64 = 20_000_000;
const MANY_STATES: u64 = 200_000_000;
/// The models' variable that says that nothing is known of the sequence of random numbers.
const ANY_SEQUENCE: &str = "__verify_any_sequence";

/// What is said in the end.
pub enum Said {
    /// Every property holds.
    True,
    /// This one does not.
    False(&'static str),
    /// Why neither.
    Unknown(String),
}

/// Runs the command: the verdict is the last line, and in the exit code.
///
/// # Errors
/// Usage, sources that do not compile, or a fault of the machine.
pub fn check(args: &CheckArgs) -> anyhow::Result<u8> {
    let started = Instant::now();
    let options = CheckOptions::parse(&args.rest)?;
    if options.stats {
        meter::install(|| CLOCK.elapsed());
    }
    if let Some(dir) = &options.query_log {
        query_log::start(dir)?;
    }
    let mut asked = property::read(&options.property)?;
    if let Some(w) = &options.witness {
        output::may_be_written(w)?;
    }
    let stop = Arc::new(StopFlag::new());
    if let Some(s) = options.timeout {
        watch(Duration::from_secs(s), &stop);
    }
    if let Some(p) = &asked.unsupported {
        return say(&Said::Unknown(format!("the property {p} is not supported")));
    }
    let env = Env::open()?;
    let (module, returning) = build(&env, &options, &asked, Errors::End)?;
    if !ERRORS.iter().any(|e| module.function_named(e).is_some()) {
        // What the file can only mean here are the assertions.
        asked.called = None;
    }
    let built = started.elapsed();
    let entry = options.entry.as_ref().or(asked.entry.as_ref()).filter(|e| *e != "main");
    let name = entry.map_or("main", |e| e.as_str()).to_string();
    // A model of the library is no part of the program, and nothing in it is looked at from there.
    let own = |f: FuncId| module.func(f).body.is_some() && !verify_checks::calls::is_model(&module, module.func(f));
    if !module.function_named(&name).is_some_and(own) {
        return Err(usage(format!("the program has no function `{name}`: name one with --entry")));
    }
    let scan = ScanOptions {
        entries: entry.into_iter().cloned().collect(),
        only_named: entry.is_some(),
        budget: Some(Budget { steps: STEPS, runs: u64::MAX }),
        jobs: options.jobs,
        rules: Rules::SV_COMP,
        kinds: Some(asked.kinds_with_ends()),
        until: asked.kinds(),
        ..ScanOptions::default()
    };
    let input = ProgramInput {
        name: options.compiler.sources[0].display().to_string(),
        kind: TargetKind::Executable,
        module,
        diagnostics: Vec::new(),
        incomplete: false,
    };
    let ends = match asked.properties.contains(&Property::Termination) {
        true => Some(crate::termination::decide(&input, &scan, &options, &stop, &mut std::io::stdout())?),
        false => None,
    };
    let ends = ends.map(|said| all_modelled(within_inputs(said, &input.module), &input.module, &name));
    // Nothing says that an error function without a body does not return, and it is only what `unreach-call` is about that
    // happens before it would.
    // (If that is asked as well and holds, none is called.)
    let returning = returning.filter(|_| !asked.properties.contains(&Property::UnreachCall));
    let returned = |said: Said| match (said, &returning) {
        (Said::True, Some(error)) => after_errors(&env, &options, &asked, &input, &scan, &stop, error),
        (said, _) => Ok(said),
    };
    if let Some(mut said) = ends {
        if asked.properties.len() == 1 {
            said = returned(said)?;
        }
        // One that is violated settles the question; and if there is no other, there is nothing more to do.
        if asked.properties.len() == 1 || !matches!(said, Said::True) {
            return say(&said);
        }
    }
    let kiki = verify_kiki::Kiki::checking(asked.kinds(), options.mode);
    let only = verify_kiki::OnlyExecution::short(asked.kinds());
    let only_longer = verify_kiki::OnlyExecution::longer(asked.kinds());
    let graphs = verify_smg::Smg::checking(asked.kinds());
    let (first, probe) = (verify_probe::FirstRuns, verify_probe::Probe);
    let (few, many) = (verify_probe::States(FEW_STATES), verify_probe::States(MANY_STATES));
    // Who says how long it may take waits for it.
    let longer = verify_kiki::Kiki::checking_longer(asked.kinds(), options.mode);
    let mut all: Vec<&dyn verify_engine::Engine> =
        vec![&verify_kiki::ByFacts, &graphs, &only, &first, &few, &kiki, &probe];
    if options.timeout.is_some() {
        all.insert(5, &only_longer);
        all.extend([&many as &dyn verify_engine::Engine, &longer]);
    }
    let alone: [&dyn verify_engine::Engine; 1] = [&kiki];
    // The other modes are there to be compared: nothing helps them.
    let engines: &[&dyn verify_engine::Engine] = if options.mode == Ways::Kiki { &all } else { &alone };
    let mut result = verify_engine::scan(vec![input.clone()], engines, &scan, &Silent, &stop);
    let program = &mut result.programs[0];
    let unreach = asked.properties.contains(&Property::UnreachCall);
    // What failed must be what the property is about, with inputs that there are.
    let about = |said: Said, m: &Module| match (&said, another_error(m, &asked)) {
        (Said::False(p), Some(name)) if *p == Property::UnreachCall.name() => {
            Said::Unknown(format!("the program has `{name}`, and the property is about another function"))
        }
        _ => within_inputs(said, m),
    };
    let mut said = about(verdict(program, &asked, entry.is_some()), &program.module);
    let foreign = foreign(program).or_else(|| error_by_two_names(&program.module).filter(|_| unreach));
    let rests = matches!(said, Said::True) && rests_on_overflow(program, &asked);
    if options.mode == Ways::Kiki && (rests || overflow_alone_decides(program, &asked)) {
        // Many programs count on it that sums wrap around. What holds even so, holds; what does not, is not safe because
        // it is undefined.
        let kiki = verify_kiki::Kiki { wraps: true, ..kiki };
        let scan = ScanOptions { kinds: Some(asked.kinds()), ..scan.clone() };
        let graphs = verify_smg::Smg { wraps: true, ..graphs };
        let again = verify_engine::scan(vec![input.clone()], &[&graphs, &kiki], &scan, &Silent, &stop);
        said = match verdict(&again.programs[0], &asked, entry.is_some()) {
            Said::True => Said::True,
            _ if rests => Said::Unknown("shown only for executions in which no sum overflows".into()),
            _ => said,
        };
    }
    if options.mode == Ways::Kiki && options.timeout.is_some() && !rests && matches!(said, Said::Unknown(_)) {
        // Nothing else will be tried: it may take what time there is.
        let whole = verify_kiki::OnlyExecution::whole(asked.kinds());
        let again = verify_engine::scan(vec![input.clone()], &[&whole], &scan, &Silent, &stop);
        let found = about(verdict(&again.programs[0], &asked, entry.is_some()), &again.programs[0].module);
        if !matches!(found, Said::Unknown(_)) {
            (said, result) = (found, again);
        }
    }
    let program = &mut result.programs[0];
    if options.mode == Ways::Kiki && matches!(said, Said::True) && open_numbers(program, &asked) {
        // What a machine makes of such a value it does not say; but it goes on. So it has to be shown that there is none.
        let kinds = asked.kinds().union(NUMBERS);
        let scan = ScanOptions { kinds: Some(kinds), ..scan.clone() };
        let kiki = verify_kiki::Kiki { wraps: rests, ..verify_kiki::Kiki::checking(kinds, options.mode) };
        let graphs = verify_smg::Smg { wraps: rests, ..verify_smg::Smg::checking(kinds) };
        let with_facts: [&dyn verify_engine::Engine; 3] = [&verify_kiki::ByFacts, &graphs, &kiki];
        let engines = if rests { &with_facts[1..] } else { &with_facts };
        let again = verify_engine::scan(vec![input.clone()], engines, &scan, &Silent, &stop);
        if open_numbers(&again.programs[0], &asked) {
            said = Said::Unknown("shown only for executions in which every shift and conversion has a value".into());
        }
    }
    if let Some(name) = foreign.filter(|_| !matches!(said, Said::Unknown(_))) {
        said = Said::Unknown(format!("unmodelled: `{name}` means something that is not known here"));
    }
    said = returned(all_modelled(said, &program.module, &name))?;
    // What is printed is about the property; an execution that fails something else is nobody's question here.
    for (c, v) in program.checks.all.iter().zip(&mut program.verdicts) {
        if asked.violated_by(c.kind).is_none() {
            *v = Verdict::Unreachable;
        }
    }
    if options.mode == Ways::Kiki && entry.is_none() && !stop.is_set() {
        vacuity::mark(&mut result.programs[0], false)?;
    }
    if options.list {
        list(&result.programs[0], &asked)?;
    }
    print(&result)?;
    if options.stats {
        statistics(&result.programs[0], built, started.elapsed())?;
    }
    if let Some(path) = &options.witness {
        match &said {
            Said::True => witness::of_proof(path, &result.programs[0], &asked, &options)?,
            Said::False(_) => _ = witness::of_violation(path, &result.programs[0], &asked, &options)?,
            Said::Unknown(_) => {}
        }
    }
    say(&said)
}

/// Time since the process began to measure.
static CLOCK: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Every check that counts, with its verdict: `FILE:LINE:COLUMN: KIND: VERDICT: SENTENCE`.
fn list(p: &ProgramResult, asked: &Asked) -> anyhow::Result<()> {
    let mut w = std::io::BufWriter::new(Out::lock());
    for (c, v) in p.checks.all.iter().zip(&p.verdicts).filter(|(c, _)| asked.violated_by(c.kind).is_some()) {
        let why = match v {
            Verdict::Proved(how) => format!(" ({how})"),
            Verdict::Unknown(why) => format!(" ({why})"),
            Verdict::Latent(_) | Verdict::Violated(_) | Verdict::Unreachable => String::new(),
        };
        writeln!(w, "{}: {}: {}{why}: {}", position(&p.module, c.span), c.kind, v.name(), c.message)?;
    }
    w.flush()?;
    Ok(())
}

/// Counters, and seconds by what they went to, as one line. The seconds are those of this machine and moment.
fn statistics(p: &ProgramResult, built: Duration, whole: Duration) -> anyhow::Result<()> {
    let s = p.history.solving();
    let seconds = |phase| meter::spent(phase).as_secs_f64();
    let line = serde_json::json!({
        "queries": s.queries,
        "conflicts": s.conflicts,
        "instructions": s.instructions,
        "replays": s.replays,
        "runs": p.stats.runs,
        "steps": p.stats.steps,
        "work": p.history.work.iter().map(|w| serde_json::json!({
            "engine": w.engine,
            "what": w.what,
            "limits": w.limits,
        })).collect::<Vec<_>>(),
        "seconds": {
            "all": whole.as_secs_f64(),
            "compile": built.as_secs_f64(),
            "encode": seconds(meter::Phase::Encode),
            "solve": seconds(meter::Phase::Solve),
            "replay": seconds(meter::Phase::Replay),
            "recheck": seconds(meter::Phase::Recheck),
        },
    });
    writeln!(Out::lock(), "{line}")?;
    Ok(())
}

/// Compiles and links the program with the library models. With it, an error function that has no body and may return.
fn build(
    env: &Env,
    options: &CheckOptions,
    asked: &Asked,
    errors: Errors,
) -> anyhow::Result<(Arc<Module>, Option<String>)> {
    let mut compiler = options.compiler.clone();
    if asked.properties.contains(&Property::NoOverflow) {
        // `1 << 31` overflows by the standard; whole projects rely on what compilers make of it, so nobody else asks.
        compiler.checks.push("shift-base");
    }
    if options.ilp32 {
        compiler.options.push("-m32".into());
        compiler.options.extend(models::headers_32(env)?);
    }
    // Bodies of C99 `inline` functions reach us, whatever the program was meant to be linked with; its macros see no
    // optimiser. And a task that was cut out of an older program may define its globals in each of its files.
    let mut dialect: Vec<String> = vec!["-fcommon".into()];
    if !compiler.options.iter().any(|o| o.starts_with("-O")) {
        dialect.extend(["-O1", "-U__OPTIMIZE__", "-D__NO_INLINE__=1"].map(String::from));
    }
    compiler.options.splice(0..0, dialect);
    compiler.options.extend(asserts::options(env, &compiler.sources)?);
    let mut units = compile::compile_sources(env, &compiler)?;
    if asked.properties.contains(&Property::UnreachCall) {
        calls_are_errors(&mut units);
    }
    let defined = |f: &Function| units.iter().flat_map(|u| &u.functions).any(|g| g.name == f.name && g.body.is_some());
    let returning =
        units.iter().flat_map(|u| &u.functions).find(|f| may_return(f) && !defined(f)).map(|f| f.name.clone());
    if errors == Errors::Return {
        // By another name it is a function of which nothing is known.
        let functions = units.iter_mut().flat_map(|u| &mut u.functions);
        functions.filter(|f| returning.is_some() && may_return(f)).for_each(|f| f.name.push_str("_returns"));
    }
    let mut models = match units.first() {
        Some(u) => models::load(env, &u.target)?,
        None => Vec::new(),
    };
    inputs_as_declared(&units, &mut models);
    conditions::as_numbers(&mut units);
    tail_calls::as_loops(&mut units);
    any_random_numbers(&mut models);
    what_is_open_is_kept(&mut models);
    let mut roots: Vec<String> = models::roots_of_program();
    roots.extend(options.entry.clone());
    let link = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    let linked = compile::link(units, &link)?;
    Ok((Arc::new(linked), returning))
}

/// The property is about calls of these functions, whatever a definition does or leaves undone (`void reach_error() {}`): they
/// have no body, and every call of one fails. Other properties that are asked at the same time lose nothing by that: where
/// no call is reached, no body is.
fn calls_are_errors(units: &mut [Module]) {
    for unit in units {
        // Another name for its body needs one, and so do addresses of its labels.
        let mut needed: Vec<SymbolRef> = unit.aliases.iter().map(|a| a.target).collect();
        for piece in unit.globals.iter().flat_map(|g| &g.init).flat_map(|i| &i.pieces) {
            if let InitData::BlockAddr { func, .. } = piece.data {
                needed.push(SymbolRef::Func(func));
            }
        }
        for (i, f) in unit.functions.iter_mut().enumerate() {
            if ERRORS.contains(&f.name.as_str())
                && f.body.is_some()
                && !needed.contains(&SymbolRef::Func(FuncId::new(i)))
            {
                f.body = None;
                f.comdat = None;
                f.linkage = Linkage::External;
            }
        }
    }
}

/// What is taken to happen after the call of an error function that has no body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    /// Nothing: it is the end of the execution.
    End,
    /// What stands there, unless its declaration says that it does not return.
    Return,
}

/// An error function that has no body, and whose declaration does not say that it does not return.
fn may_return(f: &Function) -> bool {
    ERRORS.contains(&f.name.as_str()) && f.body.is_none() && !f.attrs.noreturn
}

/// What holds of executions that end with `error` holds of those that go on after it, too, or it is not said.
fn after_errors(
    env: &Env,
    options: &CheckOptions,
    asked: &Asked,
    input: &ProgramInput,
    scan: &ScanOptions,
    stop: &Arc<StopFlag>,
    error: &str,
) -> anyhow::Result<Said> {
    let mut others = asked.clone();
    let (module, _) = build(env, options, &others, Errors::Return)?;
    let input = ProgramInput { module, ..input.clone() };
    let mut all = true;
    if others.properties.contains(&Property::Termination) {
        let said = crate::termination::decide(&input, scan, options, stop, &mut std::io::sink())?;
        all = matches!(said, Said::True);
        others.properties.retain(|p| *p != Property::Termination);
    }
    if all && !others.properties.is_empty() {
        let kinds = others.kinds();
        let scan = ScanOptions { kinds: Some(others.kinds_with_ends()), until: kinds, ..scan.clone() };
        let kiki = verify_kiki::Kiki::checking(kinds, options.mode);
        let graphs = verify_smg::Smg::checking(kinds);
        let (only, few) = (verify_kiki::OnlyExecution::short(kinds), verify_probe::States(FEW_STATES));
        let engines: [&dyn verify_engine::Engine; 5] = [&verify_kiki::ByFacts, &graphs, &only, &few, &kiki];
        let result = verify_engine::scan(vec![input], &engines, &scan, &Silent, stop);
        let program = &result.programs[0];
        all = matches!(verdict(program, &others, !scan.entries.is_empty()), Said::True)
            && foreign(program).is_none()
            && !rests_on_overflow(program, &others)
            && !open_numbers(program, &others);
    }
    Ok(if all { Said::True } else { Said::Unknown(format!("shown only if `{error}` does not return")) })
}

/// Nothing holds of what may do anything.
fn all_modelled(said: Said, m: &Module, entry: &str) -> Said {
    match said {
        Said::True => outside::unknown(m, entry).map_or(Said::True, |w| Said::Unknown(format!("unmodelled: {w}"))),
        said => said,
    }
}

/// A failing execution counts if its inputs are what they are called.
fn within_inputs(said: Said, m: &Module) -> Said {
    match (&said, wider_input(m)) {
        (Said::False(_), Some(name)) => Said::Unknown(format!("`{name}` is declared with a wider type than it has")),
        _ => said,
    }
}

/// An error function of the program that the property file does not name.
fn another_error(m: &Module, asked: &Asked) -> Option<&'static str> {
    let called = asked.called.as_ref()?;
    ERRORS.into_iter().find(|e| e != called && m.function_named(e).is_some())
}

/// Tasks name inputs as they like (`float __VERIFIER_nondet_double()`): one with another result than the model's is what
/// its declaration says, a function that returns any value of that type. The model is hidden from the linker.
fn inputs_as_declared(units: &[Module], models: &mut [Module]) {
    let input = |f: &Function| f.name.starts_with("__VERIFIER_nondet_");
    for declared in units.iter().flat_map(|u| &u.functions).filter(|f| input(f) && f.body.is_none()) {
        for model in models.iter_mut().flat_map(|m| &mut m.functions) {
            if model.name == declared.name && model.sig.results != declared.sig.results {
                model.linkage = Linkage::Internal;
            }
        }
    }
}

/// `rand` gives the numbers of one library otherwise, for runs that are compared with it. C promises no more than their
/// range, and what holds of those numbers only is not shown.
fn any_random_numbers(models: &mut [Module]) {
    for g in models.iter_mut().flat_map(|m| &mut m.globals).filter(|g| g.name == ANY_SEQUENCE) {
        let bytes = (0..g.size).map(|k| u8::from(k == 0)).collect();
        g.init = Some(Init { pieces: vec![InitPiece { offset: 0, data: InitData::Bytes(bytes) }] });
    }
}

/// That a program loses a stream that it has opened is a defect, and a scan says so. But memory that the library
/// points to (it flushes all streams in the end) is not lost by the rules of the competition.
fn what_is_open_is_kept(models: &mut [Module]) {
    for g in models.iter_mut().flat_map(|m| &mut m.globals) {
        if let Some(rest) = g.name.strip_prefix("__verify_weak_") {
            g.name = format!("__verify_kept_{rest}");
        }
    }
}

/// The engines are asked to stop in time to say something; a query that does not end is not waited for.
fn watch(limit: Duration, stop: &Arc<StopFlag>) {
    let stop = stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(limit.mul_f64(0.8));
        stop.set();
        std::thread::sleep(limit.mul_f64(0.15));
        let _ = say(&Said::Unknown("time".into()));
        std::process::exit(i32::from(exit::INCOMPLETE));
    });
}

/// Failures of accesses that depend on what a pointer is.
const ACCESSES: KindSet = KindSet::of(&[
    CheckKind::NullDeref,
    CheckKind::InvalidDeref,
    CheckKind::OutOfBoundsRead,
    CheckKind::OutOfBoundsWrite,
    CheckKind::UseAfterFree,
    CheckKind::UseAfterScope,
    CheckKind::ReadOnlyWrite,
    CheckKind::UninitRead,
]);

/// `alone`: executions start at a function that anybody may call.
fn verdict(p: &ProgramResult, asked: &Asked, alone: bool) -> Said {
    let mut unknown: Option<&UnknownReason> = None;
    let mut violated = Vec::new();
    let mut other = None;
    for (c, v) in p.checks.all.iter().zip(&p.verdicts) {
        let Some(property) = asked.violated_by(c.kind) else {
            // Lost memory is looked for when the program is over: it ends nothing. A `_Bool` is one of the two, however
            // little is known of it. And what pointers point to that are
            // handed to a function by itself is the caller's affair, unless it is asked about.
            let lent = |e: &Evidence| alone && ACCESSES.contains(c.kind) && e.on_input;
            // A failing assertion ends the program as C has it: nothing is left open behind it.
            let ends = !matches!(
                c.kind,
                CheckKind::Leak | CheckKind::InvalidValue | CheckKind::Assertion | CheckKind::ErrorCall
            );
            if matches!(v, Verdict::Violated(e) if ends && !lent(e)) {
                other = Some(c);
            }
            continue;
        };
        match v {
            // A call with other arguments than the function takes is undefined, and no access. It settles nothing.
            Verdict::Violated(_) if c.kind == CheckKind::InvalidCall => other = Some(c),
            Verdict::Violated(e) => violated.push((e.steps.len(), property)),
            Verdict::Unreachable | Verdict::Proved(_) => {}
            Verdict::Latent(_) => unknown = unknown.or(Some(&UnknownReason::NotProvedYet)),
            Verdict::Unknown(why) => unknown = Some(unknown.map_or(why, |u| telling(u, why))),
        }
    }
    // Several failures: the one that is reached soonest.
    if let Some((_, p)) = violated.iter().min() {
        return Said::False(p.name());
    }
    match unknown {
        None | Some(UnknownReason::NotProvedYet) if other.is_some() => {
            let c = other.map(|c| (c.kind, p.module.span(c.span).line));
            Said::Unknown(c.map_or_else(String::new, |(k, l)| format!("an execution ends before, by {k} in line {l}")))
        }
        None => Said::True,
        Some(UnknownReason::Threads) => Said::Unknown("threads".into()),
        Some(UnknownReason::NotProvedYet) => Said::Unknown("not proved".into()),
        Some(why) => Said::Unknown(why.to_string()),
    }
}

/// Everything that is asked is shown, for executions that end where a sum overflows.
fn overflow_alone_decides(p: &ProgramResult, asked: &Asked) -> bool {
    let all = || p.checks.all.iter().zip(&p.verdicts);
    let shown = |v: &Verdict| matches!(v, Verdict::Proved(_) | Verdict::Unreachable);
    let other = || all().filter(|(c, _)| asked.violated_by(c.kind).is_none() && c.kind != CheckKind::Leak);
    let mut ends = other().filter(|(_, v)| matches!(v, Verdict::Violated(_))).map(|(c, _)| c.kind).peekable();
    all().all(|(c, v)| asked.violated_by(c.kind).is_none() || shown(v))
        && ends.peek().is_some()
        && ends.all(|k| k == CheckKind::SignedOverflow)
}

/// Everything that is asked is shown, and sums may overflow for all that is known: executions were taken to end there.
fn rests_on_overflow(p: &ProgramResult, asked: &Asked) -> bool {
    let mut open = p.checks.all.iter().zip(&p.verdicts).filter(|(c, _)| asked.violated_by(c.kind).is_none());
    open.any(|(c, v)| c.kind == CheckKind::SignedOverflow && !matches!(v, Verdict::Proved(_) | Verdict::Unreachable))
}

/// Operations on numbers that have no value for some operands, after which a machine goes on with one or another.
const NUMBERS: KindSet = KindSet::of(&[CheckKind::ShiftRange, CheckKind::FloatCast]);

/// Nobody asked about such operations, and for all that is known one may have no value.
fn open_numbers(p: &ProgramResult, asked: &Asked) -> bool {
    let mut unasked = p.checks.all.iter().zip(&p.verdicts).filter(|(c, _)| asked.violated_by(c.kind).is_none());
    unasked.any(|(c, v)| NUMBERS.contains(c.kind) && !matches!(v, Verdict::Proved(_) | Verdict::Unreachable))
}

/// The reason that says more.
fn telling<'a>(a: &'a UnknownReason, b: &'a UnknownReason) -> &'a UnknownReason {
    let rank = |r: &UnknownReason| match r {
        UnknownReason::Threads => 0,
        UnknownReason::Time => 1,
        UnknownReason::Unmodelled(_) => 2,
        UnknownReason::Abstraction(_) => 3,
        UnknownReason::Budget(_) => 4,
        UnknownReason::NotProvedYet => 5,
    };
    if rank(b) < rank(a) { b } else { a }
}

fn print(result: &verify_engine::result::ScanResult) -> anyhow::Result<()> {
    let program = &result.programs[0];
    let mut w = std::io::BufWriter::new(Out::lock());
    if program.verdicts.iter().any(|v| matches!(v, Verdict::Violated(_))) {
        let dir = std::env::current_dir().unwrap_or_default();
        let mut options = verify_report::terminal::Options::new(&dir);
        options.max_findings = 3;
        verify_report::terminal::write(result, &options, &mut w)?;
    }
    if !program.externals.is_empty() {
        writeln!(w, "functions without a body (any result, no effect): {}", program.externals.join(", "))?;
    }
    for d in &program.diagnostics {
        writeln!(w, "note: {d}")?;
    }
    w.flush()?;
    Ok(())
}

fn say(said: &Said) -> anyhow::Result<u8> {
    let (text, code) = match said {
        Said::True => ("TRUE".to_string(), exit::CLEAN),
        Said::False(p) => (format!("FALSE({p})"), exit::VIOLATED),
        Said::Unknown(why) => (format!("UNKNOWN({})", why.replace(['\n', '\r'], " ")), exit::INCOMPLETE),
    };
    let mut out = Out::lock();
    writeln!(out, "VERDICT: {text}")?;
    out.flush()?;
    Ok(code)
}
