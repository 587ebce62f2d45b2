//! Inputs that may go a way that no run went, and which of them is next: one for the way that was tried least, and of
//! several such ways by turns for the one that was met last and the one that was met first. So a way that only a deep run
//! has met is not left out because much else was compared before it, and one that every run meets is not left out because
//! there are ever deeper ones. What it is not: a measure of which way is worth more.

use crate::correspond::Edit;
use crate::genome::Genome;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use verify_interp::{Coverage, Way};

/// Inputs that are tried for one way in all.
const TRIES: u32 = 48;
/// The same for an operation that fails at one place.
const TRIES_OF_FAILURE: u32 = 12;
/// Inputs that wait for one way; those of the oldest runs make room.
const WAITING: usize = 24;
/// Runs whose inputs wait to be changed.
const RUNS: usize = 256;

/// The inputs that wait.
#[derive(Default, Debug)]
pub struct Wishes {
    waiting: BTreeMap<Way, Waiting>,
    tried: BTreeMap<Way, u32>,
    /// Inputs of the last runs that were looked at, with the number of the first.
    runs: VecDeque<Rc<Genome>>,
    first: u64,
    /// How many inputs were taken.
    taken: u64,
}

#[derive(Default, Debug)]
struct Waiting {
    /// The last run that met the way.
    run: u64,
    /// Which run's input to change, and how.
    inputs: VecDeque<(u64, Edit)>,
}

impl Wishes {
    /// Does nothing wait?
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// A run with this input is looked at: what is added from now on changes it.
    pub fn begin(&mut self, input: Genome) {
        self.runs.push_back(Rc::new(input));
        if self.runs.len() > RUNS {
            self.runs.pop_front();
            self.first += 1;
            let first = self.first;
            self.waiting.retain(|_, q| {
                q.inputs.retain(|(run, _)| *run >= first);
                !q.inputs.is_empty()
            });
        }
    }

    /// Is the way worth an input?
    pub fn wants(&self, way: Way, seen: &Coverage) -> bool {
        let taken = matches!(way, Way::Edge(e) if seen.get(e as usize));
        let most = if matches!(way, Way::Failure(..)) { TRIES_OF_FAILURE } else { TRIES };
        !taken && self.tried(way) < most
    }

    fn tried(&self, way: Way) -> u32 {
        self.tried.get(&way).copied().unwrap_or(0)
    }

    /// The first input that goes this way was just taken.
    pub fn is_first(&self, way: Way) -> bool {
        self.tried(way) == 1
    }

    /// The input of the run that is looked at may go this way when it is changed so.
    pub fn add(&mut self, way: Way, edit: Edit) {
        let run = self.first + self.runs.len() as u64 - 1;
        let q = self.waiting.entry(way).or_default();
        q.run = run;
        // Before those of earlier runs, in the order in which they come: the first is the likeliest.
        let at = q.inputs.iter().take_while(|(r, _)| *r == run).count();
        q.inputs.insert(at, (run, edit));
        q.inputs.truncate(WAITING);
    }

    /// The next input; ways that runs went by now are forgotten.
    pub fn next(&mut self, seen: &Coverage) -> Option<(Way, Genome)> {
        loop {
            let newest = self.taken.is_multiple_of(2);
            let age = |q: &Waiting| if newest { u64::MAX - q.run } else { q.run };
            // That something fails is certain to come out, and what else is compared may be no input: by turns.
            let fail = self.taken % 4 < 2;
            let kind = |w: &Way| matches!(w, Way::Failure(..)) != fail;
            let (&way, _) = self.waiting.iter().min_by_key(|(w, q)| (self.tried(**w), age(q), kind(w)))?;
            let wanted = self.wants(way, seen);
            let q = self.waiting.get_mut(&way)?;
            let input = q.inputs.pop_front().filter(|_| wanted);
            if q.inputs.is_empty() || !wanted {
                self.waiting.remove(&way);
            }
            let Some((run, edit)) = input else { continue };
            let Some(base) = run.checked_sub(self.first).and_then(|n| self.runs.get(n as usize)) else { continue };
            let input = edit.apply(base);
            if input != **base {
                self.taken += 1;
                *self.tried.entry(way).or_insert(0) += 1;
                return Some((way, input));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(w: &mut Wishes) {
        w.begin(Genome { stream: vec![100], ..Genome::default() });
    }

    #[test]
    fn the_way_that_was_tried_least_is_next() {
        let mut w = Wishes::default();
        look(&mut w);
        for n in 0..3 {
            w.add(Way::Edge(1), Edit::of_byte(0, n));
        }
        w.add(Way::Edge(2), Edit::of_byte(0, 10));
        look(&mut w);
        w.add(Way::Edge(3), Edit::of_byte(0, 20));
        let seen = Coverage { words: vec![0] };
        let order: Vec<u8> = std::iter::from_fn(|| w.next(&seen)).map(|(_, g)| g.stream[0]).collect();
        assert_eq!(order, [20, 0, 10, 1, 2]);
        assert!(w.is_empty());
    }

    #[test]
    fn a_way_that_was_taken_is_forgotten_and_so_are_old_runs() {
        let mut w = Wishes::default();
        look(&mut w);
        w.add(Way::Edge(1), Edit::of_byte(0, 1));
        assert!(w.next(&Coverage { words: vec![2] }).is_none());
        assert!(w.is_empty());
        for way in 0..2_000 {
            look(&mut w);
            w.add(Way::Edge(64 + way), Edit::of_byte(0, 0));
        }
        assert!(w.runs.len() == RUNS && w.waiting.len() == RUNS);
        let seen = Coverage { words: vec![0] };
        assert_eq!(w.next(&seen).map(|(way, _)| way), Some(Way::Edge(64 + 1_999)));
    }
}
