//! The first engine: checks that hold for simple reasons, by the facts alone ([`verify_facts::values`]). One task a
//! program; nothing is searched and no solver is asked.

use crate::library::Library;
use std::collections::BTreeSet;
use verify_checks::calls::{Calls, direct_callee, is_model};
use verify_checks::{Check, CheckId, KindSet};
use verify_engine::{Budget, Engine, Obligation, Outcome, StopFlag, Subject, Task, TaskReport};
use verify_facts::values::{Safe, Settled, Why};
use verify_ir::{Body, Call, CheckKind, CheckKind as K, FuncId, Inst, InstKind, Module};

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct ByFacts;

impl Engine for ByFacts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn parameters(&self, _: Budget) -> String {
        format!("{self:?}")
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        if open.is_empty() {
            return Vec::new();
        }
        vec![Task { what: format!("facts about {}", subject.draft.name), number: 0, weight: 1 }]
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, _: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let settled = subject.settled(&|| stop.is_set());
        let module = subject.module();
        let calls = Calls::without(module, &|f, loc, kind| settled.holds(f, loc, kind).is_some());
        let library = Library::new(module, &subject.checks, settled);
        let mut report = TaskReport { cut_off: stop.is_set(), ..TaskReport::default() };
        for id in open {
            let c = subject.checks.get(*id);
            let how = match settled.holds(c.func, c.loc, c.kind) {
                Some(Why::Known) => "facts: what is known at the place excludes it (not re-checked)",
                Some(Why::Dead) => "facts: control never gets there (not re-checked)",
                None if in_library(module, &calls, c) => {
                    "facts: nothing that the library function does can fail it (not re-checked)"
                }
                None if through_pointer(module, &calls, settled, c) => {
                    "facts: nothing that the pointer may lead to can fail it (not re-checked)"
                }
                None if library.holds(c) => "facts: the call keeps to what the library function asks (not re-checked)",
                None => continue,
            };
            report.outcomes.push((Obligation::Check(*id), Outcome::Proved { how: how.into() }));
        }
        report
    }
}

/// The check stands at a call of a library model, and all that is known of the model's code leaves no place that could
/// fail it.
pub fn in_library(module: &Module, calls: &Calls<'_>, c: &Check) -> bool {
    let Some((body, inst, call)) = library_call(module, c) else { return false };
    c.kind != CheckKind::Leak && !calls.call(call, body, &inst.results).kinds.contains(c.kind)
}

/// The check stands at a call through a pointer, and nothing that this may be can fail it.
pub fn through_pointer(module: &Module, calls: &Calls<'_>, settled: &Settled, c: &Check) -> bool {
    let Some(through) = settled.through(c.func, c.loc) else { return false };
    let Some((body, inst, call)) = call_at(module, c) else { return false };
    let safe = through.known.safe;
    let mut open = KindSet::EMPTY;
    if !through.known.defined {
        open.insert(K::UninitRead);
    }
    if !safe.has(Safe::NONZERO) {
        open = open.with(K::NullDeref).with(K::InvalidCall);
    }
    // A number is no function.
    if !safe.has(Safe::HONEST) {
        open = open.union(KindSet::of(&[K::InvalidCall, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope]));
    }
    let of = |open: KindSet, g: &FuncId| open.union(calls.of(*g, call, body, &inst.results).kinds);
    !through.functions.iter().fold(open, of).contains(c.kind)
}

/// The check stands at a call of a library model, and is about what that does: an assertion is the caller's.
pub fn at_library_call(module: &Module, c: &Check) -> bool {
    c.kind != CheckKind::Assertion && library_call(module, c).is_some()
}

fn library_call<'m>(module: &'m Module, c: &Check) -> Option<(&'m Body, &'m Inst, &'m Call)> {
    let (body, inst, call) = call_at(module, c)?;
    let g = direct_callee(module, call)?;
    is_model(module, module.func(g)).then_some((body, inst, call))
}

fn call_at<'m>(module: &'m Module, c: &Check) -> Option<(&'m Body, &'m Inst, &'m Call)> {
    let body = module.func(c.func).body.as_ref()?;
    let inst = body.block(c.loc.block).insts.get(c.loc.inst as usize)?;
    let InstKind::Call(call) = &inst.kind else { return None };
    Some((body, inst, call))
}
