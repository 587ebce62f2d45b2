//! Source positions and source files. Text is kept once per content hash, so that a report can show the line that
//! was compiled even after the file changed.

use crate::entity::{FileId, SpanId};
use serde::{Deserialize, Serialize};

/// A source position. `SpanId(0)` of every module is the unknown position (line 0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    /// File.
    pub file: FileId,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
    /// Column in bytes, from 1; 0 when unknown.
    pub column: u32,
    /// The call site that this code was inlined at.
    pub inlined_at: Option<SpanId>,
}

/// A source file that the unit read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// As the compiler saw it, relative to `directory`.
    pub path: String,
    /// Compilation directory.
    pub directory: String,
    /// BLAKE3 of the text, all zero when the text could not be read.
    pub hash: [u8; 32],
    /// The text (lossy UTF-8), `None` when it could not be read.
    pub text: Option<std::sync::Arc<str>>,
    /// Part of the C library models or of the compiler: not user code.
    pub system: bool,
}

/// An object-like or function-like macro, as written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MacroDef {
    /// Name with its parameter list, as in `-fdebug-macro`.
    pub name: String,
    /// Replacement text.
    pub body: String,
    /// Where; line 0 for the command line and predefined ones.
    pub file: Option<FileId>,
    /// Line of the definition.
    pub line: u32,
    /// `#undef` instead of `#define`.
    pub undef: bool,
}
