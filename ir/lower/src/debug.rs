//! Debug information: source files, positions, C types, macros. Every node is converted once; recursive types get
//! their id before their content. What the debug information does not say is `void`, position 0 or no name; nothing
//! here decides what an instruction does.

use crate::cx::Cx;
use crate::ffi::{Di, DiKind, Md};
use std::path::{Path, PathBuf};
use verify_ir::types::Qualifier;
use verify_ir::{CType, Encoding, Field, FileId, MacroDef, Record, SourceFile, Span, SpanId, TypeId};

const DW_TAG_ARRAY: u32 = 0x01;
const DW_TAG_CLASS: u32 = 0x02;
const DW_TAG_ENUMERATION: u32 = 0x04;
const DW_TAG_MEMBER: u32 = 0x0d;
const DW_TAG_POINTER: u32 = 0x0f;
const DW_TAG_REFERENCE: u32 = 0x10;
const DW_TAG_STRUCTURE: u32 = 0x13;
const DW_TAG_TYPEDEF: u32 = 0x16;
const DW_TAG_UNION: u32 = 0x17;
const DW_TAG_INHERITANCE: u32 = 0x1c;
const DW_TAG_CONST: u32 = 0x26;
const DW_TAG_VOLATILE: u32 = 0x35;
const DW_TAG_RESTRICT: u32 = 0x37;
const DW_TAG_RVALUE_REFERENCE: u32 = 0x42;
const DW_TAG_ATOMIC: u32 = 0x47;

const FLAG_FWD_DECL: u32 = 1 << 2;
const FLAG_BIT_FIELD: u32 = 1 << 19;
/// DIFlagPrototyped.
pub const FLAG_PROTOTYPED: u32 = 1 << 8;
/// DIFlagNoReturn.
pub const FLAG_NO_RETURN: u32 = 1 << 20;
const FLAG_STATIC_MEMBER: u32 = 1 << 12;

/// Files below these folders belong to the C library or the compiler.
const SYSTEM_PREFIXES: &[&str] = &["/usr/include/", "/usr/lib/", "/usr/lib64/", "/opt/homebrew/opt/llvm", "/Library/"];

impl<'m> Cx<'m> {
    /// The file of a DIFile.
    pub fn file(&mut self, md: Option<Md<'m>>) -> FileId {
        let Some(md) = md else { return FileId(0) };
        if let Some(f) = self.file_by_md.get(&md) {
            return *f;
        }
        let d = md.di();
        let f = if d.kind == DiKind::File { self.intern_file(d.name, d.text) } else { FileId(0) };
        self.file_by_md.insert(md, f);
        f
    }

    fn intern_file(&mut self, path: String, directory: String) -> FileId {
        // clang writes one file with and without its folder split off; one entry is enough.
        let given = Path::new(&directory).join(&path);
        let full = clean_path(&given);
        if let Some(f) = self.file_by_path.get(&full) {
            return *f;
        }
        let bytes = std::fs::read(&given).ok();
        let hash = bytes.as_ref().map_or([0; 32], |b| *blake3::hash(b).as_bytes());
        let shown = full.to_string_lossy();
        let system =
            self.options.model || SYSTEM_PREFIXES.iter().any(|p| shown.starts_with(p)) || shown.contains("/lib/clang/");
        let f = FileId::new(self.out.files.len());
        // Relative to the unit's directory where clang split it otherwise.
        let (path, directory) = match full.strip_prefix(&self.directory) {
            Ok(rel) if !self.directory.is_empty() => (rel.to_string_lossy().into_owned(), self.directory.clone()),
            _ => (path, directory),
        };
        self.out.files.push(SourceFile { path, directory, hash, text: None, system });
        self.file_bytes.resize(f.index(), None);
        self.file_bytes.push(bytes);
        self.file_by_path.insert(full, f);
        f
    }

    /// A position, interned.
    pub fn span(&mut self, s: Span) -> SpanId {
        if s.line == 0 {
            return SpanId(0);
        }
        if let Some(i) = self.span_ids.get(&s) {
            return *i;
        }
        let i = SpanId::new(self.out.spans.len());
        self.out.spans.push(s);
        self.span_ids.insert(s, i);
        i
    }

    /// The position of a DILocation.
    pub fn location(&mut self, md: Option<Md<'m>>) -> SpanId {
        let Some(md) = md else { return SpanId(0) };
        if let Some(s) = self.span_by_md.get(&md) {
            return *s;
        }
        let d = md.di();
        let s = if d.kind == DiKind::Location && d.line != 0 {
            let file = self.file(d.file);
            let inlined_at = d.other.map(|o| self.location(Some(o))).filter(|s| *s != SpanId(0));
            self.span(Span { file, line: d.line, column: d.column, inlined_at })
        } else {
            SpanId(0)
        };
        self.span_by_md.insert(md, s);
        s
    }

    /// The position of a declaration.
    pub fn declaration(&mut self, d: &Di<'m>) -> SpanId {
        let file = self.file(d.file);
        self.span(Span { file, line: d.line, column: 0, inlined_at: None })
    }

    /// The C type of a DIType; `void` for none.
    pub fn ctype(&mut self, md: Option<Md<'m>>) -> TypeId {
        let Some(md) = md else { return TypeId(0) };
        if let Some(t) = self.type_by_md.get(&md) {
            return *t;
        }
        let d = md.di();
        let id = TypeId::new(self.out.ctypes.len());
        self.out.ctypes.push(CType::Void);
        self.type_by_md.insert(md, id);
        let t = self.convert_type(d, id);
        self.out.ctypes[id.index()] = t;
        id
    }

    fn add_type(&mut self, t: CType) -> TypeId {
        self.out.ctypes.push(t);
        TypeId::new(self.out.ctypes.len() - 1)
    }

    fn convert_type(&mut self, d: Di<'m>, id: TypeId) -> CType {
        match d.kind {
            DiKind::Basic => {
                CType::Base { encoding: encoding(d.encoding), bits: u32::try_from(d.size).unwrap_or(0), name: d.name }
            }
            DiKind::Derived => {
                let qualified = |q, ty| CType::Qualified { qualifier: q, ty };
                let ty = self.ctype(d.ty);
                match d.tag {
                    DW_TAG_POINTER | DW_TAG_REFERENCE | DW_TAG_RVALUE_REFERENCE => CType::Pointer(ty),
                    DW_TAG_TYPEDEF => {
                        // LLVM names an anonymous record after its typedef.
                        if let CType::Record(r) = &self.out.ctypes[ty.index()]
                            && r.name.is_empty()
                        {
                            self.records.entry(d.name.clone()).or_default().push(ty);
                        }
                        CType::Typedef { name: d.name, ty }
                    }
                    DW_TAG_CONST => qualified(Qualifier::Const, ty),
                    DW_TAG_VOLATILE => qualified(Qualifier::Volatile, ty),
                    DW_TAG_RESTRICT => qualified(Qualifier::Restrict, ty),
                    DW_TAG_ATOMIC => qualified(Qualifier::Atomic, ty),
                    _ => CType::Void,
                }
            }
            DiKind::Composite => match d.tag {
                DW_TAG_STRUCTURE | DW_TAG_UNION | DW_TAG_CLASS => self.record(d, id),
                DW_TAG_ENUMERATION => {
                    let underlying = self.ctype(d.ty);
                    let enumerators = operands(d.elements)
                        .map(Md::di)
                        .filter(|e| e.kind == DiKind::Enumerator)
                        .map(|e| (e.name, e.value))
                        .collect();
                    CType::Enum { name: d.name, underlying, enumerators }
                }
                DW_TAG_ARRAY => self.array(&d),
                _ => CType::Void,
            },
            DiKind::Subroutine => {
                let all: Vec<Option<Md<'m>>> = d.elements.map(Md::operands).unwrap_or_default();
                let ret = self.ctype(all.first().copied().flatten());
                let rest = all.get(1..).unwrap_or(&[]);
                let variadic = rest.last().is_some_and(Option::is_none);
                let params = rest[..rest.len() - usize::from(variadic)].iter().map(|p| self.ctype(*p)).collect();
                CType::Function { ret, params, variadic }
            }
            _ => CType::Void,
        }
    }

    fn record(&mut self, d: Di<'m>, id: TypeId) -> CType {
        let incomplete = d.flags & FLAG_FWD_DECL != 0;
        if !d.name.is_empty() && !incomplete {
            self.records.entry(d.name.clone()).or_default().push(id);
        }
        let mut fields = Vec::new();
        // C++ declarations may list members that are known without the definition.
        for e in operands(d.elements).filter(|_| !incomplete) {
            let e = e.di();
            if e.kind != DiKind::Derived
                || !matches!(e.tag, DW_TAG_MEMBER | DW_TAG_INHERITANCE)
                || e.flags & FLAG_STATIC_MEMBER != 0
            {
                continue;
            }
            let ty = self.ctype(e.ty);
            fields.push(Field {
                name: e.name,
                ty,
                bit_offset: e.offset,
                bit_size: e.size,
                bit_field: e.flags & FLAG_BIT_FIELD != 0,
            });
        }
        CType::Record(Record {
            name: d.name,
            is_union: d.tag == DW_TAG_UNION,
            size: if incomplete { 0 } else { d.size / 8 },
            align: u64::from(d.align / 8),
            incomplete,
            fields,
        })
    }

    /// A C array of several dimensions is one node with several subranges.
    fn array(&mut self, d: &Di<'m>) -> CType {
        let mut elem = self.ctype(d.ty);
        let counts: Vec<Option<u64>> = operands(d.elements)
            .map(Md::di)
            .filter(|e| e.kind == DiKind::Subrange)
            .map(|e| if e.arg == 1 { u64::try_from(e.value as u64 as i64).ok() } else { None })
            .collect();
        let (first, inner) = match counts.split_first() {
            Some((f, i)) => (*f, i),
            None => (None, &[][..]),
        };
        for c in inner.iter().rev() {
            elem = self.add_type(CType::Array { elem, count: *c });
        }
        CType::Array { elem, count: first }
    }

    /// Macros of the files of a compile unit, in order; predefined ones (without a file or a line) are left out.
    pub fn macros(&mut self, elements: Option<Md<'m>>, file: Option<FileId>) {
        for e in operands(elements) {
            let d = e.di();
            match d.kind {
                DiKind::MacroFile => {
                    let f = self.file(d.file);
                    self.macros(d.elements, Some(f));
                }
                DiKind::Macro if d.line != 0 && file.is_some() => {
                    self.out.macros.push(MacroDef {
                        name: d.name,
                        body: d.text,
                        file,
                        line: d.line,
                        undef: d.tag == 2,
                    });
                }
                _ => {}
            }
        }
    }

    /// Strips typedefs and qualifiers.
    pub fn strip(&self, mut t: TypeId) -> TypeId {
        for _ in 0..64 {
            match &self.out.ctypes[t.index()] {
                CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => t = *ty,
                _ => break,
            }
        }
        t
    }

    /// Objects of the type must not be written.
    pub fn is_const(&self, t: TypeId) -> bool {
        let mut t = t;
        // Types contain each other only through records and pointers; the bound is for malformed ones.
        for _ in 0..64 {
            t = match &self.out.ctypes[t.index()] {
                CType::Qualified { qualifier: Qualifier::Const, .. } => return true,
                CType::Qualified { ty, .. } | CType::Typedef { ty, .. } | CType::Array { elem: ty, .. } => *ty,
                _ => return false,
            };
        }
        false
    }

    /// Size of a C type in bytes, when it has a fixed one.
    pub fn ctype_size(&self, t: TypeId) -> Option<u64> {
        self.ctype_size_at(t, 0)
    }

    fn ctype_size_at(&self, t: TypeId, depth: u32) -> Option<u64> {
        if depth > 64 {
            return None;
        }
        match &self.out.ctypes[t.index()] {
            CType::Base { bits, .. } => Some(u64::from(*bits) / 8),
            CType::Pointer(_) => Some(self.out.target.pointer_bytes()),
            CType::Record(r) if !r.incomplete => Some(r.size),
            CType::Array { elem, count: Some(n) } => self.ctype_size_at(*elem, depth + 1)?.checked_mul(*n),
            CType::Enum { underlying, .. } => self.ctype_size_at(*underlying, depth + 1),
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => self.ctype_size_at(*ty, depth + 1),
            _ => None,
        }
    }
}

/// The non-null operands of a tuple.
pub fn operands(md: Option<Md<'_>>) -> impl Iterator<Item = Md<'_>> {
    md.map(Md::operands).unwrap_or_default().into_iter().flatten()
}

fn encoding(dw: u32) -> Encoding {
    match dw {
        0x02 => Encoding::Bool,
        0x03 => Encoding::ComplexFloat,
        0x04 => Encoding::Float,
        0x05 => Encoding::Signed,
        0x06 => Encoding::SignedChar,
        0x07 => Encoding::Unsigned,
        0x08 => Encoding::UnsignedChar,
        0x10 => Encoding::Unsigned, // DW_ATE_UTF: char16_t and friends
        _ => Encoding::Other,
    }
}

/// Removes `.` and resolves `..` textually, so that one file has one path.
fn clean_path(p: &Path) -> PathBuf {
    use std::path::Component::*;
    let mut out = PathBuf::new();
    for c in p.components() {
        match c {
            CurDir => {}
            // `a/../b` is `b` only if `a` is not a symbolic link: this is a key and a name, the text is read through
            // the path as given.
            ParentDir if matches!(out.components().next_back(), Some(Normal(_))) => {
                out.pop();
            }
            c => out.push(c),
        }
    }
    out
}
