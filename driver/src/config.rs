//! `verify.toml`: the project's settings. Command-line options win over it. Unknown keys are errors, so that a typing
//! mistake does not silently change what is checked.

use crate::exit::usage;
use serde::Deserialize;
use std::path::Path;

/// The contents of `verify.toml`. All keys are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Functions besides `main` where executions start (declared entries).
    pub entries: Vec<String>,
    /// Targets to scan, by path relative to the scanned folder; empty: all.
    pub targets: Vec<String>,
    /// Targets to leave out.
    pub exclude_targets: Vec<String>,
    /// Kinds of checks that are off by default and wanted here.
    pub checks: Vec<String>,
    /// Budgets.
    pub budget: Budget,
    /// Where SARIF goes.
    pub output: Option<String>,
    /// SARIF `automationDetails.id`.
    pub category: Option<String>,
}

/// Counter budgets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Budget {
    /// Interpreter steps per program, in millions.
    pub steps: Option<u64>,
    /// Wall-clock limit of a scan in seconds, above all counters.
    pub timeout: Option<u64>,
}

impl Config {
    /// Reads `dir/verify.toml`; a missing file is the default configuration.
    ///
    /// # Errors
    /// A sentence naming the file, the line and what is wrong.
    pub fn load(dir: &Path) -> anyhow::Result<Config> {
        let path = dir.join("verify.toml");
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                toml::from_str(&text).map_err(|e| usage(format!("{}: {}", path.display(), one_line(&e, &text))))
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(e) => Err(usage(format!("cannot read {}: {e}", path.display()))),
        }
    }
}

fn one_line(e: &toml::de::Error, text: &str) -> String {
    let line = e.span().map_or(1, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
    format!("line {line}: {}", e.message().lines().next().unwrap_or("malformed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_refuses() {
        let c: Config = toml::from_str("entries = [\"fuzz\"]\n[budget]\nsteps = 5\n").unwrap();
        assert_eq!(c.entries, ["fuzz"]);
        assert_eq!(c.budget.steps, Some(5));
        let text = "entries = []\nentires = []\n";
        let e = toml::from_str::<Config>(text).unwrap_err();
        assert!(one_line(&e, text).starts_with("line 2: unknown field `entires`"), "{}", one_line(&e, text));
    }
}
