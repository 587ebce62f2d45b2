//! Reports of tasks that were done before: the same engine with the same parameters on the same program, of which the same
//! checks are open, reports the same ([`Engine`]: `run` is a function of its arguments). So a scan that was interrupted goes
//! on where it was, and what did not change since the last night is not asked again.
//!
//! A report is known by a hash of all that: the linked program in its binary form, positions included, what the user
//! decided, the engine's parameters, the open checks, the task. Which `verify` *made* the report is for the [`Memory`] to
//! know.
//!
//! A task of which it is known what it can depend on ([`Engine::scope`]) is known in other programs, too: kept are the names of all that it
//! looked at, and the report under what these were then ([`crate::digest`]). The same names mean the same in a program when
//! their digests are the same; a deterministic task then looks at the same things again, and reports the same, in the numbers
//! of that program.
//!
//! A failing execution that is remembered is repeated before it counts, as if it were new; where that fails, the report is
//! forgotten.

use crate::budget::Budget;
use crate::digest::{Digests, Kind, LookedAt};
use crate::engine::{Certificate, Engine, Leaning, Obligation, Outcome, Scope, Task, TaskReport};
use crate::numbered;
use crate::replay::confirm;
use crate::result::Evidence;
use crate::scheduler::ScanOptions;
use crate::start::Start;
use crate::subject::{ProgramInput, Subject};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use verify_checks::CheckId;
use verify_interp::Recording;
use verify_ir::SpanId;
use verify_ir::noted::Noted;

/// A hash.
pub type Key = [u8; 32];

/// Where reports are kept. Losing them loses nothing but time.
pub trait Memory: Send + Sync {
    /// What was kept under the key by the same version of this program.
    fn recall(&self, key: &Key) -> Option<Vec<u8>>;
    /// Keeps it, if that is possible.
    fn keep(&self, key: &Key, bytes: &[u8]);
    /// A task was done: from memory, or not.
    fn count(&self, recalled: bool);
}

/// The key of all that is the same for all tasks on a program; [`None`]: it has none.
pub(crate) fn program(input: &ProgramInput, options: &ScanOptions) -> Option<Key> {
    let ScanOptions { entries, only_named, rules, .. } = options;
    let mut h = blake3::Hasher::new();
    add(&mut h, &verify_ir::binary::encode(&input.module).ok()?);
    add(&mut h, input.name.as_bytes());
    add(&mut h, format!("{:?} {only_named} {rules:?}", input.kind).as_bytes());
    entries.iter().for_each(|e| add(&mut h, e.as_bytes()));
    Some(*h.finalize().as_bytes())
}

/// The key of a task's report. `engines` are the names of all engines of the scan: they decide which sequences of calls there are.
pub(crate) fn task(
    program: &Key,
    engines: &[&dyn Engine],
    engine: &dyn Engine,
    open: &BTreeSet<CheckId>,
    task: &Task,
    budget: Budget,
) -> Key {
    let mut h = blake3::Hasher::new();
    add(&mut h, program);
    engines.iter().for_each(|e| add(&mut h, e.name().as_bytes()));
    add(&mut h, engine.name().as_bytes());
    add(&mut h, engine.parameters(budget).as_bytes());
    add(&mut h, task.what.as_bytes());
    add(&mut h, &task.number.to_le_bytes());
    open.iter().for_each(|c| {
        h.update(&c.0.to_le_bytes());
    });
    *h.finalize().as_bytes()
}

fn add(h: &mut blake3::Hasher, bytes: &[u8]) {
    h.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
}

/// What is kept for a task on a program.
#[derive(Serialize, Deserialize)]
enum Kept {
    /// The report.
    Report(Box<TaskReport>),
    /// The key of the report, which is kept by name.
    ByName(Key),
}

/// Sets of things that a task looked at in different programs, the latest first; more are forgotten.
const MOST_SETS: usize = 4;

/// A report as it is kept by name: its numbers are those of the program that it is read for. Of executions there is what it takes
/// to repeat them, and what the engine said of them beyond that.
#[derive(Serialize, Deserialize)]
struct ByName {
    report: TaskReport,
    refuted: Vec<Refuted>,
}

#[derive(Serialize, Deserialize)]
struct Refuted {
    /// Its place among the outcomes.
    place: u32,
    check: CheckId,
    /// [`None`]: the sequence of calls that the task is about.
    start: Option<Start>,
    recording: Recording,
    leaning: Vec<Leaning>,
    rank: u64,
    condition: Option<String>,
    notes: Vec<(SpanId, String)>,
}

impl ByName {
    /// [`None`]: an execution is of another sequence than the task's.
    fn new(report: &TaskReport, sequence: Option<u32>) -> Option<ByName> {
        let mut out = ByName { report: TaskReport { outcomes: Vec::new(), ..report.clone() }, refuted: Vec::new() };
        for (place, (Obligation::Check(check), o)) in report.outcomes.iter().enumerate() {
            let Outcome::Refuted { certificate: Certificate::ReplayedTrace(t), evidence, leaning, rank } = o else {
                out.report.outcomes.push((Obligation::Check(*check), o.clone()));
                continue;
            };
            let start = match t.start() {
                Start::Sequence(n) if Some(*n) == sequence => None,
                Start::Sequence(_) => return None,
                s => Some(s.clone()),
            };
            out.refuted.push(Refuted {
                place: place as u32,
                check: *check,
                start,
                recording: t.recording().clone(),
                leaning: leaning.clone(),
                rank: *rank,
                condition: evidence.condition.clone(),
                notes: evidence.notes.clone(),
            });
        }
        Some(out)
    }

    /// The report for a program, its executions repeated; [`None`]: one of them is no longer what it was.
    fn report(self, subject: &Subject, sequence: Option<u32>) -> Option<TaskReport> {
        let mut report = self.report;
        // They come in the order of their places.
        for r in self.refuted {
            let start = r.start.or(sequence.map(Start::Sequence))?;
            let again = confirm(subject, &start, &r.recording, r.check).ok()?;
            if again.trace.check() != r.check || *again.trace.recording() != r.recording {
                return None;
            }
            let evidence = Evidence { condition: r.condition, notes: r.notes, ..again.evidence };
            let outcome = Outcome::Refuted {
                certificate: Certificate::ReplayedTrace(again.trace),
                evidence: Box::new(evidence),
                leaning: r.leaning,
                rank: r.rank,
            };
            let place = (r.place as usize).min(report.outcomes.len());
            report.outcomes.insert(place, (Obligation::Check(r.check), outcome));
        }
        Some(report)
    }
}

/// The sequence of calls that a task is about.
fn sequence(scope: Scope) -> Option<u32> {
    match scope {
        Scope::Runs { sequence } => sequence,
        Scope::Program | Scope::Proofs(_) => None,
    }
}

fn kind(scope: Scope) -> Kind {
    match scope {
        Scope::Runs { .. } => Kind::Runs,
        Scope::Program | Scope::Proofs(_) => Kind::Proofs,
    }
}

/// A report that was kept, its executions repeated. `digests` are asked for where it is kept by name.
pub(crate) fn recall<'d>(
    memory: &dyn Memory,
    key: &Key,
    subject: &Subject,
    scope: Scope,
    digests: &dyn Fn() -> &'d Digests<'d>,
) -> Option<TaskReport> {
    match postcard::from_bytes(&memory.recall(key)?).ok()? {
        Kept::Report(r) => repeated(*r, subject),
        Kept::ByName(k) => read(&memory.recall(&k)?, subject, scope, digests()),
    }
}

fn read(bytes: &[u8], subject: &Subject, scope: Scope, mut digests: &Digests<'_>) -> Option<TaskReport> {
    numbered::read::<ByName>(bytes, &mut digests).ok()?.report(subject, sequence(scope))
}

fn repeated(report: TaskReport, subject: &Subject) -> Option<TaskReport> {
    for (crate::Obligation::Check(c), o) in &report.outcomes {
        subject.checks.all.get(c.0 as usize)?;
        let Outcome::Refuted { certificate: Certificate::ReplayedTrace(t), .. } = o else { continue };
        let again = confirm(subject, t.start(), t.recording(), t.check()).ok()?;
        if again.trace != *t || t.check() != *c {
            return None;
        }
    }
    Some(report)
}

/// What a task is known by in any program before it has looked at anything; [`None`]: in no other program.
pub(crate) fn about(
    digests: &Digests<'_>,
    engine: &dyn Engine,
    whole: &str,
    scope: Scope,
    open: &BTreeSet<CheckId>,
    task: &Task,
    budget: Budget,
) -> Option<Key> {
    let mut h = blake3::Hasher::new();
    add(&mut h, engine.name().as_bytes());
    add(&mut h, engine.parameters(budget).as_bytes());
    add(&mut h, whole.as_bytes());
    add(&mut h, task.what.as_bytes());
    add(&mut h, &digests.outside(kind(scope)));
    match scope {
        Scope::Program => return None,
        Scope::Runs { .. } => add(&mut h, engine.begins_with(digests.subject(), task).as_bytes()),
        Scope::Proofs(f) => {
            add(&mut h, &digests.digest(Kind::Proofs, f));
            let first = digests.first_check(f);
            open.range(first..).take_while(|c| digests.is_of(**c, f)).for_each(|c| {
                h.update(&(c.0 - first.0).to_le_bytes());
            });
        }
    }
    Some(*h.finalize().as_bytes())
}

fn by_name(about: &Key, kind: Kind, digests: &Digests<'_>, looked_at: &LookedAt) -> Option<Key> {
    let mut h = blake3::Hasher::new();
    add(&mut h, about);
    add(&mut h, &postcard::to_stdvec(looked_at).ok()?);
    add(&mut h, &digests.of(kind, looked_at)?);
    Some(*h.finalize().as_bytes())
}

fn sets(memory: &dyn Memory, about: &Key) -> Vec<LookedAt> {
    memory.recall(about).and_then(|b| postcard::from_bytes(&b).ok()).unwrap_or_default()
}

/// The report of a task on another program, in which all that it looked at was the same. It is kept for this
/// program, too.
pub(crate) fn recall_by_name(
    memory: &dyn Memory,
    key: &Key,
    about: &Key,
    subject: &Subject,
    scope: Scope,
    digests: &Digests<'_>,
) -> Option<TaskReport> {
    let found = sets(memory, about).iter().find_map(|set| {
        let key = by_name(about, kind(scope), digests, set)?;
        Some((key, memory.recall(&key)?))
    });
    let (by_name, bytes) = found?;
    let report = read(&bytes, subject, scope, digests)?;
    put(memory, key, &Kept::ByName(by_name));
    Some(report)
}

fn put(memory: &dyn Memory, key: &Key, kept: &Kept) {
    if let Ok(bytes) = postcard::to_stdvec(kept) {
        memory.keep(key, &bytes);
    }
}

/// The report is all that there is to say.
fn is_whole(report: &TaskReport) -> bool {
    !report.cut_off && report.inconsistencies.is_empty()
}

/// Keeps a report that is whole.
pub(crate) fn keep(memory: &dyn Memory, key: &Key, report: &TaskReport) {
    if is_whole(report) {
        put(memory, key, &Kept::Report(Box::new(report.clone())));
    }
}

/// Keeps a report that is whole by the names of what was looked at; false: that is not possible.
pub(crate) fn keep_by_name(
    memory: &dyn Memory,
    key: &Key,
    about: &Key,
    scope: Scope,
    digests: &Digests<'_>,
    noted: &Noted,
    report: &TaskReport,
) -> bool {
    let mut bytes = Vec::new();
    let Some(set) = digests.names(noted) else { return false };
    let Some(by_name) = by_name(about, kind(scope), digests, &set) else { return false };
    let Some(portable) = ByName::new(report, sequence(scope)) else { return false };
    if !is_whole(report) || numbered::write(&portable, &mut &*digests, &mut bytes).is_err() {
        return false;
    }
    memory.keep(&by_name, &bytes);
    put(memory, key, &Kept::ByName(by_name));
    let mut all = sets(memory, about);
    all.retain(|s| *s != set);
    all.insert(0, set);
    all.truncate(MOST_SETS);
    if let Ok(bytes) = postcard::to_stdvec(&all) {
        memory.keep(about, &bytes);
    }
    true
}
