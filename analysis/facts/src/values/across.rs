//! What memory holds, from one function to another: a caller tells its callee what is known of the places that its
//! arguments and its variables lead to, and the callee tells what is known of them when it returns.
//!
//! A place is named by a parameter, a result or a variable, and a distance from it. Like the arguments themselves, what is
//! told is what all callers (all returns) agree on, and only what the callee may read (may have written) is told.
//! Of its arguments a function that came back has shown what its checks and branches let through: the caller holds the
//! same values.
//! Places are told apart by their names alone: that two names are one place, the function that is told finds out where
//! one of them is written ([`super::alias`]).

use super::function::{Function, Known, Name};
use super::state::{Base, Cell, Extent, Safe, State};
use crate::effects::Access;
use crate::points_to::Targets;
use std::collections::BTreeMap;
use verify_ir::{Block, Call, FuncId, Operand, Param, SymbolRef, Ty, Value};

/// Places that one function is told of.
const MAX_PLACES: usize = 200;

/// What leads to a place, on both sides of a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Root {
    /// The argument with this number.
    Param(u32),
    /// The result with this number.
    Result(u32),
    /// A variable.
    Symbol(SymbolRef),
}

/// What is known of memory: by root, distance in bytes, and how it is read.
pub type Places = BTreeMap<(Root, i64, Ty), Known>;

/// What both know.
pub fn meet(a: &Places, b: &Places) -> Places {
    meet_with(a, b, Known::meet)
}

/// The same with a rule of what two that know of one place agree on.
pub fn meet_with(a: &Places, b: &Places, both: impl Fn(&Known, &Known) -> Known) -> Places {
    let all = a.iter().filter_map(|(p, k)| Some((*p, both(k, b.get(p)?))));
    all.filter(|(_, k)| *k != Known::default()).collect()
}

impl Function<'_, '_> {
    /// What is known of all places that have a name in this function.
    pub(super) fn places(&mut self, s: &State) -> Vec<(Cell, Known)> {
        let held: Vec<(Cell, Value)> = s.values_held().map(|(c, v)| (*c, v)).collect();
        let mut all: Vec<(Cell, Known)> = s.contents().map(|(c, k)| (*c, *k)).collect();
        for (c, v) in held {
            let k = self.known(s, &Operand::Value(v));
            if k != Known::default() {
                all.push((c, k));
            }
        }
        all
    }

    /// What a callee is told of memory.
    pub(super) fn handed(&mut self, s: &State, args: &[Operand], callee: FuncId) -> Places {
        let mut out = Places::new();
        if !s.knows_memory() {
            return out;
        }
        let effects = self.given.effects;
        let e = effects.of(callee);
        for (c, k) in self.places(s) {
            if out.len() >= MAX_PLACES {
                break;
            }
            let n = c.2.store_bytes(&self.given.module.target);
            let t = self.alias.targets(c.0).clone();
            if !may(&t, &c, n, |a| effects.may_read(self.given.points_to, e, a), e.reads_unknown) {
                continue;
            }
            if let Base::Symbol(sym) = c.0 {
                out.insert((Root::Symbol(sym), c.1, c.2), k);
            }
            for (i, a) in args.iter().enumerate() {
                let Some(name) = self.name(a).filter(|n| n.base == c.0) else { continue };
                if let Some(at) = c.1.checked_sub(name.offset) {
                    out.insert((Root::Param(i as u32), at, c.2), k);
                }
            }
        }
        out
    }

    /// What is known of memory when the function begins.
    pub(super) fn told(&self, s: &mut State, places: &Places) {
        let params = &self.body.block(Block::new(0)).params;
        for ((root, at, ty), k) in places {
            let base = match root {
                Root::Param(i) => params.get(*i as usize).map(|v| Base::Value(*v)),
                Root::Symbol(sym) => Some(Base::Symbol(*sym)),
                Root::Result(_) => None,
            };
            if let Some(b) = base {
                s.set_content((b, *at, *ty), *k);
            }
        }
    }

    /// What a caller is told of memory where the function returns these values.
    pub(super) fn left(&mut self, s: &State, values: &[Operand]) -> Places {
        let mut out = Places::new();
        if !s.knows_memory() {
            return out;
        }
        let params = self.body.block(Block::new(0)).params.clone();
        let attrs = &self.given.module.func(self.id).sig.params;
        // Of an argument that was copied, the caller has the original.
        let copied = |i: usize| attrs.get(i).is_none_or(|p| p.attrs.byval.is_some());
        let effects = self.given.effects;
        let e = effects.of(self.id);
        for (c, k) in self.places(s) {
            if out.len() >= MAX_PLACES {
                break;
            }
            let k = super::function::of_returned(k);
            let n = c.2.store_bytes(&self.given.module.target);
            for (i, v) in values.iter().enumerate() {
                let Some(name) = self.name(v).filter(|n| n.base == c.0) else { continue };
                if let Some(at) = c.1.checked_sub(name.offset) {
                    out.insert((Root::Result(i as u32), at, c.2), k);
                }
            }
            let root = match c.0 {
                Base::Symbol(sym) => Some(Root::Symbol(sym)),
                // A first block that is gone back to gives its parameters new values.
                Base::Value(_) if self.first_is_head() => None,
                Base::Value(v) => {
                    params.iter().position(|p| *p == v).filter(|i| !copied(*i)).map(|i| Root::Param(i as u32))
                }
            };
            let Some(root) = root else { continue };
            // What it does not write, its callers know better.
            let t = self.alias.targets(c.0).clone();
            if may(&t, &c, n, |a| effects.may_write(self.given.points_to, e, a), e.writes_unknown) {
                out.insert((root, c.1, c.2), k);
            }
        }
        out
    }

    /// What is known of the arguments where the function returns: the caller has the same values. Its checks passed.
    pub(super) fn shown(&mut self, s: &State) -> Vec<Known> {
        let copied = |p: &Param| p.attrs.byval.is_some();
        let module = self.given.module;
        let attrs = &module.func(self.id).sig.params;
        // A first block that is gone back to gives its parameters new values.
        let lost = self.first_is_head();
        let params = self.body.block(Block::new(0)).params.iter().zip(attrs);
        params
            .map(|(v, p)| if lost || copied(p) { Known::default() } else { self.known(s, &Operand::Value(*v)) })
            .collect()
    }

    /// What a callee says of its parameters, as far as it sees the arguments as they are.
    pub(super) fn of_arguments(&self, callee: FuncId, c: &Call, params: &[Known]) -> Vec<Known> {
        let sig = &self.given.module.func(callee).sig;
        let copied = |i: usize| c.params.get(i).is_some_and(|p| p.attrs.byval.is_some());
        let same = |i: usize| sig.params.get(i).is_some_and(|p| p.ty == self.body.operand_ty(&c.args[i]));
        let of = |i: usize| params.get(i).filter(|_| same(i) && !copied(i)).copied().unwrap_or_default();
        (0..c.args.len()).map(of).collect()
    }

    /// What callees that returned say of the arguments. False: these did not get there.
    pub(super) fn passed_on(&mut self, s: &mut State, args: &[Operand], known: &[Known]) -> bool {
        for (a, k) in args.iter().zip(known) {
            if k.defined {
                self.is_defined(s, a);
            }
            if let Some(r) = k.range
                && !self.within(s, a, r, 4)
            {
                return false;
            }
            if let (Operand::Value(_), Some(n)) = (a, self.name(a)) {
                self.is_as_good(s, n, *k);
            }
        }
        true
    }

    /// A pointer of this name has these properties.
    fn is_as_good(&mut self, s: &mut State, n: Name, k: Known) {
        let own = n.base == n.root && n.offset == 0;
        // Of what a pointer is computed from only an access tells, not a comparison with null.
        if !own && !k.safe.has(Safe::NULL.with(Safe::INVALID)) {
            return;
        }
        s.add_safe(n.root, if own { k.safe } else { k.safe.without(Safe::NONZERO) });
        let Some(e) = k.extent.filter(|e| own || *e != Extent::ALL) else { return };
        let Some(e) = n.offset.checked_neg().and_then(|by| e.seen_from(by)) else { return };
        let e = match self.extent(s, n.base) {
            Some(old) if e != Extent::ALL && old != Extent::ALL => old.hull(e),
            _ => e,
        };
        s.set_extent(n.base, e);
    }

    /// What is known of memory behind a call that returned these values.
    pub(super) fn came_back(&mut self, s: &mut State, args: &[Operand], results: &[Value], places: &Places) {
        for ((root, at, ty), k) in places {
            let name = match root {
                Root::Param(i) => args.get(*i as usize).and_then(|a| self.name(a)).map(|n| (n.base, n.offset)),
                Root::Result(i) => results.get(*i as usize).map(|v| (Base::Value(*v), 0)),
                Root::Symbol(sym) => Some((Base::Symbol(*sym), 0)),
            };
            let Some((base, offset)) = name else { continue };
            let Some(at) = at.checked_add(offset) else { continue };
            let c = (base, at, *ty);
            // What survived the call is what it was.
            if s.held(&c).is_none() && s.content(&c).is_none() {
                s.set_content(c, *k);
            }
        }
    }
}

/// The effect touches the cell, which a pointer with these targets leads to.
fn may(t: &Targets, c: &Cell, n: u64, touches: impl Fn(Access) -> bool, outside: bool) -> bool {
    t.unknown && outside
        || t.places.iter().any(|l| touches(Access { object: l.object, offset: l.offset.moved(c.1), size: Some(n) }))
}
