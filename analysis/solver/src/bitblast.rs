//! From terms to the and-inverter graph: each bit-vector term becomes a vector of literals, least significant first.
//! Array reads are vectors of fresh inputs, constrained by [`crate::arrays`]; so are applications of floating-point
//! operators and products of two unknown numbers, constrained by [`crate::refine`].

use crate::aig::{Aig, Lit};
use crate::product;
use crate::term::{Node, Op, Pool, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The literals of the terms blasted so far.
#[derive(Default)]
pub struct Blaster {
    /// The graph.
    pub aig: Aig,
    bits: FxHashMap<Term, Rc<[Lit]>>,
    /// Array reads met so far, in order.
    pub selects: Vec<Term>,
    /// Products that are circuits, though [`is_refined`]: those that circuits are made of.
    pub circuits: BTreeSet<Term>,
    /// Some term was an application whose meaning is left to [`crate::refine`].
    pub refined: bool,
}

impl Blaster {
    /// The literals of `t`, when it was blasted.
    pub fn get(&self, t: Term) -> Option<&[Lit]> {
        self.bits.get(&t).map(|b| &**b)
    }

    /// The literals of a bit-vector term. Iterative: terms may be deep.
    pub fn blast(&mut self, pool: &Pool, root: Term) -> Rc<[Lit]> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.bits.contains_key(&t) {
                stack.pop();
                continue;
            }
            let select = matches!(pool.node(t), Node::App(Op::Select, _));
            let refined = self.is_free(pool, t);
            self.refined |= refined;
            let open = stack.len();
            if !select && !refined {
                stack.extend(pool.args(t).iter().filter(|a| !self.bits.contains_key(a)));
            }
            if stack.len() > open {
                continue;
            }
            let bits = self.term(pool, t);
            self.bits.insert(t, bits.into());
            if select {
                self.selects.push(t);
            }
            stack.pop();
        }
        self.bits[&root].clone()
    }

    fn is_free(&self, pool: &Pool, t: Term) -> bool {
        is_refined(pool, t) && !self.circuits.contains(&t)
    }

    fn term(&mut self, pool: &Pool, t: Term) -> Vec<Lit> {
        let w = pool.width(t);
        if self.is_free(pool, t) {
            return (0..w).map(|_| self.aig.input()).collect();
        }
        let (op, args) = match pool.node(t) {
            Node::Const(v) => return (0..w).map(|i| Lit::constant(v.bit(i))).collect(),
            Node::Var(_) | Node::App(Op::Select, _) => {
                return (0..w).map(|_| self.aig.input()).collect();
            }
            Node::App(op, args) => (*op, args),
        };
        let a: Vec<Rc<[Lit]>> = args.iter().map(|x| self.bits[x].clone()).collect();
        let g = &mut self.aig;
        match op {
            Op::Not => a[0].iter().map(|l| !*l).collect(),
            Op::And => a[0].iter().zip(&*a[1]).map(|(x, y)| g.and(*x, *y)).collect(),
            Op::Or => a[0].iter().zip(&*a[1]).map(|(x, y)| g.or(*x, *y)).collect(),
            Op::Xor => a[0].iter().zip(&*a[1]).map(|(x, y)| g.xor(*x, *y)).collect(),
            Op::Neg => negate(g, &a[0]),
            Op::Add => add(g, &a[0], &a[1], Lit::FALSE).0,
            Op::Mul => multiply(g, &a[0], &a[1]),
            Op::UDiv => divide(g, &a[0], &a[1]).0,
            Op::URem => divide(g, &a[0], &a[1]).1,
            Op::SDiv | Op::SRem => signed_division(g, &a[0], &a[1], op == Op::SDiv),
            Op::Shl => {
                let reversed: Vec<Lit> = a[0].iter().rev().copied().collect();
                let mut r = shift_right(g, &reversed, &a[1], Lit::FALSE);
                r.reverse();
                r
            }
            Op::LShr => shift_right(g, &a[0], &a[1], Lit::FALSE),
            Op::AShr => shift_right(g, &a[0], &a[1], a[0][a[0].len() - 1]),
            Op::Concat => a[1].iter().chain(&*a[0]).copied().collect(),
            Op::Extract { hi, lo } => a[0][lo as usize..=hi as usize].to_vec(),
            Op::ZExt => extend(&a[0], w, Lit::FALSE),
            Op::SExt => extend(&a[0], w, a[0][a[0].len() - 1]),
            Op::Eq => vec![equal(g, &a[0], &a[1])],
            Op::Ult | Op::Slt => vec![below(g, (args[0], &a[0]), (args[1], &a[1]), op == Op::Slt)],
            Op::Ite => a[1].iter().zip(&*a[2]).map(|(x, y)| g.mux(a[0][0], *x, *y)).collect(),
            Op::Select | Op::Store | Op::ConstArray | Op::Float(..) => unreachable!("array terms have no bits"),
        }
    }
}

/// The application is a vector of free bits, and [`crate::refine`] says what they may be.
pub fn is_refined(pool: &Pool, t: Term) -> bool {
    matches!(pool.node(t), Node::App(Op::Float(..), _)) || product::is_abstract(pool, t)
}

fn extend(a: &[Lit], w: u32, with: Lit) -> Vec<Lit> {
    a.iter().copied().chain(std::iter::repeat(with)).take(w as usize).collect()
}

fn add(g: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let mut out = Vec::with_capacity(a.len());
    for (x, y) in a.iter().zip(b) {
        let (s, c) = g.full_adder(*x, *y, carry);
        out.push(s);
        carry = c;
    }
    (out, carry)
}

fn negate(g: &mut Aig, a: &[Lit]) -> Vec<Lit> {
    let not: Vec<Lit> = a.iter().map(|l| !*l).collect();
    let zero = vec![Lit::FALSE; a.len()];
    add(g, &not, &zero, Lit::TRUE).0
}

/// Shift-and-add over the operand with fewer undetermined bits.
fn multiply(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let free = |x: &[Lit]| x.iter().filter(|l| **l != Lit::FALSE).count();
    let (a, b) = if free(a) < free(b) { (b, a) } else { (a, b) };
    let w = a.len();
    let mut acc = vec![Lit::FALSE; w];
    for (i, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Vec<Lit> = a[..w - i].iter().map(|x| g.and(*x, bit)).collect();
        let (sum, _) = add(g, &acc[i..], &row, Lit::FALSE);
        acc.splice(i.., sum);
    }
    acc
}

/// Restoring division: quotient and remainder, with SMT-LIB's results for divisor 0 (all ones, dividend).
fn divide(g: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let w = a.len();
    let mut rem = vec![Lit::FALSE; w];
    let mut quo = vec![Lit::FALSE; w];
    for i in (0..w).rev() {
        // rem has w bits; shifting in a bit makes w + 1, compared with b extended.
        let mut wide = Vec::with_capacity(w + 1);
        wide.push(a[i]);
        wide.extend_from_slice(&rem);
        let not_b: Vec<Lit> = b.iter().map(|l| !*l).chain(std::iter::once(Lit::TRUE)).collect();
        let (diff, fits) = add(g, &wide, &not_b, Lit::TRUE);
        quo[i] = fits;
        rem = (0..w).map(|k| g.mux(fits, diff[k], wide[k])).collect();
    }
    (quo, rem)
}

fn signed_division(g: &mut Aig, a: &[Lit], b: &[Lit], quotient: bool) -> Vec<Lit> {
    let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
    let abs = |g: &mut Aig, x: &[Lit], s: Lit| -> Vec<Lit> {
        let n = negate(g, x);
        x.iter().zip(n).map(|(p, q)| g.mux(s, q, *p)).collect()
    };
    let (ua, ub) = (abs(g, a, sa), abs(g, b, sb));
    let (q, r) = divide(g, &ua, &ub);
    if quotient {
        let s = g.xor(sa, sb);
        abs(g, &q, s)
    } else {
        abs(g, &r, sa)
    }
}

/// Barrel shifter to the right, filling with `fill`; amounts not below the width give all `fill`.
fn shift_right(g: &mut Aig, a: &[Lit], amount: &[Lit], fill: Lit) -> Vec<Lit> {
    let w = a.len();
    let mut cur = a.to_vec();
    let mut too_far = Lit::FALSE;
    for (k, &s) in amount.iter().enumerate() {
        let step = 1usize.checked_shl(k as u32).filter(|s| *s < w);
        match step {
            Some(step) if k < usize::BITS as usize => {
                cur = (0..w).map(|i| g.mux(s, cur.get(i + step).copied().unwrap_or(fill), cur[i])).collect();
            }
            _ => too_far = g.or(too_far, s),
        }
    }
    cur.into_iter().map(|l| g.mux(too_far, fill, l)).collect()
}

fn equal(g: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let mut all = Lit::TRUE;
    for (x, y) in a.iter().zip(b) {
        let d = g.xor(*x, *y);
        all = g.and(all, !d);
    }
    all
}

/// `a < b`. Of two terms only one comparison is built, whichever comes first: that the two exclude each other, and that
/// one of them holds where the terms differ, would take the solver a proof for every bit.
fn below(g: &mut Aig, a: (Term, &[Lit]), b: (Term, &[Lit]), signed: bool) -> Lit {
    if a.0 < b.0 {
        return less(g, a.1, b.1, signed);
    }
    let (above, same) = (less(g, b.1, a.1, signed), equal(g, a.1, b.1));
    g.and(!above, !same)
}

/// `a < b`: from the low bit up, the highest differing bit decides.
fn less(g: &mut Aig, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
    let mut lt = Lit::FALSE;
    let top = a.len() - 1;
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        let (x, y) = if signed && i == top { (y, x) } else { (x, y) };
        let differ = g.xor(x, y);
        lt = g.mux(differ, y, lt);
    }
    lt
}
