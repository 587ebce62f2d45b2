//! Records whose layout differs between the versions: a field is its name, not its offset (malik-2023 §6.4, changes of
//! structure layout). An access of the new version through a field that both versions have is taken to be at the old
//! version's offset; a field that only the new version has lies where no field of the old version is.

use std::collections::{BTreeMap, BTreeSet};
use verify_ir::{CType, Module, Record, TypeId};

/// Where fields that only the new version has are put: behind everything.
const BEYOND: u64 = 1 << 24;

/// Offset and size in bits, by name.
type Fields = BTreeMap<String, (u64, u64)>;

/// The layouts of the old version, and which records differ.
#[derive(Default, Debug)]
pub(crate) struct Layouts {
    old: BTreeMap<String, (u64, Fields)>,
    pub changed: BTreeSet<String>,
    /// Of these, those of which the name does not say which record it is.
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

fn fields(r: &Record) -> Fields {
    r.fields.iter().map(|f| (f.name.clone(), (f.bit_offset, f.bit_size))).collect()
}

/// Layouts by what records are known by. A program may have several of one name, in files of their own.
type Known<'m> = BTreeMap<String, BTreeMap<(u64, Fields), &'m Record>>;

fn records<'m>(m: &'m Module) -> Known<'m> {
    let mut out = Known::new();
    let mut add = |name: String, r: &'m Record| _ = out.entry(name).or_default().insert((r.size, fields(r)), r);
    for t in &m.ctypes {
        match t {
            CType::Record(r) if !r.incomplete && !r.name.is_empty() => add(r.name.clone(), r),
            CType::Typedef { name, ty } => {
                if let CType::Record(r) = m.ctype(*ty)
                    && r.name.is_empty()
                    && !r.incomplete
                {
                    add(format!("{name} "), r);
                }
            }
            _ => {}
        }
    }
    out
}

/// Names of types that are all the same record, which has none of its own.
fn shared(known: &Known<'_>) -> Vec<BTreeSet<String>> {
    let mut by_layout: BTreeMap<&(u64, Fields), BTreeSet<String>> = BTreeMap::new();
    for (name, all) in known.iter().filter(|(n, _)| n.ends_with(' ')) {
        for l in all.keys() {
            by_layout.entry(l).or_default().insert(name.clone());
        }
    }
    by_layout.into_values().filter(|names| names.len() > 1).collect()
}

impl Layouts {
    pub fn new(old: &Module, new: &Module) -> Layouts {
        let (a, b) = (records(old), records(new));
        let mut out = Layouts::default();
        let mut unclear = BTreeSet::new();
        for (name, all) in &a {
            if let Some((size, fields)) = all.keys().next() {
                out.old.insert(name.clone(), (*size, fields.clone()));
            }
            let Some(theirs) = b.get(name) else { continue };
            if !all.keys().eq(theirs.keys()) {
                out.changed.insert(name.clone());
                if all.len() > 1 || theirs.len() > 1 {
                    unclear.insert(name.clone());
                }
            }
        }
        // The record says as little which of its names it goes by.
        for names in shared(&a).into_iter().chain(shared(&b)) {
            if names.iter().any(|n| out.changed.contains(n)) {
                out.changed.extend(names.iter().cloned());
                unclear.extend(names);
            }
        }
        if !unclear.is_empty() {
            out.unclear = Some(Box::new(Layouts { changed: unclear, ..Layouts::default() }));
        }
        out
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
        let Some(name) = self.name_of(new, record).filter(|n| self.changed.contains(n)) else { return Ok(offset) };
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
        let Some(name) = self.name_of(m, record).filter(|n| self.changed.contains(n)) else { return Changed::No };
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
        match self.name_of(new, elem).filter(|n| self.changed.contains(n)).and_then(|n| self.old.get(&n)) {
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
            if self.name_of(m, t).is_some_and(|n| self.changed.contains(&n)) {
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

pub(crate) fn strip(m: &Module, t: TypeId) -> TypeId {
    m.stripped(t)
}
