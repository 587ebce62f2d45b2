//! Rows that somebody suggests: linear inequalities and equations between values at the head of a loop, with coefficients,
//! as guessed from what runs of the program had there. That an execution had them means nothing: like all rows of a
//! template they are shown where control gets to the head, or not relied on.

use crate::build::{Arrival, Build};
use crate::iterate::Place;
use crate::object::Kind;
use crate::plan::Suggested;
use crate::sym::{NULL, Sym};
use crate::template::{Against, Part, Relation, Variable, When};
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_ir::inst::IntPred;
use verify_ir::{Block, FuncId, Operand, Value};

/// What a suggestion speaks of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// An integer: a parameter of the head, or made before the loop.
    Value(Value),
    /// Bytes of memory, as an integer.
    Memory {
        /// A pointer: a constant, or made before the loop.
        base: Operand,
        /// Bytes behind it.
        offset: i64,
        /// Bytes, 1 to 8.
        size: u64,
    },
}

/// A value times a number that is not 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Summand {
    /// The value.
    pub source: Source,
    /// The coefficient.
    pub times: i64,
    /// Its bits are a number in two's complement.
    pub signed: bool,
}

/// What is suggested.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Suggestion {
    /// The sum is at most this: tried first, and a little more.
    AtMost(Vec<Summand>, i64),
    /// The sum is always the same, modulo the width of the values, which is that of all of them.
    Constant(Vec<Summand>),
    /// The sum, modulo the width of the values, which is that of all of them, leaves this rest when it is divided by this number:
    /// the number and the rest.
    Rest(Vec<Summand>, u64, u64),
    /// It is so but where the loop is entered: while a counter of the loop is not what it began with.
    Later(Box<Suggestion>),
    /// It is so where this holds at the head.
    Given(Condition, Box<Suggestion>),
}

/// A comparison of two integers of the same width, or of one with a constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition {
    /// How.
    pub pred: IntPred,
    /// Left side.
    pub left: Source,
    /// Right side.
    pub right: Side,
}

/// What an integer is compared with.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// These bits.
    Constant(u64),
    /// Another one.
    Source(Source),
}

/// Suggestions by the head of a loop.
pub type Suggestions = Rc<BTreeMap<(FuncId, Block), Vec<Suggestion>>>;

impl<'a> Build<'_, 'a> {
    /// The suggestions for the loop with this head, as far as the state has the values.
    pub(crate) fn suggested(
        &mut self,
        header: Block,
        params: &[Value],
        start: &Arrival,
        fixed: &mut BTreeMap<Variable, Sym>,
    ) -> Vec<(Vec<Part>, Relation, When)> {
        let (f, _) = self.here();
        let all = self.e.suggestions.clone();
        let mut out = Vec::new();
        for s in all.get(&(f, header)).into_iter().flatten() {
            let (when, s) = match s {
                Suggestion::Later(s) => (When::Later, &**s),
                Suggestion::Given(..) if self.plan.suggested < Suggested::ByCases => continue,
                Suggestion::Given(c, s) => {
                    let Some(left) = self.variable(params, start, fixed, &c.left) else { continue };
                    let right = match &c.right {
                        Side::Constant(bits) => Against::Constant(*bits),
                        Side::Source(x) => match self.variable(params, start, fixed, x) {
                            Some(v) => Against::Variable(v),
                            None => continue,
                        },
                    };
                    (When::Given(c.pred, left, right), &**s)
                }
                s => (When::Always, s),
            };
            let (summands, relation) = match s {
                Suggestion::AtMost(summands, d) => (summands, Relation::AtMostFrom((*d).into())),
                Suggestion::Constant(summands) => (summands, Relation::Equal),
                Suggestion::Rest(summands, m, is) => (summands, Relation::Rest(*m, *is)),
                Suggestion::Later(_) | Suggestion::Given(..) => continue,
            };
            let mut part = |x: &Summand| {
                let variable = self.variable(params, start, fixed, &x.source)?;
                Some(Part { variable, minus: x.times < 0, signed: x.signed, times: x.times.unsigned_abs() })
            };
            let parts: Option<Vec<Part>> = summands.iter().map(&mut part).collect();
            out.extend(parts.filter(|p| p.iter().all(|p| p.times != 0)).map(|parts| (parts, relation, when)));
        }
        out
    }

    fn variable(
        &mut self,
        params: &[Value],
        start: &Arrival,
        fixed: &mut BTreeMap<Variable, Sym>,
        x: &Source,
    ) -> Option<Variable> {
        Some(match x {
            Source::Value(v) => match params.iter().position(|p| p == v) {
                Some(i) => Variable::Param(i),
                None => {
                    fixed.insert(Variable::Fixed(*v), self.earlier(start, *v)?);
                    Variable::Fixed(*v)
                }
            },
            Source::Memory { base, offset, size } => Variable::Number(self.cell(start, base, *offset, *size)?),
        })
    }

    /// Where memory is, if that is one place.
    fn cell(&mut self, start: &Arrival, base: &Operand, offset: i64, size: u64) -> Option<Place> {
        let at = match base {
            Operand::Const(c) => self.constant(&start.path, c),
            Operand::Value(v) => self.earlier(start, *v)?,
        };
        let pool = &self.e.terms.pool;
        let object = pool.as_const(at.prov)?.to_u64()? as u32;
        let from = pool.as_const(at.bits)?.to_u64()?.checked_add_signed(offset)?;
        let o = &self.e.terms.objects[object as usize];
        let own = object != NULL && !matches!(o.kind, Kind::Wild | Kind::Summary);
        let end = from.checked_add(size)?;
        let large = pool.as_const(o.size).is_none_or(|s| s.to_u64().is_some_and(|s| s >= end));
        (own && large).then_some((object, from, size))
    }
}
