//! `cargo verify`: the C that build scripts compile, crate by crate.
//!
//! Cargo builds into a target folder of its own with the wrapper in `CC` and `CXX`, where the `cc` and `cmake` crates
//! and most build scripts look, and under every compiler's name on `PATH` for the others. Cargo itself says which crate's build script had which `OUT_DIR`; what the ledger
//! knows of that folder is that crate's C. Rust code is compiled along, not analysed.

use crate::capture::Masquerade;
use crate::cli::{CargoArgs, Format};
use crate::exit::{self, usage};
use crate::output::Out;
use crate::tools::Env;
use anyhow::Context;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use verify_compile_db::coverage::{self, Totals};
use verify_compile_db::project;
use verify_wrapper::real::NO_RUST_LINKS;

/// One crate with C in it.
struct Crate {
    name: String,
    version: String,
    out_dir: PathBuf,
    totals: Totals,
    /// Where its findings are, and what the scan said.
    scan: Option<(PathBuf, u8)>,
}

/// Runs the command: 0, 1 when something is violated, 2 when part of the C could not be read. When cargo fails, its
/// exit code.
///
/// # Errors
/// Usage; no crate compiled C.
pub fn cargo(args: &CargoArgs) -> anyhow::Result<u8> {
    let env = Env::open()?;
    env.tools()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = metadata(&cargo, args)?;
    let (given, rest) = target_folder(&args.build);
    let folder = match given {
        Some(given) => std::path::absolute(given).context("the target folder")?,
        None => metadata["target_directory"].as_str().context("cargo metadata names no target folder")?.into(),
    };
    let folder = folder.join("verify");
    let masquerade = Masquerade::make(env.store.root())?;
    let mut build = Command::new(&cargo);
    build.arg("build").arg("--message-format=json-render-diagnostics").arg("--target-dir").arg(&folder);
    build.args(manifest(args)).args(options(args)).args(rest);
    build.env("VERIFY_CACHE", env.store.root()).env_remove("CARGO_TARGET_DIR").env(NO_RUST_LINKS, "1");
    masquerade.set_up(&mut build)?;
    let output = build.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| usage(format!("cannot run {}: {e}", cargo.to_string_lossy())))?;
    if !output.status.success() {
        return Ok(output.status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(exit::INTERNAL));
    }
    verify_wrapper::pending::recover_from_env();
    let mut crates = crates(&env, &metadata, &output.stdout)?;
    if crates.is_empty() {
        return Err(usage(format!(
            "no build script compiled C: the crates may use libraries of the system (look for a `vendored`, \
             `bundled` or `static` feature), or were built before with another cache (remove {})",
            folder.display()
        )));
    }
    let mut worst = exit::CLEAN;
    for c in &mut crates {
        if args.no_scan || c.totals.captured == 0 {
            continue;
        }
        if args.format == Format::Terminal {
            let t = &c.totals;
            writeln!(Out::lock(), "== {} {}: {} units, {} captured", c.name, c.version, t.units, t.captured)?;
        }
        let sarif = folder.join(format!("{}-{}.sarif", c.name, c.version));
        let code = scan(args, &env, &c.out_dir, &sarif)?;
        worst = rank(worst, code);
        c.scan = Some((sarif, code));
    }
    if crates.iter().any(|c| c.totals.missed > 0) {
        worst = rank(worst, exit::INCOMPLETE);
    }
    print(args, &crates)?;
    Ok(worst)
}

/// The target folder that options of `cargo build` name, and the other options.
fn target_folder(words: &[OsString]) -> (Option<OsString>, Vec<OsString>) {
    let (mut folder, mut rest) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_bytes().strip_prefix(b"--target-dir") {
            Some(b"") => folder = words.next().cloned(),
            Some([b'=', path @ ..]) => folder = Some(OsStr::from_bytes(path).to_os_string()),
            _ => rest.push(word.clone()),
        }
    }
    (folder, rest)
}

/// The worse of two exit codes: a fault, then a finding, then something unread.
fn rank(a: u8, b: u8) -> u8 {
    let weight = |code: u8| match code {
        exit::CLEAN => 0,
        exit::INCOMPLETE => 1,
        exit::VIOLATED => 2,
        _ => 3,
    };
    if weight(b) > weight(a) { b } else { a }
}

fn manifest(args: &CargoArgs) -> Vec<OsString> {
    let path = args.manifest_path.iter().flat_map(|p| ["--manifest-path".into(), p.clone().into_os_string()]);
    path.collect()
}

fn options(args: &CargoArgs) -> Vec<String> {
    let flags = [(args.release, "--release"), (args.offline, "--offline")];
    let mut out: Vec<String> = flags.iter().filter(|(on, _)| *on).map(|(_, flag)| flag.to_string()).collect();
    out.extend(args.package.iter().map(|p| format!("--package={p}")));
    out.extend(args.features.iter().map(|f| format!("--features={f}")));
    out
}

fn metadata(cargo: &OsString, args: &CargoArgs) -> anyhow::Result<Value> {
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version", "1"]).args(manifest(args));
    let mut words = args.build.iter();
    while let Some(word) = words.next() {
        match word.as_bytes() {
            b"--offline" | b"--locked" | b"--frozen" => command.arg(word),
            b"--manifest-path" | b"--config" => command.arg(word).args(words.next()),
            text if [&b"--manifest-path="[..], b"--config="].iter().any(|p| text.starts_with(p)) => command.arg(word),
            _ => continue,
        };
    }
    if args.offline {
        command.arg("--offline");
    }
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|e| usage(format!("cannot run {}: {e}", cargo.to_string_lossy())))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|l| l.starts_with("error")).unwrap_or("cargo metadata failed");
        return Err(usage(line.trim_start_matches("error: ")));
    }
    serde_json::from_slice(&output.stdout).context("what cargo metadata says")
}

/// The crates whose build scripts compiled C, in order of name.
fn crates(env: &Env, metadata: &Value, messages: &[u8]) -> anyhow::Result<Vec<Crate>> {
    let packages: BTreeMap<&str, &Value> =
        metadata["packages"].as_array().into_iter().flatten().filter_map(|p| Some((p["id"].as_str()?, p))).collect();
    let contents = env.ledger()?;
    let mut out = Vec::new();
    for line in messages.split(|b| *b == b'\n') {
        let Ok(message) = serde_json::from_slice::<Value>(line) else { continue };
        if message["reason"] != "build-script-executed" {
            continue;
        }
        let (Some(id), Some(out_dir)) = (message["package_id"].as_str(), message["out_dir"].as_str()) else { continue };
        let package = packages.get(id);
        // Where features are given, cargo builds packages that it does not list without them.
        let (name, version) = named_by(id);
        let field = |key: &str, or: &str| package.and_then(|p| p[key].as_str()).unwrap_or(or).to_string();
        let out_dir = PathBuf::from(out_dir);
        let project = project::load(&contents, &out_dir);
        let totals = coverage::of(&contents, &project).totals;
        if totals.units > 0 {
            out.push(Crate {
                name: field("name", name),
                version: field("version", version),
                out_dir,
                totals,
                scan: None,
            });
        }
    }
    out.sort_by(|a, b| (&a.name, &a.version, &a.out_dir).cmp(&(&b.name, &b.version, &b.out_dir)));
    out.dedup_by(|a, b| a.out_dir == b.out_dir);
    Ok(out)
}

/// Name and version in a package id: `registry+…#name@version`, `path+file:///…/name#version`.
fn named_by(id: &str) -> (&str, &str) {
    let (place, rest) = id.rsplit_once('#').unwrap_or((id, ""));
    let folder = place.rsplit('/').next().unwrap_or(place);
    rest.split_once('@').unwrap_or((folder, rest))
}

/// A scan is a process of its own: what one crate costs ends with it.
fn scan(args: &CargoArgs, env: &Env, out_dir: &Path, sarif: &Path) -> anyhow::Result<u8> {
    let own = std::env::current_exe().context("where this program is")?;
    let mut command = Command::new(own);
    command.arg("scan").arg(out_dir).arg("--output").arg(sarif).arg("--timeout").arg(args.timeout.to_string());
    command.env("VERIFY_CACHE", env.store.root());
    if args.format == Format::Json {
        command.stdout(Stdio::null()).arg("--quiet");
    }
    if let Some(jobs) = args.jobs {
        command.arg("--jobs").arg(jobs.to_string());
    }
    Out::lock().flush()?;
    let status = command.status().context("cannot start the scan")?;
    Ok(status.code().and_then(|c| u8::try_from(c).ok()).unwrap_or(exit::INTERNAL))
}

fn print(args: &CargoArgs, crates: &[Crate]) -> anyhow::Result<()> {
    let mut out = Out::lock();
    if args.format == Format::Json {
        let rows: Vec<Value> = crates
            .iter()
            .map(|c| {
                json!({
                    "name": c.name,
                    "version": c.version,
                    "out_dir": c.out_dir.to_string_lossy(),
                    "units": c.totals.units,
                    "captured": c.totals.captured,
                    "missed": c.totals.missed,
                    "probes": c.totals.probes,
                    "sarif": c.scan.as_ref().map(|(path, _)| path.to_string_lossy()),
                    "exit": c.scan.as_ref().map(|(_, code)| code),
                })
            })
            .collect();
        writeln!(out, "{:#}", json!({ "crates": rows }))?;
        return Ok(());
    }
    writeln!(out)?;
    for c in crates {
        let what = match &c.scan {
            None => "not scanned".to_string(),
            Some((path, code)) => match *code {
                exit::CLEAN => format!("nothing violated; {}", path.display()),
                exit::VIOLATED => format!("violated; {}", path.display()),
                exit::INCOMPLETE => format!("nothing violated, but not all could be read; {}", path.display()),
                code => format!("the scan failed with exit code {code}"),
            },
        };
        writeln!(out, "{} {}: {} units, {} captured: {what}", c.name, c.version, c.totals.units, c.totals.captured)?;
        if c.totals.missed > 0 {
            writeln!(out, "    {} missed: verify ledger {}", c.totals.missed, c.out_dir.display())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_by_their_ids() {
        let registry = "registry+https://github.com/rust-lang/crates.io-index#zstd-sys@2.1.3+zstd.1.5.7";
        assert_eq!(named_by(registry), ("zstd-sys", "2.1.3+zstd.1.5.7"));
        assert_eq!(named_by("path+file:///home/me/c-inside#0.1.0"), ("c-inside", "0.1.0"));
        assert_eq!(named_by("path+file:///home/me/x#c-inside@0.1.0"), ("c-inside", "0.1.0"));
    }

    #[test]
    fn target_folders() {
        let check = |words: &[&str], folder: Option<&str>, rest: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let (found, left) = target_folder(&words);
            assert_eq!(found.as_deref(), folder.map(OsStr::new));
            assert_eq!(left, rest);
        };
        check(&["--locked", "--target-dir", "a b", "-v"], Some("a b"), &["--locked", "-v"]);
        check(&["--target-dir=x"], Some("x"), &[]);
        check(&["--features", "f"], None, &["--features", "f"]);
    }
}
