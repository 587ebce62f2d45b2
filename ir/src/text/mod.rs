//! The text form: prints a module so that a person can read it and [`parse`] gives back an equal one.
//!
//! Whitespace and line breaks only separate; `;` starts a comment. Every table entry says its own number, in order.
//! Numbers are decimal or `0x`; strings are quoted with `\"`, `\\`, `\n`, `\t`, `\r`, `\0`, `\xNN` (a byte), `\u{N}`.
//!
//! ```text
//! verify-ir 2
//! target "x86_64-pc-linux-gnu" 64 little
//! unit0 "main.c" directory "/src" producer "clang" language "C11" flags "" [model]
//! file0 "main.c" directory "/src" hash "<64 hex digits>" [text "..."] [system]
//! span1 file0 3 7 [at span4]                       ; line, column, inlined at
//! type1 base "int" signed 32
//! type2 pointer type1
//! type3 struct "s" size 8 align 4 [incomplete] { "next" type2 0 64, "flag" type1 64 1 bits }
//! type4 array type1 [10]                           ; [?] without a count
//! type5 enum "e" type1 { "A" = 0 }
//! type6 typedef "t" type1
//! type7 const type1
//! type8 function type0 (type1, ...)
//! global0 "g" source "g" unit0 external default [comdat "c"] [section "s"] [thread_local] [constant]
//!     [compiler_made] size 8 align 8 [ctype type1] [!2] [init { 0 bytes "ab", 2 undef 2, 4 address @f 8 size 4 }]
//! func0 "f" unit0 external default (i32, ptr nonnull, ...) -> (i32) [attributes] [comdat "c"] [ctype type8] [!1]
//! { var0 "x" type1 param 1 !1
//! b0(v0: i32 var0, v1: ptr):
//!   v2: i32 var0 = add nsw v0, 1:i32 !4
//!   branch v3, b1(v2), b2 !5
//! }
//! alias0 "a" weak default unit0 @f 0 [ifunc]
//! constructor 65535 @f
//! destructor 65535 @f
//! macro "MAX(a,b)" "..." file0 3 [undef]           ; ? instead of a file
//! unmodelled "top-level asm"
//! ```
//!
//! `!n` is `span n` (left out: unknown). `@name` is a symbol by its linker name where that is unique, else `@func3`,
//! `@global3`, `@alias3`. Constants: `5:i32`, `0x3f800000:f32` (bits), `null`, `undef:i8`, `poison:i8`,
//! `blockaddr(func0 b2)`. What a module that `check` refuses may hold beyond this (a call with more arguments than
//! descriptions, ids beyond tables of values) is not guaranteed to come back.

mod inst;
mod lex;
mod parse;
mod parse_body;
mod print;

use crate::entity::FuncId;
use crate::module::Module;

pub(crate) use print::ty_name;

/// How much to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintOptions {
    /// The tables of units, files, positions, types and macros.
    pub tables: bool,
    /// The text of every source file.
    pub texts: bool,
    /// Comments with source positions, variable and field names.
    pub notes: bool,
}

impl PrintOptions {
    /// Everything that [`parse`] needs, nothing else.
    pub const EXACT: PrintOptions = PrintOptions { tables: true, texts: true, notes: false };
    /// What a person reads.
    pub const READABLE: PrintOptions = PrintOptions { tables: false, texts: false, notes: true };
}

/// The module as text that [`parse`] reads back.
pub fn print(module: &Module) -> String {
    print_with(module, PrintOptions::EXACT)
}

/// The module as text. Parses back to an equal module when `tables` and `texts` are on.
pub fn print_with(module: &Module, options: PrintOptions) -> String {
    let mut p = print::Printer::new(module, options);
    p.module();
    p.finish()
}

/// One function, for people. An id that does not exist gives an empty text.
pub fn print_function(module: &Module, func: FuncId) -> String {
    let mut p = print::Printer::new(module, PrintOptions::READABLE);
    if func.index() < module.functions.len() {
        p.function(func);
    }
    p.finish()
}

/// Why a text is not a module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected and what is there.
    pub message: String,
}

/// The module that a text describes. Syntax only: [`crate::check::check`] tests the rest.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    parse::Parser::new(text)?.module()
}
