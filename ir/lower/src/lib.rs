//! LLVM 19 bitcode to the IR: the only place of the project that knows LLVM.
//!
//! Invariants of this crate:
//! - No LLVM pass runs, `mem2reg` included: what a pass would fold away is what we look for. Promotion of stack
//!   variables is our own ([`promote`]).
//! - It reads one bitcode file and the source files that its debug information names, and writes one unit. It runs in
//!   a process of its own, so that an abort of LLVM stays there.
//! - The same bytes in give the same bytes out: maps are looked up, never iterated.
//! - Nothing is dropped in silence: what has no meaning in the IR becomes an `unmodelled` instruction with a reason, or
//!   a sentence in [`verify_ir::Module::unmodelled`].
//! - `unsafe` is only in [`ffi`], under a safe interface.
#![deny(unsafe_code)]

mod assembly;
mod blocks;
mod call;
mod cleanup;
mod consts;
mod cx;
mod debug;
pub mod ffi;
mod finish;
mod func;
mod gep;
mod global;
mod inst;
mod intrinsic;
mod layout;
pub mod promote;
mod sanitizer;
pub mod storage_order;
mod temporaries;
mod union_tail;
mod vector;

pub use cx::Options;

use cx::Cx;
use ffi::DiKind;
use verify_ir::module::{ASSEMBLY, DIRECTIVES};
use verify_ir::{Module, UnitInfo};

/// Why a unit could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    /// LLVM could not read the file.
    #[error("not bitcode that LLVM 19 can read: {0}")]
    Bitcode(String),
    /// The module has something that the IR cannot even name.
    #[error("{0}")]
    Module(String),
}

/// Lowers bitcode. `name` is for messages.
pub fn lower(bytes: &[u8], name: &str, options: Options) -> Result<Module, LowerError> {
    // Bitcode, or bitcode in Apple's wrapper.
    if !bytes.starts_with(b"BC\xC0\xDE") && !bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B]) {
        return Err(LowerError::Bitcode("no bitcode signature".into()));
    }
    let llvm = ffi::Module::parse(bytes, name).map_err(LowerError::Bitcode)?;
    lower_module(&llvm, options)
}

/// Lowers a module in memory.
pub fn lower_module(llvm: &ffi::Module, options: Options) -> Result<Module, LowerError> {
    let mut cx = Cx::new(llvm, options);
    cx.unit();
    cx.retained_types();
    cx.declare_globals();
    cx.declare_functions();
    cx.declare_aliases().map_err(LowerError::Module)?;
    cx.initialise_globals();
    for f in llvm.functions() {
        if let Some(verify_ir::SymbolRef::Func(id)) = cx.symbols.get(&f).copied()
            && !f.global().declaration
        {
            let body = cx.lower_body(id, f);
            cx.out.functions[id.index()].body = Some(body);
        }
    }
    cx.macros_of_unit();
    Ok(cx.finish())
}

impl<'m> Cx<'m> {
    fn unit(&mut self) {
        let mut info = UnitInfo { source: self.m.source(), model: self.options.model, ..UnitInfo::default() };
        if let Some(cu) = self.m.compile_units().first() {
            let d = cu.di();
            if d.kind == DiKind::CompileUnit {
                if let Some(f) = d.file.map(ffi::Md::di) {
                    info.directory = f.text;
                    if info.source.is_empty() {
                        info.source = f.name;
                    }
                }
                info.producer = d.text;
                info.flags = d.text2;
                info.language = language(d.encoding);
            }
        }
        self.is_c = info.language.is_empty() || (info.language.starts_with('C') && !info.language.contains("++"));
        self.directory.clone_from(&info.directory);
        self.out.units.push(info);
        let asm = self.m.inline_asm();
        if let Some(first) = asm.lines().map(str::trim).find(|l| !l.is_empty()) {
            let what = if asm.lines().flat_map(|l| l.split(';')).all(is_directive) { DIRECTIVES } else { ASSEMBLY };
            self.out.unmodelled.push(format!("{what}: `{first}`"));
        }
    }

    /// Types that only casts mention, and enumerations that only their constants do.
    fn retained_types(&mut self) {
        for cu in self.m.compile_units() {
            let d = cu.di();
            for t in debug::operands(d.elements).chain(debug::operands(d.ty)) {
                let k = t.di().kind;
                if matches!(k, DiKind::Basic | DiKind::Derived | DiKind::Composite | DiKind::Subroutine) {
                    self.ctype(Some(t));
                }
            }
        }
    }

    fn macros_of_unit(&mut self) {
        for cu in self.m.compile_units() {
            let d = cu.di();
            self.macros(d.other, None);
        }
    }
}

/// A line for the assembler that neither defines nor changes what is executed: versions of names, notes.
fn is_directive(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        None | Some(".symver" | ".ident") => true,
        Some(w) => w.starts_with('#'),
    }
}

/// DW_LANG_*.
fn language(n: u32) -> String {
    match n {
        0x01 => "C89",
        0x02 => "C",
        0x0c => "C99",
        0x1d => "C11",
        0x2c => "C17",
        0x3e => "C23",
        0x04 => "C++",
        0x1a => "C++11",
        0x21 => "C++14",
        0x2a => "C++17",
        0x2b => "C++20",
        n => return format!("DW_LANG {n:#x}"),
    }
    .into()
}
