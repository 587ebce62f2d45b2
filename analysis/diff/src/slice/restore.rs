//! Phases 2 and 3 (malik-2023 §9.2): what the dependent instructions need, on data and control, and the body that is
//! left of it. A branch that decides nothing of the slice becomes a jump to where its ways meet again.

use super::depend::{Flow, Kept, Spot, memory};
use super::effects::View;
use std::collections::BTreeMap;
use verify_ir::{Block, BlockData, Body, Const, Edge, InstKind, Operand, Terminator, Ty, Value};

/// What is left of a function, and which of its effects do not depend on the variable: they are there because something
/// that does depend on it may need them, and what a run shows of them shows nothing of the variable.
pub(crate) struct Slice {
    pub body: Body,
    /// Memory that others see is written.
    pub stores: bool,
    /// Something is called.
    pub calls: bool,
}

#[derive(Clone, Copy)]
enum Def {
    At(Spot),
    Param(u32),
}

struct Closure<'a> {
    view: &'a View<'a>,
    body: &'a Body,
    flow: &'a Flow,
    kept: Kept,
    defs: BTreeMap<Value, Def>,
    todo: Vec<Spot>,
}

impl Closure<'_> {
    fn spot(&mut self, s: Spot) {
        if self.kept.spots.insert(s) {
            self.todo.push(s);
        }
    }

    fn operand(&mut self, o: &Operand) {
        let Some(v) = o.as_value() else { return };
        match self.defs.get(&v) {
            Some(Def::At(s)) => self.spot(*s),
            Some(Def::Param(b)) => self.param(*b, v),
            None => {}
        }
    }

    fn param(&mut self, b: u32, v: Value) {
        if b != 0 && self.kept.params.insert(v) {
            self.feed(b, v);
        }
    }

    /// What a parameter gets, and which edge it gets it from.
    fn feed(&mut self, b: u32, v: Value) {
        let body = self.body;
        let Some(at) = body.blocks[b as usize].params.iter().position(|p| *p == v) else { return };
        for p in self.flow.preds[b as usize].clone() {
            let d = &body.blocks[p as usize];
            for e in d.term.targets().into_iter().filter(|e| e.block.0 == b) {
                self.operand(&e.args[at]);
            }
            if d.term.targets().len() > 1 {
                self.spot((p, d.insts.len() as u32));
            }
            self.decided(p);
        }
    }

    fn decided(&mut self, b: u32) {
        for t in self.flow.deciders[b as usize].clone() {
            self.spot((t, self.body.blocks[t as usize].insts.len() as u32));
        }
    }

    fn close(&mut self) {
        let memory = memory(self.view, self.body, self.flow);
        while let Some(s) = self.todo.pop() {
            let body = self.body;
            let d = &body.blocks[s.0 as usize];
            self.decided(s.0);
            match d.insts.get(s.1 as usize) {
                Some(i) => {
                    i.kind.for_each_operand(|o| self.operand(o));
                    if let Ok(k) = memory.binary_search_by_key(&s, |m| m.0) {
                        let reads = &memory[k].1.reads;
                        for (w, e) in &memory {
                            if self.flow.before(*w, s) && self.view.meet(&e.writes, reads) && !self.outside(*w, s) {
                                self.spot(*w);
                            }
                        }
                    }
                }
                None => match &d.term {
                    Terminator::Branch { cond, .. } => self.operand(cond),
                    Terminator::Switch { value, .. } => self.operand(value),
                    Terminator::Return(vs) => vs.iter().for_each(|o| self.operand(o)),
                    _ => {}
                },
            }
        }
    }

    /// Code outside the program does not write the variable.
    fn outside(&self, writer: Spot, reader: Spot) -> bool {
        let at = |s: Spot| &self.body.blocks[s.0 as usize].insts[s.1 as usize].kind;
        let InstKind::Load { ptr, .. } = at(reader) else { return false };
        let InstKind::Call(c) = at(writer) else { return false };
        let external = self.view.callee(&c.callee).is_some_and(|f| self.view.m.func(f).body.is_none());
        external && self.view.uses.names(self.view.m, ptr)
    }

    /// A way that ends in a call that does not return ends so in the slice: it is no error.
    fn ends(&mut self) {
        for b in self.flow.live.clone() {
            let d = &self.body.blocks[b as usize];
            if !matches!(d.term, Terminator::Unreachable) || !self.runs(b) {
                continue;
            }
            let last = d.insts.iter().rposition(|i| match &i.kind {
                InstKind::Call(c) => {
                    c.noreturn || self.view.callee(&c.callee).is_some_and(|f| self.view.m.func(f).attrs.noreturn)
                }
                _ => false,
            });
            if let Some(k) = last {
                self.spot((b, k as u32));
            }
        }
    }

    /// The slice has all that decides whether the block runs.
    fn runs(&self, b: u32) -> bool {
        let ends = |t: &u32| (*t, self.body.blocks[*t as usize].insts.len() as u32);
        self.flow.deciders[b as usize].iter().all(|t| self.kept.spots.contains(&ends(t)))
    }

    /// Checks of what is in the slice anyway: the error that ends an execution here ends it in the slice, too.
    fn checks(&mut self) {
        for b in self.flow.live.clone() {
            let d = &self.body.blocks[b as usize];
            let runs = self.runs(b);
            for (k, i) in d.insts.iter().enumerate() {
                if let InstKind::Check { ok, .. } | InstKind::Assume { cond: ok } = &i.kind
                    && runs
                    && ok.as_value().is_some_and(|v| self.has(v))
                {
                    self.kept.spots.insert((b, k as u32));
                }
            }
        }
    }

    fn has(&self, v: Value) -> bool {
        match self.defs.get(&v) {
            Some(Def::At(s)) => self.kept.spots.contains(s),
            Some(Def::Param(0)) => true,
            Some(Def::Param(_)) => self.kept.params.contains(&v),
            None => false,
        }
    }

    fn block(&self, b: u32) -> BlockData {
        let d = &self.body.blocks[b as usize];
        let kept = |k: usize| self.kept.spots.contains(&(b, k as u32));
        let edge = |e: &Edge| {
            let params = &self.body.block(e.block).params;
            let args = params.iter().zip(&e.args).filter(|(p, _)| self.kept.params.contains(p)).map(|(_, a)| a.clone());
            Edge { block: e.block, args: args.collect() }
        };
        let mut insts: Vec<_> = d.insts.iter().enumerate().filter(|(k, _)| kept(*k)).map(|(_, i)| i.clone()).collect();
        for i in &mut insts {
            // What a message would say of values that are gone.
            if let InstKind::Check { detail, .. } = &mut i.kind {
                detail.operands.retain(|o| o.as_value().is_none_or(|v| self.has(v)));
            }
        }
        let term = match &d.term {
            Terminator::Jump(e) => Terminator::Jump(edge(e)),
            Terminator::Unreachable => Terminator::Unreachable,
            t if kept(d.insts.len()) => {
                let mut t = t.clone();
                for e in t.targets_mut() {
                    *e = edge(e);
                }
                t
            }
            Terminator::Return(vs) => Terminator::Return(vs.iter().map(|v| zero(self.body.operand_ty(v))).collect()),
            _ => match self.flow.post.immediate(Block(b)) {
                Some(to) => Terminator::Jump(Edge::to(to)),
                None => Terminator::Unreachable,
            },
        };
        let params = d.params.iter().filter(|p| b == 0 || self.kept.params.contains(p)).copied().collect();
        BlockData { params, insts, term, term_span: d.term_span }
    }
}

fn zero(t: Ty) -> Operand {
    match t {
        Ty::Int(w) => Operand::int(w, 0),
        Ty::Float(kind) => Operand::Const(Const::Float { kind, bits: 0 }),
        Ty::Ptr => Operand::Const(Const::Null),
    }
}

/// The slice around what depends on the variable.
pub(super) fn slice(view: &View<'_>, body: &Body, flow: &Flow, seeds: Kept, sure: &Kept) -> Slice {
    let mut defs = BTreeMap::new();
    for b in &flow.live {
        let d = &body.blocks[*b as usize];
        defs.extend(d.params.iter().map(|p| (*p, Def::Param(*b))));
        for (k, i) in d.insts.iter().enumerate() {
            defs.extend(i.results.iter().map(|r| (*r, Def::At((*b, k as u32)))));
        }
    }
    let todo = seeds.spots.iter().copied().collect();
    let params: Vec<Value> = seeds.params.iter().copied().collect();
    let mut c = Closure { view, body, flow, kept: seeds, defs, todo };
    for p in params {
        if let Some(Def::Param(b)) = c.defs.get(&p).copied() {
            c.feed(b, p);
        }
    }
    // A lifetime begins and ends where its object is used.
    loop {
        c.close();
        let before = c.kept.spots.len();
        for b in flow.live.clone() {
            for (k, i) in body.blocks[b as usize].insts.iter().enumerate() {
                if let InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } = &i.kind
                    && object.as_value().is_some_and(|v| c.has(v))
                {
                    c.spot((b, k as u32));
                }
            }
        }
        c.ends();
        if c.kept.spots.len() == before && c.todo.is_empty() {
            break;
        }
    }
    c.checks();
    let (mut stores, mut calls) = (false, false);
    for (b, k) in c.kept.spots.difference(&sure.spots) {
        match body.blocks[*b as usize].insts.get(*k as usize).map(|i| &i.kind) {
            Some(
                InstKind::Store { ptr: to, .. } | InstKind::MemSet { dst: to, .. } | InstKind::MemCopy { dst: to, .. },
            ) => {
                stores |= !view.own(to);
            }
            Some(
                InstKind::Call(_) | InstKind::InlineAsm(_) | InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. },
            ) => {
                calls = true;
            }
            _ => {}
        }
    }
    Slice { body: rebuild(&c), stores, calls }
}

fn rebuild(c: &Closure<'_>) -> Body {
    let result: Vec<Operand> = c
        .body
        .blocks
        .iter()
        .find_map(|b| match &b.term {
            Terminator::Return(vs) => Some(vs.iter().map(|v| zero(c.body.operand_ty(v))).collect()),
            _ => None,
        })
        .unwrap_or_default();
    let mut out = Body { values: c.body.values.clone(), blocks: Vec::new(), vars: c.body.vars.clone() };
    let mut number: BTreeMap<u32, u32> = BTreeMap::from([(0, 0)]);
    let mut order = vec![0u32];
    let mut at = 0;
    while at < order.len() {
        let b = order[at];
        at += 1;
        let mut d = c.block(b);
        // The ways of a branch that is gone may meet only behind the function.
        let gone = matches!(d.term, Terminator::Unreachable)
            && !matches!(c.body.blocks[b as usize].term, Terminator::Unreachable);
        if gone {
            d.term = Terminator::Return(result.clone());
        }
        for e in d.term.targets_mut() {
            let n = number.len() as u32;
            let to = *number.entry(e.block.0).or_insert_with(|| {
                order.push(e.block.0);
                n
            });
            e.block = Block(to);
        }
        out.blocks.push(d);
    }
    verify_ir::compact::compact_values(&mut out);
    out
}
