//! Tasks for verifiers often call `assert` without a declaration, and tools for them know it by name. C makes such a call
//! one of `int assert()`, and a pointer that is asserted would be cut to an `int`. These sources get the macro that
//! `<assert.h>` defines; whoever declares, defines or includes an `assert` keeps it. The same for those names of CBMC's
//! that C can say in a line; the others stay functions without a body, and no verdict is given about them.

use crate::tools::Env;
use anyhow::Context;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const HEADER: &str = "\
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((noreturn, nothrow));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
";

/// Files that are read to find declarations in, at most.
const MOST_FILES: usize = 1000;

/// Names of CBMC's, with what they mean.
const CPROVER: &[(&str, &str)] = &[
    ("__CPROVER_bool", "#define __CPROVER_bool _Bool"),
    ("__CPROVER_size_t", "typedef __SIZE_TYPE__ __CPROVER_size_t;"),
    ("__CPROVER_ssize_t", "typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;"),
    ("__CPROVER_allocate", "void *__CPROVER_allocate(__SIZE_TYPE__, _Bool);"),
    ("__CPROVER_isnanf", "#define __CPROVER_isnanf(x) (!!__builtin_isnan((float)(x)))"),
    ("__CPROVER_isnand", "#define __CPROVER_isnand(x) (!!__builtin_isnan((double)(x)))"),
    ("__CPROVER_isnanld", "#define __CPROVER_isnanld(x) (!!__builtin_isnan((long double)(x)))"),
    ("__CPROVER_isinff", "#define __CPROVER_isinff(x) (!!__builtin_isinf((float)(x)))"),
    ("__CPROVER_isinfd", "#define __CPROVER_isinfd(x) (!!__builtin_isinf((double)(x)))"),
    ("__CPROVER_isinfld", "#define __CPROVER_isinfld(x) (!!__builtin_isinf((long double)(x)))"),
    ("__CPROVER_isfinitef", "#define __CPROVER_isfinitef(x) (!!__builtin_isfinite((float)(x)))"),
    ("__CPROVER_isfinited", "#define __CPROVER_isfinited(x) (!!__builtin_isfinite((double)(x)))"),
    ("__CPROVER_isfiniteld", "#define __CPROVER_isfiniteld(x) (!!__builtin_isfinite((long double)(x)))"),
    ("__CPROVER_isnormalf", "#define __CPROVER_isnormalf(x) (!!__builtin_isnormal((float)(x)))"),
    ("__CPROVER_isnormald", "#define __CPROVER_isnormald(x) (!!__builtin_isnormal((double)(x)))"),
    ("__CPROVER_isnormalld", "#define __CPROVER_isnormalld(x) (!!__builtin_isnormal((long double)(x)))"),
    ("__CPROVER_signf", "#define __CPROVER_signf(x) (!!__builtin_signbit((float)(x)))"),
    ("__CPROVER_signd", "#define __CPROVER_signd(x) (!!__builtin_signbit((double)(x)))"),
    ("__CPROVER_signld", "#define __CPROVER_signld(x) (!!__builtin_signbit((long double)(x)))"),
];

/// The definitions that a source needs: of names that it uses and does not declare or define.
fn definitions(text: &str) -> Vec<&'static str> {
    let uses = |name: &str| {
        text.match_indices(name)
            .any(|(at, _)| !text[..at].ends_with(is_name) && !text[at + name.len()..].starts_with(is_name))
    };
    let declares = |name: &str| {
        let line = text.lines().any(|l| {
            let words: Vec<&str> = l.split(|c: char| !is_name(c)).filter(|w| !w.is_empty()).collect();
            match words.first() {
                Some(&"typedef") => words.last() == Some(&name),
                Some(&"define") => words.get(1) == Some(&name),
                Some(&"extern") => words.contains(&name),
                _ => false,
            }
        });
        line || called(text, name) == Use::Declared
    };
    CPROVER.iter().filter(|(n, _)| uses(n) && !declares(n)).map(|(_, d)| *d).collect()
}

/// Compiler options by which undeclared calls of `assert` in these sources mean what they say.
///
/// # Errors
/// The cache cannot be written.
pub fn options(env: &Env, sources: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let texts: Vec<String> =
        sources.iter().filter(|p| p.extension().is_some_and(|e| e == "c")).map(|p| read(p)).collect();
    let uses: Vec<Use> = texts.iter().map(|t| of(t)).collect();
    let asserts = !uses.contains(&Use::Declared) && uses.contains(&Use::Undeclared);
    let own: BTreeSet<&str> = texts.iter().flat_map(|t| definitions(t)).collect();
    let mut out = Vec::new();
    let mut include = |name: &str, text: &str| -> anyhow::Result<()> {
        let file = env.store.root().join("headers-check").join(name);
        if std::fs::read_to_string(&file).ok().as_deref() != Some(text) {
            // Whole, or not at all: others may read it now.
            let folder = file.parent().unwrap_or(env.store.root());
            std::fs::create_dir_all(folder)
                .and_then(|()| tempfile::NamedTempFile::new_in(folder))
                .and_then(|mut t| std::io::Write::write_all(&mut t, text.as_bytes()).map(|()| t))
                .and_then(|t| t.persist(&file).map_err(|e| e.error))
                .with_context(|| file.display().to_string())?;
        }
        out.extend(["-include".into(), file.display().to_string()]);
        Ok(())
    };
    if asserts {
        include("undeclared_assert.h", HEADER)?;
    }
    // A file by definition: whoever else checks something at the same time finds the same text in it.
    for (name, line) in CPROVER.iter().filter(|(_, line)| own.contains(line)) {
        include(&format!("{name}.h"), &format!("{line}\n"))?;
    }
    Ok(out)
}

/// A source with the headers that it names in quotes, as far as they lie beside what names them: a project's own headers
/// declare names, too. What cannot be read is the compiler's to complain of.
fn read(source: &Path) -> String {
    let mut out = String::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![source.to_path_buf()];
    while let Some(file) = todo.pop() {
        let Ok(file) = file.canonicalize() else { continue };
        if seen.len() >= MOST_FILES || !seen.insert(file.clone()) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&file) else { continue };
        let text = without_comments(&String::from_utf8_lossy(&bytes));
        let folder = file.parent().unwrap_or(Path::new(""));
        todo.extend(quoted(&text).map(|name| folder.join(name)));
        out.push_str(&text);
        out.push('\n');
    }
    out
}

/// The names that a text includes in quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|l| {
        let rest = l.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        rest.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)
    })
}

/// Words in comments declare nothing. (In a string, what looks like a comment hides the rest of it: no name is there.)
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out.push_str(&rest[..at]);
        let (end, skip) = if rest[at..].starts_with("//") { ("\n", 0) } else { ("*/", 2) };
        rest = rest[at + 2..].find(end).map_or("", |e| &rest[at + 2 + e + skip..]);
        out.push(' ');
    }
    out.push_str(rest);
    out
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    None,
    Undeclared,
    Declared,
}

/// How a source uses `assert`, as far as its text tells.
fn of(text: &str) -> Use {
    if text.contains("<assert.h>") {
        return Use::None;
    }
    if text.contains("assert.h") || text.contains("__assert_fail") {
        // A header of the project may bring it along: then the name is the project's.
        return Use::Declared;
    }
    called(text, "assert")
}

/// How a source uses a function of this name: where something stands before it that is no statement's beginning, it is
/// declared there.
fn called(text: &str, name: &str) -> Use {
    let mut found = Use::None;
    for (at, word) in text.match_indices(name) {
        let (before, after) = (&text[..at], text[at + word.len()..].trim_start());
        if before.ends_with(is_name) || !after.starts_with('(') {
            continue;
        }
        let before = before.trim_end();
        let token = before.rsplit(|c: char| !is_name(c)).next().unwrap_or("");
        match token {
            "" if before.ends_with('*') && is_pointer(before) => return Use::Declared,
            "" | "else" | "do" | "return" => found = Use::Undeclared,
            _ => return Use::Declared,
        }
    }
    found
}

/// Whether the star at the end of a text makes a pointer type of what stands before it, as `void *` does; in `x * f()`
/// it multiplies. At the beginning of a statement only a type can stand before a star and a call.
fn is_pointer(before: &str) -> bool {
    let words = before.trim_end_matches('*').trim_end();
    let statement = words.rfind([';', '{', '}', '\n']).map_or(words, |at| &words[at + 1..]);
    let is_word = |w: &str| w.chars().all(is_name) && !w.starts_with(|c: char| c.is_ascii_digit()) && w != "return";
    !statement.trim().is_empty() && statement.split([' ', '\t', '*']).all(is_word)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_used_are_defined() {
        let check = |text: &str, expect: &[&str]| assert_eq!(definitions(text), expect, "{text}");
        check("int main(void) { __CPROVER_bool b; }", &["#define __CPROVER_bool _Bool"]);
        check("typedef unsigned long __CPROVER_size_t;\n__CPROVER_size_t n;", &[]);
        check("void *malloc(__CPROVER_size_t);", &["typedef __SIZE_TYPE__ __CPROVER_size_t;"]);
        check("typedef __CPROVER_size_t size_t;", &["typedef __SIZE_TYPE__ __CPROVER_size_t;"]);
        check("#define __CPROVER_bool int\n__CPROVER_bool b;", &[]);
        check("int my__CPROVER_bool, __CPROVER_boolean;", &[]);
        check("_Bool __CPROVER_isnanf(float f);\nint main(void) { __CPROVER_isnanf(0); }", &[]);
        check("int main(void) { return __CPROVER_isnanf(0); }", &[CPROVER[4].1]);
    }

    #[test]
    fn headers_in_quotes_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
            std::fs::write(&file, text).expect("a file");
            file
        };
        let source = write("a.c", "#include \"sub/my.h\"\nint main(void) { assert(1); }");
        assert_eq!(of(&read(&source)), Use::Undeclared, "a header that is not there");
        write("sub/my.h", "#  include \"deep.h\"\n#include \"../a.c\"\n__CPROVER_bool b;");
        write("sub/deep.h", "void assert(int);");
        assert_eq!(of(&read(&source)), Use::Declared);
        assert_eq!(definitions(&read(&source)), [CPROVER[0].1]);
    }

    #[test]
    fn declarations_are_seen() {
        let check = |text: &str, expect: Use| assert_eq!(of(&without_comments(text)), expect, "{text}");
        check("int main(void) { // addition\n assert(p); }", Use::Undeclared);
        check("int main(void) { /* void */ assert(p); }", Use::Undeclared);
        check("int main(void) { assert(p); }", Use::Undeclared);
        check("if (x) y(); else assert (x > 0);", Use::Undeclared);
        check("#include <assert.h>\nint main(void) { assert(p); }", Use::None);
        check("void assert(int c) { if (!c) bad(); } int main(void) { assert(1); }", Use::Declared);
        check("#define assert(e) my(e)\n", Use::Declared);
        check("#include \"my_assert.h\"\nint main(void) { assert(1); }", Use::Declared);
        check("int main(void) { __VERIFIER_assert(1); my_assert(2); }", Use::None);
        check("void *assert(int c);", Use::Declared);
        check("int f(void) { return 2 * assert(1); }", Use::Undeclared);
    }
}
