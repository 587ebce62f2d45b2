//! What the pointers of a function point to, by their C types: a parameter's, a field's, a variable's, a result's. The IR
//! has no casts of pointers, so this is how a conversion shows: a pointer that came as one to a record of changed layout
//! and goes on as a pointer to something else.
//!
//! This is not an analysis of aliases. A pointer of type `struct s *` is believed to point to a `struct s`; where it was
//! made from another pointer, the function that did so is the one that is in trouble (see [`crate::trouble`]).

use crate::layouts::{Layouts, strip};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Step;
use verify_ir::{Body, CType, Const, FuncId, Inst, InstKind, Module, Operand, SymbolRef, TypeId, Value};

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// It is null, or no way to it was found yet.
    Nothing,
    /// It came as `void *`, or from where no type says more.
    Unknown,
    /// This type.
    Type(TypeId),
    /// One of several types, none of which leads to a record of changed layout.
    Other,
    /// One type here, another one there.
    Mixed,
}

/// All of a function's values.
pub(crate) struct Views<'a> {
    m: &'a Module,
    l: &'a Layouts,
    values: Vec<Seen>,
    /// Addresses computed by way of a changed record.
    inside: BTreeSet<Value>,
    /// Results of calls and of sums of which no type says what they point to, `malloc`'s for one.
    called: BTreeSet<Value>,
    /// Parameters of which no type says what they point to, by the values that they are.
    handed: BTreeMap<Value, BTreeSet<usize>>,
}

impl<'a> Views<'a> {
    pub fn new(m: &'a Module, l: &'a Layouts, f: FuncId) -> Views<'a> {
        let mut v = Views {
            m,
            l,
            values: Vec::new(),
            inside: BTreeSet::new(),
            called: BTreeSet::new(),
            handed: BTreeMap::new(),
        };
        let Some(body) = &m.func(f).body else { return v };
        v.values = vec![Seen::Nothing; body.values.len()];
        let types = signature(m, m.func(f).ctype).map_or(&[][..], |(params, _)| params);
        let entry = &body.blocks[0].params;
        for (k, p) in entry.iter().enumerate() {
            let declared = body.values[p.index()].var.and_then(|x| body.vars.get(x.index())?.ctype);
            let by_place = types.get(k).copied().filter(|_| types.len() == entry.len());
            v.values[p.index()] = v.pointee(declared.or(by_place));
            if v.values[p.index()] == Seen::Unknown {
                v.handed.insert(*p, BTreeSet::from([k]));
            }
        }
        let mut grown = true;
        while grown {
            grown = false;
            for b in &body.blocks {
                for i in &b.insts {
                    if let [r] = i.results.as_slice() {
                        let seen = v.result(i);
                        grown |= v.add(*r, seen);
                    }
                    grown |= v.goes_inside(i);
                    grown |= v.comes_from(i);
                }
                for e in b.term.targets() {
                    let params: Vec<Value> = body.block(e.block).params.clone();
                    for (p, a) in params.into_iter().zip(&e.args) {
                        let seen = v.of(a);
                        grown |= v.add(p, seen);
                        grown |= v.passes(a, p);
                    }
                }
            }
        }
        v
    }

    fn add(&mut self, v: Value, seen: Seen) -> bool {
        let before = self.values[v.index()];
        let now = self.join(before, seen);
        self.values[v.index()] = now;
        now != before
    }

    fn join(&self, a: Seen, b: Seen) -> Seen {
        match (a, b) {
            (Seen::Nothing, x) | (x, Seen::Nothing) => x,
            (Seen::Mixed, _) | (_, Seen::Mixed) => Seen::Mixed,
            (Seen::Unknown, x) | (x, Seen::Unknown) => x,
            (Seen::Type(x), Seen::Type(y)) if self.same(x, y) => Seen::Type(x),
            (x, y) => {
                let far = |s: Seen| !matches!(s, Seen::Type(t) if self.l.reaches(self.m, t));
                if far(x) && far(y) { Seen::Other } else { Seen::Mixed }
            }
        }
    }

    fn goes_inside(&mut self, i: &Inst) -> bool {
        let InstKind::Addr { base, steps, .. } = &i.kind else { return false };
        (steps.iter().any(|s| self.step_touches(s)) || self.is_inside(base)) && self.inside.insert(i.results[0])
    }

    /// Notes where a pointer of unknown type is from.
    fn comes_from(&mut self, i: &Inst) -> bool {
        let [r] = i.results.as_slice() else { return false };
        match &i.kind {
            InstKind::Call(_) => self.of(&Operand::Value(*r)) == Seen::Unknown && self.called.insert(*r),
            // Nobody says what lies at this distance.
            InstKind::Addr { base, steps, .. }
                if !steps.is_empty() && self.of(&Operand::Value(*r)) == Seen::Unknown =>
            {
                self.passes(base, *r) | (self.of(base) != Seen::Nothing && self.called.insert(*r))
            }
            InstKind::Addr { base, .. } => self.passes(base, *r),
            InstKind::Freeze { arg } => self.passes(arg, *r),
            InstKind::Select { then, other, .. } => self.passes(then, *r) | self.passes(other, *r),
            _ => false,
        }
    }

    fn passes(&mut self, from: &Operand, to: Value) -> bool {
        let Some(from) = from.as_value() else { return false };
        let mut grown = self.called.contains(&from) && self.called.insert(to);
        if let Some(places) = self.handed.get(&from).cloned() {
            let known = self.handed.entry(to).or_default();
            let before = known.len();
            known.extend(places);
            grown |= known.len() != before;
        }
        grown
    }

    /// Of no type that is known, and the result of a call or a sum.
    pub fn is_called(&self, o: &Operand) -> bool {
        o.as_value().is_some_and(|v| self.called.contains(&v))
    }

    /// Parameters of no type that is known, which are used as changed records all the same. Those of functions that they are
    /// handed on to are asked for, too.
    pub fn become_records(&self, body: &Body, later: &mut dyn FnMut(FuncId) -> BTreeSet<usize>) -> BTreeSet<usize> {
        let mut out = BTreeSet::new();
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            let mut used = |o: &Operand| {
                out.extend(o.as_value().and_then(|v| self.handed.get(&v)).into_iter().flatten().copied());
            };
            match &i.kind {
                InstKind::Addr { base, steps, .. } if steps.first().is_some_and(|s| self.step_touches(s)) => used(base),
                InstKind::Call(c) => {
                    if let Operand::Const(Const::Symbol(s)) = &c.callee
                        && let (SymbolRef::Func(g), _) = self.m.resolve(*s)
                        && c.args.iter().any(|a| a.as_value().is_some_and(|v| self.handed.contains_key(&v)))
                    {
                        later(g).into_iter().filter_map(|k| c.args.get(k)).for_each(used);
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn result(&self, i: &Inst) -> Seen {
        match &i.kind {
            InstKind::Addr { base, steps, .. } => match steps.last() {
                Some(Step::Field { record: Some(r), index, offset }) => match self.m.ctype(strip(self.m, *r)) {
                    CType::Record(r) => match r.fields.get(*index as usize) {
                        Some(f) if !f.bit_field && f.bit_offset == offset * 8 => Seen::Type(f.ty),
                        _ => self.lost(base),
                    },
                    _ => self.lost(base),
                },
                Some(Step::Index { elem: Some(e), .. }) => Seen::Type(*e),
                Some(_) => self.lost(base),
                None => self.of(base),
            },
            InstKind::Alloca { ctype, .. } => ctype.map_or(Seen::Unknown, Seen::Type),
            InstKind::Load { ptr, .. } => match self.of(ptr) {
                Seen::Type(t) => self.pointee(Some(t)),
                Seen::Nothing => Seen::Nothing,
                Seen::Unknown | Seen::Mixed | Seen::Other => Seen::Unknown,
            },
            InstKind::Select { then, other, .. } => self.join(self.of(then), self.of(other)),
            InstKind::Freeze { arg } => self.of(arg),
            InstKind::Call(c) => self.callee(&c.callee).map_or(Seen::Unknown, |(_, ret)| self.pointee(Some(ret))),
            _ => Seen::Unknown,
        }
    }

    /// Behind a step that nothing is known of.
    fn lost(&self, base: &Operand) -> Seen {
        if self.touched(base) || self.is_inside(base) { Seen::Mixed } else { Seen::Unknown }
    }

    /// What a value of a type points to.
    fn pointee(&self, t: Option<TypeId>) -> Seen {
        match t.map(|t| self.m.ctype(strip(self.m, t))) {
            Some(CType::Pointer(to)) if *self.m.ctype(strip(self.m, *to)) != CType::Void => Seen::Type(*to),
            _ => Seen::Unknown,
        }
    }

    /// What changed.
    pub fn layouts(&self) -> &'a Layouts {
        self.l
    }

    /// The parameters and the result of what is called.
    pub fn callee(&self, o: &Operand) -> Option<(&'a [TypeId], TypeId)> {
        match self.of(o) {
            Seen::Type(t) => signature(self.m, Some(t)),
            _ => None,
        }
    }

    /// What an operand points to.
    pub fn of(&self, o: &Operand) -> Seen {
        match o {
            Operand::Value(v) => self.values[v.index()],
            Operand::Const(Const::Symbol(s)) => match self.m.resolve(*s) {
                (SymbolRef::Func(g), _) => self.m.func(g).ctype.map_or(Seen::Unknown, Seen::Type),
                (SymbolRef::Global(g), offset) => match self.m.global(g).ctype {
                    Some(t) if offset != 0 && self.l.touches(self.m, t) => Seen::Mixed,
                    t => t.map_or(Seen::Unknown, Seen::Type),
                },
                (SymbolRef::Alias(_), _) => Seen::Unknown,
            },
            Operand::Const(_) => Seen::Nothing,
        }
    }

    /// It points to a record of changed layout, or to something that contains one, or may.
    pub fn touched(&self, o: &Operand) -> bool {
        match self.of(o) {
            Seen::Type(t) => self.l.touches(self.m, t),
            Seen::Mixed => true,
            Seen::Nothing | Seen::Unknown | Seen::Other => false,
        }
    }

    /// Its address was computed by way of a changed record.
    pub fn is_inside(&self, o: &Operand) -> bool {
        o.as_value().is_some_and(|v| self.inside.contains(&v))
    }

    /// Any value of the function points to a record of changed layout.
    pub fn any_touched(&self, body: &Body) -> bool {
        (0..body.values.len()).any(|i| self.touched(&Operand::Value(Value(i as u32))))
    }

    pub fn step_touches(&self, s: &Step) -> bool {
        match s {
            Step::Field { record, .. } => record.is_some_and(|t| self.l.touches(self.m, t)),
            Step::Index { elem, .. } => elem.is_some_and(|t| self.l.touches(self.m, t)),
        }
    }

    /// The types are one, as far as records of changed layout go.
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (strip(self.m, a), strip(self.m, b));
        if a == b {
            return true;
        }
        match (self.m.ctype(a), self.m.ctype(b)) {
            (CType::Array { elem: x, .. }, CType::Array { elem: y, .. }) => self.same(*x, *y),
            (CType::Pointer(x), CType::Pointer(y)) => self.same(*x, *y),
            (CType::Record(_), CType::Record(_)) => {
                let (x, y) = (self.l.name_of(self.m, a), self.l.name_of(self.m, b));
                x.is_some() && x == y
            }
            (x, y) => x == y,
        }
    }

    /// A step from what a base points to is one into it, not a conversion to something else.
    pub fn leads_on(&self, from: TypeId, step: &Step) -> bool {
        match step {
            Step::Field { record: Some(r), .. } => self.same(from, *r),
            Step::Index { elem: Some(e), count: None, .. } => self.same(from, *e),
            Step::Index { elem: Some(e), count: Some(_), .. } => match self.m.ctype(strip(self.m, from)) {
                CType::Array { elem, .. } => self.same(*elem, *e),
                _ => false,
            },
            _ => false,
        }
    }

    /// A value goes where a value of type `to` is expected, and what it points to stays what it is.
    pub fn stays(&self, value: &Operand, to: Option<TypeId>) -> bool {
        let target = self.pointee(to);
        let becomes = matches!(target, Seen::Type(t) if self.l.touches(self.m, t));
        if !self.touched(value) && !becomes {
            return true;
        }
        match (self.of(value), target) {
            (Seen::Type(x), Seen::Type(y)) => self.same(x, y) && !self.is_called(value),
            (Seen::Nothing, _) => true,
            // What callers hand over as `void *`, and what memory holds as that, is taken for what it becomes.
            (Seen::Unknown, _) => becomes && !self.is_called(value),
            _ => false,
        }
    }

    /// Memory of one of these types is copied to where the other is. A pointer that is copied along stays what it is.
    pub fn copies(&self, a: &Operand, b: &Operand) -> bool {
        let reaches = |s: Seen| matches!(s, Seen::Type(t) if self.l.reaches(self.m, t));
        match (self.of(a), self.of(b)) {
            (Seen::Type(x), Seen::Type(y)) if reaches(self.of(a)) || reaches(self.of(b)) => self.same(x, y),
            (x, y) => !reaches(x) && !reaches(y),
        }
    }

    /// Bytes of a type; 0 when not known.
    pub fn size(&self, t: TypeId) -> u64 {
        match self.m.ctype(strip(self.m, t)) {
            CType::Base { bits, .. } => u64::from(*bits).div_ceil(8),
            CType::Pointer(_) => self.m.target.pointer_bytes(),
            CType::Record(r) => r.size,
            CType::Enum { underlying, .. } => self.size(*underlying),
            CType::Array { elem, count } => self.size(*elem).saturating_mul(count.unwrap_or(0)),
            CType::Void | CType::Typedef { .. } | CType::Qualified { .. } | CType::Function { .. } => 0,
        }
    }
}

/// Parameters and result of a type of functions, or of pointers to them.
fn signature(m: &Module, t: Option<TypeId>) -> Option<(&[TypeId], TypeId)> {
    match m.ctype(strip(m, t?)) {
        CType::Function { ret, params, .. } => Some((params.as_slice(), *ret)),
        CType::Pointer(to) => match m.ctype(strip(m, *to)) {
            CType::Function { ret, params, .. } => Some((params.as_slice(), *ret)),
            _ => None,
        },
        _ => None,
    }
}
