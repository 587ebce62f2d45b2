//! Prints what the ledger knows about a folder: targets, their units, what is missing, counts.
//! `cargo run -p verify-wrapper --example project -- [FOLDER]`
#![forbid(unsafe_code)]

use std::path::PathBuf;

use verify_compile_db::{Ledger, project};
use verify_wrapper::Config;

fn main() {
    let root = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let config = Config::from_env().unwrap_or_else(|e| exit(&e));
    let contents = Ledger::open(&config.cache).read().unwrap_or_else(|e| exit(&e.to_string()));
    let project = project::load(&contents, &root);
    for target in &project.targets {
        println!("{} [{:?}, by {:?}]", target.path.display(), target.kind, target.matched);
        for copy in &target.copies {
            println!("    also {}", copy.display());
        }
        println!("    {} units, {} without a unit", target.units.len(), target.missing.len());
        for unit in &target.units {
            let note = unit.note.as_deref().unwrap_or("");
            println!("      {} {} {note}", &unit.unit.to_hex()[..12], unit.from);
        }
        for missing in &target.missing {
            println!("      MISSING {}: {}", missing.input, missing.reason);
        }
        for shared in &target.shared {
            println!("      uses {} {:?}", shared.path.display(), shared.target);
        }
        for note in &target.notes {
            println!("      note: {note}");
        }
    }
    for unit in &project.loose {
        println!("in no target: {}", unit.source.display());
    }
    for missing in &project.uncaptured {
        println!("NOT CAPTURED {}: {}", missing.input, missing.reason);
    }
    for path in &project.foreign {
        println!("not built through verify-cc: {}", path.display());
    }
    println!("{:?}", project.totals);
}

fn exit(problem: &str) -> ! {
    eprintln!("{problem}");
    std::process::exit(2)
}
