//! Random programs with memory that is written in part: where an execution uses an undefined bit, no scan may have proved
//! that it does not. The interpreter follows definedness bit by bit; `verify run` says where a run fails, and every check
//! for undefined values on that line that a scan calls proved is a wrong proof. `uninit-read` that the run fails with must
//! be reported there, too: the run is one that a scan makes itself.

use crate::e2e::first_error;
use crate::sh::{self, Done, Rng, Tools};
use crate::tally::Tally;
use anyhow::{Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Seconds for one command.
const LIMIT: u64 = 60;

const HEAD: &str = "\
#include <stdlib.h>
#include <string.h>
union u { int i; unsigned w; short h[2]; unsigned char b[4]; };
struct s { int a; unsigned u; short h; unsigned char c; signed char d; long l; union u x; int t[4]; };
int glob;
int main(int argc, char **argv) {
struct s *s = malloc(sizeof *s), k;
if (!s) return 0;
int r = 0, q;
unsigned v = 3, z;";

const PLACES: &[&str] = &[
    "s->a",
    "s->u",
    "s->h",
    "s->c",
    "s->d",
    "s->l",
    "s->x.i",
    "s->x.w",
    "s->x.h[0]",
    "s->x.h[1]",
    "s->x.b[0]",
    "s->x.b[3]",
    "s->t[1]",
    "s->t[argc]",
    "k.a",
    "k.c",
    "k.x.i",
    "k.x.b[1]",
    "k.h",
    "k.u",
    "q",
    "z",
];
const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "4", "7", "127", "255", "256", "65535", "-1", "-128", "0x7fffffff", "0x80000000u", "argc"];
const RELATIONS: &[&str] = &["<", ">", "<=", ">=", "==", "!="];

fn expression(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.below(4) == 0 {
        return match rng.below(6) {
            0..=2 => rng.pick(PLACES).to_string(),
            3 | 4 => rng.pick(NUMBERS).to_string(),
            _ => rng.pick(&["v", "r"]).to_string(),
        };
    }
    let (a, b) = (expression(rng, depth - 1), expression(rng, depth - 1));
    match rng.below(9) {
        0..=2 => format!("({a} {} {b})", rng.pick(&["+", "-", "^"])),
        3 => format!("({a} {} {b})", rng.pick(&["&", "|"])),
        4 => format!("((unsigned)({a}) * {}u)", rng.pick(&["1", "2", "3", "4", "6"])),
        5 => format!("((unsigned)({a}) {} {})", rng.pick(&["<<", ">>"]), rng.pick(&["0", "1", "3", "8"])),
        6 | 7 => format!("({})({a})", rng.pick(&["unsigned char", "short", "signed char", "long", "unsigned"])),
        _ => format!("({a} {} {b})", rng.pick(RELATIONS)),
    }
}

fn statement(rng: &mut Rng) -> String {
    let place = *rng.pick(PLACES);
    let number = *rng.pick(NUMBERS);
    let few = *rng.pick(&["1", "2", "3", "4"]);
    match rng.below(28) {
        0..=6 => {
            let depth = rng.below(2);
            format!("{place} = {};", expression(rng, depth))
        }
        7 | 8 => format!("{place} = {number};"),
        9 => format!("memcpy(&s->x, &{}, {few});", rng.pick(&["k.x", "s->a", "s->u", "k.a"])),
        10 => format!("memset(&{}, 0, {few});", rng.pick(&["s->x", "s->a", "k.x", "s->l"])),
        11..=16 => {
            let depth = rng.below(3);
            let with = if rng.below(3) == 0 { expression(rng, 1) } else { number.to_string() };
            format!("if ({} {} {with}) r ^= {few};", expression(rng, depth), rng.pick(RELATIONS))
        }
        17 => format!("r = ({}) & 15;", expression(rng, 1)),
        18 | 19 => format!("if (argc > {}) {place} = {number};", rng.below(2)),
        20 => format!("glob = s->t[({}) & 3];", expression(rng, 1)),
        21 | 22 => format!("q = {} + 1;", expression(rng, 1)),
        23 | 24 => pieces(rng),
        25 => {
            let at = *rng.pick(&["s->x", "s->a", "s->u", "s->l", "s->t"]);
            format!("memset((char *)&{at} + {}, {}, {few});", rng.below(3), rng.pick(&["1", "255", "argc"]))
        }
        _ => format!("for (int i = 0; i < ({}) && i < 3; i++) r ^= i;", expression(rng, 0)),
    }
}

/// A number that is written byte by byte, perhaps but for one of them, and looked at twice.
fn pieces(rng: &mut Rng) -> String {
    let number = *rng.pick(&["s->x", "k.x"]);
    let not = rng.below(5);
    let bytes =
        (0..4).filter(|b| *b != not).map(|b| format!("{number}.b[{b}] = {};", rng.pick(&["0", "1", "128", "argc"])));
    let mut out: Vec<String> = bytes.collect();
    let (as_what, with) = (rng.pick(&["w", "i", "h[0]", "h[1]"]), rng.pick(NUMBERS));
    out.push(format!("if ({number}.{as_what} {} {with}) r ^= 1;", rng.pick(RELATIONS)));
    out.push(format!("if ({number}.{as_what} & {}) r ^= 2;", rng.pick(&["1", "128", "256", "0x10000", "0x1000000"])));
    out.join("\n")
}

fn program(rng: &mut Rng) -> String {
    let mut lines = vec![HEAD.to_string()];
    for _ in 0..8 + rng.below(15) {
        lines.push(statement(rng));
    }
    lines.push("free(s);\nreturn r & 1;\n}\n".into());
    lines.join("\n")
}

/// What one program shows: the run failed, and how many of the checks in question are proved.
pub(super) struct Shown {
    pub(super) failed: bool,
    pub(super) proved: usize,
}

/// Runs a program in the interpreter and scans it: the run, and all checks.
pub(super) fn run_and_scan(tools: &Tools, dir: &Path, text: &str) -> Result<(Done, Vec<Value>)> {
    std::fs::create_dir_all(dir)?;
    std::fs::write(dir.join("p.c"), text)?;
    let run = sh::capture(&mut tools.verify(dir, ["run", "-w", "--steps", "1", "p.c"]), LIMIT)?;
    let mut c = Command::new(tools.program("verify-cc"));
    c.args(["-w", "-g", "p.c", "-o", "p"]).current_dir(dir).env("VERIFY_CACHE", &tools.cache);
    sh::must(&mut c)?;
    let args = ["scan", "--quiet", "-j1", "--target", "p", "--sarif-all", "--format", "json"];
    let done = sh::capture(&mut tools.verify(dir, args), LIMIT)?;
    ensure!(done.code < 2 && !done.err().contains("inconsisten"), "scan: exit {}: {}", done.code, done.tail());
    let said: Value = serde_json::from_slice(&done.stdout)?;
    Ok((run, said["findings"].as_array().cloned().unwrap_or_default()))
}

fn one(tools: &Tools, dir: &Path, text: &str) -> Result<Result<Shown, String>> {
    let (run, all) = run_and_scan(tools, dir, text)?;
    let error = first_error(&run.err()).filter(|(kind, _, _)| kind == "uninit-read");
    let all: Vec<&Value> = all.iter().filter(|f| f["kind"] == "uninit-read" && f["file"] == "p.c").collect();
    let proved = all.iter().filter(|f| f["verdict"] == "proved").count();
    let Some((_, _, line)) = error else { return Ok(Ok(Shown { failed: false, proved })) };
    let at: Vec<&&Value> = all.iter().filter(|f| f["line"] == line).collect();
    Ok(if at.iter().all(|f| f["verdict"] == "proved") {
        Err(format!("line {line} uses an undefined value, and all its checks are called proved"))
    } else if !at.iter().any(|f| f["verdict"] == "violated") {
        Err(format!("line {line} uses an undefined value when it is run, and the scan does not report it"))
    } else {
        Ok(Shown { failed: true, proved })
    })
}

/// `n` programs, each made and judged by itself.
pub(super) fn each(
    tools: &Tools,
    name: &str,
    (n, seed): (u64, u64),
    program: impl Fn(&mut Rng) -> String + Sync,
    one: impl Fn(&Tools, &Path, &str) -> Result<Result<Shown, String>> + Sync,
) -> Result<Tally> {
    let tools = tools.with_cache("random-cache")?;
    let base = sh::scratch(name)?;
    let numbers: Vec<u64> = (0..n).collect();
    let results = sh::in_parallel(&numbers, |i| {
        let text = program(&mut Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(*i)));
        one(&tools, &base.join(i.to_string()), &text)
    });
    let mut tally = Tally::default();
    let (mut failed, mut proved) = (0, 0);
    for (i, r) in results.into_iter().enumerate() {
        if let Ok(Ok(s)) = &r {
            failed += usize::from(s.failed);
            proved += s.proved;
        }
        let name = base.join(i.to_string()).join("p.c").display().to_string();
        tally.add(&name, r.map_err(|e| format!("{e:#}")).and_then(|r| r.map(|_| ())));
    }
    println!("{n} programs, {failed} of them fail; {proved} checks proved");
    Ok(tally)
}

/// `n` programs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    each(tools, "random-undefined", (n, seed), program, one)
}
