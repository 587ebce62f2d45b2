//! LLVM intrinsics. Those that work element by element are applied lane by lane; what changes nothing that C can see
//! (hints, markers) is dropped; everything else is `unmodelled` with its name.

use crate::ffi::{Opcode, Val, ValueKind};
use crate::func::{FnCx, Leaves};
use verify_ir::inst::{BinOp, CastOp, CheckDetail, FBinOp, FUnOp, FloatPred, IntPred, OverflowOp, UnOp};
use verify_ir::{CheckKind, Const, FloatKind, InstKind, Operand, Step, SymbolRef, Ty};

/// The name without `llvm.` and without type suffixes: the longest prefix that [`FnCx::intrinsic`] knows decides.
fn base_name(name: &str) -> &str {
    name.strip_prefix("llvm.").unwrap_or(name)
}

/// Whether `name` is `base`, or `base` with type suffixes.
fn is(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|r| r.is_empty() || r.starts_with('.'))
}

fn overflow_op(n: &str) -> Option<OverflowOp> {
    Some(match n {
        n if is(n, "sadd.with.overflow") => OverflowOp::SAdd,
        n if is(n, "uadd.with.overflow") => OverflowOp::UAdd,
        n if is(n, "ssub.with.overflow") => OverflowOp::SSub,
        n if is(n, "usub.with.overflow") => OverflowOp::USub,
        n if is(n, "smul.with.overflow") => OverflowOp::SMul,
        n if is(n, "umul.with.overflow") => OverflowOp::UMul,
        _ => return None,
    })
}

fn int_binary(n: &str) -> Option<BinOp> {
    const TABLE: &[(&str, BinOp)] = &[
        ("smin", BinOp::SMin),
        ("smax", BinOp::SMax),
        ("umin", BinOp::UMin),
        ("umax", BinOp::UMax),
        ("sadd.sat", BinOp::SAddSat),
        ("uadd.sat", BinOp::UAddSat),
        ("ssub.sat", BinOp::SSubSat),
        ("usub.sat", BinOp::USubSat),
        ("sshl.sat", BinOp::SShlSat),
        ("ushl.sat", BinOp::UShlSat),
    ];
    TABLE.iter().find(|(b, _)| is(n, b)).map(|t| t.1)
}

fn int_unary(n: &str) -> Option<UnOp> {
    const TABLE: &[(&str, UnOp)] = &[
        ("ctpop", UnOp::CtPop),
        ("ctlz", UnOp::CtLz),
        ("cttz", UnOp::CtTz),
        ("bswap", UnOp::BSwap),
        ("bitreverse", UnOp::BitReverse),
        ("abs", UnOp::Abs),
    ];
    TABLE.iter().find(|(b, _)| is(n, b)).map(|t| t.1)
}

fn float_binary(n: &str) -> Option<FBinOp> {
    const TABLE: &[(&str, FBinOp)] = &[
        ("copysign", FBinOp::CopySign),
        ("minnum", FBinOp::MinNum),
        ("maxnum", FBinOp::MaxNum),
        ("minimum", FBinOp::Minimum),
        ("maximum", FBinOp::Maximum),
        ("pow", FBinOp::Pow),
        ("fadd", FBinOp::Add),
        ("fsub", FBinOp::Sub),
        ("fmul", FBinOp::Mul),
        ("fdiv", FBinOp::Div),
        ("frem", FBinOp::Rem),
    ];
    TABLE.iter().find(|(b, _)| is(n, b)).map(|t| t.1)
}

fn float_unary(n: &str) -> Option<FUnOp> {
    const TABLE: &[(&str, FUnOp)] = &[
        ("fabs", FUnOp::Abs),
        ("sqrt", FUnOp::Sqrt),
        ("floor", FUnOp::Floor),
        ("ceil", FUnOp::Ceil),
        ("trunc", FUnOp::Trunc),
        ("rint", FUnOp::Rint),
        ("nearbyint", FUnOp::NearbyInt),
        ("round", FUnOp::Round),
        ("roundeven", FUnOp::RoundEven),
        ("sin", FUnOp::Sin),
        ("cos", FUnOp::Cos),
        ("tan", FUnOp::Tan),
        ("exp", FUnOp::Exp),
        ("exp2", FUnOp::Exp2),
        ("exp10", FUnOp::Exp10),
        ("log", FUnOp::Log),
        ("log2", FUnOp::Log2),
        ("log10", FUnOp::Log10),
    ];
    TABLE.iter().find(|(b, _)| is(n, b)).map(|t| t.1)
}

fn float_cast(n: &str) -> Option<CastOp> {
    const TABLE: &[(&str, CastOp)] = &[
        ("fptoui.sat", CastOp::FpToUiSat),
        ("fptosi.sat", CastOp::FpToSiSat),
        ("lrint", CastOp::LRint),
        ("llrint", CastOp::LRint),
        ("lround", CastOp::LRound),
        ("llround", CastOp::LRound),
        ("fptoui", CastOp::FpToUi),
        ("fptosi", CastOp::FpToSi),
        ("uitofp", CastOp::UiToFp),
        ("sitofp", CastOp::SiToFp),
        ("fptrunc", CastOp::FpTrunc),
        ("fpext", CastOp::FpExt),
    ];
    TABLE.iter().find(|(b, _)| is(n, b)).map(|t| t.1)
}

/// Hints and markers without a meaning in C.
const DROPPED: &[&str] = &[
    "donothing",
    "prefetch",
    "var.annotation",
    "codeview.annotation",
    "sideeffect",
    "pseudoprobe",
    "invariant.end",
    "experimental.noalias.scope.decl",
    "instrprof",
    "lifetime.keep",
    "dbg.label",
    "dbg.value",
    "dbg.declare",
    "dbg.assign",
    "pcmarker",
    "stackprotector",
    "clear_cache",
];

/// First argument is the result.
const IDENTITY: &[&str] = &[
    "expect",
    "expect.with.probability",
    "annotation",
    "ptr.annotation",
    "launder.invariant.group",
    "strip.invariant.group",
    "ssa.copy",
    "preserve.array.access.index",
    "threadlocal.address",
    "arithmetic.fence",
    "preserve.static.offset",
];

impl<'m> FnCx<'_, 'm> {
    /// Lowers a call of `name`.
    pub(crate) fn intrinsic(&mut self, v: Val<'m>, name: &str) -> Result<Option<Leaves>, String> {
        let n = base_name(name);
        let ty = v.inst().ty;
        if DROPPED.iter().any(|d| is(n, d)) {
            return Ok(Some(vec![]));
        }
        if IDENTITY.iter().any(|d| is(n, d)) {
            let x = v.operand(0).ok_or("missing operand")?;
            if let Some(t) = self.pointee(x) {
                self.pointees.insert(v, t);
            }
            return self.leaves_of(x).map(Some);
        }
        if let Some(op) = overflow_op(n) {
            return self.with_overflow(v, op).map(Some);
        }
        if let Some(op) = int_binary(n) {
            return self.lanes2(v, |s, lhs, rhs| {
                let ty = s.body.operand_ty(&lhs);
                s.emit1(InstKind::Binary { op, flags: Default::default(), lhs, rhs }, ty)
            });
        }
        if let Some(op) = lane_shift(n) {
            return self.lane_shift(v, op);
        }
        if let Some(op) = int_unary(n) {
            return self.lanes1(v, |s, arg| {
                let ty = s.body.operand_ty(&arg);
                s.emit1(InstKind::Unary { op, arg }, ty)
            });
        }
        if let Some(f) = n.strip_prefix("experimental.constrained.") {
            return self.constrained(v, f).map(Some);
        }
        if let Some(op) = float_binary(n) {
            return self.lanes2(v, |s, lhs, rhs| {
                let ty = s.body.operand_ty(&lhs);
                s.emit1(InstKind::FBinary { op, lhs, rhs }, ty)
            });
        }
        if let Some(op) = float_unary(n) {
            return self.lanes1(v, |s, arg| s.funary(op, arg));
        }
        if let Some(op) = float_cast(n) {
            return self.float_cast(v, op).map(Some);
        }
        if is(n, "fma") || is(n, "fmuladd") {
            return self.fma(v, is(n, "fma")).map(Some);
        }
        if let Some(r) = n.strip_prefix("vector.reduce.") {
            return self.reduce(v, r).map(Some);
        }
        if is(n, "memcpy") || is(n, "memcpy.inline") || is(n, "memmove") {
            let (dst, src, len) = (self.arg(v, 0)?, self.arg(v, 1)?, self.arg(v, 2)?);
            let volatile = self.arg(v, 3)? == Operand::int(1, 1);
            if let Operand::Const(Const::Symbol(SymbolRef::Global(template))) = src
                && let Some(to) = v.operand(0).map(Val::inst).filter(|i| i.op == Some(Opcode::LLVMAlloca))
                && let Some(t) = to.aux
            {
                self.cx.clear_unions(template, t);
            }
            self.emit0(InstKind::MemCopy { dst, src, len, overlap_ok: is(n, "memmove"), volatile });
            return Ok(Some(vec![]));
        }
        if is(n, "memset") || is(n, "memset.inline") {
            let (dst, byte, len) = (self.arg(v, 0)?, self.arg(v, 1)?, self.arg(v, 2)?);
            let volatile = self.arg(v, 3)? == Operand::int(1, 1);
            self.emit0(InstKind::MemSet { dst, byte, len, volatile });
            return Ok(Some(vec![]));
        }
        match n {
            _ if is(n, "lifetime.start") => {
                let object = self.arg(v, 1)?;
                self.emit0(InstKind::LifetimeStart { object });
            }
            _ if is(n, "lifetime.end") => {
                let object = self.arg(v, 1)?;
                self.emit0(InstKind::LifetimeEnd { object });
            }
            _ if is(n, "stacksave") => return Ok(Some(vec![self.emit1(InstKind::StackSave, Ty::Ptr)])),
            _ if is(n, "stackrestore") => {
                let token = self.arg(v, 0)?;
                self.emit0(InstKind::StackRestore { token });
            }
            _ if is(n, "va_start") => {
                let list = self.arg(v, 0)?;
                self.emit0(InstKind::VaStart { list });
            }
            _ if is(n, "va_end") => {
                let list = self.arg(v, 0)?;
                self.emit0(InstKind::VaEnd { list });
            }
            _ if is(n, "va_copy") => {
                let (dst, src) = (self.arg(v, 0)?, self.arg(v, 1)?);
                self.emit0(InstKind::VaCopy { dst, src });
            }
            _ if is(n, "assume") => {
                let cond = self.arg(v, 0)?;
                if cond != Operand::int(1, 1) {
                    self.emit0(InstKind::Assume { cond });
                }
                if v.has_bundles() {
                    self.note_code();
                }
            }
            _ if is(n, "is.constant") => {
                let constant = v.operand(0).is_some_and(|x| is_constant(x.kind()));
                return Ok(Some(vec![Operand::int(1, u128::from(constant))]));
            }
            _ if is(n, "objectsize") => {
                let ptr = self.arg(v, 0)?;
                let unknown_is_zero = self.arg(v, 1)? == Operand::int(1, 1);
                let dynamic = self.arg(v, 3)? == Operand::int(1, 1);
                let t = self.types(ty)?[0];
                return Ok(Some(vec![self.emit1(InstKind::ObjectSize { ptr, unknown_is_zero, dynamic }, t)]));
            }
            _ if is(n, "trap") || is(n, "debugtrap") || is(n, "ubsantrap") => {
                let what = if is(n, "debugtrap") { "__builtin_debugtrap" } else { "__builtin_trap" };
                let detail = CheckDetail { what: what.into(), ..CheckDetail::default() };
                self.emit0(InstKind::Check { kind: CheckKind::Assertion, ok: Operand::int(1, 0), detail });
            }
            _ if is(n, "fshl") || is(n, "fshr") => return self.funnel(v, is(n, "fshl")).map(Some),
            _ if is(n, "ptrmask") => return self.ptrmask(v).map(Some),
            _ if is(n, "is.fpclass") => return self.fpclass(v).map(Some),
            _ if is(n, "canonicalize") => return self.leaves_of(v.operand(0).ok_or("missing operand")?).map(Some),
            _ if is(n, "ldexp") => {
                return self.lanes2(v, |s, lhs, rhs| {
                    let ty = s.body.operand_ty(&lhs);
                    s.emit1(InstKind::FBinary { op: FBinOp::Ldexp, lhs, rhs }, ty)
                });
            }
            "x86.sse2.pmovmskb.128" | "x86.sse.movmsk.ps" | "x86.sse2.movmsk.pd" => {
                return self.sign_mask(v).map(Some);
            }
            _ if is(n, "scmp") || is(n, "ucmp") => return self.three_way(v, is(n, "scmp")).map(Some),
            _ if is(n, "invariant.start") => return Ok(Some(vec![Operand::Const(Const::Null)])),
            _ if is(n, "allow.runtime.check") || is(n, "allow.ubsan.check") => {
                return Ok(Some(vec![Operand::int(1, 1)]));
            }
            _ if is(n, "get.rounding") => return Ok(Some(vec![Operand::int(32, 1)])),
            _ if is(n, "preserve.struct.access.index") || is(n, "preserve.union.access.index") => {
                return Err(format!("intrinsic llvm.{n} (BPF relocation)"));
            }
            "frameaddress.p0"
            | "returnaddress"
            | "sponentry.p0"
            | "addressofreturnaddress.p0"
            | "thread.pointer"
            | "readcyclecounter"
            | "readsteadycounter"
            | "stackguard"
            | "localaddress" => {
                let mut what = format!("llvm.{n}");
                // Of which caller.
                if let Some((_, level)) = v.operand(0).and_then(Val::const_bits)
                    && level.first().is_some_and(|l| *l != 0)
                {
                    what += &format!(" {}", level[0]);
                }
                let t = self.types(ty)?;
                return Ok(Some(self.emit(InstKind::Opaque { what }, &t)));
            }
            _ if is(n, "read_register") || is(n, "read_volatile_register") => {
                let reg = v.operand(0).map(Val::md_string).unwrap_or_default();
                let t = self.types(ty)?;
                return Ok(Some(self.emit(InstKind::Opaque { what: format!("register {reg}") }, &t)));
            }
            _ => return Err(format!("intrinsic llvm.{n}")),
        }
        Ok(Some(vec![]))
    }

    fn lanes1(
        &mut self,
        v: Val<'m>,
        mut f: impl FnMut(&mut Self, Operand) -> Operand,
    ) -> Result<Option<Leaves>, String> {
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        Ok(Some(a.into_iter().map(|x| f(self, x)).collect()))
    }

    fn lanes2(
        &mut self,
        v: Val<'m>,
        mut f: impl FnMut(&mut Self, Operand, Operand) -> Operand,
    ) -> Result<Option<Leaves>, String> {
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        // `ldexp` of a vector has a vector of exponents; a scalar second operand serves all lanes.
        let n = b.len();
        if n == 0 {
            return Err("missing operand".into());
        }
        Ok(Some(a.into_iter().enumerate().map(|(i, x)| f(self, x, b[i.min(n - 1)].clone())).collect()))
    }

    /// Results of vectors are all values, then all overflow bits: the leaves of `{<N x T>, <N x i1>}`.
    fn with_overflow(&mut self, v: Val<'m>, op: OverflowOp) -> Result<Leaves, String> {
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        let (mut values, mut bits) = (Vec::new(), Vec::new());
        for (lhs, rhs) in a.into_iter().zip(b) {
            let ty = self.body.operand_ty(&lhs);
            let r = self.emit(InstKind::Overflow { op, lhs, rhs }, &[ty, Ty::BOOL]);
            values.push(r[0].clone());
            bits.push(r[1].clone());
        }
        values.extend(bits);
        Ok(values)
    }

    fn float_cast(&mut self, v: Val<'m>, op: CastOp) -> Result<Leaves, String> {
        let types = self.types(v.inst().ty)?;
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        Ok(a.into_iter().zip(types).map(|(x, t)| self.cast(op, x, t)).collect())
    }

    /// The machine has fused multiplication and addition, which clang then takes for `fmuladd`, but not for x87 numbers.
    fn has_fma(&self) -> bool {
        let features = self.func.fn_string_attr("target-features");
        let on = |f: &str| features.split(',').any(|x| x.strip_prefix('+') == Some(f));
        let triple = &self.cx.out.target.triple;
        triple.starts_with("aarch64") || ["fma", "fma4", "avx512f"].into_iter().any(on)
    }

    /// `fmuladd` may be fused or not; as in clang's code, it is where the machine can do that.
    fn fma(&mut self, v: Val<'m>, fused: bool) -> Result<Leaves, String> {
        let can = fused || self.has_fma();
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        let c = self.leaves_of(v.operand(2).ok_or("missing operand")?)?;
        Ok(a.into_iter()
            .zip(b)
            .zip(c)
            .map(|((a, b), c)| {
                let ty = self.body.operand_ty(&a);
                let small = matches!(ty, Ty::Float(FloatKind::Single | FloatKind::Double));
                if fused || can && small {
                    return self.emit1(InstKind::Fma { a, b, c }, ty);
                }
                let m = self.emit1(InstKind::FBinary { op: FBinOp::Mul, lhs: a, rhs: b }, ty);
                self.emit1(InstKind::FBinary { op: FBinOp::Add, lhs: m, rhs: c }, ty)
            })
            .collect())
    }

    fn funnel(&mut self, v: Val<'m>, left: bool) -> Result<Leaves, String> {
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        let c = self.leaves_of(v.operand(2).ok_or("missing operand")?)?;
        Ok(a.into_iter()
            .zip(b)
            .zip(c)
            .map(|((hi, lo), amount)| {
                let ty = self.body.operand_ty(&hi);
                self.emit1(InstKind::Funnel { left, hi, lo, amount }, ty)
            })
            .collect())
    }

    /// The sign bits of all lanes as an integer, lane 0 lowest.
    fn sign_mask(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let mut r = Operand::int(32, 0);
        for (i, lane) in self.leaves_of(v.operand(0).ok_or("missing operand")?)?.into_iter().enumerate() {
            let w = self.body.operand_ty(&lane).bits(&self.cx.out.target);
            let x = match self.body.operand_ty(&lane) {
                Ty::Int(_) => lane,
                _ => self.cast(CastOp::Bitcast, lane, Ty::Int(w)),
            };
            let bit = self.icmp(IntPred::Slt, x, Operand::int(w, 0));
            let bit = self.cast(CastOp::ZExt, bit, Ty::Int(32));
            let bit = self.binary(BinOp::Shl, bit, Operand::int(32, i as u128));
            r = self.binary(BinOp::Or, r, bit);
        }
        Ok(vec![r])
    }

    /// All lanes shifted by one number: by more than they have bits leaves nothing of them, or copies of the sign.
    fn lane_shift(&mut self, v: Val<'m>, op: BinOp) -> Result<Option<Leaves>, String> {
        self.lanes2(v, |s, lane, count| {
            let w = s.body.operand_ty(&lane).bits(&s.cx.out.target);
            let most = Operand::int(w, u128::from(w) - 1);
            let all = s.icmp(IntPred::Uge, count.clone(), Operand::int(32, w.into()));
            let amount = s.resize(count, w);
            let amount = s.binary(BinOp::And, amount, most.clone());
            let none = if op == BinOp::AShr { s.binary(op, lane.clone(), most) } else { Operand::int(w, 0) };
            let some = s.binary(op, lane, amount);
            s.emit1(InstKind::Select { cond: all, then: none, other: some }, Ty::Int(w))
        })
    }

    /// -1, 0 or 1.
    fn three_way(&mut self, v: Val<'m>, signed: bool) -> Result<Leaves, String> {
        let types = self.types(v.inst().ty)?;
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        let (lt, gt) = if signed { (IntPred::Slt, IntPred::Sgt) } else { (IntPred::Ult, IntPred::Ugt) };
        Ok(a.into_iter()
            .zip(b)
            .zip(types)
            .map(|((x, y), t)| {
                let less = self.icmp(lt, x.clone(), y.clone());
                let more = self.icmp(gt, x, y);
                let less = self.cast(CastOp::SExt, less, t);
                let more = self.cast(CastOp::ZExt, more, t);
                self.binary(BinOp::Or, less, more)
            })
            .collect())
    }

    /// The pointer keeps its object; the address is masked: subtract the bits that the mask clears.
    fn ptrmask(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let p = v.operand(0).ok_or("missing operand")?;
        if let Some(t) = self.pointee(p) {
            self.pointees.insert(v, t);
        }
        let ptrs = self.leaves_of(p)?;
        let masks = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        let bits = self.cx.out.target.pointer_bits;
        Ok(ptrs
            .into_iter()
            .zip(masks)
            .map(|(base, mask)| {
                let addr = self.cast(CastOp::PtrToInt, base.clone(), Ty::Int(bits));
                let mask = self.resize(mask, bits);
                let kept = self.binary(BinOp::And, addr.clone(), mask);
                let index = self.binary(BinOp::Sub, kept, addr);
                let steps = vec![Step::Index { elem: None, index, stride: 1, count: None }];
                self.emit1(InstKind::Addr { base, steps, inbounds: false }, Ty::Ptr)
            })
            .collect())
    }

    /// `vector.reduce.*`, in lane order; the floating-point sums start from the first operand.
    fn reduce(&mut self, v: Val<'m>, which: &str) -> Result<Leaves, String> {
        let op = which.split('.').next().unwrap_or(which);
        let start = matches!(op, "fadd" | "fmul");
        let lanes = self.leaves_of(v.operand(u32::from(start)).ok_or("missing operand")?)?;
        let mut acc = if start { Some(self.arg(v, 0)?) } else { None };
        for x in lanes {
            let Some(a) = acc else {
                acc = Some(x);
                continue;
            };
            let ty = self.body.operand_ty(&x);
            let int = |s: &mut Self, op, a, x| s.binary(op, a, x);
            let float = |s: &mut Self, op, lhs, rhs| s.emit1(InstKind::FBinary { op, lhs, rhs }, ty);
            acc = Some(match op {
                "add" => int(self, BinOp::Add, a, x),
                "mul" => int(self, BinOp::Mul, a, x),
                "and" => int(self, BinOp::And, a, x),
                "or" => int(self, BinOp::Or, a, x),
                "xor" => int(self, BinOp::Xor, a, x),
                "smin" => int(self, BinOp::SMin, a, x),
                "smax" => int(self, BinOp::SMax, a, x),
                "umin" => int(self, BinOp::UMin, a, x),
                "umax" => int(self, BinOp::UMax, a, x),
                "fadd" => float(self, FBinOp::Add, a, x),
                "fmul" => float(self, FBinOp::Mul, a, x),
                "fmin" => float(self, FBinOp::MinNum, a, x),
                "fmax" => float(self, FBinOp::MaxNum, a, x),
                "fminimum" => float(self, FBinOp::Minimum, a, x),
                "fmaximum" => float(self, FBinOp::Maximum, a, x),
                _ => return Err(format!("intrinsic llvm.vector.reduce.{which}")),
            });
        }
        Ok(vec![acc.ok_or("empty vector")?])
    }

    /// `is.fpclass`, on the bits. The mask's bits: signalling and quiet NaN, -inf, -normal, -subnormal, -0, +0,
    /// +subnormal, +normal, +inf.
    fn fpclass(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let args = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let Operand::Const(Const::Int { value: mask, .. }) = self.arg(v, 1)? else {
            return Err("intrinsic llvm.is.fpclass with a computed mask".into());
        };
        args.into_iter().map(|a| self.fpclass_lane(a, mask as u32)).collect()
    }

    fn fpclass_lane(&mut self, x: Operand, mask: u32) -> Result<Operand, String> {
        let Ty::Float(kind) = self.body.operand_ty(&x) else { return Err("is.fpclass of a non-float".into()) };
        use verify_ir::FloatKind::*;
        // Stored mantissa bits; x87 stores the integer bit too.
        let frac = match kind {
            Half => 10,
            BFloat => 7,
            Single => 23,
            Double => 52,
            Quad => 112,
            X87 => 64,
        };
        let w = kind.bits();
        let bits = self.cast(CastOp::Bitcast, x, Ty::Int(w));
        let c = |v: u128| Operand::int(w, v);
        let ones = |n: u32| if n >= 128 { u128::MAX } else { (1u128 << n) - 1 };
        let abs = self.binary(BinOp::And, bits.clone(), c(ones(w - 1)));
        let sign = self.icmp(IntPred::Ne, bits, abs.clone());
        let exp = ones(w - 1) ^ ones(frac);
        // For x87, infinity has the integer bit set.
        let inf = if kind == X87 { exp | 1 << 63 } else { exp };
        let quiet = if kind == X87 { inf | 1 << 62 } else { inf | 1 << (frac - 1) };
        let smallest = if kind == X87 { 1 << 63 } else { 1 << frac };
        let is_nan = self.icmp(IntPred::Ugt, abs.clone(), c(inf));
        let is_qnan = self.icmp(IntPred::Uge, abs.clone(), c(quiet));
        let not_q = self.not(is_qnan.clone());
        let is_snan = self.binary(BinOp::And, is_nan, not_q);
        let is_inf = self.icmp(IntPred::Eq, abs.clone(), c(inf));
        let is_zero = self.icmp(IntPred::Eq, abs.clone(), c(0));
        let below = self.icmp(IntPred::Ult, abs.clone(), c(smallest));
        let nonzero = self.not(is_zero.clone());
        let is_sub = self.binary(BinOp::And, below.clone(), nonzero);
        let finite = self.icmp(IntPred::Ult, abs, c(inf));
        let not_below = self.not(below);
        let is_normal = self.binary(BinOp::And, finite, not_below);
        let mut r = Operand::int(1, 0);
        let mut any = |s: &mut Self, o: Operand| r = s.binary(BinOp::Or, r.clone(), o);
        if mask & 1 != 0 {
            any(self, is_snan);
        }
        if mask & 2 != 0 {
            any(self, is_qnan);
        }
        for (class, neg, pos) in [(is_inf, 2, 9), (is_normal, 3, 8), (is_sub, 4, 7), (is_zero, 5, 6)] {
            match (mask >> neg & 1 != 0, mask >> pos & 1 != 0) {
                (true, true) => any(self, class),
                (true, false) => {
                    let o = self.binary(BinOp::And, class, sign.clone());
                    any(self, o);
                }
                (false, true) => {
                    let plus = self.not(sign.clone());
                    let o = self.binary(BinOp::And, class, plus);
                    any(self, o);
                }
                (false, false) => {}
            }
        }
        Ok(r)
    }

    /// Constrained floating point (`#pragma STDC FENV_ACCESS`): the same operation; its rounding mode must be the
    /// dynamic or the default one. Exception flags are not modelled.
    fn constrained(&mut self, v: Val<'m>, n: &str) -> Result<Leaves, String> {
        let mut values = Vec::new();
        let mut modes = Vec::new();
        for a in v.call_args() {
            if a.kind() == ValueKind::LLVMMetadataAsValueValueKind {
                modes.push(a.md_string());
            } else {
                values.push(a);
            }
        }
        if modes.iter().any(|m| m == "fpexcept.strict") {
            // Values are the same; only `fetestexcept` could tell.
            let note = format!("{} (FENV_ACCESS)", verify_ir::module::FLAGS);
            if !self.cx.out.unmodelled.contains(&note) {
                self.cx.out.unmodelled.push(note);
            }
        }
        if let Some(m) =
            modes.iter().find(|m| m.starts_with("round.") && *m != "round.tonearest" && *m != "round.dynamic")
        {
            return Err(format!("rounding mode {m}"));
        }
        let types = self.types(v.inst().ty)?;
        let mut args = Vec::new();
        for x in &values {
            args.push(self.leaves_of(*x)?);
        }
        let lane = |args: &[Leaves], k: usize, i: usize| args.get(k).and_then(|l| l.get(i)).cloned();
        let mut out = Vec::new();
        for (i, t) in types.iter().enumerate() {
            let a = lane(&args, 0, i).ok_or("missing operand")?;
            let b = lane(&args, 1, i);
            out.push(if is(n, "fcmp") || is(n, "fcmps") {
                let pred = modes.first().and_then(|m| FloatPred::from_name(m)).ok_or("unknown predicate")?;
                self.emit1(InstKind::Fcmp { pred, lhs: a, rhs: b.ok_or("missing operand")? }, Ty::BOOL)
            } else if is(n, "fma") || is(n, "fmuladd") {
                let (b, c) = (b.ok_or("missing operand")?, lane(&args, 2, i).ok_or("missing operand")?);
                self.emit1(InstKind::Fma { a, b, c }, *t)
            } else if let Some(op) = float_binary(n) {
                self.emit1(InstKind::FBinary { op, lhs: a, rhs: b.ok_or("missing operand")? }, *t)
            } else if let Some(op) = float_unary(n) {
                self.emit1(InstKind::FUnary { op, arg: a }, *t)
            } else if let Some(op) = float_cast(n) {
                self.cast(op, a, *t)
            } else {
                return Err(format!("intrinsic llvm.experimental.constrained.{n}"));
            });
        }
        Ok(out)
    }
}

/// What `__builtin_constant_p` says without an optimiser.
fn is_constant(k: ValueKind) -> bool {
    use ValueKind::*;
    matches!(
        k,
        LLVMConstantIntValueKind
            | LLVMConstantFPValueKind
            | LLVMConstantPointerNullValueKind
            | LLVMConstantAggregateZeroValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind
    )
}

/// The instructions of x86 that shift all lanes of a vector by a number.
fn lane_shift(name: &str) -> Option<BinOp> {
    let rest = name.strip_prefix("x86.sse2.").or_else(|| name.strip_prefix("x86.avx2."))?;
    let (kind, lane) = rest.split_once('.')?;
    match (kind, lane) {
        ("pslli", "w" | "d" | "q") => Some(BinOp::Shl),
        ("psrli", "w" | "d" | "q") => Some(BinOp::LShr),
        ("psrai", "w" | "d") => Some(BinOp::AShr),
        _ => None,
    }
}
