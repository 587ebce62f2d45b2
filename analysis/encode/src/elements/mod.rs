//! Rows about the elements that a loop has written: `for all c in [i', i): e(a[c]) <= d`, where `i'` is what `i` was on
//! entry (array cells as in Monniaux and Gonnord, "Cell morphing", SAS 2016). `c` is one free symbol of the formula, so
//! for the search for parameters these are rows like others, about one more number that never changes: what is shown with
//! `c` free is shown for every `c`. Because it is, the row may be assumed of any element: of those that the formula
//! reads ([`Build::finish_elements`]), at each visit, and for what comes after it.
//!
//! Said of elements: that they are defined, bounds of their value, its order beside what they are compared with, that they equal those of another array, or are what the loop has stored there as a function of
//! the index, that they are, or are not, a number, always or while a flag says so; and of all others that they are
//! what they were on entry. The range is that of a variable which the loop uses as an index, or of a pointer that walks
//! through the array, upwards or downwards. Where the loop moves on by several elements (`a[3 * i + 1]`, `i += 2`), rows
//! speak of all, and of those at one distance: of the `n`-th of them, so that showing a row needs no division. Not here: what
//! holds of neighbours (that an array is sorted), sums over elements, matrices whose width is no constant.

mod find;

use crate::build::{Arrival, Build};
use crate::memory::{self, Array};
use crate::sym::NULL;
use crate::template::{Relation, Row, Visit, greatest, steps};
use find::{Compared, Expr, Number, Use, Uses, Widened};
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_facts::LoopId;
use verify_ir::{Body, Ty};
use verify_solver::{Sort, Term};

/// Arrays of one loop that it writes to, and others.
const MAX_ARRAYS: usize = 3;
/// Addresses of one array in one loop.
const MAX_USES: usize = 6;
/// Rows of one loop.
const MAX_ROWS: usize = 40;
/// Places in one array of which rows are assumed.
const MAX_READS: usize = 16;
/// Bytes of an element, at most.
const MAX_ELEMENT: u64 = 8;
/// From one element to the next of which a row speaks, at most.
const MAX_GAP: u64 = 16;
/// Bits of the number of elements with gaps between them of which a row speaks.
const MAX_COUNTED: u32 = 32;

/// What is said of an element.
#[derive(Clone, PartialEq, Debug)]
enum Said {
    /// It may be undefined: 0 or 1.
    Undefined,
    /// Its value, with this sign.
    Value { minus: bool, signed: bool },
    /// It is another than that of this array: 0 or 1.
    Differs(u32),
    /// Of the other elements: it is another than on entry, 0 or 1.
    Changed(Array),
    /// It is more than the number, or (`less`) less, or (`or_equal`) the same.
    Beyond { number: Number, widened: Widened, less: bool, or_equal: bool },
    /// It is the number, or (`not`) is not.
    Equals { number: Number, widened: Widened, not: bool },
    /// It is another than the loop stores there (0 or 1); where the store is.
    NotStored(Expr, [u32; 2]),
}

impl Said {
    fn name(&self) -> &'static str {
        match self {
            Said::Undefined => "undefined",
            Said::Value { minus: false, .. } => "value",
            Said::Value { minus: true, .. } => "-value",
            Said::Differs(_) => "differs",
            Said::Changed(_) => "changed elsewhere",
            Said::Beyond { less: false, or_equal: false, .. } => "more",
            Said::Beyond { less: false, or_equal: true, .. } => "not less",
            Said::Beyond { less: true, or_equal: false, .. } => "less",
            Said::Beyond { less: true, or_equal: true, .. } => "not more",
            Said::Equals { not: false, .. } => "is",
            Said::Equals { not: true, .. } => "is not",
            Said::NotStored(..) => "is not what was stored",
        }
    }

    fn key(&self) -> Vec<u32> {
        let number = |n: &Number| match n {
            Number::Param(i) => [0, *i as u32, 0],
            Number::Fixed(key, _) | Number::At(key, ..) => *key,
        };
        match self {
            Said::Undefined => vec![0, 0],
            Said::Value { minus, signed } => vec![1, u32::from(*minus) + 2 * u32::from(*signed)],
            Said::Differs(o) => vec![2, *o],
            Said::Changed(_) => vec![3, 0],
            Said::Beyond { number: n, widened, less, or_equal } => {
                let way = u32::from(*less) + 2 * u32::from(*or_equal);
                [vec![4, way, *widened as u32], number(n).to_vec()].concat()
            }
            Said::Equals { number: n, widened, not } => {
                [vec![5, u32::from(*not), *widened as u32], number(n).to_vec()].concat()
            }
            Said::NotStored(_, at) => vec![6, at[0], at[1]],
        }
    }
}

/// A row about the elements of an array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ElementRow {
    /// Index in the rows of the formula.
    row: usize,
    object: u32,
    /// Bytes of an element.
    elem: u64,
    /// Number of the parameter that is the index, what it is multiplied by, and the first element.
    index: usize,
    factor: u64,
    first: Term,
    /// The index on entry, as wide as an address.
    start: Term,
    /// The first element is so many behind what the index says, which runs against the elements, or does not.
    base: Option<Term>,
    against: bool,
    /// The elements begin so many behind the first, and end so many behind the index.
    shift: i64,
    /// Only every so many of them, from the first one on: 1 for all. The index moves on by `every / factor` then.
    every: u64,
    /// From the index on, it not included, to the first.
    down: bool,
    said: Said,
    /// Only while this parameter is 0, or is not (`true`).
    flag: Option<(usize, bool)>,
}

/// Which element a parameter of the head stands for: the base, and so many times the parameter more or less.
#[derive(Clone, Copy)]
struct Place {
    object: u32,
    elem: u64,
    index: usize,
    factor: u64,
    base: Option<Term>,
    against: bool,
}

/// Of which element a row is looked at.
#[derive(Clone, Copy)]
enum Which {
    /// Of the number of the formula that never changes: the element itself, or, of rows with gaps, how many of them lie
    /// before it.
    Row(Term),
    /// Of this element, if the row speaks of it.
    Read(Term),
}

/// A visit of a head whose rows are assumed.
pub(crate) struct Seen {
    rows: Rc<Vec<ElementRow>>,
    at: Arrival,
    guard: Term,
    /// Claims and visits before.
    pub(crate) claims: usize,
    pub(crate) visits: usize,
}

impl<'a> Build<'_, 'a> {
    /// The rows of a loop about elements of the arrays that it writes to, or compares.
    pub(crate) fn element_rows(
        &mut self,
        body: &'a Body,
        l: LoopId,
        entry: &Arrival,
        start: &Arrival,
        limit: usize,
    ) -> Vec<ElementRow> {
        let cfg = self.frame().cfg.clone();
        let header = cfg.loops.get(l).header;
        let mut written: Vec<(u32, u64)> = Vec::new();
        let mut others: Vec<(u32, u64)> = Vec::new();
        for (o, s) in start.path.memory.iter() {
            let Some(a) = s.array.filter(|a| a.elem <= MAX_ELEMENT) else { continue };
            let module = self.e.module;
            let before = entry.path.memory.get(&mut self.e.terms, module, o).array;
            if before == Some(a) { others.push((o, a.elem)) } else { written.push((o, a.elem)) }
        }
        let mut out = Vec::new();
        if written.is_empty() && others.is_empty() {
            return out;
        }
        let (uses, steps) = (self.array_uses(body, l, entry, start), steps(body, l, &cfg.loops));
        written.truncate(MAX_ARRAYS);
        let read = |o: &(u32, u64)| uses.all.iter().any(|u| u.object == Some(o.0) || u.object.is_none());
        others.retain(read);
        others.truncate(MAX_ARRAYS);
        let arrays: Vec<(u32, u64)> = written.iter().chain(&others).copied().collect();
        let mut keys = BTreeSet::new();
        for &(object, elem) in &arrays {
            let mine = uses.all.iter().filter(|u| u.object.is_none_or(|o| o == object));
            for u in mine.take(MAX_USES) {
                let v = body.block(header).params[u.index];
                if start.args.get(u.index) == entry.args.get(u.index) || u.ahead % elem as i64 != 0 {
                    continue;
                }
                let pointer = body.ty(v) == Ty::Ptr;
                let factor = if pointer { 1 } else { (u.stride / elem).max(1) };
                // With a base, elements are what was counted in.
                if u.base.is_some_and(|b| b.1 != elem) {
                    continue;
                }
                let place =
                    Place { object, elem, index: u.index, factor, base: u.base.map(|b| b.0), against: u.against };
                let Some(first) = self.element_index(entry, place) else { continue };
                let plain = Place { factor: 1, base: None, against: false, ..place };
                let Some(begin) = self.element_index(entry, plain) else { continue };
                let signs = steps.get(&u.index);
                let step = find::step(body, l, &cfg, u.index).map_or(1, |s| s.unsigned_abs().max(1));
                let every = if pointer { 1 } else { factor.saturating_mul(step) };
                // Where in the stride the elements of several addresses begin.
                let of_stride = |o: &&Use| Use { ahead: u.ahead, ..**o } == *u;
                let ahead = uses.all.iter().filter(of_stride).map(|o| o.ahead.div_euclid(elem as i64));
                let least = ahead.min().unwrap_or(0);
                let shift = u.ahead / elem as i64;
                let said = self.said_of(entry, object, elem, u, &uses, &arrays, written.contains(&(object, elem)));
                for down in [false, true] {
                    if !pointer && signs.is_some_and(|s| s.iter().all(|n| (*n > 0) == (down != u.against))) {
                        continue;
                    }
                    let r = ElementRow {
                        row: 0,
                        object,
                        elem,
                        index: u.index,
                        factor,
                        first,
                        start: begin,
                        base: place.base,
                        against: place.against,
                        shift,
                        every,
                        down,
                        said: Said::Undefined,
                        flag: None,
                    };
                    for (said, flag) in said.iter().cloned() {
                        // Of those with gaps between them, and of all.
                        let others = matches!(said, Said::Changed(_));
                        let stored = matches!(said, Said::NotStored(..));
                        let simple = !down && !u.within && u.base.is_none() && !u.against;
                        let gaps = every > 1 && every <= MAX_GAP && simple && (!others || every.is_power_of_two());
                        let with_gaps = gaps.then(|| ElementRow { said: said.clone(), flag, ..r.clone() });
                        let all = (every == 1 && !u.within) || !stored;
                        let shift = if every > 1 { least } else { shift };
                        let of_all = all.then(|| ElementRow { said, flag, every: 1, shift, ..r.clone() });
                        // What a loop within subtracts.
                        let lower = of_all.clone().filter(|_| u.within);
                        let less = i64::try_from(factor).unwrap_or(0);
                        let lower = lower.map(|r| ElementRow { shift: shift.saturating_sub(less), ..r });
                        for r in with_gaps.into_iter().chain(of_all).chain(lower) {
                            if out.len() < MAX_ROWS.min(limit) && keys.insert(self.element_key(header, &r)) {
                                out.extend(self.element_row(body, header, start, r));
                            }
                        }
                    }
                }
            }
        }
        out
    }

    /// What may be said of the elements of an array under an index, and while which flag.
    #[allow(clippy::too_many_arguments)]
    fn said_of(
        &mut self,
        entry: &Arrival,
        object: u32,
        elem: u64,
        u: &Use,
        uses: &Uses,
        arrays: &[(u32, u64)],
        written: bool,
    ) -> Vec<(Said, Option<(usize, bool)>)> {
        let mut said = Vec::new();
        if written {
            said.push(Said::Undefined);
            let stored = uses.stores.iter().filter(|s| s.0 == *u);
            said.extend(stored.map(|s| Said::NotStored(s.1.clone(), s.2)));
            said.extend([false, true].map(|minus| Said::Value { minus, signed: true }));
            if elem == 1 {
                said.extend([false, true].map(|minus| Said::Value { minus, signed: false }));
            }
            let same = arrays.iter().filter(|(o, n)| *o != object && *n == elem);
            said.extend(same.map(|(o, _)| Said::Differs(*o)));
            said.extend(self.array_at(entry, object, elem).map(Said::Changed));
        }
        let mut out: Vec<_> = said.into_iter().map(|s| (s, None)).collect();
        let flags = || {
            let each = uses.flags.iter().flat_map(|f| [false, true].map(|set| Some((*f, set))));
            std::iter::once(None).chain(each)
        };
        for c in &uses.compared {
            match c {
                Compared::Equal(with, number, widened) if with == u => {
                    let (number, widened) = (number.clone(), *widened);
                    let both = |flag| equals(&number, widened).map(|said| (said, flag));
                    out.extend(flags().flat_map(both));
                }
                // Of what is written, bounds are rows of their own.
                Compared::Ordered(with, number, widened)
                    if with == u && !(written && matches!(number, Number::Fixed([2, ..], _))) =>
                {
                    out.extend(ordered(number, *widened));
                }
                Compared::Other(number, widened) if written && u.stride == elem => {
                    out.extend(ordered(number, *widened));
                }
                Compared::OtherEqual(number, widened) if written => {
                    out.push((Said::Equals { number: number.clone(), widened: *widened, not: true }, None));
                }
                Compared::Elements(a, b) if a == u || b == u => {
                    let other = if a == u { b.object } else { a.object };
                    let other = other.filter(|o| arrays.contains(&(*o, elem)) && *o != object);
                    let unless = |o| flags().map(move |flag| (Said::Differs(o), flag));
                    out.extend(other.into_iter().flat_map(unless).filter(|s| !written || s.1.is_some()));
                }
                _ => {}
            }
        }
        for g in uses.goals.iter().filter(|g| written && (g.object, g.stride) == (object, elem)) {
            match (g.equal, &g.number) {
                (true, _) => out.extend(equals(&g.number, g.widened).map(|said| (said, None))),
                // Bounds are rows of their own.
                (false, Number::Fixed([2, ..], _)) => {}
                (false, _) => out.extend(ordered(&g.number, g.widened)),
            }
        }
        out
    }

    /// Registers the row, if it has a value.
    fn element_row(
        &mut self,
        body: &Body,
        header: verify_ir::Block,
        start: &Arrival,
        mut r: ElementRow,
    ) -> Option<ElementRow> {
        let c = self.any_element();
        let (width, most) = match &r.said {
            Said::Value { minus, signed } => {
                let w = (8 * r.elem) as u32;
                (w + 2, greatest(w, *signed, *minus))
            }
            _ => (2, 1),
        };
        self.element_value(&r, width, Which::Row(c), start)?;
        let key = self.element_key(header, &r);
        let bound = self.t().symbol(&key, Sort::Bv(width));
        let known = self.out.rows.iter().position(|x| x.bound == bound);
        r.row = known.unwrap_or_else(|| {
            let way = if r.down { "down to" } else { "up to" };
            let index = body.block(header).params[r.index];
            let gaps = if r.every > 1 { format!(" by {} from {}", r.every, r.shift) } else { String::new() };
            let what = format!("m{}[{way} {index:?}{gaps}] {}", r.object, r.said.name());
            let (relation, likely) = (Relation::AtMost, vec![-1, 0, 1]);
            self.out.rows.push(Row {
                bound,
                width,
                most,
                likely,
                relation,
                suggested: false,
                by_case: false,
                elements: true,
                what,
                named: None,
            });
            self.out.rows.len() - 1
        });
        Some(r)
    }

    /// What the row is known by.
    fn element_key(&self, header: verify_ir::Block, r: &ElementRow) -> Vec<u32> {
        let way = u32::from(r.down) + 2 * u32::from(r.against);
        let index = [r.index as u32, r.factor as u32, r.every as u32, r.shift as u32, way];
        let base = r.base.map_or(0, |t| t.0 + 1);
        let flag = r.flag.map_or([0, 0], |(i, set)| [1 + u32::from(set), i as u32]);
        let mut key = vec![48, header.0, r.object, r.elem as u32];
        key.extend(index.into_iter().chain([base]).chain(flag).chain(r.said.key()));
        key.extend(self.place());
        key
    }

    /// A number that elements are compared with.
    fn compared_with(&mut self, n: &Number, at: &Arrival, element: Term, index: Term) -> Option<Term> {
        Some(match n {
            Number::Param(i) => at.args.get(*i)?.bits,
            Number::Fixed(_, t) => *t,
            Number::At(_, e, None) => self.expr_at(e, index),
            Number::At(_, e, Some(ahead)) => {
                let w = self.e.terms.ptr_bits;
                let ahead = self.e.terms.pool.num(w, *ahead as u128 & (u128::MAX >> (128 - w)));
                let i = self.e.terms.pool.sub(element, ahead);
                self.expr_at(e, i)
            }
        })
    }

    /// The element that rows are shown of.
    fn any_element(&mut self) -> Term {
        let w = self.e.terms.ptr_bits;
        self.t().symbol(&[47], Sort::Bv(w))
    }

    /// Which element of the object the variable stands for.
    fn element_index(&mut self, at: &Arrival, place: Place) -> Option<Term> {
        let Place { object, elem, index, factor, base, against } = place;
        let s = *at.args.get(index)?;
        let w = self.e.terms.ptr_bits;
        let one = self.e.terms.pool.as_const(s.prov).and_then(|v| v.to_u64())? as u32;
        let pool = &mut self.e.terms.pool;
        if one == object {
            let k = pool.num(w, u128::from(elem.trailing_zeros()));
            return Some(pool.lshr(s.bits, k));
        }
        if one != NULL {
            return None;
        }
        // What addresses are made of.
        let wide = pool.resize_signed(s.bits, w);
        let k = pool.num(w, u128::from(factor));
        let by = if factor == 1 { wide } else { pool.mul(wide, k) };
        let zero = pool.num(w, 0);
        let base = base.unwrap_or(zero);
        Some(if against { pool.sub(base, by) } else { pool.add(base, by) })
    }

    fn array_at(&mut self, at: &Arrival, object: u32, elem: u64) -> Option<Array> {
        let module = self.e.module;
        let s = at.path.memory.get(&mut self.e.terms, module, object);
        match s.array {
            Some(a) => (a.elem == elem).then_some(a),
            None => Some(memory::as_array(&mut self.e.terms, module, object, &s, elem)),
        }
    }

    /// The element that is meant, the index of the loop that stands for it, and when it is one that the row speaks of.
    fn element_meant(&mut self, r: &ElementRow, which: Which) -> (Term, Term, Term) {
        let (w, tt) = (self.e.terms.ptr_bits, self.tt);
        let pool = &mut self.e.terms.pool;
        let shift = pool.num(w, r.shift as u128 & (u128::MAX >> (128 - w)));
        let begin = pool.add(r.first, shift);
        // Bits of the number of an element: no product wraps around.
        let counted = MAX_COUNTED.min(w - 1 - r.every.next_power_of_two().trailing_zeros());
        match which {
            Which::Row(c) | Which::Read(c) if r.every == 1 => {
                let from = pool.sub(c, shift);
                let zero = pool.num(w, 0);
                let base = r.base.unwrap_or(zero);
                (c, if r.against { pool.sub(base, from) } else { pool.sub(from, base) }, tt)
            }
            Which::Row(c) => {
                let low = pool.extract(c, counted - 1, 0);
                let n = pool.zext(low, w);
                let (every, step) = (pool.num(w, r.every.into()), pool.num(w, (r.every / r.factor).into()));
                let (by, moved) = (pool.mul(n, every), pool.mul(n, step));
                (pool.add(begin, by), pool.add(r.start, moved), tt)
            }
            Which::Read(i) => {
                let (every, step) = (pool.num(w, r.every.into()), pool.num(w, (r.every / r.factor).into()));
                let (from, zero) = (pool.sub(i, begin), pool.num(w, 0));
                let (n, rest) = (pool.udiv(from, every), pool.urem(from, every));
                let moved = pool.mul(n, step);
                let low = pool.extract(n, counted - 1, 0);
                let low = pool.zext(low, w);
                let (exact, few) = (pool.eq(rest, zero), pool.eq(low, n));
                (i, pool.add(r.start, moved), pool.and(exact, few))
            }
        }
    }

    /// What the row says of an element.
    fn element_value(&mut self, r: &ElementRow, width: u32, which: Which, at: &Arrival) -> Option<Term> {
        let which = match (which, &r.said) {
            // Of all that the row does not speak of.
            (Which::Row(c), Said::Changed(_)) => Which::Read(c),
            (w, _) => w,
        };
        let (c, i, meant) = self.element_meant(r, which);
        let a = self.array_at(at, r.object, r.elem)?;
        let other = match r.said {
            Said::Differs(o) => Some(self.array_at(at, o, r.elem)?),
            _ => None,
        };
        let number = match &r.said {
            Said::Beyond { number: n, .. } | Said::Equals { number: n, .. } => Some(self.compared_with(n, at, c, i)?),
            _ => None,
        };
        let stored = match &r.said {
            Said::NotStored(e, _) => Some(self.expr_at(e, i)),
            _ => None,
        };
        let flag = match r.flag {
            Some((i, set)) => Some((at.args.get(i)?.bits, set)),
            None => None,
        };
        // With gaps between them, the index is compared instead of the element: no product then.
        let gaps = r.every > 1;
        let factor = if gaps { 1 } else { r.factor };
        let (base, against) = (r.base, r.against);
        let place = Place { object: r.object, elem: r.elem, index: r.index, factor, base, against };
        let x = self.element_index(at, place)?;
        let pool = &mut self.e.terms.pool;
        let w = pool.width(x);
        let k = pool.num(w, if gaps { 0 } else { r.shift as u128 & (u128::MAX >> (128 - w)) });
        let (x, first) = (pool.add(x, k), pool.add(if gaps { r.start } else { r.first }, k));
        let element = if gaps { i } else { c };
        // An index that counts down ends at -1.
        let inside = match r.down {
            false => (pool.sle(first, element), pool.slt(element, x)),
            true => (pool.slt(x, element), pool.sle(element, first)),
        };
        let mut inside = pool.and(inside.0, inside.1);
        inside = pool.and(inside, meant);
        if let Some((t, set)) = flag {
            let width = pool.width(t);
            let zero = pool.num(width, 0);
            let is = pool.eq(t, zero);
            let asked = if set { pool.not(is) } else { is };
            inside = pool.and(inside, asked);
        }
        if let Some(e) = stored {
            let v = pool.select(a.bits, c);
            let same = pool.eq(v, e);
            let other = pool.not(same);
            let other = pool.and(inside, other);
            return Some(pool.zext(other, width));
        }
        if let (Some(n), Said::Beyond { widened, .. } | Said::Equals { widened, .. }) = (number, &r.said) {
            let v = pool.select(a.bits, c);
            // The element is widened, never the number.
            let wide = pool.width(n);
            let v = match widened {
                Widened::Signed => pool.resize_signed(v, wide),
                Widened::Unsigned => pool.resize_unsigned(v, wide),
            };
            let less = |pool: &mut verify_solver::Pool, x, y| match widened {
                Widened::Signed => pool.slt(x, y),
                Widened::Unsigned => pool.ult(x, y),
            };
            let is = match r.said {
                Said::Beyond { less: false, or_equal: false, .. } => less(pool, n, v),
                Said::Beyond { less: true, or_equal: false, .. } => less(pool, v, n),
                Said::Beyond { less: false, or_equal: true, .. } => {
                    let below = less(pool, v, n);
                    pool.not(below)
                }
                Said::Beyond { less: true, or_equal: true, .. } => {
                    let above = less(pool, n, v);
                    pool.not(above)
                }
                _ => pool.eq(v, n),
            };
            let kept = if matches!(r.said, Said::Equals { not: true, .. }) { pool.not(is) } else { is };
            let other = pool.not(kept);
            let bad = pool.and(inside, other);
            return Some(pool.zext(bad, width));
        }
        Some(match (&r.said, other) {
            (Said::Undefined, _) => {
                let u = pool.select(a.undef, c);
                let u = pool.and(inside, u);
                pool.zext(u, width)
            }
            (Said::Differs(_), None) => return None,
            (Said::Differs(_), Some(b)) => {
                let (x, y) = (pool.select(a.bits, c), pool.select(b.bits, c));
                let same = pool.eq(x, y);
                let differs = pool.not(same);
                let differs = pool.and(inside, differs);
                pool.zext(differs, width)
            }
            (Said::Changed(was), _) => {
                let (x, y) = (pool.select(a.bits, c), pool.select(was.bits, c));
                let (u, v) = (pool.select(a.undef, c), pool.select(was.undef, c));
                let (bits, undef) = (pool.eq(x, y), pool.eq(u, v));
                let same = pool.and(bits, undef);
                let kept = pool.or(inside, same);
                let changed = pool.not(kept);
                pool.zext(changed, width)
            }
            (Said::Value { minus, signed }, _) => {
                let v = pool.select(a.bits, c);
                let v = if *signed { pool.sext(v, width) } else { pool.zext(v, width) };
                let v = if *minus { pool.neg(v) } else { v };
                // Below every value.
                let least = pool.num(width, 0b11 << (width - 2));
                pool.ite(inside, v, least)
            }
            (Said::Beyond { .. } | Said::Equals { .. } | Said::NotStored(..), _) => return None,
        })
    }

    /// Control is at the head, as [`Build::visit`] says; conditions that hold where the rows do.
    pub(crate) fn visit_elements(&mut self, rows: &[ElementRow], at: &Arrival, reached: Term) -> Vec<Term> {
        let c = self.any_element();
        let mut hold = Vec::new();
        for r in rows {
            let width = self.out.rows[r.row].width;
            let value = self.element_value(r, width, Which::Row(c), at).map(|v| {
                let kept = self.out.rows[r.row].at_most(&mut self.e.terms.pool, v);
                hold.push(kept);
                (v, kept)
            });
            self.out.visits.push(Visit { row: r.row, reached, value });
        }
        hold
    }

    /// The rows are assumed from here on where `guard` holds.
    pub(crate) fn rely_on_elements(&mut self, rows: &Rc<Vec<ElementRow>>, at: &Arrival, guard: Term) {
        if rows.is_empty() || self.never(guard) {
            return;
        }
        let (claims, visits) = (self.out.claims.len(), self.out.visits.len());
        self.seen.push(Seen { rows: rows.clone(), at: at.clone(), guard, claims, visits });
    }

    /// An element of an object in array form is read.
    pub(crate) fn element_read(&mut self, object: u32, elem: u64, offset: Term) {
        if self.dry > 0 {
            return;
        }
        let i = memory::index(&mut self.e.terms, offset, elem);
        let all = self.elements_read.entry((object, elem)).or_default();
        if all.len() < MAX_READS && !all.contains(&i) {
            all.push(i);
        }
    }

    /// Assumes the rows of what is read anywhere, at each visit, for the claims and visits that come after it.
    pub(crate) fn finish_elements(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        let mut read = std::mem::take(&mut self.elements_read);
        // What is known of an element may speak of others.
        for r in seen.iter().flat_map(|s| s.rows.iter()) {
            let Said::NotStored(e, _) = &r.said else { continue };
            let mut more = Vec::new();
            for &i in read.get(&(r.object, r.elem)).into_iter().flatten() {
                let (_, i, _) = self.element_meant(r, Which::Read(i));
                self.read_by(e, i, &mut more);
            }
            for (object, elem, i) in more {
                let all = read.entry((object, elem)).or_default();
                if all.len() < MAX_READS && !all.contains(&i) {
                    all.push(i);
                }
            }
        }
        let mut known = self.tt;
        let mut from: Vec<(usize, usize, Term)> = Vec::new();
        for s in &seen {
            for r in s.rows.iter() {
                for &i in read.get(&(r.object, r.elem)).into_iter().flatten() {
                    let width = self.out.rows[r.row].width;
                    let Some(v) = self.element_value(r, width, Which::Read(i), &s.at) else { continue };
                    let kept = self.out.rows[r.row].at_most(&mut self.e.terms.pool, v);
                    let kept = self.e.terms.pool.implies(s.guard, kept);
                    known = self.e.terms.pool.and(known, kept);
                }
            }
            from.push((s.claims, s.visits, known));
        }
        let mut out = std::mem::take(&mut self.out);
        let pool = &mut self.e.terms.pool;
        for (i, c) in out.claims.iter_mut().enumerate() {
            if let Some((.., k)) = from.iter().rev().find(|(claims, ..)| *claims <= i) {
                c.fails = pool.and(c.fails, *k);
            }
        }
        for (i, v) in out.visits.iter_mut().enumerate() {
            if let Some((.., k)) = from.iter().rev().find(|(_, visits, _)| *visits <= i) {
                v.reached = pool.and(v.reached, *k);
            }
        }
        self.out = out;
    }
}

/// That an element is less, more, or not so.
fn ordered(number: &Number, widened: Widened) -> [(Said, Option<(usize, bool)>); 4] {
    [(false, false), (true, false), (false, true), (true, true)]
        .map(|(less, or_equal)| (Said::Beyond { number: number.clone(), widened, less, or_equal }, None))
}

/// That an element is the number, or is not.
fn equals(number: &Number, widened: Widened) -> [Said; 2] {
    [false, true].map(|not| Said::Equals { number: number.clone(), widened, not })
}
