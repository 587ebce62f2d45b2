//! Instructions that have no fast form: executed from the IR, on values of any width.

use crate::big::{self, Big};
use crate::bits;
use crate::code::{INDEX, Slot};
use crate::exec::arith;
use crate::fault::{Halt, PtrRole, Res};
use crate::float::{self, ToInt};
use crate::input::normal_x87;
use crate::machine::{Machine, Val};
use crate::memory::Area;
use crate::object::{Kind, Mask, NO_PROV, NULL_PAGE, Site, State};
use crate::script::Question;
use dashu::integer::UBig;
use verify_ir::inst::{BinOp, CastOp, FBinOp, IntPred, RmwOp};
use verify_ir::{CheckKind, FloatKind, Inst, InstKind, Operand, Ty};

impl Machine<'_, '_> {
    /// Executes the IR instruction at hand.
    pub fn generic(&mut self) -> Res<()> {
        let Some(inst) = self.inst() else { return Halt::unmodelled("instruction") };
        let result = |i: usize| inst.results[i];
        let rty = |m: &Self, i: usize| m.program.body(m.top().func).map_or(Ty::Int(64), |b| b.ty(inst.results[i]));
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let w = self.bits(self.operand_ty(lhs));
                let r = big::binary(*op, *flags, w, &self.operand(lhs).big(), &self.operand(rhs).big());
                self.write_value(result(0), Val::of_big(r.map_err(arith)?, w));
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let w = self.bits(self.operand_ty(lhs));
                let (v, defined) = big::compare(*pred, w, &self.operand(lhs).big(), &self.operand(rhs).big());
                self.write_value(result(0), bool_val(v, defined));
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let ty = self.operand_ty(lhs);
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                let v = if a.is_defined() && b.is_defined() {
                    let k = float_kind(ty)?;
                    let r = if *op == FBinOp::Ldexp {
                        let w = self.bits(self.operand_ty(rhs));
                        let n = big::signed(&b.big().v, w);
                        float::ldexp(k, a.u128(), i64::try_from(n).unwrap_or(0))
                    } else {
                        match float::binary(k, *op, a.u128(), b.u128(), self.float) {
                            Ok(r) => r,
                            Err(()) => return Halt::unmodelled(format!("{op} of {}", float_name(k))),
                        }
                    };
                    Val::of_u128(r, self.bits(ty))
                } else {
                    Val::undef(self.bits(ty))
                };
                self.write_value(result(0), v);
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let k = float_kind(self.operand_ty(lhs))?;
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                let v = float::compare(k, *pred, a.u128(), b.u128());
                self.write_value(result(0), bool_val(v, a.is_defined() && b.is_defined()));
            }
            InstKind::Unary { op, arg } => {
                let w = self.bits(self.operand_ty(arg));
                let r = big::unary(*op, w, &self.operand(arg).big());
                self.write_value(result(0), Val::of_big(r, w));
            }
            InstKind::FUnary { op, arg } => {
                let ty = self.operand_ty(arg);
                let a = self.operand(arg);
                let v = if a.is_defined() {
                    match float::unary(float_kind(ty)?, *op, a.u128(), self.float) {
                        Ok(r) => Val::of_u128(r, self.bits(ty)),
                        Err(()) => return Halt::unmodelled(format!("{op} of {}", float_name(float_kind(ty)?))),
                    }
                } else {
                    Val::undef(self.bits(ty))
                };
                self.write_value(result(0), v);
            }
            InstKind::Fma { a, b, c } => {
                let ty = self.operand_ty(a);
                let (x, y, z) = (self.operand(a), self.operand(b), self.operand(c));
                let v = if x.is_defined() && y.is_defined() && z.is_defined() {
                    let r = float::fma(float_kind(ty)?, x.u128(), y.u128(), z.u128(), self.float);
                    Val::of_u128(r, self.bits(ty))
                } else {
                    Val::undef(self.bits(ty))
                };
                self.write_value(result(0), v);
            }
            InstKind::Cast { op, arg } => {
                let v = self.cast(*op, arg, rty(self, 0))?;
                self.write_value(result(0), v);
            }
            InstKind::Select { cond, then, other } => {
                let c = self.operand(cond).slot();
                if c.u != 0 {
                    return Halt::undefined("condition");
                }
                let v = self.operand(if c.v != 0 { then } else { other });
                self.write_value(result(0), v);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let w = self.bits(self.operand_ty(lhs));
                let (v, over, defined) = big::overflow(*op, w, &self.operand(lhs).big(), &self.operand(rhs).big());
                self.write_value(result(0), Val::of_big(v, w));
                self.write_value(result(1), bool_val(over, defined));
            }
            InstKind::Funnel { left, hi, lo, amount } => {
                let w = self.bits(self.operand_ty(hi));
                let (h, l, a) = (self.operand(hi), self.operand(lo), self.operand(amount));
                let v = if w <= 64 {
                    let r = bits::funnel(*left, w, h.slot().bits(), l.slot().bits(), a.slot().bits());
                    Val::Small(Slot::of(r))
                } else {
                    Val::Wide(big::funnel(*left, w, &h.big(), &l.big(), &a.big()))
                };
                self.write_value(result(0), v);
            }
            InstKind::Freeze { arg } => {
                let v = self.freeze(self.operand(arg), self.operand_ty(arg))?;
                self.write_value(result(0), v);
            }
            InstKind::Uninit => {
                let ty = rty(self, 0);
                let mut v = Val::undef(self.bits(ty));
                if self.config.uninit_is_arbitrary {
                    v = self.freeze(v, ty)?;
                }
                self.write_value(result(0), v);
            }
            InstKind::Addr { .. } => return Halt::unmodelled("array index wider than 64 bits"),
            InstKind::Alloca { elem_size, count, align, .. } => self.alloca(inst, *elem_size, count, *align)?,
            InstKind::LifetimeStart { object } => self.lifetime_start(object)?,
            InstKind::LifetimeEnd { object } => {
                let p = self.operand(object).slot();
                if let Some(s) = self.mem.slot_if_made(p.p)
                    && self.mem.objects[s as usize].kind == Kind::Stack
                {
                    if self.keep_main && self.frames.len() == 1 {
                        self.end_with_main(s);
                    }
                    self.end_stack_object(s);
                }
            }
            InstKind::StackSave => {
                let n = self.allocas.len() as u64;
                self.write_value(result(0), Val::Small(Slot::int(n)));
            }
            InstKind::StackRestore { token } => {
                let n = self.operand(token).slot().v as usize;
                let d = self.frames.len() - 1;
                let site = Site::new(self.frames[d].func.0, self.span_of(d).0);
                self.end_allocas(n.max(self.frames[d].alloca_base), site);
            }
            InstKind::Load { ptr, .. } => {
                let v = self.load(self.operand(ptr).slot(), rty(self, 0))?;
                self.write_value(result(0), v);
            }
            InstKind::Store { ptr, value, .. } => {
                let ty = self.operand_ty(value);
                let v = self.operand(value);
                self.store(self.operand(ptr).slot(), ty, &v)?;
            }
            InstKind::MemCopy { dst, src, len, overlap_ok, .. } => {
                let (d, s, n) = (self.operand(dst).slot(), self.operand(src).slot(), self.operand(len).slot());
                if n.u != 0 {
                    return Halt::undefined("length");
                }
                self.copy_checked(d, s, n.v, *overlap_ok)?;
            }
            InstKind::MemSet { dst, byte, len, .. } => {
                let (d, b, n) = (self.operand(dst).slot(), self.operand(byte).slot(), self.operand(len).slot());
                if n.u != 0 {
                    return Halt::undefined("length");
                }
                if n.v != 0 {
                    self.steps += n.v / 16;
                    let (slot, off) = self.writable(d, n.v, PtrRole::Main)?;
                    let pb = self.mem.ptr_bytes;
                    self.mem.objects[slot as usize].fill(off, n.v, b.v as u8, b.u as u8, pb);
                }
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let ty = self.operand_ty(value);
                let p = self.operand(ptr).slot();
                let old = self.load(p, ty)?;
                let new = self.rmw(*op, ty, &old, &self.operand(value))?;
                self.store(p, ty, &new)?;
                self.write_value(result(0), old);
            }
            // A weak one has no need to fail where it could.
            InstKind::CmpXchg { ptr, expected, new, .. } => {
                let ty = self.operand_ty(new);
                let p = self.operand(ptr).slot();
                let old = self.load(p, ty)?;
                let w = self.bits(ty);
                let (same, defined) = big::compare(IntPred::Eq, w, &old.big(), &self.operand(expected).big());
                if !defined {
                    return Halt::undefined("compared value");
                }
                if same {
                    let v = self.operand(new);
                    self.store(p, ty, &v)?;
                } else {
                    // A compare-exchange writes in any case, as far as the access checks go.
                    self.writable(p, ty.store_bytes(&self.module.target), PtrRole::Main)?;
                }
                self.write_value(result(0), old);
                self.write_value(result(1), bool_val(same, true));
            }
            InstKind::VaStart { list } => self.va_start(self.operand(list).slot())?,
            InstKind::VaEnd { .. } => {}
            InstKind::VaCopy { dst, src } => {
                let Some(layout) = crate::varargs::layout(self.module) else {
                    return Halt::unmodelled(format!("variadic arguments on {}", self.module.target.triple));
                };
                self.copy(self.operand(dst).slot(), self.operand(src).slot(), layout.list_bytes)?;
            }
            InstKind::InlineAsm(a) => self.inline_asm(a)?,
            InstKind::Assume { cond } => {
                let c = self.operand(cond).slot();
                if c.u != 0 {
                    return Halt::undefined("assumption");
                }
                if c.v == 0 {
                    return Halt::message(CheckKind::Unreachable, "`__builtin_assume` of a false condition");
                }
            }
            InstKind::ObjectSize { unknown_is_zero, .. } => {
                let w = self.bits(rty(self, 0));
                let v = if *unknown_is_zero { 0 } else { u128::MAX };
                self.write_value(result(0), Val::of_u128(v, w));
            }
            InstKind::Opaque { .. } => {
                // An address of no object, different in every frame.
                let ty = rty(self, 0);
                let v = 0x7fff_f000_0000u64.wrapping_sub(self.frames.len() as u64 * 64);
                self.write_value(result(0), Val::of_u128(u128::from(v), self.bits(ty)));
            }
            InstKind::Unmodelled { reason, .. } => return Halt::unmodelled(reason.clone()),
            InstKind::Call(_) | InstKind::Check { .. } | InstKind::DebugValue { .. } => {
                return Halt::unmodelled("instruction");
            }
        }
        Ok(())
    }

    /// Makes undefined bits defined, with values from the script.
    fn freeze(&mut self, v: Val, ty: Ty) -> Res<Val> {
        if v.is_defined() {
            return Ok(v);
        }
        let w = self.bits(ty);
        if w <= 64 {
            let s = v.slot();
            let q = self.ask(&Question::Uninit { bits: w })?;
            return Ok(Val::Small(Slot { v: s.v & !s.u | q & s.u, u: 0, p: NO_PROV }));
        }
        let mut limbs = Vec::new();
        for i in 0..w.div_ceil(64) {
            limbs.push(self.ask(&Question::Uninit { bits: (w - 64 * i).min(64) })?);
        }
        if ty == Ty::Float(FloatKind::X87) {
            normal_x87(&mut limbs);
        }
        let b = v.big();
        let v = (&b.v & (&b.u ^ big::ones(w))) | (big::from_words(&limbs) & &b.u);
        Ok(Val::Wide(Big::def(v)))
    }

    fn cast(&mut self, op: CastOp, arg: &Operand, to: Ty) -> Res<Val> {
        let from = self.operand_ty(arg);
        let (fw, tw) = (self.bits(from), self.bits(to));
        let a = self.operand(arg);
        if !a.is_defined() && !matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast) {
            return Ok(Val::undef(tw));
        }
        if let (CastOp::PtrToInt, Val::Small(s)) = (op, &a) {
            self.mem.expose(s.p);
        }
        Ok(match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
                Val::of_big(big::resize(&a.big(), fw, tw, false), tw)
            }
            CastOp::SExt => Val::of_big(big::resize(&a.big(), fw, tw, true), tw),
            CastOp::FpTrunc | CastOp::FpExt => {
                Val::of_u128(float::convert(float_kind(from)?, float_kind(to)?, a.u128()), tw)
            }
            CastOp::UiToFp | CastOp::SiToFp => {
                Val::of_u128(float::from_int(float_kind(to)?, &a.big().v, fw, op == CastOp::SiToFp), tw)
            }
            CastOp::FpToUi | CastOp::FpToSi | CastOp::FpToUiSat | CastOp::FpToSiSat => {
                let signed = matches!(op, CastOp::FpToSi | CastOp::FpToSiSat);
                let saturate = matches!(op, CastOp::FpToSiSat | CastOp::FpToUiSat);
                match float::to_int(float_kind(from)?, a.u128(), tw, signed, ToInt::Cast) {
                    Ok(v) => Val::of_big(Big::def(v), tw),
                    Err(v) if saturate => Val::of_big(Big::def(v), tw),
                    Err(_) => return Halt::plain(CheckKind::FloatCast),
                }
            }
            CastOp::LRint | CastOp::LRound => {
                let how = if op == CastOp::LRint { ToInt::Even } else { ToInt::Away };
                // Out of range the result is unspecified; the machine gives the smallest number.
                let v = float::to_int(float_kind(from)?, a.u128(), tw, true, how)
                    .unwrap_or_else(|_| UBig::ONE << (tw - 1) as usize);
                Val::of_big(Big::def(v), tw)
            }
        })
    }

    fn alloca(&mut self, inst: &Inst, elem: u64, count: &Operand, align: u64) -> Res<()> {
        let n = self.operand(count).slot();
        if n.u != 0 {
            return Halt::undefined("array length");
        }
        let Some(size) = elem.checked_mul(n.v) else { return Err(Box::new(Halt::Memory)) };
        let d = self.frames.len() - 1;
        let site = Site::new(self.frames[d].func.0, inst.span.0);
        let slot = self.allocate_stack(Kind::Stack, size, align, site)?;
        self.mem.objects[slot as usize].origin = inst.results[0].0;
        let p = self.pointer_to(slot);
        self.write_value(inst.results[0], Val::Small(p));
        Ok(())
    }

    /// The first start of an object finds it fresh; every later one makes a new object in the same place of the frame,
    /// so that a pointer kept from the last time round is found out.
    fn lifetime_start(&mut self, object: &Operand) -> Res<()> {
        let p = self.operand(object).slot();
        let Operand::Value(v) = object else { return Ok(()) };
        let old = self.mem.slot_if_made(p.p);
        if let Some(slot) = old {
            let o = &self.mem.objects[slot as usize];
            if o.kind != Kind::Stack || (o.state == State::Live && o.mask == Mask::Undefined) {
                return Ok(());
            }
            self.end_stack_object(slot);
        }
        let from = self.top().alloca_base;
        let place = match old {
            Some(slot) => Some(self.mem.objects[slot as usize].slot as usize),
            None => self.allocas[from..].iter().position(|a| *a == p.p).map(|k| from + k),
        };
        let (size, align, made) = match old {
            Some(slot) => {
                let o = &self.mem.objects[slot as usize];
                (o.size, o.align, o.made)
            }
            None => {
                // It ended so long ago that its record is gone: the `alloca` tells what it was.
                let f = self.top();
                let alloca = self.program.body(f.func).and_then(|b| crate::describe::definition(b, *v));
                let Some(Inst { kind: InstKind::Alloca { elem_size, count, align, .. }, span, .. }) = alloca else {
                    return Ok(());
                };
                let n = self.operand(count).slot().v;
                (elem_size.saturating_mul(n), *align, Site::new(f.func.0, span.0))
            }
        };
        let new = self.allocate(Area::Stack, Kind::Stack, size, align, made)?;
        let p = self.pointer_to(new);
        self.mem.objects[new as usize].origin = v.0;
        match place {
            Some(k) if k < self.allocas.len() => {
                self.mem.objects[new as usize].slot = k as u32;
                self.allocas[k] = p.p;
            }
            _ => {
                self.mem.objects[new as usize].slot = self.allocas.len() as u32;
                self.allocas.push(p.p);
            }
        }
        self.write_value(*v, Val::Small(p));
        Ok(())
    }

    /// `memcpy` or `memmove` with their checks.
    pub fn copy_checked(&mut self, d: Slot, s: Slot, n: u64, overlap_ok: bool) -> Res<()> {
        if n == 0 {
            return Ok(());
        }
        self.steps += n / 16;
        let from = self.readable(s, n, PtrRole::Source, Ty::Int(8))?;
        let to = self.writable(d, n, PtrRole::Main)?;
        if !overlap_ok && from.0 == to.0 && from.1 != to.1 && from.1 < to.1 + n && to.1 < from.1 + n {
            return Halt::message(CheckKind::InvalidArgument, "source and destination of a copy overlap");
        }
        self.mem.copy(to, from, n);
        Ok(())
    }

    fn rmw(&mut self, op: RmwOp, ty: Ty, old: &Val, v: &Val) -> Res<Val> {
        let w = self.bits(ty);
        let bin = |op| big::binary(op, Default::default(), w, &old.big(), &v.big()).map_err(arith);
        let fl = |op, m: &Self| -> Res<Val> {
            if !old.is_defined() || !v.is_defined() {
                return Ok(Val::undef(w));
            }
            match float::binary(float_kind(ty)?, op, old.u128(), v.u128(), m.float) {
                Ok(r) => Ok(Val::of_u128(r, w)),
                Err(()) => Halt::unmodelled("atomic floating-point operation"),
            }
        };
        let less = |a: &Val, b: &Val| big::compare(IntPred::Ult, w, &a.big(), &b.big());
        Ok(match op {
            RmwOp::Xchg => v.clone(),
            RmwOp::FAdd => return fl(FBinOp::Add, self),
            RmwOp::FSub => return fl(FBinOp::Sub, self),
            RmwOp::FMax => return fl(FBinOp::MaxNum, self),
            RmwOp::FMin => return fl(FBinOp::MinNum, self),
            RmwOp::Add => Val::of_big(bin(BinOp::Add)?, w),
            RmwOp::Sub => Val::of_big(bin(BinOp::Sub)?, w),
            RmwOp::And => Val::of_big(bin(BinOp::And)?, w),
            RmwOp::Nand => {
                let b = bin(BinOp::And)?;
                Val::of_big(Big { v: b.v ^ big::ones(w), u: b.u }, w)
            }
            RmwOp::Or => Val::of_big(bin(BinOp::Or)?, w),
            RmwOp::Xor => Val::of_big(bin(BinOp::Xor)?, w),
            RmwOp::Max => Val::of_big(bin(BinOp::SMax)?, w),
            RmwOp::Min => Val::of_big(bin(BinOp::SMin)?, w),
            RmwOp::UMax => Val::of_big(bin(BinOp::UMax)?, w),
            RmwOp::UMin => Val::of_big(bin(BinOp::UMin)?, w),
            RmwOp::UIncWrap | RmwOp::UDecWrap => {
                if !old.is_defined() || !v.is_defined() {
                    return Ok(Val::undef(w));
                }
                let zero = Val::of_u128(0, w);
                let one = Big::def(UBig::ONE);
                if op == RmwOp::UIncWrap {
                    if less(old, v).0 {
                        Val::of_big(big::binary(BinOp::Add, Default::default(), w, &old.big(), &one).map_err(arith)?, w)
                    } else {
                        zero
                    }
                } else if less(&zero, old).0 && !less(v, old).0 {
                    Val::of_big(big::binary(BinOp::Sub, Default::default(), w, &old.big(), &one).map_err(arith)?, w)
                } else {
                    v.clone()
                }
            }
        })
    }

    /// Where a template does nothing, lowering has made moves of what it is given, and what is left is a barrier, or has
    /// outputs that nobody sets.
    fn inline_asm(&self, a: &verify_ir::inst::InlineAsm) -> Res<()> {
        if a.is_barrier() {
            Ok(())
        } else if a.does_nothing() {
            Halt::unmodelled("an output of inline assembly that its template does not set")
        } else {
            Halt::unmodelled(format!("inline assembly `{}`", a.template.trim().replace(['\n', '\t'], " ")))
        }
    }

    /// The function that a pointer designates; what it is when it is none.
    pub fn callee(&mut self, p: Slot) -> Res<crate::program::Static> {
        use crate::program::Static;
        if p.u != 0 {
            return Halt::undefined("function pointer");
        }
        if p.v < NULL_PAGE {
            return Halt::message(CheckKind::NullDeref, "call through a null pointer");
        }
        let prov = if p.p <= crate::object::NULL_PROV { self.mem.find(p.v).unwrap_or(NO_PROV) } else { p.p };
        match self.program.static_of_prov(prov) {
            Some(Static::Global(_)) | None => {
                Halt::message(CheckKind::InvalidCall, "call through a pointer that is not a function")
            }
            Some(s) => {
                let (base, _) = self.program.static_range((prov as u32) - crate::object::FIRST);
                if base != p.v {
                    return Halt::message(CheckKind::InvalidCall, "call through a pointer into a function");
                }
                Ok(s)
            }
        }
    }

    /// Keeps the alloca registers of a frame out of what a `longjmp` restores.
    pub fn restore_registers(&mut self, regs: &[Slot], wides: &[Big]) {
        let f = self.top();
        let (base, wide_base, code) = (f.base, f.wide_base, f.code);
        let keep: Vec<(usize, Slot)> = code
            .alloca_regs
            .iter()
            .map(|r| {
                let i = (r & INDEX) as usize;
                (i, self.regs[base + i])
            })
            .collect();
        self.regs[base..base + regs.len()].copy_from_slice(regs);
        self.wides[wide_base..wide_base + wides.len()].clone_from_slice(wides);
        for (i, s) in keep {
            self.regs[base + i] = s;
        }
    }
}

fn bool_val(v: bool, defined: bool) -> Val {
    Val::Small(Slot { v: u64::from(v), u: u64::from(!defined), p: NO_PROV })
}

/// The format of a floating-point type.
pub(crate) fn float_kind(t: Ty) -> Res<FloatKind> {
    match t {
        Ty::Float(k) => Ok(k),
        _ => Halt::unmodelled("floating-point operation on an integer"),
    }
}

fn float_name(k: FloatKind) -> &'static str {
    match k {
        FloatKind::Half => "_Float16",
        FloatKind::BFloat => "__bf16",
        FloatKind::Single => "float",
        FloatKind::Double => "double",
        FloatKind::X87 => "long double",
        FloatKind::Quad => "__float128",
    }
}
