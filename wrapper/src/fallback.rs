//! Sources that clang's preprocessor does not take: the text as the real compiler preprocesses it.
//!
//! It is tried in two dialects. First the real compiler says that it is as old as clang says it is (`__GNUC__` 4.2),
//! so that headers of the C library do not use what only a new gcc knows; then as what it is. What only gcc's own
//! front end understands fails in both, and is reported with what clang said about the source itself.

use std::fs;
use std::path::Path;

use verify_cache::Store;

use crate::capture::{self, Captured, Job, Text, Tools};
use crate::tool;

const AS_OLD_AS_CLANG: &[&str] = &["-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2"];

/// Types that gcc knows in C and clang does not, where the C library's headers name them.
const TYPES: &[(&str, &str)] = &[
    ("_Float32x", "double"),
    ("_Float32", "float"),
    ("_Float64x", "long double"),
    ("_Float64", "double"),
    ("_Float128", "__float128"),
];

/// The unit by way of the real compiler's preprocessor; none when clang does not take that either.
pub(crate) fn compile(tools: &Tools, store: &Store, job: &Job, scratch: &Path) -> Option<(Captured, Text)> {
    let out = scratch.join("real.i");
    for (dialect, extra) in [(" as an old one", AS_OLD_AS_CLANG), ("", &[][..])] {
        let said = match tool::real_preprocess(tools, job, scratch, &[extra, &["-v"]].concat(), &out) {
            Ok(said) => said,
            Err(_) => continue,
        };
        let mut bytes = fs::read(&out).ok()?;
        if extra.is_empty() {
            bytes = with_types(without_deallocators(&bytes));
            fs::write(&out, &bytes).ok()?;
        }
        let text = capture::content_key(tools, job, &bytes, tool::looked_in(&said));
        let copy = Job { source: out.clone(), language: "cpp-output".into(), stdin: None, ..job.clone() };
        if let Ok(mut captured) = capture::make(tools, store, &copy, scratch, &text) {
            captured.note =
                Some(format!("clang does not take the source as it is; the real compiler preprocessed it{dialect}"));
            return Some((captured, text));
        }
    }
    None
}

/// gcc's attribute that names the function which frees (`__malloc__ (fclose, 1)`) becomes the plain one.
fn without_deallocators(text: &[u8]) -> Vec<u8> {
    const NAME: &[u8] = b"__malloc__";
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.windows(NAME.len()).position(|w| w == NAME) {
        let end = at + NAME.len();
        out.extend(&rest[..end]);
        rest = &rest[end..];
        let arguments = rest.trim_ascii_start();
        if let (Some(b'('), Some(close)) = (arguments.first(), arguments.iter().position(|b| *b == b')')) {
            rest = &arguments[close + 1..];
        }
    }
    out.extend(rest);
    out
}

/// Puts definitions of the types that the text uses before it, on a line of their own that no one sees.
fn with_types(text: Vec<u8>) -> Vec<u8> {
    let has = |name: &str| text.windows(name.len()).any(|w| w == name.as_bytes());
    let defined: String =
        TYPES.iter().filter(|(name, _)| has(name)).map(|(name, is)| format!("typedef {is} {name}; ")).collect();
    if defined.is_empty() {
        return text;
    }
    // The line marker that names the source comes first and must stay so.
    let first = text.iter().position(|b| *b == b'\n').map_or(0, |at| at + 1);
    let mut out = text[..first].to_vec();
    out.extend(defined.as_bytes());
    out.push(b'\n');
    out.extend(&text[..first]);
    out.extend(&text[first..]);
    out
}
