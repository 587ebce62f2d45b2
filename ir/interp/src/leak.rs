//! Lost memory: heap objects that nothing points to any more. Reachability from globals, live stack and input
//! objects and registers; an address anywhere inside an object keeps it, and any word that looks like one counts.

use crate::code::Slot;
use crate::machine::Machine;
use crate::object::{FIRST, Kind, Prov, State};
use std::collections::BTreeSet;

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
        let registers: Vec<Slot> = self.live_registers().chain(extra.iter().copied()).collect();
        for r in registers {
            if r.p >= Prov::from(FIRST)
                && let Some(s) = self.mem.slot_if_made(r.p)
            {
                work.push(s);
            }
            if let Some(p) = self.mem.find(r.v)
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
}
