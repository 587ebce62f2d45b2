//! What a store or a call may change, asked once per pair of places.

use super::Given;
use super::contents::Contents;
use super::state::{Base, Cell, Extent};
use crate::effects::Access;
use crate::points_to::hash::FastMap;
use crate::points_to::{Location, ObjectId, ObjectKind, Offset, Targets};
use verify_ir::{Const, FuncId, Loc, Operand};

/// Number of an interned answer of the points-to analysis.
type Set = u32;

/// Answers for one function.
pub struct Alias<'a> {
    given: Given<'a>,
    contents: &'a Contents,
    func: FuncId,
    sets: Vec<Targets>,
    of_base: FastMap<Base, Set>,
    extents: FastMap<Set, Option<Extent>>,
    overlaps: FastMap<(Set, u64, Set, u64), bool>,
    written: FastMap<(Loc, Set, u64), bool>,
    released: FastMap<(Loc, Set), bool>,
}

/// The object is there before and after every call.
pub fn outlives_calls(k: &ObjectKind) -> bool {
    matches!(k, ObjectKind::Global(_) | ObjectKind::Function(_) | ObjectKind::Heap { .. } | ObjectKind::Unknown)
}

/// Longer than any object: for accesses of unknown length.
pub const LONG: u64 = 1 << 40;

impl<'a> Alias<'a> {
    /// For a function.
    pub fn new(given: Given<'a>, func: FuncId, contents: &'a Contents) -> Alias<'a> {
        Alias {
            given,
            contents,
            func,
            sets: Vec::new(),
            of_base: FastMap::default(),
            extents: FastMap::default(),
            overlaps: FastMap::default(),
            written: FastMap::default(),
            released: FastMap::default(),
        }
    }

    fn set(&mut self, b: Base) -> Set {
        if let Some(s) = self.of_base.get(&b) {
            return *s;
        }
        let o = match b {
            Base::Value(v) => Operand::Value(v),
            Base::Symbol(s) => Operand::Const(Const::Symbol(s)),
        };
        let t = self.given.points_to.of(self.func, &o);
        self.sets.push(t);
        let s = self.sets.len() as Set - 1;
        self.of_base.insert(b, s);
        s
    }

    /// Where it may point.
    pub fn targets(&mut self, b: Base) -> &Targets {
        let s = self.set(b);
        &self.sets[s as usize]
    }

    fn all(&mut self, b: Base, mut f: impl FnMut(&ObjectKind, bool) -> bool) -> bool {
        let s = self.set(b);
        let t = &self.sets[s as usize];
        let p = self.given.points_to;
        !t.unknown && t.places.iter().all(|l| f(&p.object(l.object).kind, p.object(l.object).read_only))
    }

    /// Points to nothing that the program may release.
    pub fn never_released(&mut self, b: Base) -> bool {
        let s = self.set(b);
        let t = &self.sets[s as usize];
        !t.unknown
            && t.places.iter().all(|l| match &self.given.points_to.object(l.object).kind {
                ObjectKind::Global(_)
                | ObjectKind::Function(_)
                | ObjectKind::Stack { .. }
                | ObjectKind::ByVal { .. }
                | ObjectKind::VarArgs { .. } => true,
                ObjectKind::Heap { .. } => !self.contents.may_be_freed(&self.given, l.object),
                _ => false,
            })
    }

    /// Points to no local variable of the program: none that escaped, where it comes from outside. Those of unknown code
    /// live, as the input contract says.
    pub fn never_stack(&mut self, b: Base) -> bool {
        let s = self.set(b);
        let t = &self.sets[s as usize];
        let p = self.given.points_to;
        (!t.unknown || !self.contents.stack_escapes())
            && t.places.iter().all(|l| outlives_calls(&p.object(l.object).kind))
    }

    /// Points to nothing that must not be written.
    pub fn never_read_only(&mut self, b: Base) -> bool {
        // A constant that is defined elsewhere may be one there, too.
        let module = self.given.module;
        let constant = |k: &ObjectKind| matches!(k, ObjectKind::Global(g) if module.global(*g).constant);
        self.all(b, |k, ro| !ro && !matches!(k, ObjectKind::Function(_)) && !constant(k))
    }

    /// Bytes around the pointer that are inside whatever object it points to.
    pub fn extent(&mut self, b: Base) -> Option<Extent> {
        let s = self.set(b);
        if let Some(e) = self.extents.get(&s) {
            return *e;
        }
        let t = &self.sets[s as usize];
        let p = self.given.points_to;
        let of = |l: &Location| {
            let size = i64::try_from(p.object(l.object).size?).ok()?;
            let (lo, hi) = l.offset.bounds()?;
            Some(Extent { lo: lo.checked_neg()?, hi: size.checked_sub(hi)? })
        };
        let all = if t.unknown || t.places.is_empty() {
            None
        } else {
            t.places.iter().map(of).reduce(|a, b| a?.common(b?)).flatten().filter(|e| e.lo < e.hi)
        };
        self.extents.insert(s, all);
        all
    }

    /// May point into this local variable.
    pub fn may_be(&mut self, b: Base, alloca: verify_ir::Value) -> bool {
        let s = self.set(b);
        let t = &self.sets[s as usize];
        let p = self.given.points_to;
        t.unknown
            || t.places.iter().any(
                |l| matches!(&p.object(l.object).kind, ObjectKind::Stack { func, value, .. } if *func == self.func && *value == alloca),
            )
    }

    /// A write of `n` bytes at `at` from a pointer may change a cell.
    pub fn changes(&mut self, b: Base, at: Option<i64>, n: u64, c: &Cell, size: u64) -> bool {
        if b == c.0
            && let Some(at) = at
        {
            // One object or none: the offsets decide.
            return at < c.1.saturating_add(size as i64) && c.1 < at.saturating_add(n.min(LONG) as i64);
        }
        let (s, t) = (self.set(b), self.set(c.0));
        // The sets are those of the bases; offsets from them are anything that is not known to be constant.
        let key = (s, if at.is_some() { 1 } else { 0 }, t, 0);
        if let Some(r) = self.overlaps.get(&key) {
            return *r;
        }
        let (x, y) = (&self.sets[s as usize], &self.sets[t as usize]);
        let p = self.given.points_to;
        let outside = |t: &Targets| t.unknown || t.places.iter().any(|l| p.escaped(l.object));
        let common = || {
            let (mut i, mut j) = (0, 0);
            while i < x.places.len() && j < y.places.len() {
                match x.places[i].object.cmp(&y.places[j].object) {
                    std::cmp::Ordering::Less => i += 1,
                    std::cmp::Ordering::Greater => j += 1,
                    std::cmp::Ordering::Equal => return true,
                }
            }
            false
        };
        let r = x.unknown && outside(y) || y.unknown && outside(x) || common();
        self.overlaps.insert(key, r);
        r
    }

    /// The call may change bytes at this distance from a pointer.
    pub fn call_changes(&mut self, loc: Loc, c: &Cell, size: u64) -> bool {
        let t = self.set(c.0);
        let key = (loc, t, 0);
        if let Some(r) = self.written.get(&key) {
            return *r;
        }
        let _ = size;
        let r = match self.given.effects.of_call(self.func, loc) {
            None => true,
            Some(e) => {
                let targets = &self.sets[t as usize];
                let p = self.given.points_to;
                let whole = |object| Access { object, offset: Offset::ANY, size: None };
                targets.unknown
                    && (e.writes_unknown
                        || self.given.effects.may_write(p, e, whole(ObjectId::UNKNOWN))
                        || p.escaped_objects().iter().any(|o| self.given.effects.may_write(p, e, whole(*o))))
                    || targets.places.iter().any(|l| self.given.effects.may_write(p, e, whole(l.object)))
            }
        };
        self.written.insert(key, r);
        r
    }

    /// The call may release what a pointer points to.
    pub fn call_releases(&mut self, loc: Loc, b: Base) -> bool {
        let t = self.set(b);
        if let Some(r) = self.released.get(&(loc, t)) {
            return *r;
        }
        let r = match self.given.effects.of_call(self.func, loc) {
            None => true,
            Some(e) => {
                let targets = &self.sets[t as usize];
                let p = self.given.points_to;
                let freed = self.given.effects.frees(e);
                let heap = |o: ObjectId| {
                    matches!(
                        p.object(o).kind,
                        ObjectKind::Heap { .. } | ObjectKind::Unknown | ObjectKind::Argv | ObjectKind::ArgvString
                    )
                };
                let hit = |o: ObjectId| {
                    heap(o) && (freed.contains(&o) || e.frees_unknown && (o == ObjectId::UNKNOWN || p.escaped(o)))
                };
                targets.unknown && (e.frees_unknown || freed.iter().any(|o| p.escaped(*o) || *o == ObjectId::UNKNOWN))
                    || targets.places.iter().any(|l| hit(l.object))
            }
        };
        self.released.insert((loc, t), r);
        r
    }
}
