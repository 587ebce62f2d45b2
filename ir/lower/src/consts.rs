//! Constants as operands. Constant expressions are instructions at the place of use.

use crate::cx::Cx;
use crate::ffi::{Typ, Val, ValueKind};
use crate::func::{FnCx, Leaves};
use verify_ir::{Const, Operand, SymbolRef, Ty};

/// The zero of a type.
pub fn zero(t: Ty) -> Const {
    match t {
        Ty::Int(w) => Const::int(w, 0),
        Ty::Ptr => Const::Null,
        Ty::Float(kind) => Const::Float { kind, bits: 0 },
    }
}

/// A constant of a scalar type from its bits.
pub fn from_words(t: Ty, words: &[u64]) -> Const {
    let low = u128::from(words.first().copied().unwrap_or(0)) | u128::from(words.get(1).copied().unwrap_or(0)) << 64;
    match t {
        Ty::Int(w) if w > 128 => Const::Wide { width: w, limbs: words.into() },
        Ty::Int(w) => Const::int(w, low),
        Ty::Float(kind) => Const::Float { kind, bits: low },
        Ty::Ptr => Const::Null,
    }
}

impl<'m> Cx<'m> {
    /// A constant that needs no instruction; `None` for constant expressions and non-constants.
    pub fn plain_constant(&mut self, v: Val<'m>) -> Result<Option<Leaves>, String> {
        let types = |cx: &mut Self, t: Typ<'m>| -> Result<Vec<Ty>, String> {
            Ok(cx.leaves(t)?.leaves.clone().unwrap_or_default())
        };
        use ValueKind::*;
        Ok(Some(match v.kind() {
            LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
                let t = types(self, v.ty())?;
                let (_, words) = v.const_bits().ok_or("constant without bits")?;
                t.iter().map(|t| Operand::Const(from_words(*t, &words))).collect()
            }
            LLVMConstantPointerNullValueKind | LLVMConstantAggregateZeroValueKind => {
                types(self, v.ty())?.into_iter().map(|t| Operand::Const(zero(t))).collect()
            }
            LLVMUndefValueValueKind => {
                types(self, v.ty())?.into_iter().map(|t| Operand::Const(Const::Undef(t))).collect()
            }
            LLVMPoisonValueKind => types(self, v.ty())?.into_iter().map(|t| Operand::Const(Const::Poison(t))).collect(),
            LLVMFunctionValueKind
            | LLVMGlobalAliasValueKind
            | LLVMGlobalIFuncValueKind
            | LLVMGlobalVariableValueKind => {
                self.leaves(v.ty())?;
                vec![Operand::Const(Const::Symbol(self.symbol(v)?))]
            }
            LLVMBlockAddressValueKind => {
                let (f, b) = v.block_address().ok_or("block address without block")?;
                let SymbolRef::Func(id) = self.symbol(f)? else { return Err("block of a non-function".into()) };
                let n = *self.cfg(f).number.get(&b).ok_or("address of a removed block")?;
                self.block_addresses = true;
                vec![Operand::Const(Const::BlockAddr(id, n))]
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => {
                let t = types(self, v.ty())?;
                let (raw, size) = v.const_data().ok_or("constant data without data")?;
                raw.chunks_exact(size as usize)
                    .zip(t)
                    .map(|(c, t)| {
                        let mut w = [0u8; 16];
                        w[..c.len()].copy_from_slice(c);
                        let v = u128::from_le_bytes(w);
                        Operand::Const(from_words(t, &[v as u64, (v >> 64) as u64]))
                    })
                    .collect()
            }
            _ => return Ok(None),
        }))
    }

    /// The symbol of a global value.
    pub fn symbol(&mut self, v: Val<'m>) -> Result<SymbolRef, String> {
        self.symbols.get(&v).copied().ok_or_else(|| format!("address of `{}`", v.global().name))
    }
}

impl<'m> FnCx<'_, 'm> {
    /// The leaves of a constant.
    pub(crate) fn constant(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        if let Some(l) = self.cx.plain_constant(v)? {
            return Ok(l);
        }
        use ValueKind::*;
        match v.kind() {
            LLVMConstantStructValueKind | LLVMConstantArrayValueKind | LLVMConstantVectorValueKind => {
                let mut out = Vec::new();
                let mut i = 0;
                while let Some(e) = v.operand(i) {
                    out.extend(self.leaves_of(e)?);
                    i += 1;
                }
                Ok(out)
            }
            LLVMConstantExprValueKind => match self.instruction(v)? {
                Some(l) => Ok(l),
                None => Err("constant expression without a value".into()),
            },
            LLVMMetadataAsValueValueKind => Err("metadata operand".into()),
            LLVMInlineAsmValueKind => Err("inline assembly as a value".into()),
            _ => match v.alias_target() {
                // dso_local_equivalent, no_cfi
                Some(t) => self.leaves_of(t),
                None => Err(format!("constant of kind {:?}", v.kind())),
            },
        }
    }
}
