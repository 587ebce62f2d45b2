//! Findings as `result` objects: message, locations, fingerprints.

use super::flow::logical;
use super::model::*;
use super::{Writer, bag};
use crate::baseline::member;
use crate::finding::Finding;
use crate::identity::Identities;
use crate::source::{Place, Source};
use crate::wording;
use serde_json::json;
use std::collections::BTreeMap;
use verify_checks::rules;
use verify_engine::result::Verdict;

/// Longest snippet, in bytes: machine-made files have lines of megabytes.
const MAX_SNIPPET: usize = 1_000;
/// Related locations that services show.
const MAX_RELATED: usize = 100;

impl<'a> Writer<'_, 'a> {
    pub(super) fn result(&self, f: &Finding<'a>, identities: &Identities<'a>) -> SarifResult {
        let rule = rules::rule(f.kind);
        let (kind, level) = match f.verdict {
            Verdict::Violated(_) => ("fail", "error"),
            Verdict::Latent(_) => ("fail", "note"),
            Verdict::Unknown(_) => ("open", "none"),
            Verdict::Proved(_) => ("pass", "none"),
            Verdict::Unreachable => ("notApplicable", "none"),
        };
        let related = self.related(f);
        let physical = f.place.map(|p| self.physical(p, &f.check.expr, true));
        let locations = physical.is_some().then(|| Location {
            physical_location: physical,
            logical_locations: logical(f.function),
            ..Location::default()
        });
        let weight = match f.verdict {
            Verdict::Violated(_) => Some(10.0),
            // What fails on a condition that callers keep anyway comes last.
            Verdict::Latent(e) if e.made_up.is_some() => Some(0.5),
            Verdict::Latent(_) => Some(if f.is_minor() { 1.0 } else { 5.0 }),
            _ => None,
        };
        SarifResult {
            rule_id: rule.id.into(),
            rule_index: f.kind as usize,
            kind: kind.into(),
            level: level.into(),
            message: message(f, &related),
            locations: locations.into_iter().collect(),
            related_locations: related,
            code_flows: f.evidence().map(|e| self.code_flows(f, e)).unwrap_or_default(),
            baseline_state: match &self.options.baseline {
                Some(b) if f.is_reported() => b.state(&identities.get(f).unwrap_or_default()).name().into(),
                _ => String::new(),
            },
            suppressions: f
                .suppressed
                .iter()
                .map(|s| Suppression {
                    kind: if s.in_source { "inSource" } else { "external" }.into(),
                    status: "accepted".into(),
                    justification: s.reason.clone(),
                })
                .collect(),
            partial_fingerprints: self.fingerprints(f, identities),
            rank: weight.map(|w: f32| rule.security_severity * w),
            properties: self.properties(f, identities),
        }
    }

    fn properties(&self, f: &Finding<'a>, identities: &Identities<'a>) -> Bag {
        let mut bag = properties(f);
        let members = f.members.iter().filter_map(|i| member(self.findings, identities, &self.findings.all[*i]));
        let members: Vec<serde_json::Value> = members.collect();
        if !members.is_empty() {
            bag.insert("members".into(), json!(members));
        }
        bag
    }

    /// The positions that explain the failure, with ids from 1 that the message links to; then those that fail under the
    /// same condition.
    fn related(&self, f: &Finding<'a>) -> Vec<Location> {
        let Some(e) = f.evidence() else { return Vec::new() };
        let mut list = Vec::new();
        for (span, text) in &e.notes {
            let Some(place) = self.place(f, *span) else { continue };
            list.push(Location {
                id: Some(list.len() + 1),
                physical_location: Some(self.physical(place, "", false)),
                message: Some(Message::plain(wording::plain(text))),
                ..Location::default()
            });
            if list.len() == MAX_RELATED.min(self.max_locations) {
                break;
            }
        }
        for (place, kind) in f.also.iter().take(MAX_RELATED.min(self.max_locations).saturating_sub(list.len())) {
            list.push(Location {
                physical_location: Some(self.physical(*place, "", false)),
                message: Some(Message::plain(match f.verdict {
                    Verdict::Violated(_) => format!("{kind} of the same cause"),
                    _ => format!("{kind} under the same condition"),
                })),
                ..Location::default()
            });
        }
        list
    }

    /// The place with its region and, for the main location, the lines around it.
    pub(super) fn physical(&self, place: Place, expr: &str, context: bool) -> PhysicalLocation {
        let source = self.findings.sources.get(place.source);
        let r = source.utf16_region(place, expr);
        let bytes = source.region(place, expr);
        let snippet = bytes.and_then(|b| snippet(source.text?.get(b.start..b.end)?));
        PhysicalLocation {
            artifact_location: self.location_of(place.source),
            context_region: if context { context_region(source, r.start_line, r.end_line) } else { None },
            region: Some(Region {
                start_line: r.start_line,
                start_column: Some(r.start_column),
                end_line: Some(r.end_line),
                end_column: Some(r.end_column),
                snippet: if context { snippet } else { None },
            }),
        }
    }

    fn fingerprints(&self, f: &Finding<'a>, identities: &Identities<'a>) -> BTreeMap<String, String> {
        let mut map = BTreeMap::new();
        let Some(place) = f.place else { return map };
        let source = self.findings.sources.get(place.source);
        if let Some(hash) = source.line_hash(place.line) {
            map.insert("primaryLocationLineHash".to_string(), hash.to_string());
        }
        if let Some(name) = identities.both(f) {
            map.insert("checkIdentity/v1".to_string(), name.id.clone());
            map.insert("checkPlace/v1".to_string(), name.place.clone());
        }
        map
    }
}

fn message(f: &Finding<'_>, related: &[Location]) -> Message {
    let sentence = wording::message(f);
    let mut text = wording::plain(&sentence);
    let mut markdown = wording::markdown(&sentence);
    let links: Vec<String> = related
        .iter()
        .filter_map(|l| {
            let text = &l.message.as_ref()?.text;
            Some(format!("[{}]({})", wording::link_text(text), l.id?))
        })
        .take(4)
        .collect();
    if !links.is_empty() {
        let see = format!(" See: {}.", links.join(", "));
        text.push_str(&see);
        markdown.push_str(&see);
    }
    Message { text, markdown }
}

fn snippet(text: &str) -> Option<Snippet> {
    (!text.is_empty() && text.len() <= MAX_SNIPPET).then(|| Snippet { text: text.into() })
}

/// Two lines more on each side, when the text is known and not too long.
fn context_region(source: &Source<'_>, first: u32, last: u32) -> Option<Region> {
    let lines = source.lines();
    let from = first.saturating_sub(2).max(1);
    let to = last.saturating_add(2).min(lines.len() as u32);
    let start = lines.get(from as usize - 1)?.0;
    let end = lines.get((to as usize).checked_sub(1)?)?.1;
    let snippet = snippet(source.text?.get(start..end)?)?;
    let end_column = source.line(to)?.encode_utf16().count() as u32 + 1;
    Some(Region {
        start_line: from,
        start_column: Some(1),
        end_line: Some(to),
        end_column: Some(end_column),
        snippet: Some(snippet),
    })
}

fn properties(f: &Finding<'_>) -> Bag {
    let mut bag = bag(json!({ "verdict": f.verdict.name(), "targets": f.alike }));
    if !f.check.expr.is_empty() {
        bag.insert("expression".into(), json!(f.check.expr));
    }
    match f.verdict {
        Verdict::Violated(e) | Verdict::Latent(e) => {
            bag.insert("call".into(), json!(e.call));
            if let Some(c) = &e.condition {
                bag.insert("condition".into(), json!(c));
            }
            if let Some(m) = &e.made_up {
                bag.insert("madeUp".into(), json!(m));
            }
        }
        Verdict::Proved(by) => {
            bag.insert("provedBy".into(), json!(by));
        }
        Verdict::Unknown(why) => {
            bag.insert("reason".into(), json!(why.to_string()));
        }
        Verdict::Unreachable => {}
    }
    bag
}
