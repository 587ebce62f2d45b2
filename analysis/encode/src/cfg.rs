//! What the encoder needs of a function's control-flow graph: order, loops, and which values outlive their loop.

use std::collections::BTreeSet;
use verify_facts::{Graph, LoopForest, LoopId};
use verify_ir::{Block, Body, Inst, InstKind, Operand, Value};

/// Prepared control flow of a body.
pub struct Cfg {
    /// Position of a block in reverse postorder; `None`: not reachable.
    pub order: Vec<Option<u32>>,
    /// Loops.
    pub loops: LoopForest,
    /// Values defined in a loop and used outside of it: they differ by the iteration that leaves.
    pub outliving: BTreeSet<Value>,
    /// The stack object that a value points into, as far as address computations show.
    pub roots: Vec<Option<Value>>,
    /// Block that makes each value.
    home: Vec<Option<Block>>,
    /// Blocks of the function (at top level: those in no loop; of a loop: its own and headers of inner ones), ordered.
    regions: Vec<Vec<Block>>,
    /// Only these are walked, and the first of them but once.
    part: Option<(Block, BTreeSet<Block>)>,
}

impl Cfg {
    /// For a body.
    pub fn new(body: &Body) -> Cfg {
        Cfg::of_graph(body, Graph::of_body(body), 0, None)
    }

    /// For the part of a body that is walked from `start`, through these blocks, until it comes by `start` again.
    pub fn of_part(body: &Body, start: Block, part: &BTreeSet<Block>) -> Cfg {
        let mut edges = Vec::new();
        for b in part {
            let next = body.block(*b).term.targets().into_iter().map(|e| e.block);
            edges.extend(next.filter(|t| *t != start && part.contains(t)).map(|t| (b.0, t.0)));
        }
        let graph = Graph::from_edges(body.blocks.len(), &edges);
        Cfg::of_graph(body, graph, start.0, Some((start, part.clone())))
    }

    fn of_graph(body: &Body, graph: Graph, root: u32, part: Option<(Block, BTreeSet<Block>)>) -> Cfg {
        let mut order = vec![None; body.blocks.len()];
        let rpo = graph.reverse_postorder(root);
        for (i, b) in rpo.iter().enumerate() {
            order[*b as usize] = Some(i as u32);
        }
        let loops = LoopForest::of_graph_from(&graph, root);
        let mut regions = vec![Vec::new(); loops.loops.len() + 1];
        for &b in &rpo {
            let b = Block(b);
            let slot = |l: Option<LoopId>| l.map_or(0, |l| l.0 as usize + 1);
            let inner = loops.innermost(b);
            regions[slot(inner)].push(b);
            if let Some(l) = inner
                && loops.get(l).header == b
            {
                regions[slot(loops.get(l).parent)].push(b);
            }
        }
        let mut home: Vec<Option<Block>> = vec![None; body.values.len()];
        let mut roots = vec![None; body.values.len()];
        for b in body.block_ids() {
            for v in &body.block(b).params {
                home[v.index()] = Some(b);
            }
            for i in &body.block(b).insts {
                for v in &i.results {
                    home[v.index()] = Some(b);
                }
            }
        }
        for b in Graph::of_body(body).reverse_postorder(0) {
            for Inst { results, kind, .. } in &body.blocks[b as usize].insts {
                match kind {
                    InstKind::Alloca { .. } => roots[results[0].index()] = Some(results[0]),
                    InstKind::Addr { base: Operand::Value(v), .. } => roots[results[0].index()] = roots[v.index()],
                    _ => {}
                }
            }
        }
        let mut outliving = BTreeSet::new();
        if !loops.loops.is_empty() {
            for b in body.block_ids() {
                let mut used = |o: &Operand| {
                    let Operand::Value(v) = o else { return };
                    let mut l = home[v.index()].and_then(|d| loops.innermost(d));
                    while let Some(id) = l {
                        if !loops.get(id).contains(b) {
                            outliving.insert(*v);
                            return;
                        }
                        l = loops.get(id).parent;
                    }
                };
                let data = body.block(b);
                data.insts.iter().for_each(|i| i.kind.for_each_operand(&mut used));
                data.term.for_each_operand(&mut used);
            }
        }
        Cfg { order, loops, outliving, roots, home, regions, part }
    }

    /// The walk ends where it gets here.
    pub fn ends_at(&self, b: Block) -> bool {
        self.part.as_ref().is_some_and(|(start, part)| b == *start || !part.contains(&b))
    }

    /// The block that makes a value.
    pub fn home(&self, v: Value) -> Option<Block> {
        self.home[v.index()]
    }

    /// At `b`, the latest value is the one that executions there see: every loop that makes it is still running.
    pub fn current(&self, v: Value, b: Block) -> bool {
        let made = self.home[v.index()].and_then(|h| self.loops.innermost(h));
        made.is_none_or(|l| self.loops.get(l).contains(b))
    }

    /// Blocks to be walked in a region, in order.
    pub fn region(&self, l: Option<LoopId>) -> &[Block] {
        &self.regions[l.map_or(0, |l| l.0 as usize + 1)]
    }

    /// The region that a block belongs to, seen from `l`: it is in `l` (or anywhere, for the function).
    pub fn inside(&self, l: Option<LoopId>, b: Block) -> bool {
        l.is_none_or(|l| self.loops.get(l).contains(b))
    }

    /// The loop that `b` heads, if its parent is `l`.
    pub fn heads(&self, l: Option<LoopId>, b: Block) -> Option<LoopId> {
        let inner = self.loops.innermost(b)?;
        // A block heads at most one loop in a forest made of strongly connected components.
        (self.loops.get(inner).header == b && Some(inner) != l && self.loops.get(inner).parent == l).then_some(inner)
    }
}
