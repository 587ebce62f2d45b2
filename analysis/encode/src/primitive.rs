//! The primitives under the library models (`models/verify_primitives.h` is the contract), error functions, and the end
//! of the program.

use crate::access::Access;
use crate::build::{Arrival, Build, Path, Res};
use crate::formula::EventKind;
use crate::object::Kind;
use crate::sym::{NULL, Sym, WILD};
use std::collections::BTreeSet;
use verify_checks::calls::{constant_string, literal_bytes};
use verify_ir::{Call, CheckKind as K, FuncId, Ty};
use verify_solver::Term;

/// Rounds of following pointers when looking for memory that is lost.
const REACH_ROUNDS: usize = 6;

impl<'a> Build<'_, 'a> {
    /// A call of a function without a body.
    pub(crate) fn primitive(
        &mut self,
        f: FuncId,
        c: &'a Call,
        args: &[Sym],
        mut path: Path,
        results: &[Ty],
    ) -> Res<Option<Arrival>> {
        let module = self.module();
        let name = module.func(f).name.as_str();
        let g = path.guard;
        let w = self.e.terms.ptr_bits;
        let arg = |i: usize| args.get(i).copied();
        let own = |b: &Self, i: usize| c.args.get(i).is_some_and(|a| b.own(a));
        let result = results.first().copied().unwrap_or(Ty::Int(64));
        let rw = self.bits(result);
        if let Some(short) = name.strip_prefix("__verify_") {
            for a in args {
                self.claim(K::UninitRead, g, a.undef, false);
            }
            let value: Option<Sym> = match (short, arg(0), arg(1), arg(2)) {
                ("alloc", Some(size), Some(align), Some(family)) => {
                    let size = self.size_of(size);
                    let constant = |b: &Self, s: Sym| b.e.terms.pool.as_const(s.bits).and_then(|v| v.to_u64());
                    let align = constant(self, align).unwrap_or(1);
                    let Some(family) = constant(self, family) else {
                        self.block_path(&mut path, "an allocation of no constant family");
                        return Ok(None);
                    };
                    let o = self.new_object(100, Kind::Heap(family as u32), size, align)?;
                    self.begin(&mut path, o);
                    if let Some((uf, loc)) = self.user_place()
                        && let Some(check) = self.e.checks.find(uf, loc, K::Leak)
                    {
                        self.leak_checks.insert(o, check);
                        self.allocated.push((check, self.ff));
                    }
                    let zero = self.e.terms.pool.num(w, 0);
                    Some(self.e.terms.pointer(o, zero))
                }
                ("free", Some(p), Some(family), _) => {
                    self.free_object(&mut path, p, family);
                    None
                }
                ("object_size", Some(p), ..) => Some(self.object_size(&path, p, rw)),
                ("choose_failure", ..) => {
                    let what = c.args.first().and_then(|a| constant_string(module, a));
                    // Inside the allocator the name is its caller's argument: all its failures are allocations.
                    let heap = what.is_none() && self.in_allocator();
                    if self.e.rules.allocation_succeeds && (heap || what.is_some_and(|w| w.contains("alloc"))) {
                        Some(self.e.terms.constant(rw, 0))
                    } else {
                        let fails = self.fresh(101, 1);
                        let bits = self.e.terms.pool.zext(fails, rw);
                        self.event(g, EventKind::Fail(bits));
                        Some(self.e.terms.int(bits))
                    }
                }
                ("nondet_u64", ..) => {
                    let bits = self.fresh(102, rw);
                    self.event(g, EventKind::Nondet(bits));
                    Some(self.e.terms.int(bits))
                }
                ("nondet_bytes", Some(p), Some(n), _) => {
                    self.input_bytes(&mut path, p, n, own(self, 0));
                    None
                }
                ("analysis_only", ..) => None,
                ("assume", Some(cond), ..) => {
                    let ok = self.nonzero(cond.bits);
                    if let (Some(place), 0) = (self.user_place(), self.dry) {
                        let here = self.e.terms.pool.and(g, ok);
                        let (before, after) = (self.reached(g), self.reached(here));
                        self.out.assumed.push(crate::formula::Assumed { before, after, place });
                    }
                    self.assume(g, ok);
                    if self.never(ok) {
                        return Ok(None);
                    }
                    None
                }
                ("fail", ..) => {
                    let kind = c.args.first().and_then(|a| constant_string(module, a));
                    match kind.as_deref().and_then(K::from_name) {
                        Some(k) => self.claim(k, g, self.tt, true),
                        None => self.block_path(&mut path, "a failure of no constant kind"),
                    }
                    return Ok(None);
                }
                ("check_defined", Some(p), Some(n), _) => {
                    let len = self.size_of(n);
                    let some = self.nonzero(len);
                    let guard = self.e.terms.pool.and(g, some);
                    let ts = self.check_access(guard, p, len, Access::Read, own(self, 0), &path);
                    let bytes = self.e.terms.pool.as_const(len).and_then(|v| v.to_u64()).filter(|n| *n <= 64);
                    match bytes {
                        Some(n) => {
                            for i in 0..n {
                                let k = self.e.terms.pool.num(w, u128::from(i));
                                let at = self.e.terms.pool.add(p.bits, k);
                                let v = self.read_targets(&mut path, &ts, Sym { bits: at, ..p }, 1);
                                self.claim(K::UninitRead, guard, v.undef, false);
                            }
                        }
                        None => self.claim(K::UninitRead, guard, self.tt, false),
                    }
                    None
                }
                ("exit" | "abort", ..) => {
                    if short == "exit" {
                        self.leaks_at_end(&path);
                    }
                    return Ok(None);
                }
                ("sys_read", _, Some(p), Some(n)) => {
                    let r = self.syscall(g, rw, -4096, None);
                    // An error, or no more than asked for, which may be more than a result can say.
                    let len = self.number(n);
                    let len = self.e.terms.pool.resize_unsigned(len, rw);
                    let zero = self.e.terms.pool.num(rw, 0);
                    let error = self.e.terms.pool.slt(r.bits, zero);
                    let fits = self.e.terms.pool.ule(r.bits, len);
                    let fits = self.e.terms.pool.or(error, fits);
                    self.assume(g, fits);
                    // Only what arrives is written: a buffer that is too small may do, and the execution goes on.
                    let got = self.e.terms.pool.ite(error, zero, r.bits);
                    let len = self.e.terms.pool.resize_unsigned(got, w);
                    let some = self.nonzero(len);
                    let guard = self.e.terms.pool.and(g, some);
                    let ts = self.check_access(guard, p, len, Access::Write, own(self, 1), &path);
                    self.arrive(&mut path, &ts, p, None);
                    Some(r)
                }
                ("sys_write", _, Some(p), Some(n)) => {
                    let len = self.size_of(n);
                    let some = self.nonzero(len);
                    let guard = self.e.terms.pool.and(g, some);
                    self.check_access(guard, p, len, Access::Read, own(self, 1), &path);
                    self.claim(K::UninitRead, guard, self.tt, false);
                    Some(self.syscall(g, rw, -4096, None))
                }
                ("sys_open" | "sys_unlink", Some(p), ..) => {
                    self.path_name(g, p, &path);
                    Some(self.syscall(g, rw, -4096, (short == "sys_unlink").then_some(0)))
                }
                ("sys_rename", Some(from), Some(to), _) => {
                    self.path_name(g, from, &path);
                    self.path_name(g, to, &path);
                    Some(self.syscall(g, rw, -4096, Some(0)))
                }
                ("sys_stat", Some(p), _, Some(out)) => {
                    let given = self.nonzero(p.bits);
                    let zero = self.e.terms.prov(NULL);
                    let object = self.e.terms.pool.eq(p.prov, zero);
                    let wild = self.e.terms.prov(WILD);
                    let wild = self.e.terms.pool.eq(p.prov, wild);
                    let none = self.e.terms.pool.or(object, wild);
                    let object = self.e.terms.pool.not(none);
                    let given = self.e.terms.pool.or(given, object);
                    let named = self.e.terms.pool.and(g, given);
                    self.path_name(named, p, &path);
                    Some(self.status(&mut path, rw, out, own(self, 2)))
                }
                ("sys_getenv", Some(p), ..) => {
                    self.path_name(g, p, &path);
                    Some(self.environment(&path))
                }
                ("sys_close" | "sys_lseek" | "sys_time", ..) => Some(self.syscall(g, rw, -4096, None)),
                ("math1" | "math2", ..) => {
                    let bits: Vec<Term> = args.iter().map(|a| a.bits).collect();
                    let function = self.e.terms.pool.as_const(bits[0]).and_then(|v| v.to_u64());
                    let v = match (short, function, &bits[1..]) {
                        // `fmod` and `remainder` are exact.
                        ("math2", Some(n @ (2 | 4)), &[x, y]) if rw == 64 => {
                            crate::float::remainder(&mut self.e.terms, n == 4, x, y)
                        }
                        (_, _, _) => {
                            let key = [900, u32::from(short == "math2")];
                            crate::float::opaque(&mut self.e.terms, &key, &bits, rw)
                        }
                    };
                    Some(self.e.terms.int(v))
                }
                ("run_destructors", ..) => {
                    let mut all = module.destructors.clone();
                    all.sort_by_key(|d| std::cmp::Reverse(d.priority));
                    for (i, d) in all.iter().enumerate() {
                        self.path.extend([u32::MAX - 6, i as u32]);
                        let r = self.call_body(d.func, Vec::new(), path, &[]);
                        self.path.truncate(self.path.len() - 2);
                        match r? {
                            Some(a) => path = a.path,
                            None => return Ok(None),
                        }
                    }
                    None
                }
                _ => {
                    self.block_path(&mut path, &format!("`{name}` is not encoded"));
                    return Ok(None);
                }
            };
            let values = match (results.is_empty(), value) {
                (true, _) => vec![],
                (false, Some(v)) => vec![v],
                (false, None) => vec![self.undefined(result)],
            };
            return Ok(Some(Arrival { path, args: values }));
        }
        match name {
            "reach_error" | "__VERIFIER_error" => {
                self.claim(K::ErrorCall, g, self.tt, true);
                Ok(None)
            }
            "__assert_fail" | "__assert" | "__assert_rtn" => {
                self.claim(K::Assertion, g, self.tt, true);
                Ok(None)
            }
            _ => self.external(f, c, args, path, results),
        }
    }

    /// The innermost library function is one of the allocator's.
    fn in_allocator(&self) -> bool {
        self.stack.last().is_some_and(|f| matches!(self.module().func(f.func).name.as_str(), "allocate" | "resize"))
    }

    fn syscall(&mut self, g: Term, w: u32, min: i64, max: Option<i64>) -> Sym {
        let bits = self.fresh(103, w);
        let mask = if w >= 64 { u128::from(u64::MAX) } else { (1u128 << w) - 1 };
        let low = self.e.terms.pool.num(w, min as i128 as u128 & mask);
        let ok = self.e.terms.pool.sle(low, bits);
        self.assume(g, ok);
        if let Some(max) = max {
            let high = self.e.terms.pool.num(w, max as u128);
            let ok = self.e.terms.pool.sle(bits, high);
            self.assume(g, ok);
        }
        let wide = if w < 64 { self.e.terms.pool.sext(bits, 64) } else { bits };
        self.event(g, EventKind::Syscall(wide));
        self.e.terms.int(bits)
    }

    /// The name of a file or of a variable is read up to its end.
    fn path_name(&mut self, g: Term, p: Sym, path: &Path) {
        if self.never(g) || self.is_constant_text(p) {
            return;
        }
        let one = self.e.terms.pool.num(self.e.terms.ptr_bits, 1);
        self.check_access(g, p, one, Access::Read, false, path);
        // Where it ends is not looked for.
        self.claim(K::OutOfBoundsRead, g, self.tt, false);
        self.claim(K::UninitRead, g, self.tt, false);
    }

    /// It points into a constant with a zero behind that place.
    fn is_constant_text(&self, p: Sym) -> bool {
        let number = |t: Term| self.e.terms.pool.as_const(t).and_then(|v| v.to_u64());
        let (Some(o), Some(at)) = (number(p.prov), number(p.bits)) else { return false };
        let Some(Kind::Global(g)) = self.e.terms.objects.get(o as usize).map(|o| o.kind) else { return false };
        let g = self.e.module.global(g);
        let bytes = g.init.as_ref().filter(|_| g.constant).and_then(|i| literal_bytes(i, g.size));
        let tail = bytes.as_ref().and_then(|b| b.get(usize::try_from(at).ok()?..));
        tail.is_some_and(|t| t.contains(&0))
    }

    /// `__verify_sys_stat`: an error, or mode, size and time are written. The questions are those of the interpreter, which
    /// knows regular files only.
    fn status(&mut self, path: &mut Path, rw: u32, out: Sym, own: bool) -> Sym {
        let (g, w) = (path.guard, self.e.terms.ptr_bits);
        let word = u64::from(w) / 8;
        let len = self.e.terms.pool.num(w, u128::from(3 * word));
        let ts = self.check_access(g, out, len, Access::Write, own, path);
        let r = self.syscall(g, rw, -4096, Some(0));
        let failed = self.nonzero(r.bits);
        let done = self.e.terms.pool.not(failed);
        for k in 0..3 {
            let value = self.fresh(106, w);
            if k > 0 {
                let happens = self.e.terms.pool.and(g, done);
                let wide = self.e.terms.pool.resize_unsigned(value, 64);
                self.event(happens, EventKind::Syscall(wide));
            }
            let step = self.e.terms.pool.num(w, u128::from(k * word));
            let at = Sym { bits: self.e.terms.pool.add(out.bits, step), ..out };
            let old = self.read_targets(path, &ts, at, word);
            let new = self.e.terms.int(value);
            let v = self.choose(done, new, old);
            self.write_targets(path, &ts, at, word, v);
        }
        r
    }

    /// `__verify_sys_getenv`: null, or text of the system's, of any length, that nobody may write to.
    fn environment(&mut self, path: &Path) -> Sym {
        let g = path.guard;
        let p = self.anything(107, Ty::Ptr);
        let zero = self.e.terms.pool.num(self.e.terms.ptr_bits, 0);
        let none = self.e.terms.pool.eq(p.bits, zero);
        let null = self.wild_null(p.bits);
        let honest = self.e.terms.pool.eq(none, null);
        self.assume(g, honest);
        let (one, start) = (self.e.terms.pool.num(self.e.terms.ptr_bits, 1), zero);
        for bad in [
            self.wild_invalid(p.bits, path),
            self.wild_freed(p.bits, path),
            self.wild_scope(p.bits, path),
            self.wild_outside(p.bits, start, one),
        ] {
            let ok = self.e.terms.pool.not(bad);
            let ok = self.e.terms.pool.or(none, ok);
            self.assume(g, ok);
        }
        // How long it is, its end included, or 0.
        let (no, some) = (self.e.terms.pool.num(64, 0), self.e.terms.pool.num(64, 2));
        let length = self.e.terms.pool.ite(none, no, some);
        self.event(g, EventKind::Syscall(length));
        p
    }

    /// `__verify_nondet_bytes`.
    fn input_bytes(&mut self, path: &mut Path, p: Sym, n: Sym, own: bool) {
        let len = self.size_of(n);
        let some = self.nonzero(len);
        let guard = self.e.terms.pool.and(path.guard, some);
        let ts = self.check_access(guard, p, len, Access::Write, own, path);
        let n = self.e.terms.pool.as_const(len).and_then(|v| v.to_u64());
        self.arrive(path, &ts, p, n);
    }

    /// Input in `[p, p + n)`; the whole object when `n` is not known.
    fn arrive(&mut self, path: &mut Path, ts: &crate::access::Targets, p: Sym, n: Option<u64>) {
        let w = self.e.terms.ptr_bits;
        let Some(n) = n.filter(|n| *n <= 256) else {
            if ts.wild != self.ff {
                self.unknown_code(path);
            }
            let k = self.key(104);
            let past = self.t().epoch(&k);
            let module = self.e.module;
            crate::wild::Known::forget(path, past);
            for &(o, _) in &ts.objects {
                let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
                s.base = crate::memory::Base::Murky(past);
                s.cells.clear();
                s.array = None;
                path.memory.set(o, s);
            }
            return;
        };
        let mut at = 0;
        let mut bytes = Vec::new();
        while at < n {
            let mut step = 8;
            while !at.is_multiple_of(step) || at + step > n {
                step /= 2;
            }
            let bits = self.fresh(105, (8 * step) as u32);
            for i in 0..step as u32 {
                bytes.push(self.e.terms.pool.extract(bits, 8 * i + 7, 8 * i));
            }
            let v = self.e.terms.int(bits);
            let k = self.e.terms.pool.num(w, u128::from(at));
            let off = self.e.terms.pool.add(p.bits, k);
            self.write_targets(path, ts, Sym { bits: off, ..p }, step, v);
            at += step;
        }
        self.event(path.guard, EventKind::Bytes(bytes));
    }

    fn free_object(&mut self, path: &mut Path, p: Sym, family: Sym) {
        let g = path.guard;
        let w = self.e.terms.ptr_bits;
        let zero = self.e.terms.pool.num(w, 0);
        let start = self.e.terms.pool.eq(p.bits, zero);
        let family = self.e.terms.pool.as_const(family.bits).and_then(|v| v.to_u64());
        let leaves = self.e.terms.leaves(p.prov);
        let (mut twice, mut wrong, mut maybe, mut named) = (self.ff, self.ff, self.ff, self.ff);
        let module = self.e.module;
        let mut dying = Vec::new();
        for &o in leaves.iter().filter(|o| **o != WILD) {
            let is = self.is_object(p, o);
            named = self.e.terms.pool.or(named, is);
            match self.e.terms.objects[o as usize].kind {
                Kind::Heap(fam) => {
                    let s = path.memory.get(&mut self.e.terms, module, o);
                    let dead = self.e.terms.pool.not(s.alive);
                    let inside = self.e.terms.pool.not(start);
                    let bad = if Some(u64::from(fam)) == family { inside } else { self.tt };
                    let bad = self.e.terms.pool.and(is, bad);
                    wrong = self.e.terms.pool.or(wrong, bad);
                    // An inner pointer into a dead object is reported as either.
                    let d = self.e.terms.pool.and(is, dead);
                    twice = self.e.terms.pool.or(twice, d);
                    dying.push((o, is));
                }
                Kind::Summary | Kind::Wild => maybe = self.e.terms.pool.or(maybe, is),
                Kind::Null => {
                    // A number that may be an address.
                    let bits = self.nonzero(p.bits);
                    let x = self.e.terms.pool.and(is, bits);
                    let z = if self.e.terms.addressed {
                        maybe = self.e.terms.pool.or(maybe, x);
                        self.e.terms.pool.and(is, start)
                    } else {
                        is
                    };
                    wrong = self.e.terms.pool.or(wrong, z);
                }
                _ => wrong = self.e.terms.pool.or(wrong, is),
            }
        }
        if leaves.contains(&WILD) {
            let other = self.e.terms.pool.not(named);
            maybe = self.e.terms.pool.or(maybe, other);
        }
        for k in [K::DoubleFree, K::InvalidFree, K::UseAfterFree, K::UseAfterScope] {
            self.claim(k, g, maybe, false);
        }
        self.claim(K::DoubleFree, g, twice, false);
        self.claim(K::InvalidFree, g, wrong, false);
        let bad = self.e.terms.pool.or(twice, wrong);
        let ok = self.e.terms.pool.not(bad);
        self.assume(g, ok);
        for &(o, is) in &dying {
            let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
            let not = self.e.terms.pool.not(is);
            s.alive = self.e.terms.pool.and(s.alive, not);
            path.memory.set(o, s);
        }
        if maybe != self.ff || dying.iter().any(|(o, _)| self.is_exposed(*o)) {
            // Unknown pointers may have pointed there.
            let k = self.key(108);
            path.generation = self.t().epoch(&k);
        }
        if maybe != self.ff {
            // Any heap object that unknown hands can reach may have ended its life.
            let all: Vec<u32> = path.memory.iter().map(|(o, _)| o).collect();
            for o in all {
                if !matches!(self.e.terms.objects[o as usize].kind, Kind::Heap(_)) {
                    continue;
                }
                let mut s = (*path.memory.get(&mut self.e.terms, module, o)).clone();
                let still = self.fresh(106, 1);
                let free = self.e.terms.pool.and(s.alive, still);
                s.alive = self.e.terms.pool.ite(maybe, free, s.alive);
                path.memory.set(o, s);
            }
        }
    }

    fn object_size(&mut self, path: &Path, p: Sym, w: u32) -> Sym {
        let g = path.guard;
        let leaves = self.e.terms.leaves(p.prov);
        let start = {
            let n = self.nonzero(p.bits);
            self.e.terms.pool.not(n)
        };
        let (mut freed, mut wrong, mut known) = (self.ff, self.ff, self.ff);
        let mut out = self.fresh(107, w);
        let module = self.e.module;
        for &o in leaves.iter().filter(|o| **o != WILD) {
            let is = self.is_object(p, o);
            match self.e.terms.objects[o as usize].kind {
                Kind::Heap(_) => {
                    let s = path.memory.get(&mut self.e.terms, module, o);
                    let dead = self.e.terms.pool.not(s.alive);
                    let d = self.e.terms.pool.and(is, dead);
                    freed = self.e.terms.pool.or(freed, d);
                    let inside = self.e.terms.pool.not(start);
                    let x = self.e.terms.pool.and(is, inside);
                    wrong = self.e.terms.pool.or(wrong, x);
                    let size = self.e.terms.objects[o as usize].size;
                    let size = self.e.terms.pool.resize_unsigned(size, w);
                    out = self.e.terms.pool.ite(is, size, out);
                    known = self.e.terms.pool.or(known, is);
                }
                Kind::Null => {
                    let z = self.e.terms.pool.and(is, start);
                    let zero = self.e.terms.pool.num(w, 0);
                    out = self.e.terms.pool.ite(z, zero, out);
                    known = self.e.terms.pool.or(known, z);
                }
                _ => {}
            }
        }
        let other = self.e.terms.pool.not(known);
        for k in [K::UseAfterFree, K::InvalidFree, K::DoubleFree, K::UseAfterScope, K::InvalidDeref] {
            self.claim(k, g, other, false);
        }
        self.claim(K::UseAfterFree, g, freed, false);
        self.claim(K::InvalidFree, g, wrong, false);
        let bad = self.e.terms.pool.or(freed, wrong);
        let ok = self.e.terms.pool.not(bad);
        self.assume(g, ok);
        self.e.terms.int(out)
    }

    /// The program ends in an orderly way: exit handlers, destructors and the flushing of streams run in the library's
    /// `exit`, which then ends the process.
    pub(crate) fn program_ends(&mut self, path: &Path, status: Option<Sym>) -> Res<()> {
        let module = self.module();
        let exit = module.function_named("exit").filter(|f| module.func(*f).body.is_some());
        let Some(exit) = exit else {
            self.cut(path.guard, Vec::new(), true, "the end of the program".into());
            self.leaks_at_end(path);
            return Ok(());
        };
        let status = status.unwrap_or_else(|| self.e.terms.constant(32, 0));
        let params: Vec<Ty> = module.func(exit).sig.params.iter().map(|p| p.ty).collect();
        let args =
            params.iter().map(|ty| self.adapt(status, Ty::Int(self.e.terms.pool.width(status.bits)), *ty)).collect();
        let place = self.user_place();
        let cuts = self.out.cuts.len();
        self.path.push(u32::MAX - 5);
        let r = self.call_body(exit, args, path.clone(), &[]);
        self.path.pop();
        r?;
        for c in &mut self.out.cuts[cuts..] {
            c.place = c.place.or(place);
        }
        Ok(())
    }

    /// Heap objects that live and that nothing in a global (or, before `main` returns, in a live stack object) points
    /// to. Fewer ways of being reachable are seen than there are, so more is claimed lost than is.
    fn leaks_at_end(&mut self, path: &Path) {
        if !self.e.rules.leaks {
            return;
        }
        let module = self.e.module;
        let t = &mut self.e.terms;
        let heap: Vec<u32> = path
            .memory
            .iter()
            .map(|(o, _)| o)
            .filter(|o| matches!(t.objects[*o as usize].kind, Kind::Heap(_)))
            .collect();
        let mut reach: std::collections::BTreeMap<u32, Term> = heap.iter().map(|o| (*o, self.ff)).collect();
        let heap_set: BTreeSet<u32> = heap.iter().copied().collect();
        let weak = |o: u32, t: &crate::sym::Terms| t.objects[o as usize].name.starts_with("__verify_weak_");
        // (where, condition that it keeps, provenance)
        let mut links: Vec<(Option<u32>, Term, Term)> = Vec::new();
        let states: Vec<(u32, std::rc::Rc<crate::memory::State>)> =
            path.memory.iter().map(|(o, s)| (o, s.clone())).collect();
        for (o, s) in &states {
            let root = match t.objects[*o as usize].kind {
                Kind::Global(_) => !weak(*o, t),
                Kind::Stack => true,
                Kind::Heap(_) => false,
                _ => continue,
            };
            for c in s.cells.values() {
                if t.leaves(c.value.prov).iter().any(|l| heap_set.contains(l)) {
                    links.push(((!root).then_some(*o), s.alive, c.value.prov));
                }
            }
        }
        for _ in 0..REACH_ROUNDS {
            for (from, alive, prov) in &links {
                let mut via = *alive;
                if let Some(h) = from {
                    let Some(&r) = reach.get(h) else { continue };
                    via = t.pool.and(via, r);
                }
                if t.pool.as_const(via).is_some_and(|v| v.is_zero()) {
                    continue;
                }
                for &l in t.leaves(*prov).iter() {
                    let Some(&r) = reach.get(&l) else { continue };
                    let c = t.prov(l);
                    let is = t.pool.eq(*prov, c);
                    let is = t.pool.and(is, via);
                    let r = t.pool.or(r, is);
                    reach.insert(l, r);
                }
            }
        }
        let guard = path.guard;
        for o in heap {
            let s = path.memory.get(&mut self.e.terms, module, o);
            let lost = self.e.terms.pool.not(reach.get(&o).copied().unwrap_or(self.ff));
            let lost = self.e.terms.pool.and(lost, s.alive);
            if let Some(&check) = self.leak_checks.get(&o) {
                self.claim_at(check, guard, lost);
            }
        }
        let earlier: BTreeSet<_> = self.allocated.iter().filter(|(_, c)| *c != self.ff).copied().collect();
        for (check, cond) in earlier {
            self.claim_at(check, guard, cond);
        }
        let _ = NULL;
    }
}
