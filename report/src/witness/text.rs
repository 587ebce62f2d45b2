//! Places in the text of a source that the format asks for and debug information does not give: the parenthesis that
//! closes a call, the keyword of a branch, where a statement begins. Comments and literals are seen as such; what looks
//! odd (a macro, a line that does not say what was expected) has no place.

/// The text with comments and literals blanked out, byte by byte, so that offsets stay.
pub(super) struct Code {
    bytes: Vec<u8>,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl Code {
    pub fn new(text: &str) -> Code {
        let mut bytes = text.as_bytes().to_vec();
        let mut i = 0;
        while i < bytes.len() {
            let two = bytes.get(i + 1).copied();
            let end = match (bytes[i], two) {
                (b'/', Some(b'/')) => bytes[i..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| i + n),
                (b'/', Some(b'*')) => {
                    let close = bytes[i + 2..].windows(2).position(|w| w == b"*/");
                    close.map_or(bytes.len(), |n| i + n + 4)
                }
                (q @ (b'"' | b'\''), _) => {
                    let mut j = i + 1;
                    while j < bytes.len() && bytes[j] != q && bytes[j] != b'\n' {
                        j += if bytes[j] == b'\\' { 2 } else { 1 };
                    }
                    (j + 1).min(bytes.len())
                }
                _ => {
                    i += 1;
                    continue;
                }
            };
            let literal = bytes[i] != b'/';
            for b in &mut bytes[i..end] {
                if *b != b'\n' {
                    *b = if literal { b'_' } else { b' ' };
                }
            }
            i = end;
        }
        let lines = std::iter::once(0).chain(bytes.iter().enumerate().filter(|b| *b.1 == b'\n').map(|b| b.0 + 1));
        Code { lines: lines.collect(), bytes }
    }

    /// Byte offset of a line and column, both from 1.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let from = *self.lines.get((line as usize).checked_sub(1)?)?;
        let at = from + (column as usize).checked_sub(1)?;
        let end = self.lines.get(line as usize).map_or(self.bytes.len(), |e| e - 1);
        (at < end).then_some(at)
    }

    /// Line and column, both from 1.
    pub fn place(&self, at: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|l| *l <= at);
        (line as u32, (at - self.lines[line - 1] + 1) as u32)
    }

    fn word(&self, at: usize) -> &[u8] {
        let n = self.bytes[at..].iter().take_while(|b| is_word(**b)).count();
        &self.bytes[at..at + n]
    }

    /// A word begins here.
    fn starts(&self, at: usize, word: &str) -> bool {
        self.word(at) == word.as_bytes() && (at == 0 || !is_word(self.bytes[at - 1]))
    }

    /// The parenthesis that closes the call of `name` that begins here.
    pub fn closing(&self, at: usize, name: &str) -> Option<usize> {
        if !self.starts(at, name) {
            return None;
        }
        let open = self.skip(at + name.len());
        (self.bytes.get(open) == Some(&b'(')).then(|| self.matching(open)).flatten()
    }

    fn skip(&self, mut at: usize) -> usize {
        while self.bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        at
    }

    fn matching(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (i, b) in self.bytes.iter().enumerate().skip(open) {
            match b {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                b'{' | b'}' | b'#' => return None,
                _ => {}
            }
        }
        None
    }

    /// The keyword of the branch whose condition, or keyword, is here; only where the condition is one test, so that
    /// its truth is that of the branch.
    pub fn branch(&self, at: usize) -> Option<usize> {
        let keyword = |k: usize| ["if", "while", "for"].iter().any(|w| self.starts(k, w));
        let head = if keyword(at) {
            at
        } else {
            // Back over `if (`; the condition may begin with what is inside of it.
            let open = self.enclosing(at)?;
            let end = self.bytes[..open].iter().rposition(|b| !b.is_ascii_whitespace())?;
            let from = self.bytes[..=end].iter().rposition(|b| !is_word(*b)).map_or(0, |p| p + 1);
            keyword(from).then_some(from)?
        };
        let open = self.skip(head + self.word(head).len());
        let close = self.matching(open)?;
        let inside = &self.bytes[open..close];
        let several = inside.windows(2).any(|w| w == b"&&" || w == b"||") || inside.contains(&b'?');
        // A `while` that ends a `do` loop is no statement of its own.
        let before = self.bytes[..head].iter().rposition(|b| !b.is_ascii_whitespace());
        let ends_do = self.starts(head, "while") && before.is_some_and(|b| self.bytes[b] == b'}');
        (!several && !ends_do).then_some(head)
    }

    /// The parenthesis that is open here.
    fn enclosing(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for i in (0..at).rev() {
            match self.bytes[i] {
                b')' => depth += 1,
                b'(' if depth == 0 => return Some(i),
                b'(' => depth -= 1,
                b';' | b'{' | b'}' if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Where the statement or full expression around this place begins.
    pub fn statement(&self, at: usize) -> usize {
        let mut i = at;
        while i > 0 {
            match self.bytes[i - 1] {
                b';' | b'{' | b'}' => break,
                b'(' => {
                    // The condition of a branch is an expression of its own.
                    let end = self.bytes[..i - 1].iter().rposition(|b| !b.is_ascii_whitespace());
                    let from = end.map(|e| self.bytes[..=e].iter().rposition(|b| !is_word(*b)).map_or(0, |p| p + 1));
                    if from.is_some_and(|f| ["if", "while", "for", "switch"].iter().any(|w| self.starts(f, w))) {
                        break;
                    }
                    i -= 1;
                }
                b')' => {
                    let Some(open) = self.opening(i - 1) else { break };
                    let end = self.bytes[..open].iter().rposition(|b| !b.is_ascii_whitespace());
                    let from = end.map(|e| self.bytes[..=e].iter().rposition(|b| !is_word(*b)).map_or(0, |p| p + 1));
                    if from.is_some_and(|f| ["if", "while", "for", "switch"].iter().any(|w| self.starts(f, w))) {
                        break;
                    }
                    i = open;
                }
                b if is_word(b) => {
                    let from = self.bytes[..i].iter().rposition(|b| !is_word(*b)).map_or(0, |p| p + 1);
                    if ["else", "do"].contains(&std::str::from_utf8(&self.bytes[from..i]).unwrap_or("")) && i <= at {
                        break;
                    }
                    i = from;
                }
                _ => i -= 1,
            }
        }
        self.skip(i).min(at.max(i))
    }

    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        for i in (0..=close).rev() {
            match self.bytes[i] {
                b')' => depth += 1,
                b'(' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The keyword of a loop begins here.
    pub fn is_loop(&self, at: usize) -> bool {
        ["while", "for"].iter().any(|w| self.starts(at, w))
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int f(void) {\n  int x = g(1, \")\" /* ) */, h(2)) + 1;\n  if (x + 1 > 2) y = x * 3; else z = 4;\n  for (i = 0; i < n; i++) s += i;\n  if (a && b) t();\n}\n";

    fn at(needle: &str) -> usize {
        TEXT.find(needle).unwrap()
    }

    #[test]
    fn calls_close_where_they_do() {
        let c = Code::new(TEXT);
        assert_eq!(c.closing(at("g(1"), "g"), Some(at(" + 1;") - 1));
        assert_eq!(c.closing(at("h(2"), "h"), Some(at(") + 1;") - 1));
        assert_eq!(c.closing(at("g(1"), "k"), None);
        assert_eq!(c.place(at("if (x")), (3, 3));
        assert_eq!(c.offset(3, 3), Some(at("if (x")));
        assert_eq!(c.offset(99, 1), None);
    }

    #[test]
    fn branches_have_keywords() {
        let c = Code::new(TEXT);
        assert_eq!(c.branch(at("x + 1 > 2")), Some(at("if (x")));
        assert_eq!(c.branch(at("for (i")), Some(at("for (i")));
        // Two tests: neither is the branch.
        assert_eq!(c.branch(at("a && b")), None);
        assert!(c.is_loop(at("for (i")) && !c.is_loop(at("if (x")));
    }

    #[test]
    fn statements_begin() {
        let c = Code::new(TEXT);
        for (inside, start) in [
            ("g(1", "int x"),
            ("x * 3", "y = x"),
            ("4;", "z = 4"),
            ("1 > 2", "x + 1 > 2"),
            ("i++", "i++"),
            ("t()", "t()"),
        ] {
            assert_eq!(c.statement(at(inside)), at(start), "{inside}");
        }
    }
}
