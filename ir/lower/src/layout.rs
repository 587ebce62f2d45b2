//! How LLVM types become lists of SSA values. A first-class aggregate or vector is its scalar leaves in order; memory
//! accesses of one are accesses of its parts at their byte offsets, from the module's data layout.

use crate::cx::Cx;
use crate::ffi::{Typ, TypeInfo, TypeKind};
use std::rc::Rc;
use verify_ir::{FloatKind, Ty};

/// Aggregates with more leaves than this are not split (nothing that clang emits for C comes near).
const MAX_LEAVES: usize = 1 << 16;

/// A type, taken apart.
pub struct Layout<'m> {
    /// LLVM's own facts.
    pub info: TypeInfo<'m>,
    /// Leaves in order, or why the type is not modelled.
    pub leaves: Result<Vec<Ty>, String>,
    /// Memory parts, in order of leaves.
    pub parts: Vec<Part>,
    /// Struct fields: type, byte offset, first leaf.
    pub fields: Vec<(Typ<'m>, u64, usize)>,
    /// Leaves per element of an array or vector.
    pub elem_leaves: usize,
    /// Bytes from one array element to the next.
    pub stride: u64,
}

impl Layout<'_> {
    /// The struct name without `struct.`/`union.`, the numeric suffix kept.
    pub fn record_name(&self) -> Option<&str> {
        let n = self.info.name.as_str();
        n.strip_prefix("struct.").or_else(|| n.strip_prefix("union.")).or_else(|| n.strip_prefix("class."))
    }
}

/// A piece of memory that holds leaves.
#[derive(Clone, Copy)]
pub struct Part {
    /// Byte offset in the value's memory image.
    pub offset: u64,
    /// First leaf.
    pub leaf: usize,
    /// What lies there.
    pub kind: PartKind,
}

/// The kinds of memory parts.
#[derive(Clone, Copy)]
pub enum PartKind {
    /// One leaf.
    Scalar,
    /// A vector whose elements are not whole bytes: `lanes` leaves, packed without gaps into one integer.
    Packed {
        /// Number of elements.
        lanes: usize,
        /// Element width in bits.
        bits: u32,
    },
}

impl<'m> Cx<'m> {
    /// The layout of a type, computed once.
    pub fn layout(&mut self, t: Typ<'m>) -> Rc<Layout<'m>> {
        if let Some(l) = self.layouts.get(&t) {
            return l.clone();
        }
        let l = Rc::new(self.compute_layout(t));
        self.layouts.insert(t, l.clone());
        l
    }

    /// The leaves of a type.
    pub fn leaves(&mut self, t: Typ<'m>) -> Result<Rc<Layout<'m>>, String> {
        let l = self.layout(t);
        match &l.leaves {
            Ok(_) => Ok(l),
            Err(e) => Err(e.clone()),
        }
    }

    fn compute_layout(&mut self, t: Typ<'m>) -> Layout<'m> {
        let info = self.m.type_info(t);
        let mut l = Layout { info, leaves: Ok(vec![]), parts: vec![], fields: vec![], elem_leaves: 0, stride: 0 };
        if let Err(e) = self.fill_layout(t, &mut l) {
            l.leaves = Err(e);
        }
        l
    }

    fn fill_layout(&mut self, t: Typ<'m>, l: &mut Layout<'m>) -> Result<(), String> {
        use TypeKind::*;
        let scalar = |l: &mut Layout<'m>, ty| {
            l.leaves = Ok(vec![ty]);
            l.parts = vec![Part { offset: 0, leaf: 0, kind: PartKind::Scalar }];
            Ok(())
        };
        match l.info.kind {
            LLVMVoidTypeKind | LLVMLabelTypeKind | LLVMMetadataTypeKind | LLVMFunctionTypeKind => Ok(()),
            LLVMIntegerTypeKind => {
                let w = l.info.width;
                scalar(l, Ty::Int(w))
            }
            LLVMPointerTypeKind if l.info.width == 0 => scalar(l, Ty::Ptr),
            LLVMPointerTypeKind => Err(format!("pointer in address space {}", l.info.width)),
            LLVMHalfTypeKind => scalar(l, Ty::Float(FloatKind::Half)),
            LLVMBFloatTypeKind => scalar(l, Ty::Float(FloatKind::BFloat)),
            LLVMFloatTypeKind => scalar(l, Ty::Float(FloatKind::Single)),
            LLVMDoubleTypeKind => scalar(l, Ty::Float(FloatKind::Double)),
            LLVMX86_FP80TypeKind => scalar(l, Ty::Float(FloatKind::X87)),
            LLVMFP128TypeKind => scalar(l, Ty::Float(FloatKind::Quad)),
            LLVMStructTypeKind => {
                let mut leaves = Vec::new();
                let mut error = None;
                for i in 0..l.info.count as u32 {
                    let Some((ft, off)) = self.m.type_at(t, i) else { continue };
                    l.fields.push((ft, off, leaves.len()));
                    let f = self.layout(ft);
                    match &f.leaves {
                        Ok(v) => {
                            l.parts.extend(f.parts.iter().map(|p| Part {
                                offset: p.offset + off,
                                leaf: p.leaf + leaves.len(),
                                kind: p.kind,
                            }));
                            leaves.extend(v);
                        }
                        Err(e) => error = Some(e.clone()),
                    }
                    if leaves.len() > MAX_LEAVES {
                        error = Some("aggregate value with too many members".into());
                    }
                    if error.is_some() {
                        l.parts.clear();
                        leaves.clear();
                    }
                }
                if let Some(e) = error {
                    return Err(e);
                }
                l.leaves = Ok(leaves);
                Ok(())
            }
            LLVMArrayTypeKind | LLVMVectorTypeKind => {
                let vector = l.info.kind == LLVMVectorTypeKind;
                let et = l.info.elem.ok_or("array without element type")?;
                let e = self.layout(et);
                let v = e.leaves.as_ref().map_err(Clone::clone)?;
                let bits = e.info.bits;
                l.elem_leaves = v.len();
                l.stride = if vector { bits / 8 } else { e.info.alloc_size };
                let n = usize::try_from(l.info.count).map_err(|_| "huge array")?;
                if n.saturating_mul(v.len()) > MAX_LEAVES {
                    return Err("aggregate value with too many members".into());
                }
                l.leaves = Ok((0..n).flat_map(|_| v.iter().copied()).collect());
                if vector && !bits.is_multiple_of(8) {
                    l.parts = vec![Part { offset: 0, leaf: 0, kind: PartKind::Packed { lanes: n, bits: bits as u32 } }];
                } else {
                    l.parts = (0..n)
                        .flat_map(|i| {
                            let (stride, per) = (l.stride, l.elem_leaves);
                            e.parts.iter().map(move |p| Part {
                                offset: p.offset + i as u64 * stride,
                                leaf: p.leaf + i * per,
                                kind: p.kind,
                            })
                        })
                        .collect();
                }
                Ok(())
            }
            LLVMPPC_FP128TypeKind => Err("IBM double-double long double".into()),
            LLVMX86_MMXTypeKind => Err("MMX register".into()),
            LLVMX86_AMXTypeKind => Err("AMX tile".into()),
            LLVMTokenTypeKind => Err("token".into()),
            LLVMScalableVectorTypeKind => Err("vector of a length known only at run time".into()),
            LLVMTargetExtTypeKind => Err("target-specific type".into()),
        }
    }
}
