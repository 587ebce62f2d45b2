//! Arbitrary bytes as compile_commands.json; what parses must survive writing and parsing again.
//! Run: `cargo +nightly fuzz run database` in `compile-db/`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;
use verify_compile_db::CompileDb;

fuzz_target!(|data: &[u8]| {
    let (file, base) = (Path::new("compile_commands.json"), Path::new("/base"));
    match CompileDb::parse(data, file, base) {
        Ok(db) => {
            let again = CompileDb::parse(db.to_json().as_bytes(), file, base).expect("what is written can be read");
            assert_eq!(db.entries.len(), again.entries.len());
        }
        Err(e) => assert!(!e.to_string().contains('\n'), "one line"),
    }
});
