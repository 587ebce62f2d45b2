//! The module: one translation unit, or a linked program. Both have the same form, so every consumer works on both;
//! a unit has one entry in [`Module::units`], a program several.

use crate::constant::SymbolRef;
use crate::entity::{AliasId, Block, FileId, FuncId, GlobalId, SpanId, TypeId, UnitId};
use crate::function::Function;
use crate::noted;
use crate::span::{MacroDef, SourceFile, Span};
use crate::types::{CType, Encoding, Target};
use serde::{Deserialize, Serialize};

/// A translation unit or a linked program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, Default)]
pub struct Module {
    /// Machine it was compiled for; all units of a program agree.
    pub target: Target,
    /// Where the parts came from.
    pub units: Vec<UnitInfo>,
    /// Source files.
    pub files: Vec<SourceFile>,
    /// Source positions; entry 0 is the unknown one.
    pub spans: Vec<Span>,
    /// C types; entry 0 is `void`.
    pub ctypes: Vec<CType>,
    /// Global variables.
    pub globals: Vec<Global>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Aliases and ifuncs.
    pub aliases: Vec<Alias>,
    /// `__attribute__((constructor))` functions.
    pub constructors: Vec<Structor>,
    /// `__attribute__((destructor))` functions.
    pub destructors: Vec<Structor>,
    /// Macro definitions (of the main file and its headers; predefined ones are left out).
    pub macros: Vec<MacroDef>,
    /// What of the unit is not modelled outside function bodies (e.g. top-level `asm`), as sentences.
    pub unmodelled: Vec<String>,
}

/// A translation unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, Default)]
pub struct UnitInfo {
    /// Main source file as given on the command line.
    pub source: String,
    /// Compilation directory.
    pub directory: String,
    /// `DW_AT_producer`.
    pub producer: String,
    /// Language, e.g. `C99`, `C++`.
    pub language: String,
    /// `cc1` flags that the debug information records, if any.
    pub flags: String,
    /// The unit is part of the C library models.
    pub model: bool,
}

/// LLVM-level linkage, reduced to what a C linker sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Strong external.
    External,
    /// `static`.
    Internal,
    /// Weak definition or declaration (`weak`, `extern_weak`, `linkonce`).
    Weak,
    /// Tentative definition under `-fcommon`.
    Common,
    /// C99 `inline` body: may be used, is not the definition.
    AvailableExternally,
    /// Concatenated by the linker (`llvm.used` and friends).
    Appending,
}

/// ELF visibility.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Visibility {
    Default,
    Hidden,
    Protected,
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Linker name. Unique among external ones of a module; internal ones may repeat across units of a program.
    pub name: String,
    /// Its name in C and its function for a local `static` (`f.counter` has `counter`); empty for literals.
    pub source_name: String,
    /// Unit that the definition (or the declaration, when there is none) is from.
    pub unit: UnitId,
    /// Linkage.
    pub linkage: Linkage,
    /// Visibility.
    pub visibility: Visibility,
    /// COMDAT group.
    pub comdat: Option<String>,
    /// Section, when placed in one.
    pub section: Option<String>,
    /// `_Thread_local`.
    pub thread_local: bool,
    /// `const` object or literal: a write is an error.
    pub constant: bool,
    /// Made by the compiler (string literal, compound literal, switch table), with no C variable of its own.
    pub compiler_made: bool,
    /// Size in bytes (0 when unknown: `extern int a[]`).
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// C type.
    pub ctype: Option<TypeId>,
    /// Declaration.
    pub span: SpanId,
    /// `None` for a declaration.
    pub init: Option<Init>,
}

/// An initialiser: `size` zero bytes overlaid by pieces, sorted by offset, that do not overlap.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, Default)]
pub struct Init {
    /// Non-zero parts.
    pub pieces: Vec<InitPiece>,
}

/// A part of an initialiser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InitPiece {
    /// Byte offset in the object.
    pub offset: u64,
    /// Contents.
    pub data: InitData,
}

/// The contents of a part of an initialiser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InitData {
    /// Plain bytes.
    Bytes(Vec<u8>),
    /// `size` bytes holding the address of a symbol plus a byte offset (truncated when `size` is below a pointer's).
    Address {
        /// Symbol.
        symbol: SymbolRef,
        /// Added to it.
        addend: i64,
        /// Bytes, normally a pointer's.
        size: u32,
    },
    /// The address of a block (computed `goto` tables).
    BlockAddr {
        /// Function.
        func: FuncId,
        /// Block.
        block: Block,
        /// Bytes.
        size: u32,
    },
    /// `left - right + addend`, truncated to `size` bytes (label and symbol differences).
    Difference {
        /// Minuend; an address.
        #[serde(deserialize_with = "flat")]
        left: Box<InitData>,
        /// Subtrahend; an address.
        #[serde(deserialize_with = "flat")]
        right: Box<InitData>,
        /// Added.
        addend: i64,
        /// Bytes.
        size: u32,
    },
    /// This many bytes of unspecified content (padding that clang marks `undef`).
    Undef(u64),
}

impl InitData {
    /// The symbols whose addresses it holds, or the difference of which; the function of a block's address is one.
    pub fn for_each_symbol(&self, see: &mut impl FnMut(SymbolRef)) {
        match self {
            InitData::Address { symbol, .. } => see(*symbol),
            InitData::BlockAddr { func, .. } => see(SymbolRef::Func(*func)),
            InitData::Difference { left, right, .. } => {
                left.for_each_symbol(see);
                right.for_each_symbol(see);
            }
            InitData::Bytes(_) | InitData::Undef(_) => {}
        }
    }
    /// Number of bytes it fills.
    pub fn size(&self) -> u64 {
        match self {
            InitData::Bytes(b) => b.len() as u64,
            InitData::Address { size, .. } | InitData::BlockAddr { size, .. } | InitData::Difference { size, .. } => {
                u64::from(*size)
            }
            InitData::Undef(n) => *n,
        }
    }
}

/// Reads a side of a difference. Differences do not nest: without this, a crafted file could make the deserialiser
/// recurse until the stack overflows.
fn flat<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Box<InitData>, D::Error> {
    thread_local! { static INSIDE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) }; }
    if INSIDE.replace(true) {
        return Err(serde::de::Error::custom("a difference inside a difference"));
    }
    let side = Box::<InitData>::deserialize(d);
    INSIDE.set(false);
    side
}

/// A second name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Alias {
    /// Linker name.
    pub name: String,
    /// Linkage.
    pub linkage: Linkage,
    /// Visibility.
    pub visibility: Visibility,
    /// What it names; an ifunc names its resolver function.
    pub target: SymbolRef,
    /// Byte offset into the target.
    pub offset: u64,
    /// `__attribute__((ifunc))`.
    pub ifunc: bool,
    /// Unit.
    pub unit: UnitId,
}

/// A constructor or destructor function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Structor {
    /// Runs in increasing (constructors) or decreasing (destructors) order.
    pub priority: u32,
    /// Function.
    pub func: FuncId,
}

/// How an entry of [`Module::unmodelled`] begins that is about assembly outside functions, which may define, read and write
/// anything.
pub const ASSEMBLY: &str = "assembly outside functions";
/// The same of directives to the assembler that say nothing about what is executed.
pub const DIRECTIVES: &str = "directives to the assembler outside functions";
/// How an entry of [`Module::unmodelled`] begins, before the name, that is about a function with an inline definition beside
/// the external one: C leaves open which of them a call is of.
pub const INLINE: &str = "inline definition of";
/// How an entry of [`Module::unmodelled`] begins that no value depends on.
pub const FLAGS: &str = "floating-point exception flags";

impl Module {
    /// Calls may be of another definition than this one ([`INLINE`]).
    pub fn has_other_inline(&self, f: FuncId) -> bool {
        let named = format!("{INLINE} `{}`", self.func(f).name);
        self.unmodelled.iter().any(|u| u.starts_with(&named))
    }

    /// What is not modelled outside functions, and may have to do with any execution.
    pub fn unknown_outside(&self) -> Option<&str> {
        let harmless = |u: &&String| u.starts_with(DIRECTIVES) || u.starts_with(FLAGS);
        self.unmodelled.iter().find(|u| !harmless(u)).map(String::as_str)
    }

    /// An empty module with the reserved first entries (unknown span, `void`).
    pub fn new(target: Target) -> Module {
        Module {
            target,
            files: vec![SourceFile {
                path: "<unknown>".into(),
                directory: String::new(),
                hash: [0; 32],
                text: None,
                system: true,
            }],
            spans: vec![Span { file: FileId(0), line: 0, column: 0, inlined_at: None }],
            ctypes: vec![CType::Void],
            ..Module::default()
        }
    }
    /// The function.
    pub fn func(&self, f: FuncId) -> &Function {
        noted::function(f);
        &self.functions[f.index()]
    }
    /// The global.
    pub fn global(&self, g: GlobalId) -> &Global {
        noted::global(g);
        &self.globals[g.index()]
    }
    /// The alias.
    pub fn alias(&self, a: AliasId) -> &Alias {
        &self.aliases[a.index()]
    }
    /// The C type.
    pub fn ctype(&self, t: TypeId) -> &CType {
        &self.ctypes[t.index()]
    }
    /// The type without typedefs and qualifiers.
    pub fn stripped(&self, mut t: TypeId) -> TypeId {
        // Malformed debug information may have cycles.
        for _ in 0..64 {
            match self.ctype(t) {
                CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => t = *ty,
                _ => break,
            }
        }
        t
    }
    /// Is the integer type of this name, as sanitizer checks give it, unsigned?
    pub fn is_unsigned(&self, name: &str) -> bool {
        noted::question("type", name);
        let name = name.trim_start_matches("const ").trim_start_matches("volatile ");
        if name.starts_with("unsigned") || matches!(name, "_Bool" | "bool") {
            return true;
        }
        let mut at = self.ctypes.iter().find(|t| matches!(t, CType::Typedef { name: n, .. } if n == name));
        for _ in 0..64 {
            at = match at {
                Some(CType::Typedef { ty, .. } | CType::Qualified { ty, .. }) => self.ctypes.get(ty.index()),
                Some(CType::Enum { underlying, .. }) => self.ctypes.get(underlying.index()),
                Some(CType::Base { encoding, .. }) => {
                    return matches!(encoding, Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool);
                }
                _ => return false,
            };
        }
        false
    }
    /// The position.
    pub fn span(&self, s: SpanId) -> Span {
        noted::position(s);
        self.spans[s.index()]
    }
    /// The function with this linker name; prefers an external one, then the first definition.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        noted::question("function", name);
        let mut best: Option<FuncId> = None;
        for (i, f) in self.functions.iter().enumerate() {
            if f.name != name {
                continue;
            }
            if f.linkage != Linkage::Internal && f.body.is_some() {
                return Some(FuncId::new(i));
            }
            if best.is_none_or(|b| self.functions[b.index()].body.is_none() && f.body.is_some()) {
                best = Some(FuncId::new(i));
            }
        }
        best
    }
    /// Nobody has to define it: a weak symbol without a definition, whose address may be null.
    pub fn may_be_absent(&self, s: SymbolRef) -> bool {
        match s {
            SymbolRef::Func(f) => self.func(f).body.is_none() && self.func(f).linkage == Linkage::Weak,
            SymbolRef::Global(g) => self.global(g).init.is_none() && self.global(g).linkage == Linkage::Weak,
            SymbolRef::Alias(_) => false,
        }
    }

    /// The linker makes it: a place within or at the end of objects that have names of their own. The section that it
    /// marks (`__start_SECTION`, `__stop_SECTION`); empty where it marks something else (`_end`).
    pub fn made_by_linker(&self, s: SymbolRef) -> Option<&str> {
        const OTHERS: [&str; 19] = [
            "_end",
            "end",
            "_edata",
            "edata",
            "_etext",
            "etext",
            "__etext",
            "__bss_start",
            "_bss_start",
            "__data_start",
            "data_start",
            "__executable_start",
            "__ehdr_start",
            "__preinit_array_start",
            "__preinit_array_end",
            "__init_array_start",
            "__init_array_end",
            "__fini_array_start",
            "__fini_array_end",
        ];
        let name = match s {
            SymbolRef::Global(g) if self.global(g).init.is_none() => &self.global(g).name,
            SymbolRef::Func(f) if self.func(f).body.is_none() => &self.func(f).name,
            _ => return None,
        };
        if let Some(section) = name.strip_prefix("__start_").or_else(|| name.strip_prefix("__stop_")) {
            return Some(section);
        }
        OTHERS.contains(&name.as_str()).then_some("")
    }

    /// The weak alias on the way to what a symbol stands for: the linker may let it stand for something else.
    pub fn weak_alias(&self, mut s: SymbolRef) -> Option<&Alias> {
        for _ in 0..=self.aliases.len() {
            let SymbolRef::Alias(a) = s else { return None };
            let a = self.alias(a);
            if a.linkage == Linkage::Weak {
                return Some(a);
            }
            s = a.target;
        }
        None
    }

    /// Follows aliases (not ifuncs) to a global or function and a byte offset. Cyclic aliases are rejected by `check`.
    pub fn resolve(&self, mut s: SymbolRef) -> (SymbolRef, u64) {
        let mut offset = 0;
        for _ in 0..=self.aliases.len() {
            match s {
                SymbolRef::Alias(a) if !self.alias(a).ifunc => {
                    offset += self.alias(a).offset;
                    s = self.alias(a).target;
                }
                _ => break,
            }
        }
        (s, offset)
    }
    /// The linker name of a symbol.
    pub fn symbol_name(&self, s: SymbolRef) -> &str {
        match s {
            SymbolRef::Global(g) => &self.global(g).name,
            SymbolRef::Func(f) => &self.func(f).name,
            SymbolRef::Alias(a) => &self.alias(a).name,
        }
    }
}
