//! The script of a probing run. Questions that the genome answers get that answer; the others are chosen by the style
//! of the run, the dictionary, what was learned from earlier failures, and one plan: a length that buffers have and
//! that numbers stay within, because `f(buf, len)` with unrelated `buf` and `len` only ever finds the first access.

use crate::dictionary::Dictionary;
use crate::genome::{Genome, key};
use crate::rng::Rng;
use crate::sequences::is_const;
use std::collections::{BTreeMap, BTreeSet};
use verify_engine::made_up::Tracker;
use verify_engine::sequence::{Arg, SequenceCall, param_ctype, param_name};
use verify_engine::values::strip;
use verify_engine::{Start, Subject};
use verify_interp::script::Answer;
use verify_interp::{Origin, Question, Recording, Script, ScriptStop};
use verify_ir::{CType, Encoding, FuncId, Module, Ty, TypeId};

/// Names of parameters for bytes whose number is the next argument, or where that points to, with the path of that.
pub fn counted(subject: &Subject, start: &Start) -> BTreeMap<String, String> {
    let m = subject.program.module();
    let length = |f: FuncId, i: usize, name: &str| {
        let int =
            |t| matches!(strip(m, t), CType::Base { encoding: Encoding::Signed | Encoding::Unsigned, bits: 16.., .. });
        let p = m.func(f).sig.params.get(i).filter(|_| says_length(&param_name(m, f, i)))?;
        match (p.ty, param_ctype(m, f, i).map(|t| strip(m, t))) {
            (Ty::Int(16..), _) => Some(name.to_string()),
            (Ty::Ptr, Some(CType::Pointer(t))) if int(*t) => Some(format!("*{name}")),
            _ => None,
        }
    };
    match start {
        Start::Main(_) => BTreeMap::new(),
        Start::Function(f) => {
            let all = 0..m.func(*f).sig.params.len();
            let path = |i: usize| length(*f, i + 1, &param_name(m, *f, i + 1));
            all.filter_map(|i| Some((param_name(m, *f, i), path(i)?))).collect()
        }
        Start::Sequence(n) => {
            let s = &subject.sequences[*n as usize];
            let name = |a: &Arg| match a {
                Arg::Free(p) => Some(s.params.get(*p as usize)?.name.clone()),
                _ => None,
            };
            let of_call = |c: &SequenceCall| -> Vec<(String, String)> {
                let pairs = c.args.windows(2).enumerate();
                pairs.filter_map(|(i, w)| Some((name(&w[0])?, length(c.func, i + 1, &name(&w[1])?)?))).collect()
            };
            s.calls.iter().flat_map(of_call).collect()
        }
    }
}

/// The name of a parameter says that it is a number of bytes or the like.
fn says_length(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["len", "size", "count", "num", "bytes", "capacity"].iter().any(|w| name.contains(w)) || name == "n"
}

/// Bytes that what is written may have beyond what is read: for headers and the like.
const ROOM: u64 = 256;

/// In how many of a thousand cases a pointer in a sequence is null whose object calls of the library make.
const MADE_BY_CALLS: u64 = 800;

/// What failures taught: choices that would only fail the same check again.
#[derive(Clone, Default, Debug)]
pub struct Learned {
    /// Access paths of pointers whose null is a found failure.
    pub not_null: BTreeSet<String>,
    /// Access paths of function pointers whose null or unknown target is a found failure.
    pub known_function: BTreeSet<String>,
    /// Least number of elements by access path.
    pub elements: BTreeMap<String, u64>,
    /// Accesses past input buffers were found: keep numbers within the plan nearly always.
    pub clip: bool,
    /// Failing allocations were found to fail a check: let them fail less often.
    pub fails: u32,
}

/// The manner of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Nothing special happens.
    Plain,
    /// Small numbers and objects.
    Small,
    /// Limits of types.
    Limits,
    /// Null pointers and aliases.
    Shapes,
    /// The n-th operation that can fail does.
    Failing(u64),
    /// Anything.
    Wild,
}

impl Style {
    /// For the n-th run. `sequence`: the run makes several calls, whose arguments had better fit each other.
    pub fn choose(rng: &mut Rng, run: u64, learned: &Learned, sequence: bool) -> Style {
        if run == 0 {
            return Style::Plain;
        }
        match rng.below(20) {
            0..=7 => Style::Plain,
            8..=10 => Style::Small,
            11..=13 if !sequence || rng.chance(200) => Style::Limits,
            14..=16 => Style::Shapes,
            17 | 18 if learned.fails < 8 || rng.chance(200) => Style::Failing(rng.below(6) * rng.below(6)),
            19 if !sequence => Style::Wild,
            _ => Style::Plain,
        }
    }
}

/// A byte object made in this run.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    bytes: u64,
}

/// What all runs of a task have in common.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The program.
    pub subject: &'a Subject,
    /// The run makes several calls.
    pub sequence: bool,
    /// From [`counted`].
    pub counted: &'a BTreeMap<String, String>,
    /// Words and numbers of the code.
    pub dict: &'a Dictionary,
}

/// The script. Records what it answered, as a recording and as a genome.
pub struct Generator<'a> {
    module: &'a Module,
    tracker: Tracker<'a>,
    sequence: bool,
    counted: &'a BTreeMap<String, String>,
    /// Bytes of the objects whose numbers these parameters are.
    sizes: BTreeMap<&'a str, u64>,
    dict: &'a Dictionary,
    learned: &'a Learned,
    base: Option<&'a Genome>,
    rng: Rng,
    style: Style,
    /// Planned length.
    plan: u64,
    clip: bool,
    buffers: Vec<Buffer>,
    /// Input objects made.
    objects: u64,
    stream_at: usize,
    nth: [u64; 16],
    external: u64,
    /// What was answered.
    pub recording: Recording,
    /// The same as a genome.
    pub genome: Genome,
    /// Answers given; a run that asks without end is ended.
    max_answers: usize,
}

impl<'a> Generator<'a> {
    /// A script.
    pub fn new(
        setting: Setting<'a>,
        learned: &'a Learned,
        base: Option<&'a Genome>,
        mut rng: Rng,
        style: Style,
    ) -> Generator<'a> {
        let Setting { subject, sequence, counted, dict } = setting;
        let plan = match style {
            Style::Small => rng.below(9),
            _ => match rng.below(12) {
                0 => rng.below(4),
                1..=3 => 8 + rng.below(32),
                4..=7 => 64 + rng.below(200),
                8 | 9 => 1 << rng.below(13),
                10 => 1000 + rng.below(5000),
                _ => dict.number(&mut rng) % 20_000,
            },
        };
        let clip = rng.chance(match (sequence, learned.clip) {
            (true, _) => 992,
            (false, true) => 980,
            (false, false) => 700,
        }) && style != Style::Wild;
        let mut genome = Genome::default();
        if let Some(b) = base {
            genome.contents.clone_from(&b.contents);
            genome.stream.clone_from(&b.stream);
            genome.args.clone_from(&b.args);
        } else {
            let len = plan.max(16) as usize;
            genome.stream = match rng.below(8) {
                0..=2 => dict.text(&mut rng, len),
                3 | 4 => dict.numerals(&mut rng),
                _ => dict.bytes(&mut rng, len),
            };
        }
        let module = subject.program.module();
        Generator {
            module,
            tracker: Tracker::new(module, subject.ownership()),
            sequence,
            counted,
            sizes: BTreeMap::new(),
            dict,
            learned,
            base,
            rng,
            style,
            plan,
            clip,
            buffers: Vec::new(),
            objects: 0,
            stream_at: 0,
            nth: [0; 16],
            external: 0,
            recording: Recording::default(),
            genome,
            max_answers: 1 << 16,
        }
    }

    fn encoding(&self, t: Option<TypeId>) -> Option<(Encoding, u32)> {
        match strip(self.module, t?) {
            CType::Base { encoding, bits, .. } => Some((*encoding, *bits)),
            _ => None,
        }
    }

    /// A byte object whose content is made as a whole: a string, or binary data.
    fn is_text(&self, pointee: Option<TypeId>) -> bool {
        matches!(self.encoding(pointee), Some((Encoding::SignedChar | Encoding::UnsignedChar, 8)))
            && match pointee.map(|t| strip(self.module, t)) {
                Some(CType::Base { name, .. }) => name == "char",
                _ => false,
            }
    }

    fn limits(&mut self, bits: u32) -> u64 {
        let max = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        match self.rng.below(8) {
            0 => 0,
            1 => 1,
            2 => max,
            3 => max >> 1,
            4 => (max >> 1) + 1,
            5 => max - 1,
            6 => 1 << self.rng.below(u64::from(bits.clamp(1, 64))),
            _ => (1u64 << self.rng.below(u64::from(bits.clamp(1, 64)))).wrapping_sub(1),
        }
    }

    /// A number that fits the objects made so far.
    fn length(&mut self) -> u64 {
        let least = self.buffers.iter().map(|b| b.bytes).min().unwrap_or(self.plan);
        let last = self.buffers.last().map_or(self.plan, |b| b.bytes);
        let n = match self.rng.below(8) {
            0..=2 => last,
            3 => least,
            4 => last.saturating_sub(1),
            5 => last / 2,
            _ => self.rng.below(least.saturating_add(1)),
        };
        if self.clip { n.min(least) } else { n }
    }

    fn number(&mut self, bits: u32, ctype: Option<TypeId>, origin: &Origin<'_>, path: &str) -> u64 {
        if let Some(CType::Enum { enumerators, .. }) = ctype.map(|t| strip(self.module, t))
            && self.rng.chance(900)
            && let Some((_, v)) = self.rng.pick(enumerators)
        {
            return *v as u64;
        }
        if bits <= 8 {
            return match self.rng.below(6) {
                0 => 0,
                1 => 1,
                2 => self.rng.below(10),
                3 => u64::from(self.rng.pick(&self.dict.chars).copied().unwrap_or(b'a')),
                4 => self.dict.number(&mut self.rng),
                _ => self.rng.bits(),
            };
        }
        // What is no length is a mode mostly, and several calls get nowhere unless each of their modes is one.
        if let Origin::Param(_) = origin
            && self.sequence
            && matches!(self.style, Style::Plain | Style::Small)
            && !says_length(path)
            && self.rng.chance(700)
        {
            return match self.rng.below(8) {
                0..=2 => 0,
                3 | 4 => 1,
                _ => self.rng.below(10),
            };
        }
        let n = match self.style {
            Style::Limits if !self.clip || self.buffers.is_empty() => return self.limits(bits),
            Style::Wild if self.rng.chance(400) => return self.rng.bits(),
            Style::Small => self.rng.below(8),
            _ => match self.rng.below(20) {
                0..=8 => self.length(),
                9..=12 => self.rng.below(10),
                13 | 14 => self.dict.number(&mut self.rng),
                15 if !self.clip => self.rng.below(10).wrapping_neg(),
                16 if !self.clip => return self.limits(bits),
                17 => 1,
                18 => self.rng.below(300),
                _ => 0,
            },
        };
        let cell = matches!(origin, Origin::Cell { .. });
        let least = self.buffers.iter().map(|b| b.bytes).min().unwrap_or(self.plan);
        let bound = if self.buffers.is_empty() { self.plan.max(16) } else { least };
        // A constant of the code is worth keeping where it is a mode rather than a length.
        let keep = if cell { 60 } else { 10 };
        if self.clip && n > bound && !self.rng.chance(keep) { n % bound.saturating_add(1) } else { n }
    }

    fn float(&mut self, bits: u32) -> u64 {
        let d = match self.rng.below(8) {
            0 => 0.0,
            1 => 1.0,
            2 => -1.5,
            3 => self.rng.below(1000) as f64,
            4 => f64::NAN,
            5 => f64::INFINITY,
            6 => 1e300,
            _ => return self.rng.bits(),
        };
        if bits == 32 { u64::from((d as f32).to_bits()) } else { d.to_bits() }
    }

    fn elements(&mut self, object: u32, pointee: Option<TypeId>, size: u64, max: u64, path: &str) -> u64 {
        let learned = self.learned.elements.get(path).copied().filter(|_| self.rng.chance(900)).unwrap_or(0);
        let stripped = pointee.map(|t| strip(self.module, t));
        let record = matches!(stripped, Some(CType::Record(_)));
        let pointers = matches!(stripped, Some(CType::Pointer(_)));
        // What several calls write had better fit.
        let room = self.sequence
            && size == 1
            && self.counted.contains_key(path)
            && pointee.is_some_and(|t| !is_const(self.module, t))
            && self.rng.chance(500);
        let n = if room {
            (self.plan * 2 + ROOM).min(max)
        } else if self.is_text(pointee) && self.rng.chance(if self.base.is_some() { 900 } else { 700 }) {
            let len = self.plan.clamp(1, 4096) as usize;
            let mut text = match self.genome.contents.get(&object) {
                Some(t) => t.clone(),
                None => self.dict.text(&mut self.rng, len),
            };
            // A text that comes with its length needs no end, and reading beyond it shows best without one.
            let open = self.counted.contains_key(path) && self.rng.chance(400);
            if open {
                text.truncate(text.iter().position(|b| *b == 0).unwrap_or(text.len()));
            }
            if text.last() != Some(&0) && (!open || text.is_empty()) {
                text.push(0);
            }
            text.truncate(max as usize);
            let n = text.len() as u64;
            self.genome.contents.insert(object, text);
            n
        } else if size == 1 {
            let slack = if self.rng.chance(250) { self.rng.below(64) } else { 0 };
            let n = (self.plan + slack).max(1).min(max);
            let known = self.genome.contents.get(&object).is_some_and(|c| c.len() as u64 >= n);
            if !known {
                let bytes = self.dict.bytes(&mut self.rng, n as usize);
                self.genome.contents.insert(object, bytes);
            }
            n
        } else if record {
            if self.style == Style::Plain || self.rng.chance(850) { 1 } else { 1 + self.rng.below(4) }
        } else if pointers {
            // Each of them may get an object of its own.
            1 + self.rng.below(6)
        } else {
            match self.rng.below(6) {
                0..=2 => 1,
                3 => 1 + self.rng.below(8),
                _ => self.plan.clamp(1, 4096),
            }
        };
        let n = n.max(learned).clamp(1, max.max(1));
        if let Some(length) = self.counted.get(path) {
            self.sizes.insert(length, n * size);
        }
        if (!record || size == 1) && n > 1 {
            self.buffers.push(Buffer { bytes: n });
        }
        n
    }

    fn fresh(&mut self, q: &Question<'_>, nth: u64, owned: bool) -> u64 {
        match q {
            Question::Fail { .. } => match self.style {
                Style::Failing(k) => u64::from(nth == k || (nth > k && self.rng.chance(200))),
                Style::Wild => u64::from(self.rng.chance(100)),
                _ => 0,
            },
            Question::Nondet { .. } => match self.style {
                // Programs put several small random numbers together to a large one: its limits come of simple parts.
                Style::Limits => match self.rng.below(10) {
                    0..=2 => 0,
                    3 | 4 => 1,
                    5..=7 => (1 << 31) - 1,
                    _ => self.limits(64),
                },
                _ => match self.rng.below(4) {
                    0 => self.rng.below(4),
                    1 => self.rng.below(300),
                    2 => self.dict.number(&mut self.rng),
                    _ => self.rng.bits(),
                },
            },
            Question::Scalar { origin: Origin::External(_), bits, .. } => {
                // Unknown code mostly succeeds.
                match self.rng.below(5) {
                    0..=2 => 0,
                    3 => 1,
                    _ => self.limits(*bits),
                }
            }
            Question::Scalar { ty: Ty::Float(_), bits, .. } => self.float(*bits),
            Question::Scalar { origin, ctype, bits, path, .. } => self.number(*bits, *ctype, origin, path),
            Question::Pointer { aliases, path, nonnull, size, .. } => {
                let null = match self.style {
                    Style::Shapes => 150,
                    Style::Wild => 80,
                    Style::Plain => 10,
                    _ => 40,
                };
                // Deep structures must end somewhere.
                let deep = path.matches("->").count() as u64;
                let many = self.objects;
                let null = null + 150 * deep.saturating_sub(1) + if many > 32 { 10 * (many - 32) } else { 0 };
                let avoid = self.learned.not_null.contains(*path) && !self.rng.chance(10);
                // The calls before are there to make what the library makes; what is made up says little.
                let null = if owned && self.sequence && !avoid { null.max(MADE_BY_CALLS) } else { null };
                if !nonnull && !avoid && self.rng.chance(null) {
                    return 0;
                }
                let alias = match self.style {
                    _ if many > 64 => 900,
                    // Sequences say themselves which calls get the same buffer.
                    _ if self.sequence && *size == 1 => 0,
                    Style::Shapes => 250,
                    _ => 40,
                };
                if !aliases.is_empty() && self.rng.chance(alias) {
                    return 2 + self.rng.below(aliases.len() as u64);
                }
                self.objects += 1;
                1
            }
            Question::Function { candidates, path, .. } => {
                let known = self.learned.known_function.contains(*path) && !self.rng.chance(10);
                let odd = if self.style == Style::Plain { 20 } else { 100 };
                if !known && self.rng.chance(odd) {
                    return self.rng.below(2);
                }
                if candidates.is_empty() {
                    return if known { 1 } else { self.rng.below(2) };
                }
                2 + self.rng.below(candidates.len() as u64)
            }
            Question::Elements { object, pointee, size, max, path } => {
                self.elements(*object, *pointee, *size, *max, path)
            }
            Question::Syscall { what, max, natural, .. } => {
                if *what == "read" {
                    let left = self.genome.stream.len().saturating_sub(self.stream_at) as i64;
                    return left.min(*max) as u64;
                }
                let odd = if self.style == Style::Wild { 200 } else { 20 };
                if self.rng.chance(odd) { self.rng.bits() } else { *natural as u64 }
            }
            _ => q.natural(),
        }
    }
}

fn chunk(bytes: &[u8], at: usize, count: usize) -> u64 {
    let mut v = 0u64;
    for k in (0..count.min(8)).rev() {
        v = v << 8 | u64::from(bytes.get(at + k).copied().unwrap_or(0));
    }
    v
}

impl Script for Generator<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        if self.recording.0.len() >= self.max_answers {
            return Err(ScriptStop::GaveUp);
        }
        let tag = q.tag() as usize % self.nth.len();
        let nth = match q {
            Question::Scalar { origin: Origin::External(_), .. }
            | Question::Pointer { origin: Origin::External(_), .. }
            | Question::Function { origin: Origin::External(_), .. } => {
                self.external += 1;
                self.external
            }
            _ => {
                self.nth[tag] += 1;
                self.nth[tag] - 1
            }
        };
        let k = key(q, nth);
        let owned = self.tracker.asked(q).is_some();
        let content = match q {
            Question::Scalar { origin: Origin::Cell { object, offset }, bits, part, .. } if bits % 8 == 0 => {
                let at = (*offset + u64::from(*part) * 8) as usize;
                self.genome.contents.get(object).map(|c| chunk(c, at, (*bits / 8) as usize))
            }
            Question::Bytes { count, .. } => {
                let v = chunk(&self.genome.stream, self.stream_at, *count as usize);
                self.stream_at += *count as usize;
                Some(v)
            }
            _ => None,
        };
        let counts = match q {
            Question::Scalar { origin: Origin::Param(_) | Origin::Cell { offset: 0, .. }, path, .. } => {
                self.sizes.get(path).copied().filter(|_| self.rng.chance(500))
            }
            _ => None,
        };
        let answer = match content.or(counts) {
            Some(c) => c,
            None => {
                let inherited = self.base.and_then(|b| b.answers.get(&k)).copied();
                // Sizes are decided anew with their contents, so that a changed string stays one.
                let text = matches!(q, Question::Elements { pointee, .. } if self.is_text(*pointee));
                let stream = matches!(q, Question::Syscall { what: "read", .. });
                match inherited.filter(|_| !text && !stream) {
                    Some(v) => {
                        if let Question::Elements { size, .. } = q
                            && (*size == 1 || v > 1)
                        {
                            self.buffers.push(Buffer { bytes: q.reduce(v) });
                        }
                        v
                    }
                    None => self.fresh(q, nth, owned),
                }
            }
        };
        let value = q.reduce(answer);
        if content.is_none() {
            self.genome.answers.insert(k, value);
        }
        self.recording.0.push(Answer { tag: q.tag(), value });
        Ok(value)
    }
}
