//! Calls of library functions that write to streams. Their bodies are large and are not followed. What they change: the
//! library's own variables that they name (`errno`, and standard streams where the program asks how they are), the stream
//! they are given, and, through `%n` and buffers that the program gave to a stream, anything.

use crate::build::{Build, Path};
use crate::memory;
use crate::object::Kind;
use crate::streams::opens_streams;
use crate::sym::Sym;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_checks::calls::{is_model, is_users_model};
use verify_ir::{
    CType, Const, FuncId, Function, Global, GlobalId, InitData, InstKind, Module, Operand, Step, SymbolRef, TypeId,
    noted,
};

/// Functions, and which argument is their format.
const OUTPUT: &[(&str, Option<usize>)] = &[
    ("printf", Some(0)),
    ("fprintf", Some(1)),
    ("vprintf", Some(0)),
    ("vfprintf", Some(1)),
    ("puts", None),
    ("fputs", None),
    ("putchar", None),
    ("putc", None),
    ("fputc", None),
    ("fflush", None),
    ("perror", None),
    ("dprintf", Some(1)),
    ("putchar_unlocked", None),
    ("fwrite", None),
    ("syslog", Some(1)),
    ("__printf_chk", Some(1)),
    ("__fprintf_chk", Some(2)),
    ("__vfprintf_chk", Some(2)),
    ("wprintf", Some(0)),
    ("fwprintf", Some(1)),
    ("vwprintf", Some(0)),
    ("vfwprintf", Some(1)),
    ("__wprintf_chk", Some(1)),
    ("__fwprintf_chk", Some(2)),
    ("fputws", None),
    ("putwchar", None),
    ("putwc", None),
    ("fputwc", None),
];
/// Functions by which a stream gets memory of the program.
const BUFFERS: &[&str] =
    &["setvbuf", "setbuf", "setbuffer", "fmemopen", "open_memstream", "open_wmemstream", "fopencookie", "funopen"];
/// Functions that say how a stream is. Without them, nobody but later output sees what became of a standard stream.
const OBSERVERS: &[&str] = &[
    "ferror",
    "ferror_unlocked",
    "feof",
    "feof_unlocked",
    "clearerr",
    "ftell",
    "ftello",
    "ftello64",
    "fgetpos",
    "fgetpos64",
    "fseek",
    "fseeko",
    "fseeko64",
    "rewind",
    "fclose",
    "fcloseall",
    "freopen",
    "freopen64",
    "__fpending",
    "fwide",
];
/// Functions that flush streams in the end, and tell nobody.
const ENDS: &[&str] = &["exit", "_exit", "_Exit", "abort", "__assert_fail"];
/// Longest format that is looked through.
const MAX_FORMAT: u64 = 4096;
/// Bytes of a wide character of the library.
const WIDE: u64 = 4;
/// Of any character set; in strings of narrower wide characters, two of them at once are more.
const LAST_CHARACTER: u64 = 0x10_ffff;

/// Functions of the library that only write.
pub fn is_output(name: &str) -> bool {
    OUTPUT.iter().any(|o| o.0 == name)
}

/// What the program has to do with the library's memory.
#[derive(Debug)]
pub struct Library {
    /// Streams may write to memory of the program.
    buffers: bool,
    /// What is in streams is the library's affair alone.
    pub(crate) sealed: bool,
    /// The library's own variables that a function may change and somebody may see.
    touched: BTreeMap<FuncId, BTreeSet<GlobalId>>,
}

impl Library {
    /// The same in words that mean the same in every program.
    pub fn in_words(&self, module: &Module) -> String {
        let mut out = format!("{} {}", self.buffers, self.sealed);
        for (f, all) in &self.touched {
            out.push_str("; ");
            out.push_str(&module.func(*f).name);
            for g in all {
                let g = module.global(*g);
                let unit = module.units.get(g.unit.index()).map_or("", |u| u.source.as_str());
                out.extend([" ", &g.name, " in ", unit]);
            }
        }
        out
    }

    /// Looks through the program.
    pub fn new(module: &Module) -> Library {
        noted::aside(|| Library::look(module))
    }

    fn look(module: &Module) -> Library {
        let mut out = Library { buffers: false, sealed: false, touched: BTreeMap::new() };
        // Variables that code of the program names: all others are the library's own.
        let mut shared: BTreeSet<GlobalId> = BTreeSet::new();
        let (mut observed, mut found) = (false, Vec::new());
        let mut named = BTreeSet::new();
        for f in module.functions.iter().filter(|f| !is_model(module, f)) {
            observed |= looks_into_streams(module, f);
            found.extend(symbols(module, f));
        }
        // Tables of functions, too.
        for g in module.globals.iter().filter(|g| !module.units.get(g.unit.index()).is_some_and(|u| u.model)) {
            found.extend(in_initialiser(module, g));
        }
        for s in found {
            match s {
                SymbolRef::Global(g) => _ = shared.insert(g),
                SymbolRef::Alias(_) => {}
                SymbolRef::Func(f) => {
                    let name = module.func(f).name.as_str();
                    named.insert(f);
                    out.buffers |= BUFFERS.contains(&name);
                    observed |= OBSERVERS.contains(&name);
                }
            }
        }
        let users = module.functions.iter().any(|f| is_users_model(module, f));
        out.sealed = !out.buffers && !users && !opens_streams(module);
        let errno = module.function_named("__errno_location").map(|f| closure(module, f)).unwrap_or_default();
        for (name, _) in OUTPUT {
            if let Some(f) = module.function_named(name) {
                let touched = if observed { closure(module, f) } else { errno.clone() };
                out.touched.insert(f, touched.difference(&shared).copied().collect());
            }
        }
        let scans = |f: &FuncId| crate::scan::shape(&module.func(*f).name).map(|s| (*f, s.1));
        for (f, stream) in named.iter().filter_map(scans) {
            let own = closure(module, f);
            let streams: BTreeSet<GlobalId> = own.difference(&errno).copied().collect();
            let seen = observed || named.iter().any(|g| looks_into(module, *g, &streams));
            let touched = if stream && seen { own } else { errno.clone() };
            out.touched.insert(f, touched.difference(&shared).copied().collect());
        }
        out
    }
}

/// What a function names.
fn symbols(module: &Module, f: &Function) -> Vec<SymbolRef> {
    let mut out = Vec::new();
    for block in f.body.iter().flat_map(|b| &b.blocks) {
        let mut look = |o: &Operand| {
            if let Operand::Const(Const::Symbol(s)) = o {
                out.push(module.resolve(*s).0);
            }
        };
        block.insts.iter().for_each(|i| i.kind.for_each_operand(&mut look));
        block.term.for_each_operand(&mut look);
    }
    out
}

/// What a variable points to in the beginning.
fn in_initialiser(module: &Module, g: &Global) -> Vec<SymbolRef> {
    let address = |p: &verify_ir::InitPiece| match p.data {
        InitData::Address { symbol, .. } => Some(module.resolve(symbol).0),
        _ => None,
    };
    g.init.iter().flat_map(|i| &i.pieces).filter_map(address).collect()
}

/// The function of the library may see what input has made of streams, and tell: it names one of these variables, or is
/// one that works on a stream that it is given.
fn looks_into(module: &Module, f: FuncId, streams: &BTreeSet<GlobalId>) -> bool {
    let func = module.func(f);
    let name = func.name.as_str();
    if !is_model(module, func) || is_output(name) || crate::scan::shape(name).is_some() || ENDS.contains(&name) {
        return false;
    }
    let unit = module.units.get(func.unit.index());
    let file = unit.and_then(|u| u.source.rsplit('/').next()).unwrap_or("");
    // What is printed or read there without being output or input goes to and comes from strings.
    let given = file.starts_with("stdio_") && !file.starts_with("stdio_printf") && !file.starts_with("stdio_scanf");
    given || !closure(module, f).is_disjoint(streams)
}

/// Fields of streams are read or written, as inlined parts of `stdio.h` do.
fn looks_into_streams(module: &Module, f: &Function) -> bool {
    let stream = |t: &TypeId| matches!(module.ctype(*t), CType::Record(r) if r.name == "_IO_FILE");
    let insts = f.body.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.insts);
    insts.into_iter().any(|i| match &i.kind {
        InstKind::Addr { steps, .. } => steps.iter().any(|s| match s {
            Step::Field { record, .. } => record.as_ref().is_some_and(stream),
            Step::Index { elem, .. } => elem.as_ref().is_some_and(stream),
        }),
        _ => false,
    })
}

/// Variables that a function, what it calls, and what these variables point to in the beginning, name.
fn closure(module: &Module, f: FuncId) -> BTreeSet<GlobalId> {
    let (mut functions, mut globals) = (BTreeSet::from([f]), BTreeSet::new());
    let mut open = vec![SymbolRef::Func(f)];
    while let Some(s) = open.pop() {
        let more = match s {
            SymbolRef::Func(f) => symbols(module, module.func(f)),
            SymbolRef::Global(g) => in_initialiser(module, module.global(g)),
            SymbolRef::Alias(_) => Vec::new(),
        };
        for s in more {
            let new = match s {
                SymbolRef::Func(f) => functions.insert(f),
                SymbolRef::Global(g) => globals.insert(g),
                SymbolRef::Alias(_) => false,
            };
            if new {
                open.push(s);
            }
        }
    }
    globals
}

impl Build<'_, '_> {
    /// A function that writes to streams has run.
    pub(crate) fn wrote(&mut self, f: FuncId, args: &[Sym], path: &mut Path) {
        let module = self.module();
        let library = self.library();
        let name = module.func(f).name.as_str();
        let format = OUTPUT.iter().find(|o| o.0 == name).and_then(|o| o.1);
        let width = if name.contains("wprintf") { WIDE } else { 1 };
        let plain = format.is_none_or(|i| args.get(i).is_some_and(|a| self.stores_nothing(path, *a, width)));
        if library.buffers || !plain {
            return self.ran(f, path);
        }
        let k = self.key(46);
        let past = self.t().epoch(&k);
        if !self.forget_library(&library, f, past, path) {
            return self.unknown_code(path);
        }
        // The stream, if it is one that was opened.
        let mut objects = BTreeSet::new();
        for a in args.iter().take(2).chain(args.get(3)) {
            objects.extend(self.e.terms.leaves(a.prov).iter().copied());
        }
        for o in objects {
            if matches!(self.e.terms.objects[o as usize].kind, Kind::Heap(_)) {
                self.forget(path, o, past);
            }
        }
    }

    fn library(&mut self) -> Arc<Library> {
        let module = self.module();
        self.e.library.get_or_insert_with(|| Arc::new(Library::new(module))).clone()
    }

    /// The same, where streams have no memory of the program.
    pub(crate) fn plain_library(&mut self) -> Option<Arc<Library>> {
        Some(self.library()).filter(|l| !l.buffers)
    }

    /// The library's own variables that a function changes are not known any more. False: one of them is too much.
    pub(crate) fn forget_library(&mut self, library: &Library, f: FuncId, past: u32, path: &mut Path) -> bool {
        let module = self.module();
        for g in library.touched.get(&f).into_iter().flatten().copied().filter(|g| !module.global(*g).constant) {
            match memory::symbol_object(&mut self.e.terms, module, SymbolRef::Global(g)) {
                Some(o) => self.forget(path, o, past),
                None => return false,
            }
        }
        true
    }

    /// The format, of characters of so many bytes, is a literal without `%n`.
    fn stores_nothing(&mut self, path: &Path, format: Sym, width: u64) -> bool {
        let module = self.module();
        let number = |b: &Self, t| b.e.terms.pool.as_const(t).and_then(|v| v.to_u64());
        let (Some(o), Some(at)) = (number(self, format.prov), number(self, format.bits)) else { return false };
        let Kind::Global(g) = self.e.terms.objects[o as usize].kind else { return false };
        if !module.global(g).constant {
            return false;
        }
        let state = path.memory.get(&mut self.e.terms, module, o as u32);
        let mut conversion = false;
        let size = module.global(g).size;
        for i in (at..at.saturating_add(MAX_FORMAT).min(size)).step_by(width as usize) {
            if size - i < width {
                return false;
            }
            let character = memory::read(&mut self.e.terms, module, o as u32, &state, i, width);
            let Some(c) = number(self, character.bits).filter(|c| *c <= LAST_CHARACTER) else { return false };
            // Beyond ASCII nothing is a conversion.
            match u8::try_from(c).unwrap_or(b'x') {
                0 => return true,
                b'%' => conversion = !conversion,
                b'n' if conversion => return false,
                b'0'..=b'9' | b'.' | b'*' | b'$' | b'-' | b'+' | b' ' | b'#' | b'\'' | b'I' => {}
                b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't' | b'Z' | b'w' => {}
                _ => conversion = false,
            }
        }
        false
    }
}
