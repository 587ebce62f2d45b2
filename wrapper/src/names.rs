//! What a source or header includes, read off its text without preprocessing it: the names in `#include` and
//! `__has_include`, in whatever branch of its conditions they stand, and whether there is more than names to it.

use std::collections::BTreeSet;
use std::env;

/// The name of a header in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// As written.
    pub name: Vec<u8>,
    /// The text only asks whether there is such a file.
    pub asked: bool,
    /// It stands in a macro, and may be looked for from any file.
    pub anywhere: bool,
}

/// What a text includes.
#[derive(Default)]
pub(crate) struct Includes {
    /// The names in it.
    pub names: BTreeSet<Name>,
    /// Macros that say what is included. One that nothing defines is in a branch that is not taken, or the compiler fails.
    pub macros: BTreeSet<Vec<u8>>,
    /// Why the text cannot be told from the files.
    pub blind: Option<String>,
    /// It asks for files in a way that leaves no name anywhere.
    pub asks_unseen: bool,
}

/// What a file includes, in whatever branch of its conditions.
pub(crate) fn includes(text: &[u8]) -> Includes {
    let mut out = Includes::default();
    let mut trigraph = |text: &[u8], matters: &dyn Fn(usize) -> bool| {
        if memchr::memmem::find_iter(text, b"??/").any(|at| matters(at + 3)) {
            out.blind = Some("has a trigraph that may join lines or end a literal".into());
            out.asks_unseen = true;
        }
    };
    // Whether a compiler takes `??/` for a backslash is a matter of its options.
    trigraph(text, &|at| line_end(text, at).is_some());
    let text = &logical(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))[..];
    trigraph(text, &|at| matches!(text.get(at), Some(b'"' | b'\'' | b'\\')));
    // Few texts ask for files, and each has thousands of lines.
    let asks = contains(text, b"__has_include") || contains(text, b"__has_embed");
    for line in lines(text) {
        let Some((word, rest)) = directive(line) else { continue };
        match word {
            b"include" | b"include_next" | b"import" => match quoted(rest) {
                Some(name) => {
                    out.names.insert(Name { name, asked: false, anywhere: false });
                }
                None => match users(rest) {
                    Some(name) => {
                        out.macros.insert(name.to_vec());
                    }
                    None => out.blind = Some(COMPUTED.into()),
                },
            },
            b"line" if !literal(rest) => out.blind = Some("is from where a macro says".into()),
            b"embed" => out.blind = Some("embeds a file".into()),
            directive if asks => asked(directive, rest, &mut out),
            _ => {}
        }
    }
    for time in [&b"__DATE__"[..], b"__TIME__", b"__TIMESTAMP__"] {
        if env::var_os("SOURCE_DATE_EPOCH").is_none() && contains(text, time) {
            out.blind = Some(format!("says the time ({})", String::from_utf8_lossy(time)));
        }
    }
    out
}

/// Why a text with computed includes cannot be told from the files.
pub(crate) const COMPUTED: &str = "includes what a macro says";

/// The word of a preprocessor's directive, and what follows it.
fn directive(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = trim(line);
    let rest = line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:")).or(line.strip_prefix(b"??="))?;
    Some(word(trim(rest)))
}

fn word(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count())
}

/// A name that stands alone and is none that compilers define by themselves.
fn users(text: &[u8]) -> Option<&[u8]> {
    let (name, rest) = word(trim(text));
    (name.first().is_some_and(u8::is_ascii_uppercase) && rest.trim_ascii().is_empty()).then_some(name)
}

/// Whether the text defines one of the macros, in whatever branch of its conditions.
pub(crate) fn defines(text: &[u8], macros: &BTreeSet<Vec<u8>>) -> bool {
    if !macros.iter().any(|name| contains(text, name)) && !contains(text, b"\\") && !contains(text, b"??") {
        return false;
    }
    let text = logical(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text));
    lines(&text).filter_map(directive).any(|(what, rest)| what == b"define" && macros.contains(word(trim(rest)).0))
}

/// The lines of a text without their ends, and what follows the last one.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut from = 0;
    memchr::memchr_iter(b'\n', text).chain([text.len()]).map(move |end| {
        let line = &text[from..end];
        from = end + 1;
        line
    })
}

/// The bytes at which a text may pass from code to a literal or comment, or join or end a line.
const MEANING: [bool; 256] = {
    let mut out = [false; 256];
    let mut bytes: &[u8] = b"\\\r\n/\"'";
    while let Some((byte, rest)) = bytes.split_first() {
        out[*byte as usize] = true;
        bytes = rest;
    }
    out
};

/// The text with comments as spaces and lines that go on joined.
fn logical(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    // In what the byte lies: nothing, a comment of either kind, or a literal and its quote.
    let mut inside = 0u8;
    while at < text.len() {
        // What means nothing here is taken at once: up to the end of a comment, or up to what may begin something.
        let rest = &text[at..];
        let plain = match inside {
            b'*' => memchr::memchr2(b'*', b'\\', rest).unwrap_or(rest.len()),
            b'/' => memchr::memchr3(b'\n', b'\r', b'\\', rest).unwrap_or(rest.len()),
            _ => rest.iter().position(|b| MEANING[usize::from(*b)]).unwrap_or(rest.len()),
        };
        if !matches!(inside, b'*' | b'/') {
            out.extend_from_slice(&rest[..plain]);
        }
        at += plain;
        let Some(&byte) = text.get(at) else { break };
        if byte == b'\\'
            && let Some(joined) = line_end(text, at + 1)
        {
            at = joined;
            continue;
        }
        // Lines may end as on any system.
        let byte = if byte == b'\r' { b'\n' } else { byte };
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

/// Where the next line starts if nothing but blanks comes before it: compilers join lines over those as well.
fn line_end(text: &[u8], mut at: usize) -> Option<usize> {
    while text.get(at).is_some_and(|b| is_blank(*b)) {
        at += 1;
    }
    match &text[at.min(text.len())..] {
        [b'\r', b'\n', ..] | [b'\n', b'\r', ..] => Some(at + 2),
        [b'\r' | b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c | 0)
}

fn trim(mut text: &[u8]) -> &[u8] {
    while let Some((first, rest)) = text.split_first()
        && is_blank(*first)
    {
        text = rest;
    }
    text
}

/// Whether `#line` is followed by a number, and a name in quotes or nothing.
fn literal(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(text[digits..].trim_ascii_start().first(), None | Some(b'"'))
}

/// `__has_include(…)` in a condition, or in a macro for conditions.
fn asked(directive: &[u8], line: &[u8], out: &mut Includes) {
    const ASK: &[u8] = b"__has_include";
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&line[from..], ASK).map(|at| from + at) {
        from = at + ASK.len();
        let rest = &line[from..];
        let rest = trim(rest.strip_prefix(b"_next").unwrap_or(rest));
        if rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            continue;
        }
        let before = line[..at].trim_ascii();
        // Where there is none of the compiler's, a text may bring its own.
        let own = directive == b"define" && before.is_empty();
        match rest.strip_prefix(b"(").map(quoted) {
            _ if own => {}
            Some(Some(name)) => {
                out.names.insert(Name { name, asked: true, anywhere: directive == b"define" });
            }
            Some(None) => {
                out.blind = Some("asks for a file that a macro names".into());
                out.asks_unseen = true;
            }
            None => {
                let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
                let known = [&b"ifdef"[..], b"ifndef", b"elifdef", b"elifndef", b"undef"].contains(&directive);
                if !known && !before.ends_with(b"defined") {
                    out.blind = Some("asks for files by another name of __has_include".into());
                    out.asks_unseen = true;
                }
            }
        }
    }
    if contains(line, b"__has_embed") {
        out.blind = Some("asks for a file to embed".into());
        out.asks_unseen = true;
    }
}

fn quoted(text: &[u8]) -> Option<Vec<u8>> {
    let text = trim(text);
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
        let names: Vec<(&[u8], bool)> = found.names.iter().map(|n| (n.name.as_slice(), n.asked)).collect();
        let wanted: [(&[u8], bool); 5] =
            [(b"a/b.h", false), (b"c d.h", false), (b"e.h", false), (b"f.h", true), (b"g.h", true)];
        assert_eq!(names, wanted);
        assert_eq!(found.blind, None);
        let odd = includes(
            b"#\\\ninc\\\nlude <a>\n/* x\n #include's __TIME__ */ # /* y */ include \"b/*c\" /*\n#include M */\n\
              // #include N \\\n#include O\nchar *s = \"/*\"; char c = '\"';\n#include <d>\n#if don't\n#include \"e\"\n#line 3 /* f */\n",
        );
        let names: Vec<&[u8]> = odd.names.iter().map(|n| n.name.as_slice()).collect();
        assert_eq!(names, [&b"a"[..], b"b/*c", b"d", b"e"]);
        assert_eq!(odd.blind, None);
        for blind in [
            "#include header\n",
            "#include NAME(x)\n",
            "#if __has_include(X)\n",
            "#embed <x>\n",
            "#line X\n",
            "#line 1 Y\n",
            "char *t = __TIME__;\n",
            "#define HAS __has_include\n",
            "#if X ??/\n",
            "/* *??/ \n/ #include <x.h>\n*/",
            "char *s = \"??/\" /* \";\n",
            "#include <a//b.h>\n",
        ] {
            assert!(includes(blind.as_bytes()).blind.is_some(), "{blind}");
        }
        for not in [
            "#if defined __has_include && defined ( __has_include )\n",
            "#ifndef __has_include\n#define __has_include(x) 0\n#endif\n",
            "#define X __has_includes\n",
            "/* \"??/\" and ??/' */ char *s = \"??/x\"; // ??/\"\n",
        ] {
            let found = includes(not.as_bytes());
            assert_eq!((found.blind, found.names.len()), (None, 0), "{not}");
        }
    }

    #[test]
    fn macros_that_say_what_is_included() {
        let found = includes(b"#ifdef USER_H /* a */\n#include USER_H // b\n#endif\n");
        assert_eq!((found.blind, found.macros.len()), (None, 1));
        let check = |text: &str, wanted| assert_eq!(defines(text.as_bytes(), &found.macros), wanted, "{text}");
        for text in
            ["# define USER_H <x>", "#if 0\n#define\\\n USER_\\\nH\n", "%:define USER_H", "/*\n*/ #define USER_H\n"]
        {
            check(text, true);
        }
        for text in ["#include USER_H", "#define USER_HH 1\n", "// #define USER_H\n", "#undef USER_H", "int USER_H;"] {
            check(text, false);
        }
    }

    #[test]
    fn lines_of_every_system() {
        let check = |text: &[u8], wanted: &[&str]| {
            let found = includes(text);
            let names: Vec<String> =
                found.names.iter().map(|n| String::from_utf8_lossy(&n.name).into_owned()).collect();
            assert_eq!(names, wanted, "{}", String::from_utf8_lossy(text));
            assert_eq!(found.blind, None);
        };
        check(b"\xef\xbb\xbf#include \"a\"\n", &["a"]);
        check(b"#include \"a\"\r#include \"b\"\r\n#include \"c\"", &["a", "b", "c"]);
        check(b"#if 1 && \\ \t\n __has_include(<a>)\n", &["a"]);
        check(b"\x0b#\x0binclude\x0c<a>\n", &["a"]);
        check(b"// \\\r\n#include <no>\n#include <a>\\", &["a"]);
    }
}
