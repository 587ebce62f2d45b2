//! Random C functions for the oracle of the encoding: integers of all widths, arrays, structs with bit-fields, unions,
//! pointers to all of them, pointers as numbers and as bytes, copies of constant and variable length, the heap, loops
//! with bounds from outside, calls, function pointers, recursion. Most operations keep clear of undefined behaviour;
//! some do not: then the interpreter fails a check, and the formula has to know of it.

use crate::sh::Rng;
use std::fmt::Write;

const INTS: &[(&str, &str)] = &[
    ("signed char", "char"),
    ("unsigned char", "uchar"),
    ("short", "short"),
    ("unsigned short", "ushort"),
    ("int", "int"),
    ("unsigned", "uint"),
    ("long", "long"),
    ("unsigned long", "ulong"),
    ("_Bool", "bool"),
];

/// What stands before the functions.
const PRELUDE: &str = "\
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern signed char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
struct S { int i; signed char c; unsigned short h; unsigned b1 : 3; int b2 : 7; unsigned long b3 : 33; int a[4]; int *p; long l; };
struct P { short x; int y; };
struct B { long v[5]; int *q; };
union U { unsigned w; unsigned char b[8]; float f; unsigned long l; short h[4]; double d; int *p; };
struct N { struct N *next; int v; };
typedef int (*fn)(int, int *);
static int order(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
static int several(int n, ...)
{
    va_list l;
    int s = 0;
    va_start(l, n);
    for (int i = 0; i < n; i++)
        s += va_arg(l, int);
    va_end(l);
    return s;
}
";

/// A C file with `n` functions `t0`, `t1`, ...
pub fn file(rng: &mut Rng, n: usize) -> String {
    let mut out = PRELUDE.to_string();
    for k in 0..n {
        Gen { rng, out: &mut out, k, depth: 0, budget: 0, locals: Vec::new(), loops: 0, labels: 0 }.function();
    }
    out
}

struct Gen<'a> {
    rng: &'a mut Rng,
    out: &'a mut String,
    k: usize,
    depth: usize,
    /// Statements left.
    budget: usize,
    /// Names of integer variables in scope.
    locals: Vec<String>,
    loops: usize,
    labels: usize,
}

impl Gen<'_> {
    fn one_in(&mut self, n: usize) -> bool {
        self.rng.below(n) == 0
    }

    fn line(&mut self, text: &str) {
        let pad = "    ".repeat(self.depth + 1);
        let _ = writeln!(self.out, "{pad}{text}");
    }

    fn int_type(&mut self) -> &'static str {
        self.rng.pick(INTS).0
    }

    fn literal(&mut self) -> String {
        match self.rng.below(8) {
            0..=4 => (self.rng.below(12) as i64 - 3).to_string(),
            5 => self.rng.below(300).to_string(),
            6 => (*self.rng.pick(&["2147483647", "(-2147483647 - 1)", "65535u", "0x80000000u", "127", "255"]))
                .to_string(),
            _ => format!("{}ul", self.rng.next() >> self.rng.below(60)),
        }
    }

    /// An index below `n`, mostly.
    fn index(&mut self, n: usize) -> String {
        match self.rng.below(24) {
            0..=7 => self.rng.below(n).to_string(),
            8 => self.expr(1),
            _ => format!("(unsigned)({}) % {n}u", self.expr(1)),
        }
    }

    /// An integer that can be assigned to.
    fn place(&mut self) -> String {
        let k = self.k;
        match self.rng.below(30) {
            0..=8 => {
                let i = self.rng.below(self.locals.len());
                self.locals[i].clone()
            }
            9..=11 => format!("ar[{}]", self.index(6)),
            12 => format!("big[{}]", self.index(40)),
            13..=14 => {
                (*self.rng.pick(&["s.i", "s.c", "s.h", "s.b1", "s.b2", "s.b3", "s.l", "t.i", "t.b2"])).to_string()
            }
            15 => format!("s.a[{}]", self.index(4)),
            16 => (*self.rng.pick(&["u.w", "u.l", "u.b[1]", "u.h[2]"])).to_string(),
            17 => format!("u.b[{}]", self.index(8)),
            18..=20 => "*p".into(),
            21 => format!("p[{}]", self.rng.below(2)),
            22 => "**pp".into(),
            23 => format!("g{}", k),
            24 => format!("ga{}[{}]", k, self.index(5)),
            25 => format!("*ap[{}]", self.index(3)),
            26 => format!("m[{}][{}]", self.index(3), self.index(3)),
            27 => (*self.rng.pick(&["sp->i", "sp->c", "sp->a[1]", "sp->b2", "sp->l"])).to_string(),
            28 => format!("ss[{}].y", self.index(3)),
            _ => format!("cb[{}]", self.index(12)),
        }
    }

    fn expr(&mut self, depth: usize) -> String {
        let k = self.k;
        if depth == 0 || self.one_in(4) {
            return match self.rng.below(5) {
                0 | 1 => self.literal(),
                _ => self.place(),
            };
        }
        let d = depth - 1;
        match self.rng.below(26) {
            0..=3 => format!("({} {} {})", self.expr(d), self.rng.pick(&["+", "-", "*"]), self.expr(d)),
            4..=6 => {
                let (a, b) = (self.expr(d), self.expr(d));
                format!("(unsigned)({a}) {} (unsigned)({b})", self.rng.pick(&["+", "-", "*", "^", "|", "&"]))
            }
            7 => format!(
                "((int)(({}) & 0xff) {} (int)(({}) & 0xfff))",
                self.expr(d),
                self.rng.pick(&["+", "-", "*"]),
                self.expr(d)
            ),
            8 => format!("(({}) {} ((({}) & 7) + 1))", self.expr(d), self.rng.pick(&["/", "%"]), self.expr(d)),
            9 if self.one_in(3) => format!("(({}) {} ({}))", self.expr(d), self.rng.pick(&["/", "%"]), self.expr(d)),
            10 => format!(
                "((unsigned long)({}) {} (({}) & 31))",
                self.expr(d),
                self.rng.pick(&["<<", ">>"]),
                self.expr(d)
            ),
            11 => format!("((int)({}) >> (({}) & 15))", self.expr(d), self.expr(d)),
            12 if self.one_in(2) => format!("(({}) << ({}))", self.expr(d), self.expr(d)),
            13..=15 => format!("(({})({}))", self.int_type(), self.expr(d)),
            16 | 17 => {
                let op = *self.rng.pick(&["<", "<=", "==", "!=", ">", ">=", "&&", "||"]);
                format!("({} {op} {})", self.expr(d), self.expr(d))
            }
            18 => format!("(({}) ? ({}) : ({}))", self.expr(d), self.expr(d), self.expr(d)),
            19 => format!("{}({})", self.rng.pick(&["~", "!", "-(signed char)"]), self.expr(d)),
            20 => format!("f{}_{}({}, p)", k, self.rng.below(3), self.expr(d)),
            21 => format!("r{}(({}) & 3)", k, self.expr(d)),
            22 => (*self.rng.pick(&[
                "(p - ar)",
                "(p == ar)",
                "(p < ar + 3)",
                "(sp == &s)",
                "(h == 0)",
                "(*pp == p)",
                "((uintptr_t)p & 3)",
            ]))
            .into(),
            23 => format!("tab{}[{}]({}, &ar[1])", k, self.index(3), self.expr(d)),
            24 if self.one_in(2) => format!("(int)((__int128)({}) * ({}) >> 5)", self.expr(d), self.expr(d)),
            25 if self.one_in(2) => {
                format!("__builtin_{}(({}) | 1)", self.rng.pick(&["ctz", "clz", "popcount", "bswap32"]), self.expr(d))
            }
            _ => format!("({} ^ {})", self.expr(d), self.expr(d)),
        }
    }

    /// The address of an `int`.
    fn pointer(&mut self) -> String {
        let k = self.k;
        match self.rng.below(18) {
            0..=2 => format!("&ar[{}]", self.index(6)),
            3 => format!("ar + {}", self.rng.below(7)),
            4 => "&s.i".into(),
            5 => format!("&s.a[{}]", self.index(4)),
            6 => format!("&g{}", k),
            7 => format!("&ga{}[{}]", k, self.index(5)),
            8 => "&x".into(),
            9 => "*pp".into(),
            10 => format!("ap[{}]", self.index(3)),
            11 => format!("(({}) & 1 ? &x : &y)", self.expr(1)),
            12 => "h ? h : &x".into(),
            13 => format!("&m[{}][1]", self.index(3)),
            14 => format!("&ss[{}].y", self.index(3)),
            15 if self.one_in(3) => "0".into(),
            16 => "sp->p ? sp->p : &y".into(),
            _ => "p".into(),
        }
    }

    fn block(&mut self, n: usize) {
        self.depth += 1;
        let known = self.locals.len();
        for _ in 0..n {
            self.statement();
        }
        self.locals.truncate(known);
        self.depth -= 1;
    }

    fn fresh(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn statement(&mut self) {
        let k = self.k;
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let deep = self.depth >= 3;
        match self.rng.below(62) {
            // Sizes that are made where nothing is: just below all that there is.
            56 => {
                let e = self.expr(1);
                self.line(&format!(
                    "{{ int k = ({e}) % 300; if (k > 0) {{ char *q = malloc((size_t)(k - 1) * 8); bits ^= (uintptr_t)q & 7; free(q); }} }}"
                ));
            }
            // More than any result can say, too.
            57 => {
                let e = self.expr(1);
                self.line(&format!("{{ int k = {e}; if (k < 12) x ^= (int)read(0, cb, (size_t)k) & 1; }}"));
            }
            // Sizes from outside, those that are no sizes included.
            58 | 59 => {
                let (e, f) = (self.expr(1), self.expr(1));
                let t = match self.rng.below(9) {
                    0 => {
                        "if (k > 0 && k < 30) { int vl[k]; vl[k - 1] = k; vl[0] = 3; x += vl[k / 2 == 0 ? 0 : k - 1]; }"
                    }
                    1 => {
                        "if (k < 20) { int vl[k > 0 ? k : 1]; for (int j = 0; j < k; j++) vl[j] = j; if (k > 2) x += vl[k - 2]; }"
                    }
                    2 => "char *q = calloc((size_t)k, 1ul << 62); if (q) { x += 5; free(q); }",
                    3 => "char *q = calloc((size_t)k & 7, 3); if (q) { if (k & 7) x += q[(k & 7) * 3 - 1]; free(q); }",
                    4 => {
                        "char *q = malloc(4); if (q) { q[0] = 7; char *r = realloc(q, (size_t)(k % 9)); if (r) { if (k % 9 > 0) x += r[0]; free(r); } else if (k % 9 != 0) free(q); }"
                    }
                    5 => "if (k < 13) memset(cb, 7, (size_t)k);",
                    6 => "if (k < 13) memmove(cb, big + 3, (size_t)k);",
                    7 => "if (k < 13) x += memcmp(cb, big, (size_t)(k < -3 ? 0 : k)) == 0;",
                    _ => "unsigned char *q = __builtin_alloca((size_t)(k & 15) + 1); q[k & 15] = 9; x += q[k & 15];",
                };
                self.line(&format!("{{ int k = {e} ^ (({f}) & 3); {t} }}"));
            }
            // The library.
            60 => {
                let e = self.expr(1);
                let t = match self.rng.below(8) {
                    0 => "if (sscanf(\"12 ab\", \"%d %3s\", &k, (char *)cb) == 2) x += k;",
                    1 => "char text[8]; x += snprintf(text, sizeof text, \"%d\", k); x ^= text[0];",
                    2 => "char text[4]; strncpy(text, \"abcdef\", (size_t)k & 3); if (k & 3) x += text[0];",
                    3 => "char *q = strchr(\"hello\", 'a' + (k & 15)); x += q ? *q : 1;",
                    4 => "char *q = strdup(\"xy\"); if (q) { q[1] = (char)k; x += (int)strlen(q); free(q); }",
                    5 => "qsort(ar, 6, sizeof *ar, order); x += ar[0] <= ar[5];",
                    6 => "x += atoi(k & 1 ? \"31\" : \"-4\") + abs(k % 7);",
                    _ => "x += several(k & 3, 1, 2, 3, 4);",
                };
                self.line(&format!("{{ int k = {e}; {t} }}"));
            }
            61 => {
                let (a, b) = (self.pointer(), self.pointer());
                self.line(&format!("if (({a}) == ({b})) x += 1; if ((uintptr_t)({a}) % 4 != 0) x += 3;"));
            }
            0..=9 => {
                let (a, b) = (self.place(), self.expr(2));
                let op = *self.rng.pick(&["=", "=", "=", "+=", "^=", "|=", "-="]);
                self.line(&format!("{a} {op} {b};"));
            }
            10..=13 => {
                let p = self.pointer();
                self.line(&format!("p = {p};"));
            }
            14 => {
                let t = *self.rng.pick(&["p++;", "p--;", "p += 2;", "p = p + 1 - 1;", "++*p;"]);
                self.line(t);
            }
            15 => {
                let (i, p) = (self.index(3), self.pointer());
                self.line(&format!("ap[{i}] = {p};"));
            }
            16 => {
                let i = self.index(3);
                let t = match self.rng.below(4) {
                    0 => "pp = &p;".to_string(),
                    1 => format!("pp = &ap[{i}];"),
                    2 => "pp = &s.p; if (!*pp) *pp = &x;".into(),
                    _ => format!("*pp = &ar[{i}];"),
                };
                self.line(&t);
            }
            17 => {
                // Bytes of anything.
                let what = *self.rng.pick(&["s", "u", "ar", "p", "ap", "m", "x", "t", "big"]);
                let (i, e) = (self.expr(1), self.expr(1));
                if self.one_in(2) {
                    self.line(&format!("((unsigned char *)&{what})[(unsigned)({i}) % sizeof {what}] = {e};"));
                } else {
                    self.line(&format!("x ^= ((unsigned char *)&{what})[(unsigned)({i}) % sizeof {what}];"));
                }
            }
            18 => {
                let (a, b) =
                    *self.rng.pick(&[("s", "t"), ("t", "s"), ("*sp", "t"), ("t", "*sp"), ("s", "*sp"), ("u", "w")]);
                self.line(&format!("{a} = {b};"));
            }
            19..=20 => {
                // Copies.
                let t = match self.rng.below(9) {
                    0 => "memcpy(&t, &s, sizeof s);".to_string(),
                    1 => format!("memcpy(cb, &s, {});", self.rng.below(13)),
                    2 => format!("memcpy(&ar[1], &s.a, {});", 4 * self.rng.below(5)),
                    3 => format!(
                        "memmove(ar + {}, ar + {}, ({}) & 12);",
                        self.rng.below(3),
                        self.rng.below(3),
                        self.expr(1)
                    ),
                    4 => format!("memcpy(cb, big + {}, (unsigned)({}) % 13u);", self.rng.below(20), self.expr(1)),
                    5 => format!("memcpy(&ap[0], &ap[{}], sizeof ap[0]);", 1 + self.rng.below(2)),
                    6 => format!("memcpy(&w, ar, {});", self.rng.below(9)),
                    7 => format!(
                        "memmove((char *)ar + ((unsigned)({}) % 8u), cb, ({}) & 7);",
                        self.expr(1),
                        self.expr(1)
                    ),
                    _ => "memcpy(&p, &ap[1], sizeof p);".into(),
                };
                self.line(&t);
            }
            21 => {
                let t = match self.rng.below(5) {
                    0 => "memset(&t, 0, sizeof t);".to_string(),
                    1 => format!("memset(ar, {}, 4 * {});", self.expr(1), self.rng.below(7)),
                    2 => format!("memset(cb + {}, 1, ({}) & 7);", self.rng.below(5), self.expr(1)),
                    3 => "memset(big, 0, sizeof big);".into(),
                    _ => format!("memset(big + ((unsigned)({}) % 9u), {}, 5);", self.expr(1), self.literal()),
                };
                self.line(&t);
            }
            22..=24 => {
                // Pointers as numbers.
                let t = match self.rng.below(6) {
                    0 => "bits = (uintptr_t)p; p = (int *)bits;".to_string(),
                    1 => "bits = (uintptr_t)p ^ 0x5555; p = (int *)(bits ^ 0x5555);".into(),
                    2 => "bits = (uintptr_t)p | 1; if (bits & 1) p = (int *)(bits & ~(uintptr_t)1);".into(),
                    3 => "bits = (uintptr_t)ar + 4; p = (int *)bits;".into(),
                    4 => "{ char *q = (char *)p; q += 4; q -= 4; p = (int *)q; }".into(),
                    _ => "{ unsigned char raw[sizeof p]; for (unsigned j = 0; j < sizeof p; j++) raw[j] = ((unsigned char *)&p)[j]; memcpy(&p, raw, sizeof p); }".into(),
                };
                self.line(&t);
            }
            25..=28 => {
                let n = 1 + self.rng.below(5);
                let (e, i) = (self.expr(1), self.rng.below(n));
                let t = match self.rng.below(9) {
                    0 | 1 => format!(
                        "if (!h) {{ h = malloc({n} * sizeof *h); if (h) {{ for (int j = 0; j < {n}; j++) h[j] = j; hn = {n}; }} }}"
                    ),
                    2 => format!("if (!h) {{ h = calloc({n}, sizeof *h); hn = h ? {n} : 0; }}"),
                    3 | 4 => format!("if (h && hn > {i}) {{ h[{i}] = {e}; p = h; }}"),
                    5 => "free(h); h = 0; hn = 0;".into(),
                    6 => format!(
                        "if (h) {{ int *q = realloc(h, (hn + {i} + 1) * sizeof *h); if (q) {{ if (p == h) p = &x; h = q; h[hn] = {e}; hn++; }} }}"
                    ),
                    7 if self.one_in(3) => "free(h);".into(),
                    _ => format!("if (h && hn) x += h[(unsigned)({e}) % hn];"),
                };
                self.line(&t);
            }
            29 => {
                let e = self.expr(1);
                let t = match self.rng.below(3) {
                    0 => format!(
                        "{{ struct N *n = malloc(sizeof *n); if (n) {{ n->v = {e}; n->next = head; head = n; }} }}"
                    ),
                    1 => "for (struct N *n = head; n; n = n->next) x ^= n->v;".into(),
                    _ => "if (head) { struct N *n = head; head = n->next; x += n->v & 15; free(n); }".into(),
                };
                self.line(&t);
            }
            30..=33 if !deep => {
                let c = self.expr(2);
                self.line(&format!("if ({c}) {{"));
                let n = 1 + self.rng.below(3);
                self.block(n);
                if self.one_in(2) {
                    self.line("} else {");
                    let n = 1 + self.rng.below(2);
                    self.block(n);
                }
                self.line("}");
            }
            34..=38 if !deep && self.loops < 3 => {
                self.loops += 1;
                let i = self.fresh();
                let bound = match self.rng.below(3) {
                    0 => (1 + self.rng.below(6)).to_string(),
                    _ => format!("(unsigned)({}) % {}u", self.expr(1), 2 + self.rng.below(6)),
                };
                let head = match self.rng.below(4) {
                    0 | 1 => format!("for (unsigned i{i} = 0, n{i} = {bound}; i{i} < n{i}; i{i}++) {{"),
                    2 => format!("unsigned i{i} = 0, n{i} = {bound}; while (i{i}++ < n{i}) {{"),
                    _ => format!("unsigned i{i} = 0, n{i} = {bound}; do {{"),
                };
                let post = head.ends_with("do {");
                self.line(&head);
                self.locals.push(format!("i{i}"));
                if self.one_in(2) {
                    self.locals.pop();
                    self.depth += 1;
                    self.line(&format!("ar[i{i} % 6] += (int)(i{i});"));
                    self.depth -= 1;
                } else {
                    // Read only, lest it never end.
                    self.locals.pop();
                }
                let n = 1 + self.rng.below(3);
                self.block(n);
                if self.one_in(4) {
                    let c = self.expr(1);
                    let t = *self.rng.pick(&["break", "continue"]);
                    let t = if post { "break" } else { t };
                    self.depth += 1;
                    self.line(&format!("if ({c}) {t};"));
                    self.depth -= 1;
                }
                self.line(&if post { format!("}} while (++i{i} < n{i});") } else { "}".into() });
                self.loops -= 1;
            }
            39 if !deep => {
                let e = self.expr(1);
                self.line(&format!("switch (({e}) & 3) {{"));
                for c in 0..3 {
                    self.line(&format!("case {c}:"));
                    self.block(1);
                    if self.one_in(2) {
                        self.line("    break;");
                    }
                }
                self.line("default: x++;");
                self.line("}");
            }
            40..=41 => {
                let (a, e) = (self.place(), self.expr(1));
                let p = self.pointer();
                let c = self.rng.below(3);
                let t = match self.rng.below(4) {
                    0 => format!("{a} = f{}_{c}({e}, {p});", k),
                    1 => format!("fp = ({e}) & 1 ? f{}_0 : f{}_1;", k, k),
                    2 => format!("{a} = fp({e}, {p});"),
                    _ => format!("{{ struct P z = sv{}(ss[{}], {e}); x ^= z.y; }}", k, c),
                };
                self.line(&t);
            }
            52..=55 => {
                let t = self.floating();
                self.line(&t);
            }
            42 => {
                let e = self.expr(1);
                let t = match self.rng.below(5) {
                    0 => format!("fl = (signed char)({e}); x += (int)fl;"),
                    1 => "u.f = fl; x ^= u.w >> 3;".to_string(),
                    2 => "memcpy(&x, &fl, 4);".into(),
                    3 => format!("u.d = (short)({e}) * 0.5; x += u.h[3];"),
                    _ => "if (fl < 3.0f) x++;".into(),
                };
                self.line(&t);
            }
            43 => {
                let t = *self.rng.pick(&[
                    "sp = &s;",
                    "sp = &t;",
                    "sp = x & 1 ? &s : &t;",
                    "s.p = p;",
                    "p = s.p ? s.p : p;",
                    "u.p = p; if (u.p == p) x++;",
                    "u.p = &x; p = u.p;",
                ]);
                self.line(t);
            }
            44 => {
                let i = self.fresh();
                let (t, e) = (self.int_type(), self.expr(1));
                self.line(&format!("{t} l{i} = {e};"));
                self.locals.push(format!("l{i}"));
            }
            45 => {
                let e = self.expr(1);
                let t = match self.rng.below(4) {
                    0 => format!("{{ struct B b = {{ {{ {e}, 2 }}, p }}; x += bv{}(b, 1); }}", k),
                    1 => format!(
                        "{{ unsigned n = (unsigned)({e}) % 4u + 1; int v[n]; for (unsigned j = 0; j < n; j++) v[j] = j; x += v[n - 1]; }}"
                    ),
                    2 => format!(
                        "{{ int z; if (({e}) & 1) z = 3; if (y & 1) x += 1; else z = 2; if (({e}) & 1) x += z; }}"
                    ),
                    _ => "{ int z = 5; int *q = &z; *q += x & 7; pp = &q; x ^= **pp; pp = &p; }".into(),
                };
                self.line(&t);
            }
            46 => {
                let t = *self.rng.pick(&[
                    "x += memcmp(cb, big, 3) != 0;",
                    "cb[11] = 0; x += strlen((char *)cb + 8);",
                    "strcpy((char *)cb, \"abc\"); x += cb[1];",
                    "abort();",
                    "if (x == 77) exit(3);",
                ]);
                self.line(t);
            }
            47 => {
                let t = self.rng.pick(INTS).1;
                let a = self.place();
                self.line(&format!("{a} = __VERIFIER_nondet_{t}();"));
            }
            48 if self.loops == 0 && !deep => {
                let i = self.fresh();
                self.line(&format!("unsigned c{i} = 0;"));
                self.line(&format!("again{i}:;"));
                let n = 1 + self.rng.below(2);
                self.loops += 1;
                self.block(n);
                self.loops -= 1;
                let e = self.expr(1);
                self.line(&format!("if (c{i}++ < 3 && ({e})) goto again{i};"));
            }
            _ => {
                let (a, e) = (self.place(), self.expr(3));
                self.line(&format!("{a} = {e};"));
            }
        }
    }

    /// Arithmetic on the floating-point variables, and what becomes visible of them.
    fn floating(&mut self) -> String {
        let e = self.expr(1);
        let v = *self.rng.pick(&["fl", "fl", "db", "db", "ld"]);
        let w =
            *self.rng.pick(&["fl", "db", "ld", "0.1", "3.0f", "1e30", "-0.0", "0x1p-1040", "16777217.0", "(1.0 / 3)"]);
        let suffix = match v {
            "fl" => "f",
            "db" => "",
            _ => "l",
        };
        match self.rng.below(12) {
            0 | 1 => format!("{v} = {v} {} {w};", self.rng.pick(&["+", "-", "*", "/"])),
            2 => format!("{v} = {w} {} ({e});", self.rng.pick(&["+", "-", "*", "/"])),
            3 => format!("{v} = (int)({e}); {v} /= {w};"),
            4 => format!("{v} = (unsigned long)({e});"),
            5 => {
                let f = *self.rng.pick(&["floor", "ceil", "trunc", "rint", "round", "sqrt", "fabs"]);
                format!("{v} = __builtin_{f}{suffix}({v});")
            }
            6 => format!("{v} = __builtin_fma{suffix}({v}, {w}, {v});"),
            7 => format!(
                "if ({v} > -100 && {v} < 100) x += (int)({v} * 8); else x ^= {v} {} {w};",
                self.rng.pick(&["<", "<=", "==", "!="])
            ),
            8 => format!("x += ({v} {} {w}) + ({v} != {v});", self.rng.pick(&["<", "<=", ">", ">="])),
            9 => "db = fl; ld = db; x += db == fl;".into(),
            10 => "fl = db; db = ld; x += fl != db;".into(),
            _ => "if (fl == fl && db == db) { memcpy(&u.d, &db, 8); x ^= u.h[3] ^ u.h[0]; u.f = fl; x += u.w & 1023; }"
                .into(),
        }
    }

    fn function(&mut self) {
        let k = self.k;
        let o = &mut *self.out;
        let _ = writeln!(o, "static int g{k} = {};\nstatic int ga{k}[5] = {{ 1, 2, 3 }};", k as i64 - 3);
        let _ = writeln!(o, "static int f{k}_0(int a, int *q) {{ return q ? *q ^ (a & 255) : a & 7; }}");
        let _ =
            writeln!(o, "static int f{k}_1(int a, int *q) {{ if (q && a > 0) *q = a & 1023; return g{k}++ & 31; }}");
        let (i, d) = (self.rng.below(4), 1 + self.rng.below(7));
        let o = &mut *self.out;
        let _ = writeln!(
            o,
            "static int f{k}_2(int a, int *q) {{ unsigned z = 0; for (unsigned j = 0; j < ((unsigned)a & 7u); j++) z += j * {d} + ga{k}[{i}]; \
             if (q) ga{k}[(unsigned)*q % 5u] = z; return z; }}"
        );
        let _ = writeln!(
            o,
            "static int r{k}(int n) {{ if (n <= 0) return 1; int z = r{k}(n - 1); ga{k}[n] ^= z; return z + n; }}"
        );
        let _ = writeln!(o, "static struct P sv{k}(struct P a, int e) {{ a.x += 1; a.y = e & a.x; return a; }}");
        let _ = writeln!(
            o,
            "static long bv{k}(struct B b, int i) {{ b.v[i] += b.q ? 1 : 0; return b.v[i] + (b.v[0] & 15); }}"
        );
        let _ = writeln!(o, "static const fn tab{k}[3] = {{ f{k}_0, f{k}_1, f{k}_2 }};");
        let _ = writeln!(o, "int t{k}(void)\n{{");
        self.line("int x = __VERIFIER_nondet_int(), y = 3, ar[6] = { 1, 2, 3, 4, 5, 6 }, m[3][3] = { { 1 } };");
        self.line("unsigned char cb[12] = { 9 }, big[40] = { 1, 2, 3 };");
        self.line("struct S s = { 1, 2, 3, 4, -5 }, t = { 7 }, *sp = &s; struct P ss[3] = { { 1, 2 }, { 3, 4 } };");
        self.line("union U u, w; u.l = 0x1122334455667788ul; w.l = 0; float fl = 1.5f; double db = 2.25; long double ld = 0.1L;");
        self.line("int *p = &x, **pp = &p, *ap[3] = { &x, &y, ar }, *h = 0; unsigned hn = 0; uintptr_t bits = 0;");
        let _ = writeln!(self.out, "    struct N *head = 0; fn fp = f{k}_0;");
        self.locals = vec!["x".into(), "y".into()];
        for i in 0..2 + self.rng.below(3) {
            let (t, name) = *self.rng.pick(INTS);
            self.line(&format!("{t} v{i} = __VERIFIER_nondet_{name}();"));
            self.locals.push(format!("v{i}"));
        }
        self.budget = 3 + self.rng.below(9);
        while self.budget > 0 {
            self.statement();
        }
        self.line("free(h);");
        self.line("while (head) { struct N *n = head->next; free(head); head = n; }");
        let _ = writeln!(self.out, "    return (x ^ y ^ ar[2] ^ s.i ^ (int)bits) & 0x7f;\n}}\n");
    }
}
