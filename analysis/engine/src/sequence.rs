//! Sequences of calls that an unknown caller of a library may make: `T *t = make(); use(t); done(t);`. Each becomes a
//! function of the program that is executed, so that running and replaying it is like running any function: the
//! free arguments of its calls are its parameters. The functions are appended to the module; nothing else changes.
//!
//! A sequence keeps the input contract: it passes what the contract allows, results of earlier calls that are not
//! null, objects it passed before, and the numbers that earlier calls returned or left behind. Before a pointer is
//! passed again it is read through: where an earlier call ended the object's life, the run fails there, in the
//! sequence and not in the program, and counts for nothing.

use std::sync::Arc;
use verify_ir::inst::{CastOp, IntPred};
use verify_ir::{
    Block, BlockData, Body, CType, Call, Const, Edge, FnAttrs, FuncId, Function, Inst, InstKind, Linkage, Module,
    Operand, Param, Signature, SpanId, SymbolRef, Terminator, Ty, TypeId, Value, Var, VarId, Visibility,
};

/// A sequence of calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sequence {
    /// The free arguments.
    pub params: Vec<FreeArg>,
    /// The calls, in order.
    pub calls: Vec<SequenceCall>,
}

/// An argument that the run chooses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FreeArg {
    /// Machine type.
    pub ty: Ty,
    /// C type where known.
    pub ctype: Option<TypeId>,
    /// Name of the parameter it is for.
    pub name: String,
}

/// A call of a sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SequenceCall {
    /// Called function.
    pub func: FuncId,
    /// One per machine parameter.
    pub args: Vec<Arg>,
}

/// An argument of a call of a sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// The n-th free argument.
    Free(u32),
    /// The first result of an earlier call.
    Result(u32),
    /// The integer or the pointer that the n-th free argument, a pointer, points to at that time.
    Pointee {
        /// Free argument.
        param: u32,
        /// Width of the integer in bits; 0: a pointer, and no null pointer is passed on.
        bits: u32,
    },
}

/// The C type of a machine parameter, where the debug information gives one.
pub fn param_ctype(module: &Module, f: FuncId, index: usize) -> Option<TypeId> {
    let func = module.func(f);
    let from_var = func.body.as_ref().and_then(|b| {
        let v = b.blocks.first()?.params.get(index)?;
        b.vars.get(b.values[v.index()].var?.index())?.ctype
    });
    from_var.or_else(|| match module.ctype(func.ctype?) {
        CType::Function { params, .. } if params.len() == func.sig.params.len() => params.get(index).copied(),
        _ => None,
    })
}

/// The name of a machine parameter.
pub fn param_name(module: &Module, f: FuncId, index: usize) -> String {
    let name = module.func(f).body.as_ref().and_then(|b| {
        let v = b.blocks.first()?.params.get(index)?;
        Some(b.vars.get(b.values[v.index()].var?.index())?.name.clone())
    });
    name.filter(|n| !n.is_empty()).unwrap_or_else(|| format!("arg{}", index + 1))
}

/// The program with one more function per sequence, and the first of them.
pub fn with_sequences(module: &Arc<Module>, sequences: &[Sequence]) -> (Arc<Module>, FuncId) {
    let first = FuncId::new(module.functions.len());
    if sequences.is_empty() {
        return (module.clone(), first);
    }
    let mut m = (**module).clone();
    for (i, s) in sequences.iter().enumerate() {
        let f = build(&mut m, s, i);
        m.functions.push(f);
    }
    (Arc::new(m), first)
}

struct Builder {
    body: Body,
    at: usize,
}

impl Builder {
    fn push(&mut self, kind: InstKind, results: Vec<Value>) {
        self.body.blocks[self.at].insts.push(Inst { results, kind, span: SpanId(0) });
    }
    fn block(&mut self) -> Block {
        let term = Terminator::Return(Vec::new());
        self.body.blocks.push(BlockData { params: Vec::new(), insts: Vec::new(), term, term_span: SpanId(0) });
        Block::new(self.body.blocks.len() - 1)
    }
    fn one(&mut self, kind: InstKind, ty: Ty) -> Operand {
        let v = self.body.new_value(ty, None);
        self.push(kind, vec![v]);
        v.into()
    }
    /// Goes to the exit if the pointer is null.
    fn ends_with_null(&mut self, ptr: Operand, exit: Block) {
        let null = InstKind::Icmp { pred: IntPred::Eq, lhs: ptr, rhs: Operand::Const(Const::Null) };
        let cond = self.one(null, Ty::BOOL);
        let next = self.block();
        self.body.blocks[self.at].term = Terminator::Branch { cond, then: Edge::to(exit), other: Edge::to(next) };
        self.at = next.index();
    }
    /// Reads through the pointer unless it is null.
    fn must_live(&mut self, ptr: Operand) {
        let null = InstKind::Icmp { pred: IntPred::Eq, lhs: ptr.clone(), rhs: Operand::Const(Const::Null) };
        let cond = self.one(null, Ty::BOOL);
        let (read, next) = (self.block(), self.block());
        self.body.blocks[self.at].term = Terminator::Branch { cond, then: Edge::to(next), other: Edge::to(read) };
        self.at = read.index();
        self.one(InstKind::Load { ptr, align: 1, volatile: true, atomic: false }, Ty::Int(8));
        self.body.blocks[read.index()].term = Terminator::Jump(Edge::to(next));
        self.at = next.index();
    }
    fn convert(&mut self, o: Operand, from: Ty, to: Ty) -> Operand {
        match (from, to) {
            (Ty::Int(a), Ty::Int(b)) if a != b => {
                let op = if a > b { CastOp::Trunc } else { CastOp::SExt };
                self.one(InstKind::Cast { op, arg: o }, to)
            }
            _ => o,
        }
    }
}

fn build(m: &mut Module, s: &Sequence, number: usize) -> Function {
    let mut b = Builder { body: Body::default(), at: 0 };
    b.block();
    let mut free = Vec::new();
    for p in &s.params {
        let param = b.body.vars.len() as u32 + 1;
        b.body.vars.push(Var { name: p.name.clone(), ctype: p.ctype, span: SpanId(0), param });
        let v = b.body.new_value(p.ty, Some(VarId(param - 1)));
        b.body.blocks[0].params.push(v);
        free.push(v);
    }
    let exit = b.block();
    let mut results: Vec<Option<(Operand, Ty)>> = Vec::new();
    for (k, c) in s.calls.iter().enumerate() {
        let sig = m.func(c.func).sig.clone();
        let mut args = Vec::new();
        for (a, p) in c.args.iter().zip(&sig.params) {
            let again = match a {
                Arg::Free(i)
                    if s.params[*i as usize].ty == Ty::Ptr && s.calls[..k].iter().any(|c| c.args.contains(a)) =>
                {
                    Some(free[*i as usize].into())
                }
                Arg::Result(r) => results[*r as usize].clone().filter(|r| r.1 == Ty::Ptr).map(|r| r.0),
                _ => None,
            };
            if let Some(ptr) = again {
                b.must_live(ptr);
            }
            let o = match a {
                Arg::Pointee { param, bits: 0 } => {
                    let ptr = free[*param as usize].into();
                    let o = b.one(InstKind::Load { ptr, align: 1, volatile: false, atomic: false }, Ty::Ptr);
                    b.ends_with_null(o.clone(), exit);
                    b.must_live(o.clone());
                    o
                }
                Arg::Free(i) => b.convert(free[*i as usize].into(), s.params[*i as usize].ty, p.ty),
                Arg::Result(k) => match &results[*k as usize] {
                    Some((o, ty)) => b.convert(o.clone(), *ty, p.ty),
                    None => Operand::Const(Const::Undef(p.ty)),
                },
                Arg::Pointee { param, bits } => {
                    let ptr = free[*param as usize].into();
                    let load = InstKind::Load { ptr, align: 1, volatile: false, atomic: false };
                    let o = b.one(load, Ty::Int(*bits));
                    b.convert(o, Ty::Int(*bits), p.ty)
                }
            };
            args.push(o);
        }
        let out: Vec<Value> = sig.results.iter().map(|&t| b.body.new_value(t, None)).collect();
        let call = Call {
            callee: Operand::Const(Const::Symbol(SymbolRef::Func(c.func))),
            args,
            params: sig.params.clone(),
            fixed: sig.variadic.then_some(sig.params.len() as u32),
            noreturn: false,
            returns_twice: false,
        };
        b.push(InstKind::Call(Box::new(call)), out.clone());
        let result = out.first().map(|&v| (Operand::from(v), sig.results[0]));
        if let Some((o, Ty::Ptr)) = &result {
            b.ends_with_null(o.clone(), exit);
        }
        results.push(result);
    }
    let last = b.at;
    if last != exit.index() {
        b.body.blocks[last].term = Terminator::Jump(Edge::to(exit));
    }
    let void = TypeId(0);
    let ctype = CType::Function {
        ret: void,
        params: s.params.iter().map(|p| p.ctype.unwrap_or(void)).collect(),
        variadic: false,
    };
    m.ctypes.push(ctype);
    let unit = s.calls.first().map(|c| m.func(c.func).unit).unwrap_or(verify_ir::UnitId(0));
    Function {
        name: format!("__verify_sequence_{number}"),
        unit,
        linkage: Linkage::Internal,
        visibility: Visibility::Default,
        comdat: None,
        sig: Signature {
            params: s.params.iter().map(|p| Param::plain(p.ty)).collect(),
            results: Vec::new(),
            variadic: false,
        },
        attrs: FnAttrs::default(),
        ctype: Some(TypeId::new(m.ctypes.len() - 1)),
        span: SpanId(0),
        body: Some(b.body),
    }
}
