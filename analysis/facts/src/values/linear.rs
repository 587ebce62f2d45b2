//! Linear expressions over integers: a constant and a few multiples of atoms, exact, without any width.

use super::interval::Interval;

/// Most multiples of an expression.
const TERMS: usize = 4;
/// Factors and constants are not followed beyond this.
const FAR: i128 = 1 << 80;

/// `constant + Σ factor · atom`; the atoms sorted, no factor zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Linear<A> {
    terms: Vec<(A, i128)>,
    constant: i128,
}

impl<A: Copy + Ord> Linear<A> {
    /// A number.
    pub fn of(constant: i128) -> Linear<A> {
        Linear { terms: Vec::new(), constant }
    }
    /// An atom.
    pub fn atom(a: A) -> Linear<A> {
        Linear { terms: vec![(a, 1)], constant: 0 }
    }
    /// The sum of multiples, sorted by their atoms, and a number.
    pub fn with(terms: Vec<(A, i128)>, constant: i128) -> Linear<A> {
        Linear { terms, constant }
    }
    /// The multiples.
    pub fn terms(&self) -> &[(A, i128)] {
        &self.terms
    }
    /// The number beside them.
    pub fn constant(&self) -> i128 {
        self.constant
    }
    /// The factor of an atom.
    pub fn factor(&self, a: A) -> i128 {
        self.terms.iter().find(|t| t.0 == a).map_or(0, |t| t.1)
    }
    /// It is the atom and a number.
    pub fn one_atom(&self) -> Option<(A, i128)> {
        match self.terms[..] {
            [(a, 1)] => Some((a, self.constant)),
            _ => None,
        }
    }
    /// The same and a number; `None`: too far.
    pub fn plus(mut self, by: i128) -> Option<Linear<A>> {
        self.constant = self.constant.checked_add(by).filter(|c| c.abs() <= FAR)?;
        Some(self)
    }
    /// The sum of this and a multiple of another; `None`: it is too long, or too far.
    pub fn plus_times(&self, k: i128, other: &Linear<A>) -> Option<Linear<A>> {
        let scaled = |c: i128| c.checked_mul(k);
        let mut out = self.clone();
        out.constant = out.constant.checked_add(scaled(other.constant)?)?;
        for (a, c) in &other.terms {
            let c = scaled(*c)?;
            match out.terms.binary_search_by_key(a, |t| t.0) {
                Ok(i) => out.terms[i].1 = out.terms[i].1.checked_add(c)?,
                Err(i) => out.terms.insert(i, (*a, c)),
            }
        }
        out.terms.retain(|t| t.1 != 0);
        let near = |c: i128| c.abs() <= FAR;
        (out.terms.len() <= TERMS && near(out.constant) && out.terms.iter().all(|t| near(t.1))).then_some(out)
    }
    /// The difference.
    pub fn minus(&self, other: &Linear<A>) -> Option<Linear<A>> {
        self.plus_times(-1, other)
    }
    /// A multiple.
    pub fn times(&self, k: i128) -> Option<Linear<A>> {
        Linear::of(0).plus_times(k, self)
    }
    /// With other expressions in place of its atoms; `None`: one has none.
    pub fn replaced<B: Copy + Ord>(&self, mut by: impl FnMut(A) -> Option<Linear<B>>) -> Option<Linear<B>> {
        let mut out = Linear::of(self.constant);
        for (a, k) in &self.terms {
            out = out.plus_times(*k, &by(*a)?)?;
        }
        Some(out)
    }
    /// What it can be at most, where the atoms have these bounds.
    pub fn most(&self, mut range: impl FnMut(A) -> Interval) -> i128 {
        let mut most = self.constant;
        for (a, k) in &self.terms {
            let r = range(*a);
            most = most.saturating_add(k.saturating_mul(if *k > 0 { r.hi } else { r.lo }));
        }
        most
    }
    /// For `self ≤ 0` in whole numbers: the multiples, divided by what divides all of their factors, and the constant to it.
    pub fn normal(mut self) -> Linear<A> {
        let g = self.terms.iter().fold(0, |g, t| gcd(g, t.1.unsigned_abs()));
        if let Ok(g) = i128::try_from(g)
            && g > 1
        {
            self.terms.iter_mut().for_each(|t| t.1 /= g);
            // g·t + c ≤ 0 is t ≤ ⌊-c / g⌋.
            self.constant = -(-self.constant).div_euclid(g);
        }
        self
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_cancel_are_gone() {
        let (x, y) = (Linear::atom(1), Linear::atom(2));
        let sum = x.plus_times(4, &y).unwrap().plus(3).unwrap();
        assert_eq!(sum.factor(2), 4);
        assert_eq!(sum.minus(&y.times(4).unwrap()).unwrap().one_atom(), Some((1, 3)));
        assert_eq!(sum.minus(&sum).unwrap(), Linear::of(0));
    }

    #[test]
    fn whole_numbers_round_down() {
        // 4x - 4y + 1 ≤ 0 is x - y + 1 ≤ 0.
        let l = Linear::atom(1).times(4).unwrap().plus_times(-4, &Linear::atom(2)).unwrap();
        assert_eq!(l.clone().plus(1).unwrap().normal().constant(), 1);
        assert_eq!(l.clone().plus(4).unwrap().normal().constant(), 1);
        assert_eq!(l.clone().plus(0).unwrap().normal().constant(), 0);
        assert_eq!(l.plus(-3).unwrap().normal().constant(), 0);
    }

    #[test]
    fn bounds_of_a_sum() {
        let l = Linear::atom(1).times(2).unwrap().plus_times(-3, &Linear::atom(2)).unwrap();
        let range = |a: i32| if a == 1 { Interval { lo: 0, hi: 5 } } else { Interval { lo: 1, hi: 7 } };
        assert_eq!(l.most(range), 7);
    }
}
