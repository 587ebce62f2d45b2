//! Tokens and comments of a C text, without a preprocessor: enough to say which statement a place is in and what is a
//! comment. Lines of directives are tokens like others but end a statement. A string goes on over the end of a line only
//! behind a backslash.

/// A token, as a range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Of its first byte.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
    /// How many parentheses and brackets are open around it, since the last brace.
    depth: u32,
    /// Part of a directive.
    directive: bool,
}

/// A comment, without its marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'a> {
    /// What is written.
    pub text: &'a str,
    /// Of its first byte, that of the mark.
    pub start: usize,
    /// Behind its last byte.
    pub end: usize,
}

/// A text, cut.
#[derive(Debug, Default)]
pub struct Lexed<'a> {
    /// In order.
    pub tokens: Vec<Token>,
    /// In order.
    pub comments: Vec<Comment<'a>>,
}

/// A statement longer than this is compared by this many tokens on each side of the place.
const MAX_TOKENS: usize = 200;

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80
}

impl<'a> Lexed<'a> {
    /// Cuts a text.
    pub fn of(text: &'a str) -> Lexed<'a> {
        let bytes = text.as_bytes();
        let mut out = Lexed::default();
        let (mut i, mut depth, mut directive, mut line_start) = (0, 0u32, false, true);
        while i < bytes.len() {
            let start = i;
            match bytes[i] {
                b'\n' => {
                    directive = false;
                    line_start = true;
                    i += 1;
                    continue;
                }
                b'\\' if matches!(bytes.get(i + 1), Some(b'\n' | b'\r')) => {
                    i += if bytes[i + 1] == b'\r' && bytes.get(i + 2) == Some(&b'\n') { 3 } else { 2 };
                    continue;
                }
                b if b.is_ascii_whitespace() => {
                    i += 1;
                    continue;
                }
                b'/' if bytes.get(i + 1) == Some(&b'/') => {
                    // A backslash at the end of the line continues it.
                    i += 2;
                    while i < bytes.len() && !(bytes[i] == b'\n' && bytes[i - 1] != b'\\') {
                        i += 1;
                    }
                    out.comments.push(Comment { text: text[start + 2..i].trim_end_matches('\r'), start, end: i });
                    continue;
                }
                b'/' if bytes.get(i + 1) == Some(&b'*') => {
                    let body = &text[i + 2..];
                    let length = body.find("*/");
                    let inner = length.map_or(body, |n| &body[..n]);
                    i = length.map_or(bytes.len(), |n| i + 2 + n + 2);
                    out.comments.push(Comment { text: inner, start, end: i });
                    continue;
                }
                q @ (b'"' | b'\'') => {
                    i += 1;
                    while i < bytes.len() && bytes[i] != q && bytes[i] != b'\n' {
                        let crlf =
                            bytes[i] == b'\\' && bytes.get(i + 1) == Some(&b'\r') && bytes.get(i + 2) == Some(&b'\n');
                        i += match bytes[i] {
                            b'\\' if crlf => 3,
                            b'\\' => 2,
                            _ => 1,
                        };
                    }
                    i = (i + usize::from(bytes.get(i) == Some(&q))).min(bytes.len());
                }
                b if is_word(b) => i += bytes[i..].iter().take_while(|b| is_word(**b)).count(),
                b => {
                    directive |= b == b'#' && line_start;
                    i += 1;
                    match b {
                        b'{' | b'}' => depth = 0,
                        b')' | b']' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
            }
            // An escape may have led into the middle of a character.
            while !text.is_char_boundary(i) {
                i += 1;
            }
            out.tokens.push(Token { start, end: i, depth, directive });
            if matches!(bytes[start], b'(' | b'[') {
                depth += 1;
            }
            line_start = false;
        }
        out
    }

    /// The tokens of the statement that the byte is in, with one blank between them; empty outside of the text.
    pub fn statement(&self, text: &str, at: usize) -> String {
        let here = self.tokens.partition_point(|t| t.end <= at);
        let Some(token) = self.tokens.get(here) else { return String::new() };
        let ends = |t: &Token| {
            let one = &text[t.start..t.end];
            matches!(one, "{" | "}") || (one == ";" && t.depth == 0) || t.directive != token.directive
        };
        let before = self.tokens[..here].iter().rev().take(MAX_TOKENS).take_while(|t| !ends(t)).count();
        let after = self.tokens[here..].iter().take(MAX_TOKENS).take_while(|t| !ends(t)).count();
        let tokens = &self.tokens[here - before..here + after];
        tokens.iter().map(|t| &text[t.start..t.end]).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: &str, statement: &str) {
        let at = text.find(at).unwrap();
        assert_eq!(Lexed::of(text).statement(text, at), statement, "{text}");
    }

    #[test]
    fn statements() {
        check("int f(void) { a = b; /* c; */ c\n = *p; return d; }", "*p", "c = * p");
        check(
            "{ for (i = 0; i < n; i++) s += t[i]; }",
            "t[",
            "for ( i = 0 ; i < n ; i + + ) s += t [ i ]".replace("+=", "+ =").as_str(),
        );
        check("{ puts(\"a; \\\n { // b\"); x = *q; }", "*q", "x = * q");
        check("#define X 3\nint y = 1 / 0;", "1 /", "int y = 1 / 0");
        check("x = '\\''; y = *z; // no\n", "*z", "y = * z");
    }

    #[test]
    fn comments_are_not_in_strings() {
        let text = "a \"// no\" /* one */ b '\"' // two \\\n three\n\"x \\\n// no\\\n\"; /* four";
        let all: Vec<&str> = Lexed::of(text).comments.iter().map(|c| c.text).collect();
        assert_eq!(all, [" one ", " two \\\n three", " four"]);
    }

    #[test]
    fn any_text_can_be_cut() {
        for text in ["", "\\", "\"\\", "'\u{e9}", "\"\\\u{e9}", "/*", "/*/", "//\\\r\n x", "# \\\n\n)", "\\\r"] {
            let l = Lexed::of(text);
            for at in 0..text.len() + 2 {
                l.statement(text, at);
            }
        }
    }
}
