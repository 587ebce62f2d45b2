//! What a build did, on disk: compile_commands.json in and out, response files, and the capture ledger, together
//! with the link model that says which compiled units make which target.
//!
//! What it is not: it runs nothing, knows no compiler option (that is the wrapper's table), reads no
//! environment, and never opens a unit. Units, objects and outputs are known by the BLAKE3 hash of their bytes.
//!
//! Invariants: a ledger record appears whole or not at all, under any number of processes and `kill -9`; an
//! object is tied to its unit by content first, then by path, and every weaker match is said in a note; nothing
//! is dropped silently: an input of a link that has no unit is listed with the reason.
#![forbid(unsafe_code)]

pub mod archive;
pub mod coverage;
pub mod database;
pub mod ledger;
pub mod paths;
pub mod project;
pub mod quote;
pub mod record;
pub mod response;
pub mod select;
pub mod text;

pub use blake3::Hash;
pub use database::{CompileDb, DbError, Entry};
pub use ledger::{Ledger, LedgerError};
pub use project::{Match, Missing, Project, Target, UnitUse};
pub use record::{
    Change, Class, Compile, Effect, Input, InputKind, Link, LinkKind, Marks, Member, Outcome, Record, Status,
};
