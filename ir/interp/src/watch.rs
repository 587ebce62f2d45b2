//! What values a run has at places that somebody is curious about ([`crate::Config::watch`]): the heads of loops, from
//! which candidates for invariants are guessed. A run says nothing of what other runs do; whoever guesses has to prove.

use crate::machine::{Machine, Val};
use std::collections::BTreeMap;
use std::sync::Arc;
use verify_ir::{Block, FuncId, Ty, Value};

/// Visits of one block that are all kept; of later ones, the 2^n-th, and the last.
const ALL: u64 = 40;

/// Which values are looked at where. They have to be alive there: whether one that nobody reads any more still has its
/// register is not said.
pub type Watch = Arc<BTreeMap<(FuncId, Block), Vec<Value>>>;

/// Control was at a watched block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watched {
    /// Function.
    pub func: FuncId,
    /// Block.
    pub block: Block,
    /// The bits of the watched values, in their order; [`None`]: it is undefined, or no integer of at most 64 bits.
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
        let Some(values) = self.config.watch.get(&(func, block)) else { return };
        let Some(body) = self.program.body(func) else { return };
        let value = |v: &Value| match (body.ty(*v), self.read(self.top().code.homes[v.index()])) {
            (Ty::Int(w), Val::Small(s)) if w <= 64 && s.u == 0 => Some(s.v & (u64::MAX >> (64 - w))),
            _ => None,
        };
        let seen = Watched { func, block, values: values.iter().map(value).collect() };
        let (n, last) = self.watched.visits.entry((func, block)).or_default();
        *n += 1;
        if *n <= ALL || n.is_power_of_two() {
            *last = None;
            self.watched.all.push(seen);
        } else {
            *last = Some(seen);
        }
    }
}
