//! Records whose layout differs between the versions: a field is its name, not its offset (malik-2023 §6.4, changes of
//! structure layout). An access of the new version through a field that both versions have is taken to be at the old
//! version's offset; a field that only the new version has lies where no field of the old version is.

use std::collections::{BTreeMap, BTreeSet};
use verify_ir::inst::Step;
use verify_ir::{Body, CType, Inst, InstKind, Module, Record, TypeId, UnitId};

/// Where fields that only the new version has are put: behind everything.
const BEYOND: u64 = 1 << 24;

/// Offset and size in bits, by name.
type Fields = BTreeMap<String, (u64, u64)>;

/// Size and fields.
type Layout = (u64, Fields);

/// The layouts of the old version, and which records differ.
#[derive(Default, Debug)]
pub(crate) struct Layouts {
    old: BTreeMap<String, Layout>,
    /// By name, the layouts that only one version has; one that both have is no change, whoever else goes by the name.
    changed: BTreeMap<String, BTreeSet<Layout>>,
    /// Of records that are the same but for fields of one version where the other has nothing: these fields, by name.
    lone: BTreeMap<String, BTreeSet<String>>,
    /// Of the changed ones, those of which the name does not say which record it is.
    pub unclear: Option<Box<Layouts>>,
}

/// A field of a record, as far as layouts matter.
pub(crate) enum Changed {
    /// The layout is the same in both versions.
    No,
    /// It is known by this name.
    Field(String),
    /// Nothing says which field of the other version it is: it has no name, or shares its bytes with others.
    Nameless,
}

/// The fields, and those of members whose types have no name at all: what such a member is made of is a part of the record.
fn fields(m: &Module, r: &Record) -> Fields {
    fn add(m: &Module, r: &Record, before: &str, at: u64, depth: u32, out: &mut Fields) {
        for f in &r.fields {
            let name = format!("{before}{}", f.name);
            let mut t = f.ty;
            while let CType::Array { elem: ty, .. } | CType::Qualified { ty, .. } = m.ctype(t) {
                t = *ty;
            }
            if let CType::Record(inner) = m.ctype(t)
                && is_nameless(m.ctype(t))
                && depth < DEPTH
            {
                add(m, inner, &format!("{name}{WITHIN}"), at + f.bit_offset, depth + 1, out);
            }
            out.insert(name, (at + f.bit_offset, f.bit_size));
        }
    }
    let mut out = Fields::new();
    add(m, r, "", 0, 0, &mut out);
    out
}

/// Between the name of a member and a name in it.
const WITHIN: char = '.';

/// How deep members without a type's name are looked into.
const DEPTH: u32 = 8;

/// Layouts by what records are known by. A program may have several of one name, in files of their own.
type Known = BTreeMap<String, BTreeSet<Layout>>;

/// The records that code of the program has to do with; those of the models of library functions say nothing about it.
fn records(m: &Module) -> Known {
    let used = used(m);
    let nameless: Vec<&CType> = used.iter().map(|t| m.ctype(*t)).filter(|t| is_nameless(t)).collect();
    let mut out = Known::new();
    let mut add = |name: String, r: &Record| _ = out.entry(name).or_default().insert((r.size, fields(m, r)));
    for t in &used {
        if let CType::Record(r) = m.ctype(*t)
            && !r.incomplete
            && !r.name.is_empty()
        {
            add(r.name.clone(), r);
        }
    }
    // Whoever wrote the name: it is what a record without a tag is known by.
    for t in &m.ctypes {
        if let CType::Typedef { name, ty } = t
            && let CType::Record(r) = m.ctype(*ty)
            && nameless.contains(&m.ctype(*ty))
        {
            add(format!("{name} "), r);
        }
    }
    out
}

fn is_nameless(t: &CType) -> bool {
    matches!(t, CType::Record(r) if !r.incomplete && r.name.is_empty())
}

/// The types of a program's functions, variables and accesses, and those that they are made of.
fn used(m: &Module) -> BTreeSet<TypeId> {
    let user = |u: UnitId| !m.units.get(u.index()).is_some_and(|u| u.model);
    let mut todo: Vec<TypeId> = m.globals.iter().filter(|g| user(g.unit)).filter_map(|g| g.ctype).collect();
    for f in m.functions.iter().filter(|f| user(f.unit)) {
        todo.extend(f.ctype);
        let Some(body) = &f.body else { continue };
        todo.extend(body.vars.iter().filter_map(|v| v.ctype));
        for i in body.blocks.iter().flat_map(|b| &b.insts) {
            match &i.kind {
                InstKind::Alloca { ctype, .. } => todo.extend(*ctype),
                InstKind::Addr { steps, .. } => todo.extend(steps.iter().filter_map(|s| match s {
                    Step::Field { record, .. } => *record,
                    Step::Index { elem, .. } => *elem,
                })),
                _ => {}
            }
        }
    }
    closure(m, todo)
}

/// Types, and those that they are made of or point to.
fn closure(m: &Module, mut todo: Vec<TypeId>) -> BTreeSet<TypeId> {
    let mut seen = BTreeSet::new();
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        match m.ctype(t) {
            CType::Pointer(t) | CType::Typedef { ty: t, .. } | CType::Qualified { ty: t, .. } => todo.push(*t),
            CType::Array { elem, .. } => todo.push(*elem),
            CType::Record(r) => todo.extend(r.fields.iter().map(|f| f.ty)),
            CType::Function { ret, params, .. } => {
                todo.push(*ret);
                todo.extend(params);
            }
            _ => {}
        }
    }
    seen
}

/// Names of types that are all the same record, which has none of its own.
fn shared(known: &Known) -> BTreeMap<&Layout, BTreeSet<String>> {
    let mut by_layout: BTreeMap<&Layout, BTreeSet<String>> = BTreeMap::new();
    for (name, all) in known.iter().filter(|(n, _)| n.ends_with(' ')) {
        for l in all {
            by_layout.entry(l).or_default().insert(name.clone());
        }
    }
    by_layout.retain(|_, names| names.len() > 1);
    by_layout
}

fn one(all: &BTreeSet<Layout>) -> Vec<&Layout> {
    all.iter().collect()
}

/// The fields that one of two layouts has where the other has none, when all else is in its place: the bytes are the same then.
/// Members of a union share theirs anyway.
fn lone((size, a): &Layout, (other, b): &Layout) -> Option<BTreeSet<String>> {
    let same = |n: &String| matches!((a.get(n), b.get(n)), (Some(x), Some(y)) if x == y);
    let names: BTreeSet<String> = a.keys().chain(b.keys()).filter(|n| !same(n)).cloned().collect();
    let apart = |n: &String| {
        let (field, others) = match (a.get(n), b.get(n)) {
            (Some(f), None) => (f, b),
            (None, Some(f)) => (f, a),
            _ => return false,
        };
        others.values().all(|(at, bits)| at + bits <= field.0 || field.0 + field.1 <= *at)
    };
    let common = |n: &String| a.contains_key(n) && b.contains_key(n);
    let union = a.values().chain(b.values()).all(|(at, _)| *at == 0);
    let fits = |n: &String| !n.is_empty() && if union { !common(n) } else { apart(n) };
    (size == other && names.iter().all(fits)).then_some(names)
}

impl Layouts {
    pub fn new(old: &Module, new: &Module) -> Layouts {
        let (a, b) = (records(old), records(new));
        let mut out = Layouts::default();
        let mut unclear: BTreeMap<String, BTreeSet<Layout>> = BTreeMap::new();
        for (name, all) in &a {
            let theirs = b.get(name);
            let gone = theirs.and_then(|b| all.difference(b).next());
            if let Some(layout) = gone.or(all.first()) {
                out.old.insert(name.clone(), layout.clone());
            }
            let Some(theirs) = theirs else { continue };
            let differing: BTreeSet<Layout> = all.symmetric_difference(theirs).cloned().collect();
            if differing.is_empty() {
                continue;
            }
            if let ([x], [y]) = (one(all).as_slice(), one(theirs).as_slice())
                && let Some(fields) = lone(x, y)
            {
                out.lone.insert(name.clone(), fields);
                continue;
            }
            // Nothing says which field of the other version a field of a nameless member is.
            let within = |(_, fields): &Layout| fields.keys().any(|n| n.contains(WITHIN));
            if all.len() > 1 || theirs.len() > 1 || differing.iter().any(within) {
                unclear.insert(name.clone(), differing.clone());
            }
            out.changed.insert(name.clone(), differing);
        }
        // The record says as little which of its names it goes by.
        for (layout, names) in shared(&a).into_iter().chain(shared(&b)) {
            let changed = |n: &String| out.changed.get(n).is_some_and(|c| c.contains(layout));
            if names.iter().any(changed) {
                for n in names {
                    out.changed.entry(n.clone()).or_default().insert(layout.clone());
                    unclear.entry(n).or_default().insert(layout.clone());
                }
            }
        }
        if !unclear.is_empty() {
            out.unclear = Some(Box::new(Layouts { changed: unclear, ..Layouts::default() }));
        }
        out
    }

    /// Does the code use a field that only its version has, of a record that is the same otherwise?
    pub fn uses_lone(&self, m: &Module, body: &Body) -> bool {
        let lone = |s: &Step| match s {
            Step::Field { record: Some(t), index, .. } => match m.ctype(strip(m, *t)) {
                CType::Record(r) => {
                    let names = self.name_of(m, *t).and_then(|n| self.lone.get(&n));
                    names.zip(r.fields.get(*index as usize)).is_some_and(|(names, f)| names.contains(&f.name))
                }
                _ => false,
            },
            _ => false,
        };
        let steps = |i: &Inst| matches!(&i.kind, InstKind::Addr { steps, .. } if steps.iter().any(lone));
        !self.lone.is_empty() && body.blocks.iter().flat_map(|b| &b.insts).any(steps)
    }

    /// No record has changed.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
    }

    /// The name of a record whose layout differs. One that is only declared may be any of that name.
    fn changed_name(&self, m: &Module, t: TypeId) -> Option<String> {
        let CType::Record(r) = m.ctype(strip(m, t)) else { return None };
        let name = self.name_of(m, t)?;
        let layouts = self.changed.get(&name)?;
        (r.incomplete || layouts.contains(&(r.size, fields(m, r)))).then_some(name)
    }

    /// What a record is known by: its tag, or the first name of its type.
    pub fn name_of(&self, m: &Module, t: TypeId) -> Option<String> {
        let CType::Record(r) = m.ctype(strip(m, t)) else { return None };
        if !r.name.is_empty() {
            return Some(r.name.clone());
        }
        m.ctypes.iter().find_map(|c| match c {
            CType::Typedef { name, ty } if *m.ctype(*ty) == CType::Record(r.clone()) => Some(format!("{name} ")),
            _ => None,
        })
    }

    /// The offset by which the new version's field is known.
    pub fn field(&self, new: &Module, record: TypeId, index: u32, offset: u64) -> Result<u64, String> {
        if self.changed.is_empty() {
            return Ok(offset);
        }
        let Some(name) = self.changed_name(new, record) else { return Ok(offset) };
        let CType::Record(r) = new.ctype(strip(new, record)) else { return Ok(offset) };
        let Some(f) = r.fields.get(index as usize) else { return Err("a field that is not described".into()) };
        if f.bit_field || f.name.is_empty() || r.is_union {
            // Members of a union share their bytes, by whatever name.
            return Err(format!("a bit-field, nameless member or union of the changed type `{}`", name.trim()));
        }
        match self.old.get(&name).and_then(|(_, fs)| fs.get(&f.name)) {
            Some((o, bits)) if *bits == f.bit_size && o % 8 == 0 => Ok(o / 8 + (offset - f.bit_offset / 8)),
            Some(_) => Err(format!("the member `{}` of `{}` has another size", f.name, name.trim())),
            None => Ok(BEYOND + offset),
        }
    }

    /// What a field is known by when its record's layout differs.
    pub fn changed_field(&self, m: &Module, record: TypeId, index: u32) -> Changed {
        if self.changed.is_empty() {
            return Changed::No;
        }
        let Some(name) = self.changed_name(m, record) else { return Changed::No };
        let CType::Record(r) = m.ctype(strip(m, record)) else { return Changed::Nameless };
        match r.fields.get(index as usize) {
            Some(f) if !f.name.is_empty() && !f.bit_field && !r.is_union => {
                Changed::Field(format!("{name}.{}", f.name))
            }
            _ => Changed::Nameless,
        }
    }

    /// The distance of array elements by which the new version's are known.
    pub fn stride(&self, new: &Module, elem: TypeId, stride: u64) -> u64 {
        if self.changed.is_empty() {
            return stride;
        }
        match self.changed_name(new, elem).and_then(|n| self.old.get(&n)) {
            Some((size, _)) => *size,
            None => stride,
        }
    }

    /// Does the type contain a record of another layout?
    pub fn touches(&self, m: &Module, t: TypeId) -> bool {
        if self.changed.is_empty() {
            return false;
        }
        let mut todo = vec![t];
        let mut seen = BTreeSet::new();
        while let Some(t) = todo.pop() {
            let t = strip(m, t);
            if !seen.insert(t) {
                continue;
            }
            if self.changed_name(m, t).is_some() {
                return true;
            }
            match m.ctype(t) {
                CType::Record(r) => todo.extend(r.fields.iter().map(|f| f.ty)),
                CType::Array { elem, .. } => todo.push(*elem),
                _ => {}
            }
        }
        false
    }
}

impl Layouts {
    /// Does the type reach a record of another layout, through pointers too?
    pub fn reaches(&self, m: &Module, t: TypeId) -> bool {
        !self.is_empty() && closure(m, vec![t]).into_iter().any(|t| self.touches(m, t))
    }
}

pub(crate) fn strip(m: &Module, t: TypeId) -> TypeId {
    m.stripped(t)
}
