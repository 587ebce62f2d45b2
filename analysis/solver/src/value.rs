//! Bit-vector values of any width, with the operations of SMT-LIB's `FixedSizeBitVectors` and `QF_BV` logic. Widths up
//! to 128 are computed in a machine word; wider ones go through big integers.

use dashu::integer::UBig;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;

/// A bit-vector constant: `width` bits, unsigned; bits above `width` are zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bv {
    width: u32,
    limbs: SmallVec<[u64; 2]>,
}

impl std::fmt::Debug for Bv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "0x{:x}:{}", self.big(), self.width)
    }
}

impl Bv {
    /// `v` modulo `2^width`.
    ///
    /// # Panics
    /// If `width` is 0: there are no empty bit-vectors.
    pub fn new(width: u32, v: u128) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        let mut limbs: SmallVec<[u64; 2]> = smallvec![0; width.div_ceil(64) as usize];
        limbs[0] = v as u64;
        if let Some(l) = limbs.get_mut(1) {
            *l = (v >> 64) as u64;
        }
        Bv { width, limbs }.masked()
    }
    /// From limbs, least significant first; missing ones are zero, excess bits are dropped.
    pub fn from_limbs(width: u32, from: &[u64]) -> Bv {
        assert!(width > 0, "a bit-vector has at least one bit");
        let n = width.div_ceil(64) as usize;
        let limbs = (0..n).map(|i| from.get(i).copied().unwrap_or(0)).collect();
        Bv { width, limbs }.masked()
    }
    /// From bits, least significant first; one bit per width.
    pub fn from_bits(bits: &[bool]) -> Bv {
        let mut v = Bv::zero(bits.len() as u32);
        for (i, _) in bits.iter().enumerate().filter(|(_, b)| **b) {
            v.limbs[i / 64] |= 1 << (i % 64);
        }
        v
    }
    /// All bits zero.
    pub fn zero(width: u32) -> Bv {
        Bv::new(width, 0)
    }
    /// The number 1.
    pub fn one(width: u32) -> Bv {
        Bv::new(width, 1)
    }
    /// All bits one.
    pub fn ones(width: u32) -> Bv {
        Bv::zero(width).not()
    }
    /// The least signed number.
    pub fn min_signed(width: u32) -> Bv {
        Bv::one(width).shl(&Bv::from_u64(width, u64::from(width - 1)))
    }
    /// A truth value.
    pub fn bool(b: bool) -> Bv {
        Bv::new(1, u128::from(b))
    }
    fn from_u64(width: u32, v: u64) -> Bv {
        Bv::new(width, u128::from(v))
    }
    fn masked(mut self) -> Bv {
        let rest = self.width % 64;
        if rest != 0
            && let Some(l) = self.limbs.last_mut()
        {
            *l &= (1 << rest) - 1;
        }
        self
    }
    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The limbs, least significant first.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }
    /// Bit `i`, false beyond the width.
    pub fn bit(&self, i: u32) -> bool {
        self.limbs.get((i / 64) as usize).is_some_and(|l| l >> (i % 64) & 1 == 1)
    }
    /// All bits are zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|l| *l == 0)
    }
    /// It is the number 1.
    pub fn is_one(&self) -> bool {
        self.limbs[0] == 1 && self.limbs[1..].iter().all(|l| *l == 0)
    }
    /// All bits are one.
    pub fn is_ones(&self) -> bool {
        self.not().is_zero()
    }
    /// The sign bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }
    /// The unsigned number, when it fits.
    pub fn to_u128(&self) -> Option<u128> {
        if self.limbs.iter().skip(2).any(|l| *l != 0) {
            return None;
        }
        Some(u128::from(self.limbs[0]) | u128::from(self.limbs.get(1).copied().unwrap_or(0)) << 64)
    }
    /// The unsigned number, when it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }
    /// `Some(k)` when the value is `2^k`.
    pub fn log2(&self) -> Option<u32> {
        let ones: u32 = self.limbs.iter().map(|l| l.count_ones()).sum();
        (ones == 1).then(|| (0..self.width).find(|i| self.bit(*i)))?
    }
    fn big(&self) -> UBig {
        UBig::from_words(&self.limbs)
    }
    fn from_big(width: u32, v: &UBig) -> Bv {
        Bv::from_limbs(width, v.as_words())
    }
    fn word(&self) -> Option<u128> {
        (self.width <= 128).then(|| self.to_u128())?
    }
    fn arith(&self, o: &Bv, small: impl Fn(u128, u128) -> u128, big: impl Fn(UBig, UBig) -> UBig) -> Bv {
        debug_assert_eq!(self.width, o.width);
        match (self.word(), o.word()) {
            (Some(a), Some(b)) => Bv::new(self.width, small(a, b)),
            _ => Bv::from_big(self.width, &big(self.big(), o.big())),
        }
    }
    fn zip(&self, o: &Bv, f: impl Fn(u64, u64) -> u64) -> Bv {
        debug_assert_eq!(self.width, o.width);
        Bv { width: self.width, limbs: self.limbs.iter().zip(&o.limbs).map(|(a, b)| f(*a, *b)).collect() }.masked()
    }

    /// Complement.
    pub fn not(&self) -> Bv {
        Bv { width: self.width, limbs: self.limbs.iter().map(|l| !l).collect() }.masked()
    }
    /// `bvand`.
    pub fn and(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a & b)
    }
    /// `bvor`.
    pub fn or(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a | b)
    }
    /// `bvxor`.
    pub fn xor(&self, o: &Bv) -> Bv {
        self.zip(o, |a, b| a ^ b)
    }
    /// `bvneg`.
    pub fn neg(&self) -> Bv {
        self.not().add(&Bv::one(self.width))
    }
    /// `bvadd`.
    pub fn add(&self, o: &Bv) -> Bv {
        self.arith(o, u128::wrapping_add, |a, b| a + b)
    }
    /// `bvsub`.
    pub fn sub(&self, o: &Bv) -> Bv {
        self.add(&o.neg())
    }
    /// `bvmul`.
    pub fn mul(&self, o: &Bv) -> Bv {
        self.arith(o, u128::wrapping_mul, |a, b| a * b)
    }
    /// `bvudiv`: all ones when `o` is zero.
    pub fn udiv(&self, o: &Bv) -> Bv {
        if o.is_zero() { Bv::ones(self.width) } else { self.arith(o, |a, b| a / b, |a, b| a / b) }
    }
    /// `bvurem`: `self` when `o` is zero.
    pub fn urem(&self, o: &Bv) -> Bv {
        if o.is_zero() { self.clone() } else { self.arith(o, |a, b| a % b, |a, b| a % b) }
    }
    fn abs(&self) -> Bv {
        if self.sign() { self.neg() } else { self.clone() }
    }
    /// `bvsdiv`: truncated towards zero.
    pub fn sdiv(&self, o: &Bv) -> Bv {
        let q = self.abs().udiv(&o.abs());
        if self.sign() != o.sign() { q.neg() } else { q }
    }
    /// `bvsrem`: sign of the dividend.
    pub fn srem(&self, o: &Bv) -> Bv {
        let r = self.abs().urem(&o.abs());
        if self.sign() { r.neg() } else { r }
    }
    fn shift_amount(&self, o: &Bv) -> u32 {
        o.to_u128().map_or(self.width, |s| s.min(u128::from(self.width)) as u32)
    }
    /// `bvshl`.
    pub fn shl(&self, o: &Bv) -> Bv {
        let s = self.shift_amount(o);
        if s >= self.width {
            return Bv::zero(self.width);
        }
        match self.word() {
            Some(a) => Bv::new(self.width, a << s),
            None => Bv::from_big(self.width, &(self.big() << s as usize)),
        }
    }
    /// `bvlshr`.
    pub fn lshr(&self, o: &Bv) -> Bv {
        let s = self.shift_amount(o);
        if s >= self.width {
            return Bv::zero(self.width);
        }
        match self.word() {
            Some(a) => Bv::new(self.width, a >> s),
            None => Bv::from_big(self.width, &(self.big() >> s as usize)),
        }
    }
    /// `bvashr`.
    pub fn ashr(&self, o: &Bv) -> Bv {
        if self.sign() { self.not().lshr(o).not() } else { self.lshr(o) }
    }
    /// Unsigned comparison.
    pub fn ucmp(&self, o: &Bv) -> Ordering {
        self.limbs.iter().rev().cmp(o.limbs.iter().rev())
    }
    /// Signed comparison.
    pub fn scmp(&self, o: &Bv) -> Ordering {
        o.sign().cmp(&self.sign()).then(self.ucmp(o))
    }
    /// `self` above `low`.
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        if width <= 128
            && let (Some(h), Some(l)) = (self.to_u128(), low.to_u128())
        {
            return Bv::new(width, h << low.width | l);
        }
        Bv::from_big(width, &((self.big() << low.width as usize) | low.big()))
    }
    /// Bits `lo..=hi`.
    ///
    /// # Panics
    /// If the range is empty or beyond the width.
    pub fn extract(&self, hi: u32, lo: u32) -> Bv {
        assert!(lo <= hi && hi < self.width, "bits {lo}..={hi} of {}", self.width);
        match self.word() {
            Some(a) => Bv::new(hi - lo + 1, a >> lo),
            None => Bv::from_big(hi - lo + 1, &(self.big() >> lo as usize)),
        }
    }
    /// Zero-extended (never truncated) to `width`.
    pub fn zext(&self, width: u32) -> Bv {
        debug_assert!(width >= self.width);
        Bv::from_limbs(width, &self.limbs)
    }
    /// Sign-extended to `width`.
    pub fn sext(&self, width: u32) -> Bv {
        if self.sign() { self.not().zext(width).not() } else { self.zext(width) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn division_by_zero_is_smt_libs() {
        let x = Bv::new(8, 5);
        let z = Bv::zero(8);
        assert_eq!(x.udiv(&z), Bv::ones(8));
        assert_eq!(x.urem(&z), x);
        assert_eq!(x.sdiv(&z), Bv::ones(8));
        assert_eq!(x.neg().sdiv(&z), Bv::one(8));
        assert_eq!(x.neg().srem(&z), x.neg());
        assert_eq!(Bv::min_signed(8).sdiv(&Bv::ones(8)), Bv::min_signed(8));
    }

    proptest! {
        /// Wide values compute as narrow ones do: every operation on zero- or sign-extended operands agrees.
        #[test]
        fn wide_agrees_with_narrow(a: u64, b: u64, s in 0u64..70) {
            let (n, m) = (Bv::new(64, a.into()), Bv::new(64, b.into()));
            let (wn, wm) = (n.sext(200), m.sext(200));
            prop_assert_eq!(wn.add(&wm).extract(63, 0), n.add(&m));
            prop_assert_eq!(wn.mul(&wm).extract(63, 0), n.mul(&m));
            prop_assert_eq!(wn.scmp(&wm), n.scmp(&m));
            prop_assert_eq!(n.zext(200).ucmp(&m.zext(200)), n.ucmp(&m));
            if b != 0 {
                prop_assert_eq!(n.zext(200).udiv(&m.zext(200)).extract(63, 0), n.udiv(&m));
                prop_assert_eq!(wn.srem(&wm).extract(63, 0), n.srem(&m));
            }
            let sh = Bv::new(64, s.into());
            prop_assert_eq!(wn.ashr(&sh.zext(200)).extract(63, 0), n.ashr(&sh));
            prop_assert_eq!(n.concat(&m).extract(127, 64), n);
        }
    }
}
