//! Variadic arguments. The further arguments of a call lie one behind the other in an object of the call, as the
//! target's calling convention has them in memory; `va_start` makes a list that reads them from there (the registers
//! count as used up), and what clang emits for `va_arg` does the rest. Reading past the last one is a read out of
//! bounds. Structures and numbers of more than eight bytes among them are not followed, nor are other targets than
//! x86, nor a function that is called by itself: `va_start` says so.

use crate::access::{Access, Targets};
use crate::build::{Build, Path, Res};
use crate::object::Kind;
use crate::sym::Sym;
use verify_ir::{Call, FuncId, Module, Operand, Ty};

/// How a target passes variadic arguments in memory.
#[derive(Clone, Copy)]
struct Layout {
    /// Every argument takes a multiple of so many bytes.
    slot: u64,
    /// Bytes of a `va_list`.
    list: u64,
}

/// Bytes of the widest argument that is followed.
const WIDEST: u64 = 8;
/// What a `va_list` of the System V ABI says when all registers are used up: bytes of general and of other registers.
const USED_UP: [u128; 2] = [48, 176];

fn layout(module: &Module) -> Option<Layout> {
    let triple = &module.target.triple;
    let arch = triple.split('-').next().unwrap_or("");
    let x86 = arch.len() == 4 && arch.starts_with('i') && arch.ends_with("86");
    match arch {
        _ if triple.contains("windows") => None,
        "x86_64" if module.target.pointer_bits == 64 => Some(Layout { slot: 8, list: 24 }),
        _ if x86 => Some(Layout { slot: 4, list: 4 }),
        _ => None,
    }
}

impl Build<'_, '_> {
    /// The object of the further arguments of a call. `None`: there is none, or it is not followed.
    pub(crate) fn further_arguments(&mut self, f: FuncId, c: &Call, args: &[Sym], path: &mut Path) -> Res<Option<u32>> {
        let module = self.module();
        let sig = &module.func(f).sig;
        let n = sig.params.len();
        let Some(l) = layout(module).filter(|_| sig.variadic && c.params.len() == args.len() && n <= args.len()) else {
            return Ok(None);
        };
        let bytes = |ty: Ty| ty.store_bytes(&module.target);
        let plain = |p: &verify_ir::Param| p.attrs.byval.is_none() && p.attrs.lanes <= 1 && bytes(p.ty) <= WIDEST;
        if !c.params[n..].iter().all(plain) {
            return Ok(None);
        }
        let w = self.e.terms.ptr_bits;
        let size: u64 = c.params[n..].iter().map(|p| bytes(p.ty).next_multiple_of(l.slot)).sum();
        let size = self.e.terms.pool.num(w, u128::from(size));
        let o = self.new_object(97, Kind::Stack, size, 16)?;
        self.begin(path, o);
        let targets = Targets { unknown: None, objects: vec![(o, self.tt)], wild: self.ff };
        let mut at = 0;
        for (v, p) in args[n..].iter().zip(&c.params[n..]) {
            let off = self.e.terms.pool.num(w, u128::from(at));
            let to = self.e.terms.pointer(o, off);
            let (v, size) = self.stored_form(*v, p.ty);
            self.write_targets(path, &targets, to, size, v);
            at += bytes(p.ty).next_multiple_of(l.slot);
        }
        Ok(Some(o))
    }

    /// `va_start`.
    pub(crate) fn va_start(&mut self, path: &mut Path, list: &Operand) {
        let (Some(l), Some(o)) = (layout(self.module()), self.frame().further) else {
            return self.block_path(path, "variadic arguments are not encoded");
        };
        let (p, own) = (self.operand(path, list), self.own(list));
        let w = self.e.terms.ptr_bits;
        let len = self.e.terms.pool.num(w, u128::from(l.list));
        let targets = self.check_access(path.guard, p, len, Access::Write, own, path);
        let zero = self.e.terms.pool.num(w, 0);
        let (area, null) = (self.e.terms.pointer(o, zero), self.e.terms.constant(w, 0));
        let fields = if l.list == 4 {
            vec![(0, 4, area)]
        } else {
            let used = USED_UP.map(|n| self.e.terms.constant(32, n));
            vec![(0, 4, used[0]), (4, 4, used[1]), (8, 8, area), (16, 8, null)]
        };
        for (at, size, v) in fields {
            let k = self.e.terms.pool.num(w, at);
            let off = self.e.terms.pool.add(p.bits, k);
            self.write_targets(path, &targets, Sym { bits: off, ..p }, size, v);
        }
    }

    /// `va_copy`: both lists are read or written whole.
    pub(crate) fn va_copy(&mut self, path: &mut Path, dst: &Operand, src: &Operand) {
        let Some(l) = layout(self.module()) else {
            return self.block_path(path, "variadic arguments are not encoded");
        };
        let (d, s) = (self.operand(path, dst), self.operand(path, src));
        let len = self.e.terms.pool.num(self.e.terms.ptr_bits, u128::from(l.list));
        let from = self.check_access(path.guard, s, len, Access::Read, self.own(src), path);
        let to = self.check_access(path.guard, d, len, Access::Write, self.own(dst), path);
        self.copy(path, (&to, d), (&from, s), len);
    }
}
