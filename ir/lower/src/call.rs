//! Calls: signature of the call site, inline assembly, sanitizer handlers, and the way to intrinsics.

use crate::cx::Cx;
use crate::ffi::{Typ, Val, ValueKind, flag};
use crate::func::{FnCx, Leaves};
use verify_ir::inst::Call;
use verify_ir::{CType, Extension, InstKind, Param, ParamAttrs, Signature, SymbolRef, Ty};

/// LLVM's attributes `signext` and `zeroext`.
pub(crate) fn extension(n: u32) -> Extension {
    match n {
        1 => Extension::Sign,
        2 => Extension::Zero,
        _ => Extension::Any,
    }
}

/// Alignment of memory that `alloca` makes.
const MAX_ALIGN: u64 = 16;

impl<'m> Cx<'m> {
    /// The leaves of a parameter or argument with its attributes.
    pub(crate) fn param_leaves(&mut self, t: Typ<'m>, of: Val<'m>, index: u32) -> Result<Vec<Param>, String> {
        let l = self.leaves(t)?;
        let types = l.leaves.clone().unwrap_or_default();
        let a = of.param_info(Some(index));
        if a.unusual {
            return Err("argument in the caller's frame (inalloca, preallocated, byref)".into());
        }
        let mut attrs = ParamAttrs {
            nonnull: a.nonnull,
            extension: extension(a.extension),
            in_register: a.in_register,
            ..ParamAttrs::default()
        };
        if let Some(b) = a.byval {
            let bl = self.layout(b);
            attrs.byval = Some((bl.info.alloc_size, if a.align != 0 { a.align } else { bl.info.align }));
        }
        if let Some(s) = a.sret {
            attrs.sret = Some(self.layout(s).info.alloc_size);
        }
        if l.info.kind == crate::ffi::TypeKind::LLVMVectorTypeKind && types.len() > 1 {
            attrs.lanes = types.len() as u32;
        }
        Ok(types
            .into_iter()
            .enumerate()
            .map(|(i, ty)| Param { ty, attrs: if i == 0 { attrs.clone() } else { ParamAttrs::default() } })
            .collect())
    }

    /// The signature of a function.
    pub(crate) fn signature(&mut self, f: Val<'m>) -> Result<Signature, String> {
        let t = f.value_type().ok_or("function without type")?;
        let info = self.m.type_info(t);
        let mut params = Vec::new();
        for i in 0..info.count as u32 {
            let (pt, _) = self.m.type_at(t, i).ok_or("parameter without type")?;
            params.extend(self.param_leaves(pt, f, i)?);
        }
        let ret = info.elem.ok_or("function without return type")?;
        let results = self.leaves(ret)?.leaves.clone().unwrap_or_default();
        Ok(Signature { params, results, variadic: info.width != 0 })
    }
}

impl<'m> FnCx<'_, 'm> {
    /// A `call` (or the call part of `callbr`).
    pub(crate) fn call(&mut self, v: Val<'m>) -> Result<Option<Leaves>, String> {
        let i = v.inst();
        if i.has(flag::DBG) {
            self.debug_value(v)?;
            return Ok(None);
        }
        let callee = v.callee().ok_or("call without callee")?;
        if callee.kind() == ValueKind::LLVMInlineAsmValueKind {
            return self.inline_asm(v, callee).map(Some);
        }
        if i.has(flag::INTRINSIC) {
            return self.intrinsic(v, &callee.global().name);
        }
        if self.cx.handler(callee).is_some() {
            self.emit_handler(v, None, &[], None)?;
            return Ok(None);
        }
        if callee.kind() == ValueKind::LLVMFunctionValueKind {
            let name = callee.global().name;
            if name.starts_with("llvm.") {
                return self.intrinsic(v, &name);
            }
        }
        let (call, types) = self.call_parts(v)?;
        if callee.kind() == ValueKind::LLVMFunctionValueKind
            && callee.global().declaration
            && callee.global().name == "alloca"
            && let ([count], [size], [Ty::Ptr]) = (&call.args[..], &call.params[..], &types[..])
            && matches!(size.ty, Ty::Int(_))
        {
            // Declared with a type that is not the built-in one's, which clang takes for another function. There is none
            // to link with: memory in the caller's frame is only ever made by the compiler.
            let (elem_size, align) = (1, MAX_ALIGN);
            let kind = InstKind::Alloca { elem_size, count: count.clone(), align, ctype: None };
            return Ok(Some(vec![self.emit1(kind, Ty::Ptr)]));
        }
        if let Some(t) = self.returned_pointee(callee) {
            self.pointees.insert(v, t);
        }
        let r = self.emit(InstKind::Call(Box::new(call)), &types);
        Ok((!types.is_empty()).then_some(r).or(Some(vec![])))
    }

    /// What the returned pointer points to, by the callee's C type.
    fn returned_pointee(&self, callee: Val<'m>) -> Option<verify_ir::TypeId> {
        let t = self.pointee(callee)?;
        let CType::Function { ret, .. } = &self.cx.out.ctypes[self.cx.strip(t).index()] else { return None };
        match &self.cx.out.ctypes[self.cx.strip(*ret).index()] {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// The call and the types of its results.
    pub(crate) fn call_parts(&mut self, v: Val<'m>) -> Result<(Call, Vec<Ty>), String> {
        let i = v.inst();
        let ft = i.aux.ok_or("call without function type")?;
        let info = self.cx.m.type_info(ft);
        let convention = v.convention();
        if convention != 0 {
            self.note_beside(&format!("call by convention {convention}"));
        }
        let calleev = v.callee().ok_or("call without callee")?;
        let callee = self.operand(calleev)?;
        let (mut args, mut params, mut fixed) = (Vec::new(), Vec::new(), 0u32);
        for (k, a) in v.call_args().into_iter().enumerate() {
            params.extend(self.cx.param_leaves(a.ty(), v, k as u32)?);
            args.extend(self.leaves_of(a)?);
            if (k as u64) < info.count {
                fixed = args.len() as u32;
            }
        }
        let results = self.types(info.elem.ok_or("function without return type")?)?;
        let (mut noreturn, mut twice) = (i.has(flag::NORETURN), i.has(flag::RETURNS_TWICE));
        if let Some(SymbolRef::Func(f)) = self.cx.symbols.get(&calleev) {
            let a = &self.cx.out.functions[f.index()].attrs;
            noreturn |= a.noreturn;
            twice |= a.returns_twice;
        }
        let fixed = (info.width != 0).then_some(fixed);
        Ok((Call { callee, args, params, fixed, noreturn, returns_twice: twice }, results))
    }

    /// `dbg.value`: the variable has this value from here; addresses were handled at the start.
    fn debug_value(&mut self, v: Val<'m>) -> Result<(), String> {
        if let Some(d) = v.dbg()
            && !d.declare
            && d.plain
            && let (Some(x), Some(md)) = (d.location, d.variable)
            && let Some(value) = self.known_operand(x)
        {
            let var = self.variable(md);
            self.emit0(InstKind::DebugValue { var, value });
        }
        Ok(())
    }
}
