//! The reference against the processor and the C library, in the rounding modes that C can set.

use crate::{Rng, count};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use verify_solver::float::exact::{self, Number};
use verify_solver::float::{FloatOp, Format, x87};
use verify_solver::{Bv, Pool};

const MODES: [u8; 4] = [0, 2, 3, 4];

/// Operation, rounding mode, types, operands.
struct Record {
    op: u8,
    mode: u8,
    from: u8,
    to: u8,
    operands: Vec<Bv>,
}

fn format(t: u8) -> Option<Format> {
    Some(match t {
        b'f' => Format::SINGLE,
        b'd' => Format::DOUBLE,
        b'x' => Format::EXTENDED,
        _ => return None,
    })
}

fn bytes(t: u8, v: &Bv) -> [u8; 16] {
    let mut p = Pool::new();
    let v = if t == b'x' {
        let x = p.constant(v.clone());
        let x = x87::to_bits(&mut p, x);
        p.as_const(x).cloned().unwrap()
    } else {
        v.clone()
    };
    v.to_u128().unwrap().to_le_bytes()
}

fn value(t: u8, b: [u8; 16]) -> Bv {
    let all = u128::from_le_bytes(b);
    match t {
        b'x' => {
            let mut p = Pool::new();
            let x = p.num(x87::WIDTH, all);
            let x = x87::from_bits(&mut p, x);
            p.as_const(x).cloned().unwrap()
        }
        b'f' | b'j' | b'v' => Bv::new(32, all),
        _ => Bv::new(64, all),
    }
}

/// What the reference says.
fn ours(r: &Record) -> Option<Bv> {
    let mode = Bv::new(3, u128::from(r.mode));
    let a = &r.operands;
    let (op, f) = match (r.op, format(r.from), format(r.to)) {
        (b'+' | b'-', Some(f), _) => (FloatOp::Add, f),
        (b'*', Some(f), _) => (FloatOp::Mul, f),
        (b'/', Some(f), _) => (FloatOp::Div, f),
        (b'%', Some(f), _) => (FloatOp::Rem, f),
        (b'r', Some(f), _) => (FloatOp::Remainder, f),
        (b'f', Some(f), _) => (FloatOp::Fma, f),
        (b's', Some(f), _) => (FloatOp::Sqrt, f),
        (b'n', Some(f), _) => (FloatOp::Integral, f),
        (b'c', Some(from), Some(f)) => (FloatOp::Convert { from }, f),
        (b'c', None, Some(f)) => {
            let signed = matches!(r.from, b'i' | b'j');
            (if signed { FloatOp::FromSigned } else { FloatOp::FromUnsigned }, f)
        }
        (b'c', Some(f), None) => {
            let width = if matches!(r.to, b'j' | b'v') { 32 } else { 64 };
            return exact::to_int(f, verify_solver::float::Rounding::Zero, &a[0], width, matches!(r.to, b'i' | b'j'));
        }
        _ => panic!("{}", r.op as char),
    };
    let mut args = a.clone();
    if r.op == b'-' {
        args[1] = args[1].xor(&Bv::min_signed(f.width()));
    }
    if op.rounds() {
        args.insert(0, mode);
    }
    if !matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned) {
        args.push(Bv::zero(f.width()));
    }
    exact::apply(op, f, &args.iter().collect::<Vec<_>>(), f.width())
}

/// The order of two numbers by terms, as the bits of the machine's answer.
fn compared(f: Format, a: &Bv, b: &Bv) -> u8 {
    let mut p = Pool::new();
    let (x, y) = (p.constant(a.clone()), p.constant(b.clone()));
    let o = verify_solver::float::classify::order(&mut p, f, x, y);
    [o.less, o.equal, o.greater, o.unordered]
        .iter()
        .enumerate()
        .map(|(i, t)| u8::from(p.as_const(*t).unwrap().is_one()) << i)
        .sum()
}

fn ask(program: &std::path::Path, records: &[Record]) -> Vec<[u8; 16]> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut text = Vec::with_capacity(records.len() * 52);
    for r in records {
        text.extend([r.op, r.mode, r.from, r.to]);
        for i in 0..3 {
            text.extend(r.operands.get(i).map_or([0; 16], |v| bytes(r.from, v)));
        }
    }
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&text));
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    writer.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success());
    out.chunks(16).map(|c| c.try_into().unwrap()).collect()
}

/// Builds the C program; `None` where there is no compiler or another processor.
fn build() -> Option<std::path::PathBuf> {
    if !cfg!(target_arch = "x86_64") {
        return None;
    }
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/float/machine.c");
    let flags = ["-O1", "-frounding-math", "-ffp-contract=off", "-w", "-o"];
    let built = Command::new("gcc").args(flags).arg(&out).args([source, "-lm"]).status().ok()?.success();
    assert!(built, "gcc does not compile {source}");
    Some(out)
}

/// Every operator and width.
#[test]
fn the_reference_agrees_with_the_machine() {
    let Some(program) = build() else {
        println!("there is no gcc for x86-64: not compared");
        return;
    };
    let total = count(3000);
    let mut kinds: Vec<(u8, u8, u8)> = Vec::new();
    for t in *b"fdx" {
        kinds.extend(b"+-*/%rfsn<".iter().map(|op| (*op, t, t)));
        kinds.extend(b"fdxijuv".iter().filter(|to| **to != t).map(|to| (b'c', t, *to)));
        kinds.extend(b"ijuv".iter().map(|from| (b'c', *from, t)));
    }
    for (op, from, to) in kinds {
        let mut done = 0;
        while done < total {
            let n = (total - done).min(100_000);
            one_batch(&program, op, from, to, n, done);
            done += n;
        }
    }
}

fn one_batch(program: &std::path::Path, op: u8, from: u8, to: u8, n: u64, seed: u64) {
    let mut rng = Rng(seed ^ u64::from(op) << 32 ^ u64::from(from) << 40 ^ u64::from(to) << 48);
    let records: Vec<Record> = (0..n)
        .map(|_| {
            let mode = MODES[rng.below(4) as usize];
            let operands = match format(from) {
                Some(f) => {
                    let a = rng.number(f, None);
                    let b = rng.number(f, Some(&a));
                    let c = rng.number(f, Some(&b));
                    let n = match op {
                        b's' | b'n' | b'c' => 1,
                        b'f' => 3,
                        _ => 2,
                    };
                    [a, b, c][..n].to_vec()
                }
                None => {
                    let w = if matches!(from, b'j' | b'v') { 32 } else { 64 };
                    let shift = rng.below(64);
                    let v = match rng.below(3) {
                        0 => (1u64 << shift).wrapping_sub(rng.below(3)),
                        _ => rng.next() >> shift,
                    };
                    let v = if rng.below(2) == 0 { v } else { v.wrapping_neg() };
                    vec![Bv::new(w, u128::from(v))]
                }
            };
            Record { op, mode, from, to, operands }
        })
        .collect();
    let theirs = ask(program, &records);
    assert_eq!(theirs.len(), records.len());
    for (r, b) in records.iter().zip(theirs) {
        let what = || format!("{} {} to {}, mode {}, {:?}", op as char, from as char, to as char, r.mode, r.operands);
        if op == b'<' {
            let f = format(from).unwrap();
            assert_eq!(compared(f, &r.operands[0], &r.operands[1]), b[0], "{}", what());
            continue;
        }
        // What does not fit an integer is undefined in C.
        let Some(x) = ours(r) else { continue };
        let y = value(to, b);
        let same = x == y
            || format(to).is_some_and(|f| exact::decode(f, &x) == Number::Nan && exact::decode(f, &y) == Number::Nan);
        assert!(same, "{}: {x:?}, the machine has {y:?}", what());
    }
}
