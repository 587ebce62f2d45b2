//! Random programs by csmith (skipped without it): well formed and fully modelled. `VERIFY_CSMITH_COUNT` sets how many.

use crate::constructs::unmodelled;
use crate::{bitcode_of_file, lowered};
use std::path::Path;
use std::process::Command;

#[test]
fn csmith_programs() {
    let headers = ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith"];
    let Some(headers) = headers.iter().find(|h| Path::new(h).join("csmith.h").exists()) else {
        eprintln!("skipped: no csmith on this machine (Debian: apt install csmith)");
        return;
    };
    let count = std::env::var("VERIFY_CSMITH_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(4u32);
    let dir = tempfile::tempdir().expect("temporary folder");
    for seed in 1..=count {
        let options: &[&str] =
            if seed % 2 == 0 { &["--bitfields", "--packed-struct", "--float", "--unions", "--volatiles"] } else { &[] };
        let seed = seed.to_string();
        let out = Command::new("csmith").args(["--seed", &seed]).args(options).output().expect("csmith runs");
        let file = dir.path().join(format!("c{seed}.c"));
        std::fs::write(&file, out.stdout).expect("can write");
        let Some(bytes) = bitcode_of_file(&file, &["-O2", "-I", headers]) else { return };
        let m = lowered(bytes, &format!("csmith seed {seed}"));
        assert_eq!(unmodelled(&m), Vec::<String>::new(), "csmith seed {seed}");
    }
}
