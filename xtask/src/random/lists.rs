//! Random programs with linked lists, most of them with a line too few, too many or in the wrong place: what `verify check
//! --property valid-memsafety` says against native runs under the address sanitizer. TRUE is wrong where a run is stopped.
//! Every other program is about what the nodes hold, and asked whether it reaches an error: TRUE is wrong where a run does.

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

/// How a native run ends that reaches an error.
const REACHED: i32 = 42;

const FOR_VERIFY: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n#define nd() __VERIFIER_nondet_int()\n#define FUEL\n";
const FOR_NATIVE: &str = r"#include <unistd.h>
static unsigned long s, fuel;
static int nd(void)
{
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return (s >> 33) % 3;
}
static void reach_error(void)
{
    _exit(42);
}
#define FUEL if (++fuel > 20000) _exit(0);
";

/// What the nodes of a program have.
struct Style {
    prev: bool,
    data: bool,
    head: bool,
    /// What the nodes hold is asked.
    values: bool,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    style: Style,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.lines.extend(text.lines().map(|l| l.trim().to_string()).filter(|l| !l.is_empty()));
    }

    fn if_prev(&self, text: &str) -> String {
        if self.style.prev { text.to_string() } else { String::new() }
    }

    fn if_data(&self, text: &str) -> String {
        if self.style.data { text.to_string() } else { String::new() }
    }

    /// `x` is a new node.
    fn made(&mut self) -> String {
        let data = match self.style.data {
            true => *self.rng.pick(&[
                "x->data = malloc(sizeof(int));\n*x->data = 1;",
                "x->data = malloc(sizeof(int));\n*x->data = 1;",
                "x->data = NULL;",
                "x->data = l0 && nd() ? l0->data : NULL;",
            ]),
            false => "",
        };
        let values = match self.style.values {
            true => *self.rng.pick(&[
                "x->v = 1;\nx->w = 2;",
                "x->v = 2;\nx->w = nd();",
                "x->v = nd();\nx->w = x->v == 1 ? 0 : nd();",
                "x->v = nd();\nx->w = nd();\nif (x->v == 1 && x->w == 2)\nx->w = 1;",
                "if (n) {\nx->v = 1;\nx->w = 0;\n} else {\nx->v = 2;\nx->w = 1;\n}",
            ]),
            false => "x->v = nd();",
        };
        format!("x = malloc(sizeof *x);\n{values}\n{data}\n{}", self.if_prev("x->prev = NULL;"))
    }

    fn freed(&self, p: &str) -> String {
        format!("{}\nfree({p});", self.if_data(&format!("free({p}->data);")))
    }

    /// Looks whether the nodes hold what they may not hold.
    fn asked(&mut self) {
        let l = *self.rng.pick(&["l0", "l1"]);
        let (a, b) = (self.rng.below(3), self.rng.below(3));
        let each = |bad: String| format!("for (p = {l}; p; p = p->next) {{\nFUEL\nif ({bad})\nreach_error();\n}}");
        let text = match self.rng.below(5) {
            0 => each(format!("p->v == {a} && p->w == {b}")),
            1 => each(format!("p->v != {a}")),
            2 => each(format!("p->v > p->w + {a}")),
            3 => format!("if (n == {a}) {{\n{}\n}}", each(format!("p->v == {b}"))),
            _ => format!(
                "p = {l};\nwhile (p && p->v == {a}) {{\nFUEL\np = p->next;\n}}\nwhile (p && p->v == {b}) {{\nFUEL\n\
                 p = p->next;\n}}\nif (p)\nreach_error();"
            ),
        };
        self.put(&text);
    }

    fn phase(&mut self) {
        let l = *self.rng.pick(&["l0", "l1"]);
        let m = if l == "l0" { "l1" } else { "l0" };
        let again =
            *self.rng.pick(&["while (nd())", "for (i = 0; i < n; i++)", "if (nd())", "for (i = 0; i < 2; i++)"]);
        let made = self.made();
        let text = match self.rng.below(10) {
            0 | 1 => {
                let back = self.if_prev(&format!("if ({l})\n{l}->prev = x;"));
                format!("{again} {{\nFUEL\n{made}\nx->next = {l};\n{back}\n{l} = x;\n}}")
            }
            2 => {
                let back = self.if_prev("x->prev = q;");
                format!(
                    "q = {l};\nwhile (q && q->next) {{\nFUEL\nq = q->next;\n}}\n{again} {{\nFUEL\n{made}\nx->next = NULL;\n\
                     {back}\nif (q)\nq->next = x;\nelse\n{l} = x;\nq = x;\n}}"
                )
            }
            3 => {
                let deep = self.if_data("if (p->data)\n*p->data = p->v;");
                format!("for (p = {l}; p; p = p->next) {{\nFUEL\np->v = 3;\n{deep}\n}}")
            }
            4 => {
                let freed = self.freed("p");
                let back = self.if_prev("if (p->next)\np->next->prev = q;");
                format!(
                    "q = NULL;\np = {l};\nwhile (p && nd()) {{\nFUEL\nq = p;\np = p->next;\n}}\nif (p) {{\n{back}\nif (q)\n\
                     q->next = p->next;\nelse\n{l} = p->next;\n{freed}\n}}"
                )
            }
            5 if !self.style.prev => format!(
                "q = NULL;\nwhile ({l}) {{\nFUEL\np = {l}->next;\n{l}->next = q;\nq = {l};\n{l} = p;\n}}\n{l} = q;"
            ),
            5 | 6 => {
                let back = self.if_prev(&format!("if ({m})\n{m}->prev = p;"));
                format!(
                    "if ({l}) {{\np = {l};\nwhile (p->next) {{\nFUEL\np = p->next;\n}}\np->next = {m};\n{back}\n{m} = NULL;\n}}"
                )
            }
            7 => format!("p = {l};\n{l} = {m};\n{m} = p;"),
            8 => {
                let freed = self.freed("p");
                let back = self.if_prev(&format!("if ({l})\n{l}->prev = NULL;"));
                format!("if ({l}) {{\np = {l};\n{l} = p->next;\n{back}\n{freed}\n}}")
            }
            _ => {
                let back = self.if_prev("if (p->next)\np->next->prev = x;\nx->prev = p;");
                format!(
                    "p = {l};\nwhile (p && nd()) {{\nFUEL\np = p->next;\n}}\nif (p) {{\n{made}\nx->next = p->next;\n{back}\n\
                     p->next = x;\n}}"
                )
            }
        };
        self.put(&text);
    }

    /// Takes a statement away, doubles it, or lets it change places with the next one.
    fn spoil(&mut self) {
        let plain: Vec<usize> = (0..self.lines.len()).filter(|k| self.lines[*k].ends_with(';')).collect();
        let k = *self.rng.pick(&plain);
        let alone = k > 0 && (self.lines[k - 1].starts_with("if") || self.lines[k - 1] == "else");
        match self.rng.below(4) {
            0 | 1 => self.lines[k] = ";".into(),
            2 if !alone => {
                let line = self.lines[k].clone();
                self.lines.insert(k, line);
            }
            _ => {
                if self.lines.get(k + 1).is_some_and(|l| l.ends_with(';')) {
                    self.lines.swap(k, k + 1);
                }
            }
        }
    }
}

/// What both texts have in common.
fn program(rng: &mut Rng, values: bool) -> String {
    let style = Style { prev: rng.below(2) == 0, data: rng.below(2) == 0, head: rng.below(2) == 0, values };
    let mut w = Writer { rng, style, lines: Vec::new() };
    for _ in 0..2 + w.rng.below(3) {
        w.phase();
    }
    if values {
        w.asked();
    }
    for l in ["l0", "l1"] {
        let freed = w.freed("p");
        w.put(&format!("while ({l}) {{\nFUEL\np = {l};\n{l} = p->next;\n{freed}\n}}"));
    }
    for _ in 0..w.rng.below(if values { 2 } else { 3 }) {
        w.spoil();
    }
    let mut fields = vec!["struct node *next;", "int v;"];
    fields.extend(w.style.prev.then_some("struct node *prev;"));
    fields.extend(w.style.data.then_some("int *data;"));
    fields.extend(values.then_some("int w;"));
    let first = w.rng.below(fields.len());
    fields.rotate_left(first);
    let place = if w.style.head { "static struct node *l0, *l1;" } else { "" };
    let local = if w.style.head { "" } else { "    struct node *l0 = NULL, *l1 = NULL;\n" };
    format!(
        "#include <stdlib.h>\nstruct node {{ {} }};\n{place}\nint main(ARGS)\n{{\n{local}    struct node *p = NULL, *q = NULL, \
         *x = NULL;\n    int i, n;\n    START\n    n = nd();\n    i = 0;\n    {}\n    return 0;\n}}\n",
        fields.join(" "),
        w.lines.join("\n    ")
    )
}

/// The verdict on one program, and what is wrong with it.
fn one(tools: &Tools, dir: &Path, seed: u64, i: u64) -> Result<Option<Judged>> {
    let mut rng = Rng(seed.wrapping_mul(1_000_003).wrapping_add(i).wrapping_add(41));
    let values = i % 2 == 1;
    let text = program(&mut rng, values);
    let file = |what: &str| dir.join(format!("{seed}-{i}-{what}"));
    let native = format!(
        "{FOR_NATIVE}{}",
        text.replace("ARGS", "int c, char **v").replace("START", "s = atol(v[c - 1]) * 0x9E3779B97F4A7C15ul;")
    );
    std::fs::write(file("native.c"), native)?;
    std::fs::write(file("asked.c"), format!("{FOR_VERIFY}{}", text.replace("ARGS", "void").replace("START", "")))?;
    let gcc = ["-O0", "-w", "-fsanitize=address", "-o"];
    sh::quiet(Command::new("gcc").args(gcc).arg(file("native")).arg(file("native.c")), 60)?;
    let limit = LIMIT.to_string();
    let property = if values { "unreach-call" } else { "valid-memsafety" };
    let mut cmd = tools.verify(dir, ["check", "--property", property, "--jobs", "1", "--timeout", &limit]);
    let done = sh::capture(cmd.arg(file("asked.c")), 10 * LIMIT)?;
    let verdict = done.out().lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let mut wrong = (verdict == "none").then(|| format!("no verdict: {}", done.tail()));
    if verdict == "TRUE" {
        for k in 1..=RUNS {
            let run = sh::capture(Command::new(file("native")).arg(k.to_string()), 60)?;
            let against = if values { run.code == REACHED } else { run.code != 0 && !run.timed_out };
            if against {
                wrong = Some(format!("TRUE, but the run with {k} is stopped: {}", run.tail()));
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
    sh::step(&format!("{n} random programs with lists, seed {seed}"));
    super::ask_each(tools, "random-lists", n, seed, one)
}
