//! SARIF 2.1.0 (OASIS, with errata 01), as code scanning services read it.
//!
//! What is violated or latent becomes a result of kind `fail` with level `error` or `note`; the other verdicts go out
//! only on request, with kinds `pass`, `open` and `notApplicable` and level `none`, which the standard demands wherever
//! the kind is not `fail`. Results are ordered by URI, line, column and rule. Where a limit cuts off results, the worst
//! stay: violated before latent before the rest, then by severity; a notification says how many are left out.
//!
//! Limits of GitHub that [`Options`] has as defaults: 5,000 results are shown of a run (25,000
//! accepted), 1,000 locations per result, of which 100 are shown, 10 MB compressed with gzip, 10 tags per rule.

mod flow;
pub mod mark;
pub mod model;
mod result;
mod tool;

use crate::Result;
use crate::baseline::{self, Comparison};
use crate::finding::{Counts, Finding, Findings, unknown_reasons};
use crate::identity::Identities;
use crate::source::{Source, SourceId, file_uri};
use model::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use verify_checks::rules;
use verify_engine::result::{ProgramResult, ScanResult, TargetKind};

/// The name under which relative URIs are resolved.
const SRCROOT: &str = "SRCROOT";

/// How to write the file.
#[derive(Clone, Debug)]
pub struct Options {
    /// Absolute path that URIs are relative to.
    pub root: PathBuf,
    /// Also write what is proved, undecided or unreachable.
    pub all: bool,
    /// `automationDetails.id`, e.g. `verify/zlib/`: the category under which a service keeps the results apart. Empty:
    /// made from the last part of the root.
    pub automation_id: String,
    /// Version of the tool, `major.minor.patch`.
    pub tool_version: String,
    /// At most so many results.
    pub max_results: usize,
    /// At most so many locations in one result: steps of the trace, and related locations.
    pub max_locations: usize,
    /// Steps, then results, are left out until the file compressed with gzip is not above so many bytes.
    pub max_gzip_bytes: usize,
    /// Where the sources are kept, when known.
    pub version_control: Option<Provenance>,
    /// An earlier scan: results say whether they are new, and those that are gone are listed as absent.
    pub baseline: Option<Comparison>,
}

/// A revision of a repository, for `versionControlProvenance`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    /// Absolute URI of the repository.
    pub repository_uri: String,
    /// Commit; may be empty.
    pub revision: String,
    /// Branch; may be empty.
    pub branch: String,
}

impl Options {
    /// The defaults: only failures, GitHub's limits.
    pub fn new(root: impl Into<PathBuf>) -> Options {
        Options {
            root: root.into(),
            all: false,
            automation_id: String::new(),
            tool_version: env!("CARGO_PKG_VERSION").into(),
            max_results: 5_000,
            max_locations: 500,
            max_gzip_bytes: 10_000_000,
            version_control: None,
            baseline: None,
        }
    }
}

/// Writes the scan as one SARIF file with one run.
pub fn write(scan: &ScanResult, options: &Options, mut out: impl Write) -> Result<()> {
    let findings = Findings::of(scan, &options.root);
    let (mut max_results, mut max_locations) = (options.max_results, options.max_locations.max(1));
    loop {
        let log = Writer { scan, options, findings: &findings, max_locations, artifacts: Artifacts::default() }
            .log(max_results);
        let results = log.runs[0].results.as_ref().map_or(0, Vec::len);
        let mut bytes = serde_json::to_vec_pretty(&log)?;
        bytes.push(b'\n');
        if results == 0 || gzip_within(&bytes, options.max_gzip_bytes)? {
            return Ok(out.write_all(&bytes)?);
        }
        if max_locations > 16 {
            max_locations /= 4;
        } else {
            max_results = results / 2;
        }
    }
}

/// Is the compressed size at most `limit`?
fn gzip_within(bytes: &[u8], limit: usize) -> Result<bool> {
    struct Counter(usize);
    impl Write for Counter {
        fn write(&mut self, b: &[u8]) -> std::io::Result<usize> {
            self.0 += b.len();
            Ok(b.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    // Gzip adds 18 bytes and 5 per block to what it cannot compress.
    if bytes.len() + bytes.len() / 1000 + 64 <= limit {
        return Ok(true);
    }
    let mut gzip = flate2::write::GzEncoder::new(Counter(0), flate2::Compression::default());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?.0 <= limit)
}

/// The files that findings are in or mention, numbered by path.
#[derive(Default)]
struct Artifacts {
    index: BTreeMap<SourceId, usize>,
    list: Vec<Artifact>,
}

struct Writer<'r, 'a> {
    scan: &'a ScanResult,
    options: &'r Options,
    findings: &'r Findings<'a>,
    max_locations: usize,
    artifacts: Artifacts,
}

impl<'a> Writer<'_, 'a> {
    fn log(mut self, max_results: usize) -> Log {
        let wanted: Vec<&Finding<'a>> =
            self.findings.all.iter().filter(|f| self.options.all || f.is_reported()).collect();
        let total = wanted.len();
        let shown = keep_worst(wanted.clone(), max_results);
        self.artifacts = self.collect_artifacts();
        let omitted = total - shown.len();
        let identities = Identities::of(self.findings);
        let mut results: Vec<AnyResult> =
            shown.iter().map(|f| AnyResult::Made(Box::new(self.result(f, &identities)))).collect();
        if let Some(b) = &self.options.baseline {
            let room = max_results.saturating_sub(results.len());
            results.extend(b.absent.iter().take(room).cloned().map(AnyResult::Earlier));
        }
        let counts = Counts::of(self.findings.all.iter().map(|f| f.verdict));
        let mut properties = bag(json!({
            "counts": counts,
            "unknownReasons": reasons(unknown_reasons(self.findings.all.iter().map(|f| f.verdict))),
            "assumptions": self.findings.assumptions,
            "programs": self.scan.programs.iter().map(program).collect::<Vec<_>>(),
        }));
        if omitted > 0 {
            // So that they are not new when this file is a baseline. Both lists have the same order.
            let mut kept = shown.iter().peekable();
            let cut = wanted.into_iter().filter(|f| kept.next_if(|k| std::ptr::eq(**k, *f)).is_none());
            let cut: Vec<_> =
                cut.filter(|f| f.is_reported()).filter_map(|f| baseline::omitted(&identities, f)).collect();
            properties.insert("omitted".into(), json!(cut));
        }
        let run = Run {
            tool: Tool { driver: tool::driver(&self.options.tool_version) },
            invocations: vec![self.invocation(omitted, total)],
            automation_details: Some(AutomationDetails { id: self.automation_id() }),
            version_control_provenance: self.provenance(),
            original_uri_base_ids: self.bases(),
            results: Some(results),
            column_kind: "utf16CodeUnits".into(),
            properties,
            artifacts: self.artifacts.list,
        };
        Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: vec![run] }
    }

    fn automation_id(&self) -> String {
        match self.options.automation_id.as_str() {
            "" => {
                let root = self.findings.sources.root();
                let name = root.rsplit('/').next().filter(|n| !n.is_empty()).unwrap_or("root");
                format!("verify/{name}/")
            }
            id => id.into(),
        }
    }

    fn bases(&self) -> BTreeMap<String, ArtifactLocation> {
        let root = self.findings.sources.root();
        let location = ArtifactLocation {
            // A base must end in a slash; one that is not absolute would be no base.
            uri: if root.starts_with('/') {
                format!("{}/", file_uri(root.trim_end_matches('/')))
            } else {
                String::new()
            },
            description: Some(Message::plain("The folder that was scanned.")),
            ..ArtifactLocation::default()
        };
        BTreeMap::from([(SRCROOT.to_string(), location)])
    }

    fn provenance(&self) -> Vec<VersionControl> {
        let details = |p: &Provenance| VersionControl {
            repository_uri: p.repository_uri.clone(),
            revision_id: p.revision.clone(),
            branch: p.branch.clone(),
            mapped_to: Some(ArtifactLocation { uri_base_id: SRCROOT.into(), ..ArtifactLocation::default() }),
        };
        self.options.version_control.iter().map(details).collect()
    }

    /// One entry per path, whatever results are written: the list says what was looked at.
    fn collect_artifacts(&self) -> Artifacts {
        let sources = &self.findings.sources;
        let mut first: BTreeMap<&str, SourceId> = BTreeMap::new();
        for (i, s) in sources.all.iter().enumerate() {
            first.entry(&s.path).or_insert(SourceId(i));
        }
        let mut artifacts = Artifacts::default();
        let mut by_path: BTreeMap<&str, usize> = BTreeMap::new();
        for (path, id) in first {
            by_path.insert(path, artifacts.list.len());
            artifacts.list.push(artifact(sources.get(id)));
        }
        for (i, s) in sources.all.iter().enumerate() {
            artifacts.index.insert(SourceId(i), by_path[s.path.as_str()]);
        }
        artifacts
    }

    fn location_of(&self, id: SourceId) -> ArtifactLocation {
        let mut location = artifact_location(self.findings.sources.get(id));
        location.index = self.artifacts.index.get(&id).copied();
        location
    }

    fn invocation(&self, omitted: usize, total: usize) -> Invocation {
        let mut notes = Vec::new();
        for n in &self.scan.notes {
            notes.push(tool::notification("diagnostic", "warning", n.clone()));
        }
        for p in &self.scan.programs {
            let level = if p.incomplete { "warning" } else { "note" };
            for d in &p.diagnostics {
                notes.push(tool::notification("diagnostic", level, format!("{}: {d}", p.name)));
            }
            if p.incomplete && p.diagnostics.is_empty() {
                let text = format!("{}: part of the program could not be read.", p.name);
                notes.push(tool::notification("diagnostic", level, text));
            }
            for u in &p.module.unmodelled {
                notes.push(tool::notification("unmodelled", "note", format!("{}: {u}", p.name)));
            }
            if !p.externals.is_empty() {
                let text = format!("{}: results and effects are not known of: {}.", p.name, p.externals.join(", "));
                notes.push(tool::notification("unknown-function", "note", text));
            }
        }
        for r in &self.findings.remarks {
            notes.push(tool::notification("suppression", "note", format!("{r}.")));
        }
        if omitted > 0 {
            let text =
                format!("{omitted} omitted: {} of {total} results are in this file, the worst ones.", total - omitted);
            notes.push(tool::notification("omitted", "warning", text));
        }
        Invocation {
            execution_successful: self.scan.notes.is_empty() && !self.scan.programs.iter().any(|p| p.incomplete),
            tool_execution_notifications: notes,
            tool_configuration_notifications: Vec::new(),
        }
    }
}

/// The `max` worst, in their order.
fn keep_worst<'f, 'a>(mut findings: Vec<&'f Finding<'a>>, max: usize) -> Vec<&'f Finding<'a>> {
    if findings.len() > max {
        let mut order: Vec<usize> = (0..findings.len()).collect();
        let key = |f: &Finding<'_>| {
            // What is accepted is the first to go.
            (f.suppressed.is_none(), f.verdict.rank(), rules::rule(f.kind).security_severity)
        };
        order.sort_by(|&a, &b| {
            let (a, b) = (key(findings[a]), key(findings[b]));
            (b.0, b.1).cmp(&(a.0, a.1)).then_with(|| b.2.total_cmp(&a.2))
        });
        order.truncate(max);
        order.sort_unstable();
        findings = order.into_iter().map(|i| findings[i]).collect();
    }
    findings
}

fn artifact_location(s: &Source<'_>) -> ArtifactLocation {
    let uri_base_id = if s.below_root { SRCROOT.into() } else { String::new() };
    ArtifactLocation { uri: s.uri(), uri_base_id, ..ArtifactLocation::default() }
}

fn artifact(s: &Source<'_>) -> Artifact {
    let mut hashes = BTreeMap::new();
    if s.blake3 != [0; 32] {
        hashes.insert("blake3".to_string(), crate::source::hex(&s.blake3));
    }
    let sha256 = s.sha256();
    // The kept text has the file's length only if it is the file.
    let length = sha256.as_ref().and(s.text).map(|t| t.len() as u64);
    hashes.extend(sha256.map(|h| ("sha-256".to_string(), h)));
    let extension = s.path.rsplit_once('.').map_or("", |x| x.1);
    let language = match extension {
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "C" => "cplusplus",
        "c" | "h" => "c",
        _ => "",
    };
    let role = if s.system { "tracedFile" } else { "analysisTarget" };
    Artifact {
        location: artifact_location(s),
        length,
        roles: vec![role.into()],
        source_language: language.into(),
        hashes,
    }
}

fn program(p: &ProgramResult) -> serde_json::Value {
    json!({
        "name": p.name,
        "kind": match p.kind {
            TargetKind::Executable => "executable",
            TargetKind::SharedObject => "shared object",
            TargetKind::Archive => "archive",
            TargetKind::Loose => "loose units",
        },
        "incomplete": p.incomplete,
        "checks": Counts::of(&p.verdicts),
        "units": p.stats.units,
        "lines": p.stats.lines,
        "functions": p.stats.functions,
        "functionsReached": p.stats.functions_reached,
    })
}

fn reasons(list: Vec<(String, u64)>) -> serde_json::Value {
    serde_json::Value::Array(
        list.into_iter().map(|(reason, checks)| json!({"reason": reason, "checks": checks})).collect(),
    )
}

/// The entries of a JSON object.
fn bag(value: serde_json::Value) -> Bag {
    match value {
        serde_json::Value::Object(map) => map,
        _ => Bag::new(),
    }
}
