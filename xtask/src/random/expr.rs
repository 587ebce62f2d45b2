//! Types, objects in scope and expressions. Every expression is defined whatever its operands are: arithmetic is done
//! in unsigned types, or in signed ones that are wide enough for all values of their operands; divisors are not zero;
//! amounts of shifts are masked. No expression has a side effect, so that no order of evaluation matters.

use crate::sh::Rng;

/// An integer type of the generated programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Int {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
    /// What follows `__VERIFIER_nondet_`.
    pub nondet: &'static str,
}

const fn int(name: &'static str, bits: u32, signed: bool, nondet: &'static str) -> Int {
    Int { name, bits, signed, nondet }
}

/// All of them.
pub const INTS: [Int; 9] = [
    int("i8", 8, true, "char"),
    int("u8", 8, false, "uchar"),
    int("i16", 16, true, "short"),
    int("u16", 16, false, "ushort"),
    int("i32", 32, true, "int"),
    int("u32", 32, false, "uint"),
    int("i64", 64, true, "long"),
    int("u64", 64, false, "ulong"),
    int("bool", 1, false, "bool"),
];

impl Int {
    /// Bytes of an object.
    pub fn size(self) -> u32 {
        self.bits.div_ceil(8)
    }
    /// `bits` as a value of the type, as C writes it.
    pub fn literal(self, bits: u64) -> String {
        let kept = if self.bits == 64 { bits } else { bits & ((1 << self.bits) - 1) };
        format!("({})0x{kept:x}ul", self.name)
    }
}

/// A place of type `ty` that can be assigned; `depth` is the block in which its object lives.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub ty: Int,
    pub depth: u32,
    /// It has an address (no bit-field).
    pub addressable: bool,
}

/// An array of `1 << log` elements.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub ty: Int,
    pub log: u32,
    pub depth: u32,
}

/// A pointer that points to `1 << log` elements at least, always.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub name: String,
    pub ty: Int,
    pub log: u32,
    pub depth: u32,
}

/// What can be named at some place of the program.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    pub places: Vec<Place>,
    pub arrays: Vec<Array>,
    pub pointers: Vec<Pointer>,
    /// Readable only: inputs, counters, parameters that must not change.
    pub values: Vec<(String, Int)>,
    pub floats: Vec<String>,
    /// Objects of `struct rec`, by an expression that denotes them.
    pub records: Vec<(String, u32)>,
    /// Objects of `union pun`.
    pub unions: Vec<(String, u32)>,
}

/// Members of `struct rec`: text of the member, type, whether it has an address.
pub const MEMBERS: &[(&str, usize, bool)] = &[
    ("a", 0, true),
    ("b", 5, true),
    ("c", 3, true),
    ("in.lo", 3, true),
    ("in.hi", 4, true),
    ("v[1]", 1, true),
    ("v[2]", 1, true),
    ("f3", 5, false),
    ("s5", 4, false),
    ("f17", 5, false),
    ("l", 6, true),
];

/// Members of `union pun`.
pub const VIEWS: &[(&str, usize)] = &[
    ("q", 7),
    ("sq", 6),
    ("w[0]", 5),
    ("w[1]", 5),
    ("h[1]", 2),
    ("h[3]", 2),
    ("b[0]", 1),
    ("b[5]", 1),
    ("p.mid", 2),
    ("p.hi", 4),
];

/// The declarations that every program begins with.
pub const PROLOGUE: &str = "\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef signed char i8; typedef unsigned char u8; typedef short i16; typedef unsigned short u16;
typedef int i32; typedef unsigned u32; typedef long i64; typedef unsigned long u64; typedef _Bool bool;
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern char __VERIFIER_nondet_char(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void); extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void); extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
#ifdef NATIVE
extern void observe(u64 sum, u64 read);
extern void observe_step(u64 at, u64 digest);
#endif
struct pair { u16 lo; i32 hi; };
struct rec { i8 a; u32 b; u16 c; struct pair in; u8 v[3]; u32 f3 : 3; i32 s5 : 5; u32 f17 : 17; i64 l; };
union pun { u64 q; i64 sq; u32 w[2]; i16 h[4]; u8 b[8]; float f; double d; struct { u16 lo; i16 mid; i32 hi; } p; };
struct node { u16 value; struct node *next; };
static u64 sum;
static void mix(u64 x) { sum = ((sum << 7) | (sum >> 57)) + x; }
static int in_use;
static int *frame_of(int x) { int y = x; int *p = &y; in_use = *p; return p; }
static u32 bits_of(float f) { u32 u; memcpy(&u, &f, sizeof u); return u; }
";

/// Makes expressions.
pub struct Maker<'r> {
    pub rng: &'r mut Rng,
    pub scope: Scope,
}

impl Maker<'_> {
    pub fn below(&mut self, n: usize) -> usize {
        self.rng.below(n)
    }
    pub fn chance(&mut self, per_cent: usize) -> bool {
        self.rng.below(100) < per_cent
    }
    /// Any type but `bool`, which is rare.
    pub fn ty(&mut self) -> Int {
        if self.chance(4) { INTS[8] } else { INTS[self.below(8)] }
    }

    /// A constant, often one at an edge.
    pub fn constant(&mut self, ty: Int) -> String {
        let edge = [0u64, 1, 2, 3, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fff_ffff, 0x8000_0000, u64::MAX, 1 << 63];
        let bits = match self.below(3) {
            0 => *self.rng.pick(&edge),
            1 => self.below(20) as u64,
            _ => self.rng.next() >> self.below(64),
        };
        ty.literal(bits)
    }

    /// Some object to read, of any type.
    fn leaf(&mut self) -> String {
        match self.below(10) {
            0 | 1 if !self.scope.values.is_empty() => {
                let values = self.scope.values.clone();
                self.rng.pick(&values).0.clone()
            }
            2 => {
                let ty = self.ty();
                self.constant(ty)
            }
            _ => self.place().0,
        }
    }

    /// A place to read or assign, its type, and whether it has an address.
    pub fn place(&mut self) -> (String, Int, bool) {
        let s = &self.scope;
        let (places, arrays, pointers) = (s.places.len(), s.arrays.len(), s.pointers.len());
        let (records, unions) = (s.records.len(), s.unions.len());
        match self.below(12) {
            0 | 1 if arrays > 0 => {
                let at = self.below(arrays);
                let a = self.scope.arrays[at].clone();
                let i = self.index(a.log);
                (format!("{}[{i}]", a.name), a.ty, true)
            }
            2 | 3 if pointers > 0 => {
                let at = self.below(pointers);
                let p = self.scope.pointers[at].clone();
                match p.log {
                    0 => (format!("*{}", p.name), p.ty, true),
                    log => {
                        let i = self.index(log);
                        if self.chance(50) {
                            (format!("{}[{i}]", p.name), p.ty, true)
                        } else {
                            (format!("*({} + ({i}))", p.name), p.ty, true)
                        }
                    }
                }
            }
            4 | 5 if records > 0 => {
                let at = self.below(records);
                let r = self.scope.records[at].0.clone();
                let (m, ty, addressable) = *self.rng.pick(MEMBERS);
                (format!("{r}.{m}"), INTS[ty], addressable)
            }
            6 if unions > 0 => {
                let at = self.below(unions);
                let u = self.scope.unions[at].0.clone();
                let (m, ty) = *self.rng.pick(VIEWS);
                (format!("{u}.{m}"), INTS[ty], true)
            }
            7 if places > 0 => {
                // A byte of some object.
                let wide: Vec<Place> =
                    self.scope.places.iter().filter(|p| p.addressable && p.ty.bits > 8).cloned().collect();
                if wide.is_empty() {
                    return self.plain();
                }
                let p = self.rng.pick(&wide).clone();
                let i = self.index(p.ty.size().trailing_zeros());
                (format!("((u8 *)&{})[{i}]", p.text), INTS[1], true)
            }
            8 if arrays > 0 => {
                // Two or one byte of an array, at an aligned place.
                let at = self.below(arrays);
                let a = self.scope.arrays[at].clone();
                let bytes = a.ty.size().trailing_zeros() + a.log;
                if a.ty.bits >= 16 && self.chance(50) {
                    let i = self.index(bytes - 1);
                    (format!("((u16 *){})[{i}]", a.name), INTS[3], true)
                } else if a.ty.bits >= 8 {
                    let i = self.index(bytes);
                    (format!("((i8 *){})[{i}]", a.name), INTS[0], true)
                } else {
                    self.plain()
                }
            }
            _ => self.plain(),
        }
    }

    fn plain(&mut self) -> (String, Int, bool) {
        let n = self.scope.places.len();
        let at = self.below(n);
        let p = &self.scope.places[at];
        (p.text.clone(), p.ty, p.addressable)
    }

    /// An index below `1 << log`.
    pub fn index(&mut self, log: u32) -> String {
        let mask = (1u32 << log) - 1;
        if mask == 0 {
            return "0".into();
        }
        if self.chance(40) {
            return self.below(mask as usize + 1).to_string();
        }
        let e = self.expr(1);
        format!("(u32)({e}) & {mask}")
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> String {
        let op = *self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.below(12) {
            0 if depth > 0 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                let op = *self.rng.pick(&["&&", "||"]);
                format!("({a}) {op} ({b})")
            }
            1 => format!("!({})", self.expr(depth)),
            2 => {
                let (e, m) = (self.expr(depth), 1 << self.below(5));
                format!("({e}) & {m}")
            }
            3 if self.scope.floats.len() > 1 => {
                let f = self.scope.floats.clone();
                format!("{} {op} {}", self.rng.pick(&f), self.rng.pick(&f))
            }
            4 if !self.scope.pointers.is_empty() => {
                let at = self.below(self.scope.pointers.len());
                let p = self.scope.pointers[at].clone();
                let same: Vec<Pointer> = self.scope.pointers.iter().filter(|q| q.ty == p.ty).cloned().collect();
                format!("{} == {}", p.name, self.rng.pick(&same).name)
            }
            5 => {
                let e = self.expr(depth);
                let ty = self.ty();
                format!("({}){e} {op} {}", ty.name, self.constant(ty))
            }
            _ => {
                let (a, b) = (self.expr(depth), self.expr(depth));
                format!("{a} {op} {b}")
            }
        }
    }

    /// An expression of some integer type, in parentheses where it needs them.
    pub fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(12) {
            return self.leaf();
        }
        let d = depth - 1;
        match self.below(20) {
            0..=3 => {
                let ty = *self.rng.pick(&["u8", "u16", "u32", "u32", "u64"]);
                // Promotion to int: products of two u16 would overflow.
                let wide = if ty == "u8" || ty == "u16" { "u32" } else { ty };
                let op = if self.chance(15) { "*" } else { *self.rng.pick(&["+", "-"]) };
                let (a, b) = (self.expr(d), self.expr(d));
                format!("(({wide})({ty})({a}) {op} ({ty})({b}))")
            }
            4 | 5 => {
                // Signed, and wide enough.
                let (ty, wide) = *self.rng.pick(&[("i8", "i32"), ("i16", "i32"), ("i32", "i64")]);
                let op = if self.chance(15) { "*" } else { *self.rng.pick(&["+", "-"]) };
                let (a, b) = (self.expr(d), self.expr(d));
                format!("(({wide})({ty})({a}) {op} ({ty})({b}))")
            }
            6 => {
                let (a, b) = (self.expr(d), self.expr(d));
                let op = *self.rng.pick(&["/", "%"]);
                match self.below(4) {
                    0 => format!("((i16)({a}) {op} ((i8)({b}) | 1))"),
                    1 => format!("((i32)({a}) {op} (i32)(((u32)({b}) & 15) + 1))"),
                    2 => format!("((u32)({a}) {op} ((u16)({b}) | 1u))"),
                    _ => format!("((i64)(i32)({a}) {op} ((i8)({b}) | 1))"),
                }
            }
            7 | 8 => {
                let (a, b) = (self.expr(d), self.expr(d));
                match self.below(6) {
                    0 => format!("((u32)({a}) << ((u32)({b}) & 31))"),
                    1 => format!("((i32)({a}) >> ((u32)({b}) & 31))"),
                    2 => format!("((u64)({a}) >> ((u32)({b}) & 63))"),
                    3 => format!("((i64)({a}) >> ((u32)({b}) & 63))"),
                    4 => format!("((u8)({a}) << ((u32)({b}) & 15))"),
                    _ => format!("((u64)({a}) << {})", self.below(64)),
                }
            }
            9..=11 => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                let (a, b) = (self.expr(d), self.expr(d));
                format!("(({a}) {op} ({b}))")
            }
            12 => format!("({})", self.condition(d)),
            13 => {
                let (c, a, b) = (self.condition(d), self.expr(d), self.expr(d));
                format!("({c} ? {a} : {b})")
            }
            14 | 15 => {
                let ty = self.ty();
                format!("({})({})", ty.name, self.expr(d))
            }
            16 => format!("(~({}))", self.expr(d)),
            17 => {
                let ty = *self.rng.pick(&["u32", "u64"]);
                format!("(-({ty})({}))", self.expr(d))
            }
            18 if !self.scope.floats.is_empty() && self.chance(50) => {
                let floats = self.scope.floats.clone();
                let f = self.rng.pick(&floats).clone();
                if self.chance(50) { format!("bits_of({f})") } else { format!("(i32)({f})") }
            }
            19 if !self.scope.pointers.is_empty() => self.of_pointers(),
            _ => self.leaf(),
        }
    }

    /// An integer made of pointers: differences and addresses that cancel.
    fn of_pointers(&mut self) -> String {
        if self.scope.arrays.is_empty() {
            return self.leaf();
        }
        let at = self.below(self.scope.arrays.len());
        let a = self.scope.arrays[at].clone();
        let (i, j) = (self.index(a.log), self.index(a.log));
        let n = a.name;
        match self.below(4) {
            0 => format!("(&{n}[{i}] - &{n}[{j}])"),
            1 => format!("(&{n}[{i}] < &{n}[{j}])"),
            2 => format!("((uintptr_t)&{n}[{i}] - (uintptr_t){n})"),
            _ => format!("((char *)&{n}[{i}] - (char *){n})"),
        }
    }

    /// The address of `1 << log` elements of a type, in an object that outlives the block `depth`.
    pub fn address(&mut self, ty: Int, log: u32, depth: u32) -> Option<String> {
        let mut all: Vec<String> = Vec::new();
        if log == 0 {
            all.extend(
                self.scope
                    .places
                    .iter()
                    .filter(|p| p.addressable && p.ty == ty && p.depth <= depth)
                    .map(|p| format!("&{}", p.text)),
            );
            for (r, d) in self.scope.records.iter().filter(|r| r.1 <= depth) {
                let _ = d;
                all.extend(MEMBERS.iter().filter(|m| m.2 && INTS[m.1] == ty).map(|m| format!("&{r}.{}", m.0)));
            }
            for (u, _) in self.scope.unions.iter().filter(|u| u.1 <= depth) {
                all.extend(VIEWS.iter().filter(|v| INTS[v.1] == ty).map(|v| format!("&{u}.{}", v.0)));
            }
        }
        let arrays: Vec<Array> =
            self.scope.arrays.iter().filter(|a| a.ty == ty && a.log >= log && a.depth <= depth).cloned().collect();
        for a in arrays {
            if a.log == log {
                all.push(a.name);
            } else {
                let i = self.index(a.log - 1);
                let room = (1u32 << a.log) - (1 << log);
                let bound = (1u32 << (a.log - 1)) - 1;
                // Half of the array and the elements after it.
                if bound <= room {
                    all.push(format!("{} + ({i})", a.name));
                }
            }
        }
        all.extend(
            self.scope
                .pointers
                .iter()
                .filter(|p| p.ty == ty && p.log >= log && p.depth <= depth)
                .map(|p| p.name.clone()),
        );
        if all.is_empty() {
            return None;
        }
        let one = self.rng.pick(&all).clone();
        Some(match self.below(10) {
            0..=3 => {
                let other = self.rng.pick(&all).clone();
                let c = self.condition(1);
                format!("({c}) ? {one} : {other}")
            }
            4 => format!("({0} *)(uintptr_t)({one})", ty.name),
            5 => format!("({0} *)((char *)({one}) + 4 - 4)", ty.name),
            6 if ty.bits >= 16 => {
                format!("({0} *)(((uintptr_t)({one}) | 1) & ~(uintptr_t)1)", ty.name)
            }
            _ => one,
        })
    }
}
