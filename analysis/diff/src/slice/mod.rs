//! What a global variable influences (malik-2023 ch. 9): of every function that uses it, a slice with all instructions
//! that depend on the variable, on data or control, and what these need. Slices are valid control-flow graphs
//! (§9.2, phase 3), so they are compared, and run, as functions are.
//!
//! Phases: [`depend`] (1) goes forward from the uses; [`restore`] (2 and 3) goes backward and rebuilds the body. Where
//! the text drops a condition whose one side reaches no more of the slice than the other, the condition is kept here
//! when it decides whether something of the slice runs: a change of it is a change of what the variable does.
//!
//! Assumed of code outside the program: that it does not touch the variable, that it reads no memory but what its
//! arguments point to, and that what it does to the world outside does not depend on its earlier calls. Otherwise one
//! dependent call would make all later ones dependent. Calls that the slice does not need are taken to return.

mod depend;
mod effects;
mod restore;

use effects::{Summary, View};
pub(crate) use restore::Slice;
use std::collections::BTreeSet;
use verify_facts::{AddressTaken, Base, Bases, ModRefs};
use verify_ir::{Body, Const, FuncId, GlobalId, InstKind, Module, Operand, SymbolRef};

/// Who uses a variable, and what functions do to memory.
pub(crate) struct Uses {
    bases: Vec<Bases>,
    summaries: Vec<Summary>,
    /// The variable: statics of one name are several.
    variables: BTreeSet<GlobalId>,
    /// Pointers of unknown origin may point to it.
    escapes: bool,
    /// Functions that use it or call such.
    users: BTreeSet<FuncId>,
    /// A call through a pointer may use it.
    indirect: bool,
}

/// The variables with a name: a linker's, or C's for a `static` inside a function.
pub(crate) fn variables(m: &Module, name: &str) -> BTreeSet<GlobalId> {
    (0..m.globals.len())
        .map(GlobalId::new)
        .filter(|g| {
            let i = m.global(*g);
            !i.compiler_made && (i.name == name || i.source_name == name)
        })
        .collect()
}

impl Uses {
    pub fn new(m: &Module, name: &str) -> Uses {
        let bases = verify_facts::bases::all(m);
        let taken = AddressTaken::new(m, &bases);
        let variables = variables(m, name);
        let escapes = variables.iter().any(|v| taken.globals.contains(v));
        let summaries = summaries(m, &bases);
        let mut u = Uses { bases, summaries, variables, escapes, users: BTreeSet::new(), indirect: false };
        loop {
            let before = u.users.len();
            for f in (0..m.functions.len()).map(FuncId::new) {
                if !u.users.contains(&f) && m.func(f).body.as_ref().is_some_and(|b| u.in_body(m, f, b)) {
                    u.users.insert(f);
                }
            }
            u.indirect = taken.functions.iter().any(|f| u.users.contains(f));
            if u.users.len() == before {
                return u;
            }
        }
    }

    fn in_body(&self, m: &Module, f: FuncId, body: &Body) -> bool {
        let bases = &self.bases[f.index()];
        body.blocks.iter().any(|b| {
            let mut found = b.insts.iter().any(|i| self.seed(m, bases, &i.kind) || self.may_write(m, bases, &i.kind));
            b.term.for_each_operand(|o| found |= self.names(m, o));
            found
        })
    }

    fn names(&self, m: &Module, o: &Operand) -> bool {
        match o {
            Operand::Const(Const::Symbol(s)) => match m.resolve(*s).0 {
                SymbolRef::Global(g) => self.variables.contains(&g),
                _ => false,
            },
            _ => false,
        }
    }

    /// Does the instruction use the variable, its address, or code that does?
    fn seed(&self, m: &Module, bases: &Bases, kind: &InstKind) -> bool {
        if matches!(kind, InstKind::DebugValue { .. }) {
            return false;
        }
        let mut found = false;
        kind.for_each_operand(|o| found |= self.names(m, o));
        let through = |o: &Operand| self.escapes && bases.of(m, o).contains(&Base::Unknown);
        found
            || match kind {
                InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. } => {
                    through(ptr)
                }
                InstKind::MemCopy { src, .. } => through(src),
                InstKind::Call(c) => match &c.callee {
                    Operand::Const(Const::Symbol(s)) => match m.resolve(*s) {
                        (SymbolRef::Func(g), 0) => self.users.contains(&g),
                        _ => self.indirect,
                    },
                    _ => self.indirect,
                },
                _ => false,
            }
    }

    /// May the instruction write the variable by a pointer of unknown origin?
    fn may_write(&self, m: &Module, bases: &Bases, kind: &InstKind) -> bool {
        match kind {
            InstKind::Store { ptr: to, .. } | InstKind::MemCopy { dst: to, .. } | InstKind::MemSet { dst: to, .. } => {
                self.escapes && bases.of(m, to).contains(&Base::Unknown)
            }
            _ => false,
        }
    }

    /// Does the function use the variable, itself or by what it calls?
    pub fn uses(&self, f: FuncId) -> bool {
        self.users.contains(&f)
    }

    fn summary(&self, f: FuncId) -> &Summary {
        &self.summaries[f.index()]
    }

    /// The slice of a function.
    ///
    /// # Errors
    /// Why there is none.
    pub fn slice(&self, m: &Module, f: FuncId) -> Result<Slice, String> {
        let Some(body) = &m.func(f).body else { return Err("a function without a body".into()) };
        let view = View::new(m, self, &self.bases[f.index()], body);
        let flow = depend::Flow::new(body)?;
        let seeds = depend::forward(&view, body, &flow, true);
        let sure = depend::forward(&view, body, &flow, false);
        Ok(restore::slice(&view, body, &flow, seeds, &sure))
    }
}

/// What functions do to memory, with what they call.
fn summaries(m: &Module, bases: &[Bases]) -> Vec<Summary> {
    let own = ModRefs::new(m, bases);
    let mut out: Vec<Summary> = (0..m.functions.len())
        .map(|f| {
            let r = own.of(FuncId::new(f));
            Summary {
                reads: r.reads.clone(),
                writes: r.writes.clone(),
                reads_unknown: r.reads_unknown,
                writes_unknown: r.writes_unknown,
            }
        })
        .collect();
    loop {
        let mut grown = false;
        for f in 0..m.functions.len() {
            let Some(body) = &m.functions[f].body else { continue };
            let mut s = out[f].clone();
            for i in body.blocks.iter().flat_map(|b| &b.insts) {
                let InstKind::Call(c) = &i.kind else { continue };
                let callee = match &c.callee {
                    Operand::Const(Const::Symbol(s)) => match m.resolve(*s) {
                        (SymbolRef::Func(g), 0) => Some(g),
                        _ => None,
                    },
                    _ => None,
                };
                match callee {
                    Some(g) if m.func(g).body.is_some() => {
                        let t = &out[g.index()];
                        s.reads.extend(&t.reads);
                        s.writes.extend(&t.writes);
                        s.reads_unknown |= t.reads_unknown;
                        s.writes_unknown |= t.writes_unknown;
                    }
                    Some(g) if m.func(g).attrs.no_memory => {}
                    Some(g) => {
                        s.reads_unknown = true;
                        s.writes_unknown |= !m.func(g).attrs.read_only;
                    }
                    None => {
                        s.reads_unknown = true;
                        s.writes_unknown = true;
                    }
                }
            }
            grown |= s != out[f];
            out[f] = s;
        }
        if !grown {
            return out;
        }
    }
}
