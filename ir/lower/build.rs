//! Links LLVM 19 statically: only the bitcode reader, the IR library and what they need. The shared `libLLVM` would
//! cost start-up time in every run, and the static system libraries of the optional parts (Z3, libxml2) are not ours.
//!
//! The program (not the library) also gets clang's own libraries where they are installed, see `src/clang.rs`; the start
//! of a clang process costs as much as compiling a small file.

use std::path::PathBuf;
use std::process::Command;

const COMPONENTS: &[&str] = &["core", "bitreader"];
/// System libraries that the linked parts really use. Compression (zlib, zstd) and terminals are not among them, so
/// their development packages are not needed.
const WANTED_SYSTEM_LIBS: &[&str] = &["rt", "dl", "m", "pthread"];

/// clang's own libraries, users before what they use.
const CLANG: &[&str] = &[
    "clangFrontend",
    "clangDriver",
    "clangCodeGen",
    "clangSerialization",
    "clangParse",
    "clangSema",
    "clangAPINotes",
    "clangAnalysis",
    "clangASTMatchers",
    "clangEdit",
    "clangAST",
    "clangSupport",
    "clangLex",
    "clangBasic",
];
/// The parts of LLVM that these name. No back end is among them: no code is generated.
const CLANG_COMPONENTS: &[&str] = &[
    "coverage",
    "lto",
    "frontendopenmp",
    "frontenddriver",
    "frontendhlsl",
    "windowsdriver",
    "option",
    "passes",
    "bitwriter",
    "irreader",
    "instrumentation",
    "hipstdpar",
];

mod identity;
use identity::identity;

fn main() {
    for f in ["build.rs", "identity.rs", "shim/shim.cpp", "shim/clang.cpp"] {
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
    println!("cargo:rustc-check-cfg=cfg(linked_clang)");
    if let Some(args) = linked_clang(&run) {
        println!("cargo:rustc-cfg=linked_clang");
        for a in args {
            println!("cargo:rustc-link-arg-bin=verify-lower={a}");
        }
    }
    let cxx = if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|o| o == "macos") { "c++" } else { "stdc++" };
    println!("cargo:rustc-link-lib=dylib={cxx}");
}

/// What links clang into the program; none where its libraries or the clang that they are of are not installed.
fn linked_clang(run: &dyn Fn(&[&str]) -> String) -> Option<Vec<String>> {
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|o| o != "linux") {
        return None;
    }
    let libs = PathBuf::from(run(&["--libdir"]));
    let clang = PathBuf::from(run(&["--bindir"])).join("clang").canonicalize().ok()?;
    println!("cargo:rerun-if-changed={}", libs.display());
    println!("cargo:rerun-if-changed={}", clang.display());
    let wanted = CLANG.iter().all(|l| libs.join(format!("lib{l}.a")).is_file());
    let headers = PathBuf::from(run(&["--includedir"])).join("clang/Driver/Driver.h");
    let said = Command::new(&clang).arg("--version").output().ok().filter(|o| o.status.success())?;
    let said = String::from_utf8(said.stdout).ok()?;
    let version = said.lines().next()?.trim();
    if !wanted || !headers.is_file() || version.contains('"') || version.contains('\\') {
        return None;
    }
    println!("cargo:rustc-env=LINKED_CLANG={}", identity(&clang)?);

    let mut shim = cc::Build::new();
    shim.cpp(true).file("shim/clang.cpp").include(run(&["--includedir"])).warnings(false).cargo_metadata(false);
    shim.flag("-std=c++17").flag_if_supported("-fno-rtti").flag_if_supported("-fno-exceptions").opt_level(2);
    for d in ["__STDC_CONSTANT_MACROS", "__STDC_FORMAT_MACROS", "__STDC_LIMIT_MACROS"] {
        shim.define(d, None);
    }
    shim.define("LINKED_VERSION", format!("\"{version}\"").as_str());
    shim.try_compile("verify_clang_shim").ok()?;

    // Without position-independence nothing has to be relocated at the start.
    let mut args: Vec<String> = vec!["-no-pie".into(), "-Wl,--gc-sections".into(), "-Wl,--start-group".into()];
    args.push(format!("-L{}", libs.display()));
    args.push(PathBuf::from(std::env::var_os("OUT_DIR")?).join("libverify_clang_shim.a").display().to_string());
    args.extend(CLANG.iter().map(|l| format!("-l{l}")));
    let llvm = run(&[&["--link-static", "--libs"], CLANG_COMPONENTS].concat());
    args.extend(llvm.split_whitespace().filter(|l| !l.contains("Polly")).map(String::from));
    args.push("-Wl,--end-group".into());
    // What the installed libraries were made with is there wherever they are.
    args.extend(["-l:libz.so.1", "-l:libzstd.so.1", "-lrt", "-ldl", "-lm", "-lpthread"].map(String::from));
    links(&args).then_some(args)
}

/// Another distribution may have cut the libraries in another way; then the project is built without them.
fn links(args: &[String]) -> bool {
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return false };
    let (source, program) = (out.join("trial.cpp"), out.join("trial"));
    let text = "extern \"C\" int vs_compile(...); int main() { return vs_compile(); }\n";
    if std::fs::write(&source, text).is_err() {
        return false;
    }
    let mut command = cc::Build::new().cpp(true).get_compiler().to_command();
    let linked = command.arg(&source).args(args).arg("-o").arg(&program).output().is_ok_and(|o| o.status.success());
    _ = std::fs::remove_file(&program);
    if !linked {
        println!("cargo:warning=clang's libraries do not link; captures run clang as a program");
    }
    linked
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
