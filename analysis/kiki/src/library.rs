//! What calls of the library's output functions need: a contract for each, in terms of what the facts know of the
//! arguments. The models' own code behind them (buffers, digits, widths) is large and means nothing to users; that it
//! does not fail by itself is part of the assumption that the library behaves as its models say, and a failure that
//! no argument explains is reported as a defect of the model wherever the interpreter sees one.
//!
//! Not covered, and left to the engines: formats that are not constant or use `*`, `%n` or positions; programs that
//! give streams buffers of their own; what `fwrite` leaves in a buffer may be undefined, and fail where it is flushed.

use verify_checks::KindSet;
use verify_checks::calls::{constant_string, direct_callee, is_model};
use verify_checks::{Check, Checks};
use verify_facts::values::{Known, Safe, Settled};
use verify_ir::{Body, Call, CheckKind as K, Const, FloatKind, InstKind, Module, Operand, SymbolRef, Ty};

/// A stream's size at least: what the models' code touches is inside.
const STREAM_BYTES: u64 = 216;

/// Functions after which a stream's memory may be the program's.
const OWN_BUFFERS: &[&str] =
    &["setvbuf", "setbuf", "setbuffer", "fmemopen", "open_memstream", "open_wmemstream", "fopencookie"];
/// Functions after which what a buffer holds may be undefined.
const RAW_OUTPUT: &[&str] = &["fwrite", "fwrite_unlocked", "putw", "fputws", "fputwc", "putwc", "putwchar", "fwprintf"];
/// Functions after which `exit` runs other code.
const HANDLERS: &[&str] = &["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];

/// How the arguments of an output function are meant.
struct Shape {
    /// The stream; `None`: `stdout`.
    stream: Option<usize>,
    format: Option<usize>,
    string: Option<usize>,
}

fn shape(name: &str) -> Option<Shape> {
    let s = |stream, format, string| Some(Shape { stream, format, string });
    match name {
        "printf" => s(None, Some(0), None),
        "__printf_chk" => s(None, Some(1), None),
        "fprintf" => s(Some(0), Some(1), None),
        "__fprintf_chk" => s(Some(0), Some(2), None),
        "puts" => s(None, None, Some(0)),
        "fputs" => s(Some(1), None, Some(0)),
        "putchar" | "putchar_unlocked" => s(None, None, None),
        "fputc" | "putc" => s(Some(1), None, None),
        _ => None,
    }
}

/// The program's use of the library, as far as it matters here.
#[derive(Clone, Copy)]
pub struct Library<'a> {
    module: &'a Module,
    settled: &'a Settled,
    checks: &'a Checks,
    /// Streams have their own memory.
    streams: bool,
    raw: bool,
    handlers: bool,
}

impl<'a> Library<'a> {
    /// Looks at which functions run.
    pub fn new(module: &'a Module, checks: &'a Checks, settled: &'a Settled) -> Library<'a> {
        let runs = |names: &[&str]| names.iter().any(|n| module.function_named(n).is_some_and(|f| settled.runs(f)));
        let streams = !runs(OWN_BUFFERS) && settled.known();
        Library { module, settled, checks, streams, raw: runs(RAW_OUTPUT), handlers: runs(HANDLERS) }
    }

    /// The check stands at a call of the library that meets the contract as far as this kind goes.
    pub fn holds(&self, c: &Check) -> bool {
        if !self.streams {
            return false;
        }
        if self.checks.at_program_end(self.module, c.kind).is_some_and(|id| self.checks.get(id) == c) {
            return !self.at_exit().contains(c.kind);
        }
        let body = self.module.func(c.func).body.as_ref();
        let inst = body.and_then(|b| b.block(c.loc.block).insts.get(c.loc.inst as usize));
        let Some(InstKind::Call(call)) = inst.map(|i| &i.kind) else { return false };
        let Some(g) = direct_callee(self.module, call).filter(|g| is_model(self.module, self.module.func(*g))) else {
            return false;
        };
        let Some(known) = self.settled.arguments(c.func, c.loc) else { return false };
        let name = self.module.func(g).name.as_str();
        let types: Vec<Ty> = body.iter().flat_map(|b| call.args.iter().map(|a| b.operand_ty(a))).collect();
        let open = match name {
            "exit" => self.at_exit().union(defined(known)),
            _ => match shape(name) {
                Some(s) => {
                    let standard = s.stream.is_none_or(|i| self.is_standard(body, call.args.get(i)));
                    let open = self.output(&s, call, known, &types);
                    // The buffer of another stream may be lost with it.
                    if standard { open } else { open.with(K::Leak) }
                }
                None => return false,
            },
        };
        !open.contains(c.kind)
    }

    /// The stream is `stdout` or `stderr`, and these are the library's own.
    fn is_standard(&self, body: Option<&Body>, stream: Option<&Operand>) -> bool {
        let (Some(body), Some(Operand::Value(v))) = (body, stream) else { return false };
        let mut all = body.blocks.iter().flat_map(|b| &b.insts);
        let Some(InstKind::Load { ptr: Operand::Const(Const::Symbol(s)), .. }) =
            all.find(|i| i.results.contains(v)).map(|i| &i.kind)
        else {
            return false;
        };
        match self.module.resolve(*s) {
            (SymbolRef::Global(g), 0) => self.settled.is_standard_stream(&self.module.global(g).name),
            _ => false,
        }
    }

    /// Kinds that may fail when the program ends.
    fn at_exit(&self) -> KindSet {
        let raw = if self.raw { KindSet::of(&[K::UninitRead]) } else { KindSet::EMPTY };
        if self.handlers { KindSet::of(K::ALL) } else { raw.with(K::Leak) }
    }

    fn output(&self, s: &Shape, call: &Call, known: &[Known], types: &[Ty]) -> KindSet {
        let mut open = defined(known);
        if self.raw {
            open.insert(K::UninitRead);
        }
        match s.stream {
            None if !self.settled.is_standard_stream("stdout") => return KindSet::of(K::ALL),
            None => {}
            Some(i) => match known.get(i) {
                Some(k) => open = open.union(stream(k)),
                None => return KindSet::of(K::ALL),
            },
        }
        if let Some(i) = s.string {
            match (call.args.get(i), known.get(i)) {
                (Some(o), Some(k)) => {
                    open = open.union(self.text(o, k));
                    // Null is a string to `%s` only.
                    if !k.safe.has(Safe::NULL) {
                        open.insert(K::NullDeref);
                        open.insert(K::InvalidArgument);
                    }
                }
                _ => return KindSet::of(K::ALL),
            }
        }
        let Some(f) = s.format else { return open };
        let Some(wanted) = call.args.get(f).and_then(|o| constant_string(self.module, o)).and_then(|t| parse(&t))
        else {
            return KindSet::of(K::ALL);
        };
        for (i, w) in wanted.iter().enumerate() {
            let at = f + 1 + i;
            let (Some(o), Some(k), Some(ty)) = (call.args.get(at), known.get(at), types.get(at)) else {
                return KindSet::of(K::ALL);
            };
            let word = self.module.target.pointer_bits;
            let fits = match (w, ty) {
                (Wanted::Int(n), Ty::Int(have)) => n.unwrap_or(word) == *have,
                (Wanted::Pointer | Wanted::Text, Ty::Ptr) => true,
                (Wanted::Real, Ty::Float(FloatKind::Double)) => true,
                _ => false,
            };
            if !fits {
                return KindSet::of(K::ALL);
            }
            if *w == Wanted::Text {
                open = open.union(self.text(o, k));
            }
        }
        open
    }

    /// What may fail when the characters of a string are read.
    fn text(&self, o: &Operand, k: &Known) -> KindSet {
        if constant_string(self.module, o).is_some() {
            return KindSet::EMPTY;
        }
        if matches!(o, Operand::Const(Const::Null)) {
            return KindSet::EMPTY;
        }
        // Where it ends, and whether all of it was written, is not known.
        pointer(k).with(K::OutOfBoundsRead).with(K::UninitRead)
    }
}

/// Every argument is defined, or not.
fn defined(known: &[Known]) -> KindSet {
    if known.iter().all(|k| k.defined) { KindSet::EMPTY } else { KindSet::of(&[K::UninitRead]) }
}

/// What an access through a pointer may fail; that it is null apart.
fn pointer(k: &Known) -> KindSet {
    let table = [(Safe::INVALID, K::InvalidDeref), (Safe::FREED, K::UseAfterFree), (Safe::SCOPE, K::UseAfterScope)];
    table.iter().filter(|(s, _)| !k.safe.has(*s)).map(|(_, kind)| *kind).collect()
}

/// The same for a stream, which is read and written.
fn stream(k: &Known) -> KindSet {
    let mut open = pointer(k);
    if !k.safe.has(Safe::NULL) {
        open.insert(K::NullDeref);
        open.insert(K::InvalidArgument);
    }
    if !k.safe.has(Safe::WRITABLE) {
        open.insert(K::ReadOnlyWrite);
    }
    if !k.extent.is_some_and(|e| e.covers(0, STREAM_BYTES)) {
        // No stream of the library's, perhaps: nothing is known of what is in it.
        return KindSet::of(K::ALL);
    }
    open
}

/// What a conversion takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// An integer of so many bits; `None`: as many as a pointer has.
    Int(Option<u32>),
    Real,
    Pointer,
    Text,
}

/// The conversions of a format; `None` where it is not plain.
fn parse(format: &str) -> Option<Vec<Wanted>> {
    let mut out = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut small = |set: &str| {
            let mut n = 0;
            while rest.next_if(|c| set.contains(*c)).is_some() {
                n += 1;
            }
            n
        };
        small("-+ #0");
        // Widths that no integer holds would be errors.
        if small("0123456789") > 4 {
            return None;
        }
        if small(".") > 1 || small("0123456789") > 4 {
            return None;
        }
        let mut length = String::new();
        while let Some(c) = rest.next_if(|c| "hlzjtL".contains(*c)) {
            length.push(c);
        }
        let bits = match length.as_str() {
            "" | "h" | "hh" => Some(32),
            "ll" | "j" => Some(64),
            "l" | "z" | "t" => None,
            _ => return None,
        };
        out.push(match rest.next()? {
            '%' if length.is_empty() => continue,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => Wanted::Int(bits),
            'c' if length.is_empty() => Wanted::Int(Some(32)),
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' if length.is_empty() || length == "l" => Wanted::Real,
            'p' if length.is_empty() => Wanted::Pointer,
            's' if length.is_empty() => Wanted::Text,
            _ => return None,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats() {
        assert_eq!(parse("a %d %5.2f%%\n"), Some(vec![Wanted::Int(Some(32)), Wanted::Real]));
        assert_eq!(
            parse("%-20s|%lu|%p|%c"),
            Some(vec![Wanted::Text, Wanted::Int(None), Wanted::Pointer, Wanted::Int(Some(32)),])
        );
        for not_plain in ["%*d", "%n", "%1$d", "%ls", "%", "%99999d", "%Lf", "%lc"] {
            assert_eq!(parse(not_plain), None, "{not_plain}");
        }
    }
}
