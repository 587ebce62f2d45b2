//! Formats of the `printf` family (ISO C 7.21.6.1): which arguments a format takes, and how long what it makes can get.

/// What a conversion takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// An integer of so many bits; `None`: as many as a pointer has.
    Int(Option<u32>),
    /// A `double`.
    Real,
    /// A pointer.
    Pointer,
    /// A string, of which at most so many characters are taken.
    Text(Option<u64>),
}

/// A conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// What it takes.
    pub wanted: Wanted,
    /// Characters that it makes at most; of a string, besides those of the string. `None`: not known.
    pub longest: Option<u64>,
}

/// A format.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Format {
    /// In order.
    pub conversions: Vec<Conversion>,
    /// Characters that are not of conversions, in bytes.
    pub plain: u64,
}

/// Reads a format; `None` where it is not plain: `*`, `%n`, positions, wide characters, `long double`.
pub fn parse(format: &str) -> Option<Format> {
    let mut out = Format::default();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.plain += c.len_utf8() as u64;
            continue;
        }
        let mut some = |set: &str| {
            let mut text = String::new();
            while let Some(c) = rest.next_if(|c| set.contains(*c)) {
                text.push(c);
            }
            text
        };
        let flags = some("-+ #0");
        // Widths that no integer holds would be errors.
        let number = |t: &str| if t.len() > 4 { None } else { t.parse::<u64>().ok().or(Some(0)) };
        let width = number(&some("0123456789"))?;
        let point = some(".");
        let precision = number(&some("0123456789"))?;
        if point.len() > 1 {
            return None;
        }
        let precision = (!point.is_empty()).then_some(precision);
        let length = some("hlzjtL");
        let bits = match length.as_str() {
            "" | "h" | "hh" => Some(32),
            "ll" | "j" => Some(64),
            "l" | "z" | "t" => None,
            _ => return None,
        };
        let long = bits != Some(32);
        let digits = |short: u64, wide: u64| precision.unwrap_or(0).max(if long { wide } else { short });
        let alternative = u64::from(flags.contains('#'));
        let conversion = rest.next()?;
        let (wanted, longest) = match conversion {
            '%' if length.is_empty() => {
                out.plain += 1;
                continue;
            }
            'd' | 'i' => (Wanted::Int(bits), Some(1 + digits(10, 19))),
            'u' => (Wanted::Int(bits), Some(digits(10, 20))),
            'x' | 'X' => (Wanted::Int(bits), Some(2 * alternative + digits(8, 16))),
            'o' => (Wanted::Int(bits), Some(alternative + digits(11, 22))),
            'c' if length.is_empty() => (Wanted::Int(Some(32)), Some(1)),
            // Sign, point and an exponent of three digits, or four zeros in front.
            'e' | 'E' | 'g' | 'G' if matches!(length.as_str(), "" | "l") => {
                (Wanted::Real, Some(precision.unwrap_or(6).max(1) + 8))
            }
            'f' | 'F' if matches!(length.as_str(), "" | "l") => (Wanted::Real, Some(precision.unwrap_or(6) + 311)),
            'a' | 'A' if matches!(length.as_str(), "" | "l") => (Wanted::Real, None),
            'p' if length.is_empty() => (Wanted::Pointer, Some(20)),
            's' if length.is_empty() => (Wanted::Text(precision), Some(0)),
            _ => return None,
        };
        let longest = match wanted {
            // Padding is counted as if it came on top.
            Wanted::Text(_) => Some(width),
            _ => longest.map(|n| n.max(width)),
        };
        out.conversions.push(Conversion { wanted, longest });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, wanted: &[Wanted], longest: Option<u64>) {
        let f = parse(format).expect(format);
        assert_eq!(f.conversions.iter().map(|c| c.wanted).collect::<Vec<_>>(), wanted, "{format}");
        let sum = f.conversions.iter().map(|c| c.longest).sum::<Option<u64>>().map(|n| n + f.plain);
        assert_eq!(sum, longest, "{format}");
    }

    #[test]
    fn formats() {
        use Wanted::*;
        check("a %d %5.2f%%\n", &[Int(Some(32)), Real], Some(5 + 11 + 313));
        check("%-20s|%lu|%p|%c", &[Text(None), Int(None), Pointer, Int(Some(32))], Some(3 + 20 + 20 + 20 + 1));
        check("%1.15g", &[Real], Some(23));
        check("%08x %#lo %.3s", &[Int(Some(32)), Int(None), Text(Some(3))], Some(2 + 8 + 23));
        check("%30d", &[Int(Some(32))], Some(30));
        for not_plain in ["%*d", "%n", "%1$d", "%ls", "%", "%99999d", "%Lf", "%lc"] {
            assert_eq!(parse(not_plain), None, "{not_plain}");
        }
    }

    #[test]
    fn bounds_hold_of_what_is_printed() {
        // The longest outputs that C's printf gives for these.
        for (format, printed) in [
            ("%d", "-2147483648"),
            ("%ld", "-9223372036854775808"),
            ("%u", "4294967295"),
            ("%lu", "18446744073709551615"),
            ("%#x", "0xffffffff"),
            ("%#o", "037777777777"),
            ("%g", "-1.79769e+308"),
            ("%.17g", "-0.00012345678901234567"),
            ("%.17g", "-2.2250738585072014e-308"),
            ("%e", "-1.797693e+308"),
            ("%g", "-nan"),
            ("%.0g", "-2e-308"),
        ] {
            let n = parse(format).and_then(|f| f.conversions[0].longest).expect(format);
            assert!(n >= printed.len() as u64, "{format}: {n} for {printed}");
        }
    }
}
