//! Free choices. Whatever a run does not determine by itself is a [`Question`] to a [`Script`]; the sequence of
//! answers determines the run, can be recorded ([`Recorder`]), stored, and replayed ([`Replay`]).
//!
//! A question says what alternatives it has; an answer out of range is reduced to the range (modulo), so a script that
//! answers anything is a correct script.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use verify_ir::{FuncId, Ty, TypeId};

/// Where a scripted value ends up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// Parameter number `0` (IR position) of the function the run started at.
    Param(u32),
    /// Bytes of an input object, first read at this moment. `object` counts the input objects of the run from 0.
    Cell {
        /// Which input object.
        object: u32,
        /// Byte offset in it.
        offset: u64,
    },
    /// The result of unknown code.
    External(&'a str),
}

/// A question to the script. `path` is a C-like access path of the value (`p->next->len`), for traces.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question<'a> {
    /// Does the operation fail? 0: no, 1: yes.
    Fail {
        /// `malloc`, `fopen`, ...
        what: &'a str,
    },
    /// An arbitrary 64-bit value from outside (`__verify_nondet_u64`).
    Nondet {
        /// What for.
        what: &'a str,
    },
    /// External input bytes, up to 8 at a time, little endian.
    Bytes {
        /// What for (`read`, ...).
        what: &'a str,
        /// Number of bytes in all.
        total: u64,
        /// Position of these bytes.
        at: u64,
        /// How many are asked for now, 1 to 8.
        count: u32,
    },
    /// The bits of an uninitialised value (only with [`crate::Config::ask_uninit`], and for `freeze`).
    Uninit {
        /// How many, at most 64.
        bits: u32,
    },
    /// What a new object holds (only with [`crate::Config::ask_contents`]): first the number of places, then for each of
    /// them an offset and the eight bytes from there on, little endian; zeros elsewhere.
    Contents {
        /// Size of the object.
        size: u64,
        /// 0: the number of places; then in turn 1: an offset, 2: the bytes there.
        part: u8,
    },
    /// A non-pointer value of at most 64 bits, or the `part`-th 64 bits of a wider one.
    Scalar {
        /// Where it ends up.
        origin: Origin<'a>,
        /// Machine type of the whole value.
        ty: Ty,
        /// C type of the value where known.
        ctype: Option<TypeId>,
        /// Bits asked for now.
        bits: u32,
        /// Which 64 bits.
        part: u32,
        /// Access path.
        path: &'a str,
    },
    /// A pointer to an object. 0: null; 1: a fresh input object; 2 + k: the start of the k-th alias candidate.
    Pointer {
        /// Where it ends up.
        origin: Origin<'a>,
        /// C type pointed to, where known (never `void`).
        pointee: Option<TypeId>,
        /// Its size in bytes (1 when unknown).
        size: u64,
        /// Earlier input objects that it may alias (numbers as in [`Origin::Cell`]).
        aliases: &'a [u32],
        /// Null is excluded (`nonnull`, or `main`'s `argv`).
        nonnull: bool,
        /// Access path.
        path: &'a str,
    },
    /// A function pointer. 0: null; 1: unknown code; 2 + k: the k-th candidate.
    Function {
        /// Where it ends up.
        origin: Origin<'a>,
        /// C type of the pointer's target, where known.
        ctype: Option<TypeId>,
        /// Address-taken functions of a compatible signature.
        candidates: &'a [FuncId],
        /// Access path.
        path: &'a str,
    },
    /// How many elements a fresh input object has, 1 to `max`.
    Elements {
        /// Which input object it will be.
        object: u32,
        /// C type of an element, where known.
        pointee: Option<TypeId>,
        /// Bytes per element.
        size: u64,
        /// Largest number.
        max: u64,
        /// Access path of the pointer.
        path: &'a str,
    },
    /// The result of a system call, when there is no [`crate::Host`]: a value from `min` (negative: -errno) to `max`,
    /// as the two's complement of an `i64`.
    Syscall {
        /// `read`, `write`, ...
        what: &'a str,
        /// Smallest.
        min: i64,
        /// Largest.
        max: i64,
        /// What an undisturbed system would say.
        natural: i64,
        /// Answers that it cannot give: the descriptors that are open.
        taken: &'a BTreeSet<i64>,
    },
    /// Extra gap before a new object, in units of its alignment (only with [`crate::Config::ask_bases`]).
    Gap {
        /// Size of the object.
        size: u64,
        /// Its alignment.
        align: u64,
    },
}

/// Tag of [`Question::Contents`].
const CONTENTS: u8 = 10;
/// Tag of [`Question::Pointer`].
const POINTER: u8 = 5;

impl Question<'_> {
    /// A small number that identifies the kind of question.
    pub fn tag(&self) -> u8 {
        match self {
            Question::Fail { .. } => 0,
            Question::Nondet { .. } => 1,
            Question::Bytes { .. } => 2,
            Question::Uninit { .. } => 3,
            Question::Scalar { .. } => 4,
            Question::Pointer { .. } => POINTER,
            Question::Function { .. } => 6,
            Question::Elements { .. } => 7,
            Question::Syscall { .. } => 8,
            Question::Gap { .. } => 9,
            Question::Contents { .. } => CONTENTS,
        }
    }

    /// A number is asked for that the program is given from outside.
    pub fn is_input(&self) -> bool {
        matches!(self, Question::Nondet { .. } | Question::Scalar { .. } | Question::Uninit { .. })
    }

    /// The number of alternatives, answers being `0..n`; `None` when every `u64` is an answer.
    pub fn alternatives(&self) -> Option<u64> {
        let of_bits = |b: u32| if b >= 64 { None } else { Some(1u64 << b) };
        match self {
            Question::Fail { .. } => Some(2),
            Question::Nondet { .. } => None,
            Question::Bytes { count, .. } => of_bits(8 * count),
            Question::Uninit { bits } | Question::Scalar { bits, .. } => of_bits(*bits),
            Question::Pointer { aliases, .. } => Some(2 + aliases.len() as u64),
            Question::Function { candidates, .. } => Some(2 + candidates.len() as u64),
            Question::Elements { max, .. } => max.checked_add(1),
            Question::Syscall { .. } => None,
            Question::Gap { .. } => Some(1 << 16),
            Question::Contents { size, part } => match part {
                0 => size.checked_add(1),
                1 => Some((*size).max(1)),
                _ => None,
            },
        }
    }

    /// The dullest answer: nothing fails, numbers are 0, pointers point to fresh objects of one element.
    pub fn natural(&self) -> u64 {
        match self {
            Question::Pointer { .. } | Question::Elements { .. } => 1,
            Question::Syscall { natural, .. } => *natural as u64,
            _ => 0,
        }
    }

    /// The answer that the run takes `answer` for.
    pub fn reduce(&self, answer: u64) -> u64 {
        match self {
            Question::Syscall { min, max, natural, taken, .. } => {
                let mut v = answer as i64;
                if v < *min || v > *max {
                    let span = max.wrapping_sub(*min) as u64;
                    if span != u64::MAX {
                        v = min.wrapping_add((answer % (span + 1)) as i64);
                    }
                }
                (if taken.contains(&v) { *natural } else { v }) as u64
            }
            Question::Elements { max, .. } => {
                if answer == 0 || answer > *max {
                    1 + answer % (*max).max(1)
                } else {
                    answer
                }
            }
            Question::Pointer { nonnull: true, .. } => {
                let a = self.alternatives().map_or(answer, |n| answer % n);
                if a == 0 { 1 } else { a }
            }
            _ => self.alternatives().map_or(answer, |n| answer % n),
        }
    }
}

/// Why a script has no answer. The run ends as [`crate::Stop::Script`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ScriptStop {
    /// A recording has fewer answers than the run has questions.
    #[error("the recorded choices are used up")]
    Ended,
    /// The recording answered another kind of question here: another program, configuration or version.
    #[error("the recorded choices belong to another run")]
    Diverged,
    /// The script does not want to go on.
    #[error("the script gave up")]
    GaveUp,
}

/// Whoever makes the free choices of a run.
pub trait Script {
    /// Answers one question.
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop>;

    /// With [`crate::Config::states`]: is it to be told of states?
    fn watches(&self) -> bool {
        false
    }

    /// With [`crate::Config::states`]: the run is in the state with this hash, at a place where control went backwards. Two states with
    /// one hash are the same but by an accident that nobody needs to expect.
    ///
    /// # Errors
    /// It does not want to go on.
    fn visit(&mut self, state: u64) -> Result<(), ScriptStop> {
        let _ = state;
        Ok(())
    }
}

impl<F: FnMut(&Question<'_>) -> Result<u64, ScriptStop>> Script for F {
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop> {
        self(question)
    }
}

/// Gives every question its [`Question::natural`] answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Natural;

impl Script for Natural {
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop> {
        Ok(question.natural())
    }
}

/// A recorded answer: the tag of its question and the (reduced) value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer {
    /// [`Question::tag`].
    pub tag: u8,
    /// [`Question::reduce`]d answer.
    pub value: u64,
}

/// All answers of a run, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Recording(pub Vec<Answer>);

impl Recording {
    /// The run was asked for the contents of new objects: a replay must ask for them too.
    pub fn has_contents(&self) -> bool {
        self.0.iter().any(|a| a.tag == CONTENTS)
    }

    /// How many pointers of the input point to objects that others point to as well.
    pub fn aliases(&self) -> usize {
        self.0.iter().filter(|a| a.tag == POINTER && a.value >= 2).count()
    }
}

/// Passes questions on to another script and records its answers.
#[derive(Debug)]
pub struct Recorder<S> {
    inner: S,
    recording: Recording,
}

impl<S: Script> Recorder<S> {
    /// A recorder around `inner`.
    pub fn new(inner: S) -> Self {
        Recorder { inner, recording: Recording::default() }
    }
    /// What was answered so far.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
    /// What was answered.
    pub fn into_recording(self) -> Recording {
        self.recording
    }
    /// The script inside and what it answered.
    pub fn into_parts(self) -> (S, Recording) {
        (self.inner, self.recording)
    }
}

impl<S: Script> Script for Recorder<S> {
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop> {
        let value = question.reduce(self.inner.choose(question)?);
        self.recording.0.push(Answer { tag: question.tag(), value });
        Ok(value)
    }

    fn watches(&self) -> bool {
        self.inner.watches()
    }

    fn visit(&mut self, state: u64) -> Result<(), ScriptStop> {
        self.inner.visit(state)
    }
}

/// Replays a recording exactly.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    recording: &'a Recording,
    next: usize,
}

impl<'a> Replay<'a> {
    /// From the first answer.
    pub fn new(recording: &'a Recording) -> Self {
        Replay { recording, next: 0 }
    }
    /// How many answers were used.
    pub fn used(&self) -> usize {
        self.next
    }
}

impl Script for Replay<'_> {
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop> {
        let a = self.recording.0.get(self.next).ok_or(ScriptStop::Ended)?;
        self.next += 1;
        if a.tag != question.tag() {
            return Err(ScriptStop::Diverged);
        }
        Ok(a.value)
    }
}

/// A script of pseudo-random answers that depend on a seed only: types decide the distribution (small numbers, limits
/// of the type and uniform bits; pointers are mostly fresh objects; nothing fails often).
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
}

impl Seeded {
    /// With this seed.
    pub fn new(seed: u64) -> Self {
        Seeded { state: seed }
    }

    /// The next 64 pseudo-random bits (splitmix64).
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn number(&mut self, bits: u32) -> u64 {
        let mask = if bits >= 64 { u64::MAX } else { (1u64 << bits) - 1 };
        let r = self.next_u64();
        let v = match r % 8 {
            0..=2 => (r >> 8) % 10,
            3 => ((r >> 8) % 10).wrapping_neg(),
            4 => (r >> 8) % 300,
            5 => {
                let edge = 1u64 << ((r >> 8) % u64::from(bits.clamp(1, 64)));
                edge.wrapping_add((r >> 40) % 3).wrapping_sub(1)
            }
            6 => (mask >> 1).wrapping_add((r >> 40) % 3).wrapping_sub(1),
            _ => self.next_u64(),
        };
        v & mask
    }
}

impl Script for Seeded {
    fn choose(&mut self, question: &Question<'_>) -> Result<u64, ScriptStop> {
        let r = self.next_u64();
        Ok(match question {
            Question::Fail { .. } => u64::from(r.is_multiple_of(16)),
            Question::Scalar { bits, .. } => self.number(*bits),
            Question::Nondet { .. } => self.number(64),
            Question::Bytes { count, .. } => {
                let mut v = 0;
                for _ in 0..*count {
                    v = v << 8 | self.number(8);
                }
                v
            }
            Question::Pointer { aliases, .. } => match r % 16 {
                0 => 0,
                1..=3 if !aliases.is_empty() => 2 + (r >> 8) % aliases.len() as u64,
                _ => 1,
            },
            Question::Function { candidates, .. } => match r % 8 {
                0 => 0,
                1..=6 if !candidates.is_empty() => 2 + (r >> 8) % candidates.len() as u64,
                _ => 1,
            },
            Question::Elements { .. } => match r % 4 {
                0 | 1 => 1,
                2 => 1 + (r >> 8) % 8,
                _ => 1 + (r >> 8) % 64,
            },
            Question::Syscall { natural, .. } => {
                if r.is_multiple_of(8) {
                    r >> 3
                } else {
                    *natural as u64
                }
            }
            Question::Gap { .. } => r % 8,
            Question::Uninit { .. } => r,
            Question::Contents { part: 0, .. } => 0,
            Question::Contents { .. } => r,
        })
    }
}

/// The operation whose failure is asked for is an allocation.
pub fn is_allocation(what: &str) -> bool {
    what.contains("alloc")
        || what.contains("memalign")
        || what.contains("valloc")
        || what == "strdup"
        || what == "strndup"
}
