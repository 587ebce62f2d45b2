//! SAT solvers behind one small trait. Literals are DIMACS: non-zero, negative for negated; variables from 1.
//!
//! Kissat is not linked: it and CaDiCaL 3 both define the symbols of `kitten`, in different versions.

pub mod cadical;

/// The result of a SAT call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable: values can be asked.
    Sat,
    /// Unsatisfiable: failed assumptions can be asked.
    Unsat,
    /// The budget is used up.
    Unknown,
}

/// An incremental SAT solver.
pub trait Sat {
    /// Adds a clause for good.
    fn add_clause(&mut self, lits: &[i32]);
    /// Solves under assumptions, within so many conflicts (`None`: no limit).
    fn solve(&mut self, assumptions: &[i32], conflicts: Option<u32>) -> Answer;
    /// After [`Answer::Sat`]: the value of the variable of a literal, seen through its sign.
    fn value(&mut self, lit: i32) -> bool;
    /// After [`Answer::Unsat`]: whether the assumption is in the core.
    fn failed(&mut self, lit: i32) -> bool;
    /// Conflicts so far, all calls together.
    fn conflicts(&self) -> u64;
    /// Cache lines touched by the search so far, or another count that grows with the time it takes; 0 when not counted.
    fn ticks(&self) -> u64 {
        0
    }
}
