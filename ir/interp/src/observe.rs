//! What a run computed, step by step ([`crate::Config::observe`]): the trace that other representations of the program
//! are tested against. Of library models, only the way that control takes is observed.

use crate::machine::Machine;
use crate::object::{FIRST, Kind};
use crate::script::Answer;
use verify_ir::{Block, FuncId, InstKind, Loc};

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// A function is called.
    Enter(FuncId),
    /// It is left.
    Leave(FuncId),
    /// Control enters a block of the innermost function.
    Block(Block),
    /// An instruction (no call, no comparison of integers) has a result.
    Value {
        /// Function.
        func: FuncId,
        /// The instruction.
        loc: Loc,
        /// Which of its results.
        result: u32,
        /// Little-endian limbs; of a pointer, its address. Undefined bits are unspecified.
        limbs: Vec<u64>,
        /// No bit is undefined.
        defined: bool,
        /// Of a pointer to a stack object (which has another address in each life): the offset in it.
        in_stack: Option<u64>,
        /// The calls in progress, innermost first.
        calls: Vec<(FuncId, Loc)>,
    },
    /// A question was answered, with the calls in progress, innermost first.
    Choice(Answer, Vec<(FuncId, Loc)>),
    /// `main` returns this (little-endian limbs).
    Returned(Vec<u64>),
}

impl Machine<'_, '_> {
    fn observed_func(&self) -> Option<FuncId> {
        let f = self.frames.last()?.func;
        (!self.program.is_model(f)).then_some(f)
    }

    /// The results of the instruction at `pc`, just executed.
    #[cold]
    pub fn observe_results(&mut self, pc: usize) {
        let Some(func) = self.observed_func() else { return };
        let f = self.top();
        // What is looked at before the instruction has no result yet.
        if matches!(f.code.ops.get(pc), Some(crate::code::Op::Addresses { .. })) {
            return;
        }
        let Some(&(block, inst)) = f.code.places.get(pc) else { return };
        let Some(i) = self.program.body(func).and_then(|b| b.blocks[block as usize].insts.get(inst as usize)) else {
            return;
        };
        // A comparison may have become part of the branch behind it.
        if matches!(i.kind, InstKind::Call(_) | InstKind::Icmp { .. } | InstKind::StackSave) {
            return;
        }
        for (k, r) in i.results.iter().enumerate() {
            let v = self.read(self.top().code.homes[r.index()]);
            let bits = self.program.body(func).map_or(64, |b| self.bits(b.ty(*r)));
            let loc = Loc { block: Block(block), inst };
            let slot = v.slot();
            let object = self.mem.slot_if_made(slot.p).map(|s| &self.mem.objects[s as usize]);
            let in_stack = object
                .filter(|o| slot.p >= u64::from(FIRST) && matches!(o.kind, Kind::Stack))
                .map(|o| slot.v.wrapping_sub(o.base));
            let (limbs, defined) = (crate::big::words(&v.big().v, bits), v.is_defined());
            let calls = self.calls(1);
            self.observed.push(Observed::Value { func, loc, result: k as u32, limbs, defined, in_stack, calls });
        }
    }

    /// Control is at `pc`, the start of a block.
    #[cold]
    pub fn observe_block(&mut self, pc: usize) {
        if let Some(&(block, _)) = self.top().code.places.get(pc) {
            self.observed.push(Observed::Block(Block(block)));
        }
    }

    /// The innermost function begins.
    #[cold]
    pub fn observe_enter(&mut self) {
        if let Some(f) = self.frames.last() {
            self.observed.push(Observed::Enter(f.func));
            self.observed.push(Observed::Block(Block(0)));
        }
    }

    /// The innermost function ends.
    #[cold]
    pub fn observe_leave(&mut self) {
        if let Some(f) = self.frames.last() {
            self.observed.push(Observed::Leave(f.func));
        }
    }

    /// An answer was given.
    #[cold]
    pub fn observe_choice(&mut self, tag: u8, value: u64) {
        let stack = self.calls(0);
        self.observed.push(Observed::Choice(Answer { tag, value }, stack));
    }

    /// Where control is in each function in progress but the innermost so many, innermost first.
    fn calls(&self, but: usize) -> Vec<(FuncId, Loc)> {
        let place = |f: &crate::machine::Frame<'_>| {
            let (block, inst) = f.code.places.get(f.pc).copied().unwrap_or((0, 0));
            (f.func, Loc { block: Block(block), inst })
        };
        self.frames.iter().rev().skip(but).map(place).collect()
    }
}
