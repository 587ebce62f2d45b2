//! Reports of tasks that were done before: the same engine with the same parameters on the same program, of which the same
//! checks are open, reports the same ([`Engine`]: `run` is a function of its arguments). So a scan that was interrupted goes
//! on where it was, and what did not change since the last night is not asked again.
//!
//! The key of a report is a hash of all that: the linked program in its binary form, positions included, what the user
//! decided, the engine's parameters, the open checks, the task. Which program *made* the report is for the [`Memory`] to
//! know. Nothing finer: a change anywhere in a program asks all of it again.
//!
//! A failing execution that is remembered is repeated before it counts, as if it were new; where that fails, the report is
//! forgotten.

use crate::budget::Budget;
use crate::engine::{Certificate, Engine, Outcome, Task, TaskReport};
use crate::replay::confirm;
use crate::scheduler::ScanOptions;
use crate::subject::{ProgramInput, Subject};
use std::collections::BTreeSet;
use verify_checks::CheckId;

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

/// A report that was kept, its executions repeated.
pub(crate) fn recall(memory: &dyn Memory, key: &Key, subject: &Subject) -> Option<TaskReport> {
    let report: TaskReport = postcard::from_bytes(&memory.recall(key)?).ok()?;
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

/// Keeps a report that is whole.
pub(crate) fn keep(memory: &dyn Memory, key: &Key, report: &TaskReport) {
    if !report.cut_off
        && report.inconsistencies.is_empty()
        && let Ok(bytes) = postcard::to_stdvec(report)
    {
        memory.keep(key, &bytes);
    }
}
