//! Compiles C to linked programs for the tests: clang 19 and `verify-lower`, which is looked for beside the test
//! binary and in `VERIFY_LOWER`. Without them the tests that need them say so and pass.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use verify_engine::ProgramInput;
use verify_engine::result::TargetKind;
use verify_ir::Module;
use verify_ir::link::{LinkOptions, link};

const CAPTURE: &[&str] = &[
    "-g",
    "-fdebug-macro",
    "-w",
    "-c",
    "-emit-llvm",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-fsanitize-address-use-after-scope",
    "-fno-elide-constructors",
    "-fsanitize=signed-integer-overflow,shift-exponent,integer-divide-by-zero,unreachable,array-bounds,vla-bound,bool,\
     builtin,nonnull-attribute,returns-nonnull-attribute,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

fn lower() -> Option<PathBuf> {
    if let Some(p) = std::env::var_os("VERIFY_LOWER") {
        return Some(p.into());
    }
    let exe = std::env::current_exe().ok()?;
    exe.ancestors().skip(1).take(2).map(|d| d.join("verify-lower")).find(|p| p.is_file())
}

fn unit(lower: &Path, source: &Path, flags: &[String], model: bool, out: &Path) -> Option<Module> {
    let bitcode = out.with_extension("bc");
    let clang = Command::new("clang-19").args(CAPTURE).args(flags).arg(source).arg("-o").arg(&bitcode).status().ok()?;
    assert!(clang.success(), "clang on {}", source.display());
    let mut c = Command::new(lower);
    c.arg(&bitcode).arg("-o").arg(out);
    if model {
        c.arg("--model");
    }
    assert!(c.status().ok()?.success(), "verify-lower on {}", source.display());
    Some(verify_ir::binary::decode(&std::fs::read(out).ok()?).expect("a unit"))
}

fn models() -> Option<&'static [Module]> {
    static MODELS: OnceLock<Option<Vec<Module>>> = OnceLock::new();
    MODELS
        .get_or_init(|| {
            let lower = lower()?;
            Command::new("clang-19").arg("--version").output().ok()?;
            let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
            let flags = std::fs::read_to_string(dir.join("flags")).expect("flags");
            let mut flags: Vec<String> =
                flags.lines().filter(|l| !l.starts_with('#') && !l.is_empty()).map(String::from).collect();
            flags.push(format!("-I{}", dir.display()));
            let scratch = scratch("models");
            let mut files: Vec<PathBuf> =
                std::fs::read_dir(&dir).expect("models").flatten().map(|e| e.path()).collect();
            // Those that start threads are for scans that ask for them.
            files.retain(|p| p.extension().is_some_and(|e| e == "c") && p.file_stem().is_none_or(|s| s != "threads"));
            files.sort();
            files
                .iter()
                .map(|f| unit(&lower, f, &flags, true, &scratch.join(f.file_stem()?).with_extension("unit")))
                .collect()
        })
        .as_deref()
}

fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("verify-probe-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("scratch");
    dir
}

/// The program, or `None` (said on standard error) where the tools are missing.
pub fn program(name: &str, kind: TargetKind, source: &str) -> Option<ProgramInput> {
    let (Some(models), Some(lower)) = (models(), lower()) else {
        eprintln!("skipped: clang-19 or verify-lower is missing");
        return None;
    };
    let dir = scratch(name);
    let file = dir.join("main.c");
    std::fs::write(&file, source).expect("source");
    let user = unit(&lower, &file, &["-O0".into()], false, &dir.join("main.unit"))?;
    let options = LinkOptions {
        models: models.to_vec(),
        roots: vec!["exit".into()],
        strip_unreferenced_declarations: true,
        ..LinkOptions::default()
    };
    let linked = link(vec![user], &options).expect("one machine");
    Some(ProgramInput {
        name: name.into(),
        kind,
        module: Arc::new(linked.module),
        diagnostics: Vec::new(),
        incomplete: false,
    })
}
