//! Random loops and recursive functions that end or do not: what `verify check --property termination` says against native runs. A native run
//! that comes back to a state (all variables, at the same head) that it was in can go on for ever, with the same inputs
//! again: TRUE is wrong. A program without inputs whose native run ends: FALSE is wrong.

use super::Judged;
use super::loops::{TYPES, Writer};
use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Seconds for one question.
const LIMIT: u64 = 10;
/// Native runs.
const RUNS: u64 = 3_000;

const FOR_VERIFY: &str =
    "extern int __VERIFIER_nondet_int(void);\n#define nd() __VERIFIER_nondet_int()\n#define FUEL ;\n";
const FOR_NATIVE: &str = r"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned long s, fuel;
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
static long kept[8], now[8];
static unsigned long seen, power, again, longer, ended;
static int look(void)
{
    if (power && !memcmp(kept, now, sizeof now))
        return ++again;
    if (++seen >= power)
        power = power ? 2 * power : 1, seen = 0, memcpy(kept, now, sizeof now);
    return fuel-- ? 0 : (int)++longer;
}
";
const NATIVE_MAIN: &str = r#"int main(int c, char **v)
{
    unsigned long n = c > 1 ? atol(v[1]) : 1;
    for (unsigned long k = 0; k < n; k++) {
        s = (k + 1) * 0x9E3779B97F4A7C15ul;
        fuel = k % 100 == 0 ? 3000000 : 5000;
        power = seen = 0;
        run();
    }
    printf("%lu %lu %lu\n", again, longer, ended);
    return 0;
}
"#;

/// Two texts: for native runs, and for the tool.
fn program(rng: &mut Rng) -> (String, String) {
    let recursive = rng.below(3) == 0;
    let (functions, call) = if recursive { super::descent::functions(rng) } else { Default::default() };
    let n = 1 + rng.below(3);
    let names: Vec<String> = (0..n).map(|i| format!("v{i}")).collect();
    let mut w = Writer { rng, names, lines: Vec::new(), heads: Vec::new() };
    w.put(1, "int phase = 0;");
    for i in 0..n {
        let t = *w.rng.pick(TYPES);
        let first = *w.rng.pick(&["0", "1", "10", "nd()", "nd() & 15", "nd() & 63"]);
        w.put(1, &format!("{t} v{i} = {first};"));
    }
    w.put(1, &call);
    for _ in usize::from(!recursive)..=w.rng.below(2) {
        w.looped(1, 1);
    }
    let text = w.lines.join("\n");
    let mut native = String::new();
    for (site, part) in text.split("FUEL").enumerate() {
        if site > 0 {
            let _ = write!(native, "now[0] = {site}; now[1] = phase;");
            for i in 0..n {
                let _ = write!(native, " now[{}] = (long)v{i};", i + 2);
            }
            native += " if (look()) return;";
        }
        native += part;
    }
    let watched = functions.replace("ENTER(", "enter(").replace("LEAVE", "depth--;");
    let begin = "depth = called = 0;\n    if (setjmp(out)) return;";
    let native = format!(
        "{FOR_NATIVE}{}{watched}static void run(void)\n{{\n    {begin}\n{native}\n    ended++;\n}}\n{NATIVE_MAIN}",
        super::descent::NATIVE
    );
    let plain = functions.replace("LEAVE ", "");
    let plain: Vec<&str> = plain.lines().filter(|l| !l.contains("ENTER(")).collect();
    let plain = plain.join("\n");
    (
        native,
        format!("{FOR_VERIFY}{plain}\nint g(void)\n{{\n{text}\n    return 0;\n}}\nint main(void) {{ return g(); }}\n"),
    )
}

/// The verdict on one program, and what is wrong with it.
fn one(tools: &Tools, dir: &Path, seed: u64, i: u64) -> Result<Option<Judged>> {
    let mut rng = Rng(seed.wrapping_mul(1_000_003).wrapping_add(i).wrapping_add(77));
    let (native, asked) = program(&mut rng);
    let file = |what: &str| dir.join(format!("{seed}-{i}-{what}"));
    std::fs::write(file("native.c"), native)?;
    std::fs::write(file("asked.c"), &asked)?;
    sh::quiet(Command::new("gcc").args(["-O1", "-fwrapv", "-w", "-o"]).arg(file("native")).arg(file("native.c")), 60)?;
    let limit = LIMIT.to_string();
    let mut cmd = tools.verify(dir, ["check", "--property", "termination", "--jobs", "1", "--timeout", &limit]);
    if i % 2 == 1 {
        // Nothing is run then: what is said, is said by proof.
        cmd.args(["--entry", "g"]);
    }
    let done = sh::capture(cmd.arg(file("asked.c")), 10 * LIMIT)?;
    let verdict = done.out().lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let mut wrong = (verdict == "none").then(|| format!("no verdict: {}", done.tail()));
    let runs = sh::capture(Command::new(file("native")).arg(RUNS.to_string()), 300)?;
    let text = runs.out();
    let counts: Vec<u64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let [again, _, ended] = counts[..] else { anyhow::bail!("the native run says `{text}`") };
    if verdict == "TRUE" && again > 0 {
        wrong = Some(format!("TRUE, but {again} runs come back to a state"));
    }
    if verdict.starts_with("FALSE") && !asked.replace("define nd()", "").contains("nd()") && ended > 0 {
        wrong = Some("FALSE, but the only run ends".into());
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
    sh::step(&format!("{n} random loops, seed {seed}: do they end?"));
    super::ask_each(tools, "random-endless", n, seed, one)
}
