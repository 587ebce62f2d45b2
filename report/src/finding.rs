//! The findings of a scan: the checks of all programs, merged over targets.
//!
//! Two checks are one finding when file, line, column, kind and function name agree: code that several programs share,
//! or several accesses of one expression. A finding has the worst of their verdicts; among equally bad ones that with
//! the shortest trace, then the first. The position is that of the evidence (user code) if there is any.
//! Latent findings with the same condition are reported as one.

use crate::source::{Place, Sources};
use crate::suppress::{self, Comments, Suppressed};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use verify_checks::{Check, CheckId};
use verify_engine::result::{Evidence, ProgramResult, ScanResult, UnknownReason, Verdict};
use verify_engine::suppression::Suppression;
use verify_ir::{CheckKind, FuncId, SpanId};

/// A check, or several that are the same to the user.
#[derive(Debug)]
pub struct Finding<'a> {
    /// What can go wrong.
    pub kind: CheckKind,
    /// Worst verdict.
    pub verdict: &'a Verdict,
    /// Where, as shown; `None` when not even the unit is known.
    pub place: Option<Place>,
    /// The function at that place.
    pub function: &'a str,
    /// The check that has the verdict.
    pub check: &'a Check,
    /// Its number in its program.
    pub id: CheckId,
    /// The program that it is from.
    pub program: &'a ProgramResult,
    /// Names of all programs that have it, in order.
    pub targets: Vec<&'a str>,
    /// Those of them in which it has this verdict.
    pub alike: Vec<&'a str>,
    /// Latent ones that fail under the same condition and are not reported on their own.
    pub also: Vec<(Place, CheckKind)>,
    /// Where these are in the list.
    pub members: Vec<usize>,
    /// It is listed with another one.
    pub folded: bool,
    /// Why the user accepts it.
    pub suppressed: Option<Suppressed>,
}

impl<'a> Finding<'a> {
    /// The evidence of a violated or latent one.
    pub fn evidence(&self) -> Option<&'a Evidence> {
        evidence(self.verdict)
    }
    /// Violated or latent, and not listed with another one.
    pub fn is_reported(&self) -> bool {
        self.evidence().is_some() && !self.folded
    }
    /// Reported, and not suppressed.
    pub fn is_open(&self) -> bool {
        self.is_reported() && self.suppressed.is_none()
    }
    /// A latent one that fails only in a way that callers of sense exclude: by a condition that they keep, or with an
    /// object that they get from the library.
    pub fn is_minor(&self) -> bool {
        matches!(self.verdict, Verdict::Latent(e) if e.condition.is_some() || e.made_up.is_some())
    }
}

fn evidence(v: &Verdict) -> Option<&Evidence> {
    match v {
        Verdict::Latent(e) | Verdict::Violated(e) => Some(e),
        _ => None,
    }
}

/// Numbers of checks by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub violated: u64,
    pub latent: u64,
    pub unknown: u64,
    pub proved: u64,
    pub unreachable: u64,
}

impl Counts {
    /// Counts verdicts.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Counts {
        let mut c = Counts::default();
        for v in verdicts {
            match v {
                Verdict::Violated(_) => c.violated += 1,
                Verdict::Latent(_) => c.latent += 1,
                Verdict::Unknown(_) => c.unknown += 1,
                Verdict::Proved(_) => c.proved += 1,
                Verdict::Unreachable => c.unreachable += 1,
            }
        }
        c
    }
    /// All.
    pub fn total(&self) -> u64 {
        self.violated + self.latent + self.unknown + self.proved + self.unreachable
    }
}

/// How often each reason left a check undecided, most frequent first, then by name.
pub fn unknown_reasons<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Vec<(String, u64)> {
    let mut reasons: BTreeMap<&UnknownReason, u64> = BTreeMap::new();
    for v in verdicts {
        if let Verdict::Unknown(r) = v {
            *reasons.entry(r).or_default() += 1;
        }
    }
    let mut list: Vec<(String, u64)> = reasons.into_iter().map(|(r, n)| (r.to_string(), n)).collect();
    list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    list
}

/// All findings and the sources they are in.
#[derive(Debug)]
pub struct Findings<'a> {
    /// The sources.
    pub sources: Sources<'a>,
    /// Ordered by path, line, column, rule, function; those without a place first.
    pub all: Vec<Finding<'a>>,
    /// Comments and entries of the list of suppressions that have no effect, as sentences.
    pub remarks: Vec<String>,
    /// What the verdicts lean on: the assumptions of the scan, and what was accepted.
    pub assumptions: Vec<String>,
}

impl<'a> Findings<'a> {
    /// Merges the checks of a scan. `root` is what shown paths are relative to.
    pub fn of(scan: &'a ScanResult, root: &Path) -> Findings<'a> {
        let mut sources = Sources::new(root);
        type Key<'k> = (Option<Place>, &'static str, &'k str);
        let mut merged: BTreeMap<Key<'a>, Finding<'a>> = BTreeMap::new();
        for program in &scan.programs {
            let module = &*program.module;
            for (n, (check, verdict)) in program.checks.all.iter().zip(&program.verdicts).enumerate() {
                let (span, func) = evidence(verdict).map_or((check.span, check.func), |e| (e.span, e.func));
                let place = sources.place_or_function(module, span, func);
                if let Some(e) = evidence(verdict) {
                    // So that every place that a report needs is known from here on.
                    for span in e.steps.iter().map(|s| s.span).chain(e.notes.iter().map(|n| n.0)) {
                        sources.place(module, span);
                    }
                }
                let function = module.functions.get(func.index()).map_or("", |f| f.name.as_str());
                let new = Finding {
                    kind: check.kind,
                    verdict,
                    place,
                    function,
                    check,
                    id: CheckId(n as u32),
                    program,
                    targets: vec![program.name.as_str()],
                    alike: vec![program.name.as_str()],
                    also: Vec::new(),
                    members: Vec::new(),
                    folded: false,
                    suppressed: None,
                };
                match merged.entry((place, check.kind.name(), function)) {
                    std::collections::btree_map::Entry::Vacant(e) => {
                        e.insert(new);
                    }
                    std::collections::btree_map::Entry::Occupied(mut e) => e.get_mut().absorb(new),
                }
            }
        }
        let mut all: Vec<Finding<'a>> = merged.into_values().collect();
        all.sort_by(|a, b| {
            let key = |f: &Finding<'a>| (f.place.map(|p| (p.line, p.column)), f.kind.name(), f.function);
            let path = |f: &Finding<'a>| f.place.map(|p| sources.get(p.source).path.as_str());
            path(a).cmp(&path(b)).then_with(|| key(a).cmp(&key(b)))
        });
        let assumptions = scan.assumptions.clone();
        let mut findings = Findings { sources, all, remarks: Vec::new(), assumptions };
        // What is accepted stands for nothing else.
        findings.suppress(scan);
        findings.assumptions.extend(suppress::assumption(&findings.all));
        fold(&mut findings.all);
        fold_causes(&mut findings.all, &findings.sources);
        findings
    }

    /// Marks what comments and the list accept.
    fn suppress(&mut self, scan: &ScanResult) {
        // Names are for the list.
        let names = (!scan.suppressions.is_empty()).then(|| crate::identity::Identities::of(self));
        let comments: Vec<Comments> = self.sources.all.iter().map(Comments::of).collect();
        let mut used = vec![false; scan.suppressions.len()];
        let marks: Vec<Option<Suppressed>> = self
            .all
            .iter()
            .map(|f| {
                let (_, place) = (f.evidence()?, f.place?);
                let id = names.as_ref().and_then(|n| n.get(f)).unwrap_or_default();
                let path = &self.sources.get(place.source).path;
                let fits = |r: &Suppression| suppress::fits(r, f.kind.name(), path, place.line, f.function, &id);
                let rules = scan.suppressions.iter().zip(&mut used);
                // Each that fits has an effect, though the first gives the reason.
                let mut reason = None;
                for (rule, used) in rules.filter(|(r, _)| fits(r)) {
                    *used = true;
                    reason = reason.or(Some(rule.reason.clone()));
                }
                match comments[place.source.0].reason(place.line, f.kind) {
                    Some(reason) => Some(Suppressed { in_source: true, reason }),
                    None => reason.map(|reason| Suppressed { in_source: false, reason }),
                }
            })
            .collect();
        for (f, mark) in self.all.iter_mut().zip(marks) {
            f.suppressed = mark;
        }
        for (source, comments) in self.sources.all.iter().zip(&comments) {
            self.remarks.extend(comments.remarks().map(|(line, text)| format!("{}:{line}: {text}", source.path)));
        }
        self.remarks.sort();
        self.remarks.dedup();
        for rule in scan.suppressions.iter().zip(&used).filter(|(_, used)| !**used).map(|(r, _)| r) {
            self.remarks.push(format!("a suppression accepts nothing: {}", suppress::describe(rule)));
        }
    }
    /// The place of a span of a trace or note of one of the programs.
    pub fn place(&self, program: &ProgramResult, span: SpanId) -> Option<Place> {
        self.sources.known_place(&program.module, span)
    }
    /// Violated and latent ones that are not suppressed, in order.
    pub fn failures(&self) -> impl Iterator<Item = &Finding<'a>> {
        self.all.iter().filter(|f| f.is_open())
    }
}

/// Latent ones with the same condition have the same cause: the first stands for all of them. A condition on an argument
/// is one in each function; one on what an argument leads to (`p->next == NULL`) is one in each file, and so is an object
/// that was made up.
fn fold(all: &mut [Finding<'_>]) {
    let mut first = BTreeMap::new();
    for i in 0..all.len() {
        let (Some(place), Verdict::Latent(e)) = (all[i].place, all[i].verdict) else { continue };
        let Some(condition) = e.made_up.as_ref().or(e.condition.as_ref()) else { continue };
        // What functions assert of their arguments is one for all.
        let constant = all[i].kind == CheckKind::NullDeref && all[i].check.expr == "NULL";
        let (condition, precondition) = match (&e.made_up, all[i].kind) {
            // An access through a constant null pointer fails for itself, whatever led there: one in each function.
            (Some(_), _) if constant => ("a constant null pointer", false),
            // One for all fields of a record.
            (Some(m), _) => (m.split('.').next().unwrap_or(m), false),
            (None, CheckKind::Assertion) => ("assertions of arguments", true),
            _ => (condition.as_str(), false),
        };
        let deep = precondition
            || e.made_up.is_some() && !constant
            || condition.split([' ', ',']).next().is_some_and(|c| c.contains(['>', '.', '[', '*']));
        let function = if deep { "" } else { all[i].function };
        let accepted = all[i].suppressed.is_some();
        match first.entry((place.source, function.to_string(), condition.to_string(), accepted)) {
            std::collections::btree_map::Entry::Vacant(e) => {
                e.insert(i);
            }
            std::collections::btree_map::Entry::Occupied(e) => {
                join(all, *e.get(), i, place);
            }
        }
    }
}

/// The second is listed with the first.
fn join(all: &mut [Finding<'_>], first: usize, second: usize, place: Place) {
    let kind = all[second].kind;
    all[second].folded = true;
    // What a macro or an included file makes in several functions fails at one place several times.
    if !all[first].also.contains(&(place, kind)) {
        all[first].also.push((place, kind));
    }
    all[first].members.push(second);
}

/// Violated ones of a pointer or value that went wrong in one place: the same expression of the same function, bad since
/// the same assignment. The first stands for all of them.
fn fold_causes(all: &mut [Finding<'_>], sources: &Sources<'_>) {
    let mut first = BTreeMap::new();
    for i in 0..all.len() {
        let Verdict::Violated(e) = all[i].verdict else { continue };
        let (Some(place), Some(cause)) = (all[i].place, cause(&all[i], e, sources)) else { continue };
        let (kind, accepted) = (all[i].kind, all[i].suppressed.is_some());
        let program = std::ptr::from_ref(all[i].program);
        match first.entry((program, kind.name(), all[i].check.expr.as_str(), cause, accepted)) {
            std::collections::btree_map::Entry::Vacant(e) => {
                e.insert(i);
            }
            std::collections::btree_map::Entry::Occupied(e) => join(all, *e.get(), i, place),
        }
    }
}

/// Where the value that the check is about was assigned last, and in which function. Where the compiler has put the value
/// (`NULL`) in the place of the variable, it is that of a variable with this value that the statement names.
fn cause(f: &Finding<'_>, e: &Evidence, sources: &Sources<'_>) -> Option<(FuncId, SpanId)> {
    let by_value = [CheckKind::NullDeref, CheckKind::InvalidDeref, CheckKind::UseAfterFree, CheckKind::UninitRead];
    let expr = f.check.expr.as_str();
    if !by_value.contains(&f.kind) || expr.is_empty() {
        return None;
    }
    let (_, before) = e.steps.split_last()?;
    let last = |is: &dyn Fn(&str, &str) -> bool| {
        let found = before.iter().rev().find(|s| s.func == e.func && s.values.iter().any(|(n, v)| is(n, v)))?;
        Some((found.func, found.span))
    };
    // `*p++` has moved on from the null pointer that it reads through.
    let null = |name: &str, value: &str| f.kind == CheckKind::NullDeref && name == expr && value == "NULL";
    last(&null).or_else(|| last(&|name, _| name == expr)).or_else(|| {
        let place = f.place?;
        let statement = sources.get(place.source).statement(place);
        last(&|name, value| value == expr && statement.split(' ').any(|w| w == name))
    })
}

impl<'a> Finding<'a> {
    fn absorb(&mut self, other: Finding<'a>) {
        let key = |f: &Finding<'a>| (f.verdict.rank(), std::cmp::Reverse(f.evidence().map_or(0, |e| e.steps.len())));
        let mut targets = std::mem::take(&mut self.targets);
        // Programs come one after the other.
        if targets.last() != other.targets.last() {
            targets.extend(&other.targets);
        }
        let mut alike = std::mem::take(&mut self.alike);
        match other.verdict.rank().cmp(&self.verdict.rank()) {
            Ordering::Greater => alike = other.alike.clone(),
            Ordering::Equal if alike.last() != other.alike.last() => alike.extend(&other.alike),
            _ => {}
        }
        if key(&other) > key(self) {
            *self = other;
        }
        (self.targets, self.alike) = (targets, alike);
    }
}
