//! What the code compares its input with: integer constants, characters, string literals. Inputs made of these get
//! past comparisons that random ones never pass.

use crate::rng::Rng;
use verify_checks::calls::{is_model, literal_bytes};
use verify_ir::{Const, InstKind, Module, Operand, Step, SymbolRef, Terminator};

const MAX_STRINGS: usize = 256;
const MAX_INTS: usize = 512;

/// Constants of a part of a program.
#[derive(Clone, Default, Debug)]
pub struct Dictionary {
    /// Integers, sorted.
    pub ints: Vec<u64>,
    /// Printable characters among them, sorted.
    pub chars: Vec<u8>,
    /// Literals without their terminating NUL, sorted.
    pub strings: Vec<Vec<u8>>,
    /// Of the literals, those that look like command-line options.
    pub options: Vec<Vec<u8>>,
}

impl Dictionary {
    /// From the user functions in `set` (indexed by function).
    pub fn new(module: &Module, set: &[bool]) -> Dictionary {
        let mut d = Dictionary::default();
        let mut globals = vec![false; module.globals.len()];
        for (i, f) in module.functions.iter().enumerate() {
            let Some(body) = f.body.as_ref().filter(|_| set[i] && !is_model(module, f)) else { continue };
            for b in &body.blocks {
                let mut symbols = |o: &Operand| {
                    if let Operand::Const(Const::Symbol(s)) = o
                        && let (SymbolRef::Global(g), _) = module.resolve(*s)
                    {
                        globals[g.index()] = true;
                    }
                };
                for inst in &b.insts {
                    inst.kind.for_each_operand(&mut symbols);
                    match &inst.kind {
                        InstKind::Icmp { lhs, rhs, .. } | InstKind::Binary { lhs, rhs, .. } => {
                            d.int(lhs);
                            d.int(rhs);
                        }
                        InstKind::Alloca { elem_size, .. } => d.ints.push(*elem_size),
                        InstKind::Addr { steps, .. } => {
                            for s in steps {
                                if let Step::Index { count: Some(n), .. } = s {
                                    d.ints.push(*n);
                                }
                            }
                        }
                        InstKind::Call(c) => c.args.iter().for_each(|a| d.int(a)),
                        _ => {}
                    }
                }
                b.term.for_each_operand(&mut symbols);
                if let Terminator::Switch { cases, .. } = &b.term {
                    cases.iter().for_each(|(c, _)| d.constant(c));
                }
            }
        }
        for (g, used) in module.globals.iter().zip(globals) {
            let Some(init) = g.init.as_ref().filter(|_| used && g.constant && g.size <= 64) else { continue };
            let Some(mut bytes) = literal_bytes(init, g.size) else { continue };
            while bytes.last() == Some(&0) {
                bytes.pop();
            }
            if !bytes.is_empty() && bytes.len() <= 32 && !bytes.contains(&b'%') {
                d.strings.push(bytes);
            }
        }
        d.ints.sort_unstable();
        d.ints.dedup();
        d.ints.truncate(MAX_INTS);
        d.chars = d.ints.iter().filter(|&&n| (9..127).contains(&n)).map(|&n| n as u8).collect();
        d.strings.sort();
        d.strings.dedup();
        // Short words are tokens; long ones are messages.
        d.strings.sort_by_key(Vec::len);
        d.strings.truncate(MAX_STRINGS);
        d.options = d.strings.iter().filter(|s| s.len() > 1 && s[0] == b'-').cloned().collect();
        d
    }

    fn int(&mut self, o: &Operand) {
        if let Operand::Const(c) = o {
            self.constant(c);
        }
    }
    fn constant(&mut self, c: &Const) {
        if let Const::Int { width: 2.., value } = c {
            self.ints.push(*value as u64);
        }
    }

    /// A constant, sometimes one off.
    pub fn number(&self, rng: &mut Rng) -> u64 {
        let n = rng.pick(&self.ints).copied().unwrap_or(1);
        match rng.below(4) {
            0 => n.wrapping_add(1),
            1 => n.wrapping_sub(1),
            _ => n,
        }
    }

    /// A text of roughly `len` bytes (never more than `len + 64`), without a terminator.
    pub fn text(&self, rng: &mut Rng, len: usize) -> Vec<u8> {
        let mut out = Vec::new();
        match rng.below(12) {
            0 => {}
            1 => out.extend(rng.pick(&self.strings).into_iter().flatten()),
            2..=4 => {
                while out.len() < len && rng.chance(970) {
                    self.token(rng, &mut out);
                }
            }
            5..=8 => self.nested(rng, &mut out, len, 4),
            9 => {
                while out.len() < len && rng.chance(990) {
                    out.push(32 + rng.below(95) as u8);
                }
            }
            10 => {
                let c = self.character(rng);
                out.resize(len, c);
            }
            _ => {
                while out.len() < len {
                    out.push(1 + rng.below(255) as u8);
                }
            }
        }
        out.retain(|&b| b != 0);
        out
    }

    /// Numbers as text, one after the other: limits of types, constants of the code, small ones. For programs that read
    /// numbers from a stream, where random letters only ever say "no number".
    pub fn numerals(&self, rng: &mut Rng) -> Vec<u8> {
        let separator = if rng.chance(750) { b'\n' } else { b' ' };
        let mut out = Vec::new();
        for _ in 0..1 + rng.below(4) {
            let n: i128 = match rng.below(10) {
                0..=3 => {
                    let bits = *rng.pick(&[7u32, 8, 15, 16, 31, 31, 32, 63, 64]).expect("not empty");
                    let limit = 1i128 << bits;
                    match rng.below(4) {
                        0 => -limit,
                        1 => limit,
                        _ => limit - 1,
                    }
                }
                4 => -1 - i128::from(rng.below(20)),
                5 | 6 => i128::from(self.number(rng) as i64),
                7 => i128::from(rng.bits() as u32),
                8 => 0,
                _ => i128::from(rng.below(300)),
            };
            out.extend(n.to_string().bytes());
            out.push(separator);
        }
        out
    }

    /// Bytes for a buffer of exactly `len`: text, noise, runs, repetitions.
    pub fn bytes(&self, rng: &mut Rng, len: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(len);
        match rng.below(8) {
            0 => out.resize(len, 0),
            1 | 2 => out = self.text(rng, len),
            3 => {
                while out.len() < len {
                    out.push(rng.bits() as u8);
                }
            }
            4 => {
                // A small alphabet compresses well.
                while out.len() < len {
                    out.push(b'a' + rng.below(4) as u8);
                }
            }
            5 | 6 => {
                // Runs and copies of what came before.
                while out.len() < len {
                    let n = 1 + rng.below(40) as usize;
                    if out.len() > 4 && rng.chance(600) {
                        let from = rng.below(out.len() as u64) as usize;
                        for i in 0..n {
                            let b = out[from + i % (out.len() - from)];
                            out.push(b);
                        }
                    } else if rng.chance(300) {
                        let b = rng.bits() as u8;
                        out.extend(std::iter::repeat_n(b, n));
                    } else {
                        for _ in 0..n {
                            out.push(rng.bits() as u8);
                        }
                    }
                }
            }
            _ => {
                while out.len() < len {
                    match rng.below(4) {
                        0 => out.extend(self.number(rng).to_le_bytes()),
                        1 => out.extend((self.number(rng) as u32).to_be_bytes()),
                        2 => self.token(rng, &mut out),
                        _ => out.push(rng.bits() as u8),
                    }
                }
            }
        }
        out.resize(len, 0);
        out
    }

    fn character(&self, rng: &mut Rng) -> u8 {
        rng.pick(&self.chars).copied().unwrap_or(b'a')
    }

    fn token(&self, rng: &mut Rng, out: &mut Vec<u8>) {
        match rng.below(8) {
            0 | 1 if !self.strings.is_empty() => out.extend(rng.pick(&self.strings).into_iter().flatten()),
            2..=4 => out.push(self.character(rng)),
            5 => out.extend(number_text(rng).bytes()),
            6 => out.push(b' '),
            _ => out.push(b'a' + rng.below(26) as u8),
        }
    }

    /// Balanced brackets, quotes and separators, as far as the code knows them.
    fn nested(&self, rng: &mut Rng, out: &mut Vec<u8>, len: usize, depth: u32) {
        let knows = |c: u8| self.chars.binary_search(&c).is_ok();
        let pairs: Vec<(u8, u8)> =
            [(b'{', b'}'), (b'[', b']'), (b'(', b')'), (b'<', b'>')].into_iter().filter(|p| knows(p.0)).collect();
        let quotes: Vec<u8> = [b'"', b'\''].into_iter().filter(|&c| knows(c)).collect();
        let seps: Vec<u8> = [b',', b':', b';', b'=', b'\n'].into_iter().filter(|&c| knows(c)).collect();
        match rng.below(6) {
            0..=2 if depth > 0 && !pairs.is_empty() => {
                let (open, close) = *rng.pick(&pairs).expect("not empty");
                out.push(open);
                let n = rng.below(4);
                for i in 0..n {
                    if out.len() >= len {
                        break;
                    }
                    if i > 0 {
                        out.extend(rng.pick(&seps));
                    }
                    // Names before values where a colon is known.
                    if open == b'{' && knows(b':') && rng.chance(800) {
                        self.quoted(rng, out, &quotes);
                        out.push(b':');
                    }
                    self.nested(rng, out, len, depth - 1);
                }
                if rng.chance(950) {
                    out.push(close);
                }
            }
            3 => self.quoted(rng, out, &quotes),
            4 => out.extend(number_text(rng).bytes()),
            _ => self.token(rng, out),
        }
    }

    fn quoted(&self, rng: &mut Rng, out: &mut Vec<u8>, quotes: &[u8]) {
        let quote = rng.pick(quotes).copied();
        out.extend(quote);
        for _ in 0..rng.below(6) {
            match rng.below(6) {
                0 if self.chars.binary_search(&b'\\').is_ok() => {
                    out.push(b'\\');
                    out.push(self.character(rng));
                    if rng.chance(500) {
                        for _ in 0..4 {
                            out.extend(rng.pick(b"0123456789abcdefABCDEFdD"));
                        }
                    }
                }
                1 => out.push(self.character(rng)),
                _ => out.push(b'a' + rng.below(26) as u8),
            }
        }
        if rng.chance(970) {
            out.extend(quote);
        }
    }
}

fn number_text(rng: &mut Rng) -> String {
    match rng.below(6) {
        0 => "0".into(),
        1 => format!("-{}", rng.below(1000)),
        2 => format!("{}.{}e{}", rng.below(10), rng.below(100), rng.below(40)),
        3 => rng.bits().to_string(),
        _ => rng.below(300).to_string(),
    }
}
