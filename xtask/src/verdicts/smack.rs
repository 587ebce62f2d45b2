//! SMACK's regression programs: C files that say `@expect verified|error` and `@flag ...` in comments, with flags for a
//! whole folder in `config.yml`. Programs that are only half in C (Boogie code in strings, functions that SMACK calls
//! before `main`, its contracts) are not run: as C they mean something else.

use super::{Expected, Task};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// What stands for SMACK's own header: the declarations that are C.
const HEADER: &str = "\
/* Written by `cargo xtask verdicts`. */
#ifndef SMACK_H_
#define SMACK_H_
#include <limits.h>
#include <assert.h>
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
#define assume(e) __VERIFIER_assume(!!(e))
#define NONDET(type, name) type __VERIFIER_nondet_##name(void);
NONDET(char, char) NONDET(signed char, signed_char) NONDET(unsigned char, unsigned_char)
NONDET(unsigned char, uchar)
NONDET(short, short) NONDET(signed short, signed_short) NONDET(unsigned short, unsigned_short)
NONDET(short, short_int) NONDET(signed short, signed_short_int) NONDET(unsigned short, unsigned_short_int)
NONDET(unsigned short, ushort)
NONDET(int, int) NONDET(signed, signed_int) NONDET(unsigned, unsigned) NONDET(unsigned, unsigned_int)
NONDET(unsigned, uint)
NONDET(long, long) NONDET(long, long_int) NONDET(signed long, signed_long) NONDET(signed long, signed_long_int)
NONDET(unsigned long, unsigned_long) NONDET(unsigned long, unsigned_long_int) NONDET(unsigned long, ulong)
NONDET(long long, long_long) NONDET(long long, long_long_int)
NONDET(signed long long, signed_long_long) NONDET(signed long long, signed_long_long_int)
NONDET(unsigned long long, unsigned_long_long) NONDET(unsigned long long, unsigned_long_long_int)
NONDET(float, float) NONDET(double, double) NONDET(long double, long_double)
NONDET(_Bool, bool) NONDET(void *, pointer)
#undef NONDET
void *__VERIFIER_nondet(void);
#endif
";

/// Writes the header.
pub fn write_header(dir: &Path) -> Result<()> {
    let file = dir.join("smack.h");
    std::fs::write(&file, HEADER).with_context(|| format!("cannot write {}", file.display()))
}

/// The annotated programs of a folder.
pub fn tasks(folder: &Path, include: &Path) -> Result<Vec<Task>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let config = std::fs::read_to_string(folder.join("config.yml")).unwrap_or_default();
    let group = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut out = Vec::new();
    for f in files {
        let text = std::fs::read(&f).with_context(|| format!("cannot read {}", f.display()))?;
        let text = String::from_utf8_lossy(&text);
        let name = format!("{group}/{}", f.file_name().unwrap_or_default().to_string_lossy());
        out.extend(parse(&text, &config, &f, &name, include));
    }
    Ok(out)
}

/// In the source: not what C means.
const NOT_C: &[(&str, &str)] = &[
    ("__SMACK_code", "has Boogie code in it"),
    ("__SMACK_decl", "has Boogie code in it"),
    ("__SMACK_top_decl", "has Boogie code in it"),
    ("__SMACK_mod", "has Boogie code in it"),
    ("__SMACK_value", "has Boogie code in it"),
    ("__SMACK_INIT", "has functions that SMACK calls before main"),
    ("__SMACK_init_func", "has functions that SMACK calls before main"),
    ("smack-contracts.h", "has SMACK's contracts in it"),
];

/// Among the flags: another question.
const OTHER_QUESTIONS: &[(&str, &str)] = &[
    ("--transform-", "edits SMACK's own output"),
    ("--checked-functions", "asks about some functions only"),
    ("--modular", "has SMACK's contracts in it"),
    ("--fail-on-loop-exit", "asks about SMACK's unwinding"),
    ("--llvm-assumes", "asks about LLVM's assumptions"),
];

fn parse(text: &str, config: &str, file: &Path, name: &str, include: &Path) -> Option<Task> {
    let after = |l: &str, key: &str| Some(l[l.find(key)? + key.len()..].trim().to_string());
    let expect = text.lines().find_map(|l| after(l, "@expect "))?;
    let (class, expected) = match expect.as_str() {
        "verified" => ("verified", Expected::True),
        "error" => ("error", Expected::False(None)),
        _ => ("other", Expected::Open),
    };
    let mut flags: Vec<String> = list(config, "flags");
    flags.extend(text.lines().filter_map(|l| after(l, "@flag ")));
    let flags = flags.join(" ");
    let skip = NOT_C
        .iter()
        .find(|(s, _)| without_comments(text).contains(s))
        .or_else(|| OTHER_QUESTIONS.iter().find(|(s, _)| flags.contains(s)))
        .map(|(_, why)| (*why).to_string())
        .or_else(|| text.contains("@skip").then(|| "the suite skips it".into()))
        .or_else(|| config.lines().any(|l| l.trim() == "skip: true").then(|| "the suite skips it".into()));
    let mut properties: Vec<&str> = Vec::new();
    let words: Vec<&str> = flags.split([' ', '=', ',', '"', '\'']).filter(|w| !w.is_empty()).collect();
    for (i, w) in words.iter().enumerate() {
        if *w != "--check" {
            continue;
        }
        for v in words[i + 1..].iter().take_while(|v| !v.starts_with('-')) {
            match *v {
                "assertions" => properties.push("unreach-call"),
                "memory-safety" => properties.push("valid-memsafety"),
                "valid-deref" | "valid-free" => properties.push(v),
                "memleak" | "valid-memtrack" => properties.push("valid-memtrack"),
                "integer-overflow" => properties.push("no-overflow"),
                _ => {}
            }
        }
    }
    if properties.is_empty() {
        properties.push("unreach-call");
    }
    let mut arguments: Vec<String> = Vec::new();
    for p in properties {
        arguments.extend(["--property".into(), p.into()]);
    }
    if let Some(i) = words.iter().position(|w| *w == "--entry-points")
        && let Some(e) = words.get(i + 1)
    {
        arguments.extend(["--entry".into(), (*e).to_string()]);
    }
    arguments.extend(["--64".into(), "-I".into(), include.display().to_string(), file.display().to_string()]);
    Some(Task { name: name.to_string(), class: class.into(), expected, arguments, skip })
}

/// The words of `key: [a, b]`.
fn list(config: &str, key: &str) -> Vec<String> {
    let line = config.lines().find_map(|l| l.trim().strip_prefix(key)?.trim_start().strip_prefix(':'));
    let inner = line.and_then(|l| l.trim().strip_prefix('[')?.strip_suffix(']'));
    inner.map_or_else(Vec::new, |l| l.split(',').map(|w| w.trim().to_string()).filter(|w| !w.is_empty()).collect())
}

/// Line comments out: they talk about what the program does not do.
fn without_comments(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, config: &str, class: &str, arguments: &str, skip: Option<&str>) {
        let t = parse(text, config, Path::new("/s/a.c"), "s/a.c", Path::new("/inc")).unwrap();
        assert_eq!((t.class.as_str(), t.skip.as_deref()), (class, skip));
        assert_eq!(t.arguments.join(" "), format!("{arguments} --64 -I /inc /s/a.c"));
    }

    #[test]
    fn annotations() {
        check("// @expect verified\n// __SMACK_code is named\n", "", "verified", "--property unreach-call", None);
        check(
            "// @flag --check=integer-overflow\n// @expect error\n",
            "skip: ok\nflags: [--integer-encoding=bit-vector]\n",
            "error",
            "--property no-overflow",
            None,
        );
        let text = "// @expect error\n__SMACK_code(\"assert false;\");\n";
        check(text, "", "error", "--property unreach-call", Some("has Boogie code in it"));
        let text = "// @expect error\n// @flag --check valid-free memleak\n";
        let config = "flags: [--check=memory-safety, --unroll=3]";
        let wanted = "--property valid-memsafety --property valid-free --property valid-memtrack";
        check(text, config, "error", wanted, None);
        assert_eq!(parse("int main;", "", Path::new("a.c"), "a", Path::new("/i")), None);
    }
}
