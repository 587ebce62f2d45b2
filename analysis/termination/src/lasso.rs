//! An execution that never ends, shown by the interpreter: it comes back to a state that it was in before, or to a call like one that
//! is still in progress, under choices that may be made again. Which choices to try: the dull ones, some at random, and models of formulas that unwind the loops a
//! little, first those in which a loop comes back to an earlier state.

use crate::session::Session;
use verify_encode::{Domain, Encoder, Mode, Root};
use verify_engine::replay;
use verify_engine::{Start, Subject};
use verify_interp::{Config, End, Natural, Origin, Question, Recorder, Recording, Replay, Script, Seeded, Stop};
use verify_ir::FuncId;
use verify_kiki::choices::{self, Choices, FromModel};
use verify_kiki::infer::Ask;
use verify_solver::{Outcome, Term};

/// Steps of one run.
const STEPS: u64 = 3_000_000;
/// Runs with choices at random before anything else is tried, and where that did not do.
const FIRST: u64 = 12;
const RANDOM: u64 = 192;
/// Steps after which no other run at random begins.
const RANDOM_STEPS: u64 = 6 * STEPS;
/// Unwindings of loops that are looked at.
const UNWINDINGS: [u32; 3] = [1, 3, 8];
/// Models of each.
const MODELS: u32 = 4;

/// An execution that never ends. Made by [`confirm`] only.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// What it begins with.
    pub start: Start,
    /// Its choices up to where the state repeats.
    pub recording: Recording,
    /// How many of them come before the part that repeats is not recorded; steps until the state is reached first.
    pub stem: u64,
    /// Steps until it is reached again.
    pub steps: u64,
    /// Line where that is, and the innermost function's file.
    pub line: u32,
}

/// `main` has the arguments, the program's name included; what any other function is handed are choices.
pub(crate) fn begin(subject: &Subject, entry: FuncId, arguments: Vec<Vec<u8>>) -> Start {
    if subject.module().func(entry).name == "main" { Start::Main(arguments) } else { Start::Function(entry) }
}

/// So many arguments of which nothing is known.
fn several(count: usize) -> Vec<Vec<u8>> {
    let mut args = vec![b"program".to_vec()];
    args.resize(count, b"a".to_vec());
    args
}

/// Runs with a script; the lasso that came of it, replayed.
fn attempt(subject: &Subject, start: Start, script: &mut dyn Script, spent: &mut u64) -> Option<Lasso> {
    let mut recorder = Recorder::new(Forward(script));
    let config = Config { lasso: true, max_steps: STEPS, ..replay::config(&start) };
    let outcome = replay::run(subject, &start, &mut recorder, &config);
    *spent += outcome.steps;
    if !matches!(outcome.end, End::Stopped(Stop::Repeats { .. })) {
        return None;
    }
    confirm(subject, start, recorder.into_recording())
}

/// Replays a recording, which must end in a state that repeats.
fn confirm(subject: &Subject, start: Start, recording: Recording) -> Option<Lasso> {
    let run = |max_steps| {
        let config = Config { lasso: true, max_steps, ..replay::config(&start) };
        let mut script = Watched { inner: Replay::new(&recording), again: Vec::new() };
        let outcome = replay::run(subject, &start, &mut script, &config);
        (outcome, script.again)
    };
    let (outcome, choices) = run(2 * STEPS);
    let End::Stopped(Stop::Repeats { from, to, span }) = outcome.end else { return None };
    // Choices are made again and again in the part that repeats: those after the state was reached first. A run stops where
    // control has gone beyond its steps, which is before any choice that comes after the state.
    let (_, before) = run(from.saturating_sub(1));
    if !choices.get(before.len()..)?.iter().all(|again| *again) {
        return None;
    }
    let line = subject.module().span(span).line;
    Some(Lasso { start, recording, stem: from, steps: to, line })
}

/// Notes of each choice whether the environment may make it again for ever.
struct Watched<'a> {
    inner: Replay<'a>,
    again: Vec<bool>,
}

impl Script for Watched<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, verify_interp::ScriptStop> {
        let answer = self.inner.choose(q)?;
        self.again.push(repeatable(q) && lasting(q, answer));
        Ok(answer)
    }
}

/// What the rules say may be any value each time.
pub(crate) fn is_input(what: &str) -> bool {
    what.starts_with("__VERIFIER_nondet_")
}

/// Inputs come in any order for ever, and what is not initialised may be the same every time. Everything else that is
/// asked of the system has a state that is not seen here: a descriptor is closed once, clocks go on.
fn repeatable(q: &Question<'_>) -> bool {
    match q {
        Question::Nondet { what } => is_input(what),
        Question::Bytes { what, .. } => is_input(what) || *what == "read",
        Question::Syscall { what, .. } => matches!(*what, "read" | "write"),
        Question::Uninit { .. } => true,
        Question::Scalar { origin, .. } => matches!(origin, Origin::External(_)),
        _ => false,
    }
}

/// May the system give this answer for ever? A `write` that has something to write does not go on writing nothing, and signals
/// do not interrupt every call.
fn lasting(q: &Question<'_>, answer: u64) -> bool {
    const INTERRUPTED: i64 = -4;
    match q {
        Question::Syscall { what: "write", max: 1.., .. } => !matches!(answer as i64, 0 | INTERRUPTED),
        Question::Syscall { what: "read", .. } => answer as i64 != INTERRUPTED,
        _ => true,
    }
}

/// Inputs at random that mostly come again after a few: a loop that asks whether to go on is not left soon, and not in a new way
/// each time.
struct Periodic {
    random: Seeded,
    period: usize,
    given: Vec<u64>,
}

impl Script for Periodic {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, verify_interp::ScriptStop> {
        let fresh = self.random.choose(q)?;
        if !repeatable(q) {
            return Ok(fresh);
        }
        let again = self.given.len().checked_sub(self.period).map(|i| self.given[i]);
        let answer = again.filter(|_| !self.random.next_u64().is_multiple_of(64)).unwrap_or(fresh);
        self.given.push(answer);
        Ok(answer)
    }
}

pub(crate) struct Forward<'a>(pub(crate) &'a mut dyn Script);

impl Script for Forward<'_> {
    fn choose(&mut self, q: &verify_interp::Question<'_>) -> Result<u64, verify_interp::ScriptStop> {
        self.0.choose(q)
    }
}

/// Runs that cost little: the dull one and the first at random.
pub fn by_running(subject: &Subject, entry: FuncId, stop: &dyn Fn() -> bool) -> Option<Lasso> {
    let mut spent = 0;
    let dull = attempt(subject, begin(subject, entry, several(1)), &mut Natural, &mut spent);
    dull.or_else(|| at_random(subject, entry, 1..=FIRST, stop))
}

/// More runs at random.
pub fn by_running_on(subject: &Subject, entry: FuncId, stop: &dyn Fn() -> bool) -> Option<Lasso> {
    at_random(subject, entry, FIRST + 1..=RANDOM, stop)
}

fn at_random(
    subject: &Subject,
    entry: FuncId,
    seeds: std::ops::RangeInclusive<u64>,
    stop: &dyn Fn() -> bool,
) -> Option<Lasso> {
    let mut spent = 0;
    for seed in seeds {
        if stop() || spent > RANDOM_STEPS {
            break;
        }
        let start = begin(subject, entry, several(1 + seed as usize % 4));
        let mut random = Seeded::new(seed);
        let l = match seed % 8 {
            n @ (1 | 3 | 5 | 7) => {
                let mut script = Periodic { random, period: n.div_ceil(2) as usize, given: Vec::new() };
                attempt(subject, start, &mut script, &mut spent)
            }
            _ => attempt(subject, start, &mut random, &mut spent),
        };
        if l.is_some() {
            return l;
        }
    }
    None
}

/// Runs that formulas suggest.
pub fn by_models(
    subject: &Subject,
    encoder: Encoder<'_>,
    entry: FuncId,
    limits: &crate::prove::Limits,
    stop: &dyn Fn() -> bool,
) -> Option<Lasso> {
    let mut s = Session::new(encoder, limits.conflicts / 2, stop);
    let mut spent = 0;
    for k in UNWINDINGS {
        let plan = crate::prove::plan(Root::Program(entry), Mode::Bounded, k, Domain::Nothing, limits);
        let Ok(f) = s.encode(&plan) else { return None };
        let groups: [&[Term]; 2] = [&f.laps, &f.unwound];
        for (g, group) in groups.into_iter().enumerate() {
            let mut left: Vec<Term> = group.to_vec();
            for _ in 0..MODELS {
                if left.is_empty() || s.exhausted() || spent > 30 * STEPS {
                    break;
                }
                if !matches!(s.any(&left, &[]), Outcome::Sat) {
                    break;
                }
                let choices: Choices = choices::of_model(&f.events, &Default::default(), |t| s.value(t));
                let hit: Vec<Term> = left.iter().copied().filter(|t| s.value(*t).is_one()).collect();
                let mut script = FromModel::new(&choices);
                let start = begin(subject, entry, choices.arguments.clone());
                if let Some(l) = attempt(subject, start, &mut script, &mut spent) {
                    return Some(l);
                }
                // One loop after the other.
                left.retain(|t| !hit.contains(t));
            }
            if g == 1 && f.unwound.is_empty() {
                return None;
            }
        }
    }
    None
}
