//! What an initialiser leaves of a union: `union u { char c; long l; } x = { 0 };`.
//!
//! gcc clears the whole of an automatic union with an initialiser, whichever member that names (up to gcc 14 it promises so:
//! "Changes" of gcc 15, `-fzero-init-padding-bits=`). clang 19 sets the first member and leaves the rest undefined in the
//! constant that it copies to the object. Programs are gcc's here, so what is undefined there within a union is zero.
//! Padding of structures stays undefined: gcc promises nothing about it.

use crate::cx::Cx;
use crate::ffi::{Typ, TypeKind};
use verify_ir::{GlobalId, Init, InitData, InitPiece};

impl<'m> Cx<'m> {
    /// `template` is copied to an object of type `t`: what it leaves undefined within unions becomes zero.
    pub(crate) fn clear_unions(&mut self, template: GlobalId, t: Typ<'m>) {
        let g = &self.out.globals[template.index()];
        let Some(init) = g.init.as_ref().filter(|_| g.compiler_made && g.constant) else { return };
        if !init.pieces.iter().any(|p| matches!(p.data, InitData::Undef(_))) {
            return;
        }
        let mut kept = Vec::new();
        for p in init.pieces.clone() {
            let InitData::Undef(size) = p.data else {
                kept.push(p);
                continue;
            };
            let (mut at, end) = (p.offset, p.offset + size);
            while at < end {
                let (in_union, until) = self.zone(t, at);
                let until = until.clamp(at + 1, end);
                if !in_union {
                    kept.push(InitPiece { offset: at, data: InitData::Undef(until - at) });
                }
                at = until;
            }
        }
        self.out.globals[template.index()].init = Some(Init { pieces: kept });
    }

    /// Whether the byte at `at` of an object of type `t` is in a union, and up to which byte the same is true.
    fn zone(&mut self, t: Typ<'m>, at: u64) -> (bool, u64) {
        let l = self.layout(t);
        let size = l.info.alloc_size;
        if at >= size {
            return (false, u64::MAX);
        }
        match l.info.kind {
            TypeKind::LLVMStructTypeKind if l.info.name.starts_with("union.") => (true, size),
            TypeKind::LLVMStructTypeKind => {
                let next = l.fields.iter().map(|f| f.1).find(|o| *o > at).unwrap_or(size);
                match l.fields.iter().rev().find(|f| f.1 <= at) {
                    Some(&(field, start, _)) => {
                        let (in_union, until) = self.zone(field, at - start);
                        (in_union, until.saturating_add(start).min(next))
                    }
                    None => (false, next),
                }
            }
            TypeKind::LLVMArrayTypeKind => match l.info.elem {
                Some(e) => {
                    let stride = self.layout(e).info.alloc_size.max(1);
                    let start = at / stride * stride;
                    let (in_union, until) = self.zone(e, at - start);
                    (in_union, until.saturating_add(start).min(start + stride))
                }
                None => (false, size),
            },
            _ => (false, size),
        }
    }
}
