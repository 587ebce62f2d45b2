//! Which members of static archives a link takes.
//!
//! The rule of Unix linkers: inputs are read in order; an object goes in whole; an archive gives every member that
//! defines a symbol still undefined at that point, repeated until nothing more is taken; a group repeats over its
//! archives. Weak references take nothing. Where the symbols of an input cannot be read (slim link-time
//! optimisation, bitcode) every member is kept and a note says so: too many units, never too few.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::archive::Symbols;

/// One input as the choice sees it.
#[derive(Debug)]
pub enum Item {
    /// Object or source: goes in whole.
    Object(Symbols),
    /// Shared object: its definitions satisfy, its needs may take members.
    Shared(Symbols),
    /// Archive with the symbols of its members.
    Archive {
        /// Symbols of each member, in archive order.
        members: Rc<Vec<Symbols>>,
        /// `--whole-archive`.
        whole: bool,
        /// Number of its group.
        group: Option<u32>,
    },
    /// Contributes nothing that is known.
    Nothing,
}

/// The members taken, by item and member index; all empty for items that are no archives.
#[derive(Debug, PartialEq, Eq)]
pub struct Selection {
    /// `pulled[item][member]`.
    pub pulled: Vec<Vec<bool>>,
    /// Some symbols were not to be had, so every member counts as taken.
    pub conservative: bool,
}

/// Chooses. `roots` are the symbols needed from outside: `main`, an entry point, `-u` names.
#[must_use]
pub fn select(items: &[Item], roots: &[Vec<u8>]) -> Selection {
    let opaque = |s: &Symbols| s.opaque;
    let conservative = items.iter().any(|item| match item {
        Item::Object(s) => s.opaque,
        Item::Archive { members, .. } => members.iter().any(opaque),
        Item::Shared(_) | Item::Nothing => false,
    });
    let mut pulled: Vec<Vec<bool>> = items
        .iter()
        .map(|item| match item {
            Item::Archive { members, whole, .. } => vec![*whole || conservative; members.len()],
            _ => Vec::new(),
        })
        .collect();
    if conservative {
        return Selection { pulled, conservative };
    }
    let mut state = State::default();
    state.needed.extend(roots.iter().cloned());
    let mut i = 0;
    while i < items.len() {
        match &items[i] {
            Item::Object(s) | Item::Shared(s) => state.add(s),
            Item::Nothing => {}
            Item::Archive { members, whole: true, .. } => members.iter().for_each(|m| state.add(m)),
            Item::Archive { group: None, .. } => while state.take(&items[i], &mut pulled[i]) {},
            Item::Archive { group, .. } => {
                let end = (i..items.len())
                    .rev()
                    .find(|&j| matches!(&items[j], Item::Archive { group: g, .. } if g == group))
                    .unwrap_or(i);
                // Objects inside the group count before its archives are searched again.
                for item in &items[i..=end] {
                    match item {
                        Item::Object(s) | Item::Shared(s) => state.add(s),
                        Item::Archive { members, whole: true, .. } => {
                            members.iter().for_each(|m| state.add(m));
                        }
                        _ => {}
                    }
                }
                let mut again = true;
                while again {
                    again = false;
                    for j in i..=end {
                        again |= state.take(&items[j], &mut pulled[j]);
                    }
                }
                i = end;
            }
        }
        i += 1;
    }
    Selection { pulled, conservative }
}

#[derive(Default)]
struct State {
    defined: BTreeSet<Vec<u8>>,
    needed: BTreeSet<Vec<u8>>,
}

impl State {
    fn add(&mut self, symbols: &Symbols) {
        for name in &symbols.defined {
            self.needed.remove(name);
            self.defined.insert(name.clone());
        }
        for name in &symbols.needed {
            if !self.defined.contains(name) {
                self.needed.insert(name.clone());
            }
        }
    }

    /// One pass over an archive; whether a member was taken.
    fn take(&mut self, item: &Item, pulled: &mut [bool]) -> bool {
        let Item::Archive { members, whole: false, .. } = item else { return false };
        let mut any = false;
        for (member, taken) in members.iter().zip(pulled) {
            if !*taken && member.defined.iter().any(|name| self.needed.contains(name)) {
                *taken = true;
                any = true;
                self.add(member);
            }
        }
        any
    }
}
