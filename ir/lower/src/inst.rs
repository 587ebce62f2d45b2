//! Instructions (and constant expressions, which have the same opcodes): one LLVM operation to the IR operations on
//! its leaves. Vector operations are element by element.

use crate::ffi::{InstInfo, Opcode, Typ, Val, flag};
use crate::func::{FnCx, Leaves};
use crate::layout::PartKind;
use verify_ir::inst::{ArithFlags, BinOp, CastOp, FBinOp, FUnOp, FloatPred, IntPred, RmwOp};
use verify_ir::{Const, InstKind, Operand, Ty};

/// LLVM's numbering of integer predicates.
fn int_pred(n: u32) -> Option<IntPred> {
    use IntPred::*;
    [Eq, Ne, Ugt, Uge, Ult, Ule, Sgt, Sge, Slt, Sle].get((n as usize).checked_sub(32)?).copied()
}

/// LLVM's numbering of floating-point predicates.
fn float_pred(n: u32) -> Option<FloatPred> {
    use FloatPred::*;
    [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True].get(n as usize).copied()
}

fn rmw_op(n: u32) -> Option<RmwOp> {
    use RmwOp::*;
    [Xchg, Add, Sub, And, Nand, Or, Xor, Max, Min, UMax, UMin, FAdd, FSub, FMax, FMin, UIncWrap, UDecWrap]
        .get(n as usize)
        .copied()
}

fn binary_op(o: Opcode) -> Option<BinOp> {
    Some(match o {
        Opcode::LLVMAdd => BinOp::Add,
        Opcode::LLVMSub => BinOp::Sub,
        Opcode::LLVMMul => BinOp::Mul,
        Opcode::LLVMUDiv => BinOp::UDiv,
        Opcode::LLVMSDiv => BinOp::SDiv,
        Opcode::LLVMURem => BinOp::URem,
        Opcode::LLVMSRem => BinOp::SRem,
        Opcode::LLVMShl => BinOp::Shl,
        Opcode::LLVMLShr => BinOp::LShr,
        Opcode::LLVMAShr => BinOp::AShr,
        Opcode::LLVMAnd => BinOp::And,
        Opcode::LLVMOr => BinOp::Or,
        Opcode::LLVMXor => BinOp::Xor,
        _ => return None,
    })
}

fn float_op(o: Opcode) -> Option<FBinOp> {
    Some(match o {
        Opcode::LLVMFAdd => FBinOp::Add,
        Opcode::LLVMFSub => FBinOp::Sub,
        Opcode::LLVMFMul => FBinOp::Mul,
        Opcode::LLVMFDiv => FBinOp::Div,
        Opcode::LLVMFRem => FBinOp::Rem,
        _ => return None,
    })
}

fn cast_op(o: Opcode) -> Option<CastOp> {
    Some(match o {
        Opcode::LLVMTrunc => CastOp::Trunc,
        Opcode::LLVMZExt => CastOp::ZExt,
        Opcode::LLVMSExt => CastOp::SExt,
        Opcode::LLVMFPToUI => CastOp::FpToUi,
        Opcode::LLVMFPToSI => CastOp::FpToSi,
        Opcode::LLVMUIToFP => CastOp::UiToFp,
        Opcode::LLVMSIToFP => CastOp::SiToFp,
        Opcode::LLVMFPTrunc => CastOp::FpTrunc,
        Opcode::LLVMFPExt => CastOp::FpExt,
        _ => return None,
    })
}

impl<'m> FnCx<'_, 'm> {
    /// The leaves' types.
    pub(crate) fn types(&mut self, t: Typ<'m>) -> Result<Vec<Ty>, String> {
        Ok(self.cx.leaves(t)?.leaves.clone().unwrap_or_default())
    }

    /// Lowers an operation that is not a terminator or phi; `None` when it has no value.
    pub(crate) fn instruction(&mut self, v: Val<'m>) -> Result<Option<Leaves>, String> {
        let i = v.inst();
        let op = i.op.ok_or("instruction of an unknown kind")?;
        if let Some(op) = binary_op(op) {
            let flags = ArithFlags { nsw: i.has(flag::NSW), nuw: i.has(flag::NUW), exact: i.has(flag::EXACT) };
            return self.zip2(v, |s, lhs, rhs| {
                let ty = s.body.operand_ty(&lhs);
                Ok(s.emit1(InstKind::Binary { op, flags, lhs, rhs }, ty))
            });
        }
        if let Some(op) = float_op(op) {
            return self.zip2(v, |s, lhs, rhs| {
                let ty = s.body.operand_ty(&lhs);
                Ok(s.emit1(InstKind::FBinary { op, lhs, rhs }, ty))
            });
        }
        if let Some(op) = cast_op(op) {
            let types = self.types(i.ty)?;
            let args = self.leaves_of(v.operand(0).ok_or("cast without operand")?)?;
            return Ok(Some(self.map_casts(op, args, &types)));
        }
        use Opcode::*;
        match op {
            LLVMFNeg => {
                let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
                Ok(Some(a.into_iter().map(|arg| self.funary(FUnOp::Neg, arg)).collect()))
            }
            LLVMPtrToInt => {
                let types = self.types(i.ty)?;
                let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
                Ok(Some(a.into_iter().zip(types).map(|(arg, t)| self.ptr_to_int(arg, t)).collect()))
            }
            LLVMIntToPtr => {
                self.types(i.ty)?;
                let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
                Ok(Some(a.into_iter().map(|arg| self.int_to_ptr(arg)).collect()))
            }
            LLVMAddrSpaceCast => {
                // One of the two is a pointer into another address space, which has no leaves.
                let x = v.operand(0).ok_or("missing operand")?;
                self.types(i.ty)?;
                self.types(x.ty())?;
                self.leaves_of(x).map(Some)
            }
            LLVMBitCast => {
                let x = v.operand(0).ok_or("missing operand")?;
                if let Some(t) = self.pointee(x) {
                    self.pointees.insert(v, t);
                }
                let types = self.types(i.ty)?;
                let a = self.leaves_of(x)?;
                self.bitcast(a, &types).map(Some)
            }
            LLVMICmp => {
                let pred = int_pred(i.sub).ok_or("unknown predicate")?;
                self.zip2(v, |s, lhs, rhs| Ok(s.icmp(pred, lhs, rhs)))
            }
            LLVMFCmp => {
                let pred = float_pred(i.sub).ok_or("unknown predicate")?;
                self.zip2(v, |s, lhs, rhs| Ok(s.emit1(InstKind::Fcmp { pred, lhs, rhs }, Ty::BOOL)))
            }
            LLVMSelect => self.select(v).map(Some),
            LLVMFreeze => {
                let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
                Ok(Some(
                    a.into_iter()
                        .map(|arg| {
                            let ty = self.body.operand_ty(&arg);
                            self.emit1(InstKind::Freeze { arg }, ty)
                        })
                        .collect(),
                ))
            }
            LLVMGetElementPtr => self.gep(v, &i).map(Some),
            LLVMAlloca => self.alloca(v, &i).map(Some),
            LLVMLoad => self.load(v, &i).map(Some),
            LLVMStore => {
                let value = v.operand(0).ok_or("missing operand")?;
                let leaves = self.leaves_of(value)?;
                let ptr = self.arg(v, 1)?;
                self.store_value(ptr, leaves, value.ty(), &i)?;
                Ok(None)
            }
            LLVMExtractValue => {
                let x = v.operand(0).ok_or("missing operand")?;
                let a = self.leaves_of(x)?;
                let (at, n) = self.path(x.ty(), &v.indices())?;
                Ok(Some(a.get(at..at + n).ok_or("index outside the aggregate")?.to_vec()))
            }
            LLVMInsertValue => {
                let x = v.operand(0).ok_or("missing operand")?;
                let mut a = self.leaves_of(x)?;
                let e = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
                let (at, n) = self.path(x.ty(), &v.indices())?;
                a.get_mut(at..at + n).filter(|s| s.len() == e.len()).ok_or("index outside")?.clone_from_slice(&e);
                Ok(Some(a))
            }
            LLVMExtractElement => self.extract_element(v).map(Some),
            LLVMInsertElement => self.insert_element(v).map(Some),
            LLVMShuffleVector => {
                let mut a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
                let first = a.first().map(|o| self.body.operand_ty(o)).ok_or("empty vector")?;
                a.extend(self.leaves_of(v.operand(1).ok_or("missing operand")?)?);
                Ok(Some(
                    v.shuffle_mask()
                        .into_iter()
                        // A negative lane is unspecified in the C built-in (-1), not an error.
                        .map(|m| usize::try_from(m).ok().and_then(|m| a.get(m).cloned()))
                        .map(|o| o.unwrap_or(Operand::Const(Const::Undef(first))))
                        .collect(),
                ))
            }
            LLVMCall => self.call(v),
            LLVMFence => Ok(None),
            LLVMAtomicRMW => {
                let op = rmw_op(i.sub).ok_or("unknown atomic operation")?;
                if i.has(flag::VOLATILE) {
                    self.note_beside("volatile");
                }
                let ptr = self.arg(v, 0)?;
                let value = self.arg(v, 1)?;
                let ty = self.body.operand_ty(&value);
                Ok(Some(vec![self.emit1(InstKind::AtomicRmw { op, ptr, value }, ty)]))
            }
            LLVMAtomicCmpXchg => {
                let ptr = self.arg(v, 0)?;
                let expected = self.arg(v, 1)?;
                let new = self.arg(v, 2)?;
                let ty = self.body.operand_ty(&new);
                let weak = i.has(flag::WEAK);
                if i.has(flag::VOLATILE) {
                    self.note_beside("volatile");
                }
                Ok(Some(self.emit(InstKind::CmpXchg { ptr, expected, new, weak }, &[ty, Ty::BOOL])))
            }
            LLVMVAArg => Err("va_arg instruction (the target's front end leaves it to the back end)".into()),
            LLVMLandingPad => Err("C++ exception handling (landingpad)".into()),
            LLVMCatchPad | LLVMCleanupPad => Err("Windows exception handling".into()),
            _ => Err(format!("{op:?}").replace("LLVM", "LLVM instruction ")),
        }
    }

    /// Element-wise operation on operands 0 and 1.
    fn zip2(
        &mut self,
        v: Val<'m>,
        mut f: impl FnMut(&mut Self, Operand, Operand) -> Result<Operand, String>,
    ) -> Result<Option<Leaves>, String> {
        let a = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let b = self.leaves_of(v.operand(1).ok_or("missing operand")?)?;
        a.into_iter().zip(b).map(|(x, y)| f(self, x, y)).collect::<Result<_, _>>().map(Some)
    }

    /// One operation of one floating-point operand.
    pub(crate) fn funary(&mut self, op: FUnOp, arg: Operand) -> Operand {
        let ty = self.body.operand_ty(&arg);
        self.emit1(InstKind::FUnary { op, arg }, ty)
    }

    /// A conversion; none when the types agree and the operation allows it.
    pub(crate) fn cast(&mut self, op: CastOp, arg: Operand, to: Ty) -> Operand {
        self.emit1(InstKind::Cast { op, arg }, to)
    }

    fn map_casts(&mut self, op: CastOp, args: Leaves, types: &[Ty]) -> Leaves {
        args.into_iter().zip(types).map(|(a, t)| self.cast(op, a, *t)).collect()
    }

    /// Integer to a given width, zero-extended or truncated.
    pub(crate) fn resize(&mut self, arg: Operand, width: u32) -> Operand {
        match self.body.operand_ty(&arg) {
            Ty::Int(w) if w > width => self.cast(CastOp::Trunc, arg, Ty::Int(width)),
            Ty::Int(w) if w < width => self.cast(CastOp::ZExt, arg, Ty::Int(width)),
            _ => arg,
        }
    }

    fn ptr_to_int(&mut self, arg: Operand, to: Ty) -> Operand {
        let bits = self.cx.out.target.pointer_bits;
        let x = self.cast(CastOp::PtrToInt, arg, Ty::Int(bits));
        let Ty::Int(w) = to else { return x };
        self.resize(x, w)
    }

    fn int_to_ptr(&mut self, arg: Operand) -> Operand {
        let bits = self.cx.out.target.pointer_bits;
        let x = self.resize(arg, bits);
        self.cast(CastOp::IntToPtr, x, Ty::Ptr)
    }

    fn select(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let c = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let (tv, ov) = (v.operand(1).ok_or("missing operand")?, v.operand(2).ok_or("missing operand")?);
        if let Some(t) = self.pointee(tv).or_else(|| self.pointee(ov)) {
            self.pointees.insert(v, t);
        }
        let t = self.leaves_of(tv)?;
        let o = self.leaves_of(ov)?;
        let lanes = c.len();
        Ok(t.into_iter()
            .zip(o)
            .enumerate()
            .map(|(i, (then, other))| {
                let cond = c[if lanes == 1 { 0 } else { i }].clone();
                let ty = self.body.operand_ty(&then);
                self.emit1(InstKind::Select { cond, then, other }, ty)
            })
            .collect())
    }

    /// First leaf and number of leaves of a member.
    fn path(&mut self, mut t: Typ<'m>, ix: &[u32]) -> Result<(usize, usize), String> {
        let mut at = 0;
        for &i in ix {
            let l = self.cx.leaves(t)?;
            if let Some((ft, _, leaf)) = l.fields.get(i as usize) {
                at += leaf;
                t = *ft;
            } else {
                at += l.elem_leaves * i as usize;
                t = l.info.elem.ok_or("index into a scalar")?;
            }
        }
        Ok((at, self.types(t)?.len()))
    }

    // ---- Memory ----------------------------------------------------------------------------------------------------

    fn alloca(&mut self, v: Val<'m>, i: &InstInfo<'m>) -> Result<Leaves, String> {
        let t = i.aux.ok_or("alloca without type")?;
        let l = self.cx.layout(t);
        if !l.info.sized {
            return Err("stack object of a type without fixed size".into());
        }
        let mut elem_size = l.info.alloc_size;
        let mut count = self.arg(v, 0)?;
        if let Operand::Const(Const::Int { value, .. }) = count {
            elem_size = elem_size.saturating_mul(value as u64);
            count = Operand::int(64, 1);
        }
        let var = self.declared(v);
        let mut ctype = var.and_then(|x| self.body.vars[x.index()].ctype);
        if ctype.is_none() {
            ctype = self.cx.record_for(t, None);
            if let Some(c) = ctype {
                self.pointees.insert(v, c);
            }
        }
        let r = self.emit1(InstKind::Alloca { elem_size, count, align: i.align.max(1), ctype }, Ty::Ptr);
        if let (Some(x), Operand::Value(r)) = (var, &r) {
            self.body.values[r.index()].var = Some(x);
        }
        Ok(vec![r])
    }

    fn load(&mut self, v: Val<'m>, i: &InstInfo<'m>) -> Result<Leaves, String> {
        let p = v.operand(0).ok_or("missing operand")?;
        let ptr = self.operand(p)?;
        if let Some(t) = self.pointee(p)
            && let Some(to) = self.cx.pointer_at_start(t)
        {
            self.pointees.insert(v, to);
        }
        self.load_value(ptr, i.ty, i)
    }

    /// Reads a value part by part. `i` gives alignment, `volatile`, `atomic`.
    pub(crate) fn load_value(&mut self, ptr: Operand, t: Typ<'m>, i: &InstInfo<'m>) -> Result<Leaves, String> {
        let l = self.cx.leaves(t)?;
        let types = l.leaves.clone().unwrap_or_default();
        let (volatile, atomic) = (i.has(flag::VOLATILE), i.has(flag::ATOMIC));
        let mut out = vec![Operand::Const(Const::Null); types.len()];
        for p in &l.parts {
            let at = self.at_offset(ptr.clone(), p.offset);
            let align = part_align(i.align, p.offset);
            match p.kind {
                PartKind::Scalar => {
                    let kind = InstKind::Load { ptr: at, align, volatile, atomic };
                    out[p.leaf] = self.emit1(kind, types[p.leaf]);
                }
                PartKind::Packed { lanes, bits } => {
                    let whole = Ty::Int(lanes as u32 * bits);
                    let x = self.emit1(InstKind::Load { ptr: at, align, volatile, atomic }, whole);
                    let lanes = self.split(x, &types[p.leaf..p.leaf + lanes]);
                    out[p.leaf..p.leaf + lanes.len()].clone_from_slice(&lanes);
                }
            }
        }
        Ok(out)
    }

    /// Writes a value part by part.
    pub(crate) fn store_value(
        &mut self,
        ptr: Operand,
        leaves: Leaves,
        t: Typ<'m>,
        i: &InstInfo<'m>,
    ) -> Result<(), String> {
        let l = self.cx.leaves(t)?;
        let (volatile, atomic) = (i.has(flag::VOLATILE), i.has(flag::ATOMIC));
        for p in &l.parts {
            let at = self.at_offset(ptr.clone(), p.offset);
            let align = part_align(i.align, p.offset);
            let value = match p.kind {
                PartKind::Scalar => leaves[p.leaf].clone(),
                PartKind::Packed { lanes, .. } => self.join(&leaves[p.leaf..p.leaf + lanes]),
            };
            self.emit0(InstKind::Store { ptr: at, value, align, volatile, atomic });
        }
        Ok(())
    }
}

/// The alignment that is known at an offset.
fn part_align(align: u64, offset: u64) -> u64 {
    let align = align.max(1);
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(62)) }
}
