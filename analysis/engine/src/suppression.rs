//! What the user accepts as it is: entries of a list of suppressions, carried to the reports. No verdict depends on them.

use serde::Deserialize;

/// An entry of a list, as a TOML file gives it. All that is given must agree with a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Suppression {
    /// Kind of check.
    pub kind: Option<String>,
    /// File, relative to the scanned folder; `*` stands for any text.
    pub file: Option<String>,
    /// Line.
    pub line: Option<u32>,
    /// Function; `*` stands for any text.
    pub function: Option<String>,
    /// Beginning of the finding's id.
    pub id: Option<String>,
    /// Why.
    pub reason: String,
}
