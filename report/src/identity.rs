//! Names of findings that outlive edits elsewhere: made of rule, file, function, expression and the tokens of the statement,
//! and of the order among those that agree in all of these. Unlike the hash of lines, a name survives edits of the lines
//! below, of blanks and of comments, and moves with the function.
//!
//! What fails is counted apart from what does not: a check that is added above, or proved, renames nothing that fails.

use crate::finding::{Finding, Findings};
use crate::source::Place;
use std::collections::BTreeMap;

type Key<'a> = (Place, &'static str, &'a str);

/// The name of a check, and that of its place, which equal statements of a function share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// 32 hexadecimal digits.
    pub id: String,
    /// 32 hexadecimal digits.
    pub place: String,
}

/// The names of all findings of a scan, those that a report leaves out included: leaving some out must not rename others.
#[derive(Debug)]
pub struct Identities<'a>(BTreeMap<Key<'a>, Identity>);

impl<'a> Identities<'a> {
    /// Of these findings.
    pub fn of(findings: &Findings<'a>) -> Identities<'a> {
        let mut seen: BTreeMap<([u8; 32], bool), u32> = BTreeMap::new();
        let mut map = BTreeMap::new();
        for f in &findings.all {
            let Some(place) = f.place else { continue };
            let source = findings.sources.get(place.source);
            let (rule, path, expr) = (f.kind.name(), &source.path, f.check.expr.as_str());
            let hash = place_hash(rule, path, f.function, expr, &source.statement(place));
            let fails = f.evidence().is_some();
            let ordinal = seen.entry((hash, fails)).or_insert(0);
            let mut name = hash.to_vec();
            name.extend(ordinal.to_le_bytes());
            name.push(u8::from(fails));
            *ordinal += 1;
            let identity = Identity { id: digits(blake3::hash(&name).as_bytes()), place: digits(&hash) };
            map.insert((place, rule, f.function), identity);
        }
        Identities(map)
    }

    /// Those of a finding; none without a place.
    pub fn both(&self, f: &Finding<'a>) -> Option<&Identity> {
        self.0.get(&(f.place?, f.kind.name(), f.function))
    }

    /// The name that the place of a finding would have in another file.
    pub(crate) fn place_in(findings: &Findings<'a>, f: &Finding<'a>, path: &str) -> Option<String> {
        let place = f.place?;
        let statement = findings.sources.get(place.source).statement(place);
        Some(digits(&place_hash(f.kind.name(), path, f.function, &f.check.expr, &statement)))
    }

    /// The name of a finding: 32 hexadecimal digits; none without a place.
    pub fn get(&self, f: &Finding<'a>) -> Option<String> {
        self.both(f).map(|i| i.id.clone())
    }
}

fn place_hash(rule: &str, path: &str, function: &str, expr: &str, statement: &str) -> [u8; 32] {
    *blake3::hash(format!("{rule}\0{path}\0{function}\0{expr}\0{statement}").as_bytes()).as_bytes()
}

fn digits(hash: &[u8]) -> String {
    crate::source::hex(&hash[..16])
}
