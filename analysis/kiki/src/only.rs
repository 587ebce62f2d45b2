//! Programs that have one execution: no input, no choice of the environment, nothing that depends on where objects lie or
//! on what memory held before. The interpreter runs it; what it passes holds. (Recursive functions of constants, loops
//! with constant bounds: much for a formula, little for a run.)

use crate::engine::only_entry;
use crate::unheard;
use std::collections::BTreeSet;
use verify_checks::calls::{direct_callee, is_model};
use verify_checks::{CheckId, KindSet};
use verify_engine::replay::{self, Alone};
use verify_engine::{Budget, Certificate, Engine, Obligation, Outcome, Start, StopFlag, Subject, Task, TaskReport};
use verify_interp::Recording;
use verify_interp::differences::numbers_seen;
use verify_ir::inst::{BinOp, CastOp};
use verify_ir::{Block, Body, CheckKind, Const, FuncId, Inst, InstKind, Module, Operand, SymbolRef, Ty, Value};

/// Steps of the execution before anything else is tried; and where somebody says how long to wait, before proofs and after.
const FEW: u64 = 20_000_000;
const MORE: u64 = 400_000_000;
const MANY: u64 = 20_000_000_000;
/// Steps before the end that a trace is kept of: that takes many times as long.
const TRACED: u64 = 20_000_000;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct OnlyExecution {
    /// Failures of these kinds are reported: others end the execution and settle nothing that is asked.
    pub refutes: KindSet,
    /// Steps of the execution.
    steps: u64,
}

impl OnlyExecution {
    /// Before anything else is tried.
    pub fn short(refutes: KindSet) -> OnlyExecution {
        OnlyExecution { refutes, steps: FEW }
    }

    /// Before proofs, for a few seconds.
    pub fn longer(refutes: KindSet) -> OnlyExecution {
        OnlyExecution { refutes, steps: MORE }
    }

    /// As long as somebody waits: it looks at no clock, and is ended with the process.
    pub fn whole(refutes: KindSet) -> OnlyExecution {
        OnlyExecution { refutes, steps: MANY }
    }
}

impl Engine for OnlyExecution {
    fn name(&self) -> &'static str {
        match self.steps {
            FEW => "the only execution",
            MORE => "the only execution, longer",
            _ => "the only execution, to its end",
        }
    }

    fn tasks(&self, subject: &Subject, open: &BTreeSet<CheckId>) -> Vec<Task> {
        match only_entry(subject) {
            Some(main) if !open.is_empty() && may_be_one(subject, main) => {
                vec![Task { what: self.name().into(), number: 0, weight: 1 }]
            }
            _ => Vec::new(),
        }
    }

    fn run(&self, subject: &Subject, open: &BTreeSet<CheckId>, _: &Task, _: Budget, stop: &StopFlag) -> TaskReport {
        let mut report = TaskReport { cut_off: stop.is_set(), ..TaskReport::default() };
        let leaks = open.iter().any(|c| subject.checks.get(*c).kind == CheckKind::Leak);
        let (alone, steps) = replay::alone(subject, self.steps, leaks);
        report.spent.run(steps);
        if let Alone::Fails(check, steps) = alone {
            if self.refutes.contains(subject.checks.get(check).kind) {
                refute(subject, check, steps, &mut report);
            }
        } else if is_only(subject, &alone) {
            let how = "the only execution of the program passes it (not re-checked)";
            report.outcomes = open.iter().map(|c| (Obligation::Check(*c), proved(how))).collect();
        }
        report
    }
}

/// Whether the program has one execution only and that one comes to its end without undefined behaviour.
pub fn ends(subject: &Subject) -> bool {
    only_entry(subject).is_some_and(|main| may_be_one(subject, main))
        && is_only(subject, &replay::alone(subject, FEW, false).0)
}

/// The execution came to its end, and nothing that ran looked at where objects lie. (An execution that differs from it
/// would differ first in some instruction that this one executes.)
fn is_only(subject: &Subject, alone: &Alone) -> bool {
    let Alone::Passes { ran, wrote } = alone else { return false };
    let by_value = ran.iter().all(|(f, blocks)| by_value(subject.module(), *f, blocks));
    // Whether the system writes what it is told to decides nothing, if nobody asks.
    by_value && (!wrote || unheard::is_all_output(subject, ran))
}

fn refute(subject: &Subject, check: CheckId, steps: u64, report: &mut TaskReport) {
    let start = Start::Main(vec![b"program".to_vec()]);
    // Replays answer what this run did not: one may end otherwise.
    let from = steps.saturating_sub(TRACED);
    let Ok(c) = replay::confirm_late(subject, &start, &Recording::default(), check, from) else { return };
    let outcome = Outcome::Refuted {
        certificate: Certificate::ReplayedTrace(c.trace),
        evidence: Box::new(c.evidence),
        leaning: Vec::new(),
        rank: steps,
    };
    report.outcomes.push((Obligation::Check(check), outcome));
}

fn proved(how: &str) -> Outcome {
    Outcome::Proved { how: how.into() }
}

/// Nothing speaks against it yet: `main` takes nothing or does not look at it, and is where all begins.
fn may_be_one(subject: &Subject, main: FuncId) -> bool {
    let module = subject.module();
    let f = module.func(main);
    let unused = || {
        let Some(entry) = f.body.as_ref().and_then(|b| Some((b, b.blocks.first()?))) else { return false };
        let used = unheard::uses(entry.0);
        // Who calls `main` again gives it other arguments, and to no effect.
        entry.1.params.iter().all(|p| !used.contains(p))
    };
    f.name == "main" && (f.sig.params.is_empty() || !f.sig.variadic && unused())
}

/// Variables that lead to the environment.
const ENVIRONMENT: &[&str] = &["environ", "__environ", "_environ"];

fn insts_of<'a>(body: &'a Body, ran: &'a BTreeSet<Block>) -> impl Iterator<Item = &'a Inst> {
    ran.iter().filter_map(|b| body.blocks.get(b.index())).flat_map(|b| &b.insts)
}

/// In these blocks of the function addresses are no numbers, and nothing is called whose
/// result is the host's.
fn by_value(module: &Module, f: FuncId, ran: &BTreeSet<Block>) -> bool {
    let Some(body) = &module.func(f).body else { return false };
    let model = is_model(module, module.func(f));
    // Comparisons and differences of pointers the interpreter watches.
    let seen = numbers_seen(body, module.target.pointer_bits);
    // The environment is input, whoever looks at it without asking for a name.
    let is_environment = |o: &Operand| {
        let Operand::Const(Const::Symbol(s)) = o else { return false };
        let named = |s: SymbolRef| match s {
            SymbolRef::Global(g) => ENVIRONMENT.contains(&module.global(g).name.as_str()),
            SymbolRef::Alias(a) => {
                module.aliases.get(a.index()).is_some_and(|a| ENVIRONMENT.contains(&a.name.as_str()))
            }
            SymbolRef::Func(_) => false,
        };
        named(*s) || named(module.resolve(*s).0)
    };
    insts_of(body, ran).all(|i| {
        let mut environment = false;
        i.kind.for_each_operand(|o| environment |= is_environment(o));
        !environment
    }) && insts_of(body, ran).all(|i| match &i.kind {
        InstKind::Cast { op: CastOp::PtrToInt, .. } => {
            !i.results.iter().any(|r| seen.contains(r) && !(model && aligns_argument(body, *r)))
        }
        InstKind::Cast { op: CastOp::IntToPtr, .. } => false,
        InstKind::CmpXchg { expected, .. } => body.operand_ty(expected) != Ty::Ptr,
        InstKind::Call(c) => direct_callee(module, c).is_none_or(|g| !is_the_hosts(module, g)),
        _ => true,
    })
}

/// The address as a number is rounded to 16 bytes and taken from the result: what the library does to get at the next
/// variadic argument, in memory that is aligned so.
fn aligns_argument(body: &Body, address: Value) -> bool {
    let number = Operand::Value(address);
    let users = body.blocks.iter().flat_map(|b| &b.insts).filter(|i| {
        let mut uses = false;
        i.kind.for_each_operand(|o| uses |= *o == number);
        uses
    });
    let mut rounded = None;
    let mut rest = Vec::new();
    for i in users {
        match &i.kind {
            InstKind::Binary { op: BinOp::And, lhs, rhs: Operand::Const(Const::Int { width, value }), .. }
                if *lhs == number && *width == 64 && *value as u64 == !15 =>
            {
                rounded = i.results.first().copied();
            }
            k => rest.push(k),
        }
    }
    let difference = |k: &&InstKind| {
        matches!(k, InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. }
            if *rhs == number && rounded.is_some_and(|r| *lhs == Operand::Value(r)))
    };
    let Some(rounded) = rounded.filter(|_| rest.iter().all(difference)) else { return false };
    let mut seen = 0;
    for b in &body.blocks {
        b.insts.iter().for_each(|i| i.kind.for_each_operand(|o| seen += usize::from(*o == Operand::Value(rounded))));
        b.term.for_each_operand(|o| seen += 2 * usize::from(*o == Operand::Value(rounded)));
    }
    seen == rest.len()
}

fn is_the_hosts(module: &Module, f: FuncId) -> bool {
    let f = module.func(f);
    f.body.is_none() && f.name.starts_with("__verify_math")
}
