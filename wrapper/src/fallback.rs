//! Sources that gcc takes and clang does not as they are: what is tried before the capture of one is given up.
//!
//! - Its preprocessor stops: the text as the real compiler preprocesses it, in two dialects. First the real compiler
//!   says that it is as old as clang says it is (`__GNUC__` 4.2), so that headers of the C library do not use what only
//!   a new gcc knows; then as what it is.
//! - Text that a gcc has preprocessed, now or long ago: attributes and types that only gcc knows are put in clang's way.
//! - A function without a result that is called above its definition and declared nowhere: gcc warns of the call, which
//!   declares it with the result `int`, and goes on. It is declared before everything else.
//! - A `main` with other parameters than the standard's: clang is told that `main` is a function like any other
//!   (`-ffreestanding`, after the headers have been read as usual), where no function ends without the `return` that
//!   `main` may leave out.
//!
//! What only gcc's own front end understands fails in all of them, and is reported with what clang said about the
//! source itself.

use std::fs;
use std::path::{Path, PathBuf};

use verify_cache::Store;

use crate::capture::{self, CaptureError, Captured, Job, Text, Tools};
use crate::tool;
use crate::translate::emit_options;

/// No function may end without its `return`.
pub(crate) const NO_END: &str = "-Werror=return-type";

const AS_OLD_AS_CLANG: &[&str] = &["-U__GNUC__", "-D__GNUC__=4", "-U__GNUC_MINOR__", "-D__GNUC_MINOR__=2"];

/// Types that gcc knows in C and clang does not, where the C library's headers name them.
const TYPES: &[(&str, &str)] = &[
    ("_Float32x", "double"),
    ("_Float32", "float"),
    ("_Float64x", "long double"),
    ("_Float64", "double"),
    ("_Float128", "__float128"),
];

/// A text to try, and how it came about.
struct Attempt {
    text: Vec<u8>,
    dirs: Vec<PathBuf>,
    how: &'static str,
    /// Why the files that were read do not tell whether it would be the same again.
    blind: Option<&'static str>,
}

/// What came of an attempt.
pub(crate) struct Done {
    pub captured: Captured,
    pub text: Text,
    pub blind: Option<&'static str>,
}

/// The unit by one of the ways above, given what clang said; none when clang takes none of them.
pub(crate) fn compile(tools: &Tools, store: &Store, job: &Job, scratch: &Path, said: &str) -> Option<Done> {
    let out = scratch.join("real.i");
    // On standard input: the name of a scratch file would be in the unit, which then were another one each time.
    let mut copy = Job { source: "-".into(), language: "cpp-output".into(), ..job.clone() };
    let main = said.contains("parameter of 'main'") || said.contains(" for 'main'");
    if main {
        // The end of such a function returns nothing; the end of `main` would return 0.
        copy.args.extend(["-ffreestanding".into(), NO_END.into()]);
    }
    let mut tried = |attempt: Attempt| {
        copy.stdin = Some(attempt.text);
        let mut text = capture::content_key(tools, &copy, copy.stdin.as_deref()?, attempt.dirs);
        if job.stdin.is_none() {
            text.files.insert(job.source.clone());
            text.files_hash = capture::files_hash(&job.cwd, &text.files);
        }
        let mut captured = capture::make(tools, store, &copy, scratch, &text).ok()?;
        captured.note = Some(format!("clang does not take the source as it is; {}", attempt.how));
        Some(Done { captured, text, blind: attempt.blind })
    };
    let text = if job.language != "cpp-output" {
        capture::preprocessed(tools, job, scratch)
    } else if let Some(text) = &job.stdin {
        Some((text.clone(), vec![job.cwd.clone()]))
    } else {
        fs::read(job.cwd.join(&job.source)).ok().map(|text| (text, vec![job.cwd.clone()]))
    };
    if let Some((text, dirs)) = text {
        let text = if text.starts_with(b"#") { text } else { [marker(job).as_bytes(), &text].concat() };
        let mended = with_types(without_deallocators(&text));
        let how = match mended == text {
            true => "its `main` is taken as any function",
            false => "what only gcc knows is left out",
        };
        if said.contains(CONFLICT)
            && let Some(text) = declared_first(tools, job, scratch, &mended, said)
        {
            let how = "functions without a result are declared before they are called";
            return tried(Attempt { text, dirs, how, blind: None });
        }
        if (main || mended != text)
            && let Some(done) = tried(Attempt { text: mended, dirs, how, blind: None })
        {
            return Some(done);
        }
    }
    if job.language == "cpp-output" {
        return None;
    }
    for (how, extra) in [
        ("the real compiler preprocessed it as an old one", AS_OLD_AS_CLANG),
        ("the real compiler preprocessed it", &[][..]),
    ] {
        let Ok(said) = tool::real_preprocess(tools, job, scratch, &[extra, &["-v"]].concat(), &out) else { continue };
        let text = fs::read(&out).ok()?;
        let text = if extra.is_empty() { with_types(without_deallocators(&text)) } else { text };
        let blind = Some("what the real compiler reads besides headers is not known");
        if let Some(done) = tried(Attempt { text, dirs: tool::looked_in(&said), how, blind }) {
            return Some(done);
        }
    }
    None
}

/// What clang says of a function that was called before it was declared, and has another type then.
const CONFLICT: &str = "conflicting types for '";

/// Most functions that are declared so; clang is run once for each.
const DECLARED: usize = 64;

/// The text with a declaration of each function that clang says this of, if it takes it so. Only where gcc goes on too:
/// it does where the definition gives no result.
fn declared_first(tools: &Tools, job: &Job, scratch: &Path, text: &[u8], said: &str) -> Option<Vec<u8>> {
    let mut copy = Job { source: "-".into(), language: "cpp-output".into(), ..job.clone() };
    let mut said = said.to_string();
    let mut declared = Vec::new();
    for _ in 0..DECLARED {
        let name = said.split_once(CONFLICT)?.1.split('\'').next()?;
        if !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return None;
        }
        let line = format!("void {name}();\n").into_bytes();
        if declared.windows(line.len()).any(|w| w == line) {
            return None;
        }
        declared.extend(line);
        let all = [declared.as_slice(), text].concat();
        copy.stdin = Some(all.clone());
        match tool::clang(tools, &copy, scratch, &emit_options(), &scratch.join("declared.bc")) {
            Ok(_) => return Some(all),
            Err(CaptureError::Clang(more)) => said = more,
            Err(_) => return None,
        }
    }
    None
}

/// A line marker that names the source.
fn marker(job: &Job) -> String {
    let name = job.source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    format!("# 1 \"{name}\"\n")
}

/// gcc's attribute that names the function which frees, `malloc (fclose, 1)`, becomes the plain one. Lines stay.
fn without_deallocators(text: &[u8]) -> Vec<u8> {
    const ATTRIBUTE: &[u8] = b"__attribute";
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|b| matches!(b, b'"' | b'\'' | b'_')) {
        out.extend(&rest[..at]);
        rest = &rest[at..];
        let start = if !rest.starts_with(ATTRIBUTE) {
            literal(rest).max(1)
        } else {
            let blank = |b: &&u8| **b == b'_' || b.is_ascii_whitespace();
            ATTRIBUTE.len() + rest[ATTRIBUTE.len()..].iter().take_while(blank).count()
        };
        out.extend(&rest[..start]);
        let attribute = rest.starts_with(ATTRIBUTE) && rest[start..].starts_with(b"((");
        rest = &rest[start..];
        if attribute {
            let end = balanced(rest);
            out.extend(without_arguments(&rest[..end]));
            rest = &rest[end..];
        }
    }
    out.extend(rest);
    out
}

/// How long the string or the character is that the text begins with; 0 where it begins with neither.
fn literal(text: &[u8]) -> usize {
    let Some(quote @ (b'"' | b'\'')) = text.first() else { return 0 };
    let mut escaped = false;
    for (i, b) in text.iter().enumerate().skip(1) {
        match b {
            // One that is not closed is none: an apostrophe in a comment.
            b'\n' if !escaped => return 1,
            b if b == quote && !escaped => return i + 1,
            b => escaped = *b == b'\\' && !escaped,
        }
    }
    1
}

/// One attribute list where `malloc` takes no arguments.
fn without_arguments(list: &[u8]) -> Vec<u8> {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut out = Vec::with_capacity(list.len());
    let mut rest = list;
    while let Some(first) = rest.iter().position(|b| word(b) || *b == b'"') {
        if rest[first] == b'"' {
            let end = first + literal(&rest[first..]);
            out.extend(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let end = first + rest[first..].iter().take_while(|b| word(b)).count();
        out.extend(&rest[..end]);
        let name = &rest[first..end];
        rest = &rest[end..];
        let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if (name == b"malloc" || name == b"__malloc__") && rest[blank..].starts_with(b"(") {
            let arguments = blank + balanced(&rest[blank..]);
            out.extend(rest[..arguments].iter().filter(|b| **b == b'\n'));
            rest = &rest[arguments..];
        }
    }
    out.extend(rest);
    out
}

/// How far the parenthesis reaches that the text begins with; 0 where it is not closed.
fn balanced(text: &[u8]) -> usize {
    let (mut depth, mut i) = (0_usize, 0);
    while let Some(b) = text.get(i) {
        match b {
            b'"' | b'\'' => i += literal(&text[i..]) - 1,
            b'(' => depth += 1,
            b')' if depth == 1 => return i + 1,
            b')' => depth -= 1,
            _ => {}
        }
        i += 1;
    }
    0
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

#[cfg(test)]
mod tests {
    use super::{balanced, without_deallocators};

    #[test]
    fn only_attributes_lose_arguments() {
        let plain = |text: &str| String::from_utf8(without_deallocators(text.as_bytes())).unwrap();
        assert_eq!(
            plain("f(void) __attribute__ ((malloc (free,\n1), cold));"),
            "f(void) __attribute__ ((malloc\n, cold));"
        );
        assert_eq!(plain("g __attribute((__malloc__(g)));"), "g __attribute((__malloc__));");
        for same in [
            "__attribute__((malloc))",
            "p = malloc (3);",
            "puts(\"__attribute__\"), f(malloc(10));",
            "__attribute__((section(\")(\"))) int x = (malloc(3));",
            "__attribute__((section(\"malloc(x)\")))",
            "sizeof \"__attribute__((malloc(x)))\"",
            "'\"' x __attribute__((malloc(f",
            "__attribute__",
        ] {
            assert_eq!(plain(same), same);
        }
        assert_eq!(balanced(b"(\"\\\")\")x"), 7);
    }
}
