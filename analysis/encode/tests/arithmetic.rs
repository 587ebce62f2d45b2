//! Every integer instruction at many widths on random operands: what the terms say is what the interpreter computes,
//! and where it fails a check, the claim of that check holds.

use std::fmt::Write;
use std::sync::Arc;
use verify_checks::Frame;
use verify_encode::{Encoder, EventKind, Mode, Plan, Root, Rules, Seen};
use verify_interp::{Config, End, Interp, Observed, Program, Question};
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, UnOp};
use verify_ir::{Module, text};
use verify_solver::sat::cadical::Cadical;
use verify_solver::{Bv, Outcome, Solver, Term};

const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";
const WIDTHS: &[u32] = &[1, 7, 8, 16, 31, 32, 33, 64, 65, 128];

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn operand(&mut self) -> u64 {
        let r = self.next();
        match r % 6 {
            0 => (r >> 8) % 4,
            1 => ((r >> 8) % 4).wrapping_neg(),
            2 => 1 << ((r >> 8) % 64),
            3 => (1u64 << ((r >> 8) % 64)).wrapping_sub(1),
            4 => (r >> 8) % 70,
            _ => self.next(),
        }
    }
}

/// Two operands of `w` bits from four answers, the instructions under test, and the end.
fn module(w: u32, undefined: [bool; 2], tail: &str) -> Module {
    let mut body = String::new();
    let mut next = 4;
    for i in 0..4 {
        let _ = write!(body, "v{i}: i64 = call @__verify_nondet_u64(ptr null) ");
    }
    let mut names = Vec::new();
    for (k, undefined) in undefined.into_iter().enumerate() {
        let (lo, hi) = (2 * k, 2 * k + 1);
        let mut value = match w {
            64 => format!("v{lo}"),
            _ if w < 64 => {
                let _ = write!(body, "v{next}: i{w} = trunc v{lo} ");
                next += 1;
                format!("v{}", next - 1)
            }
            _ => {
                let _ = write!(
                    body,
                    "v{next}: i{w} = zext v{lo} v{}: i{w} = zext v{hi} v{}: i{w} = zext 64:i64 v{}: i{w} = shl v{}, v{} \
                     v{}: i{w} = or v{next}, v{} ",
                    next + 1,
                    next + 2,
                    next + 3,
                    next + 1,
                    next + 2,
                    next + 4,
                    next + 3
                );
                next += 5;
                format!("v{}", next - 1)
            }
        };
        if undefined {
            let _ = write!(body, "v{next}: i{w} = uninit v{}: i{w} = xor v{next}, {value} ", next + 1);
            next += 2;
            value = format!("v{}", next - 1);
        }
        names.push(value);
    }
    let tail = tail.replace("$a", &names[0]).replace("$b", &names[1]);
    let mut tail = tail.to_string();
    for k in 0..6 {
        tail = tail.replace(&format!("${k}"), &format!("v{}", next + k));
    }
    let source = format!(
        "verify-ir {} target \"x86_64-pc-linux-gnu\" 64 little
         unit0 \"a.c\" directory \"\" producer \"\" language \"\" flags \"\"
         file0 \"a.c\" directory \"\" hash \"{NO_HASH}\" span0 file0 0 0 span1 file0 1 1
         type0 void
         func0 \"main\" unit0 external default () -> (i32) {{ b0: {body} {tail} return 0:i32 }}
         func1 \"__verify_nondet_u64\" unit0 external default (ptr) -> (i64)",
        verify_ir::FORMAT_VERSION
    );
    let m = text::parse(&source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    if let Err(p) = verify_ir::check::check(&m) {
        panic!("{source}\n{}", p.iter().map(|p| format!("{p}\n")).collect::<String>());
    }
    m
}

/// Runs and asks; what differs. With `exact`, no other values are possible.
fn agree(what: &str, m: Module, answers: [u64; 4], exact: bool) -> Result<(), String> {
    let m = Arc::new(m);
    let checks = verify_checks::enumerate(&m);
    let program = Program::new(m.clone());
    let mut left = answers.to_vec();
    left.reverse();
    let mut script = |_: &Question<'_>| Ok(left.pop().unwrap_or(0));
    let config = Config { observe: 1000, ..Config::default() };
    let outcome = Interp::new(&program, &config).run_main(&[b"p".to_vec()], &[], &mut script, None);
    let mut e = Encoder::new(&m, &checks, Rules::default());
    e.observe = true;
    let plan = Plan {
        root: Root::Program(m.function_named("main").ok_or("no main")?),
        mode: Mode::Bounded,
        unwind: 1,
        domain: verify_encode::Domain::Nothing,
        depth: 1,
        recursion: 1,
        deterministic: 1,
        max_instructions: 1000,
        max_terms: 1_000_000,
    };
    let f = e.encode(&plan, &|| false).map_err(|x| format!("{x:?}"))?;
    let mut given: Vec<Term> = e.terms.axioms.clone();
    let mut next = answers.iter();
    for ev in &f.events {
        if let EventKind::Nondet(t) = ev.kind {
            let v = e.terms.pool.num(64, u128::from(*next.next().ok_or("too many choices")?));
            given.push(e.terms.pool.eq(t, v));
        }
    }
    let mut solver: Solver<Cadical> = Solver::default();
    let given = e.terms.pool.and_all(given);
    let mut ask = |e: &mut Encoder<'_>, t: Term| {
        let q = e.terms.pool.and(given, t);
        if e.terms.pool.as_const(q).is_some_and(Bv::is_zero) {
            return false;
        }
        solver.check(&mut e.terms.pool, &[q], None) == Outcome::Sat
    };
    let seen = outcome.observed.iter().filter_map(|o| match o {
        Observed::Value { loc, limbs, defined, .. } => Some((*loc, limbs, *defined)),
        _ => None,
    });
    let places: Vec<_> = f.observations.iter().filter(|o| matches!(o.seen, Seen::Value(..))).collect();
    let mut last = e.terms.pool.tt();
    for (i, (loc, limbs, defined)) in seen.enumerate() {
        let Some(o) = places.get(i) else { return Err(format!("{what}: {loc:?} is not in the formula")) };
        let Seen::Value(_, s) = o.seen else { continue };
        if o.loc != loc {
            return Err(format!("{what}: {loc:?} is {:?} in the formula", o.loc));
        }
        let w = e.terms.pool.width(s.bits);
        let v = e.terms.pool.constant(Bv::from_limbs(w, limbs));
        let number = e.terms.address(s, &[9999, i as u32]);
        let same = e.terms.pool.eq(number, v);
        let here = e.terms.pool.and(o.reached, same);
        last = o.reached;
        let undefined = ask(&mut e, s.undef);
        if !defined && !undefined {
            return Err(format!("{what} on {answers:x?}: {loc:?} is undefined, not so in the formula"));
        }
        if defined && !ask(&mut e, here) {
            return Err(format!("{what} on {answers:x?}: {loc:?} cannot be {limbs:x?}"));
        }
        let other = e.terms.pool.not(here);
        if exact && defined && !undefined && ask(&mut e, other) {
            return Err(format!("{what} on {answers:x?}: {loc:?} need not be {limbs:x?}"));
        }
    }
    match &outcome.end {
        End::Failed(x) => {
            let frames = x.stack.iter().map(|f| Frame { func: f.func, loc: f.loc });
            let check =
                checks.attribute(&m, frames, x.kind).ok_or_else(|| format!("{what}: {} is no check", x.kind))?;
            let claims: Vec<Term> = f.claims.iter().filter(|c| c.check == check).map(|c| c.fails).collect();
            let any = e.terms.pool.or_all(claims);
            if !ask(&mut e, any) {
                return Err(format!("{what} on {answers:x?}: {} cannot fail", x.kind));
            }
        }
        End::Exited(0) => {
            if !ask(&mut e, last) {
                return Err(format!("{what} on {answers:x?}: fails in the formula"));
            }
        }
        other => return Err(format!("{what}: {other:?}")),
    }
    Ok(())
}

/// The instructions on `$a` and `$b`, of `w` bits each.
fn instructions(w: u32) -> Vec<String> {
    let mut out = Vec::new();
    for op in BinOp::ALL {
        out.push(format!("$0: i{w} = {op} $a, $b"));
        if matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
            out.push(format!("$0: i{w} = {op} nsw $a, $b"));
            out.push(format!("$0: i{w} = {op} nuw $a, $b"));
        }
    }
    for op in OverflowOp::ALL {
        out.push(format!("$0: i{w}, $1: i1 = overflow {op} $a, $b"));
    }
    for p in IntPred::ALL {
        out.push(format!("$0: i1 = icmp {p} $a, $b $1: i8 = select $0, 1:i8, 2:i8"));
    }
    for op in UnOp::ALL {
        if *op != UnOp::BSwap || w.is_multiple_of(16) {
            out.push(format!("$0: i{w} = {op} $a"));
        }
    }
    for side in ["left", "right"] {
        out.push(format!("$0: i{w} = funnel {side} $a, $b, $b"));
    }
    for to in WIDTHS {
        for op in [CastOp::Trunc, CastOp::ZExt, CastOp::SExt] {
            if (op == CastOp::Trunc) == (*to < w) && *to != w {
                out.push(format!("$0: i{to} = {op} $a"));
            }
        }
    }
    out
}

fn all(operands: u32, undefined: [bool; 2]) {
    let mut rng = Rng(1);
    let mut wrong = Vec::new();
    for &w in WIDTHS {
        for i in instructions(w) {
            for _ in 0..operands {
                let answers = [rng.operand(), rng.operand(), rng.operand(), rng.operand()];
                // Large products and quotients of free bits are for the tests of the solver.
                wrong.extend(agree(&i.replace("$0", "r"), module(w, undefined, &i), answers, true).err());
            }
        }
    }
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn defined_operands() {
    all(2, [false, false]);
}

#[test]
fn undefined_operands() {
    all(1, [true, false]);
    all(1, [false, true]);
}

/// A pointer that went through arithmetic of integers is looked up by its number.
#[test]
fn numbers_made_of_pointers() {
    for op in ["add", "xor", "or", "sub"] {
        let tail = format!(
            "$0: ptr = alloca 8 x 1:i64 align 8 store $0, 7:i64 align 8 $1: i64 = ptrtoint $0 $2: i64 = {op} $1, $a \
             $3: ptr = inttoptr $2 $4: i32 = load $3 align 1"
        );
        for n in [0, 1, 4, 5, 8, 64, 4096, 1 << 40] {
            let m = module(64, [false, false], &tail);
            let r = agree(&format!("{op} {n}"), m, [n, 0, 0, 0], false);
            assert_eq!(r, Ok(()));
        }
    }
}
