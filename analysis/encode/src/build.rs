//! The walk over a program that makes its formula: blocks in topological order, guards instead of jumps, `ite` where
//! paths meet, loops unwound, calls spliced in (malik-2023 §2.1; brain-2015 §2 and appendix A for loops).
//!
//! A *guard* is the condition that the execution takes this path. `held` is the conjunction of what is known of all
//! executions that get as far as the walk is: earlier checks passed where they were reached, assumptions hold. The walk
//! visits places in an order that every execution respects, so a claim may assume everything recorded before it.

use crate::cfg::Cfg;
use crate::formula::{Blocker, Claim, Cut, Event, EventKind, Formula, Observation, Seen, call_stack_number};
use crate::memory::Memory;
use crate::plan::{Mode, Plan, Root, Rules};
use crate::recursion::Recursive;
use crate::sym::{Sym, Terms, WILD};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use verify_checks::{Checks, Frame as Place, user_frame};
use verify_facts::values::Settled;
use verify_facts::{LoopForest, LoopId};
use verify_ir::{Block, Body, CheckKind, FloatKind, FuncId, InstKind, Loc, Module, Operand, Ty, Value};
use verify_solver::float::x87;
use verify_solver::{Sort, Term};

/// Why there is no formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooBig {
    /// [`Plan::max_instructions`].
    Instructions,
    /// [`Plan::max_terms`].
    Terms,
    /// More objects than numbers for them.
    Objects,
    /// The caller wants no more of it.
    Stopped,
}

/// Result of a step of the walk.
pub type Res<T> = Result<T, TooBig>;

/// Values that outlive a loop.
pub type Outliving = Rc<BTreeMap<Value, Sym>>;

/// What changes along a path.
#[derive(Clone, Debug)]
pub struct Path {
    /// The execution is here.
    pub guard: Term,
    /// Objects.
    pub memory: Memory,
    /// Values that outlive a loop, of the innermost frame.
    pub outs: Outliving,
    /// What was read or written through unknown pointers.
    pub wild: Rc<crate::wild::Known>,
    /// Changes whenever unknown objects may have ended their lives.
    pub generation: u32,
    /// The same for stack objects: changes when the life of one ends to which there may be unknown pointers.
    pub scope: u32,
}

/// A path on its way into a block.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The path.
    pub path: Path,
    /// Block arguments.
    pub args: Vec<Sym>,
}

/// A call in progress.
pub struct Frame {
    /// Function.
    pub func: FuncId,
    /// Control flow.
    pub cfg: Rc<Cfg>,
    /// Values, as of the latest execution of their definition.
    pub env: Vec<Option<Sym>>,
    /// Paths that have returned, with results.
    pub returned: Vec<Arrival>,
    /// Where control is.
    pub loc: Loc,
    /// Stack objects made.
    pub allocas: Vec<u32>,
    /// The execution came here with this guard.
    pub entered: Term,
    /// Any activation of a recursive function.
    pub(crate) recursive: Option<Rc<Recursive>>,
    /// The object of the further arguments of a variadic function.
    pub(crate) further: Option<u32>,
}

/// Encodes formulas over one module; keeps what formulas share.
pub struct Encoder<'a> {
    /// Program.
    pub module: &'a Module,
    /// Its checks.
    pub checks: &'a Checks,
    /// Environment.
    pub rules: Rules,
    /// What is known of the program's values, if anything: it is assumed.
    pub facts: Option<&'a Settled>,
    /// Terms.
    pub terms: Terms,
    /// Fill [`Formula::observations`].
    pub observe: bool,
    /// Fill [`Formula::turns`]; what is undefined in C ends no execution but goes on as machines do it, or with any result.
    pub endless: bool,
    /// It was shown that no execution does anything undefined: then none goes on after that.
    pub defined: bool,
    /// Fill [`Formula::laps`] of bounded formulas.
    pub laps: bool,
    /// The states at the heads of loops are written down: [`crate::Formula::heads`].
    pub heads: bool,
    /// The same whatever the domain, and where the plan unwinds loops: how control gets to the first copy, and behind each
    /// copy to the next.
    pub arrivals: bool,
    /// Rows about what the root returns, too.
    pub summaries: bool,
    /// A sum that overflows wraps around, and the execution goes on.
    pub wraps: bool,
    /// Functions that may call themselves: in formulas for k-induction any activation of them is looked at. With each, functions
    /// that are on all its ways back to itself: where one of them is looked at so already, it is followed as others are.
    pub recursive: BTreeMap<FuncId, BTreeSet<FuncId>>,
    /// Rows for templates of plans that ask for them.
    pub suggestions: crate::Suggestions,
    /// Where the checks stand that a formula of [`Root::Part`] is about.
    pub targets: BTreeSet<Block>,
    cfgs: FxHashMap<FuncId, Rc<Cfg>>,
    /// What the program has to do with the library; looked up when it is first asked for.
    pub library: Option<Arc<crate::Library>>,
}

impl<'a> Encoder<'a> {
    /// An encoder.
    pub fn new(module: &'a Module, checks: &'a Checks, rules: Rules) -> Encoder<'a> {
        let terms = Terms::new(module.target.pointer_bits);
        Encoder {
            module,
            checks,
            rules,
            facts: None,
            terms,
            observe: false,
            endless: false,
            defined: false,
            laps: false,
            heads: false,
            arrivals: false,
            summaries: false,
            wraps: false,
            recursive: BTreeMap::new(),
            suggestions: crate::Suggestions::default(),
            targets: BTreeSet::new(),
            cfgs: FxHashMap::default(),
            library: None,
        }
    }

    /// The same with what is known of the program's values.
    pub fn with(self, facts: Option<&'a Settled>) -> Encoder<'a> {
        Encoder { facts, ..self }
    }

    fn cfg(&mut self, f: FuncId, body: &Body) -> Rc<Cfg> {
        self.cfgs.entry(f).or_insert_with(|| Rc::new(Cfg::new(body))).clone()
    }

    /// The formula of a plan. `stop` is asked now and then.
    pub fn encode(&mut self, plan: &Plan, stop: &dyn Fn() -> bool) -> Res<Formula> {
        let (tt, ff) = (self.terms.pool.tt(), self.terms.pool.ff());
        let mut b = Build {
            e: self,
            plan,
            stop,
            out: Formula::default(),
            held: tt,
            filter: tt,
            dry: 0,
            stack: Vec::new(),
            path: vec![plan.root.func().0],
            uses: FxHashMap::default(),
            exposed: BTreeSet::new(),
            allocated: Vec::new(),
            leak_checks: BTreeMap::new(),
            starting: None,
            further: None,
            sums: Vec::new(),
            seen: Vec::new(),
            elements_read: BTreeMap::new(),
            tt,
            ff,
        };
        b.run()?;
        b.finish_elements();
        Ok(b.out)
    }
}

/// A formula in the making.
pub struct Build<'e, 'a> {
    pub(crate) e: &'e mut Encoder<'a>,
    pub(crate) plan: &'e Plan,
    stop: &'e dyn Fn() -> bool,
    pub(crate) out: Formula,
    /// See the module.
    pub(crate) held: Term,
    /// Which claims count: not those in early copies of a loop that was entered in the middle.
    filter: Term,
    /// Depth of trial runs, whose claims do not count.
    pub(crate) dry: u32,
    pub(crate) stack: Vec<Frame>,
    /// Names the dynamic context: calls and loop copies.
    pub(crate) path: Vec<u32>,
    uses: FxHashMap<Vec<u32>, u32>,
    /// Objects that a pointer in memory, or unknown code, may point to.
    pub(crate) exposed: BTreeSet<u32>,
    /// Heap objects made so far: the check that they are not lost, and when ones of earlier iterations may exist too.
    pub(crate) allocated: Vec<(verify_checks::CheckId, Term)>,
    /// The leak check of a heap object.
    pub(crate) leak_checks: BTreeMap<u32, verify_checks::CheckId>,
    /// The next call is one of any activation.
    pub(crate) starting: Option<Rc<Recursive>>,
    /// The object of the further arguments of the call that starts.
    pub(crate) further: Option<u32>,
    /// Sums of three and more numbers that rows bounded on the way.
    pub(crate) sums: Vec<crate::linear::Known>,
    /// Visits with rows about elements.
    pub(crate) seen: Vec<crate::elements::Seen>,
    /// Elements that are read, by object and size.
    pub(crate) elements_read: BTreeMap<(u32, u64), Vec<Term>>,
    pub(crate) tt: Term,
    pub(crate) ff: Term,
}

/// Lengths and values to which a trial run is undone.
struct Mark {
    claims: usize,
    cuts: usize,
    blockers: usize,
    unwound: usize,
    events: usize,
    observations: usize,
    selects: usize,
    visits: usize,
    heads: usize,
    turns: usize,
    laps: usize,
    assumed: usize,
    seen: usize,
    held: Term,
}

/// Ways out of a region: where to, and how.
type Edges = Vec<(Block, Arrival)>;

/// Iterations of a loop, decided by constants, in which some executions end or return.
const MAX_ENDING: u32 = 128;

impl<'a> Build<'_, 'a> {
    pub(crate) fn module(&self) -> &'a Module {
        self.e.module
    }
    pub(crate) fn t(&mut self) -> &mut Terms {
        &mut self.e.terms
    }
    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("the walk is inside a call")
    }
    pub(crate) fn here(&self) -> (FuncId, Loc) {
        let f = self.stack.last().expect("the walk is inside a call");
        (f.func, f.loc)
    }
    pub(crate) fn is(&self, t: Term) -> bool {
        t == self.tt
    }
    pub(crate) fn never(&self, t: Term) -> bool {
        t == self.ff
    }

    fn mark(&self) -> Mark {
        let o = &self.out;
        Mark {
            claims: o.claims.len(),
            cuts: o.cuts.len(),
            blockers: o.blockers.len(),
            unwound: o.unwound.len(),
            events: o.events.len(),
            observations: o.observations.len(),
            selects: o.selects.len(),
            visits: o.visits.len(),
            heads: o.heads.len(),
            turns: o.turns.len(),
            laps: o.laps.len(),
            assumed: o.assumed.len(),
            seen: self.seen.len(),
            held: self.held,
        }
    }
    fn undo(&mut self, m: &Mark) {
        let o = &mut self.out;
        o.claims.truncate(m.claims);
        o.cuts.truncate(m.cuts);
        o.blockers.truncate(m.blockers);
        o.unwound.truncate(m.unwound);
        o.events.truncate(m.events);
        o.observations.truncate(m.observations);
        o.selects.truncate(m.selects);
        o.visits.truncate(m.visits);
        o.heads.truncate(m.heads);
        o.turns.truncate(m.turns);
        o.laps.truncate(m.laps);
        o.assumed.truncate(m.assumed);
        self.seen.truncate(m.seen);
        self.held = m.held;
    }

    /// A key that nothing else in this formula has, the same in every formula in which the same happens.
    pub(crate) fn key(&mut self, purpose: u32) -> Vec<u32> {
        let mut k = self.path.clone();
        if let Some(f) = self.stack.last() {
            k.extend([u32::MAX, f.loc.block.0, f.loc.inst]);
        }
        k.push(purpose);
        let n = self.uses.entry(k.clone()).or_insert(0);
        *n += 1;
        k.push(*n);
        k
    }
    pub(crate) fn fresh(&mut self, purpose: u32, width: u32) -> Term {
        let k = self.key(purpose);
        self.t().symbol(&k, Sort::Bv(width))
    }
    pub(crate) fn bits(&self, ty: Ty) -> u32 {
        ty.bits(&self.e.module.target)
    }
    /// An arbitrary defined value.
    pub(crate) fn anything(&mut self, purpose: u32, ty: Ty) -> Sym {
        let w = self.bits(ty);
        let bits = self.fresh_of(purpose, ty);
        if ty != Ty::Ptr && w >= self.e.terms.ptr_bits {
            // A number that may be an address.
            self.t().addressed = true;
        }
        if ty == Ty::Ptr {
            self.t().wild.insert(bits);
        }
        let n = if ty == Ty::Ptr { WILD } else { crate::sym::NULL };
        let prov = self.t().prov(n);
        Sym { bits, prov, undef: self.ff }
    }

    /// Any bits that a value of the type may have: those of the x87 say one thing twice, which no machine makes.
    pub(crate) fn fresh_of(&mut self, purpose: u32, ty: Ty) -> Term {
        if ty != Ty::Float(FloatKind::X87) {
            return self.fresh(purpose, self.bits(ty));
        }
        let number = self.fresh(purpose, x87::WIDTH - 1);
        x87::to_bits(&mut self.e.terms.pool, number)
    }

    /// A value that other code of the program hands over: arbitrary, and undefined for all that is known.
    pub(crate) fn handed_over(&mut self, purpose: u32, ty: Ty) -> Sym {
        let s = self.anything(purpose, ty);
        if self.e.rules.uninit_is_arbitrary {
            return s;
        }
        Sym { undef: self.fresh(purpose, 1), ..s }
    }

    pub(crate) fn assume(&mut self, guard: Term, c: Term) {
        let i = self.e.terms.pool.implies(guard, c);
        self.held = self.e.terms.pool.and(self.held, i);
    }

    /// Executions whose claims count here.
    pub(crate) fn filter(&self) -> Term {
        self.filter
    }

    /// A condition of an execution that counts and gets here.
    pub(crate) fn reached(&mut self, guard: Term) -> Term {
        let g = self.e.terms.pool.and(guard, self.held);
        self.e.terms.pool.and(g, self.filter)
    }

    /// A check: `fails` over-approximates its failure where `guard` holds. With `exact`, later places may assume that
    /// it did not fail.
    pub(crate) fn claim(&mut self, kind: CheckKind, guard: Term, fails: Term, exact: bool) {
        let bad = self.e.terms.pool.and(guard, fails);
        if self.never(bad) {
            return;
        }
        if self.dry == 0 {
            let stack = self.stack.iter().rev().map(|f| Place { func: f.func, loc: f.loc });
            if let Some(check) = self.e.checks.attribute(self.e.module, stack, kind) {
                let fails = self.reached(bad);
                if !self.never(fails) {
                    self.out.claims.push(Claim { check, fails });
                }
            }
        }
        if exact && !self.goes_on(kind) {
            let ok = self.e.terms.pool.not(bad);
            self.held = self.e.terms.pool.and(self.held, ok);
        }
    }

    /// A claim about a check that stands somewhere else.
    pub(crate) fn claim_at(&mut self, check: verify_checks::CheckId, guard: Term, fails: Term) {
        let bad = self.e.terms.pool.and(guard, fails);
        let fails = self.reached(bad);
        if self.dry == 0 && !self.never(fails) {
            self.out.claims.push(Claim { check, fails });
        }
    }

    /// The innermost user code.
    pub(crate) fn user_place(&self) -> Option<(FuncId, Loc)> {
        let stack = self.stack.iter().rev().map(|f| Place { func: f.func, loc: f.loc });
        user_frame(self.e.module, stack).map(|p| (p.func, p.loc))
    }

    /// For tests: an observation of user code, here.
    pub(crate) fn observe(&mut self, guard: Term, seen: Seen) {
        if !self.e.observe || self.dry > 0 {
            return;
        }
        let (func, loc) = self.here();
        if !matches!(seen, Seen::Hidden | Seen::Over)
            && verify_checks::calls::is_model(self.e.module, self.e.module.func(func))
        {
            return;
        }
        let reached = self.e.terms.pool.and(guard, self.held);
        let events = self.out.events.len();
        let calls = self.user_calls(1);
        self.out.observations.push(Observation { reached, events, func, loc, calls, seen });
    }

    /// A number for where control is in the functions of user code in progress but the innermost so many.
    fn user_calls(&self, but: usize) -> u64 {
        let module = self.e.module;
        let user = |f: &&Frame| !verify_checks::calls::is_model(module, module.func(f.func));
        call_stack_number(self.stack.iter().rev().skip(but).filter(user).map(|f| (f.func, f.loc)))
    }

    fn observe_results(&mut self, inst: &verify_ir::Inst, path: &Path) {
        // Comparisons show in where control goes; the interpreter merges them with the branch. What a stack pointer is
        // saved as means nothing.
        use verify_ir::InstKind as I;
        let left_out = matches!(inst.kind, I::Call(_) | I::Icmp { .. } | I::StackSave);
        if !self.e.observe || left_out {
            return;
        }
        for (k, r) in inst.results.iter().enumerate() {
            let v = self.operand(path, &Operand::Value(*r));
            self.observe(path.guard, Seen::Value(k as u32, v));
        }
    }

    pub(crate) fn cut(&mut self, guard: Term, callees: Vec<FuncId>, any: bool, what: String) {
        let reached = self.reached(guard);
        if self.dry == 0 && !self.never(reached) {
            if any || !callees.iter().all(|f| crate::output::is_output(&self.e.module.func(*f).name)) {
                self.observe(guard, Seen::Hidden);
            }
            let model = |f: &FuncId| verify_checks::calls::is_model(self.e.module, self.e.module.func(*f));
            let in_model = self.stack.last().is_some_and(|f| model(&f.func));
            let place = if any || in_model || callees.iter().any(model) { self.user_place() } else { None };
            self.out.cuts.push(Cut { reached, callees, any, place, claimed: verify_checks::KindSet::EMPTY, what });
        }
    }

    pub(crate) fn block(&mut self, guard: Term, why: &str) {
        let reached = self.reached(guard);
        if self.dry == 0 && !self.never(reached) {
            let place = Some(self.here());
            self.observe(guard, Seen::Hidden);
            self.out.blockers.push(Blocker { reached, why: why.to_string(), place });
        }
    }

    pub(crate) fn event(&mut self, guard: Term, kind: EventKind) {
        if self.dry == 0 {
            if self.e.observe
                && let Some((func, loc)) = self.user_place()
            {
                let events = self.out.events.len();
                let seen = Seen::Choice(self.user_calls(0));
                let calls = self.user_calls(1);
                self.out.observations.push(Observation { reached: guard, events, func, loc, calls, seen });
            }
            self.out.events.push(Event { happens: guard, kind });
        }
    }

    /// `c ? a : b`.
    pub(crate) fn choose(&mut self, c: Term, a: Sym, b: Sym) -> Sym {
        if a == b { a } else { self.e.terms.choose(c, a, b) }
    }

    fn run(&mut self) -> Res<()> {
        if self.module().target.big_endian {
            let why = "big-endian memory is not encoded".to_string();
            self.out.blockers.push(Blocker { reached: self.tt, why, place: None });
            return Ok(());
        }
        let mut path = Path {
            guard: self.tt,
            memory: Memory::default(),
            outs: Rc::default(),
            wild: Rc::default(),
            generation: 0,
            scope: 0,
        };
        match self.plan.root {
            Root::Call(f) => {
                // Callers may hand in addresses as numbers.
                self.t().addressed = true;
                path.memory.epoch = self.t().epoch(&[1]);
                let args = self.arbitrary_arguments(f);
                let results = if self.e.summaries { self.module().func(f).sig.results.clone() } else { Vec::new() };
                let end = self.call_body(f, args.clone(), path, &results)?;
                if let (Some(end), true) = (end, self.e.summaries) {
                    self.summary(f, &args, &end);
                }
            }
            Root::Part(f, start) => {
                self.t().addressed = true;
                path.memory.epoch = self.t().epoch(&[1]);
                let targets = self.e.targets.clone();
                self.run_part(f, start, &targets, path)?;
            }
            Root::Program(f) => self.run_program(f, path)?,
        }
        Ok(())
    }

    fn arbitrary_arguments(&mut self, f: FuncId) -> Vec<Sym> {
        let params: Vec<Ty> = self.module().func(f).sig.params.iter().map(|p| p.ty).collect();
        params.into_iter().map(|ty| self.handed_over(1, ty)).collect()
    }

    fn run_program(&mut self, main: FuncId, mut path: Path) -> Res<()> {
        let mut constructors = self.module().constructors.clone();
        constructors.sort_by_key(|c| c.priority);
        for (i, c) in constructors.iter().enumerate() {
            self.path.push(i as u32);
            let out = self.call_body(c.func, Vec::new(), path, &[])?;
            self.path.pop();
            let Some(out) = out else { return Ok(()) };
            path = out.path;
        }
        let args = if self.module().func(main).name == "main" {
            self.handed_to_main(main, &mut path)
        } else {
            let params: Vec<Ty> = self.module().func(main).sig.params.iter().map(|p| p.ty).collect();
            let args: Vec<Sym> = params.iter().map(|ty| self.anything(1, *ty)).collect();
            for (k, a) in args.iter().enumerate() {
                self.event(self.tt, EventKind::Parameter(k as u32, a.bits));
            }
            args
        };
        let results: Vec<Ty> = self.module().func(main).sig.results.clone();
        // The frame of `main` is still there when the program ends, for the places of checks.
        self.call_main(main, args, path, &results)
    }

    /// Runs a function with a body on a path: where it returns, and its results. `None`: it does not return.
    pub(crate) fn call_body(&mut self, f: FuncId, args: Vec<Sym>, path: Path, results: &[Ty]) -> Res<Option<Arrival>> {
        let (returned, outs) = self.enter(f, args, path)?;
        let Some(mut end) = self.meet(returned) else { return Ok(None) };
        let have = self.module().func(f).sig.results.clone();
        let mut values = Vec::new();
        for (k, want) in results.iter().enumerate() {
            let v = match (end.args.get(k), have.get(k)) {
                (Some(v), Some(ty)) => self.adapt(*v, *ty, *want),
                _ => self.undefined(*want),
            };
            values.push(v);
        }
        end.args = values;
        end.path.outs = outs;
        Ok(Some(end))
    }

    fn call_main(&mut self, main: FuncId, args: Vec<Sym>, path: Path, results: &[Ty]) -> Res<()> {
        let (returned, _) = self.enter(main, args, path)?;
        for r in returned {
            let cfg = self.cfg_of(main);
            // Checks of the end stand where `main` returns.
            let loc = self.return_place(main);
            self.stack.push(Frame {
                func: main,
                cfg,
                env: Vec::new(),
                returned: Vec::new(),
                loc,
                allocas: Vec::new(),
                entered: r.path.guard,
                recursive: None,
                further: None,
            });
            if !results.is_empty()
                && let Some(v) = r.args.first()
            {
                self.claim(CheckKind::UninitRead, r.path.guard, v.undef, false);
            }
            if let Some(v) = r.args.first() {
                self.observe(r.path.guard, Seen::Returned(*v));
            }
            self.program_ends(&r.path, if results.is_empty() { None } else { r.args.first().copied() })?;
            self.stack.pop();
        }
        Ok(())
    }

    fn return_place(&self, f: FuncId) -> Loc {
        let body = self.e.module.func(f).body.as_ref();
        body.and_then(|b| {
            b.block_ids().find_map(|k| {
                let d = b.block(k);
                matches!(d.term, verify_ir::Terminator::Return(_))
                    .then_some(Loc { block: k, inst: d.insts.len() as u32 })
            })
        })
        .unwrap_or(Loc { block: Block(0), inst: 0 })
    }

    fn cfg_of(&mut self, f: FuncId) -> Rc<Cfg> {
        match self.e.module.func(f).body.as_ref() {
            Some(b) => self.e.cfg(f, b),
            None => Rc::new(Cfg::new(&Body::default())),
        }
    }

    /// Walks a body; the paths that return, and the caller's values that outlive loops.
    fn enter(&mut self, f: FuncId, args: Vec<Sym>, path: Path) -> Res<(Vec<Arrival>, Outliving)> {
        let body = self.e.module.func(f).body.as_ref().expect("callers look for a body");
        let cfg = self.e.cfg(f, body);
        self.out.spliced.insert(f);
        self.stack.push(Frame {
            func: f,
            cfg,
            env: vec![None; body.values.len()],
            returned: Vec::new(),
            loc: Loc { block: Block(0), inst: 0 },
            allocas: Vec::new(),
            entered: path.guard,
            recursive: self.starting.take(),
            further: self.further.take(),
        });
        let again = self.stack.iter().filter(|x| x.func == f).count() as u32;
        self.out.recursion = self.out.recursion.max(again);
        let outs = path.outs.clone();
        let path = Path { outs: Rc::default(), ..path };
        let r = self.region(body, None, Block(0), Arrival { path, args });
        let frame = self.stack.pop().expect("pushed above");
        r?;
        let mut returned = frame.returned;
        for r in &mut returned {
            self.end_stack_objects(&mut r.path, &frame.allocas);
        }
        Ok((returned, outs))
    }

    /// Joins paths into one. Their guards exclude each other.
    pub(crate) fn meet(&mut self, arrivals: Vec<Arrival>) -> Option<Arrival> {
        let ff = self.ff;
        let mut all = arrivals.into_iter().filter(|a| a.path.guard != ff);
        let mut acc = all.next()?;
        for a in all {
            let sel = self.selector(a.path.guard, acc.path.guard);
            for (x, y) in acc.args.iter_mut().zip(&a.args) {
                *x = self.choose(sel, *y, *x);
            }
            if !Rc::ptr_eq(&acc.path.outs, &a.path.outs) {
                let mut m = (*acc.path.outs).clone();
                for (v, y) in a.path.outs.iter() {
                    let new = match m.get(v) {
                        Some(x) => self.choose(sel, *y, *x),
                        None => *y,
                    };
                    m.insert(*v, new);
                }
                acc.path.outs = Rc::new(m);
            }
            self.meet_wild(sel, &mut acc.path, &a.path);
            let module = self.e.module;
            acc.path.memory = Memory::merge(&mut self.e.terms, module, sel, &a.path.memory, &acc.path.memory);
            acc.path.guard = self.e.terms.pool.or(acc.path.guard, a.path.guard);
        }
        Some(acc)
    }

    /// A term that tells two exclusive guards apart: `a`, or the condition by which they differ.
    fn selector(&mut self, a: Term, b: Term) -> Term {
        let p = &self.e.terms.pool;
        let parts = |t: Term| p.as_app(t, verify_solver::Op::And).map(|x| [x[0], x[1]]);
        if let (Some(x), Some(y)) = (parts(a), parts(b)) {
            for i in 0..2 {
                for j in 0..2 {
                    if x[i] == y[j] {
                        let (c, d) = (x[1 - i], y[1 - j]);
                        if self.e.terms.pool.not(c) == d {
                            return c;
                        }
                    }
                }
            }
        }
        a
    }

    /// Walks the body of the innermost frame from `first` to where control leaves it.
    pub(crate) fn walk(&mut self, body: &'a Body, first: Block, start: Arrival) -> Res<()> {
        self.region(body, None, first, start)?;
        Ok(())
    }

    /// Walks a region (a function, or one iteration of a loop) from its first block. Gives back the paths that leave
    /// it, with their targets; those to `first` itself are the next iteration.
    fn region(
        &mut self,
        body: &'a Body,
        l: Option<LoopId>,
        first: Block,
        start: Arrival,
    ) -> Res<Vec<(Block, Arrival)>> {
        let cfg = self.frame().cfg.clone();
        let mut waiting: BTreeMap<Block, Vec<Arrival>> = BTreeMap::new();
        waiting.insert(first, vec![start]);
        let mut leaving = Vec::new();
        for &b in cfg.region(l) {
            let Some(arrivals) = waiting.remove(&b) else { continue };
            let Some(at) = self.meet(arrivals) else { continue };
            let next = match cfg.heads(l, b).filter(|_| b != first || l.is_none()) {
                Some(inner) => self.run_loop(body, inner, at)?,
                None => self.run_block(body, b, at)?,
            };
            for (to, a) in next {
                if a.path.guard == self.ff || l.is_none() && cfg.ends_at(to) {
                    continue;
                }
                if cfg.inside(l, to) && !(l.is_some() && to == first) {
                    waiting.entry(to).or_default().push(a);
                } else {
                    leaving.push((to, a));
                }
            }
        }
        // What waits still went into a loop other than by its header.
        for (b, arrivals) in waiting {
            self.frame().loc = Loc { block: b, inst: 0 };
            for a in arrivals {
                self.block(a.path.guard, "a loop with several entries");
            }
        }
        Ok(leaving)
    }

    /// One block.
    fn run_block(&mut self, body: &'a Body, b: Block, at: Arrival) -> Res<Vec<(Block, Arrival)>> {
        let data = body.block(b);
        let mut path = at.path;
        self.frame().loc = Loc { block: b, inst: 0 };
        for (v, s) in data.params.iter().zip(at.args) {
            self.define(&mut path, *v, s);
        }
        self.out.instructions += data.insts.len() as u64 + 1;
        if self.out.instructions > self.plan.max_instructions {
            return Err(TooBig::Instructions);
        }
        if self.e.terms.pool.len() > self.plan.max_terms {
            return Err(TooBig::Terms);
        }
        if (self.stop)() {
            return Err(TooBig::Stopped);
        }
        for (i, inst) in data.insts.iter().enumerate() {
            self.frame().loc = Loc { block: b, inst: i as u32 };
            self.inst(body, inst, &mut path)?;
            if path.guard == self.ff {
                return Ok(Vec::new());
            }
            self.observe_results(inst, &path);
        }
        self.frame().loc = Loc { block: b, inst: data.insts.len() as u32 };
        self.terminator(body, &data.term, path)
    }

    pub(crate) fn define(&mut self, path: &mut Path, v: Value, s: Sym) {
        let s = self.hinted(path, v, s);
        let f = self.stack.last_mut().expect("the walk is inside a call");
        f.env[v.index()] = Some(s);
        if f.cfg.outliving.contains(&v) {
            Rc::make_mut(&mut path.outs).insert(v, s);
        }
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, path: &Path, o: &Operand) -> Sym {
        match o {
            Operand::Const(c) => self.constant(path, c),
            Operand::Value(v) => {
                if let Some(s) = path.outs.get(v) {
                    return *s;
                }
                let f = self.frame();
                // Well-formed bodies define before use on every path.
                f.env[v.index()].expect("defined on every path")
            }
        }
    }

    /// A loop: `at` is how its header is entered.
    fn run_loop(&mut self, body: &'a Body, l: LoopId, at: Arrival) -> Res<Vec<(Block, Arrival)>> {
        let cfg = self.frame().cfg.clone();
        let info = cfg.loops.get(l);
        if info.irreducible {
            self.frame().loc = Loc { block: info.header, inst: 0 };
            self.block(at.path.guard, "a loop with several entries");
            return Ok(Vec::new());
        }
        let header = info.header;
        let saved_env = self.frame().env.clone();
        let (mark, exposed) = (self.mark(), self.exposed.clone());
        let read = self.elements_read.clone();
        let (returned, allocas) = (self.frame().returned.len(), self.frame().allocas.len());
        // What is undone was work all the same: instructions stay counted.
        if let Some((exits, copies)) = self.unroll(body, l, header, &at)? {
            self.out.followed = self.out.followed.max(copies);
            return Ok(exits);
        }
        self.undo(&mark);
        (self.exposed, self.elements_read) = (exposed, read);
        self.frame().env = saved_env;
        self.frame().returned.truncate(returned);
        self.frame().allocas.truncate(allocas);
        let induction = self.plan.mode == Mode::Induction || self.dry > 0;
        let entry = at.clone();
        let (start, select, cells) = if induction { self.any_iteration(body, l, at)? } else { (at, None, Vec::new()) };
        let outer = self.filter;
        let once = self.dry > 0 || self.plan.innermost && self.has_loops(body, &cfg.loops, l);
        let k = if once { 1 } else { self.plan.unwind.max(1) };
        let template = match select {
            Some(ls) if self.dry == 0 => {
                let t = self.template(body, l, &entry, &start, &cells);
                let not = self.e.terms.pool.not(ls);
                self.visit(&t, &start, &entry, not, outer);
                let begins = self.e.terms.pool.and(start.path.guard, outer);
                self.head_state(body, l, &t, &start, begins, Some(ls));
                let entered = self.e.terms.pool.and(start.path.guard, not);
                self.head_state(body, l, &t, &entry, entered, None);
                Some(t)
            }
            _ => None,
        };
        let mut exits = Vec::new();
        let begun = self.e.endless.then(|| start.clone());
        let mut next = Some(start);
        let mut heads: Vec<Arrival> = Vec::new();
        for copy in 1..=k {
            let Some(at) = next.take() else { break };
            if self.e.laps && !induction {
                heads.push(at.clone());
            }
            self.path.extend([u32::MAX - 1, header.0, copy]);
            // Entered in the middle: only the last copy is looked at.
            let early = match select {
                Some(ls) if copy < k => {
                    let not = self.e.terms.pool.not(ls);
                    self.filter = self.e.terms.pool.and(outer, not);
                    Some(not)
                }
                _ => {
                    self.filter = outer;
                    None
                }
            };
            let leaving = self.region(body, Some(l), header, at)?;
            let mut back = Vec::new();
            for (to, mut a) in leaving {
                if to == header {
                    for v in &a.args {
                        self.expose(*v);
                    }
                    back.push(a);
                } else {
                    if let Some(not) = early {
                        a.path.guard = self.e.terms.pool.and(a.path.guard, not);
                    }
                    exits.push((to, a));
                }
            }
            self.path.truncate(self.path.len() - 3);
            next = self.meet(back);
            if let Some(n) = &next
                && self.e.laps
                && !induction
            {
                self.laps(&heads, n);
            }
            if let (Some(t), Some(n)) = (&template, &next) {
                // Entered in the middle, the invariant is shown where the last copy comes round.
                let assumed = if copy < k { outer } else { self.ff };
                self.visit(t, n, n, self.tt, assumed);
                self.head_state(body, l, t, n, n.path.guard, None);
            }
        }
        self.filter = outer;
        if let (Some(start), Some(n)) = (&begun, &next)
            && induction
        {
            self.turn(body, l, (start, n), k, &cells);
        }
        if let Some(n) = &next
            && induction
        {
            self.observe(n.path.guard, Seen::Over);
        }
        if let Some(n) = next
            && self.dry == 0
            && !induction
        {
            let more = self.reached(n.path.guard);
            if !self.never(more) {
                self.out.unwound.push(more);
                self.observe(n.path.guard, Seen::Hidden);
            }
        }
        Ok(exits)
    }

    /// Follows a loop as long as constants decide every branch that leaves it: the ways out, and how many iterations it
    /// has. `None`: they do not.
    fn unroll(&mut self, body: &'a Body, l: LoopId, header: Block, at: &Arrival) -> Res<Option<(Edges, u32)>> {
        let mut exits = Edges::new();
        let mut next = Some(at.clone());
        let mut copy = 0;
        let entered = at.path.guard;
        while let Some(at) = next.take() {
            if copy == self.plan.deterministic {
                return Ok(None);
            }
            copy += 1;
            self.path.extend([u32::MAX - 1, header.0, copy]);
            let r = self.region(body, Some(l), header, at);
            self.path.truncate(self.path.len() - 3);
            let (back, out): (Vec<_>, Vec<_>) = r?.into_iter().partition(|(to, _)| *to == header);
            for v in back.iter().flat_map(|(_, a)| &a.args) {
                self.expose(*v);
            }
            exits.extend(out);
            next = self.meet(back.into_iter().map(|b| b.1).collect());
            if let Some(n) = &next {
                // A way out that may be taken and may not be; and long loops that executions end or return in.
                let decided = exits.is_empty() && (copy <= MAX_ENDING || self.same_guard(n.path.guard, entered));
                if !decided {
                    return Ok(None);
                }
            }
        }
        Ok(Some((exits, copy)))
    }

    /// There are other loops in the loop, or in what it calls directly, however deep.
    fn has_loops(&self, body: &Body, forest: &LoopForest, l: LoopId) -> bool {
        let inside = &forest.get(l).blocks;
        if inside.iter().any(|b| forest.innermost(*b) != Some(l)) {
            return true;
        }
        let (mut seen, mut todo) = (BTreeSet::new(), Vec::new());
        let mut calls = |body: &Body, blocks: &[Block], todo: &mut Vec<FuncId>| {
            for i in blocks.iter().flat_map(|b| &body.block(*b).insts) {
                if let InstKind::Call(c) = &i.kind
                    && let Some(f) = verify_checks::calls::direct_callee(self.e.module, c)
                    && seen.insert(f)
                {
                    todo.push(f);
                }
            }
        };
        calls(body, inside, &mut todo);
        while let Some(f) = todo.pop() {
            let Some(b) = &self.e.module.func(f).body else { continue };
            let (forest, all) = (LoopForest::new(b), b.block_ids().collect::<Vec<_>>());
            if all.iter().any(|x| forest.innermost(*x).is_some()) {
                return true;
            }
            calls(b, &all, &mut todo);
        }
        false
    }

    fn same_guard(&self, now: Term, entered: Term) -> bool {
        now == entered
    }

    pub(crate) fn trial<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let mark = self.mark();
        let env = self.frame().env.clone();
        let returned = self.frame().returned.len();
        let allocas = self.frame().allocas.len();
        self.dry += 1;
        self.path.push(u32::MAX - 2);
        let r = f(self);
        self.path.pop();
        self.dry -= 1;
        self.undo(&mark);
        let frame = self.frame();
        frame.env = env;
        frame.returned.truncate(returned);
        frame.allocas.truncate(allocas);
        r
    }

    pub(crate) fn loop_region(
        &mut self,
        body: &'a Body,
        l: LoopId,
        header: Block,
        at: Arrival,
    ) -> Res<Vec<(Block, Arrival)>> {
        self.region(body, Some(l), header, at)
    }
}
