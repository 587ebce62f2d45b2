//! Live values: those that some path from a place may still read. Backward data flow over block parameters: an edge's
//! arguments are read at the end of the block it leaves; a block's parameters are defined at its start.

use crate::points_to::SparseSet;
use verify_ir::graph::Graph;
use verify_ir::{Block, Body, Loc, Operand, Value};

/// Live values of a body at the borders of its blocks. Values of blocks that are not reachable count as read there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    entry: Vec<SparseSet>,
    exit: Vec<SparseSet>,
}

impl Liveness {
    /// Of a body.
    pub fn new(body: &Body) -> Liveness {
        let n = body.blocks.len();
        let graph = Graph::of_body(body);
        let preds = graph.reversed();
        // Read before defined in the block; defined in it.
        let mut reads = vec![SparseSet::new(); n];
        let mut defines = vec![SparseSet::new(); n];
        for (i, b) in body.blocks.iter().enumerate() {
            let (read, defined) = (&mut reads[i], &mut defines[i]);
            b.params.iter().for_each(|p| _ = defined.insert(p.0));
            let mut use_of = |o: &Operand, defined: &SparseSet| {
                if let Operand::Value(v) = o
                    && !defined.contains(v.0)
                {
                    read.insert(v.0);
                }
            };
            for inst in &b.insts {
                inst.kind.for_each_operand(|o| use_of(o, defined));
                inst.results.iter().for_each(|r| _ = defined.insert(r.0));
            }
            b.term.for_each_operand(|o| use_of(o, defined));
        }
        let mut l = Liveness { entry: reads, exit: vec![SparseSet::new(); n] };
        // Postorder first: most bodies take two passes.
        let mut order = graph.reverse_postorder(0);
        let mut reached = vec![false; n];
        order.iter().for_each(|b| reached[*b as usize] = true);
        order.extend((0..n as u32).filter(|b| !reached[*b as usize]));
        let mut work = order;
        let mut queued = vec![true; n];
        while let Some(b) = work.pop() {
            let i = b as usize;
            queued[i] = false;
            let mut out = SparseSet::new();
            for s in graph.succs(b) {
                out.union_with(&l.entry[*s as usize]);
            }
            let through = out.minus(&defines[i]).minus(&l.entry[i]);
            l.exit[i] = out;
            if !through.is_empty() {
                l.entry[i].merge(&through);
                for &p in preds.succs(b) {
                    if !std::mem::replace(&mut queued[p as usize], true) {
                        work.push(p);
                    }
                }
            }
        }
        l
    }

    /// Live before the block's first instruction; its parameters are not in it.
    pub fn entry(&self, b: Block) -> impl Iterator<Item = Value> + '_ {
        self.entry[b.index()].iter().map(Value)
    }

    /// Live after the block's terminator has read its operands.
    pub fn exit(&self, b: Block) -> impl Iterator<Item = Value> + '_ {
        self.exit[b.index()].iter().map(Value)
    }

    /// Live before the block's first instruction.
    pub fn live_in(&self, b: Block, v: Value) -> bool {
        self.entry[b.index()].contains(v.0)
    }

    /// Live out of the block.
    pub fn live_out(&self, b: Block, v: Value) -> bool {
        self.exit[b.index()].contains(v.0)
    }

    /// Live before the instruction (or terminator) at a place, by id; block parameters are when they are read from
    /// there on.
    pub fn at(&self, body: &Body, loc: Loc) -> Vec<Value> {
        let b = body.block(loc.block);
        let mut live = self.exit[loc.block.index()].clone();
        b.term.for_each_operand(|o| {
            if let Operand::Value(v) = o {
                live.insert(v.0);
            }
        });
        for inst in b.insts.iter().skip(loc.inst as usize).rev() {
            let made: SparseSet = inst.results.iter().map(|r| r.0).collect();
            live = live.minus(&made);
            inst.kind.for_each_operand(|o| {
                if let Operand::Value(v) = o {
                    live.insert(v.0);
                }
            });
        }
        live.iter().map(Value).collect()
    }
}
