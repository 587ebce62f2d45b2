//! Everything outside function bodies.

use super::Checker;
use crate::constant::SymbolRef;
use crate::entity::{AliasId, FileId, GlobalId, SpanId, TypeId, UnitId};
use crate::function::Function;
use crate::module::{Global, InitData, Linkage};
use crate::types::{CType, Record};
use std::collections::BTreeMap;

impl Checker<'_> {
    pub(super) fn tables(&mut self) {
        let m = self.module;
        self.require(matches!(m.target.pointer_bits, 16 | 32 | 64), || {
            format!("pointers of {} bits", m.target.pointer_bits)
        });
        self.spans();
        self.types();
        for (i, g) in m.globals.iter().enumerate() {
            self.global(GlobalId::new(i), g);
        }
        self.aliases();
        for s in m.constructors.iter().chain(&m.destructors) {
            self.in_range(s.func, s.func.index(), m.functions.len(), "constructor or destructor");
        }
        for d in &m.macros {
            if let Some(f) = d.file {
                self.file(f);
            }
        }
        self.names();
    }

    pub(super) fn span(&mut self, s: SpanId) {
        self.in_range(s, s.index(), self.module.spans.len(), "position");
    }

    pub(super) fn ctype(&mut self, t: Option<TypeId>) {
        if let Some(t) = t {
            self.in_range(t, t.index(), self.module.ctypes.len(), "type");
        }
    }

    fn file(&mut self, f: FileId) {
        self.in_range(f, f.index(), self.module.files.len(), "file");
    }

    fn unit(&mut self, u: UnitId) {
        self.in_range(u, u.index(), self.module.units.len(), "unit");
    }

    fn spans(&mut self) {
        let m = self.module;
        self.require(m.spans.first().is_some_and(|s| s.line == 0 && s.inlined_at.is_none()), || {
            "span0 is not the unknown position".into()
        });
        for s in &m.spans {
            self.file(s.file);
            if let Some(at) = s.inlined_at {
                self.span(at);
            }
        }
        if let Some(n) = cyclic(m.spans.len(), |i, out| out.extend(m.spans[i].inlined_at.map(|s| s.index()))) {
            self.problem(format!("the inlining positions of span{n} form a cycle"));
        }
    }

    fn types(&mut self) {
        let m = self.module;
        self.require(m.ctypes.first() == Some(&CType::Void), || "type0 is not void".into());
        for (i, t) in m.ctypes.iter().enumerate() {
            match t {
                CType::Void | CType::Base { .. } => {}
                CType::Pointer(t)
                | CType::Array { elem: t, .. }
                | CType::Enum { underlying: t, .. }
                | CType::Typedef { ty: t, .. }
                | CType::Qualified { ty: t, .. } => self.ctype(Some(*t)),
                CType::Function { ret, params, .. } => {
                    self.ctype(Some(*ret));
                    params.iter().for_each(|p| self.ctype(Some(*p)));
                }
                CType::Record(r) => self.record(TypeId::new(i), r),
            }
        }
        let by_value = |i: usize, out: &mut Vec<usize>| match &m.ctypes[i] {
            CType::Array { elem: t, .. }
            | CType::Enum { underlying: t, .. }
            | CType::Typedef { ty: t, .. }
            | CType::Qualified { ty: t, .. } => out.push(t.index()),
            CType::Record(r) => out.extend(r.fields.iter().map(|f| f.ty.index())),
            CType::Void | CType::Base { .. } | CType::Pointer(_) | CType::Function { .. } => {}
        };
        if let Some(n) = cyclic(m.ctypes.len(), by_value) {
            self.problem(format!("type{n} contains itself by value"));
        }
    }

    fn record(&mut self, id: TypeId, r: &Record) {
        if r.align != 0 {
            self.align(r.align, || format!("record {id} `{}`", r.name));
        }
        self.require(!r.incomplete || (r.size == 0 && r.fields.is_empty()), || {
            format!("incomplete record {id} `{}` has a size or fields", r.name)
        });
        for f in &r.fields {
            self.ctype(Some(f.ty));
            let end = f.bit_offset.checked_add(f.bit_size);
            self.require(end.is_some_and(|e| e.div_ceil(8) <= r.size), || {
                format!("field `{}` of record {id} `{}` lies outside its {} bytes", f.name, r.name, r.size)
            });
        }
    }

    fn global(&mut self, id: GlobalId, g: &Global) {
        self.unit(g.unit);
        self.ctype(g.ctype);
        self.span(g.span);
        self.align(g.align, || format!("{id} `{}`", g.name));
        let Some(init) = &g.init else {
            self.declaration(g.linkage, || format!("{id} `{}`", g.name));
            return;
        };
        let mut end = 0u64;
        for p in &init.pieces {
            let what = |why: &str| format!("initialiser of {id} `{}` at offset {}: {why}", g.name, p.offset);
            self.require(p.offset >= end, || what("not sorted, or overlaps the piece before"));
            match p.offset.checked_add(p.data.size()) {
                Some(e) if e <= g.size => end = e.max(end),
                _ => self.problem(what(&format!("lies outside the object's {} bytes", g.size))),
            }
            self.init_data(&p.data, &what);
        }
    }

    fn init_data(&mut self, d: &InitData, what: &dyn Fn(&str) -> String) {
        match d {
            InitData::Bytes(_) | InitData::Undef(_) => {}
            InitData::Address { symbol, size, .. } => {
                self.symbol(*symbol);
                self.require((1..=16).contains(size), || what("address of 0 or more than 16 bytes"));
            }
            InitData::BlockAddr { func, block, size } => {
                self.block_addr(*func, *block);
                self.require((1..=16).contains(size), || what("address of 0 or more than 16 bytes"));
            }
            InitData::Difference { left, right, size, .. } => {
                self.require((1..=16).contains(size), || what("difference of 0 or more than 16 bytes"));
                for side in [left, right] {
                    // One level: the difference of two addresses is all that an object file can express.
                    let plain = matches!(**side, InitData::Address { .. } | InitData::BlockAddr { .. });
                    self.require(plain, || what("difference of something that is not an address"));
                    if plain {
                        self.init_data(side, what);
                    }
                }
            }
        }
    }

    fn aliases(&mut self) {
        let m = self.module;
        for (i, a) in m.aliases.iter().enumerate() {
            self.unit(a.unit);
            self.symbol(a.target);
            let target = target_of(m, a.target);
            self.require(!a.ifunc || matches!(target, Some(SymbolRef::Func(_))), || {
                format!("ifunc alias{i} `{}` does not name a function", a.name)
            });
        }
        let next = |i: usize, out: &mut Vec<usize>| {
            if let SymbolRef::Alias(t) = m.aliases[i].target {
                out.push(t.index());
            }
        };
        if let Some(n) = cyclic(m.aliases.len(), next) {
            self.problem(format!("alias{n} `{}` is an alias of itself", m.alias(AliasId::new(n)).name));
        }
    }

    pub(super) fn declaration(&mut self, linkage: Linkage, of: impl FnOnce() -> String) {
        let ok = !matches!(linkage, Linkage::Internal | Linkage::Common | Linkage::AvailableExternally);
        self.require(ok, || format!("{} is only declared, with linkage {linkage:?}", of()));
    }

    pub(super) fn function_header(&mut self, f: &Function) {
        self.unit(f.unit);
        self.ctype(f.ctype);
        self.span(f.span);
        self.signature(&f.sig);
        if f.body.is_none() {
            self.declaration(f.linkage, || "it".into());
        }
        if let Some((a, b)) = f.attrs.alloc_size {
            let n = f.sig.params.len() as u32;
            self.require(a < n && b.is_none_or(|b| b < n), || "alloc_size names a parameter that is not there".into());
        }
    }

    fn names(&mut self) {
        let m = self.module;
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        let all = (m.globals.iter().map(|g| (g.name.as_str(), g.linkage)))
            .chain(m.functions.iter().map(|f| (f.name.as_str(), f.linkage)))
            .chain(m.aliases.iter().map(|a| (a.name.as_str(), a.linkage)));
        for (name, linkage) in all {
            if linkage != Linkage::Internal {
                *seen.entry(name).or_default() += 1;
            }
        }
        for (name, count) in seen {
            self.require(!name.is_empty(), || "a linker-visible symbol has no name".into());
            self.require(count == 1, || format!("{count} linker-visible symbols are named `{name}`"));
        }
    }
}

/// What an alias names in the end; `None` when that does not exist or the chain is cyclic.
fn target_of(m: &crate::Module, mut s: SymbolRef) -> Option<SymbolRef> {
    for _ in 0..=m.aliases.len() {
        match s {
            SymbolRef::Alias(a) => s = m.aliases.get(a.index())?.target,
            _ => return Some(s),
        }
    }
    None
}

/// A node on a cycle of the graph whose successors `succs` appends, if there is one. Successors out of range are
/// ignored. Linear, iterative.
fn cyclic(n: usize, succs: impl Fn(usize, &mut Vec<usize>)) -> Option<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Colour {
        White,
        Grey,
        Black,
    }
    let mut colour = vec![Colour::White; n];
    let mut out = Vec::new();
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for root in 0..n {
        stack.push((root, false));
        while let Some((v, done)) = stack.pop() {
            if done {
                colour[v] = Colour::Black;
                continue;
            }
            if colour[v] != Colour::White {
                continue;
            }
            colour[v] = Colour::Grey;
            stack.push((v, true));
            out.clear();
            succs(v, &mut out);
            for &t in &out {
                match colour.get(t) {
                    Some(Colour::Grey) => return Some(t),
                    Some(Colour::White) => stack.push((t, false)),
                    _ => {}
                }
            }
        }
    }
    None
}
