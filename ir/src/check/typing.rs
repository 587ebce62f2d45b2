//! The typing rules in the table of the module documentation, one arm per line of it.

use super::Checker;
use crate::constant::{Const, Operand};
use crate::function::{Body, Function};
use crate::inst::{Call, CastOp, FBinOp, Inst, InstKind, RmwOp, Step, Terminator, UnOp};
use crate::text::ty_name;
use crate::types::Ty;
use std::collections::BTreeSet;

/// The type of an operand; `None` for a value that is not in the table.
pub(super) fn operand_ty(body: &Body, o: &Operand) -> Option<Ty> {
    match o {
        Operand::Value(v) => body.values.get(v.index()).map(|d| d.ty),
        Operand::Const(c) => Some(c.ty()),
    }
}

/// What a rule wants at one position.
#[derive(Clone, Copy)]
enum Want {
    Is(Ty),
    Int,
    Float,
    Any,
}

impl Want {
    fn allows(self, t: Ty) -> bool {
        match self {
            Want::Is(w) => w == t,
            Want::Int => matches!(t, Ty::Int(_)),
            Want::Float => matches!(t, Ty::Float(_)),
            Want::Any => true,
        }
    }
}

impl std::fmt::Display for Want {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Want::Is(t) => f.write_str(&ty_name(*t)),
            Want::Int => f.write_str("an integer"),
            Want::Float => f.write_str("a floating-point number"),
            Want::Any => f.write_str("anything"),
        }
    }
}

const PTR: Want = Want::Is(Ty::Ptr);
const BOOL: Want = Want::Is(Ty::BOOL);

impl Checker<'_> {
    /// The operand's type, after testing it against `want`.
    fn want(&mut self, body: &Body, o: &Operand, want: Want, what: &str) -> Option<Ty> {
        let have = operand_ty(body, o)?;
        self.require(want.allows(have), || format!("{what} is {}, must be {want}", ty_name(have)));
        Some(have)
    }

    /// All operands have the type of the first, which is as wanted.
    fn same(&mut self, body: &Body, ops: &[&Operand], want: Want, what: &str) -> Option<Ty> {
        let first = self.want(body, ops[0], want, what)?;
        for o in &ops[1..] {
            self.want(body, o, Want::Is(first), what);
        }
        Some(first)
    }

    fn results(&mut self, body: &Body, inst: &Inst, want: &[Want]) {
        if inst.results.len() != want.len() {
            self.problem(format!("{} results, must have {}", inst.results.len(), want.len()));
            return;
        }
        for (r, w) in inst.results.iter().zip(want) {
            if let Some(d) = body.values.get(r.index()) {
                let have = d.ty;
                self.require(w.allows(have), || format!("result {r} is {}, must be {w}", ty_name(have)));
            }
        }
    }

    /// The results have the type `t`, or any when an operand's type is not known.
    fn result_is(&mut self, body: &Body, inst: &Inst, t: Option<Ty>) {
        self.results(body, inst, &[t.map_or(Want::Any, Want::Is)]);
    }

    pub(super) fn inst(&mut self, body: &Body, inst: &Inst) {
        use InstKind::*;
        match &inst.kind {
            Binary { lhs, rhs, .. } => {
                let t = self.same(body, &[lhs, rhs], Want::Int, "operand");
                self.result_is(body, inst, t);
            }
            Icmp { lhs, rhs, .. } => {
                let t = self.same(body, &[lhs, rhs], Want::Any, "operand");
                self.require(!matches!(t, Some(Ty::Float(_))), || {
                    "integer comparison of floating-point numbers".into()
                });
                self.results(body, inst, &[BOOL]);
            }
            FBinary { op, lhs, rhs } => {
                let t = self.want(body, lhs, Want::Float, "left operand");
                let right = match (op, t) {
                    (FBinOp::Ldexp, _) => Want::Int,
                    (_, Some(t)) => Want::Is(t),
                    (_, None) => Want::Float,
                };
                self.want(body, rhs, right, "right operand");
                self.result_is(body, inst, t);
            }
            Fcmp { lhs, rhs, .. } => {
                self.same(body, &[lhs, rhs], Want::Float, "operand");
                self.results(body, inst, &[BOOL]);
            }
            Unary { op, arg } => {
                let t = self.want(body, arg, Want::Int, "operand");
                if let (UnOp::BSwap, Some(Ty::Int(w))) = (op, t) {
                    self.require(w % 8 == 0, || format!("bswap of i{w}"));
                }
                self.result_is(body, inst, t);
            }
            FUnary { arg, .. } => {
                let t = self.want(body, arg, Want::Float, "operand");
                self.result_is(body, inst, t);
            }
            Fma { a, b, c } => {
                let t = self.same(body, &[a, b, c], Want::Float, "operand");
                self.result_is(body, inst, t);
            }
            Cast { op, arg } => self.cast(body, inst, *op, arg),
            Select { cond, then, other } => {
                self.want(body, cond, BOOL, "condition");
                let t = self.same(body, &[then, other], Want::Any, "choice");
                self.result_is(body, inst, t);
            }
            Overflow { lhs, rhs, .. } => {
                let t = self.same(body, &[lhs, rhs], Want::Int, "operand");
                self.results(body, inst, &[t.map_or(Want::Int, Want::Is), BOOL]);
            }
            Funnel { hi, lo, amount, .. } => {
                let t = self.same(body, &[hi, lo, amount], Want::Int, "operand");
                self.result_is(body, inst, t);
            }
            Freeze { arg } => {
                let t = self.want(body, arg, Want::Any, "operand");
                self.result_is(body, inst, t);
            }
            Uninit => self.results(body, inst, &[Want::Any]),
            Addr { base, steps, .. } => {
                self.want(body, base, PTR, "base");
                for s in steps {
                    if let Step::Index { index, .. } = s {
                        self.want(body, index, Want::Int, "index");
                    }
                }
                self.results(body, inst, &[PTR]);
            }
            Alloca { count, align, ctype, .. } => {
                self.want(body, count, Want::Int, "count");
                self.align(*align, || "the alloca".into());
                self.ctype(*ctype);
                self.results(body, inst, &[PTR]);
            }
            LifetimeStart { object: p }
            | LifetimeEnd { object: p }
            | StackRestore { token: p }
            | VaStart { list: p }
            | VaEnd { list: p } => {
                self.want(body, p, PTR, "operand");
                self.results(body, inst, &[]);
            }
            StackSave => self.results(body, inst, &[PTR]),
            Load { ptr, align, .. } => {
                self.want(body, ptr, PTR, "address");
                self.align(*align, || "the load".into());
                self.results(body, inst, &[Want::Any]);
            }
            Store { ptr, align, .. } => {
                self.want(body, ptr, PTR, "address");
                self.align(*align, || "the store".into());
                self.results(body, inst, &[]);
            }
            MemCopy { dst, src, len, .. } => {
                self.same(body, &[dst, src], PTR, "address");
                self.want(body, len, Want::Int, "length");
                self.results(body, inst, &[]);
            }
            MemSet { dst, byte, len, .. } => {
                self.want(body, dst, PTR, "address");
                self.want(body, byte, Want::Is(Ty::Int(8)), "byte");
                self.want(body, len, Want::Int, "length");
                self.results(body, inst, &[]);
            }
            AtomicRmw { op, ptr, value } => {
                let want = match op {
                    RmwOp::Xchg => Want::Any,
                    RmwOp::FAdd | RmwOp::FSub | RmwOp::FMax | RmwOp::FMin => Want::Float,
                    _ => Want::Int,
                };
                self.want(body, ptr, PTR, "address");
                let t = self.want(body, value, want, "value");
                self.result_is(body, inst, t);
            }
            CmpXchg { ptr, expected, new, .. } => {
                self.want(body, ptr, PTR, "address");
                let t = self.same(body, &[expected, new], Want::Any, "value");
                self.require(!matches!(t, Some(Ty::Float(_))), || "cmpxchg of floating-point numbers".into());
                self.results(body, inst, &[t.map_or(Want::Any, Want::Is), BOOL]);
            }
            Call(c) => self.call(body, c),
            VaCopy { dst, src } => {
                self.same(body, &[dst, src], PTR, "operand");
                self.results(body, inst, &[]);
            }
            InlineAsm(a) => {
                for (p, _) in &a.written {
                    self.want(body, p, PTR, "written address");
                }
            }
            Check { ok, .. } => {
                self.want(body, ok, BOOL, "condition");
                self.results(body, inst, &[]);
            }
            Assume { cond } => {
                self.want(body, cond, BOOL, "condition");
                self.results(body, inst, &[]);
            }
            DebugValue { var, .. } => {
                self.in_range(var, var.index(), body.vars.len(), "variable");
                self.results(body, inst, &[]);
            }
            ObjectSize { ptr, .. } => {
                self.want(body, ptr, PTR, "operand");
                self.results(body, inst, &[Want::Int]);
            }
            Opaque { .. } => {
                self.results(body, inst, &[Want::Any]);
                let float = |r: &crate::Value| body.values.get(r.index()).is_some_and(|d| matches!(d.ty, Ty::Float(_)));
                self.require(!inst.results.iter().any(float), || "opaque result is not an integer or pointer".into());
            }
            Unmodelled { .. } => {}
        }
    }

    fn cast(&mut self, body: &Body, inst: &Inst, op: CastOp, arg: &Operand) {
        self.results(body, inst, &[Want::Any]);
        let (Some(from), Some(to)) =
            (operand_ty(body, arg), inst.results.first().and_then(|r| body.values.get(r.index())).map(|d| d.ty))
        else {
            return;
        };
        let target = &self.module.target;
        let ok = match (op, from, to) {
            (CastOp::Trunc, Ty::Int(a), Ty::Int(b)) => b < a,
            (CastOp::ZExt | CastOp::SExt, Ty::Int(a), Ty::Int(b)) => b > a,
            (CastOp::FpTrunc, Ty::Float(a), Ty::Float(b)) => a != b && b.bits() <= a.bits(),
            (CastOp::FpExt, Ty::Float(a), Ty::Float(b)) => a != b && b.bits() >= a.bits(),
            (
                CastOp::FpToUi
                | CastOp::FpToSi
                | CastOp::FpToUiSat
                | CastOp::FpToSiSat
                | CastOp::LRint
                | CastOp::LRound,
                Ty::Float(_),
                Ty::Int(_),
            ) => true,
            (CastOp::UiToFp | CastOp::SiToFp, Ty::Int(_), Ty::Float(_)) => true,
            (CastOp::PtrToInt, Ty::Ptr, Ty::Int(_)) | (CastOp::IntToPtr, Ty::Int(_), Ty::Ptr) => true,
            (CastOp::Bitcast, a, b) => a.bits(target) == b.bits(target) && (a == Ty::Ptr) == (b == Ty::Ptr),
            _ => false,
        };
        self.require(ok, || format!("{op} from {} to {}", ty_name(from), ty_name(to)));
    }

    fn call(&mut self, body: &Body, c: &Call) {
        self.want(body, &c.callee, PTR, "callee");
        self.params(&c.params, "argument");
        if c.args.len() != c.params.len() {
            self.problem(format!("{} arguments but {} argument descriptions", c.args.len(), c.params.len()));
        }
        for (i, (a, p)) in c.args.iter().zip(&c.params).enumerate() {
            self.want(body, a, Want::Is(p.ty), &format!("argument {i}"));
        }
        if let Some(fixed) = c.fixed {
            self.require(fixed as usize <= c.args.len(), || {
                format!("{fixed} named arguments but only {} arguments", c.args.len())
            });
        }
    }

    pub(super) fn terminator(&mut self, f: &Function, body: &Body, term: &Terminator) {
        match term {
            Terminator::Jump(_) | Terminator::Resume(_) | Terminator::Unreachable => {}
            Terminator::Branch { cond, .. } => {
                self.want(body, cond, BOOL, "condition");
            }
            Terminator::Switch { value, cases, .. } => {
                let t = self.want(body, value, Want::Int, "switch value");
                let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
                for (i, (c, _)) in cases.iter().enumerate() {
                    let key = match c {
                        Const::Int { value, .. } => vec![*value as u64, (*value >> 64) as u64],
                        Const::Wide { limbs, .. } => limbs.to_vec(),
                        _ => {
                            self.problem(format!("case {i} is not an integer"));
                            continue;
                        }
                    };
                    let have = c.ty();
                    self.require(t.is_none_or(|t| t == have), || {
                        format!("case {i} is {}, not of the type of the switch value", ty_name(have))
                    });
                    self.require(seen.insert(key), || format!("case {i} repeats a value"));
                }
            }
            Terminator::IndirectJump { address, .. } => {
                self.want(body, address, PTR, "address");
            }
            Terminator::Return(vs) => {
                let results = &f.sig.results;
                if vs.len() != results.len() {
                    self.problem(format!("returns {} values, the signature has {}", vs.len(), results.len()));
                }
                for (v, r) in vs.iter().zip(results) {
                    self.want(body, v, Want::Is(*r), "returned value");
                }
            }
            Terminator::Invoke { call, .. } => self.call(body, call),
        }
    }
}
