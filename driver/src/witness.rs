//! `verify check --witness FILE`: the witness of a verdict in format 2.0 of SV-COMP.

use crate::cli::CheckOptions;
use crate::names::Names;
use crate::property::{Asked, Property};
use crate::show::invariants;
use anyhow::Context;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use verify_engine::result::{ProgramResult, Verdict};
use verify_facts::invariant::in_all_calls;
use verify_report::witness::{Metadata, correctness, hash, violation};

/// The witness of a program that violates a property, from its shortest replayed execution. False: there is none to be
/// written.
///
/// # Errors
/// A file that cannot be read or written.
pub fn of_violation(path: &Path, p: &ProgramResult, asked: &Asked, o: &CheckOptions) -> anyhow::Result<bool> {
    let all = p.checks.all.iter().zip(&p.verdicts).filter_map(|(c, v)| match v {
        Verdict::Violated(e) => Some((e, asked.violated_by(c.kind)?)),
        _ => None,
    });
    let Some((e, property)) = all.min_by_key(|(e, property)| (e.steps.len(), *property)) else { return Ok(false) };
    let metadata = metadata(o, &[property], asked)?;
    let names = Names::new(&p.module, &o.compiler.sources);
    match violation(&p.module, e, &|f| names.of(f), &metadata) {
        Some(text) => write(path, &text).map(|()| true),
        None => Ok(false),
    }
}

/// The witness of a program that keeps to the properties: what holds at its loops.
///
/// # Errors
/// A file that cannot be read or written.
pub fn of_proof(path: &Path, p: &ProgramResult, asked: &Asked, o: &CheckOptions) -> anyhow::Result<()> {
    let m = &*p.module;
    let mut all = in_all_calls(&p.history.arguments.iter().flat_map(|a| a.invariants.clone()).collect::<Vec<_>>());
    let main = o.entry.as_ref().or(asked.entry.as_ref()).is_none_or(|e| e == "main");
    if main {
        // What other tools would have to find out, too, whether or not this proof needed it.
        let found = invariants::search(m, &invariants::Request::PROGRAM)?.0;
        all.retain(|a| !found.iter().any(|b| (a.func, a.header) == (b.func, b.header)));
        all.extend(found);
    }
    let metadata = metadata(o, &asked.properties, asked)?;
    let entry = m.function_named(o.entry.as_deref().unwrap_or("main"));
    let names = Names::new(m, &o.compiler.sources);
    write(path, &correctness(m, &all, entry, &|f| names.of(f), &metadata))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    crate::output::replace(path, |w| Ok(w.write_all(text.as_bytes())?))
}

fn metadata(o: &CheckOptions, properties: &[Property], asked: &Asked) -> anyhow::Result<Metadata> {
    let mut input_files = Vec::new();
    for s in &o.compiler.sources {
        let bytes = std::fs::read(s).with_context(|| format!("cannot read {}", s.display()))?;
        input_files.push((s.display().to_string(), hash(&bytes)));
    }
    let entry = o.entry.as_deref().or(asked.entry.as_deref()).unwrap_or("main");
    let specification = properties.iter().map(|p| {
        let formula = match p.name() {
            "unreach-call" => "G ! call(reach_error())".to_string(),
            "no-overflow" => "G ! overflow".to_string(),
            "termination" => "F end".to_string(),
            name => format!("G {name}"),
        };
        format!("CHECK( init({entry}()), LTL({formula}) )")
    });
    let specification: Vec<String> = specification.collect();
    let arguments = std::env::args_os().map(|a| quoted(&a.to_string_lossy())).collect::<Vec<_>>();
    Ok(Metadata {
        creation_time: now(),
        version: env!("CARGO_PKG_VERSION").into(),
        command_line: arguments.join(" "),
        input_files,
        specification: specification.join("\n"),
        ilp32: o.ilp32,
    })
}

/// A word of a shell command.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The time in RFC 3339; `SOURCE_DATE_EPOCH` says what time it is where builds have to be reproducible.
fn now() -> String {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse().ok());
    let since =
        given.map_or_else(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), Duration::from_secs);
    date(since.as_secs())
}

/// Seconds since 1970 as a date in UTC.
fn date(seconds: u64) -> String {
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Years that begin in March, so that the odd day comes last (Hinnant, "chrono-compatible low-level date algorithms").
    let z = days + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (s, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date(s), text);
        }
        assert_eq!(quoted("a b'c"), "'a b'\\''c'");
    }
}
