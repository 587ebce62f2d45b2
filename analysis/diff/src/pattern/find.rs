//! Finds the new side of a pattern in a function (malik-2023 §8.2.1, Algorithms 7 to 9): from a place where the versions
//! differ, along the control flow, over instructions that do not belong to it; then how the values of its context are
//! made.

use super::side::is_parameter;
use super::{Pattern, Side};
use crate::plain::is_pure;
use crate::textual::Spot;
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Step;
use verify_ir::{
    Block, Body, CType, Const, FuncId, InstKind, Module, Operand, SymbolRef, Terminator, Ty, TypeId, Value,
};

/// An occurrence.
#[derive(Clone, Debug, Default)]
pub(super) struct Match {
    pub values: BTreeMap<Value, Operand>,
    pub types: BTreeMap<String, Ty>,
    pub records: BTreeMap<String, TypeId>,
    /// What `*` stands for.
    pub star: Option<String>,
    /// Instructions of the function that belong to it.
    pub spots: BTreeSet<Spot>,
    /// Blocks that it runs through, the first one and the last one included.
    pub blocks: Vec<u32>,
    /// Where the function goes on.
    pub exit: Spot,
}

/// Can the side be looked for?
pub(super) fn searchable(s: &Side) -> Result<(), String> {
    let made: BTreeSet<Value> = s.body.blocks.iter().flat_map(|b| &b.insts).flat_map(|i| &i.results).copied().collect();
    let ctx = s.context_values();
    if s.outputs.iter().any(|o| !o.as_value().is_some_and(|v| made.contains(&v) && !ctx.contains(&v))) {
        return Err("an output that it does not compute".into());
    }
    if s.body.blocks[0].insts.len() == s.context {
        return Err("it has no instruction of its own to be found by".into());
    }
    if s.body.blocks.iter().skip(1).any(|b| !b.params.is_empty()) {
        return Err("values of several branches that meet".into());
    }
    Ok(())
}

/// The occurrence with this number, at one of the places.
pub(super) fn nth(p: &Pattern, m: &Module, f: FuncId, at: Option<&BTreeSet<Spot>>, n: usize) -> Option<Match> {
    let body = m.func(f).body.as_ref()?;
    let mut seen = 0;
    for (b, d) in body.blocks.iter().enumerate() {
        for k in 0..d.insts.len() {
            let spot = (b as u32, k as u32);
            if at.is_some_and(|a| !a.contains(&spot)) {
                continue;
            }
            let mut s = Search { p, side: &p.new, m, body, ctx: p.new.context_values(), found: Match::default() };
            if let Some(found) = s.from(spot) {
                if seen == n {
                    return Some(found);
                }
                seen += 1;
            }
        }
    }
    None
}

struct Search<'a> {
    p: &'a Pattern,
    side: &'a Side,
    m: &'a Module,
    body: &'a Body,
    ctx: BTreeSet<Value>,
    found: Match,
}

impl Search<'_> {
    /// Algorithm 7.
    fn from(&mut self, start: Spot) -> Option<Match> {
        let first = self.side.context;
        let (pb, fb) = (&self.side.body.blocks[0], &self.body.blocks[start.0 as usize]);
        if !self.inst(0, first, start, &pb.insts[first].kind, &fb.insts[start.1 as usize].kind) {
            return None;
        }
        let mut todo = vec![((0u32, first as u32 + 1), (start.0, start.1 + 1))];
        self.found.blocks.push(start.0);
        let mut exits = BTreeSet::new();
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        while let Some((at, mut here)) = todo.pop() {
            if let Some(exit) = self.run(at, &mut here, &mut todo, &mut seen)? {
                exits.insert(exit);
            }
        }
        let mut exits = exits.into_iter();
        let (exit, None) = (exits.next()?, exits.next()) else { return None };
        self.found.exit = exit;
        self.context()?;
        Some(std::mem::take(&mut self.found))
    }

    /// One path of the pattern, to its end or to a branch. `None`: no match.
    fn run(
        &mut self,
        mut at: Spot,
        here: &mut Spot,
        todo: &mut Vec<(Spot, Spot)>,
        seen: &mut BTreeSet<u32>,
    ) -> Option<Option<Spot>> {
        loop {
            let (pb, fb) = (&self.side.body.blocks[at.0 as usize], self.body.blocks.get(here.0 as usize)?);
            if let Some(i) = pb.insts.get(at.1 as usize) {
                match fb.insts.get(here.1 as usize) {
                    Some(j) => {
                        if self.inst(at.0, at.1 as usize, *here, &i.kind, &j.kind) {
                            at.1 += 1;
                        }
                        here.1 += 1;
                    }
                    None => self.jump(here)?,
                }
                continue;
            }
            match &pb.term {
                Terminator::Jump(e) => at = (e.block.0, 0),
                Terminator::Return(_) => {
                    // The same place, however it was reached.
                    loop {
                        let d = &self.body.blocks[here.0 as usize];
                        let over =
                            d.insts[here.1 as usize..].iter().all(|i| matches!(i.kind, InstKind::DebugValue { .. }));
                        let single = self.side.body.blocks.len() == 1;
                        match &d.term {
                            Terminator::Jump(e) if over && !single && self.body.block(e.block).params.is_empty() => {
                                *here = (e.block.0, 0);
                            }
                            _ => return Some(Some(*here)),
                        }
                    }
                }
                Terminator::Branch { cond, then, other } => {
                    let Terminator::Branch { cond: c, then: t, other: o } = &fb.term else {
                        self.jump(here)?;
                        continue;
                    };
                    if !self.operand(cond, c) || !t.args.is_empty() || !o.args.is_empty() {
                        return None;
                    }
                    for (pe, fe) in [(then, t), (other, o)] {
                        if seen.insert(fe.block.0) {
                            self.found.blocks.push(fe.block.0);
                        }
                        todo.push(((pe.block.0, 0), (fe.block.0, 0)));
                    }
                    return Some(None);
                }
                _ => return None,
            }
        }
    }

    fn jump(&mut self, here: &mut Spot) -> Option<()> {
        match &self.body.blocks[here.0 as usize].term {
            Terminator::Jump(e) if e.args.is_empty() && !self.found.blocks.contains(&e.block.0) => {
                self.found.blocks.push(e.block.0);
                *here = (e.block.0, 0);
                Some(())
            }
            _ => None,
        }
    }

    /// Algorithm 8; what was bound stays bound only if all fits.
    fn inst(&mut self, pb: u32, pk: usize, spot: Spot, i: &InstKind, j: &InstKind) -> bool {
        let before = self.found.clone();
        let results = &self.side.body.blocks[pb as usize].insts[pk].results;
        let theirs = &self.body.blocks[spot.0 as usize].insts[spot.1 as usize].results;
        if self.kinds(i, j) && results.len() == theirs.len() {
            let typed = results.iter().zip(theirs).all(|(r, t)| self.ty(self.side.body.ty(*r), self.body.ty(*t)));
            if typed && !results.iter().any(|r| self.found.values.get(r).is_some_and(|o| !theirs.contains(&value(o)))) {
                for (r, t) in results.iter().zip(theirs) {
                    self.found.values.insert(*r, Operand::Value(*t));
                }
                self.found.spots.insert(spot);
                return true;
            }
        }
        self.found = before;
        false
    }

    fn kinds(&mut self, i: &InstKind, j: &InstKind) -> bool {
        let (mut x, mut y) = (i.clone(), j.clone());
        let steps = match (&mut x, &mut y) {
            (InstKind::Addr { steps: a, inbounds: p, .. }, InstKind::Addr { steps: b, inbounds: q, .. }) => {
                (*p, *q) = (false, false);
                (std::mem::take(a), std::mem::take(b))
            }
            _ => Default::default(),
        };
        for k in [&mut x, &mut y] {
            match k {
                InstKind::Load { align, .. } | InstKind::Store { align, .. } => *align = 1,
                InstKind::Call(c) => {
                    c.params.clear();
                    c.noreturn = false;
                }
                _ => {}
            }
            k.for_each_operand_mut(|o| *o = Operand::Const(Const::Null));
        }
        if x != y || steps.0.len() != steps.1.len() {
            return false;
        }
        for (a, b) in steps.0.iter().zip(&steps.1) {
            if !self.step(a, b) {
                return false;
            }
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        i.for_each_operand(|o| ours.push(o));
        j.for_each_operand(|o| theirs.push(o));
        ours.len() == theirs.len() && ours.into_iter().zip(theirs).all(|(a, b)| self.operand(a, b))
    }

    /// Fields go by name, where the record is a parameter; by place otherwise.
    fn step(&mut self, a: &Step, b: &Step) -> bool {
        match (a, b) {
            (Step::Field { record: r, index: i, offset: o }, Step::Field { record: s, index: j, offset: p }) => {
                let (Some(x), Some(y)) = (field(&self.p.module, *r, *i), field(self.m, *s, *j)) else { return o == p };
                if x.1 != y.1 {
                    return false;
                }
                if !x.0.starts_with("verify_type_") {
                    return x.0 == y.0 && o == p;
                }
                let Some(s) = *s else { return false };
                *self.found.records.entry(x.0).or_insert(s) == s
            }
            (Step::Index { stride: s, .. }, Step::Index { stride: t, .. }) => {
                s == t || self.found.types.values().any(|ty| ty.store_bytes(&self.m.target) == *t) && *s == 16
            }
            _ => false,
        }
    }

    fn ty(&mut self, p: Ty, f: Ty) -> bool {
        if is_parameter(p) { *self.found.types.entry(format!("{p:?}")).or_insert(f) == f } else { p == f }
    }

    fn operand(&mut self, p: &Operand, f: &Operand) -> bool {
        match p {
            Operand::Value(v) => {
                if !self.ty(self.side.body.ty(*v), self.body.operand_ty(f)) {
                    return false;
                }
                match self.found.values.get(v) {
                    Some(o) => o == f,
                    None if self.side.inputs.contains(v) || self.ctx.contains(v) => {
                        self.found.values.insert(*v, f.clone());
                        true
                    }
                    None => false,
                }
            }
            Operand::Const(Const::Symbol(s)) => match f {
                Operand::Const(Const::Symbol(t)) => self.symbol(*s, *t),
                _ => false,
            },
            Operand::Const(Const::Int { width, value }) if is_parameter(Ty::Int(*width)) => {
                let Operand::Const(c @ Const::Int { value: w, .. }) = f else { return false };
                value == w && self.ty(Ty::Int(*width), c.ty())
            }
            Operand::Const(_) => p == f,
        }
    }

    fn symbol(&mut self, s: SymbolRef, t: SymbolRef) -> bool {
        let kind = |r: SymbolRef| matches!(r, SymbolRef::Func(_));
        let (name, theirs) = (self.p.module.symbol_name(s), self.m.symbol_name(t));
        if kind(s) != kind(t) {
            return false;
        }
        if let (SymbolRef::Global(g), SymbolRef::Global(h)) = (s, t) {
            let (g, h) = (self.p.module.global(g), self.m.global(h));
            if g.compiler_made || h.compiler_made {
                return g.compiler_made && h.compiler_made && g.init == h.init && g.size == h.size;
            }
        }
        let Some((a, b)) = self.p.rename.get(name) else { return name == theirs };
        let Some(star) = theirs.strip_prefix(a.as_str()).and_then(|r| r.strip_suffix(b.as_str())) else { return false };
        match &self.found.star {
            Some(s) => s == star,
            None => {
                self.found.star = Some(star.to_string());
                true
            }
        }
    }

    /// Algorithm 9: values of the context are made as the pattern says.
    fn context(&mut self) -> Option<()> {
        let insts: Vec<(usize, Vec<Value>)> =
            self.side.body.blocks[0].insts[..self.side.context].iter().map(|i| i.results.clone()).enumerate().collect();
        for (k, results) in insts.into_iter().rev() {
            let Some(v) = results.iter().find_map(|r| self.found.values.get(r)).and_then(Operand::as_value) else {
                // Bound to a constant, or not used by what differs.
                if results.iter().any(|r| self.found.values.contains_key(r)) {
                    return None;
                }
                continue;
            };
            let (spot, kind) = definition(self.body, v)?;
            let i = self.side.body.blocks[0].insts[k].kind.clone();
            if !self.inst(0, k, spot, &i, kind) {
                return None;
            }
            self.found.spots.remove(&spot);
        }
        Some(())
    }
}

fn value(o: &Operand) -> Value {
    o.as_value().unwrap_or(Value(u32::MAX))
}

/// Where a value is made.
pub(super) fn definition(body: &Body, v: Value) -> Option<(Spot, &InstKind)> {
    body.blocks.iter().enumerate().find_map(|(b, d)| {
        d.insts.iter().enumerate().find(|(_, i)| i.results.contains(&v)).map(|(k, i)| ((b as u32, k as u32), &i.kind))
    })
}

/// Names of a record and of its field.
pub(super) fn field(m: &Module, record: Option<TypeId>, index: u32) -> Option<(String, String)> {
    let mut t = record?;
    let mut alias = None;
    for _ in 0..64 {
        t = match m.ctype(t) {
            CType::Typedef { ty, name } => {
                alias = Some(name.clone());
                *ty
            }
            CType::Qualified { ty, .. } => *ty,
            CType::Record(r) => {
                let name = if r.name.is_empty() { alias.unwrap_or_default() } else { r.name.clone() };
                return Some((name, r.fields.get(index as usize)?.name.clone()));
            }
            _ => return None,
        };
    }
    None
}

/// Between the first and the last instruction of a match with an effect, nothing else has one.
pub(super) fn undisturbed(body: &Body, b: Block, spots: &BTreeSet<Spot>) -> bool {
    let d = body.block(b);
    let effects: Vec<u32> =
        spots.iter().filter(|s| s.0 == b.0 && !is_pure(&d.insts[s.1 as usize].kind)).map(|s| s.1).collect();
    let (Some(first), Some(last)) = (effects.first(), effects.last()) else { return true };
    (*first..*last).all(|k| spots.contains(&(b.0, k)) || is_pure(&d.insts[k as usize].kind))
}
