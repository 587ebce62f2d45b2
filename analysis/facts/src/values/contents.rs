//! What memory holds, whenever it is read: of each abstract object, what all stores that may write there agree on,
//! together with what the object begins with. Flow-insensitive, field-sensitive as the points-to facts are; part of the
//! greatest fixpoint of [`super`]: a store counts with what is known of its value.
//!
//! Memory that was not written since its object was made is undefined, and a program that uses an undefined value
//! fails `uninit-read` there, if nothing earlier. Up to its first failing check, an execution is the same whatever the
//! undefined bits are; so for all other checks they may be taken to be what the stores agree on. A place that no store
//! writes has no value at all: code behind a read of it is not looked at until nothing else is left to do, and then
//! with nothing known.

use super::Given;
use super::birth::{Births, Ranges};
use super::born::filled_at_birth;
use super::function::{Known, defined_here};
use super::interval::Interval;
use super::state::{Extent, Safe};
use crate::points_to::hash::FastMap;
use crate::points_to::{Location, ObjectId, ObjectKind, Offset, Targets, gcd};
use std::collections::BTreeSet;
use verify_ir::inst::Terminator;
use verify_ir::{FuncId, GlobalId, InitData, InstKind, Module, Operand, SymbolRef, Ty};

/// Different writes to one object that are told apart.
const MAX_RECORDS: usize = 200;
/// Times that a write may lose knowledge before bounds are widened, and before they are dropped.
const CHANGES: (u8, u8) = (2, 12);
/// Places of a variable's initialiser that are looked at for one read.
const MAX_POSITIONS: u64 = 1 << 13;
/// Places that are looked at for one read, those that copies come from counted: when many objects are copied to
/// each other there are too many ways.
const MAX_PLACES: u32 = 1 << 9;
/// Longer than any object.
const LONG: u64 = 1 << 40;

/// What a write leaves.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A value of which this is known.
    Value(Known),
    /// Zero bytes.
    Zero,
    /// Zero bytes, all of the object.
    Zeroed,
    /// Bytes from these places.
    Copy(Vec<Location>),
    /// Bytes that are defined.
    Defined,
    /// Anything.
    Unknown,
}

/// A write to an object.
#[derive(Clone, Debug)]
struct Record {
    offset: Offset,
    size: u64,
    what: What,
    changes: u8,
}

/// A write as a function makes it.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where.
    pub places: Vec<Location>,
    /// Bytes; [`None`]: any number.
    pub size: Option<u64>,
    /// What is there then.
    pub what: What,
}

/// All writes so far, by object.
#[derive(Default)]
pub struct Contents {
    records: FastMap<ObjectId, Vec<Record>>,
    readers: FastMap<ObjectId, BTreeSet<FuncId>>,
    /// Heap objects that are filled before they are seen.
    filled: BTreeSet<ObjectId>,
    /// What was written of each before others looked at it; [`None`]: nobody did so far.
    born: FastMap<ObjectId, Option<Ranges>>,
}

/// How a place is read.
#[derive(Clone, Copy)]
pub struct Read {
    /// Bytes.
    pub size: u64,
    /// As what.
    pub ty: Ty,
    /// Through the pointer that a new object was made with.
    pub new: bool,
}

/// What one question about memory has led to so far.
struct Way {
    /// Places that may still be looked at.
    left: u32,
    /// Places that bytes are copied from: where, how many bytes, and whether only their being defined is asked for.
    been: BTreeSet<(Location, u64, bool)>,
    bytes: bool,
}

impl Contents {
    /// Nothing was written yet.
    pub fn new(given: &Given<'_>, births: &Births) -> Contents {
        let mut c = Contents::default();
        for (i, o) in given.points_to.objects().iter().enumerate() {
            if filled_at_birth(given.module, o) {
                c.filled.insert(ObjectId(i as u32));
            }
        }
        let all = (0..given.module.functions.len()).map(FuncId::new).flat_map(|f| births.of(f));
        c.born.extend(all.flat_map(|(_, o)| o).map(|o| (*o, None)));
        c
    }

    /// So much was written of new objects when others looked at them; who has to be looked at again.
    pub fn seen(&mut self, all: &[(ObjectId, Ranges)]) -> BTreeSet<FuncId> {
        let mut again = BTreeSet::new();
        for (o, r) in all {
            let Some(old) = self.born.get_mut(o) else { continue };
            let new = old.as_ref().map_or_else(|| r.clone(), |old| old.common(r));
            if old.as_ref() != Some(&new) {
                *old = Some(new);
                again.extend(self.readers.get(o).into_iter().flatten());
            }
        }
        again
    }

    /// Every byte that a read may touch was written before anyone else looked at the object.
    fn born(&self, given: &Given<'_>, l: Location, read: Read) -> bool {
        match self.born.get(&l.object) {
            _ if read.new => false,
            None => false,
            Some(None) => true,
            Some(Some(r)) => {
                let size = given.points_to.object(l.object).size.and_then(|s| i64::try_from(s).ok());
                let n = i64::try_from(read.size).ok();
                let touched =
                    l.offset.bounds().zip(n).and_then(|((first, last), n)| Some((first, last.checked_add(n)?)));
                // No read leaves the object.
                touched.is_some_and(|(first, end)| r.covers(first, end)) || size.is_some_and(|s| r.covers(0, s))
            }
        }
    }

    /// Adds writes; who has to be looked at again.
    pub fn add(&mut self, given: &Given<'_>, writes: &[Write]) -> BTreeSet<FuncId> {
        let mut again = BTreeSet::new();
        for w in writes {
            for l in &w.places {
                let o = given.points_to.object(l.object);
                if o.read_only || matches!(o.kind, ObjectKind::Function(_)) {
                    continue;
                }
                if self.one(l.object, l.offset, w.size.unwrap_or(LONG), &w.what)
                    && let Some(r) = self.readers.get(&l.object)
                {
                    again.extend(r);
                }
            }
        }
        again
    }

    /// A write; whether it says anything new.
    fn one(&mut self, o: ObjectId, offset: Offset, size: u64, what: &What) -> bool {
        let all = self.records.entry(o).or_default();
        if all.iter().any(|r| r.what == What::Unknown && r.offset == Offset::ANY && r.size == LONG) {
            return false;
        }
        for r in all.iter_mut().filter(|r| r.offset == offset && r.size == size) {
            match (&mut r.what, what) {
                (What::Unknown, _) => return false,
                (What::Defined, What::Value(k)) if k.defined => return false,
                (x, y) if x == y => return false,
                (What::Value(old), What::Value(new)) => {
                    let mut both = old.meet(new);
                    if both == *old {
                        return false;
                    }
                    r.changes = r.changes.saturating_add(1);
                    if r.changes > CHANGES.0
                        && let (Some(b), Some(o)) = (both.range, old.range)
                        && b != o
                    {
                        both.range = u32::try_from(8 * size).ok().map(|w| b.widen(o, w));
                    }
                    *old = if r.changes > CHANGES.1 { old.meet_without_bounds(&both) } else { both };
                    return true;
                }
                _ => {}
            }
        }
        if all.len() >= MAX_RECORDS {
            *all = vec![Record { offset: Offset::ANY, size: LONG, what: What::Unknown, changes: 0 }];
        } else {
            all.push(Record { offset, size, what: what.clone(), changes: 0 });
        }
        true
    }

    /// The function read the objects.
    pub fn read_by(&mut self, f: FuncId, objects: &BTreeSet<ObjectId>) {
        for o in objects {
            self.readers.entry(*o).or_default().insert(f);
        }
    }

    /// The system has made the object, and nobody has written to it.
    pub fn is_as_handed(&self, given: &Given<'_>, o: ObjectId) -> bool {
        let object = given.points_to.object(o);
        let system = matches!(object.kind, ObjectKind::Argv | ObjectKind::ArgvString | ObjectKind::EnvironmentString);
        system && !object.escaped && self.records.get(&o).is_none_or(Vec::is_empty)
    }

    /// Wherever in the object one begins, characters and a NUL follow, all of them defined.
    pub fn is_text(&self, given: &Given<'_>, o: ObjectId) -> bool {
        let m = given.module;
        match given.points_to.object(o).kind {
            ObjectKind::Global(g) if m.global(g).constant && defined_here(m, g) => {
                let last = m.global(g).size.checked_sub(1).and_then(|n| i64::try_from(n).ok());
                let read = Read { size: 1, ty: Ty::Int(8), new: false };
                let known = last.map(|n| initial(m, g, Offset::Exact(n), read));
                known.is_some_and(|k| k.defined && k.range.and_then(super::Interval::exact) == Some(0))
            }
            ObjectKind::ArgvString | ObjectKind::EnvironmentString => self.is_as_handed(given, o),
            _ => false,
        }
    }

    /// What is known of a value read from one of these places. `None`: nothing was stored there.
    pub fn of(&self, given: &Given<'_>, t: &Targets, read: Read, seen: &mut BTreeSet<ObjectId>) -> Option<Known> {
        if t.unknown || t.places.is_empty() {
            return Some(Known::default());
        }
        let mut all: Option<Known> = None;
        let mut way = Way { left: MAX_PLACES, been: BTreeSet::new(), bytes: false };
        for l in &t.places {
            add(&mut all, self.place(given, *l, read, seen, &mut way));
            if all == Some(Known::default()) {
                break;
            }
        }
        all
    }

    /// What a place holds that bytes are copied from, or [`None`] if that was asked before on the way to what is looked
    /// for: whatever is there goes into the answer. Every byte that is copied was written by something else than a copy,
    /// so that copies to and fro add nothing (induction on the steps of an execution).
    fn source(
        &self,
        given: &Given<'_>,
        l: Location,
        read: Read,
        seen: &mut BTreeSet<ObjectId>,
        way: &mut Way,
    ) -> Option<Option<Known>> {
        way.been.insert((l, read.size, way.bytes)).then(|| self.place(given, l, read, seen, way))
    }

    fn place(
        &self,
        given: &Given<'_>,
        l: Location,
        read: Read,
        seen: &mut BTreeSet<ObjectId>,
        way: &mut Way,
    ) -> Option<Known> {
        seen.insert(l.object);
        let nothing = Some(Known::default());
        let o = given.points_to.object(l.object);
        if o.escaped && !o.read_only || way.left == 0 {
            return nothing;
        }
        way.left -= 1;
        let mut all = match o.kind {
            ObjectKind::Global(g) if defined_here(given.module, g) => Some(initial(given.module, g, l.offset, read)),
            ObjectKind::Heap { .. } if self.filled.contains(&l.object) => None,
            ObjectKind::Heap { .. } | ObjectKind::Stack { .. } if self.born(given, l, read) => None,
            ObjectKind::Heap { .. } | ObjectKind::Stack { .. } if !given.uninit_is_arbitrary => None,
            // The system gives names and texts; the last name is the null pointer.
            ObjectKind::Argv if read.ty == Ty::Ptr => Some(Known::input(1)),
            ObjectKind::ArgvString | ObjectKind::EnvironmentString => Some(Known { defined: true, ..Known::default() }),
            _ => return nothing,
        };
        let begins = matches!(
            o.kind,
            ObjectKind::Global(_) | ObjectKind::Argv | ObjectKind::ArgvString | ObjectKind::EnvironmentString
        );
        // What was written in other pieces may be undefined in part.
        let mut pieces = false;
        let mut undefined = !begins && !self.filled.contains(&l.object) && !self.born(given, l, read);
        for r in self.records.get(&l.object).into_iter().flatten() {
            if !r.offset.overlaps(r.size, l.offset, read.size) {
                continue;
            }
            let whole = same_place(r.offset, r.size, l.offset, read.size);
            let k = match &r.what {
                What::Value(k) if whole => Some(*k),
                What::Zeroed => Some(zero(read.ty)),
                What::Zero if inside(r.offset, r.size, l.offset, read.size, o.size) => Some(zero(read.ty)),
                What::Copy(from) => match copied_to(r.offset, r.size, l.offset, read.size, o.size) {
                    Some(to) => {
                        let (mut k, mut known) = (None, true);
                        for s in from {
                            let Offset::Exact(at) = s.offset else {
                                known = false;
                                break;
                            };
                            let s = Location { offset: l.offset.moved(at.wrapping_sub(to)), ..*s };
                            if let Some(one) = self.source(given, s, read, seen, way) {
                                // Bytes that were never written are copied as they are.
                                undefined |= one.is_none_or(|k| !k.defined);
                                add(&mut k, one);
                            }
                        }
                        if known { k } else { nothing }
                    }
                    // Bytes from anywhere in these objects; none where there are none.
                    None => {
                        let any = Read { size: 1, ty: Ty::Int(8), ..read };
                        let (mut some, mut defined) = (false, true);
                        let outer = std::mem::replace(&mut way.bytes, true);
                        for s in from {
                            let s = Location { offset: Offset::ANY, ..*s };
                            if let Some(one) = self.source(given, s, any, seen, way) {
                                some = true;
                                defined &= one.is_some_and(|k| k.defined);
                            }
                        }
                        way.bytes = outer;
                        pieces = true;
                        undefined |= !defined;
                        some.then_some(Known { defined, ..Known::default() })
                    }
                },
                // Each of its bytes.
                What::Value(Known { defined: true, .. }) | What::Zero | What::Defined => {
                    pieces = true;
                    Some(Known { defined: true, ..Known::default() })
                }
                What::Value(_) | What::Unknown => nothing,
            };
            add(&mut all, k);
            if all == nothing {
                return all;
            }
        }
        all.map(|k| {
            // What was stored may have ended its life since.
            let safe = k.safe.without(Safe::FREED).without(Safe::SCOPE);
            let defined = k.defined && !undefined;
            // What was never written is undefined as a whole.
            Known { safe, defined, whole: !defined && !pieces && (k.defined || k.whole), ..k }
        })
    }
}

/// Puts together what two writers agree on.
fn add(all: &mut Option<Known>, k: Option<Known>) {
    *all = match (*all, k) {
        (Some(a), Some(b)) => Some(a.meet(&b)),
        (a, b) => a.or(b),
    };
}

/// Where the two overlap, they are the same bytes.
fn same_place(a: Offset, n: u64, b: Offset, m: u64) -> bool {
    if n != m {
        return false;
    }
    let apart = |x: Offset, y: Offset| {
        let distance = x.member().abs_diff(y.member());
        gcd(gcd(x.stride(), y.stride()), distance)
    };
    match (a, b) {
        (Offset::Exact(x), Offset::Exact(y)) => x == y,
        _ => apart(a, b) >= n,
    }
}

/// Every read that overlaps the write is inside it.
fn inside(w: Offset, n: u64, r: Offset, m: u64, size: Option<u64>) -> bool {
    if w == Offset::ZERO && size.is_some_and(|s| n >= s && n < LONG) {
        return true;
    }
    match (w, r) {
        (Offset::Exact(w), Offset::Exact(r)) => {
            n < LONG && w <= r && r.saturating_add_unsigned(m) <= w.saturating_add_unsigned(n)
        }
        _ => same_place(w, n, r, m),
    }
}

/// Where a copy was put, if every read that overlaps it is inside it.
fn copied_to(w: Offset, n: u64, r: Offset, m: u64, size: Option<u64>) -> Option<i64> {
    let Offset::Exact(to) = w else { return None };
    let all = to == 0 && size.is_some_and(|s| n >= s && n < LONG);
    let within = |(first, last): (i64, i64)| {
        n < LONG && to <= first && last.saturating_add_unsigned(m) <= to.saturating_add_unsigned(n)
    };
    (all || r.bounds().is_some_and(within)).then_some(to)
}

/// Zero bytes.
fn zero(ty: Ty) -> Known {
    match ty {
        Ty::Ptr => Known { safe: Safe::OF_NULL, extent: Some(Extent::ALL), ..zero(Ty::Int(64)) },
        Ty::Int(_) => Known { range: Some(Interval::of(0)), defined: true, ..Known::default() },
        _ => Known { defined: true, ..Known::default() },
    }
}

/// What a variable begins with.
fn initial(m: &Module, g: GlobalId, at: Offset, read: Read) -> Known {
    let global = m.global(g);
    let unknown = Known::default();
    let Some(init) = &global.init else {
        // Tentative definitions begin with zeros.
        return if global.linkage == verify_ir::Linkage::Common { zero(read.ty) } else { unknown };
    };
    if init.pieces.iter().any(|p| matches!(p.data, InitData::Undef(_))) || m.target.big_endian {
        return unknown;
    }
    if init.pieces.is_empty() {
        return zero(read.ty);
    }
    let (start, stride, count) = match at {
        Offset::Exact(o) => (o, 1, 1),
        Offset::Range { start, stride, count } => (start, stride, count),
        Offset::Mod { stride, rem } => (rem as i64, stride, global.size / stride.max(1) + 1),
    };
    if count > MAX_POSITIONS {
        return Known { defined: true, ..unknown };
    }
    let mut all: Option<Known> = None;
    for k in 0..count {
        let Some(at) = k.checked_mul(stride).and_then(|d| u64::try_from(start).ok()?.checked_add(d)) else { continue };
        if at.checked_add(read.size).is_none_or(|end| end > global.size) {
            continue;
        }
        add(&mut all, Some(at_start(m, init, at, read)));
    }
    all.unwrap_or(Known { defined: true, ..unknown })
}

/// Bytes of an initialiser.
fn at_start(m: &Module, init: &verify_ir::Init, at: u64, read: Read) -> Known {
    let end = at + read.size;
    let from = init.pieces.partition_point(|p| p.offset + p.data.size() <= at);
    let pieces: Vec<_> = init.pieces[from..].iter().take_while(|p| p.offset < end).collect();
    let some = Known { defined: true, ..Known::default() };
    if pieces.is_empty() {
        return zero(read.ty);
    }
    match read.ty {
        Ty::Ptr => match pieces[..] {
            [p] if p.offset == at => match p.data {
                InitData::Address { symbol, addend, size } if u64::from(size) == read.size => {
                    address(m, symbol, addend)
                }
                InitData::Bytes(ref b) if b.iter().take(read.size as usize).all(|x| *x == 0) => zero(read.ty),
                _ => some,
            },
            _ => some,
        },
        Ty::Int(w) if w <= 64 && u64::from(w) == 8 * read.size => {
            let mut value = 0u128;
            for p in pieces {
                let InitData::Bytes(b) = &p.data else { return some };
                for k in 0..read.size {
                    let byte = (at + k).checked_sub(p.offset).and_then(|i| b.get(i as usize));
                    value |= u128::from(byte.copied().unwrap_or(0)) << (8 * k);
                }
            }
            Known { range: Interval::constant(w, value), ..some }
        }
        _ => some,
    }
}

/// The address of a variable or function.
fn address(m: &Module, symbol: SymbolRef, addend: i64) -> Known {
    let some = Known { defined: true, ..Known::default() };
    let replaceable = m.weak_alias(symbol).is_some();
    let (symbol, extra) = m.resolve(symbol);
    let g = match symbol {
        SymbolRef::Global(g) => g,
        _ if replaceable || extra != 0 || addend != 0 || m.may_be_absent(symbol) => return some,
        _ => return Known { safe: Safe::FUNCTION, ..some },
    };
    let (Some(size), Some(at)) =
        (i64::try_from(m.global(g).size).ok(), i64::try_from(extra).ok().and_then(|e| e.checked_add(addend)))
    else {
        return some;
    };
    if replaceable || !defined_here(m, g) || at < 0 || at >= size {
        return some;
    }
    let safe = if m.global(g).constant { Safe::OBJECT.without(Safe::WRITABLE) } else { Safe::OBJECT };
    Known { safe, extent: Some(Extent { lo: -at, hi: size - at }), ..some }
}

/// Every write of a function of which nothing is known.
pub fn all_writes(given: &Given<'_>, f: FuncId) -> Vec<Write> {
    let Some(body) = &given.module.func(f).body else { return Vec::new() };
    let mut out = Vec::new();
    let mut through = |o: &Operand| {
        let places = given.points_to.of(f, o).places;
        if !places.is_empty() {
            out.push(Write { places, size: None, what: What::Unknown });
        }
    };
    for inst in body.blocks.iter().flat_map(|b| &b.insts) {
        match &inst.kind {
            InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                through(ptr)
            }
            InstKind::Load { .. } | InstKind::Check { .. } => {}
            // Whatever else has a pointer may write through it.
            other => other.for_each_operand(&mut through),
        }
    }
    for b in &body.blocks {
        if let Terminator::Invoke { call, .. } = &b.term {
            call.args.iter().for_each(&mut through);
        }
    }
    out
}
