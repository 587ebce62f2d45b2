//! The relation at the cut points: guessed from names and types, weakened until it is inductive (Houdini), then used to
//! show that the versions agree wherever control leaves a region.

use super::exec::{Arrival, Path, Version, start};
use super::mem::Place;
use super::{At, Exit, Product, Res, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_ir::{Block, Body, FuncId, Function, InstKind, Operand, Step, Ty, Value};
use verify_solver::{Op, Sort, Term};

/// What came of an attempt.
pub(crate) enum Outcome {
    /// Equal, if the functions in [`Product::deps`] are.
    Equal {
        /// The solver was needed.
        solver: bool,
    },
    /// Not shown.
    Differs {
        /// What is different.
        what: String,
        /// Where, in the new version.
        at: Option<At>,
        /// Where, in the old version.
        old_at: Option<At>,
        /// Inputs for which the formula differs, when it starts at the entry.
        input: Option<Candidate>,
    },
}

/// Inputs from a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// Parameters that are no pointers.
    pub params: BTreeMap<u32, u128>,
    /// Pointer parameters that are null.
    pub null: BTreeSet<u32>,
    /// Pointer parameters with the address of an earlier one.
    pub same: BTreeMap<u32, u32>,
    /// Bytes behind pointer parameters: (parameter, offset) to byte.
    pub cells: BTreeMap<(u32, u64), u8>,
    /// Bytes of variables.
    pub globals: BTreeMap<(String, u64), u8>,
}

type Side = (Version, Value);
/// A value and its type.
type Typed = (Side, Ty);

/// `a = b + k`, or `a = k`, or `a <= b`, of values at a cut point; or `a` is `b` in more bits, or `b + k * c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    Equal(Side, Side, i64),
    Constant(Side, i64),
    AtMost(Side, Side),
    /// As unsigned numbers.
    Within(Side, Side),
    NotBelow(Side, i64),
    /// With the sign, or with zeros.
    Extended(Side, Side, bool),
    /// The last one in more bits with the sign, or with zeros.
    Stepped(Side, Side, Side, i64, bool),
}

impl Fact {
    fn left(&self) -> Side {
        match self {
            Fact::Equal(x, ..)
            | Fact::Constant(x, _)
            | Fact::AtMost(x, _)
            | Fact::Within(x, _)
            | Fact::NotBelow(x, _)
            | Fact::Extended(x, ..)
            | Fact::Stepped(x, ..) => *x,
        }
    }

    fn right(&self) -> Vec<Side> {
        match self {
            Fact::Equal(_, y, _) | Fact::AtMost(_, y) | Fact::Within(_, y) | Fact::Extended(_, y, _) => vec![*y],
            Fact::Stepped(_, y, z, ..) => vec![*y, *z],
            Fact::Constant(..) | Fact::NotBelow(..) => Vec::new(),
        }
    }

    fn is_equation(&self) -> bool {
        matches!(self, Fact::Equal(..) | Fact::Constant(..) | Fact::Extended(..) | Fact::Stepped(..))
    }
}

struct Cut {
    old: Block,
    new: Block,
    /// Live values.
    olds: Vec<Value>,
    news: Vec<Value>,
    partner: BTreeMap<Value, Value>,
    refuted: BTreeSet<(Value, Value)>,
    facts: Vec<Fact>,
}

struct Ends {
    /// By target, merged: block, path, values at its parameters and live values.
    cuts: BTreeMap<Block, Arrival>,
    returns: Option<Arrival>,
    ends: Option<Arrival>,
}

/// Most facts that are tried at a cut point.
const MAX_FACTS: usize = 600;

/// Facts that are asked about one by one when all together are too hard, and into how many the conflicts are then shared.
const MAX_SINGLE: usize = 40;
const SINGLE: u64 = 10;

/// The same of relations between three values.
const MAX_STEPPED: usize = 200;

/// What is done about loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cuts {
    /// Paired: one that is tested at its start and one that is not meet behind the test.
    Bodies,
    /// The same, with more relations between three values to be tried.
    Further,
    /// Paired at their headers: such a pair may only seem to be tested in other places (`a && b`, `for (;;)`).
    Headers,
    /// Unwound.
    Nowhere,
}

/// One attempt with these functions looked into.
pub(crate) fn prove(p: &mut Product<'_>, cut: Cuts) -> Res<Outcome> {
    let (m, n) = (p.module(Version::Old), p.module(Version::New));
    let (f, g) = (m.func(p.old), n.func(p.new));
    let (Some(a), Some(b)) = (&f.body, &g.body) else { return Err(Stop::new("a function without a body")) };
    let types = |s: &verify_ir::function::Signature| -> (Vec<_>, Vec<Ty>, bool) {
        let passed = s.params.iter().map(|p| (p.ty, p.attrs.byval, p.attrs.sret, p.attrs.lanes > 1));
        (passed.collect(), s.results.clone(), s.variadic)
    };
    if types(&f.sig) != types(&g.sig) {
        return Err(Stop::new("the signature changed"));
    }
    let registers = |f: &Function| {
        let params = f.sig.params.iter().map(|p| (p.attrs.extension, p.attrs.in_register));
        (params.collect::<Vec<_>>(), f.attrs.result_extension, f.attrs.convention)
    };
    if registers(f) != registers(g) {
        return Err(Stop::new("its parameters or its result are passed in another way"));
    }
    if p.module(Version::Old).target.big_endian {
        return Err(Stop::new("big-endian memory"));
    }
    let mut cuts = if cut == Cuts::Nowhere { Vec::new() } else { cuts(p, cut, a, b) };
    p.paired = !cuts.is_empty();
    if !p.paired && p.has_loops() {
        p.budget.work /= super::FOLLOWED;
    }
    let mut further = false;
    for c in &mut cuts {
        let all = guess(c, a, b);
        if cut == Cuts::Further {
            let more = from_the_end(&all, a, b);
            further |= !more.is_empty();
            c.facts.extend(more);
        }
    }
    if cut == Cuts::Further && !further {
        return Err(Stop::new("no further relations"));
    }
    let queries = p.deciding_queries;
    // Weaken until nothing is lost on the way from cut point to cut point.
    loop {
        let mut weaker = false;
        for i in 0..=cuts.len() {
            if cuts.is_empty() {
                break;
            }
            let (olds, news) = region(p, &cuts, i.checked_sub(1), a, b)?;
            for j in 0..cuts.len() {
                weaker |= weaken(p, &mut cuts, j, &olds, &news)?;
            }
        }
        if !weaker {
            break;
        }
        if p.queries > p.budget.queries {
            return Err(Stop::new("budget: queries"));
        }
        if p.spent() {
            return Err(Stop::new(super::SPENT));
        }
    }
    let stated = |used: u64| Outcome::Equal { solver: used > queries };
    p.mark();
    let mut used = p.deciding_queries;
    for i in 0..=cuts.len() {
        let (olds, news) = region(p, &cuts, i.checked_sub(1), a, b)?;
        // An old version without a good run equals everything, which tells nobody anything.
        if !p.assumed.is_empty() && p.satisfiable(&[]) == Some(false) {
            return Err(Stop::new("the old version fails on every input"));
        }
        let before = p.deciding_queries;
        if let Some(o) = agree(p, &cuts, i.checked_sub(1), &olds, &news)? {
            return Ok(o);
        }
        used += p.deciding_queries - before;
        p.look_at_marks();
    }
    if used > queries && p.only_overflown() {
        return Err(Stop::new(
            "code that differs runs only where arithmetic of the old version overflows, or shifts by too much",
        ));
    }
    if p.layout_trouble {
        return Err(Stop::new("a variable whose layout changed"));
    }
    Ok(stated(used))
}

fn cuts(p: &mut Product<'_>, at: Cuts, a: &Body, b: &Body) -> Vec<Cut> {
    let headers = |p: &mut Product<'_>, v: Version, f: FuncId| -> Vec<(Block, u32)> {
        let s = p.shape(v, f);
        let mut h: Vec<(Block, u32)> = s.loops.loops.iter().map(|l| (l.header, l.depth)).collect();
        h.sort_by_key(|(b, _)| s.position[b.index()]);
        h
    };
    let (x, y) = (headers(p, Version::Old, p.old), headers(p, Version::New, p.new));
    if x.len() != y.len() || x.iter().zip(&y).any(|(a, b)| a.1 != b.1) {
        return Vec::new();
    }
    let (la, lb) = (live_in(a), live_in(b));
    let live = |body: &Body, live: &[BTreeSet<Value>], h: Block| {
        let mut v: Vec<Value> = body.block(h).params.clone();
        v.extend(live[h.index()].iter().filter(|v| !body.block(h).params.contains(v)));
        v
    };
    // A loop that is tested at its start and one that is tested at its end meet at the start of their bodies.
    let (old, new) = (p.old, p.new);
    let (sa, sb) = (p.shape(Version::Old, old), p.shape(Version::New, new));
    let blocks: Vec<(Block, Block)> = x.iter().zip(&y).map(|((old, _), (new, _))| (*old, *new)).collect();
    let bodies: Vec<(Block, Block)> = blocks
        .iter()
        .map(|(old, new)| match (sa.rotated(a, *old), sb.rotated(b, *new)) {
            (Some(o), None) => (o, *new),
            (None, Some(n)) => (*old, n),
            _ => (*old, *new),
        })
        .collect();
    p.other_cuts = bodies != blocks;
    let chosen = if at == Cuts::Headers { blocks } else { bodies };
    chosen
        .into_iter()
        .map(|(old, new)| Cut {
            old,
            new,
            olds: live(a, &la, old),
            news: live(b, &lb, new),
            partner: BTreeMap::new(),
            refuted: BTreeSet::new(),
            facts: Vec::new(),
        })
        .collect()
}

/// Values that are read at or behind the start of each block.
fn live_in(body: &Body) -> Vec<BTreeSet<Value>> {
    let mut live: Vec<BTreeSet<Value>> = vec![BTreeSet::new(); body.blocks.len()];
    loop {
        let mut changed = false;
        for i in (0..body.blocks.len()).rev() {
            let d = &body.blocks[i];
            let mut now: BTreeSet<Value> = BTreeSet::new();
            for e in d.term.targets() {
                now.extend(live[e.block.index()].iter().filter(|v| !body.block(e.block).params.contains(v)));
            }
            let mut read = |o: &Operand| {
                if let Operand::Value(v) = o {
                    now.insert(*v);
                }
            };
            d.term.for_each_operand(&mut read);
            for inst in d.insts.iter().rev() {
                for r in &inst.results {
                    now.remove(r);
                }
                if !matches!(inst.kind, InstKind::DebugValue { .. }) {
                    let mut read = |o: &Operand| {
                        if let Operand::Value(v) = o {
                            now.insert(*v);
                        }
                    };
                    if let InstKind::Check { ok, .. } = &inst.kind {
                        read(ok);
                    } else {
                        inst.kind.for_each_operand(read);
                    }
                }
            }
            for v in &d.params {
                now.remove(v);
            }
            if now != live[i] {
                live[i] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

fn name(body: &Body, v: Value) -> Option<&str> {
    Some(body.vars.get(body.values[v.index()].var?.index())?.name.as_str())
}

/// First guess: values of one type and name, then in order; and everything else as facts to be tried.
fn guess(c: &mut Cut, a: &Body, b: &Body) -> Vec<Typed> {
    choose_partners(c, a, b);
    let is_int = |t: Ty| matches!(t, Ty::Int(w) if (8..=64).contains(&w));
    let all: Vec<(Side, Ty)> = c
        .olds
        .iter()
        .map(|v| ((Version::Old, *v), a.ty(*v)))
        .chain(c.news.iter().map(|v| ((Version::New, *v), b.ty(*v))))
        .collect();
    let mut facts = Vec::new();
    for (i, (x, tx)) in all.iter().enumerate() {
        if is_int(*tx) {
            facts.push(Fact::NotBelow(*x, 0));
            facts.push(Fact::NotBelow(*x, 1));
            facts.extend([0, 1, -1].map(|k| Fact::Constant(*x, k)));
        }
        for (y, ty) in &all[i + 1..] {
            if tx != ty {
                continue;
            }
            facts.push(Fact::Equal(*x, *y, 0));
            if is_int(*tx) {
                facts.extend([1, -1].map(|k| Fact::Equal(*x, *y, k)));
                facts.push(Fact::AtMost(*x, *y));
                facts.push(Fact::AtMost(*y, *x));
            }
        }
    }
    for (x, tx) in all.iter().filter(|x| is_int(x.1)) {
        for (y, ty) in all.iter().filter(|y| is_int(y.1)) {
            if x.0 != y.0
                && let (Ty::Int(wide), Ty::Int(narrow)) = (tx, ty)
                && wide > narrow
            {
                facts.extend([true, false].map(|signed| Fact::Extended(*x, *y, signed)));
            }
        }
    }
    facts.truncate(MAX_FACTS);
    facts.extend(stepped(&all, a, b));
    c.facts = facts;
    all
}

/// A pointer of one version that is an element's address in the other one, a number that counts down what another counts
/// up; and what both need, that a number stays within its limit.
fn stepped(all: &[Typed], a: &Body, b: &Body) -> Vec<Fact> {
    let strides = strides(a, b);
    let (changing, fixed) = by_change(all, a, b);
    let changes = |s: Side| changing.iter().any(|(x, _)| *x == s);
    let mut facts = Vec::new();
    for (x, tx) in changing.iter().filter(|(_, t)| matches!(t, Ty::Int(8..=64))) {
        let limits = fixed.iter().filter(|(y, ty)| y.0 == x.0 && ty == tx);
        facts.extend(limits.map(|(y, _)| Fact::Within(*x, *y)));
    }
    for varying in [&changing, &fixed] {
        for (x, tx) in varying {
            for (y, _) in fixed.iter().filter(|(y, ty)| y.0 != x.0 && ty == tx) {
                for (z, tz) in varying.iter().filter(|(z, _)| z.0 == y.0 && z != y) {
                    if facts.len() >= MAX_STEPPED {
                        return facts;
                    }
                    match (tx, tz) {
                        (Ty::Ptr, Ty::Int(8..=64)) => {
                            for k in strides.iter().take(4) {
                                facts.push(Fact::Stepped(*x, *y, *z, *k, true));
                                if *tz != Ty::Int(64) {
                                    facts.push(Fact::Stepped(*x, *y, *z, *k, false));
                                }
                            }
                        }
                        (Ty::Int(8..=64), Ty::Int(_)) if tx == tz && changes(*x) => {
                            facts.extend([-1, 1].map(|k| Fact::Stepped(*x, *y, *z, k, true)));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    facts
}

/// A number or pointer of one version that is as far from where it ends as the other version says by what it has left.
fn from_the_end(all: &[Typed], a: &Body, b: &Body) -> Vec<Fact> {
    let strides = strides(a, b);
    let (changing, fixed) = by_change(all, a, b);
    let mut facts = Vec::new();
    for (x, tx) in &changing {
        for (y, _) in fixed.iter().filter(|(y, ty)| y.0 == x.0 && ty == tx) {
            for (z, tz) in changing.iter().filter(|(z, _)| z.0 != y.0) {
                match (tx, tz) {
                    (Ty::Ptr, Ty::Int(64)) => {
                        facts.extend(strides.iter().take(4).map(|k| Fact::Stepped(*x, *y, *z, -*k, true)));
                    }
                    (Ty::Int(8..=64), _) if tx == tz => facts.push(Fact::Stepped(*x, *y, *z, -1, true)),
                    _ => {}
                }
            }
        }
    }
    facts.truncate(MAX_STEPPED);
    facts
}

/// Sizes of elements, and 1.
fn strides(a: &Body, b: &Body) -> BTreeSet<i64> {
    let mut strides = BTreeSet::from([1]);
    for i in [a, b].iter().flat_map(|x| &x.blocks).flat_map(|x| &x.insts) {
        if let InstKind::Addr { steps, .. } = &i.kind {
            strides.extend(steps.iter().filter_map(|s| match s {
                Step::Index { stride, .. } => i64::try_from(*stride).ok(),
                Step::Field { .. } => None,
            }));
        }
    }
    strides
}

/// Values that change from turn to turn, which are parameters of a block, and others.
fn by_change(all: &[Typed], a: &Body, b: &Body) -> (Vec<Typed>, Vec<Typed>) {
    let params =
        [a, b].map(|x| x.blocks.iter().skip(1).flat_map(|b| b.params.iter().copied()).collect::<BTreeSet<_>>());
    all.iter().copied().partition(|(s, _)| params[usize::from(s.0 == Version::New)].contains(&s.1))
}

fn choose_partners(c: &mut Cut, a: &Body, b: &Body) {
    c.partner.clear();
    let mut taken = BTreeSet::new();
    for by_name in [true, false] {
        for n in &c.news {
            if c.partner.contains_key(n) {
                continue;
            }
            let fits = |o: &&Value| {
                a.ty(**o) == b.ty(*n)
                    && !taken.contains(*o)
                    && !c.refuted.contains(&(*n, **o))
                    && (!by_name || (name(a, **o).is_some() && name(a, **o) == name(b, *n)))
            };
            if let Some(o) = c.olds.iter().find(fits).copied() {
                c.partner.insert(*n, o);
                taken.insert(o);
            }
        }
    }
}

/// Walks both versions from a pair of cut points (`None`: the entries).
fn region(p: &mut Product<'_>, cuts: &[Cut], from: Option<usize>, a: &Body, b: &Body) -> Res<(Ends, Ends)> {
    p.clear();
    let number = from.map_or(0, |i| i as u32 + 1);
    p.next_start = p.next_start.max(number);
    let mem = start(p, number);
    let world = p.t.symbol(&[742, number], Sort::Bv(64));
    let (mut ea, mut eb) = (vec![None; a.values.len()], vec![None; b.values.len()]);
    let mut at = (Block(0), Block(0));
    let (mut pa, mut pb) = (Vec::new(), Vec::new());
    match from {
        None => {
            for (k, v) in a.blocks[0].params.iter().enumerate() {
                let w = p.bits(a.ty(*v));
                let s = p.t.symbol(&[743, k as u32], Sort::Bv(w));
                own_copy(p, k, s);
                pa.push(s);
                pb.push(s);
            }
        }
        Some(i) => {
            let c = &cuts[i];
            at = (c.old, c.new);
            for v in &c.olds {
                let w = p.bits(a.ty(*v));
                ea[v.index()] = Some(local_or(p, Version::Old, a, *v, &[740, number, v.0], w)?);
            }
            for v in &c.news {
                let w = p.bits(b.ty(*v));
                let key = [741, number, v.0];
                eb[v.index()] = Some(match c.partner.get(v) {
                    Some(_) => p.t.symbol(&key, Sort::Bv(w)),
                    None => local_or(p, Version::New, b, *v, &key, w)?,
                });
            }
            solve(p, c, number, &mut ea, &mut eb);
            pa = a.block(c.old).params.iter().filter_map(|v| ea[v.index()]).collect();
            pb = b.block(c.new).params.iter().filter_map(|v| eb[v.index()]).collect();
            let facts: Vec<Term> = c.facts.iter().map(|f| fact(p, f, &|s: Side| value_of(&ea, &eb, s))).collect();
            p.hypotheses.extend(facts);
        }
    }
    let (old, new) = (p.old, p.new);
    // At the entries nothing has died yet.
    let dead = match from {
        None => Default::default(),
        Some(_) => (p.dead_at(Version::Old, old, a, at.0)?, p.dead_at(Version::New, new, b, at.1)?),
    };
    let path = Path { guard: p.tt, mem, world, outs: Rc::default(), dead: Rc::new(dead.0) };
    let other = Path { dead: Rc::new(dead.1), ..path.clone() };
    let (ca, cb): (BTreeSet<Block>, BTreeSet<Block>) =
        (cuts.iter().map(|c| c.old).collect(), cuts.iter().map(|c| c.new).collect());
    p.inline_count = 0;
    p.made.clear();
    let x = p.region(Version::Old, old, &ca, at.0, ea, Arrival { path, args: pa })?;
    let olds = ends(p, cuts, x, true)?;
    p.inline_count = 0;
    let y = p.region(Version::New, new, &cb, at.1, eb, Arrival { path: other, args: pb })?;
    let news = ends(p, cuts, y, false)?;
    Ok((olds, news))
}

/// Partners and facts that are equations are solved for a value each, which is written in the place of its symbol: what
/// follows from equations alone, rewriting sees then.
fn solve(p: &mut Product<'_>, c: &Cut, number: u32, ea: &mut [Option<Term>], eb: &mut [Option<Term>]) {
    let known: BTreeMap<Side, Term> = (c.olds.iter().map(|v| ((Version::Old, *v), ea[v.index()])))
        .chain(c.news.iter().map(|v| ((Version::New, *v), eb[v.index()])))
        .filter_map(|(s, t)| Some((s, t?)))
        .collect();
    // The address of a local object is not written in another way.
    let symbol = |p: &mut Product<'_>, (version, v): Side, t: Term| {
        let kind = if version == Version::Old { 740 } else { 741 };
        p.t.symbol(&[kind, number, v.0], Sort::Bv(p.t.pool.width(t))) == t
    };
    let mut defined: BTreeMap<Side, Fact> = BTreeMap::new();
    for (n, o) in &c.partner {
        let partner = (Version::New, *n);
        defined.insert(partner, Fact::Equal(partner, (Version::Old, *o), 0));
    }
    // Is one of these the value, or made of it?
    let needs = |defined: &BTreeMap<Side, Fact>, of: Vec<Side>, x: Side| {
        let (mut todo, mut seen) = (of, BTreeSet::new());
        while let Some(s) = todo.pop() {
            if s == x {
                return true;
            }
            if seen.insert(s) {
                todo.extend(defined.get(&s).into_iter().flat_map(Fact::right));
            }
        }
        false
    };
    let equations = c.facts.iter().filter(|f| f.is_equation()).copied();
    let (simple, stepped): (Vec<Fact>, Vec<Fact>) = equations.partition(|f| !matches!(f, Fact::Stepped(..)));
    for f in simple.into_iter().chain(stepped) {
        let turned = match f {
            Fact::Equal(x, y, k) => Some(Fact::Equal(y, x, -k)),
            _ => None,
        };
        for f in [Some(f), turned].into_iter().flatten() {
            let x = f.left();
            if known.get(&x).is_some_and(|t| symbol(p, x, *t))
                && !defined.contains_key(&x)
                && !needs(&defined, f.right(), x)
            {
                defined.insert(x, f);
                break;
            }
        }
    }
    let mut done: BTreeMap<Side, Term> = BTreeMap::new();
    for s in known.keys() {
        let t = solved(p, &known, &defined, &mut done, *s);
        match s {
            (Version::Old, v) => ea[v.index()] = t,
            (Version::New, v) => eb[v.index()] = t,
        }
    }
}

/// The value, written by its equation.
fn solved(
    p: &mut Product<'_>,
    known: &BTreeMap<Side, Term>,
    defined: &BTreeMap<Side, Fact>,
    done: &mut BTreeMap<Side, Term>,
    s: Side,
) -> Option<Term> {
    if let Some(t) = done.get(&s) {
        return Some(*t);
    }
    let own = *known.get(&s)?;
    let t = match defined.get(&s) {
        None => own,
        Some(f) => {
            for r in f.right() {
                solved(p, known, defined, done, r)?;
            }
            let w = p.t.pool.width(own);
            right(p, f, w, &|s| done.get(&s).copied())?
        }
    };
    done.insert(s, t);
    Some(t)
}

/// A structure passed by value is the function's own: what it holds in the end, nobody sees.
fn own_copy(p: &mut Product<'_>, k: usize, base: Term) {
    let passed = p.module(Version::Old).func(p.old).sig.params.get(k).and_then(|p| p.attrs.byval);
    if let Some((size, align)) = passed
        && !p.mems.places.contains_key(&base)
    {
        let place =
            Place { base, size: Some(size), local: true, private: false, read_only: false, shared: true, align };
        p.add_place(place);
    }
}

/// The address of a local object is a name of its own everywhere; other live values are free symbols.
fn local_or(p: &mut Product<'_>, v: Version, body: &Body, value: Value, key: &[u32], w: u32) -> Res<Term> {
    for b in &body.blocks {
        for i in &b.insts {
            if i.results.first() == Some(&value)
                && let InstKind::Alloca { elem_size, count, align, .. } = &i.kind
            {
                let Operand::Const(verify_ir::Const::Int { value: n, .. }) = count else {
                    return Err(Stop::new("an array of variable length"));
                };
                let f = if v == Version::Old { p.old } else { p.new };
                let size = elem_size.saturating_mul(*n as u64);
                return p.local_at(v, f, body, value, size, *align);
            }
        }
    }
    Ok(p.t.symbol(key, Sort::Bv(w)))
}

fn value_of(ea: &[Option<Term>], eb: &[Option<Term>], s: Side) -> Option<Term> {
    match s {
        (Version::Old, v) => ea[v.index()],
        (Version::New, v) => eb[v.index()],
    }
}

fn fact(p: &mut Product<'_>, f: &Fact, value: &dyn Fn(Side) -> Option<Term>) -> Term {
    let sides = match f {
        Fact::Equal(x, y, _)
        | Fact::AtMost(x, y)
        | Fact::Within(x, y)
        | Fact::Extended(x, y, _)
        | Fact::Stepped(x, y, ..) => (value(*x), value(*y)),
        Fact::Constant(x, _) | Fact::NotBelow(x, _) => (value(*x), value(*x)),
    };
    // Not known on this way: the fact cannot be kept.
    let (Some(x), Some(y)) = sides else { return p.ff };
    match f {
        Fact::AtMost(..) => p.t.pool.sle(x, y),
        Fact::Within(..) => p.t.pool.ule(x, y),
        Fact::NotBelow(_, k) => {
            let k = number(p, *k, p.t.pool.width(x));
            p.t.pool.sle(k, x)
        }
        Fact::Equal(..) | Fact::Constant(..) | Fact::Extended(..) | Fact::Stepped(..) => {
            match right(p, f, p.t.pool.width(x), value) {
                Some(y) => p.t.pool.eq(x, y),
                None => p.ff,
            }
        }
    }
}

fn number(p: &mut Product<'_>, k: i64, width: u32) -> Term {
    let v = verify_solver::Bv::new(64, u128::from(k as u64)).sext(width.max(64)).extract(width - 1, 0);
    p.t.pool.constant(v)
}

/// What an equation says of a value of this width. [`None`]: not known on this way, or no equation.
fn right(p: &mut Product<'_>, f: &Fact, w: u32, value: &dyn Fn(Side) -> Option<Term>) -> Option<Term> {
    match f {
        Fact::Equal(_, y, k) => {
            let (y, k) = (value(*y)?, number(p, *k, w));
            Some(p.t.pool.add(y, k))
        }
        Fact::Constant(_, k) => Some(number(p, *k, w)),
        Fact::Extended(_, y, signed) => {
            let y = value(*y)?;
            Some(if *signed { p.t.pool.resize_signed(y, w) } else { p.t.pool.resize_unsigned(y, w) })
        }
        Fact::Stepped(_, y, z, k, signed) => {
            let (y, z) = (value(*y)?, value(*z)?);
            let z = if *signed { p.t.pool.resize_signed(z, w) } else { p.t.pool.resize_unsigned(z, w) };
            Some(match k {
                -1 => p.t.pool.sub(y, z),
                _ => {
                    let k = number(p, *k, w);
                    let by = p.t.pool.mul(z, k);
                    p.t.pool.add(y, by)
                }
            })
        }
        Fact::AtMost(..) | Fact::Within(..) | Fact::NotBelow(..) => None,
    }
}

/// Exits by where they lead.
fn ends(p: &mut Product<'_>, cuts: &[Cut], exits: Vec<Exit>, old: bool) -> Res<Ends> {
    let (mut to, mut returns, mut over) = (BTreeMap::<Block, Vec<Arrival>>::new(), Vec::new(), Vec::new());
    for e in exits {
        match e.to {
            None if e.returns => returns.push(Arrival { path: e.path, args: e.values }),
            None => over.push(Arrival { path: e.path, args: Vec::new() }),
            Some(b) => {
                let c = cuts
                    .iter()
                    .find(|c| if old { c.old == b } else { c.new == b })
                    .ok_or_else(|| Stop::new("a loop without a partner"))?;
                let live = if old { &c.olds } else { &c.news };
                let n = e.values.len();
                let mut args = e.values;
                for v in &live[n..] {
                    let t = e.env[v.index()].ok_or_else(|| Stop::new("a live value that is not known"))?;
                    args.push(t);
                }
                to.entry(b).or_default().push(Arrival { path: e.path, args });
            }
        }
    }
    let mut merged = BTreeMap::new();
    for (b, v) in to {
        if let Some(a) = p.meet(v) {
            merged.insert(b, a);
        }
    }
    Ok(Ends { cuts: merged, returns: p.meet(returns), ends: p.meet(over) })
}

/// Drops what the way into cut point `j` does not keep.
fn weaken(p: &mut Product<'_>, cuts: &mut [Cut], j: usize, olds: &Ends, news: &Ends) -> Res<bool> {
    let c = &cuts[j];
    let (Some(x), Some(y)) = (olds.cuts.get(&c.old), news.cuts.get(&c.new)) else { return Ok(false) };
    let both = p.t.pool.and(x.path.guard, y.path.guard);
    if both == p.ff {
        return Ok(false);
    }
    let at = |s: Side| -> Option<Term> {
        match s {
            (Version::Old, v) => c.olds.iter().position(|o| *o == v).map(|i| x.args[i]),
            (Version::New, v) => c.news.iter().position(|o| *o == v).map(|i| y.args[i]),
        }
    };
    let mut partners: Vec<(Value, Value, Term)> = Vec::new();
    for (n, o) in &c.partner {
        let t = match (at((Version::New, *n)), at((Version::Old, *o))) {
            (Some(s), Some(t)) => p.t.pool.eq(s, t),
            _ => p.ff,
        };
        partners.push((*n, *o, t));
    }
    let mut facts: Vec<(Fact, Term)> = Vec::new();
    for f in &c.facts {
        let t = fact(p, f, &at);
        facts.push((*f, t));
    }
    let (tt, ff) = (p.tt, p.ff);
    let mut lost = false;
    // Facts that hold nowhere need no solver.
    let mut gone_partners: BTreeSet<(Value, Value)> = BTreeSet::new();
    let mut gone: Vec<bool> = facts.iter().map(|(_, t)| *t == ff).collect();
    for (n, o, t) in &partners {
        if *t == ff {
            gone_partners.insert((*n, *o));
        }
    }
    loop {
        let mut open: Vec<Term> = Vec::new();
        for (n, o, t) in &partners {
            if *t != tt && !gone_partners.contains(&(*n, *o)) {
                open.push(*t);
            }
        }
        for ((_, t), g) in facts.iter().zip(&gone) {
            if *t != tt && !g {
                open.push(*t);
            }
        }
        if open.is_empty() {
            break;
        }
        let all = p.t.pool.and_all(open.iter().copied());
        let bad = p.t.pool.not(all);
        match p.satisfiable(&[both, bad]) {
            Some(false) => break,
            Some(true) => {
                let mut any = false;
                for (n, o, t) in &partners {
                    if *t != tt && p.model_is_false(*t) {
                        any |= gone_partners.insert((*n, *o));
                    }
                }
                for (i, (_, t)) in facts.iter().enumerate() {
                    if *t != tt && !gone[i] && p.model_is_false(*t) {
                        gone[i] = true;
                        any = true;
                    }
                }
                if !any {
                    return Err(Stop::new("a model that refutes nothing"));
                }
            }
            None => {
                // Too hard together: each for itself, if there are few, and what is not plain goes.
                let few = open.len() <= MAX_SINGLE;
                let conflicts = p.budget.conflicts;
                p.budget.conflicts /= SINGLE;
                let lost = |p: &mut Product<'_>, t: Term| {
                    let bad = p.t.pool.not(t);
                    !few || p.satisfiable(&[both, bad]) != Some(false)
                };
                for (n, o, t) in &partners {
                    if *t != tt && !gone_partners.contains(&(*n, *o)) && lost(p, *t) {
                        gone_partners.insert((*n, *o));
                    }
                }
                for (i, (_, t)) in facts.iter().enumerate() {
                    gone[i] |= *t != tt && !gone[i] && lost(p, *t);
                }
                p.budget.conflicts = conflicts;
                break;
            }
        }
    }
    let c = &mut cuts[j];
    if !gone_partners.is_empty() {
        lost = true;
        c.refuted.extend(gone_partners.iter().copied());
        for (n, _) in &gone_partners {
            c.partner.remove(n);
        }
        // What no value is mapped to may be what another one is equal to: that is among the facts.
    }
    if gone.iter().any(|g| *g) {
        lost = true;
        let mut k = 0;
        c.facts.retain(|_| {
            k += 1;
            !gone[k - 1]
        });
    }
    Ok(lost)
}

/// Shows that the versions agree at every way out of a region; `None`: they do.
fn agree(p: &mut Product<'_>, cuts: &[Cut], from: Option<usize>, olds: &Ends, news: &Ends) -> Res<Option<Outcome>> {
    let place = p.place;
    let mut wanted: Vec<(Term, String, Option<At>)> = Vec::new();
    let mut pairs: Vec<(Option<&Arrival>, Option<&Arrival>, &str, bool)> = Vec::new();
    for c in cuts {
        pairs.push((olds.cuts.get(&c.old), news.cuts.get(&c.new), "loop", false));
    }
    pairs.push((olds.returns.as_ref(), news.returns.as_ref(), "return", true));
    pairs.push((olds.ends.as_ref(), news.ends.as_ref(), "end of the program", true));
    // Both return a NaN: which one it is, no run shows.
    let mut nans = p.ff;
    for (x, y, what, last) in pairs {
        let ff = p.ff;
        let (g, h) = (x.map_or(ff, |a| a.path.guard), y.map_or(ff, |a| a.path.guard));
        let same = p.t.pool.eq(g, h);
        wanted.push((same, format!("control flow: the way to the {what} is taken under another condition"), None));
        let (Some(x), Some(y)) = (x, y) else { continue };
        let both = p.t.pool.and(g, h);
        let mut want = |p: &mut Product<'_>, c: Term, what: &str| {
            let c = p.t.pool.implies(both, c);
            wanted.push((c, what.to_string(), None));
        };
        let w = p.t.pool.eq(x.path.world, y.path.world);
        want(p, w, "calls: other functions are called, with other arguments, or in another order");
        let m = if last {
            p.mems.equal(&mut p.t, x.path.mem, y.path.mem, &|q: &Place| q.local)
        } else {
            p.mems.equal(&mut p.t, x.path.mem, y.path.mem, &|q: &Place| q.local && q.private && !q.shared)
        };
        want(p, m, "memory: other contents are written");
        if what == "return" {
            let results = p.module(Version::Old).func(p.old).sig.results.clone();
            for (k, (s, t)) in x.args.iter().zip(&y.args).enumerate() {
                let e = p.t.pool.eq(*s, *t);
                want(p, e, "result: another value is returned");
                if let Some(Ty::Float(kind)) = results.get(k)
                    && e != p.tt
                {
                    let pred = verify_ir::inst::FloatPred::Uno;
                    let a = verify_encode::float::compare(&mut p.t, *kind, pred, *s, *s);
                    let b = verify_encode::float::compare(&mut p.t, *kind, pred, *t, *t);
                    let here = p.t.pool.and_all([both, a, b]);
                    nans = p.t.pool.or(nans, here);
                }
            }
        }
    }
    let obliged: Vec<(Term, String, At)> = p.obliged.iter().map(|c| (c.cond, c.what.clone(), c.at)).collect();
    for (c, what, at) in obliged {
        wanted.push((c, format!("error: the new version can fail ({what})"), Some(at)));
    }
    let claims = std::mem::take(&mut p.claims);
    for c in &claims {
        let mut covered = p.ff;
        // Of the bytes of the claim, those that accesses at a known distance cover, and when.
        let mut parts: Vec<(i128, i128, Term)> = Vec::new();
        let accesses = p.accesses.clone();
        for (guard, at, bytes, write, world) in accesses {
            if c.write && !write {
                continue;
            }
            if bytes < c.bytes {
                if let Some(from) = distance(p, c.at, at) {
                    let w = p.t.pool.eq(world, c.world);
                    parts.push((from, from + i128::from(bytes), p.t.pool.and(guard, w)));
                }
                continue;
            }
            let off = p.t.pool.sub(c.at, at);
            let limit = p.t.pool.num(p.t.ptr_bits, u128::from(bytes - c.bytes));
            let inside = p.t.pool.ule(off, limit);
            if inside == p.ff {
                continue;
            }
            let w = p.t.pool.eq(world, c.world);
            let one = p.t.pool.and(guard, inside);
            let one = p.t.pool.and(one, w);
            covered = p.t.pool.or(covered, one);
        }
        if covered != p.tt && !parts.is_empty() {
            let together = in_parts(p, &parts, i128::from(c.bytes));
            covered = p.t.pool.or(covered, together);
        }
        let ok = p.t.pool.implies(c.guard, covered);
        let what = if c.write { "writes" } else { "reads" };
        let text = format!("memory: the new version {what} an object that the old version does not access");
        wanted.push((ok, text, Some(c.place)));
    }
    wanted.retain(|(c, ..)| *c != p.tt);
    if wanted.is_empty() {
        return Ok(None);
    }
    let all = p.t.pool.and_all(wanted.iter().map(|(c, ..)| *c));
    let bad = p.t.pool.not(all);
    let (mut verdict, mut only_nans) = (None, false);
    if nans != p.ff {
        // A model in which something else differs can be tried.
        let numbers = p.t.pool.not(nans);
        verdict = p.satisfiable(&[bad, numbers]);
    }
    if nans == p.ff || verdict == Some(false) {
        only_nans = verdict.is_some();
        verdict = p.satisfiable(&[bad]);
    }
    if verdict == Some(false) {
        return Ok(None);
    }
    let mut named = wanted.first().map(|(_, w, at)| (w.clone(), *at)).unwrap_or_default();
    let mut input = None;
    if verdict == Some(true) {
        let mut at = None;
        for (c, what, place) in &wanted {
            if p.model_is_false(*c) {
                at = Some((what.clone(), *place));
                break;
            }
        }
        if let Some(x) = at {
            named = x;
        }
        if only_nans && named.0.starts_with("result") {
            named.0 = "result: a NaN of another sign or payload is returned".into();
        }
        if from.is_none() {
            input = Some(candidate(p));
        }
    } else {
        named.0 = format!("budget: not decided: {}", named.0);
    }
    let (mut new_at, mut old_at) = (named.1, None);
    if named.0.starts_with("calls") {
        (old_at, new_at) = first_other_call(p);
    }
    let old_at = old_at.or_else(|| from.map(|i| (Version::Old, p.old, cuts[i].old, 0)));
    let new_at = new_at.or_else(|| from.map(|i| (Version::New, p.new, cuts[i].new, 0)));
    p.place = place;
    Ok(Some(Outcome::Differs { what: named.0, at: new_at, old_at, input }))
}

/// How far behind `a` an address is, where both are the same but for a number.
fn distance(p: &Product<'_>, a: Term, b: Term) -> Option<i128> {
    let parts = |t: Term| match p.t.pool.as_app(t, Op::Add) {
        Some(&[base, by]) => p.t.pool.as_const(by).and_then(|n| n.to_u64()).map_or((t, 0), |n| (base, n as i64)),
        _ => (t, 0),
    };
    let ((x, m), (y, n)) = (parts(a), parts(b));
    (x == y).then_some(i128::from(n) - i128::from(m))
}

/// Every byte of an access is in one of these parts: bytes from, to, and when. They are reached from one pointer, so that
/// what they lie in is one object.
fn in_parts(p: &mut Product<'_>, parts: &[(i128, i128, Term)], bytes: i128) -> Term {
    let mut ends: BTreeSet<i128> = parts.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
    ends.insert(0);
    let mut all = p.tt;
    for from in ends.into_iter().filter(|e| (0..bytes).contains(e)) {
        let covering: Vec<Term> = parts.iter().filter(|(a, b, _)| *a <= from && from < *b).map(|x| x.2).collect();
        let mut some = p.ff;
        for g in covering {
            some = p.t.pool.or(some, g);
        }
        all = p.t.pool.and(all, some);
    }
    all
}

/// The first pair of calls that is not the same (malik-2023 §8: the first differing pair).
fn first_other_call(p: &Product<'_>) -> (Option<At>, Option<At>) {
    let n = p.events.len().max(p.new_events.len());
    for i in 0..n {
        let (x, y) = (p.events.get(i), p.new_events.get(i));
        if x.map(|e| (&e.what, e.guard)) != y.map(|e| (&e.1, e.0)) {
            return (x.map(|e| e.at), y.map(|e| e.2));
        }
    }
    (p.events.last().map(|e| e.at), p.new_events.last().map(|e| e.2))
}

/// Inputs from the model of the last query.
fn candidate(p: &mut Product<'_>) -> Candidate {
    let mut out = Candidate::default();
    let sig = p.module(Version::Old).func(p.old).sig.clone();
    let mut bases: BTreeMap<Term, u32> = BTreeMap::new();
    let mut addresses: Vec<(verify_solver::Bv, u32)> = Vec::new();
    for (k, param) in sig.params.iter().enumerate() {
        let w = p.bits(param.ty);
        let s = p.t.symbol(&[743, k as u32], Sort::Bv(w));
        let v = p.solver.value(&p.t.pool, s);
        if param.ty == Ty::Ptr {
            bases.insert(s, k as u32);
            match addresses.iter().find(|(a, _)| *a == v) {
                _ if v.is_zero() => _ = out.null.insert(k as u32),
                Some((_, j)) => _ = out.same.insert(k as u32, *j),
                None => addresses.push((v, k as u32)),
            }
        } else if let Some(v) = v.to_u128() {
            out.params.insert(k as u32, v);
        }
    }
    let mut globals: BTreeMap<Term, String> = BTreeMap::new();
    for ((v, base), g) in &p.constants {
        if *v == Version::Old {
            globals.insert(*base, p.module(Version::Old).global(*g).name.clone());
        }
    }
    let reads: Vec<(u32, Term, u64, Term)> = p.mems.reads.iter().copied().collect();
    for (start, addr, bytes, v) in reads {
        if start != 0 || bytes > 16 {
            continue;
        }
        let root = bases.keys().chain(globals.keys()).copied().find(|b| {
            let d = p.t.pool.sub(addr, *b);
            p.t.pool.as_const(d).is_some()
        });
        let Some(root) = root else { continue };
        let d = p.t.pool.sub(addr, root);
        let Some(off) = p.t.pool.as_const(d).and_then(|c| c.to_u64()) else { continue };
        let Some(value) = p.solver.value(&p.t.pool, v).to_u128() else { continue };
        for i in 0..bytes {
            let b = (value >> (8 * i)) as u8;
            match (bases.get(&root), globals.get(&root)) {
                (Some(k), _) => drop(out.cells.insert((*k, off + i), b)),
                (_, Some(g)) => drop(out.globals.insert((g.clone(), off + i), b)),
                _ => {}
            }
        }
    }
    out
}

impl Product<'_> {
    fn model_is_false(&mut self, t: Term) -> bool {
        self.solver.value(&self.t.pool, t).is_zero()
    }
}
