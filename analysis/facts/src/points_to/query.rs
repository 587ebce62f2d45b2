//! Questions to the result.

use crate::points_to::generate::NONE;
use crate::points_to::object::{AbstractObject, Location, ObjectId, ObjectKind, Site};
use crate::points_to::offset::Offset;
use crate::points_to::solver::UNKNOWN_LOC;
use crate::points_to::{CallTargets, PointsTo};
use verify_ir::{Const, FuncId, Loc, Operand, SymbolRef};

/// Where a pointer may point. Null and invalid addresses are not listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Targets {
    /// Places, sorted; [`ObjectId::UNKNOWN`] is not here, nor, where `unknown` is set, escaped objects.
    pub places: Vec<Location>,
    /// Also what unknown code owns, and every escaped object at any offset.
    pub unknown: bool,
}

impl PointsTo {
    /// All objects; [`ObjectId`] is an index.
    pub fn objects(&self) -> &[AbstractObject] {
        &self.objects
    }

    /// The object.
    pub fn object(&self, o: ObjectId) -> &AbstractObject {
        &self.objects[o.index()]
    }

    /// The object of a kind, if anything reached has its address.
    pub fn find(&self, kind: &ObjectKind) -> Option<ObjectId> {
        self.objects.iter().position(|o| o.kind == *kind).map(|i| ObjectId(i as u32))
    }

    /// The object of a variable or function.
    pub fn symbol(&self, s: SymbolRef) -> Option<ObjectId> {
        match s {
            SymbolRef::Global(g) => Some(self.global_objects[g.index()]),
            SymbolRef::Func(f) => Some(self.function_objects[f.index()]),
            SymbolRef::Alias(_) => None,
        }
    }

    /// Unknown code has the object's address.
    pub fn escaped(&self, o: ObjectId) -> bool {
        self.object(o).escaped
    }

    /// The escaped objects, by id.
    pub fn escaped_objects(&self) -> &[ObjectId] {
        &self.escaped
    }

    /// The function may run: the roots reach it.
    pub fn reached(&self, f: FuncId) -> bool {
        !self.by_function[f.index()].is_empty()
    }

    /// Where a pointer (or whatever else holds one) may point, over all calls of the function.
    pub fn of(&self, f: FuncId, o: &Operand) -> Targets {
        let mut t = Targets::default();
        for i in &self.by_function[f.index()] {
            self.add(&mut t, *i, o);
        }
        if self.by_function[f.index()].is_empty() {
            // An address is one also where nothing runs.
            self.add_constant(&mut t, o);
        }
        self.tidy(&mut t);
        t
    }

    fn tidy(&self, t: &mut Targets) {
        if t.unknown {
            t.places.retain(|l| !self.escaped(l.object));
        }
        t.places.sort_unstable();
        t.places.dedup();
    }

    fn add(&self, t: &mut Targets, instance: u32, o: &Operand) {
        match o {
            Operand::Value(v) => self.add_set(t, self.clones[instance as usize].values[v.index()]),
            Operand::Const(_) => self.add_constant(t, o),
        }
    }

    fn add_constant(&self, t: &mut Targets, o: &Operand) {
        if let Operand::Const(Const::Symbol(s)) = o {
            match self.resolve(*s) {
                Ok(place) => t.places.push(place),
                Err(set) => self.add_set(t, set),
            }
        }
    }

    /// The place of a symbol, or the set that an ifunc's resolver gives.
    pub(crate) fn resolve(&self, s: SymbolRef) -> Result<Location, u32> {
        let place = |s, offset: u64| {
            let object = self.symbol(s).unwrap_or(ObjectId::UNKNOWN);
            Location { object, offset: Offset::Exact(offset as i64) }
        };
        match s {
            SymbolRef::Alias(a) => match self.aliases[a.index()] {
                (SymbolRef::Alias(_), _, set) => Err(set),
                (_, _, set) if set != NONE => Err(set),
                (s, offset, _) => Ok(place(s, offset)),
            },
            s => Ok(place(s, 0)),
        }
    }

    fn add_set(&self, t: &mut Targets, set: u32) {
        if set == NONE {
            return;
        }
        for l in self.sets[set as usize].iter() {
            if l == UNKNOWN_LOC {
                t.unknown = true;
            } else {
                t.places.push(self.locations[l as usize]);
            }
        }
    }

    /// The same with everything that unknown stands for spelled out.
    pub fn expanded(&self, f: FuncId, o: &Operand) -> Vec<Location> {
        self.expand(&self.of(f, o))
    }

    /// Spells out what unknown stands for.
    pub fn expand(&self, t: &Targets) -> Vec<Location> {
        let mut all = t.places.clone();
        if t.unknown {
            all.push(Location { object: ObjectId::UNKNOWN, offset: Offset::ANY });
            all.extend(self.escaped.iter().map(|o| Location { object: *o, offset: Offset::ANY }));
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    /// The pointers that bytes of an object may hold.
    pub fn contents(&self, o: ObjectId, offset: Offset, width: u64) -> Targets {
        self.contents_of(std::iter::once((o, offset)), width)
    }

    /// The pointers that bytes of objects may hold, `width` bytes at any of the places.
    pub fn contents_of(&self, places: impl Iterator<Item = (ObjectId, Offset)>, width: u64) -> Targets {
        let mut t = Targets::default();
        // Of many cells most hold the same: their sets are told apart by number, and what is in them too, before places are
        // compared.
        let mut sets: Vec<u32> = Vec::new();
        for (o, offset) in places {
            let object = self.object(o);
            t.unknown |= object.escaped && !object.read_only;
            let held = self.contents[o.index()].iter().filter(|(at, w, _)| at.overlaps(*w, offset, width));
            sets.extend(held.map(|(_, _, set)| *set).filter(|s| *s != NONE));
        }
        sets.sort_unstable();
        sets.dedup();
        let mut all: Vec<u32> = sets.iter().flat_map(|s| self.sets[*s as usize].iter()).collect();
        all.sort_unstable();
        all.dedup();
        t.unknown |= all.contains(&UNKNOWN_LOC);
        t.places.extend(all.into_iter().filter(|l| *l != UNKNOWN_LOC).map(|l| self.locations[l as usize]));
        self.tidy(&mut t);
        t
    }

    /// A pointer may be the address of this place; `object` may be [`ObjectId::UNKNOWN`].
    pub fn may_point_to(&self, f: FuncId, o: &Operand, object: ObjectId, offset: i64) -> bool {
        let t = self.of(f, o);
        t.unknown && (object == ObjectId::UNKNOWN || self.escaped(object))
            || t.places.iter().any(|l| l.object == object && l.offset.contains(offset))
    }

    /// Accesses of these widths through two pointers in a function may touch a common byte (at any two times: in
    /// different calls too).
    pub fn may_alias(&self, f: FuncId, a: &Operand, a_width: u64, b: &Operand, b_width: u64) -> bool {
        let (x, y) = (self.of(f, a), self.of(f, b));
        let outside = |t: &Targets| t.unknown || t.places.iter().any(|l| self.escaped(l.object));
        x.unknown && outside(&y)
            || y.unknown && outside(&x)
            || x.places.iter().any(|l| {
                // Sorted by object.
                let from = y.places.partition_point(|m| m.object < l.object);
                let same = y.places[from..].iter().take_while(|m| m.object == l.object);
                same.into_iter().any(|m| l.offset.overlaps(a_width, m.offset, b_width))
            })
    }

    /// Where the call at a place may go; empty when nothing reaches it.
    pub fn callees(&self, f: FuncId, loc: Loc) -> &CallTargets {
        const NOTHING: &CallTargets = &CallTargets { functions: Vec::new(), external: Vec::new(), unknown: false };
        let calls = &self.callees[f.index()];
        calls.binary_search_by_key(&loc, |c| c.0).map_or(NOTHING, |i| &calls[i].1)
    }

    /// All calls in a function, by place.
    pub fn calls_in(&self, f: FuncId) -> &[(Loc, CallTargets)] {
        &self.callees[f.index()]
    }

    /// It is a root, or unknown code has its address.
    pub fn called_from_outside(&self, f: FuncId) -> bool {
        self.from_outside[f.index()]
    }

    /// The set of an operand in one clone, places and unknown.
    pub(crate) fn places_in(&self, instance: u32, o: &Operand) -> Targets {
        let mut t = Targets::default();
        self.add(&mut t, instance, o);
        self.tidy(&mut t);
        t
    }

    /// The calls that a clone is for.
    pub(crate) fn chain_of(&self, instance: u32) -> &[Site] {
        &self.clones[instance as usize].chain
    }
}
