//! `verify show facts`: what is known of a program without a solver: who calls whom, loops, where pointers point, what
//! calls read and write, which values are live.

use std::collections::BTreeSet;
use std::fmt::Write;
use verify_facts::points_to::{ObjectId, ObjectKind, Options, PointsTo};
use verify_facts::{Facts, Liveness, LoopForest, MemoryEffects, World, describe};
use verify_ir::{FuncId, Module};

/// Facts of the chosen function, or of all of the user's and of the objects.
pub fn text(m: &Module, chosen: Option<FuncId>, library: bool) -> String {
    let has_main = m.function_named("main").is_some_and(|f| m.func(f).body.is_some());
    let library = library || !has_main;
    let facts = Facts::new(m, if library { World::Open } else { World::Closed });
    let options = if library { Options::library() } else { Options::program(m) };
    let pointers = PointsTo::new(m, &options);
    let effects = MemoryEffects::new(m, &pointers);
    let mut out = String::new();
    // Writing to a string cannot fail.
    if chosen.is_none() {
        let world = if library { "a library: unknown code may call what is visible" } else { "a program: from `main`" };
        let s = &pointers.stats;
        let _ = writeln!(out, "{world}; {} abstract objects, {} places\n", s.objects, s.locations);
    }
    for f in super::user_functions(m, chosen) {
        out.push_str(&describe::function(m, &pointers, &effects, f));
        around(&mut out, m, &facts, f);
        out.push('\n');
    }
    if chosen.is_none() {
        for i in 0..pointers.objects().len() {
            let id = ObjectId(i as u32);
            if is_users(m, &pointers.object(id).kind) {
                out.push_str(&describe::object(&pointers, &effects, id));
            }
        }
    }
    out
}

/// Callers, recursion, and what is live where loops begin.
fn around(out: &mut String, m: &Module, facts: &Facts, f: FuncId) {
    let names = |all: &[FuncId]| all.iter().map(|g| m.func(*g).name.as_str()).collect::<Vec<_>>().join(", ");
    let callers = facts.calls.callers(f);
    if !callers.is_empty() {
        let _ = writeln!(out, "  called by {}", names(callers));
    }
    if facts.calls.recursive(&facts.sccs, f) {
        let members: Vec<FuncId> = facts.sccs.members(facts.sccs.of(f.0)).iter().map(|n| FuncId(*n)).collect();
        let _ = writeln!(out, "  recursive: {}", names(&members));
    }
    let Some(body) = &m.func(f).body else { return };
    let live = Liveness::new(body);
    for l in &LoopForest::new(body).loops {
        let named: BTreeSet<String> = live
            .entry(l.header)
            .map(|v| match body.values[v.index()].var {
                Some(x) if !body.vars[x.index()].name.is_empty() => body.vars[x.index()].name.clone(),
                _ => v.to_string(),
            })
            .collect();
        let named: Vec<String> = named.into_iter().collect();
        let list = if named.is_empty() { "nothing".into() } else { named.join(", ") };
        let _ = writeln!(out, "  live into the loop at {}: {list}", l.header);
    }
}

/// Objects of the library models are not what a user looks for.
fn is_users(m: &Module, kind: &ObjectKind) -> bool {
    let user = |f: FuncId| !m.units[m.func(f).unit.index()].model;
    match kind {
        ObjectKind::Global(g) => !m.units[m.globals[g.index()].unit.index()].model,
        ObjectKind::Stack { func, .. } => user(*func),
        ObjectKind::Heap { func, calls, .. } => user(*func) || calls.iter().any(|c| user(c.0)),
        _ => false,
    }
}
