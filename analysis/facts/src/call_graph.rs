//! The call graph. Direct calls have one target; a call through a pointer may go to every function whose address is
//! taken and whose signature the call site fits ("type-based" resolution, narrowed where the function itself shows
//! the pointer's origin). Code outside the module is one unknown party ([`World`]).

use crate::address_taken::AddressTaken;
use crate::bases::{Base, Bases};
use crate::scc;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::graph::Graph;
use verify_ir::inst::InstKind;
use verify_ir::noted;
use verify_ir::{Block, Call, FuncId, Function, Linkage, Loc, Module, Operand, SymbolRef, Terminator, Ty, Value};

/// Whether there is code that the module does not contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum World {
    /// Unknown callers and callees exist: they may call every function that is linker-visible or whose address is
    /// taken, and hand in pointers to functions of their own.
    Open,
    /// The module is all there is, but for functions that are declared and not defined.
    Closed,
}

/// Names of the primitives under the C library models: they call nothing, but for one.
const PRIMITIVE: &str = "__verify_";
const RUN_DESTRUCTORS: &str = "__verify_run_destructors";

/// Where a call may go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// To this function, which has a body.
    Direct(FuncId),
    /// To this function, which has none: unknown code, or a primitive.
    External(FuncId),
    /// Through a pointer.
    Indirect {
        /// Functions with or without body that it may go to, by id.
        may: Vec<FuncId>,
        /// It may also go to code outside the module.
        outside: bool,
    },
}

/// A call in a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    /// The function it is in.
    pub caller: FuncId,
    /// Instruction, or terminator for `invoke`.
    pub loc: Loc,
    /// Where it may go.
    pub callee: Callee,
}

/// Call sites, callers and callees.
#[derive(Clone, Debug)]
pub struct CallGraph {
    world: World,
    /// By caller, then place.
    sites: Vec<CallSite>,
    /// Index of the first site of each function, and the number of sites.
    first: Vec<usize>,
    callees: Vec<Vec<FuncId>>,
    callers: Vec<Vec<FuncId>>,
    from_outside: Vec<bool>,
    leaves: Vec<bool>,
}

impl CallGraph {
    /// Builds it. `bases` has one entry per function.
    pub fn new(module: &Module, world: World, bases: &[Bases], taken: &AddressTaken) -> CallGraph {
        let n = module.functions.len();
        let mut graph = CallGraph {
            world,
            sites: Vec::new(),
            first: Vec::with_capacity(n + 1),
            callees: vec![Vec::new(); n],
            callers: vec![Vec::new(); n],
            from_outside: vec![false; n],
            leaves: vec![false; n],
        };
        let outside = world == World::Open || module.functions.iter().any(is_unknown);
        for (i, f) in module.functions.iter().enumerate() {
            graph.first.push(graph.sites.len());
            let caller = FuncId::new(i);
            let cx = Resolver { module, outside, bases: &bases[i], taken };
            for (bi, b) in f.body.iter().flat_map(|b| b.blocks.iter().enumerate()) {
                for (at, inst) in b.insts.iter().enumerate() {
                    if let InstKind::Call(c) = &inst.kind {
                        let loc = Loc { block: Block::new(bi), inst: at as u32 };
                        let callee = cx.callee(f, c, Some(&inst.results));
                        graph.sites.push(CallSite { caller, loc, callee });
                    }
                }
                if let Terminator::Invoke { call, .. } = &b.term {
                    let loc = Loc { block: Block::new(bi), inst: b.insts.len() as u32 };
                    graph.sites.push(CallSite { caller, loc, callee: cx.callee(f, call, None) });
                }
            }
        }
        graph.first.push(graph.sites.len());
        graph.close(module, taken);
        graph
    }

    fn close(&mut self, module: &Module, taken: &AddressTaken) {
        let mut edges: Vec<BTreeSet<FuncId>> = vec![BTreeSet::new(); self.callees.len()];
        for s in &self.sites {
            let i = s.caller.index();
            match &s.callee {
                Callee::Direct(f) => _ = edges[i].insert(*f),
                Callee::External(f) => {
                    let name = module.func(*f).name.as_str();
                    edges[i].insert(*f);
                    if name == RUN_DESTRUCTORS {
                        edges[i].extend(module.destructors.iter().map(|d| d.func));
                    }
                    self.leaves[i] |= !name.starts_with(PRIMITIVE);
                }
                Callee::Indirect { may, outside } => {
                    edges[i].extend(may);
                    self.leaves[i] |= outside | may.iter().any(|f| is_unknown(module.func(*f)));
                }
            }
        }
        for (i, to) in edges.iter().enumerate() {
            for f in to {
                self.callers[f.index()].push(FuncId::new(i));
            }
            self.callees[i] = to.iter().copied().collect();
        }
        let aliases = module.aliases.iter().filter(|a| a.linkage != Linkage::Internal);
        let shown: BTreeSet<SymbolRef> = aliases.map(|a| module.resolve(a.target).0).collect();
        let anyone_leaves = self.leaves.iter().any(|l| *l);
        for (i, f) in module.functions.iter().enumerate() {
            let named = f.linkage != Linkage::Internal || shown.contains(&SymbolRef::Func(FuncId::new(i)));
            let visible = self.world == World::Open && named;
            let escaped = taken.functions.contains(&FuncId::new(i)) && (anyone_leaves || self.world == World::Open);
            self.from_outside[i] = visible || escaped;
        }
    }

    /// The world it was built for.
    pub fn world(&self) -> World {
        self.world
    }
    /// All call sites, by caller and place.
    pub fn sites(&self) -> &[CallSite] {
        &self.sites
    }
    /// The call sites in a function, by place.
    pub fn sites_in(&self, f: FuncId) -> &[CallSite] {
        noted::function(f);
        &self.sites[self.first[f.index()]..self.first[f.index() + 1]]
    }
    /// The call at a place, if there is one.
    pub fn site_at(&self, f: FuncId, loc: Loc) -> Option<&CallSite> {
        let sites = self.sites_in(f);
        sites.binary_search_by_key(&loc, |s| s.loc).ok().map(|i| &sites[i])
    }
    /// Functions that a function may call, by id; declared ones included, unknown code not.
    pub fn callees(&self, f: FuncId) -> &[FuncId] {
        noted::function(f);
        &self.callees[f.index()]
    }
    /// Functions of the module that may call a function, by id.
    pub fn callers(&self, f: FuncId) -> &[FuncId] {
        noted::function(f);
        &self.callers[f.index()]
    }
    /// Unknown code may call it.
    pub fn called_from_outside(&self, f: FuncId) -> bool {
        noted::function(f);
        self.from_outside[f.index()]
    }
    /// It may itself call unknown code (a declared function that is no primitive, or through a pointer).
    pub fn leaves_module(&self, f: FuncId) -> bool {
        noted::function(f);
        self.leaves[f.index()]
    }
    /// The graph of [`CallGraph::callees`], without what unknown code may call back.
    pub fn graph(&self) -> Graph {
        let mut edges = Vec::new();
        for (i, to) in self.callees.iter().enumerate() {
            edges.extend(to.iter().map(|f| (i as u32, f.0)));
        }
        Graph::from_edges(self.callees.len(), &edges)
    }
    /// The functions that call themselves and are asked for; for each the others that are on every way from it back to
    /// itself.
    pub fn recursion(&self, wanted: &dyn Fn(FuncId) -> bool) -> BTreeMap<FuncId, BTreeSet<FuncId>> {
        let sccs = scc::Sccs::new(&self.graph());
        let all = (0..self.callees.len()).map(FuncId::new).filter(|f| wanted(*f) && self.recursive(&sccs, *f));
        all.map(|f| (f, self.on_all_ways(&sccs, f))).collect()
    }
    fn on_all_ways(&self, sccs: &scc::Sccs, f: FuncId) -> BTreeSet<FuncId> {
        let members = sccs.members(sccs.of(f.0));
        if members.len() > MOST_IN_CYCLE {
            return BTreeSet::new();
        }
        let comes_back_without = |h: FuncId| {
            let (mut seen, mut todo) = (BTreeSet::new(), vec![f]);
            while let Some(g) = todo.pop() {
                let next = self.callees(g).iter().copied().filter(|g| *g != h && sccs.of(g.0) == sccs.of(f.0));
                todo.extend(next.filter(|g| seen.insert(*g)));
            }
            seen.contains(&f)
        };
        members.iter().map(|h| FuncId(*h)).filter(|h| *h != f && !comes_back_without(*h)).collect()
    }
    /// A function calls itself, directly or through others.
    pub fn recursive(&self, sccs: &scc::Sccs, f: FuncId) -> bool {
        sccs.members(sccs.of(f.0)).len() > 1 || self.callees(f).contains(&f)
    }
}

/// Functions that call each other, for which it is looked who is on whose ways.
const MOST_IN_CYCLE: usize = 40;

/// Declared, not defined, and not a primitive.
fn is_unknown(f: &Function) -> bool {
    f.body.is_none() && !f.name.starts_with(PRIMITIVE)
}

struct Resolver<'a> {
    module: &'a Module,
    /// Pointers to functions of unknown code may be about.
    outside: bool,
    bases: &'a Bases,
    taken: &'a AddressTaken,
}

impl Resolver<'_> {
    /// `results` is not known for an `invoke`.
    fn callee(&self, caller: &Function, c: &Call, results: Option<&[Value]>) -> Callee {
        let symbol = match &c.callee {
            // Of a weak alias, the linker may make something else.
            Operand::Const(verify_ir::Const::Symbol(s)) if self.module.weak_alias(*s).is_none() => {
                Some(self.module.resolve(*s).0)
            }
            _ => None,
        };
        if let Some(SymbolRef::Func(f)) = symbol {
            return if self.module.func(f).body.is_some() { Callee::Direct(f) } else { Callee::External(f) };
        }
        let bases = self.bases.of(self.module, &c.callee);
        let results: Option<Vec<Ty>> =
            results.and_then(|r| caller.body.as_ref().map(|b| r.iter().map(|v| b.ty(*v)).collect()));
        let fits = |f: &FuncId| compatible(self.module, c, results.as_deref(), self.module.func(*f));
        if bases.contains(&Base::Unknown) {
            // What the function shows is in the set of all whose address is taken only if it escapes somewhere.
            let mut may: BTreeSet<FuncId> = self.taken.functions.iter().copied().filter(fits).collect();
            may.extend(functions(&bases).filter(fits));
            return Callee::Indirect { may: may.into_iter().collect(), outside: self.outside };
        }
        Callee::Indirect { may: functions(&bases).filter(fits).collect(), outside: false }
    }
}

fn functions(bases: &[Base]) -> impl Iterator<Item = FuncId> + '_ {
    bases.iter().filter_map(|b| match b {
        Base::Func(f) => Some(*f),
        Base::Global(_) | Base::Stack(_) | Base::Unknown => None,
    })
}

/// A call site may reach a function without failing the check of the call: generous, as real programs cast function
/// pointers. Results may be ignored; pointers and integers of their width are one; a variadic or unprototyped
/// function takes what it is given beyond its parameters.
pub fn compatible(module: &Module, c: &Call, results: Option<&[Ty]>, f: &Function) -> bool {
    let class = |t: Ty| if t == Ty::Int(module.target.pointer_bits) { Ty::Ptr } else { t };
    let params = &f.sig.params;
    let enough = if f.sig.variadic || f.attrs.no_prototype || c.fixed.is_some() {
        f.attrs.no_prototype || c.args.len() >= params.len()
    } else {
        c.args.len() == params.len()
    };
    let same_params = params.iter().zip(&c.params).all(|(p, a)| class(p.ty) == class(a.ty));
    let same_results = results.is_none_or(|r| {
        r.is_empty()
            || (r.len() == f.sig.results.len() && r.iter().zip(&f.sig.results).all(|(a, b)| class(*a) == class(*b)))
    });
    enough && same_params && same_results
}
