//! Arbitrary text through the parser; what parses must print and parse again to the same module.
//! Run: `cargo +nightly fuzz run parse` in `ir/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verify_ir::text;

fuzz_target!(|data: &str| {
    if let Ok(m) = text::parse(data) {
        assert_eq!(text::parse(&text::print(&m)), Ok(m));
    }
});
