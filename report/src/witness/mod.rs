//! Witnesses of SV-COMP, format 2.0 (Ayaziová et al., "Software Verification Witnesses 2.0", SPIN 2024): what makes a
//! verdict checkable by other tools. A violation is a sequence of segments with a waypoint each, the last one the
//! target; a proof is a set of invariants in C.
//!
//! Said only what the format can say: a waypoint whose place in the text is not certain is left out, which makes the
//! witness weaker, not wrong. Written as YAML whose strings are quoted as in JSON.

mod invariants;
mod path;
mod text;

pub use invariants::correctness;
pub use path::violation;

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The version of the format.
const VERSION: &str = "2.0";

/// What a witness says of where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metadata {
    /// RFC 3339, UTC.
    pub creation_time: String,
    /// Version of this tool.
    pub version: String,
    /// The command, as typed.
    pub command_line: String,
    /// Files as named by the user, with their SHA-256 in hex.
    pub input_files: Vec<(String, String)>,
    /// The property, in the words of the competition.
    pub specification: String,
    /// `int`, `long` and pointers have 32 bits; else `long` and pointers have 64.
    pub ilp32: bool,
}

/// A place in a source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Location {
    file: String,
    line: u32,
    column: u32,
    function: String,
}

/// SHA-256 in hex, as `input_file_hashes` has it.
pub fn hash(bytes: &[u8]) -> String {
    crate::source::hex(&Sha256::digest(bytes))
}

/// A string as JSON and YAML quote it.
fn quoted(s: &str) -> String {
    serde_json::to_string(s).unwrap_or_else(|_| "\"\"".into())
}

impl Metadata {
    /// An entry: `content` is its indented text.
    fn entry(&self, kind: &str, content: &str) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out, kind, content);
        out
    }

    fn write(&self, out: &mut String, kind: &str, content: &str) -> std::fmt::Result {
        writeln!(out, "- entry_type: {}", quoted(kind))?;
        writeln!(out, "  metadata:")?;
        writeln!(out, "    format_version: {}", quoted(VERSION))?;
        writeln!(out, "    uuid: {}", quoted(&self.uuid(content)))?;
        writeln!(out, "    creation_time: {}", quoted(&self.creation_time))?;
        writeln!(out, "    producer:")?;
        writeln!(out, "      name: \"verify\"")?;
        writeln!(out, "      version: {}", quoted(&self.version))?;
        if !self.command_line.is_empty() {
            writeln!(out, "      command_line: {}", quoted(&self.command_line))?;
        }
        writeln!(out, "    task:")?;
        writeln!(out, "      input_files:")?;
        for (f, _) in &self.input_files {
            writeln!(out, "      - {}", quoted(f))?;
        }
        writeln!(out, "      input_file_hashes:")?;
        for (f, h) in &self.input_files {
            writeln!(out, "        {}: {}", quoted(f), quoted(h))?;
        }
        writeln!(out, "      specification: {}", quoted(&self.specification))?;
        writeln!(out, "      data_model: {}", quoted(if self.ilp32 { "ILP32" } else { "LP64" }))?;
        writeln!(out, "      language: \"C\"")?;
        if content.is_empty() {
            writeln!(out, "  content: []")?;
        } else {
            writeln!(out, "  content:")?;
            out.push_str(content);
        }
        Ok(())
    }

    /// A name-based UUID: the same witness of the same moment has the same one.
    fn uuid(&self, content: &str) -> String {
        let mut h = Sha256::new();
        for part in [self.creation_time.as_str(), &self.command_line, &self.specification, content] {
            h.update(part.as_bytes());
            h.update([0]);
        }
        for (f, hash) in &self.input_files {
            h.update(f.as_bytes());
            h.update(hash.as_bytes());
        }
        let mut b: [u8; 16] = [0; 16];
        b.copy_from_slice(&h.finalize()[..16]);
        // Version 8 (made by rules of our own) and the variant of RFC 9562.
        b[6] = b[6] & 0x0f | 0x80;
        b[8] = b[8] & 0x3f | 0x80;
        let hex = crate::source::hex(&b);
        format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

impl Location {
    fn write(&self, out: &mut String, indent: &str) {
        let _ = writeln!(out, "{indent}location:");
        let _ = writeln!(out, "{indent}  file_name: {}", quoted(&self.file));
        let _ = writeln!(out, "{indent}  line: {}", self.line);
        if self.column > 0 {
            let _ = writeln!(out, "{indent}  column: {}", self.column);
        }
        let _ = writeln!(out, "{indent}  function: {}", quoted(&self.function));
    }
}
