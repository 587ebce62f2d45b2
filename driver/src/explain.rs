//! `verify explain`: what a scan found out about a check, from the record that it left beside its SARIF.

use crate::cli::ExplainArgs;
use crate::config::Config;
use crate::exit::{self, usage};
use std::io::Write;
use std::path::{Path, PathBuf};
use verify_report::explain::{Named, find, name, text};
use verify_report::record::Record;

/// More checks than this are listed instead of explained.
const MAX_EXPLAINED: usize = 4;

/// Where the record of a scan lies whose SARIF is this file.
pub fn record_path(sarif: &Path) -> PathBuf {
    sarif.with_extension("checks.json")
}

/// The SARIF and the record of the scan that `--results` names by either of them.
pub fn files(results: &Path) -> (PathBuf, PathBuf) {
    let record = record_path(results);
    match results.to_str().and_then(|name| name.strip_suffix(".checks.json")) {
        Some(name) if !record.exists() => (format!("{name}.sarif").into(), results.to_path_buf()),
        _ => (results.to_path_buf(), record),
    }
}

/// Runs the command.
///
/// # Errors
/// Usage: there is no scan, or no such check in it.
pub fn explain(args: &ExplainArgs) -> anyhow::Result<u8> {
    let named = Named::parse(&args.check).map_err(usage)?;
    let path = match &args.results {
        Some(p) => files(p).1,
        None => {
            let output = Config::load(Path::new("."))?.output;
            record_path(Path::new(output.as_deref().unwrap_or("verify.sarif")))
        }
    };
    let bytes = std::fs::read(&path).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => usage(format!(
            "there is no scan here ({} is missing): run `verify scan` first, or name its SARIF with --results",
            path.display()
        )),
        _ => usage(format!("cannot read {}: {e}", path.display())),
    })?;
    let record = Record::read(&bytes).map_err(|e| usage(format!("{} {e}", path.display())))?;
    let found = find(&record, &named).map_err(usage)?;
    let mut out = std::io::stdout().lock();
    if found.len() > MAX_EXPLAINED {
        writeln!(out, "{} checks are meant; name one of them:", found.len())?;
        for i in found {
            let e = &record.findings[i];
            let id = e.id.get(..12).unwrap_or(&e.id);
            writeln!(out, "  {id}  {:12} {}: {}", e.verdict, name(e), e.title)?;
        }
        return Ok(exit::CLEAN);
    }
    for (n, i) in found.into_iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        out.write_all(text(&record, &record.findings[i]).as_bytes())?;
    }
    out.flush()?;
    Ok(exit::CLEAN)
}
