//! A function's code in a normal form, in which the order of what only computes, turned and negated comparisons, the
//! order of commutative operands, empty blocks and the numbering of everything are gone. Code of one normal form means the
//! same, however long it is and whatever it calls.
//!
//! Values are digests of how they are computed (global value numbering: equal digests of one activation are equal values).
//! What has effects stays in its order, with these digests as operands; between two such instructions, what may fail is a
//! set: an execution without an error gets through all of it, in any order. Reads are values of address and of the last
//! effect before them.

use crate::layouts::Changed;
use crate::pairs::Pairs;
use crate::product::Version;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt::Write;
use verify_ir::inst::{BinOp, CastOp, FBinOp, FloatPred, IntPred, OverflowOp, Step};
use verify_ir::{
    Block, Body, CheckKind, Const, Edge, FuncId, Inst, InstKind, Module, Operand, SymbolRef, Terminator, Ty, Value,
};

/// What stands for a value.
type Digest = [u8; 32];

struct Normal<'a> {
    pairs: &'a Pairs<'a>,
    version: Version,
    func: FuncId,
    module: &'a Module,
    body: &'a Body,
    values: Vec<Option<Digest>>,
    /// Edges that lead to a block, empty blocks skipped.
    entries: Vec<u32>,
    numbers: BTreeMap<Block, u32>,
    todo: VecDeque<Block>,
    /// What a negation negates, and which truth value a number is; only looked up.
    negated: HashMap<Digest, Digest>,
    widened: HashMap<Digest, Digest>,
    used: BTreeSet<Value>,
    /// Values that something else than the end of their block reads.
    wanted: BTreeSet<Value>,
    /// Effects in this block so far, and what stands for the memory behind them.
    effects: u32,
    epoch: Digest,
    may_fail: BTreeSet<String>,
    out: String,
}

fn digest(text: &str) -> Digest {
    *blake3::hash(text.as_bytes()).as_bytes()
}

fn hex(d: &Digest) -> String {
    d.iter().take(16).fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

/// The normal form; `None` where there is none: exceptions, `setjmp`, memory orders, what is said beside the code.
pub(crate) fn normal(pairs: &Pairs<'_>, version: Version, func: FuncId) -> Option<String> {
    let module = pairs.module(version);
    let info = module.func(func);
    let body = info.body.as_ref()?;
    if !info.attrs.memory_orders.is_empty() || !info.attrs.beside.is_empty() || info.attrs.returns_twice {
        return None;
    }
    let mut n = Normal {
        pairs,
        version,
        func,
        module,
        body,
        values: vec![None; body.values.len()],
        entries: vec![0; body.blocks.len()],
        numbers: BTreeMap::new(),
        todo: VecDeque::new(),
        negated: HashMap::new(),
        widened: HashMap::new(),
        used: used(body),
        wanted: wanted(body),
        effects: 0,
        epoch: digest("start"),
        may_fail: BTreeSet::new(),
        out: String::new(),
    };
    n.count_entries();
    n.number(Block(0));
    while let Some(b) = n.todo.pop_front() {
        n.block(b)?;
    }
    Some(n.out)
}

/// Values that something other than debug information reads.
fn used(body: &Body) -> BTreeSet<Value> {
    let mut out = BTreeSet::new();
    for b in &body.blocks {
        let mut note = |o: &Operand| out.extend(o.as_value());
        for i in b.insts.iter().filter(|i| !matches!(i.kind, InstKind::DebugValue { .. })) {
            if let InstKind::Check { ok, .. } = &i.kind {
                note(ok);
            } else {
                i.kind.for_each_operand(&mut note);
            }
        }
        b.term.for_each_operand(&mut note);
    }
    out
}

/// Values that something other than debug information and the jump that their block ends in reads.
fn wanted(body: &Body) -> BTreeSet<Value> {
    let mut out = BTreeSet::new();
    for b in &body.blocks {
        for i in b.insts.iter().filter(|i| !matches!(i.kind, InstKind::DebugValue { .. })) {
            i.kind.for_each_operand(|o| out.extend(o.as_value()));
        }
        let own = |v: &Value| matches!(b.term, Terminator::Jump(_)) && b.params.contains(v);
        b.term.for_each_operand(|o| out.extend(o.as_value().filter(|v| !own(v))));
    }
    out
}

impl Normal<'_> {
    /// The block does nothing but go on.
    fn passes(&self, b: Block) -> Option<&Edge> {
        let d = self.body.block(b);
        let nothing = d.insts.iter().all(|i| matches!(i.kind, InstKind::DebugValue { .. }));
        match &d.term {
            Terminator::Jump(e) if nothing && b.0 != 0 && e.block != b => {
                d.params.iter().all(|v| !self.wanted.contains(v)).then_some(e)
            }
            _ => None,
        }
    }

    /// Where an edge ends when empty blocks are skipped.
    fn end(&self, mut b: Block) -> Block {
        for _ in 0..MAX_SKIPPED {
            match self.passes(b) {
                Some(e) => b = e.block,
                None => break,
            }
        }
        b
    }

    fn count_entries(&mut self) {
        self.entries[0] = 1;
        let mut seen = BTreeSet::from([Block(0)]);
        let mut todo = vec![Block(0)];
        while let Some(b) = todo.pop() {
            for e in self.body.block(b).term.targets() {
                let to = self.end(e.block);
                self.entries[to.index()] += 1;
                if seen.insert(to) {
                    todo.push(to);
                }
            }
        }
    }

    fn number(&mut self, b: Block) -> u32 {
        let next = self.numbers.len() as u32;
        let n = *self.numbers.entry(b).or_insert(next);
        if n == next {
            self.todo.push_back(b);
        }
        n
    }

    fn operand(&self, o: &Operand) -> Option<Digest> {
        match o {
            Operand::Value(v) => self.values[v.index()],
            Operand::Const(Const::Symbol(_) | Const::BlockAddr(..)) => {
                let mut text = String::new();
                self.pairs.symbol_text(self.version, self.func, o, &mut text);
                Some(digest(&text))
            }
            Operand::Const(c) => Some(digest(&format!("{c:?}"))),
        }
    }

    /// Digests of operands, as text.
    fn texts<'o>(&self, all: impl IntoIterator<Item = &'o Operand>) -> Option<String> {
        let mut out = String::new();
        for o in all {
            let _ = write!(out, " {}", hex(&self.operand(o)?));
        }
        Some(out)
    }

    fn block(&mut self, start: Block) -> Option<()> {
        let n = self.numbers[&start];
        self.epoch = digest(&format!("block {n}"));
        self.effects = 0;
        let _ = writeln!(self.out, "block {n}");
        let params = &self.body.block(start).params;
        for (k, v) in params.iter().enumerate() {
            // A block with one way into it has got its values from there.
            if self.values[v.index()].is_none() {
                let ty = self.body.ty(*v);
                self.values[v.index()] = Some(digest(&format!("parameter {n} {k} {ty:?}")));
                let _ = writeln!(self.out, "parameter {ty:?}");
            }
        }
        let mut b = start;
        loop {
            let body = self.body;
            let d = body.block(b);
            for i in &d.insts {
                self.inst(n, i)?;
            }
            if let Terminator::Jump(e) = &d.term {
                let (to, args) = self.follow(e)?;
                if self.entries[to.index()] == 1 {
                    self.receive(to, &args);
                    b = to;
                    continue;
                }
            }
            return self.end_of_block(&d.term);
        }
    }

    /// Where an edge ends, with the values that it hands over.
    fn follow(&self, e: &Edge) -> Option<(Block, Vec<Digest>)> {
        let mut args = e.args.iter().map(|o| self.operand(o)).collect::<Option<Vec<_>>>()?;
        let mut b = e.block;
        for _ in 0..MAX_SKIPPED {
            let Some(next) = self.passes(b) else { break };
            let params = &self.body.block(b).params;
            let handed = |o: &Operand| match o.as_value().and_then(|v| params.iter().position(|p| *p == v)) {
                Some(k) => args.get(k).copied(),
                None => self.operand(o),
            };
            args = next.args.iter().map(handed).collect::<Option<Vec<_>>>()?;
            b = next.block;
        }
        Some((b, args))
    }

    fn receive(&mut self, to: Block, args: &[Digest]) {
        for (p, a) in self.body.block(to).params.iter().zip(args) {
            self.values[p.index()] = Some(*a);
        }
    }

    fn edge(&mut self, e: &Edge) -> Option<String> {
        let (to, args) = self.follow(e)?;
        if self.entries[to.index()] == 1 {
            self.receive(to, &args);
            return Some(format!("{}", self.number(to)));
        }
        let args: Vec<String> = args.iter().map(hex).collect();
        Some(format!("{}({})", self.number(to), args.join(" ")))
    }

    fn flush(&mut self) {
        for t in std::mem::take(&mut self.may_fail) {
            let _ = writeln!(self.out, "may fail {t}");
        }
    }

    fn end_of_block(&mut self, t: &Terminator) -> Option<()> {
        self.flush();
        let text = match t {
            Terminator::Jump(e) => format!("go {}", self.edge(e)?),
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(cond)?;
                let (c, then, other) = match self.negated.get(&c) {
                    Some(inner) => (*inner, other, then),
                    None => (c, then, other),
                };
                let (x, y) = (self.edge(then)?, self.edge(other)?);
                format!("if {} {x} else {y}", hex(&c))
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.operand(value)?;
                let mut all: Vec<(String, &Edge)> = cases.iter().map(|(c, e)| (format!("{c:?}"), e)).collect();
                all.sort_by(|a, b| a.0.cmp(&b.0));
                let mut text = format!("switch {}", hex(&v));
                for (c, e) in all {
                    let _ = write!(text, " {c}: {}", self.edge(e)?);
                }
                let _ = write!(text, " else {}", self.edge(default)?);
                text
            }
            Terminator::Return(values) => format!("return{}", self.texts(values)?),
            Terminator::Unreachable => "unreachable".into(),
            Terminator::IndirectJump { address, targets } => {
                // Labels go by the number of their block, as they do in tables: each must lead to the same place.
                let mut all: Vec<&Edge> = targets.iter().collect();
                all.sort_by_key(|e| e.block);
                let mut text = format!("jump to {}", hex(&self.operand(address)?));
                for e in all {
                    let _ = write!(text, " {}: {}", e.block.0, self.edge(e)?);
                }
                text
            }
            Terminator::Invoke { .. } | Terminator::Resume(_) => return None,
        };
        let _ = writeln!(self.out, "{text}");
        Some(())
    }

    /// Something that stays in its place.
    fn effect(&mut self, block: u32, text: &str, results: &[Value]) {
        self.flush();
        self.effects += 1;
        let types: Vec<Ty> = results.iter().map(|r| self.body.ty(*r)).collect();
        let _ = writeln!(self.out, "{text} {types:?}");
        self.epoch = digest(&format!("after {block} {}", self.effects));
        for (k, r) in results.iter().enumerate() {
            self.values[r.index()] = Some(digest(&format!("result {block} {} {k}", self.effects)));
        }
    }

    fn inst(&mut self, block: u32, i: &Inst) -> Option<()> {
        let kind = &i.kind;
        match kind {
            InstKind::DebugValue { .. } => return Some(()),
            InstKind::Uninit => {
                // Variables that are always written first make no difference.
                if i.results.iter().any(|r| self.used.contains(r)) {
                    self.effect(block, "not initialised", &i.results);
                }
                return Some(());
            }
            InstKind::Load { ptr, align, volatile: false, atomic: false } => {
                let ty = self.body.ty(i.results[0]);
                let text = format!("read {} {ty:?} {align}", hex(&self.operand(ptr)?));
                let value = digest(&format!("{text} {}", hex(&self.epoch)));
                self.may_fail.insert(text);
                self.values[i.results[0].index()] = Some(value);
                return Some(());
            }
            InstKind::Check { ok: Operand::Const(Const::Int { value: 0, .. }), kind: CheckKind::Assertion, detail } => {
                self.effect(block, &format!("trap {}", detail.what), &[]);
                return Some(());
            }
            InstKind::Check { kind, ok, .. } => {
                let text = format!("check {kind:?} {}", hex(&self.operand(ok)?));
                self.may_fail.insert(text);
                return Some(());
            }
            InstKind::Assume { cond } => {
                let text = format!("assume {}", hex(&self.operand(cond)?));
                self.may_fail.insert(text);
                return Some(());
            }
            InstKind::Freeze { .. } => {}
            k if crate::plain::is_pure(k) => {
                let values = self.computes(i)?;
                for (r, d) in i.results.iter().zip(values) {
                    self.values[r.index()] = Some(d);
                }
                return Some(());
            }
            InstKind::Call(c) => {
                if c.returns_twice || self.callee_returns_twice(&c.callee) {
                    return None;
                }
                if self.pairs.fails_assertion(self.version, c) {
                    self.effect(block, "assertion fails", &i.results);
                    return Some(());
                }
            }
            InstKind::Load { atomic: true, .. }
            | InstKind::Store { atomic: true, .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::CmpXchg { .. }
            | InstKind::Unmodelled { .. }
            | InstKind::StackSave
            | InstKind::StackRestore { .. } => return None,
            _ => {}
        }
        // Whatever else it is, it stays as it is, with digests for operands.
        let mut operands = Vec::new();
        kind.for_each_operand(|o| operands.push(o));
        let operands = self.texts(operands)?;
        let mut blank = kind.clone();
        if let InstKind::Alloca { ctype, .. } = &mut blank {
            *ctype = None;
        }
        blank.for_each_operand_mut(|o| *o = Operand::Const(Const::Null));
        self.effect(block, &format!("{blank:?}{operands}"), &i.results);
        Some(())
    }

    fn callee_returns_twice(&self, callee: &Operand) -> bool {
        let Operand::Const(Const::Symbol(s)) = callee else { return false };
        matches!(self.module.resolve(*s).0, SymbolRef::Func(f) if self.module.func(f).attrs.returns_twice)
    }

    fn not(&mut self, d: Digest) -> Digest {
        if let Some(inner) = self.negated.get(&d) {
            return *inner;
        }
        let n = digest(&format!("not {}", hex(&d)));
        self.negated.insert(n, d);
        n
    }

    /// What an instruction that only computes makes; where it may fail by its operands, that is noted.
    fn computes(&mut self, i: &Inst) -> Option<Vec<Digest>> {
        let body = self.body;
        let ty = i.results.first().map(|r| body.ty(*r));
        let in_order = |mut x: Digest, mut y: Digest| {
            if x > y {
                std::mem::swap(&mut x, &mut y);
            }
            format!("{} {}", hex(&x), hex(&y))
        };
        let is_zero = |o: &Operand| matches!(o, Operand::Const(Const::Int { value: 0, .. }));
        let is_one = |o: &Operand| matches!(o, Operand::Const(Const::Int { value: 1, .. }));
        match &i.kind {
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                let of = body.operand_ty(lhs);
                // A truth value that became a number, tested against zero.
                if let (IntPred::Eq | IntPred::Ne, Some(c)) = (pred, self.widened.get(&a).copied())
                    && is_zero(rhs)
                {
                    return Some(vec![if *pred == IntPred::Ne { c } else { self.not(c) }]);
                }
                let (word, args, negative) = match pred {
                    IntPred::Eq => ("=", in_order(a, b), false),
                    IntPred::Ne => ("=", in_order(a, b), true),
                    IntPred::Slt => ("s<", format!("{} {}", hex(&a), hex(&b)), false),
                    IntPred::Sgt => ("s<", format!("{} {}", hex(&b), hex(&a)), false),
                    IntPred::Sle => ("s<", format!("{} {}", hex(&b), hex(&a)), true),
                    IntPred::Sge => ("s<", format!("{} {}", hex(&a), hex(&b)), true),
                    IntPred::Ult => ("u<", format!("{} {}", hex(&a), hex(&b)), false),
                    IntPred::Ugt => ("u<", format!("{} {}", hex(&b), hex(&a)), false),
                    IntPred::Ule => ("u<", format!("{} {}", hex(&b), hex(&a)), true),
                    IntPred::Uge => ("u<", format!("{} {}", hex(&a), hex(&b)), true),
                };
                let d = digest(&format!("{word} {of:?} {args}"));
                return Some(vec![if negative { self.not(d) } else { d }]);
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                let of = body.operand_ty(lhs);
                let straight = format!("{} {}", hex(&a), hex(&b));
                let turned = format!("{} {}", hex(&b), hex(&a));
                use FloatPred as P;
                let (pred, args) = match pred {
                    P::Ogt => (P::Olt, turned),
                    P::Oge => (P::Ole, turned),
                    P::Ugt => (P::Ult, turned),
                    P::Uge => (P::Ule, turned),
                    P::Oeq | P::Une | P::One | P::Ueq | P::Ord | P::Uno => (*pred, in_order(a, b)),
                    p => (*p, straight),
                };
                return Some(vec![digest(&format!("{pred:?} {of:?} {args}"))]);
            }
            InstKind::Binary { op: BinOp::Xor, lhs, rhs, .. } if ty == Some(Ty::Int(1)) && is_one(rhs) => {
                let a = self.operand(lhs)?;
                return Some(vec![self.not(a)]);
            }
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                use BinOp as B;
                let turns =
                    matches!(op, B::Add | B::Mul | B::And | B::Or | B::Xor | B::SMin | B::SMax | B::UMin | B::UMax);
                let args = if turns { in_order(a, b) } else { format!("{} {}", hex(&a), hex(&b)) };
                let text = format!("{op:?} {flags:?} {ty:?} {args}");
                let total = turns || *op == B::Sub;
                if flags.nsw || flags.nuw || flags.exact || !total {
                    self.may_fail.insert(text.clone());
                }
                return Some(vec![digest(&text)]);
            }
            // Which operand's NaN comes out C leaves open, and compilers turn them as they like.
            InstKind::FBinary { op: op @ (FBinOp::Add | FBinOp::Mul), lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                return Some(vec![digest(&format!("{op:?} {ty:?} {}", in_order(a, b)))]);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (a, b) = (self.operand(lhs)?, self.operand(rhs)?);
                use OverflowOp as O;
                let turns = matches!(op, O::SAdd | O::UAdd | O::SMul | O::UMul);
                let args = if turns { in_order(a, b) } else { format!("{} {}", hex(&a), hex(&b)) };
                let of = body.operand_ty(lhs);
                return Some((0..i.results.len()).map(|k| digest(&format!("{op:?} {of:?} {args} {k}"))).collect());
            }
            InstKind::Select { cond, then, other } => {
                let (c, x, y) = (self.operand(cond)?, self.operand(then)?, self.operand(other)?);
                let (c, x, y) = match self.negated.get(&c) {
                    Some(inner) => (*inner, y, x),
                    None => (c, x, y),
                };
                return Some(vec![digest(&format!("select {ty:?} {} {} {}", hex(&c), hex(&x), hex(&y)))]);
            }
            InstKind::Cast { op, arg } => {
                let a = self.operand(arg)?;
                let from = body.operand_ty(arg);
                if let (CastOp::Trunc, Some(Ty::Int(1)), Some(c)) = (op, ty, self.widened.get(&a)) {
                    return Some(vec![*c]);
                }
                let text = format!("{op:?} {from:?} {ty:?} {}", hex(&a));
                let d = digest(&text);
                match op {
                    CastOp::ZExt if from == Ty::Int(1) => _ = self.widened.insert(d, a),
                    CastOp::FpToUi | CastOp::FpToSi | CastOp::LRint | CastOp::LRound => {
                        self.may_fail.insert(text);
                    }
                    _ => {}
                }
                return Some(vec![d]);
            }
            InstKind::Addr { base, steps, inbounds } => {
                let mut text = format!("address {inbounds} {}", hex(&self.operand(base)?));
                for s in steps {
                    match s {
                        Step::Field { record, index, offset } => {
                            match record.map(|r| self.pairs.layouts.changed_field(self.module, r, *index)) {
                                Some(Changed::Field(n)) => _ = write!(text, " .{n}"),
                                Some(Changed::Nameless) => return None,
                                Some(Changed::No) | None => _ = write!(text, " +{offset}"),
                            }
                        }
                        Step::Index { index, stride, .. } => {
                            let of = body.operand_ty(index);
                            let _ = write!(text, " [{of:?} {} {stride}]", hex(&self.operand(index)?));
                        }
                    }
                }
                return Some(vec![digest(&text)]);
            }
            _ => {}
        }
        let mut operands = Vec::new();
        i.kind.for_each_operand(|o| operands.push(o));
        let kinds: Vec<Ty> = operands.iter().map(|o| body.operand_ty(o)).collect();
        let operands = self.texts(operands)?;
        let mut blank = i.kind.clone();
        blank.for_each_operand_mut(|o| *o = Operand::Const(Const::Null));
        let text = format!("{blank:?} {kinds:?}{operands}");
        Some((0..i.results.len()).map(|k| digest(&format!("{text} {k} {:?}", body.ty(i.results[k])))).collect())
    }
}

/// Empty blocks that are skipped one after the other.
const MAX_SKIPPED: u32 = 64;
