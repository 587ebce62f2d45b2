//! The two type systems of the IR. [`Ty`] is what SSA values have: integers of any width, pointers and floats;
//! there are no aggregates and no vectors in SSA (lowering splits them into several values). [`CType`] is what the
//! programmer wrote, kept for messages, access paths and input construction: it never decides what an instruction does.

use crate::entity::TypeId;
use serde::{Deserialize, Serialize};

/// The type of an SSA value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Ty {
    /// An integer of the given width in bits (1 to 2^23), without signedness: operations carry it.
    Int(u32),
    /// A pointer: (object, byte offset). Its width is [`Target::pointer_bits`].
    Ptr,
    /// An IEEE-754 or x87 number.
    Float(FloatKind),
}

impl Ty {
    /// The one-bit integer, C's truth value.
    pub const BOOL: Ty = Ty::Int(1);

    /// Number of value bits on `target`.
    pub fn bits(self, target: &Target) -> u32 {
        match self {
            Ty::Int(w) => w,
            Ty::Ptr => target.pointer_bits,
            Ty::Float(k) => k.bits(),
        }
    }

    /// Bytes that a load or store of this type touches (x87: 10, not the padded 16).
    pub fn store_bytes(self, target: &Target) -> u64 {
        u64::from(self.bits(target)).div_ceil(8)
    }
}

/// Floating-point formats that C compilers emit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum FloatKind {
    /// IEEE binary16.
    Half,
    /// bfloat16.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// x87 80-bit extended.
    X87,
    /// IEEE binary128.
    Quad,
}

impl FloatKind {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }
}

/// What the IR needs to know of the machine that the unit was compiled for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// LLVM target triple, e.g. `x86_64-pc-linux-gnu`.
    pub triple: String,
    /// Width of a pointer in bits: 16, 32 or 64.
    pub pointer_bits: u32,
    /// Byte order of multi-byte values in memory.
    pub big_endian: bool,
}

impl Target {
    /// Width of a pointer in bytes.
    pub fn pointer_bytes(&self) -> u64 {
        u64::from(self.pointer_bits / 8)
    }
}

impl Default for Target {
    fn default() -> Self {
        Target { triple: "x86_64-pc-linux-gnu".into(), pointer_bits: 64, big_endian: false }
    }
}

/// A C type, from the debug information.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CType {
    /// `void`, or a type that the debug information does not give.
    Void,
    /// An arithmetic type.
    Base {
        /// As in C, e.g. `unsigned int`.
        name: String,
        /// Interpretation of its bits.
        encoding: Encoding,
        /// Width in bits.
        bits: u32,
    },
    /// Pointer to a type.
    Pointer(TypeId),
    /// `struct`, `union` or C++ class.
    Record(Record),
    /// Array; `count` is `None` for flexible, incomplete and variable-length ones.
    Array {
        /// Element type.
        elem: TypeId,
        /// Number of elements.
        count: Option<u64>,
    },
    /// `enum`.
    Enum {
        /// Tag, empty when anonymous.
        name: String,
        /// Underlying integer type.
        underlying: TypeId,
        /// Names and values, in source order.
        enumerators: Vec<(String, i128)>,
    },
    /// `typedef`.
    Typedef {
        /// The new name.
        name: String,
        /// What it stands for.
        ty: TypeId,
    },
    /// A qualified type.
    Qualified {
        /// `const`, `volatile`, `restrict` or `_Atomic`.
        qualifier: Qualifier,
        /// The type it qualifies.
        ty: TypeId,
    },
    /// Function type.
    Function {
        /// Result; `void` is [`CType::Void`].
        ret: TypeId,
        /// Parameters.
        params: Vec<TypeId>,
        /// Ends with `...` (or has no prototype).
        variadic: bool,
    },
}

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

/// How the bits of a base type are read (DW_ATE_*).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Encoding {
    Bool,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Float,
    ComplexFloat,
    Other,
}

/// `struct`, `union`, `class`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Tag, empty when anonymous.
    pub name: String,
    /// All fields at offset 0.
    pub is_union: bool,
    /// Size in bytes; 0 for a record that is only declared.
    pub size: u64,
    /// Alignment in bytes, 0 when the debug information is silent.
    pub align: u64,
    /// Declared but not defined in this unit.
    pub incomplete: bool,
    /// Fields in source order.
    pub fields: Vec<Field>,
}

impl Record {
    /// The index of the field at a byte offset: one that starts there, one that spans it, or a flexible array member.
    pub fn field_at(&self, offset: u64) -> Option<usize> {
        let bit = offset.checked_mul(8)?;
        let covers = |f: &Field| f.bit_offset <= bit && bit - f.bit_offset < f.bit_size;
        let starts = |f: &Field| f.bit_offset / 8 == offset;
        let pos = |p: &dyn Fn(&Field) -> bool| self.fields.iter().position(p);
        pos(&|f| starts(f) && f.bit_size != 0).or_else(|| pos(&covers)).or_else(|| pos(&starts))
    }
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Name, empty for an anonymous struct or union member.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Offset from the start of the record, in bits.
    pub bit_offset: u64,
    /// Size in bits (of the bit-field, for one).
    pub bit_size: u64,
    /// Declared with a `: width`.
    pub bit_field: bool,
}
