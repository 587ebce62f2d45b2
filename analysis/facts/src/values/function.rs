//! One function: passes over its blocks until nothing changes, then what holds at each instruction.
//!
//! Invariant: what [`Function::run`] returns was computed in a pass in which no state, and no name of a value, changed:
//! it is inductive, however it was reached.

use super::across::{self, Places};
use super::alias::Alias;
use super::birth::{Births, Ranges};
use super::claims::Claim;
use super::contents::{Contents, What, Write};
use super::interval::Interval;
use super::state::{Base, Cell, Definedness, Extent, Safe, State, Widen};
use super::{Given, Interface, Passed, Through};
use crate::dominators::Dominators;
use crate::points_to::hash::FastMap;
use crate::points_to::{ObjectId, Targets};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::graph::Graph;
use verify_ir::{Block, Body, CheckKind, Const, Edge, FuncId, InstKind, Loc, Module, Operand, Terminator, Ty, Value};

/// The numbers that a pointer may be known to be: no object lies there.
pub(super) const NUMBERS: Interval = Interval { lo: 0, hi: 4095 };

/// What is known of a value that goes from one function to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Known {
    /// As a pointer.
    pub safe: Safe,
    /// As a pointer.
    pub extent: Option<Extent>,
    /// As a number.
    pub range: Option<Interval>,
    /// Every bit is defined.
    pub defined: bool,
    /// Not every bit is known to be defined, but all are or none is.
    pub whole: bool,
}

impl Known {
    /// An argument that was copied, or the place of a result: an object of this size.
    pub fn object(size: u64) -> Known {
        let hi = i64::try_from(size).unwrap_or(0);
        let extent = (hi > 0).then_some(Extent { lo: 0, hi });
        Known { safe: Safe::OBJECT, extent, defined: true, ..Known::default() }
    }

    /// A pointer from outside: null, or to a live object of at least this size, which may be constant.
    pub fn input(size: u64) -> Known {
        let k = Known::object(size);
        Known { safe: k.safe.without(Safe::NULL.with(Safe::NONZERO).with(Safe::WRITABLE)), ..k }
    }

    /// What is known when both are.
    pub fn join(&self, other: &Known) -> Known {
        let extent = match (self.extent, other.extent) {
            (Some(Extent::ALL), _) | (_, Some(Extent::ALL)) => Some(Extent::ALL),
            // Both are ranges in one object around one pointer.
            (Some(a), Some(b)) => Some(a.hull(b)),
            (a, b) => a.or(b),
        };
        let range = match (self.range, other.range) {
            (Some(a), Some(b)) => a.meet(b).or(Some(a)),
            (a, b) => a.or(b),
        };
        let defined = self.defined || other.defined;
        let whole = !defined && (self.whole || other.whole);
        Known { safe: self.safe.with(other.safe), extent, range, defined, whole }
    }

    /// What holds of both, without the bounds that are not the same: the rest cannot change for ever.
    pub fn meet_without_bounds(&self, other: &Known) -> Known {
        let both = self.meet(other);
        let extent = both.extent.filter(|_| both.extent == self.extent);
        let range = both.range.filter(|_| both.range == self.range);
        Known { extent, range, ..both }
    }

    /// What holds of both.
    pub fn meet(&self, other: &Known) -> Known {
        let extent = match (self.extent, other.extent) {
            (Some(a), Some(b)) => a.common(b),
            _ => None,
        };
        let range = match (self.range, other.range) {
            (Some(a), Some(b)) => Some(a.hull(b)),
            _ => None,
        };
        let defined = self.defined && other.defined;
        let whole = !defined && (self.defined || self.whole) && (other.defined || other.whole);
        Known { safe: self.safe.common(other.safe), extent, range, defined, whole }
    }
}

/// What a function gives.
#[derive(Default)]
pub struct Found {
    /// Checks that hold.
    pub holds: Vec<(Loc, CheckKind)>,
    /// From these places to the end of their blocks, control never gets.
    pub dead: Vec<Loc>,
    /// What it passes to those it calls.
    pub calls: Vec<(FuncId, Vec<Known>, Places, Vec<Claim>)>,
    /// What it shows of several arguments and results by returning.
    pub claims: Vec<Claim>,
    /// It may go on in ways that are not modelled: nothing is known of what it returns.
    pub open_ended: bool,
    /// What it returns, and then what it shows of its arguments by returning; `None`: it does not.
    pub results: Option<Vec<Known>>,
    /// What is known of memory where it returns.
    pub left: Places,
    /// What is known of values where they are made.
    pub values: Vec<(Value, Hint)>,
    /// What it passes to library models.
    pub arguments: Vec<(Loc, Passed)>,
    /// Where pointers lead that it calls.
    pub through: Vec<(Loc, Through)>,
    /// What it writes to memory.
    pub writes: Vec<Write>,
    /// Objects that it reads.
    pub reads: BTreeSet<ObjectId>,
    /// What was written of new objects when others could look at them first.
    pub born: Vec<(ObjectId, Ranges)>,
    /// Reads of places that nothing is written to.
    pub empty: Vec<Write>,
}

/// What is known of a value whenever it is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hint {
    /// Of the value.
    pub known: Known,
    /// It is the same as this value of the function, made last before.
    pub same: Option<Value>,
}

/// How a pointer is made from another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    /// The pointer that it is at a constant distance from.
    pub base: Base,
    /// That distance in bytes.
    pub offset: i64,
    /// The pointer that it has its object from.
    pub root: Base,
}

/// What is kept of a function from one look at it to the next.
pub struct Kept<'a> {
    alias: Alias<'a>,
    entries: Vec<Option<State>>,
    names: Vec<Name>,
}

impl<'a> Kept<'a> {
    /// It was not looked at yet.
    pub fn new(alias: Alias<'a>) -> Kept<'a> {
        Kept { alias, entries: Vec::new(), names: Vec::new() }
    }

    /// Roughly how much it is: facts, places and answers about them.
    pub fn size(&self) -> usize {
        self.alias.size() + self.names.len() + self.entries.iter().flatten().map(State::size).sum::<usize>()
    }
}

/// A function under analysis.
pub struct Function<'a, 'w> {
    pub(super) given: Given<'a>,
    pub(super) id: FuncId,
    pub(super) body: &'a Body,
    pub(super) alias: Alias<'a>,
    interfaces: &'w [Interface],
    pub(super) contents: &'w Contents,
    pub(super) births: &'w Births,
    /// What was read, by pointer and type.
    pub(super) loaded: FastMap<(Base, Ty, bool), Option<Known>>,
    /// Instruction that defines each value.
    pub(super) definition: Vec<Option<(Block, u32)>>,
    /// Block in which each value is made.
    home: Vec<Option<Block>>,
    dominators: Dominators,
    /// What pointers, and values that were loaded again, are called.
    pub(super) names: Vec<Name>,
    /// How often each changed its name.
    renamings: Vec<u8>,
    order: Vec<Block>,
    predecessors: Vec<Vec<Block>>,
    heads: Vec<bool>,
    entries: Vec<Option<State>>,
    edges: BTreeMap<(Block, u32), Option<State>>,
    visits: Vec<u32>,
    /// Blocks that were not looked at since a value was renamed.
    stale: Vec<bool>,
    /// Blocks that something has arrived at since they were entered, or a value was renamed.
    arrived: Vec<bool>,
    renamed: u32,
    changed: bool,
    pub(super) found: Found,
    /// Where it returned in the pass that counts, and what.
    returns: Vec<(State, Vec<Operand>)>,
    /// The pass that counts: states stand.
    pub(super) last: bool,
    /// Nothing is settled at this instruction.
    pub(super) muted: bool,
}

/// Visits of a loop head after which bounds are widened.
const VISITS: u32 = 3;
/// Changes of its name after which a load is its own for good.
const RENAMINGS: u8 = 4;
/// Visits of any block after which bounds that still move are dropped.
const MANY_VISITS: u32 = 30;

impl<'a, 'w> Function<'a, 'w> {
    /// Prepares it; `None` without a body.
    pub fn new(
        given: Given<'a>,
        id: FuncId,
        interfaces: &'w [Interface],
        contents: &'w Contents,
        births: &'w Births,
        kept: Kept<'a>,
    ) -> Option<Function<'a, 'w>> {
        let module: &'a Module = given.module;
        let body = module.func(id).body.as_ref()?;
        let mut definition = vec![None; body.values.len()];
        let mut home = vec![None; body.values.len()];
        for b in body.block_ids() {
            body.block(b).params.iter().for_each(|v| home[v.index()] = Some(b));
            for (i, inst) in body.block(b).insts.iter().enumerate() {
                for v in &inst.results {
                    definition[v.index()] = Some((b, i as u32));
                    home[v.index()] = Some(b);
                }
            }
        }
        let graph = Graph::of_body(body);
        let order: Vec<Block> = graph.reverse_postorder(0).into_iter().map(|b| Block::new(b as usize)).collect();
        let mut place = vec![usize::MAX; body.blocks.len()];
        order.iter().enumerate().for_each(|(i, b)| place[b.index()] = i);
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        let mut heads = vec![false; body.blocks.len()];
        for b in &order {
            for e in body.block(*b).term.targets() {
                predecessors[e.block.index()].push(*b);
                heads[e.block.index()] |= place[b.index()] >= place[e.block.index()];
            }
        }
        for p in &mut predecessors {
            p.sort_unstable();
            p.dedup();
        }
        let Kept { alias, mut entries, mut names } = kept;
        // Since the last look the interfaces and contents can only say less: its facts are above the fixpoint.
        entries.resize(body.blocks.len(), None);
        for i in names.len()..body.values.len() {
            let base = Base::Value(Value::new(i));
            names.push(Name { base, offset: 0, root: base });
        }
        Some(Function {
            given,
            id,
            body,
            alias,
            interfaces,
            contents,
            births,
            loaded: FastMap::default(),
            definition,
            home,
            dominators: Dominators::new(body),
            names,
            renamings: vec![0; body.values.len()],
            order,
            predecessors,
            heads,
            entries,
            edges: BTreeMap::new(),
            visits: vec![0; body.blocks.len()],
            stale: vec![true; body.blocks.len()],
            arrived: vec![true; body.blocks.len()],
            renamed: 0,
            changed: false,
            found: Found::default(),
            returns: Vec::new(),
            last: false,
            muted: false,
        })
    }

    /// For the next look.
    pub fn keep(self) -> Kept<'a> {
        Kept { alias: self.alias, entries: self.entries, names: self.names }
    }

    /// To the fixpoint; `None` when it is not reached within this many passes.
    pub fn run(&mut self, params: &[Known], memory: &Places, before: &[Claim], passes: u32) -> Option<Found> {
        let body = self.body;
        let mut start = State::default();
        for (v, k) in body.block(Block::new(0)).params.iter().zip(params) {
            self.learn(&mut start, *v, *k);
        }
        self.told(&mut start, memory);
        self.handed_by_system(&mut start);
        self.begins_with(&mut start, before);
        let again = self.entries[0].is_some();
        self.entries[0] = Some(start);
        for round in 0..passes {
            self.changed = false;
            self.pass();
            if again && self.renamed > 0 {
                self.anew();
                return self.run(params, memory, before, passes);
            }
            // In the first one, edges back were not there yet.
            if !self.changed && round > 0 {
                self.last = true;
                self.pass();
                let returns = std::mem::take(&mut self.returns);
                if !self.found.open_ended {
                    self.found.claims = self.claimed(&returns);
                }
                // Nothing may move in the pass that is believed.
                return (!self.changed).then(|| std::mem::take(&mut self.found));
            }
        }
        None
    }

    /// Arguments and the addresses of variables, as such, in any state.
    pub(super) fn made_at_entry(&mut self, s: &mut State) {
        let entry = self.body.block(Block::new(0));
        let began = self.entries[0].clone();
        for v in &entry.params {
            let Some(k) = began.as_ref().map(|b| self.known(b, &Operand::Value(*v))) else { continue };
            self.learn(s, *v, Known { range: k.range, defined: k.defined, whole: k.whole, ..Known::default() });
        }
        for i in &entry.insts {
            if let (InstKind::Alloca { .. }, [v]) = (&i.kind, &i.results[..]) {
                self.learn(s, *v, Known { defined: true, ..Known::default() });
            }
        }
    }

    /// Forgets the last look: facts stand at the names that values had then.
    fn anew(&mut self) {
        self.entries.fill(None);
        self.edges.clear();
        self.visits.fill(0);
        self.stale.fill(true);
        self.arrived.fill(true);
        self.renamings.fill(0);
        self.loaded.clear();
        self.found = Found::default();
        self.renamed = 0;
        for (i, n) in self.names.iter_mut().enumerate() {
            let base = Base::Value(Value::new(i));
            *n = Name { base, offset: 0, root: base };
        }
    }

    /// The first block is gone back to.
    pub(super) fn first_is_head(&self) -> bool {
        !self.predecessors[0].is_empty()
    }

    fn pass(&mut self) {
        for i in 0..self.order.len() {
            let b = self.order[i];
            // Otherwise what is known at its start is what it was.
            if !self.last && !self.stale[b.index()] && !self.arrived[b.index()] {
                continue;
            }
            self.arrived[b.index()] = false;
            match self.enter(b) {
                // What it hands on depends on what arrives and on the names.
                Some((_, false)) if !self.stale[b.index()] && !self.last => {}
                Some((state, _)) => {
                    let renamed = self.renamed;
                    self.block(b, state);
                    self.stale[b.index()] = self.renamed != renamed;
                }
                None if self.last && self.entries[b.index()].is_none() => {
                    self.found.dead.push(Loc { block: b, inst: 0 });
                }
                None => {}
            }
        }
    }

    /// What is known at the start of a block: what all edges agree on, and never more than before; and whether it is
    /// less than before.
    fn enter(&mut self, b: Block) -> Option<(State, bool)> {
        let body = self.body;
        let at = b.index();
        let mut arriving: Option<State> = if at == 0 { self.entries[0].clone() } else { None };
        for i in 0..self.predecessors[at].len() {
            let p = self.predecessors[at][i];
            let n = body.block(p).term.targets().len() as u32;
            for k in 0..n {
                if body.block(p).term.targets()[k as usize].block != b {
                    continue;
                }
                // An edge that was not looked at yet, or that cannot be taken.
                let Some(Some(s)) = self.edges.get(&(p, k)) else { continue };
                arriving = Some(match arriving {
                    None => s.clone(),
                    Some(a) => {
                        let s = s.clone();
                        self.meet(&a, &s, Widen::No)
                    }
                });
            }
        }
        let arriving = arriving?;
        let widths = |v: Value| match body.ty(v) {
            Ty::Int(w) => w,
            _ => 0,
        };
        let widen = match self.visits[at] {
            n if n > MANY_VISITS => Widen::Drop,
            n if self.heads[at] && n > VISITS => Widen::Jump(&widths),
            _ => Widen::No,
        };
        let new = match &self.entries[at] {
            None => arriving,
            Some(old) => {
                let old = old.clone();
                self.meet(&old, &arriving, widen)
            }
        };
        if self.last {
            self.seen_on_the_way(b, &new);
        }
        let less = self.entries[at].as_ref() != Some(&new);
        if less {
            self.changed = true;
            self.visits[at] += 1;
            self.entries[at] = Some(new.clone());
        }
        Some((new, less))
    }

    /// What is new on one way into the block, and not on another, counts as seen.
    fn seen_on_the_way(&mut self, b: Block, new: &State) {
        if self.births.of(self.id).next().is_none() {
            return;
        }
        let lost = |s: &State| s.all_unseen().into_iter().filter(|v| new.unseen(*v).is_none()).collect::<Vec<_>>();
        let edges = self.predecessors[b.index()].iter().flat_map(|p| {
            let targets = self.body.block(*p).term.targets();
            let ks: Vec<u32> = (0..targets.len()).filter(|k| targets[*k].block == b).map(|k| k as u32).collect();
            ks.into_iter().filter_map(|k| self.edges.get(&(*p, k)).cloned().flatten()).collect::<Vec<State>>()
        });
        let hit: Vec<State> = edges.filter(|s| !lost(s).is_empty()).collect();
        for mut s in hit {
            for v in lost(&s) {
                self.seen(&mut s, v);
            }
        }
    }

    /// What both know, contents of places included that the two name differently.
    fn meet(&mut self, a: &State, b: &State, widen: Widen<'_>) -> State {
        let mut out = a.meet(b, widen);
        for c in a.differing(b) {
            let (x, y) = (self.content_of(a, &c), self.content_of(b, &c));
            out.meet_contents(c, &x, &y, widen);
        }
        let moves = !matches!(widen, Widen::No);
        self.meet_facts(&mut out, a, b, !moves, moves);
        out
    }

    /// What is known of what a place holds.
    fn content_of(&mut self, s: &State, c: &Cell) -> Known {
        match s.held(c) {
            Some(v) => self.known(s, &Operand::Value(v)),
            None => s.content(c).copied().unwrap_or_default(),
        }
    }

    fn block(&mut self, b: Block, mut state: State) {
        let body = self.body;
        for v in &body.block(b).params {
            self.note(&state, *v);
        }
        for (i, inst) in body.block(b).insts.iter().enumerate() {
            let loc = Loc { block: b, inst: i as u32 };
            if state.any_unseen() {
                self.watch(&mut state, loc, inst);
            }
            for v in &inst.results {
                state.forget(*v);
            }
            if !self.instruction(&mut state, loc, inst) {
                if self.last {
                    self.found.dead.push(Loc { inst: i as u32 + 1, ..loc });
                }
                self.leave(b, None);
                return;
            }
            inst.results.iter().for_each(|v| self.is_born(&mut state, *v));
            if !self.muted {
                inst.results.iter().for_each(|v| self.note(&state, *v));
            }
        }
        let loc = Loc { block: b, inst: body.block(b).insts.len() as u32 };
        self.leave(b, Some((state, loc)));
    }

    /// Keeps what is known of a value that was made just now.
    fn note(&mut self, state: &State, v: Value) {
        if !self.last {
            return;
        }
        let own = Base::Value(v);
        let name = self.names[v.index()];
        let same = match name {
            Name { base: Base::Value(w), offset: 0, .. } if w != v && self.body.ty(w) == self.body.ty(v) => Some(w),
            _ => None,
        };
        let mut known = self.known(state, &Operand::Value(v));
        if name.base != own {
            // The pointer that it is computed from says it.
            (known.safe, known.extent) = (Safe::NONE, None);
        }
        if known != Known::default() || same.is_some() {
            self.found.values.push((v, Hint { known, same }));
        }
    }

    /// Hands the state to the successors; without one, control does not get there.
    fn leave(&mut self, b: Block, state: Option<(State, Loc)>) {
        let body = self.body;
        let term = &body.block(b).term;
        let Some((mut state, loc)) = state else {
            for k in 0..term.targets().len() as u32 {
                self.edge(b, k, None);
            }
            return;
        };
        self.muted = false;
        term.for_each_operand(|o| self.muted |= matches!(o, Operand::Const(Const::Poison(_))));
        match term {
            Terminator::Jump(e) => {
                let s = self.across(&state, e);
                self.edge(b, 0, Some(s));
            }
            Terminator::Branch { cond, then, other } => {
                self.settle_defined(&mut state, loc, cond);
                for (k, (e, truth)) in [(then, true), (other, false)].into_iter().enumerate() {
                    let s = self.assume(&state, cond, truth).map(|s| self.without_null(s));
                    let s = s.map(|s| self.across(&s, e));
                    self.edge(b, k as u32, s);
                }
            }
            Terminator::Switch { value, cases, default } => {
                self.settle_defined(&mut state, loc, value);
                for (k, (c, e)) in cases.iter().enumerate() {
                    let s = self.assume_equal(&state, value, c).map(|s| self.across(&s, e));
                    self.edge(b, k as u32, s);
                }
                let s = self.across(&state, default);
                self.edge(b, cases.len() as u32, Some(s));
            }
            Terminator::IndirectJump { address, targets } => {
                self.settle_defined(&mut state, loc, address);
                for (k, e) in targets.iter().enumerate() {
                    let s = self.across(&state, e);
                    self.edge(b, k as u32, Some(s));
                }
            }
            Terminator::Return(values) => {
                if self.last {
                    self.all_left(&state);
                    self.returns.push((state.clone(), values.clone()));
                    let mut known: Vec<Known> = values.iter().map(|o| self.known(&state, o)).map(of_returned).collect();
                    known.extend(self.shown(&state));
                    let left = self.left(&state, values);
                    match self.found.results.take() {
                        _ if self.found.open_ended => self.goes_on_with_anything(known.len()),
                        None => (self.found.results, self.found.left) = (Some(known), left),
                        Some(old) => {
                            self.found.results = Some(old.iter().zip(&known).map(|(a, b)| a.meet(b)).collect());
                            self.found.left = across::meet(&self.found.left, &left);
                        }
                    }
                }
            }
            Terminator::Invoke { call, normal, unwind } => {
                let mut after = state;
                self.all_seen(&mut after);
                if self.call(&mut after, loc, call, &[]) {
                    // Results are the first parameters of the normal block; nothing is known of them.
                    let s = self.shifted(&after, normal);
                    self.edge(b, 0, Some(s));
                } else {
                    self.edge(b, 0, None);
                }
                // What is known behind the call holds where it returned.
                let s = self.across(&State::default(), unwind);
                self.edge(b, 1, Some(s));
            }
            Terminator::Resume(_) => self.all_left(&state),
            Terminator::Unreachable => {}
        }
    }

    /// It may return with anything, from now on.
    pub(super) fn goes_on_with_anything(&mut self, results: usize) {
        self.found.results = Some(vec![Known::default(); results]);
        self.found.left = Places::new();
        self.found.open_ended = true;
    }

    fn edge(&mut self, b: Block, k: u32, s: Option<State>) {
        self.arrived[self.body.block(b).term.targets()[k as usize].block.index()] = true;
        self.edges.insert((b, k), s);
    }

    /// The parameters of the successor get what is known of the arguments.
    fn across(&mut self, state: &State, e: &Edge) -> State {
        self.pass_on(state, e, 0)
    }

    /// The same for a block whose first parameters are results.
    fn shifted(&mut self, state: &State, e: &Edge) -> State {
        let n = self.body.block(e.block).params.len();
        self.pass_on(state, e, n.saturating_sub(e.args.len()))
    }

    fn pass_on(&mut self, state: &State, e: &Edge, first: usize) -> State {
        let params = &self.body.block(e.block).params;
        let known: Vec<Known> = e.args.iter().map(|o| self.known(state, o)).collect();
        let mut s = state.clone();
        // A value that is computed from a parameter is called after it: what is known of it goes with the parameter.
        let old: Vec<(Cell, Value)> =
            s.values_held().filter(|(_, v)| self.depends(*v, params)).map(|(c, v)| (*c, v)).collect();
        for (c, v) in old {
            let k = self.known(state, &Operand::Value(v));
            s.set_content(c, k);
        }
        let carried = if params.is_empty() { None } else { Some(self.carried(state, params, e, first)) };
        for p in params {
            s.forget(*p);
        }
        for (p, k) in params[first.min(params.len())..].iter().zip(known) {
            self.learn(&mut s, *p, k);
        }
        // Nothing else may be used there.
        let usable = |v: Value| self.home[v.index()].is_some_and(|b| self.dominators.dominates(b, e.block));
        s.retain_values(usable);
        carried.into_iter().for_each(|c| c.hold(&mut s));
        s
    }

    /// The value, or what it is called after, is among these.
    fn depends(&self, v: Value, on: &[Value]) -> bool {
        let n = self.names[v.index()];
        on.iter().any(|p| *p == v || n.base == Base::Value(*p) || n.root == Base::Value(*p))
    }

    /// The value has these properties.
    pub(super) fn learn(&mut self, s: &mut State, v: Value, k: Known) {
        if k.safe != Safe::NONE {
            s.add_safe(Base::Value(v), k.safe);
        }
        if let Some(e) = k.extent {
            s.set_extent(Base::Value(v), e);
        }
        if let Some(r) = k.range
            && match self.body.ty(v) {
                Ty::Int(w) => Interval::full(w).is_some_and(|f| f != r && f.covers(r)),
                Ty::Ptr => NUMBERS.covers(r),
                _ => false,
            }
        {
            s.set_range(v, r);
        }
        if k.defined {
            s.set_defined(v);
        } else if k.whole {
            s.set_definedness(v, Definedness::Whole);
        }
    }

    /// What is known of an operand.
    pub(super) fn known(&mut self, s: &State, o: &Operand) -> Known {
        let defined = self.defined(s, o);
        let whole = !defined && self.whole(s, o);
        if self.body.operand_ty(o) != Ty::Ptr {
            return Known { range: self.range(s, o), defined, whole, ..Known::default() };
        }
        if matches!(o, Operand::Const(Const::Null)) {
            let range = self.marked(s, o);
            return Known { safe: Safe::OF_NULL, extent: Some(Extent::ALL), range, defined, whole };
        }
        let range = self.marked(s, o);
        let Some(n) = self.name(o) else { return Known { range, defined, whole, ..Known::default() } };
        let mut safe = self.safe(s, n.root);
        // Null plus something is not null.
        if n.base != n.root || n.offset != 0 {
            let honest = safe.has(Safe::NULL);
            safe = if honest { safe } else { safe.without(Safe::HONEST) };
            safe = safe.without(Safe::NONZERO);
        }
        // No object lies so high that an element or a field of it is at 0.
        if safe.has(Safe::NULL) && n.base == n.root && (0..1 << 31).contains(&n.offset) {
            safe = safe.with(Safe::NONZERO);
        }
        Known { safe, extent: self.extent(s, n.base).and_then(|e| e.seen_from(n.offset)), range, defined, whole }
    }

    /// What a pointer is called; `None`: null or a number.
    pub(super) fn name(&self, o: &Operand) -> Option<Name> {
        match o {
            Operand::Value(v) => Some(self.names[v.index()]),
            Operand::Const(Const::Symbol(sym)) => {
                let (sym, extra) = match self.given.module.weak_alias(*sym) {
                    // The linker may make something else of it.
                    Some(_) => (*sym, 0),
                    None => self.given.module.resolve(*sym),
                };
                let base = Base::Symbol(sym);
                Some(Name { base, offset: i64::try_from(extra).ok()?, root: base })
            }
            Operand::Const(_) => None,
        }
    }

    /// Names a value. Whoever used another name has to look again.
    pub(super) fn set_name(&mut self, v: Value, n: Name) {
        let own = Name { base: Base::Value(v), offset: 0, root: Base::Value(v) };
        let at = v.index();
        let n = if self.renamings[at] >= 5 * RENAMINGS { own } else { n };
        if self.names[at] == n {
            return;
        }
        self.changed = true;
        self.renamed += 1;
        self.stale.fill(true);
        self.arrived.fill(true);
        self.renamings[at] += 1;
        self.names[at] = n;
    }

    /// What is loaded gets no other name than its own any more. What is computed from it follows.
    pub(super) fn is_pinned(&self, v: Value) -> bool {
        self.renamings[v.index()] >= RENAMINGS
    }

    pub(super) fn interface(&self, f: FuncId) -> &Interface {
        &self.interfaces[f.index()]
    }

    /// A check holds here.
    pub(super) fn settle(&mut self, loc: Loc, kind: CheckKind) {
        if self.last && !self.muted {
            self.found.holds.push((loc, kind));
        }
    }

    /// Properties of a root, what is known of the program included.
    pub(super) fn safe(&mut self, s: &State, root: Base) -> Safe {
        let mut safe = s.safe(root);
        match root {
            Base::Symbol(sym) => safe = safe.with(self.of_symbol(sym)),
            Base::Value(v) => {
                if let Some(InstKind::Alloca { .. }) = self.defining(v) {
                    let own = Safe::NULL.with(Safe::INVALID).with(Safe::FREED).with(Safe::WRITABLE).with(Safe::HONEST);
                    safe = safe.with(own);
                }
            }
        }
        if !safe.has(Safe::FREED) && self.alias.never_released(root) {
            safe = safe.with(Safe::FREED);
        }
        if !safe.has(Safe::SCOPE) && self.alias.never_stack(root) {
            safe = safe.with(Safe::SCOPE);
        }
        if !safe.has(Safe::WRITABLE) && self.alias.never_read_only(root) {
            safe = safe.with(Safe::WRITABLE);
        }
        safe
    }

    fn of_symbol(&self, sym: verify_ir::SymbolRef) -> Safe {
        let live = Safe::NULL.with(Safe::INVALID).with(Safe::FREED).with(Safe::SCOPE).with(Safe::HONEST);
        match sym {
            verify_ir::SymbolRef::Global(g) if defined_here(self.given.module, g) => {
                let constant = self.given.module.global(g).constant;
                if constant { live } else { live.with(Safe::WRITABLE) }
            }
            verify_ir::SymbolRef::Global(_) => Safe::FREED.with(Safe::SCOPE),
            // Nobody has to define it; then its address is null.
            _ if self.given.module.may_be_absent(sym) => Safe::FREED.with(Safe::SCOPE).with(Safe::HONEST),
            _ => Safe::FUNCTION.without(Safe::NONZERO),
        }
    }

    /// Bytes around a pointer that are in its object.
    pub(super) fn extent(&mut self, s: &State, b: Base) -> Option<Extent> {
        let known = s.extent(b);
        let own = match b {
            Base::Symbol(verify_ir::SymbolRef::Global(g)) if defined_here(self.given.module, g) => {
                Some(self.given.module.global(g).size)
            }
            Base::Value(v) => match self.defining(v) {
                Some(InstKind::Alloca { elem_size, count: Operand::Const(Const::Int { value, .. }), .. }) => {
                    u64::try_from(*value).ok().and_then(|n| n.checked_mul(*elem_size))
                }
                _ => None,
            },
            Base::Symbol(_) => None,
        };
        match own.and_then(|n| i64::try_from(n).ok()).filter(|n| *n > 0) {
            Some(hi) => Some(Extent { lo: 0, hi }),
            None if known == Some(Extent::ALL) => known,
            // Both are ranges in one object around one pointer.
            None => match (known, self.alias.extent(b)) {
                (Some(a), Some(b)) => Some(a.hull(b)),
                (a, b) => a.or(b),
            },
        }
    }

    /// Where an operand points, by itself.
    pub(super) fn targets(&mut self, o: &Operand) -> Targets {
        match o {
            Operand::Value(v) => self.alias.targets(Base::Value(*v)).clone(),
            _ => self.given.points_to.of(self.id, o),
        }
    }

    /// Memory is written through a pointer.
    pub(super) fn writes(&mut self, ptr: &Operand, size: Option<u64>, what: What) {
        if !self.last {
            return;
        }
        let t = self.targets(ptr);
        if !t.places.is_empty() {
            self.found.writes.push(Write { places: t.places, size, what });
        }
    }

    /// Where a value is made.
    pub(super) fn place_of(&self, v: Value) -> Option<(Block, u32)> {
        self.definition[v.index()]
    }

    /// The operation that makes a value.
    pub(super) fn defining(&self, v: Value) -> Option<&'a InstKind> {
        let (b, i) = self.definition[v.index()]?;
        self.body.block(b).insts.get(i as usize).map(|i| &i.kind)
    }

    /// The value that a value was loaded from again, or itself.
    pub(super) fn same_as(&self, v: Value) -> Value {
        match self.names[v.index()] {
            Name { base: Base::Value(w), offset: 0, .. } => w,
            _ => v,
        }
    }

    /// Bounds of the address that a pointer is, where it is a small number: the null pointer, and marks like `SIG_IGN`.
    pub(super) fn marked(&self, s: &State, o: &Operand) -> Option<Interval> {
        match o {
            Operand::Const(Const::Null) => Some(Interval::of(0)),
            Operand::Value(v) if self.body.ty(*v) == Ty::Ptr => {
                let same = self.same_as(*v);
                s.range(*v).or_else(|| s.range(same).filter(|_| self.body.ty(same) == Ty::Ptr))
            }
            _ => None,
        }
    }

    /// Bounds of a number.
    pub(super) fn range(&self, s: &State, o: &Operand) -> Option<Interval> {
        match o {
            Operand::Const(Const::Int { width, value }) => Interval::constant(*width, *value),
            Operand::Const(_) => None,
            Operand::Value(v) => {
                let Ty::Int(w) = self.body.ty(*v) else { return None };
                let full = Interval::full(w)?;
                let same = self.same_as(*v);
                let a = s.range(*v).unwrap_or(full);
                let b = if same == *v { full } else { s.range(same).unwrap_or(full) };
                Some(a.meet(b).unwrap_or(a))
            }
        }
    }
}

/// The definition in this program is the one that runs.
pub(super) fn defined_here(m: &Module, g: verify_ir::GlobalId) -> bool {
    let g = m.global(g);
    use verify_ir::Linkage;
    g.init.is_some() && !matches!(g.linkage, Linkage::Weak | Linkage::AvailableExternally)
        || g.linkage == Linkage::Common
}

/// What holds of a pointer behind the return: local variables are gone.
pub(super) fn of_returned(k: Known) -> Known {
    if k.extent == Some(Extent::ALL) { k } else { Known { safe: k.safe.without(Safe::SCOPE), ..k } }
}
