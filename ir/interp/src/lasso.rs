//! Does a run come back to a state that it was in before? Then it can go on like this for ever: what it does from there is
//! decided by the state and the script, and a script may answer the same again.
//!
//! Looked at are the places where control goes backwards; every cycle of a control-flow graph has one. Of the states
//! there one is kept, a later one ever so often (Brent 1980), and compared with those that follow: calls in progress, registers as far as
//! they [`matter`](crate::matters), and all that lives in memory, with pointers by the object that they point into. Not compared are the addresses of
//! objects to come, which are as good as any other, and what is only kept for messages. Calls that pile up for ever are
//! [`crate::descent`]'s.

use crate::big::Big;
use crate::code::Slot;
use crate::fault::{Halt, Res};
use crate::machine::{Machine, Val};
use crate::matters::matters;
use crate::object::{FIRST, Mask, Prov, State};
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_ir::{Block, FuncId, SpanId};

/// Words of states that a run may compare.
const MAX_WORDS: u64 = 400_000_000;

/// A state that was kept.
#[derive(Default)]
pub(crate) struct Lasso {
    /// Innermost function, place and registers.
    quick: Vec<u64>,
    /// Everything; empty: nothing was kept yet.
    full: Vec<u64>,
    /// Steps at that moment, and back edges seen since, and when the next state is kept.
    steps: u64,
    since: u64,
    power: u64,
    words: u64,
    /// Something was asked for since a script saw a state.
    asked: bool,
    /// Which registers matter at a block, where control never leaves the call, and where it may.
    matters: BTreeMap<(FuncId, Block, bool), Rc<[bool]>>,
}

impl Lasso {
    /// The run goes on from an input.
    pub(crate) fn asked(&mut self) {
        self.asked = true;
    }
}

impl Machine<'_, '_> {
    /// Control has gone backwards in the innermost call and is about to execute the op at `pc`.
    #[cold]
    pub(crate) fn repeats(&mut self, pc: usize) -> Res<()> {
        self.top_mut().pc = pc;
        if self.lasso.words > MAX_WORDS {
            return Ok(());
        }
        if self.config.states {
            return self.visits(pc);
        }
        let which = self.which(pc);
        let mut l = std::mem::take(&mut self.lasso);
        let f = self.top();
        let mut quick = vec![self.frames.len() as u64, u64::from(f.func.0), pc as u64];
        let from = f.base;
        self.some_slots(&mut quick, from, &which);
        l.words += quick.len() as u64;
        l.since += 1;
        if !l.full.is_empty() && quick == l.quick {
            let now = self.state_words(&which);
            l.words += now.len() as u64;
            if now == l.full {
                let (from, to) = (l.steps, self.steps);
                return Err(Box::new(Halt::Repeats { from, to }));
            }
        }
        if l.since >= l.power {
            l.power = (2 * l.power).max(1);
            l.since = 0;
            l.full = self.state_words(&which);
            l.words += l.full.len() as u64;
            l.quick = quick;
            l.steps = self.steps;
        }
        self.lasso = l;
        Ok(())
    }

    /// Which registers of the innermost call matter at `pc`.
    fn which(&mut self, pc: usize) -> Rc<[bool]> {
        let f = self.top();
        let place = (f.func, Block::new(f.code.places[pc].0 as usize));
        // The outermost call is the same one in both states: nothing behind the loop was executed in between.
        let anywhere = self.frames.len() > 1;
        let program = self.program;
        let m = self.lasso.matters.entry((place.0, place.1, anywhere)).or_insert_with(|| {
            let body = program.module().func(place.0).body.as_ref();
            body.map_or(Vec::new(), |b| matters(b, place.1, anywhere)).into()
        });
        m.clone()
    }

    /// Shows the script the state.
    fn visits(&mut self, pc: usize) -> Res<()> {
        if !self.lasso.asked || !self.script.watches() {
            return Ok(());
        }
        self.lasso.asked = false;
        let which = self.which(pc);
        let words = self.state_words(&which);
        self.lasso.words += words.len() as u64;
        // Whoever counts steps counts this, too.
        self.steps += words.len() as u64 / 8;
        if words.is_empty() {
            return Ok(());
        }
        let hash =
            words.iter().fold(words.len() as u64, |h, w| (h.rotate_left(23) ^ w).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Ok(self.script.visit(hash ^ hash >> 32)?)
    }

    /// Where the innermost call is.
    pub(crate) fn place_now(&self) -> SpanId {
        match self.frames.len().checked_sub(1) {
            Some(d) => self.span_of(d),
            None => SpanId(0),
        }
    }

    fn slots(&self, out: &mut Vec<u64>, which: std::ops::Range<usize>) {
        for s in &self.regs[which] {
            out.extend(self.slot_words(*s));
        }
    }

    /// The registers from `from` on for which `which` says so.
    fn some_slots(&self, out: &mut Vec<u64>, from: usize, which: &[bool]) {
        for (s, _) in self.regs[from..].iter().zip(which).filter(|(_, m)| **m) {
            out.extend(self.slot_words(*s));
        }
    }

    fn slot_words(&self, s: Slot) -> [u64; 3] {
        [s.v, s.u, self.name_of(s.p)]
    }

    /// A name of what a pointer points into that means the same in every state: of a run-time object, its address.
    fn name_of(&self, p: Prov) -> u64 {
        if p < u64::from(FIRST) || !self.mem.is_recycled(p) {
            return p;
        }
        match self.mem.slot_if_made(p) {
            Some(s) if self.mem.objects[s as usize].state == State::Live => self.mem.objects[s as usize].base | 1 << 63,
            _ => u64::MAX,
        }
    }

    /// Arguments of the innermost call.
    pub(crate) fn argument_words(&self, out: &mut Vec<u64>) {
        for p in &self.top().code.params {
            match self.read(*p) {
                Val::Small(s) => out.extend(self.slot_words(s)),
                Val::Wide(w) => wide_words(&w, out),
            }
        }
    }

    /// Everything but the calls in progress and their registers, in numbers; how many of the calls may not return is among
    /// it. Empty: it cannot be compared.
    pub(crate) fn scene_words(&self) -> Vec<u64> {
        let mut out = Vec::new();
        if self.is_comparable() {
            self.floor_words(&mut out);
            self.memory_words(&mut out);
        }
        out
    }

    fn is_comparable(&self) -> bool {
        self.jumps.is_empty() && self.host.is_none()
    }

    fn floor_words(&self, out: &mut Vec<u64>) {
        out.push(self.floors.len() as u64);
        out.extend(self.floors.iter().map(|f| *f as u64));
        out.push(u64::from(self.destructors_ran) | u64::from(self.keep_main) << 1);
    }

    /// The state in numbers; equal numbers are equal states, for what lives is tagged and counted. Empty: it is not one that can be compared.
    fn state_words(&self, which: &[bool]) -> Vec<u64> {
        let mut out = Vec::new();
        if !self.is_comparable() {
            return out;
        }
        for f in &self.frames {
            let va = f.varargs.map_or([0; 3], |s| self.slot_words(s));
            out.extend([u64::from(f.func.0), f.pc as u64, f.base as u64, f.wide_base as u64, f.alloca_base as u64]);
            out.extend(va);
        }
        self.floor_words(&mut out);
        let Some(f) = self.frames.last() else { return Vec::new() };
        self.slots(&mut out, 0..f.base);
        self.some_slots(&mut out, f.base, which);
        for w in &self.wides[..f.wide_base + f.code.wides as usize] {
            wide_words(w, &mut out);
        }
        out.push(self.allocas.len() as u64);
        out.extend(self.allocas.iter().map(|p| self.name_of(*p)));
        self.memory_words(&mut out);
        out
    }

    /// All that lives in memory, and which of the input nobody has asked for so far: an input that is asked for between two
    /// states makes them differ.
    fn memory_words(&self, out: &mut Vec<u64>) {
        out.push(self.inputs.len() as u64);
        out.extend(self.inputs.iter().map(|s| u64::from(*s)));
        let pb = self.mem.ptr_bytes;
        let mut live: Vec<&crate::object::Object> =
            self.mem.objects[1..].iter().filter(|o| o.state == State::Live).collect();
        live.sort_by_key(|o| (o.base, o.size));
        for o in live {
            out.extend([o.base, o.size, o.kind as u64, u64::from(o.family), u64::from(o.origin)]);
            out.push(u64::from(o.writable) | u64::from(o.kept) << 1 | u64::from(o.arbitrary) << 2);
            let data = o.data.get();
            out.extend(data.chunks(8).map(word));
            match &o.mask {
                Mask::Defined => out.push(0),
                Mask::Undefined => out.push(1),
                Mask::Bits(b) => {
                    out.push(2);
                    out.extend(b.chunks(8).map(word));
                }
            }
            match &o.lazy {
                None => out.push(0),
                Some(l) => {
                    out.push(1 + u64::from(l.number));
                    out.extend(l.pending.chunks(8).map(word));
                }
            }
            if o.pointers.is_none() {
                out.push(0);
            }
            if let Some(p) = &o.pointers {
                let from = out.len();
                out.push(0);
                for (at, prov) in p.get().inside(0, o.size, pb) {
                    out.extend([at, self.name_of(prov)]);
                }
                out[from] = (out.len() - from) as u64;
            }
        }
    }
}

fn wide_words(w: &Big, out: &mut Vec<u64>) {
    for x in [&w.v, &w.u] {
        let bytes = x.to_le_bytes();
        out.push(bytes.len() as u64);
        out.extend(bytes.iter().map(|b| u64::from(*b)));
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |acc, b| acc << 8 | u64::from(*b))
}
