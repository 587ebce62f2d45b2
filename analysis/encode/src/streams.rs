//! Whether the program's own code has to do with what is in a `FILE`: then that is not the library's affair alone.

use verify_checks::calls::is_model;
use verify_ir::{CType, InstKind, Module, Step, TypeId};

/// The program's own code looks into streams, or has some of its own: what is in them is not the library's affair alone.
pub fn opens_streams(module: &Module) -> bool {
    let named = |t: Option<TypeId>| t.is_some_and(|t| holds_stream(module, t, 0));
    let own = |f: &&verify_ir::Function| !is_model(module, f);
    let global = |g: &verify_ir::Global| !module.units.get(g.unit.index()).is_some_and(|u| u.model) && named(g.ctype);
    let vars = module.functions.iter().filter(own).flat_map(|f| &f.body).flat_map(|b| &b.vars);
    let steps = module.functions.iter().filter(own).flat_map(|f| &f.body).flat_map(|b| &b.blocks);
    let steps = steps.flat_map(|b| &b.insts).flat_map(|i| match &i.kind {
        InstKind::Addr { steps, .. } => steps.as_slice(),
        _ => &[],
    });
    let mut inside = steps.map(|s| match s {
        Step::Field { record, .. } => *record,
        Step::Index { elem, .. } => *elem,
    });
    module.globals.iter().any(global) || vars.into_iter().any(|v| named(v.ctype)) || inside.any(is_stream_in(module))
}

fn is_stream_in(module: &Module) -> impl Fn(Option<TypeId>) -> bool {
    move |t| t.is_some_and(|t| is_stream(module, t))
}

fn is_stream(module: &Module, t: TypeId) -> bool {
    matches!(module.ctype(t), CType::Record(r) if r.name == "_IO_FILE")
}

/// A variable of the type has a stream in it.
fn holds_stream(module: &Module, t: TypeId, depth: u32) -> bool {
    let inner = |t: TypeId| depth < 8 && holds_stream(module, t, depth + 1);
    match module.ctype(t) {
        CType::Record(r) => is_stream(module, t) || r.fields.iter().any(|f| inner(f.ty)),
        CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => inner(*ty),
        CType::Array { elem, .. } => inner(*elem),
        _ => false,
    }
}
