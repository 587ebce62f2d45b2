//! Which C variable has a value at the head of a loop, and what the parts of objects are called.

use verify_facts::invariant::{Object, Variable};
use verify_facts::{Dominators, LoopForest};
use verify_ir::{Block, Body, CType, Encoding, FuncId, InstKind, Module, Operand, SpanId, Ty, TypeId, Value, VarId};

/// Nesting of types that is looked into.
const DEPTH: u32 = 16;

/// Something with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    /// As C writes it.
    pub text: String,
    /// Its bits are a signed number.
    pub signed: bool,
    /// Width in bits.
    pub bits: u32,
    /// C says it like this.
    pub c: bool,
    /// Declared before the loop begins.
    pub in_scope: bool,
}

/// Names at the head of one loop.
pub(super) struct Names<'a> {
    module: &'a Module,
    func: FuncId,
    body: &'a Body,
    header: Block,
    /// Where the loop begins.
    span: SpanId,
    dominators: Dominators,
    /// The variables by what they are at the head.
    current: Vec<Option<Operand>>,
}

impl<'a> Names<'a> {
    pub fn new(module: &'a Module, func: FuncId, body: &'a Body, header: Block, span: SpanId) -> Names<'a> {
        let dominators = Dominators::new(body);
        let mut n = Names { module, func, body, header, span, dominators, current: Vec::new() };
        let all = (0..body.vars.len()).map(VarId::new);
        n.current = if header == Block(0) {
            // Where the function returns, its parameters are meant as they were given.
            all.map(|x| n.param(x)).collect()
        } else {
            all.map(|x| n.at_head(x, header)).collect()
        };
        n
    }

    /// The value that a parameter was given.
    fn param(&self, x: VarId) -> Option<Operand> {
        let k = (self.body.vars[x.index()].param as usize).checked_sub(1)?;
        self.body.block(Block(0)).params.get(k).map(|v| Operand::Value(*v))
    }

    fn result(&self) -> Option<Named> {
        let f = self.module.func(self.func);
        let ty = *f.sig.results.first()?;
        let ret = match f.ctype.map(|t| self.module.ctype(t)) {
            Some(CType::Function { ret, .. }) => Some(*ret),
            _ => None,
        };
        self.scalar(ty, "\\result".into(), ret).map(|n| Named { c: false, ..n })
    }

    /// What a variable is when control is at a block.
    fn at_head(&self, x: VarId, at: Block) -> Option<Operand> {
        let param = |b: Block| {
            let mut all = self.body.block(b).params.iter().filter(|v| self.body.values[v.index()].var == Some(x));
            let first = all.next().copied();
            if all.next().is_some() { None } else { first }
        };
        if let Some(v) = param(at) {
            return Some(Operand::Value(v));
        }
        let mut b = at;
        loop {
            b = self.dominators.immediate(b)?;
            let assigned = self.body.block(b).insts.iter().rev().find_map(|i| match &i.kind {
                InstKind::DebugValue { var, value } if *var == x => Some(value.clone()),
                _ => None,
            });
            if let Some(v) = assigned.or_else(|| param(b).map(Operand::Value)) {
                return self.unchanged(x, b, at).then_some(v);
            }
        }
    }

    /// No block on a way from `from` to `to` gives the variable another value.
    fn unchanged(&self, x: VarId, from: Block, to: Block) -> bool {
        let assigns = |b: Block| {
            let data = self.body.block(b);
            data.params.iter().any(|v| self.body.values[v.index()].var == Some(x))
                || data.insts.iter().any(|i| matches!(&i.kind, InstKind::DebugValue { var, .. } if *var == x))
        };
        // Backwards from the head, not beyond where the value is from.
        let mut seen = vec![false; self.body.blocks.len()];
        let mut todo = vec![to];
        while let Some(b) = todo.pop() {
            for p in self.body.block_ids().filter(|p| self.body.block(*p).term.targets().iter().any(|e| e.block == b)) {
                if p != from && !std::mem::replace(&mut seen[p.index()], true) {
                    if assigns(p) {
                        return false;
                    }
                    todo.push(p);
                }
            }
        }
        true
    }

    /// The name of what a row speaks about.
    pub fn of(&self, v: Variable, signed: bool) -> Option<Named> {
        match v {
            Variable::Value(v) => self.value(v),
            Variable::Start(v) => self.start(v),
            Variable::Result => self.result(),
            Variable::Cell { object, offset, size } => {
                let (name, ty) = self.object(object)?;
                self.part(name, ty, offset, size).or_else(|| {
                    let text = format!("bytes {offset} to {} of {}", offset + size - 1, self.object(object)?.0);
                    Some(Named { text, signed, bits: 8 * size as u32, c: false, in_scope: true })
                })
            }
        }
    }

    fn value(&self, v: Value) -> Option<Named> {
        let is = |o: &Option<Operand>| *o == Some(Operand::Value(v));
        let x = self.current.iter().position(is)?;
        let var = &self.body.vars[x];
        let (made, here) = (self.module.span(var.span), self.module.span(self.span));
        // Of a declaration, debug information may know the line alone.
        let same_line = made.line == here.line && made.column > 0 && made.column < here.column;
        let in_scope = var.param > 0 || made.line < here.line || same_line;
        let n = self.scalar(self.body.ty(v), var.name.clone(), var.ctype)?;
        Some(Named { in_scope, ..n })
    }

    /// A value that a variable had when the loop was entered: by the name of another that still has it.
    fn start(&self, v: Value) -> Option<Named> {
        let k = self.body.block(self.header).params.iter().position(|p| *p == v)?;
        let forest = LoopForest::new(self.body);
        let l = forest.loops.iter().find(|l| l.header == self.header)?;
        let mut entered = Vec::new();
        for b in self.body.block_ids().filter(|b| !l.contains(*b)) {
            let edges = self.body.block(b).term.targets();
            entered.extend(edges.iter().filter(|e| e.block == self.header).filter_map(|e| e.args.get(k).cloned()));
        }
        if let [Operand::Value(w)] = entered.as_slice()
            && let Some(n) = self.value(*w)
        {
            return Some(n);
        }
        let n = self.value(v)?;
        Some(Named { text: format!("\\at({}, LoopEntry)", n.text), c: false, ..n })
    }

    fn scalar(&self, ty: Ty, text: String, ctype: Option<TypeId>) -> Option<Named> {
        if text.is_empty() {
            return None;
        }
        let bits = ty.bits(&self.module.target);
        if ty == Ty::Ptr {
            return Some(Named { text: format!("offset({text})"), signed: false, bits, c: false, in_scope: true });
        }
        let signed = ctype.and_then(|t| self.integer(t)).is_none_or(|(s, _)| s);
        Some(Named { text, signed, bits, c: true, in_scope: true })
    }

    /// Signed, and width in bits, of an integer type.
    fn integer(&self, mut t: TypeId) -> Option<(bool, u32)> {
        for _ in 0..DEPTH {
            match self.module.ctype(t) {
                CType::Base { encoding, bits, .. } => {
                    let signed = match encoding {
                        Encoding::Signed | Encoding::SignedChar => true,
                        Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool => false,
                        _ => return None,
                    };
                    return Some((signed, *bits));
                }
                CType::Enum { underlying, .. } => t = *underlying,
                CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => t = *ty,
                _ => return None,
            }
        }
        None
    }

    fn object(&self, o: Object) -> Option<(String, Option<TypeId>)> {
        match o {
            Object::Global(g) => {
                let g = self.module.global(g);
                let name = if g.source_name.is_empty() { &g.name } else { &g.source_name };
                (!name.is_empty() && g.ctype.is_some()).then(|| (name.clone(), g.ctype))
            }
            Object::Behind { frame: 0, value } => {
                let data = self.body.values[value.index()];
                let var = self.body.vars.get(data.var?.index())?;
                let made = self.body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(&value))?;
                let local = matches!(made.kind, InstKind::Alloca { .. });
                // Declared after the loop begins: inside of it.
                let inside = self.module.span(var.span).line > self.module.span(self.span).line;
                (local && !inside && !var.name.is_empty()).then(|| (var.name.clone(), var.ctype))
            }
            Object::Behind { .. } => None,
        }
    }

    /// The scalar of an object at an offset.
    fn part(&self, mut text: String, mut ty: Option<TypeId>, mut offset: u64, size: u64) -> Option<Named> {
        for _ in 0..DEPTH {
            match self.module.ctype(ty?) {
                CType::Typedef { ty: t, .. } | CType::Qualified { ty: t, .. } => ty = Some(*t),
                CType::Array { elem, .. } => {
                    let n = self.size(*elem, 0)?;
                    text = format!("{text}[{}]", offset.checked_div(n)?);
                    offset %= n;
                    ty = Some(*elem);
                }
                CType::Record(r) => {
                    let fits = |f: &&verify_ir::Field| {
                        let (from, bits) = (f.bit_offset, f.bit_size);
                        !f.bit_field && from <= 8 * offset && 8 * (offset + size) <= from + bits
                    };
                    let f = r.fields.iter().find(fits)?;
                    if !f.name.is_empty() {
                        text = format!("{text}.{}", f.name);
                    }
                    offset -= f.bit_offset / 8;
                    ty = Some(f.ty);
                }
                CType::Base { .. } | CType::Enum { .. } => {
                    let (signed, bits) = self.integer(ty?)?;
                    let whole = offset == 0 && u64::from(bits) == 8 * size;
                    return whole.then_some(Named { text, signed, bits, c: true, in_scope: true });
                }
                CType::Pointer(_) => {
                    let bits = self.module.target.pointer_bits;
                    let whole = offset == 0 && u64::from(bits) == 8 * size;
                    return whole.then(|| Named {
                        text: format!("offset({text})"),
                        signed: false,
                        bits,
                        c: false,
                        in_scope: true,
                    });
                }
                _ => return None,
            }
        }
        None
    }

    /// Bytes of a type.
    fn size(&self, t: TypeId, depth: u32) -> Option<u64> {
        if depth > DEPTH {
            return None;
        }
        match self.module.ctype(t) {
            CType::Base { bits, .. } => Some(u64::from(bits.div_ceil(8))),
            CType::Pointer(_) => Some(self.module.target.pointer_bytes()),
            CType::Record(r) => (r.size > 0).then_some(r.size),
            CType::Array { elem, count } => self.size(*elem, depth + 1)?.checked_mul((*count)?),
            CType::Enum { underlying: t, .. } | CType::Typedef { ty: t, .. } | CType::Qualified { ty: t, .. } => {
                self.size(*t, depth + 1)
            }
            _ => None,
        }
    }
}
