//! Random modules from a string of choices: every variant and field of the data structures, ids in range of their
//! tables, each call with as many arguments as descriptions; otherwise as odd as the choices say. Shrinks with its bytes.
#![allow(dead_code)]

use verify_ir::inst::*;
use verify_ir::module::*;
use verify_ir::types::*;
use verify_ir::*;

fn extension(c: &mut Choices<'_>) -> Extension {
    [Extension::Any, Extension::Sign, Extension::Zero][c.below(3)]
}

/// Choices read from bytes; zeros when they run out.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Choices { bytes }
    }
    fn byte(&mut self) -> u8 {
        let Some((b, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *b
    }
    fn below(&mut self, n: usize) -> usize {
        let v =
            if n > 200 { usize::from(self.byte()) << 8 | usize::from(self.byte()) } else { usize::from(self.byte()) };
        v % n.max(1)
    }
    fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }
    fn wide(&mut self) -> u128 {
        let n = self.below(17);
        (0..n).fold(0, |v, _| v << 8 | u128::from(self.byte()))
    }
    fn u64(&mut self) -> u64 {
        self.wide() as u64
    }
    fn u32(&mut self) -> u32 {
        self.wide() as u32
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
    fn list<T>(&mut self, max: usize, mut f: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let n = self.below(max + 1);
        (0..n).map(|_| f(self)).collect()
    }
    fn option<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.flag() { Some(f(self)) } else { None }
    }
    fn text(&mut self) -> String {
        const PIECES: &[&str] = &[
            "", "x", "main", "func3", "a b", "\"", "\\", "\n", "\t\r\0", "é", "\u{7}", "\u{85}", ";", "{", "@", "x.1$",
        ];
        let n = self.below(4);
        (0..n).map(|_| self.of(PIECES)).collect()
    }
    fn float_kind(&mut self) -> FloatKind {
        use FloatKind::*;
        self.of(&[Half, BFloat, Single, Double, X87, Quad])
    }
    fn ty(&mut self) -> Ty {
        match self.below(4) {
            0 => Ty::Int(self.of(&[1, 7, 8, 16, 32, 64, 65, 128, 129, 256, 300])),
            1 => Ty::Ptr,
            2 => Ty::Float(self.float_kind()),
            _ => Ty::Int(32),
        }
    }
}

struct Sizes {
    units: usize,
    files: usize,
    spans: usize,
    types: usize,
    globals: usize,
    functions: usize,
    aliases: usize,
}

struct Gen<'a, 'b> {
    c: &'b mut Choices<'a>,
    n: Sizes,
}

/// A module from choices.
pub fn module(c: &mut Choices) -> Module {
    let n = Sizes {
        units: 1 + c.below(2),
        files: 1 + c.below(3),
        spans: 1 + c.below(4),
        types: 1 + c.below(12),
        globals: 1 + c.below(4),
        functions: 1 + c.below(4),
        aliases: 1 + c.below(2),
    };
    Gen { c, n }.module()
}

impl Gen<'_, '_> {
    fn unit(&mut self) -> UnitId {
        UnitId::new(self.c.below(self.n.units))
    }
    fn file(&mut self) -> FileId {
        FileId::new(self.c.below(self.n.files))
    }
    fn span(&mut self) -> SpanId {
        SpanId::new(self.c.below(self.n.spans))
    }
    fn ctype(&mut self) -> TypeId {
        TypeId::new(self.c.below(self.n.types))
    }
    fn opt_ctype(&mut self) -> Option<TypeId> {
        if self.c.flag() { Some(self.ctype()) } else { None }
    }
    fn func(&mut self) -> FuncId {
        FuncId::new(self.c.below(self.n.functions))
    }
    fn symbol(&mut self) -> SymbolRef {
        match self.c.below(3) {
            0 => SymbolRef::Func(self.func()),
            1 => SymbolRef::Global(GlobalId::new(self.c.below(self.n.globals))),
            _ => SymbolRef::Alias(AliasId::new(self.c.below(self.n.aliases))),
        }
    }
    fn linkage(&mut self) -> Linkage {
        use Linkage::*;
        self.c.of(&[External, Internal, Weak, Common, AvailableExternally, Appending])
    }
    fn visibility(&mut self) -> Visibility {
        self.c.of(&[Visibility::Default, Visibility::Hidden, Visibility::Protected])
    }

    fn module(mut self) -> Module {
        let target =
            Target { triple: self.c.text(), pointer_bits: self.c.of(&[64, 32, 16]), big_endian: self.c.flag() };
        let c = &mut *self.c;
        let units = (0..self.n.units)
            .map(|_| UnitInfo {
                source: c.text(),
                directory: c.text(),
                producer: c.text(),
                language: c.text(),
                flags: c.text(),
                model: c.flag(),
            })
            .collect();
        let files = (0..self.n.files)
            .map(|_| SourceFile {
                path: c.text(),
                directory: c.text(),
                hash: std::array::from_fn(|i| if i < 2 { c.byte() } else { 7 }),
                text: c.option(|c| c.text().into()),
                system: c.flag(),
            })
            .collect();
        let spans = (0..self.n.spans)
            .map(|_| Span {
                file: self.file(),
                line: self.c.u32(),
                column: self.c.u32(),
                inlined_at: if self.c.flag() { Some(self.span()) } else { None },
            })
            .collect();
        let ctypes = (0..self.n.types).map(|_| self.c_type()).collect();
        let globals = (0..self.n.globals).map(|_| self.global()).collect();
        let functions = (0..self.n.functions).map(|_| self.function()).collect();
        let aliases = (0..self.n.aliases)
            .map(|_| Alias {
                name: self.c.text(),
                linkage: self.linkage(),
                visibility: self.visibility(),
                target: self.symbol(),
                offset: self.c.u64(),
                ifunc: self.c.flag(),
                unit: self.unit(),
            })
            .collect();
        let structors = |g: &mut Self| {
            let n = g.c.below(3);
            (0..n).map(|_| Structor { priority: g.c.u32(), func: g.func() }).collect()
        };
        let (constructors, destructors) = (structors(&mut self), structors(&mut self));
        let n = self.c.below(3);
        let macros = (0..n)
            .map(|_| verify_ir::MacroDef {
                name: self.c.text(),
                body: self.c.text(),
                file: if self.c.flag() { Some(self.file()) } else { None },
                line: self.c.u32(),
                undef: self.c.flag(),
            })
            .collect();
        let unmodelled = self.c.list(2, |c| c.text());
        Module {
            target,
            units,
            files,
            spans,
            ctypes,
            globals,
            functions,
            aliases,
            constructors,
            destructors,
            macros,
            unmodelled,
        }
    }

    fn c_type(&mut self) -> CType {
        match self.c.below(10) {
            0 => CType::Void,
            1 => {
                use Encoding::*;
                CType::Base {
                    name: self.c.text(),
                    encoding: self.c.of(&[
                        Bool,
                        Signed,
                        Unsigned,
                        SignedChar,
                        UnsignedChar,
                        Float,
                        ComplexFloat,
                        Other,
                    ]),
                    bits: self.c.u32(),
                }
            }
            2 => CType::Pointer(self.ctype()),
            3 | 4 => {
                let n = self.c.below(4);
                CType::Record(Record {
                    name: self.c.text(),
                    is_union: self.c.flag(),
                    size: self.c.u64(),
                    align: self.c.u64(),
                    incomplete: self.c.flag(),
                    fields: (0..n)
                        .map(|_| Field {
                            name: self.c.text(),
                            ty: self.ctype(),
                            bit_offset: self.c.u64(),
                            bit_size: self.c.u64(),
                            bit_field: self.c.flag(),
                        })
                        .collect(),
                })
            }
            5 => CType::Array { elem: self.ctype(), count: self.c.option(|c| c.u64()) },
            6 => CType::Enum {
                name: self.c.text(),
                underlying: self.ctype(),
                enumerators: self.c.list(3, |c| (c.text(), c.wide() as i128)),
            },
            7 => CType::Typedef { name: self.c.text(), ty: self.ctype() },
            8 => {
                let all = [Qualifier::Const, Qualifier::Volatile, Qualifier::Restrict, Qualifier::Atomic];
                CType::Qualified { qualifier: self.c.of(&all), ty: self.ctype() }
            }
            _ => {
                let n = self.c.below(3);
                CType::Function {
                    ret: self.ctype(),
                    params: (0..n).map(|_| self.ctype()).collect(),
                    variadic: self.c.flag(),
                }
            }
        }
    }

    fn init_data(&mut self, outer: bool) -> InitData {
        match self.c.below(if outer { 5 } else { 4 }) {
            0 => InitData::Bytes(self.c.list(5, |c| c.byte())),
            1 => InitData::Address { symbol: self.symbol(), addend: self.c.u64() as i64, size: self.c.u32() },
            2 => InitData::BlockAddr { func: self.func(), block: Block(self.c.u32()), size: self.c.u32() },
            3 => InitData::Undef(self.c.u64()),
            _ => InitData::Difference {
                left: Box::new(self.init_data(false)),
                right: Box::new(self.init_data(false)),
                addend: self.c.u64() as i64,
                size: self.c.u32(),
            },
        }
    }

    fn global(&mut self) -> Global {
        let init = if self.c.flag() {
            let n = self.c.below(4);
            let pieces = (0..n).map(|_| InitPiece { offset: self.c.u64(), data: self.init_data(true) }).collect();
            Some(Init { pieces })
        } else {
            None
        };
        Global {
            name: self.c.text(),
            source_name: self.c.text(),
            unit: self.unit(),
            linkage: self.linkage(),
            visibility: self.visibility(),
            comdat: self.c.option(|c| c.text()),
            section: self.c.option(|c| c.text()),
            thread_local: self.c.flag(),
            constant: self.c.flag(),
            compiler_made: self.c.flag(),
            size: self.c.u64(),
            align: self.c.u64(),
            ctype: self.opt_ctype(),
            span: self.span(),
            init,
        }
    }

    fn extension(&mut self) -> Extension {
        extension(self.c)
    }

    fn param(&mut self) -> Param {
        Param {
            ty: self.c.ty(),
            attrs: ParamAttrs {
                byval: self.c.option(|c| (c.u64(), c.u64())),
                sret: self.c.option(|c| c.u64()),
                nonnull: self.c.flag(),
                lanes: self.c.u32(),
                extension: self.extension(),
                in_register: self.c.flag(),
            },
        }
    }

    fn params(&mut self) -> Vec<Param> {
        let n = self.c.below(4);
        (0..n).map(|_| self.param()).collect()
    }

    fn function(&mut self) -> Function {
        let c = &mut *self.c;
        let attrs = FnAttrs {
            noreturn: c.flag(),
            returns_twice: c.flag(),
            naked: c.flag(),
            malloc: c.flag(),
            alloc_size: c.option(|c| (c.u32(), c.option(|c| c.u32()))),
            returns_nonnull: c.flag(),
            no_memory: c.flag(),
            read_only: c.flag(),
            no_prototype: c.flag(),
            memory_orders: (0..c.below(3)).map(|_| (c.u32(), c.u32())).collect(),
            convention: c.u32(),
            result_extension: extension(c),
            beside: (0..c.below(3)).map(|_| (c.u32(), c.text())).collect(),
        };
        Function {
            name: self.c.text(),
            unit: self.unit(),
            linkage: self.linkage(),
            visibility: self.visibility(),
            comdat: self.c.option(|c| c.text()),
            sig: Signature { params: self.params(), results: self.c.list(2, |c| c.ty()), variadic: self.c.flag() },
            attrs,
            ctype: self.opt_ctype(),
            span: self.span(),
            body: if self.c.flag() { Some(self.body()) } else { None },
        }
    }

    fn body(&mut self) -> Body {
        let vars = self.c.below(3);
        let values = 1 + self.c.below(12);
        let blocks = self.c.below(5);
        let vars: Vec<Var> = (0..vars)
            .map(|_| Var { name: self.c.text(), ctype: self.opt_ctype(), span: self.span(), param: self.c.u32() })
            .collect();
        let values = (0..values)
            .map(|_| ValueData {
                ty: self.c.ty(),
                var: if vars.is_empty() { None } else { self.c.option(|c| VarId::new(c.below(vars.len()))) },
            })
            .collect();
        let mut body = Body { values, blocks: Vec::new(), vars };
        for _ in 0..blocks {
            let params = self.values(&body, 3);
            let n = self.c.below(6);
            let insts = (0..n)
                .map(|_| Inst { results: self.values(&body, 2), kind: self.kind(&body), span: self.span() })
                .collect();
            let term = self.term(&body, blocks);
            body.blocks.push(BlockData { params, insts, term, term_span: self.span() });
        }
        body
    }

    fn value(&mut self, b: &Body) -> Value {
        Value::new(self.c.below(b.values.len()))
    }

    fn values(&mut self, b: &Body, max: usize) -> Vec<Value> {
        let n = self.c.below(max + 1);
        (0..n).map(|_| self.value(b)).collect()
    }

    fn constant(&mut self) -> Const {
        match self.c.below(7) {
            0 => {
                let width = self.c.of(&[1, 7, 8, 16, 32, 64, 65, 128]);
                Const::int(width, self.c.wide())
            }
            1 => Const::int(self.c.of(&[32, 129, 256, 300]), self.c.wide()),
            2 => {
                let kind = self.c.float_kind();
                let mask = if kind.bits() == 128 { u128::MAX } else { (1 << kind.bits()) - 1 };
                Const::Float { kind, bits: self.c.wide() & mask }
            }
            3 => Const::Null,
            4 => Const::Symbol(self.symbol()),
            5 => Const::BlockAddr(self.func(), Block(self.c.u32())),
            _ => {
                let t = self.c.ty();
                if self.c.flag() { Const::Undef(t) } else { Const::Poison(t) }
            }
        }
    }

    fn op(&mut self, b: &Body) -> Operand {
        if self.c.flag() { Operand::Value(self.value(b)) } else { Operand::Const(self.constant()) }
    }

    fn ops(&mut self, b: &Body, max: usize) -> Vec<Operand> {
        let n = self.c.below(max + 1);
        (0..n).map(|_| self.op(b)).collect()
    }

    fn call(&mut self, b: &Body) -> Box<Call> {
        let params = self.params();
        Box::new(Call {
            callee: self.op(b),
            args: params.iter().map(|_| self.op(b)).collect(),
            params,
            fixed: self.c.option(|c| c.u32()),
            noreturn: self.c.flag(),
            returns_twice: self.c.flag(),
        })
    }

    fn step(&mut self, b: &Body) -> Step {
        if self.c.flag() {
            Step::Field { record: self.opt_ctype(), index: self.c.u32(), offset: self.c.u64() }
        } else {
            Step::Index {
                elem: self.opt_ctype(),
                index: self.op(b),
                stride: self.c.u64(),
                count: self.c.option(|c| c.u64()),
            }
        }
    }

    fn kind(&mut self, b: &Body) -> InstKind {
        use InstKind::*;
        match self.c.below(38) {
            0 => Binary {
                op: self.c.of(BinOp::ALL),
                flags: ArithFlags { nsw: self.c.flag(), nuw: self.c.flag(), exact: self.c.flag() },
                lhs: self.op(b),
                rhs: self.op(b),
            },
            1 => Icmp { pred: self.c.of(IntPred::ALL), lhs: self.op(b), rhs: self.op(b) },
            2 => FBinary { op: self.c.of(FBinOp::ALL), lhs: self.op(b), rhs: self.op(b) },
            3 => Fcmp { pred: self.c.of(FloatPred::ALL), lhs: self.op(b), rhs: self.op(b) },
            4 => Unary { op: self.c.of(UnOp::ALL), arg: self.op(b) },
            5 => FUnary { op: self.c.of(FUnOp::ALL), arg: self.op(b) },
            6 => Fma { a: self.op(b), b: self.op(b), c: self.op(b) },
            7 => Cast { op: self.c.of(CastOp::ALL), arg: self.op(b) },
            8 => Select { cond: self.op(b), then: self.op(b), other: self.op(b) },
            9 => Overflow { op: self.c.of(OverflowOp::ALL), lhs: self.op(b), rhs: self.op(b) },
            10 => Funnel { left: self.c.flag(), hi: self.op(b), lo: self.op(b), amount: self.op(b) },
            11 => Freeze { arg: self.op(b) },
            12 => Uninit,
            13 => {
                let n = self.c.below(4);
                Addr { base: self.op(b), steps: (0..n).map(|_| self.step(b)).collect(), inbounds: self.c.flag() }
            }
            14 => Alloca { elem_size: self.c.u64(), count: self.op(b), align: self.c.u64(), ctype: self.opt_ctype() },
            15 => LifetimeStart { object: self.op(b) },
            16 => LifetimeEnd { object: self.op(b) },
            17 => StackSave,
            18 => StackRestore { token: self.op(b) },
            19 => Load { ptr: self.op(b), align: self.c.u64(), volatile: self.c.flag(), atomic: self.c.flag() },
            20 => Store {
                ptr: self.op(b),
                value: self.op(b),
                align: self.c.u64(),
                volatile: self.c.flag(),
                atomic: self.c.flag(),
            },
            21 => MemCopy {
                dst: self.op(b),
                src: self.op(b),
                len: self.op(b),
                overlap_ok: self.c.flag(),
                volatile: self.c.flag(),
            },
            22 => MemSet { dst: self.op(b), byte: self.op(b), len: self.op(b), volatile: self.c.flag() },
            23 => AtomicRmw { op: self.c.of(RmwOp::ALL), ptr: self.op(b), value: self.op(b) },
            24 => CmpXchg { ptr: self.op(b), expected: self.op(b), new: self.op(b), weak: self.c.flag() },
            25..=27 => Call(self.call(b)),
            28 => VaStart { list: self.op(b) },
            29 => VaEnd { list: self.op(b) },
            30 => VaCopy { dst: self.op(b), src: self.op(b) },
            31 => {
                let n = self.c.below(2);
                InlineAsm(Box::new(inst::InlineAsm {
                    template: self.c.text(),
                    constraints: self.c.text(),
                    inputs: self.ops(b, 2),
                    written: (0..n).map(|_| (self.op(b), self.c.u64())).collect(),
                    clobbers_memory: self.c.flag(),
                    side_effects: self.c.flag(),
                }))
            }
            32 => Check {
                kind: self.c.of(CheckKind::ALL),
                ok: self.op(b),
                detail: CheckDetail {
                    what: self.c.text(),
                    ctype: self.c.text(),
                    operands: self.ops(b, 2),
                    bound: self.c.option(|c| c.u64()),
                },
            },
            33 => Assume { cond: self.op(b) },
            34 => DebugValue { var: VarId(self.c.u32()), value: self.op(b) },
            35 => ObjectSize { ptr: self.op(b), unknown_is_zero: self.c.flag(), dynamic: self.c.flag() },
            36 => Opaque { what: self.c.text() },
            _ => Unmodelled { reason: self.c.text(), code: self.c.text(), operands: self.ops(b, 3) },
        }
    }

    fn edge(&mut self, b: &Body, blocks: usize) -> Edge {
        Edge { block: Block::new(self.c.below(blocks)), args: self.ops(b, 2) }
    }

    fn term(&mut self, b: &Body, n: usize) -> Terminator {
        match self.c.below(8) {
            0 => Terminator::Unreachable,
            1 => Terminator::Jump(self.edge(b, n)),
            2 => Terminator::Branch { cond: self.op(b), then: self.edge(b, n), other: self.edge(b, n) },
            3 => {
                let k = self.c.below(3);
                Terminator::Switch {
                    value: self.op(b),
                    cases: (0..k).map(|_| (self.constant(), self.edge(b, n))).collect(),
                    default: self.edge(b, n),
                }
            }
            4 => {
                let k = self.c.below(3);
                Terminator::IndirectJump { address: self.op(b), targets: (0..k).map(|_| self.edge(b, n)).collect() }
            }
            5 => Terminator::Return(self.ops(b, 2)),
            6 => Terminator::Invoke { call: self.call(b), normal: self.edge(b, n), unwind: self.edge(b, n) },
            _ => Terminator::Resume(self.ops(b, 2)),
        }
    }
}
