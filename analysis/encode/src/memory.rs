//! Contents and liveness of objects at one place of the program: persistent, merged where paths meet.
//!
//! An object is `base` overlaid by `cells`: values written at constant offsets, cut where accesses overlap; or, once it
//! was accessed at an offset that is not constant and too many places come into question, an array of equal elements
//! (`array`). Nothing is encoded before it is read or written. A read never changes a state.
//!
//! Reads across the borders of what was written assemble bytes; a pointer of which only a part is read becomes its
//! address. What is not known is a free symbol named after object, base and offset: reading it twice gives one value.

use crate::object::Kind;
use crate::sym::{NULL, PROV, Sym, Terms, WILD};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_ir::{GlobalId, InitData, Module, SymbolRef};
use verify_solver::{Sort, Term};

/// Elements of an initialiser that are written out into an array; what lies beyond is free.
const MAX_INIT: u64 = 4096;

/// What an object holds where nothing was written.
#[derive(Clone, PartialEq, Debug)]
pub enum Base {
    /// Zeros.
    Zero,
    /// Undefined bytes; the number tells lives of one object apart.
    Uninit(u32),
    /// The initialiser of a global.
    Init(GlobalId),
    /// Whatever unknown code or an unknown past left; the number tells such pasts apart.
    Unknown(u32),
    /// The same, and any of it may be undefined.
    Murky(u32),
    /// Pointers to strings, as the system has made them ([`crate::arguments`]).
    Vector,
    /// One or the other.
    Either(Term, Rc<Base>, Rc<Base>),
}

/// Depth of [`Base::Either`].
const MAX_EITHER: u32 = 4;

impl Base {
    fn depth(&self) -> u32 {
        match self {
            Base::Either(_, a, b) => 1 + a.depth().max(b.depth()),
            _ => 0,
        }
    }

    /// Numbers that tell it from all others.
    fn name(&self, out: &mut Vec<u32>) {
        match self {
            Base::Zero => out.push(0),
            Base::Uninit(life) => out.extend([1, *life]),
            Base::Init(g) => out.extend([2, g.0]),
            Base::Unknown(past) => out.extend([3, *past]),
            Base::Murky(past) => out.extend([4, *past]),
            Base::Vector => out.push(5),
            Base::Either(c, a, b) => {
                out.extend([6, c.0]);
                a.name(out);
                b.name(out);
            }
        }
    }
}

/// A value at a constant offset.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// Bytes.
    pub size: u64,
    /// Value, `8 * size` bits wide.
    pub value: Sym,
}

/// Contents as arrays indexed by `offset / elem`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Array {
    /// Bytes of an element, a power of two.
    pub elem: u64,
    /// Bits of the elements.
    pub bits: Term,
    /// Provenance of the elements.
    pub prov: Term,
    /// Definedness of the elements.
    pub undef: Term,
}

/// The state of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// It exists and its life has not ended.
    pub alive: Term,
    /// It had a life before this one: pointers from then are no more valid, though they look like those of now.
    pub recycled: Term,
    /// Below the cells.
    pub base: Base,
    /// Written parts by offset; they do not overlap. Empty when `array` is in use.
    pub cells: BTreeMap<u64, Cell>,
    /// In array form.
    pub array: Option<Array>,
}

/// The state of all objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Rc<BTreeMap<u32, Rc<State>>>,
    /// What globals hold that are not in the table: 0: their initialisers, else [`Base::Unknown`] of this.
    pub epoch: u32,
}

impl Memory {
    /// The state of an object; globals come into being when first asked for.
    pub fn get(&self, t: &mut Terms, module: &Module, o: u32) -> Rc<State> {
        if let Some(s) = self.objects.get(&o) {
            return s.clone();
        }
        let (alive, base) = match t.objects[o as usize].kind {
            Kind::Global(g) => {
                let initial = self.epoch == 0 || (module.global(g).constant && module.global(g).init.is_some());
                // Code of the program may have left something undefined there.
                let base = if initial { Base::Init(g) } else { Base::Murky(self.epoch) };
                (t.pool.tt(), base)
            }
            Kind::Func(_) => (t.pool.tt(), Base::Unknown(0)),
            // Not made on this path.
            _ => (t.pool.ff(), Base::Uninit(0)),
        };
        Rc::new(State { alive, recycled: t.pool.ff(), base, cells: BTreeMap::new(), array: None })
    }

    /// Replaces the state of an object.
    pub fn set(&mut self, o: u32, s: State) {
        Rc::make_mut(&mut self.objects).insert(o, Rc::new(s));
    }

    /// Objects with a state of their own, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Rc<State>)> {
        self.objects.iter().map(|(o, s)| (*o, s))
    }

    /// The object has a state of its own.
    pub fn contains(&self, o: u32) -> bool {
        self.objects.contains_key(&o)
    }

    /// Forgets the states of these objects; globals among them, and all others not in the table, hold `epoch` now.
    pub fn forget_globals(&mut self, t: &Terms, module: &Module, epoch: u32) {
        self.epoch = epoch;
        Rc::make_mut(&mut self.objects).retain(|o, _| match t.objects[*o as usize].kind {
            Kind::Global(g) => module.global(g).constant,
            _ => true,
        });
    }

    /// `c ? a : b` for every object.
    pub fn merge(t: &mut Terms, module: &Module, c: Term, a: &Memory, b: &Memory) -> Memory {
        if Rc::ptr_eq(&a.objects, &b.objects) && a.epoch == b.epoch {
            return a.clone();
        }
        let keys: BTreeSet<u32> = a.objects.keys().chain(b.objects.keys()).copied().collect();
        let mut out = Memory { objects: a.objects.clone(), epoch: a.epoch };
        for o in keys {
            let both = (a.objects.get(&o).cloned(), b.objects.get(&o).cloned());
            if let (Some(x), Some(y)) = &both
                && Rc::ptr_eq(x, y)
            {
                continue;
            }
            // An object that one path only has made: alive there only.
            let made = matches!(t.objects[o as usize].kind, Kind::Stack | Kind::Heap(_) | Kind::Summary);
            let s = match both {
                (Some(x), None) if made => State { alive: t.pool.and(c, x.alive), ..(*x).clone() },
                (None, Some(y)) if made => {
                    let not = t.pool.not(c);
                    State { alive: t.pool.and(not, y.alive), ..(*y).clone() }
                }
                _ => {
                    let (x, y) = (a.get(t, module, o), b.get(t, module, o));
                    if x == y { (*x).clone() } else { merge_states(t, module, o, c, &x, &y) }
                }
            };
            out.set(o, s);
        }
        if a.epoch != b.epoch {
            // Globals that neither has touched hold different things on the two paths: write it down.
            for o in 0..t.objects.len() as u32 {
                if matches!(t.objects[o as usize].kind, Kind::Global(_)) && !out.contains(o) {
                    let (x, y) = (a.get(t, module, o), b.get(t, module, o));
                    if x != y {
                        let s = merge_states(t, module, o, c, &x, &y);
                        out.set(o, s);
                    }
                }
            }
            // And those nobody has named yet: a past of its own, which allows more than either.
            out.epoch = t.epoch(&[0, c.0, a.epoch, b.epoch]);
        }
        out
    }
}

fn merge_states(t: &mut Terms, module: &Module, o: u32, c: Term, x: &State, y: &State) -> State {
    let alive = t.pool.ite(c, x.alive, y.alive);
    let recycled = t.pool.ite(c, x.recycled, y.recycled);
    if x.base == y.base && x.cells == y.cells && x.array == y.array {
        return State { alive, recycled, ..x.clone() };
    }
    if let Some(elem) = x.array.iter().chain(&y.array).map(|a| a.elem).min() {
        let (p, q) = (as_array(t, module, o, x, elem), as_array(t, module, o, y, elem));
        let array = Array {
            elem,
            bits: t.pool.ite(c, p.bits, q.bits),
            prov: t.pool.ite(c, p.prov, q.prov),
            undef: t.pool.ite(c, p.undef, q.undef),
        };
        return State { alive, recycled, base: x.base.clone(), cells: BTreeMap::new(), array: Some(array) };
    }
    let base = if x.base == y.base {
        x.base.clone()
    } else {
        let (p, q) = (x.base.clone(), y.base.clone());
        if p.depth().max(q.depth()) >= MAX_EITHER {
            // Anything, instead of a choice among many pasts: of these two, as others may be told apart by `c`, too.
            let mut key = vec![1, o, c.0];
            p.name(&mut key);
            q.name(&mut key);
            Base::Murky(t.epoch(&key))
        } else {
            Base::Either(c, Rc::new(p), Rc::new(q))
        }
    };
    let mut cells = BTreeMap::new();
    for (at, size) in pieces(x, y) {
        let same = |s: &State| s.cells.get(&at).filter(|k| k.size == size).map(|k| k.value);
        let value = match (same(x), same(y)) {
            (Some(a), Some(b)) if a == b => a,
            _ => {
                let (a, b) = (read(t, module, o, x, at, size), read(t, module, o, y, at, size));
                t.choose(c, a, b)
            }
        };
        cells.insert(at, Cell { size, value });
    }
    State { alive, recycled, base, cells, array: None }
}

/// The coarsest cut of what two states have written that both can be read along.
fn pieces(x: &State, y: &State) -> Vec<(u64, u64)> {
    let mut all: Vec<(u64, u64)> =
        x.cells.iter().chain(&y.cells).map(|(at, c)| (*at, at + c.size)).collect::<BTreeSet<_>>().into_iter().collect();
    all.sort_unstable();
    let agree = all.windows(2).all(|w| w[0].1 <= w[1].0);
    if agree {
        return all.into_iter().map(|(a, b)| (a, b - a)).collect();
    }
    let mut out = Vec::new();
    let mut i = 0;
    while i < all.len() {
        // A cluster of overlapping ranges.
        let (start, mut end) = all[i];
        let mut j = i + 1;
        while j < all.len() && all[j].0 < end {
            end = end.max(all[j].1);
            j += 1;
        }
        if j == i + 1 {
            out.push((start, end - start));
        } else {
            let cuts: BTreeSet<u64> = all[i..j].iter().flat_map(|(a, b)| [*a, *b]).collect();
            let cuts: Vec<u64> = cuts.into_iter().collect();
            out.extend(cuts.windows(2).map(|w| (w[0], w[1] - w[0])));
        }
        i = j;
    }
    out
}

/// Reads `size` bytes at a constant offset (of any size: the object may be smaller, then anything comes).
pub fn read(t: &mut Terms, module: &Module, o: u32, s: &State, at: u64, size: u64) -> Sym {
    if let Some(a) = s.array {
        let off = t.pool.num(t.ptr_bits, u128::from(at));
        return read_array(t, o, a, off, size);
    }
    if let Some(c) = s.cells.get(&at)
        && c.size == size
    {
        return c.value;
    }
    let mut parts: Vec<(u64, u64, Option<Cell>)> = Vec::new();
    let mut pos = at;
    for (&off, &c) in s.cells.range(..at + size) {
        if off + c.size <= at {
            continue;
        }
        if off > pos {
            parts.push((pos, off - pos, None));
        }
        let (from, to) = (off.max(at), (off + c.size).min(at + size));
        parts.push((off, to - from, Some(c)));
        pos = to;
    }
    if parts.is_empty() {
        return read_base(t, module, o, &s.base, at, size);
    }
    if pos < at + size {
        parts.push((pos, at + size - pos, None));
    }
    let mut out: Option<Sym> = None;
    for (off, n, cell) in parts {
        let piece = match cell {
            None => read_base(t, module, o, &s.base, off, n),
            Some(c) => slice(t, c.value, off.max(at) - off, n, &[3, o, off as u32, c.value.bits.0]),
        };
        out = Some(match out {
            None => piece,
            Some(low) => join(t, piece, low, &[4, o, off as u32]),
        });
    }
    out.unwrap_or_else(|| t.constant(8, 0))
}

/// Bytes `from..from + n` of a value (little endian), as a plain number unless that is all of it.
pub fn slice(t: &mut Terms, v: Sym, from: u64, n: u64, key: &[u32]) -> Sym {
    let w = t.pool.width(v.bits);
    if from == 0 && u64::from(w) == 8 * n {
        return v;
    }
    let a = t.address(v, key);
    let bits = t.pool.extract(a, (8 * (from + n) - 1) as u32, (8 * from) as u32);
    Sym { bits, prov: t.prov(NULL), undef: v.undef }
}

/// `high` above `low`, as a plain number.
fn join(t: &mut Terms, high: Sym, low: Sym, key: &[u32]) -> Sym {
    let mut k = key.to_vec();
    k.push(0);
    let h = t.address(high, &k);
    *k.last_mut().unwrap_or(&mut 0) = 1;
    let l = t.address(low, &k);
    Sym { bits: t.pool.concat(h, l), prov: t.prov(NULL), undef: t.pool.or(high.undef, low.undef) }
}

/// What lies below everything written.
fn read_base(t: &mut Terms, module: &Module, o: u32, base: &Base, at: u64, size: u64) -> Sym {
    match base {
        Base::Zero => t.constant((8 * size) as u32, 0),
        Base::Uninit(life) => {
            let bits = free_bytes(t, &[5, o, *life], at, size);
            let whole = 8 * size == u64::from(t.ptr_bits);
            Sym { bits, prov: t.prov(if whole { WILD } else { NULL }), undef: t.pool.tt() }
        }
        Base::Unknown(epoch) => {
            let bits = free_bytes(t, &[6, o, *epoch], at, size);
            // Of pointer size it may be a pointer, and else a part of one.
            let whole = 8 * size == u64::from(t.ptr_bits);
            t.addressed |= !whole;
            let prov = t.prov(if whole { WILD } else { NULL });
            Sym { bits, prov, undef: t.pool.ff() }
        }
        Base::Murky(epoch) => {
            let s = read_base(t, module, o, &Base::Unknown(*epoch), at, size);
            let undef = t.symbol(&[20, o, *epoch, at as u32, (at >> 32) as u32, size as u32], Sort::Bv(1));
            Sym { undef, ..s }
        }
        Base::Either(c, a, b) => {
            let (a, b) = (read_base(t, module, o, a, at, size), read_base(t, module, o, b, at, size));
            t.choose(*c, a, b)
        }
        Base::Init(g) => read_init(t, module, o, *g, at, size),
        Base::Vector => {
            let word = u64::from(t.ptr_bits / 8);
            if size != word || !at.is_multiple_of(word) {
                return read_base(t, module, o, &Base::Unknown(0), at, size);
            }
            let offset = t.pool.num(t.ptr_bits, u128::from(at));
            t.handed_pointer(o, offset)
        }
    }
}

fn free_bytes(t: &mut Terms, key: &[u32], at: u64, size: u64) -> Term {
    let mut out: Option<Term> = None;
    for i in 0..size {
        let mut k = key.to_vec();
        k.extend([(at + i) as u32, ((at + i) >> 32) as u32]);
        let b = t.symbol(&k, Sort::Bv(8));
        out = Some(match out {
            None => b,
            Some(low) => t.pool.concat(b, low),
        });
    }
    out.unwrap_or_else(|| t.pool.num(8, 0))
}

fn read_init(t: &mut Terms, module: &Module, o: u32, g: GlobalId, at: u64, size: u64) -> Sym {
    let global = module.global(g);
    let Some(init) = &global.init else {
        // Defined elsewhere: anything.
        return read_base(t, module, o, &Base::Unknown(0), at, size);
    };
    let mut bytes = vec![Some(0u8); size as usize];
    let first = init.pieces.partition_point(|p| p.offset + p.data.size() <= at);
    for p in &init.pieces[first..] {
        if p.offset >= at + size {
            break;
        }
        match &p.data {
            InitData::Bytes(b) => {
                // Tables are one piece of many thousand bytes: only those that are read are looked at.
                let from = at.saturating_sub(p.offset) as usize;
                let to = ((at + size - p.offset) as usize).min(b.len());
                for (pos, x) in (p.offset + from as u64..).zip(&b[from..to]) {
                    bytes[(pos - at) as usize] = Some(*x);
                }
            }
            InitData::Address { symbol, addend, size: n } if p.offset == at && u64::from(*n) == size => {
                let replaceable = module.weak_alias(*symbol).is_some();
                let (s, extra) = module.resolve(*symbol);
                let off = (*addend as u64).wrapping_add(extra);
                let w = t.ptr_bits;
                let off = t.pool.num(w, u128::from(off));
                return match symbol_object(t, module, s)
                    .filter(|_| !replaceable && !module.may_be_absent(s) && module.made_by_linker(s).is_none())
                {
                    Some(obj) if u64::from(w) == 8 * size => t.pointer(obj, off),
                    _ => read_base(t, module, o, &Base::Unknown(0), at, size),
                };
            }
            // Padding, or the rest of a union: the bytes beside it are what they are.
            InitData::Undef(n) => {
                let (from, to) = (p.offset.max(at) - at, (p.offset + n).min(at + size) - at);
                bytes[from as usize..to as usize].fill(None);
            }
            // Part of an address, a label or a difference: any number.
            _ => return read_base(t, module, o, &Base::Unknown(0), at, size),
        }
    }
    if bytes.contains(&None) {
        let mut bits: Option<Term> = None;
        for (i, b) in bytes.iter().enumerate() {
            let b = match b {
                Some(b) => t.pool.num(8, u128::from(*b)),
                None => free_bytes(t, &[7, o], at + i as u64, 1),
            };
            bits = Some(bits.map_or(b, |low| t.pool.concat(b, low)));
        }
        let bits = bits.unwrap_or_else(|| t.pool.num(8, 0));
        return Sym { bits, prov: t.prov(NULL), undef: t.pool.tt() };
    }
    let mut v = verify_solver::Bv::zero(8);
    for (i, b) in bytes.iter().flatten().enumerate() {
        let b = verify_solver::Bv::new(8, u128::from(*b));
        v = if i == 0 { b } else { b.concat(&v) };
    }
    let bits = t.pool.constant(v);
    t.int(bits)
}

/// The object of a global or function. `None`: an ifunc, or too many objects.
pub fn symbol_object(t: &mut Terms, module: &Module, s: SymbolRef) -> Option<u32> {
    match s {
        SymbolRef::Global(g) => t.object(&[0, g.0], |t| {
            let x = module.global(g);
            crate::object::Object {
                kind: Kind::Global(g),
                name: x.name.clone(),
                size: t.pool.num(t.ptr_bits, u128::from(x.size)),
                align: x.align,
                read_only: x.constant,
            }
        }),
        SymbolRef::Func(f) => t.object(&[1, f.0], |t| crate::object::Object {
            kind: Kind::Func(f),
            name: module.func(f).name.clone(),
            size: t.pool.num(t.ptr_bits, 0),
            align: 1,
            read_only: true,
        }),
        SymbolRef::Alias(_) => None,
    }
}

/// Writes at a constant offset where `guard` holds. Not for array form.
#[allow(clippy::too_many_arguments)]
pub fn write(t: &mut Terms, module: &Module, o: u32, s: &mut State, guard: Term, at: u64, size: u64, v: Sym) {
    if let Some(a) = s.array {
        let off = t.pool.num(t.ptr_bits, u128::from(at));
        s.array = Some(write_array(t, o, a, guard, off, size, v));
        return;
    }
    let v = if t.pool.as_const(guard).is_some_and(|g| g.is_one()) {
        v
    } else {
        let old = read(t, module, o, s, at, size);
        t.choose(guard, v, old)
    };
    // What overlaps is cut.
    let overlapping: Vec<u64> = s.cells.range(..at + size).filter(|(k, c)| *k + c.size > at).map(|(k, _)| *k).collect();
    for k in overlapping {
        let Some(c) = s.cells.remove(&k) else { continue };
        if k < at {
            let left = slice(t, c.value, 0, at - k, &[8, o, k as u32, c.value.bits.0]);
            s.cells.insert(k, Cell { size: at - k, value: left });
        }
        let end = k + c.size;
        if end > at + size {
            let n = end - at - size;
            let right = slice(t, c.value, at + size - k, n, &[9, o, k as u32, c.value.bits.0]);
            s.cells.insert(at + size, Cell { size: n, value: right });
        }
    }
    s.cells.insert(at, Cell { size, value: v });
}

/// The contents as arrays of elements of `elem` bytes.
pub fn as_array(t: &mut Terms, module: &Module, o: u32, s: &State, elem: u64) -> Array {
    let w = t.ptr_bits;
    let bits = Sort::Array { index: w, elem: (8 * elem) as u32 };
    if let Some(a) = s.array {
        if a.elem == elem {
            return a;
        }
        // Another cut of an array has no relation to this one that is worth having: anything of the right kind.
        let key = [10, o, a.bits.0, a.prov.0, a.undef.0, elem as u32];
        let cands = t.leaves(a.prov);
        return Array {
            elem,
            bits: t.symbol(&key, bits),
            prov: {
                let wild: &[u32] = if cands.iter().all(|c| *c == NULL) { &[NULL] } else { &[WILD] };
                t.provenance_array(&key, wild, w)
            },
            undef: t.symbol(&key, Sort::Array { index: w, elem: 1 }),
        };
    }
    let mut a = base_array(t, module, o, &s.base, elem);
    // Elements that something was written into.
    let touched: BTreeSet<u64> =
        s.cells.iter().flat_map(|(at, c)| at / elem..=(at + c.size - 1) / elem).collect::<BTreeSet<u64>>();
    for i in touched {
        let v = read(t, module, o, s, i * elem, elem);
        let i = t.pool.num(w, u128::from(i));
        a = put(t, a, i, v);
    }
    a
}

fn base_array(t: &mut Terms, module: &Module, o: u32, base: &Base, elem: u64) -> Array {
    let w = t.ptr_bits;
    let bits_sort = Sort::Array { index: w, elem: (8 * elem) as u32 };
    let (ff, tt, null, wild) = (t.pool.ff(), t.pool.tt(), t.prov(NULL), t.prov(WILD));
    let null = t.pool.const_array(w, null);
    let defined = t.pool.const_array(w, ff);
    match base {
        Base::Zero => {
            let z = t.pool.num((8 * elem) as u32, 0);
            Array { elem, bits: t.pool.const_array(w, z), prov: null, undef: defined }
        }
        Base::Uninit(life) => {
            let bits = t.symbol(&[11, o, *life, elem as u32], bits_sort);
            Array { elem, bits, prov: null, undef: t.pool.const_array(w, tt) }
        }
        Base::Vector => base_array(t, module, o, &Base::Unknown(0), elem),
        Base::Unknown(e) => {
            let bits = t.symbol(&[12, o, *e, elem as u32], bits_sort);
            let whole = 8 * elem == u64::from(w);
            t.addressed |= !whole;
            let prov = if whole { t.pool.const_array(w, wild) } else { null };
            Array { elem, bits, prov, undef: defined }
        }
        Base::Murky(e) => {
            let a = base_array(t, module, o, &Base::Unknown(*e), elem);
            Array { undef: t.symbol(&[21, o, *e, elem as u32], Sort::Array { index: w, elem: 1 }), ..a }
        }
        Base::Either(c, x, y) => {
            let (p, q) = (base_array(t, module, o, x, elem), base_array(t, module, o, y, elem));
            Array {
                elem,
                bits: t.pool.ite(*c, p.bits, q.bits),
                prov: t.pool.ite(*c, p.prov, q.prov),
                undef: t.pool.ite(*c, p.undef, q.undef),
            }
        }
        Base::Init(g) => {
            let global = module.global(*g);
            if global.init.is_none() || global.size / elem > MAX_INIT {
                return base_array(t, module, o, &Base::Unknown(0), elem);
            }
            let mut a = base_array(t, module, o, &Base::Zero, elem);
            for i in 0..global.size.div_ceil(elem) {
                let v = read_init(t, module, o, *g, i * elem, elem);
                let zero = t.pool.as_const(v.bits).is_some_and(|b| b.is_zero()) && t.is_plain(v);
                if !zero {
                    let i = t.pool.num(w, u128::from(i));
                    a = put(t, a, i, v);
                }
            }
            a
        }
    }
}

fn put(t: &mut Terms, a: Array, i: Term, v: Sym) -> Array {
    Array {
        elem: a.elem,
        bits: t.pool.store(a.bits, i, v.bits),
        prov: t.pool.store(a.prov, i, v.prov),
        undef: t.pool.store(a.undef, i, v.undef),
    }
}

fn get(t: &mut Terms, a: Array, i: Term) -> Sym {
    Sym { bits: t.pool.select(a.bits, i), prov: t.pool.select(a.prov, i), undef: t.pool.select(a.undef, i) }
}

/// Index of the element an offset lies in.
pub(crate) fn index(t: &mut Terms, off: Term, elem: u64) -> Term {
    let k = t.pool.num(t.ptr_bits, u128::from(elem.trailing_zeros()));
    t.pool.lshr(off, k)
}

/// What lies at an offset, where that is a matter of the state alone: one whole element, or a place that is known.
pub fn element(t: &mut Terms, s: &State, off: Term, size: u64) -> Option<Sym> {
    match s.array {
        Some(a) => {
            let aligned = t.trailing_zeros(off) >= a.elem.trailing_zeros();
            let i = index(t, off, a.elem);
            (aligned && a.elem == size).then(|| get(t, a, i))
        }
        None => {
            let at = t.pool.as_const(off)?.to_u64()?;
            s.cells.get(&at).filter(|c| c.size == size).map(|c| c.value)
        }
    }
}

/// Reads from array form at any offset.
pub fn read_array(t: &mut Terms, o: u32, a: Array, off: Term, size: u64) -> Sym {
    let z = t.trailing_zeros(off);
    let aligned = z >= a.elem.trailing_zeros();
    if aligned && size.is_multiple_of(a.elem) {
        let i = index(t, off, a.elem);
        let mut out: Option<Sym> = None;
        for k in 0..size / a.elem {
            let k = t.pool.num(t.ptr_bits, u128::from(k));
            let i = t.pool.add(i, k);
            let v = get(t, a, i);
            out = Some(match out {
                None => v,
                Some(low) => join(t, v, low, &[13, o, i.0, low.bits.0]),
            });
        }
        return out.unwrap_or_else(|| t.constant((8 * size) as u32, 0));
    }
    if size < a.elem && a.elem.is_multiple_of(size) && z >= size.trailing_zeros() {
        // Inside one element.
        let i = index(t, off, a.elem);
        let v = get(t, a, i);
        let whole = t.address(v, &[14, o, v.bits.0]);
        let w = (8 * a.elem) as u32;
        let shift = shift_of(t, off, a.elem, w);
        let moved = t.pool.lshr(whole, shift);
        let bits = t.pool.extract(moved, (8 * size - 1) as u32, 0);
        return Sym { bits, prov: t.prov(NULL), undef: v.undef };
    }
    // Across elements at an unknown phase.
    let key = [15, o, a.bits.0, a.prov.0, a.undef.0, off.0, size as u32];
    let bits = t.symbol(&key, Sort::Bv((8 * size) as u32));
    let pointer = 8 * size == u64::from(t.ptr_bits);
    let plain = t.leaves(a.prov).iter().all(|c| *c == NULL);
    let undef = t.symbol(&key, Sort::Bv(1));
    let prov = t.prov(if pointer && !plain { WILD } else { NULL });
    Sym { bits, prov, undef }
}

/// `8 * (off % elem)` with `w` bits.
fn shift_of(t: &mut Terms, off: Term, elem: u64, w: u32) -> Term {
    let k = elem.trailing_zeros();
    if k == 0 {
        return t.pool.num(w, 0);
    }
    let low = t.pool.extract(off, k - 1, 0);
    let zeros = t.pool.num(3, 0);
    let bits = t.pool.concat(low, zeros);
    t.pool.resize_unsigned(bits, w)
}

/// Writes into array form at any offset where `guard` holds.
pub fn write_array(t: &mut Terms, o: u32, a: Array, guard: Term, off: Term, size: u64, v: Sym) -> Array {
    let z = t.trailing_zeros(off);
    let aligned = z >= a.elem.trailing_zeros();
    let w = t.ptr_bits;
    let choose = |t: &mut Terms, b: Array| Array {
        elem: a.elem,
        bits: t.pool.ite(guard, b.bits, a.bits),
        prov: t.pool.ite(guard, b.prov, a.prov),
        undef: t.pool.ite(guard, b.undef, a.undef),
    };
    if aligned && size.is_multiple_of(a.elem) {
        let i = index(t, off, a.elem);
        let mut b = a;
        for k in 0..size / a.elem {
            let part = slice(t, v, k * a.elem, a.elem, &[16, o, v.bits.0, off.0]);
            let k = t.pool.num(w, u128::from(k));
            let i = t.pool.add(i, k);
            b = put(t, b, i, part);
        }
        return choose(t, b);
    }
    if size < a.elem && a.elem.is_multiple_of(size) && z >= size.trailing_zeros() {
        let i = index(t, off, a.elem);
        let old = get(t, a, i);
        let whole = t.address(old, &[17, o, old.bits.0]);
        let new = t.address(v, &[18, o, v.bits.0]);
        let ew = (8 * a.elem) as u32;
        let shift = shift_of(t, off, a.elem, ew);
        let ones = t.pool.constant(verify_solver::Bv::ones((8 * size) as u32));
        let ones = t.pool.zext(ones, ew);
        let mask = t.pool.shl(ones, shift);
        let keep = t.pool.not(mask);
        let kept = t.pool.and(whole, keep);
        let new = t.pool.zext(new, ew);
        let new = t.pool.shl(new, shift);
        let bits = t.pool.or(kept, new);
        let undef = t.pool.or(old.undef, v.undef);
        let v = Sym { bits, prov: t.prov(NULL), undef };
        let b = put(t, a, i, v);
        return choose(t, b);
    }
    // Across elements at an unknown phase: afterwards anything.
    let key = [19, o, a.bits.0, a.prov.0, a.undef.0, off.0, size as u32, v.bits.0, v.prov.0, v.undef.0];
    let b = free_array(t, &key, a.elem, a.prov, v.prov);
    choose(t, b)
}

/// An array of anything, with provenances out of two terms' (an element that is put together from pieces of pointers
/// is wild).
fn free_array(t: &mut Terms, key: &[u32], elem: u64, p: Term, q: Term) -> Array {
    let w = t.ptr_bits;
    let plain = t.leaves(p).iter().chain(t.leaves(q).iter()).all(|c| *c == NULL);
    let cands: &[u32] = if plain { &[NULL] } else { &[WILD] };
    Array {
        elem,
        bits: t.symbol(key, Sort::Array { index: w, elem: (8 * elem) as u32 }),
        prov: t.provenance_array(key, cands, w),
        undef: t.symbol(key, Sort::Array { index: w, elem: 1 }),
    }
}

/// A free value that may be any of the objects that two values may be, and undefined only if one of them may.
pub fn free_like(t: &mut Terms, key: &[u32], width: u32, cands: &[u32], maybe_undef: bool) -> Sym {
    let bits = t.symbol(key, Sort::Bv(width));
    let prov = if cands.iter().all(|c| *c == NULL) { t.prov(NULL) } else { t.provenance(key, cands) };
    let mut k = key.to_vec();
    k.push(PROV);
    let undef = if maybe_undef { t.symbol(&k, Sort::Bv(1)) } else { t.pool.ff() };
    Sym { bits, prov, undef }
}
