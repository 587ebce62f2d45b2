//! What a run hands to the reports: per program the checks with their verdicts and the evidence. Plain data, made by
//! the scheduler, read by `report`; nothing here knows how a verdict was found.

use crate::history::History;
use crate::log::Choice;
use crate::suppression::Suppression;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use verify_checks::{CheckId, Checks};
use verify_ir::{FuncId, Module, SpanId};

/// The verdict of a check; see the table in the book. Ordered from best to worst, so that the worst of several
/// targets is the maximum.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// No entry and no boundary reaches the check in any target.
    Unreachable,
    /// No execution fails it, under the printed assumptions. Carries what proved it.
    Proved(String),
    /// Not decided, and why.
    Unknown(UnknownReason),
    /// A contract-keeping call of a boundary function fails it; replayed.
    Latent(Box<Evidence>),
    /// An execution from a declared entry fails it; replayed.
    Violated(Box<Evidence>),
}

impl Verdict {
    /// The user-visible name.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Unreachable => "unreachable",
            Verdict::Proved(_) => "proved",
            Verdict::Unknown(_) => "unknown",
            Verdict::Latent(_) => "latent",
            Verdict::Violated(_) => "violated",
        }
    }
    /// 0 (unreachable) to 4 (violated).
    pub fn rank(&self) -> u8 {
        match self {
            Verdict::Unreachable => 0,
            Verdict::Proved(_) => 1,
            Verdict::Unknown(_) => 2,
            Verdict::Latent(_) => 3,
            Verdict::Violated(_) => 4,
        }
    }
}

/// Why a check is not decided.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum UnknownReason {
    /// No engine that proves has run on it.
    NotProvedYet,
    /// A counter budget (named) is used up.
    Budget(String),
    /// The user's wall-clock limit cut it off.
    Time,
    /// A construct that is not modelled stands before it; the sentence names it and its line.
    Unmodelled(String),
    /// The program uses threads.
    Threads,
    /// What an engine leaned on last: a call that was not followed, a loop, a value it knows nothing of.
    Abstraction(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::NotProvedYet => f.write_str("not proved yet"),
            UnknownReason::Budget(b) => write!(f, "budget: {b}"),
            UnknownReason::Time => f.write_str("time"),
            UnknownReason::Unmodelled(w) => write!(f, "unmodelled: {w}"),
            UnknownReason::Threads => f.write_str("threads"),
            UnknownReason::Abstraction(w) => write!(f, "abstraction: {w}"),
        }
    }
}

/// A replayed concrete execution that fails a check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// Where the execution starts.
    pub entry: FuncId,
    /// The call that fails, in words with values: `main()`, `parse(s = "", len = 0)`.
    pub call: String,
    /// What went wrong, with the concrete values: ``write of 4 bytes at offset 16 of `buf` (16 bytes)``.
    pub message: String,
    /// Position users are shown: the failing place, or the call of a library model in user code.
    pub span: SpanId,
    /// Function of that position.
    pub func: FuncId,
    /// What is accessed is an object that the caller of the entry made, or the null pointer that it passed instead.
    pub on_input: bool,
    /// The path, in execution order, ending with the failure.
    pub steps: Vec<TraceStep>,
    /// Other positions that explain it (allocated here, freed here).
    pub notes: Vec<(SpanId, String)>,
    /// For `latent`: the condition in C, when one is known.
    pub condition: Option<String>,
    /// For `latent`: the object, or pointer in one, that callers get from the library only (`gzFile_s`,
    /// `z_stream_s.state`) and that this execution was given without.
    pub made_up: Option<String>,
    /// For an execution from a declared entry: the functions without a body that gave it results of their own choice.
    pub bodiless: Vec<String>,
    /// What other tools can follow.
    pub waypoints: Vec<crate::waypoints::Waypoint>,
    /// Every free choice of the run, for replay.
    pub recording: Vec<u64>,
    /// The same choices with what each was about, in order.
    pub choices: Vec<Choice>,
}

/// A step of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TraceStep {
    /// Position.
    pub span: SpanId,
    /// Function.
    pub func: FuncId,
    /// Call depth from 0 at the entry.
    pub depth: u32,
    /// Sentence, e.g. `condition is true`, `calls parse`; empty where variables get values.
    pub message: String,
    /// Values of variables at this step, name and value in C notation.
    pub values: Vec<(String, String)>,
    /// On the loop-free path to the failure; other steps are told as far as there is room.
    pub on_path: bool,
}

/// How a scanned program (target) is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum TargetKind {
    Executable,
    SharedObject,
    Archive,
    /// Units that belong to no target.
    Loose,
}

/// A scanned program.
#[derive(Clone, Debug)]
pub struct ProgramResult {
    /// Path of the target, relative to the scanned folder.
    pub name: String,
    /// Kind.
    pub kind: TargetKind,
    /// The linked program.
    pub module: Arc<Module>,
    /// Its checks.
    pub checks: Arc<Checks>,
    /// One verdict per check.
    pub verdicts: Vec<Verdict>,
    /// Functions without body or model that the program may call: their results and effects are not known.
    pub externals: Vec<String>,
    /// Link diagnostics and whatever could not be read, as sentences.
    pub diagnostics: Vec<String>,
    /// Part of the program could not be read (exit code 2 when nothing is violated).
    pub incomplete: bool,
    /// Numbers.
    pub stats: Stats,
    /// What was done about each check.
    pub history: History,
}

impl ProgramResult {
    /// The verdict of a check.
    pub fn verdict(&self, id: CheckId) -> &Verdict {
        &self.verdicts[id.0 as usize]
    }
}

/// Numbers of a scan, all deterministic counters.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// User units.
    pub units: u64,
    /// Source lines of user code (of files with text, each once).
    pub lines: u64,
    /// User functions with a body.
    pub functions: u64,
    /// Of these, those that some run entered.
    pub functions_reached: u64,
    /// Interpreter runs.
    pub runs: u64,
    /// Interpreter steps.
    pub steps: u64,
}

/// A whole run.
#[derive(Clone, Default, Debug)]
pub struct ScanResult {
    /// Programs, ordered by name.
    pub programs: Vec<ProgramResult>,
    /// The assumptions under which the verdicts hold, as sentences.
    pub assumptions: Vec<String>,
    /// What could not be read of the project as a whole, as sentences.
    pub notes: Vec<String>,
    /// What the user accepts as it is.
    pub suppressions: Vec<Suppression>,
}
