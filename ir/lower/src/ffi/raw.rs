//! The C++ shim's functions and plain structs, as `shim/shim.cpp` declares them.

use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMContextRef, LLVMMetadataRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{c_char, c_int};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsStr {
    pub ptr: *const u8,
    pub len: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsInst {
    pub opcode: u32,
    pub sub: u32,
    pub flags: u32,
    pub n_ops: u32,
    pub align: u64,
    pub ty: LLVMTypeRef,
    pub aux: LLVMTypeRef,
    pub loc: LLVMMetadataRef,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsType {
    pub kind: u32,
    pub width: u32,
    pub count: u64,
    pub elem: LLVMTypeRef,
    pub name: VsStr,
    pub alloc_size: u64,
    pub store_size: u64,
    pub align: u64,
    pub bits: u64,
    pub sized: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsParam {
    pub byval: LLVMTypeRef,
    pub sret: LLVMTypeRef,
    pub elem: LLVMTypeRef,
    pub align: u64,
    pub nonnull: u32,
    pub noalias: u32,
    pub unusual: u32,
    pub extension: u32,
    pub in_register: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsFn {
    pub noreturn: u32,
    pub returns_twice: u32,
    pub naked: u32,
    pub malloc: u32,
    pub returns_nonnull: u32,
    pub no_memory: u32,
    pub read_only: u32,
    pub alloc_elem: i32,
    pub alloc_num: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsAsm {
    pub template: VsStr,
    pub constraints: VsStr,
    pub side_effects: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsGlobal {
    pub name: VsStr,
    pub section: VsStr,
    pub comdat: VsStr,
    pub linkage: u32,
    pub visibility: u32,
    pub constant: u32,
    pub thread_local: u32,
    pub declaration: u32,
    pub addr_space: u32,
    pub align: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct VsDi {
    pub kind: u32,
    pub tag: u32,
    pub line: u32,
    pub column: u32,
    pub flags: u32,
    pub align: u32,
    pub encoding: u32,
    pub arg: u32,
    pub unsigned: u32,
    pub spare: u32,
    pub size: u64,
    pub offset: u64,
    pub value: [u64; 2],
    pub name: VsStr,
    pub linkage: VsStr,
    pub text: VsStr,
    pub text2: VsStr,
    pub scope: LLVMMetadataRef,
    pub file: LLVMMetadataRef,
    pub ty: LLVMMetadataRef,
    pub elements: LLVMMetadataRef,
    pub other: LLVMMetadataRef,
}

unsafe extern "C" {
    pub fn vs_parse(
        data: *const u8,
        len: usize,
        name: *const c_char,
        ctx: *mut LLVMContextRef,
        module: *mut LLVMModuleRef,
        err: *mut *mut c_char,
    ) -> c_int;
    pub fn vs_free(p: *mut c_char);
    pub fn vs_module_source(m: LLVMModuleRef) -> VsStr;
    pub fn vs_inst(v: LLVMValueRef, out: *mut VsInst);
    pub fn vs_call_args(v: LLVMValueRef) -> u32;
    pub fn vs_call_callee(v: LLVMValueRef) -> LLVMValueRef;
    pub fn vs_dbg(v: LLVMValueRef, loc: *mut LLVMValueRef, var: *mut LLVMMetadataRef, plain: *mut c_int) -> c_int;
    pub fn vs_operand(v: LLVMValueRef, i: u32) -> LLVMValueRef;
    pub fn vs_successor_count(v: LLVMValueRef) -> u32;
    pub fn vs_successor(v: LLVMValueRef, i: u32) -> LLVMBasicBlockRef;
    pub fn vs_phi_count(v: LLVMValueRef) -> u32;
    pub fn vs_phi(v: LLVMValueRef, i: u32, b: *mut LLVMBasicBlockRef) -> LLVMValueRef;
    pub fn vs_mask(v: LLVMValueRef, mask: *mut *const c_int) -> u32;
    pub fn vs_indices(v: LLVMValueRef, ix: *mut *const u32) -> u32;
    pub fn vs_initializer(v: LLVMValueRef) -> LLVMValueRef;
    pub fn vs_value_type(v: LLVMValueRef) -> LLVMTypeRef;
    pub fn vs_parameter(v: LLVMValueRef, i: u32) -> LLVMValueRef;
    pub fn vs_first_block(v: LLVMValueRef) -> LLVMBasicBlockRef;
    pub fn vs_type(m: LLVMModuleRef, t: LLVMTypeRef, out: *mut VsType);
    pub fn vs_type_at(m: LLVMModuleRef, t: LLVMTypeRef, i: u32, offset: *mut u64) -> LLVMTypeRef;
    pub fn vs_pointer_bits(m: LLVMModuleRef) -> u32;
    pub fn vs_big_endian(m: LLVMModuleRef) -> c_int;
    pub fn vs_param(v: LLVMValueRef, i: c_int, out: *mut VsParam);
    pub fn vs_fn(v: LLVMValueRef, out: *mut VsFn);
    pub fn vs_fn_string_attr(v: LLVMValueRef, name: *const c_char) -> VsStr;
    pub fn vs_asm(v: LLVMValueRef, out: *mut VsAsm) -> c_int;
    pub fn vs_global(v: LLVMValueRef, out: *mut VsGlobal);
    pub fn vs_global_di(v: LLVMValueRef) -> LLVMMetadataRef;
    pub fn vs_alias_target(v: LLVMValueRef) -> LLVMValueRef;
    pub fn vs_block_address(v: LLVMValueRef, f: *mut LLVMValueRef, b: *mut LLVMBasicBlockRef) -> c_int;
    pub fn vs_block_has_address_taken(b: LLVMBasicBlockRef) -> c_int;
    pub fn vs_const_bits(v: LLVMValueRef, words: *mut *const u64, inline: *mut u64) -> u32;
    pub fn vs_const_data(v: LLVMValueRef, raw: *mut VsStr, elem: *mut u32) -> c_int;
    pub fn vs_const_element(v: LLVMValueRef, i: u32) -> LLVMValueRef;
    pub fn vs_di(m: LLVMMetadataRef, out: *mut VsDi);
    pub fn vs_md_count(m: LLVMMetadataRef) -> u32;
    pub fn vs_md_operand(m: LLVMMetadataRef, i: u32) -> LLVMMetadataRef;
    pub fn vs_cu_count(m: LLVMModuleRef) -> u32;
    pub fn vs_cu(m: LLVMModuleRef, i: u32) -> LLVMMetadataRef;
    pub fn vs_md_string(v: LLVMValueRef) -> VsStr;
    pub fn vs_say(v: LLVMValueRef, len: *mut usize) -> *mut c_char;
    pub fn vs_convention(v: LLVMValueRef) -> u32;
    pub fn vs_has_bundles(v: LLVMValueRef) -> c_int;
}
