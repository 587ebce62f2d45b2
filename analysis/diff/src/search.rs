//! The search for an input that tells two versions apart: random inputs made of the constants of both, the limits of
//! types and small numbers, and what a model of the solver proposes. Both versions run on the same input; what they do
//! must not depend on addresses or on uninitialised bits, or it proves nothing.

use crate::console::Console;
use crate::inputs::{Dictionary, Inputs};
use crate::observe::{Run, Silent, difference};
use crate::product::Candidate;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use verify_interp::{Config, End, ExternalPolicy, Interp, Outcome, Program};
use verify_ir::types::Qualifier;
use verify_ir::{CType, FuncId, Module, TypeId};

/// An input on which the versions did not do the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Number of the input; the same number gives the same input.
    pub seed: u64,
    /// What the runs asked for: path and value.
    pub inputs: Vec<(String, String)>,
    /// How the old version ended.
    pub old: String,
    /// How the new version ended.
    pub new: String,
    /// What is different.
    pub difference: String,
}

/// What a search may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
    /// Inputs.
    pub runs: u64,
    /// Interpreter steps of one run.
    pub steps: u64,
    /// Interpreter steps of all runs.
    pub total: u64,
}

impl Default for SearchBudget {
    fn default() -> Self {
        SearchBudget { runs: 400, steps: 300_000, total: 20_000_000 }
    }
}

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The evidence, if any.
    pub evidence: Option<Evidence>,
    /// Runs of the old version that ended without an error and of which the new version's could be compared.
    pub compared: u64,
    /// Steps.
    pub steps: u64,
}

struct One {
    outcome: Outcome,
    console: Console,
    names: BTreeMap<u32, String>,
    /// What could fail, and whether it did.
    failures: Vec<(String, bool)>,
}

/// Something failed in one of the runs, and they did not get to it in the same way: a run of the other version in which
/// something else fails may do the same. A run that ends with an error may have got less far.
fn failed_apart(a: &One, b: &One) -> bool {
    let n = a.failures.len().min(b.failures.len());
    let shorter = matches!(b.outcome.end, End::Failed(_)) && b.failures.len() == n;
    a.failures.iter().chain(&b.failures).any(|(_, failed)| *failed)
        && (a.failures[..n] != b.failures[..n] || a.failures.len() != b.failures.len() && !shorter)
}

fn run(p: &Program, f: FuncId, inputs: &mut Inputs<'_>, steps: u64, havoc: bool, shift: u64) -> One {
    inputs.restart();
    inputs.shift = shift;
    let config = Config {
        max_steps: steps,
        max_memory: 64 << 20,
        max_depth: 2000,
        max_input_size: 4096,
        externals: ExternalPolicy::Pure,
        snapshot: true,
        havoc_globals: havoc,
        // A function is called in any state, not just in the one after these.
        constructors: false,
        ask_bases: shift != 0,
        ask_uninit: shift != 0,
        ..Config::default()
    };
    let mut console = Console::default();
    let outcome = Interp::new(p, &config).run_function(f, inputs, Some(&mut console));
    One { outcome, console, names: inputs.numbers.clone(), failures: inputs.failures.clone() }
}

fn ended(o: &Outcome) -> bool {
    matches!(o.end, End::Returned(_) | End::Exited(_) | End::Aborted)
}

fn said(o: &Outcome) -> String {
    match &o.end {
        End::Returned(v) if v.is_empty() => "returns".into(),
        End::Returned(v) => format!("returns {}", v.join(", ")),
        End::Exited(n) => format!("exits with {n}"),
        End::Aborted => "aborts".into(),
        End::Failed(f) => format!("fails: {}", f.message),
        End::Stopped(s) => format!("stops: {s}"),
    }
}

/// Tries one input.
fn try_one(
    (old, f): (&Program, FuncId),
    (new, g): (&Program, FuncId),
    silent: &Silent,
    inputs: &mut Inputs<'_>,
    (seed, steps): (u64, u64),
    found: &mut Found,
) {
    let havoc = !seed.is_multiple_of(3);
    let a = run(old, f, inputs, steps, havoc, 0);
    // A run that fills much memory at once says more steps than it took.
    found.steps += a.outcome.steps.min(steps);
    if !ended(&a.outcome) {
        return;
    }
    let b = run(new, g, inputs, steps.saturating_mul(4), havoc, 0);
    found.steps += b.outcome.steps.min(steps.saturating_mul(4));
    if matches!(b.outcome.end, End::Stopped(_)) {
        return;
    }
    found.compared += 1;
    let own = |o: &One| o.outcome.snapshot.as_ref().is_some_and(|s| silent.uses_own(s));
    if failed_apart(&a, &b) || havoc && (own(&a) || own(&b)) {
        return;
    }
    let (x, y) = (
        Run { outcome: &a.outcome, names: &a.names, module: old.module(), silent },
        Run { outcome: &b.outcome, names: &b.names, module: new.module(), silent },
    );
    // What is written counts where both get to their ends.
    let text = |a: &One, b: &One| {
        if ended(&b.outcome) && !silent.text { a.console.difference(&b.console) } else { None }
    };
    let written = text(&a, &b);
    let Some(d) = difference(&x, &y, inputs).or_else(|| written.clone()) else { return };
    let told = inputs.told.clone();
    // Neither may depend on where objects lie or what uninitialised bits are.
    let a2 = run(old, f, inputs, steps, havoc, 5);
    let x2 = Run { outcome: &a2.outcome, names: &a2.names, module: old.module(), silent };
    let same = |x: &Run<'_>, y: &Run<'_>, inputs: &Inputs<'_>| {
        difference(x, y, inputs).is_none() && difference(y, x, inputs).is_none()
    };
    if !ended(&a2.outcome) || !same(&x, &x2, inputs) || text(&a, &a2).is_some() {
        return;
    }
    let b2 = run(new, g, inputs, steps.saturating_mul(4), havoc, 5);
    let y2 = Run { outcome: &b2.outcome, names: &b2.names, module: new.module(), silent };
    let stable = match (&b.outcome.end, &b2.outcome.end) {
        (End::Failed(p), End::Failed(q)) => p.kind == q.kind && p.loc == q.loc,
        _ => same(&y, &y2, inputs) && text(&b, &b2).is_none(),
    };
    if stable && (difference(&x2, &y2, inputs).is_some() || written.is_some() && text(&a2, &b2).is_some()) {
        found.evidence = Some(Evidence {
            seed,
            inputs: told.into_iter().take(40).collect(),
            old: said(&a.outcome),
            new: said(&b.outcome),
            difference: d,
        });
    }
}

/// Pointers that may not point to what another one points to: parameters declared `restrict`, or of which nothing is known.
fn restricted(old: (&Program, FuncId), new: (&Program, FuncId)) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    for (p, f) in [old, new] {
        let m = p.module();
        let Some(body) = &m.func(f).body else { continue };
        for (k, v) in body.blocks[0].params.iter().enumerate() {
            let var = body.values[v.index()].var.and_then(|x| body.vars.get(x.index()));
            if var.and_then(|x| x.ctype).is_none_or(|t| is_restricted(m, t)) {
                out.insert(k as u32);
            }
        }
    }
    out
}

fn is_restricted(m: &Module, mut t: TypeId) -> bool {
    loop {
        match m.ctype(t) {
            CType::Qualified { qualifier: Qualifier::Restrict, .. } => return true,
            CType::Qualified { ty, .. } | CType::Typedef { ty, .. } => t = *ty,
            CType::Pointer(_) => return false,
            // A member of a structure, which may be declared so.
            _ => return true,
        }
    }
}

/// Looks for evidence on the inputs with the numbers from `first` on.
pub(crate) fn search(
    old: (&Program, FuncId),
    new: (&Program, FuncId),
    silent: &Silent,
    dict: &Dictionary,
    first: u64,
    budget: SearchBudget,
) -> Found {
    let mut found = Found::default();
    let restricted = restricted(old, new);
    for seed in first..first + budget.runs {
        let mut inputs = Inputs::new(seed, dict, &restricted);
        try_one(old, new, silent, &mut inputs, (seed, budget.steps), &mut found);
        if found.evidence.is_some() || found.steps > budget.total {
            break;
        }
        // Without parameters or globals to vary, one run tells all.
        if seed > first + 8 && inputs.told.is_empty() {
            break;
        }
    }
    found
}

/// Runs both versions on what a model proposes.
pub(crate) fn replay(
    old: (&Program, FuncId),
    new: (&Program, FuncId),
    silent: &Silent,
    dict: &Dictionary,
    candidate: &Candidate,
    budget: SearchBudget,
) -> Found {
    let mut found = Found::default();
    let restricted = restricted(old, new);
    for seed in 1..9 {
        let mut inputs = Inputs::new(seed, dict, &restricted).fixed(candidate);
        try_one(old, new, silent, &mut inputs, (seed, budget.steps * 4), &mut found);
        if found.evidence.is_some() {
            break;
        }
    }
    found
}
