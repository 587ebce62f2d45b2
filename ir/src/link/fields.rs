//! Names for the fields of variables that a unit only declares. The compiler describes the type of a variable where it
//! is defined; with the definition at hand, the address computations of the other units are told which record and
//! field they step into, by offset. Nothing but names comes from it: offsets and strides stay what the unit said.

use crate::constant::{Const, Operand, SymbolRef};
use crate::inst::{InstKind, Step};
use crate::module::Module;
use crate::types::CType;
use crate::{Body, TypeId};

/// Completes the access paths of all functions.
pub(super) fn complete(m: &mut Module) {
    let mut bodies: Vec<(usize, Body)> = Vec::new();
    for i in 0..m.functions.len() {
        if m.functions[i].body.as_ref().is_some_and(|b| paths(b).any(|(base, steps)| start(m, base, steps).is_some())) {
            bodies.extend(m.functions[i].body.take().map(|b| (i, b)));
        }
    }
    for (i, mut body) in bodies {
        for inst in body.blocks.iter_mut().flat_map(|b| &mut b.insts) {
            if let InstKind::Addr { base, steps, .. } = &mut inst.kind
                && let Some(t) = start(m, base, steps)
            {
                walk(m, t, steps);
            }
        }
        m.functions[i].body = Some(body);
    }
}

fn paths(b: &Body) -> impl Iterator<Item = (&Operand, &[Step])> {
    b.blocks.iter().flat_map(|b| &b.insts).filter_map(|i| match &i.kind {
        InstKind::Addr { base, steps, .. } => Some((base, &steps[..])),
        _ => None,
    })
}

/// The type of the variable that the path leads into, where the path has a step without a type.
fn start(m: &Module, base: &Operand, steps: &[Step]) -> Option<TypeId> {
    let Operand::Const(Const::Symbol(s)) = base else { return None };
    let untyped = |s: &Step| matches!(s, Step::Field { record: None, .. } | Step::Index { elem: None, .. });
    if !steps.iter().any(untyped) {
        return None;
    }
    match m.resolve(*s) {
        (SymbolRef::Global(g), 0) => m.global(g).ctype,
        _ => None,
    }
}

fn walk(m: &Module, mut t: TypeId, steps: &mut [Step]) {
    for s in steps {
        let here = m.ctype(m.stripped(t));
        t = match s {
            Step::Field { record, index, offset } => match here {
                CType::Record(r) => {
                    // A unit that declares another layout may step into the middle of a field, which has no name.
                    let begins = |n: &usize| r.fields[*n].bit_offset / 8 == *offset && r.fields[*n].bit_offset % 8 == 0;
                    let Some(n) = r.field_at(*offset).filter(begins) else { return };
                    if record.is_none() {
                        (*record, *index) = (Some(m.stripped(t)), n as u32);
                    }
                    r.fields[n].ty
                }
                _ => return,
            },
            Step::Index { elem, count: Some(_), .. } => match here {
                CType::Array { elem: e, .. } => *elem.get_or_insert(*e),
                _ => return,
            },
            // Pointer arithmetic over the variable as a whole.
            Step::Index { .. } => return,
        };
    }
}
