//! What the facts say of a value, assumed where the value is made: auxiliary invariants for k-induction (brain-2015
//! §2), and what callers of a function agree on when it is looked at by itself. They hold in every execution from the
//! program's roots ([`verify_facts::values`]), so executions that contradict them are left out.

use crate::build::{Build, Path};
use crate::sym::Sym;
use verify_facts::values::{Extent, Interval, Known, Safe};
use verify_ir::{Ty, Value};
use verify_solver::Term;

impl Build<'_, '_> {
    /// The value of the innermost function, with what is known of it.
    pub(crate) fn hinted(&mut self, path: &Path, v: Value, s: Sym) -> Sym {
        // They are of executions that end where C leaves them undefined.
        let Some(facts) = self.e.facts.filter(|_| !self.e.endless || self.e.defined) else { return s };
        let (f, _) = self.here();
        let Some(hint) = facts.hint(f, v).copied() else { return s };
        let mut s = hint.same.and_then(|w| self.made(path, w)).unwrap_or(s);
        if hint.known.defined {
            s.undef = self.ff;
        }
        let body = self.module().func(f).body.as_ref();
        match body.map(|b| b.ty(v)) {
            Some(Ty::Int(_)) => self.in_range(path, s, hint.known),
            Some(Ty::Ptr) => {
                self.points_well(path, s, hint.known);
                s
            }
            _ => s,
        }
    }

    /// The value of this frame, if it was made.
    fn made(&mut self, path: &Path, v: Value) -> Option<Sym> {
        let frame = self.frame();
        let now = frame.cfg.current(v, frame.loc.block).then(|| frame.env[v.index()]).flatten();
        path.outs.get(&v).copied().or(now)
    }

    fn in_range(&mut self, path: &Path, s: Sym, k: Known) -> Sym {
        let Some(r) = k.range else { return s };
        let w = self.e.terms.pool.width(s.bits);
        if self.e.terms.pool.as_const(s.bits).is_some() || !self.e.terms.is_plain(s) {
            return s;
        }
        let number = |b: &mut Self, v: i128| b.e.terms.pool.num(w, v as u128 & (u128::MAX >> (128 - w)));
        if let (Some(v), true) = (r.exact(), k.defined) {
            return Sym { bits: number(self, v), ..s };
        }
        let Some(full) = Interval::full(w).filter(|_| w > 1) else { return s };
        if r.lo > full.lo {
            let lo = number(self, r.lo);
            let c = self.e.terms.pool.sle(lo, s.bits);
            self.assume(path.guard, c);
        }
        if r.hi < full.hi {
            let hi = number(self, r.hi);
            let c = self.e.terms.pool.sle(s.bits, hi);
            self.assume(path.guard, c);
        }
        s
    }

    /// What is known of an unknown pointer; objects that are named need no help.
    fn points_well(&mut self, path: &Path, s: Sym, k: Known) {
        if k.safe == Safe::NONE && k.extent.is_none() {
            return;
        }
        let Some((base, offset)) = self.wild_base(s) else { return };
        let mut facts: Vec<Term> = Vec::new();
        for (safe, bad) in [
            (Safe::NULL, self.wild_null(base)),
            (Safe::INVALID, self.wild_invalid(base, path)),
            (Safe::FREED, self.wild_freed(base, path)),
            (Safe::SCOPE, self.wild_scope(base, path)),
            (Safe::WRITABLE, self.wild_constant(base)),
        ] {
            if k.safe.has(safe) {
                facts.push(self.e.terms.pool.not(bad));
            }
        }
        let start = self.e.terms.pool.as_const(offset).is_some_and(|o| o.is_zero());
        let w = self.e.terms.ptr_bits;
        let zero = self.e.terms.pool.num(w, 0);
        let zero = self.e.terms.pool.eq(base, zero);
        if start && k.safe.has(Safe::NULL) {
            facts.push(self.e.terms.pool.not(zero));
        }
        if start && k.safe.has(Safe::HONEST) {
            let null = self.wild_null(base);
            facts.push(self.e.terms.pool.implies(null, zero));
        }
        if let Some(Extent { lo, hi }) = k.extent.filter(|e| *e != Extent::ALL) {
            let number = |v: i64| u128::from(v as u64) & (u128::MAX >> (128 - w));
            let len = self.e.terms.pool.num(w, number(hi.saturating_sub(lo)));
            let lo = self.e.terms.pool.num(w, number(lo));
            let from = self.e.terms.pool.add(offset, lo);
            let out = self.wild_outside(base, from, len);
            facts.push(self.e.terms.pool.not(out));
        }
        for f in facts {
            self.assume(path.guard, f);
        }
    }
}
