//! Commands that print, shown on small programs: `verify explain`, `verify show facts|formula`, `verify check --list`.
//! What another solver makes of a printed query is asked of z3, where there is one.

use crate::sh::{self, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

const LIMIT: u64 = 120;

const PROGRAM: &str = "\
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *head;
extern int __VERIFIER_nondet_int(void);
static void push(int v)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->v = v;
    n->next = head;
    head = n;
}
static int sum(void)
{
    int s = 0;
    for (struct node *p = head; p; p = p->next)
        s ^= p->v;
    return s;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++)
        push(i);
    return 10 / (argc - 1) + sum();
}
";

/// Runs a command and looks for texts in what it prints, in this order.
fn expect(cmd: &mut Command, code: i32, texts: &[&str]) -> Result<String, String> {
    let shown = sh::show(cmd);
    let done = sh::capture(cmd, LIMIT).map_err(|e| format!("{e:#}"))?;
    let out = done.out() + &done.err();
    if done.code != code {
        return Err(format!("`{shown}` ended with {}, not {code}:\n{}", done.code, done.tail()));
    }
    let mut rest = out.as_str();
    for t in texts {
        match rest.find(t) {
            Some(i) => rest = &rest[i + t.len()..],
            None => return Err(format!("`{shown}`: there is no `{t}` (in this order) in:\n{out}")),
        }
    }
    Ok(out)
}

/// All of them.
pub fn run(tools: &Tools, tally: &mut Tally) -> Result<()> {
    let dir = sh::scratch("commands")?;
    std::fs::write(dir.join("list.c"), PROGRAM)?;
    tally.add("commands: explain", explain(tools, &dir));
    tally.add("commands: check --list --stats", list(tools, &dir));
    tally.add("commands: show facts", facts(tools, &dir));
    tally.add("commands: show formula", formula(tools, &dir));
    if sh::on_path("z3") {
        tally.add("commands: show formula --smt2, by z3", by_z3(tools, &dir));
    } else {
        tally.skip("commands: show formula --smt2, by z3", "there is no z3");
    }
    Ok(())
}

fn explain(tools: &Tools, dir: &Path) -> Result<(), String> {
    let verify = |args: &[&str]| tools.verify(dir, args);
    let missing = ["there is no scan here (verify.checks.json is missing): run `verify scan` first"];
    expect(&mut verify(&["explain", "list.c:25"]), 3, &missing)?;
    let mut cc = Command::new(tools.program("verify-cc"));
    cc.args(["-g", "list.c", "-o", "list"]).current_dir(dir).env("VERIFY_CACHE", &tools.cache);
    expect(&mut cc, 0, &[])?;
    expect(&mut verify(&["scan", "--quiet", "--steps", "5"]), 1, &["violated[div-by-zero]", "SARIF: verify.sarif"])?;
    let parts = [
        "Division by zero in `10 / (argc - 1)`",
        "list.c:25:15:div-by-zero",
        "Verdict: violated",
        "The program fails it when it runs main(",
        "The execution, repeated by a second interpreter:",
        "execution starts at `main`",
        "argc = 1",
        "Tried:",
        "probe, main: refuted",
    ];
    expect(&mut verify(&["explain", "list.c:25:div-by-zero"]), 0, &parts)?;
    // By the name that the SARIF has for it.
    let sarif = std::fs::read_to_string(dir.join("verify.sarif")).map_err(|e| e.to_string())?;
    let log: serde_json::Value = serde_json::from_str(&sarif).map_err(|e| e.to_string())?;
    let id = log.pointer("/runs/0/results/0/partialFingerprints/checkIdentity~1v1").and_then(|v| v.as_str());
    let id = id.ok_or("the first result has no checkIdentity/v1")?;
    expect(&mut verify(&["explain", id]), 0, &["list.c:25:15:div-by-zero"])?;
    expect(
        &mut verify(&["explain", "list.c:10:null-deref"]),
        0,
        &["Verdict: proved", "By: facts", "not shown a second time"],
    )?;
    expect(&mut verify(&["explain", "list.c:2"]), 3, &["the scan has no check list.c:2; the nearest are list.c:"])?;
    expect(&mut verify(&["explain", "lst.c:2"]), 3, &["the scan has no check in lst.c; is list.c meant?"])?;
    expect(&mut verify(&["explain", "list.c:25:nothing"]), 3, &["there is no kind `nothing`"])?;
    Ok(())
}

fn list(tools: &Tools, dir: &Path) -> Result<(), String> {
    let args = ["check", "--list", "--property", "valid-memsafety", "list.c"];
    expect(&mut tools.verify(dir, args), 2, &["list.c:10:", "null-deref: proved", "VERDICT: "])?;
    // A sum that neither facts nor memory graphs relate to the rounds of the loop.
    let text = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
                int main(void)\n{\n    unsigned i, s = 0, n = __VERIFIER_nondet_uint();\n    for (i = 0; i < n; i++)\n\
                \x20       s += 2;\n    if (s != 2 * i)\n        reach_error();\n    return 0;\n}\n";
    std::fs::write(dir.join("sum.c"), text).map_err(|e| e.to_string())?;
    let args = ["check", "--stats", "--property", "unreach-call", "sum.c"];
    let out = expect(&mut tools.verify(dir, args), 0, &["{\"", "VERDICT: TRUE"])?;
    let line = out.lines().find(|l| l.starts_with('{')).unwrap_or_default();
    let stats: serde_json::Value = serde_json::from_str(line).map_err(|e| format!("{line}: {e}"))?;
    match stats.pointer("/seconds/encode").and_then(serde_json::Value::as_f64) {
        Some(s) if s > 0.0 => Ok(()),
        _ => Err(format!("no time in encoding: {line}")),
    }
}

fn facts(tools: &Tools, dir: &Path) -> Result<(), String> {
    let parts = [
        "a program: from `main`",
        "sum\n  loop at",
        "-> heap: malloc@",
        "reads global",
        "called by main",
        "push\n",
        "writes global",
        "allocates heap",
        "global list.c::head: 8 bytes\n  holds heap",
    ];
    let all = expect(&mut tools.verify(dir, ["show", "facts", "list.c"]), 0, &[])?;
    for p in parts {
        if !all.contains(p) {
            return Err(format!("`verify show facts list.c`: there is no `{p}` in:\n{all}"));
        }
    }
    let one = expect(&mut tools.verify(dir, ["show", "facts", "--function", "push", "list.c"]), 0, &["push\n"])?;
    if one.contains("sum\n") { Err(format!("other functions are printed too:\n{one}")) } else { Ok(()) }
}

fn formula(tools: &Tools, dir: &Path) -> Result<(), String> {
    let show = |args: &[&str]| tools.verify(dir, [&["show", "formula"], args, &["list.c"]].concat());
    let parts = [
        "the program from `main`; the first iterations of loops, k = 2",
        "size: ",
        "spliced: ",
        "claims: ",
        "div-by-zero: fails open",
        "cuts: ",
        "blockers: ",
        "goes on beyond k: ",
        "events: ",
    ];
    expect(&mut show(&["--unwind", "2"]), 0, &parts)?;
    expect(&mut show(&["--function", "sum", "--induction"]), 0, &["any call of `sum` in any state; loops entered"])?;
    expect(&mut show(&["--smt2"]), 0, &["(set-logic QF_ABV)", "(assert ", "(check-sat)"])?;
    expect(&mut show(&["--unwind", "0"]), 3, &["`--unwind` needs a number from 1"])?;
    expect(&mut show(&["--function", "none"]), 3, &["there is no function `none`"])?;
    Ok(())
}

/// z3 reads the query and answers as the verdict does.
fn by_z3(tools: &Tools, dir: &Path) -> Result<(), String> {
    let holds = "extern int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    unsigned char a[8] = {0};\n    \
                 unsigned i = __VERIFIER_nondet_int();\n    a[i % 8] = 1;\n    return 100 / (a[3] + 1);\n}\n";
    for (name, text, unwind, answer) in [("list.c", PROGRAM, "4", "sat"), ("holds.c", holds, "1", "unsat")] {
        std::fs::write(dir.join(name), text).map_err(|e| e.to_string())?;
        let out = expect(&mut tools.verify(dir, ["show", "formula", "--smt2", "--unwind", unwind, name]), 0, &[])?;
        let query = dir.join("query.smt2");
        std::fs::write(&query, &out).map_err(|e| e.to_string())?;
        let said = expect(Command::new("z3").arg(&query), 0, &[])?;
        if said.trim() != answer {
            return Err(format!("{name}: z3 says `{}`, not `{answer}`", said.trim()));
        }
    }
    Ok(())
}
