//! Irreducible loops made reducible by node splitting. A loop with several entries keeps one, its header; the blocks
//! that the other entries lead to without passing the header are copied, and who entered there from outside enters the
//! copy. What remains irreducible inside is smaller and is split again.
//!
//! The new body does what the old one did, instruction by instruction; [`Split`] says which block and value each one
//! is a copy of. Values that now have several definitions reach their uses through block parameters.

use crate::loops::LoopForest;
use crate::points_to::SparseSet;
use std::collections::BTreeMap;
use verify_ir::graph::Graph;
use verify_ir::inst::Terminator;
use verify_ir::{Block, Body, InstKind, Module, Operand, Value};

/// A body without irreducible loops.
#[derive(Clone, PartialEq, Debug)]
pub struct Split {
    /// The body.
    pub body: Body,
    /// For each block, the block of the old body that it is or is a copy of.
    pub block_of: Vec<Block>,
    /// For each value, the value of the old body that it stands for.
    pub value_of: Vec<Value>,
}

/// Why a body stays irreducible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It would have more than this many blocks.
    TooLarge {
        /// The limit.
        blocks: usize,
    },
    /// A block in question is the target of a computed `goto`: its address is the address of one block.
    ComputedGoto(Block),
    /// A block in question makes room for an array: the array would have two declarations.
    Alloca(Block),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::TooLarge { blocks } => write!(f, "irreducible loop: splitting needs more than {blocks} blocks"),
            Refused::ComputedGoto(b) => write!(f, "irreducible loop through computed goto to {b}"),
            Refused::Alloca(b) => write!(f, "irreducible loop with an array of variable length in {b}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Splits until no loop is irreducible. The body may grow to four times its blocks (and at least 64).
///
/// # Errors
/// When that is not enough, or a block to be copied is the target of a computed `goto` or holds an `alloca`.
pub fn make_reducible(body: &Body) -> Result<Split, Refused> {
    let limit = (body.blocks.len() * 4).max(64);
    let mut s = Split {
        body: body.clone(),
        block_of: body.block_ids().collect(),
        value_of: (0..body.values.len()).map(Value::new).collect(),
    };
    loop {
        let forest = LoopForest::new(&s.body);
        let Some(l) = forest.loops.iter().find(|l| l.irreducible) else { return Ok(s) };
        // What the other entries reach inside without the header.
        let graph = Graph::of_body(&s.body);
        let mut region = SparseSet::new();
        let mut work: Vec<Block> = l.entries.iter().copied().filter(|b| *b != l.header).collect();
        while let Some(b) = work.pop() {
            if b != l.header && l.contains(b) && region.insert(b.0) {
                work.extend(graph.succs(b.0).iter().map(|t| Block(*t)));
            }
        }
        if s.body.blocks.len() + region.len() > limit {
            return Err(Refused::TooLarge { blocks: limit });
        }
        for b in &s.body.blocks {
            if let Terminator::IndirectJump { targets, .. } = &b.term
                && let Some(e) = targets.iter().find(|e| region.contains(e.block.0))
            {
                return Err(Refused::ComputedGoto(s.block_of[e.block.index()]));
            }
        }
        let alloca = |b: &Block| s.body.block(*b).insts.iter().any(|i| matches!(i.kind, InstKind::Alloca { .. }));
        if let Some(b) = region.iter().map(Block).find(alloca) {
            return Err(Refused::Alloca(s.block_of[b.index()]));
        }
        let inside: SparseSet = l.blocks.iter().map(|b| b.0).collect();
        s.copy(&region, &inside);
    }
}

/// Splits all functions of a module. Where one stays irreducible, whoever analyses it says so.
pub fn all(module: &mut Module) {
    for body in module.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
        if LoopForest::new(body).loops.iter().any(|l| l.irreducible)
            && let Ok(split) = make_reducible(body)
        {
            *body = split.body;
        }
    }
}

impl Split {
    /// Copies a region; edges into it from outside the loop go to the copy.
    pub(crate) fn copy(&mut self, region: &SparseSet, inside: &SparseSet) {
        let old = self.body.blocks.len();
        let mut block: BTreeMap<Block, Block> = BTreeMap::new();
        let mut value: BTreeMap<Value, Value> = BTreeMap::new();
        for b in region.iter().map(Block) {
            let copy = self.body.block(b).clone();
            let defined = copy.params.iter().chain(copy.insts.iter().flat_map(|i| &i.results));
            for &v in defined {
                let data = self.body.values[v.index()];
                value.insert(v, self.body.new_value(data.ty, data.var));
                self.value_of.push(self.value_of[v.index()]);
            }
            block.insert(b, Block::new(self.body.blocks.len()));
            self.block_of.push(self.block_of[b.index()]);
            self.body.blocks.push(copy);
        }
        for b in &mut self.body.blocks[old..] {
            let rename = |o: &mut Operand| {
                if let Operand::Value(v) = o
                    && let Some(n) = value.get(v)
                {
                    *v = *n;
                }
            };
            b.params.iter_mut().for_each(|p| *p = value[p]);
            for inst in &mut b.insts {
                inst.results.iter_mut().for_each(|r| *r = value[r]);
                inst.kind.for_each_operand_mut(rename);
            }
            b.term.for_each_operand_mut(rename);
            for e in b.term.targets_mut() {
                e.block = *block.get(&e.block).unwrap_or(&e.block);
            }
        }
        for (i, b) in self.body.blocks[..old].iter_mut().enumerate() {
            if !inside.contains(i as u32) {
                for e in b.term.targets_mut() {
                    e.block = *block.get(&e.block).unwrap_or(&e.block);
                }
            }
        }
        for (&v, &copy) in &value {
            self.join(v, copy);
        }
    }

    /// Repairs a value that has two definitions now: blocks where it is live get it as a parameter.
    fn join(&mut self, v: Value, copy: Value) {
        let n = self.body.blocks.len();
        let mut defined: Vec<Option<Value>> = vec![None; n];
        let mut read = vec![false; n];
        let either = |o: &Operand| matches!(o, Operand::Value(x) if *x == v || *x == copy);
        for (i, b) in self.body.blocks.iter().enumerate() {
            let results = b.params.iter().chain(b.insts.iter().flat_map(|i| &i.results));
            defined[i] = results.copied().find(|x| *x == v || *x == copy);
            let mut found = false;
            b.insts.iter().for_each(|i| i.kind.for_each_operand(|o| found |= either(o)));
            b.term.for_each_operand(|o| found |= either(o));
            // In the block of a definition, uses follow it.
            read[i] = found && defined[i].is_none();
        }
        let preds = Graph::of_body(&self.body).reversed();
        let mut live = read;
        let mut work: Vec<u32> = (0..n as u32).filter(|b| live[*b as usize]).collect();
        while let Some(b) = work.pop() {
            for &p in preds.succs(b) {
                if defined[p as usize].is_none() && !std::mem::replace(&mut live[p as usize], true) {
                    work.push(p);
                }
            }
        }
        if live.iter().all(|l| !l) {
            return; // each is read in its own block only
        }
        let data = self.body.values[v.index()];
        let mut name = defined;
        for i in 0..n {
            if live[i] {
                let p = self.body.new_value(data.ty, data.var);
                self.value_of.push(self.value_of[v.index()]);
                name[i] = Some(p);
            }
        }
        for i in 0..n {
            let Some(now) = name[i] else { continue };
            let b = &mut self.body.blocks[i];
            if live[i] {
                b.params.push(now);
                let rename = |o: &mut Operand| {
                    if matches!(o, Operand::Value(x) if *x == v || *x == copy) {
                        *o = Operand::Value(now);
                    }
                };
                b.insts.iter_mut().for_each(|i| i.kind.for_each_operand_mut(rename));
                b.term.for_each_operand_mut(rename);
            }
            for e in b.term.targets_mut() {
                if live[e.block.index()] {
                    e.args.push(Operand::Value(now));
                }
            }
        }
    }
}
