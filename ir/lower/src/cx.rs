//! The state of one lowering: the LLVM module being read, the IR module being made, and the maps between them.

use crate::blocks::Cfg;
use crate::ffi::{Md, Module as Llvm, Typ, Val};
use crate::layout::Layout;
use crate::sanitizer::Handler;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use verify_ir::{FileId, Module, Span, SpanId, SymbolRef, Target, TypeId};

/// What the caller wants.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The unit is part of the C library models: all its files are system files.
    pub model: bool,
}

/// The state of one lowering. Maps are only looked up, never iterated.
pub struct Cx<'m> {
    pub(crate) m: &'m Llvm,
    pub(crate) options: Options,
    pub(crate) out: Module,
    /// Compilation directory of the unit.
    pub(crate) directory: String,
    /// DW_LANG of the unit is a C one.
    pub(crate) is_c: bool,
    pub(crate) layouts: HashMap<Typ<'m>, Rc<Layout<'m>>>,
    pub(crate) symbols: HashMap<Val<'m>, SymbolRef>,
    pub(crate) cfgs: HashMap<Val<'m>, Rc<Cfg<'m>>>,
    pub(crate) handlers: HashMap<Val<'m>, Option<Handler>>,
    pub(crate) file_by_md: HashMap<Md<'m>, FileId>,
    pub(crate) file_by_path: HashMap<PathBuf, FileId>,
    /// Contents of the files of [`Module::files`], as far as they could be read.
    pub(crate) file_bytes: Vec<Option<Vec<u8>>>,
    pub(crate) span_by_md: HashMap<Md<'m>, SpanId>,
    pub(crate) span_ids: HashMap<Span, SpanId>,
    pub(crate) type_by_md: HashMap<Md<'m>, TypeId>,
    /// C records by tag, or by typedef for anonymous ones.
    pub(crate) records: HashMap<String, Vec<TypeId>>,
    /// Results of [`Cx::record_for`] without a hint.
    pub(crate) record_by_type: HashMap<Typ<'m>, Option<TypeId>>,
    /// Some constant is the address of a block.
    pub(crate) block_addresses: bool,
}

impl<'m> Cx<'m> {
    pub(crate) fn new(m: &'m Llvm, options: Options) -> Cx<'m> {
        let target = Target { triple: m.triple(), pointer_bits: m.pointer_bits(), big_endian: m.big_endian() };
        Cx {
            m,
            options,
            out: Module::new(target),
            directory: String::new(),
            is_c: true,
            layouts: HashMap::new(),
            symbols: HashMap::new(),
            cfgs: HashMap::new(),
            handlers: HashMap::new(),
            file_by_md: HashMap::new(),
            file_by_path: HashMap::new(),
            file_bytes: Vec::new(),
            span_by_md: HashMap::new(),
            span_ids: HashMap::new(),
            type_by_md: HashMap::new(),
            records: HashMap::new(),
            record_by_type: HashMap::new(),
            block_addresses: false,
        }
    }
}
