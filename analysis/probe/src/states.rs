//! Explicit-state search: programs that go round and ask for input each time are state machines, and what is deep in one is
//! reached by no input at random. Each state (calls, registers that matter, memory) is gone on from once; states that some run was in before end
//! a run. What to answer, the comparisons say: at first an input is a number that nothing else is, and what that
//! number was compared with becomes an answer (as in [`crate::correspond`]). Runs begin at the program's start each time, with the answers that lead to
//! the state; states in the order of how many inputs lead there (breadth first: Clarke, Grumberg, Peled, *Model
//! Checking*, section 2; explicit states: Holzmann, *The SPIN Model Checker*, section 8).
//!
//! It finds and never proves: of the numbers that an input may be a few are tried, and two states with one hash count as one.

use crate::explore::Explorer;
use crate::rng::mix;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use verify_engine::{StopFlag, replay};
use verify_interp::{Comparison, Config, End, Question, Recorder, Script, ScriptStop};

/// Comparisons that are kept of one run.
const COMPARISONS: usize = 4_096;
/// Steps of one run behind the answers that were given.
const RUN_STEPS: u64 = 2_000_000;
/// Inputs that a run asks for behind the answers that were given.
const AHEAD: usize = 64;
/// Ways in all, and answers of those that wait.
const WAYS: usize = 400_000;
const ANSWERS: usize = 4_000_000;
/// Steps without new code after which it is given up.
const PATIENCE: u64 = 30_000_000;
/// Answers whatever they are compared with.
const ALWAYS: [u64; 2] = [0, 1];
/// Runs at random from each state, and how many of them at a time, before others have as many.
const ROUNDS: u32 = 128;
const AT_A_TIME: u32 = 8;
/// Numbers at random are below this.
const SMALL: u64 = 6;
/// Inputs of a run, the last ones, of which others are tried.
const LOOKED_AT: usize = 128;
/// Numbers that inputs were compared with, for them.
const KNOWN: usize = 256;
/// An input that differs from a side by this much at most may be what that was computed from.
const NEAR: u64 = 64;

/// The number that the input at this place is at first: a positive `int` that nothing else is likely to be.
fn mark(at: usize) -> u64 {
    1 << 30 | mix(at as u64 + 1) & 0x3fff_ffff
}

/// Inputs of a run that waits.
struct Way {
    answers: Vec<u64>,
    /// Up to here, another run had the same.
    from: usize,
    /// Inputs behind the answers are at random, by this; 0: they are marks.
    seed: u64,
    /// How much of it nothing speaks for, since something was new.
    guesses: u32,
}

/// Those that wait, by how many guesses there are.
#[derive(Default)]
struct Waiting {
    by_guesses: BTreeMap<u32, VecDeque<Way>>,
    ways: usize,
    answers: usize,
}

impl Waiting {
    /// Room for one more with so many answers.
    fn has_room(&self, answers: usize) -> bool {
        self.ways < WAYS && self.answers + answers <= ANSWERS
    }

    fn push(&mut self, way: Way) {
        if self.has_room(way.answers.len()) {
            self.ways += 1;
            self.answers += way.answers.len();
            self.by_guesses.entry(way.guesses).or_default().push_back(way);
        }
    }

    fn pop(&mut self) -> Option<Way> {
        loop {
            let mut few = self.by_guesses.first_entry()?;
            if let Some(way) = few.get_mut().pop_front() {
                self.answers -= way.answers.len();
                return Some(way);
            }
            few.remove();
        }
    }
}

/// A run.
struct Walk<'a> {
    way: &'a Way,
    /// Numbers that some mark was compared with.
    known: &'a [u64],
    given: Vec<u64>,
    /// Inputs that are yes or no.
    bits: BTreeSet<usize>,
    visited: &'a mut HashSet<u64>,
    /// How many answers had been given when states were new.
    news: Vec<usize>,
}

impl Walk<'_> {
    /// The answer behind those that were given.
    fn further(&self, at: usize) -> u64 {
        let seed = self.way.seed;
        let r = mix(seed ^ mix(at as u64 + 1));
        match (seed, r % 8) {
            (0, _) | (_, 0 | 1) => mark(at),
            (_, 2 | 3) => 0,
            (_, 4 | 5) if !self.known.is_empty() => self.known[(r >> 8) as usize % self.known.len()],
            _ => (r >> 8) % SMALL,
        }
    }
}

impl Script for Walk<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        if !q.is_input() {
            return Ok(q.natural());
        }
        let at = self.given.len();
        if at >= self.way.from + AHEAD {
            return Err(ScriptStop::GaveUp);
        }
        let what = if let Question::Nondet { what } = q { what } else { "" };
        if what.ends_with("bool") || q.alternatives() == Some(2) {
            self.bits.insert(at);
        }
        let answer = self.way.answers.get(at).copied().unwrap_or_else(|| self.further(at));
        self.given.push(answer);
        Ok(answer)
    }

    fn watches(&self) -> bool {
        // At random it goes on from a state that is known.
        self.given.len() >= self.way.from + usize::from(self.way.seed != 0)
    }

    fn visit(&mut self, state: u64) -> Result<(), ScriptStop> {
        if !self.visited.insert(state) {
            return Err(ScriptStop::GaveUp);
        }
        self.news.push(self.given.len());
        Ok(())
    }
}

/// What an input that was `mark` has to be for the comparison to go the other way.
fn wanted(c: &Comparison, mark: u64) -> Vec<u64> {
    let bits = c.width.clamp(1, 64);
    let mask = u64::MAX >> (64 - bits);
    let mut out = Vec::new();
    for (side, other) in [(c.left, c.right), (c.right, c.left)] {
        let copy = |n: u32| side == ((mark << (64 - n)) as i64 >> (64 - n)) as u64 & mask;
        let zeros = |n: u32| side == mark & (u64::MAX >> (64 - n));
        let more = mark.wrapping_sub(side) & mask;
        let near = bits > 16 && (more <= NEAR || mask - more < NEAR);
        let more = match () {
            () if side == mark & mask || [8, 16].into_iter().any(|n| n < bits && (copy(n) || zeros(n))) => 0,
            () if near => more,
            () => continue,
        };
        let values: &[u64] = if c.equal { &[0] } else { &[0, 1, mask] };
        for v in values {
            let v = other.wrapping_add(more).wrapping_add(*v) & mask;
            // A negative number stays one, however wide the input is.
            out.push(((v << (64 - bits)) as i64 >> (64 - bits)) as u64);
        }
    }
    out
}

impl Explorer<'_> {
    /// Searches until `steps` are used up, nothing new turns up or no state is left to go on from.
    pub fn search_states(&mut self, steps: u64, stop: &StopFlag) {
        let mut visited: HashSet<u64> = HashSet::new();
        let mut tried: HashSet<u64> = HashSet::new();
        let mut known: Vec<u64> = Vec::new();
        let mut waiting = Waiting::default();
        waiting.push(Way { answers: Vec::new(), from: 0, seed: 0, guesses: 0 });
        let end = self.spent().saturating_add(steps);
        let mut news_at = self.spent();
        while let Some(way) = waiting.pop() {
            if stop.is_set() || self.spent() >= end.min(news_at + PATIENCE) {
                return;
            }
            let start = self.plain_start();
            let max_steps = RUN_STEPS.min(end - self.spent());
            let config =
                Config { states: true, coverage: true, compare: COMPARISONS, max_steps, ..replay::config(&start) };
            let walk = Walk {
                way: &way,
                known: &known,
                given: Vec::new(),
                bits: BTreeSet::new(),
                visited: &mut visited,
                news: Vec::new(),
            };
            let mut walk = Recorder::new(walk);
            let outcome = replay::run(self.subject(), &start, &mut walk, &config);
            let (Walk { given, bits, news, .. }, recording) = walk.into_parts();
            let further = self.ran(&outcome);
            if further {
                news_at = self.spent();
            }
            if let End::Failed(f) = &outcome.end {
                self.failed(&start, &recording, f, outcome.steps);
            }
            for n in &news {
                for round in 0..ROUNDS {
                    let seed = mix(waiting.ways as u64 + 1);
                    let guesses = 1 + round / AT_A_TIME;
                    waiting.push(Way { answers: given[..*n].to_vec(), from: *n, seed, guesses });
                }
            }
            let guesses = if further || !news.is_empty() { 0 } else { way.guesses };
            let last = given.len().saturating_sub(LOOKED_AT);
            for (at, &v) in given.iter().enumerate().skip(last).filter(|(at, v)| **v == mark(*at)) {
                let compared = outcome.compared.iter().flat_map(|c| wanted(c, v));
                let mut next: Vec<(u64, u32)> = compared.map(|v| (v, 1)).collect();
                for (w, _) in &next {
                    if known.len() < KNOWN && !known.contains(w) {
                        known.push(*w);
                    }
                }
                if at >= way.from {
                    next.extend(ALWAYS.map(|v| (v, if bits.contains(&at) { 1 } else { 2 })));
                }
                for (w, guess) in next.into_iter().filter(|(w, _)| *w != v) {
                    let mut answers = given.clone();
                    answers[at] = w;
                    let hash = answers.iter().fold(0, |h, a| mix(h ^ a.wrapping_add(1)));
                    if waiting.has_room(answers.len()) && tried.insert(hash) {
                        waiting.push(Way { answers, from: at + 1, seed: 0, guesses: guesses + guess });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: u32, left: u64, right: u64, equal: bool, expect: &[u64]) {
        let c = Comparison { way: verify_interp::Way::Edge(0), width, left, right, equal };
        assert_eq!(wanted(&c, mark(3)), expect);
    }

    #[test]
    fn a_mark_becomes_what_it_was_compared_with() {
        let m = mark(3);
        check(32, m, 5, true, &[5]);
        check(32, 5, m, true, &[5]);
        check(32, m, 0xffff_fffe, true, &[u64::MAX - 1]);
        check(32, m, 9, false, &[9, 10, 8]);
        check(32, m - 3, 5, true, &[8]);
        check(32, m & 0xff, 0x41, true, &[0x41]);
        check(32, 77, 5, true, &[]);
    }
}
