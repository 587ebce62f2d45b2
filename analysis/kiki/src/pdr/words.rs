//! Lemmas in terms of the program: no state is in a cube, as rows of an invariant.

use super::{Cube, Head, Key};
use std::collections::BTreeMap;
use verify_encode::Named;
use verify_facts::invariant::{LoopInvariant, Part, Row};
use verify_solver::Pool;

/// Rows for one cube.
const MAX_ROWS: usize = 9;

/// Bounds of a sum; [`None`]: there is none.
type Range = (Option<i128>, Option<i128>);

/// That no state is in the cube; nothing, where there are no words for it. A difference, which wraps, is one of up to
/// three of integers, each of which gets rows.
pub(super) fn rows(pool: &Pool, head: &Head, cube: &Cube) -> Vec<(Named, Row)> {
    let mut ranges: BTreeMap<Key, Range> = BTreeMap::new();
    for l in cube {
        let (least, most) = ranges.entry(l.number).or_default();
        *(if l.least { least } else { most }) = Some(l.bound);
    }
    let mut of: Option<&Named> = None;
    let mut all: Vec<Vec<Row>> = vec![Vec::new()];
    for (k, range) in ranges {
        let Some(named) = head.named.get(&k) else { return Vec::new() };
        let cases = match k {
            Key::Number(_) => vec![range],
            Key::Difference(..) => integers(range, pool.width(head.numbers[&k])),
        };
        of.get_or_insert(named);
        all =
            all.iter().flat_map(|rows| cases.iter().map(|c| [rows.as_slice(), &outside(named, *c)].concat())).collect();
        if all.len() > MAX_ROWS {
            return Vec::new();
        }
    }
    let row = |mut rows: Vec<Row>| {
        let first = if rows.is_empty() { return None } else { rows.remove(0) };
        Some((of?.clone(), Row { or: rows, ..first }))
    };
    all.into_iter().filter_map(row).collect()
}

/// The integers of `w + 1` bits that are differences of two numbers of `w` bits and are in the range modulo `2^w`.
fn integers((least, most): Range, w: u32) -> Vec<Range> {
    let (whole, half) = (1i128 << w, 1i128 << (w - 1));
    let (least, most) = (least.unwrap_or(-half), most.unwrap_or(half - 1));
    let shifted = [0, -whole, whole].map(|by| (least + by, most + by));
    shifted.into_iter().filter(|(l, m)| *l < whole && *m > -whole).map(|(l, m)| (Some(l), Some(m))).collect()
}

/// That the sum is below the range, or above.
fn outside(named: &Named, (least, most): Range) -> Vec<Row> {
    let row = |flip: bool, at_most: i128| Row {
        parts: named.parts.iter().map(|p| Part { minus: p.minus != flip, ..*p }).collect(),
        at_most,
        or: Vec::new(),
    };
    least.map(|l| row(false, l - 1)).into_iter().chain(most.map(|m| row(true, -(m + 1)))).collect()
}

/// One invariant of each loop.
pub(super) fn by_loop(rows: Vec<(Named, Row)>) -> Vec<LoopInvariant> {
    let mut all: BTreeMap<_, Vec<Row>> = BTreeMap::new();
    for (n, row) in rows {
        all.entry((n.calls, n.func, n.header)).or_default().push(row);
    }
    let invariant = |((calls, func, header), rows)| LoopInvariant { calls: Some(calls), func, header, rows };
    all.into_iter().map(invariant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_wraps_is_one_of_three_integers() {
        for (least, most) in [(None, None), (Some(1), Some(1)), (Some(-3), Some(2)), (None, Some(-2)), (Some(7), None)]
        {
            let cases = integers((least, most), 4);
            for (x, y) in (-8i128..8).flat_map(|x| (-8i128..8).map(move |y| (x, y))) {
                let wrapped = (x - y + 24) % 16 - 8;
                let within = least.is_none_or(|l| l <= wrapped) && most.is_none_or(|m| wrapped <= m);
                let said = cases.iter().any(|(l, m)| l.is_none_or(|l| l <= x - y) && m.is_none_or(|m| x - y <= m));
                assert_eq!(within, said, "{x} - {y} in {least:?}..{most:?}");
            }
        }
    }
}
