//! The answers of `verify diff` for people and programs: terminal, JSON, SARIF, HTML. What is shown was decided
//! elsewhere; a function that is not shown equal is never left out.

use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A place in one version.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffPlace {
    /// Path as it is shown.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 when not known.
    pub column: u32,
    /// Function.
    pub function: String,
    /// The lines around, with their numbers; `true` for the line itself.
    #[serde(skip)]
    pub lines: Vec<(u32, bool, String)>,
}

/// The input that shows a change.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffEvidence {
    /// Path and value.
    pub inputs: Vec<(String, String)>,
    /// How the old version ends.
    pub old: String,
    /// How the new version ends.
    pub new: String,
    /// What is different.
    pub difference: String,
}

/// What was compared with respect to a global variable.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffGlobal {
    /// The variable.
    pub name: String,
    /// The worst of its functions' verdicts.
    pub verdict: String,
    /// Functions that use it, themselves or by what they call.
    pub functions: Vec<String>,
}

/// Where the difference of a function comes from: itself, or something that it uses.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct DiffOrigin {
    /// `function`, `type`, `variable`, `macro` or `inline assembly`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// The function whose own code differs.
    pub function: String,
    /// The calls in the new version that lead there, as `file:line in function`, the outermost first.
    pub stack: Vec<String>,
}

impl DiffOrigin {
    /// Nothing that the function's own line does not say.
    fn is_own_code(&self) -> bool {
        self.kind == "function" && self.stack.is_empty()
    }

    fn text(&self) -> String {
        let inside = if self.name == self.function { String::new() } else { format!(" in `{}`", self.function) };
        let called =
            if self.stack.is_empty() { String::new() } else { format!(", called at {}", self.stack.join(", ")) };
        format!("{} `{}`{inside}{called}", self.kind, self.name)
    }
}

/// A function's verdict.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffFunction {
    /// Name in the new version.
    pub name: String,
    /// Name in the old version when it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// `equal`, `changed` or `unknown`.
    pub verdict: String,
    /// How that is known, or why it is not.
    pub how: String,
    /// What is different.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Where, in the old version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<DiffPlace>,
    /// Where, in the new version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<DiffPlace>,
    /// Where the difference comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<DiffOrigin>,
    /// The input on which both versions were run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<DiffEvidence>,
    /// Functions asked about that reach it.
    pub callers: Vec<String>,
    /// Its code is not the same.
    pub code_differs: bool,
    /// No other function asked about reaches it.
    pub root: bool,
}

/// A variable or second name that is not the same in both versions.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffSymbol {
    /// Its name.
    pub name: String,
    /// What is different.
    pub difference: String,
}

/// Everything.
#[derive(Clone, Debug, Default, Serialize, PartialEq, Eq)]
pub struct DiffReport {
    /// Of the tool.
    pub version: String,
    /// What was compared.
    pub old: String,
    /// With what.
    pub new: String,
    /// Verdicts by name.
    pub functions: Vec<DiffFunction>,
    /// Variables asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<DiffGlobal>,
    /// Externally visible variables and second names that are not the same.
    pub symbols: Vec<DiffSymbol>,
    /// Externally visible functions and variables that only the old version has.
    pub removed: Vec<String>,
    /// Externally visible functions and variables that only the new version has.
    pub added: Vec<String>,
    /// Sentences about what could not be read.
    pub notes: Vec<String>,
    /// Pairs of programs that were compared by an earlier run.
    #[serde(skip)]
    pub reused: usize,
}

impl DiffReport {
    fn count(&self, verdict: &str) -> usize {
        self.functions.iter().filter(|f| f.verdict == verdict).count()
    }

    /// Something is changed, removed, or not shown to be equal.
    pub fn differs(&self) -> bool {
        !self.removed.is_empty() || !self.symbols.is_empty() || self.functions.iter().any(|f| f.verdict != "equal")
    }
}

/// One JSON document.
///
/// # Errors
/// The writer's.
pub fn json(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    let mut v = serde_json::to_value(r).map_err(io::Error::other)?;
    v["summary"] = json!({
        "equal": r.count("equal"), "changed": r.count("changed"), "unknown": r.count("unknown"),
        "removed": r.removed.len(), "added": r.added.len(), "reused": r.reused,
    });
    serde_json::to_writer_pretty(&mut *w, &v).map_err(io::Error::other)?;
    writeln!(w)
}

fn position(p: &DiffPlace) -> String {
    format!("{}:{}", p.file, p.line)
}

/// For people. `all` lists equal functions too.
///
/// # Errors
/// The writer's.
pub fn terminal(r: &DiffReport, all: bool, w: &mut dyn Write) -> io::Result<()> {
    for f in &r.functions {
        if f.verdict == "equal" && !all {
            continue;
        }
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
            writeln!(w, "  reached from {}", f.callers.join(", "))?;
        }
    }
    for g in &r.globals {
        writeln!(w, "variable {}: {}, {} functions use it", g.name, g.verdict, g.functions.len())?;
    }
    for s in &r.symbols {
        writeln!(w, "differs: {}: {}", s.name, s.difference)?;
    }
    for n in &r.removed {
        writeln!(w, "removed: {n}")?;
    }
    for n in &r.added {
        writeln!(w, "added: {n}")?;
    }
    for n in &r.notes {
        writeln!(w, "note: {n}")?;
    }
    let mut how = std::collections::BTreeMap::<&str, usize>::new();
    for f in r.functions.iter().filter(|f| f.verdict == "equal") {
        *how.entry(&f.how).or_default() += 1;
    }
    let how: Vec<String> = how.iter().map(|(h, n)| format!("{n} by {h}")).collect();
    let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join(", ")) };
    writeln!(w, "{} equal{how}, {} changed, {} unknown", r.count("equal"), r.count("changed"), r.count("unknown"))
}

fn location(p: &DiffPlace, text: &str) -> Value {
    let mut region = json!({ "startLine": p.line.max(1) });
    if p.column > 0 {
        region["startColumn"] = json!(p.column);
    }
    json!({
        "physicalLocation": { "artifactLocation": { "uri": p.file }, "region": region },
        "message": { "text": text },
    })
}

/// SARIF 2.1.0: a result for every function that is not shown equal.
///
/// # Errors
/// The writer's.
pub fn sarif(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    let mut results = Vec::new();
    for f in r.functions.iter().filter(|f| f.verdict != "equal") {
        let changed = f.verdict == "changed";
        let what = f.difference.clone().unwrap_or_else(|| f.how.clone());
        let mut text = if changed {
            format!("`{}` changed its meaning: {what}", f.name)
        } else {
            format!("`{}` is not shown to mean the same: {what}", f.name)
        };
        if let Some(o) = f.origin.as_ref().filter(|o| !o.is_own_code()) {
            text.push_str(&format!(". It differs in {}", o.text()));
        }
        if let Some(e) = &f.evidence {
            let inputs: Vec<String> = e.inputs.iter().map(|(k, v)| format!("{k} = {v}")).collect();
            text.push_str(&format!(
                ". With {}: the old version {}, the new version {}",
                inputs.join(", "),
                e.old,
                e.new
            ));
        }
        let mut one = json!({
            "ruleId": if changed { "changed-meaning" } else { "not-shown-equal" },
            "kind": if changed { "fail" } else { "open" },
            "level": if changed { "warning" } else { "none" },
            "message": { "text": text },
            "partialFingerprints": { "function/v1": f.name },
        });
        if let Some(p) = &f.new {
            one["locations"] = json!([location(p, "the new version")]);
        }
        if let Some(p) = &f.old {
            one["relatedLocations"] = json!([location(p, "the old version")]);
        }
        results.push(one);
    }
    let rule = |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    let doc = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "verify", "version": r.version, "informationUri": "https://github.com/verify-c/verify",
                "rules": [
                    rule("changed-meaning", "An input on which two versions of a function do not do the same"),
                    rule("not-shown-equal", "Two versions of a function that could not be shown to mean the same"),
                ],
            }},
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *w, &doc).map_err(io::Error::other)?;
    writeln!(w)
}

fn escape(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One page: a table of verdicts, and the source of both versions side by side at every difference.
///
/// # Errors
/// The writer's.
pub fn html(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    writeln!(
        w,
        "<!doctype html><meta charset=utf-8><title>verify diff</title><style>body{{font:15px sans-serif;margin:2em}}\
         table{{border-collapse:collapse}}td,th{{padding:.2em .8em;text-align:left;vertical-align:top}}\
         pre{{background:#f4f4f4;padding:.6em;overflow:auto}}.at{{background:#ffdf8a}}.changed{{color:#b00}}\
         .unknown{{color:#a60}}.equal{{color:#070}}.side{{display:grid;grid-template-columns:1fr 1fr;gap:1em}}</style>\
         <h1>{} and {}</h1><p>{} equal, {} changed, {} unknown",
        escape(&r.old),
        escape(&r.new),
        r.count("equal"),
        r.count("changed"),
        r.count("unknown")
    )?;
    for f in r.functions.iter().filter(|f| f.verdict != "equal") {
        writeln!(w, "<h2 id=\"{0}\"><span class={1}>{1}</span> {0}</h2>", escape(&f.name), f.verdict)?;
        writeln!(w, "<p>{}", escape(f.difference.as_deref().unwrap_or(&f.how)))?;
        if let Some(o) = f.origin.as_ref().filter(|o| !o.is_own_code()) {
            writeln!(w, "<p>Differs: {}", escape(&o.text()))?;
        }
        if let Some(e) = &f.evidence {
            let inputs: Vec<String> = e.inputs.iter().map(|(k, v)| format!("{k} = {v}")).collect();
            writeln!(w, "<p>With {}: old {}, new {}", escape(&inputs.join(", ")), escape(&e.old), escape(&e.new))?;
        }
        writeln!(w, "<div class=side>")?;
        for (which, p) in [("old", &f.old), ("new", &f.new)] {
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
        writeln!(w, "</div>")?;
    }
    writeln!(w, "<h2>All functions</h2><table><tr><th>function<th>verdict<th>how")?;
    for f in &r.functions {
        writeln!(w, "<tr><td>{}<td class={1}>{1}<td>{2}", escape(&f.name), f.verdict, escape(&f.how))?;
    }
    writeln!(w, "</table>")
}
