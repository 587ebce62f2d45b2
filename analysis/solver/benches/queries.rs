//! Whole queries, from terms to the answer: rewriting, bit-blasting, clauses, search.
#![allow(missing_docs)] // what criterion's macros make has none

use criterion::{Criterion, criterion_group, criterion_main};
use verify_solver::bitblast::Blaster;
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Outcome, Pool, Solver, Sort, Term};

fn solve(pool: &mut Pool, truth: Term) -> Outcome {
    let mut solver = Solver::<Cadical>::default();
    solver.assert(pool, truth);
    solver.check(pool, &[], None)
}

/// `x * y` by the multiplier against the sum of shifted rows: must be equal.
fn multiplier(width: u32) -> (Pool, Term) {
    let mut p = Pool::new();
    let (x, y) = (p.fresh("x", Sort::Bv(width)), p.fresh("y", Sort::Bv(width)));
    let product = p.mul(x, y);
    let mut sum = p.num(width, 0);
    for i in (0..width).rev() {
        let amount = p.num(width, i.into());
        let row = p.shl(x, amount);
        let bit = p.extract(y, i, i);
        let zero = p.num(width, 0);
        let row = p.ite(bit, row, zero);
        sum = p.add(sum, row);
    }
    let differ = p.ne(product, sum);
    (p, differ)
}

/// `n` writes at unknown places; a read at a place different from all of them sees what was there before.
fn array_chain(n: u32) -> (Pool, Term) {
    let mut p = Pool::new();
    let before = p.fresh("a", Sort::Array { index: 32, elem: 8 });
    let place = p.fresh("i", Sort::Bv(32));
    let (mut after, mut apart) = (before, p.tt());
    for k in 0..n {
        let (at, value) = (p.fresh(&format!("j{k}"), Sort::Bv(32)), p.fresh(&format!("v{k}"), Sort::Bv(8)));
        after = p.store(after, at, value);
        let ne = p.ne(at, place);
        apart = p.and(apart, ne);
    }
    let (old, new) = (p.select(before, place), p.select(after, place));
    let differ = p.ne(old, new);
    let query = p.and(apart, differ);
    (p, query)
}

fn queries(c: &mut Criterion) {
    let mut g = c.benchmark_group("solver");
    g.sample_size(10);
    for width in [6, 7] {
        g.bench_function(format!("multiplier equivalence, {width} bits"), |b| {
            b.iter(|| {
                let (mut p, differ) = multiplier(width);
                assert!(matches!(solve(&mut p, differ), Outcome::Unsat(_)));
            });
        });
    }
    for n in [8, 32] {
        g.bench_function(format!("array chain of {n} writes"), |b| {
            b.iter(|| {
                let (mut p, query) = array_chain(n);
                assert!(matches!(solve(&mut p, query), Outcome::Unsat(_)));
            });
        });
    }
    g.bench_function("bit-blast 64 multiplications of 32 bits", |b| {
        b.iter(|| {
            let mut p = Pool::new();
            let xs: Vec<Term> = (0..64).map(|i| p.fresh(&format!("x{i}"), Sort::Bv(32))).collect();
            let mut blaster = Blaster::default();
            for w in xs.windows(2) {
                let product = p.mul(w[0], w[1]);
                blaster.blast(&p, product);
            }
            blaster.aig.len()
        });
    });
    g.finish();
}

criterion_group!(benches, queries);
criterion_main!(benches);
