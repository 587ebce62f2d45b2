//! Rows of templates that runs of the program suggest: relations that all visits of a loop's head had in some runs on
//! small inputs (the dynamic detection of invariants: Ernst et al., ICSE 1999; equations by linear algebra: Nguyen et al.,
//! ICSE 2012). Nothing rests on them: what is not inductive is dropped like any other row.
//!
//! Looked at are integers: parameters of the head, values from before the loop that it or code behind it uses, and memory
//! that the loop reads or writes at a place that stays the same. Not looked at: memory elsewhere, pointers, floating point,
//! more than [`COLUMNS`] values of one loop.

mod cases;
mod linear;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use verify_encode::{Source, Suggestion, Suggestions, constants, used_as};
use verify_engine::{Start, Subject, replay};
use verify_facts::{Dominators, Graph, Loop, LoopForest, LoopId};
use verify_interp::{Config, Question, Watched};
use verify_ir::{Block, Body, Const, Edge, FuncId, InstKind, Operand, Step, Ty, Value};

/// Values of one loop.
const COLUMNS: usize = 8;
/// Loops of a program.
const MAX_LOOPS: usize = 40;
/// Runs, and steps of each.
const RUNS: u64 = 40;
const STEPS: u64 = 30_000;
/// Constants of a function that a value may be bounded by a multiple of.
const MAX_FACTORS: usize = 6;
const MOST_FACTOR: i128 = 100;
/// Numbers that the loops of a program compare with and that inputs are near of.
const MAX_NEAR: usize = 12;

/// A value that is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    source: Source,
    /// Bits.
    width: u32,
    signed: bool,
    /// It is a parameter of the head, or memory that the loop writes to.
    changes: bool,
    /// It has no value of its own when the loop is entered.
    unset: bool,
}

/// A loop, and what it had.
struct Head {
    columns: Vec<Column>,
    constants: BTreeSet<i128>,
    /// Numbers from 2 that the function computes with or stores.
    factors: BTreeSet<i128>,
    /// Conditions that the function puts to columns.
    conditions: Vec<cases::Case>,
    /// Inequalities of columns that it looks at.
    atoms: Vec<cases::Atom>,
    /// Visits of each run in their order, without repetition; undefined values are none.
    runs: Vec<Vec<Vec<Option<i128>>>>,
}

impl Head {
    /// What the visits suggest. Columns that mostly are undefined are not looked at; what the others have where all of them are
    /// defined is said of every visit but the first where some were undefined meanwhile.
    fn suggestions(self) -> Vec<Suggestion> {
        let visits = || self.runs.iter().flatten();
        let defined = |c: usize| visits().filter(|v| v[c].is_some()).count();
        let kept: Vec<usize> = (0..self.columns.len()).filter(|c| 2 * defined(*c) > visits().count()).collect();
        let whole = |v: &Vec<Option<i128>>| kept.iter().map(|c| v[*c]).collect::<Option<Vec<i128>>>();
        let runs: Vec<Vec<Vec<i128>>> = self.runs.iter().map(|r| r.iter().filter_map(whole).collect()).collect();
        let columns: Vec<Column> = kept.iter().map(|c| self.columns[*c].clone()).collect();
        let mut found = linear::suggestions(&columns, &runs, &self.constants, &self.factors);
        if visits().any(|v| whole(v).is_none()) {
            let sometimes: Vec<bool> = kept.iter().map(|c| defined(*c) < visits().count()).collect();
            found.extend(linear::bounds(&columns, &runs, &self.constants, &sometimes));
            found = found.into_iter().map(|s| Suggestion::Later(Box::new(s))).collect();
        } else {
            let by_case = cases::suggestions(&self, &columns, &kept, &runs, &found);
            found.extend(by_case);
        }
        found
    }
}

/// What runs suggest, found when it is asked for.
pub struct Guesses<'a> {
    subject: &'a Subject,
    all: OnceCell<Suggestions>,
}

impl<'a> Guesses<'a> {
    /// Of this program.
    pub fn new(subject: &'a Subject) -> Guesses<'a> {
        Guesses { subject, all: OnceCell::new() }
    }

    /// By the head of each loop.
    pub(crate) fn all(&self) -> Suggestions {
        self.all.get_or_init(|| Rc::new(of(self.subject))).clone()
    }
}

fn of(subject: &Subject) -> BTreeMap<(FuncId, Block), Vec<verify_encode::Suggestion>> {
    let Some(main) = crate::engine::only_entry(subject) else { return BTreeMap::new() };
    let mut heads = heads(subject);
    if heads.is_empty() {
        return BTreeMap::new();
    }
    let watched = |c: &Column| match c.source.clone() {
        Source::Value(v) => verify_interp::Source::Value(v),
        Source::Memory { base, offset, size } => verify_interp::Source::Memory { base, offset, size },
    };
    let watch: BTreeMap<_, Vec<_>> =
        heads.iter().map(|(at, h)| (*at, h.columns.iter().map(watched).collect())).collect();
    let watch = Arc::new(watch);
    let near: BTreeSet<i128> = heads.values().flat_map(|h| h.constants.iter().copied()).collect();
    let near: Vec<i128> = near.into_iter().take(MAX_NEAR).collect();
    let start = match subject.module().func(main).name.as_str() {
        "main" => Start::Main(vec![b"program".to_vec()]),
        _ => Start::Function(main),
    };
    for run in 0..RUNS {
        let config = Config { max_steps: STEPS, watch: Arc::clone(&watch), ..replay::config(&start) };
        let mut inputs =
            Inputs { state: run.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d, run, near: &near };
        let mut script = |q: &Question<'_>| Ok(inputs.answer(q));
        let outcome = replay::run(subject, &start, &mut script, &config);
        sort_in(&mut heads, outcome.watched);
    }
    let mut out = BTreeMap::new();
    for (at, h) in heads {
        let found = h.suggestions();
        if !found.is_empty() {
            out.insert(at, found);
        }
    }
    out
}

/// The loops of the program's own code that runs may get to.
fn heads(subject: &Subject) -> BTreeMap<(FuncId, Block), Head> {
    let module = subject.module();
    let mut out = BTreeMap::new();
    let runs = subject.draft.reach.may_run(&subject.draft.roots.entries);
    for f in (0..module.functions.len()).filter(|f| runs.get(*f) == Some(&true)).map(FuncId::new) {
        let func = module.func(f);
        let Some(body) = func.body.as_ref().filter(|_| !verify_checks::calls::is_model(module, func)) else { continue };
        let loops = LoopForest::new(body);
        if loops.loops.is_empty() {
            continue;
        }
        let around = Around::new(body);
        let factors = factors(body);
        for i in 0..loops.loops.len() {
            let l = LoopId(i as u32);
            let columns = columns(body, l, &loops, &around);
            if out.len() < MAX_LOOPS && columns.len() > 1 && !loops.get(l).irreducible {
                let constants = constants(body, l, &loops);
                let conditions = cases::of(body, loops.get(l), &around, &columns);
                let atoms = cases::atoms(body, loops.get(l), &around, &columns);
                out.insert(
                    (f, loops.get(l).header),
                    Head { columns, constants, factors: factors.clone(), conditions, atoms, runs: Vec::new() },
                );
            }
        }
    }
    out
}

/// The least numbers from 2 among the constants of a body.
fn factors(body: &Body) -> BTreeSet<i128> {
    let mut out = BTreeSet::new();
    let mut add = |o: &Operand| {
        if let Operand::Const(Const::Int { value, .. }) = o {
            out.extend(i128::try_from(*value).ok().filter(|v| (2..=MOST_FACTOR).contains(v)));
        }
    };
    for b in &body.blocks {
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut add));
        b.term.for_each_operand(&mut add);
    }
    out.into_iter().take(MAX_FACTORS).collect()
}

/// Integers that the loop changes, then those from before it that it uses, then others from before it that code behind it
/// uses, or that what changes begins with.
fn columns(body: &Body, l: LoopId, loops: &LoopForest, around: &Around) -> Vec<Column> {
    let at = loops.get(l);
    let (signed, unsigned) = used_as(body, l, loops);
    let column = |v: Value, changes| match body.ty(v) {
        Ty::Int(width @ 8..=64) => Some(Column {
            source: Source::Value(v),
            width,
            signed: signed.contains(&v) || !unsigned.contains(&v),
            changes,
            unset: false,
        }),
        _ => None,
    };
    let before = |v: &Value| {
        around.home[v.index()].is_some_and(|b| !at.contains(b) && around.dominators.dominates(b, at.header))
    };
    let used = |blocks: &mut dyn Iterator<Item = Block>| {
        let mut used = BTreeSet::new();
        let mut count = |o: &Operand| used.extend(o.as_value().filter(before));
        for b in blocks.map(|b| body.block(b)) {
            b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut count));
            b.term.for_each_operand(&mut count);
        }
        used
    };
    let here = used(&mut at.blocks.iter().copied());
    let later = used(&mut around.graph.preorder(&[at.header.0]).into_iter().map(Block));
    let later: Vec<&Value> = later.iter().filter(|v| !here.contains(v)).collect();
    let first = first(body, at);
    let first = first.iter().filter(|v| before(v) && !here.contains(v) && !later.contains(v));
    let params = body.block(at.header).params.iter().enumerate();
    let params = params.filter_map(|(i, v)| Some(Column { unset: is_unset(body, at, i), ..column(*v, true)? }));
    let (written, read): (Vec<Column>, Vec<Column>) = cells(body, at, &before).into_iter().partition(|c| c.changes);
    let here = here.iter().filter_map(|v| column(*v, false));
    let earlier = later.iter().copied().chain(first).filter_map(|v| column(*v, false));
    params.chain(written).chain(here).chain(read).chain(earlier).take(COLUMNS).collect()
}

/// The edges by which a loop is entered.
fn entries<'a>(body: &'a Body, l: &'a Loop) -> impl Iterator<Item = &'a Edge> {
    let outside = (0..body.blocks.len()).map(Block::new).filter(|b| !l.contains(*b));
    outside.flat_map(|b| body.block(b).term.targets()).filter(|e| e.block == l.header)
}

/// What the parameters of the head begin with, where that is one value.
fn first(body: &Body, l: &Loop) -> BTreeSet<Value> {
    let entries: Vec<&Edge> = entries(body, l).collect();
    match &entries[..] {
        [one] => one.args.iter().filter_map(Operand::as_value).collect(),
        _ => BTreeSet::new(),
    }
}

/// The parameter of the head is not initialised where the loop is entered.
fn is_unset(body: &Body, l: &Loop, param: usize) -> bool {
    let unset = |v: Value| {
        let mut insts = body.blocks.iter().flat_map(|b| &b.insts);
        insts.any(|i| matches!(i.kind, InstKind::Uninit) && i.results.contains(&v))
    };
    let mut handed = entries(body, l).filter_map(|e| e.args.get(param)?.as_value());
    handed.any(unset)
}

/// Integers in memory that the loop reads or writes, at places from before it.
fn cells(body: &Body, l: &Loop, before: &dyn Fn(&Value) -> bool) -> Vec<Column> {
    let insts = || l.blocks.iter().flat_map(|b| &body.block(*b).insts);
    let made: BTreeMap<Value, &InstKind> =
        insts().filter_map(|i| Some((*i.results.first()?, &i.kind))).filter(|(_, k)| is_address(k)).collect();
    let place = |ptr: &Operand| {
        let (mut at, mut offset) = (ptr.clone(), 0i64);
        for _ in 0..8 {
            match &at {
                Operand::Const(_) => return Some((at, offset)),
                Operand::Value(v) if before(v) => return Some((at, offset)),
                Operand::Value(v) => {
                    let InstKind::Addr { base, steps, .. } = *made.get(v)? else { return None };
                    for s in steps {
                        let by = match s {
                            Step::Field { offset, .. } => i64::try_from(*offset).ok()?,
                            Step::Index { index: Operand::Const(Const::Int { width, value }), stride, .. } => {
                                let n = (*value << (128 - width)) as i128 >> (128 - width);
                                i64::try_from(n.checked_mul(i128::from(*stride))?).ok()?
                            }
                            Step::Index { .. } => return None,
                        };
                        offset = offset.checked_add(by)?;
                    }
                    at = base.clone();
                }
            }
        }
        None
    };
    let mut out: Vec<Column> = Vec::new();
    for i in insts() {
        let (ptr, ty, changes) = match &i.kind {
            InstKind::Load { ptr, .. } => (ptr, i.results.first().map(|r| body.ty(*r)), false),
            InstKind::Store { ptr, value, .. } => (ptr, Some(body.operand_ty(value)), true),
            _ => continue,
        };
        let Some(Ty::Int(width @ (8 | 16 | 32 | 64))) = ty else { continue };
        let Some((base, offset)) = place(ptr) else { continue };
        let source = Source::Memory { base, offset, size: u64::from(width / 8) };
        match out.iter_mut().find(|c| c.source == source) {
            Some(c) => c.changes |= changes,
            None => out.push(Column { source, width, signed: true, changes, unset: false }),
        }
    }
    out
}

fn is_address(k: &InstKind) -> bool {
    matches!(k, InstKind::Addr { .. })
}

/// A body's control flow.
struct Around {
    graph: Graph,
    dominators: Dominators,
    /// The block that makes each value.
    home: Vec<Option<Block>>,
}

impl Around {
    fn new(body: &Body) -> Around {
        let mut home = vec![None; body.values.len()];
        for (i, b) in body.blocks.iter().enumerate() {
            let made = b.params.iter().chain(b.insts.iter().flat_map(|i| &i.results));
            made.for_each(|v| home[v.index()] = Some(Block::new(i)));
        }
        Around { graph: Graph::of_body(body), dominators: Dominators::new(body), home }
    }
}

/// The visits of a run, as a set and in their order.
type OfRun = (BTreeSet<Vec<Option<i128>>>, Vec<Vec<Option<i128>>>);

/// Adds what a run had.
fn sort_in(heads: &mut BTreeMap<(FuncId, Block), Head>, watched: Vec<Watched>) {
    let mut of_run: BTreeMap<(FuncId, Block), OfRun> = BTreeMap::new();
    for w in watched {
        let Some(h) = heads.get(&(w.func, w.block)) else { continue };
        let number = |(v, c): (&Option<u64>, &Column)| {
            let v = (*v)?;
            let up = 128 - c.width;
            Some(if c.signed { (i128::from(v) << up) >> up } else { v.into() })
        };
        let mut values: Vec<Option<i128>> = w.values.iter().zip(&h.columns).map(number).collect();
        let (known, all) = of_run.entry((w.func, w.block)).or_default();
        if all.is_empty() {
            // Under rules by which any value may be read the run has one all the same.
            values.iter_mut().zip(&h.columns).filter(|(_, c)| c.unset).for_each(|(v, _)| *v = None);
        }
        if known.insert(values.clone()) {
            all.push(values);
        }
    }
    for (at, (_, visits)) in of_run {
        if let Some(h) = heads.get_mut(&at) {
            h.runs.push(visits);
        }
    }
}

/// Small inputs: the runs differ in how large they are.
struct Inputs<'a> {
    state: u64,
    run: u64,
    near: &'a [i128],
}

impl Inputs<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u64
    }

    fn answer(&mut self, q: &Question<'_>) -> u64 {
        match q {
            Question::Nondet { .. } | Question::Bytes { .. } | Question::Uninit { .. } | Question::Scalar { .. } => {}
            _ => return q.natural(),
        }
        if !self.near.is_empty() && self.below(8) == 0 {
            let c = self.near[self.below(self.near.len() as u64) as usize] as u64;
            return c.wrapping_add(self.below(3)).wrapping_sub(1);
        }
        match self.run % 5 {
            0 => self.below(4),
            1 => self.below(12),
            2 => self.below(25).wrapping_sub(8),
            3 => self.below(40),
            _ => self.below(200),
        }
    }
}
