//! The vocabulary of all engines and the machinery around them: obligations and outcomes, certificates, budgets,
//! starting points, replay, the scheduler, and the results that reports are made from. No engine is in here.
//!
//! Invariants of this crate:
//! - Analyses are functions of their inputs. Budgets are counters; the wall clock reaches an engine only as a
//!   [`StopFlag`], and what that cuts off is `unknown: time`; [`meter`] measures for statistics only.
//! - Nothing becomes `violated` or `latent` but by [`replay::confirm`]: a fresh interpreter failed the same check with
//!   the recorded choices.
//! - Results are merged in the order of the plan, so the same program gives the same bytes at any number of threads.
#![forbid(unsafe_code)]

pub mod assumptions;
pub mod budget;
mod digest;
pub mod engine;
pub mod entries;
pub mod evidence;
pub mod history;
mod identity;
pub mod log;
pub mod made_up;
pub mod memory;
pub mod meter;
mod numbered;
pub mod progress;
pub mod reach;
pub mod replay;
pub mod result;
pub mod rules;
pub mod scheduler;
pub mod sequence;
pub mod start;
pub mod subject;
pub mod suppression;
mod threads;
pub mod values;
pub mod waypoints;

pub use budget::{Budget, Spent};
pub use engine::{Certificate, Engine, Leaning, Obligation, Outcome, Scope, Solving, StopFlag, Task, TaskReport};
pub use memory::Memory;
pub use progress::{Progress, Silent};
pub use replay::{Confirmed, ReplayedTrace};
pub use rules::Rules;
pub use scheduler::{ScanOptions, scan};
pub use sequence::Sequence;
pub use start::Start;
pub use subject::{Attribution, Draft, ProgramInput, Subject};
