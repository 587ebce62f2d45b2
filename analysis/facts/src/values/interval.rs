//! Intervals of integers (Cousot and Cousot 1976): what a value of `w` bits can be, read as a signed number; of one
//! bit, as 0 or 1. Widths above 64 are not followed.

use verify_ir::inst::{BinOp, IntPred, OverflowOp};

/// Bounds, both included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    /// Least.
    pub lo: i128,
    /// Greatest.
    pub hi: i128,
}

/// Bounds that are tried before those of the type when a loop moves a bound.
const THRESHOLDS: [i128; 14] = [-1, 0, 1, 7, 8, 31, 63, 127, 255, 256, 32767, 65535, 0x7fff_ffff, 0xffff_ffff];

impl Interval {
    /// One value.
    pub fn of(v: i128) -> Interval {
        Interval { lo: v, hi: v }
    }

    /// Everything that the width can hold; `None` for widths that are not followed.
    pub fn full(w: u32) -> Option<Interval> {
        match w {
            1 => Some(Interval { lo: 0, hi: 1 }),
            2..=64 => Some(Interval { lo: -(1 << (w - 1)), hi: (1 << (w - 1)) - 1 }),
            _ => None,
        }
    }

    /// A constant of a width.
    pub fn constant(w: u32, value: u128) -> Option<Interval> {
        match w {
            1 => Some(Interval::of((value & 1) as i128)),
            2..=64 => Some(Interval::of(((value << (128 - w)) as i128) >> (128 - w))),
            _ => None,
        }
    }

    /// The one value.
    pub fn exact(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Holds it.
    pub fn contains(self, v: i128) -> bool {
        self.lo <= v && v <= self.hi
    }

    /// All values of the other.
    pub fn covers(self, other: Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// The least interval over both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Values of both; `None`: there are none.
    pub fn meet(self, other: Interval) -> Option<Interval> {
        let r = Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (r.lo <= r.hi).then_some(r)
    }

    /// Where a bound moved since `old`, it moves on to a threshold, then to the end of the type.
    pub fn widen(self, old: Interval, w: u32) -> Interval {
        let Some(full) = Interval::full(w) else { return self };
        let lo = if self.lo < old.lo {
            THRESHOLDS.iter().rev().copied().find(|t| *t <= self.lo && *t >= full.lo).unwrap_or(full.lo)
        } else {
            self.lo
        };
        let hi = if self.hi > old.hi {
            THRESHOLDS.iter().copied().find(|t| *t >= self.hi && *t <= full.hi).unwrap_or(full.hi)
        } else {
            self.hi
        };
        Interval { lo, hi }
    }

    fn nonnegative(self) -> bool {
        self.lo >= 0
    }

    /// The values, if the width can hold them all; else everything.
    fn fitted(self, w: u32) -> Option<Interval> {
        let full = Interval::full(w)?;
        Some(if full.covers(self) { self } else { full })
    }
}

/// All ones up to the highest one.
fn mask_of(x: i128) -> i128 {
    if x <= 0 { 0 } else { (1i128 << (128 - x.leading_zeros())) - 1 }
}

fn corners(a: Interval, b: Interval, f: impl Fn(i128, i128) -> i128) -> Interval {
    let all = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    let (mut lo, mut hi) = (all[0], all[0]);
    for x in all {
        lo = lo.min(x);
        hi = hi.max(x);
    }
    Interval { lo, hi }
}

/// Results of an operation on `w` bits.
pub fn binary(op: BinOp, w: u32, a: Interval, b: Interval) -> Option<Interval> {
    let full = Interval::full(w)?;
    if w == 1 {
        let both = a.exact().zip(b.exact());
        return Some(match op {
            BinOp::And if a.hi == 0 || b.hi == 0 => Interval::of(0),
            BinOp::And => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
            BinOp::Or if a.lo == 1 || b.lo == 1 => Interval::of(1),
            BinOp::Or => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
            BinOp::Xor => both.map_or(full, |(x, y)| Interval::of(x ^ y)),
            _ => full,
        });
    }
    let amount = b.exact().filter(|s| *s >= 0 && *s < i128::from(w));
    let r = match op {
        BinOp::Add => Interval { lo: a.lo + b.lo, hi: a.hi + b.hi },
        BinOp::Sub => Interval { lo: a.lo - b.hi, hi: a.hi - b.lo },
        BinOp::Mul => corners(a, b, |x, y| x * y),
        // Below a division by zero, the check fails; the result of the others is asked.
        BinOp::SDiv if b.lo > 0 => corners(a, b, |x, y| x / y),
        BinOp::UDiv if a.nonnegative() && b.lo > 0 => corners(a, b, |x, y| x / y),
        BinOp::SRem if b.lo > 0 => {
            let m = b.hi - 1;
            let lo = if a.nonnegative() { 0 } else { (-m).max(a.lo) };
            let hi = if a.hi <= 0 { 0 } else { m.min(a.hi) };
            Interval { lo, hi }
        }
        BinOp::URem if b.lo > 0 => {
            let hi = if a.nonnegative() { (b.hi - 1).min(a.hi) } else { b.hi - 1 };
            Interval { lo: 0, hi }
        }
        BinOp::And => match (a.nonnegative(), b.nonnegative()) {
            (true, true) => Interval { lo: 0, hi: a.hi.min(b.hi) },
            (true, false) => Interval { lo: 0, hi: a.hi },
            (false, true) => Interval { lo: 0, hi: b.hi },
            (false, false) => full,
        },
        BinOp::Or if a.nonnegative() && b.nonnegative() => {
            Interval { lo: a.lo.max(b.lo), hi: mask_of(a.hi) | mask_of(b.hi) }
        }
        BinOp::Xor if a.nonnegative() && b.nonnegative() => Interval { lo: 0, hi: mask_of(a.hi) | mask_of(b.hi) },
        BinOp::Shl => match amount {
            Some(s) => Interval { lo: a.lo << s, hi: a.hi << s },
            None => full,
        },
        BinOp::LShr => match amount {
            Some(s) if a.nonnegative() => Interval { lo: a.lo >> s, hi: a.hi >> s },
            Some(s) if s > 0 => Interval { lo: 0, hi: (1 << (i128::from(w) - s)) - 1 },
            _ if a.nonnegative() => Interval { lo: 0, hi: a.hi },
            _ => full,
        },
        BinOp::AShr => match amount {
            Some(s) => Interval { lo: a.lo >> s, hi: a.hi >> s },
            None => Interval { lo: a.lo.min(0), hi: a.hi.max(-1) },
        },
        BinOp::SMin => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        BinOp::SMax => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        BinOp::UMin if a.nonnegative() && b.nonnegative() => Interval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        BinOp::UMax if a.nonnegative() && b.nonnegative() => Interval { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
        _ => full,
    };
    r.fitted(w)
}

/// Whether an arithmetic operation overflows, as the values of its overflow bit.
pub fn overflows(op: OverflowOp, w: u32, a: Interval, b: Interval) -> Interval {
    let unknown = Interval { lo: 0, hi: 1 };
    let Some(full) = Interval::full(w).filter(|_| w > 1) else { return unknown };
    let unsigned = matches!(op, OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul);
    if unsigned && !(a.nonnegative() && b.nonnegative()) {
        return unknown;
    }
    let range = if unsigned { Interval { lo: 0, hi: (1i128 << w) - 1 } } else { full };
    let r = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => Interval { lo: a.lo + b.lo, hi: a.hi + b.hi },
        OverflowOp::SSub | OverflowOp::USub => Interval { lo: a.lo - b.hi, hi: a.hi - b.lo },
        OverflowOp::SMul | OverflowOp::UMul => corners(a, b, |x, y| x * y),
    };
    if range.covers(r) {
        Interval::of(0)
    } else if r.lo > range.hi || r.hi < range.lo {
        Interval::of(1)
    } else {
        unknown
    }
}

/// The result of the operation that may overflow.
pub fn wrapped(op: OverflowOp, w: u32, a: Interval, b: Interval) -> Option<Interval> {
    let op = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => BinOp::Add,
        OverflowOp::SSub | OverflowOp::USub => BinOp::Sub,
        OverflowOp::SMul | OverflowOp::UMul => BinOp::Mul,
    };
    binary(op, w, a, b)
}

/// The values of a comparison.
pub fn compare(p: IntPred, w: u32, a: Interval, b: Interval) -> Interval {
    if refine(p, w, a, b).is_none() {
        Interval::of(0)
    } else if refine(p.negated(), w, a, b).is_none() {
        Interval::of(1)
    } else {
        Interval { lo: 0, hi: 1 }
    }
}

/// The values of the left operand with which the comparison can hold; `None`: with none.
pub fn refine(p: IntPred, w: u32, a: Interval, b: Interval) -> Option<Interval> {
    let min = |x: i128| Interval { lo: x, hi: i128::MAX };
    let max = |x: i128| Interval { lo: i128::MIN, hi: x };
    // Of one bit, both readings agree on 0 and 1 only when unsigned.
    let unsigned = match p {
        IntPred::Ult => Some(IntPred::Slt),
        IntPred::Ule => Some(IntPred::Sle),
        IntPred::Ugt => Some(IntPred::Sgt),
        IntPred::Uge => Some(IntPred::Sge),
        _ => None,
    };
    if w == 1 && unsigned.is_none() && !matches!(p, IntPred::Eq | IntPred::Ne) {
        return Some(a);
    }
    if let Some(signed) = unsigned {
        if a.nonnegative() && b.nonnegative() {
            return refine_ordered(signed, a, b, min, max);
        }
        // Below something that is no large unsigned number, the left one is none either.
        if b.nonnegative() && matches!(p, IntPred::Ult | IntPred::Ule) {
            let hi = if p == IntPred::Ult { b.hi - 1 } else { b.hi };
            return a.meet(Interval { lo: 0, hi });
        }
        return Some(a);
    }
    refine_ordered(p, a, b, min, max)
}

fn refine_ordered(
    p: IntPred,
    a: Interval,
    b: Interval,
    min: impl Fn(i128) -> Interval,
    max: impl Fn(i128) -> Interval,
) -> Option<Interval> {
    match p {
        IntPred::Eq => a.meet(b),
        IntPred::Ne => match b.exact() {
            Some(v) if a.exact() == Some(v) => None,
            Some(v) if a.lo == v => Some(Interval { lo: v + 1, hi: a.hi }),
            Some(v) if a.hi == v => Some(Interval { lo: a.lo, hi: v - 1 }),
            _ => Some(a),
        },
        IntPred::Slt => a.meet(max(b.hi - 1)),
        IntPred::Sle => a.meet(max(b.hi)),
        IntPred::Sgt => a.meet(min(b.lo + 1)),
        IntPred::Sge => a.meet(min(b.lo)),
        IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => Some(a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPS: [BinOp; 17] = [
        BinOp::Add,
        BinOp::Sub,
        BinOp::Mul,
        BinOp::UDiv,
        BinOp::SDiv,
        BinOp::URem,
        BinOp::SRem,
        BinOp::Shl,
        BinOp::LShr,
        BinOp::AShr,
        BinOp::And,
        BinOp::Or,
        BinOp::Xor,
        BinOp::SMin,
        BinOp::SMax,
        BinOp::UMin,
        BinOp::UMax,
    ];

    /// Concrete semantics on `w` bits; `None` where a check fails.
    fn concrete(op: BinOp, w: u32, a: i128, b: i128) -> Option<i128> {
        let m = (1i128 << w) - 1;
        let (ua, ub) = (a & m, b & m);
        let r = match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::UDiv if ub != 0 => ua / ub,
            BinOp::URem if ub != 0 => ua % ub,
            BinOp::SDiv if b != 0 && !(w > 1 && a == -(1 << (w - 1)) && b == -1) => a / b,
            BinOp::SRem if b != 0 && !(w > 1 && a == -(1 << (w - 1)) && b == -1) => a % b,
            BinOp::Shl if ub < i128::from(w) => ua << ub,
            BinOp::LShr if ub < i128::from(w) => ua >> ub,
            BinOp::AShr if ub < i128::from(w) => a >> ub,
            BinOp::And => ua & ub,
            BinOp::Or => ua | ub,
            BinOp::Xor => ua ^ ub,
            BinOp::SMin => a.min(b),
            BinOp::SMax => a.max(b),
            BinOp::UMin => ua.min(ub),
            BinOp::UMax => ua.max(ub),
            _ => return None,
        };
        Interval::constant(w, (r & m) as u128)?.exact()
    }

    fn intervals(w: u32) -> Vec<Interval> {
        let f = Interval::full(w).unwrap_or(Interval::of(0));
        let mut all = Vec::new();
        for lo in f.lo..=f.hi {
            for hi in lo..=f.hi {
                all.push(Interval { lo, hi });
            }
        }
        all
    }

    #[test]
    fn every_result_is_covered() {
        for w in [1, 3, 4] {
            let all = intervals(w);
            for &a in &all {
                for &b in &all {
                    for op in OPS {
                        let Some(r) = binary(op, w, a, b) else { panic!("{op} {w}") };
                        for x in a.lo..=a.hi {
                            for y in b.lo..=b.hi {
                                // One bit: signed operations read 1 as -1.
                                if w == 1 && !matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
                                    continue;
                                }
                                if let Some(v) = concrete(op, w, x, y) {
                                    assert!(r.contains(v), "{op} {w}: {a:?} {b:?} gives {v} not in {r:?}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_and_overflow_bits() {
        let w = 4;
        let m = 15;
        for &a in &intervals(w) {
            for &b in &intervals(w) {
                for &p in IntPred::ALL {
                    let (r, left) = (compare(p, w, a, b), refine(p, w, a, b));
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            let (ux, uy) = (x & m, y & m);
                            let v = match p {
                                IntPred::Eq => x == y,
                                IntPred::Ne => x != y,
                                IntPred::Ult => ux < uy,
                                IntPred::Ule => ux <= uy,
                                IntPred::Ugt => ux > uy,
                                IntPred::Uge => ux >= uy,
                                IntPred::Slt => x < y,
                                IntPred::Sle => x <= y,
                                IntPred::Sgt => x > y,
                                IntPred::Sge => x >= y,
                            };
                            assert!(r.contains(i128::from(v)));
                            assert!(!v || left.is_some_and(|l| l.contains(x)), "{p} {a:?} {b:?} {x} {y}");
                        }
                    }
                }
                for &op in OverflowOp::ALL {
                    let (r, value) = (overflows(op, w, a, b), wrapped(op, w, a, b));
                    for x in a.lo..=a.hi {
                        for y in b.lo..=b.hi {
                            let (ux, uy) = (x & m, y & m);
                            let v = match op {
                                OverflowOp::SAdd => x + y,
                                OverflowOp::SSub => x - y,
                                OverflowOp::SMul => x * y,
                                OverflowOp::UAdd => ux + uy,
                                OverflowOp::USub => ux - uy,
                                OverflowOp::UMul => ux * uy,
                            };
                            let unsigned = matches!(op, OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul);
                            let o = if unsigned { !(0..=m).contains(&v) } else { !(-8..=7).contains(&v) };
                            assert!(r.contains(i128::from(o)), "{op} {a:?} {b:?} {x} {y}");
                            let low = Interval::constant(w, (v & m) as u128).and_then(Interval::exact);
                            assert!(value.zip(low).is_some_and(|(r, v)| r.contains(v)));
                        }
                    }
                }
            }
        }
    }
}
