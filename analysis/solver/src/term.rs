//! Hash-consed terms. A [`Term`] is an index into its [`Pool`]; equal terms have equal indices, and an operand's index
//! is always below its user's, so that a forward pass over indices visits operands first.

use crate::float::{FloatOp, Format};
use crate::value::Bv;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A term of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(pub u32);

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of this width; width 1 is also the truth value.
    Bv(u32),
    /// An array from `index` bits to `elem` bits.
    Array {
        /// Width of indices.
        index: u32,
        /// Width of elements.
        elem: u32,
    },
}

/// Operators. Widths of operands are as SMT-LIB demands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// Complement.
    Not,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Two's complement.
    Neg,
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones for divisor 0.
    UDiv,
    /// Unsigned remainder; the dividend for divisor 0.
    URem,
    /// Signed quotient, truncated.
    SDiv,
    /// Signed remainder, sign of the dividend.
    SRem,
    /// Shift left; 0 when the amount is not below the width.
    Shl,
    /// Logical shift right.
    LShr,
    /// Arithmetic shift right.
    AShr,
    /// First operand above the second.
    Concat,
    /// Bits `lo..=hi`.
    Extract {
        /// Highest bit.
        hi: u32,
        /// Lowest bit.
        lo: u32,
    },
    /// Zero extension to the term's width.
    ZExt,
    /// Sign extension to the term's width.
    SExt,
    /// Equality of bit-vectors; width 1.
    Eq,
    /// Unsigned less-than; width 1.
    Ult,
    /// Signed less-than; width 1.
    Slt,
    /// `ite`; the first operand has width 1; also on arrays.
    Ite,
    /// Array read.
    Select,
    /// Array write.
    Store,
    /// The array whose elements all equal the operand.
    ConstArray,
    /// Floating point on bit patterns: see [`FloatOp`].
    Float(FloatOp, Format),
}

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant.
    Const(Bv),
    /// A free symbol; `id` tells symbols of one sort apart.
    Var(u32),
    /// An application.
    App(Op, SmallVec<[Term; 3]>),
}

/// Owns terms. Build terms with the methods of [`crate::rewrite`], which simplify; [`Pool::app_raw`] does not.
#[derive(Default)]
pub struct Pool {
    nodes: Vec<(Node, Sort)>,
    // Only looked up, never iterated.
    table: FxHashMap<(Node, Sort), Term>,
    names: Vec<String>,
    /// Stored patterns of the x87 and the interchange patterns that they were made of.
    extended: FxHashMap<Term, Term>,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Pool {
        Pool::default()
    }
    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let next = Term(self.nodes.len() as u32);
        *self.table.entry((node, sort)).or_insert_with_key(|(n, s)| {
            self.nodes.push((n.clone(), *s));
            next
        })
    }
    /// Number of terms, the counter that memory budgets use.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }
    /// No term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
    /// A constant.
    pub fn constant(&mut self, v: Bv) -> Term {
        let w = v.width();
        self.intern(Node::Const(v), Sort::Bv(w))
    }
    /// A new symbol, different from all others; the name is for dumps.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let id = self.names.len() as u32;
        self.names.push(name.to_string());
        self.intern(Node::Var(id), sort)
    }
    /// The name given to symbol `id`.
    pub fn name(&self, id: u32) -> &str {
        &self.names[id as usize]
    }
    /// What it is.
    pub fn node(&self, t: Term) -> &Node {
        &self.nodes[t.0 as usize].0
    }
    /// Its sort.
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.0 as usize].1
    }
    /// Its width.
    ///
    /// # Panics
    /// If it is an array.
    pub fn width(&self, t: Term) -> u32 {
        match self.sort(t) {
            Sort::Bv(w) => w,
            Sort::Array { .. } => panic!("an array has no width"),
        }
    }
    /// The value of a constant.
    pub fn as_const(&self, t: Term) -> Option<&Bv> {
        match self.node(t) {
            Node::Const(v) => Some(v),
            _ => None,
        }
    }
    /// The operands when the term is an application of `op`.
    pub fn as_app(&self, t: Term, op: Op) -> Option<&[Term]> {
        match self.node(t) {
            Node::App(o, args) if *o == op => Some(args),
            _ => None,
        }
    }
    /// The operands of an application, empty otherwise.
    pub fn args(&self, t: Term) -> &[Term] {
        match self.node(t) {
            Node::App(_, args) => args,
            _ => &[],
        }
    }
    /// The application as it stands, of the given sort.
    pub fn app_raw(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        self.intern(Node::App(op, args.into()), sort)
    }
    /// The interchange pattern that a stored pattern of the x87 was made of.
    pub(crate) fn stored_extended(&self, bits: Term) -> Option<Term> {
        self.extended.get(&bits).copied()
    }
    pub(crate) fn remember_extended(&mut self, bits: Term, of: Term) {
        self.extended.insert(bits, of);
    }
    /// All terms that the roots are made of, operands before users.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = std::collections::BTreeSet::new();
        let mut todo = roots.to_vec();
        while let Some(t) = todo.pop() {
            if seen.insert(t) {
                todo.extend(self.args(t));
            }
        }
        seen.into_iter().collect()
    }
}
