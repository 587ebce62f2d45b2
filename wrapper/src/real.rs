//! The real compiler: which program it is, and that it is never this one.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use verify_compile_db::quote::split_posix;

use crate::argv::Driver;
use crate::options::Family;

/// Set for everything a wrapper starts, so that a wrapper reached again (a launcher that finds it under the
/// compiler's name) only hands the command on.
pub const NESTED: &str = "VERIFY_CC_NESTED";

/// The real compiler as it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Real {
    /// Launchers, compiler and fixed options; the first word is what is started.
    pub words: Vec<OsString>,
    /// The file of the first word.
    pub program: PathBuf,
    /// How many of `words` are programs; the rest are options that stand before the given ones.
    pub programs: usize,
}

impl Real {
    /// Options that the configuration puts before the given arguments.
    #[must_use]
    pub fn fixed_options(&self) -> &[OsString] {
        &self.words[self.programs..]
    }

    /// Name of the compiler proper, without folder.
    #[must_use]
    pub fn compiler_name(&self) -> &OsStr {
        let word = &self.words[self.programs - 1];
        Path::new(word).file_name().unwrap_or(word)
    }

    /// Whose options it takes: by the compiler's name, with links followed as far as they go (`cc`).
    #[must_use]
    pub fn family(&self) -> Family {
        let clang = |name: &OsStr| name.to_string_lossy().contains("clang");
        let word = &self.words[self.programs - 1];
        let file = if self.programs == 1 { Some(self.program.clone()) } else { on_path(word, |p| !is_wrapper(p)) };
        let target = file.and_then(|p| p.canonicalize().ok());
        match clang(self.compiler_name()) || target.as_deref().and_then(Path::file_name).is_some_and(clang) {
            true => Family::Clang,
            false => Family::Gcc,
        }
    }

    /// What the program is told it is called. A compiler called by a bare name looks itself up on `PATH` to find
    /// its parts; where a wrapper stands before it there, it must be called by its path. `path` is the `PATH` that it
    /// gets, when that is not ours.
    #[must_use]
    pub fn called(&self, path: Option<&OsStr>) -> &OsStr {
        let first = match path {
            Some(path) => on_this_path(path, &self.words[0], |_| true),
            None => on_path(&self.words[0], |_| true),
        };
        match first {
            Some(first) if first == self.program => &self.words[0],
            _ => self.program.as_os_str(),
        }
    }

    /// What clang must be told because of the compiler's name: a cross compiler's target, `c99`'s standard.
    #[must_use]
    pub fn implied_options(&self) -> Vec<OsString> {
        let Some(name) = self.compiler_name().to_str() else { return Vec::new() };
        let base = without_version(name);
        if let "c89" | "c99" = base {
            return vec![format!("-std={base}").into()];
        }
        let drivers = ["-gcc", "-g++", "-cc", "-c++", "-clang", "-clang++"];
        let triple = drivers.iter().find_map(|d| base.strip_suffix(d));
        match triple.filter(|t| t.contains('-')) {
            Some(triple) => vec![format!("--target={triple}").into()],
            None => Vec::new(),
        }
    }
}

/// Set where the links of Rust programs are not looked at: `cargo verify` has each crate's C by its build script.
pub const NO_RUST_LINKS: &str = "VERIFY_CC_NO_RUST_LINKS";

/// Finds the real compiler: the name this program was called by, else the configured words, else the usual names.
///
/// # Errors
/// One line for the user when there is none, or when it would be this program again.
pub fn find(driver: Driver, configured: Option<&OsStr>, called: &OsStr, nested: bool) -> Result<Real, String> {
    let variable = match driver {
        Driver::C => "VERIFY_REAL_CC",
        Driver::Cxx => "VERIFY_REAL_CXX",
    };
    let called = Path::new(called).file_name().unwrap_or(called);
    let masquerade = !called.as_bytes().starts_with(b"verify-");
    // Under a compiler's own name it is that compiler: a build that calls `clang` or a cross compiler means it.
    if let Some(text) = configured.filter(|t| !t.is_empty()).filter(|_| !masquerade) {
        let words = split_posix(text.as_bytes());
        let programs = words.iter().take_while(|w| !w.as_bytes().starts_with(b"-")).count();
        if programs == 0 {
            return Err(format!("{variable} names no program: {}", text.to_string_lossy()));
        }
        let program = on_path(&words[0], |p| !is_wrapper(p)).ok_or_else(|| {
            format!("{variable}: {} is no program, or is verify-cc itself", words[0].to_string_lossy())
        })?;
        return Ok(Real { words, program, programs });
    }
    let usual: &[&str] = match driver {
        Driver::C => &["gcc", "cc", "clang"],
        Driver::Cxx => &["g++", "c++", "clang++"],
    };
    let own = masquerade.then_some(called);
    let names: Vec<&OsStr> = match own {
        Some(name) => vec![name],
        None => usual.iter().map(OsStr::new).collect(),
    };
    for name in &names {
        // A launcher under a compiler's name that has found us does not want to find itself again.
        let itself = |p: &Path| nested && p.canonicalize().is_ok_and(|p| is_launcher(p.as_os_str()));
        let other = |p: &Path| !(is_wrapper(p) || itself(p));
        if let Some(program) = on_path(name, other) {
            return Ok(Real { words: vec![name.to_os_string()], program, programs: 1 });
        }
    }
    let names: Vec<_> = names.iter().map(|n| n.to_string_lossy()).collect();
    Err(format!("no real compiler: {} not found on PATH; set {variable}", names.join(", ")))
}

/// The executable `name` stands for: itself when it has a folder, else the first on `PATH` that `accept` takes.
#[must_use]
pub fn on_path(name: &OsStr, accept: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let good = |path: &Path| {
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0) && accept(path)
    };
    if name.as_bytes().contains(&b'/') {
        let path = std::path::absolute(Path::new(name)).ok()?;
        return good(&path).then_some(path);
    }
    on_this_path(&env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into()), name, good)
}

fn on_this_path(path: &OsStr, name: &OsStr, accept: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return None;
    }
    let good = |path: &Path| {
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0) && accept(path)
    };
    env::split_paths(path)
        .map(|dir| if dir.as_os_str().is_empty() { PathBuf::from(".") } else { dir })
        .map(|dir| dir.join(name))
        .find(|path| good(path))
}

/// Whether the file is one of the wrappers, under whatever name.
#[must_use]
pub fn is_wrapper(path: &Path) -> bool {
    let named =
        |p: &Path| matches!(p.file_name().map(OsStr::as_bytes), Some(b"verify-cc" | b"verify-c++" | b"verify-cxx"));
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if named(&real) {
        return true;
    }
    // A copy by hard link has another name and the same file.
    let same = |a: &Path, b: &Path| match (fs::metadata(a), fs::metadata(b)) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    };
    env::current_exe().is_ok_and(|own| same(&own, &real))
}

/// `PATH` without the folders in which we stand under the name that we were called by: what we start finds the real
/// compiler there, as it would without us. None when there is no such folder.
#[must_use]
pub fn path_without_wrappers(called: &OsStr) -> Option<OsString> {
    let name = Path::new(called).file_name()?;
    if name.as_bytes().starts_with(b"verify-") {
        return None;
    }
    let path = env::var_os("PATH")?;
    let (ours, rest): (Vec<PathBuf>, Vec<PathBuf>) =
        env::split_paths(&path).partition(|dir| is_wrapper(&dir.join(name)));
    if ours.is_empty() { None } else { env::join_paths(rest).ok() }
}

/// Whether this is a program that is put before a compiler to start it: `ccache gcc`.
#[must_use]
pub fn is_launcher(word: &OsStr) -> bool {
    let name = Path::new(word).file_name().unwrap_or(word);
    ["ccache", "distcc", "sccache", "icecc", "buildcache"].iter().any(|l| name == *l)
}

/// `gcc-12` is `gcc`, `clang-19` is `clang`.
fn without_version(name: &str) -> &str {
    let end = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match end.strip_suffix('-') {
        Some(base) if end.len() < name.len() => base,
        _ => name,
    }
}

/// Whether a word of a command line can be the compiler after a launcher (`ccache gcc …`).
#[must_use]
pub fn is_compiler_name(word: &OsStr) -> bool {
    // Compilation databases may have several launchers.
    if is_launcher(word) {
        return true;
    }
    let Some(name) = Path::new(word).file_name().and_then(OsStr::to_str) else { return false };
    let base = without_version(name);
    let ends = ["gcc", "g++", "cc", "c++", "clang", "clang++"];
    !name.contains('.') && ends.iter().any(|e| base == *e || base.ends_with(&format!("-{e}")))
        || base == "verify-cc"
        || base == "verify-c++"
}

/// The driver a compiler of this name is.
#[must_use]
pub fn driver_of_name(word: &OsStr) -> Driver {
    let name = Path::new(word).file_name().unwrap_or(word).to_string_lossy().into_owned();
    let base = without_version(&name);
    match base.ends_with("++") || base.ends_with("cxx") {
        true => Driver::Cxx,
        false => Driver::C,
    }
}
