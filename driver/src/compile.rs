//! C sources to modules: through the capture's code, so that a file given by hand is read exactly as a captured one.

use crate::cli::CompilerArgs;
use crate::exit::usage;
use crate::tools::Env;
use anyhow::Context;
use rayon::prelude::*;
use std::ffi::OsString;
use verify_cache::{Kind, Store};
use verify_ir::Module;
use verify_wrapper::Driver;
use verify_wrapper::capture::{Job, compile_unit, translate};

/// The unit with this name in the cache.
///
/// # Errors
/// It is gone or of another version; the sentence says to build again.
pub fn load_unit(store: &Store, unit: &verify_cache::Hash) -> Result<Module, String> {
    let bytes = store
        .get(Kind::UNIT, unit)
        .ok_or_else(|| "its unit is no longer in the cache: build it again with verify-cc".to_string())?;
    verify_ir::binary::decode_checked(&bytes).map_err(|e| e.to_string())
}

/// Compiles one job and reads the unit.
///
/// # Errors
/// What clang, the lowering or the cache said.
pub fn compile_job(env: &Env, job: &Job) -> anyhow::Result<Module> {
    let captured = compile_unit(env.tools()?, &env.store, job).map_err(|e| usage(e.to_string()))?;
    load_unit(&env.store, &captured.unit).map_err(anyhow::Error::msg)
}

/// Compiles the sources of a command line, in order.
///
/// # Errors
/// The first source that cannot be compiled, with what clang said.
pub fn compile_sources(env: &Env, args: &CompilerArgs) -> anyhow::Result<Vec<Module>> {
    let cwd = std::env::current_dir().context("current folder")?;
    let mut jobs = Vec::new();
    for source in &args.sources {
        if !source.exists() {
            return Err(usage(format!("{}: no such file", source.display())));
        }
        let mut words: Vec<OsString> = args.options.iter().map(OsString::from).collect();
        words.push("-c".into());
        words.push(source.into());
        let mut found = translate(Driver::C, &words, &cwd).map_err(|e| usage(format!("{}: {e}", source.display())))?;
        if found.is_empty() {
            return Err(usage(format!("{}: not a C source", source.display())));
        }
        // What is mistyped is no compiler's: these have few options with two dashes.
        let unknown = found.iter().flat_map(|job| &job.changes).find(|change| {
            change.why == verify_wrapper::argv::NO_OPTION && change.option.as_encoded_bytes().starts_with(b"--")
        });
        if let Some(change) = unknown {
            return Err(usage(format!("there is no option `{}`", change.option.display())));
        }
        for job in &mut found {
            job.args.extend(args.checks.iter().map(|c| OsString::from(format!("-fsanitize={c}"))));
        }
        jobs.extend(found);
    }
    jobs.par_iter()
        .map(|j| compile_job(env, j).with_context(|| j.source.display().to_string()))
        .collect::<anyhow::Result<Vec<_>>>()
}
