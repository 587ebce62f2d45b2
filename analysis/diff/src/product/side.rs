//! What names mean in both versions: one address per variable, function and local object that the versions share, one
//! layout for records that both have, and the contents of constants.

use super::exec::{Shape, Version};
use super::mem::{Mem, Place};
use super::{Product, Res, Stop};
use crate::pairs::{may_be_replaced, weak_name};
use std::rc::Rc;
use verify_ir::{Body, FuncId, InitData, InstKind, Module, Overlay, SymbolRef, Target, Ty, TypeId, Value};
use verify_solver::{Sort, Term};

impl<'a> Product<'a> {
    pub(crate) fn module(&self, v: Version) -> &'a Module {
        match v {
            Version::Old => self.pairs.old,
            Version::New => self.pairs.new,
        }
    }

    pub(crate) fn target(&self) -> &'a Target {
        &self.pairs.old.target
    }

    pub(crate) fn bits(&self, ty: Ty) -> u32 {
        ty.bits(self.target())
    }

    pub(crate) fn shape(&mut self, v: Version, f: FuncId) -> Rc<Shape> {
        if let Some(s) = self.shapes.get(&(v, f)) {
            return s.clone();
        }
        let s = Rc::new(match &self.module(v).func(f).body {
            Some(b) => Shape::new(b),
            None => Shape::new(&Body::default()),
        });
        self.shapes.insert((v, f), s.clone());
        s
    }

    pub(crate) fn inlined(&self, v: Version, f: FuncId) -> bool {
        self.inline.contains(&(v, f))
    }

    /// What keeps a function that is looked into from being compared.
    pub(crate) fn trouble_of(&mut self, v: Version, f: FuncId) -> Option<&'static str> {
        let pairs = self.pairs;
        *self.troubles.entry((v, f)).or_insert_with(|| pairs.trouble_of(v, f))
    }

    pub(crate) fn reads_only(&self, f: FuncId, v: Version) -> bool {
        let info = self.module(v).func(f);
        // An attribute is believed of code that is not there.
        info.body.is_none() && (info.attrs.no_memory || info.attrs.read_only) || self.pairs.writes_nothing(v, f)
    }

    /// What a called function is, in both versions the same word when they are known to be, or are being shown to be,
    /// equal.
    pub(crate) fn callee_name(&mut self, v: Version, f: FuncId) -> Res<String> {
        if self.pairs.is_twofold(v, f) {
            return Ok(self.pairs.function_text(v, f));
        }
        if let Some(class) = self.pairs.class(v, f) {
            self.deps.insert(class);
            return Ok(format!("pair {class}"));
        }
        let info = self.module(v).func(f);
        if info.body.is_some() && !self.pairs.is_library(v, f) {
            return Ok(format!("{v:?} {}", info.name));
        }
        Ok(format!("function {}", info.name))
    }

    pub(crate) fn symbol_address(&mut self, v: Version, s: SymbolRef) -> Term {
        let module = self.module(v);
        let weak = weak_name(module, s);
        let (s, offset) = module.resolve(s);
        let w = self.t.ptr_bits;
        if let Some(n) = weak {
            // Where what it stands for lies, or something else.
            if let SymbolRef::Func(f) = s {
                self.deps.extend(self.pairs.class(v, f));
            }
            let key = self.word(&format!("weak {n}"));
            return self.t.symbol(&[730, key], Sort::Bv(w));
        }
        let (name, place) = match s {
            SymbolRef::Func(f) => {
                let name = match self.pairs.class(v, f) {
                    _ if self.pairs.is_twofold(v, f) => self.pairs.function_text(v, f),
                    Some(c) => {
                        self.deps.insert(c);
                        format!("pair {c}")
                    }
                    None if module.func(f).body.is_some() && !self.pairs.is_library(v, f) => {
                        format!("{v:?} {}", module.func(f).name)
                    }
                    None => format!("function {}", module.func(f).name),
                };
                (name, (Some(1), 1, true))
            }
            SymbolRef::Global(g) => {
                let info = module.global(g);
                if self.pairs.layout_differs(v, info.ctype) {
                    self.layout_trouble = true;
                }
                self.deps.extend(self.pairs.behind(v, g));
                let size = (info.size > 0).then_some(info.size);
                (self.pairs.global_name(v, g), (size, info.align, info.constant))
            }
            SymbolRef::Alias(a) => (format!("{v:?} ifunc {}", module.alias(a).name), (None, 1, true)),
        };
        let key = self.word(&name);
        let base = self.t.symbol(&[730, key], Sort::Bv(w));
        if let SymbolRef::Global(g) = s {
            self.constants.insert((v, base), g);
        }
        // What the linker makes lies within, or at the end of, other objects, and may be absent where it need not exist.
        let own = module.made_by_linker(s).is_none() && !module.may_be_absent(s);
        if own && !self.mems.places.contains_key(&base) {
            let (size, align, read_only) = place;
            self.add_place(Place { base, size, local: false, private: false, read_only, shared: true, align });
        }
        let off = self.t.pool.num(w, u128::from(offset));
        self.t.pool.add(base, off)
    }

    /// A new object: it is not null, ends before the end of memory, and shares no byte with the others.
    pub(crate) fn add_place(&mut self, p: Place) {
        let align = p.align;
        let w = self.t.ptr_bits;
        let low = self.t.pool.num(w, 4096);
        let a = self.t.pool.ule(low, p.base);
        self.t.axioms.push(a);
        let size = self.t.pool.num(w, u128::from(p.size.unwrap_or(1)));
        let end = self.t.pool.add(p.base, size);
        let a = self.t.pool.ule(p.base, end);
        self.t.axioms.push(a);
        if align.is_power_of_two() && align > 1 {
            let k = align.trailing_zeros().min(12);
            let tail = self.t.pool.extract(p.base, k - 1, 0);
            let zero = self.t.pool.num(k, 0);
            let a = self.t.pool.eq(tail, zero);
            self.t.axioms.push(a);
        }
        if self.mems.places.len() < 40 {
            let others: Vec<(Term, u64)> =
                self.mems.places.values().map(|o| (o.base, o.size.unwrap_or(1).max(1))).collect();
            for o in others {
                // Objects of one version only may lie anywhere that an object of the other does: those are never
                // both read. Saying that they are apart excludes no behaviour of either version.
                if self.may_be_one(p.base, o.0) {
                    continue;
                }
                let a = super::mem::disjoint(&mut self.t, (p.base, p.size.unwrap_or(1).max(1)), o);
                self.t.axioms.push(a);
            }
        }
        self.mems.places.insert(p.base, p);
    }

    /// Two literals of which C leaves open whether they share memory.
    fn may_be_one(&self, a: Term, b: Term) -> bool {
        [Version::Old, Version::New].into_iter().any(|v| {
            let (Some(g), Some(h)) = (self.constants.get(&(v, a)), self.constants.get(&(v, b))) else { return false };
            self.module(v).overlay(*g, *h) != Overlay::At(Vec::new())
        })
    }

    /// A name for a local object: function, variable, which of that name.
    pub(crate) fn local_key(&mut self, v: Version, f: FuncId, alloca: Value, depth: u32) -> (Vec<u32>, bool) {
        let label = label(self.module(v), f, alloca);
        let mut shared = true;
        let function = match self.pairs.class(v, f) {
            Some(c) => format!("pair {c}"),
            None => format!("{v:?} {}", self.module(v).func(f).name),
        };
        if depth == 0 {
            let (other, g) = match v {
                Version::Old => (Version::New, self.new),
                Version::New => (Version::Old, self.old),
            };
            shared = labels(self.module(other), g).contains(&label);
        }
        let name = self.word(&format!("local {function} {label}"));
        let count = if depth == 0 { 0 } else { self.inline_count };
        let mut key = vec![731, name, depth, count];
        if !shared {
            key.push(v as u32);
        }
        (key, shared)
    }

    /// The byte offset of a field, in the layout of the old version where both have the record.
    pub(crate) fn field_offset(&self, v: Version, record: Option<TypeId>, index: u32, offset: u64) -> Res<u64> {
        match (v, record) {
            (Version::New, Some(r)) => self.pairs.layouts.field(self.pairs.new, r, index, offset).map_err(Stop::new),
            _ => Ok(offset),
        }
    }

    pub(crate) fn stride(&self, v: Version, elem: Option<TypeId>, stride: u64) -> Res<u64> {
        match (v, elem) {
            (Version::New, Some(t)) => Ok(self.pairs.layouts.stride(self.pairs.new, t, stride)),
            _ => Ok(stride),
        }
    }

    /// What a constant object holds: at a constant offset, or, of one that is not large, at each one that an access may
    /// be to (a table in the place of a `switch`).
    pub(crate) fn constant_content(&mut self, v: Version, mem: Mem, at: Term, bytes: u64) -> Option<Term> {
        let root = self.mems.root(&self.t, at)?;
        if !self.mems.places[&root].read_only || bytes > 16 || bytes == 0 {
            return None;
        }
        let off = self.t.pool.sub(at, root);
        let g = *self.constants.get(&(v, root))?;
        let info = self.module(v).global(g);
        if !info.constant {
            return None;
        }
        if let Some(off) = self.t.pool.as_const(off) {
            return self.constant_at(v, g, off.to_u64()?, bytes);
        }
        let entries = info.size / bytes;
        if entries > MAX_TABLE {
            return None;
        }
        let mut all = Vec::new();
        for k in 0..entries {
            all.push((k * bytes, self.constant_at(v, g, k * bytes, bytes)?));
        }
        // Between two entries, or outside: as of any memory.
        let mut out = self.mems.load(&mut self.t, mem, at, bytes);
        for (k, value) in all.into_iter().rev() {
            let k = self.t.pool.num(self.t.ptr_bits, u128::from(k));
            let here = self.t.pool.eq(off, k);
            out = self.t.pool.ite(here, value, out);
        }
        Some(out)
    }

    pub(super) fn constant_at(&mut self, v: Version, g: verify_ir::GlobalId, off: u64, bytes: u64) -> Option<Term> {
        let info = self.module(v).global(g);
        let init = info.init.as_ref()?;
        if off.checked_add(bytes)? > info.size || may_be_replaced(info.linkage) {
            return None;
        }
        let mut out = vec![0u8; bytes as usize];
        for p in &init.pieces {
            let end = p.offset + p.data.size();
            if end <= off || p.offset >= off + bytes {
                continue;
            }
            match &p.data {
                InitData::Bytes(b) => {
                    for (i, x) in b.iter().enumerate() {
                        let k = p.offset + i as u64;
                        if k >= off && k < off + bytes {
                            out[(k - off) as usize] = *x;
                        }
                    }
                }
                InitData::Address { symbol, addend, .. }
                    if p.offset == off && p.data.size() == bytes && 8 * bytes == u64::from(self.t.ptr_bits) =>
                {
                    let base = self.symbol_address(v, *symbol);
                    let by = self.t.pool.num(self.t.ptr_bits, u128::from(*addend as u64));
                    return Some(self.t.pool.add(base, by));
                }
                _ => return None,
            }
        }
        let value = out.iter().rev().fold(0u128, |acc, b| acc << 8 | u128::from(*b));
        Some(self.t.pool.num(8 * bytes as u32, value))
    }
}

/// Constant objects with more entries are not taken apart.
const MAX_TABLE: u64 = 64;

/// The labels of the objects that a function makes.
fn labels(m: &Module, f: FuncId) -> Vec<String> {
    let Some(body) = &m.func(f).body else { return Vec::new() };
    let mut out = Vec::new();
    for b in &body.blocks {
        for i in &b.insts {
            if matches!(i.kind, InstKind::Alloca { .. }) {
                out.push(label(m, f, i.results[0]));
            }
        }
    }
    out
}

fn label(m: &Module, f: FuncId, v: Value) -> String {
    let Some(body) = &m.func(f).body else { return String::new() };
    let name_of =
        |v: Value| body.values[v.index()].var.and_then(|x| body.vars.get(x.index())).map_or("", |x| x.name.as_str());
    let mut nth = 0;
    for b in &body.blocks {
        for i in &b.insts {
            if let InstKind::Alloca { elem_size, .. } = &i.kind {
                let r = i.results[0];
                if r == v {
                    return format!("{} {nth} {elem_size}", name_of(v));
                }
                nth += u32::from(name_of(r) == name_of(v));
            }
        }
    }
    String::new()
}
