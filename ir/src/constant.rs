//! Constants and operands. An integer constant of at most 128 bits is held inline; wider ones (`_BitInt`) are limbs.

use crate::entity::{AliasId, Block, FuncId, GlobalId, Value};
use crate::types::{FloatKind, Ty};
use serde::{Deserialize, Serialize};

/// What an instruction reads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Operand {
    /// The result of an instruction or a block parameter.
    Value(Value),
    /// A constant.
    Const(Const),
}

impl Operand {
    /// The integer constant `v` truncated to `width` bits.
    pub fn int(width: u32, v: u128) -> Operand {
        Operand::Const(Const::int(width, v))
    }
    /// The value, when this is not a constant.
    pub fn as_value(&self) -> Option<Value> {
        match self {
            Operand::Value(v) => Some(*v),
            Operand::Const(_) => None,
        }
    }
}

impl From<Value> for Operand {
    fn from(v: Value) -> Self {
        Operand::Value(v)
    }
}

/// A constant value.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Const {
    /// Integer of at most 128 bits; bits above `width` are 0.
    Int {
        /// Width in bits, 1 to 128.
        width: u32,
        /// Zero-extended value.
        value: u128,
    },
    /// Integer wider than 128 bits, least significant limb first; bits above `width` are 0.
    Wide {
        /// Width in bits.
        width: u32,
        /// `width.div_ceil(64)` limbs.
        limbs: Box<[u64]>,
    },
    /// Floating-point number by its bit pattern, zero-extended.
    Float {
        /// Format.
        kind: FloatKind,
        /// Bits.
        bits: u128,
    },
    /// The null pointer.
    Null,
    /// The address of a global, function or alias.
    Symbol(SymbolRef),
    /// The address of a block, for computed `goto`.
    BlockAddr(FuncId, Block),
    /// An unspecified value, each bit uninitialised. Not one value: each read may differ (lowering gives
    /// uninitialised variables an `uninit` instruction instead, which is one value).
    Undef(Ty),
    /// The result of an operation that LLVM folded because it is undefined. Reading it is a failing check.
    Poison(Ty),
}

impl Const {
    /// The integer constant `v` truncated to `width` bits (zero-extended when wider than 128).
    pub fn int(width: u32, v: u128) -> Const {
        if width <= 128 {
            let value = if width == 128 { v } else { v & ((1u128 << width) - 1) };
            Const::Int { width, value }
        } else {
            let mut limbs = vec![0u64; width.div_ceil(64) as usize];
            limbs[0] = v as u64;
            limbs[1] = (v >> 64) as u64;
            Const::Wide { width, limbs: limbs.into() }
        }
    }

    /// Its type.
    pub fn ty(&self) -> Ty {
        match self {
            Const::Int { width, .. } | Const::Wide { width, .. } => Ty::Int(*width),
            Const::Float { kind, .. } => Ty::Float(*kind),
            Const::Null | Const::Symbol(_) | Const::BlockAddr(..) => Ty::Ptr,
            Const::Undef(t) | Const::Poison(t) => *t,
        }
    }
}

/// A linker-level symbol of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum SymbolRef {
    /// Variable.
    Global(GlobalId),
    /// Function.
    Func(FuncId),
    /// Alias or ifunc.
    Alias(AliasId),
}
