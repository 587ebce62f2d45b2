//! IEEE 754 binary floating point as operators on bit patterns: what each operator means for constants ([`exact`]), as a
//! circuit over bit-vector terms ([`circuit`], [`arith`], [`convert`]), as cheap consequences ([`bounds`]), and the
//! classification and comparison of patterns, which are small enough to be terms at once ([`classify`]). [`x87`] brings
//! the 80-bit format with its explicit integer bit to the interchange form that everything here works on.
//!
//! An application of [`Op::Float`](crate::Op::Float) is a free vector of bits for the SAT solver until a model leans on
//! its value; then consequences, and at last the circuit, are asserted ([`crate::refine`]).
//!
//! Results that the standard leaves open are operands: the last operand of an operator that may yield a NaN gives sign
//! and payload of it (what is missing to a quiet NaN is added), the last operand of a conversion to integers is the
//! result when the number does not fit. A caller that passes a free symbol allows what any machine does.

pub mod arith;
pub mod bounds;
pub mod circuit;
pub mod classify;
pub mod convert;
pub mod exact;
pub mod rewrite;
pub mod x87;

use crate::term::{Pool, Term};

/// A binary interchange format: sign, exponent, significand without its leading bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Format {
    /// Bits of the exponent, at least 2.
    pub exponent: u32,
    /// Bits of the significand with the leading one, at least 2.
    pub significand: u32,
}

impl Format {
    /// binary16.
    pub const HALF: Format = Format { exponent: 5, significand: 11 };
    /// bfloat16.
    pub const BFLOAT: Format = Format { exponent: 8, significand: 8 };
    /// binary32.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// binary64.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// The extended format of the x87 without its integer bit (79 bits): see [`x87`].
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };
    /// binary128.
    pub const QUAD: Format = Format { exponent: 15, significand: 113 };

    /// Bits of a pattern.
    pub fn width(self) -> u32 {
        self.exponent + self.significand
    }
    /// Excess of the exponent field, also the greatest exponent.
    pub fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }
    /// The least exponent of a normal number.
    pub fn least(self) -> i64 {
        1 - self.bias()
    }
}

/// Directions of rounding, in a term of [`MODE_BITS`] bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards positive.
    Up,
    /// Towards negative.
    Down,
    /// Towards zero.
    Zero,
}

/// Width of a rounding mode; patterns above 4 mean towards zero.
pub const MODE_BITS: u32 = 3;

impl Rounding {
    /// All of them, in the order of their numbers.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
    /// The mode of a number.
    pub fn of(n: u64) -> Rounding {
        Rounding::ALL.get(n as usize).copied().unwrap_or(Rounding::Zero)
    }
    /// The constant.
    pub fn term(self, p: &mut Pool) -> Term {
        p.num(MODE_BITS, self as u128)
    }
}

/// Operators on numbers of one [`Format`], which is the result's (for conversions to integers the operand's).
/// Operands in order: the rounding mode where there is one, numbers, what the result is where it is not determined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatOp {
    /// `mode, a, b, nan`: sum.
    Add,
    /// `mode, a, b, nan`: product.
    Mul,
    /// `mode, a, b, nan`: quotient.
    Div,
    /// `mode, a, b, c, nan`: `a * b + c`, rounded once.
    Fma,
    /// `mode, a, nan`: square root.
    Sqrt,
    /// `mode, a, nan`: the integral number that rounding gives.
    Integral,
    /// `a, b, nan`: C's `fmod`: the remainder of truncated division; always exact.
    Rem,
    /// `a, b, nan`: IEEE 754's remainder, of division rounded to nearest even; always exact.
    Remainder,
    /// `mode, a, nan`: from another format.
    Convert {
        /// The operand's.
        from: Format,
    },
    /// `mode, i`: from a two's complement number.
    FromSigned,
    /// `mode, i`: from an unsigned number.
    FromUnsigned,
    /// `mode, a, other`: to a two's complement number; `other` when it does not fit.
    ToSigned,
    /// `mode, a, other`: to an unsigned number; `other` when it does not fit.
    ToUnsigned,
}

impl FloatOp {
    /// The first operand is a rounding mode.
    pub fn rounds(self) -> bool {
        !matches!(self, FloatOp::Rem | FloatOp::Remainder)
    }
    /// The result is a number of the format, not an integer.
    pub fn makes_float(self) -> bool {
        !matches!(self, FloatOp::ToSigned | FloatOp::ToUnsigned)
    }
}
