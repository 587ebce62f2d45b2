//! A folder of links to the wrapper under every compiler's name, to stand first on `PATH`.
//!
//! It stays where it is after the build: CMake and configure scripts write down where they found the compiler, and
//! must find it there the next time. Launchers (`ccache`, `distcc`) are among the names, because a compiler behind
//! a launcher that has the answer already is never called.

use crate::exit::usage;
use anyhow::Context;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use verify_wrapper::real;

/// The folder.
pub struct Masquerade {
    /// Where it is.
    pub dir: PathBuf,
}

/// A program that is installed beside this one.
///
/// # Errors
/// It is not there.
pub fn wrapper_beside(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().and_then(|p| p.canonicalize()).context("where this program is")?;
    let path = own.with_file_name(name);
    if path.is_file() {
        return Ok(path);
    }
    real::on_path(OsStr::new(name), |_| true)
        .ok_or_else(|| usage(format!("{name} is neither beside {} nor on PATH", own.display())))
}

impl Masquerade {
    /// Makes the folder below the cache, or brings it up to date.
    ///
    /// # Errors
    /// The wrapper is not installed; the cache cannot be written.
    pub fn make(cache: &Path) -> anyhow::Result<Masquerade> {
        let wrapper = wrapper_beside("verify-cc")?;
        let dir = cache.join("masquerade");
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        let names = names();
        // A compiler that was removed must not seem to be there still.
        for old in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            if !names.contains(&old.file_name()) && !old.file_name().as_bytes().starts_with(b".") {
                let _ = std::fs::remove_file(old.path());
            }
        }
        for name in names {
            let link = dir.join(&name);
            if std::fs::read_link(&link).is_ok_and(|to| to == wrapper) {
                continue;
            }
            // Renamed into place: another build may be using it.
            let new = dir.join(format!(".{}-{}", name.to_string_lossy(), std::process::id()));
            let _ = std::fs::remove_file(&new);
            std::os::unix::fs::symlink(&wrapper, &new)
                .and_then(|()| std::fs::rename(&new, &link))
                .with_context(|| format!("cannot make {}", link.display()))?;
        }
        Ok(Masquerade { dir })
    }

    /// Gives a build the folder first on its path, and compilers in `CC`, `CXX` and the like that are in it.
    ///
    /// # Errors
    /// `PATH` cannot be made.
    pub fn set_up(&self, command: &mut Command) -> anyhow::Result<()> {
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        let dirs = std::iter::once(self.dir.clone()).chain(std::env::split_paths(&path).filter(|d| *d != self.dir));
        command.env("PATH", std::env::join_paths(dirs).context("PATH")?);
        // A wrapper in the environment of this command does not make the build nested.
        command.env_remove(real::NESTED);
        for (variable, real_variable, usual, wrapper) in
            [("CC", "VERIFY_REAL_CC", "cc", "verify-cc"), ("CXX", "VERIFY_REAL_CXX", "c++", "verify-c++")]
        {
            let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
            let wrapper = self.word(wrapper);
            match set(variable) {
                // By a bare name it is found in the folder, with whatever launchers and options it has.
                Some(words) if bare(&words) || words.to_string_lossy().contains("verify-c") => {}
                Some(words) => match self.here(&words) {
                    Some(here) => {
                        command.env(variable, here);
                    }
                    // Otherwise the wrapper takes its place and calls it.
                    None => {
                        command.env(real_variable, &words).env(variable, wrapper);
                    }
                },
                None if set(real_variable).is_some() => {
                    command.env(variable, wrapper);
                }
                None if self.dir.join(usual).exists() => {
                    command.env(variable, self.word(usual));
                }
                None => {}
            }
        }
        // Of other machines, and in front.
        let others = std::env::vars_os().filter(|(name, _)| names_compiler(name));
        for (name, here) in others.filter_map(|(name, words)| Some((name, self.here(&words)?))) {
            command.env(name, here);
        }
        Ok(())
    }

    /// How a command line calls a program of the folder: by its name where the path would be split at a space.
    fn word(&self, name: impl AsRef<OsStr>) -> OsString {
        let path = self.dir.join(name.as_ref()).into_os_string();
        if path.as_bytes().contains(&b' ') { name.as_ref().to_os_string() } else { path }
    }

    /// The same command line by way of this folder, where it starts with the full path of a program that is found by its
    /// name as well.
    fn here(&self, words: &OsStr) -> Option<OsString> {
        let bytes = words.as_bytes();
        let (program, rest) = bytes.split_at(bytes.iter().position(|b| *b == b' ').unwrap_or(bytes.len()));
        let program = Path::new(OsStr::from_bytes(program));
        let name = program.file_name().filter(|name| program.is_absolute() && masked(name))?;
        let found = real::on_path(name, |p| !real::is_wrapper(p) && p.parent() != Some(&self.dir))?;
        if !self.dir.join(name).exists() || found.canonicalize().ok()? != program.canonicalize().ok()? {
            return None;
        }
        let mut out = self.word(name);
        out.push(OsStr::from_bytes(rest));
        Some(out)
    }
}

/// Variables that name compilers besides `CC` and `CXX`: of Makefiles and configure scripts for the building machine, of the
/// `cc` crate for each target, of CMake for launchers.
fn names_compiler(variable: &OsStr) -> bool {
    let Some(name) = variable.to_str() else { return false };
    let whole = ["HOSTCC", "HOSTCXX", "HOST_CC", "HOST_CXX", "TARGET_CC", "TARGET_CXX", "BUILD_CC", "BUILD_CXX"];
    whole.contains(&name)
        || ["CC_", "CXX_"].iter().any(|start| name.starts_with(start))
        || matches!(name, "CMAKE_C_COMPILER_LAUNCHER" | "CMAKE_CXX_COMPILER_LAUNCHER")
}

/// Whether the first program in the words is called by its name alone.
fn bare(words: &OsStr) -> bool {
    let first = words.as_bytes().split(|b| *b == b' ').find(|w| !w.is_empty()).unwrap_or_default();
    !first.contains(&b'/')
}

/// Names of compilers and launchers that are on the path.
fn names() -> BTreeSet<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Those that stand for the compiler that `VERIFY_REAL_CC` names.
    let mut out = BTreeSet::from(["verify-cc", "verify-c++"].map(OsString::from));
    for dir in std::env::split_paths(&path) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if masked(&name) && real::on_path(&name, |p| !real::is_wrapper(p)).is_some() {
                out.insert(name);
            }
        }
    }
    out
}

/// Compilers by name: `gcc`, `cc`, `c99`, `clang-19`, `arm-linux-gnueabihf-gcc-12`, and launchers.
fn masked(name: &OsStr) -> bool {
    let Some(text) = name.to_str() else { return false };
    let tools = ["gcc-ar", "gcc-nm", "gcc-ranlib", "clang-cpp"];
    if tools.iter().any(|t| text.contains(t)) || text.starts_with("verify-") {
        return false;
    }
    matches!(text, "c99" | "c89") || real::is_compiler_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_names_are_compilers() {
        for yes in [
            "gcc",
            "cc",
            "c++",
            "gcc-12",
            "clang-19",
            "x86_64-linux-gnu-gcc",
            "arm-linux-gnueabihf-gcc-12",
            "c99",
            "ccache",
            "musl-gcc",
        ] {
            assert!(masked(OsStr::new(yes)), "{yes}");
        }
        for no in [
            "gcc-ar",
            "gcc-ranlib-12",
            "clang-format",
            "clang-tidy-19",
            "gccgo",
            "verify-cc",
            "ld",
            "cpp",
            "x86_64-linux-gnu-gcc-ar-12",
        ] {
            assert!(!masked(OsStr::new(no)), "{no}");
        }
    }
}
