//! An input as something that can be mutated: answers by what they are about (parameter, cell of an object, n-th
//! request of its kind) rather than by their place in the recording, so that a change early in a run does not shift
//! the meaning of all that follows; and the contents of byte objects as whole strings.

use crate::dictionary::Dictionary;
use crate::rng::{Rng, mix};
use std::collections::BTreeMap;
use verify_interp::{Origin, Question};

/// An input.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Genome {
    /// Answers by [`key`].
    pub answers: BTreeMap<u64, u64>,
    /// Contents of byte objects by object number.
    pub contents: BTreeMap<u32, Vec<u8>>,
    /// External input.
    pub stream: Vec<u8>,
    /// Arguments of `main`.
    pub args: Vec<Vec<u8>>,
}

/// What a question is about. `nth` counts earlier questions of its kind that have no better name.
pub fn key(q: &Question<'_>, nth: u64) -> u64 {
    let origin = |o: &Origin<'_>, part: u32| match o {
        Origin::Param(i) => mix(1 << 40 | u64::from(*i) << 8 | u64::from(part)),
        Origin::Cell { object, offset } => mix(mix(2 << 40 | u64::from(*object)) ^ offset << 4 ^ u64::from(part)),
        Origin::External(_) => mix(3 << 40 | nth),
    };
    let about = match q {
        Question::Scalar { origin: o, part, .. } => origin(o, *part),
        Question::Pointer { origin: o, .. } | Question::Function { origin: o, .. } => origin(o, 0),
        Question::Elements { object, .. } => mix(4 << 40 | u64::from(*object)),
        _ => mix(5 << 40 | nth),
    };
    mix(about ^ u64::from(q.tag()))
}

impl Genome {
    /// A changed copy.
    pub fn mutate(&self, rng: &mut Rng, dict: &Dictionary, other: Option<&Genome>) -> Genome {
        let mut g = self.clone();
        for _ in 0..1 + rng.below(3) {
            let bytes = !g.contents.is_empty() || !g.stream.is_empty();
            match rng.below(10) {
                0..=4 if bytes => {
                    let n = g.contents.len() + usize::from(!g.stream.is_empty());
                    let at = rng.below(n as u64) as usize;
                    let fixed = at < g.contents.len();
                    if let Some(s) = g.contents.values_mut().nth(at).or(Some(&mut g.stream)) {
                        mutate_bytes(rng, dict, s, fixed);
                    }
                }
                5 if other.is_some() => {
                    let o = other.expect("guarded");
                    for (k, v) in &o.answers {
                        if rng.chance(500) {
                            g.answers.insert(*k, *v);
                        }
                    }
                    for (k, v) in &o.contents {
                        if rng.chance(500) {
                            g.contents.insert(*k, v.clone());
                        }
                    }
                }
                6 => {
                    // Forgotten answers are chosen anew.
                    let keep = 700 + rng.below(300);
                    g.answers.retain(|_, _| rng.chance(keep));
                }
                _ => {
                    let n = rng.below(g.answers.len() as u64) as usize;
                    if let Some(v) = g.answers.values_mut().nth(n) {
                        *v = match rng.below(6) {
                            0 => *v ^ 1 << rng.below(64),
                            1 => v.wrapping_add(1 + rng.below(4)),
                            2 => v.wrapping_sub(1 + rng.below(4)),
                            3 => dict.number(rng),
                            4 => rng.below(16),
                            _ => 0,
                        };
                    }
                }
            }
        }
        g
    }
}

/// Changes a string in place; objects keep room for their size, so `fixed` ones keep their length.
fn mutate_bytes(rng: &mut Rng, dict: &Dictionary, s: &mut Vec<u8>, fixed: bool) {
    let len = s.len();
    if len == 0 {
        if !fixed {
            *s = dict.text(rng, 16);
        }
        return;
    }
    let at = rng.below(len as u64) as usize;
    match rng.below(8) {
        0 => s[at] ^= 1 << rng.below(8),
        1 => s[at] = rng.bits() as u8,
        2 => s[at] = rng.pick(&dict.chars).copied().unwrap_or(0),
        3 => {
            let token = rng.pick(&dict.strings).cloned().unwrap_or_default();
            for (d, b) in s[at..].iter_mut().zip(token) {
                *d = b;
            }
        }
        4 => {
            // Insert; what falls off the end is lost in a fixed object, whose last byte stays.
            let n = 1 + rng.below(4) as usize;
            let piece: Vec<u8> = (0..n).map(|_| rng.pick(&dict.chars).copied().unwrap_or(b'x')).collect();
            let last = s[len - 1];
            s.splice(at..at, piece);
            if fixed {
                s.truncate(len);
                s[len - 1] = last;
            }
        }
        5 => {
            let n = (1 + rng.below(4) as usize).min(len - at);
            s.drain(at..at + n);
            if fixed {
                s.resize(len, 0);
            }
        }
        6 => {
            let from = rng.below(len as u64) as usize;
            let n = (1 + rng.below(16) as usize).min(len - at.max(from));
            s.copy_within(from..from + n, at);
        }
        _ => {
            let n = dict.number(rng).to_le_bytes();
            let w = 1usize << rng.below(3);
            for (d, b) in s[at..].iter_mut().zip(&n[..w]) {
                *d = *b;
            }
        }
    }
}
