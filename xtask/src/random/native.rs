//! What a program really does: compiled by gcc, and by clang with its sanitizers, and run on vectors of inputs.

use super::generate::Program;
use crate::sh;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Inputs come from the environment; what is assumed and does not hold ends the run.
const STUB: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char *next;
static unsigned long take(void)
{
    if (!next)
        next = getenv("VECTOR");
    return next ? strtoul(next, &next, 16) : 0;
}
#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)take(); }
NONDET(char, char) NONDET(uchar, unsigned char) NONDET(short, short) NONDET(ushort, unsigned short)
NONDET(int, int) NONDET(uint, unsigned) NONDET(long, long) NONDET(ulong, unsigned long)
_Bool __VERIFIER_nondet_bool(void) { return take() & 1; }
void __VERIFIER_assume(int c) { if (!c) _exit(77); }
void reach_error(void) { _exit(78); }
void observe(unsigned long sum, unsigned long read) { printf("sum %lx %lu\n", sum, read); }
void observe_step(unsigned long at, unsigned long digest) { printf("step %lu %lx\n", at, digest); }
"#;

/// What is wrong with an execution, by property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    Memory,
    Leak,
    Overflow,
}

impl Fault {
    /// The property that cannot be true then.
    pub fn property(self) -> &'static str {
        match self {
            Fault::Memory | Fault::Leak => "valid-memsafety",
            Fault::Overflow => "no-overflow",
        }
    }
}

/// An execution.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Number of the vector.
    pub vector: usize,
    /// Final sum, and the number of inputs that were read later than the first ones.
    pub end: Option<(u64, u64)>,
    /// Iteration and digest.
    pub steps: Vec<(u64, u64)>,
    pub fault: Option<Fault>,
}

/// What the sanitizers report first.
fn fault(stderr: &str) -> Option<Fault> {
    stderr.lines().find_map(|l| {
        let has = |words: &[&str]| words.iter().any(|w| l.contains(w));
        if has(&[
            "runtime error: signed integer overflow",
            "runtime error: negation of",
            "runtime error: shift exponent",
        ]) {
            Some(Fault::Overflow)
        } else if l.contains("runtime error:") && has(&["null pointer"]) {
            Some(Fault::Memory)
        } else if l.contains("ERROR: LeakSanitizer") {
            Some(Fault::Leak)
        } else if l.contains("ERROR: AddressSanitizer") && !has(&["param-overlap", "allocation-size"]) {
            Some(Fault::Memory)
        } else {
            None
        }
    })
}

fn compile(dir: &Path, cc: &str, flags: &[&str], source: &Path, exe: &Path) -> Result<()> {
    let mut c = Command::new(cc);
    c.args(["-w", "-DNATIVE", "-O0", "-fno-strict-aliasing"]).args(flags).arg("-o").arg(exe).arg(source);
    if exe.extension().is_some_and(|e| e == "o") {
        c.arg("-c");
    } else {
        c.arg(dir.join(format!("stub-{cc}.o")));
    }
    let built = sh::capture(&mut c, 120)?;
    if built.code != 0 {
        bail!("{cc} does not compile {}:\n{}", source.display(), built.tail());
    }
    Ok(())
}

/// Compiles what all programs are linked with.
pub fn prepare(dir: &Path) -> Result<()> {
    let source = dir.join("stub.c");
    std::fs::write(&source, STUB)?;
    compile(dir, "gcc", &[], &source, &dir.join("stub-gcc.o"))?;
    compile(dir, "clang-19", SANITIZERS, &source, &dir.join("stub-clang-19.o"))
}

const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    // Not what the properties speak of: objects are whole, and these are no accesses.
    "-fno-sanitize=bounds,shift-base,pointer-overflow,alignment",
    "-fno-sanitize-recover=all",
];

/// Runs the program on its vectors; those on which the two compilers do not agree, or of which nothing follows, are
/// left out.
pub fn runs(dir: &Path, name: &str, p: &Program) -> Result<Vec<Run>> {
    let text = p.text.replace("//@end", "observe(sum, in_count);").replace("//@step", "observe_step(it, digest);");
    let source = dir.join(format!("{name}-native.c"));
    std::fs::write(&source, text)?;
    let (plain, sanitized) = (dir.join(format!("{name}-gcc")), dir.join(format!("{name}-clang")));
    compile(dir, "gcc", &[], &source, &plain)?;
    compile(dir, "clang-19", SANITIZERS, &source, &sanitized)?;
    let mut out = Vec::new();
    for (i, v) in p.vectors.iter().enumerate() {
        if let Some(r) = one(&plain, &sanitized, i, v)? {
            out.push(r);
        }
    }
    for f in [source, plain, sanitized] {
        let _ = std::fs::remove_file(f);
    }
    Ok(out)
}

fn one(plain: &PathBuf, sanitized: &PathBuf, vector: usize, values: &[u64]) -> Result<Option<Run>> {
    let text: Vec<String> = values.iter().map(|v| format!("{v:x}")).collect();
    let text = text.join(" ");
    let mut c = Command::new(sanitized);
    c.env("VECTOR", &text).env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:exitcode=99");
    let b = sh::capture(&mut c, 20)?;
    if b.timed_out || b.code == 77 {
        return Ok(None);
    }
    let fault = fault(&b.err());
    let mut run = Run { vector, fault, ..Run::default() };
    if b.code != 0 && fault.is_none() {
        return Ok(None);
    }
    if !matches!(fault, None | Some(Fault::Leak)) {
        return Ok(Some(run));
    }
    let a = sh::capture(Command::new(plain).env("VECTOR", &text), 10)?;
    if a.code != 0 || a.out() != b.out() {
        return Ok(None);
    }
    for l in a.out().lines() {
        let words: Vec<&str> = l.split(' ').collect();
        match words.as_slice() {
            ["sum", sum, read] => run.end = Some((u64::from_str_radix(sum, 16)?, read.parse()?)),
            ["step", at, digest] => run.steps.push((at.parse()?, u64::from_str_radix(digest, 16)?)),
            _ => bail!("`{l}` is not what the stub prints"),
        }
    }
    Ok(Some(run))
}
