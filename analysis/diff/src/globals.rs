//! Comparison with respect to a global variable (malik-2023 ch. 9): every function that uses it is compared as it is;
//! where that does not show it equal, its slices are.
//!
//! Equal functions are equal in what the variable does to them, too. A function is *changed* only where both its slices
//! and the functions themselves were seen to differ on an input.

use crate::compare::{Comparison, FunctionResult, Options, Verdict, compare};
use crate::pairs::Pairs;
use crate::slice::{Uses, variables};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_ir::{FuncId, Linkage, Module};

/// What is said about a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalResult {
    /// Its name.
    pub name: String,
    /// The worst of its functions' verdicts.
    pub verdict: Verdict,
    /// The functions that use it, themselves or by what they call.
    pub functions: Vec<FunctionResult>,
    /// Functions that use it and that only the old version has.
    pub removed: Vec<String>,
    /// Functions that use it and that only the new version has.
    pub added: Vec<String>,
}

/// Does either version have a variable of this name?
pub fn has_global(old: &Module, new: &Module, name: &str) -> bool {
    !variables(old, name).is_empty() || !variables(new, name).is_empty()
}

struct Sliced {
    name: String,
    old: FuncId,
    new: FuncId,
}

/// Compares all that a variable influences.
pub fn compare_global(
    old: &Arc<Module>,
    new: &Arc<Module>,
    variable: &str,
    options: &Options,
    progress: &dyn Fn(&str),
) -> GlobalResult {
    let pairs = Pairs::new(old, new);
    let (a, b) = (Uses::new(old, variable), Uses::new(new, variable));
    let asked = |name: &str| options.functions.as_ref().is_none_or(|w| w.contains(name));
    let mut used: Vec<Sliced> = pairs
        .pairs
        .iter()
        .filter(|p| a.uses(p.old) || b.uses(p.new))
        .map(|p| Sliced { name: new.func(p.new).name.clone(), old: p.old, new: p.new })
        .filter(|s| asked(&s.name) || asked(&old.func(s.old).name))
        .collect();
    used.sort_by(|x, y| x.name.cmp(&y.name));
    let single = |m: &Module, u: &Uses, paired: BTreeSet<FuncId>| -> Vec<String> {
        let visible = (0..m.functions.len()).map(FuncId::new).filter(|f| {
            let i = m.func(*f);
            let library = m.units.get(i.unit.index()).is_some_and(|u| u.model);
            u.uses(*f) && i.linkage != Linkage::Internal && !library && !paired.contains(f) && asked(&i.name)
        });
        let mut names: Vec<String> = visible.map(|f| m.func(f).name.clone()).collect();
        names.sort();
        names
    };
    let mut out = GlobalResult {
        name: variable.into(),
        verdict: Verdict::Equal,
        functions: Vec::new(),
        removed: single(old, &a, pairs.pairs.iter().map(|p| p.old).collect()),
        added: single(new, &b, pairs.pairs.iter().map(|p| p.new).collect()),
    };
    let names: BTreeSet<String> = used.iter().map(|s| s.name.clone()).collect();
    let whole = if names.is_empty() {
        Comparison::default()
    } else {
        compare(old, new, &Options { functions: Some(names), ..options.clone() }, progress)
    };
    let whole: BTreeMap<String, FunctionResult> = whole.functions.into_iter().map(|f| (f.name.clone(), f)).collect();
    let open: Vec<&Sliced> =
        used.iter().filter(|s| whole.get(&s.name).is_none_or(|f| f.verdict != Verdict::Equal)).collect();
    let sliced = slices(old, new, (&a, &b), variable, &open, options, progress);
    for s in &used {
        let Some(w) = whole.get(&s.name) else { continue };
        out.functions.push(match sliced.get(&s.name) {
            None => w.clone(),
            Some(r) => verdict(w, r, variable),
        });
    }
    let worst = |v: Verdict| out.functions.iter().any(|f| f.verdict == v);
    out.verdict = if worst(Verdict::Changed) {
        Verdict::Changed
    } else if worst(Verdict::Unknown) || !out.removed.is_empty() || !out.added.is_empty() {
        Verdict::Unknown
    } else {
        Verdict::Equal
    };
    out
}

/// Compares slices; the reason where there is none.
fn slices(
    old: &Arc<Module>,
    new: &Arc<Module>,
    (a, b): (&Uses, &Uses),
    variable: &str,
    open: &[&Sliced],
    options: &Options,
    progress: &dyn Fn(&str),
) -> BTreeMap<String, Result<FunctionResult, String>> {
    let mut out = BTreeMap::new();
    let (mut m, mut n) = ((**old).clone(), (**new).clone());
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut effects: BTreeMap<String, (bool, bool)> = BTreeMap::new();
    for (k, s) in open.iter().enumerate() {
        match (a.slice(old, s.old), b.slice(new, s.new)) {
            (Ok(x), Ok(y)) => {
                // No C function has a name with blanks: it meets no other.
                let name = format!("{} by {variable} {k}", s.name);
                effects.insert(name.clone(), (x.stores || y.stores, x.calls || y.calls));
                for (m, f, body) in [(&mut m, s.old, x.body), (&mut n, s.new, y.body)] {
                    let mut slice = m.func(f).clone();
                    slice.name.clone_from(&name);
                    slice.linkage = Linkage::External;
                    slice.comdat = None;
                    slice.body = Some(body);
                    m.functions.push(slice);
                }
                names.insert(name, s.name.clone());
            }
            (Err(e), _) | (_, Err(e)) => drop(out.insert(s.name.clone(), Err(e))),
        }
    }
    if names.is_empty() {
        return out;
    }
    for m in [&m, &n] {
        if let Err(p) = verify_ir::check::check(m) {
            let why = p.first().map_or_else(String::new, |p| p.what.clone());
            out.extend(names.into_values().map(|f| (f, Err(format!("the slice is not well formed: {why}")))));
            return out;
        }
    }
    let asked = Options { functions: Some(names.keys().cloned().collect()), ..options.clone() };
    for mut f in compare(&Arc::new(m), &Arc::new(n), &asked, progress).functions {
        let Some(name) = names.get(&f.name) else { continue };
        let stack = f.origin.iter_mut().flat_map(|o| &mut o.stack);
        for p in [&mut f.old_place, &mut f.new_place].into_iter().flatten().chain(stack) {
            if names.contains_key(&p.function) {
                p.function.clone_from(&names[&p.function]);
            }
        }
        if let Some(o) = &mut f.origin {
            for n in [&mut o.name, &mut o.function] {
                if let Some(name) = names.get(n) {
                    n.clone_from(name);
                }
            }
        }
        // What a run shows must be what depends on the variable, not what the slice has besides.
        let (stores, calls) = effects.get(&f.name).copied().unwrap_or((true, true));
        let memory = f.evidence.as_ref().is_some_and(|e| e.difference.starts_with("memory: "));
        if f.verdict == Verdict::Changed && (calls || stores && memory) {
            f.verdict = Verdict::Unknown;
        }
        out.insert(name.clone(), Ok(f));
    }
    out
}

/// What two slices say about the function that they are of.
fn verdict(whole: &FunctionResult, slice: &Result<FunctionResult, String>, variable: &str) -> FunctionResult {
    let mut r = whole.clone();
    let f = match slice {
        Ok(f) => f,
        Err(why) => {
            (r.verdict, r.how) = (Verdict::Unknown, why.clone());
            return r;
        }
    };
    r.old_place = f.old_place.clone().or(r.old_place);
    r.new_place = f.new_place.clone().or(r.new_place);
    r.difference.clone_from(&f.difference);
    r.origin = f.origin.clone().or(r.origin);
    match (f.verdict, whole.verdict) {
        (Verdict::Equal, _) => {
            (r.verdict, r.how) = (Verdict::Equal, format!("slice: {}", f.how));
            (r.evidence, r.old_place, r.new_place, r.origin) = (None, None, None, None);
        }
        (Verdict::Changed, Verdict::Changed) => {
            (r.verdict, r.how) = (Verdict::Changed, "replay".into());
            r.evidence.clone_from(&f.evidence);
        }
        _ => {
            let why = f.difference.clone().unwrap_or_else(|| f.how.clone());
            (r.verdict, r.how) = (Verdict::Unknown, format!("what depends on `{variable}`: {why}"));
            r.evidence = None;
        }
    }
    r
}
