//! What objects there are. The changing part (contents, liveness) is in [`crate::memory`].

use verify_ir::{FuncId, GlobalId};
use verify_solver::Term;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Null pointers and integers point here.
    Null,
    /// Unknown.
    Wild,
    /// A variable or literal.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A local variable of one call.
    Stack,
    /// A heap object of one execution of an allocation; the deallocator family.
    Heap(u32),
    /// All objects that a stack or heap place made in earlier iterations of a loop: contents and liveness are unknown.
    Summary,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// For dumps.
    pub name: String,
    /// Size in bytes, of pointer width.
    pub size: Term,
    /// Alignment in bytes.
    pub align: u64,
    /// Must not be written.
    pub read_only: bool,
}
