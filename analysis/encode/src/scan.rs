//! Formats of the `scanf` family (ISO C 7.21.6.2): what a format takes from the input, and what it stores where. Not here, and
//! read as no plain format: positions, `%n`, `%p`, `long double`, wide characters, allocated targets (`%ms`).

use verify_ir::Module;

/// A character class, by bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class([u128; 2]);

impl Class {
    fn of(member: impl Fn(u8) -> bool) -> Class {
        let mut out = [0; 2];
        (0..=255u8).filter(|c| member(*c)).for_each(|c| out[usize::from(c >> 7)] |= 1 << (c & 127));
        Class(out)
    }

    /// The character is in it.
    pub fn has(&self, c: u8) -> bool {
        self.0[usize::from(c >> 7)] >> (c & 127) & 1 == 1
    }

    /// Its characters as ranges, in order.
    pub fn ranges(&self) -> Vec<(u8, u8)> {
        let mut out: Vec<(u8, u8)> = Vec::new();
        for c in (0..=255).filter(|c| self.has(*c)) {
            match out.last_mut() {
                Some((_, last)) if *last + 1 == c => *last = c,
                _ => out.push((c, c)),
            }
        }
        out
    }
}

/// What a conversion makes of the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A number of so many bytes.
    Integer {
        /// 1, 2, 4 or 8.
        bytes: u64,
        /// Conversion character: `d`, `i`, `u`, `o` or `x`.
        letter: char,
    },
    /// A number of floating point: 4 or 8 bytes.
    Real(u64),
    /// So many characters, without an end.
    Characters(u64),
    /// Characters of a class, at least one, and a zero.
    Text(Class),
}

/// A conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// What it makes.
    pub what: What,
    /// Characters that it takes at most.
    pub width: Option<u64>,
    /// What it makes is stored and counted.
    pub stored: bool,
}

/// Part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// White space, any amount.
    Space,
    /// This byte.
    Byte(u8),
    /// A conversion.
    Conversion(Conversion),
}

/// White space of the C locale.
pub fn is_space(c: u8) -> bool {
    matches!(c, b' ' | b'\t'..=b'\r')
}

/// Which argument of a function is the format, and whether it reads a stream (not a string).
pub fn shape(name: &str) -> Option<(usize, bool)> {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    match plain {
        "scanf" => Some((0, true)),
        "fscanf" => Some((1, true)),
        "sscanf" => Some((1, false)),
        _ => None,
    }
}

/// Reads a format; `None` where it is not plain.
pub fn parse(module: &Module, format: &str) -> Option<Vec<Piece>> {
    let word = u64::from(module.target.pointer_bits / 8);
    let mut rest = format.bytes().peekable();
    let mut out = Vec::new();
    while let Some(c) = rest.next() {
        if is_space(c) {
            if out.last() != Some(&Piece::Space) {
                out.push(Piece::Space);
            }
            continue;
        }
        if c != b'%' {
            out.push(Piece::Byte(c));
            continue;
        }
        let mut stored = true;
        while rest.next_if_eq(&b'*').is_some() {
            stored = false;
        }
        let mut width: Option<u64> = None;
        while let Some(d) = rest.next_if(u8::is_ascii_digit) {
            width = Some(width.unwrap_or(0) * 10 + u64::from(d - b'0')).filter(|w| *w < 1 << 20);
            width?;
        }
        if width == Some(0) {
            return None;
        }
        let mut length = String::new();
        while let Some(l) = rest.next_if(|c| b"hlqLzZjt".contains(c)) {
            length.push(char::from(l));
        }
        let bytes = match length.as_str() {
            "hh" => 1,
            "h" => 2,
            "" => 4,
            "ll" | "q" | "j" => 8,
            "l" | "z" | "Z" | "t" => word,
            _ => return None,
        };
        let letter = char::from(rest.next()?);
        let what = match letter {
            'd' | 'i' | 'u' | 'o' | 'x' => What::Integer { bytes, letter },
            'X' => What::Integer { bytes, letter: 'x' },
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' => match length.as_str() {
                "" => What::Real(4),
                "l" => What::Real(8),
                _ => return None,
            },
            'c' if length.is_empty() => What::Characters(width.unwrap_or(1)),
            's' if length.is_empty() => What::Text(not_space()),
            '[' if length.is_empty() => What::Text(class(&mut rest)?),
            '%' if length.is_empty() && width.is_none() && stored => {
                // White space before it is skipped.
                out.extend([Piece::Space, Piece::Byte(b'%')]);
                continue;
            }
            _ => return None,
        };
        out.push(Piece::Conversion(Conversion { what, width, stored }));
    }
    Some(out)
}

fn not_space() -> Class {
    Class::of(|c| !is_space(c))
}

/// The rest of `%[...]`, as glibc reads it: `a-z` is a range, in order.
fn class(rest: &mut impl Iterator<Item = u8>) -> Option<Class> {
    let mut c = rest.next()?;
    let negated = c == b'^';
    if negated {
        c = rest.next()?;
    }
    let mut members = vec![c];
    loop {
        match rest.next()? {
            b']' => break,
            c => members.push(c),
        }
    }
    let mut set = [false; 256];
    for (i, &c) in members.iter().enumerate() {
        match (i.checked_sub(1).map(|i| members[i]), members.get(i + 1)) {
            (Some(from), Some(&to)) if c == b'-' && from <= to => (from..=to).for_each(|c| set[usize::from(c)] = true),
            _ => set[usize::from(c)] = true,
        }
    }
    Some(Class::of(|c| set[usize::from(c)] != negated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversions(format: &str) -> Option<Vec<Conversion>> {
        let pieces = parse(&Module::default(), format)?;
        let one = |p: Piece| match p {
            Piece::Conversion(c) => Some(c),
            _ => None,
        };
        Some(pieces.into_iter().filter_map(one).collect())
    }

    #[test]
    fn formats() {
        let all = conversions(" %d,%5hhx %*ld %lf%c%10s").expect("plain");
        let what: Vec<What> = all.iter().map(|c| c.what.clone()).collect();
        assert_eq!(what[0], What::Integer { bytes: 4, letter: 'd' });
        assert_eq!(what[1], What::Integer { bytes: 1, letter: 'x' });
        assert_eq!((what[3].clone(), what[4].clone()), (What::Real(8), What::Characters(1)));
        assert_eq!(all.iter().map(|c| c.stored).collect::<Vec<_>>(), [true, true, false, true, true, true]);
        assert_eq!((all[1].width, all[5].width), (Some(5), Some(10)));
        for not_plain in ["%1$d", "%n", "%p", "%ms", "%ls", "%Lf", "%", "%[abc", "%0s", "%as"] {
            assert_eq!(conversions(not_plain), None, "{not_plain}");
        }
    }

    #[test]
    fn classes() {
        let set = |format: &str| match conversions(format).expect("plain").remove(0).what {
            What::Text(c) => c.ranges(),
            _ => Vec::new(),
        };
        assert_eq!(set("%[a-c0]"), [(b'0', b'0'), (b'a', b'c')]);
        assert_eq!(set("%[]x]"), [(b']', b']'), (b'x', b'x')]);
        assert_eq!(set("%[^\n]"), [(0, 9), (11, 255)]);
        assert_eq!(set("%[-b]"), [(b'-', b'-'), (b'b', b'b')]);
        assert_eq!(set("%s").first(), Some(&(0, 8)));
    }
}
