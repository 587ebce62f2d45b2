//! Transitive effects of functions and calls on memory (mod/ref), by abstract place, over points-to facts; and, for
//! each object, the shapes of all accesses that may touch it (what it has to be cut into).
//!
//! Effects are those that callers can see: stack objects of the function itself are left out where it cannot be active
//! twice. Effects of unknown code are one flag, together with those of every function that it may call back.

use crate::points_to::hash::FastMap;
use crate::points_to::{External, ObjectId, ObjectKind, Offset, PointsTo, SparseSet, Targets, external, written_by};
use crate::scc::Sccs;
use verify_ir::graph::Graph;
use verify_ir::inst::{InstKind, Terminator};
use verify_ir::{Const, FuncId, Loc, Module, Operand, Ty};

/// Bytes that an access may touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// Object.
    pub object: ObjectId,
    /// Where it begins.
    pub offset: Offset,
    /// Bytes; `None`: not known (a copy of variable length).
    pub size: Option<u64>,
}

/// Effects on memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    reads: SparseSet,
    writes: SparseSet,
    frees: SparseSet,
    allocates: SparseSet,
    /// Reads what unknown code owns or any escaped object.
    pub reads_unknown: bool,
    /// Writes what unknown code owns or any escaped object.
    pub writes_unknown: bool,
    /// Releases heap objects among them.
    pub frees_unknown: bool,
    /// Runs unknown code.
    pub calls_unknown: bool,
}

impl Effects {
    /// What code that nothing is known of does.
    fn anything(&mut self) {
        self.reads_unknown = true;
        self.writes_unknown = true;
        self.frees_unknown = true;
        self.calls_unknown = true;
    }

    fn add(&mut self, other: &Effects) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.frees.union_with(&other.frees);
        self.allocates.union_with(&other.allocates);
        self.reads_unknown |= other.reads_unknown;
        self.writes_unknown |= other.writes_unknown;
        self.frees_unknown |= other.frees_unknown;
        self.calls_unknown |= other.calls_unknown;
    }
}

/// How an object is accessed by the whole program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shapes {
    /// Reads, sorted.
    pub reads: Vec<Access>,
    /// Writes, sorted.
    pub writes: Vec<Access>,
}

/// Effects of everything that is reached.
#[derive(Clone, Debug)]
pub struct MemoryEffects {
    accesses: Vec<Access>,
    /// The accesses to each object, by number.
    by_object: Vec<Vec<u32>>,
    /// Per function, all its clones together.
    functions: Vec<Effects>,
    /// Per call in a function, by place.
    calls: Vec<Vec<(Loc, Effects)>>,
    shapes: Vec<Shapes>,
}

struct Builder<'a> {
    module: &'a Module,
    facts: &'a PointsTo,
    accesses: Vec<Access>,
    index: FastMap<Access, u32>,
    shape_reads: SparseSet,
    shape_writes: SparseSet,
}

impl Builder<'_> {
    fn id(&mut self, a: Access) -> u32 {
        if let Some(&i) = self.index.get(&a) {
            return i;
        }
        let i = self.accesses.len() as u32;
        self.accesses.push(a);
        self.index.insert(a, i);
        i
    }

    /// The places of an access: (their numbers, unknown).
    fn places(&mut self, t: &Targets, size: Option<u64>, write: bool) -> SparseSet {
        let mut set = SparseSet::new();
        for l in &t.places {
            let o = self.facts.object(l.object);
            let fits = o.size.is_none_or(|s| l.offset.overlaps(size.unwrap_or(1).max(1), Offset::ZERO, s));
            if fits && !matches!(o.kind, ObjectKind::Function(_)) && !(write && o.read_only) {
                set.insert(self.id(Access { object: l.object, offset: l.offset, size }));
            }
        }
        let shape = if write { &mut self.shape_writes } else { &mut self.shape_reads };
        shape.union_with(&set);
        set
    }

    fn read(&mut self, e: &mut Effects, i: u32, p: &Operand, size: Option<u64>) {
        let t = self.facts.places_in(i, p);
        e.reads_unknown |= self.unknown(&t);
        let set = self.places(&t, size, false);
        e.reads.union_with(&set);
    }

    fn write(&mut self, e: &mut Effects, i: u32, p: &Operand, size: Option<u64>) {
        let t = self.facts.places_in(i, p);
        e.writes_unknown |= self.unknown(&t);
        let set = self.places(&t, size, true);
        e.writes.union_with(&set);
    }

    fn unknown(&self, t: &Targets) -> bool {
        t.unknown
    }

    fn instruction(&mut self, e: &mut Effects, i: u32, body: &verify_ir::Body, kind: &InstKind) {
        let target = &self.module.target;
        let word = target.pointer_bytes();
        let width = |o: &Operand| Some(body.operand_ty(o).store_bytes(target));
        let length = |o: &Operand| match o {
            Operand::Const(Const::Int { value, .. }) => u64::try_from(*value).ok(),
            _ => None,
        };
        match kind {
            InstKind::Store { ptr, value, .. } => self.write(e, i, ptr, width(value)),
            InstKind::AtomicRmw { ptr, value, .. } | InstKind::CmpXchg { ptr, new: value, .. } => {
                self.read(e, i, ptr, width(value));
                self.write(e, i, ptr, width(value));
            }
            InstKind::MemCopy { dst, src, len, .. } => {
                self.read(e, i, src, length(len));
                self.write(e, i, dst, length(len));
            }
            InstKind::MemSet { dst, len, .. } => self.write(e, i, dst, length(len)),
            InstKind::VaStart { list } => self.write(e, i, list, Some(4 * word)),
            InstKind::VaCopy { dst, src } => {
                self.read(e, i, src, Some(4 * word));
                self.write(e, i, dst, Some(4 * word));
            }
            InstKind::InlineAsm(a) if a.is_barrier() => {}
            InstKind::InlineAsm(a) => {
                for o in a.inputs.iter().chain(a.written.iter().map(|w| &w.0)) {
                    self.read(e, i, o, None);
                }
                for (o, n) in &a.written {
                    self.write(e, i, o, Some(*n));
                }
                e.reads_unknown |= a.clobbers_memory;
                e.writes_unknown |= a.clobbers_memory;
            }
            InstKind::Unmodelled { .. } => e.anything(),
            _ => {}
        }
    }

    /// What a function without a body does.
    fn outside(&mut self, e: &mut Effects, i: u32, f: FuncId, args: &[Operand]) {
        let function = self.module.func(f);
        match external(function) {
            External::Unknown => e.anything(),
            External::Free => {
                if let Some(p) = args.first() {
                    let t = self.facts.places_in(i, p);
                    e.frees_unknown |= self.unknown(&t);
                    for l in &t.places {
                        if matches!(self.facts.object(l.object).kind, ObjectKind::Heap { .. }) && l.offset.contains(0) {
                            let a = Access { object: l.object, offset: Offset::ANY, size: None };
                            let id = self.id(a);
                            e.frees.insert(id);
                        }
                    }
                }
            }
            External::Alloc | External::Destructors | External::GetEnv => {}
            External::Inert => {
                let written = written_by(function);
                for (n, p) in args.iter().enumerate() {
                    // What goes by a prototype of its own may be a pointer, too.
                    if function.sig.params.get(n).is_none_or(|p| p.ty == Ty::Ptr) {
                        self.read(e, i, p, None);
                    }
                    if written.contains(&n) || n >= function.sig.params.len() {
                        self.write(e, i, p, None);
                    }
                }
            }
        }
    }
}

impl MemoryEffects {
    /// Computes them.
    pub fn new(module: &Module, facts: &PointsTo) -> MemoryEffects {
        let mut b = Builder {
            module,
            facts,
            accesses: Vec::new(),
            index: FastMap::default(),
            shape_reads: SparseSet::new(),
            shape_writes: SparseSet::new(),
        };
        let n = facts.clones.len();
        let mut own = vec![Effects::default(); n + 1];
        for i in 0..n as u32 {
            let Some(body) = &module.func(facts.clones[i as usize].func).body else { continue };
            let mut e = Effects::default();
            for inst in body.blocks.iter().flat_map(|b| &b.insts) {
                if let InstKind::Load { ptr, .. } = &inst.kind {
                    let size = inst.results.first().map(|r| body.ty(*r).store_bytes(&module.target));
                    b.read(&mut e, i, ptr, size);
                }
                b.instruction(&mut e, i, body, &inst.kind);
            }
            own[i as usize] = e;
        }
        // What a call itself does, in each clone.
        let mut direct: Vec<Effects> = Vec::with_capacity(facts.calls.len());
        let unknown = n as u32;
        let mut edges = Vec::new();
        for c in &facts.calls {
            let mut e = Effects::default();
            let call =
                module.func(facts.clones[c.instance as usize].func).body.as_ref().and_then(|b| call_at(b, c.loc));
            for f in &c.external {
                b.outside(&mut e, c.instance, *f, call.map_or(&[][..], |c| &c.args));
            }
            if c.unknown {
                e.calls_unknown = true;
                e.reads_unknown = true;
                e.writes_unknown = true;
                e.frees_unknown = true;
            }
            edges.extend(c.targets.iter().map(|t| (c.instance, *t)));
            if e.calls_unknown {
                edges.push((c.instance, unknown));
            }
            direct.push(e);
        }
        // Heap objects come to be where their clone calls the primitive.
        for (id, o) in facts.objects().iter().enumerate() {
            if let ObjectKind::Heap { func, .. } = &o.kind {
                let a = Access { object: ObjectId(id as u32), offset: Offset::ANY, size: None };
                let a = b.id(a);
                for &i in &facts.by_function[func.index()] {
                    if facts.chain_of(i) == o.kind.calls() {
                        own[i as usize].allocates.insert(a);
                    }
                }
            }
        }
        for (f, clones) in facts.by_function.iter().enumerate() {
            if facts.called_from_outside(FuncId::new(f)) {
                edges.extend(clones.iter().filter(|i| facts.chain_of(**i).is_empty()).map(|i| (unknown, *i)));
            }
        }
        for (c, e) in facts.calls.iter().zip(&direct) {
            own[c.instance as usize].add(e);
        }
        let graph = Graph::from_edges(n + 1, &edges);
        let sccs = Sccs::new(&graph);
        let mut total: Vec<Effects> = vec![Effects::default(); n + 1];
        for (scc, members) in sccs.bottom_up() {
            let mut e = Effects::default();
            for &m in members {
                e.add(&own[m as usize]);
                for &t in graph.succs(m) {
                    if sccs.of(t) != scc {
                        let callee = total[t as usize].clone();
                        e.add(&callee);
                    }
                }
            }
            let recursive = members.len() > 1 || graph.succs(members[0]).contains(&members[0]);
            if !recursive && members[0] != unknown {
                hide(&mut e, facts, &b.accesses, facts.clones[members[0] as usize].func, members[0]);
            }
            for &m in members {
                total[m as usize] = e.clone();
            }
        }
        let mut functions = vec![Effects::default(); module.functions.len()];
        for (f, clones) in facts.by_function.iter().enumerate() {
            clones.iter().for_each(|i| functions[f].add(&total[*i as usize]));
        }
        let mut calls: Vec<std::collections::BTreeMap<Loc, Effects>> = vec![Default::default(); module.functions.len()];
        for (c, e) in facts.calls.iter().zip(&direct) {
            let f = facts.clones[c.instance as usize].func;
            let all = calls[f.index()].entry(c.loc).or_default();
            all.add(e);
            c.targets.iter().for_each(|t| all.add(&total[*t as usize]));
            if e.calls_unknown {
                all.add(&total[unknown as usize]);
            }
        }
        let mut shapes = vec![Shapes::default(); facts.objects().len()];
        for a in b.shape_reads.iter().map(|i| b.accesses[i as usize]) {
            shapes[a.object.index()].reads.push(a);
        }
        for a in b.shape_writes.iter().map(|i| b.accesses[i as usize]) {
            shapes[a.object.index()].writes.push(a);
        }
        for s in &mut shapes {
            s.reads.sort_unstable();
            s.writes.sort_unstable();
        }
        let calls = calls.into_iter().map(|m| m.into_iter().collect()).collect();
        let mut by_object = vec![Vec::new(); facts.objects().len()];
        for (i, a) in b.accesses.iter().enumerate() {
            by_object[a.object.index()].push(i as u32);
        }
        MemoryEffects { accesses: b.accesses, by_object, functions, calls, shapes }
    }

    /// Of a function and all it calls.
    pub fn of(&self, f: FuncId) -> &Effects {
        &self.functions[f.index()]
    }

    /// Of the call at a place.
    pub fn of_call(&self, f: FuncId, loc: Loc) -> Option<&Effects> {
        let calls = &self.calls[f.index()];
        calls.binary_search_by_key(&loc, |c| c.0).ok().map(|i| &calls[i].1)
    }

    fn list(&self, set: &SparseSet) -> Vec<Access> {
        let mut all: Vec<Access> = set.iter().map(|i| self.accesses[i as usize]).collect();
        all.sort_unstable();
        all
    }

    /// What may be read, sorted.
    pub fn reads(&self, e: &Effects) -> Vec<Access> {
        self.list(&e.reads)
    }

    /// What may be written, sorted.
    pub fn writes(&self, e: &Effects) -> Vec<Access> {
        self.list(&e.writes)
    }

    /// Heap objects that may be released, sorted.
    pub fn frees(&self, e: &Effects) -> Vec<ObjectId> {
        self.list(&e.frees).into_iter().map(|a| a.object).collect()
    }

    /// Heap objects that may be made, sorted.
    pub fn allocates(&self, e: &Effects) -> Vec<ObjectId> {
        self.list(&e.allocates).into_iter().map(|a| a.object).collect()
    }

    /// An effect may write these bytes.
    pub fn may_write(&self, facts: &PointsTo, e: &Effects, a: Access) -> bool {
        e.writes_unknown && (a.object == ObjectId::UNKNOWN || facts.escaped(a.object)) || self.touches(&e.writes, a)
    }

    /// An effect may read these bytes.
    pub fn may_read(&self, facts: &PointsTo, e: &Effects, a: Access) -> bool {
        e.reads_unknown && (a.object == ObjectId::UNKNOWN || facts.escaped(a.object)) || self.touches(&e.reads, a)
    }

    fn touches(&self, set: &SparseSet, a: Access) -> bool {
        let all = self.by_object.get(a.object.index()).into_iter().flatten();
        all.into_iter().any(|i| set.contains(*i) && overlap(a, self.accesses[*i as usize]))
    }

    /// All accesses of the program that may touch an object. Of an escaped object (not read-only), unknown code's are
    /// not here.
    pub fn shapes(&self, o: ObjectId) -> &Shapes {
        &self.shapes[o.index()]
    }
}

fn overlap(a: Access, b: Access) -> bool {
    match (a.size, b.size) {
        (Some(x), Some(y)) => a.offset.overlaps(x, b.offset, y),
        // Of unknown length: from its start on.
        _ => {
            let far = 1 << 40;
            a.offset.overlaps(a.size.unwrap_or(far), b.offset, b.size.unwrap_or(far))
        }
    }
}

/// Leaves out what ends with the call: objects of this activation.
fn hide(e: &mut Effects, facts: &PointsTo, accesses: &[Access], func: FuncId, instance: u32) {
    let mine = |i: &u32| match &facts.object(accesses[*i as usize].object).kind {
        ObjectKind::Stack { func: f, calls, .. }
        | ObjectKind::ByVal { func: f, calls, .. }
        | ObjectKind::VarArgs { func: f, calls } => *f == func && facts.chain_of(instance) == calls.as_slice(),
        _ => false,
    };
    for set in [&mut e.reads, &mut e.writes] {
        let hidden: SparseSet = set.iter().filter(mine).collect();
        *set = set.minus(&hidden);
    }
}

/// The call at a place.
fn call_at(body: &verify_ir::Body, loc: Loc) -> Option<&verify_ir::Call> {
    let b = body.block(loc.block);
    match b.insts.get(loc.inst as usize) {
        Some(i) => match &i.kind {
            InstKind::Call(c) => Some(c),
            _ => None,
        },
        None => match &b.term {
            Terminator::Invoke { call, .. } => Some(call),
            _ => None,
        },
    }
}
