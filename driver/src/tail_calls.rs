//! A function whose calls of itself are the last thing that it does, as a loop: such a call needs nothing of the activation
//! that makes it any more, so that one may go on with new arguments in place of another one (Steele, "Debunking the
//! expensive procedure call myth", ACM 1977). What is known of loops (invariants, also of memory, that runs suggest; ranking
//! functions; long ones that are run) is then known of these functions, of which recursion lets nothing be known that
//! they do to memory.
//!
//! Only where no execution can tell one from the other: the function has no objects of its own that would live on, takes no
//! copies, promises nothing about what it is called with or returns, and never calls itself otherwise. How deep
//! the stack gets is nobody's question here.

use std::collections::BTreeMap;
use verify_ir::{
    Block, BlockData, Body, Const, Edge, FuncId, Function, Inst, InstKind, Module, Operand, Param, SpanId, SymbolRef,
    Terminator, Ty, Value,
};

/// Blocks between a call and the return of what it returned.
const MAX_JUMPS: usize = 8;

/// Makes loops of all functions that only call themselves last.
pub fn as_loops(units: &mut [Module]) {
    for unit in units {
        for (i, f) in unit.functions.iter_mut().enumerate() {
            let Some(calls) = last_calls(f, FuncId::new(i)) else { continue };
            let span = f.span;
            if let Some(body) = &mut f.body {
                turn(body, &calls, span);
            }
        }
    }
}

/// A function as a value.
fn is(o: &Operand, f: FuncId) -> bool {
    matches!(o, Operand::Const(Const::Symbol(SymbolRef::Func(g))) if *g == f)
}

/// Where a function calls itself, if nothing speaks against a loop: blocks and instructions.
fn last_calls(f: &Function, id: FuncId) -> Option<Vec<(Block, usize)>> {
    let body = f.body.as_ref()?;
    let a = &f.attrs;
    let promises = a.returns_twice || a.naked || a.returns_nonnull || a.noreturn;
    if f.sig.variadic || promises || !f.sig.params.iter().all(is_plain) {
        return None;
    }
    let mut calls = Vec::new();
    for b in body.block_ids() {
        let data = body.block(b);
        match &data.term {
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Return(_)
            | Terminator::Unreachable => {}
            Terminator::IndirectJump { .. } | Terminator::Invoke { .. } | Terminator::Resume(_) => return None,
        }
        for (at, inst) in data.insts.iter().enumerate() {
            match &inst.kind {
                InstKind::Call(c) if is(&c.callee, id) => {
                    let types = c.args.iter().map(|o| body.operand_ty(o));
                    let fits = types.eq(f.sig.params.iter().map(|p| p.ty))
                        && c.params.iter().all(is_plain)
                        && c.fixed.is_none()
                        && !c.noreturn;
                    if !fits || !is_last(body, b, at, &inst.results) {
                        return None;
                    }
                    calls.push((b, at));
                }
                InstKind::Call(c) if c.returns_twice => return None,
                // What belongs to an activation.
                InstKind::Alloca { .. }
                | InstKind::StackSave
                | InstKind::StackRestore { .. }
                | InstKind::VaStart { .. }
                | InstKind::VaEnd { .. }
                | InstKind::VaCopy { .. }
                | InstKind::Opaque { .. }
                | InstKind::InlineAsm(_)
                | InstKind::Unmodelled { .. } => return None,
                _ => {}
            }
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// A value that is handed over as it is, with nothing said of it.
fn is_plain(p: &Param) -> bool {
    p.attrs.byval.is_none() && p.attrs.sret.is_none() && !p.attrs.nonnull
}

/// After this call, its results are returned, and nothing else happens.
fn is_last(body: &Body, b: Block, at: usize, results: &[Value]) -> bool {
    let says_only = |insts: &[Inst]| insts.iter().all(|i| matches!(i.kind, InstKind::DebugValue { .. }));
    let mut block = body.block(b);
    let mut rest = &block.insts[at + 1..];
    let mut known: BTreeMap<Value, Operand> = BTreeMap::new();
    let mean = |known: &BTreeMap<Value, Operand>, o: &Operand| match o {
        Operand::Value(v) => known.get(v).unwrap_or(o).clone(),
        Operand::Const(_) => o.clone(),
    };
    for _ in 0..MAX_JUMPS {
        if !says_only(rest) {
            return false;
        }
        match &block.term {
            Terminator::Return(values) => {
                let same = |(o, r): (&Operand, &Value)| mean(&known, o) == Operand::Value(*r);
                return values.len() == results.len() && values.iter().zip(results).all(same);
            }
            Terminator::Jump(edge) => {
                let args: Vec<Operand> = edge.args.iter().map(|o| mean(&known, o)).collect();
                block = body.block(edge.block);
                known.extend(block.params.iter().copied().zip(args));
                rest = &block.insts;
            }
            _ => return false,
        }
    }
    false
}

/// Any number will do.
fn zero(ty: Ty) -> Const {
    match ty {
        Ty::Int(width) => Const::int(width, 0),
        Ty::Ptr => Const::Null,
        Ty::Float(kind) => Const::Float { kind, bits: 0 },
    }
}

/// The entry hands its parameters to a new block with all that was in it, and so do the calls with their arguments. What
/// every call hands on as it is stays what the entry was given.
fn turn(body: &mut Body, calls: &[(Block, usize)], span: SpanId) {
    let head = Block::new(body.blocks.len());
    let own = body.blocks[0].params.clone();
    let args = |b: &Block, at: &usize| match &body.block(*b).insts[*at].kind {
        InstKind::Call(c) => c.args.clone(),
        _ => Vec::new(),
    };
    let handed: Vec<Vec<Operand>> = calls.iter().map(|(b, at)| args(b, at)).collect();
    let changes: Vec<bool> =
        own.iter().enumerate().map(|(i, v)| handed.iter().any(|a| a[i] != Operand::Value(*v))).collect();
    let changing = |all: Vec<Operand>| -> Vec<Operand> {
        all.into_iter().zip(&changes).filter(|(_, c)| **c).map(|(o, _)| o).collect()
    };
    let mut given = own.clone();
    for (v, _) in given.iter_mut().zip(&changes).filter(|(_, c)| **c) {
        let data = body.values[v.index()];
        *v = body.new_value(data.ty, data.var);
    }
    for (b, at) in calls {
        let types: Vec<Ty> = body.block(*b).insts[*at].results.iter().map(|v| body.ty(*v)).collect();
        let block = &mut body.blocks[b.index()];
        block.insts.truncate(at + 1);
        let Some(call) = block.insts.pop() else { continue };
        let InstKind::Call(c) = call.kind else { continue };
        // Every value has a definition, also one that nobody uses.
        for (result, ty) in call.results.into_iter().zip(types) {
            let kind = InstKind::Freeze { arg: Operand::Const(zero(ty)) };
            block.insts.push(Inst { results: vec![result], kind, span: call.span });
        }
        block.term = Terminator::Jump(Edge { block: head, args: changing(c.args) });
        block.term_span = call.span;
    }
    let args = changing(given.iter().map(|v| Operand::Value(*v)).collect());
    // No loop stands in the source here, so none is spoken of: its place is that of the function.
    let entry = BlockData {
        params: given,
        insts: Vec::new(),
        term: Terminator::Jump(Edge { block: head, args }),
        term_span: span,
    };
    let mut old = std::mem::replace(&mut body.blocks[0], entry);
    old.params = own.into_iter().zip(&changes).filter(|(_, c)| **c).map(|(v, _)| v).collect();
    body.blocks.push(old);
}
