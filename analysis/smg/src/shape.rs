//! What the walk needs to know of a body besides its text: order of blocks, where loops begin, live values, what can fail
//! where, and which constants it compares with.

use std::collections::BTreeSet;
use verify_checks::KindSet;
use verify_checks::defs::{Def, Defs};
use verify_checks::places::Places;
use verify_facts::{Liveness, LoopForest};
use verify_ir::graph::Graph;
use verify_ir::{Block, Body, Const, Inst, InstKind, Module, Operand, Value};

/// Facts about a body.
pub struct Shape {
    /// Place of each block in reverse postorder.
    pub order: Vec<u32>,
    /// A loop begins here.
    pub head: Vec<bool>,
    /// Several edges lead here.
    pub meet: Vec<bool>,
    /// Live values.
    pub live: Liveness,
    /// Per block, per instruction and for the terminator: what can fail, and what does because of poison.
    pub kinds: Vec<Vec<(KindSet, KindSet)>>,
    /// Bounds to widen to, ascending.
    pub steps: Vec<i64>,
    /// Stack objects that come alive by `lifetime.start`.
    pub scoped: BTreeSet<Value>,
    defs: Vec<Def>,
}

impl Shape {
    /// Of a body.
    pub fn new(module: &Module, body: &Body) -> Shape {
        let graph = Graph::of_body(body);
        let mut order = vec![u32::MAX; body.blocks.len()];
        for (k, b) in graph.reverse_postorder(0).into_iter().enumerate() {
            order[b as usize] = k as u32;
        }
        let forest = LoopForest::new(body);
        let mut head = vec![false; body.blocks.len()];
        for b in body.block_ids() {
            if let Some(l) = forest.innermost(b) {
                head[b.index()] = forest.get(l).entries.contains(&b);
            }
        }
        // Whatever is taken for a loop: nothing may go round without passing a head.
        for b in body.block_ids() {
            for e in body.block(b).term.targets() {
                if order[e.block.index()] <= order[b.index()] {
                    head[e.block.index()] = true;
                }
            }
        }
        let preds = graph.reversed();
        let meet = body.block_ids().map(|b| preds.succs(b.0).len() > 1).collect();
        let defs = Defs::new(body);
        let places = Places::new(module, &defs);
        let kinds = body
            .block_ids()
            .map(|b| {
                let data = body.block(b);
                let insts = data.insts.iter().map(|i| (places.inst(&i.results, &i.kind), places.poison(&i.kind)));
                insts.chain([(places.term(&data.term), places.poison_in_term(&data.term))]).collect()
            })
            .collect();
        let mut steps: BTreeSet<i64> =
            [-1, 0, 1, 127, 255, 32767, 65535, i64::from(i32::MAX), i64::from(u32::MAX)].into();
        steps.extend([-128, -32768, i64::from(i32::MIN)]);
        let mut scoped = BTreeSet::new();
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            match &i.kind {
                InstKind::Icmp { lhs, rhs, .. } => {
                    for o in [lhs, rhs] {
                        if let Operand::Const(Const::Int { width, value }) = o
                            && *width <= 64
                        {
                            let c = crate::value::signed(*width, *value as u64);
                            steps.extend([c.saturating_sub(1), c, c.saturating_add(1)]);
                        }
                    }
                }
                InstKind::LifetimeStart { object: Operand::Value(v) } => _ = scoped.insert(*v),
                _ => {}
            }
        }
        let defs = (0..body.values.len()).map(|v| defs.def(Value::new(v))).collect();
        let live = Liveness::new(body);
        Shape { order, head, meet, live, kinds, steps: steps.into_iter().collect(), scoped, defs }
    }

    /// The instruction that makes the value of an operand.
    pub fn made_by<'a>(&self, body: &'a Body, o: &Operand) -> Option<&'a Inst> {
        match self.defs[o.as_value()?.index()] {
            Def::Inst(b, i) => body.block(b).insts.get(i as usize),
            _ => None,
        }
    }

    /// The order in which blocks are looked at.
    pub fn rank(&self, b: Block) -> u32 {
        self.order[b.index()]
    }
}
