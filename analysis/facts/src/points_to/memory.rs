//! Contents of abstract objects. A store makes (or finds) the cell of the bytes it may write, a load the view of the
//! bytes it may read; a view includes every cell that shares a byte with it. Memory copies move cells, offsets kept.
//!
//! An escaped object has one content: unknown code may put any pointer it has anywhere in it, so a load gives the
//! unknown location (which stands for all escaped objects too), and a store lets the value escape.

use crate::points_to::hash::{FastMap, FastSet};
use crate::points_to::object::ObjectKind;
use crate::points_to::offset::{Offset, Shift, gcd};
use crate::points_to::set::SparseSet;
use crate::points_to::slots::Slots;
use crate::points_to::solver::{ESCAPE_NODE, LocId, Node, Solver, UNKNOWN_LOC, UNKNOWN_NODE, Use};
use verify_ir::{InitData, SymbolRef};

/// Copies between two objects that are told apart by offset.
const MAX_COPIES: u32 = 8;
/// A copy of unknown length.
pub const WHOLE: u64 = 1 << 40;

/// A copy out of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct CopyOut {
    from: Offset,
    to: u32,
    at: Offset,
    len: u64,
}

/// An abstract object while solving.
#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub size: Option<u64>,
    pub align: u64,
    pub read_only: bool,
    pub escaped: bool,
    /// A transfer whose content escapes.
    drained: bool,
    locs: Vec<LocId>,
    integer: Option<LocId>,
    difference: Option<LocId>,
    pub cells: Slots,
    pub views: Slots,
    copies: Vec<CopyOut>,
    known_copies: FastSet<CopyOut>,
    copies_to: FastMap<u32, u32>,
}

impl Solver<'_> {
    /// The object of a kind.
    pub fn object(&mut self, kind: ObjectKind, size: Option<u64>, align: u64, read_only: bool) -> u32 {
        if kind != ObjectKind::Transfer
            && let Some(&o) = self.object_index.get(&kind)
        {
            return o;
        }
        let o = self.objects.len() as u32;
        if kind != ObjectKind::Transfer {
            self.object_index.insert(kind.clone(), o);
        }
        self.objects.push(Object {
            kind,
            size,
            align,
            read_only,
            escaped: false,
            drained: false,
            locs: Vec::new(),
            integer: None,
            difference: None,
            cells: Slots::default(),
            views: Slots::default(),
            copies: Vec::new(),
            known_copies: FastSet::default(),
            copies_to: FastMap::default(),
        });
        o
    }

    /// The number of a place. Too many places of one object become few.
    pub fn loc(&mut self, object: u32, offset: Offset) -> LocId {
        let word = self.module.target.pointer_bytes();
        let o = &self.objects[object as usize];
        let offset = match (&o.kind, offset) {
            (ObjectKind::Unknown, _) => Offset::ANY,
            (ObjectKind::Function(_), Offset::Exact(0)) => offset,
            (ObjectKind::Function(_), _) => Offset::ANY,
            _ => offset.wrapped(self.module.target.pointer_bits),
        };
        if let Some(&l) = self.loc_index.get(&(object, offset)) {
            return l;
        }
        let mut offset = offset;
        let most = self.limits.places(o.size);
        if o.locs.len() as u64 >= most * 2 {
            offset = Offset::ANY;
        } else if o.locs.len() as u64 >= most {
            offset = offset.add_multiples(gcd(offset.stride(), word));
        }
        if let Some(&l) = self.loc_index.get(&(object, offset)) {
            return l;
        }
        let l = self.locs.len() as LocId;
        self.locs.push((object, offset));
        self.loc_index.insert((object, offset), l);
        let o = &mut self.objects[object as usize];
        o.locs.push(l);
        if o.escaped && l != UNKNOWN_LOC {
            self.escaped_locs.insert(l);
        }
        l
    }

    /// The integers made by arithmetic from addresses in an object, apart from those that are differences of addresses.
    pub fn integer_loc(&mut self, object: u32, difference: bool) -> LocId {
        let o = &self.objects[object as usize];
        if let Some(l) = if difference { o.difference } else { o.integer } {
            return l;
        }
        let l = self.locs.len() as LocId;
        self.locs.push((object, Offset::ANY));
        self.integer_locs.insert(l);
        let o = &mut self.objects[object as usize];
        if difference {
            o.difference = Some(l);
            self.difference_locs.insert(l);
        } else {
            o.integer = Some(l);
        }
        o.locs.push(l);
        if o.escaped {
            self.escaped_locs.insert(l);
        }
        l
    }

    /// Where an address computation leads.
    pub fn shifted(&mut self, l: LocId, by: Shift) -> LocId {
        let (object, offset) = self.locs[l as usize];
        match by {
            Shift::Difference => self.integer_loc(object, true),
            Shift::Integer if self.difference_locs.contains(l) => l,
            Shift::Integer => self.integer_loc(object, false),
            Shift::Any | Shift::Cast if l == UNKNOWN_LOC => l,
            Shift::Cast => self.loc(object, offset),
            // Arithmetic keeps an integer one.
            _ if self.integer_locs.contains(l) => l,
            _ if l == UNKNOWN_LOC => l,
            _ => {
                let align = self.objects[object as usize].align;
                self.loc(object, offset.shift(by, align))
            }
        }
    }

    /// The access may be inside the object.
    fn fits(&self, object: u32, offset: Offset, width: u64) -> bool {
        let o = &self.objects[object as usize];
        if matches!(o.kind, ObjectKind::Function(_)) {
            return false;
        }
        let Some((low, high)) = offset.bounds() else { return o.size != Some(0) };
        // A whole-object copy has no exact width.
        let width = if width == WHOLE { 1 } else { width };
        let below = high >= 0;
        below && o.size.is_none_or(|s| i128::from(low.max(0)) + i128::from(width) <= i128::from(s))
    }

    /// The node of what was stored there.
    pub fn cell(&mut self, object: u32, offset: Offset, width: u64) -> Node {
        let o = &self.objects[object as usize];
        let (mut offset, mut width) = (offset, width);
        if o.cells.get(offset, width).is_none() && o.cells.len() as u64 >= 2 * self.limits.places(o.size) {
            // Few classes: by offset modulo a pointer, widths rounded up.
            let word = self.module.target.pointer_bytes();
            offset = if o.cells.len() as u64 >= 4 * self.limits.places(o.size) {
                Offset::ANY
            } else {
                offset.add_multiples(gcd(offset.stride(), word))
            };
            width = if width <= 16 { width.next_power_of_two() } else { WHOLE };
        }
        let o = &self.objects[object as usize];
        if let Some(n) = o.cells.get(offset, width) {
            return n;
        }
        let (escaped, drained) = (o.escaped, o.drained);
        let n = self.node();
        self.objects[object as usize].cells.insert(offset, width, n);
        let word = self.module.target.pointer_bytes();
        for (.., view) in self.objects[object as usize].views.overlapping(offset, width) {
            self.edge(n, view);
            if let Some(&dst) = self.pointer_views.get(&view).filter(|_| width >= word) {
                self.add_use(n, Use::Revived { dst });
            }
        }
        if escaped || drained {
            self.edge(n, ESCAPE_NODE);
        }
        let copies = self.objects[object as usize].copies.clone();
        for c in copies {
            self.copy_cell(c, offset, width, n);
        }
        n
    }

    fn view(&mut self, object: u32, offset: Offset, width: u64) -> Node {
        let o = &self.objects[object as usize];
        if let Some(n) = o.views.get(offset, width) {
            return n;
        }
        let unknown = o.escaped && !o.read_only;
        let n = self.node();
        self.objects[object as usize].views.insert(offset, width, n);
        for (.., cell) in self.objects[object as usize].cells.overlapping(offset, width) {
            self.edge(cell, n);
        }
        if unknown {
            self.edge(UNKNOWN_NODE, n);
        }
        n
    }

    /// A load. What integer arithmetic made of a pointer is one to anywhere in the object again when it is read as a
    /// pointer; but a difference of pointers, a length mostly, becomes one only where it is cast, and so do numbers of
    /// fewer bits than a pointer.
    pub fn load(&mut self, l: LocId, width: u64, pointer: bool, dst: Node) {
        let (object, offset) = self.locs[l as usize];
        let o = &self.objects[object as usize];
        if o.escaped && !o.read_only {
            self.edge(UNKNOWN_NODE, dst);
        } else if self.fits(object, offset, width) {
            let mut view = self.view(object, offset, width);
            if pointer {
                let raw = view;
                view = match self.pointer_views.get(&raw) {
                    Some(n) => *n,
                    None => {
                        let n = self.node();
                        self.pointer_views.insert(raw, n);
                        self.add_use(raw, Use::Pointers { dst: n });
                        let word = self.module.target.pointer_bytes();
                        for (_, w, cell) in self.objects[object as usize].cells.overlapping(offset, width) {
                            if w >= word {
                                self.add_use(cell, Use::Revived { dst: n });
                            }
                        }
                        n
                    }
                };
            }
            self.edge(view, dst);
        }
    }

    /// A store.
    pub fn store(&mut self, l: LocId, width: u64, src: Node) {
        let (object, offset) = self.locs[l as usize];
        if self.objects[object as usize].read_only {
            return; // a failing check
        }
        self.put(object, offset, width, src);
    }

    /// Puts something into an object, read-only or not.
    pub fn put(&mut self, object: u32, offset: Offset, width: u64, src: Node) {
        let o = &self.objects[object as usize];
        if o.escaped && !o.read_only {
            self.edge(src, ESCAPE_NODE);
        } else if self.fits(object, offset, width) {
            let cell = self.cell(object, offset, width);
            self.edge(src, cell);
        }
    }

    /// `len` bytes from a place go to the start of an object.
    pub fn copy_from(&mut self, l: LocId, to: u32, len: u64) {
        let (object, from) = self.locs[l as usize];
        self.copy(object, CopyOut { from, to, at: Offset::ZERO, len });
    }

    /// The first `len` bytes of an object go to a place.
    pub fn copy_to(&mut self, object: u32, l: LocId, len: u64) {
        let (to, at) = self.locs[l as usize];
        let o = &self.objects[to as usize];
        if o.read_only || matches!(o.kind, ObjectKind::Function(_)) {
            return;
        }
        self.copy_between(object, to, at, len);
    }

    /// The first `len` bytes of an object go into another one.
    pub fn copy_between(&mut self, object: u32, to: u32, at: Offset, len: u64) {
        if !self.objects[to as usize].escaped {
            self.copy(object, CopyOut { from: Offset::ZERO, to, at, len });
        } else if !std::mem::replace(&mut self.objects[object as usize].drained, true) {
            let cells: Vec<_> = self.objects[object as usize].cells.all().collect();
            for (.., n) in cells {
                self.edge(n, ESCAPE_NODE);
            }
        }
    }

    fn copy(&mut self, object: u32, c: CopyOut) {
        let o = &mut self.objects[object as usize];
        let mut c = c;
        let known = o.copies_to.entry(c.to).or_insert(0);
        *known += 1;
        if *known > MAX_COPIES {
            // From many places, or to many, of one object: from anywhere to anywhere.
            if c.from != Offset::ZERO {
                c.from = Offset::ANY;
            }
            c.at = if c.at == Offset::ZERO && c.from == Offset::ANY { c.at } else { Offset::ANY };
        }
        if matches!(o.kind, ObjectKind::Function(_)) || !o.known_copies.insert(c) {
            return;
        }
        o.copies.push(c);
        if o.escaped && !o.read_only {
            self.copy_unknown(c);
        }
        for (offset, width, n) in self.objects[object as usize].cells.overlapping(c.from, c.len) {
            self.copy_cell(c, offset, width, n);
        }
    }

    fn copy_unknown(&mut self, c: CopyOut) {
        self.put(c.to, c.at, c.len, UNKNOWN_NODE);
    }

    fn copy_cell(&mut self, c: CopyOut, offset: Offset, width: u64, n: Node) {
        if offset.overlaps(width, c.from, c.len) {
            let at = offset.minus(c.from).plus(c.at);
            let to = &self.objects[c.to as usize];
            if to.escaped {
                self.edge(n, ESCAPE_NODE);
                return;
            }
            let edge_of_size = |s: u64| at.overlaps(width, Offset::ZERO, s);
            if to.size.is_none_or(edge_of_size) {
                let cell = self.cell(c.to, at, width);
                self.edge(n, cell);
            }
        }
    }

    /// Unknown code gets hold of an object.
    pub fn escape(&mut self, object: u32) {
        if std::mem::replace(&mut self.objects[object as usize].escaped, true) {
            return;
        }
        if let ObjectKind::Function(f) = self.objects[object as usize].kind {
            self.called_by_unknown(f);
        }
        let mine: SparseSet = self.objects[object as usize].locs.iter().copied().collect();
        self.escaped_locs.union_with(&mine);
        let cells: Vec<_> = self.objects[object as usize].cells.all().collect();
        for (.., n) in cells {
            self.edge(n, ESCAPE_NODE);
        }
        if self.objects[object as usize].read_only {
            return;
        }
        let views: Vec<_> = self.objects[object as usize].views.all().collect();
        for (.., n) in views {
            self.edge(UNKNOWN_NODE, n);
        }
        let copies = self.objects[object as usize].copies.clone();
        for c in copies {
            self.copy_unknown(c);
        }
    }

    /// Enters the addresses that an initialiser holds.
    pub fn initialise(&mut self, object: u32, g: verify_ir::GlobalId) {
        let module = self.module;
        let Some(init) = &module.global(g).init else { return };
        for p in &init.pieces {
            let mut addresses: Vec<(SymbolRef, i64)> = Vec::new();
            match &p.data {
                InitData::Address { symbol, addend, .. } => addresses.push((*symbol, *addend)),
                // A difference of addresses is a number; added to one of them it is the other.
                InitData::Difference { left, right, .. } => {
                    for side in [left, right] {
                        if let InitData::Address { symbol, addend, .. } = &**side {
                            addresses.push((*symbol, *addend));
                        }
                    }
                }
                InitData::Bytes(_) | InitData::BlockAddr { .. } | InitData::Undef(_) => {}
            }
            for (symbol, addend) in addresses {
                let offset = Offset::Exact(p.offset as i64);
                let n = self.symbol_node(symbol, addend);
                let cell = self.cell(object, offset, p.data.size());
                self.edge(n, cell);
            }
        }
    }
}
