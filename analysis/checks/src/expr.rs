//! The C expression behind an SSA value, read back from debug variables, access paths, loads, calls and arithmetic.
//! Best effort and for messages only: an expression may name a variable whose value has changed since; nothing is
//! decided by it. What cannot be named is read from the source text at the position, else is empty.

use crate::calls::{constant_string, direct_callee};
use crate::defs::{Def, Defs, Object, sign_extend};
use verify_ir::inst::{BinOp, CastOp, FBinOp, IntPred, OverflowOp};
use verify_ir::{CType, Const, Function, InstKind, Module, Operand, SpanId, Step, SymbolRef, TypeId, Value};

/// Longer texts help nobody.
const MAX_LEN: usize = 120;
const MAX_DEPTH: u32 = 12;

/// Text with the precedence of its outermost operator.
#[derive(Clone, Debug)]
struct Text {
    s: String,
    p: Prec,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Prec {
    Binary,
    Unary,
    Postfix,
}

impl Text {
    fn postfix(s: impl Into<String>) -> Text {
        Text { s: s.into(), p: Prec::Postfix }
    }
    /// Parenthesised unless it binds at least as tightly as `p`.
    fn at(self, p: Prec) -> String {
        if self.p >= p { self.s } else { format!("({})", self.s) }
    }
    fn short(self) -> Option<Text> {
        (self.s.len() <= MAX_LEN && !self.s.is_empty()).then_some(self)
    }
}

/// Renders expressions of one function.
#[derive(Clone, Copy)]
pub struct Exprs<'a> {
    module: &'a Module,
    func: &'a Function,
    defs: &'a Defs<'a>,
    /// The type of what is rendered is unsigned: a bit pattern alone does not say so.
    unsigned: bool,
}

impl<'a> Exprs<'a> {
    /// For one function.
    pub fn new(module: &'a Module, func: &'a Function, defs: &'a Defs<'a>) -> Exprs<'a> {
        Exprs { module, func, defs, unsigned: false }
    }

    /// For operands of a C type, by its name: numbers are those of the type.
    pub fn of_type(&self, ctype: &str) -> Exprs<'a> {
        Exprs { unsigned: self.module.is_unsigned(ctype), ..*self }
    }

    fn signed(&self) -> Exprs<'a> {
        Exprs { unsigned: false, ..*self }
    }

    /// The value as a C expression.
    pub fn value(&self, o: &Operand) -> Option<String> {
        self.operand(o, MAX_DEPTH).map(|t| t.s)
    }

    /// What the pointer points to, as a C lvalue.
    pub fn lvalue(&self, ptr: &Operand) -> Option<String> {
        self.place(ptr, MAX_DEPTH).map(|t| t.s)
    }

    /// The pointer that an access path starts from: `p->next` for the address of `p->next->x`.
    pub fn base_pointer(&self, ptr: &Operand) -> Option<String> {
        let mut at = ptr.clone();
        for _ in 0..64 {
            match self.defs.inst_of(&at).map(|i| &i.kind) {
                Some(InstKind::Addr { base, .. }) if self.named(&at).is_none() => at = base.clone(),
                _ => break,
            }
        }
        self.value(&at)
    }

    /// `lhs op rhs` for the operands of a check or an operation.
    pub fn operation(&self, op: &str, operands: &[Operand]) -> Option<String> {
        // The amount of a shift has a type of its own.
        let right = if matches!(op, "<<" | ">>") { self.signed() } else { *self };
        let t = |i: usize| if i == 0 { self } else { &right }.operand(operands.get(i)?, MAX_DEPTH);
        match operands.len() {
            1 => Some(format!("{op}{}", t(0)?.at(Prec::Unary))),
            2 => Some(format!("{} {op} {}", t(0)?.at(Prec::Unary), t(1)?.at(Prec::Unary))),
            _ => None,
        }
        .filter(|s| s.len() <= MAX_LEN)
    }

    /// The pointer certainly points to an object of this function or to a global.
    pub fn is_definite(&self, ptr: &Operand) -> bool {
        matches!(self.defs.root(self.module, ptr).object, Object::Stack { .. } | Object::Global { .. })
    }

    /// The callee as users write it.
    pub fn callee(&self, call: &verify_ir::Call) -> Option<String> {
        if let Some(f) = direct_callee(self.module, call) {
            return Some(self.module.func(f).name.clone());
        }
        self.operand(&call.callee, MAX_DEPTH).map(|t| t.at(Prec::Postfix))
    }

    /// The postfix expression that begins at the position in the source text.
    pub fn source_text(&self, span: SpanId) -> Option<String> {
        source_expression(self.module, span)
    }

    /// The C variable that the debug information gives the value.
    fn named(&self, o: &Operand) -> Option<String> {
        let v = o.as_value()?;
        let data = self.defs.body().values[v.index()];
        if matches!(self.defs.inst(v).map(|i| &i.kind), Some(InstKind::Alloca { .. })) {
            return None;
        }
        let name = &self.defs.body().vars.get(data.var?.index())?.name;
        (!name.is_empty()).then(|| name.clone())
    }

    fn operand(&self, o: &Operand, depth: u32) -> Option<Text> {
        match o {
            Operand::Const(c) => self.constant(c).and_then(Text::short),
            Operand::Value(v) => match self.named(o) {
                Some(n) => Some(Text::postfix(n)),
                None => self.computed(*v, depth.checked_sub(1)?).and_then(Text::short),
            },
        }
    }

    fn constant(&self, c: &Const) -> Option<Text> {
        Some(match c {
            Const::Int { width, value } => {
                if self.unsigned {
                    return Some(Text::postfix(value.to_string()));
                }
                let n = sign_extend(*width, *value);
                Text { s: n.to_string(), p: if n < 0 { Prec::Unary } else { Prec::Postfix } }
            }
            Const::Null => Text::postfix("NULL"),
            Const::Symbol(s) => match self.module.resolve(*s) {
                (SymbolRef::Func(f), _) => Text::postfix(self.module.func(f).name.clone()),
                (SymbolRef::Global(g), 0) => {
                    let g = self.module.global(g);
                    if g.compiler_made {
                        let text = constant_string(self.module, &Operand::Const(c.clone()))?;
                        Text::postfix(format!("\"{}\"", text.escape_debug()))
                    } else if self.is_array(g.ctype) {
                        Text::postfix(global_name(g))
                    } else {
                        Text { s: format!("&{}", global_name(g)), p: Prec::Unary }
                    }
                }
                _ => return None,
            },
            Const::Float { kind: verify_ir::FloatKind::Double, bits } => {
                Text::postfix(f64::from_bits(*bits as u64).to_string())
            }
            Const::Float { kind: verify_ir::FloatKind::Single, bits } => {
                Text::postfix(f32::from_bits(*bits as u32).to_string())
            }
            _ => return None,
        })
    }

    fn computed(&self, v: Value, depth: u32) -> Option<Text> {
        let Def::Inst(..) = self.defs.def(v) else { return None };
        let inst = self.defs.inst(v)?;
        let binary = |op: &str, l: &Operand, r: &Operand| {
            let (l, r) = (self.operand(l, depth)?.at(Prec::Unary), self.operand(r, depth)?.at(Prec::Unary));
            Some(Text { s: format!("{l} {op} {r}"), p: Prec::Binary })
        };
        match &inst.kind {
            InstKind::Load { ptr, .. } => self.signed().place(ptr, depth),
            InstKind::Alloca { .. } | InstKind::Addr { .. } => self.signed().address(v, depth),
            InstKind::Call(c) => Some(Text::postfix(format!("{}()", self.callee(c)?))),
            InstKind::Cast { op, arg } => match op {
                CastOp::FpToUi | CastOp::FpToSi => {
                    Some(Text { s: format!("(int){}", self.operand(arg, depth)?.at(Prec::Unary)), p: Prec::Unary })
                }
                _ => Exprs { unsigned: *op == CastOp::ZExt, ..*self }.operand(arg, depth),
            },
            InstKind::Freeze { arg } => self.operand(arg, depth),
            InstKind::Binary { op, lhs, rhs, .. } => binary(bin_op(*op)?, lhs, rhs),
            InstKind::Overflow { op, lhs, rhs } => binary(overflow_op(*op), lhs, rhs),
            InstKind::FBinary { op, lhs, rhs } => binary(fbin_op(*op)?, lhs, rhs),
            InstKind::Icmp { pred, lhs, rhs } => {
                let unsigned = matches!(pred, IntPred::Ult | IntPred::Ule | IntPred::Ugt | IntPred::Uge);
                let side = Exprs { unsigned, ..*self };
                let (l, r) = (side.operand(lhs, depth)?.at(Prec::Unary), side.operand(rhs, depth)?.at(Prec::Unary));
                Some(Text { s: format!("{l} {} {r}", pred.symbol()), p: Prec::Binary })
            }
            InstKind::Select { cond, then, other } => {
                let c = self.signed().operand(cond, depth)?.at(Prec::Unary);
                let (t, o) = (self.operand(then, depth)?.s, self.operand(other, depth)?.s);
                Some(Text { s: format!("{c} ? {t} : {o}"), p: Prec::Binary })
            }
            _ => None,
        }
    }

    /// The pointer `v`, an address computation, as an expression: `&p->x`, `a` (decayed array), `p + i`.
    fn address(&self, v: Value, depth: u32) -> Option<Text> {
        if let Some(InstKind::Addr { base, steps, .. }) = self.defs.inst(v).map(|i| &i.kind)
            && let [Step::Index { index, count: None, .. }] = &steps[..]
        {
            let b = self.operand(base, depth)?.at(Prec::Unary);
            let i = self.operand(index, depth)?.at(Prec::Unary);
            return Some(match i.strip_prefix('-') {
                Some(n) if !n.is_empty() => Text { s: format!("{b} - {n}"), p: Prec::Binary },
                _ => Text { s: format!("{b} + {i}"), p: Prec::Binary },
            });
        }
        let decays = self.pointee(&Operand::Value(v)).is_some_and(|t| self.is_array(Some(t)));
        let place = self.place(&Operand::Value(v), depth)?;
        if decays { Some(place) } else { Some(Text { s: format!("&{}", place.at(Prec::Unary)), p: Prec::Unary }) }
    }

    /// The type of the object that an address computation designates, as far as it says.
    fn pointee(&self, ptr: &Operand) -> Option<TypeId> {
        match ptr {
            Operand::Const(Const::Symbol(s)) => match self.module.resolve(*s) {
                (SymbolRef::Global(g), 0) => self.module.global(g).ctype,
                _ => None,
            },
            Operand::Const(_) => None,
            Operand::Value(v) => match &self.defs.inst(*v)?.kind {
                InstKind::Alloca { ctype, .. } => *ctype,
                InstKind::Addr { steps, .. } => match steps.last()? {
                    Step::Field { record: Some(r), index, .. } => match self.module.ctype(*r) {
                        CType::Record(rec) => rec.fields.get(*index as usize).map(|f| f.ty),
                        _ => None,
                    },
                    Step::Field { .. } => None,
                    Step::Index { elem, .. } => *elem,
                },
                _ => None,
            },
        }
    }

    /// The lvalue that `ptr` points to.
    fn place(&self, ptr: &Operand, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        if let Operand::Const(Const::Symbol(s)) = ptr {
            return match self.module.resolve(*s) {
                (SymbolRef::Global(g), 0) => {
                    let g = self.module.global(g);
                    if g.compiler_made { self.operand(ptr, depth) } else { Some(Text::postfix(global_name(g))) }
                }
                (SymbolRef::Func(f), _) => Some(Text::postfix(self.module.func(f).name.clone())),
                _ => None,
            };
        }
        let deref = |s: &Self| {
            s.operand(ptr, depth).map(|t| match t.s.strip_prefix('&') {
                Some(rest) if t.p == Prec::Unary => Text { s: rest.to_string(), p: Prec::Postfix },
                _ => Text { s: format!("*{}", t.at(Prec::Unary)), p: Prec::Unary },
            })
        };
        let v = match ptr {
            Operand::Value(v) => *v,
            Operand::Const(_) => return deref(self),
        };
        match self.defs.inst(v).map(|i| &i.kind) {
            Some(InstKind::Alloca { .. }) => {
                let var = self.defs.body().values[v.index()].var?;
                let name = &self.defs.body().vars.get(var.index())?.name;
                (!name.is_empty()).then(|| Text::postfix(name.clone()))
            }
            // A named pointer variable that holds an address: users know it by that name.
            Some(InstKind::Addr { base, steps, .. }) if self.named(ptr).is_none() => self.path(base, steps, depth),
            _ => match self.byval_name(v) {
                Some(n) => Some(Text::postfix(n)),
                None => deref(self),
            },
        }
        .and_then(Text::short)
    }

    /// A struct passed by value in memory: the pointer is the variable itself.
    fn byval_name(&self, v: Value) -> Option<String> {
        let Def::Param(b, i) = self.defs.def(v) else { return None };
        if b.index() != 0 || self.func.sig.params.get(i as usize)?.attrs.byval.is_none() {
            return None;
        }
        self.named(&Operand::Value(v))
    }

    fn path(&self, base: &Operand, steps: &[Step], depth: u32) -> Option<Text> {
        // `cur` is an lvalue text, or a pointer value whose first step dereferences it.
        let direct = self.designates(base);
        let mut cur = if direct { self.place(base, depth)? } else { self.operand(base, depth)? };
        let mut pointer = !direct;
        for s in steps {
            cur = match s {
                Step::Field { record, index, .. } => {
                    let name = self.field_name(*record, *index);
                    match (name, pointer) {
                        (Some(n), true) => {
                            pointer = false;
                            match cur.s.strip_prefix('&') {
                                Some(rest) if cur.p == Prec::Unary => Text::postfix(format!("{rest}.{n}")),
                                _ => Text::postfix(format!("{}->{n}", cur.at(Prec::Postfix))),
                            }
                        }
                        (Some(n), false) => Text::postfix(format!("{}.{n}", cur.at(Prec::Postfix))),
                        // An anonymous member adds nothing to the text.
                        (None, _) => cur,
                    }
                }
                Step::Index { index, count, .. } => {
                    if pointer && count.is_none() && is_zero(index) {
                        continue;
                    }
                    let i = self.operand(index, depth).map_or_else(|| "...".to_string(), |t| t.s);
                    let b = match (pointer, count) {
                        (true, Some(_)) => format!("(*{})", cur.at(Prec::Unary)),
                        (false, None) if !direct || steps.len() > 1 => cur.at(Prec::Postfix),
                        _ => cur.at(Prec::Postfix),
                    };
                    pointer = false;
                    Text::postfix(format!("{b}[{i}]"))
                }
            };
        }
        if pointer {
            cur = Text { s: format!("*{}", cur.at(Prec::Unary)), p: Prec::Unary };
        }
        Some(cur)
    }

    /// The operand is the address of a named object or a path into one, not a pointer value.
    fn designates(&self, base: &Operand) -> bool {
        match base {
            Operand::Const(Const::Symbol(_)) => true,
            Operand::Const(_) => false,
            Operand::Value(v) => {
                if self.byval_name(*v).is_some() {
                    return true;
                }
                match self.defs.inst(*v).map(|i| &i.kind) {
                    Some(InstKind::Alloca { .. }) => true,
                    Some(InstKind::Addr { .. }) => self.named(base).is_none(),
                    _ => false,
                }
            }
        }
    }

    fn field_name(&self, record: Option<TypeId>, index: u32) -> Option<String> {
        match self.module.ctype(record?) {
            CType::Record(r) => r.fields.get(index as usize).map(|f| f.name.clone()).filter(|n| !n.is_empty()),
            _ => None,
        }
    }

    fn is_array(&self, t: Option<TypeId>) -> bool {
        let mut at = t;
        for _ in 0..16 {
            match at.map(|t| self.module.ctype(t)) {
                Some(CType::Typedef { ty, .. } | CType::Qualified { ty, .. }) => at = Some(*ty),
                Some(CType::Array { .. }) => return true,
                _ => return false,
            }
        }
        false
    }
}

fn global_name(g: &verify_ir::Global) -> String {
    if g.source_name.is_empty() { g.name.clone() } else { g.source_name.clone() }
}

fn is_zero(o: &Operand) -> bool {
    matches!(o, Operand::Const(Const::Int { value: 0, .. }))
}

/// The identifier, call, member or index chain that begins at the position.
fn source_expression(module: &Module, span: SpanId) -> Option<String> {
    let s = module.span(span);
    let text = module.files.get(s.file.index())?.text.as_deref()?;
    let line = text.lines().nth((s.line as usize).checked_sub(1)?)?;
    let rest = line.get((s.column as usize).checked_sub(1)?..)?;
    let bytes = rest.as_bytes();
    let ident = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if bytes.first().is_none_or(|b| !(ident(*b) || *b == b'*')) {
        return None;
    }
    let (mut i, mut depth) = (0, 0usize);
    while i < bytes.len() && bytes[i] == b'*' {
        i += 1;
    }
    while i < bytes.len() {
        match bytes[i] {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 0 => break,
            b')' | b']' => depth -= 1,
            b'-' if depth == 0 && bytes.get(i + 1) == Some(&b'>') => i += 1,
            b'.' => {}
            b if depth > 0 || ident(b) => {}
            _ => break,
        }
        i += 1;
    }
    let out = rest.get(..i)?.trim();
    (depth == 0 && !out.is_empty() && out.len() <= 60).then(|| out.to_string())
}

fn bin_op(op: BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::UDiv | BinOp::SDiv => "/",
        BinOp::URem | BinOp::SRem => "%",
        BinOp::Shl => "<<",
        BinOp::LShr | BinOp::AShr => ">>",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        _ => return None,
    })
}

/// The C operator of integer arithmetic, where there is one.
pub fn operator(op: BinOp) -> &'static str {
    bin_op(op).unwrap_or(op.name())
}

fn overflow_op(op: OverflowOp) -> &'static str {
    match op {
        OverflowOp::SAdd | OverflowOp::UAdd => "+",
        OverflowOp::SSub | OverflowOp::USub => "-",
        OverflowOp::SMul | OverflowOp::UMul => "*",
    }
}

fn fbin_op(op: FBinOp) -> Option<&'static str> {
    Some(match op {
        FBinOp::Add => "+",
        FBinOp::Sub => "-",
        FBinOp::Mul => "*",
        FBinOp::Div => "/",
        _ => return None,
    })
}
