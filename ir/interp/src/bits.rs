//! Integer arithmetic of at most 64 bits with a definedness mask. A [`Bits`] is a value and the set of its bits that
//! are uninitialised; an operation tells which bits of its result can depend on uninitialised bits.
//!
//! Theory: known-bits abstract interpretation, used the other way round (memcheck: Seward & Nethercote 2005). The
//! unknown bits range over all values; a result bit is defined when it is the same for all of them. `add`, `sub`, the
//! bitwise operations, shifts by defined amounts and comparisons are decided as well as min/max of the ranges allow;
//! everything else is defined only if its inputs are.

use verify_ir::inst::{ArithFlags, BinOp, IntPred, OverflowOp, UnOp};

/// A value of at most 64 bits; bits above the width are 0 in both words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Bits {
    /// Value. At undefined positions arbitrary.
    pub v: u64,
    /// Undefined bits.
    pub u: u64,
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArithFault {
    DivByZero,
    /// `MIN / -1`, or a result that `nsw` forbids.
    SignedOverflow,
    /// A result that `nuw` forbids.
    UnsignedOverflow,
    ShiftRange,
    /// The divisor has undefined bits.
    Undefined,
}

/// All `w` bits.
#[inline(always)]
pub(crate) fn mask(w: u32) -> u64 {
    u64::MAX >> (64 - w)
}

/// Sign extension from `w` bits.
#[inline(always)]
pub(crate) fn sext(v: u64, w: u32) -> i64 {
    ((v << (64 - w)) as i64) >> (64 - w)
}

/// The bits from the lowest set bit upwards.
#[inline]
fn leftwards(u: u64) -> u64 {
    if u == 0 { 0 } else { !((u & u.wrapping_neg()) - 1) }
}

impl Bits {
    #[inline(always)]
    pub fn def(v: u64) -> Bits {
        Bits { v, u: 0 }
    }
    pub fn undef(w: u32) -> Bits {
        Bits { v: 0, u: mask(w) }
    }
    fn umin(self) -> u64 {
        self.v & !self.u
    }
    fn umax(self) -> u64 {
        self.v | self.u
    }
    fn smin(self, w: u32) -> i64 {
        let s = 1 << (w - 1);
        sext(if self.u & s != 0 { self.umin() | s } else { self.umin() }, w)
    }
    fn smax(self, w: u32) -> i64 {
        let s = 1 << (w - 1);
        sext(if self.u & s != 0 { self.umax() & !s } else { self.umax() }, w)
    }
}

/// The operation on defined operands.
#[inline]
pub(crate) fn binary_defined(op: BinOp, flags: ArithFlags, w: u32, a: u64, b: u64) -> Result<u64, ArithFault> {
    let m = mask(w);
    let (sa, sb) = (sext(a, w), sext(b, w));
    let fits = |x: i128| x >= -(1i128 << (w - 1)) && x < 1i128 << (w - 1);
    let sat = |x: i128| x.clamp(-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1) as u64 & m;
    let signed = |x: i128| if flags.nsw && !fits(x) { Err(ArithFault::SignedOverflow) } else { Ok(x as u64 & m) };
    let unsigned_ok = |x: u128| if flags.nuw && x > u128::from(m) { Err(ArithFault::UnsignedOverflow) } else { Ok(()) };
    Ok(match op {
        BinOp::Add => {
            let r = signed(i128::from(sa) + i128::from(sb))?;
            unsigned_ok(u128::from(a) + u128::from(b))?;
            r
        }
        BinOp::Sub => {
            let r = signed(i128::from(sa) - i128::from(sb))?;
            if flags.nuw && a < b {
                return Err(ArithFault::UnsignedOverflow);
            }
            r
        }
        BinOp::Mul => {
            let r = signed(i128::from(sa) * i128::from(sb))?;
            unsigned_ok(u128::from(a) * u128::from(b))?;
            r
        }
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem if b == 0 => return Err(ArithFault::DivByZero),
        BinOp::UDiv => a / b,
        BinOp::URem => a % b,
        BinOp::SDiv | BinOp::SRem if sb == -1 && a == 1 << (w - 1) => return Err(ArithFault::SignedOverflow),
        BinOp::SDiv => (sa / sb) as u64 & m,
        BinOp::SRem => (sa % sb) as u64 & m,
        BinOp::Shl | BinOp::LShr | BinOp::AShr if b >= u64::from(w) => return Err(ArithFault::ShiftRange),
        BinOp::Shl => {
            let r = signed(i128::from(sa) << b)?;
            unsigned_ok(u128::from(a) << b)?;
            r
        }
        BinOp::LShr => a >> b,
        BinOp::AShr => (sa >> b) as u64 & m,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::SMin => sa.min(sb) as u64 & m,
        BinOp::SMax => sa.max(sb) as u64 & m,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SAddSat => sat(i128::from(sa) + i128::from(sb)),
        BinOp::UAddSat => (u128::from(a) + u128::from(b)).min(u128::from(m)) as u64,
        BinOp::SSubSat => sat(i128::from(sa) - i128::from(sb)),
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::SShlSat | BinOp::UShlSat if b >= u64::from(w) => return Err(ArithFault::ShiftRange),
        BinOp::SShlSat => sat(i128::from(sa) << b),
        BinOp::UShlSat => (u128::from(a) << b).min(u128::from(m)) as u64,
    })
}

/// The operation with definedness.
pub(crate) fn binary(op: BinOp, flags: ArithFlags, w: u32, a: Bits, b: Bits) -> Result<Bits, ArithFault> {
    if a.u | b.u == 0 {
        return binary_defined(op, flags, w, a.v, b.v).map(Bits::def);
    }
    let m = mask(w);
    let any = |v: u64| Bits { v: v & m, u: m };
    Ok(match op {
        BinOp::Add => {
            let u = a.u | b.u | (a.umin().wrapping_add(b.umin()) ^ a.umax().wrapping_add(b.umax()));
            Bits { v: a.v.wrapping_add(b.v) & m, u: u & m }
        }
        BinOp::Sub => {
            let u = a.u | b.u | (a.umin().wrapping_sub(b.umax()) ^ a.umax().wrapping_sub(b.umin()));
            Bits { v: a.v.wrapping_sub(b.v) & m, u: u & m }
        }
        BinOp::Mul => {
            // Bit i of the product depends on bits 0..=i of both; known trailing zeros of the other shift that up.
            let zeros = |x: Bits| (x.v | x.u).trailing_zeros().min(w);
            let low = |x: Bits| if x.u == 0 { w } else { x.u.trailing_zeros() };
            let first = (low(a) + zeros(b)).min(low(b) + zeros(a));
            let u = if first >= w { 0 } else { leftwards(1 << first) };
            Bits { v: a.v.wrapping_mul(b.v) & m, u: u & m }
        }
        BinOp::And => Bits { v: a.v & b.v, u: (a.u | b.u) & a.umax() & b.umax() },
        BinOp::Or => Bits { v: a.v | b.v, u: (a.u | b.u) & !(a.umin() | b.umin()) & m },
        BinOp::Xor => Bits { v: a.v ^ b.v, u: a.u | b.u },
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            if b.u != 0 {
                return Ok(any(0));
            }
            if b.v >= u64::from(w) {
                return Err(ArithFault::ShiftRange);
            }
            match op {
                BinOp::Shl => Bits { v: a.v << b.v & m, u: a.u << b.v & m },
                BinOp::LShr => Bits { v: a.v >> b.v, u: a.u >> b.v },
                _ => Bits { v: (sext(a.v, w) >> b.v) as u64 & m, u: (sext(a.u, w) >> b.v) as u64 & m },
            }
        }
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
            if b.u != 0 {
                return Err(ArithFault::Undefined);
            }
            if b.v == 0 {
                return Err(ArithFault::DivByZero);
            }
            match op {
                BinOp::URem if b.v.is_power_of_two() => Bits { v: a.v & (b.v - 1), u: a.u & (b.v - 1) },
                BinOp::UDiv if b.v.is_power_of_two() => {
                    let s = b.v.trailing_zeros();
                    Bits { v: a.v >> s, u: a.u >> s }
                }
                _ => any(0),
            }
        }
        BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => {
            let pred = match op {
                BinOp::UMin => IntPred::Ult,
                BinOp::UMax => IntPred::Ugt,
                BinOp::SMin => IntPred::Slt,
                _ => IntPred::Sgt,
            };
            match compare(pred, w, a, b) {
                Bits { v: 1, u: 0 } => a,
                Bits { u: 0, .. } => b,
                _ => any(a.v),
            }
        }
        BinOp::SShlSat | BinOp::UShlSat if b.u == 0 && b.v >= u64::from(w) => return Err(ArithFault::ShiftRange),
        BinOp::SAddSat | BinOp::UAddSat | BinOp::SSubSat | BinOp::USubSat | BinOp::SShlSat | BinOp::UShlSat => any(0),
    })
}

/// The comparison of defined operands.
#[inline(always)]
pub(crate) fn compare_defined(pred: IntPred, w: u32, a: u64, b: u64) -> bool {
    match pred {
        IntPred::Eq => a == b,
        IntPred::Ne => a != b,
        IntPred::Ult => a < b,
        IntPred::Ule => a <= b,
        IntPred::Ugt => a > b,
        IntPred::Uge => a >= b,
        IntPred::Slt => sext(a, w) < sext(b, w),
        IntPred::Sle => sext(a, w) <= sext(b, w),
        IntPred::Sgt => sext(a, w) > sext(b, w),
        IntPred::Sge => sext(a, w) >= sext(b, w),
    }
}

/// Comparison with definedness: one bit.
pub(crate) fn compare(pred: IntPred, w: u32, a: Bits, b: Bits) -> Bits {
    let value = u64::from(compare_defined(pred, w, a.v, b.v));
    if a.u | b.u == 0 {
        return Bits::def(value);
    }
    let decided = match pred {
        IntPred::Eq | IntPred::Ne => {
            if (a.v ^ b.v) & !(a.u | b.u) != 0 {
                Some(pred == IntPred::Ne)
            } else {
                None
            }
        }
        IntPred::Ult | IntPred::Uge => decide(a.umax() < b.umin(), a.umin() >= b.umax(), pred == IntPred::Ult),
        IntPred::Ule | IntPred::Ugt => decide(a.umax() <= b.umin(), a.umin() > b.umax(), pred == IntPred::Ule),
        IntPred::Slt | IntPred::Sge => decide(a.smax(w) < b.smin(w), a.smin(w) >= b.smax(w), pred == IntPred::Slt),
        IntPred::Sle | IntPred::Sgt => decide(a.smax(w) <= b.smin(w), a.smin(w) > b.smax(w), pred == IntPred::Sle),
    };
    match decided {
        Some(v) => Bits::def(u64::from(v)),
        None => Bits { v: value, u: 1 },
    }
}

/// `less` or `not_less` is certain; `positive`: the predicate is the less-kind one.
pub(crate) fn decide(less: bool, not_less: bool, positive: bool) -> Option<bool> {
    if less {
        Some(positive)
    } else if not_less {
        Some(!positive)
    } else {
        None
    }
}

/// Arithmetic with an overflow bit.
pub(crate) fn overflow(op: OverflowOp, w: u32, a: Bits, b: Bits) -> (Bits, Bits) {
    let plain = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => BinOp::Add,
        OverflowOp::SSub | OverflowOp::USub => BinOp::Sub,
        OverflowOp::SMul | OverflowOp::UMul => BinOp::Mul,
    };
    // These three never fault without flags.
    let value = binary(plain, ArithFlags::default(), w, a, b).unwrap_or(Bits::undef(w));
    let m = i128::from(mask(w));
    let over = |x: i128, y: i128| {
        let r = match plain {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            _ => match x.checked_mul(y) {
                Some(r) => r,
                None => return true,
            },
        };
        match op {
            OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => r < -(1i128 << (w - 1)) || r >= 1i128 << (w - 1),
            OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => r < 0 || r > m,
        }
    };
    let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
    let range = |x: Bits| {
        if signed {
            (i128::from(x.smin(w)), i128::from(x.smax(w)))
        } else {
            (i128::from(x.umin()), i128::from(x.umax()))
        }
    };
    let ((al, ah), (bl, bh)) = (range(a), range(b));
    // No corner of the box overflows: no point in it does (the functions are monotonic in each argument or bilinear).
    let corners = [over(al, bl), over(al, bh), over(ah, bl), over(ah, bh)];
    let bit = if a.u | b.u == 0 {
        Bits::def(u64::from(corners[0]))
    } else if corners.iter().any(|&c| c) {
        Bits { v: 0, u: 1 }
    } else {
        Bits::def(0)
    };
    (value, bit)
}

/// One-operand operations.
pub(crate) fn unary(op: UnOp, w: u32, a: Bits) -> Bits {
    let permute = |f: fn(u64) -> u64, x: u64| f(x) >> (64 - w);
    match op {
        UnOp::BSwap => Bits { v: permute(u64::swap_bytes, a.v), u: permute(u64::swap_bytes, a.u) },
        UnOp::BitReverse => Bits { v: permute(u64::reverse_bits, a.v), u: permute(u64::reverse_bits, a.u) },
        UnOp::CtPop | UnOp::CtLz | UnOp::CtTz | UnOp::Abs => {
            let lz = |x: u64| u64::from(x.leading_zeros() - (64 - w));
            let tz = |x: u64| u64::from(x.trailing_zeros().min(w));
            let v = match op {
                UnOp::CtPop => u64::from(a.v.count_ones()),
                UnOp::CtLz => lz(a.v),
                UnOp::CtTz => tz(a.v),
                _ => sext(a.v, w).unsigned_abs() & mask(w),
            };
            let decided = a.u == 0
                || match op {
                    UnOp::CtLz => lz(a.umin()) == lz(a.umax()),
                    UnOp::CtTz => tz(a.umin()) == tz(a.umax()),
                    _ => false,
                };
            let v = if decided {
                match op {
                    UnOp::CtLz => lz(a.umin()),
                    UnOp::CtTz => tz(a.umin()),
                    _ => v,
                }
            } else {
                v
            };
            Bits { v, u: if decided { 0 } else { mask(w) } }
        }
    }
}

/// Funnel shift.
pub(crate) fn funnel(left: bool, w: u32, hi: Bits, lo: Bits, amount: Bits) -> Bits {
    if amount.u != 0 {
        return Bits::undef(w);
    }
    let s = (amount.v % u64::from(w)) as u32;
    let f = |h: u64, l: u64| {
        let both = u128::from(h) << w | u128::from(l);
        (if left { (both << s) >> w } else { both >> s }) as u64 & mask(w)
    };
    Bits { v: f(hi.v, lo.v), u: f(hi.u, lo.u) }
}

/// Sign extension of value and mask.
#[inline]
pub(crate) fn sign_extend(a: Bits, from: u32, to: u32) -> Bits {
    Bits { v: sext(a.v, from) as u64 & mask(to), u: sext(a.u, from) as u64 & mask(to) }
}
