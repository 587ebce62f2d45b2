//! What the free choices of a run were about: a script that passes questions on and notes them with their answers.

use serde::{Deserialize, Serialize};
use verify_interp::{Origin, Question, Script, ScriptStop};
use verify_ir::{FuncId, Ty, TypeId};

/// A question of a run and its answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What was asked.
    pub what: Asked,
    /// Access path of the value, may be empty.
    pub path: String,
    /// [`Question::tag`].
    pub tag: u8,
    /// The reduced answer.
    pub value: u64,
    /// [`Question::natural`].
    pub natural: u64,
}

/// [`Question`], owned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `Question`
pub enum Asked {
    Fail { what: String },
    Nondet { what: String },
    Bytes { what: String, at: u64, count: u32 },
    Scalar { place: Place, ty: Ty, ctype: Option<TypeId>, bits: u32, part: u32 },
    Pointer { place: Place, pointee: Option<TypeId>, size: u64, aliases: Vec<u32>, nonnull: bool },
    Function { place: Place, candidates: Vec<FuncId> },
    Elements { object: u32, pointee: Option<TypeId>, size: u64 },
    Syscall { what: String },
    Other,
}

/// [`Origin`], owned.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `Origin`
pub enum Place {
    Param(u32),
    Cell { object: u32, offset: u64 },
    External(String),
}

impl From<&Origin<'_>> for Place {
    fn from(o: &Origin<'_>) -> Place {
        match *o {
            Origin::Param(i) => Place::Param(i),
            Origin::Cell { object, offset } => Place::Cell { object, offset },
            Origin::External(name) => Place::External(name.to_string()),
        }
    }
}

/// Notes the choices of another script.
#[derive(Debug)]
pub struct Log<S> {
    inner: S,
    /// The choices, in order.
    pub choices: Vec<Choice>,
}

impl<S: Script> Log<S> {
    /// Around `inner`.
    pub fn new(inner: S) -> Log<S> {
        Log { inner, choices: Vec::new() }
    }
}

impl<S: Script> Script for Log<S> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        let value = q.reduce(self.inner.choose(q)?);
        let text = |s: &str| s.to_string();
        let (what, path) = match q {
            Question::Fail { what } => (Asked::Fail { what: text(what) }, ""),
            Question::Nondet { what } => (Asked::Nondet { what: text(what) }, ""),
            Question::Bytes { what, at, count, .. } => (Asked::Bytes { what: text(what), at: *at, count: *count }, ""),
            Question::Scalar { origin, ty, ctype, bits, part, path } => {
                (Asked::Scalar { place: origin.into(), ty: *ty, ctype: *ctype, bits: *bits, part: *part }, *path)
            }
            Question::Pointer { origin, pointee, size, aliases, nonnull, path } => {
                let aliases = aliases.to_vec();
                let place = origin.into();
                (Asked::Pointer { place, pointee: *pointee, size: *size, aliases, nonnull: *nonnull }, *path)
            }
            Question::Function { origin, candidates, path, .. } => {
                (Asked::Function { place: origin.into(), candidates: candidates.to_vec() }, *path)
            }
            Question::Elements { object, pointee, size, path, .. } => {
                (Asked::Elements { object: *object, pointee: *pointee, size: *size }, *path)
            }
            Question::Syscall { what, .. } => (Asked::Syscall { what: text(what) }, ""),
            _ => (Asked::Other, ""),
        };
        let natural = q.reduce(q.natural());
        self.choices.push(Choice { what, path: path.to_string(), tag: q.tag(), value, natural });
        Ok(value)
    }
}
