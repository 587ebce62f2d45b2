//! An earlier scan as the measure of this one: which findings are new, which are as before or worse, and which are gone.
//!
//! What fails is matched in four rounds: by name ([`crate::identity`]), by place (rule, file, function, expression and
//! statement), by the same place in a file that is gone and had the same name in another folder, and by all of the place but
//! the statement. The last round makes a finding `updated` only: something like it was there, but nobody has accepted this one. So does a verdict that is worse than it was, a suppression that is gone, and a
//! group that has grown. Findings that were listed with others, or were left out for a limit, count like the others.
//!
//! What is not matched is fixed only when the scan says so: its check is proved or unreachable now, or no longer exists in
//! a target that was read. Otherwise it is lost sight of, is counted apart, and is kept for the next comparison.

use crate::finding::{Finding, Findings};
use crate::identity::Identities;
use crate::source::percent_decode;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use verify_engine::result::{ScanResult, Verdict};

/// Rule, file, function, expression.
type Like = (String, String, String, String);

/// Something that failed then.
#[derive(Clone, Debug)]
struct Entry {
    id: String,
    place: String,
    like: Like,
    /// As [`Verdict::rank`].
    rank: u8,
    suppressed: bool,
    /// The result that it is, or is listed with.
    result: usize,
}

/// What failed in an earlier scan.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    /// As written; null for what was left out there.
    results: Vec<Value>,
}

/// How a finding stands to the baseline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing like it was there.
    New,
    /// It was there, and is no worse.
    Unchanged,
    /// It or something like it was there, and was not this bad.
    Updated,
}

impl State {
    /// As SARIF says it.
    pub fn name(self) -> &'static str {
        match self {
            State::New => "new",
            State::Unchanged => "unchanged",
            State::Updated => "updated",
        }
    }
}

/// Numbers of findings against a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Changes {
    /// Nothing like it was there.
    pub new: u64,
    /// As before.
    pub unchanged: u64,
    /// Worse than before, or not the same.
    pub updated: u64,
    /// Gone, or proved now.
    pub fixed: u64,
    /// Not found again; whether they are fixed is not known.
    pub not_found: u64,
}

/// A scan against a baseline.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    states: BTreeMap<String, State>,
    /// Numbers.
    pub changes: Changes,
    /// The earlier results that are not there, as results of this run: they carry no indices into its tables.
    pub absent: Vec<Value>,
}

fn text<'v>(v: &'v Value, pointer: &str) -> &'v str {
    v.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

impl Baseline {
    /// Reads a SARIF file of this tool.
    ///
    /// # Errors
    /// A sentence: it is no SARIF, not of this tool, or its results have no names of this form.
    pub fn read(sarif: &[u8]) -> Result<Baseline, String> {
        let log: Value = serde_json::from_slice(sarif).map_err(|e| format!("is no SARIF: {e}"))?;
        let runs = log.get("runs").and_then(Value::as_array).filter(|r| !r.is_empty());
        let mut out = Baseline::default();
        for run in runs.ok_or("is no SARIF: it has no runs")? {
            let tool = text(run, "/tool/driver/name");
            if tool != "verify" {
                return Err(format!(
                    "is of another tool: {}",
                    if tool.is_empty() { "one without a name" } else { tool }
                ));
            }
            let results =
                run.get("results").and_then(Value::as_array).ok_or("is no scan: a run has no list of results")?;
            for r in results {
                out.result(r)?;
            }
            for e in run.pointer("/properties/omitted").and_then(Value::as_array).into_iter().flatten() {
                out.results.push(Value::Null);
                out.member(e, if text(e, "/verdict") == "violated" { 4 } else { 3 }, e["suppressed"] == true)?;
            }
        }
        Ok(out)
    }

    fn result(&mut self, r: &Value) -> Result<(), String> {
        if text(r, "/ruleId").is_empty() {
            return Err("is no SARIF of this tool: a result has no `ruleId`".into());
        }
        // What did not fail then says nothing; what had been lost sight of before may come back.
        let lost = text(r, "/baselineState") == "absent" && text(r, "/kind") == "open";
        let fails = matches!(text(r, "/kind"), "" | "fail") && text(r, "/baselineState") != "absent";
        if !fails && !lost {
            return Ok(());
        }
        let id = text(r, "/partialFingerprints/checkIdentity~1v1");
        if id.is_empty() {
            return Err("is of another tool or version: a result has no `checkIdentity/v1`".into());
        }
        let uri = text(r, "/locations/0/physicalLocation/artifactLocation/uri");
        let violated = match text(r, "/properties/verdict") {
            "" => text(r, "/level") == "error",
            v => v == "violated",
        };
        let entry = Entry {
            id: id.into(),
            place: text(r, "/partialFingerprints/checkPlace~1v1").into(),
            like: (
                text(r, "/ruleId").into(),
                percent_decode(uri.strip_prefix("file://").unwrap_or(uri)),
                text(r, "/locations/0/logicalLocations/0/name").into(),
                text(r, "/properties/expression").into(),
            ),
            rank: if violated { 4 } else { 3 },
            suppressed: r.get("suppressions").and_then(Value::as_array).is_some_and(|s| !s.is_empty()),
            result: self.results.len(),
        };
        let (rank, suppressed) = (entry.rank, entry.suppressed);
        self.results.push(r.clone());
        self.entries.push(entry);
        for m in r.pointer("/properties/members").and_then(Value::as_array).into_iter().flatten() {
            self.member(m, rank, suppressed)?;
        }
        Ok(())
    }

    /// What [`member`] has written; it belongs to the last result.
    fn member(&mut self, m: &Value, rank: u8, suppressed: bool) -> Result<(), String> {
        let id = text(m, "/id");
        if id.is_empty() {
            return Err("is damaged: a member of a group has no `id`".into());
        }
        let like = ["/kind", "/file", "/function", "/expression"].map(|k| text(m, k).to_string());
        self.entries.push(Entry {
            id: id.into(),
            place: text(m, "/place").into(),
            like: like.into(),
            rank,
            suppressed,
            result: self.results.len() - 1,
        });
        Ok(())
    }

    /// Files of the results below the scanned folder, in order.
    pub fn files(&self) -> BTreeSet<&str> {
        self.entries.iter().map(|e| e.like.1.as_str()).filter(|f| !f.is_empty() && !f.starts_with('/')).collect()
    }

    /// A scan against this one; `root` is what its paths are relative to.
    pub fn compare(&self, scan: &ScanResult, root: &std::path::Path) -> Comparison {
        let findings = Findings::of(scan, root);
        let names = Identities::of(&findings);
        let matched = self.matches(&findings, &names);
        let mut out = Comparison::default();
        for (i, f) in findings.all.iter().enumerate().filter(|(_, f)| f.is_reported()) {
            let group = std::iter::once(i).chain(f.members.iter().copied());
            let state = match matched[i] {
                None => State::New,
                Some(_) if group.into_iter().all(|m| self.is_known(&findings.all[m], matched[m])) => State::Unchanged,
                Some(_) => State::Updated,
            };
            if f.suppressed.is_none() {
                *match state {
                    State::New => &mut out.changes.new,
                    State::Unchanged => &mut out.changes.unchanged,
                    State::Updated => &mut out.changes.updated,
                } += 1;
            }
            out.states.insert(names.get(f).unwrap_or_default(), state);
        }
        let found: BTreeSet<usize> = matched.iter().flatten().map(|(e, _)| self.entries[*e].result).collect();
        let now = Now::of(scan, &findings, &names, &Moved::of(self, &findings));
        for (i, r) in self.results.iter().enumerate().filter(|(i, _)| !found.contains(i)) {
            let entry = self.entries.iter().find(|e| e.result == i);
            let lost = entry.and_then(|e| now.lost(e, r));
            let count = if lost.is_some() { &mut out.changes.not_found } else { &mut out.changes.fixed };
            *count += 1;
            if !r.is_null() {
                out.absent.push(absent(r, lost));
            }
        }
        out
    }

    /// For each finding that fails, the entry that it is, and whether the statement is the same.
    fn matches<'a>(&self, findings: &Findings<'a>, names: &Identities<'a>) -> Vec<Option<(usize, bool)>> {
        let mut matched = vec![None; findings.all.len()];
        let mut taken = vec![false; self.entries.len()];
        type OfEntry<'n> = dyn Fn(&Entry) -> String + 'n;
        type OfFinding<'a, 'n> = dyn Fn(&Finding<'a>) -> Vec<String> + 'n;
        let moved = Moved::of(self, findings);
        let before = |f: &Finding<'a>| moved.before(findings, f);
        let rounds: [(&OfEntry<'_>, &OfFinding<'a, '_>); 4] = [
            (&|e| e.id.clone(), &|f| names.both(f).map(|n| n.id.clone()).into_iter().collect()),
            (&|e| e.place.clone(), &|f| names.both(f).map(|n| n.place.clone()).into_iter().collect()),
            (&|e| e.place.clone(), &before),
            (&|e| joined(&e.like), &|f| vec![joined(&like(findings, f))]),
        ];
        for (round, (of_entry, of_finding)) in rounds.into_iter().enumerate() {
            let mut free: BTreeMap<String, std::collections::VecDeque<usize>> = BTreeMap::new();
            for (i, e) in self.entries.iter().enumerate().filter(|(i, _)| !taken[*i]) {
                free.entry(of_entry(e)).or_default().push_back(i);
            }
            // What was left out for a limit has its name only.
            free.remove("");
            free.remove("\0\0\0");
            for (i, f) in findings.all.iter().enumerate().filter(|(_, f)| f.evidence().is_some()) {
                if matched[i].is_some() {
                    continue;
                }
                if let Some(e) = of_finding(f).iter().find_map(|n| free.get_mut(n)?.pop_front()) {
                    matched[i] = Some((e, round < 3));
                    taken[e] = true;
                }
            }
        }
        matched
    }

    fn is_known(&self, f: &Finding<'_>, matched: Option<(usize, bool)>) -> bool {
        matched.is_some_and(|(e, same)| {
            let e = &self.entries[e];
            same && e.rank >= f.verdict.rank() && (!e.suppressed || f.suppressed.is_some())
        })
    }
}

impl Comparison {
    /// How a reported finding stands.
    pub fn state(&self, id: &str) -> State {
        self.states.get(id).copied().unwrap_or(State::New)
    }
}

/// Files that were moved into another folder, as far as names tell.
struct Moved<'b> {
    /// Files of the baseline.
    known: BTreeSet<&'b str>,
    /// Those of them that the scan does not have.
    gone: Vec<&'b str>,
}

impl<'b> Moved<'b> {
    fn of(b: &'b Baseline, findings: &Findings<'_>) -> Moved<'b> {
        let there: BTreeSet<&str> = findings.sources.all.iter().map(|s| s.path.as_str()).collect();
        let known = b.files();
        let gone = known.iter().copied().filter(|f| !there.contains(f)).collect();
        Moved { known, gone }
    }

    /// The names of places that a finding would have had before its file was moved.
    fn before<'a>(&self, findings: &Findings<'a>, f: &Finding<'a>) -> Vec<String> {
        let Some(path) = f.place.map(|p| findings.sources.get(p.source).path.as_str()) else { return Vec::new() };
        let name_of = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        let old = self.gone.iter().filter(|old| !self.known.contains(path) && name_of(old) == name_of(path));
        old.filter_map(|old| Identities::place_in(findings, f, old)).collect()
    }
}

/// What the scan says of places where nothing fails.
struct Now<'a> {
    /// Places and likenesses of checks that are not decided.
    unknown: BTreeSet<String>,
    places: BTreeSet<String>,
    /// Targets, and whether all of them was read.
    targets: BTreeMap<&'a str, bool>,
}

impl<'a> Now<'a> {
    fn of(scan: &'a ScanResult, findings: &Findings<'a>, names: &Identities<'a>, moved: &Moved<'_>) -> Now<'a> {
        let (mut unknown, mut places) = (BTreeSet::new(), BTreeSet::new());
        for f in &findings.all {
            let Some(name) = names.both(f) else { continue };
            places.insert(name.place.clone());
            if matches!(f.verdict, Verdict::Unknown(_)) {
                unknown.insert(name.place.clone());
                unknown.insert(joined(&like(findings, f)));
                unknown.extend(moved.before(findings, f));
            }
        }
        Now { unknown, places, targets: scan.programs.iter().map(|p| (p.name.as_str(), !p.incomplete)).collect() }
    }

    /// Why it is not known that this is fixed.
    fn lost(&self, e: &Entry, r: &Value) -> Option<&'static str> {
        let there = self.places.contains(&e.place);
        if self.unknown.contains(&e.place) || (!there && self.unknown.contains(&joined(&e.like))) {
            return Some("unknown");
        }
        let targets = r.pointer("/properties/targets").and_then(Value::as_array).into_iter().flatten();
        let targets: Vec<&str> = targets.filter_map(Value::as_str).collect();
        let scanned: Vec<bool> = targets.iter().filter_map(|t| self.targets.get(t).copied()).collect();
        if !targets.is_empty() && scanned.is_empty() {
            return Some("its target was not scanned");
        }
        (!there && scanned.contains(&false)).then_some("part of its target could not be read")
    }
}

fn joined(like: &Like) -> String {
    format!("{}\0{}\0{}\0{}", like.0, like.1, like.2, like.3)
}

fn like(findings: &Findings<'_>, f: &Finding<'_>) -> Like {
    let file = f.place.map_or_else(String::new, |p| findings.sources.get(p.source).path.clone());
    (f.kind.name().into(), file, f.function.into(), f.check.expr.clone())
}

/// A finding as a member of a group of another one.
pub(crate) fn member(findings: &Findings<'_>, names: &Identities<'_>, f: &Finding<'_>) -> Option<Value> {
    let (name, (kind, file, function, expression)) = (names.both(f)?, like(findings, f));
    let line = f.place.map_or(0, |p| p.line);
    Some(json!({"id": name.id, "place": name.place, "kind": kind, "file": file, "line": line, "function": function,
                "expression": expression}))
}

/// A finding that a limit leaves out of the results, as short as can be.
pub(crate) fn omitted(names: &Identities<'_>, f: &Finding<'_>) -> Option<Value> {
    let name = names.both(f)?;
    Some(json!({"id": name.id, "place": name.place, "verdict": f.verdict.name(), "suppressed": f.suppressed.is_some()}))
}

/// Is anything violated that is neither suppressed nor, with a baseline, known from it?
pub fn violated(scan: &ScanResult, root: &std::path::Path, baseline: Option<&Comparison>) -> bool {
    let findings = Findings::of(scan, root);
    let names = Identities::of(&findings);
    findings
        .failures()
        .filter(|f| matches!(f.verdict, Verdict::Violated(_)))
        .any(|f| baseline.is_none_or(|b| names.get(f).is_none_or(|id| b.state(&id) != State::Unchanged)))
}

/// An earlier result as one that is not there: `pass` when it is fixed, `open` when that is not known.
fn absent(r: &Value, lost: Option<&str>) -> Value {
    let mut r = r.clone();
    strip_indices(&mut r);
    if let Some(map) = r.as_object_mut() {
        let gone = ["codeFlows", "relatedLocations", "rank", "ruleIndex"];
        map.retain(|k, _| !gone.contains(&k.as_str()) && (lost.is_some() || k != "suppressions"));
        map.insert("baselineState".into(), json!("absent"));
        // Only what fails may have another level than `none`, and this does not any more.
        map.insert("kind".into(), json!(if lost.is_some() { "open" } else { "pass" }));
        map.insert("level".into(), json!("none"));
        for form in ["text", "markdown"] {
            if let Some(Value::String(text)) = map.get_mut("message").and_then(|m| m.get_mut(form)) {
                *text = without_links(text);
            }
        }
        if let Some(bag) = map.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
            bag.remove("notFound");
            bag.extend(lost.map(|why| ("notFound".to_string(), json!(why))));
        }
    }
    r
}

/// The text without its links to related locations (`[allocated here](1)`), which are not kept.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let number = after.find(')').filter(|end| *end > 0 && after[..*end].bytes().all(|b| b.is_ascii_digit()));
        let open = before.char_indices().rev().find(|(i, c)| *c == '[' && !before[..*i].ends_with('\\'));
        match (number, open) {
            (Some(end), Some((open, _))) => {
                out.push_str(&before[..open]);
                out.push_str(&before[open + 1..]);
                rest = &after[end + 1..];
            }
            _ => {
                out.push_str(&rest[..at + 2]);
                rest = after;
            }
        }
    }
    out + rest
}

/// Removes what numbers artifacts of another file.
fn strip_indices(v: &mut Value) {
    match v {
        Value::Object(map) => {
            if let Some(Value::Object(location)) = map.get_mut("artifactLocation") {
                location.remove("index");
            }
            map.values_mut().for_each(strip_indices);
        }
        Value::Array(list) => list.iter_mut().for_each(strip_indices),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(results: Value) -> Vec<u8> {
        json!({"runs": [{"tool": {"driver": {"name": "verify"}}, "results": results}]}).to_string().into_bytes()
    }

    #[test]
    fn what_failed_is_read() {
        let text = log(json!([
            {"ruleId": "leak", "kind": "fail", "partialFingerprints": {"checkIdentity/v1": "aa"},
             "properties": {"members": [{"id": "a2", "place": "p2", "kind": "leak"}]}},
            {"ruleId": "leak", "kind": "open", "baselineState": "absent", "partialFingerprints": {"checkIdentity/v1": "bb"}},
            {"ruleId": "leak", "kind": "pass", "partialFingerprints": {"checkIdentity/v1": "cc"}},
        ]));
        let b = Baseline::read(&text).unwrap();
        assert_eq!(b.entries.iter().map(|e| e.id.as_str()).collect::<Vec<_>>(), ["aa", "a2", "bb"]);
        assert_eq!(b.results.len(), 2);
        let gone = absent(&b.results[0], None);
        assert_eq!((&gone["baselineState"], &gone["kind"]), (&json!("absent"), &json!("pass")));
    }

    #[test]
    fn links_to_what_is_not_kept_go() {
        for (text, wanted) in [
            ("a [b](1) and [c \\[0\\]](22).", "a b and c \\[0\\]."),
            ("f[i] (x) [y](z) ](3)", "f[i] (x) [y](z) ](3)"),
            ("", ""),
        ] {
            assert_eq!(without_links(text), wanted);
        }
    }

    #[test]
    fn other_files_are_refused() {
        let refused = |text: &[u8], why: &str| {
            let said = Baseline::read(text).unwrap_err();
            assert!(said.contains(why), "{said}");
        };
        refused(b"x", "no SARIF");
        refused(b"{}", "no runs");
        refused(b"{\"runs\": []}", "no runs");
        refused(b"{\"runs\": [{\"tool\": {\"driver\": {\"name\": \"lint\"}}, \"results\": []}]}", "another tool: lint");
        refused(&log(json!(5)), "no list of results");
        refused(&log(json!([{"kind": "fail"}])), "no `ruleId`");
        refused(&log(json!([{"ruleId": "leak"}])), "checkIdentity");
    }
}
