//! The state in which an arbitrary iteration of a loop begins: what the loop may change is free, unless the loop-select
//! variable says that it is entered just now (brain-2015 §2, appendix A).
//!
//! What a loop may change is found by trial: one iteration is walked from a state in which everything known to change
//! is free, and whatever differs when it comes round is added, until nothing is. Pointers keep the objects they were
//! seen to point to; objects that the loop makes are, seen from a later iteration, one summary object.

use crate::build::{Arrival, Build, Path, Res};
use crate::low::Low;
use crate::memory::{self, Array, Base};
use crate::object::{Kind, Object};
use crate::sym::{NULL, Sym, Terms, WILD};
use crate::wild::{Known, Lost};
use std::collections::{BTreeMap, BTreeSet};
use verify_facts::LoopId;
use verify_ir::Body;
use verify_solver::Term;

/// Rounds after which every changed object is taken to be changed in every way.
const MAX_ROUNDS: u32 = 8;

/// A cell of memory: object, offset, size in bytes.
pub(crate) type Place = (u32, u64, u64);

/// What a free value may be.
#[derive(Clone, Default, PartialEq, Debug)]
struct Range {
    objects: BTreeSet<u32>,
    /// It may point into another object than on entry: an iteration that begins with the same ends with another.
    moves: bool,
    /// Low bits that are the same whenever an iteration begins; not known yet: of any number.
    low: Option<Low>,
    undef: bool,
    /// It is not always computed from the unknown pointer that it is computed from on entry.
    rebased: bool,
    /// As `low`, of the offset from that pointer.
    low_offset: Option<Low>,
}

impl Range {
    fn narrow(&mut self, t: &Terms, v: Sym) {
        let low = t.low(v.bits);
        self.low = Some(self.low.map_or(low, |l| l.common(low)));
    }
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Change {
    alive: bool,
    /// Everything may have changed.
    all: bool,
    array: Option<(u64, Range)>,
    cells: BTreeMap<u64, (u64, Range)>,
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Changes {
    params: Vec<Range>,
    objects: BTreeMap<u32, Change>,
    unknown_code: bool,
    /// Behind unknown pointers.
    wild: Lost,
    /// Objects behind unknown pointers may end their lives; the same for stack objects.
    generation: bool,
    scope: bool,
}

impl<'a> Build<'_, 'a> {
    /// How much unknown pointers may point to: what an iteration hands out, the next one may find changed.
    fn reachable(&self) -> (usize, usize, usize, bool, bool) {
        let t = &self.e.terms;
        (self.exposed.len(), t.collapsed.len(), t.detached.len(), t.addressed, t.opaque)
    }

    /// The state at the head of any iteration, the loop-select variable, and which cells of memory the loop changes.
    #[allow(clippy::type_complexity)]
    pub(crate) fn any_iteration(
        &mut self,
        body: &'a Body,
        l: LoopId,
        at: Arrival,
    ) -> Res<(Arrival, Option<Term>, Vec<Place>)> {
        let header = self.frame().cfg.loops.get(l).header;
        let entry: BTreeSet<u32> = at.path.memory.iter().map(|(o, _)| o).collect();
        let mut summary_key = vec![2, header.0];
        summary_key.extend(&self.path);
        let summary = self.t().object(&summary_key, |t| Object {
            kind: Kind::Summary,
            name: "object of an earlier iteration".into(),
            size: t.pool.num(t.ptr_bits, 0),
            align: 1,
            read_only: false,
        });
        let Some(summary) = summary else { return Err(crate::build::TooBig::Objects) };
        let mut c = Changes { params: vec![Range::default(); at.args.len()], ..Changes::default() };
        for (r, a) in c.params.iter_mut().zip(&at.args) {
            r.objects.extend(self.e.terms.leaves(a.prov).iter());
            r.undef = a.undef != self.ff;
            r.narrow(&self.e.terms, *a);
            self.rebase(r, *a, *a);
        }
        let allocations = self.allocated.len();
        let mut round = 0;
        loop {
            round += 1;
            let before = (c.clone(), self.reachable());
            let start = at.clone();
            let (from, back) = self.trial(|b| {
                let free = b.free_iteration(&start, &c, None)?;
                let from = free.path.clone();
                let leaving = b.loop_region(body, l, header, free)?;
                let back = leaving.into_iter().filter(|(to, _)| *to == header).map(|x| x.1).collect();
                Ok((from, b.meet(back)))
            })?;
            let Some(back) = back else {
                // It never comes round.
                return Ok((at, None, Vec::new()));
            };
            for ((r, a), was) in c.params.iter_mut().zip(&back.args).zip(&at.args) {
                add(&mut self.e.terms, &self.ff, r, *a, &entry, summary);
                r.moves |= a.prov != was.prov;
                r.narrow(&self.e.terms, *a);
                self.rebase(r, *was, *a);
            }
            c.unknown_code |= back.path.memory.epoch != from.memory.epoch;
            c.generation |= back.path.generation != from.generation;
            c.scope |= back.path.scope != from.scope;
            c.wild.add(from.wild.lost(&back.path.wild));
            let objects: Vec<u32> = back.path.memory.iter().map(|(o, _)| o).collect();
            for o in objects {
                let made_here =
                    matches!(self.e.terms.objects[o as usize].kind, Kind::Stack | Kind::Heap(_)) && !entry.contains(&o);
                if made_here {
                    continue;
                }
                let module = self.e.module;
                let x = from.memory.get(&mut self.e.terms, module, o);
                let y = back.path.memory.get(&mut self.e.terms, module, o);
                if x == y {
                    continue;
                }
                let change = c.objects.entry(o).or_default();
                change.alive |= x.alive != y.alive || x.recycled != y.recycled;
                if round > MAX_ROUNDS || x.base != y.base {
                    change.all = true;
                }
                if let Some(a) = y.array
                    && y.array != x.array
                {
                    let (elem, range) = change.array.get_or_insert((a.elem, Range::default()));
                    *elem = a.elem.min(*elem);
                    let v = Sym { bits: a.bits, prov: a.prov, undef: a.undef };
                    add(&mut self.e.terms, &self.ff, range, v, &entry, summary);
                    range.undef = true;
                }
                for (off, cell) in &y.cells {
                    if x.cells.get(off) == Some(cell) {
                        continue;
                    }
                    let overlaps = change
                        .cells
                        .iter()
                        .any(|(k, (n, _))| (k, n) != (off, &cell.size) && *k < off + cell.size && *off < k + n);
                    if overlaps {
                        change.all = true;
                    }
                    let (_, range) = change.cells.entry(*off).or_insert((cell.size, Range::default()));
                    add(&mut self.e.terms, &self.ff, range, cell.value, &entry, summary);
                    let old = at.path.memory.get(&mut self.e.terms, module, o);
                    let was = memory::read(&mut self.e.terms, module, o, &old, *off, cell.size);
                    range.moves |= cell.value.prov != was.prov;
                    range.narrow(&self.e.terms, was);
                    range.narrow(&self.e.terms, cell.value);
                    self.rebase(range, was, was);
                    self.rebase(range, was, cell.value);
                }
            }
            if before == (c.clone(), self.reachable()) {
                break;
            }
            if round > 2 * MAX_ROUNDS {
                c.unknown_code = true;
                c.generation = true;
                c.scope = true;
                c.wild = at.path.wild.all();
                for p in &mut c.params {
                    p.objects.insert(WILD);
                    (p.moves, p.low, p.rebased) = (true, Some(Low::default()), true);
                }
                break;
            }
        }
        let k = self.key(30);
        let ls = self.t().symbol(&k, verify_solver::Sort::Bv(1));
        if self.dry == 0 {
            self.out.selects.push(ls);
        }
        // Objects of earlier iterations may still be there when the program ends.
        let made: Vec<_> = self.allocated.split_off(allocations).into_iter().map(|(check, _)| (check, ls)).collect();
        self.allocated.extend(made);
        let start = self.free_iteration(&at, &c, Some(ls))?;
        let cells = c.objects.iter().filter(|(_, c)| !c.all && c.array.is_none());
        let cells = cells.flat_map(|(o, c)| c.cells.iter().map(|(at, (size, _))| (*o, *at, *size))).collect();
        Ok((start, Some(ls), cells))
    }

    /// The state with everything that changes free: always, or where `select` holds.
    fn free_iteration(&mut self, at: &Arrival, c: &Changes, select: Option<Term>) -> Res<Arrival> {
        let on = select.unwrap_or(self.tt);
        let mut path: Path = at.path.clone();
        let k = self.key(37);
        let past = self.t().epoch(&k);
        Known::without(&mut path, &c.wild, past);
        if c.generation {
            path.generation = past;
        }
        if c.scope {
            path.scope = past;
        }
        let mut args = Vec::new();
        for (a, r) in at.args.iter().zip(&c.params) {
            let free = self.free(31, *a, r);
            args.push(self.choose(on, free, *a));
        }
        let module = self.e.module;
        if c.unknown_code {
            let before = path.memory.clone();
            self.unknown_code(&mut path);
            if let Some(ls) = select {
                path.memory = memory::Memory::merge(&mut self.e.terms, module, ls, &path.memory, &before);
            }
        }
        for (&o, change) in &c.objects {
            let old = path.memory.get(&mut self.e.terms, module, o);
            let mut new = (*old).clone();
            if change.all {
                let k = self.key(32);
                let past = self.t().epoch(&k);
                new.base = Base::Murky(past);
                new.cells.clear();
                new.array = None;
            } else if let Some((elem, range)) = &change.array {
                let elem = old.array.map_or(*elem, |a| a.elem.min(*elem));
                let k = self.key(33);
                let objects: Vec<u32> = range.objects.iter().copied().collect();
                let was = memory::as_array(&mut self.e.terms, module, o, &old, elem);
                let t = &mut self.e.terms;
                let mut cands: BTreeSet<u32> = objects.into_iter().collect();
                cands.extend(t.leaves(was.prov).iter());
                let cands: Vec<u32> = cands.into_iter().collect();
                let w = t.ptr_bits;
                let sort = |n| verify_solver::Sort::Array { index: w, elem: n };
                let defined = !range.undef && t.leaves(was.undef).iter().all(|x| *x == 0);
                new.array = Some(Array {
                    elem,
                    bits: t.symbol(&k, sort((8 * elem) as u32)),
                    prov: t.provenance_array(&k, &cands, w),
                    undef: if defined { was.undef } else { t.symbol(&k, sort(1)) },
                });
                new.cells.clear();
            } else {
                for (off, (size, range)) in &change.cells {
                    let was = memory::read(&mut self.e.terms, module, o, &old, *off, *size);
                    let mut r = range.clone();
                    r.objects.extend(self.e.terms.leaves(was.prov).iter());
                    r.undef |= was.undef != self.ff;
                    let value = self.free(34, was, &r);
                    let mut s = new.clone();
                    memory::write(&mut self.e.terms, module, o, &mut s, self.tt, *off, *size, value);
                    new = s;
                }
            }
            if change.alive {
                new.alive = self.fresh(35, 1);
                new.recycled = self.fresh(36, 1);
            }
            match select {
                None => path.memory.set(o, new),
                Some(ls) => {
                    let mut with = path.memory.clone();
                    with.set(o, new);
                    path.memory = memory::Memory::merge(&mut self.e.terms, module, ls, &with, &path.memory);
                }
            }
        }
        Ok(Arrival { path, args })
    }

    /// Any value that an iteration may begin with, where the loop is entered with `was`.
    fn free(&mut self, purpose: u32, was: Sym, r: &Range) -> Sym {
        let k = self.key(purpose);
        let width = self.e.terms.pool.width(was.bits);
        let mut cands: Vec<u32> = r.objects.iter().copied().collect();
        if cands.is_empty() {
            cands.push(NULL);
        }
        let mut free = memory::free_like(&mut self.e.terms, &k, width, &cands, r.undef);
        let base = if r.rebased || r.moves { None } else { self.wild_base(was) };
        let low = if base.is_some() { r.low_offset } else { r.low };
        if let Some(low) = low.filter(|l| (1..width).contains(&l.bits)) {
            let mut k = k;
            k.push(low.bits);
            let high = self.e.terms.symbol(&k, verify_solver::Sort::Bv(width - low.bits));
            let low = self.e.terms.pool.num(low.bits, low.value.into());
            free.bits = self.e.terms.pool.concat(high, low);
        }
        // Any value is the pointer and some offset: what is said is where it comes from.
        if let Some((base, _)) = base {
            free.bits = self.e.terms.pool.add(base, free.bits);
        }
        if r.moves { free } else { Sym { prov: was.prov, ..free } }
    }

    /// An iteration ends with `v` where the loop is entered with `was`.
    fn rebase(&mut self, r: &mut Range, was: Sym, v: Sym) {
        let Some((base, _)) = self.wild_base(was) else { return };
        match self.wild_base(v) {
            Some((b, offset)) if b == base => {
                let low = self.e.terms.low(offset);
                r.low_offset = Some(r.low_offset.map_or(low, |l| l.common(low)));
            }
            _ => r.rebased = true,
        }
    }
}

/// Adds what a value may be to a range; objects that the iteration made become the summary object.
fn add(t: &mut Terms, ff: &Term, r: &mut Range, v: Sym, entry: &BTreeSet<u32>, summary: u32) {
    for &o in t.leaves(v.prov).iter() {
        let made_here = matches!(t.objects[o as usize].kind, Kind::Stack | Kind::Heap(_)) && !entry.contains(&o);
        r.objects.insert(if made_here { summary } else { o });
    }
    r.undef |= v.undef != *ff;
}
