//! Index newtypes. Every table of the IR is a `Vec` indexed by one of these; they are dense, start at 0 and mean
//! something only together with the module (or body) that owns the table.

/// Defines a dense `u32` index with a print prefix.
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);
        impl $name {
            /// The index as a `usize`, for table access.
            #[inline]
            pub fn index(self) -> usize { self.0 as usize }
            /// The entity for a table position. Tables hold fewer than 2^32 entries.
            #[inline]
            pub fn new(i: usize) -> Self { debug_assert!(i < u32::MAX as usize); Self(i as u32) }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, concat!($prefix, "{}"), self.0) }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, concat!($prefix, "{}"), self.0) }
        }
    };
}

entity!(/// A translation unit of a module.
    UnitId, "unit");
entity!(/// A source file of a module.
    FileId, "file");
entity!(/// A C type of a module.
    TypeId, "type");
entity!(/// A global variable of a module.
    GlobalId, "global");
entity!(/// A function (declared or defined) of a module.
    FuncId, "func");
entity!(/// An alias or ifunc of a module.
    AliasId, "alias");
entity!(/// A source position of a module.
    SpanId, "span");
entity!(/// A basic block of a body.
    Block, "b");
entity!(/// An SSA value of a body.
    Value, "v");
entity!(/// A C variable of a body, for messages.
    VarId, "var");
