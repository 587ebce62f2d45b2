//! Integer arithmetic of any width with a definedness mask: `__int128`, `_BitInt`, and the carrier of `long double`.
//! The same theory as [`crate::bits`], over big integers; the tests hold the two against each other.

use crate::bits::{ArithFault, decide};
use dashu::integer::{IBig, UBig};
use verify_ir::inst::{ArithFlags, BinOp, IntPred, OverflowOp, UnOp};

/// A value of any width; bits above the width are 0 in both numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Big {
    /// Value. At undefined positions arbitrary.
    pub v: UBig,
    /// Undefined bits.
    pub u: UBig,
}

pub(crate) fn ones(w: u32) -> UBig {
    (UBig::ONE << w as usize) - UBig::ONE
}

fn bit(x: &UBig, i: u32) -> bool {
    use dashu::base::BitTest;
    x.bit(i as usize)
}

pub(crate) fn trailing_zeros(x: &UBig, w: u32) -> u32 {
    x.trailing_zeros().map_or(w, |z| (z as u32).min(w))
}

pub(crate) fn bit_len(x: &UBig) -> u32 {
    use dashu::base::BitTest;
    x.bit_len() as u32
}

pub(crate) fn words(x: &UBig, w: u32) -> Vec<u64> {
    let bytes = x.to_le_bytes();
    let mut out = vec![0u64; w.div_ceil(64) as usize];
    for (i, b) in bytes.iter().enumerate() {
        out[i / 8] |= u64::from(*b) << (i % 8 * 8);
    }
    out
}

pub(crate) fn from_words(ws: &[u64]) -> UBig {
    let bytes: Vec<u8> = ws.iter().flat_map(|w| w.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

pub(crate) fn low_u128(x: &UBig) -> u128 {
    let w = words(&(x & &ones(128)), 128);
    u128::from(w[0]) | u128::from(w[1]) << 64
}

/// The signed reading of `w` bits.
pub(crate) fn signed(x: &UBig, w: u32) -> IBig {
    let i = IBig::from(x.clone());
    if bit(x, w - 1) { i - IBig::from(UBig::ONE << w as usize) } else { i }
}

/// Two's complement of `w` bits.
pub(crate) fn wrap(x: &IBig, w: u32) -> UBig {
    use dashu::base::{Sign, UnsignedAbs};
    let low = x.clone().unsigned_abs() & ones(w);
    if x.sign() == Sign::Negative && low != UBig::ZERO { (UBig::ONE << w as usize) - low } else { low }
}

fn not(x: &UBig, w: u32) -> UBig {
    x ^ ones(w)
}

impl Big {
    pub fn def(v: UBig) -> Big {
        Big { v, u: UBig::ZERO }
    }
    pub fn undef(w: u32) -> Big {
        Big { v: UBig::ZERO, u: ones(w) }
    }
    pub fn is_defined(&self) -> bool {
        self.u == UBig::ZERO
    }
    fn umin(&self, w: u32) -> UBig {
        &self.v & not(&self.u, w)
    }
    fn umax(&self) -> UBig {
        &self.v | &self.u
    }
    fn smin(&self, w: u32) -> IBig {
        let s = UBig::ONE << (w - 1) as usize;
        let m = self.umin(w);
        signed(&(if bit(&self.u, w - 1) { m | s } else { m }), w)
    }
    fn smax(&self, w: u32) -> IBig {
        let s = UBig::ONE << (w - 1) as usize;
        let m = self.umax();
        signed(&(if bit(&self.u, w - 1) { m & not(&s, w) } else { m }), w)
    }
}

fn binary_defined(op: BinOp, flags: ArithFlags, w: u32, a: &UBig, b: &UBig) -> Result<UBig, ArithFault> {
    let m = ones(w);
    let (sa, sb) = (|| signed(a, w), || signed(b, w));
    let half = || IBig::from(UBig::ONE << (w - 1) as usize);
    let fits = |x: &IBig| *x >= -half() && *x < half();
    let sat = |x: IBig| wrap(&x.max(-half()).min(half() - IBig::ONE), w);
    let check = |s: IBig, u: IBig| {
        if flags.nsw && !fits(&s) {
            return Err(ArithFault::SignedOverflow);
        }
        if flags.nuw && (u < IBig::ZERO || u > IBig::from(m.clone())) {
            return Err(ArithFault::UnsignedOverflow);
        }
        Ok(wrap(&u, w))
    };
    let (ia, ib) = (|| IBig::from(a.clone()), || IBig::from(b.clone()));
    let shift = || {
        if *b >= UBig::from(w) { Err(ArithFault::ShiftRange) } else { Ok(low_u128(b) as usize) }
    };
    Ok(match op {
        BinOp::Add => check(sa() + sb(), ia() + ib())?,
        BinOp::Sub => check(sa() - sb(), ia() - ib())?,
        BinOp::Mul => check(sa() * sb(), ia() * ib())?,
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem if *b == UBig::ZERO => {
            return Err(ArithFault::DivByZero);
        }
        BinOp::UDiv => a / b,
        BinOp::URem => a % b,
        BinOp::SDiv => {
            let r = sa() / sb();
            if !fits(&r) {
                return Err(ArithFault::SignedOverflow);
            }
            wrap(&r, w)
        }
        BinOp::SRem => {
            if sb() == -IBig::ONE && !fits(&-sa()) {
                return Err(ArithFault::SignedOverflow);
            }
            wrap(&(sa() % sb()), w)
        }
        BinOp::Shl => {
            let n = shift()?;
            check(sa() << n, ia() << n)?
        }
        BinOp::LShr => a >> shift()?,
        BinOp::AShr => wrap(&(sa() >> shift()?), w),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::SMin => {
            if sa() <= sb() {
                a.clone()
            } else {
                b.clone()
            }
        }
        BinOp::SMax => {
            if sa() >= sb() {
                a.clone()
            } else {
                b.clone()
            }
        }
        BinOp::UMin => a.min(b).clone(),
        BinOp::UMax => a.max(b).clone(),
        BinOp::SAddSat => sat(sa() + sb()),
        BinOp::UAddSat => (a + b).min(m),
        BinOp::SSubSat => sat(sa() - sb()),
        BinOp::USubSat => {
            if a >= b {
                a - b
            } else {
                UBig::ZERO
            }
        }
        BinOp::SShlSat => sat(sa() << shift()?),
        BinOp::UShlSat => (a << shift()?).min(m),
    })
}

/// The operation with definedness.
pub(crate) fn binary(op: BinOp, flags: ArithFlags, w: u32, a: &Big, b: &Big) -> Result<Big, ArithFault> {
    if a.is_defined() && b.is_defined() {
        return binary_defined(op, flags, w, &a.v, &b.v).map(Big::def);
    }
    let m = ones(w);
    let wrapped = |op| binary_defined(op, ArithFlags::default(), w, &a.v, &b.v);
    let shift = || {
        if b.v >= UBig::from(w) { Err(ArithFault::ShiftRange) } else { Ok(low_u128(&b.v) as usize) }
    };
    Ok(match op {
        BinOp::Add => {
            let u = (a.umin(w) + b.umin(w)) ^ (a.umax() + b.umax());
            Big { v: wrapped(op)?, u: (u | &a.u | &b.u) & m }
        }
        BinOp::Sub => {
            let d = |x: UBig, y: UBig| wrap(&(IBig::from(x) - IBig::from(y)), w);
            let u = d(a.umin(w), b.umax()) ^ d(a.umax(), b.umin(w));
            Big { v: wrapped(op)?, u: (u | &a.u | &b.u) & m }
        }
        BinOp::Mul => {
            let zeros = |x: &Big| trailing_zeros(&x.umax(), w);
            let low = |x: &Big| trailing_zeros(&x.u, w);
            let first = (low(a) + zeros(b)).min(low(b) + zeros(a)).min(w);
            Big { v: wrapped(op)?, u: (m >> first as usize) << first as usize }
        }
        BinOp::And => Big { v: &a.v & &b.v, u: (&a.u | &b.u) & a.umax() & b.umax() },
        BinOp::Or => Big { v: &a.v | &b.v, u: (&a.u | &b.u) & not(&(a.umin(w) | b.umin(w)), w) },
        BinOp::Xor => Big { v: &a.v ^ &b.v, u: &a.u | &b.u },
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            if !b.is_defined() {
                return Ok(Big::undef(w));
            }
            let n = shift()?;
            match op {
                BinOp::Shl => Big { v: (&a.v << n) & &m, u: (&a.u << n) & &m },
                BinOp::LShr => Big { v: &a.v >> n, u: &a.u >> n },
                _ => Big { v: wrap(&(signed(&a.v, w) >> n), w), u: wrap(&(signed(&a.u, w) >> n), w) },
            }
        }
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
            if !b.is_defined() {
                return Err(ArithFault::Undefined);
            }
            if b.v == UBig::ZERO {
                return Err(ArithFault::DivByZero);
            }
            let z = trailing_zeros(&b.v, w);
            let power = b.v == UBig::ONE << z as usize;
            match op {
                BinOp::URem if power => Big { v: &a.v & ones(z), u: &a.u & ones(z) },
                BinOp::UDiv if power => Big { v: &a.v >> z as usize, u: &a.u >> z as usize },
                _ => Big::undef(w),
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
                (true, true) => a.clone(),
                (false, true) => b.clone(),
                _ => Big::undef(w),
            }
        }
        BinOp::SShlSat | BinOp::UShlSat if b.is_defined() => {
            shift()?;
            Big::undef(w)
        }
        BinOp::SAddSat | BinOp::UAddSat | BinOp::SSubSat | BinOp::USubSat | BinOp::SShlSat | BinOp::UShlSat => {
            Big::undef(w)
        }
    })
}

/// Comparison: (truth, defined).
pub(crate) fn compare(pred: IntPred, w: u32, a: &Big, b: &Big) -> (bool, bool) {
    if a.is_defined() && b.is_defined() {
        let r = match pred {
            IntPred::Eq => a.v == b.v,
            IntPred::Ne => a.v != b.v,
            IntPred::Ult => a.v < b.v,
            IntPred::Ule => a.v <= b.v,
            IntPred::Ugt => a.v > b.v,
            IntPred::Uge => a.v >= b.v,
            IntPred::Slt => signed(&a.v, w) < signed(&b.v, w),
            IntPred::Sle => signed(&a.v, w) <= signed(&b.v, w),
            IntPred::Sgt => signed(&a.v, w) > signed(&b.v, w),
            IntPred::Sge => signed(&a.v, w) >= signed(&b.v, w),
        };
        return (r, true);
    }
    let decided = match pred {
        IntPred::Eq | IntPred::Ne => {
            let differ = (&a.v ^ &b.v) & not(&(&a.u | &b.u), w);
            if differ != UBig::ZERO { Some(pred == IntPred::Ne) } else { None }
        }
        IntPred::Ult | IntPred::Uge => decide(a.umax() < b.umin(w), a.umin(w) >= b.umax(), pred == IntPred::Ult),
        IntPred::Ule | IntPred::Ugt => decide(a.umax() <= b.umin(w), a.umin(w) > b.umax(), pred == IntPred::Ule),
        IntPred::Slt | IntPred::Sge => decide(a.smax(w) < b.smin(w), a.smin(w) >= b.smax(w), pred == IntPred::Slt),
        IntPred::Sle | IntPred::Sgt => decide(a.smax(w) <= b.smin(w), a.smin(w) > b.smax(w), pred == IntPred::Sle),
    };
    (decided.unwrap_or(false), decided.is_some())
}

/// Arithmetic with an overflow bit: (value, overflowed, overflow bit defined).
pub(crate) fn overflow(op: OverflowOp, w: u32, a: &Big, b: &Big) -> (Big, bool, bool) {
    let plain = match op {
        OverflowOp::SAdd | OverflowOp::UAdd => BinOp::Add,
        OverflowOp::SSub | OverflowOp::USub => BinOp::Sub,
        OverflowOp::SMul | OverflowOp::UMul => BinOp::Mul,
    };
    let value = binary(plain, ArithFlags::default(), w, a, b).unwrap_or_else(|_| Big::undef(w));
    let is_signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
    let half = IBig::from(UBig::ONE << (w - 1) as usize);
    let top = IBig::from(ones(w));
    let over = |x: &IBig, y: &IBig| {
        let r = match plain {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            _ => x * y,
        };
        if is_signed { r < -half.clone() || r >= half } else { r < IBig::ZERO || r > top }
    };
    let range = |x: &Big| {
        if is_signed { (x.smin(w), x.smax(w)) } else { (IBig::from(x.umin(w)), IBig::from(x.umax())) }
    };
    let ((al, ah), (bl, bh)) = (range(a), range(b));
    let any = over(&al, &bl) || over(&al, &bh) || over(&ah, &bl) || over(&ah, &bh);
    (value, any, !any || (a.is_defined() && b.is_defined()))
}

/// One-operand operations.
pub(crate) fn unary(op: UnOp, w: u32, a: &Big) -> Big {
    let swap = |x: &UBig| {
        let mut bytes = x.to_le_bytes().to_vec();
        bytes.resize((w / 8) as usize, 0);
        bytes.reverse();
        UBig::from_le_bytes(&bytes)
    };
    let reverse = |x: &UBig| {
        let n = w.div_ceil(8);
        let mut bytes = x.to_le_bytes().to_vec();
        bytes.resize(n as usize, 0);
        bytes.reverse();
        let bytes: Vec<u8> = bytes.iter().map(|b| b.reverse_bits()).collect();
        UBig::from_le_bytes(&bytes) >> (8 * n - w) as usize
    };
    match op {
        UnOp::BSwap => Big { v: swap(&a.v), u: swap(&a.u) },
        UnOp::BitReverse => Big { v: reverse(&a.v), u: reverse(&a.u) },
        UnOp::CtLz | UnOp::CtTz => {
            let f = |x: &UBig| if op == UnOp::CtLz { w - bit_len(x) } else { trailing_zeros(x, w) };
            let (lo, hi) = (f(&a.umin(w)), f(&a.umax()));
            if lo == hi { Big::def(UBig::from(lo) & ones(w)) } else { Big::undef(w) }
        }
        _ if !a.is_defined() => Big::undef(w),
        UnOp::CtPop => Big::def(UBig::from(words(&a.v, w).iter().map(|x| x.count_ones()).sum::<u32>()) & ones(w)),
        UnOp::Abs => {
            let s = signed(&a.v, w);
            Big::def(wrap(&(if s < IBig::ZERO { -s } else { s }), w))
        }
    }
}

/// Funnel shift.
pub(crate) fn funnel(left: bool, w: u32, hi: &Big, lo: &Big, amount: &Big) -> Big {
    if !amount.is_defined() {
        return Big::undef(w);
    }
    let s = low_u128(&(&amount.v % UBig::from(w))) as usize;
    let f = |h: &UBig, l: &UBig| {
        let both = (h << w as usize) | l;
        (if left { (both << s) >> w as usize } else { both >> s }) & ones(w)
    };
    Big { v: f(&hi.v, &lo.v), u: f(&hi.u, &lo.u) }
}

/// Truncation, zero or sign extension.
pub(crate) fn resize(a: &Big, from: u32, to: u32, sign: bool) -> Big {
    if to <= from {
        let m = ones(to);
        Big { v: &a.v & &m, u: &a.u & &m }
    } else if sign {
        Big { v: wrap(&signed(&a.v, from), to), u: wrap(&signed(&a.u, from), to) }
    } else {
        a.clone()
    }
}
