//! What functions are translated to: a flat list of small register instructions. Values of at most 64 bits live in a
//! dense frame of [`Slot`]s, wider ones in a second frame; constants are resolved; block parameters became moves.
//! Whatever is rare stays an IR instruction ([`Op::Generic`]).

use crate::big::Big;
use crate::bits::Bits;
use crate::object::{NO_PROV, Prov};
use verify_ir::inst::{BinOp, FloatPred, IntPred, OverflowOp, UnOp};
use verify_ir::{FuncId, Ty};

/// A small value: bits, undefined bits, and for pointers the object they point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Slot {
    pub v: u64,
    pub u: u64,
    pub p: Prov,
}

impl Slot {
    #[inline(always)]
    pub fn int(v: u64) -> Slot {
        Slot { v, u: 0, p: NO_PROV }
    }
    #[inline(always)]
    pub fn bits(self) -> Bits {
        Bits { v: self.v, u: self.u }
    }
    #[inline(always)]
    pub fn of(b: Bits) -> Slot {
        Slot { v: b.v, u: b.u, p: NO_PROV }
    }
}

/// A register of the slot frame.
pub(crate) type Reg = u32;

/// Something to read or write: a register, or a constant ([`CONST`]), in the slot frame or the wide one ([`WIDE`]).
pub(crate) type Src = u32;
pub(crate) const CONST: u32 = 1 << 31;
pub(crate) const WIDE: u32 = 1 << 30;
pub(crate) const INDEX: u32 = !(CONST | WIDE);

/// An instruction. `w` is a width in bits, `n` a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Add {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Sub {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Mul {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    And {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Or {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Xor {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Shl {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    LShr {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    AShr {
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    /// Any other, or with flags (1 nsw, 2 nuw).
    Bin {
        op: BinOp,
        flags: u8,
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    Icmp {
        pred: IntPred,
        w: u8,
        d: Reg,
        a: Src,
        b: Src,
    },
    /// `icmp` and the branch on it; edges `e` and `e + 1`.
    Fused {
        pred: IntPred,
        w: u8,
        a: Src,
        b: Src,
        e: u32,
    },
    Un {
        op: UnOp,
        w: u8,
        d: Reg,
        a: Src,
    },
    Overflow {
        op: OverflowOp,
        w: u8,
        d: Reg,
        o: Reg,
        a: Src,
        b: Src,
    },
    FAdd {
        single: bool,
        d: Reg,
        a: Src,
        b: Src,
    },
    FSub {
        single: bool,
        d: Reg,
        a: Src,
        b: Src,
    },
    FMul {
        single: bool,
        d: Reg,
        a: Src,
        b: Src,
    },
    FDiv {
        single: bool,
        d: Reg,
        a: Src,
        b: Src,
    },
    Fcmp {
        pred: FloatPred,
        single: bool,
        d: Reg,
        a: Src,
        b: Src,
    },
    /// Everything, provenance too.
    Mov {
        d: Reg,
        a: Src,
    },
    /// Two addresses are about to be compared, for equality only, or one to be taken from the other.
    Addresses {
        equal: bool,
        a: Src,
        b: Src,
    },
    /// The same of an address that becomes a number.
    Expose {
        d: Reg,
        a: Src,
    },
    /// The bits only.
    ZExt {
        d: Reg,
        a: Src,
    },
    Trunc {
        w: u8,
        d: Reg,
        a: Src,
    },
    SExt {
        from: u8,
        to: u8,
        d: Reg,
        a: Src,
    },
    IntToFloat {
        w: u8,
        signed: bool,
        single: bool,
        d: Reg,
        a: Src,
    },
    FloatToInt {
        w: u8,
        signed: bool,
        single: bool,
        d: Reg,
        a: Src,
    },
    FloatExt {
        d: Reg,
        a: Src,
    },
    FloatTrunc {
        d: Reg,
        a: Src,
    },
    Select {
        d: Reg,
        c: Src,
        t: Src,
        o: Src,
    },
    Undef {
        w: u8,
        d: Reg,
    },
    /// `base + off`.
    Offset {
        d: Reg,
        base: Src,
        off: i32,
    },
    /// `base + index * stride + off` by `ext` (stride, off); the index has `w` bits.
    Index {
        w: u8,
        d: Reg,
        base: Src,
        index: Src,
        ext: u32,
    },
    Load {
        n: u8,
        w: u8,
        d: Reg,
        p: Src,
    },
    LoadPtr {
        d: Reg,
        p: Src,
    },
    Store {
        n: u8,
        p: Src,
        v: Src,
    },
    StorePtr {
        p: Src,
        v: Src,
    },
    Check {
        ok: Src,
    },
    Dbg {
        var: u32,
        a: Src,
    },
    Call {
        site: u32,
    },
    /// The IR instruction at this place.
    Generic,
    /// A poison constant is read here.
    Poison,
    Jump {
        e: u32,
    },
    Branch {
        c: Src,
        e: u32,
    },
    Switch {
        table: u32,
    },
    Indirect {
        table: u32,
    },
    Return {
        from: u32,
        n: u32,
    },
    Unreachable,
    /// The terminator is not modelled (unwinding).
    Unwind,
}

/// A way to another block.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub pc: u32,
    /// Steps of the block it leads to.
    pub cost: u32,
    /// Number for coverage.
    pub number: u32,
    /// In [`Code::moves`].
    pub moves: (u32, u32),
    /// An argument is poison.
    pub poison: bool,
}

/// A `switch` or computed `goto`.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub value: Src,
    /// Sorted; for a computed `goto` the block numbers.
    pub cases: Vec<(u64, u32)>,
    /// Direct lookup from the first case, when the cases lie close.
    pub dense: Vec<u32>,
    pub default: u32,
    /// Wide values: compared limb by limb.
    pub wide: Vec<(Big, u32)>,
}

/// Whom a call reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Func(FuncId),
    Pointer(Src),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub target: Target,
    pub args: Box<[Src]>,
    pub types: Box<[Ty]>,
    pub results: Box<[Src]>,
    pub result_types: Box<[Ty]>,
    /// Types and number of the arguments were found to fit the (direct) callee, none is variadic or by value.
    pub plain: bool,
}

/// A translated function.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub ops: Vec<Op>,
    /// (block, instruction) of every op.
    pub places: Vec<(u32, u32)>,
    pub consts: Vec<Slot>,
    pub wide_consts: Vec<Big>,
    pub edges: Vec<Edge>,
    /// (destination, source) in execution order.
    pub moves: Vec<(Src, Src)>,
    pub tables: Vec<Table>,
    pub sites: Vec<Site>,
    pub exts: Vec<(u64, u64)>,
    pub returns: Vec<Src>,
    /// Entry block parameters.
    pub params: Vec<Src>,
    pub regs: u32,
    pub wides: u32,
    pub vars: u32,
    /// Steps of the entry block.
    pub entry_cost: u32,
    /// Number of the entry edge.
    pub entry_edge: u32,
    pub uses_varargs: bool,
    /// Where each value lives.
    pub homes: Vec<Src>,
    /// The results of allocas (a `longjmp` leaves them alone).
    pub alloca_regs: Vec<Reg>,
}

/// The loop reads one of these per step.
const _: () = assert!(std::mem::size_of::<Op>() <= 24);
