//! Small programs of which every execution is followed: few variables, inputs of a few bits, all states enumerated here. So it is
//! known of each whether its error is reached and whether a run goes on for ever, and both verdicts of `verify check` can be
//! told wrong. What is written is C of its own (types of 4 to 64 bits, bit-fields, variables in memory of every kind);
//! what is followed is the same tree, by the rules of C, in wide integers.

use super::Judged;
use crate::sh::{self, Rng, Tools};
use crate::tally::Tally;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;

/// Seconds for one question.
const LIMIT: u64 = 8;
/// States of a program; one with more is not asked about.
const MOST_STATES: usize = 200_000;
/// States of a program that says something.
const LEAST_STATES: usize = 40;
const MOST_VARIABLES: usize = 3;

/// An integer type as it is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ty {
    c: &'static str,
    bits: u32,
    signed: bool,
    field: bool,
}

const fn ty(c: &'static str, bits: u32, signed: bool, field: bool) -> Ty {
    Ty { c, bits, signed, field }
}
const U8: Ty = ty("unsigned char", 8, false, false);
const I32: Ty = ty("int", 32, true, false);
const U32: Ty = ty("unsigned", 32, false, false);
const U64: Ty = ty("unsigned long", 64, false, false);
const BOOL: Ty = ty("_Bool", 1, false, false);
const TYPES: &[Ty] = &[
    U8,
    U8,
    ty("signed char", 8, true, false),
    ty("unsigned", 4, false, true),
    ty("signed", 4, true, true),
    ty("signed", 5, true, true),
    ty("signed char", 7, true, true),
    ty("unsigned short", 16, false, false),
    ty("short", 16, true, false),
    I32,
    I32,
    U32,
    U64,
    BOOL,
];
const CASTS: &[Ty] = &[U8, ty("signed char", 8, true, false), ty("unsigned short", 16, false, false), U32, BOOL];

impl Ty {
    /// The value after conversion.
    fn convert(self, v: i128) -> i128 {
        if self == BOOL {
            return i128::from(v != 0);
        }
        let low = v & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) == 1 { low - (1 << self.bits) } else { low }
    }
    /// The type after the integer promotions.
    fn promoted(self) -> Ty {
        if self.bits < 32 { I32 } else { self }
    }
}

/// Where a variable lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Local,
    Static,
    Field,
    Heap,
    Element,
    Pointed,
}

#[derive(Clone, Copy)]
enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Less,
    AtMost,
    Equal,
    Unequal,
}

impl Op {
    fn c(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::Equal => "==",
            Op::Unequal => "!=",
        }
    }
    fn compares(self) -> bool {
        matches!(self, Op::Less | Op::AtMost | Op::Equal | Op::Unequal)
    }
}

enum Expr {
    Constant(i128),
    Variable(usize),
    Binary(Op, Box<Expr>, Box<Expr>),
    Cast(Ty, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    Both(Box<Expr>, Box<Expr>),
    Either(Box<Expr>, Box<Expr>),
}

/// One step of a program; numbers of steps are where it goes on.
enum Step {
    Set(usize, Expr, usize),
    /// `(input & mask) + more`
    Input(usize, i128, i128, usize),
    Branch(Expr, usize, usize),
    /// A branch on an input.
    Free(usize, usize),
    Jump(usize),
    Fail,
    End,
}

/// Undefined behaviour: such a program is not asked about.
struct Undefined;

type State = [i128; MOST_VARIABLES];

struct Program {
    variables: Vec<(Ty, Place)>,
    steps: Vec<Step>,
    body: String,
}

impl Program {
    fn type_of(&self, e: &Expr) -> Ty {
        match e {
            Expr::Constant(_) | Expr::Both(..) | Expr::Either(..) => I32,
            Expr::Variable(i) => self.variables[*i].0.promoted(),
            Expr::Binary(op, ..) if op.compares() => I32,
            Expr::Binary(Op::Shl | Op::Shr, a, _) => self.type_of(a),
            Expr::Binary(_, a, b) | Expr::Choice(_, a, b) => common(self.type_of(a), self.type_of(b)),
            Expr::Cast(t, _) => t.promoted(),
        }
    }
    fn value(&self, e: &Expr, s: &State) -> Result<i128, Undefined> {
        let both = |a, b| -> Result<(i128, i128, Ty), Undefined> {
            let t = common(self.type_of(a), self.type_of(b));
            Ok((t.convert(self.value(a, s)?), t.convert(self.value(b, s)?), t))
        };
        Ok(match e {
            Expr::Constant(c) => *c,
            Expr::Variable(i) => s[*i],
            Expr::Cast(t, a) => t.convert(self.value(a, s)?),
            Expr::Choice(c, a, b) => {
                let chosen = if self.value(c, s)? != 0 { a } else { b };
                self.type_of(e).convert(self.value(chosen, s)?)
            }
            Expr::Both(a, b) => i128::from(self.value(a, s)? != 0 && self.value(b, s)? != 0),
            Expr::Either(a, b) => i128::from(self.value(a, s)? != 0 || self.value(b, s)? != 0),
            // The counts are small constants.
            Expr::Binary(op @ (Op::Shl | Op::Shr), a, by) => {
                let (v, by, t) = (self.value(a, s)?, self.value(by, s)?, self.type_of(a));
                if matches!(op, Op::Shr) {
                    v >> by
                } else if t.signed && (v < 0 || t.convert(v << by) != v << by) {
                    return Err(Undefined);
                } else {
                    t.convert(v << by)
                }
            }
            Expr::Binary(op, a, b) => {
                let (x, y, t) = both(a, b)?;
                let exact = match op {
                    Op::Add => x + y,
                    Op::Sub => x - y,
                    Op::Mul => x * y,
                    Op::Div if y != 0 => x / y,
                    Op::Rem if y != 0 => x % y,
                    Op::Div | Op::Rem => return Err(Undefined),
                    Op::And => x & y,
                    Op::Or => x | y,
                    Op::Xor => x ^ y,
                    Op::Less => return Ok(i128::from(x < y)),
                    Op::AtMost => return Ok(i128::from(x <= y)),
                    Op::Equal => return Ok(i128::from(x == y)),
                    Op::Unequal => return Ok(i128::from(x != y)),
                    Op::Shl | Op::Shr => unreachable!("above"),
                };
                if t.signed && t.convert(exact) != exact {
                    return Err(Undefined);
                }
                t.convert(exact)
            }
        })
    }

    /// The states behind one.
    fn next(&self, at: usize, s: &State) -> Result<Vec<(usize, State)>, Undefined> {
        let with = |i: usize, v: i128| {
            let mut s = *s;
            s[i] = self.variables[i].0.convert(v);
            s
        };
        Ok(match &self.steps[at] {
            Step::Set(i, e, to) => vec![(*to, with(*i, self.value(e, s)?))],
            Step::Input(i, mask, more, to) => {
                let mut all: Vec<_> = (0..256).map(|v| (*to, with(*i, (v & mask) + more))).collect();
                all.sort_unstable();
                all.dedup();
                all
            }
            Step::Branch(c, yes, no) => vec![(if self.value(c, s)? != 0 { *yes } else { *no }, *s)],
            Step::Free(yes, no) => vec![(*yes, *s), (*no, *s)],
            Step::Jump(to) => vec![(*to, *s)],
            Step::Fail | Step::End => Vec::new(),
        })
    }

    /// Is an error reached, and does a run come back to a state? Nothing for programs with undefined behaviour or too many
    /// states. Depth first: an edge to a state that is still open closes a cycle.
    fn explore(&self) -> Option<(bool, bool)> {
        let first = (0, [0; MOST_VARIABLES]);
        let mut open: HashMap<(usize, State), bool> = HashMap::from([(first, true)]);
        let mut stack = vec![(first, self.next(0, &first.1).ok()?)];
        let (mut fails, mut comes_back) = (false, false);
        while let Some((state, left)) = stack.last_mut() {
            let Some(to) = left.pop() else {
                open.insert(*state, false);
                stack.pop();
                continue;
            };
            match open.get(&to) {
                Some(still) => comes_back |= *still,
                None => {
                    if open.len() >= MOST_STATES {
                        return None;
                    }
                    fails |= matches!(self.steps[to.0], Step::Fail);
                    open.insert(to, true);
                    stack.push((to, self.next(to.0, &to.1).ok()?));
                }
            }
        }
        (open.len() >= LEAST_STATES).then_some((fails, comes_back))
    }

    fn name(&self, i: usize) -> String {
        let (t, place) = self.variables[i];
        match place {
            _ if t.field => format!("s.v{i}"),
            Place::Local | Place::Static => format!("v{i}"),
            Place::Field => format!("s.v{i}"),
            Place::Heap | Place::Pointed => format!("(*p{i})"),
            Place::Element => format!("a{i}[{}]", i + 1),
        }
    }
    fn c(&self, e: &Expr) -> String {
        match e {
            Expr::Constant(c) => c.to_string(),
            Expr::Variable(i) => self.name(*i),
            Expr::Binary(op, a, b) => format!("({} {} {})", self.c(a), op.c(), self.c(b)),
            Expr::Cast(t, a) => format!("(({}){})", t.c, self.c(a)),
            Expr::Choice(c, a, b) => format!("({} ? {} : {})", self.c(c), self.c(a), self.c(b)),
            Expr::Both(a, b) => format!("({} && {})", self.c(a), self.c(b)),
            Expr::Either(a, b) => format!("({} || {})", self.c(a), self.c(b)),
        }
    }
    fn text(&self) -> String {
        let (mut statics, mut locals, mut fields, mut frees) = <(String, String, String, String)>::default();
        for (i, (t, place)) in self.variables.iter().enumerate() {
            let c = t.c;
            match place {
                _ if t.field => fields += &format!("    {c} v{i} : {};\n", t.bits),
                Place::Local => locals += &format!("    {c} v{i} = 0;\n"),
                Place::Static => statics += &format!("static {c} v{i};\n"),
                Place::Field => fields += &format!("    {c} v{i};\n"),
                Place::Heap => {
                    locals += &format!("    {c} *p{i} = malloc(sizeof *p{i});\n    *p{i} = 0;\n");
                    frees += &format!("    free(p{i});\n");
                }
                Place::Element => locals += &format!("    {c} a{i}[6] = {{ 0 }};\n"),
                Place::Pointed => locals += &format!("    {c} v{i} = 0, *p{i} = &v{i};\n"),
            }
        }
        if !fields.is_empty() {
            statics += &format!("static struct {{\n    char before;\n{fields}}} s;\n");
        }
        let body = &self.body;
        format!(
            "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n\
             extern void *malloc(unsigned long);\nextern void free(void *);\nextern void reach_error(void);\n\
             {statics}int g(void)\n{{\n{locals}{body}{frees}    return 0;\n}}\nint main(void) {{ return g(); }}\n"
        )
    }
}

/// The usual arithmetic conversions, both sides promoted.
fn common(a: Ty, b: Ty) -> Ty {
    let rank = |t: Ty| (t.bits, !t.signed);
    if rank(a) >= rank(b) { a } else { b }
}

/// Jumps out of a loop, or to its head, whose targets are not known yet.
#[derive(Default)]
struct Leaving {
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    p: Program,
    /// Assertions are written.
    asserts: bool,
}

impl Writer<'_> {
    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }
    fn constant(&mut self) -> i128 {
        *self.rng.pick(&[0, 1, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 17, 31, 63, 64, 100, 127, 128, 200, 254, 255])
    }
    fn variable(&mut self) -> usize {
        self.rng.below(self.p.variables.len())
    }
    fn atom(&mut self) -> Expr {
        if self.rng.below(5) < 3 { Expr::Variable(self.variable()) } else { Expr::Constant(self.constant()) }
    }
    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.one_in(4) {
            return self.atom();
        }
        let a = Box::new(self.expr(depth - 1));
        let small = |c: i128| Box::new(Expr::Constant(c));
        match self.rng.below(14) {
            0 => Expr::Binary(Op::Add, a, Box::new(self.expr(depth - 1))),
            1 => Expr::Binary(Op::Sub, a, Box::new(self.expr(depth - 1))),
            2 | 3 => Expr::Binary(Op::Add, a, small(*self.rng.pick(&[1, 1, 2, 3]))),
            4 | 5 => Expr::Binary(Op::Sub, a, small(*self.rng.pick(&[1, 1, 2, 3]))),
            6 => Expr::Binary(Op::Mul, a, small(*self.rng.pick(&[2, 3, 5, 7]))),
            7 => Expr::Binary(Op::And, a, small(*self.rng.pick(&[1, 3, 7, 15, 127, 254]))),
            8 => Expr::Binary(Op::Or, a, small(*self.rng.pick(&[1, 2, 4, 128]))),
            9 => Expr::Binary(Op::Xor, a, Box::new(self.atom())),
            10 => Expr::Binary(*self.rng.pick(&[Op::Shl, Op::Shr]), a, small(*self.rng.pick(&[1, 1, 2, 3]))),
            11 => Expr::Binary(*self.rng.pick(&[Op::Div, Op::Rem]), a, small(*self.rng.pick(&[2, 3, 5, 10]))),
            12 => Expr::Choice(Box::new(self.condition(1)), a, Box::new(self.expr(depth - 1))),
            _ => Expr::Cast(*self.rng.pick(CASTS), a),
        }
    }
    fn condition(&mut self, depth: usize) -> Expr {
        if depth > 0 && self.one_in(4) {
            let (a, b) = (Box::new(self.condition(depth - 1)), Box::new(self.condition(depth - 1)));
            return if self.one_in(2) { Expr::Both(a, b) } else { Expr::Either(a, b) };
        }
        let a = if self.one_in(5) { self.expr(1) } else { Expr::Variable(self.variable()) };
        let b = if self.one_in(5) { self.expr(1) } else { self.atom() };
        let (a, b) = if self.one_in(3) { (b, a) } else { (a, b) };
        let op = *self.rng.pick(&[Op::Less, Op::AtMost, Op::Unequal, Op::Unequal, Op::Equal]);
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    fn here(&self) -> usize {
        self.p.steps.len()
    }
    /// A step whose targets are filled in later.
    fn reserve(&mut self) -> usize {
        self.p.steps.push(Step::End);
        self.here() - 1
    }
    fn put(&mut self, indent: usize, line: &str) {
        self.p.body += &"    ".repeat(indent);
        self.p.body += line;
        self.p.body += "\n";
    }
    fn input(&mut self, indent: usize, i: usize, mask: i128, more: i128) {
        let to = self.here() + 1;
        self.p.steps.push(Step::Input(i, mask, more, to));
        let suffix = if more > i128::from(i32::MAX) { "ul" } else { "" };
        let name = self.p.name(i);
        self.put(indent, &format!("{name} = (__VERIFIER_nondet_uchar() & {mask}) + {more}{suffix};"));
    }
    fn set(&mut self, indent: usize, i: usize, e: Expr) {
        let line = format!("{} = {};", self.p.name(i), self.p.c(&e));
        let to = self.here() + 1;
        self.p.steps.push(Step::Set(i, e, to));
        self.put(indent, &line);
    }
    fn assertion(&mut self, indent: usize) {
        let c = self.condition(2);
        let line = format!("if (!{}) reach_error();", self.p.c(&c));
        let at = self.here();
        self.p.steps.push(Step::Branch(c, at + 2, at + 1));
        self.p.steps.push(Step::Fail);
        self.put(indent, &line);
    }
    /// A condition, or an input in its place: its text, and the step that branches on it, to be targeted.
    fn branch(&mut self, free_in: usize) -> (String, Option<Expr>, usize) {
        let at = self.reserve();
        if self.one_in(free_in) {
            return ("__VERIFIER_nondet_bool()".into(), None, at);
        }
        let c = self.condition(2);
        (self.p.c(&c), Some(c), at)
    }
    fn target(&mut self, at: usize, c: Option<Expr>, yes: usize, no: usize) {
        self.p.steps[at] = match c {
            Some(c) => Step::Branch(c, yes, no),
            None => Step::Free(yes, no),
        };
    }

    fn block(&mut self, depth: usize, indent: usize, leaving: &mut Option<Leaving>, most: usize) {
        for _ in 0..=self.rng.below(most) {
            self.statement(depth, indent, leaving);
        }
    }
    fn statement(&mut self, depth: usize, indent: usize, leaving: &mut Option<Leaving>) {
        let x = self.rng.below(100);
        if depth > 0 && x < if leaving.is_some() { 22 } else { 45 } {
            return self.looped(depth - 1, indent);
        }
        if depth > 0 && x < 60 {
            return self.choice(depth - 1, indent, leaving);
        }
        if let (Some(l), true) = (leaving.as_mut(), x < 68) {
            let (text, c, at) = self.branch(5);
            let jump = self.reserve();
            let leave = self.rng.below(3) > 0;
            if leave {
                l.breaks.push(jump)
            } else {
                l.continues.push(jump)
            }
            self.put(indent, &format!("if ({text}) {};", if leave { "break" } else { "continue" }));
            self.target(at, c, jump, jump + 1);
            return;
        }
        if self.asserts && x < 73 {
            return self.assertion(indent);
        }
        let i = self.variable();
        match self.rng.below(8) {
            0 => {
                let mask = *self.rng.pick(&[1, 3, 7, 15, 255]);
                self.input(indent, i, mask, 0);
            }
            1..=3 => {
                let op = *self.rng.pick(&[Op::Add, Op::Sub]);
                self.set(indent, i, Expr::Binary(op, Box::new(Expr::Variable(i)), Box::new(Expr::Constant(1))));
            }
            _ => {
                let e = self.expr(2);
                self.set(indent, i, e);
            }
        }
    }
    fn choice(&mut self, depth: usize, indent: usize, leaving: &mut Option<Leaving>) {
        let (text, c, at) = self.branch(4);
        let yes = self.here();
        self.put(indent, &format!("if ({text}) {{"));
        self.block(depth, indent + 1, leaving, 2);
        let mut no = self.here();
        if self.one_in(2) {
            let over = self.reserve();
            no = self.here();
            self.put(indent, "} else {");
            self.block(depth, indent + 1, leaving, 2);
            self.p.steps[over] = Step::Jump(self.here());
        }
        self.target(at, c, yes, no);
        self.put(indent, "}");
    }
    fn looped(&mut self, depth: usize, indent: usize) {
        let free_in = if self.asserts { 4 } else { 7 };
        let (text, c, head) = self.branch(free_in);
        self.put(indent, &format!("while ({text}) {{"));
        let mut leaving = Some(Leaving::default());
        self.block(depth, indent + 1, &mut leaving, 4);
        self.p.steps.push(Step::Jump(head));
        let behind = self.here();
        self.target(head, c, head + 1, behind);
        self.put(indent, "}");
        let leaving = leaving.unwrap_or_default();
        for jump in leaving.breaks {
            self.p.steps[jump] = Step::Jump(behind);
        }
        for jump in leaving.continues {
            self.p.steps[jump] = Step::Jump(head);
        }
    }
    fn program(mut self) -> Program {
        for i in 0..self.p.variables.len() {
            let t = self.p.variables[i].0;
            match self.rng.below(10) {
                0..=4 if t.bits <= 8 => self.input(1, i, 255, 0),
                0..=6 => {
                    let mask = *self.rng.pick(&[3, 15, 31]);
                    let high = if t == I32 { 100 } else { (1 << t.bits.min(64)) - 8 };
                    let more = *self.rng.pick(&[0, 0, high.max(0), 120, 250]);
                    self.input(1, i, mask, more);
                }
                _ => {
                    let c = self.constant();
                    self.set(1, i, Expr::Constant(c));
                }
            }
        }
        self.looped(2, 1);
        if self.one_in(2) {
            self.block(1, 1, &mut None, 1);
        }
        if self.asserts {
            self.assertion(1);
        }
        self.p.steps.push(Step::End);
        self.p
    }
}

fn program(rng: &mut Rng, asserts: bool) -> Program {
    let n = 2 + rng.below(MOST_VARIABLES - 1);
    let variables = (0..n)
        .map(|_| {
            let places =
                [Place::Local, Place::Local, Place::Static, Place::Field, Place::Heap, Place::Element, Place::Pointed];
            (*rng.pick(TYPES), *rng.pick(&places))
        })
        .collect();
    Writer { rng, p: Program { variables, steps: Vec::new(), body: String::new() }, asserts }.program()
}

/// The verdict on one program, and what is wrong with it.
fn one(tools: &Tools, dir: &Path, seed: u64, i: u64) -> Result<Option<Judged>> {
    let mut rng = Rng(seed.wrapping_mul(1_000_003).wrapping_add(i).wrapping_add(99));
    let asserts = i.is_multiple_of(2);
    let (p, fails, comes_back) = loop {
        let p = program(&mut rng, asserts);
        match p.explore() {
            // Errors are reached too easily: most programs are to be without.
            Some((fails, back)) if !(asserts && fails && rng.below(2) == 0) => break (p, fails, back),
            _ => {}
        }
    };
    let file = dir.join(format!("{seed}-{i}.c"));
    std::fs::write(&file, p.text())?;
    let property = if asserts { "unreach-call" } else { "termination" };
    let mut cmd = tools.verify(dir, ["check", "--property", property, "--jobs", "1", "--timeout", &LIMIT.to_string()]);
    if i % 4 >= 2 {
        cmd.args(["--entry", "g"]);
    }
    let done = sh::capture(cmd.arg(&file), 10 * LIMIT)?;
    let verdict = done.out().lines().last().and_then(|l| l.strip_prefix("VERDICT: ")).unwrap_or("none").to_string();
    let violated = if asserts { fails } else { comes_back };
    let what = if asserts { "reaches its error" } else { "comes back to a state" };
    let wrong = match &*verdict {
        "none" => Some(format!("no verdict: {}", done.tail())),
        "TRUE" if violated => Some(format!("TRUE, but a run {what}")),
        v if v.starts_with("FALSE") && !violated => Some(format!("{v}, but no run {what}")),
        _ => None,
    };
    if wrong.is_none() {
        let _ = std::fs::remove_file(&file);
    }
    let short = verdict.split('(').next().unwrap_or_default();
    let truth = if violated { "FALSE" } else { "TRUE" };
    Ok(Some((format!("{property} {truth}, answered {short}:"), wrong)))
}

/// `n` programs.
///
/// # Errors
/// No place for the programs.
pub fn run(tools: &Tools, n: u64, seed: u64) -> Result<Tally> {
    sh::step(&format!("{n} small programs whose executions are all followed, seed {seed}"));
    super::ask_each(tools, "random-explored", n, seed, one)
}
