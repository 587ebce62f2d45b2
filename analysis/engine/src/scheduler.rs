//! Plans the work on all programs, runs it on as many threads as there are, and merges what comes back in the order
//! of the plan: the same bytes at any number of threads.

use crate::assumptions::assumptions;
use crate::budget::Budget;
use crate::digest::Digests;
use crate::engine::{Engine, Leaning, Obligation, Outcome, Scope, StopFlag, Task, TaskReport};
use crate::history::History;
use crate::memory::{self, Key, Memory};
use crate::progress::Progress;
use crate::result::{Evidence, ProgramResult, ScanResult, Stats, UnknownReason, Verdict};
use crate::rules::Rules;
use crate::subject::{Draft, ProgramInput, Subject};
use crate::threads;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};
use verify_checks::{CheckId, KindSet, calls::is_model};
use verify_ir::{FuncId, Module, Ty, noted};

/// What the user decides about a scan.
#[derive(Clone, Default)]
pub struct ScanOptions {
    /// Entries besides `main`.
    pub entries: Vec<String>,
    /// Budget of the whole scan; `None`: by the size of the programs.
    pub budget: Option<Budget>,
    /// Threads; 0: as many as the machine has.
    pub jobs: usize,
    /// What the environment does.
    pub rules: Rules,
    /// Executions start at the named entries only, not at `main`.
    pub only_named: bool,
    /// The kinds of checks that are asked for; `None`: all.
    pub kinds: Option<KindSet>,
    /// The default budget is multiplied by the first and divided by the second, 0: left as it is.
    pub effort: (u64, u64),
    /// No further engine runs once a check of one of these kinds is violated.
    pub until: KindSet,
    /// Where reports are kept for the next scan; [`None`]: nowhere.
    pub memory: Option<Arc<dyn Memory>>,
}

/// Steps per reachable instruction in the default budget, and its bounds. Tasks get their shares rounded down, an eighth less at most.
const STEPS_PER_INSTRUCTION: u64 = 112_000;
const LEAST_STEPS: u64 = 224_000_000;
const MOST_STEPS: u64 = 4_000_000_000;

/// Scans the programs with the engines, one after the other, each on what is open after the ones before it. Results
/// are ordered by program name.
pub fn scan(
    mut programs: Vec<ProgramInput>,
    engines: &[&dyn Engine],
    options: &ScanOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> ScanResult {
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    let work = || scan_here(&programs, engines, options, progress, stop);
    match rayon::ThreadPoolBuilder::new().num_threads(options.jobs).stack_size(256 << 20).build() {
        Ok(pool) => pool.install(work),
        // No threads to be had: do it on this one.
        Err(_) => work(),
    }
}

fn scan_here(
    programs: &[ProgramInput],
    engines: &[&dyn Engine],
    options: &ScanOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> ScanResult {
    let subjects: Vec<Subject> = programs
        .par_iter()
        .map(|p| {
            let draft = Draft::new(p, options);
            let sequences = engines.iter().flat_map(|e| e.sequences(&draft)).collect();
            Subject::new(draft, sequences)
        })
        .collect();
    let keys: Vec<Option<Key>> =
        programs.par_iter().map(|p| options.memory.as_ref().and_then(|_| memory::program(p, options))).collect();
    let digests: Vec<OnceLock<Digests>> = subjects.iter().map(|_| OnceLock::new()).collect();
    let sizes: Vec<u64> = subjects.iter().map(|s| s.draft.reach.size_of(&reachable(s))).collect();
    let shares = match options.budget {
        Some(total) => total.share(&sizes),
        None => by_size(&sizes, options.effort),
    };
    let mut open: Vec<BTreeSet<CheckId>> = subjects.iter().map(|s| asked(s, options)).collect();
    let mut reports: Vec<Vec<TaskReport>> = subjects.iter().map(|_| Vec::new()).collect();
    let mut histories: Vec<History> = subjects.iter().map(|_| History::default()).collect();
    for engine in engines {
        let plans: Vec<Vec<Task>> = subjects.iter().zip(&open).map(|(s, o)| engine.tasks(s, o)).collect();
        let mut work: Vec<(usize, &Task, Budget)> = Vec::new();
        for (i, (tasks, share)) in plans.iter().zip(&shares).enumerate() {
            let weights: Vec<u64> = tasks.iter().map(|t| t.weight).collect();
            work.extend(tasks.iter().zip(share.share(&weights)).map(|(t, b)| (i, t, b)));
        }
        progress.planned(work.len());
        let wholes: Vec<OnceLock<String>> = subjects.iter().map(|_| OnceLock::new()).collect();
        let done: Vec<TaskReport> = work
            .par_iter()
            .with_max_len(1)
            .map(|(i, task, budget)| {
                let key = keys[*i].map(|k| memory::task(&k, engines, *engine, &open[*i], task, *budget));
                let memory = options.memory.as_deref().zip(key.as_ref());
                let subject = &subjects[*i];
                let names = || digests[*i].get_or_init(|| Digests::new(subject));
                let run = || run_task(*engine, subject, &open[*i], task, *budget, progress, stop);
                let Some((memory, key)) = memory else { return run() };
                // What is known already costs no time that is not there.
                let scope = engine.scope(subject, task);
                let mut known = memory::recall(memory, key, subject, scope, &names);
                let mut about = None;
                if known.is_none() && scope != Scope::Program && !stop.is_set() {
                    if matches!(scope, Scope::Proofs(_)) {
                        // What the facts are is part of the question.
                        subject.settled(&|| stop.is_set());
                    }
                    let whole = wholes[*i].get_or_init(|| engine.whole(subject));
                    about = memory::about(names(), *engine, whole, scope, &open[*i], task, *budget);
                    let by_name = |k| memory::recall_by_name(memory, key, k, subject, scope, names());
                    known = about.as_ref().and_then(by_name);
                }
                memory.count(known.is_some());
                if let Some(r) = known {
                    progress.started(&subject.draft.name, &task.what);
                    progress.finished(&subject.draft.name, &task.what, r.outcomes.len());
                    return r;
                }
                let (r, noted) = noted::noting(run);
                if !stop.is_set() {
                    let kept = about.is_some_and(|k| memory::keep_by_name(memory, key, &k, scope, names(), &noted, &r));
                    if !kept {
                        memory::keep(memory, key, &r);
                    }
                }
                r
            })
            .collect();
        for ((i, task, budget), r) in work.iter().zip(done) {
            histories[*i].add(engine.name(), task, *budget, &r);
            for (Obligation::Check(c), o) in &r.outcomes {
                if !matches!(o, Outcome::Open(_)) {
                    open[*i].remove(c);
                }
            }
            reports[*i].push(r);
        }
        // Numbers of checks are those of their own program.
        let found = |subject: &Subject, r: &TaskReport| {
            r.outcomes.iter().any(|(Obligation::Check(c), o)| {
                matches!(o, Outcome::Refuted { .. }) && options.until.contains(subject.checks.get(*c).kind)
            })
        };
        if subjects.iter().zip(&reports).any(|(s, all)| all.iter().any(|r| found(s, r))) {
            break;
        }
    }
    let results: Vec<ProgramResult> = programs
        .iter()
        .zip(&subjects)
        .zip(reports.into_iter().zip(histories))
        .map(|((p, s), (r, h))| ProgramResult { history: h, ..merge(p, s, r) })
        .collect();
    ScanResult {
        assumptions: assumptions(&results, options.rules),
        programs: results,
        notes: Vec::new(),
        suppressions: Vec::new(),
    }
}

/// The default budgets of programs of these sizes. When their sum has to be brought within its bounds, each is multiplied by
/// one of few factors, so that a small change of one program leaves the budgets of others as they were.
fn by_size(sizes: &[u64], effort: (u64, u64)) -> Vec<Budget> {
    let wanted = |size: u64| u128::from(size) * u128::from(STEPS_PER_INSTRUCTION);
    let sum = sizes.iter().map(|s| wanted(*s)).sum::<u128>().max(1);
    let bounded = sum.clamp(LEAST_STEPS.into(), MOST_STEPS.into());
    // Eighths of a power of two, rounded down.
    let (mut times, mut shift) = (1, 0u32);
    if bounded != sum {
        while (bounded << shift) / sum < 8 && shift < 60 {
            shift += 1;
        }
        times = (bounded << shift) / sum;
        let coarse = times.ilog2().saturating_sub(3);
        times = (times >> coarse) << coarse;
    }
    let steps = |size: &u64| {
        let steps = u64::try_from((wanted(*size) * times) >> shift).unwrap_or(u64::MAX);
        let steps = match effort {
            (0, _) | (_, 0) => steps,
            (times, by) => steps.saturating_mul(times) / by,
        };
        Budget { steps, runs: u64::MAX }
    };
    sizes.iter().map(steps).collect()
}

fn run_task(
    engine: &dyn Engine,
    subject: &Subject,
    open: &BTreeSet<CheckId>,
    task: &Task,
    budget: Budget,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> TaskReport {
    if stop.is_set() {
        return TaskReport { cut_off: true, ..TaskReport::default() };
    }
    progress.started(&subject.draft.name, &task.what);
    // A defect in one task must not take the results of the others with it.
    let run = std::panic::AssertUnwindSafe(|| engine.run(subject, open, task, budget, stop));
    let r = std::panic::catch_unwind(run).unwrap_or_else(|_| TaskReport {
        inconsistencies: vec![format!("the {} engine broke down on `{}`", engine.name(), task.what)],
        ..TaskReport::default()
    });
    progress.finished(&subject.draft.name, &task.what, r.outcomes.len());
    r
}

/// The checks that are to be decided: of the kinds asked for, in functions that some root reaches.
fn asked(s: &Subject, options: &ScanOptions) -> BTreeSet<CheckId> {
    let reached = reachable(s);
    (0..s.checks.all.len() as u32)
        .map(CheckId)
        .filter(|c| {
            let c = s.checks.get(*c);
            reached[c.func.index()] && options.kinds.is_none_or(|k| k.contains(c.kind))
        })
        .collect()
}

/// Functions that some root reaches, indexed by function.
fn reachable(s: &Subject) -> Vec<bool> {
    let roots = &s.draft.roots;
    let from: Vec<FuncId> = roots.entries.iter().chain(&roots.boundary).copied().collect();
    s.draft.reach.may_run(&from)
}

fn merge(input: &ProgramInput, s: &Subject, reports: Vec<TaskReport>) -> ProgramResult {
    let module = s.module();
    let reached = reachable(s);
    let mut best: BTreeMap<CheckId, (bool, u64, Box<Evidence>)> = BTreeMap::new();
    let mut stats = Stats::default();
    let mut entered: BTreeSet<FuncId> = BTreeSet::new();
    let mut externals: BTreeSet<String> = BTreeSet::new();
    let mut unmodelled: BTreeMap<FuncId, String> = BTreeMap::new();
    let mut diagnostics = input.diagnostics.clone();
    let mut cut = false;
    let mut proved: BTreeMap<CheckId, String> = BTreeMap::new();
    let mut reasons: BTreeMap<CheckId, UnknownReason> = BTreeMap::new();
    for r in reports {
        cut |= r.cut_off;
        stats.runs += r.spent.runs;
        stats.steps += r.spent.steps;
        entered.extend(r.entered);
        externals.extend(r.externals);
        for (f, why) in r.unmodelled {
            unmodelled.entry(f).or_insert(why);
        }
        diagnostics.extend(r.inconsistencies.into_iter().map(|i| format!("internal inconsistency: {i}")));
        for (Obligation::Check(id), outcome) in r.outcomes {
            let (evidence, leaning, rank) = match outcome {
                Outcome::Refuted { evidence, leaning, rank, .. } => (evidence, leaning, rank),
                Outcome::Proved { how } => {
                    proved.entry(id).or_insert(how);
                    continue;
                }
                Outcome::Open(why) => {
                    reasons.entry(id).or_insert(why);
                    continue;
                }
            };
            let latent = leaning.iter().any(|l| match l {
                Leaning::Inputs(f) => !s.draft.roots.entries.contains(f),
                // By the rules of the competition they return anything of their type; of what lies behind a pointer, no
                // rule says anything.
                Leaning::Externals(names) => {
                    !s.draft.rules.externals_pure || names.iter().any(|n| gives_pointer(module, n))
                }
            });
            match best.get(&id) {
                Some((l, r, _)) if (*l, *r) <= (latent, rank) => {}
                _ => {
                    best.insert(id, (latent, rank, evidence));
                }
            }
        }
    }
    diagnostics.extend(s.draft.roots.missing.iter().map(|n| format!("entry `{n}` is not a function of this program")));
    for (i, f) in module.functions.iter().enumerate() {
        if reached[i] && f.body.is_none() && !s.program.is_native(FuncId::new(i)) && !f.name.starts_with("llvm.") {
            externals.insert(f.name.clone());
        }
    }
    // The interpreter's name for code that unknown callers handed in; it is no function of the program.
    externals.remove("unknown function");
    for id in best.keys().filter(|id| proved.contains_key(id)) {
        let c = s.checks.get(*id);
        diagnostics.push(format!(
            "internal inconsistency: {} in `{}` is proved and an execution fails it",
            c.kind,
            module.func(c.func).name
        ));
    }
    let disturbed = threads::disturbed(module, &externals);
    let verdicts = (0..s.checks.all.len())
        .map(|i| {
            let id = CheckId(i as u32);
            let func = s.checks.get(id).func;
            match best.remove(&id) {
                Some((true, _, e)) => Verdict::Latent(e),
                Some((false, _, e)) => Verdict::Violated(e),
                None if !reached[func.index()] => Verdict::Unreachable,
                None if proved.contains_key(&id) && !disturbed[func.index()] => {
                    Verdict::Proved(proved.remove(&id).unwrap_or_default())
                }
                None => Verdict::Unknown(match unmodelled.get(&func) {
                    _ if disturbed[func.index()] => UnknownReason::Threads,
                    Some(why) => UnknownReason::Unmodelled(why.clone()),
                    None => match reasons.remove(&id) {
                        Some(why) => why,
                        None if cut => UnknownReason::Time,
                        None => UnknownReason::NotProvedYet,
                    },
                }),
            }
        })
        .collect();
    stats.functions = (0..module.functions.len()).filter(|&i| s.is_user(FuncId::new(i))).count() as u64;
    stats.functions_reached = entered.iter().filter(|&&f| s.is_user(f)).count() as u64;
    stats.units = module.units.iter().filter(|u| !u.model).count() as u64;
    stats.lines = lines(module);
    ProgramResult {
        name: input.name.clone(),
        kind: input.kind,
        module: module.clone(),
        checks: s.checks.clone(),
        verdicts,
        externals: externals.into_iter().collect(),
        diagnostics,
        incomplete: input.incomplete,
        stats,
        history: History::default(),
    }
}

/// A function of this name returns a pointer; or there is none, and nobody knows.
fn gives_pointer(module: &Module, name: &str) -> bool {
    module.function_named(name).is_none_or(|f| module.func(f).sig.results.contains(&Ty::Ptr))
}

fn lines(module: &Module) -> u64 {
    let mut seen = BTreeSet::new();
    let models: BTreeSet<_> =
        module.functions.iter().filter(|f| is_model(module, f)).map(|f| module.span(f.span).file).collect();
    module
        .files
        .iter()
        .enumerate()
        .filter(|(i, f)| !f.system && !models.contains(&verify_ir::FileId::new(*i)))
        .filter_map(|(_, f)| f.text.as_ref().filter(|_| seen.insert(f.hash)))
        .map(|t| t.lines().count() as u64)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_by_size_keep_within_bounds_and_to_themselves() {
        for sizes in [vec![1], vec![300, 20], vec![9_000, 8_000], vec![1 << 40, 1 << 41, 5], vec![u64::MAX]] {
            let steps = |sizes: &[u64]| by_size(sizes, (1, 1)).iter().map(|b| b.steps).collect::<Vec<_>>();
            let sum: u64 = steps(&sizes).iter().sum();
            assert!((LEAST_STEPS / 9 * 8..=MOST_STEPS).contains(&sum), "{sizes:?}: {sum}");
        }
        // A function more in one of them.
        assert_eq!(by_size(&[300, 20], (1, 1))[0], by_size(&[300, 21], (1, 1))[0]);
        assert_eq!(by_size(&[90_000, 80_000], (1, 1))[0], by_size(&[90_000, 80_010], (1, 1))[0]);
        assert_eq!(by_size(&[9_000], (1, 8))[0].steps, 9_000 * STEPS_PER_INSTRUCTION / 8);
        assert_eq!(by_size(&[0], (1, 1))[0].steps, 0);
    }
}
