//! Source files as the reports show them: one entry per path and content over all programs, the path that users read,
//! its URI, its lines, and columns in the unit that each output wants.
//!
//! Paths are normalised as text (`.` and `..`); symbolic links are not followed, for no file system is read here.
//! Column arithmetic: the compiler counts bytes of the file. Where the file was not UTF-8 the kept text has U+FFFD
//! for each bad byte, so that character counts as one byte.

use crate::lexer::Lexed;
use crate::region::{self, ByteRegion};
use sha2::{Digest, Sha256};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;
use verify_ir::{FileId, FuncId, Module, SourceFile, Span, SpanId};

/// Index into [`Sources::all`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SourceId(pub usize);

/// Where something is: a source and a line and column as the IR counts them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub source: SourceId,
    /// From 1.
    pub line: u32,
    /// In bytes from 1; 0 when unknown.
    pub column: u32,
}

/// A source file.
#[derive(Debug)]
pub struct Source<'a> {
    /// Relative to the root with `/` between the parts, or absolute when it lies elsewhere.
    pub path: String,
    /// The path is relative to the root.
    pub below_root: bool,
    /// The text that was compiled, when known.
    pub text: Option<&'a str>,
    /// BLAKE3 of the text, all zero when unknown.
    pub blake3: [u8; 32],
    /// Not user code.
    pub system: bool,
    lines: OnceCell<Vec<(usize, usize)>>,
    hashes: OnceCell<Vec<String>>,
    lexed: OnceCell<Lexed<'a>>,
}

/// A region in SARIF's terms: lines from 1, columns in UTF-16 code units from 1, the end column excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Utf16Region {
    pub start_line: u32,
    pub start_column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl<'a> Source<'a> {
    fn new(path: String, below_root: bool, text: Option<&'a str>, blake3: [u8; 32], system: bool) -> Source<'a> {
        Source {
            path,
            below_root,
            text,
            blake3,
            system,
            lines: OnceCell::new(),
            hashes: OnceCell::new(),
            lexed: OnceCell::new(),
        }
    }
    /// The path as a URI reference: relative for files below the root, `file://...` for others.
    pub fn uri(&self) -> String {
        if self.below_root { percent_encode(&self.path) } else { file_uri(&self.path) }
    }
    /// Byte ranges of the lines without their ends (`\n`, `\r\n`, `\r`); a final line end starts one more, empty, line.
    pub(crate) fn lines(&self) -> &[(usize, usize)] {
        self.lines.get_or_init(|| self.text.map(split_lines).unwrap_or_default())
    }
    /// The text of a line (from 1) without its end.
    pub fn line(&self, line: u32) -> Option<&'a str> {
        let &(from, to) = self.lines().get((line as usize).checked_sub(1)?)?;
        Some(&self.text?[from..to])
    }
    /// Byte offset in the text of a line and a column in bytes of the file; behind the line's end it is that end.
    pub(crate) fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let &(from, _) = self.lines().get((line as usize).checked_sub(1)?)?;
        let mut left = column.saturating_sub(1) as usize;
        let mut at = from;
        for c in self.line(line)?.chars() {
            let width = if c == char::REPLACEMENT_CHARACTER { 1 } else { c.len_utf8() };
            if left < width {
                break;
            }
            left -= width;
            at += c.len_utf8();
        }
        Some(at)
    }
    /// The tokens of the statement at a place, without blanks and comments; empty where the text is not known.
    pub(crate) fn statement(&self, place: Place) -> String {
        let (Some(text), Some(at)) = (self.text, self.offset(place.line, place.column)) else { return String::new() };
        self.lexed.get_or_init(|| Lexed::of(text)).statement(text, at)
    }
    /// The region of the C token or expression at a place; `expr` is the expression that the finding is about, or empty.
    pub(crate) fn region(&self, place: Place, expr: &str) -> Option<ByteRegion> {
        region::at(self, place.line, place.column, expr)
    }
    /// The same as lines and UTF-16 columns. Without text all that is known is the place.
    pub fn utf16_region(&self, place: Place, expr: &str) -> Utf16Region {
        match self.region(place, expr) {
            Some(r) => {
                let (start_line, start_column) = self.utf16_position(r.start);
                let (end_line, end_column) = self.utf16_position(r.end);
                Utf16Region { start_line, start_column, end_line, end_column }
            }
            None => {
                let line = place.line.max(1);
                let column = place.column.max(1);
                Utf16Region {
                    start_line: line,
                    start_column: column,
                    end_line: line,
                    end_column: column.saturating_add(1),
                }
            }
        }
    }
    fn utf16_position(&self, offset: usize) -> (u32, u32) {
        let lines = self.lines();
        let index = lines.partition_point(|&(from, _)| from <= offset).saturating_sub(1);
        let from = lines[index].0;
        let units = self.text.map_or(0, |t| t[from..offset.max(from)].encode_utf16().count());
        (index as u32 + 1, units as u32 + 1)
    }
    /// GitHub's fingerprint of a line (from 1).
    pub fn line_hash(&self, line: u32) -> Option<&str> {
        let text = self.text?;
        let hashes = self.hashes.get_or_init(|| crate::fingerprint::line_hashes(text));
        hashes.get((line as usize).checked_sub(1)?).map(String::as_str)
    }
    /// SHA-256 of the file in hex, when the kept text is the file to the byte.
    pub fn sha256(&self) -> Option<String> {
        let text = self.text.filter(|t| *blake3::hash(t.as_bytes()).as_bytes() == self.blake3)?;
        Some(hex(&Sha256::digest(text.as_bytes())))
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from(b"0123456789abcdef"[usize::from(n)]);
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

fn split_lines(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut lines, mut from, mut i) = (Vec::new(), 0, 0);
    while i < bytes.len() {
        let end = match bytes[i] {
            b'\r' if bytes.get(i + 1) == Some(&b'\n') => 2,
            b'\r' | b'\n' => 1,
            _ => 0,
        };
        if end > 0 {
            lines.push((from, i));
            from = i + end;
        }
        i += end.max(1);
    }
    lines.push((from, text.len()));
    lines
}

/// All sources of a scan. Files of several programs with the same path and content are one.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The files, in the order in which they were first asked for.
    pub all: Vec<Source<'a>>,
    root: String,
    index: BTreeMap<(String, [u8; 32]), SourceId>,
    /// What is known per module (by its address) and file: only looked up, never iterated.
    by_file: BTreeMap<(usize, FileId), SourceId>,
}

impl<'a> Sources<'a> {
    /// `root`: the absolute path that shown paths are relative to.
    pub fn new(root: &Path) -> Sources<'a> {
        let root = normalise("", &root.to_string_lossy());
        Sources { all: Vec::new(), root, index: BTreeMap::new(), by_file: BTreeMap::new() }
    }
    /// The normalised root, without `/` at the end unless it is `/`.
    pub fn root(&self) -> &str {
        &self.root
    }
    /// The source.
    pub fn get(&self, id: SourceId) -> &Source<'a> {
        &self.all[id.0]
    }
    /// The source for a file of a module.
    pub fn intern(&mut self, file: &'a SourceFile) -> SourceId {
        self.intern_as(&file.directory, &file.path, file.text.as_deref(), file.hash, file.system)
    }
    fn intern_as(
        &mut self,
        directory: &str,
        path: &str,
        text: Option<&'a str>,
        blake3: [u8; 32],
        system: bool,
    ) -> SourceId {
        let full = normalise(directory, path);
        let (shown, below) = relative_to(&full, &self.root);
        let all = &mut self.all;
        *self.index.entry((shown.clone(), blake3)).or_insert_with(|| {
            all.push(Source::new(shown, below, text, blake3, system));
            SourceId(all.len() - 1)
        })
    }
    /// The place of a span, when it is known.
    pub fn place(&mut self, module: &'a Module, span: SpanId) -> Option<Place> {
        let s = known(module, span)?;
        let key = (std::ptr::from_ref(module).addr(), s.file);
        let source = match self.by_file.get(&key) {
            Some(id) => *id,
            None => {
                let id = self.intern(module.files.get(s.file.index())?);
                self.by_file.insert(key, id);
                id
            }
        };
        Some(Place { source, line: s.line, column: s.column })
    }
    /// Like [`Sources::place`], for files that were interned by it before.
    pub fn known_place(&self, module: &Module, span: SpanId) -> Option<Place> {
        let s = known(module, span)?;
        let source = *self.by_file.get(&(std::ptr::from_ref(module).addr(), s.file))?;
        Some(Place { source, line: s.line, column: s.column })
    }
    /// The place of a span; where that is unknown, that of the function; else line 1 of its unit.
    pub fn place_or_function(&mut self, module: &'a Module, span: SpanId, func: FuncId) -> Option<Place> {
        self.place(module, span).or_else(|| {
            let f = module.functions.get(func.index())?;
            self.place(module, f.span).or_else(|| {
                let unit = module.units.get(f.unit.index())?;
                let source = self.intern_as(&unit.directory, &unit.source, None, [0; 32], unit.model);
                Some(Place { source, line: 1, column: 0 })
            })
        })
    }
}

/// The position of a span, unless it is unknown.
fn known(module: &Module, span: SpanId) -> Option<Span> {
    module.spans.get(span.index()).copied().filter(|s| s.line != 0 && s.file != FileId(0))
}

/// Joins and removes `.`, `..` and empty parts, as text. A relative result may start with `..`.
pub fn normalise(directory: &str, path: &str) -> String {
    let joined =
        if path.starts_with('/') || directory.is_empty() { path.into() } else { format!("{directory}/{path}") };
    let absolute = joined.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            _ => parts.push(part),
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"))
}

/// The path relative to `root` and true when it lies below it. A relative path is taken as relative to the root.
fn relative_to(path: &str, root: &str) -> (String, bool) {
    if !path.starts_with('/') {
        let up = path == ".." || path.starts_with("../");
        return match up && root.starts_with('/') {
            true => relative_to(&normalise(root, path), root),
            false => (path.to_string(), !up),
        };
    }
    let below =
        if root == "/" { path.strip_prefix('/') } else { path.strip_prefix(root).and_then(|p| p.strip_prefix('/')) };
    match below {
        Some(p) if !p.is_empty() => (p.to_string(), true),
        _ => (path.to_string(), false),
    }
}

/// `file://` URI of an absolute path.
pub fn file_uri(path: &str) -> String {
    format!("file://{}", percent_encode(path))
}

/// Percent-encodes everything but RFC 3986's unreserved characters and `/`.
pub fn percent_encode(path: &str) -> String {
    let mut s = String::with_capacity(path.len());
    for b in path.bytes() {
        if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) {
            s.push(char::from(b));
        } else {
            s.push_str(&format!("%{b:02X}"));
        }
    }
    s
}

/// The inverse of [`percent_encode`].
pub fn percent_decode(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, more)) = rest.split_first() {
        let code = more.get(..2).and_then(|d| u8::from_str_radix(std::str::from_utf8(d).ok()?, 16).ok());
        match (first, code) {
            (b'%', Some(b)) => {
                bytes.push(b);
                rest = &more[2..];
            }
            _ => {
                bytes.push(first);
                rest = more;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        fn check(directory: &str, path: &str, root: &str, shown: &str, uri: &str) {
            let file =
                SourceFile { path: path.into(), directory: directory.into(), hash: [0; 32], text: None, system: false };
            let mut s = Sources::new(Path::new(root));
            let id = s.intern(&file);
            assert_eq!((s.get(id).path.as_str(), s.get(id).uri().as_str()), (shown, uri));
            assert_eq!(percent_decode(uri.strip_prefix("file://").unwrap_or(uri)), shown);
        }
        check("/p/src", "a.c", "/p", "src/a.c", "src/a.c");
        check("/p/build", "../src/./a.c", "/p/", "src/a.c", "src/a.c");
        check("/p/src", "/usr/include/x.h", "/p", "/usr/include/x.h", "file:///usr/include/x.h");
        check("/pq", "a.c", "/p", "/pq/a.c", "file:///pq/a.c");
        check("", "a.c", "/p", "a.c", "a.c");
        check("", "../q/a.c", "/p", "/q/a.c", "file:///q/a.c");
        check("/", "a.c", "/", "a.c", "a.c");
        check("/p", "ü b/x:100%.c", "/p", "ü b/x:100%.c", "%C3%BC%20b/x%3A100%25.c");
    }

    #[test]
    fn lines_and_columns() {
        fn check(text: &str, line: u32, column: u32, expect: (u32, u32)) {
            let s = Source::new("a.c".into(), true, Some(text), [0; 32], false);
            let o = s.offset(line, column).unwrap();
            assert_eq!(s.utf16_position(o), expect, "{text:?} {line}:{column}");
        }
        check("ab\ncd", 2, 2, (2, 2));
        check("ab\r\ncd\rx", 3, 1, (3, 1));
        check("/* ü */ x", 1, 10, (1, 9));
        check("\"😀\" x", 1, 8, (1, 6));
        check("\"\u{FFFD}\" x", 1, 5, (1, 5));
        check("ab", 1, 99, (1, 3));
    }

    /// Positions may be wrong: the text may not be what was compiled.
    #[test]
    fn any_position_has_a_region() {
        let texts = ["", "\n", "f(a[1], \"x", "é😀\u{FFFD}'\\", "/* \r\r\n\t*/ .5e+", "((((\n[[[", "x\u{2028}y == 'z'"];
        for text in texts {
            let s = Source::new("a.c".into(), true, Some(text), [0; 32], false);
            for line in (0..5).chain([u32::MAX]) {
                for column in (0..20).chain([u32::MAX]) {
                    for expr in ["", "a[1]", "=='z'", "😀"] {
                        let place = Place { source: SourceId(0), line, column };
                        let r = s.utf16_region(place, expr);
                        assert!((r.start_line, r.start_column) <= (r.end_line, r.end_column), "{text:?} {place:?}");
                        assert!(s.region(place, expr).is_none_or(|b| text.get(b.start..b.end).is_some()));
                    }
                }
            }
        }
    }
}
