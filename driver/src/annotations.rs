//! What users say of functions without a body: C model files (`--models DIR`, `models = [...]`), and annotations in
//! verify.toml, which are written out as such files. Both are compiled like the models of the C library, linked after them,
//! and win over them; a body in the program wins over all.
//!
//! ```toml
//! [[function]]
//! prototype = "void *pool_get(struct pool *p, size_t n)"
//! allocates = "n"          # a new object of so many bytes, or null
//! family = "pool"          # released by the functions of the same family only
//!
//! [[function]]
//! prototype = "void pool_put(struct pool *p, void *what)"
//! frees = "what"
//! family = "pool"
//! ```

use crate::exit::usage;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

/// What is said of a function. Expressions are C, over the names of its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Annotation {
    /// The declaration, with names of the parameters and without a semicolon.
    pub prototype: String,
    /// It returns a new object of so many bytes.
    pub allocates: Option<String>,
    /// It releases this pointer (null is allowed).
    pub frees: Option<String>,
    /// Which functions belong together; `malloc` without it.
    pub family: Option<String>,
    /// It does not return.
    pub noreturn: bool,
    /// It never returns null: `allocates` does not fail, and another pointer is not null.
    pub returns_non_null: bool,
    /// Parameters that may not be null.
    pub nonnull: Vec<String>,
    /// Parameters (or `[pointer, bytes]`) that it reads.
    pub reads: Vec<Buffer>,
    /// The same for what it writes: bytes of any content.
    pub writes: Vec<Buffer>,
    /// Bounds of the result, inclusive: `["-1", "n"]`.
    pub returns: Option<(String, String)>,
}

/// A pointer and how many bytes are there.
pub type Buffer = (String, String);

/// First number of a family of the user's.
const FIRST_FAMILY: usize = 64;

/// The annotations as a model file.
///
/// # Errors
/// A sentence: a prototype that is none, or words that contradict each other.
pub fn source(annotations: &[Annotation]) -> anyhow::Result<String> {
    let mut families: Vec<&str> = annotations.iter().filter_map(|a| a.family.as_deref()).collect();
    families.sort_unstable();
    families.dedup();
    let mut out =
        String::from("#include \"internal.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdbool.h>\n");
    for a in annotations {
        let (result, name) = parts(&a.prototype)
            .ok_or_else(|| usage(format!("verify.toml: `{}` is no prototype of a function", a.prototype)))?;
        let wrong = |why: &str| usage(format!("verify.toml: function `{name}`: {why}"));
        let family = match &a.family {
            Some(f) => (FIRST_FAMILY + families.binary_search(&f.as_str()).unwrap_or(0)).to_string(),
            None => "VERIFY_FAMILY_MALLOC".into(),
        };
        if a.allocates.is_some() && !result.contains('*') {
            return Err(wrong("it `allocates` and does not return a pointer"));
        }
        if a.noreturn && (a.allocates.is_some() || a.returns.is_some()) {
            return Err(wrong("it does not return, and returns something"));
        }
        let _ = writeln!(out, "{}\n{{", a.prototype.trim().trim_end_matches(';'));
        for p in &a.nonnull {
            let _ =
                writeln!(out, "    if (({p}) == 0) __verify_fail(\"invalid-argument\", \"null passed to `{name}`\");");
        }
        for (p, n) in &a.reads {
            let _ = writeln!(out, "    __verify_check_defined({p}, {n}, \"{name}\");");
        }
        for (p, n) in &a.writes {
            let _ = writeln!(out, "    __verify_nondet_bytes({p}, {n}, \"{name}\");");
        }
        if let Some(p) = &a.frees {
            let _ = writeln!(out, "    if (({p}) != 0) __verify_free((void *)({p}), {family});");
        }
        if a.noreturn {
            out.push_str("    __verify_exit(1);\n");
        } else if let Some(size) = &a.allocates {
            if !a.returns_non_null {
                let _ = writeln!(out, "    if (__verify_choose_failure(\"{name}\")) return 0;");
            }
            let _ = writeln!(out, "    return __verify_alloc({size}, 16, {family});");
        } else if let Some((low, high)) = &a.returns {
            let _ = writeln!(out, "    long verify_result = (long)__verify_nondet_u64(\"{name}\");");
            let _ = writeln!(
                out,
                "    __verify_assume(verify_result >= (long)({low}) && verify_result <= (long)({high}));"
            );
            let _ = writeln!(out, "    return ({result})verify_result;");
        } else if result.contains('*') {
            return Err(wrong("it returns a pointer: say what it `allocates`, or write a model in C (--models)"));
        } else if !returns_nothing(&result) {
            let _ = writeln!(out, "    return ({result})__verify_nondet_u64(\"{name}\");");
        }
        out.push_str("}\n");
    }
    Ok(out)
}

fn returns_nothing(result: &str) -> bool {
    result.split_whitespace().filter(|w| !matches!(*w, "extern" | "static" | "inline")).eq(["void"])
}

/// Type of the result and name of the function.
fn parts(prototype: &str) -> Option<(String, String)> {
    let head = prototype.trim().trim_end_matches(';').split_once('(')?.0.trim_end();
    if !prototype.trim().trim_end_matches(';').ends_with(')') {
        return None;
    }
    let at = head.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_')? + 1;
    let (result, name) = head.split_at(at);
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (starts && !result.trim().is_empty()).then(|| (result.trim().to_string(), name.to_string()))
}

/// The user's model files: name and text, those of a folder in order.
///
/// # Errors
/// The folder cannot be read or has no C file.
pub fn folder(dir: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let failed = |e: std::io::Error| usage(format!("cannot read the models in {}: {e}", dir.display()));
    let mut out = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".c") || name.ends_with(".h") {
            out.push((name, std::fs::read_to_string(&path).map_err(failed)?));
        }
    }
    out.sort();
    if !out.iter().any(|(n, _)| n.ends_with(".c")) {
        return Err(usage(format!("there is no C file with models in {}", dir.display())));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> anyhow::Result<String> {
        #[derive(Deserialize)]
        struct File {
            function: Vec<Annotation>,
        }
        source(&toml::from_str::<File>(text).unwrap().function)
    }

    #[test]
    fn annotations_become_c() {
        let c = of(
            "[[function]]\nprototype = \"void *get(struct pool *p, size_t n)\"\nallocates = \"n\"\nfamily = \"pool\"\n\
                    [[function]]\nprototype = \"void put(void *q);\"\nfrees = \"q\"\nfamily = \"pool\"\n",
        )
        .unwrap();
        assert!(c.contains("return __verify_alloc(n, 16, 64);"), "{c}");
        assert!(c.contains("void put(void *q)\n{\n    if ((q) != 0) __verify_free((void *)(q), 64);\n}"), "{c}");
    }

    #[test]
    fn contradictions_are_refused() {
        let refused = |text: &str, why: &str| {
            let e = of(&format!("[[function]]\n{text}")).unwrap_err().to_string();
            assert!(e.contains(why), "{e}");
        };
        refused("prototype = \"int x\"", "no prototype");
        refused("prototype = \"int f(void)\"\nallocates = \"4\"", "does not return a pointer");
        refused("prototype = \"char *f(void)\"", "returns a pointer");
    }
}
