//! Steps per second of the interpreter: arithmetic in a loop, memory in a loop, calls.
#![allow(missing_docs)] // what criterion's macros make has none

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::sync::Arc;
use verify_interp::{Config, End, Interp, Natural, Outcome, Program};
use verify_ir::{FORMAT_VERSION, text};

fn program(items: &str) -> Program {
    let zeros = "0".repeat(64);
    let source = format!(
        "verify-ir {FORMAT_VERSION} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{zeros}\" {}",
        items.replace(" E ", " unit0 external default ")
    );
    Program::new(Arc::new(text::parse(&source).unwrap_or_else(|e| panic!("{e}"))))
}

/// Name, and a program whose `f` returns after some hundred thousand steps.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "arithmetic loop",
        "func0 \"f\" E () -> (i32) { b0: jump b1(0:i32, 7:i32)
         b1(v0: i32, v1: i32): v2: i32 = mul v1, 1664525:i32 v3: i32 = add v2, v0 v4: i32 = lshr v3, 3:i32
           v5: i32 = xor v3, v4 v6: i32 = add nsw v0, 1:i32 v7: i1 = icmp slt v6, 40000:i32 branch v7, b1(v6, v5), b2
         b2: return v5 }",
    ),
    (
        "memory loop",
        "func0 \"f\" E () -> (i32) { b0: v0: ptr = alloca 4 x 256:i64 align 16 memset v0, 0:i8, 1024:i64 jump b1(0:i32)
         b1(v1: i32): v2: i32 = and v1, 255:i32 v3: i64 = zext v2 v4: ptr = addr v0 index(v3 x 4) v5: i32 = load v4 align 4
           v6: i32 = add v5, v1 store v4, v6 align 4 v7: i32 = add nsw v1, 1:i32 v8: i1 = icmp slt v7, 40000:i32
           branch v8, b1(v7), b2
         b2: return v6 }",
    ),
    (
        "calls (fib 18)",
        "func0 \"f\" E () -> (i32) { b0: v0: i32 = call @g(i32 18:i32) return v0 }
         func1 \"g\" E (i32) -> (i32) { b0(v0: i32): v1: i1 = icmp slt v0, 2:i32 branch v1, b1, b2 b1: return v0
           b2: v2: i32 = sub nsw v0, 1:i32 v3: i32 = call @g(i32 v2) v4: i32 = sub nsw v0, 2:i32
           v5: i32 = call @g(i32 v4) v6: i32 = add nsw v3, v5 return v6 }",
    ),
];

fn steps(c: &mut Criterion) {
    let config = Config::default();
    let mut g = c.benchmark_group("interp");
    for (name, items) in PROGRAMS {
        let program = program(items);
        let f = program.module().function_named("f").expect("f");
        let run = || -> Outcome { Interp::new(&program, &config).run_function(f, &mut Natural, None) };
        let once = run();
        assert!(matches!(once.end, End::Returned(_)), "{name}: {:?}", once.end);
        g.throughput(Throughput::Elements(once.steps));
        g.bench_function(*name, |b| b.iter(run));
    }
    g.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
