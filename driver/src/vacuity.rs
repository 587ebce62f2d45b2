//! Proofs that say nothing: no execution passes an assumption that every way to the check leads through.

use crate::run::position;
use crate::show::invariants::{Request, looking};
use std::collections::BTreeSet;
use verify_engine::result::{ProgramResult, TargetKind, Verdict};
use verify_facts::call_graph::Callee;
use verify_kiki::vacuity::vacuous;

/// Functions by which a program assumes something.
const ASSUME: [&str; 3] = ["__VERIFIER_assume", "__CPROVER_assume", "__verify_assume"];

/// Says of a program's proofs which are vacuous, and why in its diagnostics; by the rules of a scan or of a check.
///
/// # Errors
/// The analysis broke down.
pub fn mark(p: &mut ProgramResult, scan: bool) -> anyhow::Result<()> {
    let m = p.module.clone();
    let proved = p.verdicts.iter().any(|v| matches!(v, Verdict::Proved(_)));
    if !proved || p.kind != TargetKind::Executable || !assumes(&m) {
        return Ok(());
    }
    let found = looking(&m, &Request { scan, ..Request::PROGRAM }, |look, main| {
        main.map(|f| vacuous(look, f, &|| false)).unwrap_or_default()
    })?;
    let mut places = BTreeSet::new();
    for (id, place) in found {
        // Both enumerate the checks of the same module, in the same order.
        let Some(v @ Verdict::Proved(_)) = p.verdicts.get_mut(id.0 as usize) else { continue };
        *v = Verdict::Proved("vacuous".into());
        places.insert(place);
    }
    for (f, loc) in places {
        let span = m.func(f).body.as_ref().map_or(verify_ir::SpanId(0), |b| b.span_at(loc));
        let at = position(&m, span);
        p.diagnostics.push(format!("proved (vacuous): no execution passes the assumption at {at}"));
    }
    Ok(())
}

/// User code calls one of them.
fn assumes(m: &verify_ir::Module) -> bool {
    let facts = verify_facts::Facts::new(m, verify_facts::World::Closed);
    ASSUME.iter().filter_map(|n| m.function_named(n)).any(|g| {
        facts.calls.callers(g).iter().any(|f| {
            let user = !m.units[m.func(*f).unit.index()].model;
            let calls = facts.calls.sites_in(*f).iter();
            user && calls.map(|s| &s.callee).any(|c| matches!(c, Callee::Direct(h) | Callee::External(h) if *h == g))
        })
    })
}
