//! Parsing of bodies.

use super::lex::Tok;
use super::parse::{Parser, R};
use crate::check_kind::CheckKind;
use crate::constant::Operand;
use crate::entity::{Value, VarId};
use crate::function::{BlockData, Body, Param, ValueData, Var};
use crate::inst::{
    ArithFlags, BinOp, Call, CastOp, CheckDetail, Edge, FBinOp, FUnOp, FloatPred, InlineAsm, Inst, InstKind, IntPred,
    OverflowOp, RmwOp, Step, Terminator, UnOp,
};

/// Values as they are defined; numbers may come in any order.
type Values = Vec<Option<ValueData>>;

impl Parser<'_> {
    /// After the opening brace.
    pub(super) fn body(&mut self) -> R<Body> {
        let mut body = Body::default();
        let mut values = Values::new();
        while self.is_entity("var") {
            let n = self.var()?;
            if n.index() != body.vars.len() {
                return self.error(format!("expected `var{}`, found `{n}` before this", body.vars.len()));
            }
            let name = self.string("the variable's name")?;
            let ctype = if self.is_entity("type") { Some(self.type_id()?) } else { None };
            let param = if self.flag("param") { self.number("a parameter number")? } else { 0 };
            body.vars.push(Var { name, ctype, param, span: self.span() });
        }
        if self.flag("undefined") {
            self.definitions(&mut values)?;
        }
        while !self.accept("}") {
            if !self.is_entity("b") {
                return self.expected("a block (`b0:`) or `}`");
            }
            let b = self.block()?;
            if b.index() != body.blocks.len() {
                return self.error(format!("expected `b{}`, found `{b}` before this", body.blocks.len()));
            }
            let params = if self.accept("(") {
                let p = self.definitions(&mut values)?;
                self.punct(")")?;
                p
            } else {
                Vec::new()
            };
            self.punct(":")?;
            let mut insts = Vec::new();
            let (term, term_span) = loop {
                if let Some(t) = self.terminator()? {
                    break (t, self.span());
                }
                insts.push(self.inst(&mut values)?);
            };
            body.blocks.push(BlockData { params, insts, term, term_span });
        }
        for (i, v) in values.into_iter().enumerate() {
            match v {
                Some(v) => body.values.push(v),
                None => return self.error(format!("v{i} is not defined in the function before this")),
            }
        }
        Ok(body)
    }

    /// `v0: i32 var1, v1: ptr`; enters them into `values`.
    fn definitions(&mut self, values: &mut Values) -> R<Vec<Value>> {
        let mut out = Vec::new();
        loop {
            let v = Value(self.entity("v")?);
            // Every value is defined somewhere, so there are fewer of them than tokens.
            if v.index() >= self.token_count() {
                return self.error(format!("{v} is beyond any value of this text"));
            }
            self.punct(":")?;
            let ty = self.ty()?;
            let var: Option<VarId> = if self.is_entity("var") { Some(self.var()?) } else { None };
            if values.len() <= v.index() {
                values.resize(v.index() + 1, None);
            }
            let data = ValueData { ty, var };
            match &values[v.index()] {
                Some(old) if *old != data => return self.error(format!("{v} was defined before with another type")),
                _ => values[v.index()] = Some(data),
            }
            out.push(v);
            if !self.accept(",") {
                return Ok(out);
            }
        }
    }

    fn value_operand(&mut self) -> R<Option<Operand>> {
        if self.is_entity("v") {
            return Ok(Some(Operand::Value(Value(self.entity("v")?))));
        }
        Ok(self.constant()?.map(Operand::Const))
    }

    fn operand(&mut self) -> R<Operand> {
        match self.value_operand()? {
            Some(o) => Ok(o),
            None => self.expected("an operand (`v1`, `5:i32`, `@name`, `null`)"),
        }
    }

    fn comma_operand(&mut self) -> R<Operand> {
        self.punct(",")?;
        self.operand()
    }

    /// Operands separated by commas, perhaps none.
    fn open_list(&mut self) -> R<Vec<Operand>> {
        let mut out = Vec::new();
        if let Some(o) = self.value_operand()? {
            out.push(o);
            while self.accept(",") {
                out.push(self.operand()?);
            }
        }
        Ok(out)
    }

    fn inst(&mut self, values: &mut Values) -> R<Inst> {
        let mut results = Vec::new();
        if self.is_entity("v") && matches!(self.peek_next(), Tok::Punct(":")) {
            results = self.definitions(values)?;
            self.punct("=")?;
        }
        let kind = self.kind()?;
        Ok(Inst { results, kind, span: self.span() })
    }

    fn kind(&mut self) -> R<InstKind> {
        use InstKind::*;
        let Tok::Word(w) = *self.peek() else { return self.expected("an instruction") };
        self.word("an instruction")?;
        if let Some(op) = BinOp::from_name(w) {
            let flags = ArithFlags { nsw: self.flag("nsw"), nuw: self.flag("nuw"), exact: self.flag("exact") };
            return Ok(Binary { op, flags, lhs: self.operand()?, rhs: self.comma_operand()? });
        }
        if let Some(op) = FBinOp::from_name(w) {
            return Ok(FBinary { op, lhs: self.operand()?, rhs: self.comma_operand()? });
        }
        if let Some(op) = UnOp::from_name(w) {
            return Ok(Unary { op, arg: self.operand()? });
        }
        if let Some(op) = FUnOp::from_name(w) {
            return Ok(FUnary { op, arg: self.operand()? });
        }
        if let Some(op) = CastOp::from_name(w) {
            return Ok(Cast { op, arg: self.operand()? });
        }
        Ok(match w {
            "icmp" => Icmp {
                pred: self.word_as("a comparison", IntPred::from_name)?,
                lhs: self.operand()?,
                rhs: self.comma_operand()?,
            },
            "fcmp" => Fcmp {
                pred: self.word_as("a comparison", FloatPred::from_name)?,
                lhs: self.operand()?,
                rhs: self.comma_operand()?,
            },
            "fma" => Fma { a: self.operand()?, b: self.comma_operand()?, c: self.comma_operand()? },
            "select" => Select { cond: self.operand()?, then: self.comma_operand()?, other: self.comma_operand()? },
            "overflow" => Overflow {
                op: self.word_as("an operation", OverflowOp::from_name)?,
                lhs: self.operand()?,
                rhs: self.comma_operand()?,
            },
            "funnel" => {
                let left = self.flag("left");
                if !left {
                    self.keyword("right")?;
                }
                Funnel { left, hi: self.operand()?, lo: self.comma_operand()?, amount: self.comma_operand()? }
            }
            "freeze" => Freeze { arg: self.operand()? },
            "uninit" => Uninit,
            "addr" => self.addr()?,
            "alloca" => {
                let elem_size = self.number("a size in bytes")?;
                self.keyword("x")?;
                let count = self.operand()?;
                let align = self.align()?;
                Alloca { elem_size, count, align, ctype: self.optional_type("ctype")? }
            }
            "lifetime.start" => LifetimeStart { object: self.operand()? },
            "lifetime.end" => LifetimeEnd { object: self.operand()? },
            "stacksave" => StackSave,
            "stackrestore" => StackRestore { token: self.operand()? },
            "load" => {
                let ptr = self.operand()?;
                let align = self.align()?;
                Load { ptr, align, volatile: self.flag("volatile"), atomic: self.flag("atomic") }
            }
            "store" => {
                let (ptr, value) = (self.operand()?, self.comma_operand()?);
                let align = self.align()?;
                Store { ptr, value, align, volatile: self.flag("volatile"), atomic: self.flag("atomic") }
            }
            "memcpy" | "memmove" => MemCopy {
                dst: self.operand()?,
                src: self.comma_operand()?,
                len: self.comma_operand()?,
                overlap_ok: w == "memmove",
                volatile: self.flag("volatile"),
            },
            "memset" => MemSet {
                dst: self.operand()?,
                byte: self.comma_operand()?,
                len: self.comma_operand()?,
                volatile: self.flag("volatile"),
            },
            "rmw" => AtomicRmw {
                op: self.word_as("an operation", RmwOp::from_name)?,
                ptr: self.operand()?,
                value: self.comma_operand()?,
            },
            "cmpxchg" => CmpXchg {
                ptr: self.operand()?,
                expected: self.comma_operand()?,
                new: self.comma_operand()?,
                weak: self.flag("weak"),
            },
            "call" => Call(Box::new(self.call()?)),
            "va.start" => VaStart { list: self.operand()? },
            "va.end" => VaEnd { list: self.operand()? },
            "va.copy" => VaCopy { dst: self.operand()?, src: self.comma_operand()? },
            "asm" => self.asm()?,
            "check" => self.check()?,
            "assume" => Assume { cond: self.operand()? },
            "debug" => {
                let var = self.var()?;
                self.punct("=")?;
                DebugValue { var, value: self.operand()? }
            }
            "objectsize" => ObjectSize {
                ptr: self.operand()?,
                unknown_is_zero: self.flag("unknown_is_zero"),
                dynamic: self.flag("dynamic"),
            },
            "opaque" => Opaque { what: self.string("what it is")? },
            "unmodelled" => {
                let reason = self.string("the reason")?;
                let code = self.optional_string("code")?.unwrap_or_default();
                let operands = if self.flag("operands") {
                    self.punct("(")?;
                    self.list(")", |p| p.operand())?
                } else {
                    Vec::new()
                };
                Unmodelled { reason, code, operands }
            }
            _ => return self.error(format!("unknown instruction `{w}` before this")),
        })
    }

    fn align(&mut self) -> R<u64> {
        self.keyword("align")?;
        self.number("an alignment")
    }

    fn addr(&mut self) -> R<InstKind> {
        let inbounds = self.flag("inbounds");
        let base = self.operand()?;
        let mut steps = Vec::new();
        loop {
            if self.flag("field") {
                self.punct("(")?;
                let record = if self.accept("?") { None } else { Some(self.type_id()?) };
                steps.push(Step::Field {
                    record,
                    index: self.number("a field number")?,
                    offset: self.number("an offset in bytes")?,
                });
                self.punct(")")?;
            } else if self.flag("index") {
                self.punct("(")?;
                let index = self.operand()?;
                self.keyword("x")?;
                let stride = self.number("a stride in bytes")?;
                let elem = if self.is_entity("type") { Some(self.type_id()?) } else { None };
                let count = if self.flag("of") { Some(self.number("a count")?) } else { None };
                steps.push(Step::Index { elem, index, stride, count });
                self.punct(")")?;
            } else {
                return Ok(InstKind::Addr { base, steps, inbounds });
            }
        }
    }

    fn call(&mut self) -> R<Call> {
        let callee = self.operand()?;
        self.punct("(")?;
        let (mut args, mut params) = (Vec::new(), Vec::new());
        self.list(")", |p| {
            let ty = p.ty()?;
            args.push(p.operand()?);
            params.push(Param { ty, attrs: p.param_attrs()? });
            Ok(())
        })?;
        let fixed = if self.flag("fixed") { Some(self.number("a number of arguments")?) } else { None };
        Ok(Call {
            callee,
            args,
            params,
            fixed,
            noreturn: self.flag("noreturn"),
            returns_twice: self.flag("returns_twice"),
        })
    }

    fn asm(&mut self) -> R<InstKind> {
        let (template, constraints) = (self.string("the template")?, self.string("the constraints")?);
        self.punct("(")?;
        let inputs = self.list(")", |p| p.operand())?;
        let written = if self.flag("written") {
            self.punct("(")?;
            self.list(")", |p| Ok((p.operand()?, p.number("a number of bytes")?)))?
        } else {
            Vec::new()
        };
        let (clobbers_memory, side_effects) = (self.flag("memory"), self.flag("sideeffects"));
        Ok(InstKind::InlineAsm(Box::new(InlineAsm {
            template,
            constraints,
            inputs,
            written,
            clobbers_memory,
            side_effects,
        })))
    }

    fn check(&mut self) -> R<InstKind> {
        let kind = self.word_as("a check kind", CheckKind::from_name)?;
        let ok = self.operand()?;
        let mut detail = CheckDetail::default();
        if self.flag("what") {
            detail.what = self.string("the operation")?;
        }
        if self.flag("ctype") {
            detail.ctype = self.string("the C type")?;
        }
        if self.flag("operands") {
            self.punct("(")?;
            detail.operands = self.list(")", |p| p.operand())?;
        }
        if self.flag("bound") {
            detail.bound = Some(self.number("the bound")?);
        }
        Ok(InstKind::Check { kind, ok, detail })
    }

    fn edge(&mut self) -> R<Edge> {
        let block = self.block()?;
        let args = if self.accept("(") { self.list(")", |p| p.operand())? } else { Vec::new() };
        Ok(Edge { block, args })
    }

    fn comma_edge(&mut self) -> R<Edge> {
        self.punct(",")?;
        self.edge()
    }

    fn terminator(&mut self) -> R<Option<Terminator>> {
        let Tok::Word(w) = *self.peek() else { return Ok(None) };
        if !matches!(w, "jump" | "branch" | "switch" | "indirectjump" | "return" | "invoke" | "resume" | "unreachable")
        {
            return Ok(None);
        }
        self.word("a terminator")?;
        Ok(Some(match w {
            "jump" => Terminator::Jump(self.edge()?),
            "branch" => {
                Terminator::Branch { cond: self.operand()?, then: self.comma_edge()?, other: self.comma_edge()? }
            }
            "switch" => {
                let value = self.operand()?;
                self.punct("[")?;
                let cases = self.list("]", |p| {
                    let Some(c) = p.constant()? else { return p.expected("a constant") };
                    p.punct("=>")?;
                    Ok((c, p.edge()?))
                })?;
                self.keyword("default")?;
                Terminator::Switch { value, cases, default: self.edge()? }
            }
            "indirectjump" => {
                let address = self.operand()?;
                self.punct("[")?;
                Terminator::IndirectJump { address, targets: self.list("]", |p| p.edge())? }
            }
            "return" => Terminator::Return(self.open_list()?),
            "resume" => Terminator::Resume(self.open_list()?),
            "invoke" => {
                let call = Box::new(self.call()?);
                self.keyword("normal")?;
                let normal = self.edge()?;
                self.keyword("unwind")?;
                Terminator::Invoke { call, normal, unwind: self.edge()? }
            }
            _ => Terminator::Unreachable,
        }))
    }
}
