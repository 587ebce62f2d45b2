//! What `verify diff` found as SARIF 2.1.0: a result for every function that is not shown equal, for every variable or
//! second name that differs, and for what only one version has. What could not be read is a notification.

use super::{DiffFunction, DiffOffer, DiffPlace, DiffReport, DiffSymbol, inputs};
use crate::source::{file_uri, percent_encode};
use crate::wording::plain;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A rule's id, its text, and kind and level of its results.
type Rule = (&'static str, &'static str, &'static str, &'static str);

const CHANGED: Rule =
    ("changed-meaning", "An input on which two versions of a function do not do the same", "fail", "warning");
const OPEN: Rule = (
    "not-shown-equal",
    "Two versions of a function or variable that could not be shown to mean the same",
    "open",
    "none",
);
const SYMBOL: Rule = (
    "changed-definition",
    "A variable or second name that is defined in another way, or begins with something else",
    "fail",
    "warning",
);
const REMOVED: Rule =
    ("removed", "A function, variable or second name that only the old version has", "fail", "warning");
const ADDED: Rule =
    ("added", "A function, variable or second name that only the new version has", "informational", "none");

const RULES: [Rule; 5] = [CHANGED, OPEN, SYMBOL, REMOVED, ADDED];

/// The names under which relative paths of the old and of the new version are resolved.
const ROOTS: [&str; 2] = ["OLDROOT", "SRCROOT"];

/// SARIF 2.1.0.
///
/// # Errors
/// The writer's.
pub fn sarif(r: &DiffReport, w: &mut dyn Write) -> io::Result<()> {
    let functions = r.functions.iter().filter(|f| f.verdict != "equal").map(function);
    let mut results: Vec<Value> = functions.collect();
    results.extend(r.symbols.iter().map(symbol));
    results.extend(r.removed.iter().map(|o| offer(o, REMOVED, (&o.place, &None), "is there in the old version only")));
    results.extend(r.added.iter().map(|o| offer(o, ADDED, (&None, &o.place), "is there in the new version only")));
    let rule = |(id, text, ..): &Rule| json!({ "id": id, "shortDescription": { "text": text } });
    let rules: Vec<Value> = RULES.iter().map(rule).collect();
    let mut bases = serde_json::Map::new();
    for (name, root) in ROOTS.into_iter().zip([&r.roots.0, &r.roots.1]).filter(|(_, root)| root.starts_with('/')) {
        bases.insert(name.into(), json!({ "uri": format!("{}/", file_uri(root.trim_end_matches('/'))) }));
    }
    for result in &mut results {
        without_unknown_bases(result, &bases);
    }
    let notes: Vec<Value> =
        r.notes.iter().map(|n| json!({ "level": "warning", "message": { "text": plain(n) } })).collect();
    let mut doc = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "verify", "version": r.version, "informationUri": "https://github.com/verify-c/verify",
                "rules": rules,
            }},
            "invocations": [{ "executionSuccessful": r.notes.is_empty(), "toolExecutionNotifications": notes }],
            "results": results,
            "columnKind": "utf16CodeUnits",
        }],
    });
    if !bases.is_empty() {
        doc["runs"][0]["originalUriBaseIds"] = Value::Object(bases);
    }
    serde_json::to_writer_pretty(&mut *w, &doc).map_err(io::Error::other)?;
    writeln!(w)
}

/// A base that the run does not say anything of is none.
fn without_unknown_bases(v: &mut Value, known: &serde_json::Map<String, Value>) {
    match v {
        Value::Object(map) => {
            if map.get("uriBaseId").and_then(Value::as_str).is_some_and(|name| !known.contains_key(name)) {
                map.remove("uriBaseId");
            }
            map.values_mut().for_each(|v| without_unknown_bases(v, known));
        }
        Value::Array(list) => list.iter_mut().for_each(|v| without_unknown_bases(v, known)),
        _ => {}
    }
}

fn function(f: &DiffFunction) -> Value {
    let changed = f.verdict == "changed";
    let what = f.difference.as_ref().unwrap_or(&f.how);
    let mut text = if changed {
        format!("`{}` changed its meaning: {what}", f.name)
    } else {
        format!("`{}` is not shown to mean the same: {what}", f.name)
    };
    if let Some(o) = f.origin.as_ref().filter(|o| !o.is_own_code()) {
        text.push_str(&format!(". It differs in {}", o.text()));
    }
    if let Some(e) = &f.evidence {
        text.push_str(&format!(". With {}: the old version {}, the new version {}", inputs(e), e.old, e.new));
    }
    result(if changed { CHANGED } else { OPEN }, ("function/v1", &f.name), &text, (&f.old, &f.new))
}

fn symbol(s: &DiffSymbol) -> Value {
    let text = format!("`{}` differs: {}", s.name, s.difference);
    result(if s.seen { SYMBOL } else { OPEN }, ("symbol/v1", &s.name), &text, (&s.old, &s.new))
}

/// Its place in the old and in the new version, one of which has it.
type Places<'a> = (&'a Option<DiffPlace>, &'a Option<DiffPlace>);

fn offer(o: &DiffOffer, rule: Rule, places: Places<'_>, what: &str) -> Value {
    result(rule, ("symbol/v1", &o.name), &format!("`{}` {what}", o.name), places)
}

/// A result with its places: the new version's, and the old one's as related, or alone where there is no other.
fn result(rule: Rule, (kind, name): (&str, &str), text: &str, (old, new): Places<'_>) -> Value {
    let mut one = json!({
        "ruleId": rule.0,
        "ruleIndex": RULES.iter().position(|r| r.0 == rule.0),
        "kind": rule.2,
        "level": rule.3,
        "message": { "text": plain(text) },
        "partialFingerprints": { kind: name },
    });
    let old = old.as_ref().map(|p| json!([location(p, ROOTS[0], "the old version")]));
    let new = new.as_ref().map(|p| json!([location(p, ROOTS[1], "the new version")]));
    let related = if new.is_some() { old.clone() } else { None };
    for (key, places) in [("locations", new.or(old)), ("relatedLocations", related)] {
        if let Some(p) = places {
            one[key] = p;
        }
    }
    one
}

fn location(p: &DiffPlace, root: &str, text: &str) -> Value {
    let mut region = json!({ "startLine": p.line.max(1) });
    if p.column > 0 {
        region["startColumn"] = json!(p.utf16_column());
    }
    let place = match p.file.starts_with('/') {
        true => json!({ "uri": file_uri(&p.file) }),
        false => json!({ "uri": percent_encode(&p.file), "uriBaseId": root }),
    };
    json!({
        "physicalLocation": { "artifactLocation": place, "region": region },
        "message": { "text": text },
    })
}
