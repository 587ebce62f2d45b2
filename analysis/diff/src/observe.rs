//! Did two runs do the same, as far as it can be seen from outside? A difference is claimed only where both sides say
//! something definite: undefined bits, addresses as numbers and names of functions prove nothing.

use crate::buffers::{Stale, is_buffer};
use crate::console::Redirects;
use crate::inputs::Inputs;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use verify_interp::{CallImage, End, Image, ObjectImage, ObjectName, Outcome, Snapshot, leaf_path};
use verify_ir::{CType, FuncId, Function, Global, Linkage, Module, TypeId};

/// A run with what its input objects are called.
pub(crate) struct Run<'a> {
    pub outcome: &'a Outcome,
    pub names: &'a BTreeMap<u32, String>,
    pub module: &'a Module,
    pub silent: &'a Silent,
}

/// Names of what nobody outside the versions sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Silent {
    /// Functions outside the program that only compute, by their attributes `const` and `pure`.
    calls: Rc<BTreeSet<String>>,
    /// Static variables that only one version has.
    variables: Rc<BTreeSet<String>>,
    /// Names that several static variables of a version have.
    twins: Rc<BTreeSet<String>>,
    /// What was written by the end of a run is no evidence.
    pub text: bool,
}

/// The same of all functions of two programs.
pub(crate) struct Silence {
    calls: Rc<BTreeSet<String>>,
    variables: Rc<BTreeSet<String>>,
    twins: Rc<BTreeSet<String>>,
    redirects: (Redirects, Redirects),
}

impl Silence {
    pub fn new(old: &Module, new: &Module) -> Silence {
        let computes = |m: &Module| -> BTreeSet<String> {
            let quiet = |f: &&Function| f.body.is_none() && (f.attrs.no_memory || f.attrs.read_only);
            m.functions.iter().filter(quiet).map(|f| f.name.clone()).collect()
        };
        let own = |m: &Module| -> BTreeSet<String> {
            let hidden = |g: &&Global| g.linkage == Linkage::Internal;
            m.globals.iter().filter(hidden).map(|g| g.name.clone()).collect()
        };
        let mut twins = BTreeSet::new();
        for m in [old, new] {
            let mut seen = BTreeSet::new();
            for g in m.globals.iter().filter(|g| g.linkage == Linkage::Internal) {
                if !seen.insert(g.name.as_str()) {
                    twins.insert(g.name.clone());
                }
            }
        }
        let (a, b) = (computes(old), computes(new));
        let (x, y) = (own(old), own(new));
        Silence {
            calls: Rc::new(a.union(&b).cloned().collect()),
            variables: Rc::new(x.symmetric_difference(&y).cloned().collect()),
            twins: Rc::new(twins),
            redirects: (Redirects::new(old), Redirects::new(new)),
        }
    }

    /// What is silent in runs of two functions.
    pub fn of(&self, old: FuncId, new: FuncId) -> Silent {
        let text = self.redirects.0.of(old) || self.redirects.1.of(new);
        Silent { calls: self.calls.clone(), variables: self.variables.clone(), twins: self.twins.clone(), text }
    }
}

impl Silent {
    /// A static variable that only one version has was used: what it begins with when a function is called in the middle
    /// of a program is not a free choice, as it is of one that both have.
    pub fn uses_own(&self, s: &Snapshot) -> bool {
        s.objects.iter().any(|o| self.is_own(o))
    }

    /// The object is such a variable.
    fn is_own(&self, o: &ObjectImage) -> bool {
        matches!(&o.name, ObjectName::Global(g) if self.variables.contains(g))
    }

    /// Which one of several of its name the variable is, a run does not say.
    fn is_twin(&self, o: &ObjectImage) -> bool {
        matches!(&o.name, ObjectName::Global(g) if self.twins.contains(g))
    }

    fn is_call(&self, c: &CallImage) -> bool {
        self.calls.contains(&c.name)
    }

    /// The calls of such functions, or of the others.
    fn calls<'s>(&self, s: &'s Snapshot, silent: bool) -> Vec<&'s CallImage> {
        s.calls.iter().filter(|c| self.is_call(c) == silent).collect()
    }

    /// What such functions return is given out call by call, while it depends on nothing but what they see: runs say
    /// something only if they made the same calls of them, each once. A run that failed may have made fewer.
    fn calls_fit(&self, a: &Snapshot, b: &Snapshot, failed: bool) -> bool {
        if !a.calls.iter().chain(&b.calls).any(|c| self.is_call(c)) {
            return true;
        }
        let (p, q) = (self.calls(a, true), self.calls(b, true));
        let again =
            |s: &[&CallImage]| (1..s.len()).any(|i| s[..i].iter().any(|c| c.name == s[i].name && c.args == s[i].args));
        let same = p.iter().zip(&q).all(|(x, y)| x.name == y.name && x.args == y.args);
        same && (p.len() == q.len() || failed && q.len() < p.len()) && !again(&p) && !again(&q)
    }
}

impl Run<'_> {
    fn key(&self, o: &ObjectImage, inputs: &Inputs<'_>) -> Option<String> {
        match &o.name {
            ObjectName::Input(n) => {
                Some(self.names.get(n).cloned().unwrap_or_else(|| inputs.object(*n, "")).to_string())
            }
            ObjectName::Global(_) if self.silent.is_twin(o) => None,
            ObjectName::Global(g) => Some(format!("global {g}")),
            ObjectName::Literal | ObjectName::Fresh => None,
        }
    }
}

/// The first difference, as a sentence. `None`: none is visible.
pub(crate) fn difference(old: &Run<'_>, new: &Run<'_>, inputs: &Inputs<'_>) -> Option<String> {
    let (Some(a), Some(b)) = (&old.outcome.snapshot, &new.outcome.snapshot) else { return None };
    if !old.silent.calls_fit(a, b, matches!(new.outcome.end, End::Failed(_))) {
        return None;
    }
    match (&old.outcome.end, &new.outcome.end) {
        (End::Failed(_) | End::Stopped(_), _) => return None,
        (_, End::Failed(f)) => return Some(format!("the new version fails: {}", f.message)),
        (_, End::Stopped(_)) => return None,
        (End::Exited(x), End::Exited(y)) if x != y => return Some(format!("exit status {x}, now {y}")),
        (End::Exited(_), End::Exited(_)) | (End::Aborted, End::Aborted) | (End::Returned(_), End::Returned(_)) => {}
        (x, y) => return Some(format!("{}, now {}", ending(x), ending(y))),
    }
    let (theirs, ours) = (old.silent.calls(a, false), new.silent.calls(b, false));
    for (i, (x, y)) in theirs.iter().zip(&ours).enumerate() {
        if x.name != y.name {
            return Some(format!("external call {}: `{}`, now `{}`", i + 1, x.name, y.name));
        }
        for (k, (p, q)) in x.args.iter().zip(&y.args).enumerate() {
            let what = || format!("argument {} of external call {} (`{}`)", k + 1, i + 1, x.name);
            if let (Image::Number { .. }, Image::Number { .. }) | (Image::Null(_), _) | (_, Image::Null(_)) = (p, q)
                && let Some(d) = scalar(p, q)
            {
                return Some(format!("{}: {d}", what()));
            }
            if let (Image::Pointer(o, off), Image::Pointer(n, to)) = (p, q) {
                let (o, n) = (&x.objects[*o], &y.objects[*n]);
                if old.silent.is_twin(o) || old.silent.is_twin(n) {
                    continue;
                }
                let (ko, kn) = (old.key(o, inputs), new.key(n, inputs));
                let unnamed = old.silent.is_own(o) && new.silent.is_own(n);
                if !unnamed && ko.is_some() && kn.is_some() && (&ko, off) != (&kn, to) {
                    return Some(format!("{}: another object", what()));
                }
                if off == to
                    && let Some(at) = definite(new.module, o, n)
                {
                    let path = leaf_path(new.module, n.elem, at);
                    return Some(format!("{}: contents of {}{path}", what(), n.what));
                }
            }
        }
    }
    if theirs.len() != ours.len() {
        return Some(format!("{} external calls, now {}", theirs.len(), ours.len()));
    }
    let stale = (Stale::new(old.module, a), Stale::new(new.module, b));
    let mut m = Match { old, new, a, b, inputs, stale, to: BTreeMap::new(), work: Vec::new() };
    m.run()
}

/// Under what name the first contents of an object were given out.
fn initial_key(o: &ObjectImage, key: &str) -> String {
    match o.name {
        ObjectName::Global(_) => format!("g:{}", o.what),
        _ => key.to_string(),
    }
}

/// Structures that are passed by value, which are gone when the function returns, and what unknown code allocates, which
/// counts where something points to it.
fn is_nameless(key: &str) -> bool {
    key.starts_with('#')
}

fn ending(e: &End) -> String {
    match e {
        End::Exited(n) => format!("exits with {n}"),
        End::Aborted => "aborts".into(),
        End::Returned(v) => format!("returns {}", v.join(", ")),
        End::Failed(f) => f.message.clone(),
        End::Stopped(s) => s.to_string(),
    }
}

/// Bits of a type that mean something, byte by byte; padding is nobody's. `None`: not known.
fn meaning(m: &Module, t: TypeId, depth: u32) -> Option<Vec<u8>> {
    let whole = |n: u64| Some(vec![0xff; usize::try_from(n).ok().filter(|n| *n <= 1 << 16)?]);
    if depth > 16 {
        return None;
    }
    match m.ctype(t) {
        CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => meaning(m, *ty, depth + 1),
        CType::Enum { underlying, .. } => meaning(m, *underlying, depth + 1),
        CType::Base { name, bits, .. } => {
            let mut all = whole(u64::from(*bits) / 8)?;
            if name == "long double" && *bits > 80 && m.target.triple.starts_with(['x', 'i']) {
                all[10..].fill(0);
            }
            Some(all)
        }
        CType::Pointer(_) => whole(m.target.pointer_bytes()),
        CType::Array { elem, count } => {
            let one = meaning(m, *elem, depth + 1)?;
            let n = usize::try_from((*count)?).ok()?;
            (one.len().checked_mul(n)? <= 1 << 16).then(|| one.repeat(n))
        }
        CType::Record(r) => {
            let mut all = whole(r.size)?;
            all.fill(0);
            for f in r.fields.iter().filter(|f| !is_buffer(r, &f.name)) {
                if f.bit_field {
                    for bit in f.bit_offset..f.bit_offset + f.bit_size {
                        *all.get_mut((bit / 8) as usize)? |= 1 << (bit % 8);
                    }
                    continue;
                }
                // A flexible array has no end.
                let inner = match m.ctype(f.ty) {
                    CType::Array { count: None, .. } => continue,
                    _ => meaning(m, f.ty, depth + 1)?,
                };
                let from = (f.bit_offset / 8) as usize;
                for (i, b) in inner.into_iter().enumerate() {
                    *all.get_mut(from + i)? |= b;
                }
            }
            Some(all)
        }
        CType::Void | CType::Function { .. } => None,
    }
}

/// The same of an object, whose elements are of a type.
struct Meaning(Option<Vec<u8>>);

impl Meaning {
    fn of(m: &Module, o: &ObjectImage) -> Meaning {
        Meaning(o.elem.and_then(|t| meaning(m, t, 0)).filter(|v| !v.is_empty()))
    }
    fn at(&self, i: usize) -> u8 {
        self.0.as_ref().map_or(0xff, |v| v[i % v.len()])
    }
}

/// A byte that both hold for certain and differently.
fn definite(m: &Module, o: &ObjectImage, n: &ObjectImage) -> Option<u64> {
    let means = Meaning::of(m, n);
    (0..o.bytes.len().min(n.bytes.len()))
        .find(|&i| {
            let mask = o.defined[i] & n.defined[i] & means.at(i);
            let pointer = |x: &ObjectImage| x.pointers.range((i as u64).saturating_sub(7)..=i as u64).next().is_some();
            o.bytes[i] & mask != n.bytes[i] & mask && !o.pending[i] && !n.pending[i] && !pointer(o) && !pointer(n)
        })
        .map(|i| i as u64)
}

fn is_nan(bytes: &[u8]) -> bool {
    match bytes.len() {
        4 => bytes.try_into().map(f32::from_le_bytes).is_ok_and(f32::is_nan),
        8 => bytes.try_into().map(f64::from_le_bytes).is_ok_and(f64::is_nan),
        10 => bytes[9] & 0x7f == 0x7f && bytes[8] == 0xff && bytes[..8] != [0, 0, 0, 0, 0, 0, 0, 0x80],
        _ => false,
    }
}

fn number(bytes: &[u8], float: bool) -> String {
    match (bytes.len(), float) {
        (4, true) => bytes.try_into().map(f32::from_le_bytes).map_or_else(|_| String::new(), |f| format!("{f:?}")),
        (8, true) => bytes.try_into().map(f64::from_le_bytes).map_or_else(|_| String::new(), |f| format!("{f:?}")),
        (1..=8, _) => {
            let v = bytes.iter().rev().fold(0u64, |a, b| a << 8 | u64::from(*b));
            let unused = 64 - 8 * bytes.len() as u32;
            ((v << unused) as i64 >> unused).to_string()
        }
        _ => format!("{bytes:?}"),
    }
}

/// How two scalars differ for certain.
fn scalar(p: &Image, q: &Image) -> Option<String> {
    match (p, q) {
        (Image::Number { bytes: x, defined: d, float }, Image::Number { bytes: y, defined: e, .. }) => {
            if x.len() != y.len() || (*float && is_nan(x) && is_nan(y)) {
                return None;
            }
            let differ = x.iter().zip(y).zip(d.iter().zip(e)).any(|((a, b), (m, n))| (a ^ b) & m & n != 0);
            differ.then(|| format!("{}, now {}", number(x, *float), number(y, *float)))
        }
        (Image::Null(a), Image::Null(b)) => (a != b).then(|| "another null pointer".into()),
        (Image::Null(_), Image::Pointer(..) | Image::Function(_)) => Some("a null pointer, now another".into()),
        (Image::Pointer(..) | Image::Function(_), Image::Null(_)) => Some("a pointer, now null".into()),
        _ => None,
    }
}

struct Match<'a> {
    old: &'a Run<'a>,
    new: &'a Run<'a>,
    a: &'a Snapshot,
    b: &'a Snapshot,
    inputs: &'a Inputs<'a>,
    stale: (Stale, Stale),
    /// What became of an object, and whether what it began with counts.
    to: BTreeMap<usize, (usize, bool)>,
    work: Vec<(usize, usize)>,
}

impl Match<'_> {
    fn run(&mut self) -> Option<String> {
        for (i, (x, y)) in self.a.results.iter().zip(&self.b.results).enumerate() {
            if let Some(d) = self.compare(x, y) {
                let which = if self.a.results.len() > 1 { format!(" {}", i + 1) } else { String::new() };
                return Some(format!("result{which}: {d}"));
            }
        }
        let mut theirs: BTreeMap<String, usize> = BTreeMap::new();
        for (j, n) in self.b.objects.iter().enumerate() {
            if let Some(k) = self.new.key(n, self.inputs).filter(|k| !is_nameless(k)) {
                theirs.entry(k).or_insert(j);
            }
        }
        let mut seen = BTreeSet::new();
        for (i, o) in self.a.objects.iter().enumerate() {
            let Some(k) = self.old.key(o, self.inputs).filter(|k| !is_nameless(k)) else { continue };
            if !seen.insert(k.clone()) {
                continue;
            }
            match theirs.remove(&k) {
                Some(j) => self.pair(i, j, false),
                None => {
                    if let Some(at) = self.written(self.old.module, o, &k) {
                        let path = leaf_path(self.old.module, o.elem, at);
                        return Some(format!("memory: {}{path} is no longer written", o.what));
                    }
                }
            }
        }
        for (k, j) in theirs {
            if self.a.objects.iter().any(|o| self.old.key(o, self.inputs).as_ref() == Some(&k)) {
                continue;
            }
            let n = &self.b.objects[j];
            if let Some(at) = self.written(self.new.module, n, &k) {
                let path = leaf_path(self.new.module, n.elem, at);
                return Some(format!("memory: {}{path} is written now", n.what));
            }
        }
        while let Some((i, j)) = self.work.pop() {
            if let Some(d) = self.objects(i, j) {
                return Some(d);
            }
        }
        None
    }

    /// Two objects that must hold the same. What a variable began with, in either version, counts where the function
    /// hands it out; what is only there did not come of the run.
    fn pair(&mut self, i: usize, j: usize, whole: bool) {
        if i >= self.a.objects.len() || j >= self.b.objects.len() {
            return;
        }
        match self.to.get_mut(&i) {
            None => _ = self.to.insert(i, (j, whole)),
            Some((k, all)) if *k == j && whole && !*all => *all = true,
            Some(_) => return,
        }
        self.work.push((i, j));
    }

    /// A byte of an object that only this run touched, and that certainly does not hold what it began with: another
    /// value than it began with, or one where nobody asked what it began with, which may be anything then.
    fn written(&self, m: &Module, o: &ObjectImage, key: &str) -> Option<u64> {
        if !o.open || key.starts_with('#') || !o.live || self.old.silent.is_own(o) {
            return None;
        }
        let key = initial_key(o, key);
        let means = Meaning::of(m, o);
        let pointer = |i: usize| o.pointers.range((i as u64).saturating_sub(7)..=i as u64).next().is_some();
        (0..o.bytes.len())
            .find(|&i| {
                // The cheap questions first.
                !o.pending[i] && o.defined[i] == 0xff && means.at(i) == 0xff && {
                    let first = self.inputs.bytes.get(&(key.clone(), i as u64));
                    let plain = !pointer(i) && !self.inputs.is_pointer(&key, i as u64);
                    plain && first.is_none_or(|f| *f != o.bytes[i])
                }
            })
            .map(|i| i as u64)
    }

    fn compare(&mut self, x: &Image, y: &Image) -> Option<String> {
        match (x, y) {
            (Image::Pointer(i, p), Image::Pointer(j, q)) => {
                let (Some(o), Some(n)) = (self.a.objects.get(*i), self.b.objects.get(*j)) else { return None };
                if self.old.silent.is_twin(o) || self.old.silent.is_twin(n) {
                    return None;
                }
                let (k, l) = (self.old.key(o, self.inputs), self.new.key(n, self.inputs));
                // Which variable of its own a version points into, nobody sees.
                if k != l && self.old.silent.is_own(o) && self.new.silent.is_own(n) {
                    return None;
                }
                // Nor whether a text is a variable of its own: it holds what it holds.
                let text = |x: &ObjectImage| x.name == ObjectName::Literal;
                if text(o) && self.new.silent.is_own(n) || self.old.silent.is_own(o) && text(n) {
                    if p == q {
                        self.pair(*i, *j, true);
                    }
                    return None;
                }
                if let (Some(k), Some(l)) = (&k, &l)
                    && k != l
                    && !(k.starts_with('#') || l.starts_with('#'))
                {
                    return Some("a pointer to another object".into());
                }
                if k.is_some() != l.is_some() {
                    return Some("a pointer to another object".into());
                }
                if p != q && k == l {
                    return Some(format!("a pointer to offset {p}, now {q}"));
                }
                self.pair(*i, *j, true);
                None
            }
            _ => scalar(x, y),
        }
    }

    fn objects(&mut self, i: usize, j: usize) -> Option<String> {
        let (o, n) = (&self.a.objects[i], &self.b.objects[j]);
        if o.live != n.live {
            let what = if n.live { "no longer freed" } else { "freed now" };
            return Some(format!("memory: {} is {what}", n.what));
        }
        if !o.live {
            return None;
        }
        let key = self.old.key(o, self.inputs).unwrap_or_default();
        let means = Meaning::of(self.new.module, n);
        let (first_o, first_n) = (initial_key(o, &key), initial_key(n, &key));
        let same_first = first_o == first_n;
        let whole = self.to.get(&i).is_none_or(|(_, whole)| *whole);
        let kept = |at: usize| !whole && [o, n].iter().all(|x| x.kept.get(at) == Some(&true));
        for at in 0..o.bytes.len().min(n.bytes.len()) {
            // Nearly all bytes are plainly the same.
            let same = match (o.pending[at], n.pending[at]) {
                (true, true) => same_first,
                (false, false) => (o.bytes[at] ^ n.bytes[at]) & o.defined[at] & n.defined[at] & means.at(at) == 0,
                _ => false,
            };
            let off = at as u64;
            if same || kept(at) || self.stale.0.is(i, off) || self.stale.1.is(j, off) {
                continue;
            }
            let pointer = |x: &ObjectImage| x.pointers.range(off.saturating_sub(7)..=off).next().is_some();
            if pointer(o) || pointer(n) {
                continue;
            }
            let byte = |x: &ObjectImage, first: &str| -> Option<(u8, u8)> {
                if x.pending[at] {
                    return self.inputs.bytes.get(&(first.to_string(), off)).map(|b| (*b, 0xff));
                }
                Some((x.bytes[at], x.defined[at]))
            };
            let (p, d, q, e) = match (byte(o, &first_o), byte(n, &first_n)) {
                (Some((p, d)), Some((q, e))) => (p, d, q, e),
                // A null pointer that one of them looked at.
                _ if self.inputs.is_pointer(&first_o, off) => continue,
                // Written here, and not even looked at there: what it began with may be anything else.
                (Some((p, 0xff)), None) if o.open && n.open => (p, 0xff, !p, 0xff),
                (None, Some((q, 0xff))) if o.open && n.open => (!q, 0xff, q, 0xff),
                _ => continue,
            };
            if (p ^ q) & d & e & means.at(at) != 0 {
                let path = leaf_path(self.new.module, n.elem, off);
                return Some(format!("memory: {}{path}: byte {p}, now {q}", n.what));
            }
        }
        let (po, pn) = (o.pointers.clone(), n.pointers.clone());
        let word = self.new.module.target.pointer_bytes();
        for (off, x) in &po {
            let mut bytes = (*off..off.saturating_add(word)).map(|b| usize::try_from(b).unwrap_or(usize::MAX));
            if let Some(y) = pn.get(off)
                && !bytes.all(kept)
                && let Some(d) = self.compare(x, y)
            {
                let path = leaf_path(self.new.module, self.b.objects[j].elem, *off);
                return Some(format!("memory: {}{path}: {d}", self.b.objects[j].what));
            }
        }
        None
    }
}
