//! The witness of a violation: what functions without a body returned and how branches went, then the target.

use super::text::Code;
use super::{Location, Metadata, quoted};
use std::collections::BTreeMap;
use std::fmt::Write;
use verify_engine::result::Evidence;
use verify_engine::waypoints::Step;
use verify_ir::{CType, Encoding, FileId, FuncId, Module, SpanId, TypeId};

/// Waypoints kept: the first ones. Fewer make the witness weaker, not wrong.
const MAX_WAYPOINTS: usize = 5_000;

/// Texts of files, and what they are called in the witness.
pub(super) struct Files<'a> {
    module: &'a Module,
    names: &'a dyn Fn(FileId) -> String,
    codes: BTreeMap<FileId, Option<Code>>,
}

impl<'a> Files<'a> {
    pub fn new(module: &'a Module, names: &'a dyn Fn(FileId) -> String) -> Files<'a> {
        Files { module, names, codes: BTreeMap::new() }
    }

    /// The text of a file, when it is known.
    pub fn code(&mut self, f: FileId) -> Option<&Code> {
        let file = self.module.files.get(f.index())?;
        self.codes.entry(f).or_insert_with(|| file.text.as_deref().map(Code::new)).as_ref()
    }

    /// A place, moved by `to` in the text.
    pub fn place(&mut self, s: SpanId, func: FuncId, to: impl Fn(&Code, usize) -> Option<usize>) -> Option<Location> {
        let span = self.module.span(s);
        let code = self.code(span.file)?;
        let (line, column) = code.place(to(code, code.offset(span.line, span.column)?)?);
        Some(Location { line, column, ..self.plain(s, func)? })
    }

    /// A place as it is.
    pub fn plain(&self, s: SpanId, func: FuncId) -> Option<Location> {
        let span = self.module.span(s);
        let function = self.module.func(func).name.clone();
        (span.line > 0).then(|| Location {
            file: (self.names)(span.file),
            line: span.line,
            column: span.column,
            function,
        })
    }
}

/// The witness of a replayed violation; files by the names that `names` gives them; [`None`] when nothing says where it is.
pub fn violation(m: &Module, e: &Evidence, names: &dyn Fn(FileId) -> String, metadata: &Metadata) -> Option<String> {
    let mut files = Files::new(m, names);
    let mut content = String::new();
    let mut segment = |kind: &str, at: &Location, constraint: Option<(String, Option<&str>)>| {
        let _ = writeln!(content, "  - segment:");
        let _ = writeln!(content, "    - waypoint:");
        let _ = writeln!(content, "        type: {}", quoted(kind));
        let _ = writeln!(content, "        action: \"follow\"");
        at.write(&mut content, "        ");
        if let Some((value, format)) = constraint {
            let _ = writeln!(content, "        constraint:");
            let _ = writeln!(content, "          value: {}", quoted(&value));
            if let Some(f) = format {
                let _ = writeln!(content, "          format: {}", quoted(f));
            }
        }
    };
    for w in e.waypoints.iter().take(MAX_WAYPOINTS) {
        match w.kind {
            Step::Returns { callee, value, bits, ctype } => {
                let f = m.func(callee);
                let Some(at) = files.place(w.span, w.func, |c, o| c.closing(o, &f.name)) else { continue };
                let ty = ctype.or_else(|| match f.ctype.map(|t| m.ctype(t)) {
                    Some(CType::Function { ret, .. }) => Some(*ret),
                    _ => None,
                });
                let Some(value) = number(m, value, bits, ty) else { continue };
                segment("function_return", &at, Some((format!("\\result == {value}"), Some("acsl_expression"))));
            }
            Step::Branch { taken } => {
                let Some(at) = files.place(w.span, w.func, Code::branch) else { continue };
                segment("branching", &at, Some((taken.to_string(), None)));
            }
        }
    }
    let target = files.place(e.span, e.func, |c, o| Some(c.statement(o))).or_else(|| files.plain(e.span, e.func))?;
    segment("target", &target, None);
    Some(metadata.entry("violation_sequence", &content))
}

/// A number of an integer type in decimal.
fn number(m: &Module, value: u64, bits: u32, ty: Option<TypeId>) -> Option<String> {
    let mut ty = ty;
    let signed = loop {
        match m.ctype(ty?) {
            CType::Typedef { ty: t, .. } | CType::Qualified { ty: t, .. } => ty = Some(*t),
            CType::Enum { underlying, .. } => ty = Some(*underlying),
            CType::Base { encoding, .. } => match encoding {
                Encoding::Signed | Encoding::SignedChar => break true,
                Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool => break false,
                _ => return None,
            },
            _ => return None,
        }
    };
    let shift = 64 - bits.clamp(1, 64);
    Some(if signed {
        (((value << shift) as i64) >> shift).to_string()
    } else {
        ((value << shift) >> shift).to_string()
    })
}
