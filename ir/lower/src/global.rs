//! Global variables, functions and aliases: declarations first (constants refer to them), then initialisers as bytes
//! and addresses.

use crate::call::extension;
use crate::cx::Cx;
use crate::debug::{FLAG_NO_RETURN, FLAG_PROTOTYPED};
use crate::ffi::{DiKind, Opcode, Typ, TypeKind, Val, ValueKind};
use verify_ir::{
    Alias, AliasId, FnAttrs, FuncId, Function, Global, GlobalId, Init, InitData, InitPiece, Linkage, SpanId, Structor,
    SymbolRef, UnitId, Visibility,
};

/// Functions that gcc knows to return more than once, whatever their declarations say; clang forgets it where a source is
/// compiled with `-fno-builtin` or `-ffreestanding`.
const RETURN_TWICE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "savectx",
    "getcontext",
    "__getcontext",
    "vfork",
    "__vfork",
];

fn linkage(n: u32, declaration: bool) -> Linkage {
    match n {
        1 => Linkage::AvailableExternally,
        2..=6 | 12 => Linkage::Weak,
        7 => Linkage::Appending,
        8 | 9 | 15 | 16 => Linkage::Internal,
        14 if !declaration => Linkage::Common,
        _ => Linkage::External,
    }
}

fn visibility(n: u32) -> Visibility {
    match n {
        1 => Visibility::Hidden,
        2 => Visibility::Protected,
        _ => Visibility::Default,
    }
}

const PRIVATE_LINKAGE: u32 = 9;

impl<'m> Cx<'m> {
    /// Enters every global variable, without initialiser.
    pub(crate) fn declare_globals(&mut self) {
        for v in self.m.globals() {
            let g = v.global();
            if g.name.starts_with("llvm.") {
                continue;
            }
            let info = v.value_type().map(|t| self.m.type_info(t));
            let mut source_name = String::new();
            let (mut span, mut ctype) = (SpanId(0), None);
            if let Some(md) = v.di() {
                let d = md.di();
                if d.kind == DiKind::Global {
                    span = self.declaration(&d);
                    ctype = d.ty.map(|t| self.ctype(Some(t)));
                    source_name = d.name;
                }
            }
            // A declaration has no debug information; in C its linker name is its name.
            if source_name.is_empty() && g.linkage != PRIVATE_LINKAGE {
                source_name.clone_from(&g.name);
            }
            let linkage = linkage(g.linkage, g.declaration);
            // LLVM has no common constants.
            let constant = g.constant || linkage == Linkage::Common && ctype.is_some_and(|t| self.is_const(t));
            let id = GlobalId::new(self.out.globals.len());
            self.out.globals.push(Global {
                name: g.name,
                compiler_made: source_name.is_empty() && g.linkage == PRIVATE_LINKAGE,
                source_name,
                unit: UnitId(0),
                linkage,
                visibility: visibility(g.visibility),
                comdat: g.comdat,
                section: g.section,
                thread_local: g.thread_local,
                constant,
                size: info.as_ref().map_or(0, |i| i.alloc_size),
                align: if g.align != 0 { g.align } else { info.as_ref().map_or(1, |i| i.align.max(1)) },
                ctype,
                span,
                init: None,
            });
            if g.addr_space != 0 {
                self.out.unmodelled.push(format!(
                    "variable `{}` in address space {}",
                    self.out.globals[id.index()].name,
                    g.addr_space
                ));
            }
            self.symbols.insert(v, SymbolRef::Global(id));
        }
    }

    /// Enters every function, without body. Intrinsics and sanitizer handlers are no functions of the program.
    pub(crate) fn declare_functions(&mut self) {
        for v in self.m.functions() {
            let g = v.global();
            if g.name.starts_with("llvm.") || self.handler(v).is_some() {
                continue;
            }
            let a = v.fn_info();
            let mut attrs = FnAttrs {
                noreturn: a.noreturn,
                returns_twice: a.returns_twice || g.declaration && RETURN_TWICE.contains(&g.name.as_str()),
                naked: a.naked,
                malloc: a.malloc,
                alloc_size: a.alloc_size,
                returns_nonnull: a.returns_nonnull,
                no_memory: a.no_memory,
                read_only: a.read_only,
                no_prototype: false,
                memory_orders: Vec::new(),
                convention: v.convention(),
                result_extension: extension(v.param_info(None).extension),
                beside: Vec::new(),
            };
            let (mut span, mut ctype) = (SpanId(0), None);
            let mut prototyped = None;
            if let Some(md) = v.di() {
                let d = md.di();
                span = self.declaration(&d);
                ctype = d.ty.map(|t| self.ctype(Some(t)));
                attrs.noreturn |= d.flags & FLAG_NO_RETURN != 0;
                prototyped = Some(d.flags & FLAG_PROTOTYPED != 0);
            }
            let sig = match self.signature(v) {
                Ok(s) => s,
                Err(e) => {
                    self.out.unmodelled.push(format!("signature of `{}`: {e}", g.name));
                    Default::default()
                }
            };
            attrs.no_prototype = self.is_c && prototyped.map_or(sig.variadic && sig.params.is_empty(), |p| !p);
            let id = FuncId::new(self.out.functions.len());
            self.out.functions.push(Function {
                name: g.name,
                unit: UnitId(0),
                linkage: linkage(g.linkage, g.declaration),
                visibility: visibility(g.visibility),
                comdat: g.comdat,
                sig,
                attrs,
                ctype,
                span,
                body: None,
            });
            self.symbols.insert(v, SymbolRef::Func(id));
        }
    }

    /// Enters aliases and ifuncs.
    pub(crate) fn declare_aliases(&mut self) -> Result<(), String> {
        let all: Vec<(Val<'m>, bool)> = (self.m.aliases().into_iter().map(|a| (a, false)))
            .chain(self.m.ifuncs().into_iter().map(|a| (a, true)))
            .collect();
        for (i, (v, ifunc)) in all.iter().enumerate() {
            let g = v.global();
            self.symbols.insert(*v, SymbolRef::Alias(AliasId::new(i)));
            self.out.aliases.push(Alias {
                name: g.name,
                linkage: linkage(g.linkage, false),
                visibility: visibility(g.visibility),
                // Replaced below, when every alias has its id.
                target: SymbolRef::Alias(AliasId::new(i)),
                offset: 0,
                ifunc: *ifunc,
                unit: UnitId(0),
            });
        }
        for (i, (v, _)) in all.iter().enumerate() {
            let name = self.out.aliases[i].name.clone();
            let t = v.alias_target().ok_or_else(|| format!("alias `{name}` without target"))?;
            match self.static_value(t) {
                Ok(Static::Address(symbol, addend)) => {
                    self.out.aliases[i].target = symbol;
                    self.out.aliases[i].offset = addend as u64;
                }
                _ => return Err(format!("alias `{name}` to something that is not a symbol")),
            }
        }
        Ok(())
    }

    /// Fills in all initialisers, and the constructor and destructor tables.
    pub(crate) fn initialise_globals(&mut self) {
        for v in self.m.globals() {
            let g = v.global();
            let Some(init) = v.initializer() else { continue };
            if g.name == "llvm.global_ctors" || g.name == "llvm.global_dtors" {
                self.structors(init, g.name == "llvm.global_ctors");
                continue;
            }
            let Some(SymbolRef::Global(id)) = self.symbols.get(&v).copied() else { continue };
            // Sanitizer data is dropped later, but its content is plain anyway.
            let mut pieces = Pieces::default();
            if let Err(e) = self.write(init, 0, &mut pieces) {
                self.out.unmodelled.push(format!("initialiser of `{}`: {e}", g.name));
            }
            self.out.globals[id.index()].init = Some(pieces.finish());
        }
    }

    fn structors(&mut self, table: Val<'m>, constructors: bool) {
        let mut i = 0;
        while let Some(e) = table.const_element(i) {
            i += 1;
            let priority = e.const_element(0).and_then(|p| p.const_bits()).map_or(65535, |(_, w)| w[0] as u32);
            let Some(f) = e.const_element(1) else { continue };
            if f.kind() == ValueKind::LLVMConstantPointerNullValueKind {
                continue;
            }
            match self.static_value(f) {
                Ok(Static::Address(SymbolRef::Func(func), 0)) => {
                    let list = if constructors { &mut self.out.constructors } else { &mut self.out.destructors };
                    list.push(Structor { priority, func });
                }
                _ => self.out.unmodelled.push("constructor that is not a function of the unit".into()),
            }
        }
    }

    // ---- Initialisers ----------------------------------------------------------------------------------------------

    fn write(&mut self, v: Val<'m>, at: u64, out: &mut Pieces) -> Result<(), String> {
        use ValueKind::*;
        let t = v.ty();
        match v.kind() {
            LLVMConstantAggregateZeroValueKind | LLVMConstantPointerNullValueKind => Ok(()),
            LLVMUndefValueValueKind | LLVMPoisonValueKind => {
                let size = self.layout(t).info.alloc_size;
                out.push(at, InitData::Undef(size));
                Ok(())
            }
            LLVMConstantDataArrayValueKind | LLVMConstantDataVectorValueKind => {
                let (raw, size) = v.const_data().ok_or("constant data without data")?;
                let mut bytes = raw.to_vec();
                // LLVM keeps them in the byte order of this machine.
                if self.out.target.big_endian != cfg!(target_endian = "big") && size > 1 {
                    bytes.chunks_exact_mut(size as usize).for_each(<[u8]>::reverse);
                }
                out.push(at, InitData::Bytes(bytes));
                Ok(())
            }
            LLVMConstantArrayValueKind | LLVMConstantStructValueKind => {
                let l = self.layout(t);
                let mut i = 0;
                while let Some(e) = v.operand(i) {
                    let off = match l.fields.get(i as usize) {
                        Some(f) => f.1,
                        None => u64::from(i) * self.array_stride(t),
                    };
                    self.write(e, at + off, out)?;
                    i += 1;
                }
                Ok(())
            }
            LLVMConstantVectorValueKind => {
                let l = self.layout(t);
                let bits = l.info.bits / l.info.count.max(1);
                if bits.is_multiple_of(8) {
                    let mut i = 0;
                    while let Some(e) = v.operand(i) {
                        self.write(e, at + u64::from(i) * bits / 8, out)?;
                        i += 1;
                    }
                    return Ok(());
                }
                let mut bytes = vec![0u8; l.info.store_size as usize];
                let mut i = 0;
                while let Some(e) = v.operand(i) {
                    let (_, words) = e.const_bits().ok_or("vector element that is not a number")?;
                    for b in 0..bits {
                        if words[(b / 64) as usize] >> (b % 64) & 1 != 0 {
                            let k = u64::from(i) * bits + b;
                            bytes[(k / 8) as usize] |= 1 << (k % 8);
                        }
                    }
                    i += 1;
                }
                if self.out.target.big_endian {
                    return Err("vector of single bits on a big-endian target".into());
                }
                out.push(at, InitData::Bytes(bytes));
                Ok(())
            }
            LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
                let (w, words) = v.const_bits().ok_or("constant without bits")?;
                if words.iter().all(|w| *w == 0) {
                    return Ok(());
                }
                let mut bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                bytes.resize(w.div_ceil(8) as usize, 0);
                if self.out.target.big_endian {
                    bytes.reverse();
                }
                out.push(at, InitData::Bytes(bytes));
                Ok(())
            }
            _ => {
                let size = u32::try_from(self.layout(t).info.store_size).map_err(|_| "huge constant")?;
                let s = self.static_value(v)?;
                let big = self.out.target.big_endian;
                if let Some(d) = s.data(size, big)? {
                    out.push(at, d);
                }
                Ok(())
            }
        }
    }

    fn array_stride(&mut self, t: Typ<'m>) -> u64 {
        let l = self.layout(t);
        match l.info.elem {
            Some(e) => self.layout(e).info.alloc_size,
            None => 0,
        }
    }

    /// The value of an address-like constant.
    fn static_value(&mut self, v: Val<'m>) -> Result<Static, String> {
        use ValueKind::*;
        match v.kind() {
            LLVMFunctionValueKind
            | LLVMGlobalVariableValueKind
            | LLVMGlobalAliasValueKind
            | LLVMGlobalIFuncValueKind => Ok(Static::Address(self.symbol(v)?, 0)),
            LLVMConstantPointerNullValueKind => Ok(Static::Number(0)),
            LLVMConstantIntValueKind => {
                let (w, words) = v.const_bits().ok_or("constant without bits")?;
                if w > 64 {
                    return Err("address arithmetic wider than 64 bits".into());
                }
                Ok(Static::Number(sign_extend(words[0], w)))
            }
            LLVMBlockAddressValueKind => {
                let (f, b) = v.block_address().ok_or("block address without block")?;
                let SymbolRef::Func(func) = self.symbol(f)? else { return Err("block of a non-function".into()) };
                let block = *self.cfg(f).number.get(&b).ok_or("address of a removed block")?;
                self.block_addresses = true;
                Ok(Static::Label(func, block))
            }
            LLVMConstantExprValueKind => self.static_expr(v),
            k => match v.alias_target() {
                Some(t) => self.static_value(t),
                None => Err(format!("constant of kind {k:?}")),
            },
        }
    }

    fn static_expr(&mut self, v: Val<'m>) -> Result<Static, String> {
        let i = v.inst();
        let arg = |k| v.operand(k).ok_or("missing operand");
        use Opcode::*;
        match i.op {
            Some(LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMTrunc | LLVMZExt | LLVMSExt) => {
                // Nothing is known of pointers into other address spaces.
                self.leaves(v.ty())?;
                self.leaves(arg(0)?.ty())?;
                self.static_value(arg(0)?)
            }
            Some(LLVMGetElementPtr) => {
                let base = self.static_value(arg(0)?)?;
                let mut t = i.aux.ok_or("address computation without source type")?;
                let mut off = 0i64;
                for k in 1..i.n_ops {
                    let (w, words) = arg(k)?.const_bits().ok_or("address with an index that is not a number")?;
                    let ix = sign_extend(words[0], w.min(64));
                    let l = self.layout(t);
                    if k == 1 {
                        off = off.wrapping_add(ix.wrapping_mul(l.info.alloc_size as i64));
                    } else if l.info.kind == TypeKind::LLVMStructTypeKind {
                        let f = l.fields.get(ix as usize).ok_or("struct index outside the struct")?;
                        off = off.wrapping_add(f.1 as i64);
                        t = f.0;
                    } else {
                        t = l.info.elem.ok_or("index into a scalar")?;
                        let stride = self.layout(t).info.alloc_size;
                        off = off.wrapping_add(ix.wrapping_mul(stride as i64));
                    }
                }
                base.add(off)
            }
            Some(LLVMAdd) => match (self.static_value(arg(0)?)?, self.static_value(arg(1)?)?) {
                (a, Static::Number(n)) | (Static::Number(n), a) => a.add(n),
                _ => Err("sum of two addresses".into()),
            },
            Some(LLVMSub) => match (self.static_value(arg(0)?)?, self.static_value(arg(1)?)?) {
                (a, Static::Number(n)) => a.add(n.wrapping_neg()),
                (a, b) => Ok(Static::Difference(Box::new(a), Box::new(b), 0)),
            },
            op => Err(format!("constant expression {op:?}")),
        }
    }
}

fn sign_extend(v: u64, w: u32) -> i64 {
    let s = 64 - w.clamp(1, 64);
    ((v << s) as i64) >> s
}

/// An address-like constant.
enum Static {
    Number(i64),
    Address(SymbolRef, i64),
    Label(FuncId, verify_ir::Block),
    Difference(Box<Static>, Box<Static>, i64),
}

impl Static {
    fn add(self, n: i64) -> Result<Static, String> {
        Ok(match self {
            Static::Number(a) => Static::Number(a.wrapping_add(n)),
            Static::Address(s, a) => Static::Address(s, a.wrapping_add(n)),
            Static::Difference(l, r, a) => Static::Difference(l, r, a.wrapping_add(n)),
            Static::Label(..) if n == 0 => self,
            Static::Label(..) => return Err("arithmetic on a label address".into()),
        })
    }

    fn data(self, size: u32, big_endian: bool) -> Result<Option<InitData>, String> {
        Ok(Some(match self {
            Static::Number(0) => return Ok(None),
            Static::Number(n) => {
                let mut bytes = n.to_le_bytes().to_vec();
                bytes.resize(size as usize, if n < 0 { 0xff } else { 0 });
                if big_endian {
                    bytes.reverse();
                }
                InitData::Bytes(bytes)
            }
            Static::Address(symbol, addend) => InitData::Address { symbol, addend, size },
            Static::Label(func, block) => InitData::BlockAddr { func, block, size },
            Static::Difference(l, r, addend) => {
                let side = |s: Static| s.data(size, big_endian)?.ok_or("difference with a number".to_owned());
                InitData::Difference { left: Box::new(side(*l)?), right: Box::new(side(*r)?), addend, size }
            }
        }))
    }
}

/// Pieces in increasing order of offset; adjacent bytes become one piece.
#[derive(Default)]
struct Pieces(Vec<InitPiece>);

impl Pieces {
    fn push(&mut self, offset: u64, data: InitData) {
        if let (Some(InitPiece { offset: o, data: InitData::Bytes(last) }), InitData::Bytes(new)) =
            (self.0.last_mut(), &data)
            && *o + last.len() as u64 == offset
        {
            last.extend_from_slice(new);
            return;
        }
        self.0.push(InitPiece { offset, data });
    }

    fn finish(mut self) -> Init {
        self.0.retain(|p| match &p.data {
            InitData::Bytes(b) => b.iter().any(|b| *b != 0),
            InitData::Undef(n) => *n != 0,
            _ => true,
        });
        Init { pieces: self.0 }
    }
}
