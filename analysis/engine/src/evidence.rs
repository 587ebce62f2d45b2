//! Evidence for people: the call with its values, the path, the values along it.

use crate::log::{Asked, Choice};
use crate::made_up::made_up;
use crate::result::{Evidence, TraceStep};
use crate::sequence::{Arg, param_name};
use crate::start::{Start, encode};
use crate::subject::Subject;
use crate::values::{Inputs, quote_bytes};
use std::collections::{BTreeMap, BTreeSet};
use verify_checks::calls::is_model;
use verify_checks::defs::Defs;
use verify_checks::expr::Exprs;
use verify_interp::{Failure, FrameInfo, Outcome, PathStep, Recording, TraceEvent, TraceKind};
use verify_ir::{FuncId, Module, SpanId, Terminator};

/// Steps of the loop-free path that are kept: in the innermost call of the path, in each other one, in all; and steps
/// with those beside the path, up to which the last ones of the execution are added.
const INNERMOST: usize = 60;
const OUTER: usize = 12;
const PATH: usize = 150;
const STEPS: usize = 60;
/// Input values listed at the first step.
const LISTED: usize = 40;

/// Makes the evidence of a replayed failure.
pub fn build(
    subject: &Subject,
    start: &Start,
    choices: &[Choice],
    recording: &Recording,
    outcome: &Outcome,
    failure: &Failure,
) -> Evidence {
    let module = subject.program.module();
    let inputs = Inputs::new(module, choices);
    // Who names an entry says what it may be called with.
    let declared = matches!(start, Start::Function(f) if subject.draft.roots.entries.contains(f));
    let made_up = if declared { None } else { made_up(module, subject.ownership(), choices, failure) };
    let user = place(module, outcome, failure);
    let entry = match start {
        Start::Main(_) => subject.draft.roots.entries.first().copied().unwrap_or(user.func),
        Start::Function(f) => *f,
        Start::Sequence(_) => {
            failure.stack.iter().rev().map(|f| f.func).find(|f| !subject.is_sequence(*f)).unwrap_or(user.func)
        }
    };
    let mut steps = vec![TraceStep {
        span: module.func(entry).span,
        func: entry,
        depth: 0,
        message: format!("execution starts at `{}`", module.func(entry).name),
        values: given(module, &inputs, outcome),
        on_path: true,
    }];
    let given = steps[0].values.clone();
    // What parameters begin with is said already.
    let said = |s: &TraceStep| {
        s.message.is_empty() && s.depth == 0 && s.func == entry && s.values.iter().all(|v| given.contains(v))
    };
    steps.extend(path(subject, module, outcome, failure).into_iter().filter(|s| !said(s)));
    let mut seen = BTreeSet::new();
    steps.push(TraceStep {
        span: user.span,
        func: user.func,
        depth: depth_of_user_frame(subject, failure),
        message: failure.message.clone(),
        values: failure
            .values
            .iter()
            // Of a function that calls itself, the innermost call.
            .filter(|v| v.func == user.func && seen.insert(&v.name) && v.name != v.value)
            .map(|v| (v.name.clone(), v.value.clone()))
            .collect(),
        on_path: true,
    });
    Evidence {
        entry,
        call: call_text(subject, start, &inputs, calls_made(subject, outcome)),
        message: failure.message.clone(),
        span: user.span,
        func: user.func,
        on_input: failure.object.as_ref().is_some_and(|o| o.kind == "input")
            || failure.object.is_none()
                && choices.iter().any(|c| matches!(c.what, Asked::Pointer { .. }) && c.value == 0),
        steps,
        notes: failure.notes.iter().map(|n| (n.span, n.text.clone())).collect(),
        condition: None,
        made_up,
        bodiless: if declared || matches!(start, Start::Main(_)) { outcome.externals.clone() } else { Vec::new() },
        waypoints: crate::waypoints::of(module, &outcome.trace, choices),
        recording: encode(start, &subject.sequences, recording),
        choices: choices.to_vec(),
    }
}

/// The position that users see. What fails when `main` has returned and only the library runs stands where it returned, as
/// the check does.
fn place(module: &Module, outcome: &Outcome, failure: &Failure) -> FrameInfo {
    let inner = *failure.user_frame();
    let Some(main) = module.function_named("main").filter(|_| inner.model) else { return inner };
    let returned = outcome.trace.iter().rev().find(|e| e.func == main && matches!(e.kind, TraceKind::Return { .. }));
    let ends =
        |b: &verify_ir::Body| b.blocks.iter().find(|b| matches!(b.term, Terminator::Return(_))).map(|b| b.term_span);
    let span = returned.map(|e| e.span).or_else(|| module.func(main).body.as_ref().and_then(ends));
    span.map_or(inner, |span| FrameInfo { func: main, span, ..inner })
}

fn depth_of_user_frame(subject: &Subject, failure: &Failure) -> u32 {
    let inner = failure.stack.iter().take_while(|f| f.model).count();
    let outer = failure.stack.iter().filter(|f| subject.is_sequence(f.func)).count();
    failure.stack.len().saturating_sub(1 + inner + outer) as u32
}

/// What the execution was given: its inputs, and what the library made of the world outside.
fn given(module: &Module, inputs: &Inputs<'_>, outcome: &Outcome) -> Vec<(String, String)> {
    let mut values = inputs.listed(LISTED);
    let results = outcome.results.iter().filter(|(f, _)| !module.func(*f).name.starts_with("__VERIFIER_nondet_"));
    // What an allocation that succeeds returns says nothing.
    let results = results.filter(|(_, value)| !value.starts_with("heap object"));
    values.extend(results.map(|(f, value)| (format!("{}()", module.func(*f).name), value.clone())));
    values.truncate(LISTED);
    values
}

/// A choice that the compiler has made of how a scope is left, not a `switch` of the source.
fn is_cleanup(module: &Module, e: &TraceEvent) -> bool {
    let span = module.span(e.span);
    let line = || module.files.get(span.file.index())?.text.as_ref()?.lines().nth((span.line as usize).checked_sub(1)?);
    matches!(e.kind, TraceKind::Switch { .. })
        && line().is_some_and(|l| {
            // The name of a macro may stand where the `switch` is.
            let at = l.get((span.column as usize).saturating_sub(1)..).unwrap_or("");
            at.starts_with("for") || at.starts_with("while") || at.starts_with("do") || at.starts_with('}')
        })
}

/// An event that is told.
struct Told<'a> {
    event: &'a TraceEvent,
    /// A call that has returned, with its result.
    returned: Option<Option<&'a str>>,
    /// The variable that the result is assigned to next.
    into: Option<&'a str>,
    on_path: bool,
}

/// The loop-free path to the failure, and as many of the last events beside it as there is room for.
fn chosen<'a>(subject: &Subject, module: &Module, outcome: &'a Outcome) -> Vec<Told<'a>> {
    let user = |e: &TraceEvent| {
        !subject.is_sequence(e.func) && !is_model(module, module.func(e.func)) && !is_cleanup(module, e)
    };
    let mut path: Vec<&PathStep> = outcome.path.iter().filter(|s| user(&s.event)).collect();
    let innermost = path.iter().map(|s| s.event.depth).max();
    let mut of_call: BTreeMap<u32, usize> = BTreeMap::new();
    path.reverse();
    path.retain(|s| {
        let n = of_call.entry(s.event.depth).or_default();
        *n += 1;
        *n <= if Some(s.event.depth) == innermost { INNERMOST } else { OUTER }
    });
    path.reverse();
    if path.len() > PATH {
        // Calls that are open say most, then what came last.
        let open = |s: &PathStep| matches!(s.event.kind, TraceKind::Call { .. }) && s.returned.is_none();
        path.sort_by_key(|s| (!open(s), std::cmp::Reverse(s.event.nr)));
        path.truncate(PATH);
        path.sort_by_key(|s| s.event.nr);
    }
    let on_path: BTreeSet<u64> = path.iter().map(|s| s.event.nr).collect();
    let room = STEPS.saturating_sub(path.len());
    let beside = outcome.trace.iter().rev().filter(|e| user(e) && !on_path.contains(&e.nr)).take(room);
    let mut all: Vec<_> = beside.map(|event| Told { event, returned: None, into: None, on_path: false }).collect();
    let mut path = path.into_iter().peekable();
    while let Some(PathStep { event, returned }) = path.next() {
        let returned = returned.as_ref().map(|r| r.as_deref());
        let into = path.next_if(|next| {
            // `x = f()` is one step.
            next.event.depth == event.depth
                && matches!(&next.event.kind, TraceKind::Assign { value, .. } if returned == Some(Some(value)))
        });
        let into = into.and_then(|s| match &s.event.kind {
            TraceKind::Assign { var, .. } => Some(var.as_str()),
            _ => None,
        });
        all.push(Told { event, returned, into, on_path: true });
    }
    all.sort_by_key(|s| s.event.nr);
    all
}

/// The chosen events as steps, with depths from the entry.
fn path(subject: &Subject, module: &Module, outcome: &Outcome, failure: &Failure) -> Vec<TraceStep> {
    let outer = failure.stack.iter().filter(|f| subject.is_sequence(f.func)).count() as u32;
    let mut conditions = Conditions::default();
    let mut steps: Vec<TraceStep> = Vec::new();
    for Told { event: e, returned, into, on_path } in chosen(subject, module, outcome) {
        let depth = e.depth.saturating_sub(outer);
        let step = |message, values| TraceStep { span: e.span, func: e.func, depth, message, values, on_path };
        let (message, values) = match &e.kind {
            TraceKind::Branch { taken } => {
                let truth = if *taken { "true" } else { "false" };
                match conditions.text(module, e.func, e.span) {
                    Some(c) => (format!("`{c}` is {truth}"), vec![]),
                    None => (e.describe(module), vec![]),
                }
            }
            // An object that was handed in goes by the name of the parameter.
            TraceKind::Assign { var, value } if var == value => continue,
            TraceKind::Assign { var, value } => {
                if let Some(last) = steps.last_mut()
                    && last.func == e.func
                    && last.message.is_empty()
                    && last.values.len() < 8
                    && last.span == e.span
                    && last.on_path == on_path
                {
                    last.values.push((var.clone(), value.clone()));
                    continue;
                }
                (String::new(), vec![(var.clone(), value.clone())])
            }
            TraceKind::Call { .. } => match (returned, into) {
                (Some(Some(value)), Some(var)) => (e.describe(module), vec![(var.into(), value.into())]),
                (Some(Some(value)), None) => (format!("{}, which returns {value}", e.describe(module)), vec![]),
                (Some(None), _) => (format!("{}, which returns", e.describe(module)), vec![]),
                (None, _) => (e.describe(module), vec![]),
            },
            _ => (e.describe(module), vec![]),
        };
        steps.push(step(message, values));
    }
    steps
}

/// Texts of branch conditions, computed once per function.
#[derive(Default)]
struct Conditions(BTreeMap<FuncId, BTreeMap<SpanId, String>>);

impl Conditions {
    fn text(&mut self, module: &Module, func: FuncId, span: SpanId) -> Option<&str> {
        let table = self.0.entry(func).or_insert_with(|| {
            let f = module.func(func);
            let mut table = BTreeMap::new();
            let Some(body) = &f.body else { return table };
            let defs = Defs::new(body);
            let exprs = Exprs::new(module, f, &defs);
            for b in &body.blocks {
                if let Terminator::Branch { cond, .. } = &b.term
                    && let Some(t) = exprs.value(cond)
                {
                    table.entry(b.term_span).or_insert(t);
                }
            }
            table
        });
        table.get(&span).map(String::as_str)
    }
}

/// How many calls of a sequence the execution came to, if its trace goes back to the beginning.
fn calls_made(subject: &Subject, outcome: &Outcome) -> Option<usize> {
    let made = |e: &&TraceEvent| subject.is_sequence(e.func) && matches!(e.kind, TraceKind::Call { .. });
    let whole = outcome.trace.first().is_some_and(|e| e.nr == 0);
    whole.then(|| outcome.trace.iter().filter(made).count()).filter(|&n| n > 0)
}

/// The call that an execution starts with, of a sequence the first `made`.
fn call_text(subject: &Subject, start: &Start, inputs: &Inputs<'_>, made: Option<usize>) -> String {
    let module = subject.module();
    match start {
        Start::Main(args) if args.len() <= 1 => "main()".to_string(),
        Start::Main(args) => {
            let list: Vec<String> = args.iter().map(|a| quote_bytes(a)).collect();
            format!("main(argc = {}, argv = {{{}}})", args.len(), list.join(", "))
        }
        Start::Function(f) => {
            let func = module.func(*f);
            let args: Vec<String> = (0..func.sig.params.len())
                .map(|i| {
                    let v = inputs.param(i as u32).unwrap_or_else(|| "any".into());
                    format!("{} = {v}", param_name(module, *f, i))
                })
                .collect();
            format!("{}({})", func.name, args.join(", "))
        }
        Start::Sequence(n) => {
            let s = &subject.sequences[*n as usize];
            let calls: Vec<String> = s
                .calls
                .iter()
                .enumerate()
                .take(made.unwrap_or(usize::MAX))
                .map(|(k, c)| {
                    let args: Vec<String> = c
                        .args
                        .iter()
                        .enumerate()
                        .map(|(i, a)| {
                            let v = match a {
                                Arg::Free(p) => {
                                    let name = &s.params[*p as usize].name;
                                    match inputs.param(*p) {
                                        Some(v) if first_use(s, *p) == (k, i) => v,
                                        _ => name.clone(),
                                    }
                                }
                                Arg::Result(r) => format!("r{}", r + 1),
                                Arg::Pointee { param, .. } => format!("*{}", s.params[*param as usize].name),
                            };
                            format!("{} = {v}", param_name(module, c.func, i))
                        })
                        .collect();
                    let used = s.calls.iter().any(|c| c.args.contains(&Arg::Result(k as u32)));
                    let name = &module.func(c.func).name;
                    let prefix = if used { format!("r{} = ", k + 1) } else { String::new() };
                    format!("{prefix}{name}({})", args.join(", "))
                })
                .collect();
            once(&calls).join("; ")
        }
    }
}

/// The same call several times in a row is told once.
fn once(calls: &[String]) -> Vec<String> {
    let same = calls.chunk_by(|a, b| a == b);
    same.map(|c| if c.len() > 1 { format!("{} ({} times)", c[0], c.len()) } else { c[0].clone() }).collect()
}

fn first_use(s: &crate::sequence::Sequence, p: u32) -> (usize, usize) {
    for (k, c) in s.calls.iter().enumerate() {
        if let Some(i) = c.args.iter().position(|a| *a == Arg::Free(p)) {
            return (k, i);
        }
    }
    (usize::MAX, 0)
}
