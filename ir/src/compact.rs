//! Renumbers the values of a body so that exactly those that are defined remain, in order of definition. For passes
//! that leave holes (promotion of allocas, removal of blocks); afterwards the rule "every value is defined" holds.

use crate::constant::Operand;
use crate::entity::Value;
use crate::function::Body;

/// Drops the values that nothing defines. A use of one (which `check` refuses anyway) keeps its meaning: such a value
/// stays, at the end of the table.
pub fn compact_values(body: &mut Body) {
    let mut new: Vec<Option<Value>> = vec![None; body.values.len()];
    let mut values = Vec::with_capacity(body.values.len());
    let old = std::mem::take(&mut body.values);
    let mut rename = |v: &mut Value| {
        if let Some(slot) = new.get_mut(v.index()) {
            *v = *slot.get_or_insert_with(|| {
                values.push(old[v.index()]);
                Value::new(values.len() - 1)
            });
        }
    };
    for b in &mut body.blocks {
        b.params.iter_mut().for_each(&mut rename);
        b.insts.iter_mut().flat_map(|i| &mut i.results).for_each(&mut rename);
    }
    let mut operand = |o: &mut Operand| {
        if let Operand::Value(v) = o {
            rename(v);
        }
    };
    for b in &mut body.blocks {
        b.insts.iter_mut().for_each(|i| i.kind.for_each_operand_mut(&mut operand));
        b.term.for_each_operand_mut(&mut operand);
    }
    body.values = values;
}
