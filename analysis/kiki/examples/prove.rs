//! `prove UNIT... [--model UNIT...] [--entry NAME] [--call NAME] [--sv] [--certify]
//! [--certify-all]
//! [--all [--closed] [--plain] [--largest INSTRUCTIONS] [--only NAME] [--scale N]]`: links unit files, proves what it can under one root and
//! prints a line a check. With `--certify-all`, every check is claimed to be proved like one that is: what fails must be refused. A tool for working on the engine; users have `verify check` and `verify scan`.

use std::collections::BTreeSet;
use std::sync::Arc;
use verify_checks::CheckId;
use verify_encode::{Root, Rules};
use verify_engine::result::TargetKind;
use verify_facts::points_to::{Options, PointsTo};
use verify_facts::values::{Given, settle};
use verify_facts::{Facts, MemoryEffects, World};
use verify_kiki::{Limits, Prover};

fn main() {
    let (mut units, mut models, mut model, mut call) = (Vec::new(), Vec::new(), false, None);
    let (mut certify, mut everything) = (false, false);
    let mut rules = Rules { leaks: true, ..Rules::default() };
    let (mut all, mut plain) = (false, false);
    let mut largest = 150;
    let mut only: Option<String> = None;
    let (mut scale, mut closed) = (1, false);
    let mut entry = "main".to_string();
    let mut limits = Limits::default();
    let mut it = std::env::args().skip(1);
    while let Some(a) = it.next() {
        match a.as_str() {
            "--model" => model = true,
            "--certify" => certify = true,
            "--certify-all" => (certify, everything) = (true, true),
            "--entry" => entry = it.next().unwrap_or_default(),
            "--all" => all = true,
            "--plain" => plain = true,
            "--largest" => largest = it.next().and_then(|s| s.parse().ok()).unwrap_or(150),
            "--closed" => closed = true,
            "--only" => only = it.next(),
            "--scale" => scale = it.next().and_then(|s| s.parse().ok()).unwrap_or(1),
            "--call" => call = it.next(),
            "--unwind" => limits.unwind = it.next().and_then(|s| s.parse().ok()).unwrap_or(8),
            "--sv" => {
                rules = Rules {
                    allocation_succeeds: true,
                    externals_pure: true,
                    whole_objects: true,
                    uninit_is_arbitrary: true,
                    leaks: true,
                    open: false,
                }
            }
            p => {
                let bytes = std::fs::read(p).unwrap_or_else(|e| panic!("{p}: {e}"));
                let m = verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{p}: {e}"));
                if model { models.push(m) } else { units.push(m) }
            }
        }
    }
    let roots = vec!["exit".to_string(), "environ".to_string()];
    let options = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    let module = Arc::new(verify_ir::link::link(units, &options).unwrap_or_else(|e| panic!("{e}")).module);
    let checks = verify_checks::enumerate(&module);
    let facts = Facts::new(&module, World::Closed);
    let taken: Vec<_> = verify_checks::calls::Calls::new(&module).address_taken().iter().copied().collect();
    let name = call.clone().unwrap_or(entry);
    let f = module.function_named(&name).unwrap_or(verify_ir::FuncId(0));
    let root = if call.is_some() { Root::Call(f) } else { Root::Program(f) };
    if all {
        let f = verify_kiki::Kiki::scanning().function.unwrap_or_default();
        let function = Limits {
            query_conflicts: f.query_conflicts * scale,
            conflicts: f.conflicts * scale,
            instructions: f.instructions * scale,
            total_instructions: f.total_instructions * scale,
            terms: f.terms * scale as usize,
            ..f
        };
        let mut kinds: std::collections::BTreeMap<verify_ir::CheckKind, (u32, u32)> = Default::default();
        for c in &checks.all {
            kinds.entry(c.kind).or_default().0 += 1;
        }
        // What the facts settle is no question.
        let kind = if closed { TargetKind::Executable } else { TargetKind::Archive };
        let found = verify_engine::entries::roots(&module, kind, &[], false);
        let roots: Vec<_> = found.entries.iter().chain(&found.boundary).copied().collect();
        let world = if closed { World::Closed } else { World::Open };
        let points_to = PointsTo::new(&module, &Options { world, roots, ..Options::library() });
        let effects = MemoryEffects::new(&module, &points_to);
        let given = Given {
            module: &module,
            points_to: &points_to,
            effects: &effects,
            calls: &facts.calls,
            unchecked: None,
            uninit_is_arbitrary: false,
        };
        let settled = settle(given, &|| false);
        let known = (!plain).then_some(&settled);
        let calls = &facts.calls;
        let prover = Prover {
            module: &module,
            checks: &checks,
            calls,
            address_taken: &taken,
            rules,
            facts: known,
            wraps: false,
            suggest: None,
            library: std::sync::Arc::new(verify_encode::Library::new(&module)),
        };
        let mut total = (0, 0);
        for i in 0..module.functions.len() {
            let f = verify_ir::FuncId::new(i);
            let mine: BTreeSet<CheckId> = (0..checks.all.len() as u32)
                .map(CheckId)
                .filter(|c| checks.get(*c).func == f)
                .filter(|c| settled.holds(f, checks.get(*c).loc, checks.get(*c).kind).is_none())
                .collect();
            if !verify_checks::calls::is_model(&module, module.func(f)) {
                total.0 += mine.len();
            }
            let size: usize = module.func(f).body.iter().flat_map(|b| &b.blocks).map(|b| b.insts.len() + 1).sum();
            let asked = only.as_ref().is_none_or(|n| module.func(f).name == *n);
            if mine.is_empty() || size > largest || !asked {
                continue;
            }
            let t = std::time::Instant::now();
            let r = prover.run(Root::Call(f), &BTreeSet::new(), &mine, function, &mut |_| None, &|| false);
            total.1 += r.proved.len();
            for c in r.proved.keys() {
                kinds.entry(checks.get(*c).kind).or_default().1 += 1;
            }
            let mut why: std::collections::BTreeMap<&str, u32> = Default::default();
            for w in r.reasons.values() {
                *why.entry(w).or_default() += 1;
            }
            println!(
                "{:7.2}s {:30} {size:5} {:4} checks {:4} proved {:?} {:?} {why:?}",
                t.elapsed().as_secs_f64(),
                module.func(f).name,
                mine.len(),
                r.proved.len(),
                r.stuck,
                r.spent
            );
        }
        println!("{} of {} checks that the facts leave", total.1, total.0);
        for (k, (all, proved)) in kinds {
            println!("{k}: {all} checks, {proved} proved");
        }
        return;
    }
    let open: BTreeSet<CheckId> =
        (0..checks.all.len() as u32).map(CheckId).filter(|c| call.is_none() || checks.get(*c).func == f).collect();
    let calls = &facts.calls;
    let prover = Prover {
        module: &module,
        checks: &checks,
        calls,
        address_taken: &taken,
        rules,
        facts: None,
        wraps: false,
        suggest: None,
        library: std::sync::Arc::new(verify_encode::Library::new(&module)),
    };
    let started = std::time::Instant::now();
    let report = prover.run(root, &BTreeSet::new(), &open, limits, &mut |_| None, &|| false);
    for c in &open {
        let k = checks.get(*c);
        let verdict = match (report.proved.get(c), report.reasons.get(c)) {
            (Some(p), _) => format!("proved ({:?} {})", p.plan.mode, p.plan.unwind),
            (None, Some(r)) => format!("open: {r}"),
            (None, None) => "open".into(),
        };
        let func = &module.func(k.func).name;
        println!("{func}:{}: {}: {verdict}   [{}]", module.span(k.span).line, k.kind, k.message);
    }
    println!(
        "{} checks, {} proved, {} refuted, {:?}, {:?}, {:?}",
        open.len(),
        report.proved.len(),
        report.refuted.len(),
        report.stuck,
        report.spent,
        started.elapsed()
    );
    if certify {
        let began = std::time::Instant::now();
        let limits = verify_certify::Limits::default();
        let mut report = report;
        if everything && let Some(like) = report.proved.values().next().cloned() {
            report.proved = open.iter().map(|c| (*c, like.clone())).collect();
        }
        for (c, r) in verify_kiki::recheck::all(&prover, &report.proved, &BTreeSet::new(), limits, &|| false) {
            println!("certificate {:?}, {} checks: {r:?}", c.mode, c.proved.len());
        }
        println!("re-checked in {:?}", began.elapsed());
    }
}
