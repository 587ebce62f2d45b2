//! Floating point: the reference against the machine's arithmetic, circuits and bounds against the reference, queries
//! against models and z3. `VERIFY_FLOATS` sets the number of random operations per operator and width.

mod circuits;
mod machine;
mod queries;
mod scripts;

use verify_solver::Bv;
use verify_solver::float::Format;

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

    /// A pattern: any, near a power of two, few digits, special, or close to another one.
    fn number(&mut self, f: Format, near: Option<&Bv>) -> Bv {
        let w = f.width();
        let (sign, stored) = (u128::from(self.next() & 1) << (w - 1), f.significand - 1);
        let all = (1u128 << f.exponent) - 1;
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let fraction = any & ((1u128 << stored) - 1);
        let middle = (f.bias() as u128).wrapping_add(u128::from(self.below(9))).wrapping_sub(4);
        let v = match self.below(12) {
            0 => any,
            1 => sign | u128::from(self.below(4)),
            2 => sign | (all << stored).wrapping_sub(u128::from(self.below(4))),
            3 => sign | all << stored | u128::from(self.below(2)),
            4 => sign | middle << stored | (any & 3),
            5 => sign | middle << stored | (fraction & !((1u128 << (stored / 2)) - 1)),
            6 => sign | (middle << stored).wrapping_sub(1 + u128::from(self.below(3))),
            7 => sign | fraction,
            8 | 9 => match near.and_then(Bv::to_u128) {
                Some(n) => n.wrapping_add(u128::from(self.below(5))).wrapping_sub(2) ^ sign,
                None => sign | middle << stored | fraction,
            },
            _ => sign | (u128::from(self.below(all as u64)) << stored) | fraction,
        };
        Bv::new(w, v)
    }
}

/// The number of random operations per operator and width.
fn count(default: u64) -> u64 {
    std::env::var("VERIFY_FLOATS").ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}
