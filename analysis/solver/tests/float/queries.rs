//! Queries with floating point: answers against z3's, which reads them in the theory of floating point, models against
//! evaluation; and what is not to be paid for.

use crate::{Rng, count};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use verify_solver::eval::{Value, eval};
use verify_solver::float::{FloatOp, Format, Rounding, classify};
use verify_solver::sat::cadical::Cadical;
use verify_solver::term::Node;
use verify_solver::{Op, Outcome, Pool, Solver, Sort, Term, smtlib};

struct Gen {
    rng: Rng,
    pool: Pool,
    symbols: BTreeMap<(u32, u64), Term>,
}

// With fewer digits z3 fails to round to integral numbers.
const FORMATS: [Format; 4] = [
    Format { exponent: 3, significand: 6 },
    Format { exponent: 2, significand: 6 },
    Format { exponent: 2, significand: 7 },
    Format { exponent: 3, significand: 7 },
];

impl Gen {
    fn new(seed: u64) -> Gen {
        Gen { rng: Rng(seed), pool: Pool::new(), symbols: BTreeMap::new() }
    }
    fn symbol(&mut self, w: u32) -> Term {
        let n = self.rng.below(2);
        let pool = &mut self.pool;
        *self.symbols.entry((w, n)).or_insert_with(|| pool.fresh("x", Sort::Bv(w)))
    }
    fn number(&mut self, f: Format, depth: u32) -> Term {
        if depth == 0 || self.rng.below(7) == 0 {
            if self.rng.below(3) == 0 {
                let v = self.rng.number(f, None);
                return self.pool.constant(v);
            }
            return self.symbol(f.width());
        }
        let mode = if self.rng.below(4) == 0 {
            self.symbol(3)
        } else {
            Rounding::ALL[self.rng.below(5) as usize].term(&mut self.pool)
        };
        // One NaN only, as z3 has it.
        let nan = self.pool.num(f.width(), 0);
        let d = depth - 1;
        let op = [
            FloatOp::Add,
            FloatOp::Add,
            FloatOp::Mul,
            FloatOp::Div,
            FloatOp::Fma,
            FloatOp::Sqrt,
            FloatOp::Integral,
            FloatOp::Rem,
            FloatOp::Remainder,
            FloatOp::Convert { from: f },
            FloatOp::FromSigned,
            FloatOp::FromUnsigned,
        ][self.rng.below(12) as usize];
        let args = match op {
            FloatOp::Fma => vec![mode, self.number(f, d), self.number(f, d), self.number(f, d), nan],
            FloatOp::Sqrt | FloatOp::Integral => vec![mode, self.number(f, d), nan],
            FloatOp::Convert { .. } => {
                let from = FORMATS[self.rng.below(4) as usize];
                let a = self.number(from, d);
                return self.pool.float(FloatOp::Convert { from }, f, &[mode, a, nan], 0);
            }
            FloatOp::FromSigned | FloatOp::FromUnsigned => vec![mode, self.integer(5, d)],
            _ if op.rounds() => vec![mode, self.number(f, d), self.number(f, d), nan],
            _ => vec![self.number(f, d), self.number(f, d), nan],
        };
        self.pool.float(op, f, &args, 0)
    }
    fn integer(&mut self, w: u32, depth: u32) -> Term {
        if depth == 0 || self.rng.below(3) == 0 {
            return self.symbol(w);
        }
        let f = FORMATS[self.rng.below(4) as usize];
        let mode = Rounding::ALL[self.rng.below(5) as usize].term(&mut self.pool);
        let other = self.symbol(w);
        let a = self.number(f, depth - 1);
        let op = if self.rng.below(2) == 0 { FloatOp::ToSigned } else { FloatOp::ToUnsigned };
        self.pool.float(op, f, &[mode, a, other], w)
    }
    fn question(&mut self) -> Term {
        let f = FORMATS[self.rng.below(4) as usize];
        let (a, b) = (self.number(f, 3), self.number(f, 2));
        let o = classify::order(&mut self.pool, f, a, b);
        let first = match self.rng.below(4) {
            0 => o.less,
            1 => o.equal,
            2 => o.unordered,
            _ => o.greater,
        };
        let (i, j) = (self.integer(4, 3), self.integer(4, 1));
        let second = if self.rng.below(2) == 0 { self.pool.eq(i, j) } else { self.pool.ult(i, j) };
        self.pool.and(first, second)
    }
}

fn z3(queries: &[String]) -> Option<Vec<String>> {
    let mut child =
        Command::new("z3").args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let text: String = queries.iter().map(|q| format!("{q}(reset)\n")).collect();
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().ok()?;
    let written = writer.join().ok()?;
    let out = String::from_utf8_lossy(&out.stdout);
    assert!(written.is_ok(), "z3 gave up: {}", out.lines().last().unwrap_or_default());
    // It knows the theories, not this name of their combination.
    Some(out.lines().filter(|l| !l.starts_with(';') && *l != "unsupported").map(str::to_string).collect())
}

#[test]
fn queries_agree_with_z3_and_models_with_evaluation() {
    let (mut queries, mut ours) = (vec![], vec![]);
    for seed in 0..(count(2_000) / 50).min(1000) {
        let mut g = Gen::new(seed ^ 0xF10A7);
        let q = g.question();
        queries.push(smtlib::query(&g.pool, &[q]));
        let mut s: Solver<Cadical> = Solver::default();
        let out = s.check(&mut g.pool, &[q], None);
        if out == Outcome::Sat {
            let mut values = BTreeMap::new();
            for t in g.pool.cone(&[q]) {
                if matches!(g.pool.node(t), Node::Var(_)) {
                    values.insert(t, s.value(&g.pool, t));
                }
            }
            let v = eval(&g.pool, &[q], |t| Value::Bv(values[&t].clone()));
            assert!(v[0].bv().is_one(), "seed {seed}: the model is none");
            assert!(s.value(&g.pool, q).is_one(), "seed {seed}");
        }
        let answer = if out == Outcome::Sat { "sat" } else { "unsat" };
        // The text, read again by ourselves.
        let mut again = Vec::new();
        let text = &queries[queries.len() - 1];
        verify_solver::script::run(text, None, |l| again.push(l.to_string())).expect(text);
        assert_eq!(again, [answer], "seed {seed}: {text}");
        ours.push(answer);
    }
    let (sat, all) = (ours.iter().filter(|o| **o == "sat").count(), ours.len());
    assert!(sat > all / 10 && sat < all, "{sat} of {all} are satisfiable: the questions are no good");
    let Some(theirs) = z3(&queries) else {
        println!("z3 is not installed: not compared");
        return;
    };
    assert_eq!(theirs.len(), ours.len(), "z3 answered {:?}", theirs.iter().find(|l| l.starts_with("(error")));
    // Some models of its own it does not accept.
    let open = theirs.iter().filter(|t| *t == "unknown").count();
    let shortest = (0..all).filter(|i| theirs[*i] == "unknown").min_by_key(|i| queries[*i].len());
    let shortest = shortest.map_or("", |i| &queries[i]);
    assert!(open <= all / 20, "z3 does not know {open} of {all}:\n{shortest}");
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate().filter(|q| q.1.1 != "unknown") {
        assert_eq!(a, b, "query {i}:\n{}", queries[i]);
    }
}

struct Two {
    p: Pool,
    x: Term,
    y: Term,
    mode: Term,
    nan: Term,
}

const D: Format = Format::DOUBLE;

fn two() -> Two {
    let mut p = Pool::new();
    let (x, y) = (p.fresh("x", Sort::Bv(64)), p.fresh("y", Sort::Bv(64)));
    let (mode, nan) = (Rounding::NearestEven.term(&mut p), p.fresh("nan", Sort::Bv(64)));
    Two { p, x, y, mode, nan }
}

#[test]
fn what_does_not_matter_costs_nothing() {
    let Two { mut p, x, y, mode, nan } = two();
    let product = p.float(FloatOp::Mul, D, &[mode, x, y, nan], 0);
    let c = p.fresh("c", Sort::Bv(1));
    // Whatever the product is, c decides.
    let low = p.extract(product, 0, 0);
    let q = p.or(low, c);
    let mut s: Solver<Cadical> = Solver::default();
    assert_eq!(s.check(&mut p, &[q], Some(100)), Outcome::Sat);
    assert_eq!(s.statistics().refined, 0);
}

#[test]
fn bounds_prove_without_circuits() {
    let Two { mut p, x, y, mode, nan } = two();
    let zero = p.num(64, 0);
    // x >= 0 and y >= 0, yet x * y < 0; x < y, yet y - x <= 0.
    let product = p.float(FloatOp::Mul, D, &[mode, x, y, nan], 0);
    let minus = classify::negate(&mut p, D, x);
    let difference = p.float(FloatOp::Add, D, &[mode, y, minus, nan], 0);
    let (nx, ny) = (classify::at_most(&mut p, D, zero, x), classify::at_most(&mut p, D, zero, y));
    let bad = classify::order(&mut p, D, product, zero).less;
    let mut s: Solver<Cadical> = Solver::default();
    assert!(matches!(s.check(&mut p, &[nx, ny, bad], Some(1000)), Outcome::Unsat(_)));
    let less = classify::order(&mut p, D, x, y).less;
    let bad = classify::at_most(&mut p, D, difference, zero);
    assert!(matches!(s.check(&mut p, &[less, bad], Some(1000)), Outcome::Unsat(_)));
    assert_eq!(s.statistics().refined, 2);
}

#[test]
fn circuits_decide_doubles() {
    let Two { mut p, x, y, mode, nan } = two();
    let number = |p: &mut Pool, v: f64| p.num(64, u128::from(v.to_bits()));
    let mut s: Solver<Cadical> = Solver::default();
    // 0.1 + y = 0.3 has a solution, and it is right.
    let (a, b) = (number(&mut p, 0.1), number(&mut p, 0.3));
    let sum = p.float(FloatOp::Add, D, &[mode, a, y, nan], 0);
    let e = p.eq(sum, b);
    assert_eq!(s.check(&mut p, &[e], Some(20_000)), Outcome::Sat);
    let v = f64::from_bits(s.value(&p, y).to_u64().unwrap());
    assert_eq!((0.1 + v).to_bits(), 0.3f64.to_bits());
    // Numbers in [1, 2] times 3 are at most 6.
    let (one, limit, three, six) = (number(&mut p, 1.0), number(&mut p, 2.0), number(&mut p, 3.0), number(&mut p, 6.0));
    let product = p.float(FloatOp::Mul, D, &[mode, x, three, nan], 0);
    let (low, high) = (classify::at_most(&mut p, D, one, x), classify::at_most(&mut p, D, x, limit));
    let bad = classify::order(&mut p, D, six, product).less;
    assert!(matches!(s.check(&mut p, &[low, high, bad], Some(20_000)), Outcome::Unsat(_)));
}

#[test]
fn arrays_and_numbers_together() {
    let Two { mut p, x, y, mode, nan } = two();
    let a = p.fresh("a", Sort::Array { index: 8, elem: 64 });
    // a[int(x + y)] = 1, a[2] = 0, x = 1.5, y = 0.5
    let number = |p: &mut Pool, v: f64| p.num(64, u128::from(v.to_bits()));
    let sum = p.float(FloatOp::Add, D, &[mode, x, y, nan], 0);
    let zero = p.num(8, 0);
    let i = p.float(FloatOp::ToUnsigned, D, &[mode, sum, zero], 8);
    let read = p.select(a, i);
    let two = p.num(8, 2);
    let other = p.select(a, two);
    let (half, more) = (number(&mut p, 0.5), number(&mut p, 1.5));
    let (e1, e0) = (p.num(64, 1), p.num(64, 0));
    let all = [p.eq(read, e1), p.eq(other, e0), p.eq(x, more), p.eq(y, half)];
    let mut s: Solver<Cadical> = Solver::default();
    assert!(matches!(s.check(&mut p, &all, None), Outcome::Unsat(_)));
    assert_eq!(s.check(&mut p, &all[..3], None), Outcome::Sat);
    let v = s.value(&p, y).to_u64().map(f64::from_bits).unwrap();
    assert_ne!((1.5 + v) as u8, 2, "{v}");
}

/// A division of doubles that has no circuit is decided where its operands are, and given up otherwise.
#[test]
fn what_has_no_circuit_is_given_up() {
    let Two { mut p, x, y, mode: _, nan } = two();
    let r = p.float(FloatOp::Rem, D, &[x, y, nan], 0);
    let number = |p: &mut Pool, v: f64| p.num(64, u128::from(v.to_bits()));
    let (seven, four, three) = (number(&mut p, 7.0), number(&mut p, 4.0), number(&mut p, 3.0));
    let (ex, ey, er) = (p.eq(x, seven), p.eq(y, four), p.ne(r, three));
    let mut s: Solver<Cadical> = Solver::default();
    assert!(matches!(s.check(&mut p, &[ex, ey, er], Some(1000)), Outcome::Unsat(_)));
    let e = p.eq(r, three);
    let odd = p.ne(x, three);
    let finite = classify::order(&mut p, D, x, four).greater;
    let out = s.check(&mut p, &[e, odd, finite], Some(1000));
    assert!(matches!(out, Outcome::Unknown | Outcome::Sat), "{out:?}");
    assert!(matches!(p.node(r), Node::App(Op::Float(..), _)));
}
