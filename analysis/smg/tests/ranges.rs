//! Every operation on ranges of four bits against every pair of numbers in them.

use verify_ir::inst::{BinOp, CastOp, IntPred};
use verify_smg::value::{Range, binary, bounds, cast, compare, mask, refine, signed};

const W: u32 = 4;

fn ranges() -> impl Iterator<Item = Range> {
    (-8..8i64).flat_map(|lo| (lo..8).map(move |hi| Range { width: W, lo, hi }))
}

fn numbers(r: Range) -> impl Iterator<Item = u64> {
    (r.lo..=r.hi).map(|v| v as u64 & mask(W))
}

/// The result on the machine; `None`: it has none.
fn run(op: BinOp, x: u64, y: u64) -> Option<u64> {
    let (sx, sy) = (signed(W, x), signed(W, y));
    let v = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::UDiv => x.checked_div(y)?,
        BinOp::URem => x.checked_rem(y)?,
        BinOp::SDiv => sx.checked_div(sy)? as u64,
        BinOp::SRem => sx.checked_rem(sy)? as u64,
        BinOp::Shl => (y < u64::from(W)).then(|| x << y)?,
        BinOp::LShr => (y < u64::from(W)).then(|| x >> y)?,
        BinOp::AShr => (y < u64::from(W)).then(|| (sx >> y) as u64)?,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::SMin => sx.min(sy) as u64,
        BinOp::SMax => sx.max(sy) as u64,
        BinOp::UMin => x.min(y),
        BinOp::UMax => x.max(y),
        _ => return None,
    };
    Some(v & mask(W))
}

fn holds(p: IntPred, x: u64, y: u64) -> bool {
    let (sx, sy) = (signed(W, x), signed(W, y));
    match p {
        IntPred::Eq => x == y,
        IntPred::Ne => x != y,
        IntPred::Ult => x < y,
        IntPred::Ule => x <= y,
        IntPred::Ugt => x > y,
        IntPred::Uge => x >= y,
        IntPred::Slt => sx < sy,
        IntPred::Sle => sx <= sy,
        IntPred::Sgt => sx > sy,
        IntPred::Sge => sx >= sy,
    }
}

fn has(r: &Range, v: u64) -> bool {
    r.lo <= signed(r.width, v) && signed(r.width, v) <= r.hi
}

#[test]
fn results_are_in_the_range() {
    for op in BinOp::ALL {
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            let r = binary(*op, &a, &b);
            for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                if let Some(v) = run(*op, x, y) {
                    assert!(has(&r, v), "{op} of {x} and {y}: {v} is not in {r:?}");
                }
            }
        }
    }
}

#[test]
fn mathematical_bounds_hold() {
    for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            for by_sign in [true, false] {
                let Some((lo, hi)) = bounds(op, &a, &b, by_sign) else { continue };
                for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                    let read = |v: u64| if by_sign { i128::from(signed(W, v)) } else { i128::from(v) };
                    let v = match op {
                        BinOp::Add => read(x) + read(y),
                        BinOp::Sub => read(x) - read(y),
                        _ => read(x) * read(y),
                    };
                    assert!(lo <= v && v <= hi, "{op} of {x} and {y}");
                }
            }
        }
    }
}

#[test]
fn comparisons_are_decided_rightly_and_refine_to_what_is_left() {
    for p in IntPred::ALL {
        for (a, b) in ranges().flat_map(|a| ranges().map(move |b| (a, b))) {
            let decided = compare(*p, &a, &b);
            let left = refine(*p, &a, &b);
            for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                let t = holds(*p, x, y);
                assert!(decided.is_none_or(|d| d == t), "{x} {p} {y}");
                if t {
                    assert!(left.is_some_and(|r| has(&r, x)), "{x} {p} {y} with {a:?} and {b:?} left {left:?}");
                }
            }
        }
    }
}

#[test]
fn conversions_keep_every_number() {
    for a in ranges() {
        for (op, w) in [(CastOp::SExt, 8), (CastOp::ZExt, 8), (CastOp::Trunc, 2), (CastOp::Trunc, 1)] {
            let r = cast(op, &a, w).expect("an integer");
            for x in numbers(a) {
                let v = match op {
                    CastOp::SExt => signed(W, x) as u64 & mask(w),
                    _ => x & mask(w),
                };
                assert!(has(&r, v), "{op} of {x}");
            }
        }
    }
}
