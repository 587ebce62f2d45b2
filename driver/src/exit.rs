//! Exit codes, as documented in the book.

/// No `violated`.
pub const CLEAN: u8 = 0;
/// At least one `violated`.
pub const VIOLATED: u8 = 1;
/// None violated, but part of the program could not be read.
pub const INCOMPLETE: u8 = 2;
/// The command line or a configuration file is wrong, or something that the user must provide is missing.
pub const USAGE: u8 = 3;
/// A fault of this tool or of the machine (disk full, child killed).
pub const INTERNAL: u8 = 4;

/// `verify run`: a check failed.
pub const RUN_ERROR: u8 = 125;
/// `verify run`: the run ended without a result (budget, unmodelled construct).
pub const RUN_UNKNOWN: u8 = 124;
/// `verify run`: the program aborted, as a shell reports SIGABRT.
pub const RUN_ABORTED: u8 = 134;

/// An error that is the user's to mend (exit code 3); anything else that is reported as an error is internal.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A [`Usage`] error as `anyhow::Error`.
pub fn usage(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(message.into()))
}
