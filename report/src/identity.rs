//! Names of findings that outlive edits elsewhere: made of rule, file, function and expression, and of the order among
//! those that agree in all of these. Unlike the hash of lines, a name survives edits of the lines below, and moves with
//! the function.

use crate::finding::{Finding, Findings};
use std::collections::BTreeMap;

type Key<'a> = (&'static str, String, &'a str, &'a str);

/// The names of all findings of a scan, those that a report leaves out included: leaving some out must not rename others.
#[derive(Debug)]
pub struct Identities<'a>(BTreeMap<Key<'a>, Vec<(u32, u32)>>);

impl<'a> Identities<'a> {
    /// Of these findings.
    pub fn of(findings: &Findings<'a>) -> Identities<'a> {
        let mut map: BTreeMap<Key<'a>, Vec<(u32, u32)>> = BTreeMap::new();
        for f in &findings.all {
            if let (Some(p), Some(key)) = (f.place, key(findings, f)) {
                map.entry(key).or_default().push((p.line, p.column));
            }
        }
        Identities(map)
    }

    /// The name of a finding: 32 hexadecimal digits; none without a place.
    pub fn get(&self, findings: &Findings<'a>, f: &Finding<'a>) -> Option<String> {
        let place = f.place?;
        let key = key(findings, f)?;
        let among = self.0.get(&key)?;
        let ordinal = among.iter().position(|p| *p == (place.line, place.column)).unwrap_or(0);
        let (rule, path, function, expr) = key;
        let text = format!("{rule}\0{path}\0{function}\0{expr}\0{ordinal}");
        Some(blake3::hash(text.as_bytes()).to_hex()[..32].to_string())
    }
}

fn key<'a>(findings: &Findings<'a>, f: &Finding<'a>) -> Option<Key<'a>> {
    Some((f.kind.name(), findings.sources.get(f.place?.source).path.clone(), f.function, f.check.expr.as_str()))
}
