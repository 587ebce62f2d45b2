//! The interpreter loop.

use crate::bits::{self, ArithFault, Bits, mask, sext};
use crate::code::{CONST, INDEX, Op, Slot, Src, Target, WIDE};
use crate::fault::{Access, Detail, Halt, PtrRole, Res};
use crate::float;
use crate::machine::{Frame, Machine, Val};
use crate::object::{FIRST, NO_PROV, NULL_PROV, Site, State};
use crate::outcome::TraceKind;
use crate::script::Question;
use verify_ir::inst::{ArithFlags, BinOp};
use verify_ir::{Block, Body, CheckKind, FloatKind, FuncId, InstKind, Terminator, Ty};

/// The check that an arithmetic fault fails.
pub(crate) fn arith(f: ArithFault) -> Box<Halt> {
    let fail = |kind, detail| Box::new(Halt::Fail(kind, Box::new(detail)));
    match f {
        ArithFault::DivByZero => fail(CheckKind::DivByZero, Detail::Plain),
        ArithFault::SignedOverflow => fail(CheckKind::SignedOverflow, Detail::Plain),
        ArithFault::UnsignedOverflow => {
            fail(CheckKind::SignedOverflow, Detail::Message("size computation wraps around".into()))
        }
        ArithFault::ShiftRange => fail(CheckKind::ShiftRange, Detail::Plain),
        ArithFault::Undefined => fail(CheckKind::UninitRead, Detail::Undefined("divisor")),
    }
}

impl<'p> Machine<'p, '_> {
    /// Runs until only `floor` frames are left.
    pub fn execute(&mut self, floor: usize) -> Res<()> {
        let tracing = self.config.trace != 0;
        let observing = self.config.observe != 0;
        let comparing = self.config.compare != 0;
        let watching = !self.config.watch.is_empty();
        let lasso = self.config.lasso;
        let cycles = lasso || self.config.states;
        'frame: loop {
            if self.frames.len() <= floor {
                return Ok(());
            }
            if lasso && self.is_entered() {
                self.descends()?;
            }
            let f = self.top();
            let (code, base, var_base) = (f.code, f.base, f.var_base);
            let mut pc = f.pc;
            macro_rules! t {
                ($e:expr) => {
                    match $e {
                        Ok(v) => v,
                        Err(e) => {
                            self.top_mut().pc = pc;
                            return Err(e.into());
                        }
                    }
                };
            }
            macro_rules! get {
                ($s:expr) => {{
                    let s: Src = $s;
                    if s & CONST == 0 { self.regs[base + s as usize] } else { code.consts[(s & INDEX) as usize] }
                }};
            }
            macro_rules! set {
                ($d:expr, $v:expr) => {
                    self.regs[base + $d as usize] = $v
                };
            }
            macro_rules! int {
                ($op:ident, $w:expr, $d:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $e:expr) => {{
                    let (a, b) = (get!($a), get!($b));
                    if a.u | b.u == 0 {
                        let ($x, $y) = (a.v, b.v);
                        set!($d, Slot::int($e & mask(u32::from($w))));
                    } else {
                        let r = bits::binary(BinOp::$op, ArithFlags::default(), u32::from($w), a.bits(), b.bits());
                        set!($d, Slot::of(t!(r.map_err(arith))));
                    }
                }};
            }
            macro_rules! shift {
                ($op:ident, $w:expr, $d:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $e:expr) => {{
                    let (a, b) = (get!($a), get!($b));
                    if a.u | b.u == 0 && b.v < u64::from($w) {
                        let ($x, $y) = (a.v, b.v);
                        set!($d, Slot::int($e & mask(u32::from($w))));
                    } else {
                        let r = bits::binary(BinOp::$op, ArithFlags::default(), u32::from($w), a.bits(), b.bits());
                        set!($d, Slot::of(t!(r.map_err(arith))));
                    }
                }};
            }
            macro_rules! float {
                ($op:ident, $single:expr, $d:expr, $a:expr, $b:expr, |$x:ident, $y:ident| $e:expr) => {{
                    let (a, b) = (get!($a), get!($b));
                    let w = if $single { 32 } else { 64 };
                    if a.u | b.u != 0 {
                        set!($d, Slot { v: 0, u: mask(w), p: NO_PROV });
                    } else {
                        let (v, nan) = if $single {
                            let ($x, $y) = (f32::from_bits(a.v as u32), f32::from_bits(b.v as u32));
                            let r = $e;
                            (u64::from(r.to_bits()), r.is_nan())
                        } else {
                            let ($x, $y) = (f64::from_bits(a.v), f64::from_bits(b.v));
                            let r = $e;
                            (r.to_bits(), r.is_nan())
                        };
                        if nan {
                            let k = if $single { FloatKind::Single } else { FloatKind::Double };
                            let op = verify_ir::inst::FBinOp::$op;
                            let r = float::binary(k, op, u128::from(a.v), u128::from(b.v), self.float);
                            set!($d, Slot::int(r.unwrap_or(0) as u64));
                        } else {
                            set!($d, Slot::int(v));
                        }
                    }
                }};
            }
            macro_rules! edge {
                ($e:expr) => {{
                    let e = &code.edges[$e as usize];
                    self.steps += u64::from(e.cost);
                    if self.steps > self.config.max_steps {
                        t!(Err(Box::new(Halt::Steps)));
                    }
                    if e.poison {
                        t!(self.poison());
                    }
                    if let Some(c) = &mut self.coverage {
                        c.set(e.number as usize);
                    }
                    for &(d, s) in &code.moves[e.moves.0 as usize..e.moves.1 as usize] {
                        if d & WIDE == 0 {
                            let v = get!(s);
                            set!(d, v);
                        } else {
                            let v = self.read(s);
                            self.write(d, v);
                        }
                    }
                    let back = e.pc as usize <= pc;
                    pc = e.pc as usize;
                    if cycles && back {
                        t!(self.repeats(pc));
                    }
                    if watching {
                        self.watch_block(pc);
                    }
                    if observing {
                        self.observe_block(pc);
                        if self.observed.len() > self.config.observe {
                            t!(Err(Box::new(Halt::Steps)));
                        }
                    }
                    continue;
                }};
            }
            loop {
                match code.ops[pc] {
                    Op::Add { w, d, a, b } => int!(Add, w, d, a, b, |x, y| x.wrapping_add(y)),
                    Op::Sub { w, d, a, b } => int!(Sub, w, d, a, b, |x, y| x.wrapping_sub(y)),
                    Op::Mul { w, d, a, b } => int!(Mul, w, d, a, b, |x, y| x.wrapping_mul(y)),
                    Op::And { w, d, a, b } => int!(And, w, d, a, b, |x, y| x & y),
                    Op::Or { w, d, a, b } => int!(Or, w, d, a, b, |x, y| x | y),
                    Op::Xor { w, d, a, b } => int!(Xor, w, d, a, b, |x, y| x ^ y),
                    Op::Shl { w, d, a, b } => shift!(Shl, w, d, a, b, |x, y| x << y),
                    Op::LShr { w, d, a, b } => shift!(LShr, w, d, a, b, |x, y| x >> y),
                    Op::AShr { w, d, a, b } => shift!(AShr, w, d, a, b, |x, y| (sext(x, u32::from(w)) >> y) as u64),
                    Op::Bin { op, flags, w, d, a, b } => {
                        let (a, b) = (get!(a), get!(b));
                        let flags = ArithFlags { nsw: flags & 1 != 0, nuw: flags & 2 != 0, exact: false };
                        let r = bits::binary(op, flags, u32::from(w), a.bits(), b.bits());
                        set!(d, Slot::of(t!(r.map_err(arith))));
                    }
                    Op::Icmp { pred, w, d, a, b } => {
                        let (a, b) = (get!(a), get!(b));
                        let r = if a.u | b.u == 0 {
                            let out = bits::compare_defined(pred, u32::from(w), a.v, b.v);
                            if comparing && a.p.max(b.p) <= NULL_PROV {
                                self.compared_value(pred, w, (a.v, b.v), out, pc);
                            }
                            Slot::int(u64::from(out))
                        } else {
                            Slot::of(bits::compare(pred, u32::from(w), a.bits(), b.bits()))
                        };
                        set!(d, r);
                    }
                    Op::Fused { pred, w, a, b, e } => {
                        let (a, b) = (get!(a), get!(b));
                        let taken = if a.u | b.u == 0 {
                            bits::compare_defined(pred, u32::from(w), a.v, b.v)
                        } else {
                            let r = bits::compare(pred, u32::from(w), a.bits(), b.bits());
                            if r.u != 0 {
                                t!(Halt::undefined("condition"));
                            }
                            r.v != 0
                        };
                        if tracing && self.steps >= self.config.trace_from {
                            self.top_mut().pc = pc;
                            self.event(TraceKind::Branch { taken });
                        }
                        if comparing && a.u | b.u == 0 && a.p.max(b.p) <= NULL_PROV {
                            let other = code.edges[(e + u32::from(taken)) as usize].number;
                            self.compared_edge(pred, w, (a.v, b.v), taken, other);
                        }
                        edge!(e + u32::from(!taken))
                    }
                    Op::Un { op, w, d, a } => set!(d, Slot::of(bits::unary(op, u32::from(w), get!(a).bits()))),
                    Op::Overflow { op, w, d, o, a, b } => {
                        let (a, b) = (get!(a), get!(b));
                        let (v, over) = bits::overflow(op, u32::from(w), a.bits(), b.bits());
                        set!(d, Slot::of(v));
                        set!(o, Slot::of(over));
                    }
                    Op::FAdd { single, d, a, b } => float!(Add, single, d, a, b, |x, y| x + y),
                    Op::FSub { single, d, a, b } => float!(Sub, single, d, a, b, |x, y| x - y),
                    Op::FMul { single, d, a, b } => float!(Mul, single, d, a, b, |x, y| x * y),
                    Op::FDiv { single, d, a, b } => float!(Div, single, d, a, b, |x, y| x / y),
                    Op::Fcmp { pred, single, d, a, b } => {
                        let (a, b) = (get!(a), get!(b));
                        let k = if single { FloatKind::Single } else { FloatKind::Double };
                        let v = u64::from(float::compare(k, pred, u128::from(a.v), u128::from(b.v)));
                        set!(d, Slot { v, u: u64::from(a.u | b.u != 0), p: NO_PROV });
                    }
                    Op::Mov { d, a } => {
                        let v = get!(a);
                        set!(d, v);
                    }
                    Op::Addresses { equal, a, b } => {
                        let (a, b) = (get!(a), get!(b));
                        if a.p != b.p || a.p <= NULL_PROV {
                            self.mem.compare(a, b, equal);
                        }
                    }
                    Op::Expose { d, a } => {
                        let v = get!(a);
                        if v.p > NULL_PROV {
                            self.mem.expose(v.p);
                        }
                        set!(d, v);
                    }
                    Op::ZExt { d, a } => {
                        let v = get!(a);
                        set!(d, Slot { p: NO_PROV, ..v });
                    }
                    Op::Trunc { w, d, a } => {
                        let (v, m) = (get!(a), mask(u32::from(w)));
                        set!(d, Slot { v: v.v & m, u: v.u & m, p: NO_PROV });
                    }
                    Op::SExt { from, to, d, a } => {
                        set!(d, Slot::of(bits::sign_extend(get!(a).bits(), u32::from(from), u32::from(to))));
                    }
                    Op::IntToFloat { w, signed, single, d, a } => {
                        let a = get!(a);
                        let w = u32::from(w);
                        let v = match (signed, single) {
                            (true, true) => u64::from((sext(a.v, w) as f32).to_bits()),
                            (true, false) => (sext(a.v, w) as f64).to_bits(),
                            (false, true) => u64::from((a.v as f32).to_bits()),
                            (false, false) => (a.v as f64).to_bits(),
                        };
                        let u = if a.u == 0 { 0 } else { mask(if single { 32 } else { 64 }) };
                        set!(d, Slot { v, u, p: NO_PROV });
                    }
                    Op::FloatToInt { w, signed, single, d, a } => {
                        let a = get!(a);
                        let w = u32::from(w);
                        if a.u != 0 {
                            set!(d, Slot { v: 0, u: mask(w), p: NO_PROV });
                        } else {
                            let x = if single { f64::from(f32::from_bits(a.v as u32)) } else { f64::from_bits(a.v) };
                            let x = x.trunc();
                            let (lo, hi) = if signed {
                                (-(2f64.powi(w as i32 - 1)), 2f64.powi(w as i32 - 1))
                            } else {
                                (0.0, 2f64.powi(w as i32))
                            };
                            if !(x >= lo && x < hi) {
                                t!(Halt::plain(CheckKind::FloatCast));
                            }
                            let v = if signed { x as i64 as u64 } else { x as u64 };
                            set!(d, Slot::int(v & mask(w)));
                        }
                    }
                    Op::FloatExt { d, a } => {
                        let a = get!(a);
                        let v = f64::from(f32::from_bits(a.v as u32)).to_bits();
                        set!(d, Slot { v, u: if a.u == 0 { 0 } else { u64::MAX }, p: NO_PROV });
                    }
                    Op::FloatTrunc { d, a } => {
                        let a = get!(a);
                        let v = u64::from((f64::from_bits(a.v) as f32).to_bits());
                        set!(d, Slot { v, u: if a.u == 0 { 0 } else { mask(32) }, p: NO_PROV });
                    }
                    Op::Select { d, c, t, o } => {
                        // C's `?:` decides by its condition like a branch, also where clang saw no need for one.
                        let c = get!(c);
                        if c.u != 0 {
                            t!(Halt::undefined("condition"));
                        }
                        let v = if c.v != 0 { get!(t) } else { get!(o) };
                        set!(d, v);
                    }
                    Op::Undef { w, d } => {
                        let arbitrary = self.config.uninit_is_arbitrary;
                        let v = if self.config.ask_uninit || arbitrary {
                            self.top_mut().pc = pc;
                            t!(self.ask(&Question::Uninit { bits: u32::from(w) }))
                        } else {
                            0
                        };
                        let u = if arbitrary { 0 } else { mask(u32::from(w)) };
                        set!(d, Slot { v, u, p: NO_PROV });
                    }
                    Op::Offset { d, base: b, off } => {
                        let b = get!(b);
                        if b.u == 0 {
                            set!(d, Slot { v: b.v.wrapping_add(off as i64 as u64) & mask(self.mem.ptr_bits), ..b });
                        } else {
                            let s = self.add_undefined(b, Bits::def(off as i64 as u64));
                            set!(d, s);
                        }
                    }
                    Op::Index { w, d, base: b, index, ext } => {
                        let (b, i) = (get!(b), get!(index));
                        let (stride, off) = code.exts[ext as usize];
                        if b.u | i.u == 0 {
                            let scaled = (sext(i.v, u32::from(w)) as u64).wrapping_mul(stride);
                            let v = b.v.wrapping_add(scaled).wrapping_add(off);
                            set!(d, Slot { v: v & mask(self.mem.ptr_bits), ..b });
                        } else {
                            let i = bits::sign_extend(i.bits(), u32::from(w), 64);
                            let none = ArithFlags::default();
                            let scaled = bits::binary(BinOp::Mul, none, 64, i, Bits::def(stride)).unwrap_or(i);
                            let sum = bits::binary(BinOp::Add, none, 64, scaled, Bits::def(off)).unwrap_or(i);
                            let s = self.add_undefined(b, sum);
                            set!(d, s);
                        }
                    }
                    Op::Load { n, w, d, p } => {
                        let p = get!(p);
                        if p.u != 0 {
                            t!(Halt::undefined("address"));
                        }
                        let a = Access { addr: p.v, prov: p.p, size: u64::from(n), write: false };
                        let (slot, off) = t!(self.mem.resolve(a, PtrRole::Main));
                        if self.mem.objects[slot as usize].lazy.is_some() {
                            t!(self.arrive(slot, off, u64::from(n), pc));
                        }
                        let o = &self.mem.objects[slot as usize];
                        let (v, u) = o.read(off as usize, n as usize, self.mem.big_endian);
                        let m = mask(u32::from(w));
                        let p = match &o.pointers {
                            Some(ps) => {
                                let pb = self.mem.ptr_bytes;
                                if ps.get().touched(off, u64::from(n), pb) {
                                    self.mem.looked.set(true);
                                }
                                if u64::from(n) == pb { ps.get().get(off, pb) } else { NO_PROV }
                            }
                            None => NO_PROV,
                        };
                        set!(d, Slot { v: v & m, u: u & m, p });
                    }
                    Op::LoadPtr { d, p } => {
                        let p = get!(p);
                        if p.u != 0 {
                            t!(Halt::undefined("address"));
                        }
                        let n = self.mem.ptr_bytes;
                        let a = Access { addr: p.v, prov: p.p, size: n, write: false };
                        let (slot, off) = t!(self.mem.resolve(a, PtrRole::Main));
                        if self.mem.objects[slot as usize].lazy.is_some() {
                            t!(self.arrive(slot, off, n, pc));
                        }
                        let o = &self.mem.objects[slot as usize];
                        let (v, u) = o.read(off as usize, n as usize, self.mem.big_endian);
                        let p = match &o.pointers {
                            _ if v == 0 && u == 0 => NULL_PROV,
                            Some(ps) => {
                                let p = ps.get().get(off, n);
                                if p == NO_PROV && ps.get().touched(off, n, n) {
                                    self.mem.looked.set(true);
                                }
                                p
                            }
                            None => NO_PROV,
                        };
                        set!(d, Slot { v, u, p });
                    }
                    Op::Store { n, p, v } => {
                        let (p, v) = (get!(p), get!(v));
                        if p.u != 0 {
                            t!(Halt::undefined("address"));
                        }
                        let a = Access { addr: p.v, prov: p.p, size: u64::from(n), write: true };
                        let (slot, off) = t!(self.mem.resolve(a, PtrRole::Main));
                        let (be, pb) = (self.mem.big_endian, self.mem.ptr_bytes);
                        let o = &mut self.mem.objects[slot as usize];
                        o.write(off as usize, n as usize, v.v, v.u, be, pb);
                        if v.p >= u64::from(FIRST) && u64::from(n) == pb {
                            o.set_pointer(off, v.p, pb);
                        }
                        if tracing && self.steps >= self.config.trace_from {
                            self.top_mut().pc = pc;
                            self.stored(v);
                        }
                    }
                    Op::StorePtr { p, v } => {
                        let (p, v) = (get!(p), get!(v));
                        if p.u != 0 {
                            t!(Halt::undefined("address"));
                        }
                        let (be, pb) = (self.mem.big_endian, self.mem.ptr_bytes);
                        let a = Access { addr: p.v, prov: p.p, size: pb, write: true };
                        let (slot, off) = t!(self.mem.resolve(a, PtrRole::Main));
                        let o = &mut self.mem.objects[slot as usize];
                        o.write(off as usize, pb as usize, v.v, v.u, be, pb);
                        if v.p >= u64::from(FIRST) {
                            o.set_pointer(off, v.p, pb);
                        }
                        if tracing && self.steps >= self.config.trace_from {
                            self.top_mut().pc = pc;
                            self.stored(v);
                        }
                    }
                    Op::Check { ok } => {
                        let ok = get!(ok);
                        if ok.u != 0 {
                            t!(Halt::undefined("operand"));
                        }
                        if ok.v == 0 {
                            self.top_mut().pc = pc;
                            self.failed_check()?;
                        }
                    }
                    Op::Dbg { var, a } => {
                        self.vars[var_base + var as usize] = a;
                        if tracing && self.steps >= self.config.trace_from {
                            self.top_mut().pc = pc;
                            self.assigned(var, a);
                        }
                    }
                    Op::Call { site } => {
                        self.top_mut().pc = pc;
                        let site = &code.sites[site as usize];
                        if site.plain
                            && !self.config.contract_caller
                            && let Target::Func(f) = site.target
                            && let Some(callee) = self.program.code(f)
                        {
                            self.enter(f, callee)?;
                            let to = self.top().base;
                            for (p, a) in callee.params.iter().zip(&site.args) {
                                if p & WIDE == 0 {
                                    let v = get!(*a);
                                    self.regs[to + *p as usize] = v;
                                } else {
                                    let v = self.read_at(self.frames.len() - 2, *a);
                                    self.write(*p, v);
                                }
                            }
                            continue 'frame;
                        }
                        if self.call(site)? {
                            continue 'frame;
                        }
                    }
                    Op::Generic => {
                        self.top_mut().pc = pc;
                        self.generic()?;
                    }
                    Op::Poison => t!(self.poison()),
                    Op::Jump { e } => edge!(e),
                    Op::Branch { c, e } => {
                        let c = get!(c);
                        if c.u != 0 {
                            t!(Halt::undefined("condition"));
                        }
                        if tracing && self.steps >= self.config.trace_from {
                            self.top_mut().pc = pc;
                            self.event(TraceKind::Branch { taken: c.v != 0 });
                        }
                        edge!(e + u32::from(c.v == 0))
                    }
                    Op::Switch { table } => {
                        let t = &code.tables[table as usize];
                        let e = if t.value & WIDE != 0 {
                            let v = self.read(t.value).big();
                            if !v.is_defined() {
                                t!(Halt::undefined("switch value"));
                            }
                            t.wide.iter().find(|c| c.0 == v).map_or(t.default, |c| c.1)
                        } else {
                            let v = get!(t.value);
                            if v.u != 0 {
                                t!(Halt::undefined("switch value"));
                            }
                            if tracing && self.steps >= self.config.trace_from {
                                self.top_mut().pc = pc;
                                self.event(TraceKind::Switch { value: v.v.to_string() });
                            }
                            let e = if !t.dense.is_empty() {
                                let i = v.v.wrapping_sub(t.cases[0].0);
                                t.dense.get(i as usize).copied().unwrap_or(t.default)
                            } else {
                                match t.cases.binary_search_by_key(&v.v, |c| c.0) {
                                    Ok(i) => t.cases[i].1,
                                    Err(_) => t.default,
                                }
                            };
                            if comparing {
                                self.compared_switch(t, v.v, e);
                            }
                            e
                        };
                        edge!(e)
                    }
                    Op::Indirect { table } => {
                        let t = &code.tables[table as usize];
                        let v = get!(t.value);
                        if v.u != 0 {
                            t!(Halt::undefined("goto address"));
                        }
                        let here = self.program.func_slot(self.top().func).v;
                        let block = v.v.wrapping_sub(here + 1);
                        match t.cases.binary_search_by_key(&block, |c| c.0) {
                            Ok(i) => edge!(t.cases[i].1),
                            Err(_) => {
                                let text = "computed goto to something that is not a label of this function";
                                t!(Halt::message(CheckKind::InvalidCall, text))
                            }
                        }
                    }
                    Op::Return { from, n } => {
                        self.top_mut().pc = pc;
                        let values = &code.returns[from as usize..(from + n) as usize];
                        if self.leave(values, floor)? {
                            return Ok(());
                        }
                        continue 'frame;
                    }
                    Op::Unreachable => t!(Halt::plain(CheckKind::Unreachable)),
                    Op::Unwind => t!(Halt::unmodelled("C++ exception")),
                }
                if observing {
                    self.observe_results(pc);
                }
                pc += 1;
            }
        }
    }

    /// Pushes a frame; its parameters are not set yet.
    pub fn enter(&mut self, func: FuncId, code: &'p crate::code::Code) -> Res<()> {
        if self.frames.len() >= self.config.max_depth as usize {
            return Err(Box::new(Halt::Depth));
        }
        let (base, wide_base) = match self.frames.last() {
            Some(f) => (f.base + f.code.regs as usize, f.wide_base + f.code.wides as usize),
            None => (0, 0),
        };
        let need = base + code.regs as usize;
        if need > 1 << 25 {
            return Err(Box::new(Halt::Depth));
        }
        if self.regs.len() < need {
            self.regs.resize(need.next_power_of_two(), Slot::default());
        }
        let need = wide_base + code.wides as usize;
        if self.wides.len() < need {
            self.wides.resize(need.next_power_of_two(), crate::big::Big::default());
        }
        if self.config.lasso || self.config.states {
            // What an earlier call left behind is no part of the state.
            self.regs[base..base + code.regs as usize].fill(Slot::default());
            self.wides[wide_base..need].fill_with(Default::default);
        }
        let var_base = self.vars.len();
        self.vars.resize(var_base + code.vars as usize, u32::MAX);
        self.serial += 1;
        self.steps += u64::from(code.entry_cost);
        if !self.frames.is_empty() {
            self.event(TraceKind::Call { callee: func });
            if let Some(path) = &mut self.path {
                let library =
                    self.program.is_model(func) && !self.program.is_model(self.frames[self.frames.len() - 1].func);
                path.enter(self.frames.len(), library, self.asked);
            }
        }
        if let Some(c) = &mut self.coverage {
            c.set(code.entry_edge as usize);
        }
        self.frames.push(Frame {
            func,
            code,
            pc: 0,
            base,
            wide_base,
            var_base,
            alloca_base: self.allocas.len(),
            serial: self.serial,
            varargs: None,
            jumps: false,
        });
        if self.config.observe != 0 {
            self.observe_enter();
        }
        if self.steps > self.config.max_steps {
            return Err(Box::new(Halt::Steps));
        }
        Ok(())
    }

    /// Ends the innermost frame.
    pub fn pop(&mut self) {
        if self.config.observe != 0 {
            self.observe_leave();
        }
        let from = self.top().alloca_base;
        if self.allocas.len() > from {
            let d = self.frames.len() - 1;
            let site = Site::new(self.frames[d].func.0, self.span_of(d).0);
            self.end_allocas(from, site);
        }
        if let Some(f) = self.frames.pop() {
            self.vars.truncate(f.var_base);
            if f.jumps {
                self.jumps.retain(|_, j| j.serial != f.serial);
            }
        }
    }

    /// Returns from the innermost frame; true when only `floor` frames are left.
    fn leave(&mut self, values: &[Src], floor: usize) -> Res<bool> {
        if self.config.trace != 0 && self.steps >= self.config.trace_from {
            let value = values.first().map(|v| {
                let ty = self.module.func(self.top().func).sig.results.first().copied().unwrap_or(Ty::Int(64));
                let v = self.read(*v);
                self.show(&v, ty, None)
            });
            let (depth, func) = (self.frames.len() - 1, self.top().func);
            if let Some(path) = &mut self.path {
                path.leave(depth, func, value.as_deref(), self.asked);
            }
            self.event(TraceKind::Return { value });
        }
        let depth = self.frames.len() - 1;
        if depth == floor {
            let main = self.keep_main && depth == 0;
            if main && values.iter().any(|v| !self.read(*v).is_defined()) {
                return Halt::undefined("exit status");
            }
            self.returned = values.iter().map(|v| self.read(*v)).collect();
            if main
                && self.config.observe != 0
                && let Some(v) = self.returned.first()
            {
                self.observed.push(crate::Observed::Returned(vec![v.slot().v]));
            }
            if main && self.config.leaks_at_exit && self.config.main_frame_keeps {
                self.remember_roots();
            }
            self.pop();
            return Ok(true);
        }
        let caller = &self.frames[depth - 1];
        let (code, base) = (caller.code, caller.base);
        let Op::Call { site } = code.ops[caller.pc] else {
            return Halt::unmodelled("return into something that is not a call");
        };
        let site = &code.sites[site as usize];
        let from = self.top().base;
        let own = self.top().code;
        let results = &self.module.func(self.top().func).sig.results;
        for (k, d) in site.results.iter().enumerate() {
            let want = site.result_types[k];
            let fits = results.get(k).is_some_and(|t| *t == want || crate::call::interchangeable(*t, want, self));
            match values.get(k) {
                Some(&s) if (d | s) & WIDE == 0 && results[k] == want => {
                    let v =
                        if s & CONST == 0 { self.regs[from + s as usize] } else { own.consts[(s & INDEX) as usize] };
                    self.regs[base + *d as usize] = v;
                }
                other => {
                    // A caller that expects what the function does not return gets an undefined value.
                    let v = match other {
                        Some(&s) if fits => crate::call::adapt(self.read(s), self.bits(results[k]), self.bits(want)),
                        _ => Val::undef(self.bits(want)),
                    };
                    let caller = &self.frames[depth - 1];
                    let i = (d & INDEX) as usize;
                    if d & WIDE != 0 {
                        let at = caller.wide_base + i;
                        self.wides[at] = v.big();
                    } else {
                        let at = caller.base + i;
                        self.regs[at] = v.slot();
                    }
                }
            }
        }
        self.pop();
        self.top_mut().pc += 1;
        Ok(false)
    }

    /// What the variables of the innermost frame point to.
    #[cold]
    fn remember_roots(&mut self) {
        let values = self.variable_values(self.frames.len() - 1);
        self.main_roots.extend(values);
        let from = self.top().alloca_base;
        for k in from..self.allocas.len() {
            let Some(slot) = self.mem.slot_if_made(self.allocas[k]) else { continue };
            self.remember_roots_in(slot);
        }
    }

    fn remember_roots_in(&mut self, slot: u32) {
        for s in self.pointed_to(slot) {
            let p = self.pointer_to(s);
            self.main_roots.push(p);
        }
    }

    /// A variable of `main` ends. Where nothing is done any more but to return, the variable goes with the frame.
    #[cold]
    pub fn end_with_main(&mut self, slot: u32) {
        if !self.config.leaks_at_exit || !self.config.main_frame_keeps {
            return;
        }
        let Some(body) = self.program.body(self.top().func) else { return };
        let f = self.top();
        let Some(&(block, inst)) = f.code.places.get(f.pc) else { return };
        if only_leaves(body, Block(block), inst as usize + 1) {
            self.remember_roots_in(slot);
        }
    }

    /// Before a load from an object whose contents come from the script.
    #[cold]
    fn arrive(&mut self, slot: u32, off: u64, n: u64, pc: usize) -> Res<()> {
        self.top_mut().pc = pc;
        if !self.mem.objects[slot as usize].pending(off, n) {
            return Ok(());
        }
        let ty = match (self.inst(), self.program.body(self.top().func)) {
            (Some(i), Some(b)) => i.results.first().map_or(Ty::Int(8), |r| b.ty(*r)),
            _ => Ty::Int(8),
        };
        self.materialise(slot, off, n, ty)
    }

    #[cold]
    fn add_undefined(&self, b: Slot, off: Bits) -> Slot {
        let m = mask(self.mem.ptr_bits);
        let off = Bits { v: off.v & m, u: off.u & m };
        let r = bits::binary(BinOp::Add, ArithFlags::default(), self.mem.ptr_bits, b.bits(), off).unwrap_or(off);
        Slot { v: r.v, u: r.u, p: b.p }
    }

    #[cold]
    fn failed_check(&mut self) -> Res<()> {
        let Some(InstKind::Check { kind, .. }) = self.inst().map(|i| &i.kind) else {
            return Halt::unmodelled("check");
        };
        if *kind == CheckKind::ArrayIndex && !self.config.inner_bounds {
            return Ok(());
        }
        Halt::plain(*kind)
    }

    /// A poison constant: LLVM folded an operation that is undefined. The source line tells which, as far as it can.
    #[cold]
    fn poison(&mut self) -> Res<()> {
        let d = self.frames.len() - 1;
        let line = self.source_line(self.span_of(d)).unwrap_or_default();
        let kind = if line.contains("<<") || line.contains(">>") {
            CheckKind::ShiftRange
        } else if line.contains('/') || line.contains('%') {
            CheckKind::DivByZero
        } else {
            CheckKind::SignedOverflow
        };
        Halt::message(kind, "constant expression without a defined value")
    }

    #[cold]
    fn assigned(&mut self, var: u32, a: Src) {
        let d = self.frames.len() - 1;
        let Some(body) = self.program.body(self.frames[d].func) else { return };
        let Some(v) = body.vars.get(var as usize) else { return };
        let ty = match self.inst().map(|i| &i.kind) {
            Some(InstKind::DebugValue { value, .. }) => body.operand_ty(value),
            _ => Ty::Int(64),
        };
        let value = self.read(a);
        let value = self.show(&value, ty, v.ctype);
        self.event(TraceKind::Assign { var: v.name.clone(), value });
    }

    /// A store, as an assignment to the C expression it is to. What the library does inside is not told.
    #[cold]
    fn stored(&mut self, v: Slot) {
        let func = self.top().func;
        if self.program.is_model(func) {
            return;
        }
        let Some(body) = self.program.body(func) else { return };
        let Some(InstKind::Store { ptr, value, .. }) = self.inst().map(|i| &i.kind) else { return };
        let Some(var) = self.lvalue(body, ptr) else { return };
        let value = self.show(&Val::Small(v), body.operand_ty(value), None);
        self.event(TraceKind::Assign { var, value });
    }

    /// Ends a stack object; used by lifetime markers.
    pub fn end_stack_object(&mut self, slot: u32) {
        let d = self.frames.len() - 1;
        let site = Site::new(self.frames[d].func.0, self.span_of(d).0);
        self.mem.end(slot, State::OutOfScope, site);
    }
}

/// Nothing happens from here on until the function returns but that variables end.
fn only_leaves(body: &Body, mut block: Block, mut from: usize) -> bool {
    for _ in 0..body.blocks.len() {
        let data = body.block(block);
        let ends = |k: &InstKind| {
            matches!(
                k,
                InstKind::LifetimeEnd { .. }
                    | InstKind::StackRestore { .. }
                    | InstKind::DebugValue { .. }
                    | InstKind::Load { .. }
            )
        };
        match &data.term {
            _ if !data.insts.iter().skip(from).all(|i| ends(&i.kind)) => return false,
            Terminator::Return { .. } => return true,
            Terminator::Jump(e) => (block, from) = (e.block, 0),
            _ => return false,
        }
    }
    false
}
