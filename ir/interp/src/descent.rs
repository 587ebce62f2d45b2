//! Does a recursion go on for ever? A call with the same arguments and the same memory as one that is still in progress does
//! what that one did, down to the next such call: none of them ever returns.
//!
//! The caller's registers, and whatever else waits for the call to return, do not matter, for it does not return. What lives
//! in memory has to be the same, to the last object: an activation in between that holds an object of its own (a variable
//! whose address is taken) makes it another state, for objects of stacked calls have addresses apart, and a program can see
//! that. The other kind of endless run, one that comes back to a state without calls that pile up, is [`crate::lasso`]'s.
//!
//! One call is kept, a later one ever so often (Brent 1980), and calls of functions that are already in progress are compared with it.

use crate::fault::{Halt, Res};
use crate::machine::Machine;

/// Words of states that a run may compare for this.
const MAX_WORDS: u64 = 100_000_000;
/// Calls that are looked through for one of the same function.
const WINDOW: usize = 64;

/// The call that was kept.
#[derive(Default)]
pub(crate) struct Descent {
    /// Serial number of the last call that was looked at.
    seen: u64,
    /// Depth and serial number of the one that is kept.
    kept: (usize, u64),
    /// Its function and arguments.
    quick: Vec<u64>,
    /// Memory as it entered. Empty: none is kept.
    full: Vec<u64>,
    steps: u64,
    /// Deeper calls since, and how many of them until another one is kept.
    since: u64,
    power: u64,
    /// The deepest recursive call so far.
    deepest: usize,
    words: u64,
}

impl Machine<'_, '_> {
    /// Was the innermost call entered just now?
    pub(crate) fn is_entered(&self) -> bool {
        self.top().serial > self.descent.seen
    }

    /// The innermost call was just entered, its parameters are set.
    #[cold]
    pub(crate) fn descends(&mut self) -> Res<()> {
        let mut d = std::mem::take(&mut self.descent);
        let r = self.descend(&mut d);
        self.descent = d;
        r
    }

    fn descend(&mut self, d: &mut Descent) -> Res<()> {
        let f = self.top();
        d.seen = f.serial;
        let (depth, serial, func) = (self.frames.len() - 1, f.serial, f.func);
        let above = &self.frames[depth.saturating_sub(WINDOW)..depth];
        if d.words > MAX_WORDS || f.varargs.is_some() || !above.iter().any(|g| g.func == func) {
            return Ok(());
        }
        let mut quick = vec![u64::from(func.0)];
        self.argument_words(&mut quick);
        d.words += quick.len() as u64;
        let kept = !d.full.is_empty() && self.frames.get(d.kept.0).is_some_and(|g| g.serial == d.kept.1);
        if kept && quick == d.quick {
            let now = self.scene_words();
            d.words += now.len() as u64;
            if now == d.full {
                return Err(Box::new(Halt::Repeats { from: d.steps, to: self.steps }));
            }
        }
        // An endless recursion gets deeper all the time; one that ends does so rarely.
        if depth <= d.deepest && kept {
            return Ok(());
        }
        d.deepest = d.deepest.max(depth);
        d.since += 1;
        if !kept || d.since >= d.power {
            if kept {
                d.power = (2 * d.power).max(1);
            }
            d.since = 0;
            d.full = self.scene_words();
            d.words += d.full.len() as u64;
            d.kept = (depth, serial);
            d.quick = quick;
            d.steps = self.steps;
        }
        Ok(())
    }
}
