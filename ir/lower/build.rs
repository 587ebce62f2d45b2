//! Links LLVM 19 statically: only the bitcode reader, the IR library and what they need. The shared `libLLVM` would
//! cost start-up time in every run, and the static system libraries of the optional parts (Z3, libxml2) are not ours.

use std::path::PathBuf;
use std::process::Command;

const COMPONENTS: &[&str] = &["core", "bitreader"];
/// System libraries that the linked parts really use. Compression (zlib, zstd) and terminals are not among them, so
/// their development packages are not needed.
const WANTED_SYSTEM_LIBS: &[&str] = &["rt", "dl", "m", "pthread"];

fn main() {
    for f in ["build.rs", "shim/shim.cpp"] {
        println!("cargo:rerun-if-changed={f}");
    }
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    let config = find_config();
    let run = |args: &[&str]| -> String {
        let out = Command::new(&config).args(args).output().unwrap_or_else(|e| panic!("cannot run {config:?}: {e}"));
        assert!(out.status.success(), "{config:?} {args:?} failed: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("llvm-config prints text").trim().to_owned()
    };

    let mut shim = cc::Build::new();
    shim.cpp(true).file("shim/shim.cpp").include(run(&["--includedir"])).warnings(false);
    shim.flag("-std=c++17").flag_if_supported("-fno-rtti").flag_if_supported("-fno-exceptions");
    for d in ["__STDC_CONSTANT_MACROS", "__STDC_FORMAT_MACROS", "__STDC_LIMIT_MACROS"] {
        shim.define(d, None);
    }
    shim.compile("verify_llvm_shim");

    println!("cargo:rustc-link-search=native={}", run(&["--libdir"]));
    let libs = run(&[&["--link-static", "--libs"], COMPONENTS].concat());
    for l in libs.split_whitespace().filter_map(|l| l.strip_prefix("-l")) {
        println!("cargo:rustc-link-lib=static:-bundle={l}");
    }
    let system = run(&[&["--link-static", "--system-libs"], COMPONENTS].concat());
    for l in system.split_whitespace().filter_map(|l| l.strip_prefix("-l")) {
        if WANTED_SYSTEM_LIBS.contains(&l) {
            println!("cargo:rustc-link-lib=dylib={l}");
        }
    }
    let cxx = if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|o| o == "macos") { "c++" } else { "stdc++" };
    println!("cargo:rustc-link-lib=dylib={cxx}");
}

/// `llvm-config` of version 19: `$LLVM_CONFIG`, the versioned name, the usual folders, the plain name.
fn find_config() -> PathBuf {
    let mut candidates: Vec<PathBuf> = std::env::var_os("LLVM_CONFIG").map(PathBuf::from).into_iter().collect();
    candidates.extend(
        [
            "llvm-config-19",
            "/usr/lib/llvm-19/bin/llvm-config",
            "/usr/lib64/llvm19/bin/llvm-config",
            "/opt/homebrew/opt/llvm@19/bin/llvm-config",
            "/usr/local/opt/llvm@19/bin/llvm-config",
            "llvm-config",
        ]
        .map(PathBuf::from),
    );
    for c in &candidates {
        if let Ok(out) = Command::new(c).arg("--version").output()
            && out.status.success()
            && String::from_utf8_lossy(&out.stdout).starts_with("19.")
        {
            return c.clone();
        }
    }
    panic!("no llvm-config of LLVM 19 found (Debian: apt install llvm-19-dev, or set LLVM_CONFIG)");
}
