//! What is known at a place of a function: facts that hold in every execution that gets there.
//!
//! The lattice: less knowledge is higher; [`State::meet`] keeps what both sides know. A pointer is described by the
//! kinds of failure that an access through it, or through a pointer computed from it, cannot have ([`Safe`]), and by
//! the bytes around it that lie in its object ([`Extent`]). Both are vacuous for the null pointer where only
//! `null-deref` can happen.

use super::birth::Ranges;
use super::function::Known;
use super::interval::Interval;
use super::linear::Linear;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
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
    /// It is not the null pointer; what is computed from it may be.
    pub const NONZERO: Safe = Safe(64);
    /// The null pointer: an access fails `null-deref` and nothing else.
    pub const OF_NULL: Safe = Safe(2 | 4 | 8 | 16 | 32);
    /// What an access that passed shows.
    pub const ACCESSED: Safe = Safe(1 | 2 | 4 | 8 | 32 | 64);
    /// An object of the program that lives and may be written.
    pub const OBJECT: Safe = Safe(1 | 2 | 4 | 8 | 16 | 32 | 64);

    /// The beginning of a function, which is no data.
    pub const FUNCTION: Safe = Safe(1 | 4 | 8 | 32 | 64);

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// How much of its object lies behind a pointer, by other values.
#[derive(Clone, PartialEq, Debug)]
pub enum Spans {
    /// The null pointer: nothing is out of bounds.
    Null,
    /// Bytes from the pointer on that are inside its object: at least each of these, where it is above 0.
    Bytes(Vec<Linear<Value>>),
}

impl Spans {
    /// What both say.
    fn common(&self, other: &Spans) -> Option<Spans> {
        match (self, other) {
            (Spans::Null, s) | (s, Spans::Null) => Some(s.clone()),
            (Spans::Bytes(a), Spans::Bytes(b)) => {
                let least = |x: &Linear<Value>| {
                    let y = b.iter().find(|y| y.terms() == x.terms())?;
                    Some(if x.constant() <= y.constant() { x.clone() } else { y.clone() })
                };
                let both: Vec<_> = a.iter().filter_map(least).collect();
                (!both.is_empty()).then_some(Spans::Bytes(both))
            }
        }
    }
}

/// Expressions that are kept of how much of its object lies behind one pointer.
const MAX_SPANS: usize = 3;
/// Facts about several numbers that are kept of a place.
const MAX_FACTS: usize = 48;

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
    /// Of places that hold no value of the function's: what paths agree on, or what came from a caller or callee.
    contents: Rc<BTreeMap<Cell, Known>>,
    /// New objects at which nobody else has looked so far, by pointer: bytes that were written.
    unseen: Rc<BTreeMap<Value, Ranges>>,
    /// Sums of multiples of several numbers, and a number with which each of them is not above 0.
    facts: Rc<BTreeMap<Vec<(Value, i128)>, i128>>,
    spans: Rc<BTreeMap<Base, Spans>>,
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
        if self.contents.contains_key(&c) {
            Rc::make_mut(&mut self.contents).remove(&c);
        }
        Rc::make_mut(&mut self.memory).insert(c, v);
    }
    /// What is known of what a place holds, where that is no value of the function.
    pub fn content(&self, c: &Cell) -> Option<&Known> {
        self.contents.get(c)
    }
    /// It holds something of which this is known.
    pub fn set_content(&mut self, c: Cell, k: Known) {
        if self.memory.contains_key(&c) {
            Rc::make_mut(&mut self.memory).remove(&c);
        }
        if k == Known::default() {
            if self.contents.contains_key(&c) {
                Rc::make_mut(&mut self.contents).remove(&c);
            }
        } else if self.contents.get(&c) != Some(&k) {
            Rc::make_mut(&mut self.contents).insert(c, k);
        }
    }
    /// Places that hold values of the function.
    pub fn values_held(&self) -> impl Iterator<Item = (&Cell, Value)> {
        self.memory.iter().map(|(c, v)| (c, *v))
    }
    /// The other places of which something is known.
    pub fn contents(&self) -> impl Iterator<Item = (&Cell, &Known)> {
        self.contents.iter()
    }
    /// Bytes that were written of a new object that nobody else has looked at.
    pub fn unseen(&self, v: Value) -> Option<&Ranges> {
        self.unseen.get(&v)
    }
    /// All such.
    pub fn all_unseen(&self) -> Vec<Value> {
        self.unseen.keys().copied().collect()
    }
    /// There are such.
    pub fn any_unseen(&self) -> bool {
        !self.unseen.is_empty()
    }
    /// Replaces.
    pub fn set_unseen(&mut self, v: Value, r: Ranges) {
        if self.unseen.get(&v) != Some(&r) {
            Rc::make_mut(&mut self.unseen).insert(v, r);
        }
    }
    /// Others may look at it.
    pub fn remove_unseen(&mut self, v: Value) {
        if self.unseen.contains_key(&v) {
            Rc::make_mut(&mut self.unseen).remove(&v);
        }
    }
    /// Sums of several numbers that are not above 0: the multiples, and the number beside them.
    pub fn facts(&self) -> impl Iterator<Item = (&[(Value, i128)], i128)> {
        self.facts.iter().map(|(t, c)| (t.as_slice(), *c))
    }
    /// There are none.
    pub fn no_facts(&self) -> bool {
        self.facts.is_empty()
    }
    /// Drops what is said of values that `keep` does not want.
    pub fn retain_values(&mut self, keep: impl Fn(Value) -> bool) {
        if self.facts.keys().any(|t| t.iter().any(|t| !keep(t.0))) {
            Rc::make_mut(&mut self.facts).retain(|t, _| t.iter().all(|t| keep(t.0)));
        }
        let kept = |l: &Linear<Value>| l.terms().iter().all(|t| keep(t.0));
        let all = |s: &Spans| matches!(s, Spans::Bytes(all) if !all.iter().all(kept));
        if self.spans.values().any(all) {
            Rc::make_mut(&mut self.spans).retain(|_, s| match s {
                Spans::Null => true,
                Spans::Bytes(all) => {
                    all.retain(kept);
                    !all.is_empty()
                }
            });
        }
    }
    /// The two states know the same such sums.
    pub fn same_facts(&self, other: &State) -> bool {
        Rc::ptr_eq(&self.facts, &other.facts)
    }
    /// The constant with which such a sum is known.
    pub fn fact(&self, terms: &[(Value, i128)]) -> Option<i128> {
        self.facts.get(terms).copied()
    }
    /// This sum of several numbers is not above 0.
    pub fn add_fact(&mut self, l: &Linear<Value>) {
        if l.terms().len() < 2 {
            return;
        }
        let old = self.fact(l.terms());
        if old.is_some_and(|c| c >= l.constant()) {
            return;
        }
        if old.is_some() || self.facts.len() < MAX_FACTS {
            Rc::make_mut(&mut self.facts).insert(l.terms().to_vec(), l.constant());
        }
    }
    /// How much of its object lies behind a pointer.
    pub fn spans(&self, b: Base) -> Option<&Spans> {
        self.spans.get(&b)
    }
    /// All pointers of which that is known.
    pub fn all_spans(&self) -> impl Iterator<Item = (Base, &Spans)> {
        self.spans.iter().map(|(b, s)| (*b, s))
    }
    /// Replaces.
    pub fn set_spans(&mut self, b: Base, s: Spans) {
        if self.spans.get(&b) != Some(&s) {
            Rc::make_mut(&mut self.spans).insert(b, s);
        }
    }
    /// Adds.
    pub fn add_span(&mut self, b: Base, l: Linear<Value>) {
        let mut all = match self.spans.get(&b) {
            Some(Spans::Null) => return,
            Some(Spans::Bytes(all)) => all.clone(),
            None => Vec::new(),
        };
        match all.iter().position(|x| x.terms() == l.terms()) {
            Some(i) if all[i].constant() >= l.constant() => return,
            Some(i) => all[i] = l,
            None if all.len() < MAX_SPANS => all.push(l),
            None => return,
        }
        self.set_spans(b, Spans::Bytes(all));
    }
    /// Number of facts.
    pub fn size(&self) -> usize {
        self.safe.len()
            + self.facts.len()
            + self.spans.len()
            + self.extent.len()
            + self.range.len()
            + self.definedness.len()
            + self.memory.len()
            + self.contents.len()
    }
    /// Something is known of what memory holds.
    pub fn knows_memory(&self) -> bool {
        !self.memory.is_empty() || !self.contents.is_empty()
    }
    /// Keeps the contents that `keep` says.
    pub fn retain_memory(&mut self, mut keep: impl FnMut(&Cell) -> bool) {
        remove(&mut self.memory, &mut keep);
        remove(&mut self.contents, &mut keep);
    }

    /// Takes properties from the pointers in the places that `lose` says.
    pub fn lose_in_memory(&mut self, what: Safe, mut lose: impl FnMut(&Cell) -> bool) {
        let hit = |c: &Cell, k: &Known| k.safe.common(what) != Safe::NONE && c.2 == Ty::Ptr;
        let gone: Vec<Cell> = self.contents.iter().filter(|(c, k)| hit(c, k) && lose(c)).map(|(c, _)| *c).collect();
        for c in gone {
            let k = self.contents[&c];
            self.set_content(c, Known { safe: k.safe.without(what), ..k });
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
        if self.contents.keys().any(|c| c.0 == b) {
            Rc::make_mut(&mut self.contents).retain(|c, _| c.0 != b);
        }
        if self.facts.keys().any(|t| t.iter().any(|t| t.0 == v)) {
            Rc::make_mut(&mut self.facts).retain(|t, _| t.iter().all(|t| t.0 != v));
        }
        let about = |s: &Spans| matches!(s, Spans::Bytes(all) if all.iter().any(|l| l.factor(v) != 0));
        if self.spans.iter().any(|(c, s)| *c == b || about(s)) {
            let m = Rc::make_mut(&mut self.spans);
            m.remove(&b);
            m.retain(|_, s| match s {
                Spans::Null => true,
                Spans::Bytes(all) => {
                    all.retain(|l| l.factor(v) == 0);
                    !all.is_empty()
                }
            });
        }
    }

    /// What both know; bounds that moved since `self` are widened. Of places that hold different values, nothing:
    /// [`State::meet_contents`].
    pub fn meet(&self, other: &State, widen: Widen<'_>) -> State {
        let mut out = self.clone();
        agree(&mut out.safe, &other.safe, |_, s, o| Some(s.common(*o)).filter(|c| *c != Safe::NONE));
        // A pointer that walks through its object loses a piece with every step.
        let stays = |e: &Extent, c: &Extent| matches!(widen, Widen::No) || c == e;
        agree(&mut out.extent, &other.extent, |_, e, o| e.common(*o).filter(|c| stays(e, c)));
        agree(&mut out.range, &other.range, |v, i, o| {
            let h = i.hull(*o);
            match widen {
                Widen::Jump(width) if h != *i => Some(h.widen(*i, width(*v))),
                Widen::Drop if h != *i => None,
                _ => Some(h),
            }
        });
        agree(&mut out.definedness, &other.definedness, |_, d, o| Some(*d.min(o)));
        agree(&mut out.memory, &other.memory, |_, v, o| (v == o).then_some(*v));
        agree(&mut out.unseen, &other.unseen, |_, r, o| Some(r.common(o)));
        let moves = !matches!(widen, Widen::No);
        agree(&mut out.facts, &other.facts, |_, c, o| Some(*c.min(o)).filter(|m| !moves || m == c));
        agree(&mut out.spans, &other.spans, |_, s, o| s.common(o).filter(|m| !moves || m == s));
        agree(&mut out.contents, &other.contents, |c, k, o| {
            Some(agreed(c, k, o, widen)).filter(|k| *k != Known::default())
        });
        out
    }

    /// Places whose contents the two name in different ways.
    pub fn differing(&self, other: &State) -> Vec<Cell> {
        let mut out = Vec::new();
        if !Rc::ptr_eq(&self.memory, &other.memory) {
            let known = |c: &Cell| other.memory.contains_key(c) || other.contents.contains_key(c);
            out.extend(self.memory.iter().filter(|(c, v)| other.memory.get(c) != Some(v) && known(c)).map(|(c, _)| *c));
        }
        if !self.contents.is_empty() {
            out.extend(self.contents.keys().filter(|c| other.memory.contains_key(c)));
        }
        out
    }

    /// What two paths that know `a` and `b` of a place agree on is known of it.
    pub fn meet_contents(&mut self, c: Cell, a: &Known, b: &Known, widen: Widen<'_>) {
        let k = agreed(&c, a, b, widen);
        self.set_content(c, k);
    }
}

/// What two paths agree on; bounds that moved are widened.
fn agreed(c: &Cell, old: &Known, new: &Known, widen: Widen<'_>) -> Known {
    let mut k = old.meet(new);
    if !matches!(widen, Widen::No) && k.extent != old.extent {
        k.extent = None;
    }
    if let (Some(h), Some(o)) = (k.range, old.range)
        && h != o
    {
        k.range = match (widen, c.2) {
            (Widen::No, _) => Some(h),
            (Widen::Jump(_), Ty::Int(w)) => Some(h.widen(o, w)),
            _ => None,
        };
    }
    k
}

/// Takes the places that are not kept.
fn remove<T: Clone>(m: &mut Rc<BTreeMap<Cell, T>>, keep: &mut impl FnMut(&Cell) -> bool) {
    let gone: Vec<Cell> = m.keys().filter(|c| !keep(c)).copied().collect();
    if !gone.is_empty() {
        let m = Rc::make_mut(m);
        gone.iter().for_each(|c| _ = m.remove(c));
    }
}

/// Keeps of one part what it and another agree on. Where nothing changes, it stays shared.
fn agree<K: Ord + Clone, T: PartialEq>(
    part: &mut Rc<BTreeMap<K, T>>,
    other: &Rc<BTreeMap<K, T>>,
    both: impl Fn(&K, &T, &T) -> Option<T>,
) {
    if Rc::ptr_eq(part, other) {
        return;
    }
    let mut all = Together { one: part.iter(), other: other.iter().peekable() };
    if all.by_ref().all(|(k, x, y)| y.is_some_and(|y| both(k, x, y).as_ref() == Some(x))) {
        return;
    }
    let all = Together { one: part.iter(), other: other.iter().peekable() };
    *part = Rc::new(all.filter_map(|(k, x, y)| Some((k.clone(), both(k, x, y?)?))).collect());
}

/// The entries of one map with those of another under the same keys.
struct Together<'a, K, T> {
    one: std::collections::btree_map::Iter<'a, K, T>,
    other: std::iter::Peekable<std::collections::btree_map::Iter<'a, K, T>>,
}

impl<'a, K: Ord, T> Iterator for Together<'a, K, T> {
    type Item = (&'a K, &'a T, Option<&'a T>);

    fn next(&mut self) -> Option<Self::Item> {
        let (k, x) = self.one.next()?;
        while self.other.next_if(|o| o.0 < k).is_some() {}
        Some((k, x, self.other.peek().filter(|o| o.0 == k).map(|o| o.1)))
    }
}
