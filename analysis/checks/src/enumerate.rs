//! Walks a program and lists its checks: user functions only. Model functions have none of their own; what fails in
//! them is a check of the user's call.

use crate::calls::{CallSummary, Calls, direct_callee, is_model};
use crate::defs::Defs;
use crate::expr::Exprs;
use crate::kinds::KindSet;
use crate::message::{self, Wording};
use crate::places::Places;
use crate::{Check, Checks};
use verify_ir::{
    Block, Body, CheckKind as K, Const, FuncId, Function, InstKind, Loc, Module, Operand, SpanId, Terminator,
};

/// All checks of the program.
pub fn enumerate(module: &Module) -> Checks {
    let calls = Calls::new(module);
    let mut all = Vec::new();
    for (i, f) in module.functions.iter().enumerate() {
        if let Some(body) = f.body.as_ref().filter(|_| !is_model(module, f)) {
            Walk::new(module, &calls, FuncId::new(i), f, body, &Defs::new(body)).run(&mut all);
        }
    }
    Checks::from_vec(all)
}

/// A check that an earlier `check` instruction of the block settles: same source position, same kind. The compiler
/// puts the test of an operation right before it.
pub(crate) fn settled_by(body: &Body, loc: Loc, kind: K) -> Option<Loc> {
    let b = body.block(loc.block);
    let span = body.span_at(loc);
    let end = (loc.inst as usize).min(b.insts.len());
    let arithmetic = matches!(kind, K::DivByZero | K::SignedOverflow | K::ShiftRange | K::FloatCast | K::VlaBound);
    if !arithmetic {
        return None;
    }
    (0..end).rev().take(24).find_map(|i| {
        let inst = &b.insts[i];
        match &inst.kind {
            InstKind::Check { kind: k, ok, .. } if *k == kind && inst.span == span => {
                (!matches!(ok, Operand::Const(Const::Int { value: 1, .. })))
                    .then_some(Loc { block: loc.block, inst: i as u32 })
            }
            _ => None,
        }
    })
}

struct Walk<'a> {
    module: &'a Module,
    calls: &'a Calls<'a>,
    id: FuncId,
    func: &'a Function,
    body: &'a Body,
    places: Places<'a>,
    exprs: Exprs<'a>,
}

impl<'a> Walk<'a> {
    fn new(
        module: &'a Module,
        calls: &'a Calls<'a>,
        id: FuncId,
        func: &'a Function,
        body: &'a Body,
        defs: &'a Defs<'a>,
    ) -> Walk<'a> {
        let places = Places::new(module, defs);
        Walk { module, calls, id, func, body, places, exprs: Exprs::new(module, func, defs) }
    }

    fn run(&self, all: &mut Vec<Check>) {
        for block in self.body.block_ids() {
            let data = self.body.block(block);
            for (i, inst) in data.insts.iter().enumerate() {
                let loc = Loc { block, inst: i as u32 };
                if let InstKind::Call(c) = &inst.kind {
                    let kinds = self.call_kinds(c, &inst.results);
                    self.push(all, loc, inst.span, kinds, |k| message::of_call(&self.exprs, c, k, inst.span));
                } else {
                    let kinds = self.places.inst(&inst.results, &inst.kind).union(self.places.poison(&inst.kind));
                    let mut open = KindSet::EMPTY;
                    for k in kinds.iter() {
                        if settled_by(self.body, loc, k).is_none() {
                            open.insert(k);
                        }
                    }
                    self.push(all, loc, inst.span, open, |k| message::of_inst(&self.exprs, inst, k));
                }
            }
            let loc = Loc { block, inst: data.insts.len() as u32 };
            let mut kinds = self.places.term(&data.term).union(self.places.poison_in_term(&data.term));
            match &data.term {
                Terminator::Invoke { call, .. } => kinds |= self.call_kinds(call, &[]),
                Terminator::Unreachable if self.never_reached(block) => kinds = KindSet::EMPTY,
                Terminator::Return(_) => kinds |= self.return_kinds(),
                _ => {}
            }
            self.push(all, loc, data.term_span, kinds, |k| {
                message::of_term(&self.exprs, &data.term, k, data.term_span)
            });
        }
    }

    fn push(
        &self,
        all: &mut Vec<Check>,
        loc: Loc,
        span: SpanId,
        kinds: KindSet,
        mut wording: impl FnMut(K) -> Wording,
    ) {
        for kind in kinds.iter() {
            let Wording { expr, message } = wording(kind);
            all.push(Check { kind, func: self.id, loc, span, expr, message });
        }
    }

    fn call_kinds(&self, call: &verify_ir::Call, results: &[verify_ir::Value]) -> KindSet {
        let CallSummary { mut kinds, allocates } = self.calls.call(call, self.body, results);
        if allocates {
            kinds.insert(K::Leak);
        }
        if call.noreturn {
            kinds.insert(K::Unreachable);
        }
        if let Some(f) = direct_callee(self.module, call)
            && call.noreturn
            && is_model(self.module, self.module.func(f))
        {
            kinds = kinds.without(K::Unreachable);
        }
        kinds
    }

    /// The end of the program runs handlers and flushes streams in the library; what fails there has no user call to
    /// stand at, so it stands where `main` returns.
    fn return_kinds(&self) -> KindSet {
        if self.func.name != "main" {
            return KindSet::EMPTY;
        }
        let mut s = KindSet::of(&[K::UninitRead, K::Leak]);
        if let Some(exit) = self.module.function_named("exit") {
            s |= self.calls.function(exit).kinds;
        }
        s
    }

    /// The block ends in a `check` that always fails, or in a call of a model that does not return.
    fn never_reached(&self, block: Block) -> bool {
        match self.body.block(block).insts.last().map(|i| &i.kind) {
            Some(InstKind::Check { kind: K::Unreachable, ok: Operand::Const(Const::Int { value: 0, .. }), .. }) => true,
            Some(InstKind::Call(c)) if c.noreturn => direct_callee(self.module, c).is_some_and(|f| {
                let f = self.module.func(f);
                is_model(self.module, f) || f.body.is_none()
            }),
            Some(InstKind::Unmodelled { .. }) => true,
            _ => false,
        }
    }
}
