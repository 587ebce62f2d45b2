//! Random programs that are little else than loops over a few numbers and functions that call themselves, with an assertion about how far one of them, or
//! two or three together, get: the greatest value that native runs show, or one near it. TRUE is wrong when more runs get
//! further; FALSE cannot be told from native runs alone, and was replayed.

use super::Judged;
use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Seconds for one question.
const LIMIT: u64 = 6;
/// Native runs that make the assertion, and that try to break it.
const RUNS: (u64, u64) = (300, 20_000);

pub(super) const TYPES: &[&str] =
    &["unsigned", "unsigned char", "unsigned short", "int", "short", "signed char", "unsigned long", "long"];
const NUMBERS: &[&str] = &["0", "1", "2", "3", "5", "7", "10", "16", "100", "-1", "-3", "255"];

/// The environment for the tool, and for a native run: inputs that are often small or at an end of their type.
const FOR_VERIFY: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    #define nd() __VERIFIER_nondet_int()\n#define FUEL ;\n";
const FOR_NATIVE: &str = r"#include <stdio.h>
#include <stdlib.h>
static unsigned long s;
static int fuel, any;
static __int128 best;
static int nd(void)
{
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    switch (s >> 60 & 7) {
    case 0: return (int)s;
    case 1: return s >> 8 & 1;
    case 2: return 0x7fffffff - (int)(s >> 9 & 3);
    case 3: return -0x7fffffff - 1 + (int)(s >> 9 & 3);
    default: return (int)(s >> 8 & 255) - 64;
    }
}
#include <setjmp.h>
static jmp_buf over;
#define FUEL if (--fuel < 0) longjmp(over, 1);
";
const NATIVE_MAIN: &str = r#"int main(int c, char **v)
{
    unsigned long n = c > 1 ? atol(v[1]) : 1, from = c > 2 ? atol(v[2]) : 0;
    for (unsigned long k = 0; k < n; k++) {
        s = (k + 1 + from) * 0x9E3779B97F4A7C15ul;
        fuel = k % 50 == 0 ? 300000 : 2000;
        if (!setjmp(over))
            run();
    }
    if (any)
        printf("%lld\n", (long long)best);
    return 0;
}
"#;

/// A program in the making.
pub(super) struct Writer<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) names: Vec<String>,
    pub(super) lines: Vec<String>,
    /// Lines behind which control is at the head of a loop.
    pub(super) heads: Vec<usize>,
}

impl Writer<'_> {
    fn chance(&mut self, of_100: usize) -> bool {
        self.rng.below(100) < of_100
    }

    fn name(&mut self) -> String {
        let i = self.rng.below(self.names.len());
        self.names[i].clone()
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(35) {
            return self.name();
        }
        if self.chance(30) {
            return (*self.rng.pick(NUMBERS)).to_string();
        }
        let op = *self.rng.pick(&["+", "-", "&", "|", "^", "*"]);
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        format!("({a} {op} {b})")
    }

    fn condition(&mut self) -> String {
        let a = self.name();
        // What holds the first time round an outer loop need not later.
        if self.chance(12) {
            return format!("{a} < (phase ? 300 : 2)");
        }
        let b = if self.chance(40) {
            self.name()
        } else {
            (*self.rng.pick(&["0", "1", "5", "10", "50", "100", "-10"])).to_string()
        };
        let op = *self.rng.pick(&["<", "<=", ">", ">=", "!=", "=="]);
        format!("{a} {op} {b}")
    }

    fn step(&mut self) -> String {
        if self.chance(6) {
            return "phase = 1;".into();
        }
        let v = self.name();
        match self.rng.below(20) {
            0..=7 => format!("{v} += {};", self.rng.pick(&["1", "2", "-1", "3"])),
            8..=10 => {
                let e = self.expr(2);
                format!("{v} = {e} & {};", self.rng.pick(&["1", "7", "15", "255"]))
            }
            11 | 12 => {
                let e = if self.chance(50) { self.name() } else { (*self.rng.pick(&["0", "1", "10"])).to_string() };
                format!("{v} = {e};")
            }
            13 | 14 => {
                let w = self.name();
                format!("{v} = {w} + {};", self.rng.pick(&["1", "-1", "2"]))
            }
            15 | 16 => {
                let t = *self.rng.pick(&["unsigned char", "signed char", "short", "unsigned short"]);
                format!("{v} = ({t}){v};")
            }
            _ => format!("{v} = {v} % {};", self.rng.pick(&["3", "10", "16"])),
        }
    }

    pub(super) fn put(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:1$}{text}", "", 4 * depth));
    }

    pub(super) fn looped(&mut self, inner: u32, depth: usize) {
        let c = if self.chance(30) { "nd() & 1".to_string() } else { self.condition() };
        let first = self.chance(70);
        let open = if first { format!("while ({c}) {{") } else { "do {".into() };
        self.put(depth, &open);
        self.put(depth + 1, "FUEL");
        self.heads.push(self.lines.len());
        for _ in 0..=self.rng.below(3) {
            match self.rng.below(20) {
                0..=10 => {
                    let s = self.step();
                    self.put(depth + 1, &s);
                }
                11..=15 => {
                    let c = if self.chance(50) { "nd() & 1".to_string() } else { self.condition() };
                    let s = if self.chance(30) { "break;".into() } else { self.step() };
                    self.put(depth + 1, &format!("if ({c})"));
                    self.put(depth + 2, &s);
                }
                _ if inner > 0 => self.looped(inner - 1, depth + 1),
                _ => {}
            }
        }
        self.put(depth, &if first { "}".into() } else { format!("}} while ({c});") });
    }
}

/// Two texts: for native runs, and for the tool with the bound left out as `BOUND`.
fn program(rng: &mut Rng) -> (String, String) {
    let recursive = (rng.below(2) == 0).then(|| recursion(rng));
    let n = 2 + rng.below(3);
    let names: Vec<String> = (0..n).map(|i| format!("v{i}")).collect();
    let mut w = Writer { rng, names, lines: Vec::new(), heads: Vec::new() };
    w.put(1, "phase = 0, g0 = 0;");
    for i in 0..n {
        let t = *w.rng.pick(TYPES);
        let first = *w.rng.pick(&["0", "1", "10", "nd()", "nd() & 15", "nd() & 63"]);
        w.put(1, &format!("{t} v{i} = {first};"));
    }
    let call = |w: &mut Writer<'_>| {
        let (v, a, b) = (w.name(), w.expr(1), w.expr(1));
        w.put(1, &format!("{v} = rec({a}, {b});"));
        w.heads.push(w.lines.len());
        w.names.push("g0".into());
    };
    if recursive.is_some() && w.chance(60) {
        call(&mut w);
    }
    for _ in 0..=w.rng.below(2) {
        w.looped(1, 1);
    }
    if recursive.is_some() && w.chance(60) {
        call(&mut w);
    }
    let (a, b, c) = (w.name(), w.name(), w.name());
    let watched = match w.rng.below(7) {
        0 => format!("(__int128){a}"),
        1 => format!("-(__int128){a}"),
        2 => format!("(__int128){a} - (__int128){b}"),
        3 => format!("2 * (__int128){a} - (__int128){b}"),
        4 => format!("(__int128){a} + (__int128){b} - (__int128){c}"),
        5 => format!("(__int128){a} - (__int128){b} - 2 * (__int128){c}"),
        _ => format!("(__int128){a} + (__int128){b}"),
    };
    let inside = recursive.as_ref().filter(|_| w.chance(30));
    let at = if w.chance(50) { w.heads[w.rng.below(w.heads.len())] } else { w.lines.len() };
    // The place is in the loops, or in the recursive function.
    let watched =
        if inside.is_some() { watched.replace('v', "p").replace("p2", "p0").replace("p3", "p1") } else { watched };
    let with = |check: &str| {
        let mut lines = w.lines.clone();
        let mut own = recursive.clone().unwrap_or_default();
        match inside {
            Some(_) => own.insert(3.min(own.len()), format!("    {check}")),
            None => lines.insert(at, format!("    {check}")),
        }
        (own.join("\n"), lines.join("\n"))
    };
    let see = format!("{{ __int128 w = {watched}; if (!any || w > best) {{ best = w; any = 1; }} }}");
    let globals = "static int phase, g0;\n";
    let (own, body) = with(&see);
    let native = format!("{FOR_NATIVE}{globals}{own}\nstatic void run(void)\n{{\n{body}\n}}\n{NATIVE_MAIN}");
    let (own, body) = with(&format!("if ({watched} > BOUND) reach_error();"));
    (native, format!("{FOR_VERIFY}{globals}{own}\nint main(void)\n{{\n{body}\n    return 0;\n}}\n"))
}

/// The lines of a function that calls itself. Its third line is where an activation begins.
fn recursion(rng: &mut Rng) -> Vec<String> {
    let names = ["p0", "p1", "g0"].map(String::from).to_vec();
    let mut w = Writer { rng, names, lines: Vec::new(), heads: Vec::new() };
    let [t, a, b] = std::array::from_fn(|_| *w.rng.pick(&["unsigned", "int", "short", "unsigned char", "long", "int"]));
    w.put(0, &format!("static {t} rec({a} p0, {b} p1)"));
    w.put(0, "{");
    w.put(1, "FUEL");
    let first = *w.rng.pick(&["0", "1", "p0", "p1", "p0 + p1"]);
    w.put(1, &format!("{t} r = {first};"));
    if w.chance(30) {
        let s = w.step();
        w.put(1, &s);
    }
    for _ in 0..=w.rng.below(2) {
        let (c, e) = (w.condition(), *w.rng.pick(&["r", "p0", "p1", "0", "1", "p0 - 10", "p1 & 15"]));
        w.put(1, &format!("if ({c})"));
        w.put(2, &format!("return {e};"));
    }
    if w.chance(25) {
        w.looped(0, 1);
    }
    w.names.push("r".into());
    for _ in 0..=w.rng.below(2) {
        let args: [String; 2] = std::array::from_fn(|i| match w.rng.below(8) {
            0..=4 => format!("p{i} {}", w.rng.pick(&["- 1", "+ 1", "- 2", "- p0", ""])),
            5 => format!("p{}", 1 - i),
            6 => "r".into(),
            _ => format!("{} & 31", w.expr(1)),
        });
        let [x, y] = args;
        let then = *w.rng.pick(&["r = rec(X, Y);", "r = rec(X, Y) + 1;", "r += rec(X, Y) & 7;", "rec(X, Y);"]);
        if w.chance(40) {
            let c = w.condition();
            w.put(1, &format!("if ({c})"));
        }
        w.put(1, &then.replace('X', &x).replace('Y', &y));
        if w.chance(40) {
            let s = w.step();
            w.put(1, &s);
        }
    }
    w.put(1, "return r;");
    w.put(0, "}");
    w.lines
}

/// The verdict on one program, or why there is none to be had.
fn one(tools: &Tools, dir: &Path, seed: u64, i: u64) -> Result<Option<Judged>> {
    let mut rng = Rng(seed.wrapping_mul(1_000_003).wrapping_add(i).wrapping_add(1));
    let (native, asked) = program(&mut rng);
    let file = |what: &str| dir.join(format!("{seed}-{i}-{what}"));
    std::fs::write(file("native.c"), native)?;
    sh::quiet(Command::new("gcc").args(["-O1", "-fwrapv", "-w", "-o"]).arg(file("native")).arg(file("native.c")), 60)?;
    let greatest = |n: u64, from: u64| -> Result<Option<i128>> {
        let done = sh::capture(Command::new(file("native")).args([n.to_string(), from.to_string()]), 60)?;
        Ok(done.out().trim().parse().ok())
    };
    let Some(seen) = greatest(RUNS.0, 0)? else { return Ok(None) };
    let bound = seen + [0, 0, 0, 1, -1, 3][rng.below(6)];
    std::fs::write(file("asked.c"), asked.replace("BOUND", &format!("{bound}L")))?;
    let limit = LIMIT.to_string();
    let mut cmd = tools.verify(dir, ["check", "--property", "unreach-call", "--jobs", "1", "--timeout", &limit]);
    let done = sh::capture(cmd.arg(file("asked.c")), 10 * LIMIT)?;
    let out = done.out();
    let verdict = out.lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let mut wrong = (verdict == "none").then(|| format!("no verdict: {}", done.tail()));
    if verdict == "TRUE"
        && let Some(more) = greatest(RUNS.1, 1000)?.filter(|m| *m > bound)
    {
        wrong = Some(format!("TRUE, but {more} is above {bound}"));
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
    sh::step(&format!("{n} random loops, seed {seed}: no proof may be wrong"));
    super::ask_each(tools, "random-loops", n, seed, one)
}
