//! Every integer instruction at many widths, and every floating-point instruction of every format, on random operands: what the terms say is what the interpreter computes,
//! and where it fails a check, the claim of that check holds.

use std::fmt::Write;
use std::sync::Arc;
use verify_checks::Frame;
use verify_encode::{Encoder, EventKind, Mode, Plan, Root, Rules, Seen, Suggested};
use verify_interp::{Config, End, Interp, Observed, Program, Question};
use verify_ir::inst::{BinOp, CastOp, FBinOp, FUnOp, FloatPred, IntPred, OverflowOp, UnOp};
use verify_ir::{FloatKind, Module, text};
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

/// Runs and asks; what differs. Where `exact` says so of a value, no other one is possible.
fn agree(what: &str, m: Module, answers: [u64; 4], exact: &dyn Fn(&Bv) -> bool) -> Result<(), String> {
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
        innermost: false,
        domain: verify_encode::Domain::Nothing,
        depth: 1,
        recursion: 1,
        deterministic: 1,
        max_instructions: 1000,
        suggested: Suggested::Nothing,
        library: false,
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
    let mut solver = Solver::with(Cadical::for_one_query());
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
        let bits = Bv::from_limbs(w, limbs);
        let exact = exact(&bits);
        let v = e.terms.pool.constant(bits);
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

/// Every instruction at every fifth width or, with `VERIFY_ARITHMETIC`, at all of them.
fn all(operands: u32, undefined: [bool; 2]) {
    let every = if std::env::var_os("VERIFY_ARITHMETIC").is_some() { 1 } else { 5 };
    let mut rng = Rng(1);
    let mut wrong = Vec::new();
    for (at, &w) in WIDTHS.iter().enumerate() {
        for (_, i) in instructions(w).into_iter().enumerate().filter(|(n, _)| (n + at).is_multiple_of(every)) {
            for _ in 0..operands {
                let answers = [rng.operand(), rng.operand(), rng.operand(), rng.operand()];
                // Large products and quotients of free bits are for the tests of the solver.
                wrong.extend(agree(&i.replace("$0", "r"), module(w, undefined, &i), answers, &|_| true).err());
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
            let r = agree(&format!("{op} {n}"), m, [n, 0, 0, 0], &|_| false);
            assert_eq!(r, Ok(()));
        }
    }
}

const KINDS: &[FloatKind] =
    &[FloatKind::Half, FloatKind::BFloat, FloatKind::Single, FloatKind::Double, FloatKind::X87, FloatKind::Quad];

fn name(k: FloatKind) -> &'static str {
    match k {
        FloatKind::Half => "f16",
        FloatKind::BFloat => "bf16",
        FloatKind::Single => "f32",
        FloatKind::Double => "f64",
        FloatKind::X87 => "x87",
        FloatKind::Quad => "f128",
    }
}

/// Bits of the exponent, and of what is stored below it.
fn layout(k: FloatKind) -> (u32, u32) {
    match k {
        FloatKind::Half => (5, 10),
        FloatKind::BFloat => (8, 7),
        FloatKind::Single => (8, 23),
        FloatKind::Double => (11, 52),
        FloatKind::X87 => (15, 64),
        FloatKind::Quad => (15, 112),
    }
}

/// A pattern as two answers: special, near one, any.
fn number(rng: &mut Rng, k: FloatKind) -> [u64; 2] {
    let (exponent, stored) = layout(k);
    let top = (1u128 << exponent) - 1;
    let fraction = (u128::from(rng.next()) << 64 | u128::from(rng.next())) & ((1 << stored) - 1);
    let (field, fraction) = match rng.next() % 8 {
        0 => (0, u128::from(rng.next() % 3)),
        1 => (top, 0),
        2 => (top, fraction | 1),
        3 => (0, fraction),
        4 | 5 => (top / 2 + u128::from(rng.next() % 7), fraction & !((1 << (stored - 4)) - 1)),
        6 => (top / 2 + u128::from(rng.next() % 80) - 40.min(top / 2 - 1), fraction),
        _ => (u128::from(rng.next()) & top, fraction),
    };
    let field = field.min(top);
    let mut v = field << stored | fraction | u128::from(rng.next() & 1) << (exponent + stored);
    if k == FloatKind::X87 {
        // The leading bit that goes with the exponent; other patterns are no numbers.
        let one = 1 << 63;
        v = if field > 0 { v | one } else { v & !one };
    }
    [v as u64, (v >> 64) as u64]
}

fn is_nan(k: FloatKind, v: &Bv) -> bool {
    let (exponent, stored) = layout(k);
    let fraction = stored - u32::from(k == FloatKind::X87);
    v.width() == k.bits() && v.extract(stored + exponent - 1, stored).is_ones() && !v.extract(fraction - 1, 0).is_zero()
}

/// Instructions on the numbers `$0` and `$1`, and whether all of the result is determined but a NaN's payload.
fn floating(k: FloatKind) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    let t = name(k);
    let w = k.bits();
    for op in FBinOp::ALL {
        let free = matches!(op, FBinOp::MinNum | FBinOp::MaxNum);
        if !matches!(op, FBinOp::Pow | FBinOp::Ldexp) {
            out.push((format!("$2: {t} = {op} $0, $1 $3: i{w} = bitcast $2"), !free));
        }
    }
    for p in FloatPred::ALL {
        out.push((format!("$2: i1 = fcmp {p} $0, $1 $3: i1 = fcmp {p} $0, $0"), true));
    }
    use FUnOp::{Abs, Ceil, Floor, NearbyInt, Neg, Rint, Round, RoundEven, Sqrt, Trunc};
    for op in [Abs, Ceil, Floor, NearbyInt, Neg, Rint, Round, RoundEven, Sqrt, Trunc] {
        out.push((format!("$2: {t} = {op} $0 $3: i{w} = bitcast $2"), true));
    }
    out.push((format!("$2: {t} = fma $0, $1, $0 $3: i{w} = bitcast $2"), true));
    for to in KINDS {
        let op = if to.bits() > w { "fpext" } else { "fptrunc" };
        if to.bits() != w {
            let (t, w) = (name(*to), to.bits());
            out.push((format!("$2: {t} = {op} $0 $3: i{w} = bitcast $2"), true));
        }
    }
    for to in [1, 8, 31, 32, 64, 128] {
        for op in ["fptosi", "fptoui", "fptosi.sat", "fptoui.sat"] {
            out.push((format!("$2: i{to} = {op} $0"), true));
        }
    }
    for op in ["lrint", "lround"] {
        out.push((format!("$2: i64 = {op} $0"), false));
    }
    for op in ["sitofp", "uitofp"] {
        out.push((format!("$2: {t} = {op} $a $3: i{w} = bitcast $2"), true));
    }
    out
}

#[test]
fn floating_point() {
    let mut rng = Rng(3);
    let mut wrong = Vec::new();
    for &k in KINDS {
        let t = name(k);
        for (i, exact) in floating(k) {
            for _ in 0..4 {
                let ([a, b], [c, d]) = (number(&mut rng, k), number(&mut rng, k));
                let tail = format!("$0: {t} = bitcast $a $1: {t} = bitcast $b {i}");
                let exact = |v: &Bv| exact && !KINDS.iter().any(|k| is_nan(*k, v));
                wrong.extend(agree(&i, module(k.bits(), [false, false], &tail), [a, b, c, d], &exact).err());
            }
        }
    }
    let all = wrong.len();
    wrong.truncate(40);
    assert!(wrong.is_empty(), "{all}:\n{}", wrong.join("\n"));
}
