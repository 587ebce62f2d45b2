//! From clang's `-fsanitize=` handlers back to the C-level checks they stand for. clang writes
//! `br ok, cont, handler; handler: call __ubsan_handle_X_abort(data, operands...); unreachable`, where `data` is a
//! static object with the source position and the C types. A branch to such a block becomes `check X ok`; the block
//! and its data go. A handler call of another shape becomes a check that fails where it stands.

use crate::cx::Cx;
use crate::ffi::{Bb, Opcode, Val};
use crate::func::FnCx;
use verify_ir::inst::{BinOp, CheckDetail, IntPred};
use verify_ir::{CheckKind, Const, InstKind, Operand, Span, SpanId, SymbolRef, Ty};

/// A handler function, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Handler {
    /// `+`, `-`, `*`, unary `-` with the operator's text.
    Arith(&'static str),
    /// `/`, `%`.
    DivRem,
    /// `<<`, `>>`.
    Shift,
    /// Array index.
    Index,
    /// `__builtin_unreachable`.
    Unreachable,
    /// Others: the kind, and what to call it.
    Plain(CheckKind, &'static str),
}

/// The handler of a function name.
pub fn handler_of(name: &str) -> Option<Handler> {
    let n = name.strip_prefix("__ubsan_handle_")?;
    let n = n.strip_suffix("_abort").unwrap_or(n);
    let n = n.strip_suffix("_minimal").unwrap_or(n);
    use Handler::*;
    Some(match n {
        "add_overflow" => Arith("+"),
        "sub_overflow" => Arith("-"),
        "mul_overflow" => Arith("*"),
        "negate_overflow" => Arith("unary -"),
        "divrem_overflow" => DivRem,
        "shift_out_of_bounds" => Shift,
        "out_of_bounds" => Index,
        "builtin_unreachable" => Unreachable,
        "missing_return" => Plain(CheckKind::Unreachable, "end of a function that returns a value"),
        "load_invalid_value" => Plain(CheckKind::InvalidValue, "load"),
        "vla_bound_not_positive" => Plain(CheckKind::VlaBound, ""),
        "float_cast_overflow" => Plain(CheckKind::FloatCast, "conversion"),
        "nonnull_arg" | "nullability_arg" => Plain(CheckKind::InvalidArgument, "null passed for a nonnull parameter"),
        "nonnull_return_v1" | "nullability_return_v1" | "nonnull_return" => Plain(CheckKind::NullReturn, ""),
        "invalid_builtin" => Plain(CheckKind::InvalidArgument, "builtin"),
        "type_mismatch" | "type_mismatch_v1" => Plain(CheckKind::InvalidDeref, ""),
        "pointer_overflow" => Plain(CheckKind::InvalidDeref, "pointer arithmetic"),
        "implicit_conversion" => Plain(CheckKind::IntegerTruncation, "implicit conversion"),
        "alignment_assumption" => Plain(CheckKind::InvalidDeref, "alignment assumption"),
        "function_type_mismatch" | "function_type_mismatch_v1" => Plain(CheckKind::InvalidCall, ""),
        _ => Plain(CheckKind::InvalidValue, "sanitizer check"),
    })
}

/// The parsed static data of a handler call.
#[derive(Default)]
struct Data {
    file: String,
    line: u32,
    column: u32,
    /// Type descriptors: (kind, info, name).
    types: Vec<(u64, u64, String)>,
}

impl Data {
    fn name(&self, i: usize) -> String {
        // clang writes `'Int32' (aka 'int')`: the programmer's name is the first.
        let quoted = self.types.get(i).map_or("", |t| t.2.as_str());
        let name = quoted.strip_prefix('\'').unwrap_or(quoted);
        name.split('\'').next().unwrap_or(name).to_owned()
    }
    /// Width of an integer type.
    fn width(&self, i: usize) -> Option<u32> {
        self.types.get(i).filter(|t| t.0 == 0).map(|t| 1 << (t.1 >> 1))
    }
    fn signed(&self, i: usize) -> bool {
        self.types.get(i).is_some_and(|t| t.0 == 0 && t.1 & 1 != 0)
    }
}

fn const_int(v: Val<'_>) -> Option<u64> {
    v.const_bits().and_then(|(w, words)| (w <= 64).then(|| words[0]))
}

/// A NUL-terminated string in a constant byte array.
fn const_string(v: Val<'_>) -> Option<String> {
    let (raw, 1) = v.const_data()? else { return None };
    let end = raw.iter().position(|b| *b == 0).unwrap_or(raw.len());
    Some(String::from_utf8_lossy(&raw[..end]).into_owned())
}

fn parse_data(arg: Val<'_>) -> Data {
    let mut d = Data::default();
    let Some(init) = arg.initializer() else { return d };
    if let Some(loc) = init.const_element(0) {
        d.file = loc.const_element(0).and_then(|g| g.initializer()).and_then(const_string).unwrap_or_default();
        d.line = loc.const_element(1).and_then(const_int).unwrap_or(0) as u32;
        d.column = loc.const_element(2).and_then(const_int).unwrap_or(0) as u32;
    }
    for i in 1..4 {
        let Some(t) = init.const_element(i) else { break };
        if let Some(g) = t.initializer()
            && let (Some(k), Some(info), Some(name)) = (
                g.const_element(0).and_then(const_int),
                g.const_element(1).and_then(const_int),
                g.const_element(2).and_then(const_string),
            )
        {
            d.types.push((k, info, name));
        }
    }
    d
}

impl<'m> Cx<'m> {
    /// The handler that a called value is, by name, cached.
    pub fn handler(&mut self, callee: Val<'m>) -> Option<Handler> {
        if let Some(h) = self.handlers.get(&callee) {
            return *h;
        }
        let h = if callee.kind() == crate::ffi::ValueKind::LLVMFunctionValueKind {
            handler_of(&callee.global().name)
        } else {
            None
        };
        self.handlers.insert(callee, h);
        h
    }

    /// A block that does nothing but call a handler.
    pub fn is_handler(&mut self, b: Bb<'m>) -> bool {
        let mut called = false;
        for v in b.insts() {
            let i = v.inst();
            use Opcode::*;
            match i.op {
                Some(LLVMZExt | LLVMBitCast | LLVMPtrToInt | LLVMStore | LLVMTrunc | LLVMSExt) if !called => {}
                Some(LLVMCall) if !called => match v.callee() {
                    Some(c) if self.handler(c).is_some() => called = true,
                    _ => return false,
                },
                Some(LLVMUnreachable | LLVMBr) if called => {}
                _ => return false,
            }
        }
        called
    }
}

impl<'m> FnCx<'_, 'm> {
    /// `br cond, ...` where one successor is the handler `block`: emits the checks; `negated` when the handler is the
    /// successor for true.
    pub fn handler_checks(
        &mut self,
        cond: Val<'m>,
        negated: bool,
        block: Bb<'m>,
        cont: Option<Bb<'m>>,
    ) -> Result<(), String> {
        let insts = block.insts();
        let Some(call) = insts.iter().copied().find(|v| v.inst().op == Some(Opcode::LLVMCall)) else {
            return Err("sanitizer handler without a call".into());
        };
        let mut ok = self.operand(cond)?;
        if negated {
            ok = self.not(ok);
        }
        self.emit_handler(call, Some((ok, cond)), &insts, cont)
    }

    /// The check of a handler call; without a condition it fails.
    pub fn emit_handler(
        &mut self,
        call: Val<'m>,
        cond: Option<(Operand, Val<'m>)>,
        around: &[Val<'m>],
        cont: Option<Bb<'m>>,
    ) -> Result<(), String> {
        let callee = call.callee().ok_or("call without callee")?;
        let handler = self.cx.handler(callee).ok_or("not a handler")?;
        let args = call.call_args();
        let data = args.first().map(|a| parse_data(*a)).unwrap_or_default();
        let saved = self.span;
        // The position in the data of a null return is that of the attribute, not of the `return`.
        let elsewhere = matches!(handler, Handler::Plain(CheckKind::NullReturn, _));
        let nowhere = Data::default();
        self.span = self.handler_span(call, if elsewhere { &nowhere } else { &data });
        let mut operands = Vec::new();
        for (i, a) in args.iter().skip(1).enumerate() {
            let width = match handler {
                Handler::Index => data.width(1),
                Handler::Shift => data.width(i),
                _ => data.width(0),
            };
            if let Some(o) = self.handler_operand(*a, around, width) {
                operands.push(o);
            }
        }
        let ctype = data.name(0);
        let (ok, cond_val) = match cond {
            Some((o, v)) => (o, Some(v)),
            None => (Operand::int(1, 0), None),
        };
        let mut detail = CheckDetail { what: String::new(), ctype, operands, bound: None };
        match handler {
            Handler::Arith(op) => {
                detail.what = op.into();
                // Of a type that is no integer (a vector) nothing is said: those are checked when signed only.
                let unsigned = data.types.first().is_some_and(|t| t.0 == 0) && !data.signed(0);
                let kind = if unsigned { CheckKind::UnsignedWrap } else { CheckKind::SignedOverflow };
                self.check(kind, ok, detail);
            }
            Handler::DivRem => self.divrem_checks(ok, detail, &data, cont),
            Handler::Shift => {
                detail.what = self.shift_operator(cont).into();
                detail.bound = data.width(0).map(u64::from);
                match cond_val.and_then(shift_conditions) {
                    Some((amount, value)) if cond_val.map(|c| self.operand(c)).transpose()? == Some(ok.clone()) => {
                        let (amount, value) = (self.operand(amount)?, self.operand(value)?);
                        self.check(CheckKind::ShiftRange, amount, detail.clone());
                        detail.bound = None;
                        self.check(CheckKind::SignedOverflow, value, detail);
                    }
                    _ => self.check(CheckKind::ShiftRange, ok, detail),
                }
            }
            Handler::Index => {
                detail.what = "index".into();
                detail.bound = cond_val.and_then(index_bound).or_else(|| declared_bound(&detail.ctype));
                // A bound that is computed (variable-length array) is an operand.
                if detail.bound.is_none()
                    && let Some(b) = cond_val.and_then(|c| c.operand(1))
                    && let Some(b) = self.known_operand(b)
                {
                    detail.operands.push(b);
                }
                self.check(CheckKind::ArrayIndex, ok, detail);
            }
            Handler::Unreachable => {
                let noreturn = |cx: &Cx<'m>, f| match cx.symbols.get(&f) {
                    Some(SymbolRef::Func(f)) => cx.out.functions[f.index()].attrs.noreturn,
                    _ => false,
                };
                detail.what = if ok == Operand::int(1, 0) && self.after_noreturn_call() {
                    "return from a noreturn function"
                } else if noreturn(self.cx, self.func) {
                    // The data does not say which.
                    "end of a noreturn function or __builtin_unreachable"
                } else {
                    "__builtin_unreachable"
                }
                .into();
                self.check(CheckKind::Unreachable, ok, detail);
            }
            Handler::Plain(kind, what) => {
                detail.what = what.into();
                if what == "builtin" {
                    detail.what = match args.first().and_then(|a| a.initializer()).and_then(|i| i.const_element(1)) {
                        Some(k) if const_int(k) == Some(0) => "__builtin_ctz(0)".into(),
                        _ => "__builtin_clz(0)".into(),
                    };
                }
                if matches!(kind, CheckKind::FloatCast | CheckKind::IntegerTruncation) && data.types.len() > 1 {
                    detail.ctype = format!("{} to {}", data.name(0), data.name(1));
                }
                let stored = cond_val.filter(|_| kind == CheckKind::IntegerTruncation).and_then(bit_field_store);
                let ok = match stored {
                    Some((source, kept)) => {
                        let (source, kept) = (self.operand(source)?, self.operand(kept)?);
                        detail.operands = vec![source.clone()];
                        self.icmp(IntPred::Eq, source, kept)
                    }
                    None => ok,
                };
                self.check(kind, ok, detail);
            }
        }
        self.span = saved;
        Ok(())
    }

    fn check(&mut self, kind: CheckKind, ok: Operand, detail: CheckDetail) {
        // The front end already knows that this place cannot go wrong.
        if ok != Operand::int(1, 1) {
            self.emit0(InstKind::Check { kind, ok, detail });
        }
    }

    /// `-fsanitize=unreachable` takes `noreturn` away from functions and calls and puts a check behind each such call,
    /// at the position of the call. Gives it back; whether there was one.
    fn after_noreturn_call(&mut self) -> bool {
        let span = self.span;
        let Some(last) = self.body.blocks[self.cur.index()].insts.last_mut() else { return false };
        let InstKind::Call(c) = &mut last.kind else { return false };
        if last.span != span || span == SpanId(0) {
            return false;
        }
        c.noreturn = true;
        if let Operand::Const(Const::Symbol(SymbolRef::Func(f))) = &c.callee {
            self.cx.out.functions[f.index()].attrs.noreturn = true;
        }
        true
    }

    /// The handler stands for two C rules; each gets its own check.
    fn divrem_checks(&mut self, ok: Operand, mut detail: CheckDetail, data: &Data, cont: Option<Bb<'m>>) {
        detail.what = if cont.is_some_and(|c| is_remainder(c)) { "%".into() } else { "/".into() };
        if ok == Operand::int(1, 1) {
            return;
        }
        let [lhs, rhs] = &detail.operands[..] else {
            return self.check(CheckKind::DivByZero, ok, detail);
        };
        let Ty::Int(w) = self.body.operand_ty(rhs) else {
            return self.check(CheckKind::DivByZero, ok, detail);
        };
        if self.body.operand_ty(lhs) != Ty::Int(w) {
            return self.check(CheckKind::DivByZero, ok, detail);
        }
        let (lhs, rhs) = (lhs.clone(), rhs.clone());
        let constant = |o: &Operand| matches!(o, Operand::Const(_));
        if !constant(&rhs) || rhs == Operand::Const(zero_int(w)) {
            let nonzero = self.icmp(IntPred::Ne, rhs.clone(), Operand::Const(zero_int(w)));
            self.check(CheckKind::DivByZero, nonzero, detail.clone());
        }
        if data.signed(0) && (!constant(&rhs) || rhs == Operand::Const(all_ones(w))) {
            let not_min = self.icmp(IntPred::Ne, lhs, Operand::Const(sign_bit(w)));
            let not_neg = self.icmp(IntPred::Ne, rhs, Operand::Const(all_ones(w)));
            let fine = self.emit1(
                InstKind::Binary { op: BinOp::Or, flags: Default::default(), lhs: not_min, rhs: not_neg },
                Ty::BOOL,
            );
            self.check(CheckKind::SignedOverflow, fine, detail);
        }
    }

    fn shift_operator(&self, cont: Option<Bb<'m>>) -> &'static str {
        for v in cont.map(|b| b.insts()).unwrap_or_default() {
            match v.inst().op {
                Some(Opcode::LLVMShl) => return "<<",
                Some(Opcode::LLVMLShr | Opcode::LLVMAShr) => return ">>",
                _ => {}
            }
        }
        "shift"
    }

    /// The operand as it was before the front end widened it to 64 bits or spilled it for the handler.
    fn handler_operand(&mut self, arg: Val<'m>, around: &[Val<'m>], width: Option<u32>) -> Option<Operand> {
        let mut v = arg;
        loop {
            if !around.contains(&v) {
                break;
            }
            let i = v.inst();
            match i.op {
                Some(Opcode::LLVMZExt | Opcode::LLVMSExt | Opcode::LLVMBitCast | Opcode::LLVMTrunc) => {
                    v = v.operand(0)?
                }
                Some(Opcode::LLVMPtrToInt) => {
                    let slot = v.operand(0)?;
                    let store =
                        around.iter().find(|s| s.inst().op == Some(Opcode::LLVMStore) && s.operand(1) == Some(slot))?;
                    v = store.operand(0)?;
                }
                _ => return None,
            }
        }
        if let (Some((64, words)), Some(w)) = (v.const_bits(), width) {
            return Some(Operand::Const(Const::int(w.min(64), u128::from(words[0]))));
        }
        self.known_operand(v)
    }

    /// The source position in the data is that of the operator; used when it is in the file of the debug location.
    fn handler_span(&mut self, call: Val<'m>, data: &Data) -> SpanId {
        let id = self.cx.location(call.inst().loc);
        let id = if id == SpanId(0) { self.span } else { id };
        let s = self.cx.out.span(id);
        let same = {
            let f = &self.cx.out.files[s.file.index()];
            f.path == data.file || data.file.ends_with(&f.path) || f.path.ends_with(&data.file)
        };
        if data.line == 0 || !same {
            return id;
        }
        self.cx.span(Span { line: data.line, column: data.column, ..s })
    }
}

fn zero_int(w: u32) -> Const {
    Const::int(w, 0)
}

/// -1.
pub fn all_ones(w: u32) -> Const {
    wide(w, |_| u64::MAX)
}

/// The most negative value.
pub fn sign_bit(w: u32) -> Const {
    wide(w, |bit| if bit + 64 >= w { 1 << ((w - 1) % 64) } else { 0 })
}

/// Builds a constant from 64-bit limbs; `f` gets the lowest bit number of the limb.
fn wide(w: u32, f: impl Fn(u32) -> u64) -> Const {
    let mut limbs: Vec<u64> = (0..w.div_ceil(64)).map(|i| f(i * 64)).collect();
    if let Some(l) = limbs.last_mut()
        && !w.is_multiple_of(64)
    {
        *l &= (1 << (w % 64)) - 1;
    }
    if w <= 128 {
        let hi = limbs.get(1).copied().unwrap_or(0);
        Const::int(w, u128::from(hi) << 64 | u128::from(limbs[0]))
    } else {
        Const::Wide { width: w, limbs: limbs.into() }
    }
}

fn is_remainder(b: Bb<'_>) -> bool {
    for v in b.insts() {
        match v.inst().op {
            Some(Opcode::LLVMSRem | Opcode::LLVMURem | Opcode::LLVMFRem) => return true,
            Some(Opcode::LLVMSDiv | Opcode::LLVMUDiv | Opcode::LLVMFDiv) => return false,
            _ => {}
        }
    }
    false
}

/// With `-fsanitize=shift-base` the handler stands for two rules: the amount is in range, and (or: true where it is not)
/// the value times the power of two fits. clang writes `and amount, phi(true, value)`.
fn shift_conditions(cond: Val<'_>) -> Option<(Val<'_>, Val<'_>)> {
    if cond.inst().op != Some(Opcode::LLVMAnd) {
        return None;
    }
    let (amount, value) = (cond.operand(0)?, cond.operand(1)?);
    (value.inst().op == Some(Opcode::LLVMPHI)).then_some((amount, value))
}

/// Where a bit-field gets a value of its own type, clang 19 compares what is kept with itself: the value before, and what is
/// kept of it. It is the value, cast to the storage unit, masked, and for a signed field shifted to extend the sign.
fn bit_field_store<'m>(cond: Val<'m>) -> Option<(Val<'m>, Val<'m>)> {
    fn strip<'m>(v: Val<'m>, ops: &[Opcode]) -> Option<Val<'m>> {
        v.inst().op.filter(|o| ops.contains(o)).and_then(|_| v.operand(0))
    }
    let kept = cond.operand(0).filter(|k| cond.inst().op == Some(Opcode::LLVMICmp) && cond.operand(1) == Some(*k))?;
    let casts = [Opcode::LLVMSExt, Opcode::LLVMZExt, Opcode::LLVMTrunc];
    let narrow = strip(kept, &casts).unwrap_or(kept);
    let masked = strip(narrow, &[Opcode::LLVMAShr]).and_then(|v| strip(v, &[Opcode::LLVMShl])).unwrap_or(narrow);
    let value = strip(masked, &[Opcode::LLVMAnd])?;
    let source = if value.ty() == kept.ty() { value } else { strip(value, &casts)? };
    (source.ty() == kept.ty()).then_some((source, kept))
}

/// The length in `icmp ult index, N` (`ule` where only the address is computed).
fn index_bound(cond: Val<'_>) -> Option<u64> {
    if cond.inst().op != Some(Opcode::LLVMICmp) {
        return None;
    }
    const_int(cond.operand(1)?)
}

/// The first length in a type name like `int[10][4]`.
fn declared_bound(name: &str) -> Option<u64> {
    let open = name.find('[')?;
    let rest = &name[open + 1..];
    rest[..rest.find(']')?].parse().ok()
}
