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
    /// Places that the message refers to, as paths and lines: where something was allocated or freed.
    pub related: Vec<(String, u64)>,
}

/// The findings of a log, in order.
pub fn findings(path: &Path) -> Result<Vec<Finding>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let log: Value = serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    let mut all = Vec::new();
    for run in log["runs"].as_array().into_iter().flatten() {
        for result in run["results"].as_array().into_iter().flatten() {
            let suppressed = result["suppressions"].as_array().is_some_and(|s| !s.is_empty());
            if suppressed || result["kind"].as_str().is_some_and(|k| k != "fail") {
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
                related: related(result),
            });
        }
    }
    Ok(all)
}

fn related(result: &Value) -> Vec<(String, u64)> {
    let all = result["relatedLocations"].as_array().into_iter().flatten();
    let place = |r: &Value| {
        let p = &r["physicalLocation"];
        Some((p["artifactLocation"]["uri"].as_str()?.to_string(), p["region"]["startLine"].as_u64()?))
    };
    all.filter_map(place).collect()
}

/// The property bag of the first run, where the numbers of a scan stand.
pub fn properties(path: &Path) -> Result<Value> {
    let log: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    Ok(log["runs"][0]["properties"].clone())
}

/// The OASIS schema: `VERIFY_SARIF_SCHEMA`, or out of the package `serde-sarif`, which cargo unpacks for the tests of
/// `report` and never compiles.
fn schema() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("VERIFY_SARIF_SCHEMA") {
        return Ok(path.into());
    }
    let find = |extra: &[&str]| -> Option<PathBuf> {
        let done = sh::capture(&mut sh::cargo(["metadata", "--format-version", "1"].iter().chain(extra)), 300).ok()?;
        let metadata: Value = serde_json::from_slice(&done.stdout).ok()?;
        let package = metadata["packages"].as_array()?.iter().find(|p| p["name"] == "serde-sarif")?;
        Some(Path::new(package["manifest_path"].as_str()?).with_file_name("src").join("schema.json"))
    };
    find(&["--offline"]).or_else(|| find(&[])).context("no SARIF schema: run `cargo fetch`, or set VERIFY_SARIF_SCHEMA")
}

/// Is the log valid against the schema?
pub fn validate(path: &Path) -> Result<()> {
    let schema = schema()?;
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
