//! Debian and Ubuntu source packages through an apt configuration of its own under the target folder: sources list,
//! package lists and cache are private, and nothing in the machine's configuration is read or changed but its keyring.

use crate::sh;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A real C project and how it is built.
pub struct Project {
    /// Name of the source package.
    pub name: &'static str,
    /// Run once in the unpacked folder before `make`; `{CC}` stands for the compiler.
    pub configure: &'static [&'static str],
    /// Arguments of make, `CC=` excluded.
    pub make: &'static [&'static str],
    /// Programs and libraries that the build must leave, by file name.
    pub makes: &'static [&'static str],
}

/// The projects that the suites use, smallest first.
pub const PROJECTS: &[Project] = &[
    Project { name: "cjson", configure: &[], make: &["all"], makes: &["libcjson.a", "cJSON_test"] },
    Project { name: "bzip2", configure: &[], make: &["libbz2.a", "bzip2", "bzip2recover"], makes: &["bzip2"] },
    Project { name: "lz4", configure: &[], make: &["lib", "lz4"], makes: &["lz4", "liblz4.a"] },
    Project { name: "zlib", configure: &["./configure"], make: &[], makes: &["libz.a", "minigzip"] },
    Project { name: "lua5.4", configure: &[], make: &["linux"], makes: &["lua", "luac", "liblua.a"] },
];

/// The project of this name.
pub fn project(name: &str) -> Result<&'static Project> {
    let all = || PROJECTS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    PROJECTS.iter().find(|p| p.name == name).with_context(|| format!("no project `{name}`; there are {}", all()))
}

struct Apt {
    config: PathBuf,
    downloads: PathBuf,
}

fn base() -> PathBuf {
    let t = sh::target();
    if t.is_absolute() { t.join("debian") } else { sh::root().join(t).join("debian") }
}

/// Distribution and codename of this machine, from os-release.
fn release() -> Result<(String, String)> {
    let text = std::fs::read_to_string("/etc/os-release").context("this is no Debian or Ubuntu system")?;
    let get = |key: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix('='));
        line.map(|v| v.trim_matches('"').to_string())
    };
    let id = get("ID").unwrap_or_default();
    let codename = get("VERSION_CODENAME").with_context(|| format!("no codename for `{id}` in os-release"))?;
    Ok((id, codename))
}

impl Apt {
    fn new() -> Result<Apt> {
        let dir = base();
        for d in ["lists/partial", "cache/archives/partial", "downloads"] {
            std::fs::create_dir_all(dir.join(d)).with_context(|| format!("cannot make {}", dir.join(d).display()))?;
        }
        let (id, codename) = release()?;
        let (keyring, host, components) = match id.as_str() {
            "debian" => ("debian-archive-keyring.gpg", "http://deb.debian.org/debian", "main"),
            "ubuntu" => ("ubuntu-archive-keyring.gpg", "http://archive.ubuntu.com/ubuntu", "main universe"),
            other => bail!("source packages are taken on Debian and Ubuntu only, not on `{other}`"),
        };
        let keyring = Path::new("/usr/share/keyrings").join(keyring);
        if !keyring.is_file() {
            bail!("no keyring {}", keyring.display());
        }
        let list = dir.join("sources.list");
        std::fs::write(&list, format!("deb-src [signed-by={}] {host} {codename} {components}\n", keyring.display()))?;
        let config = dir.join("apt.conf");
        let d = dir.display();
        std::fs::write(
            &config,
            format!(
                "Dir::Etc::sourcelist \"{d}/sources.list\";\nDir::Etc::sourceparts \"-\";\n\
                 Dir::State::lists \"{d}/lists\";\nDir::Cache \"{d}/cache\";\n\
                 Acquire::Languages \"none\";\nAcquire::Retries \"2\";\nAcquire::http::Timeout \"30\";\n\
                 APT::Sandbox::User \"\";\n"
            ),
        )?;
        Ok(Apt { config, downloads: dir.join("downloads") })
    }

    fn get(&self, args: &[&str]) -> Result<()> {
        sh::quiet(
            Command::new("apt-get").args(args).current_dir(&self.downloads).env("APT_CONFIG", &self.config),
            300,
        )?;
        Ok(())
    }
}

fn dsc_of(downloads: &Path, package: &str) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(downloads)
        .ok()?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&format!("{package}_")) && name.ends_with(".dsc")
        })
        .collect();
    found.sort();
    found.pop()
}

/// Downloads (once) the source package.
fn download(package: &str) -> Result<PathBuf> {
    let apt = Apt::new()?;
    if let Some(dsc) = dsc_of(&apt.downloads, package) {
        return Ok(dsc);
    }
    apt.get(&["update", "-qq"])?;
    apt.get(&["source", "-qq", "--download-only", package])?;
    dsc_of(&apt.downloads, package).with_context(|| format!("apt-get left no .dsc for {package}"))
}

/// Unpacks the package's upstream source into `dir`, which must not exist yet. Debian's own patches are left out: they
/// fit the packages' builds (libtool for Lua), not a user's `make`.
pub fn unpack(project: &Project, dir: &Path) -> Result<()> {
    let dsc = download(project.name)?;
    if let Some(parent) = dir.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut cmd = Command::new("dpkg-source");
    cmd.args(["--skip-patches", "--no-check", "-q", "-x"]).arg(&dsc).arg(dir);
    sh::quiet(&mut cmd, 120)?;
    Ok(())
}

/// Configures and builds the project in `dir` with this compiler; `envs` reach every process of the build.
pub fn build(project: &Project, dir: &Path, cc: &str, jobs: u32, envs: &[(&str, &str)]) -> Result<()> {
    if let Some((program, args)) = project.configure.split_first() {
        let mut cmd = Command::new(program);
        cmd.args(args).current_dir(dir).env("CC", cc).envs(envs.iter().copied());
        sh::quiet(&mut cmd, 300)?;
    }
    let mut cmd = Command::new("make");
    cmd.arg(format!("-j{jobs}")).args(project.make).arg(format!("CC={cc}"));
    cmd.current_dir(dir).envs(envs.iter().copied());
    // A jobserver of an outer make is none of this build's business.
    cmd.env_remove("MAKEFLAGS").env_remove("MFLAGS");
    sh::quiet(&mut cmd, 600)?;
    Ok(())
}
