//! `settled [--library] [--open FUNCTION] UNIT... --model UNIT...`: links unit files and prints, by kind, how many
//! checks there are, how many hold by what each function shows by itself, how many by all facts, and how much that is of
//! the rest. With `--open`, checks of a function (or `all`) that are left; with `--why`, what may fail in a model. A tool
//! for working on the facts.

use std::collections::BTreeMap;
use verify_facts::points_to::{Options, PointsTo};
use verify_facts::values::{Given, settle, settle_by_function};
use verify_facts::{CallGraph, MemoryEffects, World, address_taken::AddressTaken, bases};

fn main() {
    let (mut units, mut models, mut model, mut library) = (Vec::new(), Vec::new(), false, false);
    let (mut open, mut why) = (None, None);
    let mut it = std::env::args().skip(1);
    while let Some(a) = it.next() {
        match a.as_str() {
            "--model" => model = true,
            "--library" => library = true,
            "--open" => open = it.next(),
            "--why" => why = it.next(),
            p => {
                let bytes = std::fs::read(p).unwrap_or_else(|e| panic!("{p}: {e}"));
                let m = verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{p}: {e}"));
                if model { models.push(m) } else { units.push(m) }
            }
        }
    }
    let roots = vec!["exit".to_string(), "environ".to_string()];
    let options = verify_ir::link::LinkOptions { models, roots, ..Default::default() };
    let module = verify_ir::link::link(units, &options).unwrap_or_else(|e| panic!("{e}")).module;
    let checks = verify_checks::enumerate(&module);
    let bases = bases::all(&module);
    let taken = AddressTaken::new(&module, &bases);
    let world = if library { World::Open } else { World::Closed };
    let calls = CallGraph::new(&module, world, &bases, &taken);
    let t = std::time::Instant::now();
    let options = if library { Options::library() } else { Options::program(&module) };
    let points_to = PointsTo::new(&module, &options);
    let effects = MemoryEffects::new(&module, &points_to);
    let before = t.elapsed();
    let given = Given {
        module: &module,
        points_to: &points_to,
        effects: &effects,
        calls: &calls,
        unchecked: None,
        uninit_is_arbitrary: false,
    };
    let settled = settle(given, &|| false);
    let values = t.elapsed() - before;
    let by_function = settle_by_function(given, &|| false);
    println!("{:?}", points_to.stats);
    println!("points-to and effects {:.2} s, values {:.2} s", before.as_secs_f64(), values.as_secs_f64());
    let holds = |f, loc, k| settled.holds(f, loc, k).is_some();
    let calls = verify_checks::calls::Calls::without(&module, &holds);
    let library = verify_kiki::Library::new(&module, &checks, &settled);
    if let Some(name) = &why {
        explain(&module, &calls, &holds, name);
    }
    let mut kinds: BTreeMap<_, (u32, u32, u32)> = BTreeMap::new();
    for c in checks.all.iter().filter(|c| points_to.reached(c.func)) {
        let e = kinds.entry(c.kind).or_default();
        e.0 += 1;
        let held = settled.holds(c.func, c.loc, c.kind).is_some()
            || verify_kiki::in_library(&module, &calls, c)
            || verify_kiki::through_pointer(&module, &calls, &settled, c)
            || library.holds(c);
        e.1 += u32::from(by_function.holds(c.func, c.loc, c.kind).is_some());
        e.2 += u32::from(held);
        let name = module.func(c.func).name.as_str();
        if open.as_deref().is_some_and(|o| o == name || o == "all") && !held {
            let s = module.span(c.span);
            println!("{name} {}:{} {} `{}`", s.line, s.column, c.kind, c.expr);
        }
    }
    let line = |name: &str, (all, few, held): (u32, u32, u32)| {
        let rest = (held - few) * 100 / (all - few).max(1);
        println!("{name:20} {all:6} {few:6} {held:6} {rest:3} %");
    };
    kinds.iter().for_each(|(k, n)| line(k.name(), *n));
    line("all", kinds.values().fold((0, 0, 0), |a, k| (a.0 + k.0, a.1 + k.1, a.2 + k.2)));
}

/// Where a library function, or one that it calls, may fail.
fn explain(
    module: &verify_ir::Module,
    calls: &verify_checks::calls::Calls<'_>,
    holds: &dyn Fn(verify_ir::FuncId, verify_ir::Loc, verify_ir::CheckKind) -> bool,
    name: &str,
) {
    let Some(f) = module.function_named(name) else { return };
    let mut todo = vec![f];
    let mut seen = std::collections::BTreeSet::from([f]);
    while let Some(f) = todo.pop() {
        let func = module.func(f);
        let Some(body) = &func.body else { continue };
        println!("{}: {:?}", func.name, calls.function(f).kinds.iter().map(|k| k.name()).collect::<Vec<_>>());
        for (loc, k) in verify_checks::calls::own_places(module, f) {
            if !holds(f, loc, k) {
                println!("    line {} {k}", module.span(body.span_at(loc)).line);
            }
        }
        for b in body.block_ids() {
            for (i, inst) in body.block(b).insts.iter().enumerate() {
                let loc = verify_ir::Loc { block: b, inst: i as u32 };
                if let verify_ir::InstKind::Call(c) = &inst.kind
                    && let Some(g) = verify_checks::calls::direct_callee(module, c)
                    && !holds(f, loc, verify_ir::CheckKind::NullDeref)
                {
                    if module.func(g).body.is_none() {
                        let left: Vec<_> =
                            calls.call(c, body, &inst.results).kinds.iter().filter(|k| !holds(f, loc, *k)).collect();
                        println!("    line {} {} {left:?}", module.span(body.span_at(loc)).line, module.func(g).name);
                    } else if seen.insert(g) {
                        todo.push(g);
                    }
                }
            }
        }
    }
}
