//! Calls: binding of arguments and results, clones of wrappers, calls through pointers as their targets are found, and
//! what unknown code and the primitives of the models do.

use crate::fresh::ALLOC;
use crate::points_to::Externals;
use crate::points_to::generate::NONE;
use crate::points_to::memory::WHOLE;
use crate::points_to::object::{ObjectKind, Site};
use crate::points_to::offset::Offset;
use crate::points_to::solver::{ESCAPE_NODE, LocId, Node, Solver, UNKNOWN_LOC, UNKNOWN_NODE, Use};
use std::collections::BTreeSet;
use verify_ir::inst::{BinOp, CastOp, InstKind, IntPred, OverflowOp};
use verify_ir::{Call, Const, FuncId, Function, Linkage, Loc, Module, Operand, SymbolRef, Ty, Value, Visibility};

/// Functions that the interpreter provides and that touch no pointers in memory.
const NON_LOCAL: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "llvm.eh.sjlj.setjmp",
    "__builtin_setjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "__longjmp_chk",
    "llvm.eh.sjlj.longjmp",
];

/// A call in an instance.
#[derive(Clone, Debug)]
pub struct SiteData<'m> {
    pub instance: u32,
    pub func: FuncId,
    pub loc: Loc,
    pub call: &'m Call,
    /// Nodes of the results.
    pub results: Vec<Node>,
    /// Instances it may enter.
    pub targets: BTreeSet<u32>,
    /// Functions without a body it may call.
    pub external: BTreeSet<FuncId>,
    /// It may call unknown code through a pointer.
    pub unknown: bool,
    done_unknown: bool,
}

impl<'m> SiteData<'m> {
    pub fn new(instance: u32, func: FuncId, loc: Loc, call: &'m Call, results: Vec<Node>) -> SiteData<'m> {
        SiteData {
            instance,
            func,
            loc,
            call,
            results,
            targets: BTreeSet::new(),
            external: BTreeSet::new(),
            unknown: false,
            done_unknown: false,
        }
    }
}

/// What a function without a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum External {
    /// Makes a heap object.
    Alloc,
    /// Ends the life of one.
    Free,
    /// Runs the destructors.
    Destructors,
    /// Gives a string of the environment.
    GetEnv,
    /// A primitive that stores no pointer and returns none.
    Inert,
    /// Unknown code.
    Unknown,
}

/// By name.
pub fn external(f: &Function) -> External {
    match f.name.as_str() {
        ALLOC => External::Alloc,
        "__verify_free" => External::Free,
        "__verify_run_destructors" => External::Destructors,
        "__verify_sys_getenv" => External::GetEnv,
        "__verify_unmodelled_use" => External::Unknown,
        n if n.starts_with("__verify_") || NON_LOCAL.contains(&n) => External::Inert,
        _ => External::Unknown,
    }
}

/// Which arguments of a primitive lead to memory that it writes; all that it writes is defined then. The others it reads.
pub fn written_by(f: &Function) -> Vec<usize> {
    let pointer = |i: &usize| f.sig.params.get(*i).is_some_and(|p| p.ty == Ty::Ptr);
    match f.name.as_str() {
        "__verify_nondet_bytes" | "__verify_float_format" | "__verify_float_format_l" => vec![0],
        "__verify_sys_read" => vec![1],
        "__verify_sys_stat" => vec![2],
        "__verify_check_defined"
        | "__verify_choose_failure"
        | "__verify_fail"
        | "__verify_nondet_u64"
        | "__verify_unmodelled"
        | "__verify_analysis_only"
        | "__verify_object_size"
        | "__verify_sys_write"
        | "__verify_sys_open"
        | "__verify_sys_unlink"
        | "__verify_sys_rename"
        | "__verify_strtof"
        | "__verify_strtod"
        | "__verify_strtold" => Vec::new(),
        _ => (0..f.sig.params.len()).filter(pointer).collect(),
    }
}

/// The call does not fail its check at once (the interpreter's rules): enough arguments, not too many, and types that
/// go through the same registers.
pub fn may_enter(m: &Module, c: &Call, results: Option<&[Ty]>, f: &Function) -> bool {
    let plain = |t: Ty| !matches!(t, Ty::Float(_));
    let same = |a: Ty, b: Ty| {
        a == b || plain(a) && plain(b) && (m.target.pointer_bits == 64 || a.bits(&m.target) == b.bits(&m.target))
    };
    let (given, wanted) = (c.args.len(), f.sig.params.len());
    let loose = f.sig.variadic || f.attrs.no_prototype || c.fixed.is_some();
    given >= wanted
        && (given == wanted || loose)
        && f.sig.params.iter().zip(&c.params).all(|(p, a)| same(p.ty, a.ty))
        && results.is_none_or(|r| r.iter().zip(&f.sig.results).all(|(a, b)| same(*a, *b)))
}

impl<'m> Solver<'m> {
    /// Unknown code can name it.
    pub fn visible_global(&self, g: verify_ir::GlobalId) -> bool {
        let g = self.module.global(g);
        self.options.world == crate::World::Open && seen_outside(g.linkage, g.visibility, self.options.linked)
    }

    /// Enters a call.
    pub fn call_site(&mut self, site: SiteData<'m>) {
        let s = self.sites.len() as u32;
        let callee = &site.call.callee;
        let (instance, call) = (site.instance, site.call);
        self.sites.push(site);
        let direct = match callee {
            Operand::Const(Const::Symbol(sym)) if !self.replaceable(*sym) => Some(self.module.resolve(*sym).0),
            _ => None,
        };
        match direct {
            Some(SymbolRef::Func(f)) => self.call_function(s, f),
            _ => {
                if let Some(n) = self.operand(instance, &call.callee) {
                    self.add_use(n, Use::Call { site: s });
                }
            }
        }
    }

    /// A pointer that is called may be this.
    pub fn call_through(&mut self, s: u32, l: LocId) {
        if l == UNKNOWN_LOC {
            self.sites[s as usize].unknown = true;
            self.call_unknown(s);
            return;
        }
        let (object, offset) = self.locs[l as usize];
        if let ObjectKind::Function(f) = self.objects[object as usize].kind
            && offset.contains(0)
        {
            self.call_function(s, f);
        }
    }

    /// The functions that were taken never to run may run.
    pub fn call_all(&mut self) {
        self.never.clear();
        for (s, f) in std::mem::take(&mut self.not_called) {
            self.call_function(s, f);
        }
    }

    fn call_function(&mut self, s: u32, f: FuncId) {
        if self.never.contains(&f) {
            self.not_called.push((s, f));
            return;
        }
        let module = self.module;
        let function = module.func(f);
        let site = &self.sites[s as usize];
        let types = module.func(site.func).body.as_ref().and_then(|b| {
            let InstKind::Call(_) = &b.block(site.loc.block).insts.get(site.loc.inst as usize)?.kind else {
                return None;
            };
            let results = &b.block(site.loc.block).insts[site.loc.inst as usize].results;
            Some(results.iter().map(|r| b.ty(*r)).collect::<Vec<Ty>>())
        });
        if !may_enter(module, site.call, types.as_deref(), function) {
            return;
        }
        if function.body.is_none() {
            if self.sites[s as usize].external.insert(f) {
                self.call_external(s, f);
            }
            return;
        }
        // The linker may take another one.
        if function.linkage == Linkage::Weak
            && self.options.world == crate::World::Open
            && self.sites[s as usize].external.insert(f)
        {
            self.call_external(s, f);
        }
        let callee = self.callee_instance(s, f);
        if self.sites[s as usize].targets.insert(callee) {
            self.bind(s, callee);
        }
    }

    /// The instance that a call enters: a clone for the chain of calls, where the function is cloned.
    fn callee_instance(&mut self, s: u32, f: FuncId) -> u32 {
        if !self.wrappers.cloned(f) {
            return self.instance(f, 0);
        }
        let site = &self.sites[s as usize];
        let at: Site = (site.func, site.loc);
        let mut chain = self.chains[self.instances[site.instance as usize].chain as usize].clone();
        chain.push(at);
        // The innermost calls are kept; calls made by models are free, they are never deep.
        let user = |c: &Site| !self.wrappers.model(c.0);
        while chain.iter().filter(|c| user(c)).count() > self.limits.chain {
            chain.remove(0);
        }
        let known = self.chain_index.get(&chain).copied();
        let id = match known {
            Some(id) => id,
            None => {
                let id = self.chains.len() as u32;
                self.chains.push(chain.clone());
                self.chain_index.insert(chain, id);
                id
            }
        };
        if !self.instance_index.contains_key(&(f.0, id)) {
            let size = self.module.func(f).body.as_ref().map_or(0, |b| b.values.len() as u64 + 16);
            // Beyond the budget, calls share one copy: less is known, all of it true.
            match self.clone_budget.checked_sub(size) {
                Some(rest) => self.clone_budget = rest,
                None => return self.instance(f, 0),
            }
        }
        self.instance(f, id)
    }

    fn bind(&mut self, s: u32, callee: u32) {
        let module = self.module;
        let site = &self.sites[s as usize];
        let (instance, call, results) = (site.instance, site.call, site.results.clone());
        let target = &self.instances[callee as usize];
        let (f, chain) = (target.func, target.chain);
        let params = module.func(f).body.as_ref().and_then(|b| b.blocks.first()).map_or(&[][..], |b| &b.params);
        for (k, arg) in call.args.iter().enumerate() {
            let of_callee = module.func(f).sig.params.get(k).and_then(|p| p.attrs.byval);
            let byval = call.params.get(k).and_then(|p| p.attrs.byval).or(of_callee);
            let from = self.operand(instance, arg);
            let Some(param) = params.get(k) else {
                if let (Some(v), Some(n)) = (self.instances[callee as usize].varargs, from) {
                    match byval {
                        Some((size, _)) => {
                            let t = self.object(ObjectKind::Transfer, None, 1, false);
                            self.add_use(n, Use::CopyFrom { object: t, len: size });
                            self.copy_between(t, v, Offset::ANY, size);
                        }
                        None => self.put(v, Offset::ANY, self.module.target.pointer_bytes(), n),
                    }
                }
                continue;
            };
            let to = self.instances[callee as usize].values[param.index()];
            if chain != 0 {
                self.constant_argument(instance, callee, k, arg);
            }
            match (byval, from) {
                (Some((size, align)), n) => {
                    let kind =
                        ObjectKind::ByVal { func: f, param: k as u32, calls: self.chains[chain as usize].clone() };
                    let o = self.object(kind, Some(size), align.max(1), false);
                    let l = self.loc(o, Offset::ZERO);
                    self.add_loc(to, l);
                    if let Some(n) = n {
                        self.add_use(n, Use::CopyFrom { object: o, len: size });
                    }
                }
                (None, Some(n)) if to != NONE => self.edge(n, to),
                (None, _) => {}
            }
        }
        for (k, r) in results.iter().enumerate().filter(|(_, r)| **r != NONE) {
            if let Some(&from) = self.instances[callee as usize].results.get(k) {
                self.edge(from, *r);
            }
        }
    }

    /// Clones for one call know its constant arguments. One that several clones of the caller share knows only what
    /// stands at the call itself.
    fn constant_argument(&mut self, caller: u32, callee: u32, k: usize, arg: &Operand) {
        let chain = |i: u32| self.chains[self.instances[i as usize].chain as usize].len();
        let known = if chain(callee) == chain(caller) + 1 {
            self.evaluate(caller, arg, 0)
        } else {
            match arg {
                Operand::Const(_) => self.evaluate(caller, arg, 0),
                Operand::Value(_) => None,
            }
        };
        if let Some(c) = self.instances[callee as usize].constants.get_mut(k) {
            *c = known;
        }
    }

    /// The value of an integer that is the same in every execution of a clone.
    pub fn evaluate(&self, instance: u32, o: &Operand, depth: u32) -> Option<u128> {
        let v = match o {
            Operand::Const(Const::Int { value, .. }) => return Some(*value),
            Operand::Const(Const::Null) => return Some(0),
            Operand::Const(_) => return None,
            Operand::Value(v) => *v,
        };
        let i = &self.instances[instance as usize];
        let body = self.module.func(i.func).body.as_ref()?;
        if let Some(k) = body.blocks.first()?.params.iter().position(|p| *p == v) {
            return if i.chain == 0 { None } else { *i.constants.get(k)? };
        }
        if depth > 8 {
            return None;
        }
        let bits = body.ty(v).bits(&self.module.target);
        let cut = |x: u128| if bits < 128 { x & ((1 << bits) - 1) } else { x };
        let mut insts = body.blocks.iter().flat_map(|b| &b.insts);
        let inst = insts.find(|inst| inst.results.contains(&v))?;
        match &inst.kind {
            InstKind::Cast { op: CastOp::Trunc | CastOp::ZExt, arg } => {
                self.evaluate(instance, arg, depth + 1).map(cut)
            }
            InstKind::Cast { op: CastOp::SExt, arg } => {
                let x = self.evaluate(instance, arg, depth + 1)?;
                let from = body.operand_ty(arg).bits(&self.module.target);
                // Negative sizes are of no interest.
                (from < 128 && x >> (from - 1) & 1 == 0).then_some(x)
            }
            InstKind::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (self.evaluate(instance, lhs, depth + 1)?, self.evaluate(instance, rhs, depth + 1)?);
                match op {
                    BinOp::Add => Some(cut(a.wrapping_add(b))),
                    BinOp::Sub => Some(cut(a.wrapping_sub(b))),
                    BinOp::Mul => Some(cut(a.wrapping_mul(b))),
                    _ => None,
                }
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let (a, b) = (self.evaluate(instance, lhs, depth + 1)?, self.evaluate(instance, rhs, depth + 1)?);
                Some(u128::from(match pred {
                    IntPred::Eq => a == b,
                    IntPred::Ne => a != b,
                    IntPred::Ult => a < b,
                    IntPred::Ule => a <= b,
                    IntPred::Ugt => a > b,
                    IntPred::Uge => a >= b,
                    _ => return None,
                }))
            }
            // The sum itself; whether it overflows is the other result.
            InstKind::Overflow { op, lhs, rhs } if inst.results.first() == Some(&v) => {
                let (a, b) = (self.evaluate(instance, lhs, depth + 1)?, self.evaluate(instance, rhs, depth + 1)?);
                Some(cut(match op {
                    OverflowOp::SAdd | OverflowOp::UAdd => a.wrapping_add(b),
                    OverflowOp::SSub | OverflowOp::USub => a.wrapping_sub(b),
                    OverflowOp::SMul | OverflowOp::UMul => a.wrapping_mul(b),
                }))
            }
            _ => None,
        }
    }

    fn call_external(&mut self, s: u32, f: FuncId) {
        let function = self.module.func(f);
        let site = self.sites[s as usize].clone();
        let result = site.results.first().copied().filter(|n| *n != NONE);
        match external(function) {
            External::Alloc => {
                let size = site.call.args.first().and_then(|a| self.evaluate(site.instance, a, 0));
                let align = site.call.args.get(1).and_then(|a| self.evaluate(site.instance, a, 0));
                let calls = self.chains[self.instances[site.instance as usize].chain as usize].clone();
                let kind = ObjectKind::Heap { func: site.func, loc: site.loc, calls };
                let align = align.and_then(|a| u64::try_from(a).ok()).filter(|a| a.is_power_of_two()).unwrap_or(1);
                let o = self.object(kind, size.and_then(|s| u64::try_from(s).ok()), align, false);
                let l = self.loc(o, Offset::ZERO);
                if let Some(r) = result {
                    self.add_loc(r, l);
                }
            }
            External::GetEnv => {
                let o = self.object(ObjectKind::EnvironmentString, None, 1, true);
                let l = self.loc(o, Offset::ZERO);
                if let Some(r) = result {
                    self.add_loc(r, l);
                }
            }
            External::Destructors => {
                for d in &self.module.destructors {
                    let i = self.instance(d.func, 0);
                    self.sites[s as usize].targets.insert(i);
                }
            }
            External::Free | External::Inert => {}
            External::Unknown => self.call_unknown(s),
        }
    }

    /// Unknown code gets the arguments and returns whatever it has.
    fn call_unknown(&mut self, s: u32) {
        if std::mem::replace(&mut self.sites[s as usize].done_unknown, true) {
            return;
        }
        let site = self.sites[s as usize].clone();
        if self.options.externals == Externals::Havoc {
            for arg in &site.call.args {
                if let Some(n) = self.operand(site.instance, arg) {
                    self.edge(n, ESCAPE_NODE);
                }
            }
        }
        for r in site.results.iter().filter(|n| **n != NONE) {
            self.edge(UNKNOWN_NODE, *r);
        }
    }

    /// Unknown code may call a function with anything it has.
    pub fn called_by_unknown(&mut self, f: FuncId) {
        let module = self.module;
        let Some(body) = &module.func(f).body else { return };
        let i = self.instance(f, 0);
        for (k, p) in body.blocks.iter().take(1).flat_map(|b| &b.params).enumerate() {
            let n = self.instances[i as usize].values[p.index()];
            match module.func(f).sig.params.get(k).and_then(|p| p.attrs.byval) {
                Some((size, align)) => {
                    let kind = ObjectKind::ByVal { func: f, param: k as u32, calls: Vec::new() };
                    let o = self.object(kind, Some(size), align.max(1), false);
                    let l = self.loc(o, Offset::ZERO);
                    self.add_loc(n, l);
                    self.put(o, Offset::ZERO, size, UNKNOWN_NODE);
                }
                None => self.edge(UNKNOWN_NODE, n),
            }
        }
        if let Some(v) = self.instances[i as usize].varargs {
            self.put(v, Offset::ANY, WHOLE, UNKNOWN_NODE);
        }
        for r in self.instances[i as usize].results.clone() {
            self.edge(r, ESCAPE_NODE);
        }
    }

    /// The system calls `main` (or a constructor): its pointers are the argument vector.
    pub fn called_by_system(&mut self, f: FuncId) {
        let Some(body) = &self.module.func(f).body else { return };
        let i = self.instance(f, 0);
        let word = self.module.target.pointer_bytes();
        let vector = self.object(ObjectKind::Argv, None, word, false);
        let strings = self.object(ObjectKind::ArgvString, None, 1, false);
        let l = self.loc(strings, Offset::ZERO);
        let n = self.node();
        self.add_loc(n, l);
        self.put(vector, Offset::modulo(word, 0), word, n);
        let l = self.loc(vector, Offset::ZERO);
        let params: Vec<Value> = body.blocks.iter().take(1).flat_map(|b| b.params.iter().copied()).collect();
        for p in params.into_iter().filter(|p| body.ty(*p) == Ty::Ptr) {
            let n = self.instances[i as usize].values[p.index()];
            self.add_loc(n, l);
        }
        for name in ["environ", "__environ"] {
            let defined = |g: &verify_ir::Global| g.name == name && g.init.is_some();
            if let Some(g) = self.module.globals.iter().position(defined) {
                let o = self.global(verify_ir::GlobalId::new(g));
                let n = self.node();
                self.add_loc(n, l);
                self.put(o, Offset::ZERO, word, n);
            }
        }
    }
}

/// A symbol can be named by code outside: outside the linked object where that is `linked`, else by what is linked with it.
pub fn seen_outside(linkage: Linkage, visibility: Visibility, linked: bool) -> bool {
    match linkage {
        Linkage::Internal | Linkage::AvailableExternally | Linkage::Appending => false,
        Linkage::External | Linkage::Weak | Linkage::Common => !linked || visibility != Visibility::Hidden,
    }
}
