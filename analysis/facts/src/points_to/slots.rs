//! The nodes of one object's contents, found by the bytes they may cover: what was stored where (cells), and what
//! loads see where (views).

use crate::points_to::hash::FastMap;
use crate::points_to::offset::Offset;
use std::collections::BTreeMap;

/// Exact ones up to this width are found by position; wider ones are few.
const NARROW: u64 = 64;

/// Nodes by (offsets, bytes from there).
#[derive(Clone, Debug, Default)]
pub struct Slots {
    exact: BTreeMap<(i64, u64), u32>,
    others: Vec<(Offset, u64, u32)>,
    index: FastMap<(Offset, u64), u32>,
}

impl Slots {
    /// The node, when there is one.
    pub fn get(&self, offset: Offset, width: u64) -> Option<u32> {
        self.index.get(&(offset, width)).copied()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Adds one that is not there.
    pub fn insert(&mut self, offset: Offset, width: u64, node: u32) {
        self.index.insert((offset, width), node);
        match offset {
            Offset::Exact(o) if width <= NARROW => _ = self.exact.insert((o, width), node),
            _ => self.others.push((offset, width, node)),
        }
    }

    /// All, in a fixed order.
    pub fn all(&self) -> impl Iterator<Item = (Offset, u64, u32)> + '_ {
        self.exact.iter().map(|(&(o, w), &n)| (Offset::Exact(o), w, n)).chain(self.others.iter().copied())
    }

    /// Those that may share a byte with an access.
    pub fn overlapping(&self, offset: Offset, width: u64) -> Vec<(Offset, u64, u32)> {
        let (from, to) = match offset.bounds() {
            Some((a, b)) => (a.saturating_sub_unsigned(NARROW), b.saturating_add_unsigned(width)),
            None => (i64::MIN, i64::MAX),
        };
        let near = self.exact.range((from, 0)..=(to.max(from), 0));
        let near = near.map(|(&(o, w), &n)| (Offset::Exact(o), w, n));
        near.chain(self.others.iter().copied()).filter(|(o, w, _)| offset.overlaps(width, *o, *w)).collect()
    }
}
