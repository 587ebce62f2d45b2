//! The answers of `verify diff` for people and programs: terminal, JSON, SARIF, HTML. What is shown was decided
//! elsewhere; what makes the exit code say that something differs is in each of them: functions that are not shown equal,
//! variables and second names that differ, what only one version has, what could not be read.

mod html;
mod sarif;
mod terminal;

pub use html::html;
pub use sarif::sarif;
pub use terminal::terminal;

use serde::{Serialize, Serializer};
use serde_json::json;
use std::io::{self, Write};

/// A place in one version.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffPlace {
    /// Path as it is shown.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when not known.
    pub column: u32,
    /// Function; empty for what is outside of functions.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// The lines around, with their numbers; `true` for the line itself.
    #[serde(skip)]
    pub lines: Vec<(u32, bool, String)>,
}

impl DiffPlace {
    /// The column in UTF-16 code units. The compiler counts bytes; what was no UTF-8 is one character for each byte.
    pub(crate) fn utf16_column(&self) -> u32 {
        let Some((_, _, line)) = self.lines.iter().find(|l| l.1) else { return self.column };
        let mut left = self.column.saturating_sub(1) as usize;
        let mut units = 0;
        for c in line.chars() {
            let width = if c == char::REPLACEMENT_CHARACTER { 1 } else { c.len_utf8() };
            if left < width {
                break;
            }
            left -= width;
            units += c.len_utf16();
        }
        units as u32 + 1
    }
}

/// The input that shows a change.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffEvidence {
    /// Path and value.
    pub inputs: Vec<(String, String)>,
    /// How the old version ends.
    pub old: String,
    /// How the new version ends.
    pub new: String,
    /// What is different.
    pub difference: String,
}

/// What was compared with respect to a global variable.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffGlobal {
    /// The variable.
    pub name: String,
    /// The worst of its functions' verdicts.
    pub verdict: String,
    /// Functions that use it, themselves or by what they call.
    pub functions: Vec<String>,
}

/// Where the difference of a function comes from: itself, or something that it uses.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffOrigin {
    /// `function`, `type`, `variable`, `macro` or `inline assembly`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The function whose own code differs.
    pub function: String,
    /// The calls in the new version that lead there, as `file:line in function`, the outermost first.
    pub stack: Vec<String>,
}

impl DiffOrigin {
    /// Nothing that the function's own line does not say.
    fn is_own_code(&self) -> bool {
        self.kind == "function" && self.stack.is_empty()
    }

    fn text(&self) -> String {
        let inside = if self.name == self.function { String::new() } else { format!(" in `{}`", self.function) };
        let called =
            if self.stack.is_empty() { String::new() } else { format!(", called at {}", self.stack.join(", ")) };
        format!("{} `{}`{inside}{called}", self.kind, self.name)
    }
}

/// A function's verdict.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffFunction {
    /// Name in the new version.
    pub name: String,
    /// Name in the old version when it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// `equal`, `changed` or `unknown`.
    pub verdict: String,
    /// How that is known, or why it is not.
    pub how: String,
    /// What is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Where, in the old version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<DiffPlace>,
    /// Where, in the new version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<DiffPlace>,
    /// Where the difference comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<DiffOrigin>,
    /// The input on which both versions were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<DiffEvidence>,
    /// Its own code is the same, and it is equal if these are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub equal_if: Vec<String>,
    /// Functions asked about that reach it.
    pub callers: Vec<String>,
    /// Its code is not the same.
    pub code_differs: bool,
    /// No other function asked about reaches it.
    pub root: bool,
}

/// A variable or second name that is not the same in both versions.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffSymbol {
    /// Its name.
    pub name: String,
    /// What is different.
    pub difference: String,
    /// It is seen to be different; else it could not be compared.
    #[serde(skip)]
    pub seen: bool,
    /// Where it is defined in the old version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<DiffPlace>,
    /// Where it is defined in the new version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<DiffPlace>,
}

/// A function, variable or second name that only one version has. In JSON it is its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiffOffer {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Option<DiffPlace>,
}

impl Serialize for DiffOffer {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.name)
    }
}

/// Everything.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffReport {
    /// Of the tool.
    pub version: String,
    /// What was compared.
    pub old: String,
    /// With what.
    pub new: String,
    /// Absolute paths of the folders that paths of the old and of the new version are relative to; empty: not known.
    #[serde(skip)]
    pub roots: (String, String),
    /// Verdicts by name.
    pub functions: Vec<DiffFunction>,
    /// Variables asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<DiffGlobal>,
    /// Externally visible variables and second names that are not the same.
    pub symbols: Vec<DiffSymbol>,
    /// Externally visible functions and variables that only the old version has.
    pub removed: Vec<DiffOffer>,
    /// Externally visible functions and variables that only the new version has.
    pub added: Vec<DiffOffer>,
    /// Sentences about what could not be read.
    pub notes: Vec<String>,
    /// Pairs of programs that were compared by an earlier run.
    #[serde(skip)]
    pub reused: usize,
}

impl DiffReport {
    fn count(&self, verdict: &str) -> usize {
        self.functions.iter().filter(|f| f.verdict == verdict).count()
    }

    /// Something is changed, removed, or not shown to be equal.
    pub fn differs(&self) -> bool {
        !self.removed.is_empty() || !self.symbols.is_empty() || self.functions.iter().any(|f| f.verdict != "equal")
    }
}

/// One JSON document.
///
/// # Errors
/// The writer's.
pub fn json(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    let mut v = serde_json::to_value(r).map_err(io::Error::other)?;
    v["summary"] = json!({
        "equal": r.count("equal"), "changed": r.count("changed"), "unknown": r.count("unknown"),
        "removed": r.removed.len(), "added": r.added.len(), "reused": r.reused,
    });
    serde_json::to_writer_pretty(&mut *w, &v).map_err(io::Error::other)?;
    writeln!(w)
}

/// The first of many names.
fn some(names: &[String]) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown = names[..names.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

/// Names that are shown of many.
const SHOWN: usize = 8;

fn position(p: &DiffPlace) -> String {
    format!("{}:{}", p.file, p.line)
}

/// The inputs of an evidence in one line.
fn inputs(e: &DiffEvidence) -> String {
    let all: Vec<String> = e.inputs.iter().map(|(k, v)| format!("{k} = {v}")).collect();
    if all.is_empty() { "no input".into() } else { all.join(", ") }
}
