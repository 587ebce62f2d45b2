//! Sets of check kinds, as one machine word.

use verify_ir::CheckKind;

/// A set of [`CheckKind`]s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct KindSet(u32);

impl KindSet {
    /// No kind.
    pub const EMPTY: KindSet = KindSet(0);

    /// The set of these kinds.
    pub const fn of(kinds: &[CheckKind]) -> KindSet {
        let (mut bits, mut i) = (0, 0);
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u32;
            i += 1;
        }
        KindSet(bits)
    }
    /// This set and `k`.
    pub fn with(self, k: CheckKind) -> KindSet {
        KindSet(self.0 | 1 << k as u32)
    }
    /// This set without `k`.
    pub fn without(self, k: CheckKind) -> KindSet {
        KindSet(self.0 & !(1 << k as u32))
    }
    /// Adds `k`.
    pub fn insert(&mut self, k: CheckKind) {
        *self = self.with(k);
    }
    /// Union.
    pub fn union(self, o: KindSet) -> KindSet {
        KindSet(self.0 | o.0)
    }
    /// Membership.
    pub fn contains(self, k: CheckKind) -> bool {
        self.0 >> k as u32 & 1 == 1
    }
    /// No kind at all.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// The kinds in declaration order.
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.iter().copied().filter(move |&k| self.contains(k))
    }
}

impl FromIterator<CheckKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> KindSet {
        kinds.into_iter().fold(KindSet::EMPTY, KindSet::with)
    }
}

impl std::ops::BitOrAssign for KindSet {
    fn bitor_assign(&mut self, o: KindSet) {
        self.0 |= o.0;
    }
}
