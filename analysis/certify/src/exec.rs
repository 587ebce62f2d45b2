//! The walk over the control flow: blocks in topological order, states merged where edges meet, loops by iteration or
//! from an arbitrary iteration.

use crate::state::{ANY, Byte, Cell, Content, Info, Kind, NONE, OBJ_BITS, Obj, State, TAG_BITS, Val, merge};
use crate::{Certificate, Limits, Mode};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use verify_checks::attribute::Frame as Place;
use verify_checks::{CheckId, Checks};
use verify_facts::{Liveness, LoopForest, LoopId};
use verify_ir::{Block, Body, CheckKind, FuncId, Loc, Module, Terminator, Value};
use verify_solver::{Pool, Term};

/// Iterations of a loop that is decided by constants.
const DETERMINISTIC: u32 = 1100;

/// The walk was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfBudget;

/// A function in progress.
pub struct Frame {
    /// Function.
    pub func: FuncId,
    /// Where control is.
    pub loc: Loc,
    /// Stack objects made so far, on any path.
    pub allocas: Vec<Obj>,
    /// Where it returned.
    pub returns: Vec<(State, Vec<Val>)>,
    /// The further arguments.
    pub varargs: Option<Val>,
}

/// A call that was not followed.
pub struct Cut {
    /// An execution gets there.
    pub reached: Term,
    /// What may be called; `None`: any function whose address is taken.
    pub callees: Option<Vec<FuncId>>,
    /// The user's place.
    pub place: Option<Place>,
    /// For people.
    pub what: String,
}

/// A part of a body at one level of nesting.
#[derive(Clone, Copy, Debug)]
enum Node {
    Block(Block),
    Loop(LoopId),
}

/// What the walk needs to know of a body.
pub struct Shape {
    forest: LoopForest,
    live: Liveness,
    /// Per level (0: outside of loops), in topological order.
    levels: Vec<Vec<Node>>,
}

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
struct Summary {
    values: BTreeMap<Value, Class>,
    restarted: BTreeSet<Value>,
    alive: BTreeSet<Obj>,
    bytes: BTreeMap<(Obj, u32), Class>,
    arrays: BTreeSet<Obj>,
}

type Edges = Vec<(Block, State)>;

/// The walk.
pub struct Exec<'a> {
    /// Program.
    pub module: &'a Module,
    /// Its checks.
    pub checks: &'a Checks,
    /// What is to be shown.
    pub certificate: &'a Certificate,
    /// Terms.
    pub pool: Pool,
    /// True in every execution.
    pub axioms: Vec<Term>,
    /// Objects by number.
    pub objects: Vec<Info>,
    /// Failures.
    pub claims: Vec<(CheckId, Term)>,
    /// What is not encoded.
    pub blockers: Vec<(Term, String)>,
    /// Calls not followed.
    pub cuts: Vec<Cut>,
    /// Loops and recursion that go on.
    pub unwound: Vec<Term>,
    /// Where more is possible in the formula than in the program.
    pub approximations: Vec<(Term, &'static str)>,
    /// Failures here are assumed not to happen: an earlier copy of a loop's body.
    pub mute: Term,
    /// Calls in progress, innermost last.
    pub frames: Vec<Frame>,
    /// Instructions so far.
    pub steps: u64,
    /// Counters' limits.
    pub limits: Limits,
    /// Addresses of objects.
    pub bases: HashMap<Obj, Term>,
    /// Tags of pointers' bytes.
    pub tags: HashMap<(Term, u32), Term>,
    /// Results of functions that are left open.
    pub opaque: HashMap<(String, Vec<Term>), Term>,
    shapes: HashMap<FuncId, Rc<Shape>>,
    summaries: HashMap<(Vec<(FuncId, Loc)>, LoopId), Summary>,
}

struct Mark {
    claims: usize,
    blockers: usize,
    cuts: usize,
    unwound: usize,
    approximations: usize,
    objects: usize,
    allocas: usize,
    returns: usize,
}

impl<'a> Exec<'a> {
    /// Nothing walked yet.
    pub fn new(module: &'a Module, checks: &'a Checks, certificate: &'a Certificate, limits: Limits) -> Exec<'a> {
        let mut pool = Pool::new();
        let mute = pool.ff();
        Exec {
            module,
            checks,
            certificate,
            pool,
            axioms: Vec::new(),
            objects: Vec::new(),
            claims: Vec::new(),
            blockers: Vec::new(),
            cuts: Vec::new(),
            unwound: Vec::new(),
            approximations: Vec::new(),
            mute,
            frames: Vec::new(),
            steps: 0,
            limits,
            bases: HashMap::new(),
            tags: HashMap::new(),
            opaque: HashMap::new(),
            shapes: HashMap::new(),
            summaries: HashMap::new(),
        }
    }

    /// The check that fails here.
    pub fn check_here(&self, kind: CheckKind) -> Option<CheckId> {
        let stack = self.frames.iter().rev().map(|f| Place { func: f.func, loc: f.loc });
        self.checks.attribute(self.module, stack, kind)
    }

    /// Executions of the state in which `c` holds fail here; the others go on.
    pub fn fail(&mut self, s: &mut State, kind: CheckKind, c: Term) {
        self.fail_any(s, &[kind], c);
    }

    /// They fail one of several checks.
    pub fn fail_any(&mut self, s: &mut State, kinds: &[CheckKind], c: Term) {
        let reached = self.pool.and(s.guard, c);
        if self.is(reached, false) {
            return;
        }
        for k in kinds {
            if let Some(id) = self.check_here(*k) {
                self.claim(id, reached);
            }
        }
        let ok = self.pool.not(c);
        s.assume(&mut self.pool, ok);
    }

    /// A check fails under a condition.
    pub fn claim(&mut self, id: CheckId, reached: Term) {
        let loud = self.pool.not(self.mute);
        let reached = self.pool.and(reached, loud);
        if !self.is(reached, false) && self.certificate.proved.contains(&id) {
            self.claims.push((id, reached));
        }
    }

    /// Something is not encoded.
    pub fn block(&mut self, reached: Term, what: impl Into<String>) {
        if !self.is(reached, false) {
            let line = self.frames.last().map_or(0, |f| {
                let body = self.module.func(f.func).body.as_ref();
                body.map_or(0, |b| self.module.span(b.span_at(f.loc)).line)
            });
            let name = self.frames.last().map_or("", |f| &self.module.func(f.func).name);
            self.blockers.push((reached, format!("{} ({name}:{line})", what.into())));
        }
    }

    /// From here on, more is possible than in the program.
    pub fn approximated(&mut self, reached: Term, what: &'static str) {
        self.approximations.push((reached, what));
    }

    /// Both states.
    pub fn join(&mut self, a: &State, b: &State) -> State {
        merge(&mut self.pool, &self.objects, a, b)
    }

    fn join_all(&mut self, states: Vec<State>) -> Option<State> {
        let mut all: Option<State> = None;
        for s in states {
            if s.is_dead(&self.pool) {
                continue;
            }
            all = Some(match all {
                None => s,
                Some(a) => self.join(&a, &s),
            });
        }
        all
    }

    /// The body of the innermost frame's function.
    pub fn body(&self) -> &'a Body {
        let f = self.frames.last().expect("a frame").func;
        self.module.func(f).body.as_ref().expect("frames have bodies")
    }

    fn shape(&mut self, f: FuncId) -> Rc<Shape> {
        if let Some(s) = self.shapes.get(&f) {
            return s.clone();
        }
        let body = self.module.func(f).body.as_ref().expect("frames have bodies");
        let s = Rc::new(Shape::new(body));
        self.shapes.insert(f, s.clone());
        s
    }

    /// Runs a body; the frame is pushed, its parameters are set. Where it returned, with the results.
    pub fn run(&mut self, s: State) -> Result<Option<(State, Vec<Val>)>, OutOfBudget> {
        let f = self.frames.last().expect("a frame").func;
        let shape = self.shape(f);
        self.region(&shape, None, vec![(Block(0), s)])?;
        let returns = std::mem::take(&mut self.frames.last_mut().expect("a frame").returns);
        let mut all: Option<(State, Vec<Val>)> = None;
        for (mut s, vs) in returns {
            if s.is_dead(&self.pool) {
                continue;
            }
            // Results ride in the environment, under numbers that no value of the body has.
            let mut env = BTreeMap::new();
            for (k, v) in vs.iter().enumerate() {
                env.insert(Value::new(k), *v);
            }
            s.env = Rc::new(env);
            all = Some(match all {
                None => (s, vs),
                Some((a, _)) => {
                    let s = self.join(&a, &s);
                    let vs = s.env.values().copied().collect();
                    (s, vs)
                }
            });
        }
        let allocas = std::mem::take(&mut self.frames.last_mut().expect("a frame").allocas);
        if let Some((s, _)) = &mut all {
            let tt = self.pool.tt();
            for o in allocas {
                if s.mem.contains_key(&o) {
                    self.end(s, o, tt);
                }
            }
        }
        Ok(all)
    }

    /// Runs the blocks of one level from where it is entered: edges back to the loop's entries, and edges out of it.
    fn region(&mut self, shape: &Shape, level: Option<LoopId>, entries: Edges) -> Result<(Edges, Edges), OutOfBudget> {
        let mut pending: BTreeMap<Block, Vec<State>> = BTreeMap::new();
        for (b, s) in entries {
            pending.entry(b).or_default().push(s);
        }
        let (mut back, mut out) = (Vec::new(), Vec::new());
        for node in &shape.levels[level.map_or(0, |l| l.0 as usize + 1)] {
            let edges = match node {
                Node::Block(b) => {
                    let Some(s) = pending.remove(b).and_then(|s| self.enter(shape, *b, s)) else { continue };
                    self.block_from(*b, s)?
                }
                Node::Loop(l) => {
                    let mut from = Vec::new();
                    for b in &shape.forest.get(*l).entries {
                        if let Some(s) = pending.remove(b).and_then(|s| self.enter(shape, *b, s)) {
                            from.push((*b, s));
                        }
                    }
                    if from.is_empty() {
                        continue;
                    }
                    self.run_loop(shape, *l, from)?
                }
            };
            for (b, s) in edges {
                if s.is_dead(&self.pool) {
                    continue;
                }
                match level.map(|l| shape.forest.get(l)) {
                    Some(l) if !l.contains(b) => out.push((b, s)),
                    Some(l) if l.entries.contains(&b) => back.push((b, s)),
                    _ => pending.entry(b).or_default().push(s),
                }
            }
        }
        for s in pending.into_values().flatten() {
            self.block(s.guard, "control flow out of order");
        }
        Ok((back, out))
    }

    /// States at the start of a block, without the values that are not needed any more.
    fn enter(&mut self, shape: &Shape, b: Block, states: Vec<State>) -> Option<State> {
        let params = &self.body().block(b).params;
        let states = states.into_iter().map(|mut s| {
            let env = s.env.iter().filter(|(r, _)| params.contains(r) || shape.live.live_in(b, **r));
            s.env = Rc::new(env.map(|(r, v)| (*r, *v)).collect());
            s
        });
        let states = states.collect();
        self.join_all(states)
    }

    fn block_from(&mut self, b: Block, mut s: State) -> Result<Edges, OutOfBudget> {
        let body = self.body();
        let data = body.block(b);
        for (i, inst) in data.insts.iter().enumerate() {
            self.steps += 1;
            if self.steps > self.limits.instructions || self.pool.len() > self.limits.terms {
                return Err(OutOfBudget);
            }
            self.frames.last_mut().expect("a frame").loc = Loc { block: b, inst: i as u32 };
            match self.inst(s, inst)? {
                Some(n) if !n.is_dead(&self.pool) => s = n,
                _ => return Ok(Vec::new()),
            }
        }
        self.frames.last_mut().expect("a frame").loc = Loc { block: b, inst: data.insts.len() as u32 };
        Ok(self.terminator(s, &data.term))
    }

    fn terminator(&mut self, mut s: State, t: &'a Terminator) -> Edges {
        let body = self.body();
        let mut out = Vec::new();
        let mut go = |x: &mut Self, mut s: State, e: &'a verify_ir::Edge| {
            let values: Vec<Option<Val>> = e.args.iter().map(|a| x.operand(&mut s, a)).collect();
            if s.is_dead(&x.pool) {
                return;
            }
            for (p, v) in body.block(e.block).params.iter().zip(values) {
                if let Some(v) = v {
                    s.set(*p, v);
                }
            }
            out.push((e.block, s));
        };
        match t {
            Terminator::Jump(e) => go(self, s, e),
            Terminator::Branch { cond, then, other } => {
                let Some(c) = self.operand(&mut s, cond) else { return out };
                let undefined = self.nonzero(c.u);
                self.fail(&mut s, CheckKind::UninitRead, undefined);
                let n = self.pool.not(c.v);
                let mut o = s.clone();
                s.assume(&mut self.pool, c.v);
                o.assume(&mut self.pool, n);
                for (s, e) in [(s, then), (o, other)] {
                    if !s.is_dead(&self.pool) {
                        go(self, s, e);
                    }
                }
            }
            Terminator::Switch { value, cases, default } => {
                let Some(v) = self.operand(&mut s, value) else { return out };
                let undefined = self.nonzero(v.u);
                self.fail(&mut s, CheckKind::UninitRead, undefined);
                let bits = self.bits(v);
                for (k, e) in cases {
                    let Some(k) = self.constant_val(k) else { continue };
                    let c = self.pool.eq(bits, k.v);
                    let mut here = s.clone();
                    here.assume(&mut self.pool, c);
                    let n = self.pool.not(c);
                    s.assume(&mut self.pool, n);
                    if !here.is_dead(&self.pool) {
                        go(self, here, e);
                    }
                }
                if !s.is_dead(&self.pool) {
                    go(self, s, default);
                }
            }
            Terminator::Return(vs) => {
                let values: Option<Vec<Val>> = vs.iter().map(|v| self.operand(&mut s, v)).collect();
                if let Some(values) = values
                    && !s.is_dead(&self.pool)
                {
                    self.frames.last_mut().expect("a frame").returns.push((s, values));
                }
            }
            Terminator::Unreachable => {
                let tt = self.pool.tt();
                self.fail(&mut s, CheckKind::Unreachable, tt);
            }
            Terminator::IndirectJump { .. } => self.block(s.guard, "a computed goto"),
            Terminator::Invoke { .. } | Terminator::Resume(_) => self.block(s.guard, "an exception"),
        }
        out
    }

    fn mark(&self) -> Mark {
        let f = self.frames.last().expect("a frame");
        Mark {
            claims: self.claims.len(),
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
    fn run_loop(&mut self, shape: &Shape, l: LoopId, entries: Edges) -> Result<Edges, OutOfBudget> {
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
            choice |= !out.is_empty() || self.frames.last().expect("a frame").returns.len() > returns;
            all.extend(out);
            let most = if choice { bound.map(|k| k + 1) } else { Some(DETERMINISTIC) };
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
                if k == 1 {
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
        let (mut a, mut b) = (any, entry);
        a.assume(&mut self.pool, middle);
        b.assume(&mut self.pool, start);
        let mut now = vec![(header, self.join(&a, &b))];
        let mut all = Vec::new();
        for j in 1..=k {
            let mute = self.mute;
            if j < k {
                self.mute = self.pool.or(mute, middle);
            }
            let returns = self.frames.last().expect("a frame").returns.len();
            let (back, out) = self.region(shape, Some(l), now)?;
            self.mute = mute;
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
                break;
            }
            let back = back.into_iter().map(|(_, s)| s).collect();
            match self.enter(shape, header, back) {
                Some(s) => now = vec![(header, s)],
                None => break,
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
        Class {
            same: self.pool.as_const(v).map(|_| v),
            defined: self.is_zero(u),
            objects: inside.then_some(leaves),
        }
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
            s.set(*r, Val { v, u, p, soft: old.soft || c.objects.as_ref().is_none_or(|o| o.len() > 1 || !o.contains(&0)) && !self.is_ptr(*r) });
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
        for i in 0..b.len() {
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
            b[i] = Byte { v, u, p };
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

impl Shape {
    fn new(body: &Body) -> Shape {
        let forest = LoopForest::new(body);
        let mut levels = vec![Self::level(body, &forest, None)];
        for l in 0..forest.loops.len() {
            levels.push(Self::level(body, &forest, Some(LoopId(l as u32))));
        }
        Shape { live: Liveness::new(body), forest, levels }
    }

    /// The blocks and loops right inside a loop, each after those that lead to it.
    fn level(body: &Body, forest: &LoopForest, level: Option<LoopId>) -> Vec<Node> {
        let reached: BTreeSet<u32> = verify_facts::Graph::of_body(body).preorder(&[0]).into_iter().collect();
        let inside = |b: Block| reached.contains(&b.0) && level.is_none_or(|l| forest.get(l).contains(b));
        // The loop or block of this level that a block belongs to: (1, loop) or (0, block).
        let part = |b: Block| {
            let mut at = forest.innermost(b);
            let mut child = None;
            while at != level {
                let Some(l) = at else { break };
                child = Some(l);
                at = forest.get(l).parent;
            }
            child.map_or((0, b.0), |l| (1, l.0))
        };
        let mut edges: BTreeMap<(u8, u32), BTreeSet<(u8, u32)>> = BTreeMap::new();
        let mut degree: BTreeMap<(u8, u32), u32> = BTreeMap::new();
        for b in body.block_ids().filter(|b| inside(*b)) {
            let from = part(b);
            degree.entry(from).or_default();
            for e in body.block(b).term.targets() {
                let again = level.is_some_and(|l| forest.get(l).entries.contains(&e.block));
                let to = part(e.block);
                if inside(e.block) && !again && to != from && edges.entry(from).or_default().insert(to) {
                    *degree.entry(to).or_default() += 1;
                }
            }
        }
        let mut ready: Vec<(u8, u32)> = degree.iter().filter(|(_, d)| **d == 0).map(|(n, _)| *n).collect();
        let mut order = Vec::new();
        while let Some(n) = ready.pop() {
            order.push(if n.0 == 1 { Node::Loop(LoopId(n.1)) } else { Node::Block(Block(n.1)) });
            for t in edges.get(&n).into_iter().flatten() {
                let d = degree.get_mut(t).expect("counted above");
                *d -= 1;
                if *d == 0 {
                    ready.push(*t);
                }
            }
        }
        order
    }
}
