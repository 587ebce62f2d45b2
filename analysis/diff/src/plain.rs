//! Instructions that only compute: nothing but the result depends on where they stand. What may fail by its operands alone
//! counts as such; its check is an instruction of its own.

use verify_ir::InstKind;

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
