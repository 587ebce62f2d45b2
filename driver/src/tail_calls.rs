//! A function whose calls of itself are the last thing that it does, as a loop: such a call needs nothing of the activation
//! that makes it any more, so that one may go on with new arguments in place of another one (Steele, "Debunking the
//! expensive procedure call myth", ACM 1977). What is known of loops (invariants, also of memory, that runs suggest; ranking
//! functions; long ones that are run) is then known of these functions, of which recursion lets nothing be known that
//! they do to memory. Functions that call one another last in turn (`is_odd` and `is_even`) are first made part of each other:
//! such a call is a jump to a copy of what is called.
//!
//! Only where no execution can tell one from the other: the function has no objects of its own that would live on, takes no
//! copies, promises nothing about what it is called with or returns, and never calls itself otherwise. How deep
//! the stack gets is nobody's question here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_facts::{Graph, Sccs};
use verify_ir::{
    Block, BlockData, Body, Const, Edge, FuncId, Function, Inst, InstKind, Linkage, Module, Operand, Param, Signature,
    SpanId, SymbolRef, Terminator, Ty, Value, VarId,
};

/// Blocks between a call and the return of what it returned.
const MAX_JUMPS: usize = 8;
/// Functions that call one another.
const MAX_GROUP: usize = 4;
/// Blocks of them all.
const MAX_BLOCKS: usize = 200;

/// Makes loops of all functions that only call themselves, or one another, last.
pub fn as_loops(units: &mut [Module]) {
    for unit in units {
        for i in 0..unit.functions.len() {
            itself(unit, FuncId::new(i));
        }
        let groups = groups(unit);
        let merged: Vec<(FuncId, Body)> =
            groups.iter().flat_map(|g| g.iter().filter_map(|f| Some((*f, with_its_group(unit, *f, g)?)))).collect();
        for (f, body) in merged {
            unit.functions[f.index()].body = Some(body);
            itself(unit, f);
        }
    }
}

/// Makes loops of all functions of a whole program that only call themselves last.
pub fn as_loops_in(module: &mut Arc<Module>) {
    let which: Vec<FuncId> = (0..module.functions.len()).map(FuncId::new).filter(|f| calls_last(module, *f)).collect();
    if which.is_empty() {
        return;
    }
    let module = Arc::make_mut(module);
    which.into_iter().for_each(|f| itself(module, f));
}

fn calls_last(module: &Module, id: FuncId) -> bool {
    let f = module.func(id);
    // Whoever compares code knows fences by the number of calls before them.
    let placed = !f.attrs.memory_orders.is_empty() || !f.attrs.beside.is_empty();
    !placed && last_calls(f, &BTreeMap::from([(id, f.sig.clone())])).is_some_and(|c| !c.is_empty())
}

/// A function that calls itself last is a loop.
fn itself(unit: &mut Module, id: FuncId) {
    let f = &mut unit.functions[id.index()];
    let Some(calls) = last_calls(f, &BTreeMap::from([(id, f.sig.clone())])).filter(|c| !c.is_empty()) else { return };
    let calls: Vec<(Block, usize)> = calls.into_iter().map(|c| c.at).collect();
    let span = f.span;
    if let Some(body) = &mut f.body {
        turn(body, &calls, span);
    }
}

/// The body of a function with copies of those that it calls last and that call it last, for calls of them.
///
/// Every circle of calls has to go through the function: the only loop that this makes is its own.
fn with_its_group(unit: &Module, id: FuncId, group: &BTreeSet<FuncId>) -> Option<Body> {
    let mut left: BTreeSet<FuncId> = group.iter().copied().filter(|g| *g != id).collect();
    while let Some(last) = left.iter().copied().find(|g| callees(unit, *g).is_disjoint(&left)) {
        left.remove(&last);
    }
    if !left.is_empty() {
        return None;
    }
    let signatures: BTreeMap<FuncId, Signature> =
        group.iter().map(|g| (*g, unit.functions[g.index()].sig.clone())).collect();
    let mut body = unit.functions[id.index()].body.clone()?;
    let mut heads: BTreeMap<FuncId, Block> = BTreeMap::new();
    let mut calls: Vec<LastCall> = Vec::new();
    for g in std::iter::once(id).chain(group.iter().copied().filter(|g| *g != id)) {
        let f = &unit.functions[g.index()];
        let mut own = last_calls(f, &signatures)?;
        if g != id {
            let first = append(&mut body, f.body.as_ref()?);
            heads.insert(g, first);
            own.iter_mut().for_each(|c| c.at.0 = Block::new(c.at.0.index() + first.index()));
        }
        calls.extend(own);
    }
    if body.blocks.len() > MAX_BLOCKS {
        return None;
    }
    for c in calls {
        if let Some(head) = heads.get(&c.callee) {
            cut(&mut body, c.at, |args| Edge { block: *head, args });
        }
    }
    Some(body)
}

/// Functions of a unit with a body that a function calls by name.
fn callees(unit: &Module, f: FuncId) -> BTreeSet<FuncId> {
    let insts = unit.functions[f.index()].body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
    let calls = insts.filter_map(|i| match &i.kind {
        InstKind::Call(c) => called(&c.callee),
        _ => None,
    });
    calls.filter(|g| unit.functions[g.index()].body.is_some()).collect()
}

/// Functions that call one another in turn, where these definitions are the ones that run.
fn groups(unit: &Module) -> Vec<BTreeSet<FuncId>> {
    let n = unit.functions.len();
    let edges: Vec<(u32, u32)> =
        (0..n).flat_map(|f| callees(unit, FuncId::new(f)).into_iter().map(move |g| (f as u32, g.0))).collect();
    let found = Sccs::new(&Graph::from_edges(n, &edges));
    let small = found.bottom_up().filter(|(_, all)| (2..=MAX_GROUP).contains(&all.len()));
    let groups = small.map(|(_, all)| all.iter().map(|f| FuncId(*f)).collect::<BTreeSet<FuncId>>());
    let same = |all: &BTreeSet<FuncId>| {
        let functions = || all.iter().map(|f| &unit.functions[f.index()]);
        let certain = |f: &Function| matches!(f.linkage, Linkage::External | Linkage::Internal);
        functions().all(certain) && functions().map(|f| &f.sig.results).collect::<BTreeSet<_>>().len() == 1
    };
    groups.filter(same).collect()
}

/// Adds the blocks of another function behind a body; the first of them.
pub(crate) fn append(body: &mut Body, other: &Body) -> Block {
    let (blocks, values, vars) = (body.blocks.len(), body.values.len(), body.vars.len());
    let var = |v: VarId| VarId::new(v.index() + vars);
    let value = |v: &mut Value| *v = Value::new(v.index() + values);
    let operand = |o: &mut Operand| {
        if let Operand::Value(v) = o {
            value(v);
        }
    };
    let mut other = other.clone();
    for b in &mut other.blocks {
        b.params.iter_mut().for_each(value);
        for i in &mut b.insts {
            i.results.iter_mut().for_each(value);
            i.kind.for_each_operand_mut(operand);
            if let InstKind::DebugValue { var: v, .. } = &mut i.kind {
                *v = var(*v);
            }
        }
        b.term.for_each_operand_mut(operand);
        for e in b.term.targets_mut() {
            e.block = Block::new(e.block.index() + blocks);
        }
    }
    for v in &mut other.values {
        v.var = v.var.map(var);
    }
    // They are no parameters of this function.
    other.vars.iter_mut().for_each(|v| v.param = 0);
    body.blocks.extend(other.blocks);
    body.values.extend(other.values);
    body.vars.extend(other.vars);
    Block::new(blocks)
}

/// A function as a value.
pub(crate) fn called(o: &Operand) -> Option<FuncId> {
    match o {
        Operand::Const(Const::Symbol(SymbolRef::Func(g))) => Some(*g),
        _ => None,
    }
}

/// A call after which nothing happens.
pub(crate) struct LastCall {
    at: (Block, usize),
    callee: FuncId,
}

/// Where a function calls these, if nothing speaks against a jump.
pub(crate) fn last_calls(f: &Function, group: &BTreeMap<FuncId, Signature>) -> Option<Vec<LastCall>> {
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
                InstKind::Call(c) if called(&c.callee).is_some_and(|g| group.contains_key(&g)) => {
                    let callee = called(&c.callee)?;
                    let types = c.args.iter().map(|o| body.operand_ty(o));
                    let fits = types.eq(group.get(&callee)?.params.iter().map(|p| p.ty))
                        && c.params.iter().all(is_plain)
                        && c.fixed.is_none()
                        && !c.noreturn;
                    if !fits || !is_last(body, b, at, &inst.results) {
                        return None;
                    }
                    calls.push(LastCall { at: (b, at), callee });
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
    Some(calls)
}

/// A value that is handed over as it is, with nothing said of it.
pub(crate) fn is_plain(p: &Param) -> bool {
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

/// A block ends with a jump in place of this call.
fn cut(body: &mut Body, (b, at): (Block, usize), jump: impl Fn(Vec<Operand>) -> Edge) {
    let types: Vec<Ty> = body.block(b).insts[at].results.iter().map(|v| body.ty(*v)).collect();
    let block = &mut body.blocks[b.index()];
    block.insts.truncate(at + 1);
    let Some(call) = block.insts.pop() else { return };
    let InstKind::Call(c) = call.kind else { return };
    // Every value has a definition, also one that nobody uses.
    for (result, ty) in call.results.into_iter().zip(types) {
        let kind = InstKind::Freeze { arg: Operand::Const(zero(ty)) };
        block.insts.push(Inst { results: vec![result], kind, span: call.span });
    }
    block.term = Terminator::Jump(jump(c.args));
    block.term_span = call.span;
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
    for at in calls {
        cut(body, *at, |args| Edge { block: head, args: changing(args) });
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
