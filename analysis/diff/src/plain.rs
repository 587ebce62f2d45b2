//! Instructions that only compute: nothing but the result depends on where they stand. What may fail by its operands alone
//! counts as such; its check is an instruction of its own.

use verify_ir::inst::InlineAsm;
use verify_ir::{Body, InstKind, Ty};

/// No memory is read or written, nothing is called.
pub(crate) fn is_pure(k: &InstKind) -> bool {
    matches!(
        k,
        InstKind::Binary { .. }
            | InstKind::Icmp { .. }
            | InstKind::FBinary { .. }
            | InstKind::Fcmp { .. }
            | InstKind::Unary { .. }
            | InstKind::FUnary { .. }
            | InstKind::Fma { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Overflow { .. }
            | InstKind::Funnel { .. }
            | InstKind::Freeze { .. }
            | InstKind::Addr { .. }
            | InstKind::DebugValue { .. }
    )
}

/// Assembly that is not `volatile`, names no memory and is handed no address: by the compiler's rules its results are made of
/// its operands alone, and it may run more or less often.
pub(crate) fn assembly_computes(body: &Body, a: &InlineAsm) -> bool {
    let quiet = !a.side_effects && !a.clobbers_memory && a.written.is_empty();
    quiet && !a.constraints.contains('*') && a.inputs.iter().all(|o| body.operand_ty(o) != Ty::Ptr)
}
