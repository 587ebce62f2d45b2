//! What an object was put together from (`ld -r`) when nothing is left but the names that it defines: compiles whose names are
//! all among them, each name by one.
//!
//! No object can define a name twice, so where several sources fit a name only one of them is in it; the likeliest is
//! taken and the others said. Sources that define nothing for others leave no trace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{At, Index};

/// The compiles found.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// In order of time; whether other sources were as good.
    pub found: Vec<(At, bool)>,
    /// How many of the names no compile explains.
    pub unknown: usize,
}

/// Looks for the compiles that together define `names`, those near to `place` first.
pub(super) fn of(names: &[u64], index: &Index, place: Option<&Path>) -> Cover {
    let all: BTreeSet<u64> = names.iter().copied().collect();
    let near = |path: &Path| {
        let parts = place.map(|p| p.components().zip(path.components()).take_while(|(a, b)| a == b).count());
        parts.unwrap_or(0)
    };
    // Of each source the latest compile that fits.
    let mut fitting: BTreeMap<&Path, At> = BTreeMap::new();
    for at in all.iter().filter_map(|name| index.by_name.get(name)).flatten() {
        let compile = index.compile(*at);
        if compile.names.iter().all(|name| all.contains(name)) {
            let latest = fitting.entry(&compile.source).or_insert(*at);
            *latest = (*latest).max(*at);
        }
    }
    let mut open = all;
    let mut found = BTreeMap::new();
    // Those with the most names first: a source with fewer of them may only look alike.
    let mut order: Vec<At> = fitting.into_values().collect();
    order.sort_by_key(|at| {
        let compile = index.compile(*at);
        (std::cmp::Reverse((compile.names.len(), near(&compile.source))), std::cmp::Reverse(*at))
    });
    let mut taken: BTreeMap<u64, At> = BTreeMap::new();
    for at in order {
        let names = &index.compile(at).names;
        if names.iter().all(|name| open.contains(name)) {
            for name in names {
                open.remove(name);
                taken.insert(*name, at);
            }
            found.insert(at, false);
        } else {
            // A rival of whatever has its names.
            for other in names.iter().filter_map(|name| taken.get(name)) {
                found.insert(*other, true);
            }
        }
    }
    Cover { found: found.into_iter().collect(), unknown: open.len() }
}
