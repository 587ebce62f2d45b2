//! What the system hands to `main`: a vector of pointers to strings with a null pointer behind the last (ISO C17
//! 5.1.2.2.1), and the environment as another one.
//!
//! The vector is an object of as many pointers as there are arguments and one more. The first [`TEXTS`] strings are objects
//! of their own, of any length: bytes that are not zero, and a zero. The others, and every one that is asked for by an
//! index that is not constant, are unknown pointers ([`crate::wild`]) of which it is known that they lead to the start of
//! a living object of at least one byte that may be written. As long as no string can have been written, each of these
//! holds bytes of its own that are not zero, and a zero; that two indices may be of one string, nothing says.
//!
//! Not here: what is in the environment (`getenv` is the library's).

use crate::build::{Build, Path};
use crate::formula::EventKind;
use crate::memory::{Array, Base, State};
use crate::object::{Kind, Object};
use crate::sym::{NULL, NULL_PAGE, Sym, Terms, WILD};
use std::collections::BTreeMap;
use verify_ir::{FuncId, Ty};
use verify_solver::{Sort, Term};

/// Strings that are objects of their own.
pub const TEXTS: u32 = 4;
/// Tags of the keys of symbols and objects.
const KEYS: u32 = 220;

/// A vector of pointers to strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// How many there are before the null pointer, of pointer width.
    pub count: Term,
    /// Objects of the first ones.
    pub texts: Vec<u32>,
}

/// A string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text {
    /// Bytes before the zero, of pointer width.
    pub length: Term,
    /// The bytes: an array symbol of which what lies behind the length does not count.
    pub bytes: Term,
}

impl Terms {
    /// The pointer at an offset in a vector that is as the system has made it.
    pub fn handed_pointer(&mut self, o: u32, offset: Term) -> Sym {
        let Some(v) = self.vectors.get(&o).cloned() else { return self.pointer(WILD, offset) };
        let w = self.ptr_bits;
        let word = u64::from(w / 8);
        let at = self.pool.as_const(offset).and_then(|k| k.to_u64());
        let shift = self.pool.num(w, u128::from(word.trailing_zeros()));
        let index = self.pool.lshr(offset, shift);
        let inside = self.pool.ult(index, v.count);
        if let Some(text) = at.and_then(|at| v.texts.get((at / word) as usize)) {
            let zero = self.pool.num(w, 0);
            let (p, null) = (self.pointer(*text, zero), self.int(zero));
            return self.choose(inside, p, null);
        }
        let base = self.symbol(&[KEYS, 0, o, offset.0], Sort::Bv(w));
        if self.handed.insert(base) {
            self.wild.insert(base);
            let page = self.pool.num(w, u128::from(NULL_PAGE));
            let high = self.pool.ule(page, base);
            let some = self.pool.implies(inside, high);
            let zero = self.pool.num(w, 0);
            let (last, null) = (self.pool.eq(index, v.count), self.pool.eq(base, zero));
            let end = self.pool.implies(last, null);
            self.axioms.extend([some, end]);
        }
        Sym { bits: base, prov: self.prov(WILD), undef: self.pool.ff() }
    }

    /// An offset is below the size of an object. That a string has one byte more than its length is left out of it, which
    /// spares the solver an addition.
    pub(crate) fn is_inside(&mut self, offset: Term, size: Term) -> Term {
        match self.lengths.get(&size) {
            Some(length) => self.pool.ule(offset, *length),
            None => self.pool.ult(offset, size),
        }
    }

    /// The byte of a string at an offset before its end is not zero, as the system has made it.
    pub fn not_the_end(&mut self, o: u32, offset: Term) {
        if let Some(text) = self.texts.get(&o).copied() {
            self.not_the_end_of(text, offset);
        }
    }

    fn not_the_end_of(&mut self, text: Text, offset: Term) {
        let byte = self.pool.select(text.bytes, offset);
        let zero = self.pool.num(8, 0);
        let some = self.pool.ne(byte, zero);
        let inside = self.pool.ult(offset, text.length);
        let axiom = self.pool.implies(inside, some);
        if self.pool.as_const(axiom).is_none() && self.texts_read.insert(axiom) {
            self.axioms.push(axiom);
        }
    }
}

impl Build<'_, '_> {
    /// The arguments that the system calls `main` with.
    pub(crate) fn handed_to_main(&mut self, main: FuncId, path: &mut Path) -> Vec<Sym> {
        let params: Vec<Ty> = self.module().func(main).sig.params.iter().map(|p| p.ty).collect();
        let mut args: Vec<Sym> = params.iter().map(|ty| self.anything(1, *ty)).collect();
        let (Some(argc), Some(Ty::Int(n))) = (args.first().copied(), params.first()) else { return args };
        let w = self.e.terms.ptr_bits;
        // At least the program's name; the number of arguments fits the type, and the vector the memory.
        let one = self.e.terms.pool.num(*n, 1);
        let most = self.e.terms.pool.num(*n, ((1 << (n - 1).min(w - 5)) - 1).max(1));
        let some = self.e.terms.pool.sle(one, argc.bits);
        let fit = self.e.terms.pool.sle(argc.bits, most);
        self.e.terms.axioms.extend([some, fit]);
        let mut texts = Vec::new();
        if params.get(1) == Some(&Ty::Ptr) {
            let count = if *n < w {
                self.e.terms.pool.zext(argc.bits, w)
            } else {
                self.e.terms.pool.extract(argc.bits, w - 1, 0)
            };
            if let Some((p, made)) = self.vector(path, 0, count, TEXTS) {
                (args[1], texts) = (p, made);
            }
        }
        if params.get(2) == Some(&Ty::Ptr) {
            let count = self.e.terms.symbol(&[KEYS, 1], Sort::Bv(w));
            let most = self.e.terms.pool.num(w, 1 << (w - 6));
            let few = self.e.terms.pool.ult(count, most);
            self.e.terms.axioms.push(few);
            if let Some((p, _)) = self.vector(path, 1, count, 0) {
                args[2] = p;
            }
        }
        self.event(self.tt, EventKind::Arguments { count: argc.bits, texts });
        args
    }

    /// A vector of strings. `None`: there are too many objects.
    fn vector(&mut self, path: &mut Path, which: u32, count: Term, texts: u32) -> Option<(Sym, Vec<Text>)> {
        let w = self.e.terms.ptr_bits;
        let word = u64::from(w / 8);
        let one = self.e.terms.pool.num(w, 1);
        let (mut objects, mut made) = (Vec::new(), Vec::new());
        for k in 0..texts {
            let length = self.e.terms.symbol(&[KEYS, 2, which, k], Sort::Bv(w));
            let most = self.e.terms.pool.num(w, 1 << (w - 4));
            let bytes = self.e.terms.symbol(&[KEYS, 3, which, k], Sort::Array { index: w, elem: 8 });
            let size = self.e.terms.pool.add(length, one);
            let name = format!("argument {k}");
            let make = |_: &mut Terms| Object { kind: Kind::Stack, name, size, align: 1, read_only: false };
            let o = self.e.terms.object(&[KEYS, 4, which, k], make)?;
            let text = Text { length, bytes };
            if self.e.terms.texts.insert(o, text).is_none() {
                self.e.terms.lengths.insert(size, length);
                let few = self.e.terms.pool.ult(length, most);
                self.e.terms.axioms.push(few);
            }
            let contents = self.text_contents(text);
            path.memory.set(o, self.handed_over_object(Base::Unknown(0), Some(contents)));
            // Unknown pointers may be to it.
            self.exposed.insert(o);
            objects.push(o);
            made.push(text);
        }
        let all = self.e.terms.pool.add(count, one);
        let bytes = self.e.terms.pool.num(w, u128::from(word));
        let size = self.e.terms.pool.mul(all, bytes);
        let name = if which == 0 { "argument vector" } else { "environment" };
        let make = |_: &mut Terms| Object { kind: Kind::Stack, name: name.into(), size, align: 16, read_only: false };
        let o = self.e.terms.object(&[KEYS, 5, which], make)?;
        self.e.terms.vectors.insert(o, Vector { count, texts: objects });
        path.memory.set(o, self.handed_over_object(Base::Vector, None));
        let zero = self.e.terms.pool.num(w, 0);
        Some((self.e.terms.pointer(o, zero), made))
    }

    /// The byte at an offset from a pointer of the vector's, where the strings are as the system has made them.
    pub(crate) fn handed_byte(&mut self, path: &Path, base: Term, offset: Term) -> Option<Sym> {
        if !self.e.terms.handed.contains(&base) || !self.texts_are_handed_over(path) {
            return None;
        }
        let (w, length) = (self.e.terms.ptr_bits, self.wild_size(base));
        let bytes = self.e.terms.symbol(&[KEYS, 6, base.0], Sort::Array { index: w, elem: 8 });
        self.e.terms.not_the_end_of(Text { length, bytes }, offset);
        let zero = self.e.terms.pool.num(8, 0);
        let all = self.e.terms.pool.store(bytes, length, zero);
        let bits = self.e.terms.pool.select(all, offset);
        Some(Sym { bits, prov: self.e.terms.prov(NULL), undef: self.ff })
    }

    /// No string can have been written: whatever writes one through an unknown pointer forgets those that are objects,
    /// which are exposed.
    fn texts_are_handed_over(&mut self, path: &Path) -> bool {
        let texts: Vec<(u32, Text)> = self.e.terms.texts.iter().map(|(o, text)| (*o, *text)).collect();
        !texts.is_empty()
            && texts.into_iter().all(|(o, text)| {
                let contents = self.text_contents(text);
                let state = path.memory.get(&mut self.e.terms, self.e.module, o);
                state.base == Base::Unknown(0) && state.array == Some(contents) && state.cells.is_empty()
            })
    }

    fn text_contents(&mut self, text: Text) -> Array {
        let (w, t) = (self.e.terms.ptr_bits, &mut self.e.terms);
        let end = t.pool.num(8, 0);
        let (null, defined) = (t.prov(NULL), t.pool.ff());
        Array {
            elem: 1,
            bits: t.pool.store(text.bytes, text.length, end),
            prov: t.pool.const_array(w, null),
            undef: t.pool.const_array(w, defined),
        }
    }

    fn handed_over_object(&self, base: Base, array: Option<Array>) -> State {
        State { alive: self.tt, recycled: self.ff, base, cells: BTreeMap::new(), array }
    }
}
