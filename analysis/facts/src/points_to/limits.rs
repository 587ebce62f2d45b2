//! How fine the analysis is. Programs whose pointers mix too much (interpreters with a union of everything) cost more
//! than the finest level allows; they are done again more coarsely. The work is counted, never timed.

/// Limits of one attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Least and most places of an object that are told apart; beyond, they are merged modulo a pointer, then all.
    places: (u64, u64),
    /// Functions of the program in a chain of clones.
    pub chain: usize,
    /// Values of all clones.
    pub clones: u64,
    /// Set words handed over edges, and elements of sets that are looked at one by one.
    pub work: u64,
}

impl Limits {
    /// The levels, finest first, for a program with this many values. The last one is not limited in work.
    pub fn levels(values: u64) -> [Limits; 3] {
        let work = 200_000_000 + 500 * values;
        [
            Limits { places: (32, 160), chain: 3, clones: 2 * values + 200_000, work },
            Limits { places: (8, 32), chain: 1, clones: values + 100_000, work },
            Limits { places: (2, 4), chain: 1, clones: values / 4 + 50_000, work: u64::MAX },
        ]
    }

    /// Places of an object of this size.
    pub fn places(&self, size: Option<u64>) -> u64 {
        // A field of every four bytes is a lot.
        size.map_or(self.places.1 / 2, |s| (s / 4).clamp(self.places.0, self.places.1))
    }
}
