//! The ways in which a C program goes wrong, as the whole project names them. CWE numbers, rule texts and messages
//! belong to `checks`; here is only the closed list, because `check` instructions and the interpreter speak it.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a check checks. The name (`null-deref`) is what users, SARIF rule ids and test annotations say.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum CheckKind { $($(#[$doc])* $variant,)* }
        impl CheckKind {
            /// All kinds, in declaration order.
            pub const ALL: &'static [CheckKind] = &[$(CheckKind::$variant,)*];
            /// The stable user-visible name.
            pub fn name(self) -> &'static str { match self { $(CheckKind::$variant => $name,)* } }
            /// The kind with this name.
            pub fn from_name(s: &str) -> Option<CheckKind> { match s { $($name => Some(CheckKind::$variant),)* _ => None } }
        }
        impl std::fmt::Display for CheckKind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.name()) }
        }
    };
}

impl CheckKind {
    /// What C defines, though hardly anybody means it: an execution that fails such a check goes on, as C says.
    pub const fn is_defined_by_c(self) -> bool {
        matches!(self, CheckKind::IntegerTruncation | CheckKind::UnsignedWrap)
    }
}

kinds! {
    /// Access through a null pointer (offset included).
    NullDeref = "null-deref",
    /// Access through a pointer that points to no object: wild, from an integer, or a function.
    InvalidDeref = "invalid-deref",
    /// Read outside the bounds of the object.
    OutOfBoundsRead = "out-of-bounds-read",
    /// Write outside the bounds of the object.
    OutOfBoundsWrite = "out-of-bounds-write",
    /// Index outside the declared bounds of an array inside a larger object.
    ArrayIndex = "array-index",
    /// Access to a heap object after it was freed.
    UseAfterFree = "use-after-free",
    /// Access to a local variable outside its lifetime.
    UseAfterScope = "use-after-scope",
    /// Write to a constant or string literal.
    ReadOnlyWrite = "read-only-write",
    /// `free` of an object that was freed before.
    DoubleFree = "double-free",
    /// `free` of something that is not the start of a live heap object, or with the wrong deallocator.
    InvalidFree = "invalid-free",
    /// The last pointer to a heap object is gone and it was not freed.
    Leak = "leak",
    /// An uninitialised value reaches a branch, an address, a call of unknown code or an output.
    UninitRead = "uninit-read",
    /// Signed integer overflow.
    SignedOverflow = "signed-overflow",
    /// Division or remainder by zero.
    DivByZero = "div-by-zero",
    /// Shift amount negative or not below the width.
    ShiftRange = "shift-range",
    /// Conversion of a floating-point number to an integer type that cannot hold it.
    FloatCast = "float-cast",
    /// A `_Bool` or enum object holds none of its values.
    InvalidValue = "invalid-value",
    /// Array of non-positive length.
    VlaBound = "vla-bound",
    /// Argument that the called function does not allow (builtin, `nonnull`, `memcpy` overlap, ...).
    InvalidArgument = "invalid-argument",
    /// Function declared to return non-null returns null.
    NullReturn = "null-return",
    /// Call through a pointer that is not a function of a compatible type.
    InvalidCall = "invalid-call",
    /// `__builtin_unreachable` or the end of a `noreturn` function is reached.
    Unreachable = "unreachable",
    /// A user assertion fails.
    Assertion = "assertion",
    /// An error function (`reach_error`, `__VERIFIER_error`) is called.
    ErrorCall = "error-call",
    /// An implicit conversion to another integer type changes the value (off unless asked for).
    IntegerTruncation = "integer-truncation",
    /// Unsigned arithmetic wraps around (off unless asked for).
    UnsignedWrap = "unsigned-wrap",
}
