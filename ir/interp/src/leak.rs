//! Lost memory: heap objects that nothing points to any more. Reachability from globals, live stack and input
//! objects, variables and values still needed; an address anywhere inside an object keeps it, and any word that looks like one counts.

use crate::code::Slot;
use crate::machine::Machine;
use crate::object::{FIRST, Kind, Prov, State};
use std::collections::BTreeSet;
use verify_ir::{Body, InstKind, Operand};

impl Machine<'_, '_> {
    /// The first heap object (in order of allocation) that is lost, taking `extra` as further roots.
    pub fn leaked(&mut self, extra: &[Slot]) -> Option<u32> {
        let heap: Vec<(u64, u32)> = self
            .mem
            .live_objects()
            .filter(|(_, o)| o.kind == Kind::Heap && !o.kept)
            .map(|(s, o)| (o.base, s))
            .collect();
        if heap.is_empty() {
            return None;
        }
        let mut work: Vec<u32> = Vec::new();
        for (slot, o) in self.mem.live_objects() {
            let root = match o.kind {
                Kind::Heap => o.kept,
                Kind::Global | Kind::Literal => {
                    self.program.static_global(o.origin).is_none_or(|g| !self.program.is_weak_name(g))
                }
                _ => true,
            };
            if root {
                work.push(slot);
            }
        }
        // Globals that nobody touched point to other globals only: they keep nothing on the heap alive.
        let mut registers: Vec<Slot> = extra.to_vec();
        for d in 0..self.frames.len() {
            registers.extend(self.variable_values(d));
            registers.extend(self.live_values(d));
        }
        for r in registers {
            if r.p >= Prov::from(FIRST)
                && let Some(s) = self.mem.slot_if_made(r.p)
            {
                work.push(s);
            }
            if let Some(p) = self.mem.at(r.v)
                && let Some(s) = self.mem.slot_if_made(p)
            {
                work.push(s);
            }
        }
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        while let Some(s) = work.pop() {
            if self.mem.objects[s as usize].state == State::Live && seen.insert(s) {
                work.extend(self.pointed_to(s));
            }
        }
        heap.into_iter().filter(|(_, s)| !seen.contains(s)).min().map(|(_, s)| s)
    }

    /// The values that the C variables of a frame have, as far as they are in registers.
    pub fn variable_values(&self, depth: usize) -> Vec<Slot> {
        let f = &self.frames[depth];
        let homes = &self.vars[f.var_base..f.var_base + f.code.vars as usize];
        homes.iter().filter(|h| **h != u32::MAX).map(|h| self.read_at(depth, *h).slot()).collect()
    }

    /// The values that a frame still needs after the call it is in. An SSA value that nothing reads any more is no
    /// pointer that the program still has.
    fn live_values(&self, depth: usize) -> Vec<Slot> {
        let f = &self.frames[depth];
        let Some(body) = self.program.body(f.func) else { return Vec::new() };
        let (block, inst) = f.code.places.get(f.pc).copied().unwrap_or((0, 0));
        let live = live_after(body, block as usize, inst as usize);
        live.into_iter().map(|v| self.read_at(depth, f.code.homes[v as usize]).slot()).collect()
    }
}

/// The values that are read after instruction `inst` of `block`: backward liveness over the body.
fn live_after(body: &Body, block: usize, inst: usize) -> BTreeSet<u32> {
    let mut live_in: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); body.blocks.len()];
    let out = |b: usize, live_in: &[BTreeSet<u32>]| {
        let mut live = BTreeSet::new();
        for e in body.blocks[b].term.targets() {
            live.extend(&live_in[e.block.index()]);
        }
        live
    };
    let backward = |b: usize, from: usize, mut live: BTreeSet<u32>| {
        let data = &body.blocks[b];
        let read = |o: &Operand, live: &mut BTreeSet<u32>| {
            if let Operand::Value(v) = o {
                live.insert(v.0);
            }
        };
        if from <= data.insts.len() {
            data.term.for_each_operand(|o| read(o, &mut live));
        }
        for i in data.insts.iter().skip(from).rev() {
            for r in &i.results {
                live.remove(&r.0);
            }
            if !matches!(i.kind, InstKind::DebugValue { .. }) {
                i.kind.for_each_operand(|o| read(o, &mut live));
            }
        }
        live
    };
    loop {
        let mut changed = false;
        for b in (0..body.blocks.len()).rev() {
            let mut live = backward(b, 0, out(b, &live_in));
            for p in &body.blocks[b].params {
                live.remove(&p.0);
            }
            if live != live_in[b] {
                live_in[b] = live;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut live = backward(block, inst + 1, out(block, &live_in));
    for r in body.blocks[block].insts.get(inst).iter().flat_map(|i| &i.results) {
        live.remove(&r.0);
    }
    live
}
