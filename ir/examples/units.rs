//! `units [--models] FILE.unit... [--models FILE.unit...]`: reads units, tests well-formedness and both round trips of
//! each, links them (those after `--models` as models), tests the program the same way, and prints sizes and times.

use std::time::Instant;
use verify_ir::link::{LinkOptions, link};
use verify_ir::{Module, binary, check, text};

fn tested(name: &str, module: &Module) -> bool {
    let mut good = true;
    if let Err(problems) = check::check(module) {
        good = false;
        println!("{name}: {} problems of form", problems.len());
        problems.iter().take(5).for_each(|p| println!("  {p}"));
    }
    match text::parse(&text::print(module)) {
        Ok(back) if back == *module => {}
        Ok(_) => {
            good = false;
            println!("{name}: the text form gives another module");
        }
        Err(e) => {
            good = false;
            println!("{name}: the text form does not parse: {e}");
        }
    }
    let bytes = binary::encode(module).expect("a unit that was read can be written");
    if binary::decode(&bytes).ok().as_ref() != Some(module) {
        good = false;
        println!("{name}: the binary form gives another module");
    }
    good
}

fn main() {
    let mut options = LinkOptions { strip_unreferenced_declarations: true, ..LinkOptions::default() };
    options.roots.push("exit".into());
    let (mut units, mut models, mut bad) = (Vec::new(), false, 0);
    let start = Instant::now();
    for arg in std::env::args().skip(1) {
        if arg == "--models" {
            models = true;
            continue;
        }
        let module = std::fs::read(&arg).map_err(|e| e.to_string());
        match module.and_then(|b| binary::decode(&b).map_err(|e| e.to_string())) {
            Ok(m) => {
                bad += usize::from(!tested(&arg, &m));
                if models { options.models.push(m) } else { units.push(m) }
            }
            Err(e) => {
                bad += 1;
                println!("{arg}: {e}");
            }
        }
    }
    println!("{} units, {} models, {bad} bad, {:?}", units.len(), options.models.len(), start.elapsed());
    let start = Instant::now();
    match link(units, &options) {
        Err(e) => println!("{e}"),
        Ok(linked) => {
            let m = &linked.module;
            println!(
                "linked in {:?}: {} functions ({} defined), {} globals, {} types, {} positions, {} files, {} macros",
                start.elapsed(),
                m.functions.len(),
                m.functions.iter().filter(|f| f.body.is_some()).count(),
                m.globals.len(),
                m.ctypes.len(),
                m.spans.len(),
                m.files.len(),
                m.macros.len()
            );
            linked.diagnostics.iter().for_each(|d| println!("  {d}"));
            let undefined = m.functions.iter().filter(|f| f.body.is_none()).map(|f| f.name.as_str());
            println!("  undefined: {}", undefined.collect::<Vec<_>>().join(" "));
            let start = Instant::now();
            bad += usize::from(!tested("program", m));
            println!("program tested in {:?}, {bad} bad", start.elapsed());
        }
    }
    std::process::exit(i32::from(bad != 0));
}
