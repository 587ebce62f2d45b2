//! Checks of what C defines but programmers seldom mean: off unless `--check KIND` or `checks = [...]` in verify.toml asks
//! for them. clang puts them into the bitcode like any other check, so units of a captured build are made anew from
//! their recorded commands, with the options that ask for them; units without them stay as they are in the cache.

use crate::compile;
use crate::exit::usage;
use crate::tools::Env;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use verify_compile_db::Ledger;
use verify_compile_db::project::UnitUse;
use verify_ir::{CheckKind, Module, SourceFile};
use verify_wrapper::capture::Job;

/// Kinds that are off by default, with the sanitizers of clang that stand for them.
pub const KINDS: [(CheckKind, &[&str]); 2] = [
    (
        CheckKind::IntegerTruncation,
        &["implicit-integer-truncation", "implicit-integer-sign-change", "implicit-bitfield-conversion"],
    ),
    (CheckKind::UnsignedWrap, &["unsigned-integer-overflow"]),
];

/// The sanitizers that the named kinds need, without repetition.
///
/// # Errors
/// A name that is no kind, or one of a kind that is always on.
pub fn sanitizers(names: &[&String]) -> anyhow::Result<Vec<&'static str>> {
    let mut out = Vec::new();
    for name in names {
        let opt_in = KINDS.iter().map(|(k, _)| k.name()).collect::<Vec<_>>().join(", ");
        let Some(kind) = CheckKind::from_name(name) else {
            return Err(usage(format!("there is no kind of check `{name}`; off unless asked for are {opt_in}")));
        };
        let Some((_, needs)) = KINDS.iter().find(|(k, _)| *k == kind) else {
            return Err(usage(format!("`{name}` is always checked; off unless asked for are {opt_in}")));
        };
        out.extend(needs.iter().copied().filter(|s| !out.contains(s)).collect::<Vec<_>>());
    }
    Ok(out)
}

/// Options for clang.
pub fn options<'a>(sanitizers: &'a [&'static str]) -> impl Iterator<Item = OsString> + 'a {
    sanitizers.iter().map(|s| OsString::from(format!("-fsanitize={s}")))
}

/// The recorded compile of every unit under a folder, to be run again with more options.
pub struct Recompile {
    jobs: BTreeMap<String, Job>,
}

impl Recompile {
    /// Reads the ledger.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn new(env: &Env, root: &Path, sanitizers: &[&'static str]) -> anyhow::Result<Recompile> {
        use anyhow::Context;
        let contents = Ledger::open(env.store.root()).read().context("the capture ledger")?;
        let mut jobs = BTreeMap::new();
        for record in contents.records.iter().filter(|r| r.touches(root)) {
            for (index, compile) in record.compiles.iter().enumerate() {
                let Some(unit) = compile.unit else { continue };
                // The latest one wins: it is the likeliest whose sources are still as they were.
                if let Some(mut job) = verify_wrapper::capture::again(record, index) {
                    job.args.extend(options(sanitizers));
                    jobs.insert(unit.to_hex().to_string(), job);
                }
            }
        }
        Ok(Recompile { jobs })
    }

    /// The unit with the checks that were asked for.
    ///
    /// # Errors
    /// Its command is not in the ledger, its text is not the one that was built, or does not compile any more.
    pub fn unit(&self, env: &Env, u: &UnitUse) -> Result<Module, String> {
        let job = self
            .jobs
            .get(u.unit.to_hex().as_str())
            .ok_or_else(|| "its command is not recorded, so it has no checks of --check: build it again".to_string())?;
        let built = compile::load_unit(&env.store, &u.unit)?;
        let module = compile::compile_job(env, job).map_err(|e| format!("{e:#}"))?;
        match edited(&built, &module) {
            Some(file) => Err(format!("{file} was edited since, so it has no checks of --check: build it again")),
            None => Ok(module),
        }
    }
}

/// The first file of the project whose text is not the one that was built: a scan is of what was built.
fn edited<'a>(built: &Module, now: &'a Module) -> Option<&'a str> {
    let other = |f: &&SourceFile| built.files.iter().any(|b| b.path == f.path && b.hash != f.hash);
    now.files.iter().filter(|f| !f.system).find(other).map(|f| f.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_off_can_be_turned_on() {
        let ask = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            sanitizers(&names.iter().collect::<Vec<_>>()).map_err(|e| e.to_string())
        };
        assert_eq!(ask(&["unsigned-wrap", "unsigned-wrap"]).unwrap(), ["unsigned-integer-overflow"]);
        assert!(ask(&["null-deref"]).unwrap_err().contains("always checked"));
        assert!(ask(&["wrap"]).unwrap_err().contains("no kind of check `wrap`"));
    }
}
