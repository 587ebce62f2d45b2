//! A part of a large function: executions from one of its blocks on, in any state that they may be in there, until they
//! leave the blocks from which the checks asked for can be reached. A block that all ways to a check lead through (a
//! dominator) may be the start: every execution that fails the check comes by there for the last time, and from then on it
//! stays in blocks that the start dominates. So what no execution of the part fails, no execution of the function fails.
//!
//! Of the state at the start is known: values computed from others before it are computed again, as SSA values do not
//! change; of branches that every way to the start takes, which way they went; checks that every way passed; what the
//! [facts](crate::hint) say. Everything else (results of loads and calls, memory, contents of stack objects) is free.

use crate::build::{Arrival, Build, Frame, Path, Res};
use crate::cfg::Cfg;
use crate::memory::{Base, State};
use crate::wild::Known;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_facts::{Dominators, Graph};
use verify_ir::{Block, Body, CheckKind, Const, FuncId, Inst, InstKind, Loc, Operand, Terminator, Value};

/// Instructions before the start that are computed again.
const MAX_AGAIN: usize = 400;
/// Dominators of the start that are looked at for what was decided there.
const MAX_BEFORE: usize = 40;

/// Blocks that an execution may run through from `start` to one of the targets without coming by `start` again. `None`:
/// `start` does not dominate a target.
pub fn blocks(
    graph: &Graph,
    dominators: &Dominators,
    start: Block,
    targets: &BTreeSet<Block>,
) -> Option<BTreeSet<Block>> {
    if !targets.iter().all(|t| dominators.dominates(start, *t)) {
        return None;
    }
    let before = graph.reversed();
    let mut out: BTreeSet<Block> = targets.clone();
    out.insert(start);
    let mut todo: Vec<Block> = targets.iter().copied().filter(|t| *t != start).collect();
    while let Some(b) = todo.pop() {
        for p in before.succs(b.0).iter().map(|p| Block(*p)) {
            if dominators.dominates(start, p) && out.insert(p) {
                todo.push(p);
            }
        }
    }
    Some(out)
}

/// Where a value is made.
#[derive(Clone, Copy)]
enum Home<'a> {
    Param(Block),
    Inst(Loc, &'a Inst),
}

/// The way that every execution took at a branch: the value was this, or none of these.
enum Taken<'a> {
    Is(&'a Operand, bool),
    Case(&'a Operand, &'a Const),
    NoCase(&'a Operand, Vec<&'a Const>),
}

impl Taken<'_> {
    fn operand(&self) -> &Operand {
        match self {
            Taken::Is(o, _) | Taken::Case(o, _) | Taken::NoCase(o, _) => o,
        }
    }
}

/// Gives the same value whenever it is computed from the same operands.
fn is_pure(kind: &InstKind) -> bool {
    use InstKind as I;
    matches!(
        kind,
        I::Binary { .. }
            | I::Icmp { .. }
            | I::Overflow { .. }
            | I::Unary { .. }
            | I::Funnel { .. }
            | I::FBinary { .. }
            | I::FUnary { .. }
            | I::Fma { .. }
            | I::Fcmp { .. }
            | I::Cast { .. }
            | I::Select { .. }
            | I::Addr { .. }
            | I::Alloca { .. }
    )
}

impl<'a> Build<'_, 'a> {
    /// Walks the part of the function that leads from `start` to the targets.
    pub(crate) fn run_part(&mut self, f: FuncId, start: Block, targets: &BTreeSet<Block>, path: Path) -> Res<()> {
        let Some(body) = self.module().func(f).body.as_ref() else { return Ok(()) };
        let (graph, dominators) = (Graph::of_body(body), Dominators::new(body));
        let Some(part) = blocks(&graph, &dominators, start, targets) else {
            let why = "a start that executions may miss".to_string();
            self.out.blockers.push(crate::formula::Blocker { reached: self.tt, why, place: None });
            return Ok(());
        };
        let cfg = Rc::new(Cfg::of_part(body, start, &part));
        self.out.spliced.insert(f);
        self.stack.push(Frame {
            func: f,
            cfg,
            env: vec![None; body.values.len()],
            returned: Vec::new(),
            loc: Loc { block: start, inst: 0 },
            allocas: Vec::new(),
            entered: path.guard,
            recursive: None,
            further: None,
        });
        self.out.recursion = self.out.recursion.max(1);
        let mut path = path;
        // What fails before the start is asked elsewhere.
        self.dry += 1;
        let r = self.before(body, &graph, &dominators, start, &part, &mut path);
        self.dry -= 1;
        let r = r.and_then(|()| {
            self.frame().loc = Loc { block: start, inst: 0 };
            let params = &body.block(start).params;
            let args = params.iter().map(|v| self.handed_over(1, body.ty(*v))).collect();
            self.walk(body, start, Arrival { path, args })
        });
        self.stack.pop();
        r
    }

    /// Makes the values that the part uses, and assumes what every way to the start has decided.
    fn before(
        &mut self,
        body: &'a Body,
        graph: &Graph,
        dominators: &Dominators,
        start: Block,
        part: &BTreeSet<Block>,
        path: &mut Path,
    ) -> Res<()> {
        let homes = homes(body);
        let mut wanted: BTreeSet<Value> = BTreeSet::new();
        let outside = |o: &Operand| {
            let v = o.as_value()?;
            let at = match homes.get(&v)? {
                Home::Param(b) => *b,
                Home::Inst(l, _) => l.block,
            };
            (!part.contains(&at)).then_some(v)
        };
        for b in part {
            let data = body.block(*b);
            data.insts.iter().for_each(|i| i.kind.for_each_operand(&mut |o| wanted.extend(outside(o))));
            data.term.for_each_operand(&mut |o| wanted.extend(outside(o)));
        }
        let taken = taken(body, graph, dominators, start);
        let passed = passed(body, dominators, start);
        wanted.extend(taken.iter().filter_map(|t| outside(t.operand())));
        wanted.extend(passed.iter().filter_map(|(_, o)| outside(o)));
        let (order, again) = closure(&homes, wanted, graph);
        for (v, home) in order {
            if self.frame().env[v.index()].is_some() {
                continue;
            }
            match home {
                Home::Inst(loc, inst) if again.contains(&v) => {
                    self.frame().loc = loc;
                    self.inst(body, inst, path)?;
                    if matches!(inst.kind, InstKind::Alloca { .. }) {
                        self.used_before(body, loc, v, path);
                    }
                }
                Home::Inst(loc, _) => {
                    self.frame().loc = loc;
                    let s = self.handed_over(2, body.ty(v));
                    self.define(path, v, s);
                }
                Home::Param(b) => {
                    self.frame().loc = Loc { block: b, inst: 0 };
                    let s = self.handed_over(2, body.ty(v));
                    self.define(path, v, s);
                }
            }
        }
        // What was freed or left since then, the facts do not say: theirs are of where a value is made.
        let k = self.key(6);
        path.generation = self.t().epoch(&k);
        Known::forget(path, path.generation);
        self.frame().loc = Loc { block: start, inst: 0 };
        for t in taken {
            self.assume_taken(path, &t);
        }
        for (kind, ok) in passed {
            let goes_on = self.goes_on(kind) || kind == CheckKind::ArrayIndex && self.e.rules.whole_objects;
            if !goes_on && self.is_made(ok) {
                let s = self.operand(path, ok);
                // Not that it is defined: of what is made of undefined bits, some may be.
                self.assume(path.guard, s.bits);
            }
        }
        Ok(())
    }

    fn is_made(&mut self, o: &Operand) -> bool {
        o.as_value().is_none_or(|v| self.frame().env[v.index()].is_some())
    }

    fn assume_taken(&mut self, path: &Path, t: &Taken<'_>) {
        if !self.is_made(t.operand()) {
            return;
        }
        let s = self.operand(path, t.operand());
        let number = self.number(s);
        let is = |b: &mut Self, c: &Const| {
            let c = b.constant(path, c);
            b.e.terms.pool.eq(number, c.bits)
        };
        match t {
            Taken::Is(_, true) => self.assume(path.guard, s.bits),
            Taken::Is(_, false) => {
                let no = self.e.terms.pool.not(s.bits);
                self.assume(path.guard, no);
            }
            Taken::Case(_, c) => {
                let yes = is(self, c);
                self.assume(path.guard, yes);
            }
            Taken::NoCase(_, cases) => {
                for c in cases {
                    let yes = is(self, c);
                    let no = self.e.terms.pool.not(yes);
                    self.assume(path.guard, no);
                }
            }
        }
    }

    /// The stack object that was just made has been there for a while.
    fn used_before(&mut self, body: &Body, loc: Loc, v: Value, path: &mut Path) {
        let s = self.operand(path, &Operand::Value(v));
        let k = self.key(3);
        let past = self.t().epoch(&k);
        // It may have ended, if anything of this function ends lives; and begun again, in a loop.
        let lasts = loc.block == Block(0) && !ends_lives(body);
        for o in self.e.terms.leaves(s.prov).iter().copied().collect::<Vec<_>>() {
            let alive = if lasts { self.tt } else { self.fresh(4, 1) };
            let recycled = if lasts { self.ff } else { self.fresh(5, 1) };
            let state = State { alive, recycled, base: Base::Murky(past), cells: BTreeMap::new(), array: None };
            path.memory.set(o, state);
            self.exposed.insert(o);
        }
    }
}

fn ends_lives(body: &Body) -> bool {
    let ends = |k: &InstKind| {
        matches!(k, InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } | InstKind::StackRestore { .. })
    };
    body.blocks.iter().any(|b| b.insts.iter().any(|i| ends(&i.kind)))
}

fn homes(body: &Body) -> BTreeMap<Value, Home<'_>> {
    let mut out = BTreeMap::new();
    for b in body.block_ids() {
        let data = body.block(b);
        out.extend(data.params.iter().map(|v| (*v, Home::Param(b))));
        for (i, inst) in data.insts.iter().enumerate() {
            let loc = Loc { block: b, inst: i as u32 };
            out.extend(inst.results.iter().map(|v| (*v, Home::Inst(loc, inst))));
        }
    }
    out
}

/// The wanted values and what they are computed from, operands first, and which of them are computed again.
fn closure<'a>(
    homes: &BTreeMap<Value, Home<'a>>,
    wanted: BTreeSet<Value>,
    graph: &Graph,
) -> (Vec<(Value, Home<'a>)>, BTreeSet<Value>) {
    let mut order = vec![u32::MAX; graph.len()];
    for (i, b) in graph.reverse_postorder(0).into_iter().enumerate() {
        order[b as usize] = i as u32;
    }
    let mut all = wanted.clone();
    let mut again = BTreeSet::new();
    let mut todo: std::collections::VecDeque<Value> = wanted.into_iter().collect();
    while let Some(v) = todo.pop_front() {
        let Some(Home::Inst(_, inst)) = homes.get(&v) else { continue };
        // Stack objects are always named: ends of their lives are of the object.
        let named = matches!(inst.kind, InstKind::Alloca { .. });
        if !is_pure(&inst.kind) || again.len() >= MAX_AGAIN && !named {
            continue;
        }
        again.insert(v);
        inst.kind.for_each_operand(&mut |o: &Operand| {
            if let Some(x) = o.as_value()
                && all.insert(x)
            {
                todo.push_back(x);
            }
        });
    }
    let mut out: Vec<(Value, Home<'a>)> = all.into_iter().filter_map(|v| Some((v, *homes.get(&v)?))).collect();
    // Definitions dominate their uses, so they come first in reverse postorder.
    out.sort_by_key(|(v, h)| match h {
        Home::Param(b) => (order[b.index()], 0, v.0),
        Home::Inst(l, _) => (order[l.block.index()], l.inst + 1, v.0),
    });
    (out, again)
}

/// Strict dominators of the start, the nearest first.
fn dominators_of(dominators: &Dominators, start: Block) -> impl Iterator<Item = Block> {
    std::iter::successors(dominators.immediate(start), |b| dominators.immediate(*b)).take(MAX_BEFORE)
}

/// Branches that every way to the start took in one direction: a dominator with one way in.
fn taken<'a>(body: &'a Body, graph: &Graph, dominators: &Dominators, start: Block) -> Vec<Taken<'a>> {
    let before = graph.reversed();
    let mut out = Vec::new();
    for b in std::iter::once(start).chain(dominators_of(dominators, start)).filter(|b| *b != Block(0)) {
        let [p] = before.succs(b.0) else { continue };
        match &body.block(Block(*p)).term {
            Terminator::Branch { cond, then, other } if then.block != other.block => {
                out.push(Taken::Is(cond, then.block == b));
            }
            Terminator::Switch { value, cases, default } => {
                let here: Vec<_> = cases.iter().filter(|(_, e)| e.block == b).collect();
                match here[..] {
                    [(c, _)] if default.block != b => out.push(Taken::Case(value, c)),
                    [] => out.push(Taken::NoCase(value, cases.iter().map(|(c, _)| c).collect())),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    out
}

/// Checks of conditions that every way to the start has passed.
fn passed<'a>(body: &'a Body, dominators: &Dominators, start: Block) -> Vec<(CheckKind, &'a Operand)> {
    let checks = |b: Block| {
        body.block(b).insts.iter().filter_map(|i| match &i.kind {
            InstKind::Check { kind, ok, .. } => Some((*kind, ok)),
            _ => None,
        })
    };
    dominators_of(dominators, start).flat_map(checks).collect()
}
