//! Text that the `scanf` family reads so that it stores what a model says (ISO C 7.21.6.2). Each text is one reading of the
//! stream. A conversion that fails gets a lone sign where it wants a number, and the end of the input where it takes any
//! character. Where an earlier text left something, or a later conversion does not skip white space, what is read may be
//! something else: the execution tells.

use verify_encode::Scanned;
use verify_encode::scan::{Class, What, is_space};
use verify_solver::{Bv, Term};

/// Longest text of a conversion.
const MAX_TEXT: u64 = 1 << 12;

/// The texts to read, an empty one for the end of the input.
pub fn text(count: &Bv, pieces: &[Scanned], value: &mut impl FnMut(Term) -> Bv) -> Vec<Vec<u8>> {
    let count = count.to_u64().unwrap_or(0) as u32 as i32;
    let mut out = Vec::new();
    let mut done = 0;
    for (i, p) in pieces.iter().enumerate() {
        let counted = !matches!(p, Scanned::Space | Scanned::Byte(_) | Scanned::Skipped(_));
        if counted && done >= count {
            // A lone sign is taken, and no number.
            let number = matches!(p, Scanned::Integer { .. } | Scanned::Real(_));
            if number && count >= 0 {
                out.extend(b"+\n");
                return vec![out];
            }
            return if out.is_empty() { vec![Vec::new()] } else { vec![out, Vec::new()] };
        }
        done += i32::from(counted);
        let alone = !matches!(pieces.get(i + 1), Some(Scanned::Byte(_) | Scanned::Text { .. }));
        match p {
            Scanned::Space => out.push(b' '),
            Scanned::Byte(b) => out.push(*b),
            Scanned::Skipped(what) => out.extend(sample(what)),
            Scanned::Integer { value: t, letter, width } => {
                out.extend(integer(&value(*t), *letter, *width).bytes());
                if alone {
                    out.push(b'\n');
                }
            }
            Scanned::Real(t) => {
                out.extend(real(&value(*t)).bytes());
                if alone {
                    out.push(b'\n');
                }
            }
            Scanned::Text { length, bytes, class } => {
                let n = value(*length).to_u64().unwrap_or(MAX_TEXT).min(MAX_TEXT) as usize;
                let other = class.as_ref().and_then(some).unwrap_or(b'a');
                let known: Vec<u8> = bytes.iter().map(|t| value(*t).to_u64().unwrap_or(0) as u8).collect();
                out.extend((0..n).map(|i| known.get(i).copied().unwrap_or(other)));
                if class.as_ref().is_some_and(|c| !c.has(b'\n')) && alone {
                    out.push(b'\n');
                }
            }
        }
    }
    vec![out]
}

/// A printable member.
fn some(class: &Class) -> Option<u8> {
    (b'a'..=b'z').chain(b'!'..=b'~').chain(0..=255).find(|c| class.has(*c))
}

/// Text that a conversion takes.
fn sample(what: &What) -> Vec<u8> {
    match what {
        What::Integer { .. } | What::Real(_) => b"0 ".to_vec(),
        What::Characters(n) => vec![b'a'; (*n).min(MAX_TEXT) as usize],
        What::Text(class) => {
            let mut out: Vec<u8> = some(class).into_iter().collect();
            out.extend((!class.has(b' ') && !is_space(out.first().copied().unwrap_or(b'a'))).then_some(b' '));
            out
        }
    }
}

/// A number as the conversion reads it.
fn integer(v: &Bv, letter: char, width: Option<u64>) -> String {
    let bits = v.width();
    let raw = u128::from(v.to_u64().unwrap_or(0));
    let signed = if raw >> (bits - 1) & 1 == 1 { raw as i128 - (1 << bits) } else { raw as i128 };
    let text = match letter {
        'u' => raw.to_string(),
        'x' => format!("{raw:x}"),
        'o' => format!("{raw:o}"),
        _ => signed.to_string(),
    };
    // The width is not part of the formula.
    match width.and_then(|w| usize::try_from(w).ok()) {
        Some(w) if w < text.len() => text[..w].to_string(),
        _ => text,
    }
}

fn real(v: &Bv) -> String {
    let raw = v.to_u64().unwrap_or(0);
    let x = if v.width() == 32 { f64::from(f32::from_bits(raw as u32)) } else { f64::from_bits(raw) };
    match x {
        _ if x.is_nan() => "nan".into(),
        _ if x.is_infinite() => if x > 0.0 { "inf" } else { "-inf" }.into(),
        _ if v.width() == 32 => format!("{:e}", f32::from_bits(raw as u32)),
        _ => format!("{x:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_encode::Scanned::*;

    fn check(count: u128, pieces: &[Scanned], values: &[(u32, u128)], want: &[&str]) {
        let mut value = |t: Term| Bv::new(values[t.0 as usize].0, values[t.0 as usize].1);
        let count = Bv::new(32, count);
        let texts = text(&count, pieces, &mut value);
        assert_eq!(texts, want.iter().map(|w| w.as_bytes().to_vec()).collect::<Vec<_>>());
    }

    #[test]
    fn numbers() {
        let d = |t, letter| Integer { value: Term(t), letter, width: None };
        let two = [d(0, 'd'), Byte(b','), d(1, 'x')];
        check(2, &two, &[(32, 0xffff_ffff), (32, 255)], &["-1,ff\n"]);
        check(1, &two, &[(32, 7), (32, 255)], &["7,+\n"]);
        check(0, &two, &[(32, 7), (32, 255)], &["+\n"]);
        check(u128::from(u32::MAX), &two, &[(32, 7), (32, 255)], &[""]);
        check(1, &[Real(Term(0))], &[(64, u128::from(1.5f64.to_bits()))], &["1.5e0\n"]);
        check(1, &[Space, d(0, 'd'), Space], &[(64, 1 << 63)], &[" -9223372036854775808\n "]);
    }

    #[test]
    fn characters() {
        let text = Text { length: Term(0), bytes: vec![Term(1), Term(2)], class: None };
        check(1, std::slice::from_ref(&text), &[(64, 1), (8, 65), (8, 66)], &["A"]);
        check(0, &[text], &[(64, 1), (8, 65), (8, 66)], &[""]);
    }
}
