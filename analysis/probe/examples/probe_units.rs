//! Scans unit files with the probe and prints what it finds: a tool for working on the engine. The driver's `verify scan` is
//! for users.
//!
//! `probe_units [--checks] [--kind exe|lib] [--steps N] [-j N] [--models DIR] UNIT...`

use std::sync::Arc;
use std::time::Instant;
use verify_engine::result::{TargetKind, Verdict};
use verify_engine::{Budget, ProgramInput, Progress, ScanOptions, StopFlag, scan};
use verify_ir::link::{LinkOptions, link};

struct Print(bool);

impl Progress for Print {
    fn planned(&self, n: usize) {
        eprintln!("{n} tasks");
    }
    fn finished(&self, _: &str, what: &str, found: usize) {
        if self.0 {
            eprintln!("  {what}: {found}");
        }
    }
}

fn read(path: &str) -> verify_ir::Module {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{path}: {e}"));
    verify_ir::binary::decode(&bytes).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn main() {
    let (mut units, mut models) = (Vec::new(), Vec::new());
    let (mut checks, mut verbose, mut traces) = (false, false, false);
    let mut kind = TargetKind::Executable;
    let mut options = ScanOptions { jobs: 2, ..ScanOptions::default() };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        let mut value = || args.next().expect("a value");
        match a.as_str() {
            "--checks" => checks = true,
            "-v" => verbose = true,
            "--traces" => traces = true,
            "--kind" => kind = if value() == "exe" { TargetKind::Executable } else { TargetKind::Archive },
            "--steps" => options.budget = Some(Budget { steps: value().parse().expect("steps"), runs: u64::MAX }),
            "-j" => options.jobs = value().parse().expect("jobs"),
            "--models" => {
                let mut files: Vec<_> =
                    std::fs::read_dir(value()).expect("models").flatten().map(|e| e.path()).collect();
                files.sort();
                models.extend(
                    files
                        .iter()
                        .filter(|p| p.extension().is_some_and(|e| e == "unit"))
                        .map(|p| read(&p.to_string_lossy())),
                );
            }
            _ => units.push(read(&a)),
        }
    }
    let started = Instant::now();
    let options_link = LinkOptions {
        models,
        roots: vec!["exit".into()],
        strip_unreferenced_declarations: true,
        ..LinkOptions::default()
    };
    let linked = link(units, &options_link).expect("one machine");
    let module = Arc::new(linked.module);
    eprintln!("linked: {} functions, {:?}", module.functions.len(), started.elapsed());
    if checks {
        let all = verify_checks::enumerate(&module);
        for c in &all.all {
            let s = module.span(c.span);
            println!("{}:{}:{}: {}: {} [{}]", module.func(c.func).name, s.line, s.column, c.kind, c.message, c.expr);
        }
        eprintln!("{} checks, {:?}", all.all.len(), started.elapsed());
        return;
    }
    let input = ProgramInput { name: "program".into(), kind, module, diagnostics: Vec::new(), incomplete: false };
    let result = scan(vec![input], &[&verify_probe::Probe], &options, &Print(verbose), &StopFlag::new());
    for p in &result.programs {
        let m = &p.module;
        let place = |s| {
            let s = m.span(s);
            format!("{}:{}:{}", m.files[s.file.index()].path, s.line, s.column)
        };
        let mut counts = [0u64; 5];
        for (c, v) in p.checks.all.iter().zip(&p.verdicts) {
            counts[v.rank() as usize] += 1;
            let (Verdict::Latent(e) | Verdict::Violated(e)) = v else { continue };
            println!("{}: {}: {}: {} [{}]", place(e.span), v.name(), c.kind, e.message, c.message);
            println!("    {}{}", e.call, e.condition.as_ref().map(|c| format!("  if {c}")).unwrap_or_default());
            if traces {
                for s in &e.steps {
                    let values: Vec<String> = s.values.iter().map(|(n, v)| format!("{n} = {v}")).collect();
                    let indent = "  ".repeat(s.depth as usize + 3);
                    println!("{indent}{} {}: {} {}", place(s.span), m.func(s.func).name, s.message, values.join("; "));
                }
                for (s, t) in &e.notes {
                    println!("      note {}: {t}", place(*s));
                }
            }
        }
        for d in &p.diagnostics {
            println!("diagnostic: {d}");
        }
        println!("externals: {}", p.externals.join(" "));
        println!(
            "unreachable {}, proved {}, unknown {}, latent {}, violated {}",
            counts[0], counts[1], counts[2], counts[3], counts[4]
        );
        println!("{:?}", p.stats);
    }
    eprintln!("{:?}", started.elapsed());
}
