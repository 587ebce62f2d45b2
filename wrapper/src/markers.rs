//! The line markers of preprocessed text and the `#line` directives of sources: which files they name.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use crate::names::lines;

/// The files that line markers name: `# 12 "path" 1`, `#line 12 "path"`.
pub(crate) fn files_named(text: &[u8]) -> BTreeSet<PathBuf> {
    let mut out = BTreeSet::new();
    for line in lines(text) {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { continue };
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
        if !rest.first().is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let rest = rest.trim_ascii_start();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let Some(quoted) = rest[digits..].trim_ascii_start().strip_prefix(b"\"") else { continue };
        if let Some(name) = unescape(quoted) {
            out.insert(PathBuf::from(OsString::from_vec(name)));
        }
    }
    out
}

/// A C string up to its closing quote.
fn unescape(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return Some(out),
            b'\\' => match bytes.next()? {
                digit @ b'0'..=b'7' => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        let Some(next @ b'0'..=b'7') = bytes.peek().copied() else { break };
                        value = value * 8 + u32::from(next - b'0');
                        bytes.next();
                    }
                    out.push(value as u8);
                }
                b'n' => out.push(b'\n'),
                b't' => out.push(b'\t'),
                other => out.push(other),
            },
            _ => out.push(byte),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_name_files() {
        let text = b"# 1 \"a.c\"\n# 1 \"<built-in>\" 1\nint x; # 2 \"no\"\n#define Y \"z\"\n#line 7 \"gr\\\"am\\\\.y\"\n# 3 \"sp ace\\303\\251.h\" 2 3\n#  4  unquoted\n# 5 \"open";
        let names: Vec<_> = files_named(text).into_iter().collect();
        let wanted = ["<built-in>", "a.c", "gr\"am\\.y", "sp aceé.h"].map(PathBuf::from);
        assert_eq!(names, wanted);
    }
}
