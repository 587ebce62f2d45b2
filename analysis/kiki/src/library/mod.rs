//! What calls of library functions need, in terms of what the facts know of the arguments: a row a function
//! ([`contracts`]), and formats for output ([`format`](mod@format)). The models' own code behind them (buffers, digits, tables) is
//! large and means nothing to users; that it does not fail by itself is part of the assumption that the library behaves
//! as its models say, and a failure that no argument explains is reported as a defect of the model wherever the
//! interpreter sees one.
//!
//! Not covered, and left to the engines: formats of output that are not constant or use `*`, `%n` or positions; programs that
//! give streams buffers of their own. What reaches a stream's buffer is defined: each function that puts it there fails
//! otherwise.

pub mod contracts;
pub mod format;

use contracts::{Arg, Contract, contract};
use format::{Wanted, parse};
use verify_checks::KindSet;
use verify_checks::calls::{constant_string, direct_callee, is_model, is_users_model};
use verify_checks::{Check, Checks};
use verify_encode::opens_streams;
use verify_encode::scan::{self, Piece, What};
use verify_facts::values::{Extent, Known, Passed, Safe, Settled};
use verify_ir::{Body, Call, CheckKind as K, Const, FloatKind, FuncId, Inst, InstKind, Module, Operand, SymbolRef, Ty};

/// A call that only writes numbers and texts of the program, and can do nothing undefined: it comes back.
pub fn is_harmless_output(module: &Module, body: &Body, call: &Call) -> bool {
    let Operand::Const(Const::Symbol(SymbolRef::Func(f))) = &call.callee else { return false };
    let fixed = |o: &&Operand| match o {
        Operand::Const(Const::Symbol(s)) => {
            matches!(module.resolve(*s).0, SymbolRef::Global(g) if module.global(g).constant)
        }
        _ => false,
    };
    let literal = |k: usize| call.args.get(k).filter(fixed).and_then(|o| constant_string(module, o));
    let fits = |wanted: Wanted, k: usize| match (wanted, call.args.get(k).map(|o| body.operand_ty(o))) {
        (Wanted::Int(n), Some(Ty::Int(have))) => n.unwrap_or(module.target.pointer_bits) == have,
        (Wanted::Real, Some(Ty::Float(FloatKind::Double))) => true,
        (Wanted::Text(_), _) => literal(k).is_some(),
        _ => false,
    };
    match module.func(*f).name.as_str() {
        "putchar" | "putchar_unlocked" => true,
        "puts" => literal(0).is_some(),
        "printf" => literal(0)
            .and_then(|t| parse(&t))
            .is_some_and(|format| format.conversions.iter().enumerate().all(|(k, c)| fits(c.wanted, 1 + k))),
        _ => false,
    }
}

/// A stream's size at least: what the models' code touches is inside.
const STREAM_BYTES: u64 = 216;

/// Functions after which a stream's memory may be the program's.
const OWN_MEMORY: &[&str] = &["fmemopen", "open_memstream", "open_wmemstream", "fopencookie"];
/// The same where the second argument is not null.
const OWN_BUFFERS: &[&str] = &["setvbuf", "setbuf", "setbuffer"];
/// Functions that put memory of the program into the environment, and variables by which it may.
const ENVIRONMENT: (&[&str], &[&str]) =
    (&["putenv", "setenv", "unsetenv", "clearenv"], &["environ", "__environ", "_environ"]);
/// Functions after which `exit` runs other code.
const HANDLERS: &[&str] = &["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];

/// `O_CREAT` and `O_TMPFILE` of `open`.
const MAKES_FILE: u128 = 0o100 | 0o20_000_000;

/// How the arguments of an output function are meant.
struct Shape {
    /// The stream; `None`: `stdout`.
    stream: Option<usize>,
    format: Option<usize>,
    string: Option<usize>,
}

/// `sprintf` and its like: the arguments with the buffer, its size and the format.
fn printed(name: &str) -> Option<(usize, Option<usize>, usize)> {
    match name {
        "sprintf" => Some((0, None, 1)),
        "snprintf" => Some((0, Some(1), 2)),
        _ => None,
    }
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
    /// The environment is as the system has made it.
    environment: bool,
    handlers: bool,
}

impl<'a> Library<'a> {
    /// Looks at which functions run.
    pub fn new(module: &'a Module, checks: &'a Checks, settled: &'a Settled) -> Library<'a> {
        let runs = |names: &[&str]| names.iter().any(|n| module.function_named(n).is_some_and(|f| settled.runs(f)));
        let users = module.functions.iter().any(|f| is_users_model(module, f));
        // It is the null pointer in every call.
        let none = |n: &&&str| {
            let Some(f) = module.function_named(n).filter(|f| settled.runs(*f)) else { return true };
            let buffer = module.func(f).body.as_ref().and_then(|b| b.blocks.first()?.params.get(1).copied());
            buffer.and_then(|v| settled.hint(f, v)).is_some_and(|h| h.known.extent == Some(Extent::ALL))
        };
        let buffers = OWN_BUFFERS.iter().filter(|n| !none(n)).count() > 0;
        let streams = !runs(OWN_MEMORY) && !buffers && !users && !opens_streams(module) && settled.known();
        let named = |g: &verify_ir::Global| ENVIRONMENT.1.contains(&g.name.as_str());
        let environment = !users && !runs(ENVIRONMENT.0) && !module.globals.iter().any(named);
        Library { module, settled, checks, streams, environment, handlers: runs(HANDLERS) }
    }

    /// The check stands at a call of the library that meets the contract as far as this kind goes.
    pub fn holds(&self, c: &Check) -> bool {
        if !self.settled.known() {
            return false;
        }
        if self.streams && self.checks.at_program_end(self.module, c.kind).is_some_and(|id| self.checks.get(id) == c) {
            return !self.at_exit().contains(c.kind);
        }
        let body = self.module.func(c.func).body.as_ref();
        let inst = body.and_then(|b| b.block(c.loc.block).insts.get(c.loc.inst as usize));
        let Some(InstKind::Call(call)) = inst.map(|i| &i.kind) else { return false };
        let Some(g) = direct_callee(self.module, call).filter(|g| is_model(self.module, self.module.func(*g))) else {
            return false;
        };
        let Some(passed) = self.settled.arguments(c.func, c.loc) else { return false };
        let known = passed.known.as_slice();
        if is_users_model(self.module, self.module.func(g)) || !fits(self.module, body, call, inst, g) {
            return false;
        }
        let name = self.module.func(g).name.as_str();
        let types: Vec<Ty> = body.iter().flat_map(|b| call.args.iter().map(|a| b.operand_ty(a))).collect();
        let open = match name {
            "exit" if self.streams => self.at_exit().union(defined(known)),
            _ => match (shape(name), printed(name), contract(name)) {
                (Some(s), ..) if self.streams => {
                    let open = self.output(&s, call, passed, &types);
                    let known = s.stream.is_none_or(|i| self.has_buffer(body, call, passed, i));
                    if known { open } else { open.with(K::Leak) }
                }
                _ if scan::shape(name).is_some_and(|s| self.streams || !s.1) => {
                    self.scanned(name, call, body, passed, &types)
                }
                (None, Some((into, size, f)), _) => self.print(into, size, f, call, passed, &types),
                (None, None, Some(_)) if contracts::ENVIRONMENT.contains(&name) && !self.environment => return false,
                (None, None, Some(c)) if name != "perror" || self.settled.is_standard_stream("stderr") => {
                    self.meets(&c, call, body, passed, &types)
                }
                _ => return false,
            },
        };
        !open.contains(c.kind)
    }

    /// The stream was opened in the program, or is a standard one: it has its buffer since, and loses nothing else when it
    /// is lost. One that the program is handed may get a buffer at any call.
    fn has_buffer(&self, body: Option<&Body>, call: &Call, passed: &Passed, i: usize) -> bool {
        passed.own.contains(&(i as u32)) || self.is_standard(body, call.args.get(i))
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
        if self.handlers { KindSet::of(K::ALL) } else { KindSet::of(&[K::Leak]) }
    }

    fn output(&self, s: &Shape, call: &Call, passed: &Passed, types: &[Ty]) -> KindSet {
        let known = passed.known.as_slice();
        let mut open = defined(known);
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
                    open = open.union(self.text(o, k, passed, i));
                    // Null is a string to `%s` only.
                    open = open.union(not_null(k));
                }
                _ => return KindSet::of(K::ALL),
            }
        }
        match s.format {
            Some(f) => open.union(self.converted(f, call, passed, types).0),
            None => open,
        }
    }

    /// What may fail when arguments are converted by the format at `f`; how many characters that makes at most.
    fn converted(&self, f: usize, call: &Call, passed: &Passed, types: &[Ty]) -> (KindSet, Option<u64>) {
        let known = passed.known.as_slice();
        let all = (KindSet::of(K::ALL), None);
        let Some(text) = call.args.get(f).and_then(|o| self.literal(o)) else { return all };
        let Some(format) = parse(&text) else { return all };
        // Compilers make `puts`, `fputs` and `strcpy` of these, which take no null pointer.
        let alone = matches!(text.as_str(), "%s" | "%s\n");
        let (mut open, mut longest) = (KindSet::EMPTY, Some(format.plain));
        for (i, c) in format.conversions.iter().enumerate() {
            let at = f + 1 + i;
            let (Some(o), Some(k), Some(ty)) = (call.args.get(at), known.get(at), types.get(at)) else { return all };
            let word = self.module.target.pointer_bits;
            let fits = match (c.wanted, ty) {
                (Wanted::Int(n), Ty::Int(have)) => n.unwrap_or(word) == *have,
                (Wanted::Pointer | Wanted::Text(_), Ty::Ptr) => true,
                (Wanted::Real, Ty::Float(FloatKind::Double)) => true,
                _ => false,
            };
            if !fits {
                return all;
            }
            let mut made = c.longest;
            if let Wanted::Text(most) = c.wanted {
                open = open.union(self.text(o, k, passed, at));
                if alone && self.literal(o).is_none() {
                    open = open.union(not_null(k));
                }
                let own = self.literal(o).map(|t| t.len() as u64);
                let own = own.map(|n| n.min(most.unwrap_or(n))).or(most);
                made = made.zip(own).map(|(a, b)| a + b);
            }
            longest = longest.zip(made).map(|(a, b)| a + b);
        }
        (open, longest)
    }

    /// What may fail when a text is made in a buffer.
    fn print(&self, into: usize, size: Option<usize>, f: usize, call: &Call, passed: &Passed, types: &[Ty]) -> KindSet {
        let known = passed.known.as_slice();
        let (open, longest) = self.converted(f, call, passed, types);
        let open = open.union(defined(known));
        let Some(buffer) = known.get(into) else { return KindSet::of(K::ALL) };
        let longest = longest.map(|n| n + 1);
        let room = match size {
            None => longest,
            Some(i) => match (number(call, known, i), longest) {
                (Some(0), _) => return open,
                (Some(n), m) => Some(m.map_or(n, |m| m.min(n))),
                (None, m) => m,
            },
        };
        open.union(accessed(buffer, room, true))
    }

    /// What may fail when arguments are filled by the `scanf` family.
    fn scanned(&self, name: &str, call: &Call, body: Option<&Body>, passed: &Passed, types: &[Ty]) -> KindSet {
        let known = passed.known.as_slice();
        let all = KindSet::of(K::ALL);
        let Some((f, reads_stream)) = scan::shape(name) else { return all };
        let text = call.args.get(f).and_then(|o| self.literal(o)).filter(|t| !t.contains(char::REPLACEMENT_CHARACTER));
        let Some(pieces) = text.and_then(|t| scan::parse(self.module, &t)) else { return all };
        let mut open = defined(known);
        match (f, reads_stream, call.args.first(), known.first()) {
            (0, ..) if !self.settled.is_standard_stream("stdin") => return all,
            (0, ..) => {}
            (_, true, _, Some(k)) => {
                let more =
                    if self.has_buffer(body, call, passed, 0) { KindSet::EMPTY } else { KindSet::of(&[K::Leak]) };
                open = open.union(stream(k)).union(more);
            }
            (_, false, Some(o), Some(k)) => {
                let more = if self.literal(o).is_some() { KindSet::EMPTY } else { not_null(k) };
                open = open.union(self.text(o, k, passed, 0)).union(more);
            }
            _ => return all,
        }
        let mut at = f + 1;
        for p in pieces {
            let Piece::Conversion(c) = p else { continue };
            if !c.stored {
                continue;
            }
            let (Some(k), Some(Ty::Ptr)) = (known.get(at), types.get(at)) else { return all };
            at += 1;
            let bytes = match c.what {
                What::Integer { bytes, .. } | What::Real(bytes) | What::Characters(bytes) => Some(bytes),
                What::Text(_) => c.width.map(|n| n + 1),
            };
            // No size is handed over.
            open = open.union(accessed(k, bytes, true).without(K::InvalidArgument));
        }
        open
    }

    /// What may fail in a call of a function with this row.
    fn meets(&self, c: &Contract, call: &Call, body: Option<&Body>, passed: &Passed, types: &[Ty]) -> KindSet {
        let known = passed.known.as_slice();
        let all = KindSet::of(K::ALL);
        let mut open = KindSet::of(c.open).union(defined(known));
        for (i, arg) in c.args.iter().enumerate() {
            let (Some(o), Some(k)) = (call.args.get(i), known.get(i)) else { return all };
            let null = matches!(o, Operand::Const(Const::Null));
            let bytes = |size: usize, count: Option<usize>| {
                let n = number(call, known, size)?;
                match count {
                    Some(c) => number(call, known, c).and_then(|c| n.checked_mul(c)),
                    None => Some(n),
                }
            };
            let more = match *arg {
                Arg::Value => KindSet::EMPTY,
                Arg::Null | Arg::TextOrNull | Arg::FillsOrNull(_) | Arg::StreamOrNull if null => KindSet::EMPTY,
                Arg::Text => self.text(o, k, passed, i).union(if self.literal(o).is_some() {
                    KindSet::EMPTY
                } else {
                    not_null(k)
                }),
                Arg::TextOrNull => self.text(o, k, passed, i),
                Arg::Literal if self.literal(o).is_some() => KindSet::EMPTY,
                Arg::Literal => all,
                Arg::Flags => match (o, types.get(i + 1)) {
                    (Operand::Const(Const::Int { value, .. }), None) if value & MAKES_FILE == 0 => KindSet::EMPTY,
                    (_, Some(Ty::Int(32))) => KindSet::EMPTY,
                    _ => all,
                },
                Arg::Null => all,
                Arg::Released => {
                    let named = if k.safe.has(Safe::HONEST) { KindSet::of(&[K::NullDeref]) } else { KindSet::EMPTY };
                    let defined = if k.defined { KindSet::of(&[K::UninitRead]) } else { KindSet::EMPTY };
                    named.union(defined).iter().fold(all, |open, kind| open.without(kind))
                }
                Arg::Stream if self.streams => {
                    let open = stream(k);
                    if self.has_buffer(body, call, passed, i) { open } else { open.with(K::Leak) }
                }
                Arg::StreamOrNull if self.streams => {
                    let open = stream(&Known { safe: k.safe.with(Safe::NULL), ..*k });
                    let open = if self.has_buffer(body, call, passed, i) { open } else { open.with(K::Leak) };
                    if k.extent.is_some() { open } else { all }
                }
                Arg::Stream | Arg::StreamOrNull => all,
                Arg::Fills(n) => accessed(k, Some(n), true),
                Arg::FillsOrNull(n) => accessed(&Known { safe: k.safe.with(Safe::NULL), ..*k }, Some(n), true),
                Arg::Copies(from) => {
                    let text = call.args.get(from).and_then(|o| self.literal(o));
                    accessed(k, text.map(|t| t.len() as u64 + 1), true)
                }
                Arg::Appends => accessed(k, None, true).with(K::OutOfBoundsRead).with(K::UninitRead),
                Arg::Gives(n) => accessed(k, Some(n), false).with(K::UninitRead),
                Arg::Reads(size, count) => {
                    reached(accessed(k, bytes(size, count), false), i, size, count, passed).with(K::UninitRead)
                }
                Arg::Writes(size, count) => reached(accessed(k, bytes(size, count), true), i, size, count, passed),
            };
            open = open.union(more);
        }
        open
    }

    /// The characters of a literal: of an array that is never written.
    fn literal(&self, o: &Operand) -> Option<String> {
        let Operand::Const(Const::Symbol(s)) = o else { return None };
        match self.module.resolve(*s) {
            (SymbolRef::Global(g), _) if self.module.global(g).constant => constant_string(self.module, o),
            _ => None,
        }
    }

    /// What may fail when the characters of a string are read.
    fn text(&self, o: &Operand, k: &Known, passed: &Passed, at: usize) -> KindSet {
        if self.literal(o).is_some() {
            return KindSet::EMPTY;
        }
        if matches!(o, Operand::Const(Const::Null)) {
            return KindSet::EMPTY;
        }
        if passed.texts.contains(&(at as u32)) {
            return pointer(k);
        }
        // Where it ends, and whether all of it was written, is not known.
        pointer(k).with(K::OutOfBoundsRead).with(K::UninitRead)
    }
}

/// The call is one of the function as it is defined.
fn fits(module: &Module, body: Option<&Body>, call: &Call, inst: Option<&Inst>, g: FuncId) -> bool {
    let (Some(body), Some(inst)) = (body, inst) else { return false };
    let sig = &module.func(g).sig;
    let params = sig.params.iter().map(|p| p.ty);
    let mut args = call.args.iter().map(|a| body.operand_ty(a));
    let given = params.clone().all(|p| args.next() == Some(p)) && (sig.variadic || args.next().is_none());
    let results = inst.results.iter().map(|r| body.ty(*r));
    given && results.zip(&sig.results).all(|(have, want)| have == *want) && inst.results.len() <= sig.results.len()
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

/// What may fail because a pointer is null.
fn not_null(k: &Known) -> KindSet {
    if k.safe.has(Safe::NULL) { KindSet::EMPTY } else { KindSet::of(&[K::NullDeref, K::InvalidArgument]) }
}

/// What may fail when so many bytes from a pointer on are read or written; `None`: any number.
fn accessed(k: &Known, bytes: Option<u64>, written: bool) -> KindSet {
    if bytes == Some(0) {
        return KindSet::EMPTY;
    }
    let mut open = pointer(k).union(not_null(k));
    let inside = bytes.is_some_and(|n| k.extent.is_some_and(|e| e.covers(0, n)));
    if !inside {
        open.insert(if written { K::OutOfBoundsWrite } else { K::OutOfBoundsRead });
        // A size that no object has.
        open.insert(K::InvalidArgument);
    }
    if written && !k.safe.has(Safe::WRITABLE) {
        open.insert(K::ReadOnlyWrite);
    }
    open
}

/// What is left of that where the number of bytes is known to be inside the object.
fn reached(open: KindSet, i: usize, size: usize, count: Option<usize>, passed: &Passed) -> KindSet {
    let (a, b) = match count {
        Some(c) if c < size => (c, Some(size)),
        c => (size, c),
    };
    let covered = passed.covers.contains(&(i as u32, a as u32, b.map(|b| b as u32)));
    let null = KindSet::of(&[K::NullDeref]);
    match covered {
        false => open,
        // A null pointer is an invalid argument, too.
        true if open.contains(K::NullDeref) => {
            open.without(K::OutOfBoundsRead).without(K::OutOfBoundsWrite).union(null)
        }
        true => open.without(K::OutOfBoundsRead).without(K::OutOfBoundsWrite).without(K::InvalidArgument),
    }
}

/// The greatest value that a number may have.
fn number(call: &Call, known: &[Known], i: usize) -> Option<u64> {
    if let Some(Operand::Const(Const::Int { value, .. })) = call.args.get(i) {
        return u64::try_from(*value).ok();
    }
    let r = known.get(i)?.range?;
    if r.lo < 0 { None } else { u64::try_from(r.hi).ok() }
}

/// The same for a stream, which is read and written.
fn stream(k: &Known) -> KindSet {
    let mut open = pointer(k).union(not_null(k));
    if !k.safe.has(Safe::WRITABLE) {
        open.insert(K::ReadOnlyWrite);
    }
    if !k.extent.is_some_and(|e| e.covers(0, STREAM_BYTES)) {
        // No stream of the library's, perhaps: nothing is known of what is in it.
        return KindSet::of(K::ALL);
    }
    open
}
