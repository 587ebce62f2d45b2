//! One function body: blocks, block parameters for phi nodes, terminators, variables. Blocks are lowered in reverse
//! postorder, so that every operand but a phi's is known when it is used; edges get their arguments at the end.
//! An LLVM value of aggregate or vector type is the list of its leaves.

use crate::blocks::Cfg;
use crate::cx::Cx;
use crate::ffi::{Bb, Md, Opcode, Typ, Val, ValueKind, flag};
use crate::temporaries::{self, Markers};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use verify_ir::inst::{BinOp, IntPred};
use verify_ir::{
    Block, BlockData, Body, Const, Edge, FuncId, Inst, InstKind, Operand, SpanId, SymbolRef, Terminator, Ty, TypeId,
    Value, Var, VarId,
};

/// A body, its memory orders, and what is beside its code.
type Lowered = (Body, Vec<(u32, u32)>, Vec<(u32, String)>);

/// Code longer than this goes by a digest.
const MAX_CODE: usize = 200;

fn briefly(code: String) -> String {
    if code.len() <= MAX_CODE { code } else { format!("{} bytes {}", code.len(), blake3::hash(code.as_bytes())) }
}

/// The leaves of an LLVM value.
pub type Leaves = Vec<Operand>;

/// The lowering of one body.
pub struct FnCx<'a, 'm> {
    pub(crate) cx: &'a mut Cx<'m>,
    pub(crate) func: Val<'m>,
    pub(crate) body: Body,
    pub(crate) cfg: Rc<Cfg<'m>>,
    pub(crate) cur: Block,
    pub(crate) span: SpanId,
    /// Position of the function.
    declaration: SpanId,
    vals: HashMap<Val<'m>, Leaves>,
    /// C type of what a pointer points to.
    pub(crate) pointees: HashMap<Val<'m>, TypeId>,
    /// Variables by the address that `dbg.declare` gives.
    declared: HashMap<Val<'m>, VarId>,
    var_by_md: HashMap<Md<'m>, VarId>,
    /// Parameter leaves are block 0's parameters; phis' are their block's.
    phis: Vec<(Block, Val<'m>)>,
    /// Blocks that carry the results of an `invoke` to its normal successor: (block, from, to).
    pub(crate) trampolines: Vec<(Block, Bb<'m>, Bb<'m>)>,
    /// Ends of objects without a name.
    markers: Markers<'m>,
    /// Loads, stores and calls so far, and the memory orders among them.
    accesses: u32,
    orders: Vec<(u32, u32)>,
    beside: Vec<(u32, String)>,
    noted: bool,
}

impl<'m> Cx<'m> {
    /// Lowers a definition; what cannot be represented at all becomes a body that is not modelled.
    pub fn lower_body(&mut self, id: FuncId, f: Val<'m>) -> Body {
        let cfg = self.cfg(f);
        let naked = self.out.functions[id.index()].attrs.naked;
        let declaration = self.out.functions[id.index()].span;
        let fx = FnCx {
            cx: self,
            func: f,
            body: Body::default(),
            cfg,
            cur: Block(0),
            span: SpanId(0),
            declaration,
            vals: HashMap::new(),
            pointees: HashMap::new(),
            declared: HashMap::new(),
            var_by_md: HashMap::new(),
            phis: Vec::new(),
            trampolines: Vec::new(),
            markers: Markers::default(),
            accesses: 0,
            orders: Vec::new(),
            beside: Vec::new(),
            noted: false,
        };
        let result = if naked { Err("naked function (inline assembly only)".into()) } else { fx.run() };
        match result {
            Ok((b, orders, beside)) => {
                let attrs = &mut self.out.functions[id.index()].attrs;
                (attrs.memory_orders, attrs.beside) = (orders, beside);
                b
            }
            Err(reason) => self.unmodelled_body(id, f, reason),
        }
    }

    fn unmodelled_body(&mut self, id: FuncId, f: Val<'m>, reason: String) -> Body {
        let mut body = Body::default();
        let types: Vec<Ty> = self.out.functions[id.index()].sig.params.iter().map(|p| p.ty).collect();
        let params = types.into_iter().map(|t| body.new_value(t, None)).collect();
        let span = self.out.functions[id.index()].span;
        let operands = self.symbols_of(f).into_iter().map(|s| Operand::Const(Const::Symbol(s))).collect();
        let kind = InstKind::Unmodelled { reason, code: briefly(f.say()), operands };
        body.blocks.push(BlockData {
            params,
            insts: vec![Inst { results: vec![], kind, span }],
            term: Terminator::Unreachable,
            term_span: span,
        });
        // Constants may name the function's blocks.
        for _ in 1..self.cfg(f).order.len() {
            body.blocks.push(empty_block());
        }
        body
    }
}

impl<'m> Cx<'m> {
    /// The symbols that a function's code names, in order.
    fn symbols_of(&mut self, f: Val<'m>) -> Vec<SymbolRef> {
        let mut out = Vec::new();
        let mut seen = HashSet::new();
        for i in f.blocks().into_iter().flat_map(Bb::insts) {
            // The data of a check say where it stands in the source.
            if i.callee().is_some_and(|c| self.handler(c).is_some()) {
                continue;
            }
            let mut todo = vec![i];
            while let Some(v) = todo.pop() {
                let mut k = 0;
                while let Some(x) = v.operand(k) {
                    k += 1;
                    if let Some(s) = self.symbols.get(&x) {
                        if seen.insert(x) {
                            out.push(*s);
                        }
                    } else if x.is_compound_constant() && seen.insert(x) {
                        todo.push(x);
                    }
                }
            }
        }
        out
    }
}

fn empty_block() -> BlockData {
    BlockData { params: vec![], insts: vec![], term: Terminator::Unreachable, term_span: SpanId(0) }
}

impl<'m> FnCx<'_, 'm> {
    fn run(mut self) -> Result<Lowered, String> {
        let cfg = self.cfg.clone();
        self.body.blocks = cfg.order.iter().map(|_| empty_block()).collect();
        self.find_variables();
        self.markers = temporaries::markers(&cfg, &|v| self.declared.contains_key(&v));
        self.parameters()?;
        for i in 0..cfg.reachable {
            self.cur = Block::new(i);
            self.block(&cfg.insts[i])?;
        }
        self.fill_phis()?;
        Ok((self.body, self.orders, self.beside))
    }

    /// Variables are known before their allocas are lowered.
    fn find_variables(&mut self) {
        let cfg = self.cfg.clone();
        for v in cfg.insts[..cfg.reachable].iter().flatten() {
            let i = v.inst();
            if i.op != Some(Opcode::LLVMCall) || !i.has(flag::DBG) {
                continue;
            }
            if let Some(d) = v.dbg()
                && d.declare
                && let (Some(mut at), Some(md)) = (d.location, d.variable)
            {
                // A variable that is built in the caller's memory: clang keeps the address in a slot of its own.
                if d.deref {
                    let param = cfg.insts[0].iter().find(|s| {
                        s.inst().op == Some(Opcode::LLVMStore)
                            && s.operand(1) == Some(at)
                            && s.operand(0).is_some_and(|x| x.kind() == ValueKind::LLVMArgumentValueKind)
                    });
                    match param.and_then(|s| s.operand(0)) {
                        Some(p) => at = p,
                        None => continue,
                    }
                } else if !d.plain {
                    continue;
                }
                let var = self.variable(md);
                self.declared.entry(at).or_insert(var);
                if let Some(t) = self.body.vars[var.index()].ctype {
                    self.pointees.entry(at).or_insert(t);
                }
            }
        }
    }

    /// The C variable of a DILocalVariable.
    pub(crate) fn variable(&mut self, md: Md<'m>) -> VarId {
        if let Some(v) = self.var_by_md.get(&md) {
            return *v;
        }
        let d = md.di();
        let span = self.cx.declaration(&d);
        let ctype = d.ty.map(|t| self.cx.ctype(Some(t)));
        self.body.vars.push(Var { name: d.name, ctype, span, param: d.arg });
        let v = VarId::new(self.body.vars.len() - 1);
        self.var_by_md.insert(md, v);
        v
    }

    /// The C variable that lies at an address.
    pub(crate) fn declared(&self, v: Val<'m>) -> Option<VarId> {
        self.declared.get(&v).copied()
    }

    fn parameters(&mut self) -> Result<(), String> {
        let mut i = 0;
        while let Some(p) = self.func.parameter(i) {
            let layout = self.cx.leaves(p.ty())?;
            let var = self.declared(p);
            let types = layout.leaves.clone().unwrap_or_default();
            let vals: Vec<Value> = types.iter().map(|t| self.body.new_value(*t, var)).collect();
            self.body.blocks[0].params.extend(&vals);
            self.vals.insert(p, vals.into_iter().map(Operand::Value).collect());
            i += 1;
        }
        Ok(())
    }

    fn block(&mut self, insts: &[Val<'m>]) -> Result<(), String> {
        // What has no position at the start of a block (prologue stores, cleanups) gets that of the function or of
        // what follows.
        self.span = if self.cur == Block(0) {
            self.declaration
        } else {
            let mut it = insts.iter();
            loop {
                match it.next() {
                    Some(v) => match self.cx.location(v.inst().loc) {
                        SpanId(0) => {}
                        s => break s,
                    },
                    None => break SpanId(0),
                }
            }
        };
        for &v in insts {
            let i = v.inst();
            let span = self.cx.location(i.loc);
            // Later ones without a position keep the last one of their block.
            if span != SpanId(0) {
                self.span = span;
            }
            self.mark(v)?;
            match i.op {
                Some(Opcode::LLVMPHI) => self.phi(v, i.ty)?,
                Some(
                    Opcode::LLVMRet
                    | Opcode::LLVMBr
                    | Opcode::LLVMSwitch
                    | Opcode::LLVMIndirectBr
                    | Opcode::LLVMInvoke
                    | Opcode::LLVMUnreachable
                    | Opcode::LLVMCallBr
                    | Opcode::LLVMResume
                    | Opcode::LLVMCleanupRet
                    | Opcode::LLVMCatchRet
                    | Opcode::LLVMCatchSwitch,
                ) => {
                    let t = match self.terminator(v) {
                        Ok(t) => t,
                        Err(reason) => {
                            let kind = self.unmodelled(v, reason);
                            self.emit0(kind);
                            Terminator::Unreachable
                        }
                    };
                    let b = &mut self.body.blocks[self.cur.index()];
                    b.term = t;
                    b.term_span = self.span;
                }
                _ => self.instruction_or_unmodelled(v)?,
            }
        }
        Ok(())
    }

    /// Ends and begins lives of objects without a name.
    fn mark(&mut self, before: Val<'m>) -> Result<(), String> {
        for object in self.markers.ends.get(&before).cloned().unwrap_or_default() {
            let object = self.operand(object)?;
            self.emit0(InstKind::LifetimeEnd { object });
        }
        for object in self.markers.starts.get(&before).cloned().unwrap_or_default() {
            let object = self.operand(object)?;
            self.emit0(InstKind::LifetimeStart { object });
        }
        Ok(())
    }

    fn instruction_or_unmodelled(&mut self, v: Val<'m>) -> Result<(), String> {
        let i = v.inst();
        self.orders.extend(i.order().map(|o| (self.accesses, o)));
        let access = matches!(i.op, Some(Opcode::LLVMLoad | Opcode::LLVMStore | Opcode::LLVMCall));
        self.accesses += u32::from(access && !i.has(flag::DBG));
        match self.instruction(v) {
            Ok(leaves) => {
                if let Some(l) = leaves {
                    self.vals.insert(v, l);
                }
                Ok(())
            }
            Err(reason) => {
                let ty = v.ty();
                let layout = self.cx.leaves(ty)?;
                let types = layout.leaves.clone().unwrap_or_default();
                let kind = self.unmodelled(v, reason);
                let r = self.emit(kind, &types);
                self.vals.insert(v, r);
                Ok(())
            }
        }
    }

    /// Something that is not modelled, with all that tells it from another one.
    fn unmodelled(&mut self, v: Val<'m>, reason: String) -> InstKind {
        let mut operands = Vec::new();
        let mut i = 0;
        while let Some(x) = v.operand(i) {
            i += 1;
            // What has no leaves is in the text.
            operands.extend(self.leaves_of(x).unwrap_or_default());
        }
        InstKind::Unmodelled { reason, code: briefly(v.say()), operands }
    }

    /// Notes what the compiler is told beside the instructions.
    pub(crate) fn note_beside(&mut self, what: &str) {
        self.beside.push((self.accesses, what.into()));
    }

    /// The same where it is about values that the instructions here need not have: all of the code is noted.
    pub(crate) fn note_code(&mut self) {
        if !self.noted {
            self.noted = true;
            let code = briefly(self.func.say());
            self.note_beside(&code);
        }
    }

    fn phi(&mut self, v: Val<'m>, ty: Typ<'m>) -> Result<(), String> {
        let layout = self.cx.leaves(ty)?;
        let types = layout.leaves.clone().unwrap_or_default();
        let vals: Vec<Value> = types.iter().map(|t| self.body.new_value(*t, None)).collect();
        self.body.blocks[self.cur.index()].params.extend(&vals);
        self.vals.insert(v, vals.into_iter().map(Operand::Value).collect());
        self.phis.push((self.cur, v));
        // The first incoming pointer that is already known tells what is pointed to.
        if let Some(t) = v.incoming().iter().find_map(|(x, _)| self.pointee(*x)) {
            self.pointees.insert(v, t);
        }
        Ok(())
    }

    fn terminator(&mut self, v: Val<'m>) -> Result<Terminator, String> {
        let i = v.inst();
        let s = v.successors();
        Ok(match i.op {
            Some(Opcode::LLVMRet) => match v.operand(0) {
                Some(x) => Terminator::Return(self.leaves_of(x)?),
                None => Terminator::Return(vec![]),
            },
            Some(Opcode::LLVMUnreachable) => Terminator::Unreachable,
            Some(Opcode::LLVMBr) if s.len() == 1 => Terminator::Jump(self.edge(s[0])),
            Some(Opcode::LLVMBr) => {
                let cond = v.operand(0).ok_or("branch without condition")?;
                if let Some((h, keep)) = self.cx.handler_branch(&s) {
                    self.handler_checks(cond, h == 0, s[h], Some(s[keep]))?;
                    Terminator::Jump(self.edge(s[keep]))
                } else {
                    Terminator::Branch { cond: self.operand(cond)?, then: self.edge(s[0]), other: self.edge(s[1]) }
                }
            }
            Some(Opcode::LLVMSwitch) => {
                let value = self.operand(v.operand(0).ok_or("switch without value")?)?;
                let mut cases = Vec::new();
                // Operands: value, default, then pairs of case and block; successors: default first.
                for (k, b) in s.iter().enumerate().skip(1) {
                    let c = v.operand(2 * k as u32).ok_or("switch case without value")?;
                    let Operand::Const(c) = self.operand(c)? else { return Err("switch case not constant".into()) };
                    cases.push((c, self.edge(*b)));
                }
                Terminator::Switch { value, cases, default: self.edge(s[0]) }
            }
            Some(Opcode::LLVMIndirectBr) => {
                let address = self.operand(v.operand(0).ok_or("indirect branch without address")?)?;
                // clang lists a label once per mention.
                let mut targets: Vec<Edge> = Vec::new();
                for e in s.iter().map(|b| self.edge(*b)) {
                    if !targets.contains(&e) {
                        targets.push(e);
                    }
                }
                Terminator::IndirectJump { address, targets }
            }
            Some(Opcode::LLVMInvoke) => self.invoke(v, &s)?,
            Some(Opcode::LLVMCallBr) => self.asm_goto(v, &s)?,
            Some(Opcode::LLVMResume) => {
                Terminator::Resume(self.leaves_of(v.operand(0).ok_or("resume without value")?)?)
            }
            _ => return Err("Windows exception handling".into()),
        })
    }

    /// An edge; arguments come at the end.
    pub(crate) fn edge(&self, b: Bb<'m>) -> Edge {
        Edge::to(self.cfg.number[&b])
    }

    fn invoke(&mut self, v: Val<'m>, s: &[Bb<'m>]) -> Result<Terminator, String> {
        let [normal, unwind] = s else { return Err("invoke without two successors".into()) };
        let (call, types) = self.call_parts(v)?;
        // The results are parameters of a block of their own, because the normal successor may have other
        // predecessors.
        let vals: Vec<Value> = types.iter().map(|t| self.body.new_value(*t, None)).collect();
        let t = Block::new(self.body.blocks.len());
        self.body.blocks.push(BlockData {
            params: vals.clone(),
            insts: vec![],
            term: Terminator::Jump(self.edge(*normal)),
            term_span: self.span,
        });
        self.trampolines.push((t, self.cfg.order[self.cur.index()], *normal));
        self.vals.insert(v, vals.into_iter().map(Operand::Value).collect());
        Ok(Terminator::Invoke { call: Box::new(call), normal: Edge::to(t), unwind: self.edge(*unwind) })
    }

    /// `asm goto`: which label it jumps to is unknown.
    fn asm_goto(&mut self, v: Val<'m>, s: &[Bb<'m>]) -> Result<Terminator, String> {
        let r = self.call(v)?;
        if let Some(l) = r {
            self.vals.insert(v, l);
        }
        let choice = self.emit1(InstKind::Opaque { what: "target of asm goto".into() }, Ty::Int(32));
        let cases = (1..s.len()).map(|k| (Const::int(32, k as u128), self.edge(s[k]))).collect();
        Ok(Terminator::Switch { value: choice, cases, default: self.edge(s[0]) })
    }

    /// Arguments of every edge into a block with phis. Constant expressions are computed at the end of the
    /// predecessor.
    fn fill_phis(&mut self) -> Result<(), String> {
        let mut incoming: HashMap<(Block, Block), Vec<Operand>> = HashMap::new();
        let cfg = self.cfg.clone();
        let phis = std::mem::take(&mut self.phis);
        for (block, phi) in phis {
            let mut seen = Vec::new();
            for (x, from) in phi.incoming() {
                let Some(&p) = cfg.number.get(&from) else { continue };
                if p.index() >= cfg.reachable || seen.contains(&p) {
                    continue;
                }
                seen.push(p);
                // A value computed by an invoke's trampoline is available there; others at the end of `p`.
                self.cur = self
                    .trampolines
                    .iter()
                    .find(|(_, f, to)| *f == from && cfg.number[to] == block)
                    .map_or(p, |(t, ..)| *t);
                self.span = self.body.blocks[self.cur.index()].term_span;
                let l = self.leaves_of(x)?;
                incoming.entry((self.cur, block)).or_default().extend(l);
            }
        }
        for (i, b) in self.body.blocks.iter_mut().enumerate() {
            for e in b.term.targets_mut() {
                if let Some(args) = incoming.get(&(Block::new(i), e.block)) {
                    e.args.extend(args.iter().cloned());
                }
            }
        }
        Ok(())
    }

    // ---- Values ----------------------------------------------------------------------------------------------------

    /// The leaves of an operand; constants that need computation are emitted here.
    pub(crate) fn leaves_of(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        if let Some(l) = self.vals.get(&v) {
            return Ok(l.clone());
        }
        self.constant(v)
    }

    /// A scalar operand.
    pub(crate) fn operand(&mut self, v: Val<'m>) -> Result<Operand, String> {
        if let Some(l) = self.vals.get(&v)
            && let [o] = &l[..]
        {
            return Ok(o.clone());
        }
        let mut l = self.leaves_of(v)?;
        if l.len() == 1 { Ok(l.remove(0)) } else { Err("aggregate where a scalar is expected".into()) }
    }

    /// The `i`-th operand of an instruction, as a scalar.
    pub(crate) fn arg(&mut self, v: Val<'m>, i: u32) -> Result<Operand, String> {
        self.operand(v.operand(i).ok_or("missing operand")?)
    }

    /// A scalar that is already computed, or a plain constant: nothing is emitted.
    pub(crate) fn known_operand(&mut self, v: Val<'m>) -> Option<Operand> {
        if let Some(l) = self.vals.get(&v) {
            return if l.len() == 1 { Some(l[0].clone()) } else { None };
        }
        v.const_bits()?;
        self.operand(v).ok()
    }

    /// The C type of what a pointer points to, when known.
    pub(crate) fn pointee(&self, v: Val<'m>) -> Option<TypeId> {
        let t = match self.pointees.get(&v) {
            Some(t) => Some(*t),
            None => match self.cx.symbols.get(&v)? {
                verify_ir::SymbolRef::Global(g) => self.cx.out.global(*g).ctype,
                verify_ir::SymbolRef::Func(f) => self.cx.out.func(*f).ctype,
                verify_ir::SymbolRef::Alias(_) => None,
            },
        };
        // `void *` says nothing.
        t.filter(|t| *t != TypeId(0))
    }

    // ---- Emission --------------------------------------------------------------------------------------------------

    /// Appends an instruction with results of the given types.
    pub(crate) fn emit(&mut self, kind: InstKind, types: &[Ty]) -> Leaves {
        let results: Vec<Value> = types.iter().map(|t| self.body.new_value(*t, None)).collect();
        let leaves = results.iter().map(|v| Operand::Value(*v)).collect();
        self.body.blocks[self.cur.index()].insts.push(Inst { results, kind, span: self.span });
        leaves
    }
    /// Appends an instruction without results.
    pub(crate) fn emit0(&mut self, kind: InstKind) {
        self.body.blocks[self.cur.index()].insts.push(Inst { results: vec![], kind, span: self.span });
    }
    /// Appends an instruction with one result.
    pub(crate) fn emit1(&mut self, kind: InstKind, ty: Ty) -> Operand {
        let v = self.body.new_value(ty, None);
        self.body.blocks[self.cur.index()].insts.push(Inst { results: vec![v], kind, span: self.span });
        Operand::Value(v)
    }
    /// Integer arithmetic without flags.
    pub(crate) fn binary(&mut self, op: BinOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.body.operand_ty(&lhs);
        self.emit1(InstKind::Binary { op, flags: Default::default(), lhs, rhs }, ty)
    }
    /// Integer comparison.
    pub(crate) fn icmp(&mut self, pred: IntPred, lhs: Operand, rhs: Operand) -> Operand {
        self.emit1(InstKind::Icmp { pred, lhs, rhs }, Ty::BOOL)
    }
    /// Logical negation of an `i1`.
    pub(crate) fn not(&mut self, o: Operand) -> Operand {
        match o {
            Operand::Const(Const::Int { width: 1, value }) => Operand::int(1, value ^ 1),
            o => self.binary(BinOp::Xor, o, Operand::int(1, 1)),
        }
    }
    /// `base + offset` bytes.
    pub(crate) fn at_offset(&mut self, base: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return base;
        }
        let steps = vec![verify_ir::Step::Field { record: None, index: 0, offset }];
        self.emit1(InstKind::Addr { base, steps, inbounds: true }, Ty::Ptr)
    }
}
