//! Whole programs: declarations, functions, `main`. `main` reads its inputs first, into constants; places where the run
//! puts a question are marked by comments, see [`Program`].

use super::expr::{Array, INTS, Int, Maker, PROLOGUE, Place, Pointer, Scope};
use super::fault;
use super::stmt::{Body, Func};
use crate::sh::Rng;

/// What a program is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Everything in turn, without a fault.
    Mixed,
    /// One loop with a bound of some hundred, its body made at random; inputs decide how far it goes.
    Deep,
    /// A fault that some inputs reach.
    Faulty,
    /// A fault that a loop reaches after many iterations.
    DeepFaulty,
}

/// Inputs that are read at the start.
#[derive(Clone, Debug)]
pub struct Input {
    pub ty: Int,
    /// Largest value as unsigned bits; smaller ones are assumed.
    pub most: Option<u64>,
}

/// Reads of `next_input` that are kept.
pub const LOGGED: usize = 8;

/// A program. Its text has lines `//@inputs` (after the inputs are read), `//@end` (where `sum` is complete) and, in a
/// deep one, `//@step` (in the loop, where `it` and `digest` are set).
#[derive(Clone, Debug)]
pub struct Program {
    pub kind: Kind,
    pub text: String,
    /// `x0`, `x1`, ...
    pub inputs: Vec<Input>,
    /// Values for the inputs and then for reads later on; as bits of their type.
    pub vectors: Vec<Vec<u64>>,
}

/// Vectors for each program; more for those of which some are to fail.
const VECTORS: usize = 3;
const FAULTY_VECTORS: usize = 8;
/// Values of a vector, with those that are read later.
const VALUES: usize = 24;

fn value(rng: &mut Rng, i: &Input) -> u64 {
    let bits = match rng.below(4) {
        0 => rng.below(8) as u64,
        1 => (rng.below(8) as u64).wrapping_neg(),
        2 => *rng.pick(&[0x7f, 0x80, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, u64::MAX, 1 << 63]),
        _ => rng.next() >> rng.below(64),
    };
    match i.most {
        Some(m) => rng.next() % (m + 1),
        None if i.ty.bits < 64 => bits & ((1 << i.ty.bits) - 1),
        None => bits,
    }
}

struct Writer<'r> {
    rng: &'r mut Rng,
    fresh: u32,
    top: Vec<String>,
    globals: Scope,
    funcs: Vec<Func>,
}

/// The program number `index` of a seed.
pub fn program(rng: &mut Rng, kind: Kind) -> Program {
    let deep = matches!(kind, Kind::Deep | Kind::DeepFaulty);
    let mut inputs: Vec<Input> = Vec::new();
    if deep {
        inputs.push(Input { ty: INTS[5], most: Some(399) });
    }
    for _ in 0..2 + rng.below(3) {
        let ty = INTS[rng.below(9)];
        let most = (ty.bits > 8 && rng.below(3) == 0).then(|| *rng.pick(&[3, 10, 100]));
        inputs.push(Input { ty, most });
    }
    let faulty = matches!(kind, Kind::Faulty | Kind::DeepFaulty);
    let vectors: Vec<Vec<u64>> = (0..if faulty { FAULTY_VECTORS } else { VECTORS })
        .map(|v| {
            let mut all: Vec<u64> = inputs.iter().map(|i| value(rng, i)).collect();
            if deep && v % 2 == 0 {
                all[0] = 60 + rng.next() % 340;
            }
            all.extend((0..VALUES).map(|_| rng.next() & 0xffff_ffff));
            all
        })
        .collect();
    let mut w = Writer { rng, fresh: 0, top: Vec::new(), globals: Scope::default(), funcs: Vec::new() };
    w.globals();
    for _ in 0..if deep { w.rng.below(3) } else { 1 + w.rng.below(4) } {
        w.function();
    }
    let main = w.main(kind, &inputs, &vectors);
    let mut text = String::from(PROLOGUE);
    for part in [&w.top, &main] {
        for l in part {
            text.push_str(l);
            text.push('\n');
        }
    }
    Program { kind, text, inputs, vectors }
}

impl Writer<'_> {
    fn name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}_{}", self.fresh)
    }

    fn globals(&mut self) {
        for _ in 0..2 + self.rng.below(3) {
            let ty = INTS[self.rng.below(9)];
            let name = self.name("g");
            let value = ty.literal(self.rng.next() >> self.rng.below(64));
            let linkage = *self.rng.pick(&["", "static ", "static "]);
            match self.rng.below(3) {
                0 => self.top.push(format!("{linkage}{} {name};", ty.name)),
                _ => self.top.push(format!("{linkage}{} {name} = {value};", ty.name)),
            }
            self.globals.places.push(Place { text: name, ty, depth: 0, addressable: true });
        }
        for _ in 0..self.rng.below(3) {
            let ty = INTS[self.rng.below(8)];
            let log = 1 + self.rng.below(3) as u32;
            let name = self.name("ga");
            let items: Vec<String> =
                (0..self.rng.below(1 << log) + 1).map(|_| ty.literal(self.rng.next() >> self.rng.below(64))).collect();
            self.top.push(format!("static {} {name}[{}] = {{{}}};", ty.name, 1u32 << log, items.join(", ")));
            self.globals.arrays.push(Array { name, ty, log, depth: 0 });
        }
        if self.rng.below(2) == 0 {
            let name = self.name("gr");
            let (a, b) = (self.rng.below(100), self.rng.below(8));
            let init = format!("{{.b = {a}, .f3 = {b}, .s5 = -7, .in = {{.hi = -2}}, .v = {{1, [2] = 5}}}}");
            self.top.push(format!("static struct rec {name} = {init};"));
            self.globals.records.push((name, 0));
        }
        if self.rng.below(3) == 0 {
            let name = self.name("gu");
            self.top.push(format!("static union pun {name} = {{.w = {{{}, 7}}}};", self.rng.below(1000)));
            self.globals.unions.push((name, 0));
        }
        if self.rng.below(2) == 0 {
            let p = self.rng.pick(&self.globals.places).clone();
            let name = self.name("gp");
            self.top.push(format!("static {} *{name} = &{};", p.ty.name, p.text));
            self.globals.pointers.push(Pointer { name, ty: p.ty, log: 0, depth: 0 });
        }
        if let Some(a) = self.globals.arrays.first().cloned()
            && self.rng.below(2) == 0
        {
            let name = self.name("gp");
            self.top.push(format!("static {} *{name} = {} + {};", a.ty.name, a.name, (1u32 << a.log) / 2));
            self.globals.pointers.push(Pointer { name, ty: a.ty, log: a.log - 1, depth: 0 });
        }
        self.top.push("static u32 in_log[8], in_count;".into());
        self.top.push(
            "static u32 next_input(void) { u32 v = __VERIFIER_nondet_uint(); in_log[in_count++ & 7] = v; return v; }"
                .into(),
        );
    }

    /// The lines of a body; `f` writes it with the scope given.
    fn body(&mut self, scope: Scope, f: impl FnOnce(&mut Body<'_>)) -> Vec<String> {
        let m = Maker { rng: self.rng, scope };
        let mut b = Body::new(m, self.funcs.clone(), &mut self.fresh);
        f(&mut b);
        b.out
    }

    fn function(&mut self) {
        let name = self.name("fn");
        let mut scope = self.globals.clone();
        // Some functions see no global.
        let pure = self.rng.below(3) == 0;
        if pure {
            scope = Scope::default();
        }
        let param = |scope: &mut Scope, name: &str, ty: Int| {
            scope.places.push(Place { text: name.into(), ty, depth: 1, addressable: true });
        };
        let n = 1 + self.rng.below(3);
        let some = |b: &mut Body<'_>| {
            if b.m.chance(50) {
                b.scalar();
            }
            if b.m.chance(20) {
                b.array();
            }
            for _ in 0..n {
                b.statement(1);
            }
        };
        match self.rng.below(8) {
            0 | 1 => {
                let ret = INTS[self.rng.below(8)];
                let params: Vec<Int> = (0..1 + self.rng.below(3)).map(|_| INTS[self.rng.below(9)]).collect();
                let mut list = Vec::new();
                for (i, p) in params.iter().enumerate() {
                    param(&mut scope, &format!("k{i}"), *p);
                    list.push(format!("{} k{i}", p.name));
                }
                let counter = self.rng.below(2) == 0;
                let text = self.body(scope, |b| {
                    if counter && !pure {
                        b.line("static u32 calls = 3;");
                        b.line("calls += k0;");
                        b.m.scope.places.push(Place { text: "calls".into(), ty: INTS[5], depth: 0, addressable: true });
                    }
                    some(b);
                    let e = b.m.expr(3);
                    if b.m.chance(30) {
                        let c = b.m.condition(1);
                        b.line(format!("if ({c}) return k0;"));
                    }
                    b.line(format!("return {e};"));
                });
                self.define(format!("static {} {name}({})", ret.name, list.join(", ")), text);
                self.funcs.push(Func::Value { name, ret, params });
            }
            2 | 3 => {
                let ty = INTS[self.rng.below(8)];
                param(&mut scope, "k", INTS[5]);
                scope.pointers.push(Pointer { name: "o".into(), ty, log: 0, depth: 1 });
                let text = self.body(scope, |b| {
                    some(b);
                    let e = b.m.expr(2);
                    b.line(format!("*o = {e};"));
                    some(b);
                });
                self.define(format!("static void {name}({} *o, u32 k)", ty.name), text);
                self.funcs.push(Func::Out { name, ty });
            }
            4 => {
                param(&mut scope, "k", INTS[5]);
                scope.records.push(("r".into(), 1));
                let text = self.body(scope, |b| {
                    some(b);
                    b.line("return r;");
                });
                self.define(format!("static struct rec {name}(struct rec r, u32 k)"), text);
                self.funcs.push(Func::Record(name));
            }
            5 => {
                param(&mut scope, "k", INTS[5]);
                scope.records.push(("(*r)".into(), 1));
                let text = self.body(scope, some);
                self.define(format!("static void {name}(struct rec *r, u32 k)"), text);
                self.funcs.push(Func::RecordPointer(name));
            }
            6 => {
                param(&mut scope, "k", INTS[5]);
                scope.values.push(("n".into(), INTS[5]));
                let call = name.clone();
                let text = self.body(scope, |b| {
                    b.line("if (n == 0) return k;");
                    some(b);
                    let e = b.m.expr(2);
                    b.line(format!("u32 t = {call}(n - 1, {e});"));
                    let e = b.m.expr(1);
                    b.line(format!("return t + (u32)({e});"));
                });
                self.define(format!("static u32 {name}(u32 n, u32 k)"), text);
                self.funcs.push(Func::Recursive(name));
            }
            _ => {
                let ty = INTS[self.rng.below(8)];
                let t = ty.name;
                self.top.push(format!("static {t} *{name}({t} *a, {t} *b, u32 c) {{ return c & 4 ? a : b; }}"));
                self.funcs.push(Func::Select { name, ty });
                let table = self.name("table");
                let names = [self.name("fn"), self.name("fn")];
                for f in &names {
                    let mut scope = self.globals.clone();
                    param(&mut scope, "a", INTS[5]);
                    param(&mut scope, "b", INTS[5]);
                    let text = self.body(scope, |b| {
                        b.statement(0);
                        let e = b.m.expr(2);
                        b.line(format!("return {e};"));
                    });
                    self.define(format!("static u32 {f}(u32 a, u32 b)"), text);
                }
                self.top.push(format!("static u32 (*const {table}[2])(u32, u32) = {{{}, {}}};", names[0], names[1]));
                self.funcs.push(Func::Table(table));
            }
        }
    }

    fn define(&mut self, head: String, body: Vec<String>) {
        self.top.push(head);
        self.top.push("{".into());
        self.top.extend(body);
        self.top.push("}".into());
    }

    fn main(&mut self, kind: Kind, inputs: &[Input], vectors: &[Vec<u64>]) -> Vec<String> {
        let mut scope = self.globals.clone();
        for (i, x) in inputs.iter().enumerate() {
            scope.values.push((format!("x{i}"), x.ty));
        }
        let deep = matches!(kind, Kind::Deep | Kind::DeepFaulty);
        let body = self.body(scope, |b| {
            for (i, x) in inputs.iter().enumerate() {
                b.line(format!("{} const x{i} = __VERIFIER_nondet_{}();", x.ty.name, x.ty.nondet));
                if let Some(m) = x.most {
                    let low = if x.ty.signed { format!("x{i} >= 0 && ") } else { String::new() };
                    b.line(format!("__VERIFIER_assume({low}x{i} <= {m});"));
                }
            }
            b.line("//@inputs");
            for _ in 0..2 + b.m.below(2) {
                b.scalar();
            }
            for what in 0..6 {
                if b.m.chance(if deep { 30 } else { 50 }) {
                    match what {
                        0 => b.array(),
                        1 => b.record(),
                        2 => b.union(),
                        3 => b.float(),
                        _ => b.pointer(),
                    }
                }
            }
            if deep {
                deep_loop(b, kind, inputs, vectors);
            } else {
                b.reads = 3;
                let n = 4 + b.m.below(6);
                let at = b.m.below(n);
                for i in 0..n {
                    if kind == Kind::Faulty && i == at {
                        fault::insert(b, inputs, vectors, false);
                    }
                    b.statement(2);
                }
            }
            b.mix_all();
            b.line("//@end");
            b.line("return 0;");
        });
        let mut out = vec!["int main(void)".to_string(), "{".into()];
        out.extend(body);
        out.push("}".into());
        out
    }
}

/// Statements `n` times, where `n` is the first input.
fn deep_loop(b: &mut Body<'_>, kind: Kind, inputs: &[Input], vectors: &[Vec<u64>]) {
    b.line("u32 digest = 0;");
    let early = b.m.chance(30).then(|| b.m.condition(1));
    b.open("for (u32 it = 0; it < x0; it++) ");
    if b.m.chance(70) {
        b.m.scope.values.push(("it".into(), INTS[5]));
    }
    b.heap = b.m.chance(40);
    let n = 1 + b.m.below(3);
    for _ in 0..n {
        b.statement(1);
    }
    if kind == Kind::DeepFaulty {
        fault::insert(b, inputs, vectors, true);
    }
    let e = b.m.expr(2);
    b.line(format!("digest = (u16)({e});"));
    if let Some(c) = early {
        b.line(format!("if (it > 50 && ({c})) break;"));
    }
    b.line("//@step");
    b.m.scope.values.retain(|v| v.0 != "it");
    b.close("");
    b.line("mix(digest);");
}
