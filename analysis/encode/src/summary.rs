//! What a function returns, as rows to be found out: its results, and how far they are from its parameters
//! (malik-2018 §2.4.4). Asked for where a function is looked at by itself; the rows are shown where it returns, and
//! assumed nowhere.

use crate::build::{Arrival, Build};
use crate::sym::Sym;
use crate::template::{Named, Relation, Row, Visit};
use verify_facts::invariant::{Part, Variable};
use verify_ir::{Block, CType, Encoding, FuncId, Module, Ty, TypeId};
use verify_solver::{Sort, Term};

/// Results and parameters that are looked at.
const MAX_PARAMS: usize = 8;

/// A number that the function is given or gives back.
struct Number {
    variable: Variable,
    bits: Term,
    width: u32,
    signed: bool,
}

impl Build<'_, '_> {
    /// The rows at the return of a function that was called with `args`.
    pub(crate) fn summary(&mut self, f: FuncId, args: &[Sym], end: &Arrival) {
        let module = self.module();
        let func = module.func(f);
        let Some(body) = &func.body else { return };
        let (ret, given) = match func.ctype.map(|t| module.ctype(t)) {
            Some(CType::Function { ret, params, .. }) => (Some(*ret), params.clone()),
            _ => (None, Vec::new()),
        };
        let (Some(Ty::Int(w @ 2..=64)), Some(r)) = (func.sig.results.first(), end.args.first()) else { return };
        if !self.e.terms.is_plain(*r) {
            return;
        }
        let result = Number { variable: Variable::Result, bits: r.bits, width: *w, signed: is_signed(module, ret) };
        let mut others = Vec::new();
        for (k, (v, s)) in body.block(Block(0)).params.iter().zip(args).enumerate().take(MAX_PARAMS) {
            if let Ty::Int(w @ 2..=64) = body.ty(*v)
                && self.e.terms.is_plain(*s)
            {
                let signed = is_signed(module, given.get(k).copied());
                others.push(Number { variable: Variable::Value(*v), bits: s.bits, width: w, signed });
            }
        }
        let reached = self.reached(end.path.guard);
        for minus in [false, true] {
            self.row_at_return(f, reached, &[(&result, minus)]);
            for o in &others {
                self.row_at_return(f, reached, &[(&result, minus), (o, !minus)]);
            }
        }
    }

    fn row_at_return(&mut self, func: FuncId, reached: Term, parts: &[(&Number, bool)]) {
        let widest = parts.iter().map(|(n, _)| n.width).max().unwrap_or(1);
        let width = widest + 1 + parts.len() as u32;
        let mut most = 0i128;
        let mut sum = self.e.terms.pool.num(width, 0);
        for (n, minus) in parts {
            most += match (n.signed, minus) {
                (true, false) => (1 << (n.width - 1)) - 1,
                (true, true) => 1 << (n.width - 1),
                (false, false) => (1 << n.width) - 1,
                (false, true) => 0,
            };
            let pool = &mut self.e.terms.pool;
            let v = if n.signed { pool.sext(n.bits, width) } else { pool.zext(n.bits, width) };
            sum = if *minus { pool.sub(sum, v) } else { pool.add(sum, v) };
        }
        let row = self.out.rows.len();
        let bound = self.t().symbol(&[41, func.0, row as u32], Sort::Bv(width));
        let parts =
            parts.iter().map(|(n, minus)| Part { variable: n.variable, minus: *minus, signed: n.signed, times: 1 });
        let named = Named { calls: Vec::new(), func, header: Block(0), parts: parts.collect() };
        let likely = vec![-1, 0, 1];
        self.out.rows.push(Row {
            bound,
            width,
            most,
            likely,
            relation: Relation::AtMost,
            suggested: false,
            by_case: false,
            elements: false,
            what: "at the return".into(),
            named: Some(named),
        });
        let kept = self.out.rows[row].at_most(&mut self.e.terms.pool, sum);
        self.out.visits.push(Visit { row, reached, value: Some((sum, kept)) });
    }
}

/// Numbers of the type are signed.
pub(crate) fn is_signed(module: &Module, mut ty: Option<TypeId>) -> bool {
    while let Some(t) = ty {
        ty = match module.ctype(t) {
            CType::Typedef { ty, .. } | CType::Qualified { ty, .. } => Some(*ty),
            CType::Enum { underlying, .. } => Some(*underlying),
            CType::Base { encoding, .. } => {
                return !matches!(encoding, Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool);
            }
            _ => None,
        };
    }
    true
}
