//! What users and other programs get to see of a scan: SARIF 2.1.0 ([`sarif`]), the terminal ([`terminal`]) and a compact
//! JSON summary ([`json`]); and what is kept of a scan ([`record`]) so that each check can be explained later
//! ([`explain`]).
//!
//! Invariants of this crate:
//! - Only here is SARIF known.
//! - A report is a function of the [`verify_engine::result::ScanResult`] and the options: no file, no clock, no
//!   environment is read, nothing is printed; everything goes to the given `impl Write`. The same input gives the same
//!   bytes.
//! - Nothing is left out in silence: what a limit cuts off is counted in the report.
//!
//! Columns: the IR counts bytes from 1, SARIF UTF-16 code units from 1, the terminal display cells; [`source`] converts.
#![forbid(unsafe_code)]

pub mod baseline;
pub mod diff;
pub mod explain;
pub mod finding;
pub mod fingerprint;
pub mod identity;
pub mod inputs;
pub mod invariant;
pub mod json;
pub mod lexer;
pub mod record;
pub mod sarif;
pub mod source;
pub mod suppress;
pub mod terminal;
pub mod trace;
pub mod witness;
pub mod wording;

mod region;

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The output refused the bytes.
    #[error("cannot write the report: {0}")]
    Io(#[from] std::io::Error),
    /// The report could not be turned into JSON.
    #[error("cannot write the report as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Result of writing a report.
pub type Result<T> = std::result::Result<T, Error>;
