//! What values a run has at places that somebody is curious about ([`crate::Config::watch`]): the heads of loops, from
//! which candidates for invariants are guessed. A run says nothing of what other runs do; whoever guesses has to prove.

use crate::machine::{Machine, Val};
use crate::object::{Mask, State};
use std::collections::BTreeMap;
use std::sync::Arc;
use verify_ir::{Block, Const, FuncId, Operand, Ty, Value};

/// Visits of one block that are all kept; of later ones, the 2^n-th, and the last.
const ALL: u64 = 40;

/// Something that is looked at.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A value. It has to be alive there: whether one that nobody reads any more still has its register is not said.
    Value(Value),
    /// Memory.
    Memory {
        /// A pointer: a constant, or a value that is alive there.
        base: Operand,
        /// Bytes behind it.
        offset: i64,
        /// Bytes, 1 to 8.
        size: u64,
    },
}

/// What is looked at where.
pub type Watch = Arc<BTreeMap<(FuncId, Block), Vec<Source>>>;

/// Control was at a watched block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// Function.
    pub func: FuncId,
    /// Block.
    pub block: Block,
    /// The bits of what is watched, in its order; [`None`]: it is undefined, or no integer of at most 64 bits, or no memory.
    pub values: Vec<Option<u64>>,
}

/// What was kept.
#[derive(Default)]
pub(crate) struct Kept {
    visits: BTreeMap<(FuncId, Block), (u64, Option<Watched>)>,
    all: Vec<Watched>,
}

impl Kept {
    /// Everything, the last visits of each place at the end.
    pub(crate) fn into_all(self) -> Vec<Watched> {
        let last = self.visits.into_values().filter_map(|(_, last)| last);
        self.all.into_iter().chain(last).collect()
    }
}

impl Machine<'_, '_> {
    /// Control is at `pc`, the start of a block.
    #[cold]
    pub(crate) fn watch_block(&mut self, pc: usize) {
        let f = self.top();
        let Some(&(block, _)) = f.code.places.get(pc) else { return };
        let (func, block) = (f.func, Block(block));
        let watch = Arc::clone(&self.config.watch);
        let Some(sources) = watch.get(&(func, block)) else { return };
        let Some(body) = self.program.body(func) else { return };
        let mut values = Vec::with_capacity(sources.len());
        for s in sources {
            values.push(match s {
                Source::Value(v) => match (body.ty(*v), self.read(self.top().code.homes[v.index()])) {
                    (Ty::Int(w), Val::Small(s)) if w <= 64 && s.u == 0 => Some(s.v & (u64::MAX >> (64 - w))),
                    _ => None,
                },
                Source::Memory { base, offset, size } => self.watch_memory(base, *offset, *size),
            });
        }
        let seen = Watched { func, block, values };
        let (n, last) = self.watched.visits.entry((func, block)).or_default();
        *n += 1;
        if *n <= ALL || n.is_power_of_two() {
            *last = None;
            self.watched.all.push(seen);
        } else {
            *last = Some(seen);
        }
    }

    /// What is in memory, where that can be read without anything happening.
    fn watch_memory(&mut self, base: &Operand, offset: i64, size: u64) -> Option<u64> {
        let at = match base {
            Operand::Value(v) => self.read(self.top().code.homes[v.index()]).slot(),
            Operand::Const(Const::Symbol(s)) => self.program.symbol(*s),
            Operand::Const(_) => return None,
        };
        let slot = self.mem.slot(at.p).filter(|_| at.u == 0)?;
        let o = &self.mem.objects[slot as usize];
        let from = at.v.wrapping_sub(o.base).checked_add_signed(offset)?;
        let inside = (1..=8).contains(&size) && from.checked_add(size).is_some_and(|end| end <= o.size);
        if !inside || o.state != State::Live || o.pending(from, size) {
            return None;
        }
        let (from, size) = (from as usize, size as usize);
        // Also where whatever was never written counts as defined.
        let written = match &o.mask {
            Mask::Defined => true,
            Mask::Undefined => false,
            Mask::Bits(m) => m[from..from + size].iter().all(|b| *b == u8::MAX),
        };
        written.then(|| o.read(from, size, self.mem.big_endian).0)
    }
}
