//! Were two builds made with the same options? Functions compiled with other options can mean something else where the
//! sources do not, and the other way round; what is compared then is not the sources.
//!
//! Folders to search, warnings, debug information and outputs do not count; of macros that look like versions or paths,
//! the values do not.

use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use verify_cache::Store;
use verify_compile_db::Ledger;

type Options = BTreeMap<PathBuf, BTreeSet<String>>;

/// Options of the latest compilation of every source below a folder.
fn options(store: &Store, root: &Path) -> anyhow::Result<Options> {
    let contents = Ledger::open(store.root()).read().context("the capture ledger")?;
    let mut out = Options::new();
    for r in contents.records.iter().filter(|r| r.status.success()) {
        for c in &r.compiles {
            let full = r.cwd.join(&c.source);
            let full = full.canonicalize().unwrap_or(full);
            let Ok(source) = full.strip_prefix(root) else { continue };
            let words: Vec<String> = c.clang.iter().map(|w| w.to_string_lossy().into_owned()).collect();
            out.insert(source.to_path_buf(), meaningful(&words));
        }
    }
    Ok(out)
}

/// Options with a value in the next word that says nothing about the meaning of the code.
const WITH_VALUE: &[&str] = &[
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-x",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "-Xlinker",
    "-Xpreprocessor",
    "-dumpbase",
    "-dumpdir",
];
/// Beginnings of others.
const IGNORED: &[&str] = &[
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-o",
    "-M",
    "-W",
    "-w",
    "-g",
    "-L",
    "-l",
    "-pipe",
    "-pedantic",
    "-fdiagnostics",
    "-fdebug",
    "-ffile-prefix-map",
    "-fmacro-prefix-map",
    "-fcolor",
    "-fno-color",
    "-save-temps",
    "-v",
    "-c",
    "-fPIC",
    "-fPIE",
    "-fpic",
    "-fpie",
    "-fno-pic",
    "-fno-PIC",
    "-fno-pie",
    "-fno-PIE",
    "-fvisibility",
    "-O",
];

/// What decides about the meaning of the code. The level of optimisation does not, but for `-Ofast`.
fn meaningful(words: &[String]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut it = words.iter();
    while let Some(w) = it.next() {
        if WITH_VALUE.contains(&w.as_str()) {
            it.next();
        } else if let Some(rest) = w.strip_prefix("-D").or_else(|| w.strip_prefix("-U")) {
            let text = if rest.is_empty() { it.next().cloned().unwrap_or_default() } else { rest.to_string() };
            let (name, value) = text.split_once('=').unwrap_or((&text, ""));
            let shown = if value.contains(['"', '.', '/', '\'']) { format!("{name}=...") } else { text.clone() };
            out.insert(format!("{}{shown}", &w[..2]));
        } else if w == "-Ofast" || w.starts_with('-') && !IGNORED.iter().any(|i| w.starts_with(i)) {
            out.insert(w.clone());
        }
    }
    out
}

/// The first difference between the options of two builds, as a sentence.
///
/// # Errors
/// The ledger cannot be read.
pub fn difference(store: &Store, old: &Path, new: &Path) -> anyhow::Result<Option<String>> {
    let (a, b) = (options(store, old)?, options(store, new)?);
    for (source, x) in &a {
        let Some(y) = b.get(source).filter(|y| *y != x) else { continue };
        let list = |only: Vec<&String>| only.into_iter().cloned().collect::<Vec<_>>().join(" ");
        let (p, q) = (list(x.difference(y).collect()), list(y.difference(x).collect()));
        let side = |which: &str, s: &str| {
            if s.is_empty() { String::new() } else { format!("`{s}` in the {which} build only") }
        };
        let both: Vec<String> = [side("old", &p), side("new", &q)].into_iter().filter(|s| !s.is_empty()).collect();
        return Ok(Some(format!(
            "the versions were captured with different options: {}: {} (`--other-options` compares them all the same)",
            source.display(),
            both.join(", ")
        )));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::meaningful;

    fn of(text: &str) -> Vec<String> {
        meaningful(&text.split(' ').map(String::from).collect::<Vec<_>>()).into_iter().collect()
    }

    #[test]
    fn what_counts() {
        assert_eq!(of("-O2 -g -Wall -I include -Iother -o a.o -MF a.d -fPIC"), Vec::<String>::new());
        assert_eq!(of("-DA=1 -D B -UC -fwrapv -m32"), ["-DA=1", "-DB", "-UC", "-fwrapv", "-m32"]);
        assert_eq!(of("-DVERSION=\"1.2\""), of("-DVERSION=\"1.3\""));
        assert_ne!(of("-DLEVEL=1"), of("-DLEVEL=2"));
        assert_eq!(of("-Ofast"), ["-Ofast"]);
    }
}
