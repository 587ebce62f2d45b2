//! Text and binary forms of random modules come back equal; damaged bytes and texts give errors, never panics.

use crate::common;
use proptest::prelude::*;
use verify_ir::{binary, check, text};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn text_round_trip(choices in prop::collection::vec(any::<u8>(), 0..1500)) {
        let m = common::module(&mut common::Choices::new(&choices));
        let printed = text::print(&m);
        let back = text::parse(&printed).map_err(|e| TestCaseError::fail(format!("{e}\n{printed}")))?;
        prop_assert_eq!(&back, &m, "{}", printed);
        // Comments change nothing.
        let noted = text::print_with(&m, text::PrintOptions { notes: true, ..text::PrintOptions::EXACT });
        prop_assert_eq!(text::parse(&noted), Ok(m));
    }

    #[test]
    fn binary_round_trip(choices in prop::collection::vec(any::<u8>(), 0..1500)) {
        let m = common::module(&mut common::Choices::new(&choices));
        let bytes = binary::encode(&m).unwrap();
        prop_assert_eq!(&bytes, &binary::encode(&m).unwrap());
        prop_assert_eq!(binary::decode(&bytes).unwrap(), m);
    }

    #[test]
    fn check_never_panics(choices in prop::collection::vec(any::<u8>(), 0..1500)) {
        let m = common::module(&mut common::Choices::new(&choices));
        for p in check::check(&m).err().unwrap_or_default() {
            prop_assert!(!p.to_string().is_empty());
        }
    }

    /// Damage in front of and behind the hash.
    #[test]
    fn damaged_bytes_do_not_panic(
        choices in prop::collection::vec(any::<u8>(), 0..800),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let m = common::module(&mut common::Choices::new(&choices));
        let damage = |mut bytes: Vec<u8>| {
            for (at, x) in &flips {
                let n = bytes.len();
                bytes[at.index(n)] ^= x;
            }
            let keep = bytes.len() - cut.index(bytes.len().min(4));
            bytes.truncate(keep);
            bytes
        };
        let file = binary::encode(&m).unwrap();
        let damaged = damage(file.clone());
        prop_assert!(damaged == file || binary::decode(&damaged).is_err());
        let raw = postcard::to_stdvec(&m).unwrap();
        if let Ok(odd) = binary::decode_raw(&damage(raw.clone())) {
            let _ = check::check(&odd);
            let _ = text::parse(&text::print(&odd));
        }
        let packed = zstd::bulk::compress(&raw, 3).unwrap();
        let _ = binary::decode_payload(raw.len() as u64, &damage(packed));
    }

    #[test]
    fn damaged_text_does_not_panic(
        choices in prop::collection::vec(any::<u8>(), 0..400),
        at in any::<prop::sample::Index>(),
        insert in "[ -~\n\u{e9}]{0,3}",
    ) {
        let printed = text::print(&common::module(&mut common::Choices::new(&choices)));
        let mut at = at.index(printed.len());
        while !printed.is_char_boundary(at) {
            at -= 1;
        }
        let tail: String = printed[at..].chars().skip(1).collect();
        let _ = text::parse(&format!("{}{insert}{tail}", &printed[..at]));
    }
}

#[test]
fn deep_differences_do_not_overflow_the_stack() {
    // The bytes of a module up to its first initialiser, then a million openings of a difference.
    let mut c = vec![0u8; 32];
    c.resize(64, 1);
    let mut m = verify_ir::Module::new(verify_ir::Target::default());
    m.globals.push(verify_ir::Global {
        name: "g".into(),
        source_name: String::new(),
        unit: verify_ir::UnitId(0),
        linkage: verify_ir::Linkage::External,
        visibility: verify_ir::Visibility::Default,
        comdat: None,
        section: None,
        thread_local: false,
        constant: false,
        compiler_made: false,
        size: 8,
        align: 8,
        ctype: None,
        span: verify_ir::SpanId(0),
        init: Some(verify_ir::Init {
            pieces: vec![verify_ir::InitPiece { offset: 77, data: verify_ir::InitData::Undef(99) }],
        }),
    });
    let raw = postcard::to_stdvec(&m).unwrap();
    let at = raw.windows(3).position(|w| w == [77, 4, 99]).unwrap() + 1;
    let mut deep = raw[..at].to_vec();
    deep.resize(at + 1_000_000, 3);
    assert!(binary::decode_raw(&deep).unwrap_err().to_string().contains("malformed"));
    // The guard is reset by the error.
    assert!(binary::decode_raw(&raw).is_ok());
}
