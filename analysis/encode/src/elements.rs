//! Rows about the elements that a loop has written: `for all c in [i', i): e(a[c]) <= d`, where `i'` is what `i` was on
//! entry (array cells as in Monniaux and Gonnord, "Cell morphing", SAS 2016). `c` is one free symbol of the formula, so
//! for the search for parameters these are rows like others, about one more number that never changes: what is shown with
//! `c` free is shown for every `c`. Because it is, the row may be assumed of any element: of those that the formula
//! reads ([`Build::finish_elements`]), at each visit, and for what comes after it.
//!
//! Said of elements: that they are defined, bounds of their value, and that they equal those of another array; and of all
//! others that they are what they were on entry. The range
//! is that of a variable which the loop uses as an index, or of a pointer that walks through the array, upwards or
//! downwards. Not here: elements that only some iterations write, and steps that leave gaps.

use crate::build::{Arrival, Build};
use crate::cfg::Cfg;
use crate::memory::{self, Array};
use crate::sym::NULL;
use crate::template::{Relation, Row, Visit, greatest, made_in, root, steps};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_facts::LoopId;
use verify_ir::{Body, InstKind, Step, Ty};
use verify_solver::{Sort, Term};

/// Arrays of one loop.
const MAX_ARRAYS: usize = 3;
/// Variables of one loop that are taken for indices.
const MAX_INDICES: usize = 3;
/// Rows of one loop.
const MAX_ROWS: usize = 24;
/// Places in one array of which rows are assumed.
const MAX_READS: usize = 16;
/// Bytes of an element, at most.
const MAX_ELEMENT: u64 = 8;

/// Which elements: those between what the index was on entry and what it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// From the first to before the index.
    Up,
    /// From after the first to the index.
    UpFromNext,
    /// From after the index to the first.
    Down,
    /// From the index to before the first.
    DownFromNext,
}

/// What is said of an element.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Said {
    /// It may be undefined: 0 or 1.
    Undefined,
    /// Its value, with this sign.
    Value { minus: bool, signed: bool },
    /// It is another than that of this array: 0 or 1.
    Differs(u32),
    /// Of the other elements: it is another than on entry, 0 or 1.
    Changed(Array),
}

impl Said {
    fn name(self) -> &'static str {
        match self {
            Said::Undefined => "undefined",
            Said::Value { minus: false, .. } => "value",
            Said::Value { minus: true, .. } => "-value",
            Said::Differs(_) => "differs",
            Said::Changed(_) => "changed elsewhere",
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
    way: Way,
    said: Said,
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
    /// The rows of a loop about elements of the arrays that it writes to.
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
        let mut arrays: Vec<(u32, u64)> = Vec::new();
        let mut others: Vec<(u32, u64)> = Vec::new();
        for (o, s) in start.path.memory.iter() {
            let Some(a) = s.array.filter(|a| a.elem <= MAX_ELEMENT) else { continue };
            let module = self.e.module;
            let before = entry.path.memory.get(&mut self.e.terms, module, o).array;
            others.push((o, a.elem));
            if before != Some(a) {
                arrays.push((o, a.elem));
            }
        }
        arrays.truncate(MAX_ARRAYS);
        let mut out = Vec::new();
        if arrays.is_empty() {
            return out;
        }
        let (indices, steps) = (indices(body, l, &cfg), steps(body, l, &cfg));
        for &(index, stride) in indices.iter().take(MAX_INDICES) {
            let v = body.block(header).params[index];
            if start.args.get(index) == entry.args.get(index) {
                continue;
            }
            let signs = steps.get(&index);
            let up = signs.is_none_or(|s| s.iter().any(|n| *n > 0)) || body.ty(v) == Ty::Ptr;
            let down = signs.is_none_or(|s| s.iter().any(|n| *n < 0));
            let ways = [(up, Way::Up), (up, Way::UpFromNext), (down, Way::Down), (down, Way::DownFromNext)];
            for &(object, elem) in &arrays {
                let factor = if body.ty(v) == Ty::Ptr { 1 } else { (stride / elem).max(1) };
                let Some(first) = self.element_index(entry, index, object, elem, factor) else { continue };
                for way in ways.iter().filter(|w| w.0).map(|w| w.1) {
                    let r = ElementRow { row: 0, object, elem, index, factor, first, way, said: Said::Undefined };
                    let mut said = vec![Said::Undefined];
                    said.extend([false, true].map(|minus| Said::Value { minus, signed: true }));
                    if elem == 1 {
                        said.extend([false, true].map(|minus| Said::Value { minus, signed: false }));
                    }
                    let same = others.iter().filter(|(o, n)| *o != object && *n == elem);
                    said.extend(same.take(MAX_ARRAYS).map(|(o, _)| Said::Differs(*o)));
                    said.extend(self.array_at(entry, object, elem).map(Said::Changed));
                    for said in said {
                        if out.len() < MAX_ROWS.min(limit) {
                            out.extend(self.element_row(body, header, start, ElementRow { said, ..r.clone() }));
                        }
                    }
                }
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
        let (width, most) = match r.said {
            Said::Undefined | Said::Differs(_) | Said::Changed(_) => (2, 1),
            Said::Value { minus, signed } => {
                let w = (8 * r.elem) as u32;
                (w + 2, greatest(w, signed, minus))
            }
        };
        self.element_value(&r, width, c, start)?;
        let mut key = vec![48, header.0, r.object, r.elem as u32, r.index as u32, r.factor as u32, r.way as u32];
        key.extend(match r.said {
            Said::Undefined => [0, 0],
            Said::Value { minus, signed } => [1, u32::from(minus) + 2 * u32::from(signed)],
            Said::Differs(o) => [2, o],
            Said::Changed(_) => [3, 0],
        });
        key.extend(self.place());
        let bound = self.t().symbol(&key, Sort::Bv(width));
        let known = self.out.rows.iter().position(|x| x.bound == bound);
        r.row = known.unwrap_or_else(|| {
            let what = format!("m{}[{:?} {}] {:?}", r.object, r.way, body.block(header).params[r.index], r.said.name());
            let (relation, likely) = (Relation::AtMost, vec![-1, 0, 1]);
            self.out.rows.push(Row { bound, width, most, likely, relation, what, named: None });
            self.out.rows.len() - 1
        });
        Some(r)
    }

    /// The element that rows are shown of.
    fn any_element(&mut self) -> Term {
        let w = self.e.terms.ptr_bits;
        self.t().symbol(&[47], Sort::Bv(w))
    }

    /// Which element of the object the variable stands for.
    fn element_index(&mut self, at: &Arrival, index: usize, object: u32, elem: u64, factor: u64) -> Option<Term> {
        let s = *at.args.get(index)?;
        let w = self.e.terms.ptr_bits;
        let one = self.e.terms.pool.as_const(s.prov).and_then(|v| v.to_u64())? as u32;
        let pool = &mut self.e.terms.pool;
        if one == object {
            let k = pool.num(w, u128::from(elem.trailing_zeros()));
            return Some(pool.lshr(s.bits, k));
        }
        if one != NULL || pool.width(s.bits) > w {
            return None;
        }
        let wide = pool.sext(s.bits, w);
        let k = pool.num(w, u128::from(factor));
        Some(if factor == 1 { wide } else { pool.mul(wide, k) })
    }

    fn array_at(&mut self, at: &Arrival, object: u32, elem: u64) -> Option<Array> {
        let module = self.e.module;
        let s = at.path.memory.get(&mut self.e.terms, module, object);
        match s.array {
            Some(a) => (a.elem == elem).then_some(a),
            None => Some(memory::as_array(&mut self.e.terms, module, object, &s, elem)),
        }
    }

    /// What the row says of the element `c`.
    fn element_value(&mut self, r: &ElementRow, width: u32, c: Term, at: &Arrival) -> Option<Term> {
        let a = self.array_at(at, r.object, r.elem)?;
        let other = match r.said {
            Said::Differs(o) => Some(self.array_at(at, o, r.elem)?),
            _ => None,
        };
        let x = self.element_index(at, r.index, r.object, r.elem, r.factor)?;
        let pool = &mut self.e.terms.pool;
        // An index that counts down ends at -1.
        let inside = match r.way {
            Way::Up => (pool.sle(r.first, c), pool.slt(c, x)),
            Way::UpFromNext => (pool.slt(r.first, c), pool.sle(c, x)),
            Way::Down => (pool.slt(x, c), pool.sle(c, r.first)),
            Way::DownFromNext => (pool.sle(x, c), pool.slt(c, r.first)),
        };
        let inside = pool.and(inside.0, inside.1);
        Some(match (r.said, other) {
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
                let v = if signed { pool.sext(v, width) } else { pool.zext(v, width) };
                let v = if minus { pool.neg(v) } else { v };
                // Below every value.
                let least = pool.num(width, 0b11 << (width - 2));
                pool.ite(inside, v, least)
            }
        })
    }

    /// Control is at the head, as [`Build::visit`] says; conditions that hold where the rows do.
    pub(crate) fn visit_elements(&mut self, rows: &[ElementRow], at: &Arrival, reached: Term) -> Vec<Term> {
        let c = self.any_element();
        let mut hold = Vec::new();
        for r in rows {
            let width = self.out.rows[r.row].width;
            let value = self.element_value(r, width, c, at).map(|v| {
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
        let read = std::mem::take(&mut self.elements_read);
        let mut known = self.tt;
        let mut from: Vec<(usize, usize, Term)> = Vec::new();
        for s in &seen {
            for r in s.rows.iter() {
                for &i in read.get(&(r.object, r.elem)).into_iter().flatten() {
                    let width = self.out.rows[r.row].width;
                    let Some(v) = self.element_value(r, width, i, &s.at) else { continue };
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

/// Parameters of the head that the loop uses as indices, with the stride, or moves through arrays.
fn indices(body: &Body, l: LoopId, cfg: &Cfg) -> Vec<(usize, u64)> {
    let params = &body.block(cfg.loops.get(l).header).params;
    let made = made_in(body, l, cfg);
    let position = |v| params.iter().position(|p| *p == v);
    let mut out: BTreeMap<usize, BTreeSet<u64>> = BTreeMap::new();
    for kind in made.values() {
        let InstKind::Addr { base, steps, .. } = kind else { continue };
        if let Some(i) = root(&made, base).and_then(position) {
            out.entry(i).or_default().insert(1);
        }
        for s in steps {
            if let Step::Index { index, stride, .. } = s
                && let Some(i) = root(&made, index).and_then(position)
            {
                out.entry(i).or_default().insert(*stride);
            }
        }
    }
    out.into_iter().flat_map(|(i, strides)| strides.into_iter().map(move |s| (i, s))).collect()
}
