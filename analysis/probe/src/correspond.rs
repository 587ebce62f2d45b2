//! Inputs made from comparisons that went the other way: where a side of a comparison is a copy of a piece of input, the
//! piece becomes what the other side was (input-to-state correspondence: Aschermann et al., REDQUEEN, NDSS 2019,
//! section III). Magic numbers, states of state machines, lengths and checks of ranges are met this way, which chance
//! does not meet. It is a guess: the next run shows whether it goes that way.

use crate::genome::{Genome, key};
use crate::rng::Rng;
use std::collections::BTreeSet;
use verify_interp::{Comparison, MayFail, Question, Way};

/// Places that are tried for one side of one comparison.
const PLACES: usize = 6;
/// An input that differs from the side by this much at most may be what it was computed from.
const NEAR: u64 = 64;

/// A place in a genome, with how many bytes there and in which order (for contents).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An answer, which was this much more than the side of the comparison.
    Answer(u64, u64),
    /// Bytes of an object.
    Content(u32, usize, usize, bool),
    /// Bytes of external input.
    Stream(usize, usize, bool),
    /// Bytes of an argument of `main`.
    Argument(usize, usize),
}

impl Place {
    /// What is equal there hardly is by chance.
    fn tells(&self) -> bool {
        match self {
            Place::Answer(..) | Place::Argument(..) => true,
            Place::Content(_, _, n, _) | Place::Stream(_, n, _) => *n > 1,
        }
    }
}

/// A change of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    place: Place,
    value: u64,
    width: u32,
}

impl Edit {
    /// The operation fails.
    pub fn failure(f: &MayFail) -> Edit {
        let q = match f.way {
            Way::Failure(_, true) => {
                Question::Syscall { what: "", min: 0, max: 0, natural: 0, taken: &BTreeSet::new() }
            }
            _ => Question::Fail { what: "" },
        };
        Edit { place: Place::Answer(key(&q, f.nth), 0), value: f.answer, width: 64 }
    }

    /// Another byte of external input.
    #[cfg(test)]
    pub fn of_byte(at: usize, byte: u8) -> Edit {
        Edit { place: Place::Stream(at, 1, false), value: byte.into(), width: 8 }
    }

    /// The changed input.
    pub fn apply(&self, genome: &Genome) -> Genome {
        with(genome, self.place, self.value, self.width)
    }
}

/// Changes of `genome` that may make the comparison come out the other way.
pub fn edits(genome: &Genome, c: &Comparison, rng: &mut Rng) -> Vec<Edit> {
    let mask = if c.width >= 64 { u64::MAX } else { (1 << c.width) - 1 };
    let mut out = Vec::new();
    for (side, other) in [(c.left, c.right), (c.right, c.left)] {
        let wanted: &[u64] = if c.equal && side != other {
            &[other]
        } else {
            &[other.wrapping_add(1) & mask, other.wrapping_sub(1) & mask]
        };
        let mut places = places(genome, side, c.width);
        // Which of many equal pieces it is, chance says.
        while places.len() > PLACES {
            places.swap_remove(rng.below(places.len() as u64) as usize);
        }
        // One byte may be equal by chance.
        if !places.iter().any(Place::tells) {
            places.extend(near(genome, side, c.width).into_iter().take(PLACES));
        }
        for p in &places {
            for &w in wanted.iter().filter(|w| **w != side) {
                let edit = Edit { place: *p, value: w, width: c.width };
                if !out.contains(&edit) {
                    out.push(edit);
                }
            }
        }
    }
    out
}

/// The low `from` bits, with the sign extended to `to` bits.
fn extended(v: u64, from: u32, to: u32) -> u64 {
    let s = ((v << (64 - from)) as i64 >> (64 - from)) as u64;
    if to >= 64 { s } else { s & ((1 << to) - 1) }
}

fn places(g: &Genome, side: u64, width: u32) -> Vec<Place> {
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let copy = |v: u64| v & mask == side || [8, 16, 32].iter().any(|n| *n < width && extended(v, *n, width) == side);
    let mut out: Vec<Place> = g.answers.iter().filter(|(_, v)| copy(**v)).map(|(k, _)| Place::Answer(*k, 0)).collect();
    for n in [8usize, 4, 2, 1] {
        // A wider piece says more; but a side that fits into fewer bytes may come from those.
        if 8 * n as u32 > width.max(8) || n < 8 && side >> (8 * n) != 0 {
            continue;
        }
        let bytes = side.to_le_bytes();
        let little = &bytes[..n];
        let big: Vec<u8> = little.iter().rev().copied().collect();
        let at = |text: &[u8], piece: &[u8]| -> Vec<usize> {
            (0..(text.len() + 1).saturating_sub(n)).filter(|i| text[*i..].starts_with(piece)).take(4 * PLACES).collect()
        };
        for (o, text) in &g.contents {
            out.extend(at(text, little).into_iter().map(|i| Place::Content(*o, i, n, false)));
            if n > 1 {
                out.extend(at(text, &big).into_iter().map(|i| Place::Content(*o, i, n, true)));
            }
        }
        out.extend(at(&g.stream, little).into_iter().map(|i| Place::Stream(i, n, false)));
        if n > 1 {
            out.extend(at(&g.stream, &big).into_iter().map(|i| Place::Stream(i, n, true)));
        } else {
            for (a, text) in g.args.iter().enumerate().skip(1) {
                out.extend(at(text, little).into_iter().map(|i| Place::Argument(a, i)));
            }
        }
        // Zeros are everywhere.
        if !out.is_empty() && side == 0 {
            break;
        }
    }
    out
}

/// Answers that the side may have been computed from.
fn near(g: &Genome, side: u64, width: u32) -> Vec<Place> {
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    let near = |v: u64| {
        let d = v.wrapping_sub(side) & mask;
        v != 0 && d != 0 && (d <= NEAR || (mask - d) < NEAR)
    };
    let found = g.answers.iter().filter(|(_, v)| near(**v));
    found.map(|(k, v)| Place::Answer(*k, v.wrapping_sub(side) & mask)).collect()
}

fn with(genome: &Genome, p: Place, value: u64, width: u32) -> Genome {
    let mut g = genome.clone();
    let put = |text: &mut Vec<u8>, at: usize, n: usize, big: bool| {
        for i in 0..n {
            let from = if big { n - 1 - i } else { i };
            if let Some(b) = text.get_mut(at + i) {
                *b = value.to_le_bytes()[from];
            }
        }
    };
    match p {
        Place::Answer(k, more) => {
            let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
            // Bits of the answer that the comparison did not look at stay.
            let old = g.answers.get(&k).copied().unwrap_or(0);
            let keep = if old & mask == old { 0 } else { old & !mask };
            g.answers.insert(k, keep | value.wrapping_add(more) & mask);
        }
        Place::Content(o, at, n, big) => {
            if let Some(text) = g.contents.get_mut(&o) {
                put(text, at, n, big);
            }
        }
        Place::Stream(at, n, big) => put(&mut g.stream, at, n, big),
        Place::Argument(a, at) => {
            if let Some(text) = g.args.get_mut(a) {
                put(text, at, 1, false);
            }
        }
    }
    g
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(width: u32, left: u64, right: u64, equal: bool) -> Comparison {
        Comparison { way: Way::Edge(0), width, left, right, equal }
    }

    fn check(g: &Genome, c: Comparison, expect: impl Fn(&Genome) -> bool) {
        let all: Vec<Genome> = edits(g, &c, &mut Rng::new(1)).iter().map(|e| e.apply(g)).collect();
        assert!(all.iter().any(expect), "{all:?}");
    }

    #[test]
    fn an_answer_becomes_the_other_side() {
        let g = Genome { answers: [(1, 7), (2, 9)].into(), ..Genome::default() };
        check(&g, wish(32, 7, 1234, true), |g| g.answers[&1] == 1234);
        check(&g, wish(32, 1234, 9, true), |g| g.answers[&2] == 1234);
        check(&g, wish(32, 9, 4, false), |g| g.answers[&2] == 3);
    }

    #[test]
    fn a_negative_character_is_found_though_it_was_extended() {
        let g = Genome { answers: [(1, 0xfe)].into(), ..Genome::default() };
        check(&g, wish(32, 0xffff_fffe, 0x41, true), |g| g.answers[&1] == 0x41);
    }

    #[test]
    fn magic_numbers_are_written_in_the_order_they_were_read() {
        let g = Genome { contents: [(0, vec![9, 1, 2, 3, 4, 9])].into(), ..Genome::default() };
        check(&g, wish(32, 0x0403_0201, 0x184d_2204, true), |g| g.contents[&0] == [9, 4, 0x22, 0x4d, 0x18, 9]);
        check(&g, wish(32, 0x0102_0304, 0x184d_2204, true), |g| g.contents[&0] == [9, 0x18, 0x4d, 0x22, 4, 9]);
    }

    #[test]
    fn what_was_computed_from_an_input_by_a_small_constant() {
        let g = Genome { answers: [(1, 100)].into(), ..Genome::default() };
        check(&g, wish(32, 99, 5000, true), |g| g.answers[&1] == 5001);
    }
}
