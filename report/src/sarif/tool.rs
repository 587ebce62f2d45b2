//! The tool and its rules, as `toolComponent` and `reportingDescriptor` objects.

use super::bag;
use super::model::*;
use crate::wording::plain;
use serde_json::json;
use verify_checks::rules::{RULES, Rule};

const HOME: &str = "https://github.com/verify-c/verify";

/// Ids and descriptions of the notifications.
const NOTIFICATIONS: &[(&str, &str)] = &[
    ("diagnostic", "Something in a program could not be read or linked."),
    ("unmodelled", "A construct outside functions that is not modelled."),
    ("unknown-function", "Functions that the program may call and that have neither body nor model."),
    ("suppression", "A comment or entry that should accept findings and does not."),
    ("omitted", "Results are left out because a limit is reached."),
];

/// The `driver` component.
pub fn driver(version: &str) -> Component {
    let describe = |&(id, text): &(&str, &str)| Descriptor {
        id: id.into(),
        short_description: Some(Text::plain(text)),
        // GitHub wants these of every descriptor.
        full_description: Some(Text::plain(text)),
        help: Some(Text::plain(text)),
        ..Descriptor::default()
    };
    Component {
        name: "verify".into(),
        full_name: format!("verify {version}"),
        version: version.into(),
        semantic_version: version.into(),
        information_uri: HOME.into(),
        notifications: NOTIFICATIONS.iter().map(describe).collect(),
        rules: RULES.iter().map(descriptor).collect(),
    }
}

/// A notification of one of the kinds in [`NOTIFICATIONS`].
pub fn notification(id: &str, level: &str, text: String) -> Notification {
    let index = NOTIFICATIONS.iter().position(|n| n.0 == id).unwrap_or(0);
    Notification {
        descriptor: Some(DescriptorReference { id: NOTIFICATIONS[index].0.into(), index }),
        level: level.into(),
        message: Message::plain(plain(&text)),
        properties: Bag::new(),
    }
}

fn descriptor(r: &Rule) -> Descriptor {
    // Above "medium" is an error.
    let level = if r.security_severity >= 5.0 { "error" } else { "warning" };
    let mut properties = bag(json!({
        "tags": r.all_tags(),
        "precision": r.precision.name(),
        "problem.severity": level,
    }));
    if r.is_security() {
        properties.insert("security-severity".into(), json!(format!("{:.1}", r.security_severity)));
    }
    let advice = r.help_markdown.rsplit("## What to do").next().unwrap_or("").trim();
    Descriptor {
        id: r.id.into(),
        name: r.name.into(),
        short_description: Some(Text::plain(plain(&format!("{}.", r.short)))),
        full_description: Some(Text { text: plain(r.full), markdown: r.full.into() }),
        help: Some(Text {
            text: plain(&format!("{} {}", r.full, advice.replace('\n', " "))),
            markdown: r.help_with_references(),
        }),
        help_uri: format!("https://cwe.mitre.org/data/definitions/{}.html", r.cwe[0]),
        default_configuration: Some(Configuration { level: level.into() }),
        properties,
    }
}
