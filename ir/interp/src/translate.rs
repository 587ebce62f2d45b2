//! Translation of a body to [`Code`].

use crate::big::{Big, from_words};
use crate::bits::{Bits, mask};
use crate::code::{CONST, Code, Edge, INDEX, Op, Site, Slot, Src, Table, Target, WIDE};
use crate::program::Program;
use std::collections::{BTreeSet, HashMap};
use verify_ir::inst::{BinOp, CastOp, FBinOp, IntPred};
use verify_ir::{Body, Call, Const, FloatKind, FuncId, Inst, InstKind, Linkage, Operand, Step, Terminator, Ty, Value};

struct Translator<'a> {
    program: &'a Program,
    body: &'a Body,
    code: Code,
    const_index: HashMap<Slot3, u32>,
    block_pc: Vec<u32>,
    /// Edge numbers of each block start here.
    edge_numbers: Vec<u32>,
    uses: Vec<u32>,
    /// Addresses as numbers.
    addresses: BTreeSet<Value>,
}

type Slot3 = (u64, u64, u64);

/// Is a value of this type kept in a [`Slot`]?
pub(crate) fn is_small(t: Ty) -> bool {
    match t {
        Ty::Int(w) => w <= 64,
        Ty::Ptr => true,
        Ty::Float(k) => k.bits() <= 64,
    }
}

/// Translates a function that has a body.
pub(crate) fn translate(program: &Program, func: FuncId, body: &Body) -> Code {
    let mut homes = Vec::with_capacity(body.values.len());
    let mut wides = 0;
    for (i, v) in body.values.iter().enumerate() {
        if is_small(v.ty) {
            homes.push(i as u32);
        } else {
            homes.push(WIDE | wides);
            wides += 1;
        }
    }
    let mut uses = vec![0u32; body.values.len()];
    let mut count = |o: &Operand| {
        if let Operand::Value(v) = o {
            uses[v.index()] += 1;
        }
    };
    for b in &body.blocks {
        b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut count));
        b.term.for_each_operand(&mut count);
    }
    let mut edge_numbers = Vec::with_capacity(body.blocks.len());
    let first = program.first_edge(func);
    let mut next = first + 1;
    for b in &body.blocks {
        edge_numbers.push(next);
        next += b.term.targets().len() as u32;
    }
    let mut t = Translator {
        program,
        body,
        code: Code { homes, wides, entry_edge: first, vars: body.vars.len() as u32, ..Code::default() },
        const_index: HashMap::new(),
        block_pc: vec![0; body.blocks.len()],
        edge_numbers,
        uses,
        addresses: crate::differences::numbers_of_addresses(body, program.module().target.pointer_bits),
    };
    // Two more registers of each sort break cycles of moves.
    t.code.regs = body.values.len() as u32 + 1;
    t.code.wides += 1;
    t.code.entry_cost = t.cost(0);
    t.code.params = body.blocks[0].params.iter().map(|p| t.code.homes[p.index()]).collect();
    for i in 0..body.blocks.len() {
        t.block(i);
    }
    // Edges were made with block numbers for their pc.
    for e in &mut t.code.edges {
        e.pc = t.block_pc[e.pc as usize];
    }
    t.code
}

impl<'a> Translator<'a> {
    fn cost(&self, block: usize) -> u32 {
        let real = self.body.blocks[block].insts.iter().filter(|i| !matches!(i.kind, InstKind::DebugValue { .. }));
        real.count() as u32 + 1
    }

    fn home(&self, v: Value) -> Src {
        self.code.homes[v.index()]
    }

    /// What compares two addresses, or takes one from another, is looked at before.
    fn addresses(&mut self, ((block, at), fused): ((usize, usize), bool), inst: &Inst) {
        let (equal, lhs, rhs) = match &inst.kind {
            InstKind::Icmp { pred, lhs, rhs } if self.ty(lhs) == Ty::Ptr => {
                (matches!(pred, IntPred::Eq | IntPred::Ne), lhs, rhs)
            }
            _ => match crate::differences::of_addresses(inst, &self.addresses) {
                Some((lhs, rhs)) => (false, lhs, rhs),
                None => return,
            },
        };
        let null = |o: &Operand| matches!(o, Operand::Const(Const::Null));
        if !(equal && (null(lhs) || null(rhs))) {
            let (a, b) = (self.src(lhs), self.src(rhs));
            self.emit((block, at + usize::from(fused)), Op::Addresses { equal, a, b });
        }
    }

    fn constant(&mut self, c: &Const) -> Src {
        match self.program.constant(c) {
            ConstValue::Small(s) => {
                let next = self.code.consts.len() as u32;
                let i = *self.const_index.entry((s.v, s.u, s.p)).or_insert(next);
                if i == next {
                    self.code.consts.push(s);
                }
                CONST | i
            }
            ConstValue::Wide(b) => {
                self.code.wide_consts.push(b);
                CONST | WIDE | (self.code.wide_consts.len() as u32 - 1)
            }
        }
    }

    fn src(&mut self, o: &Operand) -> Src {
        match o {
            Operand::Value(v) => self.home(*v),
            Operand::Const(c) => self.constant(c),
        }
    }

    fn ty(&self, o: &Operand) -> Ty {
        self.body.operand_ty(o)
    }

    fn emit(&mut self, place: (usize, usize), op: Op) {
        self.code.ops.push(op);
        self.code.places.push((place.0 as u32, place.1 as u32));
    }

    fn block(&mut self, i: usize) {
        self.block_pc[i] = self.code.ops.len() as u32;
        let b = &self.body.blocks[i];
        let n = b.insts.len();
        // An integer comparison that only the branch behind it reads becomes part of the branch.
        let fused = match (&b.term, b.insts.last()) {
            (Terminator::Branch { cond: Operand::Value(c), .. }, Some(last))
                if last.results.first() == Some(c) && self.uses[c.index()] == 1 =>
            {
                match &last.kind {
                    InstKind::Icmp { lhs, .. } => is_small(self.ty(lhs)),
                    _ => false,
                }
            }
            _ => false,
        };
        for (j, inst) in b.insts.iter().enumerate() {
            self.addresses(((i, j), j + 1 == n && fused), inst);
            if !(fused && j + 1 == n) {
                self.inst((i, j), inst);
            }
        }
        let place = (i, n);
        match &b.term {
            Terminator::Branch { then, other, .. } if fused => {
                let InstKind::Icmp { pred, lhs, rhs } = &b.insts[n - 1].kind else { return };
                let w = self.ty(lhs).bits(&self.program.module().target) as u8;
                let (a, c) = (self.src(lhs), self.src(rhs));
                if has_poison(&b.insts[n - 1]) {
                    self.emit(place, Op::Poison);
                }
                let e = self.edge(i, 0, then, 0);
                self.edge(i, 1, other, 0);
                self.emit(place, Op::Fused { pred: *pred, w, a, b: c, e });
            }
            t => self.terminator(place, t),
        }
    }

    /// Appends an edge; its arguments go to the target's parameters from number `skip` on.
    fn edge(&mut self, from: usize, index: u32, e: &verify_ir::Edge, skip: usize) -> u32 {
        let params = &self.body.blocks[e.block.index()].params;
        let mut pending: Vec<(Src, Src)> = Vec::new();
        let mut poison = false;
        for (p, a) in params[skip..].iter().zip(&e.args) {
            poison |= matches!(a, Operand::Const(Const::Poison(_)));
            let (d, s) = (self.home(*p), self.src(a));
            if d != s {
                pending.push((d, s));
            }
        }
        let start = self.code.moves.len() as u32;
        // Parallel move: first whatever nobody still reads; a cycle is opened through the spare register.
        while !pending.is_empty() {
            if let Some(i) = (0..pending.len()).find(|&i| !pending.iter().any(|m| m.1 == pending[i].0)) {
                let m = pending.remove(i);
                self.code.moves.push(m);
            } else {
                let (d, _) = pending[0];
                let spare = if d & WIDE != 0 { WIDE | (self.code.wides - 1) } else { self.code.regs - 1 };
                self.code.moves.push((spare, d));
                for m in &mut pending {
                    if m.1 == d {
                        m.1 = spare;
                    }
                }
            }
        }
        let edge = Edge {
            pc: e.block.0,
            cost: self.cost(e.block.index()),
            number: self.edge_numbers[from] + index,
            moves: (start, self.code.moves.len() as u32),
            poison,
        };
        self.code.edges.push(edge);
        self.code.edges.len() as u32 - 1
    }

    fn terminator(&mut self, place: (usize, usize), t: &Terminator) {
        let from = place.0;
        let op = match t {
            Terminator::Jump(e) => Op::Jump { e: self.edge(from, 0, e, 0) },
            Terminator::Branch { cond, then, other } => {
                let c = self.src(cond);
                let e = self.edge(from, 0, then, 0);
                self.edge(from, 1, other, 0);
                Op::Branch { c, e }
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.src(value);
                let mut table = Table { value: v, cases: vec![], dense: vec![], default: 0, wide: vec![] };
                for (k, (c, e)) in cases.iter().enumerate() {
                    let e = self.edge(from, k as u32, e, 0);
                    match self.program.constant(c) {
                        ConstValue::Small(s) => table.cases.push((s.v, e)),
                        ConstValue::Wide(b) => table.wide.push((b, e)),
                    }
                }
                table.default = self.edge(from, cases.len() as u32, default, 0);
                table.cases.sort_unstable();
                if let (Some(lo), Some(hi)) = (table.cases.first(), table.cases.last()) {
                    let span = hi.0 - lo.0;
                    if span < 4 * table.cases.len() as u64 + 16 {
                        table.dense = vec![table.default; span as usize + 1];
                        for (c, e) in &table.cases {
                            table.dense[(c - lo.0) as usize] = *e;
                        }
                    }
                }
                self.code.tables.push(table);
                Op::Switch { table: self.code.tables.len() as u32 - 1 }
            }
            Terminator::IndirectJump { address, targets } => {
                let value = self.src(address);
                let mut table = Table { value, cases: vec![], dense: vec![], default: 0, wide: vec![] };
                for (k, e) in targets.iter().enumerate() {
                    let block = u64::from(e.block.0);
                    let e = self.edge(from, k as u32, e, 0);
                    table.cases.push((block, e));
                }
                table.cases.sort_unstable();
                self.code.tables.push(table);
                Op::Indirect { table: self.code.tables.len() as u32 - 1 }
            }
            Terminator::Return(vs) => {
                let start = self.code.returns.len() as u32;
                for v in vs {
                    let s = self.src(v);
                    self.code.returns.push(s);
                }
                if vs.iter().any(|v| matches!(v, Operand::Const(Const::Poison(_)))) {
                    self.emit(place, Op::Poison);
                }
                Op::Return { from: start, n: vs.len() as u32 }
            }
            Terminator::Invoke { call, normal, .. } => {
                let params = &self.body.blocks[normal.block.index()].params;
                let skip = params.len() - normal.args.len();
                let results: Vec<Value> = params[..skip].to_vec();
                self.call(place, call, &results);
                Op::Jump { e: self.edge(from, 0, normal, skip) }
            }
            Terminator::Resume(_) => Op::Unwind,
            Terminator::Unreachable => Op::Unreachable,
        };
        self.emit(place, op);
    }

    fn call(&mut self, place: (usize, usize), call: &Call, results: &[Value]) {
        let target = match &call.callee {
            Operand::Const(Const::Symbol(s)) => match self.program.function_of(*s) {
                Some(f) => Target::Func(f),
                None => Target::Pointer(self.src(&call.callee)),
            },
            o => Target::Pointer(self.src(o)),
        };
        if call.args.iter().any(|a| matches!(a, Operand::Const(Const::Poison(_)))) {
            self.emit(place, Op::Poison);
        }
        let args: Box<[Src]> = call.args.iter().map(|a| self.src(a)).collect();
        let types: Box<[Ty]> = call.args.iter().map(|a| self.ty(a)).collect();
        let result_types: Box<[Ty]> = results.iter().map(|r| self.body.ty(*r)).collect();
        let plain = match target {
            Target::Func(f) => {
                let callee = self.program.module().func(f);
                let sig = &callee.sig;
                callee.body.is_some()
                    && !sig.variadic
                    && sig.params.len() == args.len()
                    && sig.params.iter().zip(&types).all(|(p, t)| p.ty == *t && p.attrs.byval.is_none())
                    && call.params.iter().all(|p| p.attrs.byval.is_none())
                    && sig.results == *result_types
                    && (callee.linkage == Linkage::Internal || self.program.streams(f) == 0)
            }
            Target::Pointer(_) => false,
        };
        let results = results.iter().map(|r| self.home(*r)).collect();
        self.code.sites.push(Site { target, args, types, results, result_types, plain });
        let site = self.code.sites.len() as u32 - 1;
        self.emit(place, Op::Call { site });
    }

    fn inst(&mut self, place: (usize, usize), inst: &Inst) {
        // `select` reads only the operand it chooses, a check's details are for messages.
        let lazy = matches!(inst.kind, InstKind::Select { .. } | InstKind::Check { .. } | InstKind::DebugValue { .. });
        if !lazy && has_poison(inst) {
            self.emit(place, Op::Poison);
        }
        if let InstKind::Call(c) = &inst.kind {
            return self.call(place, c, &inst.results);
        }
        let d = inst.results.first().map(|r| self.home(*r)).unwrap_or(0);
        let small = inst.results.iter().all(|r| is_small(self.body.ty(*r)));
        let op = if small { self.fast(place, inst, d) } else { None };
        if let InstKind::VaStart { .. } = inst.kind {
            self.code.uses_varargs = true;
        }
        if let InstKind::Alloca { .. } = inst.kind {
            self.code.alloca_regs.push(d & INDEX);
        }
        self.emit(place, op.unwrap_or(Op::Generic));
    }

    /// The fast form of an instruction with small results, if there is one.
    fn fast(&mut self, place: (usize, usize), inst: &Inst, d: u32) -> Option<Op> {
        let target = self.program.module().target.clone();
        let width = |t: Ty| t.bits(&target) as u8;
        let single = |k: FloatKind| match k {
            FloatKind::Single => Some(true),
            FloatKind::Double => Some(false),
            _ => None,
        };
        Some(match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let w = width(self.ty(lhs));
                let (a, b) = (self.src(lhs), self.src(rhs));
                let plain = !flags.nsw && !flags.nuw;
                match op {
                    BinOp::Add if plain => Op::Add { w, d, a, b },
                    BinOp::Sub if plain => Op::Sub { w, d, a, b },
                    BinOp::Mul if plain => Op::Mul { w, d, a, b },
                    BinOp::And => Op::And { w, d, a, b },
                    BinOp::Or => Op::Or { w, d, a, b },
                    BinOp::Xor => Op::Xor { w, d, a, b },
                    BinOp::Shl if plain => Op::Shl { w, d, a, b },
                    BinOp::LShr => Op::LShr { w, d, a, b },
                    BinOp::AShr => Op::AShr { w, d, a, b },
                    _ => Op::Bin { op: *op, flags: u8::from(flags.nsw) | u8::from(flags.nuw) << 1, w, d, a, b },
                }
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                if !is_small(self.ty(lhs)) {
                    return None;
                }
                Op::Icmp { pred: *pred, w: width(self.ty(lhs)), d, a: self.src(lhs), b: self.src(rhs) }
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let Ty::Float(k) = self.ty(lhs) else { return None };
                let single = single(k)?;
                let (a, b) = (self.src(lhs), self.src(rhs));
                match op {
                    FBinOp::Add => Op::FAdd { single, d, a, b },
                    FBinOp::Sub => Op::FSub { single, d, a, b },
                    FBinOp::Mul => Op::FMul { single, d, a, b },
                    FBinOp::Div => Op::FDiv { single, d, a, b },
                    _ => return None,
                }
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let Ty::Float(k) = self.ty(lhs) else { return None };
                Op::Fcmp { pred: *pred, single: single(k)?, d, a: self.src(lhs), b: self.src(rhs) }
            }
            InstKind::Unary { op, arg } => Op::Un { op: *op, w: width(self.ty(arg)), d, a: self.src(arg) },
            InstKind::Overflow { op, lhs, rhs } => {
                if !is_small(self.ty(lhs)) {
                    return None;
                }
                let o = self.home(inst.results[1]);
                Op::Overflow { op: *op, w: width(self.ty(lhs)), d, o, a: self.src(lhs), b: self.src(rhs) }
            }
            InstKind::Cast { op, arg } => {
                let (from, to) = (self.ty(arg), self.body.ty(inst.results[0]));
                if !is_small(from) {
                    return None;
                }
                let (fw, tw) = (width(from), width(to));
                let a = self.src(arg);
                match op {
                    CastOp::Trunc => Op::Trunc { w: tw, d, a },
                    CastOp::ZExt => Op::ZExt { d, a },
                    CastOp::SExt => Op::SExt { from: fw, to: tw, d, a },
                    CastOp::PtrToInt if tw == fw => Op::Expose { d, a },
                    // The object is exposed by the slow way.
                    CastOp::PtrToInt => return None,
                    CastOp::IntToPtr => match tw.cmp(&fw) {
                        std::cmp::Ordering::Equal => Op::Mov { d, a },
                        std::cmp::Ordering::Less => Op::Trunc { w: tw, d, a },
                        std::cmp::Ordering::Greater => Op::ZExt { d, a },
                    },
                    CastOp::Bitcast => Op::Mov { d, a },
                    CastOp::SiToFp | CastOp::UiToFp => {
                        let Ty::Float(k) = to else { return None };
                        Op::IntToFloat { w: fw, signed: *op == CastOp::SiToFp, single: single(k)?, d, a }
                    }
                    CastOp::FpToSi | CastOp::FpToUi => {
                        let Ty::Float(k) = from else { return None };
                        Op::FloatToInt { w: tw, signed: *op == CastOp::FpToSi, single: single(k)?, d, a }
                    }
                    CastOp::FpExt if from == Ty::Float(FloatKind::Single) && to == Ty::Float(FloatKind::Double) => {
                        Op::FloatExt { d, a }
                    }
                    CastOp::FpTrunc if from == Ty::Float(FloatKind::Double) && to == Ty::Float(FloatKind::Single) => {
                        Op::FloatTrunc { d, a }
                    }
                    _ => return None,
                }
            }
            InstKind::Select { cond, then, other } => {
                Op::Select { d, c: self.src(cond), t: self.src(then), o: self.src(other) }
            }
            InstKind::Uninit => Op::Undef { w: width(self.body.ty(inst.results[0])), d },
            InstKind::Addr { base, steps, .. } => return self.address(place, base, steps, d),
            InstKind::Load { ptr, .. } => {
                let ty = self.body.ty(inst.results[0]);
                let p = self.src(ptr);
                match ty {
                    Ty::Ptr => Op::LoadPtr { d, p },
                    _ => Op::Load { n: ty.store_bytes(&target) as u8, w: width(ty), d, p },
                }
            }
            InstKind::Store { ptr, value, .. } => {
                let ty = self.ty(value);
                if !is_small(ty) {
                    return None;
                }
                let (p, v) = (self.src(ptr), self.src(value));
                match ty {
                    Ty::Ptr => Op::StorePtr { p, v },
                    _ => Op::Store { n: ty.store_bytes(&target) as u8, p, v },
                }
            }
            InstKind::Check { ok, .. } => Op::Check { ok: self.src(ok) },
            InstKind::DebugValue { var, value } => Op::Dbg { var: var.0, a: self.src(value) },
            _ => return None,
        })
    }

    /// An address computation, as a chain of at most one constant offset and one op per index; gives the last op.
    fn address(&mut self, place: (usize, usize), base: &Operand, steps: &[Step], d: u32) -> Option<Op> {
        let mut indices: Vec<(Src, u8, u64)> = Vec::new();
        let mut off = 0u64;
        for s in steps {
            match s {
                Step::Field { offset, .. } => off = off.wrapping_add(*offset),
                Step::Index { index: Operand::Const(Const::Int { width, value }), stride, .. } if *width <= 64 => {
                    off = off.wrapping_add((crate::bits::sext(*value as u64, *width) as u64).wrapping_mul(*stride));
                }
                Step::Index { index, stride, .. } => {
                    let Ty::Int(w @ 1..=64) = self.ty(index) else { return None };
                    indices.push((self.src(index), w as u8, *stride));
                }
            }
        }
        let mut from = self.src(base);
        let Some((last, rest)) = indices.split_last() else {
            let small = i32::try_from(off as i64).ok();
            return Some(match small {
                Some(off) => Op::Offset { d, base: from, off },
                None => {
                    let one = self.constant(&Const::int(64, 1));
                    self.code.exts.push((off, 0));
                    Op::Index { w: 64, d, base: from, index: one, ext: self.code.exts.len() as u32 - 1 }
                }
            });
        };
        for (index, w, stride) in rest {
            self.code.exts.push((*stride, 0));
            let ext = self.code.exts.len() as u32 - 1;
            self.emit(place, Op::Index { w: *w, d, base: from, index: *index, ext });
            from = d;
        }
        self.code.exts.push((last.2, off));
        Some(Op::Index { w: last.1, d, base: from, index: last.0, ext: self.code.exts.len() as u32 - 1 })
    }
}

fn has_poison(inst: &Inst) -> bool {
    let mut p = false;
    inst.kind.for_each_operand(|o| p |= matches!(o, Operand::Const(Const::Poison(_))));
    p
}

/// A resolved constant.
pub(crate) enum ConstValue {
    Small(Slot),
    Wide(Big),
}

/// The value of a constant that is not an address.
pub(crate) fn plain_constant(c: &Const, ty_bits: u32) -> ConstValue {
    let big = |v: u128| from_words(&[v as u64, (v >> 64) as u64]);
    match c {
        Const::Int { value, .. } | Const::Float { bits: value, .. } => {
            if ty_bits <= 64 {
                ConstValue::Small(Slot::int(*value as u64))
            } else {
                ConstValue::Wide(Big::def(big(*value)))
            }
        }
        Const::Wide { limbs, .. } => ConstValue::Wide(Big::def(from_words(limbs))),
        _ => {
            if ty_bits <= 64 {
                ConstValue::Small(Slot::of(Bits { v: 0, u: mask(ty_bits) }))
            } else {
                ConstValue::Wide(Big::undef(ty_bits))
            }
        }
    }
}
