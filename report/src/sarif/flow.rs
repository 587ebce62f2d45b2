//! Traces as `codeFlow` objects.

use super::Writer;
use super::model::*;
use crate::finding::Finding;
use crate::source::Place;
use crate::trace::{self, Part, Weight};
use crate::wording;
use serde_json::json;
use verify_engine::result::Evidence;

impl<'a> Writer<'_, 'a> {
    /// The trace as a code flow of one thread; steps whose position is unknown have no place in it.
    pub(super) fn code_flows(&self, f: &Finding<'a>, e: &'a Evidence) -> Vec<CodeFlow> {
        let module = &*f.program.module;
        let weights = trace::weights(&e.steps);
        let mut locations = Vec::new();
        for part in trace::select(&e.steps, self.max_locations) {
            let Part::Step(i) = part else { continue };
            let step = &e.steps[i];
            let Some(place) = self.place(f, step.span) else { continue };
            let function = module.functions.get(step.func.index()).map_or("", |f| f.name.as_str());
            let importance = match weights[i] {
                Weight::Failure | Weight::Start | Weight::OpenCall => "essential",
                Weight::SameCall | Weight::Path => "important",
                Weight::Background => "unimportant",
            };
            let state = step.values.iter().map(|(n, v)| (wording::printable(n), Text::plain(wording::printable(v))));
            locations.push(ThreadFlowLocation {
                location: Location {
                    physical_location: Some(self.physical(place, "", false)),
                    logical_locations: logical(function),
                    message: Some(step_message(&step.message, &step.values)),
                    ..Location::default()
                },
                state: state.collect(),
                nesting_level: step.depth,
                // From 1: the number of the step in the whole trace.
                execution_order: i + 1,
                importance: importance.into(),
            });
        }
        if locations.is_empty() {
            return Vec::new();
        }
        let mut properties = Bag::new();
        if locations.len() < e.steps.len() {
            properties.insert("omittedSteps".into(), json!(e.steps.len() - locations.len()));
        }
        vec![CodeFlow { thread_flows: vec![ThreadFlow { locations, properties }] }]
    }

    /// The place of a span of the finding's program, among the sources that were interned with it.
    pub(super) fn place(&self, f: &Finding<'a>, span: verify_ir::SpanId) -> Option<Place> {
        self.findings.place(f.program, span)
    }
}

/// Services show the message only, so the values are in it too.
fn step_message(message: &str, values: &[(String, String)]) -> Message {
    let mut text = wording::plain(&wording::capital(message.trim()));
    if !values.is_empty() {
        let list: Vec<String> = values.iter().map(|(n, v)| wording::plain(&format!("{n} = {v}"))).collect();
        text.push_str(&format!("{}{}", if text.is_empty() { "" } else { "; " }, list.join(", ")));
    }
    if text.is_empty() {
        text.push_str("Step");
    }
    Message::plain(text)
}

/// The function as a logical location.
pub(super) fn logical(function: &str) -> Vec<LogicalLocation> {
    if function.is_empty() {
        return Vec::new();
    }
    vec![LogicalLocation { name: function.into(), kind: "function".into() }]
}
