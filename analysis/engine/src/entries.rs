//! Where executions start: declared entries, whose failures are `violated`, and the boundary of a library, where
//! unknown code calls in and failures are `latent`.

use crate::result::TargetKind;
use verify_checks::calls::is_model;
use verify_ir::{FuncId, Linkage, Module, SymbolRef, Visibility};

/// Starting points of a program.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Roots {
    /// Declared entries with a body: `main` first, then the others in the order they were named.
    pub entries: Vec<FuncId>,
    /// Functions that unknown callers may call, in the order of the program.
    pub boundary: Vec<FuncId>,
    /// Named entries that the program does not define.
    pub missing: Vec<String>,
}

/// Computes them. `named` are the entries the user asked for besides `main`
/// (or, with `only_named`, instead of it).
pub fn roots(module: &Module, kind: TargetKind, named: &[String], only_named: bool) -> Roots {
    let user = |f: FuncId| module.func(f).body.is_some() && !is_model(module, module.func(f));
    let mut r = Roots::default();
    if let Some(main) = module.function_named("main").filter(|&f| user(f) && !only_named) {
        r.entries.push(main);
    }
    for n in named {
        match module.function_named(n).filter(|&f| user(f)) {
            Some(f) if !r.entries.contains(&f) => r.entries.push(f),
            Some(_) => {}
            None => r.missing.push(n.clone()),
        }
    }
    if kind == TargetKind::Executable {
        return r;
    }
    let mut exported = vec![false; module.functions.len()];
    for (i, f) in module.functions.iter().enumerate() {
        exported[i] = is_exported(f.linkage, f.visibility);
    }
    for a in &module.aliases {
        if is_exported(a.linkage, a.visibility)
            && let (SymbolRef::Func(f), 0) = module.resolve(a.target)
        {
            exported[f.index()] = true;
        }
    }
    r.boundary = (0..module.functions.len())
        .map(FuncId::new)
        .filter(|f| exported[f.index()] && user(*f) && !r.entries.contains(f))
        .collect();
    r
}

fn is_exported(l: Linkage, v: Visibility) -> bool {
    matches!(l, Linkage::External | Linkage::Weak) && v != Visibility::Hidden
}
