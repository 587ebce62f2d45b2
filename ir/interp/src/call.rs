//! Calls that are not plain: through pointers, variadic, by-value structs, built-in functions, unknown code; and
//! non-local jumps.

use crate::bits::mask;
use crate::code::{Site as CallSite, Slot, Target};
use crate::describe::definition;
use crate::fault::{Halt, PtrRole, Res};
use crate::input::UNTYPED_BYTES;
use crate::machine::{JumpPoint, Machine, Val};
use crate::native::Native;
use crate::object::{Kind, NULL_PROV, Site, State};
use crate::program::Static;
use verify_ir::{CType, CheckKind, FuncId, InstKind, Operand, Param, Step, Terminator, Ty, Value};

/// Do calls with one type for the other work on the machine? Integers and pointers of the same width always; of
/// different widths where each has a register of its own (64-bit targets): see [`adapt`].
pub(crate) fn interchangeable(a: Ty, b: Ty, m: &Machine<'_, '_>) -> bool {
    let plain = |t: Ty| !matches!(t, Ty::Float(_));
    let (x, y) = (m.bits(a), m.bits(b));
    plain(a) && plain(b) && (x == y || (x <= 64 && y <= 64 && m.mem.ptr_bits == 64))
}

/// A value of width `from` as the other side of a call sees it: cut off, or with undefined bits above.
pub(crate) fn adapt(v: Val, from: u32, to: u32) -> Val {
    match v {
        Val::Small(s) if from > to => Val::Small(Slot { v: s.v & mask(to), u: s.u & mask(to), p: 0 }),
        Val::Small(s) if from < to && to <= 64 => Val::Small(Slot { u: s.u | mask(to) & !mask(from), p: 0, ..s }),
        v => v,
    }
}

impl<'p> Machine<'p, '_> {
    /// The call as the IR has it.
    fn ir_call(&self) -> Option<&'p verify_ir::Call> {
        let f = self.top();
        let (b, i) = *f.code.places.get(f.pc)?;
        let block = &self.program.body(f.func)?.blocks[b as usize];
        match block.insts.get(i as usize) {
            Some(inst) => match &inst.kind {
                InstKind::Call(c) => Some(c),
                _ => None,
            },
            None => match &block.term {
                Terminator::Invoke { call, .. } => Some(call),
                _ => None,
            },
        }
    }

    /// A call; true when control is somewhere else afterwards (in the callee, or after a `longjmp`).
    pub fn call(&mut self, site: &'p CallSite) -> Res<bool> {
        let f = match site.target {
            Target::Func(f) => f,
            Target::Pointer(p) => {
                let p = self.read(p).slot();
                match self.callee(p)? {
                    Static::Func(f) => f,
                    Static::Ifunc(a) => self.ifunc(a)?,
                    Static::Global(_) | Static::UnknownFunction => {
                        return self.external("unknown function", site).map(|()| false);
                    }
                }
            }
        };
        if self.config.contract_caller && self.frames.len() == 1 && self.passes_dead_object(site) {
            return Err(Box::new(Halt::Exit(0)));
        }
        if let Some(code) = self.program.code(f) {
            let args: Vec<(Val, Ty)> = site.args.iter().zip(&site.types).map(|(a, t)| (self.read(*a), *t)).collect();
            self.call_body(f, code, &args, site)?;
            return Ok(true);
        }
        match self.program.native(f) {
            Some(Native::SetJmp) => self.setjmp(site).map(|()| false),
            Some(Native::LongJmp) => self.longjmp(site).map(|()| true),
            Some(n) => {
                let r = self.native(n, site)?;
                if let Some(d) = site.results.first() {
                    let v = r.unwrap_or_else(|| Val::undef(self.bits(site.result_types[0])));
                    self.write(*d, v);
                }
                Ok(false)
            }
            None => {
                let name = self.module.func(f).name.clone();
                self.external(&name, site).map(|()| false)
            }
        }
    }

    fn passes_dead_object(&self, site: &CallSite) -> bool {
        let dead = |p: Slot| match self.mem.slot_if_made(p.p) {
            Some(s) => self.mem.objects[s as usize].state != State::Live,
            None => self.mem.is_recycled(p.p),
        };
        let pointers = site.args.iter().zip(&site.types).filter(|(_, t)| **t == Ty::Ptr);
        pointers.map(|(a, _)| self.read(*a).slot()).any(|p| p.p > NULL_PROV && dead(p))
    }

    fn call_body(&mut self, f: FuncId, code: &'p crate::code::Code, args: &[(Val, Ty)], site: &CallSite) -> Res<()> {
        let callee = self.module.func(f);
        let sig = &callee.sig;
        let ir = self.ir_call();
        let mismatch =
            |text: String| Halt::message(CheckKind::InvalidCall, format!("call of `{}` {text}", callee.name));
        if args.len() < sig.params.len() {
            return mismatch(format!("with {} arguments, it takes {}", args.len(), sig.params.len()));
        }
        // Without a prototype (`int f();`) a call may pass more than the function takes.
        let loose = callee.attrs.no_prototype || ir.is_none_or(|c| c.fixed.is_some());
        if args.len() > sig.params.len() && !sig.variadic && !loose {
            return mismatch(format!("with {} arguments, it takes {}", args.len(), sig.params.len()));
        }
        let param = |k: usize| ir.and_then(|c| c.params.get(k)).cloned().unwrap_or_else(|| Param::plain(args[k].1));
        for (k, p) in sig.params.iter().enumerate() {
            let copied_alike = ir.and_then(|c| c.params.get(k)).is_none_or(|given| p.goes_like(given));
            if p.ty != args[k].1 && !interchangeable(p.ty, args[k].1, self) || !copied_alike {
                return mismatch(format!("with argument {} of another type than its parameter", k + 1));
            }
            if (p.ty == Ty::Ptr) != (args[k].1 == Ty::Ptr) {
                self.mem.looked.set(true);
            }
        }
        for (have, want) in sig.results.iter().zip(&site.result_types) {
            if have != want && !interchangeable(*have, *want, self) {
                return mismatch("through a type with another result".into());
            }
            if (*have == Ty::Ptr) != (*want == Ty::Ptr) {
                self.mem.looked.set(true);
            }
        }
        let streams = self.program.streams(f);
        for k in (0..sig.params.len().min(32)).filter(|k| streams >> k & 1 != 0) {
            if self.is_no_stream(args[k].0.slot()) {
                return Halt::unmodelled("bytes from outside as a stream");
            }
        }
        self.enter(f, code)?;
        for (k, home) in code.params.iter().enumerate() {
            let v = match sig.params[k].attrs.byval.or(param(k).attrs.byval) {
                Some((size, align)) => {
                    let site = Site::new(f.0, callee.span.0);
                    let slot = self.allocate_stack(Kind::Stack, size, align, site)?;
                    self.mem.objects[slot as usize].origin = u32::MAX;
                    let to = self.pointer_to(slot);
                    if let Err(e) = self.copy(to, args[k].0.slot(), size) {
                        // The argument is the caller's: the failure belongs there.
                        self.pop();
                        return Err(e);
                    }
                    Val::Small(to)
                }
                None => adapt(args[k].0.clone(), self.bits(args[k].1), self.bits(sig.params[k].ty)),
            };
            self.write(*home, v);
        }
        if code.uses_varargs {
            let rest: Vec<(Val, Ty, Param)> =
                (sig.params.len()..args.len()).map(|k| (args[k].0.clone(), args[k].1, param(k))).collect();
            let area = self.build_varargs(&rest)?;
            self.top_mut().varargs = Some(area);
        }
        Ok(())
    }

    /// Calls a function with a body and runs it to its return.
    pub fn call_nested(&mut self, f: FuncId, args: &[Val]) -> Res<Vec<Val>> {
        let Some(code) = self.program.code(f) else {
            return Halt::unmodelled(format!("call of `{}`, which has no body", self.module.func(f).name));
        };
        let floor = self.frames.len();
        self.enter(f, code)?;
        for (home, v) in code.params.iter().zip(args) {
            self.write(*home, v.clone());
        }
        self.floors.push(floor);
        self.execute(floor)?;
        self.floors.pop();
        Ok(std::mem::take(&mut self.returned))
    }

    /// Calls `main`. Its stack objects outlive it, as roots of the leak scan.
    pub fn call_main(&mut self, f: FuncId, args: &[Val]) -> Res<Vec<Val>> {
        self.keep_main = true;
        let r = self.call_nested(f, args);
        self.keep_main = false;
        r
    }

    /// The function that an ifunc stands for.
    fn ifunc(&mut self, alias: u32) -> Res<FuncId> {
        if let Some(f) = self.ifuncs.get(&alias) {
            return Ok(*f);
        }
        let target = self.module.aliases[alias as usize].target;
        let Some(resolver) = self.program.function_of(target) else {
            return Halt::unmodelled("ifunc without a resolver function");
        };
        let chosen = self.call_nested(resolver, &[])?;
        let Some(p) = chosen.first() else { return Halt::unmodelled("ifunc resolver without a result") };
        match self.callee(p.slot())? {
            Static::Func(f) => {
                self.ifuncs.insert(alias, f);
                Ok(f)
            }
            _ => Halt::unmodelled("ifunc that resolves to no function"),
        }
    }

    /// Argument `k` as a slot; undefined bits reach a primitive, which is a failing check.
    pub fn arg(&self, site: &CallSite, k: usize) -> Res<Slot> {
        let Some(a) = site.args.get(k) else {
            return Halt::message(CheckKind::InvalidCall, "primitive called with too few arguments");
        };
        let v = self.read(*a);
        if !v.is_defined() {
            return Halt::undefined("argument");
        }
        Ok(v.slot())
    }

    fn setjmp(&mut self, site: &CallSite) -> Res<()> {
        let buffer = self.arg(site, 0)?;
        let id = self.next_jump;
        self.next_jump += 1;
        let (slot, off) = self.writable(buffer, self.mem.ptr_bytes, PtrRole::Arg(0))?;
        self.put(slot, off, Ty::Int(self.mem.ptr_bits), &Val::Small(Slot::int(id)));
        if let Some(d) = site.results.first() {
            let v = Val::of_u128(0, self.bits(site.result_types[0]));
            self.write(*d, v);
        }
        self.top_mut().jumps = true;
        let f = self.top();
        let point = JumpPoint {
            serial: f.serial,
            depth: self.frames.len(),
            pc: f.pc,
            regs: self.regs[f.base..f.base + f.code.regs as usize].to_vec(),
            wides: self.wides[f.wide_base..f.wide_base + f.code.wides as usize].to_vec(),
        };
        self.jumps.insert(id, point);
        Ok(())
    }

    fn longjmp(&mut self, site: &CallSite) -> Res<()> {
        let buffer = self.arg(site, 0)?;
        let value = match site.args.get(1) {
            Some(_) => self.arg(site, 1)?.v as u32,
            None => 1,
        };
        let n = self.mem.ptr_bytes;
        let (slot, off) = self.readable(buffer, n, PtrRole::Arg(0), Ty::Int(8))?;
        let (id, u) = self.mem.objects[slot as usize].read(off as usize, n as usize, self.mem.big_endian);
        if u != 0 {
            return Halt::undefined("jump buffer");
        }
        let Some(point) = self.jumps.get(&id) else {
            let text = "longjmp to a function that has returned";
            return if id > 0 && id < self.next_jump {
                Halt::message(CheckKind::UseAfterScope, text)
            } else {
                Halt::message(CheckKind::InvalidArgument, "longjmp with a buffer that setjmp did not fill")
            };
        };
        let (serial, depth, pc) = (point.serial, point.depth, point.pc);
        if self.frames.get(depth - 1).is_none_or(|f| f.serial != serial) {
            return Halt::message(CheckKind::UseAfterScope, "longjmp to a function that has returned");
        }
        if self.nested_floor() > depth - 1 {
            return Halt::unmodelled("longjmp out of a constructor, destructor or ifunc resolver");
        }
        let (regs, wides) = (point.regs.clone(), point.wides.clone());
        while self.frames.len() > depth {
            self.pop();
        }
        self.restore_registers(&regs, &wides);
        self.top_mut().pc = pc;
        let code = self.top().code;
        if let crate::code::Op::Call { site } = code.ops[pc]
            && let Some(d) = code.sites[site as usize].results.first()
        {
            let bits = self.bits(code.sites[site as usize].result_types[0]);
            let v = Val::of_u128(u128::from(if value == 0 { 1 } else { value }), bits);
            self.write(*d, v);
        }
        self.top_mut().pc = pc + 1;
        Ok(())
    }

    fn nested_floor(&self) -> usize {
        self.floors.last().copied().unwrap_or(0)
    }

    /// Unknown code.
    fn external(&mut self, name: &str, site: &CallSite) -> Res<()> {
        if self.config.externals == crate::config::ExternalPolicy::Stop {
            return Err(Box::new(Halt::External(name.into())));
        }
        for a in &site.args {
            if !self.read(*a).is_defined() {
                return Halt::undefined("argument of unknown code");
            }
        }
        self.externals.insert(name.to_string());
        if self.config.snapshot {
            let args: Vec<_> = site.args.iter().zip(&site.types).map(|(a, t)| (self.read(*a), *t)).collect();
            self.log_call(name, &args);
        }
        let pointers: Vec<Slot> = site
            .args
            .iter()
            .zip(&site.types)
            .filter(|(_, t)| **t == Ty::Ptr)
            .map(|(a, _)| self.read(*a).slot())
            .collect();
        if self.config.externals != crate::config::ExternalPolicy::Pure {
            self.havoc_reachable(&pointers, name)?;
        }
        if self.ir_call().is_some_and(|c| c.noreturn) {
            return Err(Box::new(Halt::Exit(0)));
        }
        let direct = matches!(site.target, Target::Func(_));
        let declared = if direct { self.result_ctype(name) } else { self.pointed_result() };
        let ctype = declared.or_else(|| self.result_variable());
        for (k, d) in site.results.iter().enumerate() {
            let ty = site.result_types[k];
            let path = format!("{name}()");
            let v = match self.asked_bytes(ty, ctype, site) {
                // A number that a declared function takes may be anything but a size; its object is never small.
                Some(bytes) if direct => self.scripted_allocation(bytes.max(UNTYPED_BYTES), name)?,
                Some(bytes) => self.scripted_allocation(bytes, name)?,
                None => {
                    let v = self.scripted(ty, ctype, crate::script::Origin::External(name), &path, false)?;
                    self.result_in_registers(v, ty, k)
                }
            };
            self.write(*d, v);
        }
        Ok(())
    }

    /// The C type of the result of a call through a pointer: that of the field or variable that holds the pointer says.
    fn pointed_result(&self) -> Option<verify_ir::TypeId> {
        let body = self.program.body(self.top().func)?;
        let callee = self.ir_call()?.callee.as_value()?;
        let field = |ptr: &Operand| match &definition(body, ptr.as_value()?)?.kind {
            InstKind::Addr { steps, .. } => match steps.last()? {
                Step::Field { record: Some(record), index, .. } => match self.module.ctype(*record) {
                    CType::Record(r) => Some(r.fields.get(*index as usize)?.ty),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let variable = |v: Value| body.vars.get(body.values[v.index()].var?.index())?.ctype;
        let pointer = match definition(body, callee).map(|i| &i.kind) {
            Some(InstKind::Load { ptr, .. }) => field(ptr).or_else(|| variable(callee))?,
            _ => variable(callee)?,
        };
        match self.module.ctype(crate::ctypes::pointee(self.module, pointer)?) {
            CType::Function { ret, .. } => Some(*ret),
            _ => None,
        }
    }

    /// Result `k` of unknown code, perhaps a part of a struct.
    fn result_in_registers(&self, v: Val, ty: Ty, k: usize) -> Val {
        let f = self.top();
        let part = || {
            let (b, i) = *f.code.places.get(f.pc)?;
            let body = self.program.body(f.func)?;
            let result = *body.blocks[b as usize].insts.get(i as usize)?.results.get(k)?;
            self.in_registers(body, b as usize, i as usize + 1, result)
        };
        match ty {
            Ty::Int(_) => part().map_or(v.clone(), |(t, at)| self.valid_bools(v, ty, t, at)),
            _ => v,
        }
    }

    /// The C type of the variable that takes the result: what is declared elsewhere has no type of its own here.
    fn result_variable(&self) -> Option<verify_ir::TypeId> {
        let f = self.top();
        let (b, i) = *f.code.places.get(f.pc)?;
        let body = self.program.body(f.func)?;
        let inst = body.blocks[b as usize].insts.get(i as usize)?;
        let value = inst.results.first()?;
        body.vars.get(body.values[value.index()].var?.index())?.ctype
    }

    /// The bytes that a call of unknown code asks for, when it looks like one of an allocator: it returns `void *` and
    /// takes nothing but a size or two and at most two pointers. Two sizes are count and size of elements, unless an
    /// old block comes along with a context: then old and new size. Without this rule every hook for allocation
    /// (zlib's `zalloc`, Lua's `lua_Alloc`, cJSON's `malloc_fn`) would return objects of one byte.
    fn asked_bytes(&self, ty: Ty, ctype: Option<verify_ir::TypeId>, site: &CallSite) -> Option<u64> {
        let void = ctype.is_none_or(|t| crate::ctypes::pointee(self.module, t).is_none());
        let pointers = site.types.iter().filter(|t| **t == Ty::Ptr).count();
        let sizes: Vec<u64> = site
            .args
            .iter()
            .zip(&site.types)
            .filter(|(_, t)| matches!(t, Ty::Int(32 | 64)))
            .map(|(a, _)| self.read(*a).slot().v)
            .collect();
        if ty != Ty::Ptr || !void || pointers > 2 || pointers + sizes.len() != site.types.len() {
            return None;
        }
        match sizes[..] {
            [n] => Some(n),
            [count, size] if pointers < 2 => Some(count.saturating_mul(size)),
            [_, new] => Some(new),
            _ => None,
        }
    }

    fn result_ctype(&self, name: &str) -> Option<verify_ir::TypeId> {
        let f = self.module.function_named(name)?;
        match self.module.ctype(crate::ctypes::strip(self.module, self.module.func(f).ctype?)) {
            verify_ir::CType::Function { ret, .. } => Some(*ret),
            _ => None,
        }
    }
}
