//! The constraint solver: nodes with points-to sets, inclusion edges, and uses of a pointer that make further edges
//! (loads, stores, copies, calls). Difference propagation: a node hands on only what is new. Nodes are taken in
//! topological order of the edges; cycles of edges are found and collapsed before each round (Pereira and Berlin,
//! "Wave propagation", with the uses applied inside the wave).

use crate::points_to::generate::Instance;
use crate::points_to::hash::{self, FastMap, FastSet};
use crate::points_to::limits::Limits;
use crate::points_to::memory::Object;
use crate::points_to::object::ObjectKind;
use crate::points_to::offset::{Offset, Shift};
use crate::points_to::set::SparseSet;
use crate::points_to::{Options, wrappers::Wrappers};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use verify_ir::Module;

/// A node of the constraint graph.
pub type Node = u32;
/// An interned (object, offset).
pub type LocId = u32;

/// Holds the unknown location only.
pub const UNKNOWN_NODE: Node = 0;
/// What arrives here is known to unknown code.
pub const ESCAPE_NODE: Node = 1;
/// Everything unknown code owns, and implicitly every escaped object.
pub const UNKNOWN_LOC: LocId = 0;

/// Words of a set that is worth a node of its own.
const GROUP: usize = 4;

/// What is done with a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Use {
    /// `width` bytes are read from where it points, into `dst`.
    Load { dst: Node, width: u64, pointer: bool },
    /// What is not an integer made by arithmetic goes to `dst`.
    Pointers { dst: Node },
    /// What is one, as a pointer, unless it is a difference.
    Revived { dst: Node },
    /// `width` bytes of `src` are written to where it points.
    Store { src: Node, width: u64 },
    /// Once this has an element, it is stored through `ptr`.
    StoreThrough { ptr: Node, width: u64 },
    /// An address computation.
    Shift { dst: Node, by: Shift },
    /// `len` bytes from where it points go to the start of an object.
    CopyFrom { object: u32, len: u64 },
    /// The first `len` bytes of an object go to where it points.
    CopyTo { object: u32, len: u64 },
    /// It is called at a site.
    Call { site: u32 },
}

#[derive(Clone, Debug, Default)]
pub struct NodeData {
    /// Its points-to set.
    pub pts: SparseSet,
    /// The part that was not handed on yet.
    pub delta: SparseSet,
    succs: Vec<Node>,
    uses: Vec<Use>,
    queued: bool,
}

/// The state of the analysis.
pub struct Solver<'m> {
    pub module: &'m Module,
    pub options: &'m Options,
    pub wrappers: Wrappers,
    /// Functions that no execution gets to.
    pub never: Vec<verify_ir::FuncId>,
    /// Their calls, by site.
    pub not_called: Vec<(u32, verify_ir::FuncId)>,
    parent: Vec<Node>,
    pub nodes: Vec<NodeData>,
    edges: FastSet<u64>,
    fresh_edges: usize,
    order: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, Node)>>,
    later: Vec<Node>,
    now: Option<u32>,
    pub locs: Vec<(u32, Offset)>,
    pub loc_index: FastMap<(u32, Offset), LocId>,
    pub objects: Vec<Object>,
    pub object_index: FastMap<ObjectKind, u32>,
    pub escaped_locs: SparseSet,
    /// Integers made by arithmetic.
    pub integer_locs: SparseSet,
    /// Of these, the differences of two addresses, and what is computed of them.
    pub difference_locs: SparseSet,
    /// Of a view, what is read from it as a pointer.
    pub pointer_views: FastMap<Node, Node>,
    pub instances: Vec<Instance>,
    pub instance_index: FastMap<(u32, u32), u32>,
    pub to_generate: Vec<u32>,
    /// Variables whose initialisers are still to be entered.
    pub to_initialise: Vec<(u32, verify_ir::GlobalId)>,
    /// What address computations lead to, by pointer.
    pub shifts: FastMap<(Node, Shift), Node>,
    /// What is loaded, by pointer, bytes, and as a pointer or not.
    pub loads: FastMap<(Node, u64, bool), Node>,
    /// Sets that several pointers have, and what loads and stores through all of one, and address computations, lead to.
    groups: FastMap<SparseSet, u32>,
    seen: FastSet<u64>,
    group_loads: FastMap<(u32, u64, bool), Node>,
    group_stores: FastMap<(u32, u64), Node>,
    group_shifts: FastMap<(u32, Shift), Rc<SparseSet>>,
    /// Node that holds one address only.
    pub address_nodes: FastMap<LocId, Node>,
    pub chains: Vec<Vec<crate::points_to::object::Site>>,
    pub chain_index: FastMap<Vec<crate::points_to::object::Site>, u32>,
    pub sites: Vec<crate::points_to::calls::SiteData<'m>>,
    pub clone_budget: u64,
    pub limits: Limits,
    work: u64,
    /// Counters for the curious.
    pub rounds: u32,
    pub collapsed: u32,
}

impl<'m> Solver<'m> {
    pub fn new(module: &'m Module, options: &'m Options, wrappers: Wrappers, limits: Limits) -> Solver<'m> {
        let mut s = Solver {
            module,
            options,
            wrappers,
            never: Vec::new(),
            not_called: Vec::new(),
            shifts: FastMap::default(),
            loads: FastMap::default(),
            groups: FastMap::default(),
            seen: FastSet::default(),
            group_loads: FastMap::default(),
            group_stores: FastMap::default(),
            group_shifts: FastMap::default(),
            parent: Vec::new(),
            nodes: Vec::new(),
            edges: FastSet::default(),
            fresh_edges: 0,
            order: Vec::new(),
            heap: BinaryHeap::new(),
            later: Vec::new(),
            now: None,
            locs: Vec::new(),
            loc_index: FastMap::default(),
            objects: Vec::new(),
            object_index: FastMap::default(),
            escaped_locs: SparseSet::new(),
            integer_locs: SparseSet::new(),
            difference_locs: SparseSet::new(),
            pointer_views: FastMap::default(),
            instances: Vec::new(),
            instance_index: FastMap::default(),
            to_generate: Vec::new(),
            to_initialise: Vec::new(),
            address_nodes: FastMap::default(),
            chains: vec![Vec::new()],
            chain_index: std::iter::once((Vec::new(), 0)).collect(),
            sites: Vec::new(),
            clone_budget: limits.clones,
            limits,
            work: 0,
            rounds: 0,
            collapsed: 0,
        };
        let unknown = s.object(ObjectKind::Unknown, None, 1, false);
        s.objects[unknown as usize].escaped = true;
        let loc = s.loc(unknown, Offset::ANY);
        debug_assert_eq!(loc, UNKNOWN_LOC);
        let (a, b) = (s.node(), s.node());
        debug_assert_eq!((a, b), (UNKNOWN_NODE, ESCAPE_NODE));
        s.add_loc(UNKNOWN_NODE, UNKNOWN_LOC);
        s
    }

    /// A new node.
    pub fn node(&mut self) -> Node {
        let n = self.parent.len() as Node;
        self.parent.push(n);
        self.nodes.push(NodeData::default());
        self.order.push(u32::MAX);
        n
    }

    /// The node that stands for it.
    pub fn find(&mut self, n: Node) -> Node {
        let mut root = n;
        while self.parent[root as usize] != root {
            root = self.parent[root as usize];
        }
        let mut at = n;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }

    fn enqueue(&mut self, n: Node) {
        if std::mem::replace(&mut self.nodes[n as usize].queued, true) {
            return;
        }
        let at = self.order[n as usize];
        match self.now {
            Some(now) if at > now => self.heap.push(Reverse((at, n))),
            _ => self.later.push(n),
        }
    }

    /// Adds one element.
    pub fn add_loc(&mut self, n: Node, l: LocId) {
        let n = self.find(n);
        let d = &mut self.nodes[n as usize];
        if d.pts.insert(l) {
            d.delta.insert(l);
            self.enqueue(n);
        }
    }

    fn add_set(&mut self, n: Node, set: &SparseSet) {
        self.work += set.words() as u64;
        let d = &mut self.nodes[n as usize];
        let mut new = set.minus(&d.pts);
        if new.is_empty() {
            return;
        }
        if d.pts.contains(UNKNOWN_LOC) && !self.escaped_locs.is_empty() {
            // Implied by the unknown one.
            new = new.minus(&self.escaped_locs);
            if new.is_empty() {
                return;
            }
        }
        d.pts.merge(&new);
        d.delta.union_with(&new);
        self.enqueue(n);
    }

    /// Everything in `from` is in `to`.
    pub fn edge(&mut self, from: Node, to: Node) {
        let (a, b) = (self.find(from), self.find(to));
        if a == b || b == UNKNOWN_NODE || !self.edges.insert(u64::from(a) << 32 | u64::from(b)) {
            return;
        }
        self.fresh_edges += 1;
        self.nodes[a as usize].succs.push(b);
        if !self.nodes[a as usize].pts.is_empty() {
            let set = std::mem::take(&mut self.nodes[a as usize].pts);
            self.add_set(b, &set);
            self.nodes[a as usize].pts = set;
        }
    }

    /// Something is done with a pointer.
    pub fn add_use(&mut self, n: Node, u: Use) {
        let n = self.find(n);
        self.nodes[n as usize].uses.push(u);
        if !self.nodes[n as usize].pts.is_empty() {
            let set = self.nodes[n as usize].pts.clone();
            self.apply(n, u, &set);
        }
    }

    /// Where an address computation leads: computed once for all that do the same.
    pub fn shift(&mut self, from: Node, by: Shift) -> Node {
        let from = self.find(from);
        if let Some(&n) = self.shifts.get(&(from, by)) {
            return n;
        }
        let n = self.node();
        self.shifts.insert((from, by), n);
        self.add_use(from, Use::Shift { dst: n, by });
        n
    }

    /// What is loaded, the same for all loads that are alike.
    pub fn loaded(&mut self, ptr: Node, width: u64, pointer: bool) -> Node {
        let ptr = self.find(ptr);
        if let Some(&n) = self.loads.get(&(ptr, width, pointer)) {
            return n;
        }
        let n = self.node();
        self.loads.insert((ptr, width, pointer), n);
        self.add_use(ptr, Use::Load { dst: n, width, pointer });
        n
    }

    /// `n`, to which nothing else leads, is the same as `to`.
    pub fn same(&mut self, n: Node, to: Node) {
        let d = &self.nodes[n as usize];
        let fresh = self.parent[n as usize] == n && d.pts.is_empty() && d.succs.is_empty() && d.uses.is_empty();
        if fresh && !d.queued && n > ESCAPE_NODE {
            self.parent[n as usize] = self.find(to);
        } else {
            self.edge(to, n);
        }
    }

    /// `src` is stored through `ptr`; nothing happens until there is something to store.
    pub fn store_through(&mut self, ptr: Node, src: Node, width: u64) {
        let src = self.find(src);
        if self.nodes[src as usize].pts.is_empty() {
            self.nodes[src as usize].uses.push(Use::StoreThrough { ptr, width });
        } else {
            self.add_use(ptr, Use::Store { src, width });
        }
    }

    fn apply(&mut self, n: Node, u: Use, set: &SparseSet) {
        match u {
            Use::StoreThrough { ptr, width } => self.add_use(ptr, Use::Store { src: n, width }),
            Use::Shift { dst, by } => {
                let out = self.shifted_set(set, by);
                let dst = self.find(dst);
                self.add_set(dst, &out);
            }
            Use::Pointers { dst } => {
                let dst = self.find(dst);
                self.add_set(dst, &set.minus(&self.integer_locs));
            }
            Use::Revived { dst } => {
                let integers = set.common(&self.integer_locs).minus(&self.difference_locs);
                let out = integers.iter().map(|l| self.shifted(l, Shift::Cast)).collect();
                let dst = self.find(dst);
                self.add_set(dst, &out);
            }
            Use::Load { dst, width, pointer } => match self.group(set) {
                Some(g) => {
                    let all = match self.group_loads.get(&(g, width, pointer)) {
                        Some(&n) => n,
                        None => {
                            let n = self.node();
                            self.group_loads.insert((g, width, pointer), n);
                            self.each(set, |s, l| s.load(l, width, pointer, n));
                            n
                        }
                    };
                    self.edge(all, dst);
                }
                None => self.each(set, |s, l| s.load(l, width, pointer, dst)),
            },
            Use::Store { src, width } => match self.group(set) {
                Some(g) => {
                    let all = match self.group_stores.get(&(g, width)) {
                        Some(&n) => n,
                        None => {
                            let n = self.node();
                            self.group_stores.insert((g, width), n);
                            self.each(set, |s, l| s.store(l, width, n));
                            n
                        }
                    };
                    self.edge(src, all);
                }
                None => self.each(set, |s, l| s.store(l, width, src)),
            },
            Use::CopyFrom { object, len } => self.each(set, |s, l| s.copy_from(l, object, len)),
            Use::CopyTo { object, len } => self.each(set, |s, l| s.copy_to(object, l, len)),
            Use::Call { site } => self.each(set, |s, l| s.call_through(site, l)),
        }
    }

    fn each(&mut self, set: &SparseSet, f: impl Fn(&mut Self, LocId)) {
        self.work += 4 * set.len() as u64;
        set.iter().for_each(|l| f(self, l));
    }

    /// The number of a large set that has been seen before: what is done with all of it is done once, by a node that
    /// stands for it, however many pointers have this set.
    fn group(&mut self, set: &SparseSet) -> Option<u32> {
        if set.words() < GROUP {
            return None;
        }
        self.work += set.words() as u64;
        if let Some(g) = self.groups.get(set) {
            return Some(*g);
        }
        // Sets that are seen once are not kept.
        let mut h = hash::Fast::default();
        std::hash::Hash::hash(set, &mut h);
        if self.seen.insert(std::hash::Hasher::finish(&h)) {
            return None;
        }
        let g = self.groups.len() as u32;
        self.groups.insert(set.clone(), g);
        Some(g)
    }

    fn shifted_set(&mut self, set: &SparseSet, by: Shift) -> Rc<SparseSet> {
        let g = self.group(set);
        if let Some(known) = g.and_then(|g| self.group_shifts.get(&(g, by))) {
            return known.clone();
        }
        self.work += 4 * set.len() as u64;
        let mut out: Vec<LocId> = set.iter().map(|l| self.shifted(l, by)).collect();
        out.sort_unstable();
        let out: Rc<SparseSet> = Rc::new(out.into_iter().collect());
        if let Some(g) = g {
            self.group_shifts.insert((g, by), out.clone());
        }
        out
    }

    fn process(&mut self, n: Node) {
        let mut delta = std::mem::take(&mut self.nodes[n as usize].delta);
        if self.nodes[n as usize].pts.contains(UNKNOWN_LOC) {
            // Whatever escaped meanwhile is implied by the unknown one, here and wherever this flows.
            delta = delta.minus(&self.escaped_locs);
        }
        if delta.is_empty() {
            return;
        }
        if n == self.find(ESCAPE_NODE) {
            for l in delta.iter() {
                let object = self.locs[l as usize].0;
                self.escape(object);
            }
        }
        let succs = std::mem::take(&mut self.nodes[n as usize].succs);
        let uses = self.nodes[n as usize].uses.len();
        self.work += (delta.words() + uses + succs.len()) as u64;
        for &s in &succs {
            let s = self.find(s);
            if s != n {
                self.add_set(s, &delta);
            }
        }
        let new = std::mem::replace(&mut self.nodes[n as usize].succs, succs);
        self.nodes[n as usize].succs.extend(new);
        // Uses added meanwhile see the whole set; a waiting store happens once.
        let uses = std::mem::take(&mut self.nodes[n as usize].uses);
        for &u in &uses {
            self.apply(n, u, &delta);
        }
        let new = std::mem::take(&mut self.nodes[n as usize].uses);
        let kept = uses.into_iter().filter(|u| !matches!(u, Use::StoreThrough { .. }));
        self.nodes[n as usize].uses = kept.chain(new).collect();
    }

    /// Runs to the fixpoint; false when the work allowed did not suffice.
    pub fn solve(&mut self) -> bool {
        loop {
            loop {
                if let Some((o, g)) = self.to_initialise.pop() {
                    self.initialise(o, g);
                } else if let Some(i) = self.to_generate.pop() {
                    self.generate(i);
                } else {
                    break;
                }
            }
            let mut batch = std::mem::take(&mut self.later);
            if batch.is_empty() {
                return true;
            }
            self.rounds += 1;
            for n in &mut batch {
                self.nodes[*n as usize].queued = false;
                *n = self.find(*n);
            }
            batch.sort_unstable();
            batch.dedup();
            if self.fresh_edges > 0 {
                self.fresh_edges = 0;
                self.collapse(&batch);
            }
            self.now = None;
            for n in batch {
                let n = self.find(n);
                if !std::mem::replace(&mut self.nodes[n as usize].queued, true) {
                    self.heap.push(Reverse((self.order[n as usize], n)));
                }
            }
            while let Some(Reverse((at, n))) = self.heap.pop() {
                self.nodes[n as usize].queued = false;
                self.now = Some(at);
                let n = self.find(n);
                self.process(n);
                if self.work > self.limits.work {
                    return false;
                }
            }
            self.now = None;
        }
    }

    /// Finds the cycles of edges reachable from these nodes and makes each one node; numbers what it saw in
    /// topological order (Tarjan, iterative).
    fn collapse(&mut self, from: &[Node]) {
        const NEW: u32 = u32::MAX;
        const DONE: u32 = u32::MAX - 1;
        let count = self.parent.len();
        let mut index = vec![NEW; count];
        let mut low = vec![0u32; count];
        let mut next = 0u32;
        let mut stack: Vec<Node> = Vec::new();
        let mut finished: Vec<Node> = Vec::new();
        let mut path: Vec<(Node, usize)> = Vec::new();
        let mut merges: Vec<(Node, Node)> = Vec::new();
        for &root in from {
            if index[root as usize] != NEW {
                continue;
            }
            path.push((root, 0));
            index[root as usize] = next;
            low[root as usize] = next;
            next += 1;
            stack.push(root);
            self.tidy_succs(root);
            while let Some((n, i)) = path.last_mut() {
                let n = *n;
                if let Some(&t) = self.nodes[n as usize].succs.get(*i) {
                    *i += 1;
                    match index[t as usize] {
                        NEW => {
                            index[t as usize] = next;
                            low[t as usize] = next;
                            next += 1;
                            stack.push(t);
                            self.tidy_succs(t);
                            path.push((t, 0));
                        }
                        DONE => {}
                        at => low[n as usize] = low[n as usize].min(at),
                    }
                    continue;
                }
                path.pop();
                if let Some((p, _)) = path.last() {
                    low[*p as usize] = low[*p as usize].min(low[n as usize]);
                }
                if low[n as usize] == index[n as usize] {
                    while let Some(m) = stack.pop() {
                        index[m as usize] = DONE;
                        if m == n {
                            break;
                        }
                        merges.push((m, n));
                    }
                    finished.push(n);
                }
            }
        }
        let total = finished.len() as u32;
        for (i, n) in finished.into_iter().enumerate() {
            self.order[n as usize] = total - i as u32;
        }
        for (m, n) in merges {
            self.merge(m, n);
        }
        // What escapes makes the rest cheaper.
        let escape = self.find(ESCAPE_NODE);
        self.order[escape as usize] = 0;
    }

    fn tidy_succs(&mut self, n: Node) {
        let mut succs = std::mem::take(&mut self.nodes[n as usize].succs);
        for s in &mut succs {
            *s = self.find(*s);
        }
        succs.sort_unstable();
        succs.dedup();
        succs.retain(|s| *s != n);
        self.nodes[n as usize].succs = succs;
    }

    /// Makes two nodes one, `into` stays (the two special nodes keep their numbers).
    fn merge(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (gone, into) = if a <= ESCAPE_NODE && b > ESCAPE_NODE { (b, a) } else { (a, b) };
        self.collapsed += 1;
        self.parent[gone as usize] = into;
        let order = self.order[gone as usize].min(self.order[into as usize]);
        self.order[into as usize] = order;
        let g = std::mem::take(&mut self.nodes[gone as usize]);
        let n = &mut self.nodes[into as usize];
        // What one had and the other did not is new to the other's edges and uses.
        let mut delta = g.pts.minus(&n.pts);
        delta.union_with(&n.pts.minus(&g.pts));
        delta.union_with(&g.delta);
        n.pts.union_with(&g.pts);
        n.delta.union_with(&delta);
        n.succs.extend(g.succs);
        n.uses.extend(g.uses);
        if !n.delta.is_empty() {
            self.enqueue(into);
        }
    }
}
