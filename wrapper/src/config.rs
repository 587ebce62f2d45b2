//! What the environment says: where the cache is, which tools make units.
//!
//! Shared with the driver, so that `verify scan` looks where `verify-cc` wrote.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::capture::Tools;
use crate::real;

/// The environment of a wrapper or driver process.
#[derive(Clone, Debug)]
pub struct Config {
    /// Cache directory, absolute: `VERIFY_CACHE`, else `$XDG_CACHE_HOME/verify`, else `~/.cache/verify`.
    pub cache: PathBuf,
    /// Say on standard error what goes wrong: `VERIFY_VERBOSE`.
    pub verbose: bool,
}

impl Config {
    /// Reads the environment.
    ///
    /// # Errors
    /// One line when there is no place for the cache.
    pub fn from_env() -> Result<Config, String> {
        let set = |name: &str| env::var_os(name).filter(|v| !v.is_empty());
        let cache = set("VERIFY_CACHE")
            .map(PathBuf::from)
            .or_else(|| set("XDG_CACHE_HOME").map(|d| Path::new(&d).join("verify")))
            .or_else(|| set("HOME").map(|d| Path::new(&d).join(".cache/verify")))
            .ok_or("no place for the cache: set VERIFY_CACHE")?;
        let cache = std::path::absolute(&cache).map_err(|e| format!("{}: {e}", cache.display()))?;
        Ok(Config { cache, verbose: set("VERIFY_VERBOSE").is_some() })
    }

    /// Finds clang (`VERIFY_CLANG`, `clang-19`, `/usr/lib/llvm-19/bin/clang`, `clang` if it is version 19) and
    /// `verify-lower` (`VERIFY_LOWER`, beside this program, on `PATH`). `VERIFY_TIMEOUT` is the longest time in
    /// seconds that either may take for one source (default 600).
    ///
    /// # Errors
    /// One line naming what is missing and how to name it, or that the time is none.
    pub fn tools(&self) -> Result<Tools, String> {
        let timeout = match env::var_os("VERIFY_TIMEOUT").filter(|t| !t.is_empty()) {
            Some(text) => parse_seconds(&text.to_string_lossy())?,
            None => USUAL_TIMEOUT,
        };
        Ok(Tools { clang: find_clang()?, lower: find_lower()?, timeout })
    }
}

/// The longest time for one source when VERIFY_TIMEOUT does not say.
const USUAL_TIMEOUT: Duration = Duration::from_secs(600);

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.trim().parse() {
        Ok(n) if n > 0 => Ok(Duration::from_secs(n)),
        _ => Err(format!("VERIFY_TIMEOUT={text} is no number of seconds; write 600")),
    }
}

/// Size that the cache is kept to when VERIFY_CACHE_SIZE does not say.
const USUAL_SIZE: u64 = 20_000_000_000;

/// The size that the cache is kept to, in bytes: `VERIFY_CACHE_SIZE`, else 20G. `0` is no limit.
///
/// # Errors
/// One line when it is no size.
pub fn size_limit() -> Result<u64, String> {
    match env::var("VERIFY_CACHE_SIZE") {
        Ok(text) if !text.is_empty() => match parse_size(&text).map_err(|e| format!("VERIFY_CACHE_SIZE: {e}"))? {
            0 => Ok(u64::MAX),
            limit => Ok(limit),
        },
        _ => Ok(USUAL_SIZE),
    }
}

/// A size in bytes: `500M`, `1.5G`, `1000`.
///
/// # Errors
/// One line when it is none.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let bad = || format!("`{text}` is no size; write 500M or 10G");
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (number, unit) = match upper.chars().last().ok_or_else(bad)? {
        'K' => (&upper[..upper.len() - 1], 1e3),
        'M' => (&upper[..upper.len() - 1], 1e6),
        'G' => (&upper[..upper.len() - 1], 1e9),
        'T' => (&upper[..upper.len() - 1], 1e12),
        _ => (upper, 1.0),
    };
    let value: f64 = number.trim().parse().map_err(|_| bad())?;
    if value.is_finite() && value >= 0.0 { Ok((value * unit) as u64) } else { Err(bad()) }
}

fn named(variable: &str) -> Option<Result<PathBuf, String>> {
    let name = env::var_os(variable).filter(|v| !v.is_empty())?;
    let found = real::on_path(&name, |_| true);
    Some(found.ok_or_else(|| format!("{variable}={} is no program", name.to_string_lossy())))
}

fn find_clang() -> Result<PathBuf, String> {
    if let Some(found) = named("VERIFY_CLANG") {
        return found;
    }
    // Debian's ccache stands on PATH under clang's name as well.
    let launcher = |path: &Path| path.canonicalize().is_ok_and(|p| real::is_launcher(p.as_os_str()));
    let ours = |path: &Path| !real::is_wrapper(path) && !launcher(path);
    for name in ["clang-19", "/usr/lib/llvm-19/bin/clang", "/opt/homebrew/opt/llvm@19/bin/clang"] {
        if let Some(found) = real::on_path(OsStr::new(name), ours) {
            return Ok(found);
        }
    }
    if let Some(found) = real::on_path(OsStr::new("clang"), ours) {
        let output = Command::new(&found).arg("--version").stdin(Stdio::null()).output();
        if output.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("clang version 19.")) {
            return Ok(found);
        }
    }
    Err("clang 19 is not installed: install it (Debian: apt install clang-19) or set VERIFY_CLANG".into())
}

fn find_lower() -> Result<PathBuf, String> {
    if let Some(found) = named("VERIFY_LOWER") {
        return found;
    }
    let beside = env::current_exe().ok().and_then(|exe| exe.canonicalize().ok());
    if let Some(path) = beside.as_deref().and_then(Path::parent).map(|d| d.join("verify-lower"))
        && path.is_file()
    {
        return Ok(path);
    }
    real::on_path(OsStr::new("verify-lower"), |_| true)
        .ok_or_else(|| "verify-lower is neither beside verify-cc nor on PATH: set VERIFY_LOWER".into())
}
