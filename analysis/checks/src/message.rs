//! The expression and the sentence of a check: what the user reads.

use crate::expr::{Exprs, operator};
use verify_ir::inst::CheckDetail;
use verify_ir::{Call, CheckKind as K, Inst, InstKind, Operand, Terminator};

/// Expression and message.
pub struct Wording {
    /// See [`crate::Check::expr`].
    pub expr: String,
    /// See [`crate::Check::message`].
    pub message: String,
}

fn quoted(prefix: &str, expr: &str) -> String {
    if expr.is_empty() { prefix.to_string() } else { format!("{prefix} `{expr}`") }
}

/// For a failure of kind `kind` at an instruction that is not a call.
pub fn of_inst(exprs: &Exprs<'_>, inst: &Inst, kind: K) -> Wording {
    let text = |o: Option<String>| o.or_else(|| exprs.source_text(inst.span)).unwrap_or_default();
    match &inst.kind {
        InstKind::Check { kind: k, ok, detail } if *k == kind => of_check(exprs, inst, kind, ok, detail),
        InstKind::Load { ptr, .. }
        | InstKind::Store { ptr, .. }
        | InstKind::AtomicRmw { ptr, .. }
        | InstKind::CmpXchg { ptr, .. } => of_access(exprs, kind, ptr, text(exprs.lvalue(ptr))),
        InstKind::MemCopy { dst, src, .. } => {
            if kind == K::InvalidArgument {
                let e = text(exprs.value(dst));
                return Wording { message: quoted("copy between overlapping objects, to", &e), expr: e };
            }
            // One check for both ends; the evidence says which.
            let (write, read) = (
                matches!(kind, K::OutOfBoundsWrite | K::ReadOnlyWrite) || exprs.is_definite(src),
                kind == K::OutOfBoundsRead || exprs.is_definite(dst),
            );
            if write || read {
                let end = if write { dst } else { src };
                return of_access(exprs, kind, end, text(exprs.lvalue(end)));
            }
            let (d, s) = (exprs.value(dst).unwrap_or_default(), exprs.value(src).unwrap_or_default());
            if d.is_empty() || s.is_empty() {
                return plain(kind, text(None));
            }
            let w = plain(kind, d);
            Wording { message: format!("{} or `{s}`", w.message), expr: w.expr }
        }
        InstKind::MemSet { dst, .. } => of_access(exprs, kind, dst, text(exprs.lvalue(dst))),
        InstKind::Binary { op, lhs, rhs, .. } => {
            let e = text(exprs.operation(operator(*op), &[lhs.clone(), rhs.clone()]));
            plain(kind, e)
        }
        InstKind::Select { cond, .. } => {
            let e = text(exprs.value(cond));
            Wording { message: quoted("choice depends on uninitialised", &e), expr: e }
        }
        InstKind::Cast { arg, .. } => plain(kind, text(exprs.value(arg))),
        InstKind::Alloca { count, .. } => plain(kind, text(exprs.value(count))),
        InstKind::Assume { cond } => plain(kind, text(exprs.value(cond))),
        _ => plain(kind, text(None)),
    }
}

/// For a failure of kind `kind` at a call.
pub fn of_call(exprs: &Exprs<'_>, call: &Call, kind: K, span: verify_ir::SpanId) -> Wording {
    let callee = exprs.callee(call).or_else(|| exprs.source_text(span)).unwrap_or_default();
    let arg = |i: usize| call.args.get(i).and_then(|a| exprs.value(a)).unwrap_or_default();
    match kind {
        K::Leak => Wording { message: quoted("memory is lost that was allocated by", &callee), expr: callee },
        K::DoubleFree | K::InvalidFree => {
            let e = arg(0);
            let e = if e.is_empty() { callee } else { e };
            Wording { message: plain(kind, e.clone()).message, expr: e }
        }
        K::InvalidCall => Wording { message: quoted("call that is not valid of", &callee), expr: callee },
        K::Assertion => {
            let e = call
                .args
                .first()
                .and_then(|a| exprs.value(a))
                .map(|s| s.trim_matches('"').to_string())
                .unwrap_or_else(|| callee.clone());
            Wording { message: quoted("failing assertion", &e), expr: e }
        }
        K::ErrorCall => Wording { message: quoted("call of error function", &callee), expr: callee },
        K::UninitRead => Wording { message: quoted("uninitialised value reaches call of", &callee), expr: callee },
        _ => {
            let w = plain(kind, String::new());
            Wording {
                message: if callee.is_empty() { w.message } else { format!("{} in call of `{callee}`", w.message) },
                expr: callee,
            }
        }
    }
}

/// For a failure of kind `kind` at a terminator.
pub fn of_term(exprs: &Exprs<'_>, term: &Terminator, kind: K, span: verify_ir::SpanId) -> Wording {
    let operand = match term {
        Terminator::Branch { cond, .. } => Some(cond),
        Terminator::Switch { value, .. } => Some(value),
        Terminator::IndirectJump { address, .. } => Some(address),
        Terminator::Invoke { call, .. } => return of_call(exprs, call, kind, span),
        _ => None,
    };
    let e = operand.and_then(|o| exprs.value(o)).or_else(|| exprs.source_text(span)).unwrap_or_default();
    match (kind, term) {
        (_, Terminator::Return(_)) => {
            let w = plain(kind, String::new());
            Wording { message: format!("{} at the end of the program", w.message), expr: String::new() }
        }
        (K::UninitRead, _) => Wording { message: quoted("branch depends on uninitialised", &e), expr: e },
        (K::InvalidCall | K::NullDeref, _) => {
            Wording { message: quoted("goto through a pointer that is no label:", &e), expr: e }
        }
        (_, Terminator::Unreachable) => {
            Wording { message: "control reaches a place that is declared unreachable".into(), expr: String::new() }
        }
        _ => plain(kind, e),
    }
}

fn of_access(exprs: &Exprs<'_>, kind: K, ptr: &Operand, place: String) -> Wording {
    match kind {
        K::NullDeref | K::InvalidDeref => {
            let e = exprs.base_pointer(ptr).unwrap_or(place);
            Wording { message: plain(kind, e.clone()).message, expr: e }
        }
        K::UninitRead => {
            let e = exprs.value(ptr).unwrap_or(place);
            Wording { message: quoted("address depends on uninitialised", &e), expr: e }
        }
        _ => plain(kind, place),
    }
}

fn of_check(exprs: &Exprs<'_>, inst: &Inst, kind: K, ok: &Operand, detail: &CheckDetail) -> Wording {
    let source = || exprs.source_text(inst.span);
    // Of a conversion, the type before it; of an index, that of the array, which says nothing about the index.
    let of = detail.ctype.split(" to ").next().unwrap_or_default();
    let exprs = &if kind == K::ArrayIndex { *exprs } else { exprs.of_type(of) };
    match kind {
        K::SignedOverflow | K::DivByZero | K::ShiftRange | K::UnsignedWrap => {
            let e = exprs.operation(&detail.what, &detail.operands).or_else(source).unwrap_or_default();
            let mut w = plain(kind, e);
            if !detail.ctype.is_empty() {
                w.message = format!("{} (type {})", w.message, detail.ctype);
            }
            w
        }
        K::ArrayIndex => {
            let e = detail.operands.first().and_then(|o| exprs.value(o)).or_else(source).unwrap_or_default();
            let mut w = plain(kind, e);
            if let Some(n) = detail.bound {
                w.message = format!("{} of array with {n} elements", w.message);
            }
            w
        }
        K::Assertion => {
            let e = exprs.value(ok).or_else(source).unwrap_or_default();
            Wording { message: quoted("failing assertion", &e), expr: e }
        }
        _ => {
            let e = detail.operands.first().and_then(|o| exprs.value(o)).or_else(source).unwrap_or_default();
            let mut w = plain(kind, e);
            if !detail.what.is_empty() {
                w.message = format!("{} ({})", w.message, detail.what);
            }
            w
        }
    }
}

/// The sentence of a kind about an expression.
fn plain(kind: K, e: String) -> Wording {
    let prefix = match kind {
        K::NullDeref => "dereference of null pointer",
        K::InvalidDeref => "dereference of invalid pointer",
        K::OutOfBoundsRead => "read out of bounds of",
        K::OutOfBoundsWrite => "write out of bounds of",
        K::ArrayIndex => "index out of bounds:",
        K::UseAfterFree => "access to freed memory through",
        K::UseAfterScope => "access to a variable out of its scope through",
        K::ReadOnlyWrite => "write to read-only memory through",
        K::DoubleFree => "second free of",
        K::InvalidFree => "free of something that was not allocated:",
        K::Leak => "memory is lost:",
        K::UninitRead => "use of uninitialised",
        K::SignedOverflow => "signed overflow in",
        K::DivByZero => "division by zero in",
        K::ShiftRange => "shift amount out of range in",
        K::FloatCast => "conversion out of range of",
        K::InvalidValue => "invalid value of",
        K::VlaBound => "array length not positive:",
        K::InvalidArgument => "invalid argument",
        K::NullReturn => "null is returned where it is not allowed:",
        K::InvalidCall => "invalid call of",
        K::Unreachable => "control reaches a place that is declared unreachable",
        K::Assertion => "failing assertion",
        K::ErrorCall => "call of error function",
        K::IntegerTruncation => "value changed by the conversion of",
        K::UnsignedWrap => "unsigned wrap-around in",
    };
    let message = if e.is_empty() { bare(prefix).to_string() } else { quoted(prefix, &e) };
    Wording { message, expr: e }
}

/// The sentence without its object.
fn bare(prefix: &str) -> &str {
    let mut s = prefix.trim_end_matches(':');
    for word in [" through", " of", " in"] {
        s = s.strip_suffix(word).unwrap_or(s);
    }
    s
}
