//! What a store or a call may change, asked once per pair of places.

use super::Given;
use super::state::{Base, Cell, Extent};
use crate::effects::Access;
use crate::points_to::hash::FastMap;
use crate::points_to::{Location, ObjectId, ObjectKind, Offset, Targets};
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_ir::{Const, FuncId, Loc, Operand};

/// Number of an interned answer of the points-to analysis.
type Set = u32;

/// Two places: of each the pointer, the distance from it (if constant) and the size in bytes.
type Pair = ((Set, Option<i64>, u64), (Set, i64, u64));

/// What ends lives, anywhere in the program.
#[derive(Default)]
pub struct Lives {
    freed: BTreeSet<ObjectId>,
    frees_unknown: bool,
    /// The address of a local variable gets outside.
    stack_escapes: bool,
}

impl Lives {
    /// Of the program.
    pub fn new(given: &Given<'_>) -> Lives {
        let p = given.points_to;
        let stack_escapes = p.objects().iter().any(|o| o.escaped && !outlives_calls(&o.kind));
        let mut l = Lives { stack_escapes, ..Lives::default() };
        for f in (0..given.module.functions.len()).map(FuncId::new).filter(|f| p.reached(*f)) {
            let e = given.effects.of(f);
            l.freed.extend(given.effects.frees(e));
            l.frees_unknown |= e.frees_unknown;
        }
        l
    }

    /// The program may release the object.
    fn may_be_freed(&self, given: &Given<'_>, o: ObjectId) -> bool {
        self.freed.contains(&o) || self.frees_unknown && given.points_to.escaped(o)
    }
}

/// Answers for one function. They depend on facts that do not change: it is kept from one look at the function to the next.
pub struct Alias<'a> {
    given: Given<'a>,
    lives: Rc<Lives>,
    func: FuncId,
    sets: Vec<Targets>,
    of_base: FastMap<Base, Set>,
    extents: FastMap<Set, Option<Extent>>,
    /// By what a cell is read from.
    of_content: FastMap<Cell, Set>,
    overlaps: FastMap<Pair, bool>,
    written: FastMap<(Loc, Set, i64, u64), bool>,
    released: FastMap<(Loc, Set), bool>,
    read: FastMap<(Loc, ObjectId), bool>,
    /// What calls release.
    frees: FastMap<Loc, Rc<Vec<ObjectId>>>,
    /// Places in all sets.
    size: usize,
}

/// The object is there before and after every call.
pub fn outlives_calls(k: &ObjectKind) -> bool {
    use ObjectKind::{Argv, ArgvString, EnvironmentString, Function, Global, Heap, Unknown};
    matches!(k, Global(_) | Function(_) | Heap { .. } | Unknown | Argv | ArgvString | EnvironmentString)
}

/// Longer than any object: for accesses of unknown length.
pub const LONG: u64 = 1 << 40;

impl<'a> Alias<'a> {
    /// For a function.
    pub fn new(given: Given<'a>, func: FuncId, lives: Rc<Lives>) -> Alias<'a> {
        Alias {
            given,
            lives,
            func,
            sets: Vec::new(),
            of_base: FastMap::default(),
            extents: FastMap::default(),
            of_content: FastMap::default(),
            overlaps: FastMap::default(),
            written: FastMap::default(),
            released: FastMap::default(),
            read: FastMap::default(),
            frees: FastMap::default(),
            size: 0,
        }
    }

    /// Roughly what it keeps: places and answers.
    pub fn size(&self) -> usize {
        self.size + self.overlaps.len() + self.written.len() + self.released.len()
    }

    fn intern(&mut self, t: Targets) -> Set {
        self.size += t.places.len() + 1;
        self.sets.push(t);
        self.sets.len() as Set - 1
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
        let s = self.intern(t);
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
                // The system's, for ever.
                ObjectKind::EnvironmentString => true,
                ObjectKind::Heap { .. } | ObjectKind::Argv | ObjectKind::ArgvString => {
                    !self.lives.may_be_freed(&self.given, l.object)
                }
                _ => false,
            })
    }

    /// Points to no local variable of the program: none that escaped, where it comes from outside. Those of unknown code
    /// live, as the input contract says.
    pub fn never_stack(&mut self, b: Base) -> bool {
        let s = self.set(b);
        let t = &self.sets[s as usize];
        let p = self.given.points_to;
        (!t.unknown || !self.lives.stack_escapes) && t.places.iter().all(|l| outlives_calls(&p.object(l.object).kind))
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
        self.is_in(s, alloca)
    }

    fn is_in(&self, s: Set, alloca: verify_ir::Value) -> bool {
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
        let key = ((s, at, n), (t, c.1, size));
        if let Some(r) = self.overlaps.get(&key) {
            return *r;
        }
        let (x, y) = (&self.sets[s as usize], &self.sets[t as usize]);
        let p = self.given.points_to;
        let outside = |t: &Targets| t.unknown || t.places.iter().any(|l| p.escaped(l.object));
        let touch = |l: &Location, m: &Location| match at {
            Some(at) => l.offset.moved(at).overlaps(n, m.offset.moved(c.1), size),
            None => true,
        };
        let common = || {
            x.places.iter().any(|l| {
                // Sorted by object.
                let from = y.places.partition_point(|m| m.object < l.object);
                y.places[from..].iter().take_while(|m| m.object == l.object).any(|m| touch(l, m))
            })
        };
        let r = x.unknown && outside(y) || y.unknown && outside(x) || common();
        self.overlaps.insert(key, r);
        r
    }

    /// The call may change a cell of this many bytes.
    pub fn call_changes(&mut self, loc: Loc, c: &Cell, size: u64) -> bool {
        let t = self.set(c.0);
        let key = (loc, t, c.1, size);
        if let Some(r) = self.written.get(&key) {
            return *r;
        }
        let r = match self.given.effects.of_call(self.func, loc) {
            None => true,
            Some(e) => {
                let targets = &self.sets[t as usize];
                let p = self.given.points_to;
                let whole = |object| Access { object, offset: Offset::ANY, size: None };
                let here = |l: &Location| Access { object: l.object, offset: l.offset.moved(c.1), size: Some(size) };
                targets.unknown
                    && (e.writes_unknown
                        || self.given.effects.may_write(p, e, whole(ObjectId::UNKNOWN))
                        || p.escaped_objects().iter().any(|o| self.given.effects.may_write(p, e, whole(*o))))
                    || targets.places.iter().any(|l| self.given.effects.may_write(p, e, here(l)))
            }
        };
        self.written.insert(key, r);
        r
    }

    /// The call may read the object.
    pub fn call_reads(&mut self, loc: Loc, o: ObjectId) -> bool {
        let (given, func) = (self.given, self.func);
        *self.read.entry((loc, o)).or_insert_with(|| {
            let whole = Access { object: o, offset: Offset::ANY, size: None };
            given.effects.of_call(func, loc).is_none_or(|e| given.effects.may_read(given.points_to, e, whole))
        })
    }

    /// Where a pointer that is read from a cell may point.
    fn set_of_content(&mut self, c: &Cell) -> Set {
        if let Some(s) = self.of_content.get(c) {
            return *s;
        }
        let p = self.given.points_to;
        let size = c.2.store_bytes(&self.given.module.target);
        let from = self.set(c.0);
        let from = &self.sets[from as usize];
        let mut t = p.contents_of(from.places.iter().map(|l| (l.object, l.offset.moved(c.1))), size);
        t.unknown |= from.unknown;
        let s = self.intern(t);
        self.of_content.insert(*c, s);
        s
    }

    /// The call may release what a pointer points to that is read from a cell.
    pub fn call_releases_content(&mut self, loc: Loc, c: &Cell) -> bool {
        let t = self.set_of_content(c);
        self.call_releases_set(loc, t)
    }

    /// A pointer that is read from a cell may point into this local variable.
    pub fn content_may_be(&mut self, c: &Cell, alloca: verify_ir::Value) -> bool {
        let s = self.set_of_content(c);
        self.is_in(s, alloca)
    }

    /// The call may release what a pointer points to.
    pub fn call_releases(&mut self, loc: Loc, b: Base) -> bool {
        let t = self.set(b);
        self.call_releases_set(loc, t)
    }

    fn call_releases_set(&mut self, loc: Loc, t: Set) -> bool {
        if let Some(r) = self.released.get(&(loc, t)) {
            return *r;
        }
        let r = match self.given.effects.of_call(self.func, loc) {
            None => true,
            Some(e) => {
                let effects = self.given.effects;
                let freed = self.frees.entry(loc).or_insert_with(|| Rc::new(effects.frees(e))).clone();
                let targets = &self.sets[t as usize];
                let p = self.given.points_to;
                let heap = |o: ObjectId| {
                    matches!(
                        p.object(o).kind,
                        ObjectKind::Heap { .. } | ObjectKind::Unknown | ObjectKind::Argv | ObjectKind::ArgvString
                    )
                };
                let hit = |o: ObjectId| {
                    heap(o)
                        && (freed.binary_search(&o).is_ok()
                            || e.frees_unknown && (o == ObjectId::UNKNOWN || p.escaped(o)))
                };
                targets.unknown && (e.frees_unknown || freed.iter().any(|o| p.escaped(*o) || *o == ObjectId::UNKNOWN))
                    || targets.places.iter().any(|l| hit(l.object))
            }
        };
        self.released.insert((loc, t), r);
        r
    }
}
