//! Linear relations between columns of numbers.
//!
//! Equations: the null space of the numbers with a column of ones beside them, by elimination over the rationals; a column that
//! depends on earlier ones is expressed by them. Inequalities: of at most [`MOST_VARIABLES`] independent columns with
//! coefficients -2 to 2, those that bound the convex hull of the numbers (as many independent visits attain the bound
//! as a facet has), with a bound that is a small number or one of the program's, in several runs: what depends on
//! how large the inputs happened to be is none. And `x - c*y` for constants `c` of the program.
//!
//! Congruences modulo 2, 4 and 8 (Granger, "Static analysis of arithmetical congruences", 1989, with the moduli for which they
//! survive an overflow): sums of at most [`MOST_VARIABLES`] independent columns, by elimination over the field of two. And the rests
//! of one column, or of the difference of two, by constants of the program that are no powers of two.

use super::Column;
use std::collections::BTreeSet;
use verify_encode::{Suggestion, Summand};

/// Columns of one inequality.
const MOST_VARIABLES: usize = 4;
/// Independent columns that inequalities are looked for between.
const MOST_INDEPENDENT: usize = 7;
/// Greatest coefficient of an equation.
const MOST_TIMES: i128 = 1024;
/// Bounds up to this are small.
const SMALL: i128 = 3;
/// Runs that a bound has to be attained in.
const ENOUGH_RUNS: usize = 3;
/// Of each run, so many visits are looked at at the beginning.
const FIRST: usize = 6;
/// Visits that are looked at.
const MAX_VISITS: usize = 800;
/// Suggestions for one loop: equations, inequalities, and those with constants of the program, once and for each.
const MAX_EQUATIONS: usize = 6;
const MAX_INEQUALITIES: usize = 20;
const MAX_SCALED: usize = 6;
const MAX_MULTIPLES: usize = 12;
const MAX_CONGRUENCES: usize = 6;
const MAX_RESTS: usize = 4;
/// Low bits of a congruence.
const MOST_LOW: u32 = 3;

/// A visit, and the run it was in.
type Visit = (usize, Vec<i128>);

/// What the visits of several runs have in common.
pub(super) fn suggestions(
    columns: &[Column],
    runs: &[Vec<Vec<i128>>],
    constants: &BTreeSet<i128>,
    factors: &BTreeSet<i128>,
) -> Vec<Suggestion> {
    let visits = spread(runs);
    let mut out = Vec::new();
    if visits.len() < columns.len() + 3 {
        return out;
    }
    // Those from before the loop first: what the loop changes is expressed by them.
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|c| columns[*c].changes);
    let Some((equations, independent)) = equations(&visits, &order) else { return out };
    for e in equations.iter().take(MAX_EQUATIONS) {
        out.extend(equation(columns, e));
    }
    let independent: Vec<usize> =
        independent.into_iter().filter(|c| visits.iter().any(|(_, v)| v[*c] != visits[0].1[*c])).collect();
    let kept = &independent[..independent.len().min(MOST_INDEPENDENT)];
    inequalities(columns, kept, &visits, constants, &mut out);
    scaled(columns, kept, &visits, constants, &mut out);
    multiples(columns, kept, &visits, factors, &mut out);
    congruences(columns, kept, &visits, &mut out);
    rests(columns, kept, &visits, factors, &mut out);
    out
}

/// Bounds of the columns that are asked for by themselves.
pub(super) fn bounds(
    columns: &[Column],
    runs: &[Vec<Vec<i128>>],
    constants: &BTreeSet<i128>,
    asked: &[bool],
) -> Vec<Suggestion> {
    let mut out = Vec::new();
    for c in (0..columns.len()).filter(|c| asked[*c]) {
        for sign in [1, -1] {
            let most = runs.iter().flatten().map(|v| sign * v[c]).max();
            if let Some(most) = most.filter(|d| is_natural(*d, constants)) {
                let mut times = vec![0; columns.len()];
                times[c] = sign;
                out.push(Suggestion::AtMost(summands(columns, &times, 1), most as i64));
            }
        }
    }
    out
}

/// Differences and sums of two columns that are the same at all visits. [`suggestions`] says the same by other equations, which may
/// need one another to last.
pub(super) fn pairs(columns: &[Column], runs: &[Vec<Vec<i128>>]) -> Vec<Suggestion> {
    let visits = || runs.iter().flatten();
    let mut out = Vec::new();
    for (a, b) in (0..columns.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
        if columns[a].width != columns[b].width || !columns[a].changes && !columns[b].changes {
            continue;
        }
        for sign in [-1, 1] {
            let mut sums = visits().map(|v| v[a] + sign * v[b]);
            let first = sums.next();
            if out.len() < MAX_EQUATIONS && first.is_some() && sums.all(|s| Some(s) == first) {
                let mut times = vec![0; columns.len()];
                (times[a], times[b]) = (1, sign);
                out.push(Suggestion::Constant(summands(columns, &times, 1)));
            }
        }
    }
    out
}

/// Inequalities of these that all visits keep to, as [`Suggestion::AtMost`].
pub(super) fn kept(columns: &[Column], runs: &[Vec<Vec<i128>>], among: &[super::cases::Atom]) -> Vec<Suggestion> {
    let mut out = Vec::new();
    for (times, most) in among {
        let times: Vec<(usize, i128)> = times.iter().copied().enumerate().filter(|(_, t)| *t != 0).collect();
        let holds = runs.iter().flatten().all(|v| sum(&times, v) <= *most);
        let changes = times.iter().any(|(c, _)| columns[*c].changes);
        if let (true, Ok(most)) = (holds && changes, i64::try_from(*most)) {
            let mut all = vec![0; columns.len()];
            times.iter().for_each(|(c, t)| all[*c] = *t);
            out.push(Suggestion::AtMost(summands(columns, &all, 1), most));
        }
    }
    out
}

/// Visits of all runs, evenly.
fn spread(runs: &[Vec<Vec<i128>>]) -> Vec<Visit> {
    let most = (MAX_VISITS / runs.len().max(1)).max(4);
    let mut out = Vec::new();
    for (run, visits) in runs.iter().enumerate() {
        // Both ends and what lies evenly between them.
        let n = visits.len();
        let step = n.div_ceil(most).max(1);
        out.extend((0..n).filter(|i| *i < FIRST || i % step == 0 || i + 1 == n).map(|i| (run, visits[i].clone())));
    }
    out
}

/// An equation: coefficients of the columns, and what the sum is.
struct Equation {
    times: Vec<i128>,
    is: i128,
}

/// The equations that all visits keep to, and the columns that depend on no others. [`None`]: the numbers are too large.
fn equations(visits: &[Visit], order: &[usize]) -> Option<(Vec<Equation>, Vec<usize>)> {
    // Position 0 is the constant one.
    let n = order.len() + 1;
    let mut rows: Vec<Vec<i128>> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    for (_, v) in visits {
        let mut row = vec![1];
        row.extend(order.iter().map(|c| v[*c]));
        for (r, p) in rows.iter().zip(&pivots) {
            eliminate(&mut row, r, *p)?;
        }
        let Some(p) = row.iter().position(|x| *x != 0) else { continue };
        for r in &mut rows {
            eliminate(r, &row, p)?;
        }
        rows.push(row);
        pivots.push(p);
        if rows.len() == n {
            break;
        }
    }
    let mut out = Vec::new();
    for free in (0..n).filter(|c| !pivots.contains(c)) {
        // The free column is one; each pivot is minus its row there.
        let scale =
            rows.iter().zip(&pivots).filter(|(r, _)| r[free] != 0).try_fold(1i128, |l, (r, p)| lcm(l, r[*p]))?;
        let mut vector = vec![0i128; n];
        vector[free] = scale;
        for (r, p) in rows.iter().zip(&pivots) {
            vector[*p] = r[free].checked_mul(scale)?.checked_neg()? / r[*p];
        }
        // In lowest terms: modulo a power of two, twice an equation says less than the equation.
        let common = vector.iter().fold(0, |d, x| gcd(d, *x)).max(1);
        vector.iter_mut().for_each(|x| *x /= common);
        let mut times = vec![0; n - 1];
        for (k, c) in order.iter().enumerate() {
            times[*c] = vector[k + 1];
        }
        out.push(Equation { times, is: -vector[0] });
    }
    let independent = pivots.iter().filter(|p| **p > 0).map(|p| order[*p - 1]);
    let mut independent: Vec<usize> = independent.collect();
    independent.sort_unstable();
    Some((out, independent))
}

/// Makes `row` zero at `p`, where `by` is not.
fn eliminate(row: &mut [i128], by: &[i128], p: usize) -> Option<()> {
    let (x, y) = (row[p], by[p]);
    if x == 0 {
        return Some(());
    }
    for (a, b) in row.iter_mut().zip(by) {
        *a = a.checked_mul(y)?.checked_sub(b.checked_mul(x)?)?;
    }
    let d = row.iter().fold(0, |d, x| gcd(d, *x));
    if d > 1 {
        row.iter_mut().for_each(|x| *x /= d);
    }
    Some(())
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    a.checked_mul(b / gcd(a, b))?.checked_abs()
}

fn equation(columns: &[Column], e: &Equation) -> Vec<Suggestion> {
    let used: Vec<usize> = (0..columns.len()).filter(|c| e.times[*c] != 0).collect();
    if used.len() < 2 || e.times.iter().any(|t| t.abs() > MOST_TIMES) {
        return Vec::new();
    }
    let same_width = used.iter().all(|c| columns[*c].width == columns[used[0]].width);
    let mut out = Vec::new();
    if same_width {
        out.push(Suggestion::Constant(summands(columns, &e.times, 1)));
    }
    if let Ok(is) = i64::try_from(e.is) {
        out.push(Suggestion::AtMost(summands(columns, &e.times, 1), is));
        out.push(Suggestion::AtMost(summands(columns, &e.times, -1), -is));
    }
    out
}

/// Sums of what the loop changes, and of what it does not, whose low bits are the same at all visits. An equality modulo the
/// width, of the sum with those bits shifted to the top, says so.
fn congruences(columns: &[Column], kept: &[usize], visits: &[Visit], out: &mut Vec<Suggestion>) {
    let mut found = 0;
    for used in parities(kept, visits) {
        let width = columns[used[0]].width;
        let fits = used.len() <= MOST_VARIABLES && used.iter().all(|c| columns[*c].width == width);
        if !fits || !used.iter().any(|c| columns[*c].changes) || width < 2 {
            continue;
        }
        // Modulo 2 the signs do not matter.
        let signs = 0..1usize << (used.len() - 1);
        let times = |s: usize| {
            used.iter().enumerate().map(move |(i, c)| (*c, if i > 0 && s >> (i - 1) & 1 == 1 { -1 } else { 1 }))
        };
        let low = |s: usize| {
            let all: Vec<(usize, i128)> = times(s).collect();
            let differ = visits.iter().map(|(_, v)| sum(&all, v) ^ sum(&all, &visits[0].1)).fold(0, |a, b| a | b);
            differ.trailing_zeros().min(MOST_LOW).min(width - 1)
        };
        let Some((bits, s)) = signs.map(|s| (low(s), s)).max_by_key(|(bits, s)| (*bits, usize::MAX - s)) else {
            continue;
        };
        if bits == 0 || found >= MAX_CONGRUENCES {
            continue;
        }
        found += 1;
        let mut all = vec![0; columns.len()];
        times(s).for_each(|(c, t)| all[c] = t << (width - bits));
        out.push(Suggestion::Constant(summands(columns, &all, 1)));
    }
}

/// What a value that the loop changes, or its distance from one that it does not, leaves when it is divided by a number of the
/// program.
fn rests(columns: &[Column], kept: &[usize], visits: &[Visit], factors: &BTreeSet<i128>, out: &mut Vec<Suggestion>) {
    let moduli: BTreeSet<i128> = factors.iter().flat_map(|m| [*m, *m >> m.trailing_zeros()]).collect();
    let moduli: Vec<i128> = moduli.into_iter().filter(|m| *m > 2 && m.count_ones() > 1).collect();
    let mut found = 0;
    let others = |c: usize| kept.iter().copied().filter(move |d| *d != c).map(Some);
    for c in kept.iter().copied().filter(|c| columns[*c].changes && columns[*c].width > 7) {
        for d in [None].into_iter().chain(others(c)) {
            let fits = |d: usize| !columns[d].changes && columns[d].width == columns[c].width;
            if found >= MAX_RESTS || d.is_some_and(|d| !fits(d)) {
                continue;
            }
            let value = |v: &Vec<i128>| v[c] - d.map_or(0, |d| v[d]);
            let values: BTreeSet<i128> = visits.iter().map(|(_, v)| value(v)).collect();
            for m in moduli.iter().filter(|_| values.len() > 3) {
                let mut rests = values.iter().map(|v| v % m);
                let Some(first) = rests.next().filter(|r| *r >= 0 && (*r == 0 || d.is_none())) else { continue };
                if found < MAX_RESTS && rests.all(|r| r == first) {
                    found += 1;
                    let mut times = vec![0; columns.len()];
                    times[c] = 1;
                    if let Some(d) = d {
                        times[d] = -1;
                    }
                    out.push(Suggestion::Rest(summands(columns, &times, 1), *m as u64, first as u64));
                }
            }
        }
    }
}

/// Sets of columns whose sum is even at all visits, or odd at all: a basis of these.
fn parities(kept: &[usize], visits: &[Visit]) -> Vec<Vec<usize>> {
    // Bit 0 is the constant one. What the loop does not change comes first, so that what it does change is said by it.
    let n = kept.len() + 1;
    let mut rows: Vec<(u32, usize)> = Vec::new();
    for (_, v) in visits {
        let bit = |i: usize, c: &usize| ((v[*c] & 1) as u32) << (i + 1);
        let mut row = kept.iter().enumerate().fold(1, |r, (i, c)| r | bit(i, c));
        for (r, p) in &rows {
            if row >> p & 1 == 1 {
                row ^= r;
            }
        }
        if row == 0 {
            continue;
        }
        let p = row.trailing_zeros() as usize;
        for (r, _) in &mut rows {
            if *r >> p & 1 == 1 {
                *r ^= row;
            }
        }
        rows.push((row, p));
    }
    let free = (1..n).filter(|c| rows.iter().all(|(_, p)| p != c));
    free.map(|f| {
        let pivots = rows.iter().filter(|(r, p)| *p > 0 && r >> f & 1 == 1).map(|(_, p)| *p);
        let mut all: Vec<usize> = pivots.chain([f]).map(|i| kept[i - 1]).collect();
        all.sort_unstable();
        all
    })
    .collect()
}

fn summands(columns: &[Column], times: &[i128], sign: i128) -> Vec<Summand> {
    let used = columns.iter().zip(times).filter(|(_, t)| **t != 0);
    used.map(|(c, t)| Summand { source: c.source.clone(), times: (sign * t) as i64, signed: c.signed }).collect()
}

/// A bound that does not come from how large the inputs were.
fn is_natural(d: i128, constants: &BTreeSet<i128>) -> bool {
    d.abs() <= SMALL || constants.range(d.abs() - 1..=d.abs() + 1).next().is_some()
}

fn sum(times: &[(usize, i128)], v: &[i128]) -> i128 {
    times.iter().map(|(c, t)| t.saturating_mul(v[*c])).fold(0i128, i128::saturating_add)
}

/// Facets of the hull of each few columns.
fn inequalities(
    columns: &[Column],
    kept: &[usize],
    visits: &[Visit],
    constants: &BTreeSet<i128>,
    out: &mut Vec<Suggestion>,
) {
    let mut found = 0;
    for size in 2..=MOST_VARIABLES.min(kept.len()) {
        for largest in 1..=2 {
            for chosen in subsets(kept, size) {
                if !chosen.iter().any(|c| columns[*c].changes) {
                    continue;
                }
                for times in coefficients(&chosen, largest) {
                    let most = visits.iter().map(|(_, v)| sum(&times, v)).max().unwrap_or(i128::MAX);
                    if found < MAX_INEQUALITIES && is_natural(most, constants) && is_facet(&times, most, visits) {
                        found += 1;
                        let mut all = vec![0; columns.len()];
                        times.iter().for_each(|(c, t)| all[*c] = *t);
                        out.push(Suggestion::AtMost(summands(columns, &all, 1), most as i64));
                    }
                }
            }
        }
    }
}

/// As many independent visits, of several runs, attain the bound as a facet has.
fn is_facet(times: &[(usize, i128)], most: i128, visits: &[Visit]) -> bool {
    let mut runs = BTreeSet::new();
    let mut points: BTreeSet<Vec<i128>> = BTreeSet::new();
    for (run, v) in visits.iter().filter(|(_, v)| sum(times, v) == most) {
        runs.insert(*run);
        points.insert(times.iter().map(|(c, _)| v[*c]).collect());
    }
    let mut points = points.into_iter();
    let Some(first) = points.next().filter(|_| runs.len() >= ENOUGH_RUNS) else { return false };
    let mut rows: Vec<(usize, Vec<i128>)> = Vec::new();
    for p in points {
        let mut row: Vec<i128> = p.iter().zip(&first).map(|(a, b)| a - b).collect();
        if rows.iter().any(|(p, r)| eliminate(&mut row, r, *p).is_none()) {
            return false;
        }
        if let Some(p) = row.iter().position(|x| *x != 0) {
            rows.push((p, row));
        }
        if rows.len() + 1 >= times.len() {
            return true;
        }
    }
    false
}

/// All subsets of this size.
fn subsets(of: &[usize], size: usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for (i, c) in of.iter().enumerate() {
        let left = of.len() - i;
        let mut next = Vec::new();
        for s in out {
            if s.len() < size {
                let mut with = s.clone();
                with.push(*c);
                next.push(with);
            }
            if s.len() + left > size || s.len() == size {
                next.push(s);
            }
        }
        out = next;
    }
    out.retain(|s| s.len() == size);
    out
}

/// Coefficients for these columns, the greatest of them `largest`, with no common divisor.
fn coefficients(chosen: &[usize], largest: i128) -> Vec<Vec<(usize, i128)>> {
    let mut out: Vec<Vec<(usize, i128)>> = vec![Vec::new()];
    for c in chosen {
        let next = out.iter().flat_map(|t| {
            (1..=largest).flat_map(move |n| {
                [n, -n].map(|n| {
                    let mut with = t.clone();
                    with.push((*c, n));
                    with
                })
            })
        });
        out = next.collect();
    }
    let is = |t: &Vec<(usize, i128)>| {
        t.iter().any(|(_, n)| n.abs() == largest) && t.iter().fold(0, |d, (_, n)| gcd(d, *n)) == 1
    };
    out.retain(is);
    out
}

/// `x - c*y` and `c*y - x`, where the program has `c` and all runs attain the same small bound.
fn scaled(columns: &[Column], kept: &[usize], visits: &[Visit], constants: &BTreeSet<i128>, out: &mut Vec<Suggestion>) {
    let runs: BTreeSet<usize> = visits.iter().map(|(run, _)| *run).collect();
    let mut factors: BTreeSet<i128> = constants.iter().flat_map(|c| [c - 1, *c, c + 1]).collect();
    factors.extend([3, 4, 5, 8, 10, 127, 255]);
    factors.retain(|c| (3..=70_000).contains(c));
    let mut found = 0;
    for x in kept {
        for y in kept.iter().filter(|y| *y != x && (columns[**y].changes || columns[*x].changes)) {
            for sign in [1, -1] {
                // A greater factor says less.
                let holds = factors.iter().find_map(|c| {
                    let times = [(*x, sign), (*y, -sign * c)];
                    let most = visits.iter().map(|(_, v)| sum(&times, v)).max()?;
                    let attained = visits.iter().filter(|(_, v)| sum(&times, v) == most);
                    let attained: BTreeSet<usize> = attained.map(|(run, _)| *run).collect();
                    (most.abs() <= SMALL && attained == runs).then_some((times, most))
                });
                if let Some((times, most)) = holds.filter(|_| found < MAX_SCALED) {
                    found += 1;
                    let mut all = vec![0; columns.len()];
                    times.iter().for_each(|(c, t)| all[*c] = *t);
                    out.push(Suggestion::AtMost(summands(columns, &all, 1), most as i64));
                }
            }
        }
    }
}

/// `x - c*y` and `c*y - x` for what the loop changes, and each `c` of these for which all runs attain the same small bound: which
/// of them lasts is not to be seen in a run.
fn multiples(
    columns: &[Column],
    kept: &[usize],
    visits: &[Visit],
    factors: &BTreeSet<i128>,
    out: &mut Vec<Suggestion>,
) {
    let runs: BTreeSet<usize> = visits.iter().map(|(run, _)| *run).collect();
    let changing = || kept.iter().copied().filter(|c| columns[*c].changes);
    let mut found = 0;
    for (x, y) in changing().flat_map(|x| changing().filter(move |y| *y != x).map(move |y| (x, y))) {
        for (c, sign) in factors.iter().flat_map(|c| [(*c, 1), (*c, -1)]) {
            let times = [(x, sign), (y, -sign * c)];
            let Some(most) = visits.iter().map(|(_, v)| sum(&times, v)).max() else { continue };
            let attained = visits.iter().filter(|(_, v)| sum(&times, v) == most);
            let attained: BTreeSet<usize> = attained.map(|(run, _)| *run).collect();
            if most.abs() > SMALL.max(c) || attained != runs || found >= MAX_MULTIPLES {
                continue;
            }
            let mut all = vec![0; columns.len()];
            times.iter().for_each(|(c, t)| all[*c] = *t);
            let said = Suggestion::AtMost(summands(columns, &all, 1), most as i64);
            if !out.contains(&said) {
                found += 1;
                out.push(said);
            }
        }
    }
}
