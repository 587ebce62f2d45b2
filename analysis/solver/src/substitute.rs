//! Terms with some of their parts replaced, simplified as they are made again. Where each part equals what replaces it, the
//! terms are equal; that it does is for the caller to say.

use crate::term::{Node, Op, Pool, Sort, Term};
use std::collections::BTreeMap;

impl Pool {
    /// The roots with every key of `with` replaced by its value, also within; values are taken as they are.
    pub fn substitute(&mut self, with: &BTreeMap<Term, Term>, roots: &[Term]) -> Vec<Term> {
        let mut new: BTreeMap<Term, Term> = BTreeMap::new();
        for t in self.cone(roots) {
            let made = match (with.get(&t), self.node(t).clone()) {
                (Some(v), _) => *v,
                (None, Node::App(op, args)) => {
                    let now: Vec<Term> = args.iter().map(|a| new[a]).collect();
                    if now[..] == args[..] {
                        t
                    } else {
                        let width = match (op, self.sort(t)) {
                            (Op::ConstArray, Sort::Array { index, .. }) => index,
                            (_, Sort::Bv(w)) => w,
                            (_, Sort::Array { .. }) => 0,
                        };
                        self.app(op, &now, width)
                    }
                }
                (None, _) => t,
            };
            new.insert(t, made);
        }
        roots.iter().map(|t| new[t]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_equal_but_for_a_summand_cancels() {
        let mut p = Pool::new();
        let [t, l, d] = ["t", "l", "d"].map(|n| p.fresh(n, Sort::Bv(32)));
        let one = p.num(32, 1);
        let (next, after) = (p.add(t, one), p.add(l, one));
        let same = p.eq(t, after);
        let sum = p.add(l, d);
        let new = p.substitute(&BTreeMap::from([(t, sum)]), &[next, same, l]);
        assert_eq!(new[0], p.add(sum, one));
        assert_eq!(new[1], p.eq(d, one));
        assert_eq!(new[2], l);
    }

    #[test]
    fn arrays_are_made_again() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.fresh(n, Sort::Bv(8)));
        let i = p.num(16, 3);
        let all = p.const_array(16, x);
        let one = p.store(all, i, x);
        let got = p.select(one, i);
        let new = p.substitute(&BTreeMap::from([(x, y)]), &[one, got]);
        let all = p.const_array(16, y);
        assert_eq!(new, [p.store(all, i, y), y]);
    }
}
