//! Functions and their bodies: control-flow graphs in SSA form with block parameters instead of phi nodes.

use crate::constant::Operand;
use crate::entity::{Block, SpanId, TypeId, UnitId, Value, VarId};
use crate::inst::{Inst, Terminator};
use crate::module::{Linkage, Visibility};
use crate::types::Ty;
use serde::{Deserialize, Serialize};

/// A function, declared or defined.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Linker name.
    pub name: String,
    /// Unit of the definition (or of the first declaration).
    pub unit: UnitId,
    /// Linkage.
    pub linkage: Linkage,
    /// Visibility.
    pub visibility: Visibility,
    /// COMDAT group.
    pub comdat: Option<String>,
    /// Signature.
    pub sig: Signature,
    /// Attributes.
    pub attrs: FnAttrs,
    /// C function type.
    pub ctype: Option<TypeId>,
    /// Definition (or declaration) in the source.
    pub span: SpanId,
    /// `None` for a declaration.
    pub body: Option<Body>,
}

/// Machine-level signature: aggregates are already split or passed by address as the C ABI says.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Default)]
pub struct Signature {
    /// Parameters.
    pub params: Vec<Param>,
    /// Results; a struct returned in registers gives several.
    pub results: Vec<Ty>,
    /// Takes further arguments.
    pub variadic: bool,
}

/// A parameter of a signature, or an argument of a call site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Type.
    pub ty: Ty,
    /// How the value is passed and what the caller promises.
    pub attrs: ParamAttrs,
}

impl Param {
    /// Both sides of a call agree on whether the value goes in a register or is a copy of an object, of how many bytes.
    pub fn goes_like(&self, other: &Param) -> bool {
        let copied = |p: &Param| p.attrs.byval.map(|(size, _)| size);
        copied(self) == copied(other)
    }

    /// A parameter without attributes.
    pub fn plain(ty: Ty) -> Param {
        Param { ty, attrs: ParamAttrs::default() }
    }
}

/// Attributes of parameters and arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Default)]
pub struct ParamAttrs {
    /// The pointer designates an argument that the callee receives as its own copy of (size, alignment) bytes.
    pub byval: Option<(u64, u64)>,
    /// The pointer is where the callee writes the returned struct of this many bytes.
    pub sret: Option<u64>,
    /// The value must not be null (`nonnull` attribute in C).
    pub nonnull: bool,
    /// This and the next `lanes - 1` values are the lanes of one vector; they lie contiguously in memory as a
    /// variadic argument. 0 or 1: not a vector.
    pub lanes: u32,
    /// What is in the rest of the register.
    pub extension: Extension,
    /// Passed in a register, where the target's rule is another one (`regparm`).
    pub in_register: bool,
}

/// How a value that is narrower than a register is widened by who passes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Default)]
pub enum Extension {
    /// The rest is anything.
    #[default]
    Any,
    /// By its sign.
    Sign,
    /// By zeros.
    Zero,
}

/// Function attributes that matter to an analysis.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Default)]
pub struct FnAttrs {
    /// Does not return.
    pub noreturn: bool,
    /// `setjmp` and friends.
    pub returns_twice: bool,
    /// Body is only inline assembly.
    pub naked: bool,
    /// Returns memory that nothing else points to (`__attribute__((malloc))`).
    pub malloc: bool,
    /// `alloc_size`: indices of the factor parameters.
    pub alloc_size: Option<(u32, Option<u32>)>,
    /// Returned pointer is never null.
    pub returns_nonnull: bool,
    /// Reads and writes no memory.
    pub no_memory: bool,
    /// Writes no memory.
    pub read_only: bool,
    /// Declared without prototype: calls may disagree with the definition.
    pub no_prototype: bool,
    /// Memory orders of atomic accesses and fences, as the compiler numbers them, each with the number of loads, stores
    /// and calls before it: executions here are of one thread, to which orders mean nothing; to those who compare code
    /// they do.
    pub memory_orders: Vec<(u32, u32)>,
    /// Calling convention, as the compiler numbers them; 0 is that of C.
    pub convention: u32,
    /// What is in the rest of the register that the result is in.
    pub result_extension: Extension,
    /// What the compiler is told beside the instructions and executions here do not depend on, each with the number of
    /// loads, stores and calls before it: conventions of calls, alignments to be taken for granted.
    pub beside: Vec<(u32, String)>,
}

/// The body of a function. Block 0 is the entry; its parameters are the function's parameters; it has no predecessors.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, Default)]
pub struct Body {
    /// All SSA values; each is defined exactly once, as a block parameter or instruction result.
    pub values: Vec<ValueData>,
    /// Blocks.
    pub blocks: Vec<BlockData>,
    /// C variables, for messages.
    pub vars: Vec<Var>,
}

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ValueData {
    /// Type.
    pub ty: Ty,
    /// The C variable that this value is the (or a) content of, or, for an `alloca`, the variable it is.
    pub var: Option<VarId>,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BlockData {
    /// Block parameters (phi nodes).
    pub params: Vec<Value>,
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub term: Terminator,
    /// Position of the terminator.
    pub term_span: SpanId,
}

/// A C variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Var {
    /// Name.
    pub name: String,
    /// Type.
    pub ctype: Option<TypeId>,
    /// Declaration.
    pub span: SpanId,
    /// Parameter number from 1, 0 for a local.
    pub param: u32,
}

/// A place in a body: an instruction, or the terminator when `inst` equals the number of instructions of the block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Loc {
    /// Block.
    pub block: Block,
    /// Index in the block.
    pub inst: u32,
}

impl Body {
    /// The block.
    pub fn block(&self, b: Block) -> &BlockData {
        &self.blocks[b.index()]
    }
    /// The type of a value.
    pub fn ty(&self, v: Value) -> Ty {
        self.values[v.index()].ty
    }
    /// The type of an operand.
    pub fn operand_ty(&self, o: &Operand) -> Ty {
        match o {
            Operand::Value(v) => self.ty(*v),
            Operand::Const(c) => c.ty(),
        }
    }
    /// The position of a place.
    pub fn span_at(&self, l: Loc) -> SpanId {
        let b = self.block(l.block);
        b.insts.get(l.inst as usize).map_or(b.term_span, |i| i.span)
    }
    /// All blocks in order.
    pub fn block_ids(&self) -> impl Iterator<Item = Block> + use<> {
        (0..self.blocks.len()).map(Block::new)
    }
    /// A new value.
    pub fn new_value(&mut self, ty: Ty, var: Option<VarId>) -> Value {
        self.values.push(ValueData { ty, var });
        Value::new(self.values.len() - 1)
    }
}
