//! What is known at a place of a function: facts that hold in every execution that gets there.
//!
//! The lattice: less knowledge is higher; [`State::meet`] keeps what both sides know. A pointer is described by the
//! kinds of failure that an access through it, or through a pointer computed from it, cannot have ([`Safe`]), and by
//! the bytes around it that lie in its object ([`Extent`]). Both are vacuous for the null pointer where only
//! `null-deref` can happen.

use super::interval::Interval;
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_ir::{SymbolRef, Ty, Value};

/// What a pointer is computed from: a value, or the address of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// An SSA value.
    Value(Value),
    /// A variable.
    Symbol(SymbolRef),
}

/// A set of properties of a pointer and of all that is computed from it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Safe(u8);

impl Safe {
    /// Nothing known.
    pub const NONE: Safe = Safe(0);
    /// An access never fails `null-deref`.
    pub const NULL: Safe = Safe(1);
    /// An access never fails `invalid-deref`.
    pub const INVALID: Safe = Safe(2);
    /// An access from here on never fails `use-after-free`.
    pub const FREED: Safe = Safe(4);
    /// An access from here on never fails `use-after-scope`.
    pub const SCOPE: Safe = Safe(8);
    /// A write never fails `read-only-write`.
    pub const WRITABLE: Safe = Safe(16);
    /// It is the null pointer itself, or made from the address of an object.
    pub const HONEST: Safe = Safe(32);
    /// The null pointer: an access fails `null-deref` and nothing else.
    pub const OF_NULL: Safe = Safe(2 | 4 | 8 | 16 | 32);
    /// What an access that passed shows.
    pub const ACCESSED: Safe = Safe(1 | 2 | 4 | 8 | 32);
    /// An object of the program that lives and may be written.
    pub const OBJECT: Safe = Safe(1 | 2 | 4 | 8 | 16 | 32);

    /// Has all of the others.
    pub fn has(self, other: Safe) -> bool {
        self.0 & other.0 == other.0
    }
    /// Both together.
    pub fn with(self, other: Safe) -> Safe {
        Safe(self.0 | other.0)
    }
    /// Without the others.
    pub fn without(self, other: Safe) -> Safe {
        Safe(self.0 & !other.0)
    }
    /// What both have.
    pub fn common(self, other: Safe) -> Safe {
        Safe(self.0 & other.0)
    }
}

/// Bytes at these offsets from a pointer are inside its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// First.
    pub lo: i64,
    /// Behind the last.
    pub hi: i64,
}

impl Extent {
    /// Of the null pointer, with which nothing is out of bounds.
    pub const ALL: Extent = Extent { lo: i64::MIN, hi: i64::MAX };

    /// The same bytes seen from a pointer `by` bytes on.
    pub fn seen_from(self, by: i64) -> Option<Extent> {
        if self == Extent::ALL {
            return Some(self);
        }
        Some(Extent { lo: self.lo.checked_sub(by)?, hi: self.hi.checked_sub(by)? })
    }
    /// Bytes in both.
    pub fn common(self, other: Extent) -> Option<Extent> {
        let r = Extent { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) };
        (r.lo < r.hi).then_some(r)
    }
    /// The least range over both: an object is in one piece.
    pub fn hull(self, other: Extent) -> Extent {
        Extent { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
    /// `n` bytes at `at` are among them.
    pub fn covers(self, at: i64, n: u64) -> bool {
        let end = i64::try_from(n).ok().and_then(|n| at.checked_add(n));
        self.lo <= at && end.is_some_and(|e| e <= self.hi)
    }
}

/// A place in memory as the function names it, and how it is read.
pub type Cell = (Base, i64, Ty);

/// What becomes of bounds that move.
#[derive(Clone, Copy)]
pub enum Widen<'a> {
    /// They move as they do.
    No,
    /// On to the next likely one; the function says how many bits a value has.
    Jump(&'a dyn Fn(Value) -> u32),
    /// They are given up.
    Drop,
}

/// Which bits of a value are defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Definedness {
    /// All or none.
    Whole,
    /// All.
    Defined,
}

/// Facts. The parts are shared between states until they differ.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    safe: Rc<BTreeMap<Base, Safe>>,
    extent: Rc<BTreeMap<Base, Extent>>,
    range: Rc<BTreeMap<Value, Interval>>,
    definedness: Rc<BTreeMap<Value, Definedness>>,
    memory: Rc<BTreeMap<Cell, Value>>,
}

impl State {
    /// Of a pointer.
    pub fn safe(&self, b: Base) -> Safe {
        self.safe.get(&b).copied().unwrap_or_default()
    }
    /// Adds.
    pub fn add_safe(&mut self, b: Base, s: Safe) {
        let old = self.safe(b);
        if !old.has(s) {
            Rc::make_mut(&mut self.safe).insert(b, old.with(s));
        }
    }
    /// Of a pointer.
    pub fn extent(&self, b: Base) -> Option<Extent> {
        self.extent.get(&b).copied()
    }
    /// Replaces.
    pub fn set_extent(&mut self, b: Base, e: Extent) {
        if self.extent.get(&b) != Some(&e) {
            Rc::make_mut(&mut self.extent).insert(b, e);
        }
    }
    /// Of a number, where better than its type.
    pub fn range(&self, v: Value) -> Option<Interval> {
        self.range.get(&v).copied()
    }
    /// Replaces.
    pub fn set_range(&mut self, v: Value, i: Interval) {
        if self.range.get(&v) != Some(&i) {
            Rc::make_mut(&mut self.range).insert(v, i);
        }
    }
    /// Which bits are defined; [`None`]: any.
    pub fn definedness(&self, v: Value) -> Option<Definedness> {
        self.definedness.get(&v).copied()
    }
    /// Every bit is defined.
    pub fn defined(&self, v: Value) -> bool {
        self.definedness(v) == Some(Definedness::Defined)
    }
    /// Adds.
    pub fn set_defined(&mut self, v: Value) {
        self.set_definedness(v, Definedness::Defined);
    }
    /// Adds.
    pub fn set_definedness(&mut self, v: Value, d: Definedness) {
        if self.definedness(v) < Some(d) {
            Rc::make_mut(&mut self.definedness).insert(v, d);
        }
    }
    /// What a place holds.
    pub fn held(&self, c: &Cell) -> Option<Value> {
        self.memory.get(c).copied()
    }
    /// It holds this now.
    pub fn set_held(&mut self, c: Cell, v: Value) {
        Rc::make_mut(&mut self.memory).insert(c, v);
    }
    /// Keeps the contents that `keep` says.
    pub fn retain_memory(&mut self, mut keep: impl FnMut(&Cell) -> bool) {
        let gone: Vec<Cell> = self.memory.keys().filter(|c| !keep(c)).copied().collect();
        if !gone.is_empty() {
            let m = Rc::make_mut(&mut self.memory);
            gone.iter().for_each(|c| _ = m.remove(c));
        }
    }

    /// Takes properties from the pointers that `lose` says.
    pub fn lose(&mut self, what: Safe, mut lose: impl FnMut(Base) -> bool) {
        let hit: Vec<Base> =
            self.safe.iter().filter(|(b, s)| s.common(what) != Safe::NONE && lose(**b)).map(|(b, _)| *b).collect();
        if !hit.is_empty() {
            let m = Rc::make_mut(&mut self.safe);
            for b in hit {
                let rest = m.get(&b).map_or(Safe::NONE, |s| s.without(what));
                // One form for each state.
                if rest == Safe::NONE { _ = m.remove(&b) } else { _ = m.insert(b, rest) }
            }
        }
    }

    /// The value is made anew: nothing that was known of it holds.
    pub fn forget(&mut self, v: Value) {
        let b = Base::Value(v);
        if self.safe.contains_key(&b) {
            Rc::make_mut(&mut self.safe).remove(&b);
        }
        if self.extent.contains_key(&b) {
            Rc::make_mut(&mut self.extent).remove(&b);
        }
        if self.range.contains_key(&v) {
            Rc::make_mut(&mut self.range).remove(&v);
        }
        if self.definedness.contains_key(&v) {
            Rc::make_mut(&mut self.definedness).remove(&v);
        }
        if self.memory.iter().any(|(c, w)| c.0 == b || *w == v) {
            Rc::make_mut(&mut self.memory).retain(|c, w| c.0 != b && *w != v);
        }
    }

    /// What both know; bounds that moved since `self` are widened.
    pub fn meet(&self, other: &State, widen: Widen<'_>) -> State {
        let mut out = self.clone();
        if !Rc::ptr_eq(&self.safe, &other.safe) {
            let m = self.safe.iter().filter_map(|(b, s)| {
                let c = s.common(other.safe(*b));
                (c != Safe::NONE).then_some((*b, c))
            });
            out.safe = same(&self.safe, m.collect());
        }
        if !Rc::ptr_eq(&self.extent, &other.extent) {
            let m = self.extent.iter().filter_map(|(b, e)| {
                let c = e.common(other.extent(*b)?)?;
                // A pointer that walks through its object loses a piece with every step.
                (matches!(widen, Widen::No) || c == *e).then_some((*b, c))
            });
            out.extent = same(&self.extent, m.collect());
        }
        if !Rc::ptr_eq(&self.range, &other.range) {
            let m = self.range.iter().filter_map(|(v, i)| {
                let h = i.hull(other.range(*v)?);
                match widen {
                    Widen::Jump(width) if h != *i => Some((*v, h.widen(*i, width(*v)))),
                    Widen::Drop if h != *i => None,
                    _ => Some((*v, h)),
                }
            });
            out.range = same(&self.range, m.collect());
        }
        if !Rc::ptr_eq(&self.definedness, &other.definedness) {
            let m = self.definedness.iter().filter_map(|(v, d)| Some((*v, (*d).min(other.definedness(*v)?))));
            out.definedness = same(&self.definedness, m.collect());
        }
        if !Rc::ptr_eq(&self.memory, &other.memory) {
            let m = self.memory.iter().filter(|(c, v)| other.memory.get(c) == Some(v)).map(|(c, v)| (*c, *v));
            out.memory = same(&self.memory, m.collect());
        }
        out
    }
}

/// The old part when nothing changed, so that it stays shared.
fn same<T: PartialEq>(old: &Rc<T>, new: T) -> Rc<T> {
    if **old == new { old.clone() } else { Rc::new(new) }
}
