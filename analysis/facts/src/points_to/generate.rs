//! Constraints of a function body, once per clone. Every value that can carry (part of) a pointer has a node, integers
//! and floats of any width too: programs copy pointers byte by byte, tag them, hide them in unions with doubles. Not
//! followed: comparison results, remainders, exact quotients (the difference of two pointers), floating arithmetic, and
//! the bytes that the models of the library's streams move: an address that a program writes to a stream is not followed
//! to where it is read back.

use crate::points_to::calls::SiteData;
use crate::points_to::memory::WHOLE;
use crate::points_to::object::ObjectKind;
use crate::points_to::offset::{Offset, Shift, gcd};
use crate::points_to::solver::{ESCAPE_NODE, Node, Solver, UNKNOWN_NODE, Use};
use crate::scc::Sccs;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::graph::Graph;
use verify_ir::inst::{BinOp, CastOp, InstKind, OverflowOp, Step, Terminator};
use verify_ir::{Block, Body, CheckKind, Const, FuncId, GlobalId, Loc, Module, Operand, SymbolRef, Ty, Value};

/// A function, or a clone of it for one chain of calls.
#[derive(Clone, Debug)]
pub struct Instance {
    pub func: FuncId,
    /// Chain of calls, index in the solver's table; 0: none.
    pub chain: u32,
    /// Node per value; `u32::MAX`: carries no pointer.
    pub values: Vec<Node>,
    /// Node per result.
    pub results: Vec<Node>,
    /// The further arguments.
    pub varargs: Option<u32>,
    /// Constant arguments.
    pub constants: Vec<Option<u128>>,
}

/// Operations that an index is looked through.
const NESTED: u32 = 8;

/// No node.
pub const NONE: Node = u32::MAX;

/// The code of the library models that moves the bytes of streams.
fn stream_code(m: &Module, f: FuncId) -> bool {
    let unit = m.units.get(m.func(f).unit.index());
    unit.is_some_and(|u| u.model && u.source.rsplit('/').next().is_some_and(|n| n.starts_with("stdio_")))
}

/// A constant integer operand, sign-extended.
fn constant(o: &Operand) -> Option<i64> {
    match o {
        Operand::Const(Const::Int { width, value }) if *width <= 64 => {
            let shift = 64 - width;
            Some(((*value as u64) << shift) as i64 >> shift)
        }
        _ => None,
    }
}

/// The value without its extension: bounds of one are bounds of the other when both are extended alike.
fn extended(body: &Defs<'_>, o: &Operand) -> Option<(Option<CastOp>, Value)> {
    let v = o.as_value()?;
    match body.of[v.index()] {
        Some(InstKind::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), arg: Operand::Value(a) }) => {
            Some((Some(*op), *a))
        }
        _ => Some((None, v)),
    }
}

struct Defs<'b> {
    body: &'b Body,
    of: Vec<Option<&'b InstKind>>,
    /// An index may be so large that the address wraps around.
    wraps: bool,
}

impl Defs<'_> {
    /// The integer is a pointer cast here, plus constants: no number that happens to lie where addresses also do.
    fn address(&self, o: &Operand) -> bool {
        let mut at = o.as_value();
        for _ in 0..16 {
            at = match at.and_then(|v| self.of[v.index()]) {
                Some(InstKind::Cast { op: CastOp::PtrToInt, .. }) => return true,
                Some(InstKind::Cast { arg: x, .. } | InstKind::Freeze { arg: x }) => x.as_value(),
                Some(InstKind::Binary { lhs, rhs, .. } | InstKind::Overflow { lhs, rhs, .. }) => lhs
                    .as_value()
                    .filter(|_| constant(rhs).is_some())
                    .or(rhs.as_value().filter(|_| constant(lhs).is_some())),
                _ => return false,
            };
        }
        false
    }

    /// The number lies, read as signed, between `-2^n` and `2^n`.
    fn bits(&self, o: &Operand, depth: u32) -> u32 {
        let Ty::Int(width) = self.body.operand_ty(o) else { return 64 };
        let Some(depth) = depth.checked_sub(1) else { return width };
        let of = |o: &Operand| self.bits(o, depth);
        let least = |o: &Operand| constant(o).filter(|c| *c >= 0).map(|c| 64 - c.leading_zeros());
        let found = match o.as_value().and_then(|v| self.of[v.index()]) {
            None => return constant(o).map_or(width, |c| 64 - c.unsigned_abs().leading_zeros()),
            Some(InstKind::Cast { op: CastOp::SExt, arg }) => of(arg),
            Some(InstKind::Cast { op: CastOp::ZExt, arg }) => match self.body.operand_ty(arg) {
                Ty::Int(w) => w,
                _ => width,
            },
            Some(InstKind::Freeze { arg }) => of(arg),
            Some(InstKind::Select { then, other, .. }) => of(then).max(of(other)),
            Some(InstKind::Binary { op: BinOp::And, lhs, rhs, .. }) => {
                least(lhs).into_iter().chain(least(rhs)).min().unwrap_or(width)
            }
            Some(InstKind::Binary { op: BinOp::URem, rhs, .. }) => least(rhs).unwrap_or(width),
            Some(InstKind::Binary { op: BinOp::LShr, rhs, .. }) => match constant(rhs) {
                Some(n) if n > 0 && n < i64::from(width) => width - n as u32,
                _ => width,
            },
            Some(
                InstKind::Binary { op: BinOp::Add | BinOp::Sub, lhs, rhs, .. }
                | InstKind::Overflow {
                    op: OverflowOp::SAdd | OverflowOp::UAdd | OverflowOp::SSub | OverflowOp::USub,
                    lhs,
                    rhs,
                },
            ) => of(lhs).max(of(rhs)) + 1,
            _ => width,
        };
        found.min(width)
    }

    /// Multiples of the stride that an index makes: where they may wrap around, those of the power of two in it.
    fn stride(&self, index: &Operand, stride: u64) -> u64 {
        let bits = 64 - stride.leading_zeros();
        if self.wraps && self.bits(index, NESTED) + bits >= 63 { stride & stride.wrapping_neg() } else { stride }
    }
}

/// Edges of a body from value to value.
struct Flow<'b> {
    from: &'b Operand,
    to: Value,
    by: Option<Shift>,
}

impl<'m> Solver<'m> {
    /// The function for a chain of calls; its body is read later.
    pub fn instance(&mut self, func: FuncId, chain: u32) -> u32 {
        if let Some(&i) = self.instance_index.get(&(func.0, chain)) {
            return i;
        }
        let i = self.instances.len() as u32;
        let f = self.module.func(func);
        let values = f.body.as_ref().map_or(0, |b| b.values.len());
        let mut inst = Instance {
            func,
            chain,
            values: vec![NONE; values],
            results: f.sig.results.iter().map(|_| self.node()).collect(),
            varargs: None,
            constants: vec![None; f.sig.params.len()],
        };
        if let Some(entry) = f.body.as_ref().and_then(|b| b.blocks.first()) {
            for p in &entry.params {
                inst.values[p.index()] = self.node();
            }
        }
        if f.sig.variadic {
            let kind = ObjectKind::VarArgs { func, calls: self.chains[chain as usize].clone() };
            inst.varargs = Some(self.object(kind, None, 16, false));
        }
        self.instances.push(inst);
        self.instance_index.insert((func.0, chain), i);
        self.to_generate.push(i);
        i
    }

    /// The place that a symbol's address is.
    pub fn symbol_node(&mut self, s: SymbolRef, addend: i64) -> Node {
        let replaceable = self.replaceable(s);
        let (here, offset) = self.module.resolve(s);
        if replaceable && here != s {
            // What it is here, or what another object of that name is.
            let n = self.node();
            let here = self.symbol_node(here, (offset as i64).wrapping_add(addend));
            self.edge(here, n);
            self.edge(UNKNOWN_NODE, n);
            return n;
        }
        let s = here;
        let object = match s {
            SymbolRef::Global(g) => self.global(g),
            SymbolRef::Func(f) => self.object(ObjectKind::Function(f), Some(1), 16, true),
            SymbolRef::Alias(a) => {
                // An ifunc: what its resolver returns.
                let n = self.node();
                if let (SymbolRef::Func(f), _) = self.module.resolve(self.module.alias(a).target)
                    && self.module.func(f).body.is_some()
                {
                    let i = self.instance(f, 0);
                    if let Some(&r) = self.instances[i as usize].results.first() {
                        self.edge(r, n);
                    }
                } else {
                    self.edge(UNKNOWN_NODE, n);
                }
                if replaceable {
                    self.edge(UNKNOWN_NODE, n);
                }
                return n;
            }
        };
        let l = self.loc(object, Offset::Exact((offset as i64).wrapping_add(addend)));
        if let Some(&n) = self.address_nodes.get(&l) {
            return n;
        }
        let n = self.node();
        self.add_loc(n, l);
        self.address_nodes.insert(l, n);
        if let Some(section) = self.module.made_by_linker(s) {
            self.edge(UNKNOWN_NODE, n);
            self.escape_section(section);
        }
        n
    }

    /// The linker may let an alias stand for something else.
    pub fn replaceable(&self, s: SymbolRef) -> bool {
        self.options.world == crate::World::Open && self.module.weak_alias(s).is_some()
    }

    /// The variables of a section, of all where the name is empty, are reached by a symbol of the linker.
    fn escape_section(&mut self, section: &str) {
        let m = self.module;
        for g in (0..m.globals.len()).map(GlobalId::new).filter(|g| m.global(*g).init.is_some()) {
            if section.is_empty() || m.global(g).section.as_deref() == Some(section) {
                let n = self.symbol_node(SymbolRef::Global(g), 0);
                self.edge(n, ESCAPE_NODE);
            }
        }
    }

    /// What a text of assembler names is known to it.
    fn escape_named(&mut self, text: &str) {
        let m = self.module;
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        for name in text.split(|c| !part(c)).filter(|n| n.starts_with(|c: char| !c.is_ascii_digit())) {
            let globals = (0..m.globals.len()).map(GlobalId::new).filter(|g| m.global(*g).name == name);
            let functions = (0..m.functions.len()).map(FuncId::new).filter(|f| m.func(*f).name == name);
            let found: Vec<SymbolRef> = globals.map(SymbolRef::Global).chain(functions.map(SymbolRef::Func)).collect();
            for s in found {
                let n = self.symbol_node(s, 0);
                self.edge(n, ESCAPE_NODE);
            }
        }
    }

    /// The object of a variable.
    pub fn global(&mut self, g: verify_ir::GlobalId) -> u32 {
        let kind = ObjectKind::Global(g);
        if let Some(&o) = self.object_index.get(&kind) {
            return o;
        }
        let global = self.module.global(g);
        let defined = global.init.is_some();
        let size = (defined || global.size > 0).then_some(global.size);
        let o = self.object(kind, size, global.align.max(1), global.constant && defined);
        self.to_initialise.push((o, g));
        if !defined || self.visible_global(g) {
            let l = self.loc(o, Offset::ZERO);
            self.add_loc(ESCAPE_NODE, l);
        }
        o
    }

    /// Reads the body of an instance.
    pub fn generate(&mut self, i: u32) {
        let func = self.instances[i as usize].func;
        let module: &'m Module = self.module;
        let Some(body) = &module.func(func).body else { return };
        // Elsewhere an index that leaves its array is a failure, and what lies in no array is taken to be no larger.
        let wraps = !self.options.indexes_checked;
        let mut defs = Defs { body, of: vec![None; body.values.len()], wraps };
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            for r in &inst.results {
                defs.of[r.index()] = Some(&inst.kind);
            }
        }
        let live = self.live_blocks(i, body);
        let mut flows: Vec<Flow<'m>> = Vec::new();
        for (bi, block) in body.blocks.iter().enumerate().filter(|(b, _)| live[*b]) {
            // Index values that a check has bounded so far in this block.
            let mut bounded: BTreeMap<(Option<u8>, Value), u64> = BTreeMap::new();
            for inst in &block.insts {
                if self.options.indexes_checked
                    && let InstKind::Check { kind: CheckKind::ArrayIndex, ok: Operand::Value(ok), .. } = &inst.kind
                    && let Some(InstKind::Icmp { pred, lhs, rhs }) = defs.of[ok.index()]
                    && let (Some((op, v)), Some(n)) = (extended(&defs, lhs), constant(rhs))
                {
                    let n = match pred {
                        verify_ir::inst::IntPred::Ult => n as u64,
                        verify_ir::inst::IntPred::Ule => (n as u64).saturating_add(1),
                        _ => continue,
                    };
                    bounded.insert((op.map(|o| o as u8), v), n);
                }
                value_flows(&defs, &bounded, inst, &mut flows);
            }
            edge_flows(body, Block::new(bi), &mut flows);
        }
        flows.retain(|f| {
            carries(body, f.to)
                && match f.from {
                    Operand::Value(v) => carries(body, *v),
                    Operand::Const(c) => matches!(c, Const::Symbol(_)),
                }
        });
        self.connect(i, body, &flows);
        for (bi, block) in body.blocks.iter().enumerate().filter(|(b, _)| live[*b]) {
            for (at, inst) in block.insts.iter().enumerate() {
                let loc = Loc { block: Block::new(bi), inst: at as u32 };
                self.effects(i, body, loc, &inst.kind, &inst.results);
            }
            let loc = Loc { block: Block::new(bi), inst: block.insts.len() as u32 };
            match &block.term {
                Terminator::Return(vs) => {
                    for (k, v) in vs.iter().enumerate() {
                        let to = self.instances[i as usize].results.get(k).copied();
                        if let (Some(n), Some(to)) = (self.operand(i, v), to) {
                            self.edge(n, to);
                        }
                    }
                }
                Terminator::Resume(vs) => {
                    for v in vs {
                        if let Some(n) = self.operand(i, v) {
                            self.edge(n, ESCAPE_NODE);
                        }
                    }
                }
                Terminator::Invoke { call, normal, unwind } => {
                    let params = &body.block(normal.block).params;
                    let results = &params[..params.len().saturating_sub(normal.args.len())];
                    self.call_site(SiteData::new(i, func, loc, call, self.nodes_of(i, results)));
                    // What was thrown is unknown.
                    let params = &body.block(unwind.block).params;
                    let thrown = &params[..params.len().saturating_sub(unwind.args.len())];
                    for n in self.nodes_of(i, thrown).into_iter().filter(|n| *n != NONE) {
                        self.edge(UNKNOWN_NODE, n);
                    }
                }
                _ => {}
            }
        }
    }

    /// Blocks that can run: in a clone for one call, constant arguments decide branches (`realloc(p, 0)`).
    fn live_blocks(&self, i: u32, body: &Body) -> Vec<bool> {
        if self.instances[i as usize].constants.iter().all(Option::is_none) {
            return vec![true; body.blocks.len()];
        }
        let mut live = vec![false; body.blocks.len()];
        let mut work = vec![Block::new(0)];
        while let Some(b) = work.pop() {
            if std::mem::replace(&mut live[b.index()], true) {
                continue;
            }
            let term = &body.block(b).term;
            match term {
                Terminator::Branch { cond, then, other } => match self.evaluate(i, cond, 0) {
                    Some(c) => work.push(if c & 1 != 0 { then.block } else { other.block }),
                    None => work.extend([then.block, other.block]),
                },
                _ => work.extend(term.targets().into_iter().map(|e| e.block)),
            }
        }
        live
    }

    fn nodes_of(&self, i: u32, values: &[Value]) -> Vec<Node> {
        values.iter().map(|v| self.instances[i as usize].values[v.index()]).collect()
    }

    /// Gives values their nodes and enters the flows between them. An addition on a cycle of flows (`p++` in a loop)
    /// adds any multiple.
    fn connect(&mut self, i: u32, body: &Body, flows: &[Flow<'_>]) {
        let mut edges = Vec::with_capacity(flows.len());
        let mut ways = vec![0u32; body.values.len()];
        for f in flows {
            if let Operand::Value(v) = f.from {
                edges.push((v.0, f.to.0));
            }
            ways[f.to.index()] += 1;
        }
        let sccs = Sccs::new(&Graph::from_edges(body.values.len(), &edges));
        // What is just another name of a value shares its node.
        let mut alias: Vec<Option<Value>> = vec![None; body.values.len()];
        let outside = given(body);
        for f in flows {
            if let (Operand::Value(v), None, 1) = (f.from, f.by, ways[f.to.index()])
                && *v != f.to
                && !outside.contains(&f.to)
            {
                alias[f.to.index()] = Some(*v);
            }
        }
        for v in (0..body.values.len()).map(Value::new).filter(|v| carries(body, *v)) {
            let mut root = v;
            let mut steps = 0;
            while let Some(up) = alias[root.index()] {
                root = up;
                steps += 1;
                if steps > body.values.len() {
                    // A cycle of block parameters that nothing enters: not reachable.
                    alias[root.index()] = None;
                    break;
                }
            }
            let node = match self.instances[i as usize].values[root.index()] {
                NONE => self.node(),
                n => n,
            };
            self.instances[i as usize].values[root.index()] = node;
            self.instances[i as usize].values[v.index()] = node;
            // Long chains are walked once.
            if root != v {
                alias[v.index()] = Some(root);
            }
        }
        for f in flows {
            if alias[f.to.index()].is_some() {
                continue;
            }
            let to = self.instances[i as usize].values[f.to.index()];
            let Some(from) = self.operand(i, f.from) else { continue };
            match f.by {
                None => self.edge(from, to),
                Some(by) => {
                    let cyclic = matches!(f.from, Operand::Value(v) if sccs.of(v.0) == sccs.of(f.to.0));
                    let by = match by {
                        Shift::Add(0) => {
                            self.edge(from, to);
                            continue;
                        }
                        Shift::Add(c) if cyclic => Shift::Stride { add: 0, stride: c.unsigned_abs(), count: None },
                        Shift::Stride { add, stride, .. } if cyclic => {
                            Shift::Stride { add: 0, stride: gcd(add.unsigned_abs(), stride), count: None }
                        }
                        by => by,
                    };
                    let there = self.shift(from, by);
                    if ways[f.to.index()] == 1 && !outside.contains(&f.to) {
                        self.same(to, there);
                    } else {
                        self.edge(there, to);
                    }
                }
            }
        }
    }

    /// The node of an operand; `None`: no pointer.
    pub fn operand(&mut self, i: u32, o: &Operand) -> Option<Node> {
        match o {
            Operand::Value(v) => Some(self.instances[i as usize].values[v.index()]).filter(|n| *n != NONE),
            Operand::Const(Const::Symbol(s)) => Some(self.symbol_node(*s, 0)),
            Operand::Const(_) => None,
        }
    }

    /// The node of a pointer that is accessed.
    fn access(&mut self, i: u32, o: &Operand, u: Use) {
        if let Some(n) = self.operand(i, o) {
            self.add_use(n, u);
        }
    }

    fn effects(&mut self, i: u32, body: &'m Body, loc: Loc, kind: &'m InstKind, results: &[Value]) {
        use InstKind::*;
        let target = &self.module.target;
        let width = |t: Ty| t.store_bytes(target);
        let first = results.first().map(|r| self.instances[i as usize].values[r.index()]).filter(|n| *n != NONE);
        // What goes through a stream is text and numbers: see the module.
        if stream_code(self.module, self.instances[i as usize].func) {
            match kind {
                Load { .. } if results.first().is_some_and(|r| width(body.ty(*r)) == 1) => return,
                Store { value, .. } if width(body.operand_ty(value)) == 1 => return,
                // A copy of a constant length is one of a structure.
                MemCopy { len, .. } if constant(len).is_none() => return,
                _ => {}
            }
        }
        match kind {
            Alloca { elem_size, count, align, .. } => {
                let instance = &self.instances[i as usize];
                let calls = self.chains[instance.chain as usize].clone();
                let kind = ObjectKind::Stack { func: instance.func, value: results[0], calls };
                let size = constant(count).and_then(|n| elem_size.checked_mul(u64::try_from(n).ok()?));
                let o = self.object(kind, size, (*align).max(1), false);
                let l = self.loc(o, Offset::ZERO);
                if let Some(n) = first {
                    self.add_loc(n, l);
                }
            }
            Load { ptr, .. } => {
                if let Some(dst) = first {
                    let ty = body.ty(results[0]);
                    if let Some(p) = self.operand(i, ptr) {
                        let there = self.loaded(p, width(ty), ty == Ty::Ptr);
                        self.same(dst, there);
                    }
                }
            }
            Store { ptr, value, .. } => {
                let width = width(body.operand_ty(value));
                self.store_operand(i, ptr, value, width);
            }
            AtomicRmw { ptr, value, .. } => {
                let w = width(body.operand_ty(value));
                if let Some(dst) = first {
                    self.access(i, ptr, Use::Load { dst, width: w, pointer: body.ty(results[0]) == Ty::Ptr });
                    // The sum of the old value and an operand.
                    let sum = self.node();
                    self.add_use(dst, Use::Shift { dst: sum, by: Shift::Integer });
                    if let Some(n) = self.operand(i, value) {
                        self.add_use(n, Use::Shift { dst: sum, by: Shift::Integer });
                    }
                    if let Some(p) = self.operand(i, ptr) {
                        self.store_through(p, sum, w);
                    }
                }
                self.store_operand(i, ptr, value, w);
            }
            CmpXchg { ptr, new, .. } => {
                let width = width(body.operand_ty(new));
                if let Some(dst) = first {
                    self.access(i, ptr, Use::Load { dst, width, pointer: body.ty(results[0]) == Ty::Ptr });
                }
                self.store_operand(i, ptr, new, width);
            }
            MemCopy { dst, src, len, .. } => {
                let len = match constant(len) {
                    Some(0) => return,
                    Some(n) if n > 0 => n as u64,
                    _ => WHOLE,
                };
                if let (Some(d), Some(s)) = (self.operand(i, dst), self.operand(i, src)) {
                    self.copy_through(d, s, len);
                }
            }
            VaStart { list } => {
                if let (Some(o), Some(n)) = (self.instances[i as usize].varargs, self.operand(i, list)) {
                    // Somewhere in the list lies a pointer into the arguments; which field depends on the target.
                    let word = target.pointer_bytes();
                    let l = self.loc(o, Offset::modulo(word.min(8), 0));
                    let src = self.node();
                    self.add_loc(src, l);
                    self.store_through(n, src, list_bytes(word));
                }
            }
            VaCopy { dst, src } => {
                let len = list_bytes(target.pointer_bytes());
                if let (Some(d), Some(s)) = (self.operand(i, dst), self.operand(i, src)) {
                    self.copy_through(d, s, len);
                }
            }
            InlineAsm(a) => {
                // Havoc: what it is given or names is known outside; what it gives or writes comes from there.
                self.escape_named(&a.template);
                for o in a.inputs.iter().chain(a.written.iter().map(|w| &w.0)) {
                    if let Some(n) = self.operand(i, o) {
                        self.edge(n, ESCAPE_NODE);
                    }
                }
                for n in self.nodes_of(i, results).into_iter().filter(|n| *n != NONE) {
                    self.edge(UNKNOWN_NODE, n);
                }
            }
            Opaque { .. } => {
                if let Some(n) = first {
                    self.edge(UNKNOWN_NODE, n);
                }
            }
            Call(c) => {
                let func = self.instances[i as usize].func;
                let results = self.nodes_of(i, results);
                self.call_site(SiteData::new(i, func, loc, c, results));
            }
            Unmodelled { .. } => self.anything(i, results),
            // No memory, or bytes that hold no pointer; value flows are entered already.
            Binary { .. }
            | Icmp { .. }
            | FBinary { .. }
            | Fcmp { .. }
            | Unary { .. }
            | FUnary { .. }
            | Fma { .. }
            | Cast { .. }
            | Select { .. }
            | Overflow { .. }
            | Funnel { .. }
            | Freeze { .. }
            | Uninit
            | Addr { .. }
            | LifetimeStart { .. }
            | LifetimeEnd { .. }
            | StackSave
            | StackRestore { .. }
            | MemSet { .. }
            | VaEnd { .. }
            | Check { .. }
            | Assume { .. }
            | DebugValue { .. }
            | ObjectSize { .. } => {}
        }
    }

    /// What an instruction without a meaning may do: all that its function can name gets outside, and what comes of it,
    /// and of the function, is from there.
    fn anything(&mut self, i: u32, results: &[Value]) {
        let instance = &self.instances[i as usize];
        let func = instance.func;
        let values = instance.values.clone();
        let given = [self.nodes_of(i, results), self.instances[i as usize].results.clone()].concat();
        for n in given.into_iter().filter(|n| *n != NONE) {
            self.edge(UNKNOWN_NODE, n);
        }
        for n in values.into_iter().filter(|n| *n != NONE) {
            self.edge(n, ESCAPE_NODE);
        }
        let m = self.module;
        let unit = m.func(func).unit;
        let globals = (0..m.globals.len()).map(GlobalId::new).filter(|g| m.global(*g).unit == unit);
        let functions = (0..m.functions.len()).map(FuncId::new).filter(|f| m.func(*f).unit == unit);
        let symbols: Vec<SymbolRef> = globals.map(SymbolRef::Global).chain(functions.map(SymbolRef::Func)).collect();
        for s in symbols {
            let n = self.symbol_node(s, 0);
            self.edge(n, ESCAPE_NODE);
        }
    }

    fn store_operand(&mut self, i: u32, ptr: &Operand, value: &Operand, width: u64) {
        if let (Some(p), Some(v)) = (self.operand(i, ptr), self.operand(i, value)) {
            self.store_through(p, v, width);
        }
    }

    /// `len` bytes go from where `src` points to where `dst` points.
    pub fn copy_through(&mut self, dst: Node, src: Node, len: u64) {
        let t = self.object(ObjectKind::Transfer, None, 1, false);
        self.add_use(src, Use::CopyFrom { object: t, len });
        self.add_use(dst, Use::CopyTo { object: t, len });
    }
}

/// At least the bytes of a `va_list` that hold pointers.
fn list_bytes(word: u64) -> u64 {
    if word == 8 { 24 } else { word }
}

/// Parameters of blocks that get values from elsewhere than edges: the function's, and results of an `invoke`.
fn given(body: &Body) -> BTreeSet<Value> {
    let mut all: BTreeSet<Value> = body.blocks.iter().take(1).flat_map(|b| b.params.iter().copied()).collect();
    for b in &body.blocks {
        if let Terminator::Invoke { normal, unwind, .. } = &b.term {
            for e in [normal, unwind] {
                let params = &body.block(e.block).params;
                all.extend(&params[..params.len().saturating_sub(e.args.len())]);
            }
        }
    }
    all
}

/// A value may carry a pointer or a part of one.
fn carries(body: &Body, v: Value) -> bool {
    body.ty(v) != Ty::BOOL
}

fn value_flows<'m>(
    defs: &Defs<'_>,
    bounded: &BTreeMap<(Option<u8>, Value), u64>,
    inst: &'m verify_ir::Inst,
    out: &mut Vec<Flow<'m>>,
) {
    use InstKind::*;
    let Some(&to) = inst.results.first() else { return };
    let mut flow = |from: &'m Operand, by: Option<Shift>| out.push(Flow { from, to, by });
    match &inst.kind {
        Addr { base, steps, .. } => flow(base, Some(address(defs, bounded, steps))),
        Freeze { arg } => flow(arg, None),
        Cast { op, arg } => match op {
            CastOp::IntToPtr => flow(arg, Some(Shift::Cast)),
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::Bitcast => flow(arg, None),
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUi
            | CastOp::FpToSi
            | CastOp::FpToUiSat
            | CastOp::FpToSiSat
            | CastOp::UiToFp
            | CastOp::SiToFp
            | CastOp::LRint
            | CastOp::LRound => flow(arg, Some(Shift::Integer)),
        },
        Select { then, other, .. } => {
            flow(then, None);
            flow(other, None);
        }
        Binary { op, flags, lhs, rhs } => match op {
            BinOp::Add => match (constant(lhs), constant(rhs)) {
                (_, Some(c)) if defs.address(lhs) => flow(lhs, Some(Shift::Add(c))),
                (Some(c), _) if defs.address(rhs) => flow(rhs, Some(Shift::Add(c))),
                (_, Some(_)) => flow(lhs, Some(Shift::Integer)),
                (Some(_), _) => flow(rhs, Some(Shift::Integer)),
                _ => {
                    flow(lhs, Some(Shift::Integer));
                    flow(rhs, Some(Shift::Integer));
                }
            },
            BinOp::Sub => match constant(rhs) {
                Some(c) if defs.address(lhs) => flow(lhs, Some(Shift::Add(c.wrapping_neg()))),
                _ => {
                    let addresses = defs.address(lhs) && defs.address(rhs);
                    let by = if addresses { Shift::Difference } else { Shift::Integer };
                    flow(lhs, Some(by));
                    flow(rhs, Some(by));
                }
            },
            BinOp::And => match (constant(lhs), constant(rhs)) {
                (Some(c), _) | (_, Some(c)) => {
                    let x = if constant(rhs).is_some() { lhs } else { rhs };
                    let low = !c as u64;
                    if low.wrapping_add(1).is_power_of_two() {
                        flow(x, Some(Shift::ClearLow(low)));
                    } else {
                        flow(x, Some(Shift::Integer));
                    }
                }
                _ => {
                    flow(lhs, Some(Shift::Integer));
                    flow(rhs, Some(Shift::Integer));
                }
            },
            BinOp::Or => match (constant(lhs), constant(rhs)) {
                (_, Some(c)) if c >= 0 => flow(lhs, Some(Shift::SetLow(c as u64))),
                (Some(c), _) if c >= 0 => flow(rhs, Some(Shift::SetLow(c as u64))),
                _ => {
                    flow(lhs, Some(Shift::Integer));
                    flow(rhs, Some(Shift::Integer));
                }
            },
            BinOp::SMin | BinOp::SMax | BinOp::UMin | BinOp::UMax => {
                flow(lhs, None);
                flow(rhs, None);
            }
            BinOp::SDiv | BinOp::UDiv if flags.exact => {}
            BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr => {
                flow(lhs, Some(Shift::Integer));
                if *op == BinOp::Mul {
                    flow(rhs, Some(Shift::Integer));
                }
            }
            BinOp::Xor
            | BinOp::SAddSat
            | BinOp::UAddSat
            | BinOp::SSubSat
            | BinOp::USubSat
            | BinOp::SShlSat
            | BinOp::UShlSat => {
                flow(lhs, Some(Shift::Integer));
                flow(rhs, Some(Shift::Integer));
            }
        },
        Overflow { op, lhs, rhs } => match (op, constant(rhs)) {
            (OverflowOp::SAdd | OverflowOp::UAdd, Some(c)) if defs.address(lhs) => flow(lhs, Some(Shift::Add(c))),
            (OverflowOp::SSub | OverflowOp::USub, Some(c)) if defs.address(lhs) => {
                flow(lhs, Some(Shift::Add(c.wrapping_neg())))
            }
            _ => {
                flow(lhs, Some(Shift::Integer));
                flow(rhs, Some(Shift::Integer));
            }
        },
        Unary { op: verify_ir::inst::UnOp::BSwap | verify_ir::inst::UnOp::BitReverse, arg } => {
            flow(arg, Some(Shift::Integer));
        }
        Funnel { hi, lo, .. } => {
            flow(hi, Some(Shift::Integer));
            flow(lo, Some(Shift::Integer));
        }
        _ => {}
    }
}

/// The effect of the steps of an address computation.
fn address(defs: &Defs<'_>, bounded: &BTreeMap<(Option<u8>, Value), u64>, steps: &[Step]) -> Shift {
    let mut add = 0i64;
    let mut unbounded = 0u64;
    let mut range = Offset::ZERO;
    for s in steps {
        match s {
            Step::Field { offset, .. } => add = add.wrapping_add(*offset as i64),
            Step::Index { index, stride, .. } => match (constant(index), extended(defs, index)) {
                (Some(c), _) => add = add.wrapping_add(c.wrapping_mul(*stride as i64)),
                (None, Some((op, v))) => match bounded.get(&(op.map(|o| o as u8), v)) {
                    Some(&n) => range = range.add_range(*stride, n),
                    None => unbounded = gcd(unbounded, defs.stride(index, *stride)),
                },
                // A wide or undefined constant.
                (None, None) => unbounded = gcd(unbounded, *stride),
            },
        }
    }
    match (unbounded, range) {
        (0, Offset::Exact(_)) => Shift::Add(add),
        (0, Offset::Range { stride, count, .. }) => Shift::Stride { add, stride, count: Some(count) },
        (0, Offset::Mod { stride, .. }) => Shift::Stride { add, stride, count: None },
        (u, r) => Shift::Stride { add, stride: gcd(u, r.stride()), count: None },
    }
}

fn edge_flows<'m>(body: &'m Body, b: Block, out: &mut Vec<Flow<'m>>) {
    for e in body.block(b).term.targets() {
        let params = &body.block(e.block).params;
        let skip = params.len().saturating_sub(e.args.len());
        for (p, a) in params[skip..].iter().zip(&e.args) {
            out.push(Flow { from: a, to: *p, by: None });
        }
    }
}
