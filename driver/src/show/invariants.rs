//! `verify show invariants`: what holds at the head of every loop, and what functions return, as expressions of C at
//! their source lines.

use crate::exit::usage;
use crate::names::Names;
use crate::run::position;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use verify_encode::{Domain, Rules};
use verify_facts::invariant::LoopInvariant;
use verify_facts::points_to::{Externals, Options, PointsTo};
use verify_facts::values::{Given, settle};
use verify_facts::{Facts, MemoryEffects, World};
use verify_ir::{CheckKind, FuncId, Module};
use verify_report::invariant::{Shown, shown};

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// One function; `None`: all of the user's.
    pub function: Option<FuncId>,
    /// Consecutive iterations that are looked at together.
    pub unwind: u32,
    /// Rows.
    pub domain: Domain,
    /// As JSON, a line a program.
    pub json: bool,
    /// Unknown code may call it.
    pub library: bool,
    /// As `verify scan` asks, not as `verify check`.
    pub scan: bool,
}

impl Request {
    /// All of a program.
    pub const PROGRAM: Request =
        Request { function: None, unwind: 1, domain: Domain::Zones, json: false, library: false, scan: false };
}

/// A template by its name.
///
/// # Errors
/// There is none of that name.
pub fn domain(name: &str) -> anyhow::Result<Domain> {
    match name {
        "intervals" => Ok(Domain::Intervals),
        "zones" => Ok(Domain::Zones),
        "octagons" => Ok(Domain::Octagons),
        _ => Err(usage(format!("`--domain` is `intervals`, `zones` or `octagons`, not `{name}`"))),
    }
}

/// The invariants as text.
///
/// # Errors
/// The analysis broke down.
pub fn text(m: &Module, program: &str, sources: &[PathBuf], r: &Request) -> anyhow::Result<String> {
    let (found, stuck) = search(m, r)?;
    let names = Names::new(m, sources);
    let mut all: Vec<Shown> = found.iter().filter_map(|i| shown(m, i)).filter(|s| !s.all.is_empty()).collect();
    all.sort_by_key(|s| {
        let at = m.span(s.span);
        (m.files[at.file.index()].path.clone(), at.line, at.column, s.what, s.func)
    });
    if r.json {
        return Ok(format!("{}\n", as_json(m, program, &names, &all, &stuck)));
    }
    let mut out = String::new();
    for s in &all {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", s.line(m, &names.of(m.span(s.span).file)));
    }
    for (f, why) in &stuck {
        let f = m.func(*f);
        let _ = writeln!(out, "{}: {}: nothing found: {why}", position(m, f.span), f.name);
    }
    Ok(out)
}

/// What was found, and functions of which nothing was, with the reason.
pub type Found = (Vec<LoopInvariant>, Vec<(FuncId, &'static str)>);

/// Looks for invariants.
///
/// # Errors
/// The analysis broke down.
pub fn search(m: &Module, r: &Request) -> anyhow::Result<Found> {
    let functions: Vec<FuncId> = super::user_functions(m, r.function).collect();
    looking(m, r, |look, main| look.all(main, &functions, &|| false))
}

fn as_json(m: &Module, program: &str, names: &Names<'_>, all: &[Shown], stuck: &[(FuncId, &'static str)]) -> Value {
    let one = |s: &Shown| {
        let at = m.span(s.span);
        let c: Vec<&str> = s.all.iter().filter_map(|e| e.c.as_deref()).collect();
        json!({
            "file": names.of(at.file),
            "line": at.line,
            "column": at.column,
            "function": m.func(s.func).name,
            "kind": s.what.name(),
            "invariant": s.all.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join(" && "),
            "expressions": s.all.iter().map(|e| e.text.as_str()).collect::<Vec<_>>(),
            "c": c,
            "unnamed": s.unnamed,
        })
    };
    let failed = |(f, why): &(FuncId, &'static str)| json!({ "function": m.func(*f).name, "why": why });
    json!({
        "program": program,
        "invariants": all.iter().map(one).collect::<Vec<_>>(),
        "nothing_found": stuck.iter().map(failed).collect::<Vec<_>>(),
    })
}

/// Looks at a program, given what is known of it without a solver.
///
/// # Errors
/// The analysis broke down.
pub fn looking<T: Send>(
    m: &Module,
    r: &Request,
    f: impl FnOnce(&verify_kiki::loops::Look<'_>, Option<FuncId>) -> T + Send,
) -> anyhow::Result<T> {
    let worker = || {
        let main = m.function_named("main").filter(|f| m.func(*f).body.is_some() && !r.library);
        let checks = verify_checks::enumerate(m);
        let facts = Facts::new(m, if main.is_some() { World::Closed } else { World::Open });
        let taken: Vec<FuncId> = verify_checks::calls::Calls::new(m).address_taken().iter().copied().collect();
        let options = if main.is_some() { Options::program(m) } else { Options::library() };
        let externals = if r.scan { Externals::Havoc } else { Externals::Pure };
        let options = Options { externals, indexes_checked: r.scan, ..options };
        let points_to = PointsTo::new(m, &options);
        let effects = MemoryEffects::new(m, &points_to);
        let given = Given {
            module: m,
            points_to: &points_to,
            effects: &effects,
            calls: &facts.calls,
            unchecked: (!r.scan).then_some(CheckKind::ArrayIndex),
            uninit_is_arbitrary: !r.scan,
        };
        let known = settle(given, &|| false);
        let rules = Rules {
            allocation_succeeds: !r.scan,
            externals_pure: !r.scan,
            whole_objects: !r.scan,
            uninit_is_arbitrary: !r.scan,
            leaks: false,
            open: false,
        };
        let look = verify_kiki::loops::Look {
            module: m,
            checks: &checks,
            calls: &facts.calls,
            address_taken: &taken,
            rules,
            facts: Some(&known),
            domain: r.domain,
            unwind: r.unwind,
        };
        f(&look, main)
    };
    // The walk goes as deep as the calls do.
    std::thread::scope(|s| {
        let worker = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(s, worker)?;
        worker.join().map_err(|_| anyhow::anyhow!("the search for invariants broke down"))
    })
}
