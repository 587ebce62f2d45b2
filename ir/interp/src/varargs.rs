//! Variadic arguments. A call puts all further arguments into one object laid out like the stack area of the target's
//! calling convention, and `va_start` fills the target's `va_list` so that the code clang emits for `va_arg` finds
//! every argument there (register save areas are marked as used up). Reading past the last argument is then an
//! ordinary out-of-bounds read.

use crate::code::Slot;
use crate::fault::{Halt, PtrRole, Res};
use crate::machine::{Machine, Val};
use crate::memory::Area;
use crate::object::{Kind, NULL_PROV, Site};
use verify_ir::{FloatKind, Module, Param, Ty};

/// How a target passes variadic arguments in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    kind: ListKind,
    /// Every argument takes a multiple of this many bytes.
    slot: u64,
    /// Largest alignment of an argument; smaller ones are `slot`.
    max_align: u64,
    /// Wider arguments go by reference, which is not modelled.
    by_reference_above: u32,
    /// Bytes of a `va_list`.
    pub list_bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListKind {
    /// A pointer to the next argument.
    Pointer,
    /// `{ gp_offset, fp_offset, overflow_arg_area, reg_save_area }`.
    SysV64,
    /// `{ stack, gr_top, vr_top, gr_offs, vr_offs }`.
    Aapcs64,
}

/// The layout for the module's target, if it is known.
pub(crate) fn layout(m: &Module) -> Option<Layout> {
    let triple = &m.target.triple;
    let arch = triple.split('-').next().unwrap_or("");
    let windows = triple.contains("windows");
    let apple = triple.contains("apple");
    let l = |kind, slot, max_align, list_bytes| {
        let by_reference_above = if arch.starts_with("riscv") { 16 * slot as u32 } else { u32::MAX };
        Some(Layout { kind, slot, max_align, by_reference_above, list_bytes })
    };
    match arch {
        "x86_64" | "amd64" if !windows => l(ListKind::SysV64, 8, 16, 24),
        "aarch64" | "arm64" if apple => l(ListKind::Pointer, 8, 16, 8),
        "aarch64" | "arm64" if !windows => l(ListKind::Aapcs64, 8, 16, 32),
        "riscv64" => l(ListKind::Pointer, 8, 16, 8),
        "riscv32" => l(ListKind::Pointer, 4, 8, 4),
        a if a.len() == 4 && a.starts_with('i') && a.ends_with("86") => l(ListKind::Pointer, 4, 4, 4),
        a if a.starts_with("arm") || a.starts_with("thumb") => l(ListKind::Pointer, 4, 8, 4),
        _ => None,
    }
}

impl Machine<'_, '_> {
    fn arg_align(&self, l: Layout, ty: Ty) -> u64 {
        let natural = match ty {
            Ty::Float(FloatKind::X87) if self.module.target.pointer_bits == 32 => 4,
            Ty::Float(FloatKind::X87 | FloatKind::Quad) => 16,
            Ty::Int(w) if w > 64 => 16,
            t => t.store_bytes(&self.module.target).next_power_of_two(),
        };
        natural.clamp(l.slot, l.max_align)
    }

    /// Builds the object of the further arguments of a call; it belongs to the innermost frame.
    pub fn build_varargs(&mut self, args: &[(Val, Ty, Param)]) -> Res<Slot> {
        let Some(l) = layout(self.module) else {
            return Halt::unmodelled(format!("variadic arguments on {}", self.module.target.triple));
        };
        // Places first, then the object.
        let mut at = 0u64;
        let mut places = Vec::with_capacity(args.len());
        let mut lane = 0u32;
        for (_, ty, p) in args {
            if self.bits(*ty) > l.by_reference_above {
                return Halt::unmodelled("variadic argument passed by reference");
            }
            let bytes = ty.store_bytes(&self.module.target);
            if let Some((size, align)) = p.attrs.byval {
                at = at.next_multiple_of(align.clamp(l.slot, 64));
                places.push(at);
                at = (at + size).next_multiple_of(l.slot);
            } else if lane > 0 {
                places.push(at);
                at += bytes;
                lane -= 1;
                if lane == 0 {
                    at = at.next_multiple_of(l.slot);
                }
            } else if p.attrs.lanes > 1 {
                let whole = bytes * u64::from(p.attrs.lanes);
                at = at.next_multiple_of(whole.next_power_of_two().clamp(l.slot, 64));
                places.push(at);
                at += bytes;
                lane = p.attrs.lanes - 1;
            } else {
                at = at.next_multiple_of(self.arg_align(l, *ty));
                places.push(at);
                let padded = match ty {
                    Ty::Float(FloatKind::X87) => {
                        if self.module.target.pointer_bits == 32 {
                            12
                        } else {
                            16
                        }
                    }
                    _ => bytes,
                };
                at = (at + padded).next_multiple_of(l.slot);
            }
        }
        let slot = self.allocate_stack(Kind::Varargs, at, 16, Site::NONE)?;
        let base = self.pointer_to(slot);
        for ((v, ty, p), off) in args.iter().zip(places) {
            if let Some((size, _)) = p.attrs.byval {
                let to = Slot { v: base.v + off, ..base };
                self.copy(to, v.slot(), size)?;
            } else {
                let n = ty.store_bytes(&self.module.target);
                // Big-endian targets put a small argument at the end of its slot.
                let shift = if self.module.target.big_endian && n < l.slot { l.slot - n } else { 0 };
                self.put(slot, off + shift, *ty, v);
            }
        }
        Ok(base)
    }

    /// `va_start`.
    pub fn va_start(&mut self, list: Slot) -> Res<()> {
        let Some(l) = layout(self.module) else {
            return Halt::unmodelled(format!("variadic arguments on {}", self.module.target.triple));
        };
        let area = match self.top().varargs {
            Some(a) => a,
            None => {
                // A function that the run started at, or one called without further arguments through another type.
                let slot = self.mem.alloc(Area::Stack, Kind::Varargs, 0, 16, 0, Site::NONE)?;
                self.mem.objects[slot as usize].slot = self.allocas.len() as u32;
                self.allocas.push(self.mem.prov_of(slot));
                let p = self.pointer_to(slot);
                self.top_mut().varargs = Some(p);
                p
            }
        };
        let (slot, off) = self.writable(list, l.list_bytes, PtrRole::Main)?;
        let null = Val::Small(Slot { v: 0, u: 0, p: NULL_PROV });
        let int = |v: u64| Val::Small(Slot::int(v));
        let area = Val::Small(area);
        match l.kind {
            ListKind::Pointer => self.put(slot, off, Ty::Ptr, &area),
            ListKind::SysV64 => {
                self.put(slot, off, Ty::Int(32), &int(48));
                self.put(slot, off + 4, Ty::Int(32), &int(176));
                self.put(slot, off + 8, Ty::Ptr, &area);
                self.put(slot, off + 16, Ty::Ptr, &null);
            }
            ListKind::Aapcs64 => {
                self.put(slot, off, Ty::Ptr, &area);
                self.put(slot, off + 8, Ty::Ptr, &null);
                self.put(slot, off + 16, Ty::Ptr, &null);
                self.put(slot, off + 24, Ty::Int(32), &int(0));
                self.put(slot, off + 28, Ty::Int(32), &int(0));
            }
        }
        Ok(())
    }
}
