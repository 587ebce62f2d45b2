//! Bodies: definitions, dominance, edges. Types of operands are in `typing`.

use super::Checker;
use crate::constant::Operand;
use crate::entity::{Block, Value};
use crate::function::{Body, Function, Loc};
use crate::graph::{DomTree, Graph};
use crate::inst::{InstKind, Step, Terminator};
use crate::text::ty_name;
use crate::types::Ty;

/// Where values are defined and how blocks dominate each other.
pub(super) struct Defs {
    /// Definition of each value; a block parameter is "instruction" 0 of its block, instruction `i` is `i + 1`.
    at: Vec<Option<(Block, u32)>>,
    dom: DomTree,
}

impl Checker<'_> {
    pub(super) fn body(&mut self, f: &Function, body: &Body) {
        if body.blocks.is_empty() {
            self.problem("the body has no blocks");
            return;
        }
        for v in &body.vars {
            self.ctype(v.ctype);
            self.span(v.span);
        }
        for (i, v) in body.values.iter().enumerate() {
            self.ty(v.ty, || format!("v{i}"));
            if let Some(var) = v.var {
                self.in_range(var, var.index(), body.vars.len(), "variable");
            }
        }
        self.entry(f, body);
        let defs = self.definitions(body);
        for (bi, b) in body.blocks.iter().enumerate() {
            let block = Block::new(bi);
            for (i, inst) in b.insts.iter().enumerate() {
                self.loc = Some(Loc { block, inst: i as u32 });
                self.span(inst.span);
                inst.kind.for_each_operand(|o| self.operand(body, &defs, o));
                if let InstKind::Addr { steps, .. } = &inst.kind {
                    for s in steps {
                        match s {
                            Step::Field { record, .. } => self.ctype(*record),
                            Step::Index { elem, .. } => self.ctype(*elem),
                        }
                    }
                }
                self.inst(body, inst);
            }
            self.loc = Some(Loc { block, inst: b.insts.len() as u32 });
            self.span(b.term_span);
            b.term.for_each_operand(|o| self.operand(body, &defs, o));
            if let Terminator::Switch { cases, .. } = &b.term {
                cases.iter().for_each(|(c, _)| self.constant(c));
            }
            self.terminator(f, body, &b.term);
            self.edges(body, &b.term);
        }
        self.loc = None;
    }

    fn entry(&mut self, f: &Function, body: &Body) {
        let params = &body.blocks[0].params;
        let types: Vec<Option<Ty>> = params.iter().map(|p| body.values.get(p.index()).map(|v| v.ty)).collect();
        let same = types.len() == f.sig.params.len() && types.iter().zip(&f.sig.params).all(|(t, p)| *t == Some(p.ty));
        self.require(same, || "the parameters of the entry block are not those of the signature".into());
        let back = body.blocks.iter().position(|b| b.term.targets().iter().any(|e| e.block.0 == 0));
        if let Some(b) = back {
            self.problem(format!("b{b} jumps to the entry block"));
        }
    }

    fn definitions(&mut self, body: &Body) -> Defs {
        let mut at = vec![None; body.values.len()];
        for (bi, b) in body.blocks.iter().enumerate() {
            let params = b.params.iter().map(|p| (0, *p));
            let results =
                b.insts.iter().enumerate().flat_map(|(i, n)| n.results.iter().map(move |r| (i as u32 + 1, *r)));
            for (inst, v) in params.chain(results) {
                let block = Block::new(bi);
                self.loc = Some(Loc { block, inst: inst.saturating_sub(1) });
                match at.get_mut(v.index()) {
                    Some(slot @ None) => *slot = Some((block, inst)),
                    Some(Some(_)) => self.problem(format!("{v} is defined a second time")),
                    None => self.problem(format!("{v} does not exist")),
                }
            }
        }
        self.loc = None;
        for (i, a) in at.iter().enumerate() {
            self.require(a.is_some(), || format!("v{i} is never defined"));
        }
        Defs { at, dom: DomTree::new(&Graph::of_body(body), 0) }
    }

    fn operand(&mut self, body: &Body, defs: &Defs, o: &Operand) {
        match o {
            Operand::Const(c) => self.constant(c),
            Operand::Value(v) => self.in_scope(body, defs, *v),
        }
    }

    fn in_scope(&mut self, body: &Body, defs: &Defs, v: Value) {
        self.in_range(v, v.index(), body.values.len(), "value");
        let (Some(Some((block, inst))), Some(here)) = (defs.at.get(v.index()), self.loc) else { return };
        let ok = if *block == here.block {
            *inst <= here.inst
        } else {
            !defs.dom.reachable(here.block.0) || defs.dom.dominates(block.0, here.block.0)
        };
        self.require(ok, || format!("{v} (defined in {block}) is used where its definition does not dominate"));
    }

    fn edges(&mut self, body: &Body, term: &Terminator) {
        for (i, e) in term.targets().into_iter().enumerate() {
            let Some(target) = body.blocks.get(e.block.index()) else {
                self.problem(format!("{} does not exist", e.block));
                continue;
            };
            let params: Vec<Option<Ty>> =
                target.params.iter().map(|p| body.values.get(p.index()).map(|v| v.ty)).collect();
            // The call's results come first; how many they are only the target's parameters say.
            let results = match term {
                Terminator::Invoke { .. } if i == 0 => params.len().saturating_sub(e.args.len()),
                _ => 0,
            };
            let wanted = &params[results..];
            if wanted.len() != e.args.len() {
                self.problem(format!("{} arguments for the {} parameters of {}", e.args.len(), wanted.len(), e.block));
                continue;
            }
            for (n, (arg, want)) in e.args.iter().zip(wanted).enumerate() {
                let have = super::typing::operand_ty(body, arg);
                if let (Some(have), Some(want)) = (have, want) {
                    self.require(have == *want, || {
                        format!("argument {n} for {} is {}, its parameter {}", e.block, ty_name(have), ty_name(*want))
                    });
                }
            }
        }
    }
}
