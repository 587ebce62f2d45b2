//! From a failing check to what users read: the C expression at fault, the object, the values around.

use crate::big::signed;
use crate::ctypes;
use crate::fault::{Access, Detail, PtrRole};
use crate::float::{self, Num, decode};
use crate::machine::{Machine, Val};
use crate::object::{FIRST, Kind, NULL_PROV, Site, State};
use crate::outcome::{Failure, FrameInfo, Note, ObjectInfo, VarValue};
use crate::program::Static;
use verify_ir::inst::CheckDetail;
use verify_ir::noted;
use verify_ir::{
    Block, Body, CType, CheckKind, Const, Encoding, InstKind, Loc, Operand, SpanId, Step, SymbolRef, Terminator, Ty,
    TypeId, Value,
};

/// At most this many values are told per frame, and frames with values.
const VALUES: usize = 24;
const FRAMES: usize = 3;

impl Machine<'_, '_> {
    /// The text of the source line of a position.
    pub fn source_line(&self, span: SpanId) -> Option<String> {
        // A function is looked at with the text of its lines, wherever they are.
        let s = noted::aside(|| self.module.span(span));
        let text = self.module.files.get(s.file.index())?.text.as_ref()?;
        text.lines().nth((s.line as usize).checked_sub(1)?).map(str::to_string)
    }

    /// The failure, told in full.
    pub fn failure(&mut self, kind: CheckKind, detail: &Detail) -> Failure {
        let stack = self.stack();
        let top = stack.first().copied();
        let mut notes = Vec::new();
        let mut object = None;
        let message = match detail {
            Detail::Message(t) => t.clone(),
            _ if self.frames.is_empty() => kind.name().to_string(),
            Detail::Plain => self.plain_message(kind),
            Detail::Undefined(what) => self.undefined_message(what),
            Detail::Access(a, role) => {
                let slot = self.object_of(*a);
                object = slot.map(|s| self.object_info(s, *a));
                if let Some(s) = slot {
                    self.object_notes(s, &mut notes);
                }
                self.access_message(kind, *a, *role, slot)
            }
        };
        let values = self.values();
        let none = FrameInfo {
            func: verify_ir::FuncId(0),
            loc: Loc { block: Block(0), inst: 0 },
            span: SpanId(0),
            model: false,
        };
        let top = top.unwrap_or(none);
        let stack = if stack.is_empty() { vec![top] } else { stack };
        Failure { kind, func: top.func, loc: top.loc, span: top.span, stack, message, notes, object, values }
    }

    /// A lost object: the failure lies at its allocation.
    pub fn leak_failure(&mut self, slot: u32) -> Failure {
        let o = &self.mem.objects[slot as usize];
        let (size, made) = (o.size, o.made);
        let access = Access { addr: o.base, prov: 0, size: 0, write: false };
        let object = Some(self.object_info(slot, access));
        let func = verify_ir::FuncId(if made.func == u32::MAX { 0 } else { made.func });
        let span = SpanId(made.span);
        let loc = Loc { block: Block(made.place.0), inst: made.place.1 };
        let frame = FrameInfo { func, loc, span, model: false };
        let message = format!("{size} bytes allocated here are lost: nothing points to them and they were not freed");
        let values = self.values();
        Failure {
            kind: CheckKind::Leak,
            func,
            loc: frame.loc,
            span,
            stack: vec![frame],
            message,
            notes: vec![],
            object,
            values,
        }
    }

    fn stack(&self) -> Vec<FrameInfo> {
        let mut out = Vec::new();
        for d in (0..self.frames.len()).rev() {
            let f = &self.frames[d];
            let (b, i) = f.code.places.get(f.pc).copied().unwrap_or((0, 0));
            out.push(FrameInfo {
                func: f.func,
                loc: Loc { block: Block(b), inst: i },
                span: self.span_of(d),
                model: self.program.is_model(f.func),
            });
        }
        out
    }

    fn object_of(&mut self, a: Access) -> Option<u32> {
        let prov = if a.prov <= NULL_PROV { self.mem.find(a.addr)? } else { a.prov };
        self.mem.slot(prov)
    }

    /// The C name of an object.
    pub fn object_name(&self, slot: u32) -> Option<String> {
        let o = &self.mem.objects[slot as usize];
        match o.kind {
            Kind::Global | Kind::Literal => {
                let g = self.program.static_global(o.origin)?;
                let info = self.module.global(g);
                if !info.source_name.is_empty() {
                    Some(info.source_name.clone())
                } else if o.kind == Kind::Literal {
                    None
                } else {
                    Some(info.name.clone())
                }
            }
            Kind::Stack if o.origin != u32::MAX && o.made.func != u32::MAX => {
                let body = self.program.body(verify_ir::FuncId(o.made.func))?;
                let var = body.values.get(o.origin as usize)?.var?;
                Some(body.vars.get(var.index())?.name.clone())
            }
            Kind::Input => {
                let l = o.lazy.as_ref()?;
                Some(if l.direct { l.path.clone() } else { format!("*{}", l.path) })
            }
            _ => None,
        }
    }

    fn object_info(&self, slot: u32, a: Access) -> ObjectInfo {
        let o = &self.mem.objects[slot as usize];
        ObjectInfo {
            kind: o.kind.name().to_string(),
            name: self.object_name(slot),
            size: o.size,
            offset: a.addr.wrapping_sub(o.base) as i64,
            access: a.size,
        }
    }

    fn object_notes(&self, slot: u32, notes: &mut Vec<Note>) {
        let o = &self.mem.objects[slot as usize];
        let known = |s: Site| s.span != 0;
        let heap = o.kind == Kind::Heap;
        if known(o.made) {
            let text = if heap { "allocated here" } else { "declared here" };
            notes.push(Note { span: SpanId(o.made.span), text: text.into() });
        }
        if known(o.ended) && o.state != State::Live {
            let text = if heap { "freed here" } else { "its lifetime ended here" };
            notes.push(Note { span: SpanId(o.ended.span), text: text.into() });
        }
    }

    /// The C expression of the pointer that the failing instruction accesses memory through.
    fn pointer_expression(&self, role: PtrRole) -> Option<String> {
        let f = self.top();
        let body = self.program.body(f.func)?;
        let (b, i) = *f.code.places.get(f.pc)?;
        let block = &body.blocks[b as usize];
        let call = |c: &verify_ir::Call| match role {
            PtrRole::Arg(k) => c.args.get(k as usize).and_then(|o| self.expression(body, o, 0)),
            _ => None,
        };
        match block.insts.get(i as usize) {
            None => match &block.term {
                Terminator::Invoke { call: c, .. } => call(c),
                _ => None,
            },
            Some(inst) => match &inst.kind {
                InstKind::Load { ptr, .. }
                | InstKind::Store { ptr, .. }
                | InstKind::AtomicRmw { ptr, .. }
                | InstKind::CmpXchg { ptr, .. } => self.expression(body, ptr, 0),
                InstKind::MemCopy { dst, src, .. } => {
                    self.expression(body, if role == PtrRole::Source { src } else { dst }, 0)
                }
                InstKind::MemSet { dst, .. } => self.expression(body, dst, 0),
                InstKind::VaStart { list } => self.expression(body, list, 0),
                InstKind::Call(c) => call(c),
                _ => None,
            },
        }
    }

    fn access_message(&self, kind: CheckKind, a: Access, role: PtrRole, slot: Option<u32>) -> String {
        let expr = self.pointer_expression(role).map(|e| e.strip_prefix('&').map_or(format!("*{e}"), str::to_string));
        let what = if a.write { "write" } else { "read" };
        let at = expr.as_deref().map_or(String::new(), |e| format!(" `{e}`"));
        let bytes = count(a.size);
        let name = slot.and_then(|s| self.object_name(s)).map(|n| format!("`{n}`"));
        let o = slot.map(|s| &self.mem.objects[s as usize]);
        let thing = match (&name, o) {
            (Some(n), _) => n.clone(),
            (None, Some(o)) => match o.kind {
                Kind::Heap => "the heap object".into(),
                Kind::Literal => "the string literal".into(),
                Kind::Varargs => "the variadic arguments".into(),
                k => format!("the {} object", k.name()),
            },
            (None, None) => "the object".into(),
        };
        let outside = matches!(
            kind,
            CheckKind::OutOfBoundsRead
                | CheckKind::OutOfBoundsWrite
                | CheckKind::UseAfterFree
                | CheckKind::UseAfterScope
        );
        if outside && self.mem.was_moved(a) {
            let of = if kind == CheckKind::UseAfterFree { "a heap object that was freed" } else { &thing };
            return format!(
                "{what} of {bytes}{at} through a pointer to {of}, which the difference of two addresses has moved into another one"
            );
        }
        match kind {
            CheckKind::NullDeref => format!("{what} of {bytes}{at} through a null pointer"),
            CheckKind::InvalidDeref => {
                let func = self
                    .program
                    .static_of_prov(a.prov)
                    .or_else(|| self.mem.find(a.addr).and_then(|p| self.program.static_of_prov(p)));
                match func {
                    Some(Static::Func(f)) => {
                        format!("{what} of {bytes}{at} in the code of function `{}`", self.module.func(f).name)
                    }
                    _ => format!("{what} of {bytes}{at} at address {:#x}, where no object is", a.addr),
                }
            }
            CheckKind::OutOfBoundsRead | CheckKind::OutOfBoundsWrite => {
                let Some(o) = o else { return format!("{what} of {bytes}{at} out of bounds") };
                let off = a.addr.wrapping_sub(o.base) as i64;
                let place = if off < 0 {
                    format!("{} before the start", count(off.unsigned_abs()))
                } else if off as u64 >= o.size {
                    format!("{} past the end", count(off as u64 - o.size))
                } else {
                    format!("at offset {off}, across the end")
                };
                if o.kind == Kind::Varargs {
                    return format!("{what} of {bytes}{at} past the last variadic argument");
                }
                format!("{what} of {bytes}{at} {place} of {thing} ({})", count(o.size))
            }
            CheckKind::UseAfterFree => format!("{what} of {bytes}{at} in a heap object that was freed"),
            CheckKind::UseAfterScope => {
                let thing = name.map_or("a local variable".into(), |n| n.to_string());
                format!("{what} of {bytes}{at} in {thing} after the end of its lifetime")
            }
            CheckKind::ReadOnlyWrite => format!("write of {bytes}{at} to {thing}, which is constant"),
            CheckKind::DoubleFree => {
                let e = expr.as_deref().map_or(String::new(), |e| format!(" of `{}`", e.trim_start_matches('*')));
                format!("second free{e}")
            }
            CheckKind::InvalidFree => {
                let e = expr.as_deref().map_or("the pointer".into(), |e| format!("`{}`", e.trim_start_matches('*')));
                match o {
                    Some(o) if o.kind == Kind::Heap => {
                        format!("{e} points {} bytes into a heap object", a.addr.wrapping_sub(o.base) as i64)
                    }
                    Some(_) => format!("{e} points to {thing}, which is not on the heap"),
                    None if a.addr == 0 => format!("{e} is null"),
                    None => format!("{e} points to no object"),
                }
            }
            k => format!("{k}{at}"),
        }
    }

    fn undefined_message(&self, what: &str) -> String {
        let f = self.top();
        let body = self.program.body(f.func);
        let place = f.code.places.get(f.pc).copied();
        let named = body.zip(place).and_then(|(body, (b, i))| {
            let block = &body.blocks[b as usize];
            let o = match block.insts.get(i as usize) {
                Some(inst) => match &inst.kind {
                    InstKind::Check { ok, .. } => Some(ok),
                    InstKind::Load { ptr, .. } | InstKind::Store { ptr, .. } => Some(ptr),
                    InstKind::Binary { rhs, .. } => Some(rhs),
                    InstKind::Call(c) if what == "function pointer" => Some(&c.callee),
                    InstKind::Call(c) => c.args.iter().find(|a| !self.operand(a).is_defined()),
                    InstKind::MemCopy { len, .. } | InstKind::MemSet { len, .. } if what == "length" => Some(len),
                    InstKind::Alloca { count, .. } => Some(count),
                    _ => None,
                },
                None => match &block.term {
                    Terminator::Branch { cond, .. } => Some(cond),
                    Terminator::Switch { value, .. } => Some(value),
                    _ => None,
                },
            };
            // A comparison that was fused with its branch has no value of its own.
            let fused = matches!(f.code.ops.get(f.pc), Some(crate::code::Op::Fused { .. }));
            let operands = match o {
                Some(Operand::Value(v)) if fused => match def(body, *v) {
                    Some(InstKind::Icmp { lhs, rhs, .. }) => vec![lhs, rhs],
                    _ => vec![],
                },
                o => o.into_iter().collect(),
            };
            operands.into_iter().find_map(|o| self.undefined_source(body, o, 0))
        });
        match named {
            Some(n) => format!("uninitialised value of `{n}` is used ({what})"),
            None => format!("uninitialised value is used ({what})"),
        }
    }

    /// The expression behind a value whose undefined bits came from it, looking through arithmetic.
    fn undefined_source(&self, body: &Body, o: &Operand, depth: u32) -> Option<String> {
        if depth > 12 {
            return None;
        }
        let Operand::Value(v) = o else { return None };
        if self.read(self.top().code.homes[v.index()]).is_defined() {
            return None;
        }
        let data = &body.values[v.index()];
        if let Some(var) = data.var {
            return Some(body.vars.get(var.index())?.name.clone());
        }
        match def(body, *v)? {
            InstKind::Load { ptr, .. } => {
                let e = self.expression(body, ptr, 0)?;
                Some(e.strip_prefix('&').map_or(format!("*{e}"), str::to_string))
            }
            k => {
                let mut found = None;
                k.for_each_operand(|o| {
                    if found.is_none() {
                        found = self.undefined_source(body, o, depth + 1);
                    }
                });
                found
            }
        }
    }

    fn plain_message(&self, kind: CheckKind) -> String {
        let inst = self.inst();
        let body = self.program.body(self.top().func);
        let Some((inst, body)) = inst.zip(body) else {
            return match kind {
                CheckKind::Unreachable => "code that must not be reached is reached".into(),
                k => k.name().into(),
            };
        };
        let typed = |o: &Operand, unsigned: bool| {
            let v = self.operand(o);
            let plain = self.show(&v, body.operand_ty(o), None);
            let shown = if unsigned && v.is_defined() { v.big().v.to_string() } else { plain.clone() };
            match self.expression(body, o, 0) {
                Some(e) if e != plain => format!("{e} = {shown}"),
                _ => shown,
            }
        };
        let text = |o: &Operand| typed(o, false);
        match &inst.kind {
            InstKind::Check { detail, .. } => self.check_message(kind, detail, &typed),
            InstKind::Binary { op, lhs, rhs, .. } => match kind {
                CheckKind::DivByZero => format!("`{op}` by zero ({})", text(lhs)),
                CheckKind::ShiftRange => format!("shift amount out of range ({})", text(rhs)),
                _ => format!("`{op}` overflows ({}, {})", text(lhs), text(rhs)),
            },
            InstKind::Cast { arg, .. } => format!("the integer type cannot hold {}", text(arg)),
            _ => kind.name().into(),
        }
    }

    /// `text` of an operand is told whether its C type is unsigned.
    fn check_message(&self, kind: CheckKind, d: &CheckDetail, text: &dyn Fn(&Operand, bool) -> String) -> String {
        let unsigned = |i: usize| match kind {
            // An index and the amount of a shift have types that the check does not name.
            CheckKind::ArrayIndex => false,
            _ if i > 0 && matches!(d.what.as_str(), "<<" | ">>" | "shift") => false,
            CheckKind::IntegerTruncation => d.ctype.split(" to ").nth(i).is_some_and(|t| self.module.is_unsigned(t)),
            _ => self.module.is_unsigned(&d.ctype),
        };
        let operands: Vec<String> = d.operands.iter().enumerate().map(|(i, o)| text(o, unsigned(i))).collect();
        let list = operands.join(", ");
        let of = if d.ctype.is_empty() { String::new() } else { format!(" in type `{}`", d.ctype) };
        match kind {
            CheckKind::SignedOverflow => format!("signed overflow of `{}`{of} ({list})", d.what),
            CheckKind::DivByZero => format!("`{}` by zero{of} ({list})", if d.what.is_empty() { "/" } else { &d.what }),
            CheckKind::ShiftRange => {
                let width = d.bound.map_or(String::new(), |b| format!(" of {b} bits"));
                format!("shift amount out of range for a type{width} ({list})")
            }
            CheckKind::ArrayIndex => {
                let n = d.bound.map_or(String::new(), |b| format!(" of {b} elements"));
                format!("index out of bounds of an array{n} ({list})")
            }
            CheckKind::FloatCast => format!("the integer type cannot hold the number{of} ({list})"),
            CheckKind::InvalidValue => format!("invalid value{of} ({list})"),
            CheckKind::UnsignedWrap => format!("unsigned wrap-around of `{}`{of} ({list})", d.what),
            CheckKind::IntegerTruncation => format!("the conversion changes the value{of} ({list})"),
            CheckKind::VlaBound => format!("array of non-positive length ({list})"),
            CheckKind::Unreachable => "code that must not be reached is reached".into(),
            CheckKind::InvalidArgument if list.is_empty() && !d.what.is_empty() => d.what.clone(),
            k if list.is_empty() => format!("{k} {}", d.what).trim_end().to_string(),
            k => format!("{k} {} ({list})", d.what),
        }
    }

    /// The C expression of what a pointer points to.
    pub fn lvalue(&self, body: &Body, ptr: &Operand) -> Option<String> {
        let e = self.expression(body, ptr, 0)?;
        Some(e.strip_prefix('&').map_or(format!("*{e}"), str::to_string))
    }

    /// A C-like expression for an operand: `&x` for addresses of objects, names for variables.
    fn expression(&self, body: &Body, o: &Operand, depth: u32) -> Option<String> {
        if depth > 8 {
            return None;
        }
        match o {
            Operand::Const(Const::Symbol(s)) => match self.module.resolve(*s).0 {
                SymbolRef::Global(g) => {
                    let n = &self.module.global(g).source_name;
                    if n.is_empty() { None } else { Some(format!("&{n}")) }
                }
                s => Some(self.module.symbol_name(s).to_string()),
            },
            Operand::Const(Const::Int { width, value }) => {
                Some(signed(&dashu::integer::UBig::from(*value), *width).to_string())
            }
            Operand::Const(Const::Null) => Some("NULL".into()),
            Operand::Const(_) => None,
            Operand::Value(v) => self.value_expression(body, *v, depth),
        }
    }

    fn value_expression(&self, body: &Body, v: Value, depth: u32) -> Option<String> {
        let k = def(body, v);
        let name = body.values[v.index()].var.and_then(|x| body.vars.get(x.index())).map(|x| x.name.clone());
        if let Some(InstKind::Alloca { .. }) = k {
            return name.map(|n| format!("&{n}"));
        }
        if let Some(n) = name {
            return Some(n);
        }
        match k? {
            InstKind::Load { ptr, .. } => {
                let e = self.expression(body, ptr, depth + 1)?;
                Some(e.strip_prefix('&').map_or(format!("*{e}"), str::to_string))
            }
            InstKind::Addr { base, steps, .. } => {
                let e = self.expression(body, base, depth + 1)?;
                let mut path = e.strip_prefix('&').map(str::to_string);
                let mut pointer = e;
                for s in steps {
                    match s {
                        Step::Field { record, index, .. } => {
                            let field =
                                record.and_then(|r| match self.module.ctype(ctypes::strip(self.module, r)) {
                                    CType::Record(r) => r.fields.get(*index as usize).map(|f| f.name.clone()),
                                    _ => None,
                                })?;
                            if field.is_empty() {
                                continue;
                            }
                            path = Some(match path {
                                Some(p) => format!("{p}.{field}"),
                                None => format!("{pointer}->{field}"),
                            });
                        }
                        Step::Index { index, .. } => {
                            let i = self.expression(body, index, depth + 1).unwrap_or_else(|| {
                                let v = self.operand(index);
                                self.show(&v, body.operand_ty(index), None)
                            });
                            path = Some(match path {
                                Some(p) => format!("{p}[{i}]"),
                                None => format!("{pointer}[{i}]"),
                            });
                        }
                    }
                    pointer.clear();
                }
                Some(match path {
                    Some(p) => format!("&{p}"),
                    None => pointer,
                })
            }
            InstKind::Cast { arg, .. } | InstKind::Freeze { arg } => self.expression(body, arg, depth + 1),
            _ => None,
        }
    }

    /// The values of the variables of the innermost user frames.
    fn values(&self) -> Vec<VarValue> {
        let mut out = Vec::new();
        let user = |d: &usize| !self.program.is_model(self.frames[*d].func);
        for d in (0..self.frames.len()).rev().filter(user).take(FRAMES) {
            let f = &self.frames[d];
            let Some(body) = self.program.body(f.func) else { continue };
            let mut told = 0;
            for (k, var) in body.vars.iter().enumerate() {
                let Some(&home) = self.vars.get(f.var_base + k) else { continue };
                if told >= VALUES || var.name.is_empty() {
                    continue;
                }
                let value = if home != u32::MAX {
                    let v = self.read_at(d, home);
                    let ty = match var.ctype.map(|t| self.module.ctype(ctypes::strip(self.module, t))) {
                        Some(CType::Pointer(_)) => Ty::Ptr,
                        _ => home_type(body, f.code, home),
                    };
                    Some(self.show(&v, ty, var.ctype))
                } else {
                    self.stored_variable(d, body, k)
                };
                if let Some(value) = value {
                    told += 1;
                    out.push(VarValue { func: f.func, name: var.name.clone(), value });
                }
            }
        }
        out
    }

    /// The value of a scalar variable that lives in memory.
    fn stored_variable(&self, depth: usize, body: &Body, var: usize) -> Option<String> {
        let f = &self.frames[depth];
        let end = self.frames.get(depth + 1).map_or(self.allocas.len(), |n| n.alloca_base);
        let own = self.allocas.get(f.alloca_base..end)?;
        let slot = own.iter().rev().filter_map(|p| self.mem.slot_if_made(*p)).find(|s| {
            let o = &self.mem.objects[*s as usize];
            o.kind == Kind::Stack
                && o.state == State::Live
                && o.made.func == f.func.0
                && body.values.get(o.origin as usize).and_then(|v| v.var).is_some_and(|v| v.index() == var)
        })?;
        let o = &self.mem.objects[slot as usize];
        let ctype = body.vars[var].ctype?;
        let size = ctypes::size(self.module, ctype);
        if size == 0 || size > 8 || size > o.size || o.lazy.is_some() {
            return None;
        }
        let ty = match self.module.ctype(ctypes::strip(self.module, ctype)) {
            CType::Pointer(_) => Ty::Ptr,
            CType::Base { encoding: Encoding::Float, .. } if size == 4 => Ty::Float(verify_ir::FloatKind::Single),
            CType::Base { encoding: Encoding::Float, .. } => Ty::Float(verify_ir::FloatKind::Double),
            CType::Base { .. } | CType::Enum { .. } => Ty::Int(size as u32 * 8),
            _ => return None,
        };
        let (v, u) = o.read(0, size as usize, self.mem.big_endian);
        let p = o.pointers.as_ref().map_or(0, |p| p.get().get(0, self.mem.ptr_bytes));
        Some(self.show(&Val::Small(crate::code::Slot { v, u, p }), ty, Some(ctype)))
    }

    /// A value as text, read as the C type where that is known.
    pub fn show(&self, v: &Val, ty: Ty, ctype: Option<TypeId>) -> String {
        if !v.is_defined() {
            return "uninitialised".into();
        }
        let ctype = ctype.map(|t| self.module.ctype(ctypes::strip(self.module, t)));
        match ty {
            Ty::Ptr => self.show_pointer(v.slot()),
            Ty::Float(k) => match decode(k, v.u128()) {
                Num::Nan => "nan".into(),
                Num::Inf(s) => if s { "-inf" } else { "inf" }.into(),
                Num::Fin(s, ..) => {
                    let digits = float::precision(k) as i32 * 3 / 10;
                    let t = crate::float_text::format(k, v.u128(), b'g', false, digits.max(3)).unwrap_or_default();
                    format!("{}{t}", if s { "-" } else { "" })
                }
            },
            Ty::Int(w) => match ctype {
                Some(CType::Base { encoding: Encoding::Bool, .. }) => {
                    if v.u128() != 0 { "true" } else { "false" }.into()
                }
                Some(CType::Base { encoding: Encoding::Unsigned | Encoding::UnsignedChar, .. }) => {
                    v.big().v.to_string()
                }
                Some(CType::Enum { enumerators, .. }) => {
                    let n = signed(&v.big().v, w);
                    let named = enumerators.iter().find(|e| dashu::integer::IBig::from(e.1) == n);
                    named.map_or_else(|| n.to_string(), |e| e.0.clone())
                }
                _ if w == 1 => v.u128().to_string(),
                _ => signed(&v.big().v, w).to_string(),
            },
        }
    }

    /// A string literal from the byte `from` on, as C writes it.
    fn literal(&self, g: verify_ir::GlobalId, from: u64) -> Option<String> {
        let info = self.module.global(g);
        if !info.source_name.is_empty() || !info.constant {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(info.size).ok().filter(|n| *n <= 1 << 16)?];
        for piece in &info.init.as_ref()?.pieces {
            let verify_ir::InitData::Bytes(b) = &piece.data else { return None };
            let at = piece.offset as usize;
            bytes.get_mut(at..at + b.len())?.copy_from_slice(b);
        }
        let text = bytes.get(usize::try_from(from).ok()?..)?.strip_suffix(&[0])?;
        if !text.iter().all(|b| matches!(b, b'\n' | b'\t' | b' '..=b'~')) {
            return None;
        }
        let cut = if text.len() > SHOWN { "..." } else { "" };
        Some(format!("\"{}\"{cut}", text[..text.len().min(SHOWN)].escape_ascii()))
    }

    fn show_pointer(&self, p: crate::code::Slot) -> String {
        if p.v == 0 {
            return "NULL".into();
        }
        let prov = if p.p <= NULL_PROV { self.mem.find(p.v) } else { Some(p.p) };
        let Some(prov) = prov else { return format!("{:#x}", p.v) };
        if let Some(Static::Func(f)) = self.program.static_of_prov(prov) {
            return self.module.func(f).name.clone();
        }
        if let Some(g) = self.mem.global_of(prov)
            && let Some(text) = self.literal(g, p.v.wrapping_sub(self.program.static_range(prov as u32 - FIRST).0))
        {
            return text;
        }
        let (name, base, state) = match self.mem.slot_if_made(prov) {
            Some(s) => {
                let o = &self.mem.objects[s as usize];
                let name = match self.object_name(s) {
                    Some(n) => n.strip_prefix('*').map_or(format!("&{n}"), str::to_string),
                    None => format!("{} object of {} bytes", o.kind.name(), o.size),
                };
                (name, o.base, o.state)
            }
            None => match self.mem.global_of(prov) {
                Some(g) => {
                    let base = self.program.static_range(prov as u32 - FIRST).0;
                    let info = self.module.global(g);
                    let name = if info.source_name.is_empty() { &info.name } else { &info.source_name };
                    (format!("&{name}"), base, State::Live)
                }
                None => return format!("{:#x}", p.v),
            },
        };
        let off = p.v.wrapping_sub(base) as i64;
        let dead = match state {
            State::Live => "",
            State::Freed => " (freed)",
            State::OutOfScope => " (out of scope)",
        };
        if off == 0 {
            format!("{name}{dead}")
        } else {
            format!("{name} {} {}{dead}", if off < 0 { '-' } else { '+' }, off.unsigned_abs())
        }
    }
}

/// Bytes of a literal that are shown.
const SHOWN: usize = 40;

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_string() } else { format!("{bytes} bytes") }
}

/// The instruction that defines a value.
pub(crate) fn definition(body: &Body, v: Value) -> Option<&verify_ir::Inst> {
    body.blocks.iter().flat_map(|b| &b.insts).find(|i| i.results.contains(&v))
}

fn def(body: &Body, v: Value) -> Option<&InstKind> {
    definition(body, v).map(|i| &i.kind)
}

/// The type of the value or constant at a home.
fn home_type(body: &Body, code: &crate::code::Code, home: u32) -> Ty {
    use crate::code::{CONST, WIDE};
    if home & CONST != 0 {
        return Ty::Int(if home & WIDE != 0 { 128 } else { 64 });
    }
    match code.homes.iter().position(|h| *h == home) {
        Some(i) => body.values[i].ty,
        None => Ty::Int(64),
    }
}
