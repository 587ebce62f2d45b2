//! Which sequences of calls to try on a library. A function that returns `T *` makes the `T` that others take; a type
//! nobody returns (`z_stream`) is passed to one function after another; what one function writes into a byte buffer
//! another one reads, with the length that the first returned or stored.

use crate::rng::{Rng, stable_hash};
use std::collections::{BTreeMap, BTreeSet};
use verify_engine::Draft;
use verify_engine::sequence::{Arg, FreeArg, Sequence, SequenceCall, param_ctype, param_name};
use verify_engine::values::strip;
use verify_ir::types::Qualifier;
use verify_ir::{CType, Const, Encoding, FuncId, GlobalId, InstKind, Module, Operand, SymbolRef, Ty, TypeId, Value};

/// Sequences per boundary function, and of a program: where that is too many, each function has its first before any has
/// its second.
const PER_FUNCTION: usize = 5;
const MOST: usize = 600;
const LONGEST: usize = 6;
/// How often a call is repeated, at most.
const REPEATS: u64 = 10;

/// Names of parameters for bytes that are read.
const INPUTS: &[&str] =
    &["source", "src", "in", "input", "from", "ibuf", "inbuf", "in_buf", "inbuffer", "input_buffer"];

/// What undoes what, in names of functions.
const INVERSES: &[(&str, &str)] = &[
    ("decompress", "compress"),
    ("uncompress", "compress"),
    ("inflate", "deflate"),
    ("decode", "encode"),
    ("decrypt", "encrypt"),
    ("deserialize", "serialize"),
    ("unpack", "pack"),
    ("unmarshal", "marshal"),
    ("unescape", "escape"),
    ("parse", "print"),
    ("read", "write"),
    ("load", "dump"),
    ("load", "save"),
    ("import", "export"),
];

/// The second function makes what the first one reads, as far as names tell.
pub(crate) fn undoes(reader: &str, writer: &str) -> bool {
    let (r, w) = (reader.to_ascii_lowercase(), writer.to_ascii_lowercase());
    let takes = |undo: &str, make: &str| {
        let start = r.split(undo).next().filter(|start| start.len() < r.len());
        // The beginning is the library's; what follows may say more (`compress_fast`, `decompress_safe`).
        start.is_some_and(|start| w.strip_prefix(start).is_some_and(|rest| rest.starts_with(make)))
    };
    INVERSES.iter().any(|(undo, make)| takes(undo, make))
}

/// A call is given something that an earlier one was given, or made.
pub(crate) fn goes_on(calls: &[SequenceCall], before: usize, call: usize) -> bool {
    calls[call].args.iter().any(|a| match a {
        Arg::Free(_) => calls[before].args.contains(a),
        Arg::Result(k) => *k as usize == before,
        Arg::Pointee { param, .. } => calls[before].args.contains(&Arg::Free(*param)),
    })
}

/// What a parameter is for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    /// Points to a record of this name.
    Record(String),
    /// Points to a pointer to a record of this name.
    RecordPointer(String),
    /// Bytes that are only read.
    Input,
    /// Bytes that may be written.
    Output,
    /// Points to an integer of this many bits.
    IntPointer(u32),
    /// An integer.
    Int,
    /// Anything else.
    Other,
}

/// What a function can be used for.
struct Shape {
    func: FuncId,
    params: Vec<Role>,
    /// Name of the record that the result points to.
    makes: Option<String>,
    /// Of those that the first pointer it is given is set to: it says that it prepares something.
    hands_out: Option<(usize, String)>,
    returns_int: bool,
    /// Functions that touch a variable that this one touches too.
    shares: Vec<usize>,
    /// Its name says that it prepares an object.
    prepares: bool,
    /// Its name says that it prepares an object that was prepared before.
    again: bool,
    /// Its name says that it sets something.
    sets: bool,
    /// Its name says that it ends an object's life.
    ends: bool,
}

impl Shape {
    /// Names of the records that its parameters point to.
    fn records(&self) -> impl Iterator<Item = &str> {
        self.params.iter().filter_map(|p| if let Role::Record(t) = p { Some(t.as_str()) } else { None })
    }

    /// It gives an object something to read.
    fn feeds(&self) -> bool {
        self.params.contains(&Role::Input) && self.records().next().is_some()
    }
}

/// Plans the sequences of a program, deterministically.
pub fn plan(draft: &Draft) -> Vec<Sequence> {
    let m = &*draft.module;
    let mut shapes: Vec<Shape> = draft.roots.boundary.iter().map(|&f| shape(m, f)).collect();
    share_state(draft, &mut shapes);
    let mut makers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut users: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, s) in shapes.iter().enumerate() {
        for t in s.makes.iter().chain(s.hands_out.iter().map(|(_, t)| t)) {
            makers.entry(t).or_default().push(i);
        }
        for p in &s.params {
            if let Role::Record(t) = p {
                users.entry(t).or_default().push(i);
            }
        }
    }
    users.values_mut().for_each(|v| v.dedup());
    let writers: Vec<usize> =
        (0..shapes.len()).filter(|&i| shapes[i].params.contains(&Role::Output) && reads_bytes(&shapes[i])).collect();
    let per = PER_FUNCTION.min(MOST.div_ceil(shapes.len().max(1)));
    let mut planned: Vec<Vec<Sequence>> = Vec::with_capacity(shapes.len());
    let mut seen = BTreeSet::new();
    for target in 0..shapes.len() {
        let mut mine = Vec::new();
        for n in 0..per * 2 {
            let seed = stable_hash(m.func(shapes[target].func).name.as_bytes()) ^ n as u64;
            let mut b =
                Builder { m, shapes: &shapes, rng: Rng::new(seed), seq: Sequence::default(), calls: Vec::new() };
            if !b.lead_up(target, n == 0, &makers, &users, &writers) {
                continue;
            }
            b.call(target);
            b.follow_up(target, n == 0, &users);
            let key = format!("{:?}", b.seq.calls);
            if b.seq.calls.len() > 1 && b.is_joined() && seen.insert(key) {
                mine.push(b.seq);
            }
            if mine.len() == per {
                break;
            }
        }
        planned.push(mine);
    }
    // The first of each function before the second of any.
    let mut taken = vec![0; planned.len()];
    let mut left = MOST;
    for round in 1..=per {
        for (t, _) in taken.iter_mut().zip(&planned).filter(|(_, p)| p.len() >= round).take(left) {
            *t = round;
            left -= 1;
        }
    }
    planned.into_iter().zip(taken).flat_map(|(p, n)| p.into_iter().take(n)).collect()
}

/// Which functions of the boundary have state in common: variables of the program that both reach by name.
fn share_state(draft: &Draft, shapes: &mut [Shape]) {
    let m = &*draft.module;
    let written = written(m);
    let touched: Vec<BTreeSet<GlobalId>> = m
        .functions
        .iter()
        .map(|f| {
            let mut set = BTreeSet::new();
            let mut operand = |o: &Operand| {
                if let Operand::Const(Const::Symbol(s)) = o
                    && let (SymbolRef::Global(g), _) = m.resolve(*s)
                    && written.contains(&g)
                    && !m.units[m.global(g).unit.index()].model
                {
                    set.insert(g);
                }
            };
            for b in f.body.iter().flat_map(|b| &b.blocks) {
                b.insts.iter().for_each(|i| i.kind.for_each_operand(&mut operand));
                b.term.for_each_operand(&mut operand);
            }
            set
        })
        .collect();
    let sets: Vec<BTreeSet<GlobalId>> = shapes
        .iter()
        .map(|s| {
            let reached = draft.reach.from(&[s.func]);
            touched.iter().zip(&reached).filter(|(_, r)| **r).flat_map(|(t, _)| t).copied().collect()
        })
        .collect();
    for i in 0..shapes.len() {
        shapes[i].shares = (0..sets.len()).filter(|&k| !sets[i].is_disjoint(&sets[k])).collect();
    }
}

/// Variables that some function may write: those whose address goes anywhere but into a read or a comparison. A table that
/// nobody writes is no state.
fn written(m: &Module) -> BTreeSet<GlobalId> {
    let mut all = BTreeSet::new();
    for body in m.functions.iter().filter_map(|f| f.body.as_ref()) {
        let mut inside: BTreeMap<Value, GlobalId> = BTreeMap::new();
        let global = |inside: &BTreeMap<Value, GlobalId>, o: &Operand| match o {
            Operand::Const(Const::Symbol(s)) => match m.resolve(*s) {
                (SymbolRef::Global(g), _) => Some(g).filter(|g| !m.global(*g).constant),
                _ => None,
            },
            Operand::Value(v) => inside.get(v).copied(),
            _ => None,
        };
        for b in &body.blocks {
            for i in &b.insts {
                match &i.kind {
                    InstKind::Addr { base, .. } => {
                        if let (Some(g), Some(v)) = (global(&inside, base), i.results.first()) {
                            inside.insert(*v, g);
                        }
                    }
                    InstKind::Load { .. } | InstKind::Icmp { .. } | InstKind::DebugValue { .. } => {}
                    kind => kind.for_each_operand(|o| all.extend(global(&inside, o))),
                }
            }
            b.term.for_each_operand(|o| all.extend(global(&inside, o)));
        }
    }
    all
}

fn reads_bytes(s: &Shape) -> bool {
    s.params.iter().any(|p| matches!(p, Role::Input | Role::Record(_)))
}

struct Builder<'a> {
    m: &'a Module,
    shapes: &'a [Shape],
    rng: Rng,
    seq: Sequence,
    /// Shape of each call made.
    calls: Vec<usize>,
}

impl Builder<'_> {
    /// Some call has to do with another one: what they are given, or the state of the library.
    fn is_joined(&self) -> bool {
        let calls = &self.seq.calls;
        let of_state = |k: usize| self.calls[..k].iter().any(|c| self.shapes[self.calls[k]].shares.contains(c));
        (1..calls.len()).any(|k| of_state(k) || (0..k).any(|i| goes_on(calls, i, k)))
    }

    /// Calls that come before the target; false when nothing can. The first plans are what a user manual would show:
    /// prepare the object, give it input, work on it.
    fn lead_up(
        &mut self,
        target: usize,
        plain: bool,
        makers: &BTreeMap<&str, Vec<usize>>,
        users: &BTreeMap<&str, Vec<usize>>,
        writers: &[usize],
    ) -> bool {
        let wanted: Vec<String> = self.shapes[target].records().map(str::to_string).collect();
        let reads = self.shapes[target].params.contains(&Role::Input);
        let mut any = false;
        // Functions that go with the target begin as it does.
        let mut common = 0;
        // The function that made the latest object of a type.
        let mut made_by: BTreeMap<&str, usize> = BTreeMap::new();
        for t in &wanted {
            if let Some(m) = makers.get(t.as_str()) {
                // A maker that needs a `T` itself comes with an object of the input contract.
                let simple: Vec<usize> =
                    m.iter().copied().filter(|&i| !self.shapes[i].params.contains(&Role::Record(t.clone()))).collect();
                // Out of bytes anything can be made.
                let parsers: Vec<usize> =
                    simple.iter().copied().filter(|&i| plain && self.shapes[i].params.contains(&Role::Input)).collect();
                let from = [&parsers, &simple, m].into_iter().find(|v| !v.is_empty()).unwrap_or(m);
                // What is compared or joined is of one make, often.
                let same = made_by.get(t.as_str()).copied().filter(|_| plain || self.rng.chance(300));
                if let Some(i) = same.or_else(|| self.rng.pick(from).copied()) {
                    made_by.insert(t, i);
                    self.call(i);
                    any = true;
                }
            } else if let Some(u) = users.get(t.as_str()) {
                let prepares = |again: bool| {
                    let fits = |i: &usize| self.shapes[*i].prepares && self.shapes[*i].again == again && *i != target;
                    u.iter().copied().filter(fits).collect::<Vec<usize>>()
                };
                let mut prepares = if prepares(false).is_empty() { prepares(true) } else { prepares(false) };
                if plain || self.rng.chance(700) {
                    let most = prepares.iter().map(|&i| self.common(i, target)).max().unwrap_or(0);
                    prepares.retain(|&i| self.common(i, target) == most);
                }
                if let Some(&i) = self.rng.pick(&prepares) {
                    common = common.max(self.common(i, target));
                    self.call(i);
                    any = true;
                }
            }
        }
        let mut middle = Vec::new();
        // What works on input that it was given before needs some.
        let feeds = |i: &usize| {
            *i != target && self.shapes[*i].feeds() && wanted.iter().any(|t| self.shapes[*i].records().any(|r| r == t))
        };
        if !reads && (plain || self.rng.chance(600)) {
            let all = (0..self.shapes.len()).filter(feeds);
            let feeders: Vec<usize> = all.filter(|&i| self.common(i, target) >= common).collect();
            middle.extend(self.rng.pick(&feeders));
        }
        for t in wanted.iter().filter(|_| !plain) {
            let Some(u) = users.get(t.as_str()) else { continue };
            let all: Vec<usize> = u.iter().copied().filter(|&i| !self.shapes[i].ends).collect();
            let near: Vec<usize> = all.iter().copied().filter(|&i| self.common(i, target) >= common).collect();
            for _ in 0..self.rng.below(4) {
                let from = if !near.is_empty() && self.rng.chance(800) { &near } else { &all };
                if self.calls.len() + middle.len() + 2 < LONGEST
                    && let Some(&i) = self.rng.pick(from)
                {
                    middle.push(i);
                }
            }
        }
        // Settings first, then input, mostly.
        if self.rng.chance(800) {
            middle.sort_by_key(|&i| (!self.shapes[i].sets, !self.shapes[i].feeds()));
            middle.dedup();
        }
        for i in middle {
            self.call(i);
            any = true;
        }
        if reads && (plain || self.rng.chance(700)) {
            let name = |i: usize| self.m.func(self.shapes[i].func).name.as_str();
            let others: Vec<usize> = writers.iter().copied().filter(|&i| i != target).collect();
            let fit: Vec<usize> = others.iter().copied().filter(|&i| undoes(name(target), name(i))).collect();
            let mut from = if !fit.is_empty() && (plain || self.rng.chance(700)) { fit } else { others };
            // The one that needs nothing but bytes.
            if plain {
                let needs = |i: &usize| (!self.shapes[*i].params.contains(&Role::Input), self.shapes[*i].params.len());
                let least = from.iter().map(needs).min();
                from.retain(|i| Some(needs(i)) == least);
            }
            if let Some(&i) = self.rng.pick(&from) {
                self.call(i);
                any = true;
            }
        }
        let shares = &self.shapes[target].shares;
        if !shares.is_empty() && (!any || self.rng.chance(200)) {
            for _ in 0..1 + self.rng.below(3) {
                if let Some(&i) = self.rng.pick(shares) {
                    self.call(i);
                    any = true;
                }
            }
        }
        any
    }

    /// How many bytes of the names agree at their beginning.
    fn common(&self, a: usize, b: usize) -> usize {
        let name = |i: usize| self.m.func(self.shapes[i].func).name.bytes();
        name(a).zip(name(b)).take_while(|(a, b)| a == b).count()
    }

    /// Sometimes the same again and again (a parser that gives one token after the other), or one more use of what
    /// there is, or the end of its life.
    fn follow_up(&mut self, target: usize, plain: bool, users: &BTreeMap<&str, Vec<usize>>) {
        let s = &self.shapes[target];
        if s.records().next().is_some()
            && !(s.ends || s.prepares || s.sets || s.feeds())
            && (plain || self.rng.chance(300))
            && let Some(again) = self.seq.calls.last().cloned()
        {
            for _ in 0..if plain { REPEATS } else { 1 + self.rng.below(REPEATS) } {
                self.seq.calls.push(again.clone());
                self.calls.push(target);
            }
        }
        let types: Vec<String> = self.shapes[target]
            .params
            .iter()
            .filter_map(|p| if let Role::Record(t) = p { Some(t.clone()) } else { None })
            .chain(self.shapes[target].makes.clone())
            .chain(self.shapes[target].hands_out.clone().map(|(_, t)| t))
            .collect();
        for t in types {
            if self.rng.chance(500)
                && let Some(&i) = users.get(t.as_str()).and_then(|u| self.rng.pick(u))
            {
                self.call(i);
            }
        }
    }

    fn call(&mut self, shape: usize) {
        let s = &self.shapes[shape];
        let sig = &self.m.func(s.func).sig;
        let name = |i: usize| self.m.func(self.shapes[i].func).name.as_str();
        // What the call before made is there to be read.
        let undoes = self.calls.last().is_some_and(|&c| undoes(name(shape), name(c)));
        let mut args: Vec<Arg> = Vec::new();
        // The call whose output is read, until its length is passed on, too.
        let mut writer = None;
        let mut read = None;
        for (i, (role, p)) in s.params.iter().zip(&sig.params).enumerate() {
            let arg = match role {
                Role::Record(t) => self.record(t, &args),
                // An object that another call has set the pointer to.
                Role::RecordPointer(_) if !s.prepares && self.rng.chance(900) => self.free_of(role).map(|(_, a)| a),
                Role::Input if self.rng.chance(if undoes { 950 } else { 700 }) => {
                    let earlier = self.free_of(&Role::Output);
                    writer = earlier.as_ref().map(|(k, _)| *k);
                    read = earlier.as_ref().map(|(_, a)| a.clone());
                    earlier.map(|(_, a)| a)
                }
                // Not over what is read at the same time, and later parameters tell what that is.
                Role::Output if self.rng.chance(100) => self
                    .free_of(&Role::Output)
                    .map(|(_, a)| a)
                    .filter(|a| !args.contains(a) && read.as_ref() != Some(a)),
                Role::Int if writer.is_some() => {
                    writer.take().filter(|_| self.rng.chance(900)).and_then(|k| self.length(k))
                }
                Role::Int if read.is_some() && self.rng.chance(50) => {
                    self.calls.len().checked_sub(1).and_then(|k| self.length(k))
                }
                _ => None,
            };
            let arg = arg.unwrap_or_else(|| self.free(s.func, i, p.ty));
            args.push(arg);
        }
        self.seq.calls.push(SequenceCall { func: s.func, args });
        self.calls.push(shape);
    }

    /// An object of the record type that an earlier call made or was given.
    fn record(&mut self, t: &str, taken: &[Arg]) -> Option<Arg> {
        if self.rng.chance(30) {
            return None;
        }
        let mut have: Vec<Arg> = Vec::new();
        for (k, &c) in self.calls.iter().enumerate() {
            if self.shapes[c].makes.as_deref() == Some(t) {
                have.push(Arg::Result(k as u32));
            }
            if let Some((at, made)) = &self.shapes[c].hands_out
                && made == t
                && let Arg::Free(param) = self.seq.calls[k].args[*at]
            {
                have.push(Arg::Pointee { param, bits: 0 });
            }
        }
        if have.is_empty() {
            have.extend(self.free_of(&Role::Record(t.to_string())).map(|(_, a)| a));
        }
        // Two different objects for two parameters, mostly.
        let other: Vec<Arg> = have.iter().filter(|a| !taken.contains(a)).cloned().collect();
        let from = if other.is_empty() && self.rng.chance(300) { &have } else { &other };
        // The latest one is the likeliest.
        if self.rng.chance(700) { from.last().cloned() } else { self.rng.pick(from).cloned() }
    }

    /// A free argument of an earlier call in this role, the latest, and which call that is.
    fn free_of(&self, role: &Role) -> Option<(usize, Arg)> {
        self.seq.calls.iter().zip(&self.calls).enumerate().rev().find_map(|(k, (c, &s))| {
            let params = &self.shapes[s].params;
            c.args
                .iter()
                .zip(params)
                .rev()
                .find(|(a, r)| matches!(a, Arg::Free(_)) && *r == role)
                .map(|(a, _)| (k, a.clone()))
        })
    }

    /// The number of bytes that the call says it wrote.
    fn length(&self, k: usize) -> Option<Arg> {
        let s = &self.shapes[self.calls[k]];
        for (a, r) in self.seq.calls[k].args.iter().zip(&s.params) {
            if let (Arg::Free(param), Role::IntPointer(bits)) = (a, r) {
                return Some(Arg::Pointee { param: *param, bits: *bits });
            }
        }
        s.returns_int.then_some(Arg::Result(k as u32))
    }

    fn free(&mut self, f: FuncId, index: usize, ty: Ty) -> Arg {
        let base = param_name(self.m, f, index);
        let mut name = base.clone();
        let mut n = 2;
        while self.seq.params.iter().any(|p| p.name == name) {
            name = format!("{base}{n}");
            n += 1;
        }
        self.seq.params.push(FreeArg { ty, ctype: param_ctype(self.m, f, index), name });
        Arg::Free(self.seq.params.len() as u32 - 1)
    }
}

fn shape(m: &Module, f: FuncId) -> Shape {
    let func = m.func(f);
    let params = (0..func.sig.params.len()).map(|i| match role(m, func.sig.params[i].ty, param_ctype(m, f, i)) {
        // Older interfaces have no `const`.
        Role::Output if INPUTS.contains(&param_name(m, f, i).to_ascii_lowercase().as_str()) => Role::Input,
        role => role,
    });
    let params: Vec<Role> = params.collect();
    let ret = match func.ctype.map(|t| strip(m, t)) {
        Some(CType::Function { ret, .. }) => Some(*ret),
        _ => None,
    };
    let makes =
        ret.filter(|_| func.sig.results == [Ty::Ptr]).and_then(|t| pointee(m, t)).and_then(|t| record_name(m, t));
    let out = params.iter().enumerate().find_map(|(i, r)| match r {
        Role::RecordPointer(t) => Some((i, t.clone())),
        _ => None,
    });
    let name = func.name.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|w| name.contains(w));
    let returns_int =
        matches!(func.sig.results[..], [Ty::Int(w)] if w >= 16) && !says(&["init", "free", "end", "destroy"]);
    let prepares = says(&["init", "new", "create", "open", "reset", "begin", "start"]);
    Shape {
        func: f,
        params,
        makes,
        hands_out: out.filter(|_| prepares),
        returns_int,
        shares: Vec::new(),
        prepares,
        again: says(&["reset"]),
        sets: says(&["set"]) && !says(&["reset"]),
        ends: says(&["free", "delete", "destroy", "close", "end", "release", "fini"]),
    }
}

fn role(m: &Module, ty: Ty, ctype: Option<TypeId>) -> Role {
    match ty {
        Ty::Int(w) if w >= 16 => Role::Int,
        Ty::Ptr => {
            let Some(p) = ctype.and_then(|t| pointee(m, t)) else { return Role::Other };
            if let Some(name) = record_name(m, p) {
                return Role::Record(name);
            }
            if let Some(name) = pointee(m, p).and_then(|t| record_name(m, t)) {
                return Role::RecordPointer(name);
            }
            match strip(m, p) {
                CType::Base { bits: 8, .. } | CType::Void => {
                    if is_const(m, p) {
                        Role::Input
                    } else {
                        Role::Output
                    }
                }
                CType::Base { bits, encoding: Encoding::Signed | Encoding::Unsigned, .. } => Role::IntPointer(*bits),
                _ => Role::Other,
            }
        }
        _ => Role::Other,
    }
}

fn pointee(m: &Module, t: TypeId) -> Option<TypeId> {
    match strip(m, t) {
        CType::Pointer(p) => Some(*p),
        _ => None,
    }
}

/// The type is qualified with `const`.
pub(crate) fn is_const(m: &Module, mut t: TypeId) -> bool {
    for _ in 0..16 {
        match m.ctype(t) {
            CType::Qualified { qualifier: Qualifier::Const, .. } => return true,
            CType::Qualified { ty, .. } | CType::Typedef { ty, .. } => t = *ty,
            _ => return false,
        }
    }
    false
}

/// Tag of the record, or the name of the typedef of an untagged one.
fn record_name(m: &Module, mut t: TypeId) -> Option<String> {
    let mut typedef = None;
    for _ in 0..16 {
        match m.ctype(t) {
            CType::Record(r) if !r.name.is_empty() => return Some(r.name.clone()),
            CType::Record(_) => return typedef,
            CType::Typedef { name, ty } => {
                typedef = Some(name.clone());
                t = *ty;
            }
            CType::Qualified { ty, .. } => t = *ty,
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_undoes_what() {
        for (reader, writer, wanted) in [
            ("BZ2_bzBuffToBuffDecompress", "BZ2_bzBuffToBuffCompress", true),
            ("LZ4_decompress_safe", "LZ4_compress_default", true),
            ("uncompress2", "compress", true),
            ("inflate", "deflate", true),
            ("cJSON_Parse", "cJSON_PrintUnformatted", true),
            ("LZ4_decompress_safe", "LZ4_decompress_fast", false),
            ("LZ4_compress_default", "LZ4_decompress_safe", false),
            ("inflate", "inflateInit_", false),
            ("a", "b", false),
        ] {
            assert_eq!(undoes(reader, writer), wanted, "{reader} {writer}");
        }
    }
}
