//! Which comparisons decided against a way that a run might have taken ([`crate::Config::compare`]): what their sides
//! were. Where a side is a copy of an input, the other side is what that input should have been (input-to-state
//! correspondence: Aschermann et al., REDQUEEN, NDSS 2019, section III).

use crate::bits;
use crate::code::Table;
use crate::machine::Machine;
use std::collections::BTreeMap;
use verify_ir::inst::IntPred;

/// Times that one way is written down in a run.
const PER_WAY: u32 = 4;
/// Comparisons of before that stay when something new is asked for.
const KEPT: usize = 1024;

/// What a comparison decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// The edge that was not taken, by its number in [`crate::Coverage`].
    Edge(u32),
    /// Another outcome of the comparison at this place, which is only computed: number of the function, position in its
    /// code, and what came out.
    Value(u32, u32, bool),
    /// An operation fails that may, or a system call does: the two innermost calls of the program's own code (their
    /// positions), and which of the two it is.
    Failure(u64, bool),
}

/// An operation that was asked whether it fails, or a system call, and did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayFail {
    /// Where, as [`Way::Failure`].
    pub way: Way,
    /// So many questions of its kind were asked before in the run.
    pub nth: u64,
    /// An answer with which it fails.
    pub answer: u64,
}

/// A comparison of two defined integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What would be different.
    pub way: Way,
    /// Bits of the sides.
    pub width: u32,
    /// Left side.
    pub left: u64,
    /// Right side.
    pub right: u64,
    /// Equal sides go that way, or (`false`) they may.
    pub equal: bool,
}

/// The comparisons of a run.
#[derive(Clone, Default, Debug)]
pub struct Comparisons {
    /// In the order of execution.
    pub all: Vec<Comparison>,
    times: BTreeMap<Way, u32>,
    /// The last operation at each place that might have failed.
    pub may_fail: BTreeMap<Way, (u64, u64)>,
    /// Questions so far, of the one kind and of the other.
    asked: [u64; 2],
}

impl Comparisons {
    /// Something new is compared from now on; what was long ago makes room.
    pub(crate) fn forget(&mut self) {
        self.times.clear();
        if self.all.len() > KEPT {
            self.all.clear();
        }
    }
}

impl Machine<'_, '_> {
    /// An operation is asked whether it fails, or the system what it answers; with this answer it would fail.
    pub fn may_fail(&mut self, system: bool, fails: bool, answer: u64) {
        if self.config.compare == 0 {
            return;
        }
        let asked = &mut self.compared.asked[usize::from(system)];
        let nth = *asked;
        *asked += 1;
        if !fails {
            let mut own = (0..self.frames.len()).rev().filter(|d| !self.program.is_model(self.frames[*d].func));
            let mut at = || own.next().map_or(0, |d| u64::from(self.span_of(d).0) + 1);
            // Which of several calls of a wrapper it is, its caller says.
            let way = Way::Failure(at() << 32 | at(), system);
            self.compared.may_fail.insert(way, (nth, answer));
        }
    }

    fn compared(&mut self, c: Comparison) {
        if self.compared.all.len() >= self.config.compare {
            return;
        }
        let n = self.compared.times.entry(c.way).or_insert(0);
        *n += 1;
        if *n <= PER_WAY {
            self.compared.all.push(c);
        }
    }

    /// A comparison that decides a branch; `other` is the number of the edge that is not taken.
    #[cold]
    pub fn compared_edge(&mut self, pred: IntPred, width: u8, (left, right): (u64, u64), taken: bool, other: u32) {
        let equal = bits::compare_defined(pred, u32::from(width), 0, 0) != taken;
        self.compared(Comparison { way: Way::Edge(other), width: u32::from(width), left, right, equal });
    }

    /// A comparison whose outcome is a value.
    #[cold]
    pub fn compared_value(&mut self, pred: IntPred, width: u8, (left, right): (u64, u64), out: bool, pc: usize) {
        let equal = bits::compare_defined(pred, u32::from(width), 0, 0) != out;
        let way = Way::Value(self.top().func.0, pc as u32, out);
        self.compared(Comparison { way, width: u32::from(width), left, right, equal });
    }

    /// A switch on `v` that takes the edge `taken` (an index into the code's edges).
    #[cold]
    pub fn compared_switch(&mut self, t: &Table, v: u64, taken: u32) {
        let edges = &self.top().code.edges;
        let missed: Vec<(u64, u32)> =
            t.cases.iter().filter(|c| c.1 != taken).map(|c| (c.0, edges[c.1 as usize].number)).collect();
        for (case, number) in missed {
            self.compared(Comparison { way: Way::Edge(number), width: 64, left: v, right: case, equal: true });
        }
    }
}
