//! Rows that somebody suggests: linear inequalities and equations between values at the head of a loop, with coefficients,
//! as guessed from what runs of the program had there. That an execution had them means nothing: like all rows of a
//! template they are shown where control gets to the head, or not relied on.

use crate::build::{Arrival, Build};
use crate::template::{Part, Relation, Variable};
use std::collections::BTreeMap;
use std::rc::Rc;
use verify_ir::{Block, FuncId, Value};

/// A value times a number that is not 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Summand {
    /// An integer: a parameter of the head, or made before the loop.
    pub value: Value,
    /// The coefficient.
    pub times: i32,
    /// Its bits are a number in two's complement.
    pub signed: bool,
}

/// What is suggested.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suggestion {
    /// The sum is at most this: tried first, and a little more.
    AtMost(Vec<Summand>, i64),
    /// The sum is always the same, modulo the width of the values, which is that of all of them.
    Constant(Vec<Summand>),
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
        fixed: &mut BTreeMap<Variable, crate::sym::Sym>,
    ) -> Vec<(Vec<Part>, Relation)> {
        let (f, _) = self.here();
        let all = self.e.suggestions.clone();
        let mut out = Vec::new();
        for s in all.get(&(f, header)).into_iter().flatten() {
            let (summands, relation) = match s {
                Suggestion::AtMost(summands, d) => (summands, Relation::AtMostFrom((*d).into())),
                Suggestion::Constant(summands) => (summands, Relation::Equal),
            };
            let mut part = |x: &Summand| {
                let variable = match params.iter().position(|p| *p == x.value) {
                    Some(i) => Variable::Param(i),
                    None => {
                        let s = self.earlier(start, x.value)?;
                        fixed.insert(Variable::Fixed(x.value), s);
                        Variable::Fixed(x.value)
                    }
                };
                Some(Part { variable, minus: x.times < 0, signed: x.signed, times: x.times.unsigned_abs() })
            };
            let parts: Option<Vec<Part>> = summands.iter().map(&mut part).collect();
            out.extend(parts.filter(|p| p.iter().all(|p| p.times != 0)).map(|parts| (parts, relation)));
        }
        out
    }
}
