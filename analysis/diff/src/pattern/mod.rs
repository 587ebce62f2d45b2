//! Custom change patterns (malik-2023 ch. 8): a pair of functions, the old and the new version of a change that their
//! author claims to be of no matter, matched as parametrised control-flow graphs.
//!
//! Where [`find`] finds the new side of a pattern in the new version, [`rewrite`] puts the old side there, and what comes
//! out is compared with the old version as any other code is. So it is shown, not assumed, that the inputs of both sides
//! are the same (§8.2.3), that what the pattern hands on goes to the same places (§8.2.4), and that the change went in
//! the direction of the pattern. Assumed is the author's claim, and every answer that leans on it says so.
//!
//! In C: functions `verify_old_NAME` and `verify_new_NAME` with the same parameters, which are the inputs, as are results
//! of an empty `asm("verify.input")`; `asm("verify.output")` marks outputs, in order. Values of type `__int128` and
//! `__float128` stand for values of any type, one each (type parameters); a record whose name begins with `verify_type_`
//! for any record. A string variable `verify_rename...` with `NAME=PATTERN` and one `*` lets NAME stand for all names that
//! fit, the same text for `*` in every name of the pattern (renaming rules).

mod find;
mod rewrite;
mod side;

pub(crate) use side::Side;

use crate::compare::{Comparison, FunctionResult, Options, Verdict, compare};
use crate::pairs::Pairs;
use crate::product::Version;
use crate::reach::Reach;
use crate::textual::differing;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verify_ir::{FuncId, InitData, Module};

/// A claim that two pieces of code may be exchanged.
pub struct Pattern {
    name: String,
    module: Arc<Module>,
    old: Side,
    new: Side,
    /// What a name stands for: before and after the `*`.
    rename: BTreeMap<String, (String, String)>,
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "pattern {}", self.name)
    }
}

impl Pattern {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The patterns of a unit.
    ///
    /// # Errors
    /// What makes the unit no patterns, as a sentence.
    pub fn load(module: &Arc<Module>) -> Result<Vec<Pattern>, String> {
        let rename = rules(module)?;
        let mut sides: BTreeMap<&str, (Option<FuncId>, Option<FuncId>)> = BTreeMap::new();
        for (i, f) in module.functions.iter().enumerate().filter(|(_, f)| f.body.is_some()) {
            if let Some(n) = f.name.strip_prefix("verify_old_") {
                sides.entry(n).or_default().0 = Some(FuncId::new(i));
            } else if let Some(n) = f.name.strip_prefix("verify_new_") {
                sides.entry(n).or_default().1 = Some(FuncId::new(i));
            }
        }
        if sides.is_empty() {
            return Err("no pattern: there is no function `verify_old_NAME`".into());
        }
        let mut out = Vec::new();
        for (name, both) in sides {
            let (Some(o), Some(n)) = both else {
                let missing = if both.0.is_none() { "old" } else { "new" };
                return Err(format!("pattern `{name}`: there is no function `verify_{missing}_{name}`"));
            };
            let (mut old, mut new) = (
                Side::read(module, o).map_err(|e| format!("pattern `{name}`, old version: {e}"))?,
                Side::read(module, n).map_err(|e| format!("pattern `{name}`, new version: {e}"))?,
            );
            if old.input_types() != new.input_types() {
                return Err(format!("pattern `{name}`: its versions have other inputs"));
            }
            if old.output_types() != new.output_types() {
                return Err(format!("pattern `{name}`: its versions have other outputs"));
            }
            side::share_context(&mut old, &mut new);
            find::searchable(&new).map_err(|e| format!("pattern `{name}`, new version: {e}"))?;
            out.push(Pattern { name: name.to_string(), module: module.clone(), old, new, rename: rename.clone() });
        }
        Ok(out)
    }

    /// All that it says, as text.
    pub fn fingerprint(&self) -> String {
        let body = |s: &Side| format!("{:?} {:?} {:?} {:?}", s.body.values, s.body.blocks, s.inputs, s.outputs);
        let symbols: Vec<_> = self.module.functions.iter().map(|f| &f.name).collect();
        let globals: Vec<_> = self.module.globals.iter().map(|g| (&g.name, &g.init)).collect();
        let (old, new) = (body(&self.old), body(&self.new));
        format!("{} {old} {new} {:?} {symbols:?} {globals:?} {:?}", self.name, self.rename, self.module.ctypes)
    }

    /// Both versions are the same: nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.old.same_code(&self.new)
    }
}

fn rules(m: &Module) -> Result<BTreeMap<String, (String, String)>, String> {
    let mut out = BTreeMap::new();
    for g in m.globals.iter().filter(|g| g.name.starts_with("verify_rename")) {
        let mut text = Vec::new();
        for p in g.init.iter().flat_map(|i| &i.pieces) {
            if let InitData::Bytes(b) = &p.data {
                text.extend(b.iter().copied().take_while(|b| *b != 0));
            }
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let rule = text.split_once('=').and_then(|(name, p)| {
            let (a, b) = p.split_once('*')?;
            (!name.is_empty() && !b.contains('*')).then(|| (name.to_string(), (a.to_string(), b.to_string())))
        });
        let Some((name, p)) = rule else {
            return Err(format!("`{text}` is no renaming rule: NAME=PATTERN with one `*` in the pattern"));
        };
        out.insert(name, p);
    }
    Ok(out)
}

/// Compares two programs; what stays different is compared again with the patterns applied.
pub fn compare_with(
    old: &Arc<Module>,
    new: &Arc<Module>,
    patterns: &[Pattern],
    options: &Options,
    progress: &dyn Fn(&str),
) -> Comparison {
    let mut plain = compare(old, new, options, progress);
    let open: BTreeSet<String> =
        plain.functions.iter().filter(|f| f.verdict != Verdict::Equal).map(|f| f.name.clone()).collect();
    if open.is_empty() {
        return plain;
    }
    let pairs = Pairs::new(old, new);
    let (edited, applied) = rewritten(&pairs, patterns);
    let Some(edited) = edited else { return plain };
    // Evidence about code that nobody wrote would say nothing.
    let mut again = Options { functions: Some(open), ..options.clone() };
    again.search.runs = 0;
    again.attack = 0;
    let second = compare(old, &Arc::new(edited), &again, progress);
    plain.queries += second.queries;
    let mut by_name: BTreeMap<&str, Vec<&FunctionResult>> = BTreeMap::new();
    for f in &second.functions {
        by_name.entry(f.name.as_str()).or_default().push(f);
    }
    let reach = Reach::new(&pairs);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for f in &plain.functions {
        *seen.entry(f.name.clone()).or_default() += 1;
    }
    for f in plain.functions.iter_mut().filter(|f| f.verdict != Verdict::Equal && seen[&f.name] == 1) {
        let Some([r]) = by_name.get(f.name.as_str()).map(Vec::as_slice) else { continue };
        if r.verdict != Verdict::Equal {
            continue;
        }
        let used = reached((&pairs, &reach), &f.name, &applied);
        if used.is_empty() {
            continue;
        }
        let names: Vec<&str> = used.into_iter().collect();
        let many = if names.len() > 1 { "patterns" } else { "pattern" };
        f.verdict = Verdict::Equal;
        f.how = format!("custom {many} {}, then {}", names.join(", "), r.how);
        (f.difference, f.evidence, f.old_place, f.new_place, f.origin) = (None, None, None, None, None);
    }
    plain
}

/// Patterns applied in a function or in what it calls.
fn reached<'p>(
    (pairs, reach): (&Pairs<'_>, &Reach),
    name: &str,
    applied: &BTreeMap<FuncId, BTreeSet<&'p str>>,
) -> BTreeSet<&'p str> {
    let mut out = BTreeSet::new();
    let mut todo: Vec<FuncId> = (0..pairs.new.functions.len())
        .map(FuncId::new)
        .filter(|f| pairs.new.func(*f).name == name && pairs.new.func(*f).body.is_some())
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(f) = todo.pop() {
        if seen.insert(f) {
            out.extend(applied.get(&f).into_iter().flatten());
            todo.extend(reach.called(Version::New, f));
            todo.extend(reach.mentioned(Version::New, f).iter().map(|c| pairs.pairs[*c as usize].new));
        }
    }
    out
}

/// Applications in one function.
const MAX_APPLIED: usize = 64;

/// The new version with old sides in the place of new ones, and what was applied where.
fn rewritten<'p>(pairs: &Pairs<'_>, patterns: &'p [Pattern]) -> (Option<Module>, BTreeMap<FuncId, BTreeSet<&'p str>>) {
    let mut m: Option<Module> = None;
    let mut applied: BTreeMap<FuncId, BTreeSet<&str>> = BTreeMap::new();
    let mut todo: Vec<(Option<FuncId>, FuncId)> = pairs.pairs.iter().map(|p| (Some(p.old), p.new)).collect();
    // Functions that only the new version has are looked into: their changes count, too.
    todo.extend(
        (0..pairs.new.functions.len())
            .map(FuncId::new)
            .filter(|f| pairs.new.func(*f).body.is_some() && pairs.class(Version::New, *f).is_none())
            .filter(|f| !pairs.is_library(Version::New, *f))
            .map(|f| (None, f)),
    );
    for (old, f) in todo {
        let differs = match old {
            Some(o) if pairs.code(Version::Old, o) == pairs.code(Version::New, f) => continue,
            Some(o) => Some(differing(pairs, (Version::Old, o), (Version::New, f))),
            None => None,
        };
        for p in patterns.iter().filter(|p| !p.is_empty()) {
            let mut skip = 0;
            let mut places = differs.clone();
            for _ in 0..MAX_APPLIED {
                let now = m.as_ref().unwrap_or(pairs.new);
                let Some(found) = find::nth(p, now, f, places.as_ref(), skip) else { break };
                match rewrite::apply(p, now, f, &found) {
                    Some((edited, moved)) => {
                        m = Some(edited);
                        applied.entry(f).or_default().insert(p.name());
                        // Places of the original are where they were, or gone.
                        places = places.map(|d| d.into_iter().filter_map(&moved).collect());
                    }
                    None => skip += 1,
                }
            }
        }
    }
    (m, applied)
}
