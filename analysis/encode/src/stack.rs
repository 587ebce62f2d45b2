//! Stack objects: allocation, lifetimes, the end of a frame.

use crate::build::{Build, Path, Res, TooBig};
use crate::formula::{Event, EventKind};
use crate::memory::{Base, State};
use crate::object::{Kind, Object};
use crate::sym::Sym;
use std::collections::BTreeMap;
use verify_ir::{Operand, Value};

impl Build<'_, '_> {
    pub(crate) fn alloca(&mut self, path: &mut Path, v: Value, elem: u64, count: Sym, align: u64) -> Res<()> {
        let w = self.e.terms.ptr_bits;
        let n = self.size_of(count);
        let k = self.e.terms.pool.num(w, u128::from(elem));
        let size = self.e.terms.pool.mul(n, k);
        let o = self.new_object(80, Kind::Stack, size, align)?;
        self.begin(path, o);
        self.frame().allocas.push(o);
        let zero = self.e.terms.pool.num(w, 0);
        let p = self.e.terms.pointer(o, zero);
        self.define(path, v, p);
        Ok(())
    }

    /// An object of this place of the execution.
    pub(crate) fn new_object(&mut self, purpose: u32, kind: Kind, size: verify_solver::Term, align: u64) -> Res<u32> {
        let mut key = self.key(purpose);
        // The same place may ask for another size in another formula.
        key.push(size.0);
        key.insert(0, 3);
        let (f, loc) = self.here();
        let name = format!("{} {:?} at {}:{}", self.module().func(f).name, kind, loc.block, loc.inst);
        self.e
            .terms
            .object(&key, |_| Object { kind, name, size, align: align.max(1), read_only: false })
            .ok_or(TooBig::Objects)
    }

    /// A new life with undefined contents.
    pub(crate) fn begin(&mut self, path: &mut Path, o: u32) {
        let module = self.e.module;
        // A pointer of an earlier life is in a register of this iteration only as the object's own address; other
        // values that hold one came by memory or round a loop, and that exposes the object.
        let known = path.memory.contains(o) && self.exposed.contains(&o);
        let before = path.memory.get(&mut self.e.terms, module, o).recycled;
        let recycled = if known { self.tt } else { before };
        let k = self.key(81);
        let life = self.t().epoch(&k);
        let s = State { alive: self.tt, recycled, base: Base::Uninit(life), cells: BTreeMap::new(), array: None };
        path.memory.set(o, s);
        if self.e.rules.uninit_is_arbitrary && self.dry == 0 {
            let kind = EventKind::Contents { object: o, life };
            self.out.events.push(Event { happens: path.guard, kind });
        }
    }

    pub(crate) fn lifetime(&mut self, path: &mut Path, object: &Operand, start: bool) {
        let p = self.operand(path, object);
        let module = self.e.module;
        for &o in self.e.terms.leaves(p.prov).iter() {
            if self.e.terms.objects[o as usize].kind != Kind::Stack {
                continue;
            }
            let old = path.memory.get(&mut self.e.terms, module, o);
            if start {
                let fresh = old.cells.is_empty() && old.array.is_none() && matches!(old.base, Base::Uninit(_));
                if self.is(old.alive) && fresh {
                    // Not used since it was made.
                    continue;
                }
                self.begin(path, o);
            } else {
                let mut s = (*old).clone();
                s.alive = self.ff;
                path.memory.set(o, s);
                self.scope_ended(path, o);
            }
        }
    }

    pub(crate) fn end_stack_objects(&mut self, path: &mut Path, objects: &[u32]) {
        let module = self.e.module;
        for &o in objects {
            if !path.memory.contains(o) {
                continue;
            }
            let old = path.memory.get(&mut self.e.terms, module, o);
            if self.never(old.alive) && old.cells.is_empty() && old.array.is_none() {
                continue;
            }
            // What a dead object holds is nobody's business.
            let s = State {
                alive: self.ff,
                recycled: old.recycled,
                base: Base::Uninit(0),
                cells: BTreeMap::new(),
                array: None,
            };
            path.memory.set(o, s);
            self.scope_ended(path, o);
        }
    }

    /// The object's life has ended: an unknown pointer that led to it leads nowhere.
    fn scope_ended(&mut self, path: &mut Path, o: u32) {
        if self.is_exposed(o) {
            let k = self.key(82);
            path.scope = self.t().epoch(&k);
        }
    }
}
