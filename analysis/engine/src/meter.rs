//! Where the time goes, for statistics. The clock is given from outside, and only a caller that prints statistics gives
//! one: without it nothing is measured, and with it nothing is decided by it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What work is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Phase {
    /// Making formulas.
    Encode,
    /// Deciding them, bit-blasting included.
    Solve,
    /// Repeating models in the interpreter.
    Replay,
    /// Showing proofs again.
    Recheck,
}

/// A clock that does not run backwards.
pub type Clock = fn() -> Duration;

static CLOCK: OnceLock<Clock> = OnceLock::new();
static SPENT: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// Starts measuring, for the rest of the process.
pub fn install(clock: Clock) {
    // A second clock would be the same one.
    let _ = CLOCK.set(clock);
}

/// Runs until dropped.
#[must_use]
pub struct Running(Option<(Phase, Clock, Duration)>);

/// Measures until the value is dropped.
pub fn start(phase: Phase) -> Running {
    Running(CLOCK.get().map(|clock| (phase, *clock, clock())))
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some((phase, clock, since)) = self.0 {
            let nanoseconds = clock().saturating_sub(since).as_nanos() as u64;
            SPENT[phase as usize].fetch_add(nanoseconds, Ordering::Relaxed);
        }
    }
}

/// What was measured so far, summed over threads; zero without a clock.
pub fn spent(phase: Phase) -> Duration {
    Duration::from_nanos(SPENT[phase as usize].load(Ordering::Relaxed))
}
