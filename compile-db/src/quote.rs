//! Command lines as text: POSIX shell words (the `command` of compile_commands.json) and GNU response files.
//!
//! The two differ only in what a backslash means inside quotes: a shell keeps it inside single quotes and before
//! ordinary characters inside double quotes; libiberty's `buildargv` (GCC, clang, binutils) lets it quote the
//! next character everywhere. No expansion of any kind happens.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Splits as a POSIX shell splits words, without expansions. A quote that is never closed ends with the text.
#[must_use]
pub fn split_posix(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => words.extend(word.take()),
            b'\'' => {
                let word = word.get_or_insert_default();
                word.extend(bytes.by_ref().take_while(|&b| b != b'\''));
            }
            b'"' => {
                let word = word.get_or_insert_default();
                while let Some(byte) = bytes.next() {
                    match (byte, bytes.peek()) {
                        (b'"', _) => break,
                        (b'\\', Some(b'\n')) => {
                            bytes.next();
                        }
                        (b'\\', Some(&next @ (b'"' | b'\\' | b'$' | b'`'))) => {
                            bytes.next();
                            word.push(next);
                        }
                        _ => word.push(byte),
                    }
                }
            }
            b'\\' => match bytes.next() {
                Some(b'\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => word.get_or_insert_default().push(b'\\'),
            },
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// Splits as GCC splits the content of a response file (libiberty `buildargv`).
#[must_use]
pub fn split_gcc(text: &[u8]) -> Vec<OsString> {
    // GCC reads the file as a C string.
    let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text[..end].iter().copied();
    while let Some(byte) = bytes.next() {
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
        if space && quote.is_none() {
            words.extend(word.take());
        } else if byte == b'\\' {
            let word = word.get_or_insert_default();
            word.extend(bytes.next());
        } else if quote == Some(byte) {
            quote = None;
        } else if quote.is_none() && matches!(byte, b'\'' | b'"') {
            quote = Some(byte);
            word.get_or_insert_default();
        } else {
            word.get_or_insert_default().push(byte);
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

/// One word quoted for a POSIX shell; plain words stay as they are.
#[must_use]
pub fn quote_posix(word: &OsStr) -> OsString {
    let bytes = word.as_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"_-+=./:,@%^".contains(b) || *b >= 0x80;
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return word.to_owned();
    }
    let mut out = vec![b'\''];
    for &byte in bytes {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
    OsString::from_vec(out)
}

/// One word quoted for a GNU response file.
#[must_use]
pub fn quote_gcc(word: &OsStr) -> OsString {
    let bytes = word.as_bytes();
    if bytes.is_empty() {
        return OsString::from("\"\"");
    }
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | b'\\' | b'\'' | b'"') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    OsString::from_vec(out)
}

/// A whole command line for a POSIX shell, words separated by one space.
#[must_use]
pub fn join_posix<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> OsString {
    join(words.into_iter().map(|w| quote_posix(w.as_ref())), b' ')
}

/// The content of a GNU response file, one word to a line.
#[must_use]
pub fn join_gcc<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> OsString {
    join(words.into_iter().map(|w| quote_gcc(w.as_ref())), b'\n')
}

fn join(words: impl Iterator<Item = OsString>, separator: u8) -> OsString {
    let mut out = Vec::new();
    for (i, word) in words.enumerate() {
        if i > 0 {
            out.push(separator);
        }
        out.extend(word.into_vec());
    }
    OsString::from_vec(out)
}
