//! The interpreter: executes a linked [`verify_ir::Module`] concretely with every access checked. It is the oracle of
//! the whole project and the replayer of every reported violation.
//!
//! Invariants of this crate:
//! - No I/O, no clock, no randomness: system calls come through [`Host`], free choices through [`Script`]. Two runs
//!   with the same program, configuration, script answers and host answers are identical.
//! - An execution ends at its first failing check. What is not modelled ends as [`Stop::Unmodelled`] with a reason,
//!   never as a guess.
//! - Memory is what the design text says: objects with size, liveness, origin, per-bit definedness and the provenance
//!   of stored pointers; addresses are concrete and belong to at most one object.
//!
//! Start with [`Program::new`] (shared between runs and threads), then [`Interp::new`] per run and
//! [`Interp::run_main`] or [`Interp::run_function`].
#![forbid(unsafe_code)]

#[cfg(test)]
mod arith_tests;
mod big;
mod bits;
mod call;
mod code;
mod compare;
pub mod config;
mod ctypes;
mod descent;
mod describe;
pub mod differences;
mod exec;
mod fault;
mod float;
#[cfg(test)]
mod float_tests;
mod float_text;
mod generic;
pub mod host;
mod input;
pub mod interp;
mod lasso;
mod leak;
mod machine;
mod matters;
mod memory;
mod native;
mod object;
mod observe;
pub mod outcome;
mod outward;
mod path;
mod prims;
pub mod program;
pub mod script;
pub mod snapshot;
mod translate;
mod varargs;
mod watch;

pub use compare::{Comparison, MayFail, Way};
pub use config::{Config, ExternalPolicy};
pub use host::{Host, Stat};
pub use interp::Interp;
pub use observe::Observed;
pub use outcome::{
    Coverage, End, Failure, FrameInfo, Note, ObjectInfo, Outcome, PathStep, Stop, TraceEvent, TraceKind, VarValue,
};
pub use program::{EdgeInfo, Program};
pub use script::{
    Answer, Natural, Origin, Question, Recorder, Recording, Replay, Script, ScriptStop, Seeded, is_allocation,
};
pub use snapshot::{CallImage, Image, ObjectImage, ObjectName, Snapshot, leaf_path};
pub use watch::{Source, Watch, Watched};
