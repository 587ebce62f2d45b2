//! Inline assembly: text, constraints and operands, and what a template means that does nothing. With it, an
//! output is the input tied to it, and the rest is a barrier for the compiler: `asm("" : "+r"(x))` hides a value and changes
//! nothing. An output that nothing is tied to is what its register happens to hold; such assembly stays as it is.

use crate::ffi::Val;
use crate::func::{FnCx, Leaves};
use verify_ir::inst::{CastOp, InlineAsm};
use verify_ir::{InstKind, Operand, Ty};

/// An output of assembly whose template does nothing.
enum Output {
    /// A result.
    Direct,
    /// Written to memory here, if the compiler may choose a register for it.
    Indirect { place: Operand, bytes: u64, in_register: bool },
}

/// Constraints that only memory satisfies, with modifiers.
const MEMORY_ONLY: &[char] = &['=', '+', '*', '&', 'm', 'o', 'V', 'Q', '<', '>'];

impl<'m> FnCx<'_, 'm> {
    pub(crate) fn inline_asm(&mut self, v: Val<'m>, callee: Val<'m>) -> Result<Leaves, String> {
        let a = callee.asm().ok_or("inline assembly without text")?;
        let results = self.types(v.inst().ty)?;
        let mut inputs = Vec::new();
        let mut written = Vec::new();
        let mut outputs = Vec::new();
        // Of each constraint that is no output, its text and the values given for it.
        let mut given: Vec<(&str, Leaves)> = Vec::new();
        // Each argument belongs to the next constraint that takes one: inputs, and indirect outputs.
        let mut args = v.call_args().into_iter().enumerate();
        for constraint in a.constraints.split(',').filter(|c| !c.starts_with('~') && !c.starts_with('!')) {
            let output = constraint.starts_with('=');
            if output && !constraint.contains('*') {
                outputs.push(Output::Direct);
                continue;
            }
            let Some((k, arg)) = args.next() else { break };
            let leaves = self.leaves_of(arg)?;
            if output && let [p] = &leaves[..] {
                let bytes = match v.param_info(Some(k as u32)).elem {
                    Some(t) => self.cx.layout(t).info.store_size,
                    None => self.cx.out.target.pointer_bytes(),
                };
                written.push((p.clone(), bytes));
                let in_register = !constraint.trim_start_matches(MEMORY_ONLY).is_empty();
                outputs.push(Output::Indirect { place: p.clone(), bytes, in_register });
            }
            inputs.extend(leaves.iter().cloned());
            if !output {
                given.push((constraint, leaves));
            }
        }
        for (_, arg) in args {
            inputs.extend(self.leaves_of(arg)?);
        }
        let clobbers_memory = a.constraints.split(',').any(|c| c == "~{memory}");
        let mut assembly = InlineAsm {
            template: a.template,
            constraints: a.constraints.clone(),
            inputs,
            written,
            clobbers_memory,
            side_effects: a.side_effects,
        };
        if assembly.does_nothing()
            && let Some(moved) = self.moves(&outputs, &given, &results)
        {
            if assembly.side_effects || assembly.clobbers_memory {
                let clobbers: Vec<&str> = a.constraints.split(',').filter(|c| c.starts_with('~')).collect();
                assembly.constraints = clobbers.join(",");
                assembly.inputs.clear();
                assembly.written.clear();
                self.emit0(InstKind::InlineAsm(Box::new(assembly)));
            }
            return Ok(moved);
        }
        Ok(self.emit(InstKind::InlineAsm(Box::new(assembly)), &results))
    }

    /// The outputs as moves from what is tied to them; nothing when an output is not determined so.
    fn moves(&mut self, outputs: &[Output], given: &[(&str, Leaves)], results: &[Ty]) -> Option<Leaves> {
        let direct = outputs.iter().filter(|o| matches!(o, Output::Direct)).count();
        if direct != results.len() {
            return None;
        }
        // First all values, then all effects: nothing is emitted for what is not understood.
        let mut planned = Vec::new();
        let mut types = results.iter();
        for (number, output) in outputs.iter().enumerate() {
            let number = number.to_string();
            let tied = given.iter().find(|(c, _)| *c == number).map(|(_, leaves)| leaves);
            let result = if matches!(output, Output::Direct) { Some(*types.next()?) } else { None };
            let (bits, place) = match output {
                Output::Direct => (result?.bits(&self.cx.out.target), None),
                Output::Indirect { in_register: false, .. } if tied.is_none() => continue,
                Output::Indirect { place, bytes, .. } => (u32::try_from(bytes * 8).ok()?, Some(place.clone())),
            };
            let [value] = &tied?[..] else { return None };
            let ty = self.body.operand_ty(value);
            let cast = match (ty, result) {
                (_, Some(to)) if ty == to => None,
                (_, None) if ty.bits(&self.cx.out.target) == bits => None,
                (Ty::Int(w), Some(Ty::Int(_)) | None) if w > bits => Some((CastOp::Trunc, Ty::Int(bits))),
                (Ty::Ptr, Some(to @ Ty::Int(w))) if w == ty.bits(&self.cx.out.target) => Some((CastOp::PtrToInt, to)),
                (Ty::Int(w), Some(Ty::Ptr)) if w == bits => Some((CastOp::IntToPtr, Ty::Ptr)),
                _ => return None,
            };
            planned.push((value.clone(), cast, place));
        }
        let mut moved = Vec::new();
        for (value, cast, place) in planned {
            let value = match cast {
                Some((op, to)) => self.emit1(InstKind::Cast { op, arg: value }, to),
                None => value,
            };
            match place {
                Some(ptr) => self.emit0(InstKind::Store { ptr, value, align: 1, volatile: false, atomic: false }),
                None => moved.push(value),
            }
        }
        Some(moved)
    }
}
