//! Directed graphs over dense numbers in compressed rows, and their dominator trees. Used for control-flow graphs
//! (forwards and backwards) and call graphs; knows nothing of either. Everything is iterative: a graph of any shape
//! and size does not overflow the stack.

use crate::function::Body;

/// A directed graph on `0..len()`. Successors keep the order in which edges were given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// A graph with `n` nodes. Edges that name a node `>= n` are left out.
    pub fn from_edges(n: usize, edges: &[(u32, u32)]) -> Graph {
        let ok = |&&(a, b): &&(u32, u32)| (a as usize) < n && (b as usize) < n;
        let mut offsets = vec![0u32; n + 1];
        for (a, _) in edges.iter().filter(ok) {
            offsets[*a as usize + 1] += 1;
        }
        for i in 0..n {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; offsets[n] as usize];
        for (a, b) in edges.iter().filter(ok) {
            targets[next[*a as usize] as usize] = *b;
            next[*a as usize] += 1;
        }
        Graph { offsets, targets }
    }

    /// The control-flow graph of a body; edges to blocks that do not exist are left out.
    pub fn of_body(body: &Body) -> Graph {
        let mut edges = Vec::new();
        for (i, b) in body.blocks.iter().enumerate() {
            edges.extend(b.term.targets().into_iter().map(|e| (i as u32, e.block.0)));
        }
        Graph::from_edges(body.blocks.len(), &edges)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Without nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Successors of a node, with repetitions.
    pub fn succs(&self, n: u32) -> &[u32] {
        &self.targets[self.offsets[n as usize] as usize..self.offsets[n as usize + 1] as usize]
    }

    /// The graph with every edge turned round.
    pub fn reversed(&self) -> Graph {
        let mut edges = Vec::with_capacity(self.targets.len());
        for n in 0..self.len() as u32 {
            edges.extend(self.succs(n).iter().map(|&t| (t, n)));
        }
        Graph::from_edges(self.len(), &edges)
    }

    /// Nodes reachable from `roots`, in depth-first preorder (successors in order).
    pub fn preorder(&self, roots: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack: Vec<u32> = roots.iter().rev().copied().filter(|&r| (r as usize) < self.len()).collect();
        while let Some(n) = stack.pop() {
            if !std::mem::replace(&mut seen[n as usize], true) {
                order.push(n);
                stack.extend(self.succs(n).iter().rev().filter(|&&t| !seen[t as usize]));
            }
        }
        order
    }

    /// Nodes reachable from `root` in reverse postorder: in an acyclic graph, every node after its predecessors.
    pub fn reverse_postorder(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        if (root as usize) >= self.len() {
            return order;
        }
        seen[root as usize] = true;
        let mut stack = vec![(root, 0usize)];
        while let Some((n, i)) = stack.last_mut() {
            match self.succs(*n).get(*i) {
                Some(&t) => {
                    *i += 1;
                    if !std::mem::replace(&mut seen[t as usize], true) {
                        stack.push((t, 0));
                    }
                }
                None => {
                    order.push(*n);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

const NONE: u32 = u32::MAX;

/// The dominator tree of the nodes reachable from a root, by the semi-NCA algorithm (Georgiadis 2005).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomTree {
    root: u32,
    idom: Vec<u32>,
    /// Position in a preorder walk of the tree, and the largest position in the subtree; `NONE` when unreachable.
    enter: Vec<u32>,
    last: Vec<u32>,
}

impl DomTree {
    /// The tree of `graph` rooted at `root`.
    pub fn new(graph: &Graph, root: u32) -> DomTree {
        let n = graph.len();
        if root as usize >= n {
            return DomTree { root, idom: vec![NONE; n], enter: vec![NONE; n], last: vec![NONE; n] };
        }
        // Depth-first numbering; from here on everything is in these numbers.
        let mut number = vec![NONE; n];
        let mut vertex = Vec::new();
        let mut parent = Vec::new();
        let mut stack = vec![(root, 0u32)];
        while let Some((v, p)) = stack.pop() {
            if number[v as usize] != NONE {
                continue;
            }
            number[v as usize] = vertex.len() as u32;
            let me = vertex.len() as u32;
            vertex.push(v);
            parent.push(p);
            stack.extend(graph.succs(v).iter().rev().filter(|&&t| number[t as usize] == NONE).map(|&t| (t, me)));
        }
        let count = vertex.len();
        let preds = {
            let mut edges = Vec::new();
            for (i, &v) in vertex.iter().enumerate() {
                edges.extend(graph.succs(v).iter().map(|&t| (number[t as usize], i as u32)));
            }
            Graph::from_edges(count, &edges)
        };
        let mut idom_n = parent.clone();
        let mut forest = parent.clone();
        let mut semi: Vec<u32> = (0..count as u32).collect();
        let mut label: Vec<u32> = (0..count as u32).collect();
        let mut path = Vec::new();
        for w in (1..count as u32).rev() {
            let mut best = parent[w as usize];
            for &p in preds.succs(w) {
                let u = eval(p, w + 1, &mut forest, &mut label, &semi, &mut path);
                best = best.min(semi[u as usize]);
            }
            semi[w as usize] = best;
        }
        for w in 1..count {
            let mut d = idom_n[w];
            while d > semi[w] {
                d = idom_n[d as usize];
            }
            idom_n[w] = d;
        }
        DomTree::from_numbers(n, root, &vertex, &idom_n)
    }

    fn from_numbers(n: usize, root: u32, vertex: &[u32], idom_n: &[u32]) -> DomTree {
        let count = vertex.len();
        let edges: Vec<(u32, u32)> = (1..count).map(|w| (idom_n[w], w as u32)).collect();
        let order = Graph::from_edges(count, &edges).preorder(&[0]);
        let mut size = vec![1u32; count];
        // A dominator has a smaller depth-first number than what it dominates.
        for w in (1..count).rev() {
            size[idom_n[w] as usize] += size[w];
        }
        let (mut idom, mut enter, mut last) = (vec![NONE; n], vec![NONE; n], vec![NONE; n]);
        for (pos, &w) in order.iter().enumerate() {
            let v = vertex[w as usize] as usize;
            enter[v] = pos as u32;
            last[v] = pos as u32 + size[w as usize] - 1;
            if w != 0 {
                idom[v] = vertex[idom_n[w as usize] as usize];
            }
        }
        DomTree { root, idom, enter, last }
    }

    /// The root.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// Reachable from the root.
    pub fn reachable(&self, n: u32) -> bool {
        self.enter[n as usize] != NONE
    }

    /// The immediate dominator; `None` for the root and for what is not reachable.
    pub fn idom(&self, n: u32) -> Option<u32> {
        Some(self.idom[n as usize]).filter(|&d| d != NONE)
    }

    /// Every path from the root to `b` goes through `a` (reflexive). False when either is not reachable.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (ea, eb) = (self.enter[a as usize], self.enter[b as usize]);
        ea != NONE && eb != NONE && ea <= eb && eb <= self.last[a as usize]
    }
}

/// The node with the smallest semi-dominator on the path from `v` to the root of its linked tree, exclusive; with path
/// compression. Nodes from `linked` on are linked to their parents.
fn eval(v: u32, linked: u32, forest: &mut [u32], label: &mut [u32], semi: &[u32], path: &mut Vec<u32>) -> u32 {
    let mut at = v;
    if forest[at as usize] < linked {
        return label[at as usize];
    }
    path.clear();
    loop {
        path.push(at);
        at = forest[at as usize];
        if forest[at as usize] < linked {
            break;
        }
    }
    let mut above = at;
    while let Some(w) = path.pop() {
        forest[w as usize] = forest[above as usize];
        if semi[label[above as usize] as usize] < semi[label[w as usize] as usize] {
            label[w as usize] = label[above as usize];
        }
        above = w;
    }
    label[v as usize]
}
