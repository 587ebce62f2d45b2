//! Tries a witness that `verify check --witness` wrote: its form, key by key, as version 2.0 has it; and what it says. A
//! violation is followed by a native program: the functions without a body return what the witness says, in order, and
//! the error function must be called. Invariants are put into the program's text as checks at their loops.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A line of the YAML that is written: indentation, whether it begins an item, key, value.
type Line<'a> = (usize, bool, &'a str, &'a str);

/// Checks a witness of a kind, `violation` or `correctness`, of a program.
pub fn check(kind: &str, file: &Path, program: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let lines = lines(&text);
    form(kind, &lines)?;
    let source = std::fs::read_to_string(program).map_err(|e| e.to_string())?;
    match kind {
        "violation" => follow(&lines, &source, file),
        _ => insert(&lines, &source, file),
    }
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    for l in text.lines() {
        let rest = l.trim_start();
        let (item, rest) = rest.strip_prefix("- ").map_or((false, rest), |r| (true, r));
        let (key, value) = match rest.strip_prefix('"') {
            Some(_) => ("", rest),
            None => rest.split_once(':').unwrap_or((rest, "")),
        };
        out.push((l.len() - l.trim_start().len(), item, key.trim(), value.trim().trim_matches('"')));
    }
    out
}

/// The keys that the schema wants, and their values where it lists them.
fn form(kind: &str, lines: &[Line<'_>]) -> Result<(), String> {
    let value = |key: &str| lines.iter().find(|l| l.2 == key).map(|l| l.3).ok_or(format!("no `{key}`"));
    let entry = if kind == "violation" { "violation_sequence" } else { "invariant_set" };
    for (key, wanted) in [("entry_type", entry), ("format_version", "2.0"), ("language", "C"), ("name", "verify")] {
        if value(key)? != wanted {
            return Err(format!("`{key}` is `{}`, not `{wanted}`", value(key)?));
        }
    }
    let uuid: Vec<usize> = value("uuid")?.split('-').map(str::len).collect();
    if uuid != [8, 4, 4, 4, 12] {
        return Err("`uuid` is none".into());
    }
    if !matches!(value("data_model")?, "LP64" | "ILP32") || !value("specification")?.starts_with("CHECK( init(") {
        return Err("`data_model` or `specification` is none".into());
    }
    for key in ["creation_time", "version", "input_files", "input_file_hashes", "content"] {
        value(key)?;
    }
    let known = [
        "assumption",
        "target",
        "function_enter",
        "function_return",
        "branching",
        "loop_invariant",
        "location_invariant",
    ];
    let types: Vec<&str> = lines.iter().filter(|l| l.2 == "type").map(|l| l.3).collect();
    if types.is_empty() || types.iter().any(|t| !known.contains(t)) {
        return Err(format!("types are {types:?}"));
    }
    if kind == "violation" && (types.iter().position(|t| *t == "target") != Some(types.len() - 1)) {
        return Err("the target is not the last waypoint, or not the only one".into());
    }
    Ok(())
}

fn run_c(text: &str, file: &Path) -> Result<i32, String> {
    let (c, exe) = (file.with_extension("replay.c"), file.with_extension("replay"));
    std::fs::write(&c, text).map_err(|e| e.to_string())?;
    let done = Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&exe).arg(&c).output().map_err(|e| e.to_string())?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    let done = Command::new(&exe).status().map_err(|e| e.to_string())?;
    Ok(done.code().unwrap_or(-1))
}

/// Types of nondeterministic values, by the end of their function's name.
const TYPES: [(&str, &str); 12] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("size_t", "unsigned long"),
];
/// What a program exits with that calls the error function.
const REACHED: i32 = 66;

fn follow(lines: &[Line<'_>], source: &str, file: &Path) -> Result<(), String> {
    let results: Vec<&str> =
        lines.iter().filter_map(|l| (l.2 == "value").then_some(l.3)?.strip_prefix("\\\\result == ")).collect();
    let mut text = format!(
        "{source}\n#include <stdlib.h>\nstatic long long verify_next(void)\n{{\n    static const long long all[] = {{ "
    );
    for r in &results {
        // The least number has no literal of its own.
        let _ = write!(text, "(long long){r}ULL, ");
    }
    text.push_str("0 };\n    static int i;\n    return i + 1 < (int)(sizeof all / sizeof *all) ? all[i++] : 0;\n}\n");
    for (name, ty) in TYPES {
        let _ = writeln!(text, "{ty} __VERIFIER_nondet_{name}(void) {{ return ({ty})verify_next(); }}");
    }
    let _ = writeln!(text, "void reach_error(void) {{ exit({REACHED}); }}");
    let _ = writeln!(text, "void __VERIFIER_assume(int c) {{ if (!c) exit(0); }}");
    match run_c(&text, file)? {
        REACHED => Ok(()),
        n => Err(format!("the witness is followed to exit {n}, not to the error, with {results:?}")),
    }
}

/// A program in which each invariant is looked at before the loop and after each iteration that does not leave it early:
/// in front of the keyword, and in its condition.
fn insert(lines: &[Line<'_>], source: &str, file: &Path) -> Result<(), String> {
    let mut all: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut at = (0, 0);
    let mut is_loop = false;
    for l in lines {
        match l.2 {
            "type" => is_loop = l.3 == "loop_invariant",
            "line" => at.0 = l.3.parse().map_err(|_| "a line is no number")?,
            "column" => at.1 = l.3.parse().map_err(|_| "a column is no number")?,
            "value" if is_loop => _ = all.insert(at, l.3.to_string()),
            _ => {}
        }
    }
    if all.is_empty() {
        return Err("there is no invariant of a loop".into());
    }
    let mut text: Vec<String> = source.lines().map(String::from).collect();
    for ((line, column), value) in all.iter().rev() {
        let l = text.get_mut(line - 1).ok_or("a line is not in the program")?;
        let rest = l.get(column - 1..).ok_or("a column is not in the line")?.to_string();
        let body = rest.strip_prefix("while (").ok_or(format!("`{rest}` is no `while` loop"))?;
        l.replace_range(column - 1.., &format!("while (verify_holds({value}), {body}"));
    }
    let head = "#include <stdlib.h>\nstatic void verify_holds(int c) { if (!c) exit(67); }\n";
    let mut text = format!("{head}{}\nstatic unsigned verify_state = 1;\n", text.join("\n"));
    for (name, ty) in TYPES {
        let _ = writeln!(
            text,
            "{ty} __VERIFIER_nondet_{name}(void) {{ verify_state = verify_state * 1664525u + 1013904223u; return ({ty})(verify_state >> 8 & 1023) - ({ty})3; }}"
        );
    }
    let _ = writeln!(text, "void reach_error(void) {{ exit({REACHED}); }}");
    let _ = writeln!(text, "void __VERIFIER_assume(int c) {{ if (!c) exit(0); }}");
    match run_c(&text, file)? {
        0 => Ok(()),
        n => Err(format!("with the invariants in it, the program exits with {n}")),
    }
}
