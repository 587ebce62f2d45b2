//! Printing of everything but instructions.

use super::PrintOptions;
use super::lex::{quote, quote_bytes, word_char};
use crate::constant::{Const, Operand, SymbolRef};
use crate::entity::{AliasId, FuncId, GlobalId, SpanId, Value};
use crate::function::{Body, Extension, Function, Param, Signature};
use crate::module::{Alias, Global, InitData, Linkage, Module, Visibility};
use crate::types::{CType, Encoding, FloatKind, Qualifier, Record, Ty};
use std::collections::HashMap;
use std::fmt::Write;

/// `write!` to the text; writing to a `String` does not fail.
macro_rules! w {
    ($self:ident, $($arg:tt)*) => { { let _ = write!($self.out, $($arg)*); } };
}
pub(super) use w;

pub(super) struct Printer<'a> {
    pub(super) module: &'a Module,
    pub(super) options: PrintOptions,
    pub(super) out: String,
    /// How many symbols have this name.
    names: HashMap<&'a str, u32>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(module: &'a Module, options: PrintOptions) -> Printer<'a> {
        let mut names = HashMap::new();
        let all = (module.functions.iter().map(|f| &f.name))
            .chain(module.globals.iter().map(|g| &g.name))
            .chain(module.aliases.iter().map(|a| &a.name));
        for n in all {
            *names.entry(n.as_str()).or_default() += 1;
        }
        Printer { module, options, out: String::new(), names }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn module(&mut self) {
        let m = self.module;
        w!(self, "verify-ir {}\n", crate::FORMAT_VERSION);
        let order = if m.target.big_endian { "big" } else { "little" };
        w!(self, "target {} {} {order}\n", quote(&m.target.triple), m.target.pointer_bits);
        if self.options.tables {
            self.tables();
        }
        for (i, g) in m.globals.iter().enumerate() {
            self.global(GlobalId::new(i), g);
        }
        for i in 0..m.functions.len() {
            self.function(FuncId::new(i));
        }
        for (i, a) in m.aliases.iter().enumerate() {
            self.alias(AliasId::new(i), a);
        }
        for (word, list) in [("constructor", &m.constructors), ("destructor", &m.destructors)] {
            for s in list {
                w!(self, "{word} {} ", s.priority);
                self.symbol(SymbolRef::Func(s.func));
                self.out.push('\n');
            }
        }
        if self.options.tables {
            for d in &m.macros {
                w!(self, "macro {} {} ", quote(&d.name), quote(&d.body));
                match d.file {
                    Some(f) => w!(self, "{f} {}", d.line),
                    None => w!(self, "? {}", d.line),
                }
                self.flags(&[(d.undef, "undef")]);
                self.out.push('\n');
            }
        }
        for u in &m.unmodelled {
            w!(self, "unmodelled {}\n", quote(u));
        }
    }

    fn tables(&mut self) {
        let m = self.module;
        for (i, u) in m.units.iter().enumerate() {
            w!(self, "unit{i} {} directory {} ", quote(&u.source), quote(&u.directory));
            w!(self, "producer {} language {} flags {}", quote(&u.producer), quote(&u.language), quote(&u.flags));
            self.flags(&[(u.model, "model")]);
            self.out.push('\n');
        }
        for (i, f) in m.files.iter().enumerate() {
            w!(self, "file{i} {} directory {} hash \"", quote(&f.path), quote(&f.directory));
            f.hash.iter().for_each(|b| w!(self, "{b:02x}"));
            self.out.push('"');
            if let (Some(t), true) = (&f.text, self.options.texts) {
                w!(self, " text {}", quote(t));
            }
            self.flags(&[(f.system, "system")]);
            self.out.push('\n');
        }
        for (i, s) in m.spans.iter().enumerate() {
            w!(self, "span{i} {} {} {}", s.file, s.line, s.column);
            if let Some(at) = s.inlined_at {
                w!(self, " at {at}");
            }
            self.out.push('\n');
        }
        for (i, t) in m.ctypes.iter().enumerate() {
            w!(self, "type{i} ");
            self.ctype(t);
            self.out.push('\n');
        }
    }

    fn ctype(&mut self, t: &CType) {
        match t {
            CType::Void => w!(self, "void"),
            CType::Base { name, encoding, bits } => {
                w!(self, "base {} {} {bits}", quote(name), encoding_name(*encoding))
            }
            CType::Pointer(t) => w!(self, "pointer {t}"),
            CType::Record(r) => self.record(r),
            CType::Array { elem, count: Some(n) } => w!(self, "array {elem} [{n}]"),
            CType::Array { elem, count: None } => w!(self, "array {elem} [?]"),
            CType::Enum { name, underlying, enumerators } => {
                w!(self, "enum {} {underlying} {{", quote(name));
                for (i, (n, v)) in enumerators.iter().enumerate() {
                    w!(self, "{} {} = {v}", if i == 0 { "" } else { "," }, quote(n));
                }
                w!(self, " }}");
            }
            CType::Typedef { name, ty } => w!(self, "typedef {} {ty}", quote(name)),
            CType::Qualified { qualifier, ty } => w!(self, "{} {ty}", qualifier_name(*qualifier)),
            CType::Function { ret, params, variadic } => {
                w!(self, "function {ret} (");
                for (i, p) in params.iter().enumerate() {
                    w!(self, "{}{p}", if i == 0 { "" } else { ", " });
                }
                if *variadic {
                    w!(self, "{}...", if params.is_empty() { "" } else { ", " });
                }
                w!(self, ")");
            }
        }
    }

    fn record(&mut self, r: &Record) {
        let word = if r.is_union { "union" } else { "struct" };
        w!(self, "{word} {} size {} align {}", quote(&r.name), r.size, r.align);
        self.flags(&[(r.incomplete, "incomplete")]);
        w!(self, " {{");
        for (i, f) in r.fields.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            w!(self, "{comma} {} {} {} {}", quote(&f.name), f.ty, f.bit_offset, f.bit_size);
            self.flags(&[(f.bit_field, "bits")]);
        }
        w!(self, " }}");
    }

    pub(super) fn flags(&mut self, flags: &[(bool, &str)]) {
        for (on, word) in flags {
            if *on {
                w!(self, " {word}");
            }
        }
    }

    pub(super) fn span(&mut self, s: SpanId) {
        if s.0 != 0 {
            w!(self, " !{}", s.0);
        }
    }

    pub(super) fn optional(&mut self, word: &str, s: &Option<String>) {
        if let Some(s) = s {
            w!(self, " {word} {}", quote(s));
        }
    }

    fn global(&mut self, id: GlobalId, g: &Global) {
        w!(self, "{id} {} source {} {} ", quote(&g.name), quote(&g.source_name), g.unit);
        w!(self, "{} {}", linkage_name(g.linkage), visibility_name(g.visibility));
        self.optional("comdat", &g.comdat);
        self.optional("section", &g.section);
        self.flags(&[(g.thread_local, "thread_local"), (g.constant, "constant"), (g.compiler_made, "compiler_made")]);
        w!(self, " size {} align {}", g.size, g.align);
        if let Some(t) = g.ctype {
            w!(self, " ctype {t}");
        }
        self.span(g.span);
        if let Some(init) = &g.init {
            w!(self, " init {{");
            for (i, p) in init.pieces.iter().enumerate() {
                w!(self, "{} {} ", if i == 0 { "" } else { "," }, p.offset);
                self.init_data(&p.data);
            }
            w!(self, " }}");
        }
        self.out.push('\n');
    }

    fn init_data(&mut self, d: &InitData) {
        match d {
            InitData::Bytes(b) => w!(self, "bytes {}", quote_bytes(b)),
            InitData::Address { symbol, addend, size } => {
                w!(self, "address ");
                self.symbol(*symbol);
                w!(self, " {addend} size {size}");
            }
            InitData::BlockAddr { func, block, size } => w!(self, "block {func} {block} size {size}"),
            InitData::Difference { left, right, addend, size } => {
                w!(self, "difference (");
                self.init_data(left);
                w!(self, ", ");
                self.init_data(right);
                w!(self, ") {addend} size {size}");
            }
            InitData::Undef(n) => w!(self, "undef {n}"),
        }
    }

    fn alias(&mut self, id: AliasId, a: &Alias) {
        let (l, v) = (linkage_name(a.linkage), visibility_name(a.visibility));
        w!(self, "{id} {} {l} {v} {} ", quote(&a.name), a.unit);
        self.symbol(a.target);
        w!(self, " {}", a.offset);
        self.flags(&[(a.ifunc, "ifunc")]);
        self.out.push('\n');
    }

    pub(super) fn function(&mut self, id: FuncId) {
        let f = self.module.func(id);
        let (l, v) = (linkage_name(f.linkage), visibility_name(f.visibility));
        w!(self, "{id} {} {} {l} {v} ", quote(&f.name), f.unit);
        self.signature(&f.sig);
        self.fn_attrs(f);
        self.optional("comdat", &f.comdat);
        if let Some(t) = f.ctype {
            w!(self, " ctype {t}");
        }
        self.span(f.span);
        self.position_note(f.span, "");
        self.out.push('\n');
        if let Some(b) = &f.body {
            self.body(b);
        }
    }

    fn fn_attrs(&mut self, f: &Function) {
        let a = &f.attrs;
        self.flags(&[
            (a.noreturn, "noreturn"),
            (a.returns_twice, "returns_twice"),
            (a.naked, "naked"),
            (a.malloc, "malloc"),
            (a.returns_nonnull, "returns_nonnull"),
            (a.no_memory, "no_memory"),
            (a.read_only, "read_only"),
            (a.no_prototype, "no_prototype"),
        ]);
        match a.alloc_size {
            Some((a, Some(b))) => w!(self, " alloc_size({a} {b})"),
            Some((a, None)) => w!(self, " alloc_size({a})"),
            None => {}
        }
        if !a.memory_orders.is_empty() {
            w!(self, " memory_orders(");
            for (i, (at, order)) in a.memory_orders.iter().enumerate() {
                w!(self, "{}{at} {order}", if i == 0 { "" } else { " " });
            }
            w!(self, ")");
        }
        if a.convention != 0 {
            w!(self, " convention({})", a.convention);
        }
        if a.result_extension != Extension::Any {
            w!(self, " result");
            self.extension(a.result_extension);
        }
        if !a.beside.is_empty() {
            w!(self, " beside(");
            for (i, (at, what)) in a.beside.iter().enumerate() {
                w!(self, "{}{at} {}", if i == 0 { "" } else { " " }, quote(what));
            }
            w!(self, ")");
        }
    }

    fn extension(&mut self, e: Extension) {
        self.flags(&[(e == Extension::Sign, "signext"), (e == Extension::Zero, "zeroext")]);
    }

    fn signature(&mut self, s: &Signature) {
        self.out.push('(');
        for (i, p) in s.params.iter().enumerate() {
            w!(self, "{}{}", if i == 0 { "" } else { ", " }, ty_name(p.ty));
            self.param_attrs(p);
        }
        if s.variadic {
            w!(self, "{}...", if s.params.is_empty() { "" } else { ", " });
        }
        w!(self, ") -> (");
        for (i, r) in s.results.iter().enumerate() {
            w!(self, "{}{}", if i == 0 { "" } else { ", " }, ty_name(*r));
        }
        self.out.push(')');
    }

    pub(super) fn param_attrs(&mut self, p: &Param) {
        let a = &p.attrs;
        if let Some((size, align)) = a.byval {
            w!(self, " byval({size} {align})");
        }
        if let Some(size) = a.sret {
            w!(self, " sret({size})");
        }
        self.flags(&[(a.nonnull, "nonnull")]);
        if a.lanes != 0 {
            w!(self, " lanes({})", a.lanes);
        }
        self.extension(a.extension);
        self.flags(&[(a.in_register, "inreg")]);
    }

    fn body(&mut self, body: &Body) {
        w!(self, "{{");
        for (i, v) in body.vars.iter().enumerate() {
            w!(self, "{}var{i} {}", if i == 0 { " " } else { "\n  " }, quote(&v.name));
            if let Some(t) = v.ctype {
                w!(self, " {t}");
            }
            if v.param != 0 {
                w!(self, " param {}", v.param);
            }
            self.span(v.span);
        }
        self.out.push('\n');
        self.undefined_values(body);
        for (i, b) in body.blocks.iter().enumerate() {
            w!(self, "b{i}");
            if !b.params.is_empty() {
                self.out.push('(');
                self.definitions(body, &b.params);
                self.out.push(')');
            }
            w!(self, ":\n");
            for inst in &b.insts {
                self.inst(body, inst);
            }
            self.terminator(&b.term, b.term_span);
        }
        w!(self, "}}\n");
    }

    /// Values that nothing defines: `check` refuses them, but a printer that loses them would hide it.
    fn undefined_values(&mut self, body: &Body) {
        let mut defined = vec![false; body.values.len()];
        let params = body.blocks.iter().flat_map(|b| &b.params);
        let results = body.blocks.iter().flat_map(|b| &b.insts).flat_map(|i| &i.results);
        for v in params.chain(results) {
            if let Some(d) = defined.get_mut(v.index()) {
                *d = true;
            }
        }
        let missing: Vec<Value> = (0..defined.len()).filter(|&i| !defined[i]).map(Value::new).collect();
        if !missing.is_empty() {
            w!(self, "  undefined ");
            self.definitions(body, &missing);
            self.out.push('\n');
        }
    }

    /// `v0: i32 var1, v1: ptr`.
    pub(super) fn definitions(&mut self, body: &Body, values: &[Value]) {
        for (i, v) in values.iter().enumerate() {
            w!(self, "{}{v}: ", if i == 0 { "" } else { ", " });
            match body.values.get(v.index()) {
                None => w!(self, "?"),
                Some(d) => {
                    w!(self, "{}", ty_name(d.ty));
                    if let Some(var) = d.var {
                        w!(self, " {var}");
                    }
                }
            }
        }
    }

    pub(super) fn symbol(&mut self, s: SymbolRef) {
        let m = self.module;
        let (word, id, name) = match s {
            SymbolRef::Func(f) => ("func", f.0, m.functions.get(f.index()).map(|f| &f.name)),
            SymbolRef::Global(g) => ("global", g.0, m.globals.get(g.index()).map(|g| &g.name)),
            SymbolRef::Alias(a) => ("alias", a.0, m.aliases.get(a.index()).map(|a| &a.name)),
        };
        let plain = name.filter(|n| {
            !n.is_empty()
                && n.bytes().all(word_char)
                && self.names.get(n.as_str()) == Some(&1)
                && entity_symbol(n).is_none()
        });
        match plain {
            Some(n) => w!(self, "@{n}"),
            None => w!(self, "@{word}{id}"),
        }
    }

    pub(super) fn operand(&mut self, o: &Operand) {
        match o {
            Operand::Value(v) => w!(self, "{v}"),
            Operand::Const(c) => self.constant(c),
        }
    }

    pub(super) fn operands(&mut self, ops: &[Operand]) {
        for (i, o) in ops.iter().enumerate() {
            w!(self, "{}", if i == 0 { "" } else { ", " });
            self.operand(o);
        }
    }

    pub(super) fn constant(&mut self, c: &Const) {
        match c {
            Const::Int { width, value } => match signed_small(*width, *value) {
                Some(v) => w!(self, "{v}:i{width}"),
                None => w!(self, "{value}:i{width}"),
            },
            Const::Wide { width, limbs } => {
                w!(self, "0x");
                limbs.iter().rev().for_each(|l| w!(self, "{l:016x}"));
                w!(self, ":i{width}");
            }
            Const::Float { kind, bits } => w!(self, "{bits:#x}:{}", ty_name(Ty::Float(*kind))),
            Const::Null => w!(self, "null"),
            Const::Symbol(s) => self.symbol(*s),
            Const::BlockAddr(f, b) => w!(self, "blockaddr({f} {b})"),
            Const::Undef(t) => w!(self, "undef:{}", ty_name(*t)),
            Const::Poison(t) => w!(self, "poison:{}", ty_name(*t)),
        }
    }

    /// The comment behind an instruction: `extra`, then the source position.
    pub(super) fn position_note(&mut self, s: SpanId, extra: &str) {
        if !self.options.notes {
            return;
        }
        let mut note = extra.to_string();
        if let Some(p) = self.module.spans.get(s.index()).filter(|p| p.line != 0)
            && let Some(f) = self.module.files.get(p.file.index())
        {
            let _ = write!(note, " {}:{}:{}", f.path, p.line, p.column);
        }
        let note = note.trim().replace(['\n', '\r'], " ");
        if !note.is_empty() {
            w!(self, "  ; {note}");
        }
    }
}

/// `-1` for all ones and the like: what a person would write. Only for values that parse back by wrapping.
fn signed_small(width: u32, value: u128) -> Option<i128> {
    let fits = (8..=128).contains(&width) && (width == 128 || value >> width == 0);
    let v = if fits && value >> (width - 1) == 1 {
        (value << (128 - width)) as i128 >> (128 - width)
    } else {
        return None;
    };
    (v > -65536).then_some(v)
}

/// `func3`, `global3`, `alias3` as a symbol.
pub(super) fn entity_symbol(s: &str) -> Option<SymbolRef> {
    let number = |p: &str| s.strip_prefix(p).filter(|d| d.bytes().all(|c| c.is_ascii_digit()))?.parse::<u32>().ok();
    if let Some(n) = number("func") {
        return Some(SymbolRef::Func(FuncId(n)));
    }
    if let Some(n) = number("global") {
        return Some(SymbolRef::Global(GlobalId(n)));
    }
    number("alias").map(|n| SymbolRef::Alias(AliasId(n)))
}

pub(crate) fn ty_name(t: Ty) -> String {
    match t {
        Ty::Int(w) => format!("i{w}"),
        Ty::Ptr => "ptr".into(),
        Ty::Float(k) => float_name(k).into(),
    }
}

/// Two-way tables between variants and words.
macro_rules! words {
    ($name:ident, $from:ident, $ty:ty, { $($variant:path = $word:literal),* $(,)? }) => {
        pub(super) fn $name(x: $ty) -> &'static str { match x { $($variant => $word),* } }
        pub(super) fn $from(s: &str) -> Option<$ty> { match s { $($word => Some($variant),)* _ => None } }
    };
}

words!(float_name, float_from, FloatKind, {
    FloatKind::Half = "f16", FloatKind::BFloat = "bf16", FloatKind::Single = "f32",
    FloatKind::Double = "f64", FloatKind::X87 = "x87", FloatKind::Quad = "f128",
});
words!(linkage_name, linkage_from, Linkage, {
    Linkage::External = "external", Linkage::Internal = "internal", Linkage::Weak = "weak",
    Linkage::Common = "common", Linkage::AvailableExternally = "available_externally",
    Linkage::Appending = "appending",
});
words!(visibility_name, visibility_from, Visibility, {
    Visibility::Default = "default", Visibility::Hidden = "hidden", Visibility::Protected = "protected",
});
words!(encoding_name, encoding_from, Encoding, {
    Encoding::Bool = "bool", Encoding::Signed = "signed", Encoding::Unsigned = "unsigned",
    Encoding::SignedChar = "signed_char", Encoding::UnsignedChar = "unsigned_char", Encoding::Float = "float",
    Encoding::ComplexFloat = "complex_float", Encoding::Other = "other",
});
words!(qualifier_name, qualifier_from, Qualifier, {
    Qualifier::Const = "const", Qualifier::Volatile = "volatile", Qualifier::Restrict = "restrict",
    Qualifier::Atomic = "atomic",
});
