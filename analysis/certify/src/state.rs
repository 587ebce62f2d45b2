//! What an execution has at one point: its condition, the values of the frame, the objects. States of different paths
//! are merged where control meets.
//!
//! A value is (number, undefined bits, object). With an object, the number is the offset in it and the address is the
//! object's base plus that; without one (object 0) the number is the value itself. Object 1 is "any".

use std::collections::BTreeMap;
use std::rc::Rc;
use verify_checks::CheckId;
use verify_ir::{FuncId, GlobalId, Value};
use verify_solver::{Pool, Term};

/// An object number: 0 is none, 1 any.
pub type Obj = u32;
/// No object: an integer.
pub const NONE: Obj = 0;
/// It may point anywhere.
pub const ANY: Obj = 1;
/// Width of an object number.
pub const OBJ_BITS: u32 = 16;
/// Width of the tag of a byte in memory: object, and which byte of the pointer it is.
pub const TAG_BITS: u32 = OBJ_BITS + 3;
/// Width of a byte in an array: tag, undefined bits, bits.
pub const CELL_BITS: u32 = TAG_BITS + 16;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Val {
    /// Bits, or offset where there is an object.
    pub v: Term,
    /// Undefined bits.
    pub u: Term,
    /// Object.
    pub p: Term,
    /// The object is only known to this check: in the program it is a plain integer (a pointer that was cast).
    pub soft: bool,
}

/// A byte of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Byte {
    /// Bits.
    pub v: Term,
    /// Undefined bits.
    pub u: Term,
    /// Tag.
    pub p: Term,
}

/// What an object holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Of constant, small size.
    Bytes(Vec<Byte>),
    /// Any other: an array of the solver, from offsets to tag, undefined bits and bits.
    Array(Term),
}

/// The changing part of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// It lives.
    pub alive: Term,
    /// Contents.
    pub content: Rc<Content>,
}

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No object, or any.
    Special,
    /// A variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// Of a frame.
    Stack,
    /// From the allocation primitive: family, and the check that it is not lost.
    Heap(Term, Option<CheckId>),
}

/// The fixed part of an object.
#[derive(Clone, Debug)]
pub struct Info {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes, 64 bits.
    pub size: Term,
    /// Writes fail.
    pub read_only: bool,
    /// Alignment.
    pub align: u64,
    /// As it comes to be.
    pub initial: Cell,
}

/// The state of the executions on some paths.
#[derive(Clone, Debug)]
pub struct State {
    /// Conditions, in the order in which they were met; all hold.
    pub path: Vec<Term>,
    /// Their conjunction.
    pub guard: Term,
    /// Values of the frame.
    pub env: Rc<BTreeMap<Value, Val>>,
    /// Objects that are not as they came to be.
    pub mem: Rc<BTreeMap<Obj, Cell>>,
}

impl State {
    /// Nothing happened yet.
    pub fn new(pool: &mut Pool) -> State {
        State { path: Vec::new(), guard: pool.tt(), env: Rc::default(), mem: Rc::default() }
    }
    /// No execution is in it.
    pub fn is_dead(&self, pool: &Pool) -> bool {
        pool.as_const(self.guard).is_some_and(|v| v.is_zero())
    }
    /// Keeps the executions in which `c` holds.
    pub fn assume(&mut self, pool: &mut Pool, c: Term) {
        if pool.as_const(c).is_some_and(|v| v.is_one()) {
            return;
        }
        let g = pool.and(self.guard, c);
        if g != self.guard {
            self.path.push(c);
            self.guard = g;
        }
    }
    /// Sets a value of the frame.
    pub fn set(&mut self, r: Value, v: Val) {
        Rc::make_mut(&mut self.env).insert(r, v);
    }
}

/// `c ? a : b`.
pub fn ite_val(pool: &mut Pool, c: Term, a: Val, b: Val) -> Val {
    Val { v: pool.ite(c, a.v, b.v), u: pool.ite(c, a.u, b.u), p: pool.ite(c, a.p, b.p), soft: a.soft || b.soft }
}

/// `c ? a : b`.
pub fn ite_byte(pool: &mut Pool, c: Term, a: Byte, b: Byte) -> Byte {
    Byte { v: pool.ite(c, a.v, b.v), u: pool.ite(c, a.u, b.u), p: pool.ite(c, a.p, b.p) }
}

/// `c ? a : b` of contents of one object.
pub fn ite_content(pool: &mut Pool, c: Term, a: &Rc<Content>, b: &Rc<Content>) -> Rc<Content> {
    if Rc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    match (&**a, &**b) {
        (Content::Bytes(x), Content::Bytes(y)) => {
            let bytes = x.iter().zip(y).map(|(x, y)| ite_byte(pool, c, *x, *y)).collect();
            Rc::new(Content::Bytes(bytes))
        }
        (Content::Array(x), Content::Array(y)) => Rc::new(Content::Array(pool.ite(c, *x, *y))),
        _ => unreachable!("the contents of an object keep their form"),
    }
}

/// Both, told apart by what their conditions do not share. The executions of the two are different ones.
pub fn merge(pool: &mut Pool, objects: &[Info], a: &State, b: &State) -> State {
    let n = a.path.iter().zip(&b.path).take_while(|(x, y)| x == y).count();
    let (ra, rb) = (&a.path[n..], &b.path[n..]);
    let (ca, cb) = (pool.and_all(ra.iter().copied()), pool.and_all(rb.iter().copied()));
    let opposite = match (ra.first(), rb.first()) {
        (Some(&x), Some(&y)) => pool.not(x) == y,
        _ => false,
    };
    let select = if opposite { ra[0] } else { ca };
    let mut path = a.path[..n].to_vec();
    if !(opposite && ra.len() == 1 && rb.len() == 1) {
        let either = pool.or(ca, cb);
        if !pool.as_const(either).is_some_and(|v| v.is_one()) {
            path.push(either);
        }
    }
    let guard = pool.and_all(path.iter().copied());
    let mut env = BTreeMap::new();
    for (r, x) in a.env.iter() {
        if let Some(y) = b.env.get(r) {
            let v = if x == y { *x } else { ite_val(pool, select, *x, *y) };
            env.insert(*r, v);
        }
    }
    let mut mem = BTreeMap::new();
    if Rc::ptr_eq(&a.mem, &b.mem) {
        return State { path, guard, env: Rc::new(env), mem: a.mem.clone() };
    }
    for o in a.mem.keys().chain(b.mem.keys()) {
        if mem.contains_key(o) {
            continue;
        }
        let initial = &objects[*o as usize].initial;
        let (x, y) = (a.mem.get(o).unwrap_or(initial), b.mem.get(o).unwrap_or(initial));
        let alive = pool.ite(select, x.alive, y.alive);
        mem.insert(*o, Cell { alive, content: ite_content(pool, select, &x.content, &y.content) });
    }
    State { path, guard, env: Rc::new(env), mem: Rc::new(mem) }
}
