//! The walk: bodies block by block, calls in place, states kept at blocks where edges meet.

use crate::cases::Data;
use crate::heap::{Fill, Frame, Initial, Obj, State};
use crate::join::{Ints, join};
use crate::segment::Threshold;
use crate::shape::Shape;
use crate::value::Val;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_checks::attribute::Frame as Place;
use verify_checks::{CheckId, Checks};
use verify_engine::Rules;
use verify_ir::{Block, Body, CheckKind, Edge, FuncId, GlobalId, Loc, Module, Operand, SymbolRef, Terminator, Value};

/// Bounds of a walk, in counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions, each counted once for each state.
    pub steps: u64,
    /// States kept at one block of one call.
    pub states: usize,
    /// Nodes that a chain has before it is folded.
    pub threshold: u32,
    /// What is kept of the integers in its nodes.
    pub data: Data,
    /// Sums that overflow wrap around, and executions go on.
    pub wraps: bool,
}

/// What a walk found.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// Checks that some state may fail.
    pub open: BTreeSet<CheckId>,
    /// Why the walk was given up, if it was; then every check is open.
    pub given_up: Option<String>,
    /// Instructions looked at.
    pub steps: u64,
}

/// The walk ends without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenUp(pub String);

/// Of a step.
pub type Res<T> = Result<T, GivenUp>;

/// Objects that are compared with others at the cost of an instruction.
const OBJECTS_OF_A_STEP: u64 = 8;
/// At this many states of one shape, integers are widened where a loop begins.
const KEPT_AT_HEADS: usize = 3;
/// At this many, they are joined at other blocks.
const KEPT_ELSEWHERE: usize = 8;
/// Both, where states differ in what the nodes hold.
const KEPT_WITH_DATA: usize = 16;

/// What is the same during a walk.
pub struct Walker<'a> {
    /// Program.
    pub module: &'a Module,
    /// Its checks.
    pub checks: &'a Checks,
    /// What the environment does.
    pub rules: Rules,
    /// Bounds.
    pub limits: Limits,
    stop: &'a dyn Fn() -> bool,
    /// Once one of these is open, there is no use in going on.
    needed: &'a BTreeSet<CheckId>,
    shapes: BTreeMap<FuncId, Rc<Shape>>,
    /// Checks that may fail.
    pub open: BTreeSet<CheckId>,
    steps: u64,
    /// Numbers by globals, for contents that were looked up before.
    pub contents: RefCell<BTreeMap<(GlobalId, i64, u64), Val>>,
}

/// Walks from `main` on, with any arguments. It is given up when one of the checks that are `needed` may fail.
pub fn walk(
    module: &Module,
    checks: &Checks,
    rules: Rules,
    main: FuncId,
    limits: Limits,
    needed: &BTreeSet<CheckId>,
    stop: &dyn Fn() -> bool,
) -> Outcome {
    let mut w = Walker {
        module,
        checks,
        rules,
        limits,
        stop,
        needed,
        shapes: BTreeMap::new(),
        open: BTreeSet::new(),
        steps: 0,
        contents: RefCell::new(BTreeMap::new()),
    };
    let given_up = w.program(main).and_then(|()| w.still_of_use()).err().map(|e| e.0);
    Outcome { open: w.open, given_up, steps: w.steps }
}

impl<'a> Walker<'a> {
    fn program(&mut self, main: FuncId) -> Res<()> {
        if !self.module.constructors.is_empty() || !self.module.destructors.is_empty() {
            return Err(GivenUp("code runs before or behind `main`".into()));
        }
        let Some(body) = self.module.func(main).body.as_ref() else {
            return Err(GivenUp("no body".into()));
        };
        let params: Vec<Value> = body.block(Block::new(0)).params.clone();
        let mut s = State::default();
        let args = params.iter().map(|p| self.argument(&mut s, body, *p)).collect();
        for (s, results) in self.call(s, main, args)? {
            let returns = body.block_ids().find(|b| matches!(body.block(*b).term, Terminator::Return(_)));
            let loc = returns.map(|b| Loc { block: b, inst: body.block(b).insts.len() as u32 });
            if !self.rules.uninit_is_arbitrary && results.iter().any(|v| !v.defined()) {
                self.open.extend(loc.and_then(|l| self.checks.find(main, l, CheckKind::UninitRead)));
            }
            self.exit(s, results.first().copied())?;
        }
        Ok(())
    }

    /// What the library does when `main` has returned.
    fn exit(&mut self, mut s: State, status: Option<Val>) -> Res<()> {
        let exit = self.module.function_named("exit").filter(|f| self.module.func(*f).body.is_some());
        if let (Some(exit), false) = (exit, s.library_unknown) {
            let status = status.filter(Val::defined).unwrap_or(Val::SOME);
            if self.call(s.clone(), exit, vec![status]).is_ok() {
                return Ok(());
            }
        }
        // Nothing is allocated there: streams that grow in memory, and handlers, give the walk up where they are made.
        for kind in CheckKind::ALL.iter().filter(|k| !matches!(k, CheckKind::Leak | CheckKind::UninitRead)) {
            self.open.extend(self.checks.at_program_end(self.module, *kind));
        }
        self.ends(&mut s);
        Ok(())
    }

    fn argument(&self, s: &mut State, body: &Body, p: Value) -> Val {
        match body.ty(p) {
            verify_ir::Ty::Int(w) if w <= 64 => s.unknown(crate::value::Range::full(w)),
            _ => Val::SOME,
        }
    }

    /// The process ends by an exit: what neither globals nor calls in progress lead to is lost. The library's bookkeeping
    /// does not count.
    pub fn ends(&mut self, s: &mut State) {
        if let Some(f) = s.frames.last().map(|f| f.func)
            && let Some((shape, body)) = self.shape(f)
        {
            let loc = s.top().loc;
            let needed: BTreeSet<Value> = shape.live.at(body, Loc { inst: loc.inst + 1, ..loc }).into_iter().collect();
            s.top().env.retain(|v, _| needed.contains(v));
        }
        let weak = |g: &GlobalId| self.module.global(*g).name.starts_with("__verify_weak_");
        s.globals.retain(|g, _| !weak(g));
        let lost = s.collect();
        self.open.extend(lost);
    }

    /// What is known of a body.
    pub fn shape(&mut self, f: FuncId) -> Option<(Rc<Shape>, &'a Body)> {
        let body = self.module.func(f).body.as_ref()?;
        let shape = self.shapes.entry(f).or_insert_with(|| Rc::new(Shape::new(self.module, body)));
        Some((shape.clone(), body))
    }

    /// All that is needed can still be shown.
    fn still_of_use(&self) -> Res<()> {
        match self.open.iter().find(|c| self.needed.contains(c)) {
            Some(c) => {
                let c = self.checks.get(*c);
                Err(GivenUp(format!("some state may fail {} in line {}", c.kind, self.module.span(c.span).line)))
            }
            None => Ok(()),
        }
    }

    /// A check of this kind may fail where control is in the state.
    pub fn may_fail(&mut self, s: &State, kind: CheckKind) {
        match self.check_here(s, kind) {
            Some(c) => {
                self.open.insert(c);
            }
            // It fails one of them, and nobody says which.
            None => self.open.extend(self.needed.iter().filter(|c| self.checks.get(**c).kind == kind)),
        }
    }

    /// The check that a failure of this kind fails here.
    pub fn check_here(&self, s: &State, kind: CheckKind) -> Option<CheckId> {
        let stack = s.frames.iter().rev().map(|f| Place { func: f.func, loc: f.loc });
        self.checks.attribute(self.module, stack, kind)
    }

    /// Any check of the user's code where control is may fail, but for the loss of memory: what is not followed allocates
    /// nothing that the program has.
    pub fn all_may_fail(&mut self, s: &State) {
        for kind in CheckKind::ALL.iter().filter(|k| **k != CheckKind::Leak) {
            self.open.extend(self.check_here(s, *kind));
        }
    }

    /// The value must be set. `false`: it never is, and the execution ends.
    pub fn must_be_set(&mut self, s: &State, v: &Val) -> bool {
        if self.rules.uninit_is_arbitrary || v.defined() {
            return true;
        }
        self.may_fail(s, CheckKind::UninitRead);
        *v != Val::Undef
    }

    /// Runs a function with a body; where it returned, with its results.
    pub fn call(&mut self, mut s: State, f: FuncId, args: Vec<Val>) -> Res<Vec<(State, Vec<Val>)>> {
        let Some((shape, body)) = self.shape(f) else {
            return Err(GivenUp(format!("`{}` has no body", self.module.func(f).name)));
        };
        if s.frames.iter().any(|g| g.func == f) {
            return Err(GivenUp(format!("recursion in `{}`", self.module.func(f).name)));
        }
        let params = &body.block(Block::new(0)).params;
        let env = params.iter().copied().zip(args).collect();
        let loc = Loc { block: Block::new(0), inst: 0 };
        s.frames.push(Frame { func: f, loc, env, allocas: Vec::new() });
        let mut pending: BTreeMap<(u32, Block), Vec<State>> = BTreeMap::new();
        pending.insert((shape.rank(Block::new(0)), Block::new(0)), vec![s]);
        let mut seen: BTreeMap<Block, Vec<State>> = BTreeMap::new();
        let mut returns: Vec<(State, Vec<Val>)> = Vec::new();
        while let Some((key, mut states)) = pending.pop_first() {
            let Some(s) = states.pop() else { continue };
            if !states.is_empty() {
                pending.insert(key, states);
            }
            let b = key.1;
            let Some(s) = self.enter(&shape, b, s, &mut seen)? else { continue };
            for mut s in self.block(&shape, body, f, b, s)? {
                s.top().loc = Loc { block: b, inst: body.block(b).insts.len() as u32 };
                match &body.block(b).term {
                    Terminator::Return(values) => {
                        let values = values.iter().map(|v| self.operand(&mut s, v)).collect();
                        returns.push((s, values));
                    }
                    term => {
                        for (to, mut s) in self.leave(&shape, body, s, b, term)? {
                            let args: Vec<Val> = to.args.iter().map(|a| self.operand(&mut s, a)).collect();
                            let params = body.block(to.block).params.iter().copied();
                            s.top().env.extend(params.zip(args));
                            pending.entry((shape.rank(to.block), to.block)).or_default().push(s);
                        }
                    }
                }
            }
        }
        let mut out: Vec<(State, Vec<Val>)> = Vec::new();
        for (mut s, values) in returns {
            let frame = s.frames.pop();
            for o in frame.into_iter().flat_map(|f| f.allocas) {
                self.dies(&mut s, o);
            }
            self.keep(&mut out, s, values);
        }
        Ok(out)
    }

    /// Adds a state after a call, unless there is one that covers it.
    fn keep(&mut self, out: &mut Vec<(State, Vec<Val>)>, s: State, values: Vec<Val>) {
        // Results ride along as values of a call of their own, so that they count as held.
        let with = |s: &State, values: &[Val]| {
            let mut s = s.clone();
            let env = values.iter().enumerate().map(|(k, v)| (Value::new(k), *v)).collect();
            let loc = Loc { block: Block::new(0), inst: 0 };
            s.frames.push(Frame { func: FuncId(u32::MAX), loc, env, allocas: Vec::new() });
            s
        };
        let mut new = with(&s, &values);
        let lost = new.collect();
        self.open.extend(lost);
        for (old, had) in out.iter() {
            let mut old = with(old, had);
            self.same_globals(&mut old, &mut new);
            if matches!(self.joined(&old, &new, Ints::Hull), Some((_, true))) {
                return;
            }
        }
        let values = new.frames.pop().map(|f| f.env.into_values().collect()).unwrap_or_default();
        out.push((new, values));
    }

    fn joined(&self, a: &State, b: &State, ints: Ints<'_>) -> Option<(State, bool)> {
        let initial: &Initial<'_> = &|g, off, n| self.exactly(g, off, n);
        join(a, b, ints, self.limits.data, initial)
    }

    /// Both states have an object for each global that one of them has one for, and say so of addresses in them that one
    /// has overwritten.
    fn same_globals(&self, a: &mut State, b: &mut State) {
        let mut done = BTreeSet::new();
        loop {
            // An address may bring in another global.
            let more = a.globals.keys().chain(b.globals.keys()).filter(|g| !done.contains(*g));
            let mut todo: Vec<GlobalId> = more.copied().collect();
            if todo.is_empty() {
                return;
            }
            todo.sort();
            todo.dedup();
            for g in todo {
                done.insert(g);
                let (x, y) = (self.global(a, g), self.global(b, g));
                self.addresses_as_in(a, x, b, y);
                self.addresses_as_in(b, y, a, x);
            }
        }
    }

    /// Addresses that a global of `a` starts with become fields where that of `b` has some.
    fn addresses_as_in(&self, a: &mut State, x: Obj, b: &State, y: Obj) {
        let (Some(Fill::Initial(g)), Some(o)) = (a.get(x).map(|o| o.fill), b.get(y)) else { return };
        for (&off, &(n, _)) in &o.fields {
            let untouched = a.get(x).is_some_and(|o| o.overlapping(off, n).is_empty());
            if let (true, Some(v)) = (untouched, self.initial_address(a, g, off, n))
                && let Some(o) = a.get_mut(x)
            {
                o.set(off, n, v);
            }
        }
    }

    /// A state at the start of a block, made ready; `None`: nothing new.
    fn enter(
        &mut self,
        shape: &Shape,
        b: Block,
        mut s: State,
        seen: &mut BTreeMap<Block, Vec<State>>,
    ) -> Res<Option<State>> {
        if (self.stop)() {
            return Err(GivenUp("time".into()));
        }
        self.still_of_use()?;
        s.top().loc = Loc { block: b, inst: 0 };
        let params: BTreeSet<Value> = {
            let f = s.top().func;
            let body = self.module.func(f).body.as_ref();
            body.map(|k| k.block(b).params.iter().copied().collect()).unwrap_or_default()
        };
        s.top().env.retain(|v, _| shape.live.live_in(b, *v) || params.contains(v));
        let lost = s.collect();
        self.open.extend(lost);
        let head = shape.head[b.index()];
        if head {
            s.fold(Threshold(self.limits.threshold), self.limits.data, self.module.target.pointer_bytes());
            _ = s.collect();
        }
        if !head && !shape.meet[b.index()] {
            return Ok(Some(s));
        }
        let kept = seen.entry(b).or_default();
        let mut fitting: Option<usize> = None;
        let mut fit = 0;
        let how = if head { Ints::Widen(&shape.steps) } else { Ints::Hull };
        for (k, old) in kept.iter_mut().enumerate() {
            // Two states are compared object by object.
            self.steps += s.objects.len() as u64 / OBJECTS_OF_A_STEP;
            self.same_globals(old, &mut s);
            match self.joined(old, &s, Ints::Hull) {
                Some((_, true)) => return Ok(None),
                Some(_) => {
                    fit += 1;
                    fitting = Some(k);
                }
                None if head && self.joined(old, &s, how).is_some() => {
                    fit += 1;
                    fitting = Some(k);
                }
                None => {}
            }
        }
        let most = match (self.limits.data, head) {
            (Data::Hull, true) => KEPT_AT_HEADS,
            (Data::Hull, false) => KEPT_ELSEWHERE,
            (Data::Same | Data::Cases, _) => KEPT_WITH_DATA,
        };
        if let (Some(k), true) = (fitting, fit >= most)
            && let Some((mut both, _)) = self.joined(&kept[k], &s, how)
        {
            _ = both.collect();
            kept[k] = both.clone();
            return Ok(Some(both));
        }
        if kept.len() >= self.limits.states {
            return Err(GivenUp("budget: states".into()));
        }
        kept.push(s.clone());
        Ok(Some(s))
    }

    /// The states at the end of a block.
    fn block(&mut self, shape: &Shape, body: &'a Body, f: FuncId, b: Block, s: State) -> Res<Vec<State>> {
        let data = body.block(b);
        let mut work = vec![(s, 0usize)];
        let mut out = Vec::new();
        while let Some((mut s, k)) = work.pop() {
            let Some(inst) = data.insts.get(k) else {
                out.push(s);
                continue;
            };
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(GivenUp("budget: instructions".into()));
            }
            s.top().loc = Loc { block: b, inst: k as u32 };
            let (all, poison) = shape.kinds[b.index()][k];
            for kind in poison.iter() {
                self.may_fail(&s, kind);
            }
            match self.inst(shape, body, f, s, inst, all)? {
                Step::Next(states) => work.extend(states.into_iter().map(|s| (s, k + 1))),
                Step::Again(states) => work.extend(states.into_iter().map(|s| (s, k))),
            }
        }
        Ok(out)
    }

    /// Where control goes from the end of a block.
    fn leave<'b>(
        &mut self,
        shape: &Shape,
        body: &'b Body,
        mut s: State,
        b: Block,
        term: &'b Terminator,
    ) -> Res<Vec<(&'b Edge, State)>> {
        let (_, poison) = shape.kinds[b.index()].last().copied().unwrap_or_default();
        for kind in poison.iter() {
            self.may_fail(&s, kind);
        }
        match term {
            Terminator::Jump(e) => Ok(vec![(e, s)]),
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(&mut s, cond);
                if !self.must_be_set(&s, &c) {
                    return Ok(Vec::new());
                }
                let mut out = Vec::new();
                for s in self.split(shape, body, s, cond) {
                    for (e, truth) in [(then, true), (other, false)] {
                        let mut s = s.clone();
                        if self.suppose(shape, body, &mut s, cond, truth) {
                            out.push((e, s));
                        }
                    }
                }
                Ok(out)
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.operand(&mut s, value);
                if !self.must_be_set(&s, &v) {
                    return Ok(Vec::new());
                }
                let mut out = Vec::new();
                let mut rest = Some(s);
                for (c, e) in cases {
                    let Some(s) = &mut rest else { break };
                    let c = self.operand(s, &Operand::Const(c.clone()));
                    let mut hit = s.clone();
                    if self.equal(&mut hit, &v, &c, true) {
                        out.push((e, hit));
                    }
                    if !self.equal(s, &v, &c, false) {
                        rest = None;
                    }
                }
                out.extend(rest.map(|s| (default, s)));
                Ok(out)
            }
            Terminator::Unreachable => {
                self.may_fail(&s, CheckKind::Unreachable);
                Ok(Vec::new())
            }
            Terminator::Return(_) => Ok(Vec::new()),
            Terminator::IndirectJump { .. } => Err(GivenUp("a computed `goto`".into())),
            Terminator::Invoke { .. } | Terminator::Resume(_) => Err(GivenUp("C++ exceptions".into())),
        }
    }

    /// The function that a call is of, if that is one.
    pub fn function(&self, v: &Val) -> Option<FuncId> {
        match v {
            Val::Func(f) => match self.module.resolve(SymbolRef::Func(*f)).0 {
                SymbolRef::Func(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }
}

/// What an instruction makes of a state.
pub enum Step {
    /// Control goes on.
    Next(Vec<State>),
    /// The instruction is looked at again: a segment was taken apart.
    Again(Vec<State>),
}
