//! The folder of `verify diff --patterns`: custom change patterns in C, or as text of the IR.

use crate::cli::CompilerArgs;
use crate::compile;
use crate::exit::usage;
use crate::tools::Env;
use anyhow::Context;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify_diff::Pattern;
use verify_ir::{Module, SourceFile};

const HEADER: &str = include_str!("../../patterns/verify-pattern.h");

/// Reads all patterns of a folder, in order of file names; `like` is the program that they are for.
///
/// # Errors
/// The first file that is no pattern, in one line.
pub fn load(env: &Env, dir: &Path, compiler: &CompilerArgs, like: &Module) -> anyhow::Result<Vec<Pattern>> {
    let entries = std::fs::read_dir(dir).map_err(|e| usage(format!("--patterns {}: {e}", dir.display())))?;
    let mut files: Vec<PathBuf> = entries
        .map(|e| e.map(|e| e.path()))
        .collect::<Result<_, _>>()
        .with_context(|| format!("--patterns {}", dir.display()))?;
    files.retain(|f| matches!(f.extension().and_then(|e| e.to_str()), Some("c" | "vir")));
    files.sort();
    if files.is_empty() {
        return Err(usage(format!("--patterns {}: no patterns there (.c or .vir)", dir.display())));
    }
    let headers = tempfile::tempdir().context("a folder for the header of patterns")?;
    std::fs::write(headers.path().join("verify-pattern.h"), HEADER).context("the header of patterns")?;
    let (mut out, mut names) = (Vec::new(), BTreeSet::new());
    for f in files {
        let module = read(env, &f, compiler, headers.path())?;
        let bad = |why: String| usage(format!("{}: {why}", f.display()));
        if module.target.pointer_bits != like.target.pointer_bits || module.target.big_endian != like.target.big_endian
        {
            return Err(bad("the pattern is for another machine than the versions".into()));
        }
        for p in Pattern::load(&module).map_err(bad)? {
            if !names.insert(p.name().to_string()) {
                return Err(bad(format!("there is another pattern `{}`", p.name())));
            }
            out.push(p);
        }
    }
    Ok(out)
}

fn read(env: &Env, file: &Path, compiler: &CompilerArgs, headers: &Path) -> anyhow::Result<Arc<Module>> {
    let bad = |why: String| usage(format!("{}: no pattern: {why}", file.display()));
    if file.extension().is_some_and(|e| e == "vir") {
        let text = std::fs::read_to_string(file).map_err(|e| bad(e.to_string()))?;
        let mut module = verify_ir::text::parse(&text).map_err(|e| bad(e.to_string()))?;
        // Written by hand, it has no tables.
        let empty = Module::new(module.target.clone());
        if module.spans.is_empty() {
            module.spans = empty.spans;
        }
        if module.files.is_empty() {
            let path = file.display().to_string();
            module.files.push(SourceFile { path, directory: String::new(), hash: [0; 32], text: None, system: false });
        }
        if module.ctypes.is_empty() {
            module.ctypes = empty.ctypes;
        }
        verify_ir::check::check(&module).map_err(|p| bad(p.first().map_or_else(String::new, |p| p.to_string())))?;
        return Ok(Arc::new(module));
    }
    let mut one = CompilerArgs { sources: vec![file.to_path_buf()], ..compiler.clone() };
    one.options.extend(["-I".to_string(), headers.display().to_string()]);
    let units = compile::compile_sources(env, &one).map_err(|e| {
        let text = format!("{e:#}").replace(['\n', '\r'], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        bad(words.join(" "))
    })?;
    units.into_iter().next().map(Arc::new).ok_or_else(|| bad("it has no unit".into()))
}
