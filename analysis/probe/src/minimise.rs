//! Makes the choices of a failing run dull wherever they do not matter: what is left is what the failure is about.
//! Bounded delta debugging over the recorded answers; each try is a run that must fail the same check.

use crate::condition::condition;
use verify_checks::CheckId;
use verify_engine::log::{Choice, Log};
use verify_engine::made_up::Tracker;
use verify_engine::replay;
use verify_engine::{Attribution, Spent, Start, Subject};
use verify_interp::{Config, End, Failure, Question, Recording, Script, ScriptStop};

/// Gives recorded answers as long as the questions fit, natural ones where asked to or after that.
struct Edited<'a> {
    recording: &'a Recording,
    natural: &'a [bool],
    next: usize,
    diverged: bool,
    /// Natural pointers given; the natural list has no end.
    pointers: u32,
    tracker: Tracker<'a>,
}

/// Natural pointers of a run, after which they are null.
const POINTERS: u32 = 24;

impl Edited<'_> {
    fn dull(&mut self, q: &Question<'_>) -> u64 {
        if let Question::Pointer { .. } = q {
            self.pointers += 1;
            if self.pointers > POINTERS {
                return 0;
            }
        }
        q.natural()
    }
}

impl Script for Edited<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        let i = self.next;
        self.next += 1;
        // Null is duller than an object that only the library makes.
        let owned = self.tracker.asked(q).is_some();
        if self.next > self.recording.0.len() + 4096 {
            return Err(ScriptStop::GaveUp);
        }
        match self.recording.0.get(i) {
            Some(a) if !self.diverged && a.tag == q.tag() => {
                let keep = !self.natural[i] || owned && a.value == 0;
                Ok(if keep { a.value } else { self.dull(q) })
            }
            _ => {
                self.diverged = true;
                Ok(if owned { 0 } else { self.dull(q) })
            }
        }
    }
}

/// A minimised failure.
pub struct Minimised {
    /// Its choices.
    pub recording: Recording,
    /// What they were about.
    pub choices: Vec<Choice>,
    /// Steps of the run.
    pub steps: u64,
    /// How it ends.
    pub failure: Failure,
}

/// Makes the recording duller while the run fails `check`, in at most `tries` runs of at most `max_steps` steps. A failure
/// that no condition of [`crate::condition`] explains stays one: a text that ends is not cut off before its end.
/// `None` when not even the recording itself fails it.
pub fn minimise(
    subject: &Subject,
    start: &Start,
    recording: &Recording,
    check: CheckId,
    tries: u32,
    max_steps: u64,
    spent: &mut Spent,
) -> Option<Minimised> {
    let config = Config { max_steps, ..replay::config(start) };
    let mut attempt = |recording: &Recording, natural: &[bool]| -> Option<Minimised> {
        let tracker = Tracker::new(subject.program.module(), subject.ownership());
        let edited = Edited { recording, natural, next: 0, diverged: false, pointers: 0, tracker };
        let mut log = Log::new(edited);
        let o = replay::run(subject, start, &mut log, &config);
        spent.run(o.steps);
        match &o.end {
            End::Failed(f) if subject.attribute(f) == Attribution::Check(check) => {
                let answers = log.choices.iter().map(|c| verify_interp::script::Answer { tag: c.tag, value: c.value });
                let recording = Recording(answers.collect());
                Some(Minimised { recording, choices: log.choices, steps: o.steps, failure: (**f).clone() })
            }
            _ => None,
        }
    };
    let mut best = attempt(recording, &vec![false; recording.0.len()])?;
    let trivial = condition(&best.failure, &best).is_some();
    let mut left = tries;
    // Everything after some point natural; then ever smaller pieces.
    let mut piece = best.recording.0.len().div_ceil(2).max(1);
    while left > 0 {
        let mut at = best.recording.0.len();
        while at > 0 && left > 0 {
            let from = at.saturating_sub(piece);
            let dull = |i: usize| best.choices[i].value == best.choices[i].natural;
            if (from..at).all(dull) {
                at = from;
                continue;
            }
            left -= 1;
            let natural: Vec<bool> = (0..best.recording.0.len()).map(|i| (from..at).contains(&i)).collect();
            if let Some(m) =
                attempt(&best.recording, &natural).filter(|m| trivial || condition(&m.failure, m).is_none())
            {
                best = m;
                at = from.min(best.recording.0.len());
            } else {
                at = from;
            }
        }
        if piece == 1 {
            break;
        }
        piece = piece.div_ceil(2).min(piece - 1);
    }
    Some(best)
}
