//! Where a program can go wrong: one [`Check`] per place and kind, with the C expression it is about, and one
//! [`rules::Rule`] per kind with its CWE and texts. Checks are enumerated from the IR alone; no solver is asked and
//! nothing is decided here. Engines give each check its verdict; the interpreter reports failures in the same terms
//! (function, place, kind), so that [`Checks::attribute`] maps one to the other.
//!
//! Invariant: every failure that the interpreter can report is one of the enumerated checks: [`Checks::attribute`]
//! finds it. A kind is left out at a place only where the operands rule it out in every execution.
#![forbid(unsafe_code)]

pub mod attribute;
pub mod calls;
pub mod defs;
pub mod enumerate;
pub mod expr;
pub mod kinds;
pub mod message;
pub mod places;

pub use attribute::{Frame, user_frame};
pub use enumerate::enumerate;
pub use kinds::KindSet;

pub mod rules;

use std::collections::BTreeMap;
use verify_ir::{CheckKind, FuncId, Loc, SpanId, noted};

/// Index into [`Checks::all`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct CheckId(pub u32);

/// A place where the program can go wrong in one way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What can go wrong.
    pub kind: CheckKind,
    /// In which function.
    pub func: FuncId,
    /// At which instruction or terminator.
    pub loc: Loc,
    /// Position in the source.
    pub span: SpanId,
    /// The C expression or variable it is about, as far as access paths and debug information tell; may be empty.
    pub expr: String,
    /// A sentence without final stop, e.g. ``dereference of null pointer `p->next` ``.
    pub message: String,
}

/// All checks of a program, ordered by function, place, kind.
#[derive(Clone, Default, Debug)]
pub struct Checks {
    /// The checks.
    pub all: Vec<Check>,
    index: BTreeMap<(FuncId, Loc, CheckKind), CheckId>,
}

impl Checks {
    /// Builds the table from checks in any order; exact duplicates (function, place, kind) are merged, first wins.
    pub fn from_vec(mut all: Vec<Check>) -> Checks {
        all.sort_by_key(|c| (c.func, c.loc, c.kind));
        all.dedup_by_key(|c| (c.func, c.loc, c.kind));
        let index = all.iter().enumerate().map(|(i, c)| ((c.func, c.loc, c.kind), CheckId(i as u32))).collect();
        Checks { all, index }
    }
    /// The check.
    pub fn get(&self, id: CheckId) -> &Check {
        let check = &self.all[id.0 as usize];
        noted::function(check.func);
        check
    }
    /// The check of this kind at this place.
    pub fn find(&self, func: FuncId, loc: Loc, kind: CheckKind) -> Option<CheckId> {
        noted::function(func);
        self.index.get(&(func, loc, kind)).copied()
    }
    /// All checks of a function, in order.
    pub fn of_function(&self, func: FuncId) -> &[Check] {
        noted::function(func);
        let lo = self.all.partition_point(|c| c.func < func);
        let hi = self.all.partition_point(|c| c.func <= func);
        &self.all[lo..hi]
    }
}
