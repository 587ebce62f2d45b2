//! What is kept of a scan beside the SARIF: every finding with its verdict, what was tried on it, and the trace of what
//! fails. One JSON document with a version; what it says is shown by [`crate::explain`]. It holds no clock and no
//! absolute path but those of sources outside the scanned folder, so the same scan gives the same bytes.

use crate::finding::{Finding, Findings};
use crate::identity::Identities;
use crate::inputs::Inputs;
use crate::source::{Place, Sources};
use crate::{Result, wording};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use verify_checks::CheckId;
use verify_engine::engine::Argument;
use verify_engine::result::{ProgramResult, ScanResult, Verdict};

/// The version of the form; a reader takes this one only.
pub const VERSION: u32 = 1;
/// What the document says it is.
const FORMAT: &str = "verify-checks";

/// A scan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Always `verify-checks`.
    pub format: String,
    /// Always [`VERSION`].
    pub version: u32,
    /// Version of the tool.
    pub tool: String,
    /// Assumptions of the verdicts.
    pub assumptions: Vec<String>,
    /// Programs, in order.
    pub programs: Vec<Program>,
    /// Findings, in order of file, line, column.
    pub findings: Vec<Entry>,
}

/// A scanned program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Program {
    /// Name.
    pub name: String,
    /// Functions without a body.
    pub externals: Vec<String>,
    /// Tasks that were done.
    pub work: Vec<Work>,
    /// Functions, and the tasks whose runs entered them: indices in `work`.
    pub entered: BTreeMap<String, Vec<u32>>,
    /// Its source files that are no system headers, as paths of findings, and the BLAKE3 of what was compiled.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
}

/// A task.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Work {
    pub engine: String,
    pub what: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub limits: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<String>,
    #[serde(skip_serializing_if = "none")]
    pub runs: u64,
    #[serde(skip_serializing_if = "none")]
    pub steps: u64,
    #[serde(skip_serializing_if = "none")]
    pub budget: u64,
    #[serde(skip_serializing_if = "none")]
    pub queries: u64,
    #[serde(skip_serializing_if = "none")]
    pub conflicts: u64,
    #[serde(skip_serializing_if = "none")]
    pub instructions: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut_off: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn none(n: &u64) -> bool {
    *n == 0
}

/// A finding.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Its name in the SARIF; empty when it has no place.
    pub id: String,
    /// Kind of check.
    pub kind: String,
    /// File, relative to the scanned folder; empty when unknown.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// In bytes from 1; 0 when unknown.
    pub column: u32,
    /// Function.
    pub function: String,
    /// Text of the line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What can go wrong.
    pub title: String,
    /// Verdict.
    pub verdict: String,
    /// Why it is accepted, when it is suppressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suppressed: Option<String>,
    /// How it came about: what proved it, why it is not decided, what fails with which values.
    pub why: String,
    /// Index of the program whose verdict it is.
    pub program: u32,
    /// Names of all programs that have it.
    pub targets: Vec<String>,
    /// What tasks said about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
    /// Invariants of loops that the proof leans on, with their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<String>,
    /// For what fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// What a task said.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tried {
    /// Index in [`Program::work`].
    pub work: u32,
    /// Its words.
    pub result: String,
    /// What it tried, one line after the other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<String>,
}

/// A replayed execution that fails a check.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Failure {
    /// The call.
    pub call: String,
    /// For a latent one: when it fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// For a latent one: the object, or pointer in one, that it fails with and that the library did not make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_up: Option<String>,
    /// For a latent one from a declared entry: the functions without a body whose results are made up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bodiless: Vec<String>,
    /// The path.
    pub steps: Vec<Step>,
    /// Places that explain it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Step>,
    /// What the execution was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
    /// What a compiled program did with it, once it was run: see [`Execution`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
}

/// What became of running the inputs in a compiled program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Execution {
    /// It failed there, in the way that was reported.
    pub confirmed: bool,
    /// What was seen, or why it could not be tried.
    pub seen: String,
}

/// A place on the path.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct Step {
    pub file: String,
    pub line: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub function: String,
    #[serde(skip_serializing_if = "zero")]
    pub depth: u32,
    pub message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<(String, String)>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn zero(n: &u32) -> bool {
    *n == 0
}

impl Record {
    /// Of a scan; `root` is what paths are relative to.
    pub fn of(scan: &ScanResult, root: &Path, tool: &str) -> Record {
        let findings = Findings::of(scan, root);
        let identities = Identities::of(&findings);
        let arguments: Vec<Arguments<'_>> = scan.programs.iter().map(arguments).collect();
        let entries = findings.all.iter().map(|f| entry(scan, &findings, &identities, &arguments, f)).collect();
        Record {
            format: FORMAT.into(),
            version: VERSION,
            tool: tool.into(),
            assumptions: findings.assumptions.clone(),
            programs: scan.programs.iter().map(|p| program(p, root)).collect(),
            findings: entries,
        }
    }

    /// Writes it.
    pub fn write(&self, mut out: impl Write) -> Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")?;
        Ok(())
    }

    /// Reads it.
    ///
    /// # Errors
    /// A sentence: it is not of this form or version.
    pub fn read(text: &[u8]) -> std::result::Result<Record, String> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_slice(text).map_err(|_| "is not a record of a scan".to_string())?;
        if head.format != FORMAT {
            return Err("is not a record of a scan".into());
        }
        if head.version != VERSION {
            return Err(format!("is of version {}, not {VERSION}: scan again", head.version));
        }
        serde_json::from_slice(text).map_err(|e| format!("is damaged ({e}): scan again"))
    }
}

fn program(p: &ProgramResult, root: &Path) -> Program {
    let module = &p.module;
    let mut sources = Sources::new(root);
    for file in module.files.iter().filter(|f| !f.system && f.hash != [0; 32]) {
        sources.intern(file);
    }
    Program {
        name: p.name.clone(),
        externals: p.externals.clone(),
        work: p
            .history
            .work
            .iter()
            .map(|w| Work {
                engine: w.engine.into(),
                what: w.what.clone(),
                limits: w.limits.clone(),
                roots: w.roots.clone(),
                runs: w.runs,
                steps: w.steps,
                // Only an engine that runs programs uses it.
                budget: if w.runs > 0 && w.limits.is_empty() { w.budget } else { 0 },
                queries: w.solving.queries,
                conflicts: w.solving.conflicts,
                instructions: w.solving.instructions,
                cut_off: w.cut_off,
            })
            .collect(),
        entered: p
            .history
            .entered
            .iter()
            .filter_map(|(f, w)| Some((module.functions.get(f.index())?.name.clone(), w.clone())))
            .collect(),
        sources: sources.all.iter().map(|s| (s.path.clone(), crate::source::hex(&s.blake3))).collect(),
    }
}

/// What the proofs of a program lean on: of each check the first argument.
type Arguments<'a> = BTreeMap<CheckId, &'a Argument>;

fn arguments(p: &ProgramResult) -> Arguments<'_> {
    let each = p.history.arguments.iter().rev().flat_map(|a| a.checks.iter().map(move |c| (*c, a)));
    each.collect()
}

fn entry<'a>(
    scan: &ScanResult,
    all: &Findings<'a>,
    identities: &Identities<'a>,
    arguments: &[Arguments<'a>],
    f: &Finding<'a>,
) -> Entry {
    let program = scan.programs.iter().position(|p| std::ptr::eq(p, f.program)).unwrap_or(0);
    let step = |place: Option<Place>, message: &str| Step {
        file: place.map_or_else(String::new, |p| all.sources.get(p.source).path.clone()),
        line: place.map_or(0, |p| p.line),
        message: message.into(),
        ..Step::default()
    };
    let text = f.place.and_then(|p| all.sources.get(p.source).line(p.line)).unwrap_or_default().trim_end();
    let at = step(f.place, "");
    let tried = f.program.history.tried.get(&f.id);
    Entry {
        id: identities.get(f).unwrap_or_default(),
        kind: f.kind.name().into(),
        file: at.file,
        line: at.line,
        column: f.place.map_or(0, |p| p.column),
        function: f.function.into(),
        // Machine-made files have lines of megabytes.
        text: text.chars().take(400).collect(),
        title: wording::title(f).into(),
        verdict: f.verdict.name().into(),
        suppressed: f.suppressed.as_ref().map(|s| s.reason.clone()),
        why: match f.verdict {
            Verdict::Proved(how) => how.clone(),
            Verdict::Unknown(why) => why.to_string(),
            Verdict::Unreachable => String::new(),
            Verdict::Latent(e) | Verdict::Violated(e) => e.message.clone(),
        },
        program: program as u32,
        targets: f.targets.iter().map(|t| (*t).to_string()).collect(),
        tried: tried
            .into_iter()
            .flatten()
            .map(|t| Tried { work: t.work, result: t.result.clone(), rounds: t.rounds.clone() })
            .collect(),
        invariants: match f.verdict {
            Verdict::Proved(_) => arguments
                .get(program)
                .and_then(|a| a.get(&f.id))
                .map_or_else(Vec::new, |a| invariants(all, f.program, a)),
            _ => Vec::new(),
        },
        failure: f.evidence().map(|e| Failure {
            call: e.call.clone(),
            condition: e.condition.clone(),
            made_up: e.made_up.clone(),
            bodiless: e.bodiless.clone(),
            steps: e
                .steps
                .iter()
                .map(|s| Step {
                    function: f.program.module.functions.get(s.func.index()).map_or("", |f| &f.name).into(),
                    depth: s.depth,
                    values: s.values.clone(),
                    ..step(all.place(f.program, s.span), &s.message)
                })
                .collect(),
            notes: e.notes.iter().map(|(span, text)| step(all.place(f.program, *span), text)).collect(),
            inputs: Inputs::of(&f.program.module, e),
            execution: None,
        }),
    }
}

/// What the proof of a check leans on, as text.
fn invariants(all: &Findings<'_>, p: &ProgramResult, a: &Argument) -> Vec<String> {
    let mut out = Vec::new();
    for s in a.invariants.iter().filter_map(|i| crate::invariant::shown(&p.module, i)).filter(|s| !s.all.is_empty()) {
        let file = all.place(p, s.span).map_or("?", |at| all.sources.get(at.source).path.as_str());
        let line = s.line(&p.module, file);
        if !out.contains(&line) {
            out.push(line);
        }
    }
    out
}
