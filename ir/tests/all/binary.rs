//! The binary form: round trip, refusal of everything else.

use verify_ir::binary::{self, DecodeError};
use verify_ir::{FORMAT_VERSION, Module, Target};

fn module() -> Module {
    Module::new(Target::default())
}

#[test]
fn round_trip_and_determinism() {
    let m = module();
    let a = binary::encode(&m).unwrap();
    assert_eq!(a, binary::encode(&m.clone()).unwrap());
    assert_eq!(binary::decode_checked(&a).unwrap(), m);
}

#[test]
fn refuses_with_a_sentence() {
    let good = binary::encode(&module()).unwrap();
    assert!(matches!(binary::decode(b""), Err(DecodeError::NotIr)));
    assert!(matches!(binary::decode(b"\x7fELF...."), Err(DecodeError::NotIr)));
    assert!(matches!(binary::decode(&good[..20]), Err(DecodeError::Truncated)));
    assert!(matches!(binary::decode(&good[..good.len() - 1]), Err(DecodeError::Hash)));
    let mut old = good.clone();
    old[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    let e = binary::decode(&old).unwrap_err();
    assert!(matches!(e, DecodeError::Version { .. }) && e.to_string().contains("run the build again"), "{e}");
    let mut ill = module();
    ill.spans.clear();
    let ill = binary::encode(&ill).unwrap();
    assert!(binary::decode(&ill).is_ok());
    assert!(matches!(binary::decode_checked(&ill), Err(DecodeError::IllFormed(_))));
}

#[test]
fn claims_are_not_believed() {
    // A small file that says it is huge, and one that holds more than it says.
    let zeros = zstd::bulk::compress(&vec![0u8; 1 << 20], 19).unwrap();
    assert!(matches!(binary::decode_payload(u64::MAX, &zeros), Err(DecodeError::TooLarge)));
    assert!(matches!(binary::decode_payload(10, &zeros), Err(DecodeError::TooLarge)));
    assert!(matches!(binary::decode_payload(binary::MAX_PAYLOAD, &zeros), Err(DecodeError::Payload(_))));
}
