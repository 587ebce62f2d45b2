//! Where the C token or expression ends that starts at a position: the compiler only records a point.
//!
//! If the expression that the finding is about stands on the line and covers the position (spaces apart), the region
//! ends with it. If the expression is an index of what starts there, the region ends with the index. Otherwise it is
//! the token; a name goes on through the `(...)` and `[...]` that follow it, over
//! several lines if need be. This decides only what is underlined, never what is found.

use crate::source::Source;

/// Byte offsets in the text, end excluded; never empty unless the line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteRegion {
    pub start: usize,
    pub end: usize,
}

/// A call or index that runs over more lines than this is cut to its name.
const MAX_LINES: u32 = 12;

pub fn at(source: &Source<'_>, line: u32, column: u32, expr: &str) -> Option<ByteRegion> {
    let text = source.text?;
    let &(from, to) = source.lines().get((line as usize).checked_sub(1)?)?;
    let whole_line = || {
        let body = &text[from..to];
        let start = from + (body.len() - body.trim_start().len());
        let end = from + body.trim_end().len();
        if start < end { ByteRegion { start, end } } else { ByteRegion { start: from, end: to } }
    };
    if column == 0 {
        return Some(whole_line());
    }
    let start = source.offset(line, column)?;
    if start >= to {
        // The end of the line (a missing return, say): show its last character rather than nothing.
        let last = text[from..to].chars().next_back();
        return Some(
            last.map_or(ByteRegion { start: from, end: to }, |c| ByteRegion { start: to - c.len_utf8(), end: to }),
        );
    }
    if let Some(end) = end_of_expr(&text[from..to], start - from, expr) {
        return Some(ByteRegion { start, end: from + end });
    }
    let last_line = source.lines().get((line + MAX_LINES) as usize - 1).or(source.lines().last())?;
    let rest = &text[start..last_line.1];
    let len = indexed_len(rest, expr).unwrap_or_else(|| token_len(rest, to - start));
    Some(ByteRegion { start, end: start + len })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The end in `line` of an occurrence of `expr` (compared without spaces) that covers `at`; the leftmost one.
fn end_of_expr(line: &str, at: usize, expr: &str) -> Option<usize> {
    let wanted: Vec<char> = expr.chars().filter(|c| !c.is_whitespace()).collect();
    if wanted.is_empty() {
        return None;
    }
    let chars: Vec<(usize, char)> = line.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
    for first in 0..chars.len().saturating_sub(wanted.len() - 1) {
        let run = &chars[first..first + wanted.len()];
        let (begin, end) = (run[0].0, run[run.len() - 1].0 + run[run.len() - 1].1.len_utf8());
        if begin > at {
            break;
        }
        let inside_word = |edge: char, next: Option<char>| is_word(edge) && next.is_some_and(is_word);
        if end > at
            && run.iter().map(|x| x.1).eq(wanted.iter().copied())
            && !inside_word(run[0].1, line[..begin].chars().next_back())
            && !inside_word(run[run.len() - 1].1, line[end..].chars().next())
        {
            return Some(end);
        }
    }
    None
}

/// Length of a name with members and groups at the start of `s` (`p->table[i]`) up to the index that `expr` is.
fn indexed_len(s: &str, expr: &str) -> Option<usize> {
    let bare = |s: &str| s.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let wanted = bare(expr);
    let mut end = s.find(|c| !is_word(c)).filter(|n| *n > 0 && !wanted.is_empty())?;
    loop {
        let rest = &s[end..];
        if let Some(n) = group_len(rest) {
            let group = bare(&rest[..n]);
            end += n;
            if group.strip_prefix('[').and_then(|g| g.strip_suffix(']')) == Some(&wanted) {
                return Some(end);
            }
            continue;
        }
        let member = rest.trim_start_matches([' ', '\t']);
        let member = member.strip_prefix("->").or_else(|| member.strip_prefix('.'))?.trim_start_matches([' ', '\t']);
        let name = member.find(|c| !is_word(c)).filter(|n| *n > 0)?;
        end = s.len() - member.len() + name;
    }
}

/// Length in bytes of the token at the start of `s`, and of the groups after a name. `line` is how much of `s` is on the
/// first line: only groups go beyond it.
fn token_len(s: &str, line: usize) -> usize {
    let first = s.chars().next().unwrap_or(' ');
    let here = &s[..line];
    if first == '"' || first == '\'' {
        return literal_len(here, first);
    }
    if first.is_ascii_digit() || (first == '.' && here[1..].starts_with(|c: char| c.is_ascii_digit())) {
        return number_len(here);
    }
    if is_word(first) {
        let mut end = here.find(|c| !is_word(c)).unwrap_or(line);
        while let Some(more) = group_len(&s[end..]) {
            end += more;
        }
        return end;
    }
    const LONG: &[&str] = &[
        "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
        "-=", "&=", "^=", "|=", "##",
    ];
    LONG.iter().find(|p| here.starts_with(**p)).map_or(first.len_utf8(), |p| p.len())
}

fn literal_len(s: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in s.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    s.len()
}

fn number_len(s: &str) -> usize {
    let mut previous = ' ';
    for (i, c) in s.char_indices() {
        let sign = (c == '+' || c == '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
        if !(is_word(c) || c == '.' || sign) {
            return i;
        }
        previous = c;
    }
    s.len()
}

/// Length of white space and a balanced `(...)` or `[...]` at the start of `s`.
fn group_len(s: &str) -> Option<usize> {
    let body = s.trim_start_matches([' ', '\t']);
    if !body.starts_with(['(', '[']) {
        return None;
    }
    let (mut depth, mut i) = (0u32, s.len() - body.len());
    while let Some(c) = s[i..].chars().next() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            ';' | '{' | '}' => return None,
            '"' | '\'' => {
                let line = s[i..].find(['\n', '\r']).map_or(s.len(), |n| i + n);
                i += literal_len(&s[i..line], c);
                continue;
            }
            _ => {}
        }
        i += c.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::source::{Place, SourceId, Sources};
    use verify_ir::SourceFile;

    fn check(text: &str, line: u32, column: u32, expr: &str, expect: &str) {
        let file = SourceFile {
            path: "a.c".into(),
            directory: String::new(),
            hash: [0; 32],
            text: Some(text.into()),
            system: false,
        };
        let mut s = Sources::new(std::path::Path::new("/"));
        let source = s.intern(&file);
        assert_eq!(source, SourceId(0));
        let r = s.get(source).region(Place { source, line, column }, expr).unwrap();
        assert_eq!(&text[r.start..r.end], expect, "{text:?} {line}:{column}");
    }

    #[test]
    fn tokens_and_groups() {
        check("x = a [i][j] + 1;", 1, 5, "", "a [i][j]");
        check("x = a[i][j] + 1;", 1, 13, "", "+");
        check("f(g(1), \")\")[2].x", 1, 1, "", "f(g(1), \")\")[2]");
        check("f(a,\n  b);\n", 1, 1, "", "f(a,\n  b)");
        check("f(a;\n", 1, 1, "", "f");
        check("x <<= 3;", 1, 3, "", "<<=");
        check("y = 1.5e-3f;", 1, 5, "", "1.5e-3f");
        check("s = \"a\\\"b\" \"c\";", 1, 5, "", "\"a\\\"b\"");
        check("return größe;", 1, 8, "", "größe");
        check("return x;", 1, 1, "", "return");
    }

    #[test]
    fn expressions_and_edges() {
        check("x = p -> next;", 1, 10, "p->next", "next");
        check("x = p->next->prev;", 1, 8, "p->next", "next");
        check("x = *p++ + q;", 1, 5, "*p++", "*p++");
        check("x = a.b[i] + ab;", 1, 5, "a.b[i]", "a.b[i]");
        check("x = pp + p;", 1, 5, "p", "pp");
        check("  int x;  ", 1, 0, "", "int x;");
        check("u->name[i] = s[i];", 1, 1, "i", "u->name[i]");
        check("a.b [j] -> c[ i + 1 ][k] = 0;", 1, 1, "i+1", "a.b [j] -> c[ i + 1 ]");
        check("x = u->name[j];", 1, 5, "i", "u");
        check("}", 1, 2, "", "}");
        check("", 1, 1, "", "");
    }
}
