//! Reading what a scan wrote, as far as the suites need it, and checking it against the OASIS schema.

use crate::setup;
use crate::sh;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A result of kind `fail`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// Path as the report gives it.
    pub file: String,
    pub line: u64,
    /// `violated` or `latent`.
    pub verdict: String,
    /// Name of the check kind.
    pub kind: String,
    pub message: String,
}

/// The findings of a log, in order.
pub fn findings(path: &Path) -> Result<Vec<Finding>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let log: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let mut all = Vec::new();
    for run in log["runs"].as_array().into_iter().flatten() {
        for result in run["results"].as_array().into_iter().flatten() {
            if result["kind"].as_str().is_some_and(|k| k != "fail") {
                continue;
            }
            let place = &result["locations"][0]["physicalLocation"];
            let verdict = match result["level"].as_str() {
                Some("note") => "latent",
                _ => "violated",
            };
            let rule = result["ruleId"].as_str().unwrap_or_default();
            all.push(Finding {
                file: place["artifactLocation"]["uri"].as_str().unwrap_or_default().to_string(),
                line: place["region"]["startLine"].as_u64().unwrap_or(0),
                verdict: verdict.to_string(),
                kind: rule.rsplit('/').next().unwrap_or_default().to_string(),
                message: result["message"]["text"].as_str().unwrap_or_default().to_string(),
            });
        }
    }
    Ok(all)
}

/// The property bag of the first run, where the numbers of a scan stand.
pub fn properties(path: &Path) -> Result<Value> {
    let log: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    Ok(log["runs"][0]["properties"].clone())
}

/// The OASIS schema in the tree.
fn schema() -> Option<PathBuf> {
    walkdir::WalkDir::new(sh::root().join("report"))
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .map(|e| e.into_path())
        .find(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("sarif-schema-2.1.0")))
}

/// Is the log valid against the schema?
pub fn validate(path: &Path) -> Result<()> {
    let schema = schema().context("no sarif-schema-2.1.0*.json below report/")?;
    let Some(python) = setup::python_with_jsonschema() else { bail!("no Python with jsonschema; run xtask setup") };
    const SCRIPT: &str = "import json,sys,jsonschema\n\
        schema=json.load(open(sys.argv[1]))\n\
        v=jsonschema.validators.validator_for(schema)(schema)\n\
        errors=sorted(v.iter_errors(json.load(open(sys.argv[2]))),key=str)\n\
        [print('/'.join(map(str,e.absolute_path)),e.message[:300]) for e in errors[:10]]\n\
        sys.exit(1 if errors else 0)";
    let done = sh::capture(Command::new(python).args(["-W", "ignore", "-c", SCRIPT]).arg(&schema).arg(path), 120)?;
    if done.code != 0 {
        bail!("{} is not valid SARIF 2.1.0:\n{}{}", path.display(), done.out(), done.err());
    }
    Ok(())
}
