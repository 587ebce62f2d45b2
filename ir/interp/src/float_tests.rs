//! Differential tests of the floating-point arithmetic against the host's `float` and `double`, and of the text forms
//! against known outputs of glibc.

use crate::big::low_u128;
use crate::float::{self, FloatEnv, ToInt};
use crate::float_text;
use dashu::integer::UBig;
use proptest::prelude::*;
use verify_ir::FloatKind::{self, *};
use verify_ir::inst::{FBinOp, FUnOp, FloatPred};

const ENV: FloatEnv = FloatEnv { nan_sign: true };

fn double() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<f64>().prop_map(f64::to_bits),
        (-20i64..20).prop_map(|x| (x as f64 / 4.0).to_bits()),
        (0u64..40),
        (0u64..40).prop_map(|x| 0x7ff0_0000_0000_0000 - x),
        Just(f64::NEG_INFINITY.to_bits()),
        Just((-0.0f64).to_bits()),
    ]
}

fn same(a: u128, b: f64) -> bool {
    let a = f64::from_bits(a as u64);
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn same32(a: u128, b: f32) -> bool {
    let a = f32::from_bits(a as u32);
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn double_arithmetic(a in double(), b in double(), c in double()) {
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        let (a, b, c) = (u128::from(a), u128::from(b), u128::from(c));
        let run = |op| float::binary(Double, op, a, b, ENV).unwrap_or(1);
        prop_assert!(same(run(FBinOp::Add), x + y));
        prop_assert!(same(run(FBinOp::Sub), x - y));
        prop_assert!(same(run(FBinOp::Mul), x * y));
        prop_assert!(same(run(FBinOp::Div), x / y));
        prop_assert!(same(run(FBinOp::Rem), x % y));
        prop_assert!(same(run(FBinOp::CopySign), x.copysign(y)));
        prop_assert!(same(float::fma(Double, a, b, c, ENV), x.mul_add(y, z)));
        prop_assert!(same(float::remainder(Double, a, b, ENV), libm::remainder(x, y)));
        let un = |op| float::unary(Double, op, a, ENV).unwrap_or(1);
        prop_assert!(same(un(FUnOp::Sqrt), x.sqrt()));
        prop_assert!(same(un(FUnOp::Floor), x.floor()));
        prop_assert!(same(un(FUnOp::Ceil), x.ceil()));
        prop_assert!(same(un(FUnOp::Trunc), x.trunc()));
        prop_assert!(same(un(FUnOp::Round), x.round()));
        prop_assert!(same(un(FUnOp::RoundEven), x.round_ties_even()));
        prop_assert!(same(un(FUnOp::Neg), -x));
        prop_assert!(same(un(FUnOp::Abs), x.abs()));
        prop_assert!(same32(float::convert(Double, Single, a), x as f32));
        prop_assert!(same(float::ldexp(Double, a, 7), libm::ldexp(x, 7)));
        prop_assert!(same(float::ldexp(Double, a, -900), libm::ldexp(x, -900)));
        for &p in FloatPred::ALL {
            let o = x.partial_cmp(&y);
            let n = p.name();
            let want = match n {
                "false" => false,
                "true" => true,
                "ord" => o.is_some(),
                "uno" => o.is_none(),
                _ => {
                    let (u, r) = n.split_at(1);
                    match o {
                        None => u == "u",
                        Some(o) => match r { "eq" => o.is_eq(), "ne" => o.is_ne(), "lt" => o.is_lt(), "le" => o.is_le(),
                            "gt" => o.is_gt(), _ => o.is_ge() },
                    }
                }
            };
            prop_assert_eq!(float::compare(Double, p, a, b), want, "{} {} {}", p, x, y);
            // The same through the general path: exact in the larger formats.
            for k in [X87, Quad] {
                let (a, b) = (float::convert(Double, k, a), float::convert(Double, k, b));
                prop_assert_eq!(float::compare(k, p, a, b), want, "{} {} {}", p, x, y);
            }
        }
    }

    #[test]
    fn single_arithmetic(a: u32, b: u32) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let run = |op| float::binary(Single, op, u128::from(a), u128::from(b), ENV).unwrap_or(1);
        prop_assert!(same32(run(FBinOp::Add), x + y));
        prop_assert!(same32(run(FBinOp::Mul), x * y));
        prop_assert!(same32(run(FBinOp::Div), x / y));
        prop_assert!(same32(run(FBinOp::Rem), x % y));
        prop_assert!(same(float::convert(Single, Double, u128::from(a)), f64::from(x)));
    }

    #[test]
    fn formats_nest(a in double()) {
        let x = f64::from_bits(a);
        for k in [X87, Quad] {
            prop_assert!(same(float::convert(k, Double, float::convert(Double, k, u128::from(a))), x));
        }
    }

    #[test]
    fn x87_add_is_exact_where_double_double_is(a in -1e15f64..1e15, b in -1e15f64..1e15) {
        // Two-sum: s + e == a + b exactly; the x87 sum rounded to double is s.
        let up = |x: f64| float::convert(Double, X87, u128::from(x.to_bits()));
        let (s, _) = (a + b, 0);
        let sum = float::binary(X87, FBinOp::Add, up(a), up(b), ENV).unwrap_or(0);
        let back = float::binary(X87, FBinOp::Sub, sum, up(s), ENV).unwrap_or(0);
        let bb = s - a;
        let e = (a - (s - bb)) + (b - bb);
        let got = f64::from_bits(float::convert(X87, Double, back) as u64);
        prop_assert!((got - e).abs() <= (a.abs() + b.abs()) * 2f64.powi(-62), "{} {}", got, e);
    }

    #[test]
    fn integers(a in double(), i: i64, u: u64) {
        let x = f64::from_bits(a);
        let int = |w, s| float::to_int(Double, u128::from(a), w, s, ToInt::Cast);
        let pick = |r: Result<UBig, UBig>| match r { Ok(v) | Err(v) => low_u128(&v) };
        prop_assert_eq!(pick(int(64, true)) as i64, x as i64);
        prop_assert_eq!(pick(int(64, false)) as u64, x as u64);
        prop_assert_eq!(pick(int(8, true)) as u8 as i8, x as i8);
        prop_assert_eq!(int(32, true).is_ok(), x.trunc() >= -2147483648.0 && x.trunc() <= 2147483647.0);
        prop_assert!(same(float::from_int(Double, &UBig::from(i as u64), 64, true), i as f64));
        prop_assert!(same(float::from_int(Double, &UBig::from(u), 64, false), u as f64));
        prop_assert!(same32(float::from_int(Single, &UBig::from(u), 64, false), u as f32));
    }

    #[test]
    fn text_round_trips(a in double()) {
        let x = f64::from_bits(a);
        prop_assume!(x.is_finite());
        let bits = u128::from(a & !(1 << 63));
        let x = x.abs();
        let e = float_text::format(Double, bits, b'e', false, 17).unwrap_or_default();
        prop_assert_eq!(float::parse(Double, e.as_bytes()), Some(bits), "{}", e);
        // Rust prints exact decimal expansions, rounded half to even as glibc does.
        prop_assert_eq!(float_text::format(Double, bits, b'f', false, 3), Some(format!("{x:.3}")));
        let single = (x as f32).to_bits();
        if (x as f32).is_finite() {
            let t = float_text::format(Single, u128::from(single), b'e', false, 9).unwrap_or_default();
            prop_assert_eq!(float::parse(Single, t.as_bytes()), Some(u128::from(single)));
        }
        prop_assert_eq!(float::parse(Double, format!("{x:e}").as_bytes()), Some(bits));
    }
}

fn text(k: FloatKind, bits: u128, conv: u8, alt: bool, prec: i32) -> String {
    float_text::format(k, bits, conv, alt, prec).unwrap_or_default()
}

fn d(x: f64, conv: u8, prec: i32) -> String {
    text(Double, u128::from(x.to_bits()), conv, false, prec)
}

/// A precision beyond all digits only adds zeros; of a text that is too long, nothing but the length is made.
#[test]
fn long_text() {
    for x in [0.0f64, 5e-324, 1.5, 1e300, 0.1] {
        let bits = u128::from(x.to_bits());
        for conv in *b"feEgGaA" {
            for alt in [false, true] {
                let whole = float_text::format(Double, bits, conv, alt, 22_017).unwrap_or_default();
                let made = float_text::format_up_to(Double, bits, conv, alt, 22_017, u64::MAX);
                assert_eq!(made, Some((whole.len() as u64, Some(whole))), "{x} {}", conv as char);
                let (len, text) = float_text::format_up_to(Double, bits, conv, alt, i32::MAX, 2000).unwrap_or_default();
                assert_eq!(text.is_none(), len > 2000);
            }
        }
    }
    let long = float_text::format_up_to(Double, u128::from(1.5f64.to_bits()), b'f', false, i32::MAX, 100);
    assert_eq!(long, Some((2 + i32::MAX as u64, None)));
}

#[test]
fn text_as_glibc() {
    assert_eq!(d(0.0, b'g', -1), "0");
    assert_eq!(d(100000.0, b'g', -1), "100000");
    assert_eq!(d(1000000.0, b'g', -1), "1e+06");
    assert_eq!(d(0.0001, b'g', -1), "0.0001");
    assert_eq!(d(0.00001, b'g', -1), "1e-05");
    assert_eq!(d(123456789.0, b'g', -1), "1.23457e+08");
    assert_eq!(d(0.5, b'f', 0), "0");
    assert_eq!(d(1.5, b'f', 0), "2");
    assert_eq!(d(2.5, b'f', 0), "2");
    assert_eq!(d(9.9999999, b'e', 3), "1.000e+01");
    assert_eq!(
        d(1e100, b'f', 1),
        "10000000000000000159028911097599180468360808563945281389781327557747838772170381060813469985856815104.0"
    );
    assert_eq!(d(5e-324, b'e', 20), "4.94065645841246544177e-324");
    assert_eq!(d(1.0, b'a', -1), "0x1p+0");
    assert_eq!(d(0.1, b'a', -1), "0x1.999999999999ap-4");
    assert_eq!(d(0.1, b'A', 3), "0X1.99AP-4");
    assert_eq!(d(1.5, b'a', 0), "0x2p+0");
    assert_eq!(d(0.0, b'a', 2), "0x0.00p+0");
    assert_eq!(d(5e-324, b'a', -1), "0x0.0000000000001p-1022");
    assert_eq!(text(Double, u128::from(3.0f64.to_bits()), b'g', true, -1), "3.00000");
    assert_eq!(text(Double, u128::from(3.0f64.to_bits()), b'f', true, 0), "3.");
    assert_eq!(text(Double, u128::from(3.0f64.to_bits()), b'e', true, 0), "3.e+00");
    let x87 = |x: f64| float::convert(Double, X87, u128::from(x.to_bits()));
    assert_eq!(text(X87, x87(1.0), b'a', false, -1), "0x8p-3");
    assert_eq!(text(X87, 0x4000_c90f_daa2_2168_c235, b'a', false, -1), "0xc.90fdaa22168c235p-2");
    assert_eq!(text(X87, 0x4000_c90f_daa2_2168_c235, b'f', false, 20), "3.14159265358979323851");
    assert_eq!(text(X87, 0, b'a', false, -1), "0x0p+0");
}

#[test]
fn decimal_to_binary() {
    let p = |s: &str| float::parse(Double, s.as_bytes()).map(|b| f64::from_bits(b as u64));
    assert_eq!(p("1"), Some(1.0));
    assert_eq!(p(".5"), Some(0.5));
    assert_eq!(p("5."), Some(5.0));
    assert_eq!(p("1e400"), Some(f64::INFINITY));
    assert_eq!(p("1e-400"), Some(0.0));
    assert_eq!(p("1e999999999999999999999"), Some(f64::INFINITY));
    assert_eq!(p("0e999999999999999999999"), Some(0.0));
    assert_eq!(p("2.4703282292062327208e-324"), Some(0.0));
    assert_eq!(p("2.4703282292062328e-324"), Some(5e-324));
    assert_eq!(p("9007199254740993"), Some(9007199254740992.0));
    assert_eq!(p("9007199254740993.0000000000000000000000000001"), Some(9007199254740994.0));
    assert_eq!(p("1e"), None);
    assert_eq!(p(""), None);
    assert_eq!(p("1x"), None);
    assert_eq!(float::parse(X87, b"1"), Some(0x3fff_8000_0000_0000_0000));
    assert_eq!(float::parse(X87, b"1e-4950"), Some(3));
}

#[test]
fn not_a_number() {
    let nan = float::binary(
        Double,
        FBinOp::Sub,
        u128::from(f64::INFINITY.to_bits()),
        u128::from(f64::INFINITY.to_bits()),
        ENV,
    );
    assert_eq!(nan, Ok(0xfff8_0000_0000_0000));
    let quiet = float::binary(Double, FBinOp::Add, 0x7ff0_0000_0000_0001, 0, ENV);
    assert_eq!(quiet, Ok(0x7ff8_0000_0000_0001));
    assert_eq!(float::binary(X87, FBinOp::Div, 0, 0, ENV), Ok(0xffff_c000_0000_0000_0000));
}
