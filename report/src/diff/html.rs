//! What `verify diff` found as one HTML page: the source of both versions side by side at every difference, variables and
//! names that differ or that only one version has, and a table of all verdicts.

use super::{DiffPlace, DiffReport, inputs, position};
use std::io::{self, Write};

const STYLE: &str = "body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}\
    td,th{padding:.2em .8em;text-align:left;vertical-align:top}pre{background:#f4f4f4;padding:.6em;overflow:auto}\
    .at{background:#ffdf8a}.changed{color:#b00}.unknown{color:#a60}.equal{color:#070}\
    .side{display:grid;grid-template-columns:1fr 1fr;gap:1em}";

fn escape(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One page.
///
/// # Errors
/// The writer's.
pub fn html(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    writeln!(
        w,
        "<!doctype html><meta charset=utf-8><title>verify diff</title><style>{STYLE}</style><h1>{} and {}</h1>\
         <p>{} equal, {} changed, {} unknown; {} other names differ, {} removed, {} added",
        escape(&r.old),
        escape(&r.new),
        r.count("equal"),
        r.count("changed"),
        r.count("unknown"),
        r.symbols.len(),
        r.removed.len(),
        r.added.len(),
    )?;
    if !r.notes.is_empty() {
        writeln!(w, "<h2>Not read</h2><ul>")?;
        for n in &r.notes {
            writeln!(w, "<li>{}", escape(n))?;
        }
        writeln!(w, "</ul>")?;
    }
    for f in r.functions.iter().filter(|f| f.verdict != "equal") {
        writeln!(w, "<h2 id=\"{0}\"><span class={1}>{1}</span> {0}</h2>", escape(&f.name), f.verdict)?;
        writeln!(w, "<p>{}", escape(f.difference.as_deref().unwrap_or(&f.how)))?;
        if let Some(o) = f.origin.as_ref().filter(|o| !o.is_own_code()) {
            writeln!(w, "<p>Differs: {}", escape(&o.text()))?;
        }
        if let Some(e) = &f.evidence {
            writeln!(w, "<p>With {}: old {}, new {}", escape(&inputs(e)), escape(&e.old), escape(&e.new))?;
        }
        side_by_side(&f.old, &f.new, w)?;
    }
    for s in &r.symbols {
        let class = if s.seen { "changed" } else { "unknown" };
        writeln!(w, "<h2><span class={class}>differs</span> {}</h2><p>{}", escape(&s.name), escape(&s.difference))?;
        side_by_side(&s.old, &s.new, w)?;
    }
    for (title, class, list) in [("Removed", "changed", &r.removed), ("Added", "equal", &r.added)] {
        if list.is_empty() {
            continue;
        }
        writeln!(w, "<h2>{title}</h2><table><tr><th>name<th>where")?;
        for o in list {
            let at = o.place.as_ref().map_or(String::new(), position);
            writeln!(w, "<tr><td class={class}>{}<td>{}", escape(&o.name), escape(&at))?;
        }
        writeln!(w, "</table>")?;
    }
    if !r.globals.is_empty() {
        writeln!(w, "<h2>Variables</h2><table><tr><th>variable<th>verdict<th>used by")?;
        for g in &r.globals {
            let used = escape(&g.functions.join(", "));
            writeln!(w, "<tr><td>{}<td class={1}>{1}<td>{used}", escape(&g.name), g.verdict)?;
        }
        writeln!(w, "</table>")?;
    }
    writeln!(w, "<h2>All functions</h2><table><tr><th>function<th>verdict<th>how")?;
    for f in &r.functions {
        writeln!(w, "<tr><td>{}<td class={1}>{1}<td>{2}", escape(&f.name), f.verdict, escape(&f.how))?;
    }
    writeln!(w, "</table>")
}

/// The lines around a place in both versions.
fn side_by_side(old: &Option<DiffPlace>, new: &Option<DiffPlace>, w: &mut dyn Write) -> io::Result<()> {
    writeln!(w, "<div class=side>")?;
    for (which, p) in [("old", old), ("new", new)] {
        writeln!(w, "<div>{which}")?;
        if let Some(p) = p {
            writeln!(w, " {}<pre>", escape(&position(p)))?;
            for (n, here, text) in &p.lines {
                let class = if *here { " class=at" } else { "" };
                writeln!(w, "<span{class}>{n:5} {}</span>", escape(text))?;
            }
            writeln!(w, "</pre>")?;
        }
        writeln!(w, "</div>")?;
    }
    writeln!(w, "</div>")
}
