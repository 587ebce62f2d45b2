//! Names for the parts of a program that mean the same in another version of it: a function is known by its linker name (and
//! its unit, if it is `static`), a type by its structure, a position by file, column, and line from where the function or
//! variable begins that it belongs to. [`Identities::write`] brings anything of the IR into bytes in which these stand in
//! the place of the numbers that a program gives its parts.
//!
//! What it is not: a comparison up to meaning. Two functions have the same bytes when they are the same down to their
//! positions, but for where the first of these is.

use crate::numbered::{self, Number, Numbers, Refused};
use serde::Serialize;
use std::collections::BTreeMap;
use verify_ir::{CType, FuncId, GlobalId, Linkage, Module, Span, SpanId, UnitId};

/// A name.
pub(crate) type Identity = [u8; 16];

/// Steps from a type to another one that it is made of, or points to, that count as its structure. Who looks at
/// what is farther away names a type that is nearer to it.
const TYPE_ROUNDS: usize = 32;

/// The names of a program's parts.
pub(crate) struct Identities<'a> {
    module: &'a Module,
    units: Vec<Identity>,
    files: Vec<Identity>,
    types: Vec<Identity>,
    pub(crate) functions: Vec<Identity>,
    pub(crate) globals: Vec<Identity>,
    /// Of each position, what it belongs to.
    owners: Vec<Owner>,
}

/// What positions are counted from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nothing,
    Function(FuncId),
    Global(GlobalId),
}

pub(crate) fn hash(bytes: &[u8]) -> Identity {
    let mut out = [0; 16];
    out.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    out
}

impl<'a> Identities<'a> {
    /// Names everything.
    pub(crate) fn new(module: &'a Module) -> Identities<'a> {
        let mut all = Identities {
            module,
            units: Vec::new(),
            files: Vec::new(),
            types: vec![[0; 16]; module.ctypes.len()],
            functions: Vec::new(),
            globals: Vec::new(),
            owners: Vec::new(),
        };
        all.units = module.units.iter().map(|u| hash(&all.bytes(u))).collect();
        all.files = module.files.iter().map(|f| hash(&all.bytes(&(&f.path, &f.directory, f.system)))).collect();
        let own: Vec<Identity> = module.ctypes.iter().map(|t| hash(&all.bytes(t))).collect();
        all.types.clone_from(&own);
        let parts: Vec<Vec<u32>> = module.ctypes.iter().map(parts).collect();
        for _ in 0..TYPE_ROUNDS {
            let mut bytes = Vec::new();
            let next = own.iter().zip(&parts).zip(&all.types).map(|((own, parts), now)| {
                if parts.is_empty() {
                    return *now;
                }
                bytes.clear();
                bytes.extend(own);
                // Damaged debug information may name types that are not there.
                parts.iter().for_each(|p| bytes.extend(all.types.get(*p as usize).unwrap_or(&[0; 16])));
                hash(&bytes)
            });
            let next = next.collect();
            all.types = next;
        }
        let functions = module.functions.iter().map(|f| all.named(b"function", &f.name, f.linkage, f.unit));
        let functions = distinct(functions.collect());
        let globals = module.globals.iter().map(|g| all.named(b"variable", &g.name, g.linkage, g.unit));
        let globals = distinct(globals.collect());
        (all.functions, all.globals) = (functions, globals);
        all.owners = owners(module);
        all
    }

    fn named(&self, what: &[u8], name: &str, linkage: Linkage, unit: UnitId) -> Identity {
        let own = if linkage == Linkage::Internal { self.units.get(unit.index()).copied() } else { None };
        let mut bytes = what.to_vec();
        bytes.extend(own.unwrap_or_default());
        bytes.extend(name.as_bytes());
        hash(&bytes)
    }

    /// The name of a type.
    pub(crate) fn of_type(&self, t: usize) -> Identity {
        self.types.get(t).copied().unwrap_or_default()
    }

    /// The bytes of something.
    pub(crate) fn bytes(&self, x: &impl Serialize) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out, x);
        out
    }

    /// Adds the bytes of something.
    pub(crate) fn write(&self, out: &mut Vec<u8>, x: &impl Serialize) {
        // It writes to memory, and has something to write for every number: nothing fails.
        let _ = numbered::write(x, &mut &*self, out);
    }

    /// Adds what a position is, wherever what it belongs to has moved to.
    pub(crate) fn span(&self, out: &mut Vec<u8>, s: u32) {
        self.chain(out, s, |out, id, span| {
            let (name, base) = match self.owners.get(id.index()) {
                Some(Owner::Function(f)) => (self.functions.get(f.index()), self.module.functions[f.index()].span),
                Some(Owner::Global(g)) => (self.globals.get(g.index()), self.module.globals[g.index()].span),
                Some(Owner::Nothing) | None => (None, SpanId(0)),
            };
            let base =
                self.module.spans.get(base.index()).filter(|b| b.file == span.file && b.line > 0 && span.line > 0);
            match name.zip(base) {
                Some((name, base)) => {
                    out.push(1);
                    out.extend(name);
                    out.extend(span.line.wrapping_sub(base.line).to_le_bytes());
                }
                None => {
                    out.push(0);
                    out.extend(span.line.to_le_bytes());
                }
            }
        });
    }

    /// Adds where a position is.
    pub(crate) fn position(&self, out: &mut Vec<u8>, s: u32) {
        self.chain(out, s, |out, _, span| out.extend(span.line.to_le_bytes()));
    }

    fn chain(&self, out: &mut Vec<u8>, s: u32, line: impl Fn(&mut Vec<u8>, SpanId, &Span)) {
        let mut at = Some(SpanId(s));
        // Damaged files may have cycles.
        for _ in 0..64 {
            let Some((id, span)) = at.and_then(|s| Some((s, self.module.spans.get(s.index())?))) else { break };
            out.extend(self.files.get(span.file.index()).unwrap_or(&[0; 16]));
            line(out, id, span);
            out.extend(span.column.to_le_bytes());
            at = span.inlined_at;
        }
        out.push(0);
    }
}

/// What each position belongs to: the first function that has it, or else the first variable.
fn owners(module: &Module) -> Vec<Owner> {
    let mut all = vec![Owner::Nothing; module.spans.len()];
    let mut own = |s: SpanId, owner| {
        let mut at = Some(s);
        while let Some(o) = at.and_then(|s| all.get_mut(s.index())).filter(|o| **o == Owner::Nothing) {
            *o = owner;
            at = at.and_then(|s| module.spans[s.index()].inlined_at);
        }
    };
    for (i, f) in module.functions.iter().enumerate() {
        let owner = Owner::Function(FuncId::new(i));
        own(f.span, owner);
        for b in f.body.iter() {
            b.vars.iter().for_each(|v| own(v.span, owner));
            for k in &b.blocks {
                k.insts.iter().for_each(|i| own(i.span, owner));
                own(k.term_span, owner);
            }
        }
    }
    for (i, g) in module.globals.iter().enumerate() {
        own(g.span, Owner::Global(GlobalId::new(i)));
    }
    // The unknown position is nobody's.
    if let Some(unknown) = all.first_mut() {
        *unknown = Owner::Nothing;
    }
    all
}

/// What a type is made of, in order.
fn parts(t: &CType) -> Vec<u32> {
    match t {
        CType::Void | CType::Base { .. } => Vec::new(),
        CType::Pointer(t) => vec![t.0],
        CType::Record(r) => r.fields.iter().map(|f| f.ty.0).collect(),
        CType::Array { elem, .. } => vec![elem.0],
        CType::Enum { underlying, .. } => vec![underlying.0],
        CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => vec![ty.0],
        CType::Function { ret, params, .. } => std::iter::once(ret).chain(params).map(|t| t.0).collect(),
    }
}

/// Those that are there more than once are told apart by their order.
fn distinct(mut all: Vec<Identity>) -> Vec<Identity> {
    let mut seen: BTreeMap<Identity, u32> = BTreeMap::new();
    for i in &mut all {
        let n = seen.entry(*i).or_default();
        *n += 1;
        if *n > 1 {
            let bytes: Vec<u8> = i.iter().copied().chain(n.to_le_bytes()).collect();
            *i = hash(&bytes);
        }
    }
    all
}

impl Numbers for &Identities<'_> {
    fn write(&mut self, what: Number, n: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        let i = n as usize;
        let known = match what {
            Number::Function => self.functions.get(i),
            Number::Global => self.globals.get(i),
            Number::Type => self.types.get(i),
            Number::Unit => self.units.get(i),
            Number::File => self.files.get(i),
            Number::Check => None,
            Number::Span => {
                self.span(out, n);
                return Ok(());
            }
            Number::Alias => {
                if let Some(a) = self.module.aliases.get(i) {
                    numbered::write(a, self, out)?;
                }
                return Ok(());
            }
        };
        out.extend(known.unwrap_or(&[0xff; 16]));
        Ok(())
    }
}
