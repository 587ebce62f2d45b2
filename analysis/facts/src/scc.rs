//! Strongly connected components (Tarjan 1972, iterative), in bottom-up order: every component after those that it
//! has edges to.

use verify_ir::graph::Graph;

/// A component; its number is its place in bottom-up order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SccId(pub u32);

/// The components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sccs {
    of: Vec<SccId>,
    members: Vec<Vec<u32>>,
}

impl Sccs {
    /// Of the whole graph.
    pub fn new(graph: &Graph) -> Sccs {
        const NEW: u32 = u32::MAX;
        let n = graph.len();
        let mut index = vec![NEW; n];
        let mut low = vec![0u32; n];
        let mut of = vec![SccId(NEW); n];
        let mut members: Vec<Vec<u32>> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut next = 0;
        // (node, number of successors already looked at)
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for root in 0..n as u32 {
            if index[root as usize] != NEW {
                continue;
            }
            stack.push((root, 0));
            while let Some((v, i)) = stack.last_mut() {
                let v = *v;
                if *i == 0 {
                    index[v as usize] = next;
                    low[v as usize] = next;
                    next += 1;
                    open.push(v);
                }
                if let Some(&t) = graph.succs(v).get(*i) {
                    *i += 1;
                    if index[t as usize] == NEW {
                        stack.push((t, 0));
                    } else if of[t as usize].0 == NEW {
                        low[v as usize] = low[v as usize].min(index[t as usize]);
                    }
                    continue;
                }
                stack.pop();
                if let Some((p, _)) = stack.last() {
                    low[*p as usize] = low[*p as usize].min(low[v as usize]);
                }
                if low[v as usize] == index[v as usize] {
                    let mut component = Vec::new();
                    while let Some(w) = open.pop() {
                        of[w as usize] = SccId(members.len() as u32);
                        component.push(w);
                        if w == v {
                            break;
                        }
                    }
                    component.sort_unstable();
                    members.push(component);
                }
            }
        }
        Sccs { of, members }
    }

    /// The component of a node.
    pub fn of(&self, node: u32) -> SccId {
        self.of[node as usize]
    }
    /// Its nodes, in order.
    pub fn members(&self, c: SccId) -> &[u32] {
        &self.members[c.0 as usize]
    }
    /// All components, bottom-up, with their nodes.
    pub fn bottom_up(&self) -> impl Iterator<Item = (SccId, &[u32])> {
        self.members.iter().enumerate().map(|(i, m)| (SccId(i as u32), m.as_slice()))
    }
    /// Number of components.
    pub fn len(&self) -> usize {
        self.members.len()
    }
    /// None at all.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}
