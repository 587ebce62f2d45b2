//! Where each SSA value of a body is defined, and what a pointer is derived from by constant address arithmetic.

use verify_ir::{Block, Body, Const, Global, Inst, InstKind, Linkage, Module, Operand, Step, SymbolRef, Value};

/// The definition of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Def {
    /// The n-th parameter of a block.
    Param(Block, u32),
    /// A result of an instruction.
    Inst(Block, u32),
    /// Nowhere (malformed body).
    None,
}

/// Definitions of all values of a body.
pub struct Defs<'a> {
    body: &'a Body,
    table: Vec<Def>,
}

impl<'a> Defs<'a> {
    /// Collects them.
    pub fn new(body: &'a Body) -> Defs<'a> {
        let mut table = vec![Def::None; body.values.len()];
        for b in body.block_ids() {
            let data = body.block(b);
            for (i, v) in data.params.iter().enumerate() {
                table[v.index()] = Def::Param(b, i as u32);
            }
            for (i, inst) in data.insts.iter().enumerate() {
                for v in &inst.results {
                    table[v.index()] = Def::Inst(b, i as u32);
                }
            }
        }
        Defs { body, table }
    }
    /// The body.
    pub fn body(&self) -> &'a Body {
        self.body
    }
    /// Where `v` is defined.
    pub fn def(&self, v: Value) -> Def {
        self.table[v.index()]
    }
    /// The instruction that defines `v`.
    pub fn inst(&self, v: Value) -> Option<&'a Inst> {
        match self.def(v) {
            Def::Inst(b, i) => self.body.block(b).insts.get(i as usize),
            _ => None,
        }
    }
    /// The instruction that defines the operand.
    pub fn inst_of(&self, o: &Operand) -> Option<&'a Inst> {
        self.inst(o.as_value()?)
    }

    /// The object that a pointer certainly points to, and the offset in it where that is constant.
    pub fn root(&self, module: &Module, ptr: &Operand) -> Root {
        let mut offset = Some(0i128);
        let mut at = ptr.clone();
        // Address chains are short; a cycle needs a block parameter, which ends the walk.
        for _ in 0..64 {
            match &at {
                Operand::Const(Const::Symbol(s)) => {
                    let replaceable = module.weak_alias(*s).is_some();
                    let (s, extra) = module.resolve(*s);
                    let offset = offset.map(|o| o + i128::from(extra));
                    return match s {
                        _ if replaceable => Root { object: Object::Unknown, offset: None },
                        SymbolRef::Global(g) if is_definite(module.global(g)) => {
                            let g = module.global(g);
                            Root { object: Object::Global { size: g.size, constant: g.constant }, offset }
                        }
                        SymbolRef::Func(_) => Root { object: Object::Function, offset },
                        _ => Root { object: Object::Unknown, offset },
                    };
                }
                Operand::Const(Const::Null) => return Root { object: Object::Null, offset },
                Operand::Const(_) => return Root { object: Object::Unknown, offset },
                Operand::Value(v) => match self.inst(*v).map(|i| &i.kind) {
                    Some(InstKind::Addr { base, steps, .. }) => {
                        for s in steps {
                            offset = add_step(offset, s);
                        }
                        at = base.clone();
                    }
                    Some(InstKind::Alloca { elem_size, count, .. }) => {
                        let size = match count {
                            Operand::Const(Const::Int { value, .. }) => {
                                u64::try_from(*value).ok().and_then(|n| n.checked_mul(*elem_size))
                            }
                            _ => None,
                        };
                        return Root { object: Object::Stack { size, value: *v }, offset };
                    }
                    _ => return Root { object: Object::Unknown, offset },
                },
            }
        }
        Root { object: Object::Unknown, offset: None }
    }
}

fn add_step(offset: Option<i128>, s: &Step) -> Option<i128> {
    match s {
        Step::Field { offset: o, .. } => offset.map(|x| x + i128::from(*o)),
        Step::Index { index: Operand::Const(Const::Int { width, value }), stride, .. } => {
            offset.map(|x| x + sign_extend(*width, *value).saturating_mul(i128::from(*stride)))
        }
        Step::Index { .. } => None,
    }
}

/// The two's complement reading of the low `width` bits.
pub fn sign_extend(width: u32, value: u128) -> i128 {
    if width == 0 || width >= 128 {
        return value as i128;
    }
    let s = 128 - width;
    ((value << s) as i128) >> s
}

/// The definition in this program is the one that is used.
pub fn is_definite(g: &Global) -> bool {
    g.init.is_some() && !matches!(g.linkage, Linkage::Weak | Linkage::AvailableExternally)
        || g.linkage == Linkage::Common
}

/// What a pointer certainly points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root {
    /// Object.
    pub object: Object,
    /// Byte offset, where constant.
    pub offset: Option<i128>,
}

/// The object of a [`Root`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// A stack object of this function; its size where constant, and the `alloca`.
    Stack {
        /// Bytes.
        size: Option<u64>,
        /// Result of the `alloca`.
        value: Value,
    },
    /// A defined global.
    Global {
        /// Bytes.
        size: u64,
        /// Not to be written.
        constant: bool,
    },
    /// The code of a function.
    Function,
    /// No object.
    Null,
    /// Anything.
    Unknown,
}
