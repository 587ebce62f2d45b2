//! A compact machine-readable summary for tests and benchmarks: one object per finding with verdict, kind, file, line,
//! function and target, and the numbers per program. Not a stable interchange format; that is SARIF.

use crate::baseline::Comparison;
use crate::finding::{Counts, Findings, unknown_reasons};
use crate::identity::Identities;
use crate::{Result, wording};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use verify_engine::result::ScanResult;

#[derive(Serialize)]
struct Summary<'a> {
    findings: Vec<Row<'a>>,
    programs: Vec<Program<'a>>,
    /// By merged finding, over all programs.
    counts: Counts,
    assumptions: &'a [String],
    /// Comments and entries that should accept findings and do not.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
    /// Against a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<crate::baseline::Changes>,
}

#[derive(Serialize)]
struct Row<'a> {
    /// As in the SARIF; what `verify explain` takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    verdict: &'a str,
    kind: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    target: &'a str,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    other_targets: &'a [&'a str],
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The reason why it is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed: Option<&'a str>,
    /// `new`, `unchanged` or `updated`, against a baseline.
    #[serde(rename = "baselineState", skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
}

#[derive(Serialize)]
struct Program<'a> {
    name: &'a str,
    incomplete: bool,
    checks: u64,
    counts: Counts,
    unknown: Vec<Reason>,
    units: u64,
    lines: u64,
    functions: u64,
    functions_reached: u64,
    runs: u64,
    steps: u64,
    externals: &'a [String],
    diagnostics: &'a [String],
}

#[derive(Serialize)]
struct Reason {
    reason: String,
    checks: u64,
}

/// Writes the summary. `root` is what paths are relative to; with `all` also what did not fail.
///
/// Against a `baseline` findings say whether they are new.
pub fn write(
    scan: &ScanResult,
    root: &Path,
    all: bool,
    baseline: Option<&Comparison>,
    mut out: impl Write,
) -> Result<()> {
    let findings = Findings::of(scan, root);
    let targets =
        |f: &crate::finding::Finding<'_>| -> usize { f.targets.iter().position(|t| *t == f.program.name).unwrap_or(0) };
    let identities = Identities::of(&findings);
    let mut rows = Vec::new();
    let others: Vec<Vec<&str>> = findings
        .all
        .iter()
        .map(|f| {
            let mut t = f.targets.clone();
            t.remove(targets(f));
            t
        })
        .collect();
    for (f, other_targets) in findings.all.iter().zip(&others).filter(|(f, _)| all || f.is_reported()) {
        rows.push(Row {
            id: identities.get(f),
            verdict: f.verdict.name(),
            kind: f.kind.name(),
            file: f.place.map_or("", |p| findings.sources.get(p.source).path.as_str()),
            line: f.place.map_or(0, |p| p.line),
            column: f.place.map_or(0, |p| p.column),
            function: f.function,
            target: &f.program.name,
            other_targets,
            message: wording::detail(f)
                .map_or(wording::title(f).to_string(), |d| format!("{}: {d}", wording::title(f))),
            call: f.evidence().map(|e| e.call.as_str()),
            reason: match f.verdict {
                verify_engine::result::Verdict::Unknown(why) => Some(why.to_string()),
                _ => None,
            },
            suppressed: f.suppressed.as_ref().map(|s| s.reason.as_str()),
            baseline_state: baseline
                .filter(|_| f.is_reported())
                .map(|b| b.state(&identities.get(f).unwrap_or_default()).name()),
        });
    }
    let programs = scan.programs.iter().map(|p| Program {
        name: &p.name,
        incomplete: p.incomplete,
        checks: p.checks.all.len() as u64,
        counts: Counts::of(&p.verdicts),
        unknown: unknown_reasons(&p.verdicts).into_iter().map(|(reason, checks)| Reason { reason, checks }).collect(),
        units: p.stats.units,
        lines: p.stats.lines,
        functions: p.stats.functions,
        functions_reached: p.stats.functions_reached,
        runs: p.stats.runs,
        steps: p.stats.steps,
        externals: &p.externals,
        diagnostics: &p.diagnostics,
    });
    let summary = Summary {
        findings: rows,
        programs: programs.collect(),
        counts: Counts::of(findings.all.iter().map(|f| f.verdict)),
        assumptions: &findings.assumptions,
        remarks: &findings.remarks,
        baseline: baseline.map(|b| b.changes),
    };
    serde_json::to_writer_pretty(&mut out, &summary)?;
    out.write_all(b"\n")?;
    Ok(())
}
