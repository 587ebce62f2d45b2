//! What `verify diff` says on the terminal.

use super::{DiffFunction, DiffReport, position, some};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// For people. `all` lists equal functions too, and every function that is equal if others are.
///
/// # Errors
/// The writer's.
pub fn terminal(r: &DiffReport, all: bool, w: &mut dyn Write) -> io::Result<()> {
    let told = |f: &&DiffFunction| all || f.verdict != "equal" && f.equal_if.is_empty();
    for f in r.functions.iter().filter(told) {
        let renamed = f.old_name.as_ref().map_or(String::new(), |o| format!(" (was `{o}`)"));
        match (f.verdict.as_str(), &f.evidence) {
            ("changed", Some(e)) => writeln!(w, "changed: {}{renamed}: {}", f.name, e.difference)?,
            (v, _) => writeln!(w, "{v}: {}{renamed} ({})", f.name, f.how)?,
        }
        if f.verdict == "equal" {
            continue;
        }
        if let Some(o) = f.origin.as_ref().filter(|o| !o.is_own_code()) {
            writeln!(w, "    differs: {}", o.text())?;
        }
        if let Some(e) = &f.evidence {
            for (k, v) in &e.inputs {
                writeln!(w, "    with {k} = {v}")?;
            }
            writeln!(w, "    the old version {}", e.old)?;
            writeln!(w, "    the new version {}", e.new)?;
        }
        for (which, p) in [("old", &f.old), ("new", &f.new)] {
            let Some(p) = p else { continue };
            let inside = if p.function == f.name { String::new() } else { format!(" in `{}`", p.function) };
            writeln!(w, "  {which}: {}{inside}", position(p))?;
            for (n, here, text) in &p.lines {
                writeln!(w, "   {} {n:5} | {text}", if *here { '>' } else { ' ' })?;
            }
        }
        if !f.callers.is_empty() {
            writeln!(w, "  reached from {}", some(&f.callers))?;
        }
    }
    roots(r, w)?;
    for g in &r.globals {
        writeln!(w, "variable {}: {}, {} functions use it", g.name, g.verdict, g.functions.len())?;
    }
    for s in &r.symbols {
        writeln!(w, "differs: {}: {}", s.name, s.difference)?;
        for (which, p) in [("old", &s.old), ("new", &s.new)] {
            if let Some(p) = p {
                writeln!(w, "  {which}: {}", position(p))?;
            }
        }
    }
    for (word, list) in [("removed", &r.removed), ("added", &r.added)] {
        for o in list {
            let at = o.place.as_ref().map_or(String::new(), |p| format!(" ({})", position(p)));
            writeln!(w, "{word}: {}{at}", o.name)?;
        }
    }
    for n in &r.notes {
        writeln!(w, "note: {n}")?;
    }
    let mut how = BTreeMap::<&str, usize>::new();
    for f in r.functions.iter().filter(|f| f.verdict == "equal") {
        *how.entry(&f.how).or_default() += 1;
    }
    let how: Vec<String> = how.iter().map(|(h, n)| format!("{n} by {h}")).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    let same = r.functions.iter().filter(|f| !f.equal_if.is_empty()).count();
    let same = if same == 0 { String::new() } else { format!(" ({same} with the same code)") };
    writeln!(w, "{} equal{how}, {} changed, {} unknown{same}", r.count("equal"), r.count("changed"), r.count("unknown"))
}

/// Which functions are equal but for which others: each difference once.
fn roots(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    let mut by: BTreeMap<&[String], Vec<String>> = BTreeMap::new();
    for f in r.functions.iter().filter(|f| !f.equal_if.is_empty()) {
        by.entry(&f.equal_if).or_default().push(f.name.clone());
    }
    let mut all: Vec<_> = by.into_iter().collect();
    all.sort_by_key(|(roots, names)| (std::cmp::Reverse(names.len()), *roots));
    for (roots, names) in all {
        let are = if roots.len() == 1 { "is" } else { "are" };
        writeln!(w, "unknown: {} with the same code, equal if {} {are}: {}", names.len(), some(roots), some(&names))?;
    }
    Ok(())
}
