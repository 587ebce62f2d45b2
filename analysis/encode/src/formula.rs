//! What an encoding consists of. Truth values are terms of width 1.

use verify_checks::{CheckId, KindSet};
use verify_ir::{FuncId, Loc, Module, Ty};
use verify_solver::Term;

/// A way in which a check fails: the execution gets there with all earlier checks passed, and fails it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The check.
    pub check: CheckId,
    /// It fails here. Over-approximated.
    pub fails: Term,
}

/// A call that was not followed, or an end of the program that was not: what happens inside is not in the formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// An execution gets there.
    pub reached: Term,
    /// Functions that may be called.
    pub callees: Vec<FuncId>,
    /// Any function whose address is taken may be called.
    pub any: bool,
    /// The user's place whose checks the unseen code can fail, when it is library code.
    pub place: Option<(FuncId, verify_ir::Loc)>,
    /// But not of these kinds: all their failures there are claims.
    pub claimed: KindSet,
    /// For people.
    pub what: String,
}

/// Something that is not encoded: what comes after it is not in the formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// An execution gets there.
    pub reached: Term,
    /// Names it.
    pub why: String,
    /// Where it is.
    pub place: Option<(FuncId, Loc)>,
}

impl Blocker {
    /// Names it and its line: only what is told depends on lines.
    pub fn told(&self, module: &Module) -> String {
        let Some((f, loc)) = self.place else { return self.why.clone() };
        let func = module.func(f);
        let line = func.body.as_ref().map_or(0, |b| module.span(b.span_at(loc)).line);
        format!("{} in `{}`, line {line}", self.why, func.name)
    }
}

/// A free choice of the environment, in the order of execution, for replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// It happens.
    pub happens: Term,
    /// What.
    pub kind: EventKind,
}

/// Kinds of choices, as the interpreter asks for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// Number of arguments of `main`.
    Arguments {
        /// How many there are, the program's name included.
        count: Term,
        /// The first of them.
        texts: Vec<crate::arguments::Text>,
    },
    /// What a parameter of the entry is, by position, where it is no `main`.
    Parameter(u32, Term),
    /// An operation fails (not 0) or not.
    Fail(Term),
    /// An arbitrary 64-bit value.
    Nondet(Term),
    /// Input bytes.
    Bytes(Vec<Term>),
    /// Result of a system call.
    Syscall(Term),
    /// Text from a stream that the `scanf` family reads.
    Scanned {
        /// How many conversions succeed, or -1.
        count: Term,
        /// What the format makes of the text, in order.
        pieces: Vec<Scanned>,
    },
    /// The value of an uninitialised variable.
    Uninit(Term),
    /// A new stack or heap object, with the number of its life: what it holds that nobody has written is
    /// [`crate::Terms::uninitialised`].
    Contents {
        /// Object.
        object: u32,
        /// Which of its lives.
        life: u32,
    },
    /// Scalar result of a function without body.
    External(Term, Ty),
}

/// What a part of a format of the `scanf` family makes of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scanned {
    /// White space, or none.
    Space,
    /// This byte.
    Byte(u8),
    /// What is stored nowhere.
    Skipped(crate::scan::What),
    /// A number.
    Integer {
        /// Its bits, as they are stored.
        value: Term,
        /// Conversion character.
        letter: char,
        /// Characters that it takes at most.
        width: Option<u64>,
    },
    /// The bits of a `float` or `double`.
    Real(Term),
    /// Characters.
    Text {
        /// How many.
        length: Term,
        /// The first of them.
        bytes: Vec<Term>,
        /// Which ones end it not; `None`: any.
        class: Option<crate::scan::Class>,
    },
}

/// What user code computes at one place of the walk, for tests against executions ([`crate::Encoder::observe`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// An execution gets there with all earlier checks passed.
    pub reached: Term,
    /// This many of [`Formula::events`] come before.
    pub events: usize,
    /// Function.
    pub func: FuncId,
    /// Place.
    pub loc: verify_ir::Loc,
    /// A number for the calls of user code that led there ([`call_stack_number`]).
    pub calls: u64,
    /// What.
    pub seen: Seen,
}

/// Kinds of observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A result of an instruction (no call), by number.
    Value(u32, crate::sym::Sym),
    /// What `main` returns.
    Returned(crate::sym::Sym),
    /// The next of [`Formula::events`]; a number for the calls of user code in progress ([`call_stack_number`]).
    Choice(u64),
    /// What comes next is not, or not all, in the formula: a cut, a blocker, a loop that goes on.
    Hidden,
    /// An iteration after the last that a formula for k-induction looks at: no execution that counts gets there.
    Over,
}

/// A number for a call stack, innermost first.
pub fn call_stack_number(stack: impl IntoIterator<Item = (FuncId, verify_ir::Loc)>) -> u64 {
    let parts = stack.into_iter().flat_map(|(f, l)| [f.0, l.block.0, l.inst]);
    parts.fold(0xcbf2_9ce4_8422_2325, |h, x| (h ^ u64::from(x)).wrapping_mul(0x0100_0000_01b3))
}

/// The program assumes something, in user code or in the library for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assumed {
    /// An execution gets there.
    pub before: Term,
    /// And goes on.
    pub after: Term,
    /// The user's place.
    pub place: (FuncId, verify_ir::Loc),
}

/// A program, or part of one, as a formula. Its terms belong to the [`crate::Terms`] it was made with.
#[derive(Clone, Default, Debug)]
pub struct Formula {
    /// Failures.
    pub claims: Vec<Claim>,
    /// Calls not followed.
    pub cuts: Vec<Cut>,
    /// Constructs not encoded.
    pub blockers: Vec<Blocker>,
    /// A loop or recursion goes on beyond the bound: the formula is incomplete where one of these holds.
    pub unwound: Vec<Term>,
    /// Choices.
    pub events: Vec<Event>,
    /// In the order of the walk, which is that of every execution.
    pub observations: Vec<Observation>,
    /// Loop-select variables: set in executions that start inside the loop.
    pub selects: Vec<Term>,
    /// Rows of the templates at the heads of loops.
    pub rows: Vec<crate::template::Row>,
    /// Where control gets to the heads, and what the rows are there.
    pub visits: Vec<crate::template::Visit>,
    /// The states at the heads of loops, where each has one copy; see [`crate::Encoder::heads`].
    pub heads: Vec<crate::head::HeadState>,
    /// Iterations of loops from head to head; see [`crate::Encoder::endless`].
    pub turns: Vec<crate::turn::Turn>,
    /// A loop comes back to a state that it was in; see [`crate::Encoder::laps`].
    pub laps: Vec<Term>,
    /// Assumptions that the program makes.
    pub assumed: Vec<Assumed>,
    /// Functions without body that were called, by name.
    pub externals: std::collections::BTreeSet<String>,
    /// Functions that were spliced in, the root included.
    pub spliced: std::collections::BTreeSet<FuncId>,
    /// Calls of one function in progress at once, at most.
    pub recursion: u32,
    /// Iterations, at most, of a loop that was followed to its end as constants decide.
    pub followed: u32,
    /// Instructions encoded.
    pub instructions: u64,
}
