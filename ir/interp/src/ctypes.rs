//! Questions about C types: sizes, and which scalar lies at an offset. C types never decide what an instruction does;
//! they shape inputs and messages.

use verify_ir::{CType, Module, Ty, TypeId};

/// Without typedefs and qualifiers.
pub(crate) fn strip(m: &Module, t: TypeId) -> TypeId {
    m.stripped(t)
}

/// Size in bytes; 0 when unknown.
pub(crate) fn size(m: &Module, t: TypeId) -> u64 {
    size_depth(m, t, 0)
}

fn size_depth(m: &Module, t: TypeId, depth: u32) -> u64 {
    if depth > 64 {
        return 0;
    }
    match m.ctype(strip(m, t)) {
        CType::Base { bits, .. } => {
            let b = u64::from(*bits).div_ceil(8);
            // `long double` is 80 bits in 16 bytes (12 on i386).
            if *bits == 80 { if m.target.pointer_bits == 32 { 12 } else { 16 } } else { b }
        }
        CType::Pointer(_) => m.target.pointer_bytes(),
        CType::Record(r) => r.size,
        CType::Array { elem, count } => count.unwrap_or(0).saturating_mul(size_depth(m, *elem, depth + 1)),
        CType::Enum { underlying, .. } => size_depth(m, *underlying, depth + 1),
        CType::Void | CType::Typedef { .. } | CType::Qualified { .. } | CType::Function { .. } => 0,
    }
}

/// A scalar inside a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Offset of its first byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Its type, stripped; `None` where the type says nothing (padding, unknown).
    pub ctype: Option<TypeId>,
    /// Path from the outer type, e.g. `.next` or `[3].len`.
    pub path: String,
}

/// The scalar at byte `offset` of an object of type `t`; `want` (a pointer, or a size) chooses between union members.
/// Bit-fields and padding come out as bytes without a type.
pub(crate) fn leaf(m: &Module, t: TypeId, offset: u64, want: (Ty, u64)) -> Leaf {
    let mut path = String::new();
    let mut base = 0u64;
    let mut t = strip(m, t);
    for _ in 0..64 {
        let rel = offset - base;
        match m.ctype(t) {
            CType::Record(r) => {
                let mut best: Option<(&verify_ir::Field, u32)> = None;
                for f in &r.fields {
                    if f.bit_field || f.bit_offset % 8 != 0 {
                        continue;
                    }
                    let at = f.bit_offset / 8;
                    let n = size(m, f.ty);
                    if rel < at || rel >= at + n {
                        continue;
                    }
                    let inner = leaf(m, f.ty, rel - at, want);
                    let fits =
                        inner.ctype.is_some_and(|c| matches!(m.ctype(c), CType::Pointer(_)) == (want.0 == Ty::Ptr));
                    let rank = u32::from(fits) * 2 + u32::from(inner.size == want.1);
                    if best.is_none_or(|b| rank > b.1) {
                        best = Some((f, rank));
                    }
                }
                let Some((f, _)) = best else {
                    return Leaf { offset, size: 1, ctype: None, path };
                };
                if !f.name.is_empty() {
                    path.push('.');
                    path.push_str(&f.name);
                }
                base += f.bit_offset / 8;
                t = strip(m, f.ty);
            }
            CType::Array { elem, .. } => {
                let n = size(m, *elem);
                if n == 0 {
                    return Leaf { offset, size: 1, ctype: None, path };
                }
                path.push_str(&format!("[{}]", rel / n));
                base += rel / n * n;
                t = strip(m, *elem);
            }
            CType::Base { .. } | CType::Pointer(_) | CType::Enum { .. } => {
                let n = size(m, t);
                if n == 0 || rel >= n {
                    return Leaf { offset, size: 1, ctype: None, path };
                }
                return Leaf { offset: base, size: n, ctype: Some(t), path };
            }
            _ => break,
        }
    }
    Leaf { offset, size: 1, ctype: None, path }
}

/// The record of the C library's streams: it has members of the library whose models are here, or none that anyone sees.
pub(crate) fn is_file(m: &Module, t: TypeId) -> bool {
    matches!(m.ctype(strip(m, t)), CType::Record(r) if r.name == "_IO_FILE"
        && (r.incomplete || r.fields.iter().any(|f| f.name == "_IO_read_ptr")))
}

/// The type a pointer type points to, stripped; `None` for `void` and what is not a pointer.
pub(crate) fn pointee(m: &Module, t: TypeId) -> Option<TypeId> {
    match m.ctype(strip(m, t)) {
        CType::Pointer(p) => {
            let p = strip(m, *p);
            if *m.ctype(p) == CType::Void { None } else { Some(p) }
        }
        _ => None,
    }
}

/// May a pointer to `want` (`None`: `void`) point to an input object made as `have`? Only where every pointer in it
/// would be read as one: the input contract promises valid pointers, and bytes of another type are none.
pub(crate) fn compatible(m: &Module, want: Option<TypeId>, have: Option<TypeId>) -> bool {
    let Some(want) = want.map(|t| strip(m, t)) else { return true };
    let Some(have) = have.map(|t| strip(m, t)) else { return !holds_pointers(m, want) };
    if want == have {
        return true;
    }
    match (m.ctype(want), m.ctype(have)) {
        (CType::Record(x), CType::Record(y)) => x.name == y.name && !x.name.is_empty() && x.size == y.size,
        (CType::Base { bits: x, .. }, CType::Base { bits: y, .. }) => x == y || *x == 8,
        (CType::Base { bits: 8, .. }, _) => !holds_pointers(m, have),
        (CType::Pointer(_), CType::Pointer(_)) => compatible(m, pointee(m, want), pointee(m, have)),
        _ => false,
    }
}

/// Is there a pointer in an object of this type?
fn holds_pointers(m: &Module, t: TypeId) -> bool {
    match m.ctype(strip(m, t)) {
        CType::Pointer(_) => true,
        CType::Array { elem, .. } => holds_pointers(m, *elem),
        CType::Record(r) => r.fields.iter().any(|f| holds_pointers(m, f.ty)),
        _ => false,
    }
}
