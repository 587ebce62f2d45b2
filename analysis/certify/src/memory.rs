//! Accesses: every object that a pointer may point to, one after the other; what fails, and what is read or written
//! where nothing does.

use crate::exec::Exec;
use crate::state::{ANY, Byte, CELL_BITS, Cell, Content, Info, Kind, NONE, OBJ_BITS, Obj, State, TAG_BITS, Val};
use crate::state::{ite_byte, ite_content};
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_ir::CheckKind as K;
use verify_ir::{FloatKind, Ty};
use verify_solver::float::x87;
use verify_solver::{Op, Sort, Term};

/// Objects of at most this many bytes are kept byte by byte.
pub const SMALL: u64 = 512;
/// Addresses below are null.
const NULL_PAGE: u128 = 4096;

/// What an access found: the objects it may be to, each with its condition, and whether it may be to any.
pub struct Found {
    /// Object and condition.
    pub each: Vec<(Obj, Term)>,
    /// Condition under which it is not known.
    pub any: Term,
}

impl Exec<'_> {
    /// A defined number.
    pub fn int(&mut self, w: u32, v: u128) -> Val {
        let v = self.pool.num(w, v);
        self.plain(v)
    }
    /// A defined value that is no pointer.
    pub fn plain(&mut self, v: Term) -> Val {
        let w = self.pool.width(v);
        Val { v, u: self.pool.num(w, 0), p: self.pool.num(OBJ_BITS, NONE.into()), soft: false }
    }
    /// The null pointer.
    pub fn null(&mut self) -> Val {
        let w = self.module.target.pointer_bits;
        self.int(w, 0)
    }
    /// The start of an object.
    pub fn pointer(&mut self, o: Obj) -> Val {
        Val { p: self.pool.num(OBJ_BITS, o.into()), ..self.null() }
    }
    /// A free symbol.
    pub fn fresh(&mut self, w: u32) -> Term {
        self.pool.fresh("f", Sort::Bv(w))
    }
    /// Any value of a type; pointers to anything.
    pub fn anything(&mut self, ty: Ty, defined: bool) -> Val {
        let w = ty.bits(&self.module.target);
        let v = self.fresh_of(ty);
        let u = if defined { self.pool.num(w, 0) } else { self.fresh(w) };
        let p = if ty == Ty::Ptr { ANY } else { NONE };
        Val { v, u, p: self.pool.num(OBJ_BITS, p.into()), soft: false }
    }
    /// Any bits that a value of the type may have: of the x87, those that a machine makes.
    pub fn fresh_of(&mut self, ty: Ty) -> Term {
        if ty != Ty::Float(FloatKind::X87) {
            return self.fresh(ty.bits(&self.module.target));
        }
        let number = self.fresh(x87::WIDTH - 1);
        x87::to_bits(&mut self.pool, number)
    }
    /// Is the term this truth value?
    pub fn is(&self, t: Term, v: bool) -> bool {
        self.pool.as_const(t).is_some_and(|b| if v { b.is_one() } else { b.is_zero() })
    }
    /// A constant of at most 64 bits.
    pub fn constant(&self, t: Term) -> Option<u64> {
        self.pool.as_const(t).and_then(|v| v.to_u64())
    }
    /// The term is not 0.
    pub fn nonzero(&mut self, t: Term) -> Term {
        let w = self.pool.width(t);
        let z = self.pool.num(w, 0);
        self.pool.ne(t, z)
    }

    /// The constants that a term can be, through choices; whether it can be anything else.
    pub fn leaves(&self, t: Term) -> (BTreeSet<u64>, bool) {
        let (mut out, mut other) = (BTreeSet::new(), false);
        let mut seen = BTreeSet::new();
        let mut todo = vec![t];
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            if let Some(v) = self.pool.as_const(t) {
                match v.to_u64() {
                    Some(v) => _ = out.insert(v),
                    None => other = true,
                }
            } else if let Some(a) = self.pool.as_app(t, Op::Ite) {
                todo.extend(&a[1..]);
            } else {
                other = true;
                self.read_leaves(t, &mut out);
            }
        }
        (out, other)
    }

    /// Bits of something read from an array: what was written there, as far as it is constant. Never relied on to be
    /// complete.
    fn read_leaves(&self, t: Term, out: &mut BTreeSet<u64>) {
        let verify_solver::term::Node::App(Op::Extract { hi, lo }, args) = self.pool.node(t) else { return };
        let Some(read) = self.pool.as_app(args[0], Op::Select) else { return };
        let mut seen = BTreeSet::new();
        let mut todo = vec![read[0]];
        while let Some(a) = todo.pop() {
            if !seen.insert(a) || seen.len() > 4000 {
                continue;
            }
            let mut value = None;
            if let Some(s) = self.pool.as_app(a, Op::Store) {
                todo.push(s[0]);
                value = Some(s[2]);
            } else if let Some(s) = self.pool.as_app(a, Op::Ite) {
                todo.extend(&s[1..]);
            } else if let Some(s) = self.pool.as_app(a, Op::ConstArray) {
                value = Some(s[0]);
            }
            // A cell is (tag . undefined bits) . bits; pieces of it that are constant show up as constants.
            if let Some(v) = value
                && *hi == CELL_BITS - 1
                && *lo > 16
            {
                self.tag_leaves(v, CELL_BITS - *lo, out);
            }
        }
    }

    fn tag_leaves(&self, v: Term, width: u32, out: &mut BTreeSet<u64>) {
        let mut todo = vec![v];
        while let Some(v) = todo.pop() {
            let w = self.pool.width(v);
            if let Some(c) = self.pool.as_const(v) {
                if let Some(c) = c.extract(w - 1, w - width).to_u64() {
                    out.insert(c);
                }
            } else if let Some(a) = self.pool.as_app(v, Op::Concat) {
                if self.pool.width(a[0]) >= width {
                    todo.push(a[0]);
                }
            } else if let Some(a) = self.pool.as_app(v, Op::Ite) {
                todo.extend(&a[1..]);
            }
        }
    }

    /// Objects that a pointer may point to. Integers below the null page are left out.
    pub fn candidates(&mut self, p: Val) -> Found {
        let (leaves, other) = self.leaves(p.p);
        let mut each = Vec::new();
        let mut known = Vec::new();
        for o in leaves {
            let Ok(o) = Obj::try_from(o) else { continue };
            if o as usize >= self.objects.len() {
                continue;
            }
            let c = self.pool.num(OBJ_BITS, o.into());
            let c = self.pool.eq(p.p, c);
            if o > ANY {
                each.push((o, c));
            }
            if o != ANY {
                known.push(c);
            }
        }
        let any = if other {
            let k = self.pool.or_all(known);
            self.pool.not(k)
        } else {
            let a = self.pool.num(OBJ_BITS, ANY.into());
            self.pool.eq(p.p, a)
        };
        Found { each, any }
    }

    /// The object in a state.
    pub fn cell(&self, s: &State, o: Obj) -> Cell {
        s.mem.get(&o).unwrap_or(&self.objects[o as usize].initial).clone()
    }

    /// Checks an access of `n` bytes (64 bits); the state goes on with the executions in which it is right.
    pub fn access(&mut self, s: &mut State, p: Val, n: Term, write: bool) -> Option<Found> {
        let undefined = self.nonzero(p.u);
        self.fail(s, K::UninitRead, undefined);
        let mut f = self.candidates(p);
        let zero = self.pool.num(OBJ_BITS, NONE.into());
        let integer = self.pool.eq(p.p, zero);
        let page = self.pool.num(self.module.target.pointer_bits, NULL_PAGE);
        let low = self.pool.ult(p.v, page);
        let null = self.pool.and(integer, low);
        self.fail(s, K::NullDeref, null);
        let high = self.pool.not(low);
        let wild = self.pool.and(integer, high);
        f.any = self.pool.or(f.any, wild);
        let reached = self.pool.and(s.guard, f.any);
        if !self.is(reached, false) {
            self.approximated(reached, "a pointer that is not followed");
            let may = self.fresh(1);
            let may = self.pool.and(may, f.any);
            let mut kinds = vec![K::NullDeref, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope];
            kinds.extend(if write { [K::OutOfBoundsWrite, K::ReadOnlyWrite] } else { [K::OutOfBoundsRead; 2] });
            self.fail_any(s, &kinds, may);
        }
        let mut each = Vec::new();
        for (o, c) in std::mem::take(&mut f.each) {
            let here = self.pool.and(s.guard, c);
            if self.is(here, false) {
                continue;
            }
            let info = self.objects[o as usize].clone();
            if let Kind::Function(_) = info.kind {
                self.fail(s, K::InvalidDeref, c);
                continue;
            }
            let alive = self.cell(s, o).alive;
            let dead = self.pool.not(alive);
            let dead = self.pool.and(c, dead);
            let kind = if matches!(info.kind, Kind::Heap(..)) { K::UseAfterFree } else { K::UseAfterScope };
            self.fail(s, kind, dead);
            let off = self.pool.resize_unsigned(p.v, 64);
            let beyond = self.pool.ult(info.size, off);
            let room = self.pool.sub(info.size, off);
            let short = self.pool.ult(room, n);
            let out = self.pool.or(beyond, short);
            let out = self.pool.and(c, out);
            self.fail(s, if write { K::OutOfBoundsWrite } else { K::OutOfBoundsRead }, out);
            if write && info.read_only {
                self.fail(s, K::ReadOnlyWrite, c);
                continue;
            }
            let here = self.pool.and(s.guard, c);
            if !self.is(here, false) {
                each.push((o, c));
            }
        }
        f.each = each;
        (!s.is_dead(&self.pool)).then_some(f)
    }

    /// Byte with any content.
    pub fn any_byte(&mut self) -> Byte {
        Byte { v: self.fresh(8), u: self.fresh(8), p: self.pool.num(TAG_BITS, u128::from(ANY) << 3) }
    }

    fn split_cell(&mut self, t: Term) -> Byte {
        Byte {
            v: self.pool.extract(t, 7, 0),
            u: self.pool.extract(t, 15, 8),
            p: self.pool.extract(t, CELL_BITS - 1, 16),
        }
    }

    fn join_cell(&mut self, b: Byte) -> Term {
        let h = self.pool.concat(b.p, b.u);
        self.pool.concat(h, b.v)
    }

    /// The power of two that divides a term for sure.
    fn alignment(&self, t: Term, depth: u32) -> u32 {
        if depth == 0 {
            return 0;
        }
        if let Some(c) = self.pool.as_const(t) {
            return c.to_u64().map_or(0, |c| c.trailing_zeros().min(63));
        }
        match self.pool.node(t) {
            verify_solver::term::Node::App(op, a) => match op {
                Op::Add | Op::Or | Op::Xor => self.alignment(a[0], depth - 1).min(self.alignment(a[1], depth - 1)),
                Op::Ite => self.alignment(a[1], depth - 1).min(self.alignment(a[2], depth - 1)),
                Op::Mul => (self.alignment(a[0], depth - 1) + self.alignment(a[1], depth - 1)).min(63),
                Op::Neg | Op::SExt | Op::ZExt => self.alignment(a[0], depth - 1),
                Op::Shl => {
                    let k = self.constant(a[1]).unwrap_or(0).min(63) as u32;
                    (self.alignment(a[0], depth - 1) + k).min(63)
                }
                Op::Concat => {
                    let low = self.alignment(a[1], depth - 1);
                    if self.constant(a[1]) == Some(0) { self.pool.width(a[1]).min(63) } else { low }
                }
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Offsets in `0..=last` that a term may be equal to.
    fn places(&self, off: Term, last: u64) -> impl Iterator<Item = u64> + use<> {
        let step = 1u64 << self.alignment(off, 12).min(20);
        (0..=last).step_by(step as usize)
    }

    /// Reads `n` bytes at an offset that is inside.
    pub fn read_bytes(&mut self, content: &Content, off: Term, n: u64) -> Vec<Byte> {
        match content {
            Content::Bytes(b) => {
                if n > b.len() as u64 {
                    return (0..n).map(|_| self.any_byte()).collect();
                }
                if let Some(o) = self.constant(off) {
                    return match b.get(o as usize..(o + n) as usize) {
                        Some(b) => b.to_vec(),
                        None => (0..n).map(|_| self.any_byte()).collect(),
                    };
                }
                let mut out: Option<Vec<Byte>> = None;
                for at in self.places(off, b.len() as u64 - n) {
                    let here = &b[at as usize..(at + n) as usize];
                    out = Some(match out {
                        None => here.to_vec(),
                        Some(old) => {
                            let c = self.pool.num(64, at.into());
                            let c = self.pool.eq(off, c);
                            old.iter().zip(here).map(|(o, h)| ite_byte(&mut self.pool, c, *h, *o)).collect()
                        }
                    });
                }
                out.unwrap_or_default()
            }
            Content::Array(a) => (0..n)
                .map(|k| {
                    let k = self.pool.num(64, k.into());
                    let at = self.pool.add(off, k);
                    let t = self.pool.select(*a, at);
                    self.split_cell(t)
                })
                .collect(),
        }
    }

    /// The content after a write at an offset that is inside where `c` holds.
    pub fn write_bytes(&mut self, old: &Content, off: Term, bytes: &[Byte], c: Term) -> Content {
        let n = bytes.len() as u64;
        match old {
            Content::Bytes(b) => {
                let mut b = b.clone();
                if n > b.len() as u64 {
                    return Content::Bytes(b);
                }
                for at in self.places(off, b.len() as u64 - n) {
                    let k = self.pool.num(64, at.into());
                    let same = self.pool.eq(off, k);
                    let here = self.pool.and(same, c);
                    if self.is(here, false) {
                        continue;
                    }
                    for (j, x) in bytes.iter().enumerate() {
                        let i = at as usize + j;
                        b[i] = ite_byte(&mut self.pool, here, *x, b[i]);
                    }
                }
                Content::Bytes(b)
            }
            Content::Array(a) => {
                let mut new = *a;
                for (k, x) in bytes.iter().enumerate() {
                    let k = self.pool.num(64, k as u128);
                    let at = self.pool.add(off, k);
                    let x = self.join_cell(*x);
                    new = self.pool.store(new, at, x);
                }
                Content::Array(self.pool.ite(c, new, *a))
            }
        }
    }

    /// A value from its bytes.
    pub fn assemble(&mut self, mut bytes: Vec<Byte>, ty: Ty) -> Val {
        if self.module.target.big_endian {
            bytes.reverse();
        }
        let w = ty.bits(&self.module.target);
        let concat = |x: &mut Self, f: fn(&Byte) -> Term| {
            let mut t = f(&bytes[0]);
            for b in &bytes[1..] {
                t = x.pool.concat(f(b), t);
            }
            x.pool.extract(t, w - 1, 0)
        };
        let (v, u) = (concat(self, |b| b.v), concat(self, |b| b.u));
        let none = self.pool.num(TAG_BITS, 0);
        let clean: Vec<Term> = bytes.iter().map(|b| self.pool.eq(b.p, none)).collect();
        let clean = self.pool.and_all(clean);
        let zero = self.pool.num(OBJ_BITS, 0);
        let word = self.module.target.pointer_bytes();
        let pointer = bytes.len() as u64 == word && !matches!(ty, Ty::Float(_));
        if self.is(clean, true) {
            return Val { v, u, p: zero, soft: false };
        }
        if !pointer {
            // A part of an address.
            let f = self.fresh(w);
            return Val { v: self.pool.ite(clean, v, f), u, p: zero, soft: false };
        }
        let o = self.pool.extract(bytes[0].p, TAG_BITS - 1, 3);
        let mut whole = self.pool.tt();
        for (k, b) in bytes.iter().enumerate() {
            let k = self.pool.num(3, k as u128);
            let t = self.pool.concat(o, k);
            let same = self.pool.eq(b.p, t);
            whole = self.pool.and(whole, same);
        }
        let any = self.pool.num(OBJ_BITS, ANY.into());
        let p = self.pool.ite(whole, o, any);
        Val { v, u, p: self.pool.ite(clean, zero, p), soft: false }
    }

    /// The bytes of a value.
    pub fn disassemble(&mut self, x: Val, ty: Ty) -> Vec<Byte> {
        let n = ty.store_bytes(&self.module.target);
        let word = self.module.target.pointer_bytes();
        let keep = n == word && !x.soft && !matches!(ty, Ty::Float(_));
        let x = if keep { x } else { Val { v: self.bits(x), p: self.pool.num(OBJ_BITS, 0), ..x } };
        let v = self.pool.zext(x.v, (n * 8) as u32);
        let u = self.pool.zext(x.u, (n * 8) as u32);
        let zero = self.pool.num(OBJ_BITS, 0);
        let none = self.pool.eq(x.p, zero);
        let clean = self.pool.num(TAG_BITS, 0);
        let mut out = Vec::new();
        for k in 0..n as u32 {
            let i = self.pool.num(3, (k % 8).into());
            let t = self.pool.concat(x.p, i);
            out.push(Byte {
                v: self.pool.extract(v, 8 * k + 7, 8 * k),
                u: self.pool.extract(u, 8 * k + 7, 8 * k),
                p: self.tag(x.p, k % 8).unwrap_or_else(|| self.pool.ite(none, clean, t)),
            });
        }
        if self.module.target.big_endian {
            out.reverse();
        }
        out
    }

    /// The tag of a byte of a pointer to one of several objects, as a choice of constants.
    fn tag(&mut self, p: Term, k: u32) -> Option<Term> {
        if let Some(o) = self.constant(p) {
            return Some(self.pool.num(TAG_BITS, if o == 0 { 0 } else { u128::from(o) << 3 | u128::from(k) }));
        }
        if let Some(&[c, x, y]) = self.pool.as_app(p, Op::Ite) {
            let key = (p, k);
            if let Some(t) = self.tags.get(&key) {
                return Some(*t);
            }
            let (x, y) = (self.tag(x, k)?, self.tag(y, k)?);
            let t = self.pool.ite(c, x, y);
            self.tags.insert(key, t);
            return Some(t);
        }
        None
    }

    /// Loads a value.
    pub fn load(&mut self, s: &mut State, p: Val, ty: Ty) -> Option<Val> {
        let n = ty.store_bytes(&self.module.target);
        let len = self.pool.num(64, n.into());
        let f = self.access(s, p, len, false)?;
        let bytes = self.read_found(s, p, &f, n);
        Some(self.assemble(bytes, ty))
    }

    /// Reads `n` bytes after the access was checked.
    pub fn read_found(&mut self, s: &State, p: Val, f: &Found, n: u64) -> Vec<Byte> {
        let off = self.pool.resize_unsigned(p.v, 64);
        let any = self.pool.and(s.guard, f.any);
        let mut out: Option<Vec<Byte>> = (!self.is(any, false)).then(|| (0..n).map(|_| self.any_byte()).collect());
        for (o, c) in &f.each {
            let content = self.cell(s, *o).content;
            let here = self.read_bytes(&content, off, n);
            out = Some(match out {
                None => here,
                Some(old) => old.iter().zip(&here).map(|(x, h)| ite_byte(&mut self.pool, *c, *h, *x)).collect(),
            });
        }
        match out {
            Some(b) if b.len() as u64 == n => b,
            _ => (0..n).map(|_| self.any_byte()).collect(),
        }
    }

    /// Stores bytes.
    pub fn store(&mut self, s: &mut State, p: Val, bytes: &[Byte]) -> Option<()> {
        let len = self.pool.num(64, bytes.len() as u128);
        let f = self.access(s, p, len, true)?;
        self.write_found(s, p, &f, bytes);
        Some(())
    }

    /// Writes after the access was checked.
    pub fn write_found(&mut self, s: &mut State, p: Val, f: &Found, bytes: &[Byte]) {
        self.not_any(s, f);
        let off = self.pool.resize_unsigned(p.v, 64);
        for (o, c) in &f.each {
            let only = f.each.len() == 1 && self.is(f.any, false);
            let c = if only { self.pool.tt() } else { *c };
            let cell = self.cell(s, *o);
            let content = Rc::new(self.write_bytes(&cell.content, off, bytes, c));
            Rc::make_mut(&mut s.mem).insert(*o, Cell { content, ..cell });
        }
    }

    /// A write to anything is not encoded.
    pub fn not_any(&mut self, s: &mut State, f: &Found) {
        let reached = self.pool.and(s.guard, f.any);
        if !self.is(reached, false) {
            self.block(reached, "a write through a pointer that is not followed");
            let known = self.pool.not(f.any);
            s.assume(&mut self.pool, known);
        }
    }

    /// Contents that nobody has written.
    pub fn undefined_content(&mut self, size: Term) -> Content {
        let b = Byte { v: self.pool.num(8, 0), u: self.pool.num(8, 0xff), p: self.pool.num(TAG_BITS, 0) };
        self.filled(size, b)
    }

    /// Contents of equal bytes.
    pub fn filled(&mut self, size: Term, b: Byte) -> Content {
        match self.constant(size) {
            Some(n) if n <= SMALL => Content::Bytes(vec![b; n as usize]),
            _ => {
                let t = self.join_cell(b);
                Content::Array(self.pool.const_array(64, t))
            }
        }
    }

    /// A new object that lives in this state.
    pub fn create(&mut self, s: &mut State, kind: Kind, size: Term, align: u64, content: Content) -> Obj {
        let o = self.objects.len() as Obj;
        let content = Rc::new(content);
        let initial = Cell { alive: self.pool.ff(), content: content.clone() };
        self.objects.push(Info { kind, size, read_only: false, align, initial });
        let alive = self.pool.tt();
        Rc::make_mut(&mut s.mem).insert(o, Cell { alive, content });
        if o >= 1 << OBJ_BITS {
            self.block(s.guard, "more objects than can be numbered");
        }
        o
    }

    /// Ends an object where `c` holds.
    pub fn end(&mut self, s: &mut State, o: Obj, c: Term) {
        let cell = self.cell(s, o);
        let n = self.pool.not(c);
        let alive = self.pool.and(cell.alive, n);
        Rc::make_mut(&mut s.mem).insert(o, Cell { alive, ..cell });
    }

    /// Copies `len` bytes. A length that is not constant is possible for contents kept as bytes.
    pub fn copy(&mut self, s: &mut State, dst: Val, src: Val, len: Val, overlap_ok: bool) -> Option<()> {
        let n = self.length(s, len)?;
        let zero = self.nonzero(n);
        if self.is(zero, false) {
            return Some(());
        }
        // No byte is touched, and nothing checked, where the length is 0.
        let mut idle = s.clone();
        let none = self.pool.not(zero);
        idle.assume(&mut self.pool, none);
        s.assume(&mut self.pool, zero);
        if let Some(from) = self.access(s, src, n, false)
            && let Some(to) = self.access(s, dst, n, true)
        {
            if !overlap_ok {
                let same = self.pool.eq(dst.p, src.p);
                let (d, t) = (self.pool.sub(dst.v, src.v), self.pool.sub(src.v, dst.v));
                let (x, y) = (self.pool.ult(d, n), self.pool.ult(t, n));
                let near = self.pool.or(x, y);
                let apart = self.pool.ne(dst.v, src.v);
                let all = self.pool.and_all([same, near, apart]);
                self.fail(s, K::InvalidArgument, all);
            }
            self.copy_found(s, dst, src, n, &from, &to);
        } else {
            s.guard = self.pool.ff();
        }
        if !idle.is_dead(&self.pool) {
            *s = if s.is_dead(&self.pool) { idle } else { self.join(s, &idle) };
        }
        (!s.is_dead(&self.pool)).then_some(())
    }

    fn copy_found(&mut self, s: &mut State, dst: Val, src: Val, n: Term, from: &Found, to: &Found) {
        // The most that can be copied.
        let most = match self.constant(n) {
            Some(n) => Some(n),
            None => {
                let size = |x: &Self, f: &Found| {
                    let all: Option<Vec<u64>> =
                        f.each.iter().map(|(o, _)| x.constant(x.objects[*o as usize].size)).collect();
                    all.and_then(|a| a.into_iter().max())
                };
                match (size(self, from), size(self, to)) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                }
            }
        };
        let Some(most) = most.filter(|m| *m <= 256) else {
            self.block(s.guard, "a copy of many bytes");
            s.guard = self.pool.ff();
            return;
        };
        if let Some(n) = self.constant(n) {
            let bytes = self.read_found(s, src, from, n);
            self.write_found(s, dst, to, &bytes);
            return;
        }
        let before = s.clone();
        for k in 0..most {
            let i = self.pool.num(64, k.into());
            let inside = self.pool.ult(i, n);
            let pi = self.pool.resize_unsigned(i, self.module.target.pointer_bits);
            let (a, b) = (Val { v: self.pool.add(src.v, pi), ..src }, Val { v: self.pool.add(dst.v, pi), ..dst });
            let byte = self.read_found(&before, a, from, 1);
            self.not_any(s, to);
            let off = self.pool.resize_unsigned(b.v, 64);
            for (o, c) in &to.each {
                let c = self.pool.and(*c, inside);
                let cell = self.cell(s, *o);
                let content = Rc::new(self.write_bytes(&cell.content, off, &byte, c));
                Rc::make_mut(&mut s.mem).insert(*o, Cell { content, ..cell });
            }
        }
    }

    /// Sets bytes.
    pub fn set_bytes(&mut self, s: &mut State, dst: Val, byte: Byte, len: Val) -> Option<()> {
        let n = self.length(s, len)?;
        let zero = self.nonzero(n);
        if self.is(zero, false) {
            return Some(());
        }
        let mut idle = s.clone();
        let none = self.pool.not(zero);
        idle.assume(&mut self.pool, none);
        s.assume(&mut self.pool, zero);
        if let Some(to) = self.access(s, dst, n, true) {
            self.not_any(s, &to);
            let off = self.pool.resize_unsigned(dst.v, 64);
            for (o, c) in &to.each {
                let cell = self.cell(s, *o);
                let whole = self.pool.eq(n, self.objects[*o as usize].size);
                let content = match (&*cell.content, self.constant(n)) {
                    _ if self.is(whole, true) && self.constant(off) == Some(0) => {
                        let all = Rc::new(self.filled(n, byte));
                        ite_content(&mut self.pool, *c, &all, &cell.content)
                    }
                    (Content::Bytes(b), _) => {
                        let mut b = b.clone();
                        for (i, x) in b.iter_mut().enumerate() {
                            let i = self.pool.num(64, i as u128);
                            let d = self.pool.sub(i, off);
                            let inside = self.pool.ult(d, n);
                            let c = self.pool.and(inside, *c);
                            *x = ite_byte(&mut self.pool, c, byte, *x);
                        }
                        Rc::new(Content::Bytes(b))
                    }
                    (old, Some(k)) if k <= 1024 => Rc::new(self.write_bytes(old, off, &vec![byte; k as usize], *c)),
                    _ => {
                        self.block(s.guard, "many bytes are set");
                        cell.content.clone()
                    }
                };
                Rc::make_mut(&mut s.mem).insert(*o, Cell { content, ..cell });
            }
        } else {
            s.guard = self.pool.ff();
        }
        if !idle.is_dead(&self.pool) {
            *s = if s.is_dead(&self.pool) { idle } else { self.join(s, &idle) };
        }
        (!s.is_dead(&self.pool)).then_some(())
    }

    /// A length as 64 bits, defined.
    fn length(&mut self, s: &mut State, len: Val) -> Option<Term> {
        let undefined = self.nonzero(len.u);
        self.fail(s, K::UninitRead, undefined);
        let v = self.bits(len);
        (!s.is_dead(&self.pool)).then(|| self.pool.resize_unsigned(v, 64))
    }

    /// The number that a value is: the address, for a pointer.
    pub fn bits(&mut self, x: Val) -> Term {
        let zero = self.pool.num(OBJ_BITS, 0);
        if x.p == zero {
            return x.v;
        }
        let w = self.pool.width(x.v);
        let (leaves, other) = self.leaves(x.p);
        let mut base = if other || leaves.contains(&u64::from(ANY)) { self.fresh(w) } else { self.pool.num(w, 0) };
        for o in leaves {
            let Ok(o) = Obj::try_from(o) else { continue };
            if o == ANY || o as usize >= self.objects.len() {
                continue;
            }
            let b = if o == NONE { self.pool.num(w, 0) } else { self.base(o, w) };
            let k = self.pool.num(OBJ_BITS, o.into());
            let c = self.pool.eq(x.p, k);
            base = self.pool.ite(c, b, base);
        }
        self.pool.add(base, x.v)
    }

    /// The address of an object: aligned, above the null page, such that the object does not wrap around.
    fn base(&mut self, o: Obj, w: u32) -> Term {
        if let Some(b) = self.bases.get(&o) {
            return *b;
        }
        let b = self.fresh(w);
        let Info { size, align, .. } = self.objects[o as usize].clone();
        let page = self.pool.num(w, NULL_PAGE);
        let above = self.pool.ule(page, b);
        self.axioms.push(above);
        let size = self.pool.resize_unsigned(size, w);
        let end = self.pool.add(b, size);
        let ordered = self.pool.ule(b, end);
        // Of other sizes there are no objects, but on paths where it is not made the size can be anything.
        let sane = self.pool.extract(size, w - 1, w - 1);
        let ordered = self.pool.or(sane, ordered);
        self.axioms.push(ordered);
        let k = align.trailing_zeros().min(12);
        if align.is_power_of_two() && k > 0 {
            let low = self.pool.extract(b, k - 1, 0);
            let z = self.pool.num(k, 0);
            let aligned = self.pool.eq(low, z);
            self.axioms.push(aligned);
        }
        self.bases.insert(o, b);
        b
    }
}
