//! The program: typed SSA control-flow graphs with block parameters, C types with layout, globals, source positions.
//!
//! Invariants of this crate:
//! - It does no I/O and knows neither LLVM nor any analysis.
//! - [`FORMAT_VERSION`] is in every binary and text file; a file of another version is refused with a sentence that
//!   says what to do.
//! - A module that `check` accepts is well formed: every pass's output goes through it in tests.
//!
//! A translation unit and a linked program have the same form ([`Module`]); `link` makes one from the other.
#![forbid(unsafe_code)]

pub mod binary;
pub mod builtin;
pub mod check;
pub mod check_kind;
pub mod compact;
pub mod constant;
pub mod entity;
pub mod function;
pub mod graph;
pub mod inst;
pub mod link;
pub mod literal;
pub mod module;
pub mod noted;
pub mod remap;
pub mod span;
pub mod text;
pub mod types;

pub use check_kind::CheckKind;
pub use constant::{Const, Operand, SymbolRef};
pub use entity::{AliasId, Block, FileId, FuncId, GlobalId, SpanId, TypeId, UnitId, Value, VarId};
pub use function::{BlockData, Body, Extension, FnAttrs, Function, Loc, Param, ParamAttrs, Signature, ValueData, Var};
pub use inst::{Call, Edge, Inst, InstKind, Step, Terminator};
pub use literal::Overlay;
pub use module::{Alias, Global, Init, InitData, InitPiece, Linkage, Module, Structor, UnitInfo, Visibility};
pub use span::{MacroDef, SourceFile, Span};
pub use types::{CType, Encoding, Field, FloatKind, Record, Target, Ty};

/// Version of the text and binary forms. Raise it with every change of the data structures of this crate.
pub const FORMAT_VERSION: u32 = 3;
