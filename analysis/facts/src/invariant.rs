//! The language in which invariants of loops are written down: linear inequalities between what the program has at the
//! head of a loop. Who finds them and who checks them agree on nothing else; people read them in C.
//!
//! A row is `sum of parts <= at_most` over the integers: nothing wraps. The value of a pointer is its byte offset in
//! the object that it points into. It holds whenever control is at the head, on entry and after each iteration, before
//! the head's condition is evaluated.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use verify_ir::{Block, FuncId, GlobalId, Loc, Value};

/// An object that a row speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Object {
    /// A variable of the program.
    Global(GlobalId),
    /// The one that a value points to the start of: a local variable by its `alloca`, a heap object by where it was made.
    Behind {
        /// Calls upwards: 0 is the function of the loop, 1 its caller.
        frame: u32,
        /// A pointer of that function.
        value: Value,
    },
}

/// Something with a number at the head of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Variable {
    /// A value of the function: a parameter of the head, or made before the loop.
    Value(Value),
    /// What a parameter of the head was when the loop was entered.
    Start(Value),
    /// What the function returns; only where it does.
    Result,
    /// Bytes of memory, as a little-endian number.
    Cell {
        /// Where.
        object: Object,
        /// In bytes.
        offset: u64,
        /// In bytes, at most 8.
        size: u64,
    },
}

/// One variable of a row, with its sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// What.
    pub variable: Variable,
    /// It is subtracted.
    pub minus: bool,
    /// Its bits are a number in two's complement.
    pub signed: bool,
    /// How often it counts, not 0.
    pub times: u32,
}

/// `sum of parts <= at_most`, or one of some others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Row {
    /// One or more, of different variables.
    pub parts: Vec<Part>,
    /// The parameter.
    pub at_most: i128,
    /// Where it does not hold, one of these does; they have no others.
    #[serde(default)]
    pub or: Vec<Row>,
}

impl Row {
    /// Speaks of the function of the loop only, not of its callers.
    fn is_local(&self) -> bool {
        let own = |p: &Part| match p.variable {
            Variable::Cell { object: Object::Behind { frame, .. }, .. } => frame == 0,
            _ => true,
        };
        self.parts.iter().all(own) && self.or.iter().all(Row::is_local)
    }
}

/// What holds at the head of a loop when its function was called this way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct LoopInvariant {
    /// The calls in progress, outermost first: functions and the places of the calls in them. [`None`]: however the
    /// function is called.
    pub calls: Option<Vec<(FuncId, Loc)>>,
    /// The function of the loop.
    pub func: FuncId,
    /// Its head; block 0, which heads no loop: where the function returns, its parameters as they were given.
    pub header: Block,
    /// All hold.
    pub rows: Vec<Row>,
}

/// What holds at the head of each loop however its function was called: rows of the same expression with the weakest
/// parameter, and only those that are known of every call.
pub fn in_all_calls(all: &[LoopInvariant]) -> Vec<LoopInvariant> {
    let heads: BTreeSet<(FuncId, Block)> = all.iter().map(|i| (i.func, i.header)).collect();
    let mut out = Vec::new();
    for (func, header) in heads {
        let same: Vec<&LoopInvariant> = all.iter().filter(|i| (i.func, i.header) == (func, header)).collect();
        let several = same.len() > 1;
        let mut rows: Vec<Row> = Vec::new();
        for r in &same[0].rows {
            if !r.or.is_empty() {
                // Of these there is no weakest.
                if same.iter().all(|i| i.rows.contains(r)) && (!several || r.is_local()) {
                    rows.push(r.clone());
                }
                continue;
            }
            let local = r.is_local();
            let bounds: Option<Vec<i128>> = same
                .iter()
                .map(|i| i.rows.iter().filter(|o| o.parts == r.parts && o.or.is_empty()).map(|o| o.at_most).min())
                .collect();
            if let (Some(b), true) = (bounds, local || !several) {
                let at_most = b.into_iter().max().unwrap_or(r.at_most);
                let row = Row { parts: r.parts.clone(), at_most, or: Vec::new() };
                if !rows.contains(&row) {
                    rows.push(row);
                }
            }
        }
        let calls = if several { None } else { same[0].calls.clone() };
        out.push(LoopInvariant { calls, func, header, rows });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(v: u32, at_most: i128) -> Row {
        Row {
            parts: vec![Part { variable: Variable::Value(Value(v)), minus: false, signed: true, times: 1 }],
            at_most,
            or: Vec::new(),
        }
    }

    #[test]
    fn the_weakest_of_all_calls() {
        let f = |site: u32, rows: Vec<Row>| LoopInvariant {
            calls: Some(vec![(FuncId(0), Loc { block: Block(0), inst: site })]),
            func: FuncId(1),
            header: Block(2),
            rows,
        };
        let all = [f(1, vec![row(1, 10), row(2, 3)]), f(2, vec![row(1, 7)])];
        let merged = in_all_calls(&all);
        assert_eq!(merged.len(), 1);
        assert_eq!(merged[0].rows, [row(1, 10)]);
        assert_eq!(merged[0].calls, None);
        assert_eq!(in_all_calls(&all[..1])[0], all[0]);
    }
}
