//! Speed of the store: entries of the size of a unit (64 KiB), written for the first time, written again, read.
#![allow(missing_docs)] // what criterion's macros make has none

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use verify_cache::{Kind, Store, hash};

fn store(c: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(dir.path()).expect("a store");
    let mut bytes: Vec<u8> = (0..64 << 10).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let mut g = c.benchmark_group("cache");
    g.throughput(Throughput::Bytes(bytes.len() as u64));
    let mut n = 0u64;
    g.bench_function("put, new", |b| {
        b.iter(|| {
            n += 1;
            bytes[..8].copy_from_slice(&n.to_le_bytes());
            store.put(Kind::UNIT, &bytes).expect("written")
        });
    });
    let name = store.put(Kind::UNIT, &bytes).expect("written");
    g.bench_function("put, there already", |b| b.iter(|| store.put(Kind::UNIT, black_box(&bytes)).expect("written")));
    g.bench_function("get", |b| b.iter(|| store.get(Kind::UNIT, black_box(&name)).expect("there")));
    let key = hash(b"key");
    store.put_keyed(Kind::UNIT, &key, &bytes).expect("written");
    g.bench_function("get_keyed", |b| b.iter(|| store.get_keyed(Kind::UNIT, black_box(&key)).expect("there")));
    g.finish();
}

criterion_group!(benches, store);
criterion_main!(benches);
