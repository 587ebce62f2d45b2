//! Programs that have one execution: no input, no choice of the environment, nothing that depends on where objects lie or
//! on what memory held before. The interpreter runs it; what it passes holds. (Recursive functions of constants, loops
//! with constant bounds: much for a formula, little for a run.)

use crate::engine::only_entry;
use std::collections::BTreeSet;
use verify_checks::CheckId;
use verify_engine::{Budget, Engine, Obligation, Outcome, StopFlag, Subject, Task, TaskReport, replay};
use verify_ir::inst::{CastOp, IntPred};
use verify_ir::{CheckKind, Const, FuncId, InstKind, Module, Operand, Ty};

/// Steps of the execution.
const STEPS: u64 = 20_000_000;

/// The engine.
#[derive(Clone, Copy, Default, Debug)]
pub struct OnlyExecution;

impl Engine for OnlyExecution {
    fn name(&self) -> &'static str {
        "the only execution"
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        match only_entry(subject) {
            Some(main) if !open.is_empty() && may_be_one(subject, main) => {
                vec![Task { what: "the only execution".into(), number: 0, weight: 1 }]
            }
            _ => Vec::new(),
        }
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, _: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let mut report = TaskReport { cut_off: stop.is_set(), ..TaskReport::default() };
        // Bytes of an address depend on where objects lie.
        if !subject.settled(&|| stop.is_set()).loads_numbers_only() {
            return report;
        }
        let leaks = open.iter().any(|c| subject.checks.get(*c).kind == CheckKind::Leak);
        let (passed, steps) = replay::passes_alone(subject, STEPS, leaks);
        report.spent.run(steps);
        if passed {
            let how = "the only execution of the program passes it (not re-checked)";
            report.outcomes = open.iter().map(|c| (Obligation::Check(*c), proved(how))).collect();
        }
        report
    }
}

fn proved(how: &str) -> Outcome {
    Outcome::Proved { how: how.into() }
}

/// Nothing in the text speaks against it: `main` takes nothing, addresses are neither numbers nor compared with each other,
/// and no function is called whose result is the host's.
fn may_be_one(subject: &Subject, main: FuncId) -> bool {
    let module = subject.module();
    let f = module.func(main);
    let reached = subject.draft.reach.from(&[main]);
    let plain = |(i, r): (usize, &bool)| !r || by_value(module, FuncId::new(i));
    f.name == "main" && f.sig.params.is_empty() && reached.iter().enumerate().all(plain)
}

fn by_value(module: &Module, f: FuncId) -> bool {
    let f = module.func(f);
    let Some(body) = &f.body else { return !f.name.starts_with("__verify_math") };
    let null = |o: &Operand| matches!(o, Operand::Const(Const::Null));
    body.blocks.iter().flat_map(|b| &b.insts).all(|i| match &i.kind {
        InstKind::Cast { op, .. } => !matches!(op, CastOp::PtrToInt | CastOp::IntToPtr),
        InstKind::Icmp { pred, lhs, rhs } if body.operand_ty(lhs) == Ty::Ptr => {
            matches!(pred, IntPred::Eq | IntPred::Ne) && (null(lhs) || null(rhs))
        }
        _ => true,
    })
}
