//! Inputs of a run in C notation, from the choices that were made.

use crate::log::{Asked, Choice, Place};
use std::collections::BTreeMap;
use verify_ir::{CType, Encoding, FloatKind, Module, Ty, TypeId};

/// The inputs of a run.
pub struct Inputs<'a> {
    module: &'a Module,
    choices: &'a [Choice],
    /// Bytes of input objects that were read, by object and offset.
    bytes: BTreeMap<u32, BTreeMap<u64, u8>>,
    /// Elements and element size of input objects.
    objects: BTreeMap<u32, (u64, u64, Option<TypeId>)>,
    /// Access path of the pointer that an input object was made for.
    names: BTreeMap<u32, &'a str>,
}

impl<'a> Inputs<'a> {
    /// Reads the choices.
    pub fn new(module: &'a Module, choices: &'a [Choice]) -> Inputs<'a> {
        let mut i =
            Inputs { module, choices, bytes: BTreeMap::new(), objects: BTreeMap::new(), names: BTreeMap::new() };
        for c in choices {
            match &c.what {
                Asked::Scalar { place: Place::Cell { object, offset }, bits, part, .. } => {
                    let o = i.bytes.entry(*object).or_default();
                    for k in 0..u64::from(*bits / 8) {
                        o.insert(offset + u64::from(*part) * 8 + k, (c.value >> (8 * k)) as u8);
                    }
                }
                Asked::Elements { object, pointee, size } => {
                    i.objects.insert(*object, (c.value, *size, *pointee));
                    i.names.insert(*object, &c.path);
                }
                _ => {}
            }
        }
        i
    }

    /// The value of a parameter; `None` when it was never asked for.
    pub fn param(&self, index: u32) -> Option<String> {
        let (n, c) = self.choices.iter().enumerate().find(|(_, c)| {
            matches!(&c.what, Asked::Scalar { place: Place::Param(p), .. } | Asked::Pointer { place: Place::Param(p), .. }
                | Asked::Function { place: Place::Param(p), .. } if *p == index)
        })?;
        Some(self.value(n, c))
    }

    /// The input cells and outside values in the order they were asked for, at most `max`.
    pub fn listed(&self, max: usize) -> Vec<(String, String)> {
        let mut out: Vec<(String, String)> = Vec::new();
        let mut stream: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
        for (n, c) in self.choices.iter().enumerate() {
            match &c.what {
                Asked::Fail { what } if c.value == 1 => out.push((what.clone(), "fails".into())),
                // What the library makes of such a choice is told as the result of its call.
                Asked::Nondet { what } if !what.starts_with("__VERIFIER_nondet_") => {}
                Asked::Nondet { what } => out.push((what.clone(), c.value.to_string())),
                Asked::Bytes { what, count, .. } => {
                    stream.entry(what).or_default().extend(&c.value.to_le_bytes()[..(*count as usize).min(8)]);
                }
                // Bytes of strings are shown as one string with the pointer.
                Asked::Scalar { bits: 8, place: Place::Cell { object, .. }, .. }
                    if self.objects.get(object).is_some_and(|o| o.1 == 1) => {}
                Asked::Scalar { part: 0, .. } | Asked::Pointer { .. } | Asked::Function { .. } => {
                    let name = if c.path.is_empty() { "input".to_string() } else { c.path.clone() };
                    out.push((name, self.value(n, c)));
                }
                Asked::Syscall { what } if c.value != c.natural => {
                    out.push((what.clone(), (c.value as i64).to_string()));
                }
                _ => {}
            }
        }
        out.truncate(max);
        for (what, bytes) in stream {
            out.push((format!("bytes of {what}"), quote_bytes(&bytes)));
        }
        out
    }

    fn value(&self, n: usize, c: &Choice) -> String {
        match &c.what {
            Asked::Scalar { ty, ctype, bits, .. } => scalar(self.module, *ty, *ctype, *bits, c.value),
            Asked::Pointer { aliases, .. } => match c.value {
                0 => "NULL".into(),
                1 => match self.choices.get(n + 1).map(|c| &c.what) {
                    Some(Asked::Elements { object, .. }) => self.object(*object),
                    _ => "a new object".into(),
                },
                k => {
                    let name = aliases.get(k as usize - 2).and_then(|o| self.names.get(o)).copied().unwrap_or("");
                    if name.is_empty() { "an object passed before".into() } else { name.to_string() }
                }
            },
            Asked::Function { candidates, .. } => match c.value {
                0 => "NULL".into(),
                1 => "unknown code".into(),
                k => candidates
                    .get(k as usize - 2)
                    .map_or_else(|| "a function".into(), |f| self.module.func(*f).name.clone()),
            },
            _ => c.value.to_string(),
        }
    }

    fn object(&self, object: u32) -> String {
        let Some(&(n, size, ctype)) = self.objects.get(&object) else { return "a new object".into() };
        let bytes = self.bytes.get(&object);
        if size == 1
            && let Some(b) = bytes
        {
            let end = b.keys().next_back().map_or(0, |k| k + 1).min(4096);
            let mut text: Vec<u8> = (0..end).map(|k| b.get(&k).copied().unwrap_or(0)).collect();
            if text.last() == Some(&0) && n == end {
                text.pop();
                return quote_bytes(&text);
            }
            return format!("{} in {n} bytes", quote_bytes(&text));
        }
        let name = ctype.map(|t| type_name(self.module, t)).filter(|t| t != "void" && !t.ends_with(' '));
        match name {
            Some(t) if n == 1 => format!("&({t})"),
            Some(t) => format!("&({t}[{n}])"),
            None => format!("&(object of {} bytes)", n * size),
        }
    }
}

/// Bytes as a C string literal.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut s = String::from("\"");
    for (i, &b) in bytes.iter().enumerate().take(200) {
        match b {
            b'"' => s.push_str("\\\""),
            b'\\' => s.push_str("\\\\"),
            b'\n' => s.push_str("\\n"),
            b'\t' => s.push_str("\\t"),
            b'\r' => s.push_str("\\r"),
            0x20..=0x7e => s.push(b as char),
            // Three octal digits cannot run into what follows.
            0 if !bytes.get(i + 1).is_some_and(u8::is_ascii_digit) => s.push_str("\\0"),
            _ => s.push_str(&format!("\\{b:03o}")),
        }
    }
    s.push_str(if bytes.len() > 200 { "...\"" } else { "\"" });
    s
}

/// A number as C would print it by its type.
pub fn scalar(module: &Module, ty: Ty, ctype: Option<TypeId>, bits: u32, value: u64) -> String {
    match ty {
        Ty::Float(FloatKind::Double) => return f64::from_bits(value).to_string(),
        Ty::Float(FloatKind::Single) => return f32::from_bits(value as u32).to_string(),
        _ => {}
    }
    let signed = || {
        let s = 64 - bits.clamp(1, 64);
        ((value << s) as i64 >> s).to_string()
    };
    match ctype.map(|t| strip(module, t)) {
        Some(CType::Base { encoding: Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool, .. }) => {
            value.to_string()
        }
        Some(CType::Enum { enumerators, .. }) => enumerators
            .iter()
            .find(|(_, v)| *v as u64 & (u64::MAX >> (64 - bits.clamp(1, 64))) == value)
            .map_or_else(signed, |(n, _)| n.clone()),
        _ => signed(),
    }
}

/// The type without typedefs and qualifiers.
pub fn strip(module: &Module, mut t: TypeId) -> &CType {
    for _ in 0..32 {
        match module.ctype(t) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => t = *ty,
            other => return other,
        }
    }
    &CType::Void
}

/// The type in C, roughly.
pub fn type_name(module: &Module, t: TypeId) -> String {
    fn go(m: &Module, t: TypeId, depth: u32) -> String {
        if depth == 0 {
            return "...".into();
        }
        match m.ctype(t) {
            CType::Void => "void".into(),
            CType::Base { name, .. } | CType::Typedef { name, .. } => name.clone(),
            CType::Pointer(p) => format!("{} *", go(m, *p, depth - 1)),
            CType::Record(r) => format!("{} {}", if r.is_union { "union" } else { "struct" }, r.name),
            CType::Array { elem, count } => {
                format!("{}[{}]", go(m, *elem, depth - 1), count.map(|c| c.to_string()).unwrap_or_default())
            }
            CType::Enum { name, .. } => format!("enum {name}"),
            CType::Qualified { ty, .. } => go(m, *ty, depth - 1),
            CType::Function { ret, .. } => format!("{} (...)", go(m, *ret, depth - 1)),
        }
    }
    go(module, t, 8)
}
