//! Loops of a body and how they nest, by repeated strongly connected components (Steensgaard 1993): a component with
//! a cycle is a loop; without the edges to its entries it falls apart into the loops inside it. A loop with one entry
//! is a natural loop (its header dominates it); one with several is irreducible and marked so.
//!
//! Takes time in proportion to the number of edges times the depth of nesting.

use crate::scc::Sccs;
use verify_ir::graph::Graph;
use verify_ir::{Block, Body};

/// A loop of a body: its index in [`LoopForest::loops`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(pub u32);

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The entry; of an irreducible loop, the first in reverse postorder.
    pub header: Block,
    /// All blocks that are entered from outside, by id; just the header in a natural loop.
    pub entries: Vec<Block>,
    /// All blocks, by id, those of inner loops included.
    pub blocks: Vec<Block>,
    /// Blocks of the loop with an edge to the header, by id.
    pub latches: Vec<Block>,
    /// Edges that leave the loop, by source, then target.
    pub exits: Vec<(Block, Block)>,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Has several entries.
    pub irreducible: bool,
}

impl Loop {
    /// The block is in the loop.
    pub fn contains(&self, b: Block) -> bool {
        self.blocks.binary_search(&b).is_ok()
    }
}

/// The loops of a body. Blocks that are not reachable are in no loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopForest {
    /// Outer ones before inner ones.
    pub loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
}

impl LoopForest {
    /// Of a body.
    pub fn new(body: &Body) -> LoopForest {
        LoopForest::of_graph(&Graph::of_body(body))
    }

    /// Of a graph whose root is node 0.
    pub fn of_graph(graph: &Graph) -> LoopForest {
        LoopForest::of_graph_from(graph, 0)
    }

    /// Of what can be reached in a graph from this node.
    pub fn of_graph_from(graph: &Graph, root: u32) -> LoopForest {
        let n = graph.len();
        let mut forest = LoopForest { loops: Vec::new(), innermost: vec![None; n] };
        let order = graph.reverse_postorder(root);
        let mut position = vec![u32::MAX; n];
        for (i, &b) in order.iter().enumerate() {
            position[b as usize] = i as u32;
        }
        let preds = graph.reversed();
        // Regions still to be taken apart: their blocks, the loop they lie in, and which blocks lost their in-edges.
        let mut work: Vec<(Vec<u32>, Option<LoopId>)> = vec![(order.clone(), None)];
        let mut local = vec![u32::MAX; n];
        while let Some((region, parent)) = work.pop() {
            let cut: &[Block] = parent.map_or(&[], |p| &forest.loops[p.0 as usize].entries);
            for (i, &b) in region.iter().enumerate() {
                local[b as usize] = i as u32;
            }
            let mut edges = Vec::new();
            for (i, &b) in region.iter().enumerate() {
                for &t in graph.succs(b) {
                    let j = local[t as usize];
                    if j != u32::MAX && cut.binary_search(&Block(t)).is_err() {
                        edges.push((i as u32, j));
                    }
                }
            }
            let inside = Graph::from_edges(region.len(), &edges);
            let sccs = Sccs::new(&inside);
            for &b in &region {
                local[b as usize] = u32::MAX;
            }
            let mut found = Vec::new();
            for (_, members) in sccs.bottom_up() {
                if members.len() == 1 && !inside.succs(members[0]).contains(&members[0]) {
                    continue;
                }
                let mut blocks: Vec<u32> = members.iter().map(|&m| region[m as usize]).collect();
                blocks.sort_unstable();
                found.push(forest.describe((graph, root), &preds, &position, blocks, parent));
            }
            // In the order of their headers, so that numbers do not depend on Tarjan's.
            found.sort_by_key(|l| position[l.header.index()]);
            for l in found {
                let id = LoopId(forest.loops.len() as u32);
                for b in &l.blocks {
                    forest.innermost[b.index()] = Some(id);
                }
                work.push((l.blocks.iter().map(|b| b.0).collect(), Some(id)));
                forest.loops.push(l);
            }
        }
        forest
    }

    fn describe(
        &self,
        (graph, root): (&Graph, u32),
        preds: &Graph,
        position: &[u32],
        blocks: Vec<u32>,
        parent: Option<LoopId>,
    ) -> Loop {
        let inside = |b: u32| blocks.binary_search(&b).is_ok();
        let reachable = |b: u32| position[b as usize] != u32::MAX;
        let entered = |b: u32| b == root || preds.succs(b).iter().any(|&p| reachable(p) && !inside(p));
        let entries: Vec<Block> = blocks.iter().copied().filter(|&b| entered(b)).map(Block).collect();
        let first = entries.iter().copied().min_by_key(|b| position[b.index()]);
        let header = first.unwrap_or(Block(blocks[0]));
        let latches = blocks.iter().copied().filter(|&b| graph.succs(b).contains(&header.0)).map(Block).collect();
        let mut exits: Vec<(Block, Block)> = Vec::new();
        for &b in &blocks {
            exits.extend(graph.succs(b).iter().filter(|&&t| !inside(t)).map(|&t| (Block(b), Block(t))));
        }
        exits.sort_unstable();
        exits.dedup();
        let depth = parent.map_or(1, |p| self.loops[p.0 as usize].depth + 1);
        let irreducible = entries.len() > 1;
        let blocks = blocks.into_iter().map(Block).collect();
        Loop { header, entries, blocks, latches, exits, parent, depth, irreducible }
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, b: Block) -> Option<LoopId> {
        self.innermost[b.index()]
    }
    /// The loop.
    pub fn get(&self, l: LoopId) -> &Loop {
        &self.loops[l.0 as usize]
    }
    /// Number of loops around a block.
    pub fn depth(&self, b: Block) -> u32 {
        self.innermost(b).map_or(0, |l| self.get(l).depth)
    }
}
