//! What of a program a task's report depends on, as hashes that can be compared with those of another version of the program.
//! [`verify_ir::noted`] says which functions and variables a task looked at; the digest of a function covers all that
//! there is to look at: its body down to the positions (counted from where the function begins: it may have moved), the
//! source lines of these, the facts, who calls it and whom it calls, its checks, and what the plan of the scan says of it. A run looks at no facts; it sees where things are in memory, and what
//! a body names as far as the code that is made of it depends on that ([`Kind`]). Two programs in which all of that is the same, and which are the
//! same in what belongs to no function ([`Digests::outside`]), give a task no way to tell them apart.
//!
//! Numbers are not the same in both: functions are told by name. That the named ones come in the same order in both is
//! part of the comparison, as engines go through sets of them in that order.

use crate::identity::{Identities, Identity, hash};
use crate::numbered::{Names, Number, Numbers, Refused};
use crate::subject::Subject;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;
use std::sync::OnceLock;
use verify_checks::CheckId;
use verify_facts::call_graph::Callee;
use verify_ir::noted::{Noted, aside};
use verify_ir::{CType, Const, FuncId, GlobalId, Module, Operand, SpanId, SymbolRef};

/// Something that was looked at, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LookedAt {
    /// Functions, in the order of their numbers.
    functions: Vec<Identity>,
    /// Variables, in the order of their numbers.
    globals: Vec<Identity>,
    /// Positions of which the lines were looked at.
    positions: Vec<Identity>,
    /// Questions about the program.
    questions: Vec<String>,
}

/// What kind of work looks at a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// It goes by facts.
    Proofs,
    /// It executes the program.
    Runs,
}

/// Digests of a program's parts, made when they are first asked for.
pub(crate) struct Digests<'s> {
    subject: &'s Subject,
    names: Identities<'s>,
    by_name: BTreeMap<Identity, FuncId>,
    global_by_name: BTreeMap<Identity, GlobalId>,
    /// By kind of work.
    functions: [Vec<OnceLock<Identity>>; 2],
    globals: [Vec<OnceLock<Identity>>; 2],
    /// Where lines begin, by file.
    lines: Vec<OnceLock<Vec<usize>>>,
    outside: [OnceLock<Identity>; 2],
    taken: OnceLock<Identity>,
    candidates: OnceLock<Identity>,
    /// Sorted by name.
    spans: OnceLock<Vec<(Identity, SpanId)>>,
}

/// Collects what is hashed.
struct Bytes<'a>(&'a mut Vec<u8>);

impl Hasher for Bytes<'_> {
    fn finish(&self) -> u64 {
        0
    }
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }
}

impl<'s> Digests<'s> {
    /// Of a program. Nothing but names is made here; facts are asked for when a digest is.
    pub(crate) fn new(subject: &'s Subject) -> Digests<'s> {
        let m: &Module = subject.module();
        let names = Identities::new(m);
        let index = |(i, k): (usize, &Identity)| (*k, FuncId::new(i));
        Digests {
            by_name: names.functions.iter().enumerate().map(index).collect(),
            global_by_name: names.globals.iter().enumerate().map(|(i, k)| (*k, GlobalId::new(i))).collect(),
            functions: [(); 2].map(|()| m.functions.iter().map(|_| OnceLock::new()).collect()),
            globals: [(); 2].map(|()| m.globals.iter().map(|_| OnceLock::new()).collect()),
            lines: m.files.iter().map(|_| OnceLock::new()).collect(),
            outside: Default::default(),
            taken: OnceLock::new(),
            candidates: OnceLock::new(),
            spans: OnceLock::new(),
            names,
            subject,
        }
    }

    /// The program.
    pub(crate) fn subject(&self) -> &'s Subject {
        self.subject
    }

    /// The name of a function.
    fn name(&self, f: FuncId) -> Option<Identity> {
        self.names.functions.get(f.index()).copied()
    }
    /// The function of a name.
    fn function(&self, name: &Identity) -> Option<FuncId> {
        self.by_name.get(name).copied()
    }

    /// The names of all that was looked at.
    pub(crate) fn names(&self, noted: &Noted) -> Option<LookedAt> {
        Some(LookedAt {
            // Sequences of calls are no functions of the program; whoever runs one says which.
            functions: noted
                .functions()
                .filter(|f| !self.subject.is_sequence(*f))
                .map(|f| self.name(f))
                .collect::<Option<_>>()?,
            globals: noted.globals().map(|g| self.names.globals.get(g.index()).copied()).collect::<Option<_>>()?,
            positions: noted.positions().map(|s| self.span(s.0)).collect(),
            questions: noted.questions.iter().cloned().collect(),
        })
    }

    /// What these are in this program; [`None`]: one of them is missing, or they come in another order.
    pub(crate) fn of(&self, kind: Kind, names: &LookedAt) -> Option<Identity> {
        let mut bytes = Vec::new();
        let mut last = None;
        for n in &names.functions {
            let f = self.function(n)?;
            if last.replace(f).is_some_and(|l| l >= f) {
                return None;
            }
            bytes.extend(self.digest(kind, f));
        }
        let mut last = None;
        for n in &names.globals {
            let g = *self.global_by_name.get(n)?;
            if last.replace(g).is_some_and(|l| l >= g) {
                return None;
            }
            bytes.extend(self.digest_of_global(kind, g));
        }
        for s in &names.positions {
            self.names.position(&mut bytes, self.span_of(s)?.0);
        }
        for q in &names.questions {
            bytes.extend(self.answer(q)?);
        }
        Some(hash(&bytes))
    }

    /// What belongs to no function: the target, what runs by itself, what the scan decides.
    pub(crate) fn outside(&self, kind: Kind) -> Identity {
        *self.outside[kind as usize].get_or_init(|| {
            aside(|| {
                let s = self.subject;
                let m = s.module();
                let mut bytes = Vec::new();
                self.names.write(&mut bytes, &(&m.target, &m.constructors, &m.destructors, &m.unmodelled));
                let d = &s.draft;
                bytes.extend(format!("{:?} {:?}", d.kind, d.rules).as_bytes());
                match kind {
                    Kind::Proofs => {
                        let settled = s.settled(&|| false);
                        bytes.push(u8::from(settled.known()));
                        let standard = ["stdin", "stdout", "stderr"].map(|n| settled.is_standard_stream(n));
                        bytes.extend(standard.map(u8::from));
                    }
                    // What a pointer to an incomplete structure may point to is looked up among all.
                    Kind::Runs => {
                        let record = |t: &CType| matches!(t, CType::Record(r) if !r.incomplete);
                        let all = m.ctypes.iter().enumerate().filter(|(_, t)| record(t));
                        let all: BTreeSet<Identity> = all.map(|(i, _)| self.names.of_type(i)).collect();
                        bytes.extend(all.iter().flatten());
                        let named = m.globals.iter().filter(|g| g.name.contains("environ"));
                        named.for_each(|g| self.names.write(&mut bytes, &(&g.name, g.linkage, g.size, g.constant)));
                    }
                }
                hash(&bytes)
            })
        })
    }

    fn answer(&self, question: &str) -> Option<Identity> {
        let m = self.subject.module();
        aside(|| match question.split_once(' ')? {
            ("function", name) => Some(m.function_named(name).and_then(|f| self.name(f)).unwrap_or_default()),
            ("type", name) => Some([u8::from(m.is_unsigned(name)); 16]),
            ("taken", _) => Some(*self.taken.get_or_init(|| {
                let all = self.subject.address_taken().iter().filter_map(|f| self.name(*f));
                hash(&all.flatten().collect::<Vec<u8>>())
            })),
            ("candidates", _) => Some(*self.candidates.get_or_init(|| {
                let s = self.subject;
                let user = s.program.known_outside().iter().filter(|f| s.is_user(**f));
                let mut bytes = Vec::new();
                user.for_each(|f| self.names.write(&mut bytes, &(f, m.functions[f.index()].ctype)));
                hash(&bytes)
            })),
            _ => None,
        })
    }

    fn digest_of_global(&self, kind: Kind, g: GlobalId) -> Identity {
        *self.globals[kind as usize][g.index()].get_or_init(|| {
            let global = &self.subject.module().globals[g.index()];
            let mut bytes = self.names.bytes(global);
            if kind == Kind::Runs {
                let mut named = vec![SymbolRef::Global(g)];
                let data = global.init.iter().flat_map(|i| &i.pieces);
                data.for_each(|p| p.data.for_each_symbol(&mut |s| named.push(s)));
                self.write_symbols(&mut bytes, &named);
            }
            hash(&bytes)
        })
    }

    /// What running code depends on of the symbols that it names: where they are, and what they are without their contents.
    fn write_symbols(&self, bytes: &mut Vec<u8>, named: &[SymbolRef]) {
        let s = self.subject;
        let m = s.module();
        for symbol in named {
            bytes.extend(s.program.address(*symbol).to_le_bytes());
            match m.resolve(*symbol).0 {
                SymbolRef::Func(f) => {
                    let f = &m.functions[f.index()];
                    self.names.write(bytes, &(f.unit, f.linkage, &f.sig, &f.attrs, f.ctype, f.body.is_some()));
                }
                SymbolRef::Global(g) => {
                    let g = &m.globals[g.index()];
                    let what = (g.linkage, g.thread_local, g.constant, g.compiler_made, g.size, g.align, g.ctype);
                    self.names.write(bytes, &(g.unit, what, g.init.is_some()));
                }
                SymbolRef::Alias(_) => {}
            }
        }
    }

    /// The first check of a function, if it has any.
    pub(crate) fn first_check(&self, f: FuncId) -> CheckId {
        CheckId(self.subject.checks.all.partition_point(|c| c.func < f) as u32)
    }
    /// The check is one of the function's.
    pub(crate) fn is_of(&self, c: CheckId, f: FuncId) -> bool {
        self.subject.checks.all.get(c.0 as usize).is_some_and(|c| c.func == f)
    }

    /// The digest of a function.
    pub(crate) fn digest(&self, kind: Kind, f: FuncId) -> Identity {
        *self.functions[kind as usize][f.index()].get_or_init(|| aside(|| self.make(kind, f)))
    }

    fn make(&self, kind: Kind, f: FuncId) -> Identity {
        let s = self.subject;
        let m = s.module();
        let function = m.func(f);
        let mut bytes = self.names.bytes(function);
        self.write_lines(&mut bytes, f);
        match kind {
            Kind::Proofs => {
                let settled = s.settled(&|| false);
                settled.hash_function(f, &mut Bytes(&mut bytes));
                if let Some(w) = settled.written(f) {
                    self.names.write(&mut bytes, &w.globals);
                }
            }
            Kind::Runs => {
                let mut named = vec![SymbolRef::Func(f)];
                let mut operand = |o: &Operand| symbols_in(o, &mut named);
                for block in function.body.iter().flat_map(|b| &b.blocks) {
                    block.insts.iter().for_each(|i| i.kind.for_each_operand(&mut operand));
                    block.term.for_each_operand(&mut operand);
                }
                self.write_symbols(&mut bytes, &named);
            }
        }
        // Calls.
        let calls = s.draft.reach.calls();
        self.names.write(&mut bytes, &(calls.callers(f), calls.callees(f)));
        for site in calls.sites_in(f) {
            let (kind, to) = match &site.callee {
                Callee::Direct(g) => (0, std::slice::from_ref(g)),
                Callee::External(g) => (1, std::slice::from_ref(g)),
                Callee::Indirect { may, outside } => (2 + u8::from(*outside), may.as_slice()),
            };
            bytes.push(kind);
            self.names.write(&mut bytes, &to);
        }
        // The plan.
        let roots = &s.draft.roots;
        let flags = [
            calls.called_from_outside(f),
            calls.leaves_module(f),
            roots.entries.contains(&f),
            roots.boundary.contains(&f),
            s.implicit().contains(&f),
            s.address_taken().binary_search(&f).is_ok(),
            m.has_other_inline(f),
            s.is_user(f),
        ];
        bytes.extend(flags.map(u8::from));
        // Checks.
        for c in s.checks.of_function(f) {
            self.names.write(&mut bytes, &(c.kind, c.loc, c.span, &c.expr, &c.message));
        }
        hash(&bytes)
    }

    fn span(&self, n: u32) -> Identity {
        let mut bytes = Vec::new();
        self.names.span(&mut bytes, n);
        hash(&bytes)
    }

    /// The position of a name.
    fn span_of(&self, name: &Identity) -> Option<SpanId> {
        let all = self.spans.get_or_init(|| {
            let all = 0..self.subject.module().spans.len() as u32;
            let mut all: Vec<(Identity, SpanId)> = all.map(|n| (self.span(n), SpanId(n))).collect();
            all.sort_unstable();
            all
        });
        let at = all.partition_point(|s| s.0 < *name);
        all.get(at).filter(|s| s.0 == *name).map(|s| s.1)
    }

    /// The source lines at the positions of a function.
    fn write_lines(&self, bytes: &mut Vec<u8>, f: FuncId) {
        let m = self.subject.module();
        let function = m.func(f);
        let mut spans: BTreeSet<SpanId> = BTreeSet::from([function.span]);
        if let Some(b) = &function.body {
            spans.extend(b.vars.iter().map(|v| v.span));
            spans.extend(b.blocks.iter().flat_map(|k| k.insts.iter().map(|i| i.span).chain([k.term_span])));
        }
        let at: BTreeSet<(usize, u32)> =
            spans.iter().filter_map(|s| m.spans.get(s.index())).map(|s| (s.file.index(), s.line)).collect();
        for (file, line) in at {
            let Some(text) = m.files.get(file).and_then(|f| f.text.as_deref()) else { continue };
            let starts = self.lines[file].get_or_init(|| {
                std::iter::once(0).chain(text.bytes().enumerate().filter(|b| b.1 == b'\n').map(|b| b.0 + 1)).collect()
            });
            let Some(from) = starts.get((line as usize).wrapping_sub(1)) else { continue };
            let to = starts.get(line as usize).copied().unwrap_or(text.len());
            bytes.extend(text.as_bytes().get(*from..to).unwrap_or_default());
            bytes.push(0);
        }
    }
}

/// The symbols of an operand.
fn symbols_in(o: &Operand, out: &mut Vec<SymbolRef>) {
    match o {
        Operand::Const(Const::Symbol(s)) => out.push(*s),
        Operand::Const(Const::BlockAddr(f, _)) => out.push(SymbolRef::Func(*f)),
        Operand::Const(_) | Operand::Value(_) => {}
    }
}

/// Functions, variables, positions and checks by name: checks by their function and their number in it.
impl Numbers for &Digests<'_> {
    fn write(&mut self, what: Number, n: u32, out: &mut Vec<u8>) -> Result<(), Refused> {
        match what {
            Number::Function => out.extend(self.name(FuncId(n)).ok_or_else(Refused::number)?),
            Number::Global => out.extend(self.names.globals.get(n as usize).ok_or_else(Refused::number)?),
            Number::Span => out.extend(self.span(n)),
            Number::Check => {
                let checks = &self.subject.checks;
                let f = checks.all.get(n as usize).ok_or_else(Refused::number)?.func;
                out.extend(self.name(f).ok_or_else(Refused::number)?);
                let first = checks.all.partition_point(|c| c.func < f);
                out.extend((n - first as u32).to_le_bytes());
            }
            Number::Alias | Number::Type | Number::Unit | Number::File => return Err(Refused::number()),
        }
        Ok(())
    }
}

impl Names for &Digests<'_> {
    fn read(&mut self, what: Number, bytes: &mut &[u8]) -> Result<u32, Refused> {
        fn take<const L: usize>(bytes: &mut &[u8]) -> Result<[u8; L], Refused> {
            let (head, rest) = bytes.split_first_chunk::<L>().ok_or_else(Refused::number)?;
            *bytes = rest;
            Ok(*head)
        }
        let name: Identity = take(bytes)?;
        let n = match what {
            Number::Function => self.function(&name).map(|f| f.0),
            Number::Global => self.global_by_name.get(&name).map(|g| g.0),
            Number::Span => self.span_of(&name).map(|s| s.0),
            Number::Check => {
                let ordinal = u32::from_le_bytes(take(bytes)?);
                let checks = &self.subject.checks;
                self.function(&name).and_then(|f| {
                    let first = checks.all.partition_point(|c| c.func < f) as u32;
                    let id = CheckId(first.checked_add(ordinal)?);
                    checks.all.get(id.0 as usize).filter(|c| c.func == f).map(|_| id.0)
                })
            }
            Number::Alias | Number::Type | Number::Unit | Number::File => None,
        };
        n.ok_or_else(Refused::number)
    }
}
