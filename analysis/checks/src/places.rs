//! Which kinds of failure an instruction or terminator can have by itself, calls excepted (see [`crate::calls`]).
//! A superset of what the interpreter reports there. A kind is left out only when the operand's definition rules it
//! out for every execution (a constant offset inside a local variable, a constant condition): such a place is no
//! place where the program can go wrong.

use crate::defs::{Defs, Object, sign_extend};
use crate::kinds::KindSet;
use verify_ir::inst::{BinOp, CastOp};
use verify_ir::{CheckKind as K, Const, InstKind, Module, Operand, Terminator, Ty, Value};

/// What a poison constant can stand for.
const POISON: KindSet = KindSet::of(&[K::SignedOverflow, K::ShiftRange, K::DivByZero, K::UninitRead]);

/// How memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read.
    Read,
    /// Written.
    Write,
    /// Both.
    ReadWrite,
}

/// The function under enumeration.
pub struct Places<'a> {
    /// Program.
    pub module: &'a Module,
    /// Definitions of the body.
    pub defs: &'a Defs<'a>,
    /// Stack objects whose life can end before the function does.
    scoped: Vec<bool>,
    /// The function restores the stack pointer somewhere.
    restores: bool,
}

impl<'a> Places<'a> {
    /// For one body.
    pub fn new(module: &'a Module, defs: &'a Defs<'a>) -> Places<'a> {
        let body = defs.body();
        let mut scoped = vec![false; body.values.len()];
        let mut restores = false;
        for b in &body.blocks {
            for i in &b.insts {
                match &i.kind {
                    InstKind::LifetimeEnd { object } | InstKind::LifetimeStart { object } => {
                        if let Some(v) = object.as_value() {
                            scoped[v.index()] = true;
                        }
                    }
                    InstKind::StackRestore { .. } => restores = true,
                    _ => {}
                }
            }
        }
        Places { module, defs, scoped, restores }
    }

    /// What an access of `bytes` bytes (`None`: not constant) through `ptr` can fail.
    pub fn access(&self, ptr: &Operand, bytes: Option<u64>, access: Access) -> KindSet {
        let root = self.defs.root(self.module, ptr);
        let inside = |size: Option<u64>| match (root.offset, bytes, size) {
            (Some(o), Some(n), Some(s)) => o >= 0 && o + i128::from(n) <= i128::from(s),
            _ => false,
        };
        let mut set = KindSet::EMPTY;
        let bounds = |set: &mut KindSet| {
            if access != Access::Write {
                set.insert(K::OutOfBoundsRead);
            }
            if access != Access::Read {
                set.insert(K::OutOfBoundsWrite);
            }
        };
        match root.object {
            Object::Stack { size, value } => {
                if !inside(size) {
                    bounds(&mut set);
                }
                if self.scoped[value.index()] || self.restores {
                    set.insert(K::UseAfterScope);
                }
            }
            Object::Global { size, constant } => {
                if !inside(Some(size)) {
                    bounds(&mut set);
                }
                if constant && access != Access::Read {
                    set.insert(K::ReadOnlyWrite);
                }
            }
            Object::Function => {
                set |= KindSet::of(&[K::InvalidDeref]);
                bounds(&mut set);
            }
            Object::Null | Object::Unknown => {
                set |= KindSet::of(&[K::NullDeref, K::InvalidDeref, K::UseAfterFree, K::UseAfterScope]);
                bounds(&mut set);
                if access != Access::Read {
                    set.insert(K::ReadOnlyWrite);
                }
            }
        }
        if root.offset.is_none() || root.object == Object::Unknown {
            set.insert(K::UninitRead);
        }
        set
    }

    /// `uninit-read`, unless the operand is a defined constant.
    pub fn defined(&self, o: &Operand) -> KindSet {
        match o {
            Operand::Const(Const::Undef(_) | Const::Poison(_)) | Operand::Value(_) => KindSet::of(&[K::UninitRead]),
            Operand::Const(_) => KindSet::EMPTY,
        }
    }

    fn bytes_of(&self, v: Option<&Value>) -> Option<u64> {
        v.map(|v| self.defs.body().ty(*v).store_bytes(&self.module.target))
    }
    fn operand_bytes(&self, o: &Operand) -> Option<u64> {
        Some(self.defs.body().operand_ty(o).store_bytes(&self.module.target))
    }

    /// What the instruction can fail by itself; empty for calls.
    pub fn inst(&self, results: &[Value], kind: &InstKind) -> KindSet {
        let none = KindSet::EMPTY;
        match kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                let w = match self.defs.body().operand_ty(lhs) {
                    Ty::Int(w) => w,
                    _ => 0,
                };
                let constant = match rhs {
                    Operand::Const(Const::Int { value, .. }) => Some(*value),
                    _ => None,
                };
                let mut s = none;
                match op {
                    BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                        if constant.is_none_or(|c| c == 0) {
                            s.insert(K::DivByZero);
                            s |= self.defined(rhs);
                        }
                        let minus_one = constant.is_none_or(|c| sign_extend(w, c) == -1);
                        if matches!(op, BinOp::SDiv | BinOp::SRem) && minus_one {
                            s.insert(K::SignedOverflow);
                        }
                    }
                    BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat
                        if constant.is_none_or(|c| c >= u128::from(w)) =>
                    {
                        s.insert(K::ShiftRange);
                        s |= self.defined(rhs);
                    }
                    _ => {}
                }
                if flags.nsw || flags.nuw || flags.exact {
                    s.insert(K::SignedOverflow);
                }
                s
            }
            InstKind::Cast { op: CastOp::FpToUi | CastOp::FpToSi | CastOp::LRint | CastOp::LRound, arg } => {
                KindSet::of(&[K::FloatCast]).union(self.defined(arg))
            }
            InstKind::Select { cond, .. } => self.defined(cond),
            InstKind::Alloca { count, .. } => match count {
                Operand::Const(Const::Int { .. }) => none,
                _ => KindSet::of(&[K::VlaBound]).union(self.defined(count)),
            },
            InstKind::Load { ptr, .. } => self.access(ptr, self.bytes_of(results.first()), Access::Read),
            InstKind::Store { ptr, value, .. } => self.access(ptr, self.operand_bytes(value), Access::Write),
            InstKind::MemCopy { dst, src, len, overlap_ok, .. } => {
                let n = const_len(len);
                if n == Some(0) {
                    return none;
                }
                let mut s = self.access(dst, n, Access::Write).union(self.access(src, n, Access::Read));
                if !overlap_ok {
                    s.insert(K::InvalidArgument);
                }
                s.union(self.defined(len))
            }
            InstKind::MemSet { dst, len, .. } => {
                if const_len(len) == Some(0) {
                    return none;
                }
                self.access(dst, const_len(len), Access::Write).union(self.defined(len))
            }
            InstKind::AtomicRmw { ptr, value, .. } => self.access(ptr, self.operand_bytes(value), Access::ReadWrite),
            InstKind::CmpXchg { ptr, expected, new, .. } => self
                .access(ptr, self.operand_bytes(new), Access::ReadWrite)
                .union(KindSet::of(&[K::UninitRead]))
                .union(self.defined(expected)),
            InstKind::VaStart { list } => self.access(list, None, Access::Write),
            InstKind::VaEnd { list } => self.access(list, None, Access::ReadWrite),
            InstKind::VaCopy { dst, src } => {
                self.access(dst, None, Access::Write).union(self.access(src, None, Access::Read))
            }
            InstKind::InlineAsm(a) if a.is_barrier() => none,
            InstKind::InlineAsm(a) => {
                let mut s = none;
                for (p, n) in &a.written {
                    s |= self.access(p, Some(*n), Access::ReadWrite);
                }
                for o in &a.inputs {
                    s |= self.defined(o);
                }
                s
            }
            InstKind::LifetimeStart { .. } | InstKind::LifetimeEnd { .. } | InstKind::StackRestore { .. } => none,
            InstKind::Check { kind, ok, .. } => {
                if matches!(ok, Operand::Const(Const::Int { value: 1, .. })) {
                    return none;
                }
                KindSet::of(&[*kind]).union(self.defined(ok))
            }
            InstKind::Assume { cond } => {
                if matches!(cond, Operand::Const(Const::Int { value: 1, .. })) {
                    return none;
                }
                KindSet::of(&[K::Unreachable]).union(self.defined(cond))
            }
            _ => none,
        }
    }

    /// What reading a poison constant fails: it stands for an operation that clang folded.
    pub fn poison(&self, kind: &InstKind) -> KindSet {
        let mut poison = false;
        kind.for_each_operand(|o| poison |= matches!(o, Operand::Const(Const::Poison(_))));
        if poison {
            KindSet::of(&[K::SignedOverflow, K::ShiftRange, K::DivByZero, K::UninitRead])
        } else {
            KindSet::EMPTY
        }
    }

    /// The same for a terminator.
    pub fn poison_in_term(&self, t: &Terminator) -> KindSet {
        let mut poison = false;
        t.for_each_operand(|o| poison |= matches!(o, Operand::Const(Const::Poison(_))));
        if poison { POISON } else { KindSet::EMPTY }
    }

    /// What the terminator can fail by itself.
    pub fn term(&self, t: &Terminator) -> KindSet {
        match t {
            Terminator::Branch { cond, .. } => self.defined(cond),
            Terminator::Switch { value, .. } => self.defined(value),
            Terminator::IndirectJump { address, .. } => {
                KindSet::of(&[K::InvalidCall, K::NullDeref]).union(self.defined(address))
            }
            Terminator::Unreachable => KindSet::of(&[K::Unreachable]),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Invoke { .. } | Terminator::Resume(_) => {
                KindSet::EMPTY
            }
        }
    }
}

fn const_len(len: &Operand) -> Option<u64> {
    match len {
        Operand::Const(Const::Int { value, .. }) => u64::try_from(*value).ok(),
        _ => None,
    }
}
