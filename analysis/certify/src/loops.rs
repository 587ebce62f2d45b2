//! Loops: iteration after iteration, or k copies of the body from any iteration. What an iteration changes is found by
//! running the body until what it leaves behind is no more than what it was entered with.

use crate::Mode;
use crate::exec::{Edges, Exec, OutOfBudget, Shape};
use crate::state::{ANY, Byte, Cell, Content, Kind, NONE, OBJ_BITS, Obj, State, TAG_BITS, Val};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_checks::CheckId;
use verify_facts::LoopId;
use verify_ir::{Block, Body, Value};
use verify_solver::Term;

/// Iterations of a loop, decided by constants, from which some executions return.
const RETURNING: u32 = 128;

/// What is known of a loop-carried value in every iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Class {
    same: Option<Term>,
    defined: bool,
    /// Objects; `None`: any.
    objects: Option<BTreeSet<u64>>,
}

/// What the iterations of a loop change.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    values: BTreeMap<Value, Class>,
    restarted: BTreeSet<Value>,
    alive: BTreeSet<Obj>,
    bytes: BTreeMap<(Obj, u32), Class>,
    arrays: BTreeSet<Obj>,
}

struct Mark {
    claims: usize,
    broken: usize,
    blockers: usize,
    cuts: usize,
    unwound: usize,
    approximations: usize,
    objects: usize,
    allocas: usize,
    returns: usize,
}

impl Exec<'_> {
    fn mark(&self) -> Mark {
        let f = self.frames.last().expect("a frame");
        Mark {
            claims: self.claims.len(),
            broken: self.broken.len(),
            blockers: self.blockers.len(),
            cuts: self.cuts.len(),
            unwound: self.unwound.len(),
            approximations: self.approximations.len(),
            objects: self.objects.len(),
            allocas: f.allocas.len(),
            returns: f.returns.len(),
        }
    }

    fn back_to(&mut self, m: &Mark) {
        self.claims.truncate(m.claims);
        self.broken.truncate(m.broken);
        self.blockers.truncate(m.blockers);
        self.cuts.truncate(m.cuts);
        self.unwound.truncate(m.unwound);
        self.approximations.truncate(m.approximations);
        self.objects.truncate(m.objects);
        let n = m.objects;
        self.bases.retain(|o, _| (*o as usize) < n);
        let f = self.frames.last_mut().expect("a frame");
        f.allocas.truncate(m.allocas);
        f.returns.truncate(m.returns);
    }

    /// A loop from the states at its entries; the edges that leave it.
    pub fn run_loop(&mut self, shape: &Shape, l: LoopId, entries: Edges) -> Result<Edges, OutOfBudget> {
        match self.certificate.mode {
            Mode::Bounded(k) => Ok(self.unroll(shape, l, entries, Some(k))?.expect("bounded loops are cut")),
            Mode::Induction(k) => {
                let m = self.mark();
                if let Some(out) = self.unroll(shape, l, entries.clone(), None)? {
                    return Ok(out);
                }
                self.back_to(&m);
                match <[(Block, State); 1]>::try_from(entries) {
                    Ok([(b, s)]) if !shape.forest.get(l).irreducible => self.induct(shape, l, b, s, k.max(1)),
                    Ok([(_, s)]) => {
                        self.block(s.guard, "a loop with several entries");
                        Ok(Vec::new())
                    }
                    Err(many) => {
                        for (_, s) in many {
                            self.block(s.guard, "a loop with several entries");
                        }
                        Ok(Vec::new())
                    }
                }
            }
        }
    }

    /// Iteration after iteration. `None` when there is a choice to go on and no bound is given.
    fn unroll(
        &mut self,
        shape: &Shape,
        l: LoopId,
        mut now: Edges,
        bound: Option<u32>,
    ) -> Result<Option<Edges>, OutOfBudget> {
        let mut all = Vec::new();
        let (mut n, mut choice) = (0, false);
        let returns = self.frames.last().expect("a frame").returns.len();
        while !now.is_empty() {
            let (back, out) = self.region(shape, Some(l), now)?;
            n += 1;
            let returned = self.frames.last().expect("a frame").returns.len() > returns;
            choice |= !out.is_empty() || returned && n > RETURNING;
            all.extend(out);
            let bound = bound.map(|k| k + 1);
            let most = if choice { bound } else { Some(self.certificate.followed).max(bound) };
            match most {
                None if !back.is_empty() => return Ok(None),
                Some(k) if n >= k && !back.is_empty() && bound.is_none() => return Ok(None),
                Some(k) if n >= k && !back.is_empty() => {
                    self.unwound.extend(back.iter().map(|(_, s)| s.guard));
                    break;
                }
                _ => {}
            }
            let mut next: BTreeMap<Block, Vec<State>> = BTreeMap::new();
            for (b, s) in back {
                next.entry(b).or_default().push(s);
            }
            now = Vec::new();
            for (b, states) in next {
                if let Some(s) = self.enter(shape, b, states) {
                    now.push((b, s));
                }
            }
        }
        Ok(Some(all))
    }

    /// Copies of the body from any iteration, and from the first.
    fn induct(&mut self, shape: &Shape, l: LoopId, header: Block, entry: State, k: u32) -> Result<Edges, OutOfBudget> {
        let key = (self.frames.iter().map(|f| (f.func, f.loc)).collect::<Vec<_>>(), l);
        let mut summary = self.summaries.remove(&key).unwrap_or_default();
        self.widen_entry(&mut summary, &entry);
        let rows = self.rows_of(header);
        self.approximated(entry.guard, "a loop entered in the middle");
        let any = loop {
            let m = self.mark();
            let h = self.arbitrary(&summary, &entry);
            let known = self.objects.len();
            let m2 = self.mark();
            let (back, out) = self.region(shape, Some(l), vec![(header, h.clone())])?;
            let mut wider = summary.clone();
            for (_, s) in &back {
                self.widen(&mut wider, &h, s, &entry, m.objects);
            }
            if wider == summary {
                let lost = self.lost(&back, known);
                if k == 1 && rows.is_empty() {
                    lost.into_iter().for_each(|(id, c)| self.claim(id, c));
                    self.summaries.insert(key, summary);
                    return Ok(out);
                }
                self.back_to(&m2);
                lost.into_iter().for_each(|(id, c)| self.claim(id, c));
                break h;
            }
            summary = wider;
            self.back_to(&m);
        };
        self.summaries.insert(key, summary);
        let middle = self.fresh(1);
        let start = self.pool.not(middle);
        let (mut a, mut b) = (any, entry.clone());
        a.assume(&mut self.pool, middle);
        b.assume(&mut self.pool, start);
        self.rows_hold(&rows, &mut b, &entry, true);
        self.rows_hold(&rows, &mut a, &entry, false);
        let mut now = vec![(header, self.join(&a, &b))];
        let mut all = Vec::new();
        for j in 1..=k {
            let mute = self.mute;
            if j < k {
                self.mute = self.pool.or(mute, middle);
            }
            let returns = self.frames.last().expect("a frame").returns.len();
            let (back, out) = self.region(shape, Some(l), now)?;
            if j < k {
                // An execution that leaves after few iterations is one from the start.
                for (b, mut s) in out {
                    s.assume(&mut self.pool, start);
                    all.push((b, s));
                }
                let mut f = std::mem::take(&mut self.frames.last_mut().expect("a frame").returns);
                f[returns..].iter_mut().for_each(|(s, _)| s.assume(&mut self.pool, start));
                self.frames.last_mut().expect("a frame").returns = f;
            } else {
                all.extend(out);
            }
            let mut next = None;
            if j < k || !rows.is_empty() {
                let back = back.into_iter().map(|(_, s)| s).collect();
                next = self.enter(shape, header, back);
            }
            if let Some(s) = &mut next {
                self.rows_hold(&rows, s, &entry, true);
            }
            self.mute = mute;
            match next {
                Some(s) if j < k => now = vec![(header, s)],
                _ => break,
            }
        }
        Ok(all)
    }

    /// Heap objects that an iteration makes and leaves alive. Those of iterations that are in no copy may be lost.
    fn lost(&mut self, back: &Edges, known: usize) -> Vec<(CheckId, Term)> {
        let mut all = Vec::new();
        for (_, s) in back {
            for (o, c) in s.mem.range(known as Obj..) {
                if let Kind::Heap(_, Some(id)) = self.objects[*o as usize].kind {
                    all.push((id, self.pool.and(s.guard, c.alive)));
                }
            }
        }
        all
    }

    fn class_of(&self, v: Term, u: Term, p: Term, known: usize) -> Class {
        let (leaves, other) = self.leaves(p);
        let shift = if self.pool.width(p) == TAG_BITS { 3 } else { 0 };
        let inside = !other && leaves.iter().all(|o| ((o >> shift) as usize) < known && o >> shift != u64::from(ANY));
        Class { same: self.pool.as_const(v).map(|_| v), defined: self.is_zero(u), objects: inside.then_some(leaves) }
    }

    fn is_zero(&self, t: Term) -> bool {
        self.pool.as_const(t).is_some_and(|v| v.is_zero())
    }

    /// What the loop changes is so at least as when it is entered.
    fn widen_entry(&self, w: &mut Summary, entry: &State) {
        let known = self.objects.len();
        // Numbers of objects may have been given anew since the summary was made.
        w.alive.retain(|o| (*o as usize) < known);
        w.arrays.retain(|o| (*o as usize) < known);
        let objects = &self.objects;
        w.bytes.retain(|(o, i), _| match objects.get(*o as usize).map(|x| &*x.initial.content) {
            Some(Content::Bytes(b)) => (*i as usize) < b.len(),
            _ => false,
        });
        for (r, c) in &mut w.values {
            if let Some(v) = entry.env.get(r) {
                c.widen(self.class_of(v.v, v.u, v.p, known));
            }
        }
        for ((o, i), c) in &mut w.bytes {
            if let Content::Bytes(b) = &*self.cell(entry, *o).content {
                let b = b[*i as usize];
                c.widen(self.class_of(b.v, b.u, b.p, known));
            }
        }
    }

    /// An iteration leads from `h` to `s`.
    fn widen(&self, w: &mut Summary, h: &State, s: &State, entry: &State, known: usize) {
        let body = self.body();
        for (r, v) in s.env.iter() {
            let (Some(a), Some(e)) = (h.env.get(r), entry.env.get(r)) else { continue };
            if a == v && !w.values.contains_key(r) {
                continue;
            }
            if w.restarted.contains(r) {
                continue;
            }
            if a.p != v.p && is_alloca(body, *r) {
                w.restarted.insert(*r);
                w.values.remove(r);
                continue;
            }
            let first = self.class_of(e.v, e.u, e.p, known);
            let c = w.values.entry(*r).or_insert(first);
            c.widen(self.class_of(v.v, v.u, v.p, known));
        }
        for (o, new) in s.mem.iter().filter(|(o, _)| (**o as usize) < known) {
            let old = self.cell(h, *o);
            if old.alive != new.alive {
                w.alive.insert(*o);
            }
            if Rc::ptr_eq(&old.content, &new.content) && !w.bytes.keys().any(|(x, _)| x == o) {
                continue;
            }
            match (&*old.content, &*new.content, &*self.cell(entry, *o).content) {
                (Content::Bytes(a), Content::Bytes(b), Content::Bytes(e)) => {
                    for (i, ((a, b), e)) in a.iter().zip(b).zip(e).enumerate() {
                        let key = (*o, i as u32);
                        if a == b && !w.bytes.contains_key(&key) {
                            continue;
                        }
                        let first = self.class_of(e.v, e.u, e.p, known);
                        let c = w.bytes.entry(key).or_insert(first);
                        c.widen(self.class_of(b.v, b.u, b.p, known));
                    }
                }
                (a, b, _) => {
                    if a != b {
                        w.arrays.insert(*o);
                    }
                }
            }
        }
    }

    /// Any state that iterations can start from.
    fn arbitrary(&mut self, w: &Summary, entry: &State) -> State {
        let mut s = entry.clone();
        for (r, c) in &w.values {
            let Some(old) = entry.env.get(r).copied() else { continue };
            let width = self.pool.width(old.v);
            let v = c.same.unwrap_or_else(|| self.fresh(width));
            let u = if c.defined { self.pool.num(width, 0) } else { self.fresh(width) };
            let p = match &c.objects {
                Some(set) => self.one_of(set, OBJ_BITS),
                None => self.pool.num(OBJ_BITS, ANY.into()),
            };
            s.set(
                *r,
                Val {
                    v,
                    u,
                    p,
                    soft: old.soft
                        || c.objects.as_ref().is_none_or(|o| o.len() > 1 || !o.contains(&0)) && !self.is_ptr(*r),
                },
            );
        }
        for r in &w.restarted {
            let Some(old) = entry.env.get(r).copied() else { continue };
            let Some(old) = self.constant(old.p).filter(|o| *o > u64::from(ANY)) else {
                let v = self.anything(verify_ir::Ty::Ptr, false);
                s.set(*r, v);
                continue;
            };
            let info = self.objects[old as usize].clone();
            let content = self.unknown_content(&info.initial.content);
            let o = self.create(&mut s, Kind::Stack, info.size, info.align, content);
            self.frames.last_mut().expect("a frame").allocas.push(o);
            let alive = self.fresh(1);
            let cell = self.cell(&s, o);
            Rc::make_mut(&mut s.mem).insert(o, Cell { alive, ..cell });
            let p = self.pointer(o);
            s.set(*r, p);
        }
        let mut touched: BTreeSet<Obj> = w.alive.iter().chain(&w.arrays).copied().collect();
        touched.extend(w.bytes.keys().map(|(o, _)| *o));
        for o in touched {
            let mut cell = self.cell(&s, o);
            if w.alive.contains(&o) {
                cell.alive = self.fresh(1);
            }
            if w.arrays.contains(&o) {
                cell.content = Rc::new(self.unknown_content(&cell.content));
            } else if let Content::Bytes(b) = &*cell.content {
                let b = self.arbitrary_bytes(o, b.clone(), w);
                cell.content = Rc::new(Content::Bytes(b));
            }
            Rc::make_mut(&mut s.mem).insert(o, cell);
        }
        s
    }

    fn arbitrary_bytes(&mut self, o: Obj, mut b: Vec<Byte>, w: &Summary) -> Vec<Byte> {
        // The object of the pointer whose first byte was seen last, and where that was.
        let mut pointer: Option<(usize, Term, BTreeSet<u64>)> = None;
        for (i, byte) in b.iter_mut().enumerate() {
            let Some(c) = w.bytes.get(&(o, i as u32)) else { continue };
            let v = c.same.unwrap_or_else(|| self.fresh(8));
            let u = if c.defined { self.pool.num(8, 0) } else { self.fresh(8) };
            let p = match &c.objects {
                Some(set) if set.iter().all(|t| *t == 0) => self.pool.num(TAG_BITS, 0),
                Some(set) => {
                    let at: BTreeSet<u64> = set.iter().filter(|t| **t != 0).map(|t| t & 7).collect();
                    let objects: BTreeSet<u64> = set.iter().map(|t| t >> 3).collect();
                    match at.iter().next() {
                        Some(&0) if at.len() == 1 => {
                            let t = self.one_of(&objects, OBJ_BITS);
                            pointer = Some((i, t, objects));
                            self.tag_of(t, 0)
                        }
                        Some(&k) if at.len() == 1 => match &pointer {
                            Some((from, t, same)) if from + k as usize == i && *same == objects => {
                                let t = *t;
                                self.tag_of(t, k as u32)
                            }
                            _ => self.pool.num(TAG_BITS, u128::from(ANY) << 3),
                        },
                        _ => self.pool.num(TAG_BITS, u128::from(ANY) << 3),
                    }
                }
                None => self.pool.num(TAG_BITS, u128::from(ANY) << 3),
            };
            *byte = Byte { v, u, p };
        }
        b
    }

    fn tag_of(&mut self, p: Term, k: u32) -> Term {
        let zero = self.pool.num(OBJ_BITS, NONE.into());
        let none = self.pool.eq(p, zero);
        if let Some(&[c, x, y]) = self.pool.as_app(p, verify_solver::Op::Ite) {
            let (x, y) = (self.tag_of(x, k), self.tag_of(y, k));
            return self.pool.ite(c, x, y);
        }
        let i = self.pool.num(3, k.into());
        let t = self.pool.concat(p, i);
        let clean = self.pool.num(TAG_BITS, 0);
        self.pool.ite(none, clean, t)
    }

    /// One of some constants.
    fn one_of(&mut self, set: &BTreeSet<u64>, w: u32) -> Term {
        let mut t = None;
        for v in set {
            let v = self.pool.num(w, (*v).into());
            t = Some(match t {
                None => v,
                Some(t) => {
                    let c = self.fresh(1);
                    self.pool.ite(c, v, t)
                }
            });
        }
        t.unwrap_or_else(|| self.pool.num(w, ANY.into()))
    }

    fn unknown_content(&mut self, like: &Content) -> Content {
        match like {
            Content::Bytes(b) => Content::Bytes(b.iter().map(|_| self.any_byte()).collect()),
            Content::Array(a) => {
                let sort = self.pool.sort(*a);
                Content::Array(self.pool.fresh("m", sort))
            }
        }
    }

    fn is_ptr(&self, r: Value) -> bool {
        self.body().ty(r) == verify_ir::Ty::Ptr
    }
}

impl Class {
    fn widen(&mut self, o: Class) {
        if self.same != o.same {
            self.same = None;
        }
        self.defined &= o.defined;
        self.objects = match (self.objects.take(), o.objects) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                Some(a)
            }
            _ => None,
        };
    }
}

fn is_alloca(body: &Body, r: Value) -> bool {
    let mut insts = body.blocks.iter().flat_map(|b| &b.insts);
    insts.any(|i| matches!(i.kind, verify_ir::InstKind::Alloca { .. }) && i.results.first() == Some(&r))
}
