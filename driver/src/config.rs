//! `verify.toml`: the project's settings. Command-line options win over it. Unknown keys are errors, so that a typing
//! mistake does not silently change what is checked.

use crate::annotations::{self, Annotation};
use crate::exit::usage;
use serde::Deserialize;
use std::path::Path;
use verify_engine::suppression::Suppression;

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
    /// No allocation fails.
    pub allocation_succeeds: bool,
    /// Threads are followed, one after another.
    pub assume_race_free: bool,
    /// Budgets.
    pub budget: Budget,
    /// Where SARIF goes.
    pub output: Option<String>,
    /// SARIF `automationDetails.id`.
    pub category: Option<String>,
    /// Findings that are accepted.
    pub suppress: Vec<Suppression>,
    /// Folders with models in C of functions that the project calls, relative to the scanned folder.
    pub models: Vec<String>,
    /// What is said of functions without a body.
    pub function: Vec<toml::Spanned<Annotation>>,
    /// Lines where these begin.
    #[serde(skip)]
    function_lines: Vec<usize>,
}

/// A file of its own with such entries.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SuppressFile {
    suppress: Vec<Suppression>,
}

impl Config {
    /// What is said of functions.
    ///
    /// # Errors
    /// An annotation that says nothing sensible.
    pub fn annotations(&self) -> anyhow::Result<Vec<annotations::Entry>> {
        let lines = self.function_lines.iter().copied();
        annotations::entries(lines.zip(self.function.iter().map(|a| a.get_ref().clone())).collect())
    }

    /// The user's models: those of the named folders and of verify.toml.
    ///
    /// # Errors
    /// A folder that cannot be read, two files of one name.
    pub fn user_models(&self, dir: &Path, folders: &[std::path::PathBuf]) -> anyhow::Result<Vec<(String, String)>> {
        let mut out: Vec<(String, String)> = Vec::new();
        for folder in folders.iter().cloned().chain(self.models.iter().map(|m| dir.join(m))) {
            out.extend(annotations::folder(&folder)?);
        }
        let mut names: Vec<&str> = out.iter().map(|(n, _)| n.as_str()).collect();
        names.sort_unstable();
        if let Some(w) = names.windows(2).find(|w| w[0] == w[1]) {
            return Err(usage(format!("two files of models have the name {}", w[0])));
        }
        Ok(out)
    }

    /// All accepted findings: of verify.toml, of `dir/verify-suppressions.toml` and of the named file.
    ///
    /// # Errors
    /// A sentence naming the file and what is wrong.
    pub fn suppressions(&self, dir: &Path, file: Option<&Path>) -> anyhow::Result<Vec<Suppression>> {
        let beside = dir.join("verify-suppressions.toml");
        let mut all = vec![("verify.toml".to_string(), self.suppress.clone())];
        for path in file.into_iter().chain(beside.exists().then_some(beside.as_path())) {
            let name = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|e| usage(format!("cannot read {name}: {e}")))?;
            let list: SuppressFile =
                toml::from_str(&text).map_err(|e| usage(format!("{name}: {}", one_line(&e, &text))))?;
            all.push((name, list.suppress));
        }
        let mut out = Vec::new();
        for (name, list) in all {
            for s in list {
                verify_report::suppress::check(&s).map_err(|e| usage(format!("{name}: {e}")))?;
                out.push(s);
            }
        }
        Ok(out)
    }
}

/// Counter budgets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Budget {
    /// Interpreter steps per program, in millions.
    pub steps: Option<u64>,
    /// Wall-clock limit of a scan in seconds, above all counters.
    pub timeout: Option<u64>,
    /// How much work is done.
    pub effort: Option<crate::cli::Effort>,
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
                let mut config: Config =
                    toml::from_str(&text).map_err(|e| usage(format!("{}: {}", path.display(), one_line(&e, &text))))?;
                config.function_lines = config.function.iter().map(|a| line_at(&text, a.span().start)).collect();
                Ok(config)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Config::default()),
            Err(e) => Err(usage(format!("cannot read {}: {e}", path.display()))),
        }
    }
}

fn line_at(text: &str, at: usize) -> usize {
    text.get(..at).map_or(1, |before| before.matches('\n').count() + 1)
}

fn one_line(e: &toml::de::Error, text: &str) -> String {
    let line = e.span().map_or(1, |s| line_at(text, s.start.min(text.len())));
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
