//! Random programs whose functions hand objects to each other: made and set field by field, by functions that are told of
//! them and functions that find them in lists and globals, shown too early, copied, released, made in rounds. What a run
//! in the interpreter fails with, no scan may have proved, whatever kind of failure it is.

use super::undefined::{Shown, each, run_and_scan};
use crate::sh::{Rng, Tools};
use crate::tally::Tally;
use anyhow::Result;
use serde_json::Value;
use std::path::Path;

const HEAD: &str = "\
#include <stdlib.h>
#include <string.h>
struct o { int a, b; struct o *n; int *p; };
static unsigned x;
static struct o *shown, *list;
static int g1, g2, arr[4] = {1, 2, 3, 4};
static unsigned bit(unsigned i)
{
return (x >> i) & 1u;
}";

/// A program in the making: functions so far, with their number of parameters.
struct Maker<'r> {
    rng: &'r mut Rng,
    functions: Vec<(String, usize)>,
}

impl Maker<'_> {
    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    fn condition(&mut self) -> String {
        format!("bit({})", self.rng.below(10))
    }

    /// Uses a field.
    fn read(&mut self, v: &str) -> String {
        match self.rng.below(4) {
            0 => format!("if ({v}->a > 2) s++;"),
            1 => format!("if ({v}->b > 2) s++;"),
            2 => format!("s ^= *{v}->p;"),
            _ => format!("if ({v}->n) s ^= 3;"),
        }
    }

    /// Sets a field.
    fn write(&mut self, v: &str, all: &[&str]) -> String {
        let rare = self.chance(8);
        match self.rng.below(8) {
            0 | 1 => format!("{v}->a = {};", self.rng.pick(&["1", "g1", "5"])),
            2 | 3 => format!("{v}->b = {};", self.rng.pick(&["2", "g2", "(int)(x & 3)"])),
            4 | 5 if rare => format!("{v}->p = 0;"),
            4 | 5 => format!("{v}->p = {};", self.rng.pick(&["&arr[1]", "&arr[3]", "&g2"])),
            6 => format!("{v}->n = 0;"),
            _ => format!("{v}->n = {};", if self.chance(30) { "list" } else { *self.rng.pick(all) }),
        }
    }

    /// Sets the fields one by one; some now and then not, or not always.
    fn set(&mut self, v: &str, out: &mut Vec<String>) {
        let values = ["a = 1", "b = 3", "p = &arr[2]", "n = 0"];
        let from = self.rng.below(4);
        for k in 0..4 {
            let field = values[(from + k) % 4];
            match self.rng.below(100) {
                0..=8 => {}
                9..=14 => {
                    let c = self.condition();
                    out.push(format!("if ({c})\n{v}->{field};"));
                }
                _ => out.push(format!("{v}->{field};")),
            }
        }
    }

    fn statements(&mut self, all: &[&str], n: usize, depth: u32, out: &mut Vec<String>) {
        for _ in 0..n {
            let v = *self.rng.pick(all);
            let line = match self.rng.below(100) {
                0..=34 => self.write(v, all),
                35..=48 => self.read(v),
                49..=60 if depth < 2 => {
                    out.push(format!("if ({}) {{", self.condition()));
                    let n = 1 + self.rng.below(3);
                    self.statements(all, n, depth + 1, out);
                    if self.chance(40) {
                        out.push("} else {".into());
                        self.statements(all, 1, depth + 1, out);
                    }
                    "}".into()
                }
                61..=66 => format!("shown = {v};"),
                67..=72 => {
                    out.push("if (shown) {\nstruct o *q = shown;".into());
                    let used = if self.chance(50) { self.read("q") } else { self.write("q", &["q"]) };
                    format!("{used}\n}}")
                }
                73..=88 if !self.functions.is_empty() => {
                    let (f, n) = self.rng.pick(&self.functions).clone();
                    let args: Vec<&str> = (0..n).map(|_| *self.rng.pick(all)).collect();
                    format!("s ^= {f}({});", args.join(", "))
                }
                89..=91 => {
                    out.push("for (int i = 0; i < 2; i++) {".into());
                    self.statements(all, 2, 2, out);
                    "}".into()
                }
                92 | 93 => format!("memset({v}, 0, sizeof *{v});"),
                94 | 95 => format!("if ({})\nreturn s;", self.condition()),
                _ => format!("g1 = {};", self.rng.below(6)),
            };
            out.push(line);
        }
    }

    /// One more function; those before can be called.
    fn function(&mut self, i: usize, out: &mut Vec<String>) {
        let name = format!("f{i}");
        let some = 1 + self.rng.below(5);
        let mut params = 1;
        const MADE: &str = "struct o *v = malloc(sizeof *v);\nif (!v)\nabort();";
        match self.rng.below(10) {
            0..=3 => {
                params = 1 + self.rng.below(2);
                let all = if params == 1 { &["o"][..] } else { &["o", "u"][..] };
                let list: Vec<String> = all.iter().map(|p| format!("struct o *{p}")).collect();
                out.push(format!("static int {name}({})\n{{\nint s = 0;", list.join(", ")));
                self.statements(all, some, 0, out);
            }
            4 => {
                out.push(format!(
                    "static int {name}(struct o *o)\n{{\nint s = 0, k = 0;\nfor (struct o *q = o; q; q = q->n) {{"
                ));
                out.push(self.read("q"));
                out.push("if (++k > 20)\nbreak;\n}".into());
            }
            5 => {
                out.push(format!("static int {name}(struct o *o)\n{{\nint s = 0;\nstruct o t = *o, *v = &t;"));
                self.statements(&["v"], some, 0, out);
            }
            6 => {
                out.push(format!("static void drop{i}(struct o *o)\n{{\nint s = 0;"));
                if self.chance(40) {
                    out.push(self.read("o"));
                }
                out.push("g2 = s & 1;\nfree(o);\n}".into());
                out.push(format!("static int {name}(struct o *o)\n{{\nint s = 0;\n{MADE}"));
                self.set("v", out);
                self.statements(&["v", "o"], some, 0, out);
                out.push(format!("if (shown == v)\nshown = 0;\nif (list == v)\nlist = 0;\ndrop{i}(v);"));
            }
            _ => {
                out.push(format!("static struct o *make{i}(int *r)\n{{\nint s = 0;\n{MADE}"));
                let mut own = Vec::new();
                self.set("v", &mut own);
                // Now and then something happens in between.
                if self.chance(50) {
                    let at = self.rng.below(own.len() + 1);
                    let mut between = Vec::new();
                    self.statements(&["v"], 2, 1, &mut between);
                    own.splice(at..at, between);
                }
                out.extend(own.into_iter().map(|l| l.replace("return s;", "goto out;")));
                if self.chance(50) {
                    out.push("v->n = list;\nlist = v;".into());
                }
                out.push("goto out;\nout:\n*r = s;\nreturn v;\n}".into());
                out.push(format!("static int {name}(struct o *o)\n{{\nint s = 0;\nstruct o *w = make{i}(&s);"));
                self.statements(&["w", "o"], some, 0, out);
            }
        }
        out.push("return s;\n}".into());
        self.functions.push((name, params));
    }
}

fn program(rng: &mut Rng) -> String {
    let mut out = vec![HEAD.to_string()];
    let mut m = Maker { rng, functions: Vec::new() };
    for i in 0..2 + m.rng.below(4) {
        m.function(i, &mut out);
    }
    out.push("int main(int argc, char **argv)\n{\nint s = 0, k = 0;\n(void)argv;".into());
    out.push(format!("x = (unsigned)argc * {}u;", m.rng.below(1024)));
    out.push("struct o l, *v = &l, *h = malloc(sizeof *h);\nif (!h)\nabort();".into());
    for v in ["v", "h"] {
        for field in ["a = 1", "b = 2", "p = arr", "n = 0"] {
            if !m.chance(3) {
                out.push(format!("{v}->{field};"));
            }
        }
    }
    let n = 4 + m.rng.below(6);
    m.statements(&["v", "h"], n, 0, &mut out);
    out.push("for (struct o *q = list; q; q = q->n) {".into());
    out.push(m.read("q"));
    out.push("if (++k > 30)\nbreak;\n}\nreturn s & 1;\n}\n".into());
    out.join("\n")
}

fn one(tools: &Tools, dir: &Path, text: &str) -> Result<Result<Shown, String>> {
    let (run, all) = run_and_scan(tools, dir, text)?;
    let proved = all.iter().filter(|f| f["verdict"] == "proved").count();
    let err = run.err();
    // `ERROR: KIND FILE:LINE:COLUMN`
    let error = err.lines().find_map(|l| l.strip_prefix("ERROR: ")?.split_once(' '));
    let Some((kind, place)) = error.and_then(|(k, p)| Some((k, p.split_whitespace().next()?))) else {
        return Ok(Ok(Shown { failed: false, proved }));
    };
    let found = |f: &Value| format!("{}:{}:{}", f["file"].as_str().unwrap_or(""), f["line"], f["column"]);
    let at: Vec<&Value> = all.iter().filter(|f| f["kind"] == kind && found(f) == place).collect();
    Ok(if !at.is_empty() && at.iter().all(|f| f["verdict"] == "proved") {
        Err(format!("{kind} at {place}, which is called proved"))
    } else {
        Ok(Shown { failed: true, proved })
    })
}

/// `n` programs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    each(tools, "random-objects", (n, seed), program, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_the_same_for_a_seed() {
        for i in 0..100 {
            assert_eq!(program(&mut Rng(i)), program(&mut Rng(i)));
        }
    }
}
