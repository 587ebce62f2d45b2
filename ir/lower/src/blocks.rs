//! The shape of a function before its instructions are lowered: which LLVM blocks become IR blocks and in which order
//! (reverse postorder from the entry, then blocks that only a block address names), without the sanitizer handlers,
//! which become `check` instructions of their predecessors. Fixed per function on first use, because constants may
//! hold the address of a block of any function.

use crate::cx::Cx;
use crate::ffi::{Bb, Opcode, Val};
use std::collections::HashMap;
use std::rc::Rc;
use verify_ir::Block;

/// The blocks of a function.
pub struct Cfg<'m> {
    /// In IR order; the entry is first.
    pub order: Vec<Bb<'m>>,
    /// Position in `order`.
    pub number: HashMap<Bb<'m>, Block>,
    /// Instructions of each block in `order`.
    pub insts: Vec<Vec<Val<'m>>>,
    /// From this position on, blocks have no predecessors and are kept only because their address is a constant.
    pub reachable: usize,
    /// Positions of blocks whose address is taken.
    pub address_taken: Vec<Block>,
}

impl<'m> Cx<'m> {
    /// The shape of a function definition.
    pub fn cfg(&mut self, f: Val<'m>) -> Rc<Cfg<'m>> {
        if let Some(c) = self.cfgs.get(&f) {
            return c.clone();
        }
        let c = Rc::new(self.compute_cfg(f));
        self.cfgs.insert(f, c.clone());
        c
    }

    fn compute_cfg(&mut self, f: Val<'m>) -> Cfg<'m> {
        let layout = f.blocks();
        let Some(&entry) = layout.first() else {
            return Cfg { order: vec![], number: HashMap::new(), insts: vec![], reachable: 0, address_taken: vec![] };
        };
        // Iterative depth-first search; postorder reversed.
        let mut state: HashMap<Bb<'m>, ()> = HashMap::from([(entry, ())]);
        let mut post = Vec::new();
        let mut stack = vec![(entry, self.kept_successors(entry), 0usize)];
        while let Some((b, succ, i)) = stack.last_mut() {
            if let Some(&s) = succ.get(*i) {
                *i += 1;
                if state.insert(s, ()).is_none() {
                    let next = self.kept_successors(s);
                    stack.push((s, next, 0));
                }
            } else {
                post.push(*b);
                stack.pop();
            }
        }
        post.reverse();
        let reachable = post.len();
        let mut order = post;
        order.extend(layout.iter().filter(|b| b.address_taken() && !state.contains_key(b)));
        let number: HashMap<_, _> = order.iter().enumerate().map(|(i, b)| (*b, Block::new(i))).collect();
        let insts = order.iter().map(|b| b.insts()).collect();
        let address_taken = order.iter().filter(|b| b.address_taken()).map(|b| number[b]).collect();
        Cfg { order, number, insts, reachable, address_taken }
    }

    /// Successors without the handler of a conditional branch. Visited last first, so that the reverse postorder
    /// keeps the source order of branches.
    fn kept_successors(&mut self, b: Bb<'m>) -> Vec<Bb<'m>> {
        let Some(t) = b.terminator() else { return vec![] };
        let mut s = t.successors();
        if t.inst().op == Some(Opcode::LLVMBr)
            && let Some((_, keep)) = self.handler_branch(&s)
        {
            return vec![s[keep]];
        }
        s.reverse();
        s
    }

    /// For the successors of a conditional branch of which exactly one is a sanitizer handler: the positions of the
    /// handler and of the other one.
    pub fn handler_branch(&mut self, s: &[Bb<'m>]) -> Option<(usize, usize)> {
        let [a, b] = s else { return None };
        match (self.is_handler(*a), self.is_handler(*b)) {
            (true, false) => Some((0, 1)),
            (false, true) => Some((1, 0)),
            _ => None,
        }
    }
}
