//! An earlier scan as the measure of this one: which findings are new, which are as before, and which are gone. Findings are
//! the same when their names are ([`crate::identity`]), so lines may move.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The results of an earlier SARIF file, by name.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    results: BTreeMap<String, Value>,
}

/// Numbers of findings against a baseline.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[allow(missing_docs)]
pub struct Changes {
    pub new: u64,
    pub unchanged: u64,
    pub fixed: u64,
}

impl Baseline {
    /// Reads a SARIF file of this tool.
    ///
    /// # Errors
    /// A sentence: it is no SARIF, or its results have no names of this form.
    pub fn read(sarif: &[u8]) -> Result<Baseline, String> {
        let log: Value = serde_json::from_slice(sarif).map_err(|e| format!("is no SARIF: {e}"))?;
        let runs = log.get("runs").and_then(Value::as_array).ok_or("is no SARIF: it has no runs")?;
        let mut results = BTreeMap::new();
        for r in runs.iter().filter_map(|r| r.get("results")?.as_array()).flatten() {
            // What was already gone then, or did not fail, says nothing.
            let absent = r.get("baselineState").and_then(Value::as_str) == Some("absent");
            let fails = r.get("kind").and_then(Value::as_str).unwrap_or("fail") == "fail";
            if absent || !fails {
                continue;
            }
            let id = r.pointer("/partialFingerprints/checkIdentity~1v1").and_then(Value::as_str);
            let id = id.ok_or("is of another tool: a result has no `checkIdentity/v1`")?;
            results.insert(id.to_string(), r.clone());
        }
        Ok(Baseline { results })
    }

    /// `new` or `unchanged`.
    pub fn state(&self, id: &str) -> &'static str {
        if self.results.contains_key(id) { "unchanged" } else { "new" }
    }

    /// Was it there?
    pub fn has(&self, id: &str) -> bool {
        self.results.contains_key(id)
    }

    /// Counts the findings of a scan.
    pub fn changes(&self, scan: &verify_engine::result::ScanResult, root: &std::path::Path) -> Changes {
        let findings = crate::finding::Findings::of(scan, root);
        let names = crate::identity::Identities::of(&findings);
        let now = crate::sarif::reported(&findings, &names);
        let open = findings.failures().filter_map(|f| names.get(&findings, f));
        let mut c =
            Changes { fixed: self.results.keys().filter(|id| !now.contains(*id)).count() as u64, ..Changes::default() };
        for id in open {
            if self.has(&id) {
                c.unchanged += 1;
            } else {
                c.new += 1;
            }
        }
        c
    }

    /// The earlier results that are not among these, as results of this run: they carry no indices into its tables.
    pub fn absent(&self, now: &std::collections::BTreeSet<String>) -> Vec<Value> {
        self.results
            .iter()
            .filter(|(id, _)| !now.contains(*id))
            .map(|(_, r)| {
                let mut r = r.clone();
                strip_indices(&mut r);
                if let Some(map) = r.as_object_mut() {
                    map.retain(|k, _| {
                        !matches!(k.as_str(), "codeFlows" | "relatedLocations" | "rank" | "suppressions" | "ruleIndex")
                    });
                    map.insert("baselineState".into(), json!("absent"));
                    // Only what fails may have another level than `none`, and this does not any more.
                    map.insert("kind".into(), json!("pass"));
                    map.insert("level".into(), json!("none"));
                }
                r
            })
            .collect()
    }
}

/// Is anything violated that is neither suppressed nor, with a baseline, known from it?
pub fn violated(scan: &verify_engine::result::ScanResult, root: &std::path::Path, baseline: Option<&Baseline>) -> bool {
    let findings = crate::finding::Findings::of(scan, root);
    let names = crate::identity::Identities::of(&findings);
    findings.all.iter().any(|f| {
        matches!(f.verdict, verify_engine::result::Verdict::Violated(_))
            && f.suppressed.is_none()
            && baseline.is_none_or(|b| names.get(&findings, f).is_none_or(|id| !b.has(&id)))
    })
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

    #[test]
    fn results_are_compared_by_name() {
        let text = json!({"runs": [{"results": [
            {"ruleId": "leak", "kind": "fail", "partialFingerprints": {"checkIdentity/v1": "aa"}},
            {"ruleId": "leak", "kind": "fail", "partialFingerprints": {"checkIdentity/v1": "bb"}},
            {"ruleId": "leak", "kind": "pass", "partialFingerprints": {"checkIdentity/v1": "cc"}},
        ]}]});
        let b = Baseline::read(text.to_string().as_bytes()).unwrap();
        assert_eq!((b.state("aa"), b.state("cc")), ("unchanged", "new"));
        let gone = b.absent(&["aa".to_string()].into());
        assert_eq!(gone.len(), 1);
        assert_eq!((&gone[0]["baselineState"], &gone[0]["kind"]), (&json!("absent"), &json!("pass")));
        assert!(Baseline::read(b"{}").unwrap_err().contains("no runs"));
        assert!(Baseline::read(b"x").unwrap_err().contains("no SARIF"));
    }
}
