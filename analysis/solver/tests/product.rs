//! Lemmas about products hold whatever the model: exhaustively at small widths, and equations that follow are found.

use verify_solver::eval::{Value, eval};
use verify_solver::product::{facts, ring};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Pool, Solver, Sort, Term};

fn value(pool: &Pool, t: Term, at: &[(Term, u128)]) -> Bv {
    let of = |v: Term| {
        let n = at.iter().find(|(s, _)| *s == v).map_or(0, |(_, n)| *n);
        Value::Bv(Bv::new(pool.width(v), n))
    };
    eval(pool, &[t], of)[0].bv().clone()
}

#[test]
fn facts_hold_for_all_products() {
    let w = 4;
    let n = 1 << w;
    let mut p = Pool::new();
    let [a, b, x] = ["a", "b", "x"].map(|s| p.fresh(s, Sort::Bv(w)));
    let mut all = std::collections::BTreeSet::new();
    for (i, j, k) in (0..n).flat_map(|i| (0..n).flat_map(move |j| (0..n).map(move |k| (i, j, k)))) {
        let [u, v, y] = [i, j, k].map(|c| Bv::new(w, c));
        let fact = facts::violated(&mut p, (x, &y), (a, &u), (b, &v));
        assert!(fact.is_none() || k != i * j % n, "{i} * {j} is {k}");
        if let Some(f) = fact {
            assert!(value(&p, f, &[(a, i), (b, j), (x, k)]).is_zero(), "{i} * {j} = {k} is as the fact wants it");
            all.insert(f);
        }
    }
    for f in all {
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let at = [(a, i), (b, j), (x, i * j % n)];
            assert!(value(&p, f, &at).is_one(), "{:?} at {i} * {j}", p.node(f));
        }
    }
}

/// A pseudo-random sequence.
struct Rng(u64);
impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn term(p: &mut Pool, r: &mut Rng, vars: &[Term], depth: u32) -> Term {
    let w = p.width(vars[0]);
    if depth == 0 {
        let c = u128::from(r.below(1 << w));
        return if r.below(4) == 0 { p.num(w, c) } else { vars[r.below(vars.len() as u64) as usize] };
    }
    let a = term(p, r, vars, depth - 1);
    let b = term(p, r, vars, depth - 1);
    match r.below(9) {
        0 | 1 => p.mul(a, b),
        2 | 3 => p.add(a, b),
        4 => p.sub(a, b),
        5 => p.not(a),
        6 => {
            let k = p.num(w, 1);
            p.shl(a, k)
        }
        7 => {
            let c = p.ult(vars[0], vars[1]);
            p.ite(c, a, b)
        }
        _ => {
            let low = p.extract(a, w / 2, 0);
            let other = p.extract(b, w / 2, 0);
            let sum = if r.below(2) == 0 { p.add(low, other) } else { p.mul(low, other) };
            p.sext(sum, w)
        }
    }
}

/// Every answer is checked against all values of the variables.
#[test]
fn what_equations_say_is_so() {
    let w = 4;
    let (mut yes, mut no) = (0, 0);
    for seed in 0..600 {
        let mut r = Rng(seed);
        let mut p = Pool::new();
        let vars = ["x", "y", "z"].map(|s| p.fresh(s, Sort::Bv(w)));
        let model: Vec<(Term, u128)> = vars.iter().map(|v| (*v, u128::from(r.below(1 << w)))).collect();
        // Equations that hold in the model, and one of which nothing is known: a combination of them, or any.
        let mut sides = Vec::new();
        for _ in 0..3 {
            let t = term(&mut p, &mut r, &vars, 2);
            let c = value(&p, t, &model);
            let c = p.constant(c);
            sides.push((t, c));
        }
        let equations: Vec<Term> = sides.iter().map(|(t, c)| p.eq(*t, *c)).collect();
        let goal = if r.below(3) > 0 {
            let (f, g) = (term(&mut p, &mut r, &vars, 1), term(&mut p, &mut r, &vars, 1));
            let (l, m) = (p.mul(f, sides[0].0), p.mul(g, sides[1].0));
            let (n, o) = (p.mul(f, sides[0].1), p.mul(g, sides[1].1));
            let (left, right) = (p.add(l, m), p.add(n, o));
            let off = p.num(w, u128::from(r.below(2)));
            let right = p.add(right, off);
            p.eq(left, right)
        } else {
            let (f, g) = (term(&mut p, &mut r, &vars, 2), term(&mut p, &mut r, &vars, 2));
            p.eq(f, g)
        };
        let mut truth = |pool: &Pool, t: Term| value(pool, t, &model).is_one();
        let Some((holds, literals)) = ring::explain(&mut p, goal, &equations, &mut truth, &mut 100_000) else {
            continue;
        };
        *if holds { &mut yes } else { &mut no } += 1;
        for n in 0..1u128 << (3 * w) {
            let at: Vec<(Term, u128)> =
                vars.iter().enumerate().map(|(i, v)| (*v, n >> (4 * i) & ((1 << w) - 1))).collect();
            if literals.iter().all(|(t, is)| value(&p, *t, &at).is_one() == *is) {
                assert_eq!(value(&p, goal, &at).is_one(), holds, "seed {seed} at {at:?}");
            }
        }
    }
    assert!(yes > 100 && no > 20, "{yes} that hold, {no} that do not");
}

/// Is it so at 64 bits, without conflicts to speak of?
fn follows(build: impl Fn(&mut Pool, &[Term; 4]) -> (Vec<Term>, Term)) {
    let mut p = Pool::new();
    let vars = ["x", "y", "z", "n"].map(|s| p.fresh(s, Sort::Bv(64)));
    let (given, goal) = build(&mut p, &vars);
    let mut s = Solver::<Cadical>::default();
    for g in given {
        s.assert(&p, g);
    }
    let fails = p.not(goal);
    assert_eq!(s.check(&mut p, &[fails], Some(500)), Outcome::Unsat(vec![fails]));
}

#[test]
fn squares_go_on() {
    // s = (n + 1)^2 and z = 2 n + 1 go on with n + 1, z + 2, s + z + 2.
    follows(|p, &[s, _, z, n]| {
        let (one, two) = (p.num(64, 1), p.num(64, 2));
        let up = p.add(n, one);
        let square = p.mul(up, up);
        let twice = p.mul(n, two);
        let odd = p.add(twice, one);
        let given = vec![p.eq(s, square), p.eq(z, odd)];
        let z2 = p.add(z, two);
        let s2 = p.add(s, z2);
        let up2 = p.add(up, one);
        let square2 = p.mul(up2, up2);
        (given, p.eq(s2, square2))
    });
}

#[test]
fn triangular_numbers_go_on() {
    // 2 x = y^2 + y: the coefficient is even.
    follows(|p, &[x, y, ..]| {
        let (one, two) = (p.num(64, 1), p.num(64, 2));
        let law = |p: &mut Pool, x: Term, y: Term| {
            let (square, twice) = (p.mul(y, y), p.mul(x, two));
            let sum = p.add(square, y);
            p.eq(twice, sum)
        };
        let given = law(p, x, y);
        let up = p.add(y, one);
        let sum = p.add(x, up);
        (vec![given], law(p, sum, up))
    });
}

#[test]
fn distributivity_with_a_choice() {
    follows(|p, &[x, y, z, n]| {
        let c = p.ult(x, y);
        let chosen = p.ite(c, y, z);
        let sum = p.add(chosen, n);
        let left = p.mul(x, sum);
        let (a, b, d) = (p.mul(x, y), p.mul(x, z), p.mul(x, n));
        let right = p.ite(c, a, b);
        let right = p.add(right, d);
        (vec![], p.eq(left, right))
    });
}

#[test]
fn bounded_factors_have_bounded_products() {
    follows(|p, &[x, y, ..]| {
        let (a, b) = (p.num(64, 1 << 20), p.num(64, 1 << 30));
        let given = vec![p.ult(x, a), p.ult(y, b)];
        let product = p.mul(x, y);
        let limit = p.num(64, 1 << 50);
        (given, p.ult(product, limit))
    });
}

/// A product as a sum of rows: what the solver makes of it is no matter of this module.
fn rows(p: &mut Pool, a: Term, b: Term) -> Term {
    let w = p.width(a);
    let zero = p.num(w, 0);
    (0..w).fold(zero, |sum, i| {
        let (bit, by) = (p.extract(b, i, i), p.num(w, u128::from(i)));
        let row = p.shl(a, by);
        let row = p.ite(bit, row, zero);
        p.add(sum, row)
    })
}

/// The same sum of products twice: with products, and with rows in their place.
fn pair(p: &mut Pool, r: &mut Rng, vars: &[Term], depth: u32) -> (Term, Term) {
    let w = p.width(vars[0]);
    if depth == 0 {
        let v = vars[r.below(vars.len() as u64) as usize];
        let c = p.num(w, u128::from(r.below(5)));
        return if r.below(5) == 0 { (c, c) } else { (v, v) };
    }
    let ((a, x), (b, y)) = (pair(p, r, vars, depth - 1), pair(p, r, vars, depth - 1));
    match r.below(5) {
        0 | 1 => (p.mul(a, b), rows(p, x, y)),
        2 => (p.add(a, b), p.add(x, y)),
        3 => (p.sub(a, b), p.sub(x, y)),
        _ => {
            let c = p.slt(vars[0], vars[1]);
            (p.ite(c, a, b), p.ite(c, x, y))
        }
    }
}

#[test]
fn products_are_what_their_rows_are() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..500 {
        let mut r = Rng(seed);
        let mut p = Pool::new();
        let vars = ["x", "y", "z"].map(|s| p.fresh(s, Sort::Bv(12)));
        let (mut free, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            let ((a, x), (b, y)) = (pair(&mut p, &mut r, &vars, 2), pair(&mut p, &mut r, &vars, 1));
            let (f, g) = match r.below(4) {
                0 | 1 => (p.eq(a, b), p.eq(x, y)),
                2 => (p.ult(a, b), p.ult(x, y)),
                _ => (p.slt(a, b), p.slt(x, y)),
            };
            let no = r.below(3) == 0;
            free.push(if no { p.not(f) } else { f });
            plain.push(if no { p.not(g) } else { g });
        }
        let mut refined = Solver::<Cadical>::default();
        let outcome = refined.check(&mut p, &free, None);
        let expected = Solver::<Cadical>::default().check(&mut p, &plain, None);
        match outcome {
            Outcome::Sat => {
                assert!(matches!(expected, Outcome::Sat), "seed {seed}");
                let of = |v: &Term| refined.value(&p, *v).to_u128().unwrap_or(0);
                let values: Vec<(Term, u128)> = vars.into_iter().zip(vars.iter().map(of).collect::<Vec<_>>()).collect();
                assert!(plain.iter().all(|t| value(&p, *t, &values).is_one()), "seed {seed}: {values:?}");
                sat += 1;
            }
            Outcome::Unsat(core) => {
                assert!(matches!(expected, Outcome::Unsat(_)), "seed {seed}");
                assert!(core.iter().all(|t| free.contains(t)), "seed {seed}");
                unsat += 1;
            }
            Outcome::Unknown => panic!("seed {seed}: no budget was given"),
        }
    }
    assert!(sat > 20 && unsat > 20, "{sat} with a model, {unsat} without");
}
