//! Laps: the state at the head of a loop is what it was when the loop, or its last iteration, began. Such an execution
//! can go on for ever; whether it is one, the interpreter says: what is compared here is only what the loop was seen to
//! write, and a lap that is none is only a bad suggestion.

use crate::build::{Arrival, Build};
use crate::memory::State;
use crate::object::Kind;
use crate::sym::Sym;
use verify_solver::{Op, Term};

/// Iterations between two states that are compared.
const MAX_PERIOD: usize = 4;
/// Stores into an array in one lap.
const MAX_STORES: usize = 16;

impl Build<'_, '_> {
    /// Records where the state of `now` is one of `before`, the latest last.
    pub(crate) fn laps(&mut self, before: &[Arrival], now: &Arrival) {
        if self.dry > 0 {
            return;
        }
        let recent = before.len().saturating_sub(MAX_PERIOD);
        for b in &before[recent..] {
            let Some(same) = self.same_state(b, now) else { continue };
            let guard = self.e.terms.pool.and(now.path.guard, same);
            let lap = self.reached(guard);
            if !self.never(lap) {
                self.out.laps.push(lap);
            }
        }
    }

    fn same(&mut self, acc: Term, a: Sym, b: Sym) -> Term {
        let p = &mut self.e.terms.pool;
        let (x, y) = (p.eq(a.bits, b.bits), p.eq(a.prov, b.prov));
        let c = p.and(x, y);
        p.and(acc, c)
    }

    /// The states are equal, as far as it is seen. [`None`]: they are not.
    fn same_state(&mut self, a: &Arrival, b: &Arrival) -> Option<Term> {
        let mut same = self.tt;
        for (x, y) in a.args.iter().zip(&b.args) {
            if x != y {
                same = self.same(same, *x, *y);
            }
        }
        let objects: Vec<u32> = b.path.memory.iter().map(|(o, _)| o).collect();
        for o in objects {
            let made_since = matches!(self.e.terms.objects[o as usize].kind, Kind::Stack | Kind::Heap(_));
            if made_since && !a.path.memory.contains(o) {
                continue;
            }
            let module = self.e.module;
            let x = a.path.memory.get(&mut self.e.terms, module, o);
            let y = b.path.memory.get(&mut self.e.terms, module, o);
            if x == y {
                continue;
            }
            same = self.same_object(same, o, &x, &y)?;
        }
        (!self.never(same)).then_some(same)
    }

    /// Where one array was stored to, or both since they were one, they hold the same. [`None`]: they never were one.
    fn same_elements(&mut self, a: Term, b: Term) -> Option<Term> {
        let mut places: Vec<Term> = Vec::new();
        let mut roots = Vec::new();
        for mut t in [a, b] {
            for _ in 0..MAX_STORES {
                let Some(&[before, index, _]) = self.e.terms.pool.as_app(t, Op::Store) else { break };
                places.push(index);
                t = before;
            }
            roots.push(t);
        }
        if roots[0] != roots[1] {
            return None;
        }
        let pool = &mut self.e.terms.pool;
        let mut same = self.tt;
        for i in places {
            let (x, y) = (pool.select(a, i), pool.select(b, i));
            let c = pool.eq(x, y);
            same = pool.and(same, c);
        }
        Some(same)
    }

    fn same_object(&mut self, mut same: Term, o: u32, x: &State, y: &State) -> Option<Term> {
        if let (Some(p), Some(q)) = (x.array, y.array) {
            if p.elem != q.elem {
                return None;
            }
            if p.bits != q.bits {
                let c = self.same_elements(p.bits, q.bits)?;
                same = self.e.terms.pool.and(same, c);
            }
            return Some(same);
        }
        if x.array.is_some() || y.array.is_some() || x.base != y.base {
            return None;
        }
        let module = self.e.module;
        for (at, c) in &y.cells {
            let old = crate::memory::read(&mut self.e.terms, module, o, x, *at, c.size);
            if old != c.value {
                same = self.same(same, old, c.value);
            }
        }
        Some(same)
    }
}
