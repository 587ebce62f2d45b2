//! A model of a formula as the choices of an execution: the events that happen in it, in order.

use verify_encode::{Event, EventKind};
use verify_interp::{Question, Script, ScriptStop};
use verify_solver::{Bv, Term};

/// A choice with the tag of the question it answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `Question::Fail`.
    Fail(u64),
    /// `Question::Nondet`.
    Nondet(u64),
    /// `Question::Bytes`, all of one arrival.
    Bytes(Vec<u8>),
    /// `Question::Syscall`.
    Syscall(u64),
    /// `Question::Uninit`, little-endian limbs not yet used.
    Uninit(Vec<u64>),
    /// `Question::Scalar`, little-endian limbs.
    Scalar(Vec<u64>),
}

/// All choices of an execution of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Choices {
    /// Number of arguments of `main`, the program's name included.
    pub arguments: u64,
    /// In the order of execution.
    pub list: Vec<Choice>,
}

/// Most arguments that an execution is given.
const MAX_ARGUMENTS: u64 = 64;

/// Reads the choices off a model.
pub fn of_model(events: &[Event], mut value: impl FnMut(Term) -> Bv) -> Choices {
    let mut out = Choices { arguments: 1, list: Vec::new() };
    for e in events {
        if value(e.happens).is_zero() {
            continue;
        }
        let mut word = |t: Term| value(t).to_u64().unwrap_or(0);
        match &e.kind {
            EventKind::Arguments(t) => out.arguments = word(*t).clamp(1, MAX_ARGUMENTS),
            EventKind::Fail(t) => out.list.push(Choice::Fail(word(*t))),
            EventKind::Nondet(t) => out.list.push(Choice::Nondet(word(*t))),
            EventKind::Syscall(t) => out.list.push(Choice::Syscall(word(*t))),
            EventKind::Bytes(ts) => {
                let bytes = ts.iter().map(|t| word(*t) as u8).collect();
                out.list.push(Choice::Bytes(bytes));
            }
            EventKind::Uninit(t) => out.list.push(Choice::Uninit(value(*t).limbs().to_vec())),
            EventKind::External(t, _) => out.list.push(Choice::Scalar(value(*t).limbs().to_vec())),
        }
    }
    out
}

/// Answers questions with the choices of a model; where the model says nothing, with the dullest answer.
pub struct FromModel<'a> {
    choices: &'a [Choice],
    at: usize,
    limb: usize,
}

impl<'a> FromModel<'a> {
    /// From the start.
    pub fn new(choices: &'a Choices) -> FromModel<'a> {
        FromModel { choices: &choices.list, at: 0, limb: 0 }
    }
}

impl Script for FromModel<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        let Some(next) = self.choices.get(self.at) else { return Ok(q.natural()) };
        Ok(match (q, next) {
            (Question::Fail { .. }, Choice::Fail(v))
            | (Question::Nondet { .. }, Choice::Nondet(v))
            | (Question::Syscall { .. }, Choice::Syscall(v)) => {
                self.at += 1;
                *v
            }
            (Question::Uninit { .. }, Choice::Uninit(limbs)) => {
                let v = limbs.get(self.limb).copied().unwrap_or(0);
                self.limb += 1;
                if self.limb >= limbs.len() {
                    self.limb = 0;
                    self.at += 1;
                }
                v
            }
            (Question::Bytes { at, count, total, .. }, Choice::Bytes(b)) => {
                let from = *at as usize;
                let mut v = 0;
                for i in (0..*count as usize).rev() {
                    v = v << 8 | u64::from(b.get(from + i).copied().unwrap_or(0));
                }
                if at + u64::from(*count) >= *total {
                    self.at += 1;
                }
                v
            }
            (Question::Scalar { bits, part, ty, .. }, Choice::Scalar(limbs)) => {
                let v = limbs.get(*part as usize).copied().unwrap_or(0);
                let whole = match ty {
                    verify_ir::Ty::Int(w) => *w,
                    _ => *bits,
                };
                if (part + 1) * 64 >= whole {
                    self.at += 1;
                }
                v
            }
            _ => q.natural(),
        })
    }
}
