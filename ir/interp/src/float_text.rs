//! Text of floating-point numbers, digit for digit as glibc's `printf` writes them (`%e %f %g %a` and their capitals):
//! exact decimal expansion, rounded half to even.

use crate::big::{bit_len, low_u128, ones, trailing_zeros};
use crate::float::{Num, decode, precision};
use dashu::base::DivRem;
use dashu::integer::UBig;
use verify_ir::FloatKind;

/// The text of the finite number `bits` (its sign is ignored) for conversion `conv`; `prec` negative: the default.
/// `alternate` is printf's `#`. `None` for infinities, NaN and unknown conversions.
pub(crate) fn format(kind: FloatKind, bits: u128, conv: u8, alternate: bool, prec: i32) -> Option<String> {
    let Num::Fin(_, m, e) = decode(kind, bits) else { return None };
    let lower = conv.to_ascii_lowercase();
    let p = if prec < 0 { 6 } else { prec as usize };
    let text = match lower {
        b'f' => fixed(&m, e, p, alternate),
        b'e' => {
            let (digits, x) = scientific(&m, e, p);
            exponential(&digits, x, alternate)
        }
        b'g' => {
            let p = p.max(1);
            let (digits, x) = scientific(&m, e, p - 1);
            let mut t = if x < -4 || x >= p as i64 {
                let mut digits = digits;
                if !alternate {
                    while digits.len() > 1 && digits.ends_with('0') {
                        digits.pop();
                    }
                }
                exponential(&digits, x, alternate)
            } else {
                fixed(&m, e, (p as i64 - 1 - x) as usize, alternate)
            };
            if !alternate && t.contains('.') && !t.contains('e') {
                t.truncate(t.trim_end_matches('0').trim_end_matches('.').len());
            }
            t
        }
        b'a' => hexadecimal(kind, &m, e, alternate, prec),
        _ => return None,
    };
    Some(if conv.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text })
}

/// Behind so many digits, all digits of a number are zeros: the least `long double` has 16445 behind the point, the
/// greatest 4933 before it.
const DIGITS: i32 = 22_000;

/// The same text where a precision may ask for any number of zeros: the length, and the text if that is at most `cap`.
pub(crate) fn format_up_to(
    kind: FloatKind,
    bits: u128,
    conv: u8,
    alternate: bool,
    prec: i32,
    cap: u64,
) -> Option<(u64, Option<String>)> {
    let mut text = format(kind, bits, conv, alternate, prec.min(DIGITS))?;
    let drops_zeros = conv.eq_ignore_ascii_case(&b'g') && !alternate;
    let zeros = if drops_zeros { 0 } else { (prec - prec.min(DIGITS)) as usize };
    let len = (text.len() + zeros) as u64;
    if zeros > 0 && len <= cap {
        let exponent = if conv.eq_ignore_ascii_case(&b'a') { ['p', 'P'] } else { ['e', 'E'] };
        let at = text.find(exponent).unwrap_or(text.len());
        text.insert_str(at, &"0".repeat(zeros));
    }
    Some((len, (len <= cap).then_some(text)))
}

/// `m * 2^e * 10^p` rounded half to even.
fn scaled(m: &UBig, e: i64, p: i64) -> UBig {
    let ten = UBig::from(10u8);
    let (mut num, mut den) = (m.clone(), UBig::ONE);
    if p >= 0 {
        num *= ten.pow(p as usize);
    } else {
        den *= ten.pow((-p) as usize);
    }
    if e >= 0 {
        num <<= e as usize;
    } else {
        den <<= (-e) as usize;
    }
    let (q, r) = num.div_rem(&den);
    let twice = r << 1usize;
    let odd = trailing_zeros(&q, 1) == 0;
    if twice > den || (twice == den && odd) { q + UBig::ONE } else { q }
}

fn fixed(m: &UBig, e: i64, p: usize, alternate: bool) -> String {
    let mut s = scaled(m, e, p as i64).to_string();
    if s.len() <= p {
        s = "0".repeat(p + 1 - s.len()) + &s;
    }
    if p > 0 {
        s.insert(s.len() - p, '.');
    } else if alternate {
        s.push('.');
    }
    s
}

/// `p + 1` digits and the decimal exponent of the first.
fn scientific(m: &UBig, e: i64, p: usize) -> (String, i64) {
    if *m == UBig::ZERO {
        return ("0".repeat(p + 1), 0);
    }
    // An estimate of the exponent that is at most one too low; then digits tell.
    let top = (i64::from(bit_len(m)) - 1 + e) as f64;
    let mut x = (top * std::f64::consts::LOG10_2).floor() as i64;
    loop {
        let s = scaled(m, e, p as i64 - x).to_string();
        if s.len() == p + 1 {
            return (s, x);
        }
        // Rounding up to a power of ten, or the estimate was low: one more place. Too high: one less.
        if s.len() > p + 1 {
            x += 1;
        } else {
            x -= 1;
        }
    }
}

fn exponential(digits: &str, x: i64, alternate: bool) -> String {
    let mut s = digits[..1].to_string();
    if digits.len() > 1 || alternate {
        s.push('.');
    }
    s.push_str(&digits[1..]);
    let sign = if x < 0 { '-' } else { '+' };
    s + &format!("e{sign}{:02}", x.abs())
}

fn hexadecimal(kind: FloatKind, m: &UBig, e: i64, alternate: bool, prec: i32) -> String {
    let p = precision(kind);
    // x87 shows the four leading bits before the point, the others one.
    let lead_bits = if kind == FloatKind::X87 { 4 } else { 1 };
    let frac_bits = p - lead_bits;
    let digits = frac_bits.div_ceil(4);
    let mut exp = if *m == UBig::ZERO { 0 } else { e + i64::from(frac_bits) };
    let pad = digits * 4 - frac_bits;
    let mut x = low_u128(m) << pad;
    if kind == FloatKind::X87 && *m != UBig::ZERO && bit_len(m) < p {
        // A denormal keeps its exponent and leading zeros.
    }
    let mut shown = digits;
    if prec >= 0 && (prec as u32) < digits {
        let cut = 4 * (digits - prec as u32);
        let rest = x & low_u128(&ones(cut));
        x >>= cut;
        let half = 1u128 << (cut - 1);
        if rest > half || (rest == half && x & 1 == 1) {
            x += 1;
        }
        shown = prec as u32;
        if x >> (4 * shown) > 0xf {
            x >>= 4;
            exp += 4;
        }
    }
    let mut lead = x >> (4 * shown);
    if lead > 0xf {
        lead >>= 4;
        exp += 4;
    }
    let mut frac: String =
        (0..shown).rev().map(|i| char::from(b"0123456789abcdef"[(x >> (4 * i) & 15) as usize])).collect();
    if prec < 0 {
        frac.truncate(frac.trim_end_matches('0').len());
    } else {
        frac += &"0".repeat(prec as usize - shown as usize);
    }
    let point = if frac.is_empty() && !alternate { "" } else { "." };
    let sign = if exp < 0 { '-' } else { '+' };
    format!("0x{lead:x}{point}{frac}p{sign}{}", exp.abs())
}
