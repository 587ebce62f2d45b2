//! Merges structurally equal C types. Types are graphs (a list node points to itself), so equality is bisimilarity:
//! the coarsest partition in which equal types have equal labels and equal components, found by refinement (Moore).

use crate::entity::TypeId;
use crate::module::Module;
use crate::types::CType;
use std::collections::HashMap;

/// Classes of the types of all modules.
pub(super) struct Classes {
    /// Class of each type, by module.
    class: Vec<Vec<u32>>,
    /// A member of each class.
    representative: Vec<(usize, TypeId)>,
}

/// Calls `f` on every component, in order.
fn components(t: &CType, mut f: impl FnMut(TypeId)) {
    match t {
        CType::Void | CType::Base { .. } => {}
        CType::Pointer(t)
        | CType::Array { elem: t, .. }
        | CType::Enum { underlying: t, .. }
        | CType::Typedef { ty: t, .. }
        | CType::Qualified { ty: t, .. } => f(*t),
        CType::Record(r) => r.fields.iter().for_each(|x| f(x.ty)),
        CType::Function { ret, params, .. } => {
            f(*ret);
            params.iter().for_each(|p| f(*p));
        }
    }
}

/// Replaces every component.
pub(super) fn map_components(t: &mut CType, mut f: impl FnMut(TypeId) -> TypeId) {
    match t {
        CType::Void | CType::Base { .. } => {}
        CType::Pointer(t)
        | CType::Array { elem: t, .. }
        | CType::Enum { underlying: t, .. }
        | CType::Typedef { ty: t, .. }
        | CType::Qualified { ty: t, .. } => *t = f(*t),
        CType::Record(r) => r.fields.iter_mut().for_each(|x| x.ty = f(x.ty)),
        CType::Function { ret, params, .. } => {
            *ret = f(*ret);
            params.iter_mut().for_each(|p| *p = f(*p));
        }
    }
}

impl Classes {
    pub fn new(modules: &[&Module]) -> Classes {
        // All types in one row; `base[m]` is where those of a module start.
        let mut base = Vec::new();
        let mut total = 0usize;
        for m in modules {
            base.push(total);
            total += m.ctypes.len();
        }
        let mut class = Vec::with_capacity(total);
        let mut kids: Vec<Vec<u32>> = Vec::with_capacity(total);
        let mut labels: HashMap<CType, u32> = HashMap::new();
        for (i, m) in modules.iter().enumerate() {
            for t in &m.ctypes {
                let mut label = t.clone();
                map_components(&mut label, |_| TypeId(0));
                let next = labels.len() as u32;
                class.push(*labels.entry(label).or_insert(next));
                let mut k = Vec::new();
                components(t, |c| k.push((base[i] + c.index()) as u32));
                kids.push(k);
            }
        }
        let mut count = labels.len();
        loop {
            let mut keys: HashMap<Vec<u32>, u32> = HashMap::new();
            let refined: Vec<u32> = (0..total)
                .map(|i| {
                    let mut key = vec![class[i]];
                    key.extend(kids[i].iter().map(|&k| class[k as usize]));
                    let next = keys.len() as u32;
                    *keys.entry(key).or_insert(next)
                })
                .collect();
            class = refined;
            if keys.len() == count {
                break;
            }
            count = keys.len();
        }
        let mut representative = vec![None; count];
        let mut by_module = Vec::new();
        for (i, m) in modules.iter().enumerate() {
            let mine = class[base[i]..base[i] + m.ctypes.len()].to_vec();
            for (j, &c) in mine.iter().enumerate() {
                representative[c as usize].get_or_insert((i, TypeId::new(j)));
            }
            by_module.push(mine);
        }
        Classes { class: by_module, representative: representative.into_iter().flatten().collect() }
    }

    /// The class of a type of a module.
    pub fn of(&self, module: usize, t: TypeId) -> u32 {
        self.class[module][t.index()]
    }

    /// The first type of a class, in link order.
    pub fn representative(&self, class: u32) -> (usize, TypeId) {
        self.representative[class as usize]
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.representative.len()
    }
}
