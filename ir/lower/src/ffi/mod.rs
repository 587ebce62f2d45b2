//! A safe, read-only view of an LLVM module. The only place with `unsafe`: every handle borrows the [`Module`] that
//! owns the memory behind it, nothing is ever changed after parsing, and the shim answers with zeros (here: `None`)
//! when a handle is of another kind than the question needs.
#![allow(unsafe_code)]

mod raw;

use llvm_sys::core as c;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

/// Instruction opcodes, as in LLVM's C API (stable numbers).
pub use llvm_sys::LLVMOpcode as Opcode;
/// Kinds of types.
pub use llvm_sys::LLVMTypeKind as TypeKind;
/// Kinds of values.
pub use llvm_sys::LLVMValueKind as ValueKind;

/// A parsed module with its context.
pub struct Module {
    ctx: LLVMContextRef,
    module: LLVMModuleRef,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both were made by `vs_parse` and are disposed of once, module first.
        unsafe {
            c::LLVMDisposeModule(self.module);
            c::LLVMContextDispose(self.ctx);
        }
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name<'m> {
            raw: $raw,
            owner: PhantomData<&'m Module>,
        }
        impl<'m> $name<'m> {
            fn wrap(raw: $raw) -> Option<Self> {
                if raw.is_null() { None } else { Some($name { raw, owner: PhantomData }) }
            }
        }
    };
}
handle!(/// A value: constant, global, argument, instruction.
    Val, LLVMValueRef);
handle!(/// A type.
    Typ, LLVMTypeRef);
handle!(/// A basic block.
    Bb, LLVMBasicBlockRef);
handle!(/// A metadata node.
    Md, LLVMMetadataRef);

fn text<'m>(s: raw::VsStr) -> &'m [u8] {
    if s.ptr.is_null() || s.len == 0 {
        return &[];
    }
    // SAFETY: the shim gives pointers into the module, which outlives `'m` (callers tie `'m` to their handle).
    unsafe { std::slice::from_raw_parts(s.ptr, s.len) }
}

fn string(s: raw::VsStr) -> String {
    String::from_utf8_lossy(text(s)).into_owned()
}

/// Flags of [`InstInfo`].
pub mod flag {
    #![allow(missing_docs)]
    pub const NSW: u32 = 1;
    pub const NUW: u32 = 2;
    pub const EXACT: u32 = 4;
    pub const INBOUNDS: u32 = 8;
    pub const VOLATILE: u32 = 16;
    pub const ATOMIC: u32 = 32;
    pub const NORETURN: u32 = 64;
    pub const RETURNS_TWICE: u32 = 128;
    pub const DBG: u32 = 256;
    pub const INTRINSIC: u32 = 512;
    pub const WEAK: u32 = 1024;
    /// From this bit on: the memory order, 0 when there is none.
    pub const ORDER: u32 = 16;
}

/// An instruction or constant expression in one piece.
#[derive(Clone, Copy)]
pub struct InstInfo<'m> {
    /// Opcode, `None` when LLVM has one that we do not know.
    pub op: Option<Opcode>,
    /// Comparison predicate or RMW operation, as LLVM numbers them.
    pub sub: u32,
    /// See [`flag`].
    pub flags: u32,
    /// Number of operands.
    pub n_ops: u32,
    /// Alignment in bytes, 0 when not applicable.
    pub align: u64,
    /// Result type.
    pub ty: Typ<'m>,
    /// GEP source type, allocated type, function type of a call.
    pub aux: Option<Typ<'m>>,
    /// DILocation.
    pub loc: Option<Md<'m>>,
}

impl InstInfo<'_> {
    /// Whether a flag is set.
    pub fn has(&self, f: u32) -> bool {
        self.flags & f != 0
    }

    /// The memory order of an atomic access or a fence, as LLVM numbers it.
    pub fn order(&self) -> Option<u32> {
        Some(self.flags >> flag::ORDER).filter(|o| *o != 0)
    }
}

/// A type in one piece.
#[derive(Clone)]
pub struct TypeInfo<'m> {
    /// Kind.
    pub kind: TypeKind,
    /// Integer width, address space of a pointer, 1 for a variadic function.
    pub width: u32,
    /// Elements, fields or parameters.
    pub count: u64,
    /// Element or return type.
    pub elem: Option<Typ<'m>>,
    /// Struct name.
    pub name: String,
    /// Bytes with padding.
    pub alloc_size: u64,
    /// Bytes a store writes.
    pub store_size: u64,
    /// ABI alignment in bytes.
    pub align: u64,
    /// Width in bits.
    pub bits: u64,
    /// Has a size.
    pub sized: bool,
}

/// Attributes of a parameter, argument or return value.
#[derive(Clone, Copy)]
pub struct ParamInfo<'m> {
    /// `byval` pointee.
    pub byval: Option<Typ<'m>>,
    /// `sret` pointee.
    pub sret: Option<Typ<'m>>,
    /// `elementtype`.
    pub elem: Option<Typ<'m>>,
    /// `align`, 0 when absent.
    pub align: u64,
    /// `nonnull`.
    pub nonnull: bool,
    /// `inalloca`, `preallocated` or `byref`.
    pub unusual: bool,
    /// `signext` is 1, `zeroext` 2.
    pub extension: u32,
    /// `inreg`.
    pub in_register: bool,
}

/// Function attributes.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct FnInfo {
    pub noreturn: bool,
    pub returns_twice: bool,
    pub naked: bool,
    pub malloc: bool,
    pub returns_nonnull: bool,
    pub no_memory: bool,
    pub read_only: bool,
    pub alloc_size: Option<(u32, Option<u32>)>,
}

/// Inline assembly.
pub struct AsmInfo {
    /// Template.
    pub template: String,
    /// Constraint string.
    pub constraints: String,
    /// `volatile`.
    pub side_effects: bool,
}

/// A global value.
#[derive(Clone)]
#[allow(missing_docs)]
pub struct GlobalInfo {
    pub name: String,
    pub section: Option<String>,
    pub comdat: Option<String>,
    /// As in the C API.
    pub linkage: u32,
    /// 0 default, 1 hidden, 2 protected.
    pub visibility: u32,
    pub constant: bool,
    pub thread_local: bool,
    pub declaration: bool,
    pub addr_space: u32,
    /// 0 when absent.
    pub align: u64,
}

/// A debug-information intrinsic.
pub struct Dbg<'m> {
    /// `declare` (an address) rather than `value`/`assign`.
    pub declare: bool,
    /// What it describes.
    pub location: Option<Val<'m>>,
    /// DILocalVariable.
    pub variable: Option<Md<'m>>,
    /// The expression is empty.
    pub plain: bool,
    /// The expression is one dereference.
    pub deref: bool,
}

/// Kinds of debug-information nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum DiKind {
    Other,
    Basic,
    Derived,
    Composite,
    Subroutine,
    Subrange,
    Enumerator,
    Local,
    Global,
    Subprogram,
    Scope,
    File,
    CompileUnit,
    Macro,
    MacroFile,
    Location,
    Tuple,
    StringType,
}

/// A debug-information node; the meaning of the fields is that of the DWARF attribute of the name.
#[allow(missing_docs)]
pub struct Di<'m> {
    pub kind: DiKind,
    pub tag: u32,
    pub line: u32,
    pub column: u32,
    pub flags: u32,
    /// In bits.
    pub align: u32,
    pub encoding: u32,
    pub arg: u32,
    pub unsigned: bool,
    /// In bits.
    pub size: u64,
    /// In bits.
    pub offset: u64,
    pub value: i128,
    pub name: String,
    pub linkage: String,
    pub text: String,
    pub text2: String,
    pub scope: Option<Md<'m>>,
    pub file: Option<Md<'m>>,
    pub ty: Option<Md<'m>>,
    pub elements: Option<Md<'m>>,
    pub other: Option<Md<'m>>,
}

impl Module {
    /// Takes over a module and the context that it is in.
    ///
    /// # Safety
    /// Both are alive and used by nothing else; debug information is in the form of intrinsics.
    pub unsafe fn from_raw(ctx: LLVMContextRef, module: LLVMModuleRef) -> Module {
        Module { ctx, module }
    }
    /// Reads bitcode. The error is one line.
    pub fn parse(bytes: &[u8], name: &str) -> Result<Module, String> {
        let name = CString::new(name.replace('\0', "?")).expect("no NUL left");
        let (mut ctx, mut module, mut err) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut::<c_char>());
        // SAFETY: the buffer and name live through the call; the out-pointers are valid.
        let rc = unsafe { raw::vs_parse(bytes.as_ptr(), bytes.len(), name.as_ptr(), &mut ctx, &mut module, &mut err) };
        if rc == 0 {
            return Ok(Module { ctx, module });
        }
        // SAFETY: on error the shim gives a NUL-terminated malloc'ed string.
        let msg = unsafe {
            let m = CStr::from_ptr(err).to_string_lossy().replace('\n', " ");
            raw::vs_free(err);
            m
        };
        Err(msg)
    }

    fn list<'m>(
        &'m self,
        first: unsafe extern "C" fn(LLVMModuleRef) -> LLVMValueRef,
        next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
    ) -> Vec<Val<'m>> {
        let mut out = Vec::new();
        // SAFETY: the iterators of the C API, on the lists they are for; they end with null.
        let mut v = unsafe { first(self.module) };
        while let Some(x) = Val::wrap(v) {
            out.push(x);
            v = unsafe { next(v) };
        }
        out
    }
    /// All functions, in module order.
    pub fn functions(&self) -> Vec<Val<'_>> {
        self.list(c::LLVMGetFirstFunction, c::LLVMGetNextFunction)
    }
    /// All global variables, in module order.
    pub fn globals(&self) -> Vec<Val<'_>> {
        self.list(c::LLVMGetFirstGlobal, c::LLVMGetNextGlobal)
    }
    /// All aliases.
    pub fn aliases(&self) -> Vec<Val<'_>> {
        self.list(c::LLVMGetFirstGlobalAlias, c::LLVMGetNextGlobalAlias)
    }
    /// All ifuncs.
    pub fn ifuncs(&self) -> Vec<Val<'_>> {
        self.list(c::LLVMGetFirstGlobalIFunc, c::LLVMGetNextGlobalIFunc)
    }
    /// Target triple.
    pub fn triple(&self) -> String {
        // SAFETY: a NUL-terminated string owned by the module.
        unsafe { CStr::from_ptr(c::LLVMGetTarget(self.module)) }.to_string_lossy().into_owned()
    }
    /// Source file name.
    pub fn source(&self) -> String {
        // SAFETY: any module.
        string(unsafe { raw::vs_module_source(self.module) })
    }
    /// Module-level inline assembly.
    pub fn inline_asm(&self) -> String {
        let mut len = 0;
        // SAFETY: pointer and length of a string owned by the module.
        let p = unsafe { c::LLVMGetModuleInlineAsm(self.module, &mut len) };
        string(raw::VsStr { ptr: p.cast(), len })
    }
    /// Width of a pointer in address space 0, in bits.
    pub fn pointer_bits(&self) -> u32 {
        // SAFETY: any module.
        unsafe { raw::vs_pointer_bits(self.module) }
    }
    /// Byte order.
    pub fn big_endian(&self) -> bool {
        // SAFETY: any module.
        unsafe { raw::vs_big_endian(self.module) != 0 }
    }
    /// DICompileUnits.
    pub fn compile_units(&self) -> Vec<Md<'_>> {
        // SAFETY: indices below the count.
        unsafe { (0..raw::vs_cu_count(self.module)).filter_map(|i| Md::wrap(raw::vs_cu(self.module, i))).collect() }
    }
    /// A type in one piece.
    pub fn type_info<'m>(&'m self, t: Typ<'m>) -> TypeInfo<'m> {
        let mut o = MaybeUninit::<raw::VsType>::uninit();
        // SAFETY: the shim fills every field. The kind is one of the C API's enumerators.
        unsafe {
            raw::vs_type(self.module, t.raw, o.as_mut_ptr());
            let o = o.assume_init();
            TypeInfo {
                kind: c::LLVMGetTypeKind(t.raw),
                width: o.width,
                count: o.count,
                elem: Typ::wrap(o.elem),
                name: string(o.name),
                alloc_size: o.alloc_size,
                store_size: o.store_size,
                align: o.align,
                bits: o.bits,
                sized: o.sized != 0,
            }
        }
    }
    /// The field of a struct with its byte offset, or the parameter of a function type.
    pub fn type_at<'m>(&'m self, t: Typ<'m>, i: u32) -> Option<(Typ<'m>, u64)> {
        let mut off = 0;
        // SAFETY: the shim checks kind and index.
        Typ::wrap(unsafe { raw::vs_type_at(self.module, t.raw, i, &mut off) }).map(|t| (t, off))
    }
}

// SAFETY (of every block below): handles point into the module that `'m` borrows; the shim checks kinds and indices.
impl<'m> Val<'m> {
    /// Kind.
    pub fn kind(self) -> ValueKind {
        unsafe { c::LLVMGetValueKind(self.raw) }
    }
    /// Type.
    pub fn ty(self) -> Typ<'m> {
        Typ::wrap(unsafe { c::LLVMTypeOf(self.raw) }).expect("every value has a type")
    }
    /// Instruction or constant expression.
    pub fn inst(self) -> InstInfo<'m> {
        let mut o = MaybeUninit::<raw::VsInst>::uninit();
        let o = unsafe {
            raw::vs_inst(self.raw, o.as_mut_ptr());
            o.assume_init()
        };
        InstInfo {
            op: opcode(o.opcode),
            sub: o.sub,
            flags: o.flags,
            n_ops: o.n_ops,
            align: o.align,
            ty: Typ::wrap(o.ty).unwrap_or_else(|| self.ty()),
            aux: Typ::wrap(o.aux),
            loc: Md::wrap(o.loc),
        }
    }
    /// A constant that is made of others.
    pub fn is_compound_constant(self) -> bool {
        use ValueKind::*;
        let kinds = [LLVMConstantExprValueKind, LLVMConstantStructValueKind, LLVMConstantArrayValueKind];
        kinds.contains(&self.kind()) || self.kind() == LLVMConstantVectorValueKind
    }
    /// The `i`-th operand.
    pub fn operand(self, i: u32) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_operand(self.raw, i) })
    }
    /// Arguments of a call.
    pub fn call_args(self) -> Vec<Val<'m>> {
        let n = unsafe { raw::vs_call_args(self.raw) };
        (0..n).filter_map(|i| self.operand(i)).collect()
    }
    /// Called operand.
    pub fn callee(self) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_call_callee(self.raw) })
    }
    /// Debug-information intrinsic.
    pub fn dbg(self) -> Option<Dbg<'m>> {
        let (mut loc, mut var, mut plain) = (ptr::null_mut(), ptr::null_mut(), 0);
        let k = unsafe { raw::vs_dbg(self.raw, &mut loc, &mut var, &mut plain) };
        (k != 0).then(|| Dbg {
            declare: k == 1,
            location: Val::wrap(loc),
            variable: Md::wrap(var),
            plain: plain == 1,
            deref: plain == 2,
        })
    }
    /// Successors of a terminator, in LLVM's order (default first for `switch`, true first for `br`).
    pub fn successors(self) -> Vec<Bb<'m>> {
        unsafe {
            (0..raw::vs_successor_count(self.raw)).filter_map(|i| Bb::wrap(raw::vs_successor(self.raw, i))).collect()
        }
    }
    /// Incoming values of a phi.
    pub fn incoming(self) -> Vec<(Val<'m>, Bb<'m>)> {
        let n = unsafe { raw::vs_phi_count(self.raw) };
        (0..n)
            .filter_map(|i| {
                let mut b = ptr::null_mut();
                let v = Val::wrap(unsafe { raw::vs_phi(self.raw, i, &mut b) })?;
                Some((v, Bb::wrap(b)?))
            })
            .collect()
    }
    /// Mask of a `shufflevector`; negative is poison.
    pub fn shuffle_mask(self) -> Vec<i32> {
        let mut p = ptr::null();
        let n = unsafe { raw::vs_mask(self.raw, &mut p) };
        if n == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(p, n as usize) }.to_vec() }
    }
    /// Index path of `extractvalue`/`insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        let mut p = ptr::null();
        let n = unsafe { raw::vs_indices(self.raw, &mut p) };
        if n == 0 { Vec::new() } else { unsafe { std::slice::from_raw_parts(p, n as usize) }.to_vec() }
    }
    /// Initialiser of a global variable.
    pub fn initializer(self) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_initializer(self.raw) })
    }
    /// Value type of a global.
    pub fn value_type(self) -> Option<Typ<'m>> {
        Typ::wrap(unsafe { raw::vs_value_type(self.raw) })
    }
    /// The `i`-th parameter of a function.
    pub fn parameter(self, i: u32) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_parameter(self.raw, i) })
    }
    /// Blocks of a function, in layout order.
    pub fn blocks(self) -> Vec<Bb<'m>> {
        let mut out = Vec::new();
        let mut b = unsafe { raw::vs_first_block(self.raw) };
        while let Some(x) = Bb::wrap(b) {
            out.push(x);
            b = unsafe { c::LLVMGetNextBasicBlock(b) };
        }
        out
    }
    /// Attributes of parameter `i`, or of the return value for `None`, of a function or call.
    pub fn param_info(self, i: Option<u32>) -> ParamInfo<'m> {
        let mut o = MaybeUninit::<raw::VsParam>::uninit();
        let o = unsafe {
            raw::vs_param(self.raw, i.map_or(-1, |i| i as i32), o.as_mut_ptr());
            o.assume_init()
        };
        ParamInfo {
            byval: Typ::wrap(o.byval),
            sret: Typ::wrap(o.sret),
            elem: Typ::wrap(o.elem),
            align: o.align,
            nonnull: o.nonnull != 0,
            unusual: o.unusual != 0,
            extension: o.extension,
            in_register: o.in_register != 0,
        }
    }
    /// Attributes of a function.
    pub fn fn_info(self) -> FnInfo {
        let mut o = MaybeUninit::<raw::VsFn>::uninit();
        let o = unsafe {
            raw::vs_fn(self.raw, o.as_mut_ptr());
            o.assume_init()
        };
        FnInfo {
            noreturn: o.noreturn != 0,
            returns_twice: o.returns_twice != 0,
            naked: o.naked != 0,
            malloc: o.malloc != 0,
            returns_nonnull: o.returns_nonnull != 0,
            no_memory: o.no_memory != 0,
            read_only: o.read_only != 0,
            alloc_size: u32::try_from(o.alloc_elem).ok().map(|e| (e, u32::try_from(o.alloc_num).ok())),
        }
    }
    /// A string attribute of a function; empty when it has none of the name.
    pub fn fn_string_attr(self, name: &str) -> String {
        let Ok(name) = CString::new(name) else { return String::new() };
        // SAFETY: any value; the name ends with a NUL, and the text is copied.
        string(unsafe { raw::vs_fn_string_attr(self.raw, name.as_ptr()) })
    }
    /// Inline assembly.
    pub fn asm(self) -> Option<AsmInfo> {
        let mut o = MaybeUninit::<raw::VsAsm>::uninit();
        let ok = unsafe { raw::vs_asm(self.raw, o.as_mut_ptr()) } != 0;
        ok.then(|| {
            let o = unsafe { o.assume_init() };
            AsmInfo {
                template: string(o.template),
                constraints: string(o.constraints),
                side_effects: o.side_effects != 0,
            }
        })
    }
    /// A global value in one piece.
    pub fn global(self) -> GlobalInfo {
        let mut o = MaybeUninit::<raw::VsGlobal>::uninit();
        let o = unsafe {
            raw::vs_global(self.raw, o.as_mut_ptr());
            o.assume_init()
        };
        let opt = |s: String| if s.is_empty() { None } else { Some(s) };
        GlobalInfo {
            name: string(o.name),
            section: opt(string(o.section)),
            comdat: opt(string(o.comdat)),
            linkage: o.linkage,
            visibility: o.visibility,
            constant: o.constant != 0,
            thread_local: o.thread_local != 0,
            declaration: o.declaration != 0,
            addr_space: o.addr_space,
            align: o.align,
        }
    }
    /// DIGlobalVariable or DISubprogram.
    pub fn di(self) -> Option<Md<'m>> {
        Md::wrap(unsafe { raw::vs_global_di(self.raw) })
    }
    /// Aliasee, resolver, or the global behind `dso_local_equivalent`/`no_cfi`.
    pub fn alias_target(self) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_alias_target(self.raw) })
    }
    /// Function and block of a block address.
    pub fn block_address(self) -> Option<(Val<'m>, Bb<'m>)> {
        let (mut f, mut b) = (ptr::null_mut(), ptr::null_mut());
        if unsafe { raw::vs_block_address(self.raw, &mut f, &mut b) } == 0 {
            return None;
        }
        Some((Val::wrap(f)?, Bb::wrap(b)?))
    }
    /// Width and words (least significant first) of an integer or floating-point constant.
    pub fn const_bits(self) -> Option<(u32, Vec<u64>)> {
        let mut p = ptr::null();
        let mut inline = [0u64; 4];
        let w = unsafe { raw::vs_const_bits(self.raw, &mut p, inline.as_mut_ptr()) };
        if w == 0 {
            return None;
        }
        Some((w, unsafe { std::slice::from_raw_parts(p, w.div_ceil(64) as usize) }.to_vec()))
    }
    /// Raw data in host byte order and bytes per element of a constant data array or vector.
    pub fn const_data(self) -> Option<(&'m [u8], u32)> {
        let (mut s, mut e) = (raw::VsStr { ptr: ptr::null(), len: 0 }, 0);
        if unsafe { raw::vs_const_data(self.raw, &mut s, &mut e) } == 0 { None } else { Some((text(s), e)) }
    }
    /// An element of a constant aggregate.
    pub fn const_element(self, i: u32) -> Option<Val<'m>> {
        Val::wrap(unsafe { raw::vs_const_element(self.raw, i) })
    }
    /// What an instruction or a whole function says, without names of values and without debug information: the same text
    /// is the same code. Values go by their place in the function; those of an instruction alone are left out.
    pub fn say(self) -> String {
        let mut len = 0;
        unsafe {
            let p = raw::vs_say(self.raw, &mut len);
            let text = String::from_utf8_lossy(std::slice::from_raw_parts(p.cast::<u8>(), len)).into_owned();
            raw::vs_free(p);
            text
        }
    }
    /// Calling convention of a function or call; 0 is that of C.
    pub fn convention(self) -> u32 {
        unsafe { raw::vs_convention(self.raw) }
    }
    /// A call with operand bundles.
    pub fn has_bundles(self) -> bool {
        unsafe { raw::vs_has_bundles(self.raw) != 0 }
    }
    /// The string of a metadata argument.
    pub fn md_string(self) -> String {
        string(unsafe { raw::vs_md_string(self.raw) })
    }
}

impl<'m> Bb<'m> {
    /// Instructions in order.
    pub fn insts(self) -> Vec<Val<'m>> {
        let mut out = Vec::new();
        let mut v = unsafe { c::LLVMGetFirstInstruction(self.raw) };
        while let Some(x) = Val::wrap(v) {
            out.push(x);
            v = unsafe { c::LLVMGetNextInstruction(v) };
        }
        out
    }
    /// Terminator.
    pub fn terminator(self) -> Option<Val<'m>> {
        Val::wrap(unsafe { c::LLVMGetBasicBlockTerminator(self.raw) })
    }
    /// Its address is a constant somewhere.
    pub fn address_taken(self) -> bool {
        unsafe { raw::vs_block_has_address_taken(self.raw) != 0 }
    }
}

impl<'m> Md<'m> {
    /// The node in one piece.
    pub fn di(self) -> Di<'m> {
        let mut o = MaybeUninit::<raw::VsDi>::uninit();
        let o = unsafe {
            raw::vs_di(self.raw, o.as_mut_ptr());
            o.assume_init()
        };
        use DiKind::*;
        const KINDS: [DiKind; 18] = [
            Other,
            Basic,
            Derived,
            Composite,
            Subroutine,
            Subrange,
            Enumerator,
            Local,
            Global,
            Subprogram,
            Scope,
            File,
            CompileUnit,
            Macro,
            MacroFile,
            Location,
            Tuple,
            StringType,
        ];
        Di {
            kind: KINDS.get(o.kind as usize).copied().unwrap_or(Other),
            tag: o.tag,
            line: o.line,
            column: o.column,
            flags: o.flags,
            align: o.align,
            encoding: o.encoding,
            arg: o.arg,
            unsigned: o.unsigned != 0,
            size: o.size,
            offset: o.offset,
            value: (u128::from(o.value[1]) << 64 | u128::from(o.value[0])) as i128,
            name: string(o.name),
            linkage: string(o.linkage),
            text: string(o.text),
            text2: string(o.text2),
            scope: Md::wrap(o.scope),
            file: Md::wrap(o.file),
            ty: Md::wrap(o.ty),
            elements: Md::wrap(o.elements),
            other: Md::wrap(o.other),
        }
    }
    /// Operands of a node; `None` for null ones.
    pub fn operands(self) -> Vec<Option<Md<'m>>> {
        unsafe { (0..raw::vs_md_count(self.raw)).map(|i| Md::wrap(raw::vs_md_operand(self.raw, i))).collect() }
    }
}

fn opcode(n: u32) -> Option<Opcode> {
    use Opcode::*;
    const ALL: &[Opcode] = &[
        LLVMRet,
        LLVMBr,
        LLVMSwitch,
        LLVMIndirectBr,
        LLVMInvoke,
        LLVMUnreachable,
        LLVMCallBr,
        LLVMFNeg,
        LLVMAdd,
        LLVMFAdd,
        LLVMSub,
        LLVMFSub,
        LLVMMul,
        LLVMFMul,
        LLVMUDiv,
        LLVMSDiv,
        LLVMFDiv,
        LLVMURem,
        LLVMSRem,
        LLVMFRem,
        LLVMShl,
        LLVMLShr,
        LLVMAShr,
        LLVMAnd,
        LLVMOr,
        LLVMXor,
        LLVMAlloca,
        LLVMLoad,
        LLVMStore,
        LLVMGetElementPtr,
        LLVMTrunc,
        LLVMZExt,
        LLVMSExt,
        LLVMFPToUI,
        LLVMFPToSI,
        LLVMUIToFP,
        LLVMSIToFP,
        LLVMFPTrunc,
        LLVMFPExt,
        LLVMPtrToInt,
        LLVMIntToPtr,
        LLVMBitCast,
        LLVMAddrSpaceCast,
        LLVMICmp,
        LLVMFCmp,
        LLVMPHI,
        LLVMCall,
        LLVMSelect,
        LLVMVAArg,
        LLVMExtractElement,
        LLVMInsertElement,
        LLVMShuffleVector,
        LLVMExtractValue,
        LLVMInsertValue,
        LLVMFreeze,
        LLVMFence,
        LLVMAtomicCmpXchg,
        LLVMAtomicRMW,
        LLVMResume,
        LLVMLandingPad,
        LLVMCleanupRet,
        LLVMCatchRet,
        LLVMCatchPad,
        LLVMCleanupPad,
        LLVMCatchSwitch,
    ];
    // Built once: numbers are sparse, at most 68.
    static TABLE: std::sync::OnceLock<[Option<Opcode>; 80]> = std::sync::OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut t = [None; 80];
        for &o in ALL {
            t[o as usize] = Some(o);
        }
        t
    });
    table.get(n as usize).copied().flatten()
}
