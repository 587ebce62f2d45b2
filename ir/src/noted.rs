//! Notes what of a program a computation looks at, so that its result can be known again in a program in which all of that is
//! the same: whoever hands out a function, a variable or something that is kept for one of them says so here, and
//! [`noting`] collects it. The notes are those of one thread.
//!
//! What it is not: a promise by itself. A computation is known by its notes only if it gets at a program through what notes:
//! [`crate::Module::func`], [`crate::Module::global`], [`crate::Module::span`], [`crate::Module::function_named`] and the tables of facts and
//! checks. Tables of the module that are gone through as a whole are noted by nobody; what is made of them belongs
//! [`aside`], and into the key.

use crate::entity::{FuncId, GlobalId, SpanId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// What was looked at.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Noted {
    functions: Bits,
    globals: Bits,
    positions: Bits,
    /// Questions about the module as a whole, in words of whoever asks.
    pub questions: BTreeSet<String>,
}

impl Noted {
    /// Functions: bodies, facts, calls, checks.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.functions.all().map(FuncId)
    }
    /// Variables: what they are, and their initialisers.
    pub fn globals(&self) -> impl Iterator<Item = GlobalId> + '_ {
        self.globals.all().map(GlobalId)
    }
    /// Positions: their files, lines and columns.
    pub fn positions(&self) -> impl Iterator<Item = SpanId> + '_ {
        self.positions.all().map(SpanId)
    }
}

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Bits(Vec<u64>);

impl Bits {
    fn insert(&mut self, n: u32) {
        let word = (n / 64) as usize;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (n % 64);
    }
    fn all(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, w)| **w != 0);
        words.flat_map(|(i, w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| i as u32 * 64 + b))
    }
}

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static NOTED: RefCell<Noted> = RefCell::default();
}

/// Puts things back, come what may.
struct Before(bool, Option<Noted>);

impl Drop for Before {
    fn drop(&mut self) {
        ON.set(self.0);
        if let Some(n) = self.1.take() {
            NOTED.replace(n);
        }
    }
}

/// Does the work, and says what it looked at.
pub fn noting<R>(work: impl FnOnce() -> R) -> (R, Noted) {
    let _before = Before(ON.replace(true), Some(NOTED.take()));
    let result = work();
    (result, NOTED.take())
}

/// Does the work without notes.
pub fn aside<R>(work: impl FnOnce() -> R) -> R {
    let _before = Before(ON.replace(false), None);
    work()
}

/// Something of this function is looked at.
#[inline]
pub fn function(f: FuncId) {
    if ON.get() {
        NOTED.with_borrow_mut(|n| n.functions.insert(f.0));
    }
}

/// Something of this variable is looked at.
#[inline]
pub fn global(g: GlobalId) {
    if ON.get() {
        NOTED.with_borrow_mut(|n| n.globals.insert(g.0));
    }
}

/// The file, line or column of this position is looked at.
#[inline]
pub fn position(s: SpanId) {
    if ON.get() {
        NOTED.with_borrow_mut(|n| n.positions.insert(s.0));
    }
}

/// The answer to this is looked at.
pub fn question(about: &str, name: &str) {
    if ON.get() {
        NOTED.with_borrow_mut(|n| n.questions.insert(format!("{about} {name}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_those_of_the_work() {
        function(FuncId(1));
        let (_, n) = noting(|| {
            function(FuncId(200));
            function(FuncId(3));
            aside(|| global(GlobalId(7)));
            let (_, inner) = noting(|| global(GlobalId(5)));
            assert_eq!(inner.globals().collect::<Vec<_>>(), [GlobalId(5)]);
            question("function", "f");
            let _ = std::panic::catch_unwind(|| aside(|| noting(|| std::panic::resume_unwind(Box::new(())))));
            function(FuncId(4));
        });
        assert_eq!(n.functions().collect::<Vec<_>>(), [FuncId(3), FuncId(4), FuncId(200)]);
        assert_eq!(n.globals().count(), 0);
        assert!(n.questions.contains("function f"));
        function(FuncId(1));
        assert_eq!(noting(|| ()).1, Noted::default());
    }
}
