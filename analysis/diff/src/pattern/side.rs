//! One side of a pattern: its body without what has no meaning here, its inputs and outputs, and its context.

use crate::plain::is_pure;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::{Body, Const, FuncId, InstKind, Module, Operand, Terminator, Ty, Value};

/// A parametrised control-flow graph (malik-2023 §8.1.1).
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub body: Body,
    pub inputs: Vec<Value>,
    pub outputs: Vec<Operand>,
    /// Instructions at the start of the entry block that both sides have: they say how values are made (§8.2.1).
    pub context: usize,
}

/// Types that stand for any type.
pub(crate) fn is_parameter(t: Ty) -> bool {
    matches!(t, Ty::Int(128) | Ty::Float(verify_ir::FloatKind::Quad))
}

impl Side {
    /// Reads a function of a pattern's unit.
    ///
    /// # Errors
    /// What a pattern cannot have.
    pub fn read(m: &Module, f: FuncId) -> Result<Side, String> {
        let info = m.func(f);
        let Some(body) = &info.body else { return Err("it has no body".into()) };
        if !info.sig.results.is_empty() {
            return Err("it returns something: what goes on is marked with VERIFY_OUTPUT".into());
        }
        if info.sig.params.iter().any(|p| p.attrs.byval.is_some()) || info.sig.variadic {
            return Err("an input that is passed by address, or any number of inputs".into());
        }
        let mut body = body.clone();
        let mut inputs = body.blocks[0].params.clone();
        let mut outputs = Vec::new();
        let mut marked = None;
        let mut returns = Vec::new();
        for (b, d) in body.blocks.iter_mut().enumerate() {
            let mut kept = Vec::new();
            for i in std::mem::take(&mut d.insts) {
                match &i.kind {
                    InstKind::InlineAsm(a) if a.template == "verify.input" => inputs.extend(&i.results),
                    InstKind::InlineAsm(a) if a.template == "verify.output" => {
                        outputs.extend(a.inputs.iter().cloned());
                        marked = Some(b);
                    }
                    InstKind::DebugValue { .. }
                    | InstKind::Check { .. }
                    | InstKind::LifetimeStart { .. }
                    | InstKind::LifetimeEnd { .. } => {}
                    InstKind::Alloca { .. } => return Err("a variable that lies in memory".into()),
                    InstKind::Unmodelled { reason, .. } => return Err(format!("not modelled: {reason}")),
                    _ => kept.push(i),
                }
            }
            d.insts = kept;
            match &d.term {
                Terminator::Return(_) => returns.push(b),
                Terminator::Jump(_) | Terminator::Branch { .. } => {}
                _ => return Err("it ends otherwise than by getting to its end".into()),
            }
        }
        let [end] = returns.as_slice() else { return Err("it has several ends".into()) };
        if marked.is_some_and(|b| b != *end) {
            return Err("an output is marked elsewhere than at the end".into());
        }
        if !loopless(&body) {
            return Err("a loop".into());
        }
        drop_unused(&mut body, &outputs);
        Ok(Side { body, inputs, outputs, context: 0 })
    }

    pub fn input_types(&self) -> Vec<Ty> {
        self.inputs.iter().map(|v| self.body.ty(*v)).collect()
    }

    pub fn output_types(&self) -> Vec<Ty> {
        self.outputs.iter().map(|o| self.body.operand_ty(o)).collect()
    }

    /// Values that the context makes.
    pub fn context_values(&self) -> BTreeSet<Value> {
        self.body.blocks[0].insts[..self.context].iter().flat_map(|i| &i.results).copied().collect()
    }

    pub fn same_code(&self, other: &Side) -> bool {
        let (mut x, mut y) = (self.clone(), other.clone());
        verify_ir::compact::compact_values(&mut x.body);
        verify_ir::compact::compact_values(&mut y.body);
        let text = |b: &Body| -> Vec<String> {
            b.blocks
                .iter()
                .map(|d| {
                    let insts: Vec<_> = d.insts.iter().map(|i| (&i.results, &i.kind)).collect();
                    format!("{:?} {insts:?} {:?}", d.params, d.term)
                })
                .collect()
        };
        text(&x.body) == text(&y.body)
    }
}

fn loopless(b: &Body) -> bool {
    verify_facts::LoopForest::new(b).loops.is_empty()
}

/// What was computed for a check only.
fn drop_unused(body: &mut Body, outputs: &[Operand]) {
    loop {
        let mut used: BTreeSet<Value> = outputs.iter().filter_map(Operand::as_value).collect();
        for d in &body.blocks {
            d.insts.iter().for_each(|i| i.kind.for_each_operand(|o| used.extend(o.as_value())));
            d.term.for_each_operand(|o| used.extend(o.as_value()));
        }
        let before: usize = body.blocks.iter().map(|d| d.insts.len()).sum();
        for d in &mut body.blocks {
            d.insts.retain(|i| !is_pure(&i.kind) || i.results.iter().any(|r| used.contains(r)));
        }
        if body.blocks.iter().map(|d| d.insts.len()).sum::<usize>() == before {
            return;
        }
    }
}

/// The code that both sides begin with, up to the first pair of instructions that differ.
pub(crate) fn share_context(old: &mut Side, new: &mut Side) {
    let mut map: BTreeMap<Value, Value> = old.inputs.iter().copied().zip(new.inputs.iter().copied()).collect();
    let mut n = 0;
    for (i, j) in old.body.blocks[0].insts.iter().zip(&new.body.blocks[0].insts) {
        let mut k = i.kind.clone();
        k.for_each_operand_mut(|o| {
            if let Operand::Value(v) = o {
                *o = map.get(v).map_or(Operand::Const(Const::Null), |w| Operand::Value(*w));
            }
        });
        let typed = |b: &Body, r: &[Value]| -> Vec<Ty> { r.iter().map(|v| b.ty(*v)).collect() };
        let writes = matches!(
            k,
            InstKind::Store { .. } | InstKind::MemCopy { .. } | InstKind::MemSet { .. } | InstKind::InlineAsm(_)
        );
        if k != j.kind || typed(&old.body, &i.results) != typed(&new.body, &j.results) || i.results.is_empty() || writes
        {
            break;
        }
        map.extend(i.results.iter().copied().zip(j.results.iter().copied()));
        n += 1;
    }
    old.context = n;
    new.context = n;
}
