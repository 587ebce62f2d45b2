//! Calls of library functions that write to streams. Their bodies are large and are not followed. What they change: the
//! library's own variables (`errno`, standard streams), the stream they are given, and, through `%n` and buffers that the
//! program gave to a stream, anything.

use crate::build::{Build, Path};
use crate::memory;
use crate::object::Kind;
use crate::sym::Sym;
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_checks::calls::is_model;
use verify_ir::{Const, FuncId, GlobalId, Module, Operand, SymbolRef};

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
];
/// Functions by which a stream gets memory of the program.
const BUFFERS: &[&str] =
    &["setvbuf", "setbuf", "setbuffer", "fmemopen", "open_memstream", "open_wmemstream", "fopencookie", "funopen"];
/// Longest format that is looked through.
const MAX_FORMAT: u64 = 4096;

/// Functions of the library that only write.
pub fn is_output(name: &str) -> bool {
    OUTPUT.iter().any(|o| o.0 == name)
}

/// What the program has to do with the library's memory.
#[derive(Debug)]
pub(crate) struct Library {
    /// Variables that code of the program names: all others are the library's own.
    named: BTreeSet<GlobalId>,
    /// Streams may write to memory of the program.
    buffers: bool,
}

impl Library {
    fn new(module: &Module) -> Library {
        let mut out = Library { named: BTreeSet::new(), buffers: false };
        for f in module.functions.iter().filter(|f| !is_model(module, f)) {
            for block in f.body.iter().flat_map(|b| &b.blocks) {
                let mut look = |o: &Operand| {
                    let Operand::Const(Const::Symbol(s)) = o else { return };
                    match module.resolve(*s).0 {
                        SymbolRef::Global(g) => _ = out.named.insert(g),
                        SymbolRef::Alias(_) => {}
                        SymbolRef::Func(f) => out.buffers |= BUFFERS.contains(&module.func(f).name.as_str()),
                    }
                };
                block.insts.iter().for_each(|i| i.kind.for_each_operand(&mut look));
                block.term.for_each_operand(&mut look);
            }
        }
        out
    }
}

impl Build<'_, '_> {
    /// A function that writes to streams has run.
    pub(crate) fn wrote(&mut self, f: FuncId, args: &[Sym], path: &mut Path) {
        let module = self.module();
        let library = self.e.library.get_or_insert_with(|| Rc::new(Library::new(module))).clone();
        let name = module.func(f).name.as_str();
        let format = OUTPUT.iter().find(|o| o.0 == name).and_then(|o| o.1);
        let plain = format.is_none_or(|i| args.get(i).is_some_and(|a| self.stores_nothing(path, *a)));
        if library.buffers || !plain {
            return self.ran(f, path);
        }
        let k = self.key(46);
        let past = self.t().epoch(&k);
        for g in (0..module.globals.len()).map(GlobalId::new) {
            if library.named.contains(&g) || module.global(g).constant {
                continue;
            }
            match memory::symbol_object(&mut self.e.terms, module, SymbolRef::Global(g)) {
                Some(o) => self.forget(path, o, past),
                None => return self.unknown_code(path),
            }
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

    /// The format is a literal without `%n`.
    fn stores_nothing(&mut self, path: &Path, format: Sym) -> bool {
        let module = self.module();
        let number = |b: &Self, t| b.e.terms.pool.as_const(t).and_then(|v| v.to_u64());
        let (Some(o), Some(at)) = (number(self, format.prov), number(self, format.bits)) else { return false };
        let Kind::Global(g) = self.e.terms.objects[o as usize].kind else { return false };
        if !module.global(g).constant {
            return false;
        }
        let state = path.memory.get(&mut self.e.terms, module, o as u32);
        let mut conversion = false;
        for i in at..(at + MAX_FORMAT).min(module.global(g).size) {
            let byte = memory::read(&mut self.e.terms, module, o as u32, &state, i, 1);
            let Some(c) = number(self, byte.bits).and_then(|c| u8::try_from(c).ok()) else { return false };
            match c {
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
