//! The meaning of terms: evaluation under an assignment of the symbols. This is the reference that rewriting and
//! bit-blasting are tested against.

use crate::term::{Node, Op, Pool, Sort, Term};
use crate::value::Bv;
use std::collections::BTreeMap;

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Bit-vector.
    Bv(Bv),
    /// Array: exceptions to a default element.
    Array {
        /// Elements by index.
        map: BTreeMap<Bv, Bv>,
        /// Every other element.
        default: Bv,
    },
}

impl Value {
    /// The bit-vector.
    ///
    /// # Panics
    /// If it is an array.
    pub fn bv(&self) -> &Bv {
        match self {
            Value::Bv(v) => v,
            Value::Array { .. } => panic!("an array where a bit-vector is expected"),
        }
    }
}

/// Applies a bit-vector operator to constants; `width` is the result's. `None` for array operators.
pub fn apply(op: Op, args: &[&Bv], width: u32) -> Option<Bv> {
    use std::cmp::Ordering::Less;
    Some(match (op, args) {
        (Op::Not, [a]) => a.not(),
        (Op::Neg, [a]) => a.neg(),
        (Op::And, [a, b]) => a.and(b),
        (Op::Or, [a, b]) => a.or(b),
        (Op::Xor, [a, b]) => a.xor(b),
        (Op::Add, [a, b]) => a.add(b),
        (Op::Mul, [a, b]) => a.mul(b),
        (Op::UDiv, [a, b]) => a.udiv(b),
        (Op::URem, [a, b]) => a.urem(b),
        (Op::SDiv, [a, b]) => a.sdiv(b),
        (Op::SRem, [a, b]) => a.srem(b),
        (Op::Shl, [a, b]) => a.shl(b),
        (Op::LShr, [a, b]) => a.lshr(b),
        (Op::AShr, [a, b]) => a.ashr(b),
        (Op::Concat, [a, b]) => a.concat(b),
        (Op::Extract { hi, lo }, [a]) => a.extract(hi, lo),
        (Op::ZExt, [a]) => a.zext(width),
        (Op::SExt, [a]) => a.sext(width),
        (Op::Eq, [a, b]) => Bv::bool(a == b),
        (Op::Ult, [a, b]) => Bv::bool(a.ucmp(b) == Less),
        (Op::Slt, [a, b]) => Bv::bool(a.scmp(b) == Less),
        (Op::Ite, [c, a, b]) => {
            if c.is_zero() {
                (*b).clone()
            } else {
                (*a).clone()
            }
        }
        (Op::Float(op, f), n) => return crate::float::exact::apply(op, f, n, width),
        _ => return None,
    })
}

/// Values of `roots`, with `symbol` giving the value of each free symbol.
pub fn eval(pool: &Pool, roots: &[Term], mut symbol: impl FnMut(Term) -> Value) -> Vec<Value> {
    let mut memo: BTreeMap<Term, Value> = BTreeMap::new();
    for t in pool.cone(roots) {
        let v = match pool.node(t) {
            Node::Const(v) => Value::Bv(v.clone()),
            Node::Var(_) => symbol(t),
            Node::App(op, args) => {
                let a: Vec<&Value> = args.iter().map(|a| &memo[a]).collect();
                eval_app(*op, &a, pool.sort(t))
            }
        };
        memo.insert(t, v);
    }
    roots.iter().map(|r| memo[r].clone()).collect()
}

fn eval_app(op: Op, args: &[&Value], sort: Sort) -> Value {
    match (op, args) {
        (Op::Select, [Value::Array { map, default }, i]) => Value::Bv(map.get(i.bv()).unwrap_or(default).clone()),
        (Op::Store, [Value::Array { map, default }, i, v]) => {
            let mut map = map.clone();
            map.insert(i.bv().clone(), v.bv().clone());
            Value::Array { map, default: default.clone() }
        }
        (Op::ConstArray, [v]) => Value::Array { map: BTreeMap::new(), default: v.bv().clone() },
        (Op::Ite, [c, a, b]) => {
            if c.bv().is_zero() {
                (*b).clone()
            } else {
                (*a).clone()
            }
        }
        _ => {
            let Sort::Bv(w) = sort else { panic!("operator {op:?} does not make an array") };
            let bvs: Vec<&Bv> = args.iter().map(|a| a.bv()).collect();
            Value::Bv(apply(op, &bvs, w).unwrap_or_else(|| panic!("operator {op:?} on {} operands", args.len())))
        }
    }
}
