//! What to encode: where executions start, how far calls and loops are followed, and what the environment does.

use verify_ir::{Block, FuncId};

/// Where executions start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// The program: constructors, then `main` with any arguments, globals as initialised.
    Program(FuncId),
    /// A call of the function with any arguments in any state of memory: what holds here holds in every execution.
    Call(FuncId),
    /// The function from this block on, in any state that it may be in there, as far as [`crate::Encoder::targets`]
    /// ([`crate::part`]).
    Part(FuncId, Block),
}

impl Root {
    /// The function.
    pub fn func(self) -> FuncId {
        match self {
            Root::Program(f) | Root::Call(f) | Root::Part(f, _) => f,
        }
    }
}

/// How loops are treated (brain-2015 §2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Bounded: the first `unwind` iterations; [`crate::Formula::unwound`] says when there are more.
    Bounded,
    /// k-induction: the first iteration of every loop starts from any state that the loop may be in (loop-select
    /// variable set) or from the one it is entered with.
    Induction,
}

/// What invariants of loops are looked for (brain-2015 §3.3): the rows of the template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Domain {
    /// None.
    #[default]
    Nothing,
    /// Bounds of variables.
    Intervals,
    /// The same, and of differences of two of them.
    Zones,
    /// The same, and of sums.
    Octagons,
}

/// Rows that somebody suggests.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suggested {
    /// None.
    #[default]
    Nothing,
    /// Those that say something of every visit, or of every one after the first.
    Always,
    /// Those that say something under a condition as well.
    ByCases,
}

/// The plan of a formula.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// Start.
    pub root: Root,
    /// Loops.
    pub mode: Mode,
    /// Iterations of every loop.
    pub unwind: u32,
    /// Loops with others inside are not unwound: every loop in the copies of one around it is another with rows of its own, which
    /// say nothing where the early copies are entered in the middle.
    pub innermost: bool,
    /// Templates at the heads of loops; only for k-induction.
    pub domain: Domain,
    /// Which rows of those that are suggested ([`crate::Encoder::suggestions`]) are among them.
    pub suggested: Suggested,
    /// Also for loops of the library where each loop begins with an arbitrary iteration: what is open hangs on those.
    pub library: bool,
    /// Depth of calls of user functions that are spliced in; deeper ones are cut.
    pub depth: u32,
    /// Depth of recursion of one function that is spliced in.
    pub recursion: u32,
    /// Loops whose every branch is decided by constants are followed this many iterations.
    pub deterministic: u32,
    /// Instructions that may be encoded.
    pub max_instructions: u64,
    /// Terms that the pool may hold.
    pub max_terms: usize,
}

/// What the environment does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Allocation never fails.
    pub allocation_succeeds: bool,
    /// A function without body returns anything and changes nothing.
    pub externals_pure: bool,
    /// `array-index` is not checked.
    pub whole_objects: bool,
    /// An uninitialised variable has an arbitrary value, and so has memory that was not written.
    pub uninit_is_arbitrary: bool,
    /// Lost memory is looked for when the program ends.
    pub leaks: bool,
    /// It is linked with other code, which may bring another definition of a weak function.
    pub open: bool,
}
