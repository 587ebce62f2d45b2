//! Dominators and post-dominators of the blocks of a body.

use verify_ir::graph::{DomTree, Graph};
use verify_ir::{Block, Body};

/// Dominators; block 0 is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dominators {
    tree: DomTree,
}

impl Dominators {
    /// Of a body.
    pub fn new(body: &Body) -> Dominators {
        Dominators { tree: DomTree::new(&Graph::of_body(body), 0) }
    }
    /// Every path from the entry to `b` goes through `a` (reflexive). False when either is not reachable.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.0, b.0)
    }
    /// The closest strict dominator.
    pub fn immediate(&self, b: Block) -> Option<Block> {
        self.tree.idom(b.0).map(Block)
    }
    /// Reachable from the entry.
    pub fn reachable(&self, b: Block) -> bool {
        self.tree.reachable(b.0)
    }
}

/// Post-dominators: dominators backwards from one virtual exit behind every block without successors. Executions that
/// do not return (endless loops, failing checks, calls that do not return in the middle of a block) are not paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostDominators {
    tree: DomTree,
}

impl PostDominators {
    /// Of a body.
    pub fn new(body: &Body) -> PostDominators {
        let graph = Graph::of_body(body);
        let exit = graph.len() as u32;
        let mut edges = Vec::new();
        for b in 0..exit {
            if graph.succs(b).is_empty() {
                edges.push((exit, b));
            }
            edges.extend(graph.succs(b).iter().map(|&t| (t, b)));
        }
        PostDominators { tree: DomTree::new(&Graph::from_edges(exit as usize + 1, &edges), exit) }
    }
    /// Every path from `b` to an exit goes through `a` (reflexive). False when either reaches no exit.
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.dominates(a.0, b.0)
    }
    /// The closest strict post-dominator; `None` when that is the virtual exit, or no exit is reached.
    pub fn immediate(&self, b: Block) -> Option<Block> {
        self.tree.idom(b.0).filter(|&d| d != self.tree.root()).map(Block)
    }
    /// Some path leads from it to an exit.
    pub fn reaches_exit(&self, b: Block) -> bool {
        self.tree.reachable(b.0)
    }
}
