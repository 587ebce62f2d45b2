//! Tokens of the text form.

use super::ParseError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Tok<'a> {
    /// A word: keyword, mnemonic, entity.
    Word(&'a str),
    /// A number as written, with sign or `0x`.
    Num(&'a str),
    /// A string, unescaped.
    Str(Vec<u8>),
    /// `@name`, without the `@`.
    Sym(&'a str),
    /// `!12`.
    Span(u32),
    /// `->`, `=>`, `...` or one character.
    Punct(&'a str),
    End,
}

impl std::fmt::Display for Tok<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tok::Word(s) | Tok::Num(s) | Tok::Punct(s) => write!(f, "`{s}`"),
            Tok::Sym(s) => write!(f, "`@{s}`"),
            Tok::Span(n) => write!(f, "`!{n}`"),
            Tok::Str(_) => f.write_str("a string"),
            Tok::End => f.write_str("the end of the text"),
        }
    }
}

/// Characters of words and of `@name`.
pub(super) fn word_char(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'$')
}

/// The error at a byte offset.
pub(super) fn error_at(text: &str, at: usize, message: String) -> ParseError {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    ParseError { line, column, message }
}

/// All tokens with their byte offsets; the last is [`Tok::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(Tok<'_>, usize)>, ParseError> {
    let b = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    let run = |from: usize, ok: &dyn Fn(u8) -> bool| from + b[from..].iter().take_while(|c| ok(**c)).count();
    while i < b.len() {
        let start = i;
        let c = b[i];
        let tok = match c {
            b' ' | b'\t' | b'\r' | b'\n' => {
                i += 1;
                continue;
            }
            b';' => {
                i = run(i, &|c| c != b'\n');
                continue;
            }
            b'"' => {
                let (s, end) = string(text, i)?;
                i = end;
                Tok::Str(s)
            }
            b'@' => {
                i = run(i + 1, &word_char);
                Tok::Sym(&text[start + 1..i])
            }
            b'!' => {
                i = run(i + 1, &|c| c.is_ascii_digit());
                let n = text[start + 1..i].parse();
                Tok::Span(n.map_err(|_| error_at(text, start, "expected a position number after `!`".into()))?)
            }
            b'-' if b.get(i + 1) == Some(&b'>') => {
                i += 2;
                Tok::Punct("->")
            }
            b'=' if b.get(i + 1) == Some(&b'>') => {
                i += 2;
                Tok::Punct("=>")
            }
            b'.' if b[i..].starts_with(b"...") => {
                i += 3;
                Tok::Punct("...")
            }
            b'0'..=b'9' | b'-' => {
                i = run(i + 1, &|c| c.is_ascii_alphanumeric());
                Tok::Num(&text[start..i])
            }
            _ if word_char(c) => {
                i = run(i, &word_char);
                // `null-deref` is one word.
                while b.get(i) == Some(&b'-') && b.get(i + 1).is_some_and(|c| c.is_ascii_alphabetic()) {
                    i = run(i + 1, &word_char);
                }
                Tok::Word(&text[start..i])
            }
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b':' | b'=' | b'?' => {
                i += 1;
                Tok::Punct(&text[start..i])
            }
            _ => {
                let c = text[start..].chars().next().unwrap_or('\u{fffd}');
                return Err(error_at(text, start, format!("unexpected character {c:?}")));
            }
        };
        out.push((tok, start));
    }
    out.push((Tok::End, text.len()));
    Ok(out)
}

fn string(text: &str, start: usize) -> Result<(Vec<u8>, usize), ParseError> {
    let b = text.as_bytes();
    let mut out = Vec::new();
    let mut i = start + 1;
    loop {
        let here = i;
        let bad = |what: &str| error_at(text, here, what.into());
        match b.get(i) {
            None => return Err(error_at(text, start, "this string does not end".into())),
            Some(b'"') => return Ok((out, i + 1)),
            Some(b'\\') => {
                i += 1;
                let escape = *b.get(i).ok_or_else(|| bad("this string does not end"))?;
                i += 1;
                match escape {
                    b'n' => out.push(b'\n'),
                    b't' => out.push(b'\t'),
                    b'r' => out.push(b'\r'),
                    b'0' => out.push(0),
                    b'"' | b'\\' => out.push(escape),
                    b'x' => {
                        let digits = text.get(i..i + 2).unwrap_or("");
                        let ok = digits.bytes().all(|c| c.is_ascii_hexdigit());
                        let n = u8::from_str_radix(digits, 16).ok().filter(|_| ok);
                        out.push(n.ok_or_else(|| bad("expected two hex digits after `\\x`"))?);
                        i += 2;
                    }
                    b'u' => {
                        let rest = text.get(i..).unwrap_or("");
                        let digits = rest.strip_prefix('{').and_then(|r| r.split_once('}')).map(|(d, _)| d);
                        let c = digits.filter(|d| d.len() <= 6).and_then(|d| u32::from_str_radix(d, 16).ok());
                        let c = c.and_then(char::from_u32).ok_or_else(|| bad("expected `{hex}` after `\\u`"))?;
                        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                        i += digits.map_or(0, |d| d.len() + 2);
                    }
                    _ => return Err(bad("unknown escape in this string")),
                }
            }
            Some(&c) => {
                out.push(c);
                i += 1;
            }
        }
    }
}

/// A quoted UTF-8 string.
pub(super) fn quote(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A quoted byte string.
pub(super) fn quote_bytes(s: &[u8]) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    for &c in s {
        match c {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            0 => out.push_str("\\0"),
            0x20..=0x7e => out.push(c as char),
            _ => out.push_str(&format!("\\x{c:02x}")),
        }
    }
    out.push('"');
    out
}
