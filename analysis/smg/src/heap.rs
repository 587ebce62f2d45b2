//! States: objects with their fields, the values of the calls in progress, ranges of unknown integers. A symbolic memory
//! graph in the sense of knaut-2018 §2.2: objects are regions or list segments, a field is a has-value edge, an
//! address a points-to edge with its target specifier ([`End`]).
//!
//! Invariant: what a state does not say of a byte of an object, the object's [`Fill`] says.

use crate::cases::Case;
use crate::value::{Ptr, Range, Sym, Val, mask};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_checks::CheckId;
use verify_ir::{FuncId, GlobalId, Loc, Value};

/// An object of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Obj(pub u32);

/// Where an object comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable of a call in progress, or of one that has ended.
    Stack,
    /// A global.
    Global(GlobalId),
    /// Allocated, to be released by this family; the checks that fail when it is lost.
    Heap {
        /// Family of functions that release it.
        family: u64,
        /// Leaks at the calls that made it.
        sites: BTreeSet<CheckId>,
    },
}

/// What the bytes hold that no field covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Never set.
    Undef,
    /// Zeros.
    Zero,
    /// Anything.
    Any {
        /// Certainly set.
        defined: bool,
    },
    /// What the global is initialised with.
    Initial(GlobalId),
}

/// A chain of nodes of one size, of which the inner ones are pointed to by their neighbours only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// It has at least so many nodes, and never none.
    pub min: u32,
    /// Where in a node its neighbours' links point to.
    pub head: i64,
    /// Where a node has the address of the next one.
    pub next: i64,
    /// Where it has the address of the one before, if it has.
    pub prev: Option<i64>,
}

impl Segment {
    /// Offsets of the links.
    pub fn links(&self) -> Vec<i64> {
        [Some(self.next), self.prev].into_iter().flatten().collect()
    }
}

/// By offset: bytes and value.
pub type Fields = BTreeMap<i64, (u64, Val)>;

/// An object, or a segment of such. The `next` field of a segment is that of its last node, `prev` that of its first; the
/// other fields are those of every node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Origin.
    pub kind: Kind,
    /// It has at least so many bytes.
    pub size: u64,
    /// And at most so many.
    pub most: u64,
    /// It may be accessed.
    pub live: bool,
    /// It stands for many.
    pub segment: Option<Segment>,
    /// Each node of this segment has one for itself, which nothing else leads to.
    pub of: Option<Obj>,
    /// What is known of its bytes. Fields do not overlap.
    pub fields: Fields,
    /// Of a segment: what its nodes hold, each one of these. Empty: what the fields say.
    pub cases: Vec<Case>,
    /// Everything else.
    pub fill: Fill,
}

impl Object {
    /// A live one.
    pub fn new(kind: Kind, size: u64, most: u64, fill: Fill) -> Object {
        Object {
            kind,
            size,
            most,
            live: true,
            segment: None,
            of: None,
            fields: BTreeMap::new(),
            cases: Vec::new(),
            fill,
        }
    }
    /// On the heap.
    pub fn on_heap(&self) -> bool {
        matches!(self.kind, Kind::Heap { .. })
    }
    /// Fields that share a byte with `[off, off + n)`.
    pub fn overlapping(&self, off: i64, n: u64) -> Vec<i64> {
        let end = off.saturating_add_unsigned(n);
        // The longest fields are zeros of any length, so all before the end are looked at.
        self.fields.range(..end).filter(|(o, (b, _))| o.saturating_add_unsigned(*b) > off).map(|(o, _)| *o).collect()
    }
    /// Takes `[off, off + n)` away from the fields: what is left of a field that sticks out is something, or zeros.
    fn cut(&mut self, off: i64, n: u64) {
        let end = off.saturating_add_unsigned(n);
        for o in self.overlapping(off, n) {
            let Some((bytes, v)) = self.fields.remove(&o) else { continue };
            let rest = match v {
                Val::Zeros => Val::Zeros,
                Val::Int { value: 0, .. } => Val::Zeros,
                v => Val::Any { defined: v.defined() },
            };
            let over = o.saturating_add_unsigned(bytes);
            if o < off {
                self.fields.insert(o, (off.abs_diff(o), rest));
            }
            if over > end {
                self.fields.insert(end, (over.abs_diff(end), rest));
            }
        }
    }
    /// Sets bytes at a known place.
    pub fn set(&mut self, off: i64, bytes: u64, v: Val) {
        if bytes == 0 {
            return;
        }
        self.cut(off, bytes);
        self.fields.insert(off, (bytes, v));
    }
    /// Sets bytes somewhere from `lo` on, ending before `hi + bytes`: all of them may have the old value or this one.
    pub fn smear(&mut self, lo: i64, hi: i64, bytes: u64, v: Val) {
        let n = hi.abs_diff(lo).saturating_add(bytes);
        let mut defined = v.defined() && self.fill != Fill::Undef && self.fill != (Fill::Any { defined: false });
        for o in self.overlapping(lo, n) {
            defined &= self.fields.get(&o).is_none_or(|(_, v)| v.defined());
        }
        self.cut(lo, n);
        self.fields.insert(lo, (n, Val::Any { defined }));
    }
}

/// A call in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Function.
    pub func: FuncId,
    /// Where control is.
    pub loc: Loc,
    /// Its values.
    pub env: BTreeMap<Value, Val>,
    /// Its variables in memory, in the order in which they were made.
    pub allocas: Vec<Obj>,
}

/// A set of states of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Objects.
    pub objects: BTreeMap<Obj, Rc<Object>>,
    /// Unknown integers.
    pub ranges: BTreeMap<Sym, Range>,
    /// Globals that were touched.
    pub globals: BTreeMap<GlobalId, Obj>,
    /// Calls in progress, innermost last.
    pub frames: Vec<Frame>,
    /// Output was written: nothing is known of the library's own variables.
    pub library_unknown: bool,
    /// Numbers from here on are free.
    pub(crate) next: u32,
}

/// Who holds an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A value of a call in progress.
    Env,
    /// A field.
    Field(Obj, i64),
}

/// Who holds the addresses of each object.
pub type Holders = BTreeMap<Obj, Vec<(Holder, Ptr)>>;

impl State {
    /// A new object.
    pub fn add(&mut self, o: Object) -> Obj {
        let id = Obj(self.next);
        self.next += 1;
        self.objects.insert(id, Rc::new(o));
        id
    }
    /// A new unknown integer; a constant where the range has one only.
    pub fn unknown(&mut self, r: Range) -> Val {
        if let Some(v) = r.single() {
            return Val::int(r.width, v);
        }
        let s = Sym(self.next);
        self.next += 1;
        self.ranges.insert(s, r);
        Val::Sym(s)
    }
    /// The object; objects that are pointed to exist.
    pub fn get(&self, o: Obj) -> Option<&Object> {
        self.objects.get(&o).map(|o| &**o)
    }
    /// To be changed.
    pub fn get_mut(&mut self, o: Obj) -> Option<&mut Object> {
        self.objects.get_mut(&o).map(Rc::make_mut)
    }
    /// The integers that a value can be; `None`: it is no integer of which anything is known.
    pub fn range(&self, v: &Val) -> Option<Range> {
        match v {
            Val::Int { width, value } => Some(Range::one(*width, *value)),
            Val::Sym(s) => self.ranges.get(s).copied(),
            Val::Range(r) => Some(*r),
            _ => None,
        }
    }
    /// The innermost call.
    pub fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            let loc = Loc { block: verify_ir::Block::new(0), inst: 0 };
            self.frames.push(Frame { func: FuncId(0), loc, env: BTreeMap::new(), allocas: Vec::new() });
        }
        self.frames.last_mut().expect("just made")
    }
    /// Changes every value of the state.
    pub fn each_value(&mut self, mut f: impl FnMut(&mut Val)) {
        for frame in &mut self.frames {
            frame.env.values_mut().for_each(&mut f);
        }
        for o in self.objects.values_mut() {
            let hit = o.fields.values().any(|(_, v)| {
                let mut new = *v;
                f(&mut new);
                new != *v
            });
            if hit {
                Rc::make_mut(o).fields.values_mut().for_each(|(_, v)| f(v));
            }
        }
    }
    /// Lets every address for which `new` says so be another one.
    pub fn redirect(&mut self, new: impl Fn(Ptr) -> Option<Ptr>) {
        self.each_value(|v| {
            if let Val::Ptr(p) = v
                && let Some(q) = new(*p)
            {
                *v = Val::Ptr(q);
            }
        });
    }
    /// All addresses, by what they are of. A variable of a call is held by the call.
    pub fn holders(&self) -> Holders {
        let mut out = Holders::new();
        let mut add = |v: &Val, h: Holder| {
            if let Val::Ptr(p) = v {
                out.entry(p.obj).or_default().push((h, *p));
            }
        };
        for f in &self.frames {
            f.env.values().for_each(|v| add(v, Holder::Env));
            f.allocas.iter().for_each(|o| add(&Val::Ptr(Ptr::to(*o)), Holder::Env));
        }
        for (id, o) in &self.objects {
            o.fields.iter().for_each(|(at, (_, v))| add(v, Holder::Field(*id, *at)));
        }
        out
    }

    /// Drops what nothing leads to, from the values of the calls, their variables and globals on. What is lost of the
    /// heap: the checks that fail with it.
    pub fn collect(&mut self) -> BTreeSet<CheckId> {
        let mut work: Vec<Obj> = self.globals.values().copied().collect();
        let mut syms: BTreeSet<Sym> = BTreeSet::new();
        let mut visit = |v: &Val, work: &mut Vec<Obj>| match v {
            Val::Ptr(p) => work.push(p.obj),
            Val::Sym(s) => _ = syms.insert(*s),
            _ => {}
        };
        for f in &self.frames {
            work.extend(&f.allocas);
            f.env.values().for_each(|v| visit(v, &mut work));
        }
        let mut seen: BTreeSet<Obj> = BTreeSet::new();
        while let Some(o) = work.pop() {
            if seen.insert(o)
                && let Some(object) = self.objects.get(&o)
            {
                object.fields.values().for_each(|(_, v)| visit(v, &mut work));
            }
        }
        let mut lost = BTreeSet::new();
        self.objects.retain(|id, o| {
            if seen.contains(id) {
                return true;
            }
            if let (true, Kind::Heap { sites, .. }) = (o.live, &o.kind) {
                lost.extend(sites);
            }
            false
        });
        self.ranges.retain(|s, _| syms.contains(s));
        lost
    }

    /// What the bytes `[off, off + n)` of an object hold, `initial` telling what a global starts with. Not cut to a type.
    pub fn read(&self, obj: Obj, off: i64, n: u64, initial: &dyn Fn(GlobalId, i64, u64) -> Val) -> Val {
        let Some(o) = self.get(obj) else { return Val::MAYBE };
        if let Some((bytes, v)) = o.fields.get(&off)
            && (*bytes == n || *v == Val::Zeros && *bytes >= n)
        {
            return *v;
        }
        let over = o.overlapping(off, n);
        let filled = match o.fill {
            Fill::Undef => Val::Undef,
            Fill::Zero => Val::Zeros,
            Fill::Any { defined } => Val::Any { defined },
            Fill::Initial(g) => initial(g, off, n),
        };
        if over.is_empty() {
            return filled;
        }
        let fields: Vec<(i64, u64, Val)> =
            over.iter().filter_map(|k| o.fields.get(k).map(|(b, v)| (*k, *b, *v))).collect();
        let end = off.saturating_add_unsigned(n);
        if let [(at, bytes, v)] = fields.as_slice()
            && *at <= off
            && at.saturating_add_unsigned(*bytes) >= end
        {
            return match v {
                Val::Zeros => Val::Zeros,
                // Little-endian, as everything that is captured here.
                Val::Int { width, value } if u64::from(*width) == 8 * bytes && n <= 8 => {
                    Val::int(8 * n as u32, value >> (8 * off.abs_diff(*at)))
                }
                v => Val::Any { defined: v.defined() },
            };
        }
        let covered: u64 =
            fields.iter().map(|(at, b, _)| at.saturating_add_unsigned(*b).min(end).abs_diff((*at).max(off))).sum();
        let rest = (covered < n).then_some(filled);
        let all: Vec<Val> = fields.iter().map(|f| f.2).chain(rest).collect();
        let zero = |v: &Val| matches!(v, Val::Zeros | Val::Int { value: 0, .. });
        if all.iter().all(zero) {
            Val::Zeros
        } else if all.iter().all(|v| *v == Val::Undef) {
            Val::Undef
        } else {
            Val::Any { defined: all.iter().all(Val::defined) }
        }
    }

    /// What an object holds somewhere from `lo` on, ending before `hi + n`.
    pub fn read_somewhere(&self, obj: Obj, lo: i64, hi: i64, n: u64) -> Val {
        let Some(o) = self.get(obj) else { return Val::MAYBE };
        let all = hi.abs_diff(lo).saturating_add(n);
        let over = o.overlapping(lo, all);
        let defined = over.iter().all(|k| o.fields.get(k).is_some_and(|(_, v)| v.defined()));
        let covered: u64 = over
            .iter()
            .filter_map(|k| o.fields.get(k).map(|(b, _)| (*k, *b)))
            .map(|(at, b)| {
                let end = lo.saturating_add_unsigned(all);
                at.saturating_add_unsigned(b).min(end).abs_diff(at.max(lo))
            })
            .sum();
        let fill = match o.fill {
            Fill::Undef | Fill::Any { defined: false } => false,
            Fill::Zero | Fill::Any { defined: true } | Fill::Initial(_) => true,
        };
        Val::Any { defined: defined && (covered >= all || fill) }
    }

    /// The value with the type of a result: an integer or address of `width` bits (`None`: a number of floating point).
    pub fn typed(&mut self, v: Val, width: Option<u32>) -> Val {
        let Some(w) = width.filter(|w| *w <= 64) else {
            return match v {
                Val::Undef => Val::Undef,
                v => Val::Any { defined: v.defined() },
            };
        };
        match v {
            Val::Zeros => Val::int(w, 0),
            Val::Int { width, value } if width != w => {
                // A `_Bool` has a byte of its own.
                if width < w && width.div_ceil(8) == w.div_ceil(8) {
                    Val::int(w, value & mask(width))
                } else {
                    Val::int(w, value)
                }
            }
            Val::Sym(_) => match self.range(&v) {
                Some(r) if r.width == w => v,
                _ => Val::SOME,
            },
            Val::Range(r) if r.width == w => self.unknown(r),
            Val::Range(_) => Val::SOME,
            v => v,
        }
    }
}

/// What a global holds before it is written: offset and number of bytes. [`None`]: more is known of it than one
/// value says.
pub type Initial<'a> = dyn Fn(GlobalId, i64, u64) -> Option<Val> + 'a;

/// A field of two objects: offset, bytes, and its value in each.
pub type Both = (i64, u64, Val, Val);

/// The fields of two objects side by side; what one of them does not list, it has from its fill. `None`: they are cut in
/// different places.
pub fn side_by_side(x: &Object, y: &Object, initial: &Initial<'_>) -> Option<Vec<Both>> {
    let missing = |o: &Object, off: i64, n: u64| {
        if !o.overlapping(off, n).is_empty() {
            return None;
        }
        match o.fill {
            Fill::Undef => Some(Val::Undef),
            Fill::Zero => Some(Val::Zeros),
            Fill::Any { defined } => Some(Val::Any { defined }),
            Fill::Initial(g) => initial(g, off, n),
        }
    };
    let mut out = Vec::new();
    for (k, (n, v)) in &x.fields {
        let w = match y.fields.get(k) {
            Some((m, w)) if m == n => *w,
            Some(_) => return None,
            None => missing(y, *k, *n)?,
        };
        out.push((*k, *n, sized(*v, *n), sized(w, *n)));
    }
    for (k, (n, w)) in y.fields.iter().filter(|(k, _)| !x.fields.contains_key(k)) {
        out.push((*k, *n, sized(missing(x, *k, *n)?, *n), sized(*w, *n)));
    }
    out.sort_by_key(|f| f.0);
    Some(out)
}

/// Zeros that an integer can hold are an integer.
fn sized(v: Val, bytes: u64) -> Val {
    match v {
        Val::Zeros if bytes <= 8 && bytes > 0 => Val::int(8 * bytes as u32, 0),
        v => v,
    }
}
