//! What can fail at a call. A failure inside a C library model is the caller's: users see their own line, so a call
//! of a model from user code has every kind that the model, or a model it calls, can fail. Summaries are the least
//! fixpoint over the model functions; user code reached through callbacks is not part of them (it has checks of its
//! own, and the innermost user frame is where a failure is reported).

use crate::defs::Defs;
use crate::kinds::KindSet;
use crate::places::Places;
use std::collections::BTreeSet;
use verify_ir::{
    Body, Call, CheckKind as K, Const, FuncId, Function, Init, InitData, InstKind, Loc, Module, Operand, SymbolRef,
    Terminator, Value,
};

/// What a call may do, as far as checks go.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CallSummary {
    /// Kinds that can fail.
    pub kinds: KindSet,
    /// May make a heap object: its loss is a `leak` at this call.
    pub allocates: bool,
}

impl CallSummary {
    fn join(&mut self, o: CallSummary) {
        self.kinds |= o.kinds;
        self.allocates |= o.allocates;
    }
}

/// Call summaries of a program.
pub struct Calls<'a> {
    module: &'a Module,
    /// Indexed by function; only model functions have an entry other than the default.
    models: Vec<CallSummary>,
    /// Union over the model functions whose address the program takes.
    through_pointer: CallSummary,
    address_taken: BTreeSet<FuncId>,
}

impl<'a> Calls<'a> {
    /// Computes the summaries.
    pub fn new(module: &'a Module) -> Calls<'a> {
        Calls::without(module, &|_, _, _| false)
    }

    /// The same, where it is known of some places in the models that they do not fail a kind.
    pub fn without(module: &'a Module, holds: &dyn Fn(FuncId, Loc, K) -> bool) -> Calls<'a> {
        let address_taken = address_taken(module);
        let mut c = Calls {
            module,
            models: vec![CallSummary::default(); module.functions.len()],
            through_pointer: CallSummary::default(),
            address_taken,
        };
        let order: Vec<FuncId> = (0..module.functions.len())
            .map(FuncId::new)
            .filter(|&f| is_model(module, module.func(f)) && module.func(f).body.is_some())
            .collect();
        let local: Vec<CallSummary> = order.iter().map(|&f| own_failures(module, f, holds)).collect();
        loop {
            let mut changed = false;
            for (&f, own) in order.iter().zip(&local) {
                let mut s = *own;
                let body = module.func(f).body.as_ref().expect("filtered above");
                for b in body.block_ids() {
                    let data = body.block(b);
                    for (i, inst) in data.insts.iter().enumerate() {
                        if let InstKind::Call(call) = &inst.kind {
                            let loc = Loc { block: b, inst: i as u32 };
                            let mut at = c.call(call, body, &inst.results);
                            at.kinds = at.kinds.iter().filter(|k| !holds(f, loc, *k)).collect();
                            s.join(at);
                        }
                    }
                    if let Terminator::Invoke { call, .. } = &data.term {
                        s.join(c.call(call, body, &[]));
                    }
                }
                if s != c.models[f.index()] {
                    c.models[f.index()] = s;
                    changed = true;
                }
            }
            let mut through = CallSummary::default();
            for &f in &c.address_taken {
                through.join(c.function(f));
            }
            changed |= through != c.through_pointer;
            c.through_pointer = through;
            if !changed {
                return c;
            }
        }
    }

    /// Functions whose address the program takes.
    pub fn address_taken(&self) -> &BTreeSet<FuncId> {
        &self.address_taken
    }

    /// What can fail at a call of `f`, seen from the caller; argument passing is not included.
    pub fn function(&self, f: FuncId) -> CallSummary {
        let func = self.module.func(f);
        if is_model(self.module, func) && func.body.is_some() {
            let s = self.models[f.index()];
            let kinds = s.kinds.iter().filter(|k| may_be_blamed(self.module, func, *k)).collect();
            return CallSummary { kinds, ..s };
        }
        if func.body.is_some() { CallSummary::default() } else { external(&func.name) }
    }

    /// What can fail at this call in a body, with these results.
    pub fn call(&self, call: &Call, body: &Body, results: &[Value]) -> CallSummary {
        let Some(f) = direct_callee(self.module, call) else {
            let mut s = self.through_pointer;
            s.kinds |= KindSet::of(&[K::InvalidCall, K::NullDeref, K::UninitRead, K::UseAfterFree, K::UseAfterScope]);
            s.kinds |= KindSet::of(&[K::InvalidDeref, K::InvalidArgument]);
            return s;
        };
        self.of(f, call, body, results)
    }

    /// What can fail at this call if it is one of `f`.
    pub fn of(&self, f: FuncId, call: &Call, body: &Body, results: &[Value]) -> CallSummary {
        let func = self.module.func(f);
        let mut s = self.function(f);
        if !fits(call, func) || !gives(func, body, results) {
            s.kinds.insert(K::InvalidCall);
        }
        let nonnull = |p: &verify_ir::Param| p.attrs.nonnull;
        if call.params.iter().any(nonnull) || func.sig.params.iter().any(nonnull) {
            s.kinds.insert(K::InvalidArgument);
        }
        if call.params.iter().any(|p| p.attrs.byval.is_some()) {
            // The copy is a read of the caller's object.
            s.kinds |= KindSet::of(&[K::NullDeref, K::InvalidDeref, K::OutOfBoundsRead, K::UseAfterFree]);
            s.kinds |= KindSet::of(&[K::UseAfterScope, K::UninitRead]);
        }
        if func.body.is_none() {
            s.kinds |= self.special(call, func);
            if !call.args.is_empty() {
                s.kinds.insert(K::UninitRead);
            }
        }
        s
    }

    /// Kinds that the arguments of a primitive name.
    fn special(&self, call: &Call, func: &Function) -> KindSet {
        match func.name.as_str() {
            "__verify_fail" => match call.args.first().and_then(|a| constant_string(self.module, a)) {
                Some(name) => match K::from_name(&name) {
                    Some(k) => KindSet::of(&[k]),
                    None => KindSet::EMPTY,
                },
                None => KindSet::of(K::ALL),
            },
            _ => KindSet::EMPTY,
        }
    }
}

/// The function is part of the C library models.
pub fn is_model(module: &Module, f: &Function) -> bool {
    module.units.get(f.unit.index()).is_some_and(|u| u.model)
}

/// What [`verify_ir::module::UnitInfo::flags`] of a model says that the user gave: nothing is known of what it asks for.
pub const USERS_MODEL: &str = "user's model";

/// The function is a model that the user gave.
pub fn is_users_model(module: &Module, f: &Function) -> bool {
    module.units.get(f.unit.index()).is_some_and(|u| u.model && u.flags == USERS_MODEL)
}

/// The function that a direct call calls; `None` through a pointer. What nobody has to define is called through its
/// address, which may be null.
pub fn direct_callee(module: &Module, call: &Call) -> Option<FuncId> {
    match &call.callee {
        Operand::Const(Const::Symbol(s)) => match module.resolve(*s) {
            (f @ SymbolRef::Func(_), _) if module.may_be_absent(f) => None,
            (SymbolRef::Func(f), 0) => Some(f),
            _ => None,
        },
        _ => None,
    }
}

/// The NUL-terminated text of a string literal.
pub fn constant_string(module: &Module, o: &Operand) -> Option<String> {
    let Operand::Const(Const::Symbol(s)) = o else { return None };
    let (SymbolRef::Global(g), offset) = module.resolve(*s) else { return None };
    if module.weak_alias(*s).is_some() {
        return None;
    }
    let g = module.global(g);
    let bytes = literal_bytes(g.init.as_ref()?, g.size)?;
    let tail = bytes.get(usize::try_from(offset).ok()?..)?;
    let end = tail.iter().position(|&b| b == 0)?;
    Some(String::from_utf8_lossy(&tail[..end]).into_owned())
}

/// The bytes of an initialiser without addresses, of at most 64 KiB.
pub fn literal_bytes(init: &Init, size: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0u8; usize::try_from(size).ok().filter(|&n| n <= 1 << 16)?];
    for p in &init.pieces {
        let InitData::Bytes(b) = &p.data else { return None };
        let at = usize::try_from(p.offset).ok()?;
        bytes.get_mut(at..at + b.len())?.copy_from_slice(b);
    }
    Some(bytes)
}

/// Functions on streams that release what the program hands them.
const RELEASING: &[&str] = &["fclose", "pclose", "freopen", "freopen64", "getline", "getdelim", "__getdelim"];

/// A failure of this kind inside a model can be the caller's doing. What the code for streams does with its own numbers,
/// buffers and tables is the model's affair: should it fail there, that is a defect of the model, reported as such.
fn may_be_blamed(module: &Module, f: &Function, kind: K) -> bool {
    let unit = module.units.get(f.unit.index());
    let streams = unit.is_some_and(|u| u.source.rsplit('/').next().is_some_and(|n| n.starts_with("stdio_")));
    match kind {
        _ if !streams => true,
        K::ArrayIndex | K::SignedOverflow | K::DivByZero | K::ShiftRange | K::Unreachable => false,
        K::DoubleFree | K::InvalidFree => RELEASING.contains(&f.name.as_str()),
        _ => true,
    }
}

fn fits(call: &Call, func: &Function) -> bool {
    let named = func.sig.params.len();
    let args_match = call.params.iter().zip(&func.sig.params).all(|(a, p)| a.ty == p.ty && a.goes_like(p));
    args_match && if func.sig.variadic { call.args.len() >= named } else { call.args.len() == named }
}

/// What the function returns is what the call expects. (That it returns nothing is no failure before the value is used.)
fn gives(func: &Function, body: &Body, results: &[Value]) -> bool {
    func.sig.results.iter().zip(results).all(|(r, v)| *r == body.ty(*v))
}

/// Failures of the function's own instructions, calls left out: where, and which kind.
pub fn own_places(module: &Module, f: FuncId) -> Vec<(Loc, K)> {
    let Some(body) = &module.func(f).body else { return Vec::new() };
    let defs = Defs::new(body);
    let places = Places::new(module, &defs);
    let mut out = Vec::new();
    for b in body.block_ids() {
        let data = body.block(b);
        let mut add = |i: usize, all: KindSet| {
            let loc = Loc { block: b, inst: i as u32 };
            out.extend(all.iter().map(|k| (loc, k)));
        };
        for (i, inst) in data.insts.iter().enumerate() {
            add(i, places.inst(&inst.results, &inst.kind).union(places.poison(&inst.kind)));
        }
        add(data.insts.len(), places.term(&data.term));
    }
    out
}

fn own_failures(module: &Module, f: FuncId, holds: &dyn Fn(FuncId, Loc, K) -> bool) -> CallSummary {
    let open = own_places(module, f).into_iter().filter(|(loc, k)| !holds(f, *loc, *k));
    CallSummary { kinds: open.map(|p| p.1).collect(), allocates: false }
}

/// Functions without a body: the primitives of the models, functions the interpreter does natively, error functions
/// that verification tasks declare, and code that is not known.
fn external(name: &str) -> CallSummary {
    let read = [K::NullDeref, K::InvalidDeref, K::OutOfBoundsRead, K::UseAfterFree, K::UseAfterScope, K::UninitRead];
    let write =
        [K::NullDeref, K::InvalidDeref, K::OutOfBoundsWrite, K::UseAfterFree, K::UseAfterScope, K::ReadOnlyWrite];
    let both = KindSet::of(&read).union(KindSet::of(&write));
    let kinds = match name {
        "__verify_free" => KindSet::of(&[K::DoubleFree, K::InvalidFree, K::NullDeref]),
        "__verify_object_size" => {
            KindSet::of(&[K::UseAfterFree, K::InvalidFree, K::DoubleFree, K::UseAfterScope, K::InvalidDeref])
        }
        "__verify_alloc" => KindSet::of(&[K::InvalidArgument]),
        "__verify_fail" | "__verify_choose_failure" | "__verify_nondet_u64" | "__verify_assume" => KindSet::EMPTY,
        _ if name.starts_with("__verify_") => both.with(K::InvalidArgument),
        "reach_error" | "__VERIFIER_error" => KindSet::of(&[K::ErrorCall]),
        "__assert_fail" | "__assert" | "__VERIFIER_assert" | "__assert_rtn" => KindSet::of(&[K::Assertion]),
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "_longjmp" | "siglongjmp" => {
            both.with(K::InvalidArgument).with(K::InvalidCall)
        }
        _ => KindSet::EMPTY,
    };
    CallSummary { kinds, allocates: name == "__verify_alloc" }
}

fn address_taken(module: &Module) -> BTreeSet<FuncId> {
    let mut set = BTreeSet::new();
    let mut symbol = |s: SymbolRef| {
        // An ifunc's address is the address of whatever its resolver returns, which is taken there.
        if let (SymbolRef::Func(f), _) = module.resolve(s) {
            set.insert(f);
        }
    };
    for f in &module.functions {
        let Some(body) = &f.body else { continue };
        for b in &body.blocks {
            let mut operand = |o: &Operand| {
                if let Operand::Const(Const::Symbol(s)) = o {
                    symbol(*s);
                }
            };
            for i in &b.insts {
                match &i.kind {
                    InstKind::Call(c) => c.args.iter().for_each(&mut operand),
                    k => k.for_each_operand(&mut operand),
                }
            }
            match &b.term {
                Terminator::Invoke { call, normal, unwind } => {
                    call.args.iter().chain(&normal.args).chain(&unwind.args).for_each(&mut operand);
                }
                t => t.for_each_operand(&mut operand),
            }
        }
    }
    for g in &module.globals {
        for p in g.init.iter().flat_map(|i| &i.pieces) {
            init_symbols(&p.data, &mut symbol);
        }
    }
    set
}

fn init_symbols(d: &InitData, symbol: &mut impl FnMut(SymbolRef)) {
    match d {
        InitData::Address { symbol: s, .. } => symbol(*s),
        InitData::Difference { left, right, .. } => {
            init_symbols(left, symbol);
            init_symbols(right, symbol);
        }
        InitData::Bytes(_) | InitData::BlockAddr { .. } | InitData::Undef(_) => {}
    }
}
