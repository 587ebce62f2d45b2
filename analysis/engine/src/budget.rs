//! Budgets: counters, never the clock, shared out before work starts, so that a result does not depend on the machine
//! or on how many threads work.

use serde::{Deserialize, Serialize};

/// What a piece of work may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Interpreter steps (IR instructions), runs included at [`RUN_COST`] each.
    pub steps: u64,
    /// Interpreter runs.
    pub runs: u64,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { steps: u64::MAX, runs: u64::MAX };

    /// Divides the budget in proportion to the weights; the parts add up to at most the whole, and a positive weight
    /// gets at least one run.
    pub fn share(self, weights: &[u64]) -> Vec<Budget> {
        let total: u128 = weights.iter().map(|&w| u128::from(w)).sum();
        let part = |whole: u64, w: u64| (u128::from(whole) * u128::from(w)).checked_div(total).unwrap_or(0) as u64;
        weights
            .iter()
            .map(|&w| Budget { steps: coarse(part(self.steps, w)), runs: part(self.runs, w).max(u64::from(w > 0)) })
            .collect()
    }
}

/// Rounded down to three binary digits: a small change of a program leaves most budgets as they were.
fn coarse(steps: u64) -> u64 {
    let shift = steps.checked_ilog2().map_or(0, |l| l.saturating_sub(2));
    steps >> shift << shift
}

/// What a piece of work has used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Interpreter steps.
    pub steps: u64,
    /// Interpreter runs.
    pub runs: u64,
}

/// What starting a run costs beside its steps, in steps: measured for small programs, rounded.
pub const RUN_COST: u64 = 2_000;

impl Spent {
    /// Adds a run.
    pub fn run(&mut self, steps: u64) {
        self.steps += steps;
        self.runs += 1;
    }
    /// Steps, with what starting the runs costs: what is compared with a budget.
    pub fn cost(&self) -> u64 {
        self.steps.saturating_add(self.runs.saturating_mul(RUN_COST))
    }
    /// Nothing of the budget is left.
    pub fn exhausts(&self, b: Budget) -> bool {
        self.cost() >= b.steps || self.runs >= b.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn shares_never_exceed_the_whole(steps in 0u64.., weights in proptest::collection::vec(0u64..1 << 40, 0..20)) {
            let parts = Budget { steps, runs: 0 }.share(&weights);
            let sum: u128 = parts.iter().map(|b| u128::from(b.steps)).sum();
            proptest::prop_assert!(sum <= u128::from(steps));
            proptest::prop_assert_eq!(parts.len(), weights.len());
        }
    }
}
