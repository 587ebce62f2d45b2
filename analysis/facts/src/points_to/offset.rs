//! Byte offsets inside an object as sets: the abstract domain of address computations. An exact offset, an arithmetic
//! progression with a known start and length (an index that a check has bounded), or a residue class (any index:
//! arrays collapse to the layout of one element). [`Offset::ANY`] is the class of every offset.

/// A set of byte offsets. Strides are positive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offset {
    /// This one.
    Exact(i64),
    /// `start`, `start + stride`, ..., `count` of them (at least 2).
    Range {
        /// The smallest.
        start: i64,
        /// Distance.
        stride: u64,
        /// How many.
        count: u64,
    },
    /// All that are `rem` modulo `stride`; `rem < stride`.
    Mod {
        /// Modulus.
        stride: u64,
        /// Residue.
        rem: u64,
    },
}

/// What an address computation does to an offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shift {
    /// Adds a constant.
    Add(i64),
    /// Adds `add + k * stride`; `0 <= k < count`, or any integer `k` without a count.
    Stride {
        /// Constant part.
        add: i64,
        /// Multiplied by the unknown.
        stride: u64,
        /// Number of values of `k`.
        count: Option<u64>,
    },
    /// Clears these low bits (a mask of ones from bit 0) where the object is aligned enough, else anything.
    ClearLow(u64),
    /// Sets these bits, all below the alignment of the object, else anything.
    SetLow(u64),
    /// Anything.
    Any,
    /// Arithmetic on integers: what comes out is an integer made from an address, no pointer as such.
    Integer,
    /// The same where it is the difference of two addresses.
    Difference,
    /// An integer made from an address becomes a pointer to anywhere in its object.
    Cast,
}

/// The greatest common divisor; `gcd(0, x) = x`.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Offset {
    /// Every offset.
    pub const ANY: Offset = Offset::Mod { stride: 1, rem: 0 };
    /// The start of the object.
    pub const ZERO: Offset = Offset::Exact(0);

    /// The residue class.
    pub fn modulo(stride: u64, of: i64) -> Offset {
        if stride == 0 {
            return Offset::Exact(of);
        }
        match i64::try_from(stride) {
            Ok(s) => Offset::Mod { stride, rem: of.rem_euclid(s) as u64 },
            Err(_) => Offset::ANY,
        }
    }

    fn range(start: i64, stride: u64, count: u64) -> Offset {
        match (stride, count) {
            (0, _) | (_, 0 | 1) => Offset::Exact(start),
            _ if (count - 1).checked_mul(stride).is_none_or(|n| n > 1 << 40) => Offset::modulo(stride, start),
            _ => Offset::Range { start, stride, count },
        }
    }

    /// Some member.
    pub fn member(self) -> i64 {
        match self {
            Offset::Exact(o) | Offset::Range { start: o, .. } => o,
            Offset::Mod { rem, .. } => rem as i64,
        }
    }

    /// Distance of neighbouring members; 0 for one alone.
    pub fn stride(self) -> u64 {
        match self {
            Offset::Exact(_) => 0,
            Offset::Range { stride, .. } | Offset::Mod { stride, .. } => stride,
        }
    }

    /// The smallest and the largest member, where there are such.
    pub fn bounds(self) -> Option<(i64, i64)> {
        match self {
            Offset::Exact(o) => Some((o, o)),
            Offset::Range { start, stride, count } => {
                Some((start, start.saturating_add(((count - 1) * stride) as i64)))
            }
            Offset::Mod { .. } => None,
        }
    }

    /// All `self + c`.
    pub fn moved(self, c: i64) -> Offset {
        match self {
            Offset::Exact(o) => Offset::Exact(o.wrapping_add(c)),
            Offset::Range { start, stride, count } => start
                .checked_add(c)
                .map_or(Offset::modulo(stride, start), |start| Offset::Range { start, stride, count }),
            Offset::Mod { stride, rem } => Offset::modulo(stride, (rem as i64).wrapping_add(c)),
        }
    }

    /// All `self + k * stride`, every integer `k`.
    pub fn add_multiples(self, stride: u64) -> Offset {
        Offset::modulo(gcd(self.stride(), stride), self.member())
    }

    /// All `self + k * stride`, `0 <= k < count`.
    pub fn add_range(self, stride: u64, count: u64) -> Offset {
        if stride == 0 || count <= 1 {
            return self;
        }
        match self {
            Offset::Exact(o) => Offset::range(o, stride, count),
            Offset::Range { start, stride: s, count: n } => {
                let g = gcd(s, stride);
                let span = (|| (n - 1).checked_mul(s)?.checked_add((count - 1).checked_mul(stride)?))();
                span.map_or(Offset::modulo(g, start), |span| Offset::range(start, g, span / g + 1))
            }
            Offset::Mod { .. } => self.add_multiples(stride),
        }
    }

    /// The same where addresses have so few bits that sums of them are known to wrap around: of a stride, only the power
    /// of two in it is left then.
    pub fn wrapped(self, bits: u32) -> Offset {
        if bits >= 64 {
            return self;
        }
        let (least, most) = (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1);
        match self {
            Offset::Exact(o) => Offset::Exact((o << (64 - bits)) >> (64 - bits)),
            Offset::Range { start, stride, .. } => match self.bounds() {
                Some((lo, hi)) if lo >= least && hi <= most => self,
                _ => Offset::modulo(gcd(stride, 1 << bits), start),
            },
            Offset::Mod { stride, rem } => Offset::modulo(gcd(stride, 1 << bits), rem as i64),
        }
    }

    /// The effect of an address computation, in an object of this alignment.
    pub fn shift(self, by: Shift, align: u64) -> Offset {
        match by {
            Shift::Add(c) => self.moved(c),
            Shift::Stride { add, stride, count: Some(n) } => self.moved(add).add_range(stride, n),
            Shift::Stride { add, stride, count: None } => self.moved(add).add_multiples(stride),
            Shift::ClearLow(mask) if mask < align => match self {
                Offset::Exact(o) => Offset::Exact(o & !(mask as i64)),
                // The mask has the low bits up to a power of two: a multiple of it stays what it is.
                _ if self.stride().is_multiple_of(mask + 1) => self.moved(-(self.member() & mask as i64)),
                _ => Offset::ANY,
            },
            Shift::SetLow(bits) if bits < align => match self {
                Offset::Exact(o) => Offset::Exact(o | bits as i64),
                _ if self.stride().is_multiple_of((bits + 1).next_power_of_two()) => {
                    self.moved((self.member() | bits as i64) - self.member())
                }
                _ => Offset::ANY,
            },
            Shift::ClearLow(_) | Shift::SetLow(_) | Shift::Any | Shift::Integer | Shift::Difference => Offset::ANY,
            Shift::Cast => self,
        }
    }

    /// The differences `self - from` that an access copied between such places may be moved by.
    pub fn minus(self, from: Offset) -> Offset {
        match from {
            Offset::Exact(o) => self.moved(o.wrapping_neg()),
            Offset::Range { start, stride, count } => {
                let least = start.saturating_add(((count - 1) * stride) as i64);
                self.moved(least.wrapping_neg()).add_range(stride, count)
            }
            Offset::Mod { stride, rem } => self.moved(-(rem as i64)).add_multiples(stride),
        }
    }

    /// All sums.
    pub fn plus(self, other: Offset) -> Offset {
        match other {
            Offset::Exact(o) => self.moved(o),
            Offset::Range { start, stride, count } => self.moved(start).add_range(stride, count),
            Offset::Mod { stride, rem } => self.moved(rem as i64).add_multiples(stride),
        }
    }

    /// An access of `width` bytes here and one of `other_width` bytes there may have a byte in common.
    pub fn overlaps(self, width: u64, other: Offset, other_width: u64) -> bool {
        if width == 0 || other_width == 0 {
            return false;
        }
        if let (Some((a, b)), Some((c, d))) = (self.bounds(), other.bounds())
            && (d.saturating_add_unsigned(other_width) <= a || b.saturating_add_unsigned(width) <= c)
        {
            return false;
        }
        let g = gcd(self.stride(), other.stride());
        if g == 0 {
            return true; // two exact ones: the bounds decided
        }
        // Some difference of members is in (-width, other_width)?
        let d = (i128::from(self.member()) - i128::from(other.member())).rem_euclid(i128::from(g)) as u64;
        d < other_width || g - d < width
    }

    /// The offset is in the set.
    pub fn contains(self, o: i64) -> bool {
        match self {
            Offset::Exact(e) => e == o,
            Offset::Range { start, stride, count } => {
                o >= start && ((o - start) as u64).is_multiple_of(stride) && (o - start) as u64 / stride < count
            }
            Offset::Mod { stride, rem } => o.rem_euclid(stride as i64) as u64 == rem,
        }
    }
}

impl std::fmt::Display for Offset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Offset::Exact(o) => write!(f, "{o}"),
            Offset::Range { start, stride, count } => write!(f, "{start}+{stride}*[0..{count})"),
            Offset::Mod { stride: 1, .. } => write!(f, "?"),
            Offset::Mod { stride, rem } => write!(f, "{rem} mod {stride}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(o: Offset) -> Vec<i64> {
        (-60..60).filter(|x| o.contains(*x)).collect()
    }

    fn samples() -> Vec<Offset> {
        let mut all: Vec<Offset> = (-9..10).step_by(3).map(Offset::Exact).collect();
        for stride in [1, 2, 3, 4, 6, 8] {
            for rem in 0..stride as i64 {
                all.push(Offset::modulo(stride, rem));
            }
            for (start, count) in [(-4, 2), (0, 3), (5, 4)] {
                all.push(Offset::Range { start, stride, count });
            }
        }
        all
    }

    #[test]
    fn sums_and_overlaps_cover_the_members() {
        for a in samples() {
            for b in samples() {
                let (sum, difference) = (a.plus(b), a.minus(b));
                let (ma, mb) = (members(a), members(b));
                let near = |x: &&i64| (-20..20).contains(*x);
                for x in ma.iter().filter(near) {
                    for y in mb.iter().filter(near) {
                        assert!(sum.contains(x + y), "{a} + {b} = {sum} lacks {x} + {y}");
                        assert!(difference.contains(x - y), "{a} - {b} = {difference} lacks {x} - {y}");
                        for (w, v) in [(1, 1), (4, 1), (1, 4), (8, 8)] {
                            if *x < y + v as i64 && *y < x + w as i64 {
                                assert!(a.overlaps(w, b, v), "{a}/{w} {b}/{v} share {x} {y}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn shifts_cover_the_members() {
        let shifts = [
            Shift::Add(5),
            Shift::Add(-3),
            Shift::Stride { add: 1, stride: 4, count: Some(3) },
            Shift::Stride { add: 0, stride: 6, count: None },
        ];
        for a in samples() {
            for s in shifts {
                let r = a.shift(s, 1);
                for x in members(a).into_iter().filter(|x| (-20..20).contains(x)) {
                    let images: Vec<i64> = match s {
                        Shift::Add(c) => vec![x + c],
                        Shift::Stride { add, stride, count } => {
                            let ks = count.map_or(-4..4, |n| 0..n as i64);
                            ks.map(|k| x + add + k * stride as i64).collect()
                        }
                        _ => vec![],
                    };
                    assert!(images.iter().all(|i| r.contains(*i)), "{a} {s:?} = {r}");
                }
            }
            for mask in [1i64, 3, 7] {
                for x in members(a) {
                    assert!(a.shift(Shift::ClearLow(mask as u64), 8).contains(x & !mask), "{a} & !{mask}");
                    assert!(a.shift(Shift::SetLow(mask as u64), 8).contains(x | mask), "{a} | {mask}");
                }
            }
        }
    }

    #[test]
    fn wrapped_sets_have_what_comes_round() {
        for a in samples() {
            for stride in [3, 4, 6, 12] {
                let far = a.add_multiples(stride).wrapped(6);
                for x in members(a) {
                    for k in -40..40 {
                        let at = x + k * stride as i64;
                        assert!(far.contains((at << 58) >> 58), "{a} + {k} * {stride}: {far}");
                    }
                }
            }
        }
        assert_eq!(Offset::Exact(12 * 0x1555_5556).wrapped(32), Offset::Exact(8));
        assert_eq!(Offset::modulo(12, 4).wrapped(64), Offset::modulo(12, 4));
    }

    #[test]
    fn fields_of_elements_stay_apart() {
        let field = |o| Offset::modulo(16, o);
        assert!(!field(0).overlaps(8, field(8), 8) && field(0).overlaps(8, field(4), 8));
        let bounded = Offset::Exact(16).add_range(4, 3);
        assert!(!bounded.overlaps(4, Offset::Exact(0), 16) && !bounded.overlaps(4, Offset::Exact(28), 8));
        assert!(bounded.overlaps(4, Offset::Exact(24), 1));
    }
}
