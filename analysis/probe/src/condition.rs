//! The condition of a failing call in C, where it is one that the input contract leaves open and every caller of sense
//! keeps: a pointer that is null, a text without an end, a number that exceeds the object beside it. A failure with such
//! a condition says little: it ranks behind those without, and reports show one for each function and condition.

use crate::minimise::Minimised;
use verify_checks::defs::{Defs, Object};
use verify_engine::Subject;
use verify_engine::log::{Asked, Choice, Place};
use verify_interp::{Failure, ObjectInfo};
use verify_ir::{Block, Body, CheckKind, InstKind, Module, Operand};

/// The condition of a minimised failure, in which every choice that does not matter is the natural one.
pub fn condition(f: &Failure, m: &Minimised) -> Option<String> {
    match f.kind {
        CheckKind::NullDeref | CheckKind::InvalidArgument | CheckKind::InvalidCall => null(f, m),
        CheckKind::OutOfBoundsRead | CheckKind::OutOfBoundsWrite => {
            let o = f.object.as_ref().filter(|o| o.kind == "input" && o.offset >= 0)?;
            endless(o, m).or_else(|| exceeded(o, m)).or_else(|| untyped(o, m))
        }
        _ => None,
    }
}

/// A function that callers of the library call itself asserts something before it does anything else: that is what it
/// says it needs.
pub fn precondition(subject: &Subject, f: &Failure, asserted: &str) -> Option<String> {
    if f.kind != CheckKind::Assertion || asserted.is_empty() {
        return None;
    }
    let mut frames = f.stack.iter().filter(|x| !x.model && !subject.is_sequence(x.func));
    let (frame, None) = (frames.next()?, frames.next()) else { return None };
    let body = subject.module().func(frame.func).body.as_ref()?;
    begins(subject.module(), body, frame.loc.block).then(|| format!("!({asserted})"))
}

/// Nothing is called and nothing but local variables written before the block is reached.
fn begins(module: &Module, body: &Body, wanted: Block) -> bool {
    let defs = Defs::new(body);
    let local = |ptr: &Operand| matches!(defs.root(module, ptr).object, Object::Stack { .. });
    let acts = |i: &verify_ir::Inst| match &i.kind {
        InstKind::Store { ptr, .. } | InstKind::MemCopy { dst: ptr, .. } | InstKind::MemSet { dst: ptr, .. } => {
            !local(ptr)
        }
        InstKind::Call(_) | InstKind::AtomicRmw { .. } | InstKind::CmpXchg { .. } | InstKind::InlineAsm(_) => true,
        _ => false,
    };
    let Some(entry) = body.block_ids().next() else { return false };
    let mut seen = vec![entry];
    let mut next = 0;
    while let Some(&b) = seen.get(next) {
        next += 1;
        if b == wanted {
            return true;
        }
        if !body.block(b).insts.iter().any(acts) {
            for e in body.block(b).term.targets() {
                if !seen.contains(&e.block) {
                    seen.push(e.block);
                }
            }
        }
    }
    false
}

/// A pointer that is null: a parameter, else the last one that was read.
fn null(f: &Failure, m: &Minimised) -> Option<String> {
    let is_null = |c: &&Choice| {
        c.value == 0
            && !c.path.is_empty()
            && match &c.what {
                Asked::Pointer { place, .. } => !matches!(place, Place::External(_)),
                Asked::Function { place, .. } => {
                    !matches!(place, Place::External(_)) && f.kind != CheckKind::InvalidArgument
                }
                _ => false,
            }
    };
    let param = |c: &&Choice| {
        matches!(
            &c.what,
            Asked::Pointer { place: Place::Param(_), .. } | Asked::Function { place: Place::Param(_), .. }
        )
    };
    let nulls = || m.choices.iter().filter(is_null);
    let decisive = nulls().find(param).or_else(|| nulls().next_back().filter(|_| f.message.contains("null")))?;
    Some(format!("{} == NULL", decisive.path))
}

/// The access path of the pointer that the object was made for, and the object's number.
fn object<'m>(o: &ObjectInfo, m: &'m Minimised) -> Option<(&'m str, u32)> {
    let path = o.name.as_deref()?.strip_prefix('*')?;
    m.choices.iter().find_map(|c| match c.what {
        Asked::Elements { object, size, .. } if c.path == path && c.value * size == o.size => {
            Some((c.path.as_str(), object))
        }
        _ => None,
    })
}

/// A text all of whose bytes were read, none of them null, and then the one after its end.
fn endless(o: &ObjectInfo, m: &Minimised) -> Option<String> {
    let (path, number) = object(o, m)?;
    if o.access != 1 || o.offset as u64 != o.size {
        return None;
    }
    let mut read = 0;
    for c in &m.choices {
        if let Asked::Scalar { place: Place::Cell { object, .. }, bits: 8, .. } = c.what
            && object == number
        {
            if c.value == 0 {
                return None;
            }
            read += 1;
        }
    }
    (read == o.size).then(|| format!("memchr({path}, 0, sizeof *{path}) == NULL"))
}

/// A number above the object's size in elements; a negative one is above all.
fn exceeded(o: &ObjectInfo, m: &Minimised) -> Option<String> {
    let (path, number) = object(o, m)?;
    let elements = m.choices.iter().find(|c| matches!(c.what, Asked::Elements { .. }) && c.path == path)?.value;
    // Bytes that are handed in as numbers are fewer numbers than bytes.
    let elements = elements.min(o.size / o.access.max(1));
    let above = |c: &&Choice| {
        matches!(&c.what, Asked::Scalar { place: Place::Param(_) | Place::Cell { .. }, ty: verify_ir::Ty::Int(w), .. } if *w > 8)
            && c.value > elements
            && !c.path.is_empty()
    };
    let is_param = |c: &&Choice| matches!(&c.what, Asked::Scalar { place: Place::Param(_), .. });
    let numbers = || m.choices.iter().filter(above);
    let large = numbers().find(is_param).or_else(|| numbers().next())?;
    // Another pointer to the same object: which of the two is meant, the number alone does not say.
    let same = m.choices.iter().find(|c| match &c.what {
        Asked::Pointer { aliases, .. } => {
            let alias = c.value.checked_sub(2).and_then(|k| aliases.get(k as usize));
            alias == Some(&number) && !c.path.is_empty()
        }
        _ => false,
    });
    let also = same.map_or(String::new(), |c| format!(" && {} == {path}", c.path));
    Some(format!("{} > number of elements at {path}{also}", large.path))
}

/// `void *`: only the code knows how large the object has to be.
fn untyped(o: &ObjectInfo, m: &Minimised) -> Option<String> {
    let (path, number) = object(o, m)?;
    let void = |c: &Choice| matches!(c.what, Asked::Elements { object, pointee: None, .. } if object == number);
    m.choices.iter().any(void).then(|| format!("{path} points to too few bytes"))
}
