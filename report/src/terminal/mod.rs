//! Findings and numbers for people at a terminal, in the form that compilers have made familiar.
//!
//! Only what fails is shown, the worst last, where the eye is; everything else is counted. Text from the analysed
//! program cannot send control sequences to the terminal.

mod finding;
mod snippet;
mod style;
mod summary;

use crate::Result;
use crate::finding::{Finding, Findings};
use std::io::Write;
use std::path::PathBuf;
use verify_engine::result::{ScanResult, Verdict};

/// How to write.
#[derive(Clone, Debug)]
pub struct Options {
    /// Absolute path that shown paths are relative to.
    pub root: PathBuf,
    /// ANSI colours.
    pub colour: bool,
    /// Width of the terminal in cells.
    pub width: usize,
    /// At most so many steps of a trace.
    pub max_steps: usize,
    /// At most so many findings: violated ones first. The rest is counted.
    pub max_findings: usize,
    /// Show latent findings; otherwise they are counted.
    pub latent: bool,
}

impl Options {
    /// No colours, 100 cells, 12 steps, 100 findings.
    pub fn new(root: impl Into<PathBuf>) -> Options {
        Options { root: root.into(), colour: false, width: 100, max_steps: 12, max_findings: 100, latent: true }
    }
}

/// Writes the findings and the summary.
pub fn write(scan: &ScanResult, options: &Options, mut out: impl Write) -> Result<()> {
    let findings = Findings::of(scan, &options.root);
    let pick = |violated: bool| -> Vec<&Finding<'_>> {
        findings.failures().filter(|f| matches!(f.verdict, Verdict::Violated(_)) == violated).collect()
    };
    let (violated, mut latent) = (pick(true), pick(false));
    // Those with a condition that callers keep anyway are the first to be left out.
    latent.sort_by_key(|f| f.is_minor());
    let wanted_latent = if options.latent { latent.len() } else { 0 };
    let shown_violated = violated.len().min(options.max_findings);
    let shown_latent = wanted_latent.min(options.max_findings - shown_violated);
    let mut shown: Vec<&Finding<'_>> = latent[..shown_latent].to_vec();
    shown.sort_by_key(|f| !f.is_minor());
    for f in shown.into_iter().chain(violated[..shown_violated].iter().copied()) {
        finding::write(&mut out, &findings, f, options)?;
    }
    let omitted = |n: usize, all: usize, name: &str| (n < all).then(|| format!("{} more {name}", all - n));
    let omitted: Vec<String> =
        [omitted(shown_violated, violated.len(), "violated"), omitted(shown_latent, latent.len(), "latent")]
            .into_iter()
            .flatten()
            .collect();
    if !omitted.is_empty() {
        writeln!(out, "{} not shown here; the SARIF file has them.\n", omitted.join(" and "))?;
    }
    summary::write(&mut out, scan, &findings, options)?;
    Ok(())
}
