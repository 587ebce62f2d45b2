//! Embeds the C library models (`models/*.c`, `*.h`, `flags`) in the binary, so that one file is the whole tool.

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    // Not where this was compiled: checkouts that share a target folder share this program.
    let driver = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let models = Path::new(&driver).join("../models");
    println!("cargo:rerun-if-env-changed=CARGO_MANIFEST_DIR");
    println!("cargo:rerun-if-changed={}", models.display());
    let mut names: Vec<String> = std::fs::read_dir(&models)
        .expect("the models folder stands beside the driver")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.ends_with(".c") || n.ends_with(".h") || n == "flags")
        .collect();
    names.sort();
    let mut out = String::from(
        "/// Name and text of every model file, sorted by name.\npub static FILES: &[(&str, &str)] = &[\n",
    );
    for n in &names {
        println!("cargo:rerun-if-changed={}", models.join(n).display());
        let path = models.join(n).canonicalize().expect("a listed file exists");
        writeln!(out, "    ({n:?}, include_str!({:?})),", path.display().to_string()).expect("writing to a string");
    }
    out.push_str("];\n");
    let dir = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&dir).join("models_table.rs"), out).expect("OUT_DIR is writable");
}
