//! Runs and replays. A recorded execution counts only after a fresh interpreter, given the recorded choices, failed
//! the same check: [`confirm`]. Anything else is a defect of this tool and reported as one, never as a verdict.

use crate::evidence;
use crate::log::Log;
use crate::result::Evidence;
use crate::rules::Ruled;
use crate::start::Start;
use crate::subject::{Attribution, Subject};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use verify_checks::CheckId;
use verify_interp::{
    Config, End, ExternalPolicy, Interp, Origin, Outcome, Question, Recording, Replay, Script, ScriptStop,
};
use verify_ir::{Block, FuncId};

/// Events kept while replaying for evidence.
const TRACE: usize = 1 << 16;

/// How a start is run, apart from its budget.
pub fn config(start: &Start) -> Config {
    Config {
        externals: ExternalPolicy::Havoc,
        leaks_at_exit: matches!(start, Start::Main(_)),
        leaks_at_return: matches!(start, Start::Function(_)),
        contract_caller: matches!(start, Start::Sequence(_)),
        max_memory: 256 << 20,
        max_depth: 4_000,
        ..Config::default()
    }
}

/// Functions that start threads; an execution is not followed past them.
pub const THREAD_STARTERS: &[&str] = &["pthread_create", "thrd_create", "clone", "clone3"];

/// Refuses to go on where a thread is started.
struct NoThreads<'a>(&'a mut dyn Script);

impl Script for NoThreads<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        if let Question::Scalar { origin: Origin::External(name), .. }
        | Question::Pointer { origin: Origin::External(name), .. } = q
            && THREAD_STARTERS.contains(name)
        {
            return Err(ScriptStop::GaveUp);
        }
        self.0.choose(q)
    }

    fn watches(&self) -> bool {
        self.0.watches()
    }

    fn visit(&mut self, state: u64) -> Result<(), ScriptStop> {
        self.0.visit(state)
    }
}

/// Runs a start with a script.
pub fn run(subject: &Subject, start: &Start, script: &mut dyn Script, config: &Config) -> Outcome {
    let script = &mut Ruled { rules: subject.draft.rules, inner: &mut NoThreads(script) };
    let mut config = config.clone();
    subject.draft.rules.configure(&mut config);
    let config = &config;
    let interp = Interp::new(&subject.program, config);
    let mut outcome = match start {
        Start::Main(args) => interp.run_main(args, &[], script, None),
        Start::Function(f) => interp.run_function(*f, script, None),
        Start::Sequence(n) => interp.run_function(subject.sequence_function(*n), script, None),
    };
    // A huge copy is charged before it fails its bounds check.
    outcome.steps = outcome.steps.min(config.max_steps);
    outcome
}

/// How a program runs that nobody answers anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alone {
    /// To its end, with every check passed, in two layouts of its objects, and without reading a number from bytes of an
    /// address.
    Passes {
        /// The functions that ran, and which of their blocks.
        ran: Vec<(FuncId, BTreeSet<Block>)>,
        /// The system was asked to write, and wrote.
        wrote: bool,
    },
    /// It fails a check, after so many steps; what it wrote before was written.
    Fails(CheckId, u64),
    /// It asks for something (input, a result of unknown code, what nobody has written), or too long.
    Unknown,
}

/// Runs the program from `main`, without arguments, with no answers at all. With the steps that took.
pub fn alone(subject: &Subject, max_steps: u64, leaks: bool) -> (Alone, u64) {
    let start = Start::Main(vec![b"program".to_vec()]);
    let mut config = Config { max_steps, leaks_at_exit: leaks, coverage: true, ..config(&start) };
    subject.draft.rules.configure(&mut config);
    config.uninit_is_arbitrary = false;
    let mut steps = Vec::new();
    let mut covered = Vec::new();
    let (mut looked, mut wrote) = (false, false);
    for ask_bases in [false, true] {
        let mut gaps = 0;
        let mut nobody = |q: &Question<'_>| match q {
            Question::Gap { .. } => {
                gaps = (gaps * 5 + 3) % 16;
                Ok(gaps)
            }
            // What kind of file the output is decides when it is written.
            Question::Syscall { what, natural, .. } if *what == "write" || what.starts_with("stat") => {
                wrote = true;
                Ok(*natural as u64)
            }
            _ => Err(ScriptStop::GaveUp),
        };
        let script = &mut Ruled { rules: subject.draft.rules, inner: &mut nobody };
        let config = Config { ask_bases, ..config.clone() };
        let o = Interp::new(&subject.program, &config).run_main(&[b"program".to_vec()], &[], script, None);
        steps.push(o.steps);
        let said = match &o.end {
            End::Exited(_) | End::Aborted if o.externals.is_empty() => None,
            End::Failed(f) => match subject.attribute(f) {
                Attribution::Check(c) => Some(Alone::Fails(c, o.steps)),
                _ => Some(Alone::Unknown),
            },
            _ => Some(Alone::Unknown),
        };
        if let Some(said) = said {
            return (said, steps.iter().sum());
        }
        covered.push(o.coverage.unwrap_or_default());
        looked |= o.addresses_read;
    }
    let program = &subject.program;
    let all = (0..subject.module().functions.len()).map(FuncId::new);
    let blocks = |f: FuncId| -> BTreeSet<Block> {
        program.edges_of(f).filter(|e| covered[0].get(*e)).filter_map(|e| program.edge(e)).map(|e| e.to).collect()
    };
    let ran = || all.map(|f| (f, blocks(f))).filter(|(_, b)| !b.is_empty()).collect();
    let same = steps[0] == steps[1] && covered[0] == covered[1] && !looked;
    let said = if same { Alone::Passes { ran: ran(), wrote } } else { Alone::Unknown };
    (said, steps.iter().sum())
}

/// An execution that was replayed. Made by [`confirm`] only: what was written down once is confirmed again when it is read
/// ([`crate::memory`]).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayedTrace {
    start: Start,
    recording: Recording,
    check: CheckId,
    steps: u64,
}

impl ReplayedTrace {
    /// Where it starts.
    pub fn start(&self) -> &Start {
        &self.start
    }
    /// Its choices.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
    /// The check it fails.
    pub fn check(&self) -> CheckId {
        self.check
    }
    /// Steps of the execution.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// A confirmed failure.
pub struct Confirmed {
    /// The certificate's content.
    pub trace: ReplayedTrace,
    /// For people.
    pub evidence: Evidence,
    /// Functions without a body whose results the execution uses.
    pub externals: Vec<String>,
}

/// Replays a recording, which must fail `check`. The error says what happened instead.
pub fn confirm(subject: &Subject, start: &Start, recording: &Recording, check: CheckId) -> Result<Confirmed, String> {
    confirm_late(subject, start, recording, check, 0)
}

/// The same for an execution that is known to take long: the trace and the path begin after that many steps.
///
/// # Errors
/// As [`confirm`].
pub fn confirm_late(
    subject: &Subject,
    start: &Start,
    recording: &Recording,
    check: CheckId,
    trace_from: u64,
) -> Result<Confirmed, String> {
    let mut log = Log::new(Replay::new(recording));
    let ask_contents = recording.has_contents();
    let config = Config { trace: TRACE, path: true, trace_from, ask_contents, ..config(start) };
    let outcome = run(subject, start, &mut log, &config);
    let c = subject.checks.get(check);
    let wanted = || format!("{} in `{}`", c.kind, subject.module().func(c.func).name);
    match &outcome.end {
        End::Failed(f) if subject.attribute(f) == Attribution::Check(check) => {
            let evidence = evidence::build(subject, start, &log.choices, recording, &outcome, f);
            let trace =
                ReplayedTrace { start: start.clone(), recording: recording.clone(), check, steps: outcome.steps };
            Ok(Confirmed { trace, evidence, externals: outcome.externals.clone() })
        }
        End::Failed(f) => Err(format!("replay of {} failed {} instead", wanted(), f.kind)),
        End::Stopped(s) => Err(format!("replay of {} stopped: {s}", wanted())),
        _ => Err(format!("replay of {} did not fail", wanted())),
    }
}
