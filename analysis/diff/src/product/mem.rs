//! Memory of both versions as hash-consed histories: an unknown start, writes, joins of paths, and code that may have
//! written anything. Both versions share one table, so that equal histories are one node, and a read of equal memory
//! at equal addresses is one term. A read looks through writes that cannot touch it; what it cannot see through is a
//! free symbol named after (history, address, size), which loses precision and never soundness.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use verify_encode::Terms;
use verify_solver::{Op, Sort, Term};

/// A memory state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mem(pub u32);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// Unknown contents with this number.
    Start(u32),
    /// `size` bytes written at an address.
    Store { prev: Mem, addr: Term, size: u64, value: Term },
    /// Paths meet.
    Ite { cond: Term, then: Mem, other: Mem },
    /// Anything but objects that only this function knows may have changed. Equal keys: changed in the same way, from
    /// memories that were equal but for such objects.
    Havoc { prev: Mem, key: u32 },
}

/// Objects with an address of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub base: Term,
    /// Size in bytes, when known.
    pub size: Option<u64>,
    /// A local variable.
    pub local: bool,
    /// Its address is used for direct accesses only: nothing else points to it.
    pub private: bool,
    pub read_only: bool,
    /// Both versions have it.
    pub shared: bool,
    pub align: u64,
}

/// The table.
#[derive(Default)]
pub(crate) struct Memories {
    nodes: Vec<Node>,
    table: HashMap<Node, Mem>,
    loads: HashMap<(Mem, Term, u64), Term>,
    /// Objects by the symbol of their address.
    pub places: BTreeMap<Term, Place>,
    /// Reads of unknown starts, for making inputs of models: (start, address, bytes, value).
    pub reads: BTreeSet<(u32, Term, u64, Term)>,
    /// All free symbols that stand for reads: by memory and size, addresses with values.
    pub free: BTreeMap<(u32, u32, u64), Vec<(Term, Term)>>,
    depth: u32,
}

impl Memories {
    pub fn node(&mut self, n: Node) -> Mem {
        let next = Mem(self.nodes.len() as u32);
        *self.table.entry(n).or_insert_with_key(|n| {
            self.nodes.push(n.clone());
            next
        })
    }
    pub fn get(&self, m: Mem) -> &Node {
        &self.nodes[m.0 as usize]
    }
    pub fn ite(&mut self, cond: Term, then: Mem, other: Mem) -> Mem {
        if then == other { then } else { self.node(Node::Ite { cond, then, other }) }
    }
    pub fn store(&mut self, prev: Mem, addr: Term, size: u64, value: Term) -> Mem {
        // An immediately overwritten write leaves no trace.
        if let Node::Store { prev: p, addr: a, size: s, .. } = self.get(prev)
            && *a == addr
            && *s == size
        {
            let p = *p;
            return self.node(Node::Store { prev: p, addr, size, value });
        }
        self.node(Node::Store { prev, addr, size, value })
    }

    /// The object that an address term is built on.
    pub fn root(&self, t: &Terms, addr: Term) -> Option<Term> {
        let mut found = None;
        let mut todo = vec![addr];
        while let Some(x) = todo.pop() {
            if self.places.contains_key(&x) {
                if found.is_some() {
                    return None;
                }
                found = Some(x);
            } else if let Some(args) = t.pool.as_app(x, Op::Add) {
                todo.extend(args);
            }
        }
        found
    }

    /// `a - b` when that is a constant.
    fn distance(t: &mut Terms, a: Term, b: Term) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        let split = |t: &Terms, x: Term| -> (Option<Term>, u64) {
            if let Some(c) = t.pool.as_const(x) {
                return (None, c.to_u64().unwrap_or(0));
            }
            if let Some(&[base, c]) = t.pool.as_app(x, Op::Add)
                && let Some(c) = t.pool.as_const(c)
            {
                return (Some(base), c.to_u64().unwrap_or(0));
            }
            (Some(x), 0)
        };
        let (x, y) = (split(t, a), split(t, b));
        let w = t.pool.width(a);
        (x.0 == y.0)
            .then(|| {
                let d = x.1.wrapping_sub(y.1);
                (d << (64 - w) >> (64 - w)) as i64
            })
            .map(|d| if w < 64 { (d << (64 - w)) >> (64 - w) } else { d })
    }

    /// The two accesses touch different objects, by where their addresses come from.
    pub fn apart(&self, t: &Terms, a: Term, b: Term) -> bool {
        let (x, y) = (self.root(t, a), self.root(t, b));
        if x == y {
            return false;
        }
        let private = |r: Option<Term>| r.is_some_and(|r| self.places[&r].private);
        (x.is_some() && y.is_some()) || private(x) || private(y)
    }

    /// Reads `size` bytes.
    pub fn load(&mut self, t: &mut Terms, m: Mem, addr: Term, size: u64) -> Term {
        if let Some(v) = self.loads.get(&(m, addr, size)) {
            return *v;
        }
        self.depth += 1;
        let v = if self.depth > 400 { self.symbol(t, m, addr, size) } else { self.load_new(t, m, addr, size) };
        self.depth -= 1;
        self.loads.insert((m, addr, size), v);
        v
    }

    fn symbol(&mut self, t: &mut Terms, m: Mem, addr: Term, size: u64) -> Term {
        let sort = Sort::Bv((8 * size) as u32);
        let (kind, n) = match *self.get(m) {
            Node::Start(n) => (700, n),
            Node::Havoc { key, .. } => (701, key),
            _ => (702, m.0),
        };
        let v = t.symbol(&[kind, n, addr.0, size as u32], sort);
        if kind == 700 {
            self.reads.insert((n, addr, size, v));
        }
        let all = self.free.entry((kind, n, size)).or_default();
        if !all.iter().any(|(_, w)| *w == v) {
            all.push((addr, v));
        }
        v
    }

    fn load_new(&mut self, t: &mut Terms, m: Mem, addr: Term, size: u64) -> Term {
        match self.get(m).clone() {
            Node::Start(_) => self.symbol(t, m, addr, size),
            Node::Havoc { prev, .. } => match self.root(t, addr) {
                Some(r) if self.places[&r].private || self.places[&r].read_only => self.load(t, prev, addr, size),
                _ => self.symbol(t, m, addr, size),
            },
            Node::Ite { cond, then, other } => {
                let (a, b) = (self.load(t, then, addr, size), self.load(t, other, addr, size));
                t.pool.ite(cond, a, b)
            }
            Node::Store { prev, addr: at, size: n, value } => {
                if self.apart(t, addr, at) {
                    return self.load(t, prev, addr, size);
                }
                match Memories::distance(t, addr, at) {
                    Some(d) if d >= n as i64 || d + size as i64 <= 0 => self.load(t, prev, addr, size),
                    Some(d) if d >= 0 && d as u64 + size <= n => {
                        let lo = (8 * d) as u32;
                        t.pool.extract(value, lo + 8 * size as u32 - 1, lo)
                    }
                    Some(d) => {
                        // In part: the rest is older.
                        let mut parts: Vec<Term> = Vec::new();
                        let (start, end) = (d.max(0), (d + size as i64).min(n as i64));
                        if d < 0 {
                            parts.push(self.load(t, prev, addr, d.unsigned_abs()));
                        }
                        let (lo, hi) = ((8 * start) as u32, (8 * end) as u32 - 1);
                        parts.push(t.pool.extract(value, hi, lo));
                        if end < d + size as i64 {
                            let w = t.pool.width(addr);
                            let skip = t.pool.num(w, (end - d) as u128);
                            let rest = t.pool.add(addr, skip);
                            parts.push(self.load(t, prev, rest, (d + size as i64 - end) as u64));
                        }
                        let mut out = parts[0];
                        for p in &parts[1..] {
                            out = t.pool.concat(*p, out);
                        }
                        out
                    }
                    None => {
                        let old = self.load(t, prev, addr, size);
                        let disjoint = disjoint(t, (addr, size), (at, n));
                        let unknown = self.symbol(t, m, addr, size);
                        if size == n {
                            let same = t.pool.eq(addr, at);
                            let rest = t.pool.ite(disjoint, old, unknown);
                            t.pool.ite(same, value, rest)
                        } else {
                            t.pool.ite(disjoint, old, unknown)
                        }
                    }
                }
            }
        }
    }

    /// A condition under which two memories agree everywhere outside `ignored` objects. Only writes since the point
    /// where the histories part are compared: below it they are one. False where that cannot be said.
    pub fn equal(&mut self, t: &mut Terms, a: Mem, b: Mem, ignore: &dyn Fn(&Place) -> bool) -> Term {
        self.equal_paths(t, a, b, ignore, &mut HashMap::new())
    }

    fn equal_paths(&mut self, t: &mut Terms, a: Mem, b: Mem, ignore: Ignore<'_>, known: &mut Known) -> Term {
        if a == b {
            return t.pool.tt();
        }
        if let Some(e) = known.get(&(a, b)) {
            return *e;
        }
        let e = self.equal_new(t, a, b, ignore, known);
        known.insert((a, b), e);
        e
    }

    fn equal_new(&mut self, t: &mut Terms, a: Mem, b: Mem, ignore: Ignore<'_>, known: &mut Known) -> Term {
        // The same writes on top: enough that what is below is equal.
        let (mut x, mut y) = (a, b);
        while let (Node::Store { prev: p, addr, size, value }, Node::Store { prev: q, addr: at, size: n, value: v }) =
            (self.get(x), self.get(y))
            && (addr, size, value) == (at, n, v)
        {
            (x, y) = (*p, *q);
        }
        if (x, y) != (a, b) {
            let enough = self.equal_paths(t, x, y, ignore, known);
            if enough == t.pool.tt() {
                return enough;
            }
            let whole = self.equal_contents(t, a, b, ignore, known);
            return t.pool.or(enough, whole);
        }
        self.equal_contents(t, a, b, ignore, known)
    }

    fn equal_contents(&mut self, t: &mut Terms, a: Mem, b: Mem, ignore: Ignore<'_>, known: &mut Known) -> Term {
        let (mut writes, mut ends) = (BTreeSet::new(), BTreeSet::new());
        let (mut seen, mut todo) = (BTreeSet::new(), vec![(a, false), (b, false)]);
        while let Some((m, below)) = todo.pop() {
            if !seen.insert((m, below)) {
                continue;
            }
            match self.get(m).clone() {
                Node::Start(n) => {
                    if !below {
                        ends.insert((false, n));
                    }
                }
                Node::Havoc { prev, key } => {
                    if !below {
                        ends.insert((true, key));
                    }
                    // Equal but for what unknown code cannot reach: that is still to be compared.
                    todo.push((prev, true));
                }
                Node::Ite { then, other, .. } => todo.extend([(then, below), (other, below)]),
                Node::Store { prev, addr, size, .. } => {
                    if !below || self.root(t, addr).is_some_and(|r| self.places[&r].private) {
                        writes.insert((addr, size));
                    }
                    todo.push((prev, below));
                }
            }
        }
        if ends.len() != 1 {
            // Unknown code ran on some of the paths: compare path by path.
            if let (Node::Ite { cond, then, other }, Node::Ite { cond: c, then: x, other: y }) =
                (self.get(a).clone(), self.get(b).clone())
                && cond == c
            {
                let (p, q) =
                    (self.equal_paths(t, then, x, ignore, known), self.equal_paths(t, other, y, ignore, known));
                return t.pool.ite(cond, p, q);
            }
            if let Node::Ite { cond, then, other } = self.get(a).clone() {
                let (p, q) =
                    (self.equal_paths(t, then, b, ignore, known), self.equal_paths(t, other, b, ignore, known));
                return t.pool.ite(cond, p, q);
            }
            if let Node::Ite { cond, then, other } = self.get(b).clone() {
                let (p, q) =
                    (self.equal_paths(t, a, then, ignore, known), self.equal_paths(t, a, other, ignore, known));
                return t.pool.ite(cond, p, q);
            }
        }
        // Writes on top of histories that part: equal where those end in the same place.
        let mut all = if ends.len() == 1 { t.pool.tt() } else { self.same_end(t, a, b, &mut HashMap::new()) };
        if all == t.pool.ff() {
            return all;
        }
        for (addr, size) in writes {
            if self.root(t, addr).is_some_and(|r| ignore(&self.places[&r])) {
                continue;
            }
            let (x, y) = (self.load(t, a, addr, size), self.load(t, b, addr, size));
            let same = t.pool.eq(x, y);
            all = t.pool.and(all, same);
        }
        all
    }

    /// A condition under which two histories, whatever they write, begin with the same unknown contents.
    fn same_end(&self, t: &mut Terms, a: Mem, b: Mem, known: &mut Known) -> Term {
        let below = |mut m: Mem| {
            while let Node::Store { prev, .. } = self.get(m) {
                m = *prev;
            }
            m
        };
        let (x, y) = (below(a), below(b));
        if x == y {
            return t.pool.tt();
        }
        if let Some(e) = known.get(&(x, y)) {
            return *e;
        }
        let e = match (self.get(x).clone(), self.get(y).clone()) {
            (Node::Ite { cond, then, other }, Node::Ite { cond: c, then: v, other: w }) if cond == c => {
                let (p, q) = (self.same_end(t, then, v, known), self.same_end(t, other, w, known));
                t.pool.ite(cond, p, q)
            }
            (Node::Ite { cond, then, other }, _) => {
                let (p, q) = (self.same_end(t, then, y, known), self.same_end(t, other, y, known));
                t.pool.ite(cond, p, q)
            }
            (_, Node::Ite { cond, then, other }) => {
                let (p, q) = (self.same_end(t, x, then, known), self.same_end(t, x, other, known));
                t.pool.ite(cond, p, q)
            }
            (Node::Havoc { key: k, .. }, Node::Havoc { key: l, .. }) if k == l => t.pool.tt(),
            _ => t.pool.ff(),
        };
        known.insert((x, y), e);
        e
    }
}

/// Objects whose contents do not count.
type Ignore<'a> = &'a dyn Fn(&Place) -> bool;
/// What pairs of memories were found to need.
type Known = HashMap<(Mem, Mem), Term>;

/// The accesses have no byte in common; neither wraps.
pub(crate) fn disjoint(t: &mut Terms, a: (Term, u64), b: (Term, u64)) -> Term {
    let w = t.pool.width(a.0);
    let (ab, ba) = (t.pool.sub(a.0, b.0), t.pool.sub(b.0, a.0));
    let (sa, sb) = (t.pool.num(w, u128::from(a.1)), t.pool.num(w, u128::from(b.1)));
    let (x, y) = (t.pool.ule(sb, ab), t.pool.ule(sa, ba));
    t.pool.and(x, y)
}
