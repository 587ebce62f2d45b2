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
    fields: BTreeMap<Field, String>,
    /// Names of records without a tag: those of their typedefs.
    names: BTreeMap<TypeId, String>,
}

impl Ownership {
    /// The same in words that mean the same in every program.
    pub fn in_words(&self) -> String {
        let names: BTreeSet<&String> = self.names.values().collect();
        format!("{:?} {:?} {names:?}", self.records, self.fields)
    }

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
        let mut stores = Vec::new();
        for (i, f) in module.functions.iter().enumerate() {
            let model = module.units.get(f.unit.index()).is_some_and(|u| u.model);
            if let Some(body) = f.body.as_ref().filter(|_| !model) {
                let id = FuncId::new(i);
                let flows = Flows::new(body);
                let is_fresh = |v: &Operand| fresh.may_be(&calls, id, &flows, v);
                if boundary.contains(&id) {
                    own.handed_out(module, f, body, &flows, &is_fresh);
                }
                own.stores(module, body, &flows, &is_fresh, &mut stores);
            }
        }
        // What is copied from such a field to another one makes that one too.
        loop {
            let before = own.fields.len();
            for s in &stores {
                if s.fresh || s.copies.iter().any(|k| own.fields.contains_key(k)) {
                    own.fields.insert(s.to.clone(), s.path.clone());
                }
            }
            if own.fields.len() == before {
                return own;
            }
        }
    }

    /// Records that a function at the boundary gives its callers.
    fn handed_out(
        &mut self,
        m: &Module,
        f: &Function,
        body: &Body,
        flows: &Flows,
        is_fresh: &dyn Fn(&Operand) -> bool,
    ) {
        if flows.returned.iter().any(|v| is_fresh(&Operand::Value(*v))) {
            let ret = f.ctype.and_then(|t| match m.ctype(m.stripped(t)) {
                CType::Function { ret, .. } => pointee(m, *ret),
                _ => None,
            });
            self.records.extend(ret.and_then(|t| self.name(m, t)));
        }
        let params = body.blocks.first().map_or(&[][..], |b| &b.params);
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Store { ptr: Operand::Value(p), value, .. } = &inst.kind
                && params.contains(p)
                && is_fresh(value)
            {
                let to = body.values[p.index()].var.and_then(|v| body.vars.get(v.index())?.ctype);
                let target = to.and_then(|t| pointee(m, t)).and_then(|t| pointee(m, t));
                self.records.extend(target.and_then(|t| self.name(m, t)));
            }
        }
    }

    /// Stores of pointers into fields; the records that fresh ones point to.
    fn stores(
        &mut self,
        m: &Module,
        body: &Body,
        flows: &Flows,
        is_fresh: &dyn Fn(&Operand) -> bool,
        all: &mut Vec<FieldStore>,
    ) {
        let addresses = self.field_addresses(m, body);
        let key = |ptr: &Operand| -> Option<(Field, (TypeId, u64))> {
            let &(record, offset) = addresses.get(&ptr.as_value()?)?;
            Some(((self.name(m, record)?, offset), (record, offset)))
        };
        let mut loads: BTreeMap<Value, Field> = BTreeMap::new();
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            if let InstKind::Load { ptr, .. } = &inst.kind
                && let Some((key, _)) = key(ptr)
            {
                loads.extend(inst.results.iter().map(|r| (*r, key.clone())));
            }
        }
        let mut records = Vec::new();
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Store { ptr, value: Operand::Value(value), .. } = &inst.kind else { continue };
            let Some((to, (record, offset))) = key(ptr) else { continue };
            let Some((path, leaf)) = leaf(m, record, offset) else { continue };
            let fresh = is_fresh(&Operand::Value(*value));
            if fresh {
                records.extend(pointee(m, leaf).and_then(|t| self.name(m, t)));
            }
            let copies: Vec<Field> = flows.reach(&[*value]).iter().filter_map(|v| loads.get(v).cloned()).collect();
            if fresh || !copies.is_empty() {
                all.push(FieldStore { to, path, fresh, copies });
            }
        }
        self.records.extend(records);
    }

    /// The fields that addresses are of: a record with a name, and the offset in it.
    fn field_addresses(&self, m: &Module, body: &Body) -> BTreeMap<Value, (TypeId, u64)> {
        let mut all: BTreeMap<Value, (TypeId, u64)> = BTreeMap::new();
        for inst in body.blocks.iter().flat_map(|b| &b.insts) {
            let InstKind::Addr { base, steps, .. } = &inst.kind else { continue };
            let mut at = base.as_value().and_then(|b| all.get(&b)).copied();
            for step in steps {
                at = match step {
                    Step::Field { record: Some(record), offset, .. } if self.name(m, *record).is_some() => {
                        Some((*record, *offset))
                    }
                    Step::Field { offset, .. } => at.map(|(r, o)| (r, o + offset)),
                    Step::Index { .. } => None,
                };
            }
            if let (Some(at), Some(result)) = (at, inst.results.first()) {
                all.insert(*result, at);
            }
        }
        all
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

/// A record by name, and a byte offset in it.
type Field = (String, u64);

/// A store of a pointer into a field.
struct FieldStore {
    to: Field,
    /// The field as users write it.
    path: String,
    /// The pointer may be that of a fresh object.
    fresh: bool,
    /// Fields that it may have been read from.
    copies: Vec<Field>,
}

/// The pointer at an offset of a record: its path, and its type.
fn leaf(m: &Module, record: TypeId, mut offset: u64) -> Option<(String, TypeId)> {
    let mut path = String::new();
    let mut t = m.stripped(record);
    // Records are nested finitely deep, malformed ones aside.
    for _ in 0..64 {
        match m.ctype(t) {
            CType::Record(r) => {
                let inner = r.fields.iter().rfind(|f| !f.bit_field && f.bit_offset <= offset * 8)?;
                if !path.is_empty() && !inner.name.is_empty() {
                    path.push('.');
                }
                path.push_str(&inner.name);
                offset -= inner.bit_offset / 8;
                t = m.stripped(inner.ty);
            }
            CType::Pointer(_) if offset == 0 => return Some((path, t)),
            _ => return None,
        }
    }
    None
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
