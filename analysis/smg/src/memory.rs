//! Accesses: which object, whether inside of it, what it holds.

use crate::heap::{Fill, Kind, Obj, Object, State};
use crate::value::{Ptr, Val};
use crate::walk::{GivenUp, Res, Walker};
use verify_checks::defs::is_definite;
use verify_ir::module::InitData;
use verify_ir::{CheckKind as K, Const, GlobalId, Operand, SymbolRef};

/// How memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// Read.
    Read,
    /// Written.
    Write,
}

/// What an address leads to.
pub enum Target {
    /// Between two offsets in an object.
    In(Obj, i64, i64),
    /// A segment has to be taken apart first.
    Apart(Vec<State>),
    /// The access fails.
    Nowhere,
}

/// Addresses below are those of no object.
const FIRST_PAGE: u64 = 4096;

impl Walker<'_> {
    /// The object of a global, made when it is first touched.
    pub fn global(&self, s: &mut State, g: GlobalId) -> Obj {
        if let Some(o) = s.globals.get(&g) {
            return *o;
        }
        let data = self.module.global(g);
        let library = self.module.units.get(data.unit.index()).is_some_and(|u| u.model);
        let fill = match &data.init {
            Some(i) if i.pieces.is_empty() => Fill::Zero,
            Some(_) => Fill::Initial(g),
            None => Fill::Any { defined: true },
        };
        let unknown = library && s.library_unknown && !data.constant;
        let fill = if unknown { Fill::Any { defined: true } } else { fill };
        let o = s.add(Object::new(Kind::Global(g), data.size, data.size, fill));
        s.globals.insert(g, o);
        o
    }

    /// Output was written: nothing is known of the library's variables from here on.
    pub fn forget_library(&self, s: &mut State) {
        s.library_unknown = true;
        let globals: Vec<(GlobalId, Obj)> = s.globals.iter().map(|(g, o)| (*g, *o)).collect();
        for (g, o) in globals {
            let data = self.module.global(g);
            let library = self.module.units.get(data.unit.index()).is_some_and(|u| u.model);
            if let (true, Some(o)) = (library && !data.constant, s.get_mut(o)) {
                o.fields.clear();
                o.fill = Fill::Any { defined: true };
            }
        }
    }

    /// What a global starts with.
    pub fn initial(&self, g: GlobalId, off: i64, n: u64) -> Val {
        if let Some(v) = self.contents.borrow().get(&(g, off, n)) {
            return *v;
        }
        let v = self.initial_of(g, off, n);
        self.contents.borrow_mut().insert((g, off, n), v);
        v
    }

    fn initial_of(&self, g: GlobalId, off: i64, n: u64) -> Val {
        let data = self.module.global(g);
        let (Some(init), Ok(off)) = (&data.init, u64::try_from(off)) else { return Val::SOME };
        let mut bytes = vec![0u8; n.min(64) as usize];
        for p in &init.pieces {
            let end = p.offset + p.data.size();
            if end <= off || p.offset >= off + n {
                continue;
            }
            match &p.data {
                InitData::Bytes(b) => {
                    for (k, x) in bytes.iter_mut().enumerate() {
                        let at = off + k as u64;
                        if at >= p.offset && at < end {
                            *x = b[(at - p.offset) as usize];
                        }
                    }
                    if n > 64 && b.iter().any(|x| *x != 0) {
                        return Val::SOME;
                    }
                }
                InitData::Undef(_) => return Val::MAYBE,
                // Addresses of variables: see `initial_address`.
                InitData::Address { symbol, addend: 0, .. } if p.offset == off && end == off + n => {
                    return match self.module.resolve(*symbol) {
                        (r @ SymbolRef::Func(f), 0) if !self.module.may_be_absent(r) => Val::Func(f),
                        _ => Val::SOME,
                    };
                }
                _ => return Val::SOME,
            }
        }
        if bytes.iter().all(|b| *b == 0) {
            return Val::Zeros;
        }
        if n > 8 || self.module.target.big_endian {
            return Val::SOME;
        }
        let value = bytes.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
        Val::int(8 * n as u32, value)
    }

    /// The address that a global starts with in these bytes, if it does with one of another global.
    pub fn initial_address(&self, s: &mut State, g: GlobalId, off: i64, n: u64) -> Option<Val> {
        let init = self.module.global(g).init.as_ref()?;
        let off = u64::try_from(off).ok()?;
        let piece = init.pieces.iter().find(|p| p.offset == off && p.data.size() == n)?;
        let InitData::Address { symbol, addend, .. } = &piece.data else { return None };
        match self.module.resolve(*symbol) {
            (SymbolRef::Global(h), more) if is_definite(self.module.global(h)) => {
                let o = self.global(s, h);
                Some(Val::Ptr(
                    Ptr::to(o).moved(i128::from(more) + i128::from(*addend), i128::from(more) + i128::from(*addend)),
                ))
            }
            _ => None,
        }
    }

    /// What a global starts with, unless there is more to be known of it: an address, or what its parts hold.
    pub fn exactly(&self, g: GlobalId, off: i64, n: u64) -> Option<Val> {
        let v = self.initial(g, off, n);
        (self.module.global(g).init.is_none() || !matches!(v, Val::Any { .. })).then_some(v)
    }

    /// An operand's value.
    pub fn operand(&self, s: &mut State, o: &Operand) -> Val {
        match o {
            Operand::Value(v) => s.top().env.get(v).copied().unwrap_or(Val::MAYBE),
            Operand::Const(Const::Int { width, value }) if *width <= 64 => Val::int(*width, *value as u64),
            Operand::Const(Const::Null) => Val::int(self.module.target.pointer_bits, 0),
            Operand::Const(Const::Symbol(r)) => match self.module.resolve(*r) {
                (SymbolRef::Global(g), off) if is_definite(self.module.global(g)) => {
                    let o = self.global(s, g);
                    Val::Ptr(Ptr::to(o).moved(off.into(), off.into()))
                }
                (r @ SymbolRef::Func(f), 0) if !self.module.may_be_absent(r) => Val::Func(f),
                _ => Val::SOME,
            },
            Operand::Const(Const::Undef(_)) => Val::Undef,
            Operand::Const(Const::Poison(_)) => Val::MAYBE,
            Operand::Const(_) => Val::SOME,
        }
    }

    /// The access of `n` bytes through an address: the checks that it may fail are open, and executions that fail end.
    pub fn target(&mut self, s: &State, p: &Val, n: u64, touch: Touch) -> Res<Target> {
        let bounds = if touch == Touch::Read { K::OutOfBoundsRead } else { K::OutOfBoundsWrite };
        if !self.must_be_set(s, p) {
            return Ok(Target::Nowhere);
        }
        let p = match p {
            Val::Ptr(p) => *p,
            Val::Int { value, .. } if *value < FIRST_PAGE => {
                [K::NullDeref, K::InvalidDeref].into_iter().for_each(|k| self.may_fail(s, k));
                return Ok(Target::Nowhere);
            }
            Val::Func(_) => {
                [K::InvalidDeref, bounds].into_iter().for_each(|k| self.may_fail(s, k));
                return Ok(Target::Nowhere);
            }
            _ => return Err(GivenUp("an address of which nothing is known".into())),
        };
        let Some(o) = s.get(p.obj) else { return Err(GivenUp("an object that is not there".into())) };
        if !o.live {
            let kind = if o.on_heap() { K::UseAfterFree } else { K::UseAfterScope };
            self.may_fail(s, kind);
            return Ok(Target::Nowhere);
        }
        if o.segment.is_some() {
            return Ok(Target::Apart(s.unfold(p.obj, p.end)));
        }
        if touch == Touch::Write
            && let Kind::Global(g) = o.kind
            && self.module.global(g).constant
        {
            self.may_fail(s, K::ReadOnlyWrite);
            return Ok(Target::Nowhere);
        }
        let last = i64::try_from(o.size).unwrap_or(i64::MAX).saturating_sub_unsigned(n);
        let most = i64::try_from(o.most).unwrap_or(i64::MAX).saturating_sub_unsigned(n);
        if p.lo < 0 || p.hi > last {
            self.may_fail(s, bounds);
        }
        let (lo, hi) = (p.lo.max(0), p.hi.min(most));
        if lo > hi {
            return Ok(Target::Nowhere);
        }
        Ok(Target::In(p.obj, lo, hi))
    }

    /// The bytes there.
    pub fn load(&self, s: &mut State, obj: Obj, lo: i64, hi: i64, n: u64) -> Val {
        if lo != hi {
            return s.read_somewhere(obj, lo, hi, n);
        }
        let from = match s.get(obj) {
            Some(o) => match o.fill {
                Fill::Initial(g) if o.overlapping(lo, n).is_empty() => Some(g),
                _ => None,
            },
            None => None,
        };
        if let Some(v) = from.and_then(|g| self.initial_address(s, g, lo, n)) {
            return v;
        }
        s.read(obj, lo, n, &|g, off, n| self.initial(g, off, n))
    }

    /// Writes a value there.
    pub fn store(&self, s: &mut State, obj: Obj, lo: i64, hi: i64, n: u64, v: Val) {
        let whole = match v {
            // What does not fill its bytes is zero above.
            Val::Int { value, .. } if n <= 8 => Val::int(8 * n as u32, value),
            Val::Sym(_) if s.range(&v).is_none_or(|r| u64::from(r.width) != 8 * n) => Val::SOME,
            v => v,
        };
        if let Some(o) = s.get_mut(obj) {
            if lo == hi { o.set(lo, n, whole) } else { o.smear(lo, hi, n, whole) }
        }
    }

    /// The object's life ends.
    pub fn dies(&self, s: &mut State, obj: Obj) {
        if let Some(o) = s.get_mut(obj) {
            o.live = false;
            o.fields.clear();
            o.cases.clear();
            o.fill = Fill::Undef;
        }
    }

    /// What new memory holds.
    pub fn fresh(&self) -> Fill {
        if self.rules.uninit_is_arbitrary { Fill::Any { defined: true } } else { Fill::Undef }
    }
}
