//! Instructions and terminators other than calls. Each arm follows the doc of its [`InstKind`] and what `ir/interp`
//! does with it; what is not encoded is free, or blocks.

use crate::access::Access;
use crate::build::{Arrival, Build, Path, Res};
use crate::memory::symbol_object;
use crate::sym::{NULL, Sym};
use verify_ir::inst::{CastOp, FUnOp, IntPred, RmwOp, Step};
use verify_ir::{Block, Body, CheckKind as K, Const, Edge, Inst, InstKind, Operand, SymbolRef, Terminator, Ty};
use verify_solver::{Bv, Term};

impl<'a> Build<'_, 'a> {
    pub(crate) fn undefined(&mut self, ty: Ty) -> Sym {
        let w = self.bits(ty);
        let bits = self.fresh(50, w);
        Sym { bits, prov: self.e.terms.prov(NULL), undef: self.tt }
    }

    pub(crate) fn constant(&mut self, path: &Path, c: &Const) -> Sym {
        match c {
            Const::Int { width, value } => self.e.terms.constant(*width, *value),
            Const::Wide { width, limbs } => {
                let bits = self.e.terms.pool.constant(Bv::from_limbs(*width, limbs));
                self.e.terms.int(bits)
            }
            Const::Float { kind, bits } => self.e.terms.constant(kind.bits(), *bits),
            Const::Null => {
                let w = self.e.terms.ptr_bits;
                self.e.terms.constant(w, 0)
            }
            Const::Symbol(s) => {
                let module = self.e.module;
                let replaceable = self.e.rules.open && module.weak_alias(*s).is_some();
                let (s, off) = module.resolve(*s);
                let elsewhere = replaceable || module.may_be_absent(s) || module.made_by_linker(s).is_some();
                match symbol_object(&mut self.e.terms, module, s).filter(|_| !elsewhere) {
                    Some(o) => {
                        let w = self.e.terms.ptr_bits;
                        let off = self.e.terms.pool.num(w, u128::from(off));
                        self.e.terms.pointer(o, off)
                    }
                    None => self.anything(51, Ty::Ptr),
                }
            }
            Const::BlockAddr(f, b) => {
                let module = self.e.module;
                match symbol_object(&mut self.e.terms, module, SymbolRef::Func(*f)) {
                    Some(o) => {
                        let w = self.e.terms.ptr_bits;
                        let off = self.e.terms.pool.num(w, u128::from(b.0) + 1);
                        self.e.terms.pointer(o, off)
                    }
                    None => self.anything(51, Ty::Ptr),
                }
            }
            Const::Undef(ty) => self.undefined(*ty),
            Const::Poison(ty) => {
                for k in [K::SignedOverflow, K::ShiftRange, K::DivByZero, K::UninitRead] {
                    self.claim(k, path.guard, self.tt, false);
                }
                self.undefined(*ty)
            }
        }
    }

    /// The plain number in a value.
    pub(crate) fn number(&mut self, s: Sym) -> Term {
        if self.e.terms.is_plain(s) || self.e.terms.pool.width(s.bits) != self.e.terms.ptr_bits {
            return s.bits;
        }
        let key = [52, s.bits.0, s.prov.0];
        self.e.terms.address(s, &key)
    }

    pub(crate) fn plain(&mut self, bits: Term, undef: Term) -> Sym {
        Sym { bits, prov: self.e.terms.prov(NULL), undef }
    }

    pub(crate) fn inst(&mut self, body: &'a Body, inst: &'a Inst, path: &mut Path) -> Res<()> {
        let g = path.guard;
        let result = |i: usize| inst.results[i];
        let ty = |i: usize| body.ty(inst.results[i]);
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (self.operand(path, lhs), self.operand(path, rhs));
                let s = self.binary(g, *op, *flags, a, b);
                self.define(path, result(0), s);
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.operand(path, lhs), self.operand(path, rhs));
                let s = self.compare(path, *pred, a, b);
                self.define(path, result(0), s);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (a, b) = (self.operand(path, lhs), self.operand(path, rhs));
                let undef = self.e.terms.pool.or(a.undef, b.undef);
                let (x, y) = (self.number(a), self.number(b));
                let (v, o) = crate::arith::overflow(&mut self.e.terms.pool, *op, x, y);
                let (v, o) = (self.plain(v, undef), self.plain(o, undef));
                self.define(path, result(0), v);
                self.define(path, result(1), o);
            }
            InstKind::Unary { op, arg } => {
                let a = self.operand(path, arg);
                let x = self.number(a);
                let v = crate::arith::unary(&mut self.e.terms.pool, *op, x);
                let s = self.plain(v, a.undef);
                self.define(path, result(0), s);
            }
            InstKind::Funnel { left, hi, lo, amount } => {
                let (h, l, n) = (self.operand(path, hi), self.operand(path, lo), self.operand(path, amount));
                let u = self.e.terms.pool.or(h.undef, l.undef);
                let u = self.e.terms.pool.or(u, n.undef);
                let (h, l, n) = (self.number(h), self.number(l), self.number(n));
                let v = crate::arith::funnel(&mut self.e.terms.pool, *left, h, l, n);
                let s = self.plain(v, u);
                self.define(path, result(0), s);
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let (a, b) = (self.operand(path, lhs), self.operand(path, rhs));
                let u = self.e.terms.pool.or(a.undef, b.undef);
                let kind = match ty(0) {
                    Ty::Float(k) => k,
                    _ => verify_ir::FloatKind::Double,
                };
                let v = crate::float::binary(&mut self.e.terms, *op, kind, a.bits, b.bits);
                let s = self.plain(v, u);
                self.define(path, result(0), s);
            }
            InstKind::FUnary { op, arg } => {
                let a = self.operand(path, arg);
                let v = crate::float::unary(&mut self.e.terms, *op, a.bits, ty(0));
                let s = self.plain(v, a.undef);
                self.define(path, result(0), s);
            }
            InstKind::Fma { a, b, c } => {
                let (a, b, c) = (self.operand(path, a), self.operand(path, b), self.operand(path, c));
                let u = self.e.terms.pool.or(a.undef, b.undef);
                let u = self.e.terms.pool.or(u, c.undef);
                let kind = match ty(0) {
                    Ty::Float(k) => k,
                    _ => verify_ir::FloatKind::Double,
                };
                let v = crate::float::fused(&mut self.e.terms, kind, a.bits, b.bits, c.bits);
                let s = self.plain(v, u);
                self.define(path, result(0), s);
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let kind = match body.operand_ty(lhs) {
                    Ty::Float(k) => k,
                    _ => verify_ir::FloatKind::Double,
                };
                let (a, b) = (self.operand(path, lhs), self.operand(path, rhs));
                let u = self.e.terms.pool.or(a.undef, b.undef);
                let v = crate::float::compare(&mut self.e.terms, kind, *pred, a.bits, b.bits);
                let s = self.plain(v, u);
                self.define(path, result(0), s);
            }
            InstKind::Cast { op, arg } => {
                let from = body.operand_ty(arg);
                let a = self.operand(path, arg);
                let s = self.cast(g, *op, a, from, ty(0));
                self.define(path, result(0), s);
            }
            InstKind::Select { cond, then, other } => {
                let c = self.operand(path, cond);
                self.claim(K::UninitRead, g, c.undef, false);
                let yes = self.e.terms.pool.and(g, c.bits);
                let no = self.e.terms.pool.not(c.bits);
                let no = self.e.terms.pool.and(g, no);
                // Only the chosen operand is read: the other may be poison.
                let a = self.operand(&Path { guard: yes, ..path.clone() }, then);
                let b = self.operand(&Path { guard: no, ..path.clone() }, other);
                let s = self.choose(c.bits, a, b);
                self.define(path, result(0), s);
            }
            InstKind::Freeze { arg } => {
                let a = self.operand(path, arg);
                let free = self.anything(53, ty(0));
                let s = self.choose(a.undef, free, Sym { undef: self.ff, ..a });
                self.define(path, result(0), Sym { undef: self.ff, ..s });
            }
            InstKind::Uninit => {
                let mut s = self.undefined(ty(0));
                if self.e.rules.uninit_is_arbitrary {
                    s = Sym { bits: self.fresh_of(50, ty(0)), undef: self.ff, ..s };
                    self.event(g, crate::formula::EventKind::Uninit(s.bits));
                }
                self.define(path, result(0), s);
            }
            InstKind::Addr { base, steps, .. } => {
                let mut p = self.operand(path, base);
                let w = self.e.terms.ptr_bits;
                for s in steps {
                    let d = match s {
                        Step::Field { offset, .. } => self.e.terms.constant(w, u128::from(*offset)),
                        Step::Index { index, stride, .. } => {
                            let i = self.operand(path, index);
                            let n = self.number(i);
                            let n = self.e.terms.pool.resize_signed(n, w);
                            let k = self.e.terms.pool.num(w, u128::from(*stride));
                            let bits = self.e.terms.pool.mul(n, k);
                            self.plain(bits, i.undef)
                        }
                    };
                    p.bits = self.e.terms.pool.add(p.bits, d.bits);
                    p.undef = self.e.terms.pool.or(p.undef, d.undef);
                }
                self.define(path, result(0), p);
            }
            InstKind::Alloca { elem_size, count, align, .. } => {
                let n = self.operand(path, count);
                self.claim(K::UninitRead, g, n.undef, false);
                self.alloca(path, inst.results[0], *elem_size, n, *align)?;
            }
            InstKind::LifetimeStart { object } => self.lifetime(path, object, true),
            InstKind::LifetimeEnd { object } => self.lifetime(path, object, false),
            InstKind::StackSave => {
                let n = self.frame().allocas.len();
                let w = self.bits(ty(0));
                let s = self.e.terms.constant(w, n as u128);
                self.define(path, result(0), s);
            }
            InstKind::StackRestore { token } => {
                let t = self.operand(path, token);
                match self.e.terms.pool.as_const(t.bits).and_then(|v| v.to_u64()) {
                    Some(n) => {
                        let dead: Vec<u32> = self.frame().allocas.iter().skip(n as usize).copied().collect();
                        self.end_stack_objects(path, &dead);
                    }
                    None => self.block_path(path, "a stack pointer that is restored in a loop"),
                }
            }
            InstKind::Load { ptr, .. } => {
                let p = self.operand(path, ptr);
                let t = ty(0);
                let mut s = self.load(path, p, t, self.own(ptr));
                if self.e.rules.uninit_is_arbitrary {
                    s.undef = self.ff;
                }
                self.define(path, result(0), s);
            }
            InstKind::Store { ptr, value, .. } => {
                let (p, v) = (self.operand(path, ptr), self.operand(path, value));
                let own = self.own(ptr);
                self.store(path, p, v, body.operand_ty(value), own);
            }
            InstKind::MemCopy { dst, src, len, overlap_ok, .. } => {
                let (d, s, n) = (self.operand(path, dst), self.operand(path, src), self.operand(path, len));
                self.memory_copy(path, d, s, n, *overlap_ok, self.own(dst), self.own(src));
            }
            InstKind::MemSet { dst, byte, len, .. } => {
                let (d, b, n) = (self.operand(path, dst), self.operand(path, byte), self.operand(path, len));
                self.claim(K::UninitRead, g, n.undef, false);
                let len = self.size_of(n);
                let some = self.nonzero(len);
                let guard = self.e.terms.pool.and(g, some);
                let ts = self.check_access(guard, d, len, Access::Write, self.own(dst), path);
                self.fill(path, &ts, d, b, len);
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let (p, v) = (self.operand(path, ptr), self.operand(path, value));
                let t = body.operand_ty(value);
                let old = self.load(path, p, t, self.own(ptr));
                let new = self.rmw(path, *op, old, v, t);
                self.store(path, p, new, t, self.own(ptr));
                self.define(path, result(0), old);
            }
            InstKind::CmpXchg { ptr, expected, new, weak } => {
                let (p, x, v) = (self.operand(path, ptr), self.operand(path, expected), self.operand(path, new));
                let t = body.operand_ty(new);
                let old = self.load(path, p, t, self.own(ptr));
                let same = self.compare(path, IntPred::Eq, old, x);
                self.claim(K::UninitRead, g, same.undef, false);
                // A weak one may fail though they agree.
                let done = if *weak {
                    let may = self.anything(59, Ty::BOOL);
                    self.e.terms.pool.and(same.bits, may.bits)
                } else {
                    same.bits
                };
                let now = self.choose(done, v, old);
                self.store(path, p, now, t, self.own(ptr));
                self.define(path, result(0), old);
                self.define(path, result(1), Sym { bits: done, undef: self.ff, ..same });
            }
            InstKind::Call(c) => return self.call(inst, c, path),
            InstKind::VaStart { list } => self.va_start(path, list),
            InstKind::VaCopy { dst, src } => self.va_copy(path, dst, src),
            InstKind::VaEnd { .. } => {}
            InstKind::InlineAsm(a) => {
                if !a.is_barrier() {
                    self.block_path(path, "inline assembly is not encoded");
                }
                for (i, r) in inst.results.iter().enumerate() {
                    let s = self.anything(54, ty(i));
                    self.define(path, *r, s);
                }
            }
            InstKind::Check { kind: K::ArrayIndex, .. } if self.e.rules.whole_objects => {}
            InstKind::Check { kind, ok, .. } => {
                let ok = self.operand(path, ok);
                self.claim(K::UninitRead, g, ok.undef, false);
                let bad = self.e.terms.pool.not(ok.bits);
                self.claim(*kind, g, bad, true);
            }
            InstKind::Assume { cond } => {
                let c = self.operand(path, cond);
                self.claim(K::UninitRead, g, c.undef, false);
                let bad = self.e.terms.pool.not(c.bits);
                self.claim(K::Unreachable, g, bad, true);
            }
            InstKind::DebugValue { .. } => {}
            InstKind::ObjectSize { unknown_is_zero, .. } => {
                let w = self.bits(ty(0));
                let v = if *unknown_is_zero { Bv::zero(w) } else { Bv::ones(w) };
                let bits = self.e.terms.pool.constant(v);
                let s = self.e.terms.int(bits);
                self.define(path, result(0), s);
            }
            InstKind::Opaque { .. } => {
                let s = self.anything(55, ty(0));
                self.define(path, result(0), s);
            }
            InstKind::Unmodelled { reason, .. } => {
                self.block_path(path, &format!("{reason} is not encoded"));
                for (i, r) in inst.results.iter().enumerate() {
                    let s = self.anything(56, ty(i));
                    self.define(path, *r, s);
                }
            }
        }
        Ok(())
    }

    /// The rest of the path is not encoded.
    pub(crate) fn block_path(&mut self, path: &mut Path, why: &str) {
        self.block(path.guard, why);
        path.guard = self.ff;
    }

    pub(crate) fn nonzero(&mut self, t: Term) -> Term {
        let w = self.e.terms.pool.width(t);
        let z = self.e.terms.pool.num(w, 0);
        self.e.terms.pool.ne(t, z)
    }

    /// A length as a term of pointer width.
    pub(crate) fn size_of(&mut self, n: Sym) -> Term {
        let w = self.e.terms.ptr_bits;
        let n = self.number(n);
        self.e.terms.pool.resize_unsigned(n, w)
    }

    /// The pointer operand is computed from a stack object of this frame.
    pub(crate) fn own(&self, o: &Operand) -> bool {
        let f = self.stack.last().expect("the walk is inside a call");
        o.as_value().is_some_and(|v| f.cfg.roots[v.index()].is_some())
    }

    pub(crate) fn load(&mut self, path: &mut Path, p: Sym, ty: Ty, own: bool) -> Sym {
        let size = ty.store_bytes(&self.e.module.target);
        let w = self.e.terms.ptr_bits;
        let len = self.e.terms.pool.num(w, u128::from(size));
        let ts = self.check_access(path.guard, p, len, Access::Read, own, path);
        let v = self.read_targets(path, &ts, p, size);
        self.loaded_form(v, ty)
    }

    pub(crate) fn store(&mut self, path: &mut Path, p: Sym, v: Sym, ty: Ty, own: bool) {
        let (v, size) = self.stored_form(v, ty);
        let w = self.e.terms.ptr_bits;
        let len = self.e.terms.pool.num(w, u128::from(size));
        let ts = self.check_access(path.guard, p, len, Access::Write, own, path);
        self.write_targets(path, &ts, p, size, v);
    }

    #[allow(clippy::too_many_arguments)]
    fn memory_copy(&mut self, path: &mut Path, d: Sym, s: Sym, n: Sym, overlap_ok: bool, own_d: bool, own_s: bool) {
        let g = path.guard;
        self.claim(K::UninitRead, g, n.undef, false);
        let len = self.size_of(n);
        let some = self.nonzero(len);
        let guard = self.e.terms.pool.and(g, some);
        let from = self.check_access(guard, s, len, Access::Read, own_s, path);
        let to = self.check_access(guard, d, len, Access::Write, own_d, path);
        if !overlap_ok {
            // Overlapping and not the same place.
            let p = &mut self.e.terms.pool;
            let same = p.eq(d.prov, s.prov);
            let (x, y) = (p.sub(d.bits, s.bits), p.sub(s.bits, d.bits));
            let (x, y) = (p.ult(x, len), p.ult(y, len));
            let near = p.or(x, y);
            let equal = p.eq(d.bits, s.bits);
            let differ = p.not(equal);
            let near = p.and(near, differ);
            let overlap = p.and(same, near);
            let null = p.num(crate::sym::PROV, u128::from(NULL));
            let real = p.ne(d.prov, null);
            let overlap = p.and(overlap, real);
            let wild = p.or(from.wild, to.wild);
            self.claim(K::InvalidArgument, guard, wild, false);
            self.claim(K::InvalidArgument, guard, overlap, true);
        }
        self.copy(path, (&to, d), (&from, s), len);
    }

    fn rmw(&mut self, path: &Path, op: RmwOp, old: Sym, v: Sym, ty: Ty) -> Sym {
        use verify_ir::inst::BinOp as B;
        let none = Default::default();
        let bin = match op {
            RmwOp::Xchg => return v,
            RmwOp::Add => B::Add,
            RmwOp::Sub => B::Sub,
            RmwOp::And => B::And,
            RmwOp::Or => B::Or,
            RmwOp::Xor => B::Xor,
            RmwOp::Max => B::SMax,
            RmwOp::Min => B::SMin,
            RmwOp::UMax => B::UMax,
            RmwOp::UMin => B::UMin,
            RmwOp::Nand => {
                let s = self.binary(path.guard, B::And, none, old, v);
                let n = self.number(s);
                let bits = self.e.terms.pool.not(n);
                return self.plain(bits, s.undef);
            }
            _ => {
                let s = self.anything(57, ty);
                let undef = self.e.terms.pool.or(old.undef, v.undef);
                return Sym { undef, ..s };
            }
        };
        self.binary(path.guard, bin, none, old, v)
    }

    fn cast(&mut self, guard: Term, op: CastOp, a: Sym, from: Ty, to: Ty) -> Sym {
        let (fw, tw) = (self.bits(from), self.bits(to));
        match op {
            CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast | CastOp::Trunc | CastOp::ZExt if fw == tw => a,
            CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bitcast => {
                let n = self.number(a);
                let bits = self.e.terms.pool.resize_unsigned(n, tw);
                self.plain(bits, a.undef)
            }
            CastOp::SExt => {
                let n = self.number(a);
                let bits = self.e.terms.pool.resize_signed(n, tw);
                self.plain(bits, a.undef)
            }
            CastOp::FpToUi | CastOp::FpToSi => {
                self.claim(K::UninitRead, guard, a.undef, false);
                let fits = crate::float::fits(&mut self.e.terms, from, a.bits, tw, op == CastOp::FpToSi);
                let bad = self.e.terms.pool.not(fits);
                self.claim(K::FloatCast, guard, bad, true);
                let mut s = self.float_cast(op, a, from, to);
                if self.e.endless {
                    s.bits = self.any_where(bad, s.bits);
                }
                s
            }
            CastOp::LRint | CastOp::LRound => {
                self.claim(K::UninitRead, guard, a.undef, false);
                let whole = if op == CastOp::LRint { FUnOp::Rint } else { FUnOp::Round };
                let whole = crate::float::unary(&mut self.e.terms, whole, a.bits, from);
                let fits = crate::float::fits(&mut self.e.terms, from, whole, tw, true);
                let bad = self.e.terms.pool.not(fits);
                // What does not fit is unspecified, which is no failure of the program by itself.
                self.claim(K::FloatCast, guard, bad, false);
                self.float_cast(op, a, from, to)
            }
            CastOp::FpTrunc
            | CastOp::FpExt
            | CastOp::FpToUiSat
            | CastOp::FpToSiSat
            | CastOp::UiToFp
            | CastOp::SiToFp => self.float_cast(op, a, from, to),
        }
    }

    fn float_cast(&mut self, op: CastOp, a: Sym, from: Ty, to: Ty) -> Sym {
        let (fw, tw) = (self.bits(from), self.bits(to));
        let n = self.number(a);
        let bits = crate::float::cast(&mut self.e.terms, op, from, to, n, tw);
        let bits = bits.unwrap_or_else(|| crate::float::opaque(&mut self.e.terms, &[op as u32, fw, tw], &[n], tw));
        self.plain(bits, a.undef)
    }

    fn edge(&mut self, path: &Path, guard: Term, e: &Edge) -> (Block, Arrival) {
        let p = Path { guard, ..path.clone() };
        let args = e.args.iter().map(|a| self.operand(&p, a)).collect();
        (e.block, Arrival { path: p, args })
    }

    pub(crate) fn terminator(&mut self, body: &'a Body, t: &'a Terminator, path: Path) -> Res<Vec<(Block, Arrival)>> {
        let g = path.guard;
        Ok(match t {
            Terminator::Jump(e) => vec![self.edge(&path, g, e)],
            Terminator::Branch { cond, then, other } => {
                let c = self.operand(&path, cond);
                self.claim(K::UninitRead, g, c.undef, false);
                let yes = self.e.terms.pool.and(g, c.bits);
                let not = self.e.terms.pool.not(c.bits);
                let no = self.e.terms.pool.and(g, not);
                vec![self.edge(&path, yes, then), self.edge(&path, no, other)]
            }
            Terminator::Switch { value, cases, default } => {
                let v = self.operand(&path, value);
                self.claim(K::UninitRead, g, v.undef, false);
                let v = self.number(v);
                let mut rest = g;
                let mut out = Vec::new();
                for (c, e) in cases {
                    let c = self.constant(&path, c);
                    let is = self.e.terms.pool.eq(v, c.bits);
                    let here = self.e.terms.pool.and(rest, is);
                    let not = self.e.terms.pool.not(is);
                    rest = self.e.terms.pool.and(rest, not);
                    out.push(self.edge(&path, here, e));
                }
                out.push(self.edge(&path, rest, default));
                out
            }
            Terminator::IndirectJump { address, targets } => {
                let a = self.operand(&path, address);
                self.claim(K::UninitRead, g, a.undef, false);
                let func = self.here().0;
                let module = self.e.module;
                let Some(o) = symbol_object(&mut self.e.terms, module, SymbolRef::Func(func)) else {
                    self.block(g, "computed goto");
                    return Ok(Vec::new());
                };
                let same = self.is_object(a, o);
                let w = self.e.terms.ptr_bits;
                let mut rest = g;
                let mut out = Vec::new();
                for e in targets {
                    let n = self.e.terms.pool.num(w, u128::from(e.block.0) + 1);
                    let is = self.e.terms.pool.eq(a.bits, n);
                    let is = self.e.terms.pool.and(is, same);
                    let here = self.e.terms.pool.and(rest, is);
                    let not = self.e.terms.pool.not(is);
                    rest = self.e.terms.pool.and(rest, not);
                    out.push(self.edge(&path, here, e));
                }
                self.claim(K::NullDeref, rest, self.tt, false);
                self.claim(K::InvalidCall, rest, self.tt, false);
                // A wild address may be a label after all: any of them.
                if self.e.terms.leaves(a.prov).contains(&crate::sym::WILD) {
                    self.block(rest, "a computed goto to an unknown address");
                }
                out
            }
            Terminator::Return(values) => {
                let args = values.iter().map(|v| self.operand(&path, v)).collect();
                self.frame().returned.push(Arrival { path, args });
                Vec::new()
            }
            Terminator::Invoke { .. } | Terminator::Resume(_) => {
                self.block(g, "C++ exceptions are not encoded");
                Vec::new()
            }
            Terminator::Unreachable => {
                let _ = body;
                self.claim(K::Unreachable, g, self.tt, true);
                Vec::new()
            }
        })
    }
}
