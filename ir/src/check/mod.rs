//! Well-formedness. A module that [`check`] accepts can be walked by every consumer without bounds tests, and every
//! pass's output goes through it in tests. It says nothing about meaning: a well-formed program may be wrong.
//!
//! # What is required
//! Module ([`tables`](self)):
//! - every id is in range of its table; `spans[0]` is the unknown position (line 0), `ctypes[0]` is `void`;
//! - `inlined_at` chains end; types contain each other by value (field, element, typedef, qualifier, enum) without cycles;
//! - a record's fields lie inside its size; alignments are powers of two;
//! - initialiser pieces are sorted, do not overlap and lie inside the object; a relocated piece has 1 to 16 bytes;
//! - names of linker-visible symbols are not empty and unique; declarations are not internal, common or
//!   available_externally;
//! - alias chains end; an ifunc names a function.
//!
//! Body:
//! - block 0 exists, has no predecessors, and its parameters are those of the signature in number and type;
//! - every value of the table is defined exactly once (block parameter or result), and its definition dominates every
//!   use in a reachable block; an edge's arguments are used at the end of the block that it leaves;
//! - every edge gives one argument of the right type per parameter of its target (an `invoke`'s normal edge: for the
//!   parameters behind the call's results).
//!
//! # Typing rules
//! `i` is any integer type, `f` any float type, `t` any type; one letter is one type in a line. `ptr` is the pointer.
//!
//! | instruction | rule |
//! |---|---|
//! | binary | `i, i -> i` |
//! | icmp | `i, i -> i1`; `ptr, ptr -> i1` |
//! | fbinary | `f, f -> f`; `ldexp`: `f, i -> f` |
//! | fcmp | `f, f -> i1` |
//! | unary | `i -> i`; `bswap`: a multiple of 8 bits |
//! | funary, fma | `f -> f`; `f, f, f -> f` |
//! | trunc | `i -> j`, `j` narrower; zext, sext: `j` wider |
//! | fptrunc, fpext | `f -> g`, `g` with at most (at least) as many bits, not the same type |
//! | fptoui, fptosi (.sat), lrint, lround | `f -> i` |
//! | uitofp, sitofp | `i -> f` |
//! | ptrtoint, inttoptr | `ptr -> i`; `i -> ptr` |
//! | bitcast | `t -> u` with equal bits, both or neither `ptr` |
//! | select | `i1, t, t -> t` |
//! | overflow | `i, i -> i, i1` |
//! | funnel | `i, i, i -> i` |
//! | freeze, uninit | `t -> t`; `-> t` |
//! | addr | `ptr, i... -> ptr`, one index per `index` step, each of any width |
//! | alloca | `i -> ptr` |
//! | lifetime.start, lifetime.end | `ptr ->` |
//! | stacksave, stackrestore | `-> ptr`; `ptr ->` |
//! | load, store | `ptr -> t`; `ptr, t ->` |
//! | memcopy, memset | `ptr, ptr, i ->`; `ptr, i8, i ->` |
//! | rmw | `ptr, t -> t`; `fadd fsub fmax fmin`: `t` is a float, `xchg`: any, else an integer |
//! | cmpxchg | `ptr, t, t -> t, i1`, `t` not a float |
//! | call | callee `ptr`; arguments as the call site's `params` say, one each; results of any types |
//! | va.start, va.end, va.copy | `ptr ->`; `ptr ->`; `ptr, ptr ->` |
//! | asm | inputs of any types, written addresses `ptr`; results of any types |
//! | check, assume | `i1 ->` |
//! | debug | `t ->` |
//! | objectsize | `ptr -> i` |
//! | opaque | `-> i` or `-> ptr` |
//! | unmodelled | results of any types |
//! | branch | `i1` |
//! | switch | `i`; cases are distinct integer constants of that type |
//! | indirectjump | `ptr` |
//! | return | the results of the signature |
//!
//! A call need not agree with its callee's signature: C does not enforce it, the interpreter does.
//! An integer type has 1 to 2^23 bits; an integer constant has no bits above its width and is held inline up to 128.

mod body;
mod tables;
mod typing;

use crate::constant::{Const, SymbolRef};
use crate::entity::FuncId;
use crate::function::{Loc, Param, Signature};
use crate::module::Module;
use crate::types::Ty;

/// Widest integer type in bits (clang's `_BitInt` limit).
pub const MAX_INT_BITS: u32 = 1 << 23;

/// One way in which a module is not well formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The function, by id and name, when it is in one.
    pub function: Option<(FuncId, String)>,
    /// The place in its body, when it is in one.
    pub loc: Option<Loc>,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((id, name)) = &self.function {
            write!(f, "{id} `{name}`: ")?;
        }
        if let Some(l) = self.loc {
            write!(f, "{} instruction {}: ", l.block, l.inst)?;
        }
        f.write_str(&self.what)
    }
}

/// All problems of a module, in order of place.
pub fn check(module: &Module) -> Result<(), Vec<Problem>> {
    let mut cx = Checker { module, problems: Vec::new(), function: None, loc: None };
    cx.tables();
    for (i, f) in module.functions.iter().enumerate() {
        cx.function = Some(FuncId::new(i));
        cx.function_header(f);
        if let Some(b) = &f.body {
            cx.body(f, b);
        }
        cx.loc = None;
    }
    if cx.problems.is_empty() { Ok(()) } else { Err(cx.problems) }
}

struct Checker<'a> {
    module: &'a Module,
    problems: Vec<Problem>,
    function: Option<FuncId>,
    loc: Option<Loc>,
}

impl Checker<'_> {
    fn problem(&mut self, what: impl Into<String>) {
        let function = self.function.map(|f| (f, self.module.func(f).name.clone()));
        self.problems.push(Problem { function, loc: self.loc, what: what.into() });
    }

    fn require(&mut self, ok: bool, what: impl FnOnce() -> String) {
        if !ok {
            self.problem(what());
        }
    }

    fn in_range(&mut self, id: impl std::fmt::Display, index: usize, len: usize, of: &str) {
        self.require(index < len, || format!("{of} {id} does not exist (there are {len})"));
    }

    fn ty(&mut self, t: Ty, of: impl FnOnce() -> String) {
        if let Ty::Int(w) = t {
            self.require((1..=MAX_INT_BITS).contains(&w), || format!("{} has type i{w}", of()));
        }
    }

    fn align(&mut self, align: u64, of: impl FnOnce() -> String) {
        self.require(align.is_power_of_two(), || format!("alignment {align} of {} is not a power of two", of()));
    }

    fn symbol(&mut self, s: SymbolRef) {
        let m = self.module;
        match s {
            SymbolRef::Global(g) => self.in_range(g, g.index(), m.globals.len(), "global"),
            SymbolRef::Func(f) => self.in_range(f, f.index(), m.functions.len(), "function"),
            SymbolRef::Alias(a) => self.in_range(a, a.index(), m.aliases.len(), "alias"),
        }
    }

    fn block_addr(&mut self, f: FuncId, b: crate::entity::Block) {
        let blocks = self.module.functions.get(f.index()).and_then(|f| f.body.as_ref()).map_or(0, |b| b.blocks.len());
        self.require(b.index() < blocks, || format!("address of {b} of {f}, which has {blocks} blocks"));
    }

    fn constant(&mut self, c: &Const) {
        match c {
            Const::Int { width, value } => {
                let ok = (1..=128).contains(width) && (*width == 128 || *value >> *width == 0);
                self.require(ok, || {
                    format!("constant {value} does not fit i{width} (inline constants have 1 to 128 bits)")
                });
            }
            Const::Wide { width, limbs } => {
                let w = *width;
                let top = w % 64;
                let ok = (129..=MAX_INT_BITS).contains(&w)
                    && limbs.len() == w.div_ceil(64) as usize
                    && (top == 0 || limbs.last().is_some_and(|l| l >> top == 0));
                self.require(ok, || format!("malformed constant of {} limbs for i{w}", limbs.len()));
            }
            Const::Float { kind, bits } => {
                let ok = kind.bits() == 128 || bits >> kind.bits() == 0;
                self.require(ok, || format!("constant {bits:#x} has more bits than its floating-point type {kind:?}"));
            }
            Const::Null => {}
            Const::Symbol(s) => self.symbol(*s),
            Const::BlockAddr(f, b) => self.block_addr(*f, *b),
            Const::Undef(t) | Const::Poison(t) => self.ty(*t, || "an undefined constant".into()),
        }
    }

    fn params(&mut self, params: &[Param], of: &str) {
        for (i, p) in params.iter().enumerate() {
            self.ty(p.ty, || format!("{of} {i}"));
            if let Some((_, align)) = p.attrs.byval {
                self.align(align, || format!("the byval {of} {i}"));
            }
            if p.attrs.byval.is_some() || p.attrs.sret.is_some() {
                self.require(p.ty == Ty::Ptr, || format!("{of} {i} is byval or sret but not a pointer"));
            }
            let lanes = p.attrs.lanes.max(1) as usize;
            let ok = params.get(i..i.saturating_add(lanes)).is_some_and(|l| l.iter().all(|q| q.ty == p.ty));
            self.require(ok, || {
                format!("{of} {i} starts a vector of {lanes} lanes that are not there or differ in type")
            });
        }
    }

    fn signature(&mut self, sig: &Signature) {
        self.params(&sig.params, "parameter");
        for (i, &r) in sig.results.iter().enumerate() {
            self.ty(r, || format!("result {i}"));
        }
    }
}
