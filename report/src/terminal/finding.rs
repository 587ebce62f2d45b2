//! One finding: headline, position, trace, notes.

use super::Options;
use super::snippet::{self, Drawing};
use super::style::Style;
use crate::finding::{Finding, Findings};
use crate::trace::{self, Part};
use crate::wording;
use std::io::{Result, Write};
use unicode_width::UnicodeWidthStr;
use verify_engine::result::{Evidence, Verdict};

/// Notes beyond this number are counted only.
const MAX_NOTES: usize = 6;

pub fn write(mut out: impl Write, all: &Findings<'_>, f: &Finding<'_>, o: &Options) -> Result<()> {
    let s = Style { colour: o.colour };
    let head = format!("{}[{}]", f.verdict.name(), f.kind);
    let head = match f.verdict {
        Verdict::Violated(_) => s.red(&head),
        Verdict::Latent(_) => s.yellow(&head),
        Verdict::Proved(_) => s.green(&head),
        _ => s.bold(&head),
    };
    writeln!(out, "{head}{}", s.bold(&format!(": {}", one_line(wording::title(f)))))?;
    let notes: Vec<_> = f
        .evidence()
        .into_iter()
        .flat_map(|e| &e.notes)
        .filter_map(|(span, text)| Some((all.place(f.program, *span)?, text)))
        .collect();
    let lines = f.place.iter().map(|p| p.line).chain(notes.iter().map(|n| n.0.line));
    let gutter = snippet::gutter(lines);
    let pad = " ".repeat(gutter);
    let label = wording::detail(f).map(one_line).unwrap_or_default();
    let drawing = |label, primary| Drawing { style: s, width: o.width, gutter, label, primary };
    match f.place {
        Some(p) => snippet::write(&mut out, &drawing(&label, true), all.sources.get(p.source), p, &f.check.expr)?,
        None => writeln!(out, "{pad} {} at an unknown place; {label}", s.blue("="))?,
    }
    let mut fact = |name: &str, text: &str| writeln!(out, "{pad} {} {} {}", s.blue("="), s.bold(name), one_line(text));
    if !f.function.is_empty() {
        fact("function:", f.function)?;
    }
    match f.verdict {
        Verdict::Violated(e) => fact("run:", &e.call)?,
        Verdict::Latent(e) if !e.bodiless.is_empty() => {
            fact("run:", &e.call)?;
            fact("condition:", &wording::bodiless(&e.bodiless))?;
        }
        Verdict::Latent(e) => {
            fact("call:", &format!("{} (allowed by the input contract; no caller excludes it)", e.call))?;
            if let Some(m) = &e.made_up {
                fact("condition:", &format!("a `{m}` that the library did not make"))?;
            } else if let Some(c) = &e.condition {
                fact("condition:", c)?;
            }
        }
        _ => fact("verdict:", &wording::explanation(f))?,
    }
    if !f.also.is_empty() {
        const SHOWN: usize = 6;
        let mut list: Vec<String> = f.also.iter().take(SHOWN).map(|(p, _)| format!("{}", p.line)).collect();
        list.dedup();
        let more = f.also.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        fact("also:", &format!("under the same condition in lines {}{more}", list.join(", ")))?;
    }
    if f.targets.len() > 1 || !f.targets.contains(&"") {
        // Test suites link one library into dozens of programs; the SARIF names them all.
        const SHOWN: usize = 4;
        let mut names = f.alike[..f.alike.len().min(SHOWN)].join(", ");
        if f.alike.len() > SHOWN {
            names.push_str(&format!(" and {} more", f.alike.len() - SHOWN));
        }
        fact(if f.alike.len() == 1 { "program:" } else { "programs:" }, &names)?;
    }
    if let Some(e) = f.evidence() {
        write_trace(&mut out, all, f, e, o, &pad)?;
    }
    for (place, text) in notes.iter().take(MAX_NOTES) {
        writeln!(out, "{}: {}", s.cyan("note"), one_line(text))?;
        snippet::write(&mut out, &drawing("", false), all.sources.get(place.source), *place, "")?;
    }
    if notes.len() > MAX_NOTES {
        writeln!(out, "{}: and {} more", s.cyan("note"), notes.len() - MAX_NOTES)?;
    }
    writeln!(out)
}

fn write_trace(
    mut out: impl Write,
    all: &Findings<'_>,
    f: &Finding<'_>,
    e: &Evidence,
    o: &Options,
    pad: &str,
) -> Result<()> {
    // The failure is shown above already.
    if e.steps.len() < 2 && e.steps.iter().all(|s| s.values.is_empty()) {
        return Ok(());
    }
    let s = Style { colour: o.colour };
    writeln!(out, "{pad} {} {}", s.blue("="), s.bold("trace:"))?;
    let mut parts = trace::select(&e.steps, o.max_steps.max(1));
    // A line about one omitted step is as long as the step.
    let mut next = 0;
    for p in &mut parts {
        match *p {
            Part::Gap(1) => *p = Part::Step(next),
            Part::Gap(n) => next += n - 1,
            Part::Step(_) => {}
        }
        next += 1;
    }
    let place = |i: usize| match all.place(f.program, e.steps[i].span) {
        Some(p) => snippet::position(all.sources.get(p.source), p),
        None => "?".into(),
    };
    let places: Vec<String> = parts
        .iter()
        .map(|p| match p {
            Part::Step(i) => place(*i),
            Part::Gap(_) => String::new(),
        })
        .collect();
    let wide = places.iter().map(|p| p.width()).max().unwrap_or(0).min(o.width / 3);
    let digits = e.steps.len().to_string().len();
    for (part, position) in parts.iter().zip(&places) {
        match part {
            Part::Gap(n) => writeln!(out, "{pad}   {:>digits$} {}", "", s.dim(&format!("... {n} steps")))?,
            Part::Step(i) => {
                let step = &e.steps[*i];
                let function = f.program.module.functions.get(step.func.index()).map_or("?", |f| f.name.as_str());
                let fill = " ".repeat(wide.saturating_sub(position.width()));
                let indent = "  ".repeat(step.depth.min(8) as usize);
                let number = s.dim(&format!("{:>digits$}", i + 1));
                let what = one_line(&step.message);
                let values: Vec<String> =
                    step.values.iter().map(|(n, v)| one_line(&format!("{n} = {}", short(v)))).collect();
                let values = match what.is_empty() {
                    true => values.join(", "),
                    false if values.is_empty() => String::new(),
                    false => format!("  [{}]", values.join(", ")),
                };
                let line = format!("{pad}   {number} {position}{fill}  {indent}{function}: {what}{}", s.cyan(&values));
                writeln!(out, "{}", line.trim_end())?;
            }
        }
    }
    Ok(())
}

/// Values of arrays and structures can be long.
fn short(value: &str) -> String {
    const MAX: usize = 60;
    if value.chars().count() <= MAX {
        return value.to_string();
    }
    format!("{}...", value.chars().take(MAX - 3).collect::<String>())
}

/// Nothing from the program may break the layout or reach the terminal's control.
fn one_line(text: &str) -> String {
    wording::printable(text).replace(['\n', '\t'], " ")
}
