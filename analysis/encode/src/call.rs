//! Calls: which functions may be called, whether their bodies are spliced in, and what is assumed of those that are
//! not (malik-2018 §2.2: a placeholder whose outputs are free).

use crate::access::Access;
use crate::build::{Arrival, Build, Path, Res};
use crate::formula::EventKind;
use crate::object::Kind;
use crate::output::is_output;
use crate::plan::{Mode, Root};
use crate::sym::{NULL, Sym, WILD};
use std::collections::BTreeSet;
use std::rc::Rc;
use verify_checks::calls::{direct_callee, is_model};
use verify_ir::{Call, CheckKind as K, Const, FuncId, Inst, Linkage, Operand, Ty};
use verify_solver::Term;

/// Depth of library calls that are followed.
const MODEL_DEPTH: usize = 12;
/// Blocks of a library function that is followed.
const MODEL_BLOCKS: usize = 150;
/// The same when a function is looked at by itself.
const SMALL_MODEL_BLOCKS: usize = 20;

impl<'a> Build<'_, 'a> {
    /// A value of one type where another is expected: cut off, or with undefined bits above.
    pub(crate) fn adapt(&mut self, v: Sym, from: Ty, to: Ty) -> Sym {
        let (fw, tw) = (self.bits(from), self.bits(to));
        if fw == tw {
            return v;
        }
        let n = self.number(v);
        if fw > tw {
            let bits = self.e.terms.pool.extract(n, tw - 1, 0);
            return self.plain(bits, v.undef);
        }
        let high = self.fresh(90, tw - fw);
        let bits = self.e.terms.pool.concat(high, n);
        self.plain(bits, self.tt)
    }

    pub(crate) fn call(&mut self, inst: &'a Inst, c: &'a Call, path: &mut Path) -> Res<()> {
        let args: Vec<Sym> = c.args.iter().map(|a| self.operand(path, a)).collect();
        let results: Vec<Ty> = {
            let (f, _) = self.here();
            let body = self.module().func(f).body.as_ref().expect("a call is in a body");
            inst.results.iter().map(|r| body.ty(*r)).collect()
        };
        let module = self.module();
        let replaceable = match &c.callee {
            Operand::Const(Const::Symbol(s)) => self.e.rules.open && module.weak_alias(*s).is_some(),
            _ => false,
        };
        let out = match direct_callee(module, c) {
            Some(f) if replaceable && !is_model(module, module.func(f)) => {
                self.cut(path.guard, Vec::new(), true, "a call of a weak alias".into());
                Some(self.called_outside(&args, path.clone(), &results))
            }
            Some(f) => {
                let guard = path.guard;
                self.call_function(f, c, args, Path { guard, ..path.clone() }, &results)?
            }
            None => self.call_pointer(c, args, path.clone(), &results)?,
        };
        match out {
            None => path.guard = self.ff,
            Some(a) => {
                *path = a.path;
                for (r, v) in inst.results.iter().zip(a.args) {
                    self.define(path, *r, v);
                }
            }
        }
        Ok(())
    }

    /// Through a pointer: every function it may point to, and unknown code where it is wild.
    fn call_pointer(&mut self, c: &'a Call, args: Vec<Sym>, path: Path, results: &[Ty]) -> Res<Option<Arrival>> {
        let p = self.operand(&path, &c.callee);
        let g = path.guard;
        self.claim(K::UninitRead, g, p.undef, false);
        let w = self.e.terms.ptr_bits;
        let zero = self.e.terms.pool.num(w, 0);
        let start = self.e.terms.pool.eq(p.bits, zero);
        let mut callable = self.ff;
        let mut arrivals = Vec::new();
        let mut wild = self.e.terms.leaves(p.prov).contains(&WILD);
        let mut targets = Vec::new();
        for &o in self.e.terms.leaves(p.prov).iter() {
            match self.e.terms.objects[o as usize].kind {
                Kind::Func(f) => {
                    let is = self.is_object(p, o);
                    let is = self.e.terms.pool.and(is, start);
                    callable = self.e.terms.pool.or(callable, is);
                    targets.push((f, is));
                }
                // A number: null, or an address that something may have.
                Kind::Null => {
                    let is = self.is_object(p, o);
                    let null = self.e.terms.pool.and(is, start);
                    self.claim(K::NullDeref, g, null, false);
                    self.claim(K::InvalidCall, g, null, false);
                    let no = self.e.terms.pool.not(null);
                    self.assume(g, no);
                    let other = self.e.terms.pool.and(is, no);
                    wild |= other != self.ff && self.e.terms.addressed;
                }
                _ => {}
            }
        }
        let rest = self.e.terms.pool.not(callable);
        if rest != self.ff {
            for k in [K::NullDeref, K::InvalidCall, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope] {
                self.claim(k, g, rest, false);
            }
        }
        for (i, (f, is)) in targets.into_iter().enumerate() {
            let guard = self.e.terms.pool.and(g, is);
            if guard == self.ff {
                continue;
            }
            self.path.extend([u32::MAX - 3, i as u32]);
            let to = self.call_function(f, c, args.clone(), Path { guard, ..path.clone() }, results)?;
            self.path.truncate(self.path.len() - 2);
            arrivals.extend(to);
        }
        if wild {
            let guard = self.e.terms.pool.and(g, rest);
            if guard != self.ff {
                self.cut(guard, Vec::new(), true, "a call through an unknown pointer".into());
                let to = self.called_outside(&args, Path { guard, ..path }, results);
                arrivals.push(to);
            }
        } else {
            self.assume(g, callable);
        }
        Ok(self.meet(arrivals))
    }

    /// Behind a call of code that nobody knows.
    fn called_outside(&mut self, args: &[Sym], mut path: Path, results: &[Ty]) -> Arrival {
        for a in args {
            self.expose(*a);
        }
        self.unknown_code(&mut path);
        let values = results.iter().map(|t| self.handed_over(91, *t)).collect();
        Arrival { path, args: values }
    }

    fn call_function(
        &mut self,
        f: FuncId,
        c: &'a Call,
        args: Vec<Sym>,
        path: Path,
        results: &[Ty],
    ) -> Res<Option<Arrival>> {
        let module = self.module();
        let func = module.func(f);
        let g = path.guard;
        for (k, a) in args.iter().enumerate() {
            let site = c.params.get(k).is_some_and(|p| p.attrs.nonnull);
            let own = func.sig.params.get(k).is_some_and(|p| p.attrs.nonnull);
            if site || own {
                // Passing null is reported where the interpreter does; here it may be.
                let w = self.e.terms.pool.width(a.bits);
                let zero = self.e.terms.pool.num(w, 0);
                let z = self.e.terms.pool.eq(a.bits, zero);
                let null = self.is_object(*a, NULL);
                let n = self.e.terms.pool.and(z, null);
                let wild = if self.e.terms.leaves(a.prov).contains(&WILD) { self.tt } else { n };
                self.claim(K::InvalidArgument, g, wild, false);
            }
        }
        if func.body.is_none() {
            return self.primitive(f, c, &args, path, results);
        }
        if self.e.rules.open && func.linkage == Linkage::Weak && !is_model(module, func) {
            self.cut(g, Vec::new(), true, "a call of a weak function".into());
            return Ok(Some(self.called_outside(&args, path, results)));
        }
        let fits = self.arguments_fit(f, c, &args, results);
        if !fits {
            self.claim(K::InvalidCall, g, self.tt, false);
            return self.cut_call(f, &args, path, results, "a call with other arguments than the function takes");
        }
        // Variadic functions of the library are not followed.
        if func.sig.variadic && is_model(module, func)
            || c.params.iter().chain(&func.sig.params).any(|p| p.attrs.byval.is_some())
        {
            let by_value =
                c.params.iter().zip(&func.sig.params).any(|(a, b)| a.attrs.byval.or(b.attrs.byval).is_some());
            if by_value {
                return self.call_by_value(f, c, args, path, results);
            }
            let mut after = path.clone();
            if let Some(count) = self.scanned(f, c, &args, &mut after) {
                let values = results.iter().take(1).map(|_| count).collect();
                return Ok(Some(Arrival { path: after, args: values }));
            }
            return self.cut_call(f, &args, path, results, "a variadic function");
        }
        let own = self.stack.iter().rev().find(|x| x.func == f).and_then(|x| x.recursive.clone());
        if let Some(known) = own {
            let args = self.passed(f, args, c);
            return Ok(self.recur(&known, f, &args, path, results));
        }
        if !self.splice(f, path.guard) {
            return self.cut_call(f, &args, path, results, "a call that is not followed");
        }
        let mut path = path;
        let further = self.further_arguments(f, c, &args, &mut path)?;
        self.further = further;
        let mut r = self.spliced_call(f, args, path, results, c)?;
        if let (Some(a), Some(o)) = (&mut r, further) {
            self.end_stack_objects(&mut a.path, &[o]);
        }
        Ok(r)
    }

    /// Arguments as the function takes them.
    fn passed(&mut self, f: FuncId, args: Vec<Sym>, c: &Call) -> Vec<Sym> {
        let params = self.module().func(f).sig.params.iter().enumerate();
        params.map(|(k, p)| self.adapt(args[k], c.params.get(k).map_or(p.ty, |q| q.ty), p.ty)).collect()
    }

    fn spliced_call(
        &mut self,
        f: FuncId,
        args: Vec<Sym>,
        path: Path,
        results: &[Ty],
        c: &Call,
    ) -> Res<Option<Arrival>> {
        let passed = self.passed(f, args, c);
        let (_, loc) = self.here();
        self.path.extend([u32::MAX - 4, loc.block.0, loc.inst, f.0]);
        let induction = self.plan.mode == Mode::Induction || self.dry > 0;
        // One activation in progress on every way back to it is enough: the way is followed from there.
        let met =
            |others: &BTreeSet<FuncId>| self.stack.iter().any(|x| x.recursive.is_some() && others.contains(&x.func));
        let r = if induction && self.e.recursive.get(&f).is_some_and(|others| !met(others)) {
            self.enter_recursion(f, passed, path, results)
        } else {
            self.call_body(f, passed, path, results)
        };
        self.path.truncate(self.path.len() - 4);
        let r = r?;
        if c.noreturn
            && let Some(a) = &r
        {
            self.claim(K::Unreachable, a.path.guard, self.tt, false);
        }
        Ok(r)
    }

    /// Arguments passed as copies of objects.
    fn call_by_value(
        &mut self,
        f: FuncId,
        c: &'a Call,
        mut args: Vec<Sym>,
        mut path: Path,
        results: &[Ty],
    ) -> Res<Option<Arrival>> {
        if !self.splice(f, path.guard) {
            return self.cut_call(f, &args, path, results, "a call that is not followed");
        }
        let w = self.e.terms.ptr_bits;
        let sig = &self.module().func(f).sig;
        let mut copies = Vec::new();
        for (k, p) in sig.params.iter().enumerate() {
            let by = p.attrs.byval.or(c.params.get(k).and_then(|q| q.attrs.byval));
            let Some((size, align)) = by else { continue };
            let len = self.e.terms.pool.num(w, u128::from(size));
            let own = self.own(&c.args[k]);
            let from = self.check_access(path.guard, args[k], len, Access::Read, own, &path);
            let o = self.new_object(92, Kind::Stack, len, align)?;
            self.begin(&mut path, o);
            let zero = self.e.terms.pool.num(w, 0);
            let to = self.e.terms.pointer(o, zero);
            let ts = crate::access::Targets { unknown: None, objects: vec![(o, self.tt)], wild: self.ff };
            self.copy(&mut path, (&ts, to), (&from, args[k]), len);
            args[k] = to;
            copies.push(o);
        }
        let mut r = self.spliced_call(f, args, path, results, c)?;
        if let Some(a) = &mut r {
            self.end_stack_objects(&mut a.path, &copies);
        }
        Ok(r)
    }

    fn arguments_fit(&self, f: FuncId, c: &Call, args: &[Sym], results: &[Ty]) -> bool {
        let func = self.module().func(f);
        let wide = self.e.terms.ptr_bits == 64;
        let alike = |a: Ty, b: Ty| {
            let plain = |t: Ty| !matches!(t, Ty::Float(_));
            let (x, y) = (self.bits(a), self.bits(b));
            a == b || plain(a) && plain(b) && (x == y || (x <= 64 && y <= 64 && wide))
        };
        let loose = func.attrs.no_prototype || c.fixed.is_some();
        args.len() >= func.sig.params.len()
            && (args.len() == func.sig.params.len() || func.sig.variadic || loose)
            && func.sig.params.iter().zip(&c.params).all(|(p, q)| alike(p.ty, q.ty) && p.goes_like(q))
            && func.sig.results.iter().zip(results).all(|(a, b)| alike(*a, *b))
    }

    /// Is the body of the function followed?
    fn splice(&self, f: FuncId, guard: Term) -> bool {
        let module = self.module();
        let model = |f: FuncId| is_model(module, module.func(f));
        let again = self.stack.iter().filter(|x| x.func == f).count();
        if model(f) {
            let name = module.func(f).name.as_str();
            let depth = self.stack.iter().rev().take_while(|x| model(x.func)).count();
            let most = match self.plan.root {
                Root::Program(_) => MODEL_BLOCKS,
                // A function by itself: little is known of the library's state anyway.
                Root::Call(_) | Root::Part(..) => SMALL_MODEL_BLOCKS,
            };
            let small = module.func(f).body.as_ref().is_some_and(|b| b.blocks.len() <= most);
            let small = small && (name != "exit" || matches!(self.plan.root, Root::Program(_)));
            return !is_output(name) && small && depth < MODEL_DEPTH && again == 0;
        }
        let users: BTreeSet<FuncId> = self.stack.iter().map(|x| x.func).filter(|f| !model(*f)).collect();
        if users.len() > self.plan.depth as usize {
            return false;
        }
        // Like loops, recursion is followed as long as constants decide every branch on the way to it.
        let decided = || self.stack.iter().rev().find(|x| x.func == f).is_some_and(|x| x.entered == guard);
        again < self.plan.recursion.max(1) as usize
            || (self.plan.mode == Mode::Bounded
                && self.dry == 0
                && self.stack.len() < self.plan.deterministic as usize
                && decided())
    }

    /// A call whose body stays out: anything may come of it.
    fn cut_call(
        &mut self,
        f: FuncId,
        args: &[Sym],
        mut path: Path,
        results: &[Ty],
        what: &str,
    ) -> Res<Option<Arrival>> {
        let module = self.module();
        let func = module.func(f);
        let model = is_model(module, func);
        let recursion = self.stack.iter().any(|x| x.func == f);
        if recursion && self.dry == 0 {
            let r = self.e.terms.pool.and(path.guard, self.held);
            self.out.unwound.push(r);
        }
        let name = func.name.clone();
        self.cut(path.guard, vec![f], false, format!("{what}: `{name}`"));
        if func.attrs.noreturn {
            return Ok(None);
        }
        for a in args {
            self.expose(*a);
        }
        if model && is_output(&name) {
            self.wrote(f, args, &mut path);
        } else {
            self.ran(f, &mut path);
        }
        let values = results.iter().map(|t| self.handed_over(93, *t)).collect();
        Ok(Some(Arrival { path, args: values }))
    }

    /// A function that is known nowhere.
    pub(crate) fn external(
        &mut self,
        f: FuncId,
        c: &Call,
        args: &[Sym],
        mut path: Path,
        results: &[Ty],
    ) -> Res<Option<Arrival>> {
        let module = self.module();
        let name = module.func(f).name.clone();
        if THREADS.contains(&name.as_str()) {
            self.block_path(&mut path, "threads");
            return Ok(None);
        }
        if matches!(
            name.as_str(),
            "setjmp"
                | "_setjmp"
                | "__sigsetjmp"
                | "sigsetjmp"
                | "longjmp"
                | "_longjmp"
                | "siglongjmp"
                | "__longjmp_chk"
        ) || c.returns_twice
            || name.starts_with("llvm.")
        {
            self.block_path(&mut path, &format!("`{name}` is not encoded"));
            return Ok(None);
        }
        if self.dry == 0 {
            self.out.externals.insert(name.clone());
        }
        for a in args {
            self.claim(K::UninitRead, path.guard, a.undef, false);
            self.expose(*a);
        }
        if !self.e.rules.externals_pure {
            self.cut(path.guard, Vec::new(), true, format!("unknown code: `{name}`"));
            self.unknown_code(&mut path);
        }
        if c.noreturn {
            return Ok(None);
        }
        let mut values = Vec::new();
        for ty in results {
            let v = self.anything(94, *ty);
            let g: Term = path.guard;
            if *ty != Ty::Ptr {
                self.event(g, EventKind::External(v.bits, *ty));
            }
            values.push(v);
        }
        let _ = Rc::strong_count(&path.outs);
        Ok(Some(Arrival { path, args: values }))
    }
}

/// Functions that start threads.
pub(crate) const THREADS: &[&str] = &["pthread_create", "thrd_create", "clone", "clone3"];
