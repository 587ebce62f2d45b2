//! Why execution does not go on, from inside the run; [`crate::outcome`] is what the outside sees.

use crate::object::Prov;
use crate::script::ScriptStop;
use verify_ir::CheckKind;

/// A memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub addr: u64,
    pub prov: Prov,
    pub size: u64,
    pub write: bool,
}

/// What is known of a failing check where it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The instruction at hand says it all.
    Plain,
    /// A memory access; which pointer operand of the instruction it was through.
    Access(Access, PtrRole),
    /// An undefined value in this role.
    Undefined(&'static str),
    /// A ready sentence.
    Message(String),
}

/// Which operand of the failing instruction the access went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PtrRole {
    Main,
    Source,
    Arg(u32),
}

/// Why execution stops here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    Fail(CheckKind, Box<Detail>),
    Steps,
    Repeats { from: u64, to: u64 },
    Memory,
    Depth,
    Unmodelled(Box<str>),
    External(Box<str>),
    AssumeFalse,
    Script(ScriptStop),
    Exit(i32),
    Abort,
}

pub(crate) type Res<T> = Result<T, Box<Halt>>;

impl Halt {
    pub fn fail<T>(kind: CheckKind, detail: Detail) -> Res<T> {
        Err(Box::new(Halt::Fail(kind, Box::new(detail))))
    }
    pub fn plain<T>(kind: CheckKind) -> Res<T> {
        Self::fail(kind, Detail::Plain)
    }
    pub fn undefined<T>(what: &'static str) -> Res<T> {
        Self::fail(CheckKind::UninitRead, Detail::Undefined(what))
    }
    pub fn message<T>(kind: CheckKind, text: impl Into<String>) -> Res<T> {
        Self::fail(kind, Detail::Message(text.into()))
    }
    pub fn unmodelled<T>(reason: impl Into<String>) -> Res<T> {
        Err(Box::new(Halt::Unmodelled(reason.into().into())))
    }
}

impl From<ScriptStop> for Box<Halt> {
    fn from(s: ScriptStop) -> Self {
        Box::new(Halt::Script(s))
    }
}
