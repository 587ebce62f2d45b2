//! The summary for tests and benchmarks.

use crate::common;
use std::path::Path;

#[test]
fn summary() {
    let mut out = Vec::new();
    verify_report::json::write(&common::scan(), Path::new("/project"), true, None, &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}
