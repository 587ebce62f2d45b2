//! The numbers at the end: a table per program, why checks are undecided, what could not be read, the assumptions.

use super::Options;
use super::style::Style;
use crate::finding::{Counts, Findings, unknown_reasons};
use crate::wording::printable;
use std::io::{Result, Write};
use unicode_width::UnicodeWidthStr;
use verify_engine::result::{ProgramResult, ScanResult};

/// Reasons, externals and diagnostics beyond this number are counted only.
const MAX_LISTED: usize = 10;

pub fn write(mut out: impl Write, scan: &ScanResult, all: &Findings<'_>, o: &Options) -> Result<()> {
    let s = Style { colour: o.colour };
    table(&mut out, scan, s)?;
    let reasons = unknown_reasons(scan.programs.iter().flat_map(|p| &p.verdicts));
    if !reasons.is_empty() {
        writeln!(out, "\n{}", s.bold("Why checks are unknown:"))?;
        let digits = reasons[0].1.to_string().len();
        for (why, n) in reasons.iter().take(MAX_LISTED) {
            writeln!(out, "  {n:>digits$}  {}", printable(why))?;
        }
        if reasons.len() > MAX_LISTED {
            let n: u64 = reasons[MAX_LISTED..].iter().map(|r| r.1).sum();
            writeln!(out, "  {n:>digits$}  for {} other reasons", reasons.len() - MAX_LISTED)?;
        }
        if reasons.iter().any(|(why, _)| why.split(':').next() == Some("threads")) {
            writeln!(
                out,
                "  threads: with --assume-race-free such a program is decided as if none of its threads raced"
            )?;
        }
    }
    for p in &scan.programs {
        list(&mut out, s, &format!("Not known to {}: functions without body or model", p.name), &p.externals, ", ")?;
    }
    for p in &scan.programs {
        let title = match p.incomplete {
            true => format!("{}: part of it could not be read", p.name),
            false => format!("{}: remarks", p.name),
        };
        if p.incomplete && p.diagnostics.is_empty() {
            writeln!(out, "\n{}", s.bold(&format!("{title}.")))?;
        }
        list(&mut out, s, &title, &p.diagnostics, "\n")?;
    }
    list(&mut out, s, "Not read", &scan.notes, "\n")?;
    list(&mut out, s, "Suppressions without effect", &all.remarks, "\n")?;
    if !all.assumptions.is_empty() {
        writeln!(out, "\n{}", s.bold("Assumptions:"))?;
        for a in &all.assumptions {
            writeln!(out, "  - {}", printable(a))?;
        }
    }
    let suppressed = all.all.iter().filter(|f| f.is_reported() && f.suppressed.is_some()).count();
    if suppressed > 0 {
        writeln!(out, "\n{suppressed} suppressed by comments or the list of suppressions; the SARIF file has them.")?;
    }
    let c = Counts::of(all.all.iter().map(|f| f.verdict));
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let line = format!(
        "{} violated, {} latent, {} unknown, {} proved, {} unreachable ({} check{} at distinct places)",
        c.violated,
        c.latent,
        c.unknown,
        c.proved,
        c.unreachable,
        c.total(),
        plural(c.total())
    );
    writeln!(out, "\n{}", if c.violated > 0 { s.red(&line) } else { s.bold(&line) })
}

fn list(mut out: impl Write, s: Style, title: &str, items: &[String], separator: &str) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", s.bold(&format!("{} ({}):", printable(title), items.len())))?;
    let shown: Vec<String> = items.iter().take(MAX_LISTED).map(|i| printable(i)).collect();
    for line in shown.join(separator).split('\n') {
        writeln!(out, "  {line}")?;
    }
    if items.len() > MAX_LISTED {
        writeln!(out, "  and {} more", items.len() - MAX_LISTED)?;
    }
    Ok(())
}

fn row(name: &str, c: &Counts, p: &verify_engine::result::Stats) -> Vec<String> {
    vec![
        name.to_string(),
        p.units.to_string(),
        format!("{:.1}", p.lines as f64 / 1000.0),
        format!("{}/{}", p.functions_reached, p.functions),
        c.total().to_string(),
        c.violated.to_string(),
        c.latent.to_string(),
        c.unknown.to_string(),
        c.proved.to_string(),
        c.unreachable.to_string(),
    ]
}

/// One line per program; the names on the left, numbers aligned on the right.
fn table(mut out: impl Write, scan: &ScanResult, s: Style) -> Result<()> {
    const HEAD: [&str; 10] = [
        "program",
        "units",
        "kLOC",
        "functions reached",
        "checks",
        "violated",
        "latent",
        "unknown",
        "proved",
        "unreachable",
    ];
    let mark = |p: &ProgramResult| if p.incomplete { " (incomplete)" } else { "" };
    let body = scan.programs.iter().map(|p| {
        let name = format!("{}{}", printable(&p.name), mark(p));
        row(&name, &Counts::of(&p.verdicts), &p.stats)
    });
    let rows: Vec<Vec<String>> = std::iter::once(HEAD.map(String::from).to_vec()).chain(body).collect();
    let widths: Vec<usize> = (0..HEAD.len()).map(|i| rows.iter().map(|r| r[i].width()).max().unwrap_or(0)).collect();
    for (n, r) in rows.iter().enumerate() {
        let cells = r.iter().zip(&widths).enumerate().map(|(i, (cell, width))| {
            let fill = " ".repeat(width - cell.width());
            if i == 0 { format!("{cell}{fill}") } else { format!("{fill}{cell}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", if n == 0 { s.bold(&line) } else { line })?;
    }
    Ok(())
}
