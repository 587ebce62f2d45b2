//! One side of the product: walks the acyclic part of a body between cut points and says where control leaves it, with
//! what values and memory, what was called on the way, and what could go wrong. Paths meet with `ite`
//! (malik-2023 §2.1); a loop header is a cut point, or its loop is unwound as far as its guards are possible.

use super::look::Looker;
use super::mem::{Mem, Node, Place};
use super::{Checked, Exit, Product, Res, Stop};
use crate::pairs::{may_be_replaced, weak_name};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_encode::{arith, float};
use verify_facts::LoopForest;
use verify_ir::inst::{CastOp, FUnOp, Step};
use verify_ir::{
    Block, Body, Call, CheckKind, Const, FuncId, InstKind, Module, Operand, ParamAttrs, SymbolRef, Terminator, Ty,
    Value,
};
use verify_solver::{Op, Sort, Term};

/// Which version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Version {
    Old,
    New,
}

/// What a path carries.
#[derive(Clone)]
pub(crate) struct Path {
    pub guard: Term,
    pub mem: Mem,
    /// Stands for all that happened outside: every call of something opaque makes a new one.
    pub world: Term,
    /// Values of unwound loops, which have one per iteration.
    pub outs: Rc<BTreeMap<Value, Term>>,
    /// Local objects that may be dead.
    pub dead: Rc<BTreeSet<Term>>,
}

pub(crate) struct Arrival {
    pub path: Path,
    pub args: Vec<Term>,
}

/// A body prepared for walking.
pub(crate) struct Shape {
    pub loops: LoopForest,
    pub order: Vec<Block>,
    pub position: Vec<usize>,
    /// Values used outside the innermost loop that they are made in.
    pub escaping: BTreeSet<Value>,
}

impl Shape {
    pub fn new(body: &Body) -> Shape {
        let graph = verify_ir::graph::Graph::of_body(body);
        let loops = LoopForest::new(body);
        let order: Vec<Block> = graph.reverse_postorder(0).into_iter().map(Block).collect();
        let mut position = vec![usize::MAX; body.blocks.len()];
        for (i, b) in order.iter().enumerate() {
            position[b.index()] = i;
        }
        let mut home = vec![None; body.values.len()];
        for b in body.block_ids() {
            let l = loops.innermost(b);
            let d = body.block(b);
            for v in d.params.iter().chain(d.insts.iter().flat_map(|i| &i.results)) {
                home[v.index()] = l;
            }
        }
        let mut escaping = BTreeSet::new();
        for b in body.block_ids() {
            let d = body.block(b);
            let mut used = |o: &Operand| {
                if let Operand::Value(v) = o
                    && let Some(l) = home[v.index()]
                    && !loops.get(l).contains(b)
                {
                    escaping.insert(*v);
                }
            };
            d.insts.iter().for_each(|i| i.kind.for_each_operand(&mut used));
            d.term.for_each_operand(&mut used);
        }
        Shape { loops, order, position, escaping }
    }

    /// The same for a walk from a block that does not go beyond cut points: in the order of that walk.
    fn from(&self, body: &Body, at: Block, cuts: &BTreeSet<Block>) -> Shape {
        let graph = verify_ir::graph::Graph::of_body(body);
        let edges: Vec<(u32, u32)> = (0..graph.len() as u32)
            .flat_map(|b| graph.succs(b).iter().map(move |t| (b, *t)))
            .filter(|(_, t)| !cuts.contains(&Block(*t)) && *t != at.0)
            .collect();
        let graph = verify_ir::graph::Graph::from_edges(graph.len(), &edges);
        let order: Vec<Block> = graph.reverse_postorder(at.0).into_iter().map(Block).collect();
        let mut position = vec![usize::MAX; body.blocks.len()];
        for (i, b) in order.iter().enumerate() {
            position[b.index()] = i;
        }
        Shape { loops: self.loops.clone(), order, position, escaping: self.escaping.clone() }
    }

    /// The first block of the body of a loop that is tested at its header: every way round goes through it.
    pub fn rotated(&self, body: &Body, header: Block) -> Option<Block> {
        let l = self.loops.loops.iter().find(|l| l.header == header)?;
        let targets: BTreeSet<Block> = body.block(header).term.targets().iter().map(|e| e.block).collect();
        let (inside, outside): (Vec<Block>, Vec<Block>) = targets.into_iter().partition(|b| l.contains(*b));
        let [b] = inside.as_slice() else { return None };
        let inner = self.loops.loops.iter().any(|l| l.header == *b);
        (!outside.is_empty() && *b != header && !inner).then_some(*b)
    }
}

struct Frame<'a> {
    version: Version,
    func: FuncId,
    body: &'a Body,
    shape: Rc<Shape>,
    env: Vec<Option<Term>>,
    cuts: BTreeSet<Block>,
    /// Where the walk began: a way back to it leaves the region.
    start: Option<Block>,
    exits: Vec<Exit>,
    depth: u32,
}

impl Frame<'_> {
    /// The loop is cut: at its header, or behind the test there.
    fn is_cut(&self, l: verify_facts::LoopId) -> bool {
        self.cuts.iter().any(|c| self.shape.loops.innermost(*c) == Some(l))
    }
}

/// Calls that are looked into, one inside the other.
const MAX_DEPTH: u32 = 14;
/// Iterations that an unwound loop may have.
const UNWIND: u32 = 300;

impl<'a> Product<'a> {
    /// Walks from a cut point (or the entry) to the next ones.
    pub(crate) fn region(
        &mut self,
        version: Version,
        func: FuncId,
        cuts: &BTreeSet<Block>,
        at: Block,
        env: Vec<Option<Term>>,
        arrival: Arrival,
    ) -> Res<Vec<Exit>> {
        let start = (at.0 != 0 || cuts.contains(&at)).then_some(at);
        self.walk(version, func, cuts.clone(), start, at, env, arrival, 0)
    }

    #[allow(clippy::too_many_arguments)]
    fn walk(
        &mut self,
        version: Version,
        func: FuncId,
        cuts: BTreeSet<Block>,
        start: Option<Block>,
        at: Block,
        env: Vec<Option<Term>>,
        arrival: Arrival,
        depth: u32,
    ) -> Res<Vec<Exit>> {
        let module = self.module(version);
        let body = module.func(func).body.as_ref().ok_or_else(|| Stop::new("a function without a body"))?;
        let shape = self.shape(version, func);
        if shape.loops.loops.iter().any(|l| l.irreducible) {
            return Err(Stop::new("a loop with several entries"));
        }
        let is_header = |b: &Block| shape.loops.loops.iter().any(|l| l.header == *b);
        let shape = if cuts.iter().all(is_header) { shape } else { Rc::new(shape.from(body, at, &cuts)) };
        let mut f = Frame { version, func, body, shape, env, cuts, start, exits: Vec::new(), depth };
        let blocks: Vec<Block> = f.shape.order.clone();
        let mut pending: BTreeMap<usize, Vec<Arrival>> = BTreeMap::new();
        pending.insert(f.shape.position[at.index()], vec![arrival]);
        self.blocks(&mut f, &blocks, pending, Some(at), None)?;
        Ok(f.exits)
    }

    /// Runs what is pending, in order; what goes to `header` or out of `inside` is handed back.
    fn blocks(
        &mut self,
        f: &mut Frame<'a>,
        order: &[Block],
        mut pending: BTreeMap<usize, Vec<Arrival>>,
        first: Option<Block>,
        inside: Option<verify_facts::LoopId>,
    ) -> Res<Vec<(Block, Arrival)>> {
        let mut leaving = Vec::new();
        let mut first = first;
        while let Some((at, arrivals)) = pending.pop_first() {
            let b = order[at];
            let Some(a) = self.meet(arrivals) else { continue };
            let is_first = first.take() == Some(b);
            let header = f.shape.loops.loops.iter().position(|l| l.header == b).map(|i| verify_facts::LoopId(i as u32));
            let out = match header {
                Some(l) if !is_first && !f.is_cut(l) && Some(b) != f.start => self.unwind(f, l, a)?,
                _ => self.block(f, b, a)?,
            };
            for (to, arrival) in out {
                if arrival.path.guard == self.ff {
                    continue;
                }
                if f.depth == 0 && (f.cuts.contains(&to) || Some(to) == f.start) {
                    self.leave(f, to, arrival);
                } else if let Some(l) = inside
                    && (f.shape.loops.get(l).header == to || !f.shape.loops.get(l).contains(to))
                {
                    leaving.push((to, arrival));
                } else {
                    pending.entry(f.shape.position[to.index()]).or_default().push(arrival);
                }
            }
        }
        Ok(leaving)
    }

    fn leave(&mut self, f: &mut Frame<'a>, to: Block, a: Arrival) {
        let env = self.live_env(f, &a.path);
        f.exits.push(Exit { to: Some(to), path: a.path, values: a.args, env, returns: false });
    }

    fn live_env(&self, f: &Frame<'a>, path: &Path) -> Vec<Option<Term>> {
        let mut env = f.env.clone();
        for (v, t) in path.outs.iter() {
            env[v.index()] = Some(*t);
        }
        env
    }

    /// Follows a loop iteration by iteration until no execution is left in it.
    fn unwind(&mut self, f: &mut Frame<'a>, l: verify_facts::LoopId, entry: Arrival) -> Res<Vec<(Block, Arrival)>> {
        let header = f.shape.loops.get(l).header;
        let order = f.shape.order.clone();
        let mut out = Vec::new();
        let mut now = entry;
        let shape = f.shape.clone();
        for round in 0.. {
            if round >= UNWIND || self.spent_unwinding() {
                return Err(Stop::new("a loop that neither has a partner nor a bound"));
            }
            let pending = BTreeMap::from([(f.shape.position[header.index()], vec![now])]);
            let leaving = self.blocks(f, &order, pending, Some(header), Some(l))?;
            let mut back = Vec::new();
            for (to, mut a) in leaving {
                if to == header {
                    back.push(a);
                } else {
                    // What the loop made has one value per iteration.
                    let mut outs = (*a.path.outs).clone();
                    for b in &shape.loops.get(l).blocks {
                        let d = f.body.block(*b);
                        for v in d.params.iter().chain(d.insts.iter().flat_map(|i| &i.results)) {
                            if shape.escaping.contains(v)
                                && let Some(t) = f.env[v.index()]
                            {
                                // What an inner loop made, it has said itself.
                                outs.entry(*v).or_insert(t);
                            }
                        }
                    }
                    a.path.outs = Rc::new(outs);
                    out.push((to, a));
                }
            }
            let Some(next) = self.meet(back) else { return Ok(out) };
            if !self.possible(next.path.guard)? {
                return Ok(out);
            }
            now = next;
        }
        Ok(out)
    }

    /// One path of several.
    pub(crate) fn meet(&mut self, arrivals: Vec<Arrival>) -> Option<Arrival> {
        let mut it = arrivals.into_iter().filter(|a| a.path.guard != self.ff);
        let mut out = it.next()?;
        for a in it {
            let c = a.path.guard;
            let args = a.args.iter().zip(&out.args).map(|(x, y)| self.t.pool.ite(c, *x, *y)).collect();
            let mut outs = (*out.path.outs).clone();
            for (v, t) in a.path.outs.iter() {
                let old = outs.get(v).copied();
                outs.insert(*v, old.map_or(*t, |o| self.t.pool.ite(c, *t, o)));
            }
            let dead = if a.path.dead == out.path.dead {
                out.path.dead
            } else {
                Rc::new(a.path.dead.union(&out.path.dead).copied().collect())
            };
            out = Arrival {
                args,
                path: Path {
                    guard: self.t.pool.or(out.path.guard, c),
                    mem: self.mems.ite(c, a.path.mem, out.path.mem),
                    world: self.t.pool.ite(c, a.path.world, out.path.world),
                    outs: Rc::new(outs),
                    dead,
                },
            };
        }
        Some(out)
    }

    fn block(&mut self, f: &mut Frame<'a>, b: Block, a: Arrival) -> Res<Vec<(Block, Arrival)>> {
        let body = f.body;
        let d = body.block(b);
        for (v, t) in d.params.iter().zip(&a.args) {
            f.env[v.index()] = Some(*t);
        }
        let mut path = a.path;
        if f.depth == 0 && self.marked.contains_key(&(f.version, b)) {
            self.reached.push(((f.version, b), path.guard));
        }
        // A block that is walked again has new values: older ones must not shadow them.
        if !path.outs.is_empty() {
            let defined = d.params.iter().chain(d.insts.iter().flat_map(|i| &i.results));
            let stale: Vec<Value> = defined.filter(|v| path.outs.contains_key(v)).copied().collect();
            if !stale.is_empty() {
                let mut outs = (*path.outs).clone();
                stale.iter().for_each(|v| {
                    outs.remove(v);
                });
                path.outs = Rc::new(outs);
            }
        }
        for (k, i) in d.insts.iter().enumerate() {
            self.steps += 1;
            if self.steps > self.budget.instructions || self.t.pool.len() > self.budget.terms {
                return Err(Stop::new("budget: the function is too large"));
            }
            if self.steps.is_multiple_of(256) && self.spent() {
                return Err(Stop::new(super::SPENT));
            }
            self.place = (f.version, f.func, b, k as u32);
            if !self.inst(f, &i.kind, &i.results, &mut path)? {
                return Ok(Vec::new());
            }
        }
        self.place = (f.version, f.func, b, d.insts.len() as u32);
        let mut out = Vec::new();
        let g = path.guard;
        let mut go = |p: &mut Product<'a>, guard: Term, e: &verify_ir::Edge| -> Res<()> {
            let args = e.args.iter().map(|o| p.operand(f, &path, o)).collect::<Res<_>>()?;
            out.push((e.block, Arrival { path: Path { guard, ..path.clone() }, args }));
            Ok(())
        };
        match &d.term {
            Terminator::Jump(e) => go(self, g, e)?,
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(f, &path, cond)?;
                let n = self.t.pool.not(c);
                let (yes, no) = (self.t.pool.and(g, c), self.t.pool.and(g, n));
                let mut go = |p: &mut Product<'a>, guard: Term, e: &verify_ir::Edge| -> Res<()> {
                    let args = e.args.iter().map(|o| p.operand(f, &path, o)).collect::<Res<_>>()?;
                    out.push((e.block, Arrival { path: Path { guard, ..path.clone() }, args }));
                    Ok(())
                };
                go(self, yes, then)?;
                go(self, no, other)?;
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.operand(f, &path, value)?;
                let mut rest = g;
                for (c, e) in cases {
                    let c = self.constant(f.version, c)?;
                    let is = self.t.pool.eq(v, c);
                    let n = self.t.pool.not(is);
                    let guard = self.t.pool.and(rest, is);
                    rest = self.t.pool.and(rest, n);
                    let args = e.args.iter().map(|o| self.operand(f, &path, o)).collect::<Res<_>>()?;
                    out.push((e.block, Arrival { path: Path { guard, ..path.clone() }, args }));
                }
                let args = default.args.iter().map(|o| self.operand(f, &path, o)).collect::<Res<_>>()?;
                out.push((default.block, Arrival { path: Path { guard: rest, ..path.clone() }, args }));
            }
            Terminator::Return(vs) => {
                let values = vs.iter().map(|v| self.operand(f, &path, v)).collect::<Res<_>>()?;
                f.exits.push(Exit { to: None, path, values, env: Vec::new(), returns: true });
            }
            Terminator::Unreachable => {
                // Behind a call that does not return the walk has stopped already: this is an error.
                let ff = self.ff;
                self.check(f.version, path.guard, ff, "end of a path that must not be reached");
            }
            Terminator::IndirectJump { .. } => return Err(Stop::new("a computed goto")),
            Terminator::Invoke { .. } | Terminator::Resume(_) => return Err(Stop::new("a call that may throw")),
        }
        Ok(out)
    }

    fn operand(&mut self, f: &Frame<'a>, path: &Path, o: &Operand) -> Res<Term> {
        match o {
            Operand::Value(v) => path
                .outs
                .get(v)
                .copied()
                .or(f.env[v.index()])
                .ok_or_else(|| Stop::new("a value that is not known at a cut point")),
            Operand::Const(c) => self.constant(f.version, c),
        }
    }

    pub(crate) fn constant(&mut self, version: Version, c: &Const) -> Res<Term> {
        let ptr = self.t.ptr_bits;
        Ok(match c {
            Const::Int { width, value } => self.t.pool.num(*width, *value),
            Const::Wide { width, limbs } => {
                let v = verify_solver::Bv::from_limbs(*width, limbs);
                self.t.pool.constant(v)
            }
            Const::Float { kind, bits } => self.t.pool.num(kind.bits(), *bits),
            Const::Null => self.t.pool.num(ptr, 0),
            Const::Symbol(s) => self.symbol_address(version, *s),
            Const::BlockAddr(..) => return Err(Stop::new("the address of a label")),
            Const::Undef(ty) | Const::Poison(ty) => self.arbitrary(*ty),
        })
    }

    /// A value that nothing is known of.
    pub(crate) fn arbitrary(&mut self, ty: Ty) -> Term {
        let w = self.bits(ty);
        self.t.pool.fresh("any", Sort::Bv(w))
    }

    fn inst(&mut self, f: &mut Frame<'a>, kind: &'a InstKind, results: &[Value], path: &mut Path) -> Res<bool> {
        let version = f.version;
        let g = path.guard;
        let set = |f: &mut Frame<'a>, v: Term| f.env[results[0].index()] = Some(v);
        match kind {
            InstKind::DebugValue { .. } | InstKind::VaEnd { .. } => {}
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (self.operand(f, path, lhs)?, self.operand(f, path, rhs)?);
                let w = self.t.pool.width(a);
                use verify_ir::inst::BinOp as B;
                if flags.nsw || flags.nuw || flags.exact {
                    let (s, u, e) = arith::flagged(&mut self.t.pool, *op, a, b);
                    for (on, bad) in [(flags.nsw, s), (flags.nuw, u), (flags.exact, e)] {
                        if on {
                            let ok = self.t.pool.not(bad);
                            self.check(version, g, ok, "overflow");
                        }
                    }
                }
                if matches!(op, B::UDiv | B::SDiv | B::URem | B::SRem) {
                    let zero = self.t.pool.num(w, 0);
                    let ok = self.t.pool.ne(b, zero);
                    self.check(version, g, ok, "division by zero");
                    if matches!(op, B::SDiv | B::SRem) {
                        let min = self.t.pool.constant(verify_solver::Bv::min_signed(w));
                        let ones = self.t.pool.constant(verify_solver::Bv::ones(w));
                        let (x, y) = (self.t.pool.ne(a, min), self.t.pool.ne(b, ones));
                        let ok = self.t.pool.or(x, y);
                        self.check(version, g, ok, "overflow of a division");
                    }
                }
                if matches!(op, B::Shl | B::LShr | B::AShr | B::SShlSat | B::UShlSat) {
                    let limit = verify_solver::Bv::new(w, u128::from(w));
                    let limit = self.t.pool.constant(limit);
                    let ok = self.t.pool.ult(b, limit);
                    self.check(version, g, ok, "shift amount");
                }
                let v = arith::binary(&mut self.t.pool, *op, a, b);
                set(f, v);
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(f, path, lhs)?, self.operand(f, path, rhs)?);
                let v = arith::compare(&mut self.t.pool, *pred, a, b);
                set(f, v);
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let Ty::Float(kind) = f.body.operand_ty(lhs) else { return Err(Stop::new("arithmetic of floats")) };
                let (a, b) = (self.operand(f, path, lhs)?, self.operand(f, path, rhs)?);
                let v = float::binary(&mut self.t, *op, kind, a, b);
                set(f, v);
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let Ty::Float(kind) = f.body.operand_ty(lhs) else { return Err(Stop::new("comparison of floats")) };
                let (a, b) = (self.operand(f, path, lhs)?, self.operand(f, path, rhs)?);
                let v = float::compare(&mut self.t, kind, *pred, a, b);
                set(f, v);
            }
            InstKind::Unary { op, arg } => {
                let a = self.operand(f, path, arg)?;
                let v = arith::unary(&mut self.t.pool, *op, a);
                set(f, v);
            }
            InstKind::FUnary { op, arg } => {
                let ty = f.body.operand_ty(arg);
                let a = self.operand(f, path, arg)?;
                let v = float::unary(&mut self.t, *op, a, ty);
                set(f, v);
            }
            InstKind::Fma { a, b, c } => {
                let Ty::Float(kind) = f.body.operand_ty(a) else { return Err(Stop::new("fma of no float")) };
                let (a, b, c) = (self.operand(f, path, a)?, self.operand(f, path, b)?, self.operand(f, path, c)?);
                let v = float::fused(&mut self.t, kind, a, b, c);
                set(f, v);
            }
            InstKind::Cast { op, arg } => {
                let (from, to) = (f.body.operand_ty(arg), f.body.ty(results[0]));
                let a = self.operand(f, path, arg)?;
                let v = self.cast(version, g, *op, a, from, to);
                set(f, v);
            }
            InstKind::Select { cond, then, other } => {
                let c = self.operand(f, path, cond)?;
                let (a, b) = (self.operand(f, path, then)?, self.operand(f, path, other)?);
                let v = self.t.pool.ite(c, a, b);
                set(f, v);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (a, b) = (self.operand(f, path, lhs)?, self.operand(f, path, rhs)?);
                let (v, o) = arith::overflow(&mut self.t.pool, *op, a, b);
                f.env[results[0].index()] = Some(v);
                f.env[results[1].index()] = Some(o);
            }
            InstKind::Funnel { left, hi, lo, amount } => {
                let (a, b) = (self.operand(f, path, hi)?, self.operand(f, path, lo)?);
                let n = self.operand(f, path, amount)?;
                let v = arith::funnel(&mut self.t.pool, *left, a, b, n);
                set(f, v);
            }
            InstKind::Freeze { arg } => {
                let v = self.operand(f, path, arg)?;
                set(f, v);
            }
            InstKind::Uninit => {
                let v = self.arbitrary(f.body.ty(results[0]));
                set(f, v);
            }
            InstKind::Addr { base, steps, inbounds } => {
                let mut at = self.operand(f, path, base)?;
                let from = at;
                let w = self.t.ptr_bits;
                for s in steps {
                    let by = match s {
                        Step::Field { record, index, offset } => {
                            let o = self.field_offset(version, *record, *index, *offset)?;
                            self.t.pool.num(w, u128::from(o))
                        }
                        Step::Index { elem, index, stride, .. } => {
                            let i = self.operand(f, path, index)?;
                            let i = self.t.pool.resize_signed(i, w);
                            let stride = self.stride(version, *elem, *stride)?;
                            let n = self.t.pool.num(w, u128::from(stride));
                            self.t.pool.mul(i, n)
                        }
                    };
                    at = self.t.pool.add(at, by);
                }
                if version == Version::Old && *inbounds && at != from && self.t.pool.as_const(from).is_none() {
                    self.steps_from.insert(at, from);
                }
                set(f, at);
            }
            InstKind::Alloca { elem_size, count, align, .. } => {
                let n = match count {
                    Operand::Const(Const::Int { value, .. }) => *value as u64,
                    _ => return Err(Stop::new("an array of variable length")),
                };
                let (_, _, b, _) = self.place;
                if f.shape.loops.depth(b) > 0 {
                    return Err(Stop::new("a local object made in a loop"));
                }
                let size = elem_size.saturating_mul(n);
                let v = self.local((f.version, f.func, f.depth), f.body, results[0], size, *align)?;
                set(f, v);
            }
            InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } => {
                let at = self.operand(f, path, object)?;
                let Some(p) = self.mems.places.get(&at).cloned() else {
                    return Err(Stop::new("the lifetime of an unknown object"));
                };
                self.lives(path, at, matches!(kind, InstKind::LifetimeStart { .. }));
                let n = p.size.unwrap_or(0);
                if n > 0 && n <= 4096 {
                    let purpose = if matches!(kind, InstKind::LifetimeStart { .. }) { 711 } else { 712 };
                    let count = self.occurrence(version, at, purpose);
                    let mut key = vec![purpose, at.0, count];
                    if !p.shared {
                        key.push(version as u32);
                    }
                    let v = self.t.symbol(&key, Sort::Bv(8 * n as u32));
                    path.mem = self.mems.store(path.mem, at, n, v);
                } else if n > 0 {
                    return Err(Stop::new("a large local object"));
                }
            }
            InstKind::Load { ptr, volatile, atomic, .. } => {
                let at = self.operand(f, path, ptr)?;
                let ty = f.body.ty(results[0]);
                let (bits, bytes) = (self.bits(ty), ty.store_bytes(self.target()));
                self.access(version, path, at, bytes, false);
                if *volatile || *atomic {
                    let w = self.t.pool.num(64, u128::from(bytes));
                    let r = self.event(f.version, path, "volatile read", &[at, w], &[bits], false)?;
                    set(f, r[0]);
                } else {
                    let v = self.read(version, path, at, bytes);
                    let v = if 8 * bytes as u32 == bits { v } else { self.t.pool.extract(v, bits - 1, 0) };
                    set(f, v);
                }
            }
            InstKind::Store { ptr, value, volatile, atomic, .. } => {
                let at = self.operand(f, path, ptr)?;
                let v = self.operand(f, path, value)?;
                let bytes = f.body.operand_ty(value).store_bytes(self.target());
                self.access(version, path, at, bytes, true);
                let v = self.t.pool.resize_unsigned(v, 8 * bytes as u32);
                if *volatile || *atomic {
                    self.event(f.version, path, "volatile write", &[at, v], &[], false)?;
                }
                path.mem = self.mems.store(path.mem, at, bytes, v);
            }
            InstKind::MemCopy { dst, src, len, overlap_ok, volatile } => {
                let (d, s) = (self.operand(f, path, dst)?, self.operand(f, path, src)?);
                let n = self.operand(f, path, len)?;
                let fixed = self.t.pool.as_const(n).and_then(|v| v.to_u64());
                if *volatile {
                    self.event(version, path, "volatile copy", &[d, s, n], &[], true)?;
                } else {
                    match fixed {
                        Some(0) => {}
                        Some(n) if n <= 512 => {
                            self.access(version, path, s, n, false);
                            self.access(version, path, d, n, true);
                            // What may not be written to is not copied onto: the write is asked about.
                            let from = self.mems.root(&self.t, s);
                            let fixed = from.is_some_and(|r| self.mems.places[&r].read_only);
                            if !overlap_ok && !fixed && !self.mems.apart(&self.t, d, s) {
                                let apart = super::mem::disjoint(&mut self.t, (d, n), (s, n));
                                let same = self.t.pool.eq(d, s);
                                let ok = self.t.pool.or(apart, same);
                                self.check(version, g, ok, "overlapping copy");
                            }
                            let v = self.read(version, path, s, n);
                            path.mem = self.mems.store(path.mem, d, n, v);
                        }
                        _ => {
                            let what = if *overlap_ok { "memmove" } else { "memcpy" };
                            self.event(version, path, what, &[d, s, n], &[], true)?;
                        }
                    }
                }
            }
            InstKind::MemSet { dst, byte, len, volatile } => {
                let d = self.operand(f, path, dst)?;
                let b = self.operand(f, path, byte)?;
                let n = self.operand(f, path, len)?;
                match self.t.pool.as_const(n).and_then(|v| v.to_u64()) {
                    Some(0) if !volatile => {}
                    Some(n) if n <= 512 && !volatile => {
                        self.access(version, path, d, n, true);
                        let mut v = b;
                        while self.t.pool.width(v) < 8 * n as u32 {
                            v = self.t.pool.concat(b, v);
                        }
                        path.mem = self.mems.store(path.mem, d, n, v);
                    }
                    _ => {
                        self.event(version, path, "memset", &[d, b, n], &[], true)?;
                    }
                }
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let (p, v) = (self.operand(f, path, ptr)?, self.operand(f, path, value)?);
                let w = self.bits(f.body.ty(results[0]));
                let r = self.event(version, path, &format!("atomic {op}"), &[p, v], &[w], true)?;
                set(f, r[0]);
            }
            InstKind::CmpXchg { ptr, expected, new, weak } => {
                let args = [self.operand(f, path, ptr)?, self.operand(f, path, expected)?, self.operand(f, path, new)?];
                let w = self.bits(f.body.ty(results[0]));
                let what = if *weak { "weak compare and exchange" } else { "compare and exchange" };
                let r = self.event(version, path, what, &args, &[w, 1], true)?;
                f.env[results[0].index()] = Some(r[0]);
                f.env[results[1].index()] = Some(r[1]);
            }
            InstKind::Call(c) => return self.call(f, c, results, path),
            InstKind::VaStart { list } => {
                let l = self.operand(f, path, list)?;
                self.event(version, path, "va_start", &[l], &[], true)?;
            }
            InstKind::VaCopy { dst, src } => {
                let args = [self.operand(f, path, dst)?, self.operand(f, path, src)?];
                self.event(version, path, "va_copy", &args, &[], true)?;
            }
            InstKind::InlineAsm(a) => {
                let mut args = Vec::new();
                for o in a.inputs.iter().chain(a.written.iter().map(|(o, _)| o)) {
                    args.push(self.operand(f, path, o)?);
                }
                let widths: Vec<u32> = results.iter().map(|r| self.bits(f.body.ty(*r))).collect();
                // A register holds an address like any other number.
                let target = &self.module(version).target;
                let bits = |t: Ty| if t == Ty::Ptr { Ty::Int(target.pointer_bits) } else { t };
                let types: Vec<Ty> = a.inputs.iter().map(|o| bits(f.body.operand_ty(o))).collect();
                let made: Vec<Ty> = results.iter().map(|r| bits(f.body.ty(*r))).collect();
                let sizes: Vec<u64> = a.written.iter().map(|w| w.1).collect();
                let flags = (a.clobbers_memory, a.side_effects);
                let what = format!("asm {} {} {flags:?} {types:?} {made:?} {sizes:?}", a.template, a.constraints);
                let out = match Looker::of_assembly(f.body, a) {
                    Some(who) => self.look(version, path, (&what, who), &args, &widths)?,
                    None => self.event(version, path, &what, &args, &widths, true)?,
                };
                for (r, t) in results.iter().zip(out) {
                    f.env[r.index()] = Some(t);
                }
            }
            // The program stops itself, as it does by `abort`: that is no error which may go away.
            InstKind::Check { ok: Operand::Const(Const::Int { value: 0, .. }), kind: CheckKind::Assertion, detail } => {
                self.event(version, path, &format!("trap {}", detail.what), &[], &[], false)?;
                let ends = detail.what != "__builtin_debugtrap";
                if !ends {
                    self.may_not_return(path);
                }
                return self.after(f, ends, path);
            }
            InstKind::Check { ok, kind, .. } => {
                let ok = self.operand(f, path, ok)?;
                self.check(version, g, ok, kind.name());
            }
            InstKind::Assume { cond } => {
                let ok = self.operand(f, path, cond)?;
                self.check(version, g, ok, "assumption");
            }
            InstKind::ObjectSize { ptr, unknown_is_zero, dynamic } => {
                let p = self.operand(f, path, ptr)?;
                let w = self.bits(f.body.ty(results[0]));
                let v = self.t.symbol(&[713, p.0, u32::from(*unknown_is_zero), u32::from(*dynamic)], Sort::Bv(w));
                set(f, v);
            }
            InstKind::Opaque { what } => {
                let w = self.bits(f.body.ty(results[0]));
                let r = self.event(version, path, what, &[], &[w], false)?;
                set(f, r[0]);
            }
            InstKind::StackSave | InstKind::StackRestore { .. } => {
                return Err(Stop::new("an array of variable length"));
            }
            InstKind::Unmodelled { reason, .. } => return Err(Stop::new(format!("not modelled: {reason}"))),
        }
        Ok(true)
    }

    fn cast(&mut self, version: Version, g: Term, op: CastOp, a: Term, from: Ty, to: Ty) -> Term {
        let (fw, tw) = (self.bits(from), self.bits(to));
        match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
                return self.t.pool.resize_unsigned(a, tw);
            }
            CastOp::SExt => return self.t.pool.resize_signed(a, tw),
            CastOp::FpToUi | CastOp::FpToSi => {
                let ok = float::fits(&mut self.t, from, a, tw, op == CastOp::FpToSi);
                self.check(version, g, ok, "float cast");
            }
            CastOp::LRint | CastOp::LRound => {
                let whole = if op == CastOp::LRint { FUnOp::Rint } else { FUnOp::Round };
                let whole = float::unary(&mut self.t, whole, a, from);
                let ok = float::fits(&mut self.t, from, whole, tw, true);
                self.check(version, g, ok, "float cast");
            }
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUiSat
            | CastOp::FpToSiSat
            | CastOp::UiToFp
            | CastOp::SiToFp => {}
        }
        let exact = float::cast(&mut self.t, op, from, to, a, tw);
        exact.unwrap_or_else(|| float::opaque(&mut self.t, &[op as u32, fw, tw], &[a], tw))
    }

    fn call(&mut self, f: &mut Frame<'a>, c: &'a Call, results: &[Value], path: &mut Path) -> Res<bool> {
        if c.returns_twice {
            return Err(Stop::new("setjmp"));
        }
        let version = f.version;
        let mut args = Vec::new();
        for a in &c.args {
            args.push(self.operand(f, path, a)?);
        }
        let module = self.module(version);
        let mut weak = None;
        let callee = match &c.callee {
            Operand::Const(Const::Symbol(s)) => {
                weak = weak_name(module, *s);
                match module.resolve(*s) {
                    (SymbolRef::Func(id), 0) => Some(id),
                    _ => None,
                }
            }
            _ => None,
        };
        let widths: Vec<u32> = results.iter().map(|r| self.bits(f.body.ty(*r))).collect();
        let passed = passing(f.body, c, results);
        let Some(id) = callee else {
            let target = self.operand(f, path, &c.callee)?;
            if version == Version::Old {
                self.not_null(path.guard, target);
            }
            args.insert(0, target);
            let what = format!("a call through a pointer{passed}");
            let out = self.event(version, path, &what, &args, &widths, true)?;
            self.may_not_return(path);
            for (r, t) in results.iter().zip(out) {
                f.env[r.index()] = Some(t);
            }
            return self.after(f, c.noreturn, path);
        };
        let info = module.func(id);
        if info.attrs.returns_twice {
            return Err(Stop::new("setjmp"));
        }
        let this_one = weak.is_none() && !may_be_replaced(info.linkage) && !self.pairs.is_twofold(version, id);
        if this_one && self.inlined(version, id) && info.body.is_some() && f.depth < MAX_DEPTH && !info.sig.variadic {
            // Recursion ends where no execution is left.
            if f.depth > 0 && !self.possible(path.guard)? {
                return Ok(false);
            }
            let body = info.body.as_ref().ok_or_else(|| Stop::new("no body"))?;
            // Another prototype: what is in the rest of the register, nobody knows.
            let taken = body.blocks[0].params.iter().map(|p| body.ty(*p));
            let fits = taken.eq(c.args.iter().map(|a| f.body.operand_ty(a)));
            let returned = info.sig.results.iter().copied().eq(results.iter().map(|r| f.body.ty(*r)));
            if fits && (returned || results.is_empty()) && c.params.iter().all(|p| p.attrs.byval.is_none()) {
                // What keeps a function from being called equal keeps those that it is looked into for, too.
                if let Some(why) = self.trouble_of(version, id) {
                    return Err(Stop::new(format!("`{}`: {why}", info.name)));
                }
                return self.inline(f, id, args, results, path);
            }
        }
        // Values larger than a register are passed by address, as a copy: the name of the copy says nothing.
        let mut what = self.callee_name(version, id)? + &passed;
        if let Some(n) = weak {
            what = format!("weak {n}, {what}");
        }
        if self.pairs.fails_assertion(version, c) {
            args.clear();
            what = "a failed assertion".into();
        }
        if self.only_computes(f.body, c, id, version) {
            for (i, (r, w)) in results.iter().zip(&widths).enumerate() {
                let mut key = vec![722, self.word(&what), i as u32, *w];
                key.extend(args.iter().map(|a| a.0));
                f.env[r.index()] = Some(self.t.symbol(&key, Sort::Bv(*w)));
            }
            return Ok(true);
        }
        if let Some(who) = self.only_looks(f.body, c, id, version) {
            let out = self.look(version, path, (&what, who), &args, &widths)?;
            for (r, t) in results.iter().zip(out) {
                f.env[r.index()] = Some(t);
            }
            return Ok(true);
        }
        let writes = weak.is_some() || !self.reads_only(id, version);
        if this_one {
            self.seen_by(version, id, &c.args, &mut args);
        }
        let kept = match self.frees(version, id, &args).filter(|_| this_one) {
            Some(p) => {
                // A null pointer is handed to `free` without effect, as if there were no call.
                let null = self.t.pool.num(self.t.ptr_bits, 0);
                let null = self.t.pool.eq(p, null);
                let without = Path { guard: self.t.pool.and(path.guard, null), ..path.clone() };
                let other = self.t.pool.not(null);
                path.guard = self.t.pool.and(path.guard, other);
                Some(without)
            }
            None => None,
        };
        if kept.is_some() && path.guard == self.ff {
            *path = kept.unwrap_or_else(|| path.clone());
            return Ok(true);
        }
        let out = self.event(version, path, &what, &args, &widths, writes)?;
        if !c.noreturn && !info.attrs.noreturn {
            self.may_not_return(path);
        }
        if let Some(without) = kept {
            let both = [path.clone(), without].map(|path| Arrival { path, args: Vec::new() });
            let Some(a) = self.meet(both.into()) else { return Ok(false) };
            *path = a.path;
        }
        for (r, t) in results.iter().zip(out) {
            f.env[r.index()] = Some(t);
        }
        self.after(f, c.noreturn || info.attrs.noreturn, path)
    }

    /// The pointer, if this is a call of `free` of the library.
    fn frees(&self, version: Version, id: FuncId, args: &[Term]) -> Option<Term> {
        let (m, info) = (self.module(version), self.module(version).func(id));
        let library = info.body.is_none() || self.pairs.is_library(version, id);
        let known = info.name == "free" && library && !m.may_be_absent(SymbolRef::Func(id));
        match args {
            [p] if known && info.sig.results.is_empty() && self.t.pool.width(*p) == self.t.ptr_bits => Some(*p),
            _ => None,
        }
    }

    /// Code outside the program whose result depends on its arguments alone, by the attribute `const`, which also says
    /// that it returns: whether it is called, nobody sees.
    fn only_computes(&self, body: &Body, c: &Call, id: FuncId, v: Version) -> bool {
        let info = self.module(v).func(id);
        // What is modelled may be called in a wrong way.
        let outside = info.body.is_none() || self.pairs.is_library(v, id) && c.args.is_empty();
        let plain = c.args.iter().all(|a| body.operand_ty(a) != Ty::Ptr);
        outside && plain && info.attrs.no_memory && !info.attrs.noreturn && !c.noreturn && !info.sig.variadic
    }

    /// A call may exit, jump away or never end, in both versions alike: one bit of the world behind it says which. What
    /// the old version does afterwards says nothing about executions that do not get there.
    fn may_not_return(&mut self, path: &mut Path) {
        let returns = self.t.pool.extract(path.world, 63, 63);
        path.guard = self.t.pool.and(path.guard, returns);
    }

    fn after(&mut self, f: &mut Frame<'a>, noreturn: bool, path: &Path) -> Res<bool> {
        if noreturn {
            f.exits.push(Exit { to: None, path: path.clone(), values: Vec::new(), env: Vec::new(), returns: false });
            return Ok(false);
        }
        Ok(true)
    }

    fn inline(
        &mut self,
        f: &mut Frame<'a>,
        id: FuncId,
        args: Vec<Term>,
        results: &[Value],
        path: &mut Path,
    ) -> Res<bool> {
        let n = self.module(f.version).func(id).body.as_ref().map_or(0, |b| b.values.len());
        let inner = Path { outs: Rc::default(), ..path.clone() };
        self.inline_count += 1;
        let before = self.place;
        let arrival = Arrival { path: inner, args };
        self.made.push(Vec::new());
        let exits = self.walk(f.version, id, BTreeSet::new(), None, Block(0), vec![None; n], arrival, f.depth + 1);
        let made = self.made.pop().unwrap_or_default();
        let exits = exits?;
        self.place = before;
        let mut back = Vec::new();
        for e in exits {
            if e.returns {
                back.push(Arrival { path: e.path, args: e.values });
            } else {
                f.exits.push(e);
            }
        }
        let Some(a) = self.meet(back) else { return Ok(false) };
        let outs = path.outs.clone();
        *path = Path { outs, ..a.path };
        for object in made {
            self.lives(path, object, false);
        }
        for (k, r) in results.iter().enumerate() {
            let w = self.bits(f.body.ty(*r));
            let v = match a.args.get(k) {
                Some(v) if self.t.pool.width(*v) == w => *v,
                _ => self.arbitrary(f.body.ty(*r)),
            };
            f.env[r.index()] = Some(v);
        }
        Ok(true)
    }

    /// The content of memory; of constants, what they hold.
    fn read(&mut self, version: Version, path: &Path, at: Term, bytes: u64) -> Term {
        if let Some(v) = self.constant_content(version, path.mem, at, bytes) {
            return v;
        }
        self.mems.load(&mut self.t, path.mem, at, bytes)
    }

    pub(super) fn check(&mut self, version: Version, guard: Term, ok: Term, what: &str) {
        let c = self.t.pool.implies(guard, ok);
        if c == self.tt {
            return;
        }
        match version {
            Version::Old => {
                self.assumed.push(c);
                if !what.contains("overflow") && !what.contains("shift") {
                    self.assumed_of_memory.push(c);
                }
            }
            Version::New => {
                let at = self.place;
                self.obliged.push(Checked { cond: c, what: what.to_string(), at });
            }
        }
    }

    /// The old version's accesses are known to be good; the new version's must be to the same bytes, or to an object
    /// that is known.
    fn access(&mut self, version: Version, path: &Path, at: Term, bytes: u64, write: bool) {
        self.not_dead(version, path, at, bytes);
        if version == Version::Old {
            self.accesses.push((path.guard, at, bytes, write, path.world));
            self.not_null(path.guard, at);
            return;
        }
        if let Some(r) = self.mems.root(&self.t, at)
            && let Place { size: Some(n), read_only, .. } = self.mems.places[&r].clone()
            && !(write && read_only)
            && bytes <= n
        {
            let off = self.t.pool.sub(at, r);
            let limit = self.t.pool.num(self.t.ptr_bits, u128::from(n - bytes));
            let inside = self.t.pool.ule(off, limit);
            self.check(version, path.guard, inside, "access outside an object");
            return;
        }
        self.claims.push(super::Access { guard: path.guard, at, bytes, write, world: path.world, place: self.place });
    }

    /// What the old version accesses, a field of it, an element or something at a known distance is not where a null
    /// pointer points.
    fn not_null(&mut self, guard: Term, mut at: Term) {
        // Forth and back again leads to where it began.
        let mut seen = BTreeSet::new();
        while self.mems.root(&self.t, at).is_none() && seen.insert(at) {
            let base = match self.t.pool.as_app(at, Op::Add) {
                Some(&[base, by]) if self.t.pool.as_const(by).is_some() => base,
                _ => at,
            };
            if self.not_null.insert((guard, base)) {
                let null = self.t.pool.num(self.t.ptr_bits, 0);
                let ok = self.t.pool.ne(base, null);
                self.check(Version::Old, guard, ok, "null pointer");
            }
            at = self.steps_from.get(&at).copied().unwrap_or(at);
        }
    }

    /// The address of a local object of the function itself.
    pub(crate) fn local_at(
        &mut self,
        v: Version,
        f: FuncId,
        body: &Body,
        a: Value,
        size: u64,
        align: u64,
    ) -> Res<Term> {
        self.local((v, f, 0), body, a, size, align)
    }

    fn local(
        &mut self,
        (version, func, depth): (Version, FuncId, u32),
        body: &Body,
        v: Value,
        size: u64,
        align: u64,
    ) -> Res<Term> {
        let (key, shared) = self.local_key(version, func, v, depth);
        let w = self.t.ptr_bits;
        let base = self.t.symbol(&key, Sort::Bv(w));
        if depth > 0
            && let Some(made) = self.made.last_mut()
        {
            made.push(base);
        }
        let private = is_private(body, v);
        if let Some(p) = self.mems.places.get_mut(&base) {
            // The two versions use one address: it is private only if both keep it so.
            p.private &= private;
            p.size =
                if p.size == Some(size) { p.size } else { return Err(Stop::new("a local object of another size")) };
            // Only who has the address can tell.
            if p.align != align && !p.private {
                return Err(Stop::new("a local object of another alignment"));
            }
            return Ok(base);
        }
        let p = Place { base, size: Some(size), local: true, private, read_only: false, shared, align };
        self.add_place(p);
        Ok(base)
    }
}

/// How the arguments and results of a call are passed, beyond their bits: a floating-point number goes another way than
/// an integer with the same bits, a copy of a structure another way than its address. Empty when there is nothing to say.
fn passing(body: &Body, c: &Call, results: &[Value]) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for (k, a) in c.args.iter().enumerate() {
        if let Ty::Float(kind) = body.operand_ty(a) {
            let _ = write!(out, " {k}:{kind:?}");
        }
        if let Some(p) = c.params.get(k).map(|p| &p.attrs)
            && *p != (ParamAttrs { nonnull: p.nonnull, ..ParamAttrs::default() })
        {
            let _ = write!(out, " {k}:{:?},{:?},{}", p.byval, p.sret, p.lanes);
            let _ = write!(out, ",{:?},{}", p.extension, p.in_register);
        }
    }
    for (k, r) in results.iter().enumerate() {
        if let Ty::Float(kind) = body.ty(*r) {
            let _ = write!(out, " result {k}:{kind:?}");
        }
    }
    out
}

/// The address of the local object is used for direct accesses, lifetimes and copies only.
pub(crate) fn is_private(body: &Body, alloca: Value) -> bool {
    let mut derived = BTreeSet::from([alloca]);
    let mut grown = true;
    while grown {
        grown = false;
        for b in &body.blocks {
            for i in &b.insts {
                if let InstKind::Addr { base: Operand::Value(v), .. } = &i.kind
                    && derived.contains(v)
                {
                    grown |= derived.insert(i.results[0]);
                }
            }
        }
    }
    let is = |o: &Operand| matches!(o, Operand::Value(v) if derived.contains(v));
    for b in &body.blocks {
        for i in &b.insts {
            let fine = match &i.kind {
                InstKind::Load { volatile, atomic, .. } => !volatile && !atomic,
                InstKind::Store { value, volatile, atomic, .. } => !is(value) && !volatile && !atomic,
                InstKind::Addr { steps, .. } => {
                    !steps.iter().any(|s| matches!(s, Step::Index { index, .. } if is(index)))
                }
                InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } | InstKind::DebugValue { .. } => true,
                // Arguments are checked for null.
                InstKind::Icmp { rhs: Operand::Const(Const::Null), .. }
                | InstKind::Icmp { lhs: Operand::Const(Const::Null), .. } => true,
                InstKind::MemCopy { len: Operand::Const(Const::Int { value, .. }), volatile, .. }
                | InstKind::MemSet { len: Operand::Const(Const::Int { value, .. }), volatile, .. } => {
                    *value <= 512 && !volatile
                }
                k => {
                    let mut none = true;
                    k.for_each_operand(|o| none &= !is(o));
                    none
                }
            };
            if !fine {
                return false;
            }
        }
        let mut none = true;
        b.term.for_each_operand(|o| none &= !is(o));
        if !none {
            return false;
        }
    }
    true
}

/// For tests and callers that only want to know what a module is.
pub(crate) fn same_machine(a: &Module, b: &Module) -> bool {
    a.target.triple == b.target.triple
        && a.target.pointer_bits == b.target.pointer_bits
        && a.target.big_endian == b.target.big_endian
}

/// A start of memory.
pub(crate) fn start(p: &mut Product<'_>, n: u32) -> Mem {
    p.mems.node(Node::Start(n))
}
