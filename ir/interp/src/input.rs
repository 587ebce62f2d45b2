//! Inputs under the input contract: a pointer is null or points to a live, initialised object of a size not below its
//! pointee's, fresh or met before; everything else is arbitrary. Objects are made when a pointer to them is first
//! read, their contents cell by cell when first read, shaped by C types where these are known.

use crate::big::{Big, from_words};
use crate::code::Slot;
use crate::ctypes::{self, Leaf};
use crate::describe::definition;
use crate::fault::Res;
use crate::machine::{Machine, Val};
use crate::memory::Area;
use crate::object::{Kind, Lazy, Mask, NULL_PROV, Site, State};
use crate::prims::{DIR_FAMILY, FILE_FAMILY};
use crate::script::{Origin, Question};
use crate::translate::is_small;
use std::sync::Arc;
use verify_ir::{Body, CType, Encoding, FuncId, InstKind, Module, Operand, Step, Ty, TypeId, Value, noted};

/// At most this many earlier objects are offered as aliases.
const ALIASES: usize = 16;
/// Unknown allocators have no more bytes to give at once than this.
const LARGEST_ALLOCATION: u64 = 4 << 20;
/// Size of an object of unknown type.
pub(crate) const UNTYPED_BYTES: u64 = 4096;
/// At most this many functions are offered for a function pointer.
const CANDIDATES: usize = 32;
/// A struct that arrives in registers is stored within so many instructions.
const NEAR: usize = 32;

impl Machine<'_, '_> {
    /// A value of machine type `ty` (C type `ctype`) from the script.
    pub fn scripted(
        &mut self,
        ty: Ty,
        ctype: Option<TypeId>,
        origin: Origin<'_>,
        path: &str,
        nonnull: bool,
    ) -> Res<Val> {
        if ty == Ty::Ptr {
            return self.scripted_pointer(ctype, origin, path, nonnull, None).map(Val::Small);
        }
        let bits = self.bits(ty);
        let mut limbs = Vec::with_capacity(1);
        for part in 0..bits.div_ceil(64) {
            let n = (bits - 64 * part).min(64);
            let q = Question::Scalar { origin, ty, ctype, bits: n, part, path };
            limbs.push(self.ask(&q)?);
        }
        if is_bool(self.module, ctype) {
            limbs[0] &= 1;
        }
        if ty == Ty::Float(verify_ir::FloatKind::X87) {
            normal_x87(&mut limbs);
        }
        Ok(if is_small(ty) { Val::Small(Slot::int(limbs[0])) } else { Val::Wide(Big::def(from_words(&limbs))) })
    }

    /// What unknown code returns that was asked for `bytes` of memory: null, or a fresh object of that many bytes.
    pub fn scripted_allocation(&mut self, bytes: u64, name: &str) -> Res<Val> {
        let path = format!("{name}()");
        self.scripted_pointer(None, Origin::External(name), &path, false, Some(bytes)).map(Val::Small)
    }

    fn scripted_pointer(
        &mut self,
        ctype: Option<TypeId>,
        origin: Origin<'_>,
        path: &str,
        nonnull: bool,
        asked: Option<u64>,
    ) -> Res<Slot> {
        let null = Slot { v: 0, u: 0, p: NULL_PROV };
        // Where not even the type is known, code that uses the object knows more: it is large enough for that.
        let asked = asked.or(if ctype.is_none() { Some(UNTYPED_BYTES) } else { None });
        let pointee = ctype.and_then(|t| ctypes::pointee(self.module, t));
        if let Some(f) = pointee
            && matches!(self.module.ctype(f), CType::Function { .. })
        {
            let candidates = self.candidates(f);
            let a = self.ask(&Question::Function { origin, ctype: Some(f), candidates: &candidates, path })?;
            return Ok(match a {
                0 => null,
                1 => self.program.unknown_function(),
                k => match candidates.get(k as usize - 2) {
                    Some(f) => self.program.func_slot(*f),
                    None => self.program.unknown_function(),
                },
            });
        }
        let pointee = pointee.map(|t| self.program.completed(t));
        let size = pointee.map_or(0, |t| ctypes::size(self.module, t));
        // Nothing is known of a record that is only declared but that it is no object of another type.
        let opaque = pointee.filter(|t| matches!(self.module.ctype(*t), CType::Record(_)));
        let (elem, size) = if size == 0 { (opaque, 1) } else { (pointee, size) };
        let mut aliases = Vec::new();
        for (k, slot) in self.inputs.iter().enumerate() {
            let o = &self.mem.objects[*slot as usize];
            let other = o.lazy.as_ref().and_then(|l| l.elem);
            if asked.is_none()
                && o.kind == Kind::Input
                && o.state == State::Live
                && o.size >= size
                && ctypes::compatible(self.module, elem, other)
                && aliases.len() < ALIASES
            {
                aliases.push(k as u32);
            }
        }
        let a = self.ask(&Question::Pointer { origin, pointee: elem, size, aliases: &aliases, nonnull, path })?;
        match a {
            0 => Ok(null),
            1 if asked.is_some() => match asked.unwrap_or(0) {
                n @ 1..=LARGEST_ALLOCATION => {
                    let slot = self.input_object(None, 1, n, path)?;
                    Ok(self.pointer_to(slot))
                }
                _ => Ok(null),
            },
            1 => {
                let stream = self.opened_stream(elem);
                let max = if stream.is_some() { 1 } else { (self.config.max_input_size / size).max(1) };
                let object = self.inputs.len() as u32;
                let n = self.ask(&Question::Elements { object, pointee: elem, size, max, path })?.clamp(1, max);
                let slot = match stream {
                    Some(image) => self.input_stream(elem, &image, path)?,
                    None => self.input_object(elem, size, n, path)?,
                };
                Ok(self.pointer_to(slot))
            }
            k => match aliases.get(k as usize - 2).and_then(|i| self.inputs.get(*i as usize)) {
                Some(slot) => Ok(self.pointer_to(*slot)),
                None => Ok(null),
            },
        }
    }

    /// A `FILE` is the C library's: an open stream, with what the models keep behind the members that `stdio.h` shows. The
    /// source of another C library has a record of that name with members of its own.
    fn opened_stream(&self, pointee: Option<TypeId>) -> Option<Arc<Vec<u8>>> {
        let opened = self.program.opened_stream()?;
        self.is_file(pointee?).then(|| self.program.image(opened).bytes.clone())
    }

    fn is_file(&self, t: TypeId) -> bool {
        ctypes::is_file(self.module, t)
    }

    /// Bytes from outside that were not asked for as a stream. What the models keep in a stream they cannot hold.
    pub fn is_no_stream(&mut self, p: Slot) -> bool {
        let Some(slot) = self.object_at(p) else { return false };
        let o = &self.mem.objects[slot as usize];
        o.kind == Kind::Input && !o.lazy.as_ref().and_then(|l| l.elem).is_some_and(|t| self.is_file(t))
    }

    /// The C library's own: its variables, and its records of streams and directories. Code that nobody has seen may use them
    /// through the library, but does not know what is in them: made-up contents would be none that there can be. Those that
    /// it leaves alone are.
    fn is_the_librarys(&self, slot: u32, elem: Option<TypeId>) -> bool {
        let o = &self.mem.objects[slot as usize];
        match o.kind {
            Kind::Heap => matches!(o.family, FILE_FAMILY | DIR_FAMILY),
            Kind::Input => elem.is_some_and(|t| self.is_file(t)),
            Kind::Global => self
                .program
                .static_global(o.origin)
                .is_some_and(|g| self.module.units.get(self.module.global(g).unit.index()).is_some_and(|u| u.model)),
            _ => false,
        }
    }

    fn input_stream(&mut self, elem: Option<TypeId>, image: &[u8], path: &str) -> Res<u32> {
        let slot = self.input_object(elem, image.len() as u64, 1, path)?;
        let pb = self.mem.ptr_bytes;
        self.mem.objects[slot as usize].write_range(0, image, None, pb);
        Ok(slot)
    }

    /// A fresh input object of `n` elements whose contents are still open.
    pub fn input_object(&mut self, elem: Option<TypeId>, elem_size: u64, n: u64, path: &str) -> Res<u32> {
        let size = elem_size * n;
        let align = if elem_size.is_power_of_two() { elem_size.clamp(1, 16) } else { 16 };
        // A list without end has paths that grow with every element.
        self.mem.charge(size.saturating_add(path.len() as u64))?;
        let slot = self.allocate(Area::Input, Kind::Input, size, align, Site::NONE)?;
        let number = self.inputs.len() as u32;
        self.inputs.push(slot);
        let o = &mut self.mem.objects[slot as usize];
        o.origin = number;
        let pending = vec![1; size as usize];
        let lazy = Lazy { pending, elem, elem_size, path: path.to_string(), direct: false, number };
        o.lazy = Some(Box::new(lazy));
        Ok(slot)
    }

    /// Makes the contents of an existing object open.
    pub fn open(&mut self, slot: u32, elem: Option<TypeId>, path: String, direct: bool) {
        let number = self.inputs.len() as u32;
        self.inputs.push(slot);
        let elem_size = elem.map_or(0, |t| ctypes::size(self.module, t)).max(1);
        let o = &mut self.mem.objects[slot as usize];
        let pending = vec![1; o.size as usize];
        o.mask = Mask::Undefined;
        o.pointers = None;
        o.lazy = Some(Box::new(Lazy { pending, elem, elem_size, path, direct, number }));
    }

    /// Fills `[off, off + n)` of an open object from the script; `ty` is the type of the access.
    pub fn materialise(&mut self, slot: u32, off: u64, n: u64, ty: Ty) -> Res<()> {
        let end = off + n;
        let mut at = off;
        while at < end {
            let o = &self.mem.objects[slot as usize];
            let Some(l) = &o.lazy else { return Ok(()) };
            if l.pending[at as usize] == 0 {
                at += 1;
                continue;
            }
            let (elem, es, number) = (l.elem, l.elem_size.max(1), l.number);
            let size = o.size;
            let want = (ty, n);
            let leaf = match elem {
                Some(t) => {
                    let start = at / es * es;
                    let mut leaf = ctypes::leaf(self.module, t, at - start, want);
                    leaf.offset += start;
                    leaf
                }
                None => Leaf { offset: at, size: 1, ctype: None, path: String::new() },
            };
            let whole =
                |o: u64, s: u64| o + s <= size && l.pending[o as usize..(o + s) as usize].iter().all(|x| *x != 0);
            let path = self.cell_path(slot, at / es, &leaf.path);
            let access = ty.store_bytes(&self.module.target);
            let (cell, ty, ctype) = if leaf.ctype.is_some() && whole(leaf.offset, leaf.size) {
                let t = leaf.ctype.map(|c| self.machine_type(c, leaf.size)).unwrap_or(Ty::Int(8));
                ((leaf.offset, leaf.size), t, leaf.ctype)
            } else if access == n && at == off && whole(at, n) && leaf.ctype.is_none() {
                // Nothing is known but the access itself.
                ((at, n), ty, None)
            } else {
                ((at, 1), Ty::Int(8), None)
            };
            let origin = Origin::Cell { object: number, offset: cell.0 };
            let v = self.scripted(ty, ctype, origin, &path, false)?;
            let v = match self.variable_type(slot) {
                Some(t) if elem.is_none() => self.valid_bools(v, ty, t, cell.0),
                _ => v,
            };
            self.put(slot, cell.0, ty, &v);
            // `put` writes the value's bytes; a `long double` has padding behind them.
            let bytes = ty.store_bytes(&self.module.target);
            if bytes < cell.1 {
                let pb = self.mem.ptr_bytes;
                self.mem.objects[slot as usize].fill(cell.0 + bytes, cell.1 - bytes, 0, 0, pb);
            }
            at = cell.0 + cell.1;
        }
        Ok(())
    }

    fn cell_path(&self, slot: u32, index: u64, inner: &str) -> String {
        let Some(l) = &self.mem.objects[slot as usize].lazy else { return String::new() };
        let p = &l.path;
        if l.direct {
            return format!("{p}{inner}");
        }
        match (index, inner.strip_prefix('.')) {
            (0, Some(field)) => format!("{p}->{field}"),
            (0, None) if inner.is_empty() => format!("*{p}"),
            (0, None) => format!("(*{p}){inner}"),
            _ => format!("{p}[{index}]{inner}"),
        }
    }

    /// The machine type of a C scalar of `size` bytes.
    fn machine_type(&self, t: TypeId, size: u64) -> Ty {
        use verify_ir::FloatKind::*;
        match self.module.ctype(t) {
            CType::Pointer(_) => Ty::Ptr,
            CType::Base { encoding: Encoding::Float, bits, name } => match (bits, size) {
                (_, 2) => Ty::Float(if name.contains("bf16") { BFloat } else { Half }),
                (_, 4) => Ty::Float(Single),
                (_, 8) => Ty::Float(Double),
                _ if name.contains("128") => Ty::Float(Quad),
                _ if self.float.nan_sign => Ty::Float(X87),
                _ => Ty::Float(Quad),
            },
            _ => Ty::Int((size * 8) as u32),
        }
    }

    /// Functions known outside that fit a C function type.
    fn candidates(&self, ctype: TypeId) -> Vec<FuncId> {
        noted::question("candidates", "");
        noted::aside(|| self.fitting(ctype))
    }

    fn fitting(&self, ctype: TypeId) -> Vec<FuncId> {
        let taken = self.program.known_outside();
        let user = |f: &FuncId| !self.program.is_model(*f);
        taken
            .iter()
            .copied()
            .filter(user)
            .filter(|f| self.module.func(*f).ctype.is_some_and(|t| same_shape(self.module, t, ctype)))
            .take(CANDIDATES)
            .collect()
    }

    /// Unknown code may have written everything writable that the pointers reach; it may also keep it.
    pub fn havoc_reachable(&mut self, roots: &[Slot], name: &str) -> Res<()> {
        let mut work: Vec<u32> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for r in roots {
            work.extend(self.object_at(*r));
        }
        while let Some(slot) = work.pop() {
            if !seen.insert(slot) {
                continue;
            }
            let o = &self.mem.objects[slot as usize];
            if o.state != State::Live {
                continue;
            }
            work.extend(self.pointed_to(slot));
            let o = &mut self.mem.objects[slot as usize];
            o.kept = true;
        }
        for slot in seen {
            let o = &self.mem.objects[slot as usize];
            if o.state == State::Live && o.writable && o.size > 0 && o.kind != Kind::Varargs {
                let elem = match &o.lazy {
                    Some(l) => l.elem,
                    None => self.object_type(slot),
                };
                if self.is_the_librarys(slot, elem) {
                    continue;
                }
                self.open(slot, elem, format!("memory after {name}()"), true);
            }
        }
        Ok(())
    }

    /// The C type of the elements of an object, where it is declared.
    fn object_type(&self, slot: u32) -> Option<TypeId> {
        let o = &self.mem.objects[slot as usize];
        match o.kind {
            Kind::Global => {
                let g = self.program.static_global(o.origin)?;
                self.module.global(g).ctype
            }
            _ => None,
        }
    }

    /// The C type of a local variable.
    fn variable_type(&self, slot: u32) -> Option<TypeId> {
        let o = &self.mem.objects[slot as usize];
        if o.kind != Kind::Stack || o.origin == u32::MAX || o.made.func == u32::MAX {
            return None;
        }
        let body = self.program.body(FuncId(o.made.func))?;
        variable(body, Value(o.origin))
    }

    /// A number that lies `at` bytes into an object of type `t`: code that nobody has seen puts nothing but 0 and 1 where
    /// a `_Bool` is.
    pub fn valid_bools(&self, v: Val, ty: Ty, t: TypeId, at: u64) -> Val {
        let (Val::Small(mut s), Ty::Int(bits)) = (v.clone(), ty) else { return v };
        for k in 0..u64::from(bits) / 8 {
            let leaf = ctypes::leaf(self.module, t, at + k, (Ty::Int(8), 1));
            if is_bool(self.module, leaf.ctype) {
                let shift = if self.mem.big_endian { u64::from(bits) - 8 - 8 * k } else { 8 * k };
                s.v &= !(0xfe << shift);
            }
        }
        Val::Small(s)
    }

    /// A struct in registers: its type, and where in it the register `v` belongs, if the next instructions from `from` on
    /// store it into a variable.
    pub fn in_registers(&self, body: &Body, block: usize, from: usize, v: Value) -> Option<(TypeId, u64)> {
        let near = || body.blocks[block].insts[from..].iter().take(NEAR);
        let place = |ptr: &Operand| {
            let p = ptr.as_value()?;
            let Some(i) = near().find(|i| i.results.contains(&p)) else { return Some((p, 0)) };
            let InstKind::Addr { base, steps, .. } = &i.kind else { return Some((p, 0)) };
            let offsets = steps.iter().map(|s| match s {
                Step::Field { offset, .. } => Some(*offset),
                _ => None,
            });
            Some((base.as_value()?, offsets.sum::<Option<u64>>()?))
        };
        let (object, at) = near().find_map(|i| match &i.kind {
            InstKind::Store { ptr, value, .. } if value.as_value() == Some(v) => place(ptr),
            _ => None,
        })?;
        // One whose size does not fit registers goes through a copy.
        let copy = || {
            near().find_map(|i| match &i.kind {
                InstKind::MemCopy { dst, src, .. } if src.as_value() == Some(object) => variable(body, dst.as_value()?),
                _ => None,
            })
        };
        Some((variable(body, object).or_else(copy)?, at))
    }

    /// The live run-time object or global that a pointer points to.
    pub fn object_at(&mut self, p: Slot) -> Option<u32> {
        let prov = if p.p <= NULL_PROV { self.mem.find(p.v)? } else { p.p };
        self.mem.slot(prov)
    }

    /// All objects that an object's contents may point to: stored pointers, and any aligned word that is the address of
    /// an object whose address a number was made of. (Bytes of addresses that were read may be anyone's.)
    pub fn pointed_to(&mut self, slot: u32) -> Vec<u32> {
        let pb = self.mem.ptr_bytes;
        let o = &self.mem.objects[slot as usize];
        let mut provs: Vec<u64> = Vec::new();
        if let Some(ps) = &o.pointers {
            provs.extend(ps.get().inside(0, o.size, pb).into_iter().map(|x| x.1));
        }
        let data = o.data.get();
        let n = pb as usize;
        if o.mask != Mask::Undefined && o.size >= pb {
            for i in (0..=data.len().saturating_sub(n)).step_by(n) {
                let (v, _) = o.read(i, n, self.mem.big_endian);
                if v >= 4096
                    && let Some(p) = self.mem.at(v)
                    && (self.mem.looked.get() || self.mem.is_exposed(p))
                {
                    provs.push(p);
                }
            }
        }
        provs.sort_unstable();
        provs.dedup();
        provs.into_iter().filter_map(|p| self.mem.slot(p)).collect()
    }
}

/// Only numbers that the machine can make: the integer bit is set exactly when the exponent is not 0.
pub(crate) fn normal_x87(limbs: &mut [u64]) {
    if limbs[1] & 0x7fff == 0 {
        limbs[0] &= !(1 << 63);
    } else {
        limbs[0] |= 1 << 63;
    }
}

/// The C type of the variable whose stack object `v` is.
fn variable(body: &Body, v: Value) -> Option<TypeId> {
    match definition(body, v)?.kind {
        InstKind::Alloca { ctype, .. } => ctype,
        _ => None,
    }
}

fn is_bool(m: &Module, t: Option<TypeId>) -> bool {
    t.is_some_and(|t| matches!(m.ctype(ctypes::strip(m, t)), CType::Base { encoding: Encoding::Bool, .. }))
}

/// Do two C function types agree as far as a call through one for the other works?
fn same_shape(m: &Module, a: TypeId, b: TypeId) -> bool {
    let (CType::Function { ret: r, params: p, variadic: v }, CType::Function { ret: s, params: q, variadic: w }) =
        (m.ctype(ctypes::strip(m, a)), m.ctype(ctypes::strip(m, b)))
    else {
        return false;
    };
    let class = |t: TypeId| {
        let t = ctypes::strip(m, t);
        let kind = match m.ctype(t) {
            CType::Void => 0,
            CType::Pointer(_) => 1,
            CType::Base { encoding: Encoding::Float, .. } => 2,
            CType::Base { .. } | CType::Enum { .. } => 3,
            _ => 4,
        };
        (kind, ctypes::size(m, t))
    };
    v == w && class(*r) == class(*s) && p.len() == q.len() && p.iter().zip(q).all(|(x, y)| class(*x) == class(*y))
}
