//! Arbitrary bytes through every layer of the binary decoder; what decodes must survive `check` and printing.
//! Run: `cargo +nightly fuzz run decode` in `ir/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verify_ir::{binary, check, text};

fuzz_target!(|data: &[u8]| {
    let _ = binary::decode(data);
    let _ = binary::decode_payload(1 << 20, data);
    // The fuzzer cannot guess a hash or write zstd: most of its work is here.
    if let Ok(m) = binary::decode_raw(data) {
        let bytes = binary::encode(&m).expect("a decoded module can be encoded");
        assert!(binary::decode(&bytes).is_ok());
        let ok = check::check(&m).is_ok();
        let printed = text::print(&m);
        if ok {
            assert_eq!(text::parse(&printed).as_ref(), Ok(&m));
        }
    }
});
