//! Random terms against the reference semantics and against z3. Each term is built twice, as it stands and through the
//! simplifying constructors; both must evaluate alike on random inputs, the bits must agree with the value, and z3 must
//! find no input on which the two terms differ. `VERIFY_TERMS` sets the number of terms.

use std::io::Write;
use std::process::{Command, Stdio};
use verify_solver::eval::{Value, eval};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Op, Outcome, Pool, Solver, Sort, Term, smtlib};

/// SplitMix64 (Steele, Lea, Flood 2014): small and reproducible.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn bv(&mut self, width: u32) -> Bv {
        match self.below(5) {
            0 => Bv::zero(width),
            1 => Bv::ones(width),
            2 => Bv::new(width, u128::from(self.below(u64::from(width) + 2))),
            3 => Bv::min_signed(width),
            _ => Bv::new(width, u128::from(self.next()) << 64 | u128::from(self.next())),
        }
    }
}

/// Terms as they stand and simplified, side by side.
struct Gen {
    rng: Rng,
    pool: Pool,
    arrays: bool,
}

type Pair = (Term, Term);

impl Gen {
    fn raw(&mut self, op: Op, args: &[Pair], sort: Sort) -> Pair {
        let raws: Vec<Term> = args.iter().map(|p| p.0).collect();
        let simples: Vec<Term> = args.iter().map(|p| p.1).collect();
        let width = match sort {
            Sort::Bv(w) => w,
            Sort::Array { index, .. } => index,
        };
        (self.pool.app_raw(op, &raws, sort), self.pool.app(op, &simples, width))
    }

    fn array(&mut self, index: u32, elem: u32, depth: u32) -> Pair {
        let sort = Sort::Array { index, elem };
        match self.rng.below(if depth == 0 { 1 } else { 4 }) {
            1 | 2 => {
                let args =
                    [self.array(index, elem, depth - 1), self.term(index, depth - 1), self.term(elem, depth - 1)];
                self.raw(Op::Store, &args, sort)
            }
            3 => {
                let args =
                    [self.term(1, depth - 1), self.array(index, elem, depth - 1), self.array(index, elem, depth - 1)];
                self.raw(Op::Ite, &args, sort)
            }
            _ => {
                let t = self.pool.fresh("a", sort);
                (t, t)
            }
        }
    }

    fn term(&mut self, w: u32, depth: u32) -> Pair {
        let sort = Sort::Bv(w);
        if depth == 0 || self.rng.below(8) == 0 {
            let t = if self.rng.below(3) == 0 {
                let v = self.rng.bv(w);
                self.pool.constant(v)
            } else {
                // Few symbols, so that rules about equal operands fire.
                let n = self.rng.below(2);
                self.symbol(w, n)
            };
            return (t, t);
        }
        let d = depth - 1;
        const BINARY: &[Op] = &[
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Add,
            Op::Mul,
            Op::UDiv,
            Op::URem,
            Op::SDiv,
            Op::SRem,
            Op::Shl,
            Op::LShr,
            Op::AShr,
        ];
        match self.rng.below(11) {
            0 => {
                let a = [self.term(w, d)];
                self.raw(Op::Not, &a, sort)
            }
            1 => {
                let a = [self.term(w, d)];
                self.raw(Op::Neg, &a, sort)
            }
            2 if w > 1 => {
                let low = 1 + self.rng.below(u64::from(w) - 1) as u32;
                let a = [self.term(w - low, d), self.term(low, d)];
                self.raw(Op::Concat, &a, sort)
            }
            3 => {
                let (lo, above) = (self.rng.below(9) as u32, self.rng.below(9) as u32);
                let a = [self.term(w + lo + above, d)];
                self.raw(Op::Extract { hi: lo + w - 1, lo }, &a, sort)
            }
            4 if w > 1 => {
                let from = 1 + self.rng.below(u64::from(w) - 1) as u32;
                let op = if self.rng.below(2) == 0 { Op::ZExt } else { Op::SExt };
                let a = [self.term(from, d)];
                self.raw(op, &a, sort)
            }
            5 if w == 1 => {
                let u = 1 + self.rng.below(12) as u32;
                let op = [Op::Eq, Op::Ult, Op::Slt][self.rng.below(3) as usize];
                let a = [self.term(u, d), self.term(u, d)];
                self.raw(op, &a, sort)
            }
            6 => {
                let a = [self.term(1, d), self.term(w, d), self.term(w, d)];
                self.raw(Op::Ite, &a, sort)
            }
            7 if self.arrays => {
                let index = 1 + self.rng.below(3) as u32;
                let a = [self.array(index, w, d), self.term(index, d)];
                self.raw(Op::Select, &a, sort)
            }
            _ => {
                let op = BINARY[self.rng.below(BINARY.len() as u64) as usize];
                let a = [self.term(w, d), self.term(w, d)];
                self.raw(op, &a, sort)
            }
        }
    }

    fn symbol(&mut self, w: u32, n: u64) -> Term {
        // One symbol per width and number.
        let name = format!("x{w}_{n}");
        for i in 0..self.pool.len() {
            let t = Term(i as u32);
            if let verify_solver::term::Node::Var(id) = self.pool.node(t)
                && self.pool.name(*id) == name
            {
                return t;
            }
        }
        self.pool.fresh(&name, Sort::Bv(w))
    }
}

fn count(default: u64) -> u64 {
    std::env::var("VERIFY_TERMS").ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn inputs(pool: &Pool, roots: &[Term], rng: &mut Rng) -> std::collections::BTreeMap<Term, Value> {
    pool.cone(roots)
        .into_iter()
        .filter(|t| matches!(pool.node(*t), verify_solver::term::Node::Var(_)))
        .map(|t| {
            let v = match pool.sort(t) {
                Sort::Bv(w) => Value::Bv(rng.bv(w)),
                Sort::Array { index, elem } => {
                    Value::Array { map: (0..3).map(|_| (rng.bv(index), rng.bv(elem))).collect(), default: rng.bv(elem) }
                }
            };
            (t, v)
        })
        .collect()
}

#[test]
fn rewriting_and_bits_agree_with_evaluation() {
    for seed in 0..count(60) {
        let mut g = Gen { rng: Rng(seed), pool: Pool::new(), arrays: false };
        let w = 1 + g.rng.below(if seed % 8 == 0 { 64 } else { 20 }) as u32;
        let (raw, simple) = g.term(w, 4);
        let mut solver: Solver<Cadical> = Solver::default();
        for _ in 0..4 {
            let env = inputs(&g.pool, &[raw, simple], &mut g.rng);
            let values = eval(&g.pool, &[raw, simple], |t| env[&t].clone());
            assert_eq!(values[0], values[1], "seed {seed}: rewriting changed the meaning");
            let mut assumptions = vec![];
            for (t, v) in &env {
                let c = g.pool.constant(v.bv().clone());
                assumptions.push(g.pool.eq(*t, c));
            }
            assert_eq!(solver.check(&mut g.pool, &assumptions, None), Outcome::Sat);
            assert_eq!(solver.value(&g.pool, raw), *values[0].bv(), "seed {seed}: bits of the plain term");
            assert_eq!(solver.value(&g.pool, simple), *values[0].bv(), "seed {seed}: bits of the simplified term");
        }
    }
}

/// Asks z3 the queries, in one process; `None` when it is not installed.
fn z3(queries: &[String]) -> Option<Vec<String>> {
    let mut child =
        Command::new("z3").args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let text: String = queries.iter().map(|q| format!("{q}(reset)\n")).collect();
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let out = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(String::from_utf8_lossy(&out.stdout).lines().map(str::to_string).collect())
}

/// Random satisfiability queries: `w`-bit term equal to a constant, with arrays, against z3; models are evaluated.
#[test]
fn queries_agree_with_z3() {
    let mut queries = vec![];
    let mut ours = vec![];
    for seed in 0..count(400) {
        let mut g = Gen { rng: Rng(seed ^ 0xABCD_EF01), pool: Pool::new(), arrays: true };
        // Multiplication and division of symbols make equations hard for every solver: keep them narrow.
        let w = 1 + g.rng.below(10) as u32;
        let (raw, simple) = g.term(w, 5);
        let v = g.rng.bv(w);
        let c = g.pool.constant(v);
        let plain = g.pool.app_raw(Op::Eq, &[raw, c], Sort::Bv(1));
        let goal = g.pool.eq(simple, c);
        queries.push(smtlib::query(&g.pool, &[plain]));
        let mut solver: Solver<Cadical> = Solver::default();
        let out = solver.check(&mut g.pool, &[goal], None);
        ours.push(if out == Outcome::Sat { "sat" } else { "unsat" });
    }
    let Some(theirs) = z3(&queries) else {
        println!("z3 is not installed: not compared");
        return;
    };
    assert_eq!(theirs.len(), ours.len(), "z3 answered {:?}", theirs.iter().find(|l| l.starts_with("(error")));
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(a, b, "query {i}:\n{}", queries[i]);
    }
}

/// Elements moved about within an array, as sorting and shifting do: what is written was read at another index of the
/// same array, or of one before it, and few indices are asked about over and over.
#[test]
fn moved_elements_agree_with_z3() {
    let mut queries = vec![];
    let mut ours = vec![];
    for seed in 0..count(600) {
        let mut g = Gen { rng: Rng(seed ^ 0x0E1E_3E27), pool: Pool::new(), arrays: true };
        let (iw, ew) = (2 + g.rng.below(3) as u32, 1 + g.rng.below(8) as u32);
        let bit = Sort::Bv(1);
        let mut indices: Vec<Pair> = vec![];
        for n in 0..2 {
            let x = g.symbol(iw, n);
            for step in [0, 1, (1 << iw) - 1] {
                let c = g.pool.num(iw, step);
                let sum = g.raw(Op::Add, &[(x, x), (c, c)], Sort::Bv(iw));
                indices.push(if step == 0 { (x, x) } else { sum });
            }
        }
        let sort = Sort::Array { index: iw, elem: ew };
        let first = g.pool.fresh("a", sort);
        let zero = g.pool.num(ew, 0);
        let empty = (g.pool.app_raw(Op::ConstArray, &[zero], sort), g.pool.app(Op::ConstArray, &[zero], iw));
        let mut arrays = vec![if g.rng.below(4) == 0 { empty } else { (first, first) }];
        let any = |g: &mut Gen, of: &[Pair]| of[g.rng.below(of.len() as u64) as usize];
        // The last array most often: that is what a program goes on with.
        let late = |g: &mut Gen, of: &[Pair]| if g.rng.below(3) == 0 { any(g, of) } else { of[of.len() - 1] };
        let read = |g: &mut Gen, arrays: &[Pair], indices: &[Pair]| {
            let args = [late(g, arrays), any(g, indices)];
            g.raw(Op::Select, &args, Sort::Bv(ew))
        };
        for _ in 0..2 + g.rng.below(7) {
            let next = if g.rng.below(4) == 0 {
                let c = [any(&mut g, &indices), any(&mut g, &indices)];
                let op = if g.rng.below(2) == 0 { Op::Eq } else { Op::Ult };
                let args = [g.raw(op, &c, bit), any(&mut g, &arrays), late(&mut g, &arrays)];
                g.raw(Op::Ite, &args, sort)
            } else {
                let mut v = read(&mut g, &arrays, &indices);
                if g.rng.below(5) == 0 {
                    let w = read(&mut g, &arrays, &indices);
                    v = g.raw(Op::Add, &[v, w], Sort::Bv(ew));
                } else if g.rng.below(5) == 0 {
                    let c = g.rng.bv(ew);
                    let c = g.pool.constant(c);
                    v = (c, c);
                }
                let args = [late(&mut g, &arrays), any(&mut g, &indices), v];
                g.raw(Op::Store, &args, sort)
            };
            arrays.push(next);
        }
        let (mut plain, mut goals) = (vec![], vec![]);
        for _ in 0..1 + g.rng.below(4) {
            let args = [read(&mut g, &arrays, &indices), read(&mut g, &arrays, &indices)];
            let op = if g.rng.below(2) == 0 { Op::Eq } else { Op::Ult };
            let mut fact = g.raw(op, &args, bit);
            if g.rng.below(2) == 0 {
                fact = g.raw(Op::Not, &[fact], bit);
            }
            plain.push(fact.0);
            goals.push(fact.1);
        }
        queries.push(smtlib::query(&g.pool, &plain));
        let mut solver: Solver<Cadical> = Solver::default();
        let out = solver.check(&mut g.pool, &goals, None);
        ours.push(if out == Outcome::Sat { "sat" } else { "unsat" });
    }
    let Some(theirs) = z3(&queries) else {
        println!("z3 is not installed: not compared");
        return;
    };
    assert_eq!(theirs.len(), ours.len(), "z3 answered {:?}", theirs.iter().find(|l| l.starts_with("(error")));
    for (i, (a, b)) in ours.iter().zip(&theirs).enumerate() {
        assert_eq!(a, b, "query {i}:\n{}", queries[i]);
    }
}

/// z3 finds no input on which a term and its simplification differ.
#[test]
fn simplification_is_valid_for_z3() {
    let mut queries = vec![];
    for seed in 0..count(400) {
        let mut g = Gen { rng: Rng(seed ^ 0x5555), pool: Pool::new(), arrays: false };
        let w = 1 + g.rng.below(8) as u32;
        let (raw, simple) = g.term(w, 3);
        let e = g.pool.app_raw(Op::Eq, &[raw, simple], Sort::Bv(1));
        let n = g.pool.app_raw(Op::Not, &[e], Sort::Bv(1));
        queries.push(smtlib::query(&g.pool, &[n]));
    }
    let Some(theirs) = z3(&queries) else {
        println!("z3 is not installed: not compared");
        return;
    };
    for (q, a) in queries.iter().zip(&theirs) {
        assert_eq!(a, "unsat", "{q}");
    }
}

#[test]
fn cores_name_the_assumptions_that_matter() {
    let mut p = Pool::new();
    let x = p.fresh("x", Sort::Bv(32));
    let (ten, five) = (p.num(32, 10), p.num(32, 5));
    let (lt5, gt10) = (p.ult(x, five), p.ult(ten, x));
    let y = p.fresh("y", Sort::Bv(1));
    let mut s: Solver<Cadical> = Solver::default();
    match s.check(&mut p, &[lt5, y, gt10], None) {
        Outcome::Unsat(core) => assert_eq!(core, [lt5, gt10]),
        o => panic!("{o:?}"),
    }
    assert_eq!(s.check(&mut p, &[y, gt10], None), Outcome::Sat);
    assert!(s.value(&p, x).to_u64().unwrap() > 10);
}

#[test]
fn a_conflict_budget_ends_a_hard_query() {
    let mut p = Pool::new();
    let (x, y) = (p.fresh("x", Sort::Bv(32)), p.fresh("y", Sort::Bv(32)));
    let (wx, wy) = (p.zext(x, 64), p.zext(y, 64));
    let xy = p.mul(wx, wy);
    // A product of two 32-bit primes, and factors of at least 2.
    let n = p.num(64, 2_860_486_313 * 3_267_000_013);
    let e = p.eq(xy, n);
    let one = p.num(32, 1);
    let (a, b) = (p.ult(one, x), p.ult(one, y));
    let mut s: Solver<Cadical> = Solver::default();
    assert_eq!(s.check(&mut p, &[e, a, b], Some(50)), Outcome::Unknown);
}
