//! The first engine: checks that hold for simple reasons, by the facts alone ([`verify_facts::values`]). One task a
//! program; nothing is searched and no solver is asked.

use std::collections::BTreeSet;
use verify_checks::CheckId;
use verify_engine::result::TargetKind;
use verify_engine::{Budget, Engine, Obligation, Outcome, StopFlag, Subject, Task, TaskReport};
use verify_facts::points_to::{Externals, Options, PointsTo};
use verify_facts::values::{self, Given, Why};
use verify_facts::{MemoryEffects, World};
use verify_ir::CheckKind;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct ByFacts;

impl Engine for ByFacts {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        if open.is_empty() {
            return Vec::new();
        }
        vec![Task { what: format!("facts about {}", subject.draft.name), number: 0, weight: 1 }]
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, _: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let module = subject.module();
        let roots = &subject.draft.roots;
        let world = if subject.draft.kind == TargetKind::Executable { World::Closed } else { World::Open };
        let externals = if subject.draft.rules.externals_pure { Externals::Pure } else { Externals::Havoc };
        let whole = subject.draft.rules.whole_objects;
        let roots = roots.entries.iter().chain(&roots.boundary).copied().collect();
        let options = Options { world, roots, externals, indexes_checked: !whole };
        let points_to = PointsTo::new(module, &options);
        let effects = MemoryEffects::new(module, &points_to);
        let calls = subject.draft.reach.calls();
        let unchecked = whole.then_some(CheckKind::ArrayIndex);
        let given = Given { module, points_to: &points_to, effects: &effects, calls, unchecked };
        let settled = values::settle(given, &|| stop.is_set());
        let mut report = TaskReport { cut_off: stop.is_set(), ..TaskReport::default() };
        for id in open {
            let c = subject.checks.get(*id);
            let how = match settled.holds(c.func, c.loc, c.kind) {
                Some(Why::Known) => "facts: what is known at the place excludes it (not re-checked)",
                Some(Why::Dead) => "facts: control never gets there (not re-checked)",
                None => continue,
            };
            report.outcomes.push((Obligation::Check(*id), Outcome::Proved { how: how.into() }));
        }
        report
    }
}
