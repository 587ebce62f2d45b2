//! The part of the SARIF 2.1.0 object model that is written here, in the standard's own words (section 3). Every struct
//! is one object of the standard, fields in the order in which they are written; empty ones are left out.

use serde::Serialize;
use std::collections::BTreeMap;

/// A result of this run, or one of an earlier run that is gone, as it was.
#[derive(Serialize, Clone, Debug)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum AnyResult {
    Made(Box<SarifResult>),
    Earlier(serde_json::Value),
}

/// Free-form properties.
pub type Bag = serde_json::Map<String, serde_json::Value>;

macro_rules! objects {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Serialize, Clone, Debug, Default)]
        #[serde(rename_all = "camelCase")]
        #[allow(missing_docs)]
        pub struct $name { $(#[serde(skip_serializing_if = "empty::Empty::is_empty")] pub $field: $ty,)* }
    )*};
}

/// What an absent property looks like. Numbers and booleans are always written.
mod empty {
    pub trait Empty {
        fn is_empty(&self) -> bool;
    }
    impl Empty for String {
        fn is_empty(&self) -> bool {
            self.is_empty()
        }
    }
    impl<T> Empty for Option<T> {
        fn is_empty(&self) -> bool {
            self.is_none()
        }
    }
    impl<T> Empty for Vec<T> {
        fn is_empty(&self) -> bool {
            self.is_empty()
        }
    }
    impl<K, V> Empty for std::collections::BTreeMap<K, V> {
        fn is_empty(&self) -> bool {
            self.is_empty()
        }
    }
    impl Empty for super::Bag {
        fn is_empty(&self) -> bool {
            self.is_empty()
        }
    }
    macro_rules! never_empty {
        ($($ty:ty),*) => {$(impl Empty for $ty { fn is_empty(&self) -> bool { false } })*};
    }
    never_empty!(
        bool,
        u32,
        u64,
        usize,
        f32,
        super::Tool,
        super::Component,
        super::Text,
        super::Message,
        super::PhysicalLocation,
        super::ArtifactLocation,
        super::Location,
        super::Configuration
    );
}

objects! {
    /// The `run` object (3.14).
    Run {
        tool: Tool,
        invocations: Vec<Invocation>,
        automation_details: Option<AutomationDetails>,
        version_control_provenance: Vec<VersionControl>,
        original_uri_base_ids: BTreeMap<String, ArtifactLocation>,
        artifacts: Vec<Artifact>,
        results: Option<Vec<AnyResult>>,
        column_kind: String,
        properties: Bag,
    }
    /// 3.18.
    Tool { driver: Component, }
    /// `toolComponent` (3.19).
    Component {
        name: String,
        full_name: String,
        version: String,
        semantic_version: String,
        information_uri: String,
        notifications: Vec<Descriptor>,
        rules: Vec<Descriptor>,
    }
    /// `reportingDescriptor` (3.49).
    Descriptor {
        id: String,
        name: String,
        short_description: Option<Text>,
        full_description: Option<Text>,
        help: Option<Text>,
        help_uri: String,
        default_configuration: Option<Configuration>,
        properties: Bag,
    }
    /// `reportingConfiguration` (3.50).
    Configuration { level: String, }
    /// `multiformatMessageString` (3.12).
    Text { text: String, markdown: String, }
    /// 3.11.
    Message { text: String, markdown: String, }
    /// 3.20.
    Invocation {
        execution_successful: bool,
        tool_execution_notifications: Vec<Notification>,
        tool_configuration_notifications: Vec<Notification>,
    }
    /// 3.58.
    Notification { descriptor: Option<DescriptorReference>, level: String, message: Message, properties: Bag, }
    /// `reportingDescriptorReference` (3.52).
    DescriptorReference { id: String, index: usize, }
    /// `runAutomationDetails` (3.17).
    AutomationDetails { id: String, }
    /// `versionControlDetails` (3.23).
    VersionControl { repository_uri: String, revision_id: String, branch: String, mapped_to: Option<ArtifactLocation>, }
    /// 3.4.
    ArtifactLocation { uri: String, uri_base_id: String, index: Option<usize>, description: Option<Message>, }
    /// 3.24.
    Artifact {
        location: ArtifactLocation,
        length: Option<u64>,
        roles: Vec<String>,
        source_language: String,
        hashes: BTreeMap<String, String>,
    }
    /// `result` (3.27).
    SarifResult {
        rule_id: String,
        rule_index: usize,
        kind: String,
        level: String,
        baseline_state: String,
        message: Message,
        suppressions: Vec<Suppression>,
        locations: Vec<Location>,
        related_locations: Vec<Location>,
        code_flows: Vec<CodeFlow>,
        partial_fingerprints: BTreeMap<String, String>,
        rank: Option<f32>,
        properties: Bag,
    }
    /// 3.35.
    Suppression {
        kind: String,
        status: String,
        justification: String,
    }
    /// 3.28.
    Location {
        id: Option<usize>,
        physical_location: Option<PhysicalLocation>,
        logical_locations: Vec<LogicalLocation>,
        message: Option<Message>,
    }
    /// 3.29.
    PhysicalLocation { artifact_location: ArtifactLocation, region: Option<Region>, context_region: Option<Region>, }
    /// 3.30.
    Region {
        start_line: u32,
        start_column: Option<u32>,
        end_line: Option<u32>,
        end_column: Option<u32>,
        snippet: Option<Snippet>,
    }
    /// `artifactContent` (3.3).
    Snippet { text: String, }
    /// 3.33.
    LogicalLocation { name: String, kind: String, }
    /// 3.36.
    CodeFlow { thread_flows: Vec<ThreadFlow>, }
    /// 3.37.
    ThreadFlow { locations: Vec<ThreadFlowLocation>, properties: Bag, }
    /// 3.38.
    ThreadFlowLocation {
        location: Location,
        state: BTreeMap<String, Text>,
        nesting_level: u32,
        execution_order: usize,
        importance: String,
    }
}

/// The whole file (3.13).
#[derive(Serialize, Clone, Debug)]
#[allow(missing_docs)]
pub struct Log {
    #[serde(rename = "$schema")]
    pub schema: &'static str,
    pub version: &'static str,
    pub runs: Vec<Run>,
}

impl Message {
    /// A message of plain text only.
    pub fn plain(text: impl Into<String>) -> Message {
        Message { text: text.into(), markdown: String::new() }
    }
}

impl Text {
    /// A text without Markdown form.
    pub fn plain(text: impl Into<String>) -> Text {
        Text { text: text.into(), markdown: String::new() }
    }
}
