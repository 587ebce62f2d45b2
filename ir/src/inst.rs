//! Instructions. Each has zero or more results, operands and a source position. Semantics are those of C on the
//! machine level: two's complement, byte-addressed objects; what C leaves undefined is a check (in a `check`
//! instruction, or implied by the instruction as its doc says), never a licence to assume.

use crate::check_kind::CheckKind;
use crate::constant::Operand;
use crate::entity::{Block, SpanId, TypeId, Value, VarId};
use crate::function::Param;

use serde::{Deserialize, Serialize};

/// An instruction.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Inst {
    /// Results, with the types that `kind` demands.
    pub results: Vec<Value>,
    /// Operation.
    pub kind: InstKind,
    /// Source position.
    pub span: SpanId,
}

/// Operations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the operands are named as in the operation's sentence
pub enum InstKind {
    /// Integer arithmetic; both operands and the result have one integer type.
    /// Checks implied: division and remainder by zero and `MIN / -1`, shift amount not below the width, and
    /// overflow where a flag forbids it.
    Binary { op: BinOp, flags: ArithFlags, lhs: Operand, rhs: Operand },
    /// Integer (or pointer) comparison, result `i1`. Pointers compare by address.
    Icmp { pred: IntPred, lhs: Operand, rhs: Operand },
    /// Floating-point arithmetic in the current rounding mode.
    FBinary { op: FBinOp, lhs: Operand, rhs: Operand },
    /// Floating-point comparison, result `i1`.
    Fcmp { pred: FloatPred, lhs: Operand, rhs: Operand },
    /// One-operand integer operation.
    Unary { op: UnOp, arg: Operand },
    /// Floating-point function of one operand.
    FUnary { op: FUnOp, arg: Operand },
    /// Fused multiply-add `a * b + c`, rounded once.
    Fma { a: Operand, b: Operand, c: Operand },
    /// Conversion to the type of the result.
    Cast { op: CastOp, arg: Operand },
    /// `cond ? then : other`; only the chosen operand is read.
    Select { cond: Operand, then: Operand, other: Operand },
    /// An arithmetic operation and whether it overflowed: results (value, `i1`).
    Overflow { op: OverflowOp, lhs: Operand, rhs: Operand },
    /// Funnel shift: the high (`left`) or low word of `hi:lo` shifted by `amount` modulo the width.
    Funnel { left: bool, hi: Operand, lo: Operand, amount: Operand },
    /// Makes an undefined value one arbitrary defined value.
    Freeze { arg: Operand },
    /// A fresh uninitialised value: one arbitrary value per execution, each bit undefined. Where a promoted variable
    /// is declared.
    Uninit,

    /// Address computation: `base` plus the byte offsets of the steps. Computes; accesses nothing.
    Addr { base: Operand, steps: Vec<Step>, inbounds: bool },
    /// A stack object of `count * elem_size` bytes, live from here (or from `lifetime.start`) to the end of the function
    /// (or `lifetime.end`).
    Alloca { elem_size: u64, count: Operand, align: u64, ctype: Option<TypeId> },
    /// The stack object (the result of an `alloca`) comes alive with undefined content.
    LifetimeStart { object: Operand },
    /// The stack object dies.
    LifetimeEnd { object: Operand },
    /// Saves the stack pointer (VLA scope): a token for `StackRestore`.
    StackSave,
    /// Kills every alloca made since the token was taken.
    StackRestore { token: Operand },
    /// Reads the result's type from memory. Checks implied: null, invalid, bounds, lifetime.
    Load { ptr: Operand, align: u64, volatile: bool, atomic: bool },
    /// Writes a value to memory. Checks implied: as for loads, and constness.
    Store { ptr: Operand, value: Operand, align: u64, volatile: bool, atomic: bool },
    /// `memcpy` (non-overlapping or identical) or `memmove` of `len` bytes; copies definedness and provenance too.
    MemCopy { dst: Operand, src: Operand, len: Operand, overlap_ok: bool, volatile: bool },
    /// Sets `len` bytes to an `i8`.
    MemSet { dst: Operand, byte: Operand, len: Operand, volatile: bool },
    /// Atomic read-modify-write with sequential meaning; result is the old value.
    AtomicRmw { op: RmwOp, ptr: Operand, value: Operand },
    /// Compare and exchange; results (old value, `i1` success). A weak one may fail though the values agree.
    CmpXchg { ptr: Operand, expected: Operand, new: Operand, weak: bool },

    /// A call. Results have the types of the callee's results.
    Call(Box<Call>),
    /// Starts a `va_list` at `list`: the object `list` points to is set so that every further argument is found in
    /// memory (the "overflow area" of the target's ABI).
    VaStart { list: Operand },
    /// Ends a `va_list`.
    VaEnd { list: Operand },
    /// Copies a `va_list`.
    VaCopy { dst: Operand, src: Operand },
    /// Inline assembly; results are unknown values, memory it may write becomes unknown.
    InlineAsm(Box<InlineAsm>),

    /// Fails with `kind` unless `ok` (an `i1`) is true.
    Check { kind: CheckKind, ok: Operand, detail: CheckDetail },
    /// Executions where `cond` is false do not exist (`__builtin_assume`); checked as `Unreachable` when reached false.
    Assume { cond: Operand },
    /// From here the C variable has this value; no effect.
    DebugValue { var: VarId, value: Operand },
    /// `__builtin_object_size`: the size, when known statically, else `unknown` (all ones or zero). Result is its type.
    /// `dynamic`: `__builtin_dynamic_object_size`, for which the program may also compute it.
    ObjectSize { ptr: Operand, unknown_is_zero: bool, dynamic: bool },
    /// `__builtin_frame_address` and similar: an unknown pointer or integer, described.
    Opaque { what: String },
    /// Something that is not modelled: an execution that reaches it ends as `unknown: reason`. Results are unknown.
    /// `code` and `operands` say what it is: those of the same meaning only are the same, however little is known of it.
    Unmodelled { reason: String, code: String, operands: Vec<Operand> },
}

/// A call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// A pointer; a direct call has `Const::Symbol`.
    pub callee: Operand,
    /// Arguments.
    pub args: Vec<Operand>,
    /// Call-site view of the arguments, one per argument.
    pub params: Vec<Param>,
    /// Call-site view: how many of the arguments are named (those beyond are variadic); `None`: not a variadic type.
    pub fixed: Option<u32>,
    /// Call site does not return.
    pub noreturn: bool,
    /// `setjmp`-like.
    pub returns_twice: bool,
}

/// Inline assembly, as text and constraints.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InlineAsm {
    /// Template.
    pub template: String,
    /// LLVM constraint string.
    pub constraints: String,
    /// Inputs.
    pub inputs: Vec<Operand>,
    /// Of the inputs, those that are addresses of memory outputs or in/outs (`=*m`, `+*m`), with bytes written.
    pub written: Vec<(Operand, u64)>,
    /// Clobbers `memory`: may write anything that escaped.
    pub clobbers_memory: bool,
    /// `volatile`, or without outputs.
    pub side_effects: bool,
}

impl InlineAsm {
    /// Does the template neither change registers nor memory? It is empty, or orders and delays accesses of this thread.
    #[must_use]
    pub fn does_nothing(&self) -> bool {
        let code = |l: &str| l.split('#').next().unwrap_or_default().trim().to_owned();
        let code: Vec<String> =
            self.template.split(['\n', ';']).map(code).filter(|l| !l.is_empty() && l != "rep").collect();
        let harmless = ["nop", "rep nop", "pause", "yield", "mfence", "lfence", "sfence", "isb", "dmb ish", "dsb sy"];
        code.iter().all(|l| harmless.contains(&l.as_str()))
    }

    /// A template that does nothing, without outputs: it keeps compiler and processor from moving memory accesses.
    #[must_use]
    pub fn is_barrier(&self) -> bool {
        self.written.is_empty() && !self.constraints.contains('=') && self.does_nothing()
    }
}

/// What a `check` is about, for the message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, Default)]
pub struct CheckDetail {
    /// Operation, e.g. `+`, `<<`, `index`; empty when the kind says it all.
    pub what: String,
    /// C type of the operation, as the compiler names it, e.g. `int`.
    pub ctype: String,
    /// The values that matter (operands, index), for the trace.
    pub operands: Vec<Operand>,
    /// Bound that matters: array length, width of the shifted type.
    pub bound: Option<u64>,
}

/// A step of an address computation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// A field of a record.
    Field {
        /// The record, when the debug information identifies it.
        record: Option<TypeId>,
        /// Index in [`crate::types::Record::fields`] when `record` is given (the first field that lies there, for a
        /// union or bit-fields), else in the layout type.
        index: u32,
        /// Byte offset.
        offset: u64,
    },
    /// An element: `index * stride` bytes, the index sign-extended.
    Index {
        /// Element type, when known.
        elem: Option<TypeId>,
        /// Index, any integer width.
        index: Operand,
        /// Bytes per element.
        stride: u64,
        /// Declared length of the array, when stepping into one; `None` for pointer arithmetic.
        count: Option<u64>,
    },
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Terminator {
    /// Unconditional.
    Jump(Edge),
    /// On an `i1`.
    Branch { cond: Operand, then: Edge, other: Edge },
    /// On an integer; `cases` have distinct values (zero-extended limbs as constants of the operand's width).
    Switch { value: Operand, cases: Vec<(crate::constant::Const, Edge)>, default: Edge },
    /// Computed `goto`: the address is that of one of the targets' blocks, else `InvalidCall` fails.
    IndirectJump { address: Operand, targets: Vec<Edge> },
    /// Return.
    Return(Vec<Operand>),
    /// A call that may unwind (C++). The results are parameters of the `normal` block, prepended.
    Invoke { call: Box<Call>, normal: Edge, unwind: Edge },
    /// Continue unwinding (C++).
    Resume(Vec<Operand>),
    /// Control never gets here: reaching it fails `CheckKind::Unreachable`, except after a call that does not return.
    Unreachable,
}

/// A successor with the arguments for its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// Successor.
    pub block: Block,
    /// One per parameter.
    pub args: Vec<Operand>,
}

impl Edge {
    /// A successor without arguments.
    pub fn to(block: Block) -> Edge {
        Edge { block, args: Vec::new() }
    }
}

/// Flags that forbid results; violating one is a check failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Default)]
pub struct ArithFlags {
    /// No signed wrap.
    pub nsw: bool,
    /// No unsigned wrap.
    pub nuw: bool,
    /// Division without remainder, shift without lost bits.
    pub exact: bool,
}

macro_rules! ops {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),* }
        impl $name {
            /// All, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];
            /// The mnemonic in the text form.
            pub fn name(self) -> &'static str { match self { $($name::$variant => $text),* } }
            /// By mnemonic.
            pub fn from_name(s: &str) -> Option<$name> { match s { $($text => Some($name::$variant),)* _ => None } }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) }
        }
    };
}

ops!(/// Integer arithmetic.
    BinOp { Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem",
    Shl = "shl", LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor",
    SMin = "smin", SMax = "smax", UMin = "umin", UMax = "umax",
    SAddSat = "sadd.sat", UAddSat = "uadd.sat", SSubSat = "ssub.sat", USubSat = "usub.sat",
    SShlSat = "sshl.sat", UShlSat = "ushl.sat" });
ops!(/// Arithmetic with an overflow bit.
    OverflowOp { SAdd = "sadd", UAdd = "uadd", SSub = "ssub", USub = "usub", SMul = "smul", UMul = "umul" });
ops!(/// Integer comparison.
    IntPred { Eq = "eq", Ne = "ne", Ult = "ult", Ule = "ule", Ugt = "ugt", Uge = "uge",
    Slt = "slt", Sle = "sle", Sgt = "sgt", Sge = "sge" });

impl IntPred {
    /// As C writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            IntPred::Eq => "==",
            IntPred::Ne => "!=",
            IntPred::Ult | IntPred::Slt => "<",
            IntPred::Ule | IntPred::Sle => "<=",
            IntPred::Ugt | IntPred::Sgt => ">",
            IntPred::Uge | IntPred::Sge => ">=",
        }
    }

    /// The predicate that holds where this one does not.
    #[must_use]
    pub fn negated(self) -> IntPred {
        match self {
            IntPred::Eq => IntPred::Ne,
            IntPred::Ne => IntPred::Eq,
            IntPred::Ult => IntPred::Uge,
            IntPred::Uge => IntPred::Ult,
            IntPred::Ule => IntPred::Ugt,
            IntPred::Ugt => IntPred::Ule,
            IntPred::Slt => IntPred::Sge,
            IntPred::Sge => IntPred::Slt,
            IntPred::Sle => IntPred::Sgt,
            IntPred::Sgt => IntPred::Sle,
        }
    }

    /// The predicate with the operands exchanged.
    #[must_use]
    pub fn swapped(self) -> IntPred {
        match self {
            IntPred::Eq | IntPred::Ne => self,
            IntPred::Ult => IntPred::Ugt,
            IntPred::Ugt => IntPred::Ult,
            IntPred::Ule => IntPred::Uge,
            IntPred::Uge => IntPred::Ule,
            IntPred::Slt => IntPred::Sgt,
            IntPred::Sgt => IntPred::Slt,
            IntPred::Sle => IntPred::Sge,
            IntPred::Sge => IntPred::Sle,
        }
    }

    /// It holds of the low `width` bits of two numbers, 1 to 128.
    pub fn holds(self, width: u32, a: u128, b: u128) -> bool {
        let up = 128 - width.clamp(1, 128);
        let (a, b) = (a << up, b << up);
        let (x, y) = (a as i128, b as i128);
        match self {
            IntPred::Eq => a == b,
            IntPred::Ne => a != b,
            IntPred::Ult => a < b,
            IntPred::Ule => a <= b,
            IntPred::Ugt => a > b,
            IntPred::Uge => a >= b,
            IntPred::Slt => x < y,
            IntPred::Sle => x <= y,
            IntPred::Sgt => x > y,
            IntPred::Sge => x >= y,
        }
    }
}

ops!(/// Floating-point arithmetic.
    FBinOp { Add = "fadd", Sub = "fsub", Mul = "fmul", Div = "fdiv", Rem = "frem", CopySign = "copysign",
    MinNum = "minnum", MaxNum = "maxnum", Minimum = "minimum", Maximum = "maximum", Pow = "pow", Ldexp = "ldexp" });
ops!(/// Floating-point comparison: `o` is ordered (false on NaN), `u` unordered (true on NaN).
    FloatPred { False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one",
    Ord = "ord", Uno = "uno", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une",
    True = "true" });
ops!(/// Integer operations of one operand. `ctlz`/`cttz` of 0 is the width; `abs` of the minimum is itself.
    UnOp { CtPop = "ctpop", CtLz = "ctlz", CtTz = "cttz", BSwap = "bswap", BitReverse = "bitreverse", Abs = "abs" });
ops!(/// Floating-point operations of one operand.
    FUnOp { Neg = "fneg", Abs = "fabs", Sqrt = "sqrt", Floor = "floor", Ceil = "ceil", Trunc = "ftrunc", Rint = "rint",
    NearbyInt = "nearbyint", Round = "round", RoundEven = "roundeven", Sin = "sin", Cos = "cos", Tan = "tan",
    Exp = "exp", Exp2 = "exp2", Exp10 = "exp10", Log = "log", Log2 = "log2", Log10 = "log10" });
ops!(/// Conversions.
    CastOp { Trunc = "trunc", ZExt = "zext", SExt = "sext", FpTrunc = "fptrunc", FpExt = "fpext",
    FpToUi = "fptoui", FpToSi = "fptosi", FpToUiSat = "fptoui.sat", FpToSiSat = "fptosi.sat", UiToFp = "uitofp",
    SiToFp = "sitofp", PtrToInt = "ptrtoint", IntToPtr = "inttoptr", Bitcast = "bitcast",
    LRint = "lrint", LRound = "lround" });
ops!(/// Atomic read-modify-write.
    RmwOp { Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor",
    Max = "max", Min = "min", UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub", FMax = "fmax", FMin = "fmin",
    UIncWrap = "uinc.wrap", UDecWrap = "udec.wrap" });

impl InstKind {
    /// Calls `f` on every operand, in textual order.
    pub fn for_each_operand<'a>(&'a self, mut f: impl FnMut(&'a Operand)) {
        use InstKind::*;
        match self {
            Binary { lhs, rhs, .. }
            | Icmp { lhs, rhs, .. }
            | FBinary { lhs, rhs, .. }
            | Fcmp { lhs, rhs, .. }
            | Overflow { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(f),
            Unary { arg, .. } | FUnary { arg, .. } | Cast { arg, .. } | Freeze { arg } => f(arg),
            Fma { a, b, c } => [a, b, c].into_iter().for_each(f),
            Select { cond, then, other } => [cond, then, other].into_iter().for_each(f),
            Funnel { hi, lo, amount, .. } => [hi, lo, amount].into_iter().for_each(f),
            Uninit | StackSave | Opaque { .. } => {}
            Unmodelled { operands, .. } => operands.iter().for_each(f),
            Addr { base, steps, .. } => {
                f(base);
                for s in steps {
                    if let Step::Index { index, .. } = s {
                        f(index);
                    }
                }
            }
            Alloca { count, .. } => f(count),
            LifetimeStart { object } | LifetimeEnd { object } => f(object),
            StackRestore { token } => f(token),
            Load { ptr, .. } | ObjectSize { ptr, .. } => f(ptr),
            Store { ptr, value, .. } | AtomicRmw { ptr, value, .. } => [ptr, value].into_iter().for_each(f),
            MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(f),
            MemSet { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(f),
            CmpXchg { ptr, expected, new, .. } => [ptr, expected, new].into_iter().for_each(f),
            Call(c) => c.for_each_operand(f),
            VaStart { list } | VaEnd { list } => f(list),
            VaCopy { dst, src } => [dst, src].into_iter().for_each(f),
            InlineAsm(a) => {
                a.inputs.iter().for_each(&mut f);
                a.written.iter().for_each(|(o, _)| f(o));
            }
            Check { ok, detail, .. } => {
                f(ok);
                detail.operands.iter().for_each(f);
            }
            Assume { cond } => f(cond),
            DebugValue { value, .. } => f(value),
        }
    }

    /// Calls `f` on every operand, in textual order, to be replaced in place.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        use InstKind::*;
        match self {
            Binary { lhs, rhs, .. }
            | Icmp { lhs, rhs, .. }
            | FBinary { lhs, rhs, .. }
            | Fcmp { lhs, rhs, .. }
            | Overflow { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(f),
            Unary { arg, .. } | FUnary { arg, .. } | Cast { arg, .. } | Freeze { arg } => f(arg),
            Fma { a, b, c } => [a, b, c].into_iter().for_each(f),
            Select { cond, then, other } => [cond, then, other].into_iter().for_each(f),
            Funnel { hi, lo, amount, .. } => [hi, lo, amount].into_iter().for_each(f),
            Uninit | StackSave | Opaque { .. } => {}
            Unmodelled { operands, .. } => operands.iter_mut().for_each(f),
            Addr { base, steps, .. } => {
                f(base);
                for s in steps {
                    if let Step::Index { index, .. } = s {
                        f(index);
                    }
                }
            }
            Alloca { count, .. } => f(count),
            LifetimeStart { object } | LifetimeEnd { object } => f(object),
            StackRestore { token } => f(token),
            Load { ptr, .. } | ObjectSize { ptr, .. } => f(ptr),
            Store { ptr, value, .. } | AtomicRmw { ptr, value, .. } => [ptr, value].into_iter().for_each(f),
            MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(f),
            MemSet { dst, byte, len, .. } => [dst, byte, len].into_iter().for_each(f),
            CmpXchg { ptr, expected, new, .. } => [ptr, expected, new].into_iter().for_each(f),
            Call(c) => {
                f(&mut c.callee);
                c.args.iter_mut().for_each(f);
            }
            VaStart { list } | VaEnd { list } => f(list),
            VaCopy { dst, src } => [dst, src].into_iter().for_each(f),
            InlineAsm(a) => {
                a.inputs.iter_mut().for_each(&mut f);
                a.written.iter_mut().for_each(|(o, _)| f(o));
            }
            Check { ok, detail, .. } => {
                f(ok);
                detail.operands.iter_mut().for_each(f);
            }
            Assume { cond } => f(cond),
            DebugValue { value, .. } => f(value),
        }
    }
}

impl Call {
    /// Calls `f` on the callee and every argument.
    pub fn for_each_operand<'a>(&'a self, mut f: impl FnMut(&'a Operand)) {
        f(&self.callee);
        self.args.iter().for_each(f);
    }
}

impl Terminator {
    /// Successors, in order, with repetitions.
    pub fn targets(&self) -> Vec<&Edge> {
        match self {
            Terminator::Jump(t) => vec![t],
            Terminator::Branch { then, other, .. } => vec![then, other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, t)| t).chain(std::iter::once(default)).collect()
            }
            Terminator::IndirectJump { targets, .. } => targets.iter().collect(),
            Terminator::Invoke { normal, unwind, .. } => vec![normal, unwind],
            Terminator::Return(_) | Terminator::Resume(_) | Terminator::Unreachable => vec![],
        }
    }

    /// Successors, to be changed in place.
    pub fn targets_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Terminator::Jump(t) => vec![t],
            Terminator::Branch { then, other, .. } => vec![then, other],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|(_, t)| t).chain(std::iter::once(default)).collect()
            }
            Terminator::IndirectJump { targets, .. } => targets.iter_mut().collect(),
            Terminator::Invoke { normal, unwind, .. } => vec![normal, unwind],
            Terminator::Return(_) | Terminator::Resume(_) | Terminator::Unreachable => vec![],
        }
    }

    /// Calls `f` on every operand: the condition first, then the arguments of the targets.
    pub fn for_each_operand<'a>(&'a self, mut f: impl FnMut(&'a Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::IndirectJump { address, .. } => f(address),
            Terminator::Return(vs) | Terminator::Resume(vs) => vs.iter().for_each(&mut f),
            Terminator::Invoke { call, .. } => call.for_each_operand(&mut f),
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for t in self.targets() {
            t.args.iter().for_each(&mut f);
        }
    }

    /// Calls `f` on every operand, to be replaced in place.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond, .. } => f(cond),
            Terminator::Switch { value, .. } => f(value),
            Terminator::IndirectJump { address, .. } => f(address),
            Terminator::Return(vs) | Terminator::Resume(vs) => vs.iter_mut().for_each(&mut f),
            Terminator::Invoke { call, .. } => {
                f(&mut call.callee);
                call.args.iter_mut().for_each(&mut f);
            }
            Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for t in self.targets_mut() {
            t.args.iter_mut().for_each(&mut f);
        }
    }
}
