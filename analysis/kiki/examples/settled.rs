//! `settled [--library] [--open FUNCTION] UNIT... --model UNIT...`: links unit files and prints, by kind, how many
//! checks hold by the facts alone; with `--open`, those of a function that do not. A tool for working on the facts.

use std::collections::BTreeMap;
use verify_facts::points_to::{Options, PointsTo};
use verify_facts::values::{Given, settle};
use verify_facts::{CallGraph, MemoryEffects, World, address_taken::AddressTaken, bases};

fn main() {
    let (mut units, mut models, mut model, mut library, mut open) = (Vec::new(), Vec::new(), false, false, None);
    let mut it = std::env::args().skip(1);
    while let Some(a) = it.next() {
        match a.as_str() {
            "--model" => model = true,
            "--library" => library = true,
            "--open" => open = it.next(),
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
    let settled = settle(
        Given { module: &module, points_to: &points_to, effects: &effects, calls: &calls, unchecked: None },
        &|| false,
    );
    println!(
        "points-to and effects {:.2} s, values {:.2} s",
        before.as_secs_f64(),
        (t.elapsed() - before).as_secs_f64()
    );
    let mut kinds: BTreeMap<_, (u32, u32)> = BTreeMap::new();
    for c in checks.all.iter().filter(|c| points_to.reached(c.func)) {
        let e = kinds.entry(c.kind).or_default();
        e.0 += 1;
        e.1 += u32::from(settled.holds(c.func, c.loc, c.kind).is_some());
        if open.as_deref() == Some(module.func(c.func).name.as_str()) && settled.holds(c.func, c.loc, c.kind).is_none()
        {
            let s = module.span(c.span);
            println!("{}:{} {} `{}`", s.line, s.column, c.kind, c.expr);
        }
    }
    for (k, (all, held)) in &kinds {
        println!("{:20} {all:6} {held:6} {:3} %", k.name(), held * 100 / all.max(&1));
    }
    let (all, held) = kinds.values().fold((0, 0), |a, k| (a.0 + k.0, a.1 + k.1));
    println!("{:20} {all:6} {held:6} {:3} %", "all", held * 100 / all.max(1));
}
