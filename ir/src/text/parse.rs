//! Parsing of everything but bodies: a hand-written recursive-descent parser without recursion deeper than the grammar
//! (a difference holds two addresses), so no text overflows the stack.

use super::ParseError;
use super::lex::{Tok, error_at, lex};
use super::print::{encoding_from, entity_symbol, float_from, linkage_from, qualifier_from, visibility_from};
use crate::FORMAT_VERSION;
use crate::constant::{Const, SymbolRef};
use crate::entity::{AliasId, Block, FileId, FuncId, GlobalId, SpanId, TypeId, UnitId, VarId};
use crate::function::{Extension, FnAttrs, Function, Param, ParamAttrs, Signature};
use crate::module::{Alias, Global, Init, InitData, InitPiece, Linkage, Module, Structor, UnitInfo, Visibility};
use crate::span::{MacroDef, SourceFile, Span};
use crate::types::{CType, Field, Record, Ty};
use std::collections::HashMap;
use std::str::FromStr;

pub(super) type R<T> = Result<T, ParseError>;

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Tok<'a>, usize)>,
    at: usize,
    /// Symbols by name; `None` when several have it.
    names: HashMap<Vec<u8>, Option<SymbolRef>>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> R<Parser<'a>> {
        let tokens = lex(text)?;
        let mut names = HashMap::new();
        // A definition is an entity followed by a string: `func3 "main"`. Nothing else looks like that.
        for pair in tokens.windows(2) {
            if let (Tok::Word(w), Tok::Str(s)) = (&pair[0].0, &pair[1].0)
                && let Some(sym) = entity_symbol(w)
            {
                names.entry(s.clone()).and_modify(|e| *e = None).or_insert(Some(sym));
            }
        }
        Ok(Parser { text, tokens, at: 0, names })
    }

    // ---- tokens ----

    pub(super) fn peek(&self) -> &Tok<'a> {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_next(&self) -> &Tok<'a> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(super) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// An error at the current token.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> R<T> {
        Err(error_at(self.text, self.tokens[self.at].1, message.into()))
    }

    pub(super) fn expected<T>(&self, what: &str) -> R<T> {
        self.error(format!("expected {what}, found {}", self.peek()))
    }

    pub(super) fn punct(&mut self, p: &'static str) -> R<()> {
        if self.accept(p) { Ok(()) } else { self.expected(&format!("`{p}`")) }
    }

    pub(super) fn accept(&mut self, p: &'static str) -> bool {
        let yes = matches!(self.peek(), Tok::Punct(q) if *q == p);
        if yes {
            self.bump();
        }
        yes
    }

    pub(super) fn is_punct(&self, p: &str) -> bool {
        matches!(self.peek(), Tok::Punct(q) if *q == p)
    }

    /// A flag or keyword, if it is there.
    pub(super) fn flag(&mut self, w: &str) -> bool {
        let yes = matches!(self.peek(), Tok::Word(x) if *x == w);
        if yes {
            self.bump();
        }
        yes
    }

    pub(super) fn keyword(&mut self, w: &str) -> R<()> {
        if self.flag(w) { Ok(()) } else { self.expected(&format!("`{w}`")) }
    }

    pub(super) fn word(&mut self, what: &str) -> R<&'a str> {
        match *self.peek() {
            Tok::Word(w) => {
                self.bump();
                Ok(w)
            }
            _ => self.expected(what),
        }
    }

    /// A word that `f` understands.
    pub(super) fn word_as<T>(&mut self, what: &str, f: impl Fn(&str) -> Option<T>) -> R<T> {
        match self.peek() {
            Tok::Word(w) => match f(w) {
                Some(x) => {
                    self.bump();
                    Ok(x)
                }
                None => self.expected(what),
            },
            _ => self.expected(what),
        }
    }

    pub(super) fn number<T: FromStr>(&mut self, what: &str) -> R<T> {
        match self.peek() {
            Tok::Num(n) => match n.parse() {
                Ok(x) => {
                    self.bump();
                    Ok(x)
                }
                Err(_) => self.error(format!("expected {what}, `{n}` is malformed or out of range")),
            },
            _ => self.expected(what),
        }
    }

    pub(super) fn bytes(&mut self, what: &str) -> R<Vec<u8>> {
        match self.peek() {
            Tok::Str(s) => {
                let s = s.clone();
                self.bump();
                Ok(s)
            }
            _ => self.expected(what),
        }
    }

    pub(super) fn string(&mut self, what: &str) -> R<String> {
        let at = self.at;
        String::from_utf8(self.bytes(what)?).or_else(|_| {
            self.at = at;
            self.error("this string is not UTF-8")
        })
    }

    pub(super) fn optional_string(&mut self, word: &str) -> R<Option<String>> {
        if self.flag(word) { Ok(Some(self.string(word)?)) } else { Ok(None) }
    }

    fn keyed_string(&mut self, word: &str) -> R<String> {
        self.keyword(word)?;
        self.string(word)
    }

    fn keyed_number<T: FromStr>(&mut self, word: &str) -> R<T> {
        self.keyword(word)?;
        self.number(word)
    }

    /// `prefix` followed by a number, as one word.
    pub(super) fn entity(&mut self, prefix: &str) -> R<u32> {
        self.word_as(&format!("`{prefix}` and its number"), |w| entity_number(w, prefix))
    }

    pub(super) fn is_entity(&self, prefix: &str) -> bool {
        matches!(self.peek(), Tok::Word(w) if entity_number(w, prefix).is_some())
    }

    pub(super) fn type_id(&mut self) -> R<TypeId> {
        Ok(TypeId(self.entity("type")?))
    }

    pub(super) fn optional_type(&mut self, word: &str) -> R<Option<TypeId>> {
        if self.flag(word) { Ok(Some(self.type_id()?)) } else { Ok(None) }
    }

    pub(super) fn span(&mut self) -> SpanId {
        match *self.peek() {
            Tok::Span(n) => {
                self.bump();
                SpanId(n)
            }
            _ => SpanId(0),
        }
    }

    pub(super) fn block(&mut self) -> R<Block> {
        Ok(Block(self.entity("b")?))
    }

    pub(super) fn var(&mut self) -> R<VarId> {
        Ok(VarId(self.entity("var")?))
    }

    pub(super) fn ty(&mut self) -> R<Ty> {
        self.word_as("a type (`i32`, `ptr`, `f64`)", |w| match w {
            "ptr" => Some(Ty::Ptr),
            _ => float_from(w).map(Ty::Float).or_else(|| entity_number(w, "i").map(Ty::Int)),
        })
    }

    pub(super) fn symbol(&mut self) -> R<SymbolRef> {
        let Tok::Sym(name) = *self.peek() else { return self.expected("a symbol (`@name`)") };
        let found = match entity_symbol(name) {
            Some(s) => s,
            None => match self.names.get(name.as_bytes()) {
                Some(Some(s)) => *s,
                Some(None) => return self.error(format!("several symbols are named `{name}`; give its number")),
                None => return self.error(format!("there is no symbol `{name}`")),
            },
        };
        self.bump();
        Ok(found)
    }

    fn symbol_func(&mut self) -> R<FuncId> {
        let at = self.at;
        match self.symbol()? {
            SymbolRef::Func(f) => Ok(f),
            _ => {
                self.at = at;
                self.expected("a function")
            }
        }
    }

    // ---- module ----

    pub(super) fn module(mut self) -> R<Module> {
        self.keyword("verify-ir")?;
        let version: u32 = match self.peek() {
            Tok::Num(n) => n.parse().unwrap_or(u32::MAX),
            _ => return self.expected("the format version"),
        };
        if version != FORMAT_VERSION {
            return self.error(format!(
                "made by another version of verify (format {version}, this one reads {FORMAT_VERSION}); print it again"
            ));
        }
        self.bump();
        let mut m = Module::default();
        self.keyword("target")?;
        m.target.triple = self.string("the target triple")?;
        m.target.pointer_bits = self.number("the pointer width")?;
        m.target.big_endian = self.word_as("`little` or `big`", |w| match w {
            "little" => Some(false),
            "big" => Some(true),
            _ => None,
        })?;
        while *self.peek() != Tok::End {
            self.item(&mut m)?;
        }
        Ok(m)
    }

    /// The number of a table entry must be the next one.
    fn next_id(&mut self, prefix: &str, len: usize) -> R<()> {
        let at = self.at;
        let n = self.entity(prefix)?;
        if n as usize == len {
            return Ok(());
        }
        self.at = at;
        self.error(format!("expected `{prefix}{len}`, found `{prefix}{n}`"))
    }

    fn item(&mut self, m: &mut Module) -> R<()> {
        let Tok::Word(w) = *self.peek() else { return self.expected("an item") };
        match w {
            "constructor" | "destructor" => {
                self.bump();
                let s = Structor { priority: self.number("a priority")?, func: self.symbol_func()? };
                if w == "constructor" { m.constructors.push(s) } else { m.destructors.push(s) }
            }
            "macro" => {
                self.bump();
                let (name, body) = (self.string("the macro's name")?, self.string("the macro's text")?);
                let file = if self.accept("?") { None } else { Some(FileId(self.entity("file")?)) };
                let line = self.number("a line")?;
                m.macros.push(MacroDef { name, body, file, line, undef: self.flag("undef") });
            }
            "unmodelled" => {
                self.bump();
                m.unmodelled.push(self.string("a sentence")?);
            }
            _ => match w.trim_end_matches(|c: char| c.is_ascii_digit()) {
                "unit" => self.unit(m)?,
                "file" => self.file(m)?,
                "span" => {
                    self.next_id("span", m.spans.len())?;
                    let file = FileId(self.entity("file")?);
                    let (line, column) = (self.number("a line")?, self.number("a column")?);
                    let inlined_at = if self.flag("at") { Some(SpanId(self.entity("span")?)) } else { None };
                    m.spans.push(Span { file, line, column, inlined_at });
                }
                "type" => {
                    self.next_id("type", m.ctypes.len())?;
                    let t = self.ctype()?;
                    m.ctypes.push(t);
                }
                "global" => self.global(m)?,
                "func" => self.function(m)?,
                "alias" => self.alias(m)?,
                _ => return self.expected("an item"),
            },
        }
        Ok(())
    }

    fn unit(&mut self, m: &mut Module) -> R<()> {
        self.next_id("unit", m.units.len())?;
        let u = UnitInfo {
            source: self.string("the source file")?,
            directory: self.keyed_string("directory")?,
            producer: self.keyed_string("producer")?,
            language: self.keyed_string("language")?,
            flags: self.keyed_string("flags")?,
            model: self.flag("model"),
        };
        m.units.push(u);
        Ok(())
    }

    fn file(&mut self, m: &mut Module) -> R<()> {
        self.next_id("file", m.files.len())?;
        let path = self.string("the path")?;
        let directory = self.keyed_string("directory")?;
        self.keyword("hash")?;
        let hex = self.string("64 hex digits")?;
        let Some(hash) = hash_from(&hex) else { return self.error("the hash before this is not 64 hex digits") };
        let text = self.optional_string("text")?.map(Into::into);
        m.files.push(SourceFile { path, directory, hash, text, system: self.flag("system") });
        Ok(())
    }

    fn ctype(&mut self) -> R<CType> {
        let w = self.word("a C type")?;
        Ok(match w {
            "void" => CType::Void,
            "base" => CType::Base {
                name: self.string("the type's name")?,
                encoding: self.word_as("an encoding", encoding_from)?,
                bits: self.number("a width in bits")?,
            },
            "pointer" => CType::Pointer(self.type_id()?),
            "struct" | "union" => self.record(w == "union")?,
            "array" => {
                let elem = self.type_id()?;
                self.punct("[")?;
                let count = if self.accept("?") { None } else { Some(self.number("a count")?) };
                self.punct("]")?;
                CType::Array { elem, count }
            }
            "enum" => {
                let name = self.string("the tag")?;
                let underlying = self.type_id()?;
                self.punct("{")?;
                let enumerators = self.list("}", |p| {
                    let n = p.string("an enumerator")?;
                    p.punct("=")?;
                    Ok((n, p.number("its value")?))
                })?;
                CType::Enum { name, underlying, enumerators }
            }
            "typedef" => CType::Typedef { name: self.string("the name")?, ty: self.type_id()? },
            "function" => {
                let ret = self.type_id()?;
                self.punct("(")?;
                let (params, variadic) = self.variadic_list(|p| p.type_id())?;
                CType::Function { ret, params, variadic }
            }
            _ => match qualifier_from(w) {
                Some(qualifier) => CType::Qualified { qualifier, ty: self.type_id()? },
                None => return self.error(format!("unknown kind of C type `{w}` before this")),
            },
        })
    }

    fn record(&mut self, is_union: bool) -> R<CType> {
        let name = self.string("the tag")?;
        let (size, align) = (self.keyed_number("size")?, self.keyed_number("align")?);
        let incomplete = self.flag("incomplete");
        self.punct("{")?;
        let fields = self.list("}", |p| {
            Ok(Field {
                name: p.string("a field")?,
                ty: p.type_id()?,
                bit_offset: p.number("its offset in bits")?,
                bit_size: p.number("its size in bits")?,
                bit_field: p.flag("bits"),
            })
        })?;
        Ok(CType::Record(Record { name, is_union, size, align, incomplete, fields }))
    }

    /// Comma-separated items up to `close`, which is consumed.
    pub(super) fn list<T>(&mut self, close: &'static str, mut item: impl FnMut(&mut Self) -> R<T>) -> R<Vec<T>> {
        let mut out = Vec::new();
        if self.accept(close) {
            return Ok(out);
        }
        loop {
            out.push(item(self)?);
            if self.accept(close) {
                return Ok(out);
            }
            if !self.accept(",") {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }

    /// Comma-separated items up to `)`, perhaps with `...` at the end.
    fn variadic_list<T>(&mut self, mut item: impl FnMut(&mut Self) -> R<T>) -> R<(Vec<T>, bool)> {
        let mut out = Vec::new();
        if self.accept(")") {
            return Ok((out, false));
        }
        loop {
            if self.accept("...") {
                self.punct(")")?;
                return Ok((out, true));
            }
            out.push(item(self)?);
            if self.accept(")") {
                return Ok((out, false));
            }
            if !self.accept(",") {
                return self.expected("`,` or `)`");
            }
        }
    }

    fn linkage(&mut self) -> R<(Linkage, Visibility)> {
        let l = self.word_as("a linkage", linkage_from)?;
        Ok((l, self.word_as("a visibility", visibility_from)?))
    }

    fn unit_id(&mut self) -> R<UnitId> {
        Ok(UnitId(self.entity("unit")?))
    }

    fn global(&mut self, m: &mut Module) -> R<()> {
        self.next_id("global", m.globals.len())?;
        debug_assert!(GlobalId::new(m.globals.len()).index() == m.globals.len());
        let name = self.string("the name")?;
        let source_name = self.keyed_string("source")?;
        let unit = self.unit_id()?;
        let (linkage, visibility) = self.linkage()?;
        let g = Global {
            name,
            source_name,
            unit,
            linkage,
            visibility,
            comdat: self.optional_string("comdat")?,
            section: self.optional_string("section")?,
            thread_local: self.flag("thread_local"),
            constant: self.flag("constant"),
            compiler_made: self.flag("compiler_made"),
            size: self.keyed_number("size")?,
            align: self.keyed_number("align")?,
            ctype: self.optional_type("ctype")?,
            span: self.span(),
            init: self.init()?,
        };
        m.globals.push(g);
        Ok(())
    }

    fn init(&mut self) -> R<Option<Init>> {
        if !self.flag("init") {
            return Ok(None);
        }
        self.punct("{")?;
        let pieces =
            self.list("}", |p| Ok(InitPiece { offset: p.number("an offset in bytes")?, data: p.init_data(true)? }))?;
        Ok(Some(Init { pieces }))
    }

    fn init_data(&mut self, outer: bool) -> R<InitData> {
        let at = self.at;
        let w = self.word("`bytes`, `address`, `block`, `difference` or `undef`")?;
        Ok(match w {
            "bytes" => InitData::Bytes(self.bytes("the bytes")?),
            "undef" => InitData::Undef(self.number("a number of bytes")?),
            "address" => InitData::Address {
                symbol: self.symbol()?,
                addend: self.number("an addend")?,
                size: self.keyed_number("size")?,
            },
            "block" => InitData::BlockAddr {
                func: FuncId(self.entity("func")?),
                block: self.block()?,
                size: self.keyed_number("size")?,
            },
            "difference" if outer => {
                self.punct("(")?;
                let left = Box::new(self.init_data(false)?);
                self.punct(",")?;
                let right = Box::new(self.init_data(false)?);
                self.punct(")")?;
                InitData::Difference {
                    left,
                    right,
                    addend: self.number("an addend")?,
                    size: self.keyed_number("size")?,
                }
            }
            _ => {
                self.at = at;
                return self.expected("contents of an initialiser (differences do not nest)");
            }
        })
    }

    fn alias(&mut self, m: &mut Module) -> R<()> {
        self.next_id("alias", m.aliases.len())?;
        debug_assert!(AliasId::new(m.aliases.len()).index() == m.aliases.len());
        let name = self.string("the name")?;
        let (linkage, visibility) = self.linkage()?;
        let unit = self.unit_id()?;
        let target = self.symbol()?;
        let offset = self.number("an offset in bytes")?;
        m.aliases.push(Alias { name, linkage, visibility, target, offset, ifunc: self.flag("ifunc"), unit });
        Ok(())
    }

    fn function(&mut self, m: &mut Module) -> R<()> {
        self.next_id("func", m.functions.len())?;
        let name = self.string("the name")?;
        let unit = self.unit_id()?;
        let (linkage, visibility) = self.linkage()?;
        self.punct("(")?;
        let (params, variadic) = self.variadic_list(|p| {
            let ty = p.ty()?;
            Ok(Param { ty, attrs: p.param_attrs()? })
        })?;
        self.punct("->")?;
        self.punct("(")?;
        let results = self.list(")", |p| p.ty())?;
        let attrs = self.fn_attrs()?;
        let comdat = self.optional_string("comdat")?;
        let ctype = self.optional_type("ctype")?;
        let span = self.span();
        let body = if self.accept("{") { Some(self.body()?) } else { None };
        let sig = Signature { params, results, variadic };
        m.functions.push(Function { name, unit, linkage, visibility, comdat, sig, attrs, ctype, span, body });
        Ok(())
    }

    fn fn_attrs(&mut self) -> R<FnAttrs> {
        let mut a = FnAttrs {
            noreturn: self.flag("noreturn"),
            returns_twice: self.flag("returns_twice"),
            naked: self.flag("naked"),
            malloc: self.flag("malloc"),
            returns_nonnull: self.flag("returns_nonnull"),
            no_memory: self.flag("no_memory"),
            read_only: self.flag("read_only"),
            no_prototype: self.flag("no_prototype"),
            alloc_size: None,
            memory_orders: Vec::new(),
            convention: 0,
            result_extension: Extension::Any,
            beside: Vec::new(),
        };
        if self.flag("alloc_size") {
            self.punct("(")?;
            let first = self.number("a parameter number")?;
            let second = if self.is_punct(")") { None } else { Some(self.number("a parameter number")?) };
            self.punct(")")?;
            a.alloc_size = Some((first, second));
        }
        if self.flag("memory_orders") {
            self.punct("(")?;
            while !self.is_punct(")") {
                a.memory_orders.push((self.number("a number of accesses")?, self.number("a memory order")?));
            }
            self.punct(")")?;
        }
        if self.flag("convention") {
            self.punct("(")?;
            a.convention = self.number("a calling convention")?;
            self.punct(")")?;
        }
        if self.flag("result") {
            a.result_extension = self.extension();
        }
        if self.flag("beside") {
            self.punct("(")?;
            while !self.is_punct(")") {
                a.beside.push((self.number("a number of accesses")?, self.string("what is beside the code")?));
            }
            self.punct(")")?;
        }
        Ok(a)
    }

    fn extension(&mut self) -> Extension {
        if self.flag("signext") {
            Extension::Sign
        } else if self.flag("zeroext") {
            Extension::Zero
        } else {
            Extension::Any
        }
    }

    pub(super) fn param_attrs(&mut self) -> R<ParamAttrs> {
        let mut a = ParamAttrs::default();
        if self.flag("byval") {
            self.punct("(")?;
            a.byval = Some((self.number("a size")?, self.number("an alignment")?));
            self.punct(")")?;
        }
        if self.flag("sret") {
            self.punct("(")?;
            a.sret = Some(self.number("a size")?);
            self.punct(")")?;
        }
        a.nonnull = self.flag("nonnull");
        if self.flag("lanes") {
            self.punct("(")?;
            a.lanes = self.number("a number of lanes")?;
            self.punct(")")?;
        }
        a.extension = self.extension();
        a.in_register = self.flag("inreg");
        Ok(a)
    }

    // ---- constants ----

    /// A constant, if one starts here.
    pub(super) fn constant(&mut self) -> R<Option<Const>> {
        Ok(Some(match *self.peek() {
            Tok::Sym(_) => Const::Symbol(self.symbol()?),
            Tok::Word("null") => {
                self.bump();
                Const::Null
            }
            Tok::Word(w @ ("undef" | "poison")) => {
                self.bump();
                self.punct(":")?;
                let t = self.ty()?;
                if w == "undef" { Const::Undef(t) } else { Const::Poison(t) }
            }
            Tok::Word("blockaddr") => {
                self.bump();
                self.punct("(")?;
                let c = Const::BlockAddr(FuncId(self.entity("func")?), self.block()?);
                self.punct(")")?;
                c
            }
            Tok::Num(n) => {
                let at = self.at;
                self.bump();
                self.punct(":")?;
                let t = self.ty()?;
                match typed_number(n, t) {
                    Some(c) => c,
                    None => {
                        self.at = at;
                        return self.error(format!("expected a number that fits its type, found `{n}`"));
                    }
                }
            }
            _ => return Ok(None),
        }))
    }
}

fn entity_number(w: &str, prefix: &str) -> Option<u32> {
    let digits = w.strip_prefix(prefix)?;
    digits.bytes().all(|c| c.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

fn hash_from(hex: &str) -> Option<[u8; 32]> {
    let ok = hex.len() == 64 && hex.bytes().all(|c| c.is_ascii_hexdigit());
    let mut out = [0; 32];
    for (i, b) in out.iter_mut().enumerate() {
        *b = u8::from_str_radix(ok.then(|| hex.get(2 * i..2 * i + 2)).flatten()?, 16).ok()?;
    }
    Some(out)
}

fn typed_number(n: &str, t: Ty) -> Option<Const> {
    let fits = |v: u128, bits: u32| bits >= 128 || v >> bits == 0;
    match t {
        Ty::Float(kind) => {
            let bits = u128::from_str_radix(n.strip_prefix("0x")?, 16).ok()?;
            fits(bits, kind.bits()).then_some(Const::Float { kind, bits })
        }
        Ty::Int(width @ 1..=128) => {
            let value = if let Some(hex) = n.strip_prefix("0x") {
                u128::from_str_radix(hex, 16).ok()?
            } else if n.starts_with('-') {
                let v: i128 = n.parse().ok()?;
                // Negative numbers stand for their two's complement; they must be representable.
                (v >> (width - 1) == -1).then_some(v as u128)? & if width == 128 { u128::MAX } else { (1 << width) - 1 }
            } else {
                n.parse().ok()?
            };
            fits(value, width).then_some(Const::Int { width, value })
        }
        Ty::Int(width @ 129..=crate::check::MAX_INT_BITS) => {
            let hex = n.strip_prefix("0x")?;
            let mut limbs = Vec::new();
            let mut end = hex.len();
            while end > 0 {
                let start = end.saturating_sub(16);
                limbs.push(u64::from_str_radix(hex.get(start..end)?, 16).ok()?);
                end = start;
            }
            let want = width.div_ceil(64) as usize;
            let spare = limbs.split_off(want.min(limbs.len()));
            limbs.resize(want, 0);
            let top = width % 64;
            let ok = spare.iter().all(|l| *l == 0) && (top == 0 || limbs[want - 1] >> top == 0);
            ok.then(|| Const::Wide { width, limbs: limbs.into() })
        }
        _ => None,
    }
}
