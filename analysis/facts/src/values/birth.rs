//! The time between the making of an object and the first look at it: `p = malloc(n); p->a = x; p->b = y; list->head = p;`.
//! What was written to it by then is never undefined when it is read, whoever reads it.
//!
//! A new object can be read through its own pointer, where the function that made it sees what was written; and by
//! others, once control gets to a load that may reach it, to a call that may read it, or out of the function. There the
//! time ends, and the bytes written so far are noted. What all ends agree on ([`Ranges`]) holds of every object that one
//! abstract object stands for; bytes outside are as undefined as memory is when it is made. Stores of undefined values
//! are not this module's affair: they are among what [`super::contents`] says about stores.
//!
//! Which call makes an object (through wrappers that only hand the pointer on), [`births`] says.

use super::Given;
use super::born::only_returned;
use super::function::Function;
use super::state::{Base, Extent, Safe, State};
use crate::points_to::hash::FastMap;
use crate::points_to::{CallTargets, External, ObjectId, ObjectKind, external};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Terminator;
use verify_ir::{Block, Call, Const, FuncId, Inst, InstKind, Loc, Module, Operand, Value};

/// Calls that are followed to where memory is released.
const DEPTH: u32 = 4;

/// Bytes of an object: sorted, apart from each other, each from the first to behind the last.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    /// These, too.
    pub fn add(&mut self, lo: i64, hi: i64) {
        if lo >= hi || self.covers(lo, hi) {
            return;
        }
        let apart = |r: &(i64, i64)| r.1 < lo || hi < r.0;
        let joined = self.0.iter().filter(|r| !apart(r)).fold((lo, hi), |a, r| (a.0.min(r.0), a.1.max(r.1)));
        self.0.retain(apart);
        let at = self.0.partition_point(|r| r.0 < joined.0);
        self.0.insert(at, joined);
    }

    /// All of these are among them.
    pub fn covers(&self, lo: i64, hi: i64) -> bool {
        self.0.iter().any(|r| r.0 <= lo && hi <= r.1)
    }

    /// Those in both.
    pub fn common(&self, other: &Ranges) -> Ranges {
        let mut out = Ranges::default();
        for a in &self.0 {
            for b in &other.0 {
                out.add(a.0.max(b.0), a.1.min(b.1));
            }
        }
        out
    }
}

/// By function, the values that are pointers to new objects, and the objects that they stand for.
#[derive(Default)]
pub struct Births {
    of: FastMap<FuncId, BTreeMap<Value, Vec<ObjectId>>>,
    /// Functions that may be left by a jump to where their callers were before.
    jumps: Jumps,
}

/// What may leave functions otherwise than by returning.
#[derive(Default)]
enum Jumps {
    /// Nothing.
    #[default]
    None,
    /// Any call.
    Any,
    /// Calls of these, by number, of unknown functions, and of `longjmp` itself.
    Of(Vec<bool>),
}

impl Jumps {
    fn at(&self, m: &Module, t: &CallTargets) -> bool {
        match self {
            Jumps::None => false,
            Jumps::Any => true,
            Jumps::Of(all) => {
                let external = |f: &FuncId| {
                    let f = m.func(*f);
                    external(f) == External::Unknown || f.name.contains("longjmp")
                };
                t.unknown || t.external.iter().any(external) || t.functions.iter().any(|f| all[f.index()])
            }
        }
    }
}

impl Births {
    /// The new objects of a function.
    pub fn of(&self, f: FuncId) -> impl Iterator<Item = (Value, &[ObjectId])> {
        self.of.get(&f).into_iter().flatten().map(|(v, o)| (*v, o.as_slice()))
    }

    /// What a value is the new pointer of.
    pub fn objects(&self, f: FuncId, v: Value) -> &[ObjectId] {
        self.of.get(&f).and_then(|m| m.get(&v)).map_or(&[], Vec::as_slice)
    }
}

/// Where each object is first in the hands of code that does more with it than handing it on.
pub fn births(given: &Given<'_>) -> Births {
    let m = given.module;
    let mut out = Births { jumps: jumps(given), ..Births::default() };
    for (i, o) in given.points_to.objects().iter().enumerate() {
        let place = match &o.kind {
            ObjectKind::Stack { func, value, .. } => Some((*func, *value)),
            ObjectKind::Heap { func, loc, calls } => {
                // From the allocation outwards.
                let mut chain = std::iter::once((*func, *loc)).chain(calls.iter().rev().copied());
                chain.find_map(|(f, loc)| {
                    let Some(body) = &m.func(f).body else { return Some(None) };
                    let inst = body.blocks.get(loc.block.index()).and_then(|b| b.insts.get(loc.inst as usize));
                    let Some((InstKind::Call(_), [v])) = inst.map(|i| (&i.kind, i.results.as_slice())) else {
                        return Some(None);
                    };
                    (!only_returned(body, *v, true)).then_some(Some((f, *v)))
                })
            }
            .flatten(),
            _ => None,
        };
        if let Some((f, v)) = place {
            out.of.entry(f).or_default().entry(v).or_default().push(ObjectId(i as u32));
        }
    }
    out
}

/// What may leave functions: what may get to a `longjmp`, where some call returns twice; all where some call unwinds.
fn jumps(given: &Given<'_>) -> Jumps {
    let m = given.module;
    let reached: Vec<FuncId> =
        (0..m.functions.len()).map(FuncId::new).filter(|f| given.points_to.reached(*f)).collect();
    let mut twice = false;
    for b in reached.iter().filter_map(|f| m.func(*f).body.as_ref()).flat_map(|b| &b.blocks) {
        if matches!(b.term, Terminator::Invoke { .. } | Terminator::Resume(_)) {
            return Jumps::Any;
        }
        twice |= b.insts.iter().any(|i| matches!(&i.kind, InstKind::Call(c) if c.returns_twice));
    }
    if !twice {
        return Jumps::None;
    }
    let mut out = Jumps::Of(vec![false; m.functions.len()]);
    loop {
        let new: Vec<FuncId> = reached
            .iter()
            .copied()
            .filter(|f| matches!(&out, Jumps::Of(all) if !all[f.index()]))
            .filter(|f| given.points_to.calls_in(*f).iter().any(|(_, t)| out.at(m, t)))
            .collect();
        let Jumps::Of(all) = &mut out else { break };
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|f| all[f.index()] = true);
    }
    out
}

impl Function<'_, '_> {
    /// The pointer is that of a new object.
    pub(super) fn is_born(&mut self, s: &mut State, v: Value) {
        if !self.births.objects(self.id, v).is_empty() {
            s.set_unseen(v, Ranges::default());
        }
    }

    /// The instruction may be the end of the time in which new objects are not seen.
    pub(super) fn watch(&mut self, s: &mut State, loc: Loc, inst: &Inst) {
        for v in &inst.results {
            if s.unseen(*v).is_some() {
                self.seen(s, *v);
            }
        }
        match &inst.kind {
            InstKind::Load { ptr, .. } => {
                let own = self.name(ptr).map(|n| n.root);
                self.read_through(s, ptr, own);
            }
            InstKind::MemCopy { dst, src, len, .. } => {
                self.read_through(s, src, None);
                self.writes_new(s, dst, len);
            }
            InstKind::MemSet { dst, len, .. } => self.writes_new(s, dst, len),
            InstKind::Store { ptr, value, .. } => {
                let n = self.body.operand_ty(value).store_bytes(&self.given.module.target);
                self.writes_bytes(s, ptr, n);
            }
            // The object of before is gone.
            InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } => {
                if let Some(v) = object.as_value() {
                    s.remove_unseen(v);
                }
            }
            InstKind::Call(c) => self.called(s, loc, c),
            InstKind::AtomicRmw { .. }
            | InstKind::CmpXchg { .. }
            | InstKind::VaCopy { .. }
            | InstKind::InlineAsm(_)
            | InstKind::Unmodelled { .. } => self.all_seen(s),
            _ => {}
        }
    }

    fn writes_new(&mut self, s: &mut State, dst: &Operand, len: &Operand) {
        if let Operand::Const(Const::Int { value, .. }) = len
            && let Ok(n) = u64::try_from(*value)
        {
            self.writes_bytes(s, dst, n);
        }
    }

    fn writes_bytes(&mut self, s: &mut State, ptr: &Operand, n: u64) {
        let Some(name) = self.name(ptr) else { return };
        let Base::Value(v) = name.base else { return };
        let Some(mut r) = s.unseen(v).cloned() else { return };
        if let Some(end) = i64::try_from(n).ok().and_then(|n| name.offset.checked_add(n)) {
            r.add(name.offset, end);
            s.set_unseen(v, r);
        }
    }

    /// A read through a pointer; of its own object, the function knows what was written.
    fn read_through(&mut self, s: &mut State, ptr: &Operand, own: Option<Base>) {
        for v in s.all_unseen() {
            if own != Some(Base::Value(v)) && self.may_reach(ptr, v) {
                self.seen(s, v);
            }
        }
    }

    fn may_reach(&mut self, ptr: &Operand, v: Value) -> bool {
        let p = self.given.points_to;
        let objects = self.births.objects(self.id, v);
        let t = self.targets(ptr);
        objects.iter().any(|o| t.unknown && p.escaped(*o) || t.places.iter().any(|l| l.object == *o))
    }

    fn called(&mut self, s: &mut State, loc: Loc, c: &Call) {
        if c.returns_twice {
            self.all_seen(s);
            return;
        }
        let jumps = self.births.jumps.at(self.given.module, self.given.points_to.callees(self.id, loc));
        for v in s.all_unseen() {
            let read = self.births.objects(self.id, v).iter().any(|o| self.alias.call_reads(loc, *o));
            // Who reads an object and then releases it has looked at it.
            if !read && self.releases(loc, c, v) {
                s.remove_unseen(v);
            } else if read || jumps {
                self.seen(s, v);
            }
        }
    }

    /// The call ends the life of the object, if it returns.
    fn releases(&self, loc: Loc, c: &Call, v: Value) -> bool {
        let own =
            |o: &Operand| self.name(o).is_some_and(|n| n.base == Base::Value(v) && n.offset == 0 && n.root == n.base);
        c.args.iter().enumerate().any(|(i, a)| own(a) && all_release(&self.given, self.id, loc, i, DEPTH))
    }

    /// Nobody has looked at any new object so far.
    pub(super) fn all_seen(&mut self, s: &mut State) {
        for v in s.all_unseen() {
            self.seen(s, v);
        }
    }

    /// Control leaves the function.
    pub(super) fn all_left(&mut self, s: &State) {
        for v in s.all_unseen() {
            // Local variables are gone.
            if !matches!(self.defining(v), Some(InstKind::Alloca { .. })) {
                self.seen(&mut s.clone(), v);
            }
        }
    }

    /// From here on, others may read the object.
    pub(super) fn seen(&mut self, s: &mut State, v: Value) {
        if self.last
            && let Some(mut r) = s.unseen(v).cloned()
        {
            // Where memory begins with arbitrary values, a value that is used was not necessarily written.
            let places = if self.given.uninit_is_arbitrary { Vec::new() } else { self.places(s) };
            for (c, k) in places {
                let n = c.2.store_bytes(&self.given.module.target);
                if c.0 == Base::Value(v)
                    && k.defined
                    && let Some(end) = i64::try_from(n).ok().and_then(|n| c.1.checked_add(n))
                {
                    r.add(c.1, end);
                }
            }
            for o in self.births.objects(self.id, v) {
                self.found.born.push((*o, r.clone()));
            }
        }
        s.remove_unseen(v);
    }

    /// Where new pointers turned out to be null, there is no object.
    pub(super) fn without_null(&mut self, mut s: State) -> State {
        for v in s.all_unseen() {
            if s.safe(Base::Value(v)).has(Safe::OF_NULL) && s.extent(Base::Value(v)) == Some(Extent::ALL) {
                s.remove_unseen(v);
            }
        }
        s
    }
}

/// Whatever the call calls releases what its argument points to before it returns, if that is not null.
fn all_release(given: &Given<'_>, f: FuncId, loc: Loc, arg: usize, depth: u32) -> bool {
    let t = given.points_to.callees(f, loc);
    let free = |g: &FuncId| external(given.module.func(*g)) == External::Free && arg == 0;
    let none = t.functions.is_empty() && t.external.is_empty();
    !t.unknown
        && !none
        && t.external.iter().all(free)
        && t.functions.iter().all(|g| releases_param(given, *g, arg, depth))
}

/// On every way to a return, the function releases what the parameter points to, or the parameter is null.
fn releases_param(given: &Given<'_>, f: FuncId, param: usize, depth: u32) -> bool {
    let (Some(depth), Some(body)) = (depth.checked_sub(1), &given.module.func(f).body) else { return false };
    // Most functions that are handed a pointer release nothing at all.
    if given.effects.frees(given.effects.of(f)).is_empty() {
        return false;
    }
    let Some(v) = body.block(Block::new(0)).params.get(param).copied() else { return false };
    let mut seen = BTreeSet::from([Block::new(0)]);
    let mut todo = vec![Block::new(0)];
    'paths: while let Some(b) = todo.pop() {
        let data = body.block(b);
        for (i, inst) in data.insts.iter().enumerate() {
            let loc = Loc { block: b, inst: i as u32 };
            if let InstKind::Call(c) = &inst.kind {
                let hit = |(k, a): (usize, &Operand)| a.as_value() == Some(v) && all_release(given, f, loc, k, depth);
                if c.returns_twice {
                    return false;
                }
                if c.args.iter().enumerate().any(hit) {
                    continue 'paths;
                }
            }
        }
        match &data.term {
            Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. } => {}
            Terminator::Unreachable => continue,
            _ => return false,
        }
        let skip = super::born::null_edge(body, &data.term, v);
        for (k, e) in data.term.targets().into_iter().enumerate() {
            if Some(k) != skip && seen.insert(e.block) {
                todo.push(e.block);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_sets_of_bytes() {
        let set = |r: &Ranges| (0..40).filter(|b| r.covers(*b, b + 1)).collect::<BTreeSet<i64>>();
        let mut seed = 7u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..300 {
            let (mut a, mut b) = (Ranges::default(), Ranges::default());
            let (mut x, mut y) = (BTreeSet::new(), BTreeSet::new());
            for _ in 0..next(6) {
                let (lo, n) = (next(30) as i64, next(9) as i64);
                a.add(lo, lo + n);
                x.extend(lo..lo + n);
                let (lo, n) = (next(30) as i64, next(9) as i64);
                b.add(lo, lo + n);
                y.extend(lo..lo + n);
            }
            assert_eq!(set(&a), x);
            assert_eq!(set(&a.common(&b)), x.intersection(&y).copied().collect());
            for lo in 0..30 {
                assert_eq!(a.covers(lo, lo + 4), (lo..lo + 4).all(|c| x.contains(&c)), "{a:?} {lo}");
            }
        }
    }
}
