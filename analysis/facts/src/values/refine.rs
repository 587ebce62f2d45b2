//! What the outcome of a condition says about the values it was computed from.

use super::function::Function;
use super::interval::{Interval, refine};
use super::state::{Extent, Safe, State};
use verify_ir::inst::{BinOp, CastOp, IntPred};
use verify_ir::{Const, InstKind, Operand, Ty};

/// Operations between a condition and what it is about.
const DEPTH: u32 = 8;

impl Function<'_, '_> {
    /// The state where the condition has this outcome; `None`: it never has.
    pub(super) fn assume(&mut self, s: &State, cond: &Operand, truth: bool) -> Option<State> {
        let mut out = s.clone();
        self.condition(&mut out, cond, truth, DEPTH).then_some(out)
    }

    /// The state where the operand has a constant's value.
    pub(super) fn assume_equal(&mut self, s: &State, o: &Operand, c: &Const) -> Option<State> {
        let mut out = s.clone();
        let ok = match c {
            Const::Int { width, value } => match Interval::constant(*width, *value) {
                Some(i) => self.within(&mut out, o, i, DEPTH),
                None => true,
            },
            _ => true,
        };
        ok.then_some(out)
    }

    /// Learns it; false: it cannot be.
    fn condition(&mut self, s: &mut State, cond: &Operand, truth: bool, depth: u32) -> bool {
        let wanted = Interval::of(i128::from(truth));
        let Some(now) = self.range(s, cond) else { return true };
        if now.meet(wanted).is_none() {
            return false;
        }
        let Operand::Value(v) = cond else { return true };
        s.set_range(*v, wanted);
        if depth == 0 {
            return true;
        }
        let v = self.same_as(*v);
        match self.defining(v) {
            Some(InstKind::Icmp { pred, lhs, rhs }) => {
                let p = if truth { *pred } else { pred.negated() };
                self.compared(s, p, lhs, rhs, depth)
            }
            Some(InstKind::Binary { op: BinOp::And, lhs, rhs, .. }) if truth => {
                self.condition(s, lhs, true, depth - 1) && self.condition(s, rhs, true, depth - 1)
            }
            Some(InstKind::Binary { op: BinOp::Or, lhs, rhs, .. }) if !truth => {
                self.condition(s, lhs, false, depth - 1) && self.condition(s, rhs, false, depth - 1)
            }
            Some(InstKind::Binary { op: BinOp::Xor, lhs, rhs, .. }) => {
                match self.range(s, rhs).and_then(Interval::exact) {
                    Some(b) => self.condition(s, lhs, truth ^ (b == 1), depth - 1),
                    None => true,
                }
            }
            // `a && b` and `a || b` as clang writes them.
            Some(InstKind::Select { cond, then, other }) => {
                let (t, o) =
                    (self.range(s, then).and_then(Interval::exact), self.range(s, other).and_then(Interval::exact));
                if truth && o == Some(0) {
                    self.condition(s, cond, true, depth - 1) && self.condition(s, then, true, depth - 1)
                } else if !truth && t == Some(1) {
                    self.condition(s, cond, false, depth - 1) && self.condition(s, other, false, depth - 1)
                } else {
                    true
                }
            }
            _ => true,
        }
    }

    fn compared(&mut self, s: &mut State, p: IntPred, lhs: &Operand, rhs: &Operand, depth: u32) -> bool {
        match self.body.operand_ty(lhs) {
            Ty::Int(w) => {
                let (Some(a), Some(b)) = (self.range(s, lhs), self.range(s, rhs)) else { return true };
                let (Some(x), Some(y)) = (refine(p, w, a, b), refine(p.swapped(), w, b, a)) else { return false };
                self.within(s, lhs, x, depth - 1) && self.within(s, rhs, y, depth - 1) && self.relate(s, p, lhs, rhs)
            }
            Ty::Ptr if matches!(p, IntPred::Eq | IntPred::Ne) => {
                if let (Some(a), Some(b)) = (self.marked(s, lhs), self.marked(s, rhs)) {
                    let (Some(x), Some(y)) = (refine(p, 64, a, b), refine(p, 64, b, a)) else { return false };
                    for (o, i) in [(lhs, x), (rhs, y)] {
                        if let Operand::Value(v) = o {
                            s.set_range(*v, i);
                        }
                    }
                }
                let null = |o: &Operand| matches!(o, Operand::Const(Const::Null));
                let pointer = if null(rhs) {
                    lhs
                } else if null(lhs) {
                    rhs
                } else {
                    return true;
                };
                if p == IntPred::Eq {
                    if let Some(n) = self.name(pointer)
                        && n.base == n.root
                        && n.offset == 0
                    {
                        s.add_safe(n.root, Safe::OF_NULL);
                        s.set_extent(n.base, Extent::ALL);
                    }
                    if let Operand::Value(v) = pointer {
                        s.set_range(*v, Interval::of(0));
                    }
                    return true;
                }
                if let Some(n) = self.name(pointer)
                    && n.base == n.root
                    && n.offset == 0
                {
                    let honest = self.safe(s, n.root).has(Safe::HONEST);
                    s.add_safe(n.root, if honest { Safe::NULL.with(Safe::NONZERO) } else { Safe::NONZERO });
                }
                true
            }
            _ => true,
        }
    }

    /// The number is in here; false: it cannot be.
    pub(super) fn within(&mut self, s: &mut State, o: &Operand, i: Interval, depth: u32) -> bool {
        let Some(now) = self.range(s, o) else { return true };
        let Some(new) = now.meet(i) else { return false };
        let Operand::Value(v) = o else { return true };
        if new == now {
            return true;
        }
        s.set_range(*v, new);
        let same = self.same_as(*v);
        if same != *v && self.body.ty(same) == self.body.ty(*v) {
            s.set_range(same, new);
        }
        if depth == 0 {
            return true;
        }
        match self.defining(same) {
            Some(InstKind::Cast { op: CastOp::ZExt, arg }) => match self.body.operand_ty(arg) {
                Ty::Int(1) => match (new.contains(0), new.contains(1)) {
                    (true, false) => self.condition(s, arg, false, depth - 1),
                    (false, true) => self.condition(s, arg, true, depth - 1),
                    (false, false) => false,
                    (true, true) => true,
                },
                // Below the sign bit, the number is the same.
                Ty::Int(w) if w <= 64 && new.lo >= 0 && new.hi < 1 << (w - 1) => self.within(s, arg, new, depth - 1),
                _ => true,
            },
            Some(InstKind::Cast { op: CastOp::SExt, arg }) if self.body.operand_ty(arg) != Ty::BOOL => {
                self.within(s, arg, new, depth - 1)
            }
            _ => true,
        }
    }
}
