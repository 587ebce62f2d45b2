//! Tasks for verifiers often call `assert` without a declaration, and tools for them know it by name. C makes such a call
//! one of `int assert()`, and a pointer that is asserted would be cut to an `int`. These sources get the macro that
//! `<assert.h>` defines; whoever declares, defines or includes an `assert` keeps it.

use crate::tools::Env;
use anyhow::Context;
use std::path::PathBuf;

const HEADER: &str = "\
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((noreturn, nothrow));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
";

/// Compiler options by which undeclared calls of `assert` in these sources mean what they say.
///
/// # Errors
/// The cache cannot be written.
pub fn options(env: &Env, sources: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    // What cannot be read is the compiler's to complain of.
    let texts: Vec<String> = sources
        .iter()
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .filter_map(|p| Some(String::from_utf8_lossy(&std::fs::read(p).ok()?).into_owned()))
        .collect();
    let uses: Vec<Use> = texts.iter().map(|t| of(t)).collect();
    if uses.contains(&Use::Declared) || !uses.contains(&Use::Undeclared) {
        return Ok(Vec::new());
    }
    let file = env.store.root().join("headers-check").join("undeclared_assert.h");
    if std::fs::read_to_string(&file).ok().as_deref() != Some(HEADER) {
        std::fs::create_dir_all(file.parent().unwrap_or(env.store.root()))
            .and_then(|()| std::fs::write(&file, HEADER))
            .with_context(|| file.display().to_string())?;
    }
    Ok(vec!["-include".into(), file.display().to_string()])
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    None,
    Undeclared,
    Declared,
}

/// How a source uses `assert`, as far as its text tells.
fn of(text: &str) -> Use {
    if text.contains("assert.h") || text.contains("__assert_fail") {
        // A header of the project may bring it along: then the name is the project's.
        return if text.contains("<assert.h>") { Use::None } else { Use::Declared };
    }
    let mut found = Use::None;
    for (at, word) in text.match_indices("assert") {
        let (before, after) = (&text[..at], text[at + word.len()..].trim_start());
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if before.ends_with(is_name) || !after.starts_with('(') {
            continue;
        }
        let before = before.trim_end();
        let token = before.rsplit(|c: char| !is_name(c)).next().unwrap_or("");
        match token {
            "" if before.ends_with('*') => return Use::Declared,
            "" | "else" | "do" | "return" => found = Use::Undeclared,
            _ => return Use::Declared,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_seen() {
        let check = |text: &str, expect: Use| assert_eq!(of(text), expect, "{text}");
        check("int main(void) { assert(p); }", Use::Undeclared);
        check("if (x) y(); else assert (x > 0);", Use::Undeclared);
        check("#include <assert.h>\nint main(void) { assert(p); }", Use::None);
        check("void assert(int c) { if (!c) bad(); } int main(void) { assert(1); }", Use::Declared);
        check("#define assert(e) my(e)\n", Use::Declared);
        check("#include \"my_assert.h\"\nint main(void) { assert(1); }", Use::Declared);
        check("int main(void) { __VERIFIER_assert(1); my_assert(2); }", Use::None);
    }
}
