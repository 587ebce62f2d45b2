//! What an execution did, as the formula should have it.

use std::collections::{BTreeMap, VecDeque};
use verify_checks::{CheckId, Checks, Frame};
use verify_encode::{call_stack_number, is_output};
use verify_engine::Rules;
use verify_facts::{LoopForest, LoopId};
use verify_interp::{End, Observed, Outcome, Question, ScriptStop, Seeded, Stop};
use verify_ir::{Block, FuncId, Loc, Module};

/// Kinds of choices that are events of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Fail,
    Nondet,
    Bytes,
    Uninit,
    External,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Value {
        func: FuncId,
        loc: Loc,
        result: u32,
        limbs: Vec<u64>,
        defined: bool,
        in_stack: Option<u64>,
        /// The calls in progress, of user code.
        calls: u64,
    },
    /// For bytes, one a limb; with the calls in progress.
    Choice(Kind, Vec<u64>, u64),
    Returned(Vec<u64>),
}

/// One answer, in the order of the questions. `None`: no event of a formula.
type Logged = Option<(Kind, Vec<u64>, bool)>;

/// Random answers under rules, written down.
pub struct Script {
    inner: Seeded,
    rules: Rules,
    log: VecDeque<Logged>,
}

impl Script {
    pub fn new(seed: u64, rules: Rules) -> Script {
        Script { inner: Seeded::new(seed), rules, log: VecDeque::new() }
    }
}

impl verify_interp::Script for Script {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        if let Some(a) = self.rules.answer(q) {
            self.log.push_back(None);
            return Ok(a);
        }
        let v = q.reduce(match q {
            Question::Syscall { .. } => q.natural(),
            _ => self.inner.choose(q)?,
        });
        let one = |k| Some((k, vec![v], true));
        self.log.push_back(match q {
            Question::Fail { .. } => one(Kind::Fail),
            Question::Nondet { .. } => one(Kind::Nondet),
            Question::Bytes { what, .. } if *what == "read" => None,
            Question::Bytes { at, count, .. } => {
                Some((Kind::Bytes, (0..*count).map(|i| v >> (8 * i) & 0xff).collect(), *at == 0))
            }
            Question::Uninit { .. } if self.rules.uninit_is_arbitrary => one(Kind::Uninit),
            Question::Scalar { part, .. } => Some((Kind::External, vec![v], *part == 0)),
            _ => None,
        });
        Ok(v)
    }
}

/// A step with what is needed to leave iterations out.
enum Step {
    Item(Item),
    Enter(FuncId),
    Leave,
    Block(Block),
}

/// What happens in these functions of the library is not followed, or only in part.
fn quiet(name: &str) -> bool {
    is_output(name) || name == "exit"
}

/// A run that says something.
pub struct Run {
    steps: Vec<Step>,
    /// The check it failed.
    pub failed: Option<CheckId>,
    /// It came to the end of the program.
    pub ended: bool,
}

impl Run {
    /// `None`: it was not followed to an end.
    pub fn new(module: &Module, checks: &Checks, outcome: Outcome, mut script: Script) -> Option<Run> {
        let ended = matches!(outcome.end, End::Exited(_) | End::Aborted);
        let failed = match &outcome.end {
            End::Exited(_) | End::Aborted => None,
            End::Failed(f) => {
                let frames = f.stack.iter().map(|f| Frame { func: f.func, loc: f.loc });
                Some(checks.attribute(module, frames, f.kind)?)
            }
            // What was done until then is an execution as well.
            End::Stopped(Stop::AssumeFalse | Stop::Steps | Stop::Repeats { .. } | Stop::Memory | Stop::CallDepth) => {
                None
            }
            _ => return None,
        };
        let mut steps = Vec::new();
        let user = |f: &(FuncId, Loc)| !verify_checks::calls::is_model(module, module.func(f.0));
        for o in outcome.observed {
            let step = match o {
                Observed::Enter(f) => Step::Enter(f),
                Observed::Leave(_) => Step::Leave,
                Observed::Block(b) => Step::Block(b),
                Observed::Value { func, loc, result, limbs, defined, in_stack, calls } => {
                    let calls = call_stack_number(calls.into_iter().filter(user));
                    Step::Item(Item::Value { func, loc, result, limbs, defined, in_stack, calls })
                }
                Observed::Returned(v) => Step::Item(Item::Returned(v)),
                Observed::Choice(_, stack) => {
                    let quiet = stack.iter().any(|f| quiet(&module.func(f.0).name));
                    let place = call_stack_number(stack.into_iter().filter(user));
                    let Some((kind, value, first)) = script.log.pop_front().flatten().filter(|_| !quiet) else {
                        continue;
                    };
                    match steps.last_mut() {
                        Some(Step::Item(Item::Choice(k, v, _))) if *k == kind && !first => {
                            v.extend(value);
                            continue;
                        }
                        _ => Step::Item(Item::Choice(kind, value, place)),
                    }
                }
            };
            // What the library writes when the program ends is not followed: see `is_output`.
            let over = matches!(step, Step::Item(Item::Returned(_)));
            steps.push(step);
            if over {
                break;
            }
        }
        Some(Run { steps, failed, ended })
    }

    /// All steps.
    pub fn items(&self, _: &Module) -> Vec<Item> {
        self.steps.iter().filter_map(|s| if let Step::Item(i) = s { Some(i.clone()) } else { None }).collect()
    }

    /// The steps without those in the iterations of each loop before the last `k`.
    pub fn reduced(&self, module: &Module, k: u32) -> Vec<Item> {
        let mut forests: BTreeMap<FuncId, LoopForest> = BTreeMap::new();
        let mut out: Vec<Item> = Vec::new();
        // Calls in progress; of each, the loops in progress with where their iterations begin.
        type Active = (LoopId, Vec<usize>);
        let mut frames: Vec<(FuncId, Vec<Active>)> = Vec::new();
        let close = |out: &mut Vec<Item>, (_, begins): Active| {
            let n = begins.len();
            if n > k as usize {
                out.drain(begins[0]..begins[n - k as usize]);
            }
        };
        for s in &self.steps {
            match s {
                Step::Item(i) => out.push(i.clone()),
                Step::Enter(f) => {
                    forests.entry(*f).or_insert_with(|| {
                        module
                            .func(*f)
                            .body
                            .as_ref()
                            .map_or_else(|| unreachable!("only functions with bodies are entered"), LoopForest::new)
                    });
                    frames.push((*f, Vec::new()));
                }
                Step::Leave => {
                    if let Some((_, mut active)) = frames.pop() {
                        while let Some(a) = active.pop() {
                            close(&mut out, a);
                        }
                    }
                }
                Step::Block(b) => {
                    let Some((f, active)) = frames.last_mut() else { continue };
                    let forest = &forests[f];
                    while let Some(a) = active.pop_if(|a| !forest.get(a.0).contains(*b)) {
                        close(&mut out, a);
                    }
                    let Some(l) = forest.innermost(*b).filter(|l| forest.get(*l).header == *b) else { continue };
                    // Loops inside it are over.
                    while let Some(a) = active.pop_if(|a| a.0 != l && forest.get(a.0).depth >= forest.get(l).depth) {
                        close(&mut out, a);
                    }
                    let here = out.len();
                    match active.last_mut() {
                        Some(a) if a.0 == l => a.1.push(here),
                        _ => active.push((l, vec![here])),
                    }
                }
            }
        }
        for (_, mut active) in frames.into_iter().rev() {
            while let Some(a) = active.pop() {
                close(&mut out, a);
            }
        }
        out
    }
}
