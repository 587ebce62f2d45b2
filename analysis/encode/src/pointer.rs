//! Arithmetic and comparison of values that may be pointers. Within one object offsets decide; between objects,
//! addresses that nobody knows. Distinct live objects have distinct addresses.

use crate::build::{Build, Path};
use crate::object::Kind;
use crate::sym::{NULL, NULL_PAGE, Sym, WILD};
use verify_ir::CheckKind as K;
use verify_ir::inst::{ArithFlags, BinOp, IntPred};
use verify_ir::{GlobalId, Overlay};
use verify_solver::{Bv, Term};

/// Pairs of objects of two pointers that are looked at for literals that may be one; of more, any may.
const MAX_PAIRS: usize = 1024;
/// Bits of the bytes behind the start of an object that a 64-bit address has room for: what programs may use ends below
/// 2^47 or 2^48, the address space at 2^64.
const FAR: u32 = 48;

impl Build<'_, '_> {
    pub(crate) fn binary(&mut self, guard: Term, op: BinOp, flags: ArithFlags, a: Sym, b: Sym) -> Sym {
        let mut undef = self.e.terms.pool.or(a.undef, b.undef);
        let w = self.e.terms.pool.width(a.bits);
        // What does not depend on the undefined side is defined.
        if matches!(op, BinOp::And | BinOp::Mul) {
            for (x, y) in [(a, b), (b, a)] {
                if x.undef == self.ff
                    && self.e.terms.pool.as_const(x.bits).is_some_and(Bv::is_zero)
                    && y.undef != self.ff
                {
                    undef = self.ff;
                }
            }
        }
        if !(self.e.terms.is_plain(a) && self.e.terms.is_plain(b))
            && w == self.e.terms.ptr_bits
            && let Some((bits, prov)) = self.pointer_arithmetic(op, a, b)
        {
            let objects = self.e.terms.leaves(prov);
            self.e.terms.detached.extend(objects.iter().filter(|o| **o > WILD));
            return Sym { bits, prov, undef };
        }
        let (x, y) = (self.number(a), self.number(b));
        let mut undefined = self.ff;
        match op {
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                self.claim(K::UninitRead, guard, b.undef, false);
                let zero = self.e.terms.pool.num(w, 0);
                let none = self.e.terms.pool.eq(y, zero);
                self.claim(K::DivByZero, guard, none, true);
                if matches!(op, BinOp::SDiv | BinOp::SRem) {
                    let min = self.e.terms.pool.constant(Bv::min_signed(w));
                    let ones = self.e.terms.pool.constant(Bv::ones(w));
                    let (p, q) = (self.e.terms.pool.eq(x, min), self.e.terms.pool.eq(y, ones));
                    let over = self.e.terms.pool.and(p, q);
                    self.claim(K::SignedOverflow, guard, over, true);
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat => {
                self.claim(K::UninitRead, guard, b.undef, false);
                let width = self.e.terms.pool.num(w, u128::from(w));
                let ok = if w.is_power_of_two() || u128::from(w) < 1u128 << w.min(127) {
                    self.e.terms.pool.ult(y, width)
                } else {
                    self.tt
                };
                let bad = self.e.terms.pool.not(ok);
                self.claim(K::ShiftRange, guard, bad, true);
                if self.e.endless {
                    undefined = bad;
                }
            }
            _ => {}
        }
        if flags.nsw || flags.nuw || flags.exact {
            let (s, u, e) = crate::arith::flagged(&mut self.e.terms.pool, op, x, y);
            for (on, bad) in [(flags.nsw, s), (flags.nuw, u), (flags.exact, e)] {
                if on {
                    self.claim(K::SignedOverflow, guard, bad, true);
                }
            }
        }
        let bits = crate::arith::binary(&mut self.e.terms.pool, op, x, y);
        let bits = self.any_where(undefined, bits);
        self.plain(bits, undef)
    }

    /// Operations that keep a pointer a pointer, or make a number of two without asking for addresses.
    fn pointer_arithmetic(&mut self, op: BinOp, a: Sym, b: Sym) -> Option<(Term, Term)> {
        let (plain_a, plain_b) = (self.e.terms.is_plain(a), self.e.terms.is_plain(b));
        let null = self.e.terms.prov(NULL);
        match op {
            BinOp::Add if plain_b => Some((self.e.terms.pool.add(a.bits, b.bits), a.prov)),
            BinOp::Add if plain_a => Some((self.e.terms.pool.add(a.bits, b.bits), b.prov)),
            BinOp::Sub if plain_b => Some((self.e.terms.pool.sub(a.bits, b.bits), a.prov)),
            BinOp::Sub => {
                let diff = self.e.terms.pool.sub(a.bits, b.bits);
                if a.prov == b.prov && !self.e.terms.leaves(a.prov).contains(&WILD) {
                    return Some((diff, null));
                }
                let (x, y) = (self.number(a), self.number(b));
                let far = self.e.terms.pool.sub(x, y);
                let mut same = self.e.terms.pool.eq(a.prov, b.prov);
                if self.e.terms.leaves(a.prov).contains(&WILD) || self.e.terms.leaves(b.prov).contains(&WILD) {
                    let known = self.known(a);
                    same = self.e.terms.pool.and(same, known);
                }
                Some((self.e.terms.pool.ite(same, diff, far), null))
            }
            BinOp::And | BinOp::Or if plain_b || plain_a => {
                let (p, m) = if plain_b { (a, b) } else { (b, a) };
                let mask = self.e.terms.pool.as_const(m.bits)?.to_u64()?;
                let leaves = self.e.terms.leaves(p.prov);
                if leaves.contains(&WILD) {
                    return None;
                }
                let align =
                    leaves.iter().filter(|o| **o != NULL).map(|o| self.e.terms.objects[*o as usize].align).min()?;
                if !align.is_power_of_two() {
                    return None;
                }
                let low = align - 1;
                let bits = self.e.terms.ptr_bits;
                let all = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
                if op == BinOp::And && mask & !low == all & !low {
                    // Clears low bits.
                    Some((self.e.terms.pool.and(p.bits, m.bits), p.prov))
                } else if op == BinOp::And && mask & !low == 0 {
                    // Asks for low bits.
                    Some((self.e.terms.pool.and(p.bits, m.bits), null))
                } else if op == BinOp::Or && mask & !low == 0 {
                    Some((self.e.terms.pool.or(p.bits, m.bits), p.prov))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// The object of a pointer is one that is known.
    fn known(&mut self, p: Sym) -> Term {
        let leaves = self.e.terms.leaves(p.prov);
        let mut k = self.ff;
        for &o in leaves.iter().filter(|o| **o != WILD) {
            let is = self.is_object(p, o);
            k = self.e.terms.pool.or(k, is);
        }
        k
    }

    pub(crate) fn compare(&mut self, path: &Path, pred: IntPred, a: Sym, b: Sym) -> Sym {
        if self.e.terms.is_plain(a) && self.e.terms.is_plain(b) {
            return self.compare_addresses(path, pred, a, b);
        }
        // The outcome of a comparison is no address, whatever it was computed from.
        let addressed = self.e.terms.addressed;
        let collapsed = self.e.terms.collapsed.clone();
        let s = self.compare_addresses(path, pred, a, b);
        (self.e.terms.addressed, self.e.terms.collapsed) = (addressed, collapsed);
        s
    }

    fn compare_addresses(&mut self, path: &Path, pred: IntPred, a: Sym, b: Sym) -> Sym {
        let undef = self.e.terms.pool.or(a.undef, b.undef);
        let (plain_a, plain_b) = (self.e.terms.is_plain(a), self.e.terms.is_plain(b));
        if (plain_a && plain_b) || self.e.terms.pool.width(a.bits) != self.e.terms.ptr_bits {
            let v = crate::arith::compare(&mut self.e.terms.pool, pred, a.bits, b.bits);
            return self.plain(v, undef);
        }
        // Unknown pointers and numbers are addresses.
        if self.is_address(a) && self.is_address(b) {
            let v = crate::arith::compare(&mut self.e.terms.pool, pred, a.bits, b.bits);
            return self.plain(v, undef);
        }
        let within = match pred {
            IntPred::Eq | IntPred::Ne => crate::arith::compare(&mut self.e.terms.pool, IntPred::Eq, a.bits, b.bits),
            // An offset may be below 0; far from the object the address wraps around.
            IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => {
                let signed = match pred {
                    IntPred::Ult => self.e.terms.pool.slt(a.bits, b.bits),
                    IntPred::Ule => self.e.terms.pool.sle(a.bits, b.bits),
                    IntPred::Ugt => self.e.terms.pool.slt(b.bits, a.bits),
                    _ => self.e.terms.pool.sle(b.bits, a.bits),
                };
                let (near, close) = (self.near(a), self.near(b));
                let near = self.e.terms.pool.and(near, close);
                if self.is(near) {
                    signed
                } else {
                    let far = self.compare_numbers(pred, a, b);
                    self.e.terms.pool.ite(near, signed, far)
                }
            }
            _ => {
                let v = self.compare_numbers(pred, a, b);
                return self.plain(v, undef);
            }
        };
        let same = self.e.terms.pool.eq(a.prov, b.prov);
        let between = match pred {
            IntPred::Eq | IntPred::Ne => self.maybe_equal(path, a, b),
            _ if self.is(same) => within,
            _ => self.compare_numbers(pred, a, b),
        };
        // Numbers and null compare as numbers; so does what is wild.
        let null = self.e.terms.prov(NULL);
        let number = self.e.terms.pool.eq(a.prov, null);
        let numbers = crate::arith::compare(&mut self.e.terms.pool, pred, a.bits, b.bits);
        let both_wild = {
            let (k, l) = (self.known(a), self.known(b));
            let k = self.e.terms.pool.and(k, l);
            self.e.terms.pool.not(k)
        };
        let within = match pred {
            IntPred::Eq | IntPred::Ne => within,
            _ => self.e.terms.pool.ite(number, numbers, within),
        };
        let mut v = self.e.terms.pool.ite(same, within, between);
        if !self.never(both_wild) {
            // Two values with the same bits and the same unknown object are one value; else anything.
            let one = a == b;
            let free = if one { within } else { self.fresh(70, 1) };
            v = self.e.terms.pool.ite(both_wild, free, v);
        }
        if pred == IntPred::Ne {
            v = self.e.terms.pool.not(v);
        }
        self.plain(v, undef)
    }

    fn compare_numbers(&mut self, pred: IntPred, a: Sym, b: Sym) -> Term {
        let (x, y) = (self.number(a), self.number(b));
        crate::arith::compare(&mut self.e.terms.pool, pred, x, y)
    }

    /// A pointer so close to its object that its address does not wrap around: no object is in the first page, and
    /// those of 64-bit machines are far below the end of the address space.
    fn near(&mut self, p: Sym) -> Term {
        let w = self.e.terms.ptr_bits;
        let page = self.e.terms.pool.num(w, u128::from(NULL_PAGE));
        let moved = self.e.terms.pool.add(p.bits, page);
        if w == 64 {
            let limit = self.e.terms.pool.num(w, 1 << FAR);
            return self.e.terms.pool.ule(moved, limit);
        }
        let leaves = self.e.terms.leaves(p.prov);
        let mut near = self.ff;
        for &o in leaves.iter().filter(|o| **o > WILD) {
            let size = self.e.terms.objects[o as usize].size;
            let limit = self.e.terms.pool.add(size, page);
            // The size of what is not made may be anything.
            let whole = self.e.terms.pool.ule(size, limit);
            let close = self.e.terms.pool.ule(moved, limit);
            let is = self.is_object(p, o);
            let all = self.e.terms.pool.and_all([whole, close, is]);
            near = self.e.terms.pool.or(near, all);
        }
        near
    }

    /// The bits are the number or the address itself.
    fn is_address(&self, s: Sym) -> bool {
        let number = self.e.terms.pool.as_const(s.prov).and_then(|v| v.to_u64());
        number.is_some_and(|n| n == u64::from(NULL) || n == u64::from(WILD))
    }

    /// Can pointers to different objects (or a pointer and a number) be equal? Not if both objects live and the
    /// pointers are inside; not with null; otherwise perhaps: the end of one object may be the start of the next.
    fn maybe_equal(&mut self, path: &Path, a: Sym, b: Sym) -> Term {
        let mut maybe = self.ff;
        for (p, q) in [(a, b), (b, a)] {
            let w = self.e.terms.ptr_bits;
            let leaves = self.e.terms.leaves(p.prov);
            for &o in leaves.iter() {
                let is = self.is_object(p, o);
                let odd = match self.e.terms.objects[o as usize].kind {
                    Kind::Null => {
                        // A number that is no null pointer may be any address; a pointer is never near null.
                        let page = self.e.terms.pool.num(w, u128::from(NULL_PAGE));
                        let low = self.e.terms.pool.ult(p.bits, page);
                        self.e.terms.pool.not(low)
                    }
                    Kind::Wild => self.tt,
                    Kind::Heap(_) | Kind::Stack => {
                        // A dead object's place may be taken by the other; far outside it anything may lie.
                        let module = self.e.module;
                        let s = path.memory.get(&mut self.e.terms, module, o);
                        let dead = self.e.terms.pool.not(s.alive);
                        let out = self.outside(p, q, o);
                        let x = self.e.terms.pool.or(dead, out);
                        self.e.terms.pool.or(x, s.recycled)
                    }
                    Kind::Summary => self.tt,
                    Kind::Global(g) => {
                        let out = self.outside(p, q, o);
                        let shared = self.shared_literal(p, q, g);
                        self.e.terms.pool.or(out, shared)
                    }
                    Kind::Func(_) => {
                        let zero = self.e.terms.pool.num(w, 0);
                        self.e.terms.pool.ne(p.bits, zero)
                    }
                };
                let x = self.e.terms.pool.and(is, odd);
                maybe = self.e.terms.pool.or(maybe, x);
            }
            // The null pointer itself equals no address, unless that wraps around.
            let null = self.e.terms.prov(NULL);
            let is_null = self.e.terms.pool.eq(q.prov, null);
            let zero = self.e.terms.pool.num(w, 0);
            let zero = self.e.terms.pool.eq(q.bits, zero);
            let is_null = self.e.terms.pool.and(is_null, zero);
            let known = self.known(p);
            let near = self.near(p);
            let no = self.e.terms.pool.and_all([is_null, known, near]);
            let no = self.e.terms.pool.not(no);
            maybe = self.e.terms.pool.and(maybe, no);
        }
        if self.never(maybe) {
            return maybe;
        }
        let free = self.fresh(71, 1);
        self.e.terms.pool.and(maybe, free)
    }

    /// The first pointer is into this literal, the second one into another that may lie just there.
    fn shared_literal(&mut self, p: Sym, q: Sym, g: GlobalId) -> Term {
        let mut shared = self.ff;
        let module = self.e.module;
        if !module.is_shared_literal(g) {
            return shared;
        }
        let others = self.e.terms.leaves(q.prov);
        if self.e.terms.leaves(p.prov).len() * others.len() > MAX_PAIRS {
            return self.tt;
        }
        for &o in others.iter() {
            let Kind::Global(h) = self.e.terms.objects[o as usize].kind else { continue };
            if !module.is_shared_literal(h) {
                continue;
            }
            let is = self.is_object(q, o);
            let at = match module.overlay(g, h) {
                Overlay::Anyhow => is,
                Overlay::At(ways) => {
                    let pool = &mut self.e.terms.pool;
                    let (w, mut any) = (pool.width(p.bits), self.ff);
                    for d in ways {
                        let d = pool.num(w, d as u64 as u128);
                        let there = pool.add(q.bits, d);
                        let there = pool.eq(p.bits, there);
                        any = pool.or(any, there);
                    }
                    pool.and(is, any)
                }
            };
            shared = self.e.terms.pool.or(shared, at);
        }
        shared
    }

    /// The pointer's offset is beyond the end of its object (or before its start), or at the end where the other pointer
    /// is at the start of an object.
    fn outside(&mut self, p: Sym, other: Sym, o: u32) -> Term {
        let size = self.e.terms.objects[o as usize].size;
        let heap = matches!(self.e.terms.objects[o as usize].kind, Kind::Heap(_));
        let pool = &mut self.e.terms.pool;
        let beyond = pool.ult(size, p.bits);
        let zero = pool.num(pool.width(p.bits), 0);
        let mut meet = {
            let (end, start) = (pool.eq(p.bits, size), pool.eq(other.bits, zero));
            pool.and(end, start)
        };
        if heap {
            // Allocated memory of no bytes has an address of its own.
            let some = pool.ne(size, zero);
            meet = pool.and(meet, some);
        }
        pool.or(beyond, meet)
    }
}
