//! Accesses to memory: which objects a pointer may point into, what can go wrong, and what is read or changed.

use crate::build::{Build, Path};
use crate::memory::{self, State};
use crate::object::Kind;
use crate::sym::{NULL, NULL_PAGE, Sym, WILD};
use crate::wild::Known;
use std::collections::BTreeMap;
use verify_ir::{CheckKind as K, FuncId, SymbolRef, Ty};
use verify_solver::Term;

/// Positions that an access at a symbolic offset is spread over before the object becomes an array.
const MAX_POSITIONS: u64 = 16;
/// Bytes that a copy or fill of symbolic length, or at symbolic offsets, is written out for.
const MAX_SPREAD: u64 = 64;
/// Bytes that a copy of constant length is written out for.
const MAX_COPY: u64 = 1 << 14;
/// No object reaches that far; an offset beyond is one before the start.
const MAX_OFFSET: u64 = 1 << 40;

/// What kind of access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Both.
    Both,
}

/// Where a pointer can point, ready to be accessed.
#[derive(Clone)]
pub struct Targets {
    /// An unknown pointer, with the offset from it: everything is known of it that can be.
    pub unknown: Option<(Term, Term)>,
    /// Objects with the condition that it is this one.
    pub objects: Vec<(u32, Term)>,
    /// The condition that it is something unknown.
    pub wild: Term,
}

impl Build<'_, '_> {
    /// Checks an access of `len` bytes. `own`: the pointer is computed from the very stack object.
    pub(crate) fn check_access(
        &mut self,
        guard: Term,
        p: Sym,
        len: Term,
        access: Access,
        own: bool,
        path: &Path,
    ) -> Targets {
        self.claim(K::UninitRead, guard, p.undef, false);
        if let Some((base, offset)) = self.wild_base(p) {
            let at = Path { guard, ..path.clone() };
            self.check_wild(&at, base, offset, len, access != Access::Write, access != Access::Read);
            return Targets { unknown: Some((base, offset)), objects: Vec::new(), wild: self.tt };
        }
        let w = self.e.terms.ptr_bits;
        let leaves = self.e.terms.leaves(p.prov);
        let (mut null, mut freed, mut scope, mut read_only, mut bounds) = (self.ff, self.ff, self.ff, self.ff, self.ff);
        let (mut maybe_freed, mut maybe_scope, mut maybe_bounds) = (self.ff, self.ff, self.ff);
        let (mut function, mut astray, mut nowhere) = (self.ff, self.ff, self.ff);
        let mut named = self.ff;
        let mut targets = Targets { unknown: None, objects: Vec::new(), wild: self.ff };
        for &o in leaves.iter() {
            if o == WILD {
                continue;
            }
            let is = self.is_object(p, o);
            if self.never(is) {
                continue;
            }
            named = self.e.terms.pool.or(named, is);
            if o == NULL {
                let page = self.e.terms.pool.num(w, u128::from(NULL_PAGE));
                let number = self.e.terms.offset_in(p, o);
                let low = self.e.terms.pool.ult(number, page);
                let high = self.e.terms.pool.not(low);
                let high = self.e.terms.pool.and(is, high);
                if !self.e.terms.addressed {
                    // A null pointer with an offset, or a number that is no address.
                    null = is;
                    nowhere = high;
                    continue;
                }
                null = self.e.terms.pool.and(is, low);
                // A number that may be the address of something.
                targets.wild = self.e.terms.pool.or(targets.wild, high);
                continue;
            }
            let kind = self.e.terms.objects[o as usize].kind;
            let pool = |b: &mut Self, acc: Term, c: Term| {
                let x = b.e.terms.pool.and(is, c);
                b.e.terms.pool.or(acc, x)
            };
            match kind {
                Kind::Func(_) => {
                    function = self.e.terms.pool.or(function, is);
                    continue;
                }
                Kind::Summary => {
                    let tt = self.tt;
                    maybe_freed = pool(self, maybe_freed, tt);
                    maybe_scope = pool(self, maybe_scope, tt);
                    maybe_bounds = pool(self, maybe_bounds, tt);
                    targets.wild = self.e.terms.pool.or(targets.wild, self.ff);
                    targets.objects.push((o, is));
                    continue;
                }
                Kind::Stack | Kind::Heap(_) | Kind::Global(_) | Kind::Null | Kind::Wild => {}
            }
            let module = self.e.module;
            let s = path.memory.get(&mut self.e.terms, module, o);
            let dead = self.e.terms.pool.not(s.alive);
            let detached = self.e.terms.detached.contains(&o);
            match kind {
                Kind::Stack | Kind::Heap(_) if detached => {}
                Kind::Stack => {
                    scope = pool(self, scope, dead);
                    if !own {
                        maybe_scope = pool(self, maybe_scope, s.recycled);
                    }
                }
                Kind::Heap(_) => freed = pool(self, freed, dead),
                _ => {}
            }
            let object = self.e.terms.objects[o as usize].clone();
            let declared_only = matches!(kind, Kind::Global(g) if module.global(g).init.is_none());
            let at = self.e.terms.offset_in(p, o);
            let inside = self.e.terms.is_inside(at, object.size);
            let pl = &mut self.e.terms.pool;
            let room = pl.sub(object.size, at);
            let beyond = pl.ult(object.size, at);
            let short = pl.ult(room, len);
            // Of one byte that is one comparison.
            let one = pl.as_const(len).is_some_and(|n| n.is_one());
            let out = if one { pl.not(inside) } else { pl.or(beyond, short) };
            if declared_only && pl.as_const(object.size).is_some_and(|s| s.is_zero()) {
                // `extern int a[];`: its size is not known here.
                let tt = self.tt;
                maybe_bounds = pool(self, maybe_bounds, tt);
            } else if detached {
                let lost = self.e.terms.pool.or(out, dead);
                astray = pool(self, astray, lost);
            } else {
                bounds = pool(self, bounds, out);
            }
            if object.read_only && access != Access::Read {
                let tt = self.tt;
                read_only = pool(self, read_only, tt);
            }
            targets.objects.push((o, is));
        }
        if leaves.contains(&WILD) {
            let other = self.e.terms.pool.not(named);
            targets.wild = self.e.terms.pool.or(targets.wild, other);
        }
        let oob: &[K] = match access {
            Access::Read => &[K::OutOfBoundsRead],
            Access::Write => &[K::OutOfBoundsWrite],
            Access::Both => &[K::OutOfBoundsRead, K::OutOfBoundsWrite],
        };
        let wild = targets.wild;
        self.claim(K::InvalidDeref, guard, nowhere, false);
        self.claim(K::NullDeref, guard, null, true);
        if !self.never(wild) {
            for k in [K::NullDeref, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope, K::ReadOnlyWrite] {
                if k != K::ReadOnlyWrite || access != Access::Read {
                    self.claim(k, guard, wild, false);
                }
            }
            for k in oob {
                self.claim(*k, guard, wild, false);
            }
        }
        if !self.never(astray) {
            // What lies there, if anything, is not known.
            for k in [K::NullDeref, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope] {
                self.claim(k, guard, astray, false);
            }
            if access != Access::Read {
                self.claim(K::ReadOnlyWrite, guard, astray, false);
            }
            for k in oob {
                self.claim(*k, guard, astray, false);
            }
            let there = self.e.terms.pool.and(guard, astray);
            self.block(there, "a number made of a pointer is used as one outside its object");
            let no = self.e.terms.pool.not(astray);
            self.assume(guard, no);
        }
        if !self.never(function) {
            for k in [&[K::InvalidDeref], oob].concat() {
                self.claim(k, guard, function, false);
            }
            let no = self.e.terms.pool.not(function);
            self.assume(guard, no);
        }
        self.claim(K::UseAfterFree, guard, maybe_freed, false);
        self.claim(K::UseAfterFree, guard, freed, true);
        self.claim(K::UseAfterScope, guard, maybe_scope, false);
        self.claim(K::UseAfterScope, guard, scope, true);
        for k in oob {
            self.claim(*k, guard, maybe_bounds, false);
        }
        for (i, k) in oob.iter().enumerate() {
            // Which of the two is reported, the interpreter decides; the execution ends either way.
            self.claim(*k, guard, bounds, i + 1 == oob.len());
        }
        self.claim(K::ReadOnlyWrite, guard, read_only, true);
        targets
    }

    pub(crate) fn is_object(&mut self, p: Sym, o: u32) -> Term {
        let c = self.e.terms.prov(o);
        self.e.terms.pool.eq(p.prov, c)
    }

    /// The value of `size` bytes that the checked pointer points to; `ty` says what it is when nothing is known.
    pub(crate) fn read_targets(&mut self, path: &mut Path, targets: &Targets, p: Sym, size: u64) -> Sym {
        if targets.unknown.is_some() {
            // The offset may have moved on since the check of the whole range.
            return match self.wild_base(p) {
                Some((base, offset)) => self.read_wild(path, base, offset, size),
                None => self.unknown_value(size),
            };
        }
        let module = self.e.module;
        let mut out: Option<Sym> = None;
        let unknown = !self.never(targets.wild)
            || targets.objects.is_empty()
            || targets.objects.iter().any(|(o, _)| self.e.terms.objects[*o as usize].kind == Kind::Summary);
        if unknown {
            out = Some(self.unknown_value(size));
        }
        for &(o, is) in &targets.objects {
            if self.e.terms.objects[o as usize].kind == Kind::Summary {
                continue;
            }
            let s = path.memory.get(&mut self.e.terms, module, o);
            let at = self.e.terms.offset_in(p, o);
            let v = self.read_at(o, &s, at, size);
            out = Some(match out {
                None => v,
                Some(other) => self.choose(is, v, other),
            });
        }
        out.unwrap_or_else(|| self.e.terms.constant((8 * size) as u32, 0))
    }

    fn const_offset(&self, off: Term) -> Option<u64> {
        self.e.terms.pool.as_const(off).and_then(|v| v.to_u64())
    }

    fn const_size(&self, o: u32) -> Option<u64> {
        self.e.terms.pool.as_const(self.e.terms.objects[o as usize].size).and_then(|v| v.to_u64())
    }

    /// The most bytes that an access within one of the targets has. `None`: not known, as one of them is not.
    fn room(&self, ts: &Targets) -> Option<u64> {
        if !self.never(ts.wild) {
            return None;
        }
        let size = |o: u32| match self.e.terms.objects[o as usize].kind {
            // Stands for objects of any size.
            Kind::Summary | Kind::Wild => None,
            _ => self.const_size(o),
        };
        ts.objects.iter().try_fold(0, |most, (o, _)| Some(size(*o)?.max(most)))
    }

    /// Offsets that an access of `size` bytes at a symbolic offset can have, when they are few.
    fn positions(&self, o: u32, off: Term, size: u64) -> Option<Vec<u64>> {
        let n = self.const_size(o)?;
        let z = self.e.terms.trailing_zeros(off).min(12);
        let step = 1u64 << z;
        if n < size {
            return Some(Vec::new());
        }
        let count = (n - size) / step + 1;
        (count <= MAX_POSITIONS && step >= size).then(|| (0..count).map(|i| i * step).collect())
    }

    /// Bytes of an array element fit for accesses of `size` bytes at this offset.
    fn element(&self, off: Term, size: u64) -> u64 {
        let z = 1u64 << self.e.terms.trailing_zeros(off).min(3);
        let s = 1u64 << size.trailing_zeros().min(3);
        z.min(s)
    }

    pub(crate) fn read_at(&mut self, o: u32, s: &State, off: Term, size: u64) -> Sym {
        let module = self.e.module;
        if s.base == memory::Base::Vector && s.cells.is_empty() && s.array.is_none() && self.const_offset(off).is_none()
        {
            let word = u64::from(self.e.terms.ptr_bits / 8);
            if size == word && self.e.terms.trailing_zeros(off) >= word.trailing_zeros() {
                return self.e.terms.handed_pointer(o, off);
            }
        }
        if size == 1 {
            self.e.terms.not_the_end(o, off);
        }
        if let Some(a) = s.array {
            self.element_read(o, a.elem, off);
        }
        if let Some(at) = self.const_offset(off) {
            if at > MAX_OFFSET {
                return self.e.terms.constant((8 * size) as u32, 0);
            }
            return memory::read(&mut self.e.terms, module, o, s, at, size);
        }
        if let Some(a) = s.array {
            return memory::read_array(&mut self.e.terms, o, a, off, size);
        }
        if let Some(ps) = self.positions(o, off, size) {
            let mut out: Option<Sym> = None;
            for at in ps {
                let v = memory::read(&mut self.e.terms, module, o, s, at, size);
                out = Some(match out {
                    None => v,
                    Some(x) => {
                        let c = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(at));
                        let is = self.e.terms.pool.eq(off, c);
                        self.choose(is, v, x)
                    }
                });
            }
            return out.unwrap_or_else(|| self.e.terms.constant((8 * size) as u32, 0));
        }
        let elem = self.element(off, size);
        let a = memory::as_array(&mut self.e.terms, module, o, s, elem);
        self.element_read(o, elem, off);
        memory::read_array(&mut self.e.terms, o, a, off, size)
    }

    fn write_at(&mut self, o: u32, s: &mut State, cond: Term, off: Term, size: u64, v: Sym) {
        let module = self.e.module;
        if let Some(at) = self.const_offset(off) {
            let inside = self.const_size(o).is_none_or(|n| at <= n && size <= n - at) && at < 1 << 40;
            if inside {
                memory::write(&mut self.e.terms, module, o, s, cond, at, size, v);
            }
            return;
        }
        if s.array.is_none()
            && let Some(ps) = self.positions(o, off, size)
        {
            for at in ps {
                let c = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(at));
                let is = self.e.terms.pool.eq(off, c);
                let is = self.e.terms.pool.and(cond, is);
                memory::write(&mut self.e.terms, module, o, s, is, at, size, v);
            }
            return;
        }
        let a = match s.array {
            Some(a) => a,
            None => {
                let elem = self.element(off, size);
                memory::as_array(&mut self.e.terms, module, o, s, elem)
            }
        };
        s.array = Some(memory::write_array(&mut self.e.terms, o, a, cond, off, size, v));
        s.cells.clear();
    }

    /// Stores `size` bytes through a checked pointer.
    pub(crate) fn write_targets(&mut self, path: &mut Path, targets: &Targets, p: Sym, size: u64, v: Sym) {
        self.expose(v);
        if !self.never(targets.wild) {
            let (known, generation) = (path.wild.clone(), path.generation);
            self.unknown_code(path);
            // A write ends no life.
            path.generation = generation;
            if targets.unknown.is_some()
                && let Some((base, offset)) = self.wild_base(p)
            {
                path.wild = known;
                self.write_wild(path, base, offset, size, v);
            }
        }
        if targets.objects.iter().any(|(o, _)| self.may_be_unknown(*o)) {
            self.forget_wild(path);
        }
        let module = self.e.module;
        for &(o, is) in &targets.objects {
            if self.e.terms.objects[o as usize].kind == Kind::Summary || self.e.terms.objects[o as usize].read_only {
                continue;
            }
            let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
            let at = self.e.terms.offset_in(p, o);
            self.write_at(o, &mut s, is, at, size, v);
            path.memory.set(o, s);
        }
    }

    /// A pointer got into memory, or into unknown hands.
    pub(crate) fn expose(&mut self, v: Sym) {
        for &o in self.e.terms.leaves(v.prov).iter() {
            self.exposed.insert(o);
        }
    }

    /// Unknown pointers may point to the object.
    fn may_be_unknown(&self, o: u32) -> bool {
        self.is_exposed(o) || !matches!(self.e.terms.objects[o as usize].kind, Kind::Stack | Kind::Heap(_))
    }

    pub(crate) fn is_exposed(&self, o: u32) -> bool {
        self.exposed.contains(&o) || self.e.terms.opaque || self.e.terms.collapsed.contains(&o)
    }

    /// Unknown code runs, or an unknown place is written: whatever is exposed may have changed.
    pub(crate) fn unknown_code(&mut self, path: &mut Path) {
        let k = self.key(42);
        let past = self.t().epoch(&k);
        Known::forget(path, past);
        path.generation = past;
        let module = self.e.module;
        path.memory.forget_globals(&self.e.terms, module, past);
        self.forget_exposed(path, past);
    }

    /// A call of the function has run: what it may write is not known any more.
    pub(crate) fn ran(&mut self, f: FuncId, path: &mut Path) {
        let Some(written) = self.e.facts.and_then(|facts| facts.written(f)) else { return self.unknown_code(path) };
        if written.globals.is_empty() && !written.others {
            return;
        }
        let k = self.key(45);
        let past = self.t().epoch(&k);
        Known::forget(path, past);
        path.generation = past;
        let module = self.e.module;
        for g in written.globals.iter().filter(|g| !module.global(**g).constant) {
            let Some(o) = memory::symbol_object(&mut self.e.terms, module, SymbolRef::Global(*g)) else {
                return self.unknown_code(path);
            };
            self.forget(path, o, past);
        }
        if written.others {
            self.forget_exposed(path, past);
        }
    }

    /// What the object holds is not known any more.
    pub(crate) fn forget(&mut self, path: &mut Path, o: u32, past: u32) {
        Known::forget(path, past);
        let module = self.e.module;
        let old = path.memory.get(&mut self.e.terms, module, o);
        let base = memory::Base::Murky(past);
        let new = State { base, cells: BTreeMap::new(), array: None, ..(*old).clone() };
        path.memory.set(o, new);
    }

    /// Objects that others may have pointers to may have changed, and those on the heap may be gone.
    fn forget_exposed(&mut self, path: &mut Path, past: u32) {
        let module = self.e.module;
        let all: Vec<u32> = path.memory.iter().map(|(o, _)| o).filter(|o| self.is_exposed(*o)).collect();
        for o in all {
            let kind = self.e.terms.objects[o as usize].kind;
            let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
            match kind {
                Kind::Heap(_) => {
                    let still = self.fresh(43, 1);
                    s.alive = self.e.terms.pool.and(s.alive, still);
                }
                Kind::Stack => {}
                _ => continue,
            }
            s.base = memory::Base::Murky(past);
            s.cells.clear();
            s.array = None;
            path.memory.set(o, s);
        }
    }

    /// `memcpy` and `memmove` after their checks.
    pub(crate) fn copy(&mut self, path: &mut Path, to: (&Targets, Sym), from: (&Targets, Sym), len: Term) {
        let module = self.e.module;
        let n = self.e.terms.pool.as_const(len).and_then(|v| v.to_u64());
        if n == Some(0) {
            return;
        }
        let fixed = |b: &Self, p: Sym, ts: &Targets| {
            (ts.objects.len() == 1 && b.never(ts.wild)).then(|| b.const_offset(p.bits)).flatten()
        };
        if let Some(n) = n.filter(|n| *n <= MAX_COPY)
            && let (Some(d), Some(s)) = (fixed(self, to.1, to.0), fixed(self, from.1, from.0))
            // Before the start of an object: nothing is there to be cut.
            && d.max(s) < MAX_OFFSET
            && self.e.terms.objects[from.0.objects[0].0 as usize].kind != Kind::Summary
        {
            let o = from.0.objects[0].0;
            let state = path.memory.get(&mut self.e.terms, module, o);
            let mut parts = Vec::new();
            for (at, size) in cut(&state, s, n, self.e.terms.ptr_bits / 8) {
                parts.push((at, size, memory::read(&mut self.e.terms, module, o, &state, at, size)));
            }
            for (at, size, v) in parts {
                let off = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(d + at - s));
                let p = Sym { bits: off, ..to.1 };
                self.write_targets(path, to.0, p, size, v);
            }
            return;
        }
        let bound = n.or_else(|| match (self.room(to.0), self.room(from.0)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        });
        if let Some(bound) = bound.filter(|b| *b <= MAX_SPREAD) {
            self.spread(path, to, from, len, n, bound);
            return;
        }
        self.smear(path, to.0, from.1);
    }

    /// Copies in pieces as large as the offsets' alignment allows, each under the condition that the length covers it.
    fn spread(
        &mut self,
        path: &mut Path,
        to: (&Targets, Sym),
        from: (&Targets, Sym),
        len: Term,
        n: Option<u64>,
        bound: u64,
    ) {
        let w = self.e.terms.ptr_bits;
        let z = self.e.terms.trailing_zeros(to.1.bits).min(self.e.terms.trailing_zeros(from.1.bits)).min(3);
        let step = if n.is_some() { (1u64 << z).min(1 << bound.trailing_zeros().min(3)) } else { 1 };
        let mut parts = Vec::new();
        let mut at = 0;
        while at < bound {
            let k = self.e.terms.pool.num(w, u128::from(at));
            let off = self.e.terms.pool.add(from.1.bits, k);
            let p = Sym { bits: off, ..from.1 };
            parts.push((k, at, self.read_targets(path, from.0, p, step)));
            at += step;
        }
        for (k, _, v) in parts {
            let off = self.e.terms.pool.add(to.1.bits, k);
            let p = Sym { bits: off, ..to.1 };
            let inside = self.e.terms.pool.ult(k, len);
            let v = if self.is(inside) {
                v
            } else {
                let old = self.read_targets(path, to.0, p, step);
                self.choose(inside, v, old)
            };
            self.write_targets(path, to.0, p, step, v);
        }
    }

    /// A copy whose extent is not followed: the targets hold anything afterwards.
    fn smear(&mut self, path: &mut Path, to: &Targets, from: Sym) {
        self.expose(from);
        if !self.never(to.wild) {
            self.unknown_code(path);
        }
        let k = self.key(44);
        let past = self.t().epoch(&k);
        Known::forget(path, past);
        let module = self.e.module;
        for &(o, _) in &to.objects {
            let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
            s.base = memory::Base::Murky(past);
            s.cells.clear();
            s.array = None;
            path.memory.set(o, s);
        }
    }

    /// `memset` after its checks.
    pub(crate) fn fill(&mut self, path: &mut Path, to: &Targets, p: Sym, byte: Sym, len: Term) {
        let module = self.e.module;
        let w = self.e.terms.ptr_bits;
        let n = self.e.terms.pool.as_const(len).and_then(|v| v.to_u64());
        if n == Some(0) {
            return;
        }
        let zero = self.e.terms.pool.as_const(byte.bits).is_some_and(|b| b.is_zero()) && byte.undef == self.ff;
        // The whole of one object with zeros.
        if zero
            && self.const_offset(p.bits) == Some(0)
            && self.never(to.wild)
            && let [(o, _)] = to.objects[..]
            && self.e.terms.objects[o as usize].size == len
        {
            let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
            s.base = memory::Base::Zero;
            s.cells.clear();
            s.array = None;
            path.memory.set(o, s);
            if self.may_be_unknown(o) {
                self.forget_wild(path);
            }
            return;
        }
        let limit = if n.is_some() && self.const_offset(p.bits).is_some() { MAX_COPY } else { MAX_SPREAD };
        let Some(bound) = n.or(self.room(to)).filter(|b| *b <= limit) else {
            let nothing = self.e.terms.constant(w, 0);
            return self.smear(path, to, nothing);
        };
        let z = self.e.terms.trailing_zeros(p.bits).min(3);
        let mut at = 0;
        while at < bound {
            let mut step = if n.is_some() { 1u64 << z } else { 1 };
            while at + step > bound || !at.is_multiple_of(step) {
                step /= 2;
            }
            let mut v = byte;
            for _ in 1..step {
                v.bits = self.e.terms.pool.concat(v.bits, byte.bits);
            }
            let k = self.e.terms.pool.num(w, u128::from(at));
            let off = self.e.terms.pool.add(p.bits, k);
            let q = Sym { bits: off, ..p };
            let inside = self.e.terms.pool.ult(k, len);
            let v = if self.is(inside) {
                v
            } else {
                let old = self.read_targets(path, to, q, step);
                self.choose(inside, v, old)
            };
            self.write_targets(path, to, q, step, v);
            at += step;
        }
    }

    /// A value of a machine type as memory holds it: whole bytes.
    pub(crate) fn stored_form(&mut self, v: Sym, ty: Ty) -> (Sym, u64) {
        let size = ty.store_bytes(&self.e.module.target);
        let bits = self.e.terms.pool.zext(v.bits, (8 * size) as u32);
        (Sym { bits, ..v }, size)
    }

    /// And back.
    pub(crate) fn loaded_form(&mut self, v: Sym, ty: Ty) -> Sym {
        let w = self.bits(ty);
        let have = self.e.terms.pool.width(v.bits);
        let unknown = self.e.terms.pool.as_const(v.prov).is_some_and(|p| p.to_u64() == Some(u64::from(WILD)));
        if unknown && ty != Ty::Ptr {
            // An unknown number; it may be an address.
            self.e.terms.addressed = true;
            let bits = if have == w { v.bits } else { self.e.terms.pool.extract(v.bits, w - 1, 0) };
            return Sym { bits, prov: self.e.terms.prov(NULL), undef: v.undef };
        }
        let plain = matches!(ty, Ty::Float(_)) || have != w;
        if plain && !self.e.terms.is_plain(v) {
            let key = [45, v.bits.0, v.prov.0];
            let a = self.e.terms.address(v, &key);
            let bits = self.e.terms.pool.extract(a, w - 1, 0);
            return Sym { bits, prov: self.e.terms.prov(NULL), undef: v.undef };
        }
        let bits = if have == w { v.bits } else { self.e.terms.pool.extract(v.bits, w - 1, 0) };
        Sym { bits, ..v }
    }
}

/// The pieces of `[at, at + n)` along which an object was written; gaps in pointer-sized steps.
fn cut(s: &State, at: u64, n: u64, word: u32) -> Vec<(u64, u64)> {
    let word = u64::from(word);
    let end = at + n;
    let mut out = Vec::new();
    let mut pos = at;
    let gap = |out: &mut Vec<(u64, u64)>, mut from: u64, to: u64| {
        while from < to {
            let mut step = word;
            while !from.is_multiple_of(step) || from + step > to {
                step /= 2;
            }
            out.push((from, step));
            from += step;
        }
    };
    for (&k, c) in s.cells.range(..end) {
        if k + c.size <= at {
            continue;
        }
        let (a, b) = (k.max(at), (k + c.size).min(end));
        gap(&mut out, pos, a);
        out.push((a, b - a));
        pos = b;
    }
    gap(&mut out, pos, end);
    out
}
