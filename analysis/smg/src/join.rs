//! States compared and joined (knaut-2018 §2.2.3): the two graphs are walked from the values of the calls, their variables
//! and the globals on, side by side. They fit when they have one shape; integers may differ, how many nodes a
//! segment has at least, and one node may stand where the other state has a segment of such nodes.
//!
//! What is shown by a walk without `None`: every execution in a state of the one or the other is in the result. The
//! first state covers the second when nothing had to be given up for the result.

use crate::cases::{self, Data};
use crate::heap::{Fields, Fill, Holder, Initial, Kind, Obj, Object, Segment, State, side_by_side};
use crate::value::{End, Ptr, Range, Sym, Val};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use verify_ir::Value;

/// How integers are joined.
#[derive(Clone, Copy, Debug)]
pub enum Ints<'a> {
    /// To the least range with both.
    Hull,
    /// To the next of these bounds, ascending.
    Widen(&'a [i64]),
}

struct Walk<'a> {
    a: &'a State,
    b: &'a State,
    ints: Ints<'a>,
    data: Data,
    initial: &'a Initial<'a>,
    to: BTreeMap<Obj, Obj>,
    from: BTreeMap<Obj, Obj>,
    queue: VecDeque<(Obj, Obj)>,
    syms: BTreeMap<(Val, Val), Val>,
    taken: BTreeMap<Sym, Val>,
    /// What the result has otherwise than the first state.
    ranges: Vec<(Sym, Range)>,
    next: u32,
    covers: bool,
    /// The segments of whose nodes the field is that is looked at.
    inside: Vec<Obj>,
    /// Within one state: two neighbours and what each has for itself.
    twins: Option<Twins<'a>>,
    /// Objects that one state has once and the other for each node of a segment, with the parent on that side.
    adopted: Vec<(Side, Obj, Obj)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

/// Two nodes of one state that are to become one segment.
#[derive(Clone, Copy)]
pub struct Twins<'a> {
    /// The nodes.
    pub nodes: (Obj, Obj),
    /// What each leads to that nothing else does.
    pub own: (&'a BTreeSet<Obj>, &'a BTreeSet<Obj>),
    /// How they are linked.
    pub shape: Segment,
}

impl<'a> Walk<'a> {
    fn new(a: &'a State, b: &'a State, ints: Ints<'a>, data: Data, initial: &'a Initial<'a>) -> Walk<'a> {
        Walk {
            a,
            b,
            ints,
            data,
            initial,
            to: BTreeMap::new(),
            from: BTreeMap::new(),
            queue: VecDeque::new(),
            syms: BTreeMap::new(),
            taken: BTreeMap::new(),
            ranges: Vec::new(),
            next: a.next,
            covers: a.library_unknown || !b.library_unknown,
            inside: Vec::new(),
            twins: None,
            adopted: Vec::new(),
        }
    }
}

/// What two neighbours have in common, by offset with the number of bytes, and the objects that each node of their segment
/// has for itself. The links are those at the ends. `None`: they differ too much.
pub fn twins(s: &State, t: Twins<'_>, data: Data) -> Option<(Fields, Vec<(Obj, Object)>)> {
    let initial: &Initial<'_> = &|_, _, _| Some(Val::MAYBE);
    let mut w = Walk::new(s, s, Ints::Hull, data, initial);
    w.twins = Some(t);
    let (a, b) = t.nodes;
    w.to.insert(a, b);
    w.from.insert(b, a);
    w.inside = vec![a];
    let mut fields = BTreeMap::new();
    for (k, n, v, u) in side_by_side(s.get(a)?, s.get(b)?, initial)? {
        let both = match k {
            k if k == t.shape.next => u,
            k if Some(k) == t.shape.prev => v,
            _ => w.of_every_node(&v, &u)?,
        };
        fields.insert(k, (n, both));
    }
    let mut objects = Vec::new();
    while let Some((x, y)) = w.queue.pop_front() {
        objects.push((x, w.object(x, s.get(x)?, s.get(y)?)?));
    }
    let own = objects.len() == t.own.0.len() && objects.len() == t.own.1.len();
    (own && w.ranges.is_empty()).then_some((fields, objects))
}

/// The state that stands for both, with the names of the first; whether it is the first itself. `None`: they do not fit.
pub fn join(a: &State, b: &State, ints: Ints<'_>, data: Data, initial: &Initial<'_>) -> Option<(State, bool)> {
    if a.frames.len() != b.frames.len() || a.globals.len() != b.globals.len() {
        return None;
    }
    let mut w = Walk::new(a, b, ints, data, initial);
    let mut env: Vec<(usize, Value, Val)> = Vec::new();
    // The innermost call first: it is where states differ.
    for (k, (f, g)) in a.frames.iter().zip(&b.frames).enumerate().rev() {
        if (f.func, f.loc, f.allocas.len(), f.env.len()) != (g.func, g.loc, g.allocas.len(), g.env.len()) {
            return None;
        }
        for ((x, v), (y, u)) in f.env.iter().zip(&g.env) {
            if x != y {
                return None;
            }
            let joined = w.value(v, u)?;
            if joined != *v {
                env.push((k, *x, joined));
            }
        }
        for (x, y) in f.allocas.iter().zip(&g.allocas) {
            w.pair(*x, *y)?;
        }
    }
    for (x, y) in a.globals.iter().zip(&b.globals) {
        if x.0 != y.0 {
            return None;
        }
        w.pair(*x.1, *y.1)?;
    }
    let mut objects: Vec<(Obj, Object)> = Vec::new();
    while let Some((x, y)) = w.queue.pop_front() {
        objects.push((x, w.object(x, a.get(x)?, b.get(y)?)?));
    }
    if !w.adopted.is_empty() && !w.adopted_are_own() {
        return None;
    }
    let covers = w.covers;
    let (ranges, next) = (w.ranges, w.next);
    let mut out = a.clone();
    out.next = next;
    out.library_unknown |= b.library_unknown;
    out.ranges.extend(ranges);
    out.objects.extend(objects.into_iter().map(|(k, o)| (k, Rc::new(o))));
    for (k, v, new) in env {
        out.frames[k].env.insert(v, new);
    }
    Some((out, covers))
}

impl Walk<'_> {
    /// The two objects are one.
    fn pair(&mut self, x: Obj, y: Obj) -> Option<()> {
        if let Some(t) = self.twins {
            let own = (t.own.0.contains(&x), t.own.1.contains(&y));
            let strange = x != y || t.own.1.contains(&x) || x == t.nodes.0 || x == t.nodes.1;
            match own {
                _ if (x, y) == t.nodes => {}
                (true, true) => {}
                (false, false) if !strange => return Some(()),
                _ => return None,
            }
        }
        match (self.to.get(&x), self.from.get(&y)) {
            (None, None) => {
                self.to.insert(x, y);
                self.from.insert(y, x);
                self.queue.push_back((x, y));
                Some(())
            }
            (Some(p), Some(q)) => (*p == y && *q == x).then_some(()),
            _ => None,
        }
    }

    /// Of a node and a segment, the end of the segment.
    fn end(&mut self, p: &Ptr, q: &Ptr) -> Option<End> {
        let of_node = |e: End| matches!(e, End::Whole | End::Each);
        if self.inside.contains(&p.obj) && of_node(p.end) && of_node(q.end) {
            return Some(End::Each);
        }
        match (p.end, q.end) {
            (e, f) if e == f => Some(e),
            (End::Each, _) | (_, End::Each) => None,
            (End::Whole, e) => {
                self.covers = false;
                Some(e)
            }
            (e, End::Whole) => Some(e),
            _ => None,
        }
    }

    fn value(&mut self, v: &Val, u: &Val) -> Option<Val> {
        match (v, u) {
            (Val::Undef, Val::Undef) => Some(Val::Undef),
            (Val::Zeros, Val::Zeros) => Some(Val::Zeros),
            (Val::Ptr(p), Val::Ptr(q)) => {
                self.pair(p.obj, q.obj)?;
                let mut out = Ptr { end: self.end(p, q)?, ..*p };
                if q.lo < p.lo || q.hi > p.hi {
                    self.covers = false;
                    let Ints::Widen(_) = self.ints else { return None };
                    out.lo = if q.lo < p.lo { p.moved(-(1 << 60), 0).lo } else { p.lo };
                    out.hi = if q.hi > p.hi { p.moved(0, 1 << 60).hi } else { p.hi };
                }
                Some(Val::Ptr(out))
            }
            (Val::Func(f), Val::Func(g)) => (f == g).then_some(*v),
            (Val::Ptr(_) | Val::Func(_), _) | (_, Val::Ptr(_) | Val::Func(_)) => None,
            (Val::Any { defined }, o) => {
                self.covers &= !defined || o.defined();
                Some(Val::Any { defined: *defined && o.defined() })
            }
            (Val::Range(r), Val::Range(q)) if r.width == q.width => {
                self.covers &= r.covers(q);
                Some(Val::Range(self.wider(r, q)))
            }
            _ => match (self.a.range(v), self.b.range(u)) {
                (Some(r), Some(q)) if r.width == q.width => Some(self.integer(v, u, &r, &q)),
                _ => {
                    self.covers = false;
                    Some(Val::Any { defined: v.defined() && u.defined() })
                }
            },
        }
    }

    /// A field of every node of a segment, of which one side may be a single node: nothing is said of equalities.
    fn of_every_node(&mut self, v: &Val, u: &Val) -> Option<Val> {
        match (self.a.range(v), self.b.range(u)) {
            (Some(r), Some(q)) if r.width == q.width => {
                if self.data == Data::Same && r != q {
                    return None;
                }
                self.covers &= r.covers(&q);
                let r = self.wider(&r, &q);
                Some(r.single().map_or(Val::Range(r), |x| Val::int(r.width, x)))
            }
            _ if self.data == Data::Same && v.defined() != u.defined() => None,
            _ => self.value(v, u),
        }
    }

    fn wider(&self, r: &Range, q: &Range) -> Range {
        match self.ints {
            Ints::Hull => r.hull(q),
            Ints::Widen(steps) => r.widen(q, steps),
        }
    }

    fn integer(&mut self, v: &Val, u: &Val, r: &Range, q: &Range) -> Val {
        let single = |v: &Val, r: &Range| r.single().map_or(*v, |x| Val::int(r.width, x));
        let (v, u) = (single(v, r), single(u, q));
        if v == u && matches!(v, Val::Int { .. }) {
            return v;
        }
        if let Some(s) = self.syms.get(&(v, u)) {
            return *s;
        }
        let range = self.wider(r, q);
        let out = match v {
            // The first state's unknown, if it is what that of the second is everywhere.
            Val::Sym(s) if !self.taken.contains_key(&s) => {
                self.taken.insert(s, u);
                self.covers &= r.covers(q);
                self.ranges.push((s, range));
                v
            }
            _ => {
                self.covers = false;
                let s = Sym(self.next);
                self.next += 1;
                self.ranges.push((s, range));
                Val::Sym(s)
            }
        };
        self.syms.insert((v, u), out);
        out
    }

    /// A node and a segment: the shape, if the node has the fields for it.
    fn one_or_more(&mut self, node: &Object, s: Segment) -> Option<Segment> {
        let has = |k: i64| node.fields.contains_key(&k);
        (node.live && node.on_heap() && has(s.next) && s.prev.is_none_or(has)).then_some(Segment { min: 1, ..s })
    }

    fn object(&mut self, id: Obj, x: &Object, y: &Object) -> Option<Object> {
        if x.live != y.live {
            return None;
        }
        let kind = match (&x.kind, &y.kind) {
            (Kind::Heap { family, sites }, Kind::Heap { family: g, sites: more }) if family == g => {
                self.covers &= more.is_subset(sites);
                Kind::Heap { family: *family, sites: sites.union(more).copied().collect() }
            }
            (k, l) if k == l => k.clone(),
            _ => return None,
        };
        let segment = match (x.segment, y.segment) {
            (None, None) => None,
            (Some(s), Some(t)) if (s.head, s.next, s.prev) == (t.head, t.next, t.prev) => {
                self.covers &= s.min <= t.min;
                Some(Segment { min: s.min.min(t.min), ..s })
            }
            (Some(s), None) => {
                self.covers &= s.min <= 1;
                Some(self.one_or_more(y, s)?)
            }
            (None, Some(t)) => {
                self.covers = false;
                Some(self.one_or_more(x, t)?)
            }
            _ => return None,
        };
        if segment.is_some() && ((x.size, x.most) != (y.size, y.most)) {
            return None;
        }
        self.covers &= x.size <= y.size && y.most <= x.most;
        let fill = match (x.fill, y.fill) {
            (f, g) if f == g => f,
            (f, g) => {
                let defined = |f: Fill| !matches!(f, Fill::Undef | Fill::Any { defined: false });
                let any = Fill::Any { defined: defined(f) && defined(g) };
                self.covers &= any == f;
                any
            }
        };
        let of = self.parent(id, x, y)?;
        let mut parents: Vec<Obj> = Vec::new();
        let mut up = of;
        while let Some(p) = up.filter(|p| !parents.contains(p)) {
            parents.push(p);
            up = self.a.get(p).and_then(|o| o.of);
        }
        let mut fields = BTreeMap::new();
        for (k, n, v, u) in side_by_side(x, y, self.initial)? {
            let data = segment.is_some_and(|s| k != s.next && Some(k) != s.prev);
            self.inside = parents.iter().copied().chain(data.then_some(id)).collect();
            // The nodes of a list that is not folded yet, too.
            if self.data != Data::Hull && x.on_heap() && segment.is_none() && self.a.range(&v) != self.b.range(&u) {
                return None;
            }
            let joined = if data || of.is_some() { self.of_every_node(&v, &u)? } else { self.value(&v, &u)? };
            fields.insert(k, (n, joined));
        }
        self.inside.clear();
        let mut kept = Vec::new();
        if let (Some(s), Data::Cases) = (segment, self.data) {
            let (all, had) = cases::union((self.a, x), (self.b, y), &s.links());
            kept = all;
            self.covers &= had;
        }
        Some(Object {
            kind,
            size: x.size.min(y.size),
            most: x.most.max(y.most),
            live: x.live,
            segment,
            of,
            fields,
            cases: kept,
            fill,
        })
    }

    /// The segment of which each node has the object for itself.
    fn parent(&mut self, id: Obj, x: &Object, y: &Object) -> Option<Option<Obj>> {
        if let Some(t) = self.twins {
            let near = |of: Option<Obj>, node: Obj| of.is_none_or(|p| p == node);
            return match (x.of, y.of) {
                (p, q) if near(p, t.nodes.0) && near(q, t.nodes.1) => Some(Some(t.nodes.0)),
                (Some(p), Some(q)) if self.to.get(&p) == Some(&q) => Some(Some(p)),
                _ => None,
            };
        }
        match (x.of, y.of) {
            (None, None) => Some(None),
            (Some(p), Some(q)) => (self.to.get(&p) == Some(&q)).then_some(Some(p)),
            (None, Some(q)) => {
                self.covers = false;
                let p = *self.from.get(&q)?;
                self.adopted.push((Side::First, id, p));
                Some(Some(p))
            }
            (Some(p), None) => {
                let q = *self.to.get(&p)?;
                self.adopted.push((Side::Second, *self.to.get(&id)?, q));
                Some(Some(p))
            }
        }
    }

    /// Objects that stand for those of every node are led to by their node alone, and by each other.
    fn adopted_are_own(&self) -> bool {
        let holders = (self.a.holders(), self.b.holders());
        self.adopted.iter().all(|(side, o, parent)| {
            let (state, holders) = match side {
                Side::First => (self.a, &holders.0),
                Side::Second => (self.b, &holders.1),
            };
            let family = |x: Obj| self.adopted.iter().any(|(s, y, p)| s == side && *y == x && p == parent);
            state.get(*parent).is_some_and(|p| p.segment.is_none())
                && holders.get(o).into_iter().flatten().all(|(h, _)| match h {
                    Holder::Field(x, _) => x == parent || family(*x),
                    Holder::Env => false,
                })
        })
    }
}
