//! Rows as C expressions. Both bounds of a variable are one expression; what single bounds say already of a pair is
//! left out; no expression overflows: sums and differences are of a wider type.

use super::Expression;
use super::names::{Named, Names};
use std::collections::BTreeMap;
use verify_facts::invariant::{Part, Row, Variable};

/// Distances up to this are always shown.
const NEAR: i128 = 2;
/// Others only where they say this much more than the bounds of the two variables.
const SLACK: i128 = 16;

/// The bounds of one variable, read one way.
#[derive(Clone, Copy, Default)]
struct Bounds {
    least: Option<i128>,
    most: Option<i128>,
}

/// The expressions of the rows, and how many rows nothing has a name for.
pub(super) fn expressions(names: &Names<'_>, rows: &[Row]) -> (Vec<Expression>, usize) {
    let (rows, alternatives): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.or.is_empty());
    let mut single: BTreeMap<(Variable, bool), Bounds> = BTreeMap::new();
    for r in &rows {
        let [p] = r.parts.as_slice() else { continue };
        let b = single.entry((p.variable, p.signed)).or_default();
        if p.minus {
            b.least = Some(b.least.map_or(-r.at_most, |l| l.max(-r.at_most)));
        } else {
            b.most = Some(b.most.map_or(r.at_most, |m| m.min(r.at_most)));
        }
    }
    let (mut out, mut unnamed) = (Vec::new(), 0);
    // Control never gets there: every row holds, and one that nothing keeps to is among them.
    if single.iter().any(|(_, b)| b.least.zip(b.most).is_some_and(|(l, m)| l > m)) {
        return (vec![Expression { text: "0".into(), c: Some("0".into()), in_scope: true }], 0);
    }
    let mut push = |text: Option<Expression>, rows: usize| match text {
        Some(e) if !out.contains(&e) => out.push(e),
        Some(_) => {}
        None => unnamed += rows,
    };
    for ((v, signed), b) in &single {
        let Some(n) = names.of(*v, *signed) else {
            push(None, usize::from(b.least.is_some()) + usize::from(b.most.is_some()));
            continue;
        };
        // Read the other way round, the same bounds may be there; what the type says anyway is left out.
        let (low, high) = range(n.bits, *signed);
        let b = Bounds { least: b.least.filter(|l| *l > low), most: b.most.filter(|m| *m < high) };
        // Read as C reads it, the variable says as much already.
        let natural = single.get(&(*v, n.signed)).copied().unwrap_or_default();
        let least = if n.signed { natural.least } else { Some(natural.least.unwrap_or(0)) };
        if let (true, Some(l), Some(m)) = (*signed != n.signed, least, natural.most)
            && l >= 0
            && m <= range(n.bits, true).1
            && b.least.is_none_or(|x| x <= l)
            && b.most.is_none_or(|x| m <= x)
        {
            continue;
        }
        // What is not negative is the same number either way.
        let (signed, b) = match (n.signed, b.least) {
            (false, Some(l)) if *signed && l >= 0 => (false, Bounds { least: Some(l).filter(|l| *l > 0), ..b }),
            _ => (*signed, b),
        };
        if let Some(e) = bounded(&n, signed, b) {
            push(Some(e), 0);
        }
    }
    let mut pairs: BTreeMap<(Part, Part), Bounds> = BTreeMap::new();
    for r in &rows {
        let [a, b] = r.parts.as_slice() else { continue };
        if a.times != 1 || b.times != 1 {
            continue;
        }
        let of = |p: &Part| single.get(&(p.variable, p.signed)).copied().unwrap_or_default();
        let most = |p: &Part| if p.minus { of(p).least.map(|l| -l) } else { of(p).most };
        // Far from what is compared, one less than what the bounds say of the pair is not worth a line.
        let slack = if r.at_most.abs() <= NEAR { 0 } else { SLACK };
        if most(a).zip(most(b)).is_some_and(|(x, y)| x + y <= r.at_most + slack) {
            continue;
        }
        // Nor is a distance of half of what the type holds.
        let bits = names.of(a.variable, a.signed).map_or(64, |n| n.bits);
        if r.at_most.abs() >= 1 << (bits - 2) {
            continue;
        }
        // Of `a - b` and `b - a`, and of `a + b` and `-a - b`, the form with `a` first counts.
        let (mut x, mut y) = (*a, *b);
        let minus = x.minus;
        if minus {
            (x.minus, y.minus) = (false, !y.minus);
        }
        let e = pairs.entry((x, y)).or_default();
        if minus {
            e.least = Some(e.least.map_or(-r.at_most, |l| l.max(-r.at_most)));
        } else {
            e.most = Some(e.most.map_or(r.at_most, |m| m.min(r.at_most)));
        }
    }
    for ((a, b), bounds) in &pairs {
        let named = names.of(a.variable, a.signed).zip(names.of(b.variable, b.signed));
        let rows = usize::from(bounds.least.is_some()) + usize::from(bounds.most.is_some());
        let plain = |p: &Part| single.get(&(p.variable, p.signed)).is_some_and(|b| b.least.is_some_and(|l| l >= 0));
        push(named.map(|(x, y)| related((&x, a, plain(a)), (&y, b, plain(b)), *bounds)), rows);
    }
    for r in rows.iter().filter(|r| r.parts.len() > 2 || r.parts.iter().any(|p| p.times != 1)) {
        let named: Option<Vec<(Named, &Part)>> =
            r.parts.iter().map(|p| Some((names.of(p.variable, p.signed)?, p))).collect();
        push(named.map(|n| linear(&n, r.at_most)), 1);
    }
    for r in alternatives {
        push(one_of(names, r), 1);
    }
    (out, unnamed)
}

/// `x <= 3 || y != 0`, of rows about one variable each.
fn one_of(names: &Names<'_>, row: &Row) -> Option<Expression> {
    let mut bounds: BTreeMap<(Variable, bool), Bounds> = BTreeMap::new();
    for r in std::iter::once(row).chain(&row.or) {
        let [p] = r.parts.as_slice() else { return None };
        let b = bounds.entry((p.variable, p.signed)).or_default();
        // The weakest: one of them is enough.
        if p.minus {
            b.least = Some(b.least.map_or(-r.at_most, |l| l.min(-r.at_most)));
        } else {
            b.most = Some(b.most.map_or(r.at_most, |m| m.max(r.at_most)));
        }
    }
    let mut all: Vec<Expression> = Vec::new();
    for ((v, signed), b) in bounds {
        let n = names.of(v, signed)?;
        match (b.least, b.most) {
            (Some(l), Some(m)) if l == m + 2 => {
                let not = bounded(&n, signed, Bounds { least: Some(m + 1), most: Some(m + 1) })?;
                let other = |t: String| t.replacen("==", "!=", 1);
                all.push(Expression { text: other(not.text), c: not.c.map(other), ..not });
            }
            (least, most) => {
                let sides = [Bounds { least, most: None }, Bounds { least: None, most }];
                all.extend(sides.into_iter().filter_map(|b| bounded(&n, signed, b)));
            }
        }
    }
    let c: Option<Vec<String>> = all.iter().map(|e| e.c.clone()).collect();
    Some(Expression {
        text: all.iter().map(|e| e.text.as_str()).collect::<Vec<_>>().join(" || "),
        c: c.map(|c| c.join(" || ")),
        in_scope: all.iter().all(|e| e.in_scope),
    })
}

/// `2*x - y <= d`.
fn linear(parts: &[(Named, &Part)], at_most: i128) -> Expression {
    let bits = parts.iter().map(|(n, _)| n.bits).max().unwrap_or(64);
    let weight: u64 = parts.iter().map(|(_, p)| u64::from(p.times)).sum();
    // A sum of numbers of 32 bits that counts each less than 2^30 times has room in 64.
    let ty = if bits < 64 && weight < 1 << 30 { "long long" } else { "__int128" };
    let mut text = String::new();
    let mut c = String::new();
    for (i, (n, p)) in parts.iter().enumerate() {
        let sign = match (i, p.minus) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let times = if p.times == 1 { String::new() } else { format!("{}*", p.times) };
        text += &format!("{sign}{times}{}", read(n, p.signed));
        c += &format!("{sign}{times}({ty}){}", read(n, p.signed));
    }
    // C has no literal for what does not fit 64 bits.
    let written = parts.iter().all(|(n, _)| n.c) && i64::try_from(at_most).is_ok();
    let c = written.then(|| format!("{c} <= {}", number(at_most, true, 64)));
    let in_scope = parts.iter().all(|(n, _)| n.in_scope);
    Expression { text: format!("{text} <= {at_most}"), c, in_scope }
}

fn range(bits: u32, signed: bool) -> (i128, i128) {
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The variable, read as the row reads it.
fn read(n: &Named, signed: bool) -> String {
    if n.signed == signed || !n.c {
        return n.text.clone();
    }
    let ty = match n.bits {
        8 => "char",
        16 => "short",
        32 => "int",
        _ => "long long",
    };
    format!("({} {ty}){}", if signed { "signed" } else { "unsigned" }, n.text)
}

/// A constant as C reads it: what no `int` holds has a suffix.
fn number(v: i128, signed: bool, bits: u32) -> String {
    let small = i128::from(i32::MIN) < v && v <= i128::from(i32::MAX);
    match (small, signed) {
        (true, _) => v.to_string(),
        (false, false) if bits <= 32 => format!("{v}U"),
        (false, false) => format!("{v}ULL"),
        // The least number of a type has no literal of its own.
        (false, true) if v <= i128::from(i64::MIN) => "(-9223372036854775807LL - 1)".into(),
        (false, true) if v > i128::from(i64::MAX) => format!("{v}ULL"),
        (false, true) => format!("{v}LL"),
    }
}

fn bounded(n: &Named, signed: bool, b: Bounds) -> Option<Expression> {
    let of = |text: &str, lit: &dyn Fn(i128) -> String| match (b.least, b.most) {
        (Some(l), Some(m)) if l == m => Some(format!("{text} == {}", lit(l))),
        (Some(l), Some(m)) => Some(format!("{} <= {text} && {text} <= {}", lit(l), lit(m))),
        (Some(l), None) => Some(format!("{} <= {text}", lit(l))),
        (None, Some(m)) => Some(format!("{text} <= {}", lit(m))),
        (None, None) => None,
    };
    let c = n.c.then(|| of(&read(n, signed), &|v| number(v, signed, n.bits))).flatten();
    Some(Expression { text: of(&read(n, signed), &|v| v.to_string())?, c, in_scope: n.in_scope })
}

/// `x + y` or `x - y` between bounds; of each, whether it is known not to be negative.
fn related(
    (x, a, plain_x): (&Named, &Part, bool),
    (y, b, plain_y): (&Named, &Part, bool),
    bounds: Bounds,
) -> Expression {
    let (s, t) = (read(x, a.signed), read(y, b.signed));
    let human = |n: &Named, p: &Part, plain: bool| if plain { n.text.clone() } else { read(n, p.signed) };
    let (hs, ht) = (human(x, a, plain_x), human(y, b, plain_y));
    let of = |s: &str, t: &str| match b.minus {
        true => difference(s, t, bounds),
        false => between(&format!("{s} + {t}"), bounds, &|v| v.to_string()),
    };
    let text = of(&hs, &ht);
    let bits = x.bits.max(y.bits);
    let ty = if bits < 64 { "long long" } else { "__int128" };
    let sum = format!("({ty}){s} {} ({ty}){t}", if b.minus { "-" } else { "+" });
    // Read alike, they are compared as they are; small types become `int`.
    let alike = a.signed == b.signed || (x.bits < 32 && y.bits < 32);
    let simple = [bounds.least, bounds.most].into_iter().flatten().all(|k| k == 0);
    let c = (x.c && y.c)
        .then(|| if b.minus && alike && simple { of(&s, &t) } else { between(&sum, bounds, &|v| number(v, true, 64)) });
    Expression { text, c, in_scope: x.in_scope && y.in_scope }
}

fn between(sum: &str, b: Bounds, lit: &dyn Fn(i128) -> String) -> String {
    match (b.least, b.most) {
        (Some(l), Some(m)) if l == m => format!("{sum} == {}", lit(l)),
        (Some(l), Some(m)) => format!("{} <= {sum} && {sum} <= {}", lit(l), lit(m)),
        (Some(l), None) => format!("{} <= {sum}", lit(l)),
        (None, Some(m)) => format!("{sum} <= {}", lit(m)),
        (None, None) => "1".into(),
    }
}

/// `s - t` between bounds, as people write it.
fn difference(s: &str, t: &str, b: Bounds) -> String {
    let plus = |x: &str, k: i128| match k {
        0 => x.to_string(),
        k if k > 0 => format!("{x} + {k}"),
        k => format!("{x} - {}", -k),
    };
    let mut all = Vec::new();
    match (b.least, b.most) {
        (Some(l), Some(m)) if l == m => all.push(format!("{s} == {}", plus(t, l))),
        (least, most) => {
            match least {
                Some(1) => all.push(format!("{t} < {s}")),
                Some(l) => all.push(format!("{} <= {s}", plus(t, l))),
                None => {}
            }
            match most {
                Some(-1) => all.push(format!("{s} < {t}")),
                Some(m) => all.push(format!("{s} <= {}", plus(t, m))),
                None => {}
            }
        }
    }
    all.join(" && ")
}
