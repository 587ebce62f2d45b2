//! Differential tests of the arithmetic: [`crate::bits`] against [`crate::big`] against a plain `i128` reference; and
//! of definedness against its definition (a bit is defined if no choice of the undefined input bits changes it).

use crate::big::{self, Big, from_words, low_u128};
use crate::bits::{self, ArithFault, Bits, mask};
use dashu::integer::UBig;
use proptest::prelude::*;
use verify_ir::inst::{ArithFlags, BinOp, IntPred, OverflowOp, UnOp};

fn to_big(b: Bits) -> Big {
    Big { v: UBig::from(b.v), u: UBig::from(b.u) }
}

fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        (0u64..8),
        (0u64..8).prop_map(u64::wrapping_neg),
        (0u32..64).prop_map(|s| 1 << s),
        (0u32..64).prop_map(|s| (1u64 << s).wrapping_sub(1)),
    ]
}

fn undef() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0u64), Just(0), any::<u64>(), (0u32..64).prop_map(|s| 1 << s), Just(u64::MAX)]
}

/// The reference for defined operands, by exact arithmetic.
fn reference(op: BinOp, f: ArithFlags, w: u32, a: u64, b: u64) -> Result<u64, ArithFault> {
    let m = i128::from(mask(w));
    let s = |x: u64| i128::from(bits::sext(x, w));
    let (sa, sb, ua, ub) = (s(a), s(b), i128::from(a), i128::from(b));
    let (lo, hi) = (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1);
    let flagged = |exact_s: i128, exact_u: i128| {
        if f.nsw && !(lo..=hi).contains(&exact_s) {
            Err(ArithFault::SignedOverflow)
        } else if f.nuw && !(0..=m).contains(&exact_u) {
            Err(ArithFault::UnsignedOverflow)
        } else {
            Ok(exact_u)
        }
    };
    let r = match op {
        BinOp::Add => flagged(sa + sb, ua + ub)?,
        BinOp::Sub => flagged(sa - sb, ua - ub)?,
        BinOp::Mul => {
            // Two 64-bit numbers may have a product beyond i128; then it is beyond every flag too.
            flagged(sa * sb, ua.checked_mul(ub).unwrap_or(i128::MAX))?;
            a.wrapping_mul(b) as i128
        }
        BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem if b == 0 => return Err(ArithFault::DivByZero),
        BinOp::UDiv => ua / ub,
        BinOp::URem => ua % ub,
        BinOp::SDiv | BinOp::SRem if sa == lo && sb == -1 => return Err(ArithFault::SignedOverflow),
        BinOp::SDiv => sa / sb,
        BinOp::SRem => sa % sb,
        BinOp::Shl | BinOp::LShr | BinOp::AShr | BinOp::SShlSat | BinOp::UShlSat if ub >= i128::from(w) => {
            return Err(ArithFault::ShiftRange);
        }
        BinOp::Shl => flagged(sa << b, ua << b)?,
        BinOp::LShr => ua >> b,
        BinOp::AShr => sa >> b,
        BinOp::And => ua & ub,
        BinOp::Or => ua | ub,
        BinOp::Xor => ua ^ ub,
        BinOp::SMin => sa.min(sb),
        BinOp::SMax => sa.max(sb),
        BinOp::UMin => ua.min(ub),
        BinOp::UMax => ua.max(ub),
        BinOp::SAddSat => (sa + sb).clamp(lo, hi),
        BinOp::UAddSat => (ua + ub).min(m),
        BinOp::SSubSat => (sa - sb).clamp(lo, hi),
        BinOp::USubSat => (ua - ub).max(0),
        BinOp::SShlSat => (sa << b).clamp(lo, hi),
        BinOp::UShlSat => (ua << b).min(m),
    };
    Ok(r as u64 & mask(w))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn small_agrees_with_reference(w in 1u32..=64, a in value(), b in value(), nsw: bool, nuw: bool, shift: bool) {
        let f = ArithFlags { nsw, nuw, exact: false };
        let b = if shift { b % (u64::from(w) + 1) } else { b };
        let (a, b) = (a & mask(w), b & mask(w));
        for &op in BinOp::ALL {
            let got = bits::binary(op, f, w, Bits::def(a), Bits::def(b)).map(|r| { assert_eq!(r.u, 0); r.v });
            prop_assert_eq!(got, reference(op, f, w, a, b), "{} i{} {} {}", op, w, a, b);
        }
    }

    #[test]
    fn big_agrees_with_small(w in 1u32..=64, a in value(), b in value(), ua in undef(), ub in undef(), nsw: bool, nuw: bool) {
        let m = mask(w);
        let (x, y) = (Bits { v: a & m, u: ua & m }, Bits { v: b & m, u: ub & m });
        let flags = ArithFlags { nsw, nuw, exact: false };
        let defined = x.u | y.u == 0;
        for &op in BinOp::ALL {
            let small = bits::binary(op, flags, w, x, y);
            let wide = big::binary(op, flags, w, &to_big(x), &to_big(y));
            match (small, wide) {
                (Ok(s), Ok(l)) => {
                    prop_assert_eq!(low_u128(&l.u), u128::from(s.u), "{} undef", op);
                    // Values at undefined positions are arbitrary.
                    prop_assert_eq!(low_u128(&l.v) & !u128::from(s.u), u128::from(s.v & !s.u), "{} i{}", op, w);
                }
                (Err(s), Err(l)) => prop_assert_eq!(s, l),
                (s, l) => prop_assert!(false, "{} {:?} {:?}", op, s, l),
            }
        }
        for &p in IntPred::ALL {
            let s = bits::compare(p, w, x, y);
            let (v, d) = big::compare(p, w, &to_big(x), &to_big(y));
            prop_assert_eq!(s.u == 0, d);
            if d { prop_assert_eq!(s.v != 0, v); }
        }
        for &op in OverflowOp::ALL {
            let (s, o) = bits::overflow(op, w, x, y);
            let (l, over, d) = big::overflow(op, w, &to_big(x), &to_big(y));
            prop_assert_eq!(low_u128(&l.u), u128::from(s.u));
            prop_assert_eq!(o.u == 0, d, "{} {:?} {:?}", op, x, y);
            if d { prop_assert_eq!(o.v != 0, over); }
            if defined {
                prop_assert_eq!(low_u128(&l.v), u128::from(s.v));
            }
        }
        for &op in UnOp::ALL {
            if op == UnOp::BSwap && !w.is_multiple_of(16) { continue; }
            let s = bits::unary(op, w, x);
            let l = big::unary(op, w, &to_big(x));
            prop_assert_eq!(low_u128(&l.u), u128::from(s.u), "{}", op);
            prop_assert_eq!(low_u128(&l.v) & !u128::from(s.u), u128::from(s.v & !s.u), "{} i{}", op, w);
        }
        for left in [false, true] {
            let amount = Bits { v: b & m, u: 0 };
            let s = bits::funnel(left, w, x, y, amount);
            let l = big::funnel(left, w, &to_big(x), &to_big(y), &to_big(amount));
            prop_assert_eq!((low_u128(&l.v), low_u128(&l.u)), (u128::from(s.v), u128::from(s.u)));
        }
    }

    /// No choice of the undefined bits changes a bit that is called defined; and for `add`, `sub`, the bitwise
    /// operations and shifts, every bit called undefined can really differ.
    #[test]
    fn definedness_is_sound(a in 0u64..64, b in 0u64..64, ua in 0u64..64, ub in 0u64..64) {
        let w = 6;
        let (x, y) = (Bits { v: a, u: ua }, Bits { v: b, u: ub });
        let choices = |c: Bits| (0..64u64).filter(move |k| k & !c.u == 0).map(move |k| c.v & !c.u | k);
        let none = ArithFlags::default();
        for &op in BinOp::ALL {
            let Ok(r) = bits::binary(op, none, w, x, y) else { continue };
            let mut varies = 0;
            let mut first = None;
            for p in choices(x) {
                for q in choices(y) {
                    let Ok(v) = bits::binary_defined(op, none, w, p, q) else { continue };
                    varies |= v ^ *first.get_or_insert(v);
                }
            }
            prop_assert_eq!(varies & !r.u, 0, "{} {:?} {:?} -> {:?}", op, x, y, r);
            if let Some(v) = first {
                prop_assert_eq!((v ^ r.v) & !r.u, 0, "{} value", op);
            }
            let exact = matches!(op, BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or | BinOp::Xor)
                || (matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) && y.u == 0);
            if exact {
                prop_assert_eq!(varies, r.u, "{} exactness {:?} {:?}", op, x, y);
            }
        }
        for &p in IntPred::ALL {
            let r = bits::compare(p, w, x, y);
            let mut seen = [false; 2];
            for i in choices(x) {
                for j in choices(y) {
                    seen[usize::from(bits::compare_defined(p, w, i, j))] = true;
                }
            }
            prop_assert_eq!(r.u != 0, seen[0] && seen[1], "{} {:?} {:?}", p, x, y);
        }
        for &op in OverflowOp::ALL {
            let (_, over) = bits::overflow(op, w, x, y);
            let mut seen = [false; 2];
            for i in choices(x) {
                for j in choices(y) {
                    let (_, o) = bits::overflow(op, w, Bits::def(i), Bits::def(j));
                    seen[o.v as usize] = true;
                }
            }
            if over.u == 0 {
                prop_assert!(!seen[1 - over.v as usize], "{} {:?} {:?}", op, x, y);
            }
        }
        for &op in UnOp::ALL {
            if op == UnOp::BSwap { continue; }
            let r = bits::unary(op, w, x);
            for i in choices(x) {
                prop_assert_eq!((bits::unary(op, w, Bits::def(i)).v ^ r.v) & !r.u, 0, "{}", op);
            }
        }
    }

    #[test]
    fn wide_agrees_with_128_bit_machine(a: [u64; 2], b: [u64; 2], s in 0u32..128) {
        let n = |x: [u64; 2]| u128::from(x[0]) | u128::from(x[1]) << 64;
        let (x, y) = (n(a), n(b));
        let run = |op, p: u128, q: u128| {
            let word = |v: u128| Big::def(from_words(&[v as u64, (v >> 64) as u64]));
            big::binary(op, ArithFlags::default(), 128, &word(p), &word(q)).ok().map(|r| low_u128(&r.v))
        };
        prop_assert_eq!(run(BinOp::Add, x, y), Some(x.wrapping_add(y)));
        prop_assert_eq!(run(BinOp::Sub, x, y), Some(x.wrapping_sub(y)));
        prop_assert_eq!(run(BinOp::Mul, x, y), Some(x.wrapping_mul(y)));
        prop_assert_eq!(run(BinOp::UDiv, x, y), x.checked_div(y));
        prop_assert_eq!(run(BinOp::URem, x, y), x.checked_rem(y));
        prop_assert_eq!(run(BinOp::SDiv, x, y), (x as i128).checked_div(y as i128).map(|v| v as u128));
        prop_assert_eq!(run(BinOp::SRem, x, y), (x as i128).checked_rem(y as i128).map(|v| v as u128));
        prop_assert_eq!(run(BinOp::Shl, x, u128::from(s)), Some(x << s));
        prop_assert_eq!(run(BinOp::LShr, x, u128::from(s)), Some(x >> s));
        prop_assert_eq!(run(BinOp::AShr, x, u128::from(s)), Some(((x as i128) >> s) as u128));
    }

    #[test]
    fn resizing(a in value(), ua in undef(), from in 1u32..=64, to in 1u32..=64) {
        let x = Bits { v: a & mask(from), u: ua & mask(from) };
        if to > from {
            let s = bits::sign_extend(x, from, to);
            let l = big::resize(&to_big(x), from, to, true);
            prop_assert_eq!((low_u128(&l.v), low_u128(&l.u)), (u128::from(s.v), u128::from(s.u)));
        } else {
            let l = big::resize(&to_big(x), from, to, false);
            prop_assert_eq!(low_u128(&l.v), u128::from(x.v & mask(to)));
        }
    }
}
