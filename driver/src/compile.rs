//! C sources to modules: through the capture's code, so that a file given by hand is read exactly as a captured one.

use crate::cli::CompilerArgs;
use crate::exit::usage;
use crate::tools::Env;
use anyhow::Context;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ffi::OsString;
use verify_cache::{Kind, Store};
use verify_ir::Module;
use verify_ir::builtin;
use verify_ir::link::{DiagnosticKind, LinkOptions};
use verify_wrapper::Driver;
use verify_wrapper::capture::{CaptureError, Job, compile_unit, no_builtin, translate};

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
    let captured = compile_unit(env.tools()?, &env.store, job).map_err(|e| match e {
        CaptureError::Clang(said) => usage(format!("clang: {}", first_error(&said))),
        CaptureError::Unsupported(_) => usage(e.to_string()),
        CaptureError::Lower(ref said) if !said.contains("died by signal") => usage(e.to_string()),
        // A fault of the tool, or of the machine.
        CaptureError::Lower(_) | CaptureError::Cache(_) => anyhow::Error::msg(e.to_string()),
    })?;
    load_unit(&env.store, &captured.unit).map_err(anyhow::Error::msg)
}

/// The first error in what a compiler said, and how many more there are.
fn first_error(said: &str) -> String {
    let errors: Vec<&str> = said.lines().filter(|l| l.contains("error: ")).collect();
    let first = errors.first().copied().or(said.lines().next()).unwrap_or_default().trim();
    let mut text: String = first.chars().take(LONGEST_ERROR).collect();
    if text.len() < first.len() {
        text.push('…');
    }
    match errors.len().saturating_sub(1) {
        0 => text,
        1 => format!("{text} (and one more error)"),
        more => format!("{text} (and {more} more errors)"),
    }
}

/// Characters that are shown of an error: what is no text has lines of any length.
const LONGEST_ERROR: usize = 400;

/// Links what the command line names, with the models of the library. What the units disagree about is printed.
///
/// # Errors
/// Units for different machines, or a name that is defined twice: no linker makes a program of these, and of a part of them
/// (only one of two `main`s) nothing must be said.
pub fn link(units: Vec<Module>, options: &LinkOptions) -> anyhow::Result<Module> {
    let mut linked = verify_ir::link::link(units, options).map_err(|e| usage(e.to_string()))?;
    verify_facts::split::all(&mut linked.module);
    for d in &linked.diagnostics {
        if d.kind == DiagnosticKind::MultipleDefinition {
            let (symbol, first, second) = (&d.symbol, &d.first, &d.second);
            return Err(usage(format!("multiple definition of `{symbol}`: {first} and {second}")));
        }
        eprintln!("warning: {d}");
    }
    Ok(linked.module)
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
    let compile = |j: &Job| compile_job(env, j).with_context(|| j.source.display().to_string());
    let mut units = jobs.par_iter().map(compile).collect::<anyhow::Result<Vec<_>>>()?;
    // A library function that one source defines is this one in all of them.
    let own: BTreeSet<String> = units.iter().flat_map(|u| builtin::defined(u)).map(String::from).collect();
    for (job, unit) in jobs.iter_mut().zip(&mut units) {
        let here = builtin::defined(unit);
        let missing = own.iter().filter(|n| !here.contains(&n.as_str()));
        let options: Vec<OsString> = missing.map(|n| no_builtin(n)).collect();
        if !options.is_empty() {
            job.args.extend(options);
            *unit = compile(job)?;
        }
    }
    Ok(units)
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn the_first_error_is_shown() {
        let said =
            "Target: x\na.c:1:2: warning: w\na.c:3:1: error: one\n  3 | x\na.c:4:1: error: two\n2 errors generated.\n";
        assert_eq!(first_error(said), "a.c:3:1: error: one (and one more error)");
        assert_eq!(first_error("exit status 1"), "exit status 1");
        assert_eq!(first_error(&format!("error: {}", "ü".repeat(1000))).chars().count(), 401);
        assert_eq!(first_error(""), "");
    }
}
