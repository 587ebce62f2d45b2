//! Polynomials over the integers modulo `2^w`: sums of monomials with coefficients; the meaning of terms made of sums,
//! products and shifts. The other terms are their variables.

use crate::term::Term;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// A product of variables, sorted; empty: 1. Ordered by degree first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monomial(SmallVec<[Term; 4]>);

impl Monomial {
    /// 1.
    pub fn one() -> Monomial {
        Monomial::default()
    }
    /// A variable.
    pub fn variable(t: Term) -> Monomial {
        Monomial(SmallVec::from_slice(&[t]))
    }
    /// Number of factors.
    pub fn degree(&self) -> usize {
        self.0.len()
    }
    /// The factors.
    pub fn factors(&self) -> &[Term] {
        &self.0
    }
    /// Product.
    pub fn times(&self, o: &Monomial) -> Monomial {
        let mut all: SmallVec<[Term; 4]> = self.0.iter().chain(&o.0).copied().collect();
        all.sort_unstable();
        Monomial(all)
    }
    /// How often a variable is a factor, and the other factors.
    fn without(&self, v: Term) -> (usize, Monomial) {
        let rest: SmallVec<[Term; 4]> = self.0.iter().copied().filter(|t| *t != v).collect();
        (self.0.len() - rest.len(), Monomial(rest))
    }
}

impl Ord for Monomial {
    fn cmp(&self, o: &Self) -> std::cmp::Ordering {
        self.degree().cmp(&o.degree()).then_with(|| self.0.cmp(&o.0))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, o: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(o))
    }
}

/// A polynomial. Coefficients are below `2^w` and not 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    /// Bits of the coefficients, 128 at most.
    width: u32,
    terms: BTreeMap<Monomial, u128>,
}

/// Polynomials have no more monomials, and these no more factors.
const MOST_MONOMIALS: usize = 200;
const MOST_FACTORS: usize = 12;

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The inverse of an odd number modulo `2^128`: each step of Newton's doubles the bits that are right.
fn inverse(c: u128) -> u128 {
    (0..7).fold(c, |x, _| x.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(x))))
}

impl Polynomial {
    /// A constant.
    ///
    /// # Panics
    /// If the width is 0 or more than 128.
    pub fn constant(width: u32, c: u128) -> Polynomial {
        assert!((1..=128).contains(&width), "coefficients of {width} bits");
        let mut p = Polynomial { width, terms: BTreeMap::new() };
        p.add_term(&Monomial::one(), c);
        p
    }
    /// A variable.
    pub fn variable(width: u32, t: Term) -> Polynomial {
        let mut p = Polynomial::constant(width, 0);
        p.add_term(&Monomial::variable(t), 1);
        p
    }
    fn add_term(&mut self, m: &Monomial, c: u128) {
        let sum = self.coefficient(m).wrapping_add(c) & mask(self.width);
        if sum == 0 {
            self.terms.remove(m);
        } else {
            self.terms.insert(m.clone(), sum);
        }
    }
    /// The coefficient of a monomial.
    pub fn coefficient(&self, m: &Monomial) -> u128 {
        self.terms.get(m).copied().unwrap_or(0)
    }
    /// It is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }
    /// The constant that it is.
    pub fn as_constant(&self) -> Option<u128> {
        self.terms.keys().all(|m| m.degree() == 0).then(|| self.coefficient(&Monomial::one()))
    }
    /// The highest degree of a monomial.
    pub fn degree(&self) -> usize {
        self.terms.keys().next_back().map_or(0, Monomial::degree)
    }
    /// The greatest monomial, with its coefficient.
    pub fn leading(&self) -> Option<(&Monomial, u128)> {
        self.terms.iter().next_back().map(|(m, c)| (m, *c))
    }
    /// Monomials with their coefficients, in ascending order.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, u128)> {
        self.terms.iter().map(|(m, c)| (m, *c))
    }
    /// All variables.
    pub fn variables(&self) -> BTreeSet<Term> {
        self.terms.keys().flat_map(|m| m.factors()).copied().collect()
    }
    /// `self + c * m * o`.
    pub fn plus(&mut self, c: u128, m: &Monomial, o: &Polynomial) {
        for (n, d) in &o.terms {
            self.add_term(&m.times(n), c.wrapping_mul(*d));
        }
    }
    /// `c * self`.
    pub fn scaled(&self, c: u128) -> Polynomial {
        let mut p = Polynomial::constant(self.width, 0);
        p.plus(c, &Monomial::one(), self);
        p
    }
    /// The product, unless it is too large.
    pub fn times(&self, o: &Polynomial) -> Option<Polynomial> {
        if self.degree() + o.degree() > MOST_FACTORS || self.terms.len() * o.terms.len() > 10 * MOST_MONOMIALS {
            return None;
        }
        let mut p = Polynomial::constant(self.width, 0);
        for (m, c) in &self.terms {
            p.plus(*c, m, o);
        }
        (p.terms.len() <= MOST_MONOMIALS).then_some(p)
    }
    /// If `self = 0` says what the value of a variable is: the newest one for which it does, and the value.
    pub fn solved(&self) -> Option<(Term, Polynomial)> {
        let odd = |m: &Monomial, c: u128| m.degree() == 1 && c & 1 == 1;
        let mut linear: Vec<(Term, u128)> =
            self.terms().filter(|(m, c)| odd(m, *c)).map(|(m, c)| (m.factors()[0], c)).collect();
        linear.sort_unstable();
        let (v, c) = linear
            .into_iter()
            .rev()
            .find(|(v, _)| self.terms.keys().filter(|m| m.factors().contains(v)).count() == 1)?;
        let mut value = self.scaled(inverse(c).wrapping_neg());
        value.terms.remove(&Monomial::variable(v));
        Some((v, value))
    }
    /// With a value in the place of a variable, unless that is too large.
    pub fn with(&self, v: Term, value: &Polynomial) -> Option<Polynomial> {
        let mut out = Polynomial::constant(self.width, 0);
        for (m, c) in &self.terms {
            let (times, rest) = m.without(v);
            if rest.degree() + times * value.degree() > MOST_FACTORS {
                return None;
            }
            let mut power = Polynomial::constant(self.width, 1);
            for _ in 0..times {
                power = power.times(value)?;
            }
            out.plus(*c, &rest, &power);
        }
        (out.terms.len() <= MOST_MONOMIALS).then_some(out)
    }
    /// `c` such that `c * by`'s coefficient of `m` is that of `self`.
    pub fn quotient(&self, m: &Monomial, by: u128) -> Option<u128> {
        let c = self.coefficient(m);
        let low = by.trailing_zeros();
        (c.trailing_zeros() >= low).then(|| (c >> low).wrapping_mul(inverse(by >> low)) & mask(self.width))
    }
    /// The multiple of it in which the leading monomial vanishes, as its coefficient is even.
    pub fn annihilated(&self) -> Option<Polynomial> {
        let low = self.leading()?.1.trailing_zeros();
        (low > 0).then(|| self.scaled(1 << (self.width - low)))
    }
}
