//! Sparse bit sets: sorted words of 64 bits. Made for unions whose new part is wanted (difference propagation).

/// A set of dense numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SparseSet {
    words: Vec<(u32, u64)>,
}

impl SparseSet {
    /// Without elements.
    pub fn new() -> SparseSet {
        SparseSet::default()
    }

    /// With one element.
    pub fn single(x: u32) -> SparseSet {
        SparseSet { words: vec![(x / 64, 1 << (x % 64))] }
    }

    /// Has no elements.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of words: what an operation on the set costs.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.1.count_ones() as usize).sum()
    }

    /// The element is in it.
    pub fn contains(&self, x: u32) -> bool {
        self.words.binary_search_by_key(&(x / 64), |w| w.0).is_ok_and(|i| self.words[i].1 >> (x % 64) & 1 != 0)
    }

    /// Adds an element; true when it is new.
    pub fn insert(&mut self, x: u32) -> bool {
        let bit = 1 << (x % 64);
        match self.words.binary_search_by_key(&(x / 64), |w| w.0) {
            Ok(i) => {
                let new = self.words[i].1 & bit == 0;
                self.words[i].1 |= bit;
                new
            }
            Err(i) => {
                self.words.insert(i, (x / 64, bit));
                true
            }
        }
    }

    /// Adds all elements of `other`.
    pub fn union_with(&mut self, other: &SparseSet) {
        if self.is_empty() {
            self.words.clone_from(&other.words);
        } else {
            let new = other.minus(self);
            self.merge(&new);
        }
    }

    /// The elements that `other` does not have.
    pub fn minus(&self, other: &SparseSet) -> SparseSet {
        let mut words = Vec::new();
        let mut rest = other.words.as_slice();
        for &(at, bits) in &self.words {
            let gone = word(&mut rest, at);
            if bits & !gone != 0 {
                words.push((at, bits & !gone));
            }
        }
        SparseSet { words }
    }

    /// The elements that both have.
    pub fn common(&self, other: &SparseSet) -> SparseSet {
        // Each of a short set is looked for in a long one.
        if self.words.len() > 16 * other.words.len() {
            return other.common(self);
        }
        let mut words = Vec::new();
        let mut rest = other.words.as_slice();
        for &(at, bits) in &self.words {
            let both = bits & word(&mut rest, at);
            if both != 0 {
                words.push((at, both));
            }
        }
        SparseSet { words }
    }

    /// Adds elements; cheap when they are few or lie at the end.
    pub fn merge(&mut self, new: &SparseSet) {
        if new.words.len() <= 2 {
            for &(at, bits) in &new.words {
                match self.words.binary_search_by_key(&at, |w| w.0) {
                    Ok(i) => self.words[i].1 |= bits,
                    Err(i) => self.words.insert(i, (at, bits)),
                }
            }
            return;
        }
        let mut out = Vec::with_capacity(self.words.len() + new.words.len());
        let (mut a, mut b) = (self.words.iter().copied().peekable(), new.words.iter().copied().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    out.push((x.0, x.1 | y.1));
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.0 < y.0 => out.extend(a.next()),
                (_, Some(_)) => out.extend(b.next()),
                (Some(_), None) => out.extend(a.next()),
                (None, None) => break,
            }
        }
        out.shrink_to_fit();
        self.words = out;
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(at, bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                (bits != 0).then(|| {
                    let i = bits.trailing_zeros();
                    bits &= bits - 1;
                    at * 64 + i
                })
            })
        })
    }

    /// Has an element in common.
    pub fn intersects(&self, other: &SparseSet) -> bool {
        let (mut a, mut b) = (self.words.iter().peekable(), other.words.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Equal if x.1 & y.1 != 0 => return true,
                std::cmp::Ordering::Less => _ = a.next(),
                _ => _ = b.next(),
            }
        }
        false
    }
}

/// The word at a place that is not before those asked for so far, of sorted words that come down to those from there on.
fn word(rest: &mut &[(u32, u64)], at: u32) -> u64 {
    // Long sets are skipped through by halving.
    if rest.len() > 8 && rest[7].0 < at {
        *rest = &rest[rest.partition_point(|w| w.0 < at)..];
    }
    while rest.first().is_some_and(|w| w.0 < at) {
        *rest = &rest[1..];
    }
    rest.first().filter(|w| w.0 == at).map_or(0, |w| w.1)
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(elements: I) -> SparseSet {
        let mut s = SparseSet::new();
        elements.into_iter().for_each(|x| _ = s.insert(x));
        s
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_as_a_set() {
        let mut seed = 7u64;
        let mut random = move |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for round in 0..300 {
            let range = [20, 300, 5000][round % 3];
            let mut make = |n| (0..n).map(|_| random(range) as u32).collect::<BTreeSet<u32>>();
            let (a, b) = (make(round as u64 % 40), make(17));
            let set = |s: &BTreeSet<u32>| s.iter().copied().collect::<SparseSet>();
            let (x, y) = (set(&a), set(&b));
            assert!(x.iter().eq(a.iter().copied()) && x.len() == a.len() && x.is_empty() == a.is_empty());
            assert!(x.minus(&y).iter().eq(a.difference(&b).copied()));
            assert!(x.common(&y).iter().eq(a.intersection(&b).copied()));
            assert!(y.common(&x).iter().eq(a.intersection(&b).copied()));
            assert_eq!(x.intersects(&y), a.intersection(&b).next().is_some());
            let mut u = x.clone();
            u.union_with(&y);
            assert!(u.iter().eq(a.union(&b).copied()));
            assert!((0..range as u32).all(|i| x.contains(i) == a.contains(&i)));
        }
    }
}
