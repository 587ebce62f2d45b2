//! Speed of the forms of a module and of the linker, on a made-up unit of 200 functions (some 8,000 instructions).
#![allow(missing_docs)] // what criterion's macros make has none

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::fmt::Write;
use std::hint::black_box;
use verify_ir::link::{LinkOptions, link};
use verify_ir::{FORMAT_VERSION, Module, binary, check, text};

const FUNCTIONS: usize = 200;

/// A unit named `name` whose functions call one another and end in one of the next unit.
fn unit(name: &str, next: &str) -> Module {
    let zeros = "0".repeat(64);
    let mut s = format!(
        "verify-ir {FORMAT_VERSION} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"{name}.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"<unknown>\" directory \"\" hash \"{zeros}\"
         type0 void type1 base \"int\" signed 32 type2 pointer type1 type3 function type1 (type2, type1)\n"
    );
    for i in 0..4 * FUNCTIONS {
        writeln!(s, "span{i} file0 {i} 5").expect("memory");
    }
    let outside = FUNCTIONS;
    writeln!(s, "func{outside} \"{next}0\" unit0 external default (ptr, i32) -> (i32)").expect("memory");
    for i in 0..FUNCTIONS {
        let callee = if i + 1 < FUNCTIONS { format!("{name}{}", i + 1) } else { format!("{next}0") };
        let mut body = String::new();
        for k in 0..16 {
            let (v, span) = (4 + 2 * k, (4 * i + k / 4) % (4 * FUNCTIONS));
            write!(body, "v{v}: i32 = add nsw v{}, {k}:i32 !{span} v{}: i32 = xor v{v}, v1 ", v - 1, v + 1)
                .expect("memory");
        }
        writeln!(
            s,
            "func{i} \"{name}{i}\" unit0 external default (ptr, i32) -> (i32) ctype type3 {{
               var0 \"p\" type2 param 1 var1 \"n\" type1 param 2
               b0(v0: ptr var0, v1: i32 var1): v2: ptr = addr v0 index(v1 x 4) v3: i32 = load v2 align 4
               {body} v36: i1 = icmp slt v35, 0:i32 branch v36, b1, b2
               b1: v37: i32 = call @{callee}(ptr v2, i32 v35) return v37
               b2: store v2, v35 align 4 return v3 }}"
        )
        .expect("memory");
    }
    text::parse(&s).unwrap_or_else(|e| panic!("{e}"))
}

fn forms(c: &mut Criterion) {
    let module = unit("f", "g");
    check::check(&module).unwrap_or_else(|p| panic!("{}", p[0]));
    let (printed, packed) = (text::print(&module), binary::encode(&module).expect("encodes"));
    let mut g = c.benchmark_group("ir");
    g.throughput(Throughput::Elements(FUNCTIONS as u64));
    g.bench_function("encode", |b| b.iter(|| binary::encode(black_box(&module))));
    g.bench_function("decode", |b| b.iter(|| binary::decode(black_box(&packed))));
    g.bench_function("print", |b| b.iter(|| text::print(black_box(&module))));
    g.bench_function("parse", |b| b.iter(|| text::parse(black_box(&printed))));
    g.bench_function("check", |b| b.iter(|| check::check(black_box(&module))));
    let units: Vec<Module> = (0..8).map(|i| unit(&format!("f{i}_"), &format!("f{}_", i + 1))).collect();
    g.throughput(Throughput::Elements((units.len() * FUNCTIONS) as u64));
    g.bench_function("link 8 units", |b| {
        b.iter_batched(|| units.clone(), |u| link(u, &LinkOptions::default()).expect("links"), BatchSize::LargeInput);
    });
    g.finish();
}

criterion_group!(benches, forms);
criterion_main!(benches);
