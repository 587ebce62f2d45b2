//! Calls: bodies run in place, primitives after their contract, everything else cut or not encoded.

use crate::exec::{Cut, Exec, Frame, OutOfBudget};
use crate::state::{Byte, Cell, Content, Info, Kind, OBJ_BITS, Obj, State, TAG_BITS, Val, ite_byte};
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_checks::attribute::Frame as Place;
use verify_checks::calls::{constant_string, direct_callee, is_model};
use verify_ir::{Block, Call, CheckKind as K, FuncId, Function, GlobalId, InitData, Linkage, Loc, Operand, SymbolRef};
use verify_ir::{Ty, Value};
use verify_solver::Term;

type Done = Result<Option<State>, OutOfBudget>;

impl<'a> Exec<'a> {
    /// The object of a variable.
    pub fn global_object(&self, g: GlobalId) -> Obj {
        2 + g.0
    }
    /// The object of a function.
    pub fn function_object(&self, f: FuncId) -> Obj {
        2 + self.module.globals.len() as Obj + f.0
    }

    /// Objects that exist from the start: the special ones, variables, functions.
    pub fn statics(&mut self) {
        let (tt, ff) = (self.pool.tt(), self.pool.ff());
        let zero = self.pool.num(64, 0);
        let empty = Rc::new(Content::Bytes(Vec::new()));
        let special = |kind, alive| Info {
            kind,
            size: zero,
            read_only: true,
            align: 1,
            initial: Cell { alive, content: empty.clone() },
        };
        self.objects = vec![special(Kind::Special, ff), special(Kind::Special, ff)];
        for (i, g) in self.module.globals.iter().enumerate() {
            let size = self.pool.num(64, g.size.into());
            let content = Rc::new(self.initial(GlobalId::new(i)));
            self.objects.push(Info {
                kind: Kind::Global(GlobalId::new(i)),
                size,
                read_only: g.constant,
                align: g.align,
                initial: Cell { alive: tt, content },
            });
        }
        for i in 0..self.module.functions.len() {
            self.objects.push(special(Kind::Function(FuncId::new(i)), tt));
        }
    }

    fn initial(&mut self, g: GlobalId) -> Content {
        let g = self.module.global(g);
        let size = self.pool.num(64, g.size.into());
        let zero = Byte { v: self.pool.num(8, 0), u: self.pool.num(8, 0), p: self.pool.num(TAG_BITS, 0) };
        let mut content = self.filled(size, zero);
        let huge = g.init.iter().flat_map(|i| &i.pieces).map(|p| p.data.size()).sum::<u64>() > 1 << 16;
        let (Some(init), false) = (&g.init, huge) else {
            // Defined elsewhere, or too large to be followed.
            return match content {
                Content::Bytes(b) => Content::Bytes(b.iter().map(|_| self.any_byte()).collect()),
                Content::Array(a) => {
                    let sort = self.pool.sort(a);
                    Content::Array(self.pool.fresh("global", sort))
                }
            };
        };
        let tt = self.pool.tt();
        for p in &init.pieces {
            let bytes = self.data(&p.data);
            let off = self.pool.num(64, p.offset.into());
            content = self.write_bytes(&content, off, &bytes, tt);
        }
        content
    }

    fn data(&mut self, d: &InitData) -> Vec<Byte> {
        match d {
            InitData::Bytes(b) => b
                .iter()
                .map(|v| Byte {
                    v: self.pool.num(8, (*v).into()),
                    u: self.pool.num(8, 0),
                    p: self.pool.num(TAG_BITS, 0),
                })
                .collect(),
            InitData::Undef(n) => (0..*n)
                .map(|_| Byte { v: self.fresh(8), u: self.pool.num(8, 0xff), p: self.pool.num(TAG_BITS, 0) })
                .collect(),
            InitData::Address { symbol, addend, size } if u64::from(*size) == self.module.target.pointer_bytes() => {
                let (s, offset) = self.module.resolve(*symbol);
                let o = match s {
                    SymbolRef::Global(g) => self.global_object(g),
                    SymbolRef::Func(f) => self.function_object(f),
                    SymbolRef::Alias(_) => 1,
                };
                let at = (offset as i64).wrapping_add(*addend);
                let w = self.module.target.pointer_bits;
                let v = Val { v: self.pool.num(w, at as i128 as u128), ..self.pointer(o) };
                self.disassemble(v, Ty::Ptr)
            }
            d => (0..d.size()).map(|_| self.any_byte()).collect(),
        }
    }

    /// A call, and its results.
    pub fn call(&mut self, mut s: State, c: &'a Call, results: &[Value]) -> Done {
        let mut args = Vec::new();
        for a in &c.args {
            match self.operand(&mut s, a) {
                Some(v) => args.push(v),
                None => return Ok(None),
            }
        }
        if let Some(f) = direct_callee(self.module, c) {
            return self.call_function(s, f, c, &args, results);
        }
        let Some(p) = self.operand(&mut s, &c.callee) else { return Ok(None) };
        let undefined = self.nonzero(p.u);
        self.fail(&mut s, K::UninitRead, undefined);
        let f = self.candidates(p);
        let any = self.pool.and(s.guard, f.any);
        self.block(any, "a call through a pointer that is not followed");
        let known = self.pool.not(f.any);
        s.assume(&mut self.pool, known);
        let zero = self.pool.num(OBJ_BITS, 0);
        let number = self.pool.eq(p.p, zero);
        let page = self.pool.num(self.module.target.pointer_bits, 4096);
        let low = self.pool.ult(p.v, page);
        let null = self.pool.and(number, low);
        self.fail(&mut s, K::NullDeref, null);
        // Other numbers may be the address of something.
        let wild = self.pool.and(s.guard, number);
        self.block(wild, "a call of an integer");
        let is_pointer = self.pool.not(number);
        s.assume(&mut self.pool, is_pointer);
        let mut all: Option<State> = None;
        for (o, cond) in f.each {
            let here = self.pool.and(s.guard, cond);
            if self.is(here, false) {
                continue;
            }
            let Kind::Function(callee) = self.objects[o as usize].kind else {
                self.fail(&mut s, K::InvalidCall, cond);
                continue;
            };
            let mut one = s.clone();
            one.assume(&mut self.pool, cond);
            let inside = self.nonzero(p.v);
            self.fail(&mut one, K::InvalidCall, inside);
            if one.is_dead(&self.pool) {
                continue;
            }
            if let Some(done) = self.call_function(one, callee, c, &args, results)? {
                all = Some(match all {
                    None => done,
                    Some(a) => self.join(&a, &done),
                });
            }
        }
        Ok(all)
    }

    fn call_function(&mut self, s: State, f: FuncId, c: &'a Call, args: &[Val], results: &[Value]) -> Done {
        let callee = self.module.func(f);
        if callee.body.is_none() {
            return self.outside(s, f, c, args, results);
        }
        let mut s = s;
        let recursion = self.frames.iter().filter(|x| x.func == f).count() as u32;
        let depth = self.frames.iter().filter(|x| !is_model(self.module, self.module.func(x.func))).count() as u32;
        let model = is_model(self.module, callee);
        let most = self.certificate.recursion + if model { 8 } else { 1 };
        if recursion >= most || (!model && depth > self.certificate.depth) || self.frames.len() > 256 {
            self.cut(&s, Some(vec![f]), format!("a call of `{}`", callee.name));
            return Ok(None);
        }
        let sig = &callee.sig;
        let same = c.params.iter().zip(&sig.params).all(|(a, p)| a.ty == p.ty && a.goes_like(p));
        let enough = args.len() >= sig.params.len();
        let body = self.body();
        let results_fit = results.iter().zip(&sig.results).all(|(r, t)| body.ty(*r) == *t);
        // Without a prototype, a call may pass more than the function takes.
        let loose = sig.variadic || callee.attrs.no_prototype || c.fixed.is_some();
        if !same || !enough || !results_fit || (args.len() > sig.params.len() && !loose) {
            self.block(s.guard, format!("a call of `{}` with another type", callee.name));
            return Ok(None);
        }
        let saved = s.env.clone();
        self.frames.push(Frame {
            func: f,
            loc: Loc { block: Block(0), inst: 0 },
            allocas: Vec::new(),
            returns: Vec::new(),
            varargs: None,
            below: saved.clone(),
        });
        let mut env = BTreeMap::new();
        let params = &callee.body.as_ref().expect("seen above").block(Block(0)).params;
        for (k, r) in params.iter().enumerate() {
            let mut v = args[k];
            let attrs = [&sig.params[k].attrs, &c.params[k].attrs];
            if let Some((size, align)) = attrs.iter().find_map(|a| a.byval) {
                match self.by_value(&mut s, v, size, align) {
                    Some(copy) => v = copy,
                    None => {
                        self.frames.pop();
                        return Ok(None);
                    }
                }
            }
            env.insert(*r, v);
        }
        if sig.variadic && !self.varargs(&mut s, c, args, sig.params.len()) {
            self.frames.pop();
            return Ok(None);
        }
        s.env = Rc::new(env);
        let done = self.run(s);
        self.frames.pop();
        let Some((mut s, values)) = done? else { return Ok(None) };
        s.env = saved;
        for (k, r) in results.iter().enumerate() {
            // What the function does not return is undefined.
            let v = match values.get(k) {
                Some(v) => *v,
                None => {
                    let undef = verify_ir::Const::Undef(body.ty(*r));
                    self.constant_val(&undef).expect("an undefined value is one")
                }
            };
            s.set(*r, v);
        }
        Ok(Some(s))
    }

    /// The callee's copy of an argument. What fails is the caller's.
    fn by_value(&mut self, s: &mut State, from: Val, size: u64, align: u64) -> Option<Val> {
        let frame = self.frames.pop().expect("just pushed");
        let n = self.pool.num(64, size.into());
        let found = self.access(s, from, n, false);
        self.frames.push(frame);
        let found = found?;
        let bytes = self.read_found(s, from, &found, size);
        let content = self.undefined_content(n);
        let zero = self.pool.num(64, 0);
        let tt = self.pool.tt();
        let content = self.write_bytes(&content, zero, &bytes, tt);
        let o = self.create(s, Kind::Stack, n, align, content);
        self.frames.last_mut().expect("just pushed").allocas.push(o);
        Some(self.pointer(o))
    }

    /// The object of the further arguments, in the order of the System V ABI's memory area.
    fn varargs(&mut self, s: &mut State, c: &Call, args: &[Val], from: usize) -> bool {
        let plain = c
            .params
            .iter()
            .skip(from)
            .all(|p| p.attrs.byval.is_none() && p.attrs.lanes <= 1 && p.ty.bits(&self.module.target) <= 64);
        let Some(slot) = self.list_slot().filter(|_| plain) else {
            self.block(s.guard, "variadic arguments of this kind");
            return false;
        };
        // Each in as many slots as it needs.
        let mut places = vec![0];
        for p in c.params.iter().skip(from) {
            let bytes = p.ty.store_bytes(&self.module.target);
            places.push(places[places.len() - 1] + bytes.div_ceil(slot) * slot);
        }
        let size = self.pool.num(64, places[places.len() - 1].into());
        let mut content = self.undefined_content(size);
        let tt = self.pool.tt();
        for ((v, p), at) in args.iter().zip(&c.params).skip(from).zip(places) {
            let bytes = self.disassemble(*v, p.ty);
            let off = self.pool.num(64, at.into());
            content = self.write_bytes(&content, off, &bytes, tt);
        }
        let o = self.create(s, Kind::Stack, size, 16, content);
        let p = self.pointer(o);
        let f = self.frames.last_mut().expect("just pushed");
        f.allocas.push(o);
        f.varargs = Some(p);
        true
    }

    /// Bytes of a slot for arguments in memory; targets other than x86 are not known.
    fn list_slot(&self) -> Option<u64> {
        let (triple, word) = (&self.module.target.triple, self.module.target.pointer_bits);
        let one_of = |names: &[&str]| names.iter().any(|n| triple.starts_with(n)) && !triple.contains("windows");
        match word {
            64 if one_of(&["x86_64-"]) => Some(8),
            32 if one_of(&["i386-", "i486-", "i586-", "i686-"]) => Some(4),
            _ => None,
        }
    }

    /// Bytes of a `va_list`.
    pub fn list_bytes(&self) -> Option<u64> {
        self.list_slot().map(|slot| if slot == 8 { 24 } else { 4 })
    }

    /// `va_start`.
    pub fn va_start(&mut self, s: &mut State, list: Val) -> Option<()> {
        let Some(area) = self.frames.last().and_then(|f| f.varargs) else {
            self.block(s.guard, "va_start without further arguments");
            s.guard = self.pool.ff();
            return None;
        };
        if self.list_bytes() == Some(4) {
            let bytes = self.disassemble(area, Ty::Ptr);
            return self.store(s, list, &bytes);
        }
        let (a, b, null) = (self.int(32, 48), self.int(32, 176), self.null());
        let mut bytes = self.disassemble(a, Ty::Int(32));
        bytes.extend(self.disassemble(b, Ty::Int(32)));
        bytes.extend(self.disassemble(area, Ty::Ptr));
        bytes.extend(self.disassemble(null, Ty::Ptr));
        self.store(s, list, &bytes)
    }

    fn cut(&mut self, s: &State, callees: Option<Vec<FuncId>>, what: String) {
        let place = self.frames.iter().rev().find(|f| !is_model(self.module, self.module.func(f.func)));
        let inner = self.frames.last().map(|f| f.func);
        let place = place.filter(|p| inner != Some(p.func)).map(|f| Place { func: f.func, loc: f.loc });
        self.cuts.push(Cut { reached: s.guard, callees, place, what });
        // What such a call leaves behind is not followed.
        self.block(s.guard, "the rest after a call that is not followed");
    }

    /// A function without a body.
    fn outside(&mut self, mut s: State, f: FuncId, c: &Call, args: &[Val], results: &[Value]) -> Done {
        let callee = self.module.func(f);
        let primitive = callee.name.starts_with("__verify_");
        for a in args {
            let undefined = self.nonzero(a.u);
            self.fail(&mut s, K::UninitRead, undefined);
        }
        if s.is_dead(&self.pool) {
            return Ok(None);
        }
        if primitive {
            return self.primitive(s, callee, c, args, results);
        }
        let jump = ["setjmp", "longjmp", "sjlj"].iter().any(|n| callee.name.contains(n));
        if jump {
            self.block(s.guard, format!("`{}`", callee.name));
            return Ok(None);
        }
        if !self.certificate.rules.externals_pure {
            self.cut(&s, None, format!("a call of `{}`", callee.name));
            return Ok(None);
        }
        if c.noreturn {
            self.end_of_program(&mut s);
            return Ok(None);
        }
        for r in results {
            let v = self.anything(self.body().ty(*r), true);
            s.set(*r, v);
        }
        Ok(Some(s))
    }

    fn primitive(&mut self, mut s: State, f: &Function, c: &Call, args: &[Val], results: &[Value]) -> Done {
        let body = self.body();
        let bits = |e: &Self| results.first().map(|r| body.ty(*r).bits(&e.module.target));
        let text = |e: &Self, k: usize| c.args.get(k).and_then(|a: &Operand| constant_string(e.module, a));
        let result = match f.name.as_str() {
            "__verify_alloc" => {
                let size = self.bits(args[0]);
                let size = self.pool.resize_unsigned(size, 64);
                let most = self.pool.num(64, 1 << 48);
                let fits = self.pool.ult(size, most);
                s.assume(&mut self.pool, fits);
                let family = self.bits(args[2]);
                let leak = self.check_here(K::Leak);
                let content = self.undefined_content(size);
                let align = self.constant(args[1].v).unwrap_or(1);
                let o = self.create(&mut s, Kind::Heap(family, leak), size, align, content);
                Some(self.pointer(o))
            }
            "__verify_free" | "__verify_object_size" => {
                let free = f.name == "__verify_free";
                return Ok(self.heap(s, free, args, results));
            }
            "__verify_choose_failure" => {
                let w = bits(self).unwrap_or(32);
                let v = self.fresh(1);
                let v = if self.certificate.rules.allocation_succeeds && allocates(self.literal(args[0]).as_deref()) {
                    self.pool.ff()
                } else {
                    v
                };
                let v = self.pool.zext(v, w);
                Some(self.plain(v))
            }
            "__verify_nondet_u64" => {
                let v = self.fresh(bits(self).unwrap_or(64));
                Some(self.plain(v))
            }
            "__verify_nondet_bytes" => {
                let n = self.bits(args[1]);
                let n = self.pool.resize_unsigned(n, 64);
                let none = self.nonzero(n);
                match self.constant(n) {
                    Some(0) => {}
                    Some(k) if k <= 4096 => {
                        let bytes: Vec<Byte> = (0..k)
                            .map(|_| Byte { v: self.fresh(8), u: self.pool.num(8, 0), p: self.pool.num(TAG_BITS, 0) })
                            .collect();
                        if self.store(&mut s, args[0], &bytes).is_none() {
                            return Ok(None);
                        }
                    }
                    _ => {
                        let reached = self.pool.and(s.guard, none);
                        self.block(reached, "input of a length that is not known");
                        return Ok(None);
                    }
                }
                None
            }
            "__verify_assume" => {
                let v = self.bits(args[0]);
                let holds = self.nonzero(v);
                s.assume(&mut self.pool, holds);
                None
            }
            "__verify_fail" => {
                let tt = self.pool.tt();
                match text(self, 0).map(|t| K::from_name(&t)) {
                    Some(Some(k)) => self.fail(&mut s, k, tt),
                    _ => self.block(s.guard, "a failure of unknown kind"),
                }
                return Ok(None);
            }
            "__verify_exit" => {
                self.end_of_program(&mut s);
                return Ok(None);
            }
            "__verify_abort" => return Ok(None),
            "__verify_run_destructors" => {
                let mut all = self.module.destructors.clone();
                all.sort_by_key(|d| std::cmp::Reverse(d.priority));
                for d in all {
                    match self.enter_function(s, d.func, &[])? {
                        Some((n, _)) => s = n,
                        None => return Ok(None),
                    }
                }
                None
            }
            "__verify_analysis_only" => None,
            "__verify_check_defined" => {
                let n = self.bits(args[1]);
                let n = self.pool.resize_unsigned(n, 64);
                match self.constant(n) {
                    Some(0) => {}
                    Some(k) if k <= 4096 => {
                        let Some(found) = self.access(&mut s, args[0], n, false) else { return Ok(None) };
                        let bytes = self.read_found(&s, args[0], &found, k);
                        let bad: Vec<Term> = bytes.iter().map(|b| self.nonzero(b.u)).collect();
                        let bad = self.pool.or_all(bad);
                        self.fail(&mut s, K::UninitRead, bad);
                    }
                    _ => {
                        self.block(s.guard, "output of a length that is not known");
                        return Ok(None);
                    }
                }
                None
            }
            "__verify_sys_write" => {
                let n = self.bits(args[2]);
                let n = self.pool.resize_unsigned(n, 64);
                match self.constant(n) {
                    Some(0) => {}
                    Some(k) if k <= 4096 => {
                        let Some(found) = self.access(&mut s, args[1], n, false) else { return Ok(None) };
                        let bytes = self.read_found(&s, args[1], &found, k);
                        let bad: Vec<Term> = bytes.iter().map(|b| self.nonzero(b.u)).collect();
                        let bad = self.pool.or_all(bad);
                        self.fail(&mut s, K::UninitRead, bad);
                    }
                    _ => {
                        self.block(s.guard, "output of a length that is not known");
                        return Ok(None);
                    }
                }
                Some(self.between(&mut s, -5, n))
            }
            "__verify_sys_stat" => {
                let path = self.nonzero(args[0].v);
                let zero = self.pool.num(OBJ_BITS, 0);
                let object = self.pool.ne(args[0].p, zero);
                let named = self.pool.or(path, object);
                let reached = self.pool.and(s.guard, named);
                self.block(reached, "a path");
                let v = self.fresh(2);
                let v = self.pool.zext(v, 64);
                let v = self.pool.neg(v);
                let failed = self.nonzero(v);
                let word = self.module.target.pointer_bytes();
                let n = self.pool.num(64, 3 * u128::from(word));
                let Some(found) = self.access(&mut s, args[2], n, true) else { return Ok(None) };
                let old = self.read_found(&s, args[2], &found, 3 * word);
                let mut bytes = Vec::new();
                for b in old {
                    let new = Byte { v: self.fresh(8), u: self.pool.num(8, 0), p: self.pool.num(TAG_BITS, 0) };
                    bytes.push(ite_byte(&mut self.pool, failed, b, new));
                }
                self.approximated(s.guard, "a system call");
                self.write_found(&mut s, args[2], &found, &bytes);
                Some(self.plain(v))
            }
            "__verify_sys_close" | "__verify_sys_time" => {
                let v = self.fresh(bits(self).unwrap_or(32));
                self.approximated(s.guard, "a system call");
                Some(self.plain(v))
            }
            "__verify_math1" | "__verify_math2" => {
                let w = bits(self).unwrap_or(64);
                let key = args.iter().map(|a| a.v).collect();
                self.approximated(s.guard, "a function of floating-point numbers");
                let v = self.open_function(f.name.clone(), key, w);
                Some(self.plain(v))
            }
            other => {
                self.block(s.guard, format!("`{other}`"));
                return Ok(None);
            }
        };
        if s.is_dead(&self.pool) {
            return Ok(None);
        }
        if let (Some(r), Some(v)) = (results.first(), result) {
            let w = body.ty(*r).bits(&self.module.target);
            let v = if self.pool.width(v.v) == w {
                v
            } else {
                let t = self.pool.resize_signed(v.v, w);
                self.plain(t)
            };
            s.set(*r, v);
        }
        Ok(Some(s))
    }

    /// The string literal that a value is the start of.
    fn literal(&self, p: Val) -> Option<String> {
        let (o, at) = (self.constant(p.p)?, self.constant(p.v)?);
        let Kind::Global(g) = self.objects.get(usize::try_from(o).ok()?)?.kind else { return None };
        let g = self.module.global(g);
        let bytes = verify_checks::calls::literal_bytes(g.init.as_ref().filter(|_| g.constant)?, g.size)?;
        let tail = bytes.get(usize::try_from(at).ok()?..)?;
        let end = tail.iter().position(|b| *b == 0)?;
        Some(String::from_utf8_lossy(&tail[..end]).into_owned())
    }

    /// A number from `low` to `high`, signed.
    fn between(&mut self, s: &mut State, low: i64, high: Term) -> Val {
        let v = self.fresh(64);
        let l = self.pool.num(64, low as i128 as u128);
        let (a, b) = (self.pool.sle(l, v), self.pool.sle(v, high));
        let ok = self.pool.and(a, b);
        s.assume(&mut self.pool, ok);
        self.plain(v)
    }

    /// `free`, and the size of an object: of a living object of the heap, by its start.
    fn heap(&mut self, mut s: State, free: bool, args: &[Val], results: &[Value]) -> Option<State> {
        let p = args[0];
        let f = self.candidates(p);
        let zero = self.pool.num(OBJ_BITS, 0);
        let number = self.pool.eq(p.p, zero);
        let is_null = {
            let nz = self.nonzero(p.v);
            let n = self.pool.not(nz);
            self.pool.and(number, n)
        };
        if free {
            self.fail(&mut s, K::InvalidFree, is_null);
        }
        let mut wild = self.pool.and(s.guard, number);
        if !free {
            let n = self.pool.not(is_null);
            wild = self.pool.and(wild, n);
        }
        self.block(wild, "a number is freed");
        let any = self.pool.and(s.guard, f.any);
        self.block(any, "a pointer that is not followed is freed");
        let dead_kind = if free { K::DoubleFree } else { K::UseAfterFree };
        let mut size = self.pool.num(64, 0);
        for (o, c) in f.each {
            let here = self.pool.and(s.guard, c);
            if self.is(here, false) {
                continue;
            }
            let info = self.objects[o as usize].clone();
            let Kind::Heap(family, _) = info.kind else {
                self.fail(&mut s, K::InvalidFree, c);
                continue;
            };
            let moved = self.nonzero(p.v);
            let moved = self.pool.and(c, moved);
            self.fail(&mut s, K::InvalidFree, moved);
            let alive = self.cell(&s, o).alive;
            let dead = self.pool.not(alive);
            let dead = self.pool.and(c, dead);
            self.fail(&mut s, dead_kind, dead);
            size = self.pool.ite(c, info.size, size);
            if free {
                let by = self.bits(args[1]);
                let other = self.pool.ne(by, family);
                let other = self.pool.and(c, other);
                self.fail(&mut s, K::InvalidFree, other);
                self.end(&mut s, o, c);
            }
        }
        if s.is_dead(&self.pool) {
            return None;
        }
        if let Some(r) = results.first().filter(|_| !free) {
            let w = self.body().ty(*r).bits(&self.module.target);
            let v = self.pool.resize_unsigned(size, w);
            let v = self.plain(v);
            s.set(*r, v);
        }
        Some(s)
    }

    /// Enters a function that no call of the program names.
    pub fn enter_function(
        &mut self,
        mut s: State,
        f: FuncId,
        args: &[Val],
    ) -> Result<Option<(State, Vec<Val>)>, OutOfBudget> {
        let Some(body) = &self.module.func(f).body else {
            self.block(s.guard, "a function without a body");
            return Ok(None);
        };
        let saved = s.env.clone();
        let params = &body.block(Block(0)).params;
        s.env = Rc::new(params.iter().copied().zip(args.iter().copied()).collect());
        let loc = Loc { block: Block(0), inst: 0 };
        self.frames.push(Frame {
            func: f,
            loc,
            allocas: Vec::new(),
            returns: Vec::new(),
            varargs: None,
            below: saved.clone(),
        });
        let r = self.run(s);
        self.frames.pop();
        Ok(r?.map(|(mut s, v)| {
            s.env = saved;
            (s, v)
        }))
    }

    /// The program ends: objects of the heap that live and that no variable leads to are lost.
    pub fn end_of_program(&mut self, s: &mut State) {
        if !self.certificate.rules.leaks || s.is_dead(&self.pool) {
            return;
        }
        let heap: Vec<(Obj, Term, Option<verify_checks::CheckId>)> = s
            .mem
            .iter()
            .filter_map(|(o, c)| match self.objects[*o as usize].kind {
                Kind::Heap(_, id) if !self.is(c.alive, false) => Some((*o, c.alive, id)),
                _ => None,
            })
            .collect();
        if heap.is_empty() {
            return;
        }
        // Which objects are surely led to, from variables on; a few steps are enough for most.
        let mut reached: BTreeMap<Obj, Term> = BTreeMap::new();
        for (i, g) in self.module.globals.iter().enumerate() {
            let o = self.global_object(GlobalId::new(i));
            if s.mem.contains_key(&o) && !g.name.starts_with("__verify_weak_") {
                let tt = self.pool.tt();
                reached.insert(o, tt);
            }
        }
        for _ in 0..4 {
            let mut next = reached.clone();
            for (o, here) in &reached {
                let content = self.cell(s, *o).content;
                let Content::Bytes(b) = &*content else { continue };
                let word = self.module.target.pointer_bytes() as usize;
                for at in (0..b.len().saturating_sub(word - 1)).step_by(word) {
                    let v = self.assemble(b[at..at + word].to_vec(), Ty::Ptr);
                    for (to, alive, _) in &heap {
                        let (leaves, other) = self.leaves(v.p);
                        if !other && !leaves.contains(&u64::from(*to)) {
                            continue;
                        }
                        let k = self.pool.num(OBJ_BITS, (*to).into());
                        let c = self.pool.eq(v.p, k);
                        let c = self.pool.and_all([c, *here, *alive]);
                        let old = next.get(to).copied().unwrap_or_else(|| self.pool.ff());
                        let c = self.pool.or(old, c);
                        next.insert(*to, c);
                    }
                }
            }
            if next == reached {
                break;
            }
            reached = next;
        }
        for (o, alive, id) in heap {
            let kept = reached.get(&o).copied().unwrap_or_else(|| self.pool.ff());
            let lost = self.pool.not(kept);
            let lost = self.pool.and_all([s.guard, alive, lost]);
            if self.is(lost, false) {
                continue;
            }
            self.approximated(lost, "what keeps an object");
            let id = id.or_else(|| self.checks.at_program_end(self.module, K::Leak));
            if let Some(id) = id {
                self.claim(id, lost);
            }
        }
    }

    /// The whole program from its start.
    pub fn program(&mut self, main: FuncId) -> Result<(), OutOfBudget> {
        self.statics();
        if self.objects.len() >= 1 << (OBJ_BITS - 1) {
            let tt = self.pool.tt();
            self.block(tt, "more variables than can be numbered");
            return Ok(());
        }
        let mut s = State::new(&mut self.pool);
        let unknown = self.anything(Ty::Ptr, true);
        for (i, g) in self.module.globals.iter().enumerate() {
            let named = matches!(g.name.as_str(), "environ" | "__environ") && g.linkage != Linkage::Internal;
            if named && g.init.is_some() && !g.constant {
                let bytes = self.disassemble(unknown, Ty::Ptr);
                let p = self.pointer(self.global_object(GlobalId::new(i)));
                let _ = self.store(&mut s, p, &bytes);
            }
        }
        let mut all = self.module.constructors.clone();
        all.sort_by_key(|c| c.priority);
        for c in all {
            match self.enter_function(s, c.func, &[])? {
                Some((n, _)) => s = n,
                None => return Ok(()),
            }
        }
        let info = self.module.func(main);
        let mut args = Vec::new();
        for (k, p) in info.sig.params.iter().enumerate() {
            let v = self.anything(p.ty, k < 3);
            if k == 0 && p.ty != Ty::Ptr && info.name == "main" {
                // The program's name is always handed over.
                let one = self.pool.num(p.ty.bits(&self.module.target), 1);
                let ok = self.pool.sle(one, v.v);
                s.assume(&mut self.pool, ok);
            }
            args.push(v);
        }
        let Some((mut s, values)) = self.enter_function(s, main, &args)? else { return Ok(()) };
        if let Some(v) = values.first() {
            let undefined = self.nonzero(v.u);
            let reached = self.pool.and(s.guard, undefined);
            if let Some(id) = self.checks.at_program_end(self.module, K::UninitRead) {
                self.claim(id, reached);
            }
            let ok = self.pool.not(undefined);
            s.assume(&mut self.pool, ok);
        }
        if s.is_dead(&self.pool) {
            return Ok(());
        }
        let exit = self.module.function_named("exit").filter(|f| self.module.func(*f).body.is_some());
        if let Some(exit) = exit {
            let w = self.module.func(exit).sig.params.first().map_or(32, |p| p.ty.bits(&self.module.target));
            let status = match values.first() {
                Some(v) => self.pool.resize_unsigned(v.v, w),
                None => self.pool.num(w, 0),
            };
            let status = self.plain(status);
            match self.enter_function(s, exit, &[status])? {
                Some((n, _)) => s = n,
                None => return Ok(()),
            }
        }
        self.end_of_program(&mut s);
        Ok(())
    }
}

/// The operation whose failure is chosen is an allocation.
fn allocates(what: Option<&str>) -> bool {
    what.is_some_and(|w| w.contains("alloc") || w.contains("memalign") || w == "strdup" || w == "strndup")
}
