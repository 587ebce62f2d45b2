//! Arrays by lemmas on demand: an array read is a vector of free bits until a model gives it a value that the array
//! axioms forbid; then the violated instance is added and the query asked again (Brummayer and Biere, "Lemmas on Demand
//! for the Extensional Theory of Arrays", JSAT 2009, without extensionality: arrays are never compared).
//!
//! Axioms, for a read `a[i]`:
//! - `a = store(b, j, v)`: `i = j` implies `a[i] = v`; `i != j` implies `a[i] = b[i]`.
//! - `a = ite(c, b, d)`: `c` implies `a[i] = b[i]`; `!c` implies `a[i] = d[i]`.
//! - `a = const(v)`: `a[i] = v` (rewriting leaves none of these).
//! - `a` a symbol: two reads `a[i]`, `a[j]`: `i = j` implies `a[i] = a[j]`.
//!
//! Each instance mentions reads of terms below `a` at an index that occurs already, so there are finitely many.

use crate::term::{Node, Op, Pool, Sort, Term};
use crate::value::Bv;
use std::collections::BTreeMap;

/// The axiom instances that the model violates, as truth values to be asserted; empty when the model is one of the
/// arrays too. `value` gives the model's value of a bit-vector term (blasting it if it was not, with any value the
/// model allows).
/// `fuel` counts the writes looked at; `None` when there is none left.
pub fn violated(
    pool: &mut Pool,
    reads: &[Term],
    fuel: &mut u64,
    mut value: impl FnMut(&Pool, Term) -> Bv,
) -> Option<Vec<Term>> {
    let mut lemmas = Vec::new();
    // Reads of symbols by (symbol, index value): the first read seen there.
    let mut seen: BTreeMap<(Term, Bv), Term> = BTreeMap::new();
    for &read in reads {
        let &[array, index] = pool.args(read) else { continue };
        let (mut read, mut array, mut index) = (read, array, index);
        // Walk down the writes as the model decides, until a lemma is violated or a symbol is reached.
        loop {
            *fuel = fuel.checked_sub(1)?;
            match pool.node(array).clone() {
                Node::Var(_) => {
                    let key = (array, value(pool, index));
                    let first = *seen.entry(key).or_insert(read);
                    if first != read && value(pool, first) != value(pool, read) {
                        let j = pool.args(first)[1];
                        let same = pool.eq(index, j);
                        let equal = pool.eq(read, first);
                        lemmas.push(pool.implies(same, equal));
                    }
                    break;
                }
                Node::App(Op::Store, p) => {
                    let same = pool.eq(p[1], index);
                    if value(pool, p[1]) == value(pool, index) {
                        if value(pool, p[2]) != value(pool, read) {
                            let equal = pool.eq(read, p[2]);
                            lemmas.push(pool.implies(same, equal));
                        }
                        break;
                    }
                    let below = pool.select(p[0], index);
                    step(pool, read, below, same, true, &mut lemmas, &mut value);
                    read = below;
                }
                Node::App(Op::Ite, p) => {
                    let taken = value(pool, p[0]).is_one();
                    let next = if taken { p[1] } else { p[2] };
                    let below = pool.select(next, index);
                    step(pool, read, below, p[0], !taken, &mut lemmas, &mut value);
                    read = below;
                }
                _ => break,
            }
            // `select` may have looked through writes to another array, or found the element itself, which may have been
            // read from somewhere else.
            match pool.as_app(read, Op::Select) {
                Some(&[a, i]) => (array, index) = (a, i),
                _ => break,
            }
        }
    }
    lemmas.sort();
    lemmas.dedup();
    Some(lemmas)
}

/// After the last model: the elements of array symbols that `reads` come to in it, by symbol and index. What is not
/// among them is up to whoever asks.
pub fn elements(
    pool: &Pool,
    reads: &[Term],
    mut fuel: u64,
    mut value: impl FnMut(&Pool, Term) -> Bv,
) -> BTreeMap<(Term, Bv), Bv> {
    let mut out = BTreeMap::new();
    for &read in reads {
        let &[array, index] = pool.args(read) else { continue };
        let (mut array, at) = (array, value(pool, index));
        // The value goes down with the writes that the model passes by.
        let element = value(pool, read);
        while let Some(left) = fuel.checked_sub(1) {
            fuel = left;
            match pool.node(array).clone() {
                Node::Var(_) => {
                    out.insert((array, at), element);
                    break;
                }
                Node::App(Op::Store, p) if value(pool, p[1]) != at => array = p[0],
                Node::App(Op::Ite, p) => array = if value(pool, p[0]).is_one() { p[1] } else { p[2] },
                _ => break,
            }
        }
    }
    out
}

/// `read = below` must hold since `guard` (negated when `inverted`) does. A violated instance does not end the walk: a
/// read that is new has no value yet, and the instances further down will be wanted as well.
fn step(
    pool: &mut Pool,
    read: Term,
    below: Term,
    guard: Term,
    inverted: bool,
    lemmas: &mut Vec<Term>,
    value: &mut impl FnMut(&Pool, Term) -> Bv,
) {
    if value(pool, below) == value(pool, read) {
        return;
    }
    let guard = if inverted { pool.not(guard) } else { guard };
    let equal = pool.eq(read, below);
    lemmas.push(pool.implies(guard, equal));
}

/// The sort of an array term.
pub fn sort(pool: &Pool, array: Term) -> (u32, u32) {
    match pool.sort(array) {
        Sort::Array { index, elem } => (index, elem),
        Sort::Bv(_) => panic!("a bit-vector is no array"),
    }
}
