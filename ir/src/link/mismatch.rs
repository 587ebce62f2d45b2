//! What units disagree about. Only for symbols that take part; the result does not depend on it.

use super::symbols::{Linker, Rank, Sym, is_appending};
use super::{Diagnostic, DiagnosticKind, Place};
use crate::constant::SymbolRef;
use crate::entity::TypeId;
use crate::function::{Function, Signature};
use crate::module::{Global, Module};
use crate::text::ty_name;
use crate::types::{CType, Encoding};

impl Linker<'_> {
    pub fn place(&self, s: Sym) -> Place {
        let m = self.modules[s.module];
        let (unit, span) = match s.symbol {
            SymbolRef::Func(f) => (m.func(f).unit, Some(m.func(f).span)),
            SymbolRef::Global(g) => (m.global(g).unit, Some(m.global(g).span)),
            SymbolRef::Alias(a) => (m.alias(a).unit, None),
        };
        let unit = m.units.get(unit.index()).map_or_else(String::new, |u| u.source.clone());
        let span = span.map(|s| m.span(s)).filter(|s| s.line != 0);
        let position = span.and_then(|s| m.files.get(s.file.index()).map(|f| (f.path.clone(), s.line)));
        Place { unit, position }
    }

    pub fn mismatches(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for (name, all) in &self.program {
            // Without a definition, the declarations are compared with the first.
            let Some(first) = self.definition(name).or_else(|| all.first().copied()) else { continue };
            let mut said = std::collections::BTreeSet::new();
            for &(s, rank) in all.iter().filter(|(s, _)| *s != first.0) {
                let mut say = |kind, detail: String| {
                    // Once per kind and detail: a hundred units see the same wrong header.
                    if said.insert((kind, detail.clone())) {
                        let (first, second) = (self.place(first.0), self.place(s));
                        out.push(Diagnostic { kind, symbol: name.to_string(), first, second, detail });
                    }
                };
                let appending = is_appending(self.modules[s.module], s.symbol);
                if rank == Rank::Strong && first.1 == Rank::Strong && !appending {
                    let (a, b) = (self.place(first.0), self.place(s));
                    let detail = String::new();
                    let kind = DiagnosticKind::MultipleDefinition;
                    out.push(Diagnostic { kind, symbol: name.to_string(), first: a, second: b, detail });
                } else if !appending {
                    self.compare(first, (s, rank), &mut say);
                }
            }
        }
        out
    }

    fn compare(&self, a: (Sym, Rank), b: (Sym, Rank), say: &mut dyn FnMut(DiagnosticKind, String)) {
        let (ma, mb) = (self.modules[a.0.module], self.modules[b.0.module]);
        match (ma.resolve(a.0.symbol).0, mb.resolve(b.0.symbol).0) {
            (SymbolRef::Func(f), SymbolRef::Func(g)) => functions(ma.func(f), mb.func(g), say),
            (SymbolRef::Global(f), SymbolRef::Global(g)) => {
                let commons = a.1 == Rank::Common && b.1 == Rank::Common;
                globals((ma, ma.global(f)), (mb, mb.global(g)), commons, say);
            }
            (SymbolRef::Func(_), SymbolRef::Global(_)) => {
                say(DiagnosticKind::KindMismatch, "a function and a variable".into());
            }
            (SymbolRef::Global(_), SymbolRef::Func(_)) => {
                say(DiagnosticKind::KindMismatch, "a variable and a function".into());
            }
            // An ifunc has its resolver's type in the IR, not its own.
            _ => {}
        }
    }
}

fn functions(a: &Function, b: &Function, say: &mut dyn FnMut(DiagnosticKind, String)) {
    let types = |s: &Signature| s.params.iter().map(|p| p.ty).collect::<Vec<_>>();
    let silent = |f: &Function| f.attrs.no_prototype && f.body.is_none();
    let (same_params, same_results) = if silent(a) || silent(b) {
        (true, a.sig.results == b.sig.results)
    } else {
        (types(&a.sig) == types(&b.sig) && a.sig.variadic == b.sig.variadic, a.sig.results == b.sig.results)
    };
    if !same_params || !same_results {
        let detail = format!("signature {}, elsewhere {}", signature(&a.sig), signature(&b.sig));
        say(DiagnosticKind::SignatureMismatch, detail);
    }
}

fn signature(s: &Signature) -> String {
    let mut params: Vec<String> = s.params.iter().map(|p| ty_name(p.ty)).collect();
    if s.variadic {
        params.push("...".into());
    }
    let results: Vec<String> = s.results.iter().map(|t| ty_name(*t)).collect();
    format!("({}) -> ({})", params.join(", "), results.join(", "))
}

fn globals(
    (ma, a): (&Module, &Global),
    (mb, b): (&Module, &Global),
    commons: bool,
    say: &mut dyn FnMut(DiagnosticKind, String),
) {
    if a.thread_local != b.thread_local {
        say(DiagnosticKind::ThreadLocalMismatch, String::new());
    }
    if a.size != b.size && a.size != 0 && b.size != 0 && !commons {
        say(DiagnosticKind::SizeMismatch, format!("{} and {} bytes", a.size, b.size));
    } else if let (Some(ta), Some(tb)) = (a.ctype, b.ctype)
        && !compatible(ma, ta, mb, tb)
    {
        say(DiagnosticKind::TypeMismatch, format!("{} and {}", kind_of(ma, ta), kind_of(mb, tb)));
    }
}

/// Through typedefs and qualifiers. The chain ends in well-formed modules.
fn strip(m: &Module, mut t: TypeId) -> &CType {
    loop {
        match m.ctype(t) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => t = *ty,
            other => return other,
        }
    }
}

/// C's compatible types (6.2.7), seen generously: what pointers point to is not compared, and `void` (which also means
/// "the debug information does not say") goes with everything.
fn compatible(ma: &Module, a: TypeId, mb: &Module, b: TypeId) -> bool {
    let (mut a, mut b) = (strip(ma, a), strip(mb, b));
    loop {
        return match (a, b) {
            (CType::Void, _) | (_, CType::Void) => true,
            (CType::Array { elem: x, count: n }, CType::Array { elem: y, count: k }) => {
                if n.zip(*k).is_some_and(|(n, k)| n != k) {
                    return false;
                }
                (a, b) = (strip(ma, *x), strip(mb, *y));
                continue;
            }
            (CType::Base { encoding: e, bits: n, .. }, CType::Base { encoding: f, bits: k, .. }) => {
                n == k && float(*e) == float(*f)
            }
            (CType::Pointer(_), CType::Pointer(_)) | (CType::Function { .. }, CType::Function { .. }) => true,
            (CType::Record(x), CType::Record(y)) => {
                x.name == y.name
                    && x.is_union == y.is_union
                    && (x.incomplete || y.incomplete || (x.size == y.size && x.fields.len() == y.fields.len()))
            }
            (CType::Enum { underlying: u, .. }, CType::Base { bits: k, .. }) => {
                matches!(strip(ma, *u), CType::Base { bits, .. } if bits == k)
            }
            (CType::Base { bits: k, .. }, CType::Enum { underlying: u, .. }) => {
                matches!(strip(mb, *u), CType::Base { bits, .. } if bits == k)
            }
            (CType::Enum { name: x, .. }, CType::Enum { name: y, .. }) => x == y,
            _ => false,
        };
    }
}

fn float(e: Encoding) -> bool {
    matches!(e, Encoding::Float | Encoding::ComplexFloat)
}

fn kind_of(m: &Module, t: TypeId) -> String {
    match strip(m, t) {
        CType::Void => "void".into(),
        CType::Base { name, .. } => name.clone(),
        CType::Pointer(_) => "a pointer".into(),
        CType::Record(r) if r.is_union => format!("union {}", r.name),
        CType::Record(r) => format!("struct {}", r.name),
        CType::Array { count: Some(n), .. } => format!("an array of {n}"),
        CType::Array { .. } => "an array".into(),
        CType::Enum { name, .. } => format!("enum {name}"),
        CType::Function { .. } => "a function".into(),
        CType::Typedef { .. } | CType::Qualified { .. } => String::new(),
    }
}
