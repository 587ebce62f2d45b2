//! How an execution starts, and the form in which a start and its recorded choices travel through results.

use crate::sequence::{Arg, FreeArg, Sequence, SequenceCall};
use serde::{Deserialize, Serialize};
use verify_interp::{Recording, script::Answer};
use verify_ir::{FuncId, Ty, TypeId};

/// Where an execution starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Start {
    /// `main` with these arguments (the first is the program's name) and an empty environment.
    Main(Vec<Vec<u8>>),
    /// A function under the input contract.
    Function(FuncId),
    /// A sequence of calls: its number in the program.
    Sequence(u32),
}

/// Start and choices as plain numbers, for [`crate::result::Evidence::recording`]. Self-contained: a sequence is
/// written out.
pub fn encode(start: &Start, sequences: &[Sequence], r: &Recording) -> Vec<u64> {
    let mut out = Vec::new();
    match start {
        Start::Main(args) => {
            out.extend([0, args.len() as u64]);
            for a in args {
                out.push(a.len() as u64);
                out.extend(a.iter().map(|&b| u64::from(b)));
            }
        }
        Start::Function(f) => out.extend([1, u64::from(f.0)]),
        Start::Sequence(n) => {
            let s = &sequences[*n as usize];
            out.extend([2, s.params.len() as u64]);
            for p in &s.params {
                let (tag, bits) = match p.ty {
                    Ty::Int(w) => (0, w),
                    Ty::Ptr => (1, 0),
                    Ty::Float(k) => (2, float_number(k)),
                };
                out.extend([tag, u64::from(bits), p.ctype.map_or(0, |t| u64::from(t.0) + 1), p.name.len() as u64]);
                out.extend(p.name.bytes().map(u64::from));
            }
            out.push(s.calls.len() as u64);
            for c in &s.calls {
                out.extend([u64::from(c.func.0), c.args.len() as u64]);
                for a in &c.args {
                    match a {
                        Arg::Free(i) => out.extend([0, u64::from(*i)]),
                        Arg::Result(i) => out.extend([1, u64::from(*i)]),
                        Arg::Pointee { param, bits } => {
                            out.extend([2, u64::from(*param) | u64::from(*bits) << 32]);
                        }
                    }
                }
            }
        }
    }
    out.push(r.0.len() as u64);
    for a in &r.0 {
        out.extend([u64::from(a.tag), a.value]);
    }
    out
}

/// Reads what [`encode`] wrote. A sequence is returned apart, for the program to be extended with: the start then is
/// `Start::Sequence(0)`. `None` when the numbers are not of this form.
pub fn decode(code: &[u64]) -> Option<(Start, Option<Sequence>, Recording)> {
    let mut at = code.iter().copied();
    let small = |x: u64| u32::try_from(x).ok();
    let bytes = |at: &mut dyn Iterator<Item = u64>, n: u64| -> Option<Vec<u8>> {
        (0..n).map(|_| u8::try_from(at.next()?).ok()).collect()
    };
    let mut sequence = None;
    let start = match at.next()? {
        0 => {
            let n = at.next()?;
            let mut args = Vec::new();
            for _ in 0..n {
                let len = at.next()?;
                args.push(bytes(&mut at, len)?);
            }
            Start::Main(args)
        }
        1 => Start::Function(FuncId(small(at.next()?)?)),
        2 => {
            let mut s = Sequence::default();
            for _ in 0..at.next()? {
                let (tag, bits, ctype, len) = (at.next()?, small(at.next()?)?, small(at.next()?)?, at.next()?);
                let ty = match tag {
                    0 => Ty::Int(bits),
                    1 => Ty::Ptr,
                    2 => Ty::Float(FLOATS.get(bits as usize).copied()?),
                    _ => return None,
                };
                let name = String::from_utf8(bytes(&mut at, len)?).ok()?;
                s.params.push(FreeArg { ty, ctype: ctype.checked_sub(1).map(TypeId), name });
            }
            for _ in 0..at.next()? {
                let func = FuncId(small(at.next()?)?);
                let mut args = Vec::new();
                for _ in 0..at.next()? {
                    let (tag, x) = (at.next()?, at.next()?);
                    args.push(match tag {
                        0 => Arg::Free(small(x)?),
                        1 => Arg::Result(small(x)?),
                        2 => Arg::Pointee { param: x as u32, bits: (x >> 32) as u32 },
                        _ => return None,
                    });
                }
                s.calls.push(SequenceCall { func, args });
            }
            sequence = Some(s);
            Start::Sequence(0)
        }
        _ => return None,
    };
    let mut answers = Vec::new();
    for _ in 0..at.next()? {
        answers.push(Answer { tag: u8::try_from(at.next()?).ok()?, value: at.next()? });
    }
    at.next().is_none().then_some((start, sequence, Recording(answers)))
}

use verify_ir::FloatKind::{self, *};
const FLOATS: [FloatKind; 6] = [Half, BFloat, Single, Double, X87, Quad];

fn float_number(k: FloatKind) -> u32 {
    FLOATS.iter().position(|&f| f == k).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        let r = Recording(vec![Answer { tag: 5, value: 1 }, Answer { tag: 4, value: u64::MAX }]);
        let s = Sequence {
            params: vec![FreeArg { ty: Ty::Int(32), ctype: Some(TypeId(7)), name: "len".into() }],
            calls: vec![SequenceCall {
                func: FuncId(3),
                args: vec![Arg::Free(0), Arg::Result(0), Arg::Pointee { param: 0, bits: 32 }],
            }],
        };
        for start in [Start::Main(vec![b"prog".to_vec(), vec![]]), Start::Function(FuncId(9)), Start::Sequence(0)] {
            let code = encode(&start, std::slice::from_ref(&s), &r);
            let expect = (start == Start::Sequence(0)).then(|| s.clone());
            assert_eq!(decode(&code), Some((start, expect, r.clone())));
            assert_eq!(decode(&code[..code.len() - 1]), None);
        }
    }
}
