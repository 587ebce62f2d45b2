//! List segments: nodes are folded into them where loops begin, and come out again where they are accessed
//! (knaut-2018 §2.2.3, after Dudka, Peringer, Vojnar, SAS 2013). A segment stands for one node or more, never for none:
//! that a list is empty is another state.
//!
//! Two neighbours `a`, `b` become one segment when both are on the heap, alive and of one size, `a` has `b`'s address
//! at the offset of the link (and `b` that of `a`, where the chain is linked both ways), nothing else points to the place
//! between them, and their other fields have a common value. Of the list's shapes only those without a heap of their own
//! below each node are folded; others grow until the budget is gone.

use crate::cases::{self, Case, Data};
use crate::heap::{Fields, Holder, Holders, Kind, Obj, Object, Segment, State};
use crate::join::{Twins, twins};
use crate::value::{End, Ptr, Val};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// How many nodes have to be there before two are folded, and up to which number they are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threshold(pub u32);

/// Bytes of a pointer.
pub type PointerBytes = u64;

/// Two neighbours that can become one.
struct Fold {
    a: Obj,
    b: Obj,
    shape: Segment,
    /// Fields of the segment.
    fields: Fields,
    cases: Vec<Case>,
    /// What each node has for itself, by the names that it has under the first.
    own: Vec<(Obj, Object)>,
    /// The same under the second.
    gone: BTreeSet<Obj>,
}

impl State {
    /// Folds chains until there is none left.
    pub fn fold(&mut self, threshold: Threshold, data: Data, pointer: PointerBytes) {
        while let Some(f) = self.foldable(threshold, data, pointer) {
            self.merge(f, threshold);
        }
    }

    fn foldable(&self, threshold: Threshold, data: Data, pointer: PointerBytes) -> Option<Fold> {
        let holders = self.holders();
        let pairs: Vec<Fold> = self
            .objects
            .iter()
            .filter(|(_, o)| o.on_heap() && o.live && o.of.is_none())
            .flat_map(|(id, _)| self.links(*id, pointer).into_iter().map(|(b, s)| (*id, b, s)))
            .filter_map(|(a, b, s)| self.mergeable(a, b, &s, data, &holders))
            .collect();
        let is_segment = |o: Obj| self.get(o).is_some_and(|o| o.segment.is_some());
        let same = |s: &Segment, t: &Segment| (s.head, s.next, s.prev) == (t.head, t.next, t.prev);
        let k = pairs.iter().position(|f| {
            let mut nodes = 2;
            // The chain goes on at either end.
            nodes += pairs.iter().filter(|g| same(&f.shape, &g.shape) && (g.a == f.b || g.b == f.a)).count() as u32;
            nodes >= threshold.0 || is_segment(f.a) || is_segment(f.b)
        })?;
        pairs.into_iter().nth(k)
    }

    /// The objects that `a` is linked to, and how.
    fn links(&self, a: Obj, pointer: PointerBytes) -> Vec<(Obj, Segment)> {
        let Some(from) = self.get(a) else { return Vec::new() };
        let mut out = Vec::new();
        for (next, (bytes, v)) in &from.fields {
            let Val::Ptr(p) = v else { continue };
            let (Some(head), true) = (p.exact(), *bytes == pointer && p.end != End::Last && p.obj != a) else {
                continue;
            };
            let Some(to) = self.get(p.obj) else { continue };
            let back = |off: i64| {
                to.fields.get(&off).is_some_and(|(b, v)| {
                    let back = Ptr {
                        obj: a,
                        end: if from.segment.is_some() { End::Last } else { End::Whole },
                        lo: head,
                        hi: head,
                    };
                    *b == pointer && *v == Val::Ptr(back)
                })
            };
            let known = from.segment.or(to.segment);
            match known {
                Some(s) if s.next == *next && s.head == head && s.prev.is_none_or(&back) => out.push((p.obj, s)),
                Some(_) => {}
                None => {
                    let both = from.fields.keys().filter(|k| *k > next && back(**k));
                    out.extend(both.map(|k| (p.obj, Segment { min: 1, head, next: *next, prev: Some(*k) })));
                    out.push((p.obj, Segment { min: 1, head, next: *next, prev: None }));
                }
            }
        }
        out
    }

    fn mergeable(&self, a: Obj, b: Obj, s: &Segment, kept: Data, holders: &Holders) -> Option<Fold> {
        let (x, y) = (self.get(a)?, self.get(b)?);
        let family = |o: &Object| match o.kind {
            Kind::Heap { family, .. } => Some(family),
            _ => None,
        };
        let fits = |o: &Object| o.segment.is_none_or(|t| (t.head, t.next, t.prev) == (s.head, s.next, s.prev));
        if family(x).is_none()
            || family(x) != family(y)
            || (x.size, x.most, x.fill) != (y.size, y.most, y.fill)
            || x.size != x.most
            || !(x.live && y.live && fits(x) && fits(y))
        {
            return None;
        }
        let linked = |o: &Object| o.fields.contains_key(&s.next) && s.prev.is_none_or(|p| o.fields.contains_key(&p));
        if !linked(x) || !linked(y) || x.of.is_some() || y.of.is_some() {
            return None;
        }
        let data = |k: i64| k != s.next && Some(k) != s.prev;
        let under = (self.own(a, s, holders), self.own(b, s, holders));
        let inner = |h: &Holder, node: Obj, own: &BTreeSet<Obj>| match h {
            Holder::Field(o, k) => *o == node && data(*k) || own.contains(o),
            Holder::Env => false,
        };
        let held = |o: Obj| holders.get(&o).into_iter().flatten();
        let into_first = held(a).all(|(h, p)| match h {
            // Looked at below.
            h if inner(h, a, &under.0) => true,
            Holder::Field(o, k) if *o == b && Some(*k) == s.prev => true,
            Holder::Field(o, k) if *o == b => *k == s.next && p.end != End::Last,
            Holder::Field(o, k) if *o == a => Some(*k) == s.prev && p.end != End::Last,
            _ => p.end != End::Last,
        });
        let into_second = held(b).all(|(h, p)| match h {
            h if inner(h, b, &under.1) => true,
            Holder::Field(o, k) if *o == a && *k == s.next => true,
            Holder::Field(o, k) if *o == a => Some(*k) == s.prev && p.end != End::First,
            Holder::Field(o, k) if *o == b => *k == s.next && s.prev.is_some() && p.end != End::First,
            _ => s.prev.is_some() && p.end != End::First,
        });
        if !into_first || !into_second {
            return None;
        }
        let (fields, own) = twins(self, Twins { nodes: (a, b), own: (&under.0, &under.1), shape: *s }, kept)?;
        let cases = match kept {
            Data::Cases => cases::union((self, x), (self, y), &s.links()).0,
            Data::Hull | Data::Same => Vec::new(),
        };
        Some(Fold { a, b, shape: *s, fields, cases, own, gone: under.1 })
    }

    /// What a node's own fields lead to, and nothing else does.
    fn own(&self, node: Obj, s: &Segment, holders: &Holders) -> BTreeSet<Obj> {
        let data = |k: i64| k != s.next && Some(k) != s.prev;
        let mut own = BTreeSet::new();
        let targets = |o: &Object, all: bool| -> Vec<Obj> {
            let fields = o.fields.iter().filter(|(k, _)| all || data(**k));
            fields.filter_map(|(_, (_, v))| if let Val::Ptr(p) = v { Some(p.obj) } else { None }).collect()
        };
        // What all nodes of a segment share is not each one's own, though nothing else leads to it.
        let many = self.get(node).is_some_and(|o| o.segment.is_some());
        let mut work = self.get(node).map_or(Vec::new(), |o| targets(o, false));
        while let Some(o) = work.pop() {
            let Some(object) = self.get(o).filter(|x| x.on_heap()) else { continue };
            let may_be = match object.of {
                Some(p) => p == node || own.contains(&p),
                None => !many,
            };
            if o != node && may_be && own.insert(o) {
                work.extend(targets(object, true));
            }
        }
        loop {
            let strange = |h: &Holder| match h {
                Holder::Field(o, k) => !(*o == node && data(*k) || own.contains(o)),
                Holder::Env => true,
            };
            let shared: Vec<Obj> =
                own.iter().copied().filter(|o| holders.get(o).into_iter().flatten().any(|(h, _)| strange(h))).collect();
            if shared.is_empty() {
                return own;
            }
            shared.iter().for_each(|o| _ = own.remove(o));
        }
    }

    /// Folds two neighbours into the first.
    fn merge(&mut self, f: Fold, threshold: Threshold) {
        let Fold { a, b, shape: s, fields, cases, own, gone } = f;
        let (Some(x), Some(y)) = (self.get(a).cloned(), self.get(b).cloned()) else { return };
        let count = |o: &Object| o.segment.map_or(1, |t| t.min);
        let mut m = Object { fields, cases, ..x.clone() };
        m.segment = Some(Segment { min: (count(&x) + count(&y)).min(threshold.0), ..s });
        gone.iter().for_each(|o| _ = self.objects.remove(o));
        self.objects.extend(own.into_iter().map(|(k, o)| (k, Rc::new(o))));
        if let (Kind::Heap { sites, .. }, Kind::Heap { sites: more, .. }) = (&mut m.kind, &y.kind) {
            sites.extend(more);
        }
        self.objects.insert(a, Rc::new(m));
        self.objects.remove(&b);
        // Addresses of the first node, from wherever; then those of the last one.
        self.redirect(|p| match p {
            Ptr { end: End::Each, .. } => None,
            Ptr { obj, end: End::Whole, .. } if obj == a => Some(Ptr { end: End::First, ..p }),
            Ptr { obj, .. } if obj == b => Some(Ptr { obj: a, end: End::Last, ..p }),
            _ => None,
        });
    }

    /// Takes the node at one end out of a segment: the states in which it was the only one, and in which others remain.
    pub fn unfold(&self, seg: Obj, end: End) -> Vec<State> {
        let Some(o) = self.get(seg) else { return vec![self.clone()] };
        let mut out = Vec::new();
        // In each of the cases that its nodes may be in.
        for case in &o.cases {
            self.unfold_in(seg, end, Some(case), &mut out);
        }
        if o.cases.is_empty() {
            self.unfold_in(seg, end, None, &mut out);
        }
        out
    }

    fn unfold_in(&self, seg: Obj, end: End, case: Option<&Case>, out: &mut Vec<State>) {
        let Some(s) = self.get(seg).and_then(|o| o.segment) else { return out.push(self.clone()) };
        if s.min <= 1 {
            let mut one = self.clone();
            if let (Some(o), Some(case)) = (one.get_mut(seg), case) {
                cases::pick(o, case);
            }
            one.release(seg);
            one.single_out(seg);
            one.redirect(|p| (p.obj == seg && p.end != End::Each).then_some(Ptr { end: End::Whole, ..p }));
            out.push(one);
        }
        let mut more = self.clone();
        let Some(mut node) = more.get(seg).cloned() else { return };
        if let Some(case) = case {
            cases::pick(&mut node, case);
        }
        let rest = Segment { min: s.min.max(2) - 1, ..s };
        if let Some(o) = more.get_mut(seg) {
            o.segment = Some(rest);
        }
        let node = more.add(node);
        more.copy_own(seg, node);
        more.single_out(node);
        let whole = |obj: Obj| Val::Ptr(Ptr { obj, end: End::Whole, lo: s.head, hi: s.head });
        let near = |end: End| Val::Ptr(Ptr { obj: seg, end, lo: s.head, hi: s.head });
        match end {
            End::First | End::Whole | End::Each => {
                // What pointed to the first node points to the new one; this goes for the rest of the chain as well.
                more.redirect(|p| {
                    (p.obj == seg && p.end == End::First).then_some(Ptr { obj: node, end: End::Whole, ..p })
                });
                more.put(node, s.next, near(End::First));
                if let Some(prev) = s.prev {
                    more.put(seg, prev, whole(node));
                }
            }
            End::Last => {
                more.redirect(|p| {
                    (p.obj == seg && p.end == End::Last).then_some(Ptr { obj: node, end: End::Whole, ..p })
                });
                if let Some(prev) = s.prev {
                    more.put(node, prev, near(End::Last));
                }
                more.put(seg, s.next, whole(node));
            }
        }
        out.push(more);
    }

    /// The objects that each node of a segment has for itself, and those of their nodes.
    fn family(&self, seg: Obj) -> Vec<Obj> {
        let mut all = vec![seg];
        let mut k = 0;
        while k < all.len() {
            let parent = all[k];
            all.extend(self.objects.iter().filter(|(_, o)| o.of == Some(parent)).map(|(id, _)| *id));
            k += 1;
        }
        all.remove(0);
        all
    }

    /// What the nodes of a segment have for themselves is what its only node has.
    fn release(&mut self, seg: Obj) {
        for id in self.family(seg) {
            let Some(mut o) = self.get(id).cloned() else { continue };
            let near = o.of == Some(seg);
            self.own_values(&mut o, seg, seg, near);
            if near {
                o.of = None;
            }
            self.objects.insert(id, Rc::new(o));
        }
    }

    /// A node that comes out of a segment gets what each node has for itself.
    fn copy_own(&mut self, seg: Obj, node: Obj) {
        let family = self.family(seg);
        let map: BTreeMap<Obj, Obj> = family
            .iter()
            .map(|id| {
                let copy = self.get(*id).cloned();
                (*id, copy.map_or(*id, |o| self.add(o)))
            })
            .collect();
        let renamed = |v: &mut Val| {
            if let Val::Ptr(p) = v
                && let Some(new) = map.get(&p.obj)
            {
                p.obj = *new;
            }
        };
        for id in map.values() {
            let Some(mut o) = self.get(*id).cloned() else { continue };
            let near = o.of == Some(seg);
            self.own_values(&mut o, seg, node, near);
            o.fields.values_mut().for_each(|(_, v)| renamed(v));
            o.of = if near { None } else { o.of.map(|p| map.get(&p).copied().unwrap_or(p)) };
            self.objects.insert(*id, Rc::new(o));
        }
        if let Some(o) = self.get_mut(node) {
            o.fields.values_mut().for_each(|(_, v)| renamed(v));
        }
    }

    /// Values of an object that was one of every node of `seg` and is of `node` now.
    fn own_values(&mut self, o: &mut Object, seg: Obj, node: Obj, near: bool) {
        let links = o.segment;
        for (k, (_, v)) in o.fields.iter_mut() {
            let data = links.is_some_and(|s| *k != s.next && Some(*k) != s.prev);
            match v {
                Val::Range(r) if near && !data => *v = self.unknown(*r),
                Val::Ptr(p) if p.obj == seg && p.end == End::Each => *p = Ptr { obj: node, end: End::Whole, ..*p },
                _ => {}
            }
        }
    }

    /// A segment becomes one node, with values of its own.
    fn single_out(&mut self, id: Obj) {
        let Some(mut o) = self.get(id).cloned() else { return };
        o.segment = None;
        for (_, v) in o.fields.values_mut() {
            match v {
                Val::Range(r) => *v = self.unknown(*r),
                // Of the segment it was a node of.
                Val::Ptr(p) if p.end == End::Each => *p = Ptr { obj: id, end: End::Whole, ..*p },
                _ => {}
            }
        }
        self.objects.insert(id, Rc::new(o));
    }

    fn put(&mut self, id: Obj, off: i64, v: Val) {
        if let Some(o) = self.get_mut(id)
            && let Some(f) = o.fields.get_mut(&off)
        {
            f.1 = v;
        }
    }
}
