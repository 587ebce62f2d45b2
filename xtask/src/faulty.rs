//! Small programs with one fault each, generated from a seed: the first error line of `verify run` must be the line of
//! the fault. gcc's address, leak and undefined-behaviour sanitizers give a second opinion; where they see nothing or
//! another line, the class of the difference is named and counted.

use crate::e2e::first_error;
use crate::row;
use crate::sh::{self, Rng, Tools};
use crate::tally::{Tally, table};
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A fault: the statement that fails (marked `@`), what stands before it, and what sanitizers are known to say.
struct Fault {
    kind: &'static str,
    /// Declarations before `work`.
    outer: &'static str,
    /// Body; `@` marks the failing line; `N`, `K` are numbers (K below N), `T` a type.
    body: &'static str,
    /// Why gcc's sanitizers do not see this one, if they do not.
    blind: Option<&'static str>,
}

const fn fault(kind: &'static str, body: &'static str) -> Fault {
    Fault { kind, outer: "", body, blind: None }
}

const FAULTS: &[Fault] = &[
    fault(
        "out-of-bounds-write",
        "T *p = malloc(N * sizeof *p);\nfor (int i = 0; i <= N; i++)\np[i] = (T)i; @\nuse(p[K]);\nfree(p);",
    ),
    fault(
        "out-of-bounds-read",
        "T *p = calloc(N, sizeof *p);\nT s = 0;\nfor (int i = 0; i <= N; i++)\ns += p[i]; @\nuse(s);\nfree(p);",
    ),
    fault("out-of-bounds-read", "T *p = calloc(N, sizeof *p);\nT *q = p;\nuse(q[-1]); @\nfree(p);"),
    fault("array-index", "T a[N] = {0};\nint i = opaque(N);\na[i] = 1; @\nuse(a[0]);"),
    Fault {
        kind: "array-index",
        outer: "struct S { T head[N]; T tail[N]; };",
        body: "struct S s = {{0}, {0}};\nint i = opaque(N);\nuse(s.head[i]); @",
        blind: None,
    },
    fault("use-after-free", "T *p = malloc(N * sizeof *p);\np[K] = 1;\nfree(p);\nuse(p[K]); @"),
    fault("use-after-free", "T *p = malloc(N * sizeof *p);\nT *q = p + K;\nfree(p);\n*q = 2; @"),
    fault("double-free", "T *p = malloc(N * sizeof *p);\nT *q = p;\nfree(p);\nfree(q); @"),
    fault("invalid-free", "T *p = malloc(N * sizeof *p + 8);\np[0] = 1;\nfree(p + 1); @"),
    fault("invalid-free", "T a[N] = {0};\nT *p = a;\nuse(a[0]);\nfree(hide(p)); @"),
    fault("null-deref", "T *p = opaque(0) ? malloc(sizeof *p) : NULL;\n*p = 1; @"),
    Fault {
        kind: "null-deref",
        outer: "struct node { T value; struct node *next; };",
        body: "struct node b = {2, NULL}, a = {1, &b};\nstruct node *n = &a;\nn = n->next;\nn = n->next;\nuse(n->value); @",
        blind: None,
    },
    fault("signed-overflow", "int x = opaque(INT_MAX);\nint y = x - K;\nuse(y + K + 1); @"),
    fault("signed-overflow", "int x = opaque(INT_MIN);\nuse(-x); @"),
    fault("signed-overflow", "int x = opaque(65536);\nuse(x * (x + N)); @"),
    fault("signed-overflow", "long long x = 0x7fffffffffffffffLL - opaque(K);\nx += K + 1; @\nuse((int)x);"),
    fault("div-by-zero", "int d = opaque(K) - K;\nuse(N / d); @"),
    fault("div-by-zero", "unsigned d = (unsigned)opaque(N) - N;\nuse((int)(7u % d)); @"),
    fault("shift-range", "int s = 31 + opaque(K) - K;\nunsigned v = 1u << s;\nuse((int)(v >> (s + 1))); @"),
    fault("shift-range", "int s = opaque(K) - K - 1;\nuse((int)(5u << s)); @"),
    fault("vla-bound", "int n = opaque(K) - K;\nT v[n]; @\nuse((int)sizeof v);"),
    fault(
        "use-after-scope",
        "T *p = NULL;\nfor (int i = 0; i < N; i++) {\nT x = (T)i;\nif (i == K) p = &x;\nuse(x);\n}\nuse(*p); @",
    ),
    Fault {
        kind: "uninit-read",
        outer: "",
        body: "T *p = malloc(N * sizeof *p);\np[0] = 1;\nif (p[K + 0] > 3) @\nuse(1);\nfree(p);",
        blind: Some("uninitialised memory is no business of these sanitizers"),
    },
    Fault {
        kind: "uninit-read",
        outer: "",
        body: "int x;\nif (opaque(0)) x = 1;\nif (hidden(&x) == 3) @\nuse(1);",
        blind: Some("uninitialised memory is no business of these sanitizers"),
    },
    Fault {
        kind: "out-of-bounds-write",
        outer: "",
        body: "char *p = malloc(N);\nmemset(p, 0, N);\nmemcpy(p + K, \"0123456789abcdef0123456789abcdef\", N - K + 1); @\nuse(p[0]);\nfree(p);",
        blind: None,
    },
    Fault {
        kind: "out-of-bounds-write",
        outer: "",
        body: "char *p = malloc(4);\nstrcpy(p, \"four\"); @\nuse(p[0]);\nfree(p);",
        blind: None,
    },
    Fault {
        kind: "read-only-write",
        outer: "static const T table[N] = {1};",
        body: "T *p = (T *)hide((void *)&table[K]);\n*p = 2; @",
        blind: None,
    },
    Fault { kind: "float-cast", outer: "", body: "double d = 1e20 + opaque(N);\nuse((int)d); @", blind: None },
];

const TYPES: &[&str] = &["int", "short", "long", "unsigned char", "unsigned", "long long"];

/// A program and what it must show.
struct Program {
    text: String,
    kind: &'static str,
    line: u64,
    blind: Option<&'static str>,
}

fn generate(rng: &mut Rng, index: usize) -> Program {
    // Every template in turn, so that a small sample has each kind.
    let f = &FAULTS[index % FAULTS.len()];
    let n = 4 + rng.below(13);
    let k = 1 + rng.below(n - 2);
    let ty = *rng.pick(TYPES);
    let fill = |text: &str| -> String {
        let mut out = String::new();
        let chars: Vec<char> = text.chars().collect();
        let word = |i: Option<&char>| i.is_some_and(|c| c.is_alphanumeric() || *c == '_');
        for (i, c) in chars.iter().enumerate() {
            let alone = !word(i.checked_sub(1).and_then(|j| chars.get(j))) && !word(chars.get(i + 1));
            match c {
                'N' if alone => out.push_str(&n.to_string()),
                'K' if alone => out.push_str(&k.to_string()),
                'T' if alone => out.push_str(ty),
                c => out.push(*c),
            }
        }
        out
    };
    let mut lines: Vec<String> = "#include <limits.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
        static volatile int sink;\nstatic volatile int zero;\n\
        static int opaque(int x) { return x + zero; }\nstatic void *hide(void *p) { return (char *)p + zero; }\n\
        static int hidden(int *p) { return *p; }\nstatic void use(long x) { sink = (int)x; }"
        .lines()
        .map(String::from)
        .collect();
    lines.extend(fill(f.outer).lines().map(String::from));
    let mut fault_line = 0;
    let shape = rng.below(4);
    let mut body: Vec<String> = Vec::new();
    for l in fill(f.body).lines() {
        body.push(l.to_string());
    }
    let push_body = |lines: &mut Vec<String>, fault_line: &mut u64| {
        for l in &body {
            if let Some(bare) = l.strip_suffix('@') {
                *fault_line = lines.len() as u64 + 1;
                lines.push(format!("    {}", bare.trim_end()));
            } else {
                lines.push(format!("    {l}"));
            }
        }
    };
    match shape {
        0 => {
            lines.push("int main(void) {".into());
            push_body(&mut lines, &mut fault_line);
            lines.push("    return 0;\n}".into());
        }
        1 => {
            lines.push("static void work(void) {".into());
            push_body(&mut lines, &mut fault_line);
            lines.push("}".into());
            lines.push("static void (*volatile pointer)(void) = work;".into());
            lines.push(
                "int main(void) {\n    for (int i = 0; i < 2; i++)\n        if (i == 1) pointer();\n    return 0;\n}"
                    .into(),
            );
        }
        2 => {
            lines.push("static void work(int depth) {".into());
            lines.push("    if (depth > 0) { work(depth - 1); return; }".into());
            push_body(&mut lines, &mut fault_line);
            lines.push("}".into());
            lines.push(format!("int main(void) {{\n    work({});\n    return 0;\n}}", k));
        }
        _ => {
            lines.push("int main(int argc, char **argv) {".into());
            lines.push("    switch (argc) {\n    case 1: {".into());
            // Two lines in one push: put them right.
            let tail = lines.pop().expect("just pushed");
            lines.extend(tail.lines().map(String::from));
            push_body(&mut lines, &mut fault_line);
            lines.push("    break; }\n    default: puts(argv[1]);\n    }\n    return 0;\n}".into());
        }
    }
    Program { text: lines.join("\n") + "\n", kind: f.kind, line: fault_line, blind: f.blind }
}

/// First line of the source that a report of a sanitizer names.
fn sanitizer_line(stderr: &str, file: &str) -> Option<u64> {
    let needle = format!("{file}:");
    stderr.lines().find_map(|l| {
        let at = l.find(&needle)?;
        l[at + needle.len()..].split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })
}

enum Second {
    Same,
    OtherLine(u64),
    Nothing,
}

struct Verdict {
    ours: Result<(), String>,
    second: Second,
}

fn one(tools: &Tools, dir: &Path, index: usize, p: &Program) -> Result<Verdict> {
    let name = format!("faulty{index}.c");
    let source = dir.join(&name);
    std::fs::write(&source, &p.text)?;
    let exe = dir.join(format!("faulty{index}"));
    let mut gcc = Command::new("gcc");
    gcc.args([
        "-w",
        "-g",
        "-O0",
        "-fsanitize=address,undefined,float-cast-overflow",
        "-fno-sanitize-recover=all",
        "-o",
    ]);
    gcc.arg(&exe).arg(&name).current_dir(dir);
    let built = sh::capture(&mut gcc, 60)?;
    if built.code != 0 {
        bail!("gcc does not compile {}:\n{}", source.display(), built.tail());
    }
    let options = "detect_stack_use_after_return=1:detect_leaks=1";
    let native = sh::capture(Command::new(&exe).env("ASAN_OPTIONS", options), 20)?;
    let _ = std::fs::remove_file(&exe);
    let second = match sanitizer_line(&native.err(), &name) {
        Some(l) if l == p.line => Second::Same,
        Some(l) => Second::OtherLine(l),
        None => Second::Nothing,
    };
    let mut run = tools.verify(dir, ["run", "-w"]);
    run.arg(&name).arg("--");
    let done = sh::capture(&mut run, 120)?;
    let ours = match first_error(&done.err()) {
        Some((kind, _, line)) if (kind.as_str(), line) == (p.kind, p.line) => Ok(()),
        Some((kind, _, line)) => Err(format!("expected {} in line {}, got {kind} in line {line}", p.kind, p.line)),
        None => Err(format!("expected {} in line {}, got exit {}\n{}", p.kind, p.line, done.code, done.tail())),
    };
    Ok(Verdict { ours, second })
}

/// `n` programs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("{n} faulty programs, seed {seed}"));
    let dir = sh::scratch("faulty")?;
    let tools = tools.with_cache("faulty-cache")?;
    let mut rng = Rng(seed);
    let programs: Vec<(usize, Program)> = (0..n as usize).map(|i| (i, generate(&mut rng, i))).collect();
    let verdicts = sh::in_parallel(&programs, |(i, p)| one(&tools, &dir, *i, p));
    let mut tally = Tally::default();
    // kind -> (programs, ours right, gcc the same line, gcc another line, gcc nothing)
    let mut counts: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for ((i, p), v) in programs.iter().zip(verdicts) {
        let v = v?;
        let c = counts.entry(p.kind).or_default();
        c[0] += 1;
        c[1] += usize::from(v.ours.is_ok());
        match v.second {
            Second::Same => c[2] += 1,
            Second::OtherLine(l) => {
                c[3] += 1;
                unexplained.push(format!("faulty{i}.c ({}): fault in line {}, sanitizer says {l}", p.kind, p.line));
            }
            Second::Nothing => {
                c[4] += 1;
                if p.blind.is_none() {
                    unexplained.push(format!("faulty{i}.c ({}): the sanitizers say nothing", p.kind));
                }
            }
        }
        tally.add(&format!("faulty{i}.c"), v.ours);
    }
    let mut rows = vec![row!["kind", "programs", "verify run right", "gcc: same line", "other line", "nothing"]];
    for (kind, c) in counts {
        rows.push(row![kind, c[0], c[1], c[2], c[3], c[4]]);
    }
    println!("\n{}", table(&rows));
    let blind: BTreeMap<&str, &str> = FAULTS.iter().filter_map(|f| Some((f.kind, f.blind?))).collect();
    for (kind, why) in blind {
        println!("gcc says nothing of {kind}: {why}");
    }
    for u in unexplained {
        println!("differs: {u}");
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_marks_its_fault() {
        let mut rng = Rng(1);
        for i in 0..200 {
            let p = generate(&mut rng, i);
            let line = p.text.lines().nth(p.line as usize - 1).unwrap_or_default();
            assert!(p.line > 0 && !line.trim().is_empty(), "{i}: {}", p.text);
            assert!(!p.text.contains('@'), "{}", p.text);
        }
    }
}
