//! Instructions, after the reference semantics of the IR. Where this encoding does not follow a computation, a free
//! symbol stands for the result, so that what is possible in the program is possible here.

use crate::exec::{Exec, OutOfBudget};
use crate::state::{Byte, Kind, OBJ_BITS, Obj, State, TAG_BITS, Val, ite_val};
use std::rc::Rc;
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, RmwOp, Step, UnOp};
use verify_ir::{CheckKind as K, Const, GlobalId, Inst, InstKind, Operand, Overlay, SymbolRef, Ty};
use verify_solver::{Pool, Term};

type Done = Result<Option<State>, OutOfBudget>;

/// Pairs of literals that are held against each other byte by byte; of more, any two may be one.
const MAX_PAIRS: usize = 1024;

impl<'a> Exec<'a> {
    /// The value of a constant; `None`: poison or something not encoded.
    pub fn constant_val(&mut self, c: &Const) -> Option<Val> {
        let target = &self.module.target;
        Some(match c {
            Const::Int { width, value } => self.int(*width, *value),
            Const::Wide { width, limbs } => {
                let v = self.pool.constant(verify_solver::Bv::from_limbs(*width, limbs));
                self.plain(v)
            }
            Const::Float { kind, bits } => self.int(kind.bits(), *bits),
            Const::Null => self.null(),
            Const::Symbol(s) => {
                let (s, offset) = self.module.resolve(*s);
                let o = match s {
                    SymbolRef::Global(g) => self.global_object(g),
                    SymbolRef::Func(f) => self.function_object(f),
                    SymbolRef::Alias(_) => return None,
                };
                let p = self.pointer(o);
                Val { v: self.pool.num(target.pointer_bits, offset.into()), ..p }
            }
            Const::BlockAddr(..) => return None,
            Const::Undef(t) => {
                let w = t.bits(target);
                let v = self.fresh(w);
                Val { u: self.pool.constant(verify_solver::Bv::ones(w)), ..self.plain(v) }
            }
            Const::Poison(_) => return None,
        })
    }

    /// The value of an operand; `None`, and a dead state, when there is none.
    pub fn operand(&mut self, s: &mut State, o: &Operand) -> Option<Val> {
        match o {
            Operand::Value(r) => match s.env.get(r) {
                Some(v) => Some(*v),
                None => {
                    self.block(s.guard, format!("value {r} is not known"));
                    s.guard = self.pool.ff();
                    None
                }
            },
            Operand::Const(c) => {
                if let Some(v) = self.constant_val(c) {
                    return Some(v);
                }
                let tt = self.pool.tt();
                if matches!(c, Const::Poison(_)) {
                    self.fail_any(s, &[K::SignedOverflow, K::ShiftRange, K::DivByZero, K::UninitRead], tt);
                } else {
                    self.block(s.guard, "a constant that is not encoded");
                }
                s.guard = self.pool.ff();
                None
            }
        }
    }

    /// The undefined bits of the result of an operation that is not followed bit by bit: none when all operands are
    /// defined, else any.
    fn taint(&mut self, operands: &[Term], w: u32) -> Term {
        let zero = self.pool.num(w, 0);
        let bad: Vec<Term> = operands.iter().map(|u| self.nonzero(*u)).collect();
        let bad = self.pool.or_all(bad);
        if self.is(bad, false) {
            return zero;
        }
        let any = self.fresh(w);
        self.pool.ite(bad, any, zero)
    }

    /// All bits are undefined when one operand is not defined.
    fn all_or_none(&mut self, operands: &[Term], w: u32) -> Term {
        let bad: Vec<Term> = operands.iter().map(|u| self.nonzero(*u)).collect();
        let bad = self.pool.or_all(bad);
        let (ones, zero) = (self.pool.constant(verify_solver::Bv::ones(w)), self.pool.num(w, 0));
        self.pool.ite(bad, ones, zero)
    }

    /// A function that is not followed: equal operands give equal results.
    pub fn open_function(&mut self, name: String, args: Vec<Term>, w: u32) -> Term {
        let key = (name, args);
        if let Some(t) = self.opaque.get(&key) {
            return *t;
        }
        let t = self.fresh(w);
        self.opaque.insert(key, t);
        t
    }

    fn finish(&mut self, mut s: State, inst: &Inst, v: Term, u: Term) -> State {
        let p = self.pool.num(OBJ_BITS, 0);
        s.set(inst.results[0], Val { v, u, p, soft: false });
        s
    }

    /// Runs one instruction.
    pub fn inst(&mut self, mut s: State, inst: &'a Inst) -> Done {
        let body = self.body();
        let bits = |o: &Operand| body.operand_ty(o).bits(&self.module.target);
        macro_rules! get {
            ($o:expr) => {
                match self.operand(&mut s, $o) {
                    Some(v) => v,
                    None => return Ok(None),
                }
            };
        }
        macro_rules! alive {
            ($e:expr) => {
                match $e {
                    Some(v) => v,
                    None => return Ok(None),
                }
            };
        }
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let (a, b) = (get!(lhs), get!(rhs));
                // The difference of two addresses in one object does not depend on where it lies.
                if *op == BinOp::Sub && a.p == b.p {
                    let v = self.pool.sub(a.v, b.v);
                    let (leaves, other) = self.leaves(a.p);
                    if !other && !leaves.contains(&1) {
                        if flags.nsw || flags.nuw {
                            let (x, y) = (self.bits(a), self.bits(b));
                            self.overflow_flags(&mut s, *op, flags.nsw, flags.nuw, x, y, a.u, b.u);
                        }
                        let w = self.pool.width(v);
                        let u = self.taint(&[a.u, b.u], w);
                        return Ok(Some(self.finish(s, inst, v, u)));
                    }
                }
                let (x, y) = (self.bits(a), self.bits(b));
                let (v, u) = self.binary(&mut s, *op, flags.nsw, flags.nuw, (x, a.u), (y, b.u));
                if flags.exact && self.pool.width(v) > 64 {
                    let may = self.fresh(1);
                    self.approximated(s.guard, "exact division");
                    self.fail(&mut s, K::SignedOverflow, may);
                }
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (get!(lhs), get!(rhs));
                let v = self.compare(&s, *pred, a, b);
                let u = self.taint(&[a.u, b.u], 1);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let (a, b) = (get!(lhs), get!(rhs));
                let w = bits(lhs);
                let v = self.float_binary(&s, *op, body.operand_ty(lhs), a.v, b.v, w);
                let u = self.all_or_none(&[a.u, b.u], w);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Fcmp { pred, lhs, rhs } => {
                let (a, b) = (get!(lhs), get!(rhs));
                let v = self.float_predicate(&s, *pred, body.operand_ty(lhs), a.v, b.v);
                let u = self.all_or_none(&[a.u, b.u], 1);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Unary { op, arg } => {
                let a = get!(arg);
                let x = self.bits(a);
                let w = self.pool.width(x);
                let v = self.unary(*op, x);
                let u = self.taint(&[a.u], w);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::FUnary { op, arg } => {
                let a = get!(arg);
                let w = bits(arg);
                let v = self.float_unary(&s, *op, body.operand_ty(arg), a.v, w);
                let u = self.all_or_none(&[a.u], w);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Fma { a, b, c } => {
                let (x, y, z) = (get!(a), get!(b), get!(c));
                let w = bits(a);
                let v = self.float_fused(&s, body.operand_ty(a), [x.v, y.v, z.v], w);
                let u = self.all_or_none(&[x.u, y.u, z.u], w);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Cast { op, arg } => {
                let a = get!(arg);
                let to = body.ty(inst.results[0]);
                return Ok(self.cast(s, inst, *op, a, body.operand_ty(arg), to));
            }
            InstKind::Select { cond, then, other } => {
                let c = get!(cond);
                let undefined = self.nonzero(c.u);
                self.fail(&mut s, K::UninitRead, undefined);
                let poison = |o: &Operand| matches!(o, Operand::Const(Const::Poison(_)));
                let v = if self.is(c.v, true) {
                    get!(then)
                } else if self.is(c.v, false) {
                    get!(other)
                } else if poison(then) || poison(other) {
                    self.block(s.guard, "a choice of an undefined constant");
                    return Ok(None);
                } else {
                    let (a, b) = (get!(then), get!(other));
                    ite_val(&mut self.pool, c.v, a, b)
                };
                s.set(inst.results[0], v);
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let (a, b) = (get!(lhs), get!(rhs));
                let (x, y) = (self.bits(a), self.bits(b));
                let w = self.pool.width(x);
                let (v, o) = self.overflow(*op, x, y);
                let (u, uo) = (self.taint(&[a.u, b.u], w), self.taint(&[a.u, b.u], 1));
                let (v, o) = (Val { u, ..self.plain(v) }, Val { u: uo, ..self.plain(o) });
                s.set(inst.results[0], v);
                s.set(inst.results[1], o);
            }
            InstKind::Funnel { left, hi, lo, amount } => {
                let (h, l, n) = (get!(hi), get!(lo), get!(amount));
                let (x, y, k) = (self.bits(h), self.bits(l), self.bits(n));
                let w = self.pool.width(x);
                let width = self.pool.num(w, w.into());
                let k = self.pool.urem(k, width);
                let whole = self.pool.concat(x, y);
                let k2 = self.pool.zext(k, 2 * w);
                let v = if *left {
                    let t = self.pool.shl(whole, k2);
                    self.pool.extract(t, 2 * w - 1, w)
                } else {
                    let t = self.pool.lshr(whole, k2);
                    self.pool.extract(t, w - 1, 0)
                };
                let u = self.taint(&[h.u, l.u, n.u], w);
                return Ok(Some(self.finish(s, inst, v, u)));
            }
            InstKind::Freeze { arg } => {
                let a = get!(arg);
                let w = self.pool.width(a.v);
                let f = self.fresh(w);
                let bad = self.nonzero(a.u);
                // The defined bits stay, the others become anything: anything at all is more.
                let frozen = self.plain(f);
                let u = self.zero_like(a.u);
                let v = ite_val(&mut self.pool, bad, frozen, Val { u, ..a });
                s.set(inst.results[0], v);
            }
            InstKind::Uninit => {
                let ty = body.ty(inst.results[0]);
                let w = ty.bits(&self.module.target);
                let v = self.fresh_of(ty);
                let mut v = self.plain(v);
                if !self.certificate.rules.uninit_is_arbitrary {
                    v.u = self.pool.constant(verify_solver::Bv::ones(w));
                }
                s.set(inst.results[0], v);
            }
            InstKind::Addr { base, steps, .. } => {
                let b = get!(base);
                let w = self.pool.width(b.v);
                let (mut v, mut undefined) = (b.v, vec![b.u]);
                for st in steps {
                    match st {
                        Step::Field { offset, .. } => {
                            let k = self.pool.num(w, (*offset).into());
                            v = self.pool.add(v, k);
                        }
                        Step::Index { index, stride, .. } => {
                            let i = get!(index);
                            undefined.push(i.u);
                            let x = self.bits(i);
                            let x = self.pool.resize_signed(x, w);
                            let k = self.pool.num(w, (*stride).into());
                            let x = self.pool.mul(x, k);
                            v = self.pool.add(v, x);
                        }
                    }
                }
                let u = self.taint(&undefined, w);
                s.set(inst.results[0], Val { v, u, ..b });
            }
            InstKind::Alloca { elem_size, count, align, .. } => {
                let n = get!(count);
                let undefined = self.nonzero(n.u);
                self.fail(&mut s, K::UninitRead, undefined);
                let x = self.bits(n);
                let x = self.pool.resize_unsigned(x, 64);
                let e = self.pool.num(64, (*elem_size).into());
                let size = self.pool.mul(x, e);
                // An array that does not fit ends the execution.
                if self.constant(size).is_none() {
                    let most = self.pool.num(64, (1u128 << 48) / u128::from((*elem_size).max(1)));
                    let fits = self.pool.ult(x, most);
                    s.assume(&mut self.pool, fits);
                }
                let content = self.undefined_content(size);
                let o = self.create(&mut s, Kind::Stack, size, *align, content);
                self.frames.last_mut().expect("a frame").allocas.push(o);
                let p = self.pointer(o);
                s.set(inst.results[0], p);
            }
            InstKind::LifetimeStart { object } => {
                let Operand::Value(r) = object else { return Ok(Some(s)) };
                let p = get!(object);
                self.restart(&mut s, *r, p);
            }
            InstKind::LifetimeEnd { object } => {
                let p = get!(object);
                let f = self.candidates(p);
                for (o, c) in f.each {
                    if self.objects[o as usize].kind == Kind::Stack {
                        self.end(&mut s, o, c);
                    }
                }
                let any = self.pool.and(s.guard, f.any);
                self.block(any, "the end of an object that is not known");
            }
            InstKind::StackSave => {
                let n = self.frames.last().map_or(0, |f| f.allocas.len());
                let w = body.ty(inst.results[0]).bits(&self.module.target);
                let v = self.int(w, n as u128);
                s.set(inst.results[0], v);
            }
            InstKind::StackRestore { token } => {
                let t = get!(token);
                match self.constant(t.v) {
                    Some(n) => {
                        let tt = self.pool.tt();
                        let all = self.frames.last().map_or(Vec::new(), |f| f.allocas.clone());
                        for o in all.into_iter().skip(n as usize) {
                            if s.mem.contains_key(&o) {
                                self.end(&mut s, o, tt);
                            }
                        }
                    }
                    None => self.block(s.guard, "a stack pointer that is not known"),
                }
            }
            InstKind::Load { ptr, .. } => {
                let p = get!(ptr);
                let mut v = alive!(self.load(&mut s, p, body.ty(inst.results[0])));
                if self.certificate.rules.uninit_is_arbitrary {
                    v.u = self.pool.constant(verify_solver::Bv::zero(self.pool.width(v.u)));
                }
                s.set(inst.results[0], v);
            }
            InstKind::Store { ptr, value, .. } => {
                let (p, v) = (get!(ptr), get!(value));
                let bytes = self.disassemble(v, body.operand_ty(value));
                alive!(self.store(&mut s, p, &bytes));
            }
            InstKind::MemCopy { dst, src, len, overlap_ok, .. } => {
                let (d, from, n) = (get!(dst), get!(src), get!(len));
                alive!(self.copy(&mut s, d, from, n, *overlap_ok));
            }
            InstKind::MemSet { dst, byte, len, .. } => {
                let (d, b, n) = (get!(dst), get!(byte), get!(len));
                let byte = Byte { v: b.v, u: b.u, p: self.pool.num(TAG_BITS, 0) };
                alive!(self.set_bytes(&mut s, d, byte, n));
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let (p, v) = (get!(ptr), get!(value));
                let ty = body.operand_ty(value);
                let old = alive!(self.load(&mut s, p, ty));
                let new = self.rmw(&s, *op, old, v);
                let bytes = self.disassemble(new, ty);
                alive!(self.store(&mut s, p, &bytes));
                s.set(inst.results[0], old);
            }
            InstKind::CmpXchg { ptr, expected, new, weak } => {
                let (p, e, n) = (get!(ptr), get!(expected), get!(new));
                let ty = body.operand_ty(new);
                let old = alive!(self.load(&mut s, p, ty));
                let undefined = self.taint(&[old.u, e.u], 1);
                self.fail(&mut s, K::UninitRead, undefined);
                let mut same = self.compare(&s, IntPred::Eq, old, e);
                if *weak {
                    // It may fail though they agree.
                    let may = self.fresh(1);
                    same = self.pool.and(same, may);
                }
                let v = ite_val(&mut self.pool, same, n, old);
                let bytes = self.disassemble(v, ty);
                alive!(self.store(&mut s, p, &bytes));
                s.set(inst.results[0], old);
                let same = self.plain(same);
                s.set(inst.results[1], same);
            }
            InstKind::Call(c) => return self.call(s, c, &inst.results),
            InstKind::VaStart { list } => {
                let p = get!(list);
                alive!(self.va_start(&mut s, p));
            }
            InstKind::VaEnd { .. } | InstKind::DebugValue { .. } => {}
            InstKind::VaCopy { dst, src } => {
                let (d, from) = (get!(dst), get!(src));
                let Some(n) = self.list_bytes() else {
                    self.block(s.guard, "variadic arguments of this target");
                    return Ok(None);
                };
                let n = self.int(64, n.into());
                alive!(self.copy(&mut s, d, from, n, true));
            }
            InstKind::Check { kind, ok, .. } => {
                let v = get!(ok);
                let undefined = self.nonzero(v.u);
                self.fail(&mut s, K::UninitRead, undefined);
                if *kind != K::ArrayIndex || !self.certificate.rules.whole_objects {
                    let bad = self.pool.not(v.v);
                    self.fail(&mut s, *kind, bad);
                }
            }
            InstKind::Assume { cond } => {
                let v = get!(cond);
                let undefined = self.nonzero(v.u);
                self.fail(&mut s, K::UninitRead, undefined);
                let bad = self.pool.not(v.v);
                self.fail(&mut s, K::Unreachable, bad);
            }
            InstKind::ObjectSize { unknown_is_zero, .. } => {
                let w = body.ty(inst.results[0]).bits(&self.module.target);
                let v = self.int(w, if *unknown_is_zero { 0 } else { u128::MAX });
                s.set(inst.results[0], v);
            }
            InstKind::Opaque { .. } => {
                let v = self.anything(body.ty(inst.results[0]), true);
                self.approximated(s.guard, "a value that is not described");
                s.set(inst.results[0], v);
            }
            InstKind::InlineAsm(a) if a.is_barrier() => {}
            InstKind::InlineAsm(_) => {
                self.block(s.guard, "inline assembly");
                return Ok(None);
            }
            InstKind::Unmodelled { reason, .. } => {
                self.block(s.guard, reason.clone());
                return Ok(None);
            }
        }
        Ok(Some(s))
    }

    fn zero_like(&mut self, t: Term) -> Term {
        let w = self.pool.width(t);
        self.pool.num(w, 0)
    }

    /// The object comes alive anew. The first time finds it as the `alloca` made it; later, it is another object.
    fn restart(&mut self, s: &mut State, r: verify_ir::Value, p: Val) {
        let Some(o) = self.constant(p.p).map(|o| o as Obj) else {
            self.block(s.guard, "the start of an object that is not known");
            return;
        };
        let info = self.objects[o as usize].clone();
        let cell = self.cell(s, o);
        if info.kind != Kind::Stack {
            return;
        }
        if self.is(cell.alive, true) && Rc::ptr_eq(&cell.content, &info.initial.content) {
            return;
        }
        let tt = self.pool.tt();
        self.end(s, o, tt);
        let content = self.undefined_content(info.size);
        let new = self.create(s, Kind::Stack, info.size, info.align, content);
        self.frames.last_mut().expect("a frame").allocas.push(new);
        let p = self.pointer(new);
        s.set(r, p);
    }

    /// Comparison of numbers or addresses.
    fn compare(&mut self, s: &State, pred: IntPred, a: Val, b: Val) -> Term {
        let zero = self.pool.num(OBJ_BITS, 0);
        let any = self.pool.num(OBJ_BITS, 1);
        let numbers = |x: &mut Self, a: Term, b: Term| {
            let p = &mut x.pool;
            match pred {
                IntPred::Eq => p.eq(a, b),
                IntPred::Ne => p.ne(a, b),
                IntPred::Ult => p.ult(a, b),
                IntPred::Ule => p.ule(a, b),
                IntPred::Ugt => p.ult(b, a),
                IntPred::Uge => p.ule(b, a),
                IntPred::Slt => p.slt(a, b),
                IntPred::Sle => p.sle(a, b),
                IntPred::Sgt => p.slt(b, a),
                IntPred::Sge => p.sle(b, a),
            }
        };
        if a.p == zero && b.p == zero {
            return numbers(self, a.v, b.v);
        }
        // Same object: the offsets decide, as long as both are in it; another one, or none: addresses differ.
        let same = self.pool.eq(a.p, b.p);
        let known = self.pool.ne(a.p, any);
        // Addresses of objects that ended are used again, but never by null.
        let ((wa, la), (wb, lb)) = (self.inside(s, a), self.inside(s, b));
        let within_both = self.pool.and(wa, wb);
        let live_both = self.pool.and(la, lb);
        let numbers_only = {
            let (na, nb) = (self.pool.eq(a.p, zero), self.pool.eq(b.p, zero));
            self.pool.or(na, nb)
        };
        let apart_for_sure = self.pool.or(numbers_only, live_both);
        let both = self.pool.and(within_both, apart_for_sure);
        let equality = matches!(pred, IntPred::Eq | IntPred::Ne);
        let f = self.undecided(pred, a, b);
        let within = numbers(self, a.v, b.v);
        let none = self.pool.eq(a.p, zero);
        let steady = if equality { self.pool.and(same, known) } else { self.pool.and_all([same, known, both]) };
        let ints = self.pool.and(same, none);
        let by_offset = self.pool.or(steady, ints);
        let apart = if equality {
            let differ = self.pool.not(same);
            let c = self.pool.and(differ, both);
            // The end of one object may be the start of the next.
            let meet = self.meet(a, b);
            let apart = self.pool.not(meet);
            let c = self.pool.and(c, apart);
            let undecided = self.pool.or(by_offset, c);
            let undecided = self.pool.not(undecided);
            let undecided = self.pool.and(s.guard, undecided);
            if !self.is(undecided, false) {
                self.approximated(undecided, "equal addresses");
            }
            let v = if pred == IntPred::Ne { self.pool.tt() } else { self.pool.ff() };
            self.pool.ite(c, v, f)
        } else {
            f
        };
        let r = self.pool.ite(by_offset, within, apart);
        let open = self.pool.not(by_offset);
        let open = self.pool.and(s.guard, open);
        if r != within && !equality && !self.is(open, false) {
            self.approximated(open, "an order of addresses");
        }
        r
    }

    /// What a comparison of addresses gives that the objects do not decide: the same whenever these two are compared.
    fn undecided(&mut self, pred: IntPred, a: Val, b: Val) -> Term {
        let (name, negated) = match pred {
            IntPred::Ne => (IntPred::Eq, true),
            p => (p, false),
        };
        let (x, y) = ([a.p, a.v], [b.p, b.v]);
        let (x, y) = if name == IntPred::Eq && y < x { (y, x) } else { (x, y) };
        let key = (format!("addresses: {name:?}"), [x, y].concat());
        let f = match self.opaque.get(&key) {
            Some(f) => *f,
            None => {
                let f = self.fresh(1);
                self.opaque.insert(key, f);
                f
            }
        };
        if negated { self.pool.not(f) } else { f }
    }

    /// One of the pointers is at the start of its object, and the other one at the end of another; or both are into
    /// literals that may be one.
    fn meet(&mut self, a: Val, b: Val) -> Term {
        let mut any = self.pool.ff();
        for (end, start) in [(a, b), (b, a)] {
            let zero = self.zero_like(start.v);
            let (at_start, no_null) = (self.pool.eq(start.v, zero), self.pool.num(OBJ_BITS, 0));
            let no_null = self.pool.ne(start.p, no_null);
            let at_start = self.pool.and(at_start, no_null);
            let (leaves, _) = self.leaves(end.p);
            let offset = self.pool.resize_unsigned(end.v, 64);
            for o in leaves {
                let Some(info) = usize::try_from(o).ok().filter(|o| *o > 1).and_then(|o| self.objects.get(o)) else {
                    continue;
                };
                let (size, heap) = (info.size, matches!(info.kind, Kind::Heap(..)));
                let k = self.pool.num(OBJ_BITS, o.into());
                let mut c = self.pool.eq(end.p, k);
                let last = self.pool.eq(offset, size);
                c = self.pool.and_all([c, last, at_start]);
                if heap {
                    // Allocated memory of no bytes has an address of its own.
                    let some = self.nonzero(size);
                    c = self.pool.and(c, some);
                }
                any = self.pool.or(any, c);
            }
        }
        let literals = self.literals_meet(a, b);
        self.pool.or(any, literals)
    }

    /// The pointers are into two literals at places where one may lie in the other.
    fn literals_meet(&mut self, a: Val, b: Val) -> Term {
        let mut any = self.pool.ff();
        let literals = |x: &Self, p: Term| -> Vec<u64> {
            let (all, _) = x.leaves(p);
            all.into_iter().filter(|o| x.variable(*o).is_some_and(|g| x.module.is_shared_literal(g))).collect()
        };
        let (left, right) = (literals(self, a.p), literals(self, b.p));
        let many = left.len() * right.len() > MAX_PAIRS;
        let width = self.pool.width(a.v);
        for x in left {
            for y in &right {
                let (Some(g), Some(h)) = (self.variable(x), self.variable(*y)) else { continue };
                let (kx, ky) = (self.pool.num(OBJ_BITS, x.into()), self.pool.num(OBJ_BITS, (*y).into()));
                let both = [self.pool.eq(a.p, kx), self.pool.eq(b.p, ky)];
                let overlay = if many { Overlay::Anyhow } else { self.module.overlay(g, h) };
                let there = match overlay {
                    Overlay::Anyhow => self.pool.tt(),
                    Overlay::At(ways) => {
                        let distance = self.pool.sub(a.v, b.v);
                        let ways: Vec<Term> = ways
                            .into_iter()
                            .map(|d| {
                                let d = self.pool.num(width, d as u64 as u128);
                                self.pool.eq(distance, d)
                            })
                            .collect();
                        ways.into_iter().fold(self.pool.ff(), |o, w| self.pool.or(o, w))
                    }
                };
                let c = self.pool.and_all([both[0], both[1], there]);
                any = self.pool.or(any, c);
            }
        }
        any
    }

    /// The variable or literal of this number.
    fn variable(&self, o: u64) -> Option<GlobalId> {
        match self.objects.get(usize::try_from(o).ok()?)?.kind {
            Kind::Global(g) => Some(g),
            _ => None,
        }
    }

    /// Whether the pointer is into an object, or just past its end, or a small number; and whether the object lives.
    fn inside(&mut self, s: &State, a: Val) -> (Term, Term) {
        let (leaves, _) = self.leaves(a.p);
        let mut all = self.pool.ff();
        let mut living = self.pool.ff();
        let off = self.pool.resize_unsigned(a.v, 64);
        for o in leaves {
            let Ok(o) = Obj::try_from(o) else { continue };
            if o == 1 || o as usize >= self.objects.len() {
                continue;
            }
            let k = self.pool.num(OBJ_BITS, o.into());
            let c = self.pool.eq(a.p, k);
            let (ok, alive) = if o == 0 {
                let page = self.pool.num(64, 4096);
                (self.pool.ult(off, page), self.pool.tt())
            } else {
                let size = self.objects[o as usize].size;
                let alive = match self.objects[o as usize].kind {
                    Kind::Function(_) => self.pool.tt(),
                    _ => self.cell(s, o).alive,
                };
                (self.pool.ule(off, size), alive)
            };
            let ok = self.pool.and(c, ok);
            all = self.pool.or(all, ok);
            let alive = self.pool.and(c, alive);
            living = self.pool.or(living, alive);
        }
        (all, living)
    }

    #[allow(clippy::too_many_arguments)]
    fn overflow_flags(&mut self, s: &mut State, op: BinOp, nsw: bool, nuw: bool, a: Term, b: Term, ua: Term, ub: Term) {
        let (signed, unsigned) = match op {
            BinOp::Add => (OverflowOp::SAdd, OverflowOp::UAdd),
            BinOp::Sub => (OverflowOp::SSub, OverflowOp::USub),
            BinOp::Mul => (OverflowOp::SMul, OverflowOp::UMul),
            _ => {
                let may = self.fresh(1);
                self.approximated(s.guard, "overflow of a shift");
                self.fail(s, K::SignedOverflow, may);
                return;
            }
        };
        let mut bad = self.pool.ff();
        for (on, op) in [(nsw, signed), (nuw, unsigned)] {
            if on {
                let (_, o) = self.overflow(op, a, b);
                bad = self.pool.or(bad, o);
            }
        }
        let undefined = self.taint(&[ua, ub], 1);
        let (x, y) = (self.nonzero(ua), self.nonzero(ub));
        let u = self.pool.or(x, y);
        let c = self.pool.ite(u, undefined, bad);
        self.fail(s, K::SignedOverflow, c);
    }

    fn overflow(&mut self, op: OverflowOp, a: Term, b: Term) -> (Term, Term) {
        let w = self.pool.width(a);
        let p = &mut self.pool;
        let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul);
        let wide = if matches!(op, OverflowOp::SMul | OverflowOp::UMul) { 2 * w } else { w + 1 };
        let (x, y) = if signed { (p.sext(a, wide), p.sext(b, wide)) } else { (p.zext(a, wide), p.zext(b, wide)) };
        let full = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => p.add(x, y),
            OverflowOp::SSub | OverflowOp::USub => p.sub(x, y),
            OverflowOp::SMul | OverflowOp::UMul => p.mul(x, y),
        };
        let v = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => p.add(a, b),
            OverflowOp::SSub | OverflowOp::USub => p.sub(a, b),
            OverflowOp::SMul | OverflowOp::UMul => p.mul(a, b),
        };
        let back = if signed { p.sext(v, wide) } else { p.zext(v, wide) };
        (v, p.ne(full, back))
    }

    fn binary(
        &mut self,
        s: &mut State,
        op: BinOp,
        nsw: bool,
        nuw: bool,
        (a, ua): (Term, Term),
        (b, ub): (Term, Term),
    ) -> (Term, Term) {
        let w = self.pool.width(a);
        match op {
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                let undefined = self.taint(&[ub], 1);
                self.fail(s, K::UninitRead, undefined);
                let d = self.nonzero(b);
                let zero = self.pool.not(d);
                self.fail(s, K::DivByZero, zero);
                if matches!(op, BinOp::SDiv | BinOp::SRem) {
                    let (min, ones) = (
                        self.pool.constant(verify_solver::Bv::min_signed(w)),
                        self.pool.constant(verify_solver::Bv::ones(w)),
                    );
                    let (x, y) = (self.pool.eq(a, min), self.pool.eq(b, ones));
                    let bad = self.pool.and(x, y);
                    let undefined = self.taint(&[ua], 1);
                    let u = self.nonzero(ua);
                    let bad = self.pool.ite(u, undefined, bad);
                    self.fail(s, K::SignedOverflow, bad);
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat => {
                let undefined = self.taint(&[ub], 1);
                self.fail(s, K::UninitRead, undefined);
                let width = self.pool.num(w, w.into());
                let fits = self.pool.ult(b, width);
                // A width that is not a number of that width is above all amounts.
                let fits = if w < 8 && u64::from(w) >= 1 << w { self.pool.tt() } else { fits };
                let bad = self.pool.not(fits);
                self.fail(s, K::ShiftRange, bad);
            }
            _ => {}
        }
        if (nsw || nuw) && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
            self.overflow_flags(s, op, nsw, nuw, a, b, ua, ub);
        }
        let min_max = |p: &mut Pool, less: Term| p.ite(less, a, b);
        let p = &mut self.pool;
        let v = match op {
            BinOp::Add => p.add(a, b),
            BinOp::Sub => p.sub(a, b),
            BinOp::Mul => p.mul(a, b),
            BinOp::UDiv => p.udiv(a, b),
            BinOp::URem => p.urem(a, b),
            BinOp::SDiv => p.sdiv(a, b),
            BinOp::SRem => p.srem(a, b),
            BinOp::Shl => p.shl(a, b),
            BinOp::LShr => p.lshr(a, b),
            BinOp::AShr => p.ashr(a, b),
            BinOp::And => p.and(a, b),
            BinOp::Or => p.or(a, b),
            BinOp::Xor => p.xor(a, b),
            BinOp::SMin => {
                let c = p.slt(a, b);
                min_max(p, c)
            }
            BinOp::SMax => {
                let c = p.slt(b, a);
                min_max(p, c)
            }
            BinOp::UMin => {
                let c = p.ult(a, b);
                min_max(p, c)
            }
            BinOp::UMax => {
                let c = p.ult(b, a);
                min_max(p, c)
            }
            BinOp::SAddSat | BinOp::UAddSat | BinOp::SSubSat | BinOp::USubSat | BinOp::SShlSat | BinOp::UShlSat => {
                self.approximated(s.guard, "saturating arithmetic");
                self.open_function(format!("{op}"), vec![a, b], w)
            }
        };
        let u = match op {
            BinOp::And => {
                let p = &mut self.pool;
                let (x, y, z) = (p.and(ua, ub), p.and(ua, b), p.and(a, ub));
                let t = p.or(x, y);
                p.or(t, z)
            }
            BinOp::Or => {
                let p = &mut self.pool;
                let (na, nb) = (p.not(a), p.not(b));
                let (x, y, z) = (p.and(ua, ub), p.and(ua, nb), p.and(na, ub));
                let t = p.or(x, y);
                p.or(t, z)
            }
            BinOp::Xor => self.pool.or(ua, ub),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let shifted = match op {
                    BinOp::Shl => self.pool.shl(ua, b),
                    BinOp::LShr => self.pool.lshr(ua, b),
                    _ => self.pool.ashr(ua, b),
                };
                let more = self.taint(&[ub], w);
                self.pool.or(shifted, more)
            }
            _ => self.taint(&[ua, ub], w),
        };
        (v, u)
    }

    fn unary(&mut self, op: UnOp, a: Term) -> Term {
        let w = self.pool.width(a);
        let p = &mut self.pool;
        match op {
            UnOp::Abs => {
                let (zero, n) = (p.num(w, 0), p.neg(a));
                let c = p.slt(a, zero);
                p.ite(c, n, a)
            }
            UnOp::BSwap => {
                let mut t = p.extract(a, 7, 0);
                for k in 1..w / 8 {
                    let b = p.extract(a, 8 * k + 7, 8 * k);
                    t = p.concat(t, b);
                }
                t
            }
            UnOp::BitReverse => {
                let mut t = p.extract(a, 0, 0);
                for k in 1..w {
                    let b = p.extract(a, k, k);
                    t = p.concat(t, b);
                }
                t
            }
            UnOp::CtPop => {
                let mut t = p.num(w, 0);
                for k in 0..w {
                    let b = p.extract(a, k, k);
                    let b = p.zext(b, w);
                    t = p.add(t, b);
                }
                t
            }
            UnOp::CtLz | UnOp::CtTz => {
                // The bit that decides last stands outermost.
                let mut t = p.num(w, w.into());
                for k in 0..w {
                    let (bit, n) = if op == UnOp::CtLz { (k, w - 1 - k) } else { (w - 1 - k, w - 1 - k) };
                    let b = p.extract(a, bit, bit);
                    let n = p.num(w, n.into());
                    t = p.ite(b, n, t);
                }
                t
            }
        }
    }

    fn rmw(&mut self, s: &State, op: RmwOp, old: Val, v: Val) -> Val {
        if op == RmwOp::Xchg {
            return v;
        }
        let (a, b) = (self.bits(old), self.bits(v));
        let w = self.pool.width(a);
        let p = &mut self.pool;
        let r = match op {
            RmwOp::Add => p.add(a, b),
            RmwOp::Sub => p.sub(a, b),
            RmwOp::And => p.and(a, b),
            RmwOp::Nand => {
                let t = p.and(a, b);
                p.not(t)
            }
            RmwOp::Or => p.or(a, b),
            RmwOp::Xor => p.xor(a, b),
            RmwOp::Max | RmwOp::Min => {
                let c = p.slt(a, b);
                if op == RmwOp::Max { p.ite(c, b, a) } else { p.ite(c, a, b) }
            }
            RmwOp::UMax | RmwOp::UMin => {
                let c = p.ult(a, b);
                if op == RmwOp::UMax { p.ite(c, b, a) } else { p.ite(c, a, b) }
            }
            _ => {
                self.approximated(s.guard, "an atomic operation");
                self.fresh(w)
            }
        };
        let u = self.taint(&[old.u, v.u], w);
        Val { u, ..self.plain(r) }
    }

    fn cast(&mut self, mut s: State, inst: &Inst, op: CastOp, a: Val, from: Ty, to: Ty) -> Option<State> {
        let (fw, tw) = (from.bits(&self.module.target), to.bits(&self.module.target));
        let r = inst.results[0];
        let none = self.pool.num(OBJ_BITS, 0);
        match op {
            CastOp::PtrToInt | CastOp::Bitcast if fw == tw => {
                let undefined = op == CastOp::PtrToInt;
                let u = if undefined { self.all_or_none(&[a.u], tw) } else { a.u };
                let soft = a.p != none;
                let v = if to == Ty::Ptr && soft { Val { v: self.bits(a), p: none, soft: false, ..a } } else { a };
                s.set(r, Val { u, soft: soft && to != Ty::Ptr, ..v });
                return Some(s);
            }
            _ => {}
        }
        let x = self.bits(a);
        let mut u = None;
        let v = match op {
            CastOp::Trunc | CastOp::ZExt | CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr => {
                u = Some(self.pool.resize_unsigned(a.u, tw));
                self.pool.resize_unsigned(x, tw)
            }
            CastOp::SExt => {
                u = Some(self.pool.resize_signed(a.u, tw));
                self.pool.resize_signed(x, tw)
            }
            CastOp::FpToSi | CastOp::FpToUi => {
                let (v, may) = self.float_to_int(&s, op, from, x, tw);
                self.fail(&mut s, K::FloatCast, may);
                v
            }
            _ => self.float_cast(&s, op, (from, to), x, tw),
        };
        let u = match (u, op) {
            (Some(u), CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::Bitcast) => u,
            _ => self.all_or_none(&[a.u], tw),
        };
        if s.is_dead(&self.pool) {
            return None;
        }
        Some(self.finish(s, inst, v, u))
    }
}
