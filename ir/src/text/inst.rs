//! Printing of instructions and terminators.

use super::lex::quote;
use super::print::{Printer, ty_name, w};
use crate::entity::SpanId;
use crate::function::Body;
use crate::inst::{Call, Edge, Inst, InstKind, Step, Terminator};
use crate::types::CType;
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn inst(&mut self, body: &Body, inst: &Inst) {
        w!(self, "  ");
        if !inst.results.is_empty() {
            self.definitions(body, &inst.results);
            w!(self, " = ");
        }
        self.kind(&inst.kind);
        self.span(inst.span);
        if self.options.notes {
            let note = self.note(body, inst);
            self.position_note(inst.span, &note);
        }
        self.out.push('\n');
    }

    /// Variables and fields by name.
    fn note(&self, body: &Body, inst: &Inst) -> String {
        let mut note = String::new();
        for r in &inst.results {
            if let Some(v) = body.values.get(r.index()).and_then(|d| d.var).and_then(|v| body.vars.get(v.index())) {
                let _ = write!(note, "{r} is `{}` ", v.name);
            }
        }
        match &inst.kind {
            InstKind::DebugValue { var, .. } => {
                if let Some(v) = body.vars.get(var.index()) {
                    let _ = write!(note, "`{}` ", v.name);
                }
            }
            InstKind::Addr { steps, .. } => {
                for s in steps {
                    if let Step::Field { record: Some(r), index, .. } = s
                        && let Some(CType::Record(r)) = self.module.ctypes.get(r.index())
                        && let Some(f) = r.fields.get(*index as usize)
                    {
                        let _ = write!(note, ".{} ", f.name);
                    }
                }
            }
            _ => {}
        }
        note
    }

    fn list(&mut self, ops: &[&crate::Operand]) {
        for (i, o) in ops.iter().enumerate() {
            w!(self, "{}", if i == 0 { " " } else { ", " });
            self.operand(o);
        }
    }

    fn kind(&mut self, kind: &InstKind) {
        use InstKind::*;
        match kind {
            Binary { op, flags, lhs, rhs } => {
                w!(self, "{op}");
                self.flags(&[(flags.nsw, "nsw"), (flags.nuw, "nuw"), (flags.exact, "exact")]);
                self.list(&[lhs, rhs]);
            }
            Icmp { pred, lhs, rhs } => {
                w!(self, "icmp {pred}");
                self.list(&[lhs, rhs]);
            }
            FBinary { op, lhs, rhs } => {
                w!(self, "{op}");
                self.list(&[lhs, rhs]);
            }
            Fcmp { pred, lhs, rhs } => {
                w!(self, "fcmp {pred}");
                self.list(&[lhs, rhs]);
            }
            Unary { op, arg } => {
                w!(self, "{op}");
                self.list(&[arg]);
            }
            FUnary { op, arg } => {
                w!(self, "{op}");
                self.list(&[arg]);
            }
            Fma { a, b, c } => {
                w!(self, "fma");
                self.list(&[a, b, c]);
            }
            Cast { op, arg } => {
                w!(self, "{op}");
                self.list(&[arg]);
            }
            Select { cond, then, other } => {
                w!(self, "select");
                self.list(&[cond, then, other]);
            }
            Overflow { op, lhs, rhs } => {
                w!(self, "overflow {op}");
                self.list(&[lhs, rhs]);
            }
            Funnel { left, hi, lo, amount } => {
                w!(self, "funnel {}", if *left { "left" } else { "right" });
                self.list(&[hi, lo, amount]);
            }
            Freeze { arg } => {
                w!(self, "freeze");
                self.list(&[arg]);
            }
            Uninit => w!(self, "uninit"),
            Addr { base, steps, inbounds } => {
                w!(self, "addr");
                self.flags(&[(*inbounds, "inbounds")]);
                self.list(&[base]);
                steps.iter().for_each(|s| self.step(s));
            }
            Alloca { elem_size, count, align, ctype } => {
                w!(self, "alloca {elem_size} x");
                self.list(&[count]);
                w!(self, " align {align}");
                if let Some(t) = ctype {
                    w!(self, " ctype {t}");
                }
            }
            LifetimeStart { object } => {
                w!(self, "lifetime.start");
                self.list(&[object]);
            }
            LifetimeEnd { object } => {
                w!(self, "lifetime.end");
                self.list(&[object]);
            }
            StackSave => w!(self, "stacksave"),
            StackRestore { token } => {
                w!(self, "stackrestore");
                self.list(&[token]);
            }
            Load { ptr, align, volatile, atomic } => {
                w!(self, "load");
                self.list(&[ptr]);
                w!(self, " align {align}");
                self.flags(&[(*volatile, "volatile"), (*atomic, "atomic")]);
            }
            Store { ptr, value, align, volatile, atomic } => {
                w!(self, "store");
                self.list(&[ptr, value]);
                w!(self, " align {align}");
                self.flags(&[(*volatile, "volatile"), (*atomic, "atomic")]);
            }
            MemCopy { dst, src, len, overlap_ok, volatile } => {
                w!(self, "{}", if *overlap_ok { "memmove" } else { "memcpy" });
                self.list(&[dst, src, len]);
                self.flags(&[(*volatile, "volatile")]);
            }
            MemSet { dst, byte, len, volatile } => {
                w!(self, "memset");
                self.list(&[dst, byte, len]);
                self.flags(&[(*volatile, "volatile")]);
            }
            AtomicRmw { op, ptr, value } => {
                w!(self, "rmw {op}");
                self.list(&[ptr, value]);
            }
            CmpXchg { ptr, expected, new, weak } => {
                w!(self, "cmpxchg");
                self.list(&[ptr, expected, new]);
                self.flags(&[(*weak, "weak")]);
            }
            Call(c) => {
                w!(self, "call ");
                self.call(c);
            }
            VaStart { list } => {
                w!(self, "va.start");
                self.list(&[list]);
            }
            VaEnd { list } => {
                w!(self, "va.end");
                self.list(&[list]);
            }
            VaCopy { dst, src } => {
                w!(self, "va.copy");
                self.list(&[dst, src]);
            }
            InlineAsm(a) => {
                w!(self, "asm {} {} (", quote(&a.template), quote(&a.constraints));
                self.operands(&a.inputs);
                w!(self, ")");
                if !a.written.is_empty() {
                    w!(self, " written(");
                    for (i, (o, n)) in a.written.iter().enumerate() {
                        w!(self, "{}", if i == 0 { "" } else { ", " });
                        self.operand(o);
                        w!(self, " {n}");
                    }
                    w!(self, ")");
                }
                self.flags(&[(a.clobbers_memory, "memory"), (a.side_effects, "sideeffects")]);
            }
            Check { kind, ok, detail } => {
                w!(self, "check {kind}");
                self.list(&[ok]);
                if !detail.what.is_empty() {
                    w!(self, " what {}", quote(&detail.what));
                }
                if !detail.ctype.is_empty() {
                    w!(self, " ctype {}", quote(&detail.ctype));
                }
                if !detail.operands.is_empty() {
                    w!(self, " operands(");
                    self.operands(&detail.operands);
                    w!(self, ")");
                }
                if let Some(b) = detail.bound {
                    w!(self, " bound {b}");
                }
            }
            Assume { cond } => {
                w!(self, "assume");
                self.list(&[cond]);
            }
            DebugValue { var, value } => {
                w!(self, "debug {var} =");
                self.list(&[value]);
            }
            ObjectSize { ptr, unknown_is_zero, dynamic } => {
                w!(self, "objectsize");
                self.list(&[ptr]);
                self.flags(&[(*unknown_is_zero, "unknown_is_zero"), (*dynamic, "dynamic")]);
            }
            Opaque { what } => w!(self, "opaque {}", quote(what)),
            Unmodelled { reason, code, operands } => {
                w!(self, "unmodelled {}", quote(reason));
                if !code.is_empty() {
                    w!(self, " code {}", quote(code));
                }
                if !operands.is_empty() {
                    w!(self, " operands(");
                    self.operands(operands);
                    w!(self, ")");
                }
            }
        }
    }

    fn step(&mut self, s: &Step) {
        match s {
            Step::Field { record, index, offset } => {
                match record {
                    Some(t) => w!(self, " field({t} {index} {offset})"),
                    None => w!(self, " field(? {index} {offset})"),
                };
            }
            Step::Index { elem, index, stride, count } => {
                w!(self, " index(");
                self.operand(index);
                w!(self, " x {stride}");
                if let Some(t) = elem {
                    w!(self, " {t}");
                }
                if let Some(n) = count {
                    w!(self, " of {n}");
                }
                w!(self, ")");
            }
        }
    }

    fn call(&mut self, c: &Call) {
        self.operand(&c.callee);
        w!(self, "(");
        for i in 0..c.args.len().max(c.params.len()) {
            w!(self, "{}", if i == 0 { "" } else { ", " });
            match c.params.get(i) {
                Some(p) => w!(self, "{} ", ty_name(p.ty)),
                None => w!(self, "? "),
            }
            match c.args.get(i) {
                Some(a) => self.operand(a),
                None => w!(self, "?"),
            }
            if let Some(p) = c.params.get(i) {
                self.param_attrs(p);
            }
        }
        w!(self, ")");
        if let Some(n) = c.fixed {
            w!(self, " fixed {n}");
        }
        self.flags(&[(c.noreturn, "noreturn"), (c.returns_twice, "returns_twice")]);
    }

    fn edge(&mut self, e: &Edge) {
        w!(self, "{}", e.block);
        if !e.args.is_empty() {
            w!(self, "(");
            self.operands(&e.args);
            w!(self, ")");
        }
    }

    pub(super) fn terminator(&mut self, t: &Terminator, span: SpanId) {
        w!(self, "  ");
        match t {
            Terminator::Jump(e) => {
                w!(self, "jump ");
                self.edge(e);
            }
            Terminator::Branch { cond, then, other } => {
                w!(self, "branch ");
                self.operand(cond);
                for e in [then, other] {
                    w!(self, ", ");
                    self.edge(e);
                }
            }
            Terminator::Switch { value, cases, default } => {
                w!(self, "switch ");
                self.operand(value);
                w!(self, " [");
                for (i, (c, e)) in cases.iter().enumerate() {
                    w!(self, "{}", if i == 0 { "" } else { ", " });
                    self.constant(c);
                    w!(self, " => ");
                    self.edge(e);
                }
                w!(self, "] default ");
                self.edge(default);
            }
            Terminator::IndirectJump { address, targets } => {
                w!(self, "indirectjump ");
                self.operand(address);
                w!(self, " [");
                for (i, e) in targets.iter().enumerate() {
                    w!(self, "{}", if i == 0 { "" } else { ", " });
                    self.edge(e);
                }
                w!(self, "]");
            }
            Terminator::Return(vs) => {
                w!(self, "return{}", if vs.is_empty() { "" } else { " " });
                self.operands(vs);
            }
            Terminator::Invoke { call, normal, unwind } => {
                w!(self, "invoke ");
                self.call(call);
                w!(self, " normal ");
                self.edge(normal);
                w!(self, " unwind ");
                self.edge(unwind);
            }
            Terminator::Resume(vs) => {
                w!(self, "resume{}", if vs.is_empty() { "" } else { " " });
                self.operands(vs);
            }
            Terminator::Unreachable => w!(self, "unreachable"),
        }
        self.span(span);
        self.position_note(span, "");
        self.out.push('\n');
    }
}
