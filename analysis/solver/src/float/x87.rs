//! The 80-bit extended format of the x87: sign, 15 bits of exponent, and a significand of 64 bits whose leading bit is
//! stored. Everything else works on [`Format::EXTENDED`], the same numbers without that bit (79 bits).
//!
//! Patterns whose leading bit contradicts the exponent: with exponent 0 and the bit set (a pseudo-denormal) the number
//! is what it says, that is the normal number of exponent 1. With another exponent and the bit clear (an unnormal,
//! pseudo-infinity or pseudo-NaN) the processor finds an invalid operand: the result is a NaN, comparisons are unordered.

use super::Format;
use crate::term::{Pool, Term};

const F: Format = Format::EXTENDED;

/// Width of a stored pattern.
pub const WIDTH: u32 = 80;

/// From the stored pattern; invalid operands are quiet NaNs.
pub fn from_bits(p: &mut Pool, a: Term) -> Term {
    // Made of an interchange pattern: that one.
    if let Some(x) = p.stored_extended(a) {
        return x;
    }
    let sign = p.extract(a, 79, 79);
    let field = p.extract(a, 78, 64);
    let one = p.extract(a, 63, 63);
    let fraction = p.extract(a, 62, 0);
    let zero = p.num(15, 0);
    let low = p.eq(field, zero);
    let pseudo = p.and(low, one);
    let first = p.num(15, 1);
    let field = p.ite(pseudo, first, field);
    let head = p.concat(sign, field);
    let number = p.concat(head, fraction);
    let nan = super::classify::quiet(p, F, number);
    let (high, clear) = (p.not(low), p.not(one));
    let invalid = p.and(high, clear);
    p.ite(invalid, nan, number)
}

/// The stored pattern.
pub fn to_bits(p: &mut Pool, x: Term) -> Term {
    let head = p.extract(x, 78, 63);
    let field = p.extract(x, 77, 63);
    let fraction = p.extract(x, 62, 0);
    let zero = p.num(15, 0);
    let one = p.ne(field, zero);
    let low = p.concat(one, fraction);
    let bits = p.concat(head, low);
    p.remember_extended(bits, x);
    bits
}
