//! Checks that hold for simple reasons, found without a solver: a forward analysis of intervals, of what accesses that
//! passed say about pointers, of what is defined, and of what memory is known to hold.
//!
//! Theory: a must-analysis over the control-flow graph (Kildall 1973) with widening of intervals at loop heads (Cousot
//! and Cousot 1976). An execution ends at its first failing check, so behind an access its pointer is known to be good:
//! elimination of redundant checks (Gupta 1990). Memory is followed as available loads, stores forward their value;
//! what a store or a call may change, [`crate::points_to`] and [`crate::effects`] say.
//!
//! Between functions: what all callers agree on about an argument holds in the callee, what all returns agree on
//! holds of the result; callers from outside keep to the input contract. The facts of all functions are the greatest
//! fixpoint, reached from above; a function that does not settle is left without facts.
//!
//! ```text
//! interval   numbers                     state      what is known at a place, and what two paths agree on
//! function   one function, to its fixpoint  inst    what an instruction needs and shows
//! refine     what a condition says       alias      what a store or call may change
//! contents   what memory holds whenever it is read;  born: objects that are never undefined
//! birth      objects that are new: what is written before others look at them
//! across     what callers and callees tell each other about memory
//! linear     sums of multiples              relation  what several numbers have to do with one another
//! definedness  which bits are defined, and what a check that passed says about them
//! ```
//!
//! Where a library model ends as unmodelled, the function may return with anything, but it changes no other memory than
//! the model says (behind `__verify_unmodelled_use` stands what it may change besides).
//!
//! Assumes that a number which no pointer was made into is no object's address: an access through it fails, whatever
//! lies there.

mod across;
mod alias;
mod birth;
mod born;
mod claims;
mod contents;
mod definedness;
mod function;
mod inst;
mod interval;
mod linear;
mod refine;
mod relation;
mod state;

pub use interval::Interval;

use crate::points_to::{Location, ObjectKind, Offset, PointsTo, Targets};
use crate::reach::implicit_roots;
use crate::{CallGraph, MemoryEffects, Sccs};
use across::Places;
use alias::{Alias, Lives};
use birth::{Births, Ranges};
use claims::Claim;
use contents::{Contents, Write};
use function::{Function, Kept};
pub use function::{Hint, Known};
pub use state::{Extent, Safe};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_ir::{Block, CType, CheckKind, FuncId, GlobalId, InstKind, Loc, Module, Operand, Ty, TypeId, Value, noted};

/// Variables of the library that hold streams.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];
/// Passes over a function until it is given up.
const PASSES: u32 = 400;
/// Times that what is known of a function's arguments or results may change until bounds are dropped.
const CHANGES: u32 = 12;
/// The same for what a function shows of its arguments: most bounds are its callers' own, and come back at each change.
const CHANGES_SHOWN: u32 = 2;
/// Facts, places and answers about them that are kept between looks at functions.
const MAX_KEPT: usize = 4_000_000;
/// Functions with more instructions are not looked at.
const MAX_INSTRUCTIONS: usize = 60_000;

/// What is given.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Program.
    pub module: &'a Module,
    /// Where pointers point; its roots are where executions start.
    pub points_to: &'a PointsTo,
    /// What calls do to memory.
    pub effects: &'a MemoryEffects,
    /// Who calls whom.
    pub calls: &'a CallGraph,
    /// Checks of this kind do not end an execution: nothing follows from them (SV-COMP lets an index leave an array
    /// inside a larger object).
    pub unchecked: Option<CheckKind>,
    /// An uninitialised variable has an arbitrary value, and reading it is no failure.
    pub uninit_is_arbitrary: bool,
}

/// Checks that hold, by function, place and kind.
#[derive(Clone, Default, Debug)]
pub struct Settled {
    by_function: BTreeMap<FuncId, Vec<(Loc, CheckKind)>>,
    /// Places from which on, to the end of the block, control never gets.
    dead: BTreeMap<FuncId, BTreeMap<Block, u32>>,
    values: BTreeMap<FuncId, Vec<(Value, Hint)>>,
    arguments: BTreeMap<(FuncId, Loc), Passed>,
    through: BTreeMap<(FuncId, Loc), Through>,
    runs: Vec<bool>,
    /// `stdout` and `stderr` are the library's own.
    standard: [bool; 3],
    /// What calls of a function may write.
    written: Vec<Option<Written>>,
}

/// What is known of the arguments of a call of a library model.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Passed {
    /// Of each by itself.
    pub known: Vec<Known>,
    /// Pointers of which every object that they may lead to is known.
    pub own: Vec<u32>,
    /// Pointers to characters with a NUL behind them, all of them defined and never written to.
    pub texts: Vec<u32>,
    /// Pointers with as many bytes inside their object, from them on, as a number says, or the product of two.
    pub covers: Vec<(u32, u32, Option<u32>)>,
}

/// A pointer that is called leads to the beginning of one of these functions, if it is made from an address at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Through {
    /// Functions, with a body or without.
    pub functions: Vec<FuncId>,
    /// Of the pointer.
    pub known: Known,
}

/// What a call may write, where that is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// Variables, sorted.
    pub globals: Vec<GlobalId>,
    /// Local variables and heap objects, too; or it releases some.
    pub others: bool,
}

/// Why a check holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// What is known at the place excludes a failure.
    Known,
    /// Control never gets there.
    Dead,
}

impl Settled {
    /// No execution fails this check.
    pub fn holds(&self, f: FuncId, loc: Loc, kind: CheckKind) -> Option<Why> {
        noted::function(f);
        if self.dead.get(&f).and_then(|d| d.get(&loc.block)).is_some_and(|from| loc.inst >= *from) {
            return Some(Why::Dead);
        }
        let known = self.by_function.get(&f).is_some_and(|v| v.binary_search(&(loc, kind)).is_ok());
        known.then_some(Why::Known)
    }

    /// Anything was found out; not so when time was up.
    pub fn known(&self) -> bool {
        !self.runs.is_empty()
    }

    /// What a call of the function may write; [`None`]: anything.
    pub fn written(&self, f: FuncId) -> Option<&Written> {
        noted::function(f);
        self.written.get(f.index())?.as_ref()
    }

    /// The function may run.
    pub fn runs(&self, f: FuncId) -> bool {
        noted::function(f);
        self.runs.get(f.index()).is_some_and(|r| *r)
    }

    /// What is known of the arguments of a call of a library model.
    pub fn arguments(&self, f: FuncId, loc: Loc) -> Option<&Passed> {
        noted::function(f);
        self.arguments.get(&(f, loc))
    }

    /// Where a pointer leads that is called.
    pub fn through(&self, f: FuncId, loc: Loc) -> Option<&Through> {
        noted::function(f);
        self.through.get(&(f, loc))
    }

    /// The variable `stdin`, `stdout` or `stderr` holds one of the library's own streams at any time.
    pub fn is_standard_stream(&self, name: &str) -> bool {
        STANDARD.iter().zip(self.standard).any(|(n, own)| *n == name && own)
    }

    /// What is known of a value of a function whenever it is made, in every execution from the program's roots.
    pub fn hint(&self, f: FuncId, v: Value) -> Option<&Hint> {
        noted::function(f);
        let all = self.values.get(&f)?;
        all.binary_search_by_key(&v, |h| h.0).ok().map(|i| &all[i].1)
    }

    /// All that is known of one function, to compare it with what is known of it elsewhere; but for the variables of
    /// [`Settled::written`] and the functions of [`Settled::through`], which are numbered by the program.
    pub fn hash_function(&self, f: FuncId, h: &mut impl std::hash::Hasher) {
        use std::hash::Hash;
        self.by_function.get(&f).hash(h);
        self.dead.get(&f).hash(h);
        self.values.get(&f).hash(h);
        let whole = |block, inst| (f, Loc { block: verify_ir::Block(block), inst });
        for ((_, loc), known) in self.arguments.range(whole(0, 0)..=whole(u32::MAX, u32::MAX)) {
            (loc, known).hash(h);
        }
        let others = self.written.get(f.index()).and_then(|w| w.as_ref()).map(|w| w.others);
        (self.runs.get(f.index()), others).hash(h);
    }
}

/// What one function gave.
#[derive(Clone, Default, Debug)]
struct Found {
    /// Checks that hold.
    holds: Vec<(Loc, CheckKind)>,
    /// Where control never gets, to the end of the block.
    dead: Vec<Loc>,
    values: Vec<(Value, Hint)>,
    arguments: Vec<(Loc, Passed)>,
    through: Vec<(Loc, Through)>,
    /// Reads of what nothing is written to.
    empty: Vec<Write>,
}

/// What is known of the arguments and results of a function.
#[derive(Clone, PartialEq, Debug, Default)]
struct Interface {
    /// Only the system calls it, as `main`.
    main: bool,
    /// Of each parameter.
    params: Agreed,
    /// Of each result.
    results: Agreed,
    /// Of each parameter where the function returns.
    shown: Agreed,
    /// What all calls show of several arguments at once; `None`: there was none yet.
    before: Option<Vec<Claim>>,
    /// What all returns show of several arguments and results at once; `None`: there was none yet.
    after: Option<Vec<Claim>>,
}

/// What all calls, or all returns, agree on.
#[derive(Clone, PartialEq, Debug, Default)]
struct Agreed {
    /// `None`: there was none yet.
    known: Option<Vec<Known>>,
    /// Of memory.
    memory: Places,
    /// How often it changed.
    changes: u32,
}

impl Agreed {
    /// One more; whether it says less than all before.
    fn learn(&mut self, one: Vec<Known>, memory: Places, changes: u32) -> bool {
        let many = self.changes >= changes;
        let both = |o: &Known, a: &Known| if many { o.meet_without_bounds(a) } else { o.meet(a) };
        let (new, memory) = match &self.known {
            None => (one, memory),
            Some(old) => (
                old.iter().zip(&one).map(|(o, a)| both(o, a)).collect(),
                across::meet_with(&self.memory, &memory, both),
            ),
        };
        if self.known.as_ref() == Some(&new) && self.memory == memory {
            return false;
        }
        self.known = Some(new);
        self.memory = memory;
        self.changes += 1;
        true
    }
}

/// Settles what it can.
pub fn settle(given: Given<'_>, stop: &dyn Fn() -> bool) -> Settled {
    settled(given, stop, false)
}

/// The same with each function by itself: nothing is known of what callers pass, callees return or memory holds that
/// anyone writes. To measure by.
pub fn settle_by_function(given: Given<'_>, stop: &dyn Fn() -> bool) -> Settled {
    settled(given, stop, true)
}

fn settled(given: Given<'_>, stop: &dyn Fn() -> bool, by_function: bool) -> Settled {
    let n = given.module.functions.len();
    let births = birth::births(&given);
    let contents = Contents::new(&given, &births);
    let mut work = Work {
        given,
        interfaces: vec![Interface::default(); n],
        contents,
        births,
        callers: callers(&given),
        todo: vec![false; n],
        lives: Rc::new(Lives::new(&given)),
        looked_at: BTreeMap::new(),
        kept: 0,
    };
    work.start();
    let order = work.order();
    if by_function {
        order.iter().filter(|f| given.points_to.reached(**f)).for_each(|f| work.give_up(*f));
    }
    let mut settled: Vec<Found> = vec![Found::default(); n];
    // Callers first; a function is done again when what it is told changed. Whole sweeps: what several say of a function is
    // looked at together.
    loop {
        while order.iter().any(|f| work.todo[f.index()]) {
            for f in &order {
                if !std::mem::take(&mut work.todo[f.index()]) {
                    continue;
                }
                if stop() {
                    return Settled::default();
                }
                settled[f.index()] = work.function(*f);
            }
        }
        // Behind reads of what nobody writes, nobody has looked yet.
        let empty: Vec<Write> = settled.iter_mut().flat_map(|s| std::mem::take(&mut s.empty)).collect();
        if empty.is_empty() {
            break;
        }
        work.write(&empty);
    }
    let runs = (0..n).map(|i| given.points_to.reached(FuncId::new(i))).collect();
    let written = (0..n).map(|i| written_by(&given, FuncId::new(i))).collect();
    let mut out = Settled { runs, written, standard: STANDARD.map(|n| work.standard_stream(n)), ..Settled::default() };
    for (i, Found { mut holds, dead, mut values, arguments, through, .. }) in settled.into_iter().enumerate() {
        let f = FuncId::new(i);
        holds.sort_unstable();
        holds.dedup();
        if !holds.is_empty() {
            out.by_function.insert(f, holds);
        }
        out.arguments.extend(arguments.into_iter().map(|(loc, k)| ((f, loc), k)));
        out.through.extend(through.into_iter().map(|(loc, t)| ((f, loc), t)));
        values.sort_unstable_by_key(|h| h.0);
        if !values.is_empty() {
            out.values.insert(f, values);
        }
        if !dead.is_empty() {
            out.dead.insert(f, dead.into_iter().map(|l| (l.block, l.inst)).collect());
        }
    }
    out
}

fn written_by(given: &Given<'_>, f: FuncId) -> Option<Written> {
    let e = given.effects.of(f);
    if e.writes_unknown || e.frees_unknown || e.calls_unknown {
        return None;
    }
    let mut out = Written { globals: Vec::new(), others: !given.effects.frees(e).is_empty() };
    for a in given.effects.writes(e) {
        match given.points_to.object(a.object).kind {
            ObjectKind::Global(g) => out.globals.push(g),
            ObjectKind::Unknown => return None,
            _ => out.others = true,
        }
    }
    out.globals.sort_unstable();
    out.globals.dedup();
    Some(out)
}

struct Work<'a> {
    given: Given<'a>,
    interfaces: Vec<Interface>,
    contents: Contents,
    births: Births,
    callers: Vec<Vec<FuncId>>,
    todo: Vec<bool>,
    lives: Rc<Lives>,
    /// Of functions that were looked at before.
    looked_at: BTreeMap<FuncId, Kept<'a>>,
    /// Their size.
    kept: usize,
}

impl<'a> Work<'a> {
    /// Functions that are called from outside know what the contract says.
    fn start(&mut self) {
        let m = self.given.module;
        let p = self.given.points_to;
        let all = || (0..m.functions.len()).map(FuncId::new);
        let called: BTreeSet<FuncId> =
            all().flat_map(|f| p.calls_in(f)).flat_map(|c| c.1.functions.iter().copied()).collect();
        let system: BTreeSet<FuncId> = implicit_roots(m).into_iter().chain(m.function_named("exit")).collect();
        for (i, f) in m.functions.iter().enumerate() {
            let id = FuncId::new(i);
            if f.body.is_none() || !self.given.points_to.reached(id) {
                continue;
            }
            self.todo[i] = true;
            self.interfaces[i].main = f.name == "main" && self.called_by_system_only(id);
            if self.given.points_to.called_from_outside(id) {
                self.interfaces[i].params.known = Some(contract(m, id));
                self.interfaces[i].before = Some(Vec::new());
            } else if system.contains(&id) || !called.contains(&id) {
                // The system calls it, with whatever it has.
                self.interfaces[i].params.known = Some(vec![Known::default(); f.sig.params.len()]);
                self.interfaces[i].before = Some(Vec::new());
            }
        }
    }

    /// No call in the program leads there, and no unknown code: pointers that it is handed are the system's.
    fn called_by_system_only(&self, f: FuncId) -> bool {
        let p = self.given.points_to;
        let Some(b) = self.given.module.func(f).body.as_ref().and_then(|b| b.blocks.first()) else { return false };
        let system = |v: &Value| {
            let t = p.of(f, &Operand::Value(*v));
            !t.unknown && t.places.iter().all(|l| matches!(p.object(l.object).kind, ObjectKind::Argv))
        };
        let body = self.given.module.func(f).body.as_ref();
        let pointers = b.params.iter().filter(|v| body.is_some_and(|b| b.ty(**v) == Ty::Ptr));
        self.given.calls.callers(f).is_empty() && self.callers[f.index()].is_empty() && pointers.into_iter().all(system)
    }

    fn order(&self) -> Vec<FuncId> {
        let sccs = Sccs::new(&self.given.calls.graph());
        let mut all: Vec<FuncId> =
            sccs.bottom_up().flat_map(|(_, m)| m.iter().copied()).map(|i| FuncId::new(i as usize)).collect();
        all.reverse();
        all.retain(|f| f.index() < self.todo.len());
        all
    }

    fn function(&mut self, f: FuncId) -> Found {
        // Nothing that was seen calls it so far: it may still be called, by what is done later.
        let Agreed { known: Some(params), memory, .. } = self.interfaces[f.index()].params.clone() else {
            return Found::default();
        };
        let m = self.given.module;
        let blocks = || m.func(f).body.iter().flat_map(|b| &b.blocks);
        let size: usize = blocks().map(|b| b.insts.len() + 1).sum();
        // An instruction without a meaning goes on with anything, and anywhere.
        let gaps = blocks().flat_map(|b| &b.insts).any(|i| matches!(i.kind, InstKind::Unmodelled { .. }));
        let before = self.interfaces[f.index()].before.clone().unwrap_or_default();
        let found = if size > MAX_INSTRUCTIONS || gaps { None } else { self.look(f, &params, &memory, &before) };
        let Some(found) = found else {
            // Its callees know nothing, nor do those who use what it returns.
            self.give_up(f);
            return Found::default();
        };
        for (g, args, memory, claims) in found.calls {
            self.tell(g, args, memory, claims);
        }
        self.contents.read_by(f, &found.reads);
        self.write(&found.writes);
        self.seen(&found.born);
        if let Some(results) = found.results {
            self.returned(f, results, found.left, found.claims);
        }
        Found {
            holds: found.holds,
            dead: found.dead,
            values: found.values,
            arguments: found.arguments,
            through: found.through,
            empty: found.empty,
        }
    }

    fn look(&mut self, f: FuncId, params: &[Known], memory: &Places, before: &[Claim]) -> Option<function::Found> {
        let kept = match self.looked_at.remove(&f) {
            Some(k) => {
                self.kept -= k.size();
                k
            }
            None => Kept::new(Alias::new(self.given, f, self.lives.clone())),
        };
        let mut function = Function::new(self.given, f, &self.interfaces, &self.contents, &self.births, kept)?;
        let found = function.run(params, memory, before, PASSES);
        let after = function.keep();
        if found.is_some() && self.kept + after.size() <= MAX_KEPT {
            self.kept += after.size();
            self.looked_at.insert(f, after);
        }
        found
    }

    /// The variable holds the address of a static object that can be a stream.
    fn standard_stream(&self, name: &str) -> bool {
        let Some(g) = self.given.module.globals.iter().position(|g| g.name == name).map(verify_ir::GlobalId::new)
        else {
            return false;
        };
        let p = self.given.points_to;
        let Some(object) = p.symbol(verify_ir::SymbolRef::Global(g)) else { return false };
        let targets = Targets { places: vec![Location { object, offset: Offset::ZERO }], unknown: false };
        let read = contents::Read { size: self.given.module.target.pointer_bytes(), ty: Ty::Ptr, new: false };
        let known = self.contents.of(&self.given, &targets, read, &mut BTreeSet::new());
        let held = p.contents(object, Offset::ZERO, read.size);
        let fixed = |l: &Location| matches!(p.object(l.object).kind, ObjectKind::Global(_));
        known.is_some_and(|k| k.safe.has(Safe::NULL.with(Safe::INVALID).with(Safe::WRITABLE)) && k.extent.is_some())
            && !held.unknown
            && held.places.iter().all(fixed)
    }

    /// Memory is written.
    fn write(&mut self, writes: &[Write]) {
        for f in self.contents.add(&self.given, writes) {
            self.todo[f.index()] = true;
        }
    }

    /// Others may look at new objects.
    fn seen(&mut self, born: &[(crate::points_to::ObjectId, Ranges)]) {
        for f in self.contents.seen(born) {
            self.todo[f.index()] = true;
        }
    }

    fn give_up(&mut self, f: FuncId) {
        let born: Vec<_> = self.births.of(f).flat_map(|(_, o)| o).map(|o| (*o, Ranges::default())).collect();
        self.seen(&born);
        // What it writes is not known.
        let writes = contents::all_writes(&self.given, f);
        self.write(&writes);
        let callees: Vec<FuncId> =
            self.given.points_to.calls_in(f).iter().flat_map(|c| c.1.functions.iter().copied()).collect();
        for g in callees {
            let n = self.given.module.func(g).sig.params.len();
            self.tell(g, vec![Known::default(); n], Places::new(), Vec::new());
        }
        let n = self.given.module.func(f).sig.results.len();
        self.returned(f, vec![Known::default(); n], Places::new(), Vec::new());
    }

    /// A call with arguments of which this is known.
    fn tell(&mut self, g: FuncId, mut args: Vec<Known>, memory: Places, claims: Vec<Claim>) {
        let n = self.given.module.func(g).sig.params.len();
        args.resize(n, Known::default());
        let interface = &mut self.interfaces[g.index()];
        let news = agree_on(&mut interface.before, claims);
        if interface.params.learn(args, memory, CHANGES) || news {
            self.todo[g.index()] = true;
        }
    }

    fn returned(&mut self, f: FuncId, mut results: Vec<Known>, memory: Places, claims: Vec<Claim>) {
        let n = self.given.module.func(f).sig.results.len().min(results.len());
        let shown = results.split_off(n);
        let interface = &mut self.interfaces[f.index()];
        let news = agree_on(&mut interface.after, claims) | interface.results.learn(results, memory, CHANGES);
        if interface.shown.learn(shown, Places::new(), CHANGES_SHOWN) || news {
            for c in &self.callers[f.index()] {
                self.todo[c.index()] = true;
            }
        }
    }
}

/// Keeps of what was claimed what is claimed again; whether that is less.
fn agree_on(old: &mut Option<Vec<Claim>>, new: Vec<Claim>) -> bool {
    let Some(all) = old else {
        *old = Some(new);
        return true;
    };
    let n = all.len();
    all.retain(|c| new.contains(c));
    all.len() < n
}

/// Who may call each function, pointers included.
fn callers(given: &Given<'_>) -> Vec<Vec<FuncId>> {
    let n = given.module.functions.len();
    let mut out = vec![Vec::new(); n];
    for f in (0..n).map(FuncId::new) {
        for g in given.points_to.calls_in(f).iter().flat_map(|c| &c.1.functions) {
            // Callers come in order.
            if out[g.index()].last() != Some(&f) {
                out[g.index()].push(f);
            }
        }
    }
    out
}

/// What the input contract says of the arguments of a function that is called from outside: numbers are defined; a
/// pointer is null or points to a live object not smaller than the type it points to.
fn contract(m: &Module, f: FuncId) -> Vec<Known> {
    let function = m.func(f);
    let types = function.ctype.map(|t| strip(m, t)).and_then(|t| match m.ctype(t) {
        // Structures are passed in pieces, or in memory: then parameters are others than in C.
        CType::Function { params, .. } if params.len() == function.sig.params.len() => {
            let whole = |t: &TypeId| !matches!(m.ctype(strip(m, *t)), CType::Record(_) | CType::Array { .. });
            params.iter().all(whole).then(|| params.clone())
        }
        _ => None,
    });
    let main = function.name == "main";
    let known = |(i, p): (usize, &verify_ir::Param)| {
        if p.ty != Ty::Ptr {
            return Known { defined: true, ..Known::default() };
        }
        let own = p.attrs.byval.map(|b| b.0).or(p.attrs.sret);
        if let Some(size) = own {
            return Known::object(size);
        }
        let ctype = types.as_ref().map(|t| strip(m, t[i]));
        let pointee = ctype.and_then(|t| match m.ctype(t) {
            CType::Pointer(to) => Some(strip(m, *to)),
            _ => None,
        });
        let code = pointee.is_some_and(|t| matches!(m.ctype(t), CType::Function { .. }));
        match pointee {
            _ if code || main => Known { defined: true, ..Known::default() },
            Some(t) => Known::input(size_of(m, t, 0).max(1)),
            None => Known { defined: true, ..Known::default() },
        }
    };
    function.sig.params.iter().enumerate().map(known).collect()
}

/// Without typedefs and qualifiers.
fn strip(m: &Module, t: TypeId) -> TypeId {
    m.stripped(t)
}

/// Bytes of a type; 0 when not known. Never more than it has.
fn size_of(m: &Module, t: TypeId, depth: u32) -> u64 {
    if depth > 64 {
        return 0;
    }
    match m.ctype(strip(m, t)) {
        CType::Base { bits, .. } => u64::from(*bits / 8),
        CType::Pointer(_) => m.target.pointer_bytes(),
        CType::Record(r) => r.size,
        CType::Array { elem, count } => count.unwrap_or(0).saturating_mul(size_of(m, *elem, depth + 1)),
        CType::Enum { underlying, .. } => size_of(m, *underlying, depth + 1),
        CType::Void | CType::Typedef { .. } | CType::Qualified { .. } | CType::Function { .. } => 0,
    }
}
