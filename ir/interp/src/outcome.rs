//! What a run says about itself: how it ended, where, with what values.

use crate::script::ScriptStop;
use serde::{Deserialize, Serialize};
use verify_ir::{CheckKind, FuncId, Loc, Module, SpanId};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// The process exited with this status.
    Exited(i32),
    /// `abort`.
    Aborted,
    /// The function of `run_function` returned; its results as text.
    Returned(Vec<String>),
    /// A check failed.
    Failed(Box<Failure>),
    /// Neither: the reason.
    Stopped(Stop),
}

impl End {
    /// The failure, when there is one.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            End::Failed(f) => Some(f),
            _ => None,
        }
    }
}

/// Why a run ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Stop {
    /// [`crate::Config::max_steps`].
    #[error("out of steps")]
    Steps,
    /// With [`crate::Config::lasso`]: it is in the same state as before, and can go on like this for ever.
    #[error("the execution comes back to a state that it was in before")]
    Repeats {
        /// Steps when it was in that state first.
        from: u64,
        /// Steps when it was again.
        to: u64,
        /// Where.
        span: SpanId,
    },
    /// [`crate::Config::max_memory`], or the address space.
    #[error("out of memory")]
    Memory,
    /// [`crate::Config::max_depth`].
    #[error("call stack too deep")]
    CallDepth,
    /// A construct without a model.
    #[error("not modelled: {reason}")]
    Unmodelled {
        /// What.
        reason: String,
        /// Where.
        span: SpanId,
    },
    /// A function without a body or model was called.
    #[error("call of `{name}`, which has no body")]
    External {
        /// Its name.
        name: String,
        /// Where.
        span: SpanId,
    },
    /// `__verify_assume(0)`: the execution is of no interest.
    #[error("assumption is false")]
    AssumeFalse,
    /// The script had no answer.
    #[error("{0}")]
    Script(ScriptStop),
}

/// A failed check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Which.
    pub kind: CheckKind,
    /// Innermost function.
    pub func: FuncId,
    /// Place in it.
    pub loc: Loc,
    /// Source position.
    pub span: SpanId,
    /// The call stack, innermost first; never empty.
    pub stack: Vec<FrameInfo>,
    /// One sentence that names the C variable or expression.
    pub message: String,
    /// Where the object came from, was freed, ...
    pub notes: Vec<Note>,
    /// The object that was accessed.
    pub object: Option<ObjectInfo>,
    /// Variables of the innermost frames, as far as known.
    pub values: Vec<VarValue>,
}

impl Failure {
    /// The innermost frame that is not in the C library models: the position that users see.
    pub fn user_frame(&self) -> &FrameInfo {
        self.stack.iter().find(|f| !f.model).unwrap_or(&self.stack[0])
    }
}

/// A frame of the call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameInfo {
    /// Function.
    pub func: FuncId,
    /// Where it is: the failing instruction, or the call.
    pub loc: Loc,
    /// Source position of `loc`.
    pub span: SpanId,
    /// The function belongs to the C library models.
    pub model: bool,
}

/// A related place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Where.
    pub span: SpanId,
    /// What, e.g. `freed here`.
    pub text: String,
}

/// The object that an access was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectInfo {
    /// `global`, `stack`, `heap`, `input`, `literal`, `function`, `variadic arguments`.
    pub kind: String,
    /// C name where there is one.
    pub name: Option<String>,
    /// Size in bytes.
    pub size: u64,
    /// Byte offset of the access.
    pub offset: i64,
    /// Bytes accessed.
    pub access: u64,
}

/// A variable's value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VarValue {
    /// Function.
    pub func: FuncId,
    /// Variable name.
    pub name: String,
    /// Value as text.
    pub value: String,
}

/// A step worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEvent {
    /// Where.
    pub span: SpanId,
    /// In which function.
    pub func: FuncId,
    /// Depth of its call: 0 for the outermost function.
    pub depth: u32,
    /// The number of this event in the execution, from 0.
    pub nr: u64,
    /// What.
    pub kind: TraceKind,
}

/// A step on the loop-free path to where the execution ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The last time that it was done.
    pub event: TraceEvent,
    /// A call that has returned, with its result if it has one.
    pub returned: Option<Option<String>>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceKind {
    /// A two-way branch.
    Branch {
        /// The condition held.
        taken: bool,
    },
    /// A `switch`.
    Switch {
        /// The value.
        value: String,
    },
    /// A call.
    Call {
        /// Of this function.
        callee: FuncId,
    },
    /// The function returns.
    Return {
        /// Its result, if any.
        value: Option<String>,
    },
    /// A variable gets a value.
    Assign {
        /// Its name.
        var: String,
        /// The value as text.
        value: String,
    },
}

impl TraceEvent {
    /// A short sentence.
    pub fn describe(&self, module: &Module) -> String {
        match &self.kind {
            TraceKind::Branch { taken } => {
                if *taken {
                    "condition is true".into()
                } else {
                    "condition is false".into()
                }
            }
            TraceKind::Switch { value } => format!("switch value is {value}"),
            TraceKind::Call { callee } => format!("calls `{}`", module.func(*callee).name),
            TraceKind::Return { value: Some(v) } => format!("returns {v}"),
            TraceKind::Return { value: None } => "returns".into(),
            TraceKind::Assign { var, value } => format!("{var} = {value}"),
        }
    }
}

/// Which edges were taken: a bitmap over the edge numbers of [`crate::Program`].
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// 64 edges a word.
    pub words: Vec<u64>,
}

impl Coverage {
    /// Was the edge taken?
    pub fn get(&self, edge: usize) -> bool {
        self.words.get(edge / 64).is_some_and(|w| w >> (edge % 64) & 1 != 0)
    }
    pub(crate) fn set(&mut self, edge: usize) {
        if let Some(w) = self.words.get_mut(edge / 64) {
            *w |= 1 << (edge % 64);
        }
    }
    /// Adds `other`; true if that was new.
    pub fn merge(&mut self, other: &Coverage) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            new |= *b & !*a != 0;
            *a |= b;
        }
        new
    }
    /// Number of edges taken.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|w| u64::from(w.count_ones())).sum()
    }
    /// The edges taken, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(i, &w)| (0..64).filter(move |b| w >> b & 1 != 0).map(move |b| i * 64 + b))
    }
}

/// All about a finished run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Steps executed.
    pub steps: u64,
    /// Most bytes live at one time.
    pub peak_memory: u64,
    /// With [`crate::Config::coverage`].
    pub coverage: Option<Coverage>,
    /// A number was read from bytes of an address, an object found by its address alone, or pointers compared, or taken
    /// from one another, that are not of one object: what happened may depend on where objects lie. (Casts are not counted.)
    pub addresses_read: bool,
    /// The last events, with [`crate::Config::trace`]; oldest first.
    pub trace: Vec<TraceEvent>,
    /// With [`crate::Config::path`]: what was done in the calls of user code that are still open, loops taken out.
    pub path: Vec<PathStep>,
    /// With [`crate::Config::path`]: the last results of library calls that rest on a choice of the script.
    pub results: Vec<(FuncId, String)>,
    /// With [`crate::Config::observe`].
    pub observed: Vec<crate::Observed>,
    /// With [`crate::Config::watch`].
    pub watched: Vec<crate::Watched>,
    /// With [`crate::Config::compare`].
    pub compared: Vec<crate::Comparison>,
    /// The last operation at each place that might have failed and did not; with [`crate::Config::compare`].
    pub may_fail: Vec<crate::MayFail>,
    /// Names of functions without a body whose effects were scripted, sorted, without repetition.
    pub externals: Vec<String>,
    /// With [`crate::Config::snapshot`].
    pub snapshot: Option<Box<crate::Snapshot>>,
}
