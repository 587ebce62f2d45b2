//! The probe on one library function with a fixed budget: what a run costs around the interpreter's steps (choosing
//! inputs, coverage, mutation), and what a failure costs (making it simple, replaying it).
#![allow(missing_docs)] // what criterion's macros make has none

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use verify_checks::CheckId;
use verify_engine::result::TargetKind;
use verify_engine::{Budget, Draft, Engine, ProgramInput, ScanOptions, StopFlag, Subject};
use verify_ir::{FORMAT_VERSION, text};
use verify_probe::Probe;

/// `int f(char *p, int n)`: sums the first `n` bytes of `p`; `first` is the index of the first byte that is read.
fn subject(first: u32) -> Subject {
    let zeros = "0".repeat(64);
    let source = format!(
        "verify-ir {FORMAT_VERSION} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"a.c\" directory \"\" hash \"{zeros}\" span0 file0 0 0 span1 file0 1 1 span2 file0 2 2
         type0 void type1 base \"int\" signed 32 type2 base \"char\" signed_char 8 type3 pointer type2
         type4 function type1 (type3, type1)
         func0 \"f\" unit0 external default (ptr, i32) -> (i32) ctype type4 {{
           var0 \"p\" type3 param 1 var1 \"n\" type1 param 2
           b0(v0: ptr var0, v1: i32 var1): v2: i1 = icmp eq v0, null branch v2, b4(0:i32), b1({first}:i32, 0:i32)
           b1(v3: i32, v4: i32): v5: i1 = icmp slt v3, v1 branch v5, b2, b3
           b2: v6: i64 = sext v3 v7: ptr = addr v0 index(v6 x 1) v8: i8 = load v7 align 1 !1 v9: i32 = sext v8
             v10: i32 = add v4, v9 v11: i32 = add v3, 1:i32 jump b1(v11, v10)
           b3: v12: i1 = icmp eq v4, 291:i32 branch v12, b4(1:i32), b4(v4)
           b4(v13: i32): return v13 }}"
    );
    let module = Arc::new(text::parse(&source).unwrap_or_else(|e| panic!("{e}")));
    let kind = TargetKind::Archive;
    let input = ProgramInput { name: "a".into(), kind, module, diagnostics: Vec::new(), incomplete: false };
    Subject::new(Draft::new(&input, &ScanOptions::default()), Vec::new())
}

fn function(c: &mut Criterion) {
    let mut g = c.benchmark_group("probe");
    g.sample_size(20);
    let budget = Budget { steps: 2_000_000, runs: u64::MAX };
    for (name, first) in [("sum of bytes", 0), ("sum of bytes from -1 on", u32::MAX)] {
        let subject = subject(first);
        let open = subject.checks.all.iter().enumerate().map(|(i, _)| CheckId(i as u32)).collect();
        let task = Probe.tasks(&subject, &open).into_iter().next().expect("one function");
        let run = || Probe.run(&subject, &open, &task, budget, &StopFlag::new());
        let once = run();
        assert!(once.inconsistencies.is_empty(), "{:?}", once.inconsistencies);
        g.throughput(Throughput::Elements(once.spent.runs));
        g.bench_function(name, |b| b.iter(run));
    }
    g.finish();
}

criterion_group!(benches, function);
criterion_main!(benches);
