//! What a source or header includes, read off its text without preprocessing it: the names in `#include` and
//! `__has_include`, in whatever branch of its conditions they stand, and whether there is more than names to it.

use std::collections::BTreeSet;
use std::env;

/// What a text includes.
#[derive(Default)]
pub(crate) struct Includes {
    /// Names as written, and whether the text only asks if there is such a file.
    pub names: BTreeSet<(Vec<u8>, bool)>,
    /// Why the text cannot be told from the files.
    pub blind: Option<String>,
}

/// What a file includes, in whatever branch of its conditions.
pub(crate) fn includes(text: &[u8]) -> Includes {
    let mut out = Includes::default();
    let text = &logical(text)[..];
    for line in text.split(|b| *b == b'\n') {
        let line = line.trim_ascii_start();
        let Some(rest) = line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:")).or(line.strip_prefix(b"??="))
        else {
            continue;
        };
        let rest = rest.trim_ascii_start();
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        match &rest[..word] {
            b"include" | b"include_next" | b"import" => match quoted(&rest[word..]) {
                Some(name) => {
                    out.names.insert((name, false));
                }
                None => out.blind = Some("includes what a macro says".into()),
            },
            b"line" if !literal(&rest[word..]) => out.blind = Some("is from where a macro says".into()),
            b"embed" => out.blind = Some("embeds a file".into()),
            _ => asked(rest, &mut out),
        }
    }
    for time in [&b"__DATE__"[..], b"__TIME__", b"__TIMESTAMP__"] {
        if env::var_os("SOURCE_DATE_EPOCH").is_none() && contains(text, time) {
            out.blind = Some(format!("says the time ({})", String::from_utf8_lossy(time)));
        }
    }
    out
}

/// The text with comments as spaces and lines that go on joined.
fn logical(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    // In what the byte lies: nothing, a comment of either kind, or a literal and its quote.
    let mut inside = 0u8;
    while let Some(&byte) = text.get(at) {
        if byte == b'\\' && matches!(&text[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]) {
            at += if text[at + 1] == b'\n' { 2 } else { 3 };
            continue;
        }
        let next = text.get(at + 1).copied();
        match (inside, byte, next) {
            (b'*', b'*', Some(b'/')) => {
                inside = 0;
                out.push(b' ');
                at += 1;
            }
            (b'*', ..) => {}
            (_, b'\n', _) => {
                inside = 0;
                out.push(b'\n');
            }
            (b'/', ..) => {}
            (0, b'/', Some(b'*' | b'/')) => {
                inside = next.unwrap_or_default();
                at += 1;
            }
            (0, b'"' | b'\'', _) => {
                inside = byte;
                out.push(byte);
            }
            (0, ..) => out.push(byte),
            (_, b'\\', Some(escaped)) if escaped != b'\n' => {
                out.extend([byte, escaped]);
                at += 1;
            }
            (quote, ..) => {
                out.push(byte);
                if byte == quote {
                    inside = 0;
                }
            }
        }
        at += 1;
    }
    out
}

/// Whether `#line` is followed by a number, and a name in quotes or nothing.
fn literal(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(text[digits..].trim_ascii_start().first(), None | Some(b'"'))
}

/// `__has_include(…)` in a condition, or in a macro for conditions.
fn asked(line: &[u8], out: &mut Includes) {
    const ASK: &[u8] = b"__has_include";
    let mut rest = line;
    while let Some(at) = rest.windows(ASK.len()).position(|w| w == ASK) {
        rest = &rest[at + ASK.len()..];
        rest = rest.strip_prefix(b"_next").unwrap_or(rest);
        let Some(argument) = rest.trim_ascii_start().strip_prefix(b"(") else { continue };
        match quoted(argument) {
            Some(name) => {
                out.names.insert((name, true));
            }
            None => out.blind = Some("asks for a file that a macro names".into()),
        }
    }
    if contains(line, b"__has_embed") {
        out.blind = Some("asks for a file to embed".into());
    }
}

fn quoted(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii_start();
    let close = match text.first()? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let end = text[1..].iter().position(|b| *b == close)?;
    Some(text[1..=end].to_vec())
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_includes() {
        let text = b"#include <a/b.h>\n # include \"c d.h\" // x\n#include_next<e.h>\n#if __has_include(\"f.h\") && __has_include_next ( <g.h>)\n#ifdef __has_include\n";
        let found = includes(text);
        let names: Vec<(&[u8], bool)> = found.names.iter().map(|(n, t)| (n.as_slice(), *t)).collect();
        let wanted: [(&[u8], bool); 5] =
            [(b"a/b.h", false), (b"c d.h", false), (b"e.h", false), (b"f.h", true), (b"g.h", true)];
        assert_eq!(names, wanted);
        assert_eq!(found.blind, None);
        let odd = includes(
            b"#\\\ninc\\\nlude <a>\n/* x\n #include's __TIME__ */ # /* y */ include \"b/*c\" /*\n#include M */\n\
              // #include N \\\n#include O\nchar *s = \"/*\"; char c = '\"';\n#include <d>\n#if don't\n#include \"e\"\n#line 3 /* f */\n",
        );
        let names: Vec<&[u8]> = odd.names.iter().map(|(n, _)| n.as_slice()).collect();
        assert_eq!(names, [&b"a"[..], b"b/*c", b"d", b"e"]);
        assert_eq!(odd.blind, None);
        for blind in [
            "#include HEADER\n",
            "#if __has_include(X)\n",
            "#embed <x>\n",
            "#line X\n",
            "#line 1 Y\n",
            "char *t = __TIME__;\n",
        ] {
            assert!(includes(blind.as_bytes()).blind.is_some(), "{blind}");
        }
    }
}
