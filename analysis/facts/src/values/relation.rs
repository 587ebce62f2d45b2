//! What several numbers have to do with one another: sums of their multiples that are not above 0, and how much of its
//! object lies behind a pointer, as such a sum.
//!
//! Theory: differences of two values as facts on demand, as in the elimination of bounds checks of Bodík, Gupta and
//! Sarkar (ABCD, 2000) and in pentagons (Logozzo and Fähndrich, 2008), which beside intervals suffice for most indices. A
//! goal is shown by facts that cancel its terms, at most [`DEPTH`] of them, and by intervals for the rest (Farkas's lemma
//! says that some sum of multiples would do; only multiples that cancel a term are tried).
//!
//! A value stands for the number that it is as a signed one, without any width: an operation on values is followed where
//! intervals, or a check that passed, say that it does not wrap. That an operation may be followed backwards at all: a value
//! that may be used at a place is what its operation makes of what its operands are there ([`super::definedness`]).

use super::Passed;
use super::function::{Function, Known};
use super::interval::Interval;
use super::linear::Linear;
use super::state::{Base, Extent, Safe, Spans, State};
use crate::points_to::{ObjectId, ObjectKind};
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, Step};
use verify_ir::{Block, Const, Edge, InstKind, Operand, Ty, Value};

/// Operations that are followed backwards.
const STEPS: u32 = 6;
/// Facts that are added up.
const DEPTH: u32 = 3;
/// Sums that are tried for one goal.
const TRIES: u32 = 96;
/// Pointers that one is computed from, one after the other.
const CHAIN: usize = 6;
/// What a fact may lose where two paths meet.
const SLACK: i128 = 64;
/// Arguments of a call that are compared with one another.
const MAX_ARGUMENTS: usize = 5;
/// Values that one value is followed by on the way into a block.
const FOLLOWERS: usize = 2;

impl Function<'_, '_> {
    /// The number that an operand is.
    pub(super) fn linear(&self, s: &State, o: &Operand) -> Option<Linear<Value>> {
        self.linear_of(s, o, STEPS)
    }

    fn linear_of(&self, s: &State, o: &Operand, steps: u32) -> Option<Linear<Value>> {
        let range = self.range(s, o)?;
        if self.body.operand_ty(o) == Ty::BOOL {
            return None;
        }
        if let Some(n) = range.exact() {
            return Some(Linear::of(n));
        }
        let Operand::Value(v) = o else { return None };
        let same = self.same_as(*v);
        let v = if self.body.ty(same) == self.body.ty(*v) { same } else { *v };
        let made = if steps > 0 { self.made_of(s, v, steps - 1) } else { None };
        Some(made.unwrap_or_else(|| Linear::atom(v)))
    }

    /// What a value is computed from, where the operation does not wrap.
    fn made_of(&self, s: &State, v: Value, steps: u32) -> Option<Linear<Value>> {
        let Ty::Int(w) = self.body.ty(v) else { return None };
        let full = Interval::full(w)?;
        let of = |o: &Operand| self.linear_of(s, o, steps);
        let range = |o: &Operand| self.range(s, o);
        match self.defining(v)? {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (range(lhs)?, range(rhs)?);
                let never = |r: Interval| flags.nsw || full.covers(r);
                match op {
                    BinOp::Add if never(plus(a, b)) => of(lhs)?.plus_times(1, &of(rhs)?),
                    BinOp::Sub if never(less(a, b)) => of(lhs)?.plus_times(-1, &of(rhs)?),
                    BinOp::Mul => {
                        let (o, k, r) = match (a.exact(), b.exact()) {
                            (_, Some(k)) => (lhs, k, a),
                            (Some(k), _) => (rhs, k, b),
                            _ => return None,
                        };
                        if never(times(r, k)) { of(o)?.times(k) } else { None }
                    }
                    BinOp::Shl => {
                        let k = 1i128 << b.exact().filter(|k| (0..i128::from(w) - 1).contains(k))?;
                        if full.covers(times(a, k)) { of(lhs)?.times(k) } else { None }
                    }
                    _ => None,
                }
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (b, i) = self.place_of(v)?;
                let results = &self.body.block(b).insts[i as usize].results;
                if results.first() != Some(&v) {
                    return None;
                }
                let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
                let fits = signed && results.get(1).and_then(|f| s.range(*f)).and_then(Interval::exact) == Some(0);
                let (a, b) = (range(lhs)?, range(rhs)?);
                let never = |r: Interval| fits || full.covers(r);
                match op {
                    OverflowOp::SAdd | OverflowOp::UAdd if never(plus(a, b)) => of(lhs)?.plus_times(1, &of(rhs)?),
                    OverflowOp::SSub | OverflowOp::USub if never(less(a, b)) => of(lhs)?.plus_times(-1, &of(rhs)?),
                    OverflowOp::SMul | OverflowOp::UMul => match (a.exact(), b.exact()) {
                        (_, Some(k)) if never(times(a, k)) => of(lhs)?.times(k),
                        (Some(k), _) if never(times(b, k)) => of(rhs)?.times(k),
                        _ => None,
                    },
                    _ => None,
                }
            }
            InstKind::Cast { op, arg } if self.body.operand_ty(arg) != Ty::BOOL => match op {
                CastOp::SExt => of(arg),
                CastOp::ZExt if range(arg)?.lo >= 0 => of(arg),
                CastOp::Trunc if full.covers(range(arg)?) => of(arg),
                _ => None,
            },
            _ => None,
        }
    }

    fn bounds(&self, s: &State, v: Value) -> Interval {
        let all = Interval { lo: i128::from(i64::MIN), hi: i128::from(i64::MAX) };
        self.range(s, &Operand::Value(v)).unwrap_or(all)
    }

    /// The sum is not above 0.
    pub(super) fn proves(&self, s: &State, goal: &Linear<Value>) -> bool {
        self.most(s, goal, 0) <= 0
    }

    /// What the sum is at most, as far as that is needed to see that it is not above `enough`.
    pub(super) fn most(&self, s: &State, goal: &Linear<Value>, enough: i128) -> i128 {
        self.sought(s, goal, enough, DEPTH, &mut TRIES.clone())
    }

    fn sought(&self, s: &State, goal: &Linear<Value>, enough: i128, depth: u32, tries: &mut u32) -> i128 {
        let mut most = goal.most(|v| self.bounds(s, v));
        if depth == 0 || goal.terms().is_empty() {
            return most;
        }
        for f in s.facts() {
            if most <= enough || *tries == 0 {
                break;
            }
            // A term of the goal that the fact can cancel, and how often.
            let cancels = |&(a, k): &(Value, i128)| {
                let g = f.0.iter().find(|t| t.0 == a).map(|t| t.1)?;
                (k % g == 0 && k / g > 0).then(|| k / g)
            };
            let Some(times) = goal.terms().iter().find_map(cancels) else { continue };
            *tries -= 1;
            // The fact is not above 0: the goal is at most what is left without it.
            if let Some(rest) = goal.plus_times(-times, &Linear::with(f.0.to_vec(), f.1)) {
                most = most.min(self.sought(s, &rest, enough, depth - 1, tries));
            }
        }
        most
    }

    /// The sum is not above 0, from here on. False: it cannot be.
    pub(super) fn learn_sum(&mut self, s: &mut State, l: Linear<Value>) -> bool {
        let l = l.normal();
        match l.terms() {
            [] => l.constant() <= 0,
            &[(v, k)] => {
                let end = -l.constant();
                // k·v ≤ end
                let i = if k > 0 {
                    Interval { lo: i128::MIN, hi: end.div_euclid(k) }
                } else {
                    Interval { lo: -end.div_euclid(-k), hi: i128::MAX }
                };
                self.within(s, &Operand::Value(v), i, 0)
            }
            _ => {
                s.add_fact(&l);
                true
            }
        }
    }

    /// What a comparison of numbers that came out true says of them. False: it cannot have.
    pub(super) fn relate(&mut self, s: &mut State, p: IntPred, lhs: &Operand, rhs: &Operand) -> bool {
        let Some(d) = self.differences(s, p, lhs, rhs) else { return true };
        for l in d.wanted {
            if !self.learn_sum(s, l) {
                return false;
            }
        }
        if p != IntPred::Ne {
            return true;
        }
        // Of two that are not the same, the one that is not above the other is below it.
        let (Some(a), Some(b)) = (self.linear(s, lhs), self.linear(s, rhs)) else { return true };
        for (x, y) in [(&a, &b), (&b, &a)] {
            let Some(d) = x.minus(y) else { continue };
            if d.terms().len() > 1
                && self.proves(s, &d)
                && let Some(less) = d.plus(1)
                && !self.learn_sum(s, less)
            {
                return false;
            }
        }
        true
    }

    /// How the comparison comes out, as far as sums of several numbers say.
    pub(super) fn decided(&self, s: &State, p: IntPred, lhs: &Operand, rhs: &Operand) -> Option<bool> {
        if s.no_facts() {
            return None;
        }
        let Differences { against, wanted } = self.differences(s, p, lhs, rhs)?;
        if !wanted.is_empty() && wanted.iter().all(|l| self.proves(s, l)) {
            return Some(p != IntPred::Ne);
        }
        (!against.is_empty() && against.iter().any(|l| self.proves(s, l))).then_some(p == IntPred::Ne)
    }

    /// What a comparison has to do with sums; `None`: nothing, as far as is known.
    fn differences(&self, s: &State, p: IntPred, lhs: &Operand, rhs: &Operand) -> Option<Differences> {
        let natural = self.range(s, lhs)?.lo >= 0 && self.range(s, rhs)?.lo >= 0;
        let (a, b) = (self.linear(s, lhs)?, self.linear(s, rhs)?);
        let (d, e) = (a.minus(&b)?, b.minus(&a)?);
        let p = match p {
            IntPred::Ult if natural => IntPred::Slt,
            IntPred::Ule if natural => IntPred::Sle,
            IntPred::Ugt if natural => IntPred::Sgt,
            IntPred::Uge if natural => IntPred::Sge,
            _ => p,
        };
        let (against, wanted) = match p {
            IntPred::Slt => (vec![e], vec![d.plus(1)?]),
            IntPred::Sle => (vec![e.plus(1)?], vec![d]),
            IntPred::Sgt => (vec![d], vec![e.plus(1)?]),
            IntPred::Sge => (vec![d.plus(1)?], vec![e]),
            IntPred::Eq => (vec![d.clone().plus(1)?, e.clone().plus(1)?], vec![d, e]),
            IntPred::Ne => (vec![d.plus(1)?, e.plus(1)?], vec![]),
            IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge => return None,
        };
        Some(Differences { against, wanted })
    }

    /// What a difference, or a sum, is where sums of several numbers say more than intervals.
    pub(super) fn sharpened(
        &self,
        s: &State,
        op: OverflowOp,
        w: u32,
        lhs: &Operand,
        rhs: &Operand,
    ) -> Option<Interval> {
        let k = match op {
            OverflowOp::SSub | OverflowOp::USub => -1,
            OverflowOp::SAdd | OverflowOp::UAdd => 1,
            OverflowOp::SMul | OverflowOp::UMul => return None,
        };
        if s.no_facts() {
            return None;
        }
        let full = Interval::full(w)?;
        let d = self.linear(s, lhs)?.plus_times(k, &self.linear(s, rhs)?)?;
        if d.terms().len() < 2 {
            return None;
        }
        let hi = self.most(s, &d, i128::MIN);
        let lo = -self.most(s, &d.times(-1)?, i128::MIN);
        let r = Interval { lo, hi };
        (lo <= hi && full.covers(r)).then_some(r)
    }

    /// Pointers that a pointer is computed from, and its distance from each in bytes.
    fn origins(&self, s: &State, ptr: &Operand) -> Vec<(Base, Linear<Value>)> {
        let mut out = Vec::new();
        let Some(n) = self.name(ptr) else { return out };
        let (mut base, mut off) = (n.base, Linear::of(n.offset.into()));
        for _ in 0..CHAIN {
            out.push((base, off.clone()));
            let Base::Value(v) = base else { break };
            let Some(InstKind::Addr { base: from, steps, .. }) = self.defining(v) else { break };
            let (Some(n), Some(by)) = (self.name(from), self.distance(s, steps)) else { break };
            let next = off.plus_times(1, &by).and_then(|o| o.plus(n.offset.into()));
            let Some(next) = next else { break };
            (base, off) = (n.base, next);
        }
        out
    }

    /// Around a pointer: bytes before it, and from it on, that are inside its object. What is known of each pointer that it is
    /// computed from.
    pub(super) fn around(&mut self, s: &State, ptr: &Operand) -> Vec<(Linear<Value>, Linear<Value>)> {
        let mut out = Vec::new();
        for (base, off) in self.origins(s, ptr) {
            if let Some(Spans::Bytes(all)) = s.spans(base) {
                out.extend(all.iter().filter_map(|l| Some((off.clone(), l.minus(&off)?))));
            }
            if let Some(e) = self.extent(s, base).filter(|e| *e != Extent::ALL) {
                let before = off.clone().plus(-i128::from(e.lo));
                let behind = Linear::of(e.hi.into()).minus(&off);
                out.extend(before.zip(behind));
            }
        }
        out
    }

    /// Bytes that the steps of an address go on.
    fn distance(&self, s: &State, steps: &[Step]) -> Option<Linear<Value>> {
        let mut out = Linear::of(0);
        for step in steps {
            out = match step {
                Step::Field { offset, .. } => out.plus(i128::from(*offset))?,
                Step::Index { index, stride, .. } => out.plus_times(i128::from(*stride), &self.linear(s, index)?)?,
            };
        }
        Some(out)
    }

    /// So many bytes from the pointer on are inside its object.
    pub(super) fn inside(&mut self, s: &State, ptr: &Operand, bytes: &Linear<Value>) -> bool {
        self.around(s, ptr).into_iter().any(|(before, behind)| {
            let room = bytes.minus(&behind).is_some_and(|l| self.proves(s, &l));
            room && before.times(-1).is_some_and(|l| self.proves(s, &l))
        })
    }

    /// What the system says of the arguments of `main`: there is at least one, and the vector has one pointer more.
    pub(super) fn handed_by_system(&mut self, s: &mut State) {
        let Some((argc, argv)) = self.arguments_of_main() else { return };
        let pointer = i128::from(self.given.module.target.pointer_bytes());
        let Ty::Int(w) = self.body.ty(argc) else { return };
        // ISO C17 5.1.2.2.1; that there is one the tool assumes everywhere, and that the vector fits the memory.
        let most = (1i128 << (w - 1).min(8 * pointer as u32 - 5)) - 1;
        self.within(s, &Operand::Value(argc), Interval { lo: 1, hi: most }, 0);
        let size = Linear::atom(argc).times(pointer).and_then(|l| l.plus(pointer));
        s.add_safe(Base::Value(argv), Safe::OBJECT);
        s.set_extent(Base::Value(argv), Extent { lo: 0, hi: 2 * pointer as i64 });
        size.into_iter().for_each(|l| s.add_span(Base::Value(argv), l));
    }

    /// The parameters of `main`, where only the system calls it.
    fn arguments_of_main(&self) -> Option<(Value, Value)> {
        if !self.interface(self.id).main || self.first_is_head() {
            return None;
        }
        match self.body.block(Block::new(0)).params[..] {
            [argc, argv, ..] if matches!(self.body.ty(argc), Ty::Int(16..=64)) && self.body.ty(argv) == Ty::Ptr => {
                Some((argc, argv))
            }
            _ => None,
        }
    }

    /// The pointer leads to an element of `argv` below `argc`, and nothing is ever written to that vector.
    pub(super) fn is_argument(&mut self, s: &State, ptr: &Operand) -> bool {
        let Some((argc, argv)) = self.arguments_of_main() else { return false };
        let pointer = i128::from(self.given.module.target.pointer_bytes());
        let Some(n) = self.name(ptr).filter(|n| n.root == Base::Value(argv)) else { return false };
        let targets = self.alias.targets(n.root).clone();
        if targets.unknown
            || !targets
                .places
                .iter()
                .all(|l| self.contents.is_as_handed(&self.given, l.object) && self.is_vector(l.object))
        {
            return false;
        }
        let Some(end) = Linear::atom(argc).times(pointer) else { return false };
        let all = self.origins(s, ptr);
        let Some((_, at)) = all.iter().find(|o| o.0 == Base::Value(argv)) else { return false };
        // Elements are read whole: the last one before the null pointer ends where that begins.
        let whole = |k: i128| k % pointer == 0;
        if !whole(at.constant()) || !at.terms().iter().all(|t| whole(t.1)) {
            return false;
        }
        let fits = at.clone().plus(pointer).and_then(|l| l.minus(&end));
        fits.is_some_and(|l| self.proves(s, &l)) && at.times(-1).is_some_and(|l| self.proves(s, &l))
    }

    fn is_vector(&self, o: ObjectId) -> bool {
        matches!(self.given.points_to.object(o).kind, ObjectKind::Argv)
    }

    /// What is known of the arguments of a call of a library model.
    pub(super) fn passed_to(&mut self, s: &State, args: &[Operand], known: Vec<Known>) -> Passed {
        let mut out = Passed { known, ..Passed::default() };
        let few = args.len().min(MAX_ARGUMENTS);
        let lengths: Vec<Option<Linear<Value>>> = args[..few]
            .iter()
            .map(|o| self.range(s, o).filter(|r| r.lo >= 0).and_then(|_| self.linear(s, o)))
            .collect();
        for (i, o) in args.iter().enumerate().filter(|(_, o)| self.body.operand_ty(o) == Ty::Ptr) {
            let targets = self.targets(o);
            if targets.unknown || targets.places.is_empty() {
                continue;
            }
            out.own.push(i as u32);
            let inside = out.known[i].extent.is_some_and(|e| e != Extent::ALL && e.covers(0, 1));
            let mut read: Vec<ObjectId> = targets.places.iter().map(|l| l.object).collect();
            read.dedup();
            if inside && read.iter().all(|o| self.contents.is_text(&self.given, *o)) {
                self.found.reads.extend(read);
                out.texts.push(i as u32);
            }
        }
        for (i, o) in args[..few].iter().enumerate().filter(|(_, o)| self.body.operand_ty(o) == Ty::Ptr) {
            for (j, a) in lengths.iter().enumerate() {
                let Some(a) = a else { continue };
                if self.inside(s, o, a) {
                    out.covers.push((i as u32, j as u32, None));
                }
                for (k, b) in lengths.iter().enumerate().skip(j + 1) {
                    let Some(b) = b else { continue };
                    let product = match (a.terms(), b.terms()) {
                        ([], _) => b.times(a.constant()),
                        (_, []) => a.times(b.constant()),
                        _ => None,
                    };
                    if product.is_some_and(|l| self.inside(s, o, &l)) {
                        out.covers.push((i as u32, j as u32, Some(k as u32)));
                    }
                }
            }
        }
        out
    }

    /// An access of so many bytes passed, which nothing had shown before.
    pub(super) fn spanned(&mut self, s: &mut State, ptr: &Operand, bytes: i128) {
        let Some(n) = self.name(ptr) else { return };
        let Base::Value(v) = n.base else { return };
        let Some(InstKind::Addr { base, steps, .. }) = self.defining(v) else { return };
        let (Some(b), Some(by)) = (self.name(base), self.distance(s, steps)) else { return };
        if by.terms().is_empty() || b.base != b.root {
            return;
        }
        // The pointer that it is computed from leads into the object.
        if b.offset != 0 || !self.extent(s, b.base).is_some_and(|e| e.lo <= 0 && e != Extent::ALL) {
            return;
        }
        if let Some(end) = by.plus(bytes + i128::from(n.offset)) {
            s.add_span(b.base, end);
        }
    }

    /// Adds to what two paths know in the same words what one knows and the other implies; new facts only where `more`
    /// says so.
    pub(super) fn meet_facts(&self, out: &mut State, a: &State, b: &State, more: bool, steady: bool) {
        if a.same_facts(b) {
            return;
        }
        let implied = |(terms, constant): (&[(Value, i128)], i128), by: &State| {
            if by.fact(terms).is_some() {
                return None;
            }
            let l = Linear::with(terms.to_vec(), 0);
            let c = constant.min(-l.most(|v| self.bounds(by, v)));
            (c == constant || !steady && c + SLACK >= constant).then(|| l.plus(c)).flatten()
        };
        let mut new: Vec<Linear<Value>> = a.facts().filter_map(|f| implied(f, b)).collect();
        if more {
            new.extend(b.facts().filter_map(|f| implied(f, a)));
        }
        new.iter().for_each(|l| out.add_fact(l));
    }

    /// What is known of the parameters of a block by what is known of the arguments: `params` get what `args` are.
    pub(super) fn carried(&mut self, s: &State, params: &[Value], e: &Edge, first: usize) -> Carried {
        let mut out = Carried::default();
        let passed = params[first.min(params.len())..].iter().zip(&e.args);
        // What numbers are followed by: the number is the parameter and a constant.
        let mut followers: Vec<(Value, Value, i128)> = Vec::new();
        let mut equal: Vec<(Value, Linear<Value>)> = Vec::new();
        for (p, o) in passed.clone().filter(|(p, _)| matches!(self.body.ty(**p), Ty::Int(2..=64))) {
            let Some(l) = self.linear(s, o) else { continue };
            if let Some((a, c)) = l.one_atom()
                && followers.iter().filter(|f| f.0 == a).count() < FOLLOWERS
            {
                followers.push((a, *p, -c));
            }
            if !l.terms().is_empty() {
                equal.push((*p, l));
            }
        }
        let old = |v: Value| params.contains(&v);
        let ways = |l: &Linear<Value>| renamed(l, &followers, &old);
        for (terms, c) in s.facts().filter(|f| f.0.iter().any(|t| followers.iter().any(|f| f.0 == t.0))) {
            out.facts.extend(ways(&Linear::with(terms.to_vec(), c)));
        }
        for (p, l) in &equal {
            for (sign, l) in [(1, l.times(-1)), (-1, Some(l.clone()))] {
                let Some(l) = l else { continue };
                // The parameter is new: it is none of the old values.
                let kept = l.terms().iter().all(|t| !old(t.0));
                let all = if kept { vec![l] } else { ways(&l) };
                let new = all.into_iter().filter_map(|l| l.plus_times(sign, &Linear::atom(*p)));
                out.facts.extend(new.filter(|l| l.terms().len() > 1).map(Linear::normal));
            }
        }
        for (p, o) in passed.filter(|(p, _)| self.body.ty(**p) == Ty::Ptr) {
            if matches!(o, Operand::Const(Const::Null)) {
                out.spans.push((*p, Spans::Null));
                continue;
            }
            let own = self.name(o).and_then(|n| (n.offset == 0).then(|| s.spans(n.base))).flatten();
            let all = match own {
                Some(Spans::Null) => {
                    out.spans.push((*p, Spans::Null));
                    continue;
                }
                Some(Spans::Bytes(all)) => all.clone(),
                // Where it may be anywhere before or behind the object, nothing is said.
                None => {
                    let around = self.around(s, o);
                    let inside = around.into_iter().filter(|(before, behind)| {
                        !behind.terms().is_empty() && before.times(-1).is_some_and(|l| self.proves(s, &l))
                    });
                    inside.map(|(_, behind)| behind).collect()
                }
            };
            let kept = |l: &Linear<Value>| l.terms().iter().all(|t| !old(t.0));
            let new: Vec<Linear<Value>> =
                all.iter().flat_map(|l| if kept(l) { vec![l.clone()] } else { ways(l) }).collect();
            new.into_iter().for_each(|l| out.bytes.push((Base::Value(*p), l)));
        }
        for (b, spans) in s.all_spans() {
            let Spans::Bytes(all) = spans else { continue };
            if matches!(b, Base::Value(v) if old(v)) {
                continue;
            }
            let lost = all.iter().filter(|l| l.terms().iter().any(|t| old(t.0)));
            let new: Vec<Linear<Value>> = lost.flat_map(ways).collect();
            new.into_iter().for_each(|l| out.bytes.push((b, l)));
        }
        out
    }
}

/// Sums that are not above 0: where a comparison comes out false one of these at least (of `Ne`, where it comes out true), and
/// where it comes out true all of those.
struct Differences {
    against: Vec<Linear<Value>>,
    wanted: Vec<Linear<Value>>,
}

/// What the parameters of a block have to do with other values.
#[derive(Default)]
pub(super) struct Carried {
    facts: Vec<Linear<Value>>,
    spans: Vec<(Value, Spans)>,
    bytes: Vec<(Base, Linear<Value>)>,
}

impl Carried {
    /// It holds from here on.
    pub(super) fn hold(self, s: &mut State) {
        self.facts.iter().for_each(|l| s.add_fact(l));
        self.spans.into_iter().for_each(|(p, k)| s.set_spans(Base::Value(p), k));
        self.bytes.into_iter().for_each(|(b, l)| s.add_span(b, l));
    }
}

/// The sum with values replaced by those that follow them, in all ways that leave no old value.
fn renamed(l: &Linear<Value>, followers: &[(Value, Value, i128)], old: &dyn Fn(Value) -> bool) -> Vec<Linear<Value>> {
    let follows = |v: Value| followers.iter().filter(move |f| f.0 == v);
    if l.terms().iter().all(|t| follows(t.0).next().is_none()) {
        return Vec::new();
    }
    let mut all = vec![(Linear::of(l.constant()), false)];
    for (v, k) in l.terms() {
        let mut next = Vec::new();
        for (sum, changed) in &all {
            if !old(*v) {
                next.extend(sum.plus_times(*k, &Linear::atom(*v)).map(|l| (l, *changed)));
            }
            for (_, p, c) in follows(*v) {
                let new = Linear::atom(*p).plus(*c).and_then(|l| sum.plus_times(*k, &l));
                next.extend(new.map(|l| (l, true)));
            }
        }
        all = next;
    }
    all.into_iter().filter(|a| a.1).map(|a| a.0).collect()
}

fn plus(a: Interval, b: Interval) -> Interval {
    Interval { lo: a.lo + b.lo, hi: a.hi + b.hi }
}

fn less(a: Interval, b: Interval) -> Interval {
    Interval { lo: a.lo - b.hi, hi: a.hi - b.lo }
}

fn times(a: Interval, k: i128) -> Interval {
    let (x, y) = (a.lo.saturating_mul(k), a.hi.saturating_mul(k));
    Interval { lo: x.min(y), hi: x.max(y) }
}
