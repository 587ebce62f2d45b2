//! The walk over the control flow: blocks in topological order, states merged where edges meet, loops by iteration or
//! from an arbitrary iteration.

use crate::loops::Summary;
use crate::state::{Info, Obj, State, Val, merge};
use crate::{Certificate, Limits};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use verify_checks::attribute::Frame as Place;
use verify_checks::{CheckId, Checks};
use verify_facts::{Liveness, LoopForest, LoopId};
use verify_ir::{Block, Body, CheckKind, FuncId, Loc, Module, Terminator, Value};
use verify_solver::{Pool, Term};

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
    /// The values of the caller.
    pub below: Rc<BTreeMap<Value, Val>>,
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
    /// Loops.
    pub forest: LoopForest,
    live: Liveness,
    /// Per level (0: outside of loops), in topological order.
    levels: Vec<Vec<Node>>,
}

/// States at blocks that are entered.
pub type Edges = Vec<(Block, State)>;

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
    /// Rows of invariants that do not hold: loop and row in the certificate.
    pub broken: Vec<((usize, usize), Term)>,
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
    /// What was found out about loops before, by the calls in progress.
    pub summaries: HashMap<(Vec<(FuncId, Loc)>, LoopId), Summary>,
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
            broken: Vec::new(),
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
        if kinds.iter().any(|k| k.is_defined_by_c()) {
            return;
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
    pub fn region(
        &mut self,
        shape: &Shape,
        level: Option<LoopId>,
        entries: Edges,
    ) -> Result<(Edges, Edges), OutOfBudget> {
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
    pub fn enter(&mut self, shape: &Shape, b: Block, states: Vec<State>) -> Option<State> {
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
