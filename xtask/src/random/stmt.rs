//! Statements: assignments through every kind of place, control flow of every kind, calls, copies, allocation. They keep
//! what [`super::expr`] relies on: pointers of the scope always point to live elements, counters end every loop.

use super::expr::{Array, INTS, Int, MEMBERS, Maker, Place, Pointer, Scope};

/// A function that can be called.
#[derive(Clone, Debug)]
pub enum Func {
    /// Integers to an integer.
    Value { name: String, ret: Int, params: Vec<Int> },
    /// `void f(T *out, u32 x)`.
    Out { name: String, ty: Int },
    /// `struct rec f(struct rec r, u32 x)`.
    Record(String),
    /// `void f(struct rec *r, u32 x)`.
    RecordPointer(String),
    /// `u32 f(u32 n, u32 x)`: n calls of itself.
    Recursive(String),
    /// `T *f(T *a, T *b, u32 c)`: one of the two.
    Select { name: String, ty: Int },
    /// Two functions `u32 (u32, u32)`.
    Table(String),
}

/// Writes a function's body.
pub struct Body<'r> {
    pub m: Maker<'r>,
    pub out: Vec<String>,
    pub funcs: Vec<Func>,
    indent: usize,
    depth: u32,
    fresh: &'r mut u32,
    /// Loops around, and whether `break` and `continue` concern one.
    loops: u32,
    in_switch: bool,
    /// Reads of inputs that may still be placed here, outside of loops.
    pub reads: u32,
    pub heap: bool,
}

impl<'r> Body<'r> {
    pub fn new(m: Maker<'r>, funcs: Vec<Func>, fresh: &'r mut u32) -> Body<'r> {
        Body { m, out: Vec::new(), funcs, indent: 1, depth: 1, fresh, loops: 0, in_switch: false, reads: 0, heap: true }
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        self.out.push(format!("{}{}", "    ".repeat(self.indent), text.as_ref()));
    }

    pub fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{}{{", text.as_ref()));
        self.indent += 1;
        self.depth += 1;
    }

    pub fn close(&mut self, text: impl AsRef<str>) {
        self.indent -= 1;
        self.depth -= 1;
        self.line(format!("}}{}", text.as_ref()));
    }

    pub fn name(&mut self, letter: &str) -> String {
        *self.fresh += 1;
        format!("{letter}_{}", self.fresh)
    }

    /// What is in scope now, to come back to it.
    fn scoped(&mut self, f: impl FnOnce(&mut Self)) {
        let old: Scope = self.m.scope.clone();
        f(self);
        self.m.scope = old;
    }

    /// A variable, in scope from here.
    pub fn scalar(&mut self) {
        let ty = self.m.ty();
        let e = self.m.expr(2);
        let name = self.name("v");
        self.line(format!("{} {name} = {e};", ty.name));
        let depth = self.depth;
        self.m.scope.places.push(Place { text: name, ty, depth, addressable: true });
    }

    /// An array of the frame, in scope from here.
    pub fn array(&mut self) {
        let ty = INTS[self.m.below(8)];
        let log = 1 + self.m.below(3) as u32;
        let n = 1usize << log;
        let name = self.name("a");
        match self.m.below(3) {
            0 => self.line(format!("{} {name}[{n}] = {{0}};", ty.name)),
            1 => {
                let items: Vec<String> =
                    (0..n).map(|_| self.m.expr(1)).map(|e| format!("({})({e})", ty.name)).collect();
                self.line(format!("{} {name}[{n}] = {{{}}};", ty.name, items.join(", ")));
            }
            _ => {
                let e = self.m.expr(1);
                self.line(format!("{} {name}[{n}];", ty.name));
                let i = self.name("i");
                self.line(format!("for (u32 {i} = 0; {i} < {n}; {i}++) {name}[{i}] = ({})(({e}) ^ {i});", ty.name));
            }
        }
        let depth = self.depth;
        self.m.scope.arrays.push(Array { name, ty, log, depth });
    }

    /// A pointer, in scope from here.
    pub fn pointer(&mut self) {
        let log = if self.m.chance(35) { 1 + self.m.below(2) as u32 } else { 0 };
        for _ in 0..6 {
            let ty = self.m.ty();
            let depth = self.depth;
            if let Some(a) = self.m.address(ty, log, depth) {
                let name = self.name("p");
                self.line(format!("{} *{name} = {a};", ty.name));
                self.m.scope.pointers.push(Pointer { name, ty, log, depth });
                return;
            }
        }
    }

    pub fn record(&mut self) {
        let name = self.name("r");
        let e = self.m.expr(1);
        self.line(format!("struct rec {name} = {{1, (u32)({e}), 3, {{4, -5}}, {{6, 7, 8}}, 2, -1, 99, -12}};"));
        let depth = self.depth;
        self.m.scope.records.push((name, depth));
    }

    pub fn union(&mut self) {
        let name = self.name("u");
        let e = self.m.expr(1);
        self.line(format!("union pun {name} = {{(u64)({e})}};"));
        let depth = self.depth;
        self.m.scope.unions.push((name, depth));
    }

    pub fn float(&mut self) {
        let name = self.name("f");
        let value = self.float_value();
        self.line(format!("float {name} = {value};"));
        self.m.scope.floats.push(name);
    }

    /// Finite, and within what an int holds.
    fn float_value(&mut self) -> String {
        let (a, b) = (self.m.expr(1), self.m.expr(1));
        match self.m.below(4) {
            0 => format!("(float)(i16)({a})"),
            1 => format!("(float)(i16)({a}) + 0.5f"),
            2 => format!("(float)(i8)({a}) * 0.25f"),
            _ => format!("(float)(i8)({a}) - (float)(u16)({b})"),
        }
    }

    /// Some statements in a block of their own, with its own variables.
    fn block(&mut self, n: usize, depth: u32) {
        self.scoped(|b| {
            if b.m.chance(35) {
                match b.m.below(5) {
                    0 => b.array(),
                    1 => b.pointer(),
                    2 => b.record(),
                    _ => b.scalar(),
                }
            }
            for _ in 0..n {
                b.statement(depth);
            }
        });
    }

    /// One statement; `depth` bounds those inside it.
    pub fn statement(&mut self, depth: u32) {
        match self.m.below(if depth == 0 { 17 } else { 29 }) {
            0..=4 => self.assign(),
            5 => self.compound(),
            6 => self.copy(),
            7 => self.point(),
            8 => {
                let e = self.m.expr(2);
                self.line(format!("mix({e});"));
            }
            9 | 10 => self.call(),
            11 => self.library(),
            12 => self.union_or_float(),
            13 if self.loops > 0 && !self.in_switch => {
                let c = self.m.condition(1);
                let what = if self.m.chance(60) { "break" } else { "continue" };
                self.line(format!("if ({c}) {what};"));
            }
            14 if self.reads > 0 && self.loops == 0 => self.read(),
            13..=15 => self.assign(),
            16 => super::idiom::insert(self),
            17..=18 => self.branch(depth),
            19..=21 => self.repeat(depth),
            22 => self.switch(depth),
            23 => self.jump(depth),
            24 if self.heap => self.allocate(depth),
            25..=27 => super::idiom::insert(self),
            _ => self.nested(depth),
        }
    }

    fn assign(&mut self) {
        let (place, ty, _) = self.m.place();
        let e = self.m.expr(3);
        if self.m.chance(50) {
            self.line(format!("{place} = ({})({e});", ty.name));
        } else {
            self.line(format!("{place} = {e};"));
        }
    }

    fn compound(&mut self) {
        let (place, ty, _) = self.m.place();
        let unsigned = !ty.signed && ty.bits >= 32 && !place.contains(".f");
        let narrow = ty.bits > 1 && ty.bits < 32;
        match self.m.below(4) {
            0 if unsigned || narrow => {
                let op = *self.m.rng.pick(&["++", "--"]);
                self.line(format!("({place}){op};"));
            }
            1 if unsigned => {
                let op = *self.m.rng.pick(&["+=", "-=", "*="]);
                let e = self.m.expr(2);
                self.line(format!("{place} {op} ({})({e});", ty.name));
            }
            1 if narrow => {
                let op = *self.m.rng.pick(&["+=", "-="]);
                let e = self.m.expr(2);
                self.line(format!("{place} {op} (i16)({e});"));
            }
            2 if unsigned => {
                let op = *self.m.rng.pick(&["<<=", ">>="]);
                let e = self.m.expr(1);
                self.line(format!("{place} {op} (u32)({e}) & 31;"));
            }
            _ => {
                let op = *self.m.rng.pick(&["^=", "|=", "&="]);
                let e = self.m.expr(2);
                self.line(format!("{place} {op} {e};"));
            }
        }
    }

    /// Copies of whole records, in the ways there are.
    fn copy(&mut self) {
        let records = self.m.scope.records.clone();
        if records.is_empty() {
            return self.assign();
        }
        let (a, b) = (self.m.rng.pick(&records).0.clone(), self.m.rng.pick(&records).0.clone());
        match self.m.below(5) {
            0 => self.line(format!("memmove(&{a}, &{b}, sizeof(struct rec));")),
            1 if a != b && !a.contains('*') && !b.contains('*') => {
                self.line(format!("memcpy(&{a}, &{b}, sizeof {a});"));
            }
            2 => self.line(format!("{a}.in = {b}.in;")),
            3 => {
                let e = self.m.expr(1);
                let v = self.m.expr(1);
                self.line(format!("{a}.v[(u32)({e}) % 3] = {v};"));
            }
            _ => self.line(format!("{a} = {b};")),
        }
    }

    /// A pointer gets another target; sometimes through a pointer to it.
    fn point(&mut self) {
        if self.m.scope.pointers.is_empty() {
            return self.assign();
        }
        let at = self.m.below(self.m.scope.pointers.len());
        let p = self.m.scope.pointers[at].clone();
        let Some(a) = self.m.address(p.ty, p.log, p.depth) else { return };
        let alike: Vec<Pointer> = self
            .m
            .scope
            .pointers
            .iter()
            .filter(|q| q.ty == p.ty && q.log == p.log && q.depth == p.depth)
            .cloned()
            .collect();
        match self.m.below(4) {
            0 | 1 if alike.len() > 1 => {
                let q = self.m.rng.pick(&alike).name.clone();
                let c = self.m.condition(1);
                let pp = self.name("pp");
                let e = self.m.expr(1);
                self.open("");
                self.line(format!("{} **{pp} = ({c}) ? &{} : &{q};", p.ty.name, p.name));
                self.line(format!("*{pp} = {a};"));
                self.line(format!("**{pp} = {e};"));
                self.close("");
            }
            2 => {
                let c = self.m.condition(1);
                self.line(format!("if ({c}) {} = {a};", p.name));
            }
            _ => self.line(format!("{} = {a};", p.name)),
        }
    }

    fn call(&mut self) {
        if self.funcs.is_empty() {
            return self.assign();
        }
        let funcs = self.funcs.clone();
        let f = self.m.rng.pick(&funcs).clone();
        let t = self.name("t");
        match f {
            Func::Value { name, ret, params } => {
                let args: Vec<String> = params.iter().map(|_| self.m.expr(2)).collect();
                let (place, ..) = self.m.place();
                self.line(format!("{{ {} {t} = {name}({}); {place} = {t}; }}", ret.name, args.join(", ")));
            }
            Func::Out { name, ty } => {
                let depth = self.depth;
                let e = self.m.expr(2);
                if let Some(a) = self.m.address(ty, 0, depth) {
                    self.line(format!("{name}({a}, {e});"));
                }
            }
            Func::Record(name) | Func::RecordPointer(name) if self.m.scope.records.is_empty() => {
                let _ = name;
                self.assign();
            }
            Func::Record(name) => {
                let records = self.m.scope.records.clone();
                let (a, b) = (self.m.rng.pick(&records).0.clone(), self.m.rng.pick(&records).0.clone());
                let e = self.m.expr(1);
                self.line(format!("{a} = {name}({b}, {e});"));
            }
            Func::RecordPointer(name) => {
                let records = self.m.scope.records.clone();
                let a = self.m.rng.pick(&records).0.clone();
                let e = self.m.expr(1);
                self.line(format!("{name}(&{a}, {e});"));
            }
            Func::Recursive(name) => {
                let (n, e) = (self.m.expr(1), self.m.expr(1));
                let (place, ..) = self.m.place();
                let deep = if self.m.chance(20) { 7 } else { 3 };
                self.line(format!("{{ u32 {t} = {name}((u32)({n}) & {deep}, {e}); {place} = {t}; }}"));
            }
            Func::Select { name, ty } => {
                let depth = self.depth;
                let c = self.m.expr(1);
                if let (Some(a), Some(b)) = (self.m.address(ty, 0, depth), self.m.address(ty, 0, depth)) {
                    let e = self.m.expr(2);
                    self.line(format!("{{ {} *{t} = {name}({a}, {b}, {c}); *{t} = {e}; }}", ty.name));
                }
            }
            Func::Table(name) => {
                let (i, a, b) = (self.m.expr(1), self.m.expr(1), self.m.expr(1));
                let (place, ..) = self.m.place();
                self.line(format!("{{ u32 {t} = {name}[(u32)({i}) & 1]({a}, {b}); {place} = {t}; }}"));
            }
        }
    }

    /// Functions of `string.h` on arrays.
    fn library(&mut self) {
        let arrays: Vec<Array> = self.m.scope.arrays.iter().filter(|a| a.ty.bits >= 8).cloned().collect();
        if arrays.is_empty() {
            return self.assign();
        }
        let a = self.m.rng.pick(&arrays).clone();
        let b = self.m.rng.pick(&arrays).clone();
        let log = a.log.min(b.log);
        let e = self.m.expr(1);
        let half = (1u32 << a.log) / 2;
        match self.m.below(8) {
            0 => self.line(format!("memset({}, (u8)({e}), sizeof {0});", a.name)),
            1 => {
                let n = self.m.index(a.log);
                self.line(format!("memset({0}, (u8)({e}), ({n}) * sizeof *{0});", a.name));
            }
            2 if a.name != b.name && a.ty == b.ty => {
                let n = self.m.index(log);
                self.line(format!("memcpy({}, {}, ({n}) * sizeof *{0});", a.name, b.name));
            }
            2 | 3 => {
                let n = self.m.index(a.log);
                let (x, y) = if self.m.chance(50) { (0, 1) } else { (1, 0) };
                // At most all but one element.
                self.line(format!("memmove({0} + {x}, {0} + {y}, ({n}) * sizeof *{0});", a.name));
            }
            4 => {
                let (t, u) = (self.name("t"), self.name("t"));
                let (x, y) = (if half > 0 { half } else { 0 }, half);
                let n = y.max(1) as usize;
                let k = 1 + self.m.below(n);
                self.open("");
                self.line(format!("int {t} = memcmp({0}, {0} + {x}, {k} * sizeof *{0});", a.name));
                self.line(format!("int {u} = ({t} > 0) - ({t} < 0);"));
                self.line(format!("mix({u});"));
                self.close("");
            }
            5 => {
                let (s, at) = (self.name("s"), self.m.index(3));
                let text = *self.m.rng.pick(&["abcdefg", "a", "", "xyz", "hello"]);
                self.open("");
                self.line(format!("char {s}[9] = \"{text}\";"));
                self.line(format!("{s}[{at}] = (char)({e});"));
                self.line(format!("mix(strlen({s}));"));
                let d = self.name("s");
                self.line(format!("char {d}[9] = {{0}};"));
                self.line(format!("strcpy({d}, {s});"));
                let i = self.m.index(3);
                self.line(format!("mix({d}[{i}]);"));
                self.close("");
            }
            6 => {
                let (x, y) = (self.name("x"), self.name("y"));
                let n = 1u32 << a.log;
                self.line(format!(
                    "for ({0} *{x} = {1}, *{y} = {1} + {n}; {x} != {y}; {x}++) mix(*{x});",
                    a.ty.name, a.name
                ));
            }
            _ => {
                let (x, n) = (self.name("x"), 1u32 << a.log);
                let e = self.m.expr(1);
                self.line(format!("for ({0} *{x} = {1} + {n}; {x} > {1};) *--{x} ^= ({0})({e});", a.ty.name, a.name));
            }
        }
    }

    fn union_or_float(&mut self) {
        let unions = self.m.scope.unions.clone();
        let floats = self.m.scope.floats.clone();
        if !floats.is_empty() && (unions.is_empty() || self.m.chance(40)) {
            let f = self.m.rng.pick(&floats).clone();
            let value = self.float_value();
            return self.line(format!("{f} = {value};"));
        }
        if unions.is_empty() {
            return self.assign();
        }
        let (u, v) = (self.m.rng.pick(&unions).0.clone(), self.m.rng.pick(&unions).0.clone());
        match self.m.below(5) {
            0 => self.line(format!("{u} = {v};")),
            1 => {
                let e = self.m.expr(1);
                self.line(format!("{u}.f = (float)(i16)({e});"));
            }
            2 => {
                let e = self.m.expr(1);
                self.line(format!("{u}.d = (double)(i32)({e});"));
            }
            3 => {
                let i = self.m.index(3);
                let e = self.m.expr(1);
                self.line(format!("{u}.b[{i}] = {e};"));
            }
            _ => {
                let i = self.m.index(2);
                self.line(format!("mix({u}.h[{i}]);"));
            }
        }
    }

    /// An input that is read here.
    fn read(&mut self) {
        self.reads -= 1;
        let (place, ty, _) = self.m.place();
        let mask = if ty.signed { 0x7f } else { 0xff };
        self.line(format!("{{ u32 t = next_input(); {place} = ({})(t & {mask}); }}", ty.name));
    }

    fn branch(&mut self, depth: u32) {
        let c = self.m.condition(2);
        let (a, b) = (1 + self.m.below(2), 1 + self.m.below(2));
        self.open(format!("if ({c}) "));
        self.block(a, depth - 1);
        if self.m.chance(50) {
            self.close(" else {");
            self.indent += 1;
            self.depth += 1;
            self.block(b, depth - 1);
        }
        self.close("");
    }

    /// A loop of some form, with a bound that is constant or depends on inputs.
    fn repeat(&mut self, depth: u32) {
        if self.loops >= 2 {
            return self.branch(depth);
        }
        let i = self.name("i");
        let bound = if self.m.chance(50) {
            (1 + self.m.below(5)).to_string()
        } else {
            let e = self.m.expr(1);
            let mask = *self.m.rng.pick(&[1, 3, 3, 7]);
            format!("((u32)({e}) & {mask})")
        };
        let n = 1 + self.m.below(3);
        let form = self.m.below(4);
        let bound_name = self.name("n");
        let c = self.m.condition(1);
        match form {
            0 | 1 => {
                self.line(format!("u32 {bound_name} = {bound};"));
                self.open(format!("for (u32 {i} = 0; {i} < {bound_name}; {i}++) "));
            }
            2 => {
                self.line(format!("u8 {i} = 0; u32 {bound_name} = {bound};"));
                self.open(format!("while ({i} < {bound_name} && {c}) "));
                self.line(format!("{i}++;"));
            }
            _ => {
                self.line(format!("i16 {i} = (i16)({bound});"));
                self.open("do ");
            }
        }
        let in_switch = std::mem::replace(&mut self.in_switch, false);
        self.loops += 1;
        self.scoped(|b| {
            let ty = match form {
                0 | 1 => INTS[5],
                2 => INTS[1],
                _ => INTS[2],
            };
            b.m.scope.values.push((i.clone(), ty));
            b.block(n, depth - 1);
        });
        self.loops -= 1;
        self.in_switch = in_switch;
        self.close(if form == 3 { format!(" while (--{i} > 0);") } else { String::new() });
    }

    fn switch(&mut self, depth: u32) {
        let e = self.m.expr(2);
        let in_switch = std::mem::replace(&mut self.in_switch, true);
        self.open(format!("switch ((u32)({e}) & 7) "));
        let start = self.m.below(3);
        for k in 0..2 + self.m.below(3) {
            self.line(format!("case {}: ;", start + k));
            self.open("");
            self.block(1, depth - 1);
            self.close("");
            if self.m.chance(65) {
                self.line("break;");
            }
        }
        if self.m.chance(60) {
            self.line("default: ;");
            self.open("");
            self.block(1, depth - 1);
            self.close("");
        }
        self.close("");
        self.in_switch = in_switch;
    }

    /// `goto`, forwards or backwards.
    fn jump(&mut self, depth: u32) {
        let label = self.name("L");
        let c = self.m.condition(1);
        if self.m.chance(50) || self.loops >= 2 {
            self.line(format!("if ({c}) goto {label};"));
            self.open("");
            self.block(2, depth - 1);
            self.close("");
            self.line(format!("{label}: ;"));
            return;
        }
        let (n, bound) = (self.name("n"), 1 + self.m.below(3));
        self.open("");
        self.line(format!("u8 {n} = 0;"));
        self.line(format!("{label}: ;"));
        let in_switch = std::mem::replace(&mut self.in_switch, true);
        self.loops += 1;
        self.open("");
        self.block(2, depth - 1);
        self.close("");
        self.loops -= 1;
        self.in_switch = in_switch;
        self.line(format!("if ({n}++ < {bound} && {c}) goto {label};"));
        self.close("");
    }

    /// Memory from the heap, used in a block and freed at its end.
    fn allocate(&mut self, depth: u32) {
        if self.loops > 0 && self.m.chance(50) {
            return self.list();
        }
        let ty = INTS[self.m.below(8)];
        let log = 1 + self.m.below(2) as u32;
        let n = 1u32 << log;
        let h = self.name("h");
        let i = self.name("i");
        self.open("");
        match self.m.below(3) {
            0 => {
                self.line(format!("{0} *{h} = malloc({n} * sizeof({0}));", ty.name));
                self.line(format!("if (!{h}) abort();"));
                let e = self.m.expr(1);
                self.line(format!("for (u32 {i} = 0; {i} < {n}; {i}++) {h}[{i}] = ({})(({e}) + (u32){i});", ty.name));
            }
            1 => {
                self.line(format!("{0} *{h} = calloc({n}, sizeof({0}));", ty.name));
                self.line(format!("if (!{h}) abort();"));
            }
            _ => {
                let (e, k) = (self.m.expr(1), self.m.expr(1));
                self.line(format!("{0} *{h} = calloc(1 + ((u32)({k}) & 3), sizeof({0}));", ty.name));
                self.line(format!("if (!{h}) abort();"));
                self.line(format!("{h}[0] = {e};"));
                let t = self.name("t");
                self.line(format!("{0} *{t} = realloc({h}, {n} * sizeof({0}));", ty.name));
                self.line(format!("if (!{t}) abort();"));
                self.line(format!("{h} = {t};"));
                self.line(format!("for (u32 {i} = 1; {i} < {n}; {i}++) {h}[{i}] = ({})({i});", ty.name));
            }
        }
        let in_switch = std::mem::replace(&mut self.in_switch, true);
        self.scoped(|b| {
            let d = b.depth;
            b.m.scope.pointers.push(Pointer { name: h.clone(), ty, log, depth: d });
            b.block(3, depth - 1);
        });
        self.in_switch = in_switch;
        self.line(format!("free({h}_of);"));
        self.close("");
        self.keep_start(&h);
    }

    /// The start of an allocation is kept under another name, to free it: `h` itself may be set anew.
    fn keep_start(&mut self, h: &str) {
        let start = self.out.iter().position(|l| l.contains(&format!("*{h} = "))).expect("just declared");
        // After the last line that sets it up: the loop or the check for null.
        let setup = self.out[start..]
            .iter()
            .take(8)
            .rposition(|l| l.contains(&format!("if (!{h}) abort")) || l.contains(&format!("    {h} = t")))
            .expect("checked for null");
        let pad: String = self.out[start].chars().take_while(|c| *c == ' ').collect();
        self.out.insert(start + setup + 1, format!("{pad}void *{h}_of = {h};"));
    }

    /// A list is made, walked and freed.
    fn list(&mut self) {
        let (l, n, x) = (self.name("l"), self.name("n"), self.name("x"));
        let (bound, e) = (self.m.expr(1), self.m.expr(1));
        let c = self.m.condition(1);
        self.open("");
        self.line(format!("struct node *{l} = 0;"));
        self.open(format!("for (u32 {n} = 0; {n} < ((u32)({bound}) & 3); {n}++) "));
        self.line(format!("struct node *{x} = malloc(sizeof *{x});"));
        self.line(format!("if (!{x}) abort();"));
        self.line(format!("{x}->value = (u16)(({e}) + {n}); {x}->next = {l}; {l} = {x};"));
        self.close("");
        self.line(format!("if ({l} && ({c})) {l}->value ^= 5;"));
        self.open(format!("while ({l}) "));
        self.line(format!("struct node *{x} = {l}->next; mix({l}->value); free({l}); {l} = {x};"));
        self.close("");
        self.close("");
    }

    fn nested(&mut self, depth: u32) {
        self.open("");
        self.block(3, depth - 1);
        self.close("");
    }

    /// All of an object goes into the sum.
    pub fn mix_all(&mut self) {
        let s = self.m.scope.clone();
        for p in &s.places {
            self.line(format!("mix({});", p.text));
        }
        for a in &s.arrays {
            let i = self.name("i");
            self.line(format!("for (u32 {i} = 0; {i} < {}; {i}++) mix({}[{i}]);", 1u32 << a.log, a.name));
        }
        for (r, _) in &s.records {
            let all: Vec<String> = MEMBERS.iter().map(|m| format!("mix({r}.{});", m.0)).collect();
            self.line(all.join(" "));
        }
        for (u, _) in &s.unions {
            self.line(format!("mix({u}.q);"));
        }
        for p in &s.pointers {
            self.line(format!("mix(*{});", p.name));
        }
        for f in &s.floats {
            self.line(format!("mix(bits_of({f}));"));
        }
    }
}
