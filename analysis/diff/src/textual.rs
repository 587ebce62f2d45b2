//! Where two functions differ as texts of instructions: the longest common subsequence, without a thought of what it means.

use crate::pairs::Pairs;
use crate::product::Version;
use std::collections::BTreeSet;
use verify_ir::{Body, FuncId, InstKind};

/// A place of a body: block and instruction; the terminator has the number behind the last one.
pub(crate) type Spot = (u32, u32);

/// Instructions of the second function that have no counterpart in the first.
pub(crate) fn differing(pairs: &Pairs<'_>, one: (Version, FuncId), other: (Version, FuncId)) -> BTreeSet<Spot> {
    let (a, b) = (pairs.lines(one.0, one.1), pairs.lines(other.0, other.1));
    let places = spots(pairs.module(other.0).func(other.1).body.as_ref());
    let same = |i: usize, j: usize| a[i].0 == b[j].0;
    let mut from = 0;
    while from < a.len().min(b.len()) && same(from, from) {
        from += 1;
    }
    let mut back = 0;
    while back < a.len().min(b.len()) - from && same(a.len() - 1 - back, b.len() - 1 - back) {
        back += 1;
    }
    let (n, m) = (a.len() - back - from, b.len() - back - from);
    let mut out = BTreeSet::new();
    let mut take = |j: usize| out.extend(places.get(from + j).copied());
    if n.saturating_mul(m) > 4_000_000 {
        (0..m).for_each(take);
        return out;
    }
    // Longest common subsequence.
    let mut best = vec![vec![0u32; m + 1]; n + 1];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            best[i][j] =
                if same(from + i, from + j) { best[i + 1][j + 1] + 1 } else { best[i + 1][j].max(best[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    // Where the old version has more, the first pair that differs has the next instruction of the new one.
    let mut more = false;
    while j < m {
        if i < n && same(from + i, from + j) && best[i][j] == best[i + 1][j + 1] + 1 {
            if std::mem::take(&mut more) {
                take(j);
            }
            (i, j) = (i + 1, j + 1);
        } else if i < n && best[i + 1][j] >= best[i][j + 1] {
            more = true;
            i += 1;
        } else {
            more = false;
            take(j);
            j += 1;
        }
    }
    if more || i < n {
        take(m);
    }
    out
}

/// The places that [`Pairs::lines`] tells of, in its order.
pub(crate) fn spots(body: Option<&Body>) -> Vec<Spot> {
    let mut out = Vec::new();
    for (b, d) in body.iter().flat_map(|b| &b.blocks).enumerate() {
        for (k, i) in d.insts.iter().enumerate() {
            if !matches!(i.kind, InstKind::DebugValue { .. }) {
                out.push((b as u32, k as u32));
            }
        }
        out.push((b as u32, d.insts.len() as u32));
    }
    out
}
