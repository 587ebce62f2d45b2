//! Symbolic values and the terms that all formulas of a session share.
//!
//! A [`Sym`] is a value of the program: `bits`, the object that a pointer points into (`prov`, a 16-bit object number;
//! [`NULL`] for integers and null), and whether it may be undefined. The bits of a pointer with provenance are its byte
//! offset in the object, so no object needs an address until one is asked for ([`Terms::address`]). Integers carry
//! provenance too: a pointer that goes through an integer comes back as itself.
//!
//! Free symbols are found by a structural key (call path, loop copies, place, purpose). Encoding a function again with
//! deeper unwinding gives the same terms wherever the executions are the same, and hash-consing hands the solver what
//! it has already seen: the formula grows monotonically without enable literals.

use crate::object::{Kind, Object};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_solver::{Op, Pool, Sort, Term, term::Node};

/// Width of object numbers.
pub const PROV: u32 = 16;
/// The object of null pointers and of plain integers.
pub const NULL: u32 = 0;
/// "Some object, or none": nothing is known of it.
pub const WILD: u32 = 1;
/// Addresses below this are null pointers with an offset.
pub const NULL_PAGE: u64 = 4096;
/// More distinct objects than this behind one pointer make it wild.
const MAX_LEAVES: usize = 256;
/// Terms that are looked at to find what the offset of a pointer is in one object.
const MAX_OFFSET_STEPS: u32 = 2_000;

/// A symbolic value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sym {
    /// The bits; of a pointer with provenance, the byte offset in its object.
    pub bits: Term,
    /// Object number, [`PROV`] bits.
    pub prov: Term,
    /// May have undefined bits (one bit; an over-approximation).
    pub undef: Term,
}

/// A part of an object that nobody has written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unwritten {
    /// The byte at this offset.
    Byte(u64),
    /// All of it, in elements of so many bytes.
    Array(u64),
}

/// Owner of all terms, symbols and object numbers of a session.
pub struct Terms {
    /// The terms.
    pub pool: Pool,
    /// Width of a pointer in bits.
    pub ptr_bits: u32,
    /// Objects by number.
    pub objects: Vec<Object>,
    object_keys: FxHashMap<Vec<u32>, u32>,
    symbols: FxHashMap<(Vec<u32>, Sort), Term>,
    /// Which objects a free provenance symbol (or array of them) ranges over, sorted.
    candidates: FxHashMap<Term, Rc<[u32]>>,
    leaf_memo: FxHashMap<Term, Rc<[u32]>>,
    zeros_memo: std::cell::RefCell<FxHashMap<Term, u32>>,
    narrow_memo: FxHashMap<(Term, Term, u32), Option<Term>>,
    pub(crate) low_memo: std::cell::RefCell<FxHashMap<Term, crate::low::Low>>,
    /// Facts about free symbols; asserted once and for all.
    pub axioms: Vec<Term>,
    bases: FxHashMap<u32, Term>,
    epochs: FxHashMap<Vec<u32>, u32>,
    /// Objects that some wild value may point to though nothing in memory does.
    pub collapsed: std::collections::BTreeSet<u32>,
    /// An integer may have been made of an address, so that a number may point to something. As long as none was,
    /// a pointer without an object points nowhere.
    pub addressed: bool,
    /// Which operand of a sum or product its NaN is from is not held against either order of them.
    pub turned_sums: bool,
    /// Objects with a pointer that arithmetic of integers has moved: outside its object such a pointer is a number like
    /// any other, and may be the address of something else.
    pub detached: std::collections::BTreeSet<u32>,
    /// Symbols that are the bits of one unknown pointer each: see [`crate::wild`].
    pub wild: std::collections::BTreeSet<Term>,
    /// Those of them that the system hands over: they lead to the start of a living object that may be written.
    pub handed: std::collections::BTreeSet<Term>,
    /// Vectors of strings that the system hands over.
    pub vectors: BTreeMap<u32, crate::arguments::Vector>,
    /// Strings that the system hands over.
    pub texts: BTreeMap<u32, crate::arguments::Text>,
    /// Their lengths by their sizes.
    pub(crate) lengths: BTreeMap<Term, Term>,
    /// What is known of their bytes.
    pub(crate) texts_read: std::collections::BTreeSet<Term>,
    /// A provenance was built in a way that hides its objects: every object counts as collapsed.
    pub opaque: bool,
}

impl Terms {
    /// No terms; the two special objects exist.
    pub fn new(ptr_bits: u32) -> Terms {
        let mut t = Terms {
            pool: Pool::new(),
            ptr_bits,
            objects: Vec::new(),
            object_keys: FxHashMap::default(),
            symbols: FxHashMap::default(),
            candidates: FxHashMap::default(),
            leaf_memo: FxHashMap::default(),
            zeros_memo: Default::default(),
            narrow_memo: FxHashMap::default(),
            low_memo: Default::default(),
            axioms: Vec::new(),
            bases: FxHashMap::default(),
            epochs: FxHashMap::default(),
            collapsed: Default::default(),
            addressed: false,
            turned_sums: false,
            detached: Default::default(),
            wild: Default::default(),
            handed: Default::default(),
            vectors: Default::default(),
            texts: Default::default(),
            texts_read: Default::default(),
            lengths: Default::default(),
            opaque: false,
        };
        let zero = t.pool.num(ptr_bits, 0);
        for (kind, name) in [(Kind::Null, "null"), (Kind::Wild, "unknown object")] {
            t.objects.push(Object { kind, name: name.into(), size: zero, align: 1, read_only: false });
        }
        t
    }

    /// The symbol with this key.
    pub fn symbol(&mut self, key: &[u32], sort: Sort) -> Term {
        if let Some(t) = self.symbols.get(&(key.to_vec(), sort)) {
            return *t;
        }
        let t = self.pool.fresh("s", sort);
        self.symbols.insert((key.to_vec(), sort), t);
        t
    }

    /// The symbols for what objects hold that nobody has written, by object and life: single bytes by their offsets, and
    /// arrays with the size of their elements.
    pub fn uninitialised(&self) -> BTreeMap<(u32, u32), Vec<(Unwritten, Term)>> {
        let mut out: BTreeMap<(u32, u32), Vec<(Unwritten, Term)>> = BTreeMap::new();
        for ((key, _), t) in &self.symbols {
            match key.as_slice() {
                [5, o, life, low, high] => {
                    let at = u64::from(*high) << 32 | u64::from(*low);
                    out.entry((*o, *life)).or_default().push((Unwritten::Byte(at), *t));
                }
                [11, o, life, elem] => {
                    out.entry((*o, *life)).or_default().push((Unwritten::Array(u64::from(*elem)), *t));
                }
                _ => {}
            }
        }
        for list in out.values_mut() {
            list.sort();
        }
        out
    }

    /// The number of the object with this key; `make` describes it when it is new. `None`: there are too many.
    pub fn object(&mut self, key: &[u32], make: impl FnOnce(&mut Terms) -> Object) -> Option<u32> {
        if let Some(n) = self.object_keys.get(key) {
            return Some(*n);
        }
        let n = u32::try_from(self.objects.len()).ok().filter(|n| *n < 1 << PROV)?;
        let o = make(self);
        self.objects.push(o);
        self.object_keys.insert(key.to_vec(), n);
        Some(n)
    }

    /// The number, above 0, of the unknown past with this key.
    pub fn epoch(&mut self, key: &[u32]) -> u32 {
        let next = self.epochs.len() as u32 + 1;
        *self.epochs.entry(key.to_vec()).or_insert(next)
    }

    /// A provenance symbol that ranges over the given objects.
    pub fn provenance(&mut self, key: &[u32], candidates: &[u32]) -> Term {
        if let [one] = candidates {
            return self.prov(*one);
        }
        if candidates.len() > MAX_LEAVES || candidates.contains(&WILD) {
            self.collapsed.extend(candidates);
            return self.prov(WILD);
        }
        let mut full = key.to_vec();
        full.extend_from_slice(candidates);
        let t = self.symbol(&full, Sort::Bv(PROV));
        if let std::collections::hash_map::Entry::Vacant(e) = self.candidates.entry(t) {
            e.insert(candidates.into());
            let one_of: Vec<Term> = candidates
                .iter()
                .map(|c| {
                    let c = self.prov(*c);
                    self.pool.eq(t, c)
                })
                .collect();
            let a = self.pool.or_all(one_of);
            self.axioms.push(a);
        }
        t
    }

    /// A free array of provenances that range over the given objects. Elements that no candidate equals are possible
    /// in models, so a read says which they are: [`Terms::leaves`] is what counts.
    pub fn provenance_array(&mut self, key: &[u32], candidates: &[u32], index: u32) -> Term {
        if candidates.len() > MAX_LEAVES || candidates.contains(&WILD) {
            self.collapsed.extend(candidates);
            let w = self.prov(WILD);
            return self.pool.const_array(index, w);
        }
        if let [one] = candidates {
            let one = self.prov(*one);
            return self.pool.const_array(index, one);
        }
        let mut full = key.to_vec();
        full.extend_from_slice(candidates);
        let t = self.symbol(&full, Sort::Array { index, elem: PROV });
        self.candidates.insert(t, candidates.into());
        t
    }

    /// The constant object number.
    pub fn prov(&mut self, n: u32) -> Term {
        self.pool.num(PROV, u128::from(n))
    }

    /// Every object that a provenance term can be in some model, sorted.
    pub fn leaves(&mut self, t: Term) -> Rc<[u32]> {
        let mut stack = vec![t];
        while let Some(&x) = stack.last() {
            if self.leaf_memo.contains_key(&x) {
                stack.pop();
                continue;
            }
            // Children that carry provenance.
            let children: Vec<Term> = match self.pool.node(x) {
                Node::App(Op::Ite, a) => vec![a[1], a[2]],
                Node::App(Op::Store, a) => vec![a[0], a[2]],
                Node::App(Op::ConstArray | Op::Select, a) => vec![a[0]],
                _ => vec![],
            };
            let open: Vec<Term> = children.iter().copied().filter(|c| !self.leaf_memo.contains_key(c)).collect();
            if !open.is_empty() {
                stack.extend(open);
                continue;
            }
            let set: Rc<[u32]> = match self.pool.node(x) {
                Node::Const(v) => Rc::from([v.to_u64().unwrap_or(0) as u32]),
                Node::Var(_) => self.candidates.get(&x).cloned().unwrap_or_else(|| Rc::from([WILD])),
                Node::App(Op::Ite | Op::Store | Op::ConstArray | Op::Select, _) => {
                    let mut all: Vec<u32> = children.iter().flat_map(|c| self.leaf_memo[c].iter().copied()).collect();
                    all.sort_unstable();
                    all.dedup();
                    all.into()
                }
                // The rewriter has turned a choice between constants into bit operations.
                Node::App(..) => {
                    self.opaque = true;
                    Rc::from([WILD])
                }
            };
            self.leaf_memo.insert(x, set);
            stack.pop();
        }
        self.leaf_memo[&t].clone()
    }

    /// A plain integer.
    pub fn int(&mut self, bits: Term) -> Sym {
        Sym { bits, prov: self.prov(NULL), undef: self.pool.ff() }
    }

    /// The integer constant.
    pub fn constant(&mut self, width: u32, v: u128) -> Sym {
        let bits = self.pool.num(width, v);
        self.int(bits)
    }

    /// A pointer into an object.
    pub fn pointer(&mut self, object: u32, offset: Term) -> Sym {
        Sym { bits: offset, prov: self.prov(object), undef: self.pool.ff() }
    }

    /// It can only be a plain integer or null.
    pub fn is_plain(&self, s: Sym) -> bool {
        self.pool.as_const(s.prov).is_some_and(|v| v.is_zero())
    }

    /// `c ? a : b`.
    pub fn choose(&mut self, c: Term, a: Sym, b: Sym) -> Sym {
        Sym {
            bits: self.pool.ite(c, a.bits, b.bits),
            prov: self.pool.ite(c, a.prov, b.prov),
            undef: self.pool.ite(c, a.undef, b.undef),
        }
    }

    /// The address where an object begins. Objects lie anywhere that their alignment allows and above the null page;
    /// that they do not overlap is left out, which only adds executions.
    pub fn base(&mut self, object: u32) -> Term {
        if let Some(t) = self.bases.get(&object) {
            return *t;
        }
        let w = self.ptr_bits;
        let t = match self.objects[object as usize].kind {
            Kind::Null => self.pool.num(w, 0),
            _ => {
                let t = self.pool.fresh("base", Sort::Bv(w));
                let low = self.pool.num(w, u128::from(NULL_PAGE));
                let a = self.pool.ule(low, t);
                self.axioms.push(a);
                let o = &self.objects[object as usize];
                let (align, size) = (o.align.max(1), o.size);
                if align.is_power_of_two() && align > 1 {
                    let k = align.trailing_zeros().min(12);
                    let tail = self.pool.extract(t, k - 1, 0);
                    let zero = self.pool.num(k, 0);
                    let a = self.pool.eq(tail, zero);
                    self.axioms.push(a);
                }
                // Where the object is not made, its size may be anything, and must not rule the execution out.
                let end = self.pool.add(t, size);
                let fits = self.pool.ule(t, end);
                let huge = self.pool.extract(size, w - 1, w - 1);
                let a = self.pool.or(huge, fits);
                self.axioms.push(a);
                t
            }
        };
        self.bases.insert(object, t);
        t
    }

    /// The value as a plain number: of a pointer, its address. `key` and the value name the free symbol for what is not
    /// known. A pointer may be made of the number again, in ways that nothing follows.
    pub fn address(&mut self, s: Sym, key: &[u32]) -> Term {
        if self.is_plain(s) || self.pool.width(s.bits) != self.ptr_bits {
            return s.bits;
        }
        self.addressed = true;
        if self.pool.as_const(s.prov).is_some_and(|v| v.to_u64() == Some(u64::from(WILD))) {
            return s.bits;
        }
        let leaves = self.leaves(s.prov);
        // What is no object of the list is wild.
        self.collapsed.extend(leaves.iter().filter(|o| **o != WILD && **o != NULL));
        let mut out = s.bits;
        if leaves.contains(&WILD) {
            let key: Vec<u32> = key.iter().copied().chain([s.bits.0, s.prov.0]).collect();
            out = self.symbol(&key, Sort::Bv(self.ptr_bits));
        }
        for &o in leaves.iter().filter(|o| **o != WILD) {
            let b = self.base(o);
            let at = self.pool.add(b, s.bits);
            let c = self.prov(o);
            let is = self.pool.eq(s.prov, c);
            out = self.pool.ite(is, at, out);
        }
        out
    }

    /// The bits of a pointer where it is one into this object: a term that equals them there, without what they are on
    /// other paths. Where paths met, bits and object were chosen by the same conditions, so an offset that is constant in
    /// each object is found again, and what an uninitialised pointer of another path holds does not spoil it.
    pub fn offset_in(&mut self, s: Sym, object: u32) -> Term {
        if self.pool.as_const(s.bits).is_some() || self.pool.as_const(s.prov).is_some() {
            return s.bits;
        }
        let mut steps = MAX_OFFSET_STEPS;
        self.narrow(s.bits, s.prov, object, &mut steps).unwrap_or(s.bits)
    }

    /// `bits` under the assumption that `prov` is this object; `None`: it cannot be.
    fn narrow(&mut self, bits: Term, prov: Term, object: u32, steps: &mut u32) -> Option<Term> {
        if let Some(known) = self.narrow_memo.get(&(bits, prov, object)) {
            return *known;
        }
        let Some(left) = steps.checked_sub(1) else { return Some(bits) };
        *steps = left;
        let out = match (self.pool.node(bits).clone(), self.pool.node(prov).clone()) {
            (_, Node::Const(v)) => (v.to_u64() == Some(u64::from(object))).then_some(bits),
            (_, Node::Var(_)) => {
                let may = self.candidates.get(&prov).is_none_or(|c| c.contains(&object));
                may.then_some(bits)
            }
            (Node::App(Op::Add, a), _) => {
                let x = self.narrow(a[0], prov, object, steps);
                let y = self.narrow(a[1], prov, object, steps);
                x.zip(y).map(|(x, y)| self.pool.add(x, y))
            }
            (b, Node::App(Op::Ite, p)) => {
                let (u, v) = match b {
                    Node::App(Op::Ite, b) if b[0] == p[0] => (b[1], b[2]),
                    _ => (bits, bits),
                };
                let x = self.narrow(u, p[1], object, steps);
                let y = self.narrow(v, p[2], object, steps);
                match (x, y) {
                    (Some(x), Some(y)) if u == v && x == u && y == v => Some(bits),
                    (Some(x), Some(y)) => Some(self.pool.ite(p[0], x, y)),
                    (x, y) => x.or(y),
                }
            }
            _ => Some(bits),
        };
        // What was cut short is not the whole answer.
        if *steps > 0 {
            self.narrow_memo.insert((bits, prov, object), out);
        }
        out
    }

    /// Number of low bits that are zero in every model, as far as the shape of the term tells.
    pub fn trailing_zeros(&self, t: Term) -> u32 {
        let mut memo = self.zeros_memo.borrow_mut();
        let mut stack = vec![t];
        while let Some(&x) = stack.last() {
            if memo.contains_key(&x) {
                stack.pop();
                continue;
            }
            let args: &[Term] = match self.pool.node(x) {
                Node::App(Op::Ite, a) => &a[1..3],
                Node::App(Op::Neg | Op::SExt | Op::ZExt, a) => &a[..1],
                Node::App(Op::Concat | Op::Add | Op::Or | Op::Xor | Op::Mul | Op::And, a) => &a[..2],
                _ => &[],
            };
            let before = stack.len();
            stack.extend(args.iter().filter(|a| !memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let w = self.pool.width(x);
            let z = |i: usize| memo[&args[i]];
            let n = match self.pool.node(x) {
                Node::Const(v) => (0..w).find(|i| v.bit(*i)).unwrap_or(w),
                Node::App(Op::Concat, a) => {
                    if z(1) == self.pool.width(a[1]) {
                        z(1) + z(0)
                    } else {
                        z(1)
                    }
                }
                Node::App(Op::Add | Op::Or | Op::Xor | Op::Ite, _) => z(0).min(z(1)),
                Node::App(Op::Neg | Op::SExt, _) => z(0),
                Node::App(Op::ZExt, a) if z(0) == self.pool.width(a[0]) => w,
                Node::App(Op::ZExt, _) => z(0),
                Node::App(Op::Mul, _) => (z(0) + z(1)).min(w),
                Node::App(Op::And, _) => z(0).max(z(1)),
                _ => 0,
            };
            memo.insert(x, n);
            stack.pop();
        }
        memo[&t]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_solver::Bv;
    use verify_solver::eval::{Value, eval};

    /// Random choices among pointers, moved on the way: where a pointer is one into an object, its offset there is its
    /// bits, in every model.
    #[test]
    fn offsets_in_an_object_are_the_bits_where_it_is_the_one() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut below = |n: usize| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % n as u64) as usize
        };
        let mut narrowed = 0;
        for _ in 0..500 {
            let mut t = Terms::new(64);
            let conditions: Vec<Term> = (0..4).map(|_| t.pool.fresh("c", Sort::Bv(1))).collect();
            let free = t.pool.fresh("free", Sort::Bv(64));
            let mut all: Vec<Sym> = (2..6)
                .map(|o| {
                    let at = t.pool.num(64, 8 * u128::from(o));
                    t.pointer(o, at)
                })
                .collect();
            let wild = t.prov(WILD);
            all.push(Sym { bits: free, prov: wild, undef: t.pool.tt() });
            for _ in 0..8 {
                let (a, b) = (all[below(all.len())], all[below(all.len())]);
                let c = conditions[below(4)];
                let c = if below(3) == 0 { t.pool.and(c, conditions[below(4)]) } else { c };
                let mut new = t.choose(c, a, b);
                if below(3) == 0 {
                    let k = t.pool.num(64, below(32) as u128);
                    new.bits = t.pool.add(new.bits, k);
                }
                all.push(new);
            }
            let p = all[all.len() - 1];
            for o in 1..6 {
                let at = t.offset_in(p, o);
                narrowed += u32::from(at != p.bits);
                for model in 0..16usize {
                    let value = |v: Term| match conditions.iter().position(|c| *c == v) {
                        Some(k) => Bv::new(1, (model >> k & 1) as u128),
                        None => Bv::new(64, 0x1234_5678),
                    };
                    let got = eval(&t.pool, &[p.prov, p.bits, at], |v| Value::Bv(value(v)));
                    if got[0].bv().to_u64() == Some(u64::from(o)) {
                        assert_eq!(got[1].bv(), got[2].bv(), "the offset in object {o} in model {model:b}");
                    }
                }
            }
        }
        assert!(narrowed > 500, "offsets were said more plainly {narrowed} times only");
    }
}
