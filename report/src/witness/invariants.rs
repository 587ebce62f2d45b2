//! The witness of a proof: invariants of loops in C. Only what is certain to be read as it is meant is said: loops whose
//! keyword stands where the debug information says (a `do` loop's invariant is about another moment), variables that are
//! in scope before the keyword, expressions that cannot overflow.

use super::path::Files;
use super::text::Code;
use super::{Location, Metadata, quoted};
use crate::invariant::{What, shown};
use std::collections::BTreeMap;
use std::fmt::Write;
use verify_facts::invariant::LoopInvariant;
use verify_ir::{FileId, FuncId, Module};

/// The witness of a proof that leans on these invariants, whatever the calls; `entry` is where the program starts.
pub fn correctness(
    m: &Module,
    invariants: &[LoopInvariant],
    entry: Option<FuncId>,
    names: &dyn Fn(FileId) -> String,
    metadata: &Metadata,
) -> String {
    let mut files = Files::new(m, names);
    let mut all: BTreeMap<Location, Vec<String>> = BTreeMap::new();
    let user = |f: FuncId| !m.units.get(m.func(f).unit.index()).is_some_and(|u| u.model);
    for s in invariants.iter().filter(|i| user(i.func)).filter_map(|i| shown(m, i)).filter(|s| s.what == What::Loop) {
        let keyword = |c: &Code, at: usize| c.is_loop(at).then_some(at);
        let Some(at) = files.place(s.span, s.func, keyword) else { continue };
        let here = all.entry(at).or_default();
        for e in s.all.iter().filter(|e| e.in_scope).filter_map(|e| e.c.clone()) {
            if !here.contains(&e) {
                here.push(e);
            }
        }
    }
    let mut content = String::new();
    for (at, parts) in all.iter().filter(|(_, p)| !p.is_empty()) {
        let value = match parts.as_slice() {
            [one] => one.clone(),
            many => many.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" && "),
        };
        invariant(&mut content, "loop_invariant", at, &value);
    }
    if content.is_empty()
        && let Some(at) = entry.and_then(|f| first_statement(m, &mut files, f))
    {
        // The set must not be empty; nothing needs to be said.
        invariant(&mut content, "location_invariant", &at, "1");
    }
    metadata.entry("invariant_set", &content)
}

fn invariant(content: &mut String, kind: &str, at: &Location, value: &str) {
    let _ = writeln!(content, "  - invariant:");
    let _ = writeln!(content, "      type: {}", quoted(kind));
    at.write(content, "      ");
    let _ = writeln!(content, "      value: {}", quoted(value));
    let _ = writeln!(content, "      format: \"c_expression\"");
}

/// Where the first statement of a function begins that the debug information knows.
fn first_statement(m: &Module, files: &mut Files<'_>, f: FuncId) -> Option<Location> {
    let body = m.func(f).body.as_ref()?;
    let own = m.span(m.func(f).span).line;
    let spans = body.blocks.iter().flat_map(|b| b.insts.iter().map(|i| i.span).chain([b.term_span]));
    let first = spans.filter(|s| m.span(*s).line > own).min_by_key(|s| (m.span(*s).line, m.span(*s).column))?;
    files.place(first, f, |c, o| Some(c.statement(o)))
}
