//! What holds in a part of the executions only: visits are sorted by conditions that the function itself puts to the values
//! that are looked at, in the loop or behind it, and each part is looked at by itself (disjunctive invariants from guards of
//! the program: Sharma et al., "Simplifying loop invariant generation using splitter predicates", CAV 2011). And the
//! inequalities that the function itself looks at, everywhere or on one side of a condition: clauses of one or two of them.

use super::{Around, Column, Head, linear};
use std::collections::{BTreeMap, BTreeSet};
use verify_encode::{Condition, Side, Source, Suggestion};
use verify_facts::Loop;
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp};
use verify_ir::{Block, Body, Const, InstKind, Operand, Terminator, Value};

/// Conditions of one loop.
const MAX_CONDITIONS: usize = 6;
/// Suggestions for one loop, and for one side of a condition.
const MAX_SUGGESTIONS: usize = 60;
const MAX_OF_A_SIDE: usize = 14;
/// Inequalities of one loop.
const MAX_ATOMS: usize = 24;
/// Coefficients in them.
const MOST_TIMES: i128 = 1024;
/// Visits on one side from which something may be seen.
const FEW: usize = 3;

/// A comparison of a column with another one, or with a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Case {
    /// Something in it changes in the loop; those come last.
    changes: bool,
    pred: IntPred,
    left: usize,
    right: With,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum With {
    Constant(u64),
    Column(usize),
}

/// A sum of columns, by their coefficients, and what it is at most.
pub(super) type Atom = (Vec<i128>, i128);

/// Inequalities of a loop and of what is behind it, and their opposites.
pub(super) fn atoms(body: &Body, l: &Loop, around: &Around, columns: &[Column]) -> Vec<Atom> {
    let made = made(body);
    let mut out = BTreeSet::new();
    for i in blocks(l, around).into_iter().flat_map(|b| &body.block(b).insts) {
        let InstKind::Icmp { pred, lhs, rhs } = &i.kind else { continue };
        let (Some(a), Some(b)) = (linear(&made, columns, lhs, 0), linear(&made, columns, rhs, 0)) else { continue };
        let times: Vec<i128> = a.0.iter().zip(&b.0).map(|(x, y)| x - y).collect();
        if times.iter().all(|t| *t == 0) || times.iter().any(|t| t.abs() > MOST_TIMES) {
            continue;
        }
        let less: Vec<i128> = times.iter().map(|t| -t).collect();
        let d = b.1 - a.1;
        // `times <= most` and `less <= most`.
        let (up, down) = ((times.clone(), d), (less.clone(), -d));
        let (below, above) = ((times, d - 1), (less, -d - 1));
        match pred {
            IntPred::Eq | IntPred::Ne => out.extend([up, down, below, above]),
            IntPred::Ule | IntPred::Sle | IntPred::Ugt | IntPred::Sgt => out.extend([up, above]),
            IntPred::Ult | IntPred::Slt | IntPred::Uge | IntPred::Sge => out.extend([below, down]),
        }
    }
    out.into_iter().take(MAX_ATOMS).collect()
}

/// A value as a sum of columns and a constant.
fn linear(made: &BTreeMap<Value, &InstKind>, columns: &[Column], o: &Operand, depth: u32) -> Option<Atom> {
    let (up, one) = (|width: u32| 128 - width, |c: i128| (vec![0; columns.len()], c));
    let v = match o {
        Operand::Const(Const::Int { width, value }) => return Some(one((*value << up(*width)) as i128 >> up(*width))),
        Operand::Const(_) => return None,
        Operand::Value(v) => *v,
    };
    if let Some(i) = columns.iter().position(|c| c.source == Source::Value(v)) {
        let mut out = one(0);
        out.0[i] = 1;
        return Some(out);
    }
    if depth > 6 {
        return None;
    }
    let of = |o: &Operand| linear(made, columns, o, depth + 1);
    let with = |a: Atom, b: Atom, n: i128| {
        Some((a.0.iter().zip(&b.0).map(|(x, y)| x + n * y).collect(), a.1.checked_add(n.checked_mul(b.1)?)?))
    };
    match made.get(&v)? {
        InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, arg } | InstKind::Freeze { arg } => of(arg),
        InstKind::Binary { op: BinOp::Add, lhs, rhs, .. }
        | InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::UAdd, lhs, rhs } => with(of(lhs)?, of(rhs)?, 1),
        InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. }
        | InstKind::Overflow { op: OverflowOp::SSub | OverflowOp::USub, lhs, rhs } => with(of(lhs)?, of(rhs)?, -1),
        InstKind::Binary { op: BinOp::Mul, lhs, rhs, .. }
        | InstKind::Overflow { op: OverflowOp::SMul | OverflowOp::UMul, lhs, rhs } => {
            let (a, b) = (of(lhs)?, of(rhs)?);
            let constant = |x: &Atom| x.0.iter().all(|t| *t == 0).then_some(x.1).filter(|c| c.abs() <= MOST_TIMES);
            match (constant(&a), constant(&b)) {
                (_, Some(c)) => with(one(0), a, c),
                (Some(c), _) => with(one(0), b, c),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Instructions by their only result; sums that say whether they overflow by the first.
fn made(body: &Body) -> BTreeMap<Value, &InstKind> {
    let insts = body.blocks.iter().flat_map(|b| &b.insts);
    let known = insts.filter(|i| i.results.len() == 1 || matches!(i.kind, InstKind::Overflow { .. }));
    known.filter_map(|i| Some((*i.results.first()?, &i.kind))).collect()
}

/// The blocks of a loop and of what is behind it.
fn blocks(l: &Loop, around: &Around) -> BTreeSet<Block> {
    around.graph.preorder(&[l.header.0]).into_iter().map(Block).chain(l.blocks.iter().copied()).collect()
}

/// The conditions of a loop and of what is behind it, each in one of its two senses.
pub(super) fn of(body: &Body, l: &Loop, around: &Around, columns: &[Column]) -> Vec<Case> {
    let made = made(body);
    let column = |o: &Operand| {
        let mut v = o.as_value()?;
        for _ in 0..4 {
            if let Some(i) = columns.iter().position(|c| c.source == Source::Value(v)) {
                return Some(i);
            }
            v = match made.get(&v)? {
                InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, arg } | InstKind::Freeze { arg } => arg.as_value()?,
                // A step of the loop: what is said of the next visit is likely to matter at this one.
                InstKind::Binary { lhs, rhs: Operand::Const(_), .. }
                | InstKind::Overflow { lhs, rhs: Operand::Const(_), .. } => lhs.as_value()?,
                _ => return None,
            };
        }
        None
    };
    let constant = |o: &Operand, width: u32| match o {
        Operand::Const(Const::Int { value, width: own }) => {
            let fits = |v: u128| v >> width == 0 || (v as i128) << (128 - own) >> (128 - own) >> (width - 1) == -1;
            fits(*value).then_some(*value as u64 & (u64::MAX >> (64 - width)))
        }
        _ => None,
    };
    let mut out = BTreeSet::new();
    let mut add = |pred: IntPred, left: usize, right: With| {
        // One of two opposites stands for both.
        let pred = match pred {
            IntPred::Ne => IntPred::Eq,
            IntPred::Uge => IntPred::Ult,
            IntPred::Ugt => IntPred::Ule,
            IntPred::Sge => IntPred::Slt,
            IntPred::Sgt => IntPred::Sle,
            p => p,
        };
        let other = match right {
            With::Column(c) => columns[c].changes,
            With::Constant(_) => false,
        };
        out.insert(Case { changes: columns[left].changes || other, pred, left, right });
    };
    for b in blocks(l, around).into_iter().map(|b| body.block(b)) {
        for i in &b.insts {
            let InstKind::Icmp { pred, lhs, rhs } = &i.kind else { continue };
            match (column(lhs), column(rhs)) {
                (Some(a), Some(b)) if a != b && columns[a].width == columns[b].width => add(*pred, a, With::Column(b)),
                (Some(a), None) => {
                    if let Some(c) = constant(rhs, columns[a].width) {
                        add(*pred, a, With::Constant(c));
                    }
                }
                (None, Some(b)) => {
                    if let Some(c) = constant(lhs, columns[b].width) {
                        add(pred.swapped(), b, With::Constant(c));
                    }
                }
                _ => {}
            }
        }
        if let Terminator::Switch { value, cases, .. } = &b.term
            && let Some(a) = column(value)
        {
            for (c, _) in cases {
                if let Some(c) = constant(&Operand::Const(c.clone()), columns[a].width) {
                    add(IntPred::Eq, a, With::Constant(c));
                }
            }
        }
    }
    out.into_iter().take(MAX_CONDITIONS).collect()
}

/// What holds on one side of a condition, and is not said of all visits.
pub(super) fn suggestions(
    head: &Head,
    columns: &[Column],
    kept: &[usize],
    runs: &[Vec<Vec<i128>>],
    known: &[Suggestion],
) -> Vec<Suggestion> {
    let atoms: Vec<Atom> = head.atoms.iter().filter_map(|a| narrowed(a, kept)).collect();
    // What holds always is said without a condition.
    let mut out: Vec<Suggestion> =
        linear::kept(columns, runs, &atoms).into_iter().filter(|s| !known.contains(s)).collect();
    let known: Vec<&Suggestion> = known.iter().chain(&out).collect();
    let mut by_case = Vec::new();
    let changing: Vec<bool> = columns.iter().map(|c| c.changes).collect();
    for case in &head.conditions {
        let place = |c: usize| kept.iter().position(|k| *k == c);
        let Some(left) = place(case.left) else { continue };
        let (right, side) = match &case.right {
            With::Constant(bits) => (None, Side::Constant(*bits)),
            With::Column(c) => match place(*c) {
                Some(c) => (Some(c), Side::Source(columns[c].source.clone())),
                None => continue,
            },
        };
        let width = columns[left].width;
        let holds = |v: &[i128]| {
            let right = right.map_or_else(
                || match side {
                    Side::Constant(bits) => i128::from(bits),
                    Side::Source(_) => 0,
                },
                |c| v[c],
            );
            case.pred.holds(width, v[left] as u128, right as u128)
        };
        for sense in [true, false] {
            let part: Vec<Vec<Vec<i128>>> = runs
                .iter()
                .map(|r| r.iter().filter(|v| holds(v) == sense).cloned().collect::<Vec<_>>())
                .filter(|r: &Vec<Vec<i128>>| !r.is_empty())
                .collect();
            if part.iter().map(Vec::len).sum::<usize>() < FEW {
                continue;
            }
            let mut found = linear::kept(columns, &part, &atoms);
            found.extend(linear::pairs(columns, &part));
            found.extend(linear::bounds(columns, &part, &head.constants, &changing));
            found.extend(linear::suggestions(columns, &part, &head.constants, &head.factors));
            let pred = if sense { case.pred } else { case.pred.negated() };
            let when = Condition { pred, left: columns[left].source.clone(), right: side.clone() };
            let new = found.into_iter().filter(|s| !known.contains(&s)).take(MAX_OF_A_SIDE);
            by_case.extend(new.map(|s| Suggestion::Given(when.clone(), Box::new(s))));
        }
    }
    by_case.truncate(MAX_SUGGESTIONS);
    out.extend(by_case);
    out
}

/// The same of these columns only, if it is of no others.
fn narrowed(a: &Atom, kept: &[usize]) -> Option<Atom> {
    let all = kept.iter().map(|k| a.0[*k]).collect::<Vec<_>>();
    let same = all.iter().filter(|t| **t != 0).count() == a.0.iter().filter(|t| **t != 0).count();
    same.then_some((all, a.1))
}
