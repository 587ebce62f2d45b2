//! CaDiCaL: incremental, with assumptions and cores.

use super::{Answer, Sat};
use cadical_sys::{CaDiCal, Status};

/// CaDiCaL's ticks that go with a conflict of the budget, and with every call.
const TICKS_PER_CONFLICT: i64 = 50_000;
const LEAST_TICKS: i64 = 5_000_000;

/// An incremental CaDiCaL.
pub struct Cadical {
    solver: CaDiCal,
}

impl Default for Cadical {
    fn default() -> Self {
        let mut solver = CaDiCal::new();
        // Bounded variable addition would take variable numbers that we hand out ourselves.
        solver.set("factor", 0);
        solver.set("quiet", 1);
        // Queries share most of their assumptions: what follows from those is kept.
        solver.set("ilb", 1);
        // Tries of lucky assignments before each query cost more than most queries, and are counted nowhere.
        solver.set("lucky", 0);
        Cadical { solver }
    }
}

impl Cadical {
    /// For a single question about a small formula: assignments that everybody would think of are tried first.
    pub fn for_one_query() -> Cadical {
        let mut c = Cadical::default();
        c.solver.set("lucky", 1);
        c
    }

    /// For hundreds of small queries about one growing formula: no simplification of the formula, which costs more than
    /// the query and is counted nowhere. Variables are tried as 0 first: models have small numbers.
    pub fn for_many_queries() -> Cadical {
        let mut c = Cadical::default();
        c.solver.set("phase", 0);
        // Between searches it would rework the whole formula, each time again.
        c.solver.set("inprocessing", 0);
        c
    }
}

impl Sat for Cadical {
    fn add_clause(&mut self, lits: &[i32]) {
        for l in lits {
            self.solver.add(*l);
        }
        self.solver.add(0);
    }
    fn solve(&mut self, assumptions: &[i32], conflicts: Option<u32>) -> Answer {
        for a in assumptions {
            self.solver.assume(*a);
        }
        if let Some(c) = conflicts {
            self.solver.limit("conflicts", i32::try_from(c).unwrap_or(i32::MAX));
            // On a large formula a conflict can take for ever: cache lines touched are counted too.
            let ticks = i64::from(c) * TICKS_PER_CONFLICT + LEAST_TICKS;
            self.solver.limit("ticks", i32::try_from(ticks).unwrap_or(i32::MAX));
        }
        match self.solver.solve() {
            Status::SATISFIABLE => Answer::Sat,
            Status::UNSATISFIABLE => Answer::Unsat,
            Status::UNKNOWN => Answer::Unknown,
        }
    }
    fn value(&mut self, lit: i32) -> bool {
        self.solver.val(lit) == lit
    }
    fn failed(&mut self, lit: i32) -> bool {
        self.solver.failed(lit)
    }
    fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }
    fn ticks(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("ticks")).unwrap_or(0)
    }
}
