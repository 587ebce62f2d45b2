//! Memory: the table of objects, their addresses, and checked access.
//!
//! Addresses are concrete: objects lie at least [`GAP`] bytes apart and each region grows upwards only, so an address
//! belongs to at most one object for the whole run. Only when a region is used up (a matter of hours with 64-bit
//! pointers) are addresses of dead objects used again; provenance still tells the objects apart.

use crate::code::Slot;
use crate::ctypes;
use crate::fault::{Access, Detail, Halt, PtrRole, Res};
use crate::object::{Cow, FIRST, Kind, Lazy, Mask, NO_PROV, NULL_PAGE, NULL_PROV, Object, Prov, Site, State};
use crate::program::Program;
use std::cell::Cell;
use std::collections::VecDeque;
use verify_ir::{CheckKind, GlobalId};

/// Least distance between the end of an object and the start of the next.
pub(crate) const GAP: u64 = 32;
/// [`crate::Origin::Cell`] numbers of globals begin here.
pub(crate) const GLOBAL_INPUTS: u32 = 1 << 24;
/// Dead stack objects that are remembered for messages.
const STACK_QUARANTINE: usize = 1 << 12;
/// Freed heap objects that are remembered for messages.
const HEAP_QUARANTINE: usize = 1 << 16;

/// A part of the address space that grows upwards.
#[derive(Clone, Debug)]
struct Region {
    start: u64,
    stop: u64,
    /// Where the next object may begin, and where the free stretch ends.
    next: u64,
    end: u64,
    /// (base, slot, generation), ascending.
    index: Vec<(u64, u32, u32)>,
    /// Length at which the index is swept.
    sweep: usize,
}

/// Regions of run-time objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    Heap = 0,
    Input = 1,
    Stack = 2,
}

/// The memory of a run.
pub(crate) struct Memory<'p> {
    program: &'p Program,
    pub objects: Vec<Object>,
    /// Slot of each static object, 0 when not made yet (slot 0 is never a static object).
    statics: Vec<u32>,
    regions: [Region; 3],
    free: Vec<u32>,
    dead_stack: VecDeque<u32>,
    dead_heap: VecDeque<u32>,
    pub live: u64,
    pub peak: u64,
    pub max: u64,
    pub ptr_bytes: u64,
    pub ptr_bits: u32,
    pub big_endian: bool,
    dynamic: u32,
    /// Writable globals of the program hold values from the script.
    pub open_globals: bool,
    /// See [`Object::arbitrary`], of all objects to come.
    pub arbitrary: bool,
    /// Something was read that depends on where objects lie: a number from bytes of an address, the object that a number
    /// is the address of.
    pub looked: Cell<bool>,
    /// The last differences of addresses in two objects.
    apart: Vec<u64>,
}

/// Differences that are remembered.
const APART: usize = 32;

/// Larger tables are given back: one long execution should not hold on to its memory.
const MOST_KEPT: usize = 1 << 15;

thread_local! {
    /// The table of objects of an earlier execution in this thread, empty. Many executions are short, and most of what
    /// a fresh table costs is the system's work for its pages.
    static TABLE: Cell<Vec<Object>> = const { Cell::new(Vec::new()) };
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        let mut table = std::mem::take(&mut self.objects);
        if table.capacity() <= MOST_KEPT {
            table.clear();
            // A thread that ends has no table any more.
            let _ = TABLE.try_with(|t| t.set(table));
        }
    }
}

fn blank() -> Object {
    Object {
        base: 0,
        size: 0,
        generation: u32::MAX,
        kind: Kind::Environment,
        state: State::Freed,
        writable: false,
        kept: false,
        family: 0,
        origin: 0,
        slot: 0,
        align: 1,
        data: Cow::Owned(Vec::new()),
        mask: Mask::Defined,
        arbitrary: false,
        pointers: None,
        exposed: false,
        lazy: None,
        made: Site::NONE,
        ended: Site::NONE,
    }
}

impl<'p> Memory<'p> {
    pub fn new(program: &'p Program, max: u64, arbitrary: bool) -> Memory<'p> {
        let target = &program.module().target;
        let bits = target.pointer_bits;
        let area =
            |start: u64, stop: u64| Region { start, stop, next: start, end: stop, index: Vec::new(), sweep: 4096 };
        let top = program.static_end().next_multiple_of(4096);
        let regions = if bits >= 64 {
            let top = top.max(0x10_0000_0000);
            [
                area(top, 0x2000_0000_0000),
                area(0x2000_0000_0000, 0x3000_0000_0000),
                area(0x7000_0000_0000, 0x7fff_ffff_0000),
            ]
        } else {
            // Heap 4/16, inputs 3/16, stack 8/16 of the address space, above the static objects.
            let unit = (1u64 << bits.min(32)) / 16;
            let heap = top.max(unit);
            [area(heap, 5 * unit), area(5 * unit, 8 * unit), area(8 * unit, 16 * unit - unit / 16)]
        };
        let mut objects = TABLE.take();
        objects.push(blank());
        Memory {
            program,
            objects,
            statics: vec![0; program.static_count()],
            regions,
            free: Vec::new(),
            dead_stack: VecDeque::new(),
            dead_heap: VecDeque::new(),
            live: 0,
            peak: 0,
            max,
            ptr_bytes: target.pointer_bytes(),
            ptr_bits: bits,
            big_endian: target.big_endian,
            dynamic: FIRST + program.static_count() as u32,
            open_globals: false,
            arbitrary,
            looked: Cell::new(false),
            apart: Vec::new(),
        }
    }

    /// The provenance that designates the object in `slot`.
    pub fn prov_of(&self, slot: u32) -> Prov {
        let o = &self.objects[slot as usize];
        if matches!(o.kind, Kind::Global | Kind::Literal) {
            Prov::from(FIRST + o.origin)
        } else {
            Prov::from(o.generation) << 32 | Prov::from(self.dynamic + slot)
        }
    }

    /// Counts bytes that are never given back.
    pub fn charge(&mut self, bytes: u64) -> Res<()> {
        self.live = self.live.saturating_add(bytes);
        if self.live > self.max {
            return Err(Box::new(Halt::Memory));
        }
        self.peak = self.peak.max(self.live);
        Ok(())
    }

    /// A new object; `gap` is added before it.
    pub fn alloc(&mut self, area: Area, kind: Kind, size: u64, align: u64, gap: u64, made: Site) -> Res<u32> {
        if size > self.max {
            return Err(Box::new(Halt::Memory));
        }
        self.charge(size)?;
        let align = align.max(1);
        let base = match self.place(area, size, align, gap) {
            Some(b) => b,
            None => {
                self.reuse(area, size.saturating_add(align).saturating_add(gap));
                self.place(area, size, align, gap).ok_or(Halt::Memory).map_err(Box::new)?
            }
        };
        let slot = match self.free.pop() {
            Some(s) => s,
            None => {
                self.objects.push(Object { generation: 0, ..blank() });
                (self.objects.len() - 1) as u32
            }
        };
        let o = &mut self.objects[slot as usize];
        let generation = o.generation + 1;
        o.base = base;
        o.size = size;
        o.generation = generation;
        o.kind = kind;
        o.state = State::Live;
        o.writable = true;
        o.kept = false;
        o.family = 0;
        o.origin = 0;
        o.align = align;
        o.data = Cow::Owned(vec![0; size as usize]);
        o.mask = Mask::Undefined;
        o.arbitrary = self.arbitrary;
        o.pointers = None;
        o.exposed = false;
        o.lazy = None;
        o.made = made;
        o.ended = Site::NONE;
        let r = &mut self.regions[area as usize];
        if r.index.len() >= r.sweep {
            let objects = &self.objects;
            r.index.retain(|&(_, s, g)| objects[s as usize].generation == g);
            r.sweep = 2 * r.index.len() + 4096;
        }
        let at = match r.index.last() {
            Some(last) if last.0 > base => r.index.partition_point(|e| e.0 < base),
            _ => r.index.len(),
        };
        r.index.insert(at, (base, slot, generation));
        Ok(slot)
    }

    /// Takes the next addresses of a region.
    fn place(&mut self, area: Area, size: u64, align: u64, gap: u64) -> Option<u64> {
        let r = &mut self.regions[area as usize];
        let base = r.next.saturating_add(gap).checked_next_multiple_of(align)?;
        let next = base.checked_add(size)?.checked_add(GAP)?;
        if next >= r.end {
            return None;
        }
        r.next = next;
        Some(base)
    }

    /// A region is used up: forgets the addresses of its dead objects and goes on in the widest stretch between live
    /// ones.
    #[cold]
    fn reuse(&mut self, area: Area, want: u64) {
        let objects = &self.objects;
        let live = |s: u32, g: u32| objects[s as usize].generation == g && objects[s as usize].state == State::Live;
        let r = &mut self.regions[area as usize];
        r.index.retain(|&(_, s, g)| live(s, g));
        let mut from = r.start;
        let mut best = (0, r.start, r.start);
        let ends = r.index.iter().map(|&(b, s, _)| (b, b + objects[s as usize].size + GAP)).chain([(r.stop, r.stop)]);
        for (base, end) in ends {
            let room = base.saturating_sub(from);
            if room > best.0 {
                best = (room, from, base.saturating_sub(GAP));
            }
            from = end;
        }
        if best.0 > want.saturating_add(2 * GAP) {
            (r.next, r.end) = (best.1, best.2);
        }
    }

    /// Ends the life of an object; its slot is reused after a while.
    pub fn end(&mut self, slot: u32, state: State, site: Site) {
        let o = &mut self.objects[slot as usize];
        if o.state != State::Live {
            return;
        }
        o.state = state;
        o.ended = site;
        o.data = Cow::Owned(Vec::new());
        o.mask = Mask::Undefined;
        o.pointers = None;
        o.lazy = None;
        let size = o.size;
        let heap = o.kind == Kind::Heap;
        self.live -= size.min(self.live);
        let (queue, most) =
            if heap { (&mut self.dead_heap, HEAP_QUARANTINE) } else { (&mut self.dead_stack, STACK_QUARANTINE) };
        queue.push_back(slot);
        if queue.len() > most
            && let Some(s) = queue.pop_front()
        {
            // The generation moves on when the slot is given out again; until then pointers still find the tombstone.
            self.free.push(s);
        }
    }

    /// The slot of a provenance, dead or alive; `None` when it is none, null, a function, or a recycled object.
    #[inline]
    pub fn slot(&mut self, prov: Prov) -> Option<u32> {
        let i = prov as u32;
        if i >= self.dynamic {
            let s = i - self.dynamic;
            let o = self.objects.get(s as usize)?;
            return if o.generation == (prov >> 32) as u32 { Some(s) } else { None };
        }
        if i < FIRST {
            return None;
        }
        let s = self.statics[(i - FIRST) as usize];
        if s != 0 { Some(s) } else { self.make_static(i - FIRST) }
    }

    /// Like [`Memory::slot`], but does not make a global that nobody has touched.
    pub fn slot_if_made(&self, prov: Prov) -> Option<u32> {
        let i = prov as u32;
        if i >= self.dynamic {
            let s = i - self.dynamic;
            return self.objects.get(s as usize).filter(|o| o.generation == (prov >> 32) as u32).map(|_| s);
        }
        if i < FIRST {
            return None;
        }
        Some(self.statics[(i - FIRST) as usize]).filter(|s| *s != 0)
    }

    /// A number was made of the address of this object.
    pub fn is_exposed(&self, prov: Prov) -> bool {
        self.slot_if_made(prov).is_some_and(|s| self.objects[s as usize].exposed)
    }

    /// A number is made of an address.
    pub fn expose(&mut self, prov: Prov) {
        if let Some(s) = self.slot(prov) {
            self.objects[s as usize].exposed = true;
        }
    }

    /// Addresses, not of one object, are compared, or one is taken from the other.
    pub fn compare(&mut self, a: Slot, b: Slot, equal: bool) {
        // A pointer behind the end of one object may be the address of another.
        let inside = |p: Slot| {
            let i = p.p as u32;
            if (FIRST..self.dynamic).contains(&i) {
                let (base, size) = self.program.static_range(i - FIRST);
                // Literals may be one object or several.
                let literal =
                    self.program.static_global(i - FIRST).is_some_and(|g| self.program.module().is_shared_literal(g));
                return p.v.wrapping_sub(base) < size && !literal;
            }
            self.slot_if_made(p.p).is_some_and(|s| {
                let o = &self.objects[s as usize];
                o.state == State::Live && p.v.wrapping_sub(o.base) < o.size
            })
        };
        let number = |p: Slot| p.p <= NULL_PROV;
        let null = |p: Slot| p.p <= NULL_PROV && p.v == 0;
        let alike = match (number(a), number(b)) {
            (true, true) => true,
            (false, false) => equal && inside(a) && inside(b),
            _ => equal && (null(a) || null(b)),
        };
        let objects = !number(a) && !number(b);
        if !alike {
            self.looked.set(true);
        }
        if objects && !equal {
            self.apart.truncate(APART - 1);
            self.apart.insert(0, a.v.wrapping_sub(b.v));
        }
    }

    /// The pointer has got from its own object into another one that lives, by the difference of two addresses:
    /// `p += new - old` after `realloc`. C leaves undefined what that is; machines do what is meant.
    pub fn was_moved(&self, a: Access) -> bool {
        let lives = |addr| {
            let prov = self.at(addr).filter(|p| *p != a.prov);
            // Of what is not made, there are only variables.
            prov.is_some_and(|p| self.slot_if_made(p).is_none_or(|s| self.objects[s as usize].state == State::Live))
        };
        let own = self.slot_if_made(a.prov).map(|s| &self.objects[s as usize]);
        let is_own = |addr: u64| match own {
            Some(o) => addr.wrapping_sub(o.base) <= o.size,
            // Long dead: all that is known of it is where it is not.
            None => !lives(addr),
        };
        let by = |d: &u64| is_own(a.addr.wrapping_sub(*d)) || is_own(a.addr.wrapping_add(*d));
        !is_own(a.addr) && lives(a.addr) && self.apart.iter().any(by)
    }

    /// The provenance is of an object whose slot was given to another one since: it is long dead.
    pub fn is_recycled(&self, prov: Prov) -> bool {
        let i = prov as u32;
        i >= self.dynamic
    }

    /// Is it a global (made or not)?
    pub fn global_of(&self, prov: Prov) -> Option<GlobalId> {
        let i = prov as u32;
        if i >= FIRST && i < self.dynamic { self.program.static_global(i - FIRST) } else { None }
    }

    #[cold]
    fn make_static(&mut self, index: u32) -> Option<u32> {
        let g = self.program.static_global(index)?;
        let info = self.program.module().global(g);
        let image = self.program.image(g);
        let (base, size) = self.program.static_range(index);
        let mut o = blank();
        o.generation = 0;
        o.base = base;
        o.size = size;
        o.kind = if info.compiler_made && info.constant { Kind::Literal } else { Kind::Global };
        o.state = State::Live;
        o.writable = !info.constant;
        o.origin = index;
        o.align = info.align.max(1);
        o.data = Cow::Shared(image.bytes.clone());
        o.mask = match &image.mask {
            None => Mask::Defined,
            Some(m) => Mask::Bits(m.clone()),
        };
        o.pointers = image.pointers.as_ref().map(|p| Cow::Shared(p.clone()));
        o.arbitrary = self.arbitrary;
        o.made = Site::new(u32::MAX, info.span.0);
        let user = !self.program.module().units.get(info.unit.index()).is_some_and(|u| u.model);
        if info.init.is_none() || (self.open_globals && o.writable && user && !info.compiler_made) {
            // Defined elsewhere, or changed by whoever ran before: the contents come from the script.
            o.mask = Mask::Undefined;
            o.pointers = None;
            o.lazy = Some(Box::new(Lazy {
                pending: vec![1; size as usize],
                elem: info.ctype,
                elem_size: info.ctype.map_or(1, |t| ctypes::size(self.program.module(), t)).max(1),
                path: info.source_name.clone(),
                direct: true,
                number: GLOBAL_INPUTS + index,
            }));
        }
        self.objects.push(o);
        let s = (self.objects.len() - 1) as u32;
        self.statics[index as usize] = s;
        self.live += size;
        self.peak = self.peak.max(self.live);
        Some(s)
    }

    /// The object that an address belongs to: inside, or one past the end. Functions count.
    pub fn find(&self, addr: u64) -> Option<Prov> {
        if addr >= NULL_PAGE {
            self.looked.set(true);
        }
        self.at(addr)
    }

    /// The same for those who ask what a number might be, and not what it is.
    pub fn at(&self, addr: u64) -> Option<Prov> {
        for r in &self.regions {
            if addr < r.start || addr >= r.stop {
                continue;
            }
            let i = r.index.partition_point(|&(b, ..)| b <= addr);
            let (base, slot, generation) = *r.index.get(i.checked_sub(1)?)?;
            let o = &self.objects[slot as usize];
            if o.generation == generation && addr - base <= o.size {
                return Some(self.prov_of(slot));
            }
            return None;
        }
        self.program.static_at(addr).map(|i| Prov::from(FIRST + i))
    }

    /// Resolves an access to (slot, offset), or says which check fails.
    #[inline(always)]
    pub fn resolve(&mut self, a: Access, role: PtrRole) -> Res<(u32, u64)> {
        let i = a.prov as u32;
        let slot = if i >= self.dynamic {
            i - self.dynamic
        } else {
            self.statics.get(i.wrapping_sub(FIRST) as usize).copied().unwrap_or(0)
        };
        if let Some(o) = self.objects.get(slot as usize)
            && o.generation == (a.prov >> 32) as u32
            && o.state == State::Live
            && (!a.write || o.writable)
        {
            let off = a.addr.wrapping_sub(o.base);
            if off <= o.size && o.size - off >= a.size {
                return Ok((slot, off));
            }
        }
        self.resolve_slow(a, role)
    }

    /// `extern int a[];` without a definition.
    fn is_of_unknown_size(&self, slot: u32) -> bool {
        let o = &self.objects[slot as usize];
        let global = (o.kind == Kind::Global && o.size == 0).then(|| self.program.static_global(o.origin)).flatten();
        global.is_some_and(|g| self.program.module().global(g).init.is_none())
    }

    #[inline(never)]
    fn resolve_slow(&mut self, mut a: Access, role: PtrRole) -> Res<(u32, u64)> {
        let fail = |kind, a| Halt::fail(kind, Detail::Access(a, role));
        if a.prov == NO_PROV || a.prov == NULL_PROV {
            if a.addr < NULL_PAGE {
                return fail(CheckKind::NullDeref, a);
            }
            match self.find(a.addr) {
                Some(p) => a.prov = p,
                None if a.prov == NULL_PROV => return fail(CheckKind::NullDeref, a),
                None => return fail(CheckKind::InvalidDeref, a),
            }
        }
        let Some(slot) = self.slot(a.prov) else {
            if self.is_recycled(a.prov) {
                let stack = matches!(self.dead_kind(a.addr), Some(Area::Stack));
                return fail(if stack { CheckKind::UseAfterScope } else { CheckKind::UseAfterFree }, a);
            }
            return fail(CheckKind::InvalidDeref, a);
        };
        let o = &self.objects[slot as usize];
        match o.state {
            State::Live => {}
            State::Freed => return fail(CheckKind::UseAfterFree, a),
            State::OutOfScope => return fail(CheckKind::UseAfterScope, a),
        }
        let off = a.addr.wrapping_sub(o.base) & (u64::MAX >> (64 - self.ptr_bits));
        if off > o.size || o.size - off < a.size {
            if self.is_of_unknown_size(slot) {
                return Halt::unmodelled("an access to a variable of unknown size, which is defined elsewhere");
            }
            return fail(if a.write { CheckKind::OutOfBoundsWrite } else { CheckKind::OutOfBoundsRead }, a);
        }
        if a.write && !o.writable {
            let global = (o.kind == Kind::Global).then(|| self.program.static_global(o.origin)).flatten();
            if global.is_some_and(|g| self.program.module().global(g).init.is_none()) {
                return Halt::unmodelled("a write to a constant that is defined elsewhere");
            }
            return fail(CheckKind::ReadOnlyWrite, a);
        }
        Ok((slot, off))
    }

    /// Which region an address is in.
    fn dead_kind(&self, addr: u64) -> Option<Area> {
        [Area::Heap, Area::Input, Area::Stack].into_iter().find(|a| {
            let r = &self.regions[*a as usize];
            r.index.first().is_some_and(|f| f.0 <= addr.saturating_add(1 << 20))
                && addr < r.next.saturating_add(1 << 20)
        })
    }

    /// All objects that exist, with their slots, in slot order.
    pub fn live_objects(&self) -> impl Iterator<Item = (u32, &Object)> {
        self.objects.iter().enumerate().skip(1).filter(|(_, o)| o.state == State::Live).map(|(i, o)| (i as u32, o))
    }

    /// Copies `len` bytes with definedness and pointers. Both ranges are resolved and nothing in the source is pending.
    pub fn copy(&mut self, dst: (u32, u64), src: (u32, u64), len: u64) {
        let pb = self.ptr_bytes;
        let s = &self.objects[src.0 as usize];
        let (bytes, mask) = s.read_range(src.1, len);
        let pointers = s.pointers.as_ref().map(|p| p.get().inside(src.1, len, pb)).unwrap_or_default();
        if s.pointers.as_ref().is_some_and(|p| p.get().is_torn_by(src.1, len, pb)) {
            self.looked.set(true);
        }
        // One temporary copy: the objects may be the same.
        let mut small = [0u8; 64];
        let long;
        let bytes = if len as usize <= small.len() {
            small[..len as usize].copy_from_slice(bytes);
            &small[..len as usize]
        } else {
            long = bytes.to_vec();
            &long[..]
        };
        let d = &mut self.objects[dst.0 as usize];
        d.write_range(dst.1, bytes, mask.as_deref(), pb);
        for (off, prov) in pointers {
            d.set_pointer(dst.1 + off, prov, pb);
        }
    }
}
