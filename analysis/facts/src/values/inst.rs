//! Instructions: which of their checks hold, and what is known behind them.

use super::Through;
use super::across::{self, Places};
use super::alias::LONG;
use super::contents::{Read, What, Write};
use super::definedness::fills_bytes;
use super::function::{Function, Known, NUMBERS, Name, defined_here};
use super::interval::{Interval, binary, compare, overflows, wrapped};
use super::linear::Linear;
use super::state::{Base, Cell, Definedness, Extent, Safe, State};
use crate::points_to::{External, Location, ObjectKind, Offset, external, written_by};
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, Step, UnOp};
use verify_ir::{Call, CheckKind as K, Const, InitData, Inst, InstKind, Loc, Operand, Ty, Value};

/// An access: bytes that it touches at least and at most, and what it does.
#[derive(Clone, Copy)]
struct Access {
    least: u64,
    most: Option<u64>,
    read: bool,
    write: bool,
}

/// Kinds that cannot fail at an access.
#[derive(Clone, Copy)]
struct Holds {
    safe: Safe,
    bounds: bool,
    defined: bool,
}

/// A constant length.
fn exact(len: &Operand) -> Option<u64> {
    match len {
        Operand::Const(Const::Int { value, .. }) => u64::try_from(*value).ok(),
        _ => None,
    }
}

impl Function<'_, '_> {
    /// One instruction; false: control does not get behind it.
    pub(super) fn instruction(&mut self, s: &mut State, loc: Loc, inst: &Inst) -> bool {
        // What a folded operation fails with, its source says, not its place here.
        self.muted = false;
        inst.kind.for_each_operand(|o| self.muted |= matches!(o, Operand::Const(Const::Poison(_))));
        match &inst.kind {
            InstKind::Load { ptr, volatile, atomic, .. } => {
                let Some(v) = inst.results.first().copied() else { return true };
                let ty = self.body.ty(v);
                let n = ty.store_bytes(&self.given.module.target);
                self.access(s, loc, ptr, Access { least: n, most: Some(n), read: true, write: false });
                return self.load(s, ptr, v, ty, !volatile && !atomic);
            }
            InstKind::Store { ptr, value, volatile, atomic, .. } => {
                let ty = self.body.operand_ty(value);
                let n = ty.store_bytes(&self.given.module.target);
                self.access(s, loc, ptr, Access { least: n, most: Some(n), read: false, write: true });
                self.written(s, ptr, n);
                let mut known = if *volatile || *atomic { Known::default() } else { self.known(s, value) };
                known.whole &= fills_bytes(ty);
                self.writes(ptr, Some(n), What::Value(known));
                if let (Some(p), false) = (self.name(ptr), *volatile || *atomic) {
                    match value {
                        Operand::Value(v) => s.set_held((p.base, p.offset, ty), *v),
                        Operand::Const(_) => s.set_content((p.base, p.offset, ty), known),
                    }
                }
            }
            InstKind::MemCopy { dst, src, len, .. } => {
                let a = self.length(s, len);
                let mut d = self.holds(s, dst, Access { write: true, ..a });
                let mut r = self.holds(s, src, Access { read: true, ..a });
                d.bounds = d.bounds || self.reaches(s, dst, len);
                r.bounds = r.bounds || self.reaches(s, src, len);
                let both = Holds {
                    safe: d.safe.common(r.safe.with(Safe::WRITABLE)),
                    bounds: false,
                    defined: d.defined && r.defined && self.defined(s, len),
                };
                self.settle_access(loc, both, Access { read: true, write: true, ..a });
                if d.bounds {
                    self.settle(loc, K::OutOfBoundsWrite);
                }
                if r.bounds {
                    self.settle(loc, K::OutOfBoundsRead);
                }
                self.passed(s, src, Access { read: true, ..a });
                self.passed(s, dst, Access { write: true, ..a });
                self.written(s, dst, a.most.unwrap_or(LONG));
                if self.last {
                    let from = self.targets(src);
                    let what = if from.unknown { What::Unknown } else { What::Copy(from.places) };
                    self.writes(dst, exact(len), what);
                }
            }
            InstKind::MemSet { dst, len, byte, .. } => {
                let a = Access { write: true, ..self.length(s, len) };
                let mut h = self.holds(s, dst, a);
                h.defined &= self.defined(s, len);
                h.bounds = h.bounds || self.reaches(s, dst, len);
                self.settle_access(loc, h, a);
                self.passed(s, dst, a);
                self.written(s, dst, a.most.unwrap_or(LONG));
                let what = match byte {
                    Operand::Const(Const::Int { value: 0, .. }) if self.is_calloc() => What::Zeroed,
                    Operand::Const(Const::Int { value: 0, .. }) => What::Zero,
                    _ if self.defined(s, byte) => What::Defined,
                    _ => What::Unknown,
                };
                self.writes(dst, exact(len), what);
            }
            InstKind::AtomicRmw { ptr, value, .. } | InstKind::CmpXchg { ptr, new: value, .. } => {
                let n = self.body.operand_ty(value).store_bytes(&self.given.module.target);
                let a = Access { least: n, most: Some(n), read: true, write: true };
                let h = self.holds(s, ptr, a);
                let plain = matches!(inst.kind, InstKind::AtomicRmw { .. });
                self.settle_access(loc, Holds { defined: h.defined && plain, ..h }, a);
                self.passed(s, ptr, a);
                self.written(s, ptr, n);
                self.writes(ptr, Some(n), What::Unknown);
            }
            InstKind::VaStart { list: p } => {
                self.written(s, p, LONG);
                self.writes(p, None, What::Defined);
            }
            InstKind::VaCopy { dst, src } => {
                self.written(s, dst, LONG);
                if self.last {
                    let from = self.targets(src);
                    let what = if from.unknown { What::Unknown } else { What::Copy(from.places) };
                    let t = &self.given.module.target.triple;
                    self.writes(dst, (t.starts_with("x86_64") && !t.contains("windows")).then_some(24), what);
                }
            }
            // Ends nothing that is read.
            InstKind::VaEnd { .. } => {}
            InstKind::InlineAsm(a) if a.is_barrier() => {}
            InstKind::InlineAsm(a) => {
                for (p, n) in &a.written {
                    self.written(s, p, *n);
                    self.writes(p, None, What::Unknown);
                }
                for p in &a.inputs {
                    self.writes(p, None, What::Unknown);
                }
                if a.clobbers_memory {
                    s.retain_memory(|_| false);
                }
            }
            InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } => {
                let start = matches!(inst.kind, InstKind::LifetimeStart { .. });
                let Some(a) = object.as_value() else { return true };
                let alias = &mut self.alias;
                s.lose(Safe::SCOPE, |b| alias.may_be(b, a));
                s.lose_in_memory(Safe::SCOPE, |c| alias.content_may_be(c, a));
                s.retain_memory(|c| !alias.changes(Base::Value(a), None, LONG, c, LONG));
                if start {
                    s.add_safe(Base::Value(a), Safe::SCOPE);
                    self.is_born(s, a);
                }
            }
            InstKind::StackRestore { .. } => {
                s.lose(Safe::SCOPE, |_| true);
                s.lose_in_memory(Safe::SCOPE, |_| true);
            }
            InstKind::Call(c) => return self.call(s, loc, c, &inst.results),
            InstKind::Check { kind, ok, .. } => return self.check(s, loc, *kind, ok),
            InstKind::Assume { cond } => return self.check(s, loc, K::Unreachable, cond),
            InstKind::Unmodelled { .. } => *s = State::default(),
            InstKind::Addr { base, steps, .. } => {
                if let Some(v) = inst.results.first() {
                    self.address(s, *v, base, steps);
                }
            }
            _ => self.computed(s, loc, inst),
        }
        true
    }

    fn length(&mut self, s: &State, len: &Operand) -> Access {
        let r = self.range(s, len);
        let least = r.map_or(0, |r| u64::try_from(r.lo.max(0)).unwrap_or(0));
        let least = if r.is_some_and(|r| r.lo < 0) { 0 } else { least };
        let most = r.filter(|r| r.lo >= 0).and_then(|r| u64::try_from(r.hi).ok());
        Access { least, most, read: false, write: false }
    }

    /// As many bytes as the operand says are inside the pointer's object.
    fn reaches(&mut self, s: &State, ptr: &Operand, len: &Operand) -> bool {
        let natural = self.range(s, len).is_some_and(|r| r.lo >= 0);
        natural && self.linear(s, len).is_some_and(|l| self.inside(s, ptr, &l))
    }

    /// Which kinds an access cannot fail.
    fn holds(&mut self, s: &State, ptr: &Operand, a: Access) -> Holds {
        let defined = self.defined(s, ptr);
        let k = self.known(s, ptr);
        let bounds = match (k.extent, a.most) {
            (Some(Extent::ALL), _) => true,
            (Some(e), Some(n)) if e.covers(0, n) => true,
            (_, Some(n)) if a.least == n => self.inside(s, ptr, &Linear::of(n.into())),
            _ => false,
        };
        Holds { safe: k.safe, bounds, defined }
    }

    fn settle_access(&mut self, loc: Loc, h: Holds, a: Access) {
        for (safe, kind) in [
            (Safe::NULL, K::NullDeref),
            (Safe::INVALID, K::InvalidDeref),
            (Safe::FREED, K::UseAfterFree),
            (Safe::SCOPE, K::UseAfterScope),
        ] {
            if h.safe.has(safe) {
                self.settle(loc, kind);
            }
        }
        if a.write && h.safe.has(Safe::WRITABLE) {
            self.settle(loc, K::ReadOnlyWrite);
        }
        if h.bounds {
            if a.read {
                self.settle(loc, K::OutOfBoundsRead);
            }
            if a.write {
                self.settle(loc, K::OutOfBoundsWrite);
            }
        }
        if h.defined {
            self.settle(loc, K::UninitRead);
        }
    }

    /// What an access that passed shows.
    fn passed(&mut self, s: &mut State, ptr: &Operand, a: Access) {
        // Nothing is touched, and nothing checked, where the length is 0.
        if a.least == 0 {
            return;
        }
        self.is_defined(s, ptr);
        let Some(n) = self.name(ptr) else { return };
        let shown = if a.write { Safe::ACCESSED.with(Safe::WRITABLE) } else { Safe::ACCESSED };
        // Of a pointer that is computed from another one, that it leads somewhere says nothing of where the other one is.
        let near = n.base == n.root && (0..1 << 31).contains(&n.offset);
        let shown = if near { shown } else { shown.without(Safe::NONZERO) };
        s.add_safe(n.root, shown);
        let Some(end) = i64::try_from(a.least).ok().and_then(|l| n.offset.checked_add(l)) else { return };
        let seen = Extent { lo: n.offset, hi: end };
        let e = self.extent(s, n.base);
        let e = match e {
            Some(Extent::ALL) | None => seen,
            Some(e) => e.hull(seen),
        };
        s.set_extent(n.base, e);
    }

    fn access(&mut self, s: &mut State, loc: Loc, ptr: &Operand, a: Access) {
        let h = self.holds(s, ptr, a);
        self.settle_access(loc, h, a);
        self.passed(s, ptr, a);
        if !h.bounds {
            self.spanned(s, ptr, a.least.into());
        }
    }

    /// Memory was written: what may have changed is not known any more.
    fn written(&mut self, s: &mut State, ptr: &Operand, n: u64) {
        let Some(p) = self.name(ptr) else {
            s.retain_memory(|_| false);
            return;
        };
        let target = &self.given.module.target;
        let alias = &mut self.alias;
        s.retain_memory(|c| !alias.changes(p.base, Some(p.offset), n, c, c.2.store_bytes(target)));
    }

    /// False: nothing was stored there yet.
    fn load(&mut self, s: &mut State, ptr: &Operand, v: Value, ty: Ty, plain: bool) -> bool {
        let own = Name { base: Base::Value(v), offset: 0, root: Base::Value(v) };
        let Some(p) = self.name(ptr).filter(|_| plain) else {
            self.set_name(v, own);
            return true;
        };
        let cell: Cell = (p.base, p.offset, ty);
        match s.held(&cell).filter(|_| !self.is_pinned(v)) {
            Some(w) => {
                let k = self.known(s, &Operand::Value(w));
                let name = self.name(&Operand::Value(w)).unwrap_or(own);
                self.set_name(v, name);
                if k.defined {
                    s.set_defined(v);
                }
                if let (Some(r), Ty::Int(_) | Ty::Ptr) = (k.range, ty) {
                    s.set_range(v, r);
                }
                if k.whole {
                    s.set_definedness(v, Definedness::Whole);
                }
            }
            None => {
                self.set_name(v, own);
                if self.constant_data(p.root) {
                    s.set_defined(v);
                }
                let here = s.content(&cell).copied().unwrap_or_default();
                s.set_held(cell, v);
                let Some(known) = self.stored(s, ptr, ty) else { return false };
                self.learn(s, v, known.join(&here));
                if ty == Ty::Ptr && self.is_argument(s, ptr) {
                    s.add_safe(Base::Value(v), Safe::NULL.with(Safe::NONZERO));
                }
            }
        }
        true
    }

    /// What all stores to a place agree on; `None`: there are none.
    fn stored(&mut self, s: &State, ptr: &Operand, ty: Ty) -> Option<Known> {
        // Before others look at it, a new object may hold anything where nothing was written.
        let new = match self.name(ptr).map(|n| n.root) {
            Some(Base::Value(v)) => s.unseen(v).is_some(),
            _ => false,
        };
        let key = match ptr {
            Operand::Value(v) => Some((Base::Value(*v), ty, new)),
            _ => None,
        };
        if let Some(k) = key.and_then(|k| self.loaded.get(&k)) {
            return *k;
        }
        let t = self.targets(ptr);
        let read = Read { size: ty.store_bytes(&self.given.module.target), ty, new };
        let known = self.contents.of(&self.given, &t, read, &mut self.found.reads);
        if known.is_none() {
            let what = What::Value(Known::default());
            self.found.empty.push(Write { places: t.places, size: Some(read.size), what });
        }
        if let Some(k) = key {
            self.loaded.insert(k, known);
        }
        known
    }

    /// In the model of `calloc`, which fills whole objects.
    fn is_calloc(&self) -> bool {
        let m = self.given.module;
        let f = m.func(self.id);
        f.name == "zeroed" && m.units.get(f.unit.index()).is_some_and(|u| u.model)
    }

    /// Everything that the pointer can point to are initialised constants.
    fn constant_data(&mut self, root: Base) -> bool {
        let p = self.given.points_to;
        let m = self.given.module;
        let t = self.alias.targets(root);
        !t.unknown
            && !t.places.is_empty()
            && t.places.iter().all(|l| match p.object(l.object).kind {
                ObjectKind::Global(g) => {
                    let pieces = m.global(g).init.iter().flat_map(|i| &i.pieces);
                    let gaps = pieces.filter(|p| matches!(p.data, InitData::Undef(_))).count();
                    m.global(g).constant && defined_here(m, g) && gaps == 0
                }
                _ => false,
            })
    }

    fn check(&mut self, s: &mut State, loc: Loc, kind: K, ok: &Operand) -> bool {
        if self.range(s, ok).and_then(Interval::exact) == Some(1) {
            self.settle(loc, kind);
        }
        if self.given.unchecked == Some(kind) || kind.is_defined_by_c() {
            return true;
        }
        self.settle_defined(s, loc, ok);
        match self.assume(s, ok, true) {
            Some(after) => {
                *s = after;
                true
            }
            None => false,
        }
    }

    fn address(&mut self, s: &mut State, v: Value, base: &Operand, steps: &[Step]) {
        let mut indices = true;
        let mut distance = Some(Interval::of(0));
        for step in steps {
            let by = match step {
                Step::Field { offset, .. } => Some(Interval::of(i128::from(*offset))),
                Step::Index { index, stride, .. } => {
                    indices &= self.defined(s, index);
                    let wide = self.body.operand_ty(index) != Ty::BOOL;
                    let r = self.range(s, index).filter(|_| wide);
                    r.map(|r| Interval { lo: r.lo * i128::from(*stride), hi: r.hi * i128::from(*stride) })
                }
            };
            distance = distance.zip(by).map(|(a, b)| Interval { lo: a.lo + b.lo, hi: a.hi + b.hi });
        }
        if indices && self.defined(s, base) {
            s.set_defined(v);
        } else if indices && self.whole(s, base) {
            s.set_definedness(v, Definedness::Whole);
        }
        // Far away, addresses wrap.
        let far = 1i128 << (self.given.module.target.pointer_bits - 4);
        let near = Interval { lo: -far, hi: far };
        let distance = distance.filter(|d| near.covers(*d)).map(|d| (d.lo as i64, d.hi as i64));
        let own = Name { base: Base::Value(v), offset: 0, root: Base::Value(v) };
        let Some(n) = self.name(base) else {
            self.set_name(v, own);
            if matches!(base, Operand::Const(Const::Null)) {
                let known =
                    Known { safe: Safe::OF_NULL.without(Safe::HONEST), extent: Some(Extent::ALL), ..Known::default() };
                self.learn(s, v, known);
            }
            return;
        };
        match distance {
            Some((lo, hi)) if lo == hi => match n.offset.checked_add(lo).filter(|o| near.contains((*o).into())) {
                Some(offset) => self.set_name(v, Name { offset, ..n }),
                None => self.set_name(v, Name { root: n.root, ..own }),
            },
            _ => {
                self.set_name(v, Name { root: n.root, ..own });
                let extent = self.extent(s, n.base).and_then(|e| e.seen_from(n.offset));
                match (extent, distance) {
                    (Some(Extent::ALL), _) => s.set_extent(Base::Value(v), Extent::ALL),
                    (Some(e), Some((lo, hi))) => {
                        if let (Some(a), Some(z)) = (e.lo.checked_sub(lo), e.hi.checked_sub(hi))
                            && a < z
                        {
                            s.set_extent(Base::Value(v), Extent { lo: a, hi: z });
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Notes where a pointer leads that is called, if to functions only.
    fn through_pointer(&mut self, s: &State, loc: Loc, callee: &Operand) {
        if !matches!(callee, Operand::Value(_)) {
            return;
        }
        let targets = self.targets(callee);
        let function = |l: &Location| match self.given.points_to.object(l.object).kind {
            ObjectKind::Function(f) if l.offset == Offset::Exact(0) => Some(f),
            _ => None,
        };
        let functions: Option<Vec<_>> = targets.places.iter().map(function).collect();
        if let Some(functions) = functions.filter(|_| !targets.unknown) {
            let known = self.known(s, callee);
            self.found.through.push((loc, Through { functions, known }));
        }
    }

    /// A call: what it may change and release, and what it returns. False: it does not return.
    pub(super) fn call(&mut self, s: &mut State, loc: Loc, c: &Call, results: &[Value]) -> bool {
        let targets = self.given.points_to.callees(self.id, loc);
        let m = self.given.module;
        if self.last {
            let known: Vec<Known> = c.args.iter().map(|o| self.known(s, o)).collect();
            for g in &targets.functions {
                let memory = self.handed(s, &c.args, *g);
                let told = self.found.calls.iter().rev().find(|f| f.0 == *g).map(|f| f.3.clone());
                let before = told.or_else(|| self.interface(*g).before.clone());
                let claims = self.passes(s, c, *g, before.as_deref());
                self.found.calls.push((*g, known.clone(), memory, claims));
            }
            // Through a pointer from outside, the call may come back in, with what need not keep to the contract.
            if targets.unknown {
                let types: Vec<_> = c.params.iter().map(|p| p.ty).collect();
                for g in (0..m.functions.len()).map(verify_ir::FuncId::new) {
                    let sig = &m.func(g).sig;
                    let same = sig.params.iter().map(|p| p.ty).eq(types.iter().copied())
                        && sig.results.iter().copied().eq(results.iter().map(|r| self.body.ty(*r)));
                    if same && self.given.points_to.called_from_outside(g) {
                        self.found.calls.push((g, known.clone(), Places::new(), Vec::new()));
                    }
                }
            }
            self.through_pointer(s, loc, &c.callee);
            let model = |g: &verify_ir::FuncId| m.units.get(m.func(*g).unit.index()).is_some_and(|u| u.model);
            if !targets.unknown && targets.functions.iter().all(model) {
                let passed = self.passed_to(s, &c.args, known);
                self.found.arguments.push((loc, passed));
            }
        }
        let target = &m.target;
        let alias = &mut self.alias;
        s.retain_memory(|cell| !alias.call_changes(loc, cell, cell.2.store_bytes(target)));
        s.lose(Safe::FREED, |b| alias.call_releases(loc, b));
        s.lose_in_memory(Safe::FREED, |cell| alias.call_releases_content(loc, cell));
        if c.returns_twice {
            // What was made once, at the beginning, is still what it was.
            *s = State::default();
            self.made_at_entry(s);
            return true;
        }
        if self.last {
            for f in targets.external.iter().map(|f| m.func(*f)).filter(|f| external(f) == External::Inert) {
                let written = written_by(f);
                for (n, a) in c.args.iter().enumerate() {
                    if written.contains(&n) || n >= f.sig.params.len() {
                        self.writes(a, None, What::Defined);
                    }
                }
            }
        }
        let gone = |f: verify_ir::FuncId| m.func(f).attrs.noreturn;
        // What a library function does where its model ends, it may return from, with anything.
        if self.last && targets.external.iter().any(|f| m.func(*f).name == "__verify_unmodelled") {
            self.goes_on_with_anything(m.func(self.id).sig.results.len());
        }
        if c.noreturn {
            return false;
        }
        let sized = match (&targets.external[..], &targets.functions[..], targets.unknown) {
            ([f], [], false) if external(m.func(*f)) == External::Alloc => {
                c.args.first().and_then(|a| self.linear(s, a))
            }
            _ => None,
        };
        let mut left: Option<Places> = None;
        let mut shown: Option<Vec<Known>> = None;
        let mut known: Option<Vec<Known>> = targets.unknown.then(|| vec![Known::default(); results.len()]);
        let mut add = |k: Vec<Known>| {
            known = Some(match known.take() {
                None => k,
                Some(old) => {
                    let n = Known::default();
                    (0..old.len()).map(|i| old[i].meet(k.get(i).unwrap_or(&n))).collect()
                }
            });
        };
        for g in &targets.external {
            if !gone(*g) {
                add(self.primitive(*g, c, results.len()));
            }
        }
        for g in &targets.functions {
            if let Some(r) = &self.interface(*g).results.known {
                let mut r = r.clone();
                let args = self.interface(*g).shown.known.as_deref().unwrap_or_default();
                let args = self.of_arguments(*g, c, args);
                shown = Some(match shown {
                    None => args,
                    Some(old) => old.iter().zip(&args).map(|(a, b)| a.meet(b)).collect(),
                });
                r.resize(results.len(), Known::default());
                add(r);
                let more = &self.interface(*g).results.memory;
                left = Some(left.map_or_else(|| more.clone(), |old| across::meet(&old, more)));
            }
        }
        // A place that the points-to facts know nothing of.
        if targets.functions.is_empty() && targets.external.is_empty() && !targets.unknown {
            add(vec![Known::default(); results.len()]);
        }
        let Some(known) = known else { return false };
        for (v, k) in results.iter().zip(known) {
            self.learn(s, *v, k);
        }
        if let (Some(l), Some(v)) = (sized.filter(|l| !l.terms().is_empty()), results.first()) {
            s.add_span(Base::Value(*v), l);
        }
        // Of code that is not here nothing is known.
        if targets.unknown || !targets.external.iter().all(|g| gone(*g)) {
            return true;
        }
        if let Some(args) = shown
            && !self.passed_on(s, &c.args, &args)
        {
            return false;
        }
        if let [g] = targets.functions[..]
            && let Some(all) = self.interface(g).after.clone()
            && !self.told_by(s, c, g, results, &all)
        {
            return false;
        }
        if let Some(places) = left {
            self.came_back(s, &c.args, results, &places);
        }
        true
    }

    /// Results of a function without a body.
    fn primitive(&mut self, f: verify_ir::FuncId, c: &Call, results: usize) -> Vec<Known> {
        let function = self.given.module.func(f);
        let mut all = vec![Known::default(); results];
        // Whatever unknown code returns, it is a value.
        if external(function) == External::Unknown {
            all.iter_mut().for_each(|k| k.defined = true);
        }
        let Some(first) = all.first_mut() else { return all };
        if external(function) == External::Alloc {
            let size = match c.args.first() {
                Some(Operand::Const(Const::Int { value, .. })) => u64::try_from(*value).unwrap_or(0),
                _ => 0,
            };
            *first = Known::object(size);
        } else if function.name == "__verify_sys_getenv" {
            // Null, or a string of the environment.
            *first = Known { defined: true, ..Known::input(1) };
        } else if function.name.starts_with("__verify_nondet_")
            || function.name.starts_with("__verify_sys_")
            || function.name == "__verify_choose_failure"
            || function.name == "__verify_object_size"
        {
            first.defined = true;
        }
        all
    }

    /// Numbers.
    fn computed(&mut self, s: &mut State, loc: Loc, inst: &Inst) {
        let Some(v) = inst.results.first().copied() else { return };
        let width = |o: &Operand, b: &verify_ir::Body| match b.operand_ty(o) {
            Ty::Int(w) => w,
            _ => 0,
        };
        let mut all_defined = true;
        inst.kind.for_each_operand(|o| all_defined &= self.defined(s, o));
        let whole = !all_defined && self.makes_whole(s, &inst.kind);
        let mut result = Known { defined: all_defined, whole, ..Known::default() };
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let w = width(lhs, self.body);
                let (a, b) = (self.range(s, lhs), self.range(s, rhs));
                self.binary_checks(s, loc, *op, flags.nsw || flags.nuw, flags.exact, (lhs, rhs), w);
                if let (Some(a), Some(b)) = (a, b) {
                    result.range = binary(*op, w, a, b);
                    let over = match op {
                        BinOp::Sub => Some(OverflowOp::SSub),
                        BinOp::Add => Some(OverflowOp::SAdd),
                        _ => None,
                    };
                    if let Some(r) = over.and_then(|op| self.sharpened(s, op, w, lhs, rhs)) {
                        result.range = Some(result.range.and_then(|old| old.meet(r)).unwrap_or(r));
                    }
                }
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                let w = width(lhs, self.body);
                if let (true, Some(a), Some(b)) = (w > 0, self.range(s, lhs), self.range(s, rhs)) {
                    let r = compare(*pred, w, a, b);
                    let sure = if r.exact().is_none() { self.decided(s, *pred, lhs, rhs) } else { None };
                    result.range = Some(sure.map_or(r, |t| Interval::of(t.into())));
                }
                if let (Some(a), Some(b)) = (self.marked(s, lhs), self.marked(s, rhs)) {
                    result.range = Some(compare(*pred, 64, a, b));
                }
                if matches!(pred, IntPred::Eq | IntPred::Ne) && self.not_null(s, lhs, rhs) {
                    result.range = Some(Interval::of((*pred == IntPred::Ne).into()));
                }
            }
            InstKind::Overflow { op, lhs, rhs } => {
                let w = width(lhs, self.body);
                if let (Some(a), Some(b)) = (self.range(s, lhs), self.range(s, rhs)) {
                    result.range = wrapped(*op, w, a, b);
                    let mut over = overflows(*op, w, a, b);
                    let sharp = if over == Interval::of(0) { None } else { self.sharpened(s, *op, w, lhs, rhs) };
                    if let Some(r) = sharp {
                        result.range = Some(result.range.and_then(|old| old.meet(r)).unwrap_or(r));
                        let signed = matches!(op, OverflowOp::SAdd | OverflowOp::SSub);
                        if signed || a.lo >= 0 && b.lo >= 0 && r.lo >= 0 {
                            over = Interval::of(0);
                        }
                    }
                    if let Some(flag) = inst.results.get(1) {
                        let range = Some(over);
                        self.learn(
                            s,
                            *flag,
                            Known { range, defined: all_defined, whole: !all_defined, ..Known::default() },
                        );
                    }
                } else if let (Some(flag), true) = (inst.results.get(1), all_defined) {
                    s.set_defined(*flag);
                }
            }
            InstKind::Cast { op, arg } => {
                let (from, to) = (width(arg, self.body), self.body.ty(v));
                if let (Ty::Int(to), Some(r)) = (to, self.range(s, arg)) {
                    result.range = cast(*op, from, to, r);
                }
                if *op == CastOp::IntToPtr {
                    result.range = self.range(s, arg).filter(|r| NUMBERS.covers(*r));
                }
                if matches!(op, CastOp::FpToUi | CastOp::FpToSi | CastOp::LRint | CastOp::LRound) {
                    self.settle_defined(s, loc, arg);
                    result.defined = true;
                }
            }
            InstKind::Select { cond, then, other } => {
                self.settle_defined(s, loc, cond);
                let t = self.assume(s, cond, true).map(|s| self.known(&s, then));
                let o = self.assume(s, cond, false).map(|s| self.known(&s, other));
                result = match (t, o) {
                    (Some(t), Some(o)) => t.meet(&o),
                    (Some(k), None) | (None, Some(k)) => k,
                    (None, None) => Known::default(),
                };
            }
            InstKind::Alloca { count, .. } => {
                if !matches!(count, Operand::Const(_)) {
                    self.settle_defined(s, loc, count);
                }
                result.defined = true;
                if self.lives_on(v) {
                    result.safe = Safe::SCOPE;
                }
            }
            InstKind::Freeze { arg } => {
                if all_defined {
                    result.range = self.range(s, arg);
                }
                result.defined = true;
            }
            InstKind::Unary { op: UnOp::CtPop | UnOp::CtLz | UnOp::CtTz, arg } => {
                let w = width(arg, self.body);
                if (8..=64).contains(&w) {
                    result.range = Some(Interval { lo: 0, hi: i128::from(w) });
                }
            }
            InstKind::Uninit => result = Known { whole: true, ..Known::default() },
            InstKind::Opaque { .. } => result.defined = false,
            _ => {}
        }
        self.learn(s, v, result);
    }

    /// One of the two is the null pointer, and the other is not.
    fn not_null(&mut self, s: &State, lhs: &Operand, rhs: &Operand) -> bool {
        let null = |o: &Operand| matches!(o, Operand::Const(Const::Null));
        let other = match (null(lhs), null(rhs)) {
            (true, false) => rhs,
            (false, true) => lhs,
            _ => return false,
        };
        self.known(s, other).safe.has(Safe::NONZERO)
    }

    #[allow(clippy::too_many_arguments)]
    fn binary_checks(
        &mut self,
        s: &mut State,
        loc: Loc,
        op: BinOp,
        no_wrap: bool,
        exact: bool,
        (lhs, rhs): (&Operand, &Operand),
        w: u32,
    ) {
        let (a, b) = (self.range(s, lhs), self.range(s, rhs));
        match op {
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                if b.is_some_and(|b| !b.contains(0)) {
                    self.settle(loc, K::DivByZero);
                }
                let signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                let least = Interval::full(w).map(|f| f.lo);
                let never = b.is_some_and(|b| !b.contains(-1)) || a.zip(least).is_some_and(|(a, l)| !a.contains(l));
                if (!signed || never && w > 1) && !no_wrap && !exact {
                    self.settle(loc, K::SignedOverflow);
                }
                self.settle_defined(s, loc, rhs);
                if let (Operand::Value(_), Some(b)) = (rhs, b)
                    && b.lo == 0
                    && b.hi > 0
                {
                    self.within(s, rhs, Interval { lo: 1, hi: b.hi }, 4);
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let range = Interval { lo: 0, hi: i128::from(w) - 1 };
                if w > 1 && b.is_some_and(|b| range.covers(b)) {
                    self.settle(loc, K::ShiftRange);
                }
                self.settle_defined(s, loc, rhs);
                if w > 1 && w <= 64 {
                    self.within(s, rhs, range, 4);
                }
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul if no_wrap && !exact => {
                let over = |op| a.zip(b).is_some_and(|(a, b)| overflows(op, w, a, b) == Interval::of(0));
                let (signed, unsigned) = match op {
                    BinOp::Add => (OverflowOp::SAdd, OverflowOp::UAdd),
                    BinOp::Sub => (OverflowOp::SSub, OverflowOp::USub),
                    _ => (OverflowOp::SMul, OverflowOp::UMul),
                };
                if w > 1 && over(signed) && over(unsigned) {
                    self.settle(loc, K::SignedOverflow);
                }
            }
            _ => {}
        }
    }

    /// A local variable whose life ends with the function's.
    fn lives_on(&self, a: Value) -> bool {
        !self.body.blocks.iter().flat_map(|b| &b.insts).any(|i| match &i.kind {
            InstKind::LifetimeStart { object } | InstKind::LifetimeEnd { object } => object.as_value() == Some(a),
            InstKind::StackRestore { .. } => true,
            _ => false,
        })
    }
}

fn cast(op: CastOp, from: u32, to: u32, r: Interval) -> Option<Interval> {
    let full = Interval::full(to)?;
    Some(match op {
        CastOp::ZExt if r.lo >= 0 => r,
        CastOp::ZExt if from < 64 => Interval { lo: 0, hi: (1 << from) - 1 },
        // Of one bit, 1 is -1.
        CastOp::SExt if from == 1 => Interval { lo: -r.hi, hi: -r.lo },
        CastOp::SExt => r,
        CastOp::Trunc if to > 1 && full.covers(r) => r,
        CastOp::Trunc if to == 1 => r.exact().map_or(full, |v| Interval::of(v & 1)),
        CastOp::Bitcast if from == to => r,
        _ => full,
    })
}
