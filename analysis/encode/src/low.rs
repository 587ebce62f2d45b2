//! Low bits of a term that are the same in every model, as far as its shape tells: `x + 2 * n` is odd where `x` is.

use crate::sym::Terms;
use verify_solver::{Op, Term, term::Node};

/// Low bits that are looked at: accesses are hardly ever aligned to more.
const MAX: u32 = 4;

/// So many low bits, and what they are.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Low {
    pub bits: u32,
    pub value: u32,
}

impl Low {
    fn of(bits: u32, value: u32) -> Low {
        let bits = bits.min(MAX);
        Low { bits, value: value & ((1 << bits) - 1) }
    }

    /// What both say.
    pub fn common(self, o: Low) -> Low {
        let same = (self.value ^ o.value).trailing_zeros();
        Low::of(self.bits.min(o.bits).min(same), self.value)
    }

    /// Low bits that are zero.
    fn zeros(self) -> u32 {
        self.value.trailing_zeros().min(self.bits)
    }

    /// Bit by bit: known where both are, or where one is `forcing` already.
    fn bitwise(self, o: Low, forcing: bool, f: impl Fn(u32, u32) -> u32) -> Low {
        let forced = |l: Low, i: u32| i < l.bits && (l.value >> i & 1 == 1) == forcing;
        let known = |i: &u32| *i < self.bits.min(o.bits) || forced(self, *i) || forced(o, *i);
        let n = (0..MAX).take_while(known).count() as u32;
        Low::of(n, f(self.value, o.value))
    }
}

impl Terms {
    /// The low bits of a term.
    pub(crate) fn low(&self, t: Term) -> Low {
        let mut memo = self.low_memo.borrow_mut();
        let mut stack = vec![t];
        while let Some(&x) = stack.last() {
            if memo.contains_key(&x) {
                stack.pop();
                continue;
            }
            let node = self.pool.node(x);
            let args: &[Term] = match node {
                Node::App(Op::Ite, a) => &a[1..3],
                Node::App(Op::Not | Op::Neg | Op::SExt | Op::ZExt | Op::Extract { .. }, a) => &a[..1],
                Node::App(Op::Concat | Op::Add | Op::Or | Op::Xor | Op::Mul | Op::And | Op::Shl, a) => &a[..2],
                _ => &[],
            };
            let before = stack.len();
            stack.extend(args.iter().filter(|a| !memo.contains_key(a)));
            if stack.len() > before {
                continue;
            }
            let l = |i: usize| memo[&args[i]];
            let width = |i: usize| self.pool.width(args[i]);
            let low = match node {
                Node::Const(v) => {
                    let bits = self.pool.width(x).min(MAX);
                    Low::of(bits, (0..bits).map(|i| u32::from(v.bit(i)) << i).sum())
                }
                Node::App(op, _) => match op {
                    Op::Ite => l(0).common(l(1)),
                    Op::Not => Low::of(l(0).bits, !l(0).value),
                    Op::Neg => Low::of(l(0).bits, l(0).value.wrapping_neg()),
                    Op::Add => Low::of(l(0).bits.min(l(1).bits), l(0).value + l(1).value),
                    Op::Mul => {
                        let (a, b) = (l(0), l(1));
                        Low::of((a.bits + b.zeros()).min(b.bits + a.zeros()), a.value * b.value)
                    }
                    Op::And => l(0).bitwise(l(1), false, |a, b| a & b),
                    Op::Or => l(0).bitwise(l(1), true, |a, b| a | b),
                    Op::Xor => Low::of(l(0).bits.min(l(1).bits), l(0).value ^ l(1).value),
                    Op::Shl => match self.pool.as_const(args[1]).and_then(|k| k.to_u64()) {
                        Some(k) if k < u64::from(MAX) => Low::of(l(0).bits + k as u32, l(0).value << k),
                        Some(_) => Low::of(MAX, 0),
                        None => Low::of(l(0).zeros(), 0),
                    },
                    Op::Concat if l(1).bits == width(1) => {
                        Low::of(l(1).bits + l(0).bits, l(0).value << l(1).bits | l(1).value)
                    }
                    Op::Concat => l(1),
                    Op::ZExt if l(0).bits == width(0) => Low::of(MAX, l(0).value),
                    Op::ZExt | Op::SExt => l(0),
                    Op::Extract { lo, .. } if l(0).bits > *lo => Low::of(l(0).bits - lo, l(0).value >> lo),
                    _ => Low::default(),
                },
                _ => Low::default(),
            };
            // Never more than there are.
            memo.insert(x, Low::of(low.bits.min(self.pool.width(x)), low.value));
            stack.pop();
        }
        memo[&t]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verify_solver::eval::{Value, eval};
    use verify_solver::{Bv, Sort};

    /// Random terms over two variables with known low bits: what is said of a term is so for every value of the others.
    #[test]
    fn what_is_said_of_low_bits_is_so() {
        let mut seed = 0x2545_f491_4f6c_dd1du64;
        let mut below = |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % n
        };
        for _ in 0..2_000 {
            let mut t = Terms::new(64);
            let p = &mut t.pool;
            let (x, y) = (p.fresh("x", Sort::Bv(6)), p.fresh("y", Sort::Bv(6)));
            let mut all = vec![x, y];
            for _ in 0..6 {
                let (a, b) = (all[below(all.len() as u64) as usize], all[below(all.len() as u64) as usize]);
                let k = p.num(6, below(64).into());
                let new = match below(11) {
                    0 => p.add(a, k),
                    1 => p.mul(a, k),
                    2 => p.and(a, k),
                    3 => p.or(a, k),
                    4 => p.xor(a, b),
                    5 => p.add(a, b),
                    6 => p.mul(a, b),
                    7 => p.neg(a),
                    8 => {
                        let low = p.extract(a, 2, 0);
                        p.concat(low, low)
                    }
                    9 => {
                        let c = p.ult(a, b);
                        p.ite(c, a, k)
                    }
                    _ => {
                        let k = p.num(6, below(7).into());
                        p.shl(a, k)
                    }
                };
                all.push(new);
            }
            let term = all[all.len() - 1];
            let low = t.low(term);
            for _ in 0..20 {
                let values = [(x, below(64)), (y, below(64))];
                let value = |v: Term| values.iter().find(|(k, _)| *k == v).map_or(0, |(_, n)| *n);
                let got = eval(&t.pool, &[term], |v| Value::Bv(Bv::new(6, value(v).into())));
                let got = got[0].bv().to_u64().unwrap_or(0) as u32;
                assert_eq!(got & ((1 << low.bits) - 1), low.value, "low bits {low:?} of {got:#b}");
            }
        }
    }
}
