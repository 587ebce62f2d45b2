//! Puts the old side of a pattern where its new side was found: as a call of a function that is the old side, with the
//! inputs as arguments and the outputs as results. The product looks into it like into any function that only one
//! version has.
//!
//! What belongs to the occurrence goes away; other instructions stay where they are. An occurrence whose parts are
//! separated by effects of others is left alone, and so is one after whose replacement the module is not well formed
//! (a value is used that is no output, or before it is there).

use super::Pattern;
use super::find::{Match, field, undisturbed};
use super::side::is_parameter;
use crate::plain::is_pure;
use crate::textual::Spot;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Step;
use verify_ir::{
    Block, Body, CType, Call, Const, Edge, FnAttrs, FuncId, Function, Global, GlobalId, Inst, InstKind, Linkage,
    Module, Operand, Param, Signature, SpanId, SymbolRef, Terminator, Ty, Value,
};

/// Where an instruction of the function is afterwards.
pub(super) type Moved = Box<dyn Fn(Spot) -> Option<Spot>>;

/// The module with one occurrence replaced.
pub(super) fn apply(p: &Pattern, m: &Module, f: FuncId, found: &Match) -> Option<(Module, Moved)> {
    let mut out = m.clone();
    let outputs: Vec<Value> =
        p.new.outputs.iter().map(|o| found.values.get(&o.as_value()?)?.as_value()).collect::<Option<_>>()?;
    if outputs.iter().collect::<BTreeSet<_>>().len() != outputs.len() {
        return None;
    }
    let needed = used_by_old(p);
    let mut args = Vec::new();
    for v in &needed {
        args.push(bound(p, found, *v)?);
    }
    let side = Copier { p, found, unit: m.func(f).unit };
    let callee = side.function(&mut out, &needed)?;
    let params =
        args.iter().map(|a| Param::plain(m.func(f).body.as_ref().map_or(Ty::Ptr, |b| b.operand_ty(a)))).collect();
    let call = Call {
        callee: Operand::Const(Const::Symbol(SymbolRef::Func(callee))),
        args: args.clone(),
        params,
        fixed: None,
        noreturn: false,
        returns_twice: false,
    };
    let body = out.functions[f.index()].body.as_mut()?;
    let span = found.spots.first().map_or(SpanId(0), |s| body.blocks[s.0 as usize].insts[s.1 as usize].span);
    let removed = removed(body, found, &outputs)?;
    let inst = Inst { results: outputs, kind: InstKind::Call(Box::new(call)), span };
    let moved = if found.blocks.len() == 1 && found.exit.0 == found.blocks[0] {
        in_block(body, found, &removed, inst, &args)?
    } else {
        region(body, found, &removed, inst)?
    };
    verify_ir::compact::compact_values(body);
    verify_ir::check::check(&out).ok()?;
    Some((out, moved))
}

/// Inputs and values of the context that the old side uses.
fn used_by_old(p: &Pattern) -> Vec<Value> {
    let mut used = BTreeSet::new();
    for (b, d) in p.old.body.blocks.iter().enumerate() {
        let from = if b == 0 { p.old.context } else { 0 };
        d.insts[from..].iter().for_each(|i| i.kind.for_each_operand(|o| used.extend(o.as_value())));
        d.term.for_each_operand(|o| used.extend(o.as_value()));
    }
    used.extend(p.old.outputs.iter().filter_map(Operand::as_value));
    let ctx = p.old.context_values();
    used.into_iter().filter(|v| p.old.inputs.contains(v) || ctx.contains(v)).collect()
}

/// What a value of the old side is in the function: inputs by their order, those of the context by theirs.
fn bound(p: &Pattern, found: &Match, v: Value) -> Option<Operand> {
    let theirs = match p.old.inputs.iter().position(|i| *i == v) {
        Some(k) => p.new.inputs[k],
        None => {
            let insts = |s: &super::Side| -> Vec<Value> {
                s.body.blocks[0].insts[..s.context].iter().flat_map(|i| i.results.clone()).collect()
            };
            let k = insts(&p.old).iter().position(|i| *i == v)?;
            insts(&p.new)[k]
        }
    };
    found.values.get(&theirs).cloned()
}

/// Instructions that go: all of the occurrence but what others still need and can have.
fn removed(body: &Body, found: &Match, outputs: &[Value]) -> Option<BTreeSet<Spot>> {
    let mut gone = found.spots.clone();
    loop {
        let mut used: BTreeSet<Value> = BTreeSet::new();
        for (b, d) in body.blocks.iter().enumerate() {
            for (k, i) in d.insts.iter().enumerate() {
                if !gone.contains(&(b as u32, k as u32)) && !matches!(i.kind, InstKind::DebugValue { .. }) {
                    i.kind.for_each_operand(|o| used.extend(o.as_value()));
                }
            }
            if !found.blocks.contains(&(b as u32)) || found.blocks.len() == 1 || found.exit.0 == b as u32 {
                d.term.for_each_operand(|o| used.extend(o.as_value()));
            }
        }
        let back: Vec<Spot> = gone
            .iter()
            .copied()
            .filter(|s| {
                let i = &body.blocks[s.0 as usize].insts[s.1 as usize];
                i.results.iter().any(|r| used.contains(r) && !outputs.contains(r))
            })
            .collect();
        if back.is_empty() {
            return Some(gone);
        }
        for s in back {
            let i = &body.blocks[s.0 as usize].insts[s.1 as usize];
            if !is_pure(&i.kind) || i.results.iter().any(|r| outputs.contains(r)) {
                return None;
            }
            gone.remove(&s);
        }
    }
}

/// All in one block: the call stands where the first effect was, or where the last argument is there.
fn in_block(body: &mut Body, found: &Match, removed: &BTreeSet<Spot>, call: Inst, args: &[Operand]) -> Option<Moved> {
    let b = found.blocks[0];
    if !undisturbed(body, Block(b), &found.spots) {
        return None;
    }
    let d = &mut body.blocks[b as usize];
    let effect = found.spots.iter().map(|s| s.1).find(|k| !is_pure(&d.insts[*k as usize].kind));
    let start = effect.or(found.spots.first().map(|s| s.1))?;
    let ready = d
        .insts
        .iter()
        .enumerate()
        .filter(|(_, i)| i.results.iter().any(|r| args.contains(&Operand::Value(*r))))
        .map(|(k, _)| k as u32 + 1)
        .max();
    let at = ready.map_or(start, |r| r.max(start));
    let passed = (start..at).any(|k| !found.spots.contains(&(b, k)) && !is_pure(&d.insts[k as usize].kind));
    if passed {
        return None;
    }
    let outputs = call.results.clone();
    let gone = |k: u32| removed.contains(&(b, k));
    let count = d.insts.len() as u32;
    let mut map: BTreeMap<u32, u32> = BTreeMap::new();
    let mut insts = Vec::new();
    let mut call = Some(call);
    for (k, i) in std::mem::take(&mut d.insts).into_iter().enumerate() {
        if k as u32 == at {
            insts.extend(call.take());
        }
        // What debuggers would be told before the value is there.
        let early = call.is_some()
            && matches!(&i.kind, InstKind::DebugValue { value: Operand::Value(v), .. } if outputs.contains(v));
        if !gone(k as u32) && !early {
            map.insert(k as u32, insts.len() as u32);
            insts.push(i);
        }
    }
    insts.extend(call);
    map.insert(count, insts.len() as u32);
    d.insts = insts;
    Some(Box::new(move |s: Spot| if s.0 == b { map.get(&s.1).map(|k| (b, *k)) } else { Some(s) }))
}

/// Over several blocks: the first one goes on where the occurrence ends.
fn region(body: &mut Body, found: &Match, removed: &BTreeSet<Spot>, call: Inst) -> Option<Moved> {
    let first = *found.blocks.first()?;
    let (last, upto) = found.exit;
    let inside: BTreeSet<u32> = found.blocks.iter().copied().filter(|b| *b != last).collect();
    if first == last || !body.blocks[last as usize].params.is_empty() {
        return None;
    }
    let start = found.spots.iter().filter(|s| s.0 == first).map(|s| s.1).min()?;
    let foreign =
        |b: u32, k: u32| !found.spots.contains(&(b, k)) && !is_pure(&body.blocks[b as usize].insts[k as usize].kind);
    for b in &inside {
        let from = if *b == first { start } else { 0 };
        if (from..body.blocks[*b as usize].insts.len() as u32).any(|k| foreign(*b, k)) {
            return None;
        }
    }
    if (0..upto).any(|k| foreign(last, k)) {
        return None;
    }
    let from_outside = |b: u32| {
        body.blocks
            .iter()
            .enumerate()
            .any(|(p, d)| !inside.contains(&(p as u32)) && d.term.targets().iter().any(|e| e.block.0 == b))
    };
    if inside.iter().any(|b| *b != first && from_outside(*b)) || upto > 0 && from_outside(last) {
        return None;
    }
    let d = &mut body.blocks[first as usize];
    let mut k = 0;
    d.insts.retain(|_| {
        k += 1;
        !removed.contains(&(first, k - 1))
    });
    d.insts.push(call);
    d.term = Terminator::Jump(Edge::to(Block(last)));
    let mut k = 0;
    let d = &mut body.blocks[last as usize];
    d.insts.retain(|_| {
        k += 1;
        !removed.contains(&(last, k - 1))
    });
    for b in inside.iter().filter(|b| **b != first) {
        let d = &mut body.blocks[*b as usize];
        d.insts.clear();
        d.term = Terminator::Unreachable;
    }
    let mut touched = inside;
    touched.insert(last);
    Some(Box::new(move |s: Spot| (!touched.contains(&s.0)).then_some(s)))
}

struct Copier<'a> {
    p: &'a Pattern,
    found: &'a Match,
    unit: verify_ir::UnitId,
}

impl Copier<'_> {
    /// The old side as a function of the program.
    fn function(&self, m: &mut Module, params: &[Value]) -> Option<FuncId> {
        let side = &self.p.old;
        let mut body = side.body.clone();
        for v in &mut body.values {
            v.ty = self.ty(v.ty)?;
            v.var = None;
        }
        body.vars.clear();
        body.blocks[0].insts.drain(..side.context);
        body.blocks[0].params = params.to_vec();
        let mut results: Vec<Operand> = side.outputs.clone();
        for o in &mut results {
            *o = self.operand(m, o)?;
        }
        for d in &mut body.blocks {
            d.term_span = SpanId(0);
            for i in &mut d.insts {
                i.span = SpanId(0);
                self.inst(m, &mut i.kind)?;
            }
            if let Terminator::Return(vs) = &mut d.term {
                vs.clone_from(&results);
            }
            let mut fine = true;
            d.term.for_each_operand_mut(|o| match self.operand(m, o) {
                Some(n) => *o = n,
                None => fine = false,
            });
            if !fine {
                return None;
            }
        }
        let sig = Signature {
            params: params.iter().map(|v| Param::plain(body.ty(*v))).collect(),
            results: results.iter().map(|o| body.operand_ty(o)).collect(),
            variadic: false,
        };
        verify_ir::compact::compact_values(&mut body);
        let n = m.functions.len();
        m.functions.push(Function {
            name: format!("the old side of {} {n}", self.p.name),
            unit: self.unit,
            linkage: Linkage::Internal,
            visibility: verify_ir::Visibility::Default,
            comdat: None,
            sig,
            attrs: FnAttrs::default(),
            ctype: None,
            span: SpanId(0),
            body: Some(body),
        });
        Some(FuncId::new(n))
    }

    fn ty(&self, t: Ty) -> Option<Ty> {
        if is_parameter(t) { self.found.types.get(&format!("{t:?}")).copied().or(Some(t)) } else { Some(t) }
    }

    fn inst(&self, m: &mut Module, k: &mut InstKind) -> Option<()> {
        match k {
            InstKind::Load { align, .. } | InstKind::Store { align, .. } => *align = 1,
            InstKind::Call(c) => {
                for p in &mut c.params {
                    p.ty = self.ty(p.ty)?;
                }
            }
            InstKind::Addr { steps, .. } => {
                for s in steps {
                    match s {
                        Step::Field { record, index, offset } => {
                            let named = field(&self.p.module, *record, *index);
                            *record = None;
                            if let Some((r, name)) = named
                                && r.starts_with("verify_type_")
                            {
                                // The field of that name in the record that was found.
                                let t = *self.found.records.get(&r)?;
                                let (at, bits) = by_name(m, t, &name)?;
                                (*record, *index, *offset) = (Some(t), at, bits / 8);
                            }
                        }
                        Step::Index { elem, .. } => *elem = None,
                    }
                }
            }
            _ => {}
        }
        let mut fine = true;
        k.for_each_operand_mut(|o| match self.operand(m, o) {
            Some(n) => *o = n,
            None => fine = false,
        });
        fine.then_some(())
    }

    fn operand(&self, m: &mut Module, o: &Operand) -> Option<Operand> {
        match o {
            Operand::Const(Const::Symbol(s)) => Some(Operand::Const(Const::Symbol(self.symbol(m, *s)?))),
            Operand::Const(Const::Int { width, value }) if is_parameter(Ty::Int(*width)) => {
                match self.ty(Ty::Int(*width))? {
                    Ty::Int(w) => Some(Operand::int(w, *value)),
                    Ty::Ptr if *value == 0 => Some(Operand::Const(Const::Null)),
                    Ty::Float(kind) if *value == 0 => Some(Operand::Const(Const::Float { kind, bits: 0 })),
                    _ => None,
                }
            }
            o => Some(o.clone()),
        }
    }

    /// What a name of the pattern means in the program; it is declared there if it is not.
    fn symbol(&self, m: &mut Module, s: SymbolRef) -> Option<SymbolRef> {
        let from = &self.p.module;
        let name = from.symbol_name(s);
        let name = match (self.p.rename.get(name), &self.found.star) {
            (Some((a, b)), Some(star)) => format!("{a}{star}{b}"),
            _ => name.to_string(),
        };
        match s {
            SymbolRef::Func(f) => {
                if let Some(g) = m.function_named(&name) {
                    return Some(SymbolRef::Func(g));
                }
                let mut d = from.func(f).clone();
                if d.body.is_some() {
                    return None;
                }
                for p in &mut d.sig.params {
                    p.ty = self.ty(p.ty)?;
                }
                for t in &mut d.sig.results {
                    *t = self.ty(*t)?;
                }
                (d.name, d.unit, d.ctype, d.span, d.comdat) = (name, self.unit, None, SpanId(0), None);
                m.functions.push(d);
                Some(SymbolRef::Func(FuncId::new(m.functions.len() - 1)))
            }
            SymbolRef::Global(g) => {
                let info = from.global(g);
                if !info.compiler_made
                    && let Some(k) = m.globals.iter().position(|h| h.name == name)
                {
                    return Some(SymbolRef::Global(GlobalId::new(k)));
                }
                let plain =
                    info.init.iter().flat_map(|i| &i.pieces).all(|p| matches!(p.data, verify_ir::InitData::Bytes(_)));
                if !plain || (info.init.is_some() && !info.compiler_made) {
                    return None;
                }
                let d = Global { name, unit: self.unit, ctype: None, span: SpanId(0), comdat: None, ..info.clone() };
                m.globals.push(d);
                Some(SymbolRef::Global(GlobalId::new(m.globals.len() - 1)))
            }
            SymbolRef::Alias(_) => None,
        }
    }
}

/// Index and offset in bits of a record's field.
fn by_name(m: &Module, mut t: verify_ir::TypeId, name: &str) -> Option<(u32, u64)> {
    for _ in 0..64 {
        t = match m.ctype(t) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => *ty,
            CType::Record(r) => {
                let k = r.fields.iter().position(|f| f.name == name && !f.bit_field)?;
                return Some((k as u32, r.fields[k].bit_offset));
            }
            _ => return None,
        };
    }
    None
}
