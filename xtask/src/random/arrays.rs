//! Random programs with arrays that loops fill, copy, compare, search, split, shift and sort, most of them followed by a loop that
//! asserts something of every element: what `verify check --property unreach-call` says against native runs. TRUE is
//! wrong where an assertion fails.

use super::Judged;
use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Seconds for one question.
const LIMIT: u64 = 10;
/// Native runs.
const RUNS: u64 = 60;

const FOR_VERIFY: &str = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\nextern void reach_error(void);\n\
     static int nd(void)\n{\n    int x = __VERIFIER_nondet_int();\n    if (x < -100 || x > 100)\n        abort();\n    return x;\n}\n\
     #define START\n#define ARGS void\n";
const FOR_NATIVE: &str = r"#include <stdlib.h>
static unsigned long s;
static int nd(void)
{
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return (int)((s >> 33) % 7) - 3;
}
#define reach_error() exit(1)
#define ARGS int count, char **values
#define START s = (unsigned long)atol(values[count - 1]) * 0x9E3779B97F4A7C15ul;
";

struct Writer<'a> {
    rng: &'a mut Rng,
    lines: Vec<String>,
    /// What may be asserted of the element `x`: up to where, under which condition, and what.
    claims: Vec<(String, String, String)>,
}

impl Writer<'_> {
    fn array(&mut self) -> &'static str {
        self.rng.pick::<&'static str>(&["a", "b", "c"])
    }

    fn other(&mut self, than: &str) -> &'static str {
        let all: Vec<&'static str> = ["a", "b", "c"].into_iter().filter(|x| *x != than).collect();
        self.rng.pick::<&'static str>(&all)
    }

    fn order(&mut self) -> &'static str {
        self.rng.pick::<&'static str>(&["<", "<=", ">", ">=", "!=", "=="])
    }

    fn number(&mut self) -> String {
        match self.rng.below(3) {
            0 => "e".into(),
            _ => format!("{}", self.rng.below(5) as i64 - 2),
        }
    }

    /// The head of a loop over all elements, most of the time.
    fn each(&mut self) -> &'static str {
        self.rng.pick::<&'static str>(&[
            "for (i = 0; i < N; i++)",
            "for (i = 0; i < N; i++)",
            "for (i = 0; i < N; i++)",
            "for (i = N - 1; i >= 0; i--)",
            "for (i = N; i-- > 0;)",
            "for (i = 1; i < N; i++)",
            "for (i = 0; i < n; i++)",
            "for (i = 0; i < N; i += 2)",
        ])
    }

    fn claim(&mut self, limit: &str, when: &str, what: String) {
        self.claims.push((limit.into(), when.into(), what));
    }

    fn phase(&mut self) {
        let a = self.array();
        let b = self.other(a);
        let (each, order, number) = (self.each(), self.order(), self.number());
        match self.rng.below(18) {
            0 | 1 => {
                let value = match self.rng.below(6) {
                    0 => "nd()".to_string(),
                    1 => number,
                    2 => "i".into(),
                    3 => format!("{b}[i]"),
                    4 => format!("{b}[i] + {}", self.rng.below(3)),
                    _ => format!("{b}[N - 1 - i]"),
                };
                self.lines.push(format!("{each}\n    {a}[i] = {value};"));
                let said = value.replace("[i]", "[x]").replace("- i]", "- x]").replace("nd()", "e");
                let said = if said == "i" { "x".into() } else { said };
                self.claim("N", "1", format!("{a}[x] == {said}"));
            }
            2 | 3 => {
                let first = if self.rng.below(2) == 0 { format!("{a}[0]") } else { number };
                self.lines.push(format!("m = {first};\n{each}\n    if ({a}[i] {order} m)\n        m = {a}[i];"));
                let claimed = match order {
                    "<" | "<=" => ">=",
                    ">" | ">=" => "<=",
                    o => o,
                };
                self.claim("N", "1", format!("{a}[x] {claimed} m"));
            }
            4 => {
                let end = *self.rng.pick(&["f = 0;", "f = 1;", "{\n        f = 0;\n        break;\n    }"]);
                let other = if self.rng.below(2) == 0 { format!("{b}[i]") } else { number };
                self.lines.push(format!("f = 1;\n{each}\n    if ({a}[i] {order} {other})\n        {end}"));
                let opposite = opposite(order);
                self.claim("N", "f", format!("{a}[x] {opposite} {}", other.replace("[i]", "[x]")));
            }
            5 => {
                self.lines.push(format!("k = 0;\nwhile (k < N && {a}[k] {order} {number})\n    k++;"));
                self.claim("k", "1", format!("{a}[x] {order} {number}"));
            }
            6 => {
                let c = ["a", "b", "c"].into_iter().find(|x| *x != a && *x != b).unwrap_or("c");
                self.lines.push(format!(
                    "j = k = 0;\n{each}\n    if ({a}[i] {order} {number})\n        {b}[j++] = {a}[i];\n    else\n        \
                     {c}[k++] = {a}[i];"
                ));
                self.claim("j", "1", format!("{b}[x] {order} {number}"));
                self.claim("k", "1", format!("{c}[x] {} {number}", opposite(order)));
            }
            7 => {
                self.lines.push(format!("{each}\n    if ({a}[i] {order} {number})\n        {a}[i] = {number};"));
                self.claim("N", "1", format!("{a}[x] == {number} || !({a}[x] {order} {number})"));
                self.claim("N", "1", format!("{a}[x] {} {number}", opposite(order)));
            }
            8 => {
                self.lines.push(format!(
                    "{each} {{\n    int v = nd();\n    if (v {order} {number})\n        v = {number};\n    {a}[i] = v;\n}}"
                ));
                self.claim("N", "1", format!("{a}[x] {} {number} || {a}[x] == {number}", opposite(order)));
            }
            9 => {
                self.lines.push(format!("for (i = 0; i + 1 < N; i++)\n    {a}[i] = {b}[i + 1];"));
                self.claim("N - 1", "1", format!("{a}[x] == {b}[x + 1]"));
                self.claim("N - 2", "1", format!("{a}[x + 1] == {b}[x + 2]"));
            }
            10 | 11 => {
                let (up, down) = ("for (i = 0; i + 1 < N; i++)", "for (i = N - 1; i > 0; i--)");
                let (head, next) = *self.rng.pick(&[(up, "i + 1"), (down, "i - 1")]);
                let when = *self.rng.pick(&["", "    if (X ORDER Y)\n    "]);
                let what =
                    *self.rng.pick(&["X = Y;", "X = Y;", "{\n        m = X;\n        X = Y;\n        Y = m;\n    }"]);
                let text = format!("{head}\n{when}    {what}").replace("ORDER", order);
                self.lines.push(text.replace('X', &format!("{a}[i]")).replace('Y', &format!("{a}[{next}]")));
                let (last, opposite) = (if next == "i + 1" { "N - 1" } else { "0" }, opposite(order));
                self.claim("N", "1", format!("{a}[x] {opposite} {a}[{last}]"));
                self.claim("N - 1", "1", format!("{a}[x] {opposite} {a}[x + 1]"));
            }
            12 => {
                self.lines.push(format!("for (i = 2; i < N; i++)\n    {a}[i] = {a}[i - 1] {order} {a}[i - 2];"));
                self.claim("N - 2", "1", format!("{a}[x + 2] == ({a}[x + 1] {order} {a}[x])"));
            }
            13 => {
                // Several elements in one iteration, in one of two ways to write it.
                let (every, last) = (2 + self.rng.below(3), self.rng.below(2));
                let head = *self.rng.pick(&["for (i = 1; i <= N / E; i++)", "for (i = 0; i + E <= N; i += E)"]);
                let first = if head.contains("<= N / E") { format!("i * {every} - {every}") } else { "i".into() };
                let mut body = String::new();
                for k in 0..every - last {
                    let value = *self.rng.pick(&["1", "nd()", "i", "e", "-1"]);
                    body += &format!("    {a}[{first} + {k}] = {value};\n");
                    let number = if value == "nd()" || value == "i" { "e" } else { value };
                    self.claim(
                        &format!("N / {every} * {every}"),
                        "1",
                        format!("x % {every} != {k} || {a}[x] == {number}"),
                    );
                }
                self.lines.push(format!("{} {{\n{body}}}", head.replace('E', &every.to_string())));
                self.claim(&format!("N / {every} * {every}"), "1", format!("{a}[x] {order} {number}"));
            }
            14 => {
                let by = *self.rng.pick(&["1", "3", "e", "-2", "i"]);
                let from = *self.rng.pick(&["0", "1", "e"]);
                self.lines.push(format!("{a}[0] = {from};\nfor (i = 1; i < N; i++)\n    {a}[i] = {a}[i - 1] + {by};"));
                let by = if by == "i" { "1" } else { by };
                self.claim("N", "1", format!("{a}[x] == {from} + x * ({by})"));
            }
            15 => {
                let (some, most) = (self.rng.below(3), *self.rng.pick(&["i", "2 * i", "i + 1", "-i"]));
                let at = *self.rng.pick(&["i", "2 * i", "2 * i + 1"]);
                let end = if at == "i" { "i < N" } else { "2 * i + 1 < N" };
                self.lines.push(format!(
                    "for (i = {some}; {end}; i++)\n    if ({a}[{at}] {order} {most})\n        {a}[{at}] = {most};"
                ));
                let most = if at == "i" { most.replace('i', "x") } else { "x".into() };
                self.claim("N", "1", format!("{a}[x] {} {most} || {a}[x] == {most}", opposite(order)));
                self.claim("N", "1", format!("{a}[x] {} {most}", opposite(order)));
            }
            _ => {
                self.lines.push(format!("{each} {{\n    int v = {a}[i];\n    {a}[i] = {b}[i];\n    {b}[i] = v;\n}}"));
                self.claim("N", "1", format!("{a}[x] {order} {number}"));
            }
        }
    }
}

fn opposite(order: &str) -> &'static str {
    match order {
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "!=" => "==",
        _ => "!=",
    }
}

/// What both texts have in common.
fn program(rng: &mut Rng) -> String {
    let mut w = Writer { rng, lines: Vec::new(), claims: Vec::new() };
    for a in ["a", "b", "c"] {
        let value = *w.rng.pick(&["nd()", "nd()", "0", "i"]);
        w.lines.push(format!("for (i = 0; i < N; i++)\n    {a}[i] = {value};"));
    }
    for _ in 0..1 + w.rng.below(3) {
        w.phase();
    }
    // Most of the time what the last phase suggests.
    let k = w.claims.len() - 1 - w.rng.below(w.claims.len().min(2));
    let (limit, when, mut what) = w.claims[k].clone();
    if w.rng.below(4) == 0 {
        let (old, new) =
            *w.rng.pick(&[("<=", "<"), (">=", ">"), ("==", "<="), ("[x]", "[N - 1 - x]"), (" < ", " <= ")]);
        what = what.replacen(old, new, 1);
    }
    // That the program comes to its end at all, with any number.
    if w.rng.below(5) == 0 {
        what = format!("e != {}", w.rng.below(5) as i64 - 2);
    }
    let size = *w.rng.pick(&[7, 300, 300, 1000]);
    let kind = *w.rng.pick(&["int", "int", "signed char", "short"]);
    let lines: String = w.lines.iter().flat_map(|l| l.lines()).map(|l| format!("    {l}\n")).collect();
    format!(
        "#define N {size}\nint main(ARGS)\n{{\n    {kind} a[N], b[N], c[N];\n    int i, j = 0, k = 0, x, n, f = 0, m = 0, e;\n    \
         START\n    e = nd();\n    n = nd();\n{lines}    if ({when})\n        for (x = 0; x < {limit}; x++)\n            \
         if (!({what}))\n                reach_error();\n    return 0;\n}}\n"
    )
}

/// Program `i` of this seed.
fn text(seed: u64, i: u64) -> String {
    program(&mut Rng(seed.wrapping_mul(1_000_003).wrapping_add(i).wrapping_add(43)))
}

/// The same, as `verify check` is asked about it.
pub fn for_verify(seed: u64, i: u64) -> String {
    format!("{FOR_VERIFY}{}", text(seed, i))
}

/// The verdict on one program, and what is wrong with it.
fn one(tools: &Tools, dir: &Path, seed: u64, i: u64) -> Result<Option<Judged>> {
    let text = text(seed, i);
    let file = |what: &str| dir.join(format!("{seed}-{i}-{what}"));
    std::fs::write(file("native.c"), format!("{FOR_NATIVE}{text}"))?;
    std::fs::write(file("asked.c"), for_verify(seed, i))?;
    sh::quiet(Command::new("gcc").args(["-O1", "-fwrapv", "-w", "-o"]).arg(file("native")).arg(file("native.c")), 60)?;
    let limit = LIMIT.to_string();
    let mut cmd = tools.verify(dir, ["check", "--property", "unreach-call", "--jobs", "1", "--timeout", &limit]);
    let done = sh::capture(cmd.arg(file("asked.c")), 10 * LIMIT)?;
    let verdict = done.out().lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let mut wrong = (verdict == "none").then(|| format!("no verdict: {}", done.tail()));
    if verdict == "TRUE" {
        for k in 1..=RUNS {
            let run = sh::capture(Command::new(file("native")).arg(k.to_string()), 60)?;
            if run.code == 1 {
                wrong = Some(format!("TRUE, but an assertion fails in the run with {k}"));
                break;
            }
        }
    }
    if wrong.is_none() {
        for what in ["native.c", "native", "asked.c"] {
            let _ = std::fs::remove_file(file(what));
        }
    }
    let short = verdict.split('(').next().unwrap_or_default().to_string();
    Ok(Some((short, wrong)))
}

/// `n` programs.
///
/// # Errors
/// No place for the programs, no compiler.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("{n} random programs with arrays, seed {seed}"));
    super::ask_each(tools, "random-arrays", n, seed, one)
}
