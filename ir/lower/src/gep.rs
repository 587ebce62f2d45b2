//! Address computations with their access path, and the C types behind LLVM's struct types. LLVM names a struct after
//! its C tag or typedef, sometimes with a number; where the C type of the base pointer is known it decides, else the
//! name and the size do. Layout always comes from LLVM; the C type only names it.

use crate::cx::Cx;
use crate::ffi::{InstInfo, Typ, TypeKind, Val, flag};
use crate::func::{FnCx, Leaves};
use verify_ir::{CType, Const, InstKind, Operand, Step, Ty, TypeId};

impl<'m> Cx<'m> {
    /// The C record behind an LLVM struct type; `hint` is the C type that the base is known to have.
    pub(crate) fn record_for(&mut self, t: Typ<'m>, hint: Option<TypeId>) -> Option<TypeId> {
        let l = self.layout(t);
        if l.info.kind != TypeKind::LLVMStructTypeKind || !l.info.sized {
            return None;
        }
        let size = l.info.alloc_size;
        let name = l.record_name().map(str::to_owned);
        if let Some(h) = hint
            && let Some(r) = self.matching_record(h, size, name.as_deref(), 0)
        {
            return Some(r);
        }
        if let Some(r) = self.record_by_type.get(&t) {
            return *r;
        }
        let name = name?;
        let offsets: Vec<u64> = l.fields.iter().map(|f| f.1).collect();
        // `foo.12` is the LLVM name of a second `foo`.
        let base = match name.rsplit_once('.') {
            Some((b, n)) if n.bytes().all(|c| c.is_ascii_digit()) => b,
            _ => &name,
        };
        let r = [&name[..], base].iter().find_map(|n| {
            let c = self.records.get(*n)?;
            c.iter().copied().find(|id| self.fits(*id, size, &offsets))
        });
        self.record_by_type.insert(t, r);
        r
    }

    fn fits(&self, id: TypeId, size: u64, offsets: &[u64]) -> bool {
        let CType::Record(r) = &self.out.ctypes[id.index()] else { return false };
        r.size == size
            && (r.is_union
                || r.fields.iter().filter(|f| !f.bit_field).all(|f| {
                    f.bit_offset / 8 >= size || f.bit_size == 0 || offsets.iter().any(|o| *o <= f.bit_offset / 8)
                }))
    }

    /// The record of this size at the start of a C type: itself, its first member, a member of a union.
    fn matching_record(&self, t: TypeId, size: u64, name: Option<&str>, depth: u32) -> Option<TypeId> {
        let t = self.strip(t);
        if depth > 6 {
            return None;
        }
        match &self.out.ctypes[t.index()] {
            CType::Record(r) => {
                let same_name = match name {
                    Some(n) if !r.name.is_empty() => {
                        n == r.name || n.strip_prefix(&r.name[..]).is_some_and(|x| x.starts_with('.'))
                    }
                    _ => true,
                };
                if r.size == size && same_name {
                    return Some(t);
                }
                let inner = if r.is_union { &r.fields[..] } else { &r.fields[..r.fields.len().min(1)] };
                inner.iter().find_map(|f| self.matching_record(f.ty, size, name, depth + 1))
            }
            CType::Array { elem, .. } => self.matching_record(*elem, size, name, depth + 1),
            _ => None,
        }
    }

    /// What the pointer at the start of an object of C type `t` points to.
    pub(crate) fn pointer_at_start(&self, t: TypeId) -> Option<TypeId> {
        let mut t = self.strip(t);
        for _ in 0..8 {
            t = match &self.out.ctypes[t.index()] {
                CType::Pointer(to) => return Some(*to),
                CType::Record(r) if !r.is_union => self.strip(r.fields.first().filter(|f| f.bit_offset == 0)?.ty),
                CType::Record(r) => {
                    // A union: only when one member says so.
                    let mut it = r.fields.iter().filter_map(|f| self.pointer_at_start(f.ty));
                    let first = it.next()?;
                    return it.all(|x| x == first).then_some(first);
                }
                CType::Array { elem, .. } => self.strip(*elem),
                _ => return None,
            };
        }
        None
    }

    /// The element type of a C array (or, at the start of a record, of its first member).
    fn element_of(&self, t: TypeId, stride: u64) -> Option<TypeId> {
        let mut t = self.strip(t);
        for _ in 0..8 {
            t = match &self.out.ctypes[t.index()] {
                CType::Array { elem, .. } => {
                    if self.ctype_size(*elem).is_none_or(|s| s == stride) {
                        return Some(*elem);
                    }
                    self.strip(*elem)
                }
                CType::Record(r) if r.is_union => {
                    return r.fields.iter().find_map(|f| match &self.out.ctypes[self.strip(f.ty).index()] {
                        CType::Array { .. } => self.element_of(f.ty, stride),
                        _ => None,
                    });
                }
                CType::Record(r) => self.strip(r.fields.first()?.ty),
                _ => return None,
            };
        }
        None
    }
}

impl<'m> FnCx<'_, 'm> {
    /// `getelementptr`.
    pub(crate) fn gep(&mut self, v: Val<'m>, i: &InstInfo<'m>) -> Result<Leaves, String> {
        let basev = v.operand(0).ok_or("missing operand")?;
        let bases = self.leaves_of(basev)?;
        let lanes = self.types(i.ty)?.len();
        let mut t = i.aux.ok_or("address computation without source type")?;
        let mut ctype = self.pointee(basev);
        // Steps per lane; lanes differ only in vector indices.
        let mut steps: Vec<Vec<Step>> = vec![Vec::new(); lanes];
        for k in 1..i.n_ops {
            let index = self.leaves_of(v.operand(k).ok_or("missing operand")?)?;
            let l = self.cx.layout(t);
            if k == 1 {
                if !l.info.sized {
                    return Err("pointer arithmetic on a type without fixed size".into());
                }
                let stride = l.info.alloc_size;
                // Arithmetic on `T *` keeps the pointee; byte arithmetic on another type loses it.
                let keeps = ctype.is_some_and(|c| match self.cx.ctype_size(c) {
                    Some(s) => s == stride,
                    // Incomplete: an array of unknown length is stepped through by elements.
                    None => !matches!(self.cx.out.ctypes[self.cx.strip(c).index()], CType::Array { .. }),
                });
                let zero = index.iter().all(is_zero);
                if !zero {
                    if !keeps {
                        // An array's element may be what the arithmetic is on (`int (*)[4]` decayed).
                        ctype = ctype.and_then(|c| self.cx.element_of(c, stride));
                    }
                    for (j, s) in steps.iter_mut().enumerate() {
                        let index = index[j.min(index.len() - 1)].clone();
                        s.push(Step::Index { elem: ctype, index, stride, count: None });
                    }
                }
                continue;
            }
            match l.info.kind {
                TypeKind::LLVMStructTypeKind => {
                    let Some(Operand::Const(Const::Int { value, .. })) = index.first() else {
                        return Err("struct index not constant".into());
                    };
                    let (ft, offset, _) = *l.fields.get(*value as usize).ok_or("struct index outside the struct")?;
                    let record = self.cx.record_for(t, ctype);
                    let mut index = *value as u32;
                    ctype = None;
                    if let Some(r) = record
                        && let CType::Record(rec) = &self.cx.out.ctypes[r.index()]
                        && let Some(f) = rec.field_at(offset)
                    {
                        index = f as u32;
                        let f = &rec.fields[f];
                        // Only a field that starts here has the type of what is pointed to.
                        ctype = (!f.bit_field && f.bit_offset == offset * 8).then_some(f.ty);
                    }
                    let record = record.filter(|r| match &self.cx.out.ctypes[r.index()] {
                        CType::Record(rec) => (index as usize) < rec.fields.len(),
                        _ => false,
                    });
                    for s in &mut steps {
                        s.push(Step::Field { record, index, offset });
                    }
                    t = ft;
                }
                TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                    let et = l.info.elem.ok_or("array without element type")?;
                    let stride = self.cx.layout(et).info.alloc_size;
                    let elem = ctype.and_then(|c| self.cx.element_of(c, stride));
                    let elem = elem.or_else(|| self.cx.record_for(et, None));
                    let count = (l.info.count != 0).then_some(l.info.count);
                    for (j, s) in steps.iter_mut().enumerate() {
                        let index = index[j.min(index.len() - 1)].clone();
                        s.push(Step::Index { elem, index, stride, count });
                    }
                    ctype = elem;
                    t = et;
                }
                k => return Err(format!("address computation into {k:?}")),
            }
        }
        if let Some(c) = ctype {
            self.pointees.insert(v, c);
        }
        let inbounds = i.has(flag::INBOUNDS);
        Ok(steps
            .into_iter()
            .enumerate()
            .map(|(j, steps)| {
                let base = bases[j.min(bases.len() - 1)].clone();
                if steps.is_empty() {
                    return base;
                }
                self.emit1(InstKind::Addr { base, steps, inbounds }, Ty::Ptr)
            })
            .collect())
    }
}

fn is_zero(o: &Operand) -> bool {
    matches!(o, Operand::Const(Const::Int { value: 0, .. }))
}
