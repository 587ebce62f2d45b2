//! The states at the heads of loops, as they are: what each number of a loop is where an iteration begins anywhere, and
//! what it is where control gets to the head. Templates speak of expressions with parameters; who looks for what they
//! do not have (that one of several things holds, say) asks about these.

use crate::build::{Arrival, Build};
use crate::memory;
use crate::sym::Sym;
use crate::template::{Named, Part, Template, Variable};
use std::collections::{BTreeMap, BTreeSet};
use verify_facts::LoopId;
use verify_ir::{Block, Body, Const, FuncId, InstKind, Operand, SpanId, Terminator, Ty, Value};
use verify_solver::Term;

/// Numbers of one loop.
const MAX_NUMBERS: usize = 160;

/// In keys: not the number, but whether it was not written.
const UNWRITTEN: u32 = u32::MAX;

/// A number that a loop changes, or reads and leaves as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Number {
    /// The same in all copies of the loop.
    pub key: [u32; 9],
    /// What it is.
    pub value: Term,
    /// The same in terms of the program, as a signed number (unsigned where it is one bit); [`None`]: it has no words for it.
    pub named: Option<Named>,
}

impl Number {
    /// What a key names is a place in memory, which has it at the heads of other loops too.
    pub fn is_cell(key: &[u32; 9]) -> bool {
        matches!(key[3], 1 | 5)
    }
}

/// Control is at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeadState {
    /// The loop and its calls; all copies within the copies of outer loops share it.
    pub head: Vec<u32>,
    /// An iteration begins here, after any number of others, where this holds; [`None`]: control gets here, on entry or
    /// behind an iteration.
    pub begins: Option<Term>,
    /// An execution that counts gets here.
    pub reached: Term,
    /// The numbers that are known.
    pub numbers: Vec<Number>,
    /// What the function compares with.
    pub constants: BTreeSet<i128>,
    /// The function and the block.
    pub at: (FuncId, Block),
    /// Its place in the source.
    pub span: SpanId,
    /// This many of [`crate::Formula::events`] come before.
    pub events: usize,
    /// This many of [`crate::Formula::cuts`] come before.
    pub cuts: usize,
}

impl<'a> Build<'_, 'a> {
    /// The numbers of a loop: parameters of its head that differ from those on entry, cells of memory that it changes, and what
    /// it reads and leaves as it is, the inputs among that: an execution has one of each.
    pub(crate) fn numbers(
        &mut self,
        body: &'a Body,
        l: LoopId,
        entry: &Arrival,
        start: &Arrival,
        cells: &[(u32, u64, u64)],
        fixed: &mut BTreeMap<Variable, Sym>,
    ) -> Vec<Variable> {
        let cfg = self.frame().cfg.clone();
        let info = cfg.loops.get(l);
        let small = |ty: Ty| matches!(ty, Ty::Int(w) if w <= 64);
        let params = body.block(info.header).params.iter().enumerate();
        let changes = |i: &usize| start.args.get(*i) != entry.args.get(*i);
        let mut all: Vec<Variable> =
            params.filter(|(i, v)| small(body.ty(**v)) && changes(i)).map(|(i, _)| Variable::Param(i)).collect();
        let sized = |size: u64| matches!(size, 1 | 2 | 4 | 8);
        all.extend(cells.iter().filter(|c| sized(c.2)).map(|c| Variable::Number(*c)));
        let mut read: BTreeSet<Value> = BTreeSet::new();
        let mut made: BTreeSet<Value> = BTreeSet::new();
        for b in &info.blocks {
            let block = body.block(*b);
            made.extend(&block.params);
            made.extend(block.insts.iter().flat_map(|i| i.results.iter().copied()));
            let mut uses = |o: &Operand| read.extend(o.as_value());
            block.insts.iter().for_each(|i| i.kind.for_each_operand(&mut uses));
            block.term.for_each_operand(&mut uses);
        }
        for v in read.difference(&made).filter(|v| small(body.ty(**v))) {
            let Some(s) = self.earlier(start, *v) else { continue };
            if self.e.terms.pool.as_const(s.bits).is_none() {
                fixed.insert(Variable::Fixed(*v), s);
                all.push(Variable::Fixed(*v));
            }
        }
        for (o, state) in start.path.memory.iter() {
            for (at, cell) in state.cells.iter().filter(|(_, c)| sized(c.size)) {
                let place = (o, *at, cell.size);
                if !cells.contains(&place) && self.e.terms.pool.as_const(cell.value.bits).is_none() {
                    all.push(Variable::Number(place));
                }
            }
        }
        all.truncate(MAX_NUMBERS);
        all
    }

    fn unwritten(&mut self, t: &Template, at: &Arrival, v: Variable) -> Option<Term> {
        match v {
            Variable::Param(i) => Some(at.args.get(i)?.undef),
            Variable::Fixed(_) => Some(t.fixed.get(&v)?.undef),
            Variable::Number((o, offset, size)) => {
                let module = self.module();
                let state = at.path.memory.get(&mut self.e.terms, module, o);
                Some(memory::read(&mut self.e.terms, module, o, &state, offset, size).undef)
            }
            _ => None,
        }
    }

    /// Writes down the state at a head; `shown` and `begins` as in [`HeadState`].
    pub(crate) fn head_state(
        &mut self,
        body: &Body,
        l: LoopId,
        t: &Template,
        at: &Arrival,
        guard: Term,
        begins: Option<Term>,
    ) {
        if self.dry > 0 || t.numbers.is_empty() {
            return;
        }
        let header = self.frame().cfg.loops.get(l).header;
        let mut head = self.place();
        head.push(header.0);
        let reached = match begins {
            Some(_) => guard,
            None => self.reached(guard),
        };
        let mut numbers = Vec::new();
        for v in &t.numbers {
            let Some(value) = self.value_of(t, at, *v) else { continue };
            let signed = self.e.terms.pool.width(value) > 1;
            let part = Part { variable: *v, minus: false, signed, times: 1 };
            let named = begins.and_then(|_| self.named(body, header, at, &[part]));
            numbers.push(Number { key: part.key(), value, named });
            // Whether it was written: what was not may be anything at each reading.
            let unwritten = self.unwritten(t, at, *v);
            if let Some(value) = unwritten.filter(|u| self.e.terms.pool.width(*u) == 1) {
                let mut key = part.key();
                key[7] = UNWRITTEN;
                numbers.push(Number { key, value, named: None });
            }
        }
        let constants = if begins.is_some() { compared_with(body) } else { BTreeSet::new() };
        let data = body.block(header);
        let (at, span) = ((self.here().0, header), data.insts.first().map_or(data.term_span, |i| i.span));
        let (events, cuts) = (self.out.events.len(), self.out.cuts.len());
        self.out.heads.push(HeadState { head, begins, reached, numbers, constants, at, span, events, cuts });
    }
}

/// Constants that a function compares with, signed, and 0.
fn compared_with(body: &Body) -> BTreeSet<i128> {
    let mut out = BTreeSet::from([0]);
    let mut add = |c: &Const| {
        if let Const::Int { width, value } = c
            && (2..=64).contains(width)
        {
            out.insert((*value << (128 - width)) as i128 >> (128 - width));
        }
    };
    for b in body.block_ids() {
        let block = body.block(b);
        for inst in &block.insts {
            let InstKind::Icmp { lhs, rhs, .. } = &inst.kind else { continue };
            for o in [lhs, rhs] {
                if let Operand::Const(c) = o {
                    add(c);
                }
            }
        }
        if let Terminator::Switch { cases, .. } = &block.term {
            cases.iter().for_each(|(c, _)| add(c));
        }
    }
    out
}
