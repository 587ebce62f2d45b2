//! Vectors as lists of lanes: element access and reinterpretation of bits.

use crate::ffi::Val;
use crate::func::{FnCx, Leaves};
use verify_ir::inst::{BinOp, CastOp, IntPred};
use verify_ir::{Const, InstKind, Operand, Ty};

impl<'m> FnCx<'_, 'm> {
    pub(crate) fn extract_element(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let lanes = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let index = self.arg(v, 1)?;
        let ty = lanes.first().map(|o| self.body.operand_ty(o)).ok_or("empty vector")?;
        if let Operand::Const(c) = &index {
            // Beyond the end: LLVM's poison.
            let lane = const_index(c).and_then(|i| lanes.get(i).cloned());
            return Ok(vec![lane.unwrap_or(Operand::Const(Const::Poison(ty)))]);
        }
        let it = self.body.operand_ty(&index);
        let Ty::Int(w) = it else { return Err("vector index is not an integer".into()) };
        let mut r = Operand::Const(Const::Poison(ty));
        for (i, lane) in lanes.into_iter().enumerate().rev() {
            let cond = self.icmp(IntPred::Eq, index.clone(), Operand::int(w, i as u128));
            r = self.emit1(InstKind::Select { cond, then: lane, other: r }, ty);
        }
        Ok(vec![r])
    }

    pub(crate) fn insert_element(&mut self, v: Val<'m>) -> Result<Leaves, String> {
        let mut lanes = self.leaves_of(v.operand(0).ok_or("missing operand")?)?;
        let value = self.arg(v, 1)?;
        let index = self.arg(v, 2)?;
        let ty = self.body.operand_ty(&value);
        if let Operand::Const(c) = &index {
            match const_index(c).and_then(|i| lanes.get_mut(i)) {
                Some(l) => *l = value,
                None => lanes.fill(Operand::Const(Const::Poison(ty))),
            }
            return Ok(lanes);
        }
        let Ty::Int(w) = self.body.operand_ty(&index) else { return Err("vector index is not an integer".into()) };
        // An index beyond the end makes every lane poison in LLVM; here the checks of the index are elsewhere (clang
        // masks or the C code is undefined), and no lane changes.
        for (i, lane) in lanes.iter_mut().enumerate() {
            let cond = self.icmp(IntPred::Eq, index.clone(), Operand::int(w, i as u128));
            *lane = self.emit1(InstKind::Select { cond, then: value.clone(), other: lane.clone() }, ty);
        }
        Ok(lanes)
    }

    /// A scalar as an integer of its width.
    fn as_int(&mut self, o: Operand) -> Operand {
        match self.body.operand_ty(&o) {
            Ty::Int(_) => o,
            t => {
                let bits = t.bits(&self.cx.out.target);
                let op = if t == Ty::Ptr { CastOp::PtrToInt } else { CastOp::Bitcast };
                self.cast(op, o, Ty::Int(bits))
            }
        }
    }

    /// An integer as a scalar of its width.
    fn int_as(&mut self, o: Operand, ty: Ty) -> Operand {
        match ty {
            Ty::Int(_) => o,
            Ty::Ptr => self.cast(CastOp::IntToPtr, o, ty),
            Ty::Float(_) => self.cast(CastOp::Bitcast, o, ty),
        }
    }

    /// The lanes side by side in one integer, as they lie in memory.
    pub(crate) fn join(&mut self, lanes: &[Operand]) -> Operand {
        let target = self.cx.out.target.clone();
        let total: u32 = lanes.iter().map(|l| self.body.operand_ty(l).bits(&target)).sum();
        let mut at = 0;
        let mut r: Option<Operand> = None;
        for l in lanes {
            let bits = self.body.operand_ty(l).bits(&target);
            let shift = if target.big_endian { total - at - bits } else { at };
            at += bits;
            let x = self.as_int(l.clone());
            let mut x = self.resize(x, total);
            if shift != 0 {
                x = self.binary(BinOp::Shl, x, Operand::int(total, u128::from(shift)));
            }
            r = Some(match r {
                None => x,
                Some(r) => self.binary(BinOp::Or, r, x),
            });
        }
        r.unwrap_or(Operand::int(1, 0))
    }

    /// The inverse of [`FnCx::join`].
    pub(crate) fn split(&mut self, whole: Operand, types: &[Ty]) -> Leaves {
        let target = self.cx.out.target.clone();
        let total = self.body.operand_ty(&whole).bits(&target);
        let mut at = 0;
        let mut out = Vec::new();
        for t in types {
            let bits = t.bits(&target);
            let shift = if target.big_endian { total - at - bits } else { at };
            at += bits;
            let mut x = whole.clone();
            if shift != 0 {
                x = self.binary(BinOp::LShr, x, Operand::int(total, u128::from(shift)));
            }
            let x = self.resize(x, bits);
            out.push(self.int_as(x, *t));
        }
        out
    }

    /// Reinterprets the bits of scalars and vectors of one total width.
    pub(crate) fn bitcast(&mut self, from: Leaves, to: &[Ty]) -> Result<Leaves, String> {
        let target = self.cx.out.target.clone();
        let from_bits: Vec<u32> = from.iter().map(|o| self.body.operand_ty(o).bits(&target)).collect();
        let to_bits: Vec<u32> = to.iter().map(|t| t.bits(&target)).collect();
        if from_bits.iter().sum::<u32>() != to_bits.iter().sum::<u32>() {
            return Err("bitcast between types of different width".into());
        }
        if from.len() == to.len() {
            return Ok(from
                .into_iter()
                .zip(to)
                .map(|(o, t)| match (self.body.operand_ty(&o), *t) {
                    (a, b) if a == b => o,
                    _ => {
                        let x = self.as_int(o);
                        self.int_as(x, *t)
                    }
                })
                .collect());
        }
        let (n, m) = (from.len(), to.len());
        if n == 0 || m == 0 {
            return Ok(vec![]);
        }
        let mut out = Vec::new();
        if m > n && m.is_multiple_of(n) {
            for (o, t) in from.into_iter().zip(to.chunks(m / n)) {
                let x = self.as_int(o);
                out.extend(self.split(x, t));
            }
        } else if n > m && n.is_multiple_of(m) {
            for (o, t) in from.chunks(n / m).zip(to) {
                let x = self.join(o);
                out.push(self.int_as(x, *t));
            }
        } else {
            let x = self.join(&from);
            out = self.split(x, to);
        }
        Ok(out)
    }
}

fn const_index(c: &Const) -> Option<usize> {
    match c {
        Const::Int { value, .. } => usize::try_from(*value).ok(),
        _ => None,
    }
}
