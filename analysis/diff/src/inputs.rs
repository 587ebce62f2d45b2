//! One input for two programs. Both versions ask for what they need in their own order; the answers depend on what is
//! asked for, not on when: a parameter, a byte of an object that is known by the way it was reached, the n-th result of
//! an external function. What the first run was told, the second is told again, byte by byte.

use std::collections::{BTreeMap, BTreeSet};
use verify_interp::{Origin, Question, Script, ScriptStop};
use verify_ir::{Const, FuncId, InitData, InstKind, Module, Operand, SymbolRef, Ty};

use crate::product::Candidate;

/// Numbers of input objects from here on are variables.
const GLOBALS: u32 = 1 << 24;

/// Constants of the code that inputs are made of.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    ints: Vec<u64>,
    floats: Vec<f64>,
    texts: Vec<Vec<u8>>,
}

/// Longer texts are not tried as contents of objects.
const MAX_TEXT: usize = 32;

/// The text that a constant points to.
fn text(m: &Module, c: &Const) -> Option<Vec<u8>> {
    let Const::Symbol(s) = c else { return None };
    let (SymbolRef::Global(g), 0) = m.resolve(*s) else { return None };
    let info = m.global(g);
    let [piece] = info.init.as_ref().filter(|_| info.compiler_made && info.constant)?.pieces.as_slice() else {
        return None;
    };
    let InitData::Bytes(b) = &piece.data else { return None };
    let end = b.iter().position(|x| *x == 0).unwrap_or(b.len());
    (piece.offset == 0 && (1..=MAX_TEXT).contains(&end)).then(|| b[..end].to_vec())
}

impl Dictionary {
    /// Of some functions.
    pub fn new(m: &Module, funcs: &BTreeSet<FuncId>) -> Dictionary {
        let (mut ints, mut floats, mut texts) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut see = |o: &Operand| match o {
            Operand::Const(Const::Int { value, .. }) => {
                ints.insert(*value as u64);
            }
            Operand::Const(Const::Float { kind, bits }) => match kind.bits() {
                32 => {
                    floats.insert(f64::from(f32::from_bits(*bits as u32)).to_bits());
                }
                64 => {
                    floats.insert(*bits as u64);
                }
                _ => {}
            },
            Operand::Const(c) => texts.extend(text(m, c)),
            Operand::Value(_) => {}
        };
        for f in funcs {
            let Some(body) = &m.func(*f).body else { continue };
            for b in &body.blocks {
                for i in &b.insts {
                    if !matches!(i.kind, InstKind::DebugValue { .. } | InstKind::Check { .. }) {
                        i.kind.for_each_operand(&mut see);
                    }
                }
                b.term.for_each_operand(&mut see);
                if let verify_ir::Terminator::Switch { cases, .. } = &b.term {
                    for (c, _) in cases {
                        see(&Operand::Const(c.clone()));
                    }
                }
            }
        }
        Dictionary {
            ints: ints.into_iter().collect(),
            floats: floats.into_iter().map(f64::from_bits).collect(),
            texts: texts.into_iter().collect(),
        }
    }

    /// Both.
    pub fn merge(mut self, other: Dictionary) -> Dictionary {
        self.ints.extend(other.ints);
        self.ints.sort_unstable();
        self.ints.dedup();
        self.floats.extend(other.floats);
        self.texts.extend(other.texts);
        self.texts.sort_unstable();
        self.texts.dedup();
        self
    }
}

/// The input.
#[derive(Clone, Debug)]
pub struct Inputs<'d> {
    seed: u64,
    dict: &'d Dictionary,
    /// Bytes by object and offset.
    pub bytes: BTreeMap<(String, u64), u8>,
    pointers: BTreeMap<(String, u64), u64>,
    /// Parameters that point to what an earlier parameter points to.
    shared: BTreeMap<u32, u32>,
    /// Parameters declared `restrict` in one of the versions.
    restricted: &'d BTreeSet<u32>,
    elements: BTreeMap<String, (u64, u64)>,
    /// Object numbers of the present run.
    pub numbers: BTreeMap<u32, String>,
    counts: BTreeMap<String, u64>,
    waiting: Option<String>,
    /// What could fail in the present run, and whether it did.
    pub failures: Vec<(String, bool)>,
    /// What was asked for, for people.
    pub told: BTreeMap<String, String>,
    /// Gaps between objects and bits of uninitialised values; a run must not depend on them.
    pub shift: u64,
    asked: u64,
    small: bool,
    /// Many floating-point inputs are no common numbers.
    uncommon: bool,
    /// Pointers often point to the same object.
    sharing: bool,
    /// Pointers to functions are often null.
    hollow: bool,
    limit: u64,
    fixed: Candidate,
}

/// Where comparisons of floating-point numbers, their signs and their ranges go wrong.
const UNCOMMON: [f64; 10] = [
    f64::NAN,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    -f64::EPSILON,
];

/// The name of the object that a parameter points to.
fn whole(k: u32) -> String {
    format!("p{k}+0")
}

fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn hash(seed: u64, s: &str) -> u64 {
    s.bytes().fold(mix(seed ^ 0x51_7c_c1), |h, b| mix(h ^ u64::from(b)))
}

impl<'d> Inputs<'d> {
    /// The input with this number.
    pub fn new(seed: u64, dict: &'d Dictionary, restricted: &'d BTreeSet<u32>) -> Inputs<'d> {
        Inputs {
            seed,
            dict,
            bytes: BTreeMap::new(),
            pointers: BTreeMap::new(),
            shared: BTreeMap::new(),
            restricted,
            elements: BTreeMap::new(),
            numbers: BTreeMap::new(),
            counts: BTreeMap::new(),
            waiting: None,
            failures: Vec::new(),
            told: BTreeMap::new(),
            shift: 0,
            asked: 0,
            small: mix(seed).is_multiple_of(3),
            uncommon: mix(seed ^ 55) % 8 == 1,
            sharing: mix(seed ^ 99) % 8 == 2,
            hollow: mix(seed ^ 99) % 8 == 3,
            limit: 4 + mix(seed ^ 77) % 60,
            fixed: Candidate::default(),
        }
    }

    /// With what a model of the solver says.
    pub fn fixed(mut self, c: &Candidate) -> Inputs<'d> {
        for ((k, off), b) in &c.cells {
            self.bytes.insert((format!("p{k}+0"), *off), *b);
        }
        for ((g, off), b) in &c.globals {
            self.bytes.insert((format!("g:{g}"), *off), *b);
        }
        self.fixed = c.clone();
        self
    }

    /// The earlier parameter whose object a parameter points to, if it is to share one of those on offer.
    fn sharer(&mut self, k: u32, aliases: &[u32]) -> Option<u32> {
        if self.restricted.contains(&k) {
            return None;
        }
        if let Some(j) = self.shared.get(&k) {
            return Some(*j);
        }
        let given: Vec<u32> = (0..k)
            .filter(|j| !self.restricted.contains(j) && aliases.iter().any(|a| self.numbers.get(a) == Some(&whole(*j))))
            .collect();
        let r = hash(self.seed, &format!("p{k} shares"));
        let j = match self.fixed.same.get(&k) {
            Some(j) => given.contains(j).then_some(*j)?,
            None if self.sharing && !r.is_multiple_of(3) && !given.is_empty() => given[(r >> 8) as usize % given.len()],
            None => return None,
        };
        self.shared.insert(k, j);
        Some(j)
    }

    /// Before every run: what was counted starts again.
    pub fn restart(&mut self) {
        self.numbers.clear();
        self.counts.clear();
        self.waiting = None;
        self.failures.clear();
        self.asked = 0;
    }

    /// The name of an input object of the present run.
    pub fn object(&self, number: u32, path: &str) -> String {
        if number >= GLOBALS {
            let root: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            return format!("g:{root}");
        }
        self.numbers.get(&number).cloned().unwrap_or_else(|| format!("#{number}"))
    }

    /// A pointer was asked for at this byte: what it holds is not among [`Inputs::bytes`].
    pub fn is_pointer(&self, object: &str, offset: u64) -> bool {
        let from = (object.to_string(), offset.saturating_sub(7));
        self.pointers.range(from..=(object.to_string(), offset)).next().is_some()
    }

    fn place(&mut self, origin: &Origin<'_>, path: &str) -> (String, u64) {
        match origin {
            Origin::Param(k) => (format!("p{k}"), 0),
            Origin::Cell { object, offset } => (self.object(*object, path), *offset),
            Origin::External(name) => {
                let n = self.counts.entry(format!("x{name}")).or_insert(0);
                *n += 1;
                (format!("x:{name}:{n}"), 0)
            }
        }
    }

    fn nth(&mut self, what: &str) -> u64 {
        let n = self.counts.entry(what.to_string()).or_insert(0);
        *n += 1;
        hash(self.seed, &format!("{what}{n}"))
    }

    fn int(&self, bits: u32, r: u64) -> u64 {
        let s = mix(r);
        let v = match r % 16 {
            0..=4 => s % 10,
            5 => (s % 10).wrapping_neg(),
            6 | 7 => s % self.limit.max(1),
            8..=11 if !self.dict.ints.is_empty() => {
                let c = self.dict.ints[(s % self.dict.ints.len() as u64) as usize];
                c.wrapping_add((s >> 32) % 3).wrapping_sub(1)
            }
            12 if !self.small => s,
            13 if !self.small => {
                let top = 1u64 << (bits.clamp(2, 64) - 1);
                top.wrapping_add(s % 3).wrapping_sub(1)
            }
            14 if !self.small => 1u64 << (s % u64::from(bits.clamp(1, 64))),
            _ => s % 300,
        };
        if bits >= 64 { v } else { v & ((1 << bits) - 1) }
    }

    fn float(&self, r: u64) -> f64 {
        let s = mix(r);
        let unit = (s >> 11) as f64 / (1u64 << 53) as f64;
        if self.uncommon && (s >> 5) % 2 == 1 {
            return UNCOMMON[(s >> 8) as usize % UNCOMMON.len()];
        }
        match r % 16 {
            0..=3 if !self.dict.floats.is_empty() => {
                let c = self.dict.floats[(s % self.dict.floats.len() as u64) as usize];
                match (s >> 32) % 6 {
                    0 => c,
                    1 => c + 1.0,
                    2 => c - 1.0,
                    3 => c + unit,
                    4 => c - unit,
                    _ => c * unit,
                }
            }
            4 | 5 => (s % 20) as f64,
            6 => -((s % 20) as f64),
            7 => unit,
            8 => -unit,
            9 | 10 => unit * 10.0,
            11 => unit * 100.0 - 50.0,
            12 => unit * 1000.0,
            13 => (s % 3000) as f64,
            14 if !self.small => match (s >> 8) % 8 {
                0 => f64::INFINITY,
                1 => f64::NAN,
                2 => -0.0,
                3 => 1e300,
                4 => 1e-300,
                5 => -1e10,
                _ => 1e10,
            },
            _ => unit * 4.0 - 2.0,
        }
    }

    fn scalar(&self, ty: Ty, bits: u32, part: u32, key: &(String, u64)) -> u64 {
        let r = hash(self.seed, &format!("{}+{}/{part}", key.0, key.1));
        match ty {
            Ty::Float(k) if k.bits() == 64 => self.float(r).to_bits(),
            Ty::Float(k) if k.bits() == 32 => u64::from((self.float(r) as f32).to_bits()),
            Ty::Float(verify_ir::FloatKind::X87) => {
                // An exact double, widened.
                let d = self.float(r);
                let b = d.to_bits();
                let (sign, e, m) = (b >> 63, (b >> 52) & 0x7ff, b & ((1 << 52) - 1));
                if e == 0 {
                    return if part == 0 { 0 } else { sign << 15 };
                }
                let e = if e == 0x7ff { 0x7fff } else { e + 16383 - 1023 };
                if part == 0 { 1 << 63 | m << 11 } else { sign << 15 | e }
            }
            _ if bits == 8 => self.text_byte(key).unwrap_or_else(|| self.int(bits, r)),
            _ => self.int(bits, r),
        }
    }

    /// A byte of an object that holds a text of the code, the beginning of one, or one with something behind it.
    fn text_byte(&self, (object, offset): &(String, u64)) -> Option<u64> {
        let r = hash(self.seed, &format!("{object} text"));
        if self.dict.texts.is_empty() || !object.contains('+') || !r.is_multiple_of(4) {
            return None;
        }
        let t = &self.dict.texts[(r >> 8) as usize % self.dict.texts.len()];
        let (n, at) = (t.len() as u64, *offset);
        match (r >> 3) % 5 {
            0 if at + 1 == n => Some(0),
            1 if at == n => None,
            _ if at < n => Some(u64::from(t[at as usize])),
            _ => (at == n).then_some(0),
        }
    }
}

impl Script for Inputs<'_> {
    fn choose(&mut self, q: &Question<'_>) -> Result<u64, ScriptStop> {
        self.asked += 1;
        if self.asked > 100_000 {
            return Err(ScriptStop::GaveUp);
        }
        match q {
            Question::Scalar { origin, ty, bits, part, path, .. } => {
                let key = match origin {
                    Origin::External(name) if *part > 0 => {
                        let n = self.counts.get(&format!("x{name}")).copied().unwrap_or(0);
                        (format!("x:{name}:{n}"), 0)
                    }
                    _ => self.place(origin, path),
                };
                let bytes = u64::from(bits.div_ceil(8));
                let first = key.1 + 8 * u64::from(*part);
                let overlaps = self
                    .pointers
                    .range((key.0.clone(), first.saturating_sub(7))..(key.0.clone(), first + bytes))
                    .next()
                    .is_some();
                if overlaps {
                    return Err(ScriptStop::GaveUp);
                }
                let mut v = match origin {
                    Origin::Param(k) if self.fixed.params.contains_key(k) => {
                        (self.fixed.params[k] >> (64 * part)) as u64
                    }
                    _ => self.scalar(*ty, *bits, *part, &key),
                };
                for i in 0..bytes {
                    let at = (key.0.clone(), first + i);
                    let own = (v >> (8 * i)) as u8;
                    let b = *self.bytes.entry(at).or_insert(own);
                    v = v & !(0xff << (8 * i)) | u64::from(b) << (8 * i);
                }
                if *part == 0 {
                    let text = match ty {
                        Ty::Float(k) if k.bits() == 64 => format!("{:?}", f64::from_bits(v)),
                        Ty::Float(k) if k.bits() == 32 => format!("{:?}", f32::from_bits(v as u32)),
                        _ if *bits < 64 => {
                            let s = (v << (64 - bits)) as i64 >> (64 - bits);
                            s.to_string()
                        }
                        _ => (v as i64).to_string(),
                    };
                    let name = if path.is_empty() { format!("{}+{}", key.0, key.1) } else { path.to_string() };
                    self.told.insert(name, text);
                }
                Ok(v)
            }
            Question::Pointer { origin, nonnull, path, aliases, .. } => {
                if let Origin::Param(k) = origin
                    && let Some(j) = self.sharer(*k, aliases)
                {
                    let at = aliases.iter().position(|a| self.numbers.get(a) == Some(&whole(j)));
                    let Some(at) = at else { return Err(ScriptStop::GaveUp) };
                    self.told.insert(path.to_string(), format!("the object of parameter {}", j + 1));
                    return Ok(2 + at as u64);
                }
                let key = self.place(origin, path);
                let name = format!("{}+{}", key.0, key.1);
                // What was given out as a number is no pointer now.
                if (0..8).any(|i| self.bytes.contains_key(&(key.0.clone(), key.1 + i)))
                    && !matches!(origin, Origin::Cell { .. } if self.fixed.cells.is_empty())
                {
                    for i in 0..8 {
                        self.bytes.remove(&(key.0.clone(), key.1 + i));
                    }
                }
                let r = hash(self.seed, &format!("{name} pointer"));
                let depth = name.matches('+').count() as u64;
                let null = !nonnull && (r % 16 < 1 + depth || depth > 12);
                let mut answer = if null { 0 } else { 1 };
                if let Origin::Param(k) = origin
                    && (!self.fixed.params.is_empty() || !self.fixed.null.is_empty())
                {
                    answer = u64::from(!self.fixed.null.contains(k) || *nonnull);
                }
                let answer = *self.pointers.entry(key).or_insert(answer);
                if answer == 1 {
                    self.waiting = Some(name);
                } else {
                    self.told.insert(path.to_string(), "null".into());
                }
                Ok(answer)
            }
            Question::Elements { object, size, max, path, .. } => {
                let Some(name) = self.waiting.take() else { return Err(ScriptStop::GaveUp) };
                self.numbers.insert(*object, name.clone());
                if let Some((n, s)) = self.elements.get(&name) {
                    let bytes = n * s;
                    if bytes % (*size).max(1) != 0 {
                        return Err(ScriptStop::GaveUp);
                    }
                    return Ok((bytes / (*size).max(1)).max(1));
                }
                let r = hash(self.seed, &format!("{name} elements"));
                let n = match r % 6 {
                    0 => 1,
                    1 => 1 + mix(r) % 8,
                    2 | 3 => self.limit,
                    _ => 64,
                };
                let n = n.clamp(1, (*max).max(1));
                self.elements.insert(name, (n, *size));
                self.told.insert(path.to_string(), format!("an object of {} bytes", n * size));
                Ok(n)
            }
            // Unknown code, or none.
            Question::Function { origin, path, .. } => {
                let null = match origin {
                    Origin::Param(k) if !self.fixed.params.is_empty() || !self.fixed.null.is_empty() => {
                        self.fixed.null.contains(k)
                    }
                    _ => {
                        let (object, offset) = self.place(origin, path);
                        self.hollow && hash(self.seed, &format!("{object}+{offset} function")).is_multiple_of(2)
                    }
                };
                if null {
                    self.told.insert(path.to_string(), "null".into());
                }
                Ok(u64::from(!null))
            }
            Question::Fail { what } => {
                // The n-th of all that may fail, whatever it is called: `malloc` here may be `calloc` there.
                let fails = self.nth("fail").is_multiple_of(32);
                self.failures.push((format!("{what:?}"), fails));
                Ok(u64::from(fails))
            }
            Question::Nondet { what } => {
                let what = format!("n{what}");
                let r = self.nth(&what);
                Ok(self.int(64, r))
            }
            Question::Bytes { what, .. } => {
                let what = format!("b{what}");
                Ok(self.nth(&what))
            }
            Question::Gap { .. } => Ok(self.shift),
            Question::Uninit { .. } => Ok(if self.shift == 0 { 0 } else { u64::MAX }),
            q => Ok(q.natural()),
        }
    }
}
