//! What an answer leans on: of a function whose own code is the same, the functions with other code that it would be equal
//! but for; of one that is equal, those that were only taken to be.

use crate::compare::{State, Work};
use std::collections::BTreeSet;

/// How a function is equal that whoever asked takes to be.
pub(crate) const ASSUMED: &str = "assumed";

impl Work<'_> {
    /// Whoever asked takes this pair to be equal.
    pub(crate) fn is_assumed(&self, c: u32) -> bool {
        let p = self.pair(c);
        let assume = &self.options.assume;
        [&self.pairs.old.func(p.old).name, &self.pairs.new.func(p.new).name].iter().any(|n| assume.contains(*n))
    }

    /// Pairs whose own code differs and that are not shown to be equal: if they are, so is this one, whose code is the same
    /// and which uses nothing else that differs. In order of their names.
    pub(crate) fn equal_if(&mut self, c: u32) -> Vec<String> {
        let (mut seen, mut todo, mut out) = (BTreeSet::from([c]), vec![c], BTreeSet::new());
        while let Some(d) = todo.pop() {
            if !self.is_identical(d) {
                out.insert(self.pairs.new.func(self.pair(d).new).name.clone());
                continue;
            }
            let open: Vec<u32> = self.reach.uses(d).iter().copied().filter(|e| self.is_open(*e)).collect();
            todo.extend(open.into_iter().filter(|e| seen.insert(*e)));
        }
        out.into_iter().collect()
    }

    /// Pairs that an equal one leans on and that were only taken to be equal.
    pub(crate) fn assumed_below(&self, c: u32) -> Vec<String> {
        if self.options.assume.is_empty() {
            return Vec::new();
        }
        let (mut seen, mut todo, mut out) = (BTreeSet::from([c]), vec![c], BTreeSet::new());
        while let Some(d) = todo.pop() {
            let Some(State::Equal { how, deps }) = self.state.get(&d) else { continue };
            if *how == ASSUMED {
                out.insert(self.pairs.new.func(self.pair(d).new).name.clone());
            }
            todo.extend(deps.iter().copied().filter(|e| seen.insert(*e)));
        }
        out.into_iter().collect()
    }
}
