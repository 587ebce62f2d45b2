//! Recognising the test programs of configuration steps, which are no part of the program being built.
//!
//! By name: autoconf's `conftest.*`, CMake's and Meson's private folders, and a few more. By context: the nearest
//! build tool above us is a `configure` script and not a `make`, which finds the hand-written ones as well.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path};

/// Folders whose content is a configuration step's.
const FOLDERS: &[&str] = &[
    "CMakeScratch",
    "CMakeTmp",
    "meson-private",
    ".sconf_temp",
    ".conf_check",
    "config.tests",
    "_configtest",
    "qmake_probe",
];

/// Why the command is a probe; `None` when it is not known to be one. `process` is the compiler's, if that is not a child of
/// this one; `paths` are its inputs and its output.
#[must_use]
pub fn detect<'a>(cwd: &Path, process: Option<u32>, paths: impl Iterator<Item = &'a Path>) -> Option<String> {
    if let Some(folder) = folder(cwd) {
        return Some(format!("runs in {folder}"));
    }
    for path in paths {
        if path == Path::new("/dev/null") {
            return Some("reads or writes /dev/null".into());
        }
        if let Some(folder) = folder(path) {
            return Some(format!("works in {folder}"));
        }
        let name = path.file_name().unwrap_or_default().as_bytes();
        let known = [
            &b"conftest"[..],
            b"cmTC_",
            b"CMakeCCompilerId",
            b"CMakeCXXCompilerId",
            b"CMakeCCompilerABI",
            b"_configtest",
            // Rust's build scripts.
            b"flag_check.",
            b"detect_compiler_family.",
        ];
        if known.iter().any(|k| name.starts_with(k)) {
            return Some(format!("{} is a configuration test", path.display()));
        }
    }
    under_configure(process).then(|| "started by a configure script".to_string())
}

fn folder(path: &Path) -> Option<String> {
    let names: Vec<&OsStr> = path
        .components()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    for (i, name) in names.iter().enumerate() {
        let text = name.to_string_lossy();
        if FOLDERS.contains(&&*text)
            || text.starts_with(".conf_check_")
            || text.starts_with("TryCompile-")
            || text.starts_with("_CMakeLTOTest-")
        {
            return Some(text.into_owned());
        }
        let compiler_id = text.starts_with("CompilerId") && i > 0;
        if compiler_id && names[..i].iter().any(|n| *n == "CMakeFiles") {
            return Some(text.into_owned());
        }
    }
    None
}

/// Looks at the processes above us, nearest first; false where `/proc` cannot be read.
fn under_configure(process: Option<u32>) -> bool {
    let mut pid = match process {
        Some(pid) => parent_of(pid).unwrap_or(1),
        None => std::os::unix::process::parent_id(),
    };
    for _ in 0..12 {
        if pid <= 1 {
            return false;
        }
        let Ok(command) = fs::read(format!("/proc/{pid}/cmdline")) else { return false };
        let words: Vec<&[u8]> = command.split(|b| *b == 0).collect();
        let base = |w: &[u8]| w.rsplit(|b| *b == b'/').next().unwrap_or_default().to_vec();
        let program = base(words[0]);
        let tools: [&[u8]; 8] = [b"make", b"gmake", b"ninja", b"samu", b"cargo", b"bazel", b"scons", b"cmake"];
        if tools.contains(&&program[..]) {
            return false;
        }
        // `sh ./configure …`, `/bin/bash ../configure`, `./configure` through its #! line.
        let script = words.iter().take(4).filter(|w| !w.starts_with(b"-")).map(|w| base(w));
        let scripts: [&[u8]; 4] = [b"configure", b"config.status", b"Configure", b"configure.gnu"];
        if script.into_iter().any(|s| scripts.contains(&&s[..])) {
            return true;
        }
        let Some(parent) = parent_of(pid) else { return false };
        pid = parent;
    }
    false
}

/// The parent of a process, as `/proc` tells it.
#[must_use]
pub fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The program's name in parentheses may hold anything; the fields go on after the last one.
    let close = stat.iter().rposition(|b| *b == b')')?;
    let rest = std::str::from_utf8(&stat[close + 1..]).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(cwd: &str, path: &str) -> bool {
        let named = folder(Path::new(cwd)).is_some();
        named || detect(Path::new(cwd), None, [Path::new(path)].into_iter()).is_some()
    }

    #[test]
    fn configuration_steps_are_recognised() {
        assert!(probe("/p", "conftest.c"));
        assert!(probe("/p/CMakeFiles/CMakeScratch/TryCompile-x1", "src.c"));
        assert!(probe("/p/build/CMakeFiles/3.25.1/CompilerIdC", "a.c"));
        assert!(probe("/p/build/CMakeFiles/_CMakeLTOTest-C/bin", "../src/foo.c"));
        assert!(probe("/p", "meson-private/sanitycheckc.c"));
        assert!(probe("/p", "/dev/null"));
    }

    #[test]
    fn program_sources_are_not() {
        for (cwd, path) in
            [("/p", "main.c"), ("/p/CMakeFiles", "test.c"), ("/p/config", "conf.c"), ("/p", "a/configure.c")]
        {
            assert!(!probe(cwd, path), "{cwd} {path}");
        }
    }
}
