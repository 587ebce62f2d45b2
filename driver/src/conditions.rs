//! Calls by which a task says a condition (`__VERIFIER_assume(p)`), with the condition as the task passes it: a `_Bool`, a
//! `long`, a pointer, by a declaration of its own or without one. The models take an `int`; cutting a number down to
//! one, or leaving it open what stands above a `_Bool`, would be another condition. So each becomes the outcome of a
//! comparison with zero. Functions that the program defines itself are its own affair.

use verify_ir::inst::{CastOp, IntPred};
use verify_ir::{Body, Const, Inst, InstKind, Module, Operand, Param, SymbolRef, Ty, Value, ValueData};

/// Functions whose first argument is a condition.
const CONDITIONS: [&str; 6] = [
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__CPROVER_assume",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
];

/// What the models take.
const CONDITION: Ty = Ty::Int(32);

/// Makes every condition the number 0 or 1.
pub fn as_numbers(units: &mut [Module]) {
    for unit in units {
        let known: Vec<bool> =
            unit.functions.iter().map(|f| f.body.is_none() && CONDITIONS.contains(&f.name.as_str())).collect();
        if !known.contains(&true) {
            continue;
        }
        let is_known = |callee: &Operand| match callee {
            Operand::Const(Const::Symbol(SymbolRef::Func(f))) => known[f.index()],
            _ => false,
        };
        for body in unit.functions.iter_mut().filter_map(|f| f.body.as_mut()) {
            in_body(body, &is_known);
        }
    }
}

fn in_body(body: &mut Body, is_known: &dyn Fn(&Operand) -> bool) {
    for b in 0..body.blocks.len() {
        let mut at = 0;
        while at < body.blocks[b].insts.len() {
            let inst = &body.blocks[b].insts[at];
            let span = inst.span;
            at += 1;
            let InstKind::Call(call) = &inst.kind else { continue };
            let Some(condition) = call.args.first().filter(|_| is_known(&call.callee)) else { continue };
            let zero = match body.operand_ty(condition) {
                CONDITION | Ty::Float(_) => continue,
                Ty::Int(width) => Const::int(width, 0),
                Ty::Ptr => Const::Null,
            };
            let (lhs, rhs) = (condition.clone(), Operand::Const(zero));
            let (truth, number) = (value(body, Ty::BOOL), value(body, CONDITION));
            let made = [
                (truth, InstKind::Icmp { pred: IntPred::Ne, lhs, rhs }),
                (number, InstKind::Cast { op: CastOp::ZExt, arg: Operand::Value(truth) }),
            ];
            if let InstKind::Call(call) = &mut body.blocks[b].insts[at - 1].kind {
                call.args[0] = Operand::Value(number);
                call.params[0] = Param::plain(CONDITION);
            }
            let made = made.map(|(result, kind)| Inst { results: vec![result], kind, span });
            body.blocks[b].insts.splice(at - 1..at - 1, made);
            at += 2;
        }
    }
}

fn value(body: &mut Body, ty: Ty) -> Value {
    body.values.push(ValueData { ty, var: None });
    Value::new(body.values.len() - 1)
}
