//! Unknown pointers: parameters of a function that is called with anything, results of unknown code, what was read
//! through such. Each is a symbol; behind it lies some object or none. What is fixed about it is a free symbol of its
//! own: null or not, the object's size, the pointer's offset in it, whether it may be written; liveness is fixed as long
//! as no unknown code runs and nothing is freed. So the first access can fail and the next one through the same pointer
//! cannot fail for the same reason. The bits of the symbol are the address.
//!
//! Unknown objects may overlap each other and everything that is exposed. What was read or written through a pointer is
//! known until something that may be the same place is written.

use crate::build::{Build, Path};
use crate::sym::{NULL_PAGE, Sym, WILD};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_ir::CheckKind as K;
use verify_solver::{Op, Sort, Term};

/// A place behind an unknown pointer: the pointer's symbol, the offset from it, bytes.
pub type Place = (Term, Term, u64);

/// What is behind unknown pointers.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Known {
    /// What was read or written.
    at: BTreeMap<Place, Sym>,
    /// Names what is at all other places: it changes with every write that may be to one of them. Two reads of a place in
    /// the same epoch read the same.
    epoch: u32,
}

impl Known {
    /// Nothing is known any more; `epoch` was never used before.
    pub(crate) fn forget(path: &mut Path, epoch: u32) {
        path.wild = Rc::new(Known { at: BTreeMap::new(), epoch });
    }

    /// What holds at the head of a loop that is entered with this, before an iteration that ends with `back`.
    pub(crate) fn lost(&self, back: &Known) -> Lost {
        let same = |k: &Place| back.at.get(k).is_some_and(|v| *v == self.at[k]);
        Lost { epoch: self.epoch != back.epoch, places: self.at.keys().filter(|k| !same(k)).copied().collect() }
    }

    /// Everything.
    pub(crate) fn all(&self) -> Lost {
        Lost { epoch: true, places: self.at.keys().copied().collect() }
    }

    /// Without what was lost; all other places are those of `epoch` then, which was never used before.
    pub(crate) fn without(path: &mut Path, lost: &Lost, epoch: u32) {
        if !lost.epoch && lost.places.is_empty() {
            return;
        }
        let known = Rc::make_mut(&mut path.wild);
        known.at.retain(|k, _| !lost.places.contains(k));
        known.epoch = epoch;
    }
}

/// What iterations of a loop change behind unknown pointers.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Lost {
    epoch: bool,
    places: BTreeSet<Place>,
}

impl Lost {
    pub(crate) fn add(&mut self, other: Lost) {
        self.epoch |= other.epoch;
        self.places.extend(other.places);
    }
}

/// An access goes at most this far into address space from the start of an object.
const MAX_SIZE_BITS: u32 = 47;
/// Terms looked at for the unknown pointer in a value.
const MAX_SHAPE: u32 = 64;

impl Build<'_, '_> {
    /// The unknown pointer that a value is computed from, and the offset; `None` when it is not of that shape.
    pub(crate) fn wild_base(&mut self, p: Sym) -> Option<(Term, Term)> {
        let is_wild = self.e.terms.pool.as_const(p.prov).is_some_and(|v| v.to_u64() == Some(u64::from(WILD)));
        if !is_wild {
            return None;
        }
        let mut left = MAX_SHAPE;
        match self.shape(p.bits, &mut left)? {
            (Some(base), offset) => Some((base, offset)),
            (None, _) => None,
        }
    }

    /// A value as the one unknown pointer in it and the rest; `None`: there are several, or it would take too long to say.
    fn shape(&mut self, t: Term, left: &mut u32) -> Option<(Option<Term>, Term)> {
        *left = left.checked_sub(1)?;
        if self.e.terms.wild.contains(&t) {
            let zero = self.e.terms.pool.num(self.e.terms.ptr_bits, 0);
            return Some((Some(t), zero));
        }
        if let Some(&[x, y]) = self.e.terms.pool.as_app(t, Op::Add) {
            let ((a, x), (b, y)) = (self.shape(x, left)?, self.shape(y, left)?);
            return match (a, b) {
                (None, None) => Some((None, t)),
                (Some(_), Some(_)) => None,
                _ => Some((a.or(b), self.e.terms.pool.add(x, y))),
            };
        }
        if let Some(&[c, x, y]) = self.e.terms.pool.as_app(t, Op::Ite) {
            let ((a, x), (b, y)) = (self.shape(x, left)?, self.shape(y, left)?);
            return match (a, b) {
                (None, None) => Some((None, t)),
                _ if a == b => Some((a, self.e.terms.pool.ite(c, x, y))),
                _ => None,
            };
        }
        Some((None, t))
    }

    fn fixed(&mut self, what: u32, base: Term, generation: u32, width: u32) -> Term {
        self.e.terms.symbol(&[200, what, base.0, generation], Sort::Bv(width))
    }

    /// An access through the pointer fails `null-deref`.
    pub(crate) fn wild_null(&mut self, base: Term) -> Term {
        if self.e.terms.handed.contains(&base) {
            let zero = self.e.terms.pool.num(self.e.terms.ptr_bits, 0);
            return self.e.terms.pool.eq(base, zero);
        }
        self.fixed(0, base, 0, 1)
    }
    /// Now, an access fails `invalid-deref`.
    pub(crate) fn wild_invalid(&mut self, base: Term, path: &Path) -> Term {
        if self.e.terms.handed.contains(&base) {
            return self.ff;
        }
        self.fixed(1, base, path.generation, 1)
    }
    /// Now, an access fails `use-after-free`.
    pub(crate) fn wild_freed(&mut self, base: Term, path: &Path) -> Term {
        if self.e.terms.handed.contains(&base) {
            return self.ff;
        }
        self.fixed(2, base, path.generation, 1)
    }
    /// Now, an access fails `use-after-scope`.
    pub(crate) fn wild_scope(&mut self, base: Term, path: &Path) -> Term {
        if self.e.terms.handed.contains(&base) {
            return self.ff;
        }
        self.e.terms.symbol(&[200, 3, base.0, path.generation, path.scope], Sort::Bv(1))
    }
    /// A write fails `read-only-write`.
    pub(crate) fn wild_constant(&mut self, base: Term) -> Term {
        if self.e.terms.handed.contains(&base) {
            return self.ff;
        }
        self.fixed(12, base, 0, 1)
    }

    /// Bytes of the object, of pointer width; without its end for a string of the system's.
    pub(crate) fn wild_size(&mut self, base: Term) -> Term {
        let w = self.e.terms.ptr_bits;
        let handed = self.e.terms.handed.contains(&base);
        let bits = if handed { MAX_SIZE_BITS.min(w - 2) } else { MAX_SIZE_BITS };
        let size = self.fixed(10, base, 0, bits);
        let size = self.e.terms.pool.zext(size, w.max(MAX_SIZE_BITS));
        self.e.terms.pool.extract(size, w - 1, 0)
    }

    /// `len` bytes at `offset` from the pointer are not all in its object.
    pub(crate) fn wild_outside(&mut self, base: Term, offset: Term, len: Term) -> Term {
        let w = self.e.terms.ptr_bits;
        let handed = self.e.terms.handed.contains(&base);
        let size = self.wild_size(base);
        let at = if handed { self.e.terms.pool.num(w, 0) } else { self.fixed(11, base, 0, w) };
        let pl = &mut self.e.terms.pool;
        // A string has its end.
        let end = pl.num(w, u128::from(handed));
        let size = pl.add(size, end);
        let start = pl.add(at, offset);
        let beyond = pl.ult(size, start);
        let room = pl.sub(size, start);
        let short = pl.ult(room, len);
        pl.or(beyond, short)
    }

    /// Checks an access through an unknown pointer; each check is exact about the symbols that stand for the object.
    pub(crate) fn check_wild(&mut self, path: &Path, base: Term, offset: Term, len: Term, read: bool, write: bool) {
        let g = path.guard;
        let w = self.e.terms.ptr_bits;
        let null = self.wild_null(base);
        // The address 0 and what is near it are the null pointer's.
        let zero = self.e.terms.pool.num(w, 0);
        let zero = self.e.terms.pool.eq(base, zero);
        let page = self.e.terms.pool.num(w, u128::from(NULL_PAGE));
        let near = self.e.terms.pool.ult(offset, page);
        let zero = self.e.terms.pool.and(zero, near);
        let is = self.e.terms.pool.implies(zero, null);
        self.assume(g, is);
        self.claim(K::NullDeref, g, null, true);
        let bad = self.wild_invalid(base, path);
        self.claim(K::InvalidDeref, g, bad, true);
        let bad = self.wild_freed(base, path);
        self.claim(K::UseAfterFree, g, bad, true);
        let bad = self.wild_scope(base, path);
        self.claim(K::UseAfterScope, g, bad, true);
        let out = self.wild_outside(base, offset, len);
        // A number or null that was used as a pointer has no object: any of the kinds above was reported for it.
        match (read, write) {
            (true, true) => {
                self.claim(K::OutOfBoundsRead, g, out, false);
                self.claim(K::OutOfBoundsWrite, g, out, true);
            }
            (true, false) => self.claim(K::OutOfBoundsRead, g, out, true),
            _ => self.claim(K::OutOfBoundsWrite, g, out, true),
        }
        if write {
            let constant = self.wild_constant(base);
            self.claim(K::ReadOnlyWrite, g, constant, true);
        }
    }

    /// Reads through an unknown pointer.
    pub(crate) fn read_wild(&mut self, path: &mut Path, base: Term, offset: Term, size: u64) -> Sym {
        if size == 1
            && let Some(v) = self.handed_byte(path, base, offset)
        {
            return v;
        }
        let place = (base, offset, size);
        if let Some(v) = path.wild.at.get(&place) {
            return *v;
        }
        let key = |what: u32| [200, what, base.0, offset.0, size as u32, path.wild.epoch];
        let bits = self.e.terms.symbol(&key(20), Sort::Bv((8 * size) as u32));
        let undef = self.e.terms.symbol(&key(21), Sort::Bv(1));
        let v = self.out_of_memory(bits, undef, size);
        Rc::make_mut(&mut path.wild).at.insert(place, v);
        v
    }

    /// A value of which nothing is known, out of memory.
    pub(crate) fn unknown_value(&mut self, size: u64) -> Sym {
        let bits = self.fresh(40, (8 * size) as u32);
        let undef = self.fresh(41, 1);
        self.out_of_memory(bits, undef, size)
    }

    fn out_of_memory(&mut self, bits: Term, undef: Term, size: u64) -> Sym {
        let whole = 8 * size == u64::from(self.e.terms.ptr_bits);
        if whole {
            self.e.terms.wild.insert(bits);
        }
        let prov = self.e.terms.prov(if whole { WILD } else { crate::sym::NULL });
        Sym { bits, prov, undef }
    }

    /// Any place that unknown pointers may point to was written.
    pub(crate) fn forget_wild(&mut self, path: &mut Path) {
        let k = self.key(47);
        let past = self.t().epoch(&k);
        Known::forget(path, past);
    }

    /// Remembers a write through an unknown pointer, and forgets what it may have changed.
    pub(crate) fn write_wild(&mut self, path: &mut Path, base: Term, offset: Term, size: u64, v: Sym) {
        let k = self.key(48);
        let epoch = self.t().epoch(&k);
        let pool = &self.e.terms.pool;
        let number = |t: Term| pool.as_const(t).and_then(|v| v.to_u64());
        let at = number(offset);
        let known = Rc::make_mut(&mut path.wild);
        known.epoch = epoch;
        known.at.retain(|(b, o, n), _| match (at, number(*o)) {
            (Some(x), Some(y)) if *b == base => {
                let (x, y) = (x as i64, y as i64);
                let apart = |from: i64, len: u64, to: i64| from.checked_add(len as i64).is_some_and(|end| end <= to);
                apart(x, size, y) || apart(y, *n, x)
            }
            _ => false,
        });
        known.at.insert((base, offset, size), v);
    }

    /// Joins what is known on two paths.
    pub(crate) fn meet_wild(&mut self, sel: Term, acc: &mut Path, other: &Path) {
        if acc.generation != other.generation {
            let (x, y) = (acc.generation, other.generation);
            acc.generation = self.e.terms.epoch(&[2, sel.0, x, y]);
        }
        if acc.scope != other.scope {
            let (x, y) = (acc.scope, other.scope);
            acc.scope = self.e.terms.epoch(&[5, sel.0, x, y]);
        }
        if Rc::ptr_eq(&acc.wild, &other.wild) {
            return;
        }
        let (x, y) = (acc.wild.epoch, other.wild.epoch);
        let same = x == y;
        // What only one of them has read is the same for the other as long as nothing was written since they parted.
        let mut at = if same { other.wild.at.clone() } else { BTreeMap::new() };
        for (k, x) in &acc.wild.at {
            match other.wild.at.get(k) {
                Some(y) => at.insert(*k, self.choose(sel, *y, *x)),
                None if same => at.insert(*k, *x),
                None => None,
            };
        }
        let epoch = if same { x } else { self.e.terms.epoch(&[6, sel.0, x, y]) };
        acc.wild = Rc::new(Known { at, epoch });
    }
}
