//! What the nodes of a list hold, kept apart from each other: a segment has a few *cases*, each an assignment of ranges to
//! the integer fields of a node, and every node is in one of them. A list whose nodes are `{1, 3}` or `{2, 0}` is not one
//! whose nodes are `{1..2, 0..3}`. Not here: relations between fields that ranges do not say, and in which order the cases
//! come (where that matters, nodes are only folded if they hold the same: [`Data::Same`]).
//!
//! A segment without cases has one: what its fields say of every node. So has a node.

use crate::heap::{Object, State};
use crate::value::{Range, Val};
use std::collections::BTreeMap;

/// What becomes of the integers of two nodes that are folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Data {
    /// The least range with both.
    Hull,
    /// They are the same, or the nodes are not folded.
    Same,
    /// Each is kept as a case.
    Cases,
}

/// Integer fields of a node by offset: bytes and value.
pub type Case = BTreeMap<i64, (u64, Range)>;

/// A segment with more has none.
const MAX_CASES: usize = 12;

/// The cases of a node or a segment, links left out.
fn of(s: &State, o: &Object, links: &[i64]) -> Vec<Case> {
    if !o.cases.is_empty() {
        return o.cases.clone();
    }
    let fields = o.fields.iter().filter(|(k, _)| !links.contains(k));
    vec![fields.filter_map(|(k, (n, v))| Some((*k, (*n, s.range(v)?)))).collect()]
}

/// Everything that `narrow` allows, `wide` allows, too.
fn covers(wide: &Case, narrow: &Case) -> bool {
    wide.iter().all(|(k, (n, r))| narrow.get(k).is_some_and(|(m, q)| (n, r.width) == (m, q.width) && r.covers(q)))
}

/// The cases of both, and whether the first had those of the second; none where they are too many.
pub fn union(a: (&State, &Object), b: (&State, &Object), links: &[i64]) -> (Vec<Case>, bool) {
    let (mut all, more) = (of(a.0, a.1, links), of(b.0, b.1, links));
    let had = more.iter().all(|m| all.iter().any(|c| covers(c, m)));
    if had {
        return (all, true);
    }
    all.extend(more);
    // What one of them does not say is not said.
    let common: Vec<(i64, u64, u32)> = all.first().map_or(Vec::new(), |first| {
        let everywhere =
            |k: &i64, n: u64, w: u32| all.iter().all(|c| c.get(k).is_some_and(|f| (f.0, f.1.width) == (n, w)));
        first.iter().filter(|(k, f)| everywhere(k, f.0, f.1.width)).map(|(k, f)| (*k, f.0, f.1.width)).collect()
    });
    all.iter_mut().for_each(|c| c.retain(|k, _| common.iter().any(|f| f.0 == *k)));
    let mut out: Vec<Case> = Vec::new();
    for c in all {
        if !out.iter().any(|o| covers(o, &c)) {
            out.retain(|o| !covers(&c, o));
            out.push(c);
        }
    }
    out.sort();
    if out.len() > MAX_CASES || common.is_empty() {
        out.clear();
    }
    (out, false)
}

/// The node is in this case.
pub fn pick(o: &mut Object, case: &Case) {
    for (k, (n, r)) in case {
        if o.fields.get(k).is_some_and(|(m, _)| m == n) {
            o.fields.insert(*k, (*n, r.single().map_or(Val::Range(*r), |x| Val::int(r.width, x))));
        }
    }
    o.cases.clear();
}
