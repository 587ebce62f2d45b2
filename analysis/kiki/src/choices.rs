//! A model of a formula as the choices of an execution: the events that happen in it, in order. What new objects hold is
//! kept apart: where the two sides do not agree which objects there are, the rest still fits.

use crate::input;
use std::collections::BTreeMap;
use verify_encode::arguments::Text;
use verify_encode::{Event, EventKind, Unwritten};
use verify_interp::{Origin, Question, Script, ScriptStop};
use verify_solver::{Bv, Term};

/// A choice with the tag of the question it answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `Question::Fail`.
    Fail(u64),
    /// `Question::Nondet`.
    Nondet(u64),
    /// `Question::Bytes`, all of one arrival.
    Bytes(Vec<u8>),
    /// `Question::Syscall`.
    Syscall(u64),
    /// `Question::Uninit`, little-endian limbs not yet used.
    Uninit(Vec<u64>),
    /// `Question::Scalar`, little-endian limbs.
    Scalar(Vec<u64>),
    /// What the next reading of a stream gives: the answers to a `Question::Syscall` and its `Question::Bytes`.
    Input(Vec<u8>),
}

/// All choices of an execution of a program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Choices {
    /// Arguments of `main`, the program's name included.
    pub arguments: Vec<Vec<u8>>,
    /// Little-endian limbs of the parameters of an entry that is no `main`.
    pub parameters: BTreeMap<u32, Vec<u64>>,
    /// In the order of execution.
    pub list: Vec<Choice>,
    /// `Question::Contents` of one object after the other: offsets, and the eight bytes from there on.
    pub contents: Vec<Vec<(u64, u64)>>,
}

impl Choices {
    /// Some object holds something.
    pub fn has_contents(&self) -> bool {
        self.contents.iter().any(|c| !c.is_empty())
    }
}

/// What objects hold that nobody has written, in a model.
#[derive(Clone, Default, Debug)]
pub struct Contents {
    /// [`verify_encode::Terms::uninitialised`].
    pub symbols: BTreeMap<(u32, u32), Vec<(Unwritten, Term)>>,
    /// Elements of arrays.
    pub elements: BTreeMap<(Term, Bv), Bv>,
}

impl Contents {
    /// The bytes of an object by offset.
    fn bytes(&self, object: (u32, u32), value: &mut impl FnMut(Term) -> Bv) -> BTreeMap<u64, u8> {
        let mut out = BTreeMap::new();
        for (what, t) in self.symbols.get(&object).into_iter().flatten() {
            match what {
                Unwritten::Byte(at) => {
                    let b = value(*t).to_u64().unwrap_or(0) as u8;
                    if b != 0 {
                        out.insert(*at, b);
                    }
                }
                Unwritten::Array(size) => {
                    let mine = self.elements.iter().filter(|((a, _), _)| a == t);
                    for ((_, index), v) in mine {
                        let Some(at) = index.to_u64().and_then(|i| i.checked_mul(*size)) else { continue };
                        for k in 0..*size {
                            let limb = v.limbs().get((k / 8) as usize).copied().unwrap_or(0);
                            let b = (limb >> (8 * (k % 8))) as u8;
                            if let (Some(at), true) = (at.checked_add(k), b != 0) {
                                out.insert(at, b);
                            }
                        }
                    }
                }
            }
        }
        out
    }

    /// The same, eight bytes at a time.
    fn words(&self, object: (u32, u32), value: &mut impl FnMut(Term) -> Bv) -> Vec<(u64, u64)> {
        let mut out: Vec<(u64, u64)> = Vec::new();
        for (at, b) in self.bytes(object, value) {
            match out.last_mut() {
                Some((from, w)) if at - *from < 8 => *w |= u64::from(b) << (8 * (at - *from)),
                _ => out.push((at, u64::from(b))),
            }
        }
        out
    }
}

/// Most arguments that an execution is given.
const MAX_ARGUMENTS: u64 = 64;

/// Longest argument that an execution is given.
const MAX_ARGUMENT: u64 = 4096;

/// The arguments in a model. Bytes that it says nothing of are letters.
fn arguments(count: Term, texts: &[Text], contents: &Contents, value: &mut impl FnMut(Term) -> Bv) -> Vec<Vec<u8>> {
    let n = value(count).to_u64().unwrap_or(1).clamp(1, MAX_ARGUMENTS);
    let mut out = vec![b"program".to_vec()];
    out.resize(n as usize, b"a".to_vec());
    for (text, arg) in texts.iter().zip(&mut out) {
        let length = value(text.length).to_u64().unwrap_or(0).min(MAX_ARGUMENT);
        let known: Vec<(u64, u8)> = contents
            .elements
            .iter()
            .filter(|((a, _), _)| *a == text.bytes)
            .filter_map(|((_, i), v)| Some((i.to_u64()?, v.to_u64()? as u8)))
            .collect();
        if length == 0 && known.is_empty() {
            continue;
        }
        *arg = vec![b'a'; length as usize];
        for (at, byte) in known {
            if let Some(b) = usize::try_from(at).ok().and_then(|at| arg.get_mut(at)) {
                *b = byte;
            }
        }
        if let Some(end) = arg.iter().position(|b| *b == 0) {
            arg.truncate(end);
        }
    }
    out
}

/// Reads the choices off a model.
pub fn of_model(events: &[Event], contents: &Contents, mut value: impl FnMut(Term) -> Bv) -> Choices {
    let mut out = Choices { arguments: vec![b"program".to_vec()], ..Choices::default() };
    for e in events {
        if value(e.happens).is_zero() {
            continue;
        }
        if let EventKind::Contents { object, life } = &e.kind {
            out.contents.push(contents.words((*object, *life), &mut value));
            continue;
        }
        let mut word = |t: Term| value(t).to_u64().unwrap_or(0);
        match &e.kind {
            EventKind::Arguments { count, texts } => out.arguments = arguments(*count, texts, contents, &mut value),
            EventKind::Fail(t) => out.list.push(Choice::Fail(word(*t))),
            EventKind::Nondet(t) => out.list.push(Choice::Nondet(word(*t))),
            EventKind::Syscall(t) => out.list.push(Choice::Syscall(word(*t))),
            EventKind::Bytes(ts) => {
                let bytes = ts.iter().map(|t| word(*t) as u8).collect();
                out.list.push(Choice::Bytes(bytes));
            }
            EventKind::Uninit(t) => out.list.push(Choice::Uninit(value(*t).limbs().to_vec())),
            EventKind::Contents { .. } => {}
            EventKind::Parameter(k, t) => _ = out.parameters.insert(*k, value(*t).limbs().to_vec()),
            EventKind::Scanned { count, pieces } => {
                let reads = input::text(&value(*count), pieces, &mut value);
                out.list.extend(reads.into_iter().map(Choice::Input));
            }
            EventKind::External(t, _) => out.list.push(Choice::Scalar(value(*t).limbs().to_vec())),
        }
    }
    out
}

/// Answers questions with the choices of a model; where the model says nothing, with the dullest answer.
pub struct FromModel<'a> {
    choices: &'a [Choice],
    at: usize,
    limb: usize,
    contents: std::slice::Iter<'a, Vec<(u64, u64)>>,
    places: std::slice::Iter<'a, (u64, u64)>,
    place: (u64, u64),
    parameters: &'a BTreeMap<u32, Vec<u64>>,
}

impl<'a> FromModel<'a> {
    /// From the start.
    pub fn new(choices: &'a Choices) -> FromModel<'a> {
        let (contents, places) = (choices.contents.iter(), [].iter());
        FromModel {
            choices: &choices.list,
            at: 0,
            limb: 0,
            contents,
            places,
            place: (0, 0),
            parameters: &choices.parameters,
        }
    }

    /// The model says nothing about what comes next.
    pub fn is_over(&self) -> bool {
        self.at >= self.choices.len()
    }

    fn contents(&mut self, part: u8) -> u64 {
        match part {
            0 => {
                self.places = self.contents.next().map_or([].iter(), |c| c.iter());
                self.places.len() as u64
            }
            1 => {
                self.place = self.places.next().copied().unwrap_or((0, 0));
                self.place.0
            }
            _ => self.place.1,
        }
    }
}

impl Script for FromModel<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        match q {
            Question::Contents { part, .. } => return Ok(self.contents(*part)),
            Question::Scalar { origin: Origin::Param(k), part, .. } => {
                let limbs = self.parameters.get(k).and_then(|p| p.get(*part as usize));
                return Ok(limbs.copied().unwrap_or_else(|| q.natural()));
            }
            // Of a pointer the model tells whether it is null; else it is to an object of its own.
            Question::Pointer { origin: Origin::Param(k), .. } => {
                let null = self.parameters.get(k).is_some_and(|p| p.iter().all(|l| *l == 0));
                return Ok(if null { 0 } else { q.natural() });
            }
            _ => {}
        }
        let Some(next) = self.choices.get(self.at) else { return Ok(q.natural()) };
        Ok(match (q, next) {
            (Question::Fail { .. }, Choice::Fail(v))
            | (Question::Nondet { .. }, Choice::Nondet(v))
            | (Question::Syscall { .. }, Choice::Syscall(v)) => {
                self.at += 1;
                *v
            }
            (Question::Uninit { .. }, Choice::Uninit(limbs)) => {
                let v = limbs.get(self.limb).copied().unwrap_or(0);
                self.limb += 1;
                if self.limb >= limbs.len() {
                    self.limb = 0;
                    self.at += 1;
                }
                v
            }
            (Question::Bytes { at, count, total, .. }, Choice::Bytes(b)) => {
                let from = *at as usize;
                let mut v = 0;
                for i in (0..*count as usize).rev() {
                    v = v << 8 | u64::from(b.get(from + i).copied().unwrap_or(0));
                }
                if at + u64::from(*count) >= *total {
                    self.at += 1;
                }
                v
            }
            (Question::Syscall { what: "read", .. }, Choice::Input(text)) => {
                if text.is_empty() {
                    self.at += 1;
                }
                text.len() as u64
            }
            (Question::Bytes { at, count, total, .. }, Choice::Input(b)) => {
                if at + u64::from(*count) >= *total {
                    self.at += 1;
                }
                let byte = |i: u64| u64::from(b.get((at + i) as usize).copied().unwrap_or(0));
                (0..u64::from(*count)).rev().fold(0, |v, i| v << 8 | byte(i))
            }
            (Question::Scalar { bits, part, ty, .. }, Choice::Scalar(limbs)) => {
                let v = limbs.get(*part as usize).copied().unwrap_or(0);
                let whole = match ty {
                    verify_ir::Ty::Int(w) => *w,
                    _ => *bits,
                };
                if (part + 1) * 64 >= whole {
                    self.at += 1;
                }
                v
            }
            _ => q.natural(),
        })
    }
}
