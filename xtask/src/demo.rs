//! The demonstration: a program of our own with known bugs, then a real one from a Debian source package; each is
//! built with `make CC=verify-cc` and scanned, with a cache of its own so that the user's stays as it is.

use crate::debsrc;
use crate::e2e::copy_tree;
use crate::sarif;
use crate::setup::{self, Need};
use crate::sh::{self, Tools};
use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs the demonstration with this source package, or bzip2.
pub fn run(package: Option<&str>) -> Result<()> {
    let package = debsrc::project(package.unwrap_or("bzip2"))?;
    sh::step("checking what is installed");
    setup::ensure(&[Need::Build, Need::Demo])?;
    let tools = Tools::build()?.with_cache("demo-cache")?;
    let base = sh::scratch("demo")?;

    let own = base.join("inventory");
    sh::step("first program: tests/projects/inventory, which has known bugs");
    copy_tree(&sh::root().join("tests/projects/inventory"), &own)?;
    let cc = tools.program("verify-cc").display().to_string();
    println!("$ make CC=verify-cc");
    sh::must(make(&own).arg(format!("CC={cc}")).env("VERIFY_CACHE", &tools.cache))?;
    let first = scan(&tools, &own)?;

    sh::step(&format!("second program: {} from the source package", package.name));
    let real = base.join(package.name);
    let second = match debsrc::unpack(package, &real) {
        Err(e) => {
            println!("It cannot be had here ({e:#}). The first program has to do.");
            None
        }
        Ok(()) => {
            println!("$ make CC=verify-cc");
            let cache = tools.cache.to_string_lossy();
            debsrc::build(package, &real, &cc, 2, &[("VERIFY_CACHE", &cache)])?;
            Some(scan(&tools, &real)?)
        }
    };

    sh::step("done");
    println!("inventory: {first} findings, SARIF in {}", own.join("verify.sarif").display());
    if let Some(n) = second {
        println!("{}: {n} findings, SARIF in {}", package.name, real.join("verify.sarif").display());
    }
    println!("\nOn a program of your own: make CC={cc} && {} scan", tools.program("verify").display());
    Ok(())
}

fn make(dir: &Path) -> Command {
    let mut c = Command::new("make");
    c.arg("-j2").current_dir(dir).env_remove("MAKEFLAGS");
    c
}

/// Scans with everything shown to the user; the number of findings.
fn scan(tools: &Tools, dir: &Path) -> Result<usize> {
    println!("$ verify scan");
    let mut cmd = tools.verify(dir, ["scan"]);
    let status = cmd.stdin(Stdio::null()).status().context("cannot run verify")?;
    let code = status.code().unwrap_or(4);
    anyhow::ensure!(code <= 2, "verify scan failed with exit code {code}");
    Ok(sarif::findings(&dir.join("verify.sarif"))?.len())
}
