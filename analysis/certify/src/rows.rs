//! Invariants of loops that a certificate brings: shown where control gets to the head of their loop, and assumed from
//! there on. A row is about the state at the head, so it may be assumed at every earlier visit of the same execution.

use crate::exec::Exec;
use crate::state::{ANY, Obj, State, Val};
use verify_facts::invariant::{Object, Part, Row, Variable};
use verify_ir::{Block, Value};
use verify_solver::Term;

/// A row of the certificate, by loop and number there.
pub type Numbered = ((usize, usize), Row);

impl Exec<'_> {
    /// What the certificate says of the loop with this head, called as it is now.
    pub fn rows_of(&self, header: Block) -> Vec<Numbered> {
        let Some((last, callers)) = self.frames.split_last() else { return Vec::new() };
        let here = |i: &verify_facts::invariant::LoopInvariant| {
            i.func == last.func
                && i.header == header
                && i.calls.as_ref().is_none_or(|calls| {
                    calls.len() == callers.len() && calls.iter().zip(callers).all(|(c, f)| *c == (f.func, f.loc))
                })
        };
        let found = self.certificate.invariants.iter().enumerate().filter(|(_, i)| here(i));
        found.flat_map(|(n, i)| i.rows.iter().enumerate().map(move |(k, r)| ((n, k), r.clone()))).collect()
    }

    /// Control is at the head with `s`, in a loop that was entered with `entry`: the rows hold from here on, and unless
    /// this is an earlier copy of something, that is to be shown.
    pub fn rows_hold(&mut self, rows: &[Numbered], s: &mut State, entry: &State, show: bool) {
        let reached = s.guard;
        let mut all = Vec::new();
        for (id, row) in rows {
            let holds = self.row(s, entry, row);
            if show {
                let fails = match holds {
                    Some(h) => self.pool.not(h),
                    None => self.pool.tt(),
                };
                let loud = self.pool.not(self.mute);
                let here = self.pool.and(reached, loud);
                let broken = self.pool.and(here, fails);
                if !self.is(broken, false) {
                    self.broken.push((*id, broken));
                }
            }
            all.extend(holds);
        }
        for h in all {
            s.assume(&mut self.pool, h);
        }
    }

    /// The row as a truth value; [`None`]: something in it has no number here.
    fn row(&mut self, s: &State, entry: &State, row: &Row) -> Option<Term> {
        let mut any = self.inequality(s, entry, row)?;
        for other in &row.or {
            let holds = self.inequality(s, entry, other)?;
            any = self.pool.or(any, holds);
        }
        Some(any)
    }

    fn inequality(&mut self, s: &State, entry: &State, row: &Row) -> Option<Term> {
        let values: Vec<(Term, &Part)> =
            row.parts.iter().map(|p| Some((self.number(s, entry, p.variable)?, p))).collect::<Option<_>>()?;
        let widest = values.iter().map(|(v, _)| self.pool.width(*v)).max()?;
        let weight: u64 = values.iter().map(|(_, p)| u64::from(p.times)).sum();
        // Wide enough for the sum, and for any parameter that is not beyond all sums.
        let w = widest + 3 + weight.next_power_of_two().ilog2();
        if weight == 0 || w > 126 {
            return None;
        }
        let limit = 1i128 << (w - 1);
        if row.at_most >= limit {
            return Some(self.pool.tt());
        }
        if row.at_most < -limit {
            return Some(self.pool.ff());
        }
        let mut sum = self.pool.num(w, 0);
        for (v, p) in values {
            let v = if p.signed { self.pool.sext(v, w) } else { self.pool.zext(v, w) };
            let times = self.pool.num(w, p.times.into());
            let v = self.pool.mul(v, times);
            sum = if p.minus { self.pool.sub(sum, v) } else { self.pool.add(sum, v) };
        }
        let bound = self.pool.num(w, row.at_most as u128 & (u128::MAX >> (128 - w)));
        Some(self.pool.sle(sum, bound))
    }

    fn number(&mut self, s: &State, entry: &State, v: Variable) -> Option<Term> {
        let t = match v {
            Variable::Value(v) => s.env.get(&v)?.v,
            Variable::Start(v) => entry.env.get(&v)?.v,
            Variable::Result => return None,
            Variable::Cell { object, offset, size } => {
                let o = match object {
                    Object::Global(g) => self.global_object(g),
                    Object::Behind { frame, value } => self.behind(s, frame, value)?,
                };
                if !(1..=8).contains(&size) {
                    return None;
                }
                let content = self.cell(s, o).content;
                let at = self.pool.num(64, offset.into());
                let bytes = self.read_bytes(&content, at, size);
                let mut all = bytes.iter().map(|b| b.v);
                let first = all.next()?;
                all.fold(first, |low, high| self.pool.concat(high, low))
            }
        };
        (self.pool.width(t) <= 64).then_some(t)
    }

    /// The one object that a value of a call in progress points to.
    fn behind(&self, s: &State, frame: u32, value: Value) -> Option<Obj> {
        let v: &Val = match frame.checked_sub(1) {
            None => s.env.get(&value)?,
            Some(up) => self.frames.iter().rev().nth(up as usize)?.below.get(&value)?,
        };
        let o = self.constant(v.p)?;
        let start = self.constant(v.v)? == 0;
        Obj::try_from(o).ok().filter(|o| *o > ANY && (*o as usize) < self.objects.len() && start)
    }
}
