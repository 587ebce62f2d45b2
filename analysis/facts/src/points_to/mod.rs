//! Whole-program points-to: inclusion-based (Andersen 1994), field-sensitive by byte offset, with the call graph found
//! on the way and heap objects told apart by the calls that lead to them.
//!
//! - A [`Location`] is an abstract object and a set of byte offsets ([`Offset`]); pointers outside their object reach
//!   no other object.
//! - Pointers flow through integers and floats of every width (casts, tags, copies byte by byte), except through
//!   comparisons and what they decide, differences that are divided by an element size or read back as pointers, and
//!   floating arithmetic.
//! - Unknown code is one party with one store: [`ObjectId::UNKNOWN`] in a set stands for everything it owns *and* for
//!   every escaped object at any offset. It may store any pointer it has anywhere it can reach and call every escaped
//!   function with them.
//! - Only what the roots reach is looked at; the sets of other functions are empty.
//!
//! The result over-approximates the executions in which no check failed before. It is a function of the module and
//! the options; names of objects are stable between versions of the program.

mod calls;
mod formats;
mod generate;
pub mod hash;
mod limits;
mod memory;
mod object;
mod offset;
mod query;
mod set;
mod slots;
mod solver;
mod wrappers;

pub use calls::{External, external, written_by};
pub use object::{AbstractObject, Location, ObjectId, ObjectKind, Site};
pub use offset::{Offset, gcd};
pub use query::Targets;
pub use set::SparseSet;

use crate::World;
use crate::reach;
use calls::seen_outside;
use generate::NONE;
use hash::FastMap;
use limits::Limits;
use solver::{ESCAPE_NODE, Node, Solver};
use verify_ir::{AliasId, FuncId, GlobalId, Loc, Module, SymbolRef};
use wrappers::Wrappers;

/// What a function without a body (that is no primitive) does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Externals {
    /// Anything with what it is given and what escaped.
    Havoc,
    /// Returns anything and changes nothing (SV-COMP).
    Pure,
}

/// Where execution starts and what is outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether unknown callers exist.
    pub world: World,
    /// It is linked: nothing outside can name what is hidden. Not so for archives and single objects.
    pub linked: bool,
    /// Functions that are entered from outside. `main` gets the argument vector, others anything.
    pub roots: Vec<FuncId>,
    /// Functions without bodies.
    pub externals: Externals,
    /// An execution ends where an index leaves its array; not so in SV-COMP, where it may go on inside a larger object.
    pub indexes_checked: bool,
}

impl Options {
    /// A program: `main` is entered, when there is one.
    pub fn program(module: &Module) -> Options {
        let main = module.function_named("main").filter(|f| module.func(*f).body.is_some());
        Options {
            world: World::Closed,
            linked: true,
            roots: main.into_iter().collect(),
            externals: Externals::Havoc,
            indexes_checked: true,
        }
    }
    /// A library: everything that the linker shows is entered.
    pub fn library() -> Options {
        Options {
            world: World::Open,
            linked: false,
            roots: Vec::new(),
            externals: Externals::Havoc,
            indexes_checked: true,
        }
    }
}

/// Size of the computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Stats {
    pub nodes: usize,
    pub instances: usize,
    pub objects: usize,
    pub locations: usize,
    pub rounds: u32,
    pub collapsed: u32,
    pub set_elements: usize,
    /// 0: the finest; more: the program was too much for the finer ones.
    pub level: u32,
}

/// A function, or its clone for one chain of calls.
#[derive(Clone, Debug)]
pub(crate) struct Copied {
    pub func: FuncId,
    /// Calls it is for.
    chain: Vec<Site>,
    /// Set of each value: index in `sets`, `NONE`: empty.
    values: Vec<u32>,
}

/// A call, in all clones of the function that it is in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallTargets {
    /// Functions with a body that it may enter, by id; those that unknown code calls back are not here.
    pub functions: Vec<FuncId>,
    /// Functions without a body, primitives included, by id.
    pub external: Vec<FuncId>,
    /// It may go, through a pointer, to code outside the module.
    pub unknown: bool,
}

/// A call in one clone.
#[derive(Clone, Debug)]
pub(crate) struct CallEdge {
    pub instance: u32,
    pub loc: Loc,
    pub targets: Vec<u32>,
    pub external: Vec<FuncId>,
    pub unknown: bool,
}

/// The result.
#[derive(Clone, Debug)]
pub struct PointsTo {
    objects: Vec<AbstractObject>,
    locations: Vec<Location>,
    pub(crate) clones: Vec<Copied>,
    pub(crate) by_function: Vec<Vec<u32>>,
    sets: Vec<SparseSet>,
    pub(crate) calls: Vec<CallEdge>,
    callees: Vec<Vec<(Loc, CallTargets)>>,
    contents: Vec<Vec<(Offset, u64, u32)>>,
    from_outside: Vec<bool>,
    escaped: Vec<ObjectId>,
    global_objects: Vec<ObjectId>,
    function_objects: Vec<ObjectId>,
    /// What an alias names, and where; for an ifunc, the set that its resolver gives.
    aliases: Vec<(SymbolRef, u64, u32)>,
    /// Counters.
    pub stats: Stats,
}

impl PointsTo {
    /// Computes it.
    pub fn new(module: &Module, options: &Options) -> PointsTo {
        let size: u64 = module.functions.iter().filter_map(|f| f.body.as_ref()).map(|b| b.values.len() as u64).sum();
        let wrappers = Wrappers::new(module);
        let levels = Limits::levels(size);
        for (level, limits) in levels.into_iter().enumerate() {
            if let Some(mut p) = PointsTo::attempt(module, options, wrappers.clone(), limits) {
                p.stats.level = level as u32;
                return p;
            }
        }
        unreachable!("the last level is not limited")
    }

    fn attempt(module: &Module, options: &Options, wrappers: Wrappers, limits: Limits) -> Option<PointsTo> {
        let mut s = Solver::new(module, options, wrappers, limits);
        s.never = formats::assumed(module);
        for &f in &options.roots {
            if module.func(f).name == "main" {
                s.called_by_system(f);
            } else {
                s.called_by_unknown(f);
            }
        }
        for f in reach::implicit_roots(module) {
            s.called_by_system(f);
        }
        // The system calls `exit` when `main` returns.
        if let Some(exit) = module.function_named("exit").filter(|_| !options.roots.is_empty())
            && module.func(exit).body.is_some()
        {
            s.called_by_system(exit);
        }
        if options.world == World::Open {
            for (i, f) in module.functions.iter().enumerate() {
                if f.body.is_some() && seen_outside(f.linkage, f.visibility, options.linked) {
                    let n = s.symbol_node(SymbolRef::Func(FuncId::new(i)), 0);
                    s.edge(n, ESCAPE_NODE);
                }
            }
            for (i, g) in module.globals.iter().enumerate() {
                if seen_outside(g.linkage, g.visibility, options.linked) {
                    s.global(verify_ir::GlobalId::new(i));
                }
            }
            // What another name shows is shown, whatever its own.
            for (i, a) in module.aliases.iter().enumerate() {
                if seen_outside(a.linkage, a.visibility, options.linked) {
                    let n = s.symbol_node(SymbolRef::Alias(AliasId::new(i)), 0);
                    s.edge(n, ESCAPE_NODE);
                }
            }
        }
        if !s.solve() {
            return None;
        }
        // Objects of symbols that nothing reached have an identity too.
        let objects = (0..module.globals.len()).map(|g| ObjectId(s.global(GlobalId::new(g))));
        let globals: Vec<ObjectId> = objects.collect();
        let function = |f| ObjectId(s.object(ObjectKind::Function(FuncId::new(f)), Some(1), 16, true));
        let functions: Vec<ObjectId> = (0..module.functions.len()).map(function).collect();
        // What is no single place: ifuncs, and what the linker may replace.
        let ifuncs: Vec<Node> = (0..module.aliases.len())
            .map(|a| SymbolRef::Alias(AliasId::new(a)))
            .map(|alias| match module.resolve(alias).0 {
                SymbolRef::Alias(_) => s.symbol_node(alias, 0),
                _ if s.replaceable(alias) => s.symbol_node(alias, 0),
                _ => NONE,
            })
            .collect();
        if !s.solve() {
            return None;
        }
        // Asked of all that there is: resolvers and what only the linker shows have been entered by now.
        if !s.never.is_empty() && !formats::none_counts(&mut s) {
            // With more calls, where pointers lead only grows.
            s.call_all();
            if !s.solve() {
                return None;
            }
        }
        Some(PointsTo::collect(s, globals, functions, &ifuncs))
    }

    fn collect(
        mut s: Solver<'_>,
        global_objects: Vec<ObjectId>,
        function_objects: Vec<ObjectId>,
        ifuncs: &[Node],
    ) -> PointsTo {
        let module = s.module;
        let mut set_of: FastMap<Node, u32> = FastMap::default();
        let mut sets: Vec<SparseSet> = Vec::new();
        let mut set = |s: &mut Solver<'_>, n: Node| {
            if n == NONE {
                return NONE;
            }
            let n = s.find(n);
            if s.nodes[n as usize].pts.is_empty() && !set_of.contains_key(&n) {
                return NONE;
            }
            *set_of.entry(n).or_insert_with(|| {
                sets.push(std::mem::take(&mut s.nodes[n as usize].pts));
                sets.len() as u32 - 1
            })
        };
        let mut by_function = vec![Vec::new(); module.functions.len()];
        let mut clones = Vec::with_capacity(s.instances.len());
        for (i, inst) in std::mem::take(&mut s.instances).into_iter().enumerate() {
            by_function[inst.func.index()].push(i as u32);
            let values = inst.values.iter().map(|n| set(&mut s, *n)).collect();
            clones.push(Copied { func: inst.func, chain: s.chains[inst.chain as usize].clone(), values });
        }
        let mut aliases = Vec::new();
        for (a, n) in ifuncs.iter().enumerate() {
            let (to, offset) = module.resolve(SymbolRef::Alias(AliasId::new(a)));
            aliases.push((to, offset, set(&mut s, *n)));
        }
        let mut contents = Vec::with_capacity(s.objects.len());
        let mut objects = Vec::with_capacity(s.objects.len());
        let mut from_outside = vec![false; module.functions.len()];
        for f in &s.options.roots {
            from_outside[f.index()] = true;
        }
        for o in std::mem::take(&mut s.objects) {
            let cells: Vec<_> = if o.kind == ObjectKind::Transfer {
                Vec::new()
            } else {
                let all = o.cells.all().map(|(at, w, n)| (at, w, set(&mut s, n)));
                all.filter(|(.., set)| *set != NONE).collect()
            };
            contents.push(cells);
            if let (ObjectKind::Function(f), true) = (&o.kind, o.escaped) {
                from_outside[f.index()] = true;
            }
            let single = match o.kind {
                ObjectKind::Global(g) => !module.global(g).thread_local,
                ObjectKind::Function(_) => true,
                _ => false,
            };
            objects.push(AbstractObject {
                name: object::name(module, &o.kind),
                kind: o.kind,
                size: o.size,
                align: o.align,
                read_only: o.read_only,
                single,
                escaped: o.escaped,
            });
        }
        let escaped = objects.iter().enumerate().skip(1).filter(|(_, o)| o.escaped).map(|(i, _)| ObjectId(i as u32));
        let escaped = escaped.collect();
        let mut merged: Vec<std::collections::BTreeMap<Loc, CallTargets>> =
            vec![Default::default(); module.functions.len()];
        let mut calls = Vec::with_capacity(s.sites.len());
        for c in &s.sites {
            let t = merged[c.func.index()].entry(c.loc).or_default();
            t.functions.extend(c.targets.iter().map(|i| clones[*i as usize].func));
            t.external.extend(&c.external);
            t.unknown |= c.unknown;
            calls.push(CallEdge {
                instance: c.instance,
                loc: c.loc,
                targets: c.targets.iter().copied().collect(),
                external: c.external.iter().copied().collect(),
                unknown: c.unknown,
            });
        }
        let callees = merged.into_iter().map(|m| m.into_iter().map(|(l, t)| (l, t.sorted())).collect()).collect();
        let stats = Stats {
            nodes: s.nodes.len(),
            instances: clones.len(),
            objects: objects.len(),
            locations: s.locs.len(),
            rounds: s.rounds,
            collapsed: s.collapsed,
            set_elements: sets.iter().map(SparseSet::len).sum(),
            level: 0,
        };
        PointsTo {
            objects,
            locations: s.locs.iter().map(|(o, offset)| Location { object: ObjectId(*o), offset: *offset }).collect(),
            clones,
            by_function,
            sets,
            calls,
            callees,
            contents,
            from_outside,
            escaped,
            global_objects,
            function_objects,
            aliases,
            stats,
        }
    }
}

impl CallTargets {
    fn sorted(mut self) -> CallTargets {
        self.functions.sort_unstable();
        self.functions.dedup();
        self.external.sort_unstable();
        self.external.dedup();
        self
    }
}
