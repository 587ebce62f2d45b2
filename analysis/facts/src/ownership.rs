//! What only the library itself makes: records that it allocates and hands out (`gzFile`, `cJSON`), and fields of its
//! callers' records into which it puts memory of its own (`strm->state`). The input contract lets unknown callers pass
//! any such object; callers of sense pass what the library gave them. So a failure that needs a made-up one says
//! less: it ranks behind the others, and one report stands for all that need the same. Verdicts do not depend on this.
//!
//! A record is made by the library when a function at its boundary may return a fresh one or store it through a
//! parameter, or when a fresh object is stored into a field that points to such records. Types are told apart by name,
//! because each unit has its own copy.

use crate::fresh::{Flows, Fresh};
use crate::scc::Sccs;
use crate::{AddressTaken, CallGraph, World, bases};
use std::collections::{BTreeMap, BTreeSet};
use verify_ir::{Body, CType, FuncId, Function, InstKind, Module, Operand, Step, TypeId, Value};

/// What only the library makes.
#[derive(Clone, Debug, Default)]
pub struct Ownership {
    records: BTreeSet<String>,
    /// By record and byte offset in it: the field's name.
    fields: BTreeMap<(String, u64), String>,
    /// Names of records without a tag: those of their typedefs.
    names: BTreeMap<TypeId, String>,
}

impl Ownership {
    /// Of a library with these functions at its boundary.
    pub fn new(module: &Module, boundary: &[FuncId]) -> Ownership {
        let mut own = Ownership { names: names(module), ..Ownership::default() };
        if boundary.is_empty() {
            return own;
        }
        let bases = bases::all(module);
        let taken = AddressTaken::new(module, &bases);
        let calls = CallGraph::new(module, World::Open, &bases, &taken);
        let fresh = Fresh::new(module, &calls, &Sccs::new(&calls.graph()));
        for (i, f) in module.functions.iter().enumerate() {
            let model = module.units.get(f.unit.index()).is_some_and(|u| u.model);
            if let Some(body) = f.body.as_ref().filter(|_| !model) {
                let id = FuncId::new(i);
                let flows = Flows::new(body);
                let is_fresh = |v: &Operand| fresh.may_be(&calls, id, &flows, v);
                own.function(module, f, body, &flows, boundary.contains(&id), &is_fresh);
            }
        }
        own
    }

    fn function(
        &mut self,
        m: &Module,
        f: &Function,
        body: &Body,
        flows: &Flows,
        boundary: bool,
        is_fresh: &dyn Fn(&Operand) -> bool,
    ) {
        if boundary && flows.returned.iter().any(|v| is_fresh(&Operand::Value(*v))) {
            let ret = f.ctype.and_then(|t| match m.ctype(m.stripped(t)) {
                CType::Function { ret, .. } => pointee(m, *ret),
                _ => None,
            });
            self.records.extend(ret.and_then(|t| self.name(m, t)));
        }
        let params = body.blocks.first().map_or(&[][..], |b| &b.params);
        let fields = field_addresses(body);
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Store { ptr: Operand::Value(p), value, .. } = &inst.kind else { continue };
            if params.contains(p) {
                let to = body.values[p.index()].var.and_then(|v| body.vars.get(v.index())?.ctype);
                let target = to.and_then(|t| pointee(m, t)).and_then(|t| pointee(m, t)).and_then(|t| self.name(m, t));
                if let Some(target) = target.filter(|_| boundary && is_fresh(value)) {
                    self.records.insert(target);
                }
            } else if let Some(&(record, offset)) = fields.get(p)
                && is_fresh(value)
            {
                let CType::Record(r) = m.ctype(m.stripped(record)) else { continue };
                let Some(field) = r.fields.iter().find(|x| x.bit_offset == offset * 8 && !x.bit_field) else {
                    continue;
                };
                let target = pointee(m, field.ty).and_then(|t| self.name(m, t));
                self.records.extend(target);
                if let Some(name) = self.name(m, record) {
                    self.fields.insert((name, offset), field.name.clone());
                }
            }
        }
    }

    /// Nothing is made by the library alone.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.fields.is_empty()
    }

    /// Objects of this type come from the library: its name.
    pub fn record(&self, m: &Module, t: TypeId) -> Option<String> {
        self.name(m, t).filter(|n| self.records.contains(n))
    }

    /// The pointer at this offset of an object that consists of `t` is set by the library: `record.field`.
    pub fn field(&self, m: &Module, t: TypeId, offset: u64) -> Option<String> {
        let mut t = m.stripped(t);
        let mut offset = offset;
        // Nested records and arrays are finitely many, malformed ones aside.
        for _ in 0..64 {
            match m.ctype(t) {
                CType::Record(r) => {
                    offset = if r.size > 0 { offset % r.size } else { offset };
                    if let Some(name) = self.name(m, t)
                        && let Some(field) = self.fields.get(&(name.clone(), offset))
                    {
                        return Some(format!("{name}.{field}"));
                    }
                    let inner = r.fields.iter().rfind(|f| !f.bit_field && f.bit_offset <= offset * 8)?;
                    offset -= inner.bit_offset / 8;
                    t = m.stripped(inner.ty);
                }
                CType::Array { elem, .. } => {
                    let elem = m.stripped(*elem);
                    if let CType::Pointer(_) = m.ctype(elem) {
                        return None;
                    }
                    t = elem;
                }
                _ => return None,
            }
        }
        None
    }

    fn name(&self, m: &Module, t: TypeId) -> Option<String> {
        let t = m.stripped(t);
        match m.ctype(t) {
            CType::Record(r) if !r.name.is_empty() => Some(r.name.clone()),
            CType::Record(_) => self.names.get(&t).cloned(),
            _ => None,
        }
    }
}

/// The fields that addresses are of.
fn field_addresses(body: &Body) -> BTreeMap<Value, (TypeId, u64)> {
    let address = |i: &verify_ir::Inst| match &i.kind {
        InstKind::Addr { steps, .. } => match steps.last()? {
            Step::Field { record: Some(record), offset, .. } => Some((*i.results.first()?, (*record, *offset))),
            _ => None,
        },
        _ => None,
    };
    body.blocks.iter().flat_map(|b| &b.insts).filter_map(address).collect()
}

/// Typedefs of records without a tag.
fn names(m: &Module) -> BTreeMap<TypeId, String> {
    let mut names = BTreeMap::new();
    for t in &m.ctypes {
        if let CType::Typedef { name, ty } = t
            && let CType::Record(r) = m.ctype(*ty)
            && r.name.is_empty()
        {
            names.entry(*ty).or_insert_with(|| name.clone());
        }
    }
    names
}

fn pointee(m: &Module, t: TypeId) -> Option<TypeId> {
    match m.ctype(m.stripped(t)) {
        CType::Pointer(p) => Some(m.stripped(*p)),
        _ => None,
    }
}
