//! Small programs by csmith as questions: some of their globals become inputs that are assumed to have the value that
//! they had, and the error is reached when the sum over all globals is the one that was observed.

use super::{Asked, Question};
use crate::sh::{self, Rng};
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

const SMALL: &[&str] = &[
    "--max-funcs",
    "2",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "2",
    "--max-expr-complexity",
    "4",
    "--max-array-dim",
    "1",
    "--max-array-len-per-dim",
    "4",
    "--max-struct-fields",
    "4",
    "--max-union-fields",
    "3",
    "--no-packed-struct",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--quiet",
];

/// In place of csmith's own header: the checksum is a sum that a solver can follow.
const HEADER: &str = r#"
#include <stdint.h>
#include <limits.h>
#include <float.h>
#include <math.h>
#include <string.h>
extern int printf(const char *, ...);
#define STATIC static
#define UNDEFINED(v) (v)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(x) (safe_##x)
#include "safe_math.h"
static uint64_t crc32_context;
static void transparent_crc(uint64_t v, char *name, int flag)
{
    crc32_context = ((crc32_context << 7) | (crc32_context >> 57)) + v;
}
static void crc32_gentab(void) {}
static void platform_main_begin(void) {}
static void platform_main_end(uint64_t x, int flag) {}
"#;

/// Globals that become inputs.
const INPUTS: usize = 4;

/// Seeds that are tried when a program does not end.
const TRIES: u64 = 5;

/// The question of one program; none if no seed makes one.
pub fn question(dir: &Path, name: &str, rng: &mut Rng) -> Result<Option<Question>> {
    if !sh::on_path("csmith") {
        bail!("csmith is not installed; run `cargo xtask setup`");
    }
    for _ in 0..TRIES {
        let seed = rng.next() % 1_000_000_000;
        let made = sh::capture(
            // It writes a file into the folder where it runs.
            Command::new("csmith").args(SMALL).args(["--seed", &seed.to_string()]).current_dir(dir),
            30,
        )?;
        if made.code != 0 {
            continue;
        }
        let text = made.out().replace("#include \"csmith.h\"", HEADER);
        let source = dir.join(format!("{name}-native.c"));
        let exe = dir.join(format!("{name}-csmith"));
        std::fs::write(&source, before_end(&text, "printf(\"sum %lx\\n\", (unsigned long)crc32_context);"))?;
        let mut sums = Vec::new();
        for (cc, level) in [("gcc", "-O0"), ("clang-19", "-O1")] {
            let mut c = Command::new(cc);
            c.args(["-w", level, "-I/usr/include/csmith", "-lm", "-o"]);
            let built = sh::capture(c.arg(&exe).arg(&source), 60)?;
            if built.code != 0 {
                bail!("{cc} does not compile {}:\n{}", source.display(), built.tail());
            }
            let done = sh::capture(&mut Command::new(&exe), 5)?;
            let sum = done.out().lines().find_map(|l| Some(l.strip_prefix("sum ")?.to_string()));
            sums.extend((done.code == 0 && !done.timed_out).then_some(sum).flatten());
        }
        let _ = std::fs::remove_file(&source);
        let _ = std::fs::remove_file(&exe);
        if let [a, b] = sums.as_slice()
            && a == b
        {
            let end = format!("if (crc32_context == 0x{a}) reach_error();");
            let head = "extern void reach_error(void);\nextern void __VERIFIER_assume(int);\nextern unsigned long __VERIFIER_nondet_ulong(void);\n";
            let text = format!("{head}{}", before_end(&inputs(&text), &end));
            return Ok(Some(Question { asked: Asked::Csmith, property: "unreach-call", text }));
        }
    }
    Ok(None)
}

fn before_end(text: &str, statement: &str) -> String {
    text.replace("    platform_main_end(", &format!("    {statement}\n    platform_main_end("))
}

/// Some scalar globals are read at the start of `main`.
fn inputs(text: &str) -> String {
    let mut reads = String::new();
    for l in text.lines() {
        let Some(rest) = l.strip_prefix("static ") else { continue };
        let Some((left, value)) = rest.trim_end_matches(';').split_once(" = ") else { continue };
        let words: Vec<&str> = left.split(' ').collect();
        if let [ty, name] = words.as_slice()
            && (ty.starts_with("int") || ty.starts_with("uint"))
            && name.starts_with("g_")
            && name[2..].chars().all(|c| c.is_ascii_digit())
            && reads.lines().count() < INPUTS
        {
            let value = value.trim_end_matches(';');
            reads.push_str(&format!(
                "    {name} = ({ty})__VERIFIER_nondet_ulong(); __VERIFIER_assume({name} == ({ty})({value}));\n"
            ));
        }
    }
    text.replace("    platform_main_begin();", &format!("{reads}    platform_main_begin();"))
}
