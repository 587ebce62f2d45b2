//! Which bits of a value are defined, forwards through operations and backwards from checks that passed.
//!
//! An execution that goes on behind a use that has to be defined used something defined; what that was computed from is
//! then defined, too, as far as no operation can have hidden an undefined bit. Definedness is bit by bit (as in
//! memcheck: Seward and Nethercote 2005): sums and exclusive ors hide nothing, comparisons hide a bit that cannot
//! decide them. Of a value that is undefined as a whole or not at all, a comparison tells nearly always: it could go
//! either way. Most values are such: variables, and memory that is written only in the pieces in which it is read.
//!
//! Facts about a value that was computed from others say something of the very values that it was computed from: the
//! place that has the one is dominated by where it was made, and that by where the others were.

use super::function::Function;
use super::interval::Interval;
use super::state::{Base, Definedness, State};
use verify_ir::inst::{BinOp, CastOp, IntPred, OverflowOp, Step};
use verify_ir::{CheckKind, Const, InstKind, Loc, Operand, Ty};

/// Operations that are followed backwards.
const DEPTH: u32 = 12;

/// A store of the type leaves no bit of the bytes as it was, and adds none: what is read from them later is whole if
/// the value is.
pub(super) fn fills_bytes(ty: Ty) -> bool {
    match ty {
        Ty::Int(w) => w % 8 == 0 && w <= 64,
        Ty::Ptr => true,
        _ => false,
    }
}

/// The values that a comparison sees when an operand is undefined as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Undefined {
    /// All of its width.
    Any,
    /// Those below 2 to this power; the bits above are zeros.
    Below(u32),
}

/// Compared with any number of an interval, an undefined operand makes it undefined how the comparison ends. The other
/// operand may be undefined only where `defined` is not asked for.
fn undecided(pred: IntPred, w: u32, a: Undefined, b: Interval, defined: bool) -> bool {
    use IntPred::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
    let Some(full) = Interval::full(w).filter(|_| w > 1) else { return false };
    match a {
        Undefined::Any => match pred {
            Eq | Ne => true,
            Ult | Uge => !b.contains(0),
            Ule | Ugt => !b.contains(-1),
            Slt | Sge => !b.contains(full.lo),
            Sle | Sgt => !b.contains(full.hi),
        },
        Undefined::Below(k) => {
            let most = (1i128 << k) - 1;
            let among = match pred {
                Eq | Ne => Interval { lo: 0, hi: most },
                Ult | Uge | Slt | Sge => Interval { lo: 1, hi: most },
                Ule | Ugt | Sle | Sgt => Interval { lo: 0, hi: most - 1 },
            };
            // A number whose bits above are undefined, too, is another matter.
            defined && among.covers(b)
        }
    }
}

/// With any number of an interval beside it, an undefined operand makes it undefined whether the result fits.
fn may_overflow(op: OverflowOp, undefined_first: bool, b: Interval, defined: bool) -> bool {
    match op {
        OverflowOp::SAdd => !b.contains(0),
        OverflowOp::SSub if undefined_first => !b.contains(0),
        // -1 - x is ~x.
        OverflowOp::SSub => !b.contains(-1),
        OverflowOp::SMul => defined && !b.contains(0) && !b.contains(1),
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => false,
    }
}

impl Function<'_, '_> {
    /// What is known of an operand itself, or of what it was loaded from before.
    fn definedness(&self, s: &State, o: &Operand) -> Option<Definedness> {
        match o {
            Operand::Const(Const::Poison(_)) => None,
            Operand::Const(Const::Undef(_)) => Some(Definedness::Whole),
            Operand::Const(_) => Some(Definedness::Defined),
            // At a constant distance, an undefined bit stays one.
            Operand::Value(v) => s.definedness(*v).max(match self.names[v.index()].base {
                Base::Value(w) => s.definedness(w),
                Base::Symbol(_) => Some(Definedness::Defined),
            }),
        }
    }

    /// Every bit is defined.
    pub(super) fn defined(&self, s: &State, o: &Operand) -> bool {
        self.definedness(s, o) == Some(Definedness::Defined)
    }

    /// Every bit is defined, or none is.
    pub(super) fn whole(&self, s: &State, o: &Operand) -> bool {
        self.definedness(s, o).is_some() || self.body.operand_ty(o) == Ty::BOOL
    }

    /// What the operation makes is undefined as a whole where an operand is, and not at all otherwise.
    pub(super) fn makes_whole(&self, s: &State, kind: &InstKind) -> bool {
        match kind {
            InstKind::Binary { op, lhs, rhs, .. } => match op {
                BinOp::Add | BinOp::Sub | BinOp::Xor => self.whole(s, lhs) && self.whole(s, rhs),
                BinOp::SDiv | BinOp::SRem => true,
                _ => false,
            },
            InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::SSub, lhs, rhs } => {
                self.whole(s, lhs) && self.whole(s, rhs)
            }
            InstKind::Icmp { .. } => true,
            InstKind::Cast { op: CastOp::SExt | CastOp::Trunc, arg } => self.whole(s, arg),
            _ => false,
        }
    }

    /// The operand is evaluated where it has to be defined: a check, and afterwards a fact.
    pub(super) fn settle_defined(&mut self, s: &mut State, loc: Loc, o: &Operand) {
        if self.defined(s, o) {
            self.settle(loc, CheckKind::UninitRead);
        } else {
            self.is_defined(s, o);
        }
    }

    /// The operand turned out to be defined.
    pub(super) fn is_defined(&self, s: &mut State, o: &Operand) {
        self.shows(s, o, DEPTH);
    }

    fn shows(&self, s: &mut State, o: &Operand, depth: u32) {
        let Operand::Value(v) = o else { return };
        let Some(depth) = depth.checked_sub(1).filter(|_| !s.defined(*v)) else { return };
        s.set_defined(*v);
        if let Base::Value(w) = self.names[v.index()].base
            && w != *v
        {
            self.shows(s, &Operand::Value(w), depth);
        }
        let Some(inst) = self.definition[v.index()].and_then(|(b, i)| self.body.block(b).insts.get(i as usize)) else {
            return;
        };
        let is_flag = inst.results.first() != Some(v);
        match &inst.kind {
            InstKind::Binary { op: BinOp::Add | BinOp::Sub | BinOp::Xor, lhs, rhs, .. } => {
                self.shows(s, lhs, depth);
                self.shows(s, rhs, depth);
            }
            InstKind::Overflow { op: OverflowOp::SAdd | OverflowOp::SSub, lhs, rhs } if !is_flag => {
                self.shows(s, lhs, depth);
                self.shows(s, rhs, depth);
            }
            InstKind::Overflow { op, lhs, rhs } if is_flag => {
                for (a, b, first) in [(lhs, rhs, true), (rhs, lhs, false)] {
                    if let Some(r) = self.range(s, b)
                        && self.undefined(s, a) == Some(Undefined::Any)
                        && may_overflow(*op, first, r, self.defined(s, b))
                    {
                        self.shows(s, a, depth);
                    }
                }
            }
            InstKind::Icmp { pred, lhs, rhs } => {
                for (a, b, p) in [(lhs, rhs, *pred), (rhs, lhs, pred.swapped())] {
                    let Some(u) = self.undefined(s, a) else { continue };
                    let told = match self.body.operand_ty(a) {
                        Ty::Int(w) => self.range(s, b).is_some_and(|r| undecided(p, w, u, r, self.defined(s, b))),
                        Ty::Ptr => matches!(p, IntPred::Eq | IntPred::Ne),
                        _ => false,
                    };
                    if told {
                        self.shows(s, a, depth);
                    }
                }
            }
            InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, arg } => self.shows(s, arg, depth),
            InstKind::Addr { base, steps, .. } => {
                self.shows(s, base, depth);
                for step in steps {
                    if let Step::Index { index, stride, .. } = step
                        && self.shows_in_address(s, index, *stride)
                    {
                        self.shows(s, index, depth);
                    }
                }
            }
            _ => {}
        }
    }

    /// What the operand can be where it is undefined; [`None`]: also in part.
    fn undefined(&self, s: &State, o: &Operand) -> Option<Undefined> {
        if self.definedness(s, o).is_some() {
            return Some(Undefined::Any);
        }
        let Operand::Value(v) = o else { return None };
        match self.defining(self.same_as(*v)) {
            Some(InstKind::Cast { op: CastOp::ZExt, arg }) if self.whole(s, arg) => match self.body.operand_ty(arg) {
                Ty::Int(w) if w <= 64 => Some(Undefined::Below(w)),
                _ => None,
            },
            _ => None,
        }
    }

    /// An undefined bit of the index is one of the address: scaled, it is not moved out of it.
    fn shows_in_address(&self, s: &State, index: &Operand, stride: u64) -> bool {
        let Ty::Int(w) = self.body.operand_ty(index) else { return false };
        let lowest = match index {
            _ if self.definedness(s, index).is_some() => 1,
            Operand::Value(v) => match self.defining(self.same_as(*v)) {
                Some(InstKind::Cast { op: CastOp::ZExt | CastOp::SExt, arg }) => match self.body.operand_ty(arg) {
                    Ty::Int(w) => w,
                    _ => w,
                },
                _ => w,
            },
            Operand::Const(_) => return false,
        };
        stride != 0 && w <= 64 && lowest + stride.trailing_zeros() <= self.given.module.target.pointer_bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::interval::overflows;

    const W: u32 = 4;
    const PREDS: [IntPred; 10] = [
        IntPred::Eq,
        IntPred::Ne,
        IntPred::Ult,
        IntPred::Ule,
        IntPred::Ugt,
        IntPred::Uge,
        IntPred::Slt,
        IntPred::Sle,
        IntPred::Sgt,
        IntPred::Sge,
    ];

    fn all() -> impl Iterator<Item = i128> {
        -8..8
    }

    fn intervals() -> impl Iterator<Item = Interval> {
        all().flat_map(|lo| (lo..8).map(move |hi| Interval { lo, hi }))
    }

    fn holds(p: IntPred, x: i128, y: i128) -> bool {
        let unsigned = |x: i128| x & 0xf;
        match p {
            IntPred::Eq => x == y,
            IntPred::Ne => x != y,
            IntPred::Ult => unsigned(x) < unsigned(y),
            IntPred::Ule => unsigned(x) <= unsigned(y),
            IntPred::Ugt => unsigned(x) > unsigned(y),
            IntPred::Uge => unsigned(x) >= unsigned(y),
            IntPred::Slt => x < y,
            IntPred::Sle => x <= y,
            IntPred::Sgt => x > y,
            IntPred::Sge => x >= y,
        }
    }

    /// With every number of the interval beside it, what is undefined can turn out both ways.
    fn both(b: Interval, among: impl Fn(i128) -> bool, out: impl Fn(i128, i128) -> bool) -> bool {
        (b.lo..=b.hi).all(|y| {
            let mut ways = all().filter(|x| among(*x)).map(|x| out(x, y));
            let first = ways.next();
            ways.any(|w| Some(w) != first)
        })
    }

    #[test]
    fn comparisons_tell() {
        for (p, b) in PREDS.into_iter().flat_map(|p| intervals().map(move |b| (p, b))) {
            let out = |x, y| holds(p, x, y);
            assert_eq!(undecided(p, W, Undefined::Any, b, false), both(b, |_| true, out), "{p} {b:?}");
            for k in 1..W {
                let said = undecided(p, W, Undefined::Below(k), b, true);
                assert_eq!(said, both(b, |x| (0..1 << k).contains(&x), out), "{p} {b:?} below 2^{k}");
                assert!(!undecided(p, W, Undefined::Below(k), b, false));
            }
        }
    }

    #[test]
    fn overflows_tell() {
        for op in [OverflowOp::SAdd, OverflowOp::SSub, OverflowOp::SMul] {
            for b in intervals() {
                for first in [true, false] {
                    let out = |x: i128, y: i128| {
                        let (x, y) = if first { (x, y) } else { (y, x) };
                        overflows(op, W, Interval::of(x), Interval::of(y)) == Interval::of(1)
                    };
                    assert_eq!(may_overflow(op, first, b, true), both(b, |_| true, out), "{op} {first} {b:?}");
                }
            }
        }
    }
}
