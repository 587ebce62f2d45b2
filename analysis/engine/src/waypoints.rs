//! What a failing execution does that another tool can follow: the results of functions without a body, and the
//! branches, in order. Taken from the replayed trace; a trace that is longer than what is kept loses its beginning.

use crate::log::{Asked, Choice, Place};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verify_checks::calls::is_model;
use verify_interp::{TraceEvent, TraceKind};
use verify_ir::{FuncId, Module, SpanId, TypeId};

/// A step that can be followed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waypoint {
    /// Where.
    pub span: SpanId,
    /// In this function.
    pub func: FuncId,
    /// What.
    pub kind: Step,
}

/// Kinds of steps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// The call here returns this number.
    Returns {
        /// Of this function.
        callee: FuncId,
        /// Its bits.
        value: u64,
        /// How many count.
        bits: u32,
        /// The C type, when known.
        ctype: Option<TypeId>,
    },
    /// The condition here is so.
    Branch {
        /// It holds.
        taken: bool,
    },
}

/// Bits, how many count, and the C type when it is known.
type Number = (u64, u32, Option<TypeId>);

/// Functions whose result is any value of their type.
const NONDET: &str = "__VERIFIER_nondet_";

/// What it returns comes from outside.
fn is_input(module: &Module, f: FuncId) -> bool {
    let f = module.func(f);
    f.body.is_none() || f.name.starts_with(NONDET) && is_model(module, f)
}

/// Bits of the integer that a function returns.
fn result(module: &Module, name: &str) -> Option<u32> {
    match module.func(module.function_named(name)?).sig.results.first() {
        Some(verify_ir::Ty::Int(w)) if (1..=64).contains(w) => Some(*w),
        _ => None,
    }
}

/// The steps of a trace in user code.
pub fn of(module: &Module, trace: &[TraceEvent], choices: &[Choice]) -> Vec<Waypoint> {
    // By function: the results, in order.
    let mut results: BTreeMap<&str, Vec<Option<Number>>> = BTreeMap::new();
    for c in choices {
        let (name, value) = match &c.what {
            // The models of the competition's functions hand on what they are given, in the width of their result.
            Asked::Nondet { what } | Asked::Bytes { what, at: 0, .. } if what.starts_with(NONDET) => {
                (what, result(module, what).map(|w| (c.value & (u64::MAX >> (64 - w)), w, None)))
            }
            Asked::Scalar { place: Place::External(n), ty: verify_ir::Ty::Int(w), ctype, part: 0, .. } if *w <= 64 => {
                (n, Some((c.value, *w, *ctype)))
            }
            Asked::Scalar { place: Place::External(n), part: 0, .. }
            | Asked::Pointer { place: Place::External(n), .. }
            | Asked::Function { place: Place::External(n), .. } => (n, None),
            _ => continue,
        };
        results.entry(name).or_default().push(value);
    }
    let mut out = Vec::new();
    // From the end: the beginning may be gone.
    for e in trace.iter().rev().filter(|e| !is_model(module, module.func(e.func))) {
        let kind = match &e.kind {
            TraceKind::Branch { taken } => Step::Branch { taken: *taken },
            TraceKind::Call { callee } if is_input(module, *callee) => {
                let last = results.get_mut(module.func(*callee).name.as_str()).and_then(Vec::pop).flatten();
                let Some((value, bits, ctype)) = last else { continue };
                Step::Returns { callee: *callee, value, bits, ctype }
            }
            _ => continue,
        };
        out.push(Waypoint { span: e.span, func: e.func, kind });
    }
    out.reverse();
    out
}
