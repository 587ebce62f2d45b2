//! Why a build went past the wrapper: read off what the build left behind.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use verify_compile_db::coverage::Totals;
use verify_wrapper::real;

/// Files that are looked at.
const LIMIT: usize = 4000;

/// Likely causes with what to do, the best supported first; never empty. `build` is the command, where it is known.
pub fn likely_causes(dir: &Path, t: &Totals, build: &[OsString]) -> Vec<String> {
    let invocations = t.invocations;
    let files = files(dir);
    let mut out = Vec::new();
    // `make CC=/usr/bin/gcc`.
    if let Some(word) = build.iter().find(|word| compiler_by_path(&word.to_string_lossy()).is_some()) {
        let word = word.to_string_lossy();
        out.push(format!("the build is told to call a compiler by its full path ({word}): use `verify capture --trace -- …`, or leave that out"));
    }
    let named = |p: &PathBuf, names: &[&str]| names.iter().any(|n| p.file_name().is_some_and(|f| f == *n));
    let short = |p: &Path| p.strip_prefix(dir).unwrap_or(p).display().to_string();
    let is_makefile = |p: &&PathBuf| {
        named(p, &["Makefile", "makefile", "GNUmakefile", "config.mk", "config.mak"])
            || p.extension().is_some_and(|e| e == "mk")
    };
    for path in files.iter().filter(is_makefile) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if let Some((line, compiler, ccache)) =
            text.lines().enumerate().find_map(|(i, l)| hard_coded(l).map(|(c, a)| (i + 1, c, a)))
        {
            let place = format!("{}:{line}", short(path));
            if let Some(cause) = other_cache(&compiler, &place) {
                out.push(cause);
            } else if compiler.starts_with('/') {
                out.push(format!("the compiler is called by its full path ({place}: {compiler}): use `verify capture --trace -- make`, or `make CC=verify-cc`"));
            } else if ccache {
                out.push(format!("ccache stands in front ({place}): its hits call no compiler; use `verify capture -- make`, or `make CC=verify-cc` with VERIFY_REAL_CC=\"{compiler}\""));
            } else {
                out.push(format!("the compiler is hard-coded ({place}: {compiler}): use `verify capture -- make`, or `make CC=verify-cc`"));
            }
            break;
        }
    }
    if let Some(path) = files.iter().find(|p| named(p, &["CMakeCache.txt"])) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let value =
            |key: &str| text.lines().find_map(|l| l.strip_prefix(key)?.split_once('=').map(|(_, v)| v.to_string()));
        if let Some(launcher) = value("CMAKE_C_COMPILER_LAUNCHER").filter(|l| !l.is_empty()) {
            out.push(format!(
                "a compiler launcher stands in front ({}: {launcher}): configure again without it, in a new folder",
                short(path)
            ));
        }
        if let Some(cc) = value("CMAKE_C_COMPILER").filter(|cc| !cc.contains("verify-cc")) {
            let cause = other_cache(&cc, &short(path));
            out.push(cause.unwrap_or_else(|| format!("CMake was configured with another compiler ({}: {cc}): configure in a new folder with -DCMAKE_C_COMPILER=verify-cc", short(path))));
        }
    }
    if let Some(path) = files.iter().find(|p| named(p, &["config.status"])) {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let cc = text.lines().find_map(|l| l.strip_prefix("S[\"CC\"]=").map(|v| v.trim_matches('"').to_string()));
        if let Some(cc) = cc.filter(|cc| !cc.contains("verify-cc")) {
            let cause = other_cache(&cc, &short(path));
            out.push(cause.unwrap_or_else(|| format!("configure was run with another compiler (CC={cc}): run ./configure CC=verify-cc again, then make clean and make")));
        }
    }
    // A build under `verify capture` may have written the same into many files.
    let mut said = std::collections::BTreeSet::new();
    out.retain(|cause| said.insert(cause.rsplit(": ").next().unwrap_or_default().to_string()));
    if invocations == 0
        && std::env::var_os("PATH").is_some_and(|p| std::env::split_paths(&p).any(|d| d.ends_with("ccache")))
    {
        out.push("ccache stands in front on PATH: its hits call no compiler; use `verify capture -- make`".into());
    }
    // It was called for links and not for the objects in them: what stood before it had the answers.
    if invocations > 0 && out.is_empty() && t.links > 0 && t.strangers > 0 {
        let launcher = ["ccache", "sccache", "distcc", "icecc"]
            .into_iter()
            .find(|l| real::on_path(l.as_ref(), |_| true).is_some());
        if let Some(launcher) = launcher {
            out.push(format!("{launcher} stands in front of verify-cc, and what it has stored calls no compiler: use `verify capture -- …`, or CC=verify-cc with VERIFY_REAL_CC=\"{launcher} gcc\""));
        }
    }
    let built = files.iter().any(|p| p.extension().is_some_and(|e| e == "o" || e == "lo" || e == "a"));
    if invocations == 0 {
        if let Some(cc) = std::env::var_os("CC").filter(|cc| !cc.to_string_lossy().contains("verify-cc")) {
            out.push(format!("CC is {} in the environment", cc.to_string_lossy()));
        }
        out.push(match built {
            true => "CC was not exported to the build, or everything was already built: run `make clean && make CC=verify-cc`, or `verify capture -- make`".into(),
            false => "nothing was built with CC=verify-cc yet, or CC was not exported to the build: run `make CC=verify-cc`, or `verify capture -- make`".into(),
        });
    } else if out.is_empty() {
        out.push("only configuration ran, or everything was already built: run `make clean` and build again with CC=verify-cc".into());
    }
    out
}

/// A compiler that is the wrapper, as `verify capture` calls it from its cache.
fn other_cache(compiler: &str, place: &str) -> Option<String> {
    let (cache, _) = compiler.split_once("/masquerade/")?;
    Some(format!("it was captured into another cache ({place}): set VERIFY_CACHE={cache}"))
}

/// The first place under a folder where a compiler is called by its full path, which no name on `PATH` can catch.
pub fn full_path(dir: &Path) -> Option<String> {
    let built = |p: &&PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        ["Makefile", "makefile", "GNUmakefile", "build.ninja", "CMakeCache.txt"].contains(&&*name)
            || [".mk", ".mak", ".ninja", ".sh", ".make"].iter().any(|e| name.ends_with(e))
    };
    files(dir).iter().filter(built).find_map(|path| {
        let text = std::fs::read_to_string(path).ok()?;
        let (line, word) = text.lines().enumerate().find_map(|(i, l)| Some((i + 1, compiler_by_path(l)?)))?;
        Some(format!("{}:{line}: {word}", path.strip_prefix(dir).unwrap_or(path).display()))
    })
}

/// `/usr/bin/gcc` as a word of a line that is no comment.
fn compiler_by_path(line: &str) -> Option<&str> {
    if line.trim_start().starts_with('#') {
        return None;
    }
    line.split([' ', '\t', '=', '"', '\'', '@', ';', '(']).find(|word| {
        word.starts_with('/')
            && verify_wrapper::real::is_compiler_name(word.as_ref())
            && !word.contains("verify")
            && !word.contains("masquerade")
    })
}

/// `CC = gcc`, `CC := ccache gcc`, or a recipe that calls a compiler by name: what it calls, and whether ccache is
/// in it. `CC ?=` gives way to the environment.
fn hard_coded(line: &str) -> Option<(String, bool)> {
    let compiler = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word).trim_start_matches(['@', '-']);
        matches!(name, "gcc" | "cc" | "clang" | "ccache" | "tcc" | "icx")
            || name.starts_with("gcc-")
            || name.starts_with("clang-")
    };
    let found = |text: &str| {
        let first = text.split_whitespace().next()?;
        compiler(first)
            .then(|| (text.trim().trim_start_matches(['@', '-']).chars().take(60).collect(), text.contains("ccache")))
    };
    if let Some(recipe) = line.strip_prefix('\t') {
        return found(recipe);
    }
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    if name.ends_with('?') {
        return None;
    }
    let name =
        name.trim_end_matches([':', '+']).trim().trim_start_matches("override ").trim_start_matches("export ").trim();
    matches!(name, "CC" | "HOSTCC" | "COMPILER" | "C_COMPILER" | "GCC").then(|| found(value.trim()))?
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![(dir.to_path_buf(), 0)];
    while let Some((dir, depth)) = open.pop() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_symlink() || out.len() >= LIMIT {
                continue;
            }
            if path.is_dir() {
                if depth < 6 && path.file_name().is_none_or(|n| n != ".git") {
                    open.insert(0, (path, depth + 1));
                }
            } else {
                out.push(path);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_by_their_full_path() {
        for line in [
            "CC=/usr/bin/gcc",
            "\t@/usr/bin/cc -c x.c",
            "CMAKE_C_COMPILER:FILEPATH=/usr/bin/clang-19",
            "  command = /opt/x/bin/arm-none-eabi-gcc -c",
        ] {
            assert!(compiler_by_path(line).is_some(), "{line}");
        }
        for line in ["CC = gcc", "# /usr/bin/gcc", "LIB = /usr/lib/gcc/x", "CC=/home/me/verify/bin/gcc"] {
            assert_eq!(compiler_by_path(line), None, "{line}");
        }
    }

    #[test]
    fn compilers_in_makefiles() {
        let name = |line: &str| hard_coded(line).map(|(c, _)| c);
        assert_eq!(name("CC = gcc -O2").as_deref(), Some("gcc -O2"));
        assert_eq!(name("override CC:=/usr/bin/clang-19").as_deref(), Some("/usr/bin/clang-19"));
        assert_eq!(name("\t@gcc -c $<").as_deref(), Some("gcc -c $<"));
        assert!(hard_coded("CC = ccache gcc").is_some_and(|(_, ccache)| ccache));
        for line in ["CC ?= gcc", "CFLAGS = -O2", "\t$(CC) -c $<", "# CC = gcc", "CC = $(CROSS)gcc"] {
            assert_eq!(hard_coded(line), None, "{line}");
        }
    }
}
