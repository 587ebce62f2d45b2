//! `points_to [--library] [--show=FUNCTION] UNIT...`: links units, computes the facts, prints their size, and those of one
//! function. For measurements.

use std::time::Instant;
use verify_facts::points_to::{Options, PointsTo};

fn main() {
    let mut library = false;
    let mut show = None;
    let mut units = Vec::new();
    for a in std::env::args().skip(1) {
        match a.as_str() {
            "--library" => library = true,
            f if f.starts_with("--show=") => show = Some(f["--show=".len()..].to_string()),
            path => {
                let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}"));
                units.push(verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{path}: {e}")));
            }
        }
    }
    let linked = match verify_ir::link::link(units, &Default::default()) {
        Ok(l) => l,
        Err(e) => panic!("{e}"),
    };
    let m = linked.module;
    let values: usize = m.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.values.len()).sum();
    let start = Instant::now();
    let options = if library { Options::library() } else { Options::program(&m) };
    let p = PointsTo::new(&m, &options);
    let time = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let effects = verify_facts::MemoryEffects::new(&m, &p);
    println!("effects: {:.2} s", start.elapsed().as_secs_f64());
    if let Some(f) = show.as_deref().and_then(|n| m.function_named(n)) {
        print!("{}", verify_facts::describe::function(&m, &p, &effects, f));
    }
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let (mut total, mut accesses, mut unknown, mut single) = (0usize, 0usize, 0usize, 0usize);
    for (i, f) in m.functions.iter().enumerate() {
        let id = verify_ir::FuncId::new(i);
        if f.body.is_none() || !p.reached(id) {
            continue;
        }
        for inst in f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts) {
            let ptr = match &inst.kind {
                verify_ir::InstKind::Load { ptr, .. } | verify_ir::InstKind::Store { ptr, .. } => ptr,
                _ => continue,
            };
            let t = p.of(id, ptr);
            let mut objects: Vec<_> = t.places.iter().map(|l| l.object).collect();
            objects.dedup();
            total += objects.len();
            accesses += 1;
            unknown += usize::from(t.unknown);
            single += usize::from(!t.unknown && objects.len() == 1);
            sizes.push((objects.len(), i));
        }
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    println!("{values} values, {time:.2} s, {:?}", p.stats);
    println!(
        "{accesses} accesses, {:.2} objects each, {single} to one object, {unknown} to unknown; largest {:?}",
        total as f64 / accesses.max(1) as f64,
        sizes.first().map(|(n, f)| (n, &m.functions[*f].name)),
    );
}
